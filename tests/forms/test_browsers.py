"""The form in browsers, with real keystrokes: it computes, Tab goes its way, and the saved file is read."""

from __future__ import annotations

import base64
import io
import json
from dataclasses import dataclass
from itertools import chain
from pathlib import Path

import pikepdf
import pytest

from ppgen.games.card_game.scoring.fields import form_values
from ppgen.games.card_game.scoring.points import score_game
from ppgen.reading.pdf_form import read_form_fields

from .conftest import fields_of

TAB = {"press": "Tab"}
NAMES = {"p1.name": "Čapek Ørsted", "p2.name": "Łōș Ğül", "p3.name": "Åse Łukasz 良子"}
LETTERS = {**NAMES, "p1.france.cards": "3x", "p2.france.cards": "2", "p5.minus_two": "1"}


@dataclass(frozen=True)
class Filled:
    """A browser's forms into which was typed: what they hold, and the files where it saves them."""

    held: dict[str, dict[str, str]]
    saved: dict[str, Path]


@pytest.fixture(scope="module")
def game(random_game, deck) -> tuple[dict[str, str], dict[str, str]]:
    """All that a form holds after a game, and what of it is typed, a count as a sum."""
    tallies = random_game(5)
    assert len(tallies) == 5 and tallies[4].minus_two  # every box of the sheet is left by Tab
    values = form_values(score_game(tallies, deck.countries), tallies, "24. 12. 2026", "Ærø")
    typed = {name: text for name, text in values.items() if "points" not in name and "total" not in name
             and not name.endswith("carry")}
    name, text = next((name, text) for name, text in typed.items() if name.endswith(".cards") and int(text) > 1)
    typed[name] = values[name] = f"{int(text) - 1}+1"
    return values, typed


@pytest.fixture(scope="module", params=["chromium", "firefox"])
def filled(request, score_sheet, game, once_for_all, tmp_path_factory) -> Filled:
    """Texts typed into the fields by their place in the order of Tab, all by one start of the browser.

    Chromium's viewer saves the file, Firefox's shows its fields.
    """
    with pikepdf.open(io.BytesIO(score_sheet)) as pdf:
        names = {field.objgen: name for name, field in fields_of(pdf).items()}
        order = [names[widget.objgen] for widget in pdf.pages[0].Annots]

    def keys(values: dict[str, str]) -> list[object]:
        last = max(order.index(name) for name in values)
        return [*chain.from_iterable([TAB, values[name]] if values.get(name) else [TAB] for name in order[:last + 1]),
                TAB]

    forms = {"game": game[1], "letters": LETTERS}
    type_into = request.getfixturevalue(request.param)

    def make(folder: Path) -> str:
        (folder / "sheet.pdf").write_bytes(score_sheet)
        return json.dumps(type_into(folder / "sheet.pdf", *map(keys, forms.values())))

    _, answers = once_for_all(f"typed-{request.param}", make)
    found = dict(zip(forms, json.loads(answers), strict=True))
    if request.param == "firefox":
        return Filled(found, {})
    saved = {name: tmp_path_factory.mktemp("saved") / f"{name}.pdf" for name in forms}
    for name, path in saved.items():
        path.write_bytes(base64.b64decode(found[name]))
    return Filled({name: {field: value for field, value in read_form_fields(path).items() if value}
                   for name, path in saved.items()}, saved)


def test_a_game_with_sums_computes_itself(filled, game):
    assert filled.held["game"] == game[0]


def test_letters_do_not_stay_in_a_count_and_the_last_one_of_the_sheet_is_added_up(filled):
    """Firefox refuses the letter, Chromium takes the entry back when the box is left."""
    found = filled.held["letters"]
    assert (found.get("p1.france.cards"), found["p2.total"]) in {("3", "3"), (None, "8")}
    assert (found["p5.law_points"], found["p5.total"]) == ("-2", "-2")


def test_names_stay_and_the_accented_are_set_in_the_embedded_font(filled):
    """What Chromium saves needs no other font: everyone who opens the file sees the name."""
    assert NAMES.items() <= filled.held["letters"].items()
    for path in [filled.saved["letters"]] if filled.saved else []:
        with pikepdf.open(path) as pdf:
            fields = fields_of(pdf)
            for key in ("p1.name", "p2.name"):
                assert str(fields[key].V) == NAMES[key]
                used = [font for font in pikepdf.parse_content_stream(fields[key].AP.N) if str(font.operator) == "Tf"]
                assert {str(font.operands[0]) for font in used} == {str(fields[key].DA).split()[0]}
