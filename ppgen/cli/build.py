"""``ppgen build``, and what was printed: ``printed`` and ``compare``."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import click

from ppgen.assets import Assets, is_deck
from ppgen.cli.command_group import Command, print_json, progress, warn
from ppgen.cli.messages import interface_texts, preferred_languages, usual_option
from ppgen.cli.options import json_option, open_on_desktop, open_option, quiet_option
from ppgen.cli.print_options import (OpenSet, PresetCommand, SetOptions, delivery_options, only_option, open_set,
                                     paper_option, pass_set, preset_option, record_file, selection_of, set_options,
                                     sheet_options)
from ppgen.cli.printer import askew_warnings
from ppgen.engine.geometry import ORIGIN
from ppgen.errors import (InputError, NothingToDoError, Phrase, Problem, RequestError, display_path, join_names,
                          merge_files, to_one_line)
from ppgen.printing.manifest import Json, manifest_files
from ppgen.printing.request import (CALIBRATION, RULES, SAFE_MARGIN_MM, BuildRequest, OutputKind, expand_names,
                                    select_parts, stem_words)
from ppgen.process.file_writing import BuiltFile, write_files
from ppgen.process.system import report_step
from ppgen.reading.texts import Texts
from ppgen.records import replace

if TYPE_CHECKING:
    from ppgen.engine.booklets.booklet_pdf import ProofWords
    from ppgen.printing.set_build import BuiltSet
    from ppgen.printing.workshop import Workshop
    from ppgen.review.set_comparison import PieceSelection, Record


# --- ppgen build ---
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
    request = chosen.request
    report = [*_change_report(chosen)] if request.changed and not options.quiet else ()
    with progress(options.quiet) as watch:
        built = build_set(request, chosen.workshop, watch)
    warn((*built.warnings, *askew_warnings(request.back_rotation),
          *merge_files(_landscape_warnings(built.manifests, request))),
         options.quiet)
    if not options.dry_run:
        write_files(options.output, built.files)
    if options.as_json:
        print_json(built.manifests)
    elif not options.quiet:
        say = interface_texts()
        for file in manifest_files(built.manifests):
            medium = say.count("build.sheets", file["sheets"]) if file["sheets"] else say("build.screen")
            extent = say("results.list", first=say.count("build.pages", file["pages"]), last=medium)
            click.echo(f"{file['path']}  {extent}")
        for line in (*_summary(say, request, built, options.dry_run), *report, *_language_note(say, options, chosen)):
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


def _change_report(chosen: OpenSet) -> Iterator[str]:
    """Lines about what differs from the faces that were printed, in each language."""
    from ppgen.review.set_comparison import describe_changes

    say = interface_texts()
    assert chosen.selection
    for lang in chosen.request.langs:
        changes = chosen.selection.changes(chosen.workshop.texts(lang))
        parts = chosen.workshop.game.parts(chosen.workshop.texts(lang), chosen.request.card_size)
        everything = sum(piece.copies for part in parts for piece in part.components)
        pieces = say.count("printed.pieces", sum(change.to_print for change in changes))
        yield say("printed.changed", pieces=pieces, all=everything)
        yield from describe_changes(changes)
    yield say("printed.hint")


def _language_note(say: Texts, options: SetOptions, chosen: OpenSet) -> Iterator[str]:
    """A line about the language of the set, if neither the user nor the locale chose it, and there are others."""
    first, others = chosen.request.langs[0], [lang for lang in chosen.known_langs if lang not in chosen.request.langs]
    if others and not options.langs and first not in preferred_languages():
        language = chosen.workshop.texts(first)("language.name")
        yield say("build.language", language=language, others=join_names(others))


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


# --- ppgen printed ---
@click.command("printed", cls=Command)
@set_options(OutputKind.FACES)
@only_option()
@usual_option("--list", "list_all", is_flag=True)
@usual_option("--forget", is_flag=True)
@quiet_option
@json_option
@pass_set()
def printed_command(options: SetOptions, list_all: bool, forget: bool) -> None:
    """With --changed, the commands build and export then take only what looks different; compare lists it. A deck of
    your own keeps this in its folder, in printed/printed.json.

    \b
    ppgen build
    ppgen printed
    ppgen build --changed
    ppgen printed
    ppgen printed --only dragon
    """

    if list_all and forget:
        raise RequestError.at("--forget", "forgets what --list shows", "leave out one of them")
    file, record = update_record(options, list_all, forget)
    if list_all and not record and not options.as_json:
        raise NothingToDoError.at(display_path(file), Phrase("none_printed"), Phrase("run_printed"))
    say = interface_texts()
    if options.as_json:
        print_json({"file": display_path(file), "printed": [
            {"lang": variant.lang, "card_size": variant.card_size, "ink": variant.ink, "skin": variant.skin,
             "pieces": {id: piece.copies for id, piece in looks.items()}} for variant, looks in record.items()]})
    elif not options.quiet:
        for variant, looks in record.items():
            pieces = say.count("printed.pieces", sum(piece.copies for piece in looks.values()))
            click.echo(f"{to_one_line(str(variant))}  {pieces}")
        click.echo(say("printed.forgotten" if forget else "printed.kept", file=display_path(file)), err=True)


def update_record(options: SetOptions, list_all: bool, forget: bool) -> tuple[Path, Record]:
    """Do what the options ask for; return the file of the record, and the record. Raises InputError."""
    from ppgen.review.set_comparison import draw_looks, dump_record, read_record

    chosen = open_set(options)
    workshop, request = chosen.workshop, chosen.request
    file = record_file(workshop)
    record = {} if forget else read_record(file)
    if not list_all and not forget:
        report_step("remembering", 0, 0)
        selection = chosen.selection or selection_of(workshop, options, request.card_size, file)
        wanted = expand_names(request.parts, workshop.game.groups)
        for lang in request.langs:
            texts = workshop.texts(lang)
            parts = workshop.narrow(select_parts(workshop.game.parts(texts, request.card_size), wanted), texts)
            looks = draw_looks(workshop, texts, parts, request.ink)
            ids = {name for part in parts for name in (part.name, *looks)}
            if unknown := [name for name in wanted if name not in ids]:
                raise RequestError(Problem("--only", f"there is no part or piece '{name}' to remember",
                                           Phrase("see_list")) for name in unknown)
            variant = selection.variant(lang)
            others = record.get(variant, {}) if wanted or workshop.picker else {}  # what was printed before
            record[variant] = {**others, **looks}
    if not list_all:
        content = dump_record(file.parent, record)
        if forget and not file.is_file():
            raise InputError.at(display_path(file), Phrase("none_printed"))
        write_files(file.parent, [] if forget else [content], [file] if forget else [])
    return file, record


# --- ppgen compare ---
@click.command("compare", cls=Command)
@set_options(OutputKind.FACES)
@only_option()
@usual_option("--with", "other", type=click.Path(path_type=Path), metavar="FOLDER|FILE")
@paper_option("a4")
@delivery_options
@pass_set()
def compare_command(options: SetOptions, other: Path | None) -> None:
    """Lists what looks different since it was printed, and the changed cells. With another copy of the deck, also shows
    old and new faces side by side, as PDF in OUTPUT/LANG/.

    \b
    ppgen compare
    ppgen compare --with ../goblins-0.3
    ppgen compare --only cards --json
    """
    from ppgen.review.set_comparison import describe_changes, proof_sheet

    chosen = open_set(options)
    request = chosen.request
    selection = _selection(options, other, chosen)
    say, files, documents = interface_texts(), [], []
    with_words = ("with", re.sub(r"\W+", "-", other.resolve().name).strip("-") or "folder") if other else ()
    for lang in request.langs:
        texts = chosen.workshop.texts(lang)
        changes = selection.select_changes(texts, expand_names(request.parts, chosen.workshop.game.groups))
        counts = {"changed": sum(bool(each.old and each.new) for each in changes),
                  "added": sum(not each.old for each in changes), "removed": sum(not each.new for each in changes)}
        document: Json = {"game": chosen.workshop.game.id, "lang": lang, "changes": [each.entry for each in changes]}
        for paper in request.papers if changes and selection.other else ():
            name = request.stem("compare", paper, OutputKind.FACES, *with_words, *stem_words(request.parts))
            path = f"{lang}/{name}.pdf"
            content = proof_sheet(changes, _words(texts, say, say("printed.summary", **counts), chosen.workshop),
                                  {"new": say("printed.new"), "gone": say("printed.gone"), "back": say("sheet.back")},
                                  paper.size, chosen.workshop.fonts.folder)
            files.append(BuiltFile(path=path, content=content))
        documents.append({**document, "files": [f"{request.folder}/{file.path}" for file in files
                                                if file.path.startswith(f"{lang}/")]})
        if not options.as_json and not options.quiet:
            if len(request.langs) > 1:
                click.echo(f"{texts('language.name')}:")
            for line in describe_changes(changes):
                click.echo(line)
            click.echo(say("printed.summary", **counts) if changes else say("printed.same"), err=True)
            if changes and not selection.other:
                click.echo(say("printed.pictures"), err=True)
    if not options.dry_run:
        write_files(options.output, files)
    if options.as_json:
        print_json(documents)
    elif not options.quiet:
        for file in files:
            click.echo(f"{request.folder}/{file.path}")


def _selection(options: SetOptions, record: Path | None, chosen: OpenSet) -> PieceSelection:
    """The selection of the other options, compared with what ``--with`` names."""
    from ppgen.printing.workshop import Workshop
    from ppgen.review.set_comparison import RECORD_FILE

    other = None
    if record and (record / RECORD_FILE).is_file():
        record = record / RECORD_FILE
    elif record and not record.is_file():
        inner = record if is_deck(record) or not (record / "data").is_dir() else record / "data"
        templates = record / "templates" if (record / "templates").is_dir() else options.templates
        other = Workshop.open(Assets.at(inner, templates), options.settings["skin"], options.game, options.choices)
    workshop = replace(chosen.workshop, picker=None)
    record = record or record_file(workshop)
    return replace(selection_of(workshop, options, chosen.request.card_size, record), other=other)


def _words(texts: Texts, say: Texts, summary: str, workshop: Workshop) -> ProofWords:
    from ppgen.engine.booklets.booklet_pdf import ProofWords

    families = {style: [*dict.fromkeys(font.family for font in workshop.fonts.styles[style])]
                for style in ("text", "title")}
    title = " ".join(filter(None, (texts("game.title"), workshop.game.version)))
    return ProofWords(title=f"{title}: {say('printed.title')}", about=texts("language.name"), summary=summary,
                      before=say("printed.before"), now=say("printed.now"), lang=texts.lang.partition("-")[0],
                      fonts=families)
