"""The card game on the scorer page: its data, its signs, and the scripts of its scoring."""

from __future__ import annotations

from pathlib import Path

from ppgen import play
from ppgen.engine.colours import legible_ink
from ppgen.engine.drawing.face import FaceRequest
from ppgen.engine.geometry import Size
from ppgen.games.card_game import FOLDER, NAME, scoring, tallies
from ppgen.games.card_game.deck import Country, Deck
from ppgen.games.card_game.tallies import TallyNames
from ppgen.games.interface import ScorerGame
from ppgen.play.sheet_plan import Json
from ppgen.reading.texts import FALLBACK, languages

ROUTE_ROWS = {"ships": "ship", "carriages": "carriage"}
SCRIPTS = ((play, "score_lines.js"), (play, "checking.js"), (scoring, "score.js"), (tallies, "judge.js"))
SQUARE, SHIELD = Size(100, 100), Size(100, 120)


def scorer_game(deck: Deck, folder: Path, common: Path) -> ScorerGame:
    """Make the card game for the scorer page from its deck, its data folder and the common locale files."""
    scripts = [(Path(str(home.__file__)).parent / name).read_text(encoding="utf-8") for home, name in SCRIPTS]
    lang = next(iter(languages(folder / "locales")), FALLBACK)  # all have the same keys
    names = TallyNames(deck, folder / "locales", lang, common)
    return ScorerGame(start="cardGamePage", scripts=tuple(scripts), signs=dict(_signs(deck)),
                      data={"name": NAME, "rules": deck.rules.scored_data(), "deck": deck_json(deck, names)})


def deck_json(deck: Deck, names: TallyNames) -> Json:
    """The ``deck`` of ``judge.js``, with the fields of its countries that the page shows."""
    return {"countries": [_country(deck, country) for country in deck.countries], "kinds": list(deck.symbols),
            "minus_two": deck.copies_of("minus_two"),
            "words": {"countries": names.spelled("countries"), "kinds": names.spelled("symbols")}}


def _country(deck: Deck, country: Country) -> Json:
    return {"id": country.id, "number": country.number, "code": country.code, "colour": country.colour,
            "on": legible_ink(country.colour),
            "cards": [{"id": card.id, "symbols": list(card.symbols), **({"route": card.route} if card.route else {})}
                      for card in deck.cards_of(country)]}


def _signs(deck: Deck) -> list[tuple[str, FaceRequest]]:
    """The drawings by their names in the page's scripts: arms, players' stones, rows of the sheet, a badge."""
    return [
        *((f"arms-{country.id}", _sign(country.arms, "arms", SHIELD)) for country in deck.countries),
        *((f"seat-{stone.player}", _sign("", "stone", SQUARE, player=stone.player, colour=stone.colour,
                                         shape=stone.shape)) for stone in deck.stones),
        *((f"row-{row}", _sign(route, "route", SQUARE)) for row, route in ROUTE_ROWS.items()),
        ("row-minus_two", _sign("minus_two", "law", SHIELD)), ("badge", _sign(deck.symbols[0], "badge", SQUARE))]


def _sign(sign: str, of: str, size: Size, **stone: object) -> FaceRequest:
    return FaceRequest(template=f"{FOLDER}/page-sign.svg.j2", size=size, key=f"{of} {sign or stone.get('player')}",
                       values={"sign": sign, "of": of, "stone": stone})
