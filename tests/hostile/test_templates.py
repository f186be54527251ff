"""Templates of strangers: whatever they ask for, they get it in bounds, or a refusal with its line, and soon."""

import inspect
import os
import re
import shutil
import signal
import time
from contextlib import suppress
from dataclasses import replace
from typing import NamedTuple

import pytest

from ppgen.assets import Assets
from ppgen.engine.component import Pad
from ppgen.engine.drawing import rendering
from ppgen.engine.drawing.face import Face, FaceRequest, FrameOfFace
from ppgen.engine.drawing.face_tools import FaceTools
from ppgen.engine.drawing.lettering import Lettering
from ppgen.engine.drawing.rendering import MAX_OVERRUNS, FaceRenderer
from ppgen.engine.drawing.sandbox import MAX_LETTERING, RefusedError, Sandbox
from ppgen.engine.drawing.templates import TemplateSet
from ppgen.engine.geometry import Size, read_formats
from ppgen.engine.pictures.picture_files import PictureFolder
from ppgen.engine.shapes import standee
from ppgen.errors import InputError, Problem
from ppgen.process import supervision
from ppgen.process.supervision import run_supervised
from tools.functions_page import template_functions

SOON_S = 5.0
"""About one second on a machine of today; tests run on slow and busy ones too."""
SLOW = "takes more than 0.1 s for a face"
LARGE = "takes more than 0.2 GB of memory for a face"
EMPTY = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="{{ face.view_box }}"></svg>'
BAR = '<rect width="1" height="{{ number + 1 }}"/>'
DEEP = "is nested too deep, or calls itself without end"


@pytest.fixture(scope="module")
def texts(workshop):
    return workshop.texts("de")


@pytest.fixture
def templates(tmp_path, fonts):
    """Write templates, of which the first is called ``card``."""

    def written(template, **others):
        for name, text in {"card": template, "empty": "", **others}.items():
            (tmp_path / f"{name}.svg.j2").write_text(text, encoding="utf-8")
        return TemplateSet((tmp_path,))

    return written


@pytest.fixture
def draw(templates, fonts, texts):
    """Draw a card of a deck."""

    def drawn(template):
        renderer = FaceRenderer(templates=templates(template), fonts=fonts, ink="full", common={"t": texts})
        return renderer.draw(FaceRequest(template="card.svg.j2", size=Size(44, 68), values={}), 2.0, "[card front de]")

    return drawn


@pytest.fixture
def tight_bounds(monkeypatch):
    """A child with a fraction of the time and memory of a unit: what counts is that each ends a face."""
    monkeypatch.setattr(supervision, "MAX_CPU_S", 0.2)
    monkeypatch.setattr(supervision, "MAX_MEMORY_BYTES", 200_000_000)
    supervision._forget_child()
    supervision._failures.clear()
    yield
    supervision._forget_child()
    supervision._failures.clear()


@pytest.fixture
def render(templates, texts, fonts):
    """Fill in a template as a card of the shipped set is."""

    def rendered(template, **others):
        values = {"t": texts, "face": FrameOfFace(width=44, height=68, bleed=2), "ink": "full",
                  "card": {"symbols": ("fan", "cross"), "name": "Dänemark"}}
        functions = FaceTools(frame=values["face"], ink="full", lettering=Lettering(fonts=fonts)).functions
        return templates(template, **others).render("card.svg.j2", values, "[card front de]", functions=functions)

    return rendered


def refusal(render, template, **others):
    """The problem that a template is refused with; it must come soon."""
    start = time.process_time()
    with pytest.raises(InputError) as caught:
        render(template, **others)
    assert time.process_time() - start < SOON_S
    [found] = caught.value.problems
    return found


def loop(body):
    return "{% for a in range(99999) %}" + body + "{% endfor %}"


TWINS = ("{% set n = namespace(x=[], y=[]) %}{% for a in range(60) %}"
         "{% set n.x = [n.x, n.x] %}{% set n.y = [n.y, n.y] %}{% endfor %}")
"""Two lists of 60 lists that Python takes 2 to the 60 steps to compare."""

WOODCUT = "{%% set x = woodcut(drawing=%s, black='#111111', red='#B22222', paper='#FFFFFF') %%}"

