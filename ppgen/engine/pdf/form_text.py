"""Text of form fields: font subsets, the font to type in, and lines set as a viewer would."""

from __future__ import annotations

import hashlib
import struct
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any

import pikepdf
from pikepdf import Array, Dictionary, Name, Pdf, Stream, String

from ppgen.engine.drawing.fonts import Font, FontBook, report_damaged_font

# --- Font subsets ---

_LAYOUT = ("GSUB", "GPOS", "GDEF", "kern", "DSIG", "meta")  # that only a text shaper reads


@dataclass(frozen=True, slots=True, kw_only=True)
class FontSubset:
    """A TrueType program with only some characters, and its measures in thousandths of the font size."""

    name: str
    program: bytes
    glyphs: Mapping[str, int] = field(hash=False)  # by character
    widths: Mapping[str, int] = field(hash=False)  # advances by character
    ascent: int
    descent: int  # negative
    cap_height: int
    italic_angle: float
    bbox: tuple[int, int, int, int]

    def width(self, text: str) -> int:
        """The width of a text; characters that are not in the subset count nothing."""
        return sum(self.widths.get(character, 0) for character in text)


def subset_font(font: Font, characters: Iterable[str]) -> FontSubset:
    """Reduce a font to these characters. The same input gives the same bytes."""
    return _cached_subset(font, "".join(sorted(set(characters))))


@lru_cache(maxsize=16)
def _cached_subset(font: Font, characters: str) -> FontSubset:
    with report_damaged_font(font.path):
        return _subset(font, characters)


def _subset(font: Font, characters: str) -> FontSubset:
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
    return FontSubset(name=font.path.stem, program=bytes(face.blob.data), glyphs=glyphs,
                      widths={character: round(shaper.get_glyph_h_advance(glyph) * scale)
                              for character, glyph in glyphs.items()},
                      **_measures(face, shaper, scale))


def _measures(face: Any, shaper: Any, scale: float) -> dict[str, Any]:
    """The entries of a font descriptor (ISO 32000-1, 9.8.1) from the tables hhea, head and post and from the H."""
    ascent, descent = struct.unpack(">hh", face.reference_table("hhea").data[4:8])
    box = struct.unpack(">hhhh", face.reference_table("head").data[36:44])
    (angle,) = struct.unpack(">i", face.reference_table("post").data[4:8])
    letter = shaper.get_nominal_glyph(ord("H"))
    capital = shaper.get_glyph_extents(letter).y_bearing if letter is not None else 0.7 / scale * 1000
    return {"ascent": round(ascent * scale), "descent": round(descent * scale),
            "cap_height": round(capital * scale), "italic_angle": angle / 65536,
            "bbox": tuple(round(edge * scale) for edge in box)}


# Text in form fields: fonts after ISO 32000-1, 9.6 and 9.7, field text after 12.7.3.3

FONT = "/Wingdings"
"""The resource name of the font to type in, which has nothing to do with the font of that name.

PDFium uses a form's own font for letters beyond Latin-1 only if it takes that for a symbol font, which it decides by
this name. Elsewhere the name has no meaning (12.7.3.3).
"""
FIELD_INK = "0.1 0.16 0.42"  # the colour of typed text (RGB): the dark blue of a pen, unlike anything printed
FIELD_MARGIN = 2.0  # distance of text from the ends of its field, in points, as in viewers
MAX_FONT_SIZE_PT = 14.0  # maximum of an automatic font size
_FIRST = 32
_REPLACED = "¢£¤¥¦§¨©ª¬\u00ad®¯°±²³´µ¶¸¹º¼½¾×÷‡ˆ‰‹˜›™ƒ†•€…„¿¡«»‚“”—"
"""Characters of WinAnsiEncoding that are not needed in names or numbers …"""
_LETTERS = {
    letter: name for letters, names in (
        ("ČčĆćĎďĐđĚě", "Ccaron ccaron Cacute cacute Dcaron dcaron Dcroat dcroat Ecaron ecaron"),
        ("ĘęĄąĞğİıŁł", "Eogonek eogonek Aogonek aogonek Gbreve gbreve Idotaccent dotlessi Lslash lslash"),
        ("ŃńŇňŐőŘř", "Nacute nacute Ncaron ncaron Ohungarumlaut ohungarumlaut Rcaron rcaron"),
        ("ŚśŞşŤťŮů", "Sacute sacute Scedilla scedilla Tcaron tcaron Uring uring"),
        ("ŰűŹźŻż", "Uhungarumlaut uhungarumlaut Zacute zacute Zdotaccent zdotaccent"),
        ("ŌōŪūȘș−", "Omacron omacron Umacron umacron Scommaaccent scommaaccent minus"))
    for letter, name in zip(letters, names.split(), strict=True)}
