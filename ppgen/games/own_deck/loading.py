"""Turns ``deck.toml`` and the tables that it names into a deck of one's own."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from ppgen.engine.component import GRID, TILED, Stock
from ppgen.engine.formats import Format, Formats
from ppgen.engine.shapes.shape import RECTANGLE
from ppgen.errors import Problems, Spot, listed, shown_path
from ppgen.games.own_deck.cutting import take_cut
from ppgen.games.own_deck.model import Batch, OwnDeck, Piece
from ppgen.reading.fields import Fields, read_csv, read_header, read_toml
from ppgen.reading.texts import languages

FILE = "deck.toml"
STOCKS = tuple(stock.value for stock in (Stock.CARD, Stock.BOARD, Stock.PLAIN))
USUAL = "2.5x3.5in"
"""The size of cards where the deck names none: poker."""
TABLES = (".csv", ".tsv", ".txt")
"""Endings of files that may hold a table."""
MAX_COPIES = 500
RESERVED = ("id", "copies", "front", "back")
"""Columns that mean something to ppgen; all others are the deck's own."""
TAKEN = ("cards-back", "box", "calibration", "rules", "guide")
"""Names of parts that every set may have."""
LARGEST, LARGEST_TILED = 400.0, 1200.0
"""Of a piece's sides, in mm."""
LAYOUTS = {layout.way.value: layout for layout in (GRID, TILED)}

_NAME = re.compile(r"[a-z0-9]+(-[a-z0-9]+)*")
_COLUMN = re.compile(r"[a-z][a-z0-9_]*(\.[a-z]{2,3}(-[A-Za-z0-9]+)*)?")


def name_of(folder: Path) -> str:
    """What the deck in ``folder`` calls itself; the folder's name where it does not say."""
    return str(read_toml(folder, FILE, Problems()).raw("id") or folder.name)


def load_deck(folder: Path, formats: Formats) -> OwnDeck:
    """The deck in ``folder``. Raises InputError with every problem that keeps it from being printed."""
    problems = Problems()
    top = read_toml(folder, FILE, problems)
    deck = OwnDeck(id=_name(top, "id"), lang=_language(top, languages(folder / "locales")),
                   card_size=_card_size(top, formats), box=top.take_text("box", ""), batches=())
    tables = top.take_tables("parts")
    if not tables and "parts" in top:
        top.note("parts", "has no part", "add [[parts]]")
    top.close()
    batches: dict[str, Batch] = {}
    owners: dict[str, str] = {}  # where each id stands: pieces are told apart by it in files and manifests
    for table in tables:
        batch = _batch(table, folder, owners, problems)
        earlier = batches.get(batch.name, batch)
        if earlier.stock is not batch.stock:
            table.note("stock", f"'{batch.stock}' differs from the '{earlier.stock}' of '{batch.name}' above",
                       "one part is printed on one stock")
        pieces = batch.pieces if earlier is batch else earlier.pieces + batch.pieces
        batches[batch.name] = replace(batch, pieces=pieces)
    problems.raise_if_any()
    return replace(deck, batches=tuple(batches.values()))


def _language(top: Fields, known: Sequence[str]) -> str:
    """The deck's first language: the one that it names, or the first that it has."""
    return top.take_choice("lang", known, next(iter(sorted(known)), ""))


