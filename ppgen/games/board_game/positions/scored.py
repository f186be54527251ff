"""Turns a raw game into a scored one: a checked position, the score, and what deserves a second look."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from ppgen.errors import Problem
from ppgen.games.board_game.board.model import Board
from ppgen.games.board_game.positions.checked import Checked, check_position
from ppgen.games.board_game.positions.names import Names
from ppgen.games.board_game.scoring import result
from ppgen.games.board_game.scoring.points import Score, score_game, score_interim
from ppgen.play.raw import RawGame, TypedTotal
from ppgen.play.scoring import Json

if TYPE_CHECKING:
    from ppgen.play.table import Table


@dataclass(frozen=True, slots=True, kw_only=True)
class ScoredGame:
    """A game and its score; ``over`` is False where the players said that it isn't."""

    board: Board
    names: Names
    checked: Checked
    score: Score
    over: bool = True
    warnings: tuple[Problem, ...] = ()

    @property
    def complete(self) -> bool:
        """Whether these are the points at the end of a game, of which nothing is missing."""
        position = self.checked.position
        return self.over and not self.score.interim and not (
            position.lacks_before or position.lacks_cloisters or position.lacks_chains)

    @property
    def result(self) -> Json:
        return result.result_json(self.score, self.complete, map(str, self.warnings))

    @property
    def written(self) -> Json:
        checked = self.checked
        return result.position_json(checked.position, checked.letters.own, self.board, checked.date, checked.place)

    def table(self) -> Table:
        from ppgen.games.board_game.scoring.table import table

        return table(self.score, self.board, self.names.say)

    def verdict(self) -> str:
        from ppgen.games.board_game.scoring.sentences import verdict

        return verdict(self.score, self.names.say, self.over and not self.score.interim)

    def reasons(self) -> Iterator[str]:
        from ppgen.games.board_game.scoring.sentences import reasons

        return reasons(self.score, self.checked.position, self.board, self.names.say)

    def lines(self) -> list[Json]:
        return result.result_lines(self.score, self.board)

    def fields(self) -> dict[str, str]:
        from ppgen.games.board_game.scoring.fields import form_values

        checked = self.checked
        return form_values(self.score, checked.position, checked.letters.own, self.board, checked.date, checked.place)

    @property
    def off_sheet(self) -> tuple[Problem, ...]:
        """The sheet has a place for each space, and cloisters that were only counted stand on none."""
        if self.score.interim or not self.checked.position.cloisters:
            return ()
        say = self.names.say
        return (Problem(place="--sheet", what=say("wrong.off_sheet"), remedy=say("wrong.off_sheet_remedy")),)


def score_raw(raw: RawGame, board: Board, names: Names, partial: bool = False, interim: bool = False) -> ScoredGame:
    """The scored game. Raises InputError with everything that is wrong with the position.

    In a ``partial`` game nobody is warned of what is missing; ``interim`` does the interim scoring only.
    """
    checked = check_position(raw, board, names, interim)
    score = (score_interim if interim else score_game)(checked.position, board)
    missing = () if partial or interim else _missing(raw, checked, names)
    return ScoredGame(board=board, names=names, checked=checked, score=score, over=not partial,
                      warnings=(*missing, *(_wrong_totals(raw, checked, score, board, names) if raw.totals else ())))


def _missing(raw: RawGame, checked: Checked, names: Names) -> Iterator[Problem]:
    """What a whole game has, and nobody wrote down."""
    position, say = checked.position, names.say
    if position.lacks_before:
        yield raw.where(("before",)).problem(say("wrong.no_before"), say("wrong.no_before_remedy"))
    if position.lacks_cloisters:
        yield raw.where(("spaces",)).problem(say("wrong.no_cloisters"), say("wrong.no_cloisters_remedy"))
    if position.lacks_chains:
        yield raw.where(("chains",)).problem(say("wrong.no_chains"), say("wrong.no_chains_remedy"))


def _wrong_totals(raw: RawGame, checked: Checked, score: Score, board: Board, names: Names) -> Iterator[Problem]:
    from ppgen.games.board_game.scoring.fields import as_interim, points_of
    from ppgen.games.board_game.scoring.plan import INTERIM_POINTS
    from ppgen.play.checking import wrong_totals

    position = checked.position
    if score.interim:  # of the sums on the sheet it makes only its own
        position = position if position.interim else as_interim(position, board)
        raw = replace(raw, totals=tuple(typed for typed in raw.totals
                                        if typed.cell.column == INTERIM_POINTS or typed.cell.row == "before"))

    def points(typed: TypedTotal) -> int:
        return points_of(score.players[typed.seat], typed.cell, position)

    return wrong_totals(raw, points, names.say)
