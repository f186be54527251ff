"""Metering of templates: the steps of a face, and the bounds of what a template builds.

One rule: work costs the size of what it looks at.

- A body (template, loop, macro, block) costs its nodes each time it runs.
- A call, filter, test, comparison, key or slice costs the size of the values that it is given, and of its result: 16
  characters of a text a step, an entry of a list a step. What a list holds ten times counts ten times.
- No text, list or integer exceeds its bound. What makes much of little (``*``, ``join``, ``replace`` …) is checked
  before it is made.
- A drawing function costs a base and its characters. If a number drives a loop in it, it refuses too much itself.

No clock is used: the same template with the same values stops at the same place on every machine. The limits of the
process (``ppgen.cli.process_limits``) are the net below.
"""

from __future__ import annotations

import re
from collections.abc import Callable, ItemsView, Iterable, Iterator, KeysView, ValuesView
from dataclasses import dataclass, is_dataclass
from typing import Any

import jinja2
from jinja2.runtime import Macro, Undefined
from markupsafe import Markup

from ppgen.shipped import Phrase

MAX_STEPS = 1_000_000
"""Steps of a template for a face: about a second."""
MAX_TEXT = 300_000
"""Characters of a text that a template builds."""
MAX_ENTRIES = 200_000
"""Entries of a list, with those of all lists in it."""
MAX_LETTERING = 2_000
"""Characters of a text to set in type; half of them fill a card."""
MAX_NUMBER = 10 ** 15
"""The largest integer; measures in millimetres need no more."""
MAX_MEASURE = 1_000_000.0
"""The largest argument of a drawing function."""
TEXT_FUNCTIONS = frozenset(("text", "rich", "badge"))
"""Drawing functions whose first argument is printed."""
MAX_POWER = 64
MAX_PLACES = 20
"""Places that a number is rounded to, or padded to by ``%9d``."""
CHARACTERS_PER_STEP = 16
DRAWING_STEPS, LETTER_STEPS = 100, 6
"""Steps of a call of a drawing function; steps of each character in its words, and one more for each 16 of these, as
breaking a text into lines compares all with all. A character of a drawing costs one."""
DRAWN_PER_STEP = 8
"""Characters that a drawing function returns in a step."""

NUMBERS = frozenset({int, float, bool})
_VIEWS = (Iterator, KeysView, ValuesView, ItemsView)
_SEQUENCES = (str, list, tuple)
_CONVERSION = re.compile(r"%(\(\w*\)|\()?[-#0 +]*+(\*|\d*+)(?:\.(\*|\d*+))?[hlL]?.?", re.DOTALL)
"""A conversion of ``%`` formatting: its key, width and precision."""

_WRONG_CALL = re.compile(r"\(\) (?:(missing) \d+ required .*arguments?:|got an unexpected keyword argument) (.*)")
"""What Python says of a call without an argument, or with an unknown one."""
SEE_FUNCTIONS = "see docs/functions.md"


class RefusedError(jinja2.TemplateRuntimeError):
    """Something that templates must not do, in plain words, and a remedy."""

    def __init__(self, what: str, remedy: str = "") -> None:
        super().__init__(what)
        self.remedy = remedy


class QuotaError(RefusedError):
    """A template has used up its steps."""

    def __init__(self, limit: int) -> None:
        super().__init__(f"the template takes more than {limit:,} steps for a face",
                         "make its loops shorter; a loop inside a loop multiplies")


