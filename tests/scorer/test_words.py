"""The scripts of the page judge, score and explain games as ppgen score does."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path

import pytest

from ppgen.errors import InputError
from ppgen.games.card_game import scoring, tallies
from ppgen.games.card_game.printing.scorer import deck_json
from ppgen.games.card_game.scoring.points import score_game
from ppgen.games.card_game.scoring.sentences import reasons, verdict
from ppgen.games.card_game.scoring.twin import rules_json
from ppgen.games.card_game.tallies.names import Names
from ppgen.games.card_game.tallies.scored import score_raw
from ppgen.play.files import read_json
from ppgen.reading.texts import languages, load_texts
from tests.scorer.games import dealt, folders, spoilt, written

SCRIPTS = [Path(room.__file__).parent / name for room, name in (
    (scoring, "score.js"), (scoring, "sentences.js"), (tallies, "judge.js"))]
LANGS = ("de", "en", "fr", "nl", "da", "ja")
GAMES = 60


@pytest.fixture(scope="module")
def told(node, workshop, deck):
    """What the scripts say of games in a language."""
    folder = workshop.assets.game("card_game")

    def ask(lang: str, games: list[object]) -> list[dict]:
        words = dict(load_texts(lang, folders(workshop)).words)
        given = {"rules": rules_json(deck.countries), "deck": deck_json(deck, folder), "words": words, "games": games}
        return node.run("told.mjs", *map(str, SCRIPTS), given=given)

    return ask


@pytest.mark.parametrize("lang", LANGS)
def test_sentences_are_those_of_explain(told, workshop, deck, lang):
    texts = load_texts(lang, folders(workshop))
    for number, answer in enumerate(told(lang, [written(dealt(number, deck)) for number in range(GAMES)])):
        score = score_game(dealt(number, deck), deck.countries)
        assert answer["reasons"] == list(reasons(score, deck.countries, texts)), number
        assert answer["verdict"] == verdict(score, texts) and answer["sofar"] == verdict(score, texts, over=False)


def test_all_languages_are_held_to_it(workshop):
    assert set(LANGS) == set(languages(workshop.assets.game("card_game") / "locales"))


def test_what_ppgen_score_refuses_is_refused_for_the_same_reasons(told, workshop, deck):
    names = Names(deck, workshop.assets.game("card_game") / "locales", "en")
    games = [spoilt(number, deck) for number in range(1000)]
    seen: Counter[str] = Counter()
    for number, (game, answer) in enumerate(zip(games, told("en", games), strict=True)):
        try:
            scored = score_raw(read_json(json.dumps(game), ""), deck, names)
        except InputError as error:
            found = [(problem["key"], problem["what"]) for problem in answer.get("problems", [])]
            wanted = [(problem.key, problem.what) for problem in error.problems]
            called = [str(player.get("name")).strip().casefold() for player in game["players"]]
            twice = len(set(called)) < len(called)
            assert found if twice else found == wanted, (number, game)  # whose cards are whose, nobody knows then
            seen["refused"] += not twice
        else:
            assert "problems" not in answer, (number, answer)
            assert answer["result"]["players"] == scored.result["players"], number
            seen["scored"] += 1
    assert min(seen["refused"], seen["scored"]) > 60
