"""A deck that reads a workbook is made to read CSV files with the same cells, which the page can change."""

from __future__ import annotations

import csv
import io
import re
import tomllib
from pathlib import Path

from ppgen.errors import InputError
from ppgen.reading.file_edit import EditConflict, EditError, FileHistory
from ppgen.reading.workbooks import read_workbook

WORKBOOKS = (".xlsx", ".ods")
_PART = re.compile(r"[\w-]+")
_SECTION = re.compile(r"^\s*+\[", re.MULTILINE)


def make_csv(history: FileHistory, deck_file: Path, workbook: Path) -> list[Path]:
    """Write a CSV file for each part that reads the workbook, and let ``deck_file`` name these; return them.

    The workbook stays. Raises EditError if a file is there already or ``deck_file`` is not understood, EditConflict if
    the workbook can't be read.
    """
    history.read(workbook)  # it must lie in the folder, too
    content = history.read(deck_file)
    text = content.decode("utf-8-sig")
    name = workbook.resolve().relative_to(deck_file.parent.resolve()).as_posix()
    parts = {part: table for part, table in tomllib.loads(text).items()
             if isinstance(table, dict) and table.get("table") == name}
    if not parts or workbook.suffix.lower() not in WORKBOOKS:
        raise EditError(f"{deck_file.name} does not read {name}.")
    files: dict[Path, str] = {}
    wanted = tomllib.loads(text)
    for part, table in parts.items():
        if not _PART.fullmatch(part):
            raise EditError(f"the name of the part '{part}' can't be one of a file: change it in your editor.")
        own = Path(name).with_suffix("").as_posix() + (f"-{part}.csv" if len(parts) > 1 else ".csv")
        path = deck_file.parent / own
        if path.exists():
            raise EditError(f"{own} is there already: move it away.")
        files[path] = _read_as_csv(workbook, str(table.get("sheet", "")))
        text = _rename(text, part, name, own)
        wanted[part] = {key: value for key, value in table.items() if key != "sheet"} | {"table": own}
    try:
        is_right = tomllib.loads(text) == wanted
    except tomllib.TOMLDecodeError:
        is_right = False
    if not is_right:
        raise EditError(f"{deck_file.name} is not written as expected: change it in your editor.")
    try:
        for path, rows in files.items():
            path.write_text(rows, encoding="utf-8", newline="")
        history.write(deck_file, content, text.encode())
    except (OSError, EditError) as error:
        for path in files:
            path.unlink(missing_ok=True)
        raise EditError(f"the files can't be written: {error}") from error
    return [*files]


def _rename(text: str, part: str, old: str, new: str) -> str:
    """Exchange the table of a part, and take its sheet out."""
    head = re.search(rf"^\s*+\[\s*+(?:{re.escape(part)}|\"{re.escape(part)}\")\s*+\]", text, re.MULTILINE)
    if not head:
        return text
    following = _SECTION.search(text, head.end())
    end = following.start() if following else len(text)
    section = text[head.end():end]
    section = re.sub(rf"^(\s*+table\s*+=\s*+)([\"']){re.escape(old)}\2", lambda match: f'{match[1]}"{new}"', section,
                     count=1, flags=re.MULTILINE)
    section = re.sub(r"^[ \t]*+sheet[ \t]*+=.*+\n?+", "", section, count=1, flags=re.MULTILINE)
    return text[:head.end()] + section + text[end:]


def _read_as_csv(workbook: Path, sheet: str) -> str:
    try:
        rows = read_workbook(workbook, workbook.read_bytes(), sheet)
    except (InputError, OSError) as error:
        raise EditConflict(str(error)) from error
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerows([f"{cell:.15g}" if isinstance(cell, float) else str(cell) for cell in cells]
                     for _, cells in rows if any(cell != "" for cell in cells))
    return out.getvalue()
