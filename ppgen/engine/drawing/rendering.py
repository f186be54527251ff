"""Rendering of face requests into checked faces, also to scale, as line drawings and for the night."""

from __future__ import annotations

import json
import pickle
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cached_property, lru_cache
from importlib import import_module
from typing import Any, TypeVar

from ppgen.cache import cache_key, current_store, folder_digest
from ppgen.engine.drawing.face import Anchor, Face, FaceRequest, FrameOfFace
from ppgen.engine.drawing.fonts import FontBook
from ppgen.engine.drawing.lettering import Lettering
from ppgen.engine.drawing.svg_check import check_svg, count_sheets, whole_sheets
from ppgen.engine.drawing.templates import SHARED, TemplateSet, TooMuchWorkError
from ppgen.engine.geometry import Insets, Rect, Seams, Size
from ppgen.engine.pictures.picture_files import CARRIED_ON, PictureFolder
from ppgen.engine.shapes import Outline, Shape, ShapeKind, grow_outline, rings_svg
from ppgen.engine.svg.elements import svg_element
from ppgen.errors import InputError, Phrase, Problems
from ppgen.process.supervision import (DAMAGED, LARGE, SLOW, Options, OverrunError, Shared, UnitTimeout, own_bounds,
                                       pack_problem, run_supervised, shared_content, unpack_problem)
from ppgen.reading.texts import Texts
from ppgen.records import asdict, dataclass, replace

# --- Scale ---
# Faces in another size than the one that they are drawn in. They are scaled in proportion, to the middle of the trim.
# If that leaves room at two sides, the edges of the drawing are carried on there: a strip along each, without words, is
# mirrored and stretched. So a ground of one colour stays one, bars and stripes that run off the card still do, and no
# word appears twice.

MIN_ROOM_MM = 0.5  # less room at a side is filled by a wider bleed
STRIP_MM = 0.5  # width of the strip that is carried on, in mm of the drawing
OVERLAP_MM = 0.1  # width by which the strips lie over the drawing, lest a hairline shows between them
_VIEW_BOX = re.compile(r'viewBox="[^"]*"')
_WORDS = re.compile(r"<defs\b.*?</defs>|<text\b[^<>]*/>|<text\b.*?</text>", re.DOTALL)


def frame_to_draw(request: FaceRequest, bleed: float, outline: str) -> FrameOfFace:
    """Return the drawing area of a template; ``bleed`` is that of the finished face."""
    size, room = request.drawn_size or request.size, max(_room(request))
    return FrameOfFace(width=size.width, height=size.height, outline=outline, small=request.small,
                       bleed=(bleed + (room if room < MIN_ROOM_MM else 0)) / request.scale)


def scale_drawing(svg: str, anchors: Mapping[str, Anchor], request: FaceRequest, bleed: float
                  ) -> tuple[str, Mapping[str, Anchor]]:
    """Scale a drawing and its anchors from the drawn size to the size of the face."""
    if request.drawn_size in (None, request.size):
        return svg, anchors
    scale, (x, y) = request.scale, _room(request)
    view_box = FrameOfFace(width=request.size.width, height=request.size.height, bleed=bleed).view_box
    root, body = svg.removesuffix("</svg>").split(">", 1)
    root = _VIEW_BOX.sub(f'viewBox="{view_box}"', root, count=1)
    moved = {name: replace(anchor, x=anchor.x * scale + x, y=anchor.y * scale + y) for name, anchor in anchors.items()}
    drawn = f'<g transform="{_matrix(scale, scale, x, y)}">{body}</g>'
    return f"{root}>{drawn}{_carry_on(body, request, bleed)}</svg>", moved


def _room(request: FaceRequest) -> tuple[float, float]:
    """The room in mm that the scaled drawing leaves at each side, and above and below."""
    drawn, size, scale = request.drawn_size or request.size, request.size, request.scale
    return (size.width - drawn.width * scale) / 2, (size.height - drawn.height * scale) / 2


