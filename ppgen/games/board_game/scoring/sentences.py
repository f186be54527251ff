"""Turns a score into sentences of a language: who won and what decided, and why each point was scored."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from operator import attrgetter

from ppgen.games.board_game.board.model import Board
from ppgen.games.board_game.scoring.points import PlayerScore, Position, Reason, Score, explain
from ppgen.play import sentences
from ppgen.play.sentences import PLACES, explained, joined
from ppgen.reading.texts import Texts

BY_PIECES: sentences.TieBreak[PlayerScore] = sentences.TieBreak(
    "pieces", attrgetter("pieces_left"), "results.by_pieces", "results.draw_by_pieces")


def verdict(score: Score, texts: Texts, over: bool = True) -> str:
    """Who won, and what decided; or who leads, in a game that is not ``over``."""
    return sentences.verdict(score.players, score.tie_break, BY_PIECES, texts, over)


def reasons(score: Score, position: Position, board: Board, texts: Texts) -> Iterator[str]:
    """A sentence for each country, each alliance, the chains of each player, and each total."""
    found = list(explain(score, position, board))
    for interim in (True, False):
        for country in board.labels:
            own = [reason for reason in found if reason.country == country and reason.interim == interim]
            name = texts(f"countries.{country}")
            if own:
                yield explained(texts("explain.then", country=name) if interim else name, _places(own, texts), texts)
    for reason in found:
        if reason.alliance:
            countries = "–".join(texts(f"countries.{country}") for country in reason.alliance.countries)
            yield explained(texts("explain.box", box=reason.alliance.box, countries=countries),
                            [_alliance(reason, texts)], texts)
    for player in score.players:
        if chains := [reason for reason in found if reason.entry == "chain" and reason.players == (player.name,)]:
            yield explained(player.name, [_chain(reason, texts) for reason in chains], texts)
    for player in score.players:
        yield explained(player.name, [_total(player, score.interim, texts)], texts)


def _places(own: Sequence[Reason], texts: Texts) -> Iterator[str]:
    """A country, place by place."""
    for reason in own:
        many = len(reason.players) > 1
        values = {"names": joined(reason.players, texts), "count": reason.held, "points": reason.points}
        if reason.place == 1:
            yield texts("explain.most_shared" if many else "explain.most", **values)
        else:
            before = texts("explain.before_many" if len(reason.holders) > 1 else "explain.before_one",
                           names=joined(reason.holders, texts))
            yield texts("explain.next_shared" if many else "explain.next", before=before,
                        place=texts(f"places.{PLACES[reason.place - 2]}"), **values)


def _alliance(reason: Reason, texts: Texts) -> str:
    """Who leads in both countries; or why nobody does."""
    if reason.players:
        one, other = reason.counts
        return texts("explain.both_shared" if len(reason.players) > 1 else "explain.both", one=one, other=other,
                     names=joined(reason.players, texts), points=reason.points)
    if not all(reason.leaders):
        return texts("explain.empty_court")
    return texts("explain.not_both", one=joined(reason.leaders[0], texts), other=joined(reason.leaders[1], texts))


def _chain(reason: Reason, texts: Texts) -> str:
    if not reason.chain:
        return texts("explain.chains", points=reason.points)
    return texts("explain.chain", spaces="–".join(reason.chain), points=reason.points)


def _total(player: PlayerScore, interim: bool, texts: Texts) -> str:
    if interim:
        return texts("explain.total_interim", total=player.total)
    return texts("explain.total", before=player.before, cloisters=player.cloister_subtotal,
                 alliances=player.alliance_subtotal, chains=player.chain_points, total=player.total)
