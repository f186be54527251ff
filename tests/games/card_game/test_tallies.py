"""Tallies as people write them: every format, every slip that the contract names, all of them at once."""

from __future__ import annotations

import json
from datetime import date
from pathlib import Path

import pytest

from ppgen.errors import InputError, Spot
from ppgen.games.card_game.deck import Card, Country
from ppgen.games.card_game.deck_check import Claim, can_share, max_of_one_kind
from ppgen.games.card_game.deck_loading import load_deck
from ppgen.games.card_game.scoring import CardScoring, ScoredCardGame
from ppgen.games.card_game.tallies import Tally, TallyNames
from ppgen.play.sheet_plan import RawGame
from ppgen.play.tally_files import read_file, read_json, read_toml_tallies, tally_rows
from ppgen.play.validation import parse_count
from ppgen.shipped import shipped_root

DATA = shipped_root() / "data" / "card_game"
DECK, _ = load_deck(DATA)
NAMES = TallyNames(DECK, DATA / "locales")
SCORING = CardScoring(deck=DECK, names=NAMES)

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


def read_csv_tallies(data: bytes) -> RawGame:
    return SCORING.from_csv(tally_rows(data, "game.csv"), "game.csv")


def of_csv(text: str | bytes) -> ScoredCardGame:
    return score(read_csv_tallies(text if isinstance(text, bytes) else text.encode()))


def of_toml(text: str) -> ScoredCardGame:
    return score(read_toml_tallies(text, Path("game.toml").absolute()))


def of_players(*players: dict[str, object], **more: object) -> ScoredCardGame:
    """Three players, of whom those given come first."""
    rest = [{"name": f"other {n}"} for n in range(3 - len(players))]
    return score(read_json(json.dumps({"players": [*players, *rest], **more}), "game.json"))


def refusal(*players: dict[str, object], **more: object) -> list[str]:
    with pytest.raises(InputError) as error:
        of_players(*players, **more)
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
    CSV.replace(",Claus,\n", ",Claus,,,\n").replace("symbols\n", "symbols,cards,symbols\n"),
], ids=["semicolon", "tab", "bom", "crlf", "sep", "empty rows", "remark", "german", "decimals", "unused columns"])
def test_csv_as_spreadsheets_save_it(changed):
    assert of_csv(changed).written == of_csv(CSV).written


def test_csv_in_the_encoding_of_older_spreadsheets():
    text = CSV.replace("Andreas", "Jörg").replace("italy", "Dänemark").replace('"3+2"', "2").replace(",4,,,", ",2,,,")
    assert of_csv(text.encode("cp1252")).players[0]["name"] == "Jörg"


@pytest.mark.parametrize("row, line", [
    ("france,5,4,2,1,2,", "game.csv:3 Claus cards: France: 9 cards in all, only 8 exist: Andreas 5, Beate 2, Claus 2 "
                          "(count again)"),
    ('france,"5,5",4,2,1,1,', "game.csv:3 Andreas cards: Andreas, France, Cards: '5,5' is not a whole number"),
    ("france,5,0,4,0,2,1,1,", "game.csv:3: “1” is outside the players’ columns"),
    ("Schife,1,,4,,,", "game.csv:3: “Schife” is neither a country nor a row of the score sheet (did you mean Schiffe "
                       "(ships)?)"),
    ("wheels,1,,4,,,", "(one of France, Saxony, Hungary, Castile, Franconia, Bavaria, Italy, England, Denmark, Ships, "
                       "Carriages, Tablets −2, Date, Place)"),
    ("italy,1,0,0,0,0,0", "game.csv:4: duplicate row “italy” (first on line 3)"),
    ('france,"5,000",4,2,1,1,', "game.csv:3 Andreas cards: Andreas, France, Cards: '5,000' is not a whole number"),
])
def test_a_slip_in_a_cell_is_named_with_its_line_and_column(row, line):
    with pytest.raises(InputError) as error:
        of_csv(CSV.replace("france,5,4,2,1,1,", row))
    assert line in str(error.value)


