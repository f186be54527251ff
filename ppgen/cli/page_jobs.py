"""The set of ``ppgen open``, and what its page can do with it: other looks, and commands.

A page chooses among values that are listed here. Its jobs are commands (:mod:`ppgen.pages.local_server`).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

import click

from ppgen.assets import Assets
from ppgen.cli.build import build_command, printed_command
from ppgen.cli.messages import find_translation, format_problems, help_texts, interface_texts, own_page_words
from ppgen.cli.print_options import OpenSet, SetOptions, open_set, record_file, selection_of, typed_options
from ppgen.engine.geometry import INCH
from ppgen.engine.imposition.sheets import Backs, Marks
from ppgen.errors import InputError, Phrase, Problem, Problems, RequestError
from ppgen.games.catalogue import CHOICES, game_names
from ppgen.pages.local_server import Choices, Job, JobRunner, PageServer
from ppgen.pages.open.album import Redrawer
from ppgen.pages.open.page_looks import PageView, PictureRenderer, Workbench, describe_problems
from ppgen.printing.manifest import manifest_files
from ppgen.printing.request import INKS, OPTIONS, BuildRequest
from ppgen.printing.workshop import PrintRun, Workshop
from ppgen.process.supervision import renew_time, start_supervision
from ppgen.records import dataclass, field, fields, replace
from ppgen.review.set_comparison import CHANGED, NEW, face_digest

PAPERS = ("a4", "letter", "a3")


@dataclass(frozen=True, slots=True, kw_only=True)
class PrintDefaults:
    """The options that ``ppgen build`` would have here; the page begins with them. ``context`` is that of the build."""

    context: click.Context
    options: SetOptions
    last: list[OpenSet] = field(default_factory=list)  # the set with these options as it was read last, once it was

    @classmethod
    def of(cls, opened: click.Context, preset: str = "") -> PrintDefaults:
        """Those of ppgen.toml, of an ``opened`` command that ``ppgen build`` has, too, and of a preset."""
        typed = [*typed_options(opened, build_command, without=()), *(["--preset", preset] * bool(preset))]
        context = build_command.make_context("build", typed, parent=opened.parent)
        known = {*OPTIONS, *(choice.name for choice in CHOICES), *(each.name for each in fields(SetOptions))}
        values = {name: value for name, value in context.params.items() if name in known}
        return cls(context=context, options=SetOptions.take({**values, "changed": False}))

    def reader(self, view: PageView | None = None) -> Callable[[], tuple[Workshop, BuildRequest]]:
        """A function that reads the set again, in the look of a page if there is one; it raises InputError."""
        options = self.options_of(view) if view else self.options

        def read() -> tuple[Workshop, BuildRequest]:
            renew_time()
            with self.context.scope(cleanup=False):  # another look is drawn by a thread of the page's server
                try:
                    chosen = open_set(options)
                    if view is None:
                        self.last[:] = [chosen]
                    return chosen.workshop, chosen.request
                except click.BadParameter as error:
                    option = str(error.param_hint or "option").strip("'")
                    raise RequestError.at(option, error.message) from error

        return read

    def options_of(self, view: PageView) -> SetOptions:
        """The options with the look of a page; empty values leave them as they are."""
        options = self.options
        settings = {**options.settings, "ink": view.ink or options.settings["ink"], "skin": view.skin}
        return replace(options, settings=settings, langs=(view.lang,) if view.lang else options.langs,
                       card_size=view.size or options.card_size)


def _exports() -> Mapping[str, click.Command]:
    """The exports that the page offers; of the table it makes a button of its own."""
    from ppgen.cli import export

    others = (export.export_group, export.table_command, export.scorer_command, export.site_command)
    return {str(each.name): each for each in vars(export).values()
            if isinstance(each, click.Command) and each not in others}


def open_workbench(defaults: PrintDefaults, follow: Path | None, read_only: bool) -> Workbench:
    """Return what the page may do with the set. Call it before any thread starts."""
    start_supervision()
    choices: dict[str, Sequence[str]] = {}

    def list_choices() -> Mapping[str, Sequence[str]]:
        with defaults.context.scope(cleanup=False), suppress(Exception):  # reported with the look
            choices.update(_list_choices(defaults.options, defaults.last[0]))
        return choices

    def states(view: PageView) -> Mapping[str, Sequence[str]]:
        with defaults.context.scope(cleanup=False):
            return next((_list_states(defaults.options_of(view), last.workshop) for last in defaults.last), {})

    of_help = help_texts()
    words = {**own_page_words(), "exports": of_help("commands.export"),
             **{f"export_{name}": of_help(f"commands.export-{name}") for name in _exports()}}
    bench = Workbench(choices=list_choices, states=states, redrawer=lambda view: Redrawer(defaults.reader(view)),
                      words=words, translate=find_translation)
    if read_only:
        return bench
    return replace(bench, jobs=JobRunner(page_jobs(defaults)), folder=defaults.options.data, follow=follow)


def _list_choices(options: SetOptions, chosen: OpenSet) -> dict[str, tuple[str, ...]]:
    """The values that a page may choose; the first of each is the default."""
    from ppgen.printing.calibration import load_profiles

    settings, assets = options.settings, chosen.workshop.assets
    size = options.card_size or chosen.request.card_size.name

    def first(value: object, others: Sequence[str]) -> tuple[str, ...]:
        return tuple(dict.fromkeys((str(value), *others)))

    return {"lang": first(chosen.request.langs[0], chosen.known_langs), "ink": first(settings["ink"], INKS),
            "skin": first(settings["skin"], ("", *assets.skins)), "size": first(size, tuple(chosen.formats.sizes)),
            "paper": first(options.papers[0], PAPERS), "backs": first(settings["backs"], tuple(Backs)),
            "marks": first(settings["marks"], tuple(Marks)),
            "margin": ("" if settings["margin"] is None else f"{settings['margin']:g}mm",),  # any other may be typed
            "printer": first(options.printer, ("", *sorted(load_profiles()))), "target": tuple(_exports())}


def _list_states(options: SetOptions, opened: Workshop) -> dict[str, tuple[str, ...]]:
    """The pieces that are new or changed since they were printed; empty without a record. Raises InputError."""
    file = record_file(opened)
    if not file.is_file():
        return {}
    chosen = open_set(options, replace(opened, picker=None))
    texts = chosen.workshop.texts(chosen.request.langs[0])
    changes = selection_of(chosen.workshop, options, chosen.request.card_size, file).changes(texts)
    return {CHANGED: tuple(each.piece.id for each in changes if each.to_print),
            NEW: tuple(each.piece.id for each in changes if not each.old)}


# --- Jobs ---

FLAGS = {"size": "--card-size", "ids": "--only"}  # options of choices that have another name
NOT_FOR_JOBS = "--changed", "--quiet", "--open", "--json", "--preset"  # of `ppgen build`: a job chooses them


def page_jobs(defaults: PrintDefaults) -> Mapping[str, Job]:
    """The commands that the page can run, with those of the default options that they have, too."""
    from ppgen.cli.check import check_command
    from ppgen.cli.export import table_command

    def command(words: str, kind: click.Command, names: str) -> Callable[[Choices], Sequence[str]]:
        def arguments(choices: Choices) -> Sequence[str]:
            flags = {FLAGS.get(name, f"--{name}"): choices[name] for name in names.split() if name in choices}
            lists = {"--only": flags.get("--only", "").split(), "--margin": [*filter(None, [flags.get("--margin")])]}
            given = {flag: lists.get(flag, [value]) for flag, value in flags.items()
                     if any(flag in each.opts for each in kind.params)}
            other = ["--bleed"] if kind.name == "png" else []  # of pictures: that of a build is for its sheets
            typed = typed_options(defaults.context, kind, without=(*given, *NOT_FOR_JOBS, *other))
            changed = ["--changed"] if choices.get("only") == "changed" else []
            return [*words.split(), "--json", *typed, *changed,
                    *(f"{flag}={value}" for flag, values in given.items() for value in values)]

        return arguments

    def describe_output(folder: Path, lines: Sequence[str]) -> Mapping[str, Any]:
        with defaults.context.scope(cleanup=False):  # the page shows these with the look
            known = {line for last in defaults.last for line in format_problems(last.workshop.warnings, ())}
        return {"folder": str(folder if folder.is_absolute() else Path.cwd().name / folder),
                "notes": [line for line in lines if line not in known]}

    def describe_files(_: Choices, manifests: Any, lines: Sequence[str]) -> Mapping[str, Any]:
        entries = manifest_files(manifests)
        return {"files": [{"path": entry["path"], "name": entry["path"].rpartition("/")[2], "part": entry["part"],
                           "pages": entry["pages"], "sheets": entry["sheets"],
                           "bytes": Path(entry["path"]).stat().st_size} for entry in entries],
                **describe_output(Path(entries[0]["path"]).parent.parent, lines)}

    def describe_export(_: Choices, manifests: Any, lines: Sequence[str]) -> Mapping[str, Any]:
        paths = [entry["path"] for entry in manifest_files(manifests)]
        return {"files": [{"path": path} for path in paths],
                **describe_output(Path(paths[0]).parent if paths else defaults.options.output, lines)}

    def group_findings(_: Choices, report: Any, lines: Sequence[str]) -> Mapping[str, Any]:
        problems, warnings = ([Problem(**{**entry, "others": tuple(entry["others"])}) for entry in report[level]]
                              for level in ("problems", "warnings"))
        return {"problems": describe_problems(find_translation, problems, warnings)}

    chosen = "lang ink skin size paper backs printer marks margin ids"
    build = command("build", build_command, chosen)
    exports = {name: command(f"export {name}", kind, chosen) for name, kind in _exports().items()}
    printed = command("printed", printed_command, "lang ink skin size ids")
    table = command("export table", table_command, "lang ink skin size")
    return {"make": Job(build, describe_files),
            "export": Job(lambda choices: exports[choices.get("target", "png")](choices), describe_export),
            "printed": Job(printed, lambda *_: {}),
            "check": Job(command("check", check_command, "lang skin"), group_findings, codes=(0, 1, 2)),
            "playtest": Job(table, lambda _, exports, lines: {
                "files": [file for export in exports for file in export["files"]]}),
            "printer": Job(_printer_arguments, _describe_printer, has_json=False)}


def _describe_printer(choices: Choices, *_: object) -> Mapping[str, Any]:
    """The name of the profile that was saved, and the doubt in its readings, if any."""
    from ppgen.cli.printer import askew_text
    from ppgen.printing.calibration import load_profiles

    name = choices["name"]
    return {"name": name, "doubt": askew_text(interface_texts(), load_profiles()[name].back_rotation)}


def _printer_arguments(choices: Choices) -> Sequence[str]:
    """The command that saves the profile of a printer. Raises InputError with the name of each wrong field."""
    from ppgen.cli.printer import answer_error
    from ppgen.printing.calibration import ACROSS, DOWN, PRINTER_NAME, QUESTIONS, read_number

    problems, name, say = Problems(), choices.get("name", ""), interface_texts()
    if not PRINTER_NAME.fullmatch(name):
        problems.note("name", Phrase("printer_name", text=name))
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


# --- Page to start from ---

FACE_SIDE_PX = 340  # pixels of the longer side of a first face


def draw_first_face(defaults: PrintDefaults, number: int) -> bytes:
    """Draw a WebP picture of one of three of the first faces of a set. Raises InputError."""
    workshop, request = defaults.reader()()
    run = PrintRun(request, workshop, workshop.texts(request.langs[0]), request.papers[0])
    parts = run.parts().parts
    pieces = [piece for part in parts for piece in part.components]
    place = number * max(1, len(parts[0].components) // 3)
    if place >= len(pieces):
        raise InputError.at("deck", "has fewer pieces")
    piece = pieces[place]
    _, asked = next(iter(piece.faces()))
    face = run.studio.draw(asked, 0.0, piece.id)
    renderer = PictureRenderer()
    renderer.add_faces([face], workshop.fonts)
    return renderer.picture(face_digest(face), FACE_SIDE_PX / max(face.size.width, face.size.height) * INCH)


def open_scorer() -> PageServer:
    """Serve the page that counts the points of the shipped games to phones at home. Raises InputError."""
    from ppgen.pages.single_pages import page_name, scorer_page  # slow import

    assets = Assets.at()
    workshops = [Workshop.open(assets, "", name) for name in game_names(assets)]
    return PageServer(scorer_page(workshops, "").encode(), name=page_name(workshops))
