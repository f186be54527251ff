"""Formulas of ``score.toml``: arithmetic over the entries of a line, parsed into a tree and never run as code."""

from __future__ import annotations

import ast
from collections.abc import Mapping, Sequence
from typing import Any

from ppgen.shipped import Phrase

MAX_COUNT, MAX_POINTS = 9999, 10_000  # the largest entry (more is a typing error), and number in the rules
MAX_TOTAL = 10**12  # the largest value on the way to a line's points: up to it, Python and JavaScript compute alike
MAX_LENGTH = 200  # characters of a formula

Tree = Any  # a number, `["entry", 0]`, or an operator and its operands: `["+", …, …]`
_OPERATORS = {ast.Add: "+", ast.Sub: "-", ast.Mult: "*", ast.Eq: "==", ast.NotEq: "!=",
              ast.Lt: "<", ast.LtE: "<=", ast.Gt: ">", ast.GtE: ">="}
COMPARISONS = ("==", "!=", "<", "<=", ">", ">=")


def parse_formula(text: str, names: Mapping[str, int]) -> Tree:
    """Parse a formula over the entries with these names, each with its number.

    Raises ValueError, in plain words, for anything but numbers, entries, ``+ - *``, ``//`` by a number, comparisons
    (1 or 0), ``min`` and ``max``, and for values that could become too large.
    """
    if len(text) > MAX_LENGTH:
        raise ValueError(Phrase("note_long", number=MAX_LENGTH))
    try:
        tree = _tree(ast.parse(text.strip(), mode="eval").body, names)
    except (SyntaxError, RecursionError, MemoryError) as error:
        raise ValueError("is not arithmetic") from error
    bound_of(tree)
    return tree


def _tree(node: ast.expr, names: Mapping[str, int]) -> Tree:
    match node:
        case ast.Constant(value=int(number)) if type(number) is int and number <= MAX_POINTS:
            return number
        case ast.Name(id=name) if name in names:
            return ["entry", names[name]]
        case ast.Name(id=name):
            raise ValueError(f"reads '{name}', which is not an entry of this line")
        case ast.UnaryOp(op=ast.USub(), operand=inner):
            return ["-", 0, _tree(inner, names)]
        case ast.BinOp(op=ast.FloorDiv(), left=left, right=ast.Constant(value=int(number))) if number > 0:
            return ["//", _tree(left, names), _tree(ast.Constant(number), names)]
        case (ast.BinOp(left=left, op=operator, right=right)
              | ast.Compare(left=left, ops=[operator], comparators=[right])) if type(operator) in _OPERATORS:
            return [_OPERATORS[type(operator)], _tree(left, names), _tree(right, names)]
        case ast.Call(func=ast.Name(id="min" | "max" as name), args=[_, _, *_] as args, keywords=[]):
            return [name, *(_tree(each, names) for each in args)]
    raise ValueError("holds something that is not allowed here")


def bound_of(tree: Tree) -> int:
    """Return a bound of the absolute value. Raises ValueError if a part of it could become too large."""
    if isinstance(tree, int):
        return tree
    if tree[0] == "entry":
        return MAX_COUNT
    bounds = [bound_of(each) for each in tree[1:]]
    bound = bounds[0] * bounds[1] if tree[0] == "*" else sum(bounds) if tree[0] in "+-" else max(bounds)
    if bound > MAX_TOTAL:
        raise ValueError("can become too large")
    return 1 if tree[0] in COMPARISONS else bound


def compute(tree: Tree, values: Sequence[int]) -> int:
    """Compute the value of a formula for the entries of a line."""
    if isinstance(tree, int):
        return tree
    if tree[0] == "entry":
        return values[int(tree[1])]
    operator, own = tree[0], [compute(each, values) for each in tree[1:]]
    if operator in ("min", "max"):
        return min(own) if operator == "min" else max(own)
    a, b = own
    if operator in COMPARISONS:
        return int({"==": a == b, "!=": a != b, "<": a < b, "<=": a <= b, ">": a > b, ">=": a >= b}[operator])
    return a // b if operator == "//" else a * b if operator == "*" else a + b if operator == "+" else a - b
