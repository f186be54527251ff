"""Turns what people call things on a score sheet into their keys.

Keys and the words of every language of the data folder are known, without regard to case or accents:
``Dänemark``, ``daenemark``, ``DANMARK`` and ``DK`` are all ``denmark``.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable, Iterator, Mapping
from functools import cached_property
from pathlib import Path
from types import MappingProxyType
from typing import NamedTuple

from ppgen.assets import shipped
from ppgen.errors import Problems
from ppgen.reading.fields import read_toml
from ppgen.reading.texts import Texts, languages, load_texts


def fold(text: str) -> str:
    """The letters and digits of a text, without case and accents."""
    decomposed = unicodedata.normalize("NFKD", text.casefold())
    return "".join(character for character in decomposed if character.isalnum())


class Sort(NamedTuple):
    """A sort of things: their keys, the table of a locale file that names them, and other names, folded."""

    keys: tuple[str, ...]
    table: str
    others: Mapping[str, str] = MappingProxyType({})


class _Words(NamedTuple):
    """The keys of what is called so, by folded words, and each word as it is spelled."""

    keys: Mapping[str, str]
    spelled: Mapping[str, str]

    def find(self, text: str) -> str | None:
        plain = fold(text)
        return self.keys.get(plain) or self.keys.get(_without_digraphs(plain))


class Names:
    """What things are called: by their keys, and in each language of the folder ``locales`` of a game.

    ``say`` has the words of one of them, those of the ``common`` locale files included, for who is told what is wrong.
    The locale files are read only when a word is no key, or something is said.
    """

    def __init__(self, sorts: Mapping[str, Sort], locales: Path, lang: str, common: Path | None = None) -> None:
        self._sorts, self._locales, self._lang = sorts, locales, lang
        self._common = common or shipped() / "data" / "locales"

    @cached_property
    def say(self) -> Texts:
        """The texts of the language in which people are told what is wrong."""
        return load_texts(self._lang, [self._common, self._locales], self._lang)  # ppgen check compares languages

    def find(self, sort: str, text: str) -> str | None:
        """The key of the thing of a sort that is called so."""
        things = self._sorts[sort]
        return text if text in things.keys else self._words[sort].find(text) or things.others.get(fold(text))

    def spelled(self, sort: str) -> dict[str, str]:
        """The keys of a sort by everything that they are called, folded."""
        return {**self._sorts[sort].others, **self._words[sort].keys}

    def like(self, text: str, *sorts: str) -> str:
        """What was probably meant, as a remedy; else all that is known."""
        words = [self._words[sort] for sort in sorts]
        spelled = {plain: word for each in reversed(words) for plain, word in each.spelled.items()}
        known = (self.say(f"{self._sorts[sort].table}.{key}") for sort in sorts for key in self._sorts[sort].keys)
        return self._guess(fold(text), spelled) or self.say("wrong.one_of", words=", ".join(known))

    def did_you_mean(self, word: str, words: Iterable[str]) -> str:
        """The nearest of the words, as a remedy; empty if none is near."""
        return self._guess(word, {known: known for known in words})

    def _guess(self, word: str, spelled: Mapping[str, str]) -> str:
        from difflib import get_close_matches  # only for who slipped

        near = get_close_matches(word, list(spelled), n=1, cutoff=0.65)
        return self.say("wrong.did_you_mean", word=spelled[near[0]]) if near else ""

    @cached_property
    def _words(self) -> Mapping[str, _Words]:
        spoken = [dict(self._spoken(lang)) for lang in languages(self._locales)]
        return {name: _words(sort.keys, [words.get(sort.table, {}) for words in spoken])
                for name, sort in self._sorts.items()}

    def _spoken(self, lang: str) -> Iterator[tuple[str, dict[str, str]]]:
        """The tables of a locale file that matter here; what is wrong in it others will say."""
        top = read_toml(self._locales, f"{lang}.toml", Problems())
        for name in {sort.table for sort in self._sorts.values()}:
            if top.is_table(name):
                table = top.take_table(name)
                yield name, {key: str(table.raw(key)) for key in table}


def _words(keys: tuple[str, ...], languages: Iterable[Mapping[str, str]]) -> _Words:
    found, spelled = {fold(key): key for key in keys}, {fold(key): key for key in keys}
    for language in languages:
        for key, word in language.items():
            if key in keys:
                for plain in (fold(word), _without_digraphs(fold(word))):
                    found.setdefault(plain, key)
                    spelled.setdefault(plain, word if fold(word) == fold(key) else f"{word} ({key})")
    return _Words(found, spelled)


def _without_digraphs(plain: str) -> str:
    """``daenemark`` as the keyboards without umlauts have it."""
    for digraph in ("ae", "oe", "ue"):
        plain = plain.replace(digraph, digraph[0])
    return plain
