"""Laws of bounds: what just fits is taken whole, and what is one more is refused, not cut off in silence."""

import io
import json
import re
from base64 import b64encode
from collections.abc import Callable
from contextlib import nullcontext
from pathlib import Path
from typing import Any
from unittest.mock import Mock

import pytest
from PIL import Image

from ppgen.engine.booklets.markdown import read_markdown
from ppgen.engine.drawing.lettering import parse_markup, parse_runs
from ppgen.engine.drawing.sandbox import RefusedError, check_printed
from ppgen.engine.geometry import Rect, read_formats
from ppgen.engine.pictures.picture import PictureError
from ppgen.engine.pictures.picture_files import PictureFolder
from ppgen.engine.shapes import parse_ring, path_shape
from ppgen.engine.svg.drawing_cleaning import DrawingError, parse_drawing
from ppgen.engine.svg.elements import parse_fragment
from ppgen.errors import InputError, Problems
from ppgen.games.board_game.components import _point
from ppgen.games.interface import take_steps
from ppgen.games.own_deck.deck_loading import load_deck
from ppgen.pages.open.page_parts import Layouts
from ppgen.play.game_history import _document
from ppgen.play.game_scoring import read_json, tally_rows
from ppgen.play.rule_file import MAX_LINES, parse_formula, read_rules
from ppgen.play.sheet_plan import InvalidCount, parse_count
from ppgen.printing.request import RESOLUTION, parse_filter, stem_words
from ppgen.reading.editing import CellEditor, EditError, FileHistory
from ppgen.reading.fields import Fields, Source, csv_rows, find_excess, read_toml, take_numbers
from ppgen.reading.tables import read_table
from ppgen.review.set_comparison import read_record
from ppgen.shipped import shipped_root


@pytest.mark.parametrize("depth", [1, 2, 5])
@pytest.mark.parametrize("wrap", [lambda inner: [inner], lambda inner: {"a": inner}], ids=["lists", "tables"])
def test_a_document_may_be_nested_as_deep_as_the_bound_and_no_deeper(depth, wrap):
    document: object = 1
    for _ in range(depth):
        document = wrap(document)
    assert find_excess(document, depth, 9) is None
    assert find_excess(wrap(document), depth, 9) is not None


@pytest.mark.parametrize(("text", "good"), [("abc", True), ("abcd", False), (2 ** 63 - 1, True), (-2 ** 63, True),
                                            (2 ** 63, False), (-2 ** 63 - 1, False)])
def test_a_value_may_be_as_long_and_as_large_as_its_bound(text, good):
    assert (find_excess({"key": [text]}, 5, 3) is None) == good
    assert (find_excess({text: 1}, 5, 3) is None) == (good or isinstance(text, int))


SVG = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 9">'


def noted(take: Callable[[Problems], object]) -> None:
    """Raise what a reader notes."""
    take(problems := Problems())
    problems.raise_if_any()


def steps(folder: Path, text: str) -> None:
    noted(lambda problems: take_steps(toml(folder, text, problems), ["a"], [], 2, {}))


def toml(folder: Path, text: str, problems: Problems) -> Fields:
    (folder / "a.toml").write_text(text, "utf-8")
    return read_toml(folder, "a.toml", problems)


def table(folder: Path, rows: int, columns: int) -> None:
    (folder / "a.csv").write_text("\n".join([",".join(f"c{n}" for n in range(columns)), *["x,y"] * rows]), "utf-8")
    noted(lambda problems: read_table(folder, "a.csv", problems))


def rules(folder: Path, text: str) -> None:
    (folder / "score.toml").write_text(text, "utf-8")
    read_rules(folder, "en")


def markdown(text: str) -> None:
    noted(lambda problems: read_markdown(Source(Path("rules.md"), text), problems))


def attributes(count: int) -> str:
    return " ".join(f'c{n}="1"' for n in range(count))


def drawing(inside: str) -> None:
    parse_drawing(f"{SVG}{inside}</svg>")


def cell(folder: Path, words: str, text: str = "a,b\n1,2\n") -> None:
    (folder / "a.csv").write_text(text, "utf-8")
    CellEditor(FileHistory(folder)).write(folder / "a.csv", 2, 0, "1", words)


