"""What the form tests share: a fresh score sheet, its fields, random games, and the viewers to try it in."""

from __future__ import annotations

import io
import json
import os
import random
import shutil
import subprocess
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import pikepdf
import pytest

from ppgen.engine.formats import Format
from ppgen.engine.geometry import Size
from ppgen.games.card_game.deck.model import Deck
from ppgen.games.card_game.scoring.points import Tally, tally_cards
from ppgen.production.build import build
from ppgen.production.request import BuildRequest
from ppgen.production.workshop import Workshop

HERE = Path(__file__).resolve().parent
A4 = Format("a4", Size(210, 297))
MODULES = "PPGEN_NODE_MODULES"
"""The environment variable that names the folder of the npm packages."""


def sheet_of(workshop: Workshop, **options: object) -> bytes:
    """A built score sheet."""
    request = BuildRequest(**{"langs": ("de",), "papers": (A4,), "parts": ("score-sheet",), **options})
    return next(file.content for file in build(request, workshop).files if file.path.endswith(".pdf"))


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
def random_game(deck: Deck) -> Callable[[int], tuple[Tally, ...]]:
    """A game by number: 3, 4 or 5 players with all the cards dealt at random, some of them to few hands."""
    def deal(number: int) -> tuple[Tally, ...]:
        chance = random.Random(number)
        players = 3 + number % 3
        weights = [chance.choice((1, 1, 1, 4)) for _ in range(players)]
        hands: list[list] = [[] for _ in range(players)]
        for card in deck.cards:
            if chance.random() > 0.1 * (number % 2):  # every other game is not over yet
                chance.choices(hands, weights)[0].append(card)
        names = chance.sample(("Åse", "Ørsted", "良子", "Beate", "Łukasz", "007", "O’Neill", "Élodie"), players)
        tablets = chance.sample([*chance.choice(((1, 1), (2,), (1,), ())), 0, 0, 0, 0, 0], k=players)
        return tuple(tally_cards(name, hand, tablet) for name, hand, tablet in zip(names, hands, tablets, strict=True))

    return deal


@dataclass(frozen=True)
class Node:
    """Scripts that run in Node, with the packages of ``package.json`` at hand."""

    modules: Path

    def run(self, script: str, *words: str, given: object = None) -> dict:
        done = subprocess.run(["node", str(HERE / script), str(self.modules), *words], input=json.dumps(given),
                              capture_output=True, text=True, encoding="utf-8", timeout=300)
        assert done.returncode == 0, done.stderr
        return json.loads(done.stdout)

    @contextmanager
    def asked(self, script: str, *words: str) -> Iterator[Callable[[object], dict]]:
        """A script that answers line by line."""
        with subprocess.Popen(["node", str(HERE / script), str(self.modules), *words], stdin=subprocess.PIPE,
                              stdout=subprocess.PIPE, text=True, encoding="utf-8") as process:
            def ask(given: object) -> dict:
                print(json.dumps(given), file=process.stdin, flush=True)
                return json.loads(process.stdout.readline())

            yield ask


@pytest.fixture(scope="session")
def node() -> Node:
    """Node, with a parser of JavaScript at hand."""
    return _node("esprima")


def _node(package: str) -> Node:
    if not shutil.which("node"):
        pytest.skip("needs node, version 20 or newer")
    modules = Path(os.environ.get(MODULES) or HERE / "node_modules").resolve()
    if not (modules / package).is_dir():
        pytest.skip(f"needs {package}: npm install --prefix tests/forms --ignore-scripts, or {MODULES}=FOLDER")
    return Node(modules)


@pytest.fixture(scope="session")
def pdfjs() -> Node:
    """pdf.js with its script sandbox: what Firefox fills in forms with."""
    return _node("pdfjs-dist")


@pytest.fixture(scope="session")
def chromium() -> Callable[..., dict]:
    """Chromium with its own viewer, PDFium: type keys into a form."""
    return _browser("chromium", "PPGEN_CHROMIUM", "chromium")


@pytest.fixture(scope="session")
def firefox() -> Callable[..., dict]:
    """Firefox with its own viewer, pdf.js: type keys into a form."""
    return _browser("firefox", "PPGEN_FIREFOX", "firefox-esr", "firefox")


def _browser(name: str, variable: str, *programs: str) -> Callable[..., dict]:
    program = os.environ.get(variable) or next(filter(None, map(shutil.which, programs)), None)
    if not program:
        pytest.skip(f"needs {' or '.join(programs)} (or {variable}=PATH)")
    node = _node("puppeteer-core")

    def press(form: Path, picture: Path, keys: list[object]) -> dict:
        return node.run(f"{name}.mjs", str(form), program, str(picture), given=keys)

    return press


def tool(name: str) -> str:
    """The path of a program, or the test is skipped."""
    found = shutil.which(name)
    if not found:
        pytest.skip(f"needs {name}")
    return found
