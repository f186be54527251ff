"""Every command of the docs and of help runs in a fresh folder that has the files it speaks of.

translating.md and your-own-game.md have tests of their own, which compare what is printed, too.
"""

from __future__ import annotations

import json
import os
import re
import shlex
import shutil
import zipfile
from collections.abc import Callable
from inspect import cleandoc
from itertools import pairwise
from pathlib import Path

import click
import pytest
from PIL import Image

from ppgen.games.catalogue import DEFAULT_GAME
from ppgen.shipped import shipped_root
from tests.cli.test_help import COMMANDS
from tests.conftest import ROOT, Desk
from tests.games.own_deck.drawn_sheets import draw_sheets
from tests.reading.test_tables import workbook

DOCS = ROOT / "docs"
ELSEWHERE = {"translating.md", "your-own-game.md", "README.md"}
PAGES = [ROOT / "README.md", *(page for page in sorted(DOCS.glob("*.md")) if page.name not in ELSEWHERE)]
BLOCK = re.compile(r"^ *```console\n(.*?)^ *```$", re.MULTILINE | re.DOTALL)
TALLIES = {"players": [{"name": name, "cards": {"france": cards}, "symbols": {"france": 1}}
                       for name, cards in (("Anna", 3), ("Ben", 2), ("Cem", 1))]}
DRAWING = ('<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 63.5 88.9" width="63.5mm" height="88.9mm">'
           '<text id="name" x="6" y="12" font-size="5">Name</text></svg>')


def sources() -> dict[str, str]:
    """The console blocks of each page, and the examples of help of each command with those inside it."""
    found = {page.name: "\n".join(BLOCK.findall(page.read_text(encoding="utf-8"))) for page in PAGES}
    for words, command in COMMANDS.items():
        name = words.split()[1]
        found[name] = "\n".join((found.get(name, ""), cleandoc(command.help or "").partition("\b\n")[2]))
    return found


def commands_of(text: str) -> list[str]:
    """Each line ``ppgen …``, once, without comment, pipe and redirection."""
    whole = [line.partition("  #")[0].partition(" > ")[0] for line in text.splitlines()]
    lines = [part.strip() for line in whole for part in re.split(r"&&|\|", line)]
    found = [re.sub(r"\s{3,}.*", "", line) for line in lines if line.startswith("ppgen ") and "[" not in line]
    return list(dict.fromkeys(line for line in found if "{" not in line))


def tally_files(desk: Desk) -> None:
    (desk.folder / "game.json").write_text(json.dumps(TALLIES), encoding="utf-8")
    for kind in ("toml", "csv"):
        (text,) = re.findall(rf"^```{kind}\n(.*?)^```$", (DOCS / "scoring.md").read_text(encoding="utf-8"), re.M | re.S)
        (desk.folder / f"game.{kind}").write_text(text, encoding="utf-8")


def three_games(desk: Desk) -> None:
    tally_files(desk)
    for _ in range(3):
        assert desk.ppgen("score", "game.json", "--save").exit_code == 0


def filled_sheet(desk: Desk) -> None:
    tally_files(desk)
    assert desk.ppgen("score", "game.json", "--partial", "--sheet", "sheet.pdf").exit_code == 0
    (desk.folder / "game.csv").unlink()  # the page makes one


def final_position(desk: Desk) -> None:
    (desk.folder / "final.toml").write_text(
        'game = "board-game"\nplayers = ["Anna", "Ben", "Cem"]\nbefore = [3, 2, 1]\n[spaces]\nfrance = "ABCABBBA"\n',
        encoding="utf-8")


def sheets(desk: Desk) -> None:
    pictures = desk.folder / "pictures"
    pictures.mkdir()
    table = "Name,Text\nDragon,Fly.\nBear,Run.\n"
    for name in ("cards.csv", "Goblins - Cards.csv"):
        (desk.folder / name).write_text(table, encoding="utf-8")
    (desk.folder / "tiles.xlsx").write_bytes(workbook(Tiles=[["Name"], ["Wood"]]))


def finished(desk: Desk) -> None:
    deck(desk, "mygame")
    Image.new("RGB", (630, 880), "#446688").save(desk.folder / "pictures" / "goblin.png")
    for name in ("castle.pdf", "sheets.pdf", "rules.pdf"):
        draw_sheets(desk.folder / name, 3, 3, pages=2, marks=True)
    with zipfile.ZipFile(desk.folder / "kelpbay.zip", "w") as packed:
        packed.writestr("cards.csv", "Name\nKelp\n")


def deck(desk: Desk, name: str = "goblins") -> Path:
    sheets(desk)
    assert desk.ppgen("new", name, "--from", "cards.csv").exit_code == 0
    return desk.folder / name


def inside_deck(desk: Desk) -> None:
    folder = deck(desk)
    shutil.copytree(folder, desk.folder / "goblins-0.3")
    (folder / "card.svg").write_text(DRAWING, encoding="utf-8")
    (folder / "card.svg.j2").unlink()
    Desk(folder).change("deck.toml", '"card.svg.j2"', '"card.svg"')
    (folder / "rules.md").write_text("# Goblins\n\nRun.\n", encoding="utf-8")
    (folder / "cards.xlsx").write_bytes(workbook(Cards=[["Name"], ["Dragon"]]))
    draw_sheets(folder / "rules.pdf", 1, 1)
    shutil.copy(ROOT / "data" / "looks" / "children" / "fonts" / "Nunito-Regular.ttf", folder / "PirataOne.ttf")
    os.chdir(folder)
    assert Desk(folder).ppgen("printed").exit_code == 0


def beside_deck(desk: Desk) -> None:
    deck(desk, "mydeck")