def pictures(folder: Path, length: int) -> None:
    """A drawing and a small picture inside of it, of that length together."""
    Image.new("RGB", (2, 2)).save(content := io.BytesIO(), "PNG")
    inside = content.getvalue()
    (folder / "a.svg").write_text(
        f'{SVG}<image width="9" height="9" href="data:image/png;base64,{b64encode(inside).decode()}"/></svg>'.ljust(
            length - len(inside)), "utf-8")
    found = PictureFolder(folder)
    for name in ("a.svg", "a.svg#1"):
        found.find(name)


def template(folder: Path, text: str) -> None:
    (folder / "a.svg").write_text(text, "utf-8")
    album: Any = Mock()
    album.renderer.templates = Mock(are_ours=False, find_file=lambda name: folder / name)
    Layouts(album.looks, FileHistory(folder))._read(album, "a.svg")


def own_deck(folder: Path, text: str) -> None:
    (folder / "deck.toml").write_text(f'title = "Any"\n{text}', "utf-8")
    (folder / "card.svg.j2").write_text("<rect width='9' height='9'/>", "utf-8")
    load_deck(folder, FORMATS)


def printed(folder: Path, text: str) -> None:
    (folder / "printed.json").write_text(text, "utf-8")
    read_record(folder / "printed.json")


