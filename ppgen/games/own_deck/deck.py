"""Own decks: pieces with their sizes and shapes, loaded from ``deck.toml`` and its tables."""

from __future__ import annotations

import glob
import re
import unicodedata
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING

from ppgen.assets import DECK_FILE, is_flat_deck
from ppgen.engine.component import GRID, TILED, PartLayout, Stock
from ppgen.engine.drawing.templates import UNKNOWN_NAMES, NamesRead
from ppgen.engine.geometry import Format, Formats
from ppgen.engine.shapes import RECTANGLE
from ppgen.errors import Problem, Problems, Spot, display_path, join_names
from ppgen.games.own_deck.piece_cut import MAX_SIDE_MM, MAX_TILED_SIDE_MM, PieceCut, take_piece_cut
from ppgen.reading.fields import Fields, read_csv, read_header, read_toml
from ppgen.reading.tables import COPIES_HEADINGS, Cell, plain_heading
from ppgen.reading.texts import languages

if TYPE_CHECKING:
    from ppgen.games.own_deck.flat import FlatDeck

LOCALES, WORDS = "locales", "words"
"""Subfolders with the texts of a deck; those of a flat deck are ``words``."""
RULES_FILE = "rules.md"
"""The rules of a flat deck that names none; ``rules.de.md`` are those in another language than its first one."""
DEFAULT_LANG = "en"
"""Language of a flat deck that names none."""
STOCKS = tuple(stock.value for stock in (Stock.CARD, Stock.BOARD, Stock.PLAIN))
DEFAULT_CARD_SIZE = "2.5x3.5in"
"""Default size of cards: poker."""
TABLE_SUFFIXES = (".csv", ".tsv", ".txt")
"""Suffixes of table files."""
MAX_COPIES = 500
RESERVED_COLUMNS = ("id", "copies", "front", "back")
"""Columns with a meaning to ppgen; all others belong to the deck."""
PICTURES = (".png", ".jpg", ".jpeg", ".webp")
"""Suffixes of pictures, which may be the face of a piece as they are."""
TITLE_COLUMNS = ("title", "name")
"""Columns for the title of a piece, in order of preference."""
COPIES = "copies"
VALUE_HEADINGS = frozenset(("count", "number", "nombre"))
"""Those of them that are also headings of ordinary values."""
RESERVED_PARTS = ("cards-back", "box", "calibration", "rules", "guide")
"""Names of parts that any set may have."""
SHIPPED_BOX = "shared/tuck-box.svg.j2"
"""The template of a box that a deck only asks for."""
LAYOUTS = {layout.way.value: layout for layout in (GRID, TILED)}

_NAME = re.compile(r"[a-z0-9]+(-[a-z0-9]+)*")
_LANG = r"[a-z]{2,3}(-[A-Za-z0-9]+)*"
_LETTERS = str.maketrans({"ß": "ss", "æ": "ae", "ø": "o", "œ": "oe", "Æ": "Ae", "Ø": "O", "ł": "l", "đ": "d"})
_COLUMN = re.compile(r"[a-z][a-z0-9_]*(\.[a-z]{2,3}(-[A-Za-z0-9]+)*)?")


@dataclass(frozen=True, slots=True, kw_only=True)
class DeckPiece:
    """A row of a table: its id, number of copies, templates (``back`` may be empty), other cells, and its line.

    If its ``cut`` has no size, ``--card-size`` applies. ``facts`` are further attributes of the card in templates,
    ``variables`` further values of its faces; ``block`` is what it has in common with those printed beside it;
    ``headings`` are the columns' names as written, if they differ, and
    ``numbers`` the columns of numbers.
    """

    id: str
    copies: int
    cut: PieceCut
    front: str
    back: str
    cells: Mapping[str, Cell]
    line: Spot
    facts: Mapping[str, object] = field(default_factory=dict)
    variables: Mapping[str, object] = field(default_factory=dict)
    block: str = ""
    headings: Mapping[str, str] = field(default_factory=dict)
    numbers: frozenset[str] = frozenset()

    def localized_cells(self, lang: str) -> dict[str, Cell]:
        """The cells for templates: of ``name.de`` and ``name.en``, that of the language becomes ``name``."""
        common = {name: text for name, text in self.cells.items() if "." not in name}
        return common | {name.partition(".")[0]: text for name, text in self.cells.items()
                         if name.partition(".")[2] == lang}


