"""Text in boxes: SVG text that fits its box, with or without markup."""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cache, cached_property
from html import escape
from itertools import accumulate, groupby, pairwise
from math import atan, degrees
from typing import Any, NamedTuple, Protocol
from unicodedata import bidirectional, normalize

from ppgen.engine.drawing.fonts import (DIRECTIONS, LEFTWARD, FontBook, Run, count_spaced, glyph_outlines,
                                        measure_advance, measure_line, svg_family, visual_order)
from ppgen.errors import BadText
from ppgen.lines import KATAKANA, NO_LINE_START
from ppgen.records import dataclass, field, replace

MAX_FONT_SIZE, MAX_RUNS = 500.0, 100  # in mm; changes of look in a line: a line of type has a tenth of them
TOLERANCE = 0.02  # in mm: what a text may exceed its box by; the eye does not see it
SHRINK_STEPS = 24  # steps in which a text that is too wide shrinks to its smallest size

MIN_STUB_SHRINK = 0.8  # to avoid a line of one or two Japanese characters, a paragraph shrinks to this share at most

NO_LINE_END = "（「『【〈《〔［｛〜(\\[«“‘„"  # don't end a line (the same clause); a number stays with its dash

ICON_HEIGHT, CAPITAL_HEIGHT, ICON_MARGIN = 0.98, 0.65, 0.06
"""In parts of the font size: an icon, capitals, whose middle is the icon's, and the air on its left and right."""
INDENT = 0.85  # indent of a list in parts of the font size
BASELINE = 0.78  # first baseline below the top of a box, in parts of the font size
MIDDLE = 0.35  # of a line above its baseline, in parts of the font size: lines of several sizes share the air
SMALL_CAPITALS = 0.7  # size of small capitals, as a share of the font size; browsers draw those so that a font lacks
BALANCE_STEPS, MIN_BALANCE = 6, 0.5  # widths tried to balance centred lines, and the least, by the box
_ITALIC = ' font-style="italic"'
SHARES = {"start": 0.0, "middle": 0.5, "end": 1.0}
_ALIGNMENTS = {"left": "start", "center": "middle", "right": "end", "start": "start", "end": "end"}


class LineIcon(Protocol):
    """An icon in a line of text: ``aspect`` is its width by its height."""

    @property
    def aspect(self) -> float: ...

    def draw(self, x: float, y: float, size: float, fill: str) -> str:
        """Draw it with its middle at x, y and ``size`` high."""


def _refuse_icon(name: str) -> LineIcon:
    raise ValueError(f"there is no icon {{{name}}}")


LITERAL, STRAY = "literal", "stray"


class SpanLook(NamedTuple):
    """Differences of characters from their text, in parts of its font size."""

    scale: float = 1.0  # of their size
    rise: float = 0.0  # above its baseline
    spacing: float | None = None  # None: that of the text
    lines: tuple[str, ...] = ()  # names of `fonts.LINES`
    line_fill: str = ""  # empty: the colour of the characters


PLAIN = SpanLook()


class TextSpan(NamedTuple):
    """Characters in one style."""

    text: str
    style: str
    fill: str = ""  # empty: that of the text
    icon: LineIcon | None = None  # drawn in place of a single one
    role: str = ""  # LITERAL: signs of markup in it are meant as they stand; STRAY: a mark never closed
    look: SpanLook = PLAIN


@dataclass(frozen=True)
class Block:
    """A text up to a line feed; an item of a list has a ``bullet``. ``spaced`` if an empty line is before it."""

    spans: tuple[TextSpan, ...]
    bullet: TextSpan | None = None
    spaced: bool = False
    is_leftward: bool = False  # read from right to left

    @cached_property
    def text(self) -> str:
        return "".join([span.text for span in self.spans])

    @cached_property
    def _starts(self) -> tuple[int, ...]:
        return tuple(accumulate([len(span.text) for span in self.spans[:-1]], initial=0))

    def cut(self, start: int, end: int) -> tuple[TextSpan, ...]:
        """Return the spans of these characters."""
        if len(self.spans) == 1:
            text, style, fill, icon, role, look = self.spans[0]
            return (TextSpan(text[start:end], style, fill, icon, role, look),)
        first, last = bisect_right(self._starts, start) - 1, bisect_left(self._starts, end)
        return tuple([TextSpan(text[max(start - at, 0):end - at], style, fill, icon, role, look)
                      for (text, style, fill, icon, role, look), at
                      in zip(self.spans[first:last], self._starts[first:last], strict=True)])


class Line(NamedTuple):
    """A line of a block; ``width`` is that of its spans, without the ``indent``, which may hold a bullet."""

    spans: tuple[TextSpan, ...]
    width: float
    indent: float = 0.0
    bullet: TextSpan | None = None
    spaced: bool = False
    is_leftward: bool = False

    @property
    def text(self) -> str:
        return "".join(span.text for span in self.spans)

    @property
    def is_plain(self) -> bool:
        """True if it is characters of one style and nothing else."""
        return (not self.indent and len(self.spans) <= 1 and not self.is_leftward
                and not any(span.icon or span.role == STRAY or span.look != PLAIN for span in self.spans))

    @property
    def scale(self) -> float:
        """Its largest size, as a share of the font size."""
        return max([span.look.scale for span in self.spans], default=1.0)


class BoxFit(NamedTuple):
    """A text that was fitted into a box: its font size, its lines and the height that they take."""

    size: float
    lines: Sequence[Line]
    height: float


@dataclass(frozen=True, slots=True)
class Paint:
    """Attributes of a text. All but its own fill have a colour of their own, not of its spans; a shadow is shifted."""

    attributes: str
    dx: float = 0.0
    dy: float = 0.0
    is_effect: bool = False


@dataclass(frozen=True, slots=True)
class Typesetting:
    """Arguments of a text that hold for all of its lines. ``spacing`` is a share of the font size."""

    x: float
    width: float
    anchor: str
    fill: str
    spacing: float
    paints: tuple[Paint, ...]
    turns: bool = True  # the anchor ``start`` is the right side of lines that are read from right to left


