"""The result of any game: its players in the order of the tallies, and who has won."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import asdict, dataclass
from typing import Generic, TypeVar

from ppgen.play.sheet_plan import Json


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


@dataclass(frozen=True, kw_only=True)
class Ranking(Generic[Player]):
    """The players in the order of the tallies, and the winners."""

    players: tuple[Player, ...]
    winners: tuple[str, ...]  # all who tie, if nothing decided
    tie_break: str | None  # that decided between equal totals; `draw` if none did

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
