"""Asks for the counts on a terminal: the score sheet on the screen, filled in row by row.

prompt_toolkit reads keys and draws the screen: it knows every terminal from the Linux console to
Windows, has no dependency but wcwidth, and is imported only here. What a key does to the sheet is
decided in ``ppgen.play.interview``.
"""

from __future__ import annotations

import json
import os
import sys
from contextlib import suppress
from pathlib import Path
from typing import Any

import click

from ppgen.cli.speech import confirmed, speech
from ppgen.errors import InputError, Problem, RequestError
from ppgen.play import interview
from ppgen.play.interview import Interview
from ppgen.play.scoring import Json, ScoredGame, Scoring
from ppgen.play.screen import PEN, Line, complaints, gaps, lines, missing, untouched
from ppgen.play.sentences import joined
from ppgen.play.sheet import SheetPlan

PLACE = "score sheet"
MESSAGES = 3
"""How many things that are wrong are shown at once."""


def ask_game(scoring: Scoring, partial: bool, interim: bool) -> ScoredGame:
    """A game, asked for on the terminal; an unfinished one is offered to go on with.

    Ctrl-C keeps what was entered and ends the program.
    """
    plan = scoring.plan.early if interim else scoring.plan
    sheet = _draft(scoring, plan)
    names = [sheet.name(seat) for seat in sheet.seats if sheet.name(seat)] if sheet else []
    question = scoring.say("ask.go_on", names=joined(names or ["…"], scoring.say))
    if sheet and not confirmed(question, speech([scoring.say.lang])):
        forget_draft(scoring)
        sheet = None
    return _Desk(scoring, sheet or Interview(plan=plan), partial, interim, draft=True).fill_in()


def change_game(scoring: Scoring, tallies: Json) -> ScoredGame:
    """A kept game, changed on the terminal."""
    if not (sys.stdin.isatty() and sys.stderr.isatty()):
        raise RequestError([Problem(place="TALLIES", what="is missing",
                                    remedy="name a file of tallies, or - for JSON on standard input")])
    return _Desk(scoring, Interview(plan=scoring.plan, cells=scoring.to_cells(tallies))).fill_in()


def wants_saving(scoring: Scoring) -> bool:
    return confirmed(scoring.say("ask.save"), speech([scoring.say.lang]))


def forget_draft(scoring: Scoring) -> None:
    with suppress(OSError):
        _draft_file(scoring).unlink()


