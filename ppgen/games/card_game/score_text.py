"""The plan of the score sheet, the points in its cells, and the reasons for them in words."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import groupby

from ppgen.games.card_game.deck import MAX_PLAYERS, MIN_PLAYERS, Country, Deck
from ppgen.games.card_game.points import (
    COLUMNS,
    COUNTRY_POINTS,
    POINTS,
    SINGLE_COUNTS,
    Entry,
    PlayerScore,
    Reason,
    Score,
    Tally,
    chain_points,
    explain,
)
from ppgen.play.result_text import explain_place, explain_reason, format_signed, join_clauses, join_words
from ppgen.play.sheet_plan import SheetCell, SheetColumn, SheetPlan, SheetRow
from ppgen.reading.texts import Texts

ENTRIES: tuple[Entry, ...] = ("ships", "carriages", "minus_two")
"""The entries of a score sheet that belong to no country."""


def sheet_plan(deck: Deck) -> SheetPlan:
    """Plan a row for each country, then ships, carriages and law tablets: the order of the rules."""
    cards, symbols = COLUMNS
    columns = (SheetColumn(key=cards, ask="ask.cards_of"), SheetColumn(key=symbols, ask="ask.symbols_of", needs=cards))
    return SheetPlan(least=MIN_PLAYERS, most=MAX_PLAYERS, points=(*COUNTRY_POINTS, *POINTS), rows=(
        *(SheetRow(key=country.id, label=f"countries.{country.id}", columns=columns, exist=country.number)
          for country in deck.countries),
        *(SheetRow(key=key, label=f"tally.{key}", columns=(SheetColumn(ask=f"ask.{key}"),)) for key in SINGLE_COUNTS)))


# Sentences

def reasons(score: Score, countries: Sequence[Country], texts: Texts) -> Iterator[str]:
    """Yield sentences for the two columns of each country, for ships, carriages and tablets, and for each total."""
    by_entry: dict[tuple[Entry, str | None], list[Reason]] = defaultdict(list)
    for reason in explain(score, countries):
        by_entry[reason.entry, reason.country].append(reason)
    for country in countries:
        name = texts(f"countries.{country.id}")
        places = list(_places(by_entry["country", country.id], texts))
        yield explain_reason(name, places or [texts("explain.nobody")], texts)
        if symbols := by_entry["symbols", country.id]:
            yield explain_reason(texts("explain.symbols_of", country=name), _symbols(symbols, texts), texts)
    for entry in ENTRIES:
        if own := by_entry[entry, None]:
            yield explain_reason(texts(f"tally.{entry}"), _single(own, texts), texts)
    for player in score.players:
        yield explain_reason(player.name, [_total(player, texts)], texts)


def _places(own: Iterable[Reason], texts: Texts) -> Iterator[str]:
    """Explain the country column, place by place."""
    for place, group in groupby(sorted(own, key=lambda reason: reason.place), key=lambda reason: reason.place):
        tied = list(group)
        yield explain_place(place, [each.player for each in tied], tied[0].holders, texts, count=tied[0].count,
                            points=tied[0].points)


def _symbols(own: Iterable[Reason], texts: Texts) -> Iterator[str]:
    """Explain the symbol column: the most of one kind, then all others."""
    ordered = sorted(own, key=lambda reason: reason.place)
    best = [reason for reason in ordered if reason.place == 1]
    yield texts("explain.symbols_shared" if len(best) > 1 else "explain.symbols_most", count=best[0].count,
                names=join_clauses([reason.player for reason in best], texts), points=best[0].points)
    if rest := ordered[len(best):]:
        counts = [texts("explain.held", name=reason.player, count=reason.count) for reason in rest]
        yield texts("explain.symbols_less", counts=join_words(counts, texts))


def _single(own: Iterable[Reason], texts: Texts) -> Iterator[str]:
    """Explain ships, carriages or law tablets, player by player."""
    for reason in own:
        values = {"name": reason.player, "count": reason.count}
        if reason.entry == "minus_two":
            yield texts("explain.law", points=format_signed(reason.points), **values)
        elif reason.points:
            yield texts("explain.chain", points=reason.points, **values)
        else:
            yield texts("explain.chain_short", measure=reason.measure, **values)


def _total(player: PlayerScore, texts: Texts) -> str:
    return texts("explain.total", country=player.country_subtotal, symbols=player.symbol_subtotal,
                 chains=player.chain_points, laws=format_signed(player.law_points), total=format_signed(player.total))


# Points by the cells of the sheet

def points_by_count(player: PlayerScore) -> dict[SheetCell, int]:
    """The points of a player by the cell of the count that they are for, without a seat."""
    points = {SheetCell(0, country, column): int(getattr(entry, key)) for country, entry in player.countries.items()
              for column, key in zip(COLUMNS, COUNTRY_POINTS, strict=True)}
    return points | {SheetCell(0, "ships"): chain_points(player.ships), SheetCell(0, "minus_two"): player.law_points,
                     SheetCell(0, "carriages"): chain_points(player.carriages)}


def points_by_cell(player: PlayerScore, cell: SheetCell) -> int:
    """The points of a cell that holds points."""
    if cell.column:
        return int(getattr(player.countries.get(cell.row), cell.column, 0))
    return player.country_subtotal + player.symbol_subtotal if cell.row == "carry" else int(getattr(player, cell.row))


def sheet_points(score: Score, tallies: Sequence[Tally]) -> dict[SheetCell, int]:
    """The points on the sheet: also 0, but only in rows in which any player has a count."""
    countries = score.players[0].countries
    cells = [*(SheetCell(0, country, key) for country in countries for key in COUNTRY_POINTS),
             *(SheetCell(0, key) for key in POINTS)]
    filled = [cell for cell in cells if _is_filled(cell, tallies)]
    return {replace(cell, seat=seat): points_by_cell(player, cell) for seat, player in enumerate(score.players, 1)
            for cell in filled}


def _is_filled(cell: SheetCell, tallies: Sequence[Tally]) -> bool:
    """Check that any player has a count that these points depend on."""
    if cell.column:
        counts = COLUMNS[COUNTRY_POINTS.index(cell.column)]
        return any(getattr(tally, counts).get(cell.row) for tally in tallies)
    cards = any(any(tally.cards.values()) for tally in tallies)
    symbols = any(any(tally.symbols.values()) for tally in tallies)
    chains = any(tally.ships or tally.carriages for tally in tallies)
    laws = any(tally.minus_two for tally in tallies)
    return {"country_subtotal": cards, "symbol_subtotal": symbols, "carry": cards or symbols,
            "chain_points": chains, "law_points": laws, "total": cards or symbols or chains or laws}[cell.row]
