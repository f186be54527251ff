"""``ppgen score`` and ``history``."""

from __future__ import annotations

import json
import sys
import unicodedata
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import suppress
from datetime import datetime
from itertools import takewhile
from pathlib import Path
from shutil import get_terminal_size
from typing import TYPE_CHECKING, Any

import click

from ppgen.assets import SCORE_FILE, Assets, user_folder
from ppgen.cli.command_group import Command, InlineGroup, print_into, print_json, warn
from ppgen.cli.messages import (ENGLISH, can_ask, confirm, interface_texts, locale_language, message_lang_option,
                                translate, usual_option)
from ppgen.cli.options import (WholeNumber, choose_languages, data_folder_option, default_data, game_option,
                               json_option, quiet_except_for, quiet_option, source_date, user_folders, with_limits)
from ppgen.errors import InputError, Phrase, Problem, Problems, RequestError, display_path, join_names
from ppgen.games import catalogue
from ppgen.lines import columns as align_columns, wrap
from ppgen.play.game_scoring import MAX_BYTES, ScoredGame, Scoring, TallyFile, open_tally_file, read_file, read_json
from ppgen.play.line_points import Words, markdown, terminal_lines
from ppgen.play.sheet_plan import (LONGEST_NAME, NAME_ROW, Json, SheetCell, SheetPlan, SheetRow, Takes, check_names,
                                   check_number, missing_sheet, parse_partial_count, split_letters)
from ppgen.process.file_writing import write_file
from ppgen.process.system import hold_signals
from ppgen.reading.fields import csv_text, decode
from ppgen.records import asdict, dataclass, field, replace

if TYPE_CHECKING:
    from ppgen.play.game_history import History, SavedGame, SavedGames


# --- Options ---

FORMATS = ("table", "json", "csv", "markdown")

format_option = usual_option("--format", "form", type=click.Choice(FORMATS), default="table", show_default=True)
explain_option = usual_option("--explain", is_flag=True)
history_option = click.option("--history", "history_file", type=click.Path(dir_okay=False, path_type=Path),
                              metavar="FILE", help="Use this history file instead of the one in your data folder.")
output_file_option = click.option("--output", "-o", type=click.Path(dir_okay=False, path_type=Path), metavar="FILE",
                                  callback=lambda _, __, path: None if path == Path("-") else path,
                                  help="Write what would be printed to this file, as UTF-8; - prints it.")
one_lang_option = usual_option("--lang", "-l", metavar="LANG", text="lang-result")


def data_option(command: Callable[..., Any]) -> Callable[..., Any]:
    """Add ``--game`` and ``--data``. Limit the process for a data folder or tallies in PDF, possibly of strangers."""
    return with_limits(_foreign_files)(game_option(data_folder_option(command)))


def _foreign_files(options: dict[str, Any]) -> list[Path]:
    tallies = options.get("tallies") or ""
    return [*user_folders(options), *([Path(tallies)] if tallies.lower().endswith(".pdf") else [])]


def _clean_note(context: click.Context, parameter: click.Parameter, text: str | None) -> str | None:
    """Normalize the spaces of a date or place. Raises RequestError for text not allowed in a file of tallies."""
    plain, option = (text or "").strip(" "), parameter.opts[0]
    if bad := next((each for each in plain if not each.isprintable() and unicodedata.category(each) != "Zs"), ""):
        raise RequestError.at(option, Phrase("note_unprintable", code=f"{ord(bad):04X}"), Phrase("remove_it"))
    if len(plain) > LONGEST_NAME:
        raise RequestError.at(option, Phrase("note_long", number=LONGEST_NAME), Phrase("shorten"))
    return " ".join(plain.split()) or None


date_option = click.option("--date", "date_text", metavar="DATE", callback=_clean_note,
                           show_default="as in TALLIES, or today", help="Date of the game.")
place_option = click.option("--place", metavar="PLACE", callback=_clean_note, help="Place of the game.")


