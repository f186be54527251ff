"""What templates may not do: print anything but texts and numbers, or give functions and operators absurd operands.

Time and memory are bounded elsewhere (``ppgen.process.supervision``). Here is refused, with a line, what would print
something else on each run, or would be one long step in Python's own code.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, is_dataclass
from typing import Any

import jinja2
from jinja2.runtime import Undefined
from markupsafe import Markup

from ppgen.reading.workbooks import Written, plain_number
from ppgen.shipped import Phrase

MAX_LETTERING = 2_000
"""Characters of a text to set in type; half of them fill a card."""
MAX_DRAWING = 1_000_000
"""Characters of a drawing that a function is given."""
MAX_NUMBER = 10 ** 15
"""The largest integer; measures in millimetres need no more."""
MAX_MEASURE = 1_000_000.0
"""The largest argument of a drawing function."""
TEXT_FUNCTIONS = frozenset(("text", "rich", "badge"))
"""Drawing functions whose first argument is printed."""
_LABELLED = TEXT_FUNCTIONS | {"paragraph", "qr", "icon", "image", "has_picture", "text_reach"}
"""Drawing functions whose first argument is a text or name."""

NUMBERS = frozenset({int, float, bool})
_WRONG_CALL = re.compile(r"\(\) (?:(?P<needs>missing \d+ required .*arguments?:)|got an unexpected keyword argument|"
                         r"(?P<many>takes .*positional arguments?|got multiple values for argument)) (?P<names>.*)")
"""What Python says of a call without an argument, with an unknown one, or with too many without a name."""
SEE_FUNCTIONS = "see docs/functions.md"


class RefusedError(jinja2.TemplateRuntimeError):
    """Something that templates must not do, in plain words, and a remedy."""

    def __init__(self, what: str, remedy: str = "") -> None:
        super().__init__(what)
        self.remedy = remedy


def check_printed(value: Any) -> Any:
    """Return a text or a number. Raises RefusedError for anything else: Python would print where it lies in memory."""
    if type(value) is int:
        if not -MAX_NUMBER <= value <= MAX_NUMBER:
            raise RefusedError("a number is out of range", f"up to {MAX_NUMBER:,}")
    elif not (value is None or isinstance(value, str | int | float | Undefined)):
        raise RefusedError(f"{type_name(value)} can't be printed", "print its entries, in a loop or by their names")
    return value


def check_format(value: Any, *args: Any, **kwargs: Any) -> None:
    """Check the operands of ``'…' % …``."""
    for each in (value, *args, *kwargs.values()):
        check_printed(each)


def check_join(value: Any, d: Any = "", attribute: Any = None) -> None:
    """Check the arguments of the filter ``join``; its value is a list."""
    if attribute is not None:
        raise RefusedError("join() takes no attribute here", 'write map(attribute="…") | join(", ")')
    for each in (d, *value):
        check_printed(each)


def check_remainder(left: Any, right: Any) -> None:
    """Check the operands of ``%``, which prints those of a text."""
    if isinstance(left, str):
        check_format(left, *(right if isinstance(right, tuple) else right.values() if isinstance(right, dict)
                             else (right,)))


@dataclass(frozen=True, slots=True)
class Helper:
    """A function that templates may call. A text that it returns is markup; it may also return a list of records.

    Its arguments are texts, numbers, and records: what another function returned, or the face gives. They are checked
    in shipped templates, too: the text to set may be a stranger's.
    """

    name: str
    function: Callable[..., Any]

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        first = "words" if self.name in TEXT_FUNCTIONS else ""
        for name, value in (*(("" if n else first, value) for n, value in enumerate(args)), *kwargs.items()):
            self._check(name, value)
        if any(isinstance(value, Written) for value in (*args, *kwargs.values())):  # a measure has no text
            kept = self.name in _LABELLED
            args = (*args[:kept], *map(plain_number, args[kept:]))
            kwargs = {name: value if name in ("words", "name") else plain_number(value)
                      for name, value in kwargs.items()}
        try:
            result = self.function(*args, **kwargs)
        except KeyError as error:
            raise RefusedError(f"{self.name}() does not know {error}", SEE_FUNCTIONS) from error
        except (AttributeError, TypeError, ValueError, ArithmeticError) as error:
            if call := _WRONG_CALL.search(str(error)):
                what = ("takes arguments by name, like x=5" if call["many"] else
                        f"{'needs' if call['needs'] else 'has no argument'} {call['names']}")
                raise RefusedError(f"{self.name}() {what}", SEE_FUNCTIONS) from error
            raise RefusedError(f"{self.name}() can't work with what it is given: {error}", SEE_FUNCTIONS) from error
        return Markup(result) if isinstance(result, str) else result

    def _check(self, name: str, value: Any) -> None:
        """Check an argument. A drawing or outline may be longer than a text to set in type."""
        if name != "words" and (type(value) in NUMBERS or isinstance(value, Written)):  # printed ones may be larger
            if not -MAX_MEASURE <= value <= MAX_MEASURE:  # also NaN
                raise RefusedError(f"{self.name}() is given a number out of range", f"up to {MAX_MEASURE:,.0f}")
        elif isinstance(value, str):
            limit = MAX_DRAWING if name in ("drawing", "clip") else MAX_LETTERING
            if len(value) > limit:
                raise RefusedError(f"{self.name}() is given more than {limit:,} characters", Phrase("shorten"))
        elif self.name == "rich" and name == "words" and isinstance(value, list):
            runs = [run if isinstance(run, dict) else {"words": run} for run in value]
            for run in runs:
                for key, each in run.items():
                    self._check("" if isinstance(each, list) else key, each)
            self._check("", "".join([str(run.get("words", "")) for run in runs]))
        elif name in ("", "words") or not is_record(value):
            check_printed(value)


def is_record(value: Any) -> bool:
    """True if a value has fields by name."""
    return not callable(value) and (is_dataclass(value) or hasattr(value, "_fields"))


TYPE_NAMES = {
    **dict.fromkeys(("str", "Markup"), "a text"), **dict.fromkeys(("int", "float"), "a number"),
    **dict.fromkeys(("None", "NoneType"), "none"), **dict.fromkeys(("list", "tuple", "range"), "a list"),
    "bool": "true or false", "dict": "a table", "Macro": "a macro", "LoopContext": "loop",
    "MissingValue": "a missing value",
    **dict.fromkeys(("Helper", "function", "method", "builtin_function_or_method", "type"), "a function"),
}
"""Types in plain words, by Python's names; all others are records."""


def type_name(value: Any) -> str:
    """Return the type of a value in plain words."""
    return TYPE_NAMES.get(type(value).__name__, "a record")
