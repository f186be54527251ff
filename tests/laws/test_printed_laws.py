"""Laws of printed pages: each face, mark, field and page is found again where imposition and manifest say."""

import io
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from math import cos, hypot, radians, sin
from pathlib import Path

import pikepdf
import pypdfium2
import pytest

from ppgen.engine.component import FieldForm, FormField, Part
from ppgen.engine.drawing.face import Face
from ppgen.engine.drawing.fonts import FontBook
from ppgen.engine.geometry import A4, UNSCALED, Format, LineSegment, Point, Rect, Scale, Seams, Size, bounding_box
from ppgen.engine.imposition.impose import BACK_EXTRA, impose, impose_nested, impose_pages, impose_tiled
from ppgen.engine.imposition.sheets import (Backs, Captions, DocumentInfo, Flip, Imposition, Item, Marks, Sheet,
                                            SheetSide, SheetSpec, SheetTile)
from ppgen.engine.pdf.assembly import assemble, draw_pages, plan_correction
from ppgen.engine.pdf.form_fields import add_forms
from ppgen.engine.shapes import CIRCLE, HEXAGON, RECTANGLE
from ppgen.printing.calibration import DRIFT_DEGREES_PER_MM
from ppgen.printing.manifest import Json, file_entry
from ppgen.shipped import shipped_root
from tests.node import find_node
from tests.pdf_reading import MM, PageContent, Stroke, box_around, read_page

A5, A3, LETTER = Format("a5", Size(148, 210)), Format("a3", Size(297, 420)), Format("letter", Size(215.9, 279.4))
SPECS = [
    (SheetSpec(paper=A4), UNSCALED),
    (SheetSpec(paper=LETTER, bleed=3, margin=5, flip=Flip.SHORT, marks=Marks.LINES, back_offset=Point(1.5, -0.75),
               back_rotation=0.8), Scale(1.003, 0.996)),
    (SheetSpec(paper=A4, backs=Backs.FOLD), UNSCALED),
    (SheetSpec(paper=A5, bleed=0, backs=Backs.FOLD, marks=Marks.LINES), Scale(0.99, 1.01)),
    (SheetSpec(paper=A4, marks=Marks.SILHOUETTE, back_offset=Point(-2, 1)), UNSCALED),
    (SheetSpec(paper=A3, backs=Backs.FOLD, marks=Marks.SILHOUETTE), UNSCALED),
    (SheetSpec(paper=LETTER, bleed=2.5, margin=11, backs=Backs.NONE, marks=Marks.NONE), UNSCALED),
]
CREASED = replace(RECTANGLE, folds=(LineSegment(Point(0, 0.4), Point(1, 0.4)),
                                    LineSegment(Point(0.5, 0), Point(0.5, 1))))


def run(name: str, count: int, width: float, height: float, **facts: object) -> list[Item]:
    return [Item(id=f"{name}-{n}", size=Size(width, height), **facts) for n in range(count)]


LAYOUTS = {
    "cards": lambda spec: (items := [*run("card", 11, 63, 88, edge="oak"), *run("small", 3, 44, 68),
                                     Item(id="bare", size=Size(63, 88), has_back=False)], impose(items, spec, "cards")),
    "circles": lambda spec: (items := run("disc", 14, 30, 30, shape=CIRCLE), impose(items, spec, "discs")),
    "folded": lambda spec: (items := run("tent", 5, 50, 40, shape=CREASED), impose(items, spec, "tents")),
    "hexagons": lambda spec: (items := run("hex", 16, 40, 34.64, shape=HEXAGON), impose_nested(items, spec, "hex")),
    "board": lambda spec: (items := [*run("board", 1, 480, 390, seams=Seams((170.0,), (95.0,))),
                                     *run("aid", 1, 60, 90)],
                           impose_tiled(items, spec, "board")),
    "pages": lambda spec: (items := run("page", 2, 120, 120), impose_pages(items, spec)),
    "halves": lambda spec: (items := run("half", 3, 80, 80, has_back=False), impose_pages(items, spec, abreast=2)),
}
"""Parts of every way to lie on paper, from a spec."""


