"""The plan of a score sheet, and the checks of what was written into it."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from enum import StrEnum
from functools import cached_property, lru_cache
from pathlib import Path
from types import MappingProxyType
from typing import Any, Literal, NamedTuple

from ppgen.errors import Phrase, Problem, Problems, Spot, join_names
from ppgen.play.rule_file import MAX_COUNT
from ppgen.reading.fields import INVISIBLE, Trail, format_value, read_toml
from ppgen.reading.texts import Texts, draft_texts, languages
from ppgen.records import dataclass, field, replace
from ppgen.shipped import shipped_root

# --- Plan ---
_FIELD = re.compile(r"(?:p(\d{1,2})\.)?([^.]+)(?:\.([^.]+))?")
NAME_ROW, TOTAL_ROW = "name", "total"  # keys of the rows of the players' names and of their totals
FACTS = ("date", "place")  # entries of a game that belong to no player
LONGEST, LONGEST_NAME = 24, 60  # characters of a count or of letters; of a name or a place
Json = dict[str, Any]


class Takes(StrEnum):
    """The kind of entry in a cell: a name, a count (or a sum like 3+2), points (also below 0: 3-5), a player's letter,
    or several of them."""

    NAME = "name"
    COUNT = "count"
    POINTS = "points"
    LETTER = "letter"
    LETTERS = "letters"


class SheetCell(NamedTuple):
    """Address of a cell: the ``seat`` (from 1; 0 in a shared row), the row, and the column if the row has any.

    It is spelled as the name of its form field: ``p1.name``, ``p1.france.cards``, ``p1.ships`` in a player's column,
    ``france.FR1`` in a shared row. Form, CSV, questions, drafts and messages use it in every game.
    """

    seat: int
    row: str
    column: str = ""

    @property
    def field(self) -> str:
        """The name of its form field."""
        return ".".join(filter(None, (f"p{self.seat}" if self.seat else "", self.row, self.column)))

    @classmethod
    def parse(cls, field: str) -> SheetCell | None:
        """The cell of a field name; None for any other name."""
        match = _FIELD.fullmatch(field)
        return cls(int(match[1] or 0), match[2], match[3] or "") if match else None


@dataclass(frozen=True, slots=True, kw_only=True)
class SheetColumn:
    """A column of a row."""

    key: str = ""
    takes: Takes = Takes.COUNT
    ask: str  # key of the question with `{name}` of the player, `{row}`, and `{number}` that exists
    needs: str = ""  # a column: asked for only if that one is filled in
    late: bool = False  # for the end of a game, not asked for at an interim scoring
    keeps_blank: bool = False  # an empty cell differs from 0


@dataclass(frozen=True, slots=True, kw_only=True)
class SheetRow:
    """A row of the sheet, with a cell for each seat and column."""

    key: str
    label: str  # key of its name
    columns: tuple[SheetColumn, ...]
    shared: bool = False  # by all: one cell for each column
    exist: int = 0  # number to be counted in its first column over all seats; 0 if unknown


@dataclass(frozen=True, slots=True, kw_only=True)
class SheetPlan:
    """The players, and the rows below that of the names, in the order of the rules."""

    least: int  # players
    most: int
    rows: tuple[SheetRow, ...]
    total: str = "score.total"  # key of the name of the row of totals
    points: tuple[str, ...] = ()  # other rows and columns, of points instead of counts

    @property
    def seats(self) -> range:
        return range(1, self.most + 1)

    @property
    def early(self) -> SheetPlan:
        """The plan of an interim scoring."""
        rows = (replace(row, columns=tuple(column for column in row.columns if not column.late)) for row in self.rows)
        return replace(self, rows=tuple(row for row in rows if row.columns))

    @property
    def column_keys(self) -> tuple[str, ...]:
        """The keys of columns, in rows with several."""
        return tuple(dict.fromkeys(column.key for row in self.rows for column in row.columns if column.key))

    def has_columns(self, key: str) -> bool:
        """Check for several columns in a row; unknown rows have them."""
        return not any(row.key == key and not row.columns[0].key for row in self.rows)

    def is_count(self, cell: SheetCell) -> bool:
        """Check for a count in a cell, also in an unknown row of several columns."""
        return cell.column in self.column_keys if cell.column else not self.has_columns(cell.row)

    def text_keys(self) -> Iterator[str]:
        """List the keys of the texts that the plan names."""
        for row in self.rows:
            yield row.label
            yield from (column.ask for column in row.columns)
        yield self.total

    def cells_of(self, row: SheetRow, seat: int) -> tuple[SheetCell, ...]:
        """The cells of a row in a seat's column, or all of a shared one."""
        return tuple(SheetCell(0 if row.shared else seat, row.key, column.key) for column in row.columns)

    def column_of(self, cell: SheetCell) -> SheetColumn | None:
        """The column of a cell; None for names and unknown cells."""
        return next((column for row in self.rows if row.key == cell.row for column in row.columns
                     if column.key == cell.column), None)

    def column(self, seat: int) -> tuple[SheetCell, ...]:
        """The cells of a seat's column, without the name."""
        return tuple(cell for row in self.rows if not row.shared for cell in self.cells_of(row, seat))

    def cells(self) -> Iterator[SheetCell]:
        """All cells: the names, then row by row from seat to seat."""
        yield from (SheetCell(seat, NAME_ROW) for seat in self.seats)
        for row in self.rows:
            for seat in self.seats[:1] if row.shared else self.seats:
                yield from self.cells_of(row, seat)


