"""Which game is meant: by its name, or because it is the only one."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from ppgen.assets import Assets
from ppgen.errors import InputError, RequestError
from ppgen.games.catalogue import game_folder, game_names


@pytest.fixture
def both(desk) -> Path:
    """A data folder with both shipped games."""
    assert desk.ppgen("init", "both", "--lang", "de").exit_code == 0
    assert desk.ppgen("init", "other", "--lang", "de", "--game", "board-game").exit_code == 0
    for kind in ("data", "templates"):
        (desk.folder / "other" / kind / "board_game").rename(desk.folder / "both" / kind / "board_game")
    return desk.folder / "both"


def test_games_go_by_their_own_names(both):
    assert game_names(Assets.at(both / "data")) == {"card-game": "card_game", "board-game": "board_game"}
    assert game_folder(Assets.at(both / "data"), "board-game") == "board_game"


def test_of_the_shipped_games_the_card_game_is_meant():
    assert game_folder(Assets.at()) == "card_game"


def test_several_games_want_a_name(both):
    with pytest.raises(RequestError, match=r"--game: .* holds 2 games \(name one of them: card-game, board-game\)"):
        game_folder(Assets.at(both / "data"))


def test_a_game_that_is_not_there_is_answered_with_those_that_are(both):
    with pytest.raises(RequestError, match=r"'chess' is not a game of .* \(known: card-game, board-game\)"):
        game_folder(Assets.at(both / "data"), "chess")


def test_a_mistyped_name_gets_a_guess_and_no_folder_that_nobody_named():
    with pytest.raises(RequestError) as error:
        game_folder(Assets.at(), "bord-game")
    assert "'bord-game' is not one of ppgen's games (did you mean board-game? known: " in str(error.value)


def test_a_folder_without_a_game_is_told(tmp_path):
    with pytest.raises(InputError, match="does not contain a game"):
        game_folder(Assets.at(tmp_path))


@pytest.mark.parametrize("command", [
    ("build", "--dry-run", "--lang", "de", "--only", "aid"), ("list",), ("check", "--lang", "de"), ("export", "png"),
    ("open", "--serve", "--port", "0")])
def test_every_command_asks_which_and_takes_the_answer(desk, both, command):
    words = (*command, "--data", "both/data", "--templates", "both/templates")
    unsaid = desk.ppgen(*words)
    assert unsaid.exit_code == 2
    assert "name one of them: card-game, board-game" in unsaid.stderr
    if command[0] in ("build", "list"):
        said = desk.ppgen(*words, "--game", "board-game", "--json")
        assert said.exit_code == 0, said.output
        found = json.loads(said.stdout)
        assert (found[0] if isinstance(found, list) else found)["game"] == "board-game"


def test_a_deck_without_rules_of_scoring_is_not_scored(desk):
    assert desk.ppgen("new", "deck", "--starter", "empty").exit_code == 0
    done = desk.ppgen("score", "--template", "json", "--data", "deck")
    assert done.exit_code == 1
    assert "score.toml: is missing: it says how this game is scored" in done.stderr