@dataclass(frozen=True)
class PrintedPart:
    """A part as PDF, read again, beside what was to be printed."""

    spec: SheetSpec
    scale: Scale
    imposition: Imposition
    items: dict[str, Item]
    content: bytes
    pages: list[PageContent]
    entry: Json

    @property
    def sides(self) -> list[tuple[Sheet, SheetSide, PageContent]]:
        sides = [(sheet, side) for sheet in self.imposition.sheets for side in sheet.sides]
        return [(*side, page) for side, page in zip(sides, self.pages, strict=True)]

    def paper_point(self, at: Point, sheet: Sheet, degrees: float = 0.0) -> Point:
        """Where a point of a sheet comes to lie, turned clockwise about its middle, and scaled about it."""
        x, y = sheet.size.width / 2, sheet.size.height / 2
        c, s, right, down = cos(radians(degrees)), sin(radians(degrees)), at.x - x, at.y - y
        return Point(x + self.scale.x * (c * right - s * down), y + self.scale.y * (s * right + c * down))

    def lies(self, at: Point, wanted: Point, sheet: Sheet, degrees: float = 0.0) -> bool:
        """Whether a point on paper is a point of a sheet; matrices of turned pages have four digits."""
        return near(at, self.paper_point(wanted, sheet, degrees), 0.02 if degrees else 2e-3)

    def paper_box(self, rect: Rect, sheet: Sheet) -> Rect:
        corners = Point(rect.x, rect.y), Point(rect.right, rect.bottom)
        return box_around([self.paper_point(at, sheet) for at in corners])


def print_part(items: Sequence[Item], imposition: Imposition, spec: SheetSpec, scale: Scale,
               fonts: FontBook) -> PrintedPart:
    """Print faces that are empty but for their names."""
    bleeds = {"front": spec.bleed, "back": spec.bleed + (BACK_EXTRA if spec.backs is Backs.DUPLEX else 0)}
    faces = {(item.id, side): Face(svg=f"{item.id} {side}", size=item.size, bleed=bleed)
             for item in items for side, bleed in bleeds.items()}
    with pikepdf.new() as pdf:
        for face in faces.values():
            page = pdf.add_blank_page(page_size=((face.size.width + 2 * face.bleed) / MM,
                                                 (face.size.height + 2 * face.bleed) / MM))
            page.Contents = pdf.make_stream(f"% {face.svg}\n".encode())
        pdf.save(drawn := io.BytesIO())
    sides = [f"{number} {side.name}" for number, sheet in enumerate(imposition.sheets) for side in sheet.sides]
    captions = [Captions(label=f"Some game · {side}" + " · and on" * 40, hint="Print at 100 %") for side in sides]
    info = DocumentInfo(title="T", author="A", subject="S", lang="en", creator="ppgen", bookmarks=sides,
                        page_labels=sides)
    content = assemble(draw_pages(imposition.sheets, captions, fonts), imposition.sheets, faces,
                       [([*faces.values()], drawn.getvalue())], info, scale)
    entry = file_entry("part.pdf", Part(name="part", title="Part", components=()), content, imposition, {}, spec.backs)
    return PrintedPart(spec, scale, imposition, {item.id: item for item in items}, content, read_pages(content), entry)


def read_pages(content: bytes) -> list[PageContent]:
    """The pages of a document, with the names of faces as :func:`print_part` has given them."""
    with pikepdf.open(io.BytesIO(content)) as pdf:
        pages = [read_page(page) for page in pdf.pages]
        for page in pages:
            page.faces = [replace(face, name=face.form.read_bytes().decode().strip("% \n")) for face in page.faces]
    return pages


@pytest.fixture(scope="module")
def printed(fonts: FontBook) -> list[PrintedPart]:
    """Each way to lie on paper with the first spec, and with every second of the others."""
    return [print_part(*layout(spec), spec, scale, fonts) for n, layout in enumerate(LAYOUTS.values())
            for m, (spec, scale) in enumerate(SPECS) if not m or (n + m) % 2]


def near(one: Point, other: Point, slack: float = 2e-3) -> bool:
    return hypot(one.x - other.x, one.y - other.y) < slack


