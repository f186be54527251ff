"""Scoring of the board game: the scoring and the scored game that ppgen calls, and the JavaScript twin.

Imports that only some commands need are inside functions: ``ppgen score`` must start quickly.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache
from pathlib import Path
from typing import TYPE_CHECKING

from ppgen.errors import InputError, Problem, Spot
from ppgen.games.board_game import NAME, score_text
from ppgen.games.board_game.board import Board
from ppgen.games.board_game.board_loading import load_board
from ppgen.games.board_game.points import MAX_FOUND_CHAINS, MIN_CHAIN, Score, score_game, score_interim
from ppgen.games.board_game.tallies import CheckedPosition, TallyNames, check_position
from ppgen.play import validation
from ppgen.play.sheet_plan import Json, RawGame, TypedTotal
from ppgen.reading.csv_tables import CsvRow
from ppgen.reading.texts import Texts

if TYPE_CHECKING:
    from ppgen.play.result_text import ScoreTable
    from ppgen.play.sheet_plan import RunningScore, SheetCell, SheetPlan


# The twin: score.js follows points.py function by function, and score_text.py in its keys.

@lru_cache(maxsize=1)
def twin_source() -> str:
    """The script for forms and pages: ECMAScript 5 that defines ``tallyCounts`` and ``boardGame``.

    It needs nothing but the values of JSON.
    """
    return validation.read_script("counts") + (Path(__file__).parent / "score.js").read_text(encoding="ascii")


def rules_json(board: Board) -> Json:
    """The ``rules`` that the functions of the script take."""
    return {"countries": [{"id": country, "spaces": list(labels)} for country, labels in board.labels.items()],
            "roads": [list(road.ends) for road in board.roads],
            "alliances": [{"box": alliance.box, "countries": list(alliance.countries)}
                          for alliance in board.alliances],
            "pieces": board.cloisters + board.councillors, "chain_length": MIN_CHAIN,
            "most_chains": MAX_FOUND_CHAINS}


# Scored games

@dataclass(frozen=True, slots=True, kw_only=True)
class ScoredBoardGame:
    """A game and its score; ``over`` is False for a game that the players call unfinished."""

    board: Board
    names: TallyNames
    checked: CheckedPosition
    score: Score
    over: bool = True
    warnings: tuple[Problem, ...] = ()

    @property
    def complete(self) -> bool:
        """Whether this is the score of a finished game without missing parts."""
        position = self.checked.position
        return self.over and not self.score.interim and not (
            position.lacks_before or position.lacks_cloisters or position.lacks_chains)

    @property
    def result(self) -> Json:
        return score_text.result_json(self.score, self.complete, map(str, self.warnings))

    @property
    def written(self) -> Json:
        checked, letters = self.checked, self.checked.letters.by_seat
        return score_text.position_json(checked.position, letters, self.board, checked.date, checked.place)

    def table(self) -> ScoreTable:
        from ppgen.games.board_game.score_text import score_table

        return score_table(self.score, self.board, self.names.say)

    def verdict(self) -> str:
        from ppgen.games.board_game.score_text import verdict

        return verdict(self.score, self.names.say, self.over and not self.score.interim)

    def reasons(self) -> Iterator[str]:
        from ppgen.games.board_game.score_text import reasons

        return reasons(self.score, self.checked.position, self.board, self.names.say)

    def lines(self) -> list[Json]:
        return score_text.result_lines(self.score, self.board)

    def fields(self) -> dict[str, str]:
        from ppgen.games.board_game.score_text import form_values

        checked, letters = self.checked, self.checked.letters.by_seat
        return form_values(self.score, checked.position, letters, self.board, checked.date, checked.place)

    @property
    def off_sheet(self) -> tuple[Problem, ...]:
        """Cloisters that were only counted: the sheet has cells for spaces only."""
        if self.score.interim or not self.checked.position.cloisters:
            return ()
        say = self.names.say
        return (Problem(place="--sheet", what=say("wrong.off_sheet"), remedy=say("wrong.off_sheet_remedy")),)


def score_raw(raw: RawGame, board: Board, names: TallyNames, partial: bool = False,
              interim: bool = False) -> ScoredBoardGame:
    """Check and score a game. Raises InputError with everything that is wrong with the position.

    A ``partial`` game gets no warnings about missing parts; ``interim`` does the interim scoring only.
    """
    checked = check_position(raw, board, names, interim)
    score = (score_interim if interim else score_game)(checked.position, board)
    missing = () if partial or interim else _missing(raw, checked, names)
    return ScoredBoardGame(board=board, names=names, checked=checked, score=score, over=not partial,
                           warnings=(*missing, *_unsure_chains(raw, score, names),
                                     *(_wrong_totals(raw, checked, score, board, names) if raw.totals else ())))


def _missing(raw: RawGame, checked: CheckedPosition, names: TallyNames) -> Iterator[Problem]:
    """Warn about missing parts of a finished game."""
    position, say = checked.position, names.say
    if position.lacks_before:
        yield raw.where(("before",)).problem(say("wrong.no_before"), say("wrong.no_before_remedy"))
    if position.lacks_cloisters:
        yield raw.where(("spaces",)).problem(say("wrong.no_cloisters"), say("wrong.no_cloisters_remedy"))
    if position.lacks_chains:
        yield raw.where(("chains",)).problem(say("wrong.no_chains"), say("wrong.no_chains_remedy"))


def _unsure_chains(raw: RawGame, score: Score, names: TallyNames) -> Iterator[Problem]:
    """Warn about players whose best chains were not searched to the end."""
    for player in score.players:
        if not player.is_sure:
            yield raw.where(("spaces",)).problem(names.say("wrong.chains_unsure", name=player.name),
                                                 names.say("wrong.chains_unsure_remedy"))


def _wrong_totals(raw: RawGame, checked: CheckedPosition, score: Score, board: Board,
                  names: TallyNames) -> Iterator[Problem]:
    from ppgen.games.board_game.score_text import INTERIM_POINTS, as_interim, points_by_cell
    from ppgen.play.validation import check_totals

    position = checked.position
    if score.interim:  # It computes only some of the points on the sheet.
        position = position if position.interim else as_interim(position, board)
        raw = replace(raw, totals=tuple(typed for typed in raw.totals
                                        if typed.cell.column == INTERIM_POINTS or typed.cell.row == "before"))

    def points(typed: TypedTotal) -> int:
        return points_by_cell(score.players[typed.seat], typed.cell, position)

    return check_totals(raw, points, names.say)


# Scoring

def open_scoring(folder: Path, common: Path, lang: str) -> BoardScoring:
    """Open the scoring of a data folder; ``common`` has the common locale files. Raises InputError."""
    board = load_board(folder)
    return BoardScoring(board=board, names=TallyNames(board, folder / "locales", lang, common))


@dataclass(frozen=True, kw_only=True)
class BoardScoring:
    """Scoring of the board game (:class:`~ppgen.play.sheet_plan.Scoring`)."""

    board: Board
    names: TallyNames
    game: str = NAME
    interim: bool = True

    @cached_property
    def plan(self) -> SheetPlan:
        from ppgen.games.board_game.score_text import sheet_plan

        return sheet_plan(self.board)

    @property
    def say(self) -> Texts:
        return self.names.say

    def from_csv(self, rows: Sequence[CsvRow], place: str) -> RawGame:
        from ppgen.games.board_game.tally_formats import read_rows

        return read_rows(rows, place, self.names)

    def from_fields(self, fields: Mapping[str, str], place: str) -> RawGame:
        from ppgen.games.board_game.tally_formats import read_form

        return read_form(fields, place, self.board)

    def to_cells(self, tallies: Json) -> dict[SheetCell, str]:
        from ppgen.games.board_game.tally_formats import to_cells

        if tallies.get("cloisters"):
            raise InputError([Problem(place=NAME, key="cloisters", what=self.say("wrong.no_spaces"),
                                      remedy=self.say("wrong.no_spaces_remedy"))])
        raw = RawGame(place=NAME, document=tallies, where=lambda trail: Spot(NAME))
        checked = score_raw(raw, self.board, self.names).checked
        return to_cells(checked.position, checked.letters, self.board)

    def score(self, raw: RawGame, *, partial: bool = False, interim: bool = False) -> ScoredBoardGame:
        return score_raw(raw, self.board, self.names, partial, interim)

    def running(self, cells: Mapping[SheetCell, str], *, interim: bool = False) -> RunningScore:
        from ppgen.games.board_game.tally_formats import running_score

        return running_score(cells, self.board, interim)

    def blank(self, form: str, players: Sequence[str]) -> str:
        from ppgen.games.board_game.tally_formats import empty_tallies

        return empty_tallies(form, self.board, players, self.say)
