"""Lengths, points, sizes and rectangles on a page, and named papers and card sizes."""

from __future__ import annotations

import re
from collections.abc import Mapping
from math import inf
from pathlib import Path

from ppgen.errors import Phrase, Problems, join_names
from ppgen.reading.fields import read_toml
from ppgen.records import dataclass

# Values in millimetres, origin top left, y down. A size may be 0, where no room is left; a negative one raises
# ValueError.


@dataclass(frozen=True, slots=True)
class Point:
    """A position on a page, or a shift, in mm."""

    x: float
    y: float


ORIGIN = Point(0, 0)


@dataclass(frozen=True, slots=True)
class Scale:
    """Factors that a sheet is enlarged by in print, across and down; 1 keeps its size. ValueError for 0 or less."""

    x: float = 1.0
    y: float = 1.0

    def __post_init__(self) -> None:
        if not (0 < self.x < inf and 0 < self.y < inf):
            raise ValueError(f"no scale: {self.x:g}, {self.y:g}")


UNSCALED = Scale()


@dataclass(frozen=True, slots=True)
class Size:
    """Width and height in mm."""

    width: float
    height: float

    def __post_init__(self) -> None:
        _check_size(self.width, self.height)

    @property
    def turned(self) -> Size:
        return Size(self.height, self.width)

    @property
    def portrait(self) -> Size:
        return self if self.width <= self.height else self.turned

    @property
    def is_square(self) -> bool:
        return self.width == self.height

    def __str__(self) -> str:
        return f"{self.width:g} × {self.height:g} mm"


@dataclass(frozen=True, slots=True)
class Insets:
    """A length for each edge, in mm."""

    top: float
    right: float
    bottom: float
    left: float

    @classmethod
    def all(cls, length: float) -> Insets:
        return cls(length, length, length, length)


@dataclass(frozen=True, slots=True)
class Rect:
    """A rectangle: its top left corner and its size, in mm."""

    x: float
    y: float
    width: float
    height: float

    def __post_init__(self) -> None:
        _check_size(self.width, self.height)

    @property
    def right(self) -> float:
        return self.x + self.width

    @property
    def bottom(self) -> float:
        return self.y + self.height

    @property
    def size(self) -> Size:
        return Size(self.width, self.height)

    def grown(self, by: Insets) -> Rect:
        return Rect(self.x - by.left, self.y - by.top,
                    self.width + by.left + by.right, self.height + by.top + by.bottom)

    def shifted(self, by: Point) -> Rect:
        return Rect(self.x + by.x, self.y + by.y, self.width, self.height)

    def shared(self, other: Rect) -> Rect:
        """The area that both share; ValueError if they lie apart."""
        x, y = max(self.x, other.x), max(self.y, other.y)
        return Rect(x, y, min(self.right, other.right) - x, min(self.bottom, other.bottom) - y)

    def contains(self, other: Rect, slack: float = 1e-6) -> bool:
        return (self.x <= other.x + slack and self.y <= other.y + slack
                and other.right <= self.right + slack and other.bottom <= self.bottom + slack)

    def overlaps(self, other: Rect, slack: float = 1e-6) -> bool:
        """True if the two share an area; rectangles that only touch do not."""
        return (self.x < other.right - slack and other.x < self.right - slack
                and self.y < other.bottom - slack and other.y < self.bottom - slack)


@dataclass(frozen=True, slots=True)
class Seams:
    """Allowed cuts through a picture: distances from its left and from its top edge, in mm."""

    x: tuple[float, ...] = ()
    y: tuple[float, ...] = ()


ANYWHERE = Seams()


@dataclass(frozen=True, slots=True)
class LineSegment:
    """A straight line between two points."""

    start: Point
    end: Point


def bounding_box(rects: tuple[Rect, ...]) -> Rect:
    """The smallest rectangle around all of them; ValueError for none."""
    x, y = min(r.x for r in rects), min(r.y for r in rects)
    return Rect(x, y, max(r.right for r in rects) - x, max(r.bottom for r in rects) - y)


def _check_size(width: float, height: float) -> None:
    if not (0 <= width < inf and 0 <= height < inf):
        raise ValueError(f"no size: {width:g} × {height:g} mm")


# --- Units ---

INCH = 25.4  # mm
MM = {"mm": 1.0, "cm": 10.0, "in": INCH, "pt": INCH / 72, "": 1.0}
"""Millimetres in a unit. The point is the PDF's, 1/72 inch (ISO 32000-1, 8.3.2.3)."""

_NUMBER = r"(-?\d+(?:\.\d+)?)\s*+(mm|cm|in|pt|)"
_WITH_COMMA = _NUMBER.replace(r"\.", "[.,]")
_LENGTH = re.compile(_WITH_COMMA)
_SIZE = re.compile(rf"{_WITH_COMMA}\s*+[x×]\s*+{_WITH_COMMA}")
_SHIFT = re.compile(rf"{_NUMBER}\s*+,\s*+{_NUMBER}")


def parse_length(text: str) -> float:
    """Parse a length such as ``63mm`` or ``2.5in`` into mm; a bare number is mm. Raises ValueError in plain words."""
    if not (match := _LENGTH.fullmatch(text.strip().lower())):
        raise ValueError(Phrase("not_length", text=text))
    return _mm(match[1], match[2])


