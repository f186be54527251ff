"""*Make it with me* on a published site: the making guide of the chosen files, to tick off."""

from __future__ import annotations

import re
import shutil
from functools import partial
from http.server import ThreadingHTTPServer
from pathlib import Path
from threading import Thread
from typing import Any

import pytest
from click.testing import CliRunner

from ppgen.cli.program import main
from ppgen.shipped import shipped_root
from tests.node import find_node, three_engines
from tests.pages.test_site import QuietHandler

pytestmark = pytest.mark.slow
STRANGE = "<img src=x onerror=alert(1)>"


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("companion") / "deck"
    shutil.copytree(shipped_root() / "data" / "starters" / "plain", folder)
    file = folder / "deck.toml"
    text = re.sub("(?m)^title = .*$", f'title = "{STRANGE}"\nid = "any"', file.read_text("utf-8"))
    file.write_text(text, "utf-8")
    words = ("export", "site", "--data", str(folder), "-o", str(folder.parent), "--paper", "a4")
    done = CliRunner().invoke(main, words)
    assert done.exit_code == 0, done.output
    return folder.parent / "site"


def test_each_choice_leads_to_the_guide_of_its_own_files(site: Path) -> None:
    page = (site / "en" / "index.html").read_text("utf-8")
    links = re.findall(r'href="(any-guide-[^"#]*)#make"', page)
    assert links == [f"any-guide-a4-{backs}-full.html" for backs in ("duplex", "fold", "none")]
    for link in links:
        guide = (site / "en" / link).read_text("utf-8")
        assert STRANGE not in guide
        assert re.search('<div id="making"[^>]* hidden>', guide), "its buttons are dead without scripts"


@pytest.mark.usefixtures("real_browser")
def test_the_companion_remembers_what_is_done_in_a_file_too(site: Path) -> None:
    page = site / "en" / "any-guide-a4-fold-full.html"
    assert_remembered(make_it(f"{page.as_uri()}#make", "chrome"))


def assert_remembered(found: dict[str, Any]) -> None:
    count = found["count"]
    assert not found["hidden"] and count > 10
    assert [each for each in found["violations"] if "Failed to load" not in each] == []  # Firefox misses the network
    assert found["headings"].index("Printing") < found["headings"].index("Which file goes on which paper")
    assert any(re.search("First cuts 1–[0-9]+, then [0-9]+–[0-9]+", name) for name in found["names"])
    assert (found["before"], found["after"], found["again"]) == (
        f"0 of {count} done", f"2 of {count} done", f"0 of {count} done")
    assert found["kept"] == [[0, 2]] and found["focus"] == 1 and found["eager"]
    assert found["done"] == ["All done. Enjoy the game!", "none"]


class StoppingHandler(QuietHandler):
    """A web server that answers no more once ``stop`` was asked for."""

    is_stopped = False

    def do_GET(self) -> None:
        if self.path.endswith("/stop"):
            type(self).is_stopped = True
        if self.is_stopped:
            self.close_connection = True
        else:
            super().do_GET()


@pytest.mark.usefixtures("real_browser")
@pytest.mark.parametrize("kind", three_engines())
def test_the_companion_remembers_and_needs_no_network_once_one_has_begun(site: Path, kind: str) -> None:
    handler = type("Handler", (StoppingHandler,), {})
    server = ThreadingHTTPServer(("127.0.0.1", 0), partial(handler, directory=str(site)))
    Thread(target=server.serve_forever, daemon=True).start()
    try:
        found = make_it(f"http://127.0.0.1:{server.server_port}/en/any-guide-a4-fold-full.html", kind)
    finally:
        server.shutdown()
        server.server_close()
    assert_remembered(found)
    assert len(found["offline"]) > 5 and set(found["offline"]) == {True}
    assert found["other"] == "no network"


def make_it(address: str, kind: str) -> dict[str, Any]:
    program, inside = three_engines()[kind]()
    return find_node(Path(__file__).parent, "puppeteer-core").run(
        "companion.mjs", program, address, kind, inside=inside)
