"""First layouts: templates for the cards of a sheet whose columns are understood, measured so that all of it fits.

Three layouts: a card (name, picture or ornament, words), an index card (suits and numbers) and a token (hexes,
counters). What is written is meant to be read and changed: calls with plain numbers in mm.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from statistics import median
from typing import NamedTuple

from ppgen.engine.colours import legible_ink
from ppgen.engine.drawing.fonts import FontBook
from ppgen.engine.drawing.lettering import Lettering, parse_markup
from ppgen.engine.geometry import Size, points
from ppgen.engine.guard.metering import MAX_LETTERING
from ppgen.engine.shapes import ShapeKind
from ppgen.errors import Problem, Problems
from ppgen.games.own_deck.sheet_columns import CardColumn, CardColumns, kind_signs, layout_data

PAPER, LETTERS, NIGHT = "#f7f1e3", "#241f1a", "#2b3350"
POKER = Size(63.5, 88.9)
"""Lengths below are for this size, and grow with the card."""
MAX_TOKEN_MM = 35.0
MAX_BODY, GOOD_BODY, MIN_BODY = 4.2, 3.0, 2.3
"""Sizes of the words (mm): at most, well legible, and the least that is chosen (6.5 pt)."""
LEAST_SIZE = 0.4
"""What does not fit above MIN_BODY shrinks to this, with a warning."""
MIN_TYPE_POINTS = 5.0
MEASURED = 16
"""The longest texts of a column, which are measured."""
_LITERALS = ("style", "align", "valign", "anchor", "focus", "fit", "id", "kind")
_EXACT = ("spacing", "stroke_width", "min_size", "leading")
_FONT_SIZE = re.compile(r'font-size="([\d.]+)"')
_NEEDS = re.compile(r'data-needs="([\d.]+)"')


@dataclass(frozen=True, kw_only=True)
class ArtPlan:
    """The pictures of the cards: the column that names them, the proportion of most, and whether some are missing."""

    column: str = ""
    aspects: tuple[float, ...] = ()
    has_gaps: bool = False

    @property
    def aspect(self) -> float:
        return min(max(median(self.aspects), 0.6), 2.2) if self.aspects else 1.4


@dataclass(frozen=True, kw_only=True)
class FirstLayout:
    """The templates of front and back, what is set too small, and the headings for which a token has no room."""

    front: str
    back: str
    warnings: tuple[Problem, ...]
    left_out: tuple[str, ...]


class _Square:
    """Any icon, while texts are measured."""

    aspect = 1.0

    def draw(self, x: float, y: float, size: float, fill: str) -> str:
        return ""


class _Area(NamedTuple):
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


@dataclass(frozen=True, slots=True)
class _Division:
    """How a card is divided: height of the window, size of the words, heights for flavour and facts."""

    window: float
    size: float
    quote: float
    fact: float


@dataclass(slots=True)
class _Fitter:
    """Measures texts with the engine's own lettering."""

    fonts: FontBook
    lettering: Lettering = field(init=False)

    def __post_init__(self) -> None:
        self.lettering = Lettering(fonts=self.fonts, icons=lambda name: _Square())

    def height(self, words: str, width: float, size: float, style: str = "text") -> float:
        """The height that words need at a size, with markup if it can be read."""
        if not words:
            return 0.0
        drawn = self.lettering.rich(words, x=0, y=0, width=width, height=1000, size=size, style=style)
        match = _NEEDS.search(drawn)
        return float(match[1]) if match else 0.0

    def size(self, texts: Iterable[tuple[str, float]], width: float, most: float, style: str = "text",
             leading: float = 1.2, function: str = "rich") -> float:
        """The size at which each text fits the width and its height; at most ``most``."""
        found, write = most, getattr(self.lettering, function)
        for words, height in texts:
            while found > LEAST_SIZE and words:
                drawn = write(words, x=0, y=0, width=width, height=max(height, 0.1), size=found,
                              min_size=max(found * 0.5, LEAST_SIZE), style=style, leading=leading)
                match = _FONT_SIZE.search(drawn)
                now = float(match[1]) if match else found
                if now > max(found * 0.5, LEAST_SIZE) + 0.001:
                    found = min(found, now)
                    break
                found = max(found * 0.5, LEAST_SIZE)
        return found

    def line(self, texts: Iterable[str], width: float, most: float, style: str = "title", spacing: float = 0) -> float:
        """The size at which each text fits a line of the width."""
        widest = max((self.fonts.width(text, style, 1, spacing) for text in texts if text), default=0.0)
        return min(most, width / widest * 0.995) if widest else most


def write_layout(columns: CardColumns, art: ArtPlan, size: Size, shape: ShapeKind, fonts: FontBook,
                 back_picture: bool = False) -> FirstLayout:
    """Write the templates of a deck with these columns and pictures, for cards of a size and shape."""
    sheet = _Layout(columns, art, size, shape, _Fitter(fonts))
    is_ruled = shape in (ShapeKind.RECTANGLE, ShapeKind.ROUNDED)
    if not is_ruled or max(size.width, size.height) <= MAX_TOKEN_MM:
        sheet.write_token()
    elif not columns.texts and not art.column and "cost" in columns and "flavour" not in columns and (
            not columns.facts and ("name" not in columns or "kind" in columns)):
        sheet.write_index()
    elif not art.column and columns.has_words_alone:
        sheet.write_plaque()
    else:
        sheet.write_card()
    back = "" if back_picture else _Layout(columns, art, size, shape, _Fitter(fonts)).write_back(is_ruled)
    return FirstLayout(front="\n".join(sheet.lines) + "\n", back=back, warnings=tuple(sheet.warnings),
                       left_out=sheet.left_out)


