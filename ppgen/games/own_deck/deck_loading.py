"""A deck's tables, templates and pictures into parts."""

from __future__ import annotations

import os
import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from difflib import get_close_matches
from functools import cache, cached_property, partial
from pathlib import Path
from types import SimpleNamespace
from typing import TYPE_CHECKING

from ppgen.assets import DECK_FILE
from ppgen.engine.component import GRID, NESTED, TILED, Stock
from ppgen.engine.drawing.fonts import DIRECTIONS
from ppgen.engine.drawing.template_source import NamesRead, find_names_read
from ppgen.engine.geometry import A4, Format, Formats, Size
from ppgen.engine.imposition.sheets import Backs, SheetSpec, page_areas
from ppgen.engine.pictures.picture import MAX_FILE_BYTES
from ppgen.engine.pictures.picture_files import PICTURE_FOLDERS
from ppgen.engine.shapes import RECTANGLE, Folded, ShapeKind
from ppgen.errors import InputError, Phrase, Problem, Problems, Spot, join_names, merge_files, shorten, suggest
from ppgen.games.game_kind import call
from ppgen.games.interface import LEARN, MAX_SEATS, TOOLS, USUAL_TOOLS, DeckFolder, Row, take_steps
from ppgen.games.missing_signs import find_signs
from ppgen.games.own_deck.deck import (ABOUT_FILE, COPIES, DIE, ID_COLUMNS, MAX_TILED_SIDE_MM, PICTURES, RULES,
                                       RULES_TEMPLATES, STANDEE, TENT, TITLE_COLUMNS, VALUE_HEADINGS, DeckPiece,
                                       OwnDeck, PieceBatch, PieceCut, deck_languages, default_id, find_rules_files,
                                       take_length, take_piece_cut, to_id)
from ppgen.reading.fields import Fields, is_file_name, is_reserved_name, is_spelt, read_inside, read_toml
from ppgen.reading.tables import Table, TableRow, column_name, is_copies, plain_heading, read_table
from ppgen.reading.texts import Texts, is_language
from ppgen.records import dataclass, field, replace
from ppgen.shipped import shipped_root

if TYPE_CHECKING:
    from ppgen.engine.adoption.adopted_drawing import AdoptedDrawing

# --- Faces ---

DRAWING, TEMPLATES = ".svg", (".j2", ".jinja", ".jinja2")  # suffixes of fronts and backs, besides those of pictures
FACES = (*PICTURES, DRAWING, *TEMPLATES)
NO_FACE = "is not a template, drawing or picture"
FACE_REMEDY = "name a file that ends with .svg.j2, .svg, .png, .jpg or .webp"
MAX_BLEED_MM = 20
PICTURE_COLUMNS = ("art", "picture", "image", "bild", "billede", "afbeelding", "illustration", "画像")
"""Columns whose pictures are the faces of a part without front, in order of preference."""
DIE_FACE = "die-face.svg.j2"  # of a die's faces that has no other: its columns 1 to 6, the number if all are empty
_COLUMN = re.compile(r"\{([^{}]*)\}")  # in the name of a front or back: each row has its own words there


@dataclass()
class Reading:
    """State while a deck is read: its folder and languages, the templates that were made, and the ids so far."""

    folder: Path
    langs: Sequence[str]
    formats: Formats
    card_size: Format
    problems: Problems
    warnings: Problems = field(default_factory=Problems)
    drawing_notes: Problems = field(default_factory=Problems)
    made: dict[str, str] = field(default_factory=dict)
    tables: dict[tuple[str, str], Table] = field(default_factory=dict)
    ids: dict[str, int] = field(default_factory=dict)
    colours: Collection[str] = ()
    drawings: dict[str, AdoptedDrawing] = field(default_factory=dict)
    row_faces: set[str] = field(default_factory=set)
    bleed: float | None = None  # the bleed of the pictures of the part that is being read, if it says so

    @cached_property
    def families(self) -> Collection[str]:
        from ppgen.engine.adoption.adopted_drawing import deck_families  # heavy: few decks have drawings

        return deck_families(self.folder)


