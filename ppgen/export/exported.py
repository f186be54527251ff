"""What an export makes: finished files, one by one, and what is told of them."""

from __future__ import annotations

import hashlib
import re
import unicodedata
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field

from ppgen import __version__
from ppgen.engine.formats import Format
from ppgen.errors import Problem
from ppgen.games.game import Game
from ppgen.production.built import BuiltFile
from ppgen.production.manifest import Json, size_entry

Watch = Callable[[int], None]
"""Is told of each step: so many pictures more are done."""

LONGEST_NAME = 60


@dataclass(frozen=True, slots=True, kw_only=True)
class ExportRequest:
    """An export of one or more languages. ``parts`` is empty for all that are pieces of the game.

    Cards of the ``usual_card`` size need not say so in the names of folders; ``folder`` is where the files will go,
    as it is shown. ``chosen`` is what is made in another way than usual, as the game offers to; ``game`` names the
    game in the names of folders, where it had to be named to be meant.
    """

    langs: tuple[str, ...]
    card_size: Format
    usual_card: Format
    ink: str = "full"
    skin: str = ""
    chosen: tuple[str, ...] = ()
    parts: tuple[str, ...] = ()
    folder: str = "output"
    game: str = ""

    def variant(self, *words: str) -> str:
        """The name of an export's folder: the words, and all of the set that is not as usual."""
        if self.card_size.size != self.usual_card.size:
            words += (self.card_size.name,)
        if self.ink != "full":
            words += (f"{self.ink}-ink",)
        if self.skin:
            words += (self.skin,)
        return "-".join((*words, *self.chosen, *([self.game] if self.game else [])))


@dataclass(frozen=True, slots=True, kw_only=True)
class ExportedFile:
    """A finished file, and what is told of it beside its path and hash."""

    file: BuiltFile
    facts: Json

    def entry(self, folder: str = "") -> Json:
        """What the JSON document tells of the file, with its path in a folder."""
        path = f"{folder}/{self.file.path}" if folder else self.file.path
        return {"path": path, "sha256": hashlib.sha256(self.file.content).hexdigest(), **self.facts}


@dataclass(frozen=True, slots=True)
class Hint:
    """What to do with files: a text of the commands, and what goes into it."""

    key: str
    values: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class Export:
    """An export in one language: everything is drawn, its ``pictures`` are taken while the files are asked for.

    ``folder`` is where they go, under the output folder; ``facts`` is told of the whole, ``left_out`` what could not
    come along, ``hints`` what to do with the files.
    """

    folder: str
    facts: Json
    pictures: int
    files: Callable[[Watch], Iterator[ExportedFile]]
    left_out: tuple[Problem, ...] = ()
    hints: tuple[Hint, ...] = field(default=(), compare=False)


def facts_of(kind: str, game: Game, lang: str, request: ExportRequest) -> Json:
    """What the JSON document tells of an export, before its files."""
    return {"version": __version__, "game": game.id, "export": kind, "lang": lang,
            "card_size": {"name": request.card_size.name, **size_entry(request.card_size.size)},
            "ink": request.ink, "skin": request.skin,
            **({"choices": dict(game.chosen)} if game.chosen else {})}


def file_name(words: str) -> str:
    """The words as a part of a file's name, on every system."""
    plain = re.sub(r"[^\w.-]+", "-", unicodedata.normalize("NFC", words)).strip("-.")
    return plain[:LONGEST_NAME] or "x"