PART = '[cards]\nfront = "card.svg.j2"\n'
FORMATS = read_formats(shipped_root() / "data")
BOUNDS: list[tuple[str, int, Callable[[Path, int], object]]] = [
    ("reading.fields.MAX_CHARACTERS", 9, lambda at, n: [*csv_rows(f"a,{'b' * n}", ",", 9)]),
    ("reading.fields.MAX_TOML", 30, lambda at, n: noted(lambda problems: toml(at, "a = 1".ljust(n), problems))),
    ("reading.tables.MAX_ROWS", 4, lambda at, n: table(at, n, 2)),
    ("reading.tables.MAX_COLUMNS", 4, lambda at, n: table(at, 3, n)),
    ("reading.tables.MAX_CELLS", 7, lambda at, n: table(at, 1, n - 2)),
    ("reading.editing.MAX_FILE_BYTES", 8, lambda at, n: cell(at, "x", "a,b\n1,2".ljust(n))),
    ("review.set_comparison.MAX_RECORD_BYTES", 40, lambda at, n: printed(at, '{"printed": []}'.ljust(n))),
    ("review.set_comparison.MAX_RECORD_DEPTH", 5, lambda at, n: printed(
        at, f'{{"printed": [], "x": {"[" * (n - 1)}{"]" * (n - 1)}}}')),
    ("review.set_comparison.MAX_TEXT", 9, lambda at, n: printed(at, f'{{"printed": [], "x": "{"x" * n}"}}')),
    ("review.set_comparison.MAX_SETS", 3, lambda at, n: printed(at, json.dumps({"printed": [{"pieces": {}, "set": {
        "lang": k, "card_size": "", "ink": "", "skin": "", "choices": []}} for k in range(n)]}))),
    ("play.game_history.MAX_DEPTH", 4, lambda at, n: _document(f'{{"a": {"[" * (n - 1)}1{"]" * (n - 1)}}}', "x")),
    ("play.game_history.MAX_DEPTH", 4, lambda at, n: _document('{"a": ' * n + "1" + "}" * n, "x")),
    ("play.game_scoring.MAX_CHARACTERS", 9, lambda at, n: read_json(f'{{"a": "{"x" * n}"}}', "a")),
    ("play.game_scoring.MAX_CHARACTERS", 9, lambda at, n: tally_rows(b"a," + b"x" * n, "a")),
    ("play.game_scoring.MAX_VALUES", 9, lambda at, n: read_json(str([1] * (n - 1)), "a")),
    ("play.game_scoring.MAX_DEPTH", 4, lambda at, n: read_json("[" * n + "]" * n, "a")),
    ("play.game_scoring.MAX_ROWS", 4, lambda at, n: tally_rows(b"a,b\n" * n, "a")),
    ("play.game_scoring.MAX_COLUMNS", 4, lambda at, n: tally_rows(b",".join([b"a"] * n), "a")),
    ("play.rule_file.MAX_LENGTH", 9, lambda at, n: parse_formula("a".ljust(n), {"a": 0})),
    ("play.rule_file.MAX_POINTS", 9, lambda at, n: parse_formula(str(n), {})),
    ("play.rule_file.MAX_POINTS", 9, lambda at, n: rules(at, f"[a]\neach = {n}\n")),
    ("play.rule_file.MAX_POINTS", 9, lambda at, n: rules(at, f"[a]\neach = {-n}\n")),
    ("play.rule_file.MAX_POINTS", 9, lambda at, n: rules(at, f"[a]\ntable = [0, {-n}]\n")),
    ("play.rule_file.MAX_COUNT", 9, lambda at, n: rules(at, f"[a]\nfrom = {n}\n")),
    ("play.rule_file.MAX_COUNT", 9, lambda at, n: rules(at, f"[a]\nper = {n}\n")),
    ("play.rule_file.MAX_COUNT", 9, lambda at, n: rules(at, f"[a]\nexist = {n}\n")),
    ("play.rule_file.MAX_TOTAL", 9999 * 3, lambda at, n: rules(at, f"[a]\neach = {-(-n // 9999)}\n")),
    ("play.rule_file.MAX_ROUNDS", 3, lambda at, n: rules(at, f"rounds = {n}\n[a]\n")),
    ("play.rule_file.MAX_WORDS", 9, lambda at, n: rules(at, f'[a]\n[words.en]\ntotal = "{"x" * n}"\n')),
    ("play.sheet_plan.MAX_COUNT", 9, lambda at, n: parse_count(n)),
    ("play.sheet_plan.MAX_COUNT", 9, lambda at, n: parse_count(str(n))),
    ("play.sheet_plan.MAX_COUNT", 9, lambda at, n: parse_count(-n, signed=True)),
    ("play.sheet_plan.MAX_COUNT", 9, lambda at, n: parse_count(f"{-n}", signed=True)),
    ("games.own_deck.deck_loading.MAX_COPIES", 4, lambda at, n: own_deck(at, f"{PART}copies = {n}\n")),
    ("games.own_deck.deck_loading.MAX_BLEED_MM", 4, lambda at, n: own_deck(at, f"{PART}bleed = {n}\n")),
    ("games.own_deck.deck_loading.MAX_DEALT", 4, lambda at, n: own_deck(at, f"{PART}[table]\ndeal = {n}\n")),
    ("games.own_deck.deck_loading.MAX_DEALT", 4, lambda at, n: own_deck(at, f"{PART}[table.deal]\ncards = {n}\n")),
    ("games.own_deck.deck_loading.MAX_DEALT", 4, lambda at, n: own_deck(
        at, f'{PART}[table]\nplace = [["cards", {n}, "up"]]\n')),
    ("games.own_deck.deck_loading.MAX_TILED_SIDE_MM", 90, lambda at, n: own_deck(at, f'{PART}size = "50x{n}mm"\n')),
    ("games.own_deck.deck_loading.MAX_TILED_SIDE_MM", 90, lambda at, n: own_deck(at, f'{PART}size = "{n}x50mm"\n')),
    ("games.own_deck.deck.MIN_SIDE_MM", 40, lambda at, n: own_deck(at, f'{PART}size = "{80 - n}x90mm"\n')),
    ("games.own_deck.deck.MIN_SIDE_MM", 40, lambda at, n: own_deck(at, f'{PART}size = "90x{80 - n}mm"\n')),
    ("reading.editing.MAX_CELL_CHARACTERS", 9, lambda at, n: cell(at, "x" * n)),
    ("games.interface.MAX_STEP_TEXT", 9, lambda at, n: steps(at, f'[b]\ntext = "{"a" * n}"\n')),
    ("games.interface.MAX_STEPS", 3, lambda at, n: steps(at, "".join(f'[b{k}]\ntext = "a"\n' for k in range(n)))),
    ("games.interface.MAX_STEP_PIECES", 3, lambda at, n: steps(at, f'[b]\ntext = "a"\nshow = {["a"] * n}\n')),
    ("games.interface.MAX_PLACE_MM", 50, lambda at, n: steps(at, f'[b]\ntext = "a"\nmove = [["a", [{-n}, 0]]]\n')),
    ("games.interface.MAX_PLACE_MM", 50, lambda at, n: steps(at, f'[b]\ntext = "a"\nmove = [["a", [0, {n}]]]\n')),
    ("games.board_game.components.MAX_BOARD_SIDE", 50, lambda at, n: _point(n, 50)),
    ("games.board_game.components.MAX_BOARD_SIDE", 50, lambda at, n: _point(50, n)),
    ("games.board_game.components.MAX_BOARD_SIDE", 50, lambda at, n: _point(50 - n, 0)),
    ("games.board_game.components.MAX_BOARD_SIDE", 50, lambda at, n: _point(0, 50 - n)),
    ("play.rule_file.MAX_LABEL", 9, lambda at, n: rules(at, f'[a]\nlabel = "{"x" * n}"\n')),
    ("play.rule_file.MAX_PLAYERS", 4, lambda at, n: rules(at, f'players = "2-{n}"\n[a]\n')),
    ("printing.request.MAX_EXPRESSION", 9, lambda at, n: parse_filter("x" * n)),
    ("printing.request.MAX_TERMS", 3, lambda at, n: parse_filter("x " * n)),
    ("engine.booklets.markdown.MAX_PARAGRAPH", 20, lambda at, n: markdown("# A\n\n" + "x" * n)),
    ("engine.booklets.markdown.MAX_MARKDOWN", 20, lambda at, n: markdown("# A\n\n".ljust(n, "x"))),
    ("engine.drawing.lettering.MAX_MARKS", 6, lambda at, n: parse_runs(["a"] * n, 5, "text", "text", str)),
    ("engine.drawing.lettering.MAX_MARKS", 6, lambda at, n: parse_markup("*a" * n, "text", "text", str)),
    ("engine.drawing.lettering.MAX_FONT_SIZE", 9, lambda at, n: parse_runs([{"size": n}], 5, "", "", str)),
    ("engine.drawing.sandbox.MAX_NUMBER", 9, lambda at, n: check_printed(n)),
    ("engine.drawing.sandbox.MAX_NUMBER", 9, lambda at, n: check_printed(-n)),
    ("engine.shapes.MAX_COORDINATE", 50, lambda at, n: parse_ring(f"M0 0H{n}V9Z")),
    ("engine.shapes.MAX_COORDINATE", 50, lambda at, n: parse_ring(f"M0 0H9V{-n}Z")),
    ("engine.shapes.MAX_SHAPE_POINTS", 5, lambda at, n: path_shape(
        f"M0 0{''.join(f'L{k} {k * k}' for k in range(1, n))}Z", Rect(0, 0, 99, 99))),
    ("engine.svg.elements.MAX_FRAGMENT_ATTRIBUTES", 3, lambda at, n: parse_fragment(
        f"<a/><b {attributes(n)}/>")),
    ("engine.svg.drawing_cleaning.MAX_ELEMENTS", 4, lambda at, n: drawing("<g/>" * (n - 1))),
    ("engine.svg.drawing_cleaning.MAX_DEPTH", 4, lambda at, n: drawing("<g>" * n + "</g>" * n)),
    ("engine.svg.drawing_cleaning.MAX_ATTRIBUTES", 4, lambda at, n: drawing(f"<g {attributes(n)}/>")),
    ("engine.svg.drawing_cleaning.MAX_VALUE", 40, lambda at, n: drawing(f'<g fill="{"x" * n}"/>')),
    ("engine.svg.drawing_cleaning.MAX_SHEET", 40, lambda at, n: drawing(f"<style>{'a'.ljust(n)}</style>")),
    ("engine.svg.drawing_cleaning.MAX_CHARACTERS", 200, lambda at, n: drawing(" " * (n - len(SVG) - 6))),
    ("pages.open.page_parts.MAX_CHARACTERS", 9, lambda at, n: template(at, "x" * n)),
    ("engine.pictures.picture_files.MAX_DECK_BYTES", 5_000, pictures),
]
"""A bound, what it is here, and what must be refused if it has one more."""


