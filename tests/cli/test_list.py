"""``ppgen list``: what is in a set, and the map of the board game."""

from __future__ import annotations

from ppgen.errors import to_one_line


def test_marks_of_direction_do_not_reach_the_terminal(desk):
    """Cells keep them, as Arabic and Hebrew need them; what is listed spells them out."""
    desk.run("new", "deck", "--starter", "empty", "--quiet")
    marks = "\u061c\u200e\u200f\u202a\u202e\u2066\u2069"
    table = "name,text\n" + "".join(f"Goblin {n},a{mark}b\n" for n, mark in enumerate(marks[:3]))
    (desk.folder / "deck" / "cards.csv").write_text(table, encoding="utf-8")
    shown = desk.run("list", "--data", "deck").stdout
    assert not {*marks}.intersection(shown) and all(f"a\\u{ord(mark):04x}b" in shown for mark in marks[:3])
    assert to_one_line(marks).isascii()
