"""Questions of ``ppgen score`` on a terminal: the score sheet row by row, with a way back."""

from __future__ import annotations

import json
import unicodedata
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from itertools import takewhile
from pathlib import Path
from shutil import get_terminal_size
from typing import Any

import click

from ppgen.assets import user_folder
from ppgen.cli.messages import can_ask, confirm, interface_texts
from ppgen.errors import InputError, Problem, RequestError
from ppgen.lines import wrap
from ppgen.play.game_scoring import ScoredGame, Scoring
from ppgen.play.line_points import join_clauses
from ppgen.play.sheet_plan import (NAME_ROW, Json, SheetCell, SheetPlan, SheetRow, Takes, check_names,
                                   parse_partial_count, split_letters)
from ppgen.shipped import Phrase

PLACE = "score sheet"
BACK, EMPTY = "<", "."
MAX_COMPLAINTS = 3  # number of problems that are reported at once
ANSWER_COLUMNS = 12  # room for an answer behind its question


def ask_game(scoring: Scoring, partial: bool, interim: bool) -> ScoredGame[Any]:
    """Ask for a game on the terminal; offer to continue an unfinished one. Ctrl-C keeps the answers."""
    plan, say = scoring.plan.early if interim else scoring.plan, interface_texts()
    sheet = _Sheet(scoring=scoring, plan=plan, cells=_load_draft(scoring, plan), partial=partial, interim=interim)
    if sheet.names and not confirm(say("ask.go_on", names=join_clauses(sheet.names, say)), say):
        forget_draft(scoring)
        sheet.cells = {}
    try:
        return sheet.ask(sheet.first_open(), lambda: _save_draft(scoring, sheet.cells))
    except click.Abort:
        if not sheet.cells:
            raise
        click.echo(f"\n{say('ask.kept')}", err=True)
        raise click.exceptions.Exit(InputError.exit_code) from None


def change_game(scoring: Scoring, tallies: Json) -> ScoredGame[Any]:
    """Ask for all counts of a saved game, which are the defaults."""
    if not can_ask():
        raise RequestError.at("TALLIES", Phrase("is_missing"), Phrase("name_tallies"))
    cells = scoring.to_cells(tallies)
    for row in filter(_spaces, scoring.plan.rows):
        cells[SheetCell(0, row.key)] = "".join(cells.pop(SheetCell(0, row.key, key), EMPTY) or EMPTY
                                               for key in _spaces(row))
    return _Sheet(scoring=scoring, plan=scoring.plan, cells=cells).ask(0, lambda: None)


def confirm_saving() -> bool:
    say = interface_texts()
    return confirm(say("ask.save"), say)