@dataclass(frozen=True, slots=True, kw_only=True)
class Scorer:
    """Finds and applies the scoring of tallies, with the game and language of the options, if any."""

    assets: Assets
    lang: str | None
    game: str

    @classmethod
    def at(cls, data: Path | None, lang: str | None, game: str = "") -> Scorer:
        """A scorer for these options. Raises RequestError for an unknown game, InputError for one without scoring."""
        if lang and lang.lower() == "all":
            raise RequestError.at("--lang", Phrase("one_language"), Phrase("like_de"))
        assets = Assets.at(data)
        if game or not catalogue.scored_games(assets):
            catalogue.scored_folder(assets, game)  # raises before any tallies are read
        return cls(assets=assets, lang=lang, game=game)

    def scoring(self, tallied_game: str = "") -> Scoring:
        """The scoring of the requested game, else of that of the tallies if it is known, else of the only game in the
        data folder; in the requested language or the locale's.

        Raises RequestError for an unknown game, InputError for one without scoring.
        """
        game = self.game or (tallied_game if tallied_game in catalogue.scored_games(self.assets) else "")
        folder = catalogue.scored_folder(self.assets, game)
        (chosen,) = choose_languages([self.lang] if self.lang else [], catalogue.game_languages(self.assets, folder),
                                     ENGLISH, several=False)
        return catalogue.open_scoring(self.assets, folder, chosen)

    def _in_user_language(self, scoring: Scoring) -> Scoring:
        """The same scoring in the language of messages, which ``--lang`` does not change."""
        folder = catalogue.scored_folder(self.assets, scoring.game)
        lang = locale_language(catalogue.message_languages(self.assets, folder), ENGLISH)
        return scoring if lang == scoring.say.lang else catalogue.open_scoring(self.assets, folder, lang)

    def read(self, source: str, default_game: str = "") -> tuple[Scoring, TallyFile]:
        """Read tallies from a file or standard input (``-``); return them with their scoring. Raises InputError."""
        if source == "-":
            data, place = sys.stdin.buffer.read(MAX_BYTES + 1), translate(Phrase("standard_input"))
            if len(data) > MAX_BYTES:
                raise InputError.at(place, Phrase("too_large", number=MAX_BYTES // 1000000))
            tallies = open_tally_file(read_json(decode(data, place), place))
        else:
            tallies = read_file(Path(source))
        form_game = self.form_game(tallies)
        scoring = self.scoring(tallies.game or form_game or default_game)
        if tallies.cells and form_game != scoring.game:
            place = display_path(Path(source))
            raise InputError([Problem(place, interface_texts()("wrong.game", game=form_game), scoring.game) if form_game
                              else missing_sheet(place)])
        return scoring, tallies

    def score(self, scoring: Scoring, tallies: TallyFile, *, partial: bool = False,
              interim: bool = False) -> tuple[ScoredGame[Any], ScoredGame[Any]]:
        """Score tallies: the game, also with warnings in the user's language. Raises InputError in that language."""
        try:
            game = self._score(scoring, tallies, partial, interim)
        except InputError:
            self._score(self._in_user_language(scoring), tallies, partial, interim)  # raises the same in that language
            raise
        if not game.warnings:
            return game, game
        return game, self._score(self._in_user_language(scoring), tallies, partial, interim)

    def _score(self, scoring: Scoring, tallies: TallyFile, partial: bool, interim: bool) -> ScoredGame[Any]:
        """Score the tallies. Raises InputError, also if they seem to belong to another game or name an unknown one."""
        known, say = catalogue.scored_games(self.assets), scoring.say
        try:
            raw = tallies.raw(scoring)
            if tallies.game and not self.game and tallies.game not in known:
                raise InputError([raw.where(("game",)).problem(say("wrong.game", game=tallies.game),
                                                               join_names(known))])
            return scoring.score(raw, partial=partial, interim=interim)
        except InputError as error:
            if tallies.game or tallies.cells or not (other := self._other_scoring(scoring, tallies, known)):
                raise
            raise InputError([*error.problems, tallies.raw(other).where(("game",)).problem(
                say("wrong.other_game", game=other.game),
                say("wrong.other_game_remedy", game=other.game))]) from error

    def _other_scoring(self, failed: Scoring, tallies: TallyFile, known: Iterable[str]) -> Scoring | None:
        for name in known:
            if name != failed.game:
                other = replace(self, game=name).scoring()
                with suppress(InputError):
                    other.score(tallies.raw(other), partial=True)
                    return other
        return None

    def form_game(self, tallies: TallyFile) -> str:
        """The game whose sheet has most of a form's fields; empty if none has. Names are on all sheets."""
        def count_shared(name: str) -> int:
            cells = replace(self, game=name).scoring().plan.cells()
            return sum(cell.row != NAME_ROW for cell in tallies.cells.intersection(cells))

        known = catalogue.scored_games(self.assets) if tallies.cells else ()
        return max(filter(count_shared, known), key=count_shared, default="")

    def rescore(self, game: SavedGame) -> ScoredGame[Any]:
        """Score a saved game again."""
        return self.scoring(game.game).score(read_json(json.dumps(game.tallies), f"game {game.id}"))


def print_result(game: ScoredGame[Any], form: str, explain: bool = False) -> None:
    """Print the result, and with ``explain`` a sentence for each point (for CSV on stderr: the table has no room)."""
    reasons = list(game.reasons()) if explain else []
    if form == "json":
        document = {**game.result, **({"explanation": reasons} if explain else {})}
        print_json(document)
    elif form == "csv":
        click.echo(csv_text(game.lines()), nl=False)
        for sentence in reasons:
            click.echo(sentence, err=True)
    elif form == "markdown":
        click.echo(markdown(game.table()))
        click.echo(game.verdict())
        for sentence in reasons:
            click.echo(f"- {sentence}")
    else:
        for line in _table_lines(game, reasons):
            click.echo(line)


def _table_lines(game: ScoredGame[Any], reasons: list[str]) -> Iterator[str]:

    def fold(text: str) -> Iterator[str]:
        """Wrap a sentence on a terminal; elsewhere it is one line."""
        return wrap(text, get_terminal_size().columns - 1) if sys.stdout.isatty() else iter([text])

    table = game.table()
    for line in terminal_lines(table):
        yield click.style(line.text, bold=line.strong or None, dim=line.rule or None)
    yield ""
    for text in fold(table.legend):
        yield click.style(text, dim=True)
    if reasons:
        yield ""
        yield from (line for sentence in reasons for line in fold(sentence))
        yield ""
    for text in fold(game.verdict()):  # last, so that it stays on the screen
        yield click.style(text, bold=True)


def open_history(path: Path | None) -> History:
    """Open the history in this file, or the one in the user's data folder."""
    from ppgen.play.game_history import History

    if path is None:
        return History(user_folder("data", Phrase("name_history")) / "history.sqlite3", makes_folder=True)
    return History(path)


def history_entry(game: ScoredGame[Any], date_text: str | None = None, place: str | None = None,
                  old: SavedGame | None = None) -> SavedGame:
    """An entry of the history: what is not given is as in the tallies, the ``old`` entry, or today."""
    from ppgen.play.game_history import SavedGame

    tallies = game.written
    tallies["date"] = date_text or tallies["date"] or (old.date if old else "") or (
        source_date() or datetime.now()).date().isoformat()
    tallies["place"] = place or tallies["place"] or (old.place if old else "")
    return SavedGame(id=old.id if old else 0, game=tallies["game"], date=tallies["date"], place=tallies["place"],
                     tallies=tallies, result=game.result)


# --- Questions ---
# Questions of ``ppgen score`` on a terminal: the score sheet row by row, with a way back.

PLACE = "score sheet"
BACK, EMPTY = "<", "."
MAX_COMPLAINTS = 3  # number of problems that are reported at once
ANSWER_COLUMNS = 12  # room for an answer behind its question


def ask_game(scoring: Scoring, partial: bool, interim: bool) -> ScoredGame[Any]:
    """Ask for a game on the terminal; offer to continue an unfinished one. Ctrl-C keeps the answers."""
    plan, say = scoring.plan.early if interim else scoring.plan, interface_texts()
    sheet = _Sheet(scoring=scoring, plan=plan, cells=_load_draft(scoring, plan), partial=partial, interim=interim)
    if sheet.names and not confirm(say("ask.go_on", names=Words(common=say.words).join(sheet.names)), say):
        forget_draft(scoring)
        sheet.cells = {}
    questions = sheet.questions()
    first_open = next((at for at, cell in enumerate(questions) if cell not in sheet.cells), len(questions))
    try:
        return sheet.ask(first_open, lambda: _save_draft(scoring, sheet.cells))
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
    with suppress(InputError):
        file = _draft_file(scoring)
        draft = json.dumps({cell.field: text for cell, text in cells.items()}, ensure_ascii=False)
        write_file(file, draft.encode())


def _load_draft(scoring: Scoring, plan: SheetPlan) -> dict[SheetCell, str]:
    try:
        draft = json.loads(_draft_file(scoring).read_text(encoding="utf-8"))
    except (InputError, OSError, ValueError, RecursionError):
        return {}
    return {cell: draft[cell.field] for cell in (*plan.cells(), *(SheetCell(0, row.key) for row in plan.rows))
            if isinstance(draft, dict) and isinstance(draft.get(cell.field), str)}


def _draft_file(scoring: Scoring) -> Path:
    return user_folder("state", Phrase("draft_folder")) / f"score-draft-{scoring.game}.json"


# --- ppgen score ---

@dataclass(frozen=True, slots=True, kw_only=True)
class ScoreOptions:
    tallies: str | None
    form: str
    as_json: bool
    explain: bool
    partial: bool
    interim: bool
    template: str | None
    output: Path | None
    players: str | None
    sheet: Path | None
    save: bool
    history_file: Path | None
    date_text: str | None
    place: str | None
    lang: str | None
    game: str
    data: Path | None
    quiet: bool


@click.command("score", cls=Command)
@click.argument("tallies", required=False, metavar="[TALLIES]")
@format_option
@click.option("--json", "as_json", is_flag=True, help="The same as --format json.")
@explain_option
@click.option("--partial", is_flag=True, help="The game is not over: don't warn about missing cards.")
@click.option("--interim", is_flag=True, help="Score the interim scoring, in a game that has one.")
@usual_option("--template", type=click.Choice(["toml", "csv", "json"]))
@output_file_option
@usual_option("--players", metavar="A,B,C")
@usual_option("--sheet", type=click.Path(dir_okay=False, path_type=Path), metavar="FILE.pdf")
@usual_option("--save", is_flag=True)
@history_option
@date_option
@place_option
@one_lang_option
@data_option
@quiet_except_for("errors and the result")
@click.pass_context
def score_command(context: click.Context, /, **values: Any) -> None:
    """TALLIES is a .toml, .json or .csv file, a filled-in score sheet (.pdf), or - for JSON on standard
    input. Without it ppgen asks for the counts, country by country, on a terminal.

    \b
    ppgen score
    ppgen score game.toml --explain --lang de
    ppgen score --template csv --players Andreas,Beate,Claus -o game.csv
    ppgen score sheet.pdf --save
    """
    options = ScoreOptions(**values)
    _check_conflicts(context, options)
    scorer = Scorer.at(options.data, options.lang, options.game)
    if not options.tallies and not options.template and not can_ask():
        raise click.UsageError(Phrase("missing_tallies", message=Phrase("tallies_hint")))
    if options.template:
        _print_template(options, scorer.scoring())
    elif options.tallies:
        scoring, tallies = scorer.read(options.tallies)
        _check_interim(options, scoring)
        game, reported = scorer.score(scoring, tallies, partial=options.partial, interim=options.interim)
        warn(reported.warnings, options.quiet, are_localized=True)
        _print_result(options, game)
        _write_sheet(options, scorer, scoring, game, reported.off_sheet)
        _save(options, game)
    else:
        _ask(options, scorer)


# Options that have an effect only together with one of these, the first of which is suggested. Where a game is asked
# for, it may be saved at the end.
NEEDS = {"players": ("--template toml",), "history_file": ("--save",), "date_text": ("--save", "--sheet FILE.pdf"),
         "place": ("--save", "--sheet FILE.pdf")}
OF_A_RESULT = ("form", "as_json", "explain", "partial", "interim", "sheet", "save", "history_file", "date_text",
               "place")


def _check_conflicts(context: click.Context, options: ScoreOptions) -> None:
    """Raise RequestError for options that contradict each other, and those on the command line without an effect."""
    problems = Problems()
    typed = {str(option.name): option.opts[0] for option in context.command.params
             if context.get_parameter_source(str(option.name)) is click.core.ParameterSource.COMMANDLINE}
    if options.template:
        for name in filter(typed.get, OF_A_RESULT):
            problems.note("--template", Phrase("template_scores_nothing"),
                          Phrase("leave_option_or", option=typed[name], other="--template"))
    if options.as_json and "form" in typed and options.form != "json":
        problems.note("--format", Phrase("other_form"), Phrase("leave_option_or", option="--format", other="--json"))
    if options.template and options.tallies:
        problems.note("--template", Phrase("template_scores_nothing"), Phrase("without_tallies"))
    if options.output and options.tallies and Path(options.tallies).exists() and options.output.exists() and (
            options.output.samefile(options.tallies)):
        problems.note("--output", Phrase("is_input", path=display_path(options.output)), Phrase("another_file"))
    given = {"--template": options.template, "--save": options.save, "--sheet": options.sheet}
    for name, others in NEEDS.items():
        wanted = [other.split()[0] for other in others]
        is_asked_for = name in OF_A_RESULT and (options.template or not options.tallies)  # or reported above
        if name in typed and not is_asked_for and not any(given[option] for option in wanted):
            problems.note(typed[name], Phrase("for_option", names=join_names(wanted)),
                          Phrase("with_option", option=others[0]))
    for place, is_set in (("--partial", options.partial), ("--interim", options.interim)):
        if options.save and is_set:
            problems.note("--save", Phrase("finished_only"), Phrase("leave_option_or", option=place, other="--save"))
    if options.interim and "partial" in typed:
        problems.note("--partial", Phrase("no_effect", option="--interim"),
                      Phrase("leave_option_or", option="--partial", other="--interim"))
    if problems:
        raise RequestError(problems)


def _check_interim(options: ScoreOptions, scoring: Scoring) -> None:
    if options.interim and not scoring.interim:
        say = interface_texts()
        raise RequestError.at("--interim", say("wrong.no_interim"), say("wrong.leave_interim"))


def _ask(options: ScoreOptions, scorer: Scorer) -> None:
    scoring = scorer.scoring()
    _check_interim(options, scoring)
    game = ask_game(scoring, partial=options.partial, interim=options.interim)  # has reported gaps
    _print_result(options, game)
    say = interface_texts()
    save = options.save or (not options.partial and not options.interim and confirm(say("ask.save"), say))
    _write_sheet(options, scorer, scoring, game, game.off_sheet)
    _save(replace(options, save=save), game)
    forget_draft(scoring)


def _print_result(options: ScoreOptions, game: ScoredGame[Any]) -> None:
    with print_into(options.output, options.quiet):
        print_result(game, "json" if options.as_json else options.form, options.explain)


def _print_template(options: ScoreOptions, scoring: Scoring) -> None:
    """Print an empty file of tallies, or write it; never over an existing file, which may be filled in."""
    assert options.template
    text = scoring.blank(options.template, _parse_players(options.players, scoring))
    if options.output and options.output.exists():
        raise InputError.at(display_path(options.output), Phrase("exists"), Phrase("another_name"))
    with print_into(options.output, options.quiet):
        click.echo(text, nl=False)


def _parse_players(text: str | None, scoring: Scoring) -> tuple[str, ...]:
    """Parse names like ``A,B,C``. Raises RequestError for invalid names or a wrong number of them."""
    if text is None:
        return ()
    names, plan = tuple(" ".join(name.split()) for name in text.split(",")), scoring.plan
    problems, say = Problems(), interface_texts()
    for _, what in check_names(names, say):
        problems.note("--players", what, say("wrong.name_own"))
    if not plan.least <= len(names) <= plan.most:
        problems.note("--players", *check_number(len(names), plan.least, plan.most, say))
    if problems:
        raise RequestError(problems)
    return names


def _write_sheet(options: ScoreOptions, scorer: Scorer, scoring: Scoring, game: ScoredGame[Any],
                 off_sheet: tuple[Problem, ...]) -> None:
    if not options.sheet:
        return
    from ppgen.printing.set_build import fill_score_sheet  # slow import

    notes = {key: text for key, text in (("date", options.date_text), ("place", options.place)) if text}
    warn(off_sheet, options.quiet, are_localized=True)
    write_file(options.sheet, fill_score_sheet(scoring.game, {**game.fields(), **notes}, scoring.say.lang,
                                               assets=scorer.assets))
    if not options.quiet:
        click.echo(interface_texts()("history.written", file=display_path(options.sheet)), err=True)


def _save(options: ScoreOptions, game: ScoredGame[Any]) -> None:
    if not options.save:
        return
    history = open_history(options.history_file)
    entry = history_entry(game, options.date_text, options.place)
    with hold_signals():  # an interrupted run would leave a new file empty
        id = history.save(entry)
    if not options.quiet:
        click.echo(interface_texts()("history.kept", id=id), err=True)


# --- ppgen history ---

def _deck_game(context: click.Context, parameter: click.Parameter | None, game: str) -> str:
    """The name of the deck in the working folder. Raises InputError if it can't be scored."""
    data = default_data(context, parameter, None)
    return game or (next(iter(catalogue.scored_games(Scorer.at(data, None).assets))) if data else "")


game_filter_option = click.option("--game", default="", metavar="NAME", callback=_deck_game,
                                  show_default="in the folder of a deck its own, else all",
                                  help="Only games of this name, like card-game.")
game_argument = click.argument("game_id", metavar="ID", type=WholeNumber(1, 2**62))


@click.group("history", cls=InlineGroup, invoke_without_command=True)
@click.pass_context
def history_group(context: click.Context) -> None:
    """The games are those saved with ppgen score --save.

    \b
    ppgen history list
    ppgen history show 3 --tallies -o game.json
    ppgen history edit 3 game.json
    ppgen history undo
    """
    if context.invoked_subcommand is None:
        context.invoke(list_games, game=_deck_game(context, None, ""))


@history_group.command("list")
@history_option
@game_filter_option
@message_lang_option
@json_option
def list_games(history_file: Path | None = None, game: str = "", lang: str | None = None, as_json: bool = False
               ) -> None:
    """List all games: number, date, place, winner, players."""
    stored, say = _read_games(history_file, game), interface_texts(lang)
    if as_json:
        print_json([{
            "id": each.id, "game": each.game, "date": each.date, "place": each.place, "winners": each.result["winners"],
            "players": [{"name": player["name"], "total": player["total"]} for player in each.result["players"]]}
            for each in stored.games])
    elif stored.games:
        names = [name for name in ("id", "game", "date", "place", "winner", "totals")
                 if name != "game" or len({each.game for each in stored.games}) > 1]
        rows = [{"id": str(each.id), "game": each.game, "date": each.date, "place": each.place,
                 "winner": say("history.draw") if each.result.get("tie_break") == "draw" else
                 ", ".join(each.result["winners"]),
                 "totals": ", ".join(f"{player['name']} {player['total']}" for player in each.result["players"])}
                for each in stored.games]
        head, *lines = align_columns([[say(f"history.{name}").upper() for name in names],
                                      *([row[name] for name in names] for row in rows)])[0]
        click.echo("\n".join((click.style(head, bold=True), *lines)))
    _raise_damage(stored)
    if not stored.games and not as_json:
        others = sorted({each.game for each in open_history(history_file).games().games})
        click.echo(say("history.none_of", game=game, games=join_names(others)) if others else say("history.none"),
                   err=True)


@history_group.command("show")
@game_argument
@history_option
@format_option
@usual_option("--tallies", "as_tallies", is_flag=True)
@explain_option
@output_file_option
@one_lang_option
@data_option
def show_game(game_id: int, history_file: Path | None, form: str, as_tallies: bool, explain: bool, output: Path | None,
              lang: str | None, game: str, data: Path | None) -> None:
    """Show one game, as ppgen score prints it."""
    entry = open_history(history_file).game(game_id)
    with print_into(output):
        if as_tallies or (form == "json" and not explain):
            print_json(entry.tallies if as_tallies else entry.result)  # as saved
            return
        scored = Scorer.at(data, lang, game).rescore(entry)
        if form == "table":
            click.echo("  ".join(filter(None, (str(entry.id), entry.date, entry.place))))
        print_result(scored, form, explain)
    if entry.result.get("rules") != scored.result.get("rules"):
        say = interface_texts()
        totals = say.join(f"{player['name']} {player['total']}" for player in entry.result["players"])
        warn((Problem(SCORE_FILE, say("results.rules_changed", totals=totals),
                      say("results.rules_changed_remedy", id=entry.id)),), quiet=False)


@history_group.command("edit")
@game_argument
@click.argument("tallies", required=False, metavar="[TALLIES]")
@history_option
@date_option
@place_option
@one_lang_option
@data_option
@quiet_option
def edit_game(game_id: int, tallies: str | None, history_file: Path | None, date_text: str | None, place: str | None,
              lang: str | None, game: str, data: Path | None, quiet: bool) -> None:
    """TALLIES is a file that ppgen score reads. Without it only --date and --place change; without these, too, you
    can change the counts on a terminal.
    """
    history = open_history(history_file)
    old = history.game(game_id)
    if not tallies and (date_text or place):
        new = replace(old, date=date_text or old.date, place=place or old.place)
        new = replace(new, tallies={**old.tallies, "date": new.date, "place": new.place})
    else:
        scorer = Scorer.at(data, lang, game)
        if tallies:
            scoring, tally_file = scorer.read(tallies, old.game)
            scored, reported = scorer.score(scoring, tally_file)
            warn(reported.warnings, quiet, are_localized=True)
        else:
            scored = change_game(scorer.scoring(old.game), scorer.rescore(old).written)
        new = history_entry(scored, date_text, place, old)
    history.edit(new)
    if not quiet:
        click.echo(interface_texts()("history.changed", id=game_id), err=True)


@history_group.command("delete")
@game_argument
@history_option
@message_lang_option
@quiet_option
def delete_game(game_id: int, history_file: Path | None, lang: str | None, quiet: bool) -> None:
    """Delete a game."""
    undoable = open_history(history_file).delete(game_id)
    if not quiet:
        click.echo(interface_texts(lang)("history.deleted" if undoable else "history.gone", id=game_id), err=True)


@history_group.command("undo")
@history_option
@message_lang_option
@quiet_option
def undo(history_file: Path | None, lang: str | None, quiet: bool) -> None:
    """Undo the last change; again: the one before."""
    change, say = open_history(history_file).undo(), interface_texts(lang)
    if quiet:
        return
    if change is None:
        click.echo(say("history.nothing"), err=True)
    else:
        key = ("history.out" if change.before is None else
               "history.back" if change.kind == "delete" else "history.as_before")
        click.echo(say(key, id=change.game_id), err=True)


@history_group.command("export")
@history_option
@game_filter_option
@output_file_option
def export(history_file: Path | None, game: str, output: Path | None) -> None:
    """Print all games as JSON, with their tallies and results."""
    stored = _read_games(history_file, game)
    with print_into(output):
        print_json({"games": [*map(asdict, stored.games)]})
    _raise_damage(stored)


def _read_games(history_file: Path | None, game: str) -> SavedGames:
    stored = open_history(history_file).games()
    return replace(stored, games=tuple(each for each in stored.games if game in ("", each.game)))


def _raise_damage(stored: SavedGames) -> None:
    """Raise InputError with the problems of damaged games, if any, once the others are printed."""
    if stored.damaged:
        raise InputError(stored.damaged)
