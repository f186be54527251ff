"""Turns the deck and the words of a language into the parts of the set: cards, tablets, stones."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator

from ppgen.engine.component import Component, Part, Stock
from ppgen.engine.drawing.face import FaceRequest
from ppgen.engine.formats import Format
from ppgen.engine.geometry import Size
from ppgen.engine.units import parse_length
from ppgen.engine.vision import Swatch
from ppgen.games.card_game import FOLDER
from ppgen.games.card_game.deck.model import Card, Deck, Law, Stone
from ppgen.games.card_game.printing.stones import shape_of
from ppgen.reading.texts import Texts

GROUPS = {"tokens": ("tablets", "stones")}
"""Names for several parts at once."""


def parts(deck: Deck, texts: Texts, card_size: Format) -> tuple[Part, ...]:
    """The parts of the set but for the score sheet."""
    card, tablet = card_size.size, _tablet_size(deck, card_size.size)
    stone = _stone_size(deck, card)
    card_back = FaceRequest(template=f"{FOLDER}/card-back.svg.j2", size=card, values={})
    tablet_back = FaceRequest(template=f"{FOLDER}/law-tablet-back.svg.j2", size=tablet, values={})
    return (
        Part(name="cards", title=texts("parts.cards"), stock=Stock.CARD,
             components=tuple(_country_card(*placed, texts, card_back) for placed in _placed(deck.cards))),
        Part(name="tablets", title=texts("parts.tablets"), stock=Stock.CARD, tiles=True,
             components=tuple(_law_tablet(law, texts, tablet_back) for law in deck.laws)),
        Part(name="stones", title=texts("parts.stones"), stock=Stock.BOARD, tiles=True,
             components=tuple(_claim_stone(entry, stone, texts) for entry in deck.stones)),
    )


def swatches(deck: Deck) -> tuple[tuple[Swatch, ...], ...]:
    """The colours of countries, told apart by code and arms too, and of players, by the stones' shape."""
    return (tuple(Swatch(name=country.id, colour=country.colour, cue=f"{country.code} {country.arms}")
                  for country in deck.countries),
            tuple(Swatch(name=f"player {stone.player}", colour=stone.colour, cue=stone.shape)
                  for stone in deck.stones))


def _placed(cards: Iterable[Card]) -> Iterator[tuple[Card, int, int]]:
    """Each card, which of its country's cards it is (from 1), and how many before it show the same scene: same country
    and route, symbols alike in the same way."""
    of_country: Counter[str] = Counter()
    seen: Counter[tuple[str, str | None, int, int]] = Counter()
    for card in cards:
        scene = card.country.id, card.route, len(card.symbols), len(set(card.symbols))
        of_country[card.country.id] += 1
        yield card, of_country[card.country.id], seen[scene]
        seen[scene] += 1


def _country_card(card: Card, nth: int, twin: int, texts: Texts, back: FaceRequest) -> Component:
    country, name = card.country, f"countries.{card.country.id}"
    values = {"card": {"id": card.id, "country": country.id, "number": country.number, "nth": nth, "code": country.code,
                       "colour": country.colour, "arms": country.arms, "symbols": card.symbols,
                       "route": card.route, "twin": twin, "name": texts(name)}}
    return Component(id=card.id, title=texts(name), back=back, colour=country.colour,
                     front=FaceRequest(template=f"{FOLDER}/country-card.svg.j2", size=back.size, values=values,
                                       words={"card": {"name": name}}, key=card.id))


def _law_tablet(law: Law, texts: Texts, back: FaceRequest) -> Component:
    words = {entry: f"laws.{law.id}.{entry}" for entry in ("name", "text")}
    values = {"law": {"id": law.id, **{entry: texts(key) for entry, key in words.items()}}}
    return Component(id=law.component, title=texts(words["name"]), family=texts("parts.tablets"),
                     copies=law.copies, back=back,
                     front=FaceRequest(template=f"{FOLDER}/law-tablet.svg.j2", size=back.size, values=values,
                                       words={"law": words}, key=law.id))


def _claim_stone(stone: Stone, size: Size, texts: Texts) -> Component:
    face = FaceRequest(template=f"{FOLDER}/claim-stone.svg.j2", size=size, key=stone.component,
                       shape=shape_of(stone), values={"stone": {"player": stone.player, "colour": stone.colour}})
    return Component(id=stone.component, title=texts("pieces.stone", n=stone.player), copies=stone.copies,
                     colour=stone.colour, front=face, back=face)


def _tablet_size(deck: Deck, card: Size) -> Size:
    """A share of the card's size, to the tenth of a millimetre."""
    return Size(round(card.width * deck.tablet_width, 1), round(card.height * deck.tablet_height, 1))


def _stone_size(deck: Deck, card: Size) -> Size:
    """As the data say, but never wider than two thirds of a card, so that the strip stays in sight."""
    side = round(min(parse_length(deck.stone_size), card.width * 2 / 3), 1)
    return Size(side, side)
