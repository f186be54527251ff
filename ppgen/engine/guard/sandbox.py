"""What strangers' templates may do, and how much of it: Jinja2's sandbox, with a price on everything.

Jinja2's own sandbox keeps templates out of Python. It does not keep them from working for hours, or from
making texts of a billion characters, so here every turn of a loop, every call and every text costs steps, and a
template has so many of them for a face. Steps are counted and no clock is asked: the same template with the
same values stops at the same place on every machine. For the same reason nothing random is to be had, and
nothing is printed but texts and numbers (Python would print where in memory an object lies).

What is left of filters, tests and methods is written for people in ``docs/hostile-decks.md``.
"""

from __future__ import annotations

import re
from collections.abc import Callable, ItemsView, Iterable, Iterator, KeysView, Mapping, MutableMapping, ValuesView
from functools import partial, wraps
from types import (
    AsyncGeneratorType,
    BuiltinMethodType,
    CodeType,
    CoroutineType,
    FrameType,
    FunctionType,
    GeneratorType,
    MethodType,
    SimpleNamespace,
    TracebackType,
)
from typing import Any, ClassVar

import jinja2
from jinja2 import nodes
from jinja2.bccache import Bucket
from jinja2.environment import TemplateModule
from jinja2.filters import FILTERS
from jinja2.runtime import BlockReference, Context, LoopContext, Macro, Undefined
from jinja2.sandbox import ImmutableSandboxedEnvironment, safe_range
from jinja2.tests import TESTS
from jinja2.utils import Namespace, pass_context
from markupsafe import Markup

from ppgen.engine.guard.meter import PART, PRINTED, STEPS, WEIGHED, Meter
from ppgen.engine.guard.prices import PRICES, Helper, RefusedError
from ppgen.errors import listed

MAX_STEPS = 1_000_000
"""What a template may spend on a face: about a second. The most expensive shipped one takes a third of it."""
MAX_TEXT = 200_000
"""Characters of a text that a template puts together."""
MAX_LETTERING = 2_000
"""Characters of a text that is to be set in type; a card is full with half of them."""
MAX_NUMBER = 10 ** 15
"""The largest whole number; measures in millimetres need no more."""
MAX_MEASURE = 1_000_000.0
"""The largest number that a drawing function is given."""
MAX_POWER = 64
MAX_LISTED = 30
"""The most names that a message lists."""
MAX_PLACES = 20
"""The most places that a number is rounded to, or filled up to by ``%9d``."""

TEXT_FILTERS = frozenset("capitalize e escape format lower replace safe string title trim upper".split())
NUMBER_FILTERS = frozenset("abs float int round".split())
LIST_FILTERS = frozenset("batch count dictsort first items join last length list map max min reject rejectattr reverse "
                         "select selectattr slice sort sum unique".split())
ALLOWED_FILTERS = TEXT_FILTERS | NUMBER_FILTERS | LIST_FILTERS | {"d", "default"}
ALLOWED_TESTS = frozenset(TESTS) - {"callable", "filter", "test"}
METHODS: Mapping[type, frozenset[str]] = {
    str: frozenset("capitalize casefold count endswith find index isalnum isalpha isdigit islower isnumeric isspace "
                   "isupper join lower lstrip partition removeprefix removesuffix replace rfind rindex rpartition "
                   "rsplit rstrip split splitlines startswith strip swapcase title upper".split()),
    dict: frozenset("get items keys values".split()),
    list: frozenset("count index".split()),
    tuple: frozenset("count index".split()),
    LoopContext: frozenset("changed cycle".split()),
}
"""The methods of values that templates may call."""

_SIGNS = 16
"""So many characters of a text are copied or compared for a step."""
_OBJECT = 20
"""The weight of a value that is neither a text nor a number nor a list, such as a rectangle."""
_COST_OF_AN_ENTRY = {"sort": 20, "dictsort": 20, "unique": 20, "map": 6, "select": 6, "reject": 6, "selectattr": 8,
                     "rejectattr": 8}
