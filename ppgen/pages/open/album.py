"""Albums of a set's faces, redrawn only where data or templates have changed."""

from __future__ import annotations

import gc
import hashlib
import re
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import product

from ppgen.engine.component import Component, Part, PrintWay
from ppgen.engine.drawing.face import Face, FaceRequest
from ppgen.engine.drawing.pictures import PictureFolder
from ppgen.engine.drawing.rendering import FaceRenderer
from ppgen.engine.drawing.templates import TemplateSet
from ppgen.engine.geometry import Format, Size
from ppgen.engine.shapes import ShapeKind
from ppgen.errors import InputError, Problem, Problems, RequestError
from ppgen.printing.drawn_parts import DrawnPart, draw_parts, sheet_bleed
from ppgen.printing.request import BuildRequest
from ppgen.printing.workshop import Workshop
from ppgen.review.printed_faces import face_digest
from ppgen.shipped import Phrase

# Albums


@dataclass(frozen=True, slots=True, kw_only=True)
class Shot:
    """A picture to make of a face without its bleed: ``size`` is the trim, in mm.

    ``key`` is a digest: equal for faces that look the same.
    """

    name: str
    size: Size
    key: str
    face: Face = field(repr=False, compare=False)


@dataclass(frozen=True, slots=True, kw_only=True)
class AlbumPiece:
    """A component with its pictures. A back of several components is one shot with one name."""

    id: str
    copies: int
    front: Shot
    back: Shot | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Section:
    """The pieces of a part; ``large`` ones are whole pages and boards printed in tiles."""

    name: str
    title: str
    large: bool
    pieces: tuple[AlbumPiece, ...]

    @property
    def shots(self) -> tuple[Shot, ...]:
        """Every picture once: fronts, then backs that differ from them."""
        backs = (piece.back for piece in self.pieces if piece.back)
        return tuple(dict.fromkeys((*(piece.front for piece in self.pieces), *backs)))


@dataclass(frozen=True, slots=True, kw_only=True)
class Album:
    """The pictures of a set in one language on one paper. Albums are equal if they look the same.

    ``title`` and ``facts`` are for a heading. The rest is what it was drawn from.
    """

    lang: str
    paper: Format
    title: str
    facts: str
    sections: tuple[Section, ...]
    workshop: Workshop = field(repr=False, compare=False)
    request: BuildRequest = field(repr=False, compare=False)
    renderer: ReusingRenderer = field(repr=False, compare=False)

    @property
    def id(self) -> str:
        """Identifier of the album on its page."""
        return f"{self.lang}-{self.paper.name}"

    @property
    def shots(self) -> tuple[Shot, ...]:
        return tuple(shot for section in self.sections for shot in section.shots)

    @property
    def pieces(self) -> tuple[AlbumPiece, ...]:
        return tuple(piece for section in self.sections for piece in section.pieces)


def ids_with_shared_back(parts: Iterable[Part]) -> frozenset[str]:
    """Return the ids of components that share their back with another."""
    by_back: dict[tuple[str, FaceRequest], list[str]] = {}
    for part in parts:
        for component in part.components:
            if component.back:
                by_back.setdefault((part.name, component.back), []).append(component.id)
    return frozenset(id for ids in by_back.values() if len(ids) > 1 for id in ids)


def album_sections(parts: Iterable[DrawnPart], sharing: frozenset[str]) -> tuple[Section, ...]:
    """Make the sections of an album, without empty parts; ``sharing`` is from :func:`ids_with_shared_back`."""
    names = _UniqueNames()
    return tuple(_section(part, sharing, names) for part in parts if part.part.components)


def _section(drawn: DrawnPart, sharing: frozenset[str], names: _UniqueNames) -> Section:
    part, faces = drawn.part, drawn.faces
    fronts = {component.id: _shot(names.claim(component.id), faces[component.id, "front"])
              for component in part.components}
    backs: dict[Face, Shot] = {}

    def back(component: Component) -> Shot | None:
        face = faces.get((component.id, "back"))
        if face is None or component.back == component.front:  # the same picture, though with another bleed
            return fronts[component.id] if face else None
        if face not in backs:
            owner = part.name if component.id in sharing else component.id
            backs[face] = _shot(names.claim(f"{owner}-back"), face)
        return backs[face]

    return Section(
        name=part.name, title=part.title, large=part.layout.way in (PrintWay.PAGE, PrintWay.TILED),
        pieces=tuple(AlbumPiece(id=component.id, copies=component.copies, front=fronts[component.id],
                                back=back(component)) for component in part.components))


