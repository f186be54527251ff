"""``deck.toml``: a deck's name, languages and scoring, and the cut of its pieces."""

from __future__ import annotations

import glob
import re
import unicodedata
from collections.abc import Mapping
from math import sqrt
from pathlib import Path
from typing import TYPE_CHECKING

from ppgen.assets import DECK_FILE
from ppgen.engine.component import PartLayout, Stock
from ppgen.engine.geometry import MAX_CARD_SIDE_MM, SMALLEST_CARD, Format, Formats, Rect, Size, parse_length, parse_size
from ppgen.engine.shapes import RECTANGLE, Net, Shape, ShapeKind, die, path_shape, rounded_shape, standee, tent
from ppgen.errors import Phrase, Problem, Problems, Spot
from ppgen.games.interface import DeckFolder, LearnStep, Row
from ppgen.reading.fields import Fields, is_file_name, read_toml
from ppgen.reading.tables import Cell
from ppgen.reading.texts import is_language, languages
from ppgen.records import dataclass, field, replace

if TYPE_CHECKING:
    from ppgen.play.rule_game import RuleScoring

ABOUT_FILE = "about.md"  # contents of a page about the deck: idea, author, licence
RULES = f"{__package__}.rules:"  # heavy: few commands need it
PICTURE, ICON = "rules.picture", "rules.icon"
RULES_TEMPLATES = {
    PICTURE: '{{ image(picture, fit="contain") }}',
    ICON: '{{ icon(picture, x=face.width / 2, y=face.height / 2, size=face.height, fill="#000000") }}'}
"""Templates of the pictures and icons in rules; icons have the colour of the letters."""

# --- Cut of pieces ---

MIN_SIDE_MM, MAX_SIDE_MM, MAX_TILED_SIDE_MM = 5.0, 400.0, 1200.0  # sides of a piece
MAX_TOKEN_SIDE_MM = 35.0  # smaller pieces are tokens, of board as a rule; micro cards are 32 × 45 mm
POKER = Size(63.5, 88.9)
STANDEE, TENT, DIE = "standee", "tent", "die"
SHAPES = (*(kind.value for kind in ShapeKind), STANDEE, TENT, DIE)
MIN_LENGTH_MM, MAX_LENGTH_MM = 1.0, 100.0  # a corner radius, a foot, a base or a tab
DEFAULT_FEET, DEFAULT_TAB = "8mm", "6mm"  # large enough to hold with fingers
DEFAULT_DIE_MM = 16.0  # side of a die, as of those that are sold

_MEASURE = re.compile(r"\s*+[\d.]++\s*+[a-z]*+\s*+", re.IGNORECASE)  # a single length


@dataclass(frozen=True, slots=True, kw_only=True)
class PieceCut:
    """The trim size of pieces, their shape, and the net of folded ones."""

    size: Size
    shape: Shape = RECTANGLE
    net: Net | None = None

    @property
    def is_token(self) -> bool:
        """True if pieces are tokens or tiles rather than cards: of another shape, or smaller than micro cards."""
        return not self.net and (not self.shape.is_ruled or max(self.size.width, self.size.height) <= MAX_TOKEN_SIDE_MM)

    @property
    def is_card(self) -> bool:
        """True if pieces are as large as cards, and neither folded nor tokens."""
        sides = self.size.portrait
        return not (self.net or self.is_token) and sides.width >= SMALLEST_CARD and sides.height <= MAX_CARD_SIDE_MM

    def scaled(self, card: Size) -> PieceCut:
        """Return the cut of the same card in another size."""
        size = card.portrait if self.size == self.size.portrait else card.portrait.turned
        scale = min(size.width / self.size.width, size.height / self.size.height)
        return replace(self, size=size, shape=replace(self.shape, radius=round(self.shape.radius * scale, 3)))


def take_piece_cut(table: Fields, max_side: float, formats: Formats, kind: str = "", usual: Size = POKER) -> PieceCut:
    """Take size and shape of a table; ``max_side`` is in mm, ``kind`` and ``usual`` are the default shape and size."""
    default = kind or (ShapeKind.ROUNDED if "radius" in table else ShapeKind.RECTANGLE).value
    kind = table.take_choice("shape", SHAPES, default)
    size = _size(table, max_side, kind, formats)
    if kind in (STANDEE, TENT, DIE):
        net = _net(table, kind, size)
        return PieceCut(size=net.size, shape=net.shape, net=net) if net else PieceCut(size=usual)
    return PieceCut(size=size or usual, shape=_shape(table, kind, size, usual))


