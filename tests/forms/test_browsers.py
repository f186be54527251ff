"""The form in browsers, with real keystrokes: it computes, Tab goes its way, and the saved file is read."""

from __future__ import annotations

import base64
import io
import json
from dataclasses import dataclass, replace
from itertools import chain
from pathlib import Path

import pikepdf
import pytest

from ppgen.games.card_game.scoring import score_game
from ppgen.games.card_game.tallies import Tally
from ppgen.reading.pdf_form import read_form_fields
from tests.pages.scorer.games import dealt

from .conftest import fields_of, form_values

GAME = 176
"""The number of a dealt game whose second player has a number for a name and whose last one a law of minus two."""
TAB = {"press": "Tab"}
ACCENTED = ("Łōș Ğül", "Čapek Ørsted")


@dataclass(frozen=True)
class Game:
    """What is typed, with a count as a sum and one with a letter in it, and all that a form may hold then."""

    typed: dict[str, str]
    held: tuple[dict[str, str], ...]


@dataclass(frozen=True)
class Filled:
    """What a browser's form holds after typing, and the file where the browser saves one."""

    held: dict[str, str]
    saved: Path | None


def some(counts: dict[str, int]) -> dict[str, int]:
    """Those of two countries, one that the last player has several cards of: every entry takes a browser long."""
    return {country: count for country, count in counts.items() if country in ("france", "franconia")}


@pytest.fixture(scope="module")
def game(deck) -> Game:
    first, number, *others, last = (replace(tally, cards=some(tally.cards), symbols=some(tally.symbols))
                                    for tally in dealt(GAME, deck))
    players = (replace(first, name="Åse Łukasz 良子"), number,
               *(replace(tally, name=name) for tally, name in zip(others, ACCENTED, strict=True)), last)
    assert number.name.isdigit() and last.minus_two  # every box of the sheet is left by Tab

    def values(tallies: tuple[Tally, ...]) -> dict[str, str]:
        return form_values(score_game(tallies, deck.rules), tallies, "24. 12. 2026", "Ærø")

    full = values(players)
    typed = {name: text for name, text in full.items() if "points" not in name and "total" not in name
             and not name.endswith("carry")}
    several = [name for name, text in typed.items() if name.endswith(".cards") and int(text) > 1]
    added, spoilt = several[0], next(name for name in several if name.startswith("p5."))
    typed[spoilt] += "x"
    blank = values((*players[:4], replace(last, cards={**last.cards, spoilt.split(".")[1]: 0})))
    assert blank["p5.total"] != full["p5.total"]
    shown = {name: text.replace("-", "\u2212") if "points" in name else text for name, text in full.items()}  # Firefox
    typed[added] = full[added] = blank[added] = f"{int(typed[added]) - 1}+1"
    return Game(typed, (full, blank, shown))


@pytest.fixture(scope="module", params=["chromium", "firefox"])
def filled(real_browser, request, score_sheet, game, once_for_all, tmp_path_factory) -> Filled:
    """Texts typed into the fields by their place in the order of Tab.

    Chromium's viewer saves the file, Firefox's shows its fields.
    """
    with pikepdf.open(io.BytesIO(score_sheet)) as pdf:
        names = {field.objgen: name for name, field in fields_of(pdf).items()}
        order = [names[widget.objgen] for widget in pdf.pages[0].Annots]
    end = max(order.index(name) for name in game.typed) + 1
    keys = [*chain.from_iterable([TAB, game.typed[name]] if name in game.typed else [TAB] for name in order[:end]), TAB]
    type_into = request.getfixturevalue(request.param)

    def make(folder: Path) -> str:
        (folder / "sheet.pdf").write_bytes(score_sheet)
        return json.dumps(type_into(folder / "sheet.pdf", keys))

    (found,) = json.loads(once_for_all(f"typed-{request.param}", make)[1])
    if request.param == "firefox":
        return Filled(found, None)
    saved = tmp_path_factory.mktemp("saved") / "game.pdf"
    saved.write_bytes(base64.b64decode(found))
    return Filled({field: value for field, value in read_form_fields(saved).items() if value}, saved)


def test_a_game_with_sums_computes_itself_and_no_letter_stays_in_a_count(filled, game):
    """Firefox refuses the letter, Chromium takes the entry back when the box is left."""
    assert filled.held in game.held


def test_the_accented_are_set_in_the_embedded_font(filled):
    """What Chromium saves needs no other font: everyone who opens the file sees the name."""
    assert (filled.held["p3.name"], filled.held["p4.name"]) == ACCENTED
    if filled.saved:
        with pikepdf.open(filled.saved) as pdf:
            fields = fields_of(pdf)
            for key in ("p3.name", "p4.name"):
                used = [font for font in pikepdf.parse_content_stream(fields[key].AP.N) if str(font.operator) == "Tf"]
                assert {str(font.operands[0]) for font in used} == {str(fields[key].DA).split()[0]}
