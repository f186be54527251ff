"""Turns a build request into files: data → parts → faces → sheets → PDF and manifest."""

from __future__ import annotations

from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from functools import partial

from ppgen import __version__
from ppgen.documents.guide import MadeFile
from ppgen.documents.names import CALIBRATION, GUIDE, RULES, WORDS, has_words
from ppgen.engine.booklets.document import MARGIN
from ppgen.engine.component import Part, Stock, Way
from ppgen.engine.formats import Format
from ppgen.engine.forms.widgets import add_forms
from ppgen.engine.geometry import ORIGIN, UNSCALED
from ppgen.engine.imposition.impose import impose, impose_pages, impose_tiled
from ppgen.engine.imposition.values import Flip, Imposition, SheetSpec
from ppgen.engine.pdf.assembly import DocumentInfo, assemble
from ppgen.engine.pdf.pages import Captions, draw_pages
from ppgen.engine.typesetting import faces_pdf
from ppgen.errors import Problem, Problems
from ppgen.production.boards import draw_to_print, scale_warnings
from ppgen.production.booklets import (
    SCREEN_PAPER,
    Edition,
    SetBooklet,
    file_names,
    foldable,
    for_paper,
    for_screen,
    make_guide,
    making_of,
    page_of,
    set_booklet,
    sleeve_of,
    too_small,
)
from ppgen.production.built import BuiltFile
from ppgen.production.drawn import DrawnPart, ink_of
from ppgen.production.manifest import Json, booklet_entry, file_entry, size_entry, to_json
from ppgen.production.request import BuildRequest, Kind, Profile
from ppgen.production.selection import stem_of
from ppgen.production.workers import done
from ppgen.production.workshop import Workshop
from ppgen.reading.texts import Texts


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
    if chosen.booklets and request.booklet and not foldable(paper.size):
        warnings.append(too_small(paper))
        request = replace(request, booklet=False)
    drawn = draw_to_print(chosen.parts, workshop.studio(texts, request.ink), request, paper, texts.lang)
    warnings += scale_warnings(chosen.parts, request, paper)
    files: list[BuiltFile] = []
    entries: list[Json] = []
    made: list[MadeFile] = []
    with ThreadPoolExecutor(max_workers=1) as aside:  # typst works outside Python's lock: on another core, if there is
        rules = [aside.submit(_print_rules, request, workshop, texts, paper)
                 for name in chosen.booklets if name == RULES]
        # Last: what typst has read of a face for its PDF, it need not read again for its ink.
        inks = [aside.submit(ink_of, part, workshop.fonts.folder) for part in drawn]
        for part, ink in zip(drawn, inks, strict=True):
            imposition = impose_part(part, request, paper)
            made.append(made_file(part, imposition))
            path = f"{texts.lang}/{file_stem(part.part, request, paper)}.pdf"
            asked = request.touching(kind_of(part.part))
            content = _print(part, imposition, asked, workshop, texts, paper)
            files.append(BuiltFile(path=path, content=content))
            entries.append(file_entry(f"{request.folder}/{path}", part.part.name, content, imposition,
                                      ink.result()))
    for name in chosen.booklets:
        editions = rules[0].result() if name == RULES else _print_guide(made, request, workshop, texts, paper)
        made.append(read_file(name, sum(edition.sheets for edition in editions), request, texts))
        for edition in editions:
            warnings += edition.left_out
            path = f"{texts.lang}/{edition.file}.pdf"
            files.append(BuiltFile(path=path, content=edition.content))
            entries.append(booklet_entry(f"{request.folder}/{path}", name, edition.content, edition.size,
                                         edition.sides, edition.sheets, MARGIN))
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
    """The rules for the paper, and for the screen, where they look the same whatever the printer holds."""
    printed = set_rules(request, workshop, texts, paper)
    same = (paper, request.ink) == (SCREEN_PAPER, "full")
    shown = printed if same else set_rules(replace(request, ink="full"), workshop, texts, SCREEN_PAPER)
    return _editions(RULES, printed, shown, request, texts, paper)


def set_rules(request: BuildRequest, workshop: Workshop, texts: Texts, paper: Format) -> SetBooklet:
    """The rules, page by page. Raises InputError."""
    assert workshop.game.rules is not None
    parts = workshop.parts(texts, request.card_size, SheetSpec(paper=paper), ()).parts
    booklet = workshop.game.rules(texts, parts, page_of(paper.size), request.ink)
    return set_booklet(booklet, workshop.studio(texts, request.ink), texts)


def _print_guide(made: Sequence[MadeFile], request: BuildRequest, workshop: Workshop, texts: Texts,
                 paper: Format) -> tuple[Edition, ...]:
    """The guide to the files made so far; a guide by itself is one to all files."""
    request = request.touching(Kind.GUIDE)
    if request.parts:
        spec = request.spec(paper)
        parts = workshop.parts(texts, request.card_size, spec, (), request.pack, request.on_pad(paper)).parts
        drawn = draw_to_print(parts, workshop.studio(texts, request.ink), request, paper, texts.lang)
        read = [file for file in made if file.part == RULES]
        if not read and RULES in workshop.booklets and has_words(texts, RULES):
            editions = _print_rules(request, workshop, texts, paper)
            read = [read_file(RULES, sum(edition.sheets for edition in editions), request, texts)]
        made = [*(made_file(part, impose_part(part, request, paper)) for part in drawn), *read]
    written = set_guide(made, request, workshop, texts, paper)
    return _editions(GUIDE, written, written, request, texts, paper)


