"""Tables as people keep them: CSV, TSV, XLSX, ODS, JSON and YAML with free headings, for decks of one's own.

Headings become names that templates can write, and a column whose filled cells are all numbers holds numbers, which
print as they are written.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Mapping, Sequence
from pathlib import Path

from ppgen.errors import InputError, Phrase, Problem, Problems, display_path, format_count
from ppgen.reading.fields import (INVISIBLE, MAX_CHARACTERS, MAX_COLUMNS, MAX_LINES, MAX_PROBLEMS, MAX_ROWS,
                                  PICTURE_KINDS, CsvError, csv_rows, decode, describe_character, detect_table_separator,
                                  read_inside, refuse_file)
from ppgen.reading.workbooks import MAX_CELLS, RawRow, Written, is_workbook, read_workbook, write_as
from ppgen.records import dataclass, field

Cell = str | int | float
_COPIES_HEADINGS = frozenset("copies quantity qty count number anzahl menge aantal antal nombre quantite cantidad "
                             "quantita quantidade 枚数".split())
"""Headings of the number of copies, without accents."""
_TIMES = re.compile(r"[x×+]?\s?([0-9]{1,3})(?:[.,]0+)?\s?(?:[x×]|[^\W\d]{2,10}\.?)?", re.IGNORECASE)
"""A number of copies as people write it: ``x2``, ``3x``, ``2 Stück``."""
_SUMS = frozenset("total totals sum summe gesamt somme totale totaal totalt ialt 合計 計".split())
NUMBER_SIGNS = frozenset("# № Nº nº N° n°".split())  # headings that templates call `number`
TYPES = frozenset("str string text int integer float double number bool boolean".split())
"""Cells of a row under the headings that says of what type the columns are."""
MAX_SIGNS = 4  # signs of a heading that name its column
_SIGN_KINDS = frozenset("black white heavy sign symbol suit".split())
MAX_TRANSLATED = 100  # characters of a heading that may name a language

_WEB_PAGE = re.compile(r"\s*<(?:!doctype html|html|head|body)\b", re.IGNORECASE)
_OLD_WORKBOOK = b"\xd0\xcf\x11\xe0"
_NUMBER = re.compile(r"[+-]?(?:0|[1-9][0-9]{0,14})(?:\.[0-9]{1,10})?")
_DECIMAL_COMMA = re.compile(r"[+-]?(?:0|[1-9][0-9]{0,14}),([0-9]{1,10})")
_TICKS = {"TRUE": "✓", "FALSE": "✗", "✓": "✓", "✗": "✗", "": ""}  # cells of tick boxes
_LANGUAGE = re.compile(r"(.+)[.(]\s*+([A-Za-z]{2,3}(?:-[A-Za-z0-9]++)*+)\s*+\)?+")  # `Name.de` or `Name (de)`


@dataclass(frozen=True, slots=True)
class TableRow:
    """A row: its line in the file (the row of the spreadsheet), and its cells by column; empty ones are ``""``."""

    line: int
    cells: Mapping[str, Cell]


@dataclass(frozen=True, slots=True, kw_only=True)
class Table:
    """A table."""

    place: str
    line: int = 0  # of the headings
    headings: Mapping[str, str] = field(default_factory=dict)  # as written, by the names of their columns
    rows: tuple[TableRow, ...] = ()
    numbers: frozenset[str] = frozenset()  # columns that hold numbers
    notes: tuple[Problem, ...] = ()  # about headings


def column_name(heading: str) -> str:
    """The name of a column in templates: ``Flavour Text`` → ``flavour_text``, and ``☁`` → ``cloud``; else empty."""
    words = re.sub(r"\W+", "_", unicodedata.normalize("NFKC", heading).lower()).strip("_") or _name_signs(heading)
    return f"c_{words}" if words and not words.isidentifier() else words


def _name_signs(heading: str) -> str:
    """The names of signs in Unicode, without their colour and kind: ``BLACK HEART SUIT`` → ``heart``."""
    signs = [sign for sign in heading if unicodedata.category(sign).startswith("S")][:MAX_SIGNS]
    names = [word for sign in signs for word in re.split(r"\W+", unicodedata.name(sign, "").lower())]
    return "_".join(word for word in names if word not in _SIGN_KINDS)


def plain_heading(heading: str) -> str:
    """Return a heading without case and accents."""
    return "".join(character for character in unicodedata.normalize("NFKD", heading.strip().casefold())
                   if not unicodedata.combining(character))


def is_copies(heading: str) -> bool:
    """True if decks take a column with this heading for the number of copies by themselves."""
    return plain_heading(heading) in _COPIES_HEADINGS


def translated_heading(headings: Mapping[str, str], column: str, model: str, lang: str) -> str:
    """The heading of a column in a language: as written, or else made like that of the ``model``."""
    written = headings[f"{column}.{model}"]
    match = _LANGUAGE.fullmatch(written)
    return headings.get(f"{column}.{lang}") or (
        f"{written[:match.start(2)]}{lang}{written[match.end(2):]}" if match else f"{written} ({lang})")


def letter_headings(width: int) -> list[str]:
    """Headings for a table without any: ``A``, ``B`` …, as spreadsheet programs call columns."""
    letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
    return [letters[n] if n < len(letters) else f"{letters[n // len(letters) - 1]}{letters[n % len(letters)]}"
            for n in range(min(width, MAX_COLUMNS))]


def read_table(folder: Path, name: str, problems: Problems, sheet: str = "", langs: Sequence[str] = (), *,
               has_headings: bool = True) -> Table:
    """Read a table (``sheet`` of a workbook, ``langs`` of columns). Notes problems; then it is empty."""
    place = display_path(folder / name)
    try:
        data = read_inside(folder, name)
        rows, looks = read_workbook(folder / name, data, sheet) if is_workbook(folder / name, data) else (
            _text_rows(folder / name, data, sheet), [])
    except InputError as error:
        problems.extend(error.problems)
        return Table(place=place)
    rows = [(line, cells) for line, cells in rows if any(cell != "" for cell in cells)]
    if not has_headings:
        rows.insert(0, (1, letter_headings(max(len(cells) for _, cells in rows))))
    if len(rows) < 2:
        problems.note(place, "has no row under its headings" if rows else "is empty",
                      "add a row for each piece" if rows else "its first row has the headings")
        return Table(place=place)
    titles = _count_titles(rows)
    (line, head), *body = rows[titles:]
    if len(head) > MAX_COLUMNS or len(body) > MAX_ROWS:
        problems.note(place, f"has {len(body):,} rows and {len(head)} columns",
                      f"at most {MAX_ROWS:,} and {MAX_COLUMNS}")
        return Table(place=place)
    headings, columns, notes = _name_columns(place, line, head, body, langs)
    notes += looks
    if not headings:
        problems.note(place, "no heading has a letter, digit or sign with a name", "name the columns in its first row",
                      line=line)
        return Table(place=place)
    if titles:
        notes.append(Problem(place, "a title above the headings: left out", "delete it", line=rows[0][0]))
    if _is_sum(body[-1][1]) and len(body) > 1:
        notes.append(Problem(place, "a line of sums: left out", "delete it", line=body.pop()[0]))
    sections = [line for line, cells in body if len(head) > 2 and not _is_comment(cells) and _filled(cells) == [0]]
    if 1 < len(sections) < len(body) / 2:
        notes.append(Problem(place=place, line=sections[0], more=len(sections) - 1, what="nothing but a first cell",
                             remedy="if it is a title of the cards below, write # and a blank before it"))
    comments = [line for line, cells in body if _is_comment(cells)]
    if comments and len(comments) < len(body):
        body = [row for row in body if row[0] not in comments]
        notes.append(Problem(place, f"lines of comment: {len(comments)}, left out", "fill them in, or delete them",
                             line=comments[0]))
    body, unused = _split_unused(body)
    if unused:
        where = f"lines {unused[0][0]} to {unused[-1][0]} have" if len(unused) > 1 else f"line {unused[0][0]} has"
        notes.append(Problem(place, f"{where} a number and nothing else: left out", "fill them in, or delete them",
                             line=unused[0][0]))
    _check_cells(place, rows, len(head), problems)
    values = {column: _column_values(_plain_copies(headings[column], [cells[n] if n < len(cells) else ""
                                                                      for _, cells in body]))
              for column, n in columns.items()}
    numbers = frozenset(column for column, (_, are_numbers) in values.items() if are_numbers)
    return Table(place=place, line=line, headings=headings, numbers=numbers, notes=tuple(notes), rows=tuple(
        TableRow(number, {column: cells[n] for column, (cells, _) in values.items()})
        for n, (number, _) in enumerate(body)))


def _filled(cells: Sequence[object]) -> list[int]:
    return [n for n, cell in enumerate(cells) if cell != ""]


def _count_titles(rows: Sequence[RawRow]) -> int:
    """The number of first rows of one cell of several words above the headings: short words that none of the rows below
    has in the same column. At least half of those rows have several cells.
    """
    titles = next((n for n, (_, cells) in enumerate(rows) if len(_filled(cells)) > 1), 0)
    head = [str(cell) for cell in rows[titles][1] if cell != ""]
    is_title = all(" " in str(cell) for _, cells in rows[:titles] for cell in cells if cell != "")
    is_head = len({*head}) == len(head) and all(len(cell) < 40 and not _NUMBER.fullmatch(cell) for cell in head)
    below = [cells for _, cells in rows[titles + 1:]]
    is_table = sum(len(_filled(cells)) > 1 for cells in below) * 2 >= len(below) and not any(
        cell != "" and cell == other for cells in below for cell, other in zip(cells, rows[titles][1], strict=False))
    return titles if is_title and is_head and is_table and titles < min(4, len(rows) - 1) else 0


def _is_sum(cells: Sequence[object]) -> bool:
    """True if a row has a first cell like ``Total:``, and a number."""
    first, *others = [cell for cell in cells if cell != ""]
    return plain_heading(re.sub(r"[\W_]", "", str(first))) in _SUMS and any(
        _number(cell, False) is not None for cell in others)


def _plain_copies(heading: str, cells: Sequence[object]) -> Sequence[object]:
    """The cells of a column as numbers, if it is one of copies like ``x2``."""
    counts = [_TIMES.fullmatch(str(cell)) for cell in cells] if is_copies(heading) else []
    if not all(count or cell == "" for count, cell in zip(counts, cells, strict=False)):
        return cells
    return [int(count[1]) if count else "" for count in counts] or cells


def _is_comment(cells: Sequence[object]) -> bool:
    """True if a row of several cells has a first one like ``# Monsters`` and no other, or holds types of programs."""
    filled = [str(cell).lower() for cell in cells if cell != ""]
    return len(cells) > 1 and ((filled == [str(cells[0]).lower()] and filled[0].startswith("# "))
                               or (len(filled) > 2 and TYPES.issuperset(filled)))


