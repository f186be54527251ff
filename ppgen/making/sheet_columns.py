"""Columns of a sheet: words of their headings, and their roles on a card."""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from functools import cache, cached_property
from typing import Any, TypeVar

from ppgen.engine.colours import named_colour
from ppgen.engine.pictures.picture_files import find_shipped_icon, shipped_icons
from ppgen.errors import Problems
from ppgen.games.own_deck.deck import VALUE_HEADINGS
from ppgen.reading.fields import parse_toml, read_source
from ppgen.reading.tables import Table, column_name, is_copies, letter_headings, plain_heading
from ppgen.records import dataclass, field
from ppgen.shipped import shipped_root

# --- Words of headings ---
# Words of headings: what the columns of a sheet are for, in 21 languages (``data/first_layout.toml``).

ROLES = ("copies", "id", "flavour", "keywords", "art", "back", "rarity", "cost", "name", "kind", "colour", "text",
         "left", "right", "value", "notes")
"""In the order in which columns are given to them. ``left`` and ``right`` are numbers in the lower corners."""
COUNTS = frozenset("num no nr nb n x amount count number nombre nummer numero".split())
"""Headings that may be of copies, of values, or of rows: their cells decide."""
_IDS = frozenset("id uuid guid key slug".split())
MIN_SHARED = 4  # headings that must begin with the same word, if it says nothing of the columns
KNOWN_SHARE, FREQUENT_SHARE = 0.5, 0.08  # of headings, and of all words: with less a language is not guessed
FREQUENT_WEIGHT = 6.0  # of frequent words against headings, which may be in another language than the cards
MAX_READ = 50_000  # characters by which a language is guessed
_SCRIPTS = {"ja": "\u3041-\u30ff", "ko": "\uac00-\ud7a3", "zh": "\u4e00-\u9fff", "ar": "\u0621-\u06d3",
            "he": "\u05d0-\u05ea", "ru": "\u0400-\u04ff"}
"""Letters of a script, and the first of its languages."""
_Key = TypeVar("_Key")


@cache
def layout_data() -> Mapping[str, Any]:
    """The words, colours and signs of first layouts."""
    return parse_toml(read_source(shipped_root() / "data", "first_layout.toml"))


def normal_heading(heading: str) -> str:
    """A heading in small letters without accents, with ``_`` between words: ``Flavour Text`` → ``flavour_text``."""
    letters = unicodedata.normalize("NFD", column_name(heading).removeprefix("c_").replace("ß", "ss")
                                    .replace("æ", "ae").replace("ø", "o").replace("ı", "i"))
    return unicodedata.normalize("NFC", "".join(letter for letter in letters if not "\u0300" <= letter <= "\u036f"))


def split_heading(heading: str) -> str:
    """A normal heading whose words are also told by capitals: ``effectText`` → ``effect_text``."""
    return normal_heading(re.sub(r"(?<=[a-z])(?=[A-Z])", " ", heading))


def names_an_id(heading: str) -> bool:
    """True if the first or the last word of a heading is one of numbers and keys of programs."""
    words = split_heading(heading).split("_")
    return not _IDS.isdisjoint((words[0], words[-1]))


@cache
def _heading_words() -> dict[str, dict[str, list[str]]]:
    """For each role its words, and the languages that each is of."""
    words: dict[str, dict[str, list[str]]] = {role: {} for role in ROLES}
    words["id"]["id"] = []
    words["copies"] = {word: [] for word in sorted(COUNTS)}
    for lang, roles in layout_data()["headings"].items():
        for role, known in roles.items():
            for word in known.split():
                words[role].setdefault(normal_heading(word), []).append(lang)
    return words


