"""Errors of templates in plain words: Jinja2's, Python's and the guard's become problems with place and remedy."""

from __future__ import annotations

import re
import traceback
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from difflib import get_close_matches
from pathlib import Path
from types import SimpleNamespace

import jinja2

from ppgen.engine.drawing.template_source import is_template_name, split_code
from ppgen.engine.drawing.template_words import in_plain_words
from ppgen.engine.guard.refusals import RefusedError
from ppgen.errors import InputError, Problem, display_path, join_names
from ppgen.process.supervision import LARGE, SLOW, OverrunError, UnitTimeout
from ppgen.reading.fields import read_source
from ppgen.shipped import Phrase

FILENAME_PREFIX = "template:"  # marks the file names of compiled templates in tracebacks
MAX_MISSING_COLUMNS = 20  # columns that templates read in vain and that are reported at once
_COLUMN = re.compile(r"\bcard\.\w+(?!\w|\s*\|\s*(?:int|float)\b)")
_CARD_COLUMN = re.compile(r"\bcard\.([^\W\d]\w*+)(?!\s*\()")
_OPTIONAL_COLUMN = re.compile(r"\bcard\.(\w+)\s*(?:\|\s*d(?:efault)?\b|is\s+(?:not\s+)?(?:un)?defined\b)")
"""``card.column``, and the same where the column may be missing."""
_TEXT_AS_NUMBER = re.compile(r"not supported between instances of .*'str'|operand type.*'str'|can only concatenate str"
                             r"|can't multiply sequence|number(?: is required)?, not str|type str doesn't define"
                             r"|'str' object cannot be interpreted as an integer")
"""Python's words where a text stands in place of a number."""
_PYTHON_ERRORS = TypeError, ValueError, AttributeError, ArithmeticError, LookupError
_PYTHON_OBJECT = re.compile(r" has no (?:attribute|element) ")
"""Jinja2's words for a missing part of a value, with the name of its type."""

