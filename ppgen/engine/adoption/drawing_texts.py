"""Texts of drawings as calls of ``text()``, ``paragraph()`` and ``rich()``: lines, frames, fonts, sizes in millimetres.

Each program writes texts in its own way. Inkscape frames them by ``flowRoot`` (0.92), ``shape-inside`` or
``inline-size`` (1.x), and saves the lines that it broke. Figma places each line, and Affinity each kerned run, by x, y.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from dataclasses import dataclass, field
from math import atan2, cos, degrees, radians, sin

from lxml import etree

from ppgen.engine.adoption.drawing_binding import (
    Columns,
    escape_markup,
    language_test,
    quote,
    split_at_columns,
)
from ppgen.engine.adoption.drawing_places import apply_matrix, shape_box
from ppgen.engine.drawing.drawing_cleaning import Drawing, Style, clean_colour, to_units
from ppgen.engine.geometry import Rect, Size
from ppgen.engine.svg import Matrix, local_tag

SAFE_MM, SAFE_SHARE = 3.0, 0.05
"""Texts that have no frame end so far from the edge, or at this share of the page's shorter side if that is less."""
MIN_SHRINK = 0.6
"""Least size of letters, as a share of the drawing's."""
BOLD = 600
MAX_WORDS = 4_000
AS_DRAWN = {"keep": "true"}
"""Option of words that no column fills: they are set even if they are too long."""
ROLE = "{http://sodipodi.sourceforge.net/DTD/sodipodi-0.dtd}role"
_BLOCKS = ("flowPara", "flowDiv")
_ANCHORS = {"middle": "middle", "center": "middle", "end": "end", "right": "end"}
_ALIGNMENTS = {"start": "left", "middle": "center", "end": "right"}
_SHARES = {"start": 0.0, "middle": 0.5, "end": 1.0}
_GENERIC = frozenset("serif sans sansserif monospace cursive fantasy systemui".split())
_SLANTED = re.compile(r"-\w*(?:italic|oblique)$", re.IGNORECASE)
_SUFFIX = re.compile(r"-?(?:bold|italic|oblique|regular|medium|semibold|light|black|roman|book|mt|ps)+", re.IGNORECASE)


@dataclass(slots=True)
class StyledWords:
    """Words in one style, and of one language."""

    words: str
    style: Style
    is_bold: bool
    is_italic: bool
    test: str = ""
    """The expression whether they are for the deck's language, if they are not for all."""


@dataclass(slots=True)
class TextLine:
    """A line of a text as the program broke it: its place in units of the drawing, and its runs."""

    x: float
    y: float
    runs: list[StyledWords] = field(default_factory=list)
    ends: bool = False
    """Whether a paragraph ends with it."""

    @property
    def words(self) -> str:
        return "".join(run.words for run in self.runs)


@dataclass(frozen=True, slots=True, kw_only=True)
class TextSetting:
    """What all texts of a drawing share. ``families`` are the fonts of the deck."""

    drawing: Drawing
    columns: Columns
    families: Collection[str]
    size: Size


@dataclass(slots=True)
class WrittenText:
    """A text as calls of a template, columns inside its words, and fonts that the deck lacks."""

    markup: str = ""
    columns: list[str] = field(default_factory=list)
    missing: list[str] = field(default_factory=list)


def read_lines(drawing: Drawing, element: etree._Element, style: Style) -> list[TextLine]:
    """Return the lines of a text. A run at another height begins a line, as does an element that is one."""
    lines = [TextLine(drawing.number(element, "x"), drawing.number(element, "y"))]

    def add(words: str | None, run_style: Style, test: str = "") -> None:
        words = re.sub(r"\s+", " ", words or "")
        line = lines[-1]
        if not line.runs or line.runs[-1].words.endswith(" "):
            words = words.lstrip()
        if words:
            weight, slant = font_weight(run_style), run_style.get("font-style", "")
            line.runs.append(StyledWords(words, run_style, weight >= BOLD, slant in ("italic", "oblique"), test))

    def begin(inner: etree._Element, ends: bool) -> None:
        last = lines[-1]
        x = drawing.number(inner, "x") if inner.get("x") else lines[0].x
        y = drawing.number(inner, "y") if inner.get("y") else last.y + (to_units(inner.get("dy", "0"), em=16) or 0)
        if not last.runs:
            last.x, last.y = x, y
        elif ends or abs(y - last.y) > 0.1 * (to_units(style.get("font-size", "16")) or 16):
            last.ends = ends
            lines.append(TextLine(x, y))

    def walk(holder: etree._Element, holder_style: Style, test: str = "") -> None:
        add(holder.text, holder_style, test)
        for inner in holder:
            tag, inner_style = local_tag(inner), drawing.style(inner, holder_style)
            if tag in ("tspan", "flowPara", "flowDiv", "flowSpan", "textPath", "a") and (
                    inner_style.get("display") != "none"):
                if tag in _BLOCKS or inner.get(ROLE) == "line":
                    begin(inner, True)
                elif inner.get("y") or inner.get("dy"):
                    begin(inner, False)
                walk(inner, inner_style, language_test(inner) or test)
            add(inner.tail, holder_style, test)

    walk(element, style)
    return [line for line in lines if line.words.strip()] or lines[:1]


