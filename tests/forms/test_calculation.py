"""The form computes what ``scoring.py`` computes, also in the script sandbox of pdf.js, keystroke by keystroke."""

from __future__ import annotations

import random

import pytest

from ppgen.engine.component import Pad
from ppgen.games.card_game.scoring import Tally, score_game
from tests.pages.scorer.games import dealt

from .conftest import A4, form_values

pytestmark = pytest.mark.slow
GAMES = 12
COMPUTED = ("country_points", "symbol_points", "country_subtotal", "symbol_subtotal", "carry", "chain_points",
            "law_points", "total")


@pytest.fixture(scope="module")
def form(score_sheet, tmp_path_factory):
    path = tmp_path_factory.mktemp("form") / "sheet.pdf"
    path.write_bytes(score_sheet)
    return path


@pytest.fixture
def typed(pdfjs, form):
    """Type a game into a fresh form: what it then holds, blank fields left out."""
    return lambda game: pdfjs(form, game)[0]


def as_typed(values: dict[str, str], chance: random.Random) -> list[tuple[str, str]]:
    """The counts of a game in any order, some of them as sums."""
    typed = [(name, text) for name, text in values.items() if name.rpartition(".")[2] not in COMPUTED]
    chance.shuffle(typed)
    return [(name, _summed(text, chance) if "name" not in name and text.isdigit() else text) for name, text in typed]


def computed(values: dict[str, str]) -> dict[str, str]:
    return {name: text for name, text in values.items() if name.rpartition(".")[2] in COMPUTED}


def _summed(text: str, chance: random.Random) -> str:
    count = int(text)
    if count < 2 or chance.random() < 0.6:
        return text
    first = chance.randint(1, count - 1)
    return f"{first}+{count - first}"


def test_random_games_come_out_as_scored(node, workshop, deck):
    """By the form's scripts alone, without a viewer."""
    form = workshop.game.score_sheet(workshop.texts("de"), Pad(room=A4.size)).components[0].form
    games = [dealt(number, deck) for number in range(GAMES)]
    filled = [form_values(score_game(tallies, deck.rules), tallies, "1. 2. 2003", "Ulm") for tallies in games]
    scripts = {field.name: field.calculate for field in form.fields}
    answer = node.run("fields.mjs", given={
        "script": form.script, "calculated": [[name, scripts[name]] for name in form.calculated],
        "names": [field.name for field in form.fields],
        "filled": [dict(as_typed(values, random.Random(number))) for number, values in enumerate(filled)]})
    assert [*map(computed, answer)] == [*map(computed, filled)]


def test_nobody_scores_a_country_without_a_card(typed):
    held = typed([("p1.france.cards", "0"), ("p2.france.cards", "3"), ("p3.france.cards", "0")])
    assert [held[f"p{n}.france.country_points"] for n in (1, 2, 3)] == ["0", "8", "0"]


def test_only_digits_and_sums_are_taken(typed, deck):
    """Each of these is typed into the box of a country of its own."""
    told = [("3+2", "3+2", 5), ("3x", "3", 3), ("abc", None, 0), ("-5", "5", 5), ("3 + 2", "3+2", 5),
            ("３＋２", "3+2", 5), ("2.5", "25", 25), ("3+", "3+", 3)]
    by_country = dict(zip((country.id for country in deck.countries), told, strict=False))
    held = typed([(f"p{player}.{country}.cards", text) for country, (keys, *_) in by_country.items()
                  for player, text in ((1, keys), (2, "2"))])
    assert [held.get(f"p1.{country}.cards") for country in by_country] == [stays for _, stays, _ in told]
    tallies = (Tally(name="", cards={country: count for country, (*_, count) in by_country.items() if count}),
               Tally(name="", cards=dict.fromkeys(by_country, 2)))
    points = [f"p{player}.{country}.country_points" for player in (1, 2) for country in by_country]
    scored = form_values(score_game(tallies, deck.rules), tallies)
    assert [*map(held.get, points)] == [*map(scored.get, points)]


def test_a_sum_that_a_box_is_too_narrow_for_shows_its_result(pdfjs, form):
    held, shown = pdfjs(form, [("p1.france.cards", "2+1"), ("p1.minus_two", "1")])
    assert held["p1.france.cards"] == "2+1"
    assert shown == {"p1.france.cards": "3", "p1.law_points": "\u22122"}


def test_a_total_typed_by_hand_gives_way_to_the_computed_one(typed):
    held = typed([("p1.france.cards", "5"), ("p1.total", "99"), ("p2.france.cards", "2")])
    assert (held["p1.total"], held["p2.total"]) == ("8", "5")


def test_points_below_zero(typed):
    held = typed([("p1.minus_two", "1+1"), ("p2.ships", "4")])
    assert (held["p1.law_points"], held["p1.total"], held["p2.total"]) == ("-4", "-4", "0")


def test_example_of_the_rules(typed, deck):
    tallies = [Tally(name="A", cards={"france": 5}, symbols={"france": 4}, ships=3, carriages=4),
               Tally(name="B", cards={"france": 2}, symbols={"france": 3}, ships=7),
               Tally(name="C", cards={"france": 1}, ships=5, carriages=5)]
    values = form_values(score_game(tallies, deck.rules), tallies)
    held = typed(as_typed(values, random.Random(0)))
    assert [held[f"p{n}.france.country_points"] for n in (1, 2, 3)] == ["8", "5", "2"]
    assert [held[f"p{n}.chain_points"] for n in (1, 2, 3)] == ["0", "7", "10"]
    assert {name for name in held if "total" in name} == {name for name in values if "total" in name}
