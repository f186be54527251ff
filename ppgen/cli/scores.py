"""What ``ppgen score`` and ``ppgen history`` share: the game that is scored, results as lines, the history's file."""

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

from ppgen.assets import Assets
from ppgen.cli.ceiling import limited
from ppgen.cli.common import chosen_languages, game_option, own_folders, shipped_languages
from ppgen.cli.epoch import source_date
from ppgen.errors import InputError, Problem, RequestError, listed
from ppgen.games import catalogue
from ppgen.play.files import MAX_BYTES, STANDARD_INPUT, Written, read_file, read_json, written
from ppgen.play.scoring import ScoredGame, Scoring
from ppgen.play.sheet import LONGEST_NAME, NAME, no_sheet
from ppgen.reading.limits import decoded, place_of

if TYPE_CHECKING:
    from ppgen.play.history import History
    from ppgen.play.kept import KeptGame

FORMATS = ("table", "json", "csv", "markdown")

format_option = click.option("--format", "form", type=click.Choice(FORMATS), default="table", show_default=True,
                             help="How the result is printed.")
history_option = click.option("--history", "history_file", type=click.Path(dir_okay=False, path_type=Path),
                              metavar="FILE", help="Another history than the one in your data folder.")
one_lang_option = click.option("--lang", "-l", metavar="LANG",
                               help="Language of what is said.  [default: the locale's, else de]")


def data_option(command: Callable[..., Any]) -> Callable[..., Any]:
    """``--game`` and ``--data``; that and tallies in PDF may come from strangers."""
    data = click.option("--data", type=click.Path(file_okay=False, path_type=Path), metavar="DIR",
                        help="Your own data folder instead of the shipped one.")
    return limited(_strange)(game_option(data(command)))


def _strange(options: dict[str, Any]) -> list[Path]:
    tallies = options.get("tallies") or ""
    return [*own_folders(options), *([Path(tallies)] if tallies.lower().endswith(".pdf") else [])]


def _note(context: click.Context, parameter: click.Parameter, text: str | None) -> str | None:
    """The date or place of a game, as tallies may name it. Raises RequestError for what no file of tallies may hold."""
    plain, option = (text or "").strip(" "), parameter.opts[0]
    if unfit := next((each for each in plain if not each.isprintable() and unicodedata.category(each) != "Zs"), ""):
        raise RequestError([Problem(place=option, what=f"holds what can't be printed (U+{ord(unfit):04X})",
                                    remedy="take it out")])
    if len(plain) > LONGEST_NAME:
        raise RequestError([Problem(place=option, what=f"is longer than {LONGEST_NAME} characters",
                                    remedy="shorten it")])
    return " ".join(plain.split()) or None


date_option = click.option("--date", "date_text", metavar="DATE", callback=_note,
                           help="When it was played.  [default: as in TALLIES, or today]")
place_option = click.option("--place", metavar="PLACE", callback=_note, help="Where it was played.")