class SetText(NamedTuple):
    """A ``<text>`` as it was set: the template's line (``data-src``), its faults, and markup printed as it stands."""

    source: str = ""
    faults: tuple[BadText, ...] = ()
    markup: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Lettering:
    """``text()``, ``paragraph()``, ``rich()`` of the templates. All lengths are in the units of the SVG (mm on faces).

    Each ``<text>`` is judged when it is set, and kept in ``judged``: the check of the drawn SVG refuses all others, and
    reports the faults of those that are drawn. ``icons`` finds an icon by its name, or raises an error.
    """

    fonts: FontBook
    icons: Callable[[str], LineIcon] = _refuse_icon
    judged: dict[str, SetText] = field(default_factory=dict, repr=False, compare=False)

    def text(self, words: object, *, x: float, y: float, width: float, size: float, min_size: float | None = None,
             style: str = "text", anchor: str = "start", fill: str = "#000", spacing: float = 0,
             bend: float = 0, outline: str = "", shadow: str = "", dir: str = "") -> str:
        """Set one line, shrunk to fit its width. A text that is too long at its smallest size is an error.

        Args:
            x: Its left end; its middle or right end if ``anchor`` says so.
            y: Its baseline.
            width: Room for it.
            size: Font size in mm (1 pt is 0.353 mm).
            min_size: Least size; without it the text does not shrink.
            anchor: ``"start"``, ``"middle"`` or ``"end"``. Arabic or Hebrew starts at the right end of the room.
            spacing: Letter spacing, as a share of the size.
            bend: How much lower than ``y`` the middle of a bent ``width`` is; negative for an arch.
            outline: A colour and a width around the letters: ``"#fff 0.4"``.
            shadow: A colour and its distance to the right and below: ``"#0006 0.3 0.3"``.
            dir: ``"ltr"`` or ``"rtl"``: the direction of reading; without it that of the first letter.
        """
        setting = Typesetting(x, width, anchor, fill, spacing, _paints(fill, outline, shadow))
        block = self._direct(Block((TextSpan(str(words), style),)), dir)
        if bend:
            block = replace(block, spans=(TextSpan(normalize("NFC", str(words)), style),))
            fitting = self._fit_line(block, width, size, min_size, spacing)
            if self._measure(block.spans, fitting, spacing) <= width:
                return self._set_bent(block, y, fitting, bend, setting)
        return self._set_line(block, y, size, min_size, setting)

    def text_reach(self, words: object, *, width: float, size: float, min_size: float | None = None,
                   style: str = "text", spacing: float = 0) -> str:
        """Return how far right the outlines of a line reach from its start, if ``text()`` sets it so."""
        line = str(words)
        fitting = self._fit_line(Block((TextSpan(line, style),)), width, size, min_size, spacing)
        return f"{self.fonts.reach(line, style, fitting, spacing * fitting):.3f}"

    def paragraph(self, words: object, *, x: float, y: float, width: float, height: float, size: float,
                  min_size: float | None = None, style: str = "text", anchor: str = "start",
                  fill: str = "#000", leading: float = 1.2, valign: str = "top",
                  outline: str = "", shadow: str = "", dir: str = "") -> str:
        """Set several lines, shrunk to fit a box. They break at spaces and line feeds, and where readers of Chinese,
        Japanese, Thai, Lao, Burmese and Khmer expect it.

        Args:
            x: Left edge of the box; its middle or right edge if ``anchor`` says so.
            y: Its upper edge.
            leading: Distance of lines, as a share of the size.
            valign: ``"top"``, ``"middle"`` or ``"bottom"``.
        """
        blocks = [self._direct(block, dir) for block in _plain_blocks(str(words), style)]
        return self._set_lines(blocks, y, height, size, min_size, leading, valign,
                               Typesetting(x, width, anchor, fill, 0, _paints(fill, outline, shadow)))

    def rich(self, words: object, *, x: float, y: float, width: float, height: float | None = None, size: float,
             min_size: float | None = None, align: str = "start", valign: str = "top", style: str = "text",
             accent: str = "", fill: str = "#000", leading: float = 1.2, spacing: float = 0,
             outline: str = "", shadow: str = "", contour: str = "", keep: bool = False, dir: str = "") -> str:
        """Set text with markup (:func:`parse_markup`), shrunk to fit a box. Centred lines are about equally long.

        Args:
            words: A text, or a list of texts and tables: ``dict(words="5", style="title", fill="#c00", size=6)`` is in
                a look of its own. It may also have a ``spacing``, a ``rise`` above the line (mm), ``lines``
                (``"underline"``, ``"strike"``, ``"overline"``) with a ``line_fill``, and ``capitals`` (``"all"``,
                ``"small"``, ``"first"``, ``"none"``). An entry that is a line feed ends a line.
            x: Left edge of the box, whatever ``align`` says.
            y: Its upper edge; without a ``height`` the baseline of one line.
            align: ``"start"`` (right for Arabic and Hebrew), ``"center"``, ``"end"``, ``"left"`` or ``"right"``.
            valign: ``"top"``, ``"middle"`` or ``"bottom"``.
            accent: Colour of ``==keywords==``.
            leading: Distance of lines, as a share of the size.
            contour: A colour and the width of a line on the edge of the letters, over them.
            keep: Set what does not fit all the same, in its full size: ``ppgen check`` warns of it.
        """
        anchor = _ALIGNMENTS[align]
        blocks = (parse_runs(words, size, style, accent, self.icons) if isinstance(words, list)
                  else parse_markup(str(words), style, accent, self.icons))
        blocks = tuple(self._direct(block, dir) for block in blocks)
        setting = Typesetting(x + width * SHARES[anchor], width, anchor, fill, spacing,
                              _paints(fill, outline, shadow, contour), align not in ("left", "right"))
        spans = [span for block in blocks for span in (TextSpan(" ", style), *block.spans)][1:]
        joined = Block(tuple(spans), is_leftward=blocks[0].is_leftward)
        over = 0.0
        if keep and height is None:
            fitting = self._fit_line(joined, width, size, min_size, spacing)
            if self._measure(joined.spans, fitting, spacing) > width:
                needed = self._measure(joined.spans, size, spacing)
                over, min_size, setting = needed - width, size, replace(setting, width=needed)
        elif keep and height is not None:
            fit = self._fit_lines(blocks, width, height, size, min_size, leading, spacing)
            widest = max((line.indent + line.width for line in fit.lines), default=0.0)
            if fit.height > height or widest > width:
                fit = self._fit_lines(blocks, width, height, size, size, leading, spacing)
                widest = max(width, *(line.indent + line.width for line in fit.lines))
                over, min_size = max(fit.height - height, widest - width), size
                height, setting = max(height, fit.height), replace(setting, width=widest)
        drawing = self._set_line(joined, y, size, min_size, setting) if height is None else self._set_lines(
            blocks, y, height, size, min_size, leading, valign, setting, balanced=anchor == "middle")
        return f'<g data-over="{over:.2f}">{drawing}</g>' if over else drawing

    def fit(self, words: str, *, width: float, height: float, size: float, min_size: float | None = None,
            style: str = "text", leading: float = 1.2, markup: bool = True) -> BoxFit:
        """Fit words into a box as :meth:`rich` does, or without markup as :meth:`paragraph`, and write nothing."""
        blocks = parse_markup(words, style, "", self.icons) if markup else _plain_blocks(words, style)
        return self._fit_lines(blocks, width, height, size, min_size, leading, 0)

    def outline(self, words: str, size: float, style: str = "text") -> tuple[str, float]:
        """Return path data of a line on the baseline y = 0, in a line from left to right, and its width."""
        line = Line((TextSpan(words, style),), self._measure((TextSpan(words, style),), size, 0))
        return "".join(glyph_outlines(run.font.path, run.text, size, at, 0)
                       for run, _, at, _ in self._placed_runs(line, 0, size, 0)), line.width

    def _direct(self, block: Block, direction: str) -> Block:
        """Give a block its direction: the given one, that of its style or its set, or that of its first letter."""
        if direction not in DIRECTIONS:
            raise ValueError(f"dir '{direction[:20]}' is not ltr or rtl")
        if not (direction or self.fonts.directions or self.fonts.direction) and block.text.isascii():
            return block
        known = direction or self.fonts.directions.get(block.spans[0].style.partition("/")[0], self.fonts.direction)
        if not known and not block.text.isascii() and LEFTWARD.search(block.text):
            first = next((kind for kind in map(bidirectional, block.text) if kind in ("L", "R", "AL")), "L")
            known = "ltr" if first == "L" else "rtl"
        return replace(block, is_leftward=True) if known == "rtl" else block

    # One line

    def _set_line(self, block: Block, y: float, size: float, min_size: float | None, setting: Typesetting) -> str:
        fitting = self._fit_line(block, setting.width, size, min_size, setting.spacing)
        line = Line(block.spans, self._measure(block.spans, fitting, setting.spacing), is_leftward=block.is_leftward)
        drawing = self._write([(line, y)], fitting, setting)
        return f"<g>{drawing}</g>" if setting.paints[1:] or not line.is_plain else drawing

    def _fit_line(self, block: Block, width: float, size: float, min_size: float | None, spacing: float) -> float:
        steps = _shrink(size, min_size)
        fitting = _skip_too_large(steps, lambda step: self._measure(block.spans, step, spacing) <= width)
        return next(iter(fitting), min_size or size)

    def _measure(self, spans: Iterable[TextSpan], size: float, spacing: float) -> float:
        width = 0.0
        for text, style, _, icon, _, look in spans:
            own = size * look.scale
            width += _icon_width(icon) * own if icon else self.fonts.width(
                text, style, own, _spacing(look, spacing) * size)
        return width

    def _set_bent(self, block: Block, y: float, size: float, bend: float, setting: Typesetting) -> str:
        """Set each letter with a turn of its own, on a parabola about the middle of the box; each word if letters join.
        """
        (span,), spacing = block.spans, setting.spacing * size
        pieces = [*span.text] if count_spaced(span.text) == len(span.text) else re.findall(r"\s*\S+", span.text)
        ends = [*accumulate(map(len, pieces), initial=0)]
        reaches = [self.fonts.width(span.text[:end], span.style, size, spacing) for end in ends]
        share = SHARES[setting.anchor]
        if block.is_leftward:
            reaches, pieces = [reaches[-1] - reach for reach in reaches[::-1]], pieces[::-1]
            share = 1 - share if setting.turns else share
        left, half = setting.x - share * (reaches[-1] - spacing), setting.width / 2
        middle = setting.x + (0.5 - share) * setting.width
        letters = []
        for letter, (start, end) in zip(pieces, pairwise(reaches), strict=True):
            x = left + (start + end - spacing) / 2
            away = (x - middle) / half
            turn = degrees(atan(-2 * bend * away / half))
            width = self.fonts.width(letter, span.style, size, 0)  # more than end - start where it is kerned
            line, alone = Line((TextSpan(letter, span.style),), width), replace(setting, x=0, width=width,
                                                                                anchor="middle", spacing=0)
            letters.append(f'<g transform="translate({x:.3f} {y + bend * (1 - away * away):.3f}) rotate({turn:.2f})">'
                           f"{self._write([(line, 0)], size, alone)}</g>")
        return f"<g>{''.join(letters)}</g>"

    # Several lines

    def _set_lines(self, blocks: Sequence[Block], y: float, height: float, size: float, min_size: float | None,
                   leading: float, valign: str, setting: Typesetting, balanced: bool = False) -> str:
        step, lines, needed = self._fit_lines(blocks, setting.width, height, size, min_size, leading, setting.spacing,
                                              balanced)
        top = {"top": y, "middle": y + (height - needed) / 2, "bottom": y + height - needed}[valign]
        places = [(line, top + step * (BASELINE + leading * n + air))
                  for n, (line, air) in enumerate(zip(lines, _air(lines, leading), strict=True))]
        return f"<g>{self._write(places, step, setting, height, needed)}</g>"

    def _fit_lines(self, blocks: Sequence[Block], width: float, height: float, size: float, min_size: float | None,
                   leading: float, spacing: float, balanced: bool = False) -> BoxFit:
        broken = [(block, _split_at_breaks(block.text)) for block in blocks]
        lay_out = cache(lambda step: list(self._break_lines(broken, width, step, spacing)))

        def fits(step: float, lines: Sequence[Line]) -> bool:
            return (step * _height(lines, leading) <= height
                    and all(line.indent + line.width <= width for line in lines))

        steps = _shrink(size, min_size)
        fitting = _skip_too_large(steps, lambda step: fits(step, lay_out(step))) or steps[-1:]
        step, lines = _choose_attempt(((step, lay_out(step)) for step in fitting), fits)
        if balanced and len(lines) > 1 and fits(step, lines):
            lines = self._balance_lines(broken, width, step, spacing, lines)
        return BoxFit(step, lines, step * _height(lines, leading))

    def _break_lines(self, broken: Iterable[tuple[Block, Iterable[str]]], width: float, size: float,
                     spacing: float, room: float = 0) -> Iterator[Line]:
        """Yield lines of a width; a word wider than the ``room`` of the box is broken behind its signs."""
        letter = size / 2  # the mean width of a character in the line before; at first a guess
        for block, pieces in broken:
            text, indent = block.text, (INDENT * size if block.bullet else 0.0)
            bullet, spaced, start, end, ends = block.bullet, block.spaced, 0, 0, [*accumulate(map(len, pieces))]
            while ends:
                count, spans, taken = self._fill_line(block, start, ends, width, indent, letter, size, spacing)
                parts = re.split(_SIGNS, text[end:ends[0]]) if count == 1 and indent + taken > max(width, room) else ()
                if len(parts) > 1:
                    ends[:1] = [*accumulate(map(len, parts), initial=end)][1:]
                    continue
                yield Line(spans, taken, indent, bullet, spaced, block.is_leftward)
                end, bullet, spaced, letter = ends[count - 1], None, False, taken / max(ends[count - 1] - start, 1)
                start = len(text) - len(text[end:].lstrip())
                del ends[:bisect_right(ends, start)]

    def _fill_line(self, block: Block, start: int, ends: Sequence[int], width: float, indent: float, letter: float,
                   size: float, spacing: float) -> tuple[int, tuple[TextSpan, ...], float]:
        """Return how many pieces a line holds, at least one, with their spans and width.

        It is measured where it probably ends, judging by the mean width of a ``letter``, until one piece more would be
        too wide.
        """
        text, low, high, taken = block.text, 0, len(ends) + 1, 0.0
        spans: tuple[TextSpan, ...] = ()
        while high - low > 1:
            probable = bisect_right(ends, start + (width - indent) / letter) if letter > 0 else 0
            count = min(max(probable, low + 1), high - 1)
            words = text[start:ends[count - 1]].rstrip()
            longer = block.cut(start, start + len(words))
            needed = self._measure(longer, size, spacing)
            if indent + needed <= width or count == 1:
                low, spans, taken = count, longer, needed
            if indent + needed > width:
                high = count
            letter = needed / max(len(words), 1)
        return low, spans, taken

    def _balance_lines(self, broken: Sequence[tuple[Block, Sequence[str]]], width: float, size: float,
                       spacing: float, lines: list[Line]) -> list[Line]:
        """Break into the same number of lines at the least width, by bisection."""
        least, most = width * MIN_BALANCE, width
        for _ in range(BALANCE_STEPS):
            middle = (least + most) / 2
            attempt = list(self._break_lines(broken, middle, size, spacing, width))
            if len(attempt) == len(lines) and all(line.indent + line.width <= middle for line in attempt):
                lines, most = attempt, middle
            else:
                least = middle
        return lines

    # SVG

    def _write(self, places: Sequence[tuple[Line, float]], size: float, setting: Typesetting,
               height: float = 0.0, needed: float = 0.0) -> str:
        """Write lines and judge them; all of them have that ``height``, and ``needed`` so much."""
        drawn = [self._icons(line, y, size, setting) + self._lines(line, y, size, setting)
                 for line, y in places if any(span.icon or span.look.lines for span in line.spans)]
        room, lines = setting.width + setting.spacing * size, [line for line, _ in places]  # spacing is between letters
        verdicts = [_judge(line, lines, room, 0.0 if n else height, 0.0 if n else needed)
                    for n, line in enumerate(lines)]
        for paint in setting.paints:
            for (line, y), verdict in zip(places, verdicts, strict=True):
                drawn.append(text := self._text(line, y, size, setting, paint))
                if verdict.faults and not text:
                    raise ValueError(verdict.faults[0].what)
                self.judged[text] = verdict
        return "".join(drawn)

    def _text(self, line: Line, y: float, size: float, setting: Typesetting, paint: Paint) -> str:
        """Write a line as a <text>: in one style at its anchor, otherwise each run at its own place.

        The renderer kerns across styles within a chunk of text, and each x begins a new one.
        """
        x, y, spacing, anchor = setting.x + paint.dx, y + paint.dy, setting.spacing * size, setting.anchor
        plain = [(run, span) for span in line.spans for run in self.fonts.runs(span.text, span.style)
                 ] if line.is_plain else []
        if line.is_plain and not any(run.is_placed for run, _ in plain):
            runs = "".join(self._run(run, span, paint) for run, span in plain)
        else:
            x, anchor, runs = self._left(line, size, setting) + paint.dx, "start", ""
            rises = any(span.look.rise for span in line.spans)  # without a y, a run stands as high as the one before
            for run, span, at, _ in self._placed_runs(line, x, size, setting.spacing):
                place = f' x="{at:.3f}"' + (f' y="{y - span.look.rise * size:.3f}"' if rises else "")
                if spacing and not count_spaced(run.text):
                    place += ' letter-spacing="0"'
                place += f' font-size="{span.look.scale * size:.3f}"' if span.look.scale != 1 else ""
                if span.look.spacing is not None:
                    place += f' letter-spacing="{span.look.spacing * size:.3f}"'
                runs += self._run(run, span, paint, place)
            if not runs:
                return ""
        if runs.count("<tspan") > MAX_RUNS:
            raise ValueError(f"a line changes its font or look more than {MAX_RUNS} times: use several texts")
        spaced = f' letter-spacing="{spacing:.3f}"' if spacing else ""
        return (f'<text x="{x:.3f}" y="{y:.3f}" font-size="{size:.3f}" text-anchor="{escape(anchor)}"'
                f'{paint.attributes}{spaced} xml:space="preserve">{runs}</text>')

    @staticmethod
    def _run(run: Run, span: TextSpan, paint: Paint, place: str = "") -> str:
        fill = _paint_attributes("fill", span.fill) if span.fill and not paint.is_effect else ""
        return (f'<tspan{place} font-family="{escape(svg_family(run.font.family))}" font-weight="{run.font.weight}"'
                f'{_ITALIC if run.font.italic else ""}{fill}>{escape(run.text, quote=False)}</tspan>')

    def _left(self, line: Line, size: float, setting: Typesetting) -> float:
        """Return the left end of a line with its indent; items of a list are never centred."""
        share = SHARES[setting.anchor]
        left = setting.x - setting.width * share
        if line.is_leftward and line.indent:
            return left + setting.width - line.width - line.indent
        if line.indent:
            return left
        ink = line.width - setting.spacing * size
        return left + (setting.width - ink) * (1 - share if line.is_leftward and setting.turns else share)

    def _placed_runs(self, line: Line, left: float, size: float,
                     spacing: float) -> Iterator[tuple[Run, TextSpan, float, float]]:
        """Yield each run with its span, place and width, as they are read."""
        for run, span, at, width in self._placed(line, left, size, spacing):
            if run:
                yield run, span, at, width

    def _placed(self, line: Line, left: float, size: float,
                spacing: float) -> Iterator[tuple[Run | None, TextSpan, float, float]]:
        """Yield each run, or None for an icon, with its span, place and width."""
        bullets = (line.bullet,) if line.bullet else ()
        if not line.is_leftward and (line.text.isascii() or not LEFTWARD.search(line.text)):
            for at, spans in ((left, bullets), (left + line.indent, line.spans)):
                for span in spans:
                    own, add = size * span.look.scale, _spacing(span.look, spacing) * size
                    if span.icon:
                        yield None, span, at, _icon_width(span.icon) * own
                        at += _icon_width(span.icon) * own
                        continue
                    for run in self.fonts.runs(span.text, span.style):
                        width = measure_advance(run.font.path, run.text, not add) * own
                        width += add and add * count_spaced(run.text)
                        yield run, span, at, width
                        at += width
            return
        bullet_width = self._measure(bullets, size, spacing)
        starts = ((left + line.width + line.indent - bullet_width, left) if line.is_leftward
                  else (left, left + line.indent))
        for start, spans in zip(starts, (bullets, line.spans), strict=True):
            at = start
            pieces = [(run, span, order, self._measure((span,), size, spacing) if run is None else
                       measure_advance(run.font.path, run.text, not (add := _spacing(span.look, spacing) * size))
                       * size * span.look.scale + (add and add * count_spaced(run.text)))
                      for run, span, order in self._ordered(spans, line.is_leftward)]
            places = [0.0] * len(pieces)
            for n in sorted(range(len(pieces)), key=[order for _, _, order, _ in pieces].__getitem__):
                places[n] = at
                at += pieces[n][3]
            for (piece, span, _, width), place in zip(pieces, places, strict=True):
                yield piece, span, place, width

    def _ordered(self, spans: Sequence[TextSpan],
                 is_leftward: bool) -> Iterator[tuple[Run | None, TextSpan, tuple[int, int]]]:
        """Yield each run or icon of a line as they are read, with what sorts them from left to right."""
        order, start = visual_order("".join(span.text for span in spans), is_leftward), 0
        for span in spans:
            places = order[start:start + len(span.text)]
            start += len(span.text)
            at = 0
            for end in range(1, len(places) + 1):  # a stretch runs in one direction without a gap
                step = -1 if places[at].is_leftward else 1
                if end < len(places) and places[end] == (places[end - 1].place + step, places[at].is_leftward):
                    continue
                for m, run in enumerate((None,) if span.icon else self.fonts.runs(span.text[at:end], span.style)):
                    if run and step < 0:  # the renderer takes a text for one from left to right
                        run = replace(run, text=f"\u200f{run.text}\u200f")
                    yield run, span, (min(places[at].place, places[end - 1].place), step * m)
                at = end

    def _icons(self, line: Line, y: float, size: float, setting: Typesetting) -> str:
        drawn = []
        for run, span, at, width in self._placed(line, self._left(line, size, setting), size, setting.spacing):
            if span.icon and not run:
                own, fill = size * span.look.scale, span.fill or setting.fill
                opaque = fill[:7] if fill.startswith("#") and len(fill) == 9 else fill
                drawn.append(span.icon.draw(at + width / 2, y - span.look.rise * size - CAPITAL_HEIGHT / 2 * own,
                                            ICON_HEIGHT * own, opaque))
        return "".join(drawn)

    def _lines(self, line: Line, y: float, size: float, setting: Typesetting) -> str:
        """The lines under, through and over its characters; those that meet are one."""
        drawn: dict[tuple[float, float, str], list[tuple[float, float]]] = {}
        for run, span, at, width in self._placed_runs(line, self._left(line, size, setting), size, setting.spacing):
            own = size * span.look.scale
            fill = _paint_attributes("fill", span.look.line_fill or span.fill or setting.fill)
            for name in span.look.lines:
                top, thickness = measure_line(run.font.path, name)
                stretches = drawn.setdefault((y - span.look.rise * size - top * own, thickness * own, fill), [])
                start = stretches.pop()[0] if stretches and abs(stretches[-1][1] - at) < 1e-6 else at
                stretches.append((start, at + width))
        return "".join(f'<rect x="{start:.3f}" y="{top:.3f}" width="{end - start:.3f}" height="{thickness:.3f}"{fill}/>'
                       for (top, thickness, fill), stretches in drawn.items() for start, end in stretches)


