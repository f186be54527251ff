"""Limits for untrusted files: regular files only, bounded in size and depth, without invisible characters."""

from __future__ import annotations

import codecs
import os
import re
import stat
import unicodedata
from pathlib import Path

from ppgen.errors import InputError, display_path
from ppgen.shipped import Phrase

Trail = tuple[str | int, ...]
"""The path of a value in a document: ``("countries", "france", "number")``; an int counts the entries of a list."""

INVISIBLE = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069\ud800-\udfff\ufffe\uffff]")
"""Invisible characters with an effect: control characters steer terminals, overrides reverse the direction of reading,
surrogates and U+FFFE are not text."""


MAX_ACCENTS = 30  # accents on one letter (Unicode Standard Annex 15, 12.1): thousands of them take gigabytes to set
MAX_FILE_NAME = 200  # characters of a file's name, with its folders, in strangers' files
_LONG_RUN = re.compile(rf"[^\x00-\u02ff\s]{{{MAX_ACCENTS + 1},}}+")


def _find_stack(text: str) -> int | None:
    """Return the position of a letter with too many accents on it, if any."""
    for run in _LONG_RUN.finditer(text):
        accents = 0
        for position in range(run.start(), run.end()):
            accents = accents + 1 if unicodedata.category(text[position]).startswith("M") else 0
            if accents > MAX_ACCENTS:
                return position - accents
    return None


def describe_character(character: str) -> str:
    """Describe one of the :data:`INVISIBLE` characters in plain words."""
    if "\u202a" <= character <= "\u202e" or "\u2066" <= character <= "\u2069":
        kind = Phrase("direction_character")
    else:
        kind = Phrase("no_character") if character >= "\ud800" else Phrase("control_character")
    return Phrase("code_point", message=kind, code=f"{ord(character):04X}")


def is_file_name(name: str) -> bool:
    """True if the name of a file in a stranger's file stays in its folder, by its words alone.

    Ask this before the file system: Windows sends the user's name and a hash of the password to ``server`` when it is
    asked whether there is a ``//server/share``.
    """
    folders = name.replace("\\", "/").split("/")
    return (len(name) <= MAX_FILE_NAME and name.isprintable() and ":" not in name
            and folders[0] != "" and ".." not in folders)


def read_bytes(path: Path, maximum: int, remedy: str, missing: str = "") -> bytes:
    """Read a file. Raises InputError if missing, too large or not regular; pipes and devices don't block."""
    flags = os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0)
    try:
        with os.fdopen(os.open(path, flags), "rb") as stream:
            if not stat.S_ISREG(os.fstat(stream.fileno()).st_mode):
                raise refuse_file(path, Phrase("not_regular"), Phrase("put_file"))
            data = stream.read(maximum + 1)
    except IsADirectoryError as error:
        raise refuse_file(path, Phrase("is_folder"), Phrase("name_file")) from error
    except (FileNotFoundError, NotADirectoryError) as error:
        raise refuse_file(path, Phrase("no_file"), missing or Phrase("check_name_folder")) from error
    except (OSError, ValueError) as error:  # no permission, a circular link, a zero byte in the name
        raise refuse_file(path, Phrase("unreadable", message=getattr(error, "strerror", "") or error)) from error
    if len(data) > maximum:
        raise refuse_file(path, Phrase("too_large", number=maximum // 1000000), remedy)
    return data


def decode(data: bytes, place: str, fallback: str = "") -> str:
    """Decode the bytes of a file, with line feeds as line ends.

    UTF-8, UTF-16 with a byte order mark as Windows' shells and spreadsheets write it, or else the encoding ``fallback``
    if one is given. Raises InputError for anything else, and for accents in towers.
    """
    if data.startswith(b"PK\x03\x04"):
        raise InputError.at(place, Phrase("packed"), Phrase("save_as_text"))
    wide = data.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE))
    try:
        text = data.decode("utf-16" if wide else "utf-8-sig")
    except UnicodeDecodeError as error:
        if not fallback:
            raise InputError.at(place, Phrase("not_utf8"), Phrase("save_as_utf8")) from error
        text = data.decode(fallback, errors="replace")
    if (position := _find_stack(text)) is not None:
        raise InputError.at(place, Phrase("accents", number=MAX_ACCENTS), Phrase("take_accents_off"),
                            line=text.count("\n", 0, max(position, 0)) + 1)
    return text.replace("\r\n", "\n").replace("\r", "\n")


def refuse_file(path: Path, what: str, remedy: str = "", line: int = 0, key: str = "") -> InputError:
    """The InputError to raise for a file that is refused."""
    return InputError.at(display_place(path), what, remedy, line=line, key=key)


def display_place(path: Path) -> str:
    """Format a path for messages; circular links are allowed."""
    try:
        return display_path(path)
    except (OSError, RuntimeError):
        return str(path)


def find_excess(document: object, depth: int, characters: int) -> tuple[Trail, str, str] | None:
    """Find the first value of a parsed document that breaks the limits: its trail, the problem and the remedy.

    Refused are lists and tables nested deeper than ``depth``, keys and texts longer than ``characters`` or with
    :data:`INVISIBLE` characters, and whole numbers that don't fit 64 bits.
    """
    todo: list[tuple[Trail, object]] = [((), document)]
    while todo:
        trail, value = todo.pop()
        key = trail[-1] if trail else 0
        for text in (key, value):
            if not isinstance(text, str):
                continue
            if len(text) > characters:
                where = trail[:-1] if text is key else trail
                return where, Phrase("long_text", number=characters), Phrase("shorten")
            if match := INVISIBLE.search(text):
                return trail, Phrase("invisible", message=describe_character(match[0])), Phrase("take_it_out")
        if isinstance(value, dict | list):
            if len(trail) >= depth:
                return trail[:3], Phrase("deep", number=depth), Phrase("flatter")
            inside = value.items() if isinstance(value, dict) else enumerate(value)
            todo.extend(((*trail, name), each) for name, each in reversed(list(inside)))
        elif isinstance(value, int) and not -2 ** 63 <= value < 2 ** 63:
            return trail, Phrase("huge_number"), Phrase("smaller_number")
    return None