WORK_WITHOUT_END = {
    "loops in loops": (loop(loop("")), SLOW),
    "a macro that calls itself twice": ("{% macro m(n) %}{% if n %}{{ m(n - 1) }}{{ m(n - 1) }}{% endif %}"
                                        "{% endmacro %}{{ m(99) }}", SLOW),
    "templates that are not there": (loop("{% include ['a', 'b'] ignore missing %}"), SLOW),
    "paragraphs again and again": (loop("{{ paragraph('abc ' * 300 ~ a, x=1, y=1, width=300, height=0.001, size=5,"
                                        " min_size=0.5) }}"), SLOW),
    "woodcuts again and again": (loop(WOODCUT % "'<path d=\"M0 0' ~ 'h1Z' * 999 ~ a ~ '\"/>'"), SLOW),
    "lists of lists compared, in one step": (TWINS + "{{ n.x == n.y }}", SLOW),
    "a power of powers, in one step": ("{{ 9 ** (9 ** 9) }}", SLOW),
    "rounding to a billion places, in one step": ("{{ 1.5 | round(10 ** 9, 'ceil') }}", SLOW),
    "much code": ("{% set a = 1 %}" + "{{ a }}" * 90_000, SLOW),
    "a wide number": ("{{ '%1000000000d' % 1 }}", LARGE),
    "a list that doubles": ("{% set n = namespace(x=[1]) %}" + loop("{% set n.x = n.x + n.x %}"), LARGE),
    "batches of a billion": ("{{ [1] | batch(10 ** 9, 'x') | list | length }}", LARGE),
}


@pytest.mark.slow
@pytest.mark.parametrize(("template", "what"), WORK_WITHOUT_END.values(), ids=WORK_WITHOUT_END)
def test_work_without_end_is_stopped(draw, tight_bounds, monkeypatch, template, what):
    monkeypatch.setattr(supervision, "MAX_CPU_S", 2.0 if what == LARGE else 0.1)  # for memory on a busy machine
    found = refusal(draw, template)
    assert (found.what, found.key) == (what, "[card front de]")
    assert found.place.endswith("card.svg.j2")
    assert found.line in (0, 1)  # unknown in the middle of a step of Python's own code


GROWTH = {
    "a long ruler": ("{{ ruler(x=0, y=0, length=999999) }}", "length is at most 1,000 mm"),
    "a long scale": ("{{ drift_scale(x=0, y=0, reach=999999) }}", "reach is at most 1,000 mm"),
    "a border as thin as an atom": (
        "{{ band(kind='leaves', x=0, y=0, width=99, height=99, thick=0.0000001) }}",
        "thick is at least a 5,000th of the sides"),
    "output": (loop("{{ 'abcdefgh' * 99 }}"), "characters of SVG"),
    "output of the template's own": (loop("<g/>" * 999), "characters of SVG"),
    "an included file": (loop("{% include 'other.svg.j2' %}"), "characters of SVG"),
    "a number from a text": ("{{ ('9' * 4000) | int }}", "out of range"),
    "a root of less than nothing": ("{{ (-8) ** 0.5 }}", "a record can't be printed"),
    "a number from a float": ("{{ 1e300 | int }}", "out of range"),
    "a wide place": ("{{ '{:>1000000000}'.format(1) }}", "'format' of a text is not for templates"),
    "a wide place by name": ("{{ '{a:>1000000000}'.format_map({'a': 1}) }}", "not for templates"),
    "a centred text": ("{{ 'x' | center(10 ** 9) }}", "No filter named 'center'"),
    "an indented text": ("{{ 'x' | indent(10 ** 9) }}", "No filter named 'indent'"),
    "a filled-up text": ("{{ 'x'.ljust(10 ** 9) }}", "'ljust' of a text is not for templates"),
    "tabs": ("{{ '\t'.expandtabs(10 ** 9) }}", "'expandtabs' of a text is not for templates"),
    "a range": ("{% for n in range(10 ** 9) %}{% endfor %}", "range() is given more than 100,000 numbers"),
    "a text for type": ("{{ text('x' * 9999, x=1, y=1, width=1, size=1) }}", "given more than 2,000 characters"),
    "a macro that calls itself": ("{% macro m() %}{{ m() }}{% endmacro %}{{ m() }}", DEEP),
    "a template that includes itself": ("{% include 'card.svg.j2' %}", DEEP),
    "a template that imports itself": ("{% import 'card.svg.j2' as a %}", DEEP),
    "a template that extends itself": ("{% extends 'card.svg.j2' %}", DEEP),
    "a loop that calls itself": ("{% for x in [1] recursive %}{{ loop([1, 2]) }}{% endfor %}", DEEP),
    "lists in lists, compared": (TWINS.replace("range(60)", "range(30000)").replace(", n.x]", "]").replace(
        ", n.y]", "]") + "{{ n.x == n.y }}", DEEP),
    "long lines as a woodcut": (WOODCUT % "'<path d=\"M0 0' ~ 'h9999v9999' * 999 ~ '\"/>'", "are far too long"),
    "lines over areas as a woodcut": (
        WOODCUT % ("'<path fill=\"#111111\" stroke=\"none\" d=\"M0 0' ~ 'h1v1Z' * 9999 ~ '\"/>"
                   "<path fill=\"none\" stroke=\"#111111\" d=\"M0 0' ~ 'h1Z' * 9999 ~ '\"/>'"),
        "too many lines and areas"),
    "path data of nothing as a woodcut": (WOODCUT % "'<path d=\"M0 0A1 1\"/>'", "path data, or a number, that is none"),
    "not a number": ("{{ band(kind='leaves', x='nan' | float, y=0, width=9, height=9, thick=1) }}", "out of range"),
}