def _split_unused(rows: list[RawRow]) -> tuple[list[RawRow], list[RawRow]]:
    """Split off the last rows that have a number in the first cell and nothing else, below rows that have more."""
    end = len(rows)
    while end and _number(rows[end - 1][1][0], False) is not None and not any(
            cell != "" for cell in rows[end - 1][1][1:]) and len(rows[end - 1][1]) > 1:
        end -= 1
    return (rows[:end], rows[end:]) if end else (rows, [])


def _name_columns(place: str, line: int, head: Sequence[object], body: Sequence[RawRow],
                  langs: Sequence[str]) -> tuple[dict[str, str], dict[str, int], list[Problem]]:
    """The headings and positions of the columns by name, and what to know of them."""
    headings: dict[str, str] = {}
    columns: dict[str, int] = {}
    numbers: dict[str, int] = {}
    notes: list[Problem] = []
    spelling = {lang.lower(): lang for lang in langs}
    for position, cell in enumerate(head):
        heading = " ".join(str(_plain_text(cell)).split())
        translated = _LANGUAGE.fullmatch(heading) if len(heading) <= MAX_TRANSLATED else None
        if translated and (lang := spelling.get(translated[2].lower())):
            name = f"{column_name(translated[1])}.{lang}"
        else:
            name = "number" if heading in NUMBER_SIGNS else column_name(heading)
        if not name:
            if any(len(cells) > position and cells[position] != "" for _, cells in body):
                what = f"column {position + 1} has no heading" if not heading else f"'{heading}' is not a heading"
                notes.append(Problem(place, f"{what}: it is left out", "name it if a template needs it", line=line))
            continue
        first = name
        while name in headings:
            numbers[first] = numbers.get(first, 1) + 1
            name = f"{first}_{numbers[first]}"
        if name != first:
            notes.append(Problem(place, "duplicate heading: templates call it " f"{name}",
                                 "give each column a heading of its own", line=line, key=heading))
        headings[name], columns[name] = heading, position
    return headings, columns, notes