_TEXT = re.compile(r"""<(?P<tag>(?:[^\s<>/:]++:)?(?:text|tspan))(?: data-src="(?P<source>[^"<>]*)")?"""
                   r"(?P<rest>[\s/>](?:[^<]*+(?:<(?!/text>)[^<]*+)*+</text>)?)")


def find_texts(svg: str) -> Iterator[tuple[str, re.Match[str]]]:
    """Yield each ``<text>``, as :class:`Lettering` knows it if it has set it; also any other tag of a text."""
    for match in _TEXT.finditer(svg):
        yield f"<{match['tag']}{match['rest']}", match


_MARKUP = re.compile(r"\*\*(?=\S)|(?<=\S)\*\*|\{[^\W\d_][\w-]{0,40}\}")


def _judge(line: Line, lines: Sequence[Line], width: float, height: float, needed: float) -> SetText:
    """Judge a line of a text: its width, and for the first one the height that all of them need.

    Its markup is ``**`` beside words, words in braces, and marks that are never closed.
    """
    words = "".join(" " if span.role == LITERAL else span.text for span in line.spans)
    markup = (*_MARKUP.findall(words), *(span.text for span in line.spans if span.role == STRAY))
    faults = tuple(BadText("", f"{_subject(part)} {over:.1f} mm too {way} for its box",
                           "shorten it, or give it more room", words=_words(lines), share=over / max(full, over))
                   for way, full, room, part in (("wide", line.indent + line.width, width, [line]),
                                                 ("high", needed, height, lines)) if (over := full - room) > TOLERANCE)
    if not faults and not markup:
        return SetText()
    from ppgen.engine.drawing.sandbox import calling_line  # few texts need it, and some have no template

    return SetText(calling_line(), faults, markup)


