"""Text in boxes: SVG text that fits its box, and text as outlines."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from html import escape

from lxml import etree

from ppgen.engine.drawing.fonts import FontBook
from ppgen.engine.svg import SPACE, SVG, inherited_value, text_pieces

SHRINK_STEPS = 24
"""Steps in which a text that is too wide shrinks to its smallest size."""

MIN_STUB_SHRINK = 0.8
"""To avoid a line of one or two Japanese characters, a paragraph shrinks to this share at most."""

NO_LINE_START = set("、。，．・：；？！）」』】〉》〕］｝々ゝゞヽヾー〜,.;:!?)%»”’"
                    "ぁぃぅぇぉっゃゅょゎァィゥェォッャュョヮヵヶ")
"""Characters that don't begin a line (JIS X 4051, clause 6.1, as far as it matters here)."""
NO_LINE_END = set("（「『【〈《〔［｛〜([«“‘„")
"""Characters that don't end a line (the same clause); a number stays with the dash before it."""
_ITALIC = ' font-style="italic"'


@dataclass(frozen=True, slots=True, kw_only=True)
class Lettering:
    """``text()`` and ``paragraph()`` of the templates. All lengths are in the units of the SVG (mm on faces).

    SVG has no line breaking and drops characters that a font lacks. So each text states its box (``data-width``,
    ``data-height``), and the check of the drawn SVG compares.
    """

    fonts: FontBook

    def text(self, words: object, *, x: float, y: float, width: float, size: float, min_size: float | None = None,
             style: str = "text", anchor: str = "start", fill: str = "#000", spacing: float = 0) -> str:
        """Set one line with its baseline at ``y``, at ``size`` or smaller (down to ``min_size``) to fit ``width``.

        ``spacing`` is letter spacing as a share of the font size. A text that is too long is set at its smallest
        size, and the check reports it.
        """
        line = str(words)
        fitting = self._fit_line(line, width, size, min_size, style, spacing)
        return self._line(line, x, y, width, fitting, style, anchor, fill, spacing * fitting)

    def text_reach(self, words: object, *, width: float, size: float, min_size: float | None = None,
                   style: str = "text", spacing: float = 0) -> str:
        """Return how far right the outlines of a line reach from its start, if ``text()`` sets it in such a box."""
        line = str(words)
        fitting = self._fit_line(line, width, size, min_size, style, spacing)
        return f"{self.fonts.reach(line, style, fitting, spacing * fitting):.3f}"

    def _fit_line(self, line: str, width: float, size: float, min_size: float | None, style: str,
                  spacing: float) -> float:
        return next((step for step in _shrink(size, min_size)
                     if self.fonts.width(line, style, step, spacing * step) <= width), min_size or size)

    def paragraph(self, words: object, *, x: float, y: float, width: float, height: float, size: float,
                  min_size: float | None = None, style: str = "text", anchor: str = "start",
                  fill: str = "#000", leading: float = 1.2, valign: str = "top") -> str:
        """Set several lines in a box with its top left corner at x, y (top centre for anchor ``middle``).

        Lines break at spaces and line feeds, and between Japanese characters.
        """
        blocks = [list(_split_at_breaks(block)) for block in str(words).split("\n")]
        attempts = ((step, list(self._break_lines(blocks, width, step, style))) for step in _shrink(size, min_size))
        step, lines = _choose_attempt(
            attempts, lambda step, lines: step * (leading * (len(lines) - 1) + 1) <= height
            and all(self.fonts.width(line, style, step) <= width for line in lines))
        needed = step * (leading * (len(lines) - 1) + 1)
        top = {"top": y, "middle": y + (height - needed) / 2, "bottom": y + height - needed}[valign]
        body = "".join(self._line(line, x, top + step * (0.78 + leading * n), width, step, style, anchor, fill, 0)
                       for n, line in enumerate(lines))
        return f'<g data-height="{height:.2f}" data-needs="{needed:.2f}">{body}</g>'

    def _line(self, line: str, x: float, y: float, width: float, size: float,
              style: str, anchor: str, fill: str, spacing: float) -> str:
        runs = "".join(
            f'<tspan font-family="{escape(run.font.family)}" font-weight="{run.font.weight}"'
            f'{_ITALIC if run.font.italic else ""}>{escape(run.text, quote=False)}</tspan>'
            for run in self.fonts.runs(line, style))
        # The renderer puts letter spacing between letters only; the check also counts one after the last.
        spaced = f' letter-spacing="{spacing:.3f}"' if spacing else ""
        return (f'<text x="{x:.3f}" y="{y:.3f}" font-size="{size:.3f}" text-anchor="{escape(anchor)}"'
                f' fill="{escape(fill)}"{spaced} xml:space="preserve" data-width="{width + spacing:.3f}">'
                f'{runs}</text>')

    def _break_lines(self, blocks: Iterable[Iterable[str]], width: float, size: float, style: str) -> Iterator[str]:
        for pieces in blocks:
            line = ""
            for piece in pieces:
                if line and self.fonts.width((line + piece).rstrip(), style, size) > width:
                    yield line.rstrip()
                    line = piece.lstrip()
                else:
                    line += piece
            yield line.rstrip()


