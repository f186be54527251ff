"""Sandbox for strangers' templates: Jinja2's sandbox, with a price on everything.

Jinja2's own sandbox keeps templates out of Python. It does not keep them from working for hours, or from building texts
of a billion characters. So here each loop iteration, each call and each text costs steps, and a template has a quota of
them for a face. No clock is used, so that the same template with the same values stops at the same place on every
machine. For the same reason there is nothing random, and only texts and numbers can be printed (Python would print an
object's address).

``docs/hostile-decks.md`` lists the allowed filters, tests and methods.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Callable, Mapping
from functools import lru_cache, wraps
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
from typing import Any, cast

import jinja2
from jinja2 import nodes
from jinja2.environment import TemplateModule
from jinja2.filters import FILTERS
from jinja2.runtime import BlockReference, Context, LoopContext, Macro, Undefined
from jinja2.sandbox import ImmutableSandboxedEnvironment, safe_range
from jinja2.tests import TESTS
from jinja2.utils import Namespace, pass_context
from markupsafe import Markup

from ppgen.engine.guard.metering import (
    LIST_FILTERS,
    MAX_POWER,
    NUMBERS,
    Helper,
    RefusedError,
    bound_number,
    type_name,
)
from ppgen.engine.guard.template_environment import Environment, Load
from ppgen.engine.svg_subset import SOURCE_ATTRIBUTE

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

TYPESETTING = ("text", "paragraph", "rich")
"""Functions of templates whose faults are reported with the line that calls them."""

STEPS, WEIGHED, PRINTED, PART = "(steps)", "(weighed)", "(printed)", "(part)"
"""Names of the meter's filters; a template can't contain such names."""
CHARACTERS_PER_STEP = 64
"""Characters of a template's own text that are copied in a step."""
_EXTRA_STEPS: Mapping[type[nodes.Node], int] = {
    nodes.Call: 5, nodes.CallBlock: 20, nodes.Macro: 10, nodes.Import: 50, nodes.FromImport: 50, nodes.Include: 50}
"""Additional steps of nodes that take longer than others."""


class ChargingTransformer:
    """Adds charges to a parsed template where Jinja2's own sandbox has no hook.

    Each run through a body – of the template, a loop, a macro, a block – costs as many steps as the body has nodes.
    Operators that Jinja2 compiles to plain Python get their operands through filters that call the meter's ``weigh``,
    or ``write`` where the result is a text.
    """

    def __init__(self, environment: jinja2.Environment) -> None:
        self.environment = environment
        self.changes: Mapping[type[nodes.Node], Callable[[Any, int], nodes.Node]] = {
            nodes.Template: self._body, nodes.Macro: self._body, nodes.CallBlock: self._body, nodes.Block: self._body,
            nodes.For: self._loop, nodes.Compare: self._comparison, nodes.Concat: self._concat, nodes.Pair: self._pair,
            nodes.Getitem: self._item}

    def transform(self, node: nodes.Node) -> tuple[nodes.Node, int]:
        """Return the node, or its replacement, and the steps of the node with everything in it."""
        count, kind = 1, type(node)
        if kind is nodes.Const or kind is nodes.Name:
            return node, 1
        if isinstance(node, nodes.TemplateData):
            return node, 1 + len(node.data) // CHARACTERS_PER_STEP
        for field in node.fields:
            value = getattr(node, field, None)
            if isinstance(value, nodes.Node):
                changed, inside = self.transform(value)
                setattr(node, field, changed)
                count += inside
            elif isinstance(value, list):
                for number, each in enumerate(value):
                    if isinstance(each, nodes.Node):
                        value[number], inside = self.transform(each)
                        count += inside
        count += _EXTRA_STEPS.get(kind, 0)
        change = self.changes.get(kind)
        return (change(node, count) if change else node), count

    def _body(self, node: Any, count: int) -> nodes.Node:
        steps = self._filter(nodes.Const(count, environment=self.environment), STEPS)
        node.body.insert(0, nodes.ExprStmt(steps, lineno=node.lineno, environment=self.environment))
        return cast(nodes.Node, node)

    def _loop(self, node: nodes.For, count: int) -> nodes.Node:
        if isinstance(node.test, nodes.Expr):  # entries that it rejects never reach the body
            node.test = self._filter(node.test, WEIGHED)
        return self._body(node, count)

    def _comparison(self, node: nodes.Compare, _: int) -> nodes.Node:
        values = (node.expr, *(operand.expr for operand in node.ops))
        if any(operand.op in ("in", "notin") for operand in node.ops) or not any(map(_is_constant, values)):
            node.expr = self._charged(node.expr, WEIGHED)
            for operand in node.ops:
                operand.expr = self._charged(operand.expr, WEIGHED)
        return node

    def _concat(self, node: nodes.Concat, _: int) -> nodes.Node:
        node.nodes = [self._charged(each, PRINTED) for each in node.nodes]
        return node

    def _pair(self, node: nodes.Pair, _: int) -> nodes.Node:
        node.key = self._charged(node.key, WEIGHED)  # hashing a key reads all of it
        return node

    def _item(self, node: nodes.Getitem, _: int) -> nodes.Node:
        if not isinstance(node.arg, nodes.Slice):
            return node
        bounds = [each or nodes.Const(None, environment=self.environment)
                  for each in (node.arg.start, node.arg.stop, node.arg.step)]
        return self._filter(node.node, PART, *bounds)

    def _charged(self, node: nodes.Expr, name: str) -> nodes.Expr:
        return node if _is_constant(node) else self._filter(node, name)

    def _filter(self, node: nodes.Expr, name: str, *args: nodes.Expr) -> nodes.Filter:
        return nodes.Filter(node, name, list(args), [], None, None, lineno=node.lineno, environment=self.environment)


