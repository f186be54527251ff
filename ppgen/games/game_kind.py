"""Kinds of games: what the program knows of a game before a module of it is imported."""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module
from typing import Any

from ppgen.records import dataclass

NONE = "none"  # value of a choice that leaves its part out


@dataclass(frozen=True, slots=True, kw_only=True)
class Choice:
    """A choice: the option ``--name`` and its ``values``, the first of them the default. ``help`` is one line."""

    name: str
    values: tuple[str, ...]
    help: str

    @property
    def usual(self) -> str:
        """The default value."""
        return self.values[0]

    def file_word(self, value: str) -> str:
        """The word for a value in the names of files."""
        return f"no-{self.name}" if value == NONE else value


Function = str | Callable[..., Any]  # a function, or where it is: `module:function`


@dataclass(frozen=True, slots=True, kw_only=True)
class GameKind:
    """A kind of game; its functions are imported when they are called, those for scoring without those for printing."""

    folder: str  # subfolder of its data and templates
    name: Function  # or reads it from the data folder
    open: Function  # opens the game in a data folder with the formats
    score: Function  # opens its scoring with the folder of the common texts and a language
    score_file: str = ""  # it can be scored if that file is there
    languages: Function = ""  # reads them from the data folder; default: those of its locale files
    parts: tuple[str, ...] = ()  # names of its own parts and groups of parts
    choices: tuple[Choice, ...] = ()  # versions that it offers

    @property
    def fixed_name(self) -> str:
        """The name of a game whose name is not read from its data, else ""."""
        return self.name if isinstance(self.name, str) and ":" not in self.name else ""


def call(function: Function, *arguments: object) -> Any:
    """Call a function of a kind."""
    if not isinstance(function, str):
        return function(*arguments)
    module, _, name = function.partition(":")
    return getattr(import_module(module), name)(*arguments)
