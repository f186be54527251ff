"""Turns a score into the table that shows it: countries and alliances down, players across."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from ppgen.games.board_game.board.model import Board
from ppgen.games.board_game.scoring.points import PlayerScore, Score
from ppgen.play.table import Table, TableRow, points_cell
from ppgen.reading.texts import Texts

NONE = "·"


def table(score: Score, board: Board, texts: Texts) -> Table:
    """For each country two halves of a column: cloisters and their points, councillors."""
    rows = [TableRow(label=texts(f"countries.{country}"), cells=tuple(
        _country(player, country) for player in score.players)) for country in board.labels]
    rows += _alliances(score, board, texts)
    return Table(players=tuple(player.name for player in score.players), rows=(*rows, *_sums(score, texts)),
                 halves=(texts("tally.cloisters"), texts("tally.councillors")), legend=texts("results.legend"))


def _country(player: PlayerScore, country: str) -> tuple[str, str]:
    entry = player.countries[country]
    return points_cell(entry.cloisters, str(entry.points)), f"{entry.councillors or NONE}  "


def _alliances(score: Score, board: Board, texts: Texts) -> Iterator[TableRow]:
    """A row for each alliance that anybody scores; its countries in two letters each."""
    codes = {country.id: country.code for country in board.countries}
    scored = [alliance for alliance in board.alliances if any(alliance.box in each.alliances for each in score.players)]
    for alliance in scored:
        label = f"{alliance.box} {'–'.join(codes[country] for country in alliance.countries)}"
        yield TableRow(label=label, parted=alliance is scored[0],
                       cells=tuple((_points(player.alliances.get(alliance.box, 0)),) for player in score.players))


def _sums(score: Score, texts: Texts) -> Iterator[TableRow]:
    def row(key: str, value: Callable[[PlayerScore], int], strong: bool = False, parted: bool = False) -> TableRow:
        return TableRow(label=texts(key), cells=tuple((f"{value(player):<2}",) for player in score.players),
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
    return f"{points or NONE:<2}"
