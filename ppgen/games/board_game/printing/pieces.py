"""Turns the board and the words of a language into the part ``pieces``: cloisters, councillors and markers, made in
one of several ways."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from ppgen.engine.component import Component, Part, Stock
from ppgen.engine.drawing.face import FaceRequest
from ppgen.engine.geometry import Size
from ppgen.engine.shapes.net import Net, standee, tent
from ppgen.engine.shapes.shape import CIRCLE, RECTANGLE, Shape
from ppgen.games.board_game import FOLDER, PIECES
from ppgen.games.board_game.board.model import Board, Player
from ppgen.reading.texts import Texts

NAME = PIECES.name
SCORE_MARKER, BLACK_MARKER = 13.0, 9.0
"""Diameters in mm: on a square of the score track, and on the box of an alliance, which it covers."""
BLACK = "#2E2B2F"
"""The black marker: an anthracite darker than any player's."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Form:
    """How a kind of piece is made: the name of its drawing, its trim in mm, its outline and perhaps its net."""

    name: str
    size: Size
    shape: Shape
    net: Net | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Making:
    """How the pieces are made: cloisters and councillors, and what they are printed on."""

    cloister: Form
    councillor: Form
    stock: Stock


def _folded(name: str, net: Net) -> Form:
    return Form(name=name, size=net.size, shape=net.shape, net=net)


def _disc(width: float) -> Form:
    return Form(name="disc", size=Size(width, width), shape=CIRCLE)


def _sticker(side: float) -> Form:
    return Form(name="sticker", size=Size(side, side), shape=RECTANGLE)


MAKINGS: Mapping[str, Making] = {
    "houses": Making(cloister=_folded("tent", tent(length=10, base=8, roof=9, tab=4)),
                     councillor=_folded("standee", standee(Size(9, 18), feet=5)), stock=Stock.FOLDED),
    "discs": Making(cloister=_disc(12), councillor=_disc(8), stock=Stock.BOARD),
    "stickers": Making(cloister=_sticker(9), councillor=_sticker(7), stock=Stock.STICKER),
}
"""The values of the choice :data:`~ppgen.games.board_game.PIECES`. A space has 14 mm; stickers go onto cubes of 10 mm
and of 8 mm."""


def pieces_part(board: Board, texts: Texts, made: str) -> Part:
    """All pieces, the larger ones first; ``made`` names one of the makings."""
    making = MAKINGS[made]
    return Part(name=NAME, title=texts(f"parts.{NAME}"), stock=making.stock, tiles=True,
                variant="" if made == PIECES.usual else made, components=tuple(_pieces(board, texts, making)))


def _pieces(board: Board, texts: Texts, making: Making) -> Iterator[Component]:
    for kind, form, copies in (("cloister", making.cloister, board.cloisters),
                               ("councillor", making.councillor, board.councillors),
                               ("score-marker", _disc(SCORE_MARKER), 1)):
        for player in board.players:
            number = player.player
            yield _piece(f"{kind}-{number}", kind, player, form, copies, texts(f"pieces.{kind}", n=number))
    black = Player(player=0, colour=BLACK, shape="")
    yield _piece("black-marker", "black-marker", black, _disc(BLACK_MARKER), 1, texts("pieces.black-marker"))


def _piece(id: str, kind: str, player: Player, form: Form, copies: int, title: str) -> Component:
    values = {"piece": {"kind": kind, "form": form.name, "player": player.player, "colour": player.colour,
                        "shape": player.shape}, **({"net": form.net} if form.net else {})}
    front = FaceRequest(template=f"{FOLDER}/piece.svg.j2", size=form.size, shape=form.shape, values=values, key=id)
    return Component(id=id, title=title, copies=copies, colour=player.colour, front=front)
