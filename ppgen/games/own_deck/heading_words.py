"""Words of headings: what the columns of a sheet are for, in nine languages (``data/first_layout.toml``)."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator, Mapping
from functools import cache
from typing import Any, TypeVar

from ppgen.reading.fields import parse_toml, read_source
from ppgen.reading.tables import column_name
from ppgen.shipped import shipped_root

ROLES = ("copies", "id", "flavour", "keywords", "art", "back", "rarity", "cost", "name", "kind", "colour", "text",
         "left", "right", "value", "notes")
"""In the order in which columns are given to them. ``left`` and ``right`` are numbers in the lower corners."""
COUNTS = frozenset("num no nr nb n x amount count number nombre nummer numero".split())
"""Headings that may be of copies, of values, or of rows: their cells decide."""
_IDS = frozenset("id uuid guid key slug".split())
MIN_SHARED = 4  # headings that must begin with the same word, if it says nothing of the columns
_Key = TypeVar("_Key")


@cache
def layout_data() -> Mapping[str, Any]:
    """The words, colours and signs of first layouts."""
    return parse_toml(read_source(shipped_root() / "data", "first_layout.toml"))


def normal_heading(heading: str) -> str:
    """A heading in small letters without accents, with ``_`` between words: ``Flavour Text`` → ``flavour_text``."""
    letters = unicodedata.normalize("NFD", column_name(heading).removeprefix("c_").replace("ß", "ss")
                                    .replace("æ", "ae").replace("ø", "o"))
    return unicodedata.normalize("NFC", "".join(letter for letter in letters if not "\u0300" <= letter <= "\u036f"))


def split_heading(heading: str) -> str:
    """A normal heading whose words are also told by capitals: ``effectText`` → ``effect_text``."""
    return normal_heading(re.sub(r"(?<=[a-z])(?=[A-Z])", " ", heading))


def names_an_id(heading: str) -> bool:
    """True if the first or the last word of a heading is one of numbers and keys of programs."""
    words = split_heading(heading).split("_")
    return not _IDS.isdisjoint((words[0], words[-1]))


@cache
def _heading_words() -> dict[str, dict[str, str]]:
    """For each role its words, and the first language that each is of."""
    words: dict[str, dict[str, str]] = {role: {} for role in ROLES}
    words["id"]["id"] = ""
    words["copies"] = dict.fromkeys(sorted(COUNTS), "")
    for lang, roles in layout_data()["headings"].items():
        for role, known in roles.items():
            for word in known.split():
                words[role].setdefault(normal_heading(word), lang)
    return words


def _forms(headings: Mapping[_Key, str]) -> dict[_Key, tuple[str, ...]]:
    """The forms of headings that are compared; a first word that all have is left out of the last one."""
    split = {key: split_heading(heading) for key, heading in headings.items()}
    first = {heading.partition("_")[0] for heading in split.values()}
    if len(split) >= MIN_SHARED and len(first) == 1:
        split = {key: heading.partition("_")[2] or heading for key, heading in split.items()}
    return {key: tuple(dict.fromkeys((normal_heading(headings[key]) or column_name(headings[key]), split[key])))
            for key in headings}


def roles_by_heading(headings: Mapping[_Key, str]) -> Iterator[tuple[str, str, _Key, bool]]:
    """Yield role, language, column and whether the whole heading means it: those first, then those with such a word."""
    whole = {*layout_data()["whole"].split(), *COUNTS}
    forms = _forms(headings)
    for is_part in (False, True):
        for role in ROLES:
            known = _heading_words()[role]
            for word in known:
                for key, headed in forms.items():
                    if word in headed if not is_part else (word not in whole and role != "back"
                                                           and word in headed[-1].split("_")):
                        yield role, known[word], key, not is_part
