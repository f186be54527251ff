"""Sandbox for strangers' templates: Jinja2's sandbox with allow-lists, metered by ``metering``.

Jinja2's own sandbox keeps templates out of Python, but not from working for hours. There is nothing random, and only
texts and numbers can be printed (Python would print an object's address): the same input gives the same bytes.

``docs/hostile-decks.md`` lists the allowed filters, tests and methods.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Callable, Mapping
from functools import lru_cache, wraps
from types import AsyncGeneratorType, CodeType, CoroutineType, FrameType, FunctionType, GeneratorType, TracebackType
from typing import Any

import jinja2
from jinja2 import nodes
from jinja2.environment import TemplateModule
from jinja2.filters import FILTERS
from jinja2.runtime import BlockReference, Context, LoopContext, Macro, Undefined
from jinja2.sandbox import ImmutableSandboxedEnvironment, safe_range
from jinja2.tests import TESTS
from jinja2.utils import Namespace, pass_context
from markupsafe import Markup

from ppgen.engine.guard.metering import NUMBERS, Helper, RefusedError, type_name
from ppgen.engine.guard.template_environment import Environment, Load
from ppgen.engine.svg.subset import SOURCE_ATTRIBUTE

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

_FIRST_TAG = re.compile("<[a-z]+")
_BUILT_IN = (safe_range, dict, Namespace)
_INTERNALS = (type, CodeType, TracebackType, FrameType, FunctionType, GeneratorType, CoroutineType, AsyncGeneratorType)
"""Python's internals; templates need none of their attributes."""
_OPEN = (Namespace, TemplateModule)
"""Types that hold only what a template put there, including functions."""

TRACED = ("text", "paragraph")
"""Functions whose faults are reported with the line that calls them, as are those of a face's own functions."""

EXAMINED, WRITTEN = "(examined)", "(written)"
"""Names of the meter's filters; a template can't contain such names."""
CHARACTERS_PER_NODE = 64
"""Characters of a template's own text that count as a node."""
KEY_STEPS = 2
"""Steps to find an entry by its key: ``map(attribute=…)`` may have thousands of keys."""
_BODIES = nodes.Template | nodes.Macro | nodes.CallBlock | nodes.Block | nodes.For