@dataclass(frozen=True, slots=True, kw_only=True)
class Scorer:
    """Finds out which game is scored: in a data folder, the ``game`` asked for, in the ``lang`` asked for."""

    assets: Assets
    lang: str | None
    game: str

    @classmethod
    def at(cls, data: Path | None, lang: str | None, game: str = "") -> Scorer:
        """What the options ask for. Raises RequestError for a game that is not there, InputError for none to score."""
        if lang and lang.lower() == "all":
            raise RequestError([Problem(place="--lang", what="a result is said in one language", remedy="like de")])
        assets = Assets.at(data)
        if game or not catalogue.scored(assets):
            catalogue.scored_folder(assets, game)  # said before any tallies are read
        return cls(assets=assets, lang=lang, game=game)

    def scoring(self, named: str = "") -> Scoring:
        """The scoring of the game asked for, else of the one ``named`` by tallies if there is such a one, else of the
        only one in the data folder, in the language asked for, or the locale's.

        Raises RequestError for a game that is not there, InputError for one that can't be scored.
        """
        wanted = self.game or (named if named in catalogue.scored(self.assets) else "")
        folder = catalogue.scored_folder(self.assets, wanted)
        (chosen,) = chosen_languages([self.lang] if self.lang else [], shipped_languages(self.assets, folder),
                                     several=False)
        return catalogue.open_scoring(self.assets, folder, chosen)

    def read(self, source: str, usual: str = "") -> tuple[Scoring, Written]:
        """The tallies of a file, or of standard input (``-``), and how they are scored: if they don't say of which
        game they are, like those of the ``usual`` one. Raises InputError for a form that is another game's sheet."""
        if source == "-":
            data = sys.stdin.buffer.read(MAX_BYTES + 1)
            if len(data) > MAX_BYTES:
                raise InputError([Problem(place=STANDARD_INPUT, what=f"is larger than {MAX_BYTES // 1_000_000} MB")])
            tallies = written(read_json(decoded(data, STANDARD_INPUT), STANDARD_INPUT))
        else:
            tallies = read_file(Path(source))
        form = self.of_form(tallies)
        scoring = self.scoring(tallies.game or form or usual)
        if tallies.cells and form != scoring.game:
            place = place_of(Path(source))
            raise InputError([Problem(place=place, what=scoring.say("wrong.game", game=form), remedy=scoring.game)
                              if form else no_sheet(place)])
        return scoring, tallies

    def score(self, scoring: Scoring, tallies: Written, *, partial: bool = False, interim: bool = False) -> ScoredGame:
        """The tallies scored. Raises InputError with all that is wrong with them: that they are of another game, too,
        where they don't name one that is here."""
        there, say = catalogue.scored(self.assets), scoring.say
        try:
            raw = tallies.raw(scoring)
            if tallies.game and not self.game and tallies.game not in there:
                raise InputError([raw.where(("game",)).problem(say("wrong.game", game=tallies.game), listed(there))])
            return scoring.score(raw, partial=partial, interim=interim)
        except InputError as error:
            if tallies.game or tallies.cells or not (meant := self._meant(scoring, tallies, there)):
                raise
            raise InputError([*error.problems, tallies.raw(meant).where(("game",)).problem(
                say("wrong.other_game", game=meant.game),
                say("wrong.other_game_remedy", game=meant.game))]) from error

    def _meant(self, tried: Scoring, tallies: Written, there: Iterable[str]) -> Scoring | None:
        """How the tallies can be scored, if they can't be as was ``tried``."""
        for name in there:
            if name != tried.game:
                other = replace(self, game=name).scoring()
                with suppress(InputError):
                    other.score(tallies.raw(other), partial=True)
                    return other
        return None

    def of_form(self, tallies: Written) -> str:
        """The game on whose sheet most fields of a form stand; empty if none do. Names stand on all sheets."""
        def shared(name: str) -> int:
            cells = replace(self, game=name).scoring().plan.cells()
            return sum(cell.row != NAME for cell in tallies.cells.intersection(cells))

        there = catalogue.scored(self.assets) if tallies.cells else ()
        return max(filter(shared, there), key=shared, default="")

    def rescore(self, game: KeptGame) -> ScoredGame:
        """A kept game, scored anew."""
        return self.scoring(game.game).score(read_json(json.dumps(game.tallies), f"game {game.id}"))


def print_result(game: ScoredGame, form: str, explain: bool = False) -> None:
    """The result on stdout, with a sentence for each point if wanted; in CSV there is no room, so on stderr."""
    reasons = list(game.reasons()) if explain else []
    if form == "json":
        document = {**game.result, **({"explanation": reasons} if explain else {})}
        click.echo(json.dumps(document, ensure_ascii=False, indent=1))
    elif form == "csv":
        from ppgen.reading.spreadsheets import csv_text

        click.echo(csv_text(game.lines()), nl=False)
        for sentence in reasons:
            click.echo(sentence, err=True)
    elif form == "markdown":
        from ppgen.play.table import markdown

        click.echo(markdown(game.table()))
        click.echo(game.verdict())
        for sentence in reasons:
            click.echo(f"- {sentence}")
    else:
        for line in _lines(game, reasons):
            click.echo(line)


def _lines(game: ScoredGame, reasons: list[str]) -> Iterator[str]:
    from ppgen.lines import wrapped
    from ppgen.play.table import terminal_lines

    def folded(text: str) -> Iterator[str]:
        """On a terminal, lines that break between words; elsewhere a sentence is a line."""
        return wrapped(text, get_terminal_size().columns - 1) if sys.stdout.isatty() else iter([text])

    table = game.table()
    for line in terminal_lines(table):
        yield click.style(line.text, bold=line.strong or None, dim=line.rule or None)
    yield ""
    for text in folded(table.legend):
        yield click.style(text, dim=True)
    if reasons:
        yield ""
        yield from (line for sentence in reasons for line in folded(sentence))
        yield ""
    for text in folded(game.verdict()):  # last, so that it stays on the screen
        yield click.style(text, bold=True)


def open_history(path: Path | None) -> History:
    """The history in a file, or the one in the user's data folder."""
    from ppgen.play.history import History

    if path is None:
        from platformdirs import user_data_path

        path = user_data_path("ppgen", appauthor=False) / "history.sqlite3"
    return History(path)


def kept(game: ScoredGame, date_text: str | None = None, place: str | None = None, old: KeptGame | None = None
         ) -> KeptGame:
    """A scored game as the history keeps it; date and place of the ``old`` one that it replaces stay."""
    from ppgen.play.kept import KeptGame

    tallies = game.written
    tallies["date"] = date_text or tallies["date"] or (old.date if old else "") or today()
    tallies["place"] = place or tallies["place"] or (old.place if old else "")
    return KeptGame(id=old.id if old else 0, game=tallies["game"], date=tallies["date"], place=tallies["place"],
                    tallies=tallies, result=game.result)


def today() -> str:
    """The date of the clock, or of SOURCE_DATE_EPOCH where it is set."""
    return (source_date() or datetime.now()).date().isoformat()
