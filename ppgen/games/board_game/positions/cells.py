"""Turns kept positions into the cells of a score sheet, and the cells of one that is being filled in into its score."""

from __future__ import annotations

from collections.abc import Mapping

from ppgen.games.board_game.board.model import Board
from ppgen.games.board_game.positions.names import Letters, letters_in
from ppgen.games.board_game.scoring.fields import letter_cells
from ppgen.games.board_game.scoring.plan import COUNCILLORS
from ppgen.games.board_game.scoring.points import Position, interim_points, score_game, score_interim
from ppgen.play.counts import count_so_far
from ppgen.play.sheet import NAME, Cell, Running


def to_cells(position: Position, letters: Letters, board: Board) -> dict[Cell, str]:
    """The cells of a checked position; what was scored at the interim scoring as points."""
    before = position.before or interim_points(position.interim or {}, len(position.players))
    cells = letter_cells(position, letters.own, board)
    return {**cells, **{Cell(seat, "before"): str(points) for seat, points in enumerate(before, 1)}}


def running(cells: Mapping[Cell, str], board: Board, interim: bool = False) -> Running:
    """The score so far."""
    seats = sorted({cell.seat for cell, text in cells.items() if cell.seat and text.strip()})
    letters = Letters([cells.get(Cell(seat, NAME), "").strip() for seat in seats])

    def held(country: str) -> tuple[int, ...]:
        found = [letters.seat(letter) for letter in letters_in(cells.get(Cell(0, country, COUNCILLORS), ""))]
        return tuple(found.count(seat) for seat in range(len(seats)))

    spaces = {label: seat for label, space in board.space.items()
              if (seat := letters.seat(cells.get(Cell(0, space.country, label), ""))) is not None}
    position = Position(players=tuple(f"p{seat}" for seat in seats), spaces=spaces,
                        councillors={country: held(country) for country in board.labels},
                        before=tuple(count_so_far(cells.get(Cell(seat, "before"), "")) for seat in seats))
    score = score_interim if interim else score_game
    totals = {seat: player.total for seat, player in zip(seats, score(position, board).players, strict=True)
              } if seats else {}
    return Running(totals=totals, points={})
