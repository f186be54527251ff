"""Turns names and the room that the board leaves into places for them: measured words beside what they name."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cache
from math import inf
from typing import TypeVar

from ppgen.engine.geometry import Insets, Rect
from ppgen.games.board_game.board.model import Board, Borders, Point, Space
from ppgen.games.board_game.printing.ground import Ground

CODE, NAME = 3.0, 3.4
"""Type sizes in mm of a space's code, as FR3, and of its cloister's name."""
GAP = 0.9
"""Between the two."""
RISE, DROP = 0.72, 0.26
"""How far letters reach above and below their baseline, in parts of the type size."""
FAR_LETTERS = 4.4
"""The type size of the names of neighbours, in mm."""
SPACED = 0.12
"""Letter spacing of the names of lands, in parts of the type size."""
SIGN = 1.15
"""The room that the sign before a country's name takes, in parts of the type size."""
SIZES = (1.0, 0.92, 0.85, 0.78, 0.72)
"""Of a country's name, the largest first, in parts of the size that is wanted."""
FARTHEST = 45
"""How far a land's name may move from where the map wants it, in mm."""
APART = Insets.all(0.3)
"""What is free around a name, in mm."""

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


@dataclass(frozen=True, slots=True, kw_only=True)
class Labels:
    """The names of countries, neighbours and spaces, by what they name."""

    countries: Mapping[str, Label]
    neighbours: Mapping[str, Label]
    spaces: Mapping[str, Label]

    @property
    def boxes(self) -> Mapping[str, Rect]:
        """What each name fills."""
        groups = (self.countries, self.neighbours, self.spaces)
        return {name: label.box for group in groups for name, label in group.items()}


@dataclass(frozen=True, slots=True, kw_only=True)
class _Room:
    """What a name has to keep clear of: ``hard`` is never covered, ``soft`` if need be, ``away`` is not its country."""

    hard: Ground
    soft: Ground
    away: Ground
    others: tuple[Rect, ...] = ()

    def against(self, box: Rect, most: float) -> float:
        """How much speaks against a name in that box, or anything above ``most``."""
        cost = 40.0 * self.hard.taken(box.grown(APART))
        if cost < most:
            cost += 3 * self.soft.taken(box) + 2 * self.away.taken(box)
            cost += sum(1000 for other in self.others if other.overlaps(box))
        return cost


def place_labels(board: Board, borders: Borders, names: Mapping[str, str], width: Width,
                 hard: Ground, soft: Ground) -> Labels:
    """Names of countries first, then those of spaces; ``names`` are those of lands by their ids.

    All stand on ground that is not ``hard``, and take it; they stay off ``soft`` ground if they can.
    """
    rooms = {country.id: _Room(hard=hard, soft=soft, away=_away(board, borders, country.id))
             for country in board.countries}
    countries: dict[str, Label] = {}
    for country in board.countries:
        words = names[country.id].upper()
        ways = _land_ways(country.name, words, "title", country.letters, SIGN, width)
        countries[country.id] = _of_land(country.id, words, "title", SIGN, *_best(ways, rooms[country.id]), width)
        hard.take_box(countries[country.id].box)
    spaces: dict[str, Label] = {}
    ways_of = {space.id: sorted(_space_ways(board, space, width), key=lambda way: way[0]) for space in board.spaces}
    for _ in range(3):  # a name may give way to those that were placed after it
        for space in board.spaces:
            others = tuple(label.box.grown(APART) for name, label in spaces.items() if name != space.id)
            _, spaces[space.id] = _best(ways_of[space.id], replace(rooms[space.country], others=others))
    for label in spaces.values():
        hard.take_box(label.box)
    neighbours: dict[str, Label] = {}
    for land in board.neighbours:
        words, room = names[land.id], _Room(hard=hard, soft=soft, away=_away(board, borders, land.id))
        ways = _land_ways(land.name, words, "italic", FAR_LETTERS, 0.0, width)
        neighbours[land.id] = _of_land(land.id, words, "italic", 0.0, *_best(ways, room), width)
        hard.take_box(neighbours[land.id].box)
    return Labels(countries=countries, neighbours=neighbours, spaces=spaces)


Found = TypeVar("Found")


def _best(ways: Iterable[tuple[float, Rect, Found]], room: _Room) -> tuple[Rect, Found]:
    """Of some boxes, each with its cost and what stands in it, the one with the least against it; cheap ones first."""
    least, best = inf, None
    for cost, box, found in ways:
        if cost >= least:
            break
        if (total := cost + room.against(box, least - cost)) < least:
            least, best = total, (box, found)
    assert best is not None
    return best


def _away(board: Board, borders: Borders, country: str) -> Ground:
    ground = Ground(board.width, board.height)
    ground.take_outside([borders.ring(country)])
    return ground


