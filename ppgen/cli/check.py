"""``ppgen check``, ``list`` and ``words``: a look at a set without printing it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from contextlib import suppress
from itertools import product
from pathlib import Path
from typing import TYPE_CHECKING

import click

from ppgen.assets import Assets
from ppgen.cli.command_group import Command, print_json, print_problems, progress, warn
from ppgen.cli.messages import interface_texts, usual_option
from ppgen.cli.options import (card_sizes, choose_languages, complete_with, convert_option, folder_options,
                               game_folders, game_option, json_option, lang_option, quiet_except_for, quiet_option,
                               with_cache)
from ppgen.cli.print_options import request_option
from ppgen.engine.geometry import Format, Formats, read_formats
from ppgen.errors import InputError, Phrase, Problem, Problems, RequestError, display_path, join_names, to_one_line
from ppgen.games.catalogue import game_folder, game_languages, open_game
from ppgen.lines import columns
from ppgen.printing.request import INKS, PieceFilter
from ppgen.reading.texts import SCREEN_ONLY, is_language, languages

if TYPE_CHECKING:
    from ppgen.games.interface import Game
    from ppgen.printing.drawn_parts import InkRow
    from ppgen.printing.set_booklets import Translation
    from ppgen.review.set_check import CheckFindings, CheckLook


# --- ppgen check ---
@click.command("check", cls=Command)
@lang_option("lang-check")
@click.option("--card-size", "card_size_texts", multiple=True, metavar="NAME|WxH",
              shell_complete=complete_with(card_sizes),
              show_default="the game's own; of a shipped game also the tightest for text",
              help="Draw cards of this size; repeatable.")
@usual_option("--all-sizes", is_flag=True)
@folder_options
@request_option("skin")
@quiet_option
@usual_option("--ink", "show_ink", is_flag=True, text="ink-check")
@json_option
@with_cache
def check_command(langs: tuple[str, ...], card_size_texts: tuple[str, ...], all_sizes: bool, data: Path | None,
                  templates: Path | None, game: str, skin: str, quiet: bool, show_ink: bool, as_json: bool) -> None:
    """Draws every face in every language and ink, and reports every problem of data, templates, translations and
    fonts, and text that does not fit.

    \b
    ppgen check
    ppgen check --lang en --data mydeck
    """
    from ppgen.printing.drawn_parts import ink_report, parts_on_a4
    from ppgen.printing.workshop import Workshop
    from ppgen.review.set_check import CheckFindings, check

    findings, exit_code = CheckFindings(), InputError.exit_code
    inks: Sequence[InkRow] = ()
    try:
        assets = Assets.at(data, templates)
        known = game_languages(assets, game_folder(assets, game))
        begun = [lang for lang in languages(assets.common("locales")) if lang in langs]  # only the common file
        langs = choose_languages(langs or ("all",), (*known, *(lang for lang in begun if lang not in known)))
        formats = read_formats(assets.common("papers.toml"))
        workshop = Workshop.open(assets, skin, game)
        looks = looks_to_check(formats, workshop.game, card_size_texts, all_sizes)
        with progress(quiet) as watch:
            findings = check(workshop, langs, looks, watch)
        with suppress(InputError):  # reported above
            texts = workshop.texts(langs[0])
            findings.warnings.extend(dict.fromkeys(
                warning for _, size in looks if card_size_texts
                for warning in workshop.fit_card_size(texts, size, ())[1]))
        if show_ink and not findings.problems:
            texts = workshop.texts(langs[0])
            inks = ink_report(workshop, texts, parts_on_a4(workshop, texts, looks[0][1]))
    except InputError as error:  # what can't be read at all is a problem, too
        findings, exit_code = CheckFindings(Problems(error.problems)), error.exit_code
    if as_json:
        print_json({
            "ok": not findings.problems, "problems": [*map(_problem_entry, findings.problems)],
            "warnings": [*map(_problem_entry, findings.warnings)],
            "translations": {lang: _translation_entry(each) for lang, each in findings.translations.items()},
            **({"ink": [{"part": row.part, "ink": row.ink, "percent": round(row.percent, 1)} for row in inks]}
               if show_ink else {})})
    else:
        _print_report(findings, langs, inks, quiet)
    click.get_current_context().exit(exit_code if findings.problems else 0)


def _print_report(report: CheckFindings, langs: Sequence[str], inks: Sequence[InkRow], quiet: bool) -> None:
    print_problems(report.problems, () if quiet else report.warnings)
    for row in inks:
        click.echo(f"{row.part:<12} {row.ink:<5} {row.percent:5.1f}% ink")
    if quiet:
        return
    incomplete = [lang for lang, each in report.translations.items() if each.done < each.texts]
    for lang in incomplete:
        printed, messages = _split_progress(report.translations[lang])
        click.echo(f"{lang}{':' if report.problems else ' can be printed;'} {printed.done} of {printed.texts} printed "
                   f"texts and {messages.done} of {messages.texts} messages are translated.", err=True)
    if not report.problems and (complete := [lang for lang in langs if lang not in incomplete]):
        click.echo(f"No problems found ({join_names(complete)}).", err=True)


def looks_to_check(formats: Formats, game: Game, requested: Sequence[str], all_sizes: bool) -> tuple[CheckLook, ...]:
    """The inks and card sizes to draw, first the one to print; a deck is drawn in its own size only."""
    from ppgen.review.set_check import default_looks

    own_size = game.card_size
    sizes = [convert_option(formats.card_size, "--card-size", size) for size in requested]
    if all_sizes:
        sizes = [*(sizes or [own_size]), *(Format(name, size) for name, size in formats.sizes.items())]
    if game.deck:
        sizes = sizes or [own_size]
    return tuple(dict.fromkeys(product(INKS, sizes))) if sizes else default_looks(own_size, formats.sizes)


def _problem_entry(problem: Problem) -> dict[str, object]:
    return {"place": problem.place, "line": problem.line, "key": problem.key, "what": problem.what,
            "remedy": problem.remedy, "more": problem.more, "others": [*problem.others]}


def _split_progress(translation: Translation) -> tuple[Translation, Translation]:
    messages = translation.part(SCREEN_ONLY)
    return translation.part({key.partition(".")[0] for key in translation.keys} - SCREEN_ONLY), messages


def _translation_entry(translation: Translation) -> dict[str, object]:
    printed, messages = _split_progress(translation)
    return {"texts": translation.texts, "done": translation.done,
            "printed": {"texts": printed.texts, "done": printed.done},
            "messages": {"texts": messages.texts, "done": messages.done},
            "same_as": translation.source or None, "untranslated": [*translation.same]}


# --- ppgen list ---
@click.command("list", cls=Command)
@folder_options
@request_option("where")
@quiet_except_for("errors and the list")
@json_option
@with_cache
def list_command(game: str, data: Path | None, templates: Path | None, where: PieceFilter | None, quiet: bool,
                 as_json: bool) -> None:
    """With --json also the map of the board game.

    EXPR selects pieces by their cells: dragon (a word in any cell), type:hero (a word in a column), type=hero (all of
    the cell), type= (empty), cost>3, -rare (not), "two words". All terms must match; or between them starts anew. The
    columns are those of ppgen list --json, and part. For build and export also is:changed and is:new.

    \b
    ppgen list
    ppgen list --where 'country:france number>4'
    ppgen list --json
    """
    opened = open_game(Assets.at(data, templates), game)
    warn(opened.warnings, quiet)
    components = opened.describe()
    if where:
        ids = set(where.select(components))
        components = [entry for entry in components if entry["id"] in ids]
        if not components:
            raise RequestError.at("--where", Phrase("no_piece", text=where), Phrase("list_cells"))
    if as_json:
        print_json({"game": opened.id, "components": components, **opened.facts})
    else:
        for line in _table(components):
            click.echo(to_one_line(line))


def _table(components: list[dict[str, object]]) -> list[str]:
    """A line for each component, in columns: id, kind, details, number of copies."""
    rows = [(str(entry["id"]), str(entry["kind"]), _details(entry), f"× {entry['copies']}") for entry in components]
    return columns([[interface_texts()(f"list.{name}").upper() for name in ("id", "kind", "what", "copies")], *rows])[0]


def _details(entry: dict[str, object]) -> str:
    words = []
    for key, value in entry.items():
        if key in ("id", "kind", "copies") or value in (None, {}, ""):
            continue
        match value:
            case dict():
                words.append(" ".join(f"{count}×{kind}" for kind, count in value.items()))
            case list():
                words.append(" ".join(map(str, value)))
            case str():
                words.append(value)
            case _:
                words.append(f"{key} {value}")
    return " ".join(", ".join(words).split())  # a cell may hold line breaks


# --- ppgen words ---
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
