"""Layout by hand: what is dragged on the page changes the literals of one call in a template, and nothing else."""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest
from jinja2 import Environment

from ppgen.assets import Assets
from ppgen.engine.drawing.template_calls import find_calls, template_digest
from ppgen.engine.geometry import Format, Size
from ppgen.preview.album import PreviewRequest, Redrawer
from ppgen.preview.page_layout import Layouts
from ppgen.preview.page_looks import Looks, PageView, Workbench
from ppgen.preview.picture_renderer import PictureRenderer
from ppgen.production.request import BuildRequest
from ppgen.production.workshop import Workshop
from ppgen.reading.file_edit import EditConflict, EditError, FileHistory

from .conftest import Browser, gone_on, started_browser
from .test_makers import AXE, RULES

A4 = Format("a4", Size(210, 297))
FILES = {
    "deck.toml": '[colours]\nnight = "#223355"\n\n[cards]\ntable = "cards.csv"\nsize = "poker"\nfront = "card.svg.j2"\n'
                 'back = "back.svg.j2"\n',
    "cards.csv": "Name,Text,Cost\nOrc,Bites,1\nElf of the long river,Sings,2\n",
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
SEED, CHANGES = 11, 25


@pytest.fixture
def folder(tmp_path) -> Path:
    for name, text in FILES.items():
        (tmp_path / name).write_text(text, encoding="utf-8")
    return tmp_path


@dataclass
class Desk:
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

    def calls(self, **which: str) -> list[tuple[str, dict]]:
        """The function and the record of each call."""
        found = self.describe(**which)
        return [(found["sources"][template]["calls"][int(number)]["fn"], call) for call in found["calls"]
                for template, number in [call["call"].split("#")]]

    def change(self, template: str, number: int, do: str = "set", **values: object) -> None:
        digest = template_digest((self.folder / template).read_text(encoding="utf-8"))
        self.layouts.change({"template": template, "digest": digest, "call": number, "do": do, "values": values})


@pytest.fixture
def desk(folder) -> Desk:
    request = PreviewRequest(build=BuildRequest(langs=("en",), papers=(A4,)))
    looks = Looks(Workbench(folder=folder, choices=lambda: {"lang": ("en",)}), PictureRenderer())
    history = FileHistory(folder)
    made = Desk(folder, looks, Redrawer(lambda: (Workshop.open(Assets.at(folder, None)), request)), history,
                Layouts(looks, history))
    made.redraw()
    return made


def test_each_function_reports_where_it_draws(desk):
    boxes = [(function, call["box"]) for function, call in desk.calls() if call["box"]]
    assert boxes == [
        ("panel", [3, 3, 57.5, 82.9]), ("text", pytest.approx([11.75, 9.2, 40, 6])), ("rich", [8, 40, 47.5, 20]),
        ("badge", [5, 5, 10, 10]), ("badge", [48, 74, 8, 8]), ("text", pytest.approx([5, 5.6, 30, 3])),
        ("rows", [40, 62, 18, 9]),
        *[("panel", pytest.approx([40, y, 18, 7 / 3])) for y in (62, 62 + 10 / 3, 62 + 20 / 3)],
        ("panel", [8, 70, 20, 7]), ("text", pytest.approx([9, 72.6, 18, 3])),
        ("text", pytest.approx([31.75, 79.6, 20, 3]))]


def test_calls_know_their_macro_and_what_made_their_box(desk):
    calls = desk.calls()
    macro = next(n for n, (function, _) in enumerate(calls) if function == "tag")
    assert [function for function, call in calls if macro in call["within"]] == ["panel", "text"]
    assert {call["boxesBy"] for function, call in calls if function == "panel"} == {"", "card.svg.j2#6"}
    assert calls[macro][1]["given"]["x"] == 8


def test_faces_with_numbers_are_not_those_that_are_printed(desk):
    plain = desk.looks.marks(PageView(lang="en"), {"id": "orc"})["svg"]
    assert 'data-src="0|' in desk.describe()["svg"] and "|" not in plain
    faces = dict(desk.looks.state.albums[0].renderer.faces)
    desk.describe()
    assert desk.looks.state.albums[0].renderer.faces == faces and not any("|" in face.svg for face in faces.values())


@pytest.mark.parametrize(("values", "fits", "lacks"), [
    ({}, 2, None), ({"width": 12.0}, 1, "elf-of-the-long-river"), ({"width": 1.0}, 0, "elf-of-the-long-river")])
def test_the_page_knows_in_how_many_rows_a_text_fits(desk, values, fits, lacks):
    found = desk.layouts.fits(PageView(lang="en"), {
        "id": "orc", "side": "front", "call": "card.svg.j2#1", "fn": "text", "values": str(values).replace("'", '"')})
    assert (found["all"], found["fits"]) == (2, fits)
    assert (found["worst"] and found["worst"]["id"]) == lacks
    if lacks:
        desk.change("card.svg.j2", 1, **values)
        desk.redraw()  # and it is right
        assert desk.looks.state.problems


@pytest.mark.parametrize("values", [
    "[", "[1]", '{"x": "1"}', '{"width": 1e9}', '{"evil": 1}', "{" * 9_000, '{"x": NaN}'])
def test_values_that_are_no_measures_are_not_tried(desk, values):
    assert desk.layouts.fits(PageView(lang="en"), {
        "id": "orc", "side": "front", "call": "card.svg.j2#1", "fn": "text", "values": values}) is None


@pytest.mark.parametrize("template", [
    "../card.svg.j2", "deck.toml", "cards.csv", "/etc/passwd", "shared/edge.svg.j2", "nix.svg.j2", "link.svg.j2", "",
    ".j2"])
def test_only_templates_in_the_folder_are_changed(desk, template, tmp_path_factory):
    other = tmp_path_factory.mktemp("other") / "link.svg.j2"
    other.write_text(FILES["back.svg.j2"])
    (desk.folder / "link.svg.j2").symlink_to(other)
    with pytest.raises(EditError):
        desk.layouts.change({"template": template, "digest": template_digest(FILES["back.svg.j2"]), "call": 1,
                             "do": "set", "values": {"x": 1}})
    assert other.read_text() == FILES["back.svg.j2"]
    assert {name: (desk.folder / name).read_text() for name in FILES} == FILES


@pytest.mark.parametrize("wish", [
    {"do": "eval"}, {"do": "add"}, {"do": "add", "values": {"fn": "text", "column": "name", "x": "1", "y": 1}},
    {"call": "1"}, {"call": True}, {"digest": None}, {"values": None}, {"values": {str(n): n for n in range(40)}}])
def test_other_wishes_are_refused(desk, wish):
    with pytest.raises(EditError):
        desk.layouts.change({"template": "back.svg.j2", "digest": template_digest(FILES["back.svg.j2"]), "call": 1,
                             "do": "set", "values": {"x": 1}, **wish})
    assert (desk.folder / "back.svg.j2").read_text() == FILES["back.svg.j2"]


def test_a_template_that_has_been_changed_meanwhile_is_not_overwritten(desk):
    old = template_digest(FILES["back.svg.j2"])
    (desk.folder / "back.svg.j2").write_text("{{ fill('red') }}")
    with pytest.raises(EditConflict, match="nothing was written"):
        desk.layouts.change({"template": "back.svg.j2", "digest": old, "call": 1, "do": "set", "values": {"x": 1}})


def test_cells_and_layouts_are_taken_back_in_order(desk):
    desk.change("back.svg.j2", 1, x=12, width=36)
    desk.change("macros.svg.j2", 1, do="delete")
    assert [desk.history.undo().name, desk.history.undo().name] == ["macros.svg.j2", "back.svg.j2"]
    assert {name: (desk.folder / name).read_text() for name in FILES} == FILES
    assert desk.history.redo().name == "back.svg.j2"
    assert "x=12, y=10, width=36" in (desk.folder / "back.svg.j2").read_text()


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
        return self.browser.find(
            f"(() => {{ const box = document.querySelector('.layer {selector or '.pick'}').getBoundingClientRect();"
            " return [box.x + box.width / 2, box.y + box.height / 2]; })()")

    def drag(self, start: list[float], dx: float, dy: float) -> None:
        number = self.browser.find("state.look.number")
        self.browser("drag", **{"from": start, "to": [start[0] + dx, start[1] + dy]})
        self.settle(number)

    def settle(self, number: int) -> None:
        self.browser.wait_for(f"document.querySelector('#layout-error')?.textContent || state.look.number > {number} "
                              "&& layout.view.layer.isConnected && !document.body.classList.contains('busy')")

    def texts(self) -> dict[str, str]:
        return {name: (self.folder / name).read_text(encoding="utf-8") for name in FILES}

    def undo(self) -> None:
        number = self.browser.find("state.look.number")
        self.browser.find("takeBack()")
        self.settle(number)


@pytest.fixture
def laid(folder, monkeypatch) -> Iterator[tuple[str, Path]]:
    monkeypatch.setenv("XDG_CONFIG_HOME", str(folder / "config"))
    with gone_on(folder, ()) as start:
        yield start("--serve", "--port", "0").line("http://127.0.0.1:"), folder


def open_page(browser: Browser, laid: tuple[str, Path]) -> Page:
    browser("look", width=1400, height=1000)
    browser("open", url=laid[0])
    browser.wait_for("!!document.querySelector('#p-orc img')")
    return Page(browser, laid[1])


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


def test_random_drags_change_the_literals_of_one_call_only(browser, laid):
    page, rng = open_page(browser, laid), random.Random(SEED)
    changed = 0
    for n in range(CHANGES):
        if n % 8 == 0:
            page.lay_out(rng.choice(["orc", "elf-of-the-long-river"]), rng.choice(["front", "front", "back"]))
        thing = rng.choice([each for each in page.things() if each["fn"] != "fill"])
        page.choose(thing["n"])
        handles = browser.find("[...document.querySelectorAll('.layer .grab')].map(each => each.dataset.handle)")
        handle = rng.choice([*handles, "", ""])
        before, dx, dy = page.texts(), rng.randint(-30, 30), rng.randint(-30, 30)
        start = page.spot(f'.grab[data-handle="{handle}"]' if handle else "")
        if not handle and not thing["isShown"]:
            continue
        number = browser.find("state.look.number")
        browser("drag", **{"from": start, "to": [start[0] + dx, start[1] + dy]})
        shown = browser.find("layout.pick && [chosen().call.fn, chosen().number, chosen().template]")
        browser.find("new Promise(done => setTimeout(done, 150))")
        after = page.texts()
        if after == before:
            continue
        thing = {"template": shown[2], "call": shown[1]}
        assert_same_but_for_a_call(before, after, thing)
        changed += 1
        page.settle(number)
        if browser.find("state.look.failed"):  # a text has no room any more
            page.undo()
            assert page.texts() == before
    assert changed > CHANGES // 3
    assert browser("heard")["errors"] == []


@pytest.mark.usefixtures("real_browser")
@pytest.mark.parametrize("kind", ["chromium", "firefox", "webkit"])
def test_drag_nudge_field_undo_and_redo(kind, laid):
    with started_browser(kind) as browser:
        page = open_page(browser, laid)
        browser.find(f"(() => {{ {AXE.read_text(encoding='utf-8')} }})()")
        page.lay_out("orc")
        rich = next(each for each in page.things() if each["fn"] == "rich")
        page.choose(rich["n"])
        browser.wait_for("document.querySelector('#layout-fits').textContent === 'Fits all 2.'")
        before, unit = page.texts(), browser.find("layout.view.unit")
        page.drag(page.spot(), 0, 10 * unit)
        (box,) = [each["box"] for each in page.things() if each["fn"] == "rich"]
        assert_same_but_for_a_call(before, page.texts(), rich)
        assert box[1] == pytest.approx(50, abs=1.2) and f"y={box[1]:g}" in page.texts()["card.svg.j2"]
        number = browser.find("state.look.number")
        browser.find("layout.view.layer.focus()")
        browser("press", key="ArrowRight")
        page.settle(number)
        assert "rich(card.text, x=8.5," in page.texts()["card.svg.j2"] or "x=9" in page.texts()["card.svg.j2"]
        assert browser.find("document.activeElement === layout.view.layer")  # one may go on
        number = browser.find("state.look.number")
        browser.find("(() => { const field = document.querySelector('#layout [name=width]'); field.value = '33'; "
                     "field.dispatchEvent(new Event('change')); })()")
        page.settle(number)
        assert "width=33," in page.texts()["card.svg.j2"] and browser.find(RULES) == []
        for _ in range(3):
            page.undo()
        assert page.texts() == before
        number = browser.find("state.look.number")
        browser.find("makeAgain()")
        page.settle(number)
        assert_same_but_for_a_call(before, page.texts(), rich)
        assert page.texts() != before and browser("heard")["errors"] == []