"""… and the letters of European names (and romanized Japanese ones) and the minus sign that take over their codes, with
their names in the Adobe Glyph List."""
_DIFFERENCES = {character.encode("cp1252")[0]: letter for character, letter in zip(_REPLACED, _LETTERS, strict=True)}
_CODES = {code: bytes([code]).decode("cp1252") for code in range(_FIRST, 256)
          if code not in (0x7F, 0x81, 0x8D, 0x8F, 0x90, 0x9D)} | _DIFFERENCES
TYPEABLE = "".join(_CODES.values())  # of the font to type in: one byte each, mostly as in WinAnsiEncoding


@dataclass(frozen=True, slots=True, kw_only=True)
class FieldText:
    """A line of text, ready to be drawn at any size."""

    pieces: tuple[tuple[str, bytes], ...]  # a font's resource name and an encoded string each
    width: int  # in thousandths of the size
    cap_height: int
    complete: bool  # each character has a font
    fonts: Mapping[str, pikepdf.Object] = field(hash=False)  # by resource name


def embed_font(pdf: Pdf, font: FontSubset) -> pikepdf.Object:
    """Embed the font to type in, a simple one (9.6.6), without a subset tag: viewers would refuse to type."""
    widths = [font.widths.get(_CODES.get(code, ""), 0) for code in range(_FIRST, 256)]
    return pdf.make_indirect(Dictionary(
        Type=Name.Font, Subtype=Name.TrueType, BaseFont=Name(f"/{font.name}"), FirstChar=_FIRST, LastChar=255,
        Widths=Array(widths), Encoding=Dictionary(
            Type=Name.Encoding, BaseEncoding=Name.WinAnsiEncoding, Differences=Array([
                entry for code, letter in sorted(_DIFFERENCES.items())
                for entry in (code, Name(f"/{_LETTERS[letter]}"))])),
        FontDescriptor=_descriptor(pdf, font, font.name, 32)))


def layout_fields(pdf: Pdf, texts: Mapping[str, str], fonts: FontBook) -> dict[str, FieldText]:
    """Set each text as a line in subsets, whose characters are known (PDF/UA-1); incomplete if no font has one."""
    lines: dict[str, FieldText] = {}
    split = {key: fonts.runs(text, "text") for key, text in texts.items()}
    needed: dict[Font, set[str]] = {}
    for runs in split.values():
        for run in runs:
            needed.setdefault(run.font, set()).update(run.text)
    subsets = {font: subset_font(font, characters | {"H"}) for font, characters in needed.items()}  # to measure it
    names = {font: f"/Text{n}" for n, font in enumerate(subsets, 1)}
    objects = {font: _composite_font(pdf, subset) for font, subset in subsets.items()}
    for key, runs in split.items():
        pieces = tuple((names[run.font], b"".join(
            glyphs[letter].to_bytes(2, "big") for glyphs in [subsets[run.font].glyphs] for letter in run.text
            if letter in glyphs)) for run in runs)
        lines[key] = FieldText(
            pieces=pieces, width=sum(subsets[run.font].width(run.text) for run in runs),
            cap_height=max((subsets[run.font].cap_height for run in runs), default=0),
            complete=all(character in subsets[run.font].glyphs for run in runs for character in run.text),
            fonts={names[run.font]: objects[run.font] for run in runs})
    return lines


