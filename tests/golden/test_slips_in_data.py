"""Data of every kind with one value spoilt at a time, and all that is said about each.

Keys of tables are left out, misspelt, and get values that are too small, too large, too long or of another type; rows
of CSV are left out and stand twice, and their cells are spoilt. What a slip leaves as it was is not in the record.
"""

from __future__ import annotations

import re
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from PIL import Image

from ppgen.assets import Assets
from ppgen.engine.geometry import read_formats
from ppgen.errors import InputError, to_one_line
from ppgen.games import catalogue
from ppgen.games.board_game import rules as board_rules
from ppgen.games.board_game.board import load_board
from ppgen.games.board_game.components import read_drawn_map
from ppgen.games.card_game import rules as card_rules
from ppgen.games.card_game.deck import describe_deck, load_deck as load_card_game
from ppgen.games.own_deck.deck_loading import load_deck
from ppgen.play.game_scoring import read_file
from ppgen.play.rule_file import read_rules
from ppgen.printing.workshop import Workshop
from ppgen.shipped import shipped_root
from tests.conftest import ROOT
from tests.play.test_score_files import scoring_of

DATA, GOLDEN = shipped_root() / "data", ROOT / "tests/golden"


def spoil(value: str) -> Iterator[str]:
    """Other values for one of TOML."""
    match value[0]:
        case '"':
            yield from ('""', "7", f'{value[:-1]}x"', f'"{"long " * 13}"')
        case "[" if value.endswith("]"):
            first, comma, rest = value[1:-1].partition(", ")
            yield from ("[]", "[[]]", f"[{rest}]" if comma else f"[{first}, {first}]", first or "1",
                        f"[{', '.join([value[1:-1]] * 9)}]")
        case "t" | "f":
            yield "1"
        case sign if sign in "-0123456789":
            yield from (f"-{value}", f"-{value}000000", f"{value}000000", "0", "2.5", '"x"')


def slips(name: str, lines: list[str]) -> Iterator[tuple[int, str]]:
    """The lines of a file with a slip each: number from 0, and what they become. Of tables alike it is the last."""
    if name.endswith(".csv"):
        for number in (4, len(lines) - 1):
            cells = lines[number].split(",")
            yield from ((number, ""), (number, f"{lines[number]}\n{lines[number]}"),
                        *((number, ",".join([*cells[:at], new, *cells[at + 1:]]))
                          for at in range(len(cells)) for new in ("", "x", "-1", "-1000000", "1000000")))
        return
    table, found = "", dict[tuple[str, str], tuple[int, str]]()
    for number, line in enumerate(lines):
        if line.startswith("["):
            table = line.partition("#")[0]
        elif match := re.fullmatch(r"(\S+) = ([^#]+?)( +#.*)?", line):
            found[table, match[1]] = number, match[2]
    for (_, key), (number, value) in found.items():
        yield from ((number, ""), *[(number, f"{key}z = {value}")] * (number % 4 == 0),
                    *((number, f"{key} = {new}") for new in spoil(value)))


def board_game(path: Path) -> Iterator[object]:
    board = load_board(path.parent)
    read_drawn_map(path.parent, board)
    board_rules.table_of_board_game(board, path.parent)
    board_rules.read_examples(path.parent, board)
    yield from ()


def card_game(path: Path) -> Iterator[object]:
    deck, warnings = load_card_game(path.parent)
    yield from warnings
    card_rules.table_of_card_game(path.parent, lambda: describe_deck(deck))
    card_rules.read_examples(path.parent, deck)


def deck(path: Path) -> Iterator[object]:
    (path.parent / "art").mkdir(exist_ok=True)
    (path.parent / "art/quarters.png").touch()  # looked at when it is drawn
    read = load_deck(path.parent, read_formats(DATA))
    yield f"{read.id} {read.lang} {read.card_size} {read.box} {read.deals} {read.rows} {read.tools} {read.learn}"
    for batch in read.batches:
        yield f"{batch.name} {batch.stock}{' as cards' * batch.is_cards} {batch.layout}"
        piece = batch.pieces[-1]
        yield f"{piece.id} × {piece.copies} {piece.front} {piece.back} {piece.block} {piece.cut}"
    yield from read.warnings


