"""A deck that reads a workbook is made to read CSV files with the same cells, which the page can change."""

from __future__ import annotations

import csv
import io
import re
from pathlib import Path

from ppgen.errors import InputError
from ppgen.reading.fields import Source, parse_toml
from ppgen.reading.file_edit import EditConflict, EditError, FileHistory
from ppgen.reading.toml_edit import delete_text, set_texts
from ppgen.reading.workbooks import YAML_ENDINGS, read_workbook

WORKBOOKS = (".xlsx", ".ods", ".json", *YAML_ENDINGS, ".mse-set")
_BOM = b"\xef\xbb\xbf"
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
    out = io.StringIO()
    csv.writer(out, lineterminator="\n").writerows(
        [f"{cell:.15g}" if type(cell) is float else str(cell) for cell in cells]
        for _, cells in read_workbook(workbook, workbook.read_bytes(), sheet)[0] if any(cell != "" for cell in cells))
    return out.getvalue().encode()
