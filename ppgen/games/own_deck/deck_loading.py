"""Loads decks: a folder with ``deck.toml``, its tables, templates, drawings and pictures side by side."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from difflib import get_close_matches
from functools import cache
from pathlib import Path

from ppgen.assets import DECK_FILE
from ppgen.engine.component import GRID, NESTED, TILED, Stock
from ppgen.engine.drawing.template_source import NamesRead, find_names_read
from ppgen.engine.geometry import A4, Format, Formats, Size
from ppgen.engine.imposition.sheets import Backs, SheetSpec, page_areas
from ppgen.engine.shapes import RECTANGLE, ShapeKind
from ppgen.errors import InputError, Problem, Problems, Spot, join_names, merge_files, shorten, suggest
from ppgen.games.learn_steps import LEARN, LearnStep, take_steps
from ppgen.games.own_deck.deck import (COPIES, ID_COLUMNS, TITLE_COLUMNS, VALUE_HEADINGS, DeckPiece, OwnDeck,
                                       PieceBatch, deck_languages, default_id, find_rules_files, to_id)
from ppgen.games.own_deck.deck_faces import Reading, face_columns, has_file, note_missing_file, row_face, take_faces
from ppgen.games.own_deck.deck_signs import find_signs
from ppgen.games.own_deck.piece_cut import DIE, MAX_TILED_SIDE_MM, STANDEE, TENT, take_piece_cut
from ppgen.games.table_setup import MAX_SEATS, TOOLS, USUAL_TOOLS, Row
from ppgen.reading.fields import Fields, read_toml
from ppgen.reading.tables import Table, TableRow, column_name, is_copies, plain_heading, read_table
from ppgen.reading.texts import is_language

TOP_KEYS = ("title", "version", "author", "lang", "id", "colours", "card_size", "box", "rules", "table",
            "presets", LEARN)
"""Keys of ``deck.toml`` that are not parts."""
PART_KEYS = ("table", "sheet", "size", "shape", "radius", "stock", "front", "back", "copies", "kind", "blocks", "nest",
             "feet", "bleed")
KINDS = ("card", STANDEE, TENT, DIE)
STOCKS = tuple(stock.value for stock in (Stock.CARD, Stock.BOARD, Stock.PLAIN))
RESERVED_PARTS = ("cards-back", "box", "calibration", "rules", "guide")  # names of parts that any set may have
DEFAULT_CARD_SIZE = "2.5x3.5in"  # default size of cards: poker
MAX_COPIES, MAX_DEALT = 500, 60
SHIPPED_BOX = "shared/tuck-box.svg.j2"  # the template of a box that a deck only asks for
OLD_PARTS = "parts"  # a list of this name marks the older form of decks, in two folders
OLD_FORM_REMEDY = ("put deck.toml, tables and templates side by side, and give each part a table of its own: [cards] "
                   "with table, size, front and back instead of [[parts]]; see docs/deck.md")
MARKDOWN = (".md", ".markdown")  # suffixes of rules

_COLOUR = re.compile(r"#(?:[0-9A-Fa-f]{3}){1,2}")
_NAME = re.compile(r"[a-z0-9]+(-[a-z0-9]+)*")


@dataclass(frozen=True, slots=True, kw_only=True)
class PartTable:
    """A part as ``deck.toml`` describes it, before its pieces are known."""

    name: str
    batch: PieceBatch
    piece: DeckPiece  # its front and back may have columns in their names
    table: Table
    blocks: str
    copies: str | None  # the column of copies; empty: it gives their number; None: it says nothing
    fields: Fields


def load_deck(folder: Path, formats: Formats) -> OwnDeck:
    """Load the deck in ``folder``. Raises InputError with all problems that prevent printing."""
    problems = Problems()
    top = read_toml(folder, DECK_FILE, problems)
    if isinstance(top.raw(OLD_PARTS), list):
        raise InputError.at(top.source.name, "is of an older form of decks", OLD_FORM_REMEDY,
                            line=top.line(OLD_PARTS), key=OLD_PARTS)
    langs = deck_languages(folder)
    if not is_language(langs[0]):
        top.note("lang", f"'{langs[0]}' is not a language", "write its code, like en")
    identity, card_size, box = _name(top, "id", default_id(top, folder)), _take_card_size(top, formats), _take_box(top)
    reading = Reading(folder, langs, formats, card_size, problems)
    title = _take_words(top, "title") or folder.name
    author, version = _take_words(top, "author"), _take_words(top, "version")
    colours = _take_colours(top.take_table("colours", required=False))
    reading.colours = [name for name, value in colours.items() if isinstance(value, dict)]
    rules = _take_rules(top, reading)
    table = top.take_table("table", required=False)
    described = [part for key in top if top.is_table(key) and key not in TOP_KEYS
                 if (part := _read_part(top.take_table(key), key, top, reading))]
    described, cards = _tell_cards_from_tiles(described)
    deals, rows, tools = _take_table(table, {part.name: part.batch for part in described})
    for key in top:
        if key not in TOP_KEYS and not top.is_table(key):
            top.note(key, "is not known",
                     suggest(key, TOP_KEYS, f"known: {join_names(TOP_KEYS)}, and a table for each part"))
    if not described and not problems:
        problems.note(top.source.name, "has no part", 'add a table, like [cards] with table = "cards.csv"')
    fronts = [name for part in described for name in _templates(part, reading)]
    read = find_names_read(folder, fronts, reading.made) if fronts else NamesRead()
    batches = tuple(_fill_part(part, read, reading) for part in described)
    words = {"game.title": title, "game.author": author, "game.subject": title,
             **{f"parts.{part.batch.name}": part.name.replace("_", " ").replace("-", " ").capitalize()
                for part in described}}
    learn = _take_learn(top, batches, words)
    totals = {column_name(part.name): _totals(part.table, batch)
              for part, batch in zip(described, batches, strict=True)}
    problems.raise_if_any()
    if cards:
        card_size = formats.card_size(f"{cards.width:.10g}x{cards.height:.10g}mm")
    return OwnDeck(id=identity, lang=langs[0], card_size=card_size, box=box, version=version, batches=batches,
                   words=words, deals=deals, rows=rows, tools=tools, learn=learn, colours=colours, made=reading.made,
                   drawings=reading.drawings, rules=rules,
                   totals={name: each for name, each in totals.items() if name in read.names or not read.complete},
                   signs=find_signs(reading.tables.values(), lambda column: column.partition(".")[0] in read.names
                                    or not read.complete),
                   warnings=(*dict.fromkeys(reading.warnings), *merge_files(dict.fromkeys(reading.drawing_notes))))


def _name(fields: Fields, key: str, default: str) -> str:
    name = fields.take_text(key, default)
    if name and not _NAME.fullmatch(name):
        fields.note(key, f"'{name}' is not a name", "small letters, digits and hyphens")
    return name


def _take_card_size(top: Fields, formats: Formats) -> Format:
    words = top.take_text("card_size", DEFAULT_CARD_SIZE)
    try:
        return formats.card_size(words)
    except ValueError as error:
        top.note("card_size", str(error))
        return formats.card_size(DEFAULT_CARD_SIZE)


def _tell_cards_from_tiles(parts: Sequence[PartTable]) -> tuple[list[PartTable], Size | None]:
    """Return the parts and the size of the first cards. Squares beside other cards are tiles."""
    sizes = [part.piece.cut.size.portrait for part in parts if part.batch.is_cards]
    first = next((size for size in sizes if not size.is_square), sizes[0] if sizes else None)
    return [replace(part, batch=replace(part.batch, is_cards=part.piece.cut.size.is_square == first.is_square))
            if part.batch.is_cards and first else part for part in parts], first


def _take_box(top: Fields) -> str:
    """The template of the tuck box, or empty: ``true`` is the shipped one."""
    if isinstance(top.raw("box"), bool):
        return SHIPPED_BOX if top.take_flag("box") else ""
    return top.take_text("box", "")


def _take_rules(top: Fields, reading: Reading) -> dict[str, str]:
    name = top.take_text("rules", "")
    if name and not name.lower().endswith(MARKDOWN):
        top.note("rules", f"'{name}' is not a Markdown file", "name a file that ends with .md")
    elif name and not has_file(reading.folder, name):
        note_missing_file(top, "rules", name, reading.folder)
    else:
        return find_rules_files(reading.folder, name, reading.langs[0])
    return {}


def _take_table(table: Fields, parts: Mapping[str, PieceBatch]
                ) -> tuple[dict[str, int], tuple[Row, ...], tuple[str, ...]]:
    """Take how many cards of each part are dealt, which rows of cards lie beside their piles, and the tools at hand."""
    first = next((batch.name for batch in parts.values() if batch.stock is Stock.CARD), "")
    deals: dict[str, int] = {}
    if isinstance(table.raw("deal"), dict):
        inner = table.take_table("deal")
        for name in inner:
            number = inner.take_int(name, 0, MAX_DEALT)
            if name in parts:
                deals[parts[name].name] = number
            else:
                inner.note(name, f"there is no part '{name}'", f"parts: {join_names(parts)}")
    elif "deal" in table and (number := table.take_int("deal", 0, MAX_DEALT)):
        deals[first] = number
    rows: list[Row] = []
    given = table.raw("place") if "place" in table else []
    for entry in given if isinstance(given, list) else [given]:
        match entry:
            case [str(name), int(count), "up" | "down" as side] if name in parts and 0 < count <= MAX_DEALT:
                rows.append(Row(part=parts[name].name, count=count, up=side == "up"))
            case _:
                table.note("place", f"{str(entry)[:60]} does not say what lies there",
                           f'write a part, a number and "up" or "down", like ["{first or "cards"}", 3, "up"]; parts: '
                           f"{join_names(parts)}")
    tools = table.take_texts("tools", USUAL_TOOLS)
    for tool in tools:
        if tool not in TOOLS:
            table.note("tools", f"there is no tool '{tool}'", suggest(tool, TOOLS, f"tools: {join_names(TOOLS)}"))
    table.close()
    return deals, tuple(rows), tools


def _take_learn(top: Fields, batches: Sequence[PieceBatch], words: dict[str, str]) -> tuple[LearnStep, ...]:
    """Take the steps of the first turns, which add their texts to ``words``."""
    names = (*(piece.id for batch in batches for piece in batch.pieces), *(batch.name for batch in batches))
    return take_steps(top.take_table(LEARN, required=False), names, (), MAX_SEATS, words)


def _take_words(top: Fields, key: str) -> str:
    """Take a text, or a version as a number. Braces would be placeholders where it is printed."""
    value = top.raw(key)
    if isinstance(value, int | float) and not isinstance(value, bool):
        return str(value)
    words = top.take_text(key, "")
    if "{" in words or "}" in words:
        top.note(key, "has a brace", "leave it out")
    return words


def _take_colours(table: Fields) -> dict[str, object]:
    colours: dict[str, object] = {}
    for key in table:
        if table.is_table(key):
            colours[key] = _take_colours(table.take_table(key))
            continue
        words = table.take_text(key)
        if words and not _COLOUR.fullmatch(words):
            table.note(key, f"'{words}' is not a colour", "write # and six hexadecimal digits, like #332288")
        colours[key] = "#" + "".join(digit * 2 for digit in words[1:]) if len(words) == 4 else words
    return colours


# --- Parts ---

def _read_part(table: Fields, key: str, top: Fields, reading: Reading) -> PartTable | None:
    """Read a part and its table; None for a table that is not a part."""
    if get_close_matches(key, ["colours"], cutoff=0.8) and not any(name in PART_KEYS for name in table):
        top.note(key, "is not known", "did you mean colours? a part has at least front")
        return None
    name = to_id(key)
    if not name or name in RESERVED_PARTS or key in TOP_KEYS:
        top.note(key, f"'{key}' can't be the name of a part", "choose another, of letters and digits")
    kind = table.take_choice("kind", KINDS, KINDS[0])
    if "feet" in table and kind != STANDEE and table.raw("shape") != STANDEE:
        table.note("feet", "is for standees only", 'add kind = "standee", or leave it out')
    cut = take_piece_cut(table, MAX_TILED_SIDE_MM, reading.formats, kind if kind != KINDS[0] else "",
                         reading.card_size.size)
    layout = GRID if fits_sheet(cut.size) else TILED
    usual = Stock.BOARD if layout is TILED or cut.is_token else Stock.FOLDED if cut.net else Stock.CARD
    stock = Stock(table.take_choice("stock", STOCKS, "") or usual)
    stated = table.raw("copies")
    heading = table.take_text("copies") if isinstance(stated, str) else ""
    copies = 1 if heading else table.take_int("copies", 1, MAX_COPIES, 1)
    if table.take_flag("nest"):
        if cut.shape.kind is not ShapeKind.HEXAGON:
            table.note("nest", "is for hexagons only", 'add shape = "hexagon", or leave it out')
        layout = NESTED if layout is GRID else layout
    if layout is TILED and table.take_text("back", ""):
        table.note("back", "is not printed: tiles are glued together", "leave it out")
    if layout is TILED and cut.shape != RECTANGLE:
        table.note("shape", "is not for boards: tiles have straight edges", "leave it out")
    rows = _read_rows(table, key, reading)
    front, back = take_faces(table, key, cut, rows, reading)
    piece = DeckPiece(id=name, copies=copies, cut=cut, front=front, back=back, cells={}, line=Spot(""))
    blocks = column_name(table.take_text("blocks", ""))
    if blocks and rows.rows and blocks not in rows.headings:
        table.note("blocks", f"the table has no column '{blocks}'", f"columns: {join_names(rows.headings.values())}")
    if heading and rows.rows and column_name(heading) not in rows.headings:
        table.note("copies", f"the table has no column '{heading}'", f"columns: {join_names(rows.headings.values())}")
    table.close()
    return PartTable(name=key, piece=piece, table=rows, blocks=blocks, fields=table,
                     copies=None if stated is None else column_name(heading),
                     batch=PieceBatch(name=name, stock=stock, layout=layout, pieces=(),
                                      is_cards=stock is Stock.CARD and layout is GRID and cut.is_card,
                                      size_spot=Spot(top.source.name, table.line("size" if "size" in table else ""),
                                                     f"{key}.size")))


@cache
def fits_sheet(size: Size) -> bool:
    """True if a piece fits a sheet of A4, so that it need not be printed in tiles."""
    rooms = (area.largest_item for area in page_areas(SheetSpec(paper=A4, backs=Backs.NONE)))
    return any(size.width <= room.width and size.height <= room.height for room in rooms)


def _read_rows(part: Fields, key: str, reading: Reading) -> Table:
    file, sheet = part.take_text("table", ""), part.take_text("sheet", "")
    if not file:
        if sheet:
            part.note("sheet", "names a sheet, but there is no table", "add table")
        return Table(place=part.source.name, rows=(TableRow(part.line(), {}),))
    if not has_file(reading.folder, file):
        note_missing_file(part, "table", file, reading.folder)
        return Table(place=file)
    if (file, sheet) not in reading.tables:
        table = read_table(reading.folder, file, reading.problems, sheet, reading.langs)
        reading.warnings.extend((*table.notes, *_find_untranslated(table, reading.langs)))
        reading.tables[file, sheet] = _fill_languages(table, reading)
    return reading.tables[file, sheet]


def _fill_languages(table: Table, reading: Reading) -> Table:
    """The table with the cells of the first language where the column of another one is missing, which is noted."""
    first = reading.langs[0]
    filled: dict[str, str] = {}
    for stem in dict.fromkeys(column.partition(".")[0] for column in table.headings if "." in column):
        missing = [f"{stem}.{lang}" for lang in reading.langs if f"{stem}.{lang}" not in table.headings]
        if missing and stem not in table.headings:
            problem = Problem(table.place, f"columns are missing: {join_names(missing)}",
                              f"add them, or {stem} for all languages", line=1, key=stem)
            if f"{stem}.{first}" in missing:
                reading.problems.append(problem)
            else:
                reading.warnings.append(problem)
                filled |= dict.fromkeys(missing, f"{stem}.{first}")
    rows = tuple(TableRow(row.line, {**row.cells, **{name: row.cells[of] for name, of in filled.items()}})
                 for row in table.rows)
    return replace(table, rows=rows) if filled else table


def _find_untranslated(table: Table, langs: Sequence[str]) -> Iterator[Problem]:
    """Yield a warning for each column of a language with empty cells where that of the first language has words."""
    for column in table.headings:
        stem, _, lang = column.partition(".")
        first = f"{stem}.{langs[0]}"
        if lang and first in table.headings and (
                rows := [row for row in table.rows if row.cells[first] != "" and row.cells[column] == ""]):
            yield Problem(table.place, f"empty cells where {table.headings[first]} has words: {len(rows)}",
                          f"translate them: ppgen words --table {lang} words.csv", line=rows[0].line,
                          key=table.headings[column])


# --- Pieces ---

def _fill_part(part: PartTable, read: NamesRead, reading: Reading) -> PieceBatch:
    table = part.table
    own = _templates(part, reading)
    by_copy = find_names_read(reading.folder, own, reading.made).copy if own else False
    copies = part.copies or _copies_column(table, read, reading.warnings, part.copies is not None)
    _warn_of_unread_columns(part, copies, read, reading.warnings)
    order = {block: n for n, block in enumerate(dict.fromkeys(row.cells.get(part.blocks, "") for row in table.rows))}
    rows = sorted(table.rows, key=lambda row: order[row.cells.get(part.blocks, "")])  # blocks as they first appear
    pieces = [piece for nth, row in enumerate(rows, 1) for piece in _pieces(part, row, nth, copies, by_copy, reading)]
    if table.rows and not pieces and not reading.problems:
        reading.problems.note(table.place, "every piece has 0 copies", "print one of some",
                              key=table.headings.get(copies, ""))
    return replace(part.batch, pieces=tuple(pieces))


def _templates(part: PartTable, reading: Reading) -> list[str]:
    faces = (part.piece.front, part.piece.back)
    return [*dict.fromkeys(file for row in part.table.rows for face in faces if (file := row_face(face, row, reading)))]


def _pieces(part: PartTable, row: TableRow, nth: int, column: str, by_copy: bool,
            reading: Reading) -> Iterator[DeckPiece]:
    """The piece of a row; one for each copy if its templates read ``copy``."""
    table = part.table
    line = Spot(table.place, row.line)
    copies = _copies(row, column, part, reading.problems)
    words = next((str(row.cells[name]) for column in ID_COLUMNS for name in (column, f"{column}.{reading.langs[0]}")
                  if row.cells.get(name, "") != ""), "")
    id = _unique_id(to_id(words) or (f"{part.piece.id}-{nth}" if table.headings else part.piece.id), reading.ids)
    facts = {**{name: row.cells[name] for name in ("id", column) if name in row.cells}, "copies": copies, "nth": nth}
    front, back = (row_face(face, row, reading) for face in (part.piece.front, part.piece.back))
    piece = replace(part.piece, id=id, copies=copies, front=front, back=back, line=line, facts=facts,
                    headings=table.headings, block=str(row.cells.get(part.blocks, "")), numbers=table.numbers,
                    cells={name: cell for name, cell in row.cells.items() if name not in facts or name == "nth"})
    if not by_copy:
        yield from [piece] if copies else []
        return
    for copy in range(1, copies + 1):
        own = id if copies == 1 else _unique_id(f"{id}-{copy}", reading.ids)
        yield replace(piece, id=own, copies=1, variables={"copy": copy})


def _unique_id(wanted: str, ids: dict[str, int]) -> str:
    """Return an id that is not among ``ids``, and add it: each with the last number that was added to it."""
    id, number = wanted, ids.get(wanted, 1)
    while id in ids:
        number += 1
        id = f"{wanted}-{number}"
    ids[wanted] = number
    ids.setdefault(id, 1)
    return id


def _copies_column(table: Table, read: NamesRead, warnings: Problems, is_stated: bool) -> str:
    """The column of copies; ``Number`` or ``Nombre`` is none if it holds words, or if the part gives the copies."""
    meant = [name for name, heading in table.headings.items() if is_copies(heading)
             and (plain_heading(heading) not in VALUE_HEADINGS or (name in table.numbers and not is_stated))]
    meant.sort(key=lambda name: (name != COPIES, name in read.names))
    if not meant:
        return ""
    column = meant[0]
    if column in read.names and plain_heading(table.headings[column]) in VALUE_HEADINGS:
        warnings.note(table.place, "is taken for the number of copies, and printed by a template",
                      "if it is another number, add a column copies", line=table.line, key=table.headings[column])
    return column


def _copies(row: TableRow, column: str, part: PartTable, problems: Problems) -> int:
    cell = row.cells.get(column, "")
    if cell == "":
        return part.piece.copies
    if isinstance(cell, int) and 0 <= cell <= MAX_COPIES:
        return int(cell)
    words = str(cell)
    if words.isascii() and words.isdigit() and len(words) < 4 and int(words) <= MAX_COPIES:
        return int(words)
    problems.note(part.table.place, f"'{cell}' is not a number of copies", f"from 0 to {MAX_COPIES}", line=row.line,
                  key=part.table.headings[column])
    return 1


def _warn_of_unread_columns(part: PartTable, copies: str, read: NamesRead, warnings: Problems) -> None:
    used = {*ID_COLUMNS, *TITLE_COLUMNS, copies, part.blocks, *read.names, *face_columns(part.piece.front),
            *face_columns(part.piece.back)}
    stems = {name.partition(".")[0]: heading for name, heading in part.table.headings.items()}
    unread = {stem: heading for stem, heading in stems.items() if stem not in used}
    if unread and read.complete:
        what = "no template reads this column" if len(unread) == 1 else "no template reads these columns"
        warnings.note(part.table.place, what, f"card.{next(iter(unread))} in a template prints it; "
                      "leave it so if it is a note of yours", line=part.table.line, key=shorten([*unread.values()]))


def _totals(table: Table, batch: PieceBatch) -> dict[str, object]:
    """Values of a part as a whole for templates: its pieces with all copies, their kinds, and sums of its columns."""
    rows = {piece.line: piece for piece in batch.pieces}
    sums = {column: sum(cell * int(str(piece.facts["copies"])) for piece in rows.values()
                        if isinstance(cell := piece.cells.get(column, piece.facts.get(column, "")), int | float))
            for column in table.numbers}
    return {"count": sum(piece.copies for piece in batch.pieces), "kinds": len(rows), "total": sums}
