"""The form in Chromium, with real keystrokes: it computes, Tab goes its way, and the saved file is read."""

from __future__ import annotations

import base64
import io
from dataclasses import replace
from itertools import chain
from pathlib import Path

import pikepdf
import pytest

from ppgen.games.card_game.scoring import Tally, score_game
from ppgen.reading.pdf_form import read_form_fields
from tests.pages.scorer.games import dealt

from .conftest import fields_of, form_values

GAME = 176
"""The number of a dealt game whose second player has a number for a name and whose last one a law of minus two."""
TAB = {"press": "Tab"}
ACCENTED = ("Łōș Ğül", "Čapek Ørsted")


def some(counts: dict[str, int]) -> dict[str, int]:
    """Those of one country, of which the last player has several cards: every entry takes a browser long."""
    return {"france": counts.get("france", 0)}


@pytest.fixture(scope="module")
def filled(chromium, score_sheet, deck, tmp_path_factory) -> tuple[Path, dict[str, str]]:
    """The saved file, and what it should hold: texts are typed into the fields by their place in the order of Tab."""
    first, number, *others, last = (replace(tally, cards=some(tally.cards), symbols=some(tally.symbols))
                                    for tally in dealt(GAME, deck))
    players = (replace(first, name="Åse Łukasz 良子"), number,
               *(replace(tally, name=name) for tally, name in zip(others, ACCENTED, strict=True)), last)
    assert number.name.isdigit() and last.minus_two  # every box of the sheet is left by Tab

    def values(*tallies: Tally) -> dict[str, str]:
        return form_values(score_game(tallies, deck.rules), tallies, "24. 12. 2026", "Ærø")

    typed = {name: text for name, text in values(*players).items() if "points" not in name and "total" not in name
             and not name.endswith("carry")}
    added, spoilt = (name for name, text in typed.items() if name.endswith(".cards") and int(text) > 1)
    assert spoilt.startswith("p5.")
    held = values(*players[:4], replace(last, cards={}))
    typed[spoilt] += "x"
    typed[added] = held[added] = f"{int(typed[added]) - 1}+1"
    with pikepdf.open(io.BytesIO(score_sheet)) as pdf:
        names = {field.objgen: name for name, field in fields_of(pdf).items()}
        order = [names[widget.objgen] for widget in pdf.pages[0].Annots]
    end = max(order.index(name) for name in typed) + 1
    keys = [*chain.from_iterable([TAB, typed[name]] if name in typed else [TAB] for name in order[:end]), TAB]
    folder = tmp_path_factory.mktemp("typed")
    (folder / "sheet.pdf").write_bytes(score_sheet)
    (folder / "game.pdf").write_bytes(base64.b64decode(chromium(folder / "sheet.pdf", keys)))
    return folder / "game.pdf", held


def test_a_game_with_sums_computes_itself_and_no_letter_stays_in_a_count(filled):
    """The entry is taken back when the box is left."""
    saved, held = filled
    assert {field: value for field, value in read_form_fields(saved).items() if value} == held


def test_the_accented_are_set_in_the_embedded_font(filled):
    """What is saved needs no other font: everyone who opens the file sees the name."""
    with pikepdf.open(filled[0]) as pdf:
        fields = fields_of(pdf)
        for key, name in zip(("p3.name", "p4.name"), ACCENTED, strict=True):
            assert str(fields[key].V) == name
            used = [font for font in pikepdf.parse_content_stream(fields[key].AP.N) if str(font.operator) == "Tf"]
            assert {str(font.operands[0]) for font in used} == {str(fields[key].DA).split()[0]}
