"""Turns a score into what programs and spreadsheets read: the contract's JSON, flat rows, and the position again."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from ppgen.games.board_game import NAME
from ppgen.games.board_game.board.model import Board
from ppgen.games.board_game.scoring.points import CountryScore, Counts, PlayerScore, Position, Score

Json = dict[str, Any]


def result_json(score: Score, complete: bool, warnings: Iterable[str]) -> Json:
    """The result as ``ppgen score --format json`` prints it (contract, 'Games')."""
    return {"game": NAME, "complete": complete, "winners": list(score.winners), "tie_break": score.tie_break,
            "warnings": list(warnings), "players": [_player(player) for player in score.players]}


def position_json(position: Position, letters: Sequence[str], board: Board, date: str = "", place: str = "") -> Json:
    """A position that ``ppgen score`` reads as JSON: one letter a piece."""
    def rows(counts: Counts) -> dict[str, str]:
        return {country: "".join(letters[seat] * count for seat, count in enumerate(counts[country]))
                for country in board.labels if sum(counts.get(country, ()))}

    written: Json = {"game": NAME, "date": date, "place": place, "players": list(position.players)}
    if position.before:
        written["before"] = list(position.before)
    if position.interim is not None:
        written["interim"] = rows(position.interim)
    if position.spaces:
        written["spaces"] = {country: "".join(letters[position.spaces[space]] if space in position.spaces else "."
                                              for space in labels) for country, labels in board.labels.items()}
    elif position.cloisters:
        written["cloisters"] = rows(position.cloisters)
        if position.chains:
            written["chains"] = list(position.chains)
    written["councillors"] = rows(position.councillors)
    return written


def result_lines(score: Score, board: Board) -> list[Json]:
    """A flat record for each player; at its end three columns for each country and one for each box."""
    rows = []
    for player in score.players:
        row = {key: value for key, value in _player(player).items() if key not in ("countries", "alliances")}
        row["chains"] = " ".join("-".join(chain) for chain in player.chains)
        row["winner"] = int(player.name in score.winners)
        for country, entry in player.countries.items():
            row |= {f"{country}_{key}": value for key, value in _country(entry).items()}
        row |= {f"box_{alliance.box}": player.alliances.get(alliance.box, 0) for alliance in board.alliances}
        rows.append(row)
    return rows


def _player(player: PlayerScore) -> Json:
    return {"name": player.name, "rank": player.rank, "total": player.total, "before": player.before,
            "countries": {country: _country(entry) for country, entry in player.countries.items()},
            "cloister_subtotal": player.cloister_subtotal,
            "alliances": [{"box": box, "points": points} for box, points in player.alliances.items()],
            "alliance_subtotal": player.alliance_subtotal, "chains": [list(chain) for chain in player.chains],
            "chain_points": player.chain_points, "pieces_left": player.pieces_left}


def _country(entry: CountryScore) -> Json:
    return {"cloisters": entry.cloisters, "councillors": entry.councillors, "points": entry.points}
