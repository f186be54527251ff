"""Booklets: running text with figures, fitted to pages, and as a web page."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import accumulate, groupby
from math import fsum
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from markupsafe import Markup

from ppgen.engine.drawing.face import FaceRequest
from ppgen.engine.drawing.fonts import FontBook
from ppgen.engine.geometry import INCH, MM, Point, Rect, Size
from ppgen.errors import InputError, Problem, Problems, Spot, format_count
from ppgen.lines import KATAKANA
from ppgen.reading.fields import Source
from ppgen.reading.texts import Texts
from ppgen.records import dataclass, field, replace
from ppgen.shipped import shipped_root

if TYPE_CHECKING:
    from jinja2 import Environment


# --- Values ---
# Lengths in mm. A booklet is words and pictures only; booklet.typ decides what they look like.

BOOKLET_MARGIN = 13.0  # margin around the text of a page, in mm: home printers lose up to 6.7 mm

CELL_INSET_MM, PANEL_INSET_MM, COLUMN_GAP_MM = 1.3, 3.0, 4.0  # room beside a cell, a panel, and between columns
ENTRY_INDENT_MM = 6.0  # most room that a list takes before the words of an entry
HEADING_SIZES_PT, COVER_SIZE_PT = (13.0, 10.0, 8.4), 20.0  # size of the letters of headings by level, and of the title
USUAL_SIZE_PT = 9.6  # size of the text, unless the booklet has its own
LARGE_PRINT_ZOOM = 1.5  # of large print: the column of A5 fills A4, and text of the usual size has 14.4 pt


@dataclass(frozen=True, slots=True)
class Mention:
    """Something of the deck that a text shows by its name: a file (``picture``), an icon, a piece or a whole part."""

    kind: Literal["picture", "icon", "card", "part"]
    name: str
    spot: Spot
    caption: str = ""


@dataclass(frozen=True, slots=True)
class InlinePicture:
    """A face in a line of text; ``height`` is in parts of the size of its letters."""

    request: FaceRequest
    height: float
    is_icon: bool = False


@dataclass(frozen=True, slots=True)
class Span:
    """Words in one style, or what they describe; a :class:`Mention` becomes an :class:`InlinePicture` later."""

    words: str
    strong: bool = False
    emphasis: bool = False
    keyword: bool = False
    link: str = ""
    shown: Mention | InlinePicture | None = None


TextLine = tuple[Span, ...]  # words of a paragraph, a list entry or a table cell, in spans of one style


@dataclass(frozen=True, slots=True, kw_only=True)
class BookletPicture:
    """A face in its place in a figure; only the upper part of one that is higher than its box is visible."""

    request: FaceRequest
    box: Rect
    corner: float = 0.0  # radius of its corners
    outline: bool = True  # a hairline along its edge
    veil: float = 0.0  # opacity of white over it, 0 to 1
    frame: str = ""  # colour of a frame


@dataclass(frozen=True, slots=True, kw_only=True)
class Stroke:
    """A line in a figure; ``arrow`` adds a head at its end, ``seal`` makes it red like seals, with a white rim."""

    start: Point
    end: Point
    arrow: bool = False
    dashed: bool = False
    width: float = 0.3
    colour: str = ""
    seal: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class BookletArea:
    """A rectangle in a figure; empty colours are not drawn."""

    box: Rect
    fill: str = ""
    stroke: str = ""
    corner: float = 0.0


@dataclass(frozen=True, slots=True, kw_only=True)
class FigureLabel:
    """Words in a figure, at half the height of ``box``; ``seal`` sets them white on a round red ground."""

    words: str
    box: Rect
    align: Literal["left", "center", "right"] = "left"
    size: float = 8.0
    style: Literal["text", "title", "italic"] = "text"
    seal: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Numbers:
    """Seals around a picture, numbered from 1, with lines to the anchors of its face."""

    picture: BookletPicture
    anchors: tuple[str, ...]  # in this order; those that the face lacks are left out with their number
    room: float = 4.0  # width that they need on the left, on the right and above the picture, in mm


FigurePart = BookletPicture | Stroke | BookletArea | FigureLabel | Numbers  # an element of a figure


@dataclass(frozen=True, slots=True, kw_only=True)
class Figure:
    """A drawn scene."""

    size: Size
    parts: tuple[FigurePart, ...]
    alt: str  # describes it for readers who can't see it
    caption: TextLine = ()  # stands below
    floats: bool = False  # moves to the head of the next page if the page has no room left; the text goes on


@dataclass(frozen=True, slots=True, kw_only=True)
class Gallery:
    """Things of the deck to be shown in a row, each with its description; it becomes a :class:`Figure`."""

    things: tuple[tuple[Mention, str], ...]
    caption: str = ""


@dataclass(frozen=True, slots=True)
class Heading:
    """A heading; ``level`` counts from 1, ``opens`` starts a new page. A ``line`` is printed in place of the words."""

    words: str
    level: int = 1
    opens: bool = False
    line: TextLine = ()


@dataclass(frozen=True, slots=True)
class Paragraph:
    words: TextLine


@dataclass(frozen=True, slots=True)
class Entry:
    """An entry of a list with blocks below its words: further lists, paragraphs, figures."""

    words: TextLine
    blocks: tuple[Block, ...]


@dataclass(frozen=True, slots=True)
class Listing:
    """A list, with bullets or numbered from ``start``."""

    entries: tuple[TextLine | Entry, ...]
    numbered: bool = False
    start: int = 1


@dataclass(frozen=True, slots=True, kw_only=True)
class BookletTable:
    """Rows of cells under a head. One without widths gets them from its words, and may go on on the next page."""

    head: tuple[TextLine, ...]  # may be empty
    rows: tuple[tuple[TextLine | Figure | Gallery, ...], ...]
    widths: tuple[float, ...]  # in mm; 0 takes the rest
    centred: tuple[int, ...] = ()
    plain: bool = False
    on_top: bool = False  # the cells of a row begin on one line
    ends: tuple[int, ...] = ()  # columns set to the right
    size: float = 1.0  # of its letters, in parts of the booklet's
    spot: Spot | None = None  # where it was written


@dataclass(frozen=True, slots=True, kw_only=True)
class Panel:
    """Blocks on a ground of their own: an example, which stays on one page, or a note."""

    blocks: tuple[Block, ...]
    kind: Literal["example", "note"] = "example"


@dataclass(frozen=True, slots=True, kw_only=True)
class Beside:
    """Blocks in two columns; ``width`` is that of the left one in mm."""

    left: tuple[Block, ...]
    right: tuple[Block, ...]
    width: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Cover:
    """The head of the first page: a picture across the text width, title, subtitle, a line of facts, if any."""

    art: Figure | None
    title: str
    subtitle: str
    facts: str


@dataclass(frozen=True, slots=True)
class Foot:
    """Small print at the foot of its page."""

    words: TextLine


@dataclass(frozen=True, slots=True)
class Divider:
    """A break between two thoughts."""


@dataclass(frozen=True, slots=True)
class Contents:
    """The headings of the booklet with their pages."""


Block = (Heading | Paragraph | Listing | BookletTable | Panel | Beside | Cover | Foot | Figure | Gallery | Divider
         | Contents)


ORNAMENT = FaceRequest(template="shared/booklet-ornament.svg.j2", size=Size(10, 10), values={})
"""The star next to headings."""


@dataclass(frozen=True, slots=True, kw_only=True)
class FinishedBooklet:
    """A PDF that somebody else has set: the ``content`` of the file of this ``name``."""

    title: str
    lang: str
    name: str
    content: bytes

    def requests(self) -> tuple[FaceRequest, ...]:
        """No faces: its pictures are its own."""
        return ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Booklet:
    """A document of pages of one size, in book units."""

    title: str
    running: str
    lang: str
    page: Size
    blocks: tuple[Block, ...]
    ornament: FaceRequest = ORNAMENT  # drawn next to headings and at the foot of pages
    author: str = ""
    size: float = USUAL_SIZE_PT  # of its text, in points
    compact: bool = False  # less space between lines and blocks
    ink: str = "full"
    source: Source | None = None  # the file that holds all its words, if there is one
    warnings: tuple[Problem, ...] = ()  # advice for its author
    margin: float = BOOKLET_MARGIN  # at each side of a page
    zoom: float = 1.0  # how many times as large its units are printed

    @property
    def measure(self) -> float:
        """The width of its text in book units."""
        return self.page.width - 2 * self.margin

    @property
    def printed_page(self) -> Size:
        """The size of a page on paper in mm."""
        return Size(self.page.width * self.zoom, self.page.height * self.zoom)

    def enlarge(self, paper: Size) -> Booklet:
        """Return the booklet in large print: the same column, magnified, on pages of this size."""
        page = Size(paper.width / LARGE_PRINT_ZOOM, paper.height / LARGE_PRINT_ZOOM)
        return replace(self, page=page, margin=(page.width - self.measure) / 2, zoom=LARGE_PRINT_ZOOM,
                       size=max(self.size, USUAL_SIZE_PT), compact=False)

    def requests(self) -> tuple[FaceRequest, ...]:
        """The faces to draw, each once, in the order of the pages."""
        pictures = (picture.request for figure in iter_figures(self.blocks) for picture in iter_pictures(figure))
        inline = (picture.request for picture in self.inline_pictures())
        return tuple(dict.fromkeys((self.ornament, *pictures, *inline)))

    def inline_pictures(self) -> Iterator[InlinePicture]:
        """The pictures in its lines."""
        for _, line in _block_lines(self.blocks):
            yield from (span.shown for span in line if isinstance(span.shown, InlinePicture))


def column_width(page: Size) -> float:
    """The width of the text on a page of that size, in mm."""
    return page.width - 2 * BOOKLET_MARGIN


StyledLine = tuple[str, TextLine]  # a line after its text style, which is empty where each span has its own


def contents(block: Block) -> Iterator[StyledLine | Block]:
    """The lines and blocks in a block, in the order of the page."""
    match block:
        case Heading():
            yield "title", block.line or (Span(block.words),)
        case Paragraph() | Foot():
            yield "", block.words
        case Listing():
            for entry in block.entries:
                yield "", entry.words if isinstance(entry, Entry) else entry
                yield from entry.blocks if isinstance(entry, Entry) else ()
        case BookletTable():
            for cell in (*block.head, *(cell for row in block.rows for cell in row)):
                yield cell if isinstance(cell, Figure | Gallery) else ("", cell)
        case Panel():
            yield from block.blocks
        case Beside():
            yield from (*block.left, *block.right)
        case Cover():
            yield from (block.art,) if block.art else ()
            yield from (("title", (Span(block.title),)), ("title", (Span(block.subtitle),)),
                        ("italic", (Span(block.facts),)))
        case Figure():
            yield from ((part.style, (Span(part.words),)) for part in block.parts if isinstance(part, FigureLabel))
            yield "", block.caption


def map_lines(block: Block, map_line: Callable[[TextLine, float], TextLine],
              map_blocks: Callable[[Sequence[Block], float], tuple[Block, ...]]) -> Block:
    """Change the lines of a block, and the blocks in it; both functions get the width (mm) that these lack."""
    match block:
        case Heading(line=line):
            return replace(block, line=map_line(line, 0.0))
        case Paragraph(words=words):
            return Paragraph(map_line(words, 0.0))
        case Panel(blocks=blocks):
            return replace(block, blocks=map_blocks(blocks, 2 * PANEL_INSET_MM))
        case Listing(entries=entries):
            return replace(block, entries=tuple(
                Entry(map_line(entry.words, ENTRY_INDENT_MM), map_blocks(entry.blocks, ENTRY_INDENT_MM))
                if isinstance(entry, Entry) else map_line(entry, ENTRY_INDENT_MM) for entry in entries))
    return block


def iter_blocks(blocks: Iterable[Block]) -> Iterator[Block]:
    """All blocks with those in them, each before its own."""
    for block in blocks:
        yield block
        yield from iter_blocks(each for each in contents(block) if not isinstance(each, tuple))


def iter_figures(blocks: Iterable[Block]) -> Iterator[Figure]:
    """All figures in the blocks."""
    return (block for block in iter_blocks(blocks) if isinstance(block, Figure))


def iter_pictures(figure: Figure) -> Iterator[BookletPicture]:
    """All pictures in a figure, including those with numbers."""
    for part in figure.parts:
        if isinstance(part, Numbers):
            yield part.picture
        elif isinstance(part, BookletPicture):
            yield part


def iter_words(booklet: Booklet) -> Iterator[tuple[str, str]]:
    """All printed words, each after its text style."""
    yield "title", booklet.title
    yield "italic", booklet.running
    for style, line in _block_lines(booklet.blocks):
        yield from ((style or span_style(span), span.words) for span in line if not span.shown)


def span_style(span: Span) -> str:
    return "strong" if span.strong or span.keyword else "italic" if span.emphasis else "text"


def _block_lines(blocks: Iterable[Block]) -> Iterator[StyledLine]:
    for block in blocks:
        for each in contents(block):
            yield from (each,) if isinstance(each, tuple) else _block_lines((each,))


# Markup
#
# Light enough for translators: an empty line separates paragraphs, ``- `` and ``1. `` start the entries of a list,
# ``## `` a smaller heading, ``> `` a note; ``*strong*``, ``_emphasis_``. A ``{placeholder}`` on a line of its own is
# replaced by blocks from elsewhere: figures, tables, examples.

_INLINE = re.compile(r"\*(\S(?:[^*]*\S)?)\*|(?<![^\W_])_(\S(?:[^_]*\S)?)_(?![^\W_])")
_ENTRY = re.compile(r"(-|(?<!\d)\d++\.) ++")
_PLACEHOLDER = re.compile(r"\{([a-z_]+)\}")
MAX_NOTES = 5  # maximum depth of notes in notes; typst refuses layouts of 40 nested blocks


def parse_blocks(text: str, inserts: Mapping[str, Sequence[Block]]) -> tuple[Block, ...]:
    """Parse a text with blocks as ``inserts`` by name. Raises ValueError for wrong ones, and deep notes."""
    return tuple(_parse_blocks(text, inserts, MAX_NOTES))


def blocks_from_texts(texts: Texts, key: str, inserts: Mapping[str, Sequence[Block]], values: Mapping[str, object],
                      more: str = "") -> tuple[Block, ...]:
    """Parse the text of a key, filled in, and ``more`` after it. Raises InputError with its place in the file."""
    try:
        return parse_blocks(texts(key, **{**values, **{name: f"{{{name}}}" for name in inserts}}) + more, inserts)
    except ValueError as error:
        raise InputError([texts.problem(key, str(error))]) from error


def parse_line(words: str) -> TextLine:
    """Parse words with *strong* and _emphasised_ spans."""
    spans, at = [], 0
    for match in _INLINE.finditer(words):
        spans.append(Span(words[at:match.start()]))
        spans.append(Span(match[1], strong=True) if match[1] else Span(match[2], emphasis=True))
        at = match.end()
    return tuple(span for span in (*spans, Span(words[at:])) if span.words)


def _parse_blocks(text: str, inserts: Mapping[str, Sequence[Block]], notes: int) -> Iterator[Block]:
    for part in re.split(r"\n\s*\n", text.strip()):
        lines = [line.strip() for line in part.strip().splitlines()]
        while lines and lines[0].startswith("## "):
            yield Heading(lines.pop(0)[3:].strip(), 2)
        if not lines:
            continue
        if placeholder := _PLACEHOLDER.fullmatch(part.strip()):
            if placeholder[1] not in inserts:
                raise ValueError(f"{{{placeholder[1]}}} is not a picture, table or example")
            yield from inserts[placeholder[1]]
        elif stray := _PLACEHOLDER.search(part):
            raise ValueError(f"{stray[0]} wants a line of its own, between empty lines")
        elif all(line.startswith(">") for line in lines):
            if not notes:
                raise ValueError(f"has notes in notes, more than {MAX_NOTES} deep")
            inside = "\n".join(line[1:].strip() for line in lines)
            yield Panel(kind="note", blocks=tuple(_parse_blocks(inside, inserts, notes - 1)))
        elif _ENTRY.match(lines[0]):
            yield Listing(tuple(_parse_entries(lines)), numbered=not lines[0].startswith("-"))
        else:
            yield Paragraph(parse_line(_join_lines(lines)))


def _parse_entries(lines: Sequence[str]) -> Iterator[TextLine]:
    """The entries of a list; a line without a bullet or number continues the entry before."""
    numbers = accumulate(bool(_ENTRY.match(line)) for line in lines)
    for _, run in groupby(zip(numbers, lines, strict=True), key=lambda pair: pair[0]):
        yield parse_line(_ENTRY.sub("", _join_lines([line for _, line in run]), count=1))


def _join_lines(lines: Sequence[str]) -> str:
    """Join the lines of a paragraph, without a space between Japanese characters."""
    text = ""
    for line in lines:
        wide = text and line and min(text[-1], line[0]) >= "\u3000"
        text += line if not text or wide else f" {line}"
    return text


# --- Fitting ---
# Fitting of texts that were never tried on a page: widths for their tables, and breaks for words wider than a line. A
# table without widths gets them from its words, and smaller letters if it is too wide for its page. A word that is too
# long for a line gets soft hyphens.

STAR_MM = 5.0  # room for the star beside a heading
MIN_TABLE_SIZE = 0.75  # least size of a table's letters in parts of the booklet's
SLACK = 1.04  # width that words may have beyond their measured one: strong figures, icons in between
_LONG = r"[^\s/\u3000-\u9fff\uff00-\uffef]{12,}"  # words that may be too wide for a line
_PIECES = rf"[{KATAKANA}]+|[\u3000-\u9fff\uff00-\uffef]|[^\s\u3000-\u9fff\uff00-\uffef]+"
"""Units that a line does not break in: a word, or a wide character outside of katakana."""


def fit_booklet(booklet: Booklet, fonts: FontBook) -> tuple[Booklet, tuple[Problem, ...]]:
    """Fit a booklet of a file's words; also return what is set smaller. Raises InputError for tables too wide."""
    if not booklet.source:
        return booklet, ()
    fitter = _Fitter(fonts, booklet.size * MM["pt"])
    blocks = fitter.fit_blocks(booklet.blocks, booklet.measure)
    fitter.problems.raise_if_any()
    return replace(booklet, blocks=blocks), tuple(fitter.warnings)


