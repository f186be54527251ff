"""First layouts: templates for the cards of a sheet whose columns are understood, measured so that all of it fits.

Three layouts: a card (name, picture or ornament, words), an index card (suits and numbers) and a token (hexes,
counters). What is written is meant to be read and changed: calls with plain numbers in mm.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from statistics import median

from ppgen.engine.colours import DARK, legible_ink
from ppgen.engine.geometry import Size
from ppgen.engine.shapes import ShapeKind
from ppgen.errors import Problem
from ppgen.games.own_deck.layout_writer import (GOOD_BODY, MAX_BODY, MAX_TOKEN_MM, MIN_BODY, RULED, ArtPlan,
                                                LayoutWriter, longest, quote)
from ppgen.games.own_deck.looks import LayoutLook
from ppgen.games.own_deck.sheet_columns import CardColumn, CardColumns

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
    sheet = _Layout(columns, art, size, shape, look)
    if shape not in RULED or max(size.width, size.height) <= MAX_TOKEN_MM:
        front, no_room = sheet.write_token()
        left_out = (*no_room, *left_out)
    elif columns.is_suit and not columns.texts and not art.column and "flavour" not in columns and (
            not columns.facts and ("name" not in columns or "kind" in columns)):
        front = sheet.write_index()
    elif not art.column and columns.has_words_alone:
        front = sheet.write_plaque()
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


class _Layout(LayoutWriter):
    """The four kinds of cards: what their templates print, and how a card is divided."""

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

    def write_index(self) -> str:
        """Write a card of suits and numbers."""
        has_light_kinds = any(legible_ink(colour) == DARK for colour in self.columns.kinds.values())
        return self.fill("index", has_light_kinds=has_light_kinds,
                         facts=[" ".join(words.split()) for words in self.facts()])

    def write_plaque(self) -> str:
        """Write a card of a single text or name."""
        column = self.columns.texts[0] if self.columns.texts else self.columns.roles["name"]
        shown, words = self.cut(f"card.{column.name}", self.cells(column))
        return self.fill("plaque", column=column, shown=shown, words=words)

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


def deck_file(title: str, lang: str, table: str,
              parts: Sequence[tuple[str, str, Mapping[str, str | int], CardColumns]]) -> str:
    """Write ``deck.toml``: a table for each part, of its name, sheet, keys and columns, then those of colours."""
    lines = [f"title = {quote(title)}", 'version = "0.1"', *([f"lang = {quote(lang)}"] if lang else [])]
    colours: dict[str, dict[str, str]] = {}
    for name, sheet, keys, columns in parts:
        lines += ["", f"[{name}]", f"table = {quote(table)}", *([f"sheet = {quote(sheet)}"] if sheet else []),
                  *(f"{key} = {json.dumps(value, ensure_ascii=False)}" for key, value in keys.items())]
        for role, found in (("kind", columns.kinds), ("colour", columns.colours)):
            if found:
                table_of = colours.setdefault(columns.roles[role].name, {})
                table_of |= found | table_of  # a value has one colour in all parts
    for column, values in colours.items():
        lines += ["", f"[colours.{_key(column)}]", *(f"{_key(value)} = {quote(colour)}"
                                                     for value, colour in values.items())]
    return "\n".join(lines) + "\n"
