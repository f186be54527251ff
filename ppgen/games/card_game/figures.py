"""Figures of the rules: cards, tablets and stones with the same faces as in print."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import product
from typing import Any

from ppgen.engine.booklets.booklet import BookletArea, BookletPicture, Figure, FigureLabel, Numbers, Stroke, TextLine
from ppgen.engine.component import Component
from ppgen.engine.drawing.face import FaceRequest
from ppgen.engine.geometry import Point, Rect, Size
from ppgen.games.card_game.components import tablet_places
from ppgen.games.card_game.deck import DISPLAY_COLUMNS, DISPLAY_ROWS, ROUTES, Card, Deck, Stone
from ppgen.games.card_game.sheet import lay_out
from ppgen.games.rules_booklet import RulesSource

PAPER, LINE = "#FFFFFF", "#3B2A1E"
RED = "#B8352E"  # frame of cards that may be taken
VEIL = 0.42  # opacity of the white veil over cards that may not
PARTS_OF_CARD = ("number", "code", "symbols", "route", "name")
"""Parts in the annotated picture of a card: the keys of their texts, and the anchors of the card's template."""
UPPER = 0.305  # share of a card's height, at its top, with everything that scores
ROUTE = 0.295  # share of a card's width, at its right, with its route and none of its circle symbols
SMALL_WIDTH = 16.0  # width of a card in mm; narrower ones are drawn without details that would be hairlines and specks
LEGIBLE_SCALE = 0.72  # scale of a tablet; smaller ones are drawn without their text, which would be under 5 pt
_SHUFFLE_STRIDE = 23  # through the deck in the display: looks shuffled (no divisor in common with 56)


@dataclass(frozen=True, slots=True, kw_only=True)
class FigureSource(RulesSource):
    """The pieces of a set by id, to draw pictures of, and the texts of the language."""

    deck: Deck
    pieces: Mapping[str, Component]

    @property
    def card(self) -> Size:
        return self.pieces[self.deck.cards[0].id].size

    def scale(self, width: float) -> float:
        """The scale of a card of this width in mm."""
        return width / self.card.width

    def front(self, id: str, x: float, y: float, scale: float, **options: Any) -> BookletPicture:
        """The front of a piece with its top left corner at x, y."""
        return self._picture(self.pieces[id].front, x, y, scale, **options)

    def back(self, id: str, x: float, y: float, scale: float) -> BookletPicture:
        component = self.pieces[id]
        return self._picture(component.back or component.front, x, y, scale)

    def _picture(self, request: FaceRequest, x: float, y: float, scale: float, **options: Any) -> BookletPicture:
        if scale * self.card.width < SMALL_WIDTH or (scale < LEGIBLE_SCALE and request.size != self.card):
            request = replace(request, small=True)
        box = Rect(x, y, request.size.width * scale, request.size.height * scale)
        corner = options.pop("corner", min(box.width, box.height) * 0.055)
        return BookletPicture(request=request, box=box, corner=corner, **options)

    def stone(self, stone: Stone, card: Rect, scale: float) -> BookletPicture:
        """A stone on the lower half of a card."""
        size = self.pieces[stone.component].size
        return self.front(stone.component, card.x + (card.width - size.width * scale) / 2,
                          card.y + card.height * 0.66 - size.height * scale / 2, scale)

    def tablet(self, card: Rect, scale: float) -> BookletPicture:
        """The back of a tablet at the lower edge of a card."""
        tablet = self.pieces[self.deck.laws[0].component].size
        return self.back(self.deck.laws[0].component, card.x + (card.width - tablet.width * scale) / 2,
                         card.bottom - tablet.height * scale - 0.03 * card.height, scale)

    def sign(self, sign: str, kind: str, x: float, y: float, width: float) -> BookletPicture:
        """A badge, a route or a coat of arms by itself."""
        height = width * (1.2 if kind == "arms" else 1)
        request = FaceRequest(template="card_game/rules-sign.svg.j2", size=Size(width, height),
                              values={"sign": sign, "of": kind}, key=f"{kind} {sign}")
        return BookletPicture(request=request, box=Rect(x, y, width, height), outline=False)

    def describe_card(self, card: Card) -> str:
        """Describe a card in words, for alternative texts."""
        signs = [self.texts(f"kinds.{kind}") for kind in card.symbols]
        if card.route:
            signs.append(self.say(f"cards.{card.route}"))
        country = self.country_name(card.country.id)
        return self.say("cards.told", country=country, signs=self.join_words(signs)) if signs else country


