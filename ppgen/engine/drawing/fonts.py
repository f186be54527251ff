"""Fonts of a set: the files that fonts.toml lists, shaping with HarfBuzz, and the book that measures text."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import cache, lru_cache
from itertools import compress, pairwise
from math import fsum
from pathlib import Path
from typing import Any, NamedTuple
from unicodedata import category

from ppgen.cache import cache_key, cached, file_state_key, folder_digest
from ppgen.engine.svg.subset import is_valid_value
from ppgen.errors import InputError, Phrase, Problems, RequestError, display_path, join_names, shorten, suggest
from ppgen.lines import quote_argument
from ppgen.process.supervision import Options, read_supervised
from ppgen.reading.fields import Fields, is_file_name, is_spelt, read_toml, refuse_file
from ppgen.records import dataclass, field, replace
from ppgen.shipped import shipped_root

MAX_FONTS, MAX_FILES = 100, 500  # fonts of a set, and files in its fonts folder
MAX_BYTES = 50_000_000  # size of a font file; one with all Chinese characters has 20 MB
MAX_ADVANCES = 20_000  # texts whose width is remembered
BOLD, BOLD_FROM = 700, 600  # the weight of bold text, and the least that counts as bold
_VARIATIONS = re.compile("[\ufe0e\ufe0f\u20e3\U0001f3fb-\U0001f3ff]")
"""Characters that only change the emoji before them: selectors of its form, the frame of a key, skin tones."""
WORDS_FAMILY, WORDS_ADVANCE = "ppgen Words", 0.5  # the font of invisible words, and the advance of its glyphs
WORDS_SHIFT = 0xF0000  # of its characters, to a plane for private use
BOX_SIGN = "\u25a1"  # printed for a sign that no font has
BOOKLET_STYLES = ("title", "strong", "italic")  # of booklets besides `text`, which replaces undefined ones
DIRECTIONS = ("", "ltr", "rtl")  # of reading; empty: that of the first letter
HOUSE = "house-"  # prefix of ppgen's own styles where a deck replaces them
SUFFIXES = (".ttf", ".otf", ".ttc", ".otc")  # file suffixes that typst reads as fonts
WEB_SUFFIXES = (".woff", ".woff2")
_ANOTHER_COPY = "take another copy of it"
NOT_A_FONT = ("is not a font that can be read", _ANOTHER_COPY)
_FAMILY_NAME = re.compile(r"""[^'"<>;{},/\\]{1,80}""")


# Scripts whose letters typst's SVG renderer does not space as HarfBuzz measures them, those from right to left, and
# those of both, without rare ones, that PDF readers can't find.
_STACKS = "\u0900-\u109f\u1780-\u17ff\u1900-\u1cff\ua800-\uaaff\uabc0-\uabff"
_LEFTWARDS = "\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefe"
_STACKED = f"[{_STACKS}\U00011000-\U00011fff]"
LEFTWARD = re.compile(f"[{_LEFTWARDS}\U00010800-\U00010fff\U0001e800-\U0001efff]")
JOINED = re.compile(f"[{_STACKS}{_LEFTWARDS}]")
LEFTWARD_LANGUAGES = frozenset({"ar", "fa", "he", "ur"})


def count_spaced(text: str) -> int:
    """Count the characters that letter spacing follows: none in scripts whose letters join or stack."""
    return len(text) if text.isascii() else len(LEFTWARD.sub("", re.sub(_STACKED, "", text)))


class BidiPlace(NamedTuple):
    """Place of a character in a line, from the left."""

    place: int
    is_leftward: bool


_HIGH, _LOW = 0xE0020, 0xE0050  # of marks, 48 each
_MARKS = re.compile("([\U000E0020-\U000E004F])([\U000E0050-\U000E007F])"
                    "|([\U000E0050-\U000E007F])([\U000E0020-\U000E004F])")


def visual_order(text: str, is_leftward: bool) -> Sequence[BidiPlace]:
    """Return the place of each character in a line after the Unicode Bidirectional Algorithm (UAX 9).

    The library returns the reordered text alone. So each character is followed by its number in two marks that the
    algorithm passes over (class BN), and the line by a mark of its own direction, which changes nothing.
    """
    from bidi import get_display  # only Arabic, Hebrew and their like need it

    marked = "".join(f"{letter}{chr(_HIGH + n // 48)}{chr(_LOW + n % 48)}" for n, letter in enumerate(text))
    shown = get_display(marked + ("\u200f" if is_leftward else "\u200e"), base_dir="R" if is_leftward else "L")
    places = [BidiPlace(n, False) for n in range(len(text))]
    for place, (high, low, turned_low, turned_high) in enumerate(_MARKS.findall(shown)):
        number = (ord(high or turned_high) - _HIGH) * 48 + ord(low or turned_low) - _LOW
        places[number] = BidiPlace(place, bool(turned_low))
    return places


# Shaping with kerning and ligatures, as typst does it. The only user of uharfbuzz.

@contextmanager
def report_damaged_font(path: Path) -> Iterator[None]:
    """Turn any exception of a font library into an InputError that names the font's file or folder."""
    try:
        yield
    except InputError:
        raise
    except Exception as error:  # each library has its own, from KeyError to ZeroDivisionError
        what = "holds a damaged font" if path.is_dir() else "is a damaged font"
        raise refuse_file(path, what, _ANOTHER_COPY) from error


@lru_cache(maxsize=64)
def shaper(path: Path) -> Any:
    """Load the HarfBuzz font of a file."""
    import uharfbuzz

    with report_damaged_font(path):
        return uharfbuzz.Font(uharfbuzz.Face(uharfbuzz.Blob.from_file_path(str(path))))


@lru_cache(maxsize=64)
def font_family(path: Path) -> str:
    """Return the family name in a font file of anybody's; empty if the file is not a font. Raises InputError."""
    return cached(file_state_key("font family", path), lambda: str(read_supervised(
        read_family, path.read_bytes(), {}, display_path(path), _ANOTHER_COPY)).encode()).decode()


def read_family(content: bytes, options: Options) -> str:
    """Read the family name in a font and the outlines of all its glyphs, in the supervised child."""
    import uharfbuzz

    face = uharfbuzz.Face(uharfbuzz.Blob(content))
    names = uharfbuzz.OTNameIdPredefined
    wanted = (names.TYPOGRAPHIC_FAMILY, names.FONT_FAMILY)
    family = next((name for id in wanted if face.glyph_count and (name := face.get_name(id))), "")
    font = uharfbuzz.Font(face)
    for glyph in range(face.glyph_count if family else 0):
        font.get_glyph_extents(glyph)
    return str(family)


def list_fonts(content: bytes, options: Options) -> list[tuple[str, str, int, str, float]]:
    """List the fonts of a folder as typst finds them, in the child: path, family, weight, style and stretch."""
    import typst  # few decks have fonts

    listed = typst.Fonts(include_system_fonts=False, include_embedded_fonts=False, font_paths=[options["folder"]])
    return [(font.path, font.family, font.weight, font.style, font.stretch) for font in listed.fonts() if font.path]


@lru_cache(maxsize=2_000)
def is_invisible(path: Path, character: str) -> bool:
    """True if HarfBuzz omits a character without a glyph, as Unicode requires for joiners and soft hyphens."""
    with report_damaged_font(path):
        return all(glyph.codepoint for glyph in _shape(path, character, True).glyph_infos)


@lru_cache(maxsize=64)
def default_instance(path: Path) -> Mapping[str, float]:
    """The axes of a variable font, with the values at which it is measured; empty for other fonts."""
    with report_damaged_font(path):
        return {axis.tag: axis.default_value for axis in shaper(path).face.axis_infos}


@lru_cache(maxsize=20_000)
def measure_advance(path: Path, text: str, ligatures: bool) -> float:
    """Measure the width of a text at font size 1."""
    with report_damaged_font(path):
        width = sum([place.x_advance for place in _shape(path, text, ligatures).glyph_positions])
        return float(width) / _units_per_em(path)


@lru_cache(maxsize=20_000)
def split_clusters(path: Path, text: str) -> tuple[str, ...]:
    """Split a text behind each cluster in which several glyphs advance: the renderer gives it only the widest advance.
    """
    with report_damaged_font(path):
        advances: dict[int, list[int]] = {}
        buffer = _shape(path, text, True)
        for glyph, place in zip(buffer.glyph_infos, buffer.glyph_positions, strict=True):
            advances.setdefault(glyph.cluster, []).append(place.x_advance)
        starts = sorted(advances)
        ends = [end for start, end in pairwise((*starts, len(text))) if max(advances[start]) != sum(advances[start])]
        return tuple(text[start:end] for start, end in pairwise(sorted({0, *ends, len(text)})))


@lru_cache(maxsize=2_000)
def outline_reach(path: Path, text: str, spacing: float) -> float:
    """Return how far right the outlines of a text reach from its start at font size 1; 0 if nothing is drawn."""
    with report_damaged_font(path):
        x, reach = 0.0, 0.0
        font, em = shaper(path), _units_per_em(path)
        buffer = _shape(path, text, not spacing)
        for glyph, place in zip(buffer.glyph_infos, buffer.glyph_positions, strict=True):
            extents = font.get_glyph_extents(glyph.codepoint)
            if extents and extents.width:
                reach = max(reach, x + (place.x_offset + extents.x_bearing + extents.width) / em)
            x += place.x_advance / em + spacing
        return reach


@lru_cache(maxsize=2_000)
def glyph_outlines(path: Path, text: str, size: float, x: float, spacing: float) -> str:
    """Return SVG path data of a text from ``x`` on the baseline y = 0; ``spacing`` follows each character."""
    with report_damaged_font(path):
        buffer, scale = _shape(path, text, not spacing), size / _units_per_em(path)
        font, pen = shaper(path), _Pen(scale)
        for glyph, place in zip(buffer.glyph_infos, buffer.glyph_positions, strict=True):
            pen.x, pen.y = x + place.x_offset * scale, -place.y_offset * scale
            font.draw_glyph_with_pen(glyph.codepoint, pen)
            x += place.x_advance * scale + spacing
        return "".join(pen.words)


LINES = {"underline": ("UNDERLINE_OFFSET", "UNDERLINE_SIZE", -0.075),
         "strike": ("STRIKEOUT_OFFSET", "STRIKEOUT_SIZE", 0.3), "overline": ("", "UNDERLINE_SIZE", 0.95)}
"""Lines along text: the metrics of fonts for their height and thickness, and the height where a font has none."""


@lru_cache(maxsize=100)
def measure_line(path: Path, name: str) -> tuple[float, float]:
    """Return the upper edge above the baseline and the thickness of a line along text at font size 1."""
    from uharfbuzz import OTMetricsTag

    height, thickness, usual = LINES[name]
    with report_damaged_font(path):
        top, thick = (shaper(path).get_metric_position(OTMetricsTag[tag]) if tag else None
                      for tag in (height, thickness))
        em = _units_per_em(path)
        return (usual if top is None else top / em), (thick / em if thick else 0.05)


class _Pen:
    """Writes glyph outlines as path data; the method names are those of fontTools pens."""

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


def _units_per_em(path: Path) -> float:
    return float(shaper(path).face.upem)


def _shape(path: Path, text: str, ligatures: bool) -> Any:
    import uharfbuzz

    buffer = uharfbuzz.Buffer()
    buffer.add_str(text)
    buffer.guess_segment_properties()
    if text.startswith("\u200f"):  # signs and digits that stand in words from right to left
        buffer.direction = "rtl"
    # Letter spacing switches ligatures off, as CSS Text 3, clause 8.2, has it.
    uharfbuzz.shape(shaper(path), buffer, None if ligatures else {"liga": False, "clig": False})
    return buffer


@dataclass(frozen=True, slots=True, kw_only=True)
class Font:
    """A font file, and the family, weight and style that SVG selects it by."""

    family: str
    weight: int
    italic: bool
    path: Path

    def __hash__(self) -> int:
        return hash(self.family)  # computed for every measured text; hashing a path takes longer

    def has(self, character: str) -> bool:
        return shaper(self.path).get_nominal_glyph(ord(character)) is not None

    def missing_characters(self, text: str) -> list[str]:
        """Return the characters of the text that can't be set, each once."""
        find_glyph = shaper(self.path).get_nominal_glyph
        return [character for character in dict.fromkeys(text)
                if find_glyph(ord(character)) is None and not self.can_set(character)]

    def can_set(self, character: str) -> bool:
        """True if typst sets it in this font: it has a glyph, or needs none because it is invisible."""
        return self.has(character) or (not character.isprintable() and is_invisible(self.path, character))


@lru_cache(maxsize=MAX_FONTS)
def svg_family(family: str) -> str:
    """Return the family as SVG names it: in quotes unless its words are identifiers (CSS Fonts 3, clause 3.1)."""
    return family if is_valid_value("font-family", family) else f"'{family}'"


@dataclass(frozen=True, slots=True)
class Run:
    """Consecutive characters in one font; ``is_placed`` if all runs of the text need places of their own."""

    text: str
    font: Font
    is_placed: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class FontBook:
    """The fonts of a set, and its text styles, each with its fonts in order of preference."""

    folder: Path
    fonts: tuple[Font, ...]
    styles: Mapping[str, tuple[Font, ...]] = field(hash=False)
    labels: tuple[Font, ...]  # for what is printed beside the pieces
    signs: tuple[Font, ...] = ()  # have what no font of a style has: they end every style
    direction: str = ""  # of the set: ``ltr``, ``rtl``, or empty for that of the first letter of each text
    directions: Mapping[str, str] = field(default_factory=dict, hash=False)  # of styles, the same way
    missing: set[str] = field(default_factory=set, compare=False, repr=False)
    """Characters that were set as boxes: no font of their style has them."""
    _derived: dict[str, tuple[Font, ...]] = field(default_factory=dict, init=False, compare=False, repr=False)
    """Fonts of the derived styles that texts were set in."""
    used_styles: set[str] = field(default_factory=set, init=False, compare=False, repr=False)
    """Names of the derived styles that texts were set in since it was cleared, and ``□`` with each missing character.
    """
    _advances: dict[tuple[str, str, bool], float] = field(default_factory=dict, init=False, compare=False, repr=False)
    """Widths of texts at size 1: breaking lines measures each again and again."""

    def find(self, family: str, weight: int = 400, italic: bool = False) -> Font | None:
        """Find exactly that font; None where SVG renderers would silently use another."""
        wanted = (family.strip("'"), weight, italic)
        return next((font for font in self.fonts if (font.family, font.weight, font.italic) == wanted), None)

    def runs(self, text: str, style: str) -> tuple[Run, ...]:
        """Split the text at changes of font; a character that no font of the style has is set as a box."""
        if not text.isascii():
            text = _VARIATIONS.sub("", text)
        runs, missing = _runs(text, self.styles.get(style) or self._derive_style(style))
        if missing:
            self.missing.update(missing)
            self.used_styles.update(BOX_SIGN + character for character in missing)
        return runs

    def recall(self, used_styles: Iterable[str]) -> None:
        """Note the use of derived styles and missing characters by a face from the cache."""
        for style in used_styles:
            if style.startswith(BOX_SIGN):
                self.missing.add(style.removeprefix(BOX_SIGN))
            else:
                self.runs("", style)

    def _derive_style(self, style: str) -> tuple[Font, ...]:
        """Return the fonts of a style that fonts.toml does not define: ``text/bold``, ``FAMILY``, ``FAMILY/italic``.

        What a family lacks is set in its nearest weight. Characters that a family lacks are set in the style ``text``.
        Raises KeyError.
        """
        if style not in self._derived:
            name, *variants = style.split("/")
            fonts = self.styles.get(name) or self.styles.get(name.removeprefix(HOUSE))
            if fonts is None and name in self.families:
                fonts = (_closest(name, 400, False, self.fonts), *self.styles["text"])
            if fonts is None or not set(variants) <= {"bold", "italic"}:
                raise KeyError(style)
            self._derived[style] = tuple(dict.fromkeys(
                _closest(font.family, max(BOLD, font.weight) if "bold" in variants else font.weight,
                         font.italic or "italic" in variants, self.fonts) for font in fonts))
        self.used_styles.add(style)
        return self._derived[style]

    @property
    def substitutes(self) -> Iterator[tuple[str, str]]:
        """Families without the bold or italic that a text asked for, as words of styles; only first families count."""
        for style, (font, *_) in self._derived.items():
            if "/bold" in style and font.weight < BOLD_FROM:
                yield font.family, "bold"
            if "/italic" in style and not font.italic:
                yield font.family, "italic"

    def label_runs(self, text: str) -> tuple[Run, ...]:
        """Split the text of a label at changes of font."""
        runs, missing = _runs(text, self.labels)
        self.missing.update(missing)
        return runs

    def width(self, text: str, style: str, size: float, spacing: float = 0) -> float:
        """Measure the text, in the unit of ``size``; ``spacing`` follows each character."""
        key = text, style, not spacing
        if (advance := self._advances.get(key)) is None:
            if len(self._advances) >= MAX_ADVANCES:
                self._advances.clear()
            advance = fsum(measure_advance(run.font.path, run.text, not spacing) for run in self.runs(text, style))
            self._advances[key] = advance
        return advance * size + (spacing and spacing * count_spaced(text))

    def reach(self, text: str, style: str, size: float, spacing: float = 0) -> float:
        """Return how far right the outlines of the text reach from its start, in the unit of ``size``."""
        runs = self.runs(text, style)
        if not runs:
            return 0.0
        start = fsum(self.width(run.text, style, size, spacing) for run in runs[:-1])
        return start + outline_reach(runs[-1].font.path, runs[-1].text, spacing / size) * size

    @property
    def house(self) -> FontBook:
        """The same fonts with ppgen's own styles."""
        return replace(self, styles={name: self.styles.get(HOUSE + name, style) for name, style in self.styles.items()})

    @property
    def families(self) -> tuple[str, ...]:
        return tuple(dict.fromkeys(font.family for font in self.fonts))


@lru_cache(maxsize=20_000)
def _runs(text: str, fonts: tuple[Font, ...]) -> tuple[tuple[Run, ...], frozenset[str]]:
    """Split the text at changes of font; return also the characters that no font has."""
    if not text:  # asked for the fonts of a style alone
        return (), frozenset()
    choose_font, runs, missing = _font_chooser(fonts), [], set()
    start, last = 0, None
    for place, character in enumerate(text):
        font = choose_font(character)
        if character > "\u02ff" and last and font is not last and last.can_set(character) and _is_attached(character):
            font = last
        elif not font:
            if not character.isprintable() and is_invisible((last or fonts[0]).path, character):
                font = last or fonts[0]
            elif character == BOX_SIGN:
                font = fonts[0]
            else:
                missing.add(character)
                continue
        if font is not last and not (character == " " and last and _has_usual_space(last)):
            if last:
                runs.append(Run(text[start:place], last))
            start, last = place, font
    if missing:
        return _runs(text.translate(dict.fromkeys(map(ord, missing), BOX_SIGN)), fonts)[0], frozenset(missing)
    whole = (*runs, Run(text[start:], last)) if last else ()
    return whole if len(whole) == 1 and max(text) < "\u0590" else _place(text, whole), frozenset()


def _is_attached(character: str) -> bool:
    """True for marks and joiners, as letters only join in one font, and for the full stops that Indian scripts share.
    """
    return not character.isprintable() or category(character)[0] == "M" or character in "।॥"


@lru_cache(maxsize=MAX_FONTS)
def _has_usual_space(font: Font) -> bool:
    """True if a font has a space, and not a wide one, as fonts of emoji or Sinhala have."""
    return font.has(" ") and measure_advance(font.path, " ", True) < 0.4


@lru_cache(maxsize=MAX_FONTS)
def _is_house_font(font: Font) -> bool:
    return font.path.is_relative_to(shipped_root() / "data" / "fonts")


def _place(text: str, runs: tuple[Run, ...]) -> tuple[Run, ...]:
    """Give runs places of their own where the renderer would not put them one after the other, or mix up their fonts.
    """
    pieces = runs
    if re.search(_STACKED, text):
        pieces = tuple(Run(piece, run.font) for run in runs for piece in split_clusters(run.font.path, run.text))
    mixes = len(runs) > 1 and any(
        one.font != other.font and any(letter.isalnum() and other.font.has(letter) for letter in one.text)
        and not (_is_house_font(one.font) and _is_house_font(other.font))
        for one in runs for other in runs)
    is_placed = mixes or len(pieces) > len(runs) or bool(LEFTWARD.search(text))
    return tuple(replace(piece, is_placed=True) for piece in pieces) if is_placed else runs


@lru_cache(maxsize=64)
def _font_chooser(fonts: tuple[Font, ...]) -> Callable[[str], Font | None]:
    """Return a function that chooses the font of a character: the first, in order of preference, that has it."""
    # Latin fonts have some Japanese punctuation, such as 《, which should match the rest of the Japanese text.
    for_kana = sorted(fonts, key=lambda font: not font.has("の"))

    @lru_cache(maxsize=20_000)
    def choose_font(character: str) -> Font | None:
        return next((font for font in (for_kana if character >= "\u3000" else fonts) if font.has(character)), None)

    return choose_font


# --- Fonts of this computer ---

@dataclass(frozen=True, slots=True)
class SystemFont:
    """A font that is installed on this computer: a file, or one of a collection."""

    family: str
    weight: int
    italic: bool
    path: Path
    index: int

    @property
    def file_name(self) -> str:
        """Name of its file in a deck."""
        slant = "-Italic" if self.italic else ""
        suffix = ".otf" if "CFF " in self._face().table_tags else ".ttf"
        return f"{re.sub(r'[^A-Za-z0-9]+', '', self.family) or 'font'}-{self.weight}{slant}{suffix}"

    def count(self, characters: Iterable[str]) -> int:
        """Count the characters that it has."""
        import uharfbuzz

        font = uharfbuzz.Font(self._face())
        return sum(font.get_nominal_glyph(ord(character)) is not None for character in set(characters))

    @property
    def licence(self) -> str:
        """The first sentence of its licence, and whether its maker forbids to embed it; empty if it says neither."""
        import uharfbuzz

        face, names = self._face(), uharfbuzz.OTNameIdPredefined
        words = str(face.get_name(names.LICENSE) or face.get_name(names.LICENSE_URL) or face.get_name(names.COPYRIGHT)
                    or "")
        kind = face.reference_table("OS/2").data[8:10]  # fsType (OpenType 1.9, "OS/2")
        is_restricted = int.from_bytes(kind) & 15 == 2
        first = " ".join(words.partition(". ")[0].split())[:200]
        return first + is_restricted * " (its maker forbids embedding in PDFs)"

    def extract(self) -> bytes:
        """Return it as a file of its own: of a collection, its tables are copied (OpenType 1.9, "Font Collections")."""
        content = self.path.read_bytes()
        if content[:4] != b"ttcf":
            return content
        start = int.from_bytes(content[12 + 4 * self.index:16 + 4 * self.index])
        count = int.from_bytes(content[start + 4:start + 6])
        head, body = content[start:start + 12], b""
        for at in range(start + 12, start + 12 + 16 * count, 16):
            offset, length = (int.from_bytes(content[at + n:at + n + 4]) for n in (8, 12))
            place = 12 + 16 * count + len(body)
            head += content[at:at + 8] + place.to_bytes(4) + content[at + 12:at + 16]
            body += content[offset:offset + length] + bytes(-length % 4)
        return head + body

    def _face(self) -> Any:
        import uharfbuzz

        return uharfbuzz.Face(uharfbuzz.Blob.from_file_path(str(self.path)), self.index)


@cache
def system_fonts(path: Path | None = None) -> tuple[SystemFont, ...]:
    """List the fonts of this computer as typst finds them, or those below a folder."""
    import typst

    paths = [path] if path else []
    fonts = typst.Fonts(include_system_fonts=not paths, include_embedded_fonts=False, font_paths=paths)
    return tuple(SystemFont(font.family, font.weight, font.style != "normal", Path(font.path), font.index)
                 for font in fonts.fonts() if font.path and font.stretch == 1)


def find_fonts(name: str, source: Path | None = None) -> list[SystemFont]:
    """Return the fonts of a file, or the regular, bold, italic and bold italic ones of a family.

    Families are those of this computer, or of the ``source``. Raises RequestError for unknown families, and for files
    that hold none or several.
    """
    file = Path(name)
    if file.suffix.lower() in (*SUFFIXES, *WEB_SUFFIXES):
        if not file.is_file():
            raise RequestError.at(name, "is not a file", "check the name")
        fonts = _fonts_of(file)
        families = sorted({font.family for font in fonts})
        if len(families) > 1:
            raise RequestError.at(name, f"holds several families: {shorten(families)}", "take one: ppgen fonts add "
                                  f"{quote_argument(families[0])} --from {quote_argument(name)}")
        if not fonts:
            raise RequestError.at(name, *(_start_fault(file) or NOT_A_FONT))
        return [*fonts]
    known = _fonts_of(source) if source else system_fonts()
    fonts = tuple(font for font in known if font.family.casefold() == name.casefold())
    if not fonts:
        names = sorted({font.family for font in known})
        raise RequestError.at(name, f"is not a font of {source or 'this computer'}",
                              suggest(name, names, f"known: {shorten(names)}"))
    return list(dict.fromkeys(min(fonts, key=lambda font: (font.italic != italic, abs(font.weight - weight)))
                              for weight in (400, BOLD) for italic in (False, True)))


def _fonts_of(source: Path) -> tuple[SystemFont, ...]:
    """List the fonts of a file or a folder."""
    if source.is_dir():
        return system_fonts(source)
    return tuple(font for font in system_fonts(source.absolute().parent) if font.path.samefile(source))


def find_system_font(characters: Sequence[str]) -> str:
    """Return the family of this computer that has most of the characters; of several the plainest. Empty if none."""
    region = ("JP" if any("\u3041" <= sign <= "\u30ff" for sign in characters) else
              "KR" if any("\uac00" <= sign <= "\ud7a3" for sign in characters) else "SC")
    counts = {font: count for font in system_fonts() if font.weight == 400 and not font.italic
              and (count := font.count(characters))}
    best = min(counts, default=None, key=lambda font: (
        -counts[font], "Mono" in font.family, not font.family.startswith("Noto Sans"),
        " CJK " in font.family and not font.family.endswith(region), len(font.family), font.family))
    return best.family if best else ""


# --- Reading of fonts.toml, or of a folder with fonts alone ---

@cache
def house_fonts() -> FontBook:
    """Return ppgen's own fonts, read once: each drawing is checked with them."""
    return read_fonts(shipped_root() / "data" / "fonts")


@cache
def words_font() -> Font:
    """Return the font of invisible words, whose characters are shifted; no style has it."""
    return Font(family=WORDS_FAMILY, weight=400, italic=False, path=shipped_root() / "data" / "fonts" / "Words.ttf")


def read_fonts(folder: Path, has_house: bool = False) -> FontBook:
    """Read ``fonts.toml`` in the folder. Raises InputError with every problem, including missing files.

    Its fonts and styles are added to ppgen's own, if it ``has_house``: a family replaces that of the same name, and so
    does a style. Fonts that ``fonts.toml`` does not name, or without one, are read as well. Each family is a style, and
    a last resort of all others.
    """
    base = house_fonts() if has_house else None
    if base and folder.resolve() == base.folder:
        return replace(base, missing=set())
    if base and not (folder / "fonts.toml").exists():
        return _add_fonts(base, folder, _read_loose_fonts(folder), {})
    problems = Problems()
    top = read_toml(folder, "fonts.toml", problems)
    tables = top.take_tables("fonts")
    unsafe = _folder_fault(folder)
    if unsafe:
        problems.note(display_path(folder), *unsafe)
    if len(tables) > MAX_FONTS:
        top.note("fonts", f"has more than {MAX_FONTS} fonts", "leave out those that no style names")
    are_signs = [entry.take_flag("signs") for entry in tables[:MAX_FONTS]]
    entries = [(entry, _parse_font(entry, folder)) for entry in tables[:MAX_FONTS]]
    for entry, font in entries if not unsafe else ():
        complete = entry.raw("file") and font.family  # missing ones are reported already
        if complete and (fault := _file_fault(font, folder, str(entry.raw("file")))):
            entry.note("file", *fault)
    own = tuple(font for _, font in entries)
    if base:
        with problems.collect_errors():
            own += _read_loose_fonts(folder, own) if not unsafe else ()
    fonts = _replace_families(base.fonts, own) if base else own
    styles = top.take_table("styles")
    own_styles = {name: styles.take_table(name) for name in styles}
    directions = {name: direction for name, table in own_styles.items()
                  if (direction := table.take_choice("dir", DIRECTIONS, ""))}
    signs = tuple(compress(own, are_signs)) or (base.signs if base else ())
    book = {name: tuple(dict.fromkeys((*_choose_fonts(table, fonts), *signs))) for name, table in own_styles.items()}
    if "text" not in book and not base:
        top.note("styles", "has no style 'text'", "add [styles.text]: sheets are labelled in it")
    top.close()
    problems.raise_if_any()
    if base:
        return replace(_add_fonts(base, folder, own, book), directions=directions)
    return FontBook(folder=folder, fonts=fonts, labels=book["text"], signs=signs, directions=directions,
                    styles={**dict.fromkeys(BOOKLET_STYLES, book["text"]), **book})


def _replace_families(fonts: tuple[Font, ...], own: tuple[Font, ...]) -> tuple[Font, ...]:
    families = {font.family for font in own}
    return (*own, *(font for font in fonts if font.family not in families))


def _add_fonts(base: FontBook, folder: Path, own: tuple[Font, ...], styles: Mapping[str, tuple[Font, ...]]) -> FontBook:
    fonts, text = _replace_families(base.fonts, own), styles.get("text", ())
    families = dict.fromkeys(font.family for font in own)

    def add_resorts(style: tuple[Font, ...]) -> tuple[Font, ...]:
        """Let the deck's families end a style; those for Chinese or Japanese come before ppgen's own for Japanese."""
        first, signs = style[0], [font for font in style if font in base.signs]
        resorts = [_closest(family, first.weight, first.italic, own) for family in families
                   if family not in {font.family for font in style}]
        kana = [font for font in resorts if font.has("の")]
        at = next((n for n, font in enumerate(style) if font.path.is_relative_to(base.folder) and font.has("の")),
                  len(style) - len(signs))
        return tuple(dict.fromkeys((*style[:at], *kana, *style[at:], *resorts)))

    # The fonts of the deck's text come last, for scripts that ppgen's own fonts lack.
    inherited = {name: tuple(dict.fromkeys((*(_closest(font.family, font.weight, font.italic, fonts) for font in style
                                              if font not in base.signs), *text, *base.signs)))
                 for name, style in base.styles.items()}
    complete = {name: add_resorts(style) for name, style in {**inherited, **styles}.items()}
    return FontBook(folder=folder, fonts=fonts, signs=base.signs,
                    styles={**{HOUSE + name: add_resorts(style) for name, style in inherited.items()}, **complete},
                    labels=tuple(dict.fromkeys((*base.labels, *text, *own))))


def _read_loose_fonts(folder: Path, listed: tuple[Font, ...] = ()) -> tuple[Font, ...]:
    """Read fonts that ``fonts.toml`` does not name. Raises InputError with a problem for each that can't be used.

    Family, weight and slant are those by which typst finds a font; of a variable one they are its default instance's.
    """
    if not listed and (fault := _folder_fault(folder)):
        raise InputError.at(display_path(folder), fault[0], fault[1])
    problems, named = Problems(), {font.path for font in listed}
    paths = sorted(path for path in folder.rglob("*")
                   if path.suffix.lower() in (*SUFFIXES, *WEB_SUFFIXES) and path not in named)
    if not paths:
        return ()
    if len(paths) > MAX_FONTS:
        problems.note(display_path(folder), f"has more than {MAX_FONTS} fonts", "leave out those that nothing uses")
    for path in paths[:MAX_FONTS]:
        with problems.collect_errors():
            if fault := _start_fault(path) or (None if font_family(path) else NOT_A_FONT):
                problems.note(display_path(path), *fault)
    problems.raise_if_any()  # before typst reads them

    digest = folder_digest(folder)
    described = cached(cache_key("fonts of a folder", str(folder), digest) if digest else None, lambda: json.dumps(
        read_supervised(list_fonts, b"", {"folder": str(folder)}, display_path(folder),
                         "take out what is not a font")).encode())
    known = {Path(path): about for path, *about in json.loads(described)}
    seen = {(font.family, font.weight, font.italic): font.path for font in listed}
    widths: dict[str, tuple[float, Path]] = {}
    fonts = []
    for path in paths:
        if not (found := known.get(path)):
            problems.note(display_path(path), *NOT_A_FONT)
            continue
        family, exact_weight, style, stretch = found
        weight, italic = min(max(round(exact_weight / 100), 1), 9) * 100, style != "normal"
        twin = seen.setdefault((family, weight, italic), path)
        width, first = widths.setdefault(family, (stretch, path))
        if not _FAMILY_NAME.fullmatch(family):
            problems.note(display_path(path), f"has the family name '{family[:80]}', which SVG can't write",
                          "rename it in a font editor")
        elif twin != path or width != stretch:
            other = twin if twin != path else first
            problems.note(display_path(path), f"is of the same family, weight and slant as {other.name}"
                          if twin != path else f"is wider or narrower than {other.name} of the same family, "
                          f"'{family}'", "keep one of them")
        fonts.append(Font(family=family, weight=weight, italic=italic, path=path))
    problems.raise_if_any()
    return tuple(fonts)


@lru_cache(maxsize=MAX_FONTS)
def has_truetype_outlines(font: Font) -> bool:
    with font.path.open("rb") as file:
        return file.read(4) in (b"\0\1\0\0", b"true")


def _folder_fault(folder: Path) -> tuple[str, str] | None:
    """Find what must not be in the fonts folder, with a remedy: typst reads all of it, and follows any link."""
    todo, count = [folder], 0
    while todo:
        try:
            entries = sorted(todo.pop().iterdir())
        except OSError:
            continue  # no such folder: the missing fonts.toml is reported
        for entry in entries:
            count += 1
            if count > MAX_FILES:
                return f"holds more than {MAX_FILES} files", "keep only the fonts there"
            if entry.is_symlink() or not (entry.is_file() or entry.is_dir()):
                return f"holds '{entry.name}', which is not a regular file", "put the font itself there"
            if entry.is_dir():
                todo.append(entry)
            elif entry.stat().st_size > MAX_BYTES:
                return f"holds '{entry.name}', which is larger than {MAX_BYTES // 1_000_000} MB", "use a smaller font"
    return None


def _file_fault(font: Font, folder: Path, name: str) -> tuple[str, str] | None:
    """Return why a font's file can't be used, with a remedy; None if it can."""
    try:
        inside = is_file_name(name) and font.path.resolve().is_relative_to(folder.resolve())
        exists = inside and font.path.is_file() and is_spelt(folder, name)
    except (OSError, RuntimeError, ValueError):
        return "leads nowhere", "write the name of a font file"
    if not inside:
        return "lies outside the fonts folder", "put the font itself there"
    if not exists:
        return f"font file {font.path.name} not found", "put it into the folder, or correct the name"
    if fault := _start_fault(font.path):
        return f"{font.path.name} {fault[0]}", fault[1]
    if folder == shipped_root() / "data" / "fonts":  # uharfbuzz is not needed if all faces are cached
        return None
    family = font_family(font.path)
    if family != font.family:
        what = f"of the family '{family}', not '{font.family}'" if family else "not a font"
        return f"{font.path.name} is {what}", "take another copy of it, or correct the name"
    return None


def _start_fault(path: Path) -> tuple[str, str] | None:
    """Return why a file can't be used as a font, by its first bytes, with a remedy."""
    with path.open("rb") as file:
        start, flavour = file.read(4), file.read(4)
    made, own = quote_argument(path.stem + (".otf" if flavour == b"OTTO" else ".ttf")), quote_argument(path.name)
    if start in (b"wOF2", b"wOFF"):
        return "is a font for web pages (WOFF), which is not read", (
            f"pip install fonttools brotli, run fonttools ttLib -o {made} {own}, and remove {own}")
    if start == b"ttcf":  # it may claim to hold four billion fonts, and typst would count them
        return "is a collection of fonts", (
            f'take one out of it: move {own} elsewhere, then ppgen fonts add "FAMILY" --from {own}')
    return None


def _parse_font(entry: Fields, folder: Path) -> Font:
    for key in ("package", "source", "licence", "characters", "more"):  # for tools/fonts.py
        entry.take_text(key, "")
    entry.take_texts("blocks", ())
    entry.take_flag("lining")
    font = Font(family=entry.take_text("family"), weight=entry.take_int("weight", 100, 900, 400),
                italic=entry.take_flag("italic"), path=folder / entry.take_text("file"))
    entry.close()
    return font


def _choose_fonts(style: Fields, fonts: tuple[Font, ...]) -> Iterator[Font]:
    """Yield the font of each family that is closest to the style's weight and slant."""
    weight, italic = style.take_int("weight", 100, 900, 400), style.take_flag("italic")
    families = style.take_texts("families")
    if not families:
        style.note("families", "is empty", "name at least one family")
    for family in families:
        known = dict.fromkeys(font.family for font in fonts)
        if family in known:
            yield _closest(family, weight, italic, fonts)
        else:
            style.note("families", f"'{family}' is not a font of the set", Phrase("known", message=join_names(known)))
    style.close()


def _closest(family: str, weight: int, italic: bool, fonts: tuple[Font, ...]) -> Font:
    return min((font for font in fonts if font.family == family),
               key=lambda font: (font.italic != italic, abs(font.weight - weight)))