def _call(function: str, *words: str, **options: object) -> str:
    """A call in a template. Numbers are rounded to a twentieth of a mm; words are expressions, but for names."""
    given = [*words]
    for name, value in options.items():
        if value is None or (name, value) == ("anchor", "start"):
            continue
        if isinstance(value, int | float):
            value = f"{value if name in _EXACT else round(value * 20) / 20:.5g}"
        elif name in _LITERALS:
            value = _quote(str(value))
        given.append(f"{name}={value}")
    return f"{{{{ {function}({', '.join(given)}) }}}}"


def _quote(words: str) -> str:
    return json.dumps(words, ensure_ascii=False)


def _floor(size: float) -> float:
    """A size in full hundredths of a mm."""
    return int(size * 100) / 100


class _Layout:
    """A template that is being written."""

    def __init__(self, columns: CardColumns, art: ArtPlan, size: Size, shape: ShapeKind, fitter: _Fitter) -> None:
        self.columns, self.art, self.size, self.shape, self.fitter = columns, art, size, shape, fitter
        self.width, self.height = size.width, size.height
        sides = sorted((size.width, size.height))
        self.unit = min(sides[0] / POKER.width, sides[1] / POKER.height)
        self.lines: list[str] = []
        self.warnings: list[Problem] = []
        self.left_out: tuple[str, ...] = ()
        table = columns.table
        count = max((len(column.all_cells) for column in (*columns.roles.values(), *columns.texts, *columns.facts)),
                    default=0)
        self.rows = [(n % len(table.rows), n) for n in range(count)] if table.rows else []

    # Cells

    def cells(self, role: str | CardColumn) -> list[str]:
        """The cells of a role or column in all rows and languages; empty texts if there is none."""
        column = self.columns.roles.get(role) if isinstance(role, str) else role
        if column is None:
            return [""] * len(self.rows)
        both = column.all_cells if len(column.all_cells) == len(self.rows) else None
        return [both[n] if both else column.cells[row] for row, n in self.rows]

    def value(self, role: str | CardColumn) -> str:
        """The expression of a cell on one line."""
        column = self.columns.roles[role] if isinstance(role, str) else role
        if any(letter.isspace() and letter != " " for cell in column.all_cells for letter in cell):
            return f'(card.{column.name} ~ "").split() | join(" ")'
        return f"card.{column.name}"

    def has(self, role: str) -> bool:
        return role in self.columns

    def _longest(self, texts: Sequence[str]) -> list[int]:
        weight = [sum(2 if letter > "\u2fff" else 1 for letter in text) + 40 * text.count("\n") for text in texts]
        return sorted(range(len(texts)), key=lambda n: -weight[n])[:MEASURED]

    def _warn(self, texts: Sequence[str], column: CardColumn, fits: float) -> None:
        """Warn of a text that had to be set too small."""
        if points(fits) < MIN_TYPE_POINTS and texts:
            row = self.columns.table.rows[self.rows[max(range(len(texts)), key=lambda n: len(texts[n]))][0]]
            self.warnings.append(Problem(
                place=self.columns.table.place, line=row.line, key=column.heading,
                what=f"its {max(map(len, texts))} characters are set in {points(fits):.1f} pt",
                remedy="shorten it, or choose a larger --size"))

    def _check_lengths(self, *texts: Sequence[str]) -> None:
        """Note rows with more words than a face may show. Raises InputError."""
        table, problems = self.columns.table, Problems()
        for row, n in self.rows:
            if (length := max(len(words[n]) for words in texts)) > MAX_LETTERING:
                problems.note(table.place, f"has {length:,} characters for one card",
                              f"at most {MAX_LETTERING:,}: shorten them, or leave out a column",
                              line=table.rows[row].line)
        problems.raise_if_any()

    # What all layouts share

    def _begin(self) -> None:
        self.lines.append("{# A first layout, to be changed: lengths are mm from the top left corner of the card. #}")
        self.lines.append(f'{{% set paper = "{PAPER}" %}}')
        accent = _quote(NIGHT)
        if self.has("colour"):
            accent = f'{self.value("colour")} or "{NIGHT}"'
        elif self.columns.kinds:
            kind = self.columns.roles["kind"]
            cell = f"card.{kind.name}" + (' ~ ""' if kind.is_number else "")
            accent = f'colours.{kind.name}[{cell}] | default("{NIGHT}")'
        self.lines.append(f"{{% set accent = {accent} %}}")

    def _set_sign(self) -> bool:
        """Set ``sign`` to the icon of the card's kind; return whether there are kinds."""
        if not self.columns.kinds:
            return False
        signs = kind_signs(tuple(self.columns.kinds))
        kind = self.columns.roles["kind"]
        cell = f"card.{kind.name}" + (' ~ ""' if kind.is_number else "")
        words = ", ".join(f"{_quote(value)}: {_quote(sign)}" for value, sign in signs.items())
        self.lines.append(f'{{% set sign = {{{words}}}[{cell}] | default("{next(iter(signs.values()))}") %}}')
        return True

    def _ornament(self, box: _Area, scale: float = 7, ground: float = 0.12, line: float = 0.3) -> list[str]:
        """A panel with the ornament of the card's kind."""
        kinds, ornaments = tuple(self.columns.kinds), layout_data()["drawing"]["ornaments"]
        kind = _quote(ornaments[0])
        if len(kinds) > 1:
            signs = kind_signs(kinds)
            words = ", ".join(f"{_quote(sign)}: {_quote(ornaments[n % len(ornaments)])}"
                              for n, sign in enumerate(dict.fromkeys(signs.values())))
            kind = f"{{{words}}}[sign]"
        x, y, width, height = (f"{round(each, 2):g}" for each in (box.x, box.y, box.width, box.height))
        return [_call("panel", x=box.x, y=box.y, width=box.width, height=box.height, radius=self.unit,
                      fill=f"mixed(accent, paper, {ground:g})"),
                f'<defs>{{{{ diaper(id="ornament", kind={kind}, size={scale * self.unit:.3g}, '
                f'stroke=mixed(accent, paper, {line:g} if ink == "full" else 0.7), x={box.cx:.4g}, y={box.cy:.4g}, '
                'width=0.2) }}</defs>',
                f'<rect x="{x}" y="{y}" width="{width}" height="{height}" rx="{self.unit:.3g}" '
                'fill="url(#ornament)"/>']

    def _picture(self, box: _Area) -> str:
        return _call("image", self.art.column, x=box.x, y=box.y, width=box.width, height=box.height,
                     radius=self.unit, focus="50% 35%")

    def _name(self, box: _Area, fill: str, anchor: str = "start", most: float = 4.7) -> None:
        """The name on a line, or on two if it is long."""
        names, u = self.cells("name"), self.unit
        size = self.fitter.line(names, box.width, most * u)
        if size >= 0.62 * most * u:
            x = box.x if anchor == "start" else box.cx
            self.lines.append(_call("text", self.value("name"), x=x, y=box.cy + most * u * 0.34, width=box.width,
                                    size=most * u, min_size=_floor(min(size, 0.6 * most * u)), style="title",
                                    anchor=anchor, fill=fill))
            return
        long = [names[n] for n in self._longest(names)]
        fits = self.fitter.size([(name, box.height) for name in long], box.width, most * u, "title", 1.0)
        self._warn(names, self.columns.roles["name"], fits)
        self.lines.append(_call("rich", self.value("name"), x=box.x, y=box.y, width=box.width, height=box.height,
                                size=most * u, min_size=_floor(min(fits * 0.99, 0.5 * most * u)), style="title",
                                align="left" if anchor == "start" else "center", valign="middle", leading=1,
                                fill=fill))

    def _line(self, expression: str, cells: Sequence[str], box: _Area, size: float, fill: str, anchor: str = "middle",
              style: str = "strong", spacing: float = 0.06) -> str:
        """A small line of capitals in the middle of a box's height."""
        words = [cell.upper() for cell in cells]
        fits = self.fitter.line(words, box.width, size, style, spacing)
        x = {"start": box.x, "middle": box.cx, "end": box.right}[anchor]
        return _call("text", f"{expression} | upper", x=x, y=box.cy + size * 0.33, width=box.width, size=size,
                     min_size=_floor(min(fits * 0.98, size * 0.6)), style=style, anchor=anchor, spacing=spacing,
                     fill=fill)

    # Body: texts, flavour, facts

    def _body(self) -> tuple[str, list[str]]:
        """The expression of the words of a card, and what it gives for each row."""
        parts: list[tuple[str, str, CardColumn]] = []
        if keywords := self.columns.roles.get("keywords"):
            parts.append(("**", "**", keywords))
        for n, column in enumerate(self.columns.texts):
            label = re.sub(r"[*={}\\]", "", column.heading)
            parts.append((f"**{label}:** " if n else "", "", column))
        cells = [self.cells(column) for _, _, column in parts]
        words = ["\n\n".join(f"{before}{cell}{after}" for (before, after, _), cell in zip(parts, row, strict=True)
                             if cell) for row in zip(*cells, strict=True)] if parts else [""] * len(self.rows)
        if len(parts) == 1 and parts[0][0] == "":
            return f"card.{parts[0][2].name}", words
        pieces = []
        for before, after, column in parts:
            name = f"card.{column.name}"
            piece = " ~ ".join(_quote(part) if part != name else part for part in (before, name, after))
            pieces.append(f'({piece} if {name} ~ "" else "")')
        return f'[{", ".join(pieces)}] | select | join("\\n\\n")', words

    def _facts(self) -> tuple[list[str], list[str]]:
        """Lines of the template that set ``facts``, and the words of each row."""
        if not self.columns.facts:
            return [], [""] * len(self.rows)
        items = [f'({_quote(f"{column.heading}: ")} ~ card.{column.name} if card.{column.name} ~ "" else "")'
                 for column in self.columns.facts]
        lines = ["{% set facts = [", *(f"  {item}," for item in items), '] | select | join("  ·  ") %}']
        cells = [self.cells(column) for column in self.columns.facts]
        words = ["  ·  ".join(f"{column.heading}: {cell}" for column, cell in zip(self.columns.facts, row, strict=True)
                              if cell) for row in zip(*cells, strict=True)]
        return lines, words

    def _box(self, function: str, words: str, x: float, width: float, align: str, **options: object) -> str:
        """A call of ``rich``, or of ``paragraph``, which counts from the middle if it is centred."""
        if function == "rich":
            return _call(function, words, x=x, width=width, align=align, **options)
        options.pop("accent", None)
        centred = align == "center"
        return _call(function, words, x=x + width / 2 if centred else x, width=width,
                     anchor="middle" if centred else "start", **options)

    def _function(self, texts: Sequence[str]) -> str:
        """``rich``, or ``paragraph`` for words whose markup can't be read."""
        try:
            for text in texts:
                parse_markup(text, "text", "", lambda name: _Square())
        except ValueError:
            return "paragraph"
        return "rich"

    # Cards

    def write_card(self) -> None:
        """A frame in the colour of the kind: name, picture or ornament, kind, words, numbers."""
        u, lines = self.unit, self.lines
        self._begin()
        has_sign = self._set_sign()
        fact_lines, facts = self._facts()
        if any(words := self._body()[1]) or any(self.cells("flavour")):
            lines += fact_lines
        edge, pad = 3 * u, 1.6 * u
        inside = _Area(edge + pad, 0, self.width - 2 * (edge + pad), 0)
        head = 9.2 * u if self.has("name") or self.has("cost") else pad
        strip = 5.4 * u if self.has("kind") or self.has("rarity") else pad
        foot = 7.6 * u if self.columns.numbers else pad
        ink = "ink_on(accent)"
        lines += ["{{ fill(paper) }}", _call("panel", margin=edge, radius=2.6 * u, fill="accent")]
        if self.has("name"):
            left = 11 * u if self.has("cost") else 2.4 * u
            self._name(_Area(edge + left, edge + 0.6 * u, self.width - 2 * edge - left - 2.2 * u, head - 1.2 * u), ink)
        body, words = self._body()
        self._check_lengths(words, facts, self.cells("flavour"))
        flavour = self.cells("flavour")
        top, bottom = edge + head, self.height - edge - foot
        room = bottom - top - strip
        plan = self._divide(inside.width, room, words, flavour, facts)
        window = _Area(inside.x, top, inside.width, plan.window)
        if plan.window:
            self._write_window(window, has_sign, plan)
        middle = _Area(inside.x, top + plan.window, inside.width, strip)
        self._write_strip(middle, has_sign, ink)
        box = _Area(inside.x, middle.bottom, inside.width, bottom - middle.bottom)
        if box.height > 1:
            lines.append(_call("panel", x=box.x, y=box.y, width=box.width, height=box.height, radius=u, fill="paper"))
            self._write_words(box, body, words, flavour, facts, plan)
        if self.has("cost"):
            lines.append(_call("badge", self.value("cost"), x=edge + 5.5 * u, y=edge + head / 2, r=4 * u,
                               fill='mixed(accent, "#000000", 0.4)'))
        self._write_numbers(_Area(edge, bottom, self.width - 2 * edge, foot), ink)

    def _divide(self, width: float, room: float, words: Sequence[str], flavour: Sequence[str],
                facts: Sequence[str]) -> _Division:
        """Divide the height of a card between its window and its words, and choose their size."""
        u, fitter = self.unit, self.fitter
        inner = width - 4.4 * u
        quote = fact = 0.0
        if any(flavour):
            quote = max(fitter.height(flavour[n], inner, 2.9 * u, "italic") for n in self._longest(flavour)) + 0.3 * u
            quote = min(quote, room * 0.3)
        if any(facts):
            fact = max(fitter.height(facts[n], inner, MIN_BODY * u) for n in self._longest(facts)) + 0.3 * u
            fact = min(fact, room * 0.35) if any(words) or quote else min(len(self.columns.facts), 15) * 4.4 * u
        if not any(words) and not quote and not fact:
            return _Division(window=room, size=0, quote=0, fact=0)
        best = width / self.art.aspect if self.art.column else room * 0.48
        least = room * 0.34 if self.art.column else 0
        chosen, size, most = 0.0, MAX_BODY * u, MAX_BODY - (0.4 if self.art.column else 0)
        full = [f"{words[n]}\0" if flavour[n] else words[n] for n in self._longest(words)]
        steps = [most - step * 0.2 for step in range(10) if most - step * 0.2 >= MIN_BODY]
        for step in steps:
            size = step * u
            need = max((fitter.height(text.rstrip("\0"), inner, size) + (quote + 2.4 * u if text.endswith("\0") else 0)
                        for text in full), default=0.0)
            need = max(need, quote + 1 * u if quote else 0) + fact + (1 * u if fact else 0) + 4 * u
            left = room - need
            want = best if step >= 3.4 else max(least, best * (0.85 if step >= GOOD_BODY else 0.62 if least else 0))
            chosen = min(left, best * 1.12, room * 0.74)
            if left >= want:
                break
        else:
            chosen = max(room * 0.3 if self.art.column else 0.0, min(chosen, best))
        if not self.art.column and (chosen < max(11 * u, room * 0.18) or not (self.has("name") or self.columns.kinds)):
            chosen = 0.0
        return _Division(window=chosen, size=size, quote=quote, fact=fact)

    def _write_window(self, window: _Area, has_sign: bool, plan: _Division) -> None:
        """The picture; where there is none, the ornament of the kind with the initial or the name."""
        plain = self._ornament(window)
        cx, cy = window.x + window.width / 2, window.y + window.height / 2
        if self.has("name") and (self.art.column or plan.size or self.has("cost") or has_sign):
            radius = min(window.height * 0.36, 11 * self.unit)
            initial = f'(card.{self.columns.roles["name"].name} ~ "")[:1]'
            plain.append(_call("badge", initial, x=cx, y=cy, r=radius, fill="accent"))
        elif has_sign:
            size = min(window.height * 0.5, 16 * self.unit)
            plain.append(_call("icon", "sign", x=cx, y=cy, size=size, fill="accent"))
        if not self.art.column:
            self.lines += plain
            return
        picture = self._picture(window)
        if self.art.has_gaps:
            self.lines += [f"{{% if has_picture({self.art.column}) %}}", picture, "{% else %}", *plain,
                           "{% endif %}"]
        else:
            self.lines.append(picture)

    def _write_strip(self, box: _Area, has_sign: bool, ink: str) -> None:
        """The kind with its sign, and the rarity."""
        u, size = self.unit, 2.6 * self.unit
        width = box.width - 1.6 * u
        if self.has("kind"):
            indent = 4.6 * u if has_sign else 0.8 * u
            if has_sign:
                icon = _call("icon", "sign", x=box.x + 2.2 * u, y=box.cy, size=2.8 * u, fill=ink)
                self.lines.append(f'{{% if {self.value("kind")} ~ "" %}}{icon}{{% endif %}}')
            share = 0.58 if self.has("rarity") else 1.0
            room = _Area(box.x + indent, box.y, width * share - indent, box.height)
            self.lines.append(self._line(self.value("kind"), self.cells("kind"), room, size, ink, "start"))
        if self.has("rarity"):
            share = 0.4 if self.has("kind") else 1.0
            room = _Area(box.x + box.width - 0.8 * u - width * share, box.y, width * share, box.height)
            self.lines.append(self._line(self.value("rarity"), self.cells("rarity"), room, size * 0.92, ink, "end"))

    def _write_words(self, box: _Area, body: str, words: Sequence[str], flavour: Sequence[str], facts: Sequence[str],
                     plan: _Division) -> None:
        """Words, flavour and facts in their panel."""
        u, lines = self.unit, self.lines
        pad = 2.2 * u
        x, width, top, bottom = box.x + pad, box.width - 2 * pad, box.y + 1.6 * u, box.bottom - 1.6 * u
        if plan.fact and not any(words) and not plan.quote:
            self._write_table(_Area(x, top, width, bottom - top))
            return
        if plan.fact:
            most = MIN_BODY * u
            texts = [(facts[n], plan.fact) for n in self._longest(facts)]
            fits = self.fitter.size(texts, width, most, function="paragraph")
            self._warn(facts, self.columns.facts[0], fits)
            lines.append(_call("paragraph", "facts", x=self.width / 2, y=bottom - plan.fact, width=width,
                               height=plan.fact,
                               size=most, min_size=_floor(min(fits * 0.97, most * 0.8)), anchor="middle",
                               valign="bottom", fill='mixed(accent, "#000000", 0.5)'))
            bottom -= plan.fact + 1 * u
        if plan.quote:
            quotes = [(flavour[n], plan.quote) for n in self._longest(flavour)]
            function = self._function(flavour)
            fits = self.fitter.size(quotes, width, 2.9 * u, "italic", function=function)
            self._warn(flavour, self.columns.roles["flavour"], fits)
            cell = self.value("flavour")
            lines.append(f'{{% if {cell} ~ "" %}}')
            if any(words):
                lines.append(_call("panel", x=self.width / 2 - 7 * u, y=bottom - plan.quote - 1.3 * u, width=14 * u,
                                   height=0.25 * u, fill="mixed(accent, paper, 0.3)"))
            lines += [self._box(function, cell, x, width, "center", y=bottom - plan.quote, height=plan.quote,
                                size=2.9 * u, min_size=_floor(min(fits * 0.99, 2.2 * u)), style="italic",
                                valign="bottom", fill='"#5a5045"'), "{% endif %}"]
        if not any(words):
            return
        lower = bottom - plan.quote - 2.4 * u if plan.quote else bottom
        rows = self._longest([word + ("\n" if flavour[n] else "") for n, word in enumerate(words)])
        heights = [(words[n], (lower if flavour[n] else bottom) - top) for n in rows]
        function = self._function(words)
        size = max(plan.size, min(3.4 * u, plan.size * 1.4))  # short texts need not be as small as the longest
        fits = self.fitter.size(heights, width, size, leading=1.22, function=function)
        column = self.columns.texts[0] if self.columns.texts else self.columns.roles["keywords"]
        self._warn(words, column, fits)
        is_long = median(len(word) for word in words if word) > 130
        height: float | str = bottom - top
        if plan.quote:
            height = f'({lower - top:.4g} if {self.value("flavour")} ~ "" else {bottom - top:.4g})'
        least = _floor(min(fits * 0.99, size * 0.75))
        lines.append(self._box(function, body, x, width, "left" if is_long else "center", y=top, height=height,
                               size=size, min_size=least, leading=1.22, valign="middle", fill=f'"{LETTERS}"',
                               accent="accent"))

    def _write_table(self, box: _Area) -> None:
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
        self._warn([column.heading for column in facts], facts[0], min(names, values))
        pairs = ", ".join(f"({_quote(column.heading)}, {self.value(column)})" for column in facts)
        self.lines += [
            f"{{% set facts = [{pairs}] %}}",
            f"{{% for box in rows({len(facts)}, columns={columns}, gap={3 * u if columns > 1 else 0:.3g}, x={box.x:g}, "
            f"y={box.cy - row * count / 2:.4g}, width={box.width:.4g}, height={row * count:.4g}) %}}",
            _call("text", "facts[box.n][0]", x="box.x", y=f"box.cy + {size * 0.3:.3g}", width=width * 0.48,
                  size=size * 0.9, min_size=_floor(min(names * 0.98, size * 0.7)),
                  fill='mixed(accent, "#000000", 0.2)'),
            _call("text", "facts[box.n][1]", x="box.x + box.width", y=f"box.cy + {size * 0.3:.3g}", width=width * 0.48,
                  size=size, min_size=_floor(min(values * 0.98, size * 0.7)), style="strong", anchor="end",
                  fill=f'"{LETTERS}"'),
            "{% endfor %}"]

    def _write_numbers(self, box: _Area, ink: str) -> None:
        """Numbers in the lower corners, each with what it is."""
        u, radius = self.unit, 3.5 * self.unit
        y = box.y + box.height / 2
        for role, side in (("left", -1), ("right", 1)):
            if role not in self.columns:
                continue
            column = self.columns.roles[role]
            x = box.x + 5 * u if side < 0 else box.x + box.width - 5 * u
            width = box.width / 2 - 10 * u
            size = 2.3 * u
            fits = self.fitter.line([column.heading.upper()], width, size, "strong", 0.06)
            self.lines += [
                _call("badge", f"card.{column.name}", x=x, y=y, r=radius, fill='mixed(accent, "#000000", 0.4)'),
                f'{{% if card.{column.name} ~ "" %}}' + _call(
                    "text", _quote(column.heading.upper()), x=x - side * 4.7 * u, y=y + size * 0.33, width=width,
                    size=size, min_size=_floor(min(fits * 0.98, size * 0.8)), style="strong",
                    anchor="start" if side < 0 else "end", spacing=0.06, fill=ink) + "{% endif %}"]

    # Words alone

    def write_plaque(self) -> None:
        """A single text or name, on a plaque on ornament."""
        u, edge = self.unit, 3 * self.unit
        is_name = not self.columns.texts
        column = self.columns.roles["name"] if is_name else self.columns.texts[0]
        words = self.cells(column)
        self._check_lengths(words)
        style, most = ("title", 7.5 * u) if is_name else ("text", 4.8 * u)
        frame = _Area(edge + 1.6 * u, edge + 1.6 * u, self.width - 2 * edge - 3.2 * u, self.height - 2 * edge - 3.2 * u)
        width, room = frame.width - 12 * u, frame.height - 18 * u
        texts = [(words[n], room) for n in self._longest(words)]
        if is_name:  # no word may break
            most = min(most, self.fitter.line([part for word in words for part in word.split()], width, most))
        function = self._function(words)
        fits = self.fitter.size(texts, width, most, style, 1.15, function)
        self._warn(words, column, fits)
        size = max(fits, min(most, 3.4 * u))
        height = min(max(self.fitter.height(words[n], width, fits, style) for n in self._longest(words)) + 1 * u, room)
        plaque = _Area(frame.x + 3 * u, frame.cy - height / 2 - 4 * u, frame.width - 6 * u, height + 8 * u)
        self._begin()
        self.lines += ["{{ fill(paper) }}", _call("panel", margin=edge, radius=2.6 * u, fill="accent"),
                       *self._ornament(frame, 9),
                       _call("panel", x=plaque.x, y=plaque.y, width=plaque.width, height=plaque.height, radius=1.6 * u,
                             fill="paper"),
                       _call("panel", x=plaque.x + u, y=plaque.y + u, width=plaque.width - 2 * u,
                             height=plaque.height - 2 * u, radius=u, stroke="mixed(accent, paper, 0.4)",
                             stroke_width=0.25 * u),
                       self._box(function, f"card.{column.name}", frame.cx - width / 2, width, "center",
                                 y=frame.cy - height / 2, height=height, size=size,
                                 min_size=_floor(min(fits * 0.99, size * 0.7)), style=style, leading=1.15,
                                 valign="middle", fill=f'"{LETTERS}"')]

    # Index cards

    def write_index(self) -> None:
        """Suits and numbers: indices in two corners, and the number on the suit's ornament."""
        u, lines = self.unit, self.lines
        self._begin()
        has_sign = self._set_sign()
        number, value = self.cells("cost"), self.value("cost")
        lines += ["{{ fill(paper) }}"]
        frame = _Area(12.5 * u, 8 * u, self.width - 25 * u, self.height - 16 * u)
        lines.append(_call("panel", x=frame.x - 1.4 * u, y=frame.y - 1.4 * u, width=frame.width + 2.8 * u,
                           height=frame.height + 2.8 * u, radius=2.4 * u, stroke="accent", stroke_width=0.35 * u))
        lines.append(_call("panel", x=frame.x, y=frame.y, width=frame.width, height=frame.height, radius=1.4 * u,
                           fill="accent"))
        lines += self._ornament(frame, 8, 0.0, 0.18)
        big = self.fitter.line(number, frame.width * 0.78, 27 * u)
        y = self.height / 2 + big * 0.34
        lines.append(_call("text", value, x=self.width / 2, y=y, width=frame.width * 0.8, size=big,
                           min_size=_floor(big * 0.6), style="title", anchor="middle", fill="ink_on(accent)"))
        words = next(filter(self.has, ("name", "kind")), "")
        if words:
            box = _Area(frame.x + 2 * u, frame.bottom - 12 * u, frame.width - 4 * u, 8 * u)
            lines.append(self._line(self.value(words), self.cells(words), box, 3.2 * u, "ink_on(accent)"))
        small = self.fitter.line(number, 8.6 * u, 8.4 * u)
        ink = 'mixed(accent, "#000000", 0.3)' if any(
            legible_ink(colour) != legible_ink("#000000") for colour in self.columns.kinds.values()) else "accent"
        corner = [_call("text", value, x=6.3 * u, y=12.2 * u, width=8.8 * u, size=small, min_size=_floor(small * 0.6),
                        style="title", anchor="middle", fill=ink)]
        if has_sign:
            corner.append(_call("icon", "sign", x=6.3 * u, y=17.4 * u, size=5.4 * u, fill="accent"))
        lines += ["{% for turn in (0, 180) %}",
                  f'<g transform="rotate({{{{ turn }}}} {self.width / 2:g} {self.height / 2:g})">', *corner, "</g>",
                  "{% endfor %}"]
        fact_lines, facts = self._facts()
        facts = [" ".join(words.split()) for words in facts]
        if any(facts):
            fits = self.fitter.line(facts, frame.width, 2.3 * u, "text")
            lines += [*fact_lines, _call(
                "text", 'facts.split() | join(" ")', x=self.width / 2, y=self.height - 3.6 * u, width=frame.width,
                size=2.3 * u, min_size=_floor(min(fits * 0.98, 1.8 * u)), anchor="middle", fill=f'"{LETTERS}"')]

    # Tokens

    def write_token(self) -> None:
        """Hexes, discs and counters: the picture or the colour of the kind to the edges, name and numbers."""
        width, height = self.width, self.height
        side = min(width, height)
        self._begin()
        has_sign = self._set_sign()
        lines = self.lines
        lines.append("{{ fill(accent) }}")
        numbers = [role for role in ("cost", "left", "right") if role in self.columns]
        title = next(filter(self.has, ("name", "kind")), "")
        ink = "ink_on(accent)"
        is_tiny = side <= MAX_TOKEN_MM
        cx, cy = width / 2, height / 2
        reach = 0.72 if self.shape is ShapeKind.RECTANGLE else 0.5
        if self.art.column:
            picture = _call("image", self.art.column, fit="bleed")
            lines += ([f"{{% if has_picture({self.art.column}) %}}{picture}{{% endif %}}"] if self.art.has_gaps
                      else [picture])
        elif not is_tiny:
            lines += self._token_ground(side)
        if has_sign and not self.art.column:
            place = cy - side * (0.05 if is_tiny else 0.27 if numbers else 0.08)
            size = side * (0.3 if is_tiny else 0.17 if numbers else 0.34)
            lines.append(_call("icon", "sign", x=cx, y=place, size=size, fill=ink))
        if numbers and is_tiny:
            words = ["–".join(filter(None, row)) for row in zip(*map(self.cells, numbers), strict=True)]
            joined = ("[" + ", ".join(self.value(role) + ' ~ ""' for role in numbers) + '] | select | join("–")'
                      if len(numbers) > 1 else self.value(numbers[0]))
            most = side * (0.3 if has_sign or self.art.column else 0.42)
            fits = self.fitter.line(words, width * reach, most)
            y = cy + most * 0.3
            if has_sign or self.art.column:
                y = height * 0.9 if reach > 0.6 else cy + side * 0.34
            lines.append(_call("text", joined, x=cx, y=y, width=width * reach, size=most,
                               min_size=_floor(min(fits, most * 0.7)), style="title", anchor="middle", fill=ink,
                               outline=f'"{PAPER} 0.3"' if self.art.column else None))
        elif numbers:
            for n, role in enumerate(numbers):
                x = cx + (n - (len(numbers) - 1) / 2) * side * 0.27
                y = cy + (side * 0.03 if has_sign and not self.art.column else 0)
                radius = side * (0.15 if len(numbers) == 1 else 0.12)
                lines.append(_call("badge", self.value(role), x=x, y=y, r=radius, fill="paper"))
        elif title == "name" and not has_sign and not self.art.column and is_tiny:
            initial = f'(card.{self.columns.roles["name"].name} ~ "")[:1]'
            lines.append(_call("text", initial, x=cx, y=cy + side * 0.2, width=width * reach, size=side * 0.46,
                               min_size=1, style="title", anchor="middle", fill=ink))
        if title:
            cells = self.cells(title)
            most = side * (0.15 if is_tiny else 0.085)
            room = width * (0.86 if reach > 0.6 and is_tiny else 0.56 if is_tiny else 0.44)
            y = height * (0.2 if reach > 0.6 and is_tiny else 0.25 if is_tiny else 0.83)
            fits = self.fitter.line(cells, room, most, "strong")
            if not is_tiny:
                lines.append(_call("panel", x=cx - room / 2 - side * 0.02, y=y - most * 1.05, width=room + side * 0.04,
                                   height=most * 1.6, radius=side * 0.02, fill="paper"))
            self._warn(cells, self.columns.roles[title], min(fits, most))
            lines.append(_call("text", self.value(title), x=cx, y=y, width=room, size=most,
                               min_size=_floor(min(fits * 0.98, most * 0.7)), style="strong", anchor="middle",
                               fill=f'"{LETTERS}"' if not is_tiny else ink))
        rest = [*self.columns.texts, *self.columns.facts]
        rest += [self.columns.roles[role] for role in ("flavour", "keywords", "rarity") if self.has(role)]
        if title == "name" and self.has("kind") and not self.columns.kinds:
            rest.append(self.columns.roles["kind"])
        if rest and not is_tiny:
            self._write_token_words(rest, side)
        elif rest:
            self.left_out = tuple(column.heading for column in rest)

    def _token_ground(self, side: float) -> list[str]:
        whole = _Area(-2, -2, self.width + 4, self.height + 4)
        return self._ornament(whole, side * 0.14 / self.unit, 0.0, 0.16)[1:]

    def _write_token_words(self, rest: Sequence[CardColumn], side: float) -> None:
        """What else the row has, small above the name."""
        cells = [self.cells(column) for column in rest]
        words = ["  ·  ".join(filter(None, row)) for row in zip(*cells, strict=True)]
        self._check_lengths(words)
        joined = ", ".join(f'card.{column.name} ~ ""' for column in rest)
        width, height = self.width * 0.6, side * 0.12
        texts = [(words[n], height) for n in self._longest(words)]
        fits = self.fitter.size(texts, width, side * 0.045, function="paragraph")
        self._warn(words, rest[0], fits)
        self.lines.append(_call("paragraph", f'[{joined}] | select | join("  ·  ")', x=self.width / 2,
                                y=self.height * 0.61, width=width, height=height, size=side * 0.045,
                                min_size=_floor(min(fits * 0.97, side * 0.04)), anchor="middle", valign="middle",
                                fill="ink_on(accent)"))

    # Backs

    def write_back(self, is_ruled: bool) -> str:
        """The back: ornament in a frame, and the title twice, so that it looks the same turned round."""
        u, width, height = self.unit, self.width, self.height
        side = min(width, height)
        is_tiny = side <= MAX_TOKEN_MM
        colour = next(iter(self.columns.kinds.values()), NIGHT) if len(self.columns.kinds) == 1 else NIGHT
        lines = ["{# The back: the same when it is turned round, so that nobody can tell which way a card lies. #}",
                 f'{{% set accent, paper = "{colour}", "{PAPER}" %}}', "{{ fill(accent) }}"]
        self.lines = lines
        words = f'{self.value("back")} or deck.title' if self.has("back") else "deck.title"
        ornament = layout_data()["drawing"]["ornaments"][2]
        inset = 5 * u if is_ruled and not is_tiny else -2
        frame = _Area(inset, inset, width - 2 * inset, height - 2 * inset)
        lines += [f'<defs>{{{{ diaper(id="ornament", kind="{ornament}", size={side * 0.11:.3g}, '
                  f'stroke=mixed(accent, paper, 0.3 if ink == "full" else 0.7), x={width / 2:g}, y={height / 2:g}, '
                  'width=0.2) }}</defs>',
                  f'<rect x="{frame.x:g}" y="{frame.y:g}" width="{frame.width:g}" height="{frame.height:g}" '
                  f'rx="{1.6 * u if inset > 0 else 0:.3g}" fill="url(#ornament)"/>']
        if inset > 0:
            for margin, thick in ((inset, 0.5), (inset - 1.3 * u, 0.25)):
                lines.append(_call("panel", margin=margin, radius=2 * u, stroke="mixed(accent, paper, 0.6)",
                                   stroke_width=max(thick * u, 0.12)))
        if is_tiny:
            back = self.columns.roles.get("back")
            words = f"card.{back.name}" if back and back.fits_badge else "deck.title[:1]"
            lines.append(_call("badge", words, x=width / 2, y=height / 2, r=side * 0.28, fill="accent"))
            return "\n".join(lines) + "\n"
        plate = _Area(width * 0.17, height / 2 - side * 0.17, width * 0.66, side * 0.34)
        lines.append(_call("panel", x=plate.x, y=plate.y, width=plate.width, height=plate.height, radius=1.6 * u,
                           fill="accent", stroke="mixed(accent, paper, 0.6)", stroke_width=0.5 * u))
        r = round(side * 0.014, 2)
        lines += [f'<path d="M{width / 2 - 12 * r:.5g} {height / 2:.5g}h{9 * r:.3g}m{2 * r:.3g} 0l{r} -{r}l{r} {r}'
                  f'l-{r} {r}Zm{4 * r:.3g} 0h{9 * r:.3g}" stroke-width="{max(0.25 * u, 0.12):.2g}" '
                  'stroke="{{ mixed(accent, paper, 0.6) }}" fill="{{ mixed(accent, paper, 0.6) }}"/>',
                  "{% for turn in (0, 180) %}",
                  f'<g transform="rotate({{{{ turn }}}} {width / 2:g} {height / 2:g})">',
                  _call("rich", words, x=plate.x + 1.5 * u, y=plate.y + side * 0.02, width=plate.width - 3 * u,
                        height=side * 0.135, size=side * 0.075, min_size=LEAST_SIZE, style="title", align="center",
                        valign="middle", leading=1.05, fill="paper"), "</g>", "{% endfor %}"]
        return "\n".join(lines) + "\n"


def _key(words: str) -> str:
    """A key of TOML."""
    return words if re.fullmatch("[A-Za-z0-9_-]+", words) else _quote(words)


def deck_file(title: str, lang: str, table: str, sheet: str, part: Mapping[str, str | int], columns: CardColumns,
              ) -> str:
    """Write ``deck.toml``."""
    lines = [f"title = {_quote(title)}", 'version = "0.1"', *([f"lang = {_quote(lang)}"] if lang else []), "",
             "[cards]", f"table = {_quote(table)}", *([f"sheet = {_quote(sheet)}"] if sheet else []),
             *(f"{key} = {json.dumps(value, ensure_ascii=False)}" for key, value in part.items())]
    if columns.kinds:
        lines += ["", f"[colours.{_key(columns.roles['kind'].name)}]",
                  *(f"{_key(value)} = {_quote(colour)}" for value, colour in columns.kinds.items())]
    return "\n".join(lines) + "\n"
