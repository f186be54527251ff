"""The table of words: all texts of a set with their translations into one language, for a spreadsheet program.

Each row keeps a digest of the source that its translation was made from. A translation whose source has changed is
stale until somebody changes it, or writes ``ok`` as its state.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from difflib import get_close_matches
from hashlib import sha256
from pathlib import Path

from ppgen.assets import DECK_FILE, Assets, is_deck
from ppgen.errors import InputError, Phrase, Problems, RequestError, display_path, join_names
from ppgen.games.interface import Game
from ppgen.reading.editing import EDITABLE_SUFFIXES, EditError, set_column, set_texts
from ppgen.reading.fields import (MAX_LINES, CsvError, CsvRow, Fields, Source, csv_rows, csv_text,
                                  detect_table_separator, parse_toml, read_inside, read_source, read_toml,
                                  unescape_formula)
from ppgen.reading.tables import read_table, translated_heading
from ppgen.reading.texts import compare_placeholders, find_brace, find_line, flatten_texts, languages
from ppgen.records import dataclass, field, replace

COLUMNS = KEY, WHERE, SOURCE, TRANSLATION, STATE, DIGEST = "key", "where", "source", "translation", "state", "digest"
MISSING, OK, STALE = STATES = "missing", "ok", "stale"
_NOT_TRANSLATED = ("game.author", "game.subject")  # texts of a deck that come from others: a name, and the title again


@dataclass(frozen=True, slots=True, kw_only=True)
class Word:
    """A text with its source and its translation."""

    key: str  # in the table
    file: Path
    name: str  # its key in the file, or its column in a table of a deck
    line: int = 0  # of a row in a table of a deck; 0 for a text of TOML
    where: str  # the source stands
    source: str
    translation: str = ""

    @property
    def digest(self) -> str:
        return digest(self.source)


@dataclass(frozen=True, slots=True, kw_only=True)
class TranslatedRow:
    """A row of an earlier table: its line and its cells."""

    line: int
    source: str
    translation: str
    state: str
    digest: str


@dataclass(frozen=True, slots=True, kw_only=True)
class WordTable:
    """An earlier table: its rows by key, and how its file is written."""

    place: str = ""
    rows: Mapping[str, TranslatedRow] = field(default_factory=dict)
    separator: str = ","


def digest(source: str) -> str:
    """A short digest of a text. The letter in front keeps spreadsheet programs from reading it as a number."""
    return "s" + sha256(source.strip().encode()).hexdigest()[:10]


# --- The texts of a set ---

def collect_words(assets: Assets, game: Game, lang: str) -> list[Word]:
    """The texts of a set in the order of their files, with their translations. Raises InputError with all problems.

    A data folder of the user's own has the texts of its own files only. Raises RequestError for the language that the
    texts are translated from.
    """
    problems = Problems()
    words: dict[str, Word] = {}
    home = assets.game(game.folder)
    if is_deck(assets.data):
        folders = [home / "words"]
    else:
        folders = [folder for folder in (assets.common("locales"), home / "locales", home / "rules",
                                         assets.common("guide"), home / "guide")
                   if folder.is_dir() and folder.resolve().is_relative_to(assets.data)]
    for folder in folders:
        model = game.lang if game.deck or game.lang in languages(folder) else (languages(folder) or (lang,))[0]
        if lang == model:
            raise RequestError.at("--table", f"'{lang}' is the language that texts are translated from",
                                  "name the language to translate into, like fr")
        file = folder / f"{lang}.toml"
        if not file.resolve().is_relative_to(assets.data):
            problems.note(display_path(file), "leads out of the folder it was asked for in", Phrase("put_file"))
            continue
        own, _ = _read(folder, lang, problems)
        given = dict(_given_words(home, game)) if game.deck else {}
        texts, source = _read(folder, model, problems)
        for key, text in {**{key: text for key, (text, _) in given.items()}, **texts}.items():
            if not text or (game.deck and key in _NOT_TRANSLATED and key not in own):
                continue
            file_name = source.path.resolve().relative_to(assets.data.resolve()).as_posix()
            where = f"{file_name}:{find_line(source, key)}" if key in texts else given[key][1]
            name = f"{home.name}:{key}" if key in words else key
            words[name] = Word(key=name, file=file, name=key, where=where, source=text, translation=own.get(key, ""))
    for word in find_table_words(home, game.lang, lang, problems) if game.deck else ():
        key = f"{word.where}.{word.name}" if word.key in words else word.key
        words[key] = replace(word, key=key)
    problems.raise_if_any()
    return [*words.values()]


def _read(folder: Path, lang: str, problems: Problems) -> tuple[dict[str, str], Source]:
    """The texts of a locale file by key; none if it is missing."""
    source = Source(folder / f"{lang}.toml", "")
    if source.path.exists():
        with problems.collect_errors():
            source = read_source(folder, source.path.name)
            return dict(flatten_texts(Fields(source, parse_toml(source), problems))), source
    return {}, source


def _given_words(home: Path, game: Game) -> Iterator[tuple[str, tuple[str, str]]]:
    """Yield the texts that a deck gives besides those of its words, and where they stand."""
    source = read_toml(home, DECK_FILE, Problems()).source
    for key, text in game.deck.words.items() if game.deck else ():
        table, _, name = key.partition(".")
        yield key, (text, f"{source.path.name}:{source.line_of((name,) if table == 'parts' else ('title',)) or 1}")


# --- Tables ---

def read_word_table(path: Path, problems: Problems) -> WordTable:
    """Read a table, also as saved by a spreadsheet program; notes its rows' problems. Raises InputError."""
    text = read_source(path.parent, path.name).text
    place = display_path(path)
    separator = detect_table_separator(text)
    rows: list[CsvRow] = []
    try:
        rows += csv_rows(text, separator, MAX_LINES)
    except CsvError as error:
        problems.note(place, error.what, error.remedy, line=error.line)
    head = [cell.lower() for cell in rows[0].cells] if rows else []
    wrong = [name for name in COLUMNS if head.count(name) != 1]
    if wrong and not problems:
        several = "has no column" if not set(wrong) & set(head) else "needs exactly one column"
        problems.note(place, f"is not a table of words: {several} {join_names(wrong)}",
                      "name another file, or leave the first row of the table as ppgen words wrote it", line=1)
    problems.raise_if_any()
    at = {name: head.index(name) for name in COLUMNS}
    found: dict[str, TranslatedRow] = {}
    for row in rows[1:]:
        cells = {name: unescape_formula(row.cell(position)).strip() for name, position in at.items()}
        key, state = cells[KEY], cells[STATE].lower()
        if not key:
            problems.note(place, "has no key", "take the row out, or give back its key", line=row.line)
        elif key in found:
            problems.note(place, f"stands in line {found[key].line}, too", "take one of the two rows out",
                          line=row.line, key=key)
        elif state not in ("", *STATES):
            problems.note(place, f"'{cells[STATE]}' is not a state", Phrase("known", message=join_names(STATES)),
                          line=row.line, key=key)
        else:
            found[key] = TranslatedRow(line=row.line, source=cells[SOURCE], translation=cells[TRANSLATION], state=state,
                                  digest=cells[DIGEST])
    return WordTable(place=place, rows=found, separator=separator)


