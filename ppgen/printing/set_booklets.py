"""Booklets of a set: rules and guide, for screen and for paper."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial

from ppgen import __version__
from ppgen.assets import Assets
from ppgen.engine.booklets.booklet import BOOKLET_MARGIN, Booklet, fit_booklet
from ppgen.engine.booklets.booklet_pdf import (arrange_pages, finish_booklet, missing_anchors, page_count, pair_pages,
                                               typeset, unprintable)
from ppgen.engine.component import Stock
from ppgen.engine.drawing.fonts import FontBook
from ppgen.engine.drawing.rendering import FaceRenderer
from ppgen.engine.geometry import A4, Format, Size, parse_size
from ppgen.engine.imposition.sheets import Backs, BookletLayout, Flip, Imposition, SheetSpec
from ppgen.engine.pdf.assembly import DocumentInfo
from ppgen.errors import InputError, Problem, Problems, join_names
from ppgen.printing.drawn_parts import DrawnPart, draw_to_print, impose_part
from ppgen.printing.making_guide import GuideFacts, GuideFile, Sleeve, compose_guide
from ppgen.printing.request import GUIDE, RULES, WORDS, BuildRequest, OutputKind, has_words
from ppgen.printing.translations import texts_in
from ppgen.printing.workshop import Workshop
from ppgen.reading.fields import read_toml
from ppgen.reading.texts import Texts
from ppgen.shipped import Phrase

A5, HALF_LETTER = Size(148, 210), Size(139.7, 215.9)
LARGE_PAGES = {A5: A4.size, HALF_LETTER: Size(215.9, 279.4)}  # pages of booklets in large print by those of others
SCREEN_PAPER = A4  # paper that pages for the screen are made for, whatever paper the printer holds
BOOKLET_PICTURE_DPI = 300.0  # resolution of a deck's pictures on the pieces that booklets show, which are smaller there
USUAL_GUIDE_PAGES = 2  # pages of a guide that need not be fewer: they lie open side by side
COMPACT_SIZE = 8.8  # size of the text of a guide that is set closer, in points
_LETTER_SIDES_MM = (215.9, 279.4)


@dataclass(frozen=True, slots=True, kw_only=True)
class TypesetBooklet:
    """A typeset booklet: ``count`` PDF pages of one size with this margin, and what was left out of them."""

    title: str
    size: Size
    pages: bytes
    count: int
    margin: float
    left_out: tuple[Problem, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Edition:
    """A finished booklet for paper or screen."""

    file: str  # without folder and extension
    content: bytes
    size: Size
    sides: tuple[tuple[str, ...], ...]  # of its sheets
    sheets: int  # 0 for the screen
    left_out: tuple[Problem, ...] = ()  # what its pictures lack
    margin: float = BOOKLET_MARGIN  # in mm


def booklet_page(paper: Size) -> Size:
    """Return the page size of a booklet: half of Letter if the paper has one of its sides, else half of A4."""
    is_letter = any(abs(side - inches) < 0.5 for side in (paper.width, paper.height) for inches in _LETTER_SIDES_MM)
    return HALF_LETTER if is_letter else A5


def sleeve_for(assets: Assets, card: Format) -> Sleeve | None:
    """Look up the sleeve sold for a card size. Raises InputError for a bad table."""
    problems = Problems()
    fields = read_toml(assets.common("sleeves.toml"), "sleeves.toml", problems)
    table = fields.take_table("sleeves")
    fields.close()
    sleeves: dict[str, Sleeve] = {}
    for key in table:
        sleeve = table.take_table(key)
        name, size = sleeve.take_text("name"), sleeve.take_text("size")
        sleeve.close()
        try:
            sleeves[key] = Sleeve(name=name, size=parse_size(size))
        except ValueError as error:
            sleeve.note("size", str(error), "the card that the sleeve is made for, like 63.5x88mm")
    problems.raise_if_any()
    return sleeves.get(card.name)


def guide_facts(request: BuildRequest, paper: Format, files: Sequence[GuideFile], sleeve: Sleeve | None,
                advice: tuple[str, ...], address: str = "") -> GuideFacts:
    """Collect the facts of a build for its guide."""
    return GuideFacts(files=tuple(files), paper=paper, backs=request.backs, flip=request.flip, card=request.card_size,
                      ink=request.ink, marks=request.marks, layout=request.booklet_layout,
                      large_print=request.large_print, sleeve=sleeve, advice=advice, game=request.game,
                      sets=request.sets, address=address)


def make_guide(texts: Texts, facts: GuideFacts) -> Booklet:
    return compose_guide(texts, facts, booklet_page(facts.paper.size))


def enlarge_booklet(booklet: Booklet, request: BuildRequest) -> Booklet:
    """Return the booklet as requested: the same one, or in large print on whole pages."""
    return booklet.enlarge(LARGE_PAGES[booklet.page]) if request.large_print else booklet


def has_room_for_two(paper: Size) -> bool:
    """True if two pages of a booklet fit side by side."""
    sheet, page = paper.portrait.turned, booklet_page(paper)
    return sheet.width > 2 * page.width - 1e-6 and sheet.height > page.height - 1e-6


def small_paper_problem(paper: Format) -> Problem:
    """Explain why rules and guide come as single pages on this paper."""
    return Problem("--paper", Phrase("no_booklet", size=booklet_page(paper.size)), Phrase("booklet_paper"),
                   key=paper.name)


def file_names(name: str, request: BuildRequest, paper: Format) -> tuple[str, str]:
    """Return the names of a booklet's files for paper and screen, without extension; defaults are not named."""
    if name == RULES:
        words = (paper.name, *request.words(OutputKind.RULES)), ("screen", *request.words(OutputKind.SCREEN_RULES))
    else:
        own = (paper.name, *request.words(OutputKind.GUIDE))
        default = (SCREEN_PAPER.name, Backs.DUPLEX.value)
        words = own, ("screen", *(own[2:] if own[:2] == default else own))
    on_paper, on_screen = (request.file_name(name, *each) for each in words)
    return on_paper, on_screen


