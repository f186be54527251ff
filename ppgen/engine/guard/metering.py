"""Metering of templates: steps that values, calls and functions cost, and the quota of a face.

No clock is used: the same template with the same values stops at the same place on every machine.
"""

from __future__ import annotations

import re
from collections.abc import Callable, ItemsView, Iterable, Iterator, KeysView, Mapping, ValuesView
from dataclasses import dataclass
from functools import partial
from typing import Any

import jinja2
from jinja2.runtime import Macro, Undefined
from markupsafe import Markup

MAX_STEPS = 1_000_000
"""Steps of a template for a face: about a second. The most expensive shipped template needs a third of them."""
MAX_TEXT = 300_000
"""Characters of a text that a template builds."""
MAX_LETTERING = 2_000
"""Characters of a text to set in type; half of them fill a card."""
MAX_NUMBER = 10 ** 15
"""The largest integer; measures in millimetres need no more."""
MAX_MEASURE = 1_000_000.0
"""The largest argument of a drawing function."""
MAX_POWER = 64
MAX_PLACES = 20
"""Places that a number is rounded to, or padded to by ``%9d``."""

LIST_FILTERS = frozenset("batch count dictsort first items join last length list map max min reject rejectattr reverse "
                         "select selectattr slice sort sum unique".split())
NUMBERS = frozenset({int, float, bool})

_CHARACTERS_PER_STEP = 16
"""Characters of a text that are copied or compared in a step."""
_OBJECT_STEPS = 20
"""Steps for a value that is neither a text nor a number nor a list, such as a rectangle."""
_STEPS_PER_ENTRY = {"sort": 20, "dictsort": 20, "unique": 20, "map": 6, "select": 6, "reject": 6, "selectattr": 8,
                    "rejectattr": 8}
_VIEWS = (KeysView, ValuesView, ItemsView)
_CONVERSION = re.compile(r"%(\(\w*\)|\()?[-#0 +]*(\*|\d*)(?:\.(\*|\d*))?[hlL]?.?", re.DOTALL)
"""A conversion of ``%`` formatting: its key, width and precision."""

Price = Callable[[Mapping[str, Any]], float]
"""The steps of a function call by its arguments."""


class RefusedError(jinja2.TemplateRuntimeError):
    """Something that templates must not do, in plain words, and a remedy."""

    def __init__(self, what: str, remedy: str = "") -> None:
        super().__init__(what)
        self.remedy = remedy


@dataclass(frozen=True, slots=True)
class Helper:
    """A function that templates may call; its result is markup.

    Each call is charged, also in shipped templates: the text to set may be a stranger's.
    """

    name: str
    function: Callable[..., str]
    price: Price
    pay: Callable[[Helper, tuple[Any, ...], Mapping[str, Any]], None]

    def __call__(self, *args: Any, **kwargs: Any) -> Markup:
        self.pay(self, args, kwargs)
        try:
            return Markup(self.function(*args, **kwargs))
        except KeyError as error:
            raise RefusedError(f"{self.name}() does not know {error}", "see docs/templates.md") from error
        except (TypeError, ValueError, ArithmeticError) as error:
            raise RefusedError(f"{self.name}() can't work with what it is given: {error}",
                               "see docs/templates.md") from error


def _paragraph_price(given: Mapping[str, Any]) -> float:
    pieces, line = _breaking_work(given)
    return 500 + 1.5 * pieces * line


def _rich_price(given: Mapping[str, Any]) -> float:
    """Lines are also balanced, and each mark begins a span that is measured by itself."""
    words = str(given.get("words", ""))
    marks = sum(words.count(sign) for sign in "*={")
    pieces, line = _breaking_work(given)
    return 1_000 + 2 * (pieces + marks) * (line + 8 * min(marks, line))


def _breaking_work(given: Mapping[str, Any]) -> tuple[int, float]:
    """Return the number of pieces between possible line breaks, and the most characters of a line.

    Each piece is measured with the line before it, in up to 25 sizes.
    """
    words = str(given.get("words", ""))
    pieces = 1 + words.count(" ") + sum(1 for character in words if character >= "\u3000")
    smallest = min(given.get("size", 1), given.get("min_size") or given.get("size", 1))
    line = abs(given.get("width", 0)) / max(0.2 * smallest, 0.001)  # characters are at least a fifth of the size wide
    return pieces, float(min(len(words), line))


PRICES: Mapping[str, Price] = {
    "text": lambda given: 200 + 10 * len(str(given.get("words", ""))),
    "text_reach": lambda given: 200 + 10 * len(str(given.get("words", ""))),
    "paragraph": _paragraph_price,
    "rich": _rich_price,
    "ruler": lambda given: 100 + 100 * abs(given.get("length", 0)),
    "drift_scale": lambda given: 100 + 400 * abs(given.get("reach", 0)),
    "band": lambda given: 500 + 150 * (abs(given.get("width", 0)) + abs(given.get("height", 0)))
                          / (abs(given.get("thick", 1)) or 1),
    "diaper": lambda given: 2_000,
    "lozenges": lambda given: 2_000,
    "line_drawing": lambda given: 100 + len(str(given.get("drawing", ""))) / 10,
    "woodcut": lambda given: 10_000 + len(str(given.get("drawing", ""))),
}
"""Prices of the drawing functions; others cost 100 steps."""


