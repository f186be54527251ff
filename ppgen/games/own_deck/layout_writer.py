"""First layouts: templates of ``data/first_layouts`` whose holes are filled with measured sizes and cells of a sheet.

In these templates ``<< … >>`` is a hole and ``%%`` begins a line of their own; all else is written as it stands, for
the maker of the deck to read and change: calls with plain numbers in mm.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from statistics import median
from typing import NamedTuple

from ppgen.engine.drawing.fonts import FontBook
from ppgen.engine.drawing.lettering import Lettering, parse_markup
from ppgen.engine.drawing.templates import fill_holes
from ppgen.engine.geometry import Size, points
from ppgen.engine.guard.refusals import MAX_LETTERING
from ppgen.engine.shapes import ShapeKind
from ppgen.errors import Problem
from ppgen.games.own_deck.deck_signs import find_signs, missing_signs
from ppgen.games.own_deck.heading_words import layout_data
from ppgen.games.own_deck.looks import LayoutLook
from ppgen.games.own_deck.sheet_columns import CardColumn, CardColumns, kind_signs
from ppgen.shipped import shipped_root

PAPER, LETTERS = "#f7f1e3", "#241f1a"
POKER = Size(63.5, 88.9)  # lengths below are for this size, and grow with the card
MAX_TOKEN_MM = 35.0
MAX_BODY, GOOD_BODY, MIN_BODY = 4.2, 3.0, 2.3  # sizes of the words (mm): at most, well legible, and least (6.5 pt)
LEAST_SIZE = 0.4  # least size of words that do not fit above MIN_BODY; they get a warning
MIN_TYPE_POINTS = 5.0
RULED = (ShapeKind.RECTANGLE, ShapeKind.ROUNDED)
MEASURED, LONGEST_WORDS = 16, 4  # texts of a column that are measured: the longest, and those of the longest words
LONG_WORD = 30  # letters of a word that is too wide by itself


@dataclass(frozen=True, kw_only=True)
class ArtPlan:
    """The pictures of the cards: the column that names them, the proportion of most, and whether some are missing."""

    column: str = ""
    aspects: tuple[float, ...] = ()
    has_gaps: bool = False
    is_dark: bool = False  # most are dark and transparent: they lie on paper, as they would vanish on a dark ground

    @property
    def aspect(self) -> float:
        return min(max(median(self.aspects), 0.6), 2.2) if self.aspects else 1.4


class _Square:
    """Any icon, while texts are measured."""

    aspect = 1.0

    def draw(self, x: float, y: float, size: float, fill: str) -> str:
        return ""


def is_markup(words: str) -> bool:
    """True if the markup of words can be read."""
    try:
        parse_markup(words, "text", "", lambda name: _Square())
    except ValueError:
        return False
    return True


def longest(texts: Sequence[str]) -> list[int]:
    """The places of the longest texts, which are measured."""
    weight = [sum(2 if letter > "\u2fff" else 1 for letter in text) + 40 * text.count("\n") for text in texts]
    return sorted(range(len(texts)), key=lambda n: -weight[n])[:MEASURED]


class Area(NamedTuple):
    """A rectangle, perhaps without a height."""

    x: float
    y: float
    width: float
    height: float

    @property
    def cx(self) -> float:
        return self.x + self.width / 2

    @property
    def cy(self) -> float:
        return self.y + self.height / 2

    @property
    def right(self) -> float:
        return self.x + self.width

    @property
    def bottom(self) -> float:
        return self.y + self.height


@dataclass(slots=True)
class Fitter:
    """Measures texts with the engine's own lettering."""

    fonts: FontBook
    lettering: Lettering = field(init=False)

    def __post_init__(self) -> None:
        self.lettering = Lettering(fonts=self.fonts, icons=lambda name: _Square())

    def height(self, texts: Sequence[str], width: float, size: float, style: str = "text") -> float:
        """The height that the highest of texts needs at a size."""
        return max((self._fit(texts[n], width, 1000, size, None, style, 1.2, True)[1]
                    for n in longest(texts) if texts[n]), default=0.0)

    def size(self, texts: Iterable[tuple[str, float]], width: float, most: float, style: str = "text",
             leading: float = 1.2, markup: bool = True) -> float:
        """The size at which each text fits the width and its height; at most ``most``."""
        found = most
        for words, height in texts:
            while found > LEAST_SIZE and words:
                least = max(found * 0.5, LEAST_SIZE)
                now, _ = self._fit(words, width, max(height, 0.1), found, least, style, leading, markup)
                if now > least + 0.001:
                    found = min(found, now)
                    break
                found = least
        return found

    def _fit(self, words: str, width: float, height: float, size: float, least: float | None, style: str,
             leading: float, markup: bool) -> tuple[float, float]:
        """The size at which words fit, and the height that they need; rounded: layouts are the same anywhere."""
        fit = self.lettering.fit(words, width=width, height=height, size=size, min_size=least, style=style,
                                 leading=leading, markup=markup and is_markup(words))
        return round(fit.size, 3), round(fit.height, 2)

    def line(self, texts: Iterable[str], width: float, most: float, style: str = "title", spacing: float = 0) -> float:
        """The size at which each text fits a line of the width."""
        widest = max((self.fonts.width(text, style, 1, spacing) for text in texts if text), default=0.0)
        return min(most, width / widest * 0.995) if widest else most


