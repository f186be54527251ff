"""Templates become SVG whose every tag knows where it was written; what is wrong with them has its line."""

import re
from types import SimpleNamespace

import pytest
from hypothesis import given, strategies as st

from ppgen.engine.drawing import templates
from ppgen.engine.drawing.sandbox import escape_value
from ppgen.engine.drawing.templates import TemplateSet
from ppgen.errors import InputError


@pytest.fixture
def render(tmp_path):
    """Write templates and render the first."""

    def rendered(values=None, /, **templates):
        folder = tmp_path / "templates"
        folder.mkdir(exist_ok=True)
        for name, text in templates.items():
            (folder / f"{name}.svg.j2").write_text(text, encoding="utf-8")
        first = f"{next(iter(templates))}.svg.j2"
        functions = {"text": lambda words: f"<text>{words}</text>"}
        return TemplateSet((folder,)).render(first, values or {}, "[card front de]", functions=functions)

    return rendered


def problem_of(render, *args, **templates):
    with pytest.raises(InputError) as caught:
        render(*args, **templates)
    assert len(caught.value.problems) == 1
    found = caught.value.problems[0]
    assert found.key == "[card front de]"
    return found


def test_each_tag_is_marked_with_its_template_and_line(render):
    svg = render(card='<svg>\n{# two\nlines #}\n  <g><path/></g>\n</svg>')
    assert '<svg data-src="card.svg.j2:1">' in svg
    assert '<g data-src="card.svg.j2:4"><path data-src="card.svg.j2:4"/></g>' in svg


def test_values_are_escaped_but_helpers_write_markup(render):
    svg = render({"name": '<b a="1">&'}, card="<svg>{{ name }}{{ text('x') }}</svg>")
    assert "&lt;b a=&#34;1&#34;&gt;&amp;" in svg
    assert '<text data-src="card.svg.j2:1">x</text>' in svg


def test_a_face_may_take_more_characters_the_more_sheets_it_fills(tmp_path, monkeypatch):
    monkeypatch.setattr(templates, "MAX_SVG", 100)
    (tmp_path / "a.svg.j2").write_text("x" * 300, encoding="utf-8")
    drawn = TemplateSet((tmp_path,))
    assert len(drawn.render("a.svg.j2", {}, "", sheets=3)) == 300
    with pytest.raises(InputError, match="more than 200 characters"):
        drawn.render("a.svg.j2", {}, "", sheets=2)


def test_of_many_names_the_first_are_listed(render):
    found = problem_of(render, {"card": {f"name{n}": n for n in range(40)}}, card="<svg>{{ card.x }}</svg>")
    assert len(re.findall(r"name\d+", found.what)) == 30


def test_a_mistake_in_a_template_is_told_with_its_line(golden_cases, render):
    def answer(body):
        found = problem_of(render, {"card": {"name": "x"}}, card=body)
        yield f"{found.place[-21:]}:{found.line}: {found.what}"

    golden_cases("template-slips", answer)


def test_only_a_row_of_a_table_has_columns(render):
    class Tablet(dict):
        """Values of a shipped game, with an attribute of its own."""

    tablet = Tablet(nr=1)
    tablet.words = {}
    assert "columns" not in str(problem_of(render, {"card": tablet}, card="<svg>{{ card.nmae + 1 }}</svg>"))
    row = SimpleNamespace(name="Ann")
    assert "columns: name" in str(problem_of(render, {"card": row}, card="<svg>{{ card.nmae + 1 }}</svg>"))


@pytest.mark.parametrize("path", ["../secret.txt", "/etc/hostname", "link.svg.j2"])
def test_nothing_outside_the_template_folder_is_read(render, tmp_path, path):
    (tmp_path / "secret.txt").write_text("secret")
    (tmp_path / "templates").mkdir()
    (tmp_path / "templates" / "link.svg.j2").symlink_to(tmp_path / "secret.txt")
    with pytest.raises(InputError):
        render(card='{% include "' + path + '" %}')


def test_a_skin_builds_on_the_template_that_it_covers(tmp_path):
    ours, skin = tmp_path, tmp_path / "skin"
    (skin / "art").mkdir(parents=True)
    (ours / "art").mkdir()
    (ours / "card.svg.j2").write_text('<svg>{% import "art/ink.svg.j2" as ink %}{{ ink.black }}</svg>')
    (ours / "art" / "ink.svg.j2").write_text('{% set black = "#3B2A1E" %}')
    (skin / "card.svg.j2").write_text('\n<g>{% include "under/card.svg.j2" %}</g>')
    (skin / "art" / "ink.svg.j2").write_text(
        '{% import "under/art/ink.svg.j2" as shipped %}{% set black = shipped.black ~ "!" %}')
    templates = TemplateSet((skin, ours))
    assert "#3B2A1E!" in templates.render("card.svg.j2", {}, "")
    assert templates.place("under/card.svg.j2:1")[0].endswith("card.svg.j2")
    assert templates.place("under/card.svg.j2:1") != templates.place("card.svg.j2:1")
    with pytest.raises(InputError, match="template not found"):
        TemplateSet((ours,)).render("under/card.svg.j2", {}, "")


@given(st.floats(-1e6, 1e6, allow_nan=False))
def test_a_printed_length_has_five_decimals_at_most_and_no_minus_zero(length):
    printed = escape_value(length)
    assert float(printed) == pytest.approx(length, abs=5.1e-6, rel=0) and not re.fullmatch(r"-0(\.0)?", printed)
    assert len(printed.partition(".")[2]) <= 5 or float(printed) == float(f"{float(printed):.5f}")
