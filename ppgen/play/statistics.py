"""Turns games that were kept into how each player has done."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace

from ppgen.play.kept import KeptGame


@dataclass(frozen=True, slots=True, kw_only=True)
class PlayerStatistics:
    """How one player has done in one game. A ``draw`` is a shared win; ``mean`` and ``best`` are of the totals."""

    game: str
    name: str
    games: int = 0
    wins: int = 0
    draws: int = 0
    mean: float = 0.0
    best: int = 0


def statistics(games: Iterable[KeptGame]) -> tuple[PlayerStatistics, ...]:
    """The players of each game, the most wins first. Names that differ only in case are one player's."""
    found: dict[tuple[str, str], PlayerStatistics] = {}
    for game in games:
        drawn = game.result.get("tie_break") == "draw"
        for player in game.result["players"]:
            name, total = player["name"], player["total"]
            key = game.game, name.casefold()
            old = found.get(key) or PlayerStatistics(game=game.game, name=name, best=total)
            won = name in game.result["winners"]
            found[key] = replace(
                old, name=name, games=old.games + 1, wins=old.wins + (won and not drawn),
                draws=old.draws + (won and drawn), best=max(old.best, total),
                mean=(old.mean * old.games + total) / (old.games + 1))
    return tuple(sorted(found.values(), key=lambda each: (each.game, -each.wins, -each.mean, each.name)))
