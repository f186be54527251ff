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
    """A data folder with the shipped game and a deck."""
    assert desk.ppgen("init", "both", "--lang", "de").exit_code == 0
    assert desk.ppgen("init", "--empty", "deck").exit_code == 0
    (desk.folder / "deck/data/deck").rename(desk.folder / "both/data/deck")
    (desk.folder / "deck/templates/deck").rename(desk.folder / "both/templates/deck")
    return desk.folder / "both"


def test_games_go_by_their_own_names(both):
    assert game_names(Assets.at(both / "data")) == {"card-game": "card_game", "my-deck": "deck"}
    assert game_folder(Assets.at(both / "data"), "my-deck") == "deck"


def test_of_the_shipped_games_the_card_game_is_meant():
    assert game_folder(Assets.at()) == "card_game"


def test_several_games_want_a_name(both):
    with pytest.raises(RequestError, match=r"--game: .* holds 2 games \(name one of them: card-game, my-deck\)"):
        game_folder(Assets.at(both / "data"))


def test_a_game_that_is_not_there_is_answered_with_those_that_are(both):
    with pytest.raises(RequestError, match=r"'chess' is not a game of .* \(known: card-game, my-deck\)"):
        game_folder(Assets.at(both / "data"), "chess")


def test_a_mistyped_name_gets_a_guess_and_no_folder_that_nobody_named():
    with pytest.raises(RequestError) as error:
        game_folder(Assets.at(), "bord-game")
    assert str(error.value) == (
        "--game: 'bord-game' is not one of ppgen's games (did you mean board-game? known: card-game, board-game)")


def test_a_folder_without_a_game_is_told(tmp_path):
    with pytest.raises(InputError, match="does not contain a game"):
        game_folder(Assets.at(tmp_path))


@pytest.mark.parametrize("command", [
    ("build", "--dry-run", "--lang", "en"), ("list",), ("check", "--lang", "en"), ("export", "png"), ("preview",)])
def test_every_command_asks_which_and_takes_the_answer(desk, both, command):
    words = (*command, "--data", "both/data", "--templates", "both/templates")
    unsaid = desk.ppgen(*words)
    assert unsaid.exit_code == 2
    assert "name one of them: card-game, my-deck" in unsaid.stderr
    if command[0] in ("build", "list"):
        said = desk.ppgen(*words, "--game", "my-deck", "--json")
        assert said.exit_code == 0, said.output
        found = json.loads(said.stdout)
        assert (found[0] if isinstance(found, list) else found)["game"] == "my-deck"


def test_a_deck_without_rules_of_scoring_is_not_scored(desk, both):
    done = desk.ppgen("score", "--template", "json", "--data", "both/data", "--game", "my-deck")
    assert done.exit_code == 1
    assert "score.toml: is missing: it says how this game is scored" in done.stderr
    assert desk.ppgen("score", "--template", "json", "--data", "both/data", "--game", "card-game").exit_code == 0
