"""Turns a build request into files: data → parts → faces → sheets → PDF and manifest."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from functools import partial
from typing import TYPE_CHECKING

from ppgen import __version__
from ppgen.documents.names import RULES
from ppgen.engine.formats import Format
from ppgen.engine.geometry import ORIGIN, UNSCALED
from ppgen.engine.imposition.values import Imposition
from ppgen.errors import Problem, Problems
from ppgen.production.boards import draw_to_print, scale_warnings
from ppgen.production.built import BuiltFile
from ppgen.production.drawn import DrawnPart, ink_of
from ppgen.production.manifest import Json, booklet_entry, file_entry, size_entry, to_json
from ppgen.production.request import BuildRequest, Kind, Profile
from ppgen.production.selection import stem_of
from ppgen.production.sheet_files import file_stem, impose_part, kind_of, print_part
from ppgen.production.workers import done
from ppgen.production.workshop import Workshop
from ppgen.reading.texts import Texts

if TYPE_CHECKING:
    from ppgen.production.booklets import Edition


@dataclass(frozen=True, slots=True, kw_only=True)
class BuiltSet:
    """All files of a build, the manifests among them, and what may want a second look."""

    files: tuple[BuiltFile, ...]
    manifests: tuple[Json, ...]
    warnings: tuple[Problem, ...]


def build(request: BuildRequest, workshop: Workshop) -> BuiltSet:
    """Build everything that is asked for, in memory.

    Raises InputError with the problems of every language and paper; then nothing is built.
    """
    problems = Problems()
    files: list[BuiltFile] = []
    manifests: list[Json] = []
    left_out: list[Problem] = []
    jobs = [partial(_language, request, workshop, lang) for lang in request.langs]
    for found in done(jobs):
        problems.extend(found.problems)
        for printed in found.sets:
            files += printed.files
            manifests += printed.manifests
            left_out += printed.warnings
    problems.raise_if_any()
    # The rules for the screen are the same for every paper: a file of this build once.
    return BuiltSet(files=tuple(dict.fromkeys(files)), manifests=tuple(manifests),
                    warnings=(*workshop.game.warnings, *dict.fromkeys(left_out)))


@dataclass(frozen=True, slots=True)
class _Language:
    """The sets of a language, one for each paper, and everything that is wrong with them."""

    sets: tuple[BuiltSet, ...]
    problems: tuple[Problem, ...]


def _language(request: BuildRequest, workshop: Workshop, lang: str) -> _Language:
    """The language on each paper. Raises RequestError."""
    problems = Problems()
    sets = []
    for paper in request.papers:
        with problems.gathering():
            sets.append(print_set(request, workshop, workshop.texts(lang), paper))
    return _Language(tuple(sets), tuple(problems))


def print_set(request: BuildRequest, workshop: Workshop, texts: Texts, paper: Format) -> BuiltSet:
    """The files of one language on one paper, with their manifest. Raises InputError with every problem."""
    spec = request.spec(paper)
    chosen = workshop.parts(texts, request.card_size, spec, request.parts, request.pack, request.on_pad(paper))
    warnings = list(chosen.left_out)
    if chosen.booklets and request.booklet:
        from ppgen.production.booklets import foldable, too_small  # heavy: only where something is to be read

        if not foldable(paper.size):
            warnings.append(too_small(paper))
            request = replace(request, booklet=False)
    drawn = draw_to_print(chosen.parts, workshop.studio(texts, request.ink), request, paper, texts.lang)
    warnings += scale_warnings(chosen.parts, request, paper)
    files: list[BuiltFile] = []
    entries: list[Json] = []
    laid: list[tuple[DrawnPart, Imposition]] = []
    with ThreadPoolExecutor(max_workers=1) as aside:  # typst works outside Python's lock: on another core, if there is
        rules = [aside.submit(_print_rules, request, workshop, texts, paper)
                 for name in chosen.booklets if name == RULES]
        for part in drawn:
            imposition = impose_part(part, request, paper)
            laid.append((part, imposition))
            path = f"{texts.lang}/{file_stem(part.part, request, paper)}.pdf"
            asked = request.touching(kind_of(part.part))
            content = print_part(part, imposition, asked, workshop, texts, paper)
            files.append(BuiltFile(path=path, content=content))
            ink = ink_of(part, workshop.fonts.folder) if request.ink == "low" else {}  # who saves ink wants to know
            entries.append(file_entry(f"{request.folder}/{path}", part.part.name, content, imposition, ink))
    if chosen.booklets:
        from ppgen.production.booklet_files import editions

        printed = editions(chosen.booklets, laid, lambda: rules[0].result(), request, workshop, texts, paper)
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
        **({"choices": dict(workshop.game.chosen)} if workshop.game.chosen else {}),
        **_printer_entry(request.touching(Kind.ALL)), "files": entries}
    name = request.stem("manifest", paper, Kind.ALL, *stem_of(request.parts))
    files.append(BuiltFile(path=f"{texts.lang}/{name}.json", content=to_json(manifest).encode()))
    return BuiltSet(files=tuple(files), manifests=(manifest,), warnings=tuple(warnings))


def _printer_entry(request: BuildRequest) -> Json:
    """What of the printer is made up for, if anything."""
    return {**({"printer": request.profile.name} if request.profile != Profile() else {}),
            **({} if request.back_offset == ORIGIN else {
                "back_offset_mm": {"x": request.back_offset.x, "y": request.back_offset.y}}),
            **({} if not request.back_rotation else {"back_rotation": request.back_rotation}),
            **({} if request.scale == UNSCALED else {"scale": {"x": request.scale.x, "y": request.scale.y}})}


def _print_rules(request: BuildRequest, workshop: Workshop, texts: Texts, paper: Format) -> tuple[Edition, ...]:
    from ppgen.production.booklet_files import print_rules

    return print_rules(request, workshop, texts, paper)