def _shape(table: Fields, kind: str, size: Size | None, usual: Size) -> Shape:
    cut = size if "size" in table else usual
    if kind == ShapeKind.ROUNDED:
        radius = take_length(table, "radius")
        if cut and radius > min(cut.width, cut.height) / 2:
            table.note("radius", f"{radius:g} mm is more than half of a side of {cut}", "make it smaller")
        return rounded_shape(radius)
    if table.raw("radius") is not None:
        table.note("radius", "is for rounded rectangles only", 'write shape = "rounded", or leave it out')
    if kind == ShapeKind.PATH:
        data = table.take_text("path")
        if size is None:
            return _note_missing_size(table, "the path is counted in mm of it")
        try:
            return path_shape(data, Rect(0, 0, size.width, size.height)) if data else RECTANGLE
        except ValueError as error:
            table.note("path", str(error), f"one closed ring within {size}, like \"M0 0H20L10 20Z\"")
            return RECTANGLE
    if kind == ShapeKind.CIRCLE and cut and cut.width != cut.height:
        table.note("size", f"{cut} holds no circle", "make both sides equal")
    return Shape(kind=ShapeKind(kind)) if kind else RECTANGLE


def _net(table: Fields, kind: str, size: Size | None) -> Net | None:
    if kind == STANDEE:
        feet = take_length(table, "feet", default=DEFAULT_FEET)
        if size is None:
            _note_missing_size(table, "that of the figure")
            return None
        return standee(size, feet)
    if kind == DIE:
        if size and size.width != size.height:
            table.note("size", f"{size} is not a die", f'give one side, like "{DEFAULT_DIE_MM:g}mm"')
        return die(size.width if size else DEFAULT_DIE_MM)
    tab = take_length(table, "tab", default=DEFAULT_TAB)
    if size is None:
        _note_missing_size(table, "that of one side, its length and its height")
        return None
    base = take_length(table, "base") if table.raw("base") is not None else size.height
    if base >= 2 * size.height:
        table.note("base", f"{base:g} mm is too long for two sides of {size.height:g} mm to meet above it",
                   "make it shorter")
    return tent(size.width, base, size.height, tab)


def _note_missing_size(table: Fields, what: str) -> Shape:
    table.note("size", Phrase("is_missing"), f"give the size: {what}")
    return RECTANGLE


def take_length(table: Fields, key: str, least: float = MIN_LENGTH_MM, most: float = MAX_LENGTH_MM,
                default: str | None = None) -> float:
    """Take a length in mm; the least one in place of a wrong one."""
    words = table.take_measure(key, default)
    try:
        length = parse_length(words) if words else least
    except ValueError as error:
        table.note(key, str(error))
        return least
    if not least <= length <= most:
        table.note(key, f"{length:g} mm is out of range", f"from {least:g} to {most:g} mm")
        return least
    return length


def _size(table: Fields, max_side: float, kind: str, formats: Formats) -> Size | None:
    """The size by name, two measures, or one: of a square, a circle, a hexagon from flat to flat."""
    if not (words := table.take_measure("size", "")):
        return None
    try:
        if words in formats.sizes:
            size = formats.sizes[words]
        elif _MEASURE.fullmatch(words):
            side = parse_length(words)
            size = Size(round(2 / sqrt(3) * side, 3) if kind == ShapeKind.HEXAGON else side, side)
        else:
            size = parse_size(words) if any(map(str.isdigit, words)) else formats.card_size(words).size
    except ValueError as error:
        table.note("size", str(error))
        return None
    if not all(MIN_SIDE_MM <= side <= max_side for side in (size.width, size.height)):
        table.note("size", f"{size} is out of range", f"each side from {MIN_SIDE_MM:g} to {max_side:g} mm")
        return None
    return size


# --- Deck ---

WORDS = "words"  # subfolder with the texts of a deck
RULES_FILE = "rules.md"  # of a deck that names none; `rules.de.md` are those in another language
DEFAULT_LANG = "en"  # language of a deck that names none
PICTURES = (".png", ".jpg", ".jpeg", ".webp", ".pdf")  # may be the face of a piece as they are
ID_COLUMNS = ("id", "name", "title")  # columns for the id of a piece, in order of preference
TITLE_COLUMNS = ("title", "name")  # columns for the title of a piece, in order of preference
COPIES = "copies"
VALUE_HEADINGS = frozenset(("count", "number", "nombre"))  # those of them that are also headings of ordinary values

