"""Rendering of face requests into checked faces, also to scale, as line drawings and for the night."""

from __future__ import annotations

import json
import pickle
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from copy import deepcopy
from functools import cached_property, lru_cache
from importlib import import_module
from typing import Any, TypeVar

from lxml import etree

from ppgen.cache import cache_key, current_store, folder_digest
from ppgen.engine.colours import contrast, legible_ink, mix_colours
from ppgen.engine.drawing.face import Anchor, Face, FaceRequest, FrameOfFace
from ppgen.engine.drawing.fonts import FontBook
from ppgen.engine.drawing.lettering import Lettering
from ppgen.engine.drawing.ornament import band, diaper, draw_qr_code, drift_scale, lozenge_pattern, ruler
from ppgen.engine.drawing.svg_check import check_svg, count_sheets, whole_sheets
from ppgen.engine.drawing.templates import SHARED, TemplateSet, TooMuchWorkError
from ppgen.engine.geometry import Insets, Rect, Seams, Size
from ppgen.engine.pictures.picture_files import CARRIED_ON, PictureFolder
from ppgen.engine.shapes import Outline, Shape, ShapeKind, grow_outline, parse_chains, rings_svg
from ppgen.engine.svg.elements import REMOVED, parse_fragment, parse_transform, svg_element, write_fragment
from ppgen.errors import BadText, InputError, Phrase, Problem, Problems
from ppgen.process.supervision import (DAMAGED, LARGE, SLOW, Options, OverrunError, Shared, UnitTimeout, pack_problem,
                                       run_supervised, shared_content, unpack_problem)
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
MAX_REDRAWN = 500  # drawings that a function redraws once in a run, some 20 MB: those of a game in all its looks
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


# --- Line drawings ---
# Line drawings for low ink. Apart from :mod:`ppgen.engine.drawing.woodcut`, which few templates need.

LARGE_AREA = 3.0  # square units of a dark area above which a drawing of thin lines outlines it
DARK_CONTRAST, LIGHT_CONTRAST = 9.5, 2.4  # contrasts to white: darker areas are ink, lighter lines are paint
_SHADE = ("fill-opacity", "stroke-opacity")
_ANY_PAINT = re.compile(r"#[0-9A-Fa-f]{6}|url\(.*\)")


@lru_cache(maxsize=MAX_REDRAWN)
def to_line_drawing(*, drawing: str, line: str, width: float = 0.0) -> str:
    """Turn a coloured drawing into lines: lines and dark areas get the colour ``line``, other areas become white.

    Elements with an opacity are shade and are removed. Only colours of six digits and references are replaced. With a
    ``width`` (in units of the drawing), lines up to four times as wide get it, and large dark areas become outlines.
    """
    root = parse_fragment(drawing)
    for element in root.iter(etree.Element):
        if len(element) == 0 and any(name in element.attrib for name in _SHADE):
            element.tag = REMOVED
            continue
        for name, limit in (("fill", DARK_CONTRAST), ("stroke", LIGHT_CONTRAST)):
            if (paint := element.get(name)) and _ANY_PAINT.fullmatch(paint):
                dark = paint.startswith("#") and contrast(paint, "#FFFFFF") > limit
                element.set(name, line if dark else "#FFFFFF")
    if width:
        _thin_lines(root, line, width, 1.0)
    return write_fragment(root)


def _thin_lines(element: etree._Element, line: str, width: float, scale: float) -> None:
    """Set the width of lines in an element that is drawn at this scale, and outline its large dark areas.

    Those are areas proper, and lines that lie on a wider one, such as arms.
    """
    for inner in element.iterchildren(etree.Element):
        a, b, c, d, _, _ = parse_transform(inner.get("transform", ""))
        size = scale * abs(a * d - b * c) ** 0.5
        given = inner.get("stroke-width")
        if float(given) * size <= 4 * width if given else size != scale:
            inner.set("stroke-width", f"{width / size:.3g}")
        elif given and (below := inner.getprevious()) is not None and below.get("d") == inner.get("d"):
            inner.set("stroke", "#FFFFFF")
        if inner.get("fill") == line and _largest_area(inner.get("d", "")) * size ** 2 > LARGE_AREA:
            inner.set("fill", "#FFFFFF")
            inner.set("stroke", line)
        _thin_lines(inner, line, width, size)


