"""The plan of the score sheet, and scores in words, tables, records and form fields."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from operator import attrgetter

from ppgen.games.board_game import NAME
from ppgen.games.board_game.board import MAX_PLAYERS, MIN_PLAYERS, Board
from ppgen.games.board_game.points import (
    Counts,
    PlayerScore,
    Position,
    Reason,
    Score,
    country_points,
    explain,
)
from ppgen.play.result_text import (
    ScoreTable,
    ScoreTableRow,
    explain_place,
    explain_reason,
    join_clauses,
    points_cell,
    value_row,
)
from ppgen.play.sheet_plan import NAME_ROW, Json, SheetCell, SheetColumn, SheetPlan, SheetRow, Takes
from ppgen.reading.texts import Texts

# Plan of the sheet

COUNCILLORS, INTERIM = "councillors", "interim"
"""Columns of a country: the letters of its councillors, and of its cloisters at the interim scoring."""
POINTS, INTERIM_POINTS = "points", "interim_points"
"""Columns of a country: the points of a player in the end, and at the interim scoring."""
SUMS = ("before", "cloister_subtotal", "alliance_subtotal", "chain_points", "total", "pieces_left")
"""The rows below the countries and alliances."""


def sheet_plan(board: Board) -> SheetPlan:
    """Plan the sheet: the points at the interim scoring, then a row for each country with a letter for each space and
    those of the councillors. The interim scoring itself needs only the spaces.
    """
    return SheetPlan(least=MIN_PLAYERS, most=MAX_PLAYERS, rows=(
        SheetRow(key="before", label="tally.before", columns=(SheetColumn(ask="ask.before", late=True),)),
        *(SheetRow(key=country, label=f"countries.{country}", shared=True, columns=(
            *(SheetColumn(key=label, takes=Takes.LETTER, ask="ask.space", label=label) for label in labels),
            SheetColumn(key=COUNCILLORS, takes=Takes.LETTERS, ask="ask.councillors", late=True)),
            places={label: (board.space[label].at.x, board.space[label].at.y) for label in labels},
            links=tuple(road.ends for road in board.roads if {*road.ends} <= {*labels}))
          for country, labels in board.labels.items())))


# Sentences

def reasons(score: Score, position: Position, board: Board, texts: Texts) -> Iterator[str]:
    """Write a sentence for each country, each alliance, the chains of each player, and each total.

    Alliances that score nothing because one of their countries has no councillor share a sentence.
    """
    every = list(explain(score, position, board))
    for interim in (True, False):
        for country in board.labels:
            own = [reason for reason in every if reason.country == country and reason.interim == interim]
            name = texts(f"countries.{country}")
            if own:
                yield explain_reason(texts("explain.then", country=name) if interim else name, _places(own, texts),
                                     texts)
    allied = [reason for reason in every if reason.alliance]
    empty = [reason for reason in allied if not all(reason.leaders)]
    for reason in allied:
        if reason.alliance and (reason not in empty or len(empty) == 1):
            countries = "–".join(texts(f"countries.{country}") for country in reason.alliance.countries)
            yield explain_reason(texts("explain.box", box=reason.alliance.box, countries=countries),
                                 [_alliance(reason, texts)], texts)
    if len(empty) > 1:
        boxes = join_clauses([str(reason.alliance.box) for reason in empty if reason.alliance], texts)
        yield explain_reason(texts("tally.alliances") if empty == allied else texts("explain.boxes", boxes=boxes),
                             [texts("explain.empty_court")], texts)
    for player in score.players:
        if chains := [reason for reason in every if reason.entry == "chain" and reason.players == (player.name,)]:
            yield explain_reason(player.name, [_chain(reason, texts) for reason in chains], texts)
    for player in score.players:
        yield explain_reason(player.name, [_total(player, score.interim, texts)], texts)


def _places(own: Sequence[Reason], texts: Texts) -> Iterator[str]:
    """The clauses of a country, place by place."""
    for reason in own:
        yield explain_place(reason.place, reason.players, reason.holders, texts, count=reason.cloisters,
                            points=reason.points)


def _alliance(reason: Reason, texts: Texts) -> str:
    """The leaders in both countries, or the reason why there are none."""
    if reason.players:
        one, other = reason.counts
        return texts("explain.both_shared" if len(reason.players) > 1 else "explain.both", one=one, other=other,
                     names=join_clauses(reason.players, texts), points=reason.points)
    if not all(reason.leaders):
        return texts("explain.empty_court")
    return texts("explain.not_both", one=join_clauses(reason.leaders[0], texts),
                 other=join_clauses(reason.leaders[1], texts))


def _chain(reason: Reason, texts: Texts) -> str:
    if not reason.chain:
        return texts("explain.chains", points=reason.points)
    return texts("explain.chain", spaces="–".join(reason.chain), points=reason.points)


def _total(player: PlayerScore, interim: bool, texts: Texts) -> str:
    if interim:
        return texts("explain.total_interim", total=player.total)
    return texts("explain.total", before=player.before, cloisters=player.cloister_subtotal,
                 alliances=player.alliance_subtotal, chains=player.chain_points, total=player.total)


# Table

NO_POINTS = "·"


def score_table(score: Score, board: Board, texts: Texts) -> ScoreTable:
    """Lay out countries and alliances in rows, players in columns.

    Columns have two halves: cloisters with their points, and councillors, if there are any.
    """
    councillors = any(entry.councillors for player in score.players for entry in player.countries.values())
    cells = _country_cells if councillors else _cloister_cells
    rows = [ScoreTableRow(label=texts(f"countries.{country}"), cells=tuple(
        cells(player, country) for player in score.players)) for country in board.labels]
    rows += _alliances(score, board, texts)
    return ScoreTable(players=tuple(player.name for player in score.players), rows=(*rows, *_sums(score, texts)),
                      halves=(texts("tally.cloisters"), texts("tally.councillors")) if councillors else (),
                      legend=texts("results.legend" if councillors else "results.legend_cloisters"))


def _cloister_cells(player: PlayerScore, country: str) -> tuple[str, ...]:
    return _country_cells(player, country)[:1]


def _country_cells(player: PlayerScore, country: str) -> tuple[str, ...]:
    entry = player.countries[country]
    return points_cell(entry.cloisters, entry.points), f"{entry.councillors or NO_POINTS}  "


def _alliances(score: Score, board: Board, texts: Texts) -> Iterator[ScoreTableRow]:
    """A row for each alliance with points; its countries in two letters each."""
    codes = {country.id: country.code for country in board.countries}
    scored = [alliance for alliance in board.alliances if any(alliance.box in each.alliances for each in score.players)]
    for alliance in scored:
        label = f"{alliance.box} {'–'.join(codes[country] for country in alliance.countries)}"
        yield ScoreTableRow(label=label, parted=alliance is scored[0],
                            cells=tuple((_points(player.alliances.get(alliance.box, 0)),) for player in score.players))


def _sums(score: Score, texts: Texts) -> Iterator[ScoreTableRow]:
    def row(key: str, value: str, **style: bool) -> ScoreTableRow:
        return value_row(texts(key), map(attrgetter(value), score.players), **style)

    if not score.interim:
        yield row("tally.before", "before", parted=True)
        yield row("tally.cloisters", "cloister_subtotal")
        yield row("tally.alliances", "alliance_subtotal")
        yield row("tally.chains", "chain_points")
    yield row("score.total", "total", strong=True, parted=True)
    if not score.interim:
        yield row("tally.pieces_left", "pieces_left")
    yield row("results.rank", "rank")


def _points(points: int) -> str:
    return f"{points or NO_POINTS:<2}"


# The position again, as JSON

def position_json(position: Position, letters: Sequence[str], board: Board, facts: Mapping[str, str]) -> Json:
    """A position that ``ppgen score`` reads as JSON, with a letter for each piece."""
    def rows(counts: Counts) -> dict[str, str]:
        return {country: "".join(letters[seat] * count for seat, count in enumerate(counts[country]))
                for country in board.labels if sum(counts.get(country, ()))}

    record: Json = {"game": NAME, **facts, "players": list(position.players)}
    if position.before:
        record["before"] = list(position.before)
    if position.interim is not None:
        record["interim"] = rows(position.interim)
    if position.spaces:
        record["spaces"] = {country: "".join(letters[position.spaces[space]] if space in position.spaces else "."
                                             for space in labels) for country, labels in board.labels.items()}
    elif position.cloisters:
        record["cloisters"] = rows(position.cloisters)
        if position.chains:
            record["chains"] = list(position.chains)
    record["councillors"] = rows(position.councillors)
    return record


# Form fields, filled in as the scripts of the form would

def letter_cells(position: Position, letters: Sequence[str], board: Board) -> dict[SheetCell, str]:
    """The texts of the cells with letters and players' names."""
    def rows(column: str, counts: Counts) -> dict[SheetCell, str]:
        return {SheetCell(0, country, column): "".join(letter * count for letter, count
                                                       in zip(letters, own, strict=True))
                for country, own in counts.items()}

    return {**{SheetCell(seat, NAME_ROW): name for seat, name in enumerate(position.players, 1)},
            **{SheetCell(0, board.space[label].country, label): letters[seat]
               for label, seat in position.spaces.items()},
            **rows(COUNCILLORS, position.councillors), **rows(INTERIM, position.interim or {})}


