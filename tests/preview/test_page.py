"""The page in Chromium: it shows everything, follows each save by itself, and asks nobody else for anything."""

from __future__ import annotations

import io
from dataclasses import dataclass

import pytest
from PIL import Image

from tests.conftest import Desk

from .conftest import Going, gone_on

DOT = '<circle cx="11" cy="11" r="11" fill="#FF0000"/></svg>'
STONES = "templates/card_game/claim-stone.svg.j2"
STONE = "document.querySelector('#claim-stone-1 img')"
LOADED = "[...document.images].every(image => image.complete && image.naturalWidth > 0)"
NO_PROBLEM = "document.querySelector('#problems').hidden"


@dataclass(frozen=True)
class Shown:
    """The tokens of a set that may be changed, on a page."""

    desk: Desk
    preview: Going
    address: str

    def dot(self) -> None:
        """Put a dot on the stones."""
        self.desk.change(STONES, "</svg>", DOT)

    def undot(self) -> None:
        self.desk.change(STONES, DOT, "</svg>")


@pytest.fixture(scope="module")
def served(tmp_path_factory):
    desk = Desk(tmp_path_factory.mktemp("page")).with_set()
    with gone_on(desk.folder) as start:
        preview = start("--serve", "--port", "0", "--only", "tokens")
        yield Shown(desk, preview, preview.line("http://127.0.0.1:"))


@pytest.fixture
def page(served, browser):
    """The page, freshly opened; at the end nothing went wrong on it and nobody else was asked for anything."""
    browser("heard")
    browser("look")
    browser("open", url=served.address)
    browser.wait_for(LOADED)
    yield served
    heard = browser("heard")
    assert not heard["errors"]
    assert {address.startswith(served.address) for address in heard["asked"]} == {True}
    browser("open", url="about:blank")


def reddest(browser, selector: str, tmp_path) -> bool:
    """Whether the middle of an element is red on the screen."""
    box = browser.find(f"""(() => {{ const box = document.querySelector({selector!r}).getBoundingClientRect();
                            return [box.x + box.width / 2, box.y + box.height / 2]; }})()""")
    browser("shoot", to=str(tmp_path / "seen.png"))
    with Image.open(io.BytesIO((tmp_path / "seen.png").read_bytes())) as picture:
        red, green, blue = picture.convert("RGB").getpixel(tuple(map(int, box)))
    return red > 240 and green < 15 and blue < 15


def test_it_follows_each_save_and_tells_what_is_wrong(page, browser, tmp_path):
    assert browser.find("document.images.length") == 13  # both sides of four tablets, and five stones
    assert not reddest(browser, "#claim-stone-1", tmp_path)
    browser.find("window.scrollTo(0, 30)")
    before = browser.find("window.scrollY"), browser.find("[...document.images].map(image => image.src)")

    page.dot()
    browser.wait_for(f"{STONE}.src !== {before[1][8]!r} && {LOADED}")
    assert reddest(browser, "#claim-stone-1", tmp_path)
    after = browser.find("[...document.images].map(image => image.src)")
    assert [one == other for one, other in zip(before[1], after, strict=True)] == [True] * 8 + [False] * 5
    assert browser.find("window.scrollY") == before[0]
    assert "5 faces changed (claim-stone-1" in browser.find("document.querySelector('#said').textContent")

    line = page.desk.change(STONES, DOT, "{{ nix }}</svg>")
    browser.wait_for(f"!{NO_PROBLEM}")
    words = browser.find("document.querySelector('#problems').innerText")
    assert f"claim-stone.svg.j2:{line}" in words and "'nix' is undefined" in words
    assert reddest(browser, "#claim-stone-1", tmp_path)  # the last good picture
    page.desk.change(STONES, "{{ nix }}</svg>", "</svg>")
    browser.wait_for(f"{NO_PROBLEM} && {STONE}.src === {before[1][8]!r} && {LOADED}")
    assert not reddest(browser, "#claim-stone-1", tmp_path)