_VIEWS = (KeysView, ValuesView, ItemsView)
_BUILT_IN = (safe_range, dict, Namespace)
_CONVERSION = re.compile(r"%(\(\w*\)|\()?[-#0 +]*(\*|\d*)(?:\.(\*|\d*))?[hlL]?.?", re.DOTALL)
"""A place of ``%`` formatting: its key, width and precision."""
_NUMBERS = frozenset({int, float, bool})
_INNARDS = (type, CodeType, TracebackType, FrameType, FunctionType, GeneratorType, CoroutineType, AsyncGeneratorType)
"""Python's own insides, of which nobody needs an attribute."""
_OPEN = (Namespace, TemplateModule)
"""What holds only what a template put there, functions too."""


class OverrunError(RefusedError):
    """A template has spent its steps."""

    def __init__(self, most: int) -> None:
        super().__init__(f"the template takes more than {most:,} steps for a face",
                         "make its loops shorter; a loop inside a loop multiplies")


class Loader(jinja2.FunctionLoader):
    """Loads templates, and doesn't try again to compile what can't be: that would take seconds for every card."""

    def __init__(self, load: Callable[[str], tuple[str, str, None] | None]) -> None:
        super().__init__(load)
        self._unusable: dict[str, Exception] = {}

    def load(self, environment: jinja2.Environment, name: str,
             globals: MutableMapping[str, Any] | None = None) -> jinja2.Template:
        if name in self._unusable:
            raise self._unusable[name].with_traceback(None)
        try:
            return super().load(environment, name, globals)
        except jinja2.TemplateNotFound:
            raise
        except Exception as error:
            self._unusable[name] = error
            raise


class Compiled(jinja2.BytecodeCache):
    """Keeps what was compiled of each template in memory, for whoever opens the same ones again: the preview."""

    kept: ClassVar[dict[str, tuple[str, CodeType]]] = {}
    """By the template's name: the mark of its text, and the code."""

    def load_bytecode(self, bucket: Bucket) -> None:
        mark, code = self.kept.get(bucket.key, ("", None))
        bucket.code = code if mark == bucket.checksum else None

    def dump_bytecode(self, bucket: Bucket) -> None:
        if bucket.code is not None:
            self.kept[bucket.key] = bucket.checksum, bucket.code


class Missing(jinja2.StrictUndefined):
    """What a template asked for and does not get: its message lists what there is."""

    __slots__ = ()

    def __init__(self, hint: str | None = None, obj: Any = jinja2.utils.missing, name: str | None = None,
                 exc: type[jinja2.TemplateRuntimeError] = jinja2.UndefinedError) -> None:
        entries = vars(obj) if type(obj) is SimpleNamespace else obj
        if hint is None and type(entries) is dict:
            known = sorted(key for key in entries if isinstance(key, str))[:MAX_LISTED]
            hint = f"'{name}' is not one of {listed(known)}" if known else f"'{name}' is asked of what is empty"
        super().__init__(hint, obj, name, exc)


