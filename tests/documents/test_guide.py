"""The making guide: the order and the ends of its cuts, and how its words are written in every language."""

from __future__ import annotations

import re
import tomllib

import pytest

from ppgen.assets import shipped
from ppgen.documents.guide import cuts_of
from ppgen.engine.formats import Format
from ppgen.engine.geometry import Size
from ppgen.engine.imposition.impose import impose
from ppgen.engine.imposition.values import Backs, Item, SheetSpec

A4, LETTER = Format("a4", Size(210, 297)), Format("letter", Size(215.9, 279.4))
LANGUAGES = sorted(path.stem for path in (shipped() / "data" / "guide").glob("*.toml"))


@pytest.mark.parametrize("backs", list(Backs))
@pytest.mark.parametrize("paper", [A4, LETTER])
@pytest.mark.parametrize("size", [Size(44, 68), Size(63.5, 88.9), Size(22, 22), Size(70, 70)])
def test_cuts_go_from_mark_to_mark_and_leave_the_margin_whole(size, paper, backs):
    """The long cuts come first; every edge of every piece is cut; no cut goes on through the margin, where the
    marks of the others stand."""
    items = [Item(id=f"piece-{n}", size=size, edge="plain") for n in range(15)]
    for sheet in impose(items, SheetSpec(paper=paper, backs=backs), "pieces").sheets:
        fronts = [piece for piece in sheet.sides[0].placements if piece.face == "front"]
        first, later = cuts_of(sheet)
        assert {cut.upright for cut in first} == {not cut.upright for cut in later}
        assert max(b - a for cut in first for a, b in cut.runs) >= max(b - a for cut in later for a, b in cut.runs)
        for cut in (*first, *later):
            for start, end in cut.runs:
                ends = {(piece.bled.y, piece.bled.bottom) if cut.upright else (piece.bled.x, piece.bled.right)
                        for piece in fronts}
                assert start in {a for a, _ in ends} and end in {b for _, b in ends}
        for piece in fronts:
            for cuts, edges, (low, high) in (
                    ([cut for cut in (*first, *later) if cut.upright], (piece.trim.x, piece.trim.right),
                     (piece.trim.y, piece.trim.bottom)),
                    ([cut for cut in (*first, *later) if not cut.upright], (piece.trim.y, piece.trim.bottom),
                     (piece.trim.x, piece.trim.right))):
                for edge in edges:
                    assert any(abs(cut.at - edge) < 0.001 and any(a <= low and high <= b for a, b in cut.runs)
                               for cut in cuts)


@pytest.mark.parametrize("lang", LANGUAGES)
def test_a_number_and_its_unit_stay_together(lang):
    """A no-break space before mm, g/m² and %; none at all in English and Dutch percentages, and in Japanese."""
    folders = ("guide", "card_game/guide")
    for folder in folders:
        for key, words in texts(tomllib.loads((shipped() / "data" / folder / f"{lang}.toml").read_text("utf-8"))):
            assert not re.search(r"\d (mm|g/m²|%)", words), key
            if lang in ("en", "nl"):
                assert "\N{NO-BREAK SPACE}%" not in words, key


def texts(table, trail=""):
    for key, value in table.items():
        if isinstance(value, dict):
            yield from texts(value, f"{trail}{key}.")
        else:
            yield f"{trail}{key}", value
