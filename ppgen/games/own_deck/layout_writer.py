"""What first layouts are written with: texts that are measured, calls of templates, ornament, names, backs."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from statistics import median
from typing import NamedTuple

from ppgen.engine.drawing.fonts import FontBook
from ppgen.engine.drawing.lettering import Lettering, parse_markup
from ppgen.engine.geometry import Size, points
from ppgen.engine.guard.metering import MAX_LETTERING
from ppgen.engine.shapes import ShapeKind
from ppgen.errors import Problem
from ppgen.games.own_deck.deck_signs import find_signs, missing_signs
from ppgen.games.own_deck.heading_words import layout_data
from ppgen.games.own_deck.looks import LOOK_FILE, LayoutLook
from ppgen.games.own_deck.sheet_columns import CardColumn, CardColumns, kind_signs

PAPER, LETTERS = "#f7f1e3", "#241f1a"
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


@dataclass(frozen=True, kw_only=True)
class ArtPlan:
    """The pictures of the cards: the column that names them, the proportion of most, and whether some are missing."""

    column: str = ""
    aspects: tuple[float, ...] = ()
    has_gaps: bool = False
    is_dark: bool = False
    """Most are dark and transparent: they lie on paper, as they would vanish on a dark ground."""

    @property
    def aspect(self) -> float:
        return min(max(median(self.aspects), 0.6), 2.2) if self.aspects else 1.4


class _Square:
    """Any icon, while texts are measured."""

    aspect = 1.0

    def draw(self, x: float, y: float, size: float, fill: str) -> str:
        return ""


def is_markup(words: str) -> bool:
    """Whether the markup of words can be read."""
    try:
        parse_markup(words, "text", "", lambda name: _Square())
    except ValueError:
        return False
    return True


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

    def height(self, words: str, width: float, size: float, style: str = "text") -> float:
        """The height that words need at a size."""
        return self._fit(words, width, 1000, size, None, style, 1.2, True)[1] if words else 0.0

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
        """The size at which words fit, and the height that they need; rounded, so that layouts are the same anywhere.
        """
        fit = self.lettering.fit(words, width=width, height=height, size=size, min_size=least, style=style,
                                 leading=leading, markup=markup and is_markup(words))
        return round(fit.size, 3), round(fit.height, 2)

    def line(self, texts: Iterable[str], width: float, most: float, style: str = "title", spacing: float = 0) -> float:
        """The size at which each text fits a line of the width."""
        widest = max((self.fonts.width(text, style, 1, spacing) for text in texts if text), default=0.0)
        return min(most, width / widest * 0.995) if widest else most


def call(function: str, *words: str, **options: object) -> str:
    """A call in a template. Numbers are rounded to a twentieth of a mm; words are expressions, but for names."""
    given = [*words]
    for name, value in options.items():
        if value is None or (name, value) == ("anchor", "start"):
            continue
        if isinstance(value, int | float):
            value = f"{value if name in _EXACT else round(value * 20) / 20:.5g}"
        elif name in _LITERALS:
            value = quote(str(value))
        given.append(f"{name}={value}")
    return f"{{{{ {function}({', '.join(given)}) }}}}"


def quote(words: str) -> str:
    return json.dumps(words, ensure_ascii=False)


def floor_size(size: float) -> float:
    """A size in full hundredths of a mm."""
    return int(size * 100) / 100


class LayoutWriter:
    """A template that is being written."""

    def __init__(self, columns: CardColumns, art: ArtPlan, size: Size, shape: ShapeKind, look: LayoutLook) -> None:
        self.columns, self.art, self.size, self.shape = columns, art, size, shape
        boxed = frozenset(missing_signs(find_signs([columns.table]), look.fonts))
        self.look, self.fitter = look, Fitter(replace(look.fonts, boxed=boxed) if boxed else look.fonts)
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

    def _cut(self, expression: str, texts: list[str]) -> tuple[str, list[str]]:
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

    # What all layouts share

    def _begin(self) -> None:
        self.lines.append("{# A first layout, to be changed: lengths are mm from the top left corner of the card. #}")
        if not self.look.name:
            self.lines.append(f'{{% set paper = "{PAPER}" %}}')
        night = self.look.accent
        accent = quote(night)
        if self.has("colour"):
            accent = f'{self.value("colour")} or "{night}"'
            if self.columns.colours:
                column = self.columns.roles["colour"]
                accent = f'colours.{column.name}[card.{column.name} ~ ""] | default("{night}")'
        elif self.columns.kinds:
            kind = self.columns.roles["kind"]
            cell = f"card.{kind.name}" + (' ~ ""' if kind.is_number else "")
            accent = f'colours.{kind.name}[{cell}] | default("{night}")'
        self.lines.append(f"{{% set accent = {accent} %}}")
        if self.look.name:
            self.lines.append(f'{{% import "{LOOK_FILE}" as look with context %}}{{# frame, ornament and colours #}}')

    def _draw(self, part: str, area: Area, plain: Sequence[str], **options: object) -> list[str]:
        """A part of a card: the macro of the look, or the plain calls."""
        if not self.look.name:
            return [*plain]
        place = {"x": area.x, "y": area.y, "width": area.width, "height": area.height}
        return [call(f"look.{part}", **place, **options)]

    def _ground(self) -> list[str]:
        """The ground of a face with a look."""
        return ["{{ fill(accent) }}" if self.look.measures.coloured_edge else "{{ fill(look.ground) }}"]

    def _ink(self, name: str, plain: str) -> str:
        """A colour: that of the look, or the plain one."""
        return f"look.{name}" if self.look.name else plain

    def _set_sign(self) -> bool:
        """Set ``sign`` to the icon of the card's kind; return whether there are kinds."""
        if not self.columns.kinds:
            return False
        signs = kind_signs(tuple(self.columns.kinds))
        kind = self.columns.roles["kind"]
        cell = f"card.{kind.name}" + (' ~ ""' if kind.is_number else "")
        words = ", ".join(f"{quote(value)}: {quote(sign)}" for value, sign in signs.items())
        self.lines.append(f'{{% set sign = {{{words}}}[{cell}] | default("{next(iter(signs.values()))}") %}}')
        return True

    def _ornament(self, box: Area, scale: float = 7, ground: float = 0.12, line: float = 0.3) -> list[str]:
        """A panel with the ornament of the card's kind."""
        if self.look.name:
            return self._draw("ornament", box, ())
        kinds, ornaments = tuple(self.columns.kinds), layout_data()["drawing"]["ornaments"]
        kind = quote(ornaments[0])
        if len(kinds) > 1:
            signs = kind_signs(kinds)
            words = ", ".join(f"{quote(sign)}: {quote(ornaments[n % len(ornaments)])}"
                              for n, sign in enumerate(dict.fromkeys(signs.values())))
            kind = f"{{{words}}}[sign]"
        x, y, width, height = (f"{round(each, 2):g}" for each in (box.x, box.y, box.width, box.height))
        return [call("panel", x=box.x, y=box.y, width=box.width, height=box.height, radius=self.unit,
                      fill=f"mixed(accent, paper, {ground:g})"),
                f'<defs>{{{{ diaper(id="ornament", kind={kind}, size={scale * self.unit:.3g}, '
                f'stroke=mixed(accent, paper, {line:g} if ink == "full" else 0.7), x={box.cx:.4g}, y={box.cy:.4g}, '
                'width=0.2) }}</defs>',
                f'<rect x="{x}" y="{y}" width="{width}" height="{height}" rx="{self.unit:.3g}" '
                'fill="url(#ornament)"/>']

    def _picture(self, box: Area) -> str:
        radius = None if self.look.measures.full else self.look.measures.corner * self.unit
        place = {"x": box.x, "y": box.y, "width": box.width, "height": box.height, "radius": radius}
        picture = call("image", self.art.column, **place, focus="50% 35%")
        return call("panel", **place, fill=f'"{PAPER}"') + picture if self.art.is_dark else picture

    def _name(self, box: Area, fill: str, anchor: str = "start", most: float = 4.7) -> None:
        """The name on a line, or on two if it is long."""
        names, u, value = self.cells("name"), self.unit, self.value("name")
        if self.look.measures.capitals:
            names, value = [name.upper() for name in names], f"{value} | upper"
        size = self.fitter.line(names, box.width, most * u)
        if size >= 0.62 * most * u:
            x = box.x if anchor == "start" else box.cx
            self.lines.append(call("text", value, x=x, y=box.cy + most * u * 0.34, width=box.width,
                                    size=most * u, min_size=floor_size(min(size, 0.6 * most * u)), style="title",
                                    anchor=anchor, fill=fill))
            return
        if self.look.name:
            most = min(most, 0.4 * box.height / u)  # two lines keep clear of the band's edges
        long = [names[n] for n in self._longest(names)]
        fits = self.fitter.size([(name, box.height) for name in long], box.width, most * u, "title", 1.0)
        self._warn(names, self.columns.roles["name"], fits)
        self.lines.append(call("rich", value, x=box.x, y=box.y, width=box.width, height=box.height,
                                size=most * u, min_size=floor_size(min(fits * 0.99, 0.5 * most * u)), style="title",
                                align="left" if anchor == "start" else "center", valign="middle", leading=1,
                                fill=fill))

    def _line(self, expression: str, cells: Sequence[str], box: Area, size: float, fill: str, anchor: str = "middle",
              style: str = "strong", spacing: float = 0.06) -> str:
        """A small line of capitals in the middle of a box's height."""
        words = [cell.upper() for cell in cells]
        fits = self.fitter.line(words, box.width, size, style, spacing)
        x = {"start": box.x, "middle": box.cx, "end": box.right}[anchor]
        return call("text", f"{expression} | upper", x=x, y=box.cy + size * 0.33, width=box.width, size=size,
                     min_size=floor_size(min(fits * 0.98, size * 0.6)), style=style, anchor=anchor, spacing=spacing,
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
            piece = " ~ ".join(quote(part) if part != name else part for part in (before, name, after))
            pieces.append(f'({piece} if {name} ~ "" else "")')
        return f'[{", ".join(pieces)}] | select | join("\\n\\n")', words

    def _facts(self) -> tuple[list[str], list[str]]:
        """Lines of the template that set ``facts``, and the words of each row."""
        if not self.columns.facts:
            return [], [""] * len(self.rows)
        labels = [re.sub(r"[*={}\\]", "", column.heading) for column in self.columns.facts]
        items = [f'({quote(f"{label}: ")} ~ card.{column.name} if card.{column.name} ~ "" else "")'
                 for column, label in zip(self.columns.facts, labels, strict=True)]
        lines = ["{% set facts = [", *(f"  {item}," for item in items), '] | select | join("  ·  ") %}']
        cells = [self.cells(column) for column in self.columns.facts]
        words = ["  ·  ".join(f"{label}: {cell}" for label, cell in zip(labels, row, strict=True) if cell)
                 for row in zip(*cells, strict=True)]
        return lines, words

    def _box(self, function: str, words: str, x: float, width: float, align: str, **options: object) -> str:
        """A call of ``rich``, or of ``paragraph``, which counts from the middle if it is centred."""
        if function == "rich":
            return call(function, words, x=x, width=width, align=align, **options)
        options.pop("accent", None)
        centred = align == "center"
        return call(function, words, x=x + width / 2 if centred else x, width=width,
                     anchor="middle" if centred else "start", **options)

    def _function(self, texts: Sequence[str]) -> str:
        """``rich``, or ``paragraph`` for words whose markup can't be read."""
        return "rich" if all(map(is_markup, texts)) else "paragraph"

    # Backs

    def write_back(self, is_ruled: bool) -> str:
        """The back: ornament in a frame, and the title twice, so that it looks the same turned round."""
        u, width, height = self.unit, self.width, self.height
        side = min(width, height)
        is_tiny = side <= MAX_TOKEN_MM
        night = self.look.accent
        colour = next(iter(self.columns.kinds.values()), night) if len(self.columns.kinds) == 1 else night
        lines = ["{# The back: the same when it is turned round, so that nobody can tell which way a card lies. #}"]
        words = f'{self.value("back")} or deck.title' if self.has("back") else "deck.title"
        if self.look.name:
            lines += [f'{{% set accent = "{colour}" %}}', f'{{% import "{LOOK_FILE}" as look with context %}}',
                      "{{ fill(look.back_ground) }}"]
            back = self.columns.roles.get("back")
            if not is_tiny:
                lines.append(call("look.back", words, least=LEAST_SIZE, **({} if is_ruled else {"ruled": "false"})))
            else:
                lines.append(call("look.tiny_back", f"card.{back.name}" if back and back.fits_badge
                                  else "deck.title[:1]"))
            return "\n".join(lines) + "\n"
        lines += [f'{{% set accent, paper = "{colour}", "{PAPER}" %}}', "{{ fill(accent) }}"]
        ornament = layout_data()["drawing"]["ornaments"][2]
        inset = 5 * u if is_ruled and not is_tiny else -2
        frame = Area(inset, inset, width - 2 * inset, height - 2 * inset)
        lines += [f'<defs>{{{{ diaper(id="ornament", kind="{ornament}", size={side * 0.11:.3g}, '
                  f'stroke=mixed(accent, paper, 0.3 if ink == "full" else 0.7), x={width / 2:g}, y={height / 2:g}, '
                  'width=0.2) }}</defs>',
                  f'<rect x="{frame.x:g}" y="{frame.y:g}" width="{frame.width:g}" height="{frame.height:g}" '
                  f'rx="{1.6 * u if inset > 0 else 0:.3g}" fill="url(#ornament)"/>']
        if inset > 0:
            for margin, thick in ((inset, 0.5), (inset - 1.3 * u, 0.25)):
                lines.append(call("panel", margin=margin, radius=2 * u, stroke="mixed(accent, paper, 0.6)",
                                   stroke_width=max(thick * u, 0.12)))
        if is_tiny:
            back = self.columns.roles.get("back")
            words = f"card.{back.name}" if back and back.fits_badge else "deck.title[:1]"
            lines.append(call("badge", words, x=width / 2, y=height / 2, r=side * 0.28, fill="accent"))
            return "\n".join(lines) + "\n"
        plate = Area(width * 0.17, height / 2 - side * 0.17, width * 0.66, side * 0.34)
        lines.append(call("panel", x=plate.x, y=plate.y, width=plate.width, height=plate.height, radius=1.6 * u,
                           fill="accent", stroke="mixed(accent, paper, 0.6)", stroke_width=0.5 * u))
        r = round(side * 0.014, 2)
        lines += [f'<path d="M{width / 2 - 12 * r:.5g} {height / 2:.5g}h{9 * r:.3g}m{2 * r:.3g} 0l{r} -{r}l{r} {r}'
                  f'l-{r} {r}Zm{4 * r:.3g} 0h{9 * r:.3g}" stroke-width="{max(0.25 * u, 0.12):.2g}" '
                  'stroke="{{ mixed(accent, paper, 0.6) }}" fill="{{ mixed(accent, paper, 0.6) }}"/>',
                  "{% for turn in (0, 180) %}",
                  f'<g transform="rotate({{{{ turn }}}} {width / 2:g} {height / 2:g})">',
                  call("rich", words, x=plate.x + 1.5 * u, y=plate.y + side * 0.02, width=plate.width - 3 * u,
                        height=side * 0.135, size=side * 0.075, min_size=LEAST_SIZE, style="title", align="center",
                        valign="middle", leading=1.05, fill="paper"), "</g>", "{% endfor %}"]
        return "\n".join(lines) + "\n"
