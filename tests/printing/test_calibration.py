"""The calibration page: what is read off it, as a person reads, makes the backs meet the fronts on that printer."""

import re
from contextlib import nullcontext
from dataclasses import dataclass
from functools import cache
from itertools import pairwise
from math import cos, hypot, radians, sin

import pytest

from ppgen.engine.geometry import A4, Format, Point, Size
from ppgen.engine.imposition.impose import impose, impose_pages, page_area
from ppgen.engine.imposition.sheets import Flip, Item, SheetSpec
from ppgen.errors import InputError
from ppgen.printing.calibration import (DRIFT_DEGREES_PER_MM, MIN_CALIBRATION_PAGE, READINGS, calibration_part,
                                        duplex_drift)
from ppgen.printing.drawn_parts import draw_parts, sheet_bleed
from ppgen.printing.request import CALIBRATION

LETTER, A3 = Format("letter", Size(215.9, 279.4)), Format("a3", Size(297, 420))


@dataclass(frozen=True)
class Drift:
    """What a printer does to a back: it turns it about the middle of the page (clockwise), and shifts it."""

    degrees: float
    right: float
    down: float

    def of(self, point: Point, page: Size) -> Point:
        x, y, turn = point.x - page.width / 2, point.y - page.height / 2, radians(self.degrees)
        return Point(page.width / 2 + x * cos(turn) - y * sin(turn) + self.right,
                     page.height / 2 + x * sin(turn) + y * cos(turn) + self.down)


def through(point: Point, page: Size, flip: Flip) -> Point:
    """Where a point of the back is seen from the front, on a portrait page."""
    return Point(page.width - point.x, point.y) if flip is Flip.LONG else Point(point.x, page.height - point.y)


@dataclass(frozen=True)
class Scale:
    """A scale as it is drawn: its name, the line that it stands on, and the places of its labelled ticks."""

    upright: bool
    base: float
    ticks: dict[float, float]

    def read(self, line: tuple[Point, Point]) -> float:
        """What a line shows that crosses the scale."""
        (start, end) = line
        if self.upright:
            at = start.y + (end.y - start.y) * (self.base - start.x) / (end.x - start.x)
        else:
            at = start.x + (end.x - start.x) * (self.base - start.y) / (end.y - start.y)
        below, above = sorted(sorted(self.ticks, key=lambda tick: abs(tick - at))[:2])
        share = (at - below) / (above - below)
        return self.ticks[below] + share * (self.ticks[above] - self.ticks[below])


@pytest.fixture(scope="module")
def printed(workshop):
    """The faces of a page and where they lie on both sides."""
    @cache
    def page(paper, flip):
        spec, texts = SheetSpec(paper=paper, flip=flip), workshop.texts("en")
        part = calibration_part(texts, spec, page_area(spec))
        drawn, = draw_parts([part], workshop.studio(texts, "full"), sheet_bleed(spec), "en")
        sides = impose_pages(drawn.items, spec).sheets[0].sides
        return [(drawn.faces[CALIBRATION, side.name].svg, side.placements[0]) for side in sides]

    return page


def scales(svg, trim) -> dict[tuple[str, str], Scale]:
    """The scales by A or B and X or Y, as they are drawn: each label counts for the tick that a line leads to."""
    svg = svg[svg.rindex("100 mm"):]  # what stands before belongs to the rulers and the example
    words = [(Point(float(x) + trim.x, float(y) + trim.y), re.sub("<[^>]+>", "", text)) for x, y, text in re.findall(
        r'<text x="([-\d.]+)" y="([-\d.]+)"[^>]*>(.*?)</text>', svg)]
    lines = [Point(a + trim.x, b + trim.y) for line in re.findall(r"<line[^>]*>", svg)
             for a, b in [tuple(float(re.search(rf'{key}="([-\d.]+)"', line)[1]) for key in keys)
                          for keys in (("x1", "y1"), ("x2", "y2"))]]
    segments = list(zip(lines[::2], lines[1::2], strict=True))
    names = {text: at for at, text in words if text in ("A", "B")}
    found: dict[tuple[str, str], dict[float, float]] = {}
    bases = {}
    for at, text in words:
        if not re.fullmatch("0|[+−][1-6]", text):
            continue
        leader = min(segments, key=lambda line: hypot(line[1].x - at.x, line[1].y - at.y))
        tick = next(line for line in segments if line[1] == leader[0])
        upright = tick[0].y == tick[1].y
        side = min(names, key=lambda name: hypot(names[name].x - at.x, names[name].y - at.y))
        key = side, "Y" if upright else "X"
        found.setdefault(key, {})[tick[0].y if upright else tick[0].x] = float(text.replace("−", "-"))
        bases[key] = tick[0].x if upright else tick[0].y
    return {key: Scale(key[1] == "Y", bases[key], ticks) for key, ticks in found.items()}


