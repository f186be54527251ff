"""Literals of a template's calls are found and replaced, and not a byte around them."""

import re

import pytest
from hypothesis import given, strategies as st
from jinja2 import Environment

from ppgen.engine.drawing.template_calls import (add_call, delete_call, find_calls, move_call, number_calls,
                                                 set_arguments)
from ppgen.reading.editing import EditError
from ppgen.shipped import shipped_root

TRICKY = """{# {{ text("no", x=1) }} #}
{% raw %}{{ icon("no", x=1) }}{% endraw %}
{{ text("}}", x=5, y=-3.25, width=30, size=4, fill=colours.night) }}{{ icon("sun", 3, 4, size=2) }}
{%- for box in rows(6, gap=0.8, x=7,) -%}\r
  {{- panel(box=box, fill="#fff" if box.n else 'none') -}}
{% endfor %}
{% from "macros.svg.j2" import title, cost as price %}{% import "look.svg.j2" as look with context %}
{% macro own(x, y) %}{{ badge("a", x=x, y=y) }}{% endmacro %}
{{ own(x=3, y=4) }}{{ price(x=(1 + 2) * 3, y=[4, 5][0]) }}{{ card.text }}{{ deck.text(x=3) }}
{{ text(card.name | upper ~ "(", x = 12 , y=face.height - 4, width=10, size=1e1) }}
{{ look.frame(x=3, y=4, width=9, height=9) }}{{ deck.look.frame(x=1) }}{{ image(card.art, 3, 4.0, 9, height=9) }}"""
STARTERS = sorted((shipped_root() / "data/starters").rglob("*.j2"))


def names(text):
    return [(call.function, call.line) for call in find_calls(text)]


def test_calls_are_found_where_they_are_called_and_nowhere_else():
    assert names(TRICKY) == [("text", 3), ("icon", 3), ("rows", 4), ("panel", 5), ("badge", 8), ("own", 9),
                             ("price", 9), ("text", 10), ("look.frame", 11), ("image", 11)]
    assert names('\n{{ text("a", x=1) }}') == [("text", 2)]


def test_arguments_have_their_names_and_kinds():
    found = [{each.name: (each.kind, TRICKY[each.start:each.end]) for each in call.arguments}
             for call in find_calls(TRICKY)]
    assert found[0] == {"words": ("word", '"}}"'), "x": ("number", "5"), "y": ("number", "-3.25"),
                        "width": ("number", "30"), "size": ("number", "4"), "fill": ("name", "colours.night")}
    assert {name: value for name, (_, value) in found[1].items()} == {"name": '"sun"', "x": "3", "y": "4", "size": "2"}
    assert found[3]["fill"] == ("code", "\"#fff\" if box.n else 'none'")
    assert found[6] == {"x": ("code", "(1 + 2) * 3"), "y": ("code", "[4, 5][0]")}
    assert found[7]["x"] == ("number", "12")


def test_numbered_templates_are_templates_with_one_more_argument_in_each_call():
    for path in STARTERS:
        text = path.read_text(encoding="utf-8")
        numbered = number_calls(text, "t")
        Environment().parse(numbered)
        numbers = sorted(map(int, re.findall(r'_call="t#(\d+)"', numbered)))
        assert numbers == [call.number for call in find_calls(text)], path


@given(st.data())
def test_only_the_literals_of_a_call_change(data):
    text = data.draw(st.sampled_from([TRICKY, *(path.read_text(encoding="utf-8") for path in STARTERS)]))
    call = data.draw(st.sampled_from([each for each in find_calls(text) if each.line != 11 or text != TRICKY]))
    numbers = [name for name in call.offered if name in ("x", "y", "width", "height", "size", "r", "margin")]
    chosen = data.draw(st.lists(st.sampled_from(numbers), unique=True, max_size=3)) if numbers else []
    values = {name: data.draw(st.floats(-99, 99).map(lambda value: round(value, 2))) for name in chosen}
    after = set_arguments(text, call.number, values, ())
    assert after[:call.start] == text[:call.start] and after.endswith(text[call.end:])
    new = find_calls(after)
    assert [each.function for each in new] == [each.function for each in find_calls(text)]
    for name, value in values.items():
        argument = new[call.number].argument(name)
        assert float(after[argument.start:argument.end]) == value
    kept = {each.name: text[each.start:each.end] for each in call.arguments if each.name not in values}
    assert kept.items() <= {each.name: after[each.start:each.end] for each in new[call.number].arguments}.items()