def _words(lines: Iterable[Line]) -> str:
    return " ".join(" ".join("".join(span.text for span in line.spans if not span.icon) for line in lines).split())


def _subject(lines: Iterable[Line]) -> str:
    words = _words(lines)
    return f"text '{words if len(words) <= 40 else words[:39] + '…'}' is" if words else "its icons are"


def _check_size(size: float) -> float:
    if not 0 < size <= MAX_FONT_SIZE:
        raise ValueError(f"a size of {size:g} mm can't be set: above 0, at most {MAX_FONT_SIZE:g}")
    return size


def _plain_blocks(words: str, style: str) -> list[Block]:
    return [Block((TextSpan(line, style),)) for line in words.split("\n")]


def _icon_width(icon: LineIcon) -> float:
    return icon.aspect * ICON_HEIGHT + 2 * ICON_MARGIN


def _spacing(look: SpanLook, spacing: float) -> float:
    return spacing if look.spacing is None else look.spacing


def _air(lines: Sequence[Line], leading: float) -> Sequence[float]:
    """Distances that lines are lower than if all were of one size and none spaced, in parts of the font size."""
    above = [leading / 2 if line.spaced else 0.0 for line in lines]
    scales = [line.scale for line in lines]
    if any(scale != 1 for scale in scales):
        above[0] += BASELINE * (scales[0] - 1)
        for n, (before, scale) in enumerate(pairwise(scales), 1):
            above[n] += leading * ((before + scale) / 2 - 1) + MIDDLE * (scale - before)
    return [*accumulate(above)]


