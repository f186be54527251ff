"""Turns a score into a table that reads like the score sheet: for each country two columns ``count→points``."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial

from ppgen.games.card_game.deck.model import Country
from ppgen.games.card_game.scoring.points import PlayerScore, Score, chain_points
from ppgen.play.sentences import signed
from ppgen.play.table import Table, TableRow, points_cell
from ppgen.reading.texts import Texts


def table(score: Score, countries: Sequence[Country], texts: Texts) -> Table:
    """The score sheet: countries down, players across."""
    def row(label: str, cells: Callable[[PlayerScore], tuple[str, str]], *, strong: bool = False,
            parted: bool = False) -> TableRow:
        return TableRow(label=texts(label), cells=tuple(map(cells, score.players)), strong=strong, parted=parted)

    return Table(
        players=tuple(player.name for player in score.players), legend=texts("results.legend"),
        halves=(texts("tally.cards"), texts("tally.symbols")), rows=(
            *(row(f"countries.{country.id}", partial(_country, country.id)) for country in countries),
            row("score.subtotal", lambda each: (f"{each.country_subtotal:<2}", f"{each.symbol_subtotal:<2}"),
                parted=True),
            row("tally.ships", lambda each: ("", _points(each.ships, chain_points(each.ships)))),
            row("tally.carriages", lambda each: ("", _points(each.carriages, chain_points(each.carriages)))),
            row("tally.minus_two", lambda each: ("", _points(each.minus_two, each.law_points))),
            row("score.total", lambda each: ("", f"{signed(each.total):<2}"), strong=True, parted=True),
            row("results.rank", lambda each: ("", f"{each.rank:<2}"))))


def _country(id: str, player: PlayerScore) -> tuple[str, str]:
    entry = player.countries[id]
    return _points(entry.cards, entry.country_points), _points(entry.symbols, entry.symbol_points)


def _points(count: int, points: int) -> str:
    return points_cell(count, signed(points))