class QuotaError(RefusedError):
    """A template has used up its steps."""

    def __init__(self, limit: int) -> None:
        super().__init__(f"the template takes more than {limit:,} steps for a face",
                         "make its loops shorter; a loop inside a loop multiplies")


class StepMeter:
    """The steps of a template for a face, and the payments from them. ``begin()`` starts the next face."""

    def __init__(self) -> None:
        self.limit, self.left, self.max_text = MAX_STEPS, 0.0, MAX_TEXT

    def begin(self, sheets: float) -> None:
        """Start a face: limits grow with its size in ``sheets`` of A4."""
        self.limit, self.max_text = int(MAX_STEPS * sheets), int(MAX_TEXT * max(1.0, sheets))
        self.left = self.limit

    def charge(self, steps: float) -> None:
        """Pay for some work. Raises QuotaError when no steps are left."""
        self.left -= abs(steps)  # a template gains nothing by a negative price
        if not self.left >= 0:
            self.left = -1.0
            raise QuotaError(self.limit)

    def weigh(self, value: Any) -> Any:
        """Pay for looking through a value; return the value."""
        kind = type(value)
        self.charge(1 if kind in NUMBERS or value is None else
                    1 + len(value) / _CHARACTERS_PER_STEP if kind is str else _weight(value))
        return value

    def weigh_all(self, *values: Any) -> None:
        for value in values:
            self.weigh(value)

    def write(self, value: Any) -> Any:
        """Pay for writing a value as text; return the value. Raises RefusedError if it is not a text or a number."""
        if isinstance(value, str):
            self.charge(1 + len(value) / _CHARACTERS_PER_STEP)
        elif not (value is None or isinstance(value, int | float | Undefined)):
            raise RefusedError(f"{type_name(value)} can't be printed", "print its entries, in a loop or by their names")
        return value

    def write_all(self, *values: Any) -> None:
        for value in values:
            self.write(value)

    def slice(self, value: Any, start: Any, stop: Any, step: Any) -> Any:
        """Pay for ``value[start:stop:step]``; return it."""
        return self.weigh(value)[start:stop:step]

    def accept(self, value: Any) -> Any:
        """Pay for the result of a call or filter; return it, or a list of it if it is a view or an iterator.

        Raises RefusedError for texts and numbers out of bounds.
        """
        if isinstance(value, str):
            self._check_length(len(value))
            self.charge(len(value) / _CHARACTERS_PER_STEP)
        elif isinstance(value, int):
            bound_number(value)
        elif isinstance(value, (Iterator, *_VIEWS)):
            return list(self._charge_each(value))
        return value

    def _charge_each(self, values: Iterable[Any]) -> Iterator[Any]:
        for value in values:
            self.charge(2)
            yield value

    def pay_for_helper(self, helper: Helper, args: tuple[Any, ...], given: Mapping[str, Any]) -> None:
        for name, value in (*(("", value) for value in args), *given.items()):
            max_text = self.max_text if name == "drawing" else MAX_LETTERING
            if type(value) in NUMBERS:
                if not -MAX_MEASURE <= value <= MAX_MEASURE:  # also NaN
                    raise RefusedError(f"{helper.name}() is given a number out of range", f"up to {MAX_MEASURE:,.0f}")
            elif isinstance(self.write(value), str) and len(value) > max_text:
                raise RefusedError(f"{helper.name}() is given more than {max_text:,} characters", "shorten it")
        try:
            self.charge(helper.price({"words": args[0], **given} if args else given))
        except TypeError as error:
            raise RefusedError(f"{helper.name}() is given a text where it needs a number") from error

    def pay_for_method(self, text: str, method: str, args: tuple[Any, ...], given: Mapping[str, Any]) -> None:
        """Pay for a method of a text. For the two that make longer texts, the length is checked first."""
        self.charge(2 + len(text))
        if method == "join" and args:
            self._pay_for_joining(args[0], text)
            return
        for value in (*args, *given.values()):
            for part in value if isinstance(value, tuple) else (value,):  # startswith(("a", "b"))
                self.write(part)
        if method == "replace" and len(args) > 1:
            self._check_replacing(text, str(args[0]), str(args[1]))

    def _check_replacing(self, text: str, old: str, new: str) -> None:
        places = text.count(old) if old else len(text) + 1
        self._check_length(len(text) + places * (len(new) - len(old)))

    def _check_length(self, length: int) -> None:
        if length > self.max_text:
            raise RefusedError(f"a text grows longer than {self.max_text:,} characters", "make it shorter")

    def _pay_for_joining(self, entries: Any, separator: str) -> None:
        length = 0
        for entry in self._charge_each(entries):
            length += len(str(self.write(entry))) + len(separator)
            self._check_length(length)

    def pay_for_operator(self, operator: str, left: Any, right: Any) -> None:
        if operator == "%" and isinstance(left, str):
            self._pay_for_format(left, right if isinstance(right, tuple) else (right,))
        elif operator == "*":
            count, repeated = (left, right) if isinstance(left, int) else (right, left)
            if not isinstance(repeated, str | list | tuple) or not isinstance(count, int):
                raise _operator_error(operator, left, right)
            self._pay_for_length(len(repeated) * max(0, count), repeated)
        elif operator == "+" and all(isinstance(each, str | list | tuple) for each in (left, right)):
            self._pay_for_length(len(left) + len(right), left)
        else:
            raise _operator_error(operator, left, right)

    def _pay_for_length(self, length: int, value: Any) -> None:
        if isinstance(value, str):
            self._check_length(length)
        self.charge(1 + length / (_CHARACTERS_PER_STEP if isinstance(value, str) else 1))

    def _pay_for_format(self, words: str, values: Iterable[Any]) -> None:
        self.charge(len(words))
        for value in values:
            for each in value.values() if isinstance(value, dict) else (value,):
                self.write(each)
        for match in _CONVERSION.finditer(words):
            key, *widths = match.groups("")
            if key == "(" or any(each and (each == "*" or len(each) > 2 or int(each) > MAX_PLACES) for each in widths):
                raise RefusedError(f"'{match[0]}' fills up with more than {MAX_PLACES} characters", "use fewer")

    def filter_payment(self, name: str) -> Callable[[Any, tuple[Any, ...]], None]:
        """Return the function that pays for a filter, called with its value and its other arguments."""
        special: dict[str, Callable[[Any, tuple[Any, ...]], None]] = {
            "replace": self._pay_for_replace, "round": self._pay_for_round, "join": self._pay_for_join,
            "title": lambda value, others: self.charge(len(self.write(value) or "")),
            "format": lambda value, others: self._pay_for_format(str(self.write(value)), others),
            **dict.fromkeys(("default", "d", "length", "count", "first", "last"), lambda *_: self.charge(2))}
        if name in special:
            return special[name]
        if name in LIST_FILTERS:
            return partial(self._pay_for_list, name)
        return lambda value, others: self.write_all(value, *others)

    def _pay_for_round(self, value: Any, others: tuple[Any, ...]) -> None:
        self.write_all(value, *others)
        if any(isinstance(each, int) and abs(each) > MAX_PLACES for each in others):
            raise RefusedError(f"rounds to more than {MAX_PLACES} places", "use fewer")

    def _pay_for_replace(self, value: Any, others: tuple[Any, ...]) -> None:
        self.write_all(value, *others)
        if len(others) > 1:
            self._check_replacing(str(value), str(others[0]), str(others[1]))

    def _pay_for_join(self, value: Any, others: tuple[Any, ...]) -> None:
        if len(others) > 1:
            raise RefusedError("join() takes no attribute here", 'write map(attribute="…") | join(", ")')
        self._pay_for_joining(value, str(self.write(others[0])) if others else "")

    def _pay_for_list(self, name: str, value: Any, others: tuple[Any, ...]) -> None:
        entries = len(value) if isinstance(value, str) else _weight(value)
        self.charge(entries * _STEPS_PER_ENTRY.get(name, 3))
        for each in others:
            if isinstance(each, str):  # an attribute, filter or test, applied to each entry
                self.charge(entries * (1 + len(each) / 4))
            elif name in ("batch", "slice") and isinstance(each, int):
                self.charge(abs(each))
            elif name == "sum" and not isinstance(each, int | float):
                raise RefusedError("sum() adds numbers only", "join lists with +")
            else:
                self.weigh(each)