def saved_object(desk: Desk) -> None:
    """A saved game of Tabletop Simulator with the set on its table, under the names that the pages use."""
    deck(desk)
    assert desk.ppgen("export", "tts", "--only", TOKEN, "--output", "earlier").exit_code == 0
    (saved,) = (desk.folder / "earlier").rglob("*.json")
    for name in ("TS_Save_1.json", "TS_Save_3.json"):
        shutil.copy(saved, desk.folder / name)


PREPARE: dict[str, Callable[[Desk], None]] = {
    "board-game.md": final_position, "scoring.md": three_games, "history": three_games,
    "score": filled_sheet, "drawing-programs.md": inside_deck, "rules-in-markdown.md": inside_deck,
    "adopt": inside_deck, "compare": inside_deck, "printed": inside_deck, "check": beside_deck,
    "words": inside_deck, "fonts": inside_deck, "looks.md": sheets, "README.md": sheets,
    "new": finished, "finished-art.md": finished,
    "publish.md": saved_object, "exports.md": saved_object, "export": saved_object}
WAITS = {"--serve", "--open"}
SMALLEST = shipped_root() / "data" / "starters" / "empty"
TOKEN = "claim-stone-1"
SMALL = {DEFAULT_GAME: "stones", "board-game": "aid"}
"""A part that is soon drawn."""


def game_of(words: list[str]) -> str:
    return words[words.index("--game") + 1] if "--game" in words else DEFAULT_GAME


def shorten(words: list[str], *, in_deck: bool) -> list[str] | None:
    """Return a command that ends soon, or None if it only waits or asks: tests of their own see these work."""
    if words[0] == "open" or words in (["score"], ["score", "--game", "board-game"]) or words[-2:] == ["-", "--json"]:
        return None
    if any(word.startswith("https:") for word in words) or words[0] == "fetch":  # tests/printing/test_fetching.py
        return None
    if "--changed" in words:  # nothing has changed yet: tests/cli/test_printed.py
        return None
    words = ["en" if word == "all" else word for word in words if word not in WAITS]
    is_shipped = not in_deck and not {"--data", "--printer", "goblins", "goblins-0.3"} & {*words}
    if words[0] == "check" and is_shipped:  # the shipped games: tests/test_languages.py, tests/cli/test_init.py
        words = [word for word in words if word not in ("--game", game_of(words), "--lang", "en")]
        words += ["--data", str(SMALLEST)]
    elif is_shipped and (words[0] == "build" or words[:2] in (["export", "cut"], ["export", "table"])):
        # whole sets: german_set in tests/conftest.py, and tests/cli/test_init.py
        parts = [after for word, after in pairwise(words) if word == "--only"] or ["cards"]
        words = [word for n, word in enumerate(words) if "--only" not in (word, words[n - 1])]
        words += ["--only", SMALL[game_of(words)] if parts[-1] in ("cards", "guide") else parts[-1]]
    if words[:2] == ["export", "site"]:  # sites of shipped games are made in tests/pages
        words += ["--dry-run", "--lang", "en", "--paper", "a4", "--backs", "none", "--ink", "low"]
        words += [] if "--data" in words else ["--data", str(SMALLEST)]
    elif {*words[:2]} & {"png", "tts", "tabletopia", "gamecrafter", "makeplayingcards", "drivethru"}:
        only = TOKEN if words[1] in ("png", "tts", "tabletopia") else "france-1"
        words = [only if word == "cards" else word for word in words]
        words += [] if "--only" in words else ["--only", only]
    if "--printer" in words:
        words = [*words[:words.index("--printer")], "--only", "calibration", "--dry-run"]  # README's is never saved
    return words


ALIKE = {"--lang": 0, "-l": 0, "--dpi": 0, "--output": 0, "--backs": 1, "--base-url": 1, "--corners": 1}
"""Options whose value makes no difference to whether a command works: of how many words these leave of them."""


def essence(words: list[str]) -> set[str]:
    """The words of a command that commands which run alike have in common."""
    kept = [words[0]]
    for before, word in pairwise(words):
        kept += [] if before in ALIKE or ALIKE.get(word) == 0 else [word]
    return {*kept}


def commands_to_run() -> dict[str, list[tuple[str, list[str], bool]]]:
    """The commands of each source: as written, shortened, and whether one that runs alike came before."""
    seen, found = set(), {}
    for source, text in sources().items():
        found[source] = []
        for line in commands_of(text):
            words = shorten(shlex.split(line)[1:], in_deck=PREPARE.get(source) is inside_deck)
            if words is not None:
                case = (PREPARE.get(source) is inside_deck, *sorted(essence(words)))
                found[source].append((line, words, case in seen))
                seen.add(case)
    return {source: commands for source, commands in found.items() if commands}


WITH_COMMANDS = commands_to_run()


@pytest.fixture
def home(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    """A home of the test's own, for printer profiles, games and what was printed."""
    for name in ("HOME", "XDG_CONFIG_HOME", "XDG_DATA_HOME", "APPDATA", "LOCALAPPDATA"):
        monkeypatch.setenv(name, str(desk.folder / "home"))


@pytest.mark.slow
@pytest.mark.usefixtures("home")
@pytest.mark.parametrize("source", WITH_COMMANDS)
def test_each_command_of_docs_and_help_runs(source: str, desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    """Of commands that run alike only the first runs; the options of the others are read."""
    PREPARE.get(source, lambda _: None)(desk)
    failed = {}
    for line, words, is_known in WITH_COMMANDS[source]:
        with monkeypatch.context() as patch:
            if is_known:
                patch.setattr(click.Command, "invoke", lambda *_: None)
            done = Desk(Path.cwd()).ppgen(*words)
        if done.exit_code or done.exception:
            failed[line] = done.output
    assert not failed
