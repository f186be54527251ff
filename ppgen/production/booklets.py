"""Turns the game's rules and the facts of a build into finished booklets: the parts that are read, not cut."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace

from ppgen.assets import Assets
from ppgen.documents.guide import MadeFile, Making, Sleeve, guide
from ppgen.documents.names import RULES
from ppgen.engine.booklets.document import MARGIN, Booklet
from ppgen.engine.booklets.folding import finished, folded, page_count, saddle_stitch
from ppgen.engine.booklets.numbers import unstated
from ppgen.engine.booklets.setting import settings_of, source, unprintable
from ppgen.engine.drawing.faces import Studio
from ppgen.engine.formats import A4, Format
from ppgen.engine.geometry import Size
from ppgen.engine.imposition.values import Backs
from ppgen.engine.pdf.assembly import DocumentInfo
from ppgen.engine.typesetting import booklet_pdf
from ppgen.engine.units import parse_size
from ppgen.errors import InputError, Problem, Problems, listed
from ppgen.production.request import BuildRequest, Kind
from ppgen.production.wording import written_in
from ppgen.reading.fields import read_toml
from ppgen.reading.texts import Texts

A5, HALF_LETTER = Size(148, 210), Size(139.7, 215.9)
SCREEN_PAPER = A4
"""Pages for the screen have the same size whatever the printer holds."""
_INCH_SIDES = (215.9, 279.4)


@dataclass(frozen=True, slots=True, kw_only=True)
class SetBooklet:
    """A booklet as typst set it: a ``count`` of PDF pages of one size, and what was left out of them."""

    title: str
    size: Size
    pages: bytes
    count: int
    left_out: tuple[Problem, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Edition:
    """A finished booklet, for the paper or for the screen: its file without folder, and the sides of its sheets.

    Pages for the screen take no ``sheets``. ``left_out`` tells what was left out of its pictures; ``margin`` is in mm.
    """

    file: str
    content: bytes
    size: Size
    sides: tuple[tuple[str, ...], ...]
    sheets: int
    left_out: tuple[Problem, ...] = ()
    margin: float = MARGIN


def page_of(paper: Size) -> Size:
    """The page of a booklet: half a sheet of A4 or of Letter, whichever is kin to the paper."""
    kin = any(abs(side - inches) < 0.5 for side in (paper.width, paper.height) for inches in _INCH_SIDES)
    return HALF_LETTER if kin else A5


def sleeve_of(assets: Assets, card: Format) -> Sleeve | None:
    """The sleeve that is sold for a card size. Raises InputError for a bad table."""
    problems = Problems()
    fields = read_toml(assets.common("sleeves.toml"), "sleeves.toml", problems)
    table = fields.take_table("sleeves")
    fields.close()
    found: dict[str, Sleeve] = {}
    for key in table:
        sleeve = table.take_table(key)
        name, size = sleeve.take_text("name"), sleeve.take_text("size")
        sleeve.close()
        try:
            found[key] = Sleeve(name=name, size=parse_size(size))
        except ValueError as error:
            sleeve.note("size", str(error), "the card that the sleeve is made for, like 63.5x88mm")
    problems.raise_if_any()
    return found.get(card.name)


def making_of(request: BuildRequest, paper: Format, files: Sequence[MadeFile], sleeve: Sleeve | None,
              advice: tuple[str, ...]) -> Making:
    """What the guide is to know of a build."""
    return Making(files=tuple(files), paper=paper, backs=request.backs, flip=request.flip, card=request.card_size,
                  ink=request.ink, marks=request.marks, booklet=request.booklet, sleeve=sleeve, advice=advice,
                  game=request.game)


def make_guide(texts: Texts, making: Making) -> Booklet:
    return guide(texts, making, page_of(making.paper.size))


def foldable(paper: Size) -> bool:
    """Whether two pages of a booklet have room beside each other."""
    sheet, page = paper.portrait.turned, page_of(paper)
    return sheet.width > 2 * page.width - 1e-6 and sheet.height > page.height - 1e-6


def too_small(paper: Format) -> Problem:
    """Why a booklet comes as single pages on this paper."""
    return Problem(place="--booklet", key=paper.name,
                   what=f"two pages of {page_of(paper.size)} don't fit {paper.size}, so booklets come as single pages",
                   remedy="print them on A4 or Letter, or give --no-booklet")


def file_names(name: str, request: BuildRequest, paper: Format) -> tuple[str, str]:
    """A booklet's file for the paper and the one for the screen: each names what sets it apart, not what is usual."""
    if name == RULES:
        words = (paper.name, *request.words(Kind.RULES)), ("screen", *request.words(Kind.SCREEN_RULES))
    else:
        apart = (paper.name, *request.words(Kind.GUIDE))
        usual = (SCREEN_PAPER.name, Backs.DUPLEX.value)
        words = apart, ("screen", *(apart[2:] if apart[:2] == usual else apart))
    on_paper, on_screen = (request.named(name, *each) for each in words)
    return on_paper, on_screen