def _height(lines: Sequence[Line], leading: float) -> float:
    """The height of lines in parts of the font size; an empty line is half as high as others."""
    last = (1 - BASELINE) * (lines[-1].scale - 1) if lines else 0.0
    return leading * (len(lines) - 1) + 1 + (_air(lines, leading)[-1] if lines else 0.0) + last


_COLOUR = re.compile(r"(#(?:[0-9a-fA-F]{3}){1,2}|#(?:[0-9a-fA-F]{4}){1,2}|[a-zA-Z]+)")


def _paints(fill: str, outline: str, shadow: str, contour: str = "") -> tuple[Paint, ...]:
    paints = []
    if shadow:
        colour, (dx, dy) = _parse_effect("shadow", shadow, 2)
        paints.append(Paint(_paint_attributes("fill", colour), dx, dy, True))
    if outline:
        colour, (width,) = _parse_effect("outline", outline, 1)
        paints.append(Paint(f'{_paint_attributes("fill", colour)}{_paint_attributes("stroke", colour)}'
                            f' stroke-width="{2 * width:.3f}" stroke-linejoin="round"', is_effect=True))
    paints.append(Paint(_paint_attributes("fill", fill)))
    if contour:
        colour, (width,) = _parse_effect("contour", contour, 1)
        paints.append(Paint(f' fill="none"{_paint_attributes("stroke", colour)} stroke-width="{width:.3f}"',
                            is_effect=True))
    return tuple(paints)


