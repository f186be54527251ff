"""Turns locale files into the texts of a language: the words of everything that is printed or said.

A locale file is TOML; its tables give the keys (``[countries] france = "…"`` is ``countries.france``).
``{name}`` is the only placeholder: no format specifications, no attributes, so that a stranger's file
can do no more than put words on paper.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import islice
from pathlib import Path

from ppgen.errors import InputError, Problem, Problems, listed
from ppgen.reading import MAX_PROBLEMS, Fields, Source, read_toml

REFERENCE = "de"
"""The language that the others are held against in the shipped sets: same keys, same placeholders."""
TOLD = frozenset({"answers", "build", "history", "printer"})
"""The tables of the common locale files that commands say on a terminal and nothing prints."""

_PLACEHOLDER = re.compile(r"\{([a-z_]+)\}")
_LANGUAGE = re.compile(r"[a-z]{2,3}(-[A-Za-z0-9]+)*")


@dataclass(frozen=True, slots=True, kw_only=True)
class Texts:
    """The texts of one language. ``asked`` notes the keys that were used, for ``ppgen check``."""

    lang: str
    words: Mapping[str, str]
    asked: set[str] = field(default_factory=set, compare=False)

    def __call__(self, key: str, **values: object) -> str:
        """The text of a key with its placeholders filled in.

        Raises InputError if the language has no such key, or a placeholder gets no value.
        """
        self.asked.add(key)
        if key not in self.words:
            raise InputError([Problem(place=f"{self.lang}.toml", key=key, what="text is missing",
                                      remedy="add it to the locale file")])
        words = self.words[key]
        if unknown := set(_PLACEHOLDER.findall(words)) - set(values):
            raise InputError([Problem(place=f"{self.lang}.toml", key=key,
                                      what=f"unknown placeholder {listed('{' + n + '}' for n in sorted(unknown))}",
                                      remedy=f"known here: {listed(sorted(values)) or 'none'}")])
        return _PLACEHOLDER.sub(lambda match: str(values[match[1]]), words)

    def number(self, value: float, digits: int) -> str:
        """A number with so many digits behind the language's decimal sign."""
        return f"{value:.{digits}f}".replace(".", self("language.decimal"))

    def unused(self) -> tuple[str, ...]:
        """The keys that nobody has asked for so far."""
        return tuple(key for key in self.words if key not in self.asked)


def languages(folder: Path) -> tuple[str, ...]:
    """The languages that a folder of locale files offers, the reference first."""
    found = sorted(path.stem for path in folder.glob("*.toml") if _LANGUAGE.fullmatch(path.stem))
    return tuple(sorted(found, key=lambda lang: (lang != REFERENCE, lang)))


def load_texts(lang: str, folders: Sequence[Path], reference: str = REFERENCE) -> Texts:
    """The texts of a language, from one file in each folder, held against those of the ``reference``.

    Raises InputError with every missing, unknown or ill-formed key, and every placeholder that
    differs from the reference language's.
    """
    problems = Problems()
    words: dict[str, str] = {}
    for folder in folders:
        model = reference if (folder / f"{reference}.toml").is_file() else (languages(folder) or (lang,))[0]
        expected, _ = _read(folder, model, problems if model == lang else Problems())
        found, top = (expected, None) if model == lang else _read(folder, lang, problems)
        if top is not None:
            problems.extend(islice(_differences(expected, found, top.source, model), MAX_PROBLEMS))
        words |= found
    problems.raise_if_any()
    return Texts(lang=lang, words=words)


def line_of(source: Source, key: str) -> int:
    return source.line_of(tuple(key.split(".")))


def _read(folder: Path, lang: str, problems: Problems) -> tuple[dict[str, str], Fields]:
    top = read_toml(folder, f"{lang}.toml", problems)
    words = dict(_flat(top))
    for key, text in words.items():
        rest = _PLACEHOLDER.sub("", text)
        if ("{" in rest or "}" in rest) and len(problems) < MAX_PROBLEMS:
            problems.note(top.source.name, "has a brace that is no {placeholder}", "write {name}, or leave braces out",
                          line=line_of(top.source, key), key=key)
    return words, top


def _flat(table: Fields) -> Iterator[tuple[str, str]]:
    for key in table:
        trail = ".".join(map(str, (*table.trail, key)))
        if table.is_table(key):
            yield from _flat(table.take_table(key))
        else:
            yield trail, table.take_text(key)


def _differences(expected: Mapping[str, str], found: Mapping[str, str], source: Source,
                 reference: str) -> Iterable[Problem]:
    for key in [key for key in expected if key not in found]:
        yield Problem(place=source.name, line=line_of(source, key), key=key, what="text is missing",
                      remedy=f"{reference}: {expected[key]!r}")
    for key in [key for key in found if key not in expected]:
        yield Problem(place=source.name, line=line_of(source, key), key=key, what="is not used",
                      remedy=f"take it out, or mend its name: {reference} has no such key")
    for key in [key for key in expected if key in found]:
        wanted, given = (set(_PLACEHOLDER.findall(words[key])) for words in (expected, found))
        if wanted != given:
            yield Problem(place=source.name, line=line_of(source, key), key=key,
                          what=f"has the placeholders {listed(sorted(given)) or 'none'}",
                          remedy=f"use {listed(sorted(wanted)) or 'none'}")
