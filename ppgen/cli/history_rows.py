"""Turns kept games into the rows of lists and of CSV."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

from ppgen.reading.texts import Texts

if TYPE_CHECKING:
    from ppgen.play.kept import KeptGame


def winner_of(game: KeptGame, say: Texts) -> str:
    """Who won, in a list; or that nobody did."""
    drawn = game.result.get("tie_break") == "draw"
    return say("history.draw") if drawn else ", ".join(game.result["winners"])


def summary_of(game: KeptGame) -> dict[str, Any]:
    """A game in a list for programs."""
    return {"id": game.id, "game": game.game, "date": game.date, "place": game.place,
            "winners": game.result["winners"],
            "players": [{"name": each["name"], "total": each["total"]} for each in game.result["players"]]}


def player_rows(game: KeptGame) -> Iterable[dict[str, Any]]:
    """A line for each player of a game, for CSV."""
    for player in game.result["players"]:
        numbers = {key: value for key, value in player.items() if not isinstance(value, dict | list)}
        ours = {"id": game.id, "game": game.game, "date": game.date, "place": game.place}
        yield ours | numbers | ours | {"winner": int(player["name"] in game.result["winners"])}