def _carry_on(body: str, request: FaceRequest, bleed: float) -> str:
    """The strips along two edges of the drawing, mirrored and stretched to the bleed."""
    size, drawn, scale, (x, y) = request.size, request.drawn_size or request.size, request.scale, _room(request)
    if max(x, y) < MIN_ROOM_MM:
        return ""
    width, inset = max(x, y) + OVERLAP_MM + bleed, OVERLAP_MM / scale
    stretch = width / STRIP_MM
    whole = Rect(0, 0, size.width, size.height).grown(Insets.all(bleed))
    if x > y:
        near, far = x + OVERLAP_MM + stretch * inset, size.width - x - OVERLAP_MM + stretch * (drawn.width - inset)
        bands = {_matrix(-stretch, scale, near, y): replace(whole, width=width),
                 _matrix(-stretch, scale, far, y): replace(whole, x=whole.right - width, width=width)}
    else:
        near, far = y + OVERLAP_MM + stretch * inset, size.height - y - OVERLAP_MM + stretch * (drawn.height - inset)
        bands = {_matrix(scale, -stretch, x, near): replace(whole, height=width),
                 _matrix(scale, -stretch, x, far): replace(whole, y=whole.bottom - width, height=width)}
    name = "carried-on"
    while f'"{name}' in body:
        name += "-"
    strips = f'<defs><g id="{name}" {CARRIED_ON}="1">{_WORDS.sub("", body)}</g></defs>'
    for number, (matrix, strip) in enumerate(bands.items()):
        shape = svg_element("rect", x=f"{strip.x:.4f}", y=f"{strip.y:.4f}", width=f"{strip.width:.4f}",
                            height=f"{strip.height:.4f}")
        # isolated: what is under a ground of the drawing would shine through along the edge of the clip
        strips += (f'<clipPath id="{name}-{number}">{shape}</clipPath><g clip-path="url(#{name}-{number})" '
                   f'style="isolation:isolate"><use href="#{name}" transform="{matrix}"/></g>')
    return strips


def _matrix(across: float, down: float, x: float, y: float) -> str:
    return f"matrix({across:.6f} 0 0 {down:.6f} {x:.4f} {y:.4f})"


# --- Rendering ---

TextsUsed = Mapping[str, Iterable[str]]  # texts that a template used, by key: each as it came out, filled in
OUTLINE = "#3B2A1E"  # the umber of lines and letters on faces in full colour
MAX_OVERRUNS = 3  # faces of a template that may take too much time or memory; after them the others are not tried
MAX_BATCH = 32
"""Faces that the supervised child draws at once. Where the two processes take turns at each face, both find the
processor's caches full of the other's data, which costs a seventh of the time."""
MAX_KEPT = 8  # renderers, sets of templates and folders of pictures that the supervised child remembers
Kept = TypeVar("Kept")
_Asked = tuple[FaceRequest, float, str]  # a face to draw, its bleed, and its name in messages


class _Row:
    """Faces of a template that are drawn one after another, and what the child has answered ahead, by request."""

    def __init__(self) -> None:
        self.faces: list[_Asked] = []
        self.places: dict[FaceRequest, int] = {}
        self.answers: dict[FaceRequest, Mapping[str, Any]] = {}
        self.size = 1  # of the next batch; 1 again after a face that is in the cache: others may be there, too

    def add(self, face: _Asked) -> None:
        self.places[face[0]] = len(self.faces)
        self.faces.append(face)

    def following(self, face: _Asked) -> list[_Asked]:
        """The faces of a batch after its first one; each batch is twice as large as the last."""
        start, size = self.places.get(face[0], len(self.faces)), self.size
        self.size = min(2 * size, MAX_BATCH)
        return self.faces[start + 1:start + size]


