"""What the tests of the page share: a small deck and its redrawer, a running ``ppgen open``, and a browser."""

from __future__ import annotations

import os
import queue
import signal
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from ppgen.assets import Assets
from ppgen.engine.drawing.template_calls import template_digest
from ppgen.engine.geometry import Format, Size
from ppgen.pages.open.album import Redrawer
from ppgen.pages.open.page_looks import Looks, PageView, PictureRenderer, Workbench
from ppgen.pages.open.page_parts import Layouts
from ppgen.printing.request import BuildRequest
from ppgen.printing.workshop import Workshop
from ppgen.reading.editing import FileHistory
from tests.conftest import SETTINGS, Desk
from tests.games.own_deck.decks import lay_out, read_deck
from tests.node import find_node

ROOT = Path(__file__).resolve().parents[3]
A4 = Format("a4", Size(210, 297))
AXE = ROOT / "tests/forms/node_modules/axe-core/axe.min.js"
PATIENCE = 300.0
"""Seconds that anything may take on a busy machine."""


def page_request(parts: tuple[str, ...] = ("tokens",)) -> BuildRequest:
    return BuildRequest(langs=("de",), papers=(A4,), parts=parts)


@dataclass
class Going:
    """``ppgen open`` in a process of its own, and the lines that it says."""

    process: subprocess.Popen[str]
    heard: queue.Queue[str] = field(default_factory=queue.Queue)
    lines: list[str] = field(default_factory=list)
    listeners: list[threading.Thread] = field(default_factory=list)

    def __post_init__(self) -> None:
        for stream in (self.process.stdout, self.process.stderr):
            self.listeners.append(threading.Thread(target=self._listen, args=(stream,), daemon=True))
            self.listeners[-1].start()

    def _listen(self, stream) -> None:
        for line in stream:
            self.heard.put(line.rstrip("\n"))

    def line(self, *words: str) -> str:
        """The next line that has all the words in it."""
        while True:
            try:
                line = self.heard.get(timeout=PATIENCE)
            except queue.Empty:
                raise AssertionError(f"no line with {words} but:\n" + "\n".join(self.lines)) from None
            self.lines.append(line)
            if all(word in line for word in words):
                return line

    def interrupt(self) -> int:
        """Press Ctrl-C; the exit code."""
        self.process.send_signal(signal.SIGINT)
        code = self.process.wait(PATIENCE)
        for listener in self.listeners:
            listener.join(PATIENCE)
        while not self.heard.empty():
            self.lines.append(self.heard.get())
        return code


@contextmanager
def gone_on(folder: Path, **settings: str) -> Iterator[Callable[..., Going]]:
    """What starts ``ppgen open`` in a folder; ends what is still going."""
    if os.name == "nt":
        pytest.skip("a process on Windows can't be sent a Ctrl-C of its own")
    started: list[Going] = []
    surroundings = {name: value for name, value in os.environ.items() if name not in SETTINGS}

    def start(*words: str) -> Going:
        process = subprocess.Popen(
            [sys.executable, "-u", "-m", "ppgen", "open", "--serve", "--port", "0", *words],
            cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, encoding="utf-8",
            env={**surroundings, "PYTHONPATH": str(ROOT), "PYTHONIOENCODING": "utf-8",
                 "XDG_CONFIG_HOME": str(folder / "config"), "XDG_STATE_HOME": str(folder / ".state"), **settings})
        started.append(Going(process))
        return started[-1]

    try:
        yield start
    finally:
        for each in started:
            each.process.kill()
            each.process.wait()
            for listener in each.listeners:
                listener.join()
            for stream in (each.process.stdout, each.process.stderr):
                stream.close()


@contextmanager
def opened_at(folder: Path, *words: str, **settings: str) -> Iterator[str]:
    """The address of ``ppgen open`` in a folder, while it goes on."""
    with gone_on(folder, **settings) as start:
        yield start(*words).line("http://127.0.0.1:")


@dataclass(frozen=True)
class Browser:
    """A browser, one page of it."""

    ask: Callable[[object], dict]

    def __call__(self, deed: str, **how: object) -> object:
        answer = self.ask({"do": deed, **how})
        assert "failed" not in answer, (deed, how, answer["failed"])
        return answer["got"]

    def find(self, code: str) -> object:
        return self("find", code=code)

    def wait_for(self, code: str) -> object:
        return self("await", code=code)

    def violations(self) -> list[str]:
        """What axe finds on the page that not everybody can use."""
        self.find(f"{AXE.read_text(encoding='utf-8')}; 0")
        return self.find("axe.run({ resultTypes: ['violations'], rules: { 'label-content-name-mismatch': { enabled: "
                         "true } } }).then(result => result.violations.map("
                         "each => each.id + ' ' + each.nodes.map(node => node.target).join()))")


@pytest.fixture(scope="session")
def one_browser(chromium: str) -> Iterator[Browser]:
    with find_node(Path(__file__).parent).asked("browser.mjs", chromium) as ask:
        yield Browser(ask)


@pytest.fixture
def browser(one_browser: Browser) -> Browser:
    """A worker's browser, after it left the page of the test before, whose server may have ended; of the usual size."""
    one_browser("open", url="about:blank")
    one_browser("look")
    one_browser("heard")
    return one_browser


# A deck to lay out

FILES = read_deck("orcs")


def write_deck(folder: Path) -> Path:
    return lay_out(folder, FILES)


@pytest.fixture
def deck_folder(tmp_path) -> Path:
    return write_deck(tmp_path)


@pytest.fixture(scope="module")
def opened_deck(tmp_path_factory) -> Iterator[tuple[str, Path]]:
    """The address and the folder of a deck, open for all tests of a module."""
    folder = write_deck(tmp_path_factory.mktemp("deck"))
    with opened_at(folder) as address:
        yield address, folder


@pytest.fixture
def deck_files(deck_folder) -> Desk:
    return Desk(deck_folder)


@pytest.fixture
def make_redrawer(deck_folder) -> Callable[..., Redrawer]:
    """Makes a redrawer of the cards of the deck, or of other parts."""
    def make(parts: tuple[str, ...] = ("cards",)) -> Redrawer:
        request = BuildRequest(langs=("en",), papers=(A4,), parts=parts)
        return Redrawer(lambda: (Workshop.open(Assets.at(deck_folder, None)), request))

    return make


@dataclass
class DeckDesk:
    """The layouts of a deck, without a server."""

    folder: Path
    looks: Looks
    redrawer: Redrawer
    history: FileHistory
    layouts: Layouts

    def redraw(self) -> None:
        self.looks.replace_first(self.redrawer.refresh())

    def describe(self, id: str = "orc", side: str = "front") -> dict:
        return self.layouts.describe(PageView(lang="en"), {"id": id, "side": side})

    def change(self, template: str, number: int, do: str = "set", **values: object) -> None:
        digest = template_digest((self.folder / template).read_text(encoding="utf-8"))
        self.layouts.change({"template": template, "digest": digest, "call": number, "do": do, "values": values})


@pytest.fixture
def deck_desk(deck_folder) -> DeckDesk:
    request = BuildRequest(langs=("en",), papers=(A4,))
    looks = Looks(Workbench(folder=deck_folder, choices=lambda: {"lang": ("en",)}), PictureRenderer())
    history = FileHistory(deck_folder)
    redrawer = Redrawer(lambda: (Workshop.open(Assets.at(deck_folder, None)), request))
    made = DeckDesk(deck_folder, looks, redrawer, history, Layouts(looks, history))
    made.redraw()
    return made
