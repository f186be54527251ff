"""Whatever differs has another mark."""

from dataclasses import dataclass, field
from types import SimpleNamespace
from typing import NamedTuple

from ppgen.cache import cache_key
from ppgen.engine.imposition.sheets import Backs, Flip


@dataclass(frozen=True)
class Thing:
    name: str
    noted: list[str] = field(default_factory=list, compare=False)


@dataclass(frozen=True)
class Other:
    name: str


class Pair(NamedTuple):
    one: str
    other: str


class Couple(NamedTuple):
    one: str
    other: str


def test_values_that_differ_have_marks_that_differ():
    values = [None, 0, 1, -1, True, 1.0, 0.1, 0.1 + 1e-15, "", "1", "a", b"a", "é", "\ud800", (), [], {}, ("a",), ["a"],
              {"a": 1}, {"a": "1"}, {"a": 1, "b": 2}, {"b": 2, "a": 1}, (("a", 1),), ("a", "b"), ("ab",), ("a", ("b",)),
              (("a",), "b"), frozenset(), frozenset("ab"), Thing("a"), Other("a"), Pair("a", "b"), Couple("a", "b"),
              SimpleNamespace(a=1), Backs.DUPLEX,
              "duplex", Flip.LONG]
    marks = [cache_key("test", value) for value in values]
    assert None not in marks and len(set(marks)) == len(values)


def test_what_cannot_be_told_apart_has_no_mark():
    deep: list = []
    for _ in range(100):
        deep = [deep]
    assert [cache_key("test", value)
            for value in (object(), len, lambda: 1, {"a": {"b": iter("c")}}, deep)] == [None] * 5
