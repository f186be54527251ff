"""``ppgen check``: is it printable?"""

from __future__ import annotations

import json
from pathlib import Path

import click

from ppgen.assets import Assets
from ppgen.cli.boundary import warn
from ppgen.cli.common import (
    chosen_languages,
    folder_options,
    json_option,
    lang_option,
    quiet_option,
    shipped_languages,
    skin_option,
)
from ppgen.engine.formats import Format, read_formats
from ppgen.errors import InputError, Problem


@click.command("check", short_help="Check data, templates, texts and fonts before you print.")
@lang_option("Check this language only; several times.  [default: all]")
@folder_options
@skin_option
@quiet_option
@click.option("--ink", "show_ink", is_flag=True, help="Also print how much ink each part takes, full and low.")
@json_option
@click.pass_context
def check_command(context: click.Context, langs: tuple[str, ...], data: Path | None, templates: Path | None,
                  skin: str, quiet: bool, show_ink: bool, as_json: bool) -> None:
    """Check everything that is printed: data, templates, translations, fonts, fit.

    Draws every face in every language, ink and named card size, and names every problem.

    \b
    ppgen check
    ppgen check --lang en --data mydeck
    """
    from ppgen.games.catalogue import game_folder
    from ppgen.production.build import Workshop
    from ppgen.production.check import InkRow, check, ink_report

    problems: tuple[Problem, ...]
    warnings: tuple[Problem, ...] = ()
    inks: tuple[InkRow, ...] = ()
    try:
        assets = Assets.at(data, templates)
        chosen = chosen_languages(langs or ("all",), shipped_languages(assets, game_folder(assets)))
        formats = read_formats(assets.common("papers.toml"))
        workshop = Workshop.open(assets, skin)
        found = check(workshop, chosen, [Format(name, size) for name, size in formats.sizes.items()])
        problems, warnings = found.problems, found.warnings
        if show_ink and not problems:
            inks = ink_report(workshop, workshop.texts(chosen[0]))
    except InputError as error:
        problems = error.problems
    if as_json:
        report: dict[str, object] = {"ok": not problems, "problems": [*map(_entry, problems)],
                                     "warnings": [*map(_entry, warnings)]}
        if show_ink:
            report["ink"] = [{"part": row.part, "ink": row.ink, "percent": round(row.percent, 1)} for row in inks]
        click.echo(json.dumps(report, ensure_ascii=False, indent=1))
    else:
        warn(warnings, quiet)
        for problem in problems:
            click.echo(str(problem), err=True)
        for row in inks:
            click.echo(f"{row.part:<12} {row.ink:<5} {row.percent:5.1f} % ink")
        if not problems and not quiet:
            click.echo(f"All is well: {', '.join(chosen)}.", err=True)
    context.exit(InputError.exit_code if problems else 0)


def _entry(problem: Problem) -> dict[str, object]:
    return {"place": problem.place, "line": problem.line, "key": problem.key, "what": problem.what,
            "remedy": problem.remedy, "more": problem.more}
