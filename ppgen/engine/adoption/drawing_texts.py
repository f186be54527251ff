"""Texts of a stranger's drawing: their lines, and calls that set them."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Sequence
from itertools import groupby
from math import atan2, cos, degrees, fsum, hypot, radians, sin

from lxml import etree

from ppgen.engine.adoption.drawing_places import (Columns, escape_markup, format_matrix, is_rectangle, language_test,
                                                  quote, shape_box, split_at_columns)
from ppgen.engine.drawing.lettering import BASELINE, ICON_MARK, SHARES
from ppgen.engine.geometry import Insets, Rect, Size
from ppgen.engine.svg.drawing_cleaning import TEXT_STYLES, Drawing, Style, clean_colour, clean_value, to_units
from ppgen.engine.svg.elements import SPACE, Matrix, apply_matrix, inherited_value, local_tag
from ppgen.records import dataclass, field, replace

# --- Lines ---

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
class DrawnLine:
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
        self.lines: list[DrawnLine] = []
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
                    self.lines.append(DrawnLine(self.x, self.y, run.style))
                self.lines[-1].ends = self.has_ended = True
            part = re.sub(r"\s" if keeps else r"\s+", " ", part)
            runs = self.lines[-1].runs if self.lines and not self.has_ended else []
            if not keeps and (not runs or runs[-1].words.endswith(" ")):
                part = part.lstrip()
            if part:
                self._add_words(part, run)

    def _add_words(self, words: str, run: StyledWords) -> None:
        if self.has_ended or not self.lines:
            self.lines.append(DrawnLine(self.x, self.y, run.style))
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
            self.lines.append(DrawnLine(x, y, style))
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


# --- Texts ---
# Texts of drawings as calls of ``rich()``: lines, frames, looks of their words, sizes in millimetres. Each program
# writes texts in its own way. Inkscape frames them by ``flowRoot`` (0.92), ``shape-inside`` or ``inline-size`` (1.x),
# and saves the lines that it broke. Figma places each line, and Affinity each kerned run, by x, y. Words that look
# different are entries of their own in one call.

SAFE_MM, SAFE_SHARE = 3.0, 0.05  # from the edge to texts without a frame; or a share of the page's shorter side
MIN_SHRINK = 0.6  # least size of letters, as a share of the drawing's
BOLD, LIGHT = 600, 350
MAX_WORDS = 4_000
AS_DRAWN = {"keep": "true"}  # option of words that no column fills: they are set even if they are too long
_ANCHORS = {"middle": "middle", "center": "middle", "end": "end", "right": "end"}
_ALIGNMENTS = {"start": "left", "middle": "center", "end": "right"}
_GENERIC = frozenset("serif sans sansserif systemui".split())  # stand for a usual text font
_SLANTED = re.compile(r"-\w*(?:italic|oblique)$", re.IGNORECASE)
_SUFFIX = re.compile(r"-?(?:bold|italic|oblique|regular|medium|semibold|light|black|roman|book|mt|ps)+", re.IGNORECASE)
_SOFT = re.compile(r"[\s\u00ad\u2010\u2013\u2014\u2e80-\uffef-]$")  # end of a line that a program broke by itself


@dataclass(frozen=True, slots=True, kw_only=True)
class TextSetting:
    """Values that all texts of a drawing share. ``families`` are the fonts of the deck."""

    drawing: Drawing
    columns: Columns
    families: Collection[str]
    size: Size


# --- Calls ---

Look = dict[str, str]  # arguments of `rich()` for words, and those that only an entry of a list has
_OWN = ("rise", "lines", "line_fill", "capitals")
_LINED = ("outline", "contour")
_BREAK = "break"  # key of the size of a line that ends, in place of a look


def write_text(setting: TextSetting, element: etree._Element, style: Style, matrix: Matrix, column: str) -> WrittenText:
    """Write a text, bound to a column or with its own words. Empty without words."""
    drawing, written = setting.drawing, WrittenText(element)
    lines = LineReader(drawing, element, style, written).lines
    runs = [run for line in lines for run in line.runs if run.words.strip()] or [StyledWords("", style)]
    if not (column or lines) or not any(_is_painted(run.style) for run in runs):
        return WrittenText(element)
    scale = abs(matrix[0] * matrix[3] - matrix[1] * matrix[2]) ** 0.5
    writer = _CallWriter(setting, written, scale)
    looks = [writer.look(run) for run in runs]
    if column and any(look != looks[0] for look in looks):
        written.note("looks of a column", f"the words of '{column}' all look like the first ones in the drawing",
                     "mark words in the cells: **bold**, *italics*")
    first, size = runs[0].style, float(looks[0]["size"])
    frame, anchor = _frame(drawing, element, style, len(lines), written), _anchor(first, False)
    if frame is None and column and len(lines) > 1:
        frame = _guess_frame(setting, lines, matrix, scale, size, anchor)
    if frame:
        anchor = _anchor(first, True)
        if len({_anchor(line.runs[0].style, True) for line in lines if line.runs}) > 1:
            written.lose("the alignment of single lines")
        leading = _leading(first, lines, size / scale)
        top = _first_baseline(frame, lines, leading, size / scale)
        frame = Rect(frame.x, top, frame.width, max(frame.bottom - top, size / scale))
        code, look = writer.cell(column, looks[0]) if column else writer.paragraphs(lines, looks[0])
        call = _call(code, x=0, y=0, width=frame.width * scale, height=frame.height * scale,
                     align=quote(_ALIGNMENTS[anchor]), leading=leading, **look)
        written.markup = _place(call, *apply_matrix(matrix, frame.x, frame.y), matrix)
        return written
    for line in lines[:1] or [DrawnLine(0, 0, style)] if column else [line for line in lines if line.words.strip()]:
        own = line.runs[0] if line.runs else runs[0]
        look, anchor = writer.look(own), _anchor(own.style, False)
        x, y = apply_matrix(matrix, line.x, line.y)
        width = _room(setting.size, x, y, degrees(atan2(matrix[1], matrix[0])), anchor, float(look["size"]))
        code, look = writer.cell(column, look) if column else writer.paragraphs([line], look)
        call = _call(code, x=-width * SHARES[anchor], y=0, width=width, align=quote(_ALIGNMENTS[anchor]), **look)
        written.markup += _place(call, x, y, matrix)
    return written


def _anchor(style: Style, is_framed: bool) -> str:
    anchor = _ANCHORS.get(style.get("text-anchor", "start"), "start")
    return _ANCHORS.get(style.get("text-align", ""), anchor) if is_framed or anchor == "start" else anchor


def _call(code: str, **options: object) -> str:
    given = ", ".join(f"{name}={f'{value:.3f}' if isinstance(value, float | int) else value}"
                      for name, value in options.items())
    return f"{{{{ rich({code}, {given}) }}}}"


def _place(call: str, x: float, y: float, matrix: Matrix) -> str:
    a, b, c, d, _, _ = matrix
    scale = abs(a * d - b * c) ** 0.5
    if hypot(a - d, b + c) > 0.002 * scale:  # letters are stretched, slanted or mirrored
        return f'<g transform="{format_matrix((a / scale, b / scale, c / scale, d / scale, x, y))}">{call}</g>'
    angle = degrees(atan2(b, a))
    turn = f" rotate({angle:.5g})" if abs(angle) > 0.05 else ""
    return f'<g transform="translate({x:.3f} {y:.3f}){turn}">{call}</g>'


@dataclass(frozen=True, slots=True)
class _CallWriter:
    """Writes the words of calls, and their looks."""

    setting: TextSetting
    written: WrittenText
    scale: float

    def look(self, run: StyledWords) -> Look:
        style, scale = run.style, self.scale
        size = max(font_size(style) * scale, 0.2)
        spacing = (to_units(style.get("letter-spacing", "0"), em=size / scale) or 0.0) * scale
        look = {"size": f"{size:.3f}", "min_size": f"{size * MIN_SHRINK:.3f}",
                "style": quote(_style_name(style, self.setting.families, self.written)),
                **_paints(style, scale, self.written)}
        if abs(spacing) > 1e-3:
            look["spacing"] = f"{spacing / size:.4f}"
        if abs(run.rise * scale) > 0.01 * size:
            look["rise"] = f"{run.rise * scale:.3f}"
        if run.lines:
            look["lines"] = quote(run.lines)
            if (fill := quote(run.line_fill)) != look["fill"] and run.line_fill.startswith("#"):
                look["line_fill"] = fill
        capitals = CAPITALS.get(style.get("text-transform", ""), "")
        if "small-caps" in f"{style.get('font-variant', '')} {style.get('font-variant-caps', '')}".split():
            capitals = "all" if capitals == "all" else "small"
        return look | ({"capitals": quote(capitals)} if capitals else {})

    def cell(self, column: str, look: Look) -> tuple[str, Look]:
        """The words of a column, and the look of all of them."""
        base = {name: value for name, value in look.items() if name not in _OWN}
        return self._list([self._entry(self.setting.columns.cell(column), look, base)]), base

    def paragraphs(self, lines: Sequence[DrawnLine], look: Look) -> tuple[str, Look]:
        """The words of lines, joined to paragraphs, and what holds for all that say nothing else."""
        base = {name: value for name, value in look.items() if name not in _OWN}
        before = len(self.written.columns)
        code = self._list([*self._entries(lines, base)])
        return code, base if len(self.written.columns) > before else base | AS_DRAWN

    @staticmethod
    def _list(entries: Sequence[str]) -> str:
        return entries[0] if len(entries) == 1 and not entries[0].startswith("dict(") else f"[{', '.join(entries)}]"

    def _entries(self, lines: Sequence[DrawnLine], base: Look) -> Iterator[str]:
        """The entries of a list for ``rich()``. Words that can't be longer than in the program break where it did."""
        runs = [run for line in lines for run in line.runs]
        is_exact = not any(column for run in runs for _, column in split_at_columns(run.words, self.setting.columns)
                           ) and not any(self.look(run)["style"].startswith('"text') for run in runs)
        parts: list[tuple[Look, bool, str]] = []
        for line, after in zip(lines, [*lines[1:], None], strict=True):
            is_empty = not line.words.strip()
            for run in line.runs if not is_empty else ():
                parts += ((self.look(run), *part) for part in self._run_parts(run))
            if after and (is_exact or line.ends or is_empty or not after.words.strip() or not _SOFT.search(line.words)):
                size = self.look(StyledWords("", line.runs[-1].style if line.runs else line.style))["size"]
                parts.append(({_BREAK: size}, False, ""))
        if parts and not parts[-1][1]:
            parts[-1] = *parts[-1][:2], parts[-1][2].rstrip()
        for look, group in groupby(parts, key=lambda part: part[0]):
            if size := look.get(_BREAK):
                yield from [self._entry(r'"\n"', base | {"size": size}, base) for _ in group]
            else:
                yield self._entry(_join([part[1:] for part in group]), look, base)

    def _run_parts(self, run: StyledWords) -> list[tuple[bool, str]]:
        """The words of a run as ``rich()`` reads them, and the cells of columns between them, which are code."""
        parts: list[tuple[bool, str]] = []
        for before, column in split_at_columns(run.words[:MAX_WORDS], self.setting.columns):
            parts.append((False, before if ICON_MARK.search(before) else escape_markup(before)))
            if column:
                self.written.columns.append(column)
                parts.append((True, self.setting.columns.cell(column)))
        return [(True, f'({_join(parts)} if {run.test} else "")')] if run.test else parts

    def _entry(self, code: str, look: Look, base: Look) -> str:
        """Words whose look may differ from that of the text."""
        if any(look.get(name) != base.get(name) for name in _LINED):
            self.written.note("lined letters", "all letters have the line around the first ones, or none")
            if look["fill"] == quote("none") and not any(name in base for name in _LINED):
                look = look | {"fill": look["contour"].partition(" ")[0] + '"'}  # letters without fill and line vanish
        own = {"spacing": "0"} if "spacing" in base and "spacing" not in look else {}
        own |= {name: value for name, value in look.items()
                if name not in ("min_size", *_LINED) and value != base.get(name)}
        return f"dict(words={code}, {', '.join(f'{name}={value}' for name, value in own.items())})" if own else code


