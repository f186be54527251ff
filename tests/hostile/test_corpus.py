"""Small files that broke something once, or may: each through the real command, with the line that it must print.

``corpus/commands.toml`` has the lines, by the file's place in a deck. A new reader comes with its files: add them to
``corpus/commands/``, run the test, and read each line aloud before it goes into the table.
"""

from __future__ import annotations

import shutil
import time
import tomllib
from pathlib import Path

import pytest

CORPUS = Path(__file__).parent / "corpus"
FILES = CORPUS / "commands"
LINES: dict[str, dict[str, list[str]]] = tomllib.loads((CORPUS / "commands.toml").read_text(encoding="utf-8"))
CASES = [(place, name) for place, lines in LINES.items() for name in lines]
SOON_S = 8.0
DECK = {"deck.toml": '[cards]\ntable = "cards.csv"\nfront = "card.svg.j2"\n', "cards.csv": "Name\nGoblin\n",
        "card.svg.j2": "{{ text(card.name, x=5, y=9, width=30, size=5) }}"}
SHOWS = {"card.svg.j2": '{{ image("art/FILE", x=5, y=9, width=30, height=30) }}'}
PLACES: dict[str, tuple[str, dict[str, str], list[str]]] = {
    "picture": ("art/FILE", SHOWS, ["build", "-q"]),
    "drawing": ("card.svg", {"deck.toml": DECK["deck.toml"].replace(".j2", "")}, ["build", "-q"]),
    "adopted": ("card.svg", {}, ["adopt", "card.svg", "--table", "cards.csv"]),
    "table": ("cards.csv", {}, ["build", "-q"]),
    "workbook": ("cards.xlsx", {"deck.toml": DECK["deck.toml"].replace("csv", "xlsx")}, ["build", "-q"]),
    "new": ("cards.xlsx", {}, ["new", "made", "--from", "cards.xlsx"]),
    "rules": ("rules.md", {}, ["build", "-q", "--only", "rules"]),
    "record": ("printed/printed.json", {}, ["build", "-q", "--changed"]),
    "settings": ("ppgen.toml", {}, ["printed"]),
    "deck": ("deck.toml", {}, ["build", "-q"]),
    "template": ("card.svg.j2", {}, ["build", "-q"]),
}
"""Where a file of the corpus lies in a deck, what else differs in the deck, and the command that reads it."""


def run(desk, place: str, name: str) -> tuple[int, list[str]]:
    path, others, command = PLACES[place]
    for other, text in (DECK | others).items():
        (desk.folder / other).write_text(text.replace("FILE", name), encoding="utf-8")
    target = desk.folder / path.replace("FILE", name)
    target.parent.mkdir(exist_ok=True)
    shutil.copy(FILES / name, target)
    done = desk.ppgen(*command)
    return done.exit_code, done.stderr.replace(desk.folder.name, "FOLDER").splitlines()


@pytest.mark.parametrize(("place", "name"), CASES)
def test_a_file_costs_its_line_and_nothing_else(desk, place, name):
    start = time.process_time()
    code, lines = run(desk, place, name)
    assert lines == LINES[place][name]
    assert code == (0 if all(line.startswith("warning: ") for line in lines) else 1)
    assert all(line.isprintable() for line in lines)
    assert time.process_time() - start < SOON_S


def test_every_file_of_the_corpus_has_its_line_and_every_place_its_files():
    assert {name for _, name in CASES} == {path.name for path in FILES.iterdir()}
    assert LINES.keys() == PLACES.keys() and all(len(lines) > 2 for lines in LINES.values())
