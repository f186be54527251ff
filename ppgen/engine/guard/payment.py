"""Turns what a template does with a value into steps, and stops it when it has spent those it has for a face.

No clock is asked: the same template with the same values stops at the same place on every machine.
"""

from __future__ import annotations

import re
from collections.abc import Callable, ItemsView, Iterable, Iterator, KeysView, Mapping, ValuesView
from functools import partial
from typing import Any

from jinja2.runtime import Macro, Undefined
from markupsafe import Markup

from ppgen.engine.guard.prices import Helper, RefusedError

MAX_STEPS = 1_000_000
"""What a template may spend on a face: about a second. The most expensive shipped one takes a third of it."""
MAX_TEXT = 300_000
"""Characters of a text that a template puts together."""
MAX_LETTERING = 2_000
"""Characters of a text that is to be set in type; a card is full with half of them."""
MAX_NUMBER = 10 ** 15
"""The largest whole number; measures in millimetres need no more."""
MAX_MEASURE = 1_000_000.0
"""The largest number that a drawing function is given."""
MAX_POWER = 64
MAX_PLACES = 20
"""The most places that a number is rounded to, or filled up to by ``%9d``."""

LIST_FILTERS = frozenset("batch count dictsort first items join last length list map max min reject rejectattr reverse "
                         "select selectattr slice sort sum unique".split())

_CHARACTERS = 16
"""So many characters of a text are copied or compared for a step."""
_OBJECT = 20
"""The weight of a value that is neither a text nor a number nor a list, such as a rectangle."""
_COST_OF_AN_ENTRY = {"sort": 20, "dictsort": 20, "unique": 20, "map": 6, "select": 6, "reject": 6, "selectattr": 8,
                     "rejectattr": 8}
_VIEWS = (KeysView, ValuesView, ItemsView)
_CONVERSION = re.compile(r"%(\(\w*\)|\()?[-#0 +]*(\*|\d*)(?:\.(\*|\d*))?[hlL]?.?", re.DOTALL)
"""A place of ``%`` formatting: its key, width and precision."""
NUMBERS = frozenset({int, float, bool})


class OverrunError(RefusedError):
    """A template has spent its steps."""

    def __init__(self, most: int) -> None:
        super().__init__(f"the template takes more than {most:,} steps for a face",
                         "make its loops shorter; a loop inside a loop multiplies")


