"""Turns a build request into its booklets: the rules, and the guide to what else was made."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from functools import partial

from ppgen import __version__
from ppgen.documents.guide import MadeFile
from ppgen.documents.names import GUIDE, RULES, WORDS, has_words
from ppgen.engine.component import Stock
from ppgen.engine.formats import Format
from ppgen.engine.imposition.values import Flip, Imposition, SheetSpec
from ppgen.engine.pdf.assembly import DocumentInfo
from ppgen.production.boards import draw_to_print
from ppgen.production.booklets import (
    SCREEN_PAPER,
    Edition,
    SetBooklet,
    file_names,
    for_paper,
    for_screen,
    make_guide,
    making_of,
    page_of,
    set_booklet,
    sleeve_of,
)
from ppgen.production.drawn import DrawnPart
from ppgen.production.request import BuildRequest, Kind
from ppgen.production.sheet_files import impose_part
from ppgen.production.workshop import Workshop
from ppgen.reading.texts import Texts


def editions(names: Sequence[str], laid: Iterable[tuple[DrawnPart, Imposition]],
             rules: Callable[[], tuple[Edition, ...]], request: BuildRequest, workshop: Workshop, texts: Texts,
             paper: Format) -> Iterator[tuple[str, Edition]]:
    """Each edition of each booklet with its name.

    ``laid`` are the parts of the set on their sheets, ``rules`` gives the editions of the rules. Raises InputError.
    """
    made = [made_file(part, imposition) for part, imposition in laid]
    for name in names:
        found = rules() if name == RULES else print_guide(made, request, workshop, texts, paper)
        made.append(read_file(name, sum(edition.sheets for edition in found), request, texts))
        yield from ((name, edition) for edition in found)


def print_rules(request: BuildRequest, workshop: Workshop, texts: Texts, paper: Format) -> tuple[Edition, ...]:
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


def print_guide(made: Sequence[MadeFile], request: BuildRequest, workshop: Workshop, texts: Texts,
                paper: Format) -> tuple[Edition, ...]:
    """The guide to the files made so far; a guide by itself is one to all files."""
    request = request.touching(Kind.GUIDE)
    if request.parts:
        spec = request.spec(paper)
        parts = workshop.parts(texts, request.card_size, spec, (), request.pack, request.on_pad(paper)).parts
        drawn = draw_to_print(parts, workshop.studio(texts, request.ink), request, paper, texts.lang)
        read = [file for file in made if file.part == RULES]
        if not read and RULES in workshop.booklets and has_words(texts, RULES):
            editions = print_rules(request, workshop, texts, paper)
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
