"""Turns words and a box into SVG text that fits: the ``text`` and ``paragraph`` of the templates.

SVG has no line breaking and drops what a font lacks, so each text states the box it was meant for
(``data-width``, ``data-height``), and the check of the finished SVG holds it to that.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from html import escape

from ppgen.engine.drawing.fonts import FontBook

STEPS = 24
"""A text that is too wide shrinks to its smallest size in this many steps."""

STUB_SHRINKS = 0.8
"""A line of one or two Japanese characters is avoided by shrinking the paragraph down to this share at most."""

NO_LINE_START = set("、。，．・：；？！）」』】〉》〕］｝々ゝゞヽヾー〜,.;:!?)%»”’"
                    "ぁぃぅぇぉっゃゅょゎァィゥェォッャュョヮヵヶ")
"""Characters that don't begin a line (JIS X 4051, clause 6.1, the part that matters here)."""
NO_LINE_END = set("（「『【〈《〔［｛〜([«“‘„")
"""Characters that don't end a line (the same clause); a number stays with the dash before it."""
_ITALIC = ' font-style="italic"'


@dataclass(frozen=True, slots=True, kw_only=True)
class Lettering:
    """Sets text in the styles of a font book. All lengths are in the units of the SVG (mm on faces)."""

    fonts: FontBook

    def text(self, words: object, *, x: float, y: float, width: float, size: float, min_size: float | None = None,
             style: str = "text", anchor: str = "start", fill: str = "#000", spacing: float = 0) -> str:
        """One line with its baseline at ``y``: as large as ``size``, smaller (to ``min_size``) to fit ``width``.

        ``spacing`` is letter spacing in parts of the font size. Too long a text is set at its
        smallest size and reported by the check.
        """
        line = str(words)
        fitting = next((step for step in _shrinking(size, min_size)
                        if self.fonts.width(line, style, step, spacing * step) <= width), min_size or size)
        return self._line(line, x, y, width, fitting, style, anchor, fill, spacing * fitting)

    def paragraph(self, words: object, *, x: float, y: float, width: float, height: float, size: float,
                  min_size: float | None = None, style: str = "text", anchor: str = "start",
                  fill: str = "#000", leading: float = 1.2, valign: str = "top") -> str:
        """Several lines in the box with its top left corner at x, y (top centre for anchor ``middle``).

        Lines break at spaces and line feeds, and between Japanese characters.
        """
        blocks = [list(_pieces(block)) for block in str(words).split("\n")]
        tried = ((step, list(self._broken(blocks, width, step, style))) for step in _shrinking(size, min_size))
        step, lines = _well_broken(
            tried, lambda step, lines: step * (leading * (len(lines) - 1) + 1) <= height
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
        # The renderer puts letter spacing between letters only; the check of the SVG counts one behind the last, too.
        spaced = f' letter-spacing="{spacing:.3f}"' if spacing else ""
        return (f'<text x="{x:.3f}" y="{y:.3f}" font-size="{size:.3f}" text-anchor="{escape(anchor)}"'
                f' fill="{escape(fill)}"{spaced} xml:space="preserve" data-width="{width + spacing:.3f}">'
                f'{runs}</text>')

    def _broken(self, blocks: Iterable[Iterable[str]], width: float, size: float, style: str) -> Iterator[str]:
        for pieces in blocks:
            line = ""
            for piece in pieces:
                if line and self.fonts.width((line + piece).rstrip(), style, size) > width:
                    yield line.rstrip()
                    line = piece.lstrip()
                else:
                    line += piece
            yield line.rstrip()


def _shrinking(size: float, min_size: float | None) -> Iterator[float]:
    smallest = size if min_size is None else min(size, min_size)
    yield size
    if smallest < size:
        yield from (size - (size - smallest) * step / STEPS for step in range(1, STEPS + 1))


def _well_broken(tried: Iterable[tuple[float, list[str]]],
                 fits: Callable[[float, list[str]], bool]) -> tuple[float, list[str]]:
    """The first size and lines that fit, or a little smaller ones without a stub; if none fit, the last."""
    first: tuple[float, list[str]] | None = None
    for step, lines in tried:
        last = step, lines
        if first and step < first[0] * STUB_SHRINKS:
            return first
        if fits(step, lines):
            if not any(len(line) <= 2 and all(map(_is_wide, line)) for line in lines[1:]):
                return last
            first = first or last
    return first or last


def _pieces(block: str) -> Iterator[str]:
    """The text cut where a line may break: behind spaces, and around Japanese characters.

    Not at the space before a French colon, nor at those within guillemets.
    """
    piece = ""
    for character in block:
        spaced = piece.endswith(" ") and character not in NO_LINE_START and piece[-2:-1] not in NO_LINE_END
        if piece and (spaced or _may_break(piece[-1], character)):
            yield piece
            piece = ""
        piece += character
    if piece:
        yield piece


def _may_break(before: str, after: str) -> bool:
    """Whether a line may break between two characters without a space: a number keeps its counter, ``56枚``."""
    return ((_is_wide(before) or _is_wide(after)) and before not in NO_LINE_END and after not in NO_LINE_START
            and not (before.isdigit() and _is_wide(after)))


def _is_wide(character: str) -> bool:
    return "\u3000" <= character <= "\u9fff" or "\uff00" <= character <= "\uffef"
