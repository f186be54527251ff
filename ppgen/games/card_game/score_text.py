"""The plan of the score sheet, and scores in words, tables, records and form fields."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from itertools import groupby
from operator import attrgetter

from ppgen.games.card_game import NAME
from ppgen.games.card_game.deck import MAX_PLAYERS, MIN_PLAYERS, Country, Deck
from ppgen.games.card_game.points import (
    COLUMNS,
    COUNTRY_POINTS,
    POINTS,
    SINGLE_COUNTS,
    CountryScore,
    Entry,
    PlayerScore,
    Reason,
    Score,
    Tally,
    chain_points,
    explain,
)
from ppgen.play import result_text
from ppgen.play.result_text import (
    PLACES,
    ScoreTable,
    ScoreTableRow,
    explain_reason,
    format_signed,
    join_clauses,
    join_words,
    points_cell,
)
from ppgen.play.sheet_plan import NAME_ROW, Json, SheetCell, SheetColumn, SheetPlan, SheetRow
from ppgen.reading.texts import Texts

ENTRIES: tuple[Entry, ...] = ("ships", "carriages", "minus_two")
"""The entries of a score sheet that belong to no country."""
BY_CARDS = result_text.TieBreak[PlayerScore](
    "cards", attrgetter("cards"), "results.by_cards", "results.draw_by_cards")


def sheet_plan(deck: Deck) -> SheetPlan:
    """Plan a row for each country, then ships, carriages and law tablets: the order of the rules."""
    cards, symbols = COLUMNS
    columns = (SheetColumn(key=cards, ask="ask.cards_of"), SheetColumn(key=symbols, ask="ask.symbols_of", needs=cards))
    return SheetPlan(least=MIN_PLAYERS, most=MAX_PLAYERS, points=(*COUNTRY_POINTS, *POINTS), rows=(
        *(SheetRow(key=country.id, label=f"countries.{country.id}", columns=columns, exist=country.number)
          for country in deck.countries),
        *(SheetRow(key=key, label=f"tally.{key}", columns=(SheetColumn(ask=f"ask.{key}"),)) for key in SINGLE_COUNTS)))


# Sentences

def verdict(score: Score, texts: Texts, over: bool = True) -> str:
    """Name the winner and the tie-break, or the leader if the game is not ``over``."""
    return result_text.compose_verdict(score.players, score.tie_break, BY_CARDS, texts, over)


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
        reason = tied[0]
        values = {"names": join_clauses([each.player for each in tied], texts), "count": reason.count,
                  "points": reason.points}
        if place == 1:
            yield texts("explain.most_shared" if len(tied) > 1 else "explain.most", **values)
        else:
            before = texts("explain.before_many" if len(reason.holders) > 1 else "explain.before_one",
                           names=join_clauses(reason.holders, texts))
            yield texts("explain.next_shared" if len(tied) > 1 else "explain.next", before=before,
                        place=texts(f"places.{PLACES[place - 2]}"), **values)


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


# Tables and records

def score_table(score: Score, countries: Sequence[Country], texts: Texts) -> ScoreTable:
    """Fill in the score sheet as a table: countries down, players across, two columns ``count→points`` for each."""
    def row(label: str, cells: Callable[[PlayerScore], tuple[str, str]], *, strong: bool = False,
            parted: bool = False) -> ScoreTableRow:
        return ScoreTableRow(label=texts(label), cells=tuple(map(cells, score.players)), strong=strong, parted=parted)

    return ScoreTable(
        players=tuple(player.name for player in score.players), legend=texts("results.legend"),
        halves=(texts("tally.cards"), texts("tally.symbols")), rows=(
            *(row(f"countries.{country.id}", partial(_country, country.id)) for country in countries),
            row("score.subtotal", lambda each: (f"{each.country_subtotal:<2}", f"{each.symbol_subtotal:<2}"),
                parted=True),
            row("tally.ships", lambda each: ("", _points_cell(each.ships, chain_points(each.ships)))),
            row("tally.carriages", lambda each: ("", _points_cell(each.carriages, chain_points(each.carriages)))),
            row("tally.minus_two", lambda each: ("", _points_cell(each.minus_two, each.law_points))),
            row("score.total", lambda each: ("", f"{format_signed(each.total):<2}"), strong=True, parted=True),
            row("results.rank", lambda each: ("", f"{each.rank:<2}"))))


def _country(id: str, player: PlayerScore) -> tuple[str, str]:
    entry = player.countries[id]
    return _points_cell(entry.cards, entry.country_points), _points_cell(entry.symbols, entry.symbol_points)


def _points_cell(count: int, points: int) -> str:
    return points_cell(count, format_signed(points))


def result_json(score: Score, complete: bool, warnings: Iterable[str]) -> Json:
    """The result in the format of ``ppgen score --format json`` (contract, 'ppgen score')."""
    return {"game": NAME, "complete": complete, "winners": list(score.winners), "tie_break": score.tie_break,
            "warnings": list(warnings), "players": [_player(player) for player in score.players]}


def tallies_json(players: Sequence[Tally], date: str = "", place: str = "") -> Json:
    """The tallies in the JSON format that ``ppgen score`` reads."""
    return {"game": NAME, "date": date, "place": place, "players": [
        {"name": tally.name, "cards": dict(tally.cards), "symbols": dict(tally.symbols), "ships": tally.ships,
         "carriages": tally.carriages, "minus_two": tally.minus_two} for tally in players]}


def result_lines(score: Score, countries: Sequence[Country]) -> list[Json]:
    """A flat record for each player, with four columns for each country at the end."""
    rows = []
    for player in score.players:
        row = {key: value for key, value in _player(player).items() if key != "countries"}
        row["winner"] = int(player.name in score.winners)
        for country in countries:
            for key, value in _country_json(player.countries[country.id]).items():
                row[f"{country.id}_{key}"] = value
        rows.append(row)
    return rows


def _player(player: PlayerScore) -> Json:
    return {"name": player.name, "rank": player.rank, "total": player.total, "cards": player.cards,
            "countries": {country: _country_json(entry) for country, entry in player.countries.items()},
            "country_subtotal": player.country_subtotal, "symbol_subtotal": player.symbol_subtotal,
            "ships": player.ships, "carriages": player.carriages, "chain_points": player.chain_points,
            "minus_two": player.minus_two, "law_points": player.law_points}


def _country_json(entry: CountryScore) -> Json:
    return {"cards": entry.cards, "symbols": entry.symbols, "country_points": entry.country_points,
            "symbol_points": entry.symbol_points}


# Form fields

def form_values(score: Score, tallies: Sequence[Tally], date: str = "", place: str = "") -> dict[str, str]:
    """The values of the form fields, as the form's scripts compute them, by full name and without empty ones.

    Counts of 0 are empty. Points are filled in, also 0, in each row in which any player has a count.
    """
    values = {"date": date, "place": place}
    for seat, tally in enumerate(tallies, 1):
        values |= {cell.field: text for cell, text in _counts(seat, tally).items()}
    for seat, player in enumerate(score.players, 1):
        values |= {cell.field: str(points) for cell, points in _points(seat, player).items()
                   if _is_filled(cell, tallies)}
    return {name: text for name, text in values.items() if text}


def _counts(seat: int, tally: Tally) -> dict[SheetCell, str]:
    counts = {SheetCell(seat, country, column): count for column in COLUMNS
              for country, count in getattr(tally, column).items()}
    counts |= {SheetCell(seat, key): getattr(tally, key) for key in SINGLE_COUNTS}
    return {SheetCell(seat, NAME_ROW): tally.name,
            **{cell: str(count) if count else "" for cell, count in counts.items()}}


def _points(seat: int, player: PlayerScore) -> dict[SheetCell, int]:
    points: dict[SheetCell, int] = {}
    for country, entry in player.countries.items():
        points |= {SheetCell(seat, country, key): getattr(entry, key) for key in COUNTRY_POINTS}
    return points | {SheetCell(seat, key): points_by_cell(player, SheetCell(seat, key)) for key in POINTS}


def points_by_cell(player: PlayerScore, cell: SheetCell) -> int:
    """The points of a cell."""
    if cell.column:
        return int(getattr(player.countries.get(cell.row), cell.column, 0))
    return player.country_subtotal + player.symbol_subtotal if cell.row == "carry" else int(getattr(player, cell.row))


def _is_filled(cell: SheetCell, tallies: Sequence[Tally]) -> bool:
    """Whether any player has a count that these points depend on."""
    if cell.column:
        counts = COLUMNS[COUNTRY_POINTS.index(cell.column)]
        return any(getattr(tally, counts).get(cell.row) for tally in tallies)
    cards = any(any(tally.cards.values()) for tally in tallies)
    symbols = any(any(tally.symbols.values()) for tally in tallies)
    chains = any(tally.ships or tally.carriages for tally in tallies)
    laws = any(tally.minus_two for tally in tallies)
    return {"country_subtotal": cards, "symbol_subtotal": symbols, "carry": cards or symbols,
            "chain_points": chains, "law_points": laws, "total": cards or symbols or chains or laws}[cell.row]
