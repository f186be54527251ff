"""Build of a set: parts, faces, sheets, finished PDF and the manifest."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from functools import partial
from typing import TYPE_CHECKING

from ppgen import __version__
from ppgen.engine.geometry import ORIGIN, UNSCALED, Format
from ppgen.engine.imposition.sheets import Imposition
from ppgen.engine.pdf.assembly import DocumentInfo, assemble
from ppgen.engine.pdf.sheet_pages import Captions, draw_pages
from ppgen.engine.pdf.typesetting import layers_pdf
from ppgen.errors import InputError, Problem, Problems
from ppgen.production.drawn_parts import (
    DrawnPart,
    draw_to_print,
    file_stem,
    impose_part,
    low_ink_warnings,
    markup_warnings,
    measure_ink,
    output_kind,
    scale_warnings,
)
from ppgen.production.manifest import Json, booklet_entry, dump_manifest, file_entry, size_entry
from ppgen.production.output_files import BuiltFile
from ppgen.production.request import (
    RULES,
    SAFE_MARGIN_MM,
    BuildRequest,
    OutputKind,
    Profile,
    stem_words,
)
from ppgen.production.workers import run_jobs
from ppgen.production.workshop import Workshop
from ppgen.reading.texts import Texts

if TYPE_CHECKING:
    from ppgen.production.set_booklets import Edition


def print_part(part: DrawnPart, imposition: Imposition, request: BuildRequest, workshop: Workshop,
               texts: Texts, paper: Format) -> bytes:
    """Make the PDF of a part. Raises InputError."""
    pages, info = sheet_pages(part, imposition, request, workshop, texts, paper)
    # Only pieces to cut out are scaled: the calibration page measures the printer as it is.
    document = assemble(pages, imposition.sheets, part.faces, layers_pdf(part.distinct, workshop.fonts.folder), info,
                        request.scale, request.pictures or 0.0)
    forms = {component.id: component.form for component in part.part.components if component.form}
    if not forms:
        return document
    from ppgen.engine.pdf.form_fields import add_forms  # heavy: for parts with forms only

    return add_forms(document, imposition.sheets, forms, workshop.fonts)


def sheet_pages(part: DrawnPart, imposition: Imposition, request: BuildRequest, workshop: Workshop,
                texts: Texts, paper: Format) -> tuple[bytes, DocumentInfo]:
    """Make a part's pages with labels and hints, and its document information. Raises InputError."""
    captions, bookmarks, labels = [], [], []
    sizes = {component.size for component in part.part.components}
    size = () if part.part.is_full_page or len(sizes) > 1 else map(str, sizes)
    title = " ".join(filter(None, (texts("game.title"), workshop.game.version)))
    about = (title, part.part.title, texts("language.name"), paper.title, *size)
    for number, sheet in enumerate(imposition.sheets, 1):
        for side in sheet.sides:
            numbering = texts("sheet.number", n=number, of=len(imposition.sheets))
            side_name = texts(f"sheet.{side.name}")
            tiles = [tile.name for placed in side.placements if (tile := placed.tile)]
            tile_name = texts("sheet.tile", name="".join(tiles))  # looked up by every set, like the name of the side
            name = tile_name if tiles else side_name
            captions.append(Captions(
                label=" · ".join((*about, numbering, name, texts(f"ink.{request.ink}"), f"ppgen {__version__}")),
                hint=texts("sheet.hint")))
            bookmarks.append(f"{numbering}, {name}")
            labels.append(f"{number} {side_name}")
    duplex = any(len(sheet.sides) > 1 for sheet in imposition.sheets)
    info = DocumentInfo(
        title=f"{texts('game.title')}: {part.part.title}", author=texts("game.author"),
        subject=texts("game.subject"), lang=texts.lang, creator=f"ppgen {__version__}",
        bookmarks=bookmarks, page_labels=labels, flip=request.flip if duplex else None, date=request.date)
    return draw_pages(imposition.sheets, captions, workshop.fonts), info


# The whole set

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


BuildProgress = Callable[[str, int, int], None]
"""Called with the title of each part that is begun, how many are done, and of how many, in each language."""


def build_set(request: BuildRequest, workshop: Workshop, watch: BuildProgress = lambda *_: None) -> BuiltSet:
    """Build everything requested, in memory. Raises InputError with the problems of every language and paper."""
    problems = Problems()
    files: list[BuiltFile] = []
    manifests: list[Json] = []
    warnings: list[Problem] = []
    narrow: list[NarrowMargin] = []
    jobs = [partial(_build_language, request, workshop, lang, watch) for lang in request.langs]
    for build in run_jobs(jobs):
        problems.extend(build.problems)
        for printed in build.sets:
            files += printed.files
            manifests += printed.manifests
            warnings += printed.warnings
            narrow += printed.narrow_margins
    problems.raise_if_any()
    # Duplicates: the rules for the screen are the same for every paper.
    return BuiltSet(files=tuple(dict.fromkeys(files)), manifests=tuple(manifests),
                    warnings=(*workshop.game.warnings, *dict.fromkeys(warnings)), narrow_margins=tuple(narrow))


@dataclass(frozen=True, slots=True)
class _LanguageBuild:
    """The sets of a language, one for each paper, and their problems."""

    sets: tuple[BuiltSet, ...]
    problems: tuple[Problem, ...]


