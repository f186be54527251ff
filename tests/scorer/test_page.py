"""The scorer page in a real browser: counted on, corrected, shared, and handed what it should not be handed."""

from __future__ import annotations

import json

import pytest

from ppgen.games.card_game.scoring.points import score_game
from ppgen.games.card_game.scoring.sentences import reasons, verdict
from ppgen.games.card_game.tallies.names import Names
from ppgen.games.card_game.tallies.scored import score_raw
from ppgen.play.files import read_json
from ppgen.reading.texts import load_texts
from tests.scorer.games import dealt, folders, written

THROUGH_THE_PAGE, ON_THE_PAD = 200, (0, 2, 3)
"""Games to be scored, and the numbers of those that are counted tap by tap."""


@pytest.fixture(scope="module")
def played(browser, page, deck) -> dict:
    return browser("played.mjs", page, given={
        "games": [written(dealt(number, deck)) for number in range(THROUGH_THE_PAGE)],
        "deals": [written(dealt(number, deck)) for number in ON_THE_PAD]})


@pytest.fixture(scope="module")
def texts(workshop):
    return load_texts("en", folders(workshop))


def test_nothing_breaks_and_nothing_is_asked_of_the_network(played):
    assert played["errors"] == [] and played["requests"] == [] and played["policy"] == []


def test_the_page_scores_as_ppgen_score_does(played, workshop, deck):
    names = Names(deck, workshop.assets.game("card_game") / "locales", "en")
    for number, result in enumerate(played["scores"]):
        wanted = score_raw(read_json(json.dumps(written(dealt(number, deck))), "game"), deck, names).result
        assert len(result["warnings"]) == len(wanted["warnings"])
        assert {**result, "warnings": []} == {**wanted, "warnings": []}, number


def test_what_is_wrong_is_thrown_as_an_error_that_names_it(played):
    assert all(played["refused"])
    assert "players[0].cards.france" in played["refused"][-1] and "players[1].name" in played["refused"][-1]


def test_games_counted_on_the_pad_come_out_as_in_python(played, deck, texts):
    assert played["ended"] == "screen result"
    for number, shown in zip(ON_THE_PAD, played["results"], strict=True):
        score = score_game(dealt(number, deck), deck.countries)
        assert shown["verdict"] == verdict(score, texts)
        assert dict(shown["totals"]) == {each.name: str(each.total).replace("-", "−") for each in score.players}


def test_every_total_is_explained_in_the_words_of_explain(played, deck, texts):
    score = score_game(dealt(ON_THE_PAD[0], deck), deck.countries)
    told = list(reasons(score, deck.countries, texts))
    assert played["why"] == told[:-len(score.players)]
    assert played["opened"] in told[-len(score.players):]


def test_a_digit_that_cannot_be_is_refused_with_the_reason(played):
    assert played["refusal"]["digits"] and played["refusal"]["kept"]
    assert played["refusal"]["alert"].strip()


def test_undo_takes_back_and_a_reload_loses_nothing(played):
    assert played["undone"]


def test_a_past_game_can_be_corrected(played):
    assert played["correcting"] == "screen sheet"
    assert played["corrected"] == {"same": True, "ships": 0, "drafts": []}


def test_wins_are_counted_by_player(played, deck):
    scores = [score_game(dealt(number, deck), deck.countries) for number in ON_THE_PAD]
    for name in {player.name for score in scores for player in score.players}:
        games = [score for score in scores if name in {player.name for player in score.players}]
        wins = sum(score.tie_break != "draw" and name in score.winners for score in games)
        assert f"{name}{wins} of {len(games)}" in played["wins"]


def test_data_goes_out_as_ppgen_score_reads_it_and_comes_in_again(played, workshop, deck):
    names = Names(deck, workshop.assets.game("card_game") / "locales", "en")
    scored = score_raw(read_json(json.dumps(played["data"]), "copied"), deck, names)
    assert scored.score == score_game(dealt(ON_THE_PAD[1], deck), deck.countries)
    assert played["pasted"] == {"fewer": 1, "more": 1}
    assert "players: 0" in played["unpasted"]


def test_names_are_text(played):
    assert played["markup"] == {"images": 0, "name": True}


def test_what_is_damaged_in_the_storage_is_left_out_and_kept_aside(played):
    storage = played["storage"]
    for name in ("garbage", "number", "empty", "wrong"):
        assert storage[name] == {"kept": False, "copy": True, "screen": "screen players"}, name
    assert storage["newer"] == {"kept": True, "copy": False, "screen": "screen players"}
    assert storage["cells"]["screen"] == "screen count"


def test_a_full_storage_is_told_and_lived_with(played):
    full = played["storage"]["full"]
    assert (full["screen"], full["counted"]) == ("screen count", "3") and "keeps nothing" in full["told"]


def test_two_tabs_count_one_game(played):
    assert played["tabs"] == {"p1.france.cards": 3, "p1.france.symbols": 2}


def test_everybody_can_use_it(played):
    assert played["violations"] == [] and played["misfits"] == []


def test_it_is_small_enough_to_be_sent(page):
    assert page.stat().st_size < 300_000