def test_csv_without_its_two_lines_of_heads_says_how_it_is_laid_out():
    with pytest.raises(InputError, match="the second says cards and symbols"):
        of_csv(",Andreas,,Beate,\nfrance,5,4,2,1\n")


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
    with pytest.raises(InputError) as error:
        of_toml(TOML)
    a_count = 'write a whole number from 0 on, or a sum in quotes like "3+2"'
    assert str(error.value).splitlines() == [
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


GERMAN = TallyNames(DECK, DATA / "locales", "de")


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
    with pytest.raises(InputError) as error:
        CardScoring(deck=DECK, names=GERMAN).score(read_json(json.dumps(document), "game.json"))
    assert str(error.value) == line


def test_a_form_is_not_told_to_put_quotes_round_a_sum():
    with pytest.raises(InputError, match=r"a whole number from 0 on, or a sum like 3\+2.$"):
        score(SCORING.from_fields({"p1.name": "A", "p2.name": "B", "p3.name": "C", "p1.ships": "x"}, "sheet.pdf"))


def test_slips_and_counts_that_are_too_high_are_told_at_once():
    lines = refusal(
        {"name": "A", "minus_two": 2, "cards": {"france": 9, "saxony": 1.5}, "symbols": {"france": 30, "saxony": 30}},
        {"name": "A", "minus_two": 1, "cards": {"Gallien": 1}, "symbols": {"france": 30}})
    trails = [line.split()[1].rstrip(":") for line in lines]
    assert sorted(trails) == [
        "players[0].cards.france", "players[0].cards.saxony", "players[0].symbols.france", "players[1].cards.Gallien",
        "players[1].minus_two", "players[1].name"]


@pytest.mark.parametrize("players, what", [
    ([], "no name and no number is filled in"), ([{"name": "A"}], "players: 1"),
    ([{"name": n} for n in "AB"], "players: 2"), ([{"name": n} for n in "ABCDEF"], "players: 6"),
])
def test_three_to_five_play(players, what):
    with pytest.raises(InputError, match=f"{what} .the game is for 3 to 5."):
        score(read_json(json.dumps({"players": players}), "game.json"))


@pytest.mark.parametrize("player, what", [
    ({"cards": {"france": 9}}, "A, France: 9 country cards (only 8 exist)"),
    ({"cards": {"france": 1}, "symbols": {"france": 3}},
     "A, France: 3 symbols of one kind on 1 country card (at most 2)"),
    ({"symbols": {"france": 1}}, "A, France: 1 symbol of one kind on 0 country cards (at most 0)"),
    ({"cards": {"france": 1}, "symbols": {"france": {"cross": 2, "fan": 1}}},
     "A, France: 3 symbols on 1 country card (at most 2)"),
    ({"cards": {"france": 8}, "symbols": {"france": {"rose": 1}}},
     "A, France: 1 symbol of the kind rose on 8 country cards (at most 0)"),
    ({"ships": 1}, "A: 1 ship (at most 0 on the cards counted)"),
    ({"cards": {"denmark": 4}, "carriages": 1}, "A: 1 carriage (at most 0 on the cards counted)"),
    ({"minus_two": 3}, "3 law tablets “−2” in all, only 2 exist: A 3"),
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


def test_an_unreadable_count_of_cards_draws_no_conclusions():
    [line] = refusal({"name": "A", "cards": {"france": "x"}, "symbols": {"france": 4}, "ships": 2})
    assert "'x' is not a number" in line


def test_two_players_cannot_both_have_the_best_cards():
    country = Country(id="x", number=4, code="XX", colour="#000000", arms="x")
    cards = [Card(id=f"x-{n}", country=country, symbols=symbols)
             for n, symbols in enumerate([("a", "a"), ("a",), ("b",), ()])]
    assert max_of_one_kind(cards, 2) == 3
    assert can_share(cards, [Claim(cards=1, best=2), Claim(cards=2, best=1)])
    assert not can_share(cards, [Claim(cards=1, best=2), Claim(cards=2, best=2)])
    assert not can_share(cards, [Claim(cards=2, best=3), Claim(cards=1, best=1, kinds={"a": 1})])


def test_collected_cards_are_counted():
    a, b = [card.id for card in DECK.cards[:5]], [card.id for card in DECK.cards[5:8]]
    game = of_players({"name": "A", "collected": a, "minus_two": 1}, {"name": "B", "collected": b})
    assert game.score.players[0].countries["france"].cards == 5 and game.score.players[0].law_points == -2
    assert game.score.players[1].countries["france"].country_points == 5


def test_what_is_wrong_with_collected_cards():
    lines = refusal({"name": "A", "collected": ["france-1", "frence-2"]},
                    {"name": "B", "collected": ["france-1"], "ships": 1})
    assert lines == [
        "game.json players[0].collected[1]: 'frence-2' is not a card of the set (did you mean france-2?)",
        "game.json players[1].collected: is given together with ships (give the cards themselves, or their counts)",
        "game.json players[1].collected[0]: “france-1” is counted already, for A (each card exists once)"]


@pytest.mark.parametrize("text, count", [
    ("5", 5), ("3+2", 5), (" 3 + 2 ", 5), ("=3+2", 5), ("5,0", 5), ("5.00", 5), ("", 0), (None, 0), (5.0, 5),
    ("3+2", 5)])
def test_counts(text, count):
    assert parse_count(text) == count


@pytest.mark.parametrize("text", ["5,5", "5,000", "-1", "−1", "3-2", "3+", "x", "1e3", True, 1.5, -1, float("nan"),
                                  float("inf"), [], 10**9, "9" * 50])
def test_no_counts(text):
    with pytest.raises(ValueError):
        parse_count(text)


@pytest.mark.parametrize("value, words", [
    (True, "true is not a number"), ([1, None], "[1, null] is not a number"), ({"a": False}, '{"a": false} is not'),
    (date(2026, 1, 1), "2026-01-01 is not a number"), ("9" * 70, "is too large"), ("1+" + "9" * 70, "is too large"),
    ("-" + "9" * 30, "is negative"), ("x" * 70, "'" + "x" * 38 + "… is not a number")])
def test_a_value_is_quoted_as_it_is_written(value, words):
    raw = RawGame(place="g", where=lambda trail: Spot("g"), document={
        "players": [{"name": "A", "ships": value}, {"name": "B"}, {"name": "C"}]})
    with pytest.raises(InputError) as error:
        score(raw)
    assert words in str(error.value) and str(error.value).count("\n") == 0


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
    with pytest.raises(InputError) as error:
        score(read_json(text, "game.json"))
    assert what in str(error.value)


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


def test_a_form_of_something_else_is_no_sheet():
    with pytest.raises(InputError, match="no fields of a score sheet"):
        SCORING.from_fields({"IBAN": "x"}, "tax.pdf")


@pytest.mark.parametrize("suffix", [".toml", ".json"])
def test_toml_and_json_as_windows_shells_write_them(tmp_path, suffix):
    """PowerShell 5.1 redirects in UTF-16 with a byte order mark and two characters at the end of a line."""
    text = {".toml": '[[players]]\r\nname = "Jörg"\r\n[players.cards]\r\nfrance = 2\r\n',
            ".json": '{"players": [{"name": "Jörg",\r\n "cards": {"france": 2}}]}\r\n'}[suffix]
    (tmp_path / f"game{suffix}").write_bytes(text.encode("utf-16"))
    game = read_file(tmp_path / f"game{suffix}").raw(SCORING)
    assert game.document["players"] == [{"name": "Jörg", "cards": {"france": 2}}]