def write_text(setting: TextSetting, element: etree._Element, style: Style, matrix: Matrix, column: str) -> WrittenText:
    """Write a text, bound to a column or with its own words. Empty without words."""
    drawing, columns, written = setting.drawing, setting.columns, WrittenText()
    lines = read_lines(drawing, element, style)
    first = next((run.style for line in lines for run in line.runs), style)
    if not (column or any(line.words.strip() for line in lines)) or not _is_painted(first):
        return written
    scale = abs(matrix[0] * matrix[3] - matrix[1] * matrix[2]) ** 0.5
    size = max((to_units(first.get("font-size", "16")) or 16.0) * scale, 0.2)
    anchor = _ANCHORS.get(first.get("text-anchor", "start"), "start")
    frame = _frame(drawing, element, style, len(lines))
    if frame or anchor == "start":
        anchor = _ANCHORS.get(first.get("text-align", ""), anchor)
    angle = degrees(atan2(matrix[1], matrix[0]))
    look = {"size": f"{size:.3f}", "min_size": f"{size * MIN_SHRINK:.3f}",
            "style": quote(_style_name(first, setting.families, written)), **_paints(first, scale)}
    spacing = to_units(first.get("letter-spacing", "0"), em=size / scale) or 0.0
    if abs(spacing * scale) > 1e-3:
        look["spacing"] = f"{spacing * scale / size:.4f}"
    if frame is None and column and len(lines) > 1:
        frame = _guess_frame(setting, lines, matrix, scale, size, anchor)
    if frame:
        look.pop("spacing", None)
        code = columns.cell(column) if column else _join(lines, setting, written, framed=True)
        look |= {} if column or written.columns else AS_DRAWN
        x, y = apply_matrix(matrix, frame.x, frame.y)
        call = _call("rich", code, x=0, y=0, width=frame.width * scale, height=frame.height * scale,
                     align=quote(_ALIGNMENTS[anchor]), leading=_leading(first, lines, size / scale), **look)
        written.markup = _place(call, x, y, angle)
        return written
    for line in lines[:1] if column else lines:
        x, y = apply_matrix(matrix, line.x, line.y)
        width = _room(setting.size, x, y, angle, anchor, size)
        filled = len(written.columns)
        code = columns.cell(column) if column else _join([line], setting, written)
        own = {} if column or len(written.columns) > filled else AS_DRAWN
        call = _call("rich", code, x=-width * _SHARES[anchor], y=0, width=width, align=quote(_ALIGNMENTS[anchor]),
                     **look, **own)
        written.markup += _place(call, x, y, angle)
    return written


def _call(function: str, code: str, **options: object) -> str:
    given = ", ".join(f"{name}={f'{value:.3f}' if isinstance(value, float | int) else value}"
                      for name, value in options.items())
    return f"{{{{ {function}({code}, {given}) }}}}"


def _place(call: str, x: float, y: float, angle: float) -> str:
    turn = f" rotate({angle:.5g})" if abs(angle) > 0.05 else ""
    return f'<g transform="translate({x:.3f} {y:.3f}){turn}">{call}</g>'


def _join(lines: Sequence[TextLine], setting: TextSetting, written: WrittenText, framed: bool = False) -> str:
    """The expression of the words of lines: literals, and the cells of columns between them."""
    base = lines[0].runs[0]
    parts: list[str] = []
    literal = ""
    for number, line in enumerate(lines):
        for run in line.runs:
            *cells, last = _run_parts(run, base, setting, written)
            if run.test:
                own = " ~ ".join([*(f"{quote(before)} ~ {cell}" for before, cell in cells), quote(last[0])])
                parts += [quote(literal), f'({own} if {run.test} else "")']
                literal = ""
                continue
            for before, cell in cells:
                parts += [quote(literal + before), cell]
                literal = ""
            literal += last[0]
        if framed and number < len(lines) - 1:
            literal += "\n" if line.ends else "" if literal.endswith(" ") else " "
    parts += [quote(literal.rstrip())] if literal.strip() else []
    return " ~ ".join(part for part in parts if part != '""') or '""'