def is_all_markup(texts: Iterable[str]) -> bool:
    """True if the markup of all texts can be read: ``rich`` sets them, and ``paragraph`` others."""
    return all(map(is_markup, texts))


def quote(words: str | Mapping[str, str]) -> str:
    return json.dumps(words, ensure_ascii=False)


def plain_label(column: CardColumn) -> str:
    """The heading of a column without signs of markup; signs become their icon, if ppgen has it."""
    return f"{{{column.icon}}}" if column.icon else re.sub(r"[*={}\\]", "", column.label)


def format_digits(number: float, digits: int = 6) -> str:
    return f"{number:.{digits}g}"


def format_least(*sizes: float) -> str:
    """The least of some sizes, in full hundredths of a mm."""
    return format_digits(int(min(sizes) * 100) / 100, 5)


def format_hole(value: object) -> object:
    """Format what fills a hole: numbers are rounded to a twentieth of a mm; areas are four arguments of a call."""
    if isinstance(value, Area):
        return ", ".join(f"{name}={format_hole(each)}" for name, each in value._asdict().items())
    return format_digits(round(value * 20) / 20, 5) if isinstance(value, int | float) else value


class LayoutWriter:
    """Measures the cells of a sheet, and fills templates with them."""

    def __init__(self, columns: CardColumns, art: ArtPlan, size: Size, shape: ShapeKind, look: LayoutLook) -> None:
        self.columns, self.art, self.shape = columns, art, shape
        boxed = frozenset(missing_signs(find_signs([columns.table]), look.fonts))
        self.look, self.fitter = look, Fitter(replace(look.fonts, boxed=boxed) if boxed else look.fonts)
        self.width, self.height = size.width, size.height
        sides = sorted((size.width, size.height))
        self.unit = min(sides[0] / POKER.width, sides[1] / POKER.height)
        self.is_tiny = sides[0] <= MAX_TOKEN_MM
        self.warnings: list[Problem] = []
        table = columns.table
        count = max((len(column.all_cells) for column in (*columns.roles.values(), *columns.texts, *columns.facts)),
                    default=0)
        self.rows = [(n % len(table.rows), n) for n in range(count)] if table.rows else []

    def fill(self, name: str, **values: object) -> str:
        """Fill the holes of a template. ``w``, ``h``, ``cx``, ``cy`` and ``u`` are those of looks."""
        signs, ornaments = kind_signs(tuple(self.columns.kinds)), layout_data()["drawing"]["ornaments"]
        kind = self.columns.roles.get("kind")
        return fill_holes(shipped_root() / "data" / "first_layouts", f"{name}.svg.j2", format_hole, {
            "w": self.width, "h": self.height, "cx": self.width / 2, "cy": self.height / 2, "u": self.unit,
            "columns": self.columns, "art": self.art, "look": self.look, "paper": PAPER, "letters": quote(LETTERS),
            "least_size": LEAST_SIZE, "is_tiny": self.is_tiny, "is_ruled": self.shape in RULED,
            "is_wide": self.shape is ShapeKind.RECTANGLE, "signs": signs, "ornaments": ornaments,
            "kind": kind and f"card.{kind.name}" + (' ~ ""' if kind.is_number else ""),
            "ornament_by_sign": {sign: ornaments[n % len(ornaments)]
                                 for n, sign in enumerate(dict.fromkeys(signs.values()))},
            "has": self.columns.roles.__contains__, "cells": self.cells, "join_cells": self.join_cells,
            "value": self.value, "ink": lambda name, plain: f"look.{name}" if self.look.name else plain,
            "fit": self.fit, "fit_line": self.fitter.line, "height_of": self.fitter.height, "is_rich": is_all_markup,
            "warn": self.warn, "area": Area, "quote": quote, "label": plain_label, "digits": format_digits,
            "least": format_least, "round": round, **values})

    # Cells

    def cells(self, *roles: str | CardColumn) -> list[str]:
        """The cells of roles or columns in all rows and languages; empty texts if there is none."""
        found = []
        for role in roles:
            column = self.columns.roles.get(role) if isinstance(role, str) else role
            if column is None:
                found += [""] * len(self.rows)
                continue
            both = column.all_cells if len(column.all_cells) == len(self.rows) else None
            found += [both[n] if both else column.cells[row] for row, n in self.rows]
        return found

    def join_cells(self, columns: Iterable[str | CardColumn], between: str) -> list[str]:
        """The cells of several columns in a line for each row."""
        return [between.join(filter(None, row)) for row in zip(*map(self.cells, columns), strict=True)]

    def value(self, role: str | CardColumn) -> str:
        """The expression of a cell on one line."""
        column = self.columns.roles[role] if isinstance(role, str) else role
        if any(letter.isspace() and letter != " " for cell in column.all_cells for letter in cell):
            return f'(card.{column.name} ~ "").split() | join(" ")'
        return f"card.{column.name}"

    def warn(self, texts: Sequence[str], role: str | CardColumn, fits: float, smallest: int = -1) -> str:
        """Warn of the text that had to be set too small: the ``smallest``, or else the longest."""
        if points(fits) < MIN_TYPE_POINTS and texts:
            column = self.columns.roles[role] if isinstance(role, str) else role
            n = smallest if smallest >= 0 else max(range(len(texts)), key=lambda n: len(texts[n]))
            word = max(texts[n].split(), key=len, default="")
            what = f"its {len(texts[n])} characters" if len(word) < LONG_WORD else f"its word of {len(word)} letters"
            what += f"{' are' if len(word) < LONG_WORD else ' is'} set in {points(fits):.1f} pt"
            self.warnings.append(Problem(self.columns.table.place, what, "shorten it, or choose a larger --size",
                                         line=self.columns.table.rows[self.rows[n][0]].line, key=column.heading))
        return ""

    def fit(self, role: str | CardColumn, texts: Sequence[str], width: float, height: float, most: float,
            style: str = "text", leading: float = 1.2, is_rich: bool | None = None, low: float | None = None) -> float:
        """The size at which all texts of a column fit a box (``low`` beside a flavour); warns if it is too small."""
        heights = [low if low is not None and flavour else height for flavour in self.cells("flavour")]
        rows = longest([text + "\n" * (room < height) for text, room in zip(texts, heights, strict=True)])
        rows += sorted(range(len(texts)), key=lambda n: -max(map(len, texts[n].split()), default=0))[:LONGEST_WORDS]
        is_rich = is_all_markup(texts) if is_rich is None else is_rich
        fits, smallest = most, rows[0] if rows else 0
        for n in rows:
            own = self.fitter.size([(texts[n], heights[n])], width, fits, style, leading, is_rich)
            fits, smallest = (own, n) if own < fits else (fits, smallest)
        self.warn(texts, role, fits, smallest)
        return fits

    def cut(self, expression: str, texts: list[str]) -> tuple[str, list[str]]:
        """Cut what is longer than a face may show, with a warning for each: the expression, and what it gives."""
        for n, (row, _) in enumerate(self.rows):
            if len(texts[n]) > MAX_LETTERING:
                self.warnings.append(Problem(
                    place=self.columns.table.place, line=self.columns.table.rows[row].line,
                    what=f"has {len(texts[n]):,} characters for one card: printed up to {MAX_LETTERING:,}",
                    remedy="shorten them, or leave out a column"))
        if not any(len(text) > MAX_LETTERING for text in texts):
            return expression, texts
        return f'(({expression}) ~ "")[:{MAX_LETTERING}]', [text[:MAX_LETTERING] for text in texts]

    def body(self) -> tuple[str, list[str]]:
        """The expression of the words of a card, and what it gives for each row."""
        parts: list[tuple[str, str, CardColumn]] = []
        if keywords := self.columns.roles.get("keywords"):
            parts.append(("**", "**", keywords))
        for n, column in enumerate(self.columns.texts):
            parts.append((f"**{plain_label(column)}:** " if n else "", "", column))
        cells = [self.cells(column) for _, _, column in parts]
        words = ["\n\n".join(f"{before}{cell}{after}" for (before, after, _), cell in zip(parts, row, strict=True)
                             if cell) for row in zip(*cells, strict=True)] if parts else [""] * len(self.rows)
        if len(parts) == 1 and parts[0][0] == "":
            return f"card.{parts[0][2].name}", words
        pieces = []
        for before, after, column in parts:
            name = f"card.{column.name}"
            piece = " ~ ".join(quote(part) if part != name else part for part in (before, name, after))
            pieces.append(f'({piece} if {name} ~ "" else "")')
        return f'[{", ".join(pieces)}] | select | join("\\n\\n")', words

    def facts(self) -> list[str]:
        """The facts of each row, as they are printed on a line."""
        rows = zip(*map(self.cells, self.columns.facts), strict=True) if self.columns.facts else [()] * len(self.rows)
        return ["  ·  ".join(f"{plain_label(column)}: {cell}" for column, cell in zip(
            self.columns.facts, row, strict=True) if cell) for row in rows]
