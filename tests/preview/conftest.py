"""What the preview tests share: a bench over copies of the set, a preview that goes on, and a browser."""

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
from ppgen.engine.geometry import Format, Size
from ppgen.preview.album import PreviewRequest, Redrawer
from ppgen.production.request import BuildRequest
from ppgen.production.workshop import Workshop
from tests.node import browser as find_browser
from tests.node import find_node, tool

ROOT = Path(__file__).resolve().parents[2]
A4 = Format("a4", Size(210, 297))
PATIENCE = 60.0
"""Seconds that anything may take on a busy machine."""
USUAL = "--data", "data", "--templates", "templates", "-l", "de"


def preview_request(parts: tuple[str, ...] = ("tokens",), **more: object) -> PreviewRequest:
    return PreviewRequest(build=BuildRequest(langs=("de",), papers=(A4,), parts=parts), **more)


@pytest.fixture
def own_bench(own_desk) -> Callable[..., Redrawer]:
    """Makes a bench over the copies of data and templates on the desk."""
    def make(**asked: object) -> Redrawer:
        request = preview_request(**asked)
        return Redrawer(lambda: (Workshop.open(Assets.at(own_desk.data, own_desk.templates)), request))

    return make


@dataclass
class Going:
    """``ppgen preview`` in a process of its own, and the lines that it says."""

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
def gone_on(folder: Path, usual: tuple[str, ...] = USUAL) -> Iterator[Callable[..., Going]]:
    """What starts ``ppgen preview`` on the copies in a folder; ends what is still going."""
    if os.name == "nt":
        pytest.skip("a process on Windows can't be sent a Ctrl-C of its own")
    started: list[Going] = []

    def start(*words: str) -> Going:
        process = subprocess.Popen(
            [sys.executable, "-u", "-m", "ppgen", "preview", *usual, *words],
            cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, encoding="utf-8",
            env={**os.environ, "PYTHONPATH": str(ROOT), "PYTHONIOENCODING": "utf-8"})
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


@pytest.fixture
def going(own_desk) -> Iterator[Callable[..., Going]]:
    """Starts ``ppgen preview`` on the copies on the desk."""
    with gone_on(own_desk.folder) as start:
        yield start


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


@contextmanager
def started_browser(kind: str) -> Iterator[Browser]:
    """A browser of a kind: chromium, firefox or webkit. WebKit needs a display."""
    program = tool("WebKitWebDriver") if kind == "webkit" else find_browser(kind)
    inside = (tool("xvfb-run"), "-a", "-s", "-screen 0 1600x1200x24") if kind == "webkit" else ()
    node = find_node(Path(__file__).parent, "puppeteer-core")
    with node.asked("browser.mjs", program, kind, inside=inside) as ask:
        yield Browser(ask)


@pytest.fixture(scope="module")
def browser(real_browser: None) -> Iterator[Browser]:
    with started_browser("chromium") as browser:
        yield browser
