"""Files that the program edits, with a history: cells of tables, values of TOML, workbooks as CSV."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from hashlib import sha256
from itertools import dropwhile
from pathlib import Path
from typing import NamedTuple

from ppgen.errors import InputError, Problems
from ppgen.process.file_writing import BuiltFile, ConflictError, clear_stages, write_files
from ppgen.reading.fields import (INVISIBLE, Fields, Source, detect_table_separator, parse_toml, read_bytes,
                                  refuse_file, write_csv)
from ppgen.reading.texts import find_line, flatten_texts
from ppgen.reading.workbooks import YAML_ENDINGS, read_workbook
from ppgen.records import dataclass

# --- Files and their history ---
# Changes of a deck's text files from the page, with undo and redo. A change replaces some bytes and leaves all others
# as they are. A file is written as a whole, and only if it still is what was read; it must lie in the folder of the
# deck. A step changes one file or several: all of them or none.

MAX_FILE_BYTES = 10_000_000
MAX_UNDO = 100  # changes that can be taken back


class EditError(Exception):
    """A file can't be changed so; it is as it was."""


class EditConflict(EditError):
    """The file is no longer what the change was made for."""


@dataclass(frozen=True, slots=True)
class _Change:
    """Bytes of a file from ``start``, and the digests of the whole file before and after the change; None for no file.
    """

    path: Path
    start: int
    before: bytes
    after: bytes
    digests: tuple[bytes | None, bytes | None]

    @classmethod
    def between(cls, path: Path, before: bytes | None, after: bytes | None) -> _Change:
        one, other = before or b"", after or b""
        start = _common_length(one, other)
        same = _common_length(one[start:][::-1], other[start:][::-1])
        return cls(path, start, one[start:len(one) - same], other[start:len(other) - same],
                   (_digest(before), _digest(after)))

    def reverse(self) -> _Change:
        return _Change(self.path, self.start, self.after, self.before, self.digests[::-1])

    def apply(self, content: bytes | None) -> bytes | None:
        """The content of the file after the change; raises EditConflict for another content than before it."""
        if _digest(content) != self.digests[0]:
            raise EditConflict(f"{self.path.name} has been changed since by another program: take it back there.")
        if self.digests[1] is None:
            return None
        content = content or b""
        return content[:self.start] + self.after + content[self.start + len(self.before):]


_Step = Sequence[_Change]


class FileHistory:
    """Writes changes to files in a folder, takes them back and makes them again, the last one first."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder.resolve()
        clear_stages(self.folder)  # of edits that were killed
        self._done: list[_Step] = []
        self._undone: list[_Step] = []

    @property
    def undo_count(self) -> int:
        return len(self._done)

    @property
    def redo_count(self) -> int:
        return len(self._undone)

    def read(self, path: Path) -> bytes:
        """Return a file of the folder. Raises EditError for one outside, EditConflict for one that can't be read."""
        self._check_place(path)
        try:
            return read_bytes(path, MAX_FILE_BYTES, "make it smaller")
        except InputError as error:
            raise EditConflict(str(error)) from error

    def _check_place(self, path: Path) -> None:
        if path.is_symlink() or not path.resolve().is_relative_to(self.folder):
            raise EditError("The file lies outside the folder of the deck.")

    def write(self, path: Path, before: bytes, after: bytes) -> None:
        """Write a file whose content was ``before``. Raises EditConflict if it has changed, EditError."""
        self.write_all({path: (before, after)})

    def write_all(self, contents: Mapping[Path, tuple[bytes | None, bytes | None]]) -> None:
        """Write files, each with its content before and after; None for no file. Raises as :meth:`write` does."""
        step = [_Change.between(path, *both) for path, both in contents.items() if both[0] != both[1]]
        for change in step:
            self._check_place(change.path)
        if step:
            self._apply(step, [contents[change.path][0] for change in step])
            self._done = [*self._done, step][-MAX_UNDO:]
            self._undone.clear()

    def undo(self) -> Path:
        """Take the last step back; return its first file. Raises EditConflict if a file has been changed since."""
        if not self._done:
            raise EditError("There is nothing to take back.")
        self._apply([change.reverse() for change in self._done[-1]])
        self._undone.append(self._done.pop())
        return self._undone[-1][0].path

    def redo(self) -> Path:
        """Make the step again that was taken back last; return its first file."""
        if not self._undone:
            raise EditError("There is nothing to make again.")
        self._apply(self._undone[-1])
        self._done.append(self._undone.pop())
        return self._done[-1][0].path

    def _apply(self, step: _Step, contents: Sequence[bytes | None] = ()) -> None:
        befores = contents or [self._read_any(change.path) for change in step]
        afters = [(change.path.resolve(), change.apply(before)) for change, before in zip(step, befores, strict=True)]
        expected = {path: before for (path, _), before in zip(afters, befores, strict=True)}

        def files() -> Iterator[BuiltFile]:
            for path, after in afters:
                if after is not None:
                    yield BuiltFile(path=str(path), content=after)
            for change, before in zip(step, befores, strict=True):
                if self._read_any(change.path) != before:
                    raise ConflictError(change.path)
                if before is not None and not os.access(change.path, os.W_OK):
                    raise EditError(f"{change.path.name} may not be written.")

        try:
            write_files(self.folder, files(), [path for path, after in afters if after is None], expected)
        except ConflictError as error:
            raise EditConflict(str(error)) from error
        except InputError as error:
            raise EditError(str(error)) from error

    def _read_any(self, path: Path) -> bytes | None:
        return self.read(path) if os.path.lexists(path) else None