def laid(path: Path) -> Iterator[object]:
    """The deck, and how it lies on the table."""
    yield from deck(path)
    workshop = Workshop.open(Assets.at(path.parent))
    parts = workshop.game.parts(workshop.texts("en"), workshop.game.card_size)
    for place in workshop.game.table().set_up(2, parts).places if parts else ():
        yield (f"  {place.x:g} {place.y:g} {len(place.pieces)} × {place.pieces[-1:]}{' up' * place.up}"
               f"{' fixed' * place.fixed} hand {place.hand}, mix {place.mix}")


def rules(path: Path) -> Iterator[object]:
    read = read_rules(path.parent)
    yield f"{read.least} {read.most} {read.lowest} {read.tie_break} {read.verdicts}"
    yield f"{read.words} {read.rows} {read.columns}"
    yield from (line.data("counts", "entries") for line in read.lines)


def tallies(path: Path) -> Iterator[object]:
    file = read_file(path)
    scoring = scoring_of(ROOT / "tests/play/score_files/all-ways") if path.stem == "rules" else catalogue.open_scoring(
        Assets.at(), f"{path.stem.removesuffix('-counted')}_game", "en")
    scored = scoring.score(file.raw(scoring))
    yield from scored.warnings
    yield from map(to_one_line, (*scored.reasons(), scored.verdict()))
    yield from (f"{name} {text}" for name, text in scored.fields().items())
    yield from scored.off_sheet


def outcome(load: Callable[[Path], Iterator[object]], path: Path) -> Iterator[str]:
    """What is read, a line each, or all that is wrong with it."""
    try:
        for each in load(path):
            yield re.sub(r"\d+\.\d{5,}", lambda number: f"{float(number[0]):.4g}", str(each))
    except InputError as error:
        yield from map(str, error.problems)


KINDS = {"board-game": (board_game, DATA / "board_game", "*.*"), "card-game": (card_game, DATA / "card_game", "*.*"),
         "deck": (deck, GOLDEN / "zoo", "deck.toml"),
         "rules": (rules, ROOT / "tests/play/score_files", "[a-l]*/score.toml"),
         "tallies": (tallies, GOLDEN / "spoilt", "*.*")}


@pytest.mark.slow
@pytest.mark.parametrize("kind", KINDS)
def test_what_is_said_about_each_slip_has_not_changed(golden, tmp_path, monkeypatch, kind):
    load, source, names = KINDS[kind]
    shutil.copytree(source, tmp_path / "data")
    monkeypatch.chdir(tmp_path)

    lines = []
    for path in sorted(Path("data").glob(names)):
        text, usual = path.read_text("utf-8"), {*outcome(load, path)}
        assert [*load(path)] or load in (board_game, card_game)
        rows = text.splitlines()
        for number, new in slips(path.name, rows) if path.suffix in (".toml", ".csv") else ():
            path.write_text("\n".join([*rows[:number], new, *rows[number + 1:]]), "utf-8")
            lines += [f"{path.relative_to('data').as_posix()}:{number + 1} {new[:150]}",
                      *(f"  {each}" for each in outcome(load, path) if each not in usual)]
        path.write_text(text, "utf-8")
    golden(f"slips-{kind}.txt", "\n".join(lines).replace(str(tmp_path), "FOLDER") + "\n")


FILES = {"cards.csv": "Name,Cost,Anzahl,Art,Front\nAnt,2,1,ant,card\nBee,,x3,,card\nAnt,4,,bee.png,cart\n",
         "card.svg.j2": '<rect width="9" height="9"/>{{ card.name }}', "con.svg.j2": "<g/>",
         "rows.toml": '[[a]]\nid = "hills"\nsize = 4\ncolour = "green"\n[[a]]\nname = "Big Woods"\nsize = 6\n',
         "rules.md": "# Rules\n\nPlay.\n"}


@pytest.mark.slow
@pytest.mark.parametrize(("kind", "name", "load"), [("decks", "deck.toml", laid), ("score-files", "score.toml", rules)])
def test_what_is_said_about_small_files_has_not_changed(golden_cases, tmp_path, monkeypatch, kind, name, load):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "art").mkdir()
    Image.new("RGB", (30, 40)).save(tmp_path / "art/ant.png")
    for file, content in FILES.items():
        (tmp_path / file).write_text(content, "utf-8")

    def answer(text: str) -> Iterator[str]:
        (tmp_path / name).write_text(text, "utf-8")
        yield from outcome(load, Path(name))

    golden_cases(kind, answer)
