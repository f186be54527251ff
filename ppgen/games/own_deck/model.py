"""What a deck of one's own is made of: pieces, in parts, as its tables tell."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from ppgen.engine.component import Layout, Stock
from ppgen.engine.formats import Format
from ppgen.errors import Spot
from ppgen.games.own_deck.cutting import Cut


@dataclass(frozen=True, slots=True, kw_only=True)
class Piece:
    """A line of a table: its id, how often it is printed, its templates (``back`` may be empty), its other cells,
    and the line itself.

    Where its ``cut`` has no size, it is as large as ``--card-size`` says.
    """

    id: str
    copies: int
    cut: Cut
    front: str
    back: str
    cells: Mapping[str, str]
    line: Spot

    def told_in(self, lang: str) -> dict[str, str]:
        """The cells as a template sees them: of ``name.de`` and ``name.en``, ``name`` is the one in the language."""
        plain = {name: words for name, words in self.cells.items() if "." not in name}
        return plain | {name.partition(".")[0]: words for name, words in self.cells.items()
                        if name.partition(".")[2] == lang}


@dataclass(frozen=True, slots=True, kw_only=True)
class Batch:
    """The pieces of a part, from one table or several."""

    name: str
    stock: Stock
    layout: Layout
    pieces: tuple[Piece, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class OwnDeck:
    """A whole deck; ``lang`` is the language it was written in first, ``card_size`` that of cards whose part names
    no other, ``box`` the template of its tuck box, or empty."""

    id: str
    lang: str
    card_size: Format
    box: str
    batches: tuple[Batch, ...]
