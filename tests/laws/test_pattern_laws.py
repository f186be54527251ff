"""No pattern tries a text in more ways than it is long: endless repeats next to each other never overlap.

``\\s*(\\S*?)\\s*x`` divides n blanks in n ways before it gives up, and three repeats in n² ways. A possessive repeat
(``\\s*+``) or an atomic group gives nothing back, so there is one way.
"""

import ast
import importlib
import re
import re._parser as regular  # type: ignore[import-not-found]
from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest

import ppgen
from ppgen.engine.svg.subset import VALUES

ROOT = Path(ppgen.__file__).parent
FUNCTIONS = ("compile", "match", "search", "fullmatch", "sub", "subn", "split", "findall", "finditer")
COMPUTED = 15
"""Patterns that are made where they are used, of words of the program itself."""
ALPHABET = frozenset(map(chr, (*range(0x100), 0x17F, 0x301, 0x3042, 0x1F600)))
ENDLESS = regular.MAXREPEAT
CATEGORIES = {name: frozenset(filter(matches, ALPHABET)) for name, matches in {
    "DIGIT": str.isdecimal, "SPACE": str.isspace, "WORD": lambda sign: sign.isalnum() or sign == "_"}.items()}

Node = tuple[object, object]
Signs = frozenset[str]


def signs_of(node: Node, ignores_case: bool) -> Signs | None:
    """The characters that a node for one character matches; None for any other node."""
    kind, value = str(node[0]), node[1]
    if kind == "ANY":
        return ALPHABET
    if kind in ("LITERAL", "NOT_LITERAL"):
        found = {chr(value)}
    elif kind == "RANGE":
        found = ALPHABET & {*map(chr, range(value[0], min(value[1], ord(max(ALPHABET))) + 1))}
    elif kind == "CATEGORY":
        name = str(value).removeprefix("CATEGORY_")
        found = CATEGORIES[name.removeprefix("NOT_")]
        found = ALPHABET - found if name.startswith("NOT_") else found
    elif kind == "IN":
        parts = [part for part in value if str(part[0]) != "NEGATE"]
        found = set().union(*(signs_of(part, ignores_case) or () for part in parts))
        return ALPHABET - found if len(parts) < len(value) else frozenset(found)
    else:
        return None
    if ignores_case:
        found = found | {sign.swapcase() for sign in found}
    return ALPHABET - found if kind == "NOT_LITERAL" else frozenset(found)


class Law:
    """One pattern, searched for neighbours that overlap."""

    def __init__(self, pattern: str | bytes, flags: int) -> None:
        words = pattern.decode("latin-1") if isinstance(pattern, bytes) else pattern
        tree = regular.parse(words, flags)
        self.ignores_case = bool(tree.state.flags & re.IGNORECASE)
        self.clashes = [*self.check(tree)]

    def inside(self, node: Node) -> list[Sequence[Node]]:
        """The sequences of which a node matches one."""
        kind, value = str(node[0]), node[1]
        if kind == "SUBPATTERN":
            return [value[3]]
        if kind == "ATOMIC_GROUP":
            return [value]
        if kind == "BRANCH":
            return value[1]
        if kind.endswith("REPEAT"):
            return [value[2]]
        return [value[1]] if kind in ("ASSERT", "ASSERT_NOT") else []

    def may_be_empty(self, node: Node) -> bool:
        kind = str(node[0])
        if kind in ("AT", "ASSERT", "ASSERT_NOT"):
            return True
        if kind.endswith("REPEAT") and node[1][0] == 0:
            return True
        return any(all(map(self.may_be_empty, each)) for each in self.inside(node))

    def border(self, sequence: Sequence[Node], end: bool, repeats: bool) -> Iterator[Signs]:
        """The characters at the start or end of a sequence; or those of endless repeats that stand there."""
        for node in reversed(sequence) if end else sequence:
            kind = str(node[0])
            signs = signs_of(node, self.ignores_case)
            if signs is not None and not repeats:
                yield signs
            if repeats and kind.endswith("REPEAT") and node[1][1] is ENDLESS and not (
                    end and kind.startswith("POSSESSIVE")):
                yield frozenset().union(*self.border(node[1][2], end, repeats=False))
            if kind not in ("ASSERT", "ASSERT_NOT") and not (
                    end and repeats and (kind.startswith("POSSESSIVE") or kind == "ATOMIC_GROUP")):
                for inner in self.inside(node):
                    yield from self.border(inner, end, repeats)
            if not self.may_be_empty(node):
                return

    def check(self, sequence: Sequence[Node]) -> Iterator[str]:
        nodes = [*sequence]
        for number, node in enumerate(nodes):
            yield from self.meet([node], nodes[number + 1:])
            for inner in self.inside(node):
                yield from self.check(inner)
            kind = str(node[0])
            if kind in ("MAX_REPEAT", "MIN_REPEAT") and node[1][1] is ENDLESS:
                yield from self.meet(node[1][2], node[1][2])

    def meet(self, left: Sequence[Node], right: Sequence[Node]) -> Iterator[str]:
        for before in self.border(left, end=True, repeats=True):
            for behind in self.border(right, end=False, repeats=True):
                if before & behind:
                    yield min(before & behind)