def guess_language(headings: Iterable[str], cells: Iterable[str]) -> str:
    """Guess the language of a table by its script, its headings and its words; empty if most is unknown."""
    forms = [split_heading(heading) for heading in headings]
    text = " ".join((*forms, *cells))[:MAX_READ].lower()
    known = Counter(lang for form in forms for lang in {
        lang for words in _heading_words().values() for lang in words.get(form, ())})
    letters = {lang: len(re.findall(f"[{script}]", text)) for lang, script in _SCRIPTS.items()}
    script = max(letters, key=lambda lang: letters[lang])
    if letters[script] * 2 > len(re.findall(r"[^\W\d_]", text)):
        likely = {"zh": ("zh", "ja"), "ru": ("uk", "ru") if re.search("[іїєґ]", text) else ("ru", "uk")}
        if script == "zh" and letters["ja"]:
            return "ja"
        return max(likely.get(script, (script,)), key=lambda lang: known[lang])
    words = re.findall(r"[^\W\d_]+", text)
    frequent = {lang: frozenset(layout_data()["frequent"].get(lang, "").split()) for lang in layout_data()["headings"]}
    shares = {lang: sum(word in own for word in words) / max(len(words), 1) for lang, own in frequent.items()}
    best = max(shares, key=lambda lang: known[lang] / max(len(forms), 1) + FREQUENT_WEIGHT * shares[lang])
    is_known = known[best] >= KNOWN_SHARE * len(forms) or shares[best] >= FREQUENT_SHARE
    return best if is_known and known[best] + shares[best] else ""


def _forms(headings: Mapping[_Key, str]) -> dict[_Key, tuple[str, ...]]:
    """The forms of headings that are compared; a first word that all have is left out of the last one."""
    split = {key: split_heading(heading) for key, heading in headings.items()}
    first = {heading.partition("_")[0] for heading in split.values()}
    if len(split) >= MIN_SHARED and len(first) == 1:
        split = {key: heading.partition("_")[2] or heading for key, heading in split.items()}
    return {key: tuple(dict.fromkeys((normal_heading(headings[key]) or column_name(headings[key]), split[key])))
            for key in headings}


def roles_by_heading(headings: Mapping[_Key, str]) -> Iterator[tuple[str, _Key, bool]]:
    """Yield role, column and whether the whole heading means it: those first, then those with such a word."""
    whole = {*layout_data()["whole"].split(), *COUNTS}
    forms = _forms(headings)
    for is_part in (False, True):
        for role in ROLES:
            known = _heading_words()[role]
            for word in known:
                for key, headed in forms.items():
                    if word in headed if not is_part else (word not in whole and role != "back"
                                                           and word in headed[-1].split("_")):
                        yield role, key, not is_part


# --- Columns ---
# ``ppgen new`` prints what was understood, and ``first_layout`` draws it.

FOOT, LEFT_OUT = "foot", "left_out"  # places of columns without a role: a line at the foot, and none
LONG_TEXT, LONG_NAME, MAX_NAME = 24, 40, 120  # longer on average: texts; longer at most: no names; never names
MAX_BADGE = 3.05  # width of what a badge can hold, in parts of its font size
MAX_KINDS, MAX_KIND = 12, 24  # different cells of a column of kinds, and their length, if no heading says so
HALF = 0.5  # share of cells that must be as a role wants them
PLACES = {
    "name": "name", "cost": "cost", "value": "value", "kind": "kind", "text": "text", "flavour": "flavour",
    "keywords": "keywords", "art": "art", "back": "back", "rarity": "rarity", "colour": "colour", "left": "left",
    "right": "right", "copies": "copies", "id": "id", "foot": FOOT, "": LEFT_OUT, "color": "colour",
    "picture": "art", "flavor": "flavour", "title": "name", "number": "cost"}
"""Words of users for the meaning of a column, and the role that it gets."""
MAX_COPIES = 30
YES_NO = frozenset("yes no y n true false ja nein j oui non o si sí não sim nej wahr falsch x ✓ ✗ - 0 1 はい いいえ"
                   .split())
DASHES = frozenset("- – — −".split())  # cells that stand for an empty one
SUITS = {"♥": "hearts", "♦": "diamonds", "♠": "spades", "♣": "clubs"}  # icons of kinds that are signs
MAX_LIST = 2  # columns of a list of signs and their words
MAX_RUN = 20  # the highest number of a suit
NEARLY_ALL = 0.8
_NUMERIC = re.compile(r"[+\-−]?\d+(?:[.,]\d+)?(?:\s?[–-]\s?\d+(?:[.,]\d+)?)?%?")
_COLOUR = re.compile(r"#(?:[0-9a-fA-F]{3}){1,2}")
_ICON = re.compile(r"\{[^{}]*\}")
_FILE = re.compile(r"[^\n]{1,100}\.(?:png|jpe?g|gif|webp|svg|pdf|bmp|tiff?|avif|heic|psd)", re.IGNORECASE)
_ADDRESS = re.compile(r"https?://\S+")
_DATA = re.compile(r"[\[{]+\s*[\"'].*", re.DOTALL)  # lists and objects of programs, which are not words for players
_QUANTITY = re.compile(r"[0-9]{1,3}")


