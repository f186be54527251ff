"""Looks of the page: pictures of faces, and descriptions of pieces."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from threading import Lock
from typing import Any, NamedTuple

from ppgen.engine.drawing.face import Face, FaceRequest
from ppgen.engine.drawing.fonts import FontBook
from ppgen.engine.geometry import INCH, Rect, Size
from ppgen.engine.pdf.typesetting import faces_pdf
from ppgen.engine.pictures.face_pictures import page_webp
from ppgen.engine.pictures.picture_embedding import embed_in_document
from ppgen.errors import InputError, Problem
from ppgen.pages.local_server import JobRunner
from ppgen.pages.open.album import Album, AlbumState, Redrawer
from ppgen.printing.request import parse_filter
from ppgen.records import asdict, dataclass, field, replace
from ppgen.review.set_comparison import NO_CELLS, face_digest, format_cell
from ppgen.targets.piece_pictures import NamedPiece

# --- Pictures ---
# WebP pictures of faces and pages, each rendered once.

MAX_PICTURE_PIXELS = 50_000_000  # larger ones would take all memory, and no screen could show them

PICTURE_DPI = 300.0  # resolution of a deck's pictures on the page: they are enlarged beyond it


def with_bleed(key: str) -> str:
    """Return the key of the picture of a face with the bleed around it."""
    return f"{key}-0"


@dataclass(frozen=True, slots=True, kw_only=True)
class PictureSource:
    """A PDF page to make pictures of: ``size`` in mm of the visible part, inside the ``inset``."""

    key: str
    size: Size
    document: bytes = field(repr=False)
    page: int
    inset: float = 0.0

    @property
    def area(self) -> Rect:
        """The visible part, in shares of the page."""
        width, height = self.size.width + 2 * self.inset, self.size.height + 2 * self.inset
        return Rect(self.inset / width, self.inset / height, self.size.width / width, self.size.height / height)


class PictureRenderer:
    """Renders pictures and caches them and their sources by key. Thread-safe."""

    def __init__(self) -> None:
        self._lock = Lock()
        self._sources: dict[str, PictureSource] = {}
        self._pictures: dict[str, dict[float, bytes]] = {}
        self._round = 0
        self._used: dict[str, int] = {}

    def add_faces(self, faces: Iterable[Face], fonts: FontBook) -> None:
        """Add the sources of new faces: many at once are typeset much faster than one by one."""
        keys = {face: face_digest(face) for face in faces}
        new = [face for face, key in keys.items() if key not in self._sources]
        documents = ((batch, embed_in_document(document, batch, PICTURE_DPI))
                     for batch, document in faces_pdf(new, fonts))
        sources = [PictureSource(key=keys[face], size=face.size, document=document, page=page, inset=face.bleed)
                   for batch, document in documents for page, face in enumerate(batch)]
        for source in sources:
            self.add(source)
            self.add(replace(source, key=with_bleed(source.key), inset=0.0,
                             size=Size(source.size.width + 2 * source.inset, source.size.height + 2 * source.inset)))
        with self._lock:
            self._used.update((key, self._round) for face in keys.values() for key in (face, with_bleed(face)))

    def add(self, source: PictureSource) -> None:
        with self._lock:
            self._sources[source.key] = source
            self._used[source.key] = self._round

    def size(self, key: str) -> Size | None:
        """Return the size of a picture in mm; None for an unknown key."""
        with self._lock:
            return self._sources[key].size if key in self._sources else None

    def picture(self, key: str, dpi: float) -> bytes:
        """Return the WebP of a source. Raises KeyError for an unknown key."""
        with self._lock:
            source = self._sources[key]
            self._used[key] = self._round
            pictures = self._pictures.setdefault(key, {})
            if dpi in pictures:
                return pictures[dpi]
        picture = page_webp(source.document, source.page, dpi, source.area)
        with self._lock:
            pictures[dpi] = picture
        return picture

    def end_round(self) -> None:
        """End a round: evict what was used neither in it nor in the one before."""
        with self._lock:
            for key in [key for key, used in self._used.items() if used < self._round - 1]:
                del self._used[key]
                self._sources.pop(key, None)
                self._pictures.pop(key, None)
            self._round += 1


# --- Looks ---
Document = dict[str, Any]  # a JSON object
DPIS = (96, 192, 384)  # resolutions of pictures; the page chooses by screen and zoom
MAX_VIEWS = 4  # looks other than the first that are kept at once
NO_CHOICES: Mapping[str, Sequence[str]] = {}
Translate = Callable[[str], str | None]  # returns a message in the user's language; None if it has no translation

_DRAWN_BY = re.compile(r"; drawn by (\S+)$|^drawn by (\S+)$")
_ID = re.compile(r"\[([\w-]+) (?:front|back)\b")


@dataclass(frozen=True, slots=True)
class PageView:
    """The look that a page shows: its values are from the lists of the set."""

    lang: str = ""
    ink: str = ""
    skin: str = ""
    size: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Workbench:
    """The command's share of the page: its choices (the first is the default), other looks, jobs, states."""

    choices: Callable[[], Mapping[str, Sequence[str]]] = lambda: NO_CHOICES
    redrawer: Callable[[PageView], Redrawer] | None = None
    states: Callable[[PageView], Mapping[str, Sequence[str]]] = lambda view: {}
    jobs: JobRunner | None = None
    folder: Path | None = None  # the folder of the deck, whose cells may be changed
    follow: Path | None = None  # another folder, in which new versions of its tables land
    leave: Callable[[], None] | None = None  # leads back to the page to start from, if that was before this one
    words: Mapping[str, str] = field(default_factory=dict)  # of the page, in the user's language, which is `lang`
    translate: Translate = lambda text: None