def draw_field_text(line: FieldText, width: float, height: float, size: float, alignment: int) -> bytes:
    """The content of a field's appearance (12.7.3.3): the line in its box, in points; size 0 is as large as fits."""
    room = width - 2 * FIELD_MARGIN
    if not size:
        size = min(MAX_FONT_SIZE_PT, height * 0.75, room * 1000 / max(line.width, 1))
    size = round(size, 2)
    length = line.width * size / 1000
    x = {0: FIELD_MARGIN, 1: (width - length) / 2, 2: width - FIELD_MARGIN - length}[alignment]
    y = (height - line.cap_height * size / 1000) / 2
    strings = "\n".join(f"{name} {size:g} Tf <{text.hex()}> Tj" for name, text in line.pieces)
    return (f"/Tx BMC\nq 0 0 {width:g} {height:g} re W n\nBT\n{FIELD_INK} rg\n{x:.2f} {y:.2f} Td\n{strings}\n"
            "ET\nQ\nEMC\n").encode("ascii")


def _composite_font(pdf: Pdf, font: FontSubset) -> pikepdf.Object:
    """A font whose codes are glyph numbers, with a mapping back to characters (9.7.4, 9.10.3)."""
    characters = "".join(font.glyphs)
    digest = hashlib.sha256(characters.encode()).digest()
    name = "".join(chr(65 + byte % 26) for byte in digest[:6]) + f"+{font.name}"  # 9.6.4
    widths = Array([entry for character, glyph in sorted(font.glyphs.items(), key=lambda item: item[1])
                    for entry in (glyph, Array([font.widths[character]]))])
    descendant = pdf.make_indirect(Dictionary(
        Type=Name.Font, Subtype=Name.CIDFontType2, BaseFont=Name(f"/{name}"), CIDToGIDMap=Name.Identity,
        CIDSystemInfo=Dictionary(Registry=String("Adobe"), Ordering=String("Identity"), Supplement=0),
        DW=1000, W=widths, FontDescriptor=_descriptor(pdf, font, name, 4)))
    return pdf.make_indirect(Dictionary(
        Type=Name.Font, Subtype=Name.Type0, BaseFont=Name(f"/{name}"), Encoding=Name("/Identity-H"),
        DescendantFonts=Array([descendant]), ToUnicode=pdf.make_stream(_to_unicode(font))))


def _to_unicode(font: FontSubset) -> bytes:
    pairs = [f"<{glyph:04x}> <{character.encode('utf-16-be').hex()}>" for character, glyph in font.glyphs.items()]
    blocks = "\n".join(f"{len(block)} beginbfchar\n" + "\n".join(block) + "\nendbfchar"
                       for start in range(0, len(pairs), 100) if (block := pairs[start:start + 100]))
    return ("/CIDInit /ProcSet findresource begin\n12 dict begin\nbegincmap\n"
            "/CIDSystemInfo << /Registry (Adobe) /Ordering (UCS) /Supplement 0 >> def\n"
            "/CMapName /Adobe-Identity-UCS def\n/CMapType 2 def\n"
            "1 begincodespacerange\n<0000> <ffff>\nendcodespacerange\n"
            f"{blocks}\nendcmap\nCMapName currentdict /CMap defineresource pop\nend\nend\n").encode("ascii")


def _descriptor(pdf: Pdf, font: FontSubset, name: str, flags: int) -> pikepdf.Object:
    file = Stream(pdf, font.program)
    file.Length1 = len(font.program)
    return pdf.make_indirect(Dictionary(
        Type=Name.FontDescriptor, FontName=Name(f"/{name}"), Flags=flags, FontBBox=Array(font.bbox),
        ItalicAngle=round(font.italic_angle, 2), Ascent=font.ascent, Descent=font.descent,
        CapHeight=font.cap_height, StemV=80, FontFile2=pdf.make_indirect(file)))