def _digest(content: bytes | None) -> bytes | None:
    return None if content is None else sha256(content).digest()


def _common_length(one: bytes, other: bytes) -> int:
    """Return how many bytes at the start of both are equal. Halves the rest each time: files have millions of them."""
    low, high = 0, min(len(one), len(other))
    while low < high:
        middle = (low + high + 1) // 2
        if one[low:middle] == other[low:middle]:
            low = middle
        else:
            high = middle - 1
    return low


# --- Cells ---
# Cells of a CSV or TSV file are replaced, and not a byte around them. A cell's place in the text is looked up and only
# its characters are exchanged: separator, quotes of other cells, ends of lines, a byte order mark and a missing last
# newline stay as they are.

EDITABLE_SUFFIXES = (".csv", ".tsv")
MAX_CELL_CHARACTERS = 2_000
NEW_ROW = "New"  # in the first column of a new row: rows without words are not cards
_BOM = b"\xef\xbb\xbf"
_LINE_END = re.compile(r"\r\n|\n|\r")


class CellSpan(NamedTuple):
    """A cell: where it stands in the text, with its quotes, if it has them, and its value."""

    start: int
    end: int
    is_quoted: bool
    value: str


class Record(NamedTuple):
    """A row of a file with its first line, counted from 1."""

    line: int
    cells: Sequence[CellSpan]


def find_cells(text: str) -> list[Record]:
    """Find every cell of a text. Raises EditError for a quote that is not closed or closed within a cell."""
    separator = detect_table_separator(text)
    plain = re.compile(rf"[^{re.escape(separator)}\r\n]*")
    records: list[Record] = []
    cells: list[CellSpan] = []
    place, line, first = 0, 1, 1
    while place < len(text) or cells:
        start = place
        if text.startswith('"', place):
            place = _quoted_end(text, place)
            cells.append(CellSpan(start, place, True, text[start + 1:place - 1].replace('""', '"')))
            line += len(_LINE_END.findall(text, start, place))
            if place < len(text) and text[place] not in f"{separator}\r\n":
                raise EditError(f"Line {line} has a quote within a cell: change it in your spreadsheet program.")
        else:
            match = plain.match(text, place)
            assert match
            place = match.end()
            cells.append(CellSpan(start, place, False, match[0]))
        if text.startswith(separator, place):
            place += 1
            continue
        end = _LINE_END.match(text, place)
        place = end.end() if end else place
        records.append(Record(first, cells))
        cells, line = [], line + 1
        first = line
    return records


def _find_table(text: str) -> list[Record]:
    """The rows of a text from its headings on: blank lines before them are skipped, as readers of tables do."""
    return [*dropwhile(lambda record: not any(cell.value.strip() for cell in record.cells), find_cells(text))]


def _quoted_end(text: str, start: int) -> int:
    place = start + 1
    while (close := text.find('"', place)) >= 0:
        if not text.startswith('"', close + 1):
            return close + 1
        place = close + 2
    raise EditError("A quote is not closed: change the file in your spreadsheet program.")