def set_guide(made: Sequence[MadeFile], request: BuildRequest, workshop: Workshop, texts: Texts,
              paper: Format) -> SetBooklet:
    """The guide to these files, page by page. Raises InputError."""
    making = making_of(request, paper, made, sleeve_of(workshop.assets, request.card_size), workshop.game.advice)
    return set_booklet(make_guide(texts, making), workshop.studio(texts, request.ink), texts)


def _editions(name: str, printed: SetBooklet, shown: SetBooklet, request: BuildRequest, texts: Texts,
              paper: Format) -> tuple[Edition, ...]:
    """A booklet for the paper and for the screen."""
    on_paper, on_screen = file_names(name, request, paper)
    flip = request.flip if request.booklet else None
    return (for_paper(on_paper, printed, request, paper, partial(_info, request, texts, printed.title, flip)),
            for_screen(on_screen, shown, partial(_info, request, texts, shown.title, None)))


def made_file(part: DrawnPart, imposition: Imposition) -> MadeFile:
    """What the guide is to know of a part's file."""
    return MadeFile(part=part.part.name, title=part.part.title, stock=part.part.stock, sheets=len(imposition.sheets),
                    both_sides=any(len(sheet.sides) > 1 for sheet in imposition.sheets), imposition=imposition,
                    shapes=frozenset(component.shape for component in part.part.components),
                    folded=frozenset(component.net.kind for component in part.part.components if component.net))


def read_file(name: str, sheets: int, request: BuildRequest, texts: Texts) -> MadeFile:
    """A part that is read, not cut."""
    return MadeFile(part=name, title=texts(WORDS[name]), stock=Stock.PLAIN, sheets=sheets, both_sides=request.booklet)


def _info(request: BuildRequest, texts: Texts, title: str, flip: Flip | None, pages: int) -> DocumentInfo:
    """What a booklet says of itself: typst wrote its bookmarks already, from the headings."""
    return DocumentInfo(title=title, author=texts("game.author"), subject=texts("game.subject"), lang=texts.lang,
                        creator=f"ppgen {__version__}", bookmarks=(), page_labels=[str(n + 1) for n in range(pages)],
                        flip=flip, date=request.date)


def kind_of(part: Part) -> Kind:
    """The kind of file that a part comes in."""
    if part.stock is Stock.BOX:
        return Kind.BOX
    if part.name == CALIBRATION:
        return Kind.CALIBRATION
    if part.pages:
        return Kind.PAGES
    if part.layout.way is Way.TILED:
        return Kind.BOARD
    backed = not part.one_sided and any(component.back for component in part.components)
    return Kind.PIECES if backed else Kind.FRONTS


def file_stem(part: Part, request: BuildRequest, paper: Format) -> str:
    """The name of a part's file, without its ending."""
    variant = (part.variant,) if part.variant else ()
    return request.stem(part.name, paper, kind_of(part), *variant, *stem_of(part.only))


def impose_part(part: DrawnPart, request: BuildRequest, paper: Format) -> Imposition:
    """The part on its sheets. Raises InputError for what does not fit the paper."""
    spec = request.touching(kind_of(part.part)).spec(paper)
    if part.part.pages:
        return impose_pages(part.items, spec, part.part.layout.abreast, cut_out=part.part.stock is Stock.BOX)
    way = impose_tiled if part.part.layout.way is Way.TILED else impose
    return way(part.items, spec, part.part.name)


def _print(part: DrawnPart, imposition: Imposition, request: BuildRequest, workshop: Workshop,
           texts: Texts, paper: Format) -> bytes:
    pages, info = sheet_pages(part, imposition, request, workshop, texts, paper)
    # A scale is only asked of what is cut out: the calibration page measures the printer as it is.
    document = assemble(pages, imposition.sheets, part.faces, faces_pdf(part.distinct, workshop.fonts.folder), info,
                        request.scale)
    forms = {component.id: component.form for component in part.part.components if component.form}
    return add_forms(document, imposition.sheets, forms, workshop.fonts) if forms else document


def sheet_pages(part: DrawnPart, imposition: Imposition, request: BuildRequest, workshop: Workshop,
                texts: Texts, paper: Format) -> tuple[bytes, DocumentInfo]:
    """The pages of a part with everything but the faces, and what their file says of itself. Raises InputError."""
    captions, bookmarks, labels = [], [], []
    sizes = {component.size for component in part.part.components}
    size = () if part.part.pages or len(sizes) > 1 else map(str, sizes)
    about = (texts("game.title"), part.part.title, texts("language.name"), paper.title, *size)
    for number, sheet in enumerate(imposition.sheets, 1):
        for side in sheet.sides:
            number_of = texts("sheet.number", n=number, of=len(imposition.sheets))
            named = texts(f"sheet.{side.name}")
            tiles = [tile.name for placed in side.placements if (tile := placed.tile)]
            tile_named = texts("sheet.tile", name="".join(tiles))  # asked for by every set, as above
            shown = tile_named if tiles else named
            captions.append(Captions(
                label=" · ".join((*about, number_of, shown, texts(f"ink.{request.ink}"), f"ppgen {__version__}")),
                hint=texts("sheet.hint")))
            bookmarks.append(f"{number_of}, {shown}")
            labels.append(f"{number} {named}")
    duplex = any(len(sheet.sides) > 1 for sheet in imposition.sheets)
    info = DocumentInfo(
        title=f"{texts('game.title')}: {part.part.title}", author=texts("game.author"),
        subject=texts("game.subject"), lang=texts.lang, creator=f"ppgen {__version__}",
        bookmarks=bookmarks, page_labels=labels, flip=request.flip if duplex else None, date=request.date)
    return draw_pages(imposition.sheets, captions, workshop.fonts), info