class Sandbox(ImmutableSandboxedEnvironment):
    """The environment in which templates are filled in. ``begin()`` gives the next template its steps."""

    intercepted_binops = frozenset({"+", "*", "**", "%"})
    """Operators whose results may be much larger than what they are given, or are texts."""

    def __init__(self, load: Callable[[str], tuple[str, str, None] | None],
                 helpers: Mapping[str, Callable[..., str]]) -> None:
        super().__init__(
            loader=Loader(load), bytecode_cache=Compiled(), undefined=Missing, autoescape=True,
            trim_blocks=True, lstrip_blocks=True, auto_reload=False, cache_size=-1, finalize=self.printed,
            optimized=False)  # each template is compiled once a run: the optimizer costs more than it saves
        self.most, self.left = MAX_STEPS, 0.0
        self.code = 0
        """Characters of code that were compiled so far, in all templates."""
        self.globals = {"range": safe_range, "dict": dict, "namespace": Namespace}
        self.globals.update((name, Helper(name, work, PRICES.get(name, lambda given: 100)))
                            for name, work in helpers.items())
        self.filters = {name: self._guarded_filter(name) for name in ALLOWED_FILTERS}
        # Names that nobody can write in a template; the meter puts them there.
        self.filters |= {STEPS: self.charge, WEIGHED: self.weighed, PRINTED: self.plain, PART: self.part}
        self.tests = {name: self._guarded_test(name) for name in ALLOWED_TESTS}

    def begin(self, sheets: float) -> None:
        """Give the template that is filled in next its steps, so many more as its face is larger than a sheet."""
        self.most = int(MAX_STEPS * sheets)
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
        self.charge(1 if kind in _NUMBERS or value is None else
                    1 + len(value) / _SIGNS if kind is str else _weight(value))
        return value

    def plain(self, value: Any) -> Any:
        """Pay for writing a value down, which must be a text or a number; the value."""
        if isinstance(value, str):
            self.charge(1 + len(value) / _SIGNS)
        elif not (value is None or isinstance(value, int | float | Undefined)):
            raise RefusedError(f"{_called(value)} can't be printed", "print its entries, in a loop or by their names")
        return value

    @pass_context  # keeps Jinja2 from computing and printing constants while it compiles, where nobody counts
    def printed(self, _: Context, value: Any) -> Any:
        """What ``{{ value }}`` prints."""
        return value if type(value) in _NUMBERS else self.plain(value)

    def part(self, value: Any, start: Any, stop: Any, step: Any) -> Any:
        """``value[start:stop:step]``."""
        return self.weighed(value)[start:stop:step]

    def taken(self, value: Any) -> Any:
        """What a call or a filter gave: texts and numbers within bounds, and a list where Python has a view."""
        if isinstance(value, str):
            if len(value) > MAX_TEXT:
                raise _too_long()
            self.charge(len(value) / _SIGNS)
        elif isinstance(value, int):
            _bounded(value)
        elif isinstance(value, (Iterator, *_VIEWS)):
            return list(self._counted(value))
        return value

    def _counted(self, values: Iterable[Any]) -> Iterator[Any]:
        for value in values:
            self.charge(2)
            yield value

    # ---------- what Jinja2 asks its environment ----------

    def _parse(self, source: str, name: str | None, filename: str | None) -> nodes.Template:
        # Jinja2 has no public place between parsing and compiling; this one has been there since 2.5.
        template = super()._parse(source, name, filename)
        Meter(self).put_into(template)
        return template

    def is_safe_attribute(self, obj: Any, attr: str, value: Any) -> bool:
        """Whether a template may have an attribute: methods only those of :data:`METHODS`, and no sets (no order)."""
        if attr.startswith("_") or isinstance(obj, _INNARDS) or isinstance(value, set | frozenset):
            return False
        return (not callable(value) or isinstance(obj, _OPEN)
                or any(attr in allowed for kind, allowed in METHODS.items() if isinstance(obj, kind)))

    def wrap_str_format(self, value: Any) -> None:
        """Jinja2 would let ``str.format`` through, which fills up to any width."""

    def unsafe_undefined(self, obj: Any, attribute: str) -> Undefined:
        return self.undefined(f"'{attribute}' of {_called(obj)} is not for templates", obj=obj, name=attribute,
                              exc=RefusedError)

    def getitem(self, obj: Any, argument: Any) -> Any:
        if type(argument) not in (str, int):
            self.weighed(argument)  # a key is hashed with everything in it
        return super().getitem(obj, argument)

    def call(__self, __context: Context, __obj: Any, *args: Any, **kwargs: Any) -> Any:
        if isinstance(__obj, Macro):  # pays for its body and for what it prints
            __self.charge(5 + len(args) + len(kwargs))
            return __context.call(__obj, *args, **kwargs)
        kwargs.pop("_loop_vars", None)  # Jinja2 adds these two, for functions that ask for the context
        kwargs.pop("_block_vars", None)
        values = (*args, *kwargs.values())
        if isinstance(__obj, Helper):
            __self._pay_for_helper(__obj, args, kwargs)
        elif isinstance(__obj, BuiltinMethodType | MethodType) and isinstance(__obj.__self__, str):
            __self._pay_for_text(__obj.__self__, __obj.__name__, args, kwargs)
        elif isinstance(__obj, BuiltinMethodType | MethodType):
            __self._pay_for_looking(__obj.__self__, *values)
        elif any(__obj is each for each in _BUILT_IN) or isinstance(__obj, LoopContext | BlockReference):
            __self._pay_for_looking(*values)
        else:  # something that the face was given, such as the texts
            __self.charge(50)
            __self._pay_for_writing(*values)
        return __self.taken(__context.call(__obj, *args, **kwargs))

    def call_binop(self, context: Context, operator: str, left: Any, right: Any) -> Any:
        if type(left) in _NUMBERS and type(right) in _NUMBERS:
            if operator == "**" and (abs(right) > MAX_POWER or (left < 0 and isinstance(right, float))):
                raise RefusedError(f"{left} ** {right} is out of range", f"powers are up to {MAX_POWER}")
            result = self.binop_table[operator](left, right)
            return result if type(result) is float else _bounded(result)
        if not isinstance(left, Undefined) and not isinstance(right, Undefined):
            self._pay_for_joining(operator, left, right)
        return self.taken(self.binop_table[operator](left, right))

    # ---------- prices ----------

    def _pay_for_looking(self, *values: Any) -> None:
        for value in values:
            self.weighed(value)

    def _pay_for_writing(self, *values: Any) -> None:
        for value in values:
            self.plain(value)

    def _pay_for_helper(self, helper: Helper, args: tuple[Any, ...], given: Mapping[str, Any]) -> None:
        for value in (*args, *given.values()):
            if type(value) in _NUMBERS:
                if not -MAX_MEASURE <= value <= MAX_MEASURE:  # nor is what is no number at all
                    raise RefusedError(f"{helper.name}() is given a number out of range", f"up to {MAX_MEASURE:,.0f}")
            elif isinstance(self.plain(value), str) and len(value) > MAX_LETTERING:
                raise RefusedError(f"{helper.name}() is given more than {MAX_LETTERING:,} characters", "shorten it")
        try:
            self.charge(helper.price({"words": args[0], **given} if args else given))
        except TypeError as error:
            raise RefusedError(f"{helper.name}() is given a text where it needs a number") from error

    def _pay_for_text(self, text: str, method: str, args: tuple[Any, ...], given: Mapping[str, Any]) -> None:
        """Pay for a method of a text; the two that make longer texts are measured before."""
        self.charge(2 + len(text))
        if method == "join" and args:
            self._pay_for_entries(args[0], text)
            return
        for value in (*args, *given.values()):
            for part in value if isinstance(value, tuple) else (value,):  # startswith(("a", "b"))
                self.plain(part)
        if method == "replace" and len(args) > 1:
            _check_replacing(text, str(args[0]), str(args[1]))

    def _pay_for_entries(self, entries: Any, between: str) -> None:
        """Pay for joining texts and numbers into one text."""
        length = 0
        for entry in self._counted(entries):
            length += len(str(self.plain(entry))) + len(between)
            if length > MAX_TEXT:
                raise _too_long()

    def _pay_for_joining(self, operator: str, left: Any, right: Any) -> None:
        if operator == "%" and isinstance(left, str):
            self._pay_for_format(left, right if isinstance(right, tuple) else (right,))
        elif operator == "*":
            count, repeated = (left, right) if isinstance(left, int) else (right, left)
            if not isinstance(repeated, str | list | tuple) or not isinstance(count, int):
                raise _not_for(operator, left, right)
            self._pay_for_length(len(repeated) * max(0, count), repeated)
        elif operator == "+" and all(isinstance(each, str | list | tuple) for each in (left, right)):
            self._pay_for_length(len(left) + len(right), left)
        else:
            raise _not_for(operator, left, right)

    def _pay_for_length(self, length: int, value: Any) -> None:
        if isinstance(value, str) and length > MAX_TEXT:
            raise _too_long()
        self.charge(1 + length / (_SIGNS if isinstance(value, str) else 1))

    def _pay_for_format(self, words: str, values: Iterable[Any]) -> None:
        self.charge(len(words))
        for value in values:
            for each in value.values() if isinstance(value, dict) else (value,):
                self.plain(each)
        for match in _CONVERSION.finditer(words):
            key, *rooms = match.groups("")
            if key == "(" or any(room and (room == "*" or len(room) > 2 or int(room) > MAX_PLACES) for room in rooms):
                raise RefusedError(f"'{match[0]}' fills up with more than {MAX_PLACES} characters", "use fewer")

    # ---------- filters and tests ----------

    def _guarded_filter(self, name: str) -> Callable[..., Any]:
        """Jinja2's filter of that name, paid for, with its result taken."""
        work: Callable[..., Any] = FILTERS[name]
        lead = 1 if hasattr(work, "jinja_pass_arg") else 0  # the context or environment, which Jinja2 adds
        pay = self._payment(name)

        @wraps(work)
        def guarded(*args: Any, **kwargs: Any) -> Any:
            if not isinstance(args[lead], Undefined):
                pay(args[lead], (*args[lead + 1:], *kwargs.values()))
            return self.taken(work(*args, **kwargs))

        return guarded

    def _payment(self, name: str) -> Callable[[Any, tuple[Any, ...]], None]:
        """How a filter is paid for, by its value and its other arguments."""
        special: dict[str, Callable[[Any, tuple[Any, ...]], None]] = {
            "replace": self._pay_for_replacing, "round": self._pay_for_rounding, "join": self._pay_for_join,
            "title": lambda value, others: self.charge(len(self.plain(value) or "")),
            "format": lambda value, others: self._pay_for_format(str(self.plain(value)), others),
            **dict.fromkeys(("default", "d", "length", "count", "first", "last"), lambda *_: self.charge(2))}
        if name in special:
            return special[name]
        if name in LIST_FILTERS:
            return partial(self._pay_for_list, name)
        return lambda value, others: self._pay_for_writing(value, *others)

    def _pay_for_rounding(self, value: Any, others: tuple[Any, ...]) -> None:
        self._pay_for_writing(value, *others)
        if any(isinstance(each, int) and abs(each) > MAX_PLACES for each in others):
            raise RefusedError(f"rounds to more than {MAX_PLACES} places", "use fewer")

    def _pay_for_replacing(self, value: Any, others: tuple[Any, ...]) -> None:
        self._pay_for_writing(value, *others)
        if len(others) > 1:
            _check_replacing(str(value), str(others[0]), str(others[1]))

    def _pay_for_join(self, value: Any, others: tuple[Any, ...]) -> None:
        if len(others) > 1:
            raise RefusedError("join() takes no attribute here", 'write map(attribute="…") | join(", ")')
        self._pay_for_entries(value, str(self.plain(others[0])) if others else "")

    def _pay_for_list(self, name: str, value: Any, others: tuple[Any, ...]) -> None:
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

    def _guarded_test(self, name: str) -> Callable[..., Any]:
        """Jinja2's test of that name, paid for."""
        work: Any = TESTS[name]
        lead = 1 if hasattr(work, "jinja_pass_arg") else 0

        @wraps(work)
        def guarded(*args: Any, **kwargs: Any) -> Any:
            for value in (*args[lead:], *kwargs.values()):
                if not isinstance(value, Undefined):
                    self.weighed(value)
            return work(*args, **kwargs)

        return guarded


