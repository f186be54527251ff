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


def as_interim(position: Position, board: Board) -> Position:
    """What an interim scoring counts, where the sheet has it: in the columns of the interim scoring."""
    return Position(players=position.players, interim={
        country: held for country in board.labels if any(held := position.standing(country, board))})


def form_values(score: Score, position: Position, letters: Sequence[str], board: Board, date: str = "",
                place: str = "") -> dict[str, str]:
    """The text of each field by its full name; fields that stay blank are left out.

    Nobody writes down that there is nothing; points are written, also 0, in each country and box where anybody scores.
    """
    position = as_interim(position, board) if score.interim else position
    values = {"date": date, "place": place}
    values |= {cell.field: text for cell, text in letter_cells(position, letters, board).items()}
    then_standing = position.interim or {}
    boxes = {box for player in score.players for box in player.alliances}
    for seat, player in enumerate(score.players, 1):
        cells = [Cell(seat, row) for row in (("before",) if score.interim else SUMS)
                 if row != "before" or not position.lacks_before]
        cells += [Cell(seat, country, POINTS) for country in board.labels if sum(position.standing(country, board))]
        cells += [Cell(seat, country, INTERIM_POINTS) for country, then in then_standing.items() if any(then)]
        cells += [Cell(seat, f"box{box}") for box in sorted(boxes)]
        values |= {cell.field: str(points_of(player, cell, position)) for cell in cells}
    return {name: text for name, text in values.items() if text}


def points_of(player: PlayerScore, cell: Cell, position: Position) -> int:
    """What belongs into a box of points."""
    then = {country: country_points(held)[position.players.index(player.name)]
            for country, held in (position.interim or {}).items()}
    if cell.column == INTERIM_POINTS:
        return then.get(cell.row, 0)
    if cell.row == "before" and then:
        return sum(then.values())
    if cell.column:
        return player.countries[cell.row].points if cell.row in player.countries else 0
    if cell.row.startswith("box"):
        return player.alliances.get(int(cell.row[3:]), 0) if cell.row[3:].isdecimal() else 0
    return int(getattr(player, cell.row))
