"""Turns text and fonts into the text of form fields: the font to type in, and lines as a viewer would set them.

With ``assembly`` the home of pikepdf. Fonts are those of ISO 32000-1, 9.6 and 9.7, field text that of 12.7.3.3.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass, field

import pikepdf
from pikepdf import Array, Dictionary, Name, Pdf, Stream, String

from ppgen.engine.drawing.fonts import Font, FontBook
from ppgen.engine.forms.font_cuts import FontCut, cut

FONT = "/Wingdings"
"""The name by which fields ask for the font that is typed in; it has nothing to do with the font of that name.

PDFium sets letters beyond Latin-1 in a font of a form's own only if it takes it for a symbol font, and
it goes by this name. Elsewhere the name means nothing (12.7.3.3).
"""
INK = "0.1 0.16 0.42"
"""The colour of what is typed: a pen's dark blue, unlike anything printed."""
MARGIN = 2.0
"""Text keeps this far from the ends of its field, in points, as viewers have it."""
LARGEST = 14.0
"""The largest size that an automatic size comes to, in points."""
_FIRST = 32
_SPARED = "¢£¤¥¦§¨©ª¬\u00ad®¯°±²³´µ¶¸¹º¼½¾×÷‡ˆ‰‹˜›™ƒ†•€…„¿¡«»‚“”"
"""Characters of WinAnsiEncoding that no name or number needs …"""
_LETTERS = "ČčĆćĎďĐđĚěĘęĄąĞğİıŁłŃńŇňŐőŘřŚśŞşŤťŮůŰűŹźŻżŌōŪūȘș"
"""… and letters of European names (and romanized Japanese ones) that take their codes."""
_DIFFERENCES = {character.encode("cp1252")[0]: letter for character, letter in zip(_SPARED, _LETTERS, strict=True)}
_CODES = {code: bytes([code]).decode("cp1252") for code in range(_FIRST, 256)
          if code not in (0x7F, 0x81, 0x8D, 0x8F, 0x90, 0x9D)} | _DIFFERENCES
_CODE_OF = {character: code for code, character in _CODES.items()}
TYPEABLE = "".join(_CODES.values())
"""The characters of the font that is typed in: one byte each, mostly as in WinAnsiEncoding (Annex D.2)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Line:
    """A line of text, ready to be shown: operators that need a size, and the fonts that they name.

    ``pieces`` are pairs of a font's name and the string to show; ``width`` is in thousandths of the size.
    ``complete`` is false if some character has no font.
    """

    pieces: tuple[tuple[str, bytes], ...]
    width: int
    cap_height: int
    complete: bool
    fonts: Mapping[str, pikepdf.Object] = field(hash=False)


def simple_font(pdf: Pdf, program: FontCut) -> pikepdf.Object:
    """The font that is typed in: a simple one with the letters and digits of WinAnsiEncoding, and more (9.6.6).

    It bears no subset tag: viewers refuse to type in a font that calls itself a subset.
    """
    widths = [program.widths.get(_CODES.get(code, ""), 0) for code in range(_FIRST, 256)]
    return pdf.make_indirect(Dictionary(
        Type=Name.Font, Subtype=Name.TrueType, BaseFont=Name(f"/{program.name}"), FirstChar=_FIRST, LastChar=255,
        Widths=Array(widths), Encoding=Dictionary(
            Type=Name.Encoding, BaseEncoding=Name.WinAnsiEncoding, Differences=Array([
                entry for code, letter in sorted(_DIFFERENCES.items())
                for entry in (code, Name(f"/uni{ord(letter):04X}"))])),
        FontDescriptor=_descriptor(pdf, program, program.name, 32)))


def lines_of(pdf: Pdf, typing: pikepdf.Object, program: FontCut, texts: Mapping[str, str],
             fonts: FontBook) -> dict[str, Line]:
    """Each text as a line: in the typing font if that has all its characters, else in fonts cut for it.

    Characters that no font of the style ``text`` has are left out, and the line is not complete.
    """
    plain = {key: text for key, text in texts.items() if all(c in _CODE_OF and c in program.glyphs for c in text)}
    lines = {key: Line(pieces=((FONT, bytes(_CODE_OF[c] for c in text)),), width=program.width(text),
                       cap_height=program.cap_height, complete=True, fonts={FONT: typing})
             for key, text in plain.items()}
    rest = {key: fonts.runs(text, "text") for key, text in texts.items() if key not in plain}
    needed: dict[Font, set[str]] = {}
    for runs in rest.values():
        for run in runs:
            needed.setdefault(run.font, set()).update(run.text)
    cuts = {font: cut(font, characters) for font, characters in needed.items()}
    names = {font: f"/Text{n}" for n, font in enumerate(cuts, 1)}
    objects = {font: _composite_font(pdf, program) for font, program in cuts.items()}
    for key, runs in rest.items():
        pieces = tuple((names[run.font], _glyphs(cuts[run.font], run.text)) for run in runs)
        lines[key] = Line(
            pieces=pieces, width=sum(cuts[run.font].width(run.text) for run in runs), cap_height=program.cap_height,
            complete=all(character in cuts[run.font].glyphs for run in runs for character in run.text),
            fonts={names[run.font]: objects[run.font] for run in runs})
    return lines


def appearance(line: Line, width: float, height: float, size: float, alignment: int) -> bytes:
    """The content of a field's appearance (12.7.3.3): the line in a box of points, at a size or as large as fits."""
    room = width - 2 * MARGIN
    if not size:
        size = min(LARGEST, height * 0.75, room * 1000 / max(line.width, 1))
    size = round(size, 2)
    long = line.width * size / 1000
    x = {0: MARGIN, 1: (width - long) / 2, 2: width - MARGIN - long}[alignment]
    y = (height - line.cap_height * size / 1000) / 2
    shown = "\n".join(f"{name} {size:g} Tf <{text.hex()}> Tj" for name, text in line.pieces)
    return (f"/Tx BMC\nq 0 0 {width:g} {height:g} re W n\nBT\n{INK} rg\n{x:.2f} {y:.2f} Td\n{shown}\nET\nQ\nEMC\n"
            ).encode("ascii")


