"""The plan of the score sheet, and scores in words, tables, records and form fields."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from operator import attrgetter

from ppgen.games.board_game import NAME
from ppgen.games.board_game.board import MAX_PLAYERS, MIN_PLAYERS, Board
from ppgen.games.board_game.points import (CLOISTERS, INTERIM, Counts, PlayerScore, Position, Score, country_points,
                                           majority)
from ppgen.play.line_points import ScoreTable, ScoreTableRow, Words, explain_line, explain_total, points_cell, value_row
from ppgen.play.rule_file import Rules, ScoreLine
from ppgen.play.sheet_plan import NAME_ROW, Json, SheetCell, SheetColumn, SheetPlan, SheetRow, Takes
from ppgen.reading.texts import Texts

# --- Plan of the sheet ---

COUNCILLORS = "councillors"  # column of a country: their letters; those of its early cloisters are in INTERIM
POINTS, INTERIM_POINTS = "points", "interim_points"  # columns of a country: in the end, at the interim scoring
SUMS = ("before", "cloister_subtotal", "alliance_subtotal", "chain_points", "total", "pieces_left")
"""The rows below the countries and alliances."""


def sheet_plan(board: Board) -> SheetPlan:
    """Plan the sheet: the early points, then a row for each country with its spaces and its councillors."""
    return SheetPlan(least=MIN_PLAYERS, most=MAX_PLAYERS, rows=(
        SheetRow(key="before", label="tally.before", columns=(SheetColumn(ask="ask.before", late=True),)),
        *(SheetRow(key=country, label=f"countries.{country}", shared=True, columns=(
            *(SheetColumn(key=label, takes=Takes.LETTER, ask="ask.spaces") for label in labels),
            SheetColumn(key=COUNCILLORS, takes=Takes.LETTERS, ask="ask.councillors", late=True)))
          for country, labels in board.labels.items())))


# --- Sentences ---

def label_lines(rules: Rules, board: Board, texts: Texts) -> Rules:
    """The rules with the labels of a language."""
    def label(line: ScoreLine) -> str:
        country = texts(f"countries.{line.row}") if line.row in board.labels else ""
        return texts("explain.then", country=country) if line.group == INTERIM else country

    return replace(rules, lines=tuple(replace(line, label=label(line)) for line in rules.lines))


def reasons(score: Score, position: Position, board: Board, rules: Rules, words: Words) -> Iterator[str]:
    """Write a sentence for each country, alliance (empty ones share one), player's chains, and total."""
    scored = score.scored
    for n, line in enumerate(rules.lines):
        if line.group in (INTERIM, CLOISTERS):
            yield from explain_line(line, scored.counts[n], scored.points[n], scored.names, words)
    if not score.interim:
        yield from _explain_alliances(position, board, words)
        for player in score.players:
            if clauses := [words("chain", spaces="–".join(chain), points=len(chain)) for chain in player.chains] or (
                    [words("chains", points=player.chain_points)] if player.chain_points else []):
                yield words.sentence(player.name, clauses)
    for seat in range(len(score.players)):
        yield explain_total(rules, scored, seat, words, "total_interim" if score.interim else "total")


def _explain_alliances(position: Position, board: Board, words: Words) -> Iterator[str]:
    courts = {alliance.box: [position.councillor_counts(country) for country in alliance.countries]
              for alliance in board.alliances}
    empty = [box for box, counts in courts.items() if not all(map(any, counts))]
    for alliance in board.alliances:
        if alliance.box not in empty or len(empty) == 1:
            countries = "–".join(words.common[f"countries.{country}"] for country in alliance.countries)
            one, other = courts[alliance.box]
            yield words.sentence(words("box", box=alliance.box, countries=countries),
                                 [_explain_alliance(one, other, position.players, words)])
    if len(empty) > 1:
        yield words.sentence(words.common["tally.alliances"] if len(empty) == len(courts) else words(
            "boxes", boxes=words.join(list(map(str, empty)))), [words("empty_court")])


def _explain_alliance(one: Sequence[int], other: Sequence[int], players: Sequence[str], words: Words) -> str:
    """The leaders in both countries, or the reason why there are none."""
    def names(seats: Iterable[int]) -> str:
        return words.join([players[seat] for seat in sorted(seats)])

    if both := majority(one) & majority(other):
        return words("both_shared" if len(both) > 1 else "both", one=sum(one), other=sum(other), names=names(both),
                     points=sum(one) + sum(other))
    if not (any(one) and any(other)):
        return words("empty_court")
    return words("not_both", one=names(majority(one)), other=names(majority(other)))


# --- Table ---

NO_POINTS = "·"


def score_table(score: Score, board: Board, texts: Texts) -> ScoreTable:
    """Lay out countries and alliances in rows, players in columns with two halves if there are councillors."""
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


# --- The position again, as JSON ---

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


# --- Form fields, filled in as the scripts of the form would ---

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