def take_faces(part: Fields, name: str, cut: PieceCut, table: Table, reading: Reading) -> tuple[str, str]:
    """The templates of front and back, or the pictures that a column names; a net's faces become its panels."""
    reading.bleed = take_length(part, "bleed", 0, MAX_BLEED_MM) if "bleed" in part else None
    if _is_die(cut):
        if _take_face(part, "back", cut, table, reading):
            part.note("back", "is not printed: it would be inside the die", "leave it out")
        return _make_die(_take_face(part, "front", cut, table, reading), reading), ""
    column = next((column for column in PICTURE_COLUMNS if column in table.headings), "")
    behind = f"back_{column}" if f"back_{column}" in table.headings else ""
    if column and not part.raw("front"):
        front, back = f"card.{column}", f"card.{behind}" if behind else ""
        if cut.net:
            _take_face(part, "back", cut, table, reading)
            return _make_figure(name, front, f"{back} or {front}" if back else front, reading), ""
        if any(_has_words(row_face(f"{{{column}}}", row, reading), reading.folder) for row in table.rows):
            behind = behind if behind and not part.raw("back") else ""
            return (_take_row_faces(part, "front", f"{{{column}}}", cut, table, reading),
                    _take_row_faces(part, "back", f"{{{behind}}}", cut, table, reading) if behind
                    else _take_face(part, "back", cut, table, reading))
        return (_make_picture(f"{name}.{column}", front, reading), _make_picture(f"{name}.{behind}", back, reading)
                if behind and not part.raw("back") else _take_face(part, "back", cut, table, reading))
    front, back = (_take_face(part, key, cut, table, reading) for key in ("front", "back"))
    if cut.net and front.lower().endswith(PICTURES) and (not back or back.lower().endswith(PICTURES)):
        return _make_figure(name, f'"{front}"', f'"{back or front}"', reading), ""
    if cut.net and back:
        part.note("back", "is not printed: the template in front draws the whole net", "leave it out")
    return front, back


def _made_face(name: str, **words: str) -> str:
    """The text of a template that makes a face: two pictures folded at the top (``figure``), a face with another one
    laid over it (``overlaid``), the net of a ``die`` with a template for each of its faces."""
    text = (shipped_root() / "data" / "made_faces" / f"{name}.svg.j2").read_text(encoding="utf-8").rstrip("\n")
    return re.sub(r"\b[A-Z]{4,}\b", lambda match: words[match[0]], text)


def _make_picture(name: str, picture: str, reading: Reading) -> str:
    """Make the template of a face that is a picture alone; return its name.

    A picture across is turned: front and back in opposite directions, so that both are upright when the card is turned
    over like a page.
    """
    bleed = "" if reading.bleed is None else f", bleed={reading.bleed:g}"
    reading.made[name] = f'{{{{ image({picture}, fit="bleed", turn=90 if side == "front" else -90{bleed}) }}}}'
    return name


def _make_figure(name: str, front: str, back: str, reading: Reading) -> str:
    """Make the template of a net with a picture on either side, and bare feet; return its name."""
    reading.made[f"{name}.figure"] = _made_face("figure", FRONT=front, BACK=back)
    return f"{name}.figure"


def _take_face(part: Fields, key: str, cut: PieceCut, table: Table, reading: Reading) -> str:
    """The template of a front or back: a file, or made of a drawing or picture; columns are left."""
    file = part.take_text(key, "")
    suffix = Path(file).suffix.lower()
    if not file:
        if key == "front" and not _is_die(cut):
            part.note(key, Phrase("is_missing"),
                      "name a template, drawing or picture, or add a column art to the table")
    elif _COLUMN.search(file) and suffix in ("", *FACES):
        return _take_row_faces(part, key, file, cut, table, reading)
    elif suffix not in FACES:
        part.note(key, f"'{file}' {NO_FACE}", FACE_REMEDY)
    else:
        if has_file(reading.folder, file):
            _make_face(file, cut, table, reading)
        else:
            note_missing_file(part, key, file, reading.folder)
        return file
    return ""


