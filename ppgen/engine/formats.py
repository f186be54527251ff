"""Turns ``papers.toml`` and ``sizes.toml`` into named papers and card sizes."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from ppgen.engine.geometry import Size
from ppgen.engine.units import parse_size
from ppgen.errors import Problems, listed
from ppgen.reading.fields import read_toml

SMALLEST_PAPER, LARGEST_PAPER = 80.0, 2000.0
SMALLEST_CARD, LARGEST_CARD = 25.0, 400.0


@dataclass(frozen=True, slots=True)
class Format:
    """A size with the name that it is asked for by: a paper (portrait) or a card's trim."""

    name: str
    size: Size

    @property
    def title(self) -> str:
        """The name as people write it: A4, Letter, 200x250."""
        if self.name[0].isdigit():
            return self.name
        return self.name.upper() if len(self.name) == 2 else self.name.title()


A4 = Format("a4", Size(210, 297))
"""What is shown or checked, not printed, stands on it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Formats:
    """The papers and card sizes that have a name."""

    papers: Mapping[str, Size]
    sizes: Mapping[str, Size]

    def paper(self, text: str) -> Format:
        """A paper by name or measure, in portrait; ValueError in plain words."""
        found = _named(text, self.papers, "paper", SMALLEST_PAPER, LARGEST_PAPER, "200x250mm")
        return Format(found.name, found.size.portrait)

    def card_size(self, text: str) -> Format:
        """A card's trim by name or measure; ValueError in plain words."""
        return _named(text, self.sizes, "card size", SMALLEST_CARD, LARGEST_CARD, "63x88mm")


def read_formats(folder: Path) -> Formats:
    """Read both files of a data folder. Raises InputError with every problem."""
    problems = Problems()
    papers = _read(folder, "papers", problems)
    sizes = _read(folder, "sizes", problems)
    problems.raise_if_any()
    return Formats(papers=papers, sizes=sizes)


def _read(folder: Path, table: str, problems: Problems) -> dict[str, Size]:
    fields = read_toml(folder, f"{table}.toml", problems)
    named = fields.take_table(table)
    fields.close()
    found: dict[str, Size] = {}
    for name in named:
        if not re.fullmatch(r"[a-z][a-z0-9-]*", name):
            named.note(name, "is not a name", "small letters, digits and hyphens")
        if text := named.take_text(name):
            try:
                found[name] = parse_size(text)
            except ValueError as error:
                named.note(name, str(error))
    return found


def _named(text: str, known: Mapping[str, Size], called: str, smallest: float, largest: float, example: str) -> Format:
    name = text.strip().lower()
    if name in known:
        return Format(name, known[name])
    if not re.match(r"[\d.\s-]", name):
        raise ValueError(f"'{text}' is not a known {called} (known: {listed(known)}; or a measure like {example})")
    size = parse_size(name)
    if not all(smallest <= length <= largest for length in (size.width, size.height)):
        raise ValueError(f"{called} {size} is out of range (each side from {smallest:g} to {largest:g} mm)")
    known_name = next((key for key, value in known.items() if value == size), None)
    return Format(known_name or f"{size.width:g}x{size.height:g}", size)