@dataclass(frozen=True, kw_only=True)
class FaceRenderer:
    """Draws faces."""

    templates: TemplateSet
    fonts: FontBook
    ink: str
    common: Mapping[str, object]  # values that every template gets
    marked: bool = False  # keeps the template lines that drew them (`data-src`): for checks and previews only
    pictures: PictureFolder | None = None  # those of a deck

    def draw(self, request: FaceRequest, bleed: float, subject: str) -> Face:
        """Draw one face: checked SVG of the trim with its bleed; messages name its ``subject``. Raises InputError."""
        renderer = self._shared if request.template.startswith(SHARED) and self._shared else self
        if renderer.templates.are_ours and not request.worded:
            renderer = renderer._wordless
        try:
            return renderer._find_or_draw(request, bleed, subject)
        except InputError as error:
            raise InputError(map(request.trace, error.problems)) from error

    @cached_property
    def _shared(self) -> FaceRenderer | None:
        templates = None if self.templates.are_ours else self.templates.shared
        return replace(self, templates=templates) if templates else None

    @cached_property
    def _wordless(self) -> FaceRenderer:
        return replace(self, common={name: value for name, value in self.common.items() if name != "t"})

    def _find_or_draw(self, request: FaceRequest, bleed: float, subject: str) -> Face:
        if face := self._find_alike(request, bleed):
            return face
        store = None if self.templates.recorder else current_store()
        shelf = (self._common_key if store else None) or ""
        key = cache_key("face", shelf, request, bleed) if shelf else None
        if store and key and (content := store.find(key, shelf)):
            fields, used, digests, styles, names = load_face(content)
            pictures = self.pictures.find_all(digests) if self.pictures and digests else {}
            if pictures is not None:  # else one of them has changed
                if row := self._rows.get((request.template, bleed)):
                    row.size = 1
                self._record_use(used)
                self.fonts.recall(styles)
                face = Face(size=request.size, bleed=bleed, pictures=pictures, **fields)
                return self._remember(request, bleed, face, names)
        self.fonts.used_styles.clear()
        if self.templates.are_ours:
            face, used = self.draw_here(request, bleed, subject)
            content = dump_face(face, used, self.fonts.used_styles) if store and key else b""
        else:
            face, content = self._draw_supervised(request, bleed, subject)
        if store and key:
            store.keep(key, content, shelf)
        return face

    def _find_alike(self, request: FaceRequest, bleed: float) -> Face | None:
        """Return the last face of the template if that read no value that differs now: a back of no card's own."""
        last, names, face = self._last_faces.get((request.template, bleed), (request, None, None))
        same = face and names is not None and all(  # 1, 1.0 and True differ
            repr(last.values.get(name)) == repr(request.values.get(name)) for name in names) and (
            replace(last, values=request.values, key=request.key) == request)
        return face if same else None

    def _remember(self, request: FaceRequest, bleed: float, face: Face, names: Sequence[str] | None) -> Face:
        if not self.templates.recorder:
            self._last_faces[request.template, bleed] = request, names, face
        return face

    def _draw_supervised(self, request: FaceRequest, bleed: float, subject: str) -> tuple[Face, bytes]:
        templates = self.templates
        overruns = templates.overruns.setdefault(request.template, [])
        if len(overruns) >= MAX_OVERRUNS:
            raise InputError([replace(overruns[0], key=subject)])
        try:
            row = self._rows.get((request.template, bleed)) or _Row()
            answer = row.answers.pop(request, None) or self._draw_batch(row, (request, bleed, subject))
        except OverrunError as error:
            if error.cause == DAMAGED:
                raise RuntimeError(error.detail) from error
            answer = {"problems": [pack_problem(templates.overrun(request.template, subject, error))], "is_over": True}
        self._record_use(answer.get("used", {}))
        if templates.recorder:
            templates.recorder.load(answer.get("calls", ()))
        if "face" in answer:
            content = answer["face"].encode()
            fields, _, digests, styles, names = load_face(content)
            self.fonts.recall(styles)
            if self.pictures:
                self.pictures.news |= answer["news"]
            pictures = self.pictures.find_drawn(digests) if self.pictures and digests else {}
            if pictures is not None:
                face = Face(size=request.size, bleed=bleed, pictures=pictures, **fields)
                return self._remember(request, bleed, face, names), content
            place, _ = templates.place(f"{request.template}:0")
            raise InputError.at(place, "shows a picture that has changed since", Phrase("save_again"), key=subject)
        problems = [*map(unpack_problem, answer["problems"])]
        overruns += problems[:answer["is_over"]]
        raise InputError(problems)

    def expect(self, faces: Iterable[_Asked]) -> None:
        """Say which faces are drawn next, in their order: the supervised child draws several at once."""
        self._rows.clear()
        for face in () if self.templates.are_ours else faces:  # this process draws ours
            self._rows.setdefault((face[0].template, face[1]), _Row()).add(face)

    def _draw_batch(self, row: _Row, face: _Asked) -> Mapping[str, Any]:
        """Have a face drawn, and some that follow it in its row. Raises OverrunError."""
        more = row.following(face)
        try:
            answers = self._ask_for([face, *more])
        except OverrunError:
            if not more:
                raise
            row.faces.clear()  # one of them ends the child: each by itself
            answers = self._ask_for([face])
        row.answers.update(zip((request for request, _, _ in more), answers[1:], strict=False))
        return answers[0]

    def _ask_for(self, batch: Sequence[_Asked]) -> Sequence[Mapping[str, Any]]:
        answers: Sequence[Mapping[str, Any]] = run_supervised(
            draw_faces, pickle.dumps(batch), {}, self._packed, max(_face_units(*face[:2]) for face in batch))
        return answers

    @cached_property
    def _rows(self) -> dict[tuple[str, float], _Row]:
        """Faces that are drawn next, by template and bleed."""
        return {}

    @cached_property
    def _last_faces(self) -> dict[tuple[str, float], tuple[FaceRequest, Sequence[str] | None, Face]]:
        """By template and bleed: a request, the names that the template looked up, if known, and its face."""
        return {}

    @cached_property
    def _packed(self) -> Shared:
        """All that its faces have in common, for the supervised child; its templates and pictures are kept there."""
        for module in ("PIL.Image", "uharfbuzz", "decimal", "subprocess", "ppgen.engine.pdf.typesetting"):
            import_module(module)  # both processes need them: before the child is forked
        templates, folder = self.templates, self.pictures
        return Shared(pickle.dumps((
            (templates.number, templates.folders, templates.shipped, templates.suffixes, dict(templates.made),
             bool(templates.recorder)), folder and (folder.number, folder.root, folder.keeps_gaps),
            {"fonts": replace(self.fonts, missing=set()), "ink": self.ink, "common": self.common,
             "marked": self.marked})))

    def draw_here(self, request: FaceRequest, bleed: float, subject: str) -> tuple[Face, TextsUsed]:
        """Draw a face in this process; return it with the texts that its template used. Raises InputError."""
        texts = self.common.get("t")
        own = replace(texts, used={}) if isinstance(texts, Texts) else None
        try:
            face = self._render(request, bleed, {**self.common, **({"t": own} if own else {})}, subject)
        finally:
            self._record_use(own.used if own else {})
        return face, own.used if own else {}

    def _render(self, request: FaceRequest, bleed: float, common: Mapping[str, object], subject: str) -> Face:
        shape = replace(request.shape, radius=request.shape.radius / request.scale)
        frame = frame_to_draw(request, bleed, _outline(shape, request.drawn_size or request.size))
        values = {**common, **request.values, "face": frame, "ink": self.ink}
        from ppgen.engine.drawing.face_tools import FaceTools  # slow import: faces from the cache need none

        tools = FaceTools(frame=frame, ink=self.ink, lettering=Lettering(fonts=self.fonts), pictures=self.pictures)
        if self.templates.recorder:
            tools.report = self.templates.recorder.mark
        sheets, problems, svg = count_sheets(frame.view_box), Problems(), None
        try:
            svg = self.templates.render(request.template, values, subject, sheets, tools.functions)
        except TooMuchWorkError:
            raise
        except InputError as error:
            problems += error.problems
        for (source, what), remedy in tools.faults.items():
            place, line = self.templates.place(source)
            problems.note(place, what, remedy, line=line, key=subject)
        if svg is None:
            raise InputError(problems)
        checked, violations = check_svg(
            tools.finish(svg), frame.view_box, self.marked, self.templates.are_ours,
            [picture.digest for picture in tools.used.values()], tools.lettering.judged)
        for violation in violations:
            place, line = self.templates.place(violation.place or f"{request.template}:0")
            problems.append(replace(violation, place=place, line=line, key=subject))
        if checked is None or problems:
            raise InputError(problems)
        text, anchors = scale_drawing(checked.text, checked.anchors, request, bleed)
        if self.ink == "low":
            text = text.replace(OUTLINE, "#000000")  # printers screen any other dark colour
        if not request.uncut and request.shape.kind is not ShapeKind.RECTANGLE:
            text = _clip(text, request.shape.outline(request.size), bleed)
        return Face(svg=text, size=request.size, bleed=bleed, edge=checked.edge, anchors=anchors, seams=checked.seams,
                    markup=checked.markup, pictures=tools.used, cuts=tools.cuts)

    def _record_use(self, used: TextsUsed) -> None:
        if isinstance(texts := self.common.get("t"), Texts):
            for key, outputs in used.items():
                texts.used.setdefault(key, set()).update(outputs)

    @cached_property
    def _common_key(self) -> str | None:
        """Cache key of what all its faces share: templates, whether they are shipped, fonts, texts and other values."""
        digests = self.templates.digest, folder_digest(self.fonts.folder)
        return cache_key("ground", digests, self.templates.are_ours, self.fonts, self.ink, self.marked,
                         self.common) if all(digests) else None


