"""The build of a set: worker processes, files of parts, and the manifest."""

from __future__ import annotations

import os
import signal
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from functools import partial
from mmap import mmap
from typing import TYPE_CHECKING, TypeVar

from ppgen import __version__
from ppgen.assets import Assets
from ppgen.cache import cache_key, cached, current_store, folder_digest
from ppgen.engine.geometry import A4, ORIGIN, UNSCALED
from ppgen.engine.imposition.sheets import BookletLayout, Captions, DocumentInfo, Flip, Imposition, SheetSide, Sides
from ppgen.errors import InputError, Problem, Problems, join_names
from ppgen.games.interface import SCORE_SHEET
from ppgen.lines import format_json
from ppgen.printing.drawn_parts import (DrawnPart, cut_picture_warnings, draw_to_print, file_stem, impose_part,
                                        low_ink_warnings, markup_warnings, measure_ink, output_kind, scale_warnings,
                                        small_type_warnings)
from ppgen.printing.manifest import Json, booklet_entry, file_entry, size_entry
from ppgen.printing.request import (CALIBRATION, RULES, SAFE_MARGIN_MM, WORDS, BuildRequest, OutputKind, Profile,
                                    stem_words)
from ppgen.printing.workshop import PartSet, PrintRun, Workshop
from ppgen.process.file_writing import BuiltFile
from ppgen.process.supervision import start_supervision
from ppgen.process.system import Progress
from ppgen.records import dataclass, replace

if TYPE_CHECKING:
    from multiprocessing.connection import Connection

    from ppgen.printing.set_booklets import Edition


# --- Workers ---
# Independent jobs, run on two processors if there are two.

MAX_WORKERS = 2  # Processes at once. Each takes memory, and a set has few languages.

Result = TypeVar("Result")


