"""Cells of points: entries below 0, and empty cells apart from 0."""

import json

import pytest

from ppgen.errors import InputError
from ppgen.play.game_scoring import open_tally_rows, read_json, tally_rows
from ppgen.play.rule_game import open_rule_scoring
from ppgen.play.sheet_plan import parse_count
from ppgen.shipped import shipped_root

RULES = """
players = "1-3"
[bid]
points = "bid + 20"
[debts]
"""


@pytest.fixture
def bids(tmp_path):
    (tmp_path / "score.toml").write_text(RULES, encoding="utf-8")
    return open_rule_scoring("bids", tmp_path, shipped_root() / "data" / "locales", "en")


def totals(game):
    return [player["total"] for player in game.result["players"]]


@pytest.mark.parametrize(("text", "points"), [
    ("-4", -4), ("−4", -4), ("–4", -4), ("3-5", -2), ("-3 - 2", -5), ("+4", 4), ("10+2-30", -18),
    ("－４", -4), ("-5,0", -5)])
def test_points_below_0_are_read_as_people_write_them(text, points):
    assert parse_count(text, signed=True) == points
    with pytest.raises(ValueError):
        parse_count(text if text != "+4" else "-4")


def test_all_formats_keep_empty_cells_apart_from_0(bids, tmp_path):
    players = [{"name": "Ann", "bid": 0, "debts": "3-5"}, {"name": "Bo", "debts": -7}, {"name": "Cy", "bid": ""}]
    read = [read_json(json.dumps({"players": players}), "game.json"),
            open_tally_rows(tally_rows(b",Ann,Bo,Cy\nBid,0,,\nDebts,3-5,-7,0\n", "game.csv"), "game.csv").raw(bids),
            bids.from_fields({"p1.name": "Ann", "p1.bid": "0", "p1.debts": "3-5", "p2.name": "Bo", "p2.bid": "",
                              "p2.debts": "\N{MINUS SIGN}7", "p3.name": "Cy", "p3.bid": ""}, "form.pdf")]
    assert [totals(bids.score(raw)) for raw in read] == [[18, -7, 0]] * 3
    cells = bids.to_cells(bids.score(read[0]).written)
    fields = {cell.field: text for cell, text in cells.items()}
    assert totals(bids.score(bids.from_fields(fields, "sheet"))) == [18, -7, 0]


def test_a_negative_count_is_refused_beside_points_with_each_remedy(bids):
    with pytest.raises(InputError) as caught:
        bids.score(read_json('{"players": [{"name": "Ann", "bid": -1, "debts": "x"}]}', "game.json"))
    assert [str(problem) for problem in caught.value.problems] == [
        "game.json players[0].bid: Ann, Bid: -1 is negative (write a whole number from 0 on, or a sum in quotes like "
        '"3+2")',
        "game.json players[0].debts: Ann, Debts: “x” is not a number (write a whole number, or a sum in quotes like "
        '"3-5")']