def _join(parts: Sequence[tuple[bool, str]]) -> str:
    codes: list[str] = []
    for is_code, group in groupby(parts, key=lambda part: part[0]):
        words = [each for _, each in group]
        codes += words if is_code else [quote("".join(words))] if any(words) else []
    return " ~ ".join(codes) or '""'


# --- Looks ---

def font_weight(style: Style) -> int:
    words = style.get("font-weight", "")
    number = {"bold": 700, "bolder": 700}.get(words) or (int(words) if words.isdigit() and len(words) < 5 else 400)
    named = f"{style.get('font-family', '').partition(',')[0]} {style.get('-inkscape-font-specification', '')}"
    return 700 if not words and re.search(r"\b(?:extra|ultra)?bold\b", named, re.IGNORECASE) else number


def _style_name(style: Style, families: Collection[str], written: WrittenText) -> str:
    """The name of a text style: the first family of the deck that the text asks for, bold or italic."""
    wanted = [part.strip(" '\"") for part in style.get("font-family", "").split(",") if part.strip(" '\"")]
    by_name = {_plain(family): family for family in families}
    found = next((by_name[name] for words in wanted for name in (_plain(words), _plain(_SUFFIX.sub("", words)))
                  if name in by_name), "")
    if wanted and not found and _plain(wanted[0]) not in _GENERIC:
        family = wanted[0][:60]
        written.note(f"font {family}", f"the font '{family}' is not in the deck: set in the text style",
                     "put its .ttf or .otf into fonts/")
    first = wanted[0] if wanted else ""
    if (weight := font_weight(style)) < LIGHT and not re.search("light|thin", _plain(found)):
        written.note("light letters", f"letters of weight {weight} are set in the regular weight", "put a light font "
                     "into fonts/, or turn the text into paths")
    italic = style.get("font-style") in ("italic", "oblique") or _SLANTED.search(first)
    return (found or "text") + ("/bold" if weight >= BOLD else "") + ("/italic" if italic else "")


