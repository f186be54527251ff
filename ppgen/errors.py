"""Problems in the input, collected with their places and remedies, and the errors that report them.

What is wrong is a :class:`Phrase`: a text of ``[message]`` in ``data/locales`` with its values. As a ``str`` it is
English, which JSON and logs take; the command line puts it into the user's language from the same key and values.
"""

from __future__ import annotations

import errno
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from typing import NamedTuple, Self

from ppgen.records import KW_ONLY, dataclass, field, replace
from ppgen.shipped import parse_toml_text, shipped_root

MESSAGES = "message"  # the table of messages in a locale file
MAX_LISTED = 5  # names of a list of which the first are enough
MAX_OTHERS = 500  # keys of merged problems that are kept


class Phrase(str):
    """A message in English, with the key and the values that its other languages are made from."""

    key: str
    values: Mapping[str, object]

    def __new__(cls, key: str, /, **values: object) -> Phrase:
        phrase = super().__new__(cls, english_messages()[key].format_map(values))
        phrase.key, phrase.values = key, values
        return phrase

    def __str__(self) -> str:
        """Keep key and values where an exception says what it was raised with."""
        return self

    def __reduce__(self) -> tuple[object, ...]:
        return _restore, (self.key, self.values)


def _restore(key: str, values: Mapping[str, object]) -> Phrase:
    return Phrase(key, **values)


@cache
def english_messages() -> Mapping[str, str]:
    """The English texts of messages, by key. Call it before a process gives up its rights to read files."""
    file = shipped_root() / "data" / "locales" / "en.toml"
    table: Mapping[str, str] = parse_toml_text(file.read_text(encoding="utf-8"))[MESSAGES]
    return table


@dataclass(frozen=True, slots=True)
class Problem:
    """One problem; ``others`` are keys of other places with it and of the face on which it was found."""

    place: str  # the file or option: `cards.csv`
    what: str
    remedy: str = ""  # the way to fix it
    _: KW_ONLY
    line: int = 0  # from 1; 0 if unknown
    key: str = ""  # the field, template or component
    more: int = 0  # number of other places with the same problem
    others: tuple[str, ...] = field(default=(), compare=False, repr=False)

    def __str__(self) -> str:
        what, remedy = map(to_one_line, (self.what, self.remedy))
        return f"{self.where}: {what}" + (f" ({remedy})" if remedy else "")

    @property
    def where(self) -> str:
        """File, line and key, and the number of other places."""
        place, key = map(to_one_line, (self.place, self.key))
        place = f"{place}:{self.line}" if self.line else place
        where = f"{place} {key}" if key else place
        return where + (f" and {self.more} more" if self.more else "")


_CONTROL_CHARACTERS = "[\x00-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ud800-\udfff]"
_MAX_LENGTH = 2_000


def to_one_line(words: str) -> str:
    """Make untrusted text safe to print on a terminal: one line, shortened, control characters escaped."""
    words = words if len(words) <= _MAX_LENGTH else words[:_MAX_LENGTH] + "…"
    return re.sub(_CONTROL_CHARACTERS, lambda match: match[0].encode("unicode_escape").decode(), words)


class Spot(NamedTuple):
    """Position of a value: file, line (0: none) and key, cell or form field."""

    place: str
    line: int = 0
    key: str = ""

    def problem(self, what: str, remedy: str = "") -> Problem:
        return Problem(self.place, what, remedy, line=self.line, key=self.key)


@dataclass(frozen=True, slots=True, kw_only=True)
class BadText(Problem):
    """A text that can't be set: its ``words``, and the ``share`` of it (0 to 1) that does not fit its box."""

    words: str
    share: float

    @classmethod
    def of(cls, problem: Problem, words: str, share: float) -> BadText:
        return cls(problem.place, problem.what, problem.remedy, line=problem.line, key=problem.key, words=words,
                   share=share)


class InputError(Exception):
    """The input is wrong; holds every problem (at least one)."""

    exit_code = 1

    def __init__(self, problems: Iterable[Problem]) -> None:
        self.problems = tuple(dict.fromkeys(problems))
        if not self.problems:
            raise ValueError("an InputError needs at least one problem")
        super().__init__("\n".join(map(str, self.problems)))

    @classmethod
    def at(cls, place: str, what: str, remedy: str = "", *, line: int = 0, key: str = "") -> Self:
        """The error of a single problem."""
        return cls([Problem(place, what, remedy, line=line, key=key)])


