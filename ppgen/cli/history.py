"""``ppgen history``: the games that were kept."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import click

from ppgen.cli.boundary import warn
from ppgen.cli.common import json_option, quiet_option
from ppgen.cli.history_rows import player_rows, summary_of, winner_of
from ppgen.cli.numbers import Whole
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
from ppgen.cli.speech import spoken, spoken_option
from ppgen.errors import InputError, listed
from ppgen.lines import columns as in_columns
from ppgen.reading.spreadsheets import csv_text
from ppgen.reading.texts import Texts

if TYPE_CHECKING:
    from ppgen.play.history import KeptGames
    from ppgen.play.kept import Change

only_option = click.option("--game", default="", metavar="NAME", help="Only this game, like card-game.")
game_argument = click.argument("game_id", metavar="ID", type=Whole(1, 2**62))


@click.group("history", invoke_without_command=True)
@click.pass_context
def history_group(context: click.Context) -> None:
    """List, show, correct and export the games that were kept with ppgen score --save.

    \b
    ppgen history list
    ppgen history show 3 --tallies > game.json
    ppgen history edit 3 game.json
    ppgen history undo
    """
    if context.invoked_subcommand is None:
        context.invoke(list_games)


@history_group.command("list")
@history_option
@only_option
@spoken_option
@json_option
def list_games(history_file: Path | None = None, game: str = "", lang: str | None = None, as_json: bool = False
               ) -> None:
    """All games: number, date, place, winner, players."""
    found = _found(history_file, game)
    if as_json:
        click.echo(_json([summary_of(each) for each in found.games]))
        _name_damaged(found)
        return
    say = spoken(lang)
    _print_table(("id", "game", "date", "place", "winner", "totals"), [
        (str(one.id), one.game, one.date, one.place, winner_of(one, say),
         ", ".join(f"{each['name']} {each['total']}" for each in one.result["players"]))
        for one in found.games], found, say)
    if not found.games:
        _tell_none(history_file, game, say)


@history_group.command("show")
@game_argument
@history_option
@format_option
@click.option("--tallies", "as_tallies", is_flag=True, help="The counts as JSON, for ppgen history edit.")
@click.option("--explain", is_flag=True, help="Say why, for each point.")
@one_lang_option
@data_option
def show_game(game_id: int, history_file: Path | None, form: str, as_tallies: bool, explain: bool,
              lang: str | None, game: str, data: Path | None) -> None:
    """One game, as ppgen score prints it."""
    kept_game = open_history(history_file).game(game_id)
    if as_tallies:
        click.echo(_json(kept_game.tallies))
        return
    if form == "json" and not explain:
        click.echo(_json(kept_game.result))  # as it was kept
        return
    scored = Scorer.at(data, lang, game).rescore(kept_game)
    if form == "table":
        click.echo("  ".join(filter(None, (str(kept_game.id), kept_game.date, kept_game.place))))
    print_result(scored, form, explain)


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
    """Put other tallies in the place of a game's, and score it anew.

    TALLIES is what ppgen score reads. Without it the game stays but for --date and --place; without
    these either, on a terminal, its counts can be changed.
    """
    history = open_history(history_file)
    old = history.game(game_id)
    if not tallies and (date_text or place):
        new = replace(old, date=date_text or old.date, place=place or old.place)
        new = replace(new, tallies={**old.tallies, "date": new.date, "place": new.place})
    else:
        scorer = Scorer.at(data, lang, game)
        if tallies:
            scoring, written = scorer.read(tallies, old.game)
            scored = scorer.score(scoring, written)
            warn(scored.warnings, quiet, scoring.say)
        else:
            from ppgen.cli.ask import change_game

            scored = change_game(scorer.scoring(old.game), scorer.rescore(old).written)
        new = kept(scored, date_text, place, old)
    history.edit(new)
    if not quiet:
        click.echo(spoken(lang)("history.changed", id=game_id), err=True)


@history_group.command("delete")
@game_argument
@history_option
@spoken_option
@quiet_option
def delete_game(game_id: int, history_file: Path | None, lang: str | None, quiet: bool) -> None:
    """Take a game out."""
    undoable = open_history(history_file).delete(game_id)
    if not quiet:
        click.echo(spoken(lang)("history.deleted" if undoable else "history.gone", id=game_id), err=True)


@history_group.command("undo")
@history_option
@spoken_option
@quiet_option
def undo(history_file: Path | None, lang: str | None, quiet: bool) -> None:
    """Take the last change back, and the one before, …"""
    change = open_history(history_file).undo()
    if not quiet:
        click.echo(_undone(change, spoken(lang)), err=True)


@history_group.command("export")
@history_option
@click.option("--format", "form", type=click.Choice(["json", "csv"]), default="json", show_default=True,
              help="json: everything; csv: a line for each player of each game.")
@only_option
def export(history_file: Path | None, form: str, game: str) -> None:
    """All games to stdout."""
    found = _found(history_file, game)
    if form == "json":
        click.echo(_json({"games": [{"id": one.id, "game": one.game, "date": one.date, "place": one.place,
                                     "tallies": one.tallies, "result": one.result} for one in found.games]}))
    else:
        click.echo(csv_text([row for one in found.games for row in player_rows(one)]), nl=False)
    _name_damaged(found)


@history_group.command("stats")
@history_option
@only_option
@spoken_option
@json_option
def stats(history_file: Path | None, game: str, lang: str | None, as_json: bool) -> None:
    """How each player has done: games, wins, draws, mean, best."""
    from ppgen.play.statistics import statistics

    players = statistics((found := _found(history_file, game)).games)
    if as_json:
        click.echo(_json([{"game": each.game, "name": each.name, "games": each.games, "wins": each.wins,
                           "draws": each.draws, "mean": round(each.mean, 2), "best": each.best} for each in players]))
        _name_damaged(found)
        return
    say = spoken(lang)
    _print_table(("game", "player", "games", "wins", "draws", "mean", "best"), [
        (each.game, each.name, str(each.games), str(each.wins), str(each.draws), say.number(each.mean, 1),
         str(each.best)) for each in players], found, say)
    if not found.games:
        _tell_none(history_file, game, say)


def _found(history_file: Path | None, game: str) -> KeptGames:
    """The games of the history, or those of one name."""
    found = open_history(history_file).games()
    return replace(found, games=tuple(each for each in found.games if game in ("", each.game)))


def _tell_none(history_file: Path | None, game: str, say: Texts) -> None:
    """Say that no game is kept, or, if only none of that name, which ones are."""
    others = sorted({each.game for each in open_history(history_file).games().games})
    click.echo(say("history.none_of", game=game, games=listed(others)) if others else say("history.none"), err=True)


def _name_damaged(found: KeptGames) -> None:
    """After the others were printed, end with what is wrong with the damaged games, if there are any."""
    if found.damaged:
        raise InputError(found.damaged)


def _undone(change: Change | None, say: Texts) -> str:
    if change is None:
        return say("history.nothing")
    if change.before is None:
        return say("history.out", id=change.game_id)
    return say("history.back" if change.kind == "delete" else "history.as_before", id=change.game_id)


def _json(document: object) -> str:
    return json.dumps(document, ensure_ascii=False, indent=1)


def _print_table(columns: Sequence[str], rows: Sequence[Sequence[str]], found: KeptGames, say: Texts) -> None:
    """Columns as wide as need be, under their names, if there are rows; then what is wrong with other games.

    Where all are of one game, its name is left out.
    """
    shown = [number for number, column in enumerate(columns)
             if column != "game" or len({row[number] for row in rows}) > 1]
    lines = [[row[number] for number in shown] for row in ([say(f"history.{name}").upper() for name in columns], *rows)]
    for number, line in enumerate(in_columns(lines)[0] if rows else ()):
        click.echo(click.style(line, bold=True) if not number else line)
    _name_damaged(found)
