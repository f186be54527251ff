"""The scoring in JavaScript says of any game what Python says: in node, and in the script sandbox of pdf.js."""

from __future__ import annotations

import json
import random
import re
from collections import Counter
from pathlib import Path

import pytest

from ppgen.games.card_game import NAME, game, scoring
from ppgen.games.card_game.deck import Card, Deck, count_routes, count_symbols
from ppgen.games.card_game.scoring import CardScoring, Score, rules_json, score_game, twin_source
from ppgen.games.card_game.tallies import Tally, TallyNames
from ppgen.play import validation
from ppgen.play.sheet_plan import Json
from ppgen.play.tally_files import read_json

GAMES, IN_PDF = 700, 50
SCORE = Path(scoring.__file__).parent / "score.js"
SCRIPTS = (SCORE, *(Path(validation.__file__).parent / name for name in (
    "counts.js", "fields.js", "score_lines.js", "score_fields.js")),
           Path(game.__file__).parent / "score_form.js")


@pytest.fixture(scope="module")
def script(tmp_path_factory) -> str:
    """The path of the scoring with what it needs before it."""
    path = tmp_path_factory.mktemp("twin") / "score.js"
    path.write_text(twin_source(), encoding="ascii")
    return str(path)


def some_game(number: int, countries: tuple) -> tuple[Json, tuple[Tally, ...]]:
    """A game by number, as JSON and as tallies: few cards or more than exist, and players who hold the same."""
    chance = random.Random(number)
    counts = range(1 + chance.choice((0, 1, 2, 2, 3, 5, 9, 40)))
    ids = chance.sample([country.id for country in countries], k=len(countries) - number % 4 // 3)
    hands: list[list[int]] = []
    for _ in range(3 + number % 3):
        hand = chance.choices(counts, k=2 * len(ids) + 3)
        if hands and chance.random() < 0.4:
            start = chance.choice((0, len(ids)))  # everything as the first player has it, or all but the cards
            hand[start:] = hands[0][start:]
        hands.append(hand)
    players = [{"name": f"P{seat}", "ships": ships, "carriages": carriages, "minus_two": laws,
                "cards": dict(zip(ids, rest, strict=False)), "symbols": dict(zip(ids, rest[len(ids):], strict=True))}
               for seat, (*rest, ships, carriages, laws) in enumerate(hands)]
    return {"players": players}, tuple(Tally(**player) for player in players)


def dealt_game(number: int, deck: Deck) -> Json:
    """A game with all the cards dealt, as somebody may write it: sums, all kinds of symbols, no word of nothing."""
    chance = random.Random(number)
    hands: list[list[Card]] = [[] for _ in range(3 + number % 3)]
    for card in deck.cards:
        chance.choice(hands).append(card)

    def count(value: int) -> object:
        return chance.choice((value, str(value), f"{value - 1} + 1" if value else "", f"0+{value}"))

    def player(seat: int, hand: list[Card]) -> Json:
        routes, symbols = count_routes(hand), dict[str, object]()
        for country in {card.country.id for card in hand}:
            kinds = count_symbols(card for card in hand if card.country.id == country)
            symbols[country] = chance.choice((count(max(kinds.values(), default=0)),
                                              {kind: count(value) for kind, value in kinds.items()}))
        return {"name": f"P{seat}", "cards": {country: count(value) for country, value in Counter(
            card.country.id for card in hand).items()}, "symbols": symbols, "ships": count(routes["ship"]),
            "carriages": count(routes["carriage"]), **({"minus_two": count(2)} if seat == number % 6 else {})}

    return {"players": [player(seat, hand) for seat, hand in enumerate(hands)]}


@pytest.fixture(scope="module")
def games(deck) -> list[tuple[Json, tuple[Tally, ...]]]:
    return [some_game(number, deck.countries) for number in range(GAMES)]


@pytest.fixture(scope="module")
def scores(games, deck) -> list[Score]:
    return [score_game(tallies, deck.rules) for _, tallies in games]


@pytest.fixture(scope="module")
def results(games, scores, deck) -> list[Json]:
    """What ``ppgen score`` would print if it let every game pass."""
    def complete(game: Json) -> bool:
        return all(sum(player["cards"].get(country.id, 0) for player in game["players"]) >= country.number
                   for country in deck.countries)

    return [score.result(NAME, complete(game), ()) for score, (game, _) in zip(scores, games, strict=True)]


def test_hundreds_of_games_are_scored_alike(node, script, games, results, deck):
    given = {"rules": rules_json(deck.rules), "games": [game for game, _ in games]}
    answer = node.run("twin.mjs", "node", script, given=given)
    assert answer["globals"] == ["tallyCounts", "cardGame"]
    for number, (found, wanted) in enumerate(zip(answer["results"], results, strict=True)):
        assert found == wanted, f"game {number}"


@pytest.mark.slow
def test_pdf_js_scores_them_alike(pdfjs, script, games, results, deck):
    given = {"rules": rules_json(deck.rules), "games": [game for game, _ in games[:IN_PDF]]}
    assert pdfjs.run("twin.mjs", "pdf.js", script, given=given)["results"] == results[:IN_PDF]


def test_sums_and_kinds_are_read_as_ppgen_score_reads_them(node, script, workshop, deck):
    names = TallyNames(deck, workshop.assets.game("card_game") / "locales")
    games = [dealt_game(number, deck) for number in range(30)]
    scoring = CardScoring(deck=deck, names=names)
    wanted = [scoring.score(read_json(json.dumps(game), "game")).result for game in games]
    assert all(result["complete"] for result in wanted)
    given = {"rules": rules_json(deck.rules), "games": games}
    assert node.run("twin.mjs", "node", script, given=given)["results"] == wanted


def test_the_scripts_are_ecmascript_5(parser, tmp_path):
    """Old viewers know no other. What is newer is found, down to methods."""
    assert parser.run("es5.mjs", *map(str, SCRIPTS)) == []
    new = tmp_path / "new.js"
    new.write_text("let a = `x`;\nvar b = {a};\nvar c = [a].map(x => x ** 2);\nc.includes(4);\nc.map(Math.sign);\n")
    lines = [line.removeprefix(f"{new}:") for line in parser.run("es5.mjs", str(new))]
    assert lines == ["1 let", "1 TemplateLiteral", "1 TemplateElement", "2 short property", "3 ArrowFunctionExpression",
                     "3 **", "4 includes", "5 sign"]


def test_the_scoring_knows_no_form_and_no_page():
    text = twin_source()
    assert not re.findall(r"\b(getField|event|app|this|console|document|window|globalThis|require)\b", text)