def _build_language(request: BuildRequest, workshop: Workshop, lang: str, watch: BuildProgress) -> _LanguageBuild:
    """Build the language on each paper. Raises RequestError; other problems are collected."""
    problems = Problems()
    sets = []
    for paper in request.papers:
        with problems.collect_errors():
            sets.append(print_set(request, workshop, workshop.texts(lang), paper, watch))
    return _LanguageBuild(tuple(sets), tuple(problems))


def print_set(request: BuildRequest, workshop: Workshop, texts: Texts, paper: Format,
              watch: BuildProgress = lambda *_: None) -> BuiltSet:
    """Build the files of one language on one paper, with their manifest. Raises InputError with every problem."""
    spec = request.spec(paper)
    selected = workshop.parts(texts, request.card_size, spec, request.parts, request.pack, request.on_pad(paper))
    warnings = list(selected.left_out)
    if selected.booklets and request.booklet:
        from ppgen.production.set_booklets import (  # heavy: for booklets only
            is_foldable,
            small_paper_problem,
        )

        if not is_foldable(paper.size):
            warnings.append(small_paper_problem(paper))
            request = replace(request, booklet=False)
    try:
        drawn = draw_to_print(selected.parts, workshop.studio(texts, request.ink), request, paper, texts.lang)
    except InputError as error:
        problems = Problems(error.problems)
        if RULES in selected.booklets and workshop.game.deck:  # all problems at once
            with problems.collect_errors():
                _print_rules(request, workshop, texts, paper)
        raise InputError(problems) from error
    warnings += scale_warnings(selected.parts, request, paper)
    warnings += markup_warnings(drawn, workshop.templates)
    warnings += low_ink_warnings(workshop, texts, selected.parts) if request.ink == "low" else ()
    files: list[BuiltFile] = []
    entries: list[Json] = []
    imposed: list[tuple[DrawnPart, Imposition]] = []
    narrow: list[NarrowMargin] = []
    with ThreadPoolExecutor(max_workers=1) as executor:  # typst releases Python's lock: the rules use another core
        rules = [executor.submit(_print_rules, request, workshop, texts, paper)
                 for name in selected.booklets if name == RULES]
        for number, part in enumerate(drawn):
            watch(part.part.title, number, len(drawn) + len(selected.booklets))
            imposition = impose_part(part, request, paper)
            imposed.append((part, imposition))
            path = f"{texts.lang}/{file_stem(part.part, request, paper)}.pdf"
            relevant = request.relevant_to(output_kind(part.part))
            content = workshop.reuse(("file", path), partial(print_part, part, imposition, relevant, workshop, texts,
                                                             paper))
            files.append(BuiltFile(path=path, content=content))
            ink = measure_ink(part, workshop.fonts.folder) if request.ink == "low" else {}
            entries.append(file_entry(f"{request.folder}/{path}", part.part.name, content, imposition, ink,
                                      part.part.stock, request.backs))
            if request.margin is None and imposition.layout.margin < SAFE_MARGIN_MM:
                wide = impose_part(part, replace(request, margin=spec.margin), paper)
                narrow.append(NarrowMargin(
                    path=f"{request.folder}/{path}", margin=imposition.layout.margin, sheets=len(imposition.sheets),
                    wide_margin=spec.margin, wide_sheets=len(wide.sheets)))
    if selected.booklets:
        from ppgen.production.set_booklets import print_booklets

        watch(", ".join(selected.booklets), len(drawn), len(drawn) + len(selected.booklets))
        printed = print_booklets(selected.booklets, imposed, lambda: rules[0].result(), request, workshop, texts, paper)
        for name, edition in printed:
            warnings += edition.left_out
            path = f"{texts.lang}/{edition.file}.pdf"
            files.append(BuiltFile(path=path, content=edition.content))
            entries.append(booklet_entry(f"{request.folder}/{path}", name, edition.content, edition.size,
                                         edition.sides, edition.sheets, edition.margin))
    manifest: Json = {
        "version": __version__, "game": workshop.game.id, "lang": texts.lang,
        "paper": {"name": paper.name, **size_entry(paper.size)},
        "card_size": {"name": request.card_size.name, **size_entry(request.card_size.size)},
        "ink": request.ink, "skin": request.skin,
        **({"sets": request.sets} if request.sets != 1 else {}),
        **({"choices": dict(workshop.game.chosen)} if workshop.game.chosen else {}),
        **_printer_entry(request.relevant_to(OutputKind.ALL)), "files": entries}
    name = request.stem("manifest", paper, OutputKind.ALL, *stem_words(request.parts))
    files.append(BuiltFile(path=f"{texts.lang}/{name}.json", content=dump_manifest(manifest).encode()))
    return BuiltSet(files=tuple(files), manifests=(manifest,), warnings=tuple(warnings),
                    narrow_margins=tuple(narrow))


def _printer_entry(request: BuildRequest) -> Json:
    """Corrections for the printer, if any."""
    return {**({"printer": request.profile.name} if request.profile != Profile() else {}),
            **({} if request.back_offset == ORIGIN else {
                "back_offset_mm": {"x": request.back_offset.x, "y": request.back_offset.y}}),
            **({} if not request.back_rotation else {"back_rotation": request.back_rotation}),
            **({} if request.scale == UNSCALED else {"scale": {"x": request.scale.x, "y": request.scale.y}})}


def _print_rules(request: BuildRequest, workshop: Workshop, texts: Texts, paper: Format) -> tuple[Edition, ...]:
    from ppgen.production.set_booklets import print_rules

    return print_rules(request, workshop, texts, paper)
