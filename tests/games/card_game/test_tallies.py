"""Tallies as people write them: every format, every slip that the contract names, all of them at once."""

import json
from pathlib import Path

import pytest

from ppgen.games.card_game.deck import Card, Claim, Country, can_share, load_deck, max_of_one_kind
from ppgen.games.card_game.scoring import CardScoring, ScoredCardGame, Tally, TallyNames
from ppgen.play.game_scoring import read_json, tally_rows
from ppgen.play.sheet_plan import RawGame
from ppgen.shipped import shipped_root

DATA = shipped_root() / "data" / "card_game"
DECK, _ = load_deck(DATA)
SCORING = CardScoring(deck=DECK, names=TallyNames(DECK, DATA / "locales"))

CSV = (Path(__file__).parent / "game.csv").read_text("utf-8")


def score(raw: RawGame, partial: bool = False) -> ScoredCardGame:
    return SCORING.score(raw, partial=partial)


def of_csv(text: str) -> ScoredCardGame:
    return score(SCORING.from_csv(tally_rows(text.encode(), "game.csv"), "game.csv"))


def of_players(*players: dict[str, object], **more: object) -> ScoredCardGame:
    """Three players, of whom those given come first."""
    rest = [{"name": f"other {n}"} for n in range(3 - len(players))]
    return score(read_json(json.dumps({"players": [*players, *rest], **more}), "game.json"))


def tallies(game: ScoredCardGame) -> list[Tally]:
    return [Tally(**player) for player in game.players]


@pytest.mark.parametrize("changed", [
    CSV.replace(",", ";").replace('"3+2"', "3+2"),
    CSV.replace(",", "\t"),
    "\ufeff" + CSV,
    CSV.replace("\n", "\r\n"),
    "sep=;\r\n" + CSV.replace(",", ";"),
    CSV + "\n,,,,,,\n",
    "# counted twice\n" + CSV,
    CSV.replace("france", "Frankreich").replace("italy", "ITALIEN").replace("ships", "Schiffe")
       .replace("cards", "Karten").replace("symbols", "Symbole").replace("minus_two", "Tafeln −2"),
    CSV.replace(",1,,4,,,", ',1,,"4,0",,,'),
    CSV.replace(",1,,4,,,", ",1,-,4,–,·,—"),
    CSV.replace(",Claus,\n", ",Claus,,,\n").replace("symbols\n", "symbols,cards,symbols\n"),
], ids=["semicolon", "tab", "bom", "crlf", "sep", "empty rows", "remark", "german", "decimals", "dashes",
        "unused columns"])
def test_csv_as_spreadsheets_save_it(changed):
    assert of_csv(changed).written == of_csv(CSV).written


def test_countries_and_kinds_are_known_in_every_language():
    for country in ("DENMARK", "Dänemark", "danemark", "Daenemark", "DK"):
        for kind in ("star", "STERN"):
            [first, *_] = tallies(of_players(
                {"name": "A", "cards": {country: 4}, "symbols": {country: {kind: 1}}}))
            assert (first.cards, first.symbols) == ({"denmark": 4}, {"denmark": 1})


def test_two_players_cannot_both_have_the_best_cards():
    country = Country(id="x", number=4, code="XX", colour="#000000", arms="x")
    cards = [Card(id=f"x-{n}", country=country, symbols=symbols)
             for n, symbols in enumerate([("a", "a"), ("a",), ("b",), ()])]
    assert max_of_one_kind(cards, 2) == 3
    assert can_share(cards, [Claim(cards=1, best=2), Claim(cards=2, best=1)])
    assert not can_share(cards, [Claim(cards=1, best=2), Claim(cards=2, best=2)])
    assert not can_share(cards, [Claim(cards=2, best=3), Claim(cards=1, best=1, kinds={"a": 1})])


def test_a_form_leaves_empty_columns_out_and_takes_unfinished_sums():
    fields = {f"p{n}.{key}": "" for n in range(1, 6) for key in ("name", "france.cards", "ships", "total")}
    fields |= {"p1.name": "A", "p2.name": "B", "p4.name": "D", "p4.france.cards": "3+", "p5.total": "0", "note": "x"}
    game = score(SCORING.from_fields(fields, "sheet.pdf"))
    assert [(tally.name, tally.cards["france"]) for tally in tallies(game)] == [("A", 0), ("B", 0), ("D", 3)]
