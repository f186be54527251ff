"""What ``ppgen score`` and ``ppgen history`` share: the game that is scored, results as lines, the history's file."""

from __future__ import annotations

import json
import sys
import unicodedata
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from shutil import get_terminal_size
from typing import TYPE_CHECKING, Any

import click

from ppgen.assets import Assets
from ppgen.cli.ceiling import limited
from ppgen.cli.common import chosen_languages, game_option, shipped_languages
from ppgen.cli.epoch import source_date
from ppgen.errors import InputError, Problem, RequestError, shown_path
from ppgen.games.card_game import FOLDER, NAME
from ppgen.games.card_game.deck.loading import load_deck
from ppgen.games.card_game.deck.model import Deck
from ppgen.games.card_game.tallies.checked import LONGEST_NAME
from ppgen.games.card_game.tallies.files import MAX_BYTES, STANDARD_INPUT, read_file, read_json
from ppgen.games.card_game.tallies.names import Names
from ppgen.games.card_game.tallies.scored import ScoredGame, score_raw
from ppgen.play.raw import RawGame
from ppgen.reading.limits import decoded
from ppgen.reading.texts import Texts

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
    return [*filter(None, [options["data"]]), *([Path(tallies)] if tallies.lower().endswith(".pdf") else [])]


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
    """The game that is scored: its deck, what things are called, and the language of what is said."""

    deck: Deck
    names: Names
    lang: str
    assets: Assets

    @classmethod
    def at(cls, data: Path | None, lang: str | None, game: str = "") -> Scorer:
        """The game of that name in a data folder, or its only one, in the one language asked for, or the locale's.

        Raises RequestError for a game that is not there, InputError for one that can't be scored.
        """
        assets = Assets.at(data)
        folder = assets.game(FOLDER)
        if data or game:
            from ppgen.games.catalogue import game_folder  # half of ppgen: not for who scores the shipped game

            if game_folder(assets, game) != FOLDER:
                raise InputError([Problem(place=shown_path(assets.data), what="holds no game that can be scored",
                                          remedy=f"scored is {NAME}: leave --data out, or change ppgen.toml")])
        deck, _ = load_deck(folder)  # what its designer may want to think over is no matter of scoring
        chosen = _language(assets, lang)
        return cls(deck=deck, names=Names(deck, folder / "locales", chosen), lang=chosen, assets=assets)

    @property
    def say(self) -> Texts:
        """The texts of the game, read when something is said."""
        return self.names.say

    def read(self, source: str) -> RawGame:
        """The tallies of a file, or of standard input (``-``)."""
        if source != "-":
            return read_file(Path(source), self.names)
        data = sys.stdin.buffer.read(MAX_BYTES + 1)
        if len(data) > MAX_BYTES:
            raise InputError([Problem(place=STANDARD_INPUT, what=f"is larger than {MAX_BYTES // 1_000_000} MB")])
        return read_json(decoded(data, STANDARD_INPUT), STANDARD_INPUT)

    def score(self, raw: RawGame, partial: bool = False) -> ScoredGame:
        return score_raw(raw, self.deck, self.names, partial)

    def rescore(self, game: KeptGame) -> ScoredGame:
        """A kept game, scored anew."""
        return self.score(read_json(json.dumps(game.tallies), f"game {game.id}"))


def _language(assets: Assets, wanted: str | None) -> str:
    if wanted and wanted.lower() == "all":
        raise RequestError([Problem(place="--lang", what="a result is said in one language", remedy="like de")])
    return chosen_languages([wanted] if wanted else [], shipped_languages(assets, FOLDER))[0]


def print_result(scorer: Scorer, game: ScoredGame, form: str, explain: bool = False) -> None:
    """The result on stdout, with a sentence for each point if wanted; in CSV there is no room, so on stderr."""
    from ppgen.games.card_game.scoring import result, sentences
    from ppgen.games.card_game.scoring import table as score_table

    def reasons() -> list[str]:
        return list(sentences.reasons(game.score, scorer.deck.countries, scorer.say)) if explain else []

    countries = scorer.deck.countries
    if form == "json":
        document = {**game.result, **({"explanation": reasons()} if explain else {})}
        click.echo(json.dumps(document, ensure_ascii=False, indent=1))
    elif form == "csv":
        click.echo(result.result_csv(game.score, countries), nl=False)
        for sentence in reasons():
            click.echo(sentence, err=True)
    elif form == "markdown":
        click.echo(score_table.markdown(game.score, countries, scorer.say))
        click.echo(sentences.verdict(game.score, scorer.say, game.over))
        for line in [f"- {sentence}" for sentence in reasons()]:
            click.echo(line)
    else:
        for line in _table(game, scorer, reasons()):
            click.echo(line)


def _table(game: ScoredGame, scorer: Scorer, reasons: list[str]) -> Iterator[str]:
    from ppgen.games.card_game.scoring import sentences
    from ppgen.games.card_game.scoring import table as score_table
    from ppgen.lines import wrapped

    def folded(text: str) -> Iterator[str]:
        """On a terminal, lines that break between words; elsewhere a sentence is a line."""
        return wrapped(text, get_terminal_size().columns - 1) if sys.stdout.isatty() else iter([text])

    for line in score_table.table(game.score, scorer.deck.countries, scorer.say):
        yield click.style(line.text, bold=line.strong or None, dim=line.rule or None)
    yield ""
    for text in folded(scorer.say("results.legend")):
        yield click.style(text, dim=True)
    if reasons:
        yield ""
        yield from (line for sentence in reasons for line in folded(sentence))
        yield ""
    for text in folded(sentences.verdict(game.score, scorer.say, game.over)):  # last, so that it stays on the screen
        yield click.style(text, bold=True)


def open_history(path: Path | None) -> History:
    """The history in a file, or the one in the user's data folder."""
    from ppgen.play.history import History

    if path is None:
        from platformdirs import user_data_path

        path = user_data_path("ppgen", appauthor=False) / "history.sqlite3"
    return History(path)


def kept(game: ScoredGame, date_text: str | None = None, place: str | None = None, id: int = 0) -> KeptGame:
    """A scored game as the history keeps it."""
    from ppgen.play.kept import KeptGame

    written: dict[str, Any] = game.written
    written["date"] = date_text or written["date"] or today()
    written["place"] = place or written["place"]
    return KeptGame(id=id, game=written["game"], date=written["date"], place=written["place"], tallies=written,
                    result=game.result)


def today() -> str:
    """The date of the clock, or of SOURCE_DATE_EPOCH where it is set."""
    return (source_date() or datetime.now()).date().isoformat()
