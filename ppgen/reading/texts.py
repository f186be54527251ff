"""Locale files and the texts of a language: all words that are printed or shown.

A locale file is TOML; its tables make up the keys (``[countries] france = "…"`` is ``countries.france``). ``{name}`` is
the only kind of placeholder, without format specifications or attributes: strangers' files can only put words on paper.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import lru_cache, reduce
from itertools import islice
from pathlib import Path
from typing import Any

from ppgen.errors import MESSAGES, InputError, Problem, Problems, display_path, join_names
from ppgen.reading.fields import MAX_PROBLEMS, Fields, Source, parse_toml, read_source
from ppgen.records import dataclass, field, replace
from ppgen.shipped import find_compiled, shipped_root

REFERENCE = "de"  # the reference language of the shipped sets: the others have the same keys and placeholders
FALLBACK = "en"  # language of what a deck's or a message's own language lacks
SCORED = frozenset({"counted", "results", "explain", "places", "wrong", "template", "ask", "scoring"})
"""Tables for scoring a game: defaults for any game, and texts of a game's own."""
FOREIGN = frozenset({"usage", "system"})  # tables of English messages of click, the system and Python
SCREEN_ONLY = frozenset({"answers", "build", "export", "history", "learn", "list", "open", "page", "preset",
                         "printed", "printer", "scorer", "site", "table"}) | SCORED | FOREIGN | {MESSAGES}
"""Tables for commands and the scorer page, which are not printed."""

_PLACEHOLDER = re.compile(r"\{([a-z_]+)\}")
_LANGUAGE = re.compile(r"[a-z]{2,3}(-[A-Za-z0-9]+)*")


@dataclass(frozen=True, slots=True, kw_only=True)
class Texts:
    """The texts of a language; those of ``borrowed`` keys are another language's."""

    lang: str
    words: Mapping[str, str]
    files: dict[str, Source] = field(default_factory=dict, compare=False, repr=False)  # source of each text
    borrowed: frozenset[str] = frozenset()
    used: dict[str, set[str]] = field(default_factory=dict, compare=False, repr=False)  # keys with the filled-in texts
    home: str = ""  # name of the file that gives the others, if not the locale file
    common_lang: str = ""  # language of ppgen's own words, if not the same

    def __call__(self, key: str, /, **values: object) -> str:
        """The text of a key with its placeholders filled in. Raises InputError for a missing key or value."""
        uses = self.used.setdefault(key, set())
        if key not in self.words:
            raise InputError([self.problem(key, "text is missing", "add it to the locale file")])
        words = self.words[key]
        if unknown := set(_PLACEHOLDER.findall(words)) - set(values):
            names = join_names("{" + name + "}" for name in sorted(unknown))
            raise InputError([self.problem(key, f"unknown placeholder {names}",
                                           f"known here: {join_names(sorted(values)) or 'none'}")])
        text = _PLACEHOLDER.sub(lambda match: str(values[match[1]]), words)
        uses.add(text)
        return text

    def number(self, value: float, digits: int) -> str:
        """Format a number with this many digits after the language's decimal mark."""
        return f"{value:.{digits}f}".replace(".", self("language.decimal"))

    def count(self, key: str, number: int, **values: object) -> str:
        """Format a number of things: the text of ``key``, or of ``key_one`` for the numbers that take the singular."""
        singular = str(abs(number)) in self("counted.singular").split()
        return self(f"{key}_one" if singular else key, count=str(number).replace("-", "−"), **values)

    def join(self, words: Iterable[str]) -> str:
        """Join words with the commas of the language."""
        return reduce(lambda first, last: self("results.list", first=first, last=last) if first else last, words, "")

    def unused(self) -> tuple[str, ...]:
        """The keys that were not used so far."""
        return tuple(key for key in self.words if key not in self.used)

    def keys_in(self, folder: Path) -> frozenset[str]:
        """The keys whose texts stand in a file of the folder or its subfolders; the folder has no links in its path."""
        inside = {file: file.path.resolve().is_relative_to(folder) for file in set(self.files.values())}
        return frozenset(key for key, file in self.files.items() if inside[file])

    def problem(self, key: str, what: str, remedy: str = "") -> Problem:
        """A problem of the text of a key, placed at the text, or at its table if it is missing."""
        table = key.partition(".")[0] + "."
        others = () if self.home else reversed(self.files)
        file = self.files.get(key) or next((self.files[other] for other in others if other.startswith(table)), None)
        return Problem(file.name if file else self.home or f"{self.lang}.toml", what, remedy, line=find_line(file, key)
                       if file else 0, key=key)


