"""The games that ppgen knows, each as the few functions that the house calls."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ppgen.engine.component import Part
from ppgen.engine.formats import Format
from ppgen.engine.geometry import Size
from ppgen.errors import Problem
from ppgen.games.card_game.components import parts
from ppgen.games.card_game.listing import describe
from ppgen.games.card_game.loading import load_deck
from ppgen.texts import Texts


@dataclass(frozen=True, slots=True, kw_only=True)
class Game:
    """A game: its id, its data folder's name, and how its data become parts.

    ``load`` reads the data folder (content and warnings; InputError for what is wrong); ``parts``
    makes the parts of the set for a card size and the room of a whole page; ``describe`` lists what
    is in the set.
    """

    id: str
    folder: str
    load: Callable[[Path], tuple[Any, tuple[Problem, ...]]]
    parts: Callable[[Any, Texts, Format, Size], tuple[Part, ...]]
    describe: Callable[[Any], list[dict[str, object]]]


CARD_GAME = Game(id="card-game", folder="card_game", load=load_deck, parts=parts,
                 describe=describe)
