"""First layouts: looks, and the templates that are written for a sheet."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping, Sequence
from functools import cache, cached_property
from pathlib import Path
from statistics import median
from typing import NamedTuple

from ppgen.engine.colours import DARK, legible_ink
from ppgen.engine.drawing.fonts import LEFTWARD_LANGUAGES, FontBook, house_fonts, read_fonts
from ppgen.engine.drawing.lettering import Lettering, parse_markup
from ppgen.engine.drawing.sandbox import MAX_LETTERING
from ppgen.engine.drawing.templates import fill_holes
from ppgen.engine.geometry import Size, points
from ppgen.engine.shapes import ShapeKind
from ppgen.errors import Problem
from ppgen.games.own_deck.deck import MAX_TOKEN_SIDE_MM, POKER
from ppgen.making.sheet_columns import CardColumn, CardColumns, kind_signs, layout_data
from ppgen.records import dataclass, field, replace
from ppgen.shipped import parse_toml_text, shipped_root

# --- Looks ---
# Looks: frame, ornament, back and fonts of a first layout. Each is a folder of ``data/looks``, copied into new decks.
#
# ``look.toml`` says how a card is divided, in mm on a poker card; ``look.svg.j2`` draws: it is a file of macros, which
# the templates of the deck import and the maker changes like any other.

ABOUT = "look.toml"


@dataclass(frozen=True, slots=True, kw_only=True)
class Measures:
    """Division of a card: lengths in mm on a poker card, which grow with the card."""

    edge: float = 3.0  # width of the frame; its contents lie `pad` further in
    pad: float = 1.6
    head: float = 9.2  # height of the name; if it is `below`, it stands under the window
    below: bool = False
    strip: float = 5.4
    foot: float = 7.6
    name: float = 4.7  # size of the name, its indents without and beside a cost, and its room at the other end
    indent: float = 2.4
    cost_indent: float = 11.0
    room: float = 2.2
    centred: bool = False
    capitals: bool = False
    corner: float = 1.0  # radius of the corners of pictures
    full: bool = False  # the window reaches to the edges of the card, and into the bleed
    cost_at: Sequence[float] = (5.5, 4.6)  # the middle of the cost inside the frame, and its radius
    cost: float = 4.0
    number_at: float = 5.0  # the distance of numbers in the lower corners from the frame, and their radius
    number: float = 3.5
    words: float = 2.2  # distance of the words from the sides of their panel
    left: bool = False  # short words begin at the left and at the top
    coloured_edge: bool = False  # in the kind's colour: sheets of one colour are cut together


@dataclass(frozen=True, kw_only=True)
class LayoutLook:
    """A look: its name and its measures."""

    name: str = ""
    accent: str = "#2b3350"  # colour of cards without a kind, and of backs
    palette: Sequence[str] = ()  # colours for kinds in place of ours
    measures: Measures = field(default_factory=Measures)

    @cached_property
    def folder(self) -> Path:
        return shipped_root() / "data" / "looks" / self.name

    @cached_property
    def files(self) -> Mapping[str, Path]:
        if not self.name:
            return {}
        return {path.relative_to(self.folder).as_posix(): path for path in sorted(self.folder.rglob("*"))
                if path.is_file() and path.name != ABOUT and not path.name.startswith(".")}

    @cached_property
    def fonts(self) -> FontBook:
        """The fonts that its texts are measured with."""
        return read_fonts(self.folder / "fonts", has_house=True) if self.name else house_fonts()


def looks() -> dict[str, str]:
    """The looks: their names, each with its description."""
    files = sorted((shipped_root() / "data" / "looks").glob(f"*/{ABOUT}"))
    return {file.parent.name: parse_toml_text(file.read_text(encoding="utf-8"))["description"] for file in files}


@cache  # the strip of looks opens all of them at each save, with their fonts
def open_look(name: str) -> LayoutLook:
    """The look of that name; the plain one for an empty name."""
    if not name:
        return LayoutLook()  # it has no file of its own
    about = parse_toml_text((shipped_root() / "data" / "looks" / name / ABOUT).read_text(encoding="utf-8"))
    return LayoutLook(name=name, accent=about.get("accent", LayoutLook.accent), palette=about.get("palette", ()),
                      measures=Measures(**about["measures"]))


# --- Writer ---
# First layouts: templates of ``data/first_layouts`` whose holes are filled with measured sizes and cells of a sheet.
#
# In these templates ``<< … >>`` is a hole and ``%%`` begins a line of their own; all else is written as it stands, for
# the maker of the deck to read and change: calls with plain numbers in mm.

PAPER, LETTERS = "#f7f1e3", "#241f1a"
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
        self.look, self.fitter = look, Fitter(look.fonts)
        self.width, self.height = size.width, size.height
        sides = sorted((size.width, size.height))
        self.unit = min(sides[0] / POKER.width, sides[1] / POKER.height)  # lengths are for this size
        self.is_tiny = sides[0] <= MAX_TOKEN_SIDE_MM
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
            "least": format_least, "round": round, "is_leftward": self.is_leftward, "at": self.at,
            "lying": lambda box: Area(self.at(box.right) if self.is_leftward else box.x, *box[1:]),
            "start_side": "start" if self.is_leftward else "left", **values})

    @property
    def is_leftward(self) -> bool:
        """Whether a card is read from right to left: what stands at the start stands on the right."""
        return self.columns.lang in LEFTWARD_LANGUAGES

    def at(self, x: float) -> float:
        """The place of what lies at ``x`` on a card that is read from left to right."""
        return self.width - x if self.is_leftward else x

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

    # The kinds of cards with the most columns: what their templates print, and how a card is divided

    def write_token(self) -> tuple[str, tuple[str, ...]]:
        """Write a hex, disc or counter; return with it the headings that a small one has no room for."""
        columns = self.columns
        title = next((role for role in ("name", "kind") if role in columns), "")
        rest = [*columns.texts, *columns.facts]
        rest += [columns.roles[role] for role in ("flavour", "keywords", "rarity") if role in columns]
        if title == "name" and "kind" in columns and not columns.kinds:
            rest.append(columns.roles["kind"])
        shown, words = "", [""]
        if rest and not self.is_tiny:
            joined = ", ".join(f'card.{column.name} ~ ""' for column in rest)
            shown, words = self.cut(f'[{joined}] | select | join("  ·  ")', self.join_cells(rest, "  ·  "))
        front = self.fill("token", title=title, rest=rest, shown=shown, words=words)
        return front, tuple(column.heading for column in rest) if self.is_tiny else ()

    def write_card(self) -> str:
        """Write a card with a frame in the colour of its kind."""
        facts = self.facts()
        shown, words = self.cut(*self.body())
        flavour_shown, flavour = self.cut(self.value("flavour"), self.cells("flavour")) if (
            "flavour" in self.columns) else ("", self.cells("flavour"))
        return self.fill(
            "card", shown=shown, words=words, flavour_shown=flavour_shown, flavour=flavour, facts=facts,
            are_long=any(words) and median(len(word) for word in words if word) > LONG_WORDS, min_body=MIN_BODY,
            divide=lambda width, room: self._divide(width, room, words, flavour, facts))

    def _divide(self, width: float, room: float, words: Sequence[str], flavour: Sequence[str],
                facts: Sequence[str]) -> _Division:
        """Divide the height of a card between its window and its words, and choose their size."""
        u, fitter, has_art = self.unit, self.fitter, bool(self.art.column)
        inner = width - 2 * self.look.measures.words * u
        quote = min(fitter.height(flavour, inner, 2.9 * u, "italic") + 0.3 * u, room * 0.3) if any(flavour) else 0.0
        fact = 0.0
        if any(facts):
            fact = min(fitter.height(facts, inner, MIN_BODY * u) + 0.3 * u, room * 0.35) if (
                any(words) or quote) else min(len(self.columns.facts), 15) * 4.4 * u
        if not any(words) and not quote and not fact:
            return _Division(window=room, size=0, quote=0, fact=0)
        texts = [(words[n], quote + 2.4 * u if flavour[n] else 0) for n in longest(words)]
        extra = fact + (1 * u if fact else 0) + 4 * u

        def remainder(size: float) -> float:
            """The height that the words, set at a size, and all below them leave to the window."""
            need = max((fitter.height([text], inner, size) + below for text, below in texts), default=0.0)
            return room - (max(need, quote + 1 * u if quote else 0) + extra)

        best = width / self.art.aspect if has_art else room * BEST_ORNAMENT
        most = MAX_BODY - (0.4 if has_art else 0)
        steps = [most - step * 0.2 for step in range(10) if most - step * 0.2 >= MIN_BODY]
        for step in steps:
            left = remainder(step * u)
            window = min(left, best * 1.12, room * 0.74)
            if left >= _least_window(step, best, room, has_art):
                break
        else:
            window = max(room * 0.3 if has_art else 0.0, min(window, best))
        if not has_art and (window < max(11 * u, room * 0.18) or not ("name" in self.columns or self.columns.kinds)):
            window = 0.0
        return _Division(window=window, size=step * u, quote=quote, fact=fact)


# --- Layouts ---
# First layouts: templates for the cards of a sheet whose columns are understood, measured so that all of it fits.
#
# Three layouts: a card (name, picture or ornament, words), an index card (suits and numbers) and a token (hexes,
# counters). What is written is meant to be read and changed: calls with plain numbers in mm.

BEST_ORNAMENT = 0.48  # the best height of a window with an ornament, in parts of what it shares with the words
MAX_FACTS, MAX_FACT_CHARACTERS, MAX_WORDS, MAX_LINES = 4, 110, 1_900, 20
"""Columns at the foot below words, and the longest of their lines; characters of all words of a card; columns of a card
without words.
"""
WINDOW_SHARES = {3.4: 1.0, GOOD_BODY: 0.85, MIN_BODY: 0.62}
"""The least height of a window in parts of the best, by the size of the words (mm) from which on it counts."""
LONG_WORDS = 130  # characters from which on words begin at the left


@dataclass(frozen=True, kw_only=True)
class FirstLayout:
    """The template of the front, what is set too small, and the headings for which a token has no room."""

    front: str
    warnings: tuple[Problem, ...]
    left_out: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class _Division:
    """Division of a card: height of the window, size of the words, heights for flavour and facts."""

    window: float
    size: float
    quote: float
    fact: float


def write_front(columns: CardColumns, art: ArtPlan, size: Size, shape: ShapeKind, look: LayoutLook) -> FirstLayout:
    """Write the template of cards with these columns and pictures, of a size, shape and look."""
    columns, left_out = leave_out_columns(columns)
    sheet = LayoutWriter(columns, art, size, shape, look)
    if shape not in RULED or max(size.width, size.height) <= MAX_TOKEN_SIDE_MM:
        front, no_room = sheet.write_token()
        left_out = (*no_room, *left_out)
    elif columns.is_suit and not columns.texts and not art.column and "flavour" not in columns and (
            not columns.facts and ("name" not in columns or "kind" in columns)):  # suits and numbers
        front = sheet.fill("index", facts=[" ".join(words.split()) for words in sheet.facts()], has_light_kinds=any(
            legible_ink(colour) == DARK for colour in columns.kinds.values()))
    elif not art.column and columns.has_words_alone:
        column = columns.texts[0] if columns.texts else columns.roles["name"]
        shown, words = sheet.cut(f"card.{column.name}", sheet.cells(column))
        front = sheet.fill("plaque", column=column, shown=shown, words=words)
    else:
        front = sheet.write_card()
    return FirstLayout(front=front, warnings=tuple(sheet.warnings), left_out=left_out)


def write_back(columns: CardColumns, art: ArtPlan, size: Size, shape: ShapeKind, look: LayoutLook) -> str:
    """Write the template of the back of such cards."""
    return LayoutWriter(columns, art, size, shape, look).fill("back")


def leave_out_columns(columns: CardColumns) -> tuple[CardColumns, tuple[str, ...]]:
    """Leave out the columns that a card has no room for beside its words; return the others, and their headings."""
    def count(kept: Sequence[CardColumn]) -> int:
        rows = zip(*(column.cells for column in kept), strict=True)
        return max((sum(len(cell) + len(column.heading) + 5 for column, cell in zip(kept, row, strict=True)
                        if cell) for row in rows), default=0)

    texts, facts = list(columns.texts), list(columns.facts)
    out: list[CardColumn] = []
    while len(texts) > 1 and count(texts) > MAX_WORDS:
        out.append(texts.pop())
    if texts or "flavour" in columns or "keywords" in columns:
        while len(facts) > MAX_FACTS or (facts and count(facts) > MAX_FACT_CHARACTERS):
            out.append(facts.pop())
    facts, out = facts[:MAX_LINES], [*out, *reversed(facts[MAX_LINES:])]
    return replace(columns, texts=tuple(texts), facts=tuple(facts)), tuple(column.heading for column in reversed(out))


def _least_window(size: float, best: float, room: float, has_art: bool) -> float:
    """The least height of a window for which words are set at a size; smaller words leave a picture a third."""
    largest, *_ = WINDOW_SHARES
    if size >= largest:
        return best
    if size < GOOD_BODY and not has_art:
        return 0.0
    share = next(share for least, share in WINDOW_SHARES.items() if size >= least)
    return max(room * 0.34 if has_art else 0.0, best * share)


def _key(words: str) -> str:
    return words if re.fullmatch("[A-Za-z0-9_-]+", words) else quote(words)


def deck_file(title: str, lang: str, top: Mapping[str, str], tables: Mapping[str, Mapping[str, str | int]]) -> bytes:
    """Write a ``deck.toml`` of its first keys and its tables by name; keys without a value are left out."""
    first = {"title": title, "version": "0.1", "lang": lang, **top}
    return "\n".join((f"[{name}]\n" if name else "") + "".join(
        f"{_key(key)} = {json.dumps(value, ensure_ascii=False)}\n" for key, value in table.items() if value != "")
        for name, table in {"": first, **tables}.items()).encode()


def colour_tables(parts: Iterable[CardColumns]) -> dict[str, dict[str, str]]:
    """The tables of ``deck.toml`` with the colours of kinds and of words; a value has one colour in all parts."""
    tables: dict[str, dict[str, str]] = {}
    for columns in parts:
        for role, found in (("kind", columns.kinds), ("colour", columns.colours)):
            if found:
                table = tables.setdefault(f"colours.{_key(columns.roles[role].name)}", {})
                table |= found | table
    return tables
