"""Whatever differs has another mark."""

from dataclasses import dataclass, field
from types import SimpleNamespace

from ppgen.cache.marks import mark_of
from ppgen.engine.imposition.values import Backs, Flip


@dataclass(frozen=True)
class Thing:
    name: str
    noted: list[str] = field(default_factory=list, compare=False)


@dataclass(frozen=True)
class Other:
    name: str


def test_values_that_differ_have_marks_that_differ():
    values = [None, 0, 1, -1, True, 1.0, 0.1, 0.1 + 1e-15, "", "1", "a", b"a", "é", "\ud800", (), [], {}, ("a",), ["a"],
              {"a": 1}, {"a": "1"}, {"a": 1, "b": 2}, {"b": 2, "a": 1}, (("a", 1),), ("a", "b"), ("ab",), ("a", ("b",)),
              (("a",), "b"), frozenset(), frozenset("ab"), Thing("a"), Other("a"), SimpleNamespace(a=1), Backs.DUPLEX,
              "duplex", Flip.LONG]
    marks = [mark_of("test", value) for value in values]
    assert None not in marks and len(set(marks)) == len(values)


def test_kinds_do_not_mix():
    assert mark_of("one", "a") != mark_of("other", "a") and mark_of("one", "a", "b") != mark_of("one", "ab")


def test_equal_values_have_equal_marks():
    assert mark_of("test", Thing("a", ["noted"]), frozenset("abc")) == mark_of("test", Thing("a"), frozenset("cba"))


def test_what_cannot_be_told_apart_has_no_mark():
    deep: list = []
    for _ in range(100):
        deep = [deep]
    assert [mark_of("test", value) for value in (object(), len, lambda: 1, {"a": {"b": iter("c")}}, deep)] == [None] * 5