def set_column(text: str, beside: str, heading: str, cells: Mapping[int, str]) -> str:
    """Set cells of a column by line; a new one stands right of ``beside``. Raises EditError."""
    records, separator = _find_table(text), detect_table_separator(text)
    headings = [" ".join(cell.value.split()) for cell in records[0].cells] if records else []
    if beside not in headings:
        raise EditError(f"has no column '{beside}'")
    is_new = heading not in headings
    place = headings.index(beside if is_new else heading)
    for nth, record in reversed([*enumerate(records)]):
        words = heading if is_new and not nth else cells.get(record.line)
        if len(record.cells) > place and (is_new or words is not None) and (words or len(record.cells) > 1):
            span = record.cells[place]
            start = span.end if is_new else span.start
            written = _written(words or "", separator, not is_new and span.is_quoted)
            text = text[:start] + (separator if is_new else "") + written + text[span.end:]
        elif words is not None:  # cells that are missing at the end of the row
            end, gap = record.cells[-1].end, separator * (place + 1 - len(record.cells))
            text = text[:end] + gap + _written(words, separator) + text[end:]
    return text


def _written(words: str, separator: str, is_quoted: bool = False) -> str:
    if is_quoted or words != words.strip() or any(sign in words for sign in f'{separator}"\r\n'):
        return '"' + words.replace('"', '""') + '"'
    return words


class CellEditor:
    """Changes cells of the tables in a folder; its history takes the changes back."""

    def __init__(self, history: FileHistory) -> None:
        self.history = history

    def read(self, path: Path) -> list[Record]:
        """Return the rows of a table that may be changed. Raises EditError for any other file."""
        return _find_table(_decode(self._read(path)))

    def write(self, path: Path, line: int, column: int, old: str, new: str) -> None:
        """Replace a cell (line of its row, column) if it still is ``old``. Raises EditConflict, EditError."""
        if len(new) > MAX_CELL_CHARACTERS:
            raise EditError(f"A cell has at most {MAX_CELL_CHARACTERS} characters.")
        if INVISIBLE.search(new.replace("\t", " ").replace("\n", " ")):
            raise EditError("The text has characters that can't be seen: take them out.")
        before = self._read(path)
        text = _decode(before)
        records = _find_table(text)
        row = next((record for record in records[1:] if record.line == line), None)
        if row is None or not 0 <= column < len(row.cells):
            raise EditConflict("This row is no longer there: the file has been changed meanwhile.")
        if [cell.value.strip().lower() for cell in records[0].cells[column:column + 1]] == ["id"]:
            raise EditError("An id is changed in your spreadsheet program: other files may name it.")
        span = row.cells[column]
        if _plain(span.value) != _plain(old):
            raise EditConflict(f"The file has been changed meanwhile: the cell is now “{_plain(span.value)}”.")
        words = _plain(new).replace("\n", "\r\n" if "\r\n" in text else "\n")
        words = _written(words, detect_table_separator(text), span.is_quoted)
        after = (text[:span.start] + words + text[span.end:]).encode()
        self.history.write(path, before, _BOM + after if before.startswith(_BOM) else after)

    def change_row(self, path: Path, line: int, known: Sequence[str], action: str) -> None:
        """Change (``add``, ``copy``, ``delete``) the row that begins there. Raises EditConflict, EditError."""
        before = self._read(path)
        text = _decode(before)
        head, *rows = _find_table(text)
        row = next((record for record in rows if record.line == line), None)
        if row is None or [_plain(cell.value) for cell in row.cells] != [*map(_plain, known)]:
            raise EditConflict("This row is no longer as the page shows it: the file has been changed meanwhile.")
        start, stop = row.cells[0].start, row.cells[-1].end
        line_end = _LINE_END.match(text, stop)
        end = line_end.end() if line_end else stop
        ids = [cell.value.strip().lower() == "id" for cell in head.cells]
        new: str | None = None
        match action:
            case "add":
                words = ["" if is_id else NEW_ROW if n == ids.index(False) else "" for n, is_id in enumerate(ids)]
                new = detect_table_separator(text).join(words)
            case "copy":
                new = text[start:stop]
                for cell in (row.cells[ids.index(True)],) if True in ids[:len(row.cells)] else ():
                    new = text[start:cell.start] + text[cell.end:stop]
            case "delete":
                pass
            case _:
                raise EditError("This can't be done with a row.")
        newline = line_end[0] if line_end else "\r\n" if "\r\n" in text else "\n"
        after = (text[:start] + text[end:] if new is None else text[:stop] + newline + new + text[stop:])
        self.history.write(path, before, (_BOM if before.startswith(_BOM) else b"") + after.encode())

    def _read(self, path: Path) -> bytes:
        if path.suffix.lower() not in EDITABLE_SUFFIXES:
            raise EditError("Only CSV and TSV files can be changed here: change it in your spreadsheet program.")
        return self.history.read(path)


