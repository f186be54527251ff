"""The form in browsers, with real keystrokes: it computes, Tab goes its way, and the saved file is read."""

from __future__ import annotations

import base64
import io
from collections.abc import Callable

import pikepdf
import pytest

from ppgen.games.card_game.scoring.fields import form_values
from ppgen.games.card_game.scoring.points import score_game
from ppgen.reading.pdf_form import read_form_fields

from .conftest import fields_of

TAB = {"press": "Tab"}
Fill = Callable[[dict[str, str]], dict[str, str]]


@pytest.fixture(scope="module", params=["chromium", "firefox"])
def fill(request, score_sheet, tmp_path_factory) -> Fill:
    """Type texts into the fields by their place in the order of Tab; what the form then holds.

    Chromium's viewer saves the file, Firefox's shows its fields.
    """
    browser = request.getfixturevalue(request.param)
    folder = tmp_path_factory.mktemp(request.param)
    (folder / "sheet.pdf").write_bytes(score_sheet)
    with pikepdf.open(io.BytesIO(score_sheet)) as pdf:
        names = {field.objgen: name for name, field in fields_of(pdf).items()}
        order = [names[widget.objgen] for widget in pdf.pages[0].Annots]

    def typed(values: dict[str, str]) -> dict[str, str]:
        last = max(order.index(name) for name in values)
        keys: list[object] = []
        for name in order[:last + 1]:
            keys += [TAB, *([values[name]] if values.get(name) else [])]
        answer = browser(folder / "sheet.pdf", folder / "seen.png", [*keys, TAB])
        if "held" in answer:
            return answer["held"]
        saved = folder / "saved.pdf"
        saved.write_bytes(base64.b64decode(answer["saved"]))
        return {name: value for name, value in read_form_fields(saved).items() if value}

    return typed


def test_a_game_with_sums_computes_itself(fill, random_game, deck):
    tallies = random_game(5)
    assert len(tallies) == 5 and tallies[4].minus_two  # every box of the sheet is left by Tab
    values = form_values(score_game(tallies, deck.countries), tallies, "24. 12. 2026", "Ærø")
    typed = {name: text for name, text in values.items() if "points" not in name and "total" not in name
             and not name.endswith("carry")}
    name, text = next((name, text) for name, text in typed.items() if name.endswith(".cards") and int(text) > 1)
    typed[name] = values[name] = f"{int(text) - 1}+1"
    assert fill(typed) == values


def test_letters_do_not_stay_in_a_count_and_the_last_one_of_the_sheet_is_added_up(fill):
    """Firefox refuses the letter, Chromium takes the entry back when the box is left."""
    found = fill({"p1.france.cards": "3x", "p2.france.cards": "2", "p2.name": "Åse Łukasz 良子", "p5.minus_two": "1"})
    assert found["p2.name"] == "Åse Łukasz 良子"
    assert (found.get("p1.france.cards"), found["p2.total"]) in {("3", "3"), (None, "8")}
    assert (found["p5.law_points"], found["p5.total"]) == ("-2", "-2")


def test_accented_names_are_set_in_the_embedded_font(chromium, score_sheet, tmp_path):
    """What Chromium saves needs no other font: everyone who opens the file sees the name."""
    (tmp_path / "sheet.pdf").write_bytes(score_sheet)
    names = ["Čapek Ørsted", "Łōș Ğül"]
    answer = chromium(tmp_path / "sheet.pdf", tmp_path / "seen.png", [TAB, names[0], TAB, names[1], TAB])
    with pikepdf.open(io.BytesIO(base64.b64decode(answer["saved"]))) as pdf:
        fields = fields_of(pdf)
        for name, key in zip(names, ("p1.name", "p2.name"), strict=True):
            assert str(fields[key].V) == name
            used = [font for font in pikepdf.parse_content_stream(fields[key].AP.N) if str(font.operator) == "Tf"]
            assert {str(font.operands[0]) for font in used} == {str(fields[key].DA).split()[0]}