def typeset_booklet(booklet: Booklet, renderer: FaceRenderer, texts: Texts, fonts: FontBook) -> TypesetBooklet:
    """Draw and typeset a booklet, page by page. Raises InputError for faces, and characters without glyph."""
    subject = f"[{booklet.title} {booklet.lang}]"
    if missing := unprintable(booklet, fonts):
        raise InputError(_unprintable_problems(missing, texts, booklet))
    booklet, shrunk = fit_booklet(booklet, fonts)
    faces = {request: renderer.draw(request, 0, subject) for request in booklet.requests()}
    left_out = tuple(Problem(renderer.templates.place(f"{template}:0")[0],
                             f"states no place '{name}': its number is left out of the picture in the booklet",
                             f'add <g data-anchor="{name} X Y"/>, docs/templates.md', key="data-anchor")
                     for template, name in missing_anchors(booklet, faces))
    pages = typeset(booklet, faces, fonts, BOOKLET_PICTURE_DPI)
    return TypesetBooklet(title=booklet.title, size=booklet.printed_page, pages=pages, count=page_count(pages),
                          margin=booklet.margin * booklet.zoom,
                          left_out=(*left_out, *booklet.warnings, *shrunk))


def _unprintable_problems(missing: Sequence[tuple[str, str]], texts: Texts, booklet: Booklet) -> Iterator[Problem]:
    """Yield a problem for each text with such characters; keyed by the booklet's title if they are not from a text."""
    remedy = "take them out, or write others"
    if booklet.source:
        lines = booklet.source.text.splitlines()
        for character in dict.fromkeys(character for character, _ in missing):
            yield Problem(booklet.source.name, f"no font can set the character {_name(character)}", remedy,
                          line=next((n for n, line in enumerate(lines, 1) if character in line), 0))
        return
    by_key: dict[str, list[str]] = {}
    for character, words in missing:
        for key in texts_in(words, texts, character) or [""]:
            by_key.setdefault(key, []).append(_name(character))
    for key, characters in by_key.items():
        what = f"no font can set the characters {join_names(dict.fromkeys(characters))}"
        yield (texts.problem(key, what, remedy) if key else Problem(f"{texts.lang}.toml", what, remedy,
                                                                    key=booklet.title))


def _name(character: str) -> str:
    return character if character.isprintable() else f"U+{ord(character):04X}"


def screen_edition(file: str, booklet: TypesetBooklet, info: Callable[[int], DocumentInfo]) -> Edition:
    """Make the tagged pages to read; ``info`` makes the document information from the number of pages."""
    return Edition(file=file, content=finish_booklet(booklet.pages, info(booklet.count)), size=booklet.size,
                   sides=(("front",),) * booklet.count, sheets=0, left_out=booklet.left_out, margin=booklet.margin)


