"""Parts of the printed set: cards, tablets, stones."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from functools import cache

from ppgen.engine.colours import Swatch
from ppgen.engine.component import Component, Part, Stock
from ppgen.engine.drawing.face import FaceRequest
from ppgen.engine.geometry import Format, Rect, Size, parse_length
from ppgen.engine.shapes import CIRCLE, OCTAGON, Shape, path_shape
from ppgen.games.card_game import FOLDER
from ppgen.games.card_game.deck import DISPLAY_COLUMNS, DISPLAY_ROWS, Card, Deck, Law, Stone
from ppgen.reading.texts import Texts

LARGE_TABLET = Size(44, 47.6)  # in mm in large print: as wide as a card, and its strip stays free
GROUPS = {"tokens": ("tablets", "stones")}  # names for several parts at once
# Outlines of claim stones, all of about the same size.
_BOX = Rect(0, 0, 100, 100)
_PATHS = {
    "square": "M12 7H88Q93 7 93 12V88Q93 93 88 93H12Q7 93 7 88V12Q7 7 12 7Z",
    "hexagon": "M50 0L93.3 25V75L50 100L6.7 75V25Z",
    "shield": "M6 3H94V46C94 74 74 91 50 100C26 91 6 74 6 46Z",
    "quatrefoil": "M26 26A24 24 0 1 1 74 26A24 24 0 1 1 74 74A24 24 0 1 1 26 74A24 24 0 1 1 26 26Z",
}
_SIMPLE = {"round": CIRCLE, "octagon": OCTAGON}
_DEFAULT_SHAPES = ("round", "square", "hexagon", "octagon", "shield")


def parts(deck: Deck, texts: Texts, card_size: Format) -> tuple[Part, ...]:
    """Make the parts of the set except the score sheet."""
    card = card_size.size
    tablet = Size(round(card.width * deck.tablet_width, 1), round(card.height * deck.tablet_height, 1))
    stone = round(min(parse_length(deck.stone_size), card.width * 2 / 3), 1)  # so that the strip stays visible
    card_back = FaceRequest(template=f"{FOLDER}/card-back.svg.j2", size=card, values={})
    tablet_back = FaceRequest(template=f"{FOLDER}/law-tablet-back.svg.j2", size=tablet, values={})
    return (
        Part(name="cards", title=texts("parts.cards"), stock=Stock.CARD,
             components=tuple(_country_card(*entry, texts, card_back) for entry in _numbered(deck.cards))),
        Part(name="tablets", title=texts("parts.tablets"), stock=Stock.CARD, tiles=True,
             components=tuple(_law_tablet(law, texts, tablet_back) for law in deck.laws)),
        Part(name="stones", title=texts("parts.stones"), stock=Stock.BOARD, tiles=True,
             components=tuple(_claim_stone(entry, Size(stone, stone), texts) for entry in deck.stones)),
    )


def swatches(deck: Deck) -> tuple[tuple[Swatch, ...], ...]:
    """The colours of countries, which also differ by code and arms, and of players, which also differ by shape."""
    return (tuple(Swatch(name=country.id, colour=country.colour, cue=f"{country.code} {country.arms}")
                  for country in deck.countries),
            tuple(Swatch(name=f"player {stone.player}", colour=stone.colour, cue=stone.shape)
                  for stone in deck.stones))


def stone_shape(stone: Stone) -> Shape:
    """The shape that the deck names, or the default of the player."""
    known = stone.shape in _PATHS or stone.shape in _SIMPLE
    return _shape(stone.shape if known else _DEFAULT_SHAPES[(stone.player - 1) % len(_DEFAULT_SHAPES)])


@cache
def _shape(name: str) -> Shape:
    return _SIMPLE.get(name) or path_shape(_PATHS[name], _BOX)  # validating a path takes milliseconds


def tablet_places() -> frozenset[tuple[int, int]]:
    """Rows and columns, from 1, of the display's cards with a law tablet: a V (docs/decisions/0001-deck.md)."""
    return frozenset((row, column) for row in range(1, DISPLAY_ROWS + 1) for column in (1 + row, DISPLAY_COLUMNS - row))


def _numbered(cards: Iterable[Card]) -> Iterator[tuple[Card, int, int]]:
    """Yield each card, its number in its country from 1, and how many earlier cards have the same scene."""
    numbers: Counter[str] = Counter()
    scenes: Counter[tuple[str, str | None, int, int]] = Counter()
    for card in cards:
        scene = card.country.id, card.route, len(card.symbols), len(set(card.symbols))
        numbers[card.country.id] += 1
        yield card, numbers[card.country.id], scenes[scene]
        scenes[scene] += 1


def _country_card(card: Card, index: int, twin: int, texts: Texts, back: FaceRequest) -> Component:
    country, name = card.country, f"countries.{card.country.id}"
    values = {"card": {"id": card.id, "country": country.id, "number": country.number, "nth": index,
                       "code": country.code, "colour": country.colour, "arms": country.arms, "symbols": card.symbols,
                       "route": card.route, "twin": twin, "name": texts(name)}}
    signs = [f"kinds.{kind}" for kind in card.symbols] + ([f"rules.cards.{card.route}"] if card.route else [])
    return Component(id=card.id, title=texts(name), colour=country.colour, back=back,
                     description=texts.join(texts(key) for key in signs if key in texts.words),
                     front=FaceRequest(template=f"{FOLDER}/country-card.svg.j2", size=back.size, values=values,
                                       key=card.id))


def _law_tablet(law: Law, texts: Texts, back: FaceRequest) -> Component:
    words = {entry: f"laws.{law.id}.{entry}" for entry in ("name", "text")}
    values = {"law": {"id": law.id, **{entry: texts(key) for entry, key in words.items()}}}
    return Component(id=law.component, title=texts(words["name"]), family=texts("parts.tablets"),
                     copies=law.copies, back=back,
                     front=FaceRequest(template=f"{FOLDER}/law-tablet.svg.j2", size=back.size, values=values,
                                       key=law.id))


def _claim_stone(stone: Stone, size: Size, texts: Texts) -> Component:
    face = FaceRequest(template=f"{FOLDER}/claim-stone.svg.j2", size=size, key=stone.component,
                       shape=stone_shape(stone), values={"stone": {"player": stone.player, "colour": stone.colour,
                                                           "shape": stone.shape}})
    return Component(id=stone.component, title=texts("pieces.stone", n=stone.player), copies=stone.copies,
                     colour=stone.colour, may_be_rectangle=True, front=face, back=face)