def _plain(name: str) -> str:
    return re.sub(r"[\W_]", "", name.casefold())


def _is_painted(style: Style) -> bool:
    return style.get("visibility") not in ("hidden", "collapse") and {
        letter_colour(style, "fill", "#000"), letter_colour(style, "stroke", "none")} != {"none"}


def _paints(style: Style, scale: float, written: WrittenText) -> dict[str, str]:
    """The colour of letters, and of a line around them. A gradient is black: texts have one colour."""
    fill, stroke = letter_colour(style, "fill", "#000"), letter_colour(style, "stroke", "none")
    width = (to_units(style.get("stroke-width", "1")) or 0.0) * scale
    lined = stroke.startswith("#") and width > 0.01
    if not _is_painted(style):
        return {"fill": quote("none")}
    if fill.startswith("url("):
        written.note("letters", "letters with a gradient are black", "turn them into paths")
    if stroke.startswith("url("):
        written.lose("a gradient around letters")
    paints = {"fill": quote(fill if fill.startswith("#") or fill == "none" else "#000000")}
    if lined and style.get("paint-order", "").startswith("stroke") and fill != "none":
        paints["outline"] = quote(f"{stroke} {width / 2:.3f}")
    elif lined:
        paints["contour"] = quote(f"{stroke} {width:.3f}")
    return paints