def find_patterns() -> Iterator[tuple[str, str | bytes, int]]:
    """Yield each pattern of the program with its place and flags; an empty one for each that is computed."""
    for path in sorted(ROOT.rglob("*.py")):
        name = path.relative_to(ROOT).as_posix()
        text = path.read_text(encoding="utf-8")
        if not re.search(r"\bre\.", text) or name.startswith("__main__"):
            continue
        values = vars(importlib.import_module("ppgen." + name.removesuffix(".py").replace("/", ".")))
        for value in values.values():
            entries = ([each for row in value if isinstance(row, tuple) for each in row] if isinstance(value, tuple)
                       else [value])
            yield from ((name, each.pattern, each.flags & ~re.UNICODE) for each in entries
                        if isinstance(each, re.Pattern))
        for node in ast.walk(ast.parse(text)):
            if not (isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.args
                    and isinstance(node.func.value, ast.Name) and node.func.value.id == "re"
                    and node.func.attr in FUNCTIONS):
                continue
            given = {each.arg: each.value for each in node.keywords}
            flags = given.get("flags") or next(
                (each for each in node.args[1:] if re.match(r"re\.[A-Z]", ast.unparse(each))), None)
            try:
                pattern = eval(ast.unparse(node.args[0]), dict(values))
            except NameError:
                yield f"{name}:{node.lineno}", "", 0
                continue
            if not isinstance(pattern, re.Pattern):
                yield (f"{name}:{node.lineno}", pattern,
                       eval(ast.unparse(flags), dict(values)) if flags is not None else 0)
    for name, (_, pattern, _) in VALUES.items():
        yield f"engine/svg/subset.py {name}", pattern, 0


@pytest.mark.slow
def test_no_pattern_has_neighbours_that_overlap():
    found = [*find_patterns()]
    assert len(found) > 150 and [pattern for _, pattern, _ in found].count("") == COMPUTED
    clashes = [f"{place}: {pattern!r} divides {law.clashes}" for place, pattern, flags in found
               if (law := Law(pattern, flags)).clashes]
    assert not clashes, "\n".join(clashes)


@pytest.mark.parametrize(("pattern", "clashes"), {
    r"\s*\s*x": True, r"\s*(a?)\s*x": True, r"(\w+)*x": True, r"\s*(.+?)x": True, r"(?:a*|b)a+": True, r"a*(?:b|)*a*":
    True, r"(?i)a*A*": True, r"[^x]*\d+": True, r"(?>a*)a*": False, r"\s*+\s*x": False, r"\s*[^\s]+": False,
    r"a*ba*": False, r"(?:a*b)*": False, r"\w{1,9}\w*": False, r"a*(?=a*)": False}.items())
def test_the_law_sees_what_overlaps(pattern, clashes):
    assert bool(Law(pattern, 0).clashes) == clashes
