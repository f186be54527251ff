"""QR codes as SVG: one outline around all dark modules, so that no hairline shows between them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from html import escape

from ppgen.engine.geometry import format_decimal as mm
from ppgen.engine.svg.elements import svg_element

QUIET = 4  # light modules around a code (ISO/IEC 18004)
MIN_MODULE, MIN_CODE_CONTRAST = 0.4, 4.0  # side of a module (mm), and contrast, below which phones fail


@dataclass(frozen=True, slots=True)
class QrCode:
    """The outline of the dark modules as path data, and the modules of a side with the quiet zone; each is 1 wide."""

    outline: str
    side: int


@lru_cache(maxsize=500)
def make_qr_code(words: str) -> QrCode:
    """Encode the words, with a seventh of the code restorable at least. Raises ValueError if they are too long."""
    import segno  # few decks have codes

    try:
        matrix = segno.make(words, error="m", micro=False).matrix
    except segno.DataOverflowError:
        raise ValueError(f"{len(words)} characters are too many for a QR code") from None
    outline = "".join(f"M{'L'.join(f'{x} {y}' for x, y in loop)}z" for loop in _outlines(matrix))
    return QrCode(outline, len(matrix) + 2 * QUIET)


def draw_qr_code(words: str, x: float, y: float, size: float, fill: str = "#000000", ground: str = "#FFFFFF") -> str:
    """Draw the code of some words on its ground, whose left upper corner is given. Raises ValueError as above."""
    code = make_qr_code(words)
    return (svg_element("rect", x=mm(x), y=mm(y), width=mm(size), height=mm(size), fill=ground)
            + f'<path transform="translate({mm(x)} {mm(y)}) scale({size / code.side:.5f})" fill="{escape(fill)}" '
              f'd="{code.outline}"/>')


def _outlines(matrix: Sequence[Sequence[int]]) -> Iterator[list[tuple[int, int]]]:
    """Trace the edges between dark and light modules, with the dark ones to the right, corner by corner."""
    edges: dict[tuple[int, int], list[tuple[int, int]]] = {}
    for y, row in enumerate(matrix, QUIET):
        for x, _ in filter(lambda module: module[1], enumerate(row, QUIET)):
            corners = (x, y), (x + 1, y), (x + 1, y + 1), (x, y + 1)
            for start, end in zip(corners, (*corners[1:], corners[0]), strict=True):
                if start in edges.get(end, ()):
                    edges[end].remove(start)  # an edge between two dark modules
                else:
                    edges.setdefault(start, []).append(end)
    for start, ends in edges.items():
        while ends:
            loop, here = [start], ends.pop()
            while here != start:
                if len(loop) > 1 and (loop[-2][0] == loop[-1][0] == here[0] or loop[-2][1] == loop[-1][1] == here[1]):
                    loop.pop()  # in the middle of a straight line
                loop.append(here)
                here = edges[here].pop()
            yield loop