COMPILING = {
    "a huge template": ("<g/>" * 300_000, "more than 1,000,000 characters"),
    "many branches": ("{% if 0 %}" + "{% elif 0 %}" * 3_300 + "{% endif %}", DEEP),
    "brackets": ("{{ " + "(" * 19_000 + ")" * 19_000 + " }}", DEEP),
    "signs": ("{{ " + "-" * 39_000 + "1 }}", DEEP),
    "blocks": ("{% if 1 %}" * 1_900 + "{% endif %}" * 1_900, DEEP),
    "loops": ("{% for a in [1] %}" * 30 + "{% endfor %}" * 30, DEEP),
    "digits": ("{{ " + "9" * 30_000 + " }}", "a number that is too large"),
    "a number beyond all numbers": ("{{ 1e999 }}", "a number that is too large"),
    "braces": ("{" * 50_000, DEEP),
    "braces that stay open": ("{{" * 50_000, DEEP),
    "remarks that stay open": ("{#" * 50_000, "Missing end of comment tag"),
    "words that are no code": ("{% raw %}" + "{{" * 30_000, "Missing end of raw directive"),
}


@pytest.mark.slow
@pytest.mark.parametrize(("template", "what"), (GROWTH | COMPILING).values(), ids=GROWTH | COMPILING)
def test_what_grows_without_bounds_is_refused_before_it_is_there(render, template, what):
    found = refusal(render, template, other="<g/>" * 999)
    assert what in found.what
    assert "card.svg.j2" in found.place


def test_what_cannot_be_compiled_is_not_tried_for_every_card(templates):
    faces, found = templates(COMPILING["many branches"][0]), []
    start = time.process_time()
    for number in range(100):
        with pytest.raises(InputError) as caught:
            faces.render("card.svg.j2", {}, f"[card-{number}]")
        found += caught.value.problems
    assert time.process_time() - start < SOON_S
    assert {problem.what for problem in found} == {DEEP}
    assert found[99].key == "[card-99]"


def draw_all(renderer: FaceRenderer, are_expected: bool = True) -> tuple[list[Face], list[Problem]]:
    """Draw a hundred faces, each with a number; return those that can be drawn, and the problems of the others."""
    asked = [(FaceRequest(template="card.svg.j2", size=Size(44, 68), values={"number": n}), 2.0, f"[card-{n}]")
             for n in range(100)]
    found, drawn = [], []
    if are_expected:
        renderer.expect(asked)
    for face in asked:
        try:
            drawn.append(renderer.draw(*face))
        except InputError as error:
            found += error.problems
    return drawn, found


@pytest.mark.parametrize("are_expected", [False, True])
def test_after_three_faces_that_are_stopped_a_template_is_not_tried_again(are_expected, tight_bounds, templates, fonts):
    faces = templates("{% if number % 2 %}" + loop(loop("")) + "{% endif %}" + EMPTY)
    drawn, found = draw_all(FaceRenderer(templates=faces, fonts=fonts, ink="full", common={}), are_expected)
    assert len(drawn) == MAX_OVERRUNS  # those between them
    assert {problem.what for problem in found} == {"takes more than 0.2 s for a face"}
    assert [problem.key for problem in found[:4]] == ["[card-1]", "[card-3]", "[card-5]", "[card-6]"]


