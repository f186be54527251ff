"""``ppgen check``: is it printable?"""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from itertools import product
from pathlib import Path
from typing import TYPE_CHECKING

import click

from ppgen.assets import Assets
from ppgen.cli.boundary import warn
from ppgen.cli.cache import caching
from ppgen.cli.common import (
    chosen_languages,
    converted,
    folder_options,
    json_option,
    lang_option,
    quiet_option,
    shipped_languages,
    skin_option,
)
from ppgen.cli.completion import card_sizes, offering
from ppgen.engine.formats import Format, Formats, read_formats
from ppgen.errors import InputError, Problem
from ppgen.reading.texts import languages

if TYPE_CHECKING:
    from ppgen.production.check import Look, Watch
    from ppgen.production.ink_report import InkRow
    from ppgen.production.wording import Translation


@click.command("check")
@lang_option("Check this language only; several times.  [default: all]")
@click.option("--card-size", "asked_sizes", multiple=True, metavar="NAME|WxH", shell_complete=offering(card_sizes),
              help="Draw cards of this size; several times.  [default: the game's own, and the tightest for text]")
@click.option("--all-sizes", is_flag=True, help="Draw cards of every size that has a name.")
@folder_options
@skin_option
@quiet_option
@click.option("--ink", "show_ink", is_flag=True, help="Also print how much ink each part takes, full and low.")
@json_option
@caching
@click.pass_context
def check_command(context: click.Context, langs: tuple[str, ...], asked_sizes: tuple[str, ...], all_sizes: bool,
                  data: Path | None, templates: Path | None, game: str, skin: str, quiet: bool,
                  show_ink: bool, as_json: bool) -> None:
    """Check everything that is printed: data, templates, translations, fonts, fit.

    Draws every face in every language and ink, prints each set once, and names every problem.

    \b
    ppgen check
    ppgen check --lang en --data mydeck
    """
    from ppgen.games.catalogue import game_folder
    from ppgen.production.check import check, steps
    from ppgen.production.ink_report import ink_report, parts_on_sheets
    from ppgen.production.manifest import to_json
    from ppgen.production.workshop import Workshop

    problems: tuple[Problem, ...]
    code = InputError.exit_code
    warnings: tuple[Problem, ...] = ()
    inks: tuple[InkRow, ...] = ()
    translations: dict[str, Translation] = {}
    try:
        assets = Assets.at(data, templates)
        known = shipped_languages(assets, game_folder(assets, game))
        begun = [lang for lang in languages(assets.common("locales")) if lang in langs]  # one of its files is there
        chosen = chosen_languages(langs or ("all",), (*known, *(lang for lang in begun if lang not in known)))
        formats = read_formats(assets.common("papers.toml"))
        workshop = Workshop.open(assets, skin, game)
        looks = _looks(formats, workshop.game.card_size, asked_sizes, all_sizes)
        with _progress(steps(chosen, looks), quiet) as watch:
            found = check(workshop, chosen, looks, watch)
        problems, warnings, translations = tuple(found.problems), tuple(found.warnings), found.translations
        if show_ink and not problems:
            texts = workshop.texts(chosen[0])
            inks = ink_report(workshop, texts, parts_on_sheets(workshop, texts, looks[0][1]))
    except InputError as error:
        problems, code = error.problems, error.exit_code
    if as_json:
        report: dict[str, object] = {"ok": not problems, "problems": [*map(_entry, problems)],
                                     "warnings": [*map(_entry, warnings)],
                                     "translations": {lang: _translation(how) for lang, how in translations.items()}}
        if show_ink:
            report["ink"] = [{"part": row.part, "ink": row.ink, "percent": round(row.percent, 1)} for row in inks]
        click.echo(to_json(report), nl=False)
    else:
        warn(warnings, quiet)
        for problem in problems:
            click.echo(str(problem), err=True)
        for row in inks:
            click.echo(f"{row.part:<12} {row.ink:<5} {row.percent:5.1f} % ink")
        if not quiet:
            half = [lang for lang, how in translations.items() if how.done < how.texts]
            for lang in half:
                done = f"{translations[lang].done} of {translations[lang].texts} texts are translated."
                click.echo(f"{lang}: {done}" if problems else f"{lang} can be printed, and {done}", err=True)
            if not problems and (well := [lang for lang in chosen if lang not in half]):
                click.echo(f"All is well: {', '.join(well)}.", err=True)
    context.exit(code if problems else 0)


def _looks(formats: Formats, usual: Format, asked: Sequence[str], everything: bool) -> tuple[Look, ...]:
    """The inks and card sizes to draw, the one to print first: the usual ones, or each ink in the sizes asked for."""
    from ppgen.production.check import usual_looks
    from ppgen.production.request import INKS

    sizes = [converted(formats.card_size, "--card-size", size) for size in asked]
    if everything:
        sizes = [*(sizes or [usual]), *(Format(name, size) for name, size in formats.sizes.items())]
    return tuple(dict.fromkeys(product(INKS, sizes))) if sizes else usual_looks(usual, formats.sizes)


@contextmanager
def _progress(steps: int, quiet: bool) -> Iterator[Watch]:
    """A bar on stderr, if that is a terminal, with what is done at the moment."""
    if quiet or not sys.stderr.isatty():
        yield lambda _: None
        return
    bar = click.progressbar(length=steps, file=sys.stderr, show_eta=False, update_min_steps=0,
                            item_show_func=lambda doing: doing)
    with bar:
        def watch(doing: str) -> None:
            bar.update(int(bar.current_item is not None), doing)  # the step before is done

        yield watch


def _entry(problem: Problem) -> dict[str, object]:
    return {"place": problem.place, "line": problem.line, "key": problem.key, "what": problem.what,
            "remedy": problem.remedy, "more": problem.more}


def _translation(found: Translation) -> dict[str, object]:
    return {"texts": found.texts, "done": found.done, "same_as": found.source or None, "untranslated": [*found.same]}
