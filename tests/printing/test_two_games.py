"""Two games in one folder: neither build takes a file of the other's away."""

import json
import shutil

import pytest

from ppgen.shipped import shipped_root

QUICK = ("--lang", "de", "--only", "calibration")
CARD_GAME = {"calibration-a4-duplex.pdf", "manifest-a4-duplex-calibration.json"}
BOARD_GAME = {"calibration-a4-duplex-board-game.pdf", "manifest-a4-duplex-calibration-board-game.json"}


def built(desk, *words):
    """The contents of all files in the folder after a build, by name."""
    desk.run("build", *QUICK, *words)
    return {path.name: path.read_bytes() for path in (desk.folder / "output/de").iterdir()}


@pytest.mark.slow
def test_both_games_are_built_into_one_folder_side_by_side(desk):
    first = built(desk)
    assert set(first) == CARD_GAME
    both = built(desk, "--game", "board-game")
    assert set(both) == CARD_GAME | BOARD_GAME
    assert first.items() <= both.items()
    for names in (CARD_GAME, BOARD_GAME):
        [manifest] = [name for name in names if name.endswith(".json")]
        listed = {file["path"] for file in json.loads(both[manifest])["files"]}
        assert listed == {f"output/de/{name}" for name in names - {manifest}}
    assert built(desk, "--game", "card-game") == both, "to name the usual game makes no difference"


@pytest.mark.parametrize(("folders", "game", "name"), [
    (("board_game",), "", "calibration-a4-duplex.pdf"),
    (("board_game",), "board-game", "calibration-a4-duplex.pdf"),
    (("board_game", "card_game"), "board-game", "calibration-a4-duplex-board-game.pdf"),
    (("board_game", "card_game"), "card-game", "calibration-a4-duplex-card-game.pdf")])
def test_a_game_is_named_where_it_had_to_be(desk, folders, game, name):
    for folder in folders:
        shutil.copytree(shipped_root() / "data" / folder, desk.folder / "data" / folder)
    done = desk.ppgen("build", "--lang", "de", "--data", "data", "--only", "calibration", "--dry-run",
                      *(("--game", game) if game else ()))
    assert done.stdout.split()[0] == f"output/de/{name}"
