"""Laws of bounds: what just fits is taken whole, and what is one more is refused, not cut off in silence."""

from __future__ import annotations

import pytest

from ppgen.errors import InputError, Problems
from ppgen.play.score_file import MAX_LINES, read_rules
from ppgen.reading.fields import read_toml, take_numbers
from ppgen.reading.file_limits import find_excess


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
