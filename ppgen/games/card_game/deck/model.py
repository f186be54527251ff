"""The deck as values: countries, cards, law tablets and claim stones, as the data files tell them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal

Route = Literal["ship", "carriage"]
"""A way by sea or by land; a card shows one or none."""
ROUTES: tuple[Route, ...] = ("ship", "carriage")

LAWS = ("take_back_stone", "three_symbols", "mixed_countries", "minus_two")
"""The four kinds of law tablet that the rules know."""
MINUS_TWO_POINTS = -2
"""What a ``minus_two`` tablet counts at the end."""

MIN_PLAYERS, MAX_PLAYERS = 3, 5
STONES_EACH = 3
"""Claim stones of a player (German rules, section 'Spielvorbereitung')."""
DISPLAY_ROWS, DISPLAY_COLUMNS = 4, 14
"""How the country cards are laid out (German rules, section 'Spielvorbereitung')."""
TABLET_PLACES = 8
"""Cards of the display that carry a law tablet (the figure in the same section)."""
MAX_SYMBOLS = 2
"""The most circle symbols that a turn takes without a law (German rules, section 'Karten nehmen')."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Country:
    """A country; ``number`` tells how many of its cards exist.

    ``code`` is two letters that stand in every language, ``colour`` is ``#RRGGBB``, ``arms`` names the
    drawn coat of arms, ``line`` is where ``number`` stands in ``countries.toml``.
    """

    id: str
    number: int
    code: str
    colour: str
    arms: str
    line: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Card:
    """A country card: the kinds of its circle symbols (a kind shown twice stands twice) and its route.

    ``line`` is its line in ``cards.csv``.
    """

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
    """The claim stones of one player (1 to 5): colour ``#RRGGBB`` and the name of the outline.

    ``line`` is where ``copies`` stands in ``stones.toml``.
    """

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
    """Everything in the box but the paper: countries in scoring order, cards in the file's order.

    ``tablet_width`` and ``tablet_height`` are shares of the card's size; ``stone_size`` is the
    diameter of a stone as written in ``stones.toml``, in millimetres with their unit (``22mm``).
    """

    countries: tuple[Country, ...]
    symbols: tuple[str, ...]
    cards: tuple[Card, ...]
    laws: tuple[Law, ...]
    tablet_width: float
    tablet_height: float
    stones: tuple[Stone, ...]
    stone_size: str

    def cards_of(self, country: Country) -> tuple[Card, ...]:
        return tuple(card for card in self.cards if card.country == country)


def count_symbols(cards: Iterable[Card]) -> Counter[str]:
    """How often each kind of circle symbol is shown."""
    return Counter(kind for card in cards for kind in card.symbols)


def count_routes(cards: Iterable[Card]) -> Counter[str]:
    """How many ships and carriages are shown."""
    return Counter(card.route for card in cards if card.route)
