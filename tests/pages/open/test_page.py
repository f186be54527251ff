"""The page in Chromium: it shows everything, follows each save by itself, and asks nobody else for anything."""

from __future__ import annotations

import io
from dataclasses import dataclass

import pytest
from PIL import Image

from tests.conftest import Desk

CARD, END = "card.svg.j2", "{{ text('half'"
DOT = f'<circle cx="31.75" cy="44.45" r="11" fill="#FF0000"/>{END}'
ORC = "document.querySelector('#p-orc img')"
LOADED = ("document.querySelectorAll('.piece').length === 3 && "
          "[...document.images].every(image => image.complete && image.naturalWidth > 0)")
NO_PROBLEM = "document.querySelector('#problems').hidden"


@dataclass(frozen=True)
class Shown:
    """A deck that may be changed, on a page."""

    desk: Desk
    address: str

    def dot(self) -> None:
        """Put a dot on the cards."""
        self.desk.change(CARD, END, DOT)


@pytest.fixture
def page(opened_deck, browser):
    """The page, freshly opened; at the end nothing went wrong on it and nobody else was asked for anything."""
    address, folder = opened_deck
    browser("open", url=address)
    browser.wait_for(LOADED)
    yield Shown(Desk(folder), address)
    heard = browser("heard")
    assert not heard["errors"]
    home = address.partition("#")[0]
    assert {address.startswith((home, "about:")) for address in heard["asked"]} == {True}


def reddest(browser, selector: str, tmp_path) -> bool:
    """Whether the middle of an element is red on the screen."""
    box = browser.find(f"""(() => {{ const element = document.querySelector({selector!r});
                            element.scrollIntoView({{ block: 'center' }});
                            const box = element.getBoundingClientRect();
                            return [box.x + box.width / 2, box.y + box.height / 2]; }})()""")
    browser("shoot", to=str(tmp_path / "seen.png"))
    with Image.open(io.BytesIO((tmp_path / "seen.png").read_bytes())) as picture:
        red, green, blue = picture.convert("RGB").getpixel(tuple(map(int, box)))
    return red > 240 and green < 15 and blue < 15


def test_it_follows_each_save_and_tells_what_is_wrong(page, browser, tmp_path):
    assert not reddest(browser, "#p-orc .face", tmp_path)
    before = browser.find(f"{ORC}.src")
    page.dot()
    browser.wait_for(f"{ORC}.src !== {before!r} && {LOADED}")
    assert reddest(browser, "#p-orc .face", tmp_path)
    assert "card.svg.j2: pictures changed: 2" in browser.find("document.querySelector('#said').textContent")
    line = page.desk.change(CARD, DOT, "{{ nix }}" + END)
    browser.wait_for(f"!{NO_PROBLEM}")
    words = browser.find("document.querySelector('#problems').innerText")
    assert f"{CARD}:{line}" in words and "'nix' is undefined" in words
    assert reddest(browser, "#p-orc .face", tmp_path)  # the last good picture
    page.desk.change(CARD, "{{ nix }}" + END, END)
    browser.wait_for(f"{NO_PROBLEM} && {ORC}.src === {before!r} && {LOADED}")


EVIL = ("<svg xmlns='http://www.w3.org/2000/svg' fill='url(http://evil.example/)'><script>document.title=1</script>"
        "<foreignObject><b/></foreignObject><g class='x' transform='scale(2)'><use href='http://evil.example/#a'/>"
        "<use href='#a'/><image src='x' href='data:x'/></g><a href='javascript:x'><text>w</text></a></svg>")


def test_of_a_drawing_only_geometry_is_taken_and_without_the_token_the_page_only_looks(page, browser):
    assert browser.find("location.hash") == ""  # the token is out of sight
    copy = browser.find("(() => { const svg = copyShapes(new DOMParser().parseFromString("
                        f"{EVIL!r}, 'image/svg+xml').documentElement); return svg.outerHTML; }})()")
    assert copy == ('<svg><g transform="scale(2)"><use></use><use href="#a"></use><image></image></g></svg>')
    browser.find("sessionStorage.clear(), 0")
    browser("open", url=page.address.partition("#")[0])
    browser.wait_for(LOADED)
    browser("press", key="4")
    browser.wait_for("document.querySelector('#go').disabled && !document.querySelector('#only-look').hidden")
    assert "by the address that ppgen prints" in browser.find("document.querySelector('#only-look').textContent")


def test_it_fits_every_window_in_light_and_dark_and_for_everybody(page, browser):
    for width, dark in ((390, True), (1400, False)):
        browser("look", width=width, height=800, dark=dark)
        for tab in ("sheets", "table", "print", "faces"):
            browser.find(f"show({tab!r})")
            assert browser.find("document.documentElement.scrollWidth") <= width, tab
        browser.find("open('orc')")
        assert browser.find("document.documentElement.scrollWidth") <= width
        browser.find("document.querySelectorAll('[role=tabpanel]').forEach(each => { each.hidden = false; })")
        assert browser.violations() == []
