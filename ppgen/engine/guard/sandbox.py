"""What strangers' templates may do, and how much of it: Jinja2's sandbox, with a price on everything.

Jinja2's own sandbox keeps templates out of Python. It does not keep them from working for hours, or from
making texts of a billion characters, so here every turn of a loop, every call and every text costs steps, and a
template has so many of them for a face. Steps are counted and no clock is asked: the same template with the
same values stops at the same place on every machine. For the same reason nothing random is to be had, and
nothing is printed but texts and numbers (Python would print where in memory an object lies).

What is left of filters, tests and methods is written for people in ``docs/hostile-decks.md``.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import wraps
from types import (
    AsyncGeneratorType,
    BuiltinMethodType,
    CodeType,
    CoroutineType,
    FrameType,
    FunctionType,
    GeneratorType,
    MethodType,
    TracebackType,
)
from typing import Any

from jinja2 import nodes
from jinja2.environment import TemplateModule
from jinja2.filters import FILTERS
from jinja2.runtime import BlockReference, Context, LoopContext, Macro, Undefined
from jinja2.sandbox import ImmutableSandboxedEnvironment, safe_range
from jinja2.tests import TESTS
from jinja2.utils import Namespace, pass_context

from ppgen.engine.guard.environment import Environment, Load
from ppgen.engine.guard.meter import PART, PRINTED, STEPS, WEIGHED, Meter
from ppgen.engine.guard.payment import LIST_FILTERS, MAX_POWER, NUMBERS, bounded, called
from ppgen.engine.guard.prices import Helper, RefusedError

TEXT_FILTERS = frozenset("capitalize e escape format lower replace safe string title trim upper".split())
NUMBER_FILTERS = frozenset("abs float int round".split())
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

_BUILT_IN = (safe_range, dict, Namespace)
_INNARDS = (type, CodeType, TracebackType, FrameType, FunctionType, GeneratorType, CoroutineType, AsyncGeneratorType)
"""Python's own insides, of which nobody needs an attribute."""
_OPEN = (Namespace, TemplateModule)
"""What holds only what a template put there, functions too."""


class Sandbox(Environment, ImmutableSandboxedEnvironment):
    """The environment in which templates of strangers are filled in."""

    intercepted_binops = frozenset({"+", "*", "**", "%"})
    """Operators whose results may be much larger than what they are given, or are texts."""

    def __init__(self, load: Load, helpers: Mapping[str, Callable[..., str]]) -> None:
        super().__init__(load, helpers, finalize=self.printed)
        self.filters = {name: self._guarded_filter(name) for name in ALLOWED_FILTERS}
        # Names that nobody can write in a template; the meter puts them there.
        self.filters |= {STEPS: self.payment.charge, WEIGHED: self.payment.weighed, PRINTED: self.payment.plain,
                         PART: self.payment.part}
        self.tests = {name: self._guarded_test(name) for name in ALLOWED_TESTS}

    @pass_context  # keeps Jinja2 from computing and printing constants while it compiles, where nobody counts
    def printed(self, _: Context, value: Any) -> Any:
        """What ``{{ value }}`` prints."""
        return value if type(value) in NUMBERS else self.payment.plain(value)

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
        return self.undefined(f"'{attribute}' of {called(obj)} is not for templates", obj=obj, name=attribute,
                              exc=RefusedError)

    def getitem(self, obj: Any, argument: Any) -> Any:
        if type(argument) not in (str, int):
            self.payment.weighed(argument)  # a key is hashed with everything in it
        return super().getitem(obj, argument)

    def call(__self, __context: Context, __obj: Any, *args: Any, **kwargs: Any) -> Any:
        if isinstance(__obj, Macro):  # pays for its body and for what it prints
            __self.payment.charge(5 + len(args) + len(kwargs))
            return __context.call(__obj, *args, **kwargs)
        kwargs.pop("_loop_vars", None)  # Jinja2 adds these two, for functions that ask for the context
        kwargs.pop("_block_vars", None)
        values = (*args, *kwargs.values())
        if isinstance(__obj, BuiltinMethodType | MethodType) and isinstance(__obj.__self__, str):
            __self.payment.for_text(__obj.__self__, __obj.__name__, args, kwargs)
        elif isinstance(__obj, BuiltinMethodType | MethodType):
            __self.payment.for_looking(__obj.__self__, *values)
        elif any(__obj is each for each in _BUILT_IN) or isinstance(__obj, LoopContext | BlockReference):
            __self.payment.for_looking(*values)
        elif not isinstance(__obj, Helper):  # which pays for itself: something that the face was given, as the texts
            __self.payment.charge(50)
            __self.payment.for_writing(*values)
        return __self.payment.taken(__context.call(__obj, *args, **kwargs))

    def call_binop(self, context: Context, operator: str, left: Any, right: Any) -> Any:
        if type(left) in NUMBERS and type(right) in NUMBERS:
            if operator == "**" and (abs(right) > MAX_POWER or (left < 0 and isinstance(right, float))):
                raise RefusedError(f"{left} ** {right} is out of range", f"powers are up to {MAX_POWER}")
            result = self.binop_table[operator](left, right)
            return result if type(result) is float else bounded(result)
        if not isinstance(left, Undefined) and not isinstance(right, Undefined):
            self.payment.for_joining(operator, left, right)
        return self.payment.taken(self.binop_table[operator](left, right))

    def _guarded_filter(self, name: str) -> Callable[..., Any]:
        """Jinja2's filter of that name, paid for, with its result taken."""
        work: Callable[..., Any] = FILTERS[name]
        lead = 1 if hasattr(work, "jinja_pass_arg") else 0  # the context or environment, which Jinja2 adds
        pay = self.payment.of_filter(name)

        @wraps(work)
        def guarded(*args: Any, **kwargs: Any) -> Any:
            if not isinstance(args[lead], Undefined):
                pay(args[lead], (*args[lead + 1:], *kwargs.values()))
            return self.payment.taken(work(*args, **kwargs))

        return guarded

    def _guarded_test(self, name: str) -> Callable[..., Any]:
        """Jinja2's test of that name, paid for."""
        work: Any = TESTS[name]
        lead = 1 if hasattr(work, "jinja_pass_arg") else 0

        @wraps(work)
        def guarded(*args: Any, **kwargs: Any) -> Any:
            for value in (*args[lead:], *kwargs.values()):
                if not isinstance(value, Undefined):
                    self.payment.weighed(value)
            return work(*args, **kwargs)

        return guarded
