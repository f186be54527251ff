"""Tallies as people write them: every format, every slip that the contract names, all of them at once."""

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from ppgen.errors import InputError, Spot
from ppgen.games.card_game.deck import Card, Claim, Country, can_share, load_deck, max_of_one_kind
from ppgen.games.card_game.scoring import CardScoring, ScoredCardGame, Tally, TallyNames
from ppgen.play.game_scoring import read_json, read_toml_tallies, tally_rows
from ppgen.play.sheet_plan import RawGame
from ppgen.shipped import shipped_root

DATA = shipped_root() / "data" / "card_game"
DECK, _ = load_deck(DATA)
SCORING = CardScoring(deck=DECK, names=TallyNames(DECK, DATA / "locales"))

CSV = """\
,Andreas,,Beate,,Claus,
,cards,symbols,cards,symbols,cards,symbols
france,5,4,2,1,1,
italy,,,"3+2",1,1,0
ships,1,,4,,,
carriages,1,,0,,,
minus_two,1,,0,,,
"""


def score(raw: RawGame, partial: bool = False) -> ScoredCardGame:
    return SCORING.score(raw, partial=partial)


def of_csv(text: str) -> ScoredCardGame:
    return score(SCORING.from_csv(tally_rows(text.encode(), "game.csv"), "game.csv"))


def of_toml(text: str) -> ScoredCardGame:
    return score(read_toml_tallies(text, Path("game.toml").absolute()))


def of_players(*players: dict[str, object], **more: object) -> ScoredCardGame:
    """Three players, of whom those given come first."""
    rest = [{"name": f"other {n}"} for n in range(3 - len(players))]
    return score(read_json(json.dumps({"players": [*players, *rest], **more}), "game.json"))


def refusal(*players: object, score: Callable[..., object] = of_players) -> list[str]:
    with pytest.raises(InputError) as error:
        score(*players)
    return str(error.value).splitlines()


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


@pytest.mark.parametrize("row, line", [
    ("france,5,4,2,1,2,", "game.csv:3: France: 9 cards in all, only 8 exist: Andreas 5, Beate 2, Claus 2 "
                          "(count again)"),
    ('france,"5,5",4,2,1,1,', "game.csv:3: Andreas, France, Cards: “5,5” is not a whole number"),
    ("france,5,0,4,0,2,1,1,", "game.csv:3: “1” is outside the players’ columns"),
    ("Schife,1,,4,,,", "game.csv:3: “Schife” is neither a country nor a row of the score sheet (did you mean Schiffe "
                       "(ships)?)"),
    ("wheels,1,,4,,,", "(one of France, Saxony, Hungary, Castile, Franconia, Bavaria, Italy, England, Denmark, Ships, "
                       "Carriages, Tablets −2, Date, Place)"),
    ("italy,1,0,0,0,0,0", "game.csv:4: duplicate row “italy” (first on line 3)"),
    ('france,"5,000",4,2,1,1,', "game.csv:3: Andreas, France, Cards: “5,000” is not a whole number"),
])
def test_a_slip_in_a_cell_is_named_with_its_line_and_column(row, line):
    assert line in "\n".join(refusal(CSV.replace("france,5,4,2,1,1,", row), score=of_csv))


TOML = """\
[[players]]
name = "Andreas"
ships = 1
[players.cards]
france = 9
Farnkreich = 1

[[players]]
name = "andreas "
carriages = -1
[players.symbols]
denmark = { rsoe = 1 }

[[players]]
name = ""
minus_two = 1.5
wheels = 2
"""


def test_all_problems_come_at_once_with_their_lines():
    a_count = 'write a whole number from 0 on, or a sum in quotes like "3+2"'
    assert refusal(TOML, score=of_toml) == [
        "game.toml:5 players.cards.france: Andreas, France: 9 country cards (only 8 exist)",
        "game.toml:6 players.cards.Farnkreich: “Farnkreich” is not a country (did you mean Frankreich (france)?)",
        "game.toml:9 players.name: “andreas” is the name of 2\xa0players (give each player a name of their own)",
        f"game.toml:10 players.carriages: andreas, Carriages: -1 is negative ({a_count})",
        "game.toml:12 players.symbols.denmark.rsoe: “rsoe” is not a kind of symbol (did you mean rose?)",
        "game.toml:15 players.name: the name is empty (give each player a name of their own)",
        f"game.toml:16 players.minus_two: Player 3, Tablets −2: 1.5 is not a whole number ({a_count})",
        "game.toml:17 players.wheels: is not known (one of name, cards, symbols, ships, carriages, minus_two, "
        "collected)",
    ]