def _make_face(file: str, cut: PieceCut, table: Table, reading: Reading) -> None:
    """Make the template of a picture or drawing; a template needs none."""
    suffix = Path(file).suffix.lower()
    if suffix in PICTURES:
        _make_picture(file, f'"{file}"', reading)
    elif suffix == DRAWING:
        from ppgen.engine.adoption.adopted_drawing import adopt_drawing

        try:
            columns = tuple(dict.fromkeys(name.partition(".")[0] for name in table.headings))
            drawing = adopt_drawing(reading.folder, file, _face_size(cut), columns, colours=reading.colours,
                                    families=reading.families)
            shown = tuple(name for name in columns if name not in ID_COLUMNS[:1] and not is_copies(name))
            reading.made[file], reading.drawings[file] = drawing.template, replace(drawing, columns=shown)
            reading.drawing_notes.extend(drawing.notes)
        except InputError as error:
            reading.problems.extend(error.problems)


def _take_row_faces(part: Fields, key: str, pattern: str, cut: PieceCut, table: Table, reading: Reading) -> str:
    """Make the faces of all rows whose files a column names; an empty cell is no back, a missing file a problem."""
    columns = {name.partition(".")[0]: heading for name, heading in table.headings.items()}
    unknown = next((words for words in _COLUMN.findall(pattern) if column_name(words) not in columns), None)
    if cut.net:
        part.note(key, "a file for each row is not for pieces that are folded", "name one file for all")
    elif unknown is not None:
        part.note(key, f"the table has no column '{unknown}'",
                  suggest(unknown, table.headings.values(), f"columns: {join_names(table.headings.values())}"))
    else:
        wrong: dict[tuple[str, str], list[int]] = {}
        for row in table.rows:
            file = row_face(pattern, row, reading)
            if not file and key == "back":
                continue
            if not is_inside(file, reading.folder):
                what = f"there is no file '{file[:100]}'" if file else "is empty"
                wrong.setdefault((what, file), []).append(row.line)
            elif not file.lower().endswith(FACES):
                wrong.setdefault((f"'{file[:100]}' {NO_FACE}", ""), []).append(row.line)
            elif file not in reading.row_faces:
                reading.row_faces.add(file)
                _make_face(file, cut, table, reading)
        heading = columns[face_columns(pattern)[0]]
        for (what, file), lines in wrong.items():
            reading.problems.append(Problem(table.place, what, _file_remedy(file, reading.folder) if file
                                            else FACE_REMEDY, line=lines[0], key=heading, more=len(lines) - 1))
        return pattern
    return ""


def face_columns(face: str) -> list[str]:
    """The columns in the name of a front or back."""
    return [*map(column_name, _COLUMN.findall(face))]


def row_face(face: str, row: TableRow, reading: Reading) -> str:
    """The front or back of a row: of one with a column in its name, the file with the row's words in its place."""
    def words(match: re.Match[str]) -> str:
        name = column_name(match[1])
        return str(row.cells.get(name, "") or row.cells.get(f"{name}.{reading.langs[0]}", "")).strip()

    if "{" not in face:
        return face
    file = _COLUMN.sub(words, face)
    return next((f"{folder}{file}" for folder in PICTURE_FOLDERS if has_file(reading.folder, f"{folder}{file}")), file)


def _has_words(file: str, folder: Path) -> bool:
    """True if a file is a drawing with words, which are drawn like those of a front."""
    return file.lower().endswith(DRAWING) and is_inside(file, folder) and any(
        word in read_inside(folder, file, MAX_FILE_BYTES) for word in (b"<text", b"<flowRoot"))


def is_inside(file: str, folder: Path) -> bool:
    """True if a name from a table or drawing is that of a file in the folder, and of no link out of it."""
    return has_file(folder, file) and (folder / file).resolve().is_relative_to(folder.resolve())


def has_file(folder: Path, name: str) -> bool:
    """True if a name from a stranger's file is that of a file in the folder."""
    return (is_file_name(name) and os.path.isfile(folder / name)  # noqa: PTH113 - Path's raises for a name that is too long
            and is_spelt(folder, name))


def _is_die(cut: PieceCut) -> bool:
    return cut.net is not None and cut.net.kind is Folded.DIE


def _face_size(cut: PieceCut) -> Size:
    """The size of a face; of a die, that of one side of the cube."""
    return Size(*[cut.net.panels["1"].width] * 2) if cut.net and _is_die(cut) else cut.size


