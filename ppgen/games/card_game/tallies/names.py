"""Turns what people call a country, a kind of symbol or a row of the sheet into its key.

Keys and the words of every language of the data folder are known, without regard to case or accents:
``Dänemark``, ``daenemark``, ``DANMARK`` and ``DK`` are all ``denmark``.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path

from ppgen.errors import Problems
from ppgen.games.card_game.deck.model import Deck
from ppgen.reading.fields import read_toml
from ppgen.reading.texts import Texts, languages, load_texts

ROWS = ("ships", "carriages", "minus_two", "date", "place")
"""The rows of the sheet beside the countries, by the keys of a tally."""
COLUMNS = ("cards", "symbols")
"""The two columns that a player has for each country."""
_WORDS = {"countries": "countries", "symbols": "kinds", "rows": "tally", "columns": "tally"}
"""Which table of a locale file names what."""


def fold(text: str) -> str:
    """The letters and digits of a text, without case and accents."""
    decomposed = unicodedata.normalize("NFKD", text.casefold())
    return "".join(sign for sign in decomposed if sign.isalnum())


@dataclass(frozen=True, slots=True)
class _Table:
    """The keys of one sort of thing, and what each is called."""

    keys: tuple[str, ...]
    words: Mapping[str, str]
    spelled: Mapping[str, str] = field(default_factory=dict)

    def find(self, text: str) -> str | None:
        plain = fold(text)
        return self.words.get(plain) or self.words.get(_without_digraphs(plain))


class Names:
    """What the things on the score sheet are called: in the deck's keys, and in each language of ``locales``.

    ``say`` has the words of one of them, for who is told what is wrong. The locale files are read only when a word
    is no key, or something is said.
    """

    def __init__(self, deck: Deck, locales: Path, lang: str = "en") -> None:
        self._locales, self._lang = locales, lang
        self._keys: dict[str, tuple[str, ...]] = {
            "countries": tuple(country.id for country in deck.countries), "symbols": deck.symbols,
            "rows": ROWS, "columns": COLUMNS}
        self._codes = {fold(country.code): country.id for country in deck.countries}

    def country(self, text: str) -> str | None:
        return self._find("countries", text) or self._codes.get(fold(text))

    def kind(self, text: str) -> str | None:
        return self._find("symbols", text)

    def row(self, text: str) -> str | None:
        """The key of one of the :data:`ROWS`."""
        return self._find("rows", text)

    def column(self, text: str) -> str | None:
        """``cards`` or ``symbols``."""
        return self._find("columns", text)

    @cached_property
    def say(self) -> Texts:
        """The texts of the language in which people are told what is wrong."""
        return load_texts(self._lang, [self._locales])

    def like_country(self, text: str) -> str:
        """The country that was probably meant, as a remedy."""
        return self._remedy(text, "countries")

    def like_kind(self, text: str) -> str:
        return self._remedy(text, "symbols")

    def like_row(self, text: str) -> str:
        """The country or other row of the sheet that was probably meant."""
        return self._remedy(text, "countries", "rows")

    def did_you_mean(self, word: str, words: Iterable[str]) -> str:
        """The nearest of the words, as a remedy; empty if none is near."""
        return self._guess(word, {known: known for known in words})

    def _find(self, sort: str, text: str) -> str | None:
        keys = self._keys[sort]
        return text if text in keys else self._tables[sort].find(text)

    def _remedy(self, text: str, *sorts: str) -> str:
        tables = [self._tables[sort] for sort in sorts]
        spelled = {plain: word for table in reversed(tables) for plain, word in table.spelled.items()}
        known = (self.say(f"{_WORDS[sort]}.{key}") for sort in sorts for key in self._keys[sort])
        return self._guess(fold(text), spelled) or self.say("wrong.one_of", words=", ".join(known))

    def _guess(self, word: str, spelled: Mapping[str, str]) -> str:
        from difflib import get_close_matches  # only for who slipped

        near = get_close_matches(word, list(spelled), n=1, cutoff=0.65)
        return self.say("wrong.did_you_mean", word=spelled[near[0]]) if near else ""

    @cached_property
    def _tables(self) -> Mapping[str, _Table]:
        spoken = [dict(self._spoken(lang)) for lang in languages(self._locales)]
        return {sort: _table(keys, [words.get(_WORDS[sort], {}) for words in spoken])
                for sort, keys in self._keys.items()}

    def _spoken(self, lang: str) -> Iterator[tuple[str, dict[str, str]]]:
        """The tables of a locale file that matter here; what is wrong in it others will say."""
        top = read_toml(self._locales, f"{lang}.toml", Problems())
        for name in set(_WORDS.values()):
            if top.is_table(name):
                table = top.take_table(name)
                yield name, {key: str(table.raw(key)) for key in table}


def _table(keys: tuple[str, ...], languages: Iterable[Mapping[str, str]]) -> _Table:
    words, spelled = {fold(key): key for key in keys}, {fold(key): key for key in keys}
    for language in languages:
        for key, word in language.items():
            if key in keys:
                for plain in (fold(word), _without_digraphs(fold(word))):
                    words.setdefault(plain, key)
                    spelled.setdefault(plain, word if fold(word) == fold(key) else f"{word} ({key})")
    return _Table(keys, words, spelled)


def _without_digraphs(plain: str) -> str:
    """``daenemark`` as the keyboards without umlauts have it."""
    for digraph in ("ae", "oe", "ue"):
        plain = plain.replace(digraph, digraph[0])
    return plain
