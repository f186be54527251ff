"""Turns a score into what stands in the fields of the score sheet's form, as if its scripts had computed it."""

from __future__ import annotations

from collections.abc import Sequence

from ppgen.games.card_game.scoring.points import (
    COLUMNS,
    COUNTRY_POINTS,
    POINTS,
    SINGLE_COUNTS,
    PlayerScore,
    Score,
    Tally,
)
from ppgen.play.sheet import NAME, Cell


def form_values(score: Score, tallies: Sequence[Tally], date: str = "", place: str = "") -> dict[str, str]:
    """The text of each field by its full name; fields that stay blank are left out.

    Nobody writes down that there is nothing to count; points are written, also 0, in each row in which
    anyone counted anything.
    """
    values = {"date": date, "place": place}
    for seat, tally in enumerate(tallies, 1):
        values |= {cell.field: text for cell, text in _counts(seat, tally).items()}
    for seat, player in enumerate(score.players, 1):
        values |= {cell.field: str(points) for cell, points in _points(seat, player).items()
                   if _is_written(cell, tallies)}
    return {name: text for name, text in values.items() if text}


def _counts(seat: int, tally: Tally) -> dict[Cell, str]:
    counts = {Cell(seat, country, column): count for column in COLUMNS
              for country, count in getattr(tally, column).items()}
    counts |= {Cell(seat, key): getattr(tally, key) for key in SINGLE_COUNTS}
    return {Cell(seat, NAME): tally.name, **{cell: str(count) if count else "" for cell, count in counts.items()}}


def _points(seat: int, player: PlayerScore) -> dict[Cell, int]:
    points: dict[Cell, int] = {}
    for country, entry in player.countries.items():
        points |= {Cell(seat, country, key): getattr(entry, key) for key in COUNTRY_POINTS}
    return points | {Cell(seat, key): points_of(player, Cell(seat, key)) for key in POINTS}


def points_of(player: PlayerScore, cell: Cell) -> int:
    """What belongs into a box of points."""
    if cell.column:
        return int(getattr(player.countries.get(cell.row), cell.column, 0))
    return player.country_subtotal + player.symbol_subtotal if cell.row == "carry" else int(getattr(player, cell.row))


def _is_written(cell: Cell, tallies: Sequence[Tally]) -> bool:
    """Whether anyone counted anything that these points depend on."""
    if cell.column:
        counted = COLUMNS[COUNTRY_POINTS.index(cell.column)]
        return any(getattr(tally, counted).get(cell.row) for tally in tallies)
    cards = any(any(tally.cards.values()) for tally in tallies)
    symbols = any(any(tally.symbols.values()) for tally in tallies)
    chains = any(tally.ships or tally.carriages for tally in tallies)
    laws = any(tally.minus_two for tally in tallies)
    return {"country_subtotal": cards, "symbol_subtotal": symbols, "carry": cards or symbols,
            "chain_points": chains, "law_points": laws, "total": cards or symbols or chains or laws}[cell.row]