@dataclass(frozen=True)
class CardColumn:
    """A column: its name in templates, its heading, its cells by row, and those of all languages together."""

    name: str
    heading: str
    cells: tuple[str, ...]
    all_cells: tuple[str, ...]
    is_number: bool

    @property
    def label(self) -> str:
        """Its heading as it is printed; signs are printed as words."""
        return self.heading if any(map(str.isalnum, self.heading)) else self.name.replace("_", " ")

    @property
    def icon(self) -> str:
        """The shipped icon of a heading of signs."""
        return self.label if self.label != self.heading and find_shipped_icon(self.label) else ""

    @property
    def filled(self) -> tuple[str, ...]:
        return tuple(cell for cell in self.cells if cell and cell not in DASHES)

    @property
    def distinct(self) -> tuple[str, ...]:
        return tuple(dict.fromkeys(self.filled))

    @property
    def mean_length(self) -> float:
        return sum(map(len, self.filled)) / max(len(self.filled), 1)

    @property
    def longest(self) -> int:
        return max(map(len, self.all_cells), default=0)

    @cached_property
    def is_numeric(self) -> bool:
        """True if nearly all of its cells are numbers or ranges of them."""
        return self.is_number or _part(self.filled, _NUMERIC.fullmatch) >= NEARLY_ALL

    @cached_property
    def whole_numbers(self) -> tuple[int, ...]:
        """Its cells if all that are filled are whole numbers, else nothing."""
        return tuple(map(int, self.filled)) if self.is_number and all(map(_QUANTITY.fullmatch, self.filled)) else ()

    @property
    def counts_rows(self) -> bool:
        """True if its cells go up by one from row to row."""
        numbers = self.whole_numbers
        return len(numbers) == len(self.cells) > 2 and numbers == (*range(numbers[0], numbers[0] + len(numbers)),)

    @property
    def is_yes_or_no(self) -> bool:
        return bool(self.filled) and {cell.casefold() for cell in self.filled} <= YES_NO

    @property
    def is_words(self) -> bool:
        """True if it may be printed as words: not numbers, addresses, files of pictures or data of programs."""
        return bool(self.filled) and not (self.is_numeric or self.is_address or self.is_files) and _part(
            self.filled, _DATA.fullmatch) < HALF

    @property
    def is_files(self) -> bool:
        """True if it names files of pictures."""
        return bool(self.filled) and _part(self.filled, _FILE.fullmatch) >= HALF

    @property
    def is_signs(self) -> bool:
        """True if no cell has a letter or digit, and no two are the same: the signs of a list, not those of suits."""
        return 1 < len(self.distinct) == len(self.filled) and not any(
            map(str.isalnum, _ICON.sub("", "".join(self.filled))))

    @property
    def is_address(self) -> bool:
        return bool(self.filled) and all(map(_ADDRESS.fullmatch, self.filled))

    @property
    def fits_badge(self) -> bool:
        """True if its cells are short enough for a disc, by usual widths. Only 1 or nothing is not a number."""
        if not self.filled or (self.distinct == ("1",) and len(self.filled) < len(self.cells)):
            return False
        return all(sum(1.1 if letter.isalpha() else 0.65 if letter.isdigit() else 0.4
                       for letter in _ICON.sub("X", cell)) <= MAX_BADGE for cell in self.all_cells)


