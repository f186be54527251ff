"""Turns kept tallies into the cells of a score sheet, and the cells of one that is being filled in into its score."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from ppgen.games.card_game.deck.model import Country
from ppgen.games.card_game.scoring.points import COLUMNS, COUNTRY_POINTS, SINGLE_COUNTS, Tally, score_game
from ppgen.play.counts import count_so_far
from ppgen.play.scoring import Json
from ppgen.play.sheet import NAME, Cell, Running


def to_cells(tallies: Json) -> dict[Cell, str]:
    """The cells of kept tallies."""
    cells: dict[Cell, str] = {}
    for seat, player in enumerate(tallies["players"], 1):
        cells |= {Cell(seat, key): str(player[key]) for key in (NAME, *SINGLE_COUNTS)}
        cells |= {Cell(seat, country, column): str(count)
                  for column in COLUMNS for country, count in player[column].items()}
    return cells


def running(cells: Mapping[Cell, str], countries: Sequence[Country]) -> Running:
    """The score so far."""
    seats = sorted({cell.seat for cell, text in cells.items() if text.strip()})

    def count(seat: int, row: str, column: str = "") -> int:
        return count_so_far(cells.get(Cell(seat, row, column), ""))

    def column(seat: int, key: str) -> dict[str, int]:
        return {country.id: count(seat, country.id, key) for country in countries}

    score = score_game([Tally(
        name=f"p{seat}", cards=column(seat, "cards"), symbols=column(seat, "symbols"), ships=count(seat, "ships"),
        carriages=count(seat, "carriages"), minus_two=count(seat, "minus_two")) for seat in seats],
        countries)
    players = dict(zip(seats, score.players, strict=True))
    return Running(totals={seat: player.total for seat, player in players.items()}, points={
        Cell(seat, country, key): getattr(entry, points) for seat, player in players.items()
        for country, entry in player.countries.items()
        for key, points in zip(COLUMNS, COUNTRY_POINTS, strict=True)})