def languages(folder: Path) -> tuple[str, ...]:
    """The languages of a folder of locale files, the reference first."""
    names = (path.stem for path in folder.glob("*.toml") if is_language(path.stem))
    return tuple(sorted(names, key=lambda lang: (lang != REFERENCE, lang)))


def is_language(code: str) -> bool:
    """True for a code like ``sv`` or ``en-GB``."""
    return bool(_LANGUAGE.fullmatch(code))


def load_texts(lang: str, folders: Sequence[Path], reference: str = REFERENCE) -> Texts:
    """Load the texts of a language from one file in each folder, compared with those of the ``reference``.

    Raises InputError with each missing, unknown or ill-formed key, and each text whose placeholders differ from the
    reference.
    """
    texts, problems = draft_texts(lang, folders, reference)
    problems.raise_if_any()
    return texts


def draft_texts(lang: str, folders: Sequence[Path], reference: str = REFERENCE) -> tuple[Texts, Problems]:
    """Load the texts of a language, what is missing or wrong from the reference; also return the problems."""
    unread, problems = Problems(), Problems()
    words: dict[str, str] = {}
    files: dict[str, Source] = {}
    borrowed: set[str] = set()
    for folder in folders:
        if shipped := _load_shipped(folder, lang, reference):
            own, source = shipped
            words |= own
            files |= dict.fromkeys(own, source)
            continue
        model = reference if (folder / f"{reference}.toml").is_file() else (languages(folder) or (lang,))[0]
        wrong = Problems()
        expected, source = _read(folder, model, unread, wrong)
        own = expected
        lent: dict[str, str] = {}
        if model != lang:
            wrong, before = Problems(), len(unread)
            own, source = _read(folder, lang, unread, wrong, model)
            if len(unread) > before:
                continue
            messages = _lend_messages(expected, own, folder, lang)
            own |= messages
            wrong.extend(islice(_differences(expected, own, source, model), MAX_PROBLEMS))
            lent = {problem.key: expected[problem.key] for problem in wrong if problem.key in expected}
            borrowed |= {*lent, *messages}
        problems.extend(wrong)
        words |= own | lent
        files |= dict.fromkeys(own, source)
    if unread:
        raise InputError([*unread, *problems])
    return Texts(lang=lang, words=words, files=files, borrowed=frozenset(borrowed)), problems


def spoken_language(lang: str, common: Path) -> str:
    """The language of the common texts of a deck in any language."""
    return lang if (common / f"{lang}.toml").is_file() else FALLBACK


def draft_deck_texts(lang: str, common: Path, booklets: Sequence[Path], words: Path, given: Mapping[str, str],
                     home: Path, reference: str, defaults: Mapping[str, str]) -> tuple[Texts, Problems]:
    """Load the texts of a deck of one's own, as :func:`draft_texts` does.

    These are the texts of any set in the folder ``common`` (in English for a language without them), those of
    ``booklets``, the ``given`` ones of the file ``home``, and the deck's own in a file for each language in the folder
    ``words``. These may replace the given ones; no language needs a file. ``defaults`` are the keys of common texts by
    further given keys. Raises InputError if a file can't be read.
    """
    spoken = spoken_language(lang, common)
    texts, problems = draft_texts(spoken, (common, *booklets), reference)
    given = {**{key: texts.words[same] for key, same in defaults.items() if same in texts.words}, **given}
    unread = Problems()

    def read(each: str, wrong: Problems) -> tuple[dict[str, str], Source]:
        file = words / f"{each}.toml"
        return _read(words, each, unread, wrong) if file.is_file() else ({}, Source(file, ""))

    expected, _ = read(reference, Problems())
    own, source = read(lang, problems)
    if unread:
        raise InputError([*unread, *problems])
    wrong = [*islice(_differences({**given, **expected}, {**given, **own}, source, reference), MAX_PROBLEMS)]
    problems.extend(wrong)
    lent = {problem.key for problem in wrong} & set(expected)
    words_of_all = {**texts.words, **given, **own, **{key: expected[key] for key in lent}}
    return replace(texts, lang=lang, common_lang=spoken, words=words_of_all, home=display_path(home),
                   files={**texts.files, **dict.fromkeys(own, source)}, borrowed=texts.borrowed | lent), problems


def find_line(source: Source, key: str) -> int:
    return source.line_of(tuple(key.split(".")))


