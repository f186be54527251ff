"""Dataclasses of ppgen.records behave as those of the standard library, and compile nothing at import."""

import copy
import dataclasses
import pickle
import re
from itertools import product
from pathlib import Path
from types import SimpleNamespace

import pytest

from ppgen import records

MAKERS = SimpleNamespace(ours=records.dataclass, standard=dataclasses.dataclass)
OPTIONS = [{"frozen": frozen, "slots": slots, "kw_only": kw_only, "eq": eq}
           for frozen, slots, kw_only, eq in product((False, True), repeat=4)]


def _define(dataclass, options):
    @dataclass(**options)
    class Base:
        """A base."""

        name: str
        size: float = 1.0

    @dataclass(**options)
    class Piece(Base):
        """A piece."""

        _: dataclasses.KW_ONLY
        words: list[str] = dataclasses.field(default_factory=list, hash=False)
        seen: set[str] = dataclasses.field(default_factory=set, init=False, compare=False, repr=False)
        kind: str = dataclasses.field(default="card", init=False)

        def __post_init__(self):
            self.seen.add(self.name)

    for each in (Base, Piece):
        each.__qualname__ = each.__name__
        globals()[each.__name__] = each  # for pickles
    return Base, Piece


def _try(call):
    try:
        return call()
    except (TypeError, AttributeError) as error:
        return type(error)


def _observe(dataclass, options):
    base, piece = _define(dataclass, options)
    one, same, other = (piece(name=name, words=["a"]) for name in "aab")
    changed = _try(lambda: setattr(one, "name", "a") or setattr(other, "size", 2))
    return [changed, repr(one), repr(base(name="x")), one == same, one != same, one == other, one == base(name="a"),
            _try(lambda: (hash(one) == hash(same)) and options["eq"]), dataclasses.asdict(one), one.kind, one.seen,
            repr(dataclasses.replace(one, size=2)), repr(copy.deepcopy(one)), repr(pickle.loads(pickle.dumps(one))),
            _try(lambda: repr(piece("n", 3))), _try(piece), _try(lambda: piece(name="n", kind="x")),
            _try(lambda: piece(name="n", other=1)), hasattr(one, "__dict__"), piece.__match_args__,
            [each.name for each in dataclasses.fields(piece)]]


@pytest.mark.parametrize("options", OPTIONS, ids=str)
def test_a_record_does_what_a_dataclass_of_the_standard_library_does(options):
    assert _observe(MAKERS.ours, options) == _observe(MAKERS.standard, options)


def test_no_other_module_makes_dataclasses_of_the_standard_library():
    files = Path(records.__file__).parent.rglob("*.py")
    assert [file for file in files if re.search("^ *(from|import) dataclasses", file.read_text("utf-8"), re.M)
            ] == [Path(records.__file__)]
