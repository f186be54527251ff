"""Errors of templates name what the template says, not what Python calls it."""

from types import SimpleNamespace

import pytest
from jinja2 import UndefinedError

from ppgen.engine.drawing.face import FrameOfFace
from ppgen.engine.drawing.sandbox import Helper, MissingValue, RefusedError
from ppgen.engine.drawing.templates import TemplateSet
from ppgen.errors import InputError


def test_errors_are_said_in_the_words_of_templates(golden_cases, tmp_path):
    values = {"card": SimpleNamespace(name="One"), "face": FrameOfFace(width=44, height=68, bleed=2)}

    def answer(line):
        (tmp_path / "card.svg.j2").write_text(f"<svg>\n{line}\n</svg>", encoding="utf-8")
        with pytest.raises(InputError) as caught:
            TemplateSet((tmp_path,)).render("card.svg.j2", values, "[one]", functions={"f": lambda *_: ""})
        yield from (f"{problem.line}: {problem.what} ({problem.remedy})" for problem in caught.value.problems)

    golden_cases("template-words", answer)


def test_a_function_that_is_given_a_missing_value_names_it():
    with pytest.raises(UndefinedError, match="'gold' is not one of red"):
        Helper("fill", lambda colour: "")(MissingValue(obj={"red": "#f00"}, name="gold"))


def test_a_function_whose_arguments_have_names_says_so():
    with pytest.raises(RefusedError, match=r"^text\(\) takes arguments by name, like x=5$"):
        Helper("text", lambda words, *, x: "")("Goblin", 5, 5, 40)