def _check_cells(place: str, rows: Sequence[RawRow], width: int, problems: Problems) -> None:
    """Note cells without a heading, and those that no face can show."""
    for line, cells in rows:
        if len(problems) >= MAX_PROBLEMS:
            return
        if any(cell != "" for cell in cells[width:]):
            problems.note(place, f"has {format_count(len(cells), 'cell')}, the first row {width}",
                          "quote cells that hold the separator, or add headings", line=line)
        for cell in cells:
            if not isinstance(cell, str):
                continue
            if len(cell) > MAX_CHARACTERS:
                problems.note(place, Phrase("long_cell", number=MAX_CHARACTERS), Phrase("open_quote"), line=line)
            elif match := INVISIBLE.search(cell):
                problems.note(place, Phrase("invisible", message=describe_character(match[0])), Phrase("take_it_out"),
                              line=line)


# --- Cells ---

def _column_values(cells: Sequence[object]) -> tuple[list[Cell], bool]:
    """The values of a column, and whether they are numbers: all filled cells of it are. Tick boxes are ticks."""
    if any(cell != "" for cell in cells) and all(_plain_text(cell) in _TICKS for cell in cells):
        return [_TICKS[_plain_text(cell)] for cell in cells], False
    words = [cell for cell in cells if isinstance(cell, str)]
    commas = [match[1] for cell in words if (match := _DECIMAL_COMMA.fullmatch(cell))]
    # 1,250 is a thousand to some and a little more than one to others: with three digits throughout it stays a text
    has_commas = any(len(digits) != 3 for digits in commas) and not any("." in cell for cell in words)
    numbers = [_number(cell, has_commas) for cell in cells if cell != ""]
    if numbers and None not in numbers:
        return [number if (number := _number(cell, has_commas)) is not None else "" for cell in cells], True
    return [_plain_text(cell) for cell in cells], False


