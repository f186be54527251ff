"""Lines of words for terminals, where kanji take two places."""

import pytest

from ppgen.lines import columns, display_width, wrap


def test_columns_are_as_wide_as_their_longest_cell_in_places_not_characters():
    lines, widths = columns([("ID", "NAME", "×"), ("カード", "a", "1"), ("b", "longest", "22")])
    assert lines == ["ID      NAME     ×", "カード  a        1", "b       longest  22"]
    assert widths == [6, 7, 2]


@pytest.mark.parametrize("text, lines", [
    ("so viele hat Ben; Clara auf Platz 3", ["so viele hat Ben;", "  Clara auf Platz 3"]),
    ("2位はAnna（3枚） → Benの枚数と同じ", ["2位はAnna（3枚） →", "  Benの枚数と同じ"]),
    ("カードの総数と同じだ。残り", ["カードの総数と同じ", "  だ。残り"]),
    ("x" * 30, ["x" * 20, "  " + "x" * 10])])
def test_lines_break_between_words(text, lines):
    assert list(wrap(text, 20)) == lines
    assert max(map(display_width, wrap(text, 20))) <= 20
