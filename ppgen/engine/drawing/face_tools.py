"""Functions that templates call, and the boxes that they draw into."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from functools import partial
from hashlib import blake2b
from html import escape
from itertools import pairwise
from math import isclose, sqrt
from typing import Any, NamedTuple, Protocol, TypeVar

from ppgen.engine.colours import contrast, legible_ink, mix_colours, named_colour, six_digits
from ppgen.engine.drawing.face import FrameOfFace
from ppgen.engine.drawing.lettering import CAPITAL_HEIGHT, SHARES, BoxFit, Lettering, find_texts
from ppgen.engine.drawing.ornament import band, diaper, draw_qr_code, drift_scale, lozenge_pattern, make_qr_code, ruler
from ppgen.engine.drawing.sandbox import RefusedError, calling_line
from ppgen.engine.drawing.woodcut import to_line_drawing, to_night, to_woodcut
from ppgen.engine.geometry import Insets, Rect, Size, format_decimal as mm
from ppgen.engine.pictures.picture import Picture, PictureError, lighten_drawing, recolour_icon
from ppgen.engine.pictures.picture_files import CARRIED_ON, EDGE, FULL, LOW, PictureFolder, picture_tag
from ppgen.engine.shapes import Net
from ppgen.engine.svg.elements import svg_element
from ppgen.records import dataclass, field, replace

# --- Boxes ---
# Boxes that templates lay things in: fields of a track, hexes of a map, cells of a table. Pure geometry, in mm. A box
# is a tuple, so that the sandbox charges for each of its numbers. What numbers drive is bounded by :data:`MAX_BOXES`.

MAX_BOXES = 10_000  # boxes of a call: a board of 1200 mm has as many hexes of 12 mm
MIN_RING = 8  # fields that go round a board: its corners, and one on each side
INSCRIBED = 1.4  # width of the box inside a hex, which is as high as a side is long; its corners nearly touch the edges
_FLAT = ((1.0, 0.0), (0.5, sqrt(3) / 2), (-0.5, sqrt(3) / 2), (-1.0, 0.0), (-0.5, -sqrt(3) / 2), (0.5, -sqrt(3) / 2))
_POINTY = tuple((y, x) for x, y in _FLAT)  # corners of a hex about its middle, in parts of a side


class Box(Protocol):
    """Anything with a place and a size, such as ``face.all``, a panel of a net, or a :class:`FaceBox`."""

    @property
    def x(self) -> float: ...
    @property
    def y(self) -> float: ...
    @property
    def width(self) -> float: ...
    @property
    def height(self) -> float: ...


class FaceBox(NamedTuple):
    """A box with its number ``n``."""

    x: float
    y: float
    width: float
    height: float
    n: int

    @property
    def cx(self) -> float:
        return self.x + self.width / 2

    @property
    def cy(self) -> float:
        return self.y + self.height / 2


class HexBox(NamedTuple):
    """A hex with its middle at cx, cy, in column ``q`` and row ``r``. Its box is the largest one for words."""

    cx: float
    cy: float
    side: float
    n: int
    q: int
    r: int
    pointy: bool

    @property
    def x(self) -> float:
        return self.cx - self.side * INSCRIBED / 2

    @property
    def y(self) -> float:
        return self.cy - self.side / 2

    @property
    def width(self) -> float:
        return self.side * INSCRIBED

    @property
    def height(self) -> float:
        return self.side

    @property
    def points(self) -> str:
        """The corners, as ``points`` of an SVG polygon."""
        return " ".join(f"{mm(self.cx + x * self.side)},{mm(self.cy + y * self.side)}"
                        for x, y in (_POINTY if self.pointy else _FLAT))

    @property
    def bounds(self) -> Rect:
        """The box around it."""
        long, short = 2 * self.side, sqrt(3) * self.side
        width, height = (short, long) if self.pointy else (long, short)
        return Rect(self.cx - width / 2, self.cy - height / 2, width, height)


def lay_track(first: int, last: int, along: str, depth: float | None, room: Rect) -> list[FaceBox]:
    """Lay fields from ``first`` to ``last`` in a row, a column from below, or clockwise round the edge of a room.

    Round the edge they begin at the lower left. The corners are squares of ``depth``; between them the fields of a
    side are equal, and those of all sides nearly so. Without a depth, fields are about square.
    """
    count = last - first + 1
    _check_count("track", count)
    if along in ("row", "column"):
        length, across = (room.width, room.height) if along == "row" else (room.height, room.width)
        step = length / max(count, 1)
        thick = _length("depth", min(step, across) if depth is None else depth)
        return [FaceBox(room.x + n * step, room.y, step, thick, first + n) if along == "row"
                else FaceBox(room.x, room.bottom - (n + 1) * step, thick, step, first + n) for n in range(count)]
    if along != "edge":
        raise RefusedError(f"along '{along[:40]}' is not known", 'use "edge", "row" or "column"')
    if count < MIN_RING:
        raise RefusedError(f"{count} fields do not go round a board", f'make it {MIN_RING} or more, or along="row"')
    square = min(2 * (room.width + room.height) / (count + 4), min(room.width, room.height) / 3)
    corner = _length("depth", square if depth is None else depth)
    level, upright = room.width - 2 * corner, room.height - 2 * corner
    if min(level, upright) <= 0:
        raise RefusedError(f"corners of {corner:g} mm are too large for a track in {room.size}", "give a smaller depth")
    pairs = (count - 4) // 2
    across = min(max(round(pairs * level / (level + upright)), 1), pairs - 1)
    sides = (pairs - across + count % 2, across, pairs - across, across)
    starts = [first, *(first + sum(sides[:n]) + n for n in range(1, 5))]
    right, bottom = room.right - corner, room.bottom - corner
    boxes: list[FaceBox] = []
    for side, (n, end) in enumerate(pairwise(starts)):
        fields = end - n - 1
        step = (upright, level)[side % 2] / fields
        boxes.append(FaceBox((room.x, room.x, right, right)[side], (bottom, room.y, room.y, bottom)[side],
                             corner, corner, n))
        for k in range(fields):
            along_side = step * ((fields - 1 - k) if side in (0, 3) else k) + corner
            boxes.append(FaceBox((room.x, right)[side // 2], room.y + along_side, corner, step, n + 1 + k)
                         if side % 2 == 0 else
                         FaceBox(room.x + along_side, (room.y, bottom)[side // 2], step, corner, n + 1 + k))
    return boxes


def lay_hexes(columns: int, rows: int, pointy: bool, room: Rect) -> list[HexBox]:
    """Lay a map of regular hexes row by row, as large as the room allows; every other one is shifted by half."""
    _check_count("hexes", columns, rows)
    if not columns or not rows:
        return []
    along, lines = (rows, columns) if pointy else (columns, rows)  # across corners, and across flats
    length, breadth = 1.5 * along + 0.5, sqrt(3) * (lines + (0.5 if along > 1 else 0))
    width, height = (breadth, length) if pointy else (length, breadth)
    side = min(room.width / width, room.height / height)
    left, top = room.x + (room.width - width * side) / 2, room.y + (room.height - height * side) / 2
    boxes: list[HexBox] = []
    for r in range(rows):
        for q in range(columns):
            if pointy:
                x, y = sqrt(3) * (q + 0.5 + r % 2 / 2), 1 + 1.5 * r
            else:
                x, y = 1 + 1.5 * q, sqrt(3) * (r + 0.5 + q % 2 / 2)
            boxes.append(HexBox(left + x * side, top + y * side, side, len(boxes), q, r, pointy))
    return boxes


def lay_rows(count: int, columns: int, gap: float, room: Rect) -> list[FaceBox]:
    """Lay ``count`` equal boxes in rows of ``columns``, ``gap`` apart, that fill the room."""
    _check_count("rows", count)
    _check_count("rows", columns)
    if not count or not columns:
        return []
    lines = -(-count // columns)
    width, height = (room.width - gap * (columns - 1)) / columns, (room.height - gap * (lines - 1)) / lines
    if min(width, height) <= 0:
        raise RefusedError(f"{count} boxes with gaps of {gap:g} mm have no room in {room.size}", "make the gap smaller")
    return [FaceBox(room.x + n % columns * (width + gap), room.y + n // columns * (height + gap), width, height, n)
            for n in range(count)]


def _check_count(name: str, *counts: int) -> None:
    """Refuse numbers of boxes that are not whole, or too large."""
    total = 1
    for count in counts:
        if not isinstance(count, int):
            raise RefusedError(f"{name}() is given '{str(count)[:40]}' in place of a whole number", "write | int")
        total *= count
        if count < 0 or total > MAX_BOXES:
            raise RefusedError(f"{name}() is to make {total:,} boxes", f"from 0 to {MAX_BOXES:,}")


def _length(name: str, value: float) -> float:
    if value <= 0:
        raise RefusedError(f"{name} is {value:g} mm", "give more than 0")
    return value


# --- Functions ---
# Functions that templates call for the face being drawn: texts, pictures, icons, grounds, panels, boxes. They need
# what only a face has: its frame, its ink, the definitions that it collects. So a :class:`FaceTools` is made for each
# face, and ``TemplateSet.render`` gets its functions. A new function is a method here, declared with
# :func:`face_function`, and its section in ``docs/functions.md``.
#
# In low ink they save it by themselves: a ground is paper, a panel a tenth of its colour, a badge a ring, a picture
# grey. Light letters and lines on these are dark.

EDGE_SLACK, OVERLAP = 0.02, 0.1  # bleed (mm) that a picture may lack; by how much (mm) what is mirrored lies under it
EDGE_REACH = 0.2  # distance to the trim (mm) within which a drawing may be cut
PALE_SHARE = 0.9  # share of paper in a panel's colour in low ink
MIN_LETTER_CONTRAST, MIN_LINE_CONTRAST = 3.0, 1.5  # letters and lines that have less contrast to paper are light
DARK_INK, PAPER = "#222222", "#ffffff"
ASCENT = 0.8  # height of a line's room above its baseline, in parts of the size
BADGE_SIZE, BADGE_WIDTH, RING_WIDTH = 1.1, 1.7, 0.09  # in parts of a badge's radius: letters, their width, ring
MIN_BADGE_SHRINK, BOX_TEXT_SIZE, MIN_TEXT_SHRINK = 0.5, 0.5, 0.4
"""Least size of a badge's letters; size of a line in parts of its box's shorter side, and its least size."""
MAX_PICTURE_FAULTS = 20  # wrong pictures of a face that are reported at once
_ROOT = re.compile(r"""<svg\b(?:[^<>"']|"[^"]*+"|'[^']*+')*+(?<!/)>""")
_EDGE_NAME = re.compile(r"#?\w+")

PLAIN_FUNCTIONS: Mapping[str, Callable[..., str]] = {
    "mixed": mix_colours, "ink_on": legible_ink, "ruler": ruler, "drift_scale": drift_scale,
    "lozenges": lozenge_pattern, "diaper": diaper, "band": band}
REDRAWING: Mapping[str, Callable[..., str]] = {
    "line_drawing": to_line_drawing, "night_drawing": to_night, "woodcut": to_woodcut}
"""Functions of templates that need nothing of the face, and those that draw a drawing anew."""

FaceFunction = TypeVar("FaceFunction", bound=Callable[..., Any])
FACE_FUNCTIONS: dict[str, Callable[..., Any]] = {}  # the methods of `FaceTools` that templates may call, by name


def face_function(method: FaceFunction) -> FaceFunction:
    """Declare a method of :class:`FaceTools` as a function of templates."""
    FACE_FUNCTIONS[method.__name__] = method
    return method


@dataclass(frozen=True, slots=True)
class Icon:
    """An icon: width by height, and what draws it with its middle at x, y and a height in mm."""

    aspect: float
    draw: Callable[[float, float, float, str], str]


@dataclass(slots=True, kw_only=True)
class FaceTools:
    """The functions of one face, and what they collect.

    ``faults`` are the remedies for pictures that can't be used, by line of the template and fault; grey boxes stand for
    them. ``cuts`` are the shares of those over the face that neither trim nor bleed show.
    """

    frame: FrameOfFace
    ink: str
    lettering: Lettering
    pictures: PictureFolder | None = None  # those of a deck
    used: dict[str, Picture] = field(default_factory=dict)  # by the names asked for
    cuts: dict[str, float] = field(default_factory=dict)
    faults: dict[tuple[str, str], str] = field(default_factory=dict)
    definitions: dict[str, str] = field(default_factory=dict)  # elements for <defs> by id
    edge: str = ""  # what the bleed shows, if it is the same all along it
    is_paled: bool = False  # something was drawn in low ink that letters may stand on
    open_panels: list[tuple[FrameOfFace, str]] = field(default_factory=list)
    report: Callable[[Rect], None] = lambda box: None  # gets the box in which each function draws, in mm of the frame

    @property
    def functions(self) -> Mapping[str, Callable[..., Any]]:
        """The functions that templates may call, by name."""
        return {**PLAIN_FUNCTIONS, **{name: partial(self._redraw, function) for name, function in REDRAWING.items()},
                **{name: getattr(self, name) for name in FACE_FUNCTIONS}}

    def finish(self, svg: str) -> str:
        """Put the collected definitions and the edge into the root of the drawn SVG."""
        root = _ROOT.search(svg)
        if not root or not (self.definitions or self.edge):
            return svg
        edge = f' data-edge="{self.edge}"' if self.edge and "data-edge" not in root[0] else ""
        definitions = f"<defs>{''.join(self.definitions.values())}</defs>" if self.definitions else ""
        return f"{svg[:root.end() - 1]}{edge}>{definitions}{svg[root.end():]}"

    # Texts

    @face_function
    def text(self, words: object, *, box: Box | None = None, **options: Any) -> str:
        """Set one line.

        Args:
            box: Sets it in the middle of this box; without a ``size`` half as high as the box's shorter side.
        """
        if box is not None:
            place = _rect(box)
            if "size" not in options:
                size = min(place.width, place.height) * BOX_TEXT_SIZE
                options = {"size": size, "min_size": size * MIN_TEXT_SHRINK, **options}
            anchor = options.get("anchor", "middle")
            options = {"x": place.x + place.width * SHARES[anchor], "width": place.width, "anchor": anchor,
                       "y": place.y + (place.height + options["size"] * CAPITAL_HEIGHT) / 2, **options}
        drawing = self.lettering.text(words, **self._letters(options))
        self.report(_line_room(SHARES[options.get("anchor", "start")], **options))
        return drawing

    @face_function
    def paragraph(self, words: object, *, box: Box | None = None, **options: Any) -> str:
        """Set several lines.

        Args:
            box: Gives x, y, width and height.
        """
        if box is not None:
            place = _rect(box)
            options = _in_box(place, options) | {"x": options.get(
                "x", place.x + place.width * SHARES[options.get("anchor", "start")])}
        drawing = self.lettering.paragraph(words, **self._letters(options))
        left = options["x"] - options["width"] * SHARES[options.get("anchor", "start")]
        self.report(Rect(left, options["y"], options["width"], options["height"]))
        return drawing

    @face_function
    def text_reach(self, words: object, **options: Any) -> str:
        """Return how far right the outlines of a line reach from its start, if ``text()`` sets it so."""
        return self.lettering.text_reach(words, **options)

    @face_function
    def fit(self, words: object, **options: Any) -> BoxFit:
        """Return how ``paragraph()`` fits words into a box: their size, lines and height."""
        return self.lettering.fit(str(words), markup=False, **options)

    @face_function
    def rich(self, words: object, *, box: Box | None = None, **options: Any) -> str:
        """Set text with markup and icons.

        Args:
            box: Gives x, y, width and height.
        """
        options = self._letters(options if box is None else _in_box(_rect(box), options))
        if isinstance(words, list):
            words = [self._letters(run) if isinstance(run, dict) else run for run in words]
        drawing = replace(self.lettering, icons=self.find_icon).rich(words, **options)
        self.report(Rect(*(options[name] for name in ("x", "y", "width", "height"))) if options.get("height")
                    else _line_room(0, **options))
        return drawing

    def _letters(self, options: dict[str, Any]) -> dict[str, Any]:
        """In low ink, darken light letters: the ground that they were for is paper."""
        return options | {name: self._darken(str(options[name]), MIN_LETTER_CONTRAST)
                          for name in ("fill", "line_fill") if name in options}

    def _darken(self, colour: str, least: float) -> str:
        if not self.is_paled:
            return colour  # without loading what knows names of colours
        plain = _plain_colour(colour[:7] if len(colour) == 9 else colour)
        return DARK_INK if plain and contrast(plain, PAPER) < least else colour

    def _redraw(self, function: Callable[..., str], /, **options: Any) -> str:
        """Draw a drawing anew: its texts get other colours, and are those that were judged."""
        drawing, judged = function(**options), self.lettering.judged
        verdicts = [judged.get(text) for text, _ in find_texts(options["drawing"])]
        if all(verdicts):
            judged.update(zip((text for text, _ in find_texts(drawing)), filter(None, verdicts), strict=False))
        return drawing

    # Pictures

    @face_function
    def image(self, name: object, x: float = 0, y: float = 0, width: float | None = None, height: float | None = None,
              fit: str = "cover", focus: str = "50% 50%", radius: float = 0, clip: str = "", opacity: float = 1,
              box: Box | None = None, ink: str = "", turn: float = 0, bleed: float | None = None) -> str:
        """Draw a picture of the deck. Without a place it covers the face. An empty name draws nothing.

        Args:
            name: A file in the deck's folder or its ``art/``; its suffix may be left out.
            fit: ``"cover"`` fills the box, ``"contain"`` shows all of the picture, ``"stretch"`` distorts it,
                ``"bleed"`` covers the face and its bleed: the picture's own bleed, if its proportions show one, lies
                outside of the cut, and where there is none the edge is mirrored; ``"stand"`` shows all of it with its
                foot on the lower edge, and carries its sides on into the bleed.
            focus: The part that ``cover`` keeps in sight: ``"50% 20%"``, ``"top"``.
            radius: Radius of its corners.
            clip: Path data to clip it to.
            opacity: From 0 to 1.
            box: Gives x, y, width and height; a hex clips it to its sides.
            ink: ``"full"`` keeps its colours in low ink.
            turn: Turns a picture that lies across its box by this angle: ``90`` or ``-90``.
            bleed: The picture's own bleed, for ``fit="bleed"``, where its proportions don't show it.
        """
        words = str(name).strip()
        if isinstance(box, HexBox) and fit != "bleed":
            clip, box = clip or f"M{box.points}Z", box.bounds
        box = self._box(x, y, width, height, box) if fit != "bleed" else self.frame.all
        self.report(box)
        if not words:
            return ""
        self.mark_reach(box)
        picture = self._use(words)
        if not picture.digest:
            return self._gap(picture, box)
        self.is_paled = self.is_paled or (ink or self.ink) == LOW
        covers = fit in COVERING and not clip and not radius and box.contains(self.frame.trim)
        turn = turn if lies_across(picture.aspect, box) else 0
        box = _turn_over(box) if turn else box
        trim = _turn_over(self.frame.trim) if turn else self.frame.trim
        own = find_bleed(picture.aspect, trim) if fit == "bleed" and bleed is None else bleed
        target = box if fit != "bleed" or own is None else trim.grown(Insets.all(own))
        place = fit_picture(picture.aspect, target, fit, focus)
        drawing = self._draw(picture, place, ink or self.ink)
        if fit == "bleed":
            edge = self._draw(picture, place, EDGE) if picture.is_page and (ink or self.ink) != LOW else drawing
            drawing = mirror_edges(edge, place, box) + drawing
        if fit == "stand" and picture.is_opaque:
            wide = Rect(place.x - self.frame.bleed, place.y, place.width + 2 * self.frame.bleed, place.height)
            drawing = self._draw(picture, wide, ink or self.ink) + drawing
        shown = place if fit == "contain" else box
        if clip or radius or (fit == "cover" and place != box):
            outline = svg_element("path", d=clip) if clip else _rectangle(shown, rx=mm(radius) if radius else "")
            drawing = f'<g clip-path="url(#{self._define("clipPath", outline)})">{drawing}</g>'
        if turn:
            middle = f"{mm(box.x + box.width / 2)} {mm(box.y + box.height / 2)}"
            drawing = f'<g transform="rotate({mm(turn)} {middle})">{drawing}</g>'
        if covers:
            self.cuts[words] = min(_cut(picture.aspect, each) for each in (trim, box, target))
        return drawing if opacity == 1 else f'<g opacity="{mm(opacity)}">{drawing}</g>'

    @face_function
    def icon(self, name: object, x: float, y: float, size: float, fill: str = "#000") -> str:
        """Draw an icon.

        Args:
            name: A file in ``icons/``, without its suffix.
            x: Its middle, as is ``y``.
            size: Its height.
            fill: The colour of what has no colour of its own.
        """
        icon = self.find_icon(str(name).strip().strip("{}"))
        self.report(Rect(x - size * icon.aspect / 2, y - size / 2, size * icon.aspect, size))
        return icon.draw(x, y, size, self._darken(fill, MIN_LETTER_CONTRAST))

    @face_function
    def has_picture(self, name: object) -> bool:
        """Tell whether there is a picture, so that a template can draw something else in its place.

        Args:
            name: A file of the folder or its ``art/``; the ending may be left out.
        """
        words = str(name).strip()
        if not words or not self.pictures:
            return False
        if not self.pictures.is_missing(words):
            return bool(self._use(words).digest)
        self.used[words] = Picture(name=words, path=self.pictures.root)  # the face is drawn again once it exists
        return False

    def find_icon(self, name: str) -> Icon:
        """Return the icon of that name, for a line of text. Raises RefusedError with the nearest name."""
        picture = self._use(f"{{{name}}}")
        if picture.is_drawing:
            picture = replace(picture, body=recolour_icon(picture.body, picture.view_box))

        def draw(x: float, y: float, size: float, fill: str) -> str:
            width = size * picture.aspect
            place = Rect(x - width / 2, y - size / 2, width, size)
            if not picture.digest:
                return self._gap(picture, place)
            drawing = self._draw(picture, place, FULL if picture.is_drawing else self.ink)
            return f'<g color="{escape(fill)}" fill="{escape(fill)}">{drawing}</g>' if picture.is_drawing else drawing

        return Icon(picture.aspect, draw)

    def _use(self, name: str) -> Picture:
        if not self.pictures:
            raise RefusedError("a shipped game has no pictures", "draw it in SVG")
        try:
            picture = self.used[name] = self.pictures.find(name)
        except PictureError as error:
            if len(self.faults) == MAX_PICTURE_FAULTS:
                raise RefusedError(str(error), error.remedy) from None
            self.faults[calling_line(), str(error)] = error.remedy
            return Picture(name=name, path=self.pictures.root)
        return picture

    def _draw(self, picture: Picture, place: Rect, ink: str) -> str:
        variant = ink if ink in (LOW, EDGE) else FULL
        if not picture.is_drawing:
            return picture_tag(picture, place, variant)
        body = picture.body if variant == FULL else lighten_drawing(picture.body)
        name = self._define("symbol", body, f' viewBox="{picture.view_box}" preserveAspectRatio="none"')
        return (f'<use href="#{name}" x="{mm(place.x)}" y="{mm(place.y)}" width="{mm(place.width)}" '
                f'height="{mm(place.height)}"/>')

    def _gap(self, picture: Picture, box: Rect) -> str:
        """A grey box with the name of a missing picture."""
        fonts, size = self.lettering.fonts.styles["text"], min(3.0, box.height / 2)
        name = "".join(letter for letter in picture.name if any(font.has(letter) for font in fonts))
        words = self.lettering.text(name, x=box.x + box.width / 2, y=box.y + box.height / 2 + size / 3, fill="#444444",
                                    width=box.width * 0.9, size=size, min_size=size / 20, anchor="middle")
        return f"<g>{_rectangle(box, fill='#c8c8c8')}{words}</g>"

    # Grounds, panels, badges

    @face_function
    def fill(self, colour: str) -> str:
        """Fill the face and its bleed with a colour; in low ink with paper.

        Faces with the same one share their cuts, unless an image, panel or badge reaches the edge. For other drawings
        that reach it, write ``data-edge`` on the root.
        """
        if self.ink == LOW:
            colour, self.is_paled = PAPER, True
        self.edge = f"fill-{colour.lstrip('#').lower()}" if _EDGE_NAME.fullmatch(colour) else ""
        self.report(self.frame.all)
        return _rectangle(self.frame.all, fill=colour)

    @face_function
    def tone(self, colour: str, paper: float = PALE_SHARE) -> str:
        """Return the colour for an area; in low ink with that share of paper."""
        if self.ink != LOW:
            return colour
        self.is_paled, plain = True, _plain_colour(colour)
        return mix_colours(plain, PAPER, min(max(paper, 0), 1)) if plain else colour

    @face_function
    def panel(self, x: float = 0, y: float = 0, width: float | None = None, height: float | None = None,
              margin: float | None = None, box: Box | None = None, radius: float = 0, fill: str = "none",
              stroke: str = "none", stroke_width: float = 0.6, opacity: float = 1) -> str:
        """Draw a rectangle or a hex. Without a place it covers the face.

        Args:
            width: If it is missing, the panel ends as far from the right edge as it begins from the left; so does
                ``height``.
            margin: Distance to the edge of the face or of the given place.
            box: Gives x, y, width and height, or a hex.
            radius: Radius of its corners.
            opacity: From 0 to 1.
        """
        if self.ink == LOW and fill != "none":
            plain, self.is_paled = _plain_colour(fill), True
            fill = mix_colours(plain, PAPER, PALE_SHARE) if plain else PAPER
        stroke = self._darken(stroke, MIN_LINE_CONTRAST)
        if isinstance(box, HexBox):
            self.report(place := box.bounds)
        else:
            place = self._room(x, y, width, height, margin, box)
        around = Insets.all(max(stroke_width, 0) / 2 if stroke != "none" else 0)
        self.mark_reach(place.grown(around))
        paint = {"fill": fill, **({"stroke": stroke, "stroke_width": mm(stroke_width)} if stroke != "none" else {}),
                 **({"opacity": mm(opacity)} if opacity != 1 else {})}
        if isinstance(box, HexBox):
            return svg_element("polygon", points=box.points, **paint)
        return _rectangle(place, **({"rx": mm(radius)} if radius else {}), **paint)

    @face_function
    def badge(self, words: object, x: float | None = None, y: float | None = None, r: float = 4, fill: str = DARK_INK,
              style: str = "title", box: Box | None = None) -> str:
        """Draw a disc with a word, number or icon. Empty words draw nothing.

        Its letters are dark or light, whichever has more contrast. In low ink it is a ring of its colour.

        Args:
            x: Its middle, as is ``y``. If they are missing, the middle of the face or the box.
            r: Its radius.
        """
        if not str(words).strip():
            return ""
        middle = Rect(0, 0, self.frame.width, self.frame.height) if box is None else _rect(box)
        x = middle.x + middle.width / 2 if x is None else x
        y = middle.y + middle.height / 2 if y is None else y
        colour = _plain_colour(fill) or DARK_INK
        ring, letters = PAPER, legible_ink(colour)
        if self.ink == LOW:
            fill, letters = PAPER, DARK_INK
            ring = colour if contrast(colour, PAPER) >= MIN_LINE_CONTRAST else DARK_INK
        self.report(disc_room := Rect(x - r, y - r, 2 * r, 2 * r))
        self.mark_reach(disc_room)
        disc = svg_element("circle", cx=mm(x), cy=mm(y), r=mm(r), fill=fill, stroke=ring,
                           stroke_width=mm(r * RING_WIDTH))
        size, width = r * BADGE_SIZE, r * BADGE_WIDTH
        return f"<g>{disc}" + replace(self.lettering, icons=self.find_icon).rich(
            words, x=x - width / 2, y=y + size * CAPITAL_HEIGHT / 2, width=width, size=size,
            min_size=size * MIN_BADGE_SHRINK, align="center", style=style, fill=letters) + "</g>"

    @face_function
    def qr(self, words: object, x: float, y: float, size: float, fill: str = "#000000", ground: str = PAPER) -> str:
        """Draw a QR code, such as a link to rules or a film. Empty words draw nothing.

        Phones read dark codes on a light ground with modules of 0.4 mm or more: ``ppgen check`` warns of others.

        Args:
            x: The left edge of its ground.
            y: The top edge of its ground.
            size: Its width and height, with the light rim that every code needs.
            ground: Its colour, also in low ink.
        """
        words = str(words).strip()
        if not words:
            return ""
        try:
            drawn, module = draw_qr_code(words, x, y, size, fill, ground), size / make_qr_code(words)[1]
        except ValueError as error:
            raise RefusedError(str(error), "write a shorter text, such as a short link") from None
        self.report(place := Rect(x, y, size, size))
        self.mark_reach(place)
        return f'<g data-module="{module:.4f}" data-contrast="{_code_contrast(fill, ground):.2f}">{drawn}</g>'

    # Boxes

    @face_function
    def track(self, first: int, last: int, along: str = "edge", inset: float = 5, depth: float | None = None,
              box: Box | None = None) -> list[FaceBox]:
        """Return the fields of a track, to loop over.

        Args:
            first: The first number; ``last`` is the last one.
            along: ``"edge"``: clockwise round the face from its lower left corner; ``"row"``: from left to right;
                ``"column"``: upwards.
            inset: Distance to the edge of the face or box.
            depth: Depth of the fields. If it is missing, they are about square.
        """
        return lay_track(first, last, along, depth, self._room(0, 0, None, None, inset, box))

    @face_function
    def hexes(self, columns: int, rows: int, x: float = 0, y: float = 0, width: float | None = None,
              height: float | None = None, pointy: bool = False, box: Box | None = None) -> list[HexBox]:
        """Return the hexes of a map row by row, as large as the place allows and in its middle.

        Besides the values of a box, a hex has its column ``q``, its row ``r``, its ``side`` and, for a ``<polygon>``,
        its ``points``. Every other column is shifted by half a hex.

        Args:
            pointy: Points up; every other row is shifted.
        """
        return lay_hexes(columns, rows, pointy, self._room(x, y, width, height, None, box))

    @face_function
    def rows(self, count: int, columns: int = 1, gap: float = 0, x: float = 0, y: float = 0,
             width: float | None = None, height: float | None = None, box: Box | None = None) -> list[FaceBox]:
        """Return equal boxes in rows, which fill the place. ``n`` counts from 0.

        Args:
            count: Number of boxes.
            columns: Number of boxes in a row.
            gap: Distance between them.
        """
        return lay_rows(count, columns, gap, self._room(x, y, width, height, None, box))

    # Panels of a net

    @face_function
    def open_panel(self, name: str, net: Net) -> FrameOfFace:
        """Begin a panel of a net as a face of its own, with a bleed where no other panel adjoins; return its frame.

        Args:
            name: A name in ``net.panels``.
            net: The ``net`` that the template is given.
        """
        panel = net.panels[name]
        room, frame = net.panel_room(name, self.frame.bleed), self.frame
        clip = self._define("clipPath", _rectangle(room))
        place = f"translate({mm(panel.x)} {mm(panel.y)})"
        if name in net.turned:
            place = f"translate({mm(panel.right)} {mm(panel.bottom)}) rotate(180)"
        self.open_panels.append((frame, f'<g clip-path="url(#{clip})"><g transform="{place}">'))
        self.frame = FrameOfFace(width=panel.width, height=panel.height, bleed=frame.bleed, small=frame.small,
                                 outline=f"M0 0H{mm(panel.width)}V{mm(panel.height)}H0Z")
        return self.frame

    @face_function
    def close_panel(self, drawing: str) -> str:
        """End the panel that was begun last, and return the drawing in its place.

        Args:
            drawing: What was drawn for it, from ``{% set drawing %}…{% endset %}``.
        """
        if not self.open_panels:
            raise RefusedError("there is no panel to close", "begin it with open_panel()")
        self.frame, opening = self.open_panels.pop()
        self.edge = ""
        return f"{opening}{drawing}</g></g>"

    # What the functions share

    def mark_reach(self, box: Rect) -> None:
        """Withdraw the edge if something drawn in this box reaches the trim: then the bleed differs along it."""
        if (min(box.x, box.y) <= EDGE_REACH or box.right >= self.frame.width - EDGE_REACH
                or box.bottom >= self.frame.height - EDGE_REACH):
            self.edge = ""

    def _box(self, x: float, y: float, width: float | None, height: float | None, box: Box | None) -> Rect:
        """The box, or the rectangle; it reaches to the right and lower edge if no width and height is given."""
        if box is not None:
            place = _rect(box)
        else:
            width = self.frame.width - x if width is None else width
            height = self.frame.height - y if height is None else height
            place = Rect(x, y, max(width, 0), max(height, 0))
        if not (place.width > 0 and place.height > 0):
            raise RefusedError("a box has no room", "give it a width and a height above 0")
        return place

    def _room(self, x: float, y: float, width: float | None, height: float | None, margin: float | None,
              box: Box | None) -> Rect:
        """The box, or the rectangle, less its margin; without a width it ends as far from the edge as it begins."""
        place = self._box(x, y, self.frame.width - 2 * x if width is None else width,
                          self.frame.height - 2 * y if height is None else height, box)
        margin = margin or 0
        room = self._box(place.x + margin, place.y + margin, place.width - 2 * margin, place.height - 2 * margin, None)
        self.report(room)
        return room

    def _define(self, tag: str, inside: str, attributes: str = "") -> str:
        """Collect a definition, each once; return its id."""
        name = f"{tag.lower()}-{blake2b(f'{attributes}{inside}'.encode(), digest_size=8).hexdigest()}"
        self.definitions[name] = f'<{tag} id="{name}"{attributes}>{inside}</{tag}>'
        return name


def _rectangle(box: Rect, **attributes: str) -> str:
    return svg_element("rect", x=mm(box.x), y=mm(box.y), width=mm(box.width), height=mm(box.height), **attributes)


def _line_room(share: float, *, x: float, y: float, width: float, size: float, **_: Any) -> Rect:
    """The room of a line with its baseline at y; ``share`` of it is to the left of x."""
    return Rect(x - width * share, y - size * ASCENT, width, size)


def _rect(box: Box) -> Rect:
    if not all(hasattr(box, name) for name in ("x", "y", "width", "height")):
        raise RefusedError("box is given what is not a box", "give it face.all, or a box of track(), hexes() or rows()")
    return Rect(box.x, box.y, box.width, box.height)


def _in_box(place: Rect, options: dict[str, Any]) -> dict[str, Any]:
    return {"x": place.x, "y": place.y, "width": place.width, "height": place.height, **options}


def _code_contrast(fill: str, ground: str) -> float:
    """The contrast of a QR code; 1 if it is light on dark, the highest one if a colour is not a plain one."""
    dark, light = _plain_colour(fill), _plain_colour(ground)
    if not (dark and light):
        return contrast(DARK_INK, PAPER)
    return contrast(dark, light) if contrast(dark, PAPER) > contrast(light, PAPER) else 1


def _plain_colour(colour: str) -> str:
    """A colour as #rrggbb; empty for what is not a plain colour."""
    return six_digits(colour) or named_colour(colour) or ""


# --- Pictures in a box ---

def lies_across(aspect: float, box: Rect) -> bool:
    """Check that a picture of that aspect lies across an upright box, or stands in a wide one."""
    room = box.width / box.height
    return min(max(aspect, 1 / aspect), max(room, 1 / room)) >= MIN_ACROSS and (aspect > 1) != (room > 1)


def _cut(aspect: float, box: Rect) -> float:
    """The share of a picture of that aspect that is cut away where it fills the box."""
    ratio = aspect * box.height / box.width
    return round(1 - min(ratio, 1 / ratio), 4)


def _turn_over(box: Rect) -> Rect:
    """The box turned by 90° about its middle."""
    return Rect(box.x + (box.width - box.height) / 2, box.y + (box.height - box.width) / 2, box.height, box.width)


FITS = ("cover", "contain", "stretch", "bleed", "stand")
COVERING = ("cover", "stretch", "bleed")
MIN_BLEED, MAX_BLEED = 0.5, 10.0  # the bleed in mm that a picture's proportions may show; less is none
PHOTOGRAPHS = 2 / 3, 3 / 4  # proportions of photographs, which show no bleed
MIN_ACROSS = 1.1  # proportions of sides from which a picture, or a box, is upright or lies across
_FOCUS_WORDS = {"left": ("0", "x"), "right": ("100", "x"), "top": ("0", "y"), "bottom": ("100", "y")}


def parse_focus(words: str) -> tuple[float, float]:
    """Return the shares of a picture's focus, across and down: ``50% 20%``, ``left``, ``center top``."""
    across, down = "50", "50"
    parts = words.split()
    for n, part in enumerate(parts):
        value, axis = _FOCUS_WORDS.get(part, ("50" if part in ("center", "middle") else part.rstrip("%"), "xy"[n % 2]))
        across, down = (value, down) if axis == "x" else (across, value)
    try:
        if not 0 < len(parts) <= 2:
            raise ValueError
        return tuple(min(max(float(value) / 100, 0.0), 1.0) for value in (across, down))  # type: ignore[return-value]
    except ValueError:
        raise RefusedError(f"focus '{words[:40]}' is not a place", 'write it like "50% 20%", "left" or "top"') from None


def find_bleed(aspect: float, trim: Rect | Size) -> float | None:
    """The bleed in mm that a picture's aspect shows around a trim; None for others, and near squares."""
    if isclose(trim.width, trim.height, rel_tol=0.02) or isclose(aspect, 1, rel_tol=0.02):
        return None
    bleed = (aspect * trim.height - trim.width) / (2 * (1 - aspect))
    if abs(bleed) < MIN_BLEED:
        return 0.0
    is_photograph = any(isclose(min(aspect, 1 / aspect), each, rel_tol=0.002) for each in PHOTOGRAPHS)
    return bleed if MIN_BLEED <= bleed <= MAX_BLEED and not is_photograph else None


def mirror_edges(drawing: str, place: Rect, box: Rect) -> str:
    """Mirror a picture's drawing outwards at the edges of its place; strips reach under it against hairlines."""
    across = {0: 0.0, -1: place.x - box.x, 1: box.right - place.right}
    down = {0: 0.0, -1: place.y - box.y, 1: box.bottom - place.bottom}
    strips = ""
    for side, end in ((x, y) for x in across for y in down if (x, y) != (0, 0)):
        if (side and across[side] < EDGE_SLACK) or (end and down[end] < EDGE_SLACK):
            continue
        x = {0: 0.0, -1: 2 * place.x + OVERLAP, 1: 2 * place.right - OVERLAP}[side]
        y = {0: 0.0, -1: 2 * place.y + OVERLAP, 1: 2 * place.bottom - OVERLAP}[end]
        strips += f'<g transform="matrix({-1 if side else 1} 0 0 {-1 if end else 1} {mm(x)} {mm(y)})">{drawing}</g>'
    return f'<g {CARRIED_ON}="1">{strips}</g>' if strips else ""


def fit_picture(aspect: float, box: Rect, fit: str, focus: str) -> Rect:
    """Return where a picture of that aspect lies, to fill or fit its box; its focus stays in sight."""
    if fit not in FITS:
        raise RefusedError(f"fit '{fit[:40]}' is not known", f"use {', '.join(FITS)}")
    width, height = box.width, box.height
    if fit != "stretch":
        if (aspect > width / height) == (fit not in ("contain", "stand")):
            width = height * aspect
        else:
            height = width / aspect
    across, down = parse_focus(focus if fit != "stand" else "50% 100%")
    return Rect(box.x + (box.width - width) * across, box.y + (box.height - height) * down, width, height)


# --- Room for texts ---

FITTED_FUNCTIONS = ("text", "paragraph", "rich", "badge")  # functions whose words may lack room
TOLERANCE_MM = 0.02
ANY = 10_000.0  # more than any room


class Lack(NamedTuple):
    """The width that a text lacks in mm; 0 if it fits."""

    across: float
    down: float


def find_lack(tools: FaceTools, function: str, given: Mapping[str, Any], room: Size, in_box: bool) -> Lack:
    """What the words of a call lack in a room at their smallest size; ``rich`` may be a single line."""
    words = str(given.get("0", given.get("words", "")))
    size = float(given.get("size", min(room.width, room.height) * BOX_TEXT_SIZE))
    least = float(given.get("min_size", size if "size" in given else size * MIN_TEXT_SHRINK))
    lettering = replace(tools.lettering, icons=tools.find_icon)
    style = str(given.get("style", "title" if function == "badge" else "text"))
    if function == "badge":
        radius = room.width / 2
        room, least = Size(radius * BADGE_WIDTH, ANY), radius * BADGE_SIZE * MIN_BADGE_SHRINK
    if function == "text":
        needed = lettering.fonts.width(words, style, least, float(given.get("spacing", 0)) * least)
        across, down = needed - room.width, 0.0
    elif function == "badge" or (function == "rich" and "height" not in given and not in_box):
        line = lettering.fit(words, width=ANY, height=ANY, size=least, style=style)
        across, down = max((each.width for each in line.lines), default=0) - room.width, 0.0
    else:
        fit = lettering.fit(words, width=room.width, height=room.height, size=size, min_size=least, style=style,
                            leading=float(given.get("leading", 1.2)), markup=function == "rich")
        widest = max((line.indent + line.width for line in fit.lines), default=0)
        across, down = widest - room.width, fit.height - room.height
    return Lack(*(each if each > TOLERANCE_MM else 0.0 for each in (across, down)))