@dataclass(frozen=True, slots=True, kw_only=True)
class PieceBatch:
    """The pieces of a part, from one table or several."""

    name: str
    stock: Stock
    layout: PartLayout
    pieces: tuple[DeckPiece, ...]


@dataclass(slots=True, kw_only=True)
class DeckReading:
    """State while a deck is read: the names that its templates read, the place of each id (ids are unique in files and
    manifests), and the problems and warnings so far.
    """

    read: NamesRead
    owners: dict[str, str] = field(default_factory=dict)
    problems: Problems = field(default_factory=Problems)
    warnings: Problems = field(default_factory=Problems)


@dataclass(frozen=True, slots=True, kw_only=True)
class OwnDeck:
    """A whole deck; ``lang`` is its first language, ``card_size`` the default for parts without a size, ``box`` the
    template of its tuck box, or empty; ``warnings`` are advice about its tables; ``flat`` is what only a flat deck has.
    """

    id: str
    lang: str
    card_size: Format
    box: str
    batches: tuple[PieceBatch, ...]
    warnings: tuple[Problem, ...] = ()
    flat: FlatDeck | None = None


def read_deck_name(folder: Path) -> str:
    """Read the id of the deck in ``folder``; the default is that of its title, or the folder's name."""
    top = read_toml(folder, DECK_FILE, Problems())
    return str(top.raw("id") or _default_id(top, folder))


def _default_id(top: Fields, folder: Path) -> str:
    return to_id(str(top.raw("title") or "")) or to_id(folder.name) or "deck" if is_flat_deck(folder) else folder.name


def to_id(words: str) -> str:
    """Make a name of small letters, digits and hyphens; empty if none of its letters has one like it in ASCII."""
    ascii_words = unicodedata.normalize("NFKD", words.translate(_LETTERS)).encode("ascii", "ignore").decode()
    return re.sub(r"[^a-z0-9]+", "-", ascii_words.lower()).strip("-")[:60].strip("-")


def deck_languages(folder: Path) -> tuple[str, ...]:
    """The languages of the deck in ``folder``; of a flat deck its first one before those of its words."""
    top = read_toml(folder, DECK_FILE, Problems())
    if not is_flat_deck(folder):
        return languages(folder / LOCALES)
    words, lang = languages(folder / WORDS), top.raw("lang")
    first = lang if isinstance(lang, str) and lang else DEFAULT_LANG
    return tuple(dict.fromkeys((first, *words, *find_rules_files(folder, str(top.raw("rules") or ""), first))))


def find_rules_files(folder: Path, name: str, first: str) -> dict[str, str]:
    """Find the rules of a flat deck by language: the file ``name`` or the default, and those beside it with a language
    before the suffix.
    """
    main = Path(name or RULES_FILE)
    if main.is_absolute() or ".." in main.parts or not name.isprintable():
        return {}
    files = {first: main.as_posix()} if (folder / main).is_file() else {}
    for path in sorted((folder / main.parent).glob(f"{glob.escape(main.stem)}.*{main.suffix}")):
        lang = path.name.removeprefix(f"{main.stem}.").removesuffix(main.suffix)
        if re.fullmatch(_LANG, lang) and path.is_file():
            files.setdefault(lang, (main.parent / path.name).as_posix())
    return files