def _make_die(front: str, reading: Reading) -> str:
    """Make the template of a die's net, which draws ``front`` for each face; return its name."""
    if not front:
        front = DIE_FACE
        reading.made[front] = _made_face("die-face")
    reading.made[f"{front}.die.j2"] = _made_face("die", FRONT=front)
    return f"{front}.die.j2"


def note_missing_file(part: Fields, key: str, file: str, folder: Path) -> None:
    if is_file_name(file) and (folder / file).is_dir():
        part.note(key, f"'{file}' is a folder", "name a file")
    else:
        part.note(key, f"there is no file '{file}'", _file_remedy(file, folder))


def _file_remedy(file: str, folder: Path) -> str:
    if is_reserved_name(file):
        return "rename it: it is the name of a device on Windows"
    if not is_file_name(file):
        return "name a file inside the deck's folder"
    files = [path.relative_to(folder).as_posix() for path in sorted((folder / file).parent.glob("*"))]
    near = get_close_matches(file, files, n=1)
    return Phrase("did_you_mean_names", names=near[0]) if near else "put it beside deck.toml"


# --- Parts ---

TOP_KEYS = ("title", "version", "author", "lang", "dir", "id", "colours", "card_size", "box", "rules", "table",
            "presets", "source", LEARN)
"""Keys of ``deck.toml`` that are not parts."""
PART_KEYS = ("table", "sheet", "size", "shape", "radius", "stock", "front", "back", "copies", "kind", "blocks", "nest",
             "feet", "bleed", "over")
KINDS = ("card", STANDEE, TENT, DIE)
STOCKS = tuple(stock.value for stock in (Stock.CARD, Stock.BOARD, Stock.PLAIN))
RESERVED_PARTS = ("cards-back", "box", "calibration", "rules", "guide")  # names of parts that any set may have
DEFAULT_CARD_SIZE = "2.5x3.5in"  # default size of cards: poker
MAX_COPIES, MAX_DEALT = 500, 60
SHIPPED_BOX = "shared/tuck-box.svg.j2"  # the template of a box that a deck only asks for
OLD_PARTS = "parts"  # a list of this name marks the older form of decks, in two folders
OLD_FORM_REMEDY = ("put deck.toml, tables and templates side by side, and give each part a table of its own: [cards] "
                   "with table, size, front and back instead of [[parts]]; see docs/deck.md")