@dataclass(kw_only=True)
class _Sheet:
    """The answers so far; cells without an answer are missing. The spaces of a row have one cell, like ``france``."""

    scoring: Scoring
    plan: SheetPlan
    cells: dict[SheetCell, str] = field(default_factory=dict)
    partial: bool = False
    interim: bool = False

    @property
    def names(self) -> list[str]:
        return [*takewhile(bool, (self.cells.get(SheetCell(seat, NAME_ROW), "") for seat in self.plan.seats))]

    def ask(self, at: int, keep: Callable[[], None]) -> ScoredGame[Any]:
        """Ask from a question on, and ``keep`` each answer. Raises click.Abort when interrupted."""
        say, before = self.scoring.say, None
        _print(say("ask.help"))
        while at < len(questions := self.questions()):
            cell = questions[at]
            if before != (row := self._row(cell)):
                click.echo(err=True)
                before = row
            if not at:
                _print(say("ask.names", least=self.plan.least, most=self.plan.most))
            typed = click.prompt("\n".join(wrap(self._words(cell), get_terminal_size().columns - ANSWER_COLUMNS)),
                                 default="", show_default=False, err=True)
            plain = unicodedata.normalize("NFKC", typed).strip()
            if plain == BACK:
                at = max(0, at - 1)
            elif problems := self._answer(cell, typed if row is None and plain != EMPTY else plain):
                for problem in problems[:MAX_COMPLAINTS]:
                    _print(problem)
            else:
                keep()
                at += 1
                if at == len(questions := self.questions()) or self._row(questions[at]) != row:
                    self._report_gap(row)
        return self._score()

    def questions(self) -> list[SheetCell]:
        """The cells to ask for: the names and one more, then row by row those of each player, or of all."""
        players = len(self.names)
        asked = [SheetCell(seat, NAME_ROW) for seat in self.plan.seats[:players + 1]]
        for row in self.plan.rows:
            asked += [SheetCell(0, row.key)] if _spaces(row) else []
            asked += [cell for seat in self.plan.seats[:1 if row.shared else players]
                      for cell in self.plan.cells_of(row, seat)
                      if cell.column not in _spaces(row) and not self._is_needless(cell)]
        return asked

    def first_open(self) -> int:
        """The number of the first question without an answer."""
        questions = self.questions()
        return next((at for at, cell in enumerate(questions) if cell not in self.cells), len(questions))

    def _answer(self, cell: SheetCell, typed: str) -> list[str]:
        """Enter an answer, or keep the default without one; return the problems of an answer that is refused."""
        say, old, questions = self.scoring.say, self.cells, self.questions()
        text = " ".join(typed.split()) if typed.strip(EMPTY) or not typed else ""
        self.cells = {**old, cell: text if typed else old.get(cell, "")}
        if cell.row == NAME_ROW:
            names = [self.cells[SheetCell(seat, NAME_ROW)] for seat in range(1, cell.seat + 1)]
            if not names[-1] and cell.seat > self.plan.least:  # no more players
                self.cells = {each: text for each, text in self.cells.items() if each.seat < cell.seat} | {cell: ""}
                return []
            problems = [Problem(PLACE, what, say("wrong.name_own")) for number, what in check_names(names, say)
                        if number == cell.seat - 1]
        else:
            try:
                self._score()
                problems = []
            except InputError as error:  # those of later answers are reported there
                later = {each.field for each in questions[questions.index(cell) + 1:]}
                problems = [problem for problem in error.problems if problem.key not in later]
        if problems:
            self.cells = old
        return [say("ask.wrong", what=problem.what, remedy=problem.remedy) for problem in problems]

    def _words(self, cell: SheetCell) -> str:
        """The question for a cell, with its earlier answer in brackets."""
        say, names, row = self.scoring.say, self.names, self._row(cell)
        if row is None:
            words = say("template.player", n=cell.seat)
        else:
            letters = split_letters(names)
            if not any("A" <= letter <= "Z" for letter in letters):
                letters = split_letters([""] * len(names))  # need no input method
            spaces = _spaces(row)
            column = next(each for each in row.columns if (spaces and not cell.column) or each.key == cell.column)
            words = say(column.ask, name=names[cell.seat - 1] if cell.seat else "", row=say(row.label),
                        number=row.exist, cell=f"{spaces[0]}–{spaces[-1]}" if spaces else "",
                        letters=" ".join(f"{letter}={name}" for letter, name in zip(letters, names, strict=True)))
        return f"{words} [{self.cells[cell]}]" if self.cells.get(cell) else words

    def _report_gap(self, row: SheetRow | None) -> None:
        if not row or self.partial:
            return
        count = sum(parse_partial_count(text) for cell, text in self.cells.items()
                    if (cell.row, cell.column) == (row.key, row.columns[0].key))
        if count < row.exist:
            say = self.scoring.say
            missing = say("results.missing_row", row=say(row.label), count=count, number=row.exist)
            _print(say("ask.open", rows=missing))

    def _score(self) -> ScoredGame[Any]:
        fields = {cell.field: text for cell, text in self.cells.items()}
        return self.scoring.score(self.scoring.from_fields(fields, PLACE), partial=self.partial, interim=self.interim)

    def _row(self, cell: SheetCell) -> SheetRow | None:
        """The row of a cell; None for the names."""
        return next((row for row in self.plan.rows if row.key == cell.row), None)

    def _is_needless(self, cell: SheetCell) -> bool:
        column = self.plan.column_of(cell)
        return bool(column and column.needs and not self.cells.get(cell)
                    and not parse_partial_count(self.cells.get(SheetCell(cell.seat, cell.row, column.needs), "")))


def _spaces(row: SheetRow) -> list[str]:
    """The columns of the spaces of a row, whose letters are one answer."""
    return [column.key for column in row.columns if column.takes is Takes.LETTER]


def _print(text: str) -> None:
    for line in wrap(text, get_terminal_size().columns - 1):
        click.echo(line, err=True)


# --- Drafts ---

def forget_draft(scoring: Scoring) -> None:
    with suppress(InputError, OSError):
        _draft_file(scoring).unlink()


def _save_draft(scoring: Scoring, cells: Mapping[SheetCell, str]) -> None:
    """Write the draft, if possible: the questions go on without one."""
    from ppgen.process.file_writing import BuiltFile, write_files

    with suppress(InputError):
        file = _draft_file(scoring)
        draft = json.dumps({cell.field: text for cell, text in cells.items()}, ensure_ascii=False)
        write_files(file.parent, [BuiltFile(path=file.name, content=draft.encode())])


def _load_draft(scoring: Scoring, plan: SheetPlan) -> dict[SheetCell, str]:
    try:
        draft = json.loads(_draft_file(scoring).read_text(encoding="utf-8"))
    except (InputError, OSError, ValueError, RecursionError):
        return {}
    return {cell: draft[cell.field] for cell in (*plan.cells(), *(SheetCell(0, row.key) for row in plan.rows))
            if isinstance(draft, dict) and isinstance(draft.get(cell.field), str)}


def _draft_file(scoring: Scoring) -> Path:
    return user_folder("state", Phrase("draft_folder")) / f"score-draft-{scoring.game}.json"
