"""What the tests of a site share: a deck with a strange title, its site, and a server of a folder."""

from __future__ import annotations

import re
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread

import pytest
from click.testing import CliRunner

from ppgen.cli.program import main
from ppgen.shipped import shipped_root
from tests.conftest import OnceForAll
from tests.node import browser, find_node

STRANGE = "Cats <script>alert(1)</script>"
ABOUT = "A game of **cats**.\n\n:part[cards]\n"
PRESETS = '\n[presets.short]\nbacks = "none"\n\n[presets.sepia]\nink = "low"\npaper = "letter"\n'
RULES = "# Cats & dogs\n\n## Setup\n\nShuffle *all* cards.\n\n- one\n- two\n\n| a | b |\n|---|---|\n| c | d |\n"


class QuietHandler(SimpleHTTPRequestHandler):
    def log_message(self, *words: object) -> None:
        """Print nothing."""


@contextmanager
def served(folder: Path, handler: type[QuietHandler] = QuietHandler) -> Iterator[str]:
    """The address of a folder."""
    server = ThreadingHTTPServer(("127.0.0.1", 0), partial(handler, directory=str(folder)))
    Thread(target=server.serve_forever, daemon=True).start()
    try:
        yield f"http://127.0.0.1:{server.server_port}"
    finally:
        server.shutdown()
        server.server_close()


def make_site(deck: Path, output: Path, *more: str) -> str:
    """Make the site of a deck, on A4 unless other papers are given; return what the command says."""
    paper = () if "--paper" in more else ("--paper", "a4")
    words = ("export", "site", "--data", str(deck), "-o", str(output), *paper, *more)
    done = CliRunner().invoke(main, words, catch_exceptions=False)
    assert done.exit_code == 0, done.output
    return done.output


def write_deck(folder: Path) -> None:
    shutil.copytree(shipped_root() / "data" / "starters" / "plain", folder)
    file = folder / "deck.toml"
    title = f'title = "{STRANGE}"\nid = "any"'
    file.write_text(re.sub("(?m)^title = .*$", title, file.read_text("utf-8")) + PRESETS, "utf-8")
    for name, text in (("about.md", ABOUT), ("rules.md", RULES), ("LICENSE", "Do as you like.")):
        (folder / name).write_text(text, "utf-8")


@pytest.fixture(scope="session")
def chromium(real_browser: None) -> Iterator[str]:
    """The address of a Chromium that runs for all tests of a worker."""
    node = find_node(Path(__file__).parents[1], "puppeteer-core")
    with node.asked("chromium.mjs", browser("shell")) as ask:
        yield ask({})["address"]


@pytest.fixture(scope="session")
def site(once_for_all: OnceForAll) -> Path:
    """A site on A4; its deck stands beside it."""
    def make(folder: Path) -> str:
        write_deck(folder / "deck")
        return make_site(folder / "deck", folder)

    return once_for_all("plain-site", make)[0] / "site"


@pytest.fixture(scope="session")
def site_deck(site: Path) -> Path:
    """The folder of the site's deck."""
    return site.parent / "deck"
