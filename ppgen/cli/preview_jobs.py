"""Actions of the page of ``ppgen preview --serve``: other looks, builds, checks, and the profile of a printer.

A page chooses among values that are listed here. Jobs run in a child process (:mod:`ppgen.preview.child_jobs`).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import fields, replace
from itertools import count
from pathlib import Path
from typing import Any

import click

from ppgen.cli.messages import format_problem, interface_texts, page_sentences, translate
from ppgen.cli.preview_options import PreviewOptions, reader
from ppgen.cli.print_options import OpenSet, SetOptions, build_request, open_set, record_file
from ppgen.engine.geometry import Point
from ppgen.engine.imposition.sheets import Backs
from ppgen.errors import InputError, Problem, Problems
from ppgen.preview.album import Redrawer
from ppgen.preview.child_jobs import JobRunner, Report
from ppgen.preview.page_looks import PageView, Workbench
from ppgen.production.request import INKS
from ppgen.reading.wall import start_wall

Choices = Mapping[str, str]
PAPERS = ("a4", "letter", "a3")


def open_workbench(options: PreviewOptions) -> Workbench:
    """Return what the page may do with the set of these options. Call it before any thread starts."""
    start_wall()
    context = click.get_current_context()

    def do(job: Callable[[PreviewOptions, Choices, Report], Mapping[str, Any]]) -> Any:
        def run(choices: Choices, report: Report) -> Mapping[str, Any]:
            with context.scope(cleanup=False):
                return job(options, choices, report)

        return run

    choices: dict[str, Sequence[str]] = {}

    def list_choices() -> Mapping[str, Sequence[str]]:
        with context.scope(cleanup=False), suppress(Exception):  # reported with the look
            choices.update(_list_choices(options))
        return choices

    def redrawer(view: PageView) -> Redrawer:
        with context.scope(cleanup=False):
            return Redrawer(reader(_options_of(options, _of_view(view))))

    def states(view: PageView) -> Mapping[str, Sequence[str]]:
        with context.scope(cleanup=False):
            return _list_states(_options_of(options, _of_view(view)))

    if options.read_only:
        return Workbench(choices=list_choices, states=states, redrawer=redrawer, sentences=page_sentences())
    jobs = JobRunner({"make": do(_make), "printed": do(_remember), "check": do(_check), "printer": do(_save_printer),
                      "playtest": do(_make_table)})
    return Workbench(choices=list_choices, states=states, redrawer=redrawer, jobs=jobs, folder=options.data,
                     follow=options.follow, sentences=page_sentences())


def _of_view(view: PageView) -> Choices:
    return {"lang": view.lang, "ink": view.ink, "skin": view.skin, "size": view.size}


def _options_of(options: PreviewOptions, choices: Choices, **changes: Any) -> PreviewOptions:
    """The options with the choices of a page; empty ones leave them as they are."""
    names = ("ink", "skin", "backs")
    settings = {**options.settings, **{name: choices[name] for name in names if choices.get(name)}}
    settings = {**settings, "skin": choices.get("skin", settings["skin"]), "backs": Backs(settings["backs"])}
    settings["changed"] = choices.get("only") == "changed"
    if choices.get("ids"):
        changes["only"] = tuple(choices["ids"].split())
    return replace(options, settings=settings, langs=(choices["lang"],) if choices.get("lang") else options.langs,
                   card_size=choices.get("size") or options.card_size,
                   papers=(choices["paper"],) if choices.get("paper") else options.papers,
                   printer=choices.get("printer") or options.printer, **changes)


def _list_choices(options: PreviewOptions) -> dict[str, tuple[str, ...]]:
    """The values that a page may choose; the first of each is that of the command line."""
    from ppgen.cli.printer_profiles import load_profiles

    chosen = open_set(options)
    settings, assets = options.settings, chosen.workshop.assets
    size = options.card_size or chosen.card_size.name

    def first(value: object, others: Sequence[str]) -> tuple[str, ...]:
        return tuple(dict.fromkeys((str(value), *others)))

    return {"lang": first(chosen.langs[0], chosen.known_langs), "ink": first(settings["ink"], INKS),
            "skin": first(settings["skin"], ("", *assets.skins)), "size": first(size, tuple(chosen.formats.sizes)),
            "paper": first(options.papers[0], PAPERS), "backs": first(settings["backs"], tuple(Backs)),
            "printer": first(options.printer or "", ("", *sorted(load_profiles())))}


def _list_states(options: PreviewOptions) -> dict[str, tuple[str, ...]]:
    """The pieces that are new or changed since they were printed; empty without a record. Raises InputError."""
    from ppgen.production.piece_selection import CHANGED, NEW, PieceSelection

    chosen = open_set(options)
    file = record_file(chosen.workshop)
    if not file.is_file():
        return {}
    selection = PieceSelection(workshop=chosen.workshop, where=None, changed=False, card_size=chosen.card_size,
                               ink=options.settings["ink"], skin=options.settings["skin"], record=file)
    changes = selection.changes(chosen.workshop.texts(chosen.langs[0]))
    return {CHANGED: tuple(each.piece.id for each in changes if each.to_print),
            NEW: tuple(each.piece.id for each in changes if not each.old)}


# Jobs

def _make(options: PreviewOptions, choices: Choices, report: Report) -> Mapping[str, Any]:
    """Make the PDFs, as ``ppgen build`` does, in the usual folder."""
    from ppgen.cli.build import margin_warnings
    from ppgen.process.file_writing import write_files
    from ppgen.production.manifest import manifest_files
    from ppgen.production.set_build import build_set

    report("Reading the deck …", 0, 0)
    wanted = _options_of(options, choices, names=())
    chosen = _open(wanted)
    request = build_request(wanted, chosen)
    report("Drawing the faces …", 0, 0)
    built = build_set(request, chosen.workshop, report)
    write_files(options.output, built.files)
    sizes = {f"{request.folder}/{file.path}": len(file.content) for file in built.files}
    files = [{"path": entry["path"], "name": entry["path"].rpartition("/")[2], "part": entry["part"],
              "pages": entry["pages"], "sheets": entry["sheets"], "bytes": sizes.get(entry["path"], 0)}
             for entry in manifest_files(built.manifests)]
    known = chosen.workshop.warnings  # from the look
    notes = [format_problem(each) for each in built.warnings if each not in known]
    notes += [f"{translate(each.what)} ({translate(each.remedy)})" for each in margin_warnings(request, built)]
    folder = Path(request.folder)
    return {"files": files, "folder": str(folder if folder.is_absolute() else Path.cwd().name / folder), "notes": notes}


def _make_table(options: PreviewOptions, choices: Choices, report: Report) -> Mapping[str, Any]:
    """Make the table to play on, as ``ppgen export table`` does."""
    from ppgen.cli.export_commands import export_request
    from ppgen.export.table_page import export_table
    from ppgen.process.file_writing import write_files

    report("Drawing the faces …", 0, 0)
    wanted = _options_of(options, choices)
    chosen = _open(wanted)
    files = [exported.file for export in export_table(chosen.workshop, export_request(wanted, chosen))
             for exported in export.files(lambda *_: None)]
    write_files(options.output, files)
    return {"files": [{"path": str(options.output / file.path)} for file in files]}


def _open(options: SetOptions) -> OpenSet:
    try:
        return open_set(options)
    except click.BadParameter as error:
        raise InputError([Problem(place=str(error.param_hint or "option"), what=error.message)]) from error


def _remember(options: PreviewOptions, choices: Choices, report: Report) -> Mapping[str, Any]:
    """Remember the faces as printed, as ``ppgen printed`` does."""
    from ppgen.cli.printed import PrintedOptions, update_record

    report("Remembering the faces …", 0, 0)
    wanted = _options_of(options, choices)
    shared = {field.name: getattr(wanted, field.name) for field in fields(SetOptions)}
    file, _ = update_record(PrintedOptions(**shared, list_all=False, forget=False))
    return {"file": file.name}


def _check(options: PreviewOptions, choices: Choices, report: Report) -> Mapping[str, Any]:
    """Look for mistakes, as ``ppgen check`` does, in one language."""
    from ppgen.cli.check import looks_to_check
    from ppgen.preview.page_looks import group_problems
    from ppgen.production.set_check import check, count_steps

    chosen = _open(_options_of(options, choices))
    looks = looks_to_check(chosen.formats, chosen.workshop.game, (), False)
    done, total = count(), count_steps(chosen.langs, looks)
    findings = check(chosen.workshop, chosen.langs, looks, lambda step: report(step, next(done), total))
    return {"problems": [*group_problems(findings.problems, "error"), *group_problems(findings.warnings, "warning")]}


def _save_printer(options: PreviewOptions, choices: Choices, report: Report) -> Mapping[str, Any]:
    """Save the profile of a printer from the readings of the calibration page."""
    from ppgen.cli.printer import Readings, answer_error, save_profile
    from ppgen.production.calibration import ACROSS, DOWN, PRINTER_NAME, QUESTIONS, read_number

    problems, name, say = Problems(), choices.get("name", ""), interface_texts()
    if not PRINTER_NAME.fullmatch(name):
        problems.note("name", f"'{name}' is not a name (small letters, digits and hyphens)")
    numbers = dict.fromkeys(QUESTIONS, 0.0)
    for question in QUESTIONS:
        try:
            numbers[question] = read_number(choices.get(question, ""))
            what = answer_error(say, question, numbers[question])
        except ValueError as error:
            what = str(error)
        if what:
            problems.note(question, what)
    problems.raise_if_any()
    a, b = (Point(numbers[f"{scale}-x"], numbers[f"{scale}-y"]) for scale in "ab")
    save_profile(name, Readings(reading_a=a, reading_b=b, rulers=Point(numbers[ACROSS], numbers[DOWN])))
    return {"name": name}