def _shrink(size: float, min_size: float | None) -> Iterator[float]:
    smallest = size if min_size is None else min(size, min_size)
    yield size
    if smallest < size:
        yield from (size - (size - smallest) * step / SHRINK_STEPS for step in range(1, SHRINK_STEPS + 1))


def _choose_attempt(attempts: Iterable[tuple[float, list[str]]],
                    fits: Callable[[float, list[str]], bool]) -> tuple[float, list[str]]:
    """Return the first size and lines that fit, or slightly smaller ones without a stub; if none fit, the last."""
    first: tuple[float, list[str]] | None = None
    for step, lines in attempts:
        last = step, lines
        if first and step < first[0] * MIN_STUB_SHRINK:
            return first
        if fits(step, lines):
            if not any(len(line) <= 2 and all(map(_is_wide, line)) for line in lines[1:]):
                return last
            first = first or last
    return first or last


def _split_at_breaks(block: str) -> Iterator[str]:
    """Split a text where a line may break: after spaces, and around Japanese characters.

    A line does not break at the space before a French colon, nor at those inside guillemets.
    """
    piece = ""
    for character in block:
        after_space = piece.endswith(" ") and character not in NO_LINE_START and piece[-2:-1] not in NO_LINE_END
        if piece and (after_space or _may_break(piece[-1], character)):
            yield piece
            piece = ""
        piece += character
    if piece:
        yield piece


def _may_break(before: str, after: str) -> bool:
    """Whether a line may break between two characters without a space; a number keeps its counter, ``56枚``."""
    return ((_is_wide(before) or _is_wide(after)) and before not in NO_LINE_END and after not in NO_LINE_START
            and not (before.isdigit() and _is_wide(after)))


def _is_wide(character: str) -> bool:
    return "\u3000" <= character <= "\u9fff" or "\uff00" <= character <= "\uffef"


# Text as outlines: a picture of words, which can't be searched, copied or read aloud.

_TEXT_ATTRIBUTES = frozenset({"x", "y", "font-family", "font-size", "font-weight", "font-style", "text-anchor",
                              "letter-spacing", SPACE})
_SHIFTS = ("x", "y", "dx", "dy")
_STARTS = {"middle": 0.5, "end": 1.0}


def text_to_outlines(svg: str, fonts: FontBook) -> str:
    """Replace the texts of checked SVG by outlines.

    This covers texts as ``text()`` and ``paragraph()`` write them. A template's own text with shifts inside the line,
    or without ``xml:space="preserve"``, stays as it is.
    """
    if "<text" not in svg:
        return svg
    root = etree.fromstring(svg.encode())
    for text in list(root.iter(f"{{{SVG}}}text")):
        shifted = any(name in inner.attrib for inner in text.iterdescendants() for name in _SHIFTS)
        if not shifted and not {"dx", "dy"} & set(text.attrib) and text.get(SPACE) == "preserve":
            _replace_by_outlines(text, fonts)
    return etree.tostring(root, encoding="unicode")


def _replace_by_outlines(text: etree._Element, fonts: FontBook) -> None:
    """Replace the text by a group with one path for each run of characters, with the paint of its <tspan>."""
    size, spacing = float(inherited_value(text, "font-size")), float(inherited_value(text, "letter-spacing") or 0)
    at, runs = 0.0, []
    for words, holder in text_pieces(text):
        font = fonts.find(inherited_value(holder, "font-family"), int(inherited_value(holder, "font-weight") or 400),
                          inherited_value(holder, "font-style") == "italic")
        assert font is not None, "the check has found every font"
        runs.append((font.outline(words, size, at, spacing), holder))
        at += font.advance(words, not spacing) * size + spacing * len(words)
    at -= spacing  # the renderer puts it between letters only
    start = float(text.get("x", "0")) - at * _STARTS.get(inherited_value(text, "text-anchor"), 0.0)
    group = etree.Element(f"{{{SVG}}}g")
    for name, value in text.attrib.items():
        if name not in _TEXT_ATTRIBUTES:
            group.set(name, value)
    place = etree.SubElement(group, f"{{{SVG}}}g", transform=f"translate({start:.3f} {text.get('y', '0')})")
    for outline, holder in runs:
        if outline:
            path = etree.SubElement(place, f"{{{SVG}}}path", d=outline)
            for name, value in holder.attrib.items() if holder is not text else ():
                if name not in _TEXT_ATTRIBUTES:
                    path.set(name, value)
    group.tail = text.tail
    parent = text.getparent()
    assert parent is not None
    parent.replace(text, group)
