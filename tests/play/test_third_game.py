"""A third game: all that ``ppgen score`` needs of it follows from its ``score.toml``."""

import json

import pytest

from ppgen.errors import InputError
from ppgen.play.game_scoring import open_tally_rows, read_json, read_toml_tallies, tally_rows
from ppgen.play.line_points import markdown, terminal_lines
from ppgen.play.rule_game import open_rule_scoring
from ppgen.shipped import shipped_root

RULES = """
players = "2-4"
[copper]
each = 1
[silver]
each = 3
[gold]
label = "Gold pieces"
each = 7
[most_gold]
counts_of = ["gold"]
only = "most"
each = 7
"""


GAME = {"game": "coins", "date": "2026-03-01", "place": "Ulm", "players": [
    {"name": "Ann", "copper": "3+2", "gold": 2}, {"name": "Bo", "silver": 4, "copper": 0}]}
TOML = """game = "coins"
[[players]]
name = "Ann"
copper = "3+2"
gold = 2
[[players]]
name = "Bo"
silver = 4
"""
CSV = ",Ann,Bo\nCopper,3+2,\nsilver,,4\ngold pieces,2,\ngame,coins,\n"


@pytest.fixture
def coins(tmp_path):
    (tmp_path / "score.toml").write_text(RULES, encoding="utf-8")
    return open_rule_scoring("coins", tmp_path, shipped_root() / "data" / "locales", "en")


def of_csv(coins, text):
    return open_tally_rows(tally_rows(text.encode(), "game.csv"), "game.csv").raw(coins)


@pytest.fixture
def game(coins):
    return coins.score(read_json(json.dumps(GAME), "game.json"))


def test_tallies_of_every_format_are_scored(coins, game, tmp_path):
    ann, bo = game.result["players"]
    assert (game.result["winners"], game.result["tie_break"], game.result["warnings"]) == (["Ann"], None, [])
    assert ann == {"name": "Ann", "rank": 1, "total": 33, "lines": {
        "copper": {"count": 5, "points": 5}, "silver": {"count": 0, "points": 0},
        "gold": {"count": 2, "points": 14}, "most_gold": {"count": 2, "points": 14}}}
    assert (bo["total"], bo["lines"]["silver"]) == (12, {"count": 4, "points": 12})
    assert coins.score(read_toml_tallies(TOML, tmp_path / "game.toml")).score == game.score
    assert coins.score(of_csv(coins, CSV)).score == game.score
    assert game.lines()[1]["silver_points"] == 12


def test_fields_of_the_form_are_read_back_and_totals_compared(coins, game):
    points = ("copper_points", "silver_points", "gold_points", "most_gold_points", "total")
    assert game.fields() == {
        "date": "2026-03-01", "place": "Ulm", "p1.name": "Ann", "p1.copper": "5", "p1.gold": "2", "p2.name": "Bo",
        "p2.copper": "0", "p2.silver": "4",
        **{f"p1.{key}": own for key, own in zip(points, ("5", "0", "14", "14", "33"), strict=True)},
        **{f"p2.{key}": own for key, own in zip(points, ("0", "12", "0", "0", "12"), strict=True)}}
    assert coins.score(coins.from_fields(game.fields(), "form.pdf")).result == game.result
    wrong = coins.score(coins.from_fields({**game.fields(), "p2.total": "11"}, "form.pdf"))
    assert [str(warning) for warning in wrong.warnings] == [
        "form.pdf p2.total: says “11”, but the counts make 12 (12 is taken; correct the sheet, or the counts)"]


def test_the_result_is_put_into_words_and_tables(coins, game):
    assert game.verdict() == "Ann wins with 33 points."
    assert list(game.reasons()) == [
        "Copper: Ann has 5 → 5.", "Silver: Bo has 4 → 12.", "Gold pieces: Ann has 2 → 14.",
        "Most gold: Ann has the most (2) → 14.", "Ann: 5 Copper, 14 Gold pieces, 14 Most gold → 33.",
        "Bo: 12 Silver → 12."]
    assert markdown(game.table()).splitlines()[2:] == [
        "| Copper | 5→5 | · |", "| Silver | · | 4→12 |", "| Gold pieces | 2→14 | · |", "| Most gold | 2→14 | · |",
        "| **Total** | **33** | **12** |", "| Rank | 1 | 2 |"]
    assert len(list(terminal_lines(game.table()))) == 9
    tied = coins.score(read_json(json.dumps({"players": [{"name": name, "copper": 1} for name in "AB"]}), "game"))
    assert tied.result["tie_break"] == "draw"
    assert tied.verdict() == "A and B tie at 1 point: nobody wins."


def test_wrong_tallies_are_refused_all_at_once(coins):
    players = [{"name": "Ann", "gold": "x", "platinum": 1, "silver": {"a": 1}}, {"name": "Ann", "copper": -1}]
    with pytest.raises(InputError) as caught:
        coins.score(read_json(json.dumps({"game": "coins", "players": players, "goal": 3}), "game.json"))
    assert [str(problem).partition(" (")[0] for problem in caught.value.problems] == [
        "game.json goal: is not known", "game.json players[1].name: “Ann” is the name of 2\xa0players",
        "game.json players[0].platinum: is not known", "game.json players[0].silver.a: is not known",
        "game.json players[0].gold: Ann, Gold pieces: “x” is not a number",
        "game.json players[1].copper: Ann, Copper: -1 is negative"]
    with pytest.raises(InputError, match="“Tin” is not a row of the score sheet"):
        coins.score(of_csv(coins, ",Ann,Bo\nTin,1,2\n"))
