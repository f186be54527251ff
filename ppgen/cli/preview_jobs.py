"""Actions of the page of ``ppgen preview --serve``: other looks, and the commands that it runs.

A page chooses among values that are listed here. Its jobs are commands (:mod:`ppgen.preview.child_jobs`).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import Any

import click

from ppgen.cli.messages import find_translation, format_problems, interface_texts, page_texts
from ppgen.cli.preview_options import PreviewOptions, reader
from ppgen.cli.print_options import open_set, record_file, typed_options
from ppgen.engine.imposition.sheets import Backs
from ppgen.errors import InputError, Problem, Problems
from ppgen.preview.album import Redrawer
from ppgen.preview.child_jobs import Choices, Job, JobRunner
from ppgen.preview.page_looks import PageView, Workbench, describe_problems
from ppgen.production.manifest import manifest_files
from ppgen.production.request import INKS
from ppgen.reading.wall import start_wall

PAPERS = ("a4", "letter", "a3")
PAGE = "open."
"""The keys of the page's texts begin so."""


def open_workbench(options: PreviewOptions) -> Workbench:
    """Return what the page may do with the set of these options. Call it before any thread starts."""
    start_wall()
    context = click.get_current_context()

    choices: dict[str, Sequence[str]] = {}

    def list_choices() -> Mapping[str, Sequence[str]]:
        with context.scope(cleanup=False), suppress(Exception):  # reported with the look
            choices.update(_list_choices(options))
        return choices

    def redrawer(view: PageView) -> Redrawer:
        with context.scope(cleanup=False):
            return Redrawer(reader(_options_of(options, view)))

    def states(view: PageView) -> Mapping[str, Sequence[str]]:
        with context.scope(cleanup=False):
            return _list_states(_options_of(options, view))

    say = page_texts()
    words = {key.removeprefix(PAGE): text for key, text in say.words.items() if key.startswith(PAGE)}
    bench = Workbench(choices=list_choices, states=states, redrawer=redrawer, words={**words, "lang": say.lang},
                      translate=find_translation)
    if options.read_only:
        return bench
    return replace(bench, jobs=JobRunner(page_jobs(options, context)), folder=options.data, follow=options.follow)


def _options_of(options: PreviewOptions, view: PageView) -> PreviewOptions:
    """The options with the look of a page; empty values leave them as they are."""
    settings = {**options.settings, "ink": view.ink or options.settings["ink"], "skin": view.skin, "changed": False}
    return replace(options, settings=settings, langs=(view.lang,) if view.lang else options.langs,
                   card_size=view.size or options.card_size)


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

FLAGS = {"size": "--card-size", "ids": "--only"}
"""Options of choices that have another name."""


def page_jobs(options: PreviewOptions, context: click.Context) -> Mapping[str, Job]:
    """The commands that the page can run, with those options of the command line that they have, too."""
    from ppgen.cli.build import build_command
    from ppgen.cli.check import check_command
    from ppgen.cli.export_commands import table_command
    from ppgen.cli.printed import printed_command

    def command(words: str, kind: click.Command, names: str) -> Callable[[Choices], Sequence[str]]:
        def arguments(choices: Choices) -> Sequence[str]:
            given = {FLAGS.get(name, f"--{name}"): choices[name].split() if name == "ids" else [choices[name]]
                     for name in names.split() if name in choices}
            typed = typed_options(context, kind, without=(*given, "--changed", "--quiet", "--open", "--json"))
            changed = ["--changed"] if choices.get("only") == "changed" else []
            return [*words.split(), "--json", *typed, *changed,
                    *(f"{flag}={value}" for flag, values in given.items() for value in values)]

        return arguments

    def describe_files(_: Choices, manifests: Any, lines: Sequence[str]) -> Mapping[str, Any]:
        entries = manifest_files(manifests)
        folder = Path(entries[0]["path"]).parent.parent
        known: set[str] = set()
        with context.scope(cleanup=False), suppress(InputError):
            known |= set(format_problems(open_set(options).workshop.warnings, ()))  # from the look
        return {"files": [{"path": entry["path"], "name": entry["path"].rpartition("/")[2], "part": entry["part"],
                           "pages": entry["pages"], "sheets": entry["sheets"],
                           "bytes": Path(entry["path"]).stat().st_size} for entry in entries],
                "folder": str(folder if folder.is_absolute() else Path.cwd().name / folder),
                "notes": [line for line in lines if line not in known]}

    def group_findings(_: Choices, report: Any, lines: Sequence[str]) -> Mapping[str, Any]:
        problems, warnings = ([Problem(**{**entry, "others": tuple(entry["others"])}) for entry in report[level]]
                              for level in ("problems", "warnings"))
        return {"problems": describe_problems(find_translation, problems, warnings)}

    build = command("build", build_command, "lang ink skin size paper backs printer ids")
    printed = command("printed", printed_command, "lang ink skin size ids")
    table = command("export table", table_command, "lang ink skin size")
    return {"make": Job(build, describe_files), "printed": Job(printed, lambda *_: {}),
            "check": Job(command("check", check_command, "lang skin"), group_findings, codes=(0, 1, 2)),
            "playtest": Job(table, lambda _, exports, lines: {
                "files": [file for export in exports for file in export["files"]]}),
            "printer": Job(_printer_arguments, lambda choices, *_: {"name": choices["name"]}, has_json=False)}


def _printer_arguments(choices: Choices) -> Sequence[str]:
    """The command that saves the profile of a printer. Raises InputError with the name of each wrong field."""
    from ppgen.cli.printer import answer_error
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
    pairs = {"a": ("a-x", "a-y"), "b": ("b-x", "b-y"), "rulers": (ACROSS, DOWN)}
    return ["printer", "save", name, "--quiet",
            *(f"--{flag}={numbers[x]:g},{numbers[y]:g}" for flag, (x, y) in pairs.items())]