def check_table(words: Sequence[Word], table: WordTable, problems: Problems) -> None:
    """Note each unknown key, and each translation that can't be one of its source."""
    known = {word.key: word for word in words}
    for key, row in table.rows.items():
        if key not in known:
            near = get_close_matches(key, known, n=1)
            problems.note(table.place, "is not a text of this set",
                          Phrase("did_you_mean_names", names=near[0]) if near else
                          "take the row out", line=row.line, key=key)
        elif row.translation and (fault := find_brace(row.translation)
                                  or compare_placeholders(known[key].source, row.translation)):
            problems.note(table.place, *fault, line=row.line, key=key)


def changed_files(words: Sequence[Word], table: WordTable, model: str, lang: str) -> dict[Path, str]:
    """The files with the translations of a table, those that change. Raises InputError for what can't be written."""
    changed: dict[Path, list[Word]] = {}
    for word in words:
        if _is_changed(word, table):
            changed.setdefault(word.file, []).append(word)
    problems, files = Problems(), {}
    for file, own in changed.items():
        said = {word: table.rows[word.key].translation for word in own}
        with problems.collect_errors():
            if own[0].line:
                files[file] = translated_table(file, model, lang, {(word.line, word.name): text
                                                                   for word, text in said.items()})
            else:  # texts of several paragraphs end with their line
                source = read_source(file.parent, file.name) if file.exists() else Source(file, "")
                files[file] = set_texts(source, {word.name: text + ("\n" if word.source.endswith("\n") else "")
                                                 for word, text in said.items()})
    problems.raise_if_any()
    return files