def _decode(data: bytes) -> str:
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise EditError("The file is not UTF-8 text: change it in your spreadsheet program.") from error


def _plain(words: str) -> str:
    """A text with the ends of lines that browsers use."""
    return _LINE_END.sub("\n", words)


# --- TOML ---
# Texts of a TOML file are set, and comments, order and everything else stay as they are. A text that has a line is
# replaced there; a new one follows the last one of its table, or opens the table at the end of the file. The result is
# parsed again: forms that this editor does not write (inline tables) are refused, not mangled.

_KEY = re.compile(r"""[ \t]*+(?:[\w.-]++|"[^"\n]*+"|'[^'\n]*+'|[ \t]++)++=[ \t]*+""")
_TEXT = re.compile(r'"""(?:[^"\\]|\\.|"{1,2}(?!"))*+"{3,5}|' r"'''(?:[^']|'{1,2}(?!'))*+'{3,5}|"
                   r'"(?:[^"\\\n]|\\.)*+"|' r"'[^'\n]*+'", re.DOTALL)
_BARE = re.compile(r"[A-Za-z0-9_-]+")
_ESCAPES = {"\\": "\\\\", '"': '\\"', "\n": "\\n", "\t": "\\t", "\r": "\\r"}


def set_texts(source: Source, texts: Mapping[str, str]) -> str:
    """Return the text of the file with these texts, by dotted key. Raises InputError if it can't have them."""
    known = read_all_texts(source)
    edited = source.text
    edits = sorted(_edits(source, known, texts), key=lambda edit: edit[0])
    for start, end, words in reversed(edits):  # from the end, so that the places before it stay right
        edited = edited[:start] + words + edited[end:]
    return _confirm(source, edited, {**known, **texts}, next(iter(texts), ""))


def delete_text(source: Source, key: str) -> str:
    """Return the text of the file without the line of a text. Raises InputError if it has no line of its own."""
    start, end = _find_text(source, key)
    start, end = source.text.rfind("\n", 0, start) + 1, source.text.find("\n", end) + 1 or len(source.text)
    known = read_all_texts(source)
    del known[key]
    return _confirm(source, source.text[:start] + source.text[end:], known, key)


def _confirm(source: Source, edited: str, wanted: Mapping[str, str], key: str) -> str:
    """Return the edited text if it has the wanted texts. Raises InputError."""
    with suppress(InputError):
        if read_all_texts(Source(source.path, edited)) == wanted:
            return edited
    raise _refuse(source, key)


def read_all_texts(source: Source) -> dict[str, str]:
    """The texts of a file by dotted key. Raises InputError."""
    return dict(flatten_texts(Fields(source, parse_toml(source), Problems())))


def _edits(source: Source, known: Mapping[str, str], texts: Mapping[str, str]) -> Iterator[tuple[int, int, str]]:
    """Yield the places to replace, with what is written there; new texts are grouped by table."""
    new: dict[str, list[str]] = {}
    for key, text in texts.items():
        if key in known:
            start, end = _find_text(source, key)
            yield start, end, _quote(text, source.text.startswith(('"""', "'''"), start))
        else:
            table, _, name = key.rpartition(".")
            new.setdefault(table, []).append(f"{_quote_name(name)} = {_quote(text, False)}\n")
    appended = []
    for table, lines in new.items():
        ends = [_find_text(source, key)[1] for key in known if key.rpartition(".")[0] == table]
        if ends:
            end = source.text.find("\n", max(ends)) + 1
            place = end or len(source.text)
            yield place, place, ("" if end else "\n") + "".join(lines)
        elif table:
            header = ".".join(map(_quote_name, table.split(".")))
            if empty := re.search(rf"^[ \t]*+\[{re.escape(header)}\].*+\n?", source.text, re.MULTILINE):
                lines = lines if empty[0].endswith("\n") else ["\n", *lines]
                yield empty.end(), empty.end(), "".join(lines)
                continue
            appended.append(f"[{header}]\n{''.join(lines)}")
        else:
            yield 0, 0, "".join([*lines, "\n" if source.text else ""])
    if appended:
        ending = source.text and ("\n" if source.text.endswith("\n") else "\n\n")
        yield len(source.text), len(source.text), ending + "\n".join(appended)


