"""Turns a name into the ways to write it on the board: measured words, and how much each way costs by itself."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache, partial

from ppgen.engine.geometry import Rect
from ppgen.games.board_game.board.model import Board, Point, Space

CODE, NAME = 3.0, 3.4
"""Type sizes in mm of a space's code, as FR3, and of its cloister's name."""
GAP = 0.9
"""Between the two."""
RISE, DROP = 0.72, 0.26
"""How far letters reach above and below their baseline, in parts of the type size."""
SPACED = 0.12
"""Letter spacing of the names of lands, in parts of the type size."""
SIZES = (1.0, 0.92, 0.85, 0.78, 0.72, 0.66)
"""Of a land's name, the largest first, in parts of the size that is wanted."""
OFF = 4.2
"""How much farther (mm) the name of a space may stand beside its disc, so that a seam runs between them."""
FARTHEST = 44
"""How far a land's name may move from where the map wants it, in mm."""

Width = Callable[[str, str, float], float]
"""How wide some words come out in a style at a size, in mm."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Word:
    """Words in a style, with the left end of their baseline at ``x``, ``y``; ``spacing`` is in parts of ``size``."""

    words: str
    style: str
    x: float
    y: float
    width: float
    size: float
    spacing: float = 0.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Label:
    """The words that stand beside what is called ``id``, and the ``box`` that they fill (mm)."""

    id: str
    words: tuple[Word, ...]
    box: Rect


@dataclass(frozen=True, slots=True)
class Way:
    """A way to write a name: what it costs, in millimetres from where it is wanted, the box that it fills, and the
    label in it, once that is asked for."""

    cost: float
    box: Rect
    label: Callable[[], Label]


def land_ways(land: str, words: str, wanted: Point, letters: float, style: str, sign: float,
              width: Width) -> Iterator[Way]:
    """The name of a land where the map wants it, around there, and smaller than its ``letters``; cheap ones first.

    ``sign`` is the room for a sign before it, in parts of the type size.
    """
    sizes = [round(letters * share, 2) for share in SIZES]
    longs = [width(words, style, size) + SPACED * size * (len(words) - 1) for size in sizes]

    def label(box: Rect, smaller: int) -> Label:
        size = sizes[smaller]
        word = Word(words=words, style=style, x=round(box.x + sign * size, 2), y=round(box.y + RISE * size, 2),
                    width=round(longs[smaller], 2), size=size, spacing=SPACED)
        return Label(id=land, words=(word,), box=box)

    for cost, right, down, smaller in _moves():
        long = longs[smaller] + sign * sizes[smaller]
        box = Rect(wanted.x + right - long / 2, wanted.y + down - RISE * sizes[smaller],
                   long, (RISE + 0.1) * sizes[smaller])
        yield Way(cost, box, partial(label, box, smaller))


@cache
def _moves() -> tuple[tuple[float, int, int, int], ...]:
    """What it costs to move a land's name so far (mm) to the right and down, and to make it so many steps smaller."""
    places = range(-FARTHEST, FARTHEST + 1, 4)
    return tuple(sorted((abs(down) * 0.6 + abs(right) * 0.4 + (1 - share) * 400, right, down, smaller)
                        for smaller, share in enumerate(SIZES) for down in places for right in places))


def space_ways(board: Board, space: Space, share: float, width: Width) -> Iterator[Way]:
    """A space's code and name in one line or in two around its disc; the side that the map wants is cheapest.

    ``share`` is that of the usual type size.
    """
    sizes = round(CODE * share, 2), round(NAME * share, 2)
    code, name = width(space.id, "strong", sizes[0]), width(space.name, "italic", sizes[1])
    high, line = (RISE + DROP) * sizes[1], 0.95 * sizes[1]
    smaller = (1 - share) * 150
    for side, x, y, cost in _sides(board.space_radius + 0.9, code + GAP + name, high):
        box = Rect(space.at.x + x, space.at.y + y, code + GAP + name, high)
        yield Way(cost + smaller + (0 if side == space.label else 4), box,
                  partial(_of_space, space, box, sizes, (0.0, code + GAP), (code, name), 0.0))
    for side, x, y, cost in _sides(board.space_radius + 0.9, max(code, name), high + line):
        box = Rect(space.at.x + x, space.at.y + y, max(code, name), high + line)
        share_left = {"e": 0.0, "w": 1.0}.get(side, 0.5)
        starts = share_left * (box.width - code), share_left * (box.width - name)
        yield Way(cost + smaller + 10, box, partial(_of_space, space, box, sizes, starts, (code, name), line))


def _sides(reach: float, long: float, high: float) -> Iterator[tuple[str, float, float, float]]:
    """Upper left corners of boxes around a disc: the side, x and y from the middle, and how far from straight."""
    for slide in (0.0, 0.14, -0.14, 0.28, -0.28, 0.4, -0.4):
        yield "s", -long / 2 + slide * long, reach - 0.2, abs(slide) * 8
        yield "n", -long / 2 + slide * long, -reach - high + 0.2, abs(slide) * 8 + 2
    for rise in (0.0, 1.5, -1.5, 3.0, -3.0, 4.5, -4.5, 6.0, -6.0, 8.0, -8.0, 9.5, -9.5):
        away = max(0.0, reach * reach - max(0.0, abs(rise) - high / 2) ** 2) ** 0.5
        for off in (0.0, OFF) if not rise else (0.0,):
            yield "e", away + off, rise - high / 2, abs(rise) + 15 * off
            yield "w", -away - off - long, rise - high / 2, abs(rise) + 15 * off


def _of_space(space: Space, box: Rect, sizes: tuple[float, float], starts: tuple[float, float],
              widths: tuple[float, float], line: float) -> Label:
    """Code and name in their box, each so far from its left edge; the name is ``line`` lower."""
    base = box.y + RISE * sizes[1]
    parts = zip((space.id, space.name), ("strong", "italic"), sizes, starts, widths, (0.0, line), strict=True)
    return Label(id=space.id, box=box, words=tuple(
        Word(words=words, style=style, x=round(box.x + start, 2), y=round(base + lower, 2), width=round(wide, 2),
             size=size) for words, style, size, start, wide, lower in parts))
