"""Common parts of ``ppgen score`` and ``ppgen history``: options, scoring, printed results, the history's file."""

from __future__ import annotations

import json
import sys
import unicodedata
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass, replace
from datetime import datetime
from pathlib import Path
from shutil import get_terminal_size
from typing import TYPE_CHECKING, Any

import click

from ppgen.assets import Assets, user_folder
from ppgen.cli.command_group import print_json
from ppgen.cli.messages import ENGLISH, interface_texts, locale_language, translate
from ppgen.cli.options import choose_languages, data_folder_option, game_option, source_date, user_folders, with_limits
from ppgen.cli.usual_options import usual_option
from ppgen.errors import InputError, Problem, RequestError, join_names
from ppgen.games import catalogue
from ppgen.play.game_scoring import MAX_BYTES, ScoredGame, Scoring, TallyFile, open_tally_file, read_file, read_json
from ppgen.play.sheet_plan import LONGEST_NAME, NAME_ROW, missing_sheet
from ppgen.reading.fields import decode, display_place
from ppgen.shipped import Phrase

if TYPE_CHECKING:
    from ppgen.play.game_history import History, SavedGame

FORMATS = ("table", "json", "csv", "markdown")

format_option = usual_option("--format", "form", type=click.Choice(FORMATS), default="table", show_default=True)
explain_option = usual_option("--explain", is_flag=True)
history_option = click.option("--history", "history_file", type=click.Path(dir_okay=False, path_type=Path),
                              metavar="FILE", help="Use this history file instead of the one in your data folder.")
output_file_option = click.option("--output", "-o", type=click.Path(dir_okay=False, path_type=Path), metavar="FILE",
                                  help="Write what would be printed to this file, as UTF-8.")
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
            place = display_place(Path(source))
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
        from ppgen.reading.fields import csv_text

        click.echo(csv_text(game.lines()), nl=False)
        for sentence in reasons:
            click.echo(sentence, err=True)
    elif form == "markdown":
        from ppgen.play.line_points import markdown

        click.echo(markdown(game.table()))
        click.echo(game.verdict())
        for sentence in reasons:
            click.echo(f"- {sentence}")
    else:
        for line in _table_lines(game, reasons):
            click.echo(line)


def _table_lines(game: ScoredGame[Any], reasons: list[str]) -> Iterator[str]:
    from ppgen.lines import wrap
    from ppgen.play.line_points import terminal_lines

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
        path = user_folder("data", Phrase("name_history")) / "history.sqlite3"
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