def _leading(style: Style, lines: Sequence[DrawnLine], size: float) -> float:
    words = style.get("line-height", "")
    leading = (to_units(words, size, size) or 0) / size if re.search(r"[a-z%]", words) else to_units(words) or 0
    if not leading and len(lines) > 1:
        leading = abs(lines[1].y - lines[0].y) / size
    return min(max(leading, 0.8), 3.0) if leading >= 0.5 else 1.25


# --- Places ---

def _frame(drawing: Drawing, element: etree._Element, style: Style, lines: int, written: WrittenText) -> Rect | None:
    """The frame of a text in its own units, if it has one."""
    own, frames = drawing.styles[element], 1
    shape: etree._Element | None = None
    if inside := own.get("shape-inside", ""):
        shape, frames = drawing.target(element, inside), inside.count("url(")
    elif local_tag(element) == "flowRoot":
        region = next((each for each in element if local_tag(each) == "flowRegion"), None)
        shapes = [each for each in (region if region is not None else ()) if isinstance(each.tag, str)]
        shape, frames = next(iter(shapes), None), len(shapes)
        if shape is not None and local_tag(shape) == "use":
            shape = drawing.target(shape)
    elif width := to_units(own.get("inline-size", "0")):
        size = font_size(style)
        x, y = drawing.number(element, "x"), drawing.number(element, "y")
        share = SHARES[_ANCHORS.get(style.get("text-anchor", "start"), "start")]
        return Rect(x - width * share, y - size, width, size * 1.25 * max(lines, 8))
    if shape is None:
        return None
    if frames > 1:
        written.lose("a second frame of a text")
    if local_tag(shape) != "rect" and not is_rectangle(drawing, shape):
        written.note("frames", "words in a frame of another shape stand in the rectangle around it", "use a rectangle")
    box = shape_box(drawing, shape)
    box = box.grown(Insets.all(-(to_units(own.get("shape-padding", "0")) or 0.0))) if box else None
    return box if box and box.width > 0 and box.height > 0 else None