TOO_MUCH = {SLOW: "make its loops shorter; a loop inside a loop multiplies", LARGE: "make its texts and lists shorter"}
"""Remedies for templates that take too much time or memory."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Rendering:
    """The rendering that failed."""

    name: str  # of the template
    values: Mapping[str, object]
    subject: str  # names component, face and language
    folders: Sequence[Path]  # that it was looked for in
    display: Callable[[str], str]  # writes a template's name as its path
    sheets: int = 1  # area of the face, in sheets of A4

    def describe(self, error: Exception | UnitTimeout) -> list[Problem]:
        """Describe the error that ended it; for a column that is missing, also all others that the template reads."""
        if isinstance(error, jinja2.TemplateNotFound):
            return [self._missing_template(error)]
        if isinstance(error, jinja2.TemplateSyntaxError):
            place = self.display((error.name or self.name).removeprefix(FILENAME_PREFIX))
            return [Problem(place, f"is not a valid template: {error.message}", line=error.lineno, key=self.subject)]
        problem = self._own_error(error)
        return (isinstance(error, jinja2.UndefinedError) and self._missing_columns(problem)) or [problem]

    def _missing_template(self, error: jinja2.TemplateNotFound) -> Problem:
        wanted = str(error.name)
        users = [f"asked for in {self.display(file)}:{line}" for file, line in _frames(error)]
        if is_template_name(wanted):
            where = " or ".join(display_path(folder) for folder in self.folders)
            what, remedy = f"template not found in {where}", "copy it from the shipped templates"
        else:
            what, remedy = "is not a template's name", "write a path below the templates folder, without '..'"
        return Problem(wanted, what, "; ".join([remedy, *users[-1:]]), key=self.subject)

    def _own_error(self, error: Exception | UnitTimeout) -> Problem:
        """Describe an error of the template's own code, which was being compiled or rendered."""
        places = [(self.display(file), line) for file, line in _frames(error)[-2:]]
        place, line = places[-1] if places else (self.display(self.name), 0)
        remedies = [f"called from {caller}:{number}" for caller, number in places[:-1]]
        what = str(error) or repr(error)
        if isinstance(error, jinja2.UndefinedError) and what.endswith("is undefined"):
            remedies.append(f"the template is given: {join_names(sorted(self.values))}")
        elif isinstance(error, RefusedError):
            remedies += filter(None, [error.remedy])
        elif isinstance(error, TypeError) and _TEXT_AS_NUMBER.search(what):
            what, advice = self._text_as_number("a text stands where a number belongs", place, line)
            remedies += advice
        elif isinstance(error, UnitTimeout) or (isinstance(error, MemoryError) and not _is_compiling(error)):
            cause = SLOW if isinstance(error, UnitTimeout) else LARGE
            what = OverrunError(cause, times=self.sheets).describe("for a face", "")
            remedies.append(TOO_MUCH[cause])
        elif isinstance(error, RecursionError | MemoryError | SyntaxError):  # the last two while compiling
            what, remedies = "is nested too deep, or calls itself without end", [Phrase("flatter")]
        elif isinstance(error, NameError) or (isinstance(error, ValueError) and not places):
            what, remedies = "has a number that is too large", ["write fewer digits"]  # Python reads it as inf, or not
        elif isinstance(error, _PYTHON_ERRORS) or _PYTHON_OBJECT.search(what):
            what = in_plain_words(what, self._source_line(place, line))
        return Problem(place, what, "; ".join(remedies), line=line, key=self.subject)

    @property
    def _row(self) -> Mapping[str, object]:
        """The row of a deck's table that the template is given as ``card``; shipped games have other values there."""
        card = self.values.get("card")
        return vars(card) if isinstance(card, SimpleNamespace) else {}

    def _missing_columns(self, problem: Problem) -> list[Problem]:
        """The problems of all columns that are missing and that the template reads; none if its line reads another."""
        columns = sorted(self._row)
        missing: list[Problem] = []
        guesses: dict[str, str] = {}
        with suppress(InputError):
            text = read_source(Path(problem.place).parent, Path(problem.place).name).text if columns else ""
            known, line = {*columns, *_OPTIONAL_COLUMN.findall(text)}, 1
            for part, is_code in split_code(text):
                for match in _CARD_COLUMN.finditer(part) if is_code and not part.startswith("{#") else ():
                    name = match[1]
                    if name in known or (name not in guesses and len(guesses) == MAX_MISSING_COLUMNS):
                        continue
                    if name not in guesses:
                        near = get_close_matches(name, columns, n=1)
                        guesses[name] = f"did you mean card.{near[0]}? " if near else ""
                    missing.append(replace(problem, line=line + part.count("\n", 0, match.start()),
                                           what=f"there is no column for 'card.{name}'",
                                           remedy=f"{guesses[name]}columns: {join_names(columns)}"))
                line += part.count("\n")
        return list(dict.fromkeys(missing)) if problem.line in (each.line for each in missing) else []

    def _source_line(self, place: str, line: int) -> str:
        """The text of a line; empty if the file can't be read."""
        with suppress(InputError, IndexError):
            return read_source(Path(place).parent, Path(place).name).text.split("\n")[line - 1]
        return ""

    def _text_as_number(self, what: str, place: str, line: int) -> tuple[str, list[str]]:
        """The problem of a text in place of a number, and how to make a number of the column that the line reads."""
        columns = _COLUMN.findall(self._source_line(place, line))
        column = next(iter(columns), "card.column")
        for each in columns:
            if self._row.get(each.removeprefix("card.")) == "":
                return f"'{each}' is empty where a number belongs", [f'fill the cell, or ask: {{% if {each} != "" %}}']
        return what, [f"a column with a text in any cell holds texts: correct it, or write {column} | int, or | float"]


def _is_compiling(error: BaseException) -> bool:
    return any(frame.f_code.co_name == "compile" for frame, _ in traceback.walk_tb(error.__traceback__))


def _frames(error: BaseException) -> list[tuple[str, int]]:
    """The templates in an error's traceback, each with its line, the innermost last."""
    from ppgen.engine.guard.sandbox import template_line

    return [(frame.f_code.co_filename.removeprefix(FILENAME_PREFIX),
             template_line(lines, line or 0) if (lines := frame.f_globals.get("debug_info")) else line)
            for frame, line in traceback.walk_tb(error.__traceback__)
            if frame.f_code.co_filename.startswith(FILENAME_PREFIX) and frame.f_code.co_name != "render"]
