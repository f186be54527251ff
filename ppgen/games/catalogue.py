"""The games that ppgen knows, each as the few functions that the house calls."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ppgen.engine.booklets.document import Booklet
from ppgen.engine.component import Pad, Part
from ppgen.engine.formats import Format
from ppgen.engine.geometry import Size
from ppgen.engine.vision import Swatch
from ppgen.errors import Problem
from ppgen.games.card_game.deck.listing import describe
from ppgen.games.card_game.deck.loading import load_deck
from ppgen.games.card_game.printing.components import parts, swatches
from ppgen.games.card_game.printing.rules import rules
from ppgen.games.card_game.scoring.sentences import SPOKEN
from ppgen.texts import Texts


@dataclass(frozen=True, slots=True, kw_only=True)
class Game:
    """A game: its id, its data folder's name, and how its data become parts.

    ``load`` reads the data folder (content and warnings; InputError for what is wrong); ``parts``
    makes the parts of the set for a card size, the room of a whole page and the pad of pages to write on;
    ``describe`` lists what is in the set; ``swatches`` gives the groups of colours that players must tell apart;
    ``rules`` writes the booklet of rules from the content, the data folder, the texts and all parts, for a page size
    and an ink; ``spoken`` names the tables of the locale files that are said and not printed.
    """

    id: str
    folder: str
    load: Callable[[Path], tuple[Any, tuple[Problem, ...]]]
    parts: Callable[[Any, Texts, Format, Size, Pad], tuple[Part, ...]]
    describe: Callable[[Any], list[dict[str, object]]]
    swatches: Callable[[Any], tuple[tuple[Swatch, ...], ...]]
    rules: Callable[[Any, Path, Texts, Sequence[Part], Size, str], Booklet]
    spoken: frozenset[str] = frozenset()


CARD_GAME = Game(id="card-game", folder="card_game", load=load_deck, parts=parts,
                 describe=describe, swatches=swatches, rules=rules, spoken=SPOKEN)
