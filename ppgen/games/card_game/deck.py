"""The deck: countries, cards, law tablets and claim stones as values, and as plain records."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from typing import Literal

from ppgen.play.rule_file import Rules

Route = Literal["ship", "carriage"]  # a route by sea or by land; a card shows one or none
ROUTES: tuple[Route, ...] = ("ship", "carriage")

LAWS = ("take_back_stone", "three_symbols", "mixed_countries", "minus_two")  # the four kinds of law tablet in the rules

MIN_PLAYERS, MAX_PLAYERS = 3, 5
STONES_EACH = 3  # claim stones of a player (German rules, section 'Spielvorbereitung')
DISPLAY_ROWS, DISPLAY_COLUMNS = 4, 14  # layout of the country cards (German rules, section 'Spielvorbereitung')
TABLET_PLACES = 8  # cards of the display with a law tablet (the figure in the same section)
MAX_SYMBOLS = 2  # circle symbols that a turn may take without a law (German rules, section 'Karten nehmen')
SCORE_LINES = ("country_subtotal", "symbol_subtotal", "carry", "ships", "carriages", "chains", "minus_two")
"""Lines of ``score.toml`` beside those of the countries."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Country:
    """A country."""

    id: str
    number: int  # of its cards
    code: str  # two letters, the same in every language
    colour: str  # `#RRGGBB`
    arms: str  # names the drawn coat of arms
    line: int = 0  # of `number` in `countries.toml`


@dataclass(frozen=True, slots=True, kw_only=True)
class Card:
    """A country card: the kinds of its circle symbols (repeated kinds are listed again), its route, and its line in
    ``cards.csv``."""

    id: str
    country: Country
    symbols: tuple[str, ...] = ()
    route: Route | None = None
    line: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Law:
    """A kind of law tablet, one of :data:`LAWS`."""

    id: str
    copies: int

    @property
    def component(self) -> str:
        """The id of the printed tablet: ``law-minus-two``."""
        return f"law-{self.id.replace('_', '-')}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Stone:
    """The claim stones of a player (1 to 5): colour ``#RRGGBB``, the name of the outline, and the line of ``copies`` in
    ``stones.toml``."""

    player: int
    colour: str
    shape: str
    copies: int
    line: int = 0

    @property
    def component(self) -> str:
        """The id of the printed stone: ``claim-stone-1``."""
        return f"claim-stone-{self.player}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Deck:
    """Everything in the box except paper."""

    countries: tuple[Country, ...]  # in scoring order
    symbols: tuple[str, ...]
    cards: tuple[Card, ...]  # in the order of the file
    laws: tuple[Law, ...]
    tablet_width: float  # share of the card's size
    tablet_height: float  # likewise
    stones: tuple[Stone, ...]
    stone_size: str  # diameter as written in `stones.toml`, with its unit: `22mm`
    rules: Rules  # of scoring

    def copies_of(self, law: str) -> int:
        """The number of tablets with a law."""
        return sum(each.copies for each in self.laws if each.id == law)

    def cards_of(self, country: Country) -> tuple[Card, ...]:
        return tuple(card for card in self.cards if card.country == country)


def count_symbols(cards: Iterable[Card]) -> Counter[str]:
    """Count the circle symbols of each kind."""
    return Counter(kind for card in cards for kind in card.symbols)


def may_follow(card: Card, taken: Sequence[Card], laws: Collection[str] = ()) -> bool:
    """Check that a turn that has ``taken`` cards, and played these laws, may go on with another card.

    The symbol that reaches the limit ends the taking: not even a card without symbols follows (examples of the German
    and Japanese rules, section 'Karten nehmen').
    """
    limit = MAX_SYMBOLS + ("three_symbols" in laws)
    symbols = count_symbols(taken).total()
    is_country_allowed = not taken or card.country.id == taken[0].country.id or "mixed_countries" in laws
    return is_country_allowed and symbols < limit and symbols + len(card.symbols) <= limit


def count_routes(cards: Iterable[Card]) -> Counter[str]:
    """Count the ships and carriages."""
    return Counter(card.route for card in cards if card.route)


def describe_deck(deck: Deck) -> list[dict[str, object]]:
    """List a record for each component for ``ppgen list``: cards, law tablets, claim stones."""
    cards: list[dict[str, object]] = [
        {"id": card.id, "kind": "country-card", "country": card.country.id, "number": card.country.number,
         "symbols": dict(count_symbols([card])), "route": card.route, "copies": 1} for card in deck.cards]
    return [
        *cards,
        *({"id": law.component, "kind": "law-tablet", "law": law.id, "copies": law.copies} for law in deck.laws),
        *({"id": stone.component, "kind": "claim-stone", "player": stone.player, "copies": stone.copies}
          for stone in deck.stones)]
