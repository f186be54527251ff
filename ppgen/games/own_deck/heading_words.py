"""Words of headings: what the columns of a sheet are for, in 21 languages (``data/first_layout.toml``)."""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
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
    """Guess the language of a table by its script, its headings and the words of its cells; empty if most is unknown.
    """
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
