"""Signs that no font has: they are printed as boxes, with one message for each script."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from difflib import get_close_matches
from pathlib import Path

from ppgen.engine.drawing.fonts import FontBook, find_system_font
from ppgen.engine.pictures.picture_files import ICON_ALIASES, shipped_icons
from ppgen.errors import Problem, Spot, display_path, format_count, shorten
from ppgen.games.interface import SignUse
from ppgen.reading.fields import MAX_BYTES
from ppgen.reading.tables import Table

LAST_LETTER = "\u024f"  # the last of the Latin letters; ppgen's fonts have those that are written
_SCRIPT = re.compile(r"(?P<script>.+?) (?:LETTER|MARK|SEMIVOWEL|ADDAK|VOWEL|CONSONANT|SIGN|DIGIT|SYLLAB|CHARACTER"
                     r"|IDEOGRAPH|HIEROGLYPH|UNIFIED|COMPATIBILITY|TONE|DEPENDENT|INDEPENDENT|SUBJOINED"
                     r"|MEDIAL|DANDA|POINT|ACCENT|COMMA|FULL STOP|QUESTION|SEMICOLON)")
_SCRIPT_NAMES = {"CJK": "Chinese", "HANGUL": "Korean", "HIRAGANA": "Japanese", "KATAKANA": "Japanese"}
_AROUND = "\"'()[]{}<>=*,.;:"  # signs around a word in a file
_TEXT_FILES = (".j2", ".toml", ".md")


def find_signs(tables: Iterable[Table], is_read: Callable[[str], bool] = lambda column: True
               ) -> Mapping[str, Sequence[SignUse]]:
    """Find the signs in the cells of tables that are not Latin letters, in columns that are read."""
    uses: dict[str, list[SignUse]] = {}
    for table in tables:
        for row in table.rows:
            for column, cell in row.cells.items():
                if isinstance(cell, str) and not cell.isascii() and is_read(column):
                    for sign in dict.fromkeys(cell):
                        if sign > LAST_LETTER:
                            uses.setdefault(sign, []).append(
                                SignUse(Spot(table.place, row.line, table.headings[column]), cell))
    return uses


def missing_signs(uses: Mapping[str, Sequence[SignUse]], fonts: FontBook, folders: Sequence[Path] = (),
                  is_deck: bool = True) -> tuple[Problem, ...]:
    """Return a problem for each script with signs that no font has, and for each sign that an icon can replace.

    Signs that texts were drawn with, but that no table has, are looked up in the files of ``folders``.
    ``ppgen fonts`` is for decks: other games have all fonts in one file.
    """
    known = {sign: mentions for sign, mentions in uses.items()
             if not any(font.can_set(sign) for font in fonts.styles["text"])}
    known |= {sign: [_find_in_files(sign, folders)] for sign in sorted(fonts.missing.difference(uses))}
    groups: dict[tuple[str, str], list[str]] = {}
    for sign in known:
        script = script_name(sign)
        icon = "" if script else _nearest_icon(unicodedata.name(sign, "").lower())
        groups.setdefault((script, icon), []).append(sign)
    return tuple(_problem_of(signs, *group, [mention for sign in signs for mention in known[sign]], is_deck)
                 for group, signs in groups.items())


def _problem_of(signs: Sequence[str], script: str, icon: str, mentions: Sequence[SignUse], is_deck: bool) -> Problem:
    first, cells = mentions[0], len(dict.fromkeys(mentions))
    example = next((word for word in first.text.split() if not set(word).isdisjoint(signs)),
                   first.text).strip(_AROUND)[:30]
    where = f"{format_count(cells, 'text')}, like '{example}'" if first.text else "a text"
    names = f"the {script} letters" if script else shorten(
        [f"'{sign}' (U+{ord(sign):04X})" if sign.isprintable() else f"U+{ord(sign):04X}" for sign in signs])
    print_as = "they are printed as boxes" if script or len(signs) > 1 else "it is printed as a box"
    remedy = f"write {{{icon}}}, or " if icon else ""
    them = "them" if script or len(signs) > 1 else "it"
    here = find_system_font(signs) if is_deck else ""
    remedy += (f'ppgen fonts add "{here}": this computer has it' if here else
               f"add a font that has {them} to data/fonts/fonts.toml" if not is_deck else
               f"put a font that has {them} into fonts/: fonts.google.com/noto has one for each script")
    return first.spot.problem(f"no font has {names} of {where}: {print_as}", remedy)


def note_signs_of_files(folder: Path, fonts: FontBook) -> None:
    """Note the signs in templates, rules and titles of a deck that no font has, without drawing anything."""
    signs = {sign for _, text in _texts(folder) for sign in text if sign > LAST_LETTER}
    fonts.missing.update(sign for sign in signs if not any(font.can_set(sign) for font in fonts.styles["text"]))


def script_name(sign: str) -> str:
    """Return the name of the script that a letter, mark or digit belongs to; empty for other signs."""
    match = _SCRIPT.match(unicodedata.name(sign, "")) if unicodedata.category(sign)[0] in "LMNP" else None
    return _SCRIPT_NAMES.get(match["script"].split()[0], match["script"].title()) if match else ""


def _find_in_files(sign: str, folders: Sequence[Path]) -> SignUse:
    """Find the first line of the files in these folders that has the sign."""
    for folder in folders:
        for path, text in _texts(folder):
            for number, line in enumerate(text.splitlines(), 1):
                if sign in line:
                    return SignUse(Spot(display_path(path), number), line)
    return SignUse(Spot("fonts"), "")


def _texts(folder: Path) -> Iterator[tuple[Path, str]]:
    """Yield the text files below a folder with their contents: no links, and none that is too large to be read."""
    for path in sorted(folder.rglob("*")):
        if (path.suffix in _TEXT_FILES and path.is_file() and not path.is_symlink()
                and path.stat().st_size <= MAX_BYTES):
            yield path, path.read_text(encoding="utf-8", errors="replace")


def _nearest_icon(name: str) -> str:
    """The icon whose name is most like a word of a sign's name; empty if none is."""
    known = {**{icon: icon for icon in shipped_icons()}, **ICON_ALIASES}
    words = [word for word in name.replace("-", " ").split() if len(word) > 2]
    near = next((word for word in words if word in known), "") or next(
        (match for word in words for match in get_close_matches(word, known, n=1, cutoff=0.85)), "")
    return known.get(near, "")