def _glyphs(program: FontCut, text: str) -> bytes:
    return b"".join(program.glyphs[c].to_bytes(2, "big") for c in text if c in program.glyphs)


def _composite_font(pdf: Pdf, program: FontCut) -> pikepdf.Object:
    """A font whose codes are glyph numbers, with the way back to characters (9.7.4, 9.10.3)."""
    characters = "".join(program.glyphs)
    digest = hashlib.sha256(characters.encode()).digest()
    name = "".join(chr(65 + byte % 26) for byte in digest[:6]) + f"+{program.name}"  # 9.6.4
    widths = Array([entry for character, glyph in sorted(program.glyphs.items(), key=lambda item: item[1])
                    for entry in (glyph, Array([program.widths[character]]))])
    descendant = pdf.make_indirect(Dictionary(
        Type=Name.Font, Subtype=Name.CIDFontType2, BaseFont=Name(f"/{name}"), CIDToGIDMap=Name.Identity,
        CIDSystemInfo=Dictionary(Registry=String("Adobe"), Ordering=String("Identity"), Supplement=0),
        DW=1000, W=widths, FontDescriptor=_descriptor(pdf, program, name, 4)))
    return pdf.make_indirect(Dictionary(
        Type=Name.Font, Subtype=Name.Type0, BaseFont=Name(f"/{name}"), Encoding=Name("/Identity-H"),
        DescendantFonts=Array([descendant]), ToUnicode=pdf.make_stream(_to_unicode(program))))


def _to_unicode(program: FontCut) -> bytes:
    pairs = [f"<{glyph:04x}> <{character.encode('utf-16-be').hex()}>" for character, glyph in program.glyphs.items()]
    blocks = "\n".join(f"{len(block)} beginbfchar\n" + "\n".join(block) + "\nendbfchar"
                       for start in range(0, len(pairs), 100) if (block := pairs[start:start + 100]))
    return ("/CIDInit /ProcSet findresource begin\n12 dict begin\nbegincmap\n"
            "/CIDSystemInfo << /Registry (Adobe) /Ordering (UCS) /Supplement 0 >> def\n"
            "/CMapName /Adobe-Identity-UCS def\n/CMapType 2 def\n"
            "1 begincodespacerange\n<0000> <ffff>\nendcodespacerange\n"
            f"{blocks}\nendcmap\nCMapName currentdict /CMap defineresource pop\nend\nend\n").encode("ascii")


def _descriptor(pdf: Pdf, program: FontCut, name: str, flags: int) -> pikepdf.Object:
    file = Stream(pdf, program.program)
    file.Length1 = len(program.program)
    return pdf.make_indirect(Dictionary(
        Type=Name.FontDescriptor, FontName=Name(f"/{name}"), Flags=flags, FontBBox=Array(program.bbox),
        ItalicAngle=round(program.italic_angle, 2), Ascent=program.ascent, Descent=program.descent,
        CapHeight=program.cap_height, StemV=80, FontFile2=pdf.make_indirect(file)))
