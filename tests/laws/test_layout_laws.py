"""First layouts: what they print lies on the card, beside all else, grows with it and turns with the reading."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import combinations, pairwise
from pathlib import Path

import pytest
from hypothesis import given, strategies as st

from ppgen.engine.drawing.fonts import house_fonts
from ppgen.engine.geometry import Size, points
from ppgen.engine.shapes import ShapeKind
from ppgen.errors import Problems
from ppgen.making.first_layout import ArtPlan, Fitter, LayoutWriter, looks, open_look, write_back, write_front
from ppgen.making.sheet_columns import CardColumns, understand_columns
from ppgen.reading.tables import read_table
from ppgen.records import replace
from tests.printing.test_looks import FITTED, TABLES

SHEETS = [*(text for text, *_ in TABLES.values()), *(text for text, *_ in FITTED[-4:])]
UNPRINTED = {"copies", "id", "notes", "art", "back", "colour"}
POKER, CUTS = Size(63.5, 88.9), [(Size(63.5, 88.9), ShapeKind.RECTANGLE), (Size(50, 40), ShapeKind.RECTANGLE),
                                 (Size(60, 52), ShapeKind.HEXAGON), (Size(18, 18), ShapeKind.RECTANGLE)]
CASES = [pytest.param(look, sheet, cut, id=f"{look}-{m}-{k}") for n, look in enumerate(["", *sorted(looks())])
         for m, sheet in enumerate(SHEETS) for k, cut in enumerate(CUTS) if (n + m + k) % 6 == 0]
Box = tuple[float, float, float, float]


def understand(folder: Path, text: str) -> CardColumns:
    (folder / "sheet.csv").write_text(text, encoding="utf-8")
    return understand_columns(read_table(folder, "sheet.csv", Problems()), ())


def lay_out(columns: CardColumns, cut: tuple[Size, ShapeKind], look: str = "", art: ArtPlan = ArtPlan()):  # noqa: B008
    return write_front(columns, art, *cut, open_look(look))


def calls(front: str) -> Iterator[tuple[str, dict[str, float], str]]:
    """The calls whose places are plain numbers: name, numbers, words."""
    for call, words in re.findall(r"\{\{ ([\w.]+)\((.*?)\) \}\}", front):
        numbers = re.findall(r"\b(\w+)=\(?(-?[\d.]+)(?= if|[,)]|$)", words)
        if "box." not in words and numbers:
            yield call, {key: float(number) for key, number in numbers}, words


def box_of(call: str, at: dict[str, float], words: str) -> Box:
    """Left, top, right and bottom of what a call draws."""
    if "r" in at or call == "icon":
        r = at.get("r", at.get("size", 0) / 2)
        return at["x"] - r, at["y"] - r, at["x"] + r, at["y"] + r
    width = at["width"]
    is_middle, is_end = 'anchor="middle"' in words, 'anchor="end"' in words
    left = at["x"] - (width / 2 if is_middle else width if is_end else 0)
    if call == "text":
        return left, at["y"] - 0.7 * at["min_size"], left + width, at["y"]
    return left, at["y"], left + width, at["y"] + at["height"]


def boxes(front: str) -> list[tuple[str, Box]]:
    return [(call, box_of(call, at, words)) for call, at, words in calls(front) if "x" in at and "y" in at and (
        call in ("text", "icon") or {"height", "r"} & at.keys())]


@pytest.mark.parametrize(("look", "sheet", "cut"), CASES)
def test_each_column_is_printed_inside_the_card_or_named_as_left_out(tmp_path: Path, look: str, sheet: str,
                                                                    cut) -> None:
    columns, (size, _) = understand(tmp_path, sheet), cut
    layout = lay_out(columns, cut, look)
    printed = [column for role, column in columns.roles.items() if role not in UNPRINTED]
    for column in (*printed, *columns.texts, *columns.facts):
        assert (f"card.{column.name}" in layout.front) != (column.heading in layout.left_out), column.heading
    for call, (left, top, right, bottom) in boxes(layout.front):
        bleed = 3.1 if call in ("panel", "image", "look.ornament", "look.frame") else 0.05
        assert -bleed <= left < right <= size.width + bleed and -bleed <= top < bottom <= size.height + bleed, call
    texts = [box for call, box in boxes(layout.front) if call in ("text", "rich", "paragraph")]
    for one, other in combinations(texts, 2):
        apart = max(one[0] - other[2], other[0] - one[2], one[1] - other[3], other[1] - one[3])
        assert apart > -0.35, (one, other)


@pytest.mark.parametrize(("look", "sheet", "cut"), CASES[::2])
def test_a_layout_grows_with_its_card_and_is_mirrored_where_it_is_read_from_right_to_left(
        tmp_path: Path, look: str, sheet: str, cut) -> None:
    columns, (size, shape) = replace(understand(tmp_path, sheet), lang="en"), cut
    front, near = lay_out(columns, cut, look).front, 1.0 if open_look(look).measures.full else 0.2  # with the bleed
    if max(size.width, size.height) > 30:  # below is the least size of type
        large = lay_out(columns, (Size(size.width * 1.6, size.height * 1.6), shape), look).front
        assert [call for call, *_ in calls(front)] == [call for call, *_ in calls(large)]
        for (call, at, _), (_, grown, _) in zip(calls(front), calls(large), strict=True):
            for key in at.keys() & {"x", "y", "width", "height", "size", "min_size", "r"}:
                assert at.get("x", 0) < 0 or at[key] < 1 or grown[key] == pytest.approx(
                    at[key] * 1.6, abs=near, rel=0.02), (call, key)
    mirrored = lay_out(replace(columns, lang="ar"), cut, look).front
    if shape is ShapeKind.RECTANGLE and max(size.width, size.height) > 30 and not columns.is_suit:
        turned = sorted((call, *(round(side, 1) for side in (size.width - right, top, size.width - left, bottom)))
                        for call, (left, top, right, bottom) in boxes(front))
        there = sorted((call, *(round(side, 1) for side in box)) for call, box in boxes(mirrored))
        assert [call for call, *_ in turned] == [call for call, *_ in there]
        for one in turned:
            assert min(max(abs(a - b) for a, b in zip(one[1:], other[1:], strict=True))
                       for other in there if other[0] == one[0]) < 0.16, one


@pytest.mark.parametrize(("look", "sheet", "cut"), CASES[::5])
def test_a_back_is_the_same_if_it_is_turned_round(tmp_path: Path, look: str, sheet: str, cut) -> None:
    (width, height), (size, shape) = (cut[0].width, cut[0].height), cut
    found = boxes(write_back(understand(tmp_path, sheet), ArtPlan(), size, shape, open_look(look)))
    for call, (left, top, right, bottom) in found:
        assert call in ("text", "rich") or any(other == call and box == pytest.approx((
            width - right, height - bottom, width - left, height - top), abs=0.12) for other, box in found), call


@pytest.mark.parametrize("look", ["", *sorted(looks())[::5]])
@pytest.mark.parametrize("has_art", [False, True])
def test_the_more_words_the_smaller_they_and_the_window_and_all_of_it_fits(tmp_path: Path, look: str,
                                                                         has_art: bool) -> None:
    art = ArtPlan(column="card.art", aspects=(1.4,)) if has_art else ArtPlan()
    for size, unit in ((POKER, 1.0), (Size(95.25, 133.35), 1.5)):
        sizes, windows = list[float](), list[float]()
        for count in (1, 10, 25, 45, 70):
            text = (f"Name,Text,Flavour,Power,Might\nAnt,{'the ant eats ' * count},{'It is small. ' * (count % 3)},3,"
                    f"{'strong and ' * (count % 10)}\n")
            sheet = LayoutWriter(understand(tmp_path, text), art, size, ShapeKind.RECTANGLE, open_look(look))
            width, room = 0.85 * size.width, 0.7 * size.height
            (words,), (quote,), facts = sheet.body()[1], sheet.cells("flavour"), sheet.facts()
            plan = sheet._divide(width, room, [words], [quote], facts)
            inner = width - 2 * sheet.look.measures.words * unit
            need = Fitter(sheet.look.fonts).height([words], inner, plan.size)
            assert bool(plan.quote) == bool(quote) and bool(plan.fact) == any(facts)
            assert plan.fact + plan.quote < 0.7 * room and 0 <= plan.window <= room
            assert plan.size > 2.3 * unit or count > 25
            if count <= 25:
                assert need + plan.quote + plan.fact + plan.window <= room
            sizes.append(plan.size)
            windows.append(plan.window)
        assert all(after <= before + 1e-6 for before, after in pairwise(sizes))
        assert windows[0] > windows[-1] >= (0.25 * 0.7 * size.height if has_art else 0)


@pytest.mark.parametrize(("text", "has_window"), [
    ("Name,Text\nAnt,Eat.\n", True), ("Type,Text\nAnt,Eat.\nBee,Fly.\n", True), ("Cost,Text\n3,Draw.\n", False)])
def test_an_ornament_without_a_picture_has_a_name_or_a_kind_in_it(tmp_path: Path, text: str, has_window: bool) -> None:
    sheet = LayoutWriter(understand(tmp_path, text), ArtPlan(), POKER, ShapeKind.RECTANGLE, open_look(""))
    plan = sheet._divide(54, 62, sheet.body()[1], [""] * len(sheet.rows), [""])
    assert bool(plan.window) == has_window
    assert sheet._divide(54, 14, sheet.body()[1], [""] * len(sheet.rows), [""]).window == 0


@given(st.lists(st.sampled_from(["the", "ant", "eats", "{sword}", "grasshoppers"]), min_size=1, max_size=60),
       st.floats(15, 60), st.floats(4, 40))
def test_words_are_set_as_large_as_their_box_takes(words: list[str], width: float, height: float) -> None:
    fitter, text = Fitter(house_fonts()), " ".join(words)
    size = fitter.size([(text, height)], width, 5.0)
    assert size == fitter.size([(text, height), ("ant", height)], width, 5.0)
    assert (0 < size <= 5 and fitter.height([text], width, size) <= height + 0.02) or size < 0.6
    assert size > 3.3 or fitter.height([text], width, size * 1.5) > height or fitter.line(
        [max(words, key=len)], width, 9, "text") < size * 1.5


@pytest.mark.parametrize(("look", "sheet", "cut"), CASES[::7])
def test_of_what_is_set_too_small_the_size_is_told(tmp_path: Path, look: str, sheet: str, cut) -> None:
    columns = understand(tmp_path, sheet)
    for side in (20.0, 31.0, 63.5):
        layout = lay_out(columns, (Size(side, side * 1.4), ShapeKind.RECTANGLE), look)
        told = [float(re.search(r"([\d.]+) pt", problem.what)[1]) for problem in layout.warnings]
        small = [points(at["min_size"]) for call, at, _ in calls(layout.front) if call in ("text", "rich", "paragraph")]
        assert all(size < 5.05 for size in told)
        assert not told or min(small) < min(told) + 0.1
