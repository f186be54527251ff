"""Dialog for the counts of a game on a terminal: the score sheet on the screen, filled in row by row.

prompt_toolkit reads keys and draws the screen: it supports every terminal from the Linux console to Windows, depends
only on wcwidth, and is imported only here. ``ppgen.play.interview`` decides what a key does to the sheet.
"""

from __future__ import annotations

import json
import os
import sys
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import Any

import click

from ppgen.cli.messages import confirm, interface_texts
from ppgen.cli.user_folders import user_folder
from ppgen.errors import InputError, Problem, RequestError
from ppgen.play import interview
from ppgen.play.interview import Interview
from ppgen.play.result_text import join_clauses
from ppgen.play.sheet_plan import Json, ScoredGame, Scoring, SheetCell, SheetPlan
from ppgen.play.sheet_screen import (
    CURSOR,
    ScreenLine,
    complaints,
    gaps,
    missing_hint,
    render_screen,
    untouched_hint,
)

PLACE = "score sheet"
MAX_COMPLAINTS = 3
"""Maximum number of problems displayed at once."""


def ask_game(scoring: Scoring, partial: bool, interim: bool) -> ScoredGame:
    """Ask for a game on the terminal; offer to continue an unfinished one.

    Ctrl-C saves a draft and ends the program.
    """
    plan = scoring.plan.early if interim else scoring.plan
    sheet = _load_draft(scoring, plan)
    names = [sheet.name(seat) for seat in sheet.seats if sheet.name(seat)] if sheet else []
    say = interface_texts()
    if sheet and not confirm(say("ask.go_on", names=join_clauses(names or ["…"], say)), say):
        forget_draft(scoring)
        sheet = None
    return _Dialog(scoring, sheet or Interview(plan=plan), partial, interim, keep_draft=True).run()


def change_game(scoring: Scoring, tallies: Json) -> ScoredGame:
    """Let the user change a saved game on the terminal."""
    if not (sys.stdin.isatty() and sys.stderr.isatty()):
        raise RequestError([Problem(place="TALLIES", what="is missing",
                                    remedy="name a file of tallies, or - for JSON on standard input")])
    return _Dialog(scoring, Interview(plan=scoring.plan, cells=scoring.to_cells(tallies))).run()


def confirm_saving() -> bool:
    say = interface_texts()
    return confirm(say("ask.save"), say)


def forget_draft(scoring: Scoring) -> None:
    with suppress(InputError, OSError):
        _draft_file(scoring).unlink()