def crosses(svg, placement, page) -> list[tuple[tuple[Point, Point], tuple[Point, Point]]]:
    """The upright and the level line of each cross, on the back."""
    numbers = re.findall(r'd="M([\d.]+) ([\d.]+)H([\d.]+)M([\d.]+) ([\d.]+)V([\d.]+)"', svg)
    assert len(numbers) == 2
    trim = placement.trim

    def place(x, y):
        return Point(trim.x + x, trim.y + y) if placement.turn == 0 else Point(trim.right - x, trim.bottom - y)

    return [((place(x, top), place(x, bottom)), (place(left, y), place(right, y)))
            for left, y, right, x, top, bottom in (map(float, found) for found in numbers)]


def readings(printed, paper, flip, printer) -> dict[str, Point]:
    """What A and B show when the sheet is held up to the light."""
    (front, front_placed), (back, back_placed) = printed(paper, flip)
    found, page = scales(front, front_placed.trim), paper.size
    assert set(found) == {*READINGS.values()} == {(side, axis) for side in "AB" for axis in "XY"}
    read = {}
    for cross in crosses(back, back_placed, page):
        upright, level = ([through(printer.of(point, page), page, flip) for point in line] for line in cross)
        middle = sum(point.x for point in upright) / 2
        side = min("AB", key=lambda name: abs(sum(found[name, "X"].ticks) / 13 - middle))
        read[side] = Point(found[side, "X"].read(tuple(upright)), found[side, "Y"].read(tuple(level)))
    return read


def residual(paper, flip, printer, offset, degrees) -> float:
    """How far any corner of a back then lies from its front's, in mm."""
    items = [Item(id=str(n), size=Size(59, 92)) for n in range(9)]
    spec = SheetSpec(paper=paper, flip=flip, back_offset=offset, back_rotation=degrees)
    sheet = impose(items, spec, "cards").sheets[0]
    assert sheet.size == paper.size
    front, back = sheet.sides
    turned = Drift(back.rotation, 0, 0)
    worst = 0.0
    for one, other in zip(front.placements, back.placements, strict=True):
        assert one.item == other.item
        seen = [through(printer.of(turned.of(Point(x, y), sheet.size), sheet.size), sheet.size, flip)
                for x in (other.trim.x, other.trim.right) for y in (other.trim.y, other.trim.bottom)]
        worst = max(worst, *(min(hypot(corner.x - x, corner.y - y) for corner in seen)
                             for x in (one.trim.x, one.trim.right) for y in (one.trim.y, one.trim.bottom)))
    return worst


@pytest.mark.parametrize("flip", Flip)
@pytest.mark.parametrize("paper", [LETTER, A3], ids=lambda paper: paper.name)
@pytest.mark.parametrize("printer", [Drift(0, 1.5, -1), Drift(-1, -2.2, 3.1)], ids=str)
def test_what_is_read_brings_the_backs_behind_their_fronts(printed, paper, flip, printer):
    read = readings(printed, paper, flip, printer)
    offset, degrees = duplex_drift(read["A"], read["B"], DRIFT_DEGREES_PER_MM)
    assert residual(paper, flip, printer, offset, degrees) < 0.1
    assert (offset.x, offset.y) == pytest.approx((-printer.right, -printer.down), abs=0.06)
    assert degrees == pytest.approx(-printer.degrees, abs=0.02)


@pytest.mark.parametrize("less", [Size(0.1, 0), Size(0, 0.1), Size(0, 0)], ids=str)
def test_a_page_on_which_its_rulers_would_shrink_is_refused(workshop, less):
    room = Size(MIN_CALIBRATION_PAGE.width - less.width, MIN_CALIBRATION_PAGE.height - less.height)
    with pytest.raises(InputError, match="A4 or Letter") if less != Size(0, 0) else nullcontext():
        calibration_part(workshop.texts("en"), SheetSpec(paper=A4), room)


@pytest.mark.parametrize("lang", ["fr", "ja"])
@pytest.mark.parametrize("room", [MIN_CALIBRATION_PAGE, page_area(SheetSpec(paper=A4))], ids=str)
def test_nothing_stands_beyond_the_page_nor_in_its_neighbour_s_place(workshop, lang, room):
    texts = workshop.texts(lang)
    (component,) = calibration_part(texts, SheetSpec(paper=A4), room, workshop.game.swatches).components
    svg = workshop.studio(texts, "full").draw(component.front, 0, "").svg
    heights = [float(y) for y in re.findall(r'<text x="[-\d.]+" y="([-\d.]+)"', svg)]
    assert min(heights) > 0
    assert max(heights) < room.height
    heads = [svg.index(f">{texts(f'calibration.head-{step}')}<")
             for step in ("print", "measure", "drift", "read", "save")]
    places = [float(re.findall(r' y="([-\d.]+)"', svg[:at])[-1]) for at in heads]
    gaps = [below - above for above, below in pairwise(places[:4])]
    assert min(gaps) > 9  # none stands in another
    assert places[3] < room.height / 2 - 48 < places[4]
