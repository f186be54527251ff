"""``ppgen history``: lists, shows, corrects and exports saved games."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from ppgen.assets import SCORE_FILE
from ppgen.cli.command_group import InlineGroup, print_into, print_json, warn
from ppgen.cli.messages import interface_texts, message_lang_option
from ppgen.cli.option_types import WholeNumber
from ppgen.cli.options import default_data, json_option, quiet_option
from ppgen.cli.score_options import (Scorer, data_option, date_option, explain_option, format_option, history_entry,
                                     history_option, one_lang_option, open_history, output_file_option, place_option,
                                     print_result)
from ppgen.cli.usual_options import usual_option
from ppgen.errors import InputError, Problem, join_names
from ppgen.games.catalogue import scored_games
from ppgen.lines import columns as align_columns
from ppgen.play.line_points import join_words
from ppgen.reading.texts import Texts

if TYPE_CHECKING:
    from ppgen.play.game_history import Change, SavedGame, SavedGames
    from ppgen.play.game_scoring import ScoredGame


def _deck_game(context: click.Context, parameter: click.Parameter | None, game: str) -> str:
    """The name of the deck in the working folder. Raises InputError if it can't be scored."""
    data = default_data(context, parameter, None)
    return game or (next(iter(scored_games(Scorer.at(data, None).assets))) if data else "")


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
    stored = _read_games(history_file, game)
    if as_json:
        print_json([_game_summary(each) for each in stored.games])
        _raise_damage(stored)
        return
    say = interface_texts(lang)
    _print_table(("id", "game", "date", "place", "winner", "totals"), [
        (str(each.id), each.game, each.date, each.place, _winner_names(each, say),
         ", ".join(f"{player['name']} {player['total']}" for player in each.result["players"]))
        for each in stored.games], stored, say)
    if not stored.games:
        _report_none(history_file, game, say)


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
    warn(_changed_rules(entry, scored), False)


def _changed_rules(entry: SavedGame, scored: ScoredGame[Any]) -> tuple[Problem, ...]:
    """A warning if a game was saved with other rules than it is scored with now."""
    if entry.result.get("rules") == scored.result.get("rules"):
        return ()
    say = interface_texts()
    totals = join_words((f"{player['name']} {player['total']}" for player in entry.result["players"]), say)
    return (Problem(SCORE_FILE, say("results.rules_changed", totals=totals),
                    say("results.rules_changed_remedy", id=entry.id)),)


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
            from ppgen.cli.score_questions import change_game

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
    change = open_history(history_file).undo()
    if not quiet:
        click.echo(_undo_message(change, interface_texts(lang)), err=True)


@history_group.command("export")
@history_option
@game_filter_option
@output_file_option
def export(history_file: Path | None, game: str, output: Path | None) -> None:
    """Print all games as JSON, with their tallies and results."""
    stored = _read_games(history_file, game)
    with print_into(output):
        print_json({"games": [{"id": each.id, "game": each.game, "date": each.date, "place": each.place,
                               "tallies": each.tallies, "result": each.result} for each in stored.games]})
    _raise_damage(stored)


def _read_games(history_file: Path | None, game: str) -> SavedGames:
    stored = open_history(history_file).games()
    return replace(stored, games=tuple(each for each in stored.games if game in ("", each.game)))


def _report_none(history_file: Path | None, game: str, say: Texts) -> None:
    """Report an empty history, or the names of the saved games if only this one is missing."""
    others = sorted({each.game for each in open_history(history_file).games().games})
    click.echo(say("history.none_of", game=game, games=join_names(others)) if others else say("history.none"), err=True)


def _raise_damage(stored: SavedGames) -> None:
    """Raise InputError with the problems of damaged games, if any, once the others are printed."""
    if stored.damaged:
        raise InputError(stored.damaged)


def _winner_names(game: SavedGame, say: Texts) -> str:
    is_draw = game.result.get("tie_break") == "draw"
    return say("history.draw") if is_draw else ", ".join(game.result["winners"])


def _game_summary(game: SavedGame) -> dict[str, Any]:
    return {"id": game.id, "game": game.game, "date": game.date, "place": game.place,
            "winners": game.result["winners"],
            "players": [{"name": each["name"], "total": each["total"]} for each in game.result["players"]]}


def _undo_message(change: Change | None, say: Texts) -> str:
    if change is None:
        return say("history.nothing")
    if change.before is None:
        return say("history.out", id=change.game_id)
    return say("history.back" if change.kind == "delete" else "history.as_before", id=change.game_id)


def _print_table(columns: Sequence[str], rows: Sequence[Sequence[str]], stored: SavedGames, say: Texts) -> None:
    """Print the rows, with the game's name only where it differs; then raise the problems of damaged games."""
    visible = [number for number, column in enumerate(columns)
               if column != "game" or len({row[number] for row in rows}) > 1]
    head = [say(f"history.{name}").upper() for name in columns]
    lines = [[row[number] for number in visible] for row in (head, *rows)]
    for number, line in enumerate(align_columns(lines)[0] if rows else ()):
        click.echo(click.style(line, bold=True) if not number else line)
    _raise_damage(stored)
