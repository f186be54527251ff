"""The scorer page in a real browser: counted on, corrected, shared, and handed what it should not be handed."""

from __future__ import annotations

import json
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


PLAYED = {
    "each step of the script ends": ("failed", {}),
    "nothing breaks": ("errors", []), "nothing is asked of the network": ("requests", []),
    "the page keeps to its policy": ("policy", []), "everybody can use it": ("violations", []),
    "everything fits its screen": ("misfits", []), "labels end where numbers begin": ("beside", []),
    "names on the map of a country are not cut on a small screen": ("cut", []),
    "after the last country comes the result": ("last", {"country": "Aragon", "way": "Result"}),
    "a page may have one game only": ("alone", {"verdict": "A wins with 2 points.", "missing": []}),
    "the next question is spoken": ("spoken", "France – Ann: most symbols of one kind?"),
    "a cloister is spoken": ("claimed", "FR1 Corbie, France: A"),
    "undo takes back, and a reload loses nothing": ("undone", True),
    "drafts stand side by side": ("drafts", ["Ann Ben Cid", "Dan Eve Fay"]),
    "pieces of a player who leaves go, and with them what they held up": (
        "fewer", {"spaces": {"EN1": 0}, "councillors": {"england": [1, 0, 0]}}),
    "corrections that nobody needs leave no draft": ("corrections", [0, 1, 0]),
    "the first of two digits is shown and waits": ("digits", ["1_", None, "", 10, 1]),
    "names are text": ("markup", 0),
    "two tabs count one game": ("tabs", {"p1.france.cards": 3, "p1.france.symbols": 2}),
    "a late event does not bring back an old state": ("late", {"p1.france.cards": 3, "p1.france.symbols": 2}),
    "a tab that slept shows what another has written": ("slept", "1"),
    "a game is kept with its last number": ("keptAtOnce", 1), "undo opens it again": ("opened_again", 0),
    "a draft can be discarded": ("discarded", 1), "and taken back": ("taken_back", ["Ben", "Dan"]),
    "a past game can be corrected": ("corrected", {"same": True, "ships": 0, "drafts": []}),
}


@pytest.mark.parametrize("sentence", PLAYED)
def test_what_was_played_came_out_as_it_should(played, sentence):
    key, value = PLAYED[sentence]
    assert played[key] == value


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
    assert (told["lit"], told["kept"], told["steps"]) == (2, 1, [1, 0, 1]) and told["shown"].startswith("Result")
    assert "no more councillors than 0" in played["court"]


def test_all_cloisters_of_a_player_can_be_tapped_on_one_map(played, board):
    assert len(played["touchable"]) == len(board.spaces) and min(played["touchable"]) > 43.5


def test_what_is_wrong_is_thrown_as_an_error_that_names_it(played):
    assert all(played["refused"]) and not any("stack" in told for told in played["refused"])
    assert played["refused"][-1] == "players[1].name: “A” is the name of 2\xa0players"


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


def test_players_can_change_while_a_game_is_counted(played):
    assert played["reseated"] == {
        "names": ["Ben", "Anna", "Cid", "Gil"],
        "cells": {"p2.france.cards": 3, "p2.france.symbols": 1, "p1.france.cards": 2},
        "at": {"row": "france", "place": 0, "column": "symbols"}}
    assert played["sure"].startswith("Anna: ")
    assert played["removed"] == {"names": ["Ben", "Cid", "Gil"], "cells": {"p1.france.cards": 2}, "undone": True}


def test_the_page_says_what_it_can_not_do(played, deals, score):
    assert played["refusal"]["digits"] and played["refusal"]["kept"] and played["refusal"]["alert"].strip()
    assert "nobody wins" in played["draw"]["verdict"] and played["draw"]["crowns"] == 0
    assert played["draw"]["note"].startswith("Only counted: France 0 of 8 · ")
    assert score(deals[1]).verdict() in played["shared"] and "paste it into your chat" in played["sharedSo"]
    full = played["storage"]["full"]
    assert (full["screen"], full["counted"]) == ("screen on-count", "3") and "can’t save anything" in full["told"]


def test_imports_never_push_out_what_was_counted_here(played):
    future, room, known = played["imports"]
    assert "added: 0" in future and "dated in the future: 9" in future
    assert "added: 4" in room and "at most 12 games): 3" in room
    assert "added: 0" in known and "already here: 4" in known and "no room" in known
    assert played["own"] == [12, 8, 13, 18] and played["newer"]


def test_what_no_longer_fits_is_told_and_drops_nothing(played):
    brim = played["brim"]
    assert 39_000 < brim["length"] <= 40_000 and brim["lost"] == 0
    assert "can’t save anything" in brim["told"]


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
    assert played["pasted"] == {"fewer": 1, "more": 1}
    assert played["unpasted"].endswith("players: the game is for 3 to 5")


def test_what_is_damaged_in_the_storage_is_left_out_and_kept_aside(played):
    storage = played["storage"]
    for name in ("garbage", "wrong"):
        assert storage[name] == {"kept": False, "copy": True, "screen": "screen on-players"}, name
    assert storage["newer"] == {"kept": True, "copy": False, "screen": "screen on-players"}
    assert storage["cells"]["screen"] == "screen on-count"


def test_it_is_small_enough_to_be_sent(page):
    assert page.stat().st_size < MAX_PAGE_BYTES
