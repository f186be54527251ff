"""What the form tests share: a fresh score sheet, its fields, the board game, and the viewers to try it in."""

from __future__ import annotations

import io
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import asdict
from pathlib import Path

import pikepdf
import pytest

from ppgen.engine.geometry import Format, Size
from ppgen.games.board_game.board import Board, load_board
from ppgen.games.board_game.scoring import BoardScoring, open_scoring as open_board_scoring
from ppgen.games.card_game.scoring import Score, Tally, open_scoring
from ppgen.printing.request import BuildRequest
from ppgen.printing.set_build import build_set
from ppgen.printing.workshop import Workshop
from ppgen.shipped import shipped_root
from tests.node import Node, browser, find_node

HERE = Path(__file__).resolve().parent
A4 = Format("a4", Size(210, 297))


def sheet_of(workshop: Workshop, **options: object) -> bytes:
    """A built score sheet."""
    request = BuildRequest(**{"langs": ("de",), "papers": (A4,), "parts": ("score-sheet",), **options})
    return next(file.content for file in build_set(request, workshop).files if file.path.endswith(".pdf"))


def form_values(score: Score, tallies: Sequence[Tally], date: str = "", place: str = "") -> dict[str, str]:
    """The values of the fields of a filled-in sheet of the card game."""
    data = shipped_root() / "data"
    facts = {"date": date, "place": place}
    scoring, players = open_scoring(data / "card_game", data / "locales", "en"), [asdict(tally) for tally in tallies]
    return scoring.make_sheet(score=score, scored=scoring.score_players(players), facts=facts, complete=True,
                              players=players).fields()


@pytest.fixture(scope="session")
def score_sheet(workshop: Workshop) -> bytes:
    """The German score sheet on A4."""
    return sheet_of(workshop)


@pytest.fixture
def opened(score_sheet: bytes) -> Iterator[pikepdf.Pdf]:
    with pikepdf.open(io.BytesIO(score_sheet)) as pdf:
        yield pdf


def fields_of(pdf: pikepdf.Pdf) -> dict[str, pikepdf.Object]:
    """The fields that hold values, by full name."""
    def walk(fields: pikepdf.Object, above: str) -> Iterator[tuple[str, pikepdf.Object]]:
        for field in fields:
            name = f"{above}.{field.T}" if above else str(field.T)
            if "/Kids" in field:
                yield from walk(field.Kids, name)
            else:
                yield name, field

    return dict(walk(pdf.Root.AcroForm.Fields, ""))


@pytest.fixture
def fields(opened: pikepdf.Pdf) -> dict[str, pikepdf.Object]:
    return fields_of(opened)


@pytest.fixture(scope="session")
def board() -> Board:
    return load_board(shipped_root() / "data" / "board_game")


@pytest.fixture(scope="session")
def board_scoring() -> BoardScoring:
    return open_board_scoring(shipped_root() / "data" / "board_game", shipped_root() / "data" / "locales", "en")


@pytest.fixture(scope="session")
def node() -> Node:
    """Node alone: the twins are held to Python wherever it is."""
    return find_node(HERE)


@pytest.fixture(scope="session")
def parser() -> Node:
    """Node with a parser of JavaScript."""
    return find_node(HERE, "acorn")


@pytest.fixture(scope="session")
def pdfjs() -> Iterator[Callable[..., dict]]:
    """pdf.js with its script sandbox, what Firefox fills in forms with: type a game into a fresh form.

    The fields that then hold anything, and those that show another text.
    """
    with find_node(HERE, "pdfjs-dist").asked("pdfjs.mjs") as ask:
        def fill_in(form: Path, game: Iterable[tuple[str, str]]) -> tuple[dict[str, str], dict[str, str]]:
            answer = ask({"form": str(form), "games": [[*game]]})
            assert not answer["errors"]
            return {name: value for name, value in answer["played"][0].items() if value}, answer["shown"][0]

        yield fill_in


@pytest.fixture(scope="session")
def chromium(real_browser: None) -> Callable[..., str]:
    """Chromium with its own viewer, PDFium: type keys into a form; what it saves, in base64."""
    program, node = browser("chromium"), find_node(HERE, "puppeteer-core")
    return lambda form, keys: node.run("chromium.mjs", str(form), program, given=keys)
