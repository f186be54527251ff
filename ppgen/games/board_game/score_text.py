"""The plan of the score sheet, and scores in words, tables, records and form fields."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from operator import attrgetter

from ppgen.games.board_game import NAME
from ppgen.games.board_game.board import MAX_PLAYERS, MIN_PLAYERS, Board
from ppgen.games.board_game.points import (
    CountryScore,
    Counts,
    PlayerScore,
    Position,
    Reason,
    Score,
    country_points,
    explain,
)
from ppgen.play import result_text
from ppgen.play.result_text import PLACES, ScoreTable, ScoreTableRow, explain_reason, join_clauses, points_cell
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

BY_PIECES = result_text.TieBreak[PlayerScore](
    "pieces", attrgetter("pieces_left"), "results.by_pieces", "results.draw_by_pieces")


def verdict(score: Score, texts: Texts, over: bool = True) -> str:
    """Name the winner and the tie-break, or the leader of a game that is not ``over``."""
    return result_text.compose_verdict(score.players, score.tie_break, BY_PIECES, texts, over)


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
        many = len(reason.players) > 1
        values = {"names": join_clauses(reason.players, texts), "count": reason.cloisters, "points": reason.points}
        if reason.place == 1:
            yield texts("explain.most_shared" if many else "explain.most", **values)
        else:
            before = texts("explain.before_many" if len(reason.holders) > 1 else "explain.before_one",
                           names=join_clauses(reason.holders, texts))
            yield texts("explain.next_shared" if many else "explain.next", before=before,
                        place=texts(f"places.{PLACES[reason.place - 2]}"), **values)


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
    return points_cell(entry.cloisters, str(entry.points)), f"{entry.councillors or NO_POINTS}  "


def _alliances(score: Score, board: Board, texts: Texts) -> Iterator[ScoreTableRow]:
    """A row for each alliance with points; its countries in two letters each."""
    codes = {country.id: country.code for country in board.countries}
    scored = [alliance for alliance in board.alliances if any(alliance.box in each.alliances for each in score.players)]
    for alliance in scored:
        label = f"{alliance.box} {'–'.join(codes[country] for country in alliance.countries)}"
        yield ScoreTableRow(label=label, parted=alliance is scored[0],
                            cells=tuple((_points(player.alliances.get(alliance.box, 0)),) for player in score.players))


def _sums(score: Score, texts: Texts) -> Iterator[ScoreTableRow]:
    def row(key: str, value: Callable[[PlayerScore], int], strong: bool = False, parted: bool = False) -> ScoreTableRow:
        return ScoreTableRow(label=texts(key), cells=tuple((f"{value(player):<2}",) for player in score.players),
                             strong=strong, parted=parted)

    if not score.interim:
        yield row("tally.before", lambda player: player.before, parted=True)
        yield row("tally.cloisters", lambda player: player.cloister_subtotal)
        yield row("tally.alliances", lambda player: player.alliance_subtotal)
        yield row("tally.chains", lambda player: player.chain_points)
    yield row("score.total", lambda player: player.total, strong=True, parted=True)
    if not score.interim:
        yield row("tally.pieces_left", lambda player: player.pieces_left)
    yield row("results.rank", lambda player: player.rank)


def _points(points: int) -> str:
    return f"{points or NO_POINTS:<2}"


# Records: JSON, lines of CSV, and the position again

def result_json(score: Score, complete: bool, warnings: Iterable[str]) -> Json:
    """The result as ``ppgen score --format json`` prints it (contract, 'Games')."""
    return {"game": NAME, "complete": complete, "winners": list(score.winners), "tie_break": score.tie_break,
            "warnings": list(warnings), "players": [_player(player) for player in score.players]}


def position_json(position: Position, letters: Sequence[str], board: Board, date: str = "",
                  place: str = "") -> Json:
    """A position that ``ppgen score`` reads as JSON, with a letter for each piece."""
    def rows(counts: Counts) -> dict[str, str]:
        return {country: "".join(letters[seat] * count for seat, count in enumerate(counts[country]))
                for country in board.labels if sum(counts.get(country, ()))}

    record: Json = {"game": NAME, "date": date, "place": place, "players": list(position.players)}
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


def result_lines(score: Score, board: Board) -> list[Json]:
    """A flat record for each player; three columns for each country and one for each box are at its end."""
    rows = []
    for player in score.players:
        row = {key: value for key, value in _player(player).items() if key not in ("countries", "alliances")}
        row["chains"] = " ".join("-".join(chain) for chain in player.chains)
        row["winner"] = int(player.name in score.winners)
        for country, entry in player.countries.items():
            row |= {f"{country}_{key}": value for key, value in _country_json(entry).items()}
        row |= {f"box_{alliance.box}": player.alliances.get(alliance.box, 0) for alliance in board.alliances}
        rows.append(row)
    return rows


def _player(player: PlayerScore) -> Json:
    return {"name": player.name, "rank": player.rank, "total": player.total, "before": player.before,
            "countries": {country: _country_json(entry) for country, entry in player.countries.items()},
            "cloister_subtotal": player.cloister_subtotal,
            "alliances": [{"box": box, "points": points} for box, points in player.alliances.items()],
            "alliance_subtotal": player.alliance_subtotal, "chains": [list(chain) for chain in player.chains],
            "chain_points": player.chain_points, "pieces_left": player.pieces_left}


def _country_json(entry: CountryScore) -> Json:
    return {"cloisters": entry.cloisters, "councillors": entry.councillors, "points": entry.points}


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


def form_values(score: Score, position: Position, letters: Sequence[str], board: Board, date: str = "",
                place: str = "") -> dict[str, str]:
    """The text of each field by its full name; blank fields are left out.

    Points, also 0, are only written in countries and boxes where a player scores.
    """
    position = as_interim(position, board) if score.interim else position
    values = {"date": date, "place": place}
    values |= {cell.field: text for cell, text in letter_cells(position, letters, board).items()}
    boxes = {box for player in score.players for box in player.alliances}
    for seat, player in enumerate(score.players, 1):
        cells = [SheetCell(seat, row) for row in (("before",) if score.interim else SUMS)
                 if row != "before" or not position.lacks_before]
        cells += [SheetCell(seat, country, POINTS) for country in board.labels
                  if sum(position.cloister_counts(country, board))]
        cells += [SheetCell(seat, country, INTERIM_POINTS)
                  for country, counts in (position.interim or {}).items() if any(counts)]
        cells += [SheetCell(seat, f"box{box}") for box in sorted(boxes)]
        values |= {cell.field: str(points_by_cell(player, cell, position)) for cell in cells}
    return {name: text for name, text in values.items() if text}


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