def _parse_effect(name: str, words: str, count: int) -> tuple[str, list[float]]:
    """Parse a colour and ``count`` lengths in mm. Raises ValueError."""
    colour, *lengths = words.split() or [""]
    try:
        numbers = [float(length) for length in lengths]
    except ValueError:
        numbers = []
    if len(numbers) != count or not _COLOUR.fullmatch(colour) or not all(abs(number) <= 100 for number in numbers):
        example = '"#fff 0.4"' if count == 1 else '"#0006 0.3 0.3"'
        raise ValueError(f"{name} '{words[:40]}' is not a colour and {count} {'lengths' if count > 1 else 'length'} "
                         f"in mm, like {example}")
    return colour, numbers


def _paint_attributes(name: str, colour: str) -> str:
    """Write a colour, which may end in its opacity (``#rgba``, ``#rrggbbaa``), as attributes of SVG."""
    digits = len(colour) // 4 if colour.startswith("#") and len(colour) in (5, 9) else 0
    if not digits:
        return f' {name}="{escape(colour)}"'
    opacity = int(colour[-digits:], 16) / (16 ** digits - 1)
    return f' {name}="{colour[:-digits]}" {name}-opacity="{opacity:.3f}"'


def _shrink(size: float, min_size: float | None) -> Sequence[float]:
    smallest = _check_size(size if min_size is None else min(_check_size(size), min_size))
    steps = SHRINK_STEPS if smallest < size else 0
    return [size, *(size - (size - smallest) * step / SHRINK_STEPS for step in range(1, steps + 1))]