def as_interim(position: Position, board: Board) -> Position:
    """Move the cloisters to the interim scoring: where the sheet has them then."""
    return Position(players=position.players, interim={
        country: counts for country in board.labels if any(counts := position.cloister_counts(country, board))})


def sheet_points(score: Score, position: Position, board: Board) -> dict[SheetCell, int]:
    """The points on the sheet: also 0, but only in countries and boxes where a player scores."""
    boxes = sorted({box for player in score.players for box in player.alliances})
    cells = [*(SheetCell(0, row) for row in (("before",) if score.interim else SUMS)
               if row != "before" or not position.lacks_before),
             *(SheetCell(0, country, POINTS) for country in board.labels
               if any(position.cloister_counts(country, board))),
             *(SheetCell(0, country, INTERIM_POINTS) for country, counts in (position.interim or {}).items()
               if any(counts)),
             *(SheetCell(0, f"box{box}") for box in boxes)]
    return {replace(cell, seat=seat): points_by_cell(player, cell, position)
            for seat, player in enumerate(score.players, 1) for cell in cells}


def points_by_cell(player: PlayerScore, cell: SheetCell, position: Position) -> int:
    """The points of a player in a cell of the sheet."""
    interim = {country: country_points(counts)[position.players.index(player.name)]
               for country, counts in (position.interim or {}).items()}
    if cell.column == INTERIM_POINTS:
        return interim.get(cell.row, 0)
    if cell.row == "before" and interim:
        return sum(interim.values())
    if cell.column:
        return player.countries[cell.row].points if cell.row in player.countries else 0
    if cell.row.startswith("box"):
        return player.alliances.get(int(cell.row[3:]), 0) if cell.row[3:].isdecimal() else 0
    return int(getattr(player, cell.row))