def test_cards_turn_and_zoom_by_mouse_and_keys(page, browser):
    turned = "document.querySelector('#law-minus-two .turn').getAttribute('aria-pressed')"
    browser("click", at="#law-minus-two .turn")
    assert browser.find(turned) == "true"
    browser.find("document.querySelector('#law-minus-two .turn').focus()")
    browser("press", key="Enter")
    assert browser.find(turned) == "false"
    browser("press", key="f")
    assert browser.find("[...document.querySelectorAll('.turn')].every(b => b.getAttribute('aria-pressed') === 'true')")
    width = f"{STONE}.getBoundingClientRect().width"
    usual = browser.find(width)
    browser("press", key="2")
    assert browser.find(width) == pytest.approx(2 * usual, abs=1)
    browser.wait_for(f"{STONE}.currentSrc.endsWith('-192.png') && {LOADED}")  # as sharp as it is large
    browser("press", key="0")
    assert browser.find(f"{STONE}.getBoundingClientRect().height") > 500
    browser("press", key="1")  # the zoom is remembered


def test_cards_that_come_and_go_leave_the_others_alone(page, browser):
    browser("click", at="#law-minus-two .turn")
    browser.find("window.known = document.querySelector('#law-minus-two'), 0")
    page.desk.change("data/card_game/laws.toml", "[[laws]]", '[[laws]]\nid = "minus_two"\ncopies = 2\n\n[[laws]]')
    browser.wait_for(f"!{NO_PROBLEM}")  # twice the same: refused
    page.desk.change("data/card_game/laws.toml", 'id = "minus_two"\ncopies = 2\n\n[[laws]]\n', "")
    browser.wait_for(NO_PROBLEM)
    assert browser.find("window.known === document.querySelector('#law-minus-two')")
    assert browser.find("document.querySelector('#law-minus-two .turn').getAttribute('aria-pressed')") == "true"


def test_pages_and_the_way_back(page, browser):
    browser("click", at="#views a[href^='/pages']")
    browser.wait_for(  # tablets and their backs, then stones
        f"document.body.dataset.view === 'pages' && document.images.length === 3 && {LOADED}")
    before = browser.find("document.images[2].src")
    page.dot()
    browser.wait_for(f"document.images[2].src !== {before!r} && {LOADED}")
    page.undot()
    browser.wait_for(f"document.images[2].src === {before!r} && {LOADED}")
    browser("click", at="#views a[href^='/faces']")
    browser.wait_for(f"document.body.dataset.view === 'faces' && {LOADED}")


def test_without_scripts_it_is_a_list_of_pictures(page, browser):
    browser("open", url=page.address, scripts=False)
    shown = browser.find("[...document.querySelectorAll('figure img')].map(i => i.getBoundingClientRect().width)")
    assert len(shown) == 13 and min(shown) > 50
    assert browser.find("getComputedStyle(document.querySelector('#tools')).display") == "none"
    browser("open", url=page.address)


@pytest.mark.parametrize("dark", [False, True])
@pytest.mark.parametrize("width", [360, 1600])
def test_it_fits_narrow_and_wide_windows_in_light_and_dark(page, browser, tmp_path, dark, width):
    browser("look", width=width, height=800, dark=dark)
    browser.wait_for(LOADED)
    assert browser.find("document.documentElement.scrollWidth") <= width
    browser("shoot", to=str(tmp_path / "page.png"))
    with Image.open(tmp_path / "page.png") as picture:
        light = sum(picture.convert("RGB").getpixel((2, 400))) / 3
    assert light < 60 if dark else light > 180


def test_it_says_when_the_preview_has_ended(going, browser):
    preview = going("--serve", "--port", "0", "--only", "tokens", "claim-stone-1")
    browser("open", url=preview.line("http://127.0.0.1:"))
    assert preview.interrupt() == 0, preview.lines
    browser.wait_for("document.querySelector('#said').textContent.includes('has ended')")
    assert not any("Traceback" in line for line in preview.lines)