@dataclass(frozen=True, kw_only=True)
class CardColumns:
    """The columns of a table by role; ``texts`` are printed one below the other, ``facts`` as lines at the foot."""

    table: Table
    roles: Mapping[str, CardColumn]
    texts: tuple[CardColumn, ...]
    facts: tuple[CardColumn, ...]
    lang: str  # language of headings and cells; empty if most is unknown
    left_out: tuple[str, ...] = ()  # headings that the user leaves out
    doubts: tuple[str, ...] = ()  # headings whose role follows from their cells alone
    files: tuple[str, ...] = ()  # headings of columns that name pictures, besides that of pictures
    repeats: Mapping[str, str] = field(default_factory=dict)  # columns that hold what another one holds
    is_list: bool = False  # true for signs with their words: no cards
    is_suit: bool = False  # true if the number is the value of a playing card, not a cost
    palette: Sequence[str] = ()  # colours for kinds in place of ppgen's own

    def __contains__(self, role: str) -> bool:
        return role in self.roles

    @property
    def has_words_alone(self) -> bool:
        """True if nothing is printed but one text, or names."""
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
        if all(map(_any_colour, values)):
            return {value: _any_colour(value) for value in values}
        for value in values:
            if (colour := _colour_of(value)) and colour not in named.values():
                named[value] = colour
        if len(named) < len(values) * HALF:
            named = {}
        ours = self.palette or layout_data()["drawing"]["palette"]
        palette = [colour for colour in ours if colour not in named.values()]
        free = [value for value in values if value not in named]
        return {value: named.get(value) or palette[free.index(value) % len(palette)] for value in values}

    @cached_property
    def colours(self) -> dict[str, str]:
        """The colours that the cells of the column of colours name in words, if all do."""
        values = self.roles["colour"].distinct if "colour" in self.roles else ()
        return {value: _any_colour(value) for value in values} if all(map(_any_colour, values)) else {}


def find_languages(headings: Collection[str]) -> tuple[str, ...]:
    """The languages that headings name, ``Name (de)`` or ``name.de``, if each of their columns is in all of them."""
    pairs = [(match[1].rstrip(), match[2]) for heading in headings
             if (match := re.fullmatch(r"(.+)[.(]\s*+([a-z]{2})\)?", heading.strip()))]
    known = [lang for _, lang in pairs if lang in layout_data()["headings"]]
    langs = tuple(dict.fromkeys(known))
    stems = {stem for stem, lang in pairs if lang in langs}
    return langs if langs and len(set(pairs)) == len(known) == len(stems) * len(langs) else ()


def understand_columns(table: Table, pictures: Collection[str] = (),
                       given: Mapping[str, str] | None = None) -> CardColumns:
    """Give each column a role: the ``given`` ones, then by headings, by cells and names of ``pictures``."""
    return _Guesser([*_columns(table)], pictures, given or {}).guess(table)


