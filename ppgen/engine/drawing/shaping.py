"""Turns a font file and a text into measures and outlines, with kerning and ligatures, as typst shapes it.

The home of uharfbuzz.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from functools import lru_cache
from pathlib import Path
from typing import Any

from ppgen.errors import InputError
from ppgen.reading.limits import refusal


@contextmanager
def damaged(path: Path) -> Iterator[None]:
    """Whatever a library makes of a font whose tables lie is an InputError that names its file or folder."""
    try:
        yield
    except InputError:
        raise
    except Exception as error:  # each library has its own, from KeyError to ZeroDivisionError
        what = "holds a damaged font" if path.is_dir() else "is a damaged font"
        raise refusal(path, what, "fetch it again") from error


@lru_cache(maxsize=64)
def shaper(path: Path) -> Any:
    """HarfBuzz's font of a file."""
    import uharfbuzz

    with damaged(path):
        return uharfbuzz.Font(uharfbuzz.Face(uharfbuzz.Blob.from_file_path(str(path))))


@lru_cache(maxsize=64)
def family_of(path: Path) -> str:
    """The family that a font file calls itself; empty if it is no font."""
    import uharfbuzz

    face = uharfbuzz.Face(uharfbuzz.Blob.from_file_path(str(path)))
    names = uharfbuzz.OTNameIdPredefined
    wanted = (names.TYPOGRAPHIC_FAMILY, names.FONT_FAMILY)
    return next((name for id in wanted if face.glyph_count and (name := face.get_name(id))), "")


@lru_cache(maxsize=2_000)
def is_unseen(path: Path, character: str) -> bool:
    """Whether HarfBuzz leaves out a character that has no glyph, as Unicode has it of joiners and soft hyphens."""
    with damaged(path):
        return all(glyph.codepoint for glyph in _shaped(path, character, True).glyph_infos)


@lru_cache(maxsize=20_000)
def advance(path: Path, text: str, ligatures: bool) -> float:
    """The width of the text at font size 1."""
    with damaged(path):
        return float(sum(place.x_advance for place in _shaped(path, text, ligatures).glyph_positions)) / _unit(path)


@lru_cache(maxsize=2_000)
def outline(path: Path, text: str, size: float, x: float, spacing: float) -> str:
    """SVG path data of the text, from ``x`` on its baseline at y = 0; ``spacing`` follows each character."""
    with damaged(path):
        buffer, scale = _shaped(path, text, not spacing), size / _unit(path)
        font, pen = shaper(path), _Pen(scale)
        for glyph, place in zip(buffer.glyph_infos, buffer.glyph_positions, strict=True):
            pen.x, pen.y = x + place.x_offset * scale, -place.y_offset * scale
            font.draw_glyph_with_pen(glyph.codepoint, pen)
            x += place.x_advance * scale + spacing
        return "".join(pen.words)


class _Pen:
    """Writes the outlines of glyphs as path data; fontTools names the methods so."""

    def __init__(self, scale: float) -> None:
        self.scale, self.x, self.y = scale, 0.0, 0.0
        self.words: list[str] = []

    def _write(self, command: str, *points: tuple[float, float]) -> None:
        numbers = (f"{self.x + x * self.scale:.3f} {self.y - y * self.scale:.3f}" for x, y in points)
        self.words.append(command + " ".join(numbers))

    def moveTo(self, point: tuple[float, float]) -> None:
        self._write("M", point)

    def lineTo(self, point: tuple[float, float]) -> None:
        self._write("L", point)

    def curveTo(self, *points: tuple[float, float]) -> None:
        self._write("C", *points)

    def qCurveTo(self, *points: tuple[float, float]) -> None:
        self._write("Q", *points)

    def closePath(self) -> None:
        self._write("Z")

    endPath = closePath


def _unit(path: Path) -> float:
    return float(shaper(path).face.upem)


def _shaped(path: Path, text: str, ligatures: bool) -> Any:
    import uharfbuzz

    buffer = uharfbuzz.Buffer()
    buffer.add_str(text)
    buffer.guess_segment_properties()
    # Letter spacing switches ligatures off, as CSS Text 3, clause 8.2, has it.
    uharfbuzz.shape(shaper(path), buffer, None if ligatures else {"liga": False, "clig": False})
    return buffer
