"""Checks what the tallies of any game hold; all that is wrong is noted where it stands."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Iterable, Iterator, Sequence

from ppgen.errors import Problem, Problems, listed
from ppgen.play.counts import NoCount, parse_count
from ppgen.play.names import Names
from ppgen.play.raw import RawGame, TypedTotal
from ppgen.play.sheet import LONGEST_NAME
from ppgen.reading.fields import Trail, shown_value
from ppgen.reading.limits import UNSEEN


class Checker:
    """Checks values of a raw game; ``problems`` are those of its reader and all that are noted since."""

    def __init__(self, raw: RawGame, names: Names) -> None:
        self.raw, self.names = raw, names
        self.problems = Problems(raw.problems)

    def say(self, key: str, **values: object) -> str:
        return self.names.say(key, **values)

    def note(self, trail: Trail, what: str, remedy: str = "") -> None:
        self.problems.append(self.raw.where(trail).problem(what, remedy))

    def note_unknown(self, at: Trail, table: Iterable[str], known: Iterable[str]) -> None:
        """Note the keys of a table that are none."""
        for key in table:
            if key not in known:
                self.note((*at, key), self.say("wrong.unknown"),
                          self.names.did_you_mean(key, known) or self.say("wrong.one_of", words=listed(known)))

    def game(self, name: str) -> None:
        """Note tallies of another game than the one of that name."""
        if (given := self.raw.document.get("game")) not in (None, name):
            self.note(("game",), self.say("wrong.game", game=given), name)

    def text(self, key: str) -> str:
        """The date or the place, which may be left out."""
        value = self.raw.document.get(key)
        text = "" if value is None else " ".join(str(value).split())  # TOML has dates of its own
        if len(text) > LONGEST_NAME or isinstance(value, dict | list | bool) or not text.isprintable():
            self.note((key,), self.say("wrong.text", number=LONGEST_NAME))
            return ""
        return text

    def players(self, given: Sequence[object], least: int, most: int, at: Callable[[int], Trail]) -> list[str]:
        """The names of the players, each with one in the end; ``at`` is where each stands."""
        if not least <= len(given) <= most:
            self.note(("players",), *wrong_number(len(given), least, most, self.say))
        names: list[str] = []
        for number, name in enumerate(given[:2 * most]):  # enough to see what is wrong
            if isinstance(name, str):
                names.append(name.strip())
            else:
                self.note(at(number), self.say("wrong.name_text", name=shown_value(name)),
                          self.say("wrong.name_quotes"))
                names.append(self._nobody(number))
        for number, what in check_names(names, self.say):
            self.note(at(number), what, self.say("wrong.name_own"))
        return [name or self._nobody(number) for number, name in enumerate(names)]

    def _nobody(self, number: int) -> str:
        return self.say("template.player", n=number + 1)

    def count(self, at: Trail, value: object, told: Callable[[str], str]) -> int:
        """The count that stands there; ``told`` says whose it is, of what is wrong with it."""
        try:
            return parse_count(value)
        except NoCount as error:
            what = self.say(f"wrong.{error.reason}", text=error.text)
            self.note(at, told(what), self.say("wrong.sum_quoted" if self.raw.quoted else "wrong.sum"))
            return 0


def check_names(names: Sequence[str], say: Callable[..., str]) -> Iterator[tuple[int, str]]:
    """The players whose names won't do, by number from 0, each with the reason."""
    seen: dict[str, str] = {}
    for number, name in enumerate(names):
        plain = "".join(filter(_is_seen, unicodedata.normalize("NFKC", " ".join(name.split())).casefold()))
        if not plain:
            yield number, say("wrong.name_empty")
        elif UNSEEN.search(name) or any(unicodedata.category(each) == "Cc" for each in name):
            yield number, say("wrong.name_control")
        elif len(name) > LONGEST_NAME:
            yield number, say("wrong.name_long", number=LONGEST_NAME)
        elif plain in seen:
            yield number, say("wrong.name_twice", name=name)
        seen.setdefault(plain, name)


def wrong_number(players: int, least: int, most: int, say: Callable[..., str]) -> tuple[str, str]:
    """What is wrong with so many players, and how many there should be."""
    return say("wrong.players_count", count=players), say("wrong.players_range", least=least, most=most)


def wrong_totals(raw: RawGame, points: Callable[[TypedTotal], int], say: Callable[..., str]) -> Iterator[Problem]:
    """The points that were typed in differently from what the counts make."""
    for typed in raw.totals:
        right = points(typed)
        text = typed.text.replace("−", "-").replace(" ", "")
        if not re.fullmatch(r"[+-]?\d{1,5}([.,]0+)?", text, re.ASCII) or int(re.split("[.,]", text)[0]) != right:
            yield typed.spot.problem(say("wrong.points", text=typed.text[:20], points=right),
                                     say("wrong.points_taken", points=right))


def letters_of(names: Sequence[str]) -> tuple[str, ...]:
    """A letter for each player: the first ones of their names where those differ, else A, B, C … by seat."""
    first = tuple(unicodedata.normalize("NFKC", name).strip()[:1].upper() for name in names)
    usable = len(set(first)) == len(first) and all(len(letter) == 1 and letter.isalpha() for letter in first)
    return first if usable else tuple("ABCDEFGHIJ"[:len(names)])


def _is_seen(character: str) -> bool:
    """Whether it shows: not what only joins or parts others (Unicode's format characters)."""
    return unicodedata.category(character) != "Cf"
