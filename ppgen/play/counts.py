"""Turns what stands in a box of the score sheet into a count: ``5``, ``"3+2"``, ``"5,0"`` as spreadsheets save it."""

from __future__ import annotations

import re
import unicodedata
from typing import Literal

from ppgen.reading.fields import shown_value

LARGEST = 9999
"""No deck comes near it; a larger number is a slip of the keyboard."""
LONGEST = 40
"""Characters of a value that a message quotes."""

_TERM = r"\d{1,100}+(?:[.,]0{1,2})?"
_SUM = re.compile(rf"=?\s*({_TERM}(?:\s*\+\s*{_TERM})*)", re.ASCII)
_NEGATIVE = re.compile(r"\s*[-−–]\s*\d+([.,]\d+)?\s*", re.ASCII)
_FRACTION = re.compile(r"[\d+\s]*+[.,]\d[\d+\s]*+", re.ASCII)


Reason = Literal["negative", "fraction", "large", "number"]


class NoCount(ValueError):
    """What stands there is no count: ``reason`` says why, ``text`` is the value as people would write it."""

    def __init__(self, reason: Reason, text: str) -> None:
        super().__init__(reason, text)
        self.reason, self.text = reason, text


def parse_count(value: object) -> int:
    """The count that a value means; nothing at all means 0.

    Raises NoCount for what is negative, fractional, too large or no number. A decimal mark is
    taken only before zeros (``5,0``): ``5,000`` may be five or five thousand, so nobody guesses.
    """
    if value is None:
        return 0
    if isinstance(value, str):
        return _parse_text(value)
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise NoCount("number", shown_value(value, LONGEST))
    if value < 0:
        raise NoCount("negative", shown_value(value, LONGEST))
    if value != value or value > LARGEST:
        raise NoCount("large", f"{value:g}") if value == value else NoCount("number", "nan")
    if value != int(value):
        raise NoCount("fraction", str(value))
    return int(value)


def count_so_far(text: str) -> int:
    """The count in a cell that is being filled in: an unfinished sum is what stands there, nonsense nothing."""
    try:
        return parse_count(text.strip("+"))
    except NoCount:
        return 0


def _parse_text(text: str) -> int:
    plain = unicodedata.normalize("NFKC", text).strip()  # full-width digits count as their own
    if not plain:
        return 0
    if match := _SUM.fullmatch(plain):
        total = sum(int(re.split("[.,]", term)[0]) for term in match[1].split("+"))
        if total > LARGEST:
            raise NoCount("large", shown_value(total, LONGEST))
        return total
    if _NEGATIVE.fullmatch(plain):
        raise NoCount("negative", shown_value(text, LONGEST))
    if _FRACTION.fullmatch(plain):
        raise NoCount("fraction", shown_value(text, LONGEST))
    raise NoCount("number", shown_value(text, LONGEST))
