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

from ppgen.engine.geometry import Size
from ppgen.engine.shapes import ShapeKind
from ppgen.errors import Problem
from ppgen.games.own_deck.layout_writer import (
    GOOD_BODY,
    LETTERS,
    MAX_BODY,
    MAX_TOKEN_MM,
    MIN_BODY,
    Area,
    ArtPlan,
    call,
    floor_size,
    quote,
)
from ppgen.games.own_deck.looks import LayoutLook
from ppgen.games.own_deck.plain_layouts import PlainLayout
from ppgen.games.own_deck.sheet_columns import CardColumn, CardColumns

BEST_ORNAMENT = 0.48
"""The best height of a window with an ornament, in parts of what it shares with the words."""
MAX_FACTS, MAX_FACT_CHARACTERS, MAX_WORDS = 4, 110, 1_900
"""Columns at the foot below words, and the longest of their lines; characters of all words of a card."""
WINDOW_SHARES = {3.4: 1.0, GOOD_BODY: 0.85, MIN_BODY: 0.62}
"""The least height of a window in parts of the best, by the size of the words (mm) from which on it counts."""


@dataclass(frozen=True, kw_only=True)
class FirstLayout:
    """The template of the front, what is set too small, and the headings for which a token has no room."""

    front: str
    warnings: tuple[Problem, ...]
    left_out: tuple[str, ...]


_Shown = tuple[str, Sequence[str]]
"""An expression, and what it gives for each row."""


@dataclass(frozen=True, slots=True)
class _Division:
    """How a card is divided: height of the window, size of the words, heights for flavour and facts."""

    window: float
    size: float
    quote: float
    fact: float


BLEED_MM = 3.0
"""How far a window that reaches to the edges goes beyond them."""
RULED = (ShapeKind.RECTANGLE, ShapeKind.ROUNDED)


def write_front(columns: CardColumns, art: ArtPlan, size: Size, shape: ShapeKind, look: LayoutLook) -> FirstLayout:
    """Write the template of cards with these columns and pictures, of a size, shape and look."""
    columns, left_out = leave_out_columns(columns)
    sheet = _Layout(columns, art, size, shape, look)
    if shape not in RULED or max(size.width, size.height) <= MAX_TOKEN_MM:
        sheet.write_token()
    elif columns.is_suit and not columns.texts and not art.column and "flavour" not in columns and (
            not columns.facts and ("name" not in columns or "kind" in columns)):
        sheet.write_index()
    elif not art.column and columns.has_words_alone:
        sheet.write_plaque()
    else:
        sheet.write_card()
    return FirstLayout(front="\n".join(sheet.lines) + "\n", warnings=tuple(sheet.warnings),
                       left_out=(*sheet.left_out, *left_out))


def write_back(columns: CardColumns, art: ArtPlan, size: Size, shape: ShapeKind, look: LayoutLook) -> str:
    """Write the template of the back of such cards."""
    return _Layout(columns, art, size, shape, look).write_back(shape in RULED)


def leave_out_columns(columns: CardColumns) -> tuple[CardColumns, tuple[str, ...]]:
    """Leave out the columns that a card has no room for beside its words; return the others, and their headings."""
    def longest(kept: Sequence[CardColumn], label: bool) -> int:
        rows = zip(*(column.cells for column in kept), strict=True)
        return max((sum(len(cell) + (len(column.heading) + 5) * label for column, cell in zip(kept, row, strict=True)
                        if cell) for row in rows), default=0)

    texts, facts = list(columns.texts), list(columns.facts)
    out: list[CardColumn] = []
    while len(texts) > 1 and longest(texts, True) > MAX_WORDS:
        out.append(texts.pop())
    if texts or "flavour" in columns or "keywords" in columns:
        while len(facts) > MAX_FACTS or (facts and longest(facts, True) > MAX_FACT_CHARACTERS):
            out.append(facts.pop())
    return replace(columns, texts=tuple(texts), facts=tuple(facts)), tuple(column.heading for column in reversed(out))