def _add_source(drawing: Markup, caller: FrameType) -> Markup:
    """Add the line of the template that calls to the first tag of what is drawn: ``data-src``, as on its own tags."""
    tag = _FIRST_TAG.match(drawing)
    template, lines = caller.f_globals.get("name"), caller.f_globals.get("debug_info")
    if not tag or not isinstance(template, str) or not isinstance(lines, str):
        return drawing
    source = f' {SOURCE_ATTRIBUTE}="{template}:{_template_line(lines, caller.f_lineno)}"'
    return Markup(f"{tag[0]}{source}{str(drawing)[tag.end():]}")


@lru_cache(maxsize=2_000)
def _template_line(lines: str, line: int) -> int:
    """The template's line for a line of its compiled code; ``lines`` are pairs of both, ``3=17&5=21``, by Jinja2."""
    pairs = (pair.split("=") for pair in lines.split("&") if pair)
    return max((int(own) for own, code in pairs if int(code) <= line), default=1)


def _is_constant(node: nodes.Node) -> bool:
    return isinstance(node, nodes.Const | nodes.TemplateData)


class Sandbox(Environment, ImmutableSandboxedEnvironment):
    """The environment of strangers' templates."""

    intercepted_binops = frozenset({"+", "*", "**", "%"})
    """Operators whose results may be texts, or much larger than their operands."""

    def __init__(self, load: Load, helpers: Mapping[str, Callable[..., str]]) -> None:
        super().__init__(load, helpers, finalize=self.print_value)
        self.filters = {name: self._guarded_filter(name) for name in ALLOWED_FILTERS}
        self.filters |= {STEPS: self.meter.charge, WEIGHED: self.meter.weigh, PRINTED: self.meter.write,
                         PART: self.meter.slice}
        self.tests = {name: self._guarded_test(name) for name in ALLOWED_TESTS}

    @pass_context  # keeps Jinja2 from computing and printing constants at compile time, unmetered
    def print_value(self, _: Context, value: Any) -> Any:
        """Charge for ``{{ value }}``; return what it prints."""
        return value if type(value) in NUMBERS else self.meter.write(value)

    def _parse(self, source: str, name: str | None, filename: str | None) -> nodes.Template:
        # Jinja2 has no public hook between parsing and compiling; this method exists since 2.5.
        template = super()._parse(source, name, filename)
        ChargingTransformer(self).transform(template)
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
        if type(argument) not in (str, int):
            self.meter.weigh(argument)  # hashing a key reads all of it
        return super().getitem(obj, argument)

    def call(__self, __context: Context, __obj: Any, *args: Any, **kwargs: Any) -> Any:
        if isinstance(__obj, Macro):  # its body and its output are charged in it
            __self.meter.charge(5 + len(args) + len(kwargs))
            return __context.call(__obj, *args, **kwargs)
        kwargs.pop("_loop_vars", None)  # Jinja2 adds these two, for functions with the context
        kwargs.pop("_block_vars", None)
        values = (*args, *kwargs.values())
        if isinstance(__obj, BuiltinMethodType | MethodType) and isinstance(__obj.__self__, str):
            __self.meter.pay_for_method(__obj.__self__, __obj.__name__, args, kwargs)
        elif isinstance(__obj, BuiltinMethodType | MethodType):
            __self.meter.weigh_all(__obj.__self__, *values)
        elif any(__obj is each for each in _BUILT_IN) or isinstance(__obj, LoopContext | BlockReference):
            __self.meter.weigh_all(*values)
        elif not isinstance(__obj, Helper):  # a value of the face, such as the texts; helpers charge by themselves
            __self.meter.charge(50)
            __self.meter.write_all(*values)
        result = __self.meter.accept(__context.call(__obj, *args, **kwargs))
        is_type = isinstance(__obj, Helper) and __obj.name in TYPESETTING
        return _add_source(result, sys._getframe(1)) if is_type else result

    def call_binop(self, context: Context, operator: str, left: Any, right: Any) -> Any:
        if type(left) in NUMBERS and type(right) in NUMBERS:
            if operator == "**" and (abs(right) > MAX_POWER or (left < 0 and isinstance(right, float))):
                raise RefusedError(f"{left} ** {right} is out of range", f"powers are up to {MAX_POWER}")
            result = self.binop_table[operator](left, right)
            return result if type(result) is float else bound_number(result)
        if not isinstance(left, Undefined) and not isinstance(right, Undefined):
            self.meter.pay_for_operator(operator, left, right)
        return self.meter.accept(self.binop_table[operator](left, right))

    def _guarded_filter(self, name: str) -> Callable[..., Any]:
        """Return Jinja2's filter of that name, metered."""
        function: Callable[..., Any] = FILTERS[name]
        lead = 1 if hasattr(function, "jinja_pass_arg") else 0  # the context or environment, which Jinja2 adds
        pay = self.meter.filter_payment(name)

        @wraps(function)
        def guarded(*args: Any, **kwargs: Any) -> Any:
            if not isinstance(args[lead], Undefined):
                pay(args[lead], (*args[lead + 1:], *kwargs.values()))
            return self.meter.accept(function(*args, **kwargs))

        return guarded

    def _guarded_test(self, name: str) -> Callable[..., Any]:
        """Return Jinja2's test of that name, metered."""
        function: Any = TESTS[name]
        lead = 1 if hasattr(function, "jinja_pass_arg") else 0

        @wraps(function)
        def guarded(*args: Any, **kwargs: Any) -> Any:
            for value in (*args[lead:], *kwargs.values()):
                if not isinstance(value, Undefined):
                    self.meter.weigh(value)
            return function(*args, **kwargs)

        return guarded