RULES_ENDINGS = (".md", ".markdown", ".pdf")

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
    over: str = ""  # what is laid over the faces, likewise


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
    direction = top.take_choice("dir", DIRECTIONS, "")
    colours = _take_colours(top.take_table("colours", required=False))
    reading.colours = [name for name, value in colours.items() if isinstance(value, dict)]
    rules = _take_rules(top, reading)
    top.take_text("source", "")  # for ppgen fetch: nothing is fetched here
    table = top.take_table("table", required=False)
    described = [part for key in top if top.is_table(key) and key not in TOP_KEYS
                 if (part := _read_part(top.take_table(key), key, top, reading))]
    described, cards = _tell_cards_from_tiles(described)
    deals, rows, tools = _take_table(table, {part.name: part.batch for part in described})
    for key in top:
        if key not in TOP_KEYS and not top.is_table(key):
            top.note(key, "is not known",
                     suggest(key, TOP_KEYS, f"known: {join_names(TOP_KEYS)}, and a table for each part"))
    if not described and not rules and not problems:
        problems.note(top.source.name, "has no part", 'add a table, like [cards] with table = "cards.csv"')
    fronts = [name for part in described for name in _templates(part, reading)]
    read = find_names_read(folder, fronts, reading.made) if fronts else NamesRead()
    batches = tuple(_fill_part(part, read, reading) for part in described)
    words = {"game.title": title, "game.author": author, "game.subject": title,
             **{f"parts.{part.batch.name}": part.name.replace("_", " ").replace("-", " ").capitalize()
                for part in described}}
    ids = (*(piece.id for batch in batches for piece in batch.pieces), *(batch.name for batch in batches))
    learn = take_steps(top.take_table(LEARN, required=False), ids, (), MAX_SEATS, words)
    totals = {column_name(part.name): _totals(part.table, batch)
              for part, batch in zip(described, batches, strict=True)}
    problems.raise_if_any()
    if cards:
        card_size = formats.card_size(f"{cards.width:.10g}x{cards.height:.10g}mm")
    def is_read(name: str) -> bool:
        return name in read.names or not read.complete

    about = partial(call, RULES + "about_deck", folder) if (folder / ABOUT_FILE).is_file() else None
    additions = DeckFolder(
        words=words, made={**reading.made, **(RULES_TEMPLATES if rules or about else {})}, drawings=reading.drawings,
        values=partial(_values, colours, {"version": version, **{
            name: SimpleNamespace(**each) for name, each in totals.items() if is_read(name)}}),
        rules=rules, about=about, version=version, direction=direction,
        signs=find_signs(reading.tables.values(), lambda column: is_read(column.partition(".")[0])))
    return OwnDeck(id=identity, lang=langs[0], card_size=card_size, box=box, batches=batches, deals=deals, rows=rows,
                   tools=tools, learn=learn, additions=additions,
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
    if name and not name.lower().endswith(RULES_ENDINGS):
        top.note("rules", f"'{name}' is not a Markdown file or PDF", "name a file that ends with .md or .pdf")
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


def _read_part(table: Fields, key: str, top: Fields, reading: Reading) -> PartTable | None:
    """Read a part and its table; None for a table that is not a part."""
    if get_close_matches(key, ["colours"], cutoff=0.8) and not any(name in PART_KEYS for name in table):
        top.note(key, "is not known", "did you mean colours? a part has at least front")
        return None
    name = to_id(key)
    if not name or name in RESERVED_PARTS or key in TOP_KEYS:
        top.note(key, f"'{key}' can't be the name of a part", "choose another, of letters and digits")
    kind = table.take_choice("kind", KINDS, KINDS[0])
    if table.raw("feet") is not None and kind != STANDEE and table.raw("shape") != STANDEE:
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
    if layout is TILED and cut.net:
        table.note("size", f"the net is {cut.size}", "make it smaller: it is printed in one piece, on A4")
    elif layout is TILED and cut.shape != RECTANGLE:
        table.note("shape" if "shape" in table else "radius", "is not for boards: tiles have straight edges",
                   "leave it out")
    rows = _read_rows(table, key, reading)
    front, back = take_faces(table, key, cut, rows, reading)
    over = _take_face(table, "over", cut, rows, reading)
    piece = DeckPiece(id=name, copies=copies, cut=cut, front=front, back=back, cells={}, line=Spot(""))
    words = table.take_text("blocks", "")
    for option, column in (("blocks", words), ("copies", heading)):
        if column and rows.rows and column_name(column) not in rows.headings:
            columns = join_names(rows.headings.values())
            table.note(option, *((f"the table has no column '{column}'", f"columns: {columns}") if columns else
                                 (f"there is no table with a column '{column}'", 'add one: table = "cards.csv"')))
    table.close()
    return PartTable(name=key, piece=piece, table=rows, blocks=column_name(words), fields=table, over=over,
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
    faces = (part.piece.front, part.piece.back, part.over)
    return [*dict.fromkeys(file for row in part.table.rows for face in faces if (file := row_face(face, row, reading)))]


def _lay_over(face: str, over: str, reading: Reading) -> str:
    """The template of a face with ``over`` on top of it."""
    name = f"{face}+{over}"
    reading.made[name] = _made_face("overlaid", FACE=face, OVER=over)
    return name


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
    front, back, over = (row_face(face, row, reading) for face in (part.piece.front, part.piece.back, part.over))
    if over:
        front, back = (face and _lay_over(face, over, reading) for face in (front, back))
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
    used = {*ID_COLUMNS, *TITLE_COLUMNS, copies, part.blocks, *read.names, *(
        column for face in (part.piece.front, part.piece.back, part.over) for column in face_columns(face))}
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


def _values(colours: Mapping[str, object], totals: Mapping[str, object], texts: Texts) -> dict[str, object]:
    """The values that every template of the deck gets."""
    whole = SimpleNamespace(title=texts.words["game.title"], author=texts.words["game.author"], **totals)
    return {"deck": whole, "colours": dict(colours)}
