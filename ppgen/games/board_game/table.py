"""The board game on the table, as the rules lay it out: board, cards beside it, pieces and hands in the seats."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from functools import partial
from pathlib import Path

from ppgen.engine.component import Part
from ppgen.engine.geometry import Point
from ppgen.games.board_game.board import MAX_PLAYERS, MIN_PLAYERS, Board, describe_board
from ppgen.games.board_game.rules import HAND, OPEN, cards_removed
from ppgen.games.learn_steps import load_steps
from ppgen.games.table_setup import GAP, Place, TableGame, TableSetUp, copies_of, deal_to, make_seats, sizes_of

PILE_DOWN = 30.0  # distance of the pile from the upper edge of the board in mm
DISCARDS_RIGHT, DISCARDS_DOWN = 40.0, 230.0  # the pile of played cards, from the corner of the pile, in mm


def table_of_board_game(board: Board, folder: Path) -> TableGame:
    """Open the table of the board game. Raises InputError for faults of its ``learn.toml``."""
    spots = _find_spots(board)
    return TableGame(least=MIN_PLAYERS, most=MAX_PLAYERS, set_up=partial(set_up, board), spots=spots,
                     tools=("flip", "shuffle"),
                     learn=load_steps(folder, partial(describe_board, board), spots, MIN_PLAYERS))


def _find_spots(board: Board) -> dict[str, Point]:
    """The cloister spaces, the courts by their countries, and the pile of played cards beside the board."""
    return {**{space.id: Point(*space.at) for space in board.spaces},
            **{country.id: Point(*country.court.at) for country in board.countries},
            "discards": Point(board.width + GAP + DISCARDS_RIGHT, PILE_DOWN + DISCARDS_DOWN)}


def set_up(board: Board, players: int, parts: Sequence[Part]) -> TableSetUp:
    """Lay out the parts that are there for a number of players."""
    pieces, sizes = {part.name: copies_of(part) for part in parts}, sizes_of(parts)
    seats = make_seats(players, board.height + 2 * GAP)
    places = [Place(x=0, y=0, pieces=(id,), fixed=True) for id in pieces.get("board", ())]
    kinds = Counter(pieces.get("cards", ()))
    cards = [kind for kind, count in kinds.items() for _ in range(count - cards_removed(players))]
    if cards:
        hands = [[cards.pop() for _ in range(min(HAND, len(cards)))] for _ in seats]
        shown = [cards.pop() for _ in range(min(OPEN, len(cards)))]
        x = board.width + GAP
        places.append(Place(x=x, y=PILE_DOWN, pieces=tuple(cards), up=False, mix="cards"))
        for id in shown:
            x += sizes[id].width + GAP / 2
            places.append(Place(x=x, y=PILE_DOWN, pieces=(id,), mix="cards"))
        for n, (seat, hand) in enumerate(zip(seats, hands, strict=True)):
            places += deal_to(n, seat, hand, sizes, dict.fromkeys(sizes, "cards"))
    zero = board.track()[0]
    for number, seat in enumerate(seats, 1):
        x = seat.right
        for kind in ("councillor", "cloister"):
            if own := tuple(id for id in pieces.get("pieces", ()) if id == f"{kind}-{number}"):
                x -= sizes[own[0]].width + GAP
                places.append(Place(x=x, y=seat.y + 12, pieces=own))
        if f"score-marker-{number}" in sizes:
            places.append(Place(x=zero.x + 1 + number % 2, y=zero.y + 2 - number, pieces=(f"score-marker-{number}",)))
        if f"aid-{number}" in sizes:
            x -= sizes[f"aid-{number}"].width + GAP
            places.append(Place(x=x, y=seat.y + 10, pieces=(f"aid-{number}",)))
    places += [Place(x=board.width + GAP + n * (sizes[id].width + GAP), y=PILE_DOWN + 100, pieces=(id,))
               for n, id in enumerate(id for id in ("start-player", "black-marker") if id in sizes)]
    return TableSetUp(seats=seats, places=tuple(places))
