"""Turns a score into what stands in the fields of the score sheet's form, as if its scripts had computed it."""

from __future__ import annotations

from collections.abc import Sequence

from ppgen.games.board_game.board.model import Board
from ppgen.games.board_game.scoring.plan import COUNCILLORS, INTERIM, INTERIM_POINTS, POINTS, SUMS
from ppgen.games.board_game.scoring.points import Counts, PlayerScore, Position, Score, country_points
from ppgen.play.sheet import NAME, Cell


def letter_cells(position: Position, letters: Sequence[str], board: Board) -> dict[Cell, str]:
    """The cells that take letters; those of players' names, too."""
    def rows(column: str, counts: Counts) -> dict[Cell, str]:
        return {Cell(0, country, column): "".join(letter * count for letter, count in zip(letters, held, strict=True))
                for country, held in counts.items()}

    return {**{Cell(seat, NAME): name for seat, name in enumerate(position.players, 1)},
            **{Cell(0, board.space[label].country, label): letters[seat] for label, seat in position.spaces.items()},
            **rows(COUNCILLORS, position.councillors), **rows(INTERIM, position.interim or {})}


def form_values(score: Score, position: Position, letters: Sequence[str], board: Board, date: str = "",
                place: str = "") -> dict[str, str]:
    """The text of each field by its full name; fields that stay blank are left out.

    Nobody writes down that there is nothing; points are written, also 0, in each country and box where anybody scores.
    """
    values = {"date": date, "place": place}
    values |= {cell.field: text for cell, text in letter_cells(position, letters, board).items()}
    then_standing = position.interim or {}
    boxes = {box for player in score.players for box in player.alliances}
    for seat, player in enumerate(score.players, 1):
        cells = [Cell(seat, row) for row in SUMS if row != "before" or position.before or position.interim is not None]
        cells += [Cell(seat, country, POINTS) for country in board.labels if sum(position.standing(country, board))]
        cells += [Cell(seat, country, INTERIM_POINTS) for country, then in then_standing.items() if any(then)]
        cells += [Cell(seat, f"box{box}") for box in sorted(boxes)]
        values |= {cell.field: str(points_of(player, cell, position)) for cell in cells}
    return {name: text for name, text in values.items() if text}


def points_of(player: PlayerScore, cell: Cell, position: Position) -> int:
    """What belongs into a box of points."""
    if cell.column == INTERIM_POINTS:
        then = (position.interim or {}).get(cell.row)
        return country_points(then)[position.players.index(player.name)] if then else 0
    if cell.column:
        return player.countries[cell.row].points if cell.row in player.countries else 0
    if cell.row.startswith("box"):
        return player.alliances.get(int(cell.row[3:]), 0) if cell.row[3:].isdecimal() else 0
    return int(getattr(player, cell.row))
