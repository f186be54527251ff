"""Workbooks and records: the rows of one sheet of an XLSX or ODS file, and of the objects of a JSON, YAML or MSE file.

They are read in the supervised child.
"""

from __future__ import annotations

import io
import json
import re
import zipfile
import zlib
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

from ppgen.cache import cached_by
from ppgen.errors import Problem, join_names, shorten, suggest
from ppgen.process.supervision import Options, read_supervised
from ppgen.reading.fields import read_inside
from ppgen.reading.file_limits import display_place
from ppgen.reading.number_formats import Written, plain_number, write_as
from ppgen.reading.workbook_sheets import MAX_CELLS, RawSheet, read_sheets, refuse

ZIP_START = b"PK\x03\x04"  # the first bytes of a workbook
MAX_UNPACKED_BYTES, MAX_PACKED_FILES = 100_000_000, 2_000  # of a workbook, which is a zip archive
YAML_ENDINGS = (".yaml", ".yml")
MAX_NESTING = 4  # levels of a card's object
_OBJECTS = re.compile(rb"(?:\xef\xbb\xbf)?\s*(?:\[\s*\{\s*\"|\{\s*\")")  # the beginning of JSON, and of no CSV file
_YAML_VALUES = {"~": "", "null": "", "true": "TRUE", "false": "FALSE"}
_MSE_KEYS = frozenset(("has styling", "stylesheet", "stylesheet version", "time created", "time modified"))
"""Keys of cards of Magic Set Editor that are not for players."""
_SAVE_AGAIN = "save it again as XLSX, ODS or CSV"

RawRow = tuple[int, Sequence[object]]  # the line of a row, and its cells
_Note = tuple[int, str, str]  # a line, what was found there, and a remedy
_RawSheet = tuple[Sequence[RawRow], Sequence[_Note], bool]  # whether it is hidden


def is_workbook(path: Path, data: bytes) -> bool:
    """True for a workbook or records, False for a text with separators."""
    return data.startswith(ZIP_START) or path.suffix.lower() in (".json", *YAML_ENDINGS) or bool(_OBJECTS.match(data))


def read_workbook(path: Path, data: bytes, sheet: str) -> tuple[list[RawRow], list[Problem]]:
    """Read the rows of a sheet (or of the only filled one) with their numbers, as they look, and what was left out.

    Raises InputError.
    """
    place, sheets = display_place(path), _read_all(path, data)
    if sheet and sheet not in sheets:
        raise refuse(place, f"has no sheet '{sheet}'", suggest(sheet, sheets, f"sheets: {join_names(sheets)}"))
    filled = [sheet] if sheet else _shown(sheets)
    if len(filled) > 1:
        raise refuse(place, f"has {len(filled)} sheets: {join_names(filled)}",
                      f'name one of them: sheet = "{filled[0]}"')
    rows, notes, _ = sheets[filled[0]] if filled else ((), (), False)
    return [(line, [write_as(*cell) if isinstance(cell, list) else cell for cell in cells]) for line, cells in rows], [
        Problem(place=place, line=line, what=what, remedy=remedy) for line, what, remedy in notes]


def sheet_names(path: Path) -> list[str]:
    """The names of the sheets of a workbook that are not empty or hidden; none of a text file. Raises InputError."""
    data = read_inside(path.parent, path.name)
    return _shown(_read_all(path, data)) if is_workbook(path, data) else []


def _shown(sheets: Mapping[str, _RawSheet]) -> list[str]:
    return [name for name, (rows, _, is_hidden) in sheets.items() if rows and not is_hidden]


def _read_all(path: Path, data: bytes) -> Mapping[str, _RawSheet]:
    place = display_place(path)
    options = {"place": place, "is_yaml": path.suffix.lower() in YAML_ENDINGS}
    content = cached_by("workbook", data, options, make=lambda: json.dumps(read_supervised(
        read_rows, data, options, place, _SAVE_AGAIN)).encode())
    return dict(json.loads(content))