def _run_parts(run: StyledWords, base: StyledWords, setting: TextSetting,
               written: WrittenText) -> list[tuple[str, str]]:
    """The words of a run as ``rich()`` reads them, each stretch with the cell behind it; the last one with none."""
    mark = ("**" if run.is_bold and not base.is_bold else "") + ("*" if run.is_italic > base.is_italic else "")
    words = run.words[:MAX_WORDS]
    inner = words.strip()
    if not mark or not inner:
        mark, inner = "", words
    parts = []
    for before, column in split_at_columns(inner, setting.columns):
        written.columns += [column] if column else []
        parts.append((before if _names_icon(before) else escape_markup(before),
                      setting.columns.cell(column) if column else ""))
    if mark:
        parts[0] = words[:len(words) - len(words.lstrip())] + mark + parts[0][0], parts[0][1]
        parts[-1] = parts[-1][0] + mark[::-1] + words[len(words.rstrip()):], ""
    return parts


def _names_icon(words: str) -> bool:
    return bool(re.search(r"\{\w[\w /.-]{0,59}\}", words))


# Looks

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
        written.missing.append(wanted[0][:60])
    first = wanted[0] if wanted else ""
    italic = style.get("font-style") in ("italic", "oblique") or _SLANTED.search(first)
    return (found or "text") + ("/bold" if font_weight(style) >= BOLD else "") + ("/italic" if italic else "")


def _plain(name: str) -> str:
    return re.sub(r"[\W_]", "", name.casefold())


def _is_painted(style: Style) -> bool:
    return {clean_colour(style.get("fill", "#000"))[0], clean_colour(style.get("stroke", "none"))[0]} != {"none"}


def _paints(style: Style, scale: float) -> dict[str, str]:
    """The colour of letters, and of a line around them. A gradient is black: texts have one colour."""
    fill, stroke = clean_colour(style.get("fill", "#000"))[0], clean_colour(style.get("stroke", "none"))[0]
    width = (to_units(style.get("stroke-width", "1")) or 0.0) * scale
    lined = stroke.startswith("#") and width > 0.01
    paints = {"fill": quote(fill if fill.startswith("#") else stroke if lined and fill == "none" else "#000000")}
    if lined and fill != "none":
        paints["outline"] = quote(f"{stroke} {width / 2:.3f}")
    return paints


def _leading(style: Style, lines: Sequence[TextLine], size: float) -> float:
    words = style.get("line-height", "")
    leading = (to_units(words, size, size) or 0) / size if re.search(r"[a-z%]", words) else to_units(words) or 0
    if not leading and len(lines) > 1:
        leading = abs(lines[1].y - lines[0].y) / size
    return min(max(leading, 0.8), 3.0) if leading >= 0.5 else 1.25


# Places

def _frame(drawing: Drawing, element: etree._Element, style: Style, lines: int) -> Rect | None:
    """The frame of a text in its own units, if it has one."""
    own = drawing.styles[element]
    shape: etree._Element | None = None
    if inside := own.get("shape-inside", ""):
        shape = drawing.target(element, inside)
    elif local_tag(element) == "flowRoot":
        region = next((each for each in element if local_tag(each) == "flowRegion"), None)
        shape = next((each for each in (region if region is not None else ()) if isinstance(each.tag, str)), None)
        if shape is not None and local_tag(shape) == "use":
            shape = drawing.target(shape)
    elif width := to_units(own.get("inline-size", "0")):
        size = to_units(style.get("font-size", "16")) or 16.0
        x, y = drawing.number(element, "x"), drawing.number(element, "y")
        share = _SHARES[_ANCHORS.get(style.get("text-anchor", "start"), "start")]
        return Rect(x - width * share, y - size, width, size * 1.25 * max(lines, 8))
    if shape is None:
        return None
    box = shape_box(drawing, shape)
    return box if box and box.width > 0 and box.height > 0 else None


def _guess_frame(setting: TextSetting, lines: Sequence[TextLine], matrix: Matrix, scale: float, size: float,
                 anchor: str) -> Rect:
    """The frame of a column whose sample has several lines, but none: from there to the edges."""
    x, y = apply_matrix(matrix, lines[0].x, lines[0].y)
    width = _room(setting.size, x, y, 0, anchor, size, margin=max(_safe(setting.size), x if anchor == "start" else 0))
    height = max(setting.size.height - _safe(setting.size) - y + size, size * 1.3)
    return Rect(lines[0].x - width / scale * _SHARES[anchor], lines[0].y - 0.9 * size / scale, width / scale,
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