class _Guesser:
    """Columns that get their roles one after the other; ``free`` have none yet."""

    def __init__(self, columns: Sequence[CardColumn], pictures: Collection[str], given: Mapping[str, str]) -> None:
        self.columns, self.pictures = tuple(columns), pictures
        self.given = {column: given[column.name] for column in columns if column.name in given}
        self.free = [column for column in columns if column not in self.given]
        self.roles: dict[str, CardColumn] = {}
        self.texts: list[CardColumn] = []
        self.claimed: set[str] = set()
        """Roles that a heading means, although its cells don't suit: no other column gets them by its cells."""
        self.unsuited: set[CardColumn] = set()
        """Columns that a heading calls a colour, although not all cells name one: they are kinds."""
        self.doubts: list[str] = []
        self.repeats: dict[str, str] = {}

    def guess(self, table: Table) -> CardColumns:
        for column, role in self.given.items():
            if role == "text":
                self.texts.append(column)
            elif role not in (FOOT, LEFT_OUT):
                self.roles[role] = column
        self._take_by_heading()
        self._take_by_cells()
        name = self.roles.get("name")
        if (name and "kind" in self.roles and not {"value", "cost"} & self.roles.keys() and not self.texts
                and name.fits_badge and len(name.distinct) <= min(len(name.cells) * HALF, MAX_RUN)):
            self.roles["value"] = self.roles.pop("name")  # jacks and queens beside numbers
        is_suit = "value" in self.roles and "cost" not in self.roles
        if is_suit:
            self.roles["cost"] = self.roles.pop("value")
        elif "value" in self.roles:
            self.free.insert(0, self.roles.pop("value"))
        is_suit = self._take_numbers() or is_suit
        order = [column.name for column in self.columns]
        files = [column for column in self.free if column.is_files]
        facts = [*(column for column in self.free if column not in files),
                 *(column for column, role in self.given.items() if role == FOOT)]
        return CardColumns(
            table=table, roles=self.roles, texts=tuple(self.texts),
            facts=tuple(sorted(facts, key=lambda column: order.index(column.name))),
            lang=guess_language((column.heading for column in self.columns), (
                cell for column in self.columns for cell in column.cells if not column.is_numeric)), is_suit=is_suit,
            left_out=tuple(column.heading for column, role in self.given.items() if role == LEFT_OUT),
            doubts=tuple(self.doubts), repeats=self.repeats, files=tuple(column.heading for column in files),
            is_list=len(self.columns) <= MAX_LIST and any(column.is_signs for column in self.columns))

    def _take_by_heading(self) -> None:
        for role, column, is_whole in roles_by_heading({column: column.heading for column in self.columns}):
            if role in self.roles or column not in self.free:
                continue
            if not self._suits(role, column):
                self.unsuited |= {column} if role == "colour" and is_whole else set()
                means = is_whole and not column.counts_rows and column.filled and not (
                    role == "kind" and self._names_cards(column))
                self.claimed |= {role} if means else set()
                continue
            self.free.remove(column)
            self.roles[role] = column
            if role == "copies" and (normal_heading(column.heading) or column.name) in COUNTS:
                self.doubts.append(column.heading)
        if "text" in self.roles:
            self.texts.insert(0, self.roles["text"])

    def _take(self, role: str, candidates: Iterator[CardColumn], is_sure: bool = False) -> None:
        if role not in self.roles and role not in self.claimed and (column := next(candidates, None)):
            self.free.remove(column)
            self.roles[role] = column
            if not is_sure:
                self.doubts.append(column.heading)

    def _take_by_cells(self) -> None:
        free, roles = self.free, self.roles
        self._drop_repeats()
        if len(self.columns) > 1:
            self._take("id", (column for column in free if names_an_id(column.heading)
                              and len(column.distinct) == len(column.cells)), is_sure=True)
            self._take("id", (column for column in free if column.counts_rows), is_sure=True)

        def words() -> list[CardColumn]:
            return [column for column in free if column.is_words]

        self._take("art", iter(sorted((column for column in free if column.is_files),
                                      key=lambda column: -_share(column, self.pictures))), is_sure=True)
        if self.pictures:
            self._take("art", (column for column in words() if _share(column, self.pictures) >= HALF
                               and not (column.longest <= LONG_NAME and "name" not in roles)), is_sure=True)
        self._take("art", (column for column in free if column.is_address), is_sure=True)
        self._take("name", (column for column in words() if column.longest <= LONG_NAME and len(column.distinct)
                            == len(column.filled) >= len(column.cells) * HALF and not column.heading[-1:].isdigit()))
        texts = [column for column in words() if column.mean_length > LONG_TEXT or column.longest > LONG_NAME]
        self.texts += texts
        self.free = free = [column for column in free if column not in texts]
        self._take("kind", (column for column in sorted(words(), key=lambda column: (
                                column not in self.unsuited, len(column.filled) <= len(column.cells) * HALF))
                            if column.longest <= MAX_KIND and not column.is_yes_or_no
                            and 1 < len(column.distinct) <= min(MAX_KINDS, len(column.cells) * HALF)))
        if "kind" not in roles and (colour := roles.get("colour")) and 1 < len(colour.distinct) <= MAX_KINDS and (
                not any(map(_COLOUR.fullmatch, colour.filled))):
            roles["kind"] = roles.pop("colour")
        if not self.texts and [column.heading for column in self.columns] == letter_headings(len(self.columns)):
            self.texts += words()  # a letter says nothing beside them
            self.free = [column for column in self.free if column not in self.texts]

    def _drop_repeats(self) -> None:
        """Leave out columns of words that hold what another column holds, row by row."""
        for column in [column for column in self.free if column.is_words and len(column.distinct) > 1]:
            like = next((other for other in self.columns if other is not column and other.cells == column.cells
                         and (other not in self.free or self.columns.index(other) < self.columns.index(column))), None)
            if like:
                self.free.remove(column)
                self.repeats[column.heading] = like.heading

    def _take_numbers(self) -> bool:
        """Give numbers to the corners; return whether one is the value of playing cards."""
        numbers = [column for column in self.free if column.fits_badge and column.is_number]
        plain = not self.texts and not {"flavour", "left", "right", "cost"} & self.roles.keys()
        runs = [column for column in numbers if self._is_suit(column)] if plain else []
        self._take("cost", iter(runs))
        for role in ("left", "right"):
            self._take(role, (column for column in self.free if column in numbers))
        return bool(runs)

    def _is_suit(self, column: CardColumn) -> bool:
        """True if its numbers are runs, one for each kind."""
        kind = self.roles.get("kind")
        suits: dict[str, set[int]] = {}
        for n, cell in enumerate(column.cells):
            if cell:
                suits.setdefault(kind.cells[n] if kind else "", set()).add(int(cell) if cell.isdecimal() else -1)
        return all(len(suit) > 1 and 0 <= min(suit) <= 2 and max(suit) <= MAX_RUN
                   and len(suit) >= NEARLY_ALL * (max(suit) - min(suit) + 1) for suit in suits.values())

    def _suits(self, role: str, column: CardColumn) -> bool:
        """True if the cells of a column can be what its heading says."""
        match role:
            case "copies":
                return self._are_copies(column)
            case "art":
                return _share(column, self.pictures) > 0 or column.is_files or column.is_address
            case "back" | "text" | "name":
                return column.is_words and (role != "name" or column.longest <= MAX_NAME)
            case "colour":
                return bool(column.filled) and all(
                    _COLOUR.fullmatch(cell) or _any_colour(cell) for cell in column.filled)
            case "cost" | "left" | "right":
                return column.fits_badge
            case "value":
                named = any(not other.is_numeric and len(other.distinct) > 1 for other in self.columns)
                return column.fits_badge and not (column.counts_rows and named)
            case "kind" if self._names_cards(column) or len(column.filled) < len(column.cells) * HALF:
                return False
            case "kind" | "rarity":
                return column.longest <= LONG_NAME and bool(column.filled) and not column.is_yes_or_no
        return True

    def _names_cards(self, column: CardColumn) -> bool:
        """True if no two cards have the same cell, and no other column tells them apart by words."""
        return len(column.distinct) == len(column.filled) > 3 and not any(
            other is not column and not other.is_numeric and len(other.distinct) == len(other.cells)
            for other in self.columns)

    def _are_copies(self, column: CardColumn) -> bool:
        if (normal_heading(column.heading) or column.name) not in COUNTS:
            return bool(column.filled) and (is_copies(column.heading) or all(map(_QUANTITY.fullmatch, column.filled)))
        numbers = column.whole_numbers
        named = any(len(other.distinct) == len(other.cells) > 1 and not other.is_numeric for other in self.columns)
        if not numbers or not named or column.counts_rows or max(numbers) > MAX_COPIES:
            return False
        return plain_heading(column.heading) not in VALUE_HEADINGS or len(column.distinct) <= max(
            len(column.cells) * HALF, 1)


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