def alike(one: Rect, other: Rect, slack: float = 2e-3) -> bool:
    return near(Point(one.x, one.y), Point(other.x, other.y), slack) and near(
        Point(one.right, one.bottom), Point(other.right, other.bottom), slack)


def test_each_face_lies_and_stands_where_the_manifest_says_it_does(printed: list[PrintedPart]) -> None:
    for part in printed:
        assert part.entry["pages"] == len(part.entry["sides"]) == len(part.pages)
        assert part.entry["sheets"] == len(part.imposition.sheets)
        for (sheet, side, page), told in zip(part.sides, part.entry["sides"], strict=True):
            assert side.name == told["side"]
            assert told.get("rotation", 0) == side.rotation
            assert side.rotation in ((0,) if side.name == "front" else (0, part.spec.back_rotation))
            for face, place in zip(page.faces, told["placements"], strict=True):
                assert face.name == f"{place['component']} {place['face']}"
                item, window = part.items[place["component"]], place.get("window")
                left, top = (window["x_mm"], window["y_mm"]) if window else (0, 0)
                middle = Point(place["x_mm"] - left + item.size.width / 2, place["y_mm"] - top + item.size.height / 2)
                assert part.lies(face.middle, middle, sheet, side.rotation)
                assert face.turn == place["turn"]
                assert window or (place["width_mm"], place["height_mm"]) == pytest.approx(
                    (item.size.width, item.size.height), abs=1e-4)


def test_a_face_is_shown_up_to_its_bleed_and_a_little_over_a_cut_that_it_shares(printed: list[PrintedPart]) -> None:
    for part in printed:
        for sheet, side, page in part.sides:
            for face, placement in zip(page.faces, side.placements, strict=True):
                box, bleed = placement.trim, placement.bleed
                left, top, right, bottom = (length or 0.1 for length in (
                    bleed.left, bleed.top, bleed.right, bleed.bottom))
                wanted = placement.clip or (
                    Point(box.x - left, box.y - top), Point(box.right + right, box.y - top),
                    Point(box.right + right, box.bottom + bottom), Point(box.x - left, box.bottom + bottom))
                for at, corner in zip(face.clip, wanted, strict=True):
                    assert part.lies(at, corner, sheet, side.rotation)


def test_the_boxes_of_a_page_are_the_paper_and_what_encloses_its_trims_and_bleeds(printed: list[PrintedPart]) -> None:
    for part in printed:
        with pikepdf.open(io.BytesIO(part.content)) as pdf:
            for page, (sheet, side, _) in zip(pdf.pages, part.sides, strict=True):
                paper = Rect(0, 0, sheet.size.width, sheet.size.height)
                trims = part.paper_box(bounding_box(tuple(placed.trim for placed in side.placements)), sheet)
                bleeds = part.paper_box(bounding_box(tuple(placed.bleed_box for placed in side.placements)), sheet)
                for name, wanted in (("/MediaBox", paper), ("/CropBox", paper), ("/TrimBox", trims),
                                     ("/BleedBox", bleeds)):
                    left, bottom, right, top = (float(edge) * MM for edge in page.obj[name])
                    box = Rect(left, paper.height - top, right - left, top - bottom)
                    edges = (max(wanted.x, 0), max(wanted.y, 0), min(wanted.right, paper.width),
                             min(wanted.bottom, paper.height))
                    assert (box.x, box.y, box.right, box.bottom) == pytest.approx(edges, abs=2e-3), name


def lines_along(side: SheetSide) -> Iterator[tuple[LineSegment, tuple[float, ...], float]]:
    """The marks of a side in the order of drawing, each with its dashes and grey; a white line lies under some."""
    yield from ((line, (), 0.0) for line in side.cuts)
    yield from ((line, (2, 1.2), 0.0) for line in side.folds)
    rims = [LineSegment(*ends) for outline in side.outlines
            for ends in pairwise((*outline.points, *outline.points[:outline.closed]))]
    for lines, dash in ((rims, ()), (side.creases, (0.5, 0.3))):
        yield from ((line, (), 1.0) for line in lines)
        yield from ((line, dash, 0.0) for line in lines)