@pytest.mark.parametrize(("name", "most", "do"), BOUNDS)
def test_what_just_fits_is_taken_and_one_more_is_refused(tmp_path, monkeypatch, name, most, do):
    monkeypatch.setattr(f"ppgen.{name}", most)
    do(tmp_path, most)
    with pytest.raises((ValueError, InputError, EditError, DrawingError, RefusedError, PictureError)):
        do(tmp_path, most + 1)


@pytest.mark.parametrize(("typed", "reason"), [
    ("-3", "negative"), ("−3", "negative"), ("2,5", "fraction"), ("x", "number"), ("9" * 20, "large")])
def test_an_entry_of_a_sheet_that_is_no_count_says_why(typed, reason):
    with pytest.raises(InvalidCount) as caught:
        parse_count(typed)
    assert caught.value.reason == reason


@pytest.mark.parametrize(("typed", "good"), [("72", True), ("2400dpi", True), ("71.9", False), ("2401", False)])
def test_a_resolution_lies_within_the_bounds(typed, good):
    with nullcontext() if good else pytest.raises(ValueError, match="out of range"):
        assert RESOLUTION.parse(typed) == float(typed.removesuffix("dpi"))


def test_many_pieces_are_named_by_their_number_and_eight_digits():
    assert stem_words(("a", "b")) == ("a", "b")
    assert re.fullmatch(r"40-pieces [0-9a-f]{8}", " ".join(stem_words(tuple(f"piece-{n}" for n in range(40)))))


