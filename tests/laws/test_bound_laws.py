"""Laws of bounds: what just fits is taken whole, and what is one more is refused, not cut off in silence."""

import re
from contextlib import nullcontext

import pytest

from ppgen.errors import InputError, Problems
from ppgen.games.interface import MAX_STEP_TEXT, _take_text
from ppgen.play.rule_file import MAX_LINES, read_rules
from ppgen.play.sheet_plan import InvalidCount, parse_count
from ppgen.printing.request import RESOLUTION, stem_words
from ppgen.reading.fields import MAX_CHARACTERS, CsvError, csv_rows, find_excess, read_toml, take_numbers


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


@pytest.mark.parametrize(("length", "good"), [(MAX_CHARACTERS, True), (MAX_CHARACTERS + 1, False)])
def test_a_cell_may_be_as_long_as_its_bound(length, good):
    with nullcontext() if good else pytest.raises(CsvError):
        assert [*csv_rows(f"a,{'b' * length}", ",", 9)] == [(1, ("a", "b" * length))]


@pytest.mark.parametrize(("length", "good"), [(MAX_STEP_TEXT, True), (MAX_STEP_TEXT + 1, False)])
def test_a_step_may_have_as_many_letters_as_its_bound(tmp_path, length, good):
    (tmp_path / "a.toml").write_text(f'text = "{"a" * length}"\n')
    problems = Problems()
    _take_text(read_toml(tmp_path, "a.toml", problems))
    assert (not tuple(problems)) == good


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
