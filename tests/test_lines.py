"""Columns of words: as wide as the longest cell, where kanji take two places."""

from ppgen.lines import columns


def test_columns_are_as_wide_as_their_longest_cell_in_places_not_characters():
    lines, widths = columns([("ID", "NAME", "×"), ("カード", "a", "1"), ("b", "longest", "22")])
    assert lines == ["ID      NAME     ×", "カード  a        1", "b       longest  22"]
    assert widths == [6, 7, 2]
