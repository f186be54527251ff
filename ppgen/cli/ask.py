"""Asks for the counts on a terminal: the score sheet on the screen, filled in country by country.

prompt_toolkit reads keys and draws the screen: it knows every terminal from the Linux console to
Windows, has no dependency but wcwidth, and is imported only here. What a key does to the sheet is
decided in ``ppgen.games.card_game.interview.state``.
"""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any

import click

from ppgen.cli.scores import Scorer
from ppgen.cli.speech import confirmed, speech
from ppgen.errors import InputError, Problem, RequestError
from ppgen.games.card_game.interview import state as interview
from ppgen.games.card_game.interview.state import Interview
from ppgen.games.card_game.interview.view import PEN, complaints, gaps, lines, missing, untouched
from ppgen.games.card_game.scoring.sentences import joined
from ppgen.games.card_game.tallies.forms import read_form
from ppgen.games.card_game.tallies.scored import ScoredGame

PLACE = "score sheet"
MESSAGES = 3
"""How many things that are wrong are shown at once."""


def ask_game(scorer: Scorer, partial: bool) -> ScoredGame:
    """A game, asked for on the terminal; an unfinished one is offered to go on with.

    Ctrl-C keeps what was entered and ends the program.
    """
    sheet = _draft(scorer)
    names = [sheet.name(seat) for seat in sheet.seats if sheet.name(seat)] if sheet else []
    question = scorer.say("ask.go_on", names=joined(names or ["…"], scorer.say))
    if sheet and not confirmed(question, speech([scorer.lang])):
        forget_draft()
        sheet = None
    return _Desk(scorer, sheet or Interview(deck=scorer.deck), partial, draft=True).fill_in()


def change_game(scorer: Scorer, game: Mapping[str, Any]) -> ScoredGame:
    """A kept game, changed on the terminal."""
    if not (sys.stdin.isatty() and sys.stderr.isatty()):
        raise RequestError([Problem(place="TALLIES", what="is missing",
                                    remedy="name a file of tallies, or - for JSON on standard input")])
    return _Desk(scorer, interview.from_tallies(scorer.deck, game), partial=False, draft=False).fill_in()


def wants_saving(scorer: Scorer) -> bool:
    return confirmed(scorer.say("ask.save"), speech([scorer.lang]))


def forget_draft() -> None:
    with suppress(OSError):
        _draft_file().unlink()


class _Desk:
    """The sheet on the screen, until it is filled in."""

    def __init__(self, scorer: Scorer, sheet: Interview, partial: bool, draft: bool) -> None:
        self.scorer, self.texts, self.sheet, self.partial, self.draft = scorer, scorer.say, sheet, partial, draft
        self.messages: list[str] = []
        self.game: ScoredGame | None = None
        self._warned = False  # of what is not counted yet

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
            raw = read_form({"p1.name": "", **self.sheet.cells}, PLACE)
            self.game = self.scorer.score(raw, self.partial)
        except InputError as error:
            problems = error.problems
        # too few players, or names that are still missing, are no news while names are asked for
        telling = [] if self.sheet.row == "name" and len(self.sheet.seats) <= 3 else problems
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
            file = _draft_file()
            draft = json.dumps(interview.to_draft(self.sheet), ensure_ascii=False)
            write_files(file.parent, [BuiltFile(path=file.name, content=draft.encode())])

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

        on("enter", act=enter)
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
            shown = lines(self.sheet, self.texts, self.messages)
            return [part for line in shown for part in (*line, ("", "\n"))]

        def pen() -> Point:
            shown = lines(self.sheet, self.texts, self.messages)
            return Point(x=0, y=next(y for y, line in enumerate(shown) if any(style == PEN for style, _ in line)))

        colours = {} if os.environ.get("NO_COLOR") else {"wrong": "ansired bold", "dim": "ansibrightblack"}
        style = Style.from_dict({"pen": "reverse", "strong": "bold", "wrong": "bold", "dim": "", **colours})
        control = FormattedTextControl(screen, focusable=True, show_cursor=False, get_cursor_position=pen)
        Application(layout=Layout(Window(control, wrap_lines=True)), key_bindings=keys, style=style, full_screen=True,
                    output=create_output(stdout=sys.stderr)).run()


def _draft(scorer: Scorer) -> Interview | None:
    """The unfinished sheet of an earlier run."""
    try:
        return interview.from_draft(scorer.deck, json.loads(_draft_file().read_text(encoding="utf-8")))
    except (OSError, ValueError, RecursionError):
        return None


def _draft_file() -> Path:
    from platformdirs import user_state_path

    return user_state_path("ppgen", appauthor=False) / "score-draft.json"
