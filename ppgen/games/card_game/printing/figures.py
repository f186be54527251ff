"""Turns cards, tablets and stones into the pictures of the rules: the same faces as are printed to play with."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import reduce
from itertools import product
from typing import Any

from ppgen.engine.booklets.document import Area, Figure, Label, Line, Numbers, Picture, Stroke
from ppgen.engine.component import Component
from ppgen.engine.drawing.face import FaceRequest
from ppgen.engine.geometry import Point, Rect, Size
from ppgen.games.card_game.deck.model import DISPLAY_COLUMNS, DISPLAY_ROWS, ROUTES, Card, Deck, Stone
from ppgen.games.card_game.printing.display import tablet_places
from ppgen.games.card_game.printing.score_sheet import lay_out
from ppgen.reading.texts import Texts

PAPER, LINE = "#FFFFFF", "#3B2A1E"
RED = "#B8352E"
"""What may be taken is framed in it."""
VEIL = 0.42
"""How much white lies over what may not."""
PARTS_OF_CARD = ("number", "code", "symbols", "route", "name")
"""What the picture of a card explains: the keys of its words, and the anchors of the card's template."""
UPPER = 0.305
"""The share of a card's height that shows all that counts."""
ROUTE = 0.295
"""The share of a card's width, at its right, that shows its route and nothing of its circle symbols."""
SMALL = 16.0
"""A card less wide than this (mm) is shown without what would be hair lines and specks; all that counts is there."""
LEGIBLE = 0.72
"""At less than this share of its size a tablet is shown without its words: they would be under 5 pt."""
_SHUFFLED = 23
"""The display shows the deck in this stride: a fixed order that looks mixed (a stride without a divisor of 56)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Cabinet:
    """The pieces of a set by their id, to draw pictures of, and the words of the language."""

    deck: Deck
    pieces: Mapping[str, Component]
    texts: Texts

    @property
    def card(self) -> Size:
        return self.pieces[self.deck.cards[0].id].size

    def say(self, key: str, **values: object) -> str:
        """Words of the rules."""
        return self.texts(f"rules.{key}", **values)

    def scale(self, width: float) -> float:
        """How much smaller a card is that is so many mm wide."""
        return width / self.card.width

    def front(self, id: str, x: float, y: float, scale: float, **look: Any) -> Picture:
        """The front of a piece, its top left corner at x, y."""
        return self._picture(self.pieces[id].front, x, y, scale, **look)

    def back(self, id: str, x: float, y: float, scale: float) -> Picture:
        component = self.pieces[id]
        return self._picture(component.back or component.front, x, y, scale)

    def _picture(self, request: FaceRequest, x: float, y: float, scale: float, **look: Any) -> Picture:
        if scale * self.card.width < SMALL or (scale < LEGIBLE and request.size != self.card):
            request = replace(request, small=True)
        box = Rect(x, y, request.size.width * scale, request.size.height * scale)
        corner = look.pop("corner", min(box.width, box.height) * 0.055)
        return Picture(request=request, box=box, corner=corner, **look)

    def stone(self, stone: Stone, card: Rect, scale: float) -> Picture:
        """A stone on the lower half of a card."""
        size = self.pieces[stone.component].size
        return self.front(stone.component, card.x + (card.width - size.width * scale) / 2,
                          card.y + card.height * 0.66 - size.height * scale / 2, scale)

    def tablet(self, card: Rect, scale: float) -> Picture:
        """The back of a tablet at the lower edge of a card."""
        tablet = self.pieces[self.deck.laws[0].component].size
        return self.back(self.deck.laws[0].component, card.x + (card.width - tablet.width * scale) / 2,
                         card.bottom - tablet.height * scale - 0.03 * card.height, scale)

    def sign(self, sign: str, of: str, x: float, y: float, width: float) -> Picture:
        """A badge, a route or a coat of arms by itself."""
        height = width * (1.2 if of == "arms" else 1)
        request = FaceRequest(template="card_game/rules-sign.svg.j2", size=Size(width, height),
                              values={"sign": sign, "of": of}, key=f"{of} {sign}")
        return Picture(request=request, box=Rect(x, y, width, height), outline=False)

    def told(self, card: Card) -> str:
        """A card in words, for who does not see it."""
        signs = [self.texts(f"kinds.{kind}") for kind in card.symbols]
        if card.route:
            signs.append(self.say(f"cards.{card.route}"))
        country = self.texts(f"countries.{card.country.id}")
        return self.say("cards.told", country=country, signs=self.listed(signs)) if signs else country

    def listed(self, words: Sequence[str]) -> str:
        """Words one after the other, with the commas of the language."""
        return reduce(lambda first, last: self.texts("results.list", first=first, last=last), words or [""])


def display(cabinet: Cabinet, measure: float, caption: Line, alt: str) -> Figure:
    """The cards as they lie at the start: tablets in their places, the ends framed, the others under a veil."""
    gap, air = 0.8, 1.8
    width = (measure - (DISPLAY_COLUMNS - 1) * gap - 0.8) / DISPLAY_COLUMNS
    scale = cabinet.scale(width)
    height = cabinet.card.height * scale
    cards = cabinet.deck.cards
    tablets = tablet_places()
    below: list[Picture] = []
    above: list[Picture] = []
    for n, (row, column) in enumerate(product(range(DISPLAY_ROWS), range(DISPLAY_COLUMNS))):
        x, y = 0.4 + column * (width + gap), air + row * (height + gap)
        card = cards[n * _SHUFFLED % len(cards)]
        end = column in (0, DISPLAY_COLUMNS - 1)
        below.append(cabinet.front(card.id, x, y, scale, veil=0.0 if end else VEIL, frame=RED if end else ""))
        if (row + 1, column + 1) in tablets:
            above.append(cabinet.tablet(Rect(x, y, width, height), scale))
    return Figure(size=Size(measure, air + DISPLAY_ROWS * (height + gap) - gap + 0.4), parts=(*below, *above),
                  caption=caption, alt=alt, floats=True)


def annotated_card(cabinet: Cabinet, card: Card, width: float) -> Figure:
    """A card with its parts numbered in the order of :data:`PARTS_OF_CARD`: they are the anchors of its face."""
    scale, room = cabinet.scale(width), 4.0
    numbers = Numbers(picture=cabinet.front(card.id, room, room, scale, corner=1.6), anchors=PARTS_OF_CARD, room=room)
    return Figure(size=Size(width + 2 * room, numbers.picture.box.bottom + 0.2), alt=cabinet.say("cards.alt"),
                  parts=(numbers,))


def legend(cabinet: Cabinet, measure: float) -> Figure:
    """The badges of the families with their names, and the two routes."""
    signs = [(kind, "badge", cabinet.texts(f"kinds.{kind}")) for kind in cabinet.deck.symbols]
    signs += [(route, "route", cabinet.say(f"cards.{route}")) for route in ROUTES]
    step, side = measure / len(signs), 7.4
    parts: list[Picture | Label] = []
    for n, (sign, of, name) in enumerate(signs):
        parts.append(cabinet.sign(sign, of, step * (n + 0.5) - side / 2, 0, side))
        parts.append(Label(words=name, box=Rect(step * n, side + 0.4, step, 4), align="center", size=8, style="italic"))
    return Figure(size=Size(measure, side + 4.8), parts=tuple(parts), alt=cabinet.say("cards.signs_alt"))


def row_ends(cabinet: Cabinet, taken: Sequence[Sequence[Card]], rest: Sequence[Sequence[Card]], width: float) -> Figure:
    """The left ends of rows, one below the other: what is taken framed and numbered in its order, what stays veiled."""
    gap, edge, seal, scale = 1.4, 0.6, 3.5, cabinet.scale(width)
    height = cabinet.card.height * scale * UPPER
    step = Size(width + gap, height + 0.67 * seal + 1.2)
    cards: list[Picture] = []
    seals: list[Label] = []
    for row, (taken_here, left) in enumerate(zip(taken, rest, strict=True)):
        for n, card in enumerate((*taken_here, *left)):
            took = n < len(taken_here)
            whole = cabinet.front(card.id, edge + n * step.width, edge + row * step.height, scale, corner=0.7,
                                  veil=0.0 if took else 0.55, frame=RED if took else "")
            cards.append(replace(whole, box=replace(whole.box, height=height)))
            if took:
                corner = Point(whole.box.x + (width - seal) / 2, whole.box.y + height - 0.33 * seal)
                seals.append(Label(words=str(len(seals) + 1), box=Rect(corner.x, corner.y, seal, seal), align="center",
                                   size=6.4, style="title", seal=True))
    told = cabinet.listed([cabinet.told(card) for row in taken for card in row])
    return Figure(size=Size(max(card.box.right for card in cards) + edge, len(taken) * step.height),
                  parts=(*cards, *seals), alt=cabinet.say("examples.taking_alt", cards=told))


def hand(cabinet: Cabinet, cards: Sequence[Card], width: float, routes: bool = False) -> Figure:
    """The upper parts of cards side by side; or over each other, so that of all but the first only ``routes`` show."""
    scale = cabinet.scale(width)
    step = width * ROUTE if routes else width + 0.8
    told = cabinet.listed([*map(cabinet.told, cards)])
    height = cabinet.card.height * scale * UPPER
    whole = [cabinet.front(card.id, 0.2 + step * n, 0.2, scale, corner=0.6) for n, card in enumerate(cards)]
    parts = tuple(replace(picture, box=replace(picture.box, height=height)) for picture in whole)
    return Figure(size=Size(width + step * (len(cards) - 1) + 0.4, height + 0.4),
                  parts=parts[::-1] if routes else parts,
                  alt=cabinet.say("examples.hand_alt", count=len(cards), cards=told))


def blank_sheet(cabinet: Cabinet, width: float) -> tuple[Area | Stroke, ...]:
    """The score sheet so many mm wide, empty: its page, its rows and its columns."""
    size = cabinet.pieces["score-sheet"].size
    sheet = lay_out(cabinet.deck, size)
    scale, ruled = width / size.width, [row.rect.y for row in sheet.rows]
    table = _scaled(sheet.table, scale)
    lines = [Stroke(start=Point(table.x, 0.2 + y * scale), end=Point(table.right, 0.2 + y * scale), width=0.12)
             for y in ruled]
    lines += [Stroke(start=Point(0.2 + column.x * scale, table.y), end=Point(0.2 + column.x * scale, table.bottom),
                     width=0.12) for column in sheet.columns]
    return (Area(box=_scaled(Rect(0, 0, size.width, size.height), scale), fill=PAPER, stroke=LINE, corner=0.4),
            Area(box=table, stroke=LINE), *lines)


def paying(cabinet: Cabinet, taken: Card, own: Card, names: Mapping[str, str]) -> Figure:
    """A card with another player's stone, and the card with one's own stone that pays for it."""
    payer, owner = cabinet.deck.stones[0], cabinet.deck.stones[1]
    width, gap = 14.5, 34.0
    scale = cabinet.scale(width)
    height = cabinet.card.height * scale
    parts: list[Picture | Stroke | Label] = []
    for n, (card, stone, words) in enumerate(((taken, owner, "back"), (own, payer, "out"))):
        box = Rect(0.6 + n * (width + gap), 0.6, width, height)
        parts.append(cabinet.front(card.id, box.x, box.y, scale, corner=0.9, frame="" if n else RED))
        parts.append(cabinet.stone(stone, box, scale))
        y = box.y + height * 0.66
        parts.append(Stroke(start=Point(box.x + width * 0.78, y), end=Point(box.right + 9, y), arrow=True, width=0.4))
        parts.append(Label(words=cabinet.say(f"claimed.{words}", **names), style="italic", size=8.5,
                           box=Rect(box.right + 10.2, y - 5, gap - 13.5, 10)))
    return Figure(size=Size(2 * (width + gap) - 2, height + 1.2), parts=tuple(parts),
                  alt=cabinet.say("claimed.alt", **names))


def fan_of(cabinet: Cabinet, *shown: tuple[str, str], scale: float) -> tuple[Picture, ...]:
    """Faces side by side, each given as a piece's id and its side."""
    x, pictures = 0.2, []
    for id, side in shown:
        draw = cabinet.back if side == "back" else cabinet.front
        pictures.append(draw(id, x, 0.2, scale))
        x = pictures[-1].box.right + 1
    return tuple(pictures)


def _scaled(rect: Rect, scale: float) -> Rect:
    """The rectangle in a figure, within its edge."""
    return Rect(0.2 + rect.x * scale, 0.2 + rect.y * scale, rect.width * scale, rect.height * scale)