def paper_edition(file: str, booklet: TypesetBooklet, request: BuildRequest, paper: Format,
                  info: Callable[[int], DocumentInfo]) -> Edition:
    """Make the pages to print: in pairs, or each on its own sheet."""
    layout = request.booklet_layout
    if layout is BookletLayout.PAGES:
        pages = screen_edition(file, booklet, info)
        return replace(pages, sheets=len(pages.sides))
    sheet, sheets = paper.size.portrait.turned, arrange_pages(layout, booklet.count)
    sides = tuple(each.sides for each in sheets)
    about = info(sum(map(len, sides)))
    if len(sides[0]) == 1:
        about = replace(about, flip=None)
    flip = request.flip if layout is BookletLayout.FOLDED else None
    content = pair_pages(booklet.pages, sheets, sheet, booklet.size, flip, about)
    return Edition(file=file, content=content, size=sheet, sides=sides, sheets=len(sheets), left_out=booklet.left_out)


# Booklets of a build: the rules, and the guide to all other files

def print_booklets(names: Sequence[str], imposed: Iterable[tuple[DrawnPart, Imposition]],
                   rules: Callable[[], tuple[Edition, ...]], request: BuildRequest, workshop: Workshop, texts: Texts,
                   paper: Format) -> Iterator[tuple[str, Edition]]:
    """Yield each edition of each booklet with its name; the guide describes ``imposed``. Raises InputError."""
    files = [guide_file(part, imposition) for part, imposition in imposed]
    for name in names:
        if name == GUIDE and not request.parts:  # for guide_facts_to_read(), if it is asked for the same set
            workshop.reuse(_files_key(request, texts, paper), lambda: tuple(files))
        guide = partial(print_guide, files, request, workshop, texts, paper)
        editions = rules() if name == RULES else workshop.reuse((texts.lang, *file_names(name, request, paper)), guide)
        files.append(editions_guide_file(name, editions, texts))
        yield from ((name, edition) for edition in editions)


def print_rules(request: BuildRequest, workshop: Workshop, texts: Texts, paper: Format) -> tuple[Edition, ...]:
    """Make the rules for the paper, and for the screen, always in full ink and for ``SCREEN_PAPER``."""
    on_paper = typeset_rules(request, workshop, texts, paper)
    same = (paper, request.ink) == (SCREEN_PAPER, "full")
    on_screen = on_paper if same else typeset_rules(replace(request, ink="full"), workshop, texts, SCREEN_PAPER)
    return _make_editions(RULES, on_paper, on_screen, request, texts, paper)


def typeset_rules(request: BuildRequest, workshop: Workshop, texts: Texts, paper: Format) -> TypesetBooklet:
    """Typeset the rules, page by page. Raises InputError."""
    return workshop.reuse((RULES, texts.lang, paper, request.card_size, request.ink, request.large_print),
                          lambda: _typeset_rules(request, workshop, texts, paper))


def _typeset_rules(request: BuildRequest, workshop: Workshop, texts: Texts, paper: Format) -> TypesetBooklet:
    assert workshop.game.rules is not None
    usual = replace(workshop, large_print=False)  # as large as the pictures are laid out for
    parts = usual.parts(texts, request.card_size, SheetSpec(paper=paper), ()).parts
    booklet = workshop.game.rules(texts, parts, booklet_page(paper.size), request.ink)
    return typeset_booklet(enlarge_booklet(booklet, request), workshop.studio(texts, request.ink), texts,
                           workshop.fonts)


def print_guide(files: Sequence[GuideFile], request: BuildRequest, workshop: Workshop, texts: Texts,
                paper: Format) -> tuple[Edition, ...]:
    """Make the guide to these files; if only some parts are requested, to all files of the set."""
    request = request.relevant_to(OutputKind.GUIDE)
    rules = [file for file in files if file.part == RULES]
    if request.parts:
        if not rules and RULES in workshop.booklets and has_words(texts, RULES):
            editions = print_rules(request, workshop, texts, paper)
            rules = [editions_guide_file(RULES, editions, texts)]
        files = [*_describe_files(request, workshop, texts, paper), *rules]
    printed, read = typeset_guide(files, request, workshop, texts, paper)
    return _make_editions(GUIDE, printed, read, request, texts, paper)


def typeset_guide(files: Sequence[GuideFile], request: BuildRequest, workshop: Workshop, texts: Texts,
                  paper: Format) -> tuple[TypesetBooklet, TypesetBooklet]:
    """Typeset the guide to these files, closer where that saves a sheet or a page. Raises InputError."""
    guide, studio = _compose_guide(files, request, workshop, texts, paper), workshop.studio(texts, request.ink)
    usual = typeset_booklet(guide, studio, texts, workshop.fonts.house)
    if usual.count <= USUAL_GUIDE_PAGES or request.large_print:
        return usual, usual
    closer = typeset_booklet(replace(guide, compact=True, size=COMPACT_SIZE), studio, texts, workshop.fonts.house)
    sheets = partial(arrange_pages, request.booklet_layout)
    saves_sheet = len(sheets(closer.count)) < len(sheets(usual.count))
    return closer if saves_sheet else usual, closer if closer.count < usual.count else usual