class _Layout(PlainLayout):
    """A card with a frame in the colour of its kind; the plainer layouts are inherited."""

    # Cards

    def write_card(self) -> None:
        """A frame in the colour of the kind: name, picture or ornament, kind, words, numbers."""
        u, lines = self.unit, self.lines
        self._begin()
        has_sign = self._set_sign()
        fact_lines, facts = self._facts()
        body, words = self._cut(*self._body())
        if any(words) or any(self.cells("flavour")):
            lines += fact_lines
        lay = self.look.measures
        edge, pad = lay.edge * u, lay.pad * u
        inside = Area(edge + pad, 0, self.width - 2 * (edge + pad), 0)
        head = lay.head * u if self.has("name") or self.has("cost") else pad
        strip = lay.strip * u if self.has("kind") or self.has("rarity") else pad
        foot = lay.foot * u if self.columns.numbers else pad
        ink = self._ink("foot_ink", "ink_on(accent)")
        lines += self._begin_card(edge)
        quoted, flavour = self._cut(self.value("flavour"), self.cells("flavour")) if self.has("flavour") else (
            "", self.cells("flavour"))
        top, bottom = edge + head * (not lay.below), self.height - edge - foot
        room = bottom - top - strip - head * lay.below
        plan = self._divide(inside.width, room, words, flavour, facts)
        window = Area(inside.x, top, inside.width, plan.window)
        name = Area(edge, edge + plan.window * lay.below, self.width - 2 * edge, head)
        if plan.window and lay.below:
            self._write_window(window, has_sign, plan)
        self._write_name(name, plan)
        if plan.window and not lay.below:
            self._write_window(window, has_sign, plan)
        middle = Area(inside.x, top + plan.window + head * lay.below, inside.width, strip)
        self._write_strip(middle, has_sign, self._ink("strip_ink", ink))
        box = Area(inside.x, middle.bottom, inside.width, bottom - middle.bottom)
        if box.height > 1:
            lines += self._draw("words", box, [call("panel", x=box.x, y=box.y, width=box.width, height=box.height,
                                                    radius=u, fill="paper")])
            self._write_words(box, (body, words), (quoted, flavour), facts, plan)
        if self.has("cost"):
            x, y = (length * u for length in lay.cost_at)
            seal = "look.cost" if self.look.name else "badge"
            lines.append(call(seal, self.value("cost"), x=edge + x, y=edge + y,
                              r=lay.cost * u, fill=None if self.look.name else 'mixed(accent, "#000000", 0.4)'))
        self._write_numbers(Area(edge, bottom, self.width - 2 * edge, foot), ink)

    def _begin_card(self, edge: float) -> list[str]:
        """The ground of a card, and its frame."""
        if self.look.name:
            return [*self._ground(), "{{ look.card() }}"]
        return ["{{ fill(paper) }}", call("panel", margin=edge, radius=2.6 * self.unit, fill="accent")]

    def _write_name(self, band: Area, plan: _Division) -> None:
        """The name in its band, beside the cost if that lies there."""
        u, lay = self.unit, self.look.measures
        if not self.has("name"):
            return
        is_beside = self.has("cost") and not (lay.below and plan.window)
        left = (lay.cost_indent if is_beside else lay.indent) * u
        if self.look.name:
            self.lines += self._draw("name", band, ())
        self._name(Area(band.x + left, band.y + 0.6 * u, band.width - left - lay.room * u, band.height - 1.2 * u),
                   self._ink("name_ink", "ink_on(accent)"), "middle" if lay.centred else "start", lay.name)

    def _divide(self, width: float, room: float, words: Sequence[str], flavour: Sequence[str],
                facts: Sequence[str]) -> _Division:
        """Divide the height of a card between its window and its words, and choose their size."""
        u, has_art = self.unit, bool(self.art.column)
        inner = width - 2 * self.look.measures.words * u
        quote, fact = self._extra_heights(inner, room, words, flavour, facts)
        if not any(words) and not quote and not fact:
            return _Division(window=room, size=0, quote=0, fact=0)
        texts = [(words[n], quote + 2.4 * u if flavour[n] else 0) for n in self._longest(words)]
        extra = fact + (1 * u if fact else 0) + 4 * u

        def remainder(size: float) -> float:
            """The height that the words, set at a size, and all below them leave to the window."""
            need = max((self.fitter.height(text, inner, size) + below for text, below in texts), default=0.0)
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
        if not has_art and (window < max(11 * u, room * 0.18) or not (self.has("name") or self.columns.kinds)):
            window = 0.0
        return _Division(window=window, size=step * u, quote=quote, fact=fact)

    def _extra_heights(self, width: float, room: float, words: Sequence[str], flavour: Sequence[str],
                       facts: Sequence[str]) -> tuple[float, float]:
        """The heights of flavour and facts."""
        u, fitter = self.unit, self.fitter
        quote = fact = 0.0
        if any(flavour):
            quote = max(fitter.height(flavour[n], width, 2.9 * u, "italic") for n in self._longest(flavour)) + 0.3 * u
            quote = min(quote, room * 0.3)
        if any(facts):
            fact = max(fitter.height(facts[n], width, MIN_BODY * u) for n in self._longest(facts)) + 0.3 * u
            fact = min(fact, room * 0.35) if any(words) or quote else min(len(self.columns.facts), 15) * 4.4 * u
        return quote, fact

    def _write_window(self, window: Area, has_sign: bool, plan: _Division) -> None:
        """The picture; where there is none, the ornament of the kind with the initial or the name."""
        if self.look.measures.full:
            window = Area(-BLEED_MM, -BLEED_MM, self.width + 2 * BLEED_MM, window.bottom + BLEED_MM)
        plain = self._ornament(window)
        cx, cy = window.x + window.width / 2, window.y + window.height / 2
        if self.has("name") and (self.art.column or plan.size or self.has("cost") or has_sign):
            radius = min(window.height * 0.36, 11 * self.unit)
            initial = f'(card.{self.columns.roles["name"].name} ~ "")[:1]'
            plain.append(call("look.emblem", initial, *["sign"] * has_sign, x=cx, y=cy, r=radius) if self.look.name
                         else call("badge", initial, x=cx, y=cy, r=radius, fill="accent"))
        elif has_sign:
            size = min(window.height * 0.5, 16 * self.unit)
            plain.append(call("look.emblem", '""', "sign", x=cx, y=cy, r=size / 2) if self.look.name
                         else call("icon", "sign", x=cx, y=cy, size=size, fill="accent"))
        frame = self._draw("frame", window, ())
        if not self.art.column:
            self.lines += [*plain, *frame]
            return
        picture = self._picture(window)
        if self.art.has_gaps:
            self.lines += [f"{{% if has_picture({self.art.column}) %}}", picture, "{% else %}", *plain,
                           "{% endif %}"]
        else:
            self.lines.append(picture)
        self.lines += frame

    def _write_strip(self, box: Area, has_sign: bool, ink: str) -> None:
        """The kind with its sign, and the rarity."""
        u, size = self.unit, 2.6 * self.unit
        width = box.width - 1.6 * u
        if self.has("kind") or self.has("rarity"):
            self.lines += self._draw("strip", box, ())
        if self.has("kind"):
            indent = 4.6 * u if has_sign else 0.8 * u
            if has_sign:
                icon = call("icon", "sign", x=box.x + 2.2 * u, y=box.cy, size=2.8 * u, fill=ink)
                self.lines.append(f'{{% if {self.value("kind")} ~ "" %}}{icon}{{% endif %}}')
            share = 0.58 if self.has("rarity") else 1.0
            room = Area(box.x + indent, box.y, width * share - indent, box.height)
            self.lines.append(self._line(self.value("kind"), self.cells("kind"), room, size, ink, "start"))
        if self.has("rarity"):
            share = 0.4 if self.has("kind") else 1.0
            room = Area(box.x + box.width - 0.8 * u - width * share, box.y, width * share, box.height)
            self.lines.append(self._line(self.value("rarity"), self.cells("rarity"), room, size * 0.92, ink, "end"))

    def _write_words(self, box: Area, of_body: _Shown, of_flavour: _Shown, facts: Sequence[str],
                     plan: _Division) -> None:
        """Words, flavour and facts in their panel."""
        u, lines = self.unit, self.lines
        (body, words), (cell, flavour) = of_body, of_flavour
        pad = self.look.measures.words * u
        x, width, top, bottom = box.x + pad, box.width - 2 * pad, box.y + 1.6 * u, box.bottom - 1.6 * u
        if plan.fact and not any(words) and not plan.quote:
            self._write_table(Area(x, top, width, bottom - top))
            return
        if plan.fact:
            most = MIN_BODY * u
            texts = [(facts[n], plan.fact) for n in self._longest(facts)]
            function = self._function(facts)
            fits = self.fitter.size(texts, width, most, markup=function == "rich")
            self._warn(facts, self.columns.facts[0], fits)
            lines.append(self._box(function, "facts", x, width, "center", y=bottom - plan.fact, height=plan.fact,
                                   size=most, min_size=floor_size(min(fits * 0.97, most * 0.8)), valign="bottom",
                                   fill=self._ink("fact_ink", 'mixed(accent, "#000000", 0.5)')))
            bottom -= plan.fact + 1 * u
        if plan.quote:
            quotes = [(flavour[n], plan.quote) for n in self._longest(flavour)]
            function = self._function(flavour)
            fits = self.fitter.size(quotes, width, 2.9 * u, "italic", markup=function == "rich")
            self._warn(flavour, self.columns.roles["flavour"], fits)
            lines.append(f'{{% if {cell} ~ "" %}}')
            if any(words):
                above = 0.9 * u if self.look.name else 1.3 * u  # ornament of a look is higher than a line
                rule = Area(self.width / 2 - 7 * u, bottom - plan.quote - above, 14 * u, 0.25 * u)
                lines += self._draw("rule", rule, [call("panel", x=rule.x, y=rule.y, width=rule.width,
                                                        height=rule.height, fill="mixed(accent, paper, 0.3)")])
            lines += [self._box(function, cell, x, width, "left" if self.look.measures.left else "center",
                                y=bottom - plan.quote, height=plan.quote, size=2.9 * u,
                                min_size=floor_size(min(fits * 0.99, 2.2 * u)), style="italic",
                                valign="bottom", fill=self._ink("quote_ink", '"#5a5045"')), "{% endif %}"]
        if not any(words):
            return
        lower = bottom - plan.quote - 2.4 * u if plan.quote else bottom
        rows = self._longest([word + ("\n" if flavour[n] else "") for n, word in enumerate(words)])
        heights = [(words[n], (lower if flavour[n] else bottom) - top) for n in rows]
        function = self._function(words)
        size = max(plan.size, min(3.4 * u, plan.size * 1.4))  # short texts need not be as small as the longest
        fits = self.fitter.size(heights, width, size, leading=1.22, markup=function == "rich")
        column = self.columns.texts[0] if self.columns.texts else self.columns.roles["keywords"]
        self._warn(words, column, fits)
        is_left = self.look.measures.left or median(len(word) for word in words if word) > 130
        height: float | str = bottom - top
        if plan.quote:
            height = f'({lower - top:.4g} if {self.value("flavour")} ~ "" else {bottom - top:.4g})'
        least = floor_size(min(fits * 0.99, size * 0.75))
        lines.append(self._box(function, body, x, width, "left" if is_left else "center", y=top, height=height,
                               size=size, min_size=least, leading=1.22,
                               valign="top" if self.look.measures.left else "middle",
                               fill=self._ink("words_ink", f'"{LETTERS}"'), accent=self._ink("strong_ink", "accent")))

    def _write_table(self, box: Area) -> None:
        """The facts as a table: what each is on the left, its value on the right."""
        u, facts = self.unit, self.columns.facts
        columns = 1 if len(facts) <= 14 else 2
        count = -(-len(facts) // columns)
        row = min(box.height / count, 6 * u)
        width = (box.width - 3 * u * (columns - 1)) / columns
        size = min(row * 0.62, 3 * u)
        names = self.fitter.line([column.heading for column in facts], width * 0.48, size * 0.9, "text")
        cells = [cell for column in facts for cell in self.cells(column)]
        values = self.fitter.line(cells, width * 0.48, size, "strong")
        longest = max(facts, key=lambda column: column.longest)
        self._warn(self.cells(longest), longest, min(names, values))
        pairs = ", ".join(f"({quote(column.heading)}, {self.value(column)})" for column in facts)
        self.lines += [
            f"{{% set facts = [{pairs}] %}}",
            f"{{% for box in rows({len(facts)}, columns={columns}, gap={3 * u if columns > 1 else 0:.3g}, x={box.x:g}, "
            f"y={box.cy - row * count / 2:.4g}, width={box.width:.4g}, height={row * count:.4g}) %}}",
            call("text", "facts[box.n][0]", x="box.x", y=f"box.cy + {size * 0.3:.3g}", width=width * 0.48,
                  size=size * 0.9, min_size=floor_size(min(names * 0.98, size * 0.7)),
                  fill=self._ink("fact_ink", 'mixed(accent, "#000000", 0.2)')),
            call("text", "facts[box.n][1]", x="box.x + box.width", y=f"box.cy + {size * 0.3:.3g}", width=width * 0.48,
                  size=size, min_size=floor_size(min(values * 0.98, size * 0.7)), style="strong", anchor="end",
                  fill=self._ink("words_ink", f'"{LETTERS}"')),
            "{% endfor %}"]

    def _write_numbers(self, box: Area, ink: str) -> None:
        """Numbers in the lower corners, each with what it is."""
        u, lay = self.unit, self.look.measures
        radius, inset = lay.number * u, lay.number_at * u
        y = box.y + box.height / 2
        for role, side in (("left", -1), ("right", 1)):
            if role not in self.columns:
                continue
            column = self.columns.roles[role]
            x = box.x + inset if side < 0 else box.x + box.width - inset
            width = box.width / 2 - 2 * inset
            size = 2.3 * u
            fits = self.fitter.line([column.heading.upper()], width, size, "strong", 0.06)
            self.lines += [
                call("look.number", f"card.{column.name}", x=x, y=y, r=radius) if self.look.name else call(
                    "badge", f"card.{column.name}", x=x, y=y, r=radius, fill='mixed(accent, "#000000", 0.4)'),
                f'{{% if card.{column.name} ~ "" %}}' + call(
                    "text", quote(column.heading.upper()), x=x - side * (radius + 1.2 * u), y=y + size * 0.33,
                    width=width, size=size, min_size=floor_size(min(fits * 0.98, size * 0.8)), style="strong",
                    anchor="start" if side < 0 else "end", spacing=0.06, fill=ink) + "{% endif %}"]


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
    """A key of TOML."""
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