class _Desk:
    """The sheet on the screen, until it is filled in."""

    def __init__(self, scoring: Scoring, sheet: Interview, partial: bool = False, interim: bool = False,
                 draft: bool = False) -> None:
        self.scoring, self.texts, self.sheet = scoring, scoring.say, sheet
        self.partial, self.interim, self.draft = partial, interim, draft
        self.messages: list[str] = []
        self.game: ScoredGame | None = None
        self._warned = False  # of what is not counted yet
        self._shown: tuple[object, list[Line]] | None = None

    def fill_in(self) -> ScoredGame:
        self._judge()
        try:
            self._run()
        except (KeyboardInterrupt, EOFError):
            if self.draft:
                self._keep()
                click.echo(self.texts("ask.kept"), err=True)
            raise click.exceptions.Exit(InputError.exit_code) from None
        assert self.game is not None
        return self.game

    def finish(self) -> bool:
        """Whether the game could be scored; if something is not counted yet, only when asked twice.

        Where something is wrong, the pen is put there.
        """
        problems = self._judge()
        if problems:
            self.sheet = interview.put(self.sheet, interview.cell_of(self.sheet, problems[0].key))
            self.messages = [self.texts("ask.fix"), *list(complaints(problems, self.texts))[:MESSAGES]]
            return False
        rows = "" if self.partial else gaps(self.sheet, self.texts)
        if rows and not self._warned:
            self._warned = True
            self.messages = [self.texts("ask.missing", rows=rows)]
            return False
        return True

    def change(self, sheet: Interview) -> None:
        """Take a new state of the sheet, and say at once what is wrong with it."""
        row, self.sheet, self._warned = self.sheet.row, sheet, False
        self._judge()
        if sheet.row != row and self.draft:
            self._keep()  # also for the day when the window is closed

    def _judge(self) -> tuple[Problem, ...]:
        problems: tuple[Problem, ...] = ()
        self.game = None
        try:
            fields = {interview.FIRST.field: "", **interview.fields(self.sheet)}
            self.game = self.scoring.score(self.scoring.from_fields(fields, PLACE), partial=self.partial,
                                           interim=self.interim)
        except InputError as error:
            problems = error.problems
        # too few players, or names that are still missing, are no news while names are asked for
        telling = [] if self.sheet.row is None and len(self.sheet.seats) <= self.scoring.plan.least else problems
        self.messages = list(complaints(telling, self.texts))[:MESSAGES]
        if not problems and not missing(self.sheet, self.texts):
            left = untouched(self.sheet, self.texts)
            done = "ask.ready_here" if interview.is_last(self.sheet) else "ask.ready"
            self.messages = [self.texts("ask.open", rows=left) if left else self.texts(done)]
        return problems

    def _keep(self) -> None:
        """Write the draft, whole or not at all; a scoring goes on even where none can be kept."""
        from ppgen.cli.output import write_files
        from ppgen.production.built import BuiltFile

        with suppress(InputError):
            file = _draft_file(self.scoring)
            draft = json.dumps(interview.to_draft(self.sheet), ensure_ascii=False)
            write_files(file.parent, [BuiltFile(path=file.name, content=draft.encode())])

    def _screen(self) -> list[Line]:
        """The lines of the screen; the same sheet is not scored again to be shown."""
        state = self.sheet, tuple(self.messages)
        if self._shown is None or self._shown[0] != state:
            score = self.scoring.running(self.sheet.cells, interim=self.interim)
            self._shown = state, lines(self.sheet, score, self.texts, self.messages)
        return self._shown[1]

    def _run(self) -> None:
        from prompt_toolkit import Application
        from prompt_toolkit.data_structures import Point
        from prompt_toolkit.formatted_text import StyleAndTextTuples
        from prompt_toolkit.key_binding import KeyBindings, KeyPressEvent
        from prompt_toolkit.layout import FormattedTextControl, Layout, Window
        from prompt_toolkit.output import create_output
        from prompt_toolkit.styles import Style

        keys = KeyBindings()

        def on(*names: str, act: Any) -> None:
            for name in names:
                keys.add(name, eager=True)(act)

        def enter(event: KeyPressEvent) -> None:
            if not interview.is_last(self.sheet):
                self.change(interview.moved(self.sheet, 1))
                return
            self.sheet = interview.moved(self.sheet, 1)  # stays there, and has passed it
            done(event)

        def done(event: KeyPressEvent) -> None:
            if self.finish():
                event.app.exit()

        def leave(event: KeyPressEvent) -> None:
            event.app.exit(exception=KeyboardInterrupt)

        on("enter", "c-j", act=enter)  # typed before the screen was there, a return is a line feed
        on("c-d", act=done)
        on("c-c", act=leave)
        on("right", "tab", act=lambda event: self.change(interview.moved(self.sheet, 1)))
        on("left", "s-tab", act=lambda event: self.change(interview.moved(self.sheet, -1)))
        on("down", act=lambda event: self.change(interview.moved_row(self.sheet, 1)))
        on("up", act=lambda event: self.change(interview.moved_row(self.sheet, -1)))
        on("backspace", act=lambda event: self.change(interview.erased(self.sheet)))
        keys.add("<bracketed-paste>")(lambda event: self.change(interview.typed(self.sheet, event.data)))
        keys.add("<any>")(lambda event: self.change(interview.typed(self.sheet, event.data)))

        def screen() -> StyleAndTextTuples:
            return [part for line in self._screen() for part in (*line, ("", "\n"))]

        def pen() -> Point:
            return Point(x=0, y=next(y for y, line in enumerate(self._screen())
                                     if any(style == PEN for style, _ in line)))

        colours = {} if os.environ.get("NO_COLOR") else {"wrong": "ansired bold", "dim": "ansibrightblack"}
        style = Style.from_dict({"pen": "reverse", "strong": "bold", "wrong": "bold", "dim": "", **colours})
        control = FormattedTextControl(screen, focusable=True, show_cursor=False, get_cursor_position=pen)
        Application(layout=Layout(Window(control, wrap_lines=True)), key_bindings=keys, style=style, full_screen=True,
                    output=create_output(stdout=sys.stderr)).run()


def _draft(scoring: Scoring, plan: SheetPlan) -> Interview | None:
    """The unfinished sheet of an earlier run."""
    try:
        return interview.from_draft(plan, json.loads(_draft_file(scoring).read_text(encoding="utf-8")))
    except (OSError, ValueError, RecursionError):
        return None


def _draft_file(scoring: Scoring) -> Path:
    from platformdirs import user_state_path

    return user_state_path("ppgen", appauthor=False) / f"score-draft-{scoring.game}.json"
