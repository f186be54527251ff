"""Turns a number of cards into sheets of cards for a virtual table: how many, and how each is divided."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import product
from math import ceil, floor

from ppgen.engine.geometry import Size
from ppgen.engine.units import INCH

SIDE = 4096
"""The longest side of a sheet, in pixels (Tabletop Simulator's knowledge base, asset creation)."""
COLUMNS, ROWS = 10, 7
"""The most cards across and down (Tabletop Simulator's knowledge base, custom deck)."""
MOST = COLUMNS * ROWS - 1
"""The most cards of a sheet: its last slot is what players see of a card that is hidden from them."""
FINEST = 400.0
"""More pixels an inch than this are not seen, even where few cards would leave room for them."""


@dataclass(frozen=True, slots=True, kw_only=True)
class DeckSheet:
    """How a sheet for ``cards`` cards is divided: slots across and down, a slot's pixels, and pixels an inch."""

    cards: int
    columns: int
    rows: int
    slot: tuple[int, int]
    dpi: float

    @property
    def hidden(self) -> int:
        """The slot, from 0, of the hidden face: always the last."""
        return self.columns * self.rows - 1


def deck_sheets(cards: int, size: Size) -> tuple[DeckSheet, ...]:
    """As few sheets as hold so many cards of a size (mm), evenly filled."""
    sheets = ceil(cards / MOST)
    shares = [cards // sheets + (n < cards % sheets) for n in range(sheets)]
    return tuple(_divided(share, size) for share in shares)


def _divided(cards: int, size: Size) -> DeckSheet:
    """The division that leaves the cards most pixels, then the fewest slots empty."""
    def choices() -> Iterator[tuple[float, int, int]]:
        for columns, rows in product(range(2, COLUMNS + 1), range(2, ROWS + 1)):
            if columns * rows > cards:
                yield -min(FINEST, dpi_at(columns, rows)), columns * rows, columns

    def dpi_at(columns: int, rows: int) -> float:
        return min(SIDE / columns / size.width, SIDE / rows / size.height) * INCH

    dpi, slots, columns = min(choices())
    slot = tuple(max(1, floor(length / INCH * -dpi)) for length in (size.width, size.height))
    return DeckSheet(cards=cards, columns=columns, rows=slots // columns, slot=(slot[0], slot[1]), dpi=-dpi)