def read_rows(data: bytes, options: Options) -> list[tuple[str, _RawSheet]]:
    """Read names, rows and notes of all sheets as JSON, in the supervised child. Raises InputError."""
    kind = "workbook" if data.startswith(ZIP_START) else "table"
    try:
        if kind == "table":
            text = data.decode("utf-8-sig")
            document = _load_yaml(text) if options["is_yaml"] else json.loads(
                text, parse_int=str, parse_float=str, parse_constant=str)  # numbers as they are written
            return [(name, (_list_records(options["place"], records), [], False))
                    for name, records in _find_records(options["place"], document).items()]
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            _check_archive(options["place"], archive)
            if "set" in archive.namelist():
                cards = _read_mse_cards(archive.read("set").decode("utf-8-sig"))
                return [("", (_list_records(options["place"], cards), [], False))]
            return [(name, ([*_list_rows(sheet)], [*_list_notes(sheet)], sheet.is_hidden))
                    for name, sheet in read_sheets(archive, options["place"]).items()]
    except (zipfile.BadZipFile, OSError, ValueError, LookupError, NotImplementedError, RuntimeError, EOFError,
            ArithmeticError, zlib.error, ElementTree.ParseError) as error:
        reason = "it is nested too deep" if isinstance(error, RecursionError) else str(
            error.args[0] if isinstance(error, KeyError) else error)[:200]
        raise refuse(options["place"], f"is not a {kind} that can be read: {reason}", _SAVE_AGAIN) from error


def _check_archive(place: str, archive: zipfile.ZipFile) -> None:
    files = archive.infolist()
    if len(files) > MAX_PACKED_FILES or sum(file.file_size for file in files) > MAX_UNPACKED_BYTES:
        raise refuse(place, f"is larger than {MAX_UNPACKED_BYTES // 1_000_000} MB when unpacked",
                      "save the table alone, as CSV")
    if any(file.filename.lower() == "xl/workbook.bin" for file in files):
        raise refuse(place, "is a binary workbook", "save it as XLSX or CSV")


def _list_rows(sheet: RawSheet) -> Iterator[RawRow]:
    shown = [column for column in sheet.columns if column not in sheet.hidden_columns]
    for number in sorted(sheet.cells.keys() - sheet.hidden_rows):
        cells = [sheet.cells[number].get(column, "") for column in shown]
        yield number, [(plain_number(cell), str(cell)) if isinstance(cell, Written) else cell for cell in cells]


def _list_notes(sheet: RawSheet) -> Iterator[_Note]:
    """What a sheet has that is not printed."""
    hidden: dict[int, str] = {}  # columns, by their headings
    for _, cells in sorted(sheet.cells.items()):
        hidden |= {column: str(cells[column]) for column in sheet.hidden_columns & cells.keys() - hidden.keys()}
    for line, found, what, remedy in (
            (0, sheet.hidden_rows & sheet.cells.keys(), "hidden rows, left out", "show them, if they are cards"),
            (sheet.rows.start, hidden, "hidden columns, left out", "show them, if the cards are to have them"),
            (0, sheet.pictures, "pictures in rows, left out", "save them as files, and name them in a column art"),
            (0, sheet.uncomputed, "formulas without a value in rows", "save it again in a spreadsheet program")):
        if found:
            names = [hidden[each] if found is hidden else str(each) for each in sorted(found)]
            yield line or min(found), f"{what}: {shorten(names)}", remedy


# --- Records ---

def _load_yaml(text: str) -> Any:
    """Load YAML whose values are all texts as they are written. References are refused: few of them can make billions.
    """
    import yaml

    class TextLoader(yaml.BaseLoader):  # type: ignore[misc]
        def compose_node(self, parent: object, index: object) -> object:
            if self.check_event(yaml.AliasEvent):
                raise ValueError("it refers to other entries (*name): write them out")
            return super().compose_node(parent, index)

    try:
        return yaml.load(text, TextLoader)
    except yaml.YAMLError as error:
        raise ValueError(" ".join(str(error).split())) from error


