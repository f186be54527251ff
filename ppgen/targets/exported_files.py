"""Exports: finished files one by one, and their README."""

from __future__ import annotations

import hashlib
import re
import textwrap
import unicodedata
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from ppgen import __version__
from ppgen.errors import Problem
from ppgen.games.interface import Game
from ppgen.lines import columns, display_width
from ppgen.printing.manifest import Json, size_entry
from ppgen.printing.request import BuildRequest, OutputKind
from ppgen.process.file_writing import BuiltFile
from ppgen.process.system import Progress

MAX_NAME_LENGTH = 60


def variant(request: BuildRequest, *words: str) -> str:
    """Return the name of an export's folder: the words, and all options that differ from the default."""
    return request.file_name(*words, *request.words(OutputKind.FACES))


@dataclass(frozen=True, slots=True, kw_only=True)
class ExportedFile:
    """A finished file, and facts about it besides path and digest."""

    file: BuiltFile
    facts: Json

    def entry(self, folder: str = "") -> Json:
        """Return the file's entry in the JSON document, with its path in a folder."""
        path = f"{folder}/{self.file.path}" if folder else self.file.path
        return {"path": path, "sha256": hashlib.sha256(self.file.content).hexdigest(), **self.facts}


@dataclass(frozen=True, slots=True)
class Hint:
    """A hint for users: key of an interface text, and the values of its placeholders."""

    key: str
    values: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class Export:
    """An export in one language. Everything is drawn; its pictures are rendered while its files are read."""

    folder: str  # relative to the output folder
    facts: Json  # about the whole export
    pictures: int  # their number
    files: Callable[[Progress], Iterator[ExportedFile]]
    left_out: tuple[Problem, ...] = ()  # what could not be exported
    warnings: tuple[Problem, ...] = ()  # what differs from the set as printed at home
    hints: tuple[Hint, ...] = field(default=(), compare=False)


def export_facts(kind: str, game: Game, lang: str, request: BuildRequest) -> Json:
    """Return the head of the JSON document of an export."""
    return {"version": __version__, "game": game.id, "export": kind, "lang": lang,
            "card_size": {"name": request.card_size.name, **size_entry(request.card_size.size)},
            "ink": request.ink, "skin": request.skin,
            **({"choices": dict(game.chosen)} if game.chosen else {})}


def file_name(words: str) -> str:
    """Convert words to a part of a file name that is valid on every system."""
    plain = re.sub(r"[^\w.-]+", "-", unicodedata.normalize("NFC", words)).strip("-.")
    return plain[:MAX_NAME_LENGTH] or "x"


# --- README.txt ---

WIDTH = 78
README = "README.txt"


def heading(words: str) -> str:
    return f"{words}\n{'-' * display_width(words)}"


def paragraph(words: str) -> str:
    return _wrap(words)


def numbered_list(items: Iterable[str]) -> str:
    return "\n".join(_wrap(item, f"{number}. ") for number, item in enumerate(items, 1))


def bullet_list(items: Iterable[str]) -> str:
    return "\n".join(_wrap(item, "- ") for item in items)


def table(rows: Sequence[Sequence[str]]) -> str:
    """Format rows, the first of them the head, in columns as wide as their longest cell; lines are not wrapped."""
    lines, widths = columns(rows)
    return "\n".join((lines[0], "  ".join("-" * width for width in widths), *lines[1:]))


def readme(blocks: Iterable[str]) -> bytes:
    """Return the file: its blocks with an empty line between them."""
    return ("\n\n".join(block for block in blocks if block) + "\n").encode()


def _wrap(words: str, sign: str = "") -> str:
    return textwrap.fill(words, WIDTH, initial_indent=sign, subsequent_indent=" " * len(sign),
                         break_long_words=False, break_on_hyphens=False)
