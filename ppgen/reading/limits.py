"""What a file from a stranger may be and hold: plain, not too large, not too deep, nothing that nobody sees."""

from __future__ import annotations

import codecs
import os
import re
import stat
from pathlib import Path

from ppgen.errors import InputError, Problem, shown_path

Trail = tuple[str | int, ...]
"""Where a value stands in a document: ``("countries", "france", "number")``; an int counts the entries of a list."""

UNSEEN = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069\ud800-\udfff\ufffe\uffff]")
"""Characters that nobody sees but that do something: control characters steer terminals, overrides turn the direction
of reading round, half characters and U+FFFE are no text."""


def called(character: str) -> str:
    """What one of the :data:`UNSEEN` is, in plain words."""
    if "\u202a" <= character <= "\u202e" or "\u2066" <= character <= "\u2069":
        kind = "a character that turns the direction of reading"
    else:
        kind = "what is no character" if character >= "\ud800" else "a control character"
    return f"{kind} (U+{ord(character):04X})"


def read_bytes(path: Path, maximum: int, remedy: str, missing: str = "check its name and folder") -> bytes:
    """What is in a file. Raises InputError if it is missing, has more than ``maximum`` bytes or is no plain file.

    A pipe would keep us waiting and a device never end: they are opened without waiting, and refused.
    """
    flags = os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0)
    try:
        with os.fdopen(os.open(path, flags), "rb") as stream:
            if not stat.S_ISREG(os.fstat(stream.fileno()).st_mode):
                raise refusal(path, "is no plain file", "put the file itself there")
            data = stream.read(maximum + 1)
    except IsADirectoryError as error:
        raise refusal(path, "is a folder", "name a file") from error
    except (FileNotFoundError, NotADirectoryError) as error:
        raise refusal(path, "file not found", missing) from error
    except (OSError, ValueError) as error:  # no right to, a link in a circle, a name with a zero byte
        raise refusal(path, f"can't be read: {getattr(error, 'strerror', '') or error}") from error
    if len(data) > maximum:
        raise refusal(path, f"is larger than {maximum // 1_000_000} MB", remedy)
    return data


def decoded(data: bytes, place: str, older: str = "") -> str:
    """The text of a file, its lines ended by line feeds.

    That is UTF-8, or UTF-16 with a byte order mark, as Windows' shells and spreadsheets write it, or else the
    ``older`` encoding, if one is given. Raises InputError for anything else.
    """
    if data.startswith(b"PK\x03\x04"):
        raise InputError([Problem(place=place, what="is a spreadsheet or another packed file, not text",
                                  remedy="save it as CSV or plain text")])
    wide = data.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE))
    try:
        text = data.decode("utf-16" if wide else "utf-8-sig")
    except UnicodeDecodeError as error:
        if not older:
            raise InputError([Problem(place=place, what="is not UTF-8 text",
                                      remedy="save it with the encoding UTF-8")]) from error
        text = data.decode(older, errors="replace")
    return text.replace("\r\n", "\n").replace("\r", "\n")


def refusal(path: Path, what: str, remedy: str = "", line: int = 0, key: str = "") -> InputError:
    """The error that a file is refused with."""
    return InputError([Problem(place=place_of(path), line=line, key=key, what=what, remedy=remedy)])


def place_of(path: Path) -> str:
    """The path as messages show it, also that of a link that leads in a circle."""
    try:
        return shown_path(path)
    except (OSError, RuntimeError):
        return str(path)


def out_of_bounds(document: object, depth: int, characters: int) -> tuple[Trail, str, str] | None:
    """The first value of a parsed document that a program should not be handed: where, what, and what to do.

    That are lists and tables in each other more than ``depth`` times, texts of more than so many ``characters`` or
    with :data:`UNSEEN` ones, keys of that kind, and whole numbers that don't fit 64 bits.
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
                return where, f"has a text of more than {characters} characters", "shorten it"
            if unseen := UNSEEN.search(text):
                return trail, f"holds {called(unseen[0])}", "take it out"
        if isinstance(value, dict | list):
            if len(trail) >= depth:
                return trail[:3], f"is nested deeper than {depth}", "make it flatter"
            inside = value.items() if isinstance(value, dict) else enumerate(value)
            todo.extend(((*trail, name), each) for name, each in reversed(list(inside)))
        elif isinstance(value, int) and not -2 ** 63 <= value < 2 ** 63:
            return trail, "is a number out of range", "write a smaller one"
    return None
