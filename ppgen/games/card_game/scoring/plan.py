"""Turns the deck into the plan of its score sheet: what is counted in which row, in the order of the rules."""

from __future__ import annotations

from ppgen.games.card_game.deck.model import MAX_PLAYERS, MIN_PLAYERS, Deck
from ppgen.games.card_game.scoring.points import COLUMNS, SINGLE_COUNTS
from ppgen.play.sheet import Column, Row, SheetPlan


def plan_of(deck: Deck) -> SheetPlan:
    """A row for each country, then ships, carriages and law tablets."""
    cards, symbols = COLUMNS
    columns = (Column(key=cards, ask="ask.cards_of"), Column(key=symbols, ask="ask.symbols_of", needs=cards))
    return SheetPlan(least=MIN_PLAYERS, most=MAX_PLAYERS, rows=(
        *(Row(key=country.id, label=f"countries.{country.id}", columns=columns, exist=country.number)
          for country in deck.countries),
        *(Row(key=key, label=f"tally.{key}", columns=(Column(ask=f"ask.{key}"),)) for key in SINGLE_COUNTS)))