def parse_size(text: str) -> Size:
    """Parse ``63x88``, ``63mm x 88mm`` or ``2.5x3.5in`` (a unit at the end holds for both). Raises ValueError."""
    if not (match := _SIZE.fullmatch(text.strip().lower())):
        raise ValueError(Phrase("not_size", text=text))
    width, height = _mm(match[1], match[2] or match[4]), _mm(match[3], match[4])
    if min(width, height) <= 0:
        raise ValueError(Phrase("no_size", text=text))
    if max(width, height) == inf:
        raise ValueError(Phrase("endless_size"))
    return Size(width, height)


def parse_shift(text: str) -> Point:
    """Parse ``0.5,-1.2mm``: to the right and down. Raises ValueError."""
    if not (match := _SHIFT.fullmatch(text.strip().lower().replace("−", "-"))):
        raise ValueError(Phrase("not_shift", text=text))
    return Point(_mm(match[1], match[2] or match[4]), _mm(match[3], match[4]))


def _mm(number: str, unit: str) -> float:
    """Millimetres, rounded to a millionth: 3.5in equals 88.9mm exactly."""
    return round(float(number.replace(",", ".")) * MM[unit], 6)


def format_decimal(number: float) -> str:
    """Format a number for PDF and SVG, to a ten thousandth: 0.1 µm if it is in mm."""
    return f"{round(number, 4) + 0.0:.4f}".rstrip("0").rstrip(".")


def points(mm: float) -> float:
    """Convert millimetres to PDF points."""
    return mm / MM["pt"]


def pdf_box(rect: Rect, page: Size) -> tuple[float, float, float, float]:
    """Convert to a PDF rectangle: left, bottom, right, top in points, origin bottom left."""
    return (points(rect.x), points(page.height - rect.bottom), points(rect.right), points(page.height - rect.y))


# --- Named papers and card sizes: papers.toml, sizes.toml ---

SMALLEST_PAPER, LARGEST_PAPER = 80.0, 2000.0
SMALLEST_CARD, LARGEST_CARD = 25.0, 400.0
MAX_CARD_SIDE_MM = 150.0  # larger pieces on card are mats: tarot cards are 120 mm high, jumbo cards 127 mm


@dataclass(frozen=True, slots=True)
class Format:
    """A named size: a paper (portrait) or the trim of a card."""

    name: str
    size: Size

    @property
    def title(self) -> str:
        """The name as people write it: A4, Letter, 200x250."""
        if self.name[0].isdigit():
            return self.name
        return self.name.upper() if len(self.name) == 2 else self.name.title()


A4 = Format("a4", Size(210, 297))  # the paper for what is previewed or checked, not printed


@dataclass(frozen=True, slots=True, kw_only=True)
class Formats:
    """The named papers and card sizes."""

    papers: Mapping[str, Size]
    sizes: Mapping[str, Size]

    def paper(self, text: str) -> Format:
        """A paper by name or measure, in portrait. Raises ValueError in plain words."""
        paper = _parse_format(text, self.papers, Phrase("paper"), SMALLEST_PAPER, LARGEST_PAPER, "200x250mm")
        return Format(paper.name, paper.size.portrait)

    def card_size(self, text: str) -> Format:
        """The trim of a card by name or measure. Raises ValueError in plain words."""
        return _parse_format(text, self.sizes, Phrase("card_size"), SMALLEST_CARD, LARGEST_CARD, "63x88mm")


def read_formats(folder: Path) -> Formats:
    """Read papers.toml and sizes.toml of a data folder. Raises InputError with every problem."""
    problems = Problems()
    papers = _read_sizes(folder, "papers", problems)
    sizes = _read_sizes(folder, "sizes", problems)
    problems.raise_if_any()
    return Formats(papers=papers, sizes=sizes)


def _read_sizes(folder: Path, table: str, problems: Problems) -> dict[str, Size]:
    fields = read_toml(folder, f"{table}.toml", problems)
    named = fields.take_table(table)
    fields.close()
    sizes: dict[str, Size] = {}
    for name in named:
        if not re.fullmatch(r"[a-z][a-z0-9-]*", name):
            named.note(name, "is not a name", "small letters, digits and hyphens")
        if text := named.take_text(name):
            try:
                sizes[name] = parse_size(text)
            except ValueError as error:
                named.note(name, str(error))
    return sizes


def _parse_format(text: str, known: Mapping[str, Size], kind: str, smallest: float, largest: float,
                  example: str) -> Format:
    name = text.strip().lower()
    if name in known:
        return Format(name, known[name])
    if not re.match(r"[\d.\s-]", name):
        raise ValueError(Phrase("unknown_format", message=kind, text=text, names=join_names(known), example=example))
    size = parse_size(name)
    if not all(smallest <= length <= largest for length in (size.width, size.height)):
        raise ValueError(Phrase("format_range", message=kind, size=size, least=f"{smallest:g}", most=f"{largest:g}"))
    known_name = next((key for key, value in known.items() if value == size), None)
    return Format(known_name or f"{size.width:g}x{size.height:g}", size)