def test_each_mark_has_both_ends_where_it_was_laid_and_turns_with_the_backs(printed: list[PrintedPart]) -> None:
    seen = set()
    for part in printed:
        for sheet, side, page in part.sides:
            strokes = page.strokes[:page.moving]
            wanted = list(lines_along(side))
            for stroke, (line, dash, grey) in zip(strokes, wanted, strict=False):
                assert near(stroke.start, part.paper_point(line.start, sheet, side.rotation))
                assert near(stroke.end, part.paper_point(line.end, sheet, side.rotation))
                assert (stroke.dash, stroke.grey) == (pytest.approx(dash, abs=1e-4), grey)
                assert stroke.width == pytest.approx(0.3 if grey else 0.15, abs=1e-4)
                seen.add((dash, grey))
            arrows = strokes[len(wanted):]
            assert len(arrows) == 2 * len(side.seams)
            for seam, one, other in zip(side.seams, arrows[::2], arrows[1::2], strict=True):
                tip, tail = (part.paper_point(at, sheet) for at in (seam.start, seam.end))
                assert near(one.start, tip) and near(other.start, tip)
                assert near(Point((one.end.x + other.end.x) / 2, (one.end.y + other.end.y) / 2), tail)
                assert hypot(one.end.x - other.end.x, one.end.y - other.end.y) == pytest.approx(
                    hypot(tip.x - tail.x, tip.y - tail.y), rel=0.03)
                seen.add("arrow")
    assert seen == {((), 0.0), ((), 1.0), ((2, 1.2), 0.0), ((0.5, 0.3), 0.0), "arrow"}


def test_registration_marks_are_black_boxes_where_the_manifest_says(printed: list[PrintedPart]) -> None:
    seen = 0
    for part in printed:
        for (sheet, side, page), told in zip(part.sides, part.entry["sides"], strict=True):
            wanted = [part.paper_box(ink, sheet) for mark in side.registration for ink in mark.ink]
            black = page.boxes[:len(wanted)]
            assert len(black) == len(wanted) and all(map(alike, black, wanted))
            marks = told.get("registration", [])
            assert [mark["kind"] for mark in marks] == [mark.kind for mark in side.registration]
            for mark, boxes in zip(marks, (black[:1], black[1:3], black[3:5]), strict=False):
                around = bounding_box(tuple(boxes))
                assert alike(around, Rect(mark["x_mm"], mark["y_mm"], mark["width_mm"], mark["height_mm"]))
            seen += len(marks)
    assert seen


def fixed_strokes(page: PageContent, tile: SheetTile | None) -> tuple[list[Stroke], list[Stroke], list[Stroke]]:
    """The lines of crosses, of the key to the tiles and of the scale bar: they stay where the paper is."""
    fixed = page.strokes[page.moving:]
    key = len(tile.columns) + len(tile.rows) if tile else 0
    first = len(fixed) - 12 - key
    return fixed[:first], fixed[first:first + key], fixed[first + key:]


