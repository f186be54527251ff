"""``ppgen score``: totals a score sheet."""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import click

from ppgen.cli.command_group import Command, print_into, warn
from ppgen.cli.messages import can_ask, interface_texts
from ppgen.cli.options import pass_options_as, quiet_except_for
from ppgen.cli.score_options import (Scorer, data_option, date_option, explain_option, format_option, history_entry,
                                     history_option, one_lang_option, open_history, output_file_option, place_option,
                                     print_result)
from ppgen.cli.usual_options import usual_option
from ppgen.errors import InputError, Problem, Problems, RequestError, display_path
from ppgen.play.game_scoring import ScoredGame, Scoring
from ppgen.play.sheet_plan import check_names, check_number
from ppgen.process.system import hold_signals
from ppgen.shipped import Phrase


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

    @property
    def format(self) -> str:
        return "json" if self.as_json else self.form


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
@pass_options_as(ScoreOptions)
def score_command(options: ScoreOptions) -> None:
    """TALLIES is a .toml, .json or .csv file, a filled-in score sheet (.pdf), or - for JSON on standard
    input. Without it ppgen asks for the counts, country by country, on a terminal.

    \b
    ppgen score
    ppgen score game.toml --explain --lang de
    ppgen score --template csv --players Andreas,Beate,Claus -o game.csv
    ppgen score sheet.pdf --save
    """
    _check_conflicts(options)
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
        _write_sheet(options, scorer, scoring, game, reported.off_sheet)
        _save(options, game)
        _print_result(options, game)
    else:
        _ask(options, scorer)


def _check_conflicts(options: ScoreOptions) -> None:
    problems = Problems()
    if options.template and options.tallies:
        problems.note("--template", Phrase("template_scores_nothing"), Phrase("without_tallies"))
    if options.players and not options.template:
        problems.note("--players", Phrase("for_template"), Phrase("with_template"))
    for place, is_set in (("--partial", options.partial), ("--interim", options.interim)):
        if options.save and is_set:
            problems.note("--save", Phrase("finished_only"), Phrase("leave_option_or_save", option=place))
    if problems:
        raise RequestError(problems)


def _check_interim(options: ScoreOptions, scoring: Scoring) -> None:
    if options.interim and not scoring.interim:
        say = interface_texts()
        raise RequestError.at("--interim", say("wrong.no_interim"), say("wrong.leave_interim"))


def _ask(options: ScoreOptions, scorer: Scorer) -> None:
    from ppgen.cli.score_questions import ask_game, confirm_saving, forget_draft

    scoring = scorer.scoring()
    _check_interim(options, scoring)
    game = ask_game(scoring, partial=options.partial, interim=options.interim)  # has reported gaps
    _print_result(options, game)
    save = options.save or (not options.partial and not options.interim and confirm_saving())
    _write_sheet(options, scorer, scoring, game, game.off_sheet)
    _save(replace(options, save=save), game)
    forget_draft(scoring)


def _print_result(options: ScoreOptions, game: ScoredGame[Any]) -> None:
    with print_into(options.output, options.quiet):
        print_result(game, options.format, options.explain)


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
    from ppgen.process.file_writing import BuiltFile, write_files

    notes = {key: text for key, text in (("date", options.date_text), ("place", options.place)) if text}
    warn(off_sheet, options.quiet, are_localized=True)
    content = fill_score_sheet(scoring.game, {**game.fields(), **notes}, scoring.say.lang, assets=scorer.assets)
    write_files(options.sheet.parent, [BuiltFile(path=options.sheet.name, content=content)])
    if not options.quiet:
        click.echo(interface_texts()("history.written", file=display_path(options.sheet)), err=True)


def _save(options: ScoreOptions, game: ScoredGame[Any]) -> None:
    if not options.save:
        return
    history = open_history(options.history_file)
    if options.history_file is None:
        history.path.parent.mkdir(parents=True, exist_ok=True)
    entry = history_entry(game, options.date_text, options.place)
    with hold_signals():  # an interrupted run would leave a new file empty
        id = history.save(entry)
    if not options.quiet:
        click.echo(interface_texts()("history.kept", id=id), err=True)
