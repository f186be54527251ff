"""Ranks of the players of any game: totals, the tie-break, the winners, and the sentence that names them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import asdict, dataclass, replace
from typing import Any, Generic, TypeVar

from ppgen.play.result_text import count_phrase, join_clauses
from ppgen.play.sheet_plan import Json
from ppgen.reading.texts import Texts


@dataclass(frozen=True, slots=True, kw_only=True)
class RankedPlayer:
    """Base of a player's score in a game: its other fields follow in the order of the JSON result."""

    name: str
    rank: int = 1
    total: int

    def record(self) -> Json:
        """The player's part of the result."""
        return asdict(self)

    def flat_record(self) -> Json:
        """The same for a line of a spreadsheet, with tables by row at most."""
        return self.record()


Player = TypeVar("Player", bound=RankedPlayer)


@dataclass(frozen=True)  # no slots: with them, Generic fails as TieBreak[PlayerScore](…)
class TieBreak(Generic[Player]):
    """The count that decides between equal totals.

    ``what`` is its name in ``tie_break`` and in the texts: ``counted.WHAT``, and the sentences ``results.by_WHAT`` if
    it decides and ``results.draw_by_WHAT`` if several players remain.
    """

    what: str
    count: Callable[[Player], int]


@dataclass(frozen=True, kw_only=True)
class Ranking(Generic[Player]):
    """The players in the order of the tallies, and the winners.

    ``tie_break`` is the name of the tie-break if totals tied and it decided, ``"draw"`` if players still tie (then
    ``winners`` holds all of them), or else None.
    """

    players: tuple[Player, ...]
    winners: tuple[str, ...]
    tie_break: str | None

    def result(self, game: str, complete: bool, warnings: Iterable[object]) -> Json:
        """The result in the format of ``ppgen score --format json`` (contract, 'ppgen score')."""
        return {"game": game, "complete": complete, "winners": list(self.winners), "tie_break": self.tie_break,
                "warnings": list(map(str, warnings)), "players": [player.record() for player in self.players]}

    def lines(self) -> list[Json]:
        """A flat record for each player: single values, whether the player wins, then the tables row by row."""
        return [{**{key: value for key, value in record.items() if not isinstance(value, dict)},
                 "winner": int(record["name"] in self.winners),
                 **{f"{row}_{key}": value for table in record.values() if isinstance(table, dict)
                    for row, entry in table.items() for key, value in entry.items()}}
                for record in (player.flat_record() for player in self.players)]


def rank_players(players: Sequence[Player], by: TieBreak[Player] | None = None) -> Ranking[Player]:
    """Rank players by total, then by the tie-break; equal players share a rank (1, 1, 3)."""
    merits = [(player.total, by.count(player) if by else 0) for player in players]
    ranked = tuple(replace(player, rank=1 + sum(other > own for other in merits))
                   for player, own in zip(players, merits, strict=True))
    winners = tuple(player.name for player in ranked if player.rank == 1)
    best = max((total for total, _ in merits), default=0)
    tied = sum(total == best for total, _ in merits) > 1
    return Ranking(players=ranked, winners=winners, tie_break=_name_tie_break(len(winners), by) if tied else None)


def place_counts(counts: Iterable[int]) -> list[int]:
    """The counts of the first place, the second and so on; 0 has no place, equal counts share one."""
    return sorted(set(counts) - {0}, reverse=True)


def score_places(counts: Sequence[int], first: int) -> tuple[int, ...]:
    """Points of each player where the highest count scores ``first``, each further place the count of the one before.

    Equal counts share a place, and no place is skipped. A count of 0 scores nothing.
    """
    places = place_counts(counts)
    points = dict(zip(places, (first, *places), strict=False))
    return tuple(points.get(count, 0) for count in counts)


def _name_tie_break(winners: int, by: TieBreak[Any] | None) -> str:
    return "draw" if winners > 1 or by is None else by.what


def compose_verdict(score: Ranking[Player], by: TieBreak[Player] | None, texts: Texts, over: bool) -> str:
    """Name the winner and the tie-break, or the leader if the game is not ``over``."""
    players, tie_break = score.players, score.tie_break
    best = [player for player in players if player.total == max(each.total for each in players)]
    names = join_clauses([player.name for player in best], texts)
    first = next(player for player in players if player.rank == 1)
    values: dict[str, object] = {"points": count_phrase("points", first.total, texts)}
    if not over:
        return texts("results.leaders" if len(best) > 1 else "results.leader",
                     **{"names" if len(best) > 1 else "name": names}, **values)
    if tie_break == "draw":
        winners = join_clauses(score.winners, texts)
        if by:
            values[by.what] = count_phrase(by.what, by.count(first), texts)
        if by and len(best) > len(score.winners):
            return texts(f"results.draw_by_{by.what}", names=names, winners=winners, **values)
        return texts("results.draw", names=winners, **values)
    if tie_break and by:
        others = max(by.count(player) for player in best if player is not first)
        return texts(f"results.by_{by.what}", names=names, winner=first.name, others=others,
                     **{by.what: by.count(first)}, **values)
    return texts("results.winner", name=first.name, **values)
