"""Errors of templates name what the template says, not what Python calls it."""

from types import SimpleNamespace

import pytest
from jinja2 import UndefinedError

from ppgen.engine.drawing.face import FrameOfFace
from ppgen.engine.drawing.sandbox import Helper, MissingValue, RefusedError
from ppgen.engine.drawing.templates import TemplateSet
from ppgen.errors import InputError


@pytest.mark.parametrize(("line", "words"), [
    ("{{ range(3, box=1) }}", "range() has no argument 'box'"),
    ("{{ [1] | min(r=1) }}", "min has no argument 'r'"),
    ("{{ [1] | sum(columns=1) }}", "sum has no argument 'columns'"),
    ("{{ 'a b'.split(most=1) }}", "split() has no argument 'most'"),
    ("{{ 'a' | replace }}", "replace needs 'old' and 'new'"),
    ("{{ 1 is even(2, 3) }}", "even is given too many values, or too few"),
    ("{{ 'a' | string(1) }}", "string() is given too many values, or too few"),
    ("{{ 'a'.upper(1) }}", "upper() is given too many values, or too few"),
    ("{{ 'a'.strip(x=1) }}", "strip() has no arguments with names"),
    ("{{ [1] >= face }}", "'>=' is not for a list and a record"),
    ("{{ card - none }}", "'-' is not for a record and none"),
    ("{{ -face }}", "'-' is not for a record"),
    ("{{ card() }}", "card is not a function"),
    ("{{ f(1) }}{{ card() }}", "a record is not a function"),
    ("{% for x in f %}{{ x }}{% endfor %}", "f is a function, not a list"),
    ("{% for a, b in [1] %}{% endfor %}", "a number stands here, not a list"),
    ("{{ card | first }}", "a record stands here, not a list"),
    ("{{ f | length }}", "a function stands here, not a list"),
    ("{{ [1].title() }}", "a list has no 'title'"),
    ("{{ none[0] }}", "none has no 0"),
    ("{{ face.path }}", "'path' is not one of all, bleed, height, outline, small, trim, view_box, width"),
    ("{{ 1 / 0 }}", "divides by zero"),
    ("{{ [1].index(2) }}", "can't work with what it is given: {{ [1].index(2) }}"),
    ("{{ f(1) }}{{ [1].index(2) }}", "can't work with what it is given"),
])
def test_errors_are_in_the_words_of_templates(tmp_path, line, words):
    (tmp_path / "card.svg.j2").write_text(f"<svg>\n{line}\n</svg>", encoding="utf-8")
    values = {"card": SimpleNamespace(name="One"), "face": FrameOfFace(width=44, height=68, bleed=2)}
    with pytest.raises(InputError) as caught:
        TemplateSet((tmp_path,)).render("card.svg.j2", values, "[one]", functions={"f": lambda *_: ""})
    [problem] = caught.value.problems
    assert (problem.line, problem.what) == (2, words)


def test_a_function_that_is_given_a_missing_value_names_it():
    with pytest.raises(UndefinedError, match="'gold' is not one of red"):
        Helper("fill", lambda colour: "")(MissingValue(obj={"red": "#f00"}, name="gold"))


def test_a_function_whose_arguments_have_names_says_so():
    with pytest.raises(RefusedError, match=r"^text\(\) takes arguments by name, like x=5$"):
        Helper("text", lambda words, *, x: "")("Goblin", 5, 5, 40)
