"""The form computes what ``scoring.py`` computes: in the script sandbox of pdf.js, keystroke by keystroke."""

from __future__ import annotations

import random

import pytest

from ppgen.games.card_game.scoring import score_game
from ppgen.games.card_game.tallies import Tally
from tests.pages.scorer.games import dealt

from .conftest import form_values

pytestmark = pytest.mark.slow
GAME = 2
"""The number of a random game: a whole one of five players."""
COMPUTED = ("country_points", "symbol_points", "country_subtotal", "symbol_subtotal", "carry", "chain_points",
            "law_points", "total")


@pytest.fixture(scope="module")
def form(score_sheet, tmp_path_factory):
    path = tmp_path_factory.mktemp("form") / "sheet.pdf"
    path.write_bytes(score_sheet)
    return path


@pytest.fixture(scope="module")
def typed(pdfjs, form):
    """Type games into fresh forms: what each of them then holds, blank fields left out."""
    with pdfjs.asked("pdfjs.mjs", str(form)) as ask:
        def run(*games: list[tuple[str, str]]) -> list[dict[str, str]]:
            answer = ask(games)
            assert not answer["errors"]
            return [{name: value for name, value in played.items() if value} for played in answer["played"]]

        yield run


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


def test_a_random_game_comes_out_as_scored(typed, deck):
    tallies = dealt(GAME, deck)
    values = form_values(score_game(tallies, deck.rules), tallies, "1. 2. 2003", "Ulm")
    (held,) = typed(as_typed(values, random.Random(GAME)))
    assert computed(held) == computed(values)


def test_nobody_scores_a_country_without_a_card(typed):
    (held,) = typed([("p1.france.cards", "0"), ("p2.france.cards", "3"), ("p3.france.cards", "0")])
    assert [held[f"p{n}.france.country_points"] for n in (1, 2, 3)] == ["0", "8", "0"]


@pytest.mark.parametrize(("keys", "stays", "points"), [
    ("3+2", "3+2", "8"), ("3x", "3", "8"), ("abc", "", None), ("-5", "5", "8"), ("3 + 2", "3+2", "8"),
    ("３＋２", "3+2", "8"), ("2.5", "25", "8"), ("3+", "3+", "8")])
def test_only_digits_and_sums_are_taken(typed, keys, stays, points):
    (held,) = typed([("p1.france.cards", keys), ("p2.france.cards", "2")])
    assert held.get("p1.france.cards", "") == stays
    assert held.get("p1.france.country_points") == points


def test_a_sum_that_a_box_is_too_narrow_for_shows_its_result(pdfjs, form):
    answer = pdfjs.run("pdfjs.mjs", str(form), given=[[("p1.france.cards", "2+1"), ("p1.minus_two", "1")]])
    assert (answer["played"][0]["p1.france.cards"], answer["errors"]) == ("2+1", [])
    assert answer["shown"] == [{"p1.france.cards": "3", "p1.law_points": "\u22122"}]


def test_a_total_typed_by_hand_gives_way_to_the_computed_one(typed):
    (held,) = typed([("p1.france.cards", "5"), ("p1.total", "99"), ("p2.france.cards", "2")])
    assert (held["p1.total"], held["p2.total"]) == ("8", "5")


def test_points_below_zero(typed):
    (held,) = typed([("p1.minus_two", "1+1"), ("p2.ships", "4")])
    assert (held["p1.law_points"], held["p1.total"], held["p2.total"]) == ("-4", "-4", "0")


def test_example_of_the_rules(typed, deck):
    tallies = [Tally(name="A", cards={"france": 5}, symbols={"france": 4}, ships=3, carriages=4),
               Tally(name="B", cards={"france": 2}, symbols={"france": 3}, ships=7),
               Tally(name="C", cards={"france": 1}, ships=5, carriages=5)]
    values = form_values(score_game(tallies, deck.rules), tallies)
    (held,) = typed(as_typed(values, random.Random(0)))
    assert [held[f"p{n}.france.country_points"] for n in (1, 2, 3)] == ["8", "5", "2"]
    assert [held[f"p{n}.chain_points"] for n in (1, 2, 3)] == ["0", "7", "10"]
    assert {name for name in held if "total" in name} == {name for name in values if "total" in name}