def run_jobs(jobs: Sequence[Callable[[], Result]]) -> Iterator[Result]:
    """Yield the result of each job in order; a forked process runs every other one. Raises the jobs' exceptions."""
    if len(jobs) < 2 or not _may_fork():
        for job in jobs:
            yield job()
        return
    import multiprocessing  # few runs need it

    # Not an executor: its workers outlive a killed parent, and take only jobs that can be pickled.
    fork = multiprocessing.get_context("fork")
    receiver, sender = fork.Pipe(duplex=False)
    worker = fork.Process(target=_run_and_send, args=(jobs[1::2], receiver, sender))
    worker.start()
    sender.close()
    try:
        mine, theirs = [job() for job in jobs[::2]], list[Result]()
        with suppress(EOFError, OSError):  # it ended early
            theirs = receiver.recv()
        for number, job in enumerate(jobs):
            ready = theirs if number % 2 else mine
            yield ready[number // 2] if number // 2 < len(ready) else job()
    finally:
        receiver.close()
        worker.kill()
        worker.join()


class StepCounter:
    """Steps that jobs have done, counted in memory that is shared with the forked process."""

    def __init__(self, jobs: int) -> None:
        self._steps, self._parent = memoryview(mmap(-1, 4 * jobs)).cast("I"), os.getpid()

    def count(self, job: int) -> int | None:
        """Count a step of a job; return the number of all steps, or None in the forked process."""
        self._steps[job] += 1
        return sum(self._steps) if os.getpid() == self._parent else None


def _may_fork() -> bool:
    """True with two processors, unless a library with threads, which a fork would lose, is loaded."""
    count = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    return hasattr(os, "fork") and min(count, MAX_WORKERS) > 1 and "typst" not in sys.modules


def _run_and_send(jobs: Sequence[Callable[[], Result]], receiver: Connection, sender: Connection) -> None:
    """Run the jobs in the forked process. Requests to stop are for the parent process, which ends this one."""
    receiver.close()  # so that sending fails if the parent was killed
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    for name in ("SIGTERM", "SIGHUP"):
        signal.signal(getattr(signal, name), signal.SIG_DFL)
    finished: list[Result] = []
    with suppress(Exception):  # the parent runs that job again, and reports the error
        finished.extend(job() for job in jobs)
    if store := current_store():
        store.close()  # now: the parent kills this process once it has the results
    with suppress(OSError):  # the parent was killed
        sender.send(finished)


# --- Build ---

def print_part(part: DrawnPart, imposition: Imposition, run: PrintRun) -> bytes:
    """Make the PDF of a part, or find it in the cache. Raises InputError."""
    fonts, sheets, request = run.workshop.fonts, imposition.sheets, run.request
    captions, info = describe_pages(part, imposition, run)
    forms = {component.id: component.form for component in part.part.components if component.form}
    # Only pieces to cut out are scaled: the calibration page measures the printer as it is.
    printer = request.scale, request.pictures or 0.0, request.brightness

    def make() -> bytes:
        from ppgen.engine.pdf.assembly import assemble, draw_pages  # heavy: for what is not in the cache
        from ppgen.engine.pdf.typesetting import layers_pdf

        finish = None
        if forms:
            from ppgen.engine.pdf.form_fields import add_forms

            finish = partial(add_forms, sheets=sheets, forms=forms, fonts=fonts)
        return assemble(draw_pages(sheets, captions, fonts), sheets, part.faces, layers_pdf(part.distinct, fonts),
                        info, *printer, finish=finish)

    if not (digest := folder_digest(fonts.folder)):
        return make()
    numbers = {face: number for number, face in enumerate(part.distinct)}
    shown = [(*side, numbers[face]) for side, face in part.faces.items()]
    return cached(cache_key("part", digest, fonts, sheets, part.distinct, shown, forms, captions, info, printer), make)


def describe_pages(part: DrawnPart, imposition: Imposition, run: PrintRun) -> tuple[Sequence[Captions], DocumentInfo]:
    """The labels and hints of a part's pages, and its document information."""
    request, texts = run.request, run.texts
    captions, bookmarks, labels = [], [], []
    turning = {flip: texts(f"sheet.turn-{flip}") for flip in Flip}
    usual, short = texts("sheet.hint"), texts("sheet.short_hint")
    sizes = {component.size for component in part.part.components}
    size = () if part.part.is_full_page or len(sizes) > 1 else map(str, sizes)
    title = " ".join(filter(None, (texts("game.title"), run.workshop.game.version)))
    about = (title, part.part.title, texts("language.name"), run.paper.title, *size)
    for number, sheet in enumerate(imposition.sheets, 1):
        for side in sheet.sides:
            numbering = texts("sheet.number", n=number, of=len(imposition.sheets))
            side_name = texts(f"sheet.{side.name}")
            tiles = [tile.name for placed in side.placements if (tile := placed.tile)]
            tile_name = texts("sheet.tile", name="".join(tiles))  # looked up by every set, like the name of the side
            name = tile_name if tiles else side_name
            captions.append(Captions(
                label=" · ".join((*about, numbering, name, texts(f"ink.{request.ink}"), f"ppgen {__version__}")),
                hint=turning[request.flip] if request.sides is Sides.BACKS else
                short if part.part.layout.abreast > 1 else usual))
            bookmarks.append(f"{numbering}, {name}")
            labels.append(f"{number} {side_name}")
    duplex = any(len(sheet.sides) > 1 for sheet in imposition.sheets)
    info = DocumentInfo(
        title=f"{texts('game.title')}: {part.part.title}", author=texts("game.author"),
        subject=texts("game.subject"), lang=texts.lang, creator=f"ppgen {__version__}",
        bookmarks=bookmarks, page_labels=labels, flip=request.flip if duplex else None, date=request.date)
    return captions, info


# --- The whole set ---

Begin = Callable[[str, int], None]  # called with the name of a step that begins, and the number of all of a set


@dataclass(frozen=True, slots=True, kw_only=True)
class NarrowMargin:
    """A file with a margin under ``SAFE_MARGIN_MM`` to save sheets; ``wide_sheets`` with the usual margin."""

    path: str
    margin: float
    sheets: int
    wide_margin: float
    wide_sheets: int


@dataclass(frozen=True, slots=True, kw_only=True)
class BuiltSet:
    """All files of a build, including the manifests, which are also given as values, and its warnings."""

    files: tuple[BuiltFile, ...]
    manifests: tuple[Json, ...]
    warnings: tuple[Problem, ...]
    narrow_margins: tuple[NarrowMargin, ...] = ()


def build_set(request: BuildRequest, workshop: Workshop, watch: Progress = lambda *_: None,
              with_ink: bool | None = None) -> BuiltSet:
    """Build everything requested, in memory; ``with_ink`` measures all, or none. Raises InputError."""
    problems, done = Problems(), list[BuiltSet]()
    counter, sets = StepCounter(len(request.langs)), len(request.langs) * len(request.papers)

    def build_language(number: int) -> tuple[list[BuiltSet], tuple[Problem, ...], frozenset[str]]:
        """Build the sets of a language, with their problems, and the characters that no font has."""
        lang, built, found = request.langs[number], list[BuiltSet](), Problems()

        def begin(name: str, steps: int) -> None:
            if (begun := counter.count(number)) is not None:
                watch(f"{lang}: {name}", begun - 1, max(begun, sets * steps))

        for paper in request.papers:
            with found.collect_errors():
                built.append(print_set(PrintRun(request, workshop, workshop.texts(lang), paper), begin, with_ink))
        return built, tuple(found), frozenset(workshop.fonts.missing)

    for built, found, missing in run_jobs([partial(build_language, number) for number in range(len(request.langs))]):
        problems.extend(found)
        workshop.fonts.missing.update(missing)
        done += built
    problems.raise_if_any()
    warnings = dict.fromkeys(warning for each in done for warning in each.warnings)
    # Duplicates: the rules for the screen are the same for every paper.
    return BuiltSet(files=tuple(dict.fromkeys(file for each in done for file in each.files)),
                    manifests=tuple(manifest for each in done for manifest in each.manifests),
                    warnings=(*workshop.warnings, *warnings),
                    narrow_margins=tuple(narrow for each in done for narrow in each.narrow_margins))


def print_set(run: PrintRun, begin: Begin = lambda *_: None, with_ink: bool | None = None) -> BuiltSet:
    """Build the files of one language on one paper, with their manifest. Raises InputError with every problem."""
    selected = run.parts()
    warnings: tuple[Problem, ...] = ()
    if selected.booklets and run.request.booklet_layout is not BookletLayout.PAGES:
        from ppgen.printing.set_booklets import has_room_for_two, small_paper_problem  # heavy: for booklets only

        if not has_room_for_two(run.paper.size):
            run, warnings = run.asking(booklet=BookletLayout.PAGES), (small_paper_problem(run.paper),)
    return _SetBuilder(run, selected, begin, with_ink).build(warnings)


@dataclass(frozen=True, slots=True)
class _PrintedPart:
    """The file of a part and its entry in the manifest."""

    part: DrawnPart
    imposition: Imposition
    file: BuiltFile
    entry: Json
    narrow_margins: tuple[NarrowMargin, ...]  # one, if the margin was narrowed to save sheets


@dataclass(frozen=True, slots=True)
class _SetBuilder:
    """A build of one language on one paper."""

    run: PrintRun
    selected: PartSet
    begin: Begin
    with_ink: bool | None

    def build(self, warnings: tuple[Problem, ...]) -> BuiltSet:
        """Build all files. Raises InputError with every problem."""
        drawn = self._draw()
        warnings = (*self.selected.left_out, *warnings, *self._part_warnings(drawn))
        if RULES in self.selected.booklets and self.run.workshop.game.deck:
            start_supervision()  # the thread of the rules may be the first to need it, and could not fork it
        with ThreadPoolExecutor(max_workers=1) as executor:  # typst releases Python's lock: the rules use another core
            rules = [executor.submit(self._print_rules) for name in self.selected.booklets if name == RULES]
            parts = [printed for part in drawn if (printed := self._print_part(part))]
        editions = self._print_booklets(parts, lambda: rules[0].result())
        request, lang = self.run.request, self.run.texts.lang
        booklets = [BuiltFile(path=f"{lang}/{edition.file}.pdf", content=edition.content) for _, edition in editions]
        entries = [booklet_entry(f"{request.folder}/{file.path}", name, edition.content, edition.size,
                                 edition.sides, edition.sheets, edition.margin)
                   for file, (name, edition) in zip(booklets, editions, strict=True)]
        manifest = self._manifest([*(part.entry for part in parts), *entries])
        name = request.stem("manifest", self.run.paper, OutputKind.ALL, *stem_words(request.parts))
        return BuiltSet(files=(*(part.file for part in parts), *booklets, BuiltFile(
                            path=f"{lang}/{name}.json", content=format_json(manifest).encode())),
                        manifests=(manifest,),
                        warnings=(*warnings, *(problem for _, edition in editions for problem in edition.left_out)),
                        narrow_margins=tuple(narrow for part in parts for narrow in part.narrow_margins))

    def _draw(self) -> Sequence[DrawnPart]:
        """Draw the faces of the parts. Raises InputError with the problems of a deck's rules, too."""
        try:
            return draw_to_print(self.selected.parts, self.run, self._begin)
        except InputError as error:
            problems = Problems(error.problems)
            if RULES in self.selected.booklets and self.run.workshop.game.deck:  # all problems at once
                with problems.collect_errors():
                    self._print_rules()
            raise InputError(problems) from error

    def _part_warnings(self, drawn: Sequence[DrawnPart]) -> Iterator[Problem]:
        run, parts = self.run, self.selected.parts
        yield from scale_warnings(parts, run.request, run.paper)
        yield from markup_warnings(drawn, run.workshop.templates)
        yield from cut_picture_warnings(drawn)
        yield from small_type_warnings(drawn)
        if run.request.ink == "low":
            yield from low_ink_warnings(run.workshop, run.texts, parts)

    def _begin(self, name: str) -> None:
        """Begin one of the steps: each part is drawn and laid out, and then the booklets are set."""
        self.begin(name, 2 * len(self.selected.parts) + bool(self.selected.booklets))

    def _print_part(self, part: DrawnPart) -> _PrintedPart | None:
        """Print a part; None if the request is for its backs, and it has none."""
        run, request, paper = self.run, self.run.request, self.run.paper
        self._begin(part.part.title)
        whole = impose_part(part, request, paper)
        imposition = _one_side(whole, Sides.BOTH if part.part.name == CALIBRATION else request.sides)
        if not imposition.sheets:
            return None
        path = f"{run.texts.lang}/{file_stem(part.part, request, paper)}.pdf"
        relevant = run.relevant_to(output_kind(part.part))
        content = run.workshop.reuse(("file", path), partial(print_part, part, imposition, relevant))
        measured = request.ink == "low" if self.with_ink is None else self.with_ink
        ink = measure_ink(part, run.workshop.fonts.folder) if measured else {}
        entry = file_entry(f"{request.folder}/{path}", part.part, content, imposition, ink, request.backs)
        return _PrintedPart(part, whole, BuiltFile(path=path, content=content), entry,
                            self._narrow_margins(part, whole, path))

    def _narrow_margins(self, part: DrawnPart, imposition: Imposition, path: str) -> tuple[NarrowMargin, ...]:
        request, paper, margin = self.run.request, self.run.paper, imposition.layout.margin
        if request.margin is not None or margin >= SAFE_MARGIN_MM:
            return ()
        wide_margin = request.spec(paper).margin
        wide = impose_part(part, replace(request, margin=wide_margin), paper)
        return (NarrowMargin(path=f"{request.folder}/{path}", margin=margin, sheets=len(imposition.sheets),
                             wide_margin=wide_margin, wide_sheets=len(wide.sheets)),)

    def _print_booklets(self, parts: Sequence[_PrintedPart], rules: Callable[[], tuple[Edition, ...]]
                        ) -> Sequence[tuple[str, Edition]]:
        names = self.selected.booklets
        if not names:
            return ()
        from ppgen.printing.set_booklets import print_booklets

        self._begin(join_names(self.run.texts(WORDS[name]) for name in names))
        imposed = [(part.part, part.imposition) for part in parts]
        return tuple(print_booklets(names, imposed, rules, self.run))

    def _print_rules(self) -> tuple[Edition, ...]:
        from ppgen.printing.set_booklets import print_rules

        return print_rules(self.run)

    def _manifest(self, files: list[Json]) -> Json:
        request, game, paper = self.run.request, self.run.workshop.game, self.run.paper
        return {"version": __version__, "game": game.id, "lang": self.run.texts.lang,
                "paper": {"name": paper.name, **size_entry(paper.size)},
                "card_size": {"name": request.card_size.name, **size_entry(request.card_size.size)},
                "ink": request.ink, "skin": request.skin,
                **({"sets": request.sets} if request.sets != 1 else {}),
                **({"choices": dict(game.chosen)} if game.chosen else {}),
                **_printer_entry(request.relevant_to(OutputKind.ALL)), "files": files}


def _one_side(imposition: Imposition, sides: Sides) -> Imposition:
    """Keep one side of each sheet; a sheet without a back among others stays, blank, so that the stack is whole."""
    if sides is Sides.BOTH:
        return imposition
    name = "front" if sides is Sides.FRONTS else "back"
    kept = [next((side for side in sheet.sides if side.name == name), None) for sheet in imposition.sheets]
    return replace(imposition, sheets=tuple(
        replace(sheet, sides=(side or SheetSide(name=name, placements=()),))
        for sheet, side in zip(imposition.sheets, kept, strict=True)) if any(kept) else ())


def _printer_entry(request: BuildRequest) -> Json:
    """Corrections for the printer, if any."""
    return {**({"printer": request.profile.name} if request.profile != Profile() else {}),
            **({} if request.back_offset == ORIGIN else {
                "back_offset_mm": {"x": request.back_offset.x, "y": request.back_offset.y}}),
            **({} if not request.back_rotation else {"back_rotation": request.back_rotation}),
            **({} if request.brightness == 100 else {"brightness": request.brightness}),
            **({} if request.scale == UNSCALED else {"scale": {"x": request.scale.x, "y": request.scale.y}})}


def fill_score_sheet(game: str, values: Mapping[str, str], lang: str, *, assets: Assets | None = None) -> bytes:
    """The score sheet of a game as a PDF form with ``values``, still editable. Raises InputError."""
    from ppgen.engine.pdf.form_fields import fill_form  # heavy: for parts with forms only

    workshop = Workshop.open(assets or Assets.at(), game=game)
    request = BuildRequest(langs=(lang,), papers=(A4,), parts=(SCORE_SHEET,))
    printed = print_set(PrintRun(request, workshop, workshop.texts(lang), A4))
    sheet = next(file.content for file in printed.files if file.path.endswith(".pdf"))
    return fill_form(sheet, values, workshop.fonts)
