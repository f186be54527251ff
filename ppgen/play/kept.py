"""Turns rows of a history into games and changes, and back. Nothing in a row is taken on trust.

Every field is checked, and what steers a terminal is spelled out: histories are sent around like tallies.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal

from ppgen.errors import on_one_line

MAX_DEPTH = 12
"""How deep tables and lists of a game may lie in each other."""

Kind = Literal["save", "edit", "delete"]


@dataclass(frozen=True, slots=True, kw_only=True)
class KeptGame:
    """A game of the history; ``id`` is 0 as long as it is not in one."""

    id: int = 0
    game: str
    date: str
    place: str
    tallies: Mapping[str, Any]
    result: Mapping[str, Any]


@dataclass(frozen=True, slots=True, kw_only=True)
class Change:
    """Something that was done: ``before`` is the game as it was, None where it was not there."""

    kind: Kind
    game_id: int
    before: KeptGame | None


def row_of(game: KeptGame) -> tuple[object, ...]:
    return (game.id, game.game, game.date, game.place, json.dumps(game.tallies, ensure_ascii=False),
            json.dumps(game.result, ensure_ascii=False))


def game_of(row: object) -> KeptGame:
    """The game of a row. Raises ValueError, in plain words, if it is not as it was written."""
    match row:
        case (int(id), str(name), str(date), str(place), str(tallies), str(result)):
            return KeptGame(id=id, game=on_one_line(name), date=on_one_line(date), place=on_one_line(place),
                            tallies=_document(tallies, "tallies"), result=_result(_document(result, "result")))
    raise ValueError("a field is no text")


def _document(text: str, called: str) -> dict[str, Any]:
    try:
        document = _harmless(json.loads(text))
    except (ValueError, RecursionError) as error:
        raise ValueError(f"its {called} can't be read") from error
    if isinstance(document, dict):
        return document
    raise ValueError(f"its {called} can't be read")


def _harmless(value: object, depth: int = 0) -> object:
    """The value with texts that can be printed. Raises ValueError for depths and numbers that no game has."""
    if depth > MAX_DEPTH:
        raise ValueError("nested too deep")
    match value:
        case str():
            return on_one_line(value)
        case dict():
            return {on_one_line(key): _harmless(each, depth + 1) for key, each in value.items()}
        case list():
            return [_harmless(each, depth + 1) for each in value]
        case int() | float() if not -2 ** 63 <= value < 2 ** 63:  # nor what is no number at all
            raise ValueError("a number out of range")
    return value


def _result(document: dict[str, Any]) -> dict[str, Any]:
    """The document, if it has what is looked at. Raises ValueError."""
    match document:
        case {"players": [*players], "winners": [*winners]} if (
                all(isinstance(name, str) for name in winners) and all(map(_is_player, players))):
            return document
    raise ValueError("its result has no players, or no winners")


def _is_player(value: object) -> bool:
    match value:
        case {"name": str(), "total": int(total)}:
            return not isinstance(total, bool)
    return False


def change_of(kind: object, game_id: object, before: object) -> Change:
    """The change of a row. Raises ValueError if it is not as it was written."""
    match kind, game_id, before:
        case ("save" | "edit" | "delete") as done, int(id), None:
            return Change(kind=done, game_id=id, before=None)
        case ("save" | "edit" | "delete") as done, int(id), str(words):
            try:
                game = game_of(json.loads(words))
            except (ValueError, RecursionError) as error:
                raise ValueError("what was changed last can't be read") from error
            if game.id == id:
                return Change(kind=done, game_id=id, before=game)
    raise ValueError("what was changed last can't be read")