def dpis_for(size: Size) -> tuple[int, ...]:
    """Return the available resolutions of a picture of that size in mm."""
    return tuple(dpi for dpi in DPIS if size.width * size.height * (dpi / INCH) ** 2 <= MAX_PICTURE_PIXELS) or (36,)


# --- A look as JSON ---

def describe_look(album: Album | None) -> Document:
    """Describe an album for the page: its sections with their pieces, and the row of each."""
    if album is None:
        return {"sections": []}
    rows = {str(row["id"]): row for row in album.run.workshop.game.describe()}
    requests = album.requests
    return {"title": album.title, "facts": album.facts, "lang": album.run.texts.lang, "sections": [
        {"name": section.name, "title": section.title or section.name, "large": section.large,
         "pieces": [_describe_piece(piece, rows.get(piece.component.id, {}), requests) for piece in section.pieces]}
        for section in album.sections]}


def places_of(state: AlbumState) -> frozenset[str]:
    """The files of the rows of a state's pieces."""
    return frozenset(piece["place"] for album in state.albums for section in describe_look(album)["sections"]
                     for piece in section["pieces"] if piece["place"])


def _describe_piece(piece: NamedPiece, row: Mapping[str, object],
                    requests: Mapping[int, tuple[FaceRequest, float]]) -> Document:
    origins = requests[id(piece.front.face)][0].origins.values() if id(piece.front.face) in requests else ()
    spot = next((spot for spot in origins if spot.line), None)
    return {"id": piece.component.id, "title": piece.component.title or piece.component.id,
            "told": piece.component.description,
            "copies": piece.component.copies, "front": describe_face(piece.front.face),
            "back": describe_face(piece.back.face) if piece.back else None,
            "place": spot.place if spot else "", "line": spot.line if spot else 0,
            "cells": {name: format_cell(cell) for name, cell in row.items() if name not in NO_CELLS}}


def describe_face(face: Face) -> Document:
    """Describe the picture of a face for the page."""
    return {"key": face_digest(face), "width": face.size.width, "height": face.size.height, "bleed": face.bleed,
            "dpis": dpis_for(face.size)}


def group_problems(problems: Iterable[Problem], level: str) -> list[Document]:
    """Group problems by their cause: the line of a template that drew them, else the line of the file."""
    groups: dict[str, list[Document]] = {}
    for problem in problems:
        place = f"{problem.place}:{problem.line}" if problem.line else problem.place
        drawn = _DRAWN_BY.search(problem.remedy)
        cause = (drawn[1] or drawn[2]) if drawn else place
        ids = [id for key in (problem.key, *problem.others) for id in _ID.findall(key)]
        groups.setdefault(cause, []).append(
            {"place": place if drawn else "", "key": problem.key, "what": problem.what, "ids": ids,
             "remedy": _DRAWN_BY.sub("", problem.remedy), "more": problem.more})
    return [{"cause": cause, "level": level, "entries": entries} for cause, entries in groups.items()]


def localize(entries: Sequence[Document], translate: Translate) -> None:
    """Put problems into the user's language: all of them, or none if one has no translation."""
    said = [{name: each[name] and translate(each[name]) for name in ("what", "remedy")} for each in entries]
    if not any(None in each.values() for each in said):
        for entry, texts in zip(entries, said, strict=True):
            entry.update(texts)


def describe_problems(translate: Translate, errors: Iterable[Problem],
                      warnings: Iterable[Problem] = ()) -> list[Document]:
    """Group problems by their cause, in the user's language as far as :func:`localize` can."""
    groups = [*group_problems(errors, "error"), *group_problems(warnings, "warning")]
    localize([entry for group in groups for entry in group["entries"]], translate)
    return groups


# --- Looks ---

class Look(NamedTuple):
    """A look with the number of the state that it was drawn from, and its album, if there is one."""

    number: int
    state: AlbumState
    album: Album | None


class FaceOfPiece(NamedTuple):
    """A face of an album: its request and bleed, and its name in messages."""

    album: Album
    request: FaceRequest
    bleed: float
    name: str