# --- Unchecked games ---

@dataclass(frozen=True, slots=True, kw_only=True)
class TypedTotal:
    """Points typed into a filled-in sheet, to compare with the computed ones."""

    seat: int  # of the players, from 0
    cell: SheetCell  # may have another seat, as empty columns are left out
    text: str
    spot: Spot


@dataclass(frozen=True, slots=True, kw_only=True)
class RawGame:
    """A game as written down, before any check."""

    place: str
    document: Mapping[str, object]  # with the keys of the JSON format, whatever the file's format
    where: Callable[[Trail], Spot]  # the spot of a trail like ("players", 0, "ships")
    problems: tuple[Problem, ...] = ()  # that the reader could read past
    totals: tuple[TypedTotal, ...] = field(default=())
    quoted: bool = False  # a sum needs quotes in this format


def nearest_trail(spots: Mapping[Trail, Spot], place: str) -> Callable[[Trail], Spot]:
    """Make a function that finds the spot of a trail, or of the nearest table around it, or else the file itself."""
    return lambda trail: next((spots[trail[:end]] for end in range(len(trail), 0, -1) if trail[:end] in spots),
                              Spot(place))


def missing_sheet(place: str) -> Problem:
    """The problem of a form without any cell of a score sheet."""
    return Problem(place, Phrase("not_a_sheet"), Phrase("fill_in_sheet"))


# --- Checks ---
# Validation of the tallies of any game: counts, names and totals; and the scripts that do the same in JavaScript.

MAX_QUOTED_LENGTH = 40  # characters of a value that a message quotes

_TERM = r"\d{1,100}+(?:[.,]0{1,2})?"
_SUM = re.compile(rf"=?\s*+({_TERM}(?:\s*+\+\s*+{_TERM})*+)", re.ASCII)
_SIGNED_SUM = re.compile(rf"=?\s*+([+-]?+\s*+{_TERM}(?:\s*+[+-]\s*+{_TERM})*+)", re.ASCII)
_SIGNED_TERM = re.compile(r"([+-]?)\s*(\d+)(?:[.,]0+)?", re.ASCII)
_NEGATIVE = re.compile(r"\s*[-−–]\s*\d+([.,]\d+)?\s*", re.ASCII)
_FRACTION = re.compile(r"[\d+\s]*+[.,]\d[\d+\s]*+", re.ASCII)


CountError = Literal["negative", "fraction", "large", "number"]


class InvalidCount(ValueError):
    """A value is not a count: ``reason`` says why, ``text`` is the value as users write it."""

    def __init__(self, reason: CountError, text: str) -> None:
        super().__init__(reason, text)
        self.reason, self.text = reason, text


def parse_count(value: object, *, signed: bool = False) -> int:
    """Parse an entry of the score sheet: ``5``, ``"3+2"``, ``"5,0"`` as spreadsheets save it; an empty one is 0.

    ``signed`` ones may be below 0: ``-4``, ``"3-5"``. Raises :class:`InvalidCount` if it is negative, fractional, too
    large or not a number. A decimal mark is accepted only before one or two zeros (``5,0``): ``5,000`` is ambiguous
    between five and five thousand.
    """
    if value is None:
        return 0
    if isinstance(value, str):
        return _parse_text(value, signed)
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise InvalidCount("number", format_value(value, MAX_QUOTED_LENGTH))
    if value < 0 and not signed:
        raise InvalidCount("negative", format_value(value, MAX_QUOTED_LENGTH))
    if value != value or abs(value) > MAX_COUNT:
        raise InvalidCount("large", f"{value:g}") if value == value else InvalidCount("number", "nan")
    if value != int(value):
        raise InvalidCount("fraction", str(value))
    return int(value)


