"""Lines of a drawing's texts as their program broke them, the looks of their words, and what of these is lost."""

from __future__ import annotations

import re
from dataclasses import dataclass, field, replace
from math import fsum

from lxml import etree

from ppgen.engine.adoption.drawing_binding import language_test
from ppgen.engine.svg.drawing_cleaning import TEXT_STYLES, Drawing, Style, clean_colour, clean_value, to_units
from ppgen.engine.svg.elements import SPACE, inherited_value, local_tag

ROLE = "{http://sodipodi.sourceforge.net/DTD/sodipodi-0.dtd}role"
SUPER, SUB = 0.4, -0.2  # raised and lowered letters as Inkscape draws them, in parts of the font size around them
_BLOCKS = ("flowPara", "flowLine")
_INSIDE = (*_BLOCKS, "tspan", "flowDiv", "flowSpan", "textPath", "a")
_WORDLESS = ("flowRegion", "flowRegionExclude", "title", "desc", "metadata", "")
_KEPT_SPACES = ("pre", "pre-wrap", "break-spaces")
_LINES = {"underline": "underline", "line-through": "strike", "overline": "overline"}
_USUAL = frozenset("normal none auto 0 baseline alphabetic lr lr-tb horizontal-tb ltr mixed solid".split())
CAPITALS = {"uppercase": "all", "lowercase": "none", "capitalize": "first"}
_SHOWN = frozenset("text-decoration text-decoration-line text-decoration-color text-transform font-variant "
                   "font-variant-caps white-space baseline-shift shape-padding paint-order".split())
"""Properties of texts that print, at least some of their values."""


@dataclass(slots=True)
class StyledWords:
    """Words in one style, and of one language. ``rise`` is how far above the line they stand, in units."""

    words: str
    style: Style
    rise: float = 0.0
    lines: str = ""  # the lines along them, as `rich()` calls them
    line_fill: str = ""
    test: str = ""  # the expression whether they are for the deck's language, if they are not for all


@dataclass(slots=True)
class TextLine:
    """A line of a text as the program broke it: its place in units of the drawing, and its runs."""

    x: float
    y: float
    style: Style
    runs: list[StyledWords] = field(default_factory=list)
    ends: bool = False  # true if a paragraph ends with it

    @property
    def words(self) -> str:
        return "".join(run.words for run in self.runs)


@dataclass(slots=True)
class WrittenText:
    """A text as calls of a template, columns inside its words, and what is lost: by kind, where, what and a remedy."""

    element: etree._Element
    markup: str = ""
    columns: list[str] = field(default_factory=list)
    notes: dict[str, tuple[etree._Element, str, str]] = field(default_factory=dict)

    def note(self, kind: str, what: str, remedy: str = "turn the text into paths",
             element: etree._Element | None = None) -> None:
        self.notes.setdefault(kind, (self.element if element is None else element, what, remedy))

    def lose(self, what: str, element: etree._Element | None = None) -> None:
        self.note(what, f"{what} is left out", element=element)