def _find_records(place: str, document: Any) -> Mapping[str, Sequence[Any]]:
    """Find the lists of objects of a document by name: its only list has none."""
    if isinstance(document, list):
        return {"": document}
    if isinstance(document, dict):
        if "ObjectStates" in document:
            raise refuse(place, "is a save of Tabletop Simulator", "give the picture of its sheet of cards")
        if document.get("formatName") == "dexie":  # the database of Cider
            return {str(table["tableName"]): table["rows"] for table in document["data"]["data"]
                    if table["tableName"] == "cards"}
        lists = {name: value for name, value in document.items()
                 if isinstance(value, list) and value and all(isinstance(each, dict) for each in value)}
        if lists:
            return lists if len(lists) > 1 else {"": next(iter(lists.values()))}
        if document and all(isinstance(value, dict) for value in document.values()):
            key = "id" if any("name" in value for value in document.values()) else "name"
            return {"": [{key: name, **value} for name, value in document.items()]}
    raise refuse(place, "has no list of objects", "write an object for each card, in a list")


def _list_records(place: str, records: Sequence[Any]) -> list[RawRow]:
    """The rows of objects below their keys; the line of a row is its number."""
    flat: list[dict[str, str]] = []
    for n, record in enumerate(records, 1):
        if not isinstance(record, dict):
            raise refuse(place, f"entry {n} of its list is not an object", "write an object for each card")
        flat.append(dict(_flatten(place, n, "", record, 0)))
    headings = list(dict.fromkeys(name for each in flat for name in each))
    if len(flat) * len(headings) > MAX_CELLS:
        raise refuse(place, f"has more than {MAX_CELLS:,} cells", "make several tables of it")
    return [(0, headings), *((n, [each.get(name, "") for name in headings]) for n, each in enumerate(flat, 1))]


def _flatten(place: str, number: int, name: str, value: Any, depth: int) -> Iterator[tuple[str, str]]:
    """Yield the values within a value by their keys, ``stats hp``; a list of words is one cell."""
    if isinstance(value, dict) and depth < MAX_NESTING:
        for key, each in value.items():
            yield from _flatten(place, number, f"{name} {key}".strip(), each, depth + 1)
    elif isinstance(value, list) and not any(isinstance(each, list | dict) for each in value):
        yield name, ", ".join(map(_write_value, value))
    elif isinstance(value, list | dict):
        raise refuse(place, f"'{name}' of entry {number} holds further objects", "leave it out, or write it as text")
    else:
        yield name, _write_value(value)


def _write_value(value: object) -> str:
    if value is None or isinstance(value, bool):
        return "" if value is None else str(value).upper()
    return _YAML_VALUES.get(str(value), str(value).strip())


def _read_mse_cards(text: str) -> list[dict[str, str]]:
    """Read the cards of Magic Set Editor: a level for each tab, and values of several lines a level deeper."""
    cards: list[dict[str, str]] = []
    card: dict[str, str] | None = None
    key = ""
    for line in text.splitlines():
        level, words = len(line) - len(line.lstrip("\t")), line.strip()
        if level == 0:
            card = {} if words == "card:" else None
            cards += [card] if card is not None else []
        elif card is not None and level == 1:
            key, _, value = words.partition(":")
            card[key] = value.strip()
        elif card is not None and key:
            card[key] = f"{card[key]}\n{words}".strip()
    return [{key: _mse_words(value) if key != "image" or not value else f"{value}.png"
             for key, value in card.items() if key not in _MSE_KEYS} for card in cards]


def _mse_words(value: str) -> str:
    """Words with ``**`` and ``*`` for bold and italic tags, without the others."""
    bare = re.sub(r"<(/?)(b|i)(?:-[\w-]*)?>", r"<\1\2>", re.sub(r"<(?!/?[bi][->])[^<>]*>", "", value))
    return re.sub(r"</?b>", "**", re.sub(r"</?i>", "*", re.sub(r"<b></b>|<i></i>", "", bare)))
