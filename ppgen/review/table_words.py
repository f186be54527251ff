"""Words in the tables of a deck: cells of columns that name a language, and their translations in the column beside."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from ppgen.assets import DECK_FILE
from ppgen.errors import InputError, Problem, Problems
from ppgen.reading.cell_edit import EDITABLE_SUFFIXES, set_column
from ppgen.reading.fields import read_inside, read_toml
from ppgen.reading.file_edit import EditError
from ppgen.reading.file_limits import display_place
from ppgen.reading.tables import read_table, translated_heading
from ppgen.shipped import Phrase

ID_COLUMNS = ("id", "name", "title")  # columns that say which row it is, in order of preference


@dataclass(frozen=True, slots=True, kw_only=True)
class TableWord:
    """A cell: the name of its row, its line and column without a language, and what it says in both languages."""

    file: Path
    row: str
    line: int
    column: str
    source: str
    translation: str


def find_table_words(home: Path, model: str, lang: str, problems: Problems) -> Iterator[TableWord]:
    """Yield the words of each column ``Name (model)`` in the deck's tables that are CSV or TSV."""
    for name in _table_files(home):
        table = read_table(home, name, problems, langs=(model, lang))
        for column in [column.removesuffix(f".{model}") for column in table.headings if column.endswith(f".{model}")]:
            for row in table.rows:
                if source := str(row.cells[f"{column}.{model}"]):
                    named = (str(row.cells.get(f"{key}{end}", "")) for key in ID_COLUMNS for end in ("", f".{model}"))
                    yield TableWord(file=home / name, row=next(filter(None, named), str(row.line)), line=row.line,
                                    column=column, source=source,
                                    translation=str(row.cells.get(f"{column}.{lang}", "")))


def _table_files(home: Path) -> list[str]:
    """The tables that the parts of a deck name, in their order."""
    top = read_toml(home, DECK_FILE, Problems())
    parts = [part for key in top if isinstance(part := top.raw(key), dict)]
    names = [name for part in parts if isinstance(name := part.get("table"), str)]
    return [name for name in dict.fromkeys(names)
            if name.lower().endswith(EDITABLE_SUFFIXES) and (home / name).is_file()]


def translated_table(file: Path, model: str, lang: str, words: Mapping[tuple[int, str], str]) -> str:
    """A table's text with words by line and column, and a column for the language. Raises InputError."""
    problems = Problems()
    table = read_table(file.parent, file.name, problems, langs=(model, lang))
    problems.raise_if_any()
    try:
        text = read_inside(file.parent, file.name).decode()
        for column in dict.fromkeys(column for _, column in words):
            text = set_column(text, table.headings[f"{column}.{model}"],
                              translated_heading(table.headings, column, model, lang),
                              {line: said for (line, name), said in words.items() if name == column})
    except (EditError, UnicodeDecodeError) as error:
        what = error.args[0] if isinstance(error, EditError) else Phrase("not_utf8")
        raise InputError([Problem(place=display_place(file), what=what, remedy="save it as 'CSV UTF-8'")]) from error
    return text