class _Fitter:
    """``size`` is that of the text in mm."""

    def __init__(self, fonts: FontBook, size: float) -> None:
        self._fonts, self._size = fonts, size
        self.problems, self.warnings = Problems(), Problems()

    def fit_blocks(self, blocks: Sequence[Block], room: float) -> tuple[Block, ...]:
        return tuple(self._fit(block, room) for block in blocks)

    def _fit(self, block: Block, room: float) -> Block:
        match block:
            case Cover(title=title):
                return replace(block, title=self._break_words(title, "title", COVER_SIZE_PT * MM["pt"], room))
            case Heading(words=words, level=level, line=line):
                size = HEADING_SIZES_PT[level - 1] * MM["pt"]
                return replace(block, words=self._break_words(words, "title", size, room - STAR_MM),
                               line=self._break_line(line, room - STAR_MM, "title", size))
            case BookletTable(widths=(), spot=spot) if spot:
                return self._fit_table(block, room)
        return map_lines(block, lambda line, less: self._break_line(line, room - less),
                         lambda blocks, less: self.fit_blocks(blocks, room - less))

    def _break_line(self, line: TextLine, room: float, style: str = "", size: float = 0.0) -> TextLine:
        return tuple(span if span.shown else replace(span, words=self._break_words(
            span.words, style or span_style(span), size or self._size, room)) for span in line)

    def _break_words(self, words: str, style: str, size: float, room: float) -> str:
        """Put a soft hyphen after every few letters of each word that is wider than the room."""
        def break_word(match: re.Match[str]) -> str:
            if self._fonts.width(match[0], style, size) * SLACK <= room:
                return match[0]
            return "\u00ad".join(match[0][at:at + 3] for at in range(0, len(match[0]), 3))

        return re.sub(_LONG, break_word, words)

    def _fit_table(self, table: BookletTable, room: float) -> BookletTable:
        rows = [row for row in (table.head, *table.rows) if row]
        columns = [[row[n] for row in rows] for n in range(len(rows[0]))] if rows else []
        needs = [max(self._need(cell) for cell in column) for column in columns]
        wishes = [max(self._wish(cell) for cell in column) for column in columns]
        room -= 2 * CELL_INSET_MM * len(columns)
        size = min(1.0, room / max(fsum(needs), 1e-6))
        if size < 1 and table.spot:
            over, remedy = fsum(needs) - room, "make two of it, or shorten its longest words"
            what = f"the table of {format_count(len(columns), 'column')} is {over:.0f} mm too wide"
            if size < MIN_TABLE_SIZE:
                self.problems.append(table.spot.problem(what, remedy))
            else:
                self.warnings.append(table.spot.problem(f"{what}: its letters are shrunk to {size:.0%}", remedy))
        spare = min(1.0, max(0.0, room / size - fsum(needs)) / max(fsum(wishes) - fsum(needs), 1e-6))
        widths = [(need + (wish - need) * spare) * size + 2 * CELL_INSET_MM
                  for need, wish in zip(needs, wishes, strict=True)]
        return replace(table, widths=tuple(round(width, 2) for width in widths), size=round(size - 0.0005, 3))

    def _need(self, cell: TextLine | Figure | Gallery) -> float:
        """The width of the widest piece that can't be broken, in mm."""
        if isinstance(cell, Figure | Gallery):
            return cell.size.width if isinstance(cell, Figure) else 0.0
        return SLACK * max([self._size, *(self._width(piece, span_style(span)) for span in cell if not span.shown
                                          for piece in re.findall(_PIECES, span.words)),
                            *(self._picture_width(span.shown) for span in cell
                              if isinstance(span.shown, InlinePicture))])

    def _wish(self, cell: TextLine | Figure | Gallery) -> float:
        """The width of the widest line, if nothing is broken."""
        if isinstance(cell, Figure | Gallery):
            return self._need(cell)
        widest = line = 0.0
        for span in cell:
            if isinstance(span.shown, InlinePicture):
                line += self._picture_width(span.shown)
                continue
            for n, words in enumerate(span.words.split("\n")):
                widest, line = (max(widest, line), 0.0) if n else (widest, line)
                line += self._width(words, span_style(span))
        return max(SLACK * max(widest, line), self._need(cell))

    def _width(self, words: str, style: str) -> float:
        return self._fonts.width(words, style, self._size)

    def _picture_width(self, picture: InlinePicture) -> float:
        return (picture.height * picture.request.size.width / picture.request.size.height + 0.2) * self._size


