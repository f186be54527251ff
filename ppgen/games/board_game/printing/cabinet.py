"""What the figures of the rules are drawn from: the board, the words of the language, and cards and pieces in small."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import reduce

from ppgen.engine.booklets.document import Picture
from ppgen.engine.drawing.face import FaceRequest
from ppgen.engine.geometry import Rect, Size
from ppgen.games.board_game.board.model import Board, Borders, CardKind
from ppgen.games.board_game.printing.maps import Chart
from ppgen.reading.texts import Texts

SHAPE_OF_CARD = 68 / 44
"""How much higher than wide a card is."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Cabinet:
    """The board, its outlines and the words of the language, to draw figures of; ``names`` are players by seat.

    ``measure`` is the width of the text that the figures stand in, in mm.
    """

    board: Board
    borders: Borders
    texts: Texts
    names: Sequence[str]
    measure: float

    @property
    def share(self) -> float:
        """How wide the text is compared with that of A5, which the figures are made for."""
        return self.measure / 122

    @property
    def chart(self) -> Chart:
        return Chart(board=self.board, borders=self.borders, names=self.names)

    def say(self, key: str, **values: object) -> str:
        """Words of the rules."""
        return self.texts(f"rules.{key}", **values)

    def country(self, id: str) -> str:
        return self.texts(f"countries.{id}")

    def listed(self, words: Sequence[str]) -> str:
        """Words one after the other, with the commas of the language."""
        return reduce(lambda first, last: self.say("figures.list", first=first, last=last), words or [""])

    def kind(self, id: str) -> CardKind:
        return next(kind for kind in self.board.cards if kind.id == id)

    def card_name(self, kind: CardKind) -> str:
        """The countries of a card, as its players say it."""
        return "/".join(map(self.country, kind.countries))

    def card(self, kind: CardKind, x: float, y: float, width: float, *, veil: float = 0.0, frame: str = "") -> Picture:
        known = {country.id: country for country in self.board.countries}
        size = Size(width, width * SHAPE_OF_CARD)
        values = {"kind": {"colour": kind.colour, "sign": kind.sign},
                  "countries": [{"arms": known[id].arms, "code": known[id].code} for id in kind.countries]}
        request = FaceRequest(template="board_game/figures/card.svg.j2", size=size, values=values,
                              key=f"{kind.id} {width:g}")
        return Picture(request=request, box=Rect(x, y, size.width, size.height), corner=width * 0.07, veil=veil,
                       frame=frame)

    def card_back(self, x: float, y: float, width: float) -> Picture:
        size = Size(width, width * SHAPE_OF_CARD)
        request = FaceRequest(template="board_game/figures/card-back.svg.j2", size=size, values={}, key=f"{width:g}")
        return Picture(request=request, box=Rect(x, y, size.width, size.height), corner=width * 0.07)

    def arms(self, arms: str, width: float) -> FaceRequest:
        """A coat of arms by itself."""
        return FaceRequest(template="board_game/figures/arms.svg.j2", size=Size(width, width * 1.2),
                           values={"arms": arms}, key=arms)

    def piece(self, of: str, seat: int | None, x: float, y: float, side: float) -> Picture:
        """A cloister, a councillor or a score marker of a player; the black marker has no seat."""
        player = None if seat is None else self.board.players[seat]
        who = {"colour": player.colour if player else "", "shape": player.shape if player else "", "letter": "",
               "fresh": False}
        request = FaceRequest(template="board_game/figures/piece.svg.j2", size=Size(side, side),
                              values={"of": of, "who": who}, key=f"{of} {seat} {side:g}")
        return Picture(request=request, box=Rect(x, y, side, side), outline=False)