def _largest_area(data: str) -> float:
    """The largest of the rectangles around the lines of path data."""
    return max(((max(at.real for at in points) - min(at.real for at in points))
                * (max(at.imag for at in points) - min(at.imag for at in points))
                for points, _ in parse_chains(data, 0.1)), default=0.0)


# --- Night ---

NIGHT, SHARE = "#1B2250", 0.32  # the colour of the night, and its share in all others
WINDOW, LAMPLIGHT = "#3A2C22", "#FFD65C"  # the colour of windows by day, and of light; lamps have it or one next to it
MOONLIT = {"#FFF1C6": "#B9C8F2",  # the lit edges of things by day, and by moonlight
           "#E6B83F": "#E2C26A"}  # gold cloth behind a dark sign: a banner with a key
LIGHTS = frozenset((LAMPLIGHT, "#FFD65D", "#FFF3B8"))
GLOW = ((0.12, 2.2), (0.16, 1.3))  # opacity and width of the glow around a window, the outer one first
_SOLID = re.compile("#[0-9a-fA-F]{6}")


@lru_cache(maxsize=MAX_REDRAWN)
def to_night(*, drawing: str) -> str:
    """Show a coloured drawing by night: all colours are darker and bluer, windows (areas of ``#3A2C22``) are lit, and
    edges in the sun (``#FFF1C6``) and gold cloth (``#E6B83F``) lie in the moon.

    A window's glow is painted just before it: so what stands before the window hides both. Flames of ``#FFD65D`` stay.
    """
    root = parse_fragment(drawing)
    for element in [*root.iter(etree.Element)]:
        if element.tag == "path" and element.get("fill") == WINDOW:
            element.set("fill", LAMPLIGHT)
            for opacity, width in GLOW:
                element.addprevious(_glow(element, opacity, width))
    for element in root.iter(etree.Element):
        for name in ("fill", "stroke", "stop-color"):
            paint = element.get(name, "")
            if paint in MOONLIT:
                element.set(name, MOONLIT[paint])
            elif _SOLID.fullmatch(paint) and paint.upper() not in LIGHTS:
                element.set(name, mix_colours(paint, NIGHT, SHARE))
    return write_fragment(root)


def _glow(window: etree._Element, opacity: float, width: float) -> etree._Element:
    glow = deepcopy(window)
    glow.tail = None
    for name in [*glow.attrib]:
        if name not in ("d", "transform"):
            del glow.attrib[name]
    glow.attrib.update({"fill": LAMPLIGHT, "fill-opacity": f"{opacity:g}", "stroke": LAMPLIGHT,
                        "stroke-opacity": f"{opacity:g}", "stroke-width": f"{width:g}"})
    return glow


# --- Rendering ---

TextsUsed = Mapping[str, Iterable[str]]  # texts that a template used, by key: each as it came out, filled in
OUTLINE = "#3B2A1E"  # the umber of lines and letters on faces in full colour
MAX_OVERRUNS = 3  # faces of a template that may take too much time or memory; after them the others are not tried
MAX_KEPT = 8  # renderers, sets of templates and folders of pictures that the supervised child remembers
Kept = TypeVar("Kept")


