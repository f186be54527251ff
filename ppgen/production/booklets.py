"""Turns the game's rules and the facts of a build into finished booklets: the parts that are read, not cut."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from ppgen.assets import Assets
from ppgen.documents.guide import GUIDE, RULES, MadeFile, Making, guide
from ppgen.engine.assembly import DocumentInfo
from ppgen.engine.booklets.document import Booklet
from ppgen.engine.booklets.folding import finished, folded, page_count, saddle_stitch
from ppgen.engine.booklets.setting import settings_of, source, unprintable
from ppgen.engine.drawing.faces import Studio
from ppgen.engine.formats import Format, read_table
from ppgen.engine.geometry import Size
from ppgen.engine.typesetting import booklet_pdf
from ppgen.errors import InputError, Problem, listed
from ppgen.production.request import BuildRequest
from ppgen.texts import Texts

BOOKLETS = (RULES, GUIDE)
"""The parts that are booklets, in the order of printing."""
WORDS = {RULES: "rules.book.name", GUIDE: "guide.name"}
"""A text of each, which a language has if it has the booklet."""
A5, HALF_LETTER = Size(148, 210), Size(139.7, 215.9)
_INCH_SIDES = (215.9, 279.4)


@dataclass(frozen=True, slots=True, kw_only=True)
class PrintedBooklet:
    """A finished booklet and the sides of its sheets: front alone, or front and back."""

    content: bytes
    size: Size
    sides: tuple[tuple[str, ...], ...]


def page_of(paper: Size) -> Size:
    """The page of a booklet: half a sheet of A4 or of Letter, whichever is kin to the paper."""
    kin = any(abs(side - inches) < 0.5 for side in (paper.width, paper.height) for inches in _INCH_SIDES)
    return HALF_LETTER if kin else A5


def sleeve_of(assets: Assets, card: Format) -> Size | None:
    """The sleeve that is sold for a card size. Raises InputError for a bad table."""
    return read_table(assets.common("sleeves.toml"), "sleeves").get(card.name)


def missing(texts: Texts, names: Sequence[str]) -> tuple[Problem, ...]:
    """The booklets that the language has no words for."""
    folders = {RULES: "rules", GUIDE: "guide"}
    return tuple(Problem(place=f"{folders[name]}/{texts.lang}.toml", key=name,
                         what="the words of this part are missing",
                         remedy=f"translate {folders[name]}/de.toml") for name in names if not has_words(texts, name))


def has_words(texts: Texts, name: str) -> bool:
    return WORDS[name] in texts.words


def making_of(request: BuildRequest, paper: Format, files: Sequence[MadeFile], sleeve: Size | None,
              advice: tuple[str, ...]) -> Making:
    """What the guide is to know of a build."""
    return Making(files=tuple(files), paper=paper, backs=request.backs, flip=request.flip, card=request.card_size,
                  ink=request.ink, marks=request.marks, booklet=request.booklet, sleeve=sleeve, advice=advice)


def make_guide(texts: Texts, making: Making) -> Booklet:
    return guide(texts, making, page_of(making.paper.size))


def print_booklet(booklet: Booklet, studio: Studio, request: BuildRequest, paper: Format,
                  info: Callable[[int], DocumentInfo]) -> PrintedBooklet:
    """Draw, set and finish a booklet; ``info`` makes what it says of itself from its number of pages.

    Raises InputError for faces that can't be drawn, and for characters that no font has.
    """
    subject = f"[{booklet.title} {booklet.lang}]"
    if strange := unprintable(booklet, studio.fonts):
        raise InputError([Problem(place=f"{booklet.lang}.toml", key=booklet.title,
                                  what=f"no font has the characters {listed(strange)}",
                                  remedy="write others, or add a font to fonts.toml")])
    faces = {id(asked): studio.draw(asked, 0, subject) for asked in booklet.requests()}
    document = booklet_pdf(source(), settings_of(booklet, faces, studio.fonts), studio.fonts.folder)
    pages = page_count(document)
    if not request.booklet:
        return PrintedBooklet(content=finished(document, info(pages)), size=booklet.page, sides=(("front",),) * pages)
    sheet = paper.size.portrait.turned
    if sheet.width < 2 * booklet.page.width - 1e-6 or sheet.height < booklet.page.height - 1e-6:
        raise InputError([Problem(place="--booklet", key=paper.name, what=f"two pages of {booklet.page} don't fit "
                                  f"{paper.size}", remedy="print on A4 or Letter, or leave --booklet out")])
    sheets = saddle_stitch(pages)
    content = folded(document, sheets, sheet, booklet.page, request.flip, info(2 * len(sheets)))
    return PrintedBooklet(content=content, size=sheet, sides=(("front", "back"),) * len(sheets))
