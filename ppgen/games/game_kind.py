"""Kinds of games: what the program knows of a game before a module of it is imported."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from importlib import import_module
from typing import Any

from ppgen.games.choice import Choice

Function = str | Callable[..., Any]  # a function, or where it is: `module:function`


@dataclass(frozen=True, slots=True, kw_only=True)
class GameKind:
    """A kind of game; its functions are imported when they are called, those for scoring without those for printing.

    ``folder`` is the subfolder of its data and templates. ``name`` is its name, or reads it from the data folder.
    ``open`` opens the game in a data folder with the formats, ``score`` its scoring with the folder of the common texts
    and a language; a game with a ``score_file`` can be scored if that file is there. ``languages`` reads its languages
    from the data folder; without it they are those of its locale files. ``parts`` are the names of its own parts and
    groups of parts, ``choices`` the versions that it offers.
    """

    folder: str
    name: Function
    open: Function
    score: Function
    score_file: str = ""
    languages: Function = ""
    parts: tuple[str, ...] = ()
    choices: tuple[Choice, ...] = ()

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