_LETTERS = str.maketrans({"ß": "ss", "æ": "ae", "ø": "o", "œ": "oe", "Æ": "Ae", "Ø": "O", "ł": "l", "đ": "d"})


@dataclass(frozen=True, slots=True, kw_only=True)
class DeckPiece:
    """A row of a table."""

    id: str
    copies: int
    cut: PieceCut
    front: str
    back: str  # may be empty
    cells: Mapping[str, Cell]  # the other ones
    line: Spot
    facts: Mapping[str, object] = field(default_factory=dict)  # further attributes of the card in templates
    variables: Mapping[str, object] = field(default_factory=dict)  # further values of its faces
    block: str = ""  # what it has in common with those printed beside it
    headings: Mapping[str, str] = field(default_factory=dict)  # as written, if they differ from the names
    numbers: frozenset[str] = frozenset()  # columns of numbers

    def localized_cells(self, lang: str) -> dict[str, Cell]:
        """The cells for templates: of ``name.de`` and ``name.en``, that of the language becomes ``name``."""
        common = {name: text for name, text in self.cells.items() if "." not in name}
        return common | {name.partition(".")[0]: text for name, text in self.cells.items()
                         if name.partition(".")[2] == lang}


@dataclass(frozen=True, slots=True, kw_only=True)
class PieceBatch:
    """The pieces of a part, from one table or several; ``is_cards`` if ``--card-size`` resizes them."""

    name: str
    stock: Stock
    layout: PartLayout
    pieces: tuple[DeckPiece, ...]
    is_cards: bool
    size_spot: Spot


@dataclass(frozen=True, slots=True, kw_only=True)
class OwnDeck:
    """A whole deck."""

    id: str
    lang: str  # its first language
    card_size: Format  # of its first cards
    box: str  # template of its tuck box
    batches: tuple[PieceBatch, ...]
    warnings: tuple[Problem, ...]  # advice about its tables
    deals: Mapping[str, int]  # cards that each player gets on the table, by part
    rows: tuple[Row, ...]  # cards that lie beside their piles
    tools: tuple[str, ...]  # in the bar of the table
    learn: tuple[LearnStep, ...]  # steps of its first turns
    additions: DeckFolder


def read_deck_name(folder: Path) -> str:
    """Read the id of the deck in ``folder``; the default is that of its title, or the folder's name."""
    top = read_toml(folder, DECK_FILE, Problems())
    return str(top.raw("id") or default_id(top, folder))


def open_scoring(folder: Path, common: Path, lang: str) -> RuleScoring:
    """Open the scoring of the deck in ``folder``. Raises InputError with all problems of its ``score.toml``."""
    from ppgen.play.rule_game import open_rule_scoring  # only scoring needs it

    return open_rule_scoring(read_deck_name(folder), folder, common, lang)


def default_id(top: Fields, folder: Path) -> str:
    return to_id(str(top.raw("title") or "")) or to_id(folder.name) or "deck"


def to_id(words: str) -> str:
    """Make a name of small letters, digits and hyphens; empty if none of its letters has one like it in ASCII."""
    ascii_words = unicodedata.normalize("NFKD", words.translate(_LETTERS)).encode("ascii", "ignore").decode()
    return re.sub(r"[^a-z0-9]+", "-", ascii_words.lower()).strip("-")[:60].strip("-")


def deck_languages(folder: Path) -> tuple[str, ...]:
    """The languages of the deck in ``folder``, its first one before those of its words and rules."""
    top = read_toml(folder, DECK_FILE, Problems())
    words, lang = languages(folder / WORDS), top.raw("lang")
    first = lang if isinstance(lang, str) and lang else DEFAULT_LANG
    return tuple(dict.fromkeys((first, *words, *find_rules_files(folder, str(top.raw("rules") or ""), first))))


def find_rules_files(folder: Path, name: str, first: str) -> dict[str, str]:
    """Find the rules of a deck by language: the file ``name``, and those with a language before the suffix."""
    if name and not is_file_name(name):
        return {}
    main = Path(name or RULES_FILE)
    files = {first: main.as_posix()} if (folder / main).is_file() else {}
    for path in sorted((folder / main.parent).glob(f"{glob.escape(main.stem)}.*{main.suffix}")):
        lang = path.name.removeprefix(f"{main.stem}.").removesuffix(main.suffix)
        if is_language(lang) and path.is_file():
            files.setdefault(lang, (main.parent / path.name).as_posix())
    return files
