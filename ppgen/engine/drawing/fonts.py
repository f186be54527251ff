"""Turns ``fonts.toml`` and its files into a book that splits text into runs and measures them.

The home of uharfbuzz, which shapes text as typst does: with kerning and ligatures.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path
from typing import Any

from ppgen.errors import InputError, Problems, listed
from ppgen.reading.fields import Fields, read_toml
from ppgen.reading.limits import place_of, refusal

MAX_FONTS, MAX_FILES = 100, 500
"""The most fonts of a set, and files in its fonts folder."""
OF_BOOKLETS = ("title", "strong", "italic")
"""Styles that booklets are set in, besides ``text``; one that fonts.toml does not name is that."""
SUFFIXES = (".ttf", ".otf", ".ttc", ".otc")
"""Endings of the files that typst takes for fonts."""
MAX_BYTES = 50_000_000
"""A larger font file is refused: one with all of Chinese has 20 MB."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Font:
    """One font file, and the words SVG asks for it by."""

    family: str
    weight: int
    italic: bool
    path: Path

    def has(self, character: str) -> bool:
        return _shaper(self.path).get_nominal_glyph(ord(character)) is not None

    def sets(self, character: str) -> bool:
        """Whether typst sets it in this font: there is a glyph, or it is one of those that are rightly not seen."""
        return self.has(character) or (not character.isprintable() and _unseen(self.path, character))

    def advance(self, text: str, ligatures: bool = True) -> float:
        """The width of the text at font size 1."""
        return _advance(self.path, text, ligatures)

    def outline(self, text: str, size: float, x: float = 0.0, spacing: float = 0.0) -> str:
        """SVG path data of the text, from ``x`` on its baseline at y = 0, y down, in the unit of ``size``.

        ``spacing`` follows each character. Empty where nothing is drawn.
        """
        return _outline(self.path, text, size, x, spacing)


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


def read_fonts(folder: Path) -> FontBook:
    """Read ``fonts.toml`` in the folder. Raises InputError with every problem, missing files too."""
    problems = Problems()
    top = read_toml(folder, "fonts.toml", problems)
    tables = top.take_tables("fonts")
    stranger = _stranger(folder)
    if wrong := stranger or _unnamed(folder, {str(entry.raw("file")) for entry in tables}):
        problems.note(place_of(folder), *wrong)
    if len(tables) > MAX_FONTS:
        top.note("fonts", f"has more than {MAX_FONTS} fonts", "leave out those that no style names")
    entries = [(entry, _font(entry, folder)) for entry in tables[:MAX_FONTS]]
    for entry, font in entries if not stranger else ():
        named = entry.raw("file") and font.family  # if not, that is noted
        if named and (unfit := _unfit(font, folder)):
            entry.note("file", *unfit)
    fonts = tuple(font for _, font in entries)
    styles = top.take_table("styles")
    book = {name: tuple(_chosen(styles.take_table(name), fonts)) for name in styles}
    if "text" not in book:
        top.note("styles", "has no style 'text'", "add [styles.text]: sheets are labelled in it")
    top.close()
    problems.raise_if_any()
    return FontBook(folder=folder, fonts=fonts, styles={**dict.fromkeys(OF_BOOKLETS, book["text"]), **book})


def _stranger(folder: Path) -> tuple[str, str] | None:
    """What must not lie in the folder of fonts, and what to do: typst reads all of it, and follows links anywhere."""
    todo, count = [folder], 0
    while todo:
        try:
            entries = sorted(todo.pop().iterdir())
        except OSError:
            continue  # there is none: fonts.toml is missing too, and told
        for entry in entries:
            count += 1
            if count > MAX_FILES:
                return f"holds more than {MAX_FILES} files", "keep only the fonts there"
            if entry.is_symlink() or not (entry.is_file() or entry.is_dir()):
                return f"holds '{entry.name}', which is no plain file", "put the font itself there"
            if entry.is_dir():
                todo.append(entry)
            elif entry.stat().st_size > MAX_BYTES:
                return f"holds '{entry.name}', which is larger than {MAX_BYTES // 1_000_000} MB", "use a smaller font"
    return None


def _unnamed(folder: Path, named: set[str]) -> tuple[str, str] | None:
    """A font in the folder that ``fonts.toml`` does not name, and what to do: typst would read it too."""
    for path in sorted(folder.rglob("*")):
        if path.suffix.lower() in SUFFIXES and path.relative_to(folder).as_posix() not in named:
            return f"holds '{path.name}', a font that fonts.toml does not name", "name it there, or take it out"
    return None


