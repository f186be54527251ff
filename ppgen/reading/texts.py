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
from ppgen.reading.fields import MAX_PROBLEMS, Fields, Source, parse_toml, read_source

REFERENCE = "de"
"""The language that the others are held against in the shipped sets: same keys, same placeholders."""
SCORED = frozenset({"counted", "results", "explain", "places", "wrong", "template", "ask"})
"""The tables of locale files that are said while a game is scored; such a game has keys of its own in them."""
TOLD = frozenset({"answers", "build", "export", "history", "init", "printer", "scorer"}) | SCORED
"""The tables of locale files that commands and the scorer page say and nothing prints."""

_PLACEHOLDER = re.compile(r"\{([a-z_]+)\}")
_LANGUAGE = re.compile(r"[a-z]{2,3}(-[A-Za-z0-9]+)*")


@dataclass(frozen=True, slots=True, kw_only=True)
class Texts:
    """The texts of one language.

    For ``ppgen check``, ``files`` says where each is written, ``lent`` are the keys whose text is the reference
    language's because its own is missing or wrong, and ``asked`` notes the keys that were used with what was said.
    """

    lang: str
    words: Mapping[str, str]
    files: dict[str, Source] = field(default_factory=dict, compare=False, repr=False)
    lent: frozenset[str] = frozenset()
    asked: dict[str, set[str]] = field(default_factory=dict, compare=False, repr=False)

    def __call__(self, key: str, /, **values: object) -> str:
        """The text of a key with its placeholders filled in.

        Raises InputError if the language has no such key, or a placeholder gets no value.
        """
        said = self.asked.setdefault(key, set())
        if key not in self.words:
            raise InputError([self.problem(key, "text is missing", "add it to the locale file")])
        words = self.words[key]
        if unknown := set(_PLACEHOLDER.findall(words)) - set(values):
            names = listed("{" + name + "}" for name in sorted(unknown))
            raise InputError([self.problem(key, f"unknown placeholder {names}",
                                           f"known here: {listed(sorted(values)) or 'none'}")])
        filled_in = _PLACEHOLDER.sub(lambda match: str(values[match[1]]), words)
        said.add(filled_in)
        return filled_in

    def number(self, value: float, digits: int) -> str:
        """A number with so many digits behind the language's decimal mark."""
        return f"{value:.{digits}f}".replace(".", self("language.decimal"))

    def unused(self) -> tuple[str, ...]:
        """The keys that nobody has asked for so far."""
        return tuple(key for key in self.words if key not in self.asked)

    def problem(self, key: str, what: str, remedy: str = "") -> Problem:
        """A problem of the text of that key, shown where it is written; of one that is missing, where its table is."""
        table = key.partition(".")[0] + "."
        file = self.files.get(key) or next((self.files[other] for other in reversed(self.files)
                                            if other.startswith(table)), None)
        return Problem(place=file.name if file else f"{self.lang}.toml", line=line_of(file, key) if file else 0,
                       key=key, what=what, remedy=remedy)


def languages(folder: Path) -> tuple[str, ...]:
    """The languages that a folder of locale files offers, the reference first."""
    found = sorted(path.stem for path in folder.glob("*.toml") if _LANGUAGE.fullmatch(path.stem))
    return tuple(sorted(found, key=lambda lang: (lang != REFERENCE, lang)))


def load_texts(lang: str, folders: Sequence[Path], reference: str = REFERENCE) -> Texts:
    """The texts of a language, from one file in each folder, held against those of the ``reference``.

    Raises InputError with every missing, unknown or ill-formed key, and every placeholder that
    differs from the reference language's.
    """
    texts, problems = draft_texts(lang, folders, reference)
    problems.raise_if_any()
    return texts


def draft_texts(lang: str, folders: Sequence[Path], reference: str = REFERENCE) -> tuple[Texts, Problems]:
    """The texts as far as they are right, the others lent by the reference, and all that is wrong with them.

    Raises InputError where a file of either can't be read at all.
    """
    unread, problems = Problems(), Problems()
    words: dict[str, str] = {}
    files: dict[str, Source] = {}
    lent: set[str] = set()
    for folder in folders:
        model = reference if (folder / f"{reference}.toml").is_file() else (languages(folder) or (lang,))[0]
        wrong = Problems()
        expected, source = _read(folder, model, unread, wrong)
        found = expected
        if model != lang:
            wrong, before = Problems(), len(unread)
            found, source = _read(folder, lang, unread, wrong, model)
            if len(unread) > before:
                continue
            wrong.extend(islice(_differences(expected, found, source, model), MAX_PROBLEMS))
            lent |= {problem.key for problem in wrong} & set(expected)
        problems.extend(wrong)
        words |= found | {key: expected[key] for key in lent if key in expected}
        files |= dict.fromkeys(found, source)
    if unread:
        raise InputError([*unread, *problems])
    return Texts(lang=lang, words=words, files=files, lent=frozenset(lent)), problems


def line_of(source: Source, key: str) -> int:
    return source.line_of(tuple(key.split(".")))


def _read(folder: Path, lang: str, unread: Problems, problems: Problems,
          model: str = "") -> tuple[dict[str, str], Source]:
    nothing = Source(folder / f"{lang}.toml", "")
    if model and not nothing.path.exists():
        unread.note(nothing.name, "file is missing", f"copy {model}.toml of that folder, and translate it")
        return {}, nothing
    try:
        source = read_source(folder, nothing.path.name)
        top = Fields(source, parse_toml(source), problems)
    except InputError as error:
        unread.extend(error.problems)
        return {}, nothing
    words = dict(_flat(top))
    for key, text in words.items():
        rest = _PLACEHOLDER.sub("", text)
        if ("{" in rest or "}" in rest) and len(problems) < MAX_PROBLEMS:
            problems.note(source.name, "has a brace that is no {placeholder}", "write {name}, or leave braces out",
                          line=line_of(source, key), key=key)
    return words, source


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
                      remedy=f"take it out, or correct its name: {reference} has no such key")
    for key in [key for key in expected if key in found]:
        wanted, given = (set(_PLACEHOLDER.findall(words[key])) for words in (expected, found))
        if wanted != given:
            yield Problem(place=source.name, line=line_of(source, key), key=key,
                          what=f"has the placeholders {listed(sorted(given)) or 'none'}",
                          remedy=f"use {listed(sorted(wanted)) or 'none'}")
