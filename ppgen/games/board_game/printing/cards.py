"""Turns the board and the words of a language into the part ``cards``: the pair cards with their back."""

from __future__ import annotations

from ppgen.engine.component import Component, Part, Stock
from ppgen.engine.drawing.face import FaceRequest
from ppgen.engine.geometry import Size
from ppgen.games.board_game import FOLDER
from ppgen.games.board_game.board.model import Board, Borders, CardKind, Country, Point
from ppgen.games.board_game.printing.curves import loop, simpler
from ppgen.reading.texts import Texts

NAME = "cards"
COARSE = 0.5
"""How far (mm on the board) the outline of a country on a card may leave its borders: it is shown at a fifth."""


def cards_part(board: Board, borders: Borders, texts: Texts, card: Size) -> Part:
    """The cards, each kind as often as the data say."""
    back = FaceRequest(template=f"{FOLDER}/card-back.svg.j2", size=card, values={})
    return Part(name=NAME, title=texts(f"parts.{NAME}"), stock=Stock.CARD,
                components=tuple(_pair_card(kind, board, borders, texts, back) for kind in board.cards))


def _pair_card(kind: CardKind, board: Board, borders: Borders, texts: Texts, back: FaceRequest) -> Component:
    lands = [_land(country, board, borders, texts) for name in kind.countries
             for country in board.countries if country.id == name]
    values = {"card": {"id": kind.id, "copies": kind.copies, "colour": kind.colour, "tint": kind.tint,
                       "ink": kind.ink, "sign": kind.sign, "lands": lands}}
    return Component(id=kind.id, title=" / ".join(str(land["name"]) for land in lands), copies=kind.copies, back=back,
                     colour=kind.colour, front=FaceRequest(template=f"{FOLDER}/pair-card.svg.j2", size=back.size,
                                                           values=values, key=kind.id))


def _land(country: Country, board: Board, borders: Borders, texts: Texts) -> dict[str, object]:
    """A country as a card shows it; lengths are millimetres of the board, from the corner of its outline's box."""
    ring = borders.ring(country.id)
    middle = len(ring) // 2  # a ring is made simpler in two lines
    ring = (*simpler(ring[:middle + 1], COARSE)[:-1], *simpler((*ring[middle:], ring[0]), COARSE)[:-1])
    left, top = min(point.x for point in ring), min(point.y for point in ring)
    wide, high = max(point.x for point in ring) - left, max(point.y for point in ring) - top
    path = loop(tuple(Point(point.x - left, point.y - top) for point in ring))
    spaces = [Point(space.at.x - left, space.at.y - top) for space in board.spaces if space.country == country.id]
    return {"id": country.id, "code": country.code, "arms": country.arms, "name": texts(f"countries.{country.id}"),
            "outline": {"path": path, "w": wide, "h": high, "spaces": spaces}}