class Payment:
    """The steps of a template, and what it pays of them. ``begin()`` gives the next template its own."""

    def __init__(self) -> None:
        self.most, self.left, self.longest = MAX_STEPS, 0.0, MAX_TEXT

    def begin(self, sheets: float) -> None:
        """Give the template that is filled in next its steps: so many more as its face is larger than a sheet; its
        texts may be so much longer."""
        self.most, self.longest = int(MAX_STEPS * sheets), int(MAX_TEXT * max(1.0, sheets))
        self.left = self.most

    def charge(self, steps: float) -> None:
        """Pay for some work. Raises OverrunError when nothing is left."""
        self.left -= abs(steps)  # a template that finds a way to pay less than nothing gains nothing by it
        if not self.left >= 0:
            self.left = -1.0
            raise OverrunError(self.most)

    def weighed(self, value: Any) -> Any:
        """Pay for looking through a value; the value."""
        kind = type(value)
        self.charge(1 if kind in NUMBERS or value is None else
                    1 + len(value) / _CHARACTERS if kind is str else _weight(value))
        return value

    def plain(self, value: Any) -> Any:
        """Pay for writing a value down, which must be a text or a number; the value."""
        if isinstance(value, str):
            self.charge(1 + len(value) / _CHARACTERS)
        elif not (value is None or isinstance(value, int | float | Undefined)):
            raise RefusedError(f"{called(value)} can't be printed", "print its entries, in a loop or by their names")
        return value

    def part(self, value: Any, start: Any, stop: Any, step: Any) -> Any:
        """``value[start:stop:step]``."""
        return self.weighed(value)[start:stop:step]

    def taken(self, value: Any) -> Any:
        """What a call or a filter gave: texts and numbers within bounds, and a list where Python has a view."""
        if isinstance(value, str):
            self._measured(len(value))
            self.charge(len(value) / _CHARACTERS)
        elif isinstance(value, int):
            bounded(value)
        elif isinstance(value, (Iterator, *_VIEWS)):
            return list(self._counted(value))
        return value

    def _counted(self, values: Iterable[Any]) -> Iterator[Any]:
        for value in values:
            self.charge(2)
            yield value

    def for_looking(self, *values: Any) -> None:
        for value in values:
            self.weighed(value)

    def for_writing(self, *values: Any) -> None:
        for value in values:
            self.plain(value)

    def for_helper(self, helper: Helper, args: tuple[Any, ...], given: Mapping[str, Any]) -> None:
        for name, value in (*(("", value) for value in args), *given.items()):
            longest = self.longest if name == "drawing" else MAX_LETTERING
            if type(value) in NUMBERS:
                if not -MAX_MEASURE <= value <= MAX_MEASURE:  # nor is what is no number at all
                    raise RefusedError(f"{helper.name}() is given a number out of range", f"up to {MAX_MEASURE:,.0f}")
            elif isinstance(self.plain(value), str) and len(value) > longest:
                raise RefusedError(f"{helper.name}() is given more than {longest:,} characters", "shorten it")
        try:
            self.charge(helper.price({"words": args[0], **given} if args else given))
        except TypeError as error:
            raise RefusedError(f"{helper.name}() is given a text where it needs a number") from error

    def for_text(self, text: str, method: str, args: tuple[Any, ...], given: Mapping[str, Any]) -> None:
        """Pay for a method of a text; the two that make longer texts are measured before."""
        self.charge(2 + len(text))
        if method == "join" and args:
            self._for_entries(args[0], text)
            return
        for value in (*args, *given.values()):
            for part in value if isinstance(value, tuple) else (value,):  # startswith(("a", "b"))
                self.plain(part)
        if method == "replace" and len(args) > 1:
            self._measured_replacing(text, str(args[0]), str(args[1]))

    def _measured_replacing(self, text: str, old: str, new: str) -> None:
        places = text.count(old) if old else len(text) + 1
        self._measured(len(text) + places * (len(new) - len(old)))

    def _measured(self, length: int) -> None:
        if length > self.longest:
            raise RefusedError(f"a text grows longer than {self.longest:,} characters", "make it shorter")

    def _for_entries(self, entries: Any, between: str) -> None:
        """Pay for joining texts and numbers into one text."""
        length = 0
        for entry in self._counted(entries):
            length += len(str(self.plain(entry))) + len(between)
            self._measured(length)

    def for_joining(self, operator: str, left: Any, right: Any) -> None:
        if operator == "%" and isinstance(left, str):
            self._for_format(left, right if isinstance(right, tuple) else (right,))
        elif operator == "*":
            count, repeated = (left, right) if isinstance(left, int) else (right, left)
            if not isinstance(repeated, str | list | tuple) or not isinstance(count, int):
                raise _not_for(operator, left, right)
            self._for_length(len(repeated) * max(0, count), repeated)
        elif operator == "+" and all(isinstance(each, str | list | tuple) for each in (left, right)):
            self._for_length(len(left) + len(right), left)
        else:
            raise _not_for(operator, left, right)

    def _for_length(self, length: int, value: Any) -> None:
        if isinstance(value, str):
            self._measured(length)
        self.charge(1 + length / (_CHARACTERS if isinstance(value, str) else 1))

    def _for_format(self, words: str, values: Iterable[Any]) -> None:
        self.charge(len(words))
        for value in values:
            for each in value.values() if isinstance(value, dict) else (value,):
                self.plain(each)
        for match in _CONVERSION.finditer(words):
            key, *rooms = match.groups("")
            if key == "(" or any(room and (room == "*" or len(room) > 2 or int(room) > MAX_PLACES) for room in rooms):
                raise RefusedError(f"'{match[0]}' fills up with more than {MAX_PLACES} characters", "use fewer")

    def of_filter(self, name: str) -> Callable[[Any, tuple[Any, ...]], None]:
        """How a filter is paid for, by its value and its other arguments."""
        special: dict[str, Callable[[Any, tuple[Any, ...]], None]] = {
            "replace": self._for_replacing, "round": self._for_rounding, "join": self._for_join,
            "title": lambda value, others: self.charge(len(self.plain(value) or "")),
            "format": lambda value, others: self._for_format(str(self.plain(value)), others),
            **dict.fromkeys(("default", "d", "length", "count", "first", "last"), lambda *_: self.charge(2))}
        if name in special:
            return special[name]
        if name in LIST_FILTERS:
            return partial(self._for_list, name)
        return lambda value, others: self.for_writing(value, *others)

    def _for_rounding(self, value: Any, others: tuple[Any, ...]) -> None:
        self.for_writing(value, *others)
        if any(isinstance(each, int) and abs(each) > MAX_PLACES for each in others):
            raise RefusedError(f"rounds to more than {MAX_PLACES} places", "use fewer")

    def _for_replacing(self, value: Any, others: tuple[Any, ...]) -> None:
        self.for_writing(value, *others)
        if len(others) > 1:
            self._measured_replacing(str(value), str(others[0]), str(others[1]))

    def _for_join(self, value: Any, others: tuple[Any, ...]) -> None:
        if len(others) > 1:
            raise RefusedError("join() takes no attribute here", 'write map(attribute="…") | join(", ")')
        self._for_entries(value, str(self.plain(others[0])) if others else "")

    def _for_list(self, name: str, value: Any, others: tuple[Any, ...]) -> None:
        entries = len(value) if isinstance(value, str) else _weight(value)
        self.charge(entries * _COST_OF_AN_ENTRY.get(name, 3))
        for each in others:
            if isinstance(each, str):  # an attribute, or the name of a filter or a test, for each entry
                self.charge(entries * (1 + len(each) / 4))
            elif name in ("batch", "slice") and isinstance(each, int):
                self.charge(abs(each))
            elif name == "sum" and not isinstance(each, int | float):
                raise RefusedError("sum() adds numbers only", "join lists with +")
            else:
                self.weighed(each)


