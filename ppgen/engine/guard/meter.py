"""Turns a parsed template into one that pays for its work: the charges that Jinja2's own sandbox has no place for."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, cast

import jinja2
from jinja2 import nodes

STEPS, WEIGHED, PRINTED, PART = "(steps)", "(weighed)", "(printed)", "(part)"
"""Names of filters that the sandbox has for the meter; nobody can write them in a template."""
COPIED = 64
"""So many characters of a template's own text are copied for a step."""
_MORE: Mapping[type[nodes.Node], int] = {
    nodes.Call: 5, nodes.CallBlock: 20, nodes.Macro: 10, nodes.Import: 50, nodes.FromImport: 50, nodes.Include: 50}
"""What takes longer than other nodes, in steps."""


class Meter:
    """Puts a charge at the start of every body of a parsed template, and on everything that looks through a value.

    A body – of the template, a loop, a macro, a block – costs as many steps as it has nodes, each time it is
    gone through. Operators that Jinja2 writes as plain Python are handed their values through
    the sandbox's ``weighed``, or ``plain`` where they make texts of them.
    """

    def __init__(self, environment: jinja2.Environment) -> None:
        self.environment = environment
        self.changes: Mapping[type[nodes.Node], Callable[[Any, int], nodes.Node]] = {
            nodes.Template: self._body, nodes.Macro: self._body, nodes.CallBlock: self._body, nodes.Block: self._body,
            nodes.For: self._loop, nodes.Compare: self._comparison, nodes.Concat: self._joined, nodes.Pair: self._pair,
            nodes.Getitem: self._item}

    def put_into(self, node: nodes.Node) -> tuple[nodes.Node, int]:
        """The node, or the one that stands in its place, and how many nodes it has had."""
        count, kind = 1, type(node)
        if kind is nodes.Const or kind is nodes.Name:
            return node, 1
        if isinstance(node, nodes.TemplateData):
            return node, 1 + len(node.data) // (COPIED)  # copied as it is
        for field in node.fields:
            value = getattr(node, field, None)
            if isinstance(value, nodes.Node):
                changed, inside = self.put_into(value)
                setattr(node, field, changed)
                count += inside
            elif isinstance(value, list):
                for number, each in enumerate(value):
                    if isinstance(each, nodes.Node):
                        value[number], inside = self.put_into(each)
                        count += inside
        count += _MORE.get(kind, 0)
        change = self.changes.get(kind)
        return (change(node, count) if change else node), count

    def _body(self, node: Any, count: int) -> nodes.Node:
        steps = self._filter(nodes.Const(count, environment=self.environment), STEPS)
        node.body.insert(0, nodes.ExprStmt(steps, lineno=node.lineno, environment=self.environment))
        return cast(nodes.Node, node)

    def _loop(self, node: nodes.For, count: int) -> nodes.Node:
        if isinstance(node.test, nodes.Expr):  # what it sorts out never comes to the body
            node.test = self._filter(node.test, WEIGHED)
        return self._body(node, count)

    def _comparison(self, node: nodes.Compare, _: int) -> nodes.Node:
        values = (node.expr, *(operand.expr for operand in node.ops))
        if any(operand.op in ("in", "notin") for operand in node.ops) or not any(map(_is_constant, values)):
            node.expr = self._wrapped(node.expr, WEIGHED)
            for operand in node.ops:
                operand.expr = self._wrapped(operand.expr, WEIGHED)
        return node

    def _joined(self, node: nodes.Concat, _: int) -> nodes.Node:
        node.nodes = [self._wrapped(each, PRINTED) for each in node.nodes]
        return node

    def _pair(self, node: nodes.Pair, _: int) -> nodes.Node:
        node.key = self._wrapped(node.key, WEIGHED)  # a key is hashed with everything in it
        return node

    def _item(self, node: nodes.Getitem, _: int) -> nodes.Node:
        if not isinstance(node.arg, nodes.Slice):
            return node
        bounds = [each or nodes.Const(None, environment=self.environment)
                  for each in (node.arg.start, node.arg.stop, node.arg.step)]
        return self._filter(node.node, PART, *bounds)

    def _wrapped(self, node: nodes.Expr, name: str) -> nodes.Expr:
        return node if _is_constant(node) else self._filter(node, name)

    def _filter(self, node: nodes.Expr, name: str, *args: nodes.Expr) -> nodes.Filter:
        return nodes.Filter(node, name, list(args), [], None, None, lineno=node.lineno, environment=self.environment)


def _is_constant(node: nodes.Node) -> bool:
    return isinstance(node, nodes.Const | nodes.TemplateData)
