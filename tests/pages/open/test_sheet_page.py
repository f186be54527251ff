"""``ppgen open SHEETS``: a grid is laid over finished cards by hand, and ``ppgen new`` cuts by it."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from ppgen.making.finished_art import view_sheets
from ppgen.making.starters import SheetView
from ppgen.pages.open.live_page import SheetPage
from tests.conftest import Desk
from tests.games.own_deck.drawn_sheets import draw_sheets, paste_sheet

from .conftest import opened_at

GRID = "JSON.stringify(grid)"
COMMAND = "document.querySelector('#command').textContent"


@pytest.fixture(scope="module")
def sheet(tmp_path_factory) -> Path:
    """Cards of no known size, whose grid is not sure."""
    return draw_sheets(tmp_path_factory.mktemp("sheets") / "my sheets.pdf", 2, 3, size=(77, 58), gap=9, ground=False)


@pytest.fixture(scope="module")
def view(sheet) -> SheetView:
    return view_sheets(sheet)


@pytest.fixture
def page(sheet, view, monkeypatch) -> SheetPage:
    page = SheetPage(sheet, view, {})
    monkeypatch.setattr(page.jobs, "start", lambda *_: True)
    return page


def test_a_sheet_is_described_with_its_grid(page):
    found = json.loads(page.answer("/api/sheet").content)
    assert (found["name"], found["file"], found["is_sure"], found["has_scale"]) == ("my-sheets", "my sheets.pdf", False,
                                                                                   True)
    assert found["source"].endswith("my sheets.pdf'") and found["sides"] == pytest.approx([215.9, 279.4], abs=0.3)
    assert page.answer("/sheet.png").content.startswith(b"\x89PNG") and not page.answer("/nix")


@pytest.mark.slow
def test_a_picture_without_a_scale_has_none(tmp_path):
    view = view_sheets(paste_sheet(tmp_path / "s.png", 5, 4, 300, 420, count=18))
    assert (view.has_scale, view.is_sure, view.grid["columns"], view.grid["rows"]) == (False, True, 5, 4)


GOOD = {"name": "Käse 2", "grid": "3x3", "size": "63.5x88.9mm", "gap": "2mm", "margin": "0x12.25mm", "backs": "fold"}


def test_options_become_those_of_the_command(page, sheet):
    assert page.act("/api/new", GOOD).status == 200
    assert page._arguments(GOOD) == [
        "new", "Käse 2", f"--from={sheet}", "--json", "--grid=3x3", "--size=63.5x88.9mm", "--gap=2mm",
        "--margin=0x12.25mm", "--backs=fold"]


@pytest.mark.parametrize("wrong", [
    {"name": "../up"}, {"name": "/etc"}, {"name": "-x"}, {"name": ".."}, {"name": ""}, {"name": "a" * 99}, {"name": 3},
    {"name": "a\nb"}, {"grid": "0x3"}, {"grid": "3x999"}, {"grid": "3"}, {"grid": "-1x2"}, {"size": "nanxnanmm"},
    {"size": "1e9x1mm"}, {"size": "99999x1mm"}, {"size": "--limit"}, {"gap": "-1mm"}, {"gap": "infmm"}, {"gap": 2},
    {"gap": "1x2x3mm"}, {"margin": "1mm"}, {"backs": "all"}, {"backs": ["one"]}, {"limit": "100"},
    {"from": "/etc/passwd"}])
def test_nonsense_is_refused(page, wrong):
    assert page.act("/api/new", {**GOOD, **wrong}).status == 400
    assert page.act("/api/nix", GOOD) is None


def test_a_deck_needs_a_name(page):
    assert page.act("/api/new", {"grid": "3x3"}).status == 400


@pytest.mark.parametrize(("words", "said"), [
    (("nix.pdf",), "nix.pdf"), (("words.txt",), "is not a sheet of cards"), (("bad.pdf",), "bad.pdf"),
    (("bad.pdf", "--game", "card-game"), "--game: is for a set"), (("bad.pdf", "--read-only"), "--read-only: is for")])
def test_a_file_without_sheets_is_refused(desk: Desk, words, said):
    for name in ("words.txt", "bad.pdf"):
        (desk.folder / name).write_text("%PDF-1.7 nothing\n", encoding="utf-8")
    done = desk.ppgen("open", "--serve", "--port", "0", *words)
    assert done.exit_code in (1, 2) and said in done.output
    assert "Traceback" not in done.output


@pytest.mark.slow
def test_a_dragged_grid_makes_what_the_command_makes(browser, sheet, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    with opened_at(tmp_path, str(sheet)) as address:
        browser("look", width=1200, height=900)
        browser("open", url=address)
        browser.wait_for(f"document.querySelector('#sheet img').complete && {COMMAND}")
        before = json.loads(browser.find(GRID))
        assert browser.violations() == []
        x, y, *_ = middle = browser.find(
            "(() => { const box = document.querySelector('#over .grab').getBoundingClientRect();"
            " return [box.x + box.width / 2, box.y + box.height / 2]; })()")
        browser("drag", **{"from": middle, "to": [x + 30, y + 20]})
        moved = json.loads(browser.find(GRID))
        assert moved["left"] > before["left"] + 5 and moved["top"] > before["top"] + 3
        assert (moved["width"], moved["height"]) == (before["width"], before["height"])
        corner = browser.find("(() => { const box = document.querySelectorAll('#over .corner')[3]"
                              ".getBoundingClientRect(); return [box.x + box.width / 2, box.y + box.height / 2]; })()")
        browser("drag", **{"from": corner, "to": [corner[0] - 40, corner[1] - 30]})
        smaller = json.loads(browser.find(GRID))
        assert smaller["width"] < moved["width"] - 3 and smaller["height"] < moved["height"] - 2
        assert smaller["left"] == moved["left"]
        for name, value in (("columns", 2), ("rows", 3), ("width", 77), ("height", 58), ("gap", 9), ("gap_down", 6),
                            ("left", before["left"]), ("top", before["top"])):
            browser.find(f"(() => {{ const field = form.elements.{name}; field.value = {value};"
                         " field.dispatchEvent(new Event('input', { bubbles: true })); })()")
        command = browser.find(COMMAND)
        assert command.startswith("ppgen new my-sheets --from ") and " --grid 2x3 --size 77x58mm --gap 9x6mm" in command
        browser("click", at="#go")
        browser.wait_for("document.querySelectorAll('.piece img').length >= 6 && !document.querySelector('#over')")
        assert not browser.find("document.querySelector('#go').disabled")  # the token goes on
        assert not [each for each in browser("heard")["errors"] if "404" not in each]  # waiting for another page
    desk = Desk(tmp_path)
    margin = f"{before['left']:g}x{before['top']:g}mm"
    assert desk.ppgen("new", "other", "--from", str(sheet), "--grid", "2x3", "--size", "77x58mm", "--gap", "9x6mm",
                      "--margin", margin).exit_code == 0
    made, typed = ({path.relative_to(tmp_path / name): path.read_bytes().replace(b"Other", b"My sheets")
                    for path in (tmp_path / name).rglob("*") if path.is_file()} for name in ("my-sheets", "other"))
    assert made == typed