def display(source: FigureSource, measure: float, caption: TextLine, alt: str) -> Figure:
    """Draw the initial display: tablets in their places, the ends of rows framed, the other cards veiled."""
    gap, air = 0.8, 1.8
    width = (measure - (DISPLAY_COLUMNS - 1) * gap - 0.8) / DISPLAY_COLUMNS
    scale = source.scale(width)
    height = source.card.height * scale
    cards = source.deck.cards
    tablets = tablet_places()
    below: list[BookletPicture] = []
    above: list[BookletPicture] = []
    for n, (row, column) in enumerate(product(range(DISPLAY_ROWS), range(DISPLAY_COLUMNS))):
        x, y = 0.4 + column * (width + gap), air + row * (height + gap)
        card = cards[n * _SHUFFLE_STRIDE % len(cards)]
        end = column in (0, DISPLAY_COLUMNS - 1)
        below.append(source.front(card.id, x, y, scale, veil=0.0 if end else VEIL, frame=RED if end else ""))
        if (row + 1, column + 1) in tablets:
            above.append(source.tablet(Rect(x, y, width, height), scale))
    return Figure(size=Size(measure, air + DISPLAY_ROWS * (height + gap) - gap + 0.4), parts=(*below, *above),
                  caption=caption, alt=alt, floats=True)


def annotated_card(source: FigureSource, card: Card, width: float) -> Figure:
    """Draw a card with its parts numbered in the order of :data:`PARTS_OF_CARD`, at the anchors of its face."""
    scale, room = source.scale(width), 4.0
    numbers = Numbers(picture=source.front(card.id, room, room, scale, corner=1.6), anchors=PARTS_OF_CARD, room=room)
    return Figure(size=Size(width + 2 * room, numbers.picture.box.bottom + 0.2), alt=source.say("cards.alt"),
                  parts=(numbers,))


def legend(source: FigureSource, measure: float) -> Figure:
    """Draw the badges of the families with their names, and the two routes."""
    signs = [(kind, "badge", source.texts(f"kinds.{kind}")) for kind in source.deck.symbols]
    signs += [(route, "route", source.say(f"cards.{route}")) for route in ROUTES]
    step, side = measure / len(signs), 7.4
    parts: list[BookletPicture | FigureLabel] = []
    for n, (sign, kind, name) in enumerate(signs):
        parts.append(source.sign(sign, kind, step * (n + 0.5) - side / 2, 0, side))
        parts.append(FigureLabel(words=name, box=Rect(step * n, side + 0.4, step, 4), align="center", size=8,
                                 style="italic"))
    return Figure(size=Size(measure, side + 4.8), parts=tuple(parts), alt=source.say("cards.signs_alt"))


def row_ends(source: FigureSource, taken: Sequence[Sequence[Card]], rest: Sequence[Sequence[Card]],
             width: float) -> Figure:
    """Draw the left ends of rows: cards that are taken framed and numbered in order, the others veiled."""
    gap, edge, seal, scale = 1.4, 0.6, 3.5, source.scale(width)
    height = source.card.height * scale * UPPER
    step = Size(width + gap, height + 0.67 * seal + 1.2)
    cards: list[BookletPicture] = []
    seals: list[FigureLabel] = []
    for row, (row_taken, row_rest) in enumerate(zip(taken, rest, strict=True)):
        for n, card in enumerate((*row_taken, *row_rest)):
            is_taken = n < len(row_taken)
            whole = source.front(card.id, edge + n * step.width, edge + row * step.height, scale, corner=0.7,
                                 veil=0.0 if is_taken else 0.55, frame=RED if is_taken else "")
            cards.append(replace(whole, box=replace(whole.box, height=height)))
            if is_taken:
                corner = Point(whole.box.x + (width - seal) / 2, whole.box.y + height - 0.33 * seal)
                seals.append(FigureLabel(words=str(len(seals) + 1), box=Rect(corner.x, corner.y, seal, seal),
                                         align="center", size=6.4, style="title", seal=True))
    words = source.join_words(source.describe_card(card) for row in taken for card in row)
    return Figure(size=Size(max(card.box.right for card in cards) + edge, len(taken) * step.height),
                  parts=(*cards, *seals), alt=source.say("examples.taking_alt", cards=words))


