"""What a booklet is made of: headings, paragraphs, lists, tables, pictures; a game makes one, typst sets it.

Lengths are in millimetres. A booklet is words and pictures only; how it looks stands in ``booklet.typ``.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Literal

from ppgen.engine.drawing.face import FaceRequest
from ppgen.engine.geometry import Point, Rect, Size

MARGIN = 13.0
"""The white around a page's text: home printers lose up to 6.7 mm."""


@dataclass(frozen=True, slots=True)
class Span:
    """Words in one style."""

    words: str
    strong: bool = False
    emphasis: bool = False


Line = tuple[Span, ...]
"""Words that run on, styled span by span."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Picture:
    """A face in its place in a scene; ``veil`` lays so much white over it (0 to 1), ``frame`` a colour around it.

    ``corner`` rounds the corners that are cut off, ``outline`` draws a hair line along the edge, unless the face has an
    outline of its own. Of a face that is
    higher than its box only the upper part is shown.
    """

    request: FaceRequest
    box: Rect
    corner: float = 0.0
    outline: bool = True
    veil: float = 0.0
    frame: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Stroke:
    """A line in a scene, with an arrow head at its end or without, dashed or whole.

    ``seal`` gives it the red of seals, with a white rim.
    """

    start: Point
    end: Point
    arrow: bool = False
    dashed: bool = False
    width: float = 0.3
    colour: str = ""
    seal: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Area:
    """A rectangle in a scene; empty colours are left out."""

    box: Rect
    fill: str = ""
    stroke: str = ""
    corner: float = 0.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Label:
    """Words in a scene, in the middle of the height of ``box``; ``seal`` sets them white on a round red ground."""

    words: str
    box: Rect
    align: Literal["left", "center", "right"] = "left"
    size: float = 8.0
    style: Literal["text", "title", "italic"] = "text"
    seal: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Numbers:
    """Numbered seals around a picture, from 1 on, with lines to the ``anchors`` of its face in their order.

    ``room`` is what they take on the left, on the right and above the picture, in mm. Where the face does not state
    an anchor, its number is left out.
    """

    picture: Picture
    anchors: tuple[str, ...]
    room: float = 4.0


Part = Picture | Stroke | Area | Label | Numbers
"""What a scene is made of."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Figure:
    """A drawn scene of that size; ``alt`` tells it to who does not see it, ``caption`` stands below.

    One that ``floats`` goes to the head of the next page where the page has no room left, and the text goes on.
    """

    size: Size
    parts: tuple[Part, ...]
    alt: str
    caption: Line = ()
    floats: bool = False


@dataclass(frozen=True, slots=True)
class Heading:
    """A title; ``level`` counts from 1. ``opens`` begins a new page."""

    words: str
    level: int = 1
    opens: bool = False


@dataclass(frozen=True, slots=True)
class Paragraph:
    words: Line


@dataclass(frozen=True, slots=True)
class Listing:
    """A list, numbered or with bullets."""

    entries: tuple[Line, ...]
    numbered: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Table:
    """Rows of cells under a head (which may be empty); ``widths`` are in mm, 0 takes what is left."""

    head: tuple[Line, ...]
    rows: tuple[tuple[Line | Figure, ...], ...]
    widths: tuple[float, ...]
    centred: tuple[int, ...] = ()
    plain: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Panel:
    """Blocks on a ground of their own, kept together: an example, a note."""

    blocks: tuple[Block, ...]
    kind: Literal["example", "note"] = "example"


@dataclass(frozen=True, slots=True, kw_only=True)
class Beside:
    """Blocks in two columns; ``left`` is so many mm wide."""

    left: tuple[Block, ...]
    right: tuple[Block, ...]
    width: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Cover:
    """The head of the first page: a picture over the whole measure, title, subtitle, a line of facts."""

    art: Figure
    title: str
    subtitle: str
    facts: str


@dataclass(frozen=True, slots=True)
class Foot:
    """Small print at the foot of the page that it stands on."""

    words: Line


Block = Heading | Paragraph | Listing | Table | Panel | Beside | Cover | Foot | Figure


ORNAMENT = FaceRequest(template="shared/booklet-ornament.svg.j2", size=Size(10, 10), values={})
"""The star beside the headings of booklets."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Booklet:
    """A document of pages of one size. ``ornament`` is drawn beside headings and at the foot of pages."""

    title: str
    running: str
    lang: str
    page: Size
    blocks: tuple[Block, ...]
    ornament: FaceRequest = ORNAMENT
    author: str = ""
    size: float = 9.6
    ink: str = "full"

    @property
    def measure(self) -> float:
        """The width of its text."""
        return measure_of(self.page)

    def requests(self) -> tuple[FaceRequest, ...]:
        """Every face that is to be drawn, each once, in the order of the pages."""
        pictures = (picture.request for figure in figures_in(self.blocks) for picture in pictures_in(figure))
        return tuple(dict.fromkeys((self.ornament, *pictures)))


def measure_of(page: Size) -> float:
    """The width of the text on a page of that size."""
    return page.width - 2 * MARGIN


def figures_in(blocks: Sequence[Block]) -> Iterator[Figure]:
    """Every figure of some blocks."""
    for block in blocks:
        match block:
            case Figure():
                yield block
            case Cover():
                yield block.art
            case Panel():
                yield from figures_in(block.blocks)
            case Beside():
                yield from figures_in((*block.left, *block.right))
            case Table():
                yield from (cell for row in block.rows for cell in row if isinstance(cell, Figure))


def pictures_in(figure: Figure) -> Iterator[Picture]:
    """Every picture of a figure, those with numbers too."""
    for part in figure.parts:
        if isinstance(part, Numbers):
            yield part.picture
        elif isinstance(part, Picture):
            yield part


def words_in(booklet: Booklet) -> Iterator[tuple[str, str]]:
    """All words that are printed, each with its text style."""
    yield "title", booklet.title
    yield "italic", booklet.running
    yield from _words(booklet.blocks)


def _words(blocks: Sequence[Block]) -> Iterator[tuple[str, str]]:
    for block in blocks:
        match block:
            case Heading():
                yield "title", block.words
            case Paragraph() | Foot():
                yield from _line_words(block.words)
            case Listing():
                for entry in block.entries:
                    yield from _line_words(entry)
            case Table():
                for cell in (*block.head, *(cell for row in block.rows for cell in row)):
                    yield from _words((cell,)) if isinstance(cell, Figure) else _line_words(cell)
            case Panel():
                yield from _words(block.blocks)
            case Beside():
                yield from _words((*block.left, *block.right))
            case Cover():
                yield from (("title", block.title), ("title", block.subtitle), ("italic", block.facts))
            case Figure():
                yield from ((part.style, part.words) for part in block.parts if isinstance(part, Label))
                yield from _line_words(block.caption)


def _line_words(line: Line) -> Iterator[tuple[str, str]]:
    for span in line:
        yield "strong" if span.strong else "italic" if span.emphasis else "text", span.words