def _skip_too_large(steps: Sequence[float], fits: Callable[[float], bool]) -> Sequence[float]:
    """Return the steps from the first that fits: by bisection, as each smaller one fits too."""
    return steps if fits(steps[0]) else steps[bisect_left(steps, True, 1, key=fits):]


def _choose_attempt(attempts: Iterable[tuple[float, list[Line]]],
                    fits: Callable[[float, list[Line]], bool]) -> tuple[float, list[Line]]:
    """Return the first size and lines that fit, or slightly smaller ones without a stub; if none fit, the last."""
    first: tuple[float, list[Line]] | None = None
    for step, lines in attempts:
        last = step, lines
        if first and step < first[0] * MIN_STUB_SHRINK:
            return first
        if fits(step, lines):
            if not any(len(line.text) <= 2 and re.fullmatch(_STUB, line.text) for line in lines[1:]):
                return last
            first = first or last
    return first or last


_WIDE = "[\u3000-\u9fff\uff00-\uffef\U00020000-\U0003ffff]"
_DIGITS = r"\d²³¹⁰-⁹₀-₉①-⑨⑴-⑼⒈-⒐⓪⓵-⓽⓿❶-❾➀-➈➊-➒"
# Patterns with such ranges take up to 8 ms to compile: those that few runs need are left to the cache of `re`.
_PLACES = (rf"(?s)(?<=.)(?=[^{NO_LINE_START}])(?:(?<= )(?<![{NO_LINE_END}] )|(?<={_WIDE})(?<![{NO_LINE_END}])"
           rf"(?!{_WIDE}|[…‥—·])|(?<![{NO_LINE_END}{_DIGITS}])(?={_WIDE})(?:(?<![{KATAKANA}])|(?![{KATAKANA}])))")
"""Places where a line may break: at spaces, but not before French signs; around Chinese and Japanese characters, but
a number keeps its counter, ``56枚``, a line its dots and dashes, and a word in katakana is whole."""
_ASCII_PLACES = r"(?<= )(?<![(\[] )(?=[^,.;:!?)%])"  # what is left of them for ASCII
_STUB = f"{_WIDE}{{,2}}"
_SIGNS = (r"(?<=[\w\])}][-/\])}_.,;:|+&–—])(?=[\w\[({])|(?<=[가-힣])(?=[가-힣])"
          rf"|(?<=[{KATAKANA}])(?=[{KATAKANA}])(?=[^{NO_LINE_START}])")
"""Places in a word that is wider than its box: ``[Card]/`` and ``[Cave]``, syllables of Korean, katakana."""

# Scripts without spaces between words. Writers part words by U+200B. Without it the words of Thai are budoux's, and in
# Lao, Burmese and Khmer lines break where a syllable plainly begins: its letter has a vowel, or a letter below it.
# Tibetan has a sign between syllables.
_UNSPACED = "[\u0e01-\u0eff\u0f0b\u1000-\u109f\u1780-\u17ff\u200b]"
_PARTED = "(?<=\u200b)(?=.)"
_SYLLABLES = (
    r"(?<=[\u0e81-\u0eff])(?<![\u0ec0-\u0ec4])(?=[\u0ec0-\u0ec4]|[\u0e81-\u0eae][\u0eb0-\u0ebc\u0ec8-\u0ecd])"
    r"|(?<=[\u1000-\u104f])(?<!\u1039)(?=[\u1000-\u102a](?!\u1037?\u103a)[\u102b-\u1032\u1036-\u1038\u103b-\u103e])"
    r"|(?<=[\u1780-\u17d3])(?<!\u17d2)(?=[\u1780-\u17b3][\u17b6-\u17d3])"
    r"|(?<=\u0f0b)(?=[\u0f40-\u0f6c])")
_THAI_WORD = re.compile(r"[\u0e01-\u0e2e\u0e40-\u0e44]")  # its first letter


def _split_at_breaks(block: str) -> list[str]:
    """Split a text where lines may break."""
    if block.isascii():
        return re.split(_ASCII_PLACES, block)
    pieces = re.split(_PLACES, block)
    if not re.search(_UNSPACED, block):
        return pieces
    places = _PARTED if "\u200b" in block else _SYLLABLES
    return [word for piece in pieces for part in re.split(places, piece) for word in _split_thai(part)]


def _split_thai(piece: str) -> Iterator[str]:
    """Split Thai between words; a number keeps what follows it, and a word the sign of its repetition."""
    if not _THAI_WORD.search(piece):
        yield piece
        return
    import budoux  # only Thai needs it

    part = ""
    for word in budoux.load_default_thai_parser().parse(piece):
        if part and not part[-1].isdigit() and part[-1] not in NO_LINE_END and _THAI_WORD.match(word):
            yield part
            part = ""
        part += word
    yield part


# --- Markup ---

_ICON = "〓"  # stands for an icon in a block's text: lines break around it as around any Japanese character
ICON_MARK = re.compile(r"\{(?P<icon>\w[\w /.-]{0,59})\}")
_BREAK = re.compile(r"\\n|<br ?/?>|\r\n?")
_MARK = re.compile(r"(?P<item>^[ \t]*[-•][ \t]+)|(?P<feed>\n)|\\(?P<plain>[\\*={}•-])"
                   r"|(?P<bold>\*\*)|(?P<italic>\*)|(?P<key>==)|" + ICON_MARK.pattern, re.MULTILINE)
_TOGGLES = ("bold", "italic", "key")
_CAPITALS: Mapping[str, Callable[[str], str]] = {
    "all": str.upper, "none": str.lower,
    "first": lambda text: re.sub(r"(?<![\w'’])\w", lambda match: match[0].upper(), text)}