def _batch(table: Fields, folder: Path, owners: dict[str, str], problems: Problems) -> Batch:
    name = _name(table, "name")
    if name in TAKEN:
        table.note("name", f"'{name}' is the name of a part that every set may have", "choose another")
    file, stock = table.take_text("table"), table.take_choice("stock", STOCKS, Stock.CARD.value)
    layout = LAYOUTS[table.take_choice("layout", tuple(LAYOUTS), GRID.way.value)]
    largest = LARGEST_TILED if layout is TILED else LARGEST
    usual = Piece(id="", copies=1, cut=take_cut(table, largest), front=table.take_text("front"),
                  back=table.take_text("back", ""), cells={}, line=Spot(""))
    if file and not file.lower().endswith(TABLES):
        table.note("table", f"'{file}' is no CSV file", "in the spreadsheet program, save it as CSV")
        file = ""
    if layout is TILED and usual.back:
        table.note("back", "is not printed: tiles are glued together", "leave it out")
    if layout is TILED and usual.cut.shape != RECTANGLE:
        table.note("shape", "is not for boards: tiles have straight edges", "leave it out")
    if usual.cut.net and usual.back:
        table.note("back", "is not printed: it would be inside when the piece is folded", "leave it out")
    table.close()
    return Batch(name=name, stock=Stock(stock or Stock.CARD), layout=layout,
                 pieces=_pieces(folder, file, usual, owners, problems) if file else ())


def _pieces(folder: Path, file: str, usual: Piece, owners: dict[str, str], problems: Problems) -> tuple[Piece, ...]:
    langs, place, earlier = languages(folder / "locales"), shown_path(folder / file), len(problems)
    header = read_header(folder, file, problems)
    if not header:
        if len(problems) == earlier:
            problems.note(place, "is empty", "its first line names the columns; one is id")
        return ()
    for column in header:
        lang = column.partition(".")[2]
        if not _COLUMN.fullmatch(column):
            problems.note(place, f"'{column}' is not a name for a column",
                          "small letters, digits and _; name.en for words in a language", line=1, key=column)
        elif lang and lang not in langs:
            problems.note(place, f"'{lang}' is no language of this deck", f"known: {listed(langs)}", line=1, key=column)
    _complete(header, langs, place, problems)
    rows = read_csv(folder, file, ("id", *(column for column in header if column != "id")), problems)
    if not rows:
        problems.note(place, "has no line under its head", "add a line for each piece")
    pieces = [_piece(row, header, usual, owners) for row in rows]
    if pieces and not any(piece.copies for piece in pieces):
        problems.note(place, "every piece has 0 copies", "print one of some", key="copies")
    return tuple(piece for piece in pieces if piece.copies)  # with 0 copies a piece is kept for later


def _complete(header: Sequence[str], langs: Sequence[str], place: str, problems: Problems) -> None:
    """A column that stands in one language must stand in all."""
    stems = dict.fromkeys(column.partition(".")[0] for column in header if "." in column)
    for stem in stems:
        missing = [f"{stem}.{lang}" for lang in langs if f"{stem}.{lang}" not in header]
        if missing and stem not in header:
            problems.note(place, f"columns are missing: {listed(missing)}", f"add them, or {stem} for all languages",
                          line=1, key=stem)


def _piece(row: Fields, header: Sequence[str], usual: Piece, owners: dict[str, str]) -> Piece:
    piece = _name(row, "id")
    if piece and piece in owners:
        row.note("id", f"'{piece}' stands already in {owners[piece]}", "give each piece its own id")
    line = Spot(row.source.name, row.line())
    owners[piece] = f"{line.place}:{line.line}"
    return replace(usual, id=piece, line=line, copies=_copies(row), front=row.take_text("front", usual.front),
                   back=row.take_text("back", usual.back),
                   cells={column: row.take_text(column, "") for column in header if column not in RESERVED})


def _copies(row: Fields) -> int:
    words = row.take_text("copies", "1")
    if words.isascii() and words.isdigit() and len(words) < 4 and int(words) <= MAX_COPIES:
        return int(words)
    row.note("copies", f"'{words}' is not a number of copies", f"from 0 to {MAX_COPIES}")
    return 1


def _name(fields: Fields, key: str) -> str:
    name = fields.take_text(key)
    if name and not _NAME.fullmatch(name):
        fields.note(key, f"'{name}' is not a name", "small letters, digits and hyphens")
    return name


def _card_size(top: Fields, formats: Formats) -> Format:
    words = top.take_text("card_size", USUAL)
    try:
        return formats.card_size(words)
    except ValueError as error:
        top.note("card_size", str(error))
        return formats.card_size(USUAL)
