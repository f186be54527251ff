"""``ppgen score``: total a sheet."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import click

from ppgen.cli.boundary import warn
from ppgen.cli.common import quiet_option
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
from ppgen.errors import InputError, Problem, RequestError, shown_path
from ppgen.games.card_game.deck.model import MAX_PLAYERS, MIN_PLAYERS
from ppgen.games.card_game.tallies.checked import check_names
from ppgen.games.card_game.tallies.scored import ScoredGame

HINT = ("name a file of tallies (.toml .json .csv .pdf), or - to read JSON from standard input; "
        "ppgen score --template toml prints a file to fill in")


@click.command("score")
@click.argument("tallies", required=False, metavar="[TALLIES]")
@format_option
@click.option("--json", "as_json", is_flag=True, help="The same as --format json.")
@click.option("--explain", is_flag=True, help="Say why, for each point.")
@click.option("--partial", is_flag=True, help="The game is not over: don't warn of missing cards.")
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
@quiet_option
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
    _refuse_what_clashes(options)
    scorer = Scorer.at(options["data"], options["lang"], options["game"])
    if options["template"]:
        _hand_out(options, scorer)
        return
    form = "json" if options["as_json"] else options["form"]
    if options["tallies"]:
        game = scorer.score(scorer.read(options["tallies"]), options["partial"])
        warn(game.warnings, options["quiet"], scorer.say)
        _write_sheet(options, scorer, game)
        _save(options, scorer, game)
        print_result(scorer, game, form, options["explain"])
        return

    from ppgen.cli.ask import ask_game, forget_draft, wants_saving

    answered = ask_game(scorer, options["partial"])  # who was told there what is missing
    print_result(scorer, answered, form, options["explain"])
    options["save"] = options["save"] or (not options["partial"] and wants_saving(scorer))
    _write_sheet(options, scorer, answered)
    _save(options, scorer, answered)
    forget_draft()


def _refuse_what_clashes(options: dict[str, Any]) -> None:
    problems = []

    def clash(place: str, what: str, remedy: str) -> None:
        problems.append(Problem(place=place, what=what, remedy=remedy))

    if options["template"] and options["tallies"]:
        clash("--template", "prints an empty file and scores none", "leave TALLIES out")
    if options["players"] and not options["template"]:
        clash("--players", "names the players of --template only", "give --template toml, too")
    if options["output"] and not options["template"]:
        clash("--output", "is where --template goes", "give --template toml, too; --sheet writes the score sheet")
    if options["save"] and options["partial"]:
        clash("--save", "keeps finished games only", "leave --partial or --save out")
    if problems:
        raise RequestError(problems)
    if not options["tallies"] and not options["template"] and not (sys.stdin.isatty() and sys.stderr.isatty()):
        raise click.UsageError(f"Missing TALLIES: {HINT}.")


def _hand_out(options: dict[str, Any], scorer: Scorer) -> None:
    """Print an empty file, or write it where none is yet: what was filled in is not to be lost."""
    from ppgen.games.card_game.tallies.blanks import template

    text = template(options["template"], scorer.deck, _players(options["players"], scorer), scorer.say)
    target: Path | None = options["output"]
    if target is None:
        click.echo(text, nl=False)
        return
    if target.exists():
        raise InputError([Problem(place=shown_path(target), what="is there already",
                                  remedy="choose another name, or remove it first")])
    # spreadsheets take a CSV file for the system's old code page unless it begins with a BOM
    _write(target, text.encode("utf-8-sig" if options["template"] == "csv" else "utf-8"))
    if not options["quiet"]:
        click.echo(speech([scorer.lang])("history.written", file=shown_path(target)), err=True)


def _write(target: Path, content: bytes) -> None:
    from ppgen.cli.output import write_files
    from ppgen.production.built import BuiltFile

    write_files(target.parent, [BuiltFile(path=target.name, content=content)])


def _players(text: str | None, scorer: Scorer) -> tuple[str, ...]:
    """The names of ``A,B,C``. Raises RequestError if they won't do."""
    if text is None:
        return ()
    names = tuple(" ".join(name.split()) for name in text.split(","))
    problems = [Problem(place="--players", what=what, remedy=scorer.say("wrong.name_own"))
                for _, what in check_names(names, scorer.say)]
    if not MIN_PLAYERS <= len(names) <= MAX_PLAYERS:
        problems.append(Problem(place="--players", what=scorer.say("wrong.players_count", count=len(names)),
                                remedy=scorer.say("wrong.players_range", least=MIN_PLAYERS, most=MAX_PLAYERS)))
    if problems:
        raise RequestError(problems)
    return names


def _write_sheet(options: dict[str, Any], scorer: Scorer, game: ScoredGame) -> None:
    if not options["sheet"]:
        return
    from ppgen.production.filled_sheet import filled_score_sheet  # heavy: only for who wants paper

    target: Path = options["sheet"]
    content = filled_score_sheet(game.score, game.tallies.players, scorer.lang,
                                 options["date_text"] or game.tallies.date, options["place"] or game.tallies.place,
                                 assets=scorer.assets)
    _write(target, content)
    if not options["quiet"]:
        click.echo(speech([scorer.lang])("history.written", file=shown_path(target)), err=True)


def _save(options: dict[str, Any], scorer: Scorer, game: ScoredGame) -> None:
    if not options["save"]:
        return
    history = open_history(options["history_file"])
    if options["history_file"] is None:
        history.path.parent.mkdir(parents=True, exist_ok=True)
    entry = kept(game, options["date_text"], options["place"])
    with held():  # a new file would be left empty
        id = history.save(entry)
    if not options["quiet"]:
        click.echo(speech([scorer.lang])("history.kept", id=id), err=True)