def _shot(name: str, face: Face) -> Shot:
    return Shot(name=name, size=face.size, key=face_digest(face), face=face)


class _UniqueNames:
    """Names, made unique by a number."""

    def __init__(self) -> None:
        self._counts: Counter[str] = Counter()

    def claim(self, name: str) -> str:
        self._counts[name] += 1
        return name if self._counts[name] == 1 else self.claim(f"{name}-{self._counts[name]}")


# Template keys

_QUOTED = re.compile(r"""["']([^"'\n]+)["']""")
_USE = re.compile(r"\{%[-+]?\s*(?:import|include|extends|from)\b")
_PLAIN_USE = re.compile(_USE.pattern + r"""\s*["'][^"'\n]+["']\s*(?:(?:as|import|ignore|with|without)\b|[-+]?%\})""")


def template_keys(templates: TemplateSet) -> Mapping[str, str]:
    """Return a digest for each template by name: of itself and of all templates that it uses, directly or not.

    The first folder with a template wins. A template uses whatever it names in quotes; one that computes names may use
    any. Raises OSError for a file that can't be read.
    """
    texts = templates.texts()
    own = {name: hashlib.sha256(text).hexdigest() for name, text in texts.items()}
    uses = {name: _find_uses(text.decode("utf-8", "replace"), own) for name, text in texts.items()}
    return {name: _template_key(name, own, uses) for name in own}


def _find_uses(text: str, names: Mapping[str, str]) -> frozenset[str]:
    if len(_USE.findall(text)) > len(_PLAIN_USE.findall(text)):
        return frozenset(names)
    return frozenset(word for word in _QUOTED.findall(text) if word in names)


def _template_key(name: str, own: Mapping[str, str], uses: Mapping[str, frozenset[str]]) -> str:
    reached, todo = {name}, [name]
    while todo:
        for other in uses[todo.pop()] - reached:
            reached.add(other)
            todo.append(other)
    return hashlib.sha256("".join(f"{each} {own[each]}\n" for each in sorted(reached)).encode()).hexdigest()


# Incremental drawing


@dataclass(frozen=True, kw_only=True)
class ReusingRenderer(FaceRenderer):
    """Renderer that draws no face twice; ``keys`` are those of the templates (:func:`template_keys`)."""

    keys: Mapping[str, str]
    reusable: Mapping[tuple[FaceRequest, float], Face]
    """Faces of an earlier renderer that would look the same now."""
    faces: dict[tuple[FaceRequest, float], Face] = field(default_factory=dict)

    @classmethod
    def after(cls, earlier: ReusingRenderer | None, plain: FaceRenderer, keys: Mapping[str, str]) -> ReusingRenderer:
        """Return a renderer that draws as the ``plain`` one does, and reuses what it can of an ``earlier`` one."""
        reusable: Mapping[tuple[FaceRequest, float], Face] = {}
        if earlier and (earlier.fonts, earlier.ink, earlier.common) == (plain.fonts, plain.ink, plain.common):
            unchanged = {name for name, key in keys.items() if earlier.keys.get(name) == key}
            reusable = {key: face for key, face in earlier.faces.items() if key[0].template in unchanged and (
                not face.pictures or (plain.pictures and plain.pictures.still_has(face.pictures)))}
        return cls(templates=plain.templates, fonts=plain.fonts, ink=plain.ink, common=plain.common, keys=keys,
                   reusable=reusable, pictures=plain.pictures)

    @property
    def drawn(self) -> int:
        """Number of faces that could not be reused."""
        return len(self.faces.keys() - self.reusable.keys())

    def draw(self, request: FaceRequest, bleed: float, subject: str) -> Face:
        is_cut_out = request.shape.kind is not ShapeKind.RECTANGLE  # then the picture has no bleed
        key = request, 0.0 if is_cut_out else bleed
        if key not in self.faces:
            self.faces[key] = self.reusable.get(key) or FaceRenderer.draw(self, *key, subject)
        return self.faces[key]


