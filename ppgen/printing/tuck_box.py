"""Tuck boxes for the parts of a set: their contents, their depth (see ``docs/print.md``) and their nets."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from itertools import pairwise
from math import ceil, cos, fsum, hypot, inf, pi, sin, sqrt

from ppgen.cache import cached_by
from ppgen.engine.component import PAGE, Component, Part, Stock
from ppgen.engine.drawing.face import FaceRequest
from ppgen.engine.geometry import MAX_CARD_SIDE_MM, LineSegment, Point, Rect, Size
from ppgen.engine.shapes import Folded, Net
from ppgen.errors import InputError, Phrase
from ppgen.printing.request import BOX, Pack
from ppgen.reading.texts import Texts
from ppgen.records import dataclass

# The net
#
# The net is one row of panels – glue flap, front, side, back, side – with a lid that tucks in behind the front and a
# base that tucks in below, and dust flaps at the sides. It is seen from outside; millimetres from the top left corner
# of its bounding box.

GLUE_FLAP, TUCK = 11.0, 13.0  # width of the glue flap and length of the tucks, in mm
SLANT, RELIEF = 1.5, 0.5
"""Taper of flaps, and their distance from the ends of their folds, in mm, so that they don't catch; less in a flat
box."""
DUST_FLAP_SHARE = 0.8  # length of a dust flap as a share of the depth; two of them never overlap
NOTCH, NOTCH_SHARE, NOTCH_SEGMENTS = 9.0, 0.22, 32  # radius of the thumb notch in mm, at most by the width, cuts in it
BLEED = 2.0  # bleed of the picture, in mm
MARK_CLEARANCE, MARK_REACH, MARK_STEP, MIN_MARK_LENGTH = 0.4, 6.0, 0.1, 1.5
"""Marks: clearance from the net, reach beyond the prolonged line, search step and minimum length, in mm."""


@dataclass(frozen=True, slots=True, kw_only=True)
class BoxNet(Net):
    """The net of a box; its panels are ``front back left right lid base``."""

    tucks: tuple[Rect, ...]  # those that go inside
    notch: float
    marks: tuple[LineSegment, ...]  # prolong its cuts and folds beyond it
    bleed: float = BLEED

    @property
    def glue(self) -> Rect:
        """The flap that is glued inside and stays unprinted."""
        return self.glued[0]


def net_size(inside: Size, depth: float) -> Size:
    """Return the size of the net of :func:`box_net`."""
    return Size(GLUE_FLAP + 2 * (inside.width + depth), inside.height + 2 * (depth + TUCK))


@lru_cache(maxsize=100)
def box_net(inside: Size, depth: float) -> BoxNet:
    """Return the net of a box with that room inside, all in mm."""
    width, height = inside.width, inside.height
    top = depth + TUCK  # the upper edge of the panels
    bottom = top + height
    xs = [GLUE_FLAP]
    for panel in (width, depth, width, depth):
        xs.append(xs[-1] + panel)
    front, left, back, right = (Rect(x, top, end - x, height) for x, end in pairwise(xs))
    lid, base = Rect(back.x, TUCK, width, depth), Rect(back.x, bottom, width, depth)
    tucks = (Rect(back.x, 0, width, TUCK), Rect(back.x, base.bottom, width, TUCK))
    flap = min(DUST_FLAP_SHARE * depth, width / 2 - RELIEF)
    notch = min(NOTCH, NOTCH_SHARE * width)
    middle = front.x + width / 2
    angles = (pi * n / NOTCH_SEGMENTS for n in range(NOTCH_SEGMENTS + 1))
    # Clockwise from the glue flap. The bottom outline mirrors the top one.
    above = (*_dust_flap(left, top, -flap), (back.x, top), (back.x, lid.y), (back.x + 2 * SLANT, 0),
             (back.right - 2 * SLANT, 0), (back.right, lid.y), (back.right, top), *_dust_flap(right, top, -flap))
    below = tuple((x, top + bottom - y) for x, y in reversed(above))
    outline = tuple(Point(x, y) for x, y in (
        (0, top + 3 * SLANT), (GLUE_FLAP, top),
        *((middle - notch * cos(angle), top + notch * sin(angle)) for angle in angles),
        (front.right, top), *above, (right.right, top), (right.right, bottom), *below, (front.right, bottom),
        (GLUE_FLAP, bottom), (0, bottom - 3 * SLANT)))
    folds = (
        *(LineSegment(Point(x, top), Point(x, bottom)) for x in xs[:-1]),
        *(LineSegment(Point(panel.x, y), Point(panel.right, y)) for panel in (left, back, right)
          for y in (top, bottom)),
        *(LineSegment(Point(panel.x, y), Point(panel.right, y)) for panel, y in ((lid, lid.y), (base, base.bottom))))
    marks = cached_by("box marks", inside, depth, make=lambda: json.dumps(  # they take 2 % of a build again
        [(mark.start.x, mark.start.y, mark.end.x, mark.end.y)
         for mark in _prolonging_marks(outline, folds)]).encode())
    return BoxNet(
        kind=Folded.BOX, size=net_size(inside, depth), outline=outline, folds=folds, tucks=tucks,
        notch=notch,
        panels={"front": front, "left": left, "back": back, "right": right, "lid": lid, "base": base},
        glued=(Rect(0, top, GLUE_FLAP, height),),
        marks=tuple(LineSegment(Point(*mark[:2]), Point(*mark[2:])) for mark in json.loads(marks)))


def _dust_flap(panel: Rect, root: float, length: float) -> tuple[tuple[float, float], ...]:
    """Outline of a flap from left to right; a negative ``length`` points up."""
    near = min(RELIEF, panel.width / 12)
    far = near + min(SLANT, panel.width / 6)
    return ((panel.x + near, root), (panel.x + far, root + length), (panel.right - far, root + length),
            (panel.right - near, root))


def _prolonging_marks(outline: Sequence[Point], folds: Sequence[LineSegment]) -> Iterator[LineSegment]:
    """Prolong each straight cut and fold at both ends, clear of the net; not those of the glue flap."""
    edges = [LineSegment(start, end) for start, end in pairwise((*outline, outline[0]))]
    straight = [edge for edge in edges if hypot(edge.end.x - edge.start.x, edge.end.y - edge.start.y) > MIN_MARK_LENGTH
                and min(edge.start.x, edge.end.x) > 0]
    seen: set[tuple[float, ...]] = set()
    for line in (*straight, *folds):
        for end, other in ((line.end, line.start), (line.start, line.end)):
            if mark := _prolong(end, other, edges):
                key = tuple(round(value, 3) for value in (mark.start.x, mark.start.y, mark.end.x, mark.end.y))
                if key not in seen:
                    seen.add(key)
                    yield mark


def _prolong(end: Point, other: Point, edges: Sequence[LineSegment]) -> LineSegment | None:
    """Return the first clear stretch of the line from ``other`` beyond ``end``, if it is long enough."""
    across, up, count = end.x - other.x, end.y - other.y, round(MARK_REACH / MARK_STEP)
    length = hypot(across, up)

    def place(step: int) -> tuple[float, float]:
        return end.x + across / length * step * MARK_STEP, end.y + up / length * step * MARK_STEP

    (left, _), (top, bottom) = map(sorted, zip(place(1), place(count), strict=True))
    near = [(a.x, a.y, b.y, b.x - a.x, b.y - a.y) for a, b in ((edge.start, edge.end) for edge in edges)  # for speed
            if max(a.x, b.x) > left - MARK_CLEARANCE and min(a.y, b.y) < bottom + MARK_CLEARANCE
            and max(a.y, b.y) > top - MARK_CLEARANCE]

    def skip(step: int, clear: bool) -> int:
        """Return the first step from this one that is ``clear``, or not: room changes by no more than the way."""
        while step <= count:
            spare = _room(*place(step), near) - MARK_CLEARANCE
            if (spare >= 0) is clear:
                break
            step += max(1, int(abs(spare) / MARK_STEP))
        return step

    first = skip(1, clear=True)
    last = min(skip(first, clear=False), count + 1) - 1
    is_long = (last - first) * MARK_STEP >= MIN_MARK_LENGTH
    return LineSegment(Point(*place(first)), Point(*place(last))) if is_long else None


def _room(x: float, y: float, edges: Sequence[tuple[float, float, float, float, float]]) -> float:
    """How far a place is from the net, negative within it. An edge is its start, the y of its end, and its way."""
    inside, nearest = False, inf
    for left, top, bottom, dx, dy in edges:
        along = ((x - left) * dx + (y - top) * dy) / (dx * dx + dy * dy)
        along = 0.0 if along < 0 else 1.0 if along > 1 else along
        nearest = min(nearest, hypot(left + along * dx - x, top + along * dy - y))
        if (top > y) != (bottom > y) and x < left + (y - top) / dy * dx:
            inside = not inside
    return -nearest if inside else nearest


# --- The box ---

NET = "net"  # anchor in the box's template for the net's top left corner and rotation
BOARD_THICKNESS = 1.0  # thickness of the board under glued pieces, in mm; the guide recommends 0.5 to 1 mm
SLEEVE, SLEEVE_THICKNESS = Size(4, 4), 0.2  # what a sleeve adds to a card, in mm: two films of 0.1 mm, welded outside
PLAY = 1.2  # extra width, height and depth of the inside, in mm, so that cards slide
FOLDED_SHEET_SIZE, PAPER_THICKNESS, MAX_FOLDS = Size(210, 297), 0.1, 5
"""Size (A4; Letter folds as small) and thickness (80 g/m²) in mm of the sheets that are folded one by one, rules and
score sheet, and how often one may be folded in half."""
PAPER_AIR = 1.2  # height of folded paper divided by that of its layers
LOOSE_PIECES = "box-pieces"  # id of the box for loose pieces
LOOSE_STOCKS = (Stock.FOLDED, Stock.STICKER)  # don't lie flat: what is folded, and stickers on cubes
FILL = 0.55  # share of a box that loose pieces fill
FIGURE_THICKNESS, CUBE_RIM = 4.0, 1.0  # of a figure with its feet bent back; a cube's rim, in mm
LOOSE_WIDTH_STEP = 5.0  # in mm, in which the box for loose pieces gets broader until its net fits the paper


def tuck_box_part(texts: Texts, template: str, parts: Sequence[Part], pack: Pack, room: Size, rules: bool = False,
                  loose: bool = False) -> Part:
    """Make the box for the cards and the other pieces that fit it, on a page of its own.

    ``rules`` is whether the game has rules. If the net is too large for the room, they are left out of the box first,
    then the small pieces. Raises InputError if the net is too large with cards alone. With ``loose``, what is folded,
    or glued to cubes, has a box as high as that on another page, unless its net is too large.
    """
    cards = boxed_cards(parts)
    card = Size(max(card.size.width for card in cards), max(card.size.height for card in cards))
    sleeve = SLEEVE if pack.sleeved else Size(0, 0)
    inside = Size(card.width + sleeve.width + PLAY, card.height + sleeve.height + PLAY)
    for contents in _possible_contents(parts, card, inside, pack, rules):
        packed, has_paper, height = contents
        size = net_size(inside, height + PLAY)
        if _fits(size, room):
            break
    else:
        raise InputError.at("--paper", Phrase("box_too_large", size=_rounded_mm(size), room=_rounded_mm(room)),
                            Phrase("on_larger_paper"), key=BOX)

    def component(id: str, net: BoxNet, inside: Sequence[Component], beside: Sequence[Component], paper: bool,
                  ) -> Component:
        values = {"box": net, "turned": _is_turned(net.size, room), "pieces": _describe_pieces(inside),
                  "beside": _describe_pieces(beside), "paper": paper,
                  "address": pack.home, "cards": sum(piece.copies for piece in inside if piece.size == card)}
        return Component(id=id, front=FaceRequest(template=template, size=room, values=values, worded=True))

    boxes = [component(BOX, box_net(inside, height + PLAY), packed, (), has_paper)]
    if loose and (pieces := [(piece, part.stock) for part in parts if part.stock in LOOSE_STOCKS
                             for piece in part.components]):
        volume = fsum(_volume(piece, stock, pack) * piece.copies for piece, stock in pieces) / FILL
        if net := _loose_net(inside, volume, room):
            boxes.append(component(LOOSE_PIECES, net, [piece for piece, _ in pieces], cards, paper=False))
    return Part(name=BOX, title=texts("parts.box"), stock=Stock.BOX, layout=PAGE, components=tuple(boxes))


def boxed_cards(parts: Iterable[Part]) -> list[Component]:
    """Return the cards that the box is made for: all on card but what is folded, or as large as a mat."""
    return [piece for part in parts if part.stock is Stock.CARD for piece in part.components
            if not piece.net and max(piece.size.width, piece.size.height) <= MAX_CARD_SIDE_MM]


def _describe_pieces(pieces: Iterable[Component]) -> list[dict[str, object]]:
    return [{"id": piece.id, "copies": piece.copies, "given": piece.front.values} for piece in pieces]


def _is_turned(net: Size, room: Size) -> bool:
    return net.width > room.width or net.height > room.height


def _fits(net: Size, room: Size) -> bool:
    within = room.turned if _is_turned(net, room) else room
    return net.width <= within.width and net.height <= within.height


def _volume(piece: Component, stock: Stock, pack: Pack) -> float:
    """The room that a finished piece takes, in mm³."""
    net, size = piece.net, piece.size
    if net and net.kind is Folded.TENT:
        base, roof = net.panels["base"].height, net.panels["front"].height
        return net.size.width * base / 2 * sqrt(roof**2 - base**2 / 4)
    if net and net.kind is Folded.DIE:
        return net.panels["1"].width**3
    if net:
        figure = net.panels["front"]
        return figure.width * figure.height * FIGURE_THICKNESS
    if stock is Stock.STICKER and piece.shape.is_ruled:
        return (max(size.width, size.height) + CUBE_RIM)**3
    return size.width * size.height * (pack.thickness + BOARD_THICKNESS)


def _loose_net(inside: Size, volume: float, room: Size) -> BoxNet | None:
    """The net of a box of that volume (mm³) and as high as ``inside``: the narrowest that fits the room, if any."""
    width = inside.width
    while width < max(room.width, room.height):
        room_inside, depth = Size(width, inside.height), volume / width / inside.height + PLAY
        if _fits(net_size(room_inside, depth), room):
            return box_net(room_inside, depth)
        width += LOOSE_WIDTH_STEP
    return None


def _possible_contents(parts: Sequence[Part], card: Size, inside: Size, pack: Pack,
                       rules: bool) -> Iterator[tuple[list[Component], bool, float]]:
    """Yield pieces, whether the folded paper is with them, and their height in mm."""
    stocks = {Stock.CARD: pack.thickness, Stock.BOARD: pack.thickness + BOARD_THICKNESS}
    pieces = [(component, stocks[part.stock]) for part in parts if part.stock in stocks
              for component in part.components if not component.net and _count_per_layer(component.size, inside)]
    cards = [(piece, thickness) for piece, thickness in pieces if piece.size == card] or pieces
    sleeves = sum(piece.copies for piece, _ in cards) * SLEEVE_THICKNESS * pack.sleeved
    layers = _count_folded_layers(FOLDED_SHEET_SIZE, inside) * (pack.rules_sheets + 1)
    folded = layers * PAPER_THICKNESS * PAPER_AIR * rules
    for packed, has_paper in ((pieces, bool(folded)), (pieces, False), (cards, False)):
        yield ([piece for piece, _ in packed], has_paper,
               _stack_height(packed, inside) + sleeves + folded * has_paper)


def _stack_height(pieces: Iterable[tuple[Component, float]], inside: Size) -> float:
    """Height of the pieces: those of one size and thickness fill layers of their own."""
    counts: Counter[tuple[Size, float]] = Counter()
    for piece, thickness in pieces:
        counts[piece.size, thickness] += piece.copies
    return fsum(ceil(count / _count_per_layer(size, inside)) * thickness for (size, thickness), count in counts.items())


def _count_per_layer(size: Size, inside: Size) -> int:
    return max(int(inside.width // each.width) * int(inside.height // each.height) for each in (size, size.turned))


def _count_folded_layers(sheet: Size, inside: Size) -> int:
    """Number of layers of a sheet folded in half across its longer side until it fits; 0 if it never does."""
    for folds in range(MAX_FOLDS + 1):
        if _count_per_layer(sheet, inside):
            return int(2**folds)
        sheet = Size(sheet.height / 2, sheet.width).portrait
    return 0


def _rounded_mm(size: Size) -> str:
    return f"{size.width:.0f} × {size.height:.0f} mm"