class StepMeter:
    """The steps that a template has left for a face. ``begin()`` starts the next face.

    ``check_…`` methods take the arguments of Jinja2's filters, by the same names.
    """

    def __init__(self) -> None:
        self.begin(1.0)

    def begin(self, sheets: float) -> None:
        """Start a face: limits grow with its size in ``sheets`` of A4."""
        self.limit, self.max_text = int(MAX_STEPS * sheets), int(MAX_TEXT * max(1.0, sheets))
        self.left: float = self.limit

    def charge(self, steps: float) -> None:
        """Take steps. Raises QuotaError when none are left."""
        self.left -= abs(steps)  # a template gains nothing by a negative number
        if not self.left >= 0:  # also NaN
            self.left = -1.0
            raise QuotaError(self.limit)

    def examine(self, value: Any, steps: float = 0) -> Any:
        """Charge for the size of a value, and for ``steps``; return it, or a list of it if it is a view or an iterator.

        Raises RefusedError if it is out of bounds.
        """
        kind = type(value)
        if kind is float or kind is bool or value is None:
            self.charge(1 + steps)
        elif kind is int:
            self.charge(1 + steps)
            if not -MAX_NUMBER <= value <= MAX_NUMBER:
                raise RefusedError("a number is out of range", f"up to {MAX_NUMBER:,}")
        elif kind is str or kind is Markup:
            self._check_length(len(value))
            self.charge(1 + len(value) // CHARACTERS_PER_STEP + steps)
        elif kind is not list and kind is not tuple and isinstance(value, _VIEWS):  # asking is slow: not for lists
            return list(self._charge_each(value))
        else:
            self.charge(_measure(value) + steps)
        return value

    def write(self, value: Any) -> Any:
        """Charge for writing a value as text; return it. Raises RefusedError if it is not a text or a number."""
        if not (value is None or isinstance(value, str | int | float | Undefined)):
            raise RefusedError(f"{type_name(value)} can't be printed", "print its entries, in a loop or by their names")
        return self.examine(value)

    def _charge_each(self, values: Iterable[Any]) -> Iterator[Any]:
        for value in values:
            self.charge(2)
            yield value

    def _check_length(self, length: int) -> None:
        if length > self.max_text:
            raise RefusedError(f"a text grows longer than {self.max_text:,} characters", "make it shorter")

    def check_method(self, text: str, name: str, values: tuple[Any, ...]) -> None:
        """Check a method of a text, or charge for it: a search from the end may compare all with all."""
        if name == "join" and values:
            self.check_join(values[0], text)
        elif name == "replace" and len(values) > 1:
            self.check_replace(text, *values)
        else:
            for value in values:
                self.charge(_measure(value) * _measure(text))

    def check_join(self, value: Any, d: Any = "", attribute: Any = None) -> None:
        if attribute is not None:
            raise RefusedError("join() takes no attribute here", 'write map(attribute="…") | join(", ")')
        length, between = 0, len(str(self.write(d)))
        for entry in self._charge_each(value):
            length += len(str(self.write(entry))) + between
            self._check_length(length)

    def check_replace(self, s: Any, old: Any, new: Any, count: Any = None) -> None:
        text, old, new = (str(self.write(value)) for value in (s, old, new))
        self._check_length(len(text) + text.count(old) * (len(new) - len(old)))

    def check_format(self, value: Any, *args: Any, **kwargs: Any) -> None:
        for each in (*args, *kwargs.values()):
            self.write(each)
        for match in _CONVERSION.finditer(str(self.write(value))):
            key, *widths = match.groups("")
            if key == "(" or any(each and (each == "*" or len(each) > 2 or int(each) > MAX_PLACES) for each in widths):
                raise RefusedError(f"'{match[0]}' fills up with more than {MAX_PLACES} characters", "use fewer")

    def check_round(self, value: Any, precision: Any = 0, method: Any = "") -> None:
        if isinstance(precision, int) and abs(precision) > MAX_PLACES:
            raise RefusedError(f"rounds to more than {MAX_PLACES} places", "use fewer")

    def check_batch(self, value: Any, linecount: Any, fill_with: Any = None) -> None:
        self.charge(linecount)

    def check_slice(self, value: Any, slices: Any, fill_with: Any = None) -> None:
        self.charge(slices)

    def check_sum(self, iterable: Any, attribute: Any = None, start: Any = 0) -> None:
        if not isinstance(start, int | float):
            raise RefusedError("sum() adds numbers only", "join lists with +")

    def check_operator(self, operator: str, left: Any, right: Any) -> None:
        """Check an operator whose result may be much larger than its operands."""
        if type(left) in NUMBERS and type(right) in NUMBERS:
            if operator == "**" and (abs(right) > MAX_POWER or (left < 0 and isinstance(right, float))):
                raise RefusedError(f"{left} ** {right} is out of range", f"powers are up to {MAX_POWER}")
        elif operator == "%" and isinstance(left, str):
            values = right if isinstance(right, tuple) else right.values() if isinstance(right, dict) else (right,)
            self.check_format(left, *values)
        elif operator == "*" and isinstance(right, _SEQUENCES) and isinstance(left, int):
            self.check_operator("*", right, left)
        elif operator == "*" and isinstance(left, _SEQUENCES) and isinstance(right, int):
            (self._check_length if isinstance(left, str) else _check_entries)(len(left) * right)
        elif operator != "+" or not (isinstance(left, _SEQUENCES) and isinstance(right, _SEQUENCES)):
            raise RefusedError(f"'{operator}' is not for {type_name(left)} and {type_name(right)}",
                               "use numbers, or two texts")


@dataclass(frozen=True, slots=True)
class Helper:
    """A function that templates may call. A text that it returns is markup; it may also return a list of records.

    Its arguments are texts, numbers, and records: what another function returned, or the face gives. Each call is
    charged, also in shipped templates: the text to set may be a stranger's.
    """

    name: str
    function: Callable[..., Any]
    meter: StepMeter

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        self.meter.charge(DRAWING_STEPS)
        first = "words" if self.name in TEXT_FUNCTIONS else ""
        for name, value in (*(("" if n else first, value) for n, value in enumerate(args)), *kwargs.items()):
            self._check(name, value)
        try:
            result = self.function(*args, **kwargs)
        except KeyError as error:
            raise RefusedError(f"{self.name}() does not know {error}", SEE_FUNCTIONS) from error
        except (AttributeError, TypeError, ValueError, ArithmeticError) as error:
            if call := _WRONG_CALL.search(str(error)):
                raise RefusedError(f"{self.name}() {'needs' if call[1] else 'has no argument'} {call[2]}",
                                   SEE_FUNCTIONS) from error
            raise RefusedError(f"{self.name}() can't work with what it is given: {error}", SEE_FUNCTIONS) from error
        if not isinstance(result, str):
            return result
        self.meter.charge(len(result) // DRAWN_PER_STEP)
        return Markup(result)

    def _check(self, name: str, value: Any) -> None:
        """Check an argument and charge for it. A drawing or outline may be longer than a text to set in type."""
        if type(value) in NUMBERS and name != "words":  # a number that is printed may be of any size
            if not -MAX_MEASURE <= value <= MAX_MEASURE:  # also NaN
                raise RefusedError(f"{self.name}() is given a number out of range", f"up to {MAX_MEASURE:,.0f}")
        elif isinstance(value, str):
            is_drawing = name in ("drawing", "clip")
            limit = self.meter.max_text if is_drawing else MAX_LETTERING
            if len(value) > limit:
                raise RefusedError(f"{self.name}() is given more than {limit:,} characters", Phrase("shorten"))
            steps = 1 if is_drawing else LETTER_STEPS + len(value) // CHARACTERS_PER_STEP
            self.meter.charge(len(value) * steps)
        elif self.name == "rich" and name == "words" and isinstance(value, list):
            runs = [run if isinstance(run, dict) else {"words": run} for run in value]
            for run in runs:
                for key, each in run.items():
                    self._check("" if isinstance(each, list) else key, each)
            self._check("", "".join([str(run.get("words", "")) for run in runs]))
        elif name not in ("", "words") and _is_record(value):
            self.meter.examine(value)
        else:
            self.meter.write(value)


def _is_record(value: Any) -> bool:
    return not callable(value) and (is_dataclass(value) or hasattr(value, "_fields"))


def _measure(value: Any) -> int:
    """Count the steps to look at a value with everything in it; stop at the bound of lists."""
    steps, entries, todo = 0, 0, [value]
    while todo:
        each = todo.pop()
        kind = type(each)
        entries += 1
        if kind in NUMBERS:
            continue
        if isinstance(each, str):
            steps += len(each) // CHARACTERS_PER_STEP
            continue
        if isinstance(each, dict):
            todo += [*each, *each.values()]
        elif isinstance(each, list | tuple):
            todo += each
        elif kind is range:
            entries += len(each)
        _check_entries(entries + len(todo))
    return entries + steps


def _check_entries(count: int) -> None:
    if count > MAX_ENTRIES:
        raise RefusedError(f"a list grows longer than {MAX_ENTRIES:,} entries", "make it shorter")


def type_name(value: Any) -> str:
    """Return the type of a value in plain words."""
    names = {str: "a text", Markup: "a text", int: "a number", float: "a number", bool: "true or false",
             type(None): "none", list: "a list", tuple: "a list", dict: "a table", Macro: "a macro",
             Helper: "a function"}
    return names.get(type(value), f"a value of the kind {type(value).__name__}")