def _land_ways(wanted: Point, words: str, style: str, letters: float, sign: float,
               width: Width) -> Iterator[tuple[float, Rect, float]]:
    """Boxes for a land's name, and its type size: where the map wants it, around there, and smaller; cheap ones first.

    A name is made smaller before it moves far.
    """
    sizes = [round(letters * share, 2) for share in SIZES]
    longs = [width(words, style, size) + SPACED * size * (len(words) - 1) + sign * size for size in sizes]
    for cost, right, down, smaller in _moves():
        size, long = sizes[smaller], longs[smaller]
        yield cost, Rect(wanted.x + right - long / 2, wanted.y + down - RISE * size, long, (RISE + 0.1) * size), size


@cache
def _moves() -> tuple[tuple[float, int, int, int], ...]:
    """How far (mm) a land's name may move to the right and down, how much smaller it may be, and what each costs."""
    return tuple(sorted((abs(down) * 0.6 + abs(right) * 0.4 + (1 - share) * 200, right, down, smaller)
                        for smaller, share in enumerate(SIZES)
                        for down in range(-FARTHEST, FARTHEST + 1, 2) for right in range(-FARTHEST, FARTHEST + 1, 3)))


def _of_land(name: str, words: str, style: str, sign: float, box: Rect, size: float, width: Width) -> Label:
    """A land's name in its box, with room for a sign before it."""
    start = box.x + sign * size
    word = Word(words=words, style=style, x=round(start, 2), y=round(box.y + RISE * size, 2),
                width=round(width(words, style, size) + SPACED * size * (len(words) - 1), 2), size=size, spacing=SPACED)
    return Label(id=name, words=(word,), box=box)


def _space_ways(board: Board, space: Space, width: Width) -> Iterator[tuple[float, Rect, Label]]:
    """A space's code and name in one line or in two around its disc, the side that the map wants first."""
    for share in (1.0, 0.9):
        code_size, size = round(CODE * share, 2), round(NAME * share, 2)
        code, name = width(space.id, "strong", code_size), width(space.name, "italic", size)
        rise, line = RISE * size, 0.95 * size
        sizes = (code_size, size)
        long, wide, high = code + GAP + name, max(code, name), (RISE + DROP) * size
        smaller = (1 - share) * 150
        for side, x, y, cost in _sides(board.space_radius + 0.9, long, high):
            cost += smaller + (0 if side == space.label else 4)
            at = Point(space.at.x + x, space.at.y + y + rise)
            label = _label(space, at, sizes, (0.0, code + GAP), (code, name), 0.0)
            yield cost, label.box, label
        for side, x, y, cost in _sides(board.space_radius + 0.9, wide, high + line):
            share_left = {"e": 0.0, "w": 1.0}.get(side, 0.5)
            at = Point(space.at.x + x, space.at.y + y + rise)
            starts = (share_left * (wide - code), share_left * (wide - name))
            label = _label(space, at, sizes, starts, (code, name), line)
            yield cost + smaller + 10, label.box, label


def _sides(reach: float, long: float, high: float) -> Iterator[tuple[str, float, float, float]]:
    """Upper left corners of boxes around a disc: the side, x and y from the middle, and how far from straight."""
    for slide in (0.0, 0.14, -0.14, 0.28, -0.28, 0.4, -0.4):
        yield "s", -long / 2 + slide * long, reach - 0.2, abs(slide) * 8
        yield "n", -long / 2 + slide * long, -reach - high + 0.2, abs(slide) * 8 + 2
    for rise in (0.0, 1.5, -1.5, 3.0, -3.0, 4.5, -4.5, 6.0, -6.0):
        away = max(0.0, reach * reach - max(0.0, abs(rise) - high / 2) ** 2) ** 0.5
        yield "e", away, rise - high / 2, abs(rise)
        yield "w", -away - long, rise - high / 2, abs(rise)


def _label(space: Space, at: Point, sizes: tuple[float, float], starts: tuple[float, float],
           widths: tuple[float, float], line: float) -> Label:
    """Code and name, from ``at``, the left end of the first baseline; the name is ``line`` lower."""
    code = Word(words=space.id, style="strong", x=round(at.x + starts[0], 2), y=round(at.y, 2),
                width=round(widths[0], 2), size=sizes[0])
    name = Word(words=space.name, style="italic", x=round(at.x + starts[1], 2), y=round(at.y + line, 2),
                width=round(widths[1], 2), size=sizes[1])
    left, right = min(code.x, name.x), max(code.x + code.width, name.x + name.width)
    return Label(id=space.id, words=(code, name),
                 box=Rect(left, at.y - RISE * sizes[1], right - left, line + (RISE + DROP) * sizes[1]))
