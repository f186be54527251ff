"""What the README shows is there and true. Its commands run in tests/test_page_commands.py."""

from __future__ import annotations

import json
import re
import tomllib
from pathlib import Path

import pytest

from ppgen.shipped import shipped_root
from tests.conftest import Desk

ROOT = Path(__file__).resolve().parents[1]
README = (ROOT / "README.md").read_text(encoding="utf-8")
BLOCK = re.compile(r"(?:<!-- (\w+) -->\n)?```(\w*)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
MOST_BYTES = 500_000


def marked(mark: str) -> str:
    """The block under an HTML comment."""
    (text,) = [match[3] for match in BLOCK.finditer(README) if match[1] == mark]
    return str(text)


@pytest.mark.slow
def test_the_table_of_sheets_is_true(desk: Desk) -> None:
    """One card, as often as there are cards, fills as many sheets, and is drawn sooner."""
    cards = sum(piece["copies"] for piece in json.loads(desk.run("list", "--json").stdout)["components"]
                if piece["kind"] == "country-card")
    head, _, *rows = README.partition("<!-- sheets -->\n")[2].partition("\n\n")[0].splitlines()
    papers = re.findall(r"--paper (\w+)", head)
    for row in rows:
        size, *sheets = re.findall(r"`([\w-]+)`|\| (\d+) ", row)
        arguments = [word for paper in papers for word in ("--paper", paper)]
        done = desk.run("build", "--dry-run", "--json", "--only", "france-1", "--sets", str(cards), "--card-size",
                        size[0], *arguments)
        built = [file["sheets"] for manifest in json.loads(done.stdout) for file in manifest["files"]]
        assert built == [int(number) for _, number in sheets], size[0]


def test_one_command_line_installs_and_prints_the_german_set_and_one_runs_all_checks() -> None:
    install = ["pip install -q .", "ppgen build --lang de"]
    assert marked("print").strip().split(" && ") == ["python3 -m venv .venv", ". .venv/bin/activate", *install]
    assert marked("windows").splitlines() == [
        "Set-ExecutionPolicy -Scope Process RemoteSigned", "py -m venv .venv", r".venv\Scripts\Activate.ps1", *install]
    (line,) = marked("test").splitlines()
    assert line.startswith("python3 -m venv .venv && .venv/bin/pip install ")
    assert line.endswith(" && .venv/bin/python tools/check.py")


def test_it_says_how_many_can_play_and_from_which_age() -> None:
    card, board = (tomllib.loads((shipped_root() / "data" / game / "game.toml").read_text(encoding="utf-8"))
                   for game in ("card_game", "board_game"))
    assert (card["least_players"], card["most_players"]) == (board["least_players"], board["most_players"])
    assert (f"**{card['least_players']} to {card['most_players']} players**: the card game from {card['age']} years, "
            f"about {card['minutes']} minutes, the board game from {board['age']}.") in README.replace("\n", " ")


def test_the_pictures_are_there_and_light() -> None:
    pictures = re.findall(r"!\[[^\]]*\]\(([^)]+)\)", README)
    assert pictures
    for picture in pictures:
        assert picture.startswith("docs/images/"), picture
        assert 0 < (ROOT / picture).stat().st_size < MOST_BYTES, picture


def test_it_says_whose_game_it_is() -> None:
    assert "Michael Schacht" in README
    assert "unofficial" in README.lower()
