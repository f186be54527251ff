"""``ppgen build``: prints a set."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import click

from ppgen.cli.command_group import print_json, progress, warn
from ppgen.cli.messages import interface_texts, preferred_languages
from ppgen.cli.options import open_on_desktop, open_option
from ppgen.cli.presets import PresetCommand, preset_option
from ppgen.cli.print_options import (OpenSet, SetOptions, build_request, delivery_options, open_set, pass_set,
                                     sheet_options)
from ppgen.engine.geometry import ORIGIN
from ppgen.engine.imposition.sheets import LARGEST_DRIFT
from ppgen.errors import Problem, join_names, merge_files
from ppgen.printing.manifest import Json, manifest_files
from ppgen.printing.request import CALIBRATION, RULES, SAFE_MARGIN_MM, BuildRequest, OutputKind
from ppgen.reading.texts import Texts
from ppgen.shipped import Phrase

if TYPE_CHECKING:
    from ppgen.printing.set_build import BuiltSet


@click.command("build", cls=PresetCommand)
@preset_option
@sheet_options(OutputKind.ALL)
@delivery_options
@open_option("open")
@pass_set()
def build_command(options: SetOptions, preset: str, open_result: bool) -> None:
    """The files go to OUTPUT/LANG/; the variant is in their names, so that none overwrites a different one.

    \b
    ppgen build --lang de
    ppgen build -l en --paper letter --card-size poker --backs fold
    ppgen build --only cards --back-offset 0.5,-1 --ink low
    """
    from ppgen.printing.set_build import build_set  # slow import

    chosen = open_set(options)
    request = build_request(options, chosen)
    report = _change_report(chosen, request) if request.changed and not options.quiet else ()
    with progress(options.quiet) as watch:
        built = build_set(request, chosen.workshop, watch)
    warn((*built.warnings, *_askew_warnings(request), *merge_files(_landscape_warnings(built.manifests, request))),
         options.quiet)
    if not options.dry_run:
        from ppgen.process.file_writing import write_files

        write_files(options.output, built.files)
    if options.as_json:
        print_json(built.manifests)
    elif not options.quiet:
        say = interface_texts()
        for file in manifest_files(built.manifests):
            medium = say.count("build.sheets", file["sheets"]) if file["sheets"] else say("build.screen")
            extent = say("results.list", first=say.count("build.pages", file["pages"]), last=medium)
            click.echo(f"{file['path']}  {extent}")
        for line in _summary(say, request, built, options.dry_run):
            click.echo(line, err=True)
        for line in report:
            click.echo(line, err=True)
        if not options.langs and (line := _language_note(say, request, chosen)):
            click.echo(line, err=True)
    warn(merge_files(margin_warnings(request, built)), options.quiet)  # last: it may be the first thing somebody reads
    if open_result and not options.dry_run:
        open_on_desktop(options.output if len(request.langs) > 1 else options.output / request.langs[0])


def _summary(say: Texts, request: BuildRequest, built: BuiltSet, dry_run: bool) -> Iterator[str]:
    """Lines about the files, and about the first step of printing."""
    from ppgen.games.interface import SCORE_SHEET

    files = manifest_files(built.manifests)
    counts = {"files": len({file["path"] for file in files}), "sheets": sum(file["sheets"] for file in files)}
    yield say("build.planned" if dry_run else "build.written", **counts)
    once = [file["path"] for file in files if file["part"] in (SCORE_SHEET, RULES) and file["sheets"]]
    if request.sets > 1 and once:
        yield say("build.sets", sets=request.sets, files=", ".join(once))
    page = next((file for file in files if file["part"] == CALIBRATION), None)
    if page is None or dry_run or request.profile.name or request.back_offset != ORIGIN:
        yield say("build.actual_size")
    else:
        yield say("build.first_both" if page["pages"] > 1 else "build.first_front", file=page["path"])
        yield say("build.then")


def _change_report(chosen: OpenSet, request: BuildRequest) -> list[str]:
    """Lines about what differs from the faces that were printed, in each language."""
    from ppgen.review.set_comparison import describe_changes

    say, lines = interface_texts(), []
    assert chosen.selection
    for lang in request.langs:
        changes = chosen.selection.changes(chosen.workshop.texts(lang))
        parts = chosen.workshop.game.parts(chosen.workshop.texts(lang), chosen.card_size)
        everything = sum(piece.copies for part in parts for piece in part.components)
        pieces = say.count("printed.pieces", sum(change.to_print for change in changes))
        lines += [say("printed.changed", pieces=pieces, all=everything), *describe_changes(changes)]
    return [*lines, say("printed.hint")]


def _language_note(say: Texts, request: BuildRequest, chosen: OpenSet) -> str:
    """A line about the language of the set, if neither the user nor the locale chose it; empty if there is no other."""
    (lang,) = request.langs
    others = [other for other in chosen.known_langs if other != lang]
    if lang in preferred_languages() or not others:
        return ""
    return say("build.language", language=chosen.workshop.texts(lang)("language.name"), others=join_names(others))


def _askew_warnings(request: BuildRequest) -> tuple[Problem, ...]:
    """Warn of a back rotation larger than any drift."""
    angle = request.back_rotation
    return (Problem("--back-rotation", Phrase("askew", angle=f"{angle:g}"), Phrase("askew_try")),
            ) if abs(angle) >= LARGEST_DRIFT else ()


def _landscape_warnings(manifests: tuple[Json, ...], request: BuildRequest) -> tuple[Problem, ...]:
    """Warn of back offsets on landscape pages, which printers rotate left or right; calibration is portrait."""
    x, y = request.back_offset.x, request.back_offset.y
    left, right = f"{-y:g},{x:g}", f"{y:g},{-x:g}"
    return tuple(Problem(file["path"], Phrase("landscape"), Phrase("landscape_try", first=left, second=right),
                         key="--back-offset")
                 for file in manifest_files(manifests)
                 if request.back_offset != ORIGIN and file["layout"]["orientation"] == "landscape"
                 and any(side["side"] == "back" and side["placements"] for side in file["sides"]))


def margin_warnings(request: BuildRequest, built: BuiltSet) -> Iterator[Problem]:
    """Warn of margins that some printers can't print: the requested one, or each narrowed one with its gain."""
    def warning(place: str, margin: float, remedy: str) -> Problem:
        return Problem(place, Phrase("edge", margin=f"{margin:g}"), remedy)

    if request.margin is not None and request.margin < SAFE_MARGIN_MM:
        yield warning("--margin", request.margin, Phrase("check_marks"))
    for file in built.narrow_margins:
        wide = f"{file.wide_margin:g}"
        yield warning(file.path, file.margin,
                      Phrase("check_marks_or_margin", margin=wide, wide=file.wide_sheets, sheets=file.sheets)
                      if file.wide_sheets > file.sheets else Phrase("check_marks_or_fold", margin=wide))