def _number(cell: object, has_commas: bool) -> int | float | None:
    """The number in a cell; None for any other cell, also for ``007``."""
    if isinstance(cell, str):
        words = cell.replace(",", ".") if has_commas and _DECIMAL_COMMA.fullmatch(cell) else cell
        if not _NUMBER.fullmatch(words):
            return None
        return write_as(float(words) if "." in words else int(words), cell)
    if isinstance(cell, int | float) and abs(cell) < 1e15:
        return cell if isinstance(cell, Written) else write_as(cell, _plain_text(cell))
    return None


def _plain_text(cell: object) -> str:
    return str(int(cell) if isinstance(cell, float) and cell.is_integer() else cell)


# --- Files ---

def _text_rows(path: Path, data: bytes, sheet: str) -> list[RawRow]:
    """The rows of a text file with their first lines. Raises InputError."""
    if data.startswith(_OLD_WORKBOOK):
        raise refuse_file(path, "is a workbook of an old kind", "save it as XLSX or CSV")
    if sheet:
        raise refuse_file(path, f"is a text file and has no sheet '{sheet}'", "leave sheet out, or name a workbook")
    try:
        text = decode(data, display_path(path))
    except InputError as error:
        if kind := next((what for start, what in PICTURE_KINDS.items() if data.startswith(start)), ""):
            raise refuse_file(path, f"is {kind}", "save it as PNG or JPEG") from error
        if not (line := _undecodable_line(data)):
            raise
        raise refuse_file(path, Phrase("not_utf8"), "save it as 'CSV UTF-8', or as XLSX", line) from error
    if _WEB_PAGE.match(text):
        raise refuse_file(path, "is a web page", "download the sheet itself, as CSV or XLSX")
    if foreign := _name_foreign(text):
        raise refuse_file(path, *foreign)
    rows: list[RawRow] = []
    count = 0
    try:
        for row in csv_rows(text, detect_table_separator(text), MAX_LINES):
            count += len(row.cells)
            if count > MAX_CELLS:
                raise refuse_file(path, f"has more than {MAX_CELLS:,} cells", "make several tables of it", row.line)
            rows.append((row.line, [*row.cells]))
    except CsvError as error:
        raise refuse_file(path, error.what, error.remedy, error.line) from error
    return rows