def _is_changed(word: Word, table: WordTable) -> bool:
    row = table.rows.get(word.key)
    return bool(row and row.translation and row.translation != word.translation.strip())


def format_rows(words: Sequence[Word], table: WordTable) -> list[dict[str, str]]:
    """The rows of the table after the translations of an earlier one were taken over."""
    rows = []
    for word in words:
        row = table.rows.get(word.key)
        translation = row.translation if row and _is_changed(word, table) else word.translation
        basis = _basis(word, row, _is_changed(word, table)) if row else word.digest
        state = MISSING if not translation else OK if basis == word.digest else STALE
        rows.append({KEY: word.key, WHERE: word.where, SOURCE: word.source, TRANSLATION: translation, STATE: state,
                     DIGEST: word.digest if state == MISSING else basis})
    return rows


def _basis(word: Word, row: TranslatedRow, is_changed: bool) -> str:
    """The digest of the source that a translation was made from.

    A stale row shows the present source beside the digest of the earlier one: a changed translation, or the state ok,
    refers to the source that is shown.
    """
    if not row.translation:  # it stands in the file only
        return word.digest if row.state != STALE else row.digest or word.digest
    if row.state == STALE and not is_changed:
        return row.digest
    return digest(row.source)


def format_table(rows: Sequence[Mapping[str, str]], separator: str = ",") -> str:
    """Format the table as CSV; an empty one has its headings."""
    return csv_text(rows, separator) if rows else separator.join(COLUMNS) + "\n"


# Words in the tables of a deck: cells of columns that name a language, and their translations in the column beside

ID_COLUMNS = ("id", "name", "title")  # columns that say which row it is, in order of preference


def find_table_words(home: Path, model: str, lang: str, problems: Problems) -> Iterator[Word]:
    """Yield the words of each column ``Name (model)`` in the deck's tables that are CSV or TSV. Keys name the rows."""
    for name in _table_files(home):
        table, place = read_table(home, name, problems, langs=(model, lang)), Path(name).name
        for column in [column.removesuffix(f".{model}") for column in table.headings if column.endswith(f".{model}")]:
            for row in table.rows:
                if source := str(row.cells[f"{column}.{model}"]):
                    named = (str(row.cells.get(f"{key}{end}", "")) for key in ID_COLUMNS for end in ("", f".{model}"))
                    yield Word(key=f"{place}:{next(filter(None, named), row.line)}.{column}", file=home / name,
                               name=column, line=row.line, where=f"{place}:{row.line}", source=source,
                               translation=str(row.cells.get(f"{column}.{lang}", "")))


def _table_files(home: Path) -> list[str]:
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
        raise InputError.at(display_path(file), what, "save it as 'CSV UTF-8'") from error
    return text
