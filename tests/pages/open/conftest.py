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

FILES = {
    "deck.toml": '[colours]\nnight = "#223355"\n\n[cards]\ntable = "cards.csv"\nsize = "poker"\nfront = "card.svg.j2"\n'
                 'back = "back.svg.j2"\n',
    "cards.csv": "Name,Text,Cost,Copies\nOrc,Bites,1,3\nElf of the long river,Sings,2,1\n",
    "card.svg.j2": '{% from "macros.svg.j2" import tag %}\n'
                   "{{ panel(margin=3, radius=2, fill='#dde') }}\n"
                   '{{ text(card.name, x=31.75, y=14, width=40, size=6, min_size=3, anchor="middle") }}\n'
                   "{{ rich(card.text, x=8, y=40, width=47.5, height=20, size=4) }}\n"
                   "{{ badge(card.cost, 10, 10, r=5, fill=colours.night) }}{{ badge(card.cost, x=52, y=78, r=4) }}\n"
                   '<g transform="translate(63.5 88.9) rotate(180)">\n'
                   "{{ text(card.name, x=5, y=8, width=30, size=3) }}</g>\n"
                   "{% for box in rows(3, gap=1, x=40, y=62, width=18, height=9) %}\n"
                   "{{ panel(box=box, fill='#cc8') }}\n{% endfor %}\n"
                   "{{ tag(card.name, x=8, y=70) }}\n"
                   "{{ text('half', x=face.width / 2, y=82, width=20, size=3) }}\n",
    "macros.svg.j2": "{% macro tag(words, x, y) %}\n{{ panel(x=x, y=y, width=20, height=7, fill='#fff') }}\n"
                     "{{ text(words, x=x + 1, y=y + 5, width=18, size=3, min_size=1) }}\n{% endmacro %}\n",
    "back.svg.j2": "{{ fill(colours.night) }}\n{{ panel(x=10, y=10, width=40, height=60, fill='#fff') }}\n",
}


def write_deck(folder: Path) -> Path:
    for name, text in FILES.items():
        (folder / name).write_text(text, encoding="utf-8")
    return folder


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
