"""Turns a deck's countries into what ``score.js`` needs: the scoring in JavaScript, for forms and pages.

The script follows ``points.py`` function by function, and ``result.py`` in its keys.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from pathlib import Path

from ppgen.games.card_game.deck.model import MINUS_TWO_POINTS, Country
from ppgen.games.card_game.scoring.points import CHAIN_LENGTH
from ppgen.play import scripts
from ppgen.play.scoring import Json


@lru_cache(maxsize=1)
def source() -> str:
    """The script: ECMAScript 5 that defines ``cardGame``, and ``tallyCounts`` before it. Beside JSON's values it needs
    nothing."""
    return scripts.source("counts") + (Path(__file__).parent / "score.js").read_text(encoding="ascii")


def rules_json(countries: Sequence[Country]) -> Json:
    """The ``rules`` that its functions take."""
    return {"countries": [{"id": country.id, "number": country.number} for country in countries],
            "chain_length": CHAIN_LENGTH, "minus_two_points": MINUS_TWO_POINTS}
