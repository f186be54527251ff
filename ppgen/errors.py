"""What is wrong with the input: problems gathered together, each with its place and its remedy."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import NamedTuple


@dataclass(frozen=True, slots=True, kw_only=True)
class Problem:
    """One thing that is wrong, in plain words.

    ``place`` is the file or option (``cards.csv``), ``line`` counts from 1 (0: no line is known),
    ``key`` the field, template or component meant, ``remedy`` what the reader can do about it; ``more`` tells
    in how many other places the same is wrong.
    """

    place: str
    line: int = 0
    key: str = ""
    what: str
    remedy: str = ""
    more: int = 0

    def __str__(self) -> str:
        place, key, what, remedy = map(on_one_line, (self.place, self.key, self.what, self.remedy))
        place = f"{place}:{self.line}" if self.line else place
        where = f"{place} {key}" if key else place
        where += f" and {self.more} more" if self.more else ""
        return f"{where}: {what}" + (f" ({remedy})" if remedy else "")


_UNSEEN = re.compile("[\x00-\x1f\x7f-\x9f\u2028-\u202e\u2066-\u2069\ud800-\udfff]")
_LONGEST = 2_000


def on_one_line(words: str) -> str:
    """Words of strangers as a terminal may print them: on one line, not endless, without characters that steer it."""
    words = words if len(words) <= _LONGEST else words[:_LONGEST] + "…"
    return _UNSEEN.sub(lambda unseen: unseen[0].encode("unicode_escape").decode(), words)


class Spot(NamedTuple):
    """Where a value stands: file, line (0: none) and the key, cell or form field."""

    place: str
    line: int = 0
    key: str = ""

    def problem(self, what: str, remedy: str = "") -> Problem:
        return Problem(place=self.place, line=self.line, key=self.key, what=what, remedy=remedy)


@dataclass(frozen=True, slots=True, kw_only=True)
class BadText(Problem):
    """A text that can't be set: its ``words``, and the ``share`` of it (0 to 1) that is too much for its box."""

    words: str
    share: float

    @classmethod
    def of(cls, problem: Problem, words: str, share: float) -> BadText:
        return cls(place=problem.place, line=problem.line, key=problem.key, what=problem.what, remedy=problem.remedy,
                   words=words, share=share)


class InputError(Exception):
    """The input is wrong; carries every problem found (at least one)."""

    exit_code = 1

    def __init__(self, problems: Iterable[Problem]) -> None:
        self.problems = tuple(dict.fromkeys(problems))
        if not self.problems:
            raise ValueError("an InputError needs at least one problem")
        super().__init__("\n".join(map(str, self.problems)))


class RequestError(InputError):
    """What was asked for on the command line does not exist."""

    exit_code = 2


class Problems(list[Problem]):
    """A list that problems are noted in while reading goes on."""

    def note(self, place: str, what: str, remedy: str = "", *, line: int = 0, key: str = "") -> None:
        self.append(Problem(place=place, line=line, key=key, what=what, remedy=remedy))

    @contextmanager
    def gathering(self) -> Iterator[None]:
        """Notes what is wrong with the input inside, and goes on behind; a :class:`RequestError` ends everything."""
        try:
            yield
        except RequestError:
            raise
        except InputError as error:
            self.extend(error.problems)

    def raise_if_any(self) -> None:
        """Raise :class:`InputError` with everything noted so far, if anything was."""
        if self:
            raise InputError(self)


def merged(problems: Iterable[Problem]) -> tuple[Problem, ...]:
    """One problem for each mistake: a slip in a template shows on every face that it draws.

    Keys in brackets name a face; problems that differ in such a key only become the first of them.
    """
    alike: dict[Problem, Problem] = {}
    for problem in problems:
        mistake = replace(problem, key="[]" if problem.key.startswith("[") else problem.key, more=0)
        first = alike.get(mistake)
        alike[mistake] = replace(first, more=first.more + problem.more + 1) if first else problem
    return tuple(alike.values())


def shown_path(path: Path) -> str:
    """The path as people typed or would type it: relative to the working folder where it lies below."""
    for way in (Path.absolute, Path.resolve):  # a link under its own name, if that lies below
        try:
            return way(path).relative_to(Path.cwd()).as_posix()
        except (ValueError, OSError, RuntimeError):  # not below it, or a link that leads in a circle
            continue
    return str(path)


def listed(words: Iterable[str]) -> str:
    """``a, b, c`` for the remedies that name what is known."""
    return ", ".join(words)


def counted(number: int, word: str) -> str:
    """``1 sheet``, ``2 sheets``: English words with a usual plural."""
    return f"{number} {word}{'' if number == 1 else 's'}"