def test_countries_and_kinds_are_known_in_every_language():
    for country in ("DENMARK", "Dänemark", "danemark", "Daenemark", "DK"):
        for kind in ("star", "STERN"):
            [first, *_] = tallies(of_players(
                {"name": "A", "cards": {country: 4}, "symbols": {country: {kind: 1}}}))
            assert (first.cards, first.symbols) == ({"denmark": 4}, {"denmark": 1})


@pytest.mark.parametrize("player, line", [
    ({"cards": {"france": 9}}, "game.json players[0].cards.france: Anna, Frankreich: 9 Länderkarten (es gibt nur 8)"),
    ({"symbols": {"france": 1}},
     "game.json players[0].symbols.france: Anna, Frankreich: 1 Symbol einer Sorte auf 0 Länderkarten (höchstens 0)"),
    ({"ships": -1}, "game.json players[0].ships: Anna, Schiffe: -1 ist negativ (eine ganze Zahl ab 0 oder eine Summe "
                    'in Anführungszeichen wie "3+2")'),
    ({"cards": {"Farnkreich": 1}},
     "game.json players[0].cards.Farnkreich: „Farnkreich“ ist kein Land (gemeint: Frankreich (france)?)"),
    ({"minus_two": 3}, "game.json players[0].minus_two: zusammen 3 Gesetzestafeln „−2“, es gibt nur 2: Anna 3 "
                       "(bitte nachzählen)")])
def test_what_is_wrong_is_told_in_the_language_with_player_row_and_country(player, line):
    document = {"players": [{"name": "Anna", **player}, {"name": "Bo"}, {"name": "Cy"}]}
    scoring = CardScoring(deck=DECK, names=TallyNames(DECK, DATA / "locales", "de"))
    assert refusal(read_json(json.dumps(document), "game.json"), score=scoring.score) == [line]


@pytest.mark.parametrize("player, what", [
    ({"cards": {"france": 1}, "symbols": {"france": 3}},
     "A, France: 3 symbols of one kind on 1 country card (at most 2)"),
    ({"symbols": {"france": 1}}, "A, France: 1 symbol of one kind on 0 country cards (at most 0)"),
    ({"cards": {"france": 1}, "symbols": {"france": {"cross": 2, "fan": 1}}},
     "A, France: 3 symbols on 1 country card (at most 2)"),
    ({"cards": {"france": 8}, "symbols": {"france": {"rose": 1}}},
     "A, France: 1 symbol of the kind rose on 8 country cards (at most 0)"),
    ({"ships": 1}, "A: 1 ship (at most 0 on the cards counted)"),
    ({"cards": {"denmark": 4}, "carriages": 1}, "A: 1 carriage (at most 0 on the cards counted)"),
])
def test_more_than_the_cards_can_bear_is_refused(player, what):
    [line] = refusal({"name": "A", **player})
    assert what in line


def test_players_together_cannot_hold_more_than_exist():
    everything = {country.id: country.number for country in DECK.countries}
    ships = sum(card.route == "ship" for card in DECK.cards)
    assert of_players({"name": "A", "cards": everything, "ships": ships}).complete
    [line] = refusal({"name": "A", "cards": everything, "ships": ships + 1})
    assert f"at most {ships}" in line
    [line] = refusal({"name": "A", "minus_two": 1}, {"name": "B", "minus_two": 2})
    assert "3 law tablets “−2” in all, only 2 exist: A 1, B 2" in line


def test_two_players_cannot_both_have_the_best_cards():
    country = Country(id="x", number=4, code="XX", colour="#000000", arms="x")
    cards = [Card(id=f"x-{n}", country=country, symbols=symbols)
             for n, symbols in enumerate([("a", "a"), ("a",), ("b",), ()])]
    assert max_of_one_kind(cards, 2) == 3
    assert can_share(cards, [Claim(cards=1, best=2), Claim(cards=2, best=1)])
    assert not can_share(cards, [Claim(cards=1, best=2), Claim(cards=2, best=2)])
    assert not can_share(cards, [Claim(cards=2, best=3), Claim(cards=1, best=1, kinds={"a": 1})])