class RequestError(InputError):
    """The command line asks for something that does not exist."""

    exit_code = 2


class NothingToDoError(InputError):
    """Everything is done already: not a failure."""

    exit_code = 0


class Problems(list[Problem]):
    """A list of problems that grows while reading goes on."""

    def note(self, place: str, what: str, remedy: str = "", *, line: int = 0, key: str = "") -> None:
        self.append(Problem(place, what, remedy, line=line, key=key))

    @contextmanager
    def collect_errors(self) -> Iterator[None]:
        """Collect the problems of an :class:`InputError` raised inside and go on; the two special ones pass."""
        try:
            yield
        except (RequestError, NothingToDoError):
            raise
        except InputError as error:
            self.extend(error.problems)

    def raise_if_any(self) -> None:
        """Raise :class:`InputError` with all problems noted so far, if any."""
        if self:
            raise InputError(self)


def merge_problems(problems: Iterable[Problem]) -> tuple[Problem, ...]:
    """Merge repeated problems: of those that differ in a face's key alone, the first counts the others."""
    return _merge_by(problems, lambda problem: replace(
        problem, key="[]" if problem.key.startswith("[") else problem.key, more=0))


def merge_files(problems: Iterable[Problem]) -> tuple[Problem, ...]:
    """Merge problems that differ only in the file and line; the first remains and counts the others."""
    return _merge_by(problems, lambda problem: replace(problem, place="", line=0, more=0))


def _merge_by(problems: Iterable[Problem], cause: Callable[[Problem], Problem]) -> tuple[Problem, ...]:
    merged: dict[Problem, Problem] = {}
    for problem in problems:
        same = cause(problem)
        if first := merged.get(same):
            merged[same] = replace(first, more=first.more + problem.more + 1,
                                   others=(*first.others, problem.key)[:MAX_OTHERS])
        else:
            merged[same] = problem
    return tuple(merged.values())


def suggest(word: str, known: Iterable[str], remedy: str) -> str:
    """Return a remedy after the known word closest to a mistyped one, ``did you mean this? …``, if one is close."""
    from difflib import get_close_matches  # only after a mistake

    near = get_close_matches(word, known, n=1)
    return Phrase("did_you_mean", name=near[0], message=remedy) if near else remedy


def is_network_path(path: str) -> bool:
    """True if a path names another computer, as ``//server/share`` does on Windows."""
    return path[:2].replace("\\", "/") == "//"


def find_shortage(error: BaseException) -> str:
    """Return the key of the message for what the system has too little of, memory or open files; empty if not that."""
    number = getattr(error, "errno", None)
    if number in (errno.EMFILE, errno.ENFILE):
        return "many_files"
    is_unmapped = isinstance(error, ImportError) and re.search("map segment|allocate memory", str(error))
    is_short = is_unmapped or isinstance(error, MemoryError) or number in (errno.ENOMEM, errno.EAGAIN)
    return "no_memory" if is_short else ""


def display_path(path: Path) -> str:
    """A path as users type it, relative if below the working folder; one on another computer is not asked for."""
    if is_network_path(str(path)):
        return str(path)
    for expand in (Path.absolute, Path.resolve):  # a link under its own name if that lies below
        try:
            return expand(path).relative_to(Path.cwd()).as_posix()
        except (ValueError, OSError, RuntimeError):  # not below it, or a circular link
            continue
    return str(path)


def join_names(words: Iterable[str]) -> str:
    """Format a list for messages: ``a, b, c``; names that are empty or invalid, and so empty, are left out."""
    return ", ".join(filter(None, words))


def shorten(names: Sequence[str]) -> str:
    """Format a list of which the first names are enough: ``a, b, c, d, e, … (+4)``."""
    more = len(names) - MAX_LISTED
    return join_names(names[:MAX_LISTED]) + (f", … (+{more})" if more > 0 else "")


def format_count(number: int, word: str) -> str:
    """Format a number with an English noun of regular plural: ``1 sheet``, ``2 sheets``."""
    return f"{number} {word}{'' if number == 1 else 's'}"