def set_booklet(booklet: Booklet, studio: Studio, texts: Texts) -> SetBooklet:
    """Draw and set a booklet, page by page.

    Raises InputError for faces that can't be drawn, and for characters that can't be set, each where it is written.
    """
    subject = f"[{booklet.title} {booklet.lang}]"
    if strange := unprintable(booklet, studio.fonts):
        raise InputError(_unset(strange, texts, booklet.title))
    faces = {asked: studio.draw(asked, 0, subject) for asked in booklet.requests()}
    left_out = tuple(Problem(place=studio.templates.place(f"{template}:0")[0], key="data-anchor",
                             what=f"states no place '{name}': its number is left out of the picture in the booklet",
                             remedy=f'add <g data-anchor="{name} X Y"/>, docs/templates.md')
                     for template, name in unstated(booklet, faces))
    pages = booklet_pdf(source(), settings_of(booklet, faces, studio.fonts), studio.fonts.folder)
    return SetBooklet(title=booklet.title, size=booklet.page, pages=pages, count=page_count(pages),
                      left_out=left_out)


def _unset(strange: Sequence[tuple[str, str]], texts: Texts, title: str) -> Iterator[Problem]:
    """A problem for each text with characters that can't be set; the ``title`` where they come from no text."""
    found: dict[str, list[str]] = {}
    for character, words in strange:
        for key in written_in(words, texts, character) or [""]:
            found.setdefault(key, []).append(character if character.isprintable() else f"U+{ord(character):04X}")
    for key, characters in found.items():
        what = f"no font can set the characters {listed(dict.fromkeys(characters))}"
        remedy = "take them out, or write others"
        yield (texts.problem(key, what, remedy) if key else
               Problem(place=f"{texts.lang}.toml", key=title, what=what, remedy=remedy))


def for_screen(file: str, booklet: SetBooklet, info: Callable[[int], DocumentInfo]) -> Edition:
    """The pages to read, with their tags; ``info`` makes what the file says of itself from its number of pages."""
    return Edition(file=file, content=finished(booklet.pages, info(booklet.count)), size=booklet.size,
                   sides=(("front",),) * booklet.count, sheets=0, left_out=booklet.left_out)


def for_paper(file: str, booklet: SetBooklet, request: BuildRequest, paper: Format,
              info: Callable[[int], DocumentInfo]) -> Edition:
    """The pages to print: on sheets to fold, or each on a sheet of its own."""
    if not request.booklet:
        pages = for_screen(file, booklet, info)
        return replace(pages, sheets=len(pages.sides))
    sheet, sheets = paper.size.portrait.turned, saddle_stitch(booklet.count)
    content = folded(booklet.pages, sheets, sheet, booklet.size, request.flip, info(2 * len(sheets)))
    return Edition(file=file, content=content, size=sheet, sides=(("front", "back"),) * len(sheets),
                   sheets=len(sheets), left_out=booklet.left_out)
