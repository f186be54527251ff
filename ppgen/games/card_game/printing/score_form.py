"""Turns the deck, the score sheet's layout and the words of a language into a form that adds itself up.

The scoring itself is ``scoring/score.js``; ``score_form.js`` has it speak to fields. Both are plain ECMAScript 5.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from pathlib import Path

from ppgen.engine.forms.fields import Form, FormField
from ppgen.games.card_game.deck.model import Deck
from ppgen.games.card_game.scoring.plan import plan_of
from ppgen.games.card_game.scoring.points import COUNTRY_POINTS
from ppgen.games.card_game.scoring.twin import rules_json, source
from ppgen.games.sheet_form import (
    POINTS_SIZE,
    TOTAL_SIZE,
    Box,
    field_script,
    in_tab_order,
    locked,
    sum_of,
    typed_fields,
    word_fields,
)
from ppgen.play.sheet import Cell
from ppgen.reading.texts import Texts


def score_form(deck: Deck, boxes: Mapping[str, Box], unit: float, texts: Texts) -> Form:
    """The form on a score sheet.

    Tab follows the hand over the table, as the rules score: the heads, then country by country from player to player,
    then the rows below, date and place. Computed points come last, for viewers that don't compute.
    """
    plan = plan_of(deck)

    def tooltip(cell: Cell) -> str:
        country = {"country": texts(f"countries.{cell.row}")} if cell.column else {}
        return texts(f"form.{cell.column or cell.row}", player=texts("form.player", n=cell.seat), **country)

    points = [FormField(name=cell.field, rect=boxes[cell.field].inner, tooltip=tooltip(cell),
                        calculate=f"event.value = {calculate};",
                        font_size=(TOTAL_SIZE if cell.row == "total" else POINTS_SIZE) * unit)
              for seat in plan.seats for cell, calculate in _points(deck, seat)]
    computed = tuple(field.name for field in points)
    rules = f"var scoreRules = {json.dumps(rules_json(deck.countries))};\n"
    own = (Path(__file__).parent / "score_form.js").read_text(encoding="ascii")
    return Form(fields=(*typed_fields(plan, boxes, tooltip), *word_fields(boxes, unit, texts),
                        *in_tab_order(points)),
                script=source() + rules + field_script(plan) + own + locked(computed), calculated=computed)


def _points(deck: Deck, seat: int) -> Iterator[tuple[Cell, str]]:
    """What a player scores, each from what stands before it, and the script that computes it."""
    countries, symbols = COUNTRY_POINTS
    for country in deck.countries:
        yield Cell(seat, country.id, countries), f'scoreCountry({seat}, "{country.id}")'
        yield Cell(seat, country.id, symbols), f'scoreSymbols({seat}, "{country.id}")'
    subtotals = Cell(seat, "country_subtotal"), Cell(seat, "symbol_subtotal")
    carry, chains, law = Cell(seat, "carry"), Cell(seat, "chain_points"), Cell(seat, "law_points")
    for subtotal, of in zip(subtotals, COUNTRY_POINTS, strict=True):
        yield subtotal, f'scoreSubtotal({seat}, "{of}")'
    yield carry, sum_of(subtotals)
    yield chains, f"scoreChains({seat})"
    yield law, f"scoreLaw({seat})"
    yield Cell(seat, "total"), sum_of((carry, chains, law))