def _weight(value: Any) -> int:
    """How many steps it takes to look through a value; what a list holds ten times counts ten times."""
    total, todo = 0, [value]
    while todo and total <= MAX_STEPS:
        each = todo.pop()
        kind = type(each)
        total += 1
        if kind in _NUMBERS:
            continue
        if isinstance(each, str):
            total += len(each) // _SIGNS
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


def _bounded(number: int) -> int:
    if not -MAX_NUMBER <= number <= MAX_NUMBER:
        raise RefusedError("a number is out of range", f"up to {MAX_NUMBER:,}")
    return number


def _check_replacing(text: str, old: str, new: str) -> None:
    places = text.count(old) if old else len(text) + 1
    if len(text) + places * (len(new) - len(old)) > MAX_TEXT:
        raise _too_long()


def _too_long() -> RefusedError:
    return RefusedError(f"a text grows longer than {MAX_TEXT:,} characters", "make it shorter")


def _not_for(operator: str, left: Any, right: Any) -> RefusedError:
    return RefusedError(f"'{operator}' is not for {_called(left)} and {_called(right)}", "use numbers, or two texts")


def _called(value: Any) -> str:
    """What sort of thing a value is, in plain words."""
    names = {str: "a text", Markup: "a text", int: "a number", float: "a number", bool: "true or false",
             type(None): "none", list: "a list", tuple: "a list", dict: "a table", Macro: "a macro",
             Helper: "a function"}
    return names.get(type(value), f"a value of the kind {type(value).__name__}")