def test_a_wrong_value_is_quoted_up_to_its_first_letters(tmp_path):
    (tmp_path / "score.toml").write_text(f'players = "{"x" * 99}"\n[coins]\n')
    with pytest.raises(InputError) as caught:
        read_rules(tmp_path, "en")
    assert 30 < max(map(len, re.findall("x+", str(caught.value)))) <= 40


@pytest.mark.parametrize(("numbers", "good"), [
    ("[0, 2.5, 10]", True), ("[0, 2.5, 10.1]", False), ("[-0.1, 1, 2]", False), ("[1, 2]", False),
    ("[1, 2, 3, 4]", False), ('[1, 2, "3"]', False), ("[1, 2, true]", False), ("3", False)])
def test_each_of_some_numbers_must_be_one_and_lie_within_the_bounds(tmp_path, numbers, good):
    (tmp_path / "a.toml").write_text(f"box = {numbers}\n")
    problems = Problems()
    taken = take_numbers(read_toml(tmp_path, "a.toml", problems), "box", 3, 10)
    assert (not tuple(problems), taken == (0, 2.5, 10)) == (good, good)


@pytest.mark.parametrize("count", [MAX_LINES - 1, MAX_LINES, MAX_LINES + 1])
@pytest.mark.parametrize("kind", ["toml", "csv", "list"])
def test_a_group_may_have_as_many_rows_as_a_sheet_has_lines(tmp_path, count, kind):
    names = [f"land_{n}" for n in range(count)]
    (tmp_path / "rows.toml").write_text("".join(f'[[lands]]\nid = "{name}"\n' for name in names))
    (tmp_path / "rows.csv").write_text("id\n" + "".join(f"{name}\n" for name in names))
    rows = str(names).replace("'", '"') if kind == "list" else f'"rows.{kind}"'
    (tmp_path / "score.toml").write_text(f"[land]\nrows = {rows}\n")
    if count > MAX_LINES:
        with pytest.raises(InputError, match=str(MAX_LINES)):
            read_rules(tmp_path, "en")
    else:
        assert [line.key for line in read_rules(tmp_path, "en").lines] == names


@pytest.mark.parametrize("name", ["total", "gold_points", "Größe", "9th"])
def test_a_group_a_column_of_it_and_a_row_have_names_that_the_sheet_has_not(tmp_path, name):
    for text in (f'["{name}"]\n', f'[land]\nrows = ["Hills"]\n[land."{name}"]\n'):
        (tmp_path / "score.toml").write_text(text)
        with pytest.raises(InputError, match=r"is not a name for a line|is a word of the sheet's own"):
            read_rules(tmp_path, "en")
    (tmp_path / "score.toml").write_text(f'[land]\nrows = ["{name}"]\n')
    assert read_rules(tmp_path, "en").lines[0].key != name


def test_a_file_may_have_as_many_pieces_as_the_bound(desk, monkeypatch):
    for most, code in ((15, 0), (14, 1)):
        monkeypatch.setattr("ppgen.printing.drawn_parts.MAX_PIECES", most)
        desk.run("build", "--only", "stones", "--lang", "de", "--dry-run", code=code)