def test_expected_faces_are_drawn_by_the_dozen_and_look_no_different(monkeypatch, templates, fonts):
    asked: list[object] = []
    monkeypatch.setattr(rendering, "run_supervised", lambda *order: asked.append(order) or run_supervised(*order))
    renderer = FaceRenderer(templates=templates(BAR), fonts=fonts, ink="full", common={})
    one_by_one, units = draw_all(renderer, are_expected=False), len(asked)
    assert draw_all(replace(renderer)) == one_by_one
    assert units == 100 and len(asked) - units < 10


def test_a_face_that_ends_the_child_is_found_among_those_that_are_drawn_with_it(monkeypatch, templates, fonts):
    def draw(renderer: FaceRenderer, request: FaceRequest, *more: object) -> object:
        if request.values["number"] == 20:
            os.kill(os.getpid(), signal.SIGSEGV)
        return drawing(renderer, request, *more)

    drawing = rendering._draw_face
    monkeypatch.setattr(rendering, "_draw_face", draw)
    supervision._forget_child()  # the next one has this function
    try:
        drawn, found = draw_all(FaceRenderer(templates=templates(BAR), fonts=fonts, ink="full", common={}))
    finally:
        supervision._forget_child()
    assert len(drawn) == 99
    assert [(problem.key, problem.what) for problem in found] == [("[card-20]", "crashes the library that draws it")]


ESCAPES = {
    "the class of a text": "{{ ''.__class__.__mro__ }}",
    "the globals of a method": "{{ t.__init__.__globals__ }}",
    "the class of the face": "{{ face.__class__ }}",
    "the class, by a filter": "{{ t | attr('__class__') }}",
    "the class, of each": "{{ [t] | map(attribute='__class__') | first }}",
    "what a function does": "{{ text.work }}",
    "the environment": "{{ self._TemplateReference__context }}",
    "the frame of a generator": "{{ ([1] | map('string')).gi_frame }}",
    "a method of the texts": "{{ t.unused() }}",
    "the method of a number": "{{ (1).to_bytes(99) }}",
    "what was asked for": "{{ t.used }}",
    "what was asked for, as an item": "{{ t['asked'] }}",
    "clearing what was asked for": "{{ t.used.clear() }}",
    "changing a list": "{% set x = [] %}{{ x.append(1) }}",
    "changing what the card was given": "{{ card.update({'name': 'x'}) }}",
    "sorting in place": "{% set x = [2, 1] %}{{ x.sort() }}",
    "a debugger": "{% debug %}",
    "a statement": "{% do x %}",
}


CHANCE = {
    "a random entry": "{{ [1, 2, 3] | random }}",
    "random words": "{{ lipsum() }}",
    "where a function lies in memory": "{{ text }}",
    "where the face lies in memory": "{{ face }}",
    "a macro": "{% macro m() %}{% endmacro %}{{ m }}",
    "a function in a list": "{{ [text] }}",
    "a function as a text": "{{ text | string }}",
    "a function in capitals": "{{ text | upper }}",
    "a function where nothing is escaped": "{% autoescape false %}{{ text }}{% endautoescape %}",
    "a record as words": "{{ text(words=face, x=1, y=1, width=1, size=1) }}",
    "a function in a place of a record": "{{ text('a', x=text, y=1, width=1, size=1) }}",
    "a function joined": "{{ [text] | join }}",
    "a function behind a text": "{{ 'a' ~ text }}",
    "a function formatted": "{{ '%s' % text }}",
    "a function formatted under a key": "{{ '%(a)s' % {'a': text} }}",
    "a function as words": "{{ text(text, x=1, y=1, width=1, size=1) }}",
    "a function in the texts": "{{ t('game.title', n=text) }}",
    "a set, which has no order": "{% for x in t.words.keys() - ['a'] %}{{ x }}{% endfor %}",
}


@pytest.mark.parametrize("template", (ESCAPES | CHANCE).values(), ids=ESCAPES | CHANCE)
def test_nothing_is_reached_that_was_not_given_and_nothing_is_left_to_chance(render, template):
    assert refusal(render, template).line == 1


