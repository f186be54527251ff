"""Numbers with the text of their cells, and number formats of XLSX: numbers and dates as a workbook shows them."""

from __future__ import annotations

import re
from datetime import datetime, timedelta
from fractions import Fraction
from typing import Self

BUILT_IN = {9: "0%", 10: "0.00%", 12: "# ?/?", 13: "# ??/??", 14: "yyyy-mm-dd", 15: "d-mmm-yy", 16: "d-mmm",
            17: "mmm-yy", 18: "h:mm AM/PM", 19: "h:mm:ss AM/PM", 20: "h:mm", 21: "h:mm:ss", 22: "yyyy-mm-dd h:mm",
            45: "mm:ss", 46: "[h]:mm:ss", 47: "mm:ss", **dict.fromkeys((*range(27, 32), *range(50, 59)), "yyyy-mm-dd")}
"""Formats by number (ECMA-376, 18.8.30) that show more than a number. What a language may change is as here."""
_MONTHS = "January February March April May June July August September October November December".split()
_TOKEN = re.compile(r'"([^"]*)"|\\(.)|_.|\*.|\[\$([^]-]*)(?:-[^]]*)?\]|\[(?!hh?\])[^]]*\]|(?<=s)\.0+',
                    re.IGNORECASE)
_DIGITS = re.compile(r"(?P<whole>[#0?][#0?,]*)(?:\.(?P<part>[#0?]+))?")
_FRACTION = re.compile(r"(?:(#)\s*)?\?+/(\?+|[0-9]+)")
_PLAIN = re.compile(r"-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?")
EPOCH = datetime(1899, 12, 30)
_DATE = re.compile(r"\[hh?\]|yyyy|yy|m{1,4}|d{1,2}|h{1,2}|n{1,2}|s{1,2}|am/pm", re.IGNORECASE)


class Written:
    """A number that prints as its cell writes it: ``+1``, ``1.50``. Computing with it gives a plain number."""

    text: str

    def __str__(self) -> str:
        return self.text


class WrittenInt(Written, int):
    """A whole number with its text."""

    def __new__(cls, value: int, text: str = "") -> Self:
        self = super().__new__(cls, value)
        self.text = text
        return self


class WrittenFloat(Written, float):
    """A number with decimals and its text."""

    def __new__(cls, value: float, text: str = "") -> Self:
        self = super().__new__(cls, value)
        self.text = text
        return self


def write_as(value: float, text: str) -> int | float:
    """Return the number, an integer if it is whole, with the text of its cell if it would print in another way."""
    number = int(value) if float(value).is_integer() else value
    if str(number) == text:
        return number
    return WrittenInt(number, text) if isinstance(number, int) else WrittenFloat(number, text)


def plain_number(value: object) -> object:
    """Return a number without the text of its cell; any other value as it is."""
    return int(value) if isinstance(value, WrittenInt) else float(value) if isinstance(value, WrittenFloat) else value


def is_plain(shown: str, value: float) -> bool:
    """True if a cell shows its number and nothing else, whichever signs part its digits."""
    digits = re.sub(r"[\s'’]", "", shown)
    return any(_PLAIN.fullmatch(words) and float(words) == value
               for words in (digits.replace(",", ""), digits.replace(".", "").replace(",", ".")))


def format_number(value: float, code: str, epoch: datetime = EPOCH) -> str | None:
    """Write a number or date as its format does, a whole date in figures as 2026-03-01; None for the number itself."""
    if code == "General":
        return _format_general(value)
    literals: list[str] = []

    def keep(match: re.Match[str]) -> str:
        literals.append(match[1] or match[2] or match[3] or "")
        return chr(0xE000 + len(literals) - 1)

    sections = _TOKEN.sub(keep, code).split(";")
    section = sections[1] if value < 0 and len(sections) > 1 else sections[0]
    sign = "-" if value < 0 and len(sections) == 1 else ""
    number = abs(value)
    if "general" in section.lower() or "@" in section:
        return _format_general(value)
    if _DATE.search(section) and not _DIGITS.search(section):
        shown = _format_date(value, section, epoch)
    elif fraction := _FRACTION.search(section):
        limit = int(fraction[2]) if fraction[2].isdigit() else 10 ** len(fraction[2]) - 1
        whole, rest = divmod(Fraction(number).limit_denominator(limit), 1) if fraction[1] else (0, Fraction(number))
        rest = rest.limit_denominator(limit)
        words = " ".join(str(part) for part in (whole, rest) if part) or "0"
        shown = section[:fraction.start()] + sign + words + section[fraction.end():]
    elif digits := _DIGITS.search(section):
        places, least = len(digits["part"] or ""), (digits["part"] or "").count("0")
        words = f"{number * (100 if '%' in section else 1):{',' if ',' in digits['whole'] else ''}.{places}f}"
        if places > least:
            words = words[:len(words) - places + least] + words[len(words) - places + least:].rstrip("0")
        words = words.rstrip(".").rjust(digits["whole"].count("0"), "0")
        shown = section[:digits.start()] + sign + words + section[digits.end():]
    else:
        return None
    shown = re.sub("[\ue000-\uf8ff]", lambda match: literals[ord(match[0]) - 0xE000], shown).strip()
    return shown or None


def _format_general(value: float) -> str | None:
    """Write a number with at most eleven signs, as spreadsheets do without a format; None for large and tiny ones."""
    if not 1e-4 <= abs(value) < 1e11 or float(value).is_integer():
        return None
    return f"{value:.{10 - len(str(int(abs(value))))}f}".rstrip("0").rstrip(".")


def _format_date(value: float, section: str, epoch: datetime) -> str:
    section = re.sub(r"(?i)(?:(?<=h:)|(?<=h\]:))m{1,2}|m{1,2}(?=:s)", "nn", section)
    tokens = {token.lower() for token in _DATE.findall(section)}
    date = epoch + timedelta(seconds=round(value * 86_400))
    if {token[0] for token in tokens} >= {"y", "m", "d"} and not tokens & {"mmm", "mmmm"}:
        return f"{date:%Y-%m-%d %H:%M}".removesuffix(" 00:00")
    hour = str((date.hour + 11) % 12 + 1 if "am/pm" in tokens else date.hour)
    elapsed = str((date - epoch) // timedelta(hours=1))
    names = {"yyyy": f"{date:%Y}", "yy": f"{date:%y}", "mmmm": _MONTHS[date.month - 1],
             "mmm": _MONTHS[date.month - 1][:3], "mm": f"{date:%m}", "m": str(date.month), "dd": f"{date:%d}",
             "d": str(date.day), "hh": hour.zfill(2), "h": hour, "[h]": elapsed, "[hh]": elapsed.zfill(2),
             "nn": f"{date:%M}", "ss": f"{date:%S}", "s": str(date.second), "am/pm": "AM" if date.hour < 12 else "PM"}
    return _DATE.sub(lambda match: names.get(match[0].lower(), match[0]), section)
