"""Turns ``fonts.toml`` and the files beside it into a book of fonts, or into all that is wrong with them."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from ppgen.engine.drawing.fonts import Font, FontBook
from ppgen.engine.drawing.shaping import family_of
from ppgen.errors import Problems, listed
from ppgen.reading.fields import Fields, read_toml
from ppgen.reading.limits import place_of

MAX_FONTS, MAX_FILES = 100, 500
"""The most fonts of a set, and files in its fonts folder."""
OF_BOOKLETS = ("title", "strong", "italic")
"""Styles that booklets are set in, besides ``text``; one that fonts.toml does not name is that."""
SUFFIXES = (".ttf", ".otf", ".ttc", ".otc")
"""Endings of the files that typst takes for fonts."""
MAX_BYTES = 50_000_000
"""A larger font file is refused: one with all of Chinese has 20 MB."""


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
    family = family_of(font.path)
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
