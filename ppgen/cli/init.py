"""``ppgen init``: makes a folder with a set to change."""

from __future__ import annotations

from pathlib import Path
from shlex import quote

import click

from ppgen.assets import Assets
from ppgen.cli.command_group import Command
from ppgen.cli.options import FOLDER_TYPE, choose_languages, game_option, lang_option, quiet_option
from ppgen.errors import InputError, display_path
from ppgen.shipped import Phrase


@click.command("init", cls=Command)
@click.argument("folder", metavar="DIR", type=FOLDER_TYPE)
@lang_option()
@game_option
@quiet_option
def init_command(folder: Path, langs: tuple[str, ...], game: str, quiet: bool) -> None:
    """DIR must be new or empty. What it lacks (papers, sizes, fonts) comes from ppgen. A game of your own begins with
    ppgen new.

    \b
    ppgen init mykardinal --lang de
    """
    from ppgen.games.catalogue import game_folder, game_languages
    from ppgen.making.starters import starter_set
    from ppgen.process.file_writing import write_files

    shipped_game = game_folder(Assets.at(), game)
    chosen = choose_languages(langs, game_languages(Assets.at(), shipped_game))
    files = list(starter_set(shipped_game, chosen))
    if not is_free(folder, {folder / file.path: file.content for file in files}):
        raise InputError.at(display_path(folder), Phrase("not_empty"), Phrase("new_folder"))
    write_files(folder, files)
    if not quiet:
        for name in sorted({f"{folder_of}/" if folder_of else name for file in files
                            for folder_of, _, name in [file.path.rpartition("/")]}):
            click.echo(f"{display_path(folder)}/{name}")
        click.echo(f"Now: cd {quote(display_path(folder))}, then ppgen build, or ppgen open while you "
                   "change things.", err=True)


def is_free(folder: Path, contents: dict[Path, bytes]) -> bool:
    """True if the folder contains no files, or only those that a killed run had already written."""
    from ppgen.process.file_writing import clear_stages

    was_killed = sum(clear_stages(each) for each in {folder, *(path.parent for path in contents)}) > 0
    files = (path for path in folder.rglob("*") if path.is_symlink() or not path.is_dir())
    return all(was_killed and path in contents and path.read_bytes() == contents[path] for path in files)