_NANDECK = re.compile(
    r"^[ \t]*+(?:CARDSIZE|CARDS|PAGE|BORDER|DPI|FONT|FONTRANGE|TEXT|IMAGE|RECTANGLE|LINKMULTI)[ \t]*+=", re.M)
_NANDECK_LINK = re.compile(r"^[ \t]*+LINK[ \t]*+=[ \t]*+\"?([^\"\r\n;,]+)", re.M)
_SQUIB = re.compile(r"Squib::Deck|require ['\"]squib['\"]")
_SQUIB_TABLE = re.compile(r"\b(?:csv|xlsx)[ \t(]{0,4}(?:file:[ \t]*+)?['\"]([^'\"\n]+)")
_LISTED_CARD = re.compile(r"\d{1,3}x?\s+[^\W\d][^\t;|]*")
MIN_LISTED = 3  # lines of a deck list at least


def _name_foreign(text: str) -> tuple[str, str] | None:
    """Say which file of another program a text is, and what to give in its place; None for a table."""
    if _NANDECK.search(text) and (_NANDECK_LINK.search(text) or len(_NANDECK.findall(text)) > 1):
        table = _NANDECK_LINK.search(text)
        return "is a nanDECK script", (
            f"give its table: --from {table[1].strip()}" if table else "give a table of the cards")
    if _SQUIB.search(text):
        table = _SQUIB_TABLE.search(text)
        return "is a Squib script", f"give its table: --from {table[1]}" if table else "give a table of the cards"
    if text.lstrip().startswith("<"):
        is_order = "<order>" in text and "<fronts>" in text
        return ("is the order of a print shop", "give the folder of its pictures: --from FOLDER") if is_order else (
            "is XML", "save the table as CSV, or give a folder of pictures")
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    listed = [line for line in lines if _LISTED_CARD.fullmatch(line)]
    if len(listed) >= MIN_LISTED and len(listed) * 5 >= len(lines) * 4 and len({line.count(",") for line in lines}) > (
            "," in text):
        return "is a deck list", "write a table: Copies,Name in its first line, and 4,Forest below"
    return None


def _undecodable_line(data: bytes) -> int:
    try:
        data.decode("utf-8")
    except UnicodeDecodeError as error:
        return data.count(b"\n", 0, error.start) + 1
    return 0
