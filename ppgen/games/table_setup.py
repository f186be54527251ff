"""Set-up of a game on the table of ``ppgen export table``: seats, and pieces at their places."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import groupby

from ppgen.engine.component import Part, Stock
from ppgen.engine.geometry import Point, Rect, Size
from ppgen.games.learn_steps import LearnStep

GAP = 6.0  # distance of piles in mm
SEAT = Size(260, 112)  # room in front of a player, for his hand and his own pieces
SEATS_IN_ROW = 3
USUAL_TOOLS = ("flip", "turn", "shuffle", "spread", "deal")
TOOLS = (*USUAL_TOOLS, "note", "roll", "counter")
MAX_SEATS = 8
LARGE, SMALL = 150.0, 35.0  # a piece with a longer side is a board, which lies still; one without is a token


@dataclass(frozen=True, slots=True, kw_only=True)
class Place:
    """A place on the table: its upper left corner in mm."""

    x: float
    y: float
    pieces: tuple[str, ...]  # their ids, the lowest first
    up: bool = True
    mix: str = ""  # pieces of all places with the same one are shuffled
    hand: int | None = None  # hidden from the other seats
    fixed: bool = False  # stay where they lie


@dataclass(frozen=True, slots=True, kw_only=True)
class TableSetUp:
    """The table at the start of a game for a number of players."""

    seats: tuple[Rect, ...]
    places: tuple[Place, ...]
    rows: tuple[float, ...] = ()  # upper edges of rows of cards whose ends matter


@dataclass(frozen=True, slots=True, kw_only=True)
class TableGame:
    """A game on the table."""

    least: int  # players
    most: int
    set_up: Callable[[int, Sequence[Part]], TableSetUp]  # from a number of players and the parts
    learn: tuple[LearnStep, ...] = ()  # steps of its first turns
    tools: tuple[str, ...] = USUAL_TOOLS  # in the bar; the rest is under "More"
    spots: Mapping[str, Point] = field(default_factory=dict)  # centres of places that they name, in mm


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    """Cards of a part in a row beside its pile."""

    part: str
    count: int
    up: bool


def make_seats(players: int, below: float, width: float = SEAT.width) -> tuple[Rect, ...]:
    """Seats in rows below what lies in the middle."""
    return tuple(Rect(n % SEATS_IN_ROW * (width + GAP), below + n // SEATS_IN_ROW * (SEAT.height + GAP),
                      width, SEAT.height) for n in range(players))


def sizes_of(parts: Sequence[Part]) -> dict[str, Size]:
    return {piece.id: piece.size for part in parts for piece in part.components}


def copies_of(part: Part) -> tuple[str, ...]:
    """The ids of all pieces of a part, each as often as it is printed."""
    return tuple(piece.id for piece in part.components for _ in range(piece.copies))


def in_row(ids: Sequence[str], sizes: Mapping[str, Size], x: float, y: float) -> Iterator[Place]:
    """Lay pieces side by side, equal ones on each other."""
    for id, same in groupby(ids):
        yield Place(x=x, y=y, pieces=tuple(same), up=True)
        x += sizes[id].width + 2


def set_up_piles(deal: Mapping[str, int], rows: Sequence[Row], players: int, parts: Sequence[Part]) -> TableSetUp:
    """Lay parts as shuffled piles, boards and tokens face up; deal cards by part; ``rows`` lie beside piles."""
    places: list[Place] = []
    x = y = tall = 0.0
    hands: list[tuple[str, ...]] = [() for _ in range(players)]
    for part in parts:
        ids, sizes = copies_of(part), sizes_of([part])
        longest = max(max(size.width, size.height) for size in sizes.values())
        size = Size(max(each.width for each in sizes.values()), max(each.height for each in sizes.values()))
        if x and x + size.width > SEATS_IN_ROW * SEAT.width:
            x, y, tall = 0.0, y + tall + GAP, 0.0
        if longest > LARGE or longest < SMALL or part.stock is Stock.BOARD:
            placed = [*in_row(ids, sizes, x, y)]
            places += [Place(x=each.x, y=each.y, pieces=each.pieces, fixed=longest > LARGE) for each in placed]
            x, tall = placed[-1].x + size.width + GAP, max(tall, size.height)
            continue
        is_covered = any(piece.back for piece in part.components)
        rest = list(ids)
        for seat in range(players):
            hands[seat] += tuple(rest.pop() for _ in range(min(deal.get(part.name, 0), len(rest))))
        shown = [(row, tuple(rest.pop() for _ in range(min(row.count, len(rest)))))
                 for row in rows if row.part == part.name]
        places.append(Place(x=x, y=y, pieces=tuple(rest), up=not is_covered, mix=part.name))
        x += size.width + GAP
        for row, taken in shown:
            for id in taken:
                places.append(Place(x=x, y=y, pieces=(id,), up=row.up, mix=part.name))
                x += size.width + 2
        tall = max(tall, size.height)
        x += GAP
    seats = make_seats(players, y + tall + 2 * GAP)
    of_part = {piece.id: part.name for part in parts for piece in part.components}
    sizes = sizes_of(parts)
    for seat, (ids, room) in enumerate(zip(hands, seats, strict=True)):
        places += deal_to(seat, room, ids, sizes, of_part)
    return TableSetUp(seats=seats, places=tuple(places))


def deal_to(seat: int, room: Rect, ids: Sequence[str], sizes: Mapping[str, Size],
            mix: Mapping[str, str]) -> Iterator[Place]:
    """Lay a hand into a seat, the cards as far apart as there is room."""
    for n, id in enumerate(ids):
        step = min(sizes[id].width + 1, (room.width - 6 - sizes[id].width) / max(1, len(ids) - 1))
        yield Place(x=room.x + 3 + n * step, y=room.y + 10, pieces=(id,), hand=seat, mix=mix[id])
