"""Columns of a sheet of cards: what each is for, found by its heading in nine languages, else by its cells.

The words are in ``data/first_layout.toml``. ``ppgen new`` prints what was understood, and ``first_layout`` draws it.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, cached_property
from typing import Any

from ppgen.assets import shipped_root
from ppgen.engine.colours import named_colour
from ppgen.engine.drawing.pictures import shipped_icons
from ppgen.errors import Problems
from ppgen.games.own_deck.deck import COPIES, VALUE_HEADINGS
from ppgen.reading.fields import parse_toml, read_source
from ppgen.reading.tables import COPIES_HEADINGS, Table, column_name, plain_heading

ROLES = ("copies", "id", "flavour", "keywords", "art", "back", "rarity", "cost", "name", "kind", "colour", "text",
         "left", "right", "value", "notes")
"""In the order in which columns are given to them. ``left`` and ``right`` are numbers in the lower corners."""
LONG_TEXT, LONG_NAME, MAX_NAME = 24, 40, 120
"""Characters: longer cells on the average are texts, longer ones at most are not names, or never are."""
MAX_BADGE = 3.05
"""Width of what a badge can hold, in parts of its font size."""
MAX_KINDS, MAX_KIND = 12, 24
"""Different cells of a column of kinds, and their length, if no heading says so."""
HALF = 0.5
"""Share of cells that must be as a role wants them."""
_COLOUR = re.compile(r"#(?:[0-9a-fA-F]{3}){1,2}")
_ICON = re.compile(r"\{[^{}]*\}")
_QUANTITY = re.compile(r"[0-9]{1,3}")


@cache
def layout_data() -> Mapping[str, Any]:
    """The words, colours and signs of first layouts."""
    return parse_toml(read_source(shipped_root() / "data", "first_layout.toml"))


@dataclass(frozen=True, slots=True)
class CardColumn:
    """A column: its name in templates, its heading, its cells by row, and those of all languages together."""

    name: str
    heading: str
    cells: tuple[str, ...]
    all_cells: tuple[str, ...]
    is_number: bool

    @property
    def filled(self) -> tuple[str, ...]:
        return tuple(cell for cell in self.cells if cell)

    @property
    def distinct(self) -> tuple[str, ...]:
        return tuple(dict.fromkeys(self.filled))

    @property
    def mean_length(self) -> float:
        return sum(map(len, self.filled)) / max(len(self.filled), 1)

    @property
    def longest(self) -> int:
        return max(map(len, self.all_cells), default=0)

    @property
    def fits_badge(self) -> bool:
        """Whether its cells are short enough for a disc, by the usual widths of letters, digits and signs."""
        return bool(self.filled) and all(sum(1.1 if letter.isalpha() else 0.65 if letter.isdigit() else 0.4
                                             for letter in _ICON.sub("X", cell)) <= MAX_BADGE
                                         for cell in self.all_cells)


@dataclass(frozen=True, kw_only=True)
class CardColumns:
    """The columns of a table by role; ``texts`` are printed one below the other, ``facts`` as lines at the foot."""

    table: Table
    roles: Mapping[str, CardColumn]
    texts: tuple[CardColumn, ...]
    facts: tuple[CardColumn, ...]
    lang: str
    """Language of most headings that were understood; empty if none was."""

    def __contains__(self, role: str) -> bool:
        return role in self.roles

    @property
    def has_words_alone(self) -> bool:
        """Whether nothing is printed but one text, or names."""
        printed = self.roles.keys() - {"copies", "id", "notes", "art", "back", "text"}
        return not self.facts and ((len(self.texts) == 1 and not printed) or (not self.texts and printed == {"name"}))

    @cached_property
    def numbers(self) -> tuple[CardColumn, ...]:
        """The numbers for the lower corners."""
        return tuple(self.roles[role] for role in ("left", "right") if role in self.roles)

    @cached_property
    def kinds(self) -> dict[str, str]:
        """The colours of the kinds, if they are few: those that they are called after, others of the palette."""
        values = self.roles["kind"].distinct if "kind" in self.roles else ()
        if not values or len(values) > MAX_KINDS:
            return {}
        named: dict[str, str] = {}
        for value in values:
            if (colour := _colour_of(value)) and colour not in named.values():
                named[value] = colour
        if len(named) < len(values) * HALF:
            named = {}
        palette = [colour for colour in layout_data()["drawing"]["palette"] if colour not in named.values()]
        free = [value for value in values if value not in named]
        return {value: named.get(value) or palette[free.index(value) % len(palette)] for value in values}


def find_languages(headings: Collection[str]) -> tuple[str, ...]:
    """The languages that headings name, ``Name (de)`` or ``name.de``, if each of their columns is in all of them."""
    pairs = [(match[1].rstrip(), match[2]) for heading in headings
             if (match := re.fullmatch(r"(.+)[.(]\s*+([a-z]{2})\)?", heading.strip()))]
    known = [lang for _, lang in pairs if lang in layout_data()["headings"]]
    langs = tuple(dict.fromkeys(known))
    stems = {stem for stem, lang in pairs if lang in langs}
    return langs if langs and len(set(pairs)) == len(known) == len(stems) * len(langs) else ()


def understand_columns(table: Table, pictures: Collection[str] = ()) -> CardColumns:
    """Give each column of a table a role; ``pictures`` are the keys (:func:`picture_key`) of the pictures at hand."""
    columns = {column.name: column for column in _columns(table)}
    roles: dict[str, CardColumn] = {}
    spoken: dict[str, int] = {}
    for role, lang, column in _by_heading(tuple(columns.values())):
        if role in roles or column.name not in columns or not _suits(role, column, pictures, tuple(columns.values())):
            continue
        roles[role] = columns.pop(column.name)
        spoken[lang] = spoken.get(lang, 0) + 1
    free = list(columns.values())

    def take(role: str, candidates: Iterator[CardColumn]) -> None:
        if role not in roles and (column := next(candidates, None)):
            free.remove(column)
            roles[role] = column

    words = [column for column in free if column.filled and not column.is_number]
    if pictures:
        take("art", (column for column in words if _share(column, pictures) >= HALF
                     and not (column.longest <= LONG_NAME and "name" not in roles and not _has_endings(column))))
    take("name", (column for column in free if column in words and column.longest <= LONG_NAME
                  and len(column.distinct) == len(column.filled) > len(column.cells) * HALF))
    texts = [column for column in free if column in words and (column.mean_length > LONG_TEXT
                                                              or column.longest > LONG_NAME)]
    if "text" in roles:
        texts.insert(0, roles["text"])
    free = [column for column in free if column not in texts]
    take("kind", (column for column in free if column in words and column.longest <= MAX_KIND
                  and 1 < len(column.distinct) <= min(MAX_KINDS, len(column.cells) * HALF)))
    if "value" in roles and "cost" not in roles:
        roles["cost"] = roles.pop("value")
    elif "value" in roles:
        free.insert(0, roles.pop("value"))
    has_words = bool(texts) or "flavour" in roles or bool({"left", "right"} & roles.keys())
    for role in ("left", "right", "cost") if has_words else ("cost", "left", "right"):
        take(role, (column for column in free if column.fits_badge and column.is_number
                    and (role != "cost" or not has_words)))
    order = list(table.headings)
    free.sort(key=lambda column: next(n for n, name in enumerate(order) if name.partition(".")[0] == column.name))
    spoken.pop("", None)
    return CardColumns(table=table, roles=roles, texts=tuple(texts), facts=tuple(free),
                        lang=max(spoken, key=lambda lang: spoken[lang], default=""))


def _columns(table: Table) -> Iterator[CardColumn]:
    """The columns with their cells as they are printed; those in several languages once."""
    stems: dict[str, list[str]] = {}
    for name in table.headings:
        stems.setdefault(name.partition(".")[0], []).append(name)
    for stem, names in stems.items():
        cells = [tuple(str(row.cells[name]) for row in table.rows) for name in names]
        heading = table.headings[names[0]]
        yield CardColumn(stem, re.sub(r"\s*[.(][a-z]{2}\)?$", "", heading) if "." in names[0] else heading, cells[0],
                          sum(cells, ()), all(name in table.numbers for name in names))


def normal_heading(heading: str) -> str:
    """A heading in small letters without accents, with ``_`` between words: ``Flavour Text`` → ``flavour_text``."""
    letters = unicodedata.normalize("NFD", column_name(heading).removeprefix("c_").replace("ß", "ss")
                                    .replace("æ", "ae").replace("ø", "o"))
    return unicodedata.normalize("NFC", "".join(letter for letter in letters if not "\u0300" <= letter <= "\u036f"))


@cache
def _heading_words() -> dict[str, dict[str, str]]:
    """For each role its words, and the first language that each is of."""
    words: dict[str, dict[str, str]] = {role: {} for role in ROLES}
    words["id"]["id"] = ""
    words["copies"] = dict.fromkeys(sorted(VALUE_HEADINGS), "")
    for lang, roles in layout_data()["headings"].items():
        for role, known in roles.items():
            for word in known.split():
                words[role].setdefault(normal_heading(word), lang)
    return words


def _by_heading(columns: Collection[CardColumn]) -> Iterator[tuple[str, str, CardColumn]]:
    """Yield roles with columns whose headings mean them: whole headings first, then those with such a word."""
    whole = set(layout_data()["whole"].split())
    for is_part in (False, True):
        for role in ROLES:
            known = _heading_words()[role]
            for word in known:
                for column in columns:
                    heading = normal_heading(column.heading)
                    if heading == word if not is_part else (word not in whole and role != "back"
                                                            and word in heading.split("_")):
                        yield role, known[word], column


def _suits(role: str, column: CardColumn, pictures: Collection[str], columns: Collection[CardColumn]) -> bool:
    """Whether the cells of a column can be what its heading says."""
    match role:
        case "copies":
            if plain_heading(column.heading) in VALUE_HEADINGS and not _counts(column, columns):
                return False
            return bool(column.filled) and (is_copies(column.heading) or
                                            all(map(_QUANTITY.fullmatch, column.filled)))
        case "art":
            return _share(column, pictures) > 0 or _has_endings(column)
        case "back":
            return not column.is_number
        case "colour":
            return bool(column.filled) and all(_COLOUR.fullmatch(cell) or named_colour(cell) for cell in column.filled)
        case "cost" | "left" | "right" | "value":
            return column.fits_badge
        case "kind" | "rarity":
            return column.longest <= LONG_NAME and bool(column.filled)
        case "name":
            return bool(column.filled) and column.longest <= MAX_NAME
        case "text":
            return bool(column.filled)
    return True


def is_copies(heading: str) -> bool:
    """Whether decks take a column with this heading for the number of copies by themselves."""
    return plain_heading(heading) in COPIES_HEADINGS | {COPIES}


def _counts(column: CardColumn, columns: Collection[CardColumn]) -> bool:
    """Whether a column ``Number`` or ``Count`` is of copies: of cards that have names."""
    named = any(len(other.distinct) == len(other.cells) > 1 and not other.is_number for other in columns)
    return column.is_number and named and len(column.distinct) <= max(len(column.cells) * HALF, 1)


# Pictures

def picture_key(name: str) -> str:
    """What cells and files of the same picture have in common: the name without folders, ending, case and accents'
    form.
    """
    plain = unicodedata.normalize("NFC", name.replace("\\", "/").rpartition("/")[2].strip()).casefold()
    stem, dot, ending = plain.rpartition(".")
    return stem if dot and f".{ending}" in PICTURE_ENDINGS else plain


PICTURE_ENDINGS = (".png", ".jpg", ".jpeg", ".webp", ".svg")


def _share(column: CardColumn, pictures: Collection[str]) -> float:
    return sum(picture_key(cell) in pictures for cell in column.filled) / max(len(column.filled), 1)


def _has_endings(column: CardColumn) -> bool:
    return bool(column.filled) and all(cell.lower().endswith(PICTURE_ENDINGS) for cell in column.filled)


def _colour_of(value: str) -> str:
    plain = value.strip().casefold()
    return next((colour for colour, words in layout_data()["colours"].items()
                 if plain in words.split() or normal_heading(plain) in words.split()), "")


def kind_signs(values: Sequence[str]) -> dict[str, str]:
    """A shipped icon for each kind, so that nobody needs to tell colours apart: that of its name, or one of a few."""
    named = {value: value.lower() for value in values if value.lower() in shipped_icons()}
    signs = [sign for sign in layout_data()["drawing"]["signs"] if sign not in named.values()]
    others = [value for value in values if value not in named]
    return {value: named.get(value) or signs[others.index(value) % len(signs)] for value in values}


def bad_copies(columns: CardColumns) -> Problems:
    """The cells of the column of copies that are not numbers."""
    problems = Problems()
    if column := columns.roles.get("copies"):
        for row, cell in zip(columns.table.rows, column.cells, strict=True):
            if cell and not _QUANTITY.fullmatch(cell):
                problems.note(columns.table.place, f"'{cell}' is not a number of copies",
                              "write a whole number, or leave it empty", line=row.line, key=column.heading)
        if not problems and not any(int(cell or 1) for cell in column.cells):
            problems.note(columns.table.place, "every piece has 0 copies", "print one of some", key=column.heading)
    return problems