def _weight(value: Any) -> int:
    """How many steps it takes to look through a value; what a list holds ten times counts ten times."""
    total, todo = 0, [value]
    while todo and total <= MAX_STEPS:
        each = todo.pop()
        kind = type(each)
        total += 1
        if kind in NUMBERS:
            continue
        if isinstance(each, str):
            total += len(each) // _CHARACTERS
        elif kind is list or kind is tuple:
            todo.extend(each)
        elif isinstance(each, dict):
            todo.extend(each)
            todo.extend(each.values())
        elif isinstance(each, tuple | list | range):
            total += len(each)
            todo.extend(() if kind is range else each)
        else:
            total += _OBJECT
    return total


def bounded(number: int) -> int:
    if not -MAX_NUMBER <= number <= MAX_NUMBER:
        raise RefusedError("a number is out of range", f"up to {MAX_NUMBER:,}")
    return number


def _not_for(operator: str, left: Any, right: Any) -> RefusedError:
    return RefusedError(f"'{operator}' is not for {called(left)} and {called(right)}", "use numbers, or two texts")


def called(value: Any) -> str:
    """What sort of thing a value is, in plain words."""
    names = {str: "a text", Markup: "a text", int: "a number", float: "a number", bool: "true or false",
             type(None): "none", list: "a list", tuple: "a list", dict: "a table", Macro: "a macro",
             Helper: "a function"}
    return names.get(type(value), f"a value of the kind {type(value).__name__}")