def _find_text(source: Source, key: str) -> tuple[int, int]:
    """The place of a text in the file, with its quotes. Raises InputError if it has no line of its own."""
    line = find_line(source, key)
    start = 0
    for _ in range(line - 1):
        start = source.text.find("\n", start) + 1
    head = _KEY.match(source.text, start)
    text = _TEXT.match(source.text, head.end()) if head else None
    if not text:
        raise _refuse(source, key)
    return text.span()


def _refuse(source: Source, key: str) -> InputError:
    return refuse_file(source.path, "is written in a form that ppgen can't change",
                       'give each text a line of its own, key = "text", under its [table]', find_line(source, key), key)


def _quote_name(name: str) -> str:
    return name if _BARE.fullmatch(name) else _quote(name, False)


def _quote(text: str, is_long: bool) -> str:
    escapes = {letter: escape for letter, escape in _ESCAPES.items() if not is_long or letter not in "\n\t"}
    quoted = "".join(escapes.get(letter, letter) for letter in text)
    return f'"""\n{quoted}"""' if is_long else f'"{quoted}"'


# --- Workbooks as CSV ---
# A deck that reads a workbook is made to read CSV files with the same cells, which the page can change.

WORKBOOKS = (".xlsx", ".ods", ".json", *YAML_ENDINGS, ".mse-set")
_PART = re.compile(r"[\w-]+")


def make_csv(history: FileHistory, deck_file: Path, workbook: Path) -> list[Path]:
    """Write a CSV file for each part of a workbook, named in ``deck_file``. Raises EditError, EditConflict."""
    history.read(workbook)  # it must lie in the folder, too
    content = history.read(deck_file)
    name = workbook.resolve().relative_to(deck_file.parent.resolve()).as_posix()
    files: dict[Path, bytes] = {}
    try:
        source = Source(deck_file, content.removeprefix(_BOM).decode())
        parts = {part: table for part, table in parse_toml(source).items()
                 if isinstance(table, dict) and table.get("table") == name}
        for part, table in parts.items():
            if not _PART.fullmatch(part):
                raise EditError(f"The name of the part '{part}' can't be one of a file: change it in your editor.")
            own = Path(name).with_suffix("").as_posix() + (f"-{part}.csv" if len(parts) > 1 else ".csv")
            files[deck_file.parent / own] = sheet_as_csv(workbook, str(table.get("sheet", "")))
            source = Source(deck_file, set_texts(source, {f"{part}.table": own}))
            if "sheet" in table:
                source = Source(deck_file, delete_text(source, f"{part}.sheet"))
    except (InputError, UnicodeDecodeError) as error:
        raise EditConflict(str(error)) from error
    if not files:
        raise EditError(f"{deck_file.name} does not read {name}.")
    made: list[Path] = []
    try:
        for path, rows in files.items():
            if not (path.is_file() and path.read_bytes() == rows):  # made before, and taken back
                with path.open("xb") as file:  # not over another file, nor through a link
                    made.append(path)
                    file.write(rows)
        history.write(deck_file, content, (_BOM if content.startswith(_BOM) else b"") + source.text.encode())
    except (OSError, EditError) as error:
        for path in made:
            path.unlink()
        if isinstance(error, FileExistsError):
            raise EditError(f"{Path(error.filename).name} is there already: move it away.") from error
        raise error if isinstance(error, EditError) else EditError(f"The files can't be written: {error}") from error
    return [*files]


def sheet_as_csv(workbook: Path, sheet: str) -> bytes:
    """Write the rows of a sheet as CSV. Raises InputError."""
    return write_csv(
        [f"{cell:.15g}" if type(cell) is float else str(cell) for cell in cells]
        for _, cells in read_workbook(workbook, workbook.read_bytes(), sheet)[0]
        if any(cell != "" for cell in cells)).encode()
