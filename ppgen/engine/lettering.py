"""Turns words and a box into SVG text that fits: the ``text`` and ``paragraph`` of the templates.

SVG has no line breaking and drops what a font lacks, so each text states the box it was meant for
(``data-width``, ``data-height``), and the check of the finished SVG holds it to that.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from xml.sax.saxutils import escape, quoteattr

from ppgen.engine.fonts import FontBook

STEPS = 24
"""A text that is too wide shrinks to its smallest size in this many steps."""

NO_LINE_START = set("、。，．・：；？！）」』】〉》々ー,.;:!?)%»”’")
"""Characters that don't begin a line (JIS X 4051, clause 6.1, the part that matters here)."""


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
        for step in _shrinking(size, min_size):
            lines = list(self._broken(str(words), width, step, style))
            needed = step * (leading * (len(lines) - 1) + 1)
            fits = all(self.fonts.width(line, style, step) <= width for line in lines)
            if fits and needed <= height:
                break
        top = {"top": y, "middle": y + (height - needed) / 2, "bottom": y + height - needed}[valign]
        body = "".join(self._line(line, x, top + step * (0.78 + leading * n), width, step, style, anchor, fill, 0)
                       for n, line in enumerate(lines))
        return f'<g data-height="{height:.2f}" data-needs="{needed:.2f}">{body}</g>'

    def _line(self, line: str, x: float, y: float, width: float, size: float,
              style: str, anchor: str, fill: str, spacing: float) -> str:
        # Trailing letter spacing shifts centred and right-aligned text: take it back.
        nudge = {"start": 0.0, "middle": spacing / 2, "end": spacing}[anchor]
        runs = "".join(
            f'<tspan font-family={quoteattr(run.font.family)} font-weight="{run.font.weight}"'
            f'{" font-style=" + quoteattr("italic") if run.font.italic else ""}>{escape(run.text)}</tspan>'
            for run in self.fonts.runs(line, style))
        spaced = f' letter-spacing="{spacing:.3f}"' if spacing else ""
        return (f'<text x="{x + nudge:.3f}" y="{y:.3f}" font-size="{size:.3f}" text-anchor={quoteattr(anchor)}'
                f' fill={quoteattr(fill)}{spaced} xml:space="preserve" data-width="{width + spacing:.3f}">'
                f'{runs}</text>')

    def _broken(self, words: str, width: float, size: float, style: str) -> Iterator[str]:
        for block in words.split("\n"):
            line = ""
            for piece in _pieces(block):
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


def _pieces(block: str) -> Iterator[str]:
    """The text cut where a line may break: behind spaces, and around Japanese characters."""
    piece = ""
    for character in block:
        wide = _is_wide(character)
        if piece and (piece[-1] == " " or ((wide or _is_wide(piece[-1])) and character not in NO_LINE_START)):
            yield piece
            piece = ""
        piece += character
    if piece:
        yield piece


def _is_wide(character: str) -> bool:
    return "\u3000" <= character <= "\u9fff" or "\uff00" <= character <= "\uffef"
