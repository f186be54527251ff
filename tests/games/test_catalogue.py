"""Which game is meant: by its name, or because it is the only one."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest

from ppgen.assets import Assets
from ppgen.errors import InputError, RequestError
from ppgen.games.catalogue import game_folder, game_names
from ppgen.shipped import shipped_root


@pytest.fixture
def both(desk) -> Path:
    """A folder with both shipped games."""
    for kind in ("data", "templates"):
        shutil.copytree(shipped_root() / kind, desk.folder / "both" / kind)
    return desk.folder / "both"


def test_games_go_by_their_own_names(both):
    assert game_names(Assets.at(both / "data")) == {"card-game": "card_game", "board-game": "board_game"}
    assert game_folder(Assets.at(both / "data"), "board-game") == "board_game"


def test_several_games_want_a_name(both):
    with pytest.raises(RequestError, match=r"--game: .* holds 2 games \(name one of them: card-game, board-game\)"):
        game_folder(Assets.at(both / "data"))


def test_a_mistyped_name_gets_a_guess_and_no_folder_that_nobody_named():
    with pytest.raises(RequestError) as error:
        game_folder(Assets.at(), "bord-game")
    assert "'bord-game' is not one of ppgen's games (did you mean board-game? known: " in str(error.value)


def test_a_folder_without_a_game_is_told(tmp_path):
    with pytest.raises(InputError, match="does not contain a game"):
        game_folder(Assets.at(tmp_path))


def test_every_command_asks_which_and_takes_the_answer(desk, both):
    folders = ("--data", "both/data", "--templates", "both/templates")
    for command in (("build", "--dry-run", "--lang", "de", "--only", "aid"), ("list",), ("check", "--lang", "de"),
                    ("export", "png"), ("open", "--serve", "--port", "0")):
        unsaid = desk.ppgen(*command, *folders)
        assert unsaid.exit_code == 2 and "name one of them: card-game, board-game" in unsaid.stderr, command
    said = desk.ppgen("list", *folders, "--game", "board-game", "--json")
    assert said.exit_code == 0 and json.loads(said.stdout)["game"] == "board-game", said.output


def test_a_deck_without_rules_of_scoring_is_not_scored(desk):
    assert desk.ppgen("new", "deck", "--starter", "empty").exit_code == 0
    done = desk.ppgen("score", "--template", "json", "--data", "deck")
    assert done.exit_code == 1
    assert "score.toml: is missing: it says how this game is scored" in done.stderr
