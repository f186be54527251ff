"""``ppgen init``: a folder with a set of one's own, that builds at once."""

from __future__ import annotations

import json
from contextlib import chdir

import pytest

from ppgen.assets import Assets, shipped_root
from ppgen.games.catalogue import game_names


def test_the_shipped_set_builds_from_its_own_folder(desk, monkeypatch):
    done = desk.ppgen("init", "mine", "--lang", "de")
    assert (done.exit_code, "mine/data/card_game/locales/" in done.stdout) == (0, True)
    monkeypatch.chdir(desk.folder / "mine")
    own = json.loads(desk.ppgen("build", "--only", "tablets", "--dry-run", "--json").stdout)
    monkeypatch.chdir(desk.folder)
    usual = json.loads(desk.ppgen("build", "--lang", "de", "--only", "tablets", "--dry-run", "--json").stdout)
    assert own == usual
    assert sum(path.stat().st_size for path in (desk.folder / "mine").rglob("*") if path.is_file()) < 500_000


@pytest.mark.slow
@pytest.mark.parametrize("game", game_names(Assets.at()))
def test_each_game_is_right_and_whole_in_its_new_folder(desk, game):
    assert desk.ppgen("init", "mine", "--lang", "en", "--game", game, "--quiet").exit_code == 0
    with chdir(desk.folder / "mine"):
        done = desk.ppgen("check", "--card-size", "mini-euro")  # it draws all faces, and prints each file once
        assert done.exit_code == 0, done.output


def test_the_board_game_takes_along_what_it_borrows(desk):
    """Its templates ask for some of the card game's."""
    assert desk.ppgen("init", "mine", "--lang", "de", "--game", "board-game").exit_code == 0
    assert "spaces.csv" in (desk.folder / "mine" / "README.md").read_text(encoding="utf-8")
    assert (desk.folder / "mine/templates/card_game/art/ornaments.svg.j2").is_file()
    assert not (desk.folder / "mine/templates/card_game/score-sheet.svg.j2").exists()


def test_what_is_changed_in_the_folder_is_printed(desk, monkeypatch):
    desk.ppgen("init", "mine", "--lang", "de")
    monkeypatch.chdir(desk.folder / "mine")
    desk.change("mine/data/card_game/cards.csv", "france-1,france,cross cross,", "france-1,france,moon,")
    done = desk.ppgen("check", "--lang", "de")
    assert done.exit_code == 1
    assert "data/card_game/cards.csv:2 symbols" in done.stderr


def test_only_the_languages_asked_for_come_along(desk):
    desk.ppgen("init", "mine", "-l", "nl", "-l", "fr")
    found = {path.relative_to(desk.folder / "mine" / "data" / "card_game").as_posix()
             for path in (desk.folder / "mine").rglob("*.toml") if path.parent.name in ("locales", "rules", "guide")}
    assert {name.partition("/")[2] for name in found} == {"fr.toml", "nl.toml"}


def test_a_new_deck_is_the_starter_to_the_byte(desk):
    assert desk.ppgen("init", "--empty", "deck").exit_code == 0
    source = shipped_root() / "data" / "starters" / "empty"
    wanted = {path.relative_to(source): path.read_bytes() for path in source.rglob("*") if path.is_file()}
    made = desk.folder / "deck"
    assert {path.relative_to(made): path.read_bytes() for path in made.rglob("*") if path.is_file()} == wanted


def test_a_folder_with_something_in_it_is_left_alone(desk):
    (desk.folder / "full").mkdir()
    (desk.folder / "full" / "letter.txt").write_text("dear")
    done = desk.ppgen("init", "full")
    assert (done.exit_code, done.stderr) == (1, "full: is not empty (choose a new folder)\n")
    assert [path.name for path in (desk.folder / "full").iterdir()] == ["letter.txt"]


def test_what_comes_next_can_be_typed_as_it_stands(desk):
    assert "cd 'my deck', " in desk.ppgen("init", "--empty", "my deck").stderr
    assert "cd mine, " in desk.ppgen("init", "--empty", "mine").stderr


def test_a_new_deck_points_to_the_one_made_from_a_sheet(desk):
    assert "ppgen new " in desk.ppgen("init", "--empty", "mine").stderr
    assert "ppgen new " not in desk.ppgen("init", "set").stderr


def test_an_empty_folder_will_do(desk):
    (desk.folder / "new").mkdir()
    assert desk.ppgen("init", "--empty", "new", "--quiet").output == ""
    assert (desk.folder / "new" / "ppgen.toml").is_file()


@pytest.mark.parametrize(("words", "message"), [
    (("--empty", "deck", "--lang", "de"), "--lang: a new deck has no language of its own yet"),
    (("--empty", "deck", "--game", "board-game"), "--game: a new deck is not one of the shipped games"),
    (("mine", "--lang", "xx"), "--lang: 'xx' is not a language of this set"),
    (("mine", "--lang", "de,en"), ", or all; several: -l de -l en)"),
    ((), "Missing argument 'DIR'"),
])
def test_a_wrong_command_line_makes_nothing(desk, words, message):
    done = desk.ppgen("init", *words)
    assert (done.exit_code, message in done.stderr, list(desk.folder.iterdir())) == (2, True, [])


def test_each_starter_tells_what_is_where_and_nothing_that_is_not(desk):
    import re

    for words, folder in ((("--empty", "deck"), "deck"), (("set", "--lang", "en"), "set")):
        desk.ppgen("init", *words)
        home = desk.folder / folder
        named = re.findall(r"^\| `([^`*]+)`", (home / "README.md").read_text(), re.MULTILINE)
        assert named and all((home / name).exists() for name in named), named


def test_it_builds_from_outside_too(desk):
    desk.ppgen("init", "mine", "--empty")
    done = desk.ppgen("build", "--data", "mine/data", "--templates", "mine/templates", "--only", "cards")
    assert done.exit_code == 0, done.output
    assert len(list((desk.folder / "output").rglob("cards-*.pdf"))) == 1
