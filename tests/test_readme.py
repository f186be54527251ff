"""What the README tells people to type works, and what it shows is there."""

from __future__ import annotations

import json
import re
import shlex
from pathlib import Path

import pytest

from tests.conftest import Desk

ROOT = Path(__file__).resolve().parents[1]
README = (ROOT / "README.md").read_text(encoding="utf-8")
BLOCK = re.compile(r"(?:<!-- (\w+) -->\n)?```(\w*)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
PROGRAM = re.compile(r"(?:^|[\s;&/])(ppgen\s.*)")
MOST_BYTES = 500_000
WHOLE = [["build", "--lang", "de"], ["build", "--game", "board-game", "--lang", "de"]]
"""The sets that are built with all their parts."""


def marked(mark: str) -> str:
    """The block under an HTML comment."""
    (text,) = [match[3] for match in BLOCK.finditer(README) if match[1] == mark]
    return str(text)


def command_lines() -> list[str]:
    """Every ``ppgen …`` in a console block, without its comment."""
    lines = [line for match in BLOCK.finditer(README) if match[2] == "console" for line in match[3].splitlines()]
    found = [match[1] for line in lines for part in line.split("&&") if (match := PROGRAM.search(part))]
    return list(dict.fromkeys(line.partition(" #")[0].strip() for line in found))


@pytest.mark.slow
@pytest.mark.parametrize("line", command_lines())
def test_each_command_works(line: str, desk: Desk, request: pytest.FixtureRequest) -> None:
    program, *arguments = shlex.split(line)
    assert program == "ppgen"
    if "--serve" in arguments:  # goes on until it is stopped
        arguments.remove("--serve")
    if arguments == WHOLE[0]:  # built once for all tests
        assert list(request.getfixturevalue("german_set").folder.rglob("*.pdf"))
        return
    if arguments in (["open"], ["score"]):  # wait for a person; tests/pages/open and tests/cli see them work
        return
    if arguments[:2] == ["export", "site"]:  # that of the card game: tests/pages/test_site_choices.py
        arguments += ["--game", "board-game", "--dry-run", "--paper", "a4", "--backs", "none", "--ink", "full"]
    elif arguments[0] == "export" and arguments[1] != "scorer":  # tests of their own look at pictures
        arguments += ["--only", "tablets"]
    if arguments[0] == "build" and "--only" not in arguments and arguments not in WHOLE:
        arguments += ["--only", "pieces" if "--pieces" in arguments else "tablets"]
    if arguments[0] == "new":
        (desk.folder / "pictures").mkdir()
        (desk.folder / "cards.csv").write_text("Name,Text\nGoblin,Run.\n", encoding="utf-8")
    done = desk.ppgen(*arguments)
    assert (done.exit_code, done.exception) == (0, None), done.output
    if arguments[0] == "build":
        assert list(desk.folder.rglob("*.pdf"))


@pytest.mark.slow
def test_the_table_of_sheets_is_true(desk: Desk) -> None:
    head, _, *rows = README.partition("<!-- sheets -->\n")[2].partition("\n\n")[0].splitlines()
    papers = re.findall(r"--paper (\w+)", head)
    for row in rows:
        size, *sheets = re.findall(r"`([\w-]+)`|\| (\d+) ", row)
        arguments = [word for paper in papers for word in ("--paper", paper)]
        done = desk.ppgen("build", "--dry-run", "--json", "--only", "cards", "--card-size", size[0], *arguments)
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


def test_the_pictures_are_there_and_light() -> None:
    pictures = re.findall(r"!\[[^\]]*\]\(([^)]+)\)", README)
    assert pictures
    for picture in pictures:
        assert picture.startswith("docs/images/"), picture
        assert 0 < (ROOT / picture).stat().st_size < MOST_BYTES, picture


def test_it_says_whose_game_it_is() -> None:
    assert "Michael Schacht" in README
    assert "unofficial" in README.lower()
