"""``ppgen words``: writes a table of all texts with their translations, and reads it back."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import click

from ppgen.assets import Assets
from ppgen.cli.command_group import Command
from ppgen.cli.options import game_folders, game_option, quiet_option
from ppgen.cli.usual_options import usual_option
from ppgen.errors import InputError, Problems, RequestError, display_path
from ppgen.reading.texts import is_language


@click.command("words", cls=Command)
@click.argument("file", metavar="[FILE.csv]", required=False, type=click.Path(dir_okay=False, path_type=Path))
@usual_option("--table", "lang", required=True, metavar="LANG")
@game_option
@game_folders
@quiet_option
def words_command(file: Path | None, lang: str, game: str, data: Path | None, templates: Path | None,
                  quiet: bool) -> None:
    """Without FILE.csv the table is printed. With it, the translations of an earlier table go into the files of the
    deck or of your copy of a game, and the table is written anew: its states are missing, ok, and stale where the
    source has changed since it was translated.

    \b
    ppgen words --table de words.csv
    ppgen words --table de
    """
    from ppgen.games.catalogue import open_game
    from ppgen.process.file_writing import BuiltFile, write_files
    from ppgen.review.word_table import (STATES, WordTable, changed_files, check_table, collect_words, format_rows,
                                         format_table, read_word_table)

    if not is_language(lang):
        raise RequestError.at("--table", f"'{lang}' is not a language", "give its code, like sv")
    is_filled = bool(file and file.exists())
    if is_filled and not data:
        raise RequestError.at(display_path(file or Path()), "can't be read back into ppgen's own files",
                              "make a copy with ppgen init, and name it with --data")
    problems = Problems()
    table = read_word_table(file, problems) if file and is_filled else WordTable()
    assets = Assets.at(data, templates)
    opened = open_game(assets, game)
    words = collect_words(assets, opened, lang)
    check_table(words, table, problems)
    problems.raise_if_any()
    rows = format_rows(words, table)
    content = format_table(rows, table.separator)
    if not file:
        click.echo(content, nl=False)
        return
    files = changed_files(words, table, opened.lang, lang)
    if any(path.resolve() == file.resolve() for path in files):
        raise InputError.at(display_path(file), "is one of the files to translate", "give the table another name")
    # with a byte order mark, by which spreadsheet programs know the encoding
    write_files(Path(), [*(BuiltFile(path=str(path.absolute()), content=text.encode())
                           for path, text in files.items()),
                         BuiltFile(path=str(file.absolute()), content=content.encode("utf-8-sig"))])
    if not quiet:
        counts = Counter(row["state"] for row in rows)
        for path in (*files, file):
            click.echo(display_path(path))
        click.echo(", ".join(f"{counts[state]} {state}" for state in STATES), err=True)
