"""Where things lie on the table when a game begins."""

from __future__ import annotations

from ppgen.games.card_game.deck.model import DISPLAY_COLUMNS, DISPLAY_ROWS


def tablet_places() -> frozenset[tuple[int, int]]:
    """The rows and columns, from 1, of the cards that carry a law tablet: a V.

    Each row has two, one further from its ends than in the row above (docs/decisions/0001-deck.md).
    """
    return frozenset((row, column) for row in range(1, DISPLAY_ROWS + 1)
                     for column in (1 + row, DISPLAY_COLUMNS - row))