# Faces in the supervised child: requests come pickled, faces go back as JSON

def draw_faces(content: bytes, options: Options) -> Sequence[Mapping[str, Any]]:
    """Draw faces, each within bounds of its own, up to one that exceeds them."""
    renderer, answers = _load_renderer(shared_content(options)), list[Mapping[str, Any]]()
    for request, bleed, subject in pickle.loads(content):
        with own_bounds(_face_units(request, bleed)):
            answers.append(_draw_face(renderer, request, bleed, subject))
        if answers[-1]["is_over"]:
            break
    return answers


def _draw_face(renderer: FaceRenderer, request: FaceRequest, bleed: float, subject: str) -> Mapping[str, Any]:
    """Draw a face; return it or its problems, with all that drawing noted."""
    texts, recorder = renderer.common.get("t"), renderer.templates.recorder
    used = texts.used if isinstance(texts, Texts) else {}
    used.clear()
    renderer.fonts.used_styles.clear()
    answer: dict[str, Any] = {"is_over": False, "news": {}}
    try:
        face, own = renderer.draw_here(request, bleed, subject)
        names = sorted(renderer.templates.names_read)
        answer["face"] = dump_face(face, own, renderer.fonts.used_styles, names).decode()
        if renderer.pictures:
            answer["news"], renderer.pictures.news = renderer.pictures.news, {}
    except InputError as error:
        answer |= {"problems": [*map(pack_problem, error.problems)], "is_over": isinstance(error, TooMuchWorkError)}
    except (UnitTimeout, MemoryError) as error:
        cause = OverrunError(SLOW if isinstance(error, UnitTimeout) else LARGE, times=_face_units(request, bleed))
        problem = renderer.templates.overrun(request.template, subject, cause)
        answer |= {"problems": [pack_problem(problem)], "is_over": True}
    calls = [asdict(call) for call in recorder.calls] if recorder else []
    return {**answer, "used": {key: sorted(outputs) for key, outputs in used.items()}, "calls": calls}