MAX_MARKS = 200  # marks of a text: each begins a span that is measured again with each word behind it on its line


def parse_markup(words: str, style: str, accent: str, icons: Callable[[str], LineIcon]) -> tuple[Block, ...]:
    """Parse ``**bold**``, ``*italics*``, ``==keywords==``, ``{icons}``, lists and breaks.

    Lines that begin with ``- `` are items of a list. An empty line is half a line of air, ``\\n`` and ``<br>`` are
    breaks, and ``\\*`` is a star. A mark before a space opens nothing: it is printed, as is one that is never closed.
    The latter is a span of its own, so that the check can find it; spans with escaped signs are passed over.
    """
    text = _BREAK.sub("\n", words)
    marks = list(_MARK.finditer(text))
    if sum([mark.lastgroup != "feed" for mark in marks]) > MAX_MARKS:
        raise ValueError(f"'{text[:40]}…' has more than {MAX_MARKS} marks: use several texts")
    paired, stray = _pair_marks(text, marks)
    on: set[str] = set()
    blocks: list[Block] = []
    spans: list[TextSpan] = []
    bullet, is_spaced, at, plain, role = None, False, 0, "", ""

    def style_name() -> str:
        return style + ("/bold" if on & {"bold", "key"} else "") + ("/italic" if "italic" in on else "")

    def close_span() -> None:
        nonlocal plain, role
        if plain:
            spans.append(TextSpan(plain, style_name(), accent if "key" in on else "", role=role))
            plain = role = ""

    def close_block() -> None:
        nonlocal bullet, is_spaced
        close_span()
        if not bullet and not "".join(span.text for span in spans).strip():
            is_spaced = bool(blocks)
        else:
            blocks.append(Block(tuple(spans) or (TextSpan("", style),), bullet, is_spaced))
            is_spaced = False
        bullet = None
        spans.clear()

    for mark in marks:
        plain += text[at:mark.start()]
        at, kind = mark.end(), str(mark.lastgroup)
        if kind == "plain":
            plain, role = plain + mark["plain"], LITERAL
        elif kind == "feed":
            close_block()
        elif kind == "item":
            bullet = TextSpan("•", style)
        elif kind == "icon":
            close_span()
            spans.append(TextSpan(_ICON, style_name(), accent if "key" in on else "", icons(mark["icon"])))
        elif mark.start() in paired:
            close_span()
            on ^= {kind}
        elif mark.start() in stray:
            close_span()
            plain, role = mark[0], STRAY
            close_span()
        else:
            plain += mark[0]
    plain += text[at:]
    close_block()
    return tuple(blocks) or (Block((TextSpan("", style),)),)


def parse_runs(runs: Sequence[object], size: float, style: str, accent: str,
               icons: Callable[[str], LineIcon]) -> tuple[Block, ...]:
    """Parse words of several looks, for a text of a font ``size``: see :meth:`Lettering.rich`."""
    if len(runs) > MAX_MARKS:
        raise ValueError(f"the words have more than {MAX_MARKS} looks: use several texts")
    blocks = [Block(())]
    for run in runs:
        first, *rest = _parse_run(size, style, accent, icons, **(run if isinstance(run, dict) else {"words": run}))
        if first.text == "\n":
            if not blocks[-1].spans:
                blocks[-1] = Block((first.spans[0]._replace(text=""),))
            blocks.append(Block(()))
        elif blocks[-1].spans:  # whatever begins here is inside a line
            bullet = (first.bullet, TextSpan(" ", style)) if first.bullet else ()
            blocks[-1] = replace(blocks[-1], spans=(*blocks[-1].spans, *bullet, *first.spans))
        else:
            blocks[-1] = first
        blocks += rest
    return tuple(block if block.spans else Block((TextSpan("", style),)) for block in blocks)


def _parse_run(size: float, style: str, accent: str, icons: Callable[[str], LineIcon], /, *, words: object = "",
               fill: str = "", rise: float = 0, spacing: float | None = None, lines: str = "",
               line_fill: str = "", capitals: str = "", **own: Any) -> Iterator[Block]:
    """Yield the blocks of a run; a line feed is one, as are words that are only spaces."""
    own_size, style = own.pop("size", size), own.pop("style", style)
    if own:
        raise ValueError(f"words have no {next(iter(own))}")
    scale = _check_size(own_size) / size
    look = SpanLook(scale, rise / size, None if spacing is None else spacing * scale, tuple(lines.split()), line_fill)
    text = str(words)
    for block in parse_markup(text, style, accent, icons) if text.strip() else (Block((TextSpan(text, style),)),):
        yield replace(block, spans=tuple(
            TextSpan(part, span.style, span.fill or fill, span.icon, span.role, look._replace(scale=scale * share))
            for span in block.spans for part, share in _set_capitals(span, capitals)))


def _set_capitals(span: TextSpan, capitals: str) -> Iterator[tuple[str, float]]:
    """Yield the text of a span in these capitals, each stretch with its share of the size."""
    if capitals == "small" and not span.icon:
        for is_small, letters in groupby(span.text, str.islower):
            yield "".join(letters).upper(), SMALL_CAPITALS if is_small else 1.0
    else:
        yield _CAPITALS[capitals](span.text) if capitals and not span.icon else span.text, 1.0


def _pair_marks(text: str, marks: Iterable[re.Match[str]]) -> tuple[set[int], set[int]]:
    """Return the places of the marks that open and close something, and of those that open but are never closed."""
    opened: dict[str, int] = {}
    paired: set[int] = set()
    stray: set[int] = set()
    for mark in marks:
        kind = str(mark.lastgroup)
        if kind not in _TOGGLES:
            continue
        if kind in opened and not text[mark.start() - 1].isspace():
            paired |= {opened.pop(kind), mark.start()}
        elif text[mark.end():mark.end() + 1].strip():
            stray.update({opened[kind]} if kind in opened else ())
            opened[kind] = mark.start()
    return paired, stray.union(opened.values())