@dataclass(frozen=True, kw_only=True)
class FaceRenderer:
    """Draws faces."""

    templates: TemplateSet
    fonts: FontBook
    ink: str
    common: Mapping[str, object]  # values that every template gets
    marked: bool = False  # keeps the template lines that drew them (`data-src`): for checks and previews only
    pictures: PictureFolder | None = None  # those of a deck; only its templates get the functions of FaceTools

    def draw(self, request: FaceRequest, bleed: float, subject: str) -> Face:
        """Draw one face: checked SVG of the trim with its bleed; messages name its ``subject``. Raises InputError."""
        renderer = self._shared if request.template.startswith(SHARED) and self._shared else self
        try:
            return renderer._find_or_draw(request, bleed, subject)
        except InputError as error:
            raise InputError(map(request.trace, error.problems)) from error

    @cached_property
    def _shared(self) -> FaceRenderer | None:
        templates = None if self.templates.are_ours else self.templates.shared
        return replace(self, templates=templates) if templates else None

    def _find_or_draw(self, request: FaceRequest, bleed: float, subject: str) -> Face:
        if face := self._find_alike(request, bleed):
            return face
        store = None if self.templates.recorder else current_store()
        key = cache_key("face", self._common_key, request, bleed) if store and self._common_key else None
        if store and key and (content := store.find(key)):
            fields, used, digests, styles, names = load_face(content)
            pictures = self.pictures.find_all(digests) if self.pictures and digests else {}
            if pictures is not None:  # else one of them has changed
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
            store.keep(key, content)
        return face

    def _find_alike(self, request: FaceRequest, bleed: float) -> Face | None:
        """Return the last face of the template if that read no value that differs now: a back of no card's own."""
        last, names, face = self._last_faces.get((request.template, bleed), (request, None, None))
        same = face and names is not None and replace(last, values=request.values, key=request.key) == request and all(
            repr(last.values.get(name)) == repr(request.values.get(name)) for name in names)  # 1, 1.0 and True differ
        return face if same else None

    def _remember(self, request: FaceRequest, bleed: float, face: Face, names: Sequence[str] | None) -> Face:
        if not self.templates.recorder:
            self._last_faces[request.template, bleed] = request, names, face
        return face

    def _draw_supervised(self, request: FaceRequest, bleed: float, subject: str) -> tuple[Face, bytes]:
        for library in ("PIL.Image", "uharfbuzz"):  # both processes need them: before the child is forked
            import_module(library)
        templates = self.templates
        overruns = templates.overruns.setdefault(request.template, [])
        if len(overruns) >= MAX_OVERRUNS:
            raise InputError([replace(overruns[0], key=subject)])
        try:
            answer = run_supervised(draw_face, pickle.dumps((request, bleed, subject)), {}, self._packed,
                                    _face_units(request, bleed))
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
            pictures = self.pictures.find_drawn(digests) if self.pictures and digests else {}
            if pictures is not None:
                face = Face(size=request.size, bleed=bleed, pictures=pictures, **fields)
                return self._remember(request, bleed, face, names), content
            place, _ = templates.place(f"{request.template}:0")
            raise InputError.at(place, "shows a picture that has changed since", Phrase("save_again"), key=subject)
        problems = [*map(unpack_problem, answer["problems"])]
        overruns += problems[:answer["is_over"]]
        raise InputError(problems)

    @cached_property
    def _last_faces(self) -> dict[tuple[str, float], tuple[FaceRequest, Sequence[str] | None, Face]]:
        """By template and bleed: a request, the names that the template looked up, if known, and its face."""
        return {}

    @cached_property
    def _packed(self) -> Shared:
        """All that its faces have in common, for the supervised child; its templates and pictures are kept there."""
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
        tools = None
        if self.pictures:
            from ppgen.engine.drawing.face_tools import FaceTools  # for decks of one's own that are not in the cache

            tools = FaceTools(frame=frame, ink=self.ink, lettering=Lettering(fonts=self.fonts), pictures=self.pictures)
            if self.templates.recorder:
                tools.report = self.templates.recorder.mark
        sheets, pictures = count_sheets(frame.view_box), tools.used if tools else {}
        problems, svg = Problems(), None
        try:
            svg = self.templates.render(request.template, values, subject, sheets, tools.functions if tools else None)
        except TooMuchWorkError:
            raise
        except InputError as error:
            problems += error.problems
        for (source, what), remedy in tools.faults.items() if tools else ():
            place, line = self.templates.place(source)
            problems.note(place, what, remedy, line=line, key=subject)
        if svg is None:
            raise InputError(problems)
        checked, violations = check_svg(tools.finish(svg) if tools else svg, self.fonts, frame.view_box, self.marked,
                                        self.templates.are_ours, [picture.digest for picture in pictures.values()])
        for violation in violations:
            place, line = self.templates.place(violation.source or f"{request.template}:0")
            problem = Problem(place, violation.what, violation.remedy, line=line, key=subject)
            problems.append(BadText.of(problem, violation.words, violation.share) if violation.words else problem)
        if checked is None or problems:
            raise InputError(problems)
        text, anchors = scale_drawing(checked.text, checked.anchors, request, bleed)
        if self.ink == "low":
            text = text.replace(OUTLINE, "#000000")  # printers screen any other dark colour
        if not request.uncut and request.shape.kind is not ShapeKind.RECTANGLE:
            text = _clip(text, request.shape.outline(request.size), bleed)
        return Face(svg=text, size=request.size, bleed=bleed, edge=checked.edge, anchors=anchors, seams=checked.seams,
                    pictures=pictures, cuts=tools.cuts if tools else {})

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