def _compose_guide(files: Sequence[GuideFile], request: BuildRequest, workshop: Workshop, texts: Texts,
                   paper: Format) -> Booklet:
    facts = guide_facts(request, paper, files, sleeve_for(workshop.assets, request.card_size), workshop.game.advice,
                        workshop.address_to_scan(request.home or "", texts.lang))
    return enlarge_booklet(make_guide(texts, facts), request)


def _describe_files(request: BuildRequest, workshop: Workshop, texts: Texts, paper: Format) -> tuple[GuideFile, ...]:
    """Describe the files of all parts of the set for the guide. Raises InputError."""
    drawn = draw_to_print(workshop.parts_of(request, texts, paper, ()).parts, request, workshop, texts, paper)
    return tuple(guide_file(part, impose_part(part, request, paper)) for part in drawn)


def rules_to_read(request: BuildRequest, workshop: Workshop, texts: Texts, paper: Format) -> Booklet | None:
    """Compose the rules for pages that are not paper. Raises InputError."""
    parts = workshop.parts_of(request, texts, paper, ())
    if RULES not in parts.booklets or not workshop.game.rules:
        return None
    return workshop.game.rules(texts, parts.parts, booklet_page(paper.size), request.ink)


def guide_facts_to_read(request: BuildRequest, workshop: Workshop, texts: Texts, paper: Format,
                        rules: GuideFile | None) -> GuideFacts:
    """The guide's facts for pages that are not paper; ``rules`` is the file of the rules. Raises InputError."""
    request = request if has_room_for_two(paper.size) else replace(request, booklet=BookletLayout.PAGES)
    files = workshop.reuse(_files_key(request, texts, paper), lambda: (
        *_describe_files(request, workshop, texts, paper), *((rules,) if rules else ())))
    sleeve = sleeve_for(workshop.assets, request.card_size)
    return guide_facts(request, paper, files, sleeve, workshop.game.advice)


def _files_key(request: BuildRequest, texts: Texts, paper: Format) -> tuple[str, ...]:
    return "described files", texts.lang, *file_names(GUIDE, request, paper)


def _make_editions(name: str, on_paper: TypesetBooklet, on_screen: TypesetBooklet, request: BuildRequest, texts: Texts,
                   paper: Format) -> tuple[Edition, ...]:
    paper_file, screen_file = file_names(name, request, paper)
    flip = request.flip if request.booklet_layout is BookletLayout.FOLDED else None
    return (paper_edition(paper_file, on_paper, request, paper, partial(_info, request, texts, on_paper.title, flip)),
            screen_edition(screen_file, on_screen, partial(_info, request, texts, on_screen.title, None)))


def guide_file(part: DrawnPart, imposition: Imposition) -> GuideFile:
    """Describe the file of a part for the guide."""
    return GuideFile(part=part.part.name, title=part.part.title, stock=part.part.stock, sheets=len(imposition.sheets),
                     both_sides=any(len(sheet.sides) > 1 for sheet in imposition.sheets), imposition=imposition,
                     shows=frozenset(name for face in part.distinct for name in face.anchors),
                     shapes=frozenset(component.shape for component in part.part.components),
                     folded=frozenset(component.net.kind for component in part.part.components if component.net))


def editions_guide_file(name: str, editions: Sequence[Edition], texts: Texts) -> GuideFile:
    """Describe the file of a booklet for the guide."""
    return booklet_guide_file(name, sum(edition.sheets for edition in editions),
                              any("back" in sides for edition in editions for sides in edition.sides), texts)


def booklet_guide_file(name: str, sheets: int, both_sides: bool, texts: Texts) -> GuideFile:
    """Describe a booklet and the number of its sheets for the guide."""
    return GuideFile(part=name, title=texts(WORDS[name]), stock=Stock.PLAIN, sheets=sheets, both_sides=both_sides)


def _info(request: BuildRequest, texts: Texts, title: str, flip: Flip | None, pages: int) -> DocumentInfo:
    """Document information of a booklet. typst has already written its bookmarks, from the headings."""
    return DocumentInfo(title=title, author=texts("game.author"), subject=texts("game.subject"), lang=texts.lang,
                        creator=f"ppgen {__version__}", bookmarks=(), page_labels=[str(n + 1) for n in range(pages)],
                        flip=flip, date=request.date)