def hand_figure(source: FigureSource, cards: Sequence[Card], width: float, routes: bool = False) -> Figure:
    """Draw the upper parts of cards side by side, or overlapping: all but the first show only their ``routes``."""
    scale = source.scale(width)
    step = width * ROUTE if routes else width + 0.8
    words = source.join_words(map(source.describe_card, cards))
    height = source.card.height * scale * UPPER
    whole = [source.front(card.id, 0.2 + step * n, 0.2, scale, corner=0.6) for n, card in enumerate(cards)]
    parts = tuple(replace(picture, box=replace(picture.box, height=height)) for picture in whole)
    return Figure(size=Size(width + step * (len(cards) - 1) + 0.4, height + 0.4),
                  parts=parts[::-1] if routes else parts,
                  alt=source.say("examples.hand_alt", count=len(cards), cards=words))


def blank_sheet(source: FigureSource, width: float) -> tuple[BookletArea | Stroke, ...]:
    """Draw an empty score sheet of this width in mm: its page, rows and columns."""
    size = source.pieces["score-sheet"].size
    sheet = lay_out(source.deck, size)
    scale = width / size.width
    table = _scale_rect(sheet.table, scale)
    lines = [Stroke(start=Point(table.x, 0.2 + y * scale), end=Point(table.right, 0.2 + y * scale), width=0.12)
             for y in (row.rect.y for row in sheet.rows)]
    lines += [Stroke(start=Point(0.2 + column.x * scale, table.y), end=Point(0.2 + column.x * scale, table.bottom),
                     width=0.12) for column in sheet.columns]
    page = _scale_rect(Rect(0, 0, size.width, size.height), scale)
    return (BookletArea(box=page, fill=PAPER, stroke=LINE, corner=0.4), BookletArea(box=table, stroke=LINE), *lines)


def paying_figure(source: FigureSource, taken: Card, own: Card, names: Mapping[str, str]) -> Figure:
    """Draw a card with another player's stone, and the card with one's own stone that pays for it."""
    payer, owner = source.deck.stones[0], source.deck.stones[1]
    width, gap = 14.5, 34.0
    scale = source.scale(width)
    height = source.card.height * scale
    parts: list[BookletPicture | Stroke | FigureLabel] = []
    for n, (card, stone, words) in enumerate(((taken, owner, "back"), (own, payer, "out"))):
        box = Rect(0.6 + n * (width + gap), 0.6, width, height)
        parts.append(source.front(card.id, box.x, box.y, scale, corner=0.9, frame="" if n else RED))
        parts.append(source.stone(stone, box, scale))
        y = box.y + height * 0.66
        parts.append(Stroke(start=Point(box.x + width * 0.78, y), end=Point(box.right + 9, y), arrow=True, width=0.4))
        parts.append(FigureLabel(words=source.say(f"claimed.{words}", **names), style="italic", size=8.5,
                                 box=Rect(box.right + 10.2, y - 5, gap - 13.5, 10)))
    return Figure(size=Size(2 * (width + gap) - 2, height + 1.2), parts=tuple(parts),
                  alt=source.say("claimed.alt", **names))


def card_fan(source: FigureSource, *faces: tuple[str, str], scale: float) -> tuple[BookletPicture, ...]:
    """Draw faces side by side, each given by the id of its piece and its side."""
    x, pictures = 0.2, []
    for id, side in faces:
        draw = source.back if side == "back" else source.front
        pictures.append(draw(id, x, 0.2, scale))
        x = pictures[-1].box.right + 1
    return tuple(pictures)


def _scale_rect(rect: Rect, scale: float) -> Rect:
    return Rect(0.2 + rect.x * scale, 0.2 + rect.y * scale, rect.width * scale, rect.height * scale)