def _first_baseline(frame: Rect, lines: Sequence[DrawnLine], leading: float, size: float) -> float:
    """The top of the box whose first line stands where the program drew it, else with the air of its leading."""
    first = lines[0] if lines else None
    if first and frame.y < first.y < frame.bottom:
        return first.y - BASELINE * max(font_size(run.style) for run in first.runs or [StyledWords("", first.style)])
    return frame.y + (leading - 1) / 2 * size


def _guess_frame(setting: TextSetting, lines: Sequence[DrawnLine], matrix: Matrix, scale: float, size: float,
                 anchor: str) -> Rect:
    """The frame of a column whose sample has several lines, but none: from there to the edges."""
    x, y = apply_matrix(matrix, lines[0].x, lines[0].y)
    width = _room(setting.size, x, y, 0, anchor, size, margin=max(_safe(setting.size), x if anchor == "start" else 0))
    height = max(setting.size.height - _safe(setting.size) - y + size, size * 1.3)
    return Rect(lines[0].x - width / scale * SHARES[anchor], lines[0].y - 0.9 * size / scale, width / scale,
                height / scale)


def _safe(page: Size) -> float:
    return min(SAFE_MM, SAFE_SHARE * min(page.width, page.height))


def _room(page: Size, x: float, y: float, angle: float, anchor: str, size: float, margin: float = 0) -> float:
    """The width of a line at a place: to the edge in its direction, less a margin."""
    margin = margin or _safe(page)

    def reach(dx: float, dy: float) -> float:
        ways = [((page.width if dx > 0 else 0) - x) / dx] if abs(dx) > 1e-6 else []
        ways += [((page.height if dy > 0 else 0) - y) / dy] if abs(dy) > 1e-6 else []
        return max(min(ways) - min(margin, min(ways) / 2), 0.0)

    dx, dy = cos(radians(angle)), sin(radians(angle))
    ahead, behind = reach(dx, dy), reach(-dx, -dy)
    width = {"start": ahead, "end": behind, "middle": 2 * min(ahead, behind)}[anchor]
    return max(width, size)
