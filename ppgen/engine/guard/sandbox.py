"""Sandbox for strangers' templates: Jinja2's sandbox with allow-lists.

There is nothing random, and only texts and numbers can be printed (Python would print an object's address): the same
input gives the same bytes. Templates that work for hours are ended from outside (``ppgen.process.supervision``).

``docs/functions.md`` lists the allowed filters, tests and methods.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Callable, ItemsView, Iterable, Iterator, KeysView, Mapping, ValuesView
from functools import lru_cache, wraps
from types import AsyncGeneratorType, CodeType, CoroutineType, FrameType, FunctionType, GeneratorType, TracebackType
from typing import Any

from jinja2 import nodes
from jinja2.compiler import Frame
from jinja2.environment import TemplateModule
from jinja2.filters import FILTERS
from jinja2.runtime import BlockReference, Context, LoopContext, Macro, Undefined, markup_join
from jinja2.sandbox import ImmutableSandboxedEnvironment, safe_range
from jinja2.tests import TESTS
from jinja2.utils import Namespace, pass_context
from markupsafe import Markup

from ppgen.engine.guard.refusals import (Helper, RefusedError, check_format, check_join, check_printed, check_remainder,
                                         type_name)
from ppgen.engine.guard.template_environment import Environment, Load, TemplateGenerator
from ppgen.engine.svg.subset import SOURCE_ATTRIBUTE
from ppgen.process.supervision import own_bounds

LIST_FILTERS = frozenset("batch count dictsort first items join last length list map max min reject rejectattr reverse "
                         "select selectattr slice sort sum unique".split())
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
"""Methods that templates may call, by type of value."""

_CHECKS = {"format": check_format, "join": check_join}
_VIEWS = (Iterator, KeysView, ValuesView, ItemsView)
_FIRST_TAG = re.compile("<[a-z]+")
_BUILT_IN = (safe_range, dict, Namespace)
_INTERNALS = (type, CodeType, TracebackType, FrameType, FunctionType, GeneratorType, CoroutineType, AsyncGeneratorType)
"""Python's internals; templates need none of their attributes."""
_OPEN = (Namespace, TemplateModule)
"""Types that hold only what a template put there, including functions."""

TRACED = ("text", "paragraph")
"""Functions whose faults are reported with the line that calls them, as are those of a face's own functions."""


def _add_source(drawing: Markup, caller: FrameType) -> Markup:
    """Add the line of the template that calls to the first tag of what is drawn: ``data-src``, as on its own tags."""
    tag, source = _FIRST_TAG.match(drawing), _source(caller)
    if not tag or not source:
        return drawing
    return Markup(f'{tag[0]} {SOURCE_ATTRIBUTE}="{source}"{str(drawing)[tag.end():]}')


def calling_line() -> str:
    """Return the line of the template that is calling a function, as in ``data-src``; empty if none is."""
    frame: FrameType | None = sys._getframe(1)
    while frame and not (source := _source(frame)):
        frame = frame.f_back
    return source if frame else ""


def _source(frame: FrameType) -> str:
    """Return the line of a template that a frame runs; empty for other code."""
    template, lines = frame.f_globals.get("name"), frame.f_globals.get("debug_info")
    if not isinstance(template, str) or not isinstance(lines, str):
        return ""
    return f"{template}:{template_line(lines, frame.f_lineno)}"


@lru_cache(maxsize=2_000)
def template_line(lines: str, line: int) -> int:
    """The template's line for a line of its compiled code; ``lines`` are pairs of both, ``3=17&5=21``, by Jinja2."""
    pairs = (pair.split("=") for pair in lines.split("&") if pair)
    return max((int(own) for own, code in pairs if int(code) <= line), default=1)


class SandboxGenerator(TemplateGenerator):
    """Compiles ``~`` to a call of :meth:`Sandbox.join_values`."""

    def visit_Concat(self, node: nodes.Concat, frame: Frame) -> None:
        self.write("environment.join_values((")
        for value in node.nodes:
            self.visit(value, frame)
            self.write(", ")
        self.write("))")