def draw_face(content: bytes, options: Options) -> Mapping[str, Any]:
    """Draw a face; return it or its problems, with all that drawing noted."""
    request, bleed, subject = pickle.loads(content)
    renderer = _load_renderer(shared_content(options))
    texts, recorder = renderer.common.get("t"), renderer.templates.recorder
    used = texts.used if isinstance(texts, Texts) else {}
    used.clear()
    renderer.fonts.used_styles.clear()
    answer: dict[str, Any] = {"is_over": False}
    try:
        face, own = renderer.draw_here(request, bleed, subject)
        names = sorted(renderer.templates.names_read)
        answer["face"] = dump_face(face, own, renderer.fonts.used_styles, names).decode()
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
        return TemplateSet(folders, helpers(fields["fonts"]), shipped, suffixes, made, recorder)

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


def helpers(fonts: FontBook) -> dict[str, Callable[..., str]]:
    """Return the functions that templates may call (``docs/functions.md``)."""
    lettering = Lettering(fonts=fonts)
    return {"text": lettering.text, "text_reach": lettering.text_reach, "paragraph": lettering.paragraph,
            "mixed": mix_colours, "ink_on": legible_ink, "qr": draw_qr_code,
            "ruler": ruler, "drift_scale": drift_scale, "lozenges": lozenge_pattern, "diaper": diaper, "band": band,
            "line_drawing": to_line_drawing, "night_drawing": to_night, "woodcut": _woodcut}


@lru_cache(maxsize=MAX_REDRAWN)
def _woodcut(**arguments: Any) -> str:
    from ppgen.engine.drawing.woodcut import to_woodcut  # few templates need it

    return to_woodcut(**arguments)


# --- Faces in the cache ---

def dump_face(face: Face, used: TextsUsed, styles: Iterable[str], names: Sequence[str] | None = None) -> bytes:
    """Serialize a face without size and bleed, its texts, derived styles and the ``names`` that its template looked up,
    if known: a line of JSON, then the SVG."""
    header = json.dumps({
        "edge": face.edge, "seams": [face.seams.x, face.seams.y],
        "anchors": {name: [each.x, each.y, each.turn] for name, each in face.anchors.items()},
        "pictures": {name: picture.digest for name, picture in face.pictures.items()}, "cuts": dict(face.cuts),
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
            "cuts": about["cuts"]}, about["used"], about["pictures"], about["styles"], about["names"]