def _weight(value: Any) -> int:
    """Count the steps to look through a value; what a list holds ten times counts ten times."""
    total, todo = 0, [value]
    while todo and total <= MAX_STEPS:
        each = todo.pop()
        kind = type(each)
        total += 1
        if kind in NUMBERS:
            continue
        if isinstance(each, str):
            total += len(each) // _CHARACTERS_PER_STEP
        elif kind is list or kind is tuple:
            todo.extend(each)
        elif isinstance(each, dict):
            todo.extend(each)
            todo.extend(each.values())
        elif isinstance(each, tuple | list | range):
            total += len(each)
            todo.extend(() if kind is range else each)
        else:
            total += _OBJECT_STEPS
    return total


def bound_number(number: int) -> int:
    """Return an integer. Raises RefusedError if it is out of range."""
    if not -MAX_NUMBER <= number <= MAX_NUMBER:
        raise RefusedError("a number is out of range", f"up to {MAX_NUMBER:,}")
    return number


def _operator_error(operator: str, left: Any, right: Any) -> RefusedError:
    return RefusedError(f"'{operator}' is not for {type_name(left)} and {type_name(right)}",
                        "use numbers, or two texts")


def type_name(value: Any) -> str:
    """Return the type of a value in plain words."""
    names = {str: "a text", Markup: "a text", int: "a number", float: "a number", bool: "true or false",
             type(None): "none", list: "a list", tuple: "a list", dict: "a table", Macro: "a macro",
             Helper: "a function"}
    return names.get(type(value), f"a value of the kind {type(value).__name__}")