class NotingContext(Context):
    """Notes the names that templates look up: a face that reads no card is drawn once for all of them."""

    def resolve_or_missing(self, key: str) -> Any:
        self.environment.names_read.add(key)  # type: ignore[attr-defined]
        return super().resolve_or_missing(key)


class Sandbox(Environment, ImmutableSandboxedEnvironment):
    """The environment of strangers' templates."""

    code_generator_class = SandboxGenerator
    context_class = NotingContext
    intercepted_binops = frozenset({"%"})

    def __init__(self, load: Load, helpers: Mapping[str, Callable[..., str]]) -> None:
        super().__init__(load, helpers, finalize=self.print_value)
        self.filters = {name: _checked_filter(name) for name in ALLOWED_FILTERS}
        self.tests = {name: TESTS[name] for name in ALLOWED_TESTS}

    def compile(self, *args: Any, **kwargs: Any) -> Any:
        """Compile a template, which takes far longer than to draw a face; each is compiled once."""
        with own_bounds():
            return super().compile(*args, **kwargs)

    @pass_context  # keeps Jinja2 from computing and printing constants at compile time, unchecked
    def print_value(self, _: Context, value: Any) -> Any:
        """Check the value of ``{{ value }}``; return what it prints."""
        return value if type(value) is float else check_printed(value)

    def join_values(self, values: Iterable[Any]) -> str:
        """Join the operands of ``~``."""
        return markup_join(map(check_printed, values))

    def is_safe_attribute(self, obj: Any, attr: str, value: Any) -> bool:
        """Whether a template may read an attribute: methods only of :data:`METHODS`, and no sets (no order)."""
        if attr.startswith("_") or isinstance(obj, _INTERNALS) or isinstance(value, set | frozenset):
            return False
        return (not callable(value) or isinstance(obj, _OPEN)
                or any(attr in allowed for kind, allowed in METHODS.items() if isinstance(obj, kind)))

    def wrap_str_format(self, value: Any) -> None:
        """Disable ``str.format``, which Jinja2 allows and which pads to any width."""

    def unsafe_undefined(self, obj: Any, attribute: str) -> Undefined:
        return self.undefined(f"'{attribute}' of {type_name(obj)} is not for templates", obj=obj, name=attribute,
                              exc=RefusedError)

    def call(__self, __context: Context, __obj: Any, *args: Any, **kwargs: Any) -> Any:
        if isinstance(__obj, Helper):
            result = __context.call(__obj, *args, **kwargs)
            if isinstance(result, Markup) and (__obj.name in TRACED or __obj.name in __self.face_functions):
                return _add_source(result, sys._getframe(1))
            return result
        if isinstance(__obj, Macro):
            return __context.call(__obj, *args, **kwargs)
        kwargs.pop("_loop_vars", None)  # Jinja2 adds these two, for functions with the context
        kwargs.pop("_block_vars", None)
        owner = getattr(__obj, "__self__", None)
        if owner is None and __obj not in _BUILT_IN and not isinstance(__obj, LoopContext | BlockReference):
            for value in (*args, *kwargs.values()):  # others, such as the texts, print what they are given
                check_printed(value)
        return _as_list(__context.call(__obj, *args, **kwargs))

    def call_binop(self, context: Context, operator: str, left: Any, right: Any) -> Any:
        if not isinstance(left, Undefined) and not isinstance(right, Undefined):
            check_remainder(left, right)
        return self.binop_table[operator](left, right)


def _as_list(value: Any) -> Any:
    """Return a list of what can be gone through once, or only be gone through."""
    return list(value) if isinstance(value, _VIEWS) else value


def _checked_filter(name: str) -> Callable[..., Any]:
    """Return Jinja2's filter of that name. Those for texts print what they are given."""
    function, check = FILTERS[name], _CHECKS.get(name)
    lead = 1 if hasattr(function, "jinja_pass_arg") else 0  # the context or environment, which Jinja2 adds

    @wraps(function)
    def checked(*args: Any, **kwargs: Any) -> Any:
        if name in TEXT_FILTERS:
            for value in (*args[lead:], *kwargs.values()):
                check_printed(value)
        if check and not isinstance(args[lead], Undefined):
            check(*args[lead:], **kwargs)
        return _as_list(function(*args, **kwargs))

    return checked