NONE_SIGNS = frozenset("-‐‑‒–—―−·.")


def read_none(text: str) -> str:
    """Read a dash or a dot, which people write for none, as 0."""
    return "0" if text in NONE_SIGNS else text


def parse_partial_count(text: str) -> int:
    """Parse a cell of an unfinished sheet: an invalid entry counts as 0."""
    try:
        return parse_count(text, signed=True)
    except InvalidCount:
        return 0


def _parse_text(text: str, signed: bool) -> int:
    plain = unicodedata.normalize("NFKC", text).strip()  # full-width digits become ASCII
    if signed:
        plain = plain.replace("−", "-").replace("–", "-")
    if not plain:
        return 0
    if match := (_SIGNED_SUM if signed else _SUM).fullmatch(plain):
        total = sum(int(sign + digits) for sign, digits in _SIGNED_TERM.findall(match[1]))
        if abs(total) > MAX_COUNT:
            raise InvalidCount("large", format_value(total, MAX_QUOTED_LENGTH))
        return total
    if _NEGATIVE.fullmatch(plain):
        raise InvalidCount("negative", format_value(text, MAX_QUOTED_LENGTH))
    if _FRACTION.fullmatch(plain):
        raise InvalidCount("fraction", format_value(text, MAX_QUOTED_LENGTH))
    raise InvalidCount("number", format_value(text, MAX_QUOTED_LENGTH))


# Names of rows and columns: keys and the words of all languages of the data folder match, regardless of case and
# accents: ``Dänemark``, ``daenemark``, ``DANMARK`` and ``DK`` are all ``denmark``.

def fold_case(text: str) -> str:
    """The letters and digits of a text, without case and accents."""
    decomposed = unicodedata.normalize("NFKD", text.casefold())
    return "".join(character for character in decomposed if character.isalnum())


class NameSort(NamedTuple):
    """A category of names: its keys, the table with their words, other names, folded; does it name rows?"""

    keys: tuple[str, ...]
    table: str
    others: Mapping[str, str] = MappingProxyType({})
    is_row: bool = False


class _Words(NamedTuple):
    """The keys and the original spellings of folded words."""

    keys: Mapping[str, str]
    spelled: Mapping[str, str]

    def find(self, text: str) -> str | None:
        plain = fold_case(text)
        return self.keys.get(plain) or self.keys.get(_without_digraphs(plain))


class NameIndex:
    """Names that users may write: keys, and their words in each language of the folder ``locales`` of a game.

    ``say`` has the texts for messages in one language, including those of the ``common`` locale files. Locale files are
    read only if a word is not a key, or for a message.
    """

    def __init__(self, sorts: Mapping[str, NameSort], locales: Path, lang: str, common: Path | None = None) -> None:
        self._sorts, self._locales, self._lang = sorts, locales, lang
        self._common = common or shipped_root() / "data" / "locales"
        self.row_sorts = tuple(name for name, sort in sorts.items() if sort.is_row)

    @cached_property
    def say(self) -> Texts:
        """The texts for messages."""
        texts, _ = draft_texts(self._lang, [self._common, self._locales])  # its problems are left to ppgen check
        return texts

    def find(self, sort: str, text: str) -> str | None:
        """Find the key of a name."""
        names = self._sorts[sort]
        return text if text in names.keys else self._words[sort].find(text) or names.others.get(fold_case(text))

    def row(self, text: str) -> str | None:
        """Find the key of a row of the sheet."""
        return next((key for sort in self.row_sorts if (key := self.find(sort, text))), None)

    def word(self, sort: str, key: str) -> str:
        """The word of a key in the language of the messages."""
        return self.say(f"{self._sorts[sort].table}.{key}")

    def spelled(self, sort: str) -> dict[str, str]:
        """All folded names of each key of a category, with blanks between."""
        found: dict[str, str] = {}
        for name, key in {**self._sorts[sort].others, **self._words[sort].keys}.items():
            found[key] = f"{found[key]} {name}" if key in found else name
        return found

    def like(self, text: str, *sorts: str) -> str:
        """Suggest the nearest name as a remedy; if none is near, list all names."""
        words = [self._words[sort] for sort in sorts]
        spelled = {plain: word for each in reversed(words) for plain, word in each.spelled.items()}
        known = (self.word(sort, key) for sort in sorts for key in self._sorts[sort].keys)
        return self._guess(fold_case(text), spelled) or self.say("wrong.one_of", words=", ".join(known))

    def did_you_mean(self, word: str, words: Iterable[str]) -> str:
        """Suggest the nearest of the words as a remedy; empty if none is near."""
        return self._guess(word, {known: known for known in words})

    def _guess(self, word: str, spelled: Mapping[str, str]) -> str:
        from difflib import get_close_matches  # only after a mistake

        near = get_close_matches(word, list(spelled), n=1, cutoff=0.65)
        return self.say("wrong.did_you_mean", word=spelled[near[0]]) if near else ""

    @cached_property
    def _words(self) -> Mapping[str, _Words]:
        return {name: _index_words(sort.keys, self.spellings(sort)) for name, sort in self._sorts.items()}

    def spellings(self, sort: NameSort) -> Iterable[Mapping[str, str]]:
        """The words of a sort's keys in each language."""
        return [words.get(sort.table, {}) for words in self._tables]

    @cached_property
    def _tables(self) -> list[dict[str, dict[str, str]]]:
        """The tables with names of each locale file. Its problems are reported elsewhere."""
        files = (read_toml(self._locales, f"{lang}.toml", Problems()) for lang in languages(self._locales))
        names = {sort.table for sort in self._sorts.values()}
        return [{name: {key: str(table.raw(key)) for key in table} for name in names if top.is_table(name)
                 for table in [top.take_table(name)]} for top in files]