def _read(folder: Path, lang: str, unread: Problems, problems: Problems,
          model: str = "") -> tuple[dict[str, str], Source]:
    empty = Source(folder / f"{lang}.toml", "")
    if model and not empty.path.exists():
        unread.note(empty.name, "file is missing", f"copy {model}.toml of that folder, and translate it")
        return {}, empty
    try:
        source = read_source(folder, empty.path.name)
        top = Fields(source, parse_toml(source), problems)
    except InputError as error:
        unread.extend(error.problems)
        return {}, empty
    words = dict(flatten_texts(top))
    for key, text in words.items():
        if (fault := find_brace(text)) and len(problems) < MAX_PROBLEMS:
            problems.note(source.name, *fault, line=find_line(source, key), key=key)
    return words, source


def _load_shipped(folder: Path, lang: str, reference: str) -> tuple[dict[str, str], Source] | None:
    """The texts of a shipped file with all texts of the reference: tests have checked them. None for other files."""
    if not folder.is_relative_to(shipped_root()):
        return None
    own, expected = folder / f"{lang}.toml", folder / f"{reference}.toml"
    if not own.is_file() or not expected.is_file():
        return None
    source = Source(own, own.read_text(encoding="utf-8"))
    words, model = _find_words(source.text), _find_words(expected.read_text(encoding="utf-8"))
    return (words, source) if words and model and words.keys() >= model.keys() else None


@lru_cache(maxsize=16)  # the reference is compared with each language
def _find_words(text: str) -> dict[str, str] | None:
    values = find_compiled(text)
    return values and dict(_flatten(values))


def _flatten(values: Mapping[str, Any], before: str = "") -> Iterator[tuple[str, str]]:
    for key, value in values.items():
        if isinstance(value, dict):
            yield from _flatten(value, f"{before}{key}.")
        else:
            yield before + key, value


def _lend_messages(expected: Mapping[str, str], own: Mapping[str, str], folder: Path, lang: str) -> dict[str, str]:
    """Return the messages that a language lacks: ppgen's own, else in English; English itself must have all."""
    missing = [key for key in expected if key not in own and key.partition(".")[0] in SCREEN_ONLY]
    if not missing or lang == FALLBACK:
        return {}
    data = shipped_root() / "data"
    shipped = next(filter(Path.is_dir, (data / folder.parent.name / folder.name, data / folder.name)), folder)
    lent = dict(expected)
    for file in (shipped / f"{FALLBACK}.toml", folder / f"{FALLBACK}.toml", shipped / f"{lang}.toml"):
        if file.is_file():
            lent |= _read(file.parent, file.stem, Problems(), Problems())[0]
    return {key: lent[key] for key in missing}


def flatten_texts(table: Fields) -> Iterator[tuple[str, str]]:
    """Yield each text of a table and the tables in it, with its dotted key."""
    for key in table:
        trail = ".".join(map(str, (*table.trail, key)))
        if table.is_table(key):
            yield from flatten_texts(table.take_table(key))
        else:
            yield trail, table.take_text(key)


def _differences(expected: Mapping[str, str], own: Mapping[str, str], source: Source,
                 reference: str) -> Iterable[Problem]:
    for key in [key for key in expected if key not in own]:
        yield Problem(source.name, "text is missing", f"{reference}: {expected[key]!r}", line=find_line(source, key),
                      key=key)
    for key in [key for key in own if key not in expected]:
        yield Problem(source.name, "is not used", f"take it out, or correct its name: {reference} has no such key",
                      line=find_line(source, key), key=key)
    for key in [key for key in expected if key in own]:
        if fault := compare_placeholders(expected[key], own[key]):
            yield Problem(source.name, fault[0], fault[1], line=find_line(source, key), key=key)


def find_brace(text: str) -> tuple[str, str] | None:
    """The fault of a brace outside a placeholder, and its remedy; None if there is none."""
    rest = _PLACEHOLDER.sub("", text)
    if "{" in rest or "}" in rest:
        return "has a brace that is not a {placeholder}", "write {name}, or leave braces out"
    return None


def compare_placeholders(source: str, translation: str) -> tuple[str, str] | None:
    """The fault of the placeholders of a translation, and its remedy; None if they are those of the source."""
    required, present = (set(_PLACEHOLDER.findall(words)) for words in (source, translation))
    if required == present:
        return None
    known, given = (join_names(f"{{{name}}}" for name in sorted(names)) for names in (required, present))
    return f"has {given or 'no placeholder'}", f"use {known}" if known else "use no placeholder"