NAMES = ["../secret", "/etc/passwd", "a/../../secret", "./card.svg.j2", "..\\\\secret", "card.svg.j2\\0", "a" * 300,
         ".hidden", "file:///etc/passwd", "http://localhost/x", ""]


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("how", ["include", "import", "extends"])
def test_a_template_is_asked_for_by_a_path_below_the_folder(render, tmp_path, how, name):
    (tmp_path.parent / "secret").write_text("secret")
    found = refusal(render, f"<g>\n{{% {how} '{name}'{' as a' if how == 'import' else ''} %}}</g>")
    assert found.what == "is not a template's name"
    assert found.remedy.endswith("card.svg.j2:2")


DRAWING = '<path fill="none" stroke="#111111" d="M0 0h9"/>'
SAMPLES = {
    "words": "a 日本", "drawing": DRAWING, "net": standee(Size(25, 40), 8), "id": "a",
    "name": {"image": "sword", "has_picture": "goblin", "icon": "sword", "open_panel": "front"},
    "kind": {"band": "leaves", "diaper": "vine"}, "stroke": "#000", "colour": "#123456", "other": "#FEDCBA",
    "line": {"line_drawing": "#000000", "band": 0.1, "woodcut": 1}, "black": "#000000", "red": "#FF0000",
    "paper": {"woodcut": "#FFFFFF", "tone": 0.5}, "width": 30, "height": 30, "size": 3, "length": 50, "reach": 10,
    "last": 40, "columns": 9, "rows": 9, "count": 9,
}
"""Arguments other than 1 by name; of some names those of each function."""


def sample_call(function):
    """A call of a function of templates with its required arguments and each of its numbers, by its signature."""
    call = {}
    for method in template_functions(internal=True)[function]:
        for name, each in inspect.signature(method).parameters.items():
            if name in SAMPLES or re.search(r"\b(float|int)\b", str(each.annotation)) or (
                    each.default is each.empty and name != "self" and each.kind is not each.VAR_KEYWORD):
                sample = SAMPLES.get(name, 1)
                call[name] = sample.get(function, 1) if isinstance(sample, dict) else sample
    return call


@pytest.mark.parametrize("function", template_functions(internal=True))
def test_no_number_makes_a_function_run_on(fonts, tmp_path, function):
    (tmp_path / "icons").mkdir()
    (tmp_path / "icons" / "sword.svg").write_text('<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 9"/>')
    tools = FaceTools(frame=FrameOfFace(width=63, height=88, bleed=2), ink="full", lettering=Lettering(fonts=fonts),
                      pictures=PictureFolder(tmp_path))
    sandbox = Sandbox(lambda name: None)
    sandbox.bind(tools.functions)
    given, drawing = sample_call(function), sandbox.globals[function]
    tools.open_panel("front", SAMPLES["net"])
    drawing(**given)
    for name in (name for name, value in given.items() if isinstance(value, int | float)):
        for number in (10 ** 6, -10 ** 6, 1e-7, -1e-7, 0):
            start = time.process_time()
            with suppress(RefusedError):
                list(drawing(**given | {name: number}))
            assert time.process_time() - start < SOON_S / 5, (name, number)


class Box(NamedTuple):
    x: float
    words: str


def test_a_drawing_function_may_give_records_and_be_given_one(tmp_path):
    functions = {"boxes": lambda count: (Box(n, "ab") for n in range(count)), "frame": lambda box: f"<g id='{box.x}'/>"}
    (tmp_path / "card.svg.j2").write_text(
        "{% for box in boxes(count=n) %}{{ frame(box=box) }}{{ box.words }}{% endfor %}")
    faces = TemplateSet((tmp_path,))
    drawn = faces.render("card.svg.j2", {"n": 2}, "", functions=functions).replace(' data-src="card.svg.j2:1"', "")
    assert "<g id='0'/>ab<g id='1'/>ab" in drawn


@pytest.mark.parametrize("template", [
    "{{ '%.2f' % 1.5 }}", "{{ '%s of %s' % (1, 2) }}", "{{ 'a' * 3 + 'b' }}", "{{ ([1] * 3 + [2]) | length }}",
    "{{ 2 ** 10 }}", "{{ card.symbols | join(', ') }}", "{{ card.symbols | map('upper') | join }}",
    "{{ card.name[1:3] }}",
    "{% for pair in card.symbols | batch(2) %}{{ pair | join }}{% endfor %}", "{{ (1.25).real | round(1) }}",
    "{% for key, value in card.items() %}{{ key }}{% endfor %}", "{{ card.name.split('n') | length }}",
    "{% for a in 'abc' %}{{ loop.cycle('x', 'y') }}{% endfor %}", "{{ 'x' if ink in ('low', 'full') }}",
    "{% set f = namespace(g=text) %}{{ f.g('a', x=1, y=1, width=9, size=3) }}", "{{ [3, 1] | sort | first }}",
    "{{ {'a': 1}.get('b', 2) }}", "{{ t('game.title') }}", "{{ face.all.right }}", "{{ none }}{{ true }}",
])
def test_what_templates_need_works(render, template):
    assert render(template)