def add_charges(node: Any, environment: jinja2.Environment) -> int:
    """Add charges to a parsed template where Jinja2's own sandbox has no hook; return the number of its nodes.

    Each run through a body costs as many steps as the body has nodes. What Jinja2 compiles to plain Python gets its
    operands through the meter's filters. All is done in one pass: counting anew in each body would take quadratic time.
    """
    def metered(value: Any, name: str, *steps: nodes.Expr) -> nodes.Expr:
        return nodes.Filter(value, name, list(steps), [], None, None, lineno=value.lineno, environment=environment)

    def charged(value: Any, name: str = EXAMINED) -> Any:
        return value if isinstance(value, nodes.Const) else metered(value, name)

    count = 1 + (len(node.data) // CHARACTERS_PER_NODE if isinstance(node, nodes.TemplateData) else 0)
    count += sum([add_charges(child, environment) for child in node.iter_child_nodes()])
    steps = nodes.Const(count)
    if isinstance(node, _BODIES):
        node.body.insert(0, nodes.ExprStmt(metered(nodes.Const(None), EXAMINED, steps), lineno=node.lineno))
    if isinstance(node, nodes.For):
        node.iter = charged(node.iter)
        node.test = node.test and metered(node.test, EXAMINED, steps)  # entries that it rejects never reach the body
    elif isinstance(node, nodes.Compare):
        operands: tuple[Any, ...] = (node, *node.ops)
        constant = any(isinstance(each.expr, nodes.Const) for each in operands)
        if len(operands) > 2 or "in" in node.ops[0].op or not constant:  # ``x == "a"`` looks at no more than ``"a"``
            for each in operands:
                each.expr = charged(each.expr)
    elif isinstance(node, nodes.Concat):
        node.nodes = [charged(each, WRITTEN) for each in node.nodes]
    elif isinstance(node, nodes.Pair):
        node.key = charged(node.key)  # hashing a key reads all of it
    elif isinstance(node, nodes.Getitem) and isinstance(node.arg, nodes.Slice):
        node.node = charged(node.node)
    return count


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
    return f"{template}:{_template_line(lines, frame.f_lineno)}"


@lru_cache(maxsize=2_000)
def _template_line(lines: str, line: int) -> int:
    """The template's line for a line of its compiled code; ``lines`` are pairs of both, ``3=17&5=21``, by Jinja2."""
    pairs = (pair.split("=") for pair in lines.split("&") if pair)
    return max((int(own) for own, code in pairs if int(code) <= line), default=1)


class Sandbox(Environment, ImmutableSandboxedEnvironment):
    """The environment of strangers' templates."""

    intercepted_binops = frozenset({"+", "*", "**", "%"})
    """Operators whose results may be texts, or much larger than their operands."""

    def __init__(self, load: Load, helpers: Mapping[str, Callable[..., str]]) -> None:
        super().__init__(load, helpers, finalize=self.print_value)
        self.filters = {name: self._meter_filter(name) for name in ALLOWED_FILTERS}
        self.filters |= {EXAMINED: self.meter.examine, WRITTEN: self.meter.write}
        self.tests = {name: self._meter(TESTS[name], self.meter.examine) for name in ALLOWED_TESTS}

    @pass_context  # keeps Jinja2 from computing and printing constants at compile time, unmetered
    def print_value(self, _: Context, value: Any) -> Any:
        """Charge for ``{{ value }}``; return what it prints."""
        return value if type(value) in NUMBERS else self.meter.write(value)

    def _parse(self, source: str, name: str | None, filename: str | None) -> nodes.Template:
        # Jinja2 has no public hook between parsing and compiling; this method exists since 2.5.
        template = super()._parse(source, name, filename)
        add_charges(template, self)
        return template

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

    def getitem(self, obj: Any, argument: Any) -> Any:
        return super().getitem(obj, self.meter.examine(argument, KEY_STEPS))

    def call(__self, __context: Context, __obj: Any, *args: Any, **kwargs: Any) -> Any:
        meter, examine = __self.meter, __self.meter.examine
        meter.charge(5 + len(args) + len(kwargs))
        if isinstance(__obj, Helper):  # charges for its arguments
            result = examine(__context.call(__obj, *args, **kwargs))
            draws = isinstance(result, Markup) and (__obj.name in TRACED or __obj.name in __self.face_functions)
            return _add_source(result, sys._getframe(1)) if draws else result
        if isinstance(__obj, Macro):  # charges for its body and its output
            return __context.call(__obj, *args, **kwargs)
        kwargs.pop("_loop_vars", None)  # Jinja2 adds these two, for functions with the context
        kwargs.pop("_block_vars", None)
        owner = getattr(__obj, "__self__", None)
        if isinstance(owner, str):
            meter.check_method(owner, __obj.__name__, (*args, *kwargs.values()))
        is_open = owner is not None or __obj in _BUILT_IN or isinstance(__obj, LoopContext | BlockReference)
        charge = examine if is_open else meter.write  # others, such as the texts, print what they are given
        for value in (owner, *args, *kwargs.values()):
            charge(value)
        return examine(__context.call(__obj, *args, **kwargs))

    def call_binop(self, context: Context, operator: str, left: Any, right: Any) -> Any:
        if type(left) is float is type(right) and operator != "**":  # most of them: measures
            return self.binop_table[operator](left, right)
        if not isinstance(left, Undefined) and not isinstance(right, Undefined):
            self.meter.check_operator(operator, left, right)
        return self.meter.examine(self.binop_table[operator](left, right))

    def _meter_filter(self, name: str) -> Callable[..., Any]:
        """Return Jinja2's filter of that name, metered; filters for texts print what they are given."""
        charge = self.meter.write if name in TEXT_FILTERS else self.meter.examine
        return self._meter(FILTERS[name], charge, getattr(self.meter, f"check_{name}", None))

    def _meter(self, function: Any, charge: Callable[[Any], Any],
               check: Callable[..., None] | None = None) -> Callable[..., Any]:
        """Return a filter or test of Jinja2's that charges for what it is given and for its result."""
        lead = 1 if hasattr(function, "jinja_pass_arg") else 0  # the context or environment, which Jinja2 adds

        @wraps(function)
        def metered(*args: Any, **kwargs: Any) -> Any:
            values = [charge(value) for value in args[lead:]]
            named = {name: charge(value) for name, value in kwargs.items()}
            if check and not isinstance(values[0], Undefined):
                check(*values, **named)
            return self.meter.examine(function(*args[:lead], *values, **named))

        return metered
