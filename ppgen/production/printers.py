"""Turns what the calibration page says of a printer into a profile that is kept, and back."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from ppgen.engine.geometry import ORIGIN, UNSCALED, Point, Scale
from ppgen.engine.imposition.values import LARGEST_ANGLE, LARGEST_SHIFT
from ppgen.engine.units import parse_shift
from ppgen.errors import Problems
from ppgen.reading.fields import Fields, read_toml

RULER = 100.0
"""Length of the calibration page's rulers, in mm."""
TRUE = Point(RULER, RULER)
"""The rulers of a printer that is exact."""
MOST_OFF = 5.0
"""A ruler that is this many mm too short or too long was printed with “fit to page”."""
_NUMBER = re.compile(r"[+-]?([0-9]{1,4}(\.[0-9]{0,4})?|\.[0-9]{1,4})")
NAME = re.compile(r"[a-z0-9][a-z0-9-]{0,39}")

_HEAD = """\
# Printer profiles of ppgen: ppgen printer save, list, remove.
# back-offset: mm right and down; back-rotation: degrees clockwise; rulers: what 100 mm came out as, across and down.
"""


@dataclass(frozen=True, slots=True, kw_only=True)
class Printer:
    """What is known of a printer.

    ``back_offset`` (mm right and down) and ``back_rotation`` (degrees clockwise) are what its backs must be moved by;
    ``rulers`` what the calibration page's rulers of 100 mm came out as, across and down.
    """

    back_offset: Point = ORIGIN
    back_rotation: float = 0.0
    rulers: Point = TRUE

    @property
    def scale(self) -> Scale:
        """How much larger sheets must be drawn, to a tenth of a per mille: a ruler shows no more."""
        found = Scale(round(RULER / self.rulers.x, 4), round(RULER / self.rulers.y, 4))
        return UNSCALED if found == UNSCALED else found


def read_printers(file: Path) -> dict[str, Printer]:
    """The profiles in a file by name; none where there is no file. Raises InputError with every problem."""
    if not file.exists():
        return {}
    problems = Problems()
    top = read_toml(file.parent, file.name, problems)
    found = {name: _read(top.take_table(name)) for name in top}
    problems.raise_if_any()
    return found


def written(printers: Mapping[str, Printer]) -> str:
    """The text of the file that keeps them."""
    return _HEAD + "".join(_lines(name, printer) for name, printer in sorted(printers.items()))


def drift(reading_a: Point, reading_b: Point, slope: float) -> tuple[Point, float]:
    """Back offset and rotation from what was read at the scales A and B, as the calibration page tells.

    The offset is the mean of the two; ``slope`` is degrees a millimetre that they differ in y.
    """
    offset = Point(round((reading_a.x + reading_b.x) / 2, 3), round((reading_a.y + reading_b.y) / 2, 3))
    return offset, round((reading_a.y - reading_b.y) * slope, 2)


def read_number(text: str) -> float:
    """The number that somebody typed: ``99,5``, ``0.5 mm``, ``−1``. Raises ValueError for anything else."""
    plain = unicodedata.normalize("NFKC", text).strip().lower().removesuffix("mm").strip()
    plain = re.sub("[−–]", "-", plain).replace(",", ".")
    if not _NUMBER.fullmatch(plain):
        raise ValueError(f"'{text}' is not a number")
    return float(plain)


def _read(table: Fields) -> Printer:
    printer = Printer(back_offset=_pair(table, "back-offset", ORIGIN, -LARGEST_SHIFT, LARGEST_SHIFT),
                      back_rotation=table.take_number("back-rotation", -LARGEST_ANGLE, LARGEST_ANGLE, 0.0),
                      rulers=_pair(table, "rulers", TRUE, RULER - MOST_OFF, RULER + MOST_OFF))
    table.close()
    return printer


def _pair(table: Fields, key: str, usual: Point, least: float, most: float) -> Point:
    if not (words := table.take_text(key, "")):
        return usual
    try:
        pair = parse_shift(words)
    except ValueError as error:
        table.note(key, str(error))
        return usual
    if not all(least <= length <= most for length in (pair.x, pair.y)):
        table.note(key, f"'{words}' is out of range", f"each from {least:g} to {most:g} mm")
    return pair


def _lines(name: str, printer: Printer) -> str:
    return (f"\n[{name}]\nback-offset = \"{printer.back_offset.x:g},{printer.back_offset.y:g}\"\n"
            f"back-rotation = {printer.back_rotation:g}\n"
            f"rulers = \"{printer.rulers.x:g},{printer.rulers.y:g}\"\n")
