"""Turns what a table of ``deck.toml`` says of the size and shape of its pieces into both, or into what is wrong."""

from __future__ import annotations

from dataclasses import dataclass

from ppgen.engine.geometry import Rect, Size
from ppgen.engine.shapes.net import Net, standee, tent
from ppgen.engine.shapes.shape import RECTANGLE, Kind, Shape, path_shape, rounded_shape
from ppgen.engine.units import parse_length, parse_size
from ppgen.reading.fields import Fields

STANDEE, TENT = "standee", "tent"
SHAPES = (*(kind.value for kind in Kind), STANDEE, TENT)
SMALLEST = 5.0
"""Of a piece's sides, in mm."""
LENGTHS = 1.0, 100.0
"""The least and the most of a corner's radius, a foot, a base or a tab, in mm."""
FEET, TAB = "8mm", "6mm"
"""As large as fingers hold, where a table says nothing else."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Cut:
    """The trim size of pieces (None: that of the cards), their shape, and the net of what is folded."""

    size: Size | None = None
    shape: Shape = RECTANGLE
    net: Net | None = None


def take_cut(table: Fields, largest: float) -> Cut:
    """What a table says; each side of a piece is at most so long (mm)."""
    kind, size = table.take_choice("shape", SHAPES, Kind.RECTANGLE.value), _size(table, largest)
    if kind in (STANDEE, TENT):
        net = _net(table, kind, size)
        return Cut(size=net.size, shape=net.shape, net=net) if net else Cut()
    return Cut(size=size, shape=_shape(table, kind, size))


def _shape(table: Fields, kind: str, size: Size | None) -> Shape:
    if kind == Kind.ROUNDED:
        radius = _length(table, "radius")
        if size and radius > min(size.width, size.height) / 2:
            table.note("radius", f"{radius:g} mm is more than half of a side of {size}", "make it smaller")
        return rounded_shape(radius)
    if kind == Kind.PATH:
        data = table.take_text("path")
        if size is None:
            return _sizeless(table, "the path is counted in mm of it")
        try:
            return path_shape(data, Rect(0, 0, size.width, size.height)) if data else RECTANGLE
        except ValueError as error:
            table.note("path", str(error), f"one closed ring within {size}, like \"M0 0H20L10 20Z\"")
            return RECTANGLE
    if kind == Kind.CIRCLE and size and size.width != size.height:
        table.note("size", f"{size} holds no circle", "make both sides equal")
    return Shape(kind=Kind(kind)) if kind else RECTANGLE


def _net(table: Fields, kind: str, size: Size | None) -> Net | None:
    if kind == STANDEE:
        feet = _length(table, "feet", FEET)
        if size is None:
            _sizeless(table, "that of the figure")
            return None
        return standee(size, feet)
    tab = _length(table, "tab", TAB)
    base = _length(table, "base", f"{size.height:g}mm") if size else 0.0
    if size is None:
        _sizeless(table, "that of one side, its length and its height")
        return None
    if base >= 2 * size.height:
        table.note("base", f"{base:g} mm is too long for two sides of {size.height:g} mm to meet above it",
                   "make it shorter")
    return tent(size.width, base, size.height, tab)


def _sizeless(table: Fields, what: str) -> Shape:
    table.note("size", "is missing", f"give the size: {what}")
    return RECTANGLE


def _length(table: Fields, key: str, default: str | None = None) -> float:
    words = table.take_text(key, default)
    try:
        length = parse_length(words) if words else LENGTHS[0]
    except ValueError as error:
        table.note(key, str(error))
        return LENGTHS[0]
    if not LENGTHS[0] <= length <= LENGTHS[1]:
        table.note(key, f"{length:g} mm is out of range", f"from {LENGTHS[0]:g} to {LENGTHS[1]:g} mm")
        return LENGTHS[0]
    return length


def _size(table: Fields, largest: float) -> Size | None:
    if not (words := table.take_text("size", "")):
        return None
    try:
        size = parse_size(words)
    except ValueError as error:
        table.note("size", str(error))
        return None
    if not all(SMALLEST <= side <= largest for side in (size.width, size.height)):
        table.note("size", f"{size} is out of range", f"each side from {SMALLEST:g} to {largest:g} mm")
        return None
    return size