class LineReader:
    """Reads the lines of a text. A run at another height begins a line, as does an element that is one."""

    def __init__(self, drawing: Drawing, element: etree._Element, style: Style, written: WrittenText) -> None:
        self.drawing, self.written = drawing, written
        self.x, self.y = drawing.number(element, "x"), drawing.number(element, "y")
        self.is_framed = is_framed(drawing, element)
        self.lines: list[TextLine] = []
        self.has_ended, self.rise, self.reach, self.chunk = False, 0.0, self.x, 0.0
        self.note_lost(element, style)
        self.walk(element, style, StyledWords("", style))
        while self.lines and not self.lines[-1].words.strip():
            self.lines.pop()

    def walk(self, holder: etree._Element, style: Style, around: StyledWords) -> None:
        said = f"{style.get('text-decoration', '')} {style.get('text-decoration-line', '')}"
        lines = " ".join(name for word, name in _LINES.items() if word in said or name in around.lines)
        fill = letter_colour(style, "text-decoration-color" if "text-decoration-color" in style else "fill", "#000")
        run = replace(around, style=style, lines=lines, line_fill=around.line_fill if lines == around.lines else fill)
        keeps = style.get("white-space") in _KEPT_SPACES or (
            "white-space" not in style and inherited_value(holder, SPACE) == "preserve")
        self.add(holder.text, run, keeps)
        for inner in holder:
            tag, inner_style = local_tag(inner), self.drawing.style(inner, style)
            if tag in _INSIDE and inner_style.get("display") != "none":
                self.note_lost(inner, inner_style)
                if tag in _BLOCKS or inner.get(ROLE) == "line" or any(inner.get(name) for name in ("x", "y", "dy")):
                    self.begin(inner, inner_style, tag in _BLOCKS or inner.get(ROLE) == "line")
                self.walk(inner, inner_style, replace(run, rise=run.rise + _baseline_shift(inner_style, style),
                                                      test=language_test(inner) or run.test))
            elif tag not in (*_INSIDE, *_WORDLESS):
                self.written.lose(f"<{tag[:40]}> in a text", inner)
            self.add(inner.tail, run, keeps)

    def add(self, words: str | None, run: StyledWords, keeps: bool) -> None:
        has_breaks = self.is_framed and run.style.get("white-space", "").startswith(("pre", "break"))
        for n, part in enumerate((words or "").split("\n") if has_breaks else [words or ""]):
            if n:
                if self.has_ended or not self.lines:
                    self.lines.append(TextLine(self.x, self.y, run.style))
                self.lines[-1].ends = self.has_ended = True
            part = re.sub(r"\s" if keeps else r"\s+", " ", part)
            runs = self.lines[-1].runs if self.lines and not self.has_ended else []
            if not keeps and (not runs or runs[-1].words.endswith(" ")):
                part = part.lstrip()
            if part:
                self._add_words(part, run)

    def _add_words(self, words: str, run: StyledWords) -> None:
        if self.has_ended or not self.lines:
            self.lines.append(TextLine(self.x, self.y, run.style))
            self.has_ended, self.rise = False, 0.0
        runs, run = self.lines[-1].runs, replace(run, words=words, rise=run.rise + self.rise)
        if runs and replace(runs[-1], words=words) == run:
            runs[-1].words += words
        else:
            runs.append(run)
        width = _guess_width(words, run.style)
        self.reach, self.chunk = self.reach + width, self.chunk + width

    def begin(self, inner: etree._Element, style: Style, ends: bool) -> None:
        """Begin a line or a run at a place of its own, or go on with the line."""
        drawing, last, size = self.drawing, self.lines[-1] if self.lines else None, font_size(style)
        xs, steps = str(inner.get("x", "")).replace(",", " ").split(), str(inner.get("dy", "")).split()
        step = to_units(steps[0], size, size) or 0.0 if steps else 0.0
        x = drawing.number(inner, "x") if xs else self.x
        y = drawing.number(inner, "y") + step if inner.get("y") else (last.y if last else self.y) + step
        if not (ends or xs or inner.get("y")):
            self.rise -= step
            return
        is_apart = last is not None and bool(last.runs) and bool(xs) and not self.is_framed and (
            style.get("text-anchor", "start") != "start" or abs(x - self.reach) > 0.35 * self.chunk + 0.4 * size)
        if last is None or ends or abs(y - last.y) > (0.1 * size if inner.get("y") or xs else 0) or is_apart:
            if last:
                last.ends = last.ends or ends
            self.lines.append(TextLine(x, y, style))
            self.has_ended, self.rise = False, 0.0
        else:
            self.rise = last.y - y
            last.x = last.x if last.runs else x
        if xs:  # letters may be placed one by one
            self.reach, self.chunk = x, 0.0
            if len(xs) > 1:
                self.reach = (to_units(xs[-1]) or x) - _guess_width("".join(map(str, inner.itertext()))[:-1], style)

    def note_lost(self, element: etree._Element, style: Style) -> None:
        """Note what no call shows."""
        lost = [name for name in TEXT_STYLES - _SHOWN if (value := style.get(name, "").strip().lower())
                and value not in _USUAL and to_units(value) != 0]
        capitals = {*f"{style.get('font-variant', '')} {style.get('font-variant-caps', '')}".lower().split()}
        lost += ["font-variant"] if capitals - {*_USUAL, "small-caps"} else []
        lost += ["text-transform"] if style.get("text-transform", "none") not in {*_USUAL, *CAPITALS} else []
        lost += ["justification"] if style.get("text-align") == "justify" else []
        is_dashed = style.get("stroke", "none") != "none" and style.get("stroke-dasharray", "none") != "none"
        lost += ["stroke-dasharray"] if is_dashed else []
        lost += ["textLength"] if element.get("textLength") else []
        placed = {name: str(element.get(name, "")).replace(",", " ").split() for name in ("y", "dx", "dy", "rotate")}
        if any(to_units(word) != 0 for word in (*placed["dx"], *placed["rotate"])) or len(placed["dy"]) > 1 or len(
                {*placed["y"]}) > 1:
            lost.append("the place of single letters")
        for name in sorted(lost):
            self.written.lose(name, element)


def _baseline_shift(style: Style, around: Style) -> float:
    words, size = style.get("baseline-shift", "").strip(), font_size(around)
    share = {"super": SUPER, "sub": SUB}.get(words)
    return (to_units(words, size, size) or 0.0) if share is None else share * size


def font_size(style: Style) -> float:
    return to_units(style.get("font-size", "16")) or 16.0


def _guess_width(words: str, style: Style) -> float:
    """About how wide words are, in units: their font is not known here."""
    size = font_size(style)
    shares = (0.28 if sign in " iljtfrI.,;:'!|()" else 0.9 if sign in "MWmw@" else 0.66 if sign.isupper() else 0.52
              for sign in words)
    return size * fsum(shares) + (to_units(style.get("letter-spacing", "0"), em=size) or 0.0) * len(words)


def is_framed(drawing: Drawing, element: etree._Element) -> bool:
    own = drawing.styles[element]
    return local_tag(element) == "flowRoot" or bool(own.get("shape-inside") or to_units(own.get("inline-size", "0")))


def letter_colour(style: Style, name: str, default: str) -> str:
    """A paint of letters: ``#rrggbb``, with two more digits if it is translucent, ``none`` or ``url(#…)``."""
    words = style.get(name, default)
    colour, opacity = clean_colour(style.get("color", "#000") if words.lower() == "currentcolor" else words)
    opacity *= float(clean_value("opacity", style.get(f"{name}-opacity", "1")) or 1)
    return f"{colour}{round(255 * opacity):02x}" if colour.startswith("#") and opacity < 0.999 else colour
