"""Turns a board into what ``score.js`` needs: the scoring in JavaScript, for forms and pages.

The script follows ``chains.py`` and ``points.py`` function by function, and ``result.py`` in its keys.
"""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path

from ppgen.games.board_game.board.model import Board
from ppgen.games.board_game.scoring.chains import LEAST
from ppgen.play import scripts
from ppgen.play.scoring import Json


@lru_cache(maxsize=1)
def source() -> str:
    """The script: ECMAScript 5 that defines ``boardGame``, and ``tallyCounts`` before it. Beside JSON's values it needs
    nothing."""
    return scripts.source("counts") + (Path(__file__).parent / "score.js").read_text(encoding="ascii")


def rules_json(board: Board) -> Json:
    """The ``rules`` that its functions take."""
    return {"countries": [{"id": country, "spaces": list(labels)} for country, labels in board.labels.items()],
            "roads": [list(road.ends) for road in board.roads],
            "alliances": [{"box": alliance.box, "countries": list(alliance.countries)}
                          for alliance in board.alliances],
            "pieces": board.cloisters + board.councillors, "chain_length": LEAST}
