"""Dataclasses whose methods are made when a class is first used.

Those of the standard library compile six methods of each class at import, a millisecond each. A build needs 190 classes
and few of these methods: that was a sixth of a build from the cache. To mypy they are the standard ones.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Iterable
from dataclasses import KW_ONLY, MISSING, FrozenInstanceError, asdict, field, fields, is_dataclass, replace
from operator import attrgetter
from typing import TYPE_CHECKING, Any

__all__ = ["KW_ONLY", "asdict", "dataclass", "field", "fields", "is_dataclass", "replace", "values_getter"]

if TYPE_CHECKING:
    from dataclasses import dataclass
else:
    def dataclass(*, frozen: bool = False, slots: bool = False, kw_only: bool = False, eq: bool = True):
        """Make a dataclass as ``dataclasses.dataclass`` does with these options."""
        def make(kind: type) -> type:
            own = {name for name, value in vars(kind).items() if value is not None}
            kind.__doc__ = kind.__doc__ or kind.__name__  # else `dataclasses` parses a signature: 5 ms
            kind = dataclasses.dataclass(init=False, repr=False, eq=False, slots=slots, kw_only=kw_only)(kind)
            for name, method in _methods(kind, frozen, slots, eq).items():
                if name not in own:
                    setattr(kind, name, method)
            return kind
        return make


def _methods(kind: type[Any], frozen: bool, slots: bool, eq: bool) -> dict[str, Callable[..., Any] | None]:
    """The methods of a dataclass. None of them is compiled here, and ``__init__`` compiles itself."""
    every = fields(kind)

    def init(self: Any, /, *args: Any, **values: Any) -> None:
        kind.__init__ = _compile_init(kind)
        kind.__init__(self, *args, **values)

    def represent(self: Any) -> str:
        values = (f"{each.name}={getattr(self, each.name)!r}" for each in every if each.repr)
        return f"{type(self).__qualname__}({', '.join(values)})"

    methods: dict[str, Callable[..., Any] | None] = {"__init__": init, "__repr__": represent}
    if eq:
        compared = values_getter(each.name for each in every if each.compare)
        hashed = values_getter(each.name for each in every if (each.compare if each.hash is None else each.hash))
        methods["__eq__"] = lambda self, other: (
            compared(self) == compared(other) if other.__class__ is self.__class__ else NotImplemented)
        methods["__hash__"] = (lambda self: hash(hashed(self))) if frozen else None
    if frozen:
        methods |= {"__setattr__": _refuse, "__delattr__": _refuse}
        if slots:  # else copies and pickles would set attributes
            methods |= {"__getstate__": values_getter(each.name for each in every), "__setstate__": _restore}
    return methods


def values_getter(names: Iterable[str]) -> Callable[[Any], tuple[object, ...]]:
    """A function of the values of these attributes."""
    match tuple(names):
        case ():
            return lambda self: ()
        case (name,):
            return lambda self: (getattr(self, name),)
        case several:
            get = attrgetter(*several)
            return lambda self: get(self)


def _refuse(self: object, name: str, *_: object) -> None:
    raise FrozenInstanceError(f"cannot change field {name!r}")


def _restore(self: Any, values: tuple[object, ...]) -> None:
    for each, value in zip(fields(self), values, strict=True):
        object.__setattr__(self, each.name, value)


def _compile_init(kind: type[Any]) -> Callable[..., None]:
    """Compile ``__init__``, which takes the fields and sets them."""
    known: dict[str, Any] = {"__set": object.__setattr__, "__none": MISSING}
    by_place, by_name, body = ["self"], ["*"], []
    for each in fields(kind):
        name = value = each.name
        default = ""
        if each.default is not MISSING:
            known[f"__{name}"], default = each.default, f"__{name}"
        elif each.default_factory is not MISSING:
            known[f"__{name}"], default = each.default_factory, "__none"
            value = f"__{name}() if {name} is __none else {name}" if each.init else f"__{name}()"
        if each.init:
            (by_name if each.kw_only else by_place).append(f"{name}={default}" if default else name)
        elif not default:
            continue
        elif each.default is not MISSING:
            value = default
        body.append(f"__set(self, {name!r}, {value})")
    if hasattr(kind, "__post_init__"):
        body.append("self.__post_init__()")
    head = ", ".join(by_place + (by_name if len(by_name) > 1 else []))
    exec(f"def __init__({head}):\n " + "\n ".join(body or ["pass"]), known)
    known["__init__"].__qualname__ = f"{kind.__qualname__}.__init__"
    compiled: Callable[..., None] = known["__init__"]
    return compiled
