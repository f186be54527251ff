"""Turns the board and the words of a language into the part ``cards``: the pair cards with their back."""

from __future__ import annotations

from dataclasses import replace

from ppgen.engine.component import Component, Part, Stock
from ppgen.engine.drawing.face import FaceRequest
from ppgen.engine.geometry import Size
from ppgen.games.board_game import FOLDER
from ppgen.games.board_game.board.model import Board, Borders, CardKind, Country, Line, Point
from ppgen.games.board_game.printing.curves import loop, simpler
from ppgen.reading.texts import Texts

NAME = "cards"
COARSE = 0.6
"""How far (mm on the board) the outline of a country on a card may leave its borders: it is shown at a tenth."""
AROUND = 0.75
"""Lands this near to a country are on its chart too: a share of the longer side of its outline."""


def cards_part(board: Board, borders: Borders, texts: Texts, card: Size) -> Part:
    """The cards, each kind as often as the data say."""
    borders = _coarse(borders)
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
    left, top, right, bottom = _box(ring)
    reach = AROUND * max(right - left, bottom - top)

    def path(line: Line) -> str:
        return loop(tuple(Point(point.x - left, point.y - top) for point in line))

    def near(line: Line) -> bool:
        west, north, east, south = _box(line)
        return west < right + reach and east > left - reach and north < bottom + reach and south > top - reach

    others = (*(borders.ring(land) for land in borders.lands if land != country.id), *borders.isles)
    spaces = [Point(space.at.x - left, space.at.y - top) for space in board.spaces if space.country == country.id]
    return {"id": country.id, "code": country.code, "arms": country.arms, "name": texts(f"countries.{country.id}"),
            "outline": {"path": path(ring), "w": right - left, "h": bottom - top, "spaces": spaces,
                        "around": [path(line) for line in others if near(line)]}}


def _coarse(borders: Borders) -> Borders:
    """The borders with few points: each has the same ones for the lands on both its sides."""
    return replace(borders, arcs=tuple(simpler(arc, COARSE) for arc in borders.arcs),
                   isles=tuple(simpler((*isle, isle[0]), COARSE)[:-1] for isle in borders.isles))


def _box(line: Line) -> tuple[float, float, float, float]:
    """Left, top, right and bottom."""
    xs, ys = [point.x for point in line], [point.y for point in line]
    return min(xs), min(ys), max(xs), max(ys)