def test_crosses_and_scale_bar_stay_where_the_paper_is(printed: list[PrintedPart]) -> None:
    for part in printed:
        for sheet, side, page in part.sides:
            furniture = sheet.furniture
            crosses, _, (bar, *ticks) = fixed_strokes(page, side.placements[0].tile)
            arms = [LineSegment(Point(at.x - x, at.y - y), Point(at.x + x, at.y + y))
                    for at in furniture.crosses for x, y in ((1.5, 0), (0, 1.5))]
            assert len(crosses) == len(arms) == 2 * len(page.curves) / 4
            for stroke, arm in zip(crosses, arms, strict=True):
                assert near(stroke.start, part.paper_point(arm.start, sheet))
                assert near(stroke.end, part.paper_point(arm.end, sheet))
            for n, (a, b, c, d) in enumerate(page.curves):
                middle = part.paper_point(furniture.crosses[n // 4], sheet)
                half = Point((a.x + 3 * b.x + 3 * c.x + d.x) / 8, (a.y + 3 * b.y + 3 * c.y + d.y) / 8)
                assert [hypot(at.x - middle.x, at.y - middle.y) for at in (a, half, d)] == pytest.approx(
                    [0.9] * 3, rel=0.011)
            strip, across = part.paper_box(furniture.foot, sheet), furniture.upright
            along = part.scale.x if across else part.scale.y
            assert bar.length == pytest.approx(50 * along, abs=2e-3)
            start = Point(strip.x + 2 * along, strip.y + 0.72 * strip.height) if across else Point(
                strip.x + 0.72 * strip.width, strip.bottom - 2 * along)
            assert near(bar.start, start)
            assert (bar.end.x > bar.start.x) if across else (bar.end.y < bar.start.y)
            assert [hypot(tick.start.x - bar.start.x, tick.start.y - bar.start.y) for tick in ticks] == pytest.approx(
                [5 * n * along for n in range(11)], abs=2e-3)
            assert [tick.length for tick in ticks] == pytest.approx([1.6, *[0.9, 1.6] * 5], rel=0.011)
            assert all(box_around((tick.start, tick.end)).width < 1e-3 if across else
                       box_around((tick.start, tick.end)).height < 1e-3 for tick in ticks)
            assert all(strip.contains(box_around((stroke.start, stroke.end)), 1e-3) for stroke in (bar, *ticks))


def test_the_key_to_the_tiles_is_a_small_picture_of_them_at_the_end_of_its_strip(printed: list[PrintedPart]) -> None:
    seen = set()
    for part in printed:
        for sheet, side, page in part.sides:
            filled = page.boxes[sum(len(mark.ink) for mark in side.registration):]
            if not (tile := side.placements[0].tile):
                assert not filled
                continue
            _, key, _ = fixed_strokes(page, tile)
            around = box_around([end for line in key for end in (line.start, line.end)])
            strip = part.paper_box(sheet.furniture.label, sheet)
            assert strip.contains(around, 1e-3)
            end, thickness, length, room = (
                (around.right - strip.right, around.height, around.width, strip.height) if sheet.furniture.upright else
                (around.y - strip.y, around.width, around.height, strip.width))
            assert end == pytest.approx(0, abs=2e-3)
            assert thickness == pytest.approx(room, abs=2e-3) or length == pytest.approx(20, rel=0.01)
            (box,), width, height = filled, tile.columns[-1], tile.rows[-1]
            assert around.width / part.scale.x / width == pytest.approx(around.height / part.scale.y / height, rel=1e-3)

            def share(x: float, y: float, around: Rect = around, size: tuple[float, float] = (width, height)) -> Point:
                return Point(around.x + around.width * x / size[0], around.y + around.height * y / size[1])

            own = tile.own
            assert alike(box, box_around((share(own.x, own.y), share(own.right, own.bottom))))
            lines = [*((share(x, 0), share(x, height)) for x in tile.columns),
                     *((share(0, y), share(width, y)) for y in tile.rows)]
            assert all(near(line.start, start) and near(line.end, end)
                       for line, (start, end) in zip(key, lines, strict=True))
            seen.add(sheet.furniture.upright)
    assert seen


def test_words_stand_in_their_strips_clear_of_the_bar_and_the_key(printed: list[PrintedPart]) -> None:
    for part in printed:
        sheet, side, page = part.sides[0]
        with pypdfium2.PdfDocument(part.content) as document:
            words = document[0].get_textpage()
            boxes = [Rect(left * MM, page.height - top * MM, (right - left) * MM, (top - bottom) * MM)
                     for left, bottom, right, top in map(words.get_charbox, range(words.count_chars()))]
        label, foot = (part.paper_box(strip, sheet) for strip in (sheet.furniture.label, sheet.furniture.foot))
        _, key, bar = fixed_strokes(page, side.placements[0].tile)
        if "half-0" in part.items:  # words stay on the first of the pages that are cut apart
            assert max(label.right, foot.right) < sheet.size.width / 2
        assert any(label.contains(box, 0.3) for box in boxes) and any(foot.contains(box, 0.3) for box in boxes)
        assert all(label.contains(box, 0.3) or foot.contains(box, 0.3) for box in boxes)
        for lines, apart in ((bar[:1], 1.9), (key, 1.9)):
            if lines:
                taken = box_around([end for line in lines for end in (line.start, line.end)])
                gaps = [max(taken.x - box.right, box.x - taken.right) if sheet.furniture.upright else
                        max(taken.y - box.bottom, box.y - taken.bottom) for box in boxes
                        if (label if lines is key else foot).contains(box, 0.3)]
                assert min(gaps) > apart


def test_each_field_lies_on_its_place_of_the_face(fonts: FontBook) -> None:
    spec = SheetSpec(paper=A4)
    items = run("page", 2, 120, 120, has_back=False)
    imposition = impose_pages(items, spec)
    part = print_part(items, imposition, spec, UNSCALED, fonts)
    forms = {item.id: FieldForm(fields=tuple(
        FormField(name=f"{item.id}.{n}", rect=Rect(5 + n, 7 * n, 20, 6), tooltip="x") for n in range(3)))
        for item in items}
    with pikepdf.open(io.BytesIO(part.content)) as pdf:
        add_forms(pdf, imposition.sheets, forms, fonts)
        seen = 0
        for page, (sheet, side, _) in zip(pdf.pages, part.sides, strict=True):
            fields = [field for placed in side.placements for field in forms[placed.item].fields]
            places = [placed.trim for placed in side.placements for _ in forms[placed.item].fields]
            for widget, field, trim in zip(page.obj.Annots, fields, places, strict=True):
                left, bottom, right, top = (float(edge) * MM for edge in widget.Rect)
                box = Rect(left, sheet.size.height - top, right - left, top - bottom)
                assert alike(box, field.rect.shifted(Point(trim.x, trim.y)))
                assert [float(edge) * MM for edge in widget.AP.N.BBox] == pytest.approx([0, 0, 20, 6], abs=5e-3)
                assert f"{widget.Parent.T}.{widget.T}" == field.name
                seen += 1
        assert seen == 6


READINGS = {"across": 99.6, "down": 100.3, "a-x": 0.8, "a-y": -0.4, "b-x": 0.5, "b-y": 0.2}
"""What somebody reads on the calibration page: the printer shrinks, stretches, shifts and turns."""


def test_a_correction_moves_each_face_and_mark_of_each_back_and_scales_every_page(printed: list[PrintedPart],
                                                                                  tmp_path: Path) -> None:
    """By the script of the site, which has a plan of the file and knows no PDF."""
    usual = [part for part in printed if part.spec is SPECS[0][0]]
    plans = {f"{n}.pdf": plan_correction(part.content, [side.name == "back" for _, side, _ in part.sides])
             for n, part in enumerate(usual)}
    for name, part in zip(plans, usual, strict=True):
        (tmp_path / name).write_bytes(part.content)
    made = find_node(Path(__file__).parent.parent / "pages").run(
        "printer.mjs", str(shipped_root() / "templates" / "site" / "printer.js"), given={
            "plans": plans, "readings": READINGS, "numbers": [], "slope": DRIFT_DEGREES_PER_MM,
            "files": {name: [str(tmp_path / name), str(tmp_path / f"new-{name}")] for name in plans}})["correction"]
    scale = Scale(*made["scale"])
    assert (scale.x, scale.y) == pytest.approx((100 / 99.6, 100 / 100.3), abs=1e-4) and made["turn"]
    for name, part in zip(plans, usual, strict=True):
        scaled = replace(part, scale=scale)
        pages = read_pages((tmp_path / f"new-{name}").read_bytes())
        for (sheet, side, old), new in zip(part.sides, pages, strict=True):
            shift, turn = ((made["x"], made["y"]), made["turn"]) if side.name == "back" else ((0, 0), 0.0)
            moving = [(one, two) for before, after in zip(old.faces, new.faces, strict=True)
                      for one, two in zip(before.corners, after.corners, strict=True)]
            fixed = []
            for n, (before, after) in enumerate(zip(old.strokes, new.strokes, strict=True)):
                pairs = moving if n < old.moving else fixed
                pairs += [(before.start, after.start), (before.end, after.end)]
            assert moving and fixed
            assert all(scaled.lies(two, Point(one.x + shift[0], one.y + shift[1]), sheet, turn) for one, two in moving)
            assert all(scaled.lies(two, one, sheet) for one, two in fixed)