def draw_album(workshop: Workshop, request: BuildRequest, lang: str, paper: Format, keys: Mapping[str, str],
               earlier: ReusingRenderer | None = None) -> tuple[Album, tuple[Problem, ...]]:
    """Draw the album of a language on a paper; return it with what was left out.

    ``keys`` are those of the templates (:func:`template_keys`), ``earlier`` is the renderer of an earlier album. Raises
    InputError with every problem.
    """
    texts = workshop.texts(lang)
    spec = request.spec(paper)
    selected = workshop.parts_of(request, texts, paper)
    renderer = ReusingRenderer.after(earlier, workshop.studio(texts, request.ink), keys)
    parts = draw_parts(selected.parts, renderer, sheet_bleed(spec), lang)
    album = Album(lang=lang, paper=paper, title=texts("game.title"),
                  facts=" · ".join((texts("language.name"), str(request.card_size.size), texts(f"ink.{request.ink}"))),
                  sections=album_sections(parts, ids_with_shared_back(selected.parts)),
                  workshop=workshop, request=request, renderer=renderer)
    return album, selected.left_out


# Changes of the folders


@dataclass(frozen=True, slots=True, kw_only=True)
class AlbumState:
    """State of the folders: their albums, or all problems and the last good albums.

    ``changed``, ``added`` and ``removed`` are names of pictures, compared with the last good state; the first good one
    ``is_first``. ``drawn`` is the number of faces that were not reused.
    """

    albums: tuple[Album, ...] = ()
    problems: tuple[Problem, ...] = ()
    warnings: tuple[Problem, ...] = ()
    changed: tuple[str, ...] = ()
    added: tuple[str, ...] = ()
    removed: tuple[str, ...] = ()
    drawn: int = 0
    is_first: bool = False


class Redrawer:
    """Draws albums again after changes. ``read`` opens workshop and request anew; it may raise InputError."""

    def __init__(self, read: Callable[[], tuple[Workshop, BuildRequest]]) -> None:
        self._read = read
        self._last = AlbumState()

    def refresh(self) -> AlbumState:
        """Draw the current state. Raises RequestError for an impossible request, as long as nothing was drawn."""
        state = self._refresh()
        if state.problems:  # exceptions hold on to faces in cycles, which Python would search for too rarely
            gc.collect()
        return state

    def _refresh(self) -> AlbumState:
        try:
            albums, warnings = self._draw_albums()
        except InputError as error:
            if isinstance(error, RequestError) and not self._last.albums:
                raise
            return AlbumState(albums=self._last.albums, problems=error.problems)
        except OSError as error:  # a file vanished while it was read
            problem = Problem(place=str(error.filename or "files"),
                              what=Phrase("unreadable", message=error.strerror or error), remedy=Phrase("save_again"))
            return AlbumState(albums=self._last.albums, problems=(problem,))
        except BaseException as error:  # a file must not end a page that is open for hours
            if not isinstance(error, Exception) and type(error).__name__ != "PanicException":  # a panic in Rust
                raise
            problem = Problem(place="files", what=f"unexpected {type(error).__name__}: {error}",
                              remedy="undo the last change; this is a bug in ppgen, so please report it with the file")
            return AlbumState(albums=self._last.albums, problems=(problem,))
        before, after = _pictures(self._last.albums), _pictures(albums)
        self._last = AlbumState(
            albums=albums, warnings=warnings, is_first=not self._last.albums,
            drawn=sum(album.renderer.drawn for album in albums),
            changed=_list_names(key for key in after if key in before and before[key] != after[key]),
            added=_list_names(key for key in after if key not in before) if self._last.albums else (),
            removed=_list_names(key for key in before if key not in after))
        return self._last

    def _draw_albums(self) -> tuple[tuple[Album, ...], tuple[Problem, ...]]:
        workshop, request = self._read()
        if workshop.pictures:
            workshop = replace(workshop, pictures=PictureFolder(workshop.pictures.root, keeps_gaps=True))
        keys = template_keys(workshop.templates)
        renderers = {(album.lang, album.paper): album.renderer for album in self._last.albums}
        if self._last.albums:
            last = self._last.albums[0]
            if last.renderer.keys == keys and last.workshop.fonts == workshop.fonts:
                workshop = replace(workshop, templates=last.workshop.templates)  # already compiled
        problems = Problems()
        warnings = [*workshop.warnings]
        albums: list[Album] = []
        for lang, paper in product(request.langs, request.papers):
            with problems.collect_errors():
                album, left_out = draw_album(workshop, request, lang, paper, keys, renderers.get((lang, paper)))
                warnings += left_out
                albums.append(album)
        problems.raise_if_any()
        return tuple(albums), tuple(dict.fromkeys(warnings))


def _pictures(albums: Sequence[Album]) -> dict[tuple[str, str], str]:
    """The key of each picture by album and name."""
    return {(album.id, shot.name): shot.key for album in albums for shot in album.shots}


def _list_names(keys: Iterable[tuple[str, str]]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(name for _, name in keys))
