"""Decks of one's own as values, and what their ``deck.toml`` says before they are loaded: name, languages, rules."""

from __future__ import annotations

import glob
import re
import unicodedata
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from ppgen.assets import DECK_FILE
from ppgen.engine.component import PartLayout, Stock
from ppgen.engine.geometry import Format
from ppgen.errors import Problem, Problems, Spot
from ppgen.games.learn_steps import LearnStep
from ppgen.games.own_deck.piece_cut import PieceCut
from ppgen.games.table_setup import Row
from ppgen.reading.fields import Fields, is_file_name, read_toml
from ppgen.reading.tables import Cell
from ppgen.reading.texts import is_language, languages

if TYPE_CHECKING:
    from ppgen.engine.adoption.adopted_drawing import AdoptedDrawing
    from ppgen.games.own_deck.deck_signs import SignUse
    from ppgen.play.rule_game import RuleScoring

WORDS = "words"  # subfolder with the texts of a deck
RULES_FILE = "rules.md"  # of a deck that names none; `rules.de.md` are those in another language
DEFAULT_LANG = "en"  # language of a deck that names none
PICTURES = (".png", ".jpg", ".jpeg", ".webp", ".pdf")  # may be the face of a piece as they are
ID_COLUMNS = ("id", "name", "title")  # columns for the id of a piece, in order of preference
TITLE_COLUMNS = ("title", "name")  # columns for the title of a piece, in order of preference
COPIES = "copies"
VALUE_HEADINGS = frozenset(("count", "number", "nombre"))  # those of them that are also headings of ordinary values

_LETTERS = str.maketrans({"ß": "ss", "æ": "ae", "ø": "o", "œ": "oe", "Æ": "Ae", "Ø": "O", "ł": "l", "đ": "d"})


@dataclass(frozen=True, slots=True, kw_only=True)
class DeckPiece:
    """A row of a table."""

    id: str
    copies: int
    cut: PieceCut
    front: str
    back: str  # may be empty
    cells: Mapping[str, Cell]  # the other ones
    line: Spot
    facts: Mapping[str, object] = field(default_factory=dict)  # further attributes of the card in templates
    variables: Mapping[str, object] = field(default_factory=dict)  # further values of its faces
    block: str = ""  # what it has in common with those printed beside it
    headings: Mapping[str, str] = field(default_factory=dict)  # as written, if they differ from the names
    numbers: frozenset[str] = frozenset()  # columns of numbers

    def localized_cells(self, lang: str) -> dict[str, Cell]:
        """The cells for templates: of ``name.de`` and ``name.en``, that of the language becomes ``name``."""
        common = {name: text for name, text in self.cells.items() if "." not in name}
        return common | {name.partition(".")[0]: text for name, text in self.cells.items()
                         if name.partition(".")[2] == lang}


@dataclass(frozen=True, slots=True, kw_only=True)
class PieceBatch:
    """The pieces of a part, from one table or several; ``is_cards`` if ``--card-size`` resizes them."""

    name: str
    stock: Stock
    layout: PartLayout
    pieces: tuple[DeckPiece, ...]
    is_cards: bool
    size_spot: Spot


@dataclass(frozen=True, slots=True, kw_only=True)
class OwnDeck:
    """A whole deck."""

    id: str
    lang: str  # its first language
    card_size: Format  # of its first cards
    box: str  # template of its tuck box
    version: str
    batches: tuple[PieceBatch, ...]
    words: Mapping[str, str]  # texts that it gives
    colours: Mapping[str, object]
    made: Mapping[str, str]  # templates in place of drawings and pictures
    totals: Mapping[str, Mapping[str, object]]  # what templates know of each part as a whole
    drawings: Mapping[str, AdoptedDrawing]
    warnings: tuple[Problem, ...]  # advice about its tables
    rules: Mapping[str, str]  # their files by language
    deals: Mapping[str, int]  # cards that each player gets on the table, by part
    rows: tuple[Row, ...]  # cards that lie beside their piles
    tools: tuple[str, ...]  # in the bar of the table
    learn: tuple[LearnStep, ...]  # steps of its first turns
    signs: Mapping[str, SignUse]  # those in its tables


def read_deck_name(folder: Path) -> str:
    """Read the id of the deck in ``folder``; the default is that of its title, or the folder's name."""
    top = read_toml(folder, DECK_FILE, Problems())
    return str(top.raw("id") or default_id(top, folder))


def open_scoring(folder: Path, common: Path, lang: str) -> RuleScoring:
    """Open the scoring of the deck in ``folder``. Raises InputError with all problems of its ``score.toml``."""
    from ppgen.play.rule_game import open_rule_scoring  # only scoring needs it

    return open_rule_scoring(read_deck_name(folder), folder, common, lang)


def default_id(top: Fields, folder: Path) -> str:
    return to_id(str(top.raw("title") or "")) or to_id(folder.name) or "deck"


def to_id(words: str) -> str:
    """Make a name of small letters, digits and hyphens; empty if none of its letters has one like it in ASCII."""
    ascii_words = unicodedata.normalize("NFKD", words.translate(_LETTERS)).encode("ascii", "ignore").decode()
    return re.sub(r"[^a-z0-9]+", "-", ascii_words.lower()).strip("-")[:60].strip("-")


def deck_languages(folder: Path) -> tuple[str, ...]:
    """The languages of the deck in ``folder``, its first one before those of its words and rules."""
    top = read_toml(folder, DECK_FILE, Problems())
    words, lang = languages(folder / WORDS), top.raw("lang")
    first = lang if isinstance(lang, str) and lang else DEFAULT_LANG
    return tuple(dict.fromkeys((first, *words, *find_rules_files(folder, str(top.raw("rules") or ""), first))))


def find_rules_files(folder: Path, name: str, first: str) -> dict[str, str]:
    """Find the rules of a deck by language: the file ``name``, and those with a language before the suffix."""
    if name and not is_file_name(name):
        return {}
    main = Path(name or RULES_FILE)
    files = {first: main.as_posix()} if (folder / main).is_file() else {}
    for path in sorted((folder / main.parent).glob(f"{glob.escape(main.stem)}.*{main.suffix}")):
        lang = path.name.removeprefix(f"{main.stem}.").removesuffix(main.suffix)
        if is_language(lang) and path.is_file():
            files.setdefault(lang, (main.parent / path.name).as_posix())
    return files