def load_deck(folder: Path, formats: Formats, read: NamesRead = UNKNOWN_NAMES) -> OwnDeck:
    """Load the deck in ``folder``, whose templates ``read`` these names.

    Raises InputError with all problems that prevent printing.
    """
    reading = DeckReading(read=read)
    problems = reading.problems
    top = read_toml(folder, DECK_FILE, problems)
    if is_flat_deck(folder):
        return _load_flat_deck(top, folder, formats, problems)
    deck = OwnDeck(id=_name(top, "id"), lang=_language(top, languages(folder / LOCALES)),
                   card_size=take_card_size(top, formats), box=_take_box(top), batches=())
    tables = top.take_tables("parts")
    if not tables and "parts" in top:
        top.note("parts", "has no part", "add [[parts]]")
    top.close()
    batches: dict[str, PieceBatch] = {}
    for table in tables:
        batch = _batch(table, folder, formats, reading)
        earlier = batches.get(batch.name, batch)
        if earlier.stock is not batch.stock:
            table.note("stock", f"'{batch.stock}' differs from the '{earlier.stock}' of '{batch.name}' above",
                       "one part is printed on one stock")
        pieces = batch.pieces if earlier is batch else earlier.pieces + batch.pieces
        batches[batch.name] = replace(batch, pieces=pieces)
    problems.raise_if_any()
    return replace(deck, batches=tuple(batches.values()), warnings=tuple(dict.fromkeys(reading.warnings)))


def _load_flat_deck(top: Fields, folder: Path, formats: Formats, problems: Problems) -> OwnDeck:
    from ppgen.games.own_deck.flat import read_flat_deck  # it builds upon this module

    langs = deck_languages(folder)
    if not re.fullmatch(_LANG, langs[0]):
        top.note("lang", f"'{langs[0]}' is not a language", "write its code, like en")
    deck = OwnDeck(id=_name(top, "id", _default_id(top, folder)), lang=langs[0], card_size=take_card_size(top, formats),
                   box=_take_box(top), batches=())
    flat = read_flat_deck(top, folder, langs, formats, deck.card_size, problems)
    problems.raise_if_any()
    return replace(deck, batches=flat.batches, warnings=flat.warnings, flat=flat)


def _take_box(top: Fields) -> str:
    """The template of the tuck box, or empty: ``true`` is the shipped one."""
    if isinstance(top.raw("box"), bool):
        return SHIPPED_BOX if top.take_flag("box", False) else ""
    return top.take_text("box", "")


def _language(top: Fields, known: Sequence[str]) -> str:
    """The deck's first language: the ``lang`` that it names, or the first of its locale files."""
    return top.take_choice("lang", known, next(iter(sorted(known)), ""))


def _batch(table: Fields, folder: Path, formats: Formats, reading: DeckReading) -> PieceBatch:
    name = _name(table, "name")
    if name in RESERVED_PARTS:
        table.note("name", f"'{name}' is the name of a part that every set may have", "choose another")
    file, stock = table.take_text("table"), table.take_choice("stock", STOCKS, Stock.CARD.value)
    layout = LAYOUTS[table.take_choice("layout", tuple(LAYOUTS), GRID.way.value)]
    max_side = MAX_TILED_SIDE_MM if layout is TILED else MAX_SIDE_MM
    default = DeckPiece(id="", copies=1, cut=take_piece_cut(table, max_side, formats), front=table.take_text("front"),
                        back=table.take_text("back", ""), cells={}, line=Spot(""))
    if file and not file.lower().endswith(TABLE_SUFFIXES):
        table.note("table", f"'{file}' is not a CSV file", "in the spreadsheet program, save it as CSV")
        file = ""
    if layout is TILED and default.back:
        table.note("back", "is not printed: tiles are glued together", "leave it out")
    if layout is TILED and default.cut.shape != RECTANGLE:
        table.note("shape", "is not for boards: tiles have straight edges", "leave it out")
    if default.cut.net and default.back:
        table.note("back", "is not printed: it would be inside when the piece is folded", "leave it out")
    table.close()
    return PieceBatch(name=name, stock=Stock(stock or Stock.CARD), layout=layout,
                      pieces=_pieces(folder, file, default, reading) if file else ())