class _Dialog:
    """The sheet on the screen, until it is filled in."""

    def __init__(self, scoring: Scoring, sheet: Interview, partial: bool = False, interim: bool = False,
                 keep_draft: bool = False) -> None:
        self.scoring, self.texts, self.sheet = scoring, scoring.say, sheet
        self.partial, self.interim, self.keep_draft = partial, interim, keep_draft
        self.messages: list[str] = []
        self.game: ScoredGame | None = None
        self._is_gap_reported = False
        self._finished_cell: SheetCell | None = None
        """The cell that the last key completed, so that the cursor left it by itself."""
        self._screen_cache: tuple[object, list[ScreenLine]] | None = None

    def run(self) -> ScoredGame:
        self._score()
        try:
            self._run_application()
        except (KeyboardInterrupt, EOFError):
            if self.keep_draft:
                self._save_draft()
                click.echo(interface_texts()("ask.kept"), err=True)
            raise click.exceptions.Exit(InputError.exit_code) from None
        assert self.game is not None
        return self.game

    def finish(self) -> bool:
        """Score the sheet; return whether the dialog may end: without problems, and after a warning of gaps if any.

        Moves the cursor to the first problem.
        """
        problems = self._score()
        if problems:
            self.sheet = interview.set_cell(self.sheet, interview.cell_at(self.sheet, problems[0].key))
            self.messages = [self.texts("ask.fix"), *list(complaints(problems, self.texts))[:MAX_COMPLAINTS]]
            return False
        rows = "" if self.partial else gaps(self.sheet, self.texts)
        if rows and not self._is_gap_reported:
            self._is_gap_reported = True
            self.messages = [self.texts("ask.missing", rows=rows)]
            return False
        return True

    def change(self, sheet: Interview) -> None:
        """Replace the sheet by a new state, and report its problems at once."""
        row, self.sheet, self._is_gap_reported, self._finished_cell = self.sheet.row, sheet, False, None
        self._score()
        if sheet.row != row and self.keep_draft:
            self._save_draft()  # the window may be closed at any time

    def type(self, characters: str) -> None:
        """Type at the cursor, and go on from a count that no further digit can follow; a plus goes on with its sum."""
        self.change(interview.type_key(self._back() if characters.startswith("+") else self.sheet, characters))
        if interview.is_complete(self.sheet) and not interview.is_last(self.sheet):
            cell = self.sheet.cursor
            self.confirm_cell()
            self._finished_cell = cell if self.sheet.cursor != cell else None

    def erase(self) -> None:
        self.change(interview.erase_cell(self._back()))

    def enter(self) -> bool:
        """Confirm the cell, as Enter does; behind a count that was confirmed by itself, Enter belongs to that count."""
        if self._finished_cell:
            self._finished_cell = None
            return False
        return self.confirm_cell()

    def _back(self) -> Interview:
        """The sheet with the cursor on the cell that was left by itself, if it was."""
        return replace(self.sheet, cursor=self._finished_cell, fresh=False) if self._finished_cell else self.sheet

    def confirm_cell(self) -> bool:
        """Go on to the next cell; return whether the last one was confirmed.

        A count with a problem keeps the cursor, and the next character replaces it. The arrows move on nevertheless:
        the mistake may be in another cell.
        """
        cell = self.sheet.cursor
        problems = [] if self.sheet.row is None else [each for each in self._score() if each.key == cell.field]
        if problems and self.sheet.text(cell).strip():
            self.sheet = interview.set_cell(self.sheet, cell)
            self.messages = [self.texts("ask.fix"), *list(complaints(problems, self.texts))[:MAX_COMPLAINTS]]
            return False
        if not interview.is_last(self.sheet):
            self.change(interview.move_cursor(self.sheet, 1))
            return False
        self.sheet = interview.move_cursor(self.sheet, 1)  # stays in the last cell, and marks it as passed
        return True

    def _score(self) -> tuple[Problem, ...]:
        """Score the sheet and set the messages; return its problems."""
        problems: tuple[Problem, ...] = ()
        self.game = None
        try:
            fields = {interview.FIRST_CELL.field: "", **interview.fields(self.sheet)}
            self.game = self.scoring.score(self.scoring.from_fields(fields, PLACE), partial=self.partial,
                                           interim=self.interim)
        except InputError as error:
            problems = error.problems
        # too few players or missing names are normal while names are typed
        displayed = [] if self.sheet.row is None and len(self.sheet.seats) <= self.scoring.plan.least else problems
        self.messages = list(complaints(displayed, self.texts))[:MAX_COMPLAINTS]
        if not problems and not missing_hint(self.sheet, self.texts):
            left = untouched_hint(self.sheet, self.texts)
            done = "ask.ready_here" if interview.is_last(self.sheet) else "ask.ready"
            self.messages = [self.texts("ask.open", rows=left) if left else self.texts(done)]
        return problems

    def _save_draft(self) -> None:
        """Write the draft, if possible: the dialog goes on without one."""
        from ppgen.process.file_writing import BuiltFile, write_files

        with suppress(InputError):
            file = _draft_file(self.scoring)
            draft = json.dumps(interview.to_draft(self.sheet), ensure_ascii=False)
            write_files(file.parent, [BuiltFile(path=file.name, content=draft.encode())])

    def _screen(self, width: int) -> list[ScreenLine]:
        """The lines of the screen, cached: the same sheet is not scored again."""
        state = self.sheet, tuple(self.messages), width
        if self._screen_cache is None or self._screen_cache[0] != state:
            score = self.scoring.running(self.sheet.cells, interim=self.interim)
            self._screen_cache = state, render_screen(self.sheet, score, self.texts, self.messages, width)
        return self._screen_cache[1]

    def _run_application(self) -> None:
        from prompt_toolkit import Application
        from prompt_toolkit.data_structures import Point
        from prompt_toolkit.formatted_text import StyleAndTextTuples
        from prompt_toolkit.key_binding import KeyBindings, KeyPressEvent
        from prompt_toolkit.layout import FormattedTextControl, Layout, Window
        from prompt_toolkit.output import create_output
        from prompt_toolkit.styles import Style

        keys = KeyBindings()

        def bind(*names: str, action: Any) -> None:
            for name in names:
                keys.add(name, eager=True)(action)

        def enter(event: KeyPressEvent) -> None:
            if self.enter():
                done(event)

        def done(event: KeyPressEvent) -> None:
            if self.finish():
                event.app.exit()

        def interrupt(event: KeyPressEvent) -> None:
            event.app.exit(exception=KeyboardInterrupt)

        bind("enter", "c-j", action=enter)  # typed before the screen appears, a return is a line feed
        bind("c-d", action=done)
        bind("c-c", action=interrupt)
        bind("right", "tab", action=lambda event: self.change(interview.move_cursor(self.sheet, 1)))
        bind("left", "s-tab", action=lambda event: self.change(interview.move_cursor(self.sheet, -1)))
        bind("down", action=lambda event: self.change(interview.move_row(self.sheet, 1)))
        bind("up", action=lambda event: self.change(interview.move_row(self.sheet, -1)))
        bind("backspace", action=lambda event: self.erase())
        keys.add("<bracketed-paste>")(lambda event: self.type(event.data))
        keys.add("<any>")(lambda event: self.type(event.data))

        output = create_output(stdout=sys.stderr)

        def lines() -> list[ScreenLine]:
            return self._screen(output.get_size().columns)

        def screen() -> StyleAndTextTuples:
            return [part for line in lines() for part in (*line, ("", "\n"))]

        def cursor() -> Point:
            return Point(x=0, y=next(y for y, line in enumerate(lines())
                                     if any(style == CURSOR for style, _ in line)))

        colours = {} if os.environ.get("NO_COLOR") else {"wrong": "ansired bold", "dim": "ansibrightblack"}
        style = Style.from_dict({"pen": "reverse", "strong": "bold", "wrong": "bold", "dim": "", **colours})
        control = FormattedTextControl(screen, focusable=True, show_cursor=False, get_cursor_position=cursor)
        Application(layout=Layout(Window(control, wrap_lines=True)), key_bindings=keys, style=style, full_screen=True,
                    output=output).run()


def _load_draft(scoring: Scoring, plan: SheetPlan) -> Interview | None:
    """Load the unfinished sheet of an earlier run, if any."""
    try:
        return interview.from_draft(plan, json.loads(_draft_file(scoring).read_text(encoding="utf-8")))
    except (InputError, OSError, ValueError, RecursionError):
        return None


def _draft_file(scoring: Scoring) -> Path:
    return user_folder("state", "name a folder for drafts in XDG_STATE_HOME") / f"score-draft-{scoring.game}.json"