@pytest.mark.parametrize("number", [8, 9])
def test_a_picture_and_the_frame_that_a_look_draws_round_it_move_together(number):
    moved = set_arguments(TRICKY, number, {"x": 5.5, "height": 8}, ())
    assert moved.splitlines()[-1] == (
        "{{ look.frame(x=5.5, y=4, width=9, height=8) }}{{ deck.look.frame(x=1) }}"
        "{{ image(card.art, 5.5, 4.0, 9, height=8) }}")
    assert "height=9" in set_arguments(TRICKY, 9, {"radius": 2}, ())


@pytest.mark.parametrize(("number", "values"), [
    (0, {"x": "5"}), (0, {"x": True}), (0, {"x": float("nan")}), (0, {"x": 1e9}), (0, {"x": None}), (0, {"x": [1]}),
    (0, {"fill": "red; }}"}), (0, {"fill": 'x" ~ deck'}), (0, {"fill": 5}), (0, {"fill": "colours.gold"}),
    (0, {"style": 'a" }}{{ "'}), (0, {"style": "/bold"}), (0, {"anchor": "left"}), (0, {"words": "x"}),
    (0, {"box": "face.all"}), (0, {"_call": "t#1"}), (5, {"fill": "#fff"}), (6, {"name": 1}), (99, {"x": 1}),
    (-1, {"x": 1}),
])
def test_code_and_what_is_not_listed_is_refused(number, values):
    with pytest.raises(EditError):
        set_arguments(TRICKY, number, values, ("gold",))


LINES = '{{ fill("#fff") }}\r\n{{ panel(margin=4) }}\r\n  {{ text(card.name, x=1) }} <!-- here -->\r\n</svg>\r\n'


def test_a_call_is_deleted_with_its_line_if_it_is_alone_there():
    assert delete_call(LINES, 1) == LINES.replace("{{ panel(margin=4) }}\r\n", "")
    assert delete_call(LINES, 2) == LINES.replace("{{ text(card.name, x=1) }}", "")
    with pytest.raises(EditError, match="larger expression"):
        delete_call("{{ text(1, x=1) if a }}", 0)


def test_lines_of_one_call_each_change_places():
    assert move_call(LINES, 0, 1) == '{{ panel(margin=4) }}\r\n{{ fill("#fff") }}\r\n' + LINES.partition("4) }}\r\n")[2]
    assert move_call(move_call(LINES, 0, 1), 1, -1) == LINES
    for number, by in ((0, -1), (1, 1), (2, -1)):
        with pytest.raises(EditError, match="not a call alone"):
            move_call(LINES, number, by)


def test_what_is_added_stands_before_the_end_and_keeps_the_ends_of_lines():
    for function in ("text", "rich", "image", "badge", "panel"):
        after = add_call(LINES, function, "name", 31.5, 44)
        start = LINES.index("</svg>")
        assert after.startswith(LINES[:start] + "{{ " + function) and after.endswith(" }}\r\n</svg>\r\n")
        assert find_calls(after)[-1].function == function
        assert add_call("{{ fill('red') }}", function, "name", 1, 2).startswith("{{ fill('red') }}\n{{ ")


@pytest.mark.parametrize(("function", "column"), [("eval", "name"), ("text", "a.b"), ("text", "a) }}"), ("text", "")])
def test_only_columns_and_known_functions_are_added(function, column):
    with pytest.raises(EditError):
        add_call(LINES, function, column, 1, 2)
