"""``ppgen init``: a folder with a set of one's own."""

from __future__ import annotations

from pathlib import Path
from shlex import quote

import click

from ppgen.assets import Assets
from ppgen.cli.common import FOLDER, chosen_languages, game_option, lang_option, quiet_option, shipped_languages
from ppgen.cli.leftovers import clear
from ppgen.cli.speech import speech
from ppgen.errors import InputError, Problem, Problems, RequestError, shown_path


@click.command("init")
@click.argument("folder", metavar="DIR", type=FOLDER)
@click.option("--empty", is_flag=True, help="A new deck instead of the shipped set: a table of cards and a template.")
@lang_option("Language of the shipped set to take along; several times, or 'all'.  [default: the locale's, else de]")
@game_option
@quiet_option
def init_command(folder: Path, empty: bool, langs: tuple[str, ...], game: str, quiet: bool) -> None:
    """Make a folder with data and templates to change: your own edition of the set, or a deck of your own.

    DIR must be new or empty. What it lacks (papers, sizes, fonts) is taken from ppgen.

    \b
    ppgen init mykardinal --lang de
    ppgen init --empty mydeck && cd mydeck && ppgen build
    """
    from ppgen.cli.output import write_files
    from ppgen.games.catalogue import game_folder
    from ppgen.production.starters import new_deck, own_set

    problems = Problems()
    if empty and langs:
        problems.note("--lang", "a new deck has no language of its own yet",
                      "leave it out; the deck's words are in data/deck/locales")
    if empty and game:
        problems.note("--game", "a new deck is none of the shipped games",
                      "leave it out; the deck's name is in data/deck/deck.toml")
    if problems:
        raise RequestError(problems)
    shipped_game = game_folder(Assets.at(), game)
    chosen = chosen_languages(langs, shipped_languages(Assets.at(), shipped_game))
    files = list(new_deck() if empty else own_set(shipped_game, chosen))
    if not _is_free(folder, {folder / file.path: file.content for file in files}):
        raise InputError([Problem(place=shown_path(folder), what="is not empty", remedy="choose a new folder")])
    write_files(folder, files)
    if not quiet:
        for name in sorted({file.path for file in files if "/" not in file.path or empty}
                           | {file.path.rpartition("/")[0] + "/" for file in files if "/" in file.path and not empty}):
            click.echo(f"{shown_path(folder)}/{name}")
        click.echo(speech(langs)("init.next", folder=quote(shown_path(folder))), err=True)


def _is_free(folder: Path, wanted: dict[Path, bytes]) -> bool:
    """Whether no file is in the folder, or only those that an earlier run had made when it was killed."""
    killed = sum(clear(each) for each in {path.parent for path in wanted})
    found = (path for path in folder.rglob("*") if path.is_symlink() or not path.is_dir())
    return all(killed and path in wanted and path.read_bytes() == wanted[path] for path in found)