def looks_like_a_number(words: str) -> bool:
    return bool(_NUMERIC.fullmatch(words))


def looks_like_a_cell(heading: str) -> bool:
    """True if a heading looks like a cell of a card: a number, a file or a sentence."""
    return looks_like_a_number(heading) or len(heading) > MAX_NAME / 2 or heading.lower().endswith(PICTURE_ENDINGS)


# --- Pictures ---

def picture_key(name: str) -> str:
    """Common name of cells and files of a picture: letters and digits without folders, ending and case."""
    plain = unicodedata.normalize("NFC", name.replace("\\", "/").rpartition("/")[2].strip()).casefold()
    stem, dot, ending = plain.rpartition(".")
    words = stem if dot and f".{ending}" in PICTURE_ENDINGS else plain
    return re.sub(r"[\W_]+", "", words) or words


PICTURE_ENDINGS = (".png", ".jpg", ".jpeg", ".webp", ".svg", ".pdf")


def _part(cells: Sequence[str], test: Callable[[str], object]) -> float:
    return sum(map(bool, map(test, cells))) / max(len(cells), 1)


def _share(column: CardColumn, pictures: Collection[str]) -> float:
    return _part(column.filled, lambda cell: picture_key(cell) in pictures)


def _colour_of(value: str) -> str:
    plain = value.strip().casefold()
    return next((colour for colour, words in layout_data()["colours"].items()
                 if plain in words.split() or normal_heading(plain) in words.split()), "")


def _any_colour(value: str) -> str:
    """The colour of a word of nine languages, or of a name of CSS."""
    return _colour_of(value) or named_colour("".join(value.lower().split())) or ""


def kind_signs(values: Sequence[str]) -> dict[str, str]:
    """A shipped icon for each kind, so that colours need not be told apart: that of its name, or one of a few."""
    named = {value: SUITS.get(value, value.lower()) for value in values
             if SUITS.get(value, value.lower()) in shipped_icons()}
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