def _index_words(keys: tuple[str, ...], languages: Iterable[Mapping[str, str]]) -> _Words:
    index = {fold_case(key): key for key in keys}
    spelled = dict(index)
    for language in languages:
        for key, word in language.items():
            if key in keys:
                for plain in (fold_case(word), _without_digraphs(fold_case(word))):
                    index.setdefault(plain, key)
                    spelled.setdefault(plain, word if fold_case(word) == fold_case(key) else f"{word} ({key})")
    return _Words(index, spelled)


def _without_digraphs(plain: str) -> str:
    """Undo spellings of keyboards without umlauts: ``daenemark`` becomes ``danemark``."""
    for digraph in ("ae", "oe", "ue"):
        plain = plain.replace(digraph, digraph[0])
    return plain


# --- Checks ---

class Checker:
    """Checks the values of a raw game; ``problems`` are those of its reader and all that were noted since."""

    def __init__(self, raw: RawGame, names: NameIndex) -> None:
        self.raw, self.names = raw, names
        self.problems = Problems(raw.problems)

    def say(self, key: str, **values: object) -> str:
        return self.names.say(key, **values)

    def note(self, trail: Trail, what: str, remedy: str = "") -> None:
        self.problems.append(self.raw.where(trail).problem(what, remedy))

    def note_unknown(self, at: Trail, table: Iterable[str], known: Iterable[str]) -> None:
        """Note the unknown keys of a table."""
        for key in table:
            if key not in known:
                self.note((*at, key), self.say("wrong.unknown"),
                          self.names.did_you_mean(key, known) or self.say("wrong.one_of", words=join_names(known)))

    def game(self, name: str) -> None:
        """Note tallies of another game than this one."""
        if (game := self.raw.document.get("game")) not in (None, name):
            self.note(("game",), self.say("wrong.game", game=game), name)

    def entries(self, at: Trail, table: Mapping[str, object], sort: str, unknown: str
                ) -> Iterator[tuple[str, object, Trail]]:
        """Yield key, value and trail of each entry of a table; note names that are ``unknown`` or come twice."""
        keys: set[str] = set()
        for name, value in table.items():
            key = self.names.find(sort, name)
            if key is None:
                self.note((*at, name), self.say(unknown, word=name), self.names.like(name, sort))
            elif key in keys:
                self.note((*at, name), self.say("wrong.twice", word=self.names.word(sort, key)),
                          self.say("wrong.take_out"))
            else:
                keys.add(key)
                yield key, value, (*at, name)

    def facts(self) -> dict[str, str]:
        """Return the date and the place."""
        return {key: self._text(key) for key in FACTS}

    def _text(self, key: str) -> str:
        value = self.raw.document.get(key)
        text = "" if value is None else " ".join(str(value).split())  # TOML has dates of its own
        if len(text) > LONGEST_NAME or isinstance(value, dict | list | bool) or not text.isprintable():
            self.note((key,), self.say("wrong.text", number=LONGEST_NAME))
            return ""
        return text

    def players(self, entries: Sequence[object], least: int, most: int, at: Callable[[int], Trail]) -> list[str]:
        """Return the names of the players, with stand-ins for missing ones; ``at`` is the trail of each name."""
        if not least <= len(entries) <= most:
            self.note(("players",), *check_number(len(entries), least, most, self.say))
        names: list[str] = []
        for number, name in enumerate(entries[:2 * most]):  # enough to report the problem
            if isinstance(name, str):
                names.append(name.strip())
            else:
                self.note(at(number), self.say("wrong.name_text", name=format_value(name)),
                          self.say("wrong.name_quotes"))
                names.append(self._placeholder(number))
        for number, what in check_names(names, self.say):
            self.note(at(number), what, self.say("wrong.name_own"))
        return [name or self._placeholder(number) for number, name in enumerate(names)]

    def _placeholder(self, number: int) -> str:
        return self.say("template.player", n=number + 1)

    def count(self, at: Trail, value: object, describe: Callable[[str], str], *, signed: bool = False) -> int:
        """Return the count of an entry; ``describe`` adds the player and row to the message of a problem."""
        try:
            return parse_count(value, signed=signed)
        except InvalidCount as error:
            quoted = re.fullmatch("'(.*)'", error.text)
            what = self.say(f"wrong.{error.reason}",
                            text=self.say("answers.quoted", name=quoted[1]) if quoted else error.text)
            remedies = ("wrong.signed", "wrong.signed_quoted") if signed else ("wrong.sum", "wrong.sum_quoted")
            self.note(at, describe(what), self.say(remedies[self.raw.quoted]))
            return 0


