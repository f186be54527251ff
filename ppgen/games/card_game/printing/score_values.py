"""Turns a score into what stands in the fields of the score sheet's form, as if its scripts had computed it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from ppgen.games.card_game.scoring.points import PlayerScore, Score, Tally


def form_values(score: Score, tallies: Sequence[Tally], date: str = "", place: str = "") -> dict[str, str]:
    """The text of each field by its full name; fields that stay blank are left out.

    Nobody writes down that there is nothing to count; points are written, also 0, in each row in which
    anyone counted anything.
    """
    values = {"date": date, "place": place}
    for number, tally in enumerate(tallies, 1):
        values |= {f"p{number}.{key}": text for key, text in _counts(tally)}
    columns = [_points(player) for player in score.players]
    for row in columns[0] if columns else ():
        if _is_written(row, tallies):
            values |= {f"p{number}.{row}": str(points[row]) for number, points in enumerate(columns, 1)}
    return {name: text for name, text in values.items() if text}


def _counts(tally: Tally) -> Iterable[tuple[str, str]]:
    yield "name", tally.name
    counts = {**{f"{country}.cards": count for country, count in tally.cards.items()},
              **{f"{country}.symbols": count for country, count in tally.symbols.items()},
              "ships": tally.ships, "carriages": tally.carriages, "minus_two": tally.minus_two}
    for key, count in counts.items():
        yield key, str(count) if count else ""


def _points(player: PlayerScore) -> dict[str, int]:
    points: dict[str, int] = {}
    for country, entry in player.countries.items():
        points |= {f"{country}.country_points": entry.country_points, f"{country}.symbol_points": entry.symbol_points}
    carry = player.country_subtotal + player.symbol_subtotal
    return points | {"country_subtotal": player.country_subtotal, "symbol_subtotal": player.symbol_subtotal,
                     "carry": carry, "chain_points": player.chain_points, "law_points": player.law_points,
                     "total": player.total}


def _is_written(row: str, tallies: Sequence[Tally]) -> bool:
    """Whether anyone counted anything that this row of points depends on."""
    country, _, key = row.rpartition(".")
    if key == "country_points":
        return any(tally.cards.get(country) for tally in tallies)
    if key == "symbol_points":
        return any(tally.symbols.get(country) for tally in tallies)
    cards = any(any(tally.cards.values()) for tally in tallies)
    symbols = any(any(tally.symbols.values()) for tally in tallies)
    chains = any(tally.ships or tally.carriages for tally in tallies)
    laws = any(tally.minus_two for tally in tallies)
    return {"country_subtotal": cards, "symbol_subtotal": symbols, "carry": cards or symbols,
            "chain_points": chains, "law_points": laws, "total": cards or symbols or chains or laws}[key]
