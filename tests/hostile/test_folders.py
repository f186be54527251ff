"""Folders that are links out of the folders that were given are refused, and links in a circle told."""

import shutil

import pytest


@pytest.mark.parametrize("folder", ["data/card_game", "data/card_game/locales", "data/card_game/rules", "data/locales",
                                    "templates/skins/plain"])
def test_a_folder_that_leads_elsewhere_is_refused(own_desk, tmp_path_factory, folder):
    elsewhere = tmp_path_factory.mktemp("elsewhere") / "there"
    shutil.move(own_desk.folder / folder, elsewhere)
    (own_desk.folder / folder).symlink_to(elsewhere)
    done = own_desk.own("build", "--lang", "de", "--only", "tokens", "--skin", "plain", "--dry-run")
    assert done.exit_code == 1
    assert f"{folder}: leads out of the folder" in done.stderr


def test_a_folder_where_a_file_belongs_is_told_by_the_name_that_was_typed(desk):
    (desk.folder / "game.json").mkdir()
    (desk.folder / "link.json").symlink_to(desk.folder, target_is_directory=True)
    for name in ("game.json", "link.json"):
        assert desk.ppgen("score", name).stderr == f"{name}: is a folder (name a file)\n"
    assert desk.ppgen("score", "gone.json").stderr == "gone.json: file not found (check its name and folder)\n"


def test_a_data_folder_that_leads_in_a_circle_is_told(desk):
    desk.data.symlink_to(desk.data)
    done = desk.ppgen("build", "--data", "data")
    assert (done.exit_code, "data: folder not found" in done.stderr) == (1, True), done.output
