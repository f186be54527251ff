"""Sizes, rectangles and lines on a page: immutable, in millimetres, origin top left, y down.

No size is less than nothing: ValueError. It may be nothing, where no room is left.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import inf


@dataclass(frozen=True, slots=True)
class Point:
    """A place on a page, or a shift; millimetres."""

    x: float
    y: float


ORIGIN = Point(0, 0)


@dataclass(frozen=True, slots=True)
class Scale:
    """How much larger a sheet is printed, across and down; 1 is as it is. ValueError for 0 or less."""

    x: float = 1.0
    y: float = 1.0

    def __post_init__(self) -> None:
        if not (0 < self.x < inf and 0 < self.y < inf):
            raise ValueError(f"no scale: {self.x:g}, {self.y:g}")


UNSCALED = Scale()


@dataclass(frozen=True, slots=True)
class Size:
    """Width and height in millimetres."""

    width: float
    height: float

    def __post_init__(self) -> None:
        _check(self.width, self.height)

    @property
    def turned(self) -> Size:
        return Size(self.height, self.width)

    @property
    def portrait(self) -> Size:
        return self if self.width <= self.height else self.turned

    def __str__(self) -> str:
        return f"{self.width:g} × {self.height:g} mm"


@dataclass(frozen=True, slots=True)
class Insets:
    """A length for each edge, in millimetres."""

    top: float
    right: float
    bottom: float
    left: float

    @classmethod
    def all(cls, length: float) -> Insets:
        return cls(length, length, length, length)

    @property
    def turned_over(self) -> Insets:
        """The same insets after half a turn."""
        return Insets(self.bottom, self.left, self.top, self.right)


@dataclass(frozen=True, slots=True)
class Rect:
    """A rectangle: its top left corner and its size, in millimetres."""

    x: float
    y: float
    width: float
    height: float

    def __post_init__(self) -> None:
        _check(self.width, self.height)

    @property
    def right(self) -> float:
        return self.x + self.width

    @property
    def bottom(self) -> float:
        return self.y + self.height

    @property
    def size(self) -> Size:
        return Size(self.width, self.height)

    def grown(self, by: Insets) -> Rect:
        return Rect(self.x - by.left, self.y - by.top,
                    self.width + by.left + by.right, self.height + by.top + by.bottom)

    def shifted(self, by: Point) -> Rect:
        return Rect(self.x + by.x, self.y + by.y, self.width, self.height)

    def contains(self, other: Rect, slack: float = 1e-6) -> bool:
        return (self.x <= other.x + slack and self.y <= other.y + slack
                and other.right <= self.right + slack and other.bottom <= self.bottom + slack)

    def overlaps(self, other: Rect, slack: float = 1e-6) -> bool:
        """Whether the two share an area (touching edges share none)."""
        return (self.x < other.right - slack and other.x < self.right - slack
                and self.y < other.bottom - slack and other.y < self.bottom - slack)


@dataclass(frozen=True, slots=True)
class Seams:
    """Where a picture may be cut apart: how far from its left and from its top, in mm."""

    x: tuple[float, ...] = ()
    y: tuple[float, ...] = ()


ANYWHERE = Seams()


@dataclass(frozen=True, slots=True)
class Line:
    """A straight line between two points."""

    start: Point
    end: Point


def rest(length: float) -> float:
    """What is left of a length from which others were taken: nothing rather than less than nothing."""
    return max(length, 0.0)


def _check(width: float, height: float) -> None:
    if not (0 <= width < inf and 0 <= height < inf):
        raise ValueError(f"no size: {width:g} × {height:g} mm")


def bounds(rects: tuple[Rect, ...]) -> Rect:
    """The smallest rectangle around all of them; ValueError for none."""
    x, y = min(r.x for r in rects), min(r.y for r in rects)
    return Rect(x, y, max(r.right for r in rects) - x, max(r.bottom for r in rects) - y)
