"""What a sheet of an XLSX workbook shows beside the values of its cells: formats, emphasis, what is hidden or drawn."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from fractions import Fraction
from xml.etree import ElementTree
from zipfile import ZipFile

_MAIN = "{http://schemas.openxmlformats.org/spreadsheetml/2006/main}"
_RELATION = "{http://schemas.openxmlformats.org/officeDocument/2006/relationships}id"
_BUILT_IN = {9: "0%", 10: "0.00%", 12: "# ?/?", 13: "# ??/??"}
"""Formats by number (ECMA-376, 18.8.30) that are the same in all languages, and show more than a number."""
_MONTHS = "January February March April May June July August September October November December".split()
_TOKEN = re.compile(r'"([^"]*)"|\\(.)|_.|\*.|\[\$([^]-]*)(?:-[^]]*)?\]|\[[^]]*\]')
_DIGITS = re.compile(r"(?P<whole>[#0?][#0?,]*)(?:\.(?P<part>[#0?]+))?")
_FRACTION = re.compile(r"(?:(#)\s*)?\?+/(\?+|[0-9]+)")
_DATE = re.compile(r"yyyy|yy|m{1,4}|d{1,2}|h{1,2}|n{1,2}|s{1,2}|am/pm", re.IGNORECASE)


@dataclass(slots=True)
class SheetLook:
    """The cells that don't look like their values, by row from 1 and column from 0; rows that are hidden or have
    pictures; and cells whose formulas have no value.
    """

    texts: dict[tuple[int, int], str] = field(default_factory=dict)
    hidden: list[int] = field(default_factory=list)
    pictures: list[int] = field(default_factory=list)
    uncomputed: list[int] = field(default_factory=list)


def read_look(archive: ZipFile, sheet: str) -> SheetLook:
    """Read the look of a sheet. Raises what libraries raise for damaged files."""
    book = "xl/workbook.xml"
    relations = _read_relations(archive, book)
    sheets = ElementTree.parse(archive.open(book)).iter(f"{_MAIN}sheet")
    name = next(relations[each.get(_RELATION, "")] for each in sheets if each.get("name") == sheet)
    formats = [*_read_formats(archive)]
    emphasised = [*_read_strings(archive)]
    look = SheetLook()
    row, column = 0, -1
    for event, element in ElementTree.iterparse(archive.open(name), ("start", "end")):
        tag = element.tag.removeprefix(_MAIN)
        if tag == "row" and event == "start":
            row, column = int(element.get("r") or row + 1), -1
            if element.get("hidden") in ("1", "true"):
                look.hidden.append(row)
        elif tag == "c" and event == "end":
            letters = re.match("[A-Z]+", element.get("r") or "")
            column = column_number(letters[0]) - 1 if letters else column + 1
            value = element.findtext(f"{_MAIN}v")
            text = None
            if element.get("t") == "s" and value:
                text = emphasised[int(value)]
            elif element.get("t") == "inlineStr" and (words := element.find(f"{_MAIN}is")) is not None:
                text = _emphasise(words)
            elif element.get("t", "n") == "n" and value and (number := int(element.get("s") or 0)) < len(formats):
                with suppress(ValueError, ArithmeticError):  # a format of no sense, or a date out of range
                    text = format_number(float(value), formats[number])
            elif value is None and element.find(f"{_MAIN}f") is not None:
                look.uncomputed.append(row)
            if text is not None:
                look.texts[row, column] = text
        elif tag == "row":
            element.clear()
        elif tag == "drawing" and event == "end":
            target = _read_relations(archive, name)[element.get(_RELATION) or ""]
            anchors = ElementTree.parse(archive.open(target)).getroot()
            look.pictures = sorted({int(anchor.findtext("{*}from/{*}row") or 0) + 1 for anchor in anchors
                                    if anchor.find("{*}pic") is not None})
    return look


def column_number(letters: str) -> int:
    """The number of a column by its letters: 1 for ``A``."""
    number = 0
    for letter in letters:
        number = 26 * number + ord(letter) - 64
    return number


def _read_relations(archive: ZipFile, name: str) -> dict[str, str]:
    folder, file = posixpath.split(name)
    with archive.open(f"{folder}/_rels/{file}.rels") as content:
        return {each.get("Id", ""): posixpath.normpath(posixpath.join("/", folder, each.get("Target", "")))[1:]
                for each in ElementTree.parse(content).getroot()}


def _read_formats(archive: ZipFile) -> Iterator[str]:
    """Yield the number format of each style of cells."""
    if "xl/styles.xml" in archive.namelist():
        root = ElementTree.parse(archive.open("xl/styles.xml")).getroot()
        own = {int(each.get("numFmtId") or 0): each.get("formatCode") or "" for each in root.iter(f"{_MAIN}numFmt")}
        for style in root.iterfind(f"{_MAIN}cellXfs/{_MAIN}xf"):
            number = int(style.get("numFmtId") or 0)
            yield own.get(number) or _BUILT_IN.get(number, "General")


def _read_strings(archive: ZipFile) -> Iterator[str | None]:
    if "xl/sharedStrings.xml" in archive.namelist():
        for item in ElementTree.parse(archive.open("xl/sharedStrings.xml")).getroot().iterfind(f"{_MAIN}si"):
            yield _emphasise(item)


def _emphasise(item: ElementTree.Element) -> str | None:
    """The words of a cell with marks around bold and italic ones; None if all are alike."""
    runs = [(run.findtext(f"{_MAIN}t") or "", "".join(mark for name, mark in (("b", "**"), ("i", "*")) if (
        style := run.find(f"{_MAIN}rPr/{_MAIN}{name}")) is not None and style.get("val") not in ("0", "false")))
            for run in item.iterfind(f"{_MAIN}r")]
    if len({mark for _, mark in runs}) < 2 or any("*" in words for words, _ in runs):
        return None
    return "".join(words.replace(bare, f"{mark}{bare}{mark}", 1) if (bare := words.strip()) else words
                   for words, mark in runs).replace("\r\n", "\n").strip()


def format_number(value: float, code: str) -> str | None:
    """Write a number or date as its format does; None if that is the number itself, or a whole date in figures."""
    literals: list[str] = []

    def keep(match: re.Match[str]) -> str:
        literals.append(match[1] or match[2] or match[3] or "")
        return chr(0xE000 + len(literals) - 1)

    sections = _TOKEN.sub(keep, code).split(";")
    section = sections[1] if value < 0 and len(sections) > 1 else sections[0]
    sign = "-" if value < 0 and len(sections) == 1 else ""
    number = abs(value)
    if "general" in section.lower() or "@" in section:
        return None
    if _DATE.search(section) and not _DIGITS.search(section):
        shown = _format_date(value, section)
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
    shown = re.sub("[\ue000-\uf8ff]", lambda match: literals[ord(match[0]) - 0xE000], shown or "").strip()
    is_same = re.fullmatch(r"-?(?:0|[1-9][\d,]*)(?:\.\d+)?", shown) and float(shown.replace(",", "")) == value
    return None if is_same or not shown else shown


def _format_date(value: float, section: str) -> str:
    """A date by its format; empty if it has a day, month and year in figures, which tables write as 2026-03-01."""
    section = re.sub(r"(?i)(?<=h:)m{1,2}|m{1,2}(?=:s)", "nn", section)
    tokens = {token.lower() for token in _DATE.findall(section)}
    if {token[0] for token in tokens} >= {"y", "m", "d"} and not tokens & {"mmm", "mmmm"}:
        return ""
    date = datetime(1899, 12, 30) + timedelta(seconds=round(value * 86_400))
    names = {"yyyy": f"{date:%Y}", "yy": f"{date:%y}", "mmmm": _MONTHS[date.month - 1],
             "mmm": _MONTHS[date.month - 1][:3], "mm": f"{date:%m}", "m": str(date.month), "dd": f"{date:%d}",
             "d": str(date.day), "hh": f"{date:%H}", "h": str((date.hour + 11) % 12 + 1 if "am/pm" in tokens
                                                              else date.hour),
             "nn": f"{date:%M}", "ss": f"{date:%S}", "s": str(date.second), "am/pm": "AM" if date.hour < 12 else "PM"}
    return _DATE.sub(lambda match: names.get(match[0].lower(), match[0]), section)
