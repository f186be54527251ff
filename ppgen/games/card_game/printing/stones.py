"""Turns the name of a claim stone's shape into that shape. All are about as large, whatever their outline."""

from __future__ import annotations

from functools import cache

from ppgen.engine.geometry import Rect
from ppgen.engine.shapes.shape import CIRCLE, OCTAGON, Shape, path_shape
from ppgen.games.card_game.deck.model import Stone

_BOX = Rect(0, 0, 100, 100)
_PATHS = {
    "square": "M12 7H88Q93 7 93 12V88Q93 93 88 93H12Q7 93 7 88V12Q7 7 12 7Z",
    "hexagon": "M50 0L93.3 25V75L50 100L6.7 75V25Z",
    "shield": "M6 3H94V46C94 74 74 91 50 100C26 91 6 74 6 46Z",
    "quatrefoil": "M26 26A24 24 0 1 1 74 26A24 24 0 1 1 74 74A24 24 0 1 1 26 74A24 24 0 1 1 26 26Z",
}
_PLAIN = {"round": CIRCLE, "octagon": OCTAGON}
_USUAL = ("round", "square", "hexagon", "octagon", "shield")


def shape_of(stone: Stone) -> Shape:
    """The shape that the deck names, or the one that the player usually has."""
    known = stone.shape in _PATHS or stone.shape in _PLAIN
    return _shape(stone.shape if known else _USUAL[(stone.player - 1) % len(_USUAL)])


@cache
def _shape(name: str) -> Shape:
    return _PLAIN.get(name) or path_shape(_PATHS[name], _BOX)  # to see that a path is one takes milliseconds