class Looks:
    """The first look, which each save replaces, and a few others."""

    def __init__(self, bench: Workbench, renderer: PictureRenderer) -> None:
        self._bench, self._renderer = bench, renderer
        self.drawing = Lock()
        """One request at a time draws another look, lays out pages or compares with the print."""
        self.state, self.number = AlbumState(), 0
        self.choices = NO_CHOICES
        self._views: dict[PageView, tuple[int, AlbumState, Redrawer]] = {}
        self._states: dict[PageView, tuple[int, Mapping[str, Sequence[str]]]] = {}

    def replace_first(self, state: AlbumState) -> None:
        """Replace the first look."""
        self._add_pictures(state)
        if state.albums and not state.problems:
            self._renderer.end_round()
        self.read_anew()
        self.state, self.number = state, self.number + 1

    def read_anew(self) -> None:
        """Read the choices, which change with the deck and its printers, and compare with the print again."""
        self.choices = self._bench.choices()
        self._states.clear()

    def _add_pictures(self, state: AlbumState) -> None:
        if state.albums:
            self._renderer.add_faces((named.face for album in state.albums for named in album.faces),
                                     state.albums[0].run.workshop.fonts)

    def parse_view(self, wish: Mapping[str, str]) -> PageView | None:
        """Return the look that a page requests, or None for a value that is not among the choices."""
        choices = self.choices
        values = {name: wish.get(name) or (choices[name][0] if choices.get(name) else "")
                  for name in ("lang", "ink", "skin", "size")}
        if any(values[name] not in choices.get(name, ("",)) for name in values):
            return None
        return PageView(**values)

    def find(self, view: PageView) -> Look:
        """Return a look, drawn if it is another than the first."""
        number, state, choices = self.number, self.state, self.choices
        first = all(value == choices[name][0] for name, value in asdict(view).items()
                    if name != "lang" and choices.get(name))
        albums = {album.run.texts.lang: album for album in reversed(state.albums)}
        if first and (not albums or view.lang in albums or not view.lang or not self._bench.redrawer):
            return Look(number, state, albums.get(view.lang, next(iter(state.albums), None)))
        if self._bench.redrawer is None:
            return Look(number, state, None)
        with self.drawing:
            drawn, other, redrawer = self._views.pop(view, (-1, AlbumState(), None))
            redrawer = redrawer or self._bench.redrawer(view)
            if drawn != number:
                try:
                    other = redrawer.refresh()
                except InputError as error:
                    other = AlbumState(problems=error.problems)
                self._add_pictures(other)
            self._views[view] = number, other, redrawer
            while len(self._views) > MAX_VIEWS:
                del self._views[next(iter(self._views))]
        return Look(number, other, next(iter(other.albums), None))

    def find_face(self, view: PageView, wish: Mapping[str, str]) -> FaceOfPiece | None:
        """Find the ``side`` of the piece with the ``id`` that a page requests."""
        album = self.find(view).album
        piece = next((piece for piece in album.pieces if piece.component.id == wish.get("id")), None) if album else None
        if album is None or piece is None:
            return None
        named = piece.back if wish.get("side") == "back" else piece.front
        key = album.requests.get(id(named.face)) if named else None
        return FaceOfPiece(album, *key, named.label) if named and key else None

    def marks(self, view: PageView, wish: Mapping[str, str]) -> Document | None:
        """The drawing of a face with the template line of each element; the page takes only the boxes from it."""
        side = self.find_face(view, wish)
        if side is None:
            return None
        renderer = side.album.renderer
        with self.drawing:
            try:
                face = replace(renderer, marked=True).draw(side.request, side.bleed, side.name)
            except InputError:  # the template has changed meanwhile
                return None
        names = sorted(set(re.findall(r' data-src="([^"]*)"', face.svg)))
        places = {name: renderer.templates.place(name) for name in names}
        return {"svg": face.svg, "places": {name: f"{place}:{line}" if line else place
                                            for name, (place, line) in places.items()}}

    def states(self, view: PageView) -> Mapping[str, Sequence[str]]:
        """The ids of the pieces that are new or changed since the print."""
        with self.drawing:
            number, states = self._states.get(view, (-1, {}))
            if number != self.number:
                number = self.number
                try:
                    states = self._bench.states(view)
                except Exception:  # the look has it, or nothing is remembered as printed
                    states = {}
                self._states[view] = number, states
            return states

    def select(self, view: PageView, wish: Mapping[str, str]) -> Document:
        """The ids of the pieces that match a filter, or what is wrong with it."""
        look = self.find(view)
        try:
            expression = parse_filter(wish.get("where", ""))
            problems = (*look.state.problems, *look.state.warnings)
            wrong = {id for problem in problems for key in (problem.key, *problem.others) for id in _ID.findall(key)}
            states = {"wrong": wrong, **(self.states(view) if expression.needs_states else {})}
            rows = look.album.run.workshop.game.describe() if look.album else []
            return {"ids": expression.select(rows, states)}
        except ValueError as error:
            return {"error": self.translate(str(error))}
        except InputError as error:
            what, remedy = map(self.translate, (error.problems[0].what, error.problems[0].remedy))
            return {"error": f"{what} ({remedy})" if remedy else what}

    def translate(self, message: str) -> str:
        """Return a message in the user's language, if it has a translation."""
        return self._bench.translate(message) or message

    def describe_problems(self, errors: Iterable[Problem], warnings: Iterable[Problem] = ()) -> list[Document]:
        """Group problems for the page, in the user's language."""
        return describe_problems(self._bench.translate, errors, warnings)
