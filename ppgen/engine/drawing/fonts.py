"""The fonts of a set: a book that splits text into runs and measures them."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path

from ppgen.engine.drawing import shaping


@dataclass(frozen=True, slots=True, kw_only=True)
class Font:
    """One font file, and the words SVG asks for it by."""

    family: str
    weight: int
    italic: bool
    path: Path

    def __hash__(self) -> int:
        return hash(self.family)  # asked for with every text that is measured: a path takes longer

    def has(self, character: str) -> bool:
        return shaping.shaper(self.path).get_nominal_glyph(ord(character)) is not None

    def lacks(self, text: str) -> list[str]:
        """The characters of the text that it has no glyph for, each once."""
        glyph_of = shaping.shaper(self.path).get_nominal_glyph
        return [character for character in dict.fromkeys(text) if glyph_of(ord(character)) is None]

    def sets(self, character: str) -> bool:
        """Whether typst sets it in this font: there is a glyph, or it is one of those that are rightly not seen."""
        return self.has(character) or (not character.isprintable() and shaping.is_unseen(self.path, character))

    def advance(self, text: str, ligatures: bool = True) -> float:
        """The width of the text at font size 1."""
        return shaping.advance(self.path, text, ligatures)

    def outline(self, text: str, size: float, x: float = 0.0, spacing: float = 0.0) -> str:
        """SVG path data of the text, from ``x`` on its baseline at y = 0, y down, in the unit of ``size``.

        ``spacing`` follows each character. Empty where nothing is drawn.
        """
        return shaping.outline(self.path, text, size, x, spacing)


@dataclass(frozen=True, slots=True)
class Run:
    """Characters that stand next to each other in one font."""

    text: str
    font: Font


@dataclass(frozen=True, slots=True, kw_only=True)
class FontBook:
    """The fonts of a set, and the text styles that name them in order of preference."""

    folder: Path
    fonts: tuple[Font, ...]
    styles: Mapping[str, tuple[Font, ...]] = field(hash=False)

    def find(self, family: str, weight: int = 400, italic: bool = False) -> Font | None:
        """Exactly that font; None where SVG would fall back to another without a word."""
        wanted = (family, weight, italic)
        return next((font for font in self.fonts if (font.family, font.weight, font.italic) == wanted), None)

    def runs(self, text: str, style: str) -> tuple[Run, ...]:
        """The text split at changes of font; a character that no font has stays in the first font."""
        return _runs(text, self.styles[style])

    def width(self, text: str, style: str, size: float, spacing: float = 0) -> float:
        """How wide the text comes out, in the unit of ``size``; ``spacing`` follows each character."""
        advance = sum(run.font.advance(run.text, not spacing) for run in self.runs(text, style))
        return advance * size + spacing * len(text)

    @property
    def families(self) -> tuple[str, ...]:
        return tuple(dict.fromkeys(font.family for font in self.fonts))


@lru_cache(maxsize=20_000)
def _runs(text: str, fonts: tuple[Font, ...]) -> tuple[Run, ...]:
    chosen, runs = _chooser(fonts), []
    start, last = 0, None
    for place, character in enumerate(text):
        font = chosen(character)
        if font is not last and not (character == " " and last and last.has(" ")):
            if last:
                runs.append(Run(text[start:place], last))
            start, last = place, font
    return (*runs, Run(text[start:], last)) if last else ()


@lru_cache(maxsize=64)
def _chooser(fonts: tuple[Font, ...]) -> Callable[[str], Font]:
    """What tells the font of a character: of these, in order of preference, the first that has it."""
    # Latin fonts have a few marks of Japanese, such as 《: better in the font that has the rest of it.
    for_kana = sorted(fonts, key=lambda font: not font.has("の"))

    @lru_cache(maxsize=20_000)
    def chosen(character: str) -> Font:
        return next((font for font in (for_kana if character >= "\u3000" else fonts) if font.has(character)), fonts[0])

    return chosen
