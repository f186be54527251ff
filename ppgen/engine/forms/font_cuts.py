"""Turns a font and some characters into a small font program with its measures, for text typed into forms.

With ``fonts`` the home of uharfbuzz.
"""

from __future__ import annotations

import struct
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any

from ppgen.engine.drawing.fonts import Font
from ppgen.engine.drawing.shaping import damaged

_LAYOUT = ("GSUB", "GPOS", "GDEF", "kern", "DSIG", "meta")
"""Tables that only a text shaper reads; forms are set letter by letter."""


@dataclass(frozen=True, slots=True, kw_only=True)
class FontCut:
    """A TrueType program with only some characters. Lengths are in thousandths of the font size.

    ``glyphs`` and ``widths`` tell each character's glyph and advance; ``descent`` is negative.
    """

    name: str
    program: bytes
    glyphs: Mapping[str, int] = field(hash=False)
    widths: Mapping[str, int] = field(hash=False)
    ascent: int
    descent: int
    cap_height: int
    italic_angle: float
    bbox: tuple[int, int, int, int]

    def width(self, text: str) -> int:
        """How wide the text is; characters that were cut away count nothing."""
        return sum(self.widths.get(character, 0) for character in text)


def cut(font: Font, characters: Iterable[str]) -> FontCut:
    """The part of a font that these characters need. The same input gives the same bytes."""
    return _cut(font, "".join(sorted(set(characters))))


@lru_cache(maxsize=16)
def _cut(font: Font, characters: str) -> FontCut:
    with damaged(font.path):
        return _subset(font, characters)


def _subset(font: Font, characters: str) -> FontCut:
    import uharfbuzz

    wanted = uharfbuzz.SubsetInput()
    wanted.sets(uharfbuzz.SubsetInputSets.UNICODE).update(map(ord, characters))
    wanted.sets(uharfbuzz.SubsetInputSets.DROP_TABLE_TAG).update(
        int.from_bytes(tag.encode("ascii"), "big") for tag in _LAYOUT)
    wanted.flags = uharfbuzz.SubsetFlags.NO_HINTING
    whole = uharfbuzz.Face(uharfbuzz.Blob.from_file_path(str(font.path)))
    face = uharfbuzz.subset(whole, wanted)
    shaper = uharfbuzz.Font(face)
    glyphs = {character: glyph for character in characters
              if (glyph := shaper.get_nominal_glyph(ord(character))) is not None}
    scale = 1000 / face.upem
    return FontCut(name=font.path.stem, program=bytes(face.blob.data), glyphs=glyphs,
                   widths={character: round(shaper.get_glyph_h_advance(glyph) * scale)
                           for character, glyph in glyphs.items()},
                   **_measures(face, shaper, scale))


def _measures(face: Any, shaper: Any, scale: float) -> dict[str, Any]:
    """What a font descriptor asks for (ISO 32000-1, 9.8.1), from the tables hhea, head, post and the H."""
    ascent, descent = struct.unpack(">hh", face.reference_table("hhea").data[4:8])
    box = struct.unpack(">hhhh", face.reference_table("head").data[36:44])
    (angle,) = struct.unpack(">i", face.reference_table("post").data[4:8])
    letter = shaper.get_nominal_glyph(ord("H"))
    capital = shaper.get_glyph_extents(letter).y_bearing if letter is not None else 0.7 / scale * 1000
    return {"ascent": round(ascent * scale), "descent": round(descent * scale),
            "cap_height": round(capital * scale), "italic_angle": angle / 65536,
            "bbox": tuple(round(edge * scale) for edge in box)}
