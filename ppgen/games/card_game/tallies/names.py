"""What people call a country, a kind of symbol or a row of the sheet."""

from __future__ import annotations

from pathlib import Path

from ppgen.games.card_game.deck.model import Deck
from ppgen.games.card_game.scoring.points import COLUMNS, SINGLE_COUNTS
from ppgen.play import names
from ppgen.play.names import Sort, fold

ROWS = (*SINGLE_COUNTS, "date", "place")
"""The rows of the sheet beside the countries, by the keys of a tally."""


class Names(names.Names):
    """What the things on the score sheet are called."""

    def __init__(self, deck: Deck, locales: Path, lang: str = "en", common: Path | None = None) -> None:
        codes = {fold(country.code): country.id for country in deck.countries}
        super().__init__({
            "countries": Sort(tuple(country.id for country in deck.countries), "countries", codes),
            "symbols": Sort(deck.symbols, "kinds"), "rows": Sort(ROWS, "tally"), "columns": Sort(COLUMNS, "tally"),
        }, locales, lang, common)

    def country(self, text: str) -> str | None:
        return self.find("countries", text)

    def row(self, text: str) -> str | None:
        """The key of a country, or of one of the :data:`ROWS`."""
        return self.find("rows", text) or self.country(text)