def _unfit(font: Font, folder: Path) -> tuple[str, str] | None:
    """Why a font's file can't be used, and what to do; None if it can."""
    try:
        inside, there = font.path.resolve().is_relative_to(folder.resolve()), font.path.is_file()
    except (OSError, RuntimeError, ValueError):
        return "leads nowhere", "write the name of a font file"
    if not inside:
        return "lies outside the fonts folder", "put the font itself there"
    if not there:
        return f"font file {font.path.name} not found", "fetch it with tools/fetch_fonts.py"
    with font.path.open("rb") as file:
        collection = file.read(4) == b"ttcf"
    if collection:  # one may claim to hold four billion fonts, which typst would count
        return f"{font.path.name} is a collection of fonts", "take the one font that is meant out of it"
    family = _family(font.path)
    if family != font.family:
        what = f"of the family '{family}', not '{font.family}'" if family else "not a font"
        return f"{font.path.name} is {what}", "fetch it again with tools/fetch_fonts.py, or correct the name"
    return None


def _font(entry: Fields, folder: Path) -> Font:
    for known in ("package", "source", "licence", "characters", "more"):  # for tools/fetch_fonts.py
        entry.take_text(known, "")
    entry.take_texts("blocks", ())
    font = Font(family=entry.take_text("family"), weight=entry.take_int("weight", 100, 900, 400),
                italic=entry.take_flag("italic", False), path=folder / entry.take_text("file"))
    entry.close()
    return font


def _chosen(style: Fields, fonts: tuple[Font, ...]) -> Iterator[Font]:
    """The font of each family that is nearest to what the style asks for."""
    weight, italic = style.take_int("weight", 100, 900, 400), style.take_flag("italic", False)
    families = style.take_texts("families")
    if not families:
        style.note("families", "is empty", "name at least one family")
    for family in families:
        of_family = [font for font in fonts if font.family == family]
        if of_family:
            yield min(of_family, key=lambda font: (font.italic != italic, abs(font.weight - weight)))
        else:
            known = dict.fromkeys(font.family for font in fonts)
            style.note("families", f"'{family}' is no font of this file", f"known: {listed(known)}")
    style.close()


@lru_cache(maxsize=20_000)
def _runs(text: str, fonts: tuple[Font, ...]) -> tuple[Run, ...]:
    runs: list[Run] = []
    for character in text:
        # Latin fonts have a few marks of Japanese, such as 《: better in the font that has the rest of it.
        candidates = sorted(fonts, key=_lacks_kana) if character >= "\u3000" else fonts
        font = next((font for font in candidates if font.has(character)), fonts[0])
        if character == " " and runs and runs[-1].font.has(" "):
            font = runs[-1].font
        if runs and runs[-1].font == font:
            runs[-1] = Run(runs[-1].text + character, font)
        else:
            runs.append(Run(character, font))
    return tuple(runs)


@lru_cache(maxsize=64)
def _lacks_kana(font: Font) -> bool:
    return not font.has("の")


@lru_cache(maxsize=64)
def _shaper(path: Path) -> Any:
    import uharfbuzz

    with damaged(path):
        return uharfbuzz.Font(uharfbuzz.Face(uharfbuzz.Blob.from_file_path(str(path))))


@lru_cache(maxsize=64)
def _family(path: Path) -> str:
    """The family that a font file calls itself; empty if it is no font."""
    import uharfbuzz

    face = uharfbuzz.Face(uharfbuzz.Blob.from_file_path(str(path)))
    names = uharfbuzz.OTNameIdPredefined
    wanted = (names.TYPOGRAPHIC_FAMILY, names.FONT_FAMILY)
    return next((name for id in wanted if face.glyph_count and (name := face.get_name(id))), "")


@lru_cache(maxsize=2_000)
def _unseen(path: Path, character: str) -> bool:
    """Whether HarfBuzz leaves out a character that has no glyph, as Unicode has it of joiners and soft hyphens."""
    with damaged(path):
        return all(glyph.codepoint for glyph in _shaped(path, character, True).glyph_infos)


@lru_cache(maxsize=20_000)
def _advance(path: Path, text: str, ligatures: bool) -> float:
    with damaged(path):
        return float(sum(place.x_advance for place in _shaped(path, text, ligatures).glyph_positions)) / _unit(path)


@lru_cache(maxsize=2_000)
def _outline(path: Path, text: str, size: float, x: float, spacing: float) -> str:
    with damaged(path):
        buffer, scale = _shaped(path, text, not spacing), size / _unit(path)
        shaper, pen = _shaper(path), _Pen(scale)
        for glyph, place in zip(buffer.glyph_infos, buffer.glyph_positions, strict=True):
            pen.x, pen.y = x + place.x_offset * scale, -place.y_offset * scale
            shaper.draw_glyph_with_pen(glyph.codepoint, pen)
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
    return float(_shaper(path).face.upem)


def _shaped(path: Path, text: str, ligatures: bool) -> Any:
    import uharfbuzz

    buffer = uharfbuzz.Buffer()
    buffer.add_str(text)
    buffer.guess_segment_properties()
    # Letter spacing switches ligatures off, as CSS Text 3, clause 8.2, has it.
    uharfbuzz.shape(_shaper(path), buffer, None if ligatures else {"liga": False, "clig": False})
    return buffer
