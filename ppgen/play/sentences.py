"""Turns names, parts and counts into pieces of sentences in a language."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import reduce
from typing import Generic, Protocol, TypeVar

from ppgen.reading.texts import Texts

PLACES = ("second", "third", "fourth", "fifth")
"""What the places behind the first are called in a sentence: ``second`` in English, ``2`` in most languages."""


class Placed(Protocol):
    """What a verdict needs of a player's score."""

    @property
    def name(self) -> str: ...
    @property
    def rank(self) -> int: ...
    @property
    def total(self) -> int: ...


Player = TypeVar("Player", bound=Placed)


@dataclass(frozen=True, slots=True)
class TieBreak(Generic[Player]):
    """What decides between equal totals: its name in ``tie_break``, which is also that of its count in the texts, the
    count itself, and the keys of what is said where it decides, or leaves several."""

    what: str
    count: Callable[[Player], int]
    decides: str
    leaves: str


def verdict(players: Sequence[Player], tie_break: str | None, by: TieBreak[Player], texts: Texts, over: bool) -> str:
    """Who won, and what decided; or who leads, in a game that is not ``over``."""
    best = [player for player in players if player.total == max(each.total for each in players)]
    names = joined([player.name for player in best], texts)
    first = next(player for player in players if player.rank == 1)
    points = counted("points", first.total, texts)
    if not over:
        return texts("results.leaders" if len(best) > 1 else "results.leader",
                     points=points, **{"names" if len(best) > 1 else "name": names})
    if tie_break == "draw":
        tied = [player.name for player in players if player.rank == 1]
        kept = {"points": points, by.what: counted(by.what, by.count(first), texts)}
        if len(best) > len(tied):
            return texts(by.leaves, names=names, winners=joined(tied, texts), **kept)
        return texts("results.draw", names=joined(tied, texts), **kept)
    if tie_break == by.what:
        others = max(by.count(player) for player in best if player is not first)
        return texts(by.decides, names=names, winner=first.name, points=points, others=others,
                     **{by.what: by.count(first)})
    return texts("results.winner", name=first.name, points=points)


def counted(what: str, count: int, texts: Texts) -> str:
    """``1 point``, ``61 points``: in the singular for the numbers that the language says so for (in French 0, too)."""
    one = str(abs(count)) in texts("counted.singular").split()
    return texts(f"counted.{what}_one" if one else f"counted.{what}", count=signed(count))


def joined(names: Sequence[str], texts: Texts) -> str:
    """``Andreas, Beate und Claus``."""
    *first, last = names
    return texts("results.and", first=chained("results.list", first, texts), last=last) if first else last


def enumerated(parts: Iterable[str], texts: Texts) -> str:
    """``France, Saxony, ships``."""
    return chained("results.list", list(parts), texts)


def explained(what: str, parts: Iterable[str], texts: Texts) -> str:
    """What points are for, and why each player has them; in a line."""
    return texts("explain.line", what=what, parts=chained("explain.also", list(parts), texts))


def chained(key: str, parts: Sequence[str], texts: Texts) -> str:
    """The parts, each put behind those before it as the text says."""
    return reduce(lambda first, last: texts(key, first=first, last=last), parts) if parts else ""


def signed(points: int) -> str:
    """Points with a true minus."""
    return str(points).replace("-", "−")
