"""Turns the board and the words of a language into the part ``aid``: a player aid for each, the start player's card."""

from __future__ import annotations

from collections.abc import Mapping

from ppgen.engine.component import Component, Part, Stock
from ppgen.engine.drawing.face import FaceRequest
from ppgen.engine.geometry import Size
from ppgen.games.board_game import FOLDER
from ppgen.games.board_game.board.model import Board, Player
from ppgen.reading.texts import Texts

NAME = "aid"
OTHERS = 2
"""So many other players are seen in the pictures of an aid."""


def aids_part(board: Board, texts: Texts, card: Size, marker: float) -> Part:
    """The aids, each with its turn in front and the scoring behind; ``marker`` is how wide (mm) the black marker is."""
    return Part(name=NAME, title=texts(f"parts.{NAME}"), stock=Stock.CARD, tiles=True,
                components=(*(_aid(player, board, texts, card) for player in board.players),
                            _start_card(board, texts, card, marker)))


def _aid(player: Player, board: Board, texts: Texts, card: Size) -> Component:
    id = f"aid-{player.player}"
    front, back = (FaceRequest(template=f"{FOLDER}/aid.svg.j2", size=card, key=f"{id} {side}",
                               values={"aid": {**_seen_by(player, board), "side": side}})
                   for side in ("turn", "scoring"))
    return Component(id=id, title=texts("aid.player", n=player.player), front=front, back=back)


def _start_card(board: Board, texts: Texts, card: Size, marker: float) -> Component:
    codes = {country.id: country.code for country in board.countries}
    alliances = [{"box": alliance.box, "codes": [codes[id] for id in alliance.countries], "water": alliance.water}
                 for alliance in board.alliances]
    front, back = (FaceRequest(template=f"{FOLDER}/start-card.svg.j2", size=card, key=side, values={
        "start": {"side": side, "marker": marker, "alliances": alliances},
        "aid": _seen_by(board.players[0], board)}) for side in ("home", "order"))
    return Component(id="start-player", title=texts("aid.start"), front=front, back=back)


def _seen_by(player: Player, board: Board) -> Mapping[str, object]:
    """A player's pieces, and those of others beside them."""
    others = [each for each in board.players if each is not player][:OTHERS]
    return {"player": player.player, "colour": player.colour, "shape": player.shape, "others": others}