# --- Web pages ---
# The blocks that booklet.typ sets, written as HTML, and the environment of page templates.

CSS_DPI = 96
FIGURE_SCALE = 1.15  # figures of a booklet are shown a little larger on a screen than on its small pages
MAX_HEADING_LEVEL = 4


@lru_cache(maxsize=1)
def page_templates(folder: Path) -> Environment:
    """The environment of ppgen's own page templates, which escapes all values."""
    import jinja2

    return jinja2.Environment(loader=jinja2.FileSystemLoader(folder), autoescape=True, trim_blocks=True,
                              lstrip_blocks=True, undefined=jinja2.StrictUndefined)


@dataclass(slots=True)
class WebPageWriter:
    """Writes blocks as HTML, by ``templates/site/booklet.html``."""

    figure_source: Callable[[Figure], str]  # returns the address of a picture
    face_source: Callable[[FaceRequest], str]  # likewise
    sections: list[str] = field(default_factory=list)  # headings of the highest level; ids `s1`, `s2` …

    def write(self, blocks: Iterable[Block]) -> Markup:
        def begin_section(heading: str) -> int:
            self.sections.append(heading)
            return len(self.sections)

        template = page_templates(shipped_root() / "templates" / "site").get_template("booklet.html")
        macros: Any = template.make_module({
            "kind_of": lambda value: type(value).__name__, "begin_section": begin_section,
            "figure_source": self.figure_source, "face_source": self.face_source,
            "max_heading_level": MAX_HEADING_LEVEL,
            "pixels": lambda side: round(side / INCH * CSS_DPI * FIGURE_SCALE)})
        return Markup("\n").join(macros.block(block) for block in blocks)
