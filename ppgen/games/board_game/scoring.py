"""Scoring of the board game, and its JavaScript twin."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache
from pathlib import Path

from ppgen.errors import InputError, Problem, Spot
from ppgen.games.board_game import NAME, score_text, tally_formats
from ppgen.games.board_game.board import Board
from ppgen.games.board_game.board_loading import load_board
from ppgen.games.board_game.points import (MAX_FOUND_CHAINS, MIN_CHAIN, PlayerScore, Position, Score, score_game,
                                           score_interim, scoring_rules)
from ppgen.games.board_game.tallies import CheckedPosition, TallyNames, check_position
from ppgen.play.game_scoring import ScoredGame, Scoring
from ppgen.play.line_points import ScoreTable
from ppgen.play.rule_file import Rules
from ppgen.play.sheet_plan import Json, RawGame, SheetCell, SheetPlan, check_totals, read_script
from ppgen.reading.fields import CsvRow


def open_scoring(folder: Path, common: Path, lang: str) -> BoardScoring:
    """Open the scoring of a data folder; ``common`` has the common locale files. Raises InputError."""
    board = load_board(folder)
    return BoardScoring(board=board, names=TallyNames(board, folder / "locales", lang, common))


@dataclass(frozen=True, kw_only=True)
class BoardScoring(Scoring):
    """The scoring of the board game."""

    board: Board
    names: TallyNames
    game: str = NAME
    interim: bool = True

    @cached_property
    def spoken_rules(self) -> Rules:
        return score_text.label_lines(scoring_rules(self.board), self.board, self.say)

    @cached_property
    def plan(self) -> SheetPlan:
        return score_text.sheet_plan(self.board)

    def from_csv(self, rows: Sequence[CsvRow], place: str) -> RawGame:
        return tally_formats.read_rows(rows, place, self.names)

    def from_fields(self, fields: Mapping[str, str], place: str) -> RawGame:
        return tally_formats.read_form(self.plan, fields, place)

    def to_cells(self, tallies: Json) -> dict[SheetCell, str]:
        if tallies.get("cloisters"):
            raise InputError.at(NAME, self.say("wrong.no_spaces"), self.say("wrong.no_spaces_remedy"), key="cloisters")
        raw = RawGame(place=NAME, document=tallies, where=lambda trail: Spot(NAME))
        checked = check_position(raw, self.board, self.names)
        return tally_formats.to_cells(checked.position, checked.letters, self.board)

    def make_blank(self, form: str, names: Sequence[str]) -> str:
        if form == "json":
            return tally_formats.blank_json(self.board, names)
        make = tally_formats.blank_toml if form == "toml" else tally_formats.blank_csv
        return make(self.board, names, self.say)

    def score(self, raw: RawGame, *, partial: bool = False, interim: bool = False) -> ScoredBoardGame:
        """Check and score a game, or do its ``interim`` scoring. Both and a ``partial`` game may lack parts."""
        checked = check_position(raw, self.board, self.names, interim)
        score = (score_interim if interim else score_game)(checked.position, self.board)
        missing = list(self._missing(raw, checked.position))
        over = not (partial or interim)
        return ScoredBoardGame(
            scoring=self, score=score, scored=score.scored, facts=checked.facts, complete=over and not missing,
            over=over, checked=checked,
            warnings=(*(missing if over else ()), *self._unsure_chains(raw, score),
                      *self._wrong_totals(raw, checked.position, score)))

    def _missing(self, raw: RawGame, position: Position) -> Iterator[Problem]:
        for key, lacks, text in (("before", position.lacks_before, "wrong.no_before"),
                                 ("spaces", position.lacks_cloisters, "wrong.no_cloisters"),
                                 ("chains", position.lacks_chains, "wrong.no_chains")):
            if lacks:
                yield raw.where((key,)).problem(self.say(text), self.say(f"{text}_remedy"))

    def _unsure_chains(self, raw: RawGame, score: Score) -> Iterator[Problem]:
        """Warn about players whose best chains were not searched to the end."""
        for player in score.players:
            if not player.is_sure:
                yield raw.where(("spaces",)).problem(self.say("wrong.chains_unsure", name=player.name),
                                                     self.say("wrong.chains_unsure_remedy"))

    def _wrong_totals(self, raw: RawGame, position: Position, score: Score) -> Iterator[Problem]:
        if score.interim:  # It computes only some of the points on the sheet.
            position = position if position.interim else score_text.as_interim(position, self.board)
            raw = replace(raw, totals=tuple(
                typed for typed in raw.totals
                if typed.cell.column == score_text.INTERIM_POINTS or typed.cell.row == "before"))
        return check_totals(raw, lambda typed: score_text.points_by_cell(
            score.players[typed.seat], typed.cell, position), self.say)


@dataclass(frozen=True, kw_only=True)
class ScoredBoardGame(ScoredGame[PlayerScore]):
    """A game and its score."""

    scoring: BoardScoring
    score: Score
    checked: CheckedPosition

    @property
    def written(self) -> Json:
        checked = self.checked
        return score_text.position_json(checked.position, checked.letters.by_seat, self.scoring.board, self.facts)

    def lines(self) -> list[Json]:
        boxes = [alliance.box for alliance in self.scoring.board.alliances]
        return [{**line, **{f"box_{box}": player.alliances.get(box, 0) for box in boxes}}
                for line, player in zip(super().lines(), self.score.players, strict=True)]

    def table(self) -> ScoreTable:
        return score_text.score_table(self.score, self.scoring.board, self.say)

    def reasons(self) -> Iterator[str]:
        scoring = self.scoring
        return score_text.reasons(self.score, self.checked.position, scoring.board, scoring.spoken_rules, scoring.words)

    @cached_property
    def _position(self) -> Position:
        """The position on the sheet: at the interim scoring, its cloisters are there as those of that time."""
        position = self.checked.position
        return score_text.as_interim(position, self.scoring.board) if self.score.interim else position

    def entries(self) -> Mapping[SheetCell, str]:
        return score_text.letter_cells(self._position, self.checked.letters.by_seat, self.scoring.board)

    def sheet_points(self) -> Mapping[SheetCell, int]:
        return score_text.sheet_points(self.score, self._position, self.scoring.board)

    @property
    def off_sheet(self) -> tuple[Problem, ...]:
        """Cloisters that were only counted: the sheet has cells for spaces only."""
        if self.score.interim or not self.checked.position.cloisters:
            return ()
        return (Problem("--sheet", self.say("wrong.off_sheet"), self.say("wrong.off_sheet_remedy")),)


# The twin: score.js follows points.py function by function, and ``Ranking.result`` in its keys.

@lru_cache(maxsize=1)
def twin_source() -> str:
    """The script of forms: ``tallyCounts``, ``scoreLines`` and ``boardGame`` in ECMAScript 5, on values of JSON."""
    return "".join((read_script("counts"), read_script("score_lines"),
                    (Path(__file__).parent / "score.js").read_text(encoding="ascii")))


def rules_json(board: Board) -> Json:
    """The ``rules`` that the functions of the script take."""
    return {**scoring_rules(board).scored_data(),
            "countries": [{"id": country, "spaces": list(labels)} for country, labels in board.labels.items()],
            "roads": [list(road.ends) for road in board.roads],
            "alliances": [{"box": alliance.box, "countries": list(alliance.countries)}
                          for alliance in board.alliances],
            "pieces": board.cloisters + board.councillors, "chain_length": MIN_CHAIN,
            "most_chains": MAX_FOUND_CHAINS}