def test_what_is_wrong_with_collected_cards():
    lines = refusal({"name": "A", "collected": ["france-1", "frence-2"]},
                    {"name": "B", "collected": ["france-1"], "ships": 1})
    assert lines == [
        "game.json players[0].collected[1]: 'frence-2' is not a card of the set (did you mean france-2?)",
        "game.json players[1].collected: is given together with ships (give the cards themselves, or their counts)",
        "game.json players[1].collected[0]: “france-1” is counted already, for A (each card exists once)"]


@pytest.mark.parametrize("names, what", [
    (("\u200b", "B", "C"), "the name is empty"), (("\u2060\ufeff", "B", "C"), "the name is empty"),
    (("Anna", "An\u200bna", "C"), "is the name of 2"), (("A\u202eb", "B", "C"), "control characters"),
    ((None, "B", "C"), "null is not a text"), ((True, "B", "C"), "true is not a text")])
def test_names_that_nobody_sees_or_that_are_none(names, what):
    raw = RawGame(place="g", where=lambda trail: Spot("g"), document={"players": [{"name": name} for name in names]})
    with pytest.raises(InputError, match=what):
        score(raw)


@pytest.mark.parametrize("text, what", [
    ("{", "game.json:1: is not valid JSON"), ("[" * 100_000, "is not valid JSON"), ("3", "does not contain a game"),
    ('{"players": 3}', "is not a list of players"), ('{"players": [1, 2, 3]}', "is not a list of players"),
    ('{"players": [], "players": []}', "is given twice in this table"),
    ('{"game": "chess", "players": []}', "is not the game"),
    ('{"players": [{"name": 1}, {"name": "B", "cards": 3}, {"name": "C", "collected": 3}]}', "is not a text"),
])
def test_json_that_is_no_game(text, what):
    assert what in "\n".join(refusal(text, score=lambda text: score(read_json(text, "game.json"))))


def test_missing_cards_are_warned_of_but_not_in_a_partial_game():
    cards = {country.id: country.number for country in DECK.countries}
    full = of_players({"name": "A", "cards": cards})
    assert full.result["complete"] is True and full.result["warnings"] == []
    cards["denmark"] -= 1
    game = of_players({"name": "A", "cards": cards})
    assert game.result["complete"] is False
    assert [str(warning) for warning in game.warnings] == [
        "game.json denmark: Denmark: 3 of 4 cards counted (count again, or give --partial for a game that is not over)"]
    partial = score(read_json(json.dumps(game.written), "game.json"), partial=True)
    assert (partial.result["complete"], partial.result["warnings"]) == (False, [])


def test_a_form_leaves_empty_columns_out_and_takes_unfinished_sums():
    fields = {f"p{n}.{key}": "" for n in range(1, 6) for key in ("name", "france.cards", "ships", "total")}
    fields |= {"p1.name": "A", "p2.name": "B", "p4.name": "D", "p4.france.cards": "3+", "p5.total": "0", "note": "x"}
    game = score(SCORING.from_fields(fields, "sheet.pdf"))
    assert [(tally.name, tally.cards["france"]) for tally in tallies(game)] == [("A", 0), ("B", 0), ("D", 3)]


def test_a_form_names_its_fields():
    fields = {"p1.name": "A", "p2.name": "B", "p5.name": "C", "p5.france.cards": "9", "p5.total": "12",
              "p1.denmark.symbol_points": "3"}
    with pytest.raises(InputError, match=r"sheet.pdf p5.france.cards: C, France: 9 country cards .only 8 exist"):
        score(SCORING.from_fields(fields, "sheet.pdf"))
    fields["p5.france.cards"] = "2"
    found = [str(problem) for problem in score(SCORING.from_fields(fields, "sheet.pdf"), partial=True).warnings]
    assert found == [
        "sheet.pdf p1.denmark.symbol_points: says “3”, but the counts make 0 "
        "(0 is taken; correct the sheet, or the counts)",
        "sheet.pdf p5.total: says “12”, but the counts make 8 (8 is taken; correct the sheet, or the counts)"]
