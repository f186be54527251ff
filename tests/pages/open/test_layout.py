"""Layout by hand: what is dragged on the page changes the literals of one call in a template, and nothing else."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from itertools import zip_longest
from pathlib import Path

import pytest
from jinja2 import Environment
from PIL import Image

from ppgen.engine.drawing.template_calls import find_calls, template_digest
from ppgen.making.new_deck import deck_from_sheet
from ppgen.making.starters import SheetRequest, deck_files
from ppgen.pages.open import page_parts
from ppgen.pages.open.page_looks import PageView
from ppgen.reading.editing import EditConflict, EditError

from ..test_script_laws import held
from .conftest import FILES, Browser, opened_at

pytestmark = pytest.mark.usefixtures("kept")


@pytest.mark.parametrize(("values", "fits", "lacks"), [
    ({}, 2, None), ({"width": 12.0}, 1, "elf-of-the-long-river"), ({"width": 1.0}, 0, "elf-of-the-long-river")])
def test_the_page_knows_in_how_many_rows_a_text_fits(deck_desk, values, fits, lacks):
    found = deck_desk.layouts.fits(PageView(lang="en"), {
        "id": "orc", "side": "front", "call": "card.svg.j2#1", "fn": "text", "values": str(values).replace("'", '"')})
    assert (found["all"], found["fits"]) == (2, fits)
    assert (found["worst"] and found["worst"]["id"]) == lacks
    if lacks:
        deck_desk.change("card.svg.j2", 1, **values)
        deck_desk.redraw()  # and it is right
        assert deck_desk.looks.state.problems


def test_only_templates_in_the_folder_are_changed(deck_desk, tmp_path_factory):
    other = tmp_path_factory.mktemp("other") / "link.svg.j2"
    other.write_text(FILES["back.svg.j2"])
    (deck_desk.folder / "link.svg.j2").symlink_to(other)
    for template in ("../card.svg.j2", "deck.toml", "cards.csv", "/etc/passwd", "shared/edge.svg.j2", "nix.svg.j2",
                     "link.svg.j2", "", ".j2"):
        with pytest.raises(EditError):
            deck_desk.layouts.change({"template": template, "digest": template_digest(FILES["back.svg.j2"]), "call": 1,
                                      "do": "set", "values": {"x": 1}})
    assert other.read_text() == FILES["back.svg.j2"]
    assert {name: (deck_desk.folder / name).read_text() for name in FILES} == FILES


def test_other_wishes_are_refused(deck_desk):
    for wish in ({"do": "eval"}, {"do": "add"}, {"call": "1"}, {"call": True}, {"digest": None}, {"values": None},
                 {"do": "add", "values": {"fn": "text", "column": "name", "x": "1", "y": 1}},
                 {"values": {str(n): n for n in range(40)}}):
        with pytest.raises(EditError):
            deck_desk.layouts.change({"template": "back.svg.j2", "digest": template_digest(FILES["back.svg.j2"]),
                                      "call": 1, "do": "set", "values": {"x": 1}, **wish})
    assert (deck_desk.folder / "back.svg.j2").read_text() == FILES["back.svg.j2"]


def test_a_template_that_has_been_changed_meanwhile_is_not_overwritten(deck_desk):
    old = template_digest(FILES["back.svg.j2"])
    (deck_desk.folder / "back.svg.j2").write_text("{{ fill('red') }}")
    with pytest.raises(EditConflict, match="nothing was written"):
        deck_desk.layouts.change({"template": "back.svg.j2", "digest": old, "call": 1, "do": "set", "values": {"x": 1}})


def test_cells_and_layouts_are_taken_back_in_order(deck_desk):
    deck_desk.change("back.svg.j2", 1, x=12, width=36)
    deck_desk.change("macros.svg.j2", 1, do="delete")
    assert [deck_desk.history.undo().name, deck_desk.history.undo().name] == ["macros.svg.j2", "back.svg.j2"]
    assert {name: (deck_desk.folder / name).read_text() for name in FILES} == FILES
    assert deck_desk.history.redo().name == "back.svg.j2"
    assert "x=12, y=10, width=36" in (deck_desk.folder / "back.svg.j2").read_text()


EVERY_FUNCTION = (Path(__file__).parent / "every-function.svg.j2").read_text("utf-8")


def deck_texts(folder: Path) -> dict[str, str]:
    return {name: (folder / name).read_text(encoding="utf-8") for name in FILES}


@pytest.mark.slow
def test_what_is_dragged_stays_below_the_pointer_and_python_draws_it_there(deck_desk):
    card = deck_desk.folder / "card.svg.j2"
    card.write_text('{% from "macros.svg.j2" import tag %}' + EVERY_FUNCTION, encoding="utf-8")
    deck_desk.redraw()
    assert not deck_desk.looks.state.problems
    page = Path(page_parts.__file__)
    changes = held("layout", page.with_name("layout.js"), drawn=deck_desk.describe())["changes"]
    before, by_call = deck_texts(deck_desk.folder), defaultdict(list)
    for template, number, index, values, box in changes:
        if template == card.name and values:
            deck_desk.change(template, number, **values)
            assert_same_but_for_a_call(before, deck_texts(deck_desk.folder), {"template": template, "call": number})
            card.write_text(before[template], encoding="utf-8")
            by_call[number].append((index, values, box))
    for together in zip_longest(*by_call.values()):  # one change of each call
        for number, change in zip(by_call, together, strict=True):
            if change:
                deck_desk.change(card.name, number, **change[1])
        deck_desk.redraw()
        calls = deck_desk.describe()["calls"]
        for index, values, box in filter(None, together):
            assert calls[index]["box"] == pytest.approx(box, abs=0.02), values
        card.write_text(before[card.name], encoding="utf-8")


# In browsers

@dataclass
class Page:
    """The page of the deck, with a piece laid out."""

    browser: Browser
    folder: Path

    def lay_out(self, id: str, side: str = "front") -> None:
        self.browser.find(f"open({id!r})")
        self.browser.wait_for("!!document.querySelector('#side .head button')")
        self.browser.find(f"layOut({side!r})")
        self.browser.wait_for("typeof layout === 'object' && layout.view && layout.view.layer.isConnected "
                              f"&& layout.view.piece.id === {id!r} && layout.view.side === {side!r}")

    def things(self) -> list[dict]:
        return self.browser.find("layout.view.things.map((each, n) => ({ n, fn: each.call.fn, template: each.template, "
                                 "call: each.number, isShown: each.isShown, box: each.box }))")

    def choose(self, n: int) -> None:
        self.browser.find(f"choose(layout.view.things[{n}])")

    def spot(self, selector: str = "") -> list[float]:
        """The middle of what is chosen, or of an element, on the screen."""
        return self.browser.wait_for(  # it is missing while the face is drawn again
            f"(() => {{ const box = document.querySelector('.layer {selector or '.pick'}')?.getBoundingClientRect();"
            " return box && [box.x + box.width / 2, box.y + box.height / 2]; })()")

    def drag(self, start: list[float], dx: float, dy: float) -> None:
        undo = self.browser.find("state.look.undo")
        self.browser("drag", **{"from": start, "to": [start[0] + dx, start[1] + dy]})
        self.settle(undo)

    def settle(self, undo: int) -> None:
        """Wait until a change is on the page: there is one more to take back than before, or one less."""
        self.browser.wait_for(f"state.look.undo !== {undo} && layout.view.layer "
                              "&& layout.view.layer.isConnected && !document.body.classList.contains('busy')")

    def undo(self) -> None:
        undo = self.browser.find("state.look.undo")
        self.browser.find("takeBack()")
        self.settle(undo)


def open_page(browser: Browser, opened_deck: tuple[str, Path]) -> Page:
    browser("look", width=1400, height=1000)
    browser("open", url=opened_deck[0])
    browser.wait_for("!!document.querySelector('#p-orc img') && !document.body.classList.contains('busy')")
    return Page(browser, opened_deck[1])


def assert_same_but_for_a_call(before: dict[str, str], after: dict[str, str], thing: dict) -> None:
    """Every file is the same, but for the literals of the call of a thing."""
    name = thing["template"]
    assert {each: text for each, text in after.items() if each != name} == {
        each: text for each, text in before.items() if each != name}
    old, new = find_calls(before[name]), find_calls(after[name])
    Environment().parse(after[name])
    call = old[thing["call"]]
    assert after[name].startswith(before[name][:call.start]) and after[name].endswith(before[name][call.end:])
    free = {each.name for each in call.arguments if each.kind == "number"}
    for each in call.arguments:
        if each.name not in free:
            again = new[thing["call"]].argument(each.name)
            assert after[name][again.start:again.end] == before[name][each.start:each.end]


def test_drag_nudge_field_undo_and_redo(browser, opened_deck):
    page = open_page(browser, opened_deck)
    page.lay_out("orc")
    rich = next(each for each in page.things() if each["fn"] == "rich")
    page.choose(rich["n"])
    browser.wait_for("document.querySelector('#layout-fits')?.textContent === 'Fits all 2.'")
    before, unit = deck_texts(page.folder), browser.find("layout.view.unit")
    page.drag(page.spot(), 0, 10 * unit)
    browser.wait_for(  # the face is described after the look
        f"layout.view.things.some(each => each.call.fn === 'rich' && each.box[1] !== {rich['box'][1]})")
    (box,) = [each["box"] for each in page.things() if each["fn"] == "rich"]
    assert_same_but_for_a_call(before, deck_texts(page.folder), rich)
    assert box[1] == pytest.approx(50, abs=1.2) and f"y={box[1]:g}" in deck_texts(page.folder)["card.svg.j2"]
    undo = browser.find("state.look.undo")
    browser.find("layout.view.layer.focus()")
    browser("press", key="ArrowRight")
    page.settle(undo)
    card = deck_texts(page.folder)["card.svg.j2"]
    assert "rich(card.text, x=8.5," in card or "x=9" in card
    assert browser.find("document.activeElement === layout.view.layer")  # one may go on
    undo = browser.find("state.look.undo")
    browser.find("(() => { const field = document.querySelector('#layout [name=width]'); field.value = '33'; "
                 "field.dispatchEvent(new Event('change')); })()")
    page.settle(undo)
    assert "width=33," in deck_texts(page.folder)["card.svg.j2"] and browser.violations() == []
    for _ in range(3):
        page.undo()
    assert deck_texts(page.folder) == before
    page.choose(next(each["n"] for each in page.things() if each["fn"] == "panel" and each["box"][0] == 40))
    x, y = page.spot()
    browser("drag", **{"from": [x, y], "to": [x + 30, y]})
    assert "It stands in a box." in browser.find("document.querySelector('#said').textContent")
    page.choose(rich["n"])
    undo = browser.find("state.look.undo")
    browser.find("makeAgain()")
    page.settle(undo)
    assert_same_but_for_a_call(before, deck_texts(page.folder), rich)
    assert deck_texts(page.folder) != before and browser("heard")["errors"] == []


def write_look(folder: Path, look: str) -> Path:
    """Make a deck with pictures, and with all that a look draws."""
    pictures = folder / "pictures"
    pictures.mkdir()
    for name, colour in (("orc", "navy"), ("elf", "olive")):
        Image.new("RGB", (90, 60), colour).save(pictures / f"{name}.png")
    sheet = folder / "sheet.csv"
    sheet.write_text("Name,Kind,Rarity,Cost,Text,Flavour,Attack,Defence,Art\n"
                     "Orc,Beast,Common,1,Bites.,It is hungry.,2,3,orc.png\nElf,Folk,Rare,2,Sings.,La la.,1,4,elf.png\n"
                     "Troll,Beast,Rare,3,Sleeps.,Zzz.,5,6,\n")
    request = SheetRequest(sheet=sheet, title="War", look=look, art=pictures)
    for file in deck_files(deck_from_sheet(request)):
        path = folder / "deck" / file.path
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(file.content)
    return folder / "deck"


@pytest.mark.slow
@pytest.mark.parametrize("look", ["modern", "parchment"])
def test_each_thing_that_a_look_draws_moves_or_says_why_not(browser, tmp_path, look):
    folder = write_look(tmp_path, look)
    with opened_at(folder) as address:
        browser("look", width=1400, height=1000)
        browser("open", url=address)
        browser.wait_for("!!document.querySelector('#p-orc img') && !document.body.classList.contains('busy')")
        page = Page(browser, folder)
        page.lay_out("orc")
        card, unit = folder / "card.svg.j2", browser.find("layout.view.unit")
        drawn = [(n, each) for n, each in enumerate(page.things()) if each["fn"].startswith("look.")]
        assert {"look.card", "look.name", "look.cost", "look.number"} <= {each["fn"] for _, each in drawn}
        assert all(each["template"] == "card.svg.j2" for each in page.things())  # the number inside is everybody's
        for n, thing in drawn:
            page.choose(n)
            before, undo = card.read_text(encoding="utf-8"), browser.find("state.look.undo")
            x, y = page.spot()
            browser("drag", **{"from": [x, y], "to": [x + 2 * unit, y + 3 * unit]})
            if thing["fn"] == "look.card":
                assert "no place of its own" in browser.find("document.querySelector('#said').textContent")
                continue
            page.settle(undo)
            after = card.read_text(encoding="utf-8")
            old, new = find_calls(before), find_calls(after)
            moved = [call.function for call, now in zip(old, new, strict=True)
                     if before[call.start:call.end] != after[now.start:now.end]]
            assert thing["fn"] in moved and ("image" in moved) == ("look.ornament" in moved), (thing, moved)
        assert browser("heard")["errors"] == []
