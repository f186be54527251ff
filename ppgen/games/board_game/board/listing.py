"""Turns a :class:`Board` into the plain records that ``ppgen list --json`` prints."""

from __future__ import annotations

from ppgen.games.board_game.board.model import Board


def describe(board: Board) -> list[dict[str, object]]:
    """A record for each component: the board, the cards, then the pieces of the players and the black marker."""
    sets = (("cloister", board.cloisters), ("councillor", board.councillors), ("score-marker", 1))
    return [
        {"id": "board", "kind": "board", "width_mm": _plain(board.width), "height_mm": _plain(board.height),
         "copies": 1},
        *({"id": kind.id, "kind": "pair-card", "countries": list(kind.countries), "copies": kind.copies}
          for kind in board.cards),
        *({"id": f"{kind}-{player.player}", "kind": kind, "player": player.player, "copies": copies}
          for kind, copies in sets for player in board.players),
        {"id": "black-marker", "kind": "black-marker", "copies": 1}]


def describe_map(board: Board) -> dict[str, object]:
    """What lies where, and what is joined: the spaces of each country, the roads, the alliances."""
    return {"spaces": {country: list(labels) for country, labels in board.labels.items()},
            "roads": [list(road.ends) for road in board.roads],
            "alliances": [{"box": alliance.box, "countries": list(alliance.countries), "water": alliance.water}
                          for alliance in board.alliances]}


def _plain(length: float) -> float:
    return int(length) if length.is_integer() else length
