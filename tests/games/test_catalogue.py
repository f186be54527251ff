"""Which game is meant: by its name, or because it is the only one."""

import json
import shutil
from pathlib import Path

import pytest

from ppgen.assets import Assets
from ppgen.errors import RequestError
from ppgen.games.catalogue import game_folder
from ppgen.shipped import shipped_root


@pytest.fixture
def both(desk) -> Path:
    """A folder with both shipped games."""
    for kind in ("data", "templates"):
        shutil.copytree(shipped_root() / kind, desk.folder / "both" / kind)
    return desk.folder / "both"


def test_a_mistyped_name_gets_a_guess_and_no_folder_that_nobody_named():
    with pytest.raises(RequestError) as error:
        game_folder(Assets.at(), "bord-game")
    assert "'bord-game' is not one of ppgen's games (did you mean board-game? known: " in str(error.value)


def test_every_command_asks_which_and_takes_the_answer(desk, both):
    folders = ("--data", "both/data", "--templates", "both/templates")
    for command in (("build", "--dry-run", "--lang", "de", "--only", "aid"), ("list",), ("check", "--lang", "de"),
                    ("export", "png"), ("open", "--serve", "--port", "0")):
        unsaid = desk.ppgen(*command, *folders)
        assert unsaid.exit_code == 2 and not unsaid.stdout, command
        assert "name one of them: card-game, board-game" in unsaid.stderr, command
    said = desk.ppgen("list", *folders, "--game", "board-game", "--json")
    assert said.exit_code == 0 and json.loads(said.stdout)["game"] == "board-game", said.output
