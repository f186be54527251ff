"""Turns texts that don't fit, or that nobody has translated yet, into what a translator can act on."""

from __future__ import annotations

import re
from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from math import ceil

from ppgen.errors import BadText, Problem, listed
from ppgen.reading.texts import Texts

_PLACEHOLDER = re.compile(r"\{\w+\}")
_WORD = re.compile(r"\w{2,}")
SHOWN = 8
"""So many keys are named in a line."""
NAME = 3
"""A text of so many words at most may be a name, which many languages share."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Translation:
    """How far a language is: of ``texts`` that have words, so many are ``lacking``, and the ``same`` are still those
    of the language ``source``.
    """

    texts: int
    lacking: int = 0
    source: str = ""
    same: tuple[str, ...] = ()

    @property
    def done(self) -> int:
        return self.texts - self.lacking - len(self.same)


def translation(texts: Texts, others: Sequence[Texts]) -> Translation:
    """Hold a language against others, one of which its files may have been copied from.

    The source is the language with which it shares most phrases (two words or more). Without one, single words that
    are alike are taken for a kinship of languages (Danish *Ungarn*); beside one, they count as well. What two other
    languages share too (*Franken*, *Anna*) is a name and never counts.
    """
    counts = {key: sum(map(str.isalpha, _WORD.findall(_PLACEHOLDER.sub("", words))))
              for key, words in texts.words.items()}

    def alike(key: str, other: Texts) -> bool:
        return key not in other.lent and other.words.get(key) == texts.words[key]

    own = [key for key, count in counts.items() if count and key not in texts.lent]
    names = {key for key in own if counts[key] <= NAME and sum(alike(key, other) for other in others) > 1}
    shared = {other.lang: [key for key in own if key not in names and alike(key, other)] for other in others}
    phrases = {lang: sum(counts[key] > 1 for key in keys) for lang, keys in shared.items()}
    source = max(phrases, key=lambda lang: phrases[lang], default="")
    found = Translation(texts=sum(map(bool, counts.values())), lacking=sum(bool(counts[key]) for key in texts.lent))
    return replace(found, source=source, same=tuple(shared[source])) if phrases.get(source) else found


def untranslated(texts: Texts, found: Translation) -> Iterable[Problem]:
    """A line for each file that holds texts of another language."""
    for file in dict.fromkeys(texts.files[key] for key in found.same):
        keys = [key for key in found.same if texts.files[key] == file]
        more = f" and {len(keys) - SHOWN} more" if len(keys) > SHOWN else ""
        many = "text is still that" if len(keys) == 1 else "texts are still those"
        yield replace(texts.problem(keys[0], f"{len(keys)} {many} of {found.source}",
                                    f"translate {listed(keys[:SHOWN])}{more}"), key="")


def where_written(problems: Iterable[Problem], texts: Texts, asked: Container[str], unprinted: Container[str],
                  piece: str) -> Iterator[Problem]:
    """The problems of a face, those of its texts shown where these are written rather than where they are drawn.

    ``asked`` are the keys that the face asked for itself, ``unprinted`` the tables that none does; ``piece`` is what
    was drawn. Texts that stand in no locale file are shown as they are; lent ones aren't at all.
    """
    said = {key: {_plain(words) for words in ways} for key, ways in texts.asked.items()
            if key.partition(".")[0] not in unprinted} if problems else {}
    for problem in problems:
        if not isinstance(problem, BadText):
            yield problem
        elif not problem.key.startswith("["):  # it is shown where it was written already
            yield replace(problem, what=f"{problem.what} on {piece}")
        elif not (keys := _keys(_plain(problem.words), said, asked)):
            yield problem
        elif keys[0] not in texts.lent:
            place = f"{problem.place}:{problem.line}"
            remedy = f"shorten it by {ceil(100 * problem.share)} %, or give it more room in {place}"
            found = texts.problem(keys[0], f"{problem.what} on {piece}", remedy if problem.share else problem.remedy)
            yield BadText.of(replace(found, key=listed(keys)), problem.words, problem.share)


def _keys(shown: str, said: Mapping[str, Iterable[str]], asked: Container[str]) -> list[str]:
    """The keys of the text that is shown, or of the one that is most like it among those that the face asked for."""
    whole = [key for key, ways in said.items() if shown in ways]
    likeness = {key: max((_likeness(shown, words) for words in ways), default=0.0)
                for key, ways in said.items() if key in asked}
    most = max(likeness.values(), default=0.0)
    return ([key for key in whole if key in asked] or whole
            or [key for key, value in likeness.items() if value == most > 0])


def written_in(words: str, texts: Texts, part: str) -> list[str]:
    """The keys of the texts in whose files ``part`` stands and that ``words`` come from, or else of all of these."""
    shown = _plain(words)
    holding = {key: map(_plain, said) for key, said in texts.asked.items() if part in texts.words.get(key, "")}
    return [key for key, ways in holding.items() if any(shown in way or way in shown for way in ways)] or [*holding]


def once_each(problems: Iterable[Problem]) -> Iterator[Problem]:
    """Each text that can't be set once: where it has the least room."""
    worst: dict[object, Problem] = {}
    for problem in problems:
        name: object = problem
        if isinstance(problem, BadText):
            drawn = problem.key.startswith("[")
            name = problem.place, problem.line, problem.words if drawn else problem.key, problem.share > 0
            before = worst.get(name, problem)
            if isinstance(before, BadText) and before.share > problem.share - 0.005:  # the first of those alike
                problem = before
        worst[name] = problem
    yield from worst.values()


def _plain(words: str) -> str:
    """What is left of words whose lines a template breaks, and whose letters it may set as capitals."""
    return "".join(words.split()).casefold()


def _likeness(one: str, other: str) -> float:
    """How much of the longer the shorter is, if it is a part of it."""
    short, long = sorted((one, other), key=len)
    return len(short) / len(long) if short and short in long else 0.0
