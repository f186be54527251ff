"""Turns a position into what can't be right about it, whoever wrote it: limits of pieces, of spaces, of councillors."""

from __future__ import annotations

from collections.abc import Callable, Container, Iterable, Iterator, Mapping

from ppgen.errors import Problem, Spot
from ppgen.games.board_game.board.model import Board
from ppgen.games.board_game.scoring.chains import LEAST
from ppgen.games.board_game.scoring.points import Position
from ppgen.play.sentences import counted
from ppgen.reading.limits import Trail
from ppgen.reading.texts import Texts

Where = Callable[[Trail], Spot]


def implausible(position: Position, board: Board, where: Where, trails: Mapping[tuple[str, str], Trail],
                doubtful: Container[str], say: Texts) -> Iterator[Problem]:
    """What no game comes to; ``trails`` are where the entries of each country stand. Of a ``doubtful`` country, of
    which something could not be read, only what there is too much of is told."""
    def at(key: str, country: str) -> Spot:
        return where(trails.get((key, country), (key,)))

    sure = [country for country in board.labels if country not in doubtful]
    yield from _full(position, board, at, say)
    yield from _council(position, board, sure, at, say)
    yield from _supply(position, board, where, say)
    yield from _shrunk(position, board, sure, at, say)
    if len(sure) == len(board.labels):
        yield from _chains(position, board, where, say)


def _full(position: Position, board: Board, at: Callable[[str, str], Spot], say: Texts) -> Iterator[Problem]:
    """More cloisters than spaces, where only numbers were noted."""
    for country, labels in board.labels.items():
        count = sum(position.standing(country, board))
        if count > len(labels):
            yield at("cloisters", country).problem(
                say("wrong.full", country=say(f"countries.{country}"), number=len(labels),
                    cloisters=counted("cloisters", count, say)),
                say("wrong.again"))


def _council(position: Position, board: Board, sure: Iterable[str], at: Callable[[str, str], Spot],
             say: Texts) -> Iterator[Problem]:
    """More councillors of all players together than the most cloisters of one. Cloisters stay, so what held when a
    councillor was placed holds at the end."""
    for country in sure:
        count, limit = sum(position.advising(country)), max(position.standing(country, board), default=0)
        if count > limit:
            yield at("councillors", country).problem(
                say("wrong.council", country=say(f"countries.{country}"),
                    councillors=counted("councillors", count, say), cloisters=counted("cloisters", limit, say)),
                say("wrong.council_remedy", councillors=counted("councillors", limit, say)))


def _supply(position: Position, board: Board, where: Where, say: Texts) -> Iterator[Problem]:
    pieces = (("cloisters", board.cloisters, [position.standing(country, board) for country in board.labels]),
              ("councillors", board.councillors, [position.advising(country) for country in board.labels]))
    for seat, name in enumerate(position.players):
        for key, number, rows in pieces:
            count = sum(row[seat] for row in rows)
            if count > number:
                written = "spaces" if key == "cloisters" and position.spaces else key
                yield where((written,)).problem(
                    say("wrong.many", name=name, pieces=counted(key, count, say)), say("wrong.each_has", number=number))


def _shrunk(position: Position, board: Board, sure: Iterable[str], at: Callable[[str, str], Spot],
            say: Texts) -> Iterator[Problem]:
    """Cloisters that stood at the interim scoring, and are gone."""
    for country in sure:
        then = (position.interim or {}).get(country, (0,) * len(position.players))
        for name, early, late in zip(position.players, then, position.standing(country, board), strict=True):
            if early > late:
                yield at("interim", country).problem(
                    say("wrong.shrunk", name=name, country=say(f"countries.{country}"),
                        early=counted("cloisters", early, say), late=late),
                    say("wrong.stay"))


def _chains(position: Position, board: Board, where: Where, say: Texts) -> Iterator[Problem]:
    """Points for chains that are too short, or longer than there are cloisters."""
    for seat, points in enumerate(position.chains):
        held = sum(position.standing(country, board)[seat] for country in board.labels)
        if points and not LEAST <= points <= held:
            yield where(("chains", seat)).problem(
                say("wrong.chain", name=position.players[seat], points=counted("points", points, say),
                    cloisters=counted("cloisters", held, say)),
                say("wrong.chain_remedy", number=LEAST))