def _pieces(folder: Path, file: str, default: DeckPiece, reading: DeckReading) -> tuple[DeckPiece, ...]:
    problems = reading.problems
    langs, place, earlier = languages(folder / LOCALES), display_path(folder / file), len(problems)
    header = read_header(folder, file, problems)
    if not header:
        if len(problems) == earlier:
            problems.note(place, "is empty", "its first line names the columns; one is id")
        return ()
    copies = _copies_column(header, place, reading)
    for column in header:
        lang = column.partition(".")[2]
        if column == copies:
            continue
        if not _COLUMN.fullmatch(column):
            problems.note(place, f"'{column}' is not a name for a column",
                          "small letters, digits and _; name.en for words in a language", line=1, key=column)
        elif lang and lang not in langs:
            problems.note(place, f"'{lang}' is not a language of this deck", f"known: {join_names(langs)}", line=1,
                          key=column)
    check_languages(header, langs, place, problems)
    rows = read_csv(folder, file, ("id", *(column for column in header if column != "id")), problems)
    if not rows:
        problems.note(place, "has no line under its head", "add a line for each piece")
    pieces = [_piece(row, header, copies, default, reading.owners) for row in rows]
    if pieces and not any(piece.copies for piece in pieces):
        problems.note(place, "every piece has 0 copies", "print one of some", key=copies)
    _warn_of_unread_columns([column for column in header if column != copies], place, reading)
    return tuple(piece for piece in pieces if piece.copies)  # pieces with 0 copies are not used yet


def _copies_column(header: Sequence[str], place: str, reading: DeckReading) -> str:
    """Find the column of copies: ``copies``, or one with a heading of that meaning that no template reads."""
    meant = [column for column in header if plain_heading(column) in COPIES_HEADINGS | {COPIES}]
    if not meant or COPIES in header:
        return COPIES
    unread = [column for column in meant if column not in reading.read.names]
    if not unread and not VALUE_HEADINGS.intersection(map(plain_heading, meant)):
        reading.warnings.note(place, "a template prints this column, so it is not taken for the number of copies",
                              "call the column of copies 'copies'", line=1, key=meant[0])
    return unread[0] if unread else COPIES


def _warn_of_unread_columns(header: Sequence[str], place: str, reading: DeckReading) -> None:
    stems = dict.fromkeys(column.partition(".")[0] for column in header)
    unread = [stem for stem in stems if stem not in {*RESERVED_COLUMNS, *TITLE_COLUMNS, *reading.read.names}]
    if unread and reading.read.complete:
        what = "no template reads this column" if len(unread) == 1 else "no template reads these columns"
        reading.warnings.note(place, what, f"card.{unread[0]} in a template prints it; take out what is not needed",
                              line=1, key=join_names(unread))


def check_languages(header: Iterable[str], langs: Sequence[str], place: str, problems: Problems) -> None:
    """Note a column that is missing in some of the languages."""
    stems = dict.fromkeys(column.partition(".")[0] for column in header if "." in column)
    for stem in stems:
        missing = [f"{stem}.{lang}" for lang in langs if f"{stem}.{lang}" not in header]
        if missing and stem not in header:
            problems.note(place, f"columns are missing: {join_names(missing)}",
                          f"add them, or {stem} for all languages",
                          line=1, key=stem)


def _piece(row: Fields, header: Sequence[str], copies: str, default: DeckPiece, owners: dict[str, str]) -> DeckPiece:
    piece = _name(row, "id")
    if piece and piece in owners:
        row.note("id", f"'{piece}' is already used in {owners[piece]}", "give each piece its own id")
    line = Spot(row.source.name, row.line())
    owners[piece] = f"{line.place}:{line.line}"
    return replace(default, id=piece, line=line, copies=_copies(row, copies),
                   front=row.take_text("front", default.front), back=row.take_text("back", default.back),
                   cells={column: row.take_text(column, "") for column in header
                          if column not in (*RESERVED_COLUMNS, copies)})


def _copies(row: Fields, column: str) -> int:
    words = row.take_text(column, "1")
    if words.isascii() and words.isdigit() and len(words) < 4 and int(words) <= MAX_COPIES:
        return int(words)
    row.note(column, f"'{words}' is not a number of copies", f"from 0 to {MAX_COPIES}")
    return 1


def _name(fields: Fields, key: str, default: str | None = None) -> str:
    name = fields.take_text(key, default)
    if name and not _NAME.fullmatch(name):
        fields.note(key, f"'{name}' is not a name", "small letters, digits and hyphens")
    return name


def take_card_size(top: Fields, formats: Formats) -> Format:
    words = top.take_text("card_size", DEFAULT_CARD_SIZE)
    try:
        return formats.card_size(words)
    except ValueError as error:
        top.note("card_size", str(error))
        return formats.card_size(DEFAULT_CARD_SIZE)