def test_a_template_cannot_name_a_place_that_is_none(tmp_path, fonts):
    """``data-src`` marks are the program's, but templates can write what they like."""
    faces = TemplateSet((tmp_path,))
    for mark in ("a:b", "a:", ":", "", "a:1e9", "../../etc/passwd:1", "\x1b[2J:1", "a:" + "9" * 5000, "a" * 99_999):
        place, line = faces.place(mark)
        assert isinstance(place, str)
        assert line in (0, 1)


@pytest.fixture
def shipped_folder(tmp_path):
    """A folder of templates that stands for the shipped one."""
    folder = tmp_path / "shipped"
    (folder / "skins" / "plain").mkdir(parents=True)
    for place in (folder, folder / "skins" / "plain"):
        (place / "card.svg.j2").write_text("<g/>")
    (folder / "shared").mkdir()
    return folder


def test_only_folders_below_the_shipped_one_are_trusted(shipped_folder, tmp_path):
    """What counts is where a folder lies: a link to it from outside, or out of it, changes nothing."""
    skin, own, beside, link = (
        shipped_folder / "skins" / "plain", tmp_path / "own", tmp_path / "shipped-not", tmp_path / "link")
    for copy in (own, beside):
        shutil.copytree(shipped_folder, copy)
    (shipped_folder / "skins" / "own").symlink_to(own)
    link.symlink_to(shipped_folder)
    for folders in ((shipped_folder,), (skin, shipped_folder), (skin / ".." / "plain",), (link,)):
        assert TemplateSet(folders, shipped_folder).are_ours
    for folders in ((own,), (shipped_folder, own), (own / "skins" / "plain", own), (beside,),
                    (shipped_folder / ".." / "own",), (shipped_folder / "skins" / "own",)):
        assert not TemplateSet(folders, shipped_folder).are_ours
    (shipped_folder / "stray.svg.j2").symlink_to(own / "card.svg.j2")
    with pytest.raises(InputError, match="lies outside the folder"):
        TemplateSet((shipped_folder,), shipped_folder).render("stray.svg.j2", {}, "[card front de]")


def test_words_of_strangers_are_bounded_in_shipped_templates_too(shipped_folder, fonts):
    (shipped_folder / "card.svg.j2").write_text("{{ paragraph(words, x=1, y=1, width=40, height=9, size=3) }}")
    faces = TemplateSet((shipped_folder,), shipped_folder)
    with pytest.raises(InputError, match=f"is given more than {MAX_LETTERING:,} characters"):
        faces.render("card.svg.j2", {"words": "x" * (MAX_LETTERING + 1)}, "[card front de]",
                     functions={"paragraph": Lettering(fonts=fonts).paragraph})


@pytest.mark.slow
def test_a_copy_of_the_shipped_templates_draws_the_same_far_from_the_bounds(workshop, texts, tmp_path):
    """What people draw who mean well must not come near."""
    shutil.copytree(workshop.assets.templates, tmp_path / "copy")
    room = Size(194, 270)
    card = read_formats(Assets.at().common("papers.toml")).card_size("mini-euro")
    ours = workshop.studio(texts, "full")
    copied = replace(ours, templates=replace(ours.templates, folders=(tmp_path / "copy",)))
    assert (ours.templates.are_ours, copied.templates.are_ours) == (True, False)
    seen, took = set(), []
    for part in (*workshop.game.parts(texts, card), workshop.game.score_sheet(texts, Pad(room=room))):
        for component in part.components:
            for side, request in component.faces():
                if request.template not in seen:
                    seen.add(request.template)
                    assert copied.draw(request, 2.0, side) == ours.draw(request, 2.0, side)  # compiled
                    before = supervision.spent_s
                    copied.draw(request, 2.5, side)  # another bleed: the same face would be found again
                    took.append(supervision.spent_s - before)
    assert len(seen) >= 6
    assert 0 < max(took) < supervision.MAX_CPU_S / 20
