"""The scorer page in a real browser: counted on, corrected, shared, and handed what it should not be handed."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from ppgen.assets import Assets
from ppgen.games.board_game.board import Board, load_board
from ppgen.games.board_game.scoring import open_scoring
from ppgen.games.card_game.scoring import CardScoring, Tally, TallyNames, score_game
from ppgen.pages.single_pages import compose_page, gather_material
from ppgen.play.game_scoring import ScoredGame, read_json
from ppgen.printing.workshop import Workshop
from tests.pages.scorer.conftest import MAX_PAGE_BYTES
from tests.pages.scorer.games import dealt, written
from tests.pages.scorer.positions import placed
from tests.pages.test_page_data import format_values

GAMES = 3
"""Games that are scored through the page; many more: test_words.py."""

NAMES = ("<img src=x onerror=alert(1)>", '"><b>', "{name}")
POSITION = 2
"""Number of a position of the board game that knows the points of the interim scoring."""
LITTLE_ROOM = {"MOST_GAMES = 500": "MOST_GAMES = 12", "MOST_CHARACTERS = 4000000": "MOST_CHARACTERS = 40000"}


@pytest.fixture(scope="module")
def deals(deck) -> tuple[tuple[Tally, ...], ...]:
    """A game that is counted on the pad, of players with odd names, and one that is pasted."""
    return tuple(replace(tally, name=name) for tally, name in zip(dealt(0, deck), NAMES, strict=True)), dealt(2, deck)


@pytest.fixture(scope="module")
def played(browser, page, deck, deals, board, once_for_all) -> dict:
    def make(folder: Path) -> str:
        material = gather_material([Workshop.open(Assets.at(), game="board-game")])
        script = "\n".join(material.scripts)
        for usual, little in LITTLE_ROOM.items():
            assert usual in script
            script = script.replace(usual, little)
        lone = folder / "board-game.html"
        lone.write_text(compose_page(replace(material, scripts=[script])), encoding="utf-8")
        return json.dumps(browser("played.mjs", page, lone.as_uri(), given={
            "games": [*(written(dealt(number, deck)) for number in range(GAMES)), placed(POSITION, board)],
            "deals": [written(deal) for deal in deals], "position": placed(POSITION, board)}))

    return json.loads(once_for_all("played-page", make)[1])


@pytest.fixture(scope="module")
def board() -> Board:
    return load_board(Assets.at().game("board_game"))


@pytest.fixture(scope="module")
def score(workshop, deck) -> Callable[[tuple[Tally, ...]], ScoredGame]:
    """Scores a game as ppgen score does."""
    scoring = CardScoring(deck=deck, names=TallyNames(deck, workshop.assets.game("card_game") / "locales", "en"))
    return lambda tallies: scoring.score(read_json(json.dumps(written(tallies)), "game.json"))


@pytest.fixture(scope="module")
def scored_position(board) -> ScoredGame:
    scoring = open_scoring(Assets.at().game("board_game"), Assets.at().common("locales"), "en")
    return scoring.score(read_json(json.dumps(placed(POSITION, board)), ""))


def test_what_was_played_came_out_as_it_did(golden, played):
    kept = {key: value for key, value in played.items() if key not in ("scores", "data", "touchable")}
    kept["board"] = {key: value for key, value in kept["board"].items() if key != "data"}
    golden("played.txt", re.sub(r"\d+/\d+/\d{4}", "DATE", "\n".join(format_values(kept))) + "\n")
    for wrong in ("failed", "errors", "requests", "policy", "violations", "misfits", "beside", "cut"):
        assert not played[wrong]


def test_the_page_scores_as_ppgen_score_does(played, deck, score, scored_position):
    games = [*(score(dealt(number, deck)) for number in range(GAMES)), scored_position]
    for found, wanted in zip(played["scores"], games, strict=True):
        assert len(found["warnings"]) == len(wanted.result["warnings"])
        assert {**found, "warnings": []} == {**wanted.result, "warnings": []}


def test_a_position_put_on_the_map_comes_out_as_in_python(played, board, scored_position):
    scoring = open_scoring(Assets.at().game("board_game"), Assets.at().common("locales"), "en")
    told = played["board"]
    assert told["verdict"] == scored_position.verdict()
    assert scoring.score(read_json(json.dumps(told["data"]), "")).result == scored_position.result
    assert len(told["boxes"]) == len(board.alliances)
    assert [sentence for sentence in told["boxes"] if "no councillor" not in sentence] == [
        reason for reason in scored_position.reasons() if reason.startswith("Box ")]


def test_all_cloisters_of_a_player_can_be_tapped_on_one_map(played, board):
    assert len(played["touchable"]) == len(board.spaces) and min(played["touchable"]) > 43.5


def test_a_game_counted_on_the_pad_comes_out_as_in_python(played, deals, score):
    game = score(deals[0])
    assert (played["ended"], played["counted"]["verdict"]) == ("screen on-result", game.verdict())
    assert dict(played["counted"]["totals"]) == {
        each.name: str(each.total).replace("-", "−") for each in game.score.players}


def test_every_total_is_explained_in_the_words_of_explain(played, deals, score):
    game = score(deals[0])
    told, players = list(game.reasons()), len(game.score.players)
    assert played["why"] == told[:-players]
    assert played["opened"] in told[-players:]


def test_wins_are_counted_by_player(played, deck, deals):
    scores = [score_game(deal, deck.rules) for deal in deals]
    for name in {player.name for score in scores for player in score.players}:
        games = [score for score in scores if name in {player.name for player in score.players}]
        wins = sum(score.tie_break != "draw" and name in score.winners for score in games)
        assert f"{name}{wins} of {len(games)}" in played["wins"]


def test_data_goes_out_as_ppgen_score_reads_it_and_comes_in_again(played, workshop, deck, deals):
    names = TallyNames(deck, workshop.assets.game("card_game") / "locales", "en")
    scored = CardScoring(deck=deck, names=names).score(read_json(json.dumps(played["data"]), "copied"))
    assert scored.score == score_game(deals[1], deck.rules)


def test_it_is_small_enough_to_be_sent(page):
    assert page.stat().st_size < MAX_PAGE_BYTES
