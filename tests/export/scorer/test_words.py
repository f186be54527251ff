"""The scripts of the page accept, score and explain games as ppgen score does: in any language, whatever is wrong."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from shutil import copytree
from typing import Any

import pytest

from ppgen.assets import Assets
from ppgen.errors import InputError
from ppgen.export.scorer_page import gather_material
from ppgen.games.board_game.board_loading import load_board
from ppgen.games.card_game.deck import Deck
from ppgen.games.catalogue import open_scoring
from ppgen.play.sheet_plan import Scoring
from ppgen.play.tally_files import read_json
from ppgen.production.workshop import Workshop
from ppgen.reading.texts import languages
from tests.export.scorer import games, positions

LANGS = ("de", "en", "fr", "nl", "da", "ja")
EXPLAINED, SPOILT = 12, 1000
"""Games that are explained in each language, and such as something is wrong with."""


@dataclass(frozen=True)
class Trial:
    """A game and ways to make whole and spoilt tallies of it by number."""

    name: str
    workshop: Workshop
    whole: Callable[[int], Any]
    spoilt: Callable[[int], Any]
    edges: list[Any]

    def scoring(self, lang: str) -> Scoring:
        return open_scoring(self.workshop.assets, self.workshop.game.folder, lang)


def whole(number: int, deck: Deck) -> Any:
    """A game of cards; every other one has sums and all kinds of symbols."""
    return games.summed(number, deck) if number % 2 else games.written(games.dealt(number, deck))


@pytest.fixture(scope="module", params=["card-game", "board-game"])
def trial(request, deck, workshop) -> Trial:
    if request.param == "card-game":
        return Trial(request.param, workshop, lambda number: whole(number, deck),
                     lambda number: games.spoilt(number, deck), games.edges(deck))
    board = load_board(Assets.at().game("board_game"))
    return Trial(request.param, Workshop.open(Assets.at(), game=request.param),
                 lambda number: positions.placed(number, board), lambda number: positions.spoilt(number, board),
                 positions.edges(board))


@pytest.fixture
def told(node, trial) -> Callable[[str, list[Any]], list[dict]]:
    """What the scripts say of games in a language."""
    assert trial.workshop.game.scorer
    page = trial.workshop.game.scorer(trial.workshop.assets.common("locales"))

    def ask(lang: str, tallies: list[Any]) -> list[dict]:
        return node.run("told.mjs", given={"scripts": page.scripts, "data": dict(page.data), "games": tallies,
                                           "words": dict(trial.workshop.texts(lang).words)})

    return ask


@pytest.mark.slow
@pytest.mark.parametrize("lang", LANGS)
def test_results_and_sentences_are_those_of_explain(told, trial, lang):
    scoring = trial.scoring(lang)
    whole = [trial.whole(number) for number in range(EXPLAINED)]
    checked = 0
    for number, (game, answer) in enumerate(zip(whole, told(lang, whole), strict=True)):
        try:
            scored = scoring.score(read_json(json.dumps(game), ""))
        except InputError:  # a position that can't be after all
            assert answer["problem"], number
            continue
        checked += 1
        assert {**answer["result"], "warnings": []} == {**scored.result, "warnings": []}, number
        assert answer["reasons"] == list(scored.reasons()), number
        assert answer["verdict"] == scored.verdict(), number
    assert checked > EXPLAINED / 2


@pytest.mark.parametrize("trial", ["board-game"], indirect=True)
def test_what_a_whole_game_lacks_is_told_alike(told, trial):
    scoring = trial.scoring("en")
    players, before = ["Ann", "Ben", "Cid"], [3, 4, 5]
    games = [{"players": players, **more} for more in (
        {}, {"before": before}, {"before": before, "cloisters": {"france": "AAB"}},
        {"before": before, "cloisters": {"france": ""}}, {"before": before, "spaces": {"swabia": "A..."}})]
    games = [{"game": "board-game", **game} for game in games]
    answers = told("en", games)
    scored = [scoring.score(read_json(json.dumps(game), "")) for game in games]
    assert [answer["missing"] for answer in answers] == [[warning.what for warning in game.warnings] for game in scored]
    assert [len(answer["missing"]) for answer in answers] == [2, 1, 1, 1, 0]
    assert [answer["result"]["complete"] for answer in answers] == [game.result["complete"] for game in scored] == [
        False, False, False, False, True]


def test_all_languages_are_held_to_it(workshop):
    assert set(LANGS) == set(languages(workshop.assets.game("card_game") / "locales"))


@pytest.mark.slow
def test_what_ppgen_score_refuses_is_refused_and_nothing_else(told, trial):
    scoring, seen = trial.scoring("en"), Counter[str]()
    tallies = [*trial.edges, *map(trial.spoilt, range(SPOILT))]
    for number, (game, answer) in enumerate(zip(tallies, told("en", tallies), strict=True)):
        try:
            scored = scoring.score(read_json(json.dumps(game), ""))
        except InputError as error:
            assert "problem" in answer, (number, error, game)
            seen["refused"] += 1
        else:
            assert "problem" not in answer, (number, answer, game)
            assert answer["result"]["players"] == scored.result["players"], number
            seen["scored"] += 1
    assert min(seen["refused"], seen["scored"]) > SPOILT / 20


CHANGED = (("from = 5", "from = 3"), ('places = "before"', 'places = [6, 3]\nties = "split"'),
           ('tie_break = ["most country.cards"]', 'tie_break = ["fewest ships"]\nwins = "lowest"'))


@pytest.mark.slow
def test_a_copy_with_other_rules_and_one_language_follows_them(node, deck, tmp_path):
    copytree(Assets.at().data, tmp_path / "data", ignore=lambda _, names: [
        f"{lang}.toml" for lang in LANGS if lang != "de"])
    rules = tmp_path / "data" / "card_game" / "score.toml"
    text = rules.read_text(encoding="utf-8")
    for old, new in CHANGED:
        assert old in text
        text = text.replace(old, new)
    rules.write_text(text, encoding="utf-8")
    copy = Workshop.open(Assets.at(tmp_path / "data"), game="card-game")
    page, scoring = copy.game.scorer(copy.assets.common("locales")), open_scoring(copy.assets, "card_game", "de")
    words = {key: text for table in gather_material([copy]).texts["de"].values() for key, text in table.items()}
    whole = [games.written(games.dealt(number, deck)) for number in range(100)]
    answers = node.run("told.mjs", given={"scripts": page.scripts, "data": dict(page.data), "games": whole,
                                          "words": words})
    for game, answer in zip(whole, answers, strict=True):
        scored = scoring.score(read_json(json.dumps(game), ""))
        assert answer["result"]["players"] == scored.result["players"]
        assert [answer["verdict"], *answer["reasons"]] == [scored.verdict(), *scored.reasons()]


@pytest.mark.parametrize("trial", ["card-game"], indirect=True)
def test_a_refusal_says_where_and_what_in_the_language_of_the_page(told):
    players = [{"name": name} for name in "ABC"]
    games = [{"players": [{**players[0], "ships": -1}, *players[1:]]},
             {"players": [{**players[0], "cards": {"france": 9}}, *players[1:]]}]
    assert [answer["problem"] for answer in told("de", games)] == [
        'players[0].ships: -1 (eine ganze Zahl ab 0 oder eine Summe in Anführungszeichen wie "3+2")',
        "players: Frankreich: So viele gibt es nicht: nur 8."]
