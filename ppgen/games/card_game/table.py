"""The card game on the table, as the rules lay it out: the display with its tablets, and each player's stones."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

from ppgen.engine.component import Part
from ppgen.engine.geometry import Point
from ppgen.games.card_game.components import tablet_places
from ppgen.games.card_game.deck import DISPLAY_COLUMNS, DISPLAY_ROWS, MAX_PLAYERS, MIN_PLAYERS
from ppgen.games.learn_steps import load_steps
from ppgen.games.table_setup import (GAP, SEATS_IN_ROW, Place, TableGame, TableSetUp, copies_of, in_row, make_seats,
                                     sizes_of)

APART = 3.0  # distance of the cards of the display in mm

SPOTS = {"box": Point(-40, 100)}  # place of what leaves the game, beside the display


def table_of_card_game(folder: Path, describe: Callable[[], list[dict[str, object]]]) -> TableGame:
    """Open the table of the card game. Raises InputError for faults of its ``learn.toml``."""
    return TableGame(least=MIN_PLAYERS, most=MAX_PLAYERS, set_up=set_up, spots=SPOTS, tools=("flip",),
                     learn=load_steps(folder, describe, SPOTS, MIN_PLAYERS))


def set_up(players: int, parts: Sequence[Part]) -> TableSetUp:
    """Lay out the parts that are there for a number of players."""
    pieces, sizes = {part.name: copies_of(part) for part in parts}, sizes_of(parts)
    cards, tablets, stones = (pieces.get(name, ()) for name in ("cards", "tablets", "stones"))
    card = sizes[cards[0]] if cards else next(iter(sizes.values()))
    wide, high = card.width + APART, card.height + APART
    spots = [(row, column) for row in range(1, DISPLAY_ROWS + 1) for column in range(1, DISPLAY_COLUMNS + 1)]
    places = [Place(x=(column - 1) * wide, y=(row - 1) * high, pieces=(id,), mix="cards")
              for id, (row, column) in zip(cards, spots, strict=False)]
    places += [Place(x=(column - 1) * wide + (card.width - sizes[id].width) / 2,
                     y=(row - 1) * high + card.height - sizes[id].height, pieces=(id,), up=False, mix="tablets")
               for id, (row, column) in zip(tablets, sorted(tablet_places()), strict=False)]
    across = (DISPLAY_COLUMNS * wide - APART - (SEATS_IN_ROW - 1) * GAP) / SEATS_IN_ROW  # as wide as the display
    seats = make_seats(players, DISPLAY_ROWS * high + GAP, across)
    for id, seat in zip(dict.fromkeys(stones), seats, strict=False):
        places += [Place(x=seat.x + 3 + n * (sizes[id].width + 2), y=seat.bottom - sizes[id].height - 3, pieces=(id,))
                   for n in range(stones.count(id))]
    rest = [*cards[len(spots):], *tablets[len(tablet_places()):]]
    return TableSetUp(seats=seats, places=(*places, *in_row(rest, sizes, DISPLAY_COLUMNS * wide + GAP, 0)),
                      rows=tuple(row * high for row in range(DISPLAY_ROWS)) if cards else ())