def check_names(names: Sequence[str], say: Callable[..., str]) -> Iterator[tuple[int, str]]:
    """Yield the players with unsuitable names by number from 0, each with the reason."""
    seen: dict[str, str] = {}
    for number, name in enumerate(names):
        folded = unicodedata.normalize("NFKC", " ".join(name.split())).casefold()
        plain = "".join(each for each in folded if unicodedata.category(each) != "Cf")  # those only join or separate
        if not plain:
            yield number, say("wrong.name_empty")
        elif INVISIBLE.search(name) or any(unicodedata.category(each) == "Cc" for each in name):
            yield number, say("wrong.name_control")
        elif len(name) > LONGEST_NAME:
            yield number, say("wrong.name_long", number=LONGEST_NAME)
        elif plain in seen:
            yield number, say("wrong.name_twice", name=name)
        seen.setdefault(plain, name)


def check_number(players: int, least: int, most: int, say: Callable[..., str]) -> tuple[str, str]:
    """Format the problem and the remedy of a wrong number of players."""
    what = say("wrong.players_count", count=players) if players else say("wrong.players_none")
    return what, say("wrong.players_range", least=least, most=most)


def check_totals(raw: RawGame, points: Callable[[TypedTotal], int], say: Callable[..., str]) -> Iterator[Problem]:
    """Yield a problem for each total that was typed in and differs from the computed points."""
    for typed in raw.totals:
        computed = points(typed)
        text = typed.text.replace("−", "-").replace(" ", "")
        if not re.fullmatch(r"[+-]?\d{1,5}([.,]0+)?", text, re.ASCII) or int(re.split("[.,]", text)[0]) != computed:
            yield typed.spot.problem(say("wrong.points", text=typed.text[:20], points=computed),
                                     say("wrong.points_taken", points=computed))


def split_letters(names: Sequence[str]) -> tuple[str, ...]:
    """Return a letter for each player: the initials of the names if they differ, or else A, B, C … by seat."""
    first = tuple(unicodedata.normalize("NFKC", name).strip()[:1].upper() for name in names)
    usable = len(set(first)) == len(first) and all(len(letter) == 1 and letter.isalpha() for letter in first)
    return first if usable else tuple("ABCDEFGHIJ"[:len(names)])


# --- Scripts for forms and the scorer page: plain ECMAScript 5 ---

@lru_cache(maxsize=8)
def read_script(name: str) -> str:
    """Read a script: ``counts`` parses the entries of cells that count; ``fields`` reads and writes form fields, and
    needs ``counts`` before it; ``score_lines`` scores by ``score.toml``, ``score_fields`` binds that to form fields."""
    return (Path(__file__).parent / f"{name}.js").read_text(encoding="ascii")
