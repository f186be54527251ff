"""``ppgen score``: total a sheet."""

from __future__ import annotations

import sys
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import click

from ppgen.cli.boundary import warn
from ppgen.cli.common import quiet_but
from ppgen.cli.scores import (
    Scorer,
    data_option,
    date_option,
    format_option,
    history_option,
    kept,
    one_lang_option,
    open_history,
    place_option,
    print_result,
)
from ppgen.cli.signals import held
from ppgen.cli.speech import speech
from ppgen.errors import InputError, Problem, Problems, RequestError, shown_path
from ppgen.play.checking import check_names, wrong_number
from ppgen.play.scoring import ScoredGame, Scoring

HINT = ("name a file of tallies (.toml .json .csv .pdf), or - to read JSON from standard input; "
        "ppgen score --template toml prints a file to fill in")


@click.command("score")
@click.argument("tallies", required=False, metavar="[TALLIES]")
@format_option
@click.option("--json", "as_json", is_flag=True, help="The same as --format json.")
@click.option("--explain", is_flag=True, help="Say why, for each point.")
@click.option("--partial", is_flag=True, help="The game is not over: don't warn of what is missing.")
@click.option("--interim", is_flag=True, help="Score as at the interim scoring, in a game that has one.")
@click.option("--template", type=click.Choice(["toml", "csv", "json"]), help="Print an empty file to fill in.")
@click.option("--output", "-o", type=click.Path(dir_okay=False, path_type=Path), metavar="FILE",
              help="Where --template goes instead.")
@click.option("--players", metavar="A,B,C", help="Whose names --template puts in.")
@click.option("--sheet", type=click.Path(dir_okay=False, path_type=Path), metavar="FILE.pdf",
              help="Write the score sheet, filled in.")
@click.option("--save", is_flag=True, help="Keep the game in the history.")
@history_option
@date_option
@place_option
@one_lang_option
@data_option
@quiet_but("errors and the result")
def score_command(**options: Any) -> None:
    """Total a score sheet: who won, and why.

    TALLIES is a .toml, .json or .csv file, a filled-in score sheet (.pdf), or - for JSON on standard
    input. Without it, on a terminal, you are asked country by country.

    \b
    ppgen score
    ppgen score game.toml --explain --lang de
    ppgen score --template csv --players Andreas,Beate,Claus -o game.csv
    ppgen score sheet.pdf --save
    """
    asked = _Asked(**options)
    _refuse_what_clashes(asked)
    scorer = Scorer.at(asked.data, asked.lang, asked.game)
    if asked.template:
        _hand_out(asked, scorer.scoring())
    elif asked.tallies:
        scoring, tallies = scorer.read(asked.tallies)
        _refuse_interim(asked, scoring)
        game = scorer.score(scoring, tallies, partial=asked.partial, interim=asked.interim)
        warn(game.warnings, asked.quiet, scoring.say)
        _write_sheet(asked, scorer, scoring, game)
        _save(asked, scoring, game)
        print_result(game, asked.format, asked.explain)
    else:
        _ask(asked, scorer)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Asked:
    """What the command line asks for."""

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


def _refuse_what_clashes(asked: _Asked) -> None:
    problems = Problems()
    if asked.template and asked.tallies:
        problems.note("--template", "prints an empty file and scores none", "leave TALLIES out")
    if asked.players and not asked.template:
        problems.note("--players", "names the players of --template only", "give --template toml, too")
    if asked.output and not asked.template:
        problems.note("--output", "is where --template goes",
                      "give --template toml, too; --sheet writes the score sheet")
    for place, unfinished in (("--partial", asked.partial), ("--interim", asked.interim)):
        if asked.save and unfinished:
            problems.note("--save", "keeps finished games only", f"leave {place} or --save out")
    if problems:
        raise RequestError(problems)
    if not asked.tallies and not asked.template and not (sys.stdin.isatty() and sys.stderr.isatty()):
        raise click.UsageError(f"Missing TALLIES: {HINT}.")


def _refuse_interim(asked: _Asked, scoring: Scoring) -> None:
    if asked.interim and not scoring.interim:
        raise RequestError([Problem(place="--interim", what=scoring.say("wrong.no_interim"),
                                    remedy=scoring.say("wrong.leave_interim"))])


def _ask(asked: _Asked, scorer: Scorer) -> None:
    from ppgen.cli.ask import ask_game, forget_draft, wants_saving

    scoring = scorer.scoring()
    _refuse_interim(asked, scoring)
    game = ask_game(scoring, partial=asked.partial, interim=asked.interim)  # who was told there what is missing
    print_result(game, asked.format, asked.explain)
    save = asked.save or (not asked.partial and not asked.interim and wants_saving(scoring))
    _write_sheet(asked, scorer, scoring, game)
    _save(replace(asked, save=save), scoring, game)
    forget_draft(scoring)


def _hand_out(asked: _Asked, scoring: Scoring) -> None:
    """Print an empty file, or write it where none is yet: what was filled in is not to be lost."""
    assert asked.template
    text = scoring.blank(asked.template, _players(asked.players, scoring))
    if asked.output is None:
        click.echo(text, nl=False)
        return
    if asked.output.exists():
        raise InputError([Problem(place=shown_path(asked.output), what="is there already",
                                  remedy="choose another name, or remove it first")])
    # spreadsheets take a CSV file for the system's old code page unless it begins with a BOM
    _write(asked, scoring, asked.output, text.encode("utf-8-sig" if asked.template == "csv" else "utf-8"))


def _write(asked: _Asked, scoring: Scoring, target: Path, content: bytes) -> None:
    from ppgen.cli.output import write_files
    from ppgen.production.built import BuiltFile

    write_files(target.parent, [BuiltFile(path=target.name, content=content)])
    if not asked.quiet:
        click.echo(speech([scoring.say.lang])("history.written", file=shown_path(target)), err=True)


def _players(text: str | None, scoring: Scoring) -> tuple[str, ...]:
    """The names of ``A,B,C``. Raises RequestError if they won't do."""
    if text is None:
        return ()
    names, plan = tuple(" ".join(name.split()) for name in text.split(",")), scoring.plan
    problems = Problems()
    for _, what in check_names(names, scoring.say):
        problems.note("--players", what, scoring.say("wrong.name_own"))
    if not plan.least <= len(names) <= plan.most:
        problems.note("--players", *wrong_number(len(names), plan.least, plan.most, scoring.say))
    if problems:
        raise RequestError(problems)
    return names


def _write_sheet(asked: _Asked, scorer: Scorer, scoring: Scoring, game: ScoredGame) -> None:
    if not asked.sheet:
        return
    from ppgen.production.filled_sheet import filled_score_sheet  # heavy: only for who wants paper

    named = {key: text for key, text in (("date", asked.date_text), ("place", asked.place)) if text}
    warn(game.off_sheet, asked.quiet, scoring.say)
    _write(asked, scoring, asked.sheet, filled_score_sheet(
        scoring.game, {**game.fields(), **named}, scoring.say.lang, assets=scorer.assets))


def _save(asked: _Asked, scoring: Scoring, game: ScoredGame) -> None:
    if not asked.save:
        return
    history = open_history(asked.history_file)
    if asked.history_file is None:
        history.path.parent.mkdir(parents=True, exist_ok=True)
    entry = kept(game, asked.date_text, asked.place)
    with held():  # a new file would be left empty
        id = history.save(entry)
    if not asked.quiet:
        click.echo(speech([scoring.say.lang])("history.kept", id=id), err=True)
