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

from ppgen.assets import Assets
from ppgen.engine.geometry import A4
from ppgen.pages.open.album import Redrawer
from ppgen.printing.request import BuildRequest
from ppgen.printing.workshop import Workshop

CORPUS = Path(__file__).parent / "corpus"
FILES = CORPUS / "commands"
LINES: dict[str, dict[str, list[str]]] = tomllib.loads((CORPUS / "commands.toml").read_text(encoding="utf-8"))
CASES = [(place, name) for place, lines in LINES.items() for name in lines]
SOON_S = 8.0
DECK = {"deck.toml": '[cards]\ntable = "cards.csv"\nfront = "card.svg.j2"\n', "cards.csv": "Name\nGoblin\n",
        "card.svg.j2": "{{ text(card.name, x=5, y=9, width=30, size=5) }}"}
CARDS = ["build", "-q", "--only", "cards"]
SHOWS = {"card.svg.j2": '{{ image("art/FILE", x=5, y=9, width=30, height=30) }}'}
PLACES: dict[str, tuple[str, dict[str, str], list[str]]] = {
    "picture": ("art/FILE", SHOWS, CARDS),
    "drawing": ("card.svg", {"deck.toml": DECK["deck.toml"].replace(".j2", "")}, CARDS),
    "adopted": ("card.svg", {}, ["adopt", "card.svg", "--table", "cards.csv"]),
    "table": ("cards.csv", {}, CARDS),
    "workbook": ("cards.xlsx", {"deck.toml": DECK["deck.toml"].replace("csv", "xlsx")}, CARDS),
    "new": ("cards.xlsx", {}, ["new", "made", "--from", "cards.xlsx"]),
    "rules": ("rules.md", {}, ["build", "-q", "--only", "rules"]),
    "record": ("printed/printed.json", {}, ["build", "-q", "--changed"]),
    "settings": ("ppgen.toml", {}, ["printed"]),
    "deck": ("deck.toml", {}, CARDS),
    "template": ("card.svg.j2", {}, CARDS),
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


@pytest.mark.slow
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


OPENED = [case for case in CASES if case[0] in ("picture", "drawing", "table", "workbook", "deck", "template")][::6]


@pytest.mark.slow
def test_an_open_page_outlives_each_kind_of_file_and_keeps_its_cards(desk):
    """As ``ppgen open`` redraws after each save: every sixth file of the corpus in one run, a sound deck after each."""
    (desk.folder / "art").mkdir()
    request = BuildRequest(langs=("en",), papers=(A4,), parts=("cards",))
    redrawer = Redrawer(lambda: (Workshop.open(Assets.at(desk.folder)), request))
    cards = None
    for place, name in [("", ""), *OPENED]:
        for other, text in DECK.items():
            (desk.folder / other).write_text(text, encoding="utf-8")
        good = redrawer.refresh()
        assert good.albums and not good.problems, (place, name, good.problems)
        cards = cards or [piece.component.id for piece in good.albums[0].pieces]
        assert [piece.component.id for piece in good.albums[0].pieces] == cards
        if place:
            path, others, _ = PLACES[place]
            for other, text in others.items():
                (desk.folder / other).write_text(text.replace("FILE", name), encoding="utf-8")
            shutil.copy(FILES / name, desk.folder / path.replace("FILE", name))
            spoilt = redrawer.refresh()
            assert spoilt.albums, (place, name)
            whats = [problem.what for problem in spoilt.problems]
            assert not any(what.startswith("unexpected ") for what in whats), (place, name, whats)


def test_an_unforeseen_error_is_a_problem_of_the_page(desk):
    for other, text in DECK.items():
        (desk.folder / other).write_text(text, encoding="utf-8")
    request = BuildRequest(langs=("en",), papers=(A4,), parts=("cards",))
    errors: list[BaseException] = []

    def read() -> tuple[Workshop, BuildRequest]:
        if errors:
            raise errors[0]
        return Workshop.open(Assets.at(desk.folder)), request

    redrawer = Redrawer(read)
    redrawer.refresh()
    for error in (ZeroDivisionError("by zero"), type("PanicException", (BaseException,), {})("in Rust")):
        errors[:] = [error]
        state = redrawer.refresh()
        assert state.albums and [problem.what for problem in state.problems] == [
            f"unexpected {type(error).__name__}: {error}"]
    errors[:] = [KeyboardInterrupt()]
    with pytest.raises(KeyboardInterrupt):
        redrawer.refresh()
