"""Problems of texts as translators can act on them: untranslated texts, and texts that don't fit."""

from __future__ import annotations

import re
from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from math import ceil

from ppgen.errors import BadText, Problem, join_names
from ppgen.reading.texts import Texts

_PLACEHOLDER = re.compile(r"\{\w+\}")
_WORD = re.compile(r"\w{2,}")
MAX_LISTED_KEYS = 8  # keys listed in a warning
MAX_NAME_WORDS = 3  # longer texts are not taken for names, which many languages share


@dataclass(frozen=True, slots=True, kw_only=True)
class Translation:
    """Progress of a language: keys of texts with words, ``lacking`` ones, those the ``same`` as in ``source``."""

    keys: tuple[str, ...]
    lacking: tuple[str, ...] = ()
    source: str = ""
    same: tuple[str, ...] = ()

    @property
    def texts(self) -> int:
        return len(self.keys)

    @property
    def done(self) -> int:
        return self.texts - len(self.lacking) - len(self.same)

    def part(self, tables: Container[str]) -> Translation:
        """Return the progress of the texts in these tables."""
        def inside(keys: Iterable[str]) -> tuple[str, ...]:
            return tuple(key for key in keys if key.partition(".")[0] in tables)

        return replace(self, keys=inside(self.keys), lacking=inside(self.lacking), same=inside(self.same))


def check_translation(texts: Texts, others: Sequence[Texts], keys: Container[str] | None = None) -> Translation:
    """Compare a language with the others, one of which its files may have been copied from; all texts, or only some.

    The source is the language with which it shares most phrases (two words or more). If there is none, equal single
    words are due to related languages (Danish *Ungarn*); if there is one, they count as well. Texts that two other
    languages have in common with it (*Franken*, *Anna*) are names and never count.
    """
    counts = {key: sum(map(str.isalpha, _WORD.findall(_PLACEHOLDER.sub("", words))))
              for key, words in texts.words.items() if keys is None or key in keys}

    def alike(key: str, other: Texts) -> bool:
        return key not in other.borrowed and other.words.get(key) == texts.words[key]

    own = [key for key, count in counts.items() if count and key not in texts.borrowed]
    names = {key for key in own if counts[key] <= MAX_NAME_WORDS and sum(alike(key, other) for other in others) > 1}
    shared = {other.lang: [key for key in own if key not in names and alike(key, other)] for other in others}
    phrases = {lang: sum(counts[key] > 1 for key in keys) for lang, keys in shared.items()}
    source = max(phrases, key=lambda lang: phrases[lang], default="")
    progress = Translation(keys=tuple(key for key, count in counts.items() if count),
                           lacking=tuple(key for key, count in counts.items() if count and key in texts.borrowed))
    return replace(progress, source=source, same=tuple(shared[source])) if phrases.get(source) else progress


def find_untranslated(texts: Texts, translation: Translation) -> Iterator[Problem]:
    """Yield a problem for each file with texts of another language."""
    for file in dict.fromkeys(texts.files[key] for key in translation.same):
        keys = [key for key in translation.same if texts.files[key] == file]
        more = f" and {len(keys) - MAX_LISTED_KEYS} more" if len(keys) > MAX_LISTED_KEYS else ""
        many = "text is still that" if len(keys) == 1 else "texts are still those"
        yield replace(texts.problem(keys[0], f"{len(keys)} {many} of {translation.source}",
                                    f"translate {join_names(keys[:MAX_LISTED_KEYS])}{more}"), key="")


def locate_texts(problems: Iterable[Problem], texts: Texts, own_keys: Container[str], unprinted: Container[str],
                 piece: str) -> Iterator[Problem]:
    """Yield the problems of a face, with those of its texts moved to the locale files that the texts come from.

    ``own_keys`` are the keys that the face looked up itself, ``unprinted`` the tables that faces never use; ``piece``
    is what was drawn. Problems of texts from elsewhere stay as they are, those of lent texts are dropped.
    """
    printed = {key: {_normalize(words) for words in variants} for key, variants in texts.used.items()
               if key.partition(".")[0] not in unprinted} if problems else {}
    for problem in problems:
        if not isinstance(problem, BadText):
            yield problem
        elif not problem.key.startswith("["):  # its key is that of the text already
            yield replace(problem, what=f"{problem.what} on {piece}")
        elif not (keys := _matching_keys(_normalize(problem.words), printed, own_keys)):
            yield problem
        elif keys[0] not in texts.borrowed:
            place = f"{problem.place}:{problem.line}"
            remedy = f"shorten it by {ceil(100 * problem.share)} %, or give it more room in {place}"
            located = texts.problem(keys[0], f"{problem.what} on {piece}", remedy if problem.share else problem.remedy)
            yield BadText.of(replace(located, key=join_names(keys)), problem.words, problem.share)


def _matching_keys(words: str, printed: Mapping[str, Iterable[str]], own_keys: Container[str]) -> list[str]:
    """Return the keys of a text, or else of the most similar one among those that the face looked up."""
    exact = [key for key, variants in printed.items() if words in variants]
    similarity = {key: max((_similarity(words, variant) for variant in variants), default=0.0)
                  for key, variants in printed.items() if key in own_keys}
    best = max(similarity.values(), default=0.0)
    return ([key for key in exact if key in own_keys] or exact
            or [key for key, value in similarity.items() if value == best > 0])


def texts_in(words: str, texts: Texts, part: str) -> list[str]:
    """The keys of texts that ``words`` come from, of those with ``part`` in their files; else all of these."""
    words = _normalize(words)
    holding = {key: map(_normalize, uses) for key, uses in texts.used.items() if part in texts.words.get(key, "")}
    return [key for key, uses in holding.items() if any(words in use or use in words for use in uses)] or [*holding]


def merge_repeats(problems: Iterable[Problem]) -> Iterator[Problem]:
    """Yield each text that can't be set once: where it has the least room. Other problems pass."""
    worst: dict[object, Problem] = {}
    for problem in problems:
        name: object = problem
        if isinstance(problem, BadText):
            drawn = problem.key.startswith("[")
            name = problem.place, problem.line, problem.words if drawn else problem.key, problem.share > 0
            previous = worst.get(name, problem)
            if isinstance(previous, BadText) and previous.share > problem.share - 0.005:  # the first of equal ones
                problem = previous
        worst[name] = problem
    yield from worst.values()


def _normalize(words: str) -> str:
    """Remove the effects of templates: line breaks and capitals."""
    return "".join(words.split()).casefold()


def _similarity(one: str, other: str) -> float:
    """Return the length of the shorter as a share of the longer, if it is a part of it."""
    short, long = sorted((one, other), key=len)
    return len(short) / len(long) if short and short in long else 0.0
