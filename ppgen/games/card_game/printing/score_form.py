"""Turns the deck, the score sheet's layout and the words of a language into a form that adds itself up.

The scoring itself is ``scoring/score.js``; ``score_form.js`` lets it speak to fields. Both are plain ECMAScript 5,
the latter on the few objects that every viewer with scripts has (``getField``, ``event``), as the JavaScript for
Acrobat reference describes them; in a viewer without scripts each field is typed by hand.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

from ppgen.engine.forms.fields import Form, FormField
from ppgen.games.card_game.deck.model import MAX_PLAYERS, Deck
from ppgen.games.card_game.printing.score_sheet import ScoreSheetLayout
from ppgen.games.card_game.scoring.twin import rules_json, source
from ppgen.reading.texts import Texts

LONGEST_SUM, LONGEST_NAME = 24, 60
"""So many characters fit into a count and into a name."""
POINTS_SIZE, TOTAL_SIZE, WORDS_SIZE = 4.9, 6.0, 4.2
"""Type sizes in millimetres on A4."""

KEYSTROKE = "scoreKeystroke();"


def score_form(deck: Deck, layout: ScoreSheetLayout, texts: Texts) -> Form:
    """The form on a score sheet.

    Tab follows the hand over the table, as the rules score and as pdf.js always has it: the heads, then
    country by country from player to player, then the rows below, date and place. Computed points come
    last, for viewers that don't compute.
    """
    words = [FormField(name=key, rect=layout.boxes[key].inner, tooltip=texts(f"score.{key}"), align="left",
                       font_size=WORDS_SIZE * layout.unit, max_length=LONGEST_NAME) for key in ("date", "place")]
    players = range(1, MAX_PLAYERS + 1)
    counts = [field for player in players for field in _counts(deck, layout, texts, player)]
    points = [field for player in players for field in _points(deck, layout, texts, player)]
    computed = tuple(field.name for field in points)
    return Form(fields=(*sorted(counts, key=_by_row), *words, *sorted(points, key=_by_row)),
                script=f"{script(deck)}scoreLock({json.dumps(computed)});\n", calculated=computed)


def _by_row(field: FormField) -> tuple[float, float]:
    return round(field.rect.y, 3), field.rect.x


def script(deck: Deck) -> str:
    """The script that the fields' scripts call: the scoring, this deck's numbers, then ``score_form.js``."""
    numbers = f"var scoreRules = {json.dumps(rules_json(deck.countries))};\nvar scorePlayers = {MAX_PLAYERS};\n"
    return source() + numbers + (Path(__file__).parent / "score_form.js").read_text(encoding="ascii")


def _counts(deck: Deck, layout: ScoreSheetLayout, texts: Texts, player: int) -> Iterator[FormField]:
    """What a player types: the name, and counts from the first country to the tablets."""
    who = texts("form.player", n=player)
    yield FormField(name=f"p{player}.name", rect=layout.boxes[f"{player}.name"].inner,
                    tooltip=texts("form.name", player=who), max_length=LONGEST_NAME)

    def count(key: str, tooltip: str) -> FormField:
        return FormField(name=f"p{player}.{key}", rect=layout.boxes[f"{player}.{key}.tally"].inner, tooltip=tooltip,
                         keystroke=KEYSTROKE, max_length=LONGEST_SUM)

    for country in deck.countries:
        for key in ("cards", "symbols"):
            yield count(f"{country.id}.{key}",
                        texts(f"form.{key}", player=who, country=texts(f"countries.{country.id}")))
    for key in ("ships", "carriages", "minus_two"):
        yield count(key, texts(f"form.{key}", player=who))


def _points(deck: Deck, layout: ScoreSheetLayout, texts: Texts, player: int) -> Iterator[FormField]:
    """What a player scores, each from what stands before it."""
    who, column = texts("form.player", n=player), f"p{player}."

    def points(key: str, box: str, calculate: str, size: float = POINTS_SIZE, country: str = "") -> FormField:
        word = key.rpartition(".")[2]
        values = {"country": texts(f"countries.{country}")} if country else {}
        return FormField(name=column + key, rect=layout.boxes[f"{player}.{box}"].inner,
                         tooltip=texts(f"form.{word}", player=who, **values),
                         calculate=f"event.value = {calculate};", font_size=size * layout.unit)

    for country in deck.countries:
        for key, box, function in (("country_points", "cards", "scoreCountry"),
                                   ("symbol_points", "symbols", "scoreSymbols")):
            yield points(f"{country.id}.{key}", f"{country.id}.{box}.points",
                         f'{function}({player}, "{country.id}")', country=country.id)
    for key, box, of in (("country_subtotal", "cards", "country_points"),
                         ("symbol_subtotal", "symbols", "symbol_points")):
        yield points(key, f"subtotal.{box}", f'scoreSubtotal({player}, "{of}")')
    yield points("carry", "carry", _sum_of(column, "country_subtotal", "symbol_subtotal"))
    yield points("chain_points", "chains", f"scoreChains({player})")
    yield points("law_points", "law", f"scoreLaw({player})")
    yield points("total", "total", _sum_of(column, "carry", "chain_points", "law_points"), size=TOTAL_SIZE)


def _sum_of(column: str, *keys: str) -> str:
    return f"scoreSum({json.dumps([column + key for key in keys])})"