def _face_units(request: FaceRequest, bleed: float) -> int:
    """The time and memory that a face may take, in those of a card: more if it is larger than A4."""
    return whole_sheets(count_sheets(frame_to_draw(request, bleed, "").view_box))


@lru_cache(maxsize=MAX_KEPT)
def _load_renderer(packed: bytes) -> FaceRenderer:
    (number, folders, shipped, suffixes, made, records), folder, fields = pickle.loads(packed)

    def open_templates() -> TemplateSet:
        recorder = None
        if records:
            from ppgen.engine.drawing.template_calls import Recorder

            recorder = Recorder()
        return TemplateSet(folders, shipped, suffixes, made, recorder)

    return FaceRenderer(templates=_keep(_templates, number, open_templates), **fields,
                        pictures=folder and _keep(_pictures, folder[0], lambda: PictureFolder(*folder[1:])))


def _keep(kept: dict[int, Kept], number: int, make: Callable[[], Kept]) -> Kept:
    """Return what was made for a number before, or make it."""
    if number not in kept:
        for old in [*kept][:1 - MAX_KEPT]:
            del kept[old]
        kept[number] = make()
    return kept[number]


_templates: dict[int, TemplateSet] = {}
_pictures: dict[int, PictureFolder] = {}


@lru_cache(maxsize=100)
def _outline(shape: Shape, size: Size) -> str:
    return shape.outline(size).svg


def _clip(svg: str, outline: Outline, bleed: float) -> str:
    path = rings_svg(grow_outline(outline, bleed)) if bleed else outline.svg
    root, body = svg.removesuffix("</svg>").split(">", 1)
    name = "cut-out"
    while f'"{name}"' in svg:
        name += "-"
    return f'{root}><clipPath id="{name}"><path d="{path}"/></clipPath><g clip-path="url(#{name})">{body}</g></svg>'


# --- Faces in the cache ---

def dump_face(face: Face, used: TextsUsed, styles: Iterable[str], names: Sequence[str] | None = None) -> bytes:
    """Serialize a face without size and bleed, its texts, derived styles and the ``names`` that its template looked up,
    if known: a line of JSON, then the SVG."""
    header = json.dumps({
        "edge": face.edge, "seams": [face.seams.x, face.seams.y],
        "anchors": {name: [each.x, each.y, each.turn] for name, each in face.anchors.items()},
        "markup": face.markup, "pictures": {name: picture.digest for name, picture in face.pictures.items()},
        "cuts": dict(face.cuts),
        "used": {key: sorted(outputs) for key, outputs in used.items()}, "styles": sorted(styles), "names": names})
    return f"{header}\n{face.svg}".encode()


def load_face(content: bytes) -> tuple[dict[str, Any], TextsUsed, Mapping[str, str], Iterable[str],
                                       Sequence[str] | None]:
    """Return the fields of a serialized face, its texts, the digests of its pictures by name, derived styles, and the
    names that its template looked up, if known."""
    header, _, svg = content.decode().partition("\n")
    about = json.loads(header)
    return {"svg": svg, "edge": about["edge"], "seams": Seams(*map(tuple, about["seams"])),
            "anchors": {name: Anchor(*numbers) for name, numbers in about["anchors"].items()},
            "markup": tuple(map(tuple, about["markup"])), "cuts": about["cuts"],
            }, about["used"], about["pictures"], about["styles"], about["names"]
