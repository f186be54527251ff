"""Turns the board, the boxes of its score sheet and the words of a language into a form that adds itself up.

The scoring itself is ``scoring/score.js``; ``score_form.js`` has it speak to fields. Both are plain ECMAScript 5.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import replace
from pathlib import Path

from ppgen.engine.forms.fields import Form, FormField
from ppgen.games.board_game.board.model import Board
from ppgen.games.board_game.scoring.plan import INTERIM, INTERIM_POINTS, POINTS, SUMS, plan_of
from ppgen.games.board_game.scoring.twin import rules_json, source
from ppgen.games.sheet_form import (
    POINTS_SIZE,
    TOTAL_SIZE,
    Box,
    field_script,
    in_tab_order,
    locked,
    typed_fields,
    word_fields,
)
from ppgen.play.sheet import LONGEST, Cell
from ppgen.reading.texts import Texts


def score_form(board: Board, boxes: Mapping[str, Box], unit: float, texts: Texts) -> Form:
    """The form on a score sheet.

    Tab follows the hand over the sheet: the names, then country by country the letters, then the points at the interim
    scoring, which add themselves up where the letters of that scoring were noted. Computed points come last, for
    viewers that don't compute.
    """
    plan = plan_of(board)

    def tooltip(cell: Cell) -> str:
        kind = "box" if cell.row.startswith("box") else cell.column or cell.row
        words = {"player": texts("form.player", n=cell.seat), "box": cell.row.removeprefix("box"), "space": cell.column}
        if cell.column:
            words["country"] = texts(f"countries.{cell.row}")
        return texts(f"form.{'space' if cell.column in board.space else kind}", **words)

    def points(cell: Cell) -> FormField:
        return FormField(name=cell.field, rect=boxes[cell.field].inner, tooltip=tooltip(cell),
                         calculate=f"scorePut({json.dumps(cell.field)});",
                         font_size=(TOTAL_SIZE if cell.row == "total" else POINTS_SIZE) * unit)

    early = [FormField(name=cell.field, rect=boxes[cell.field].inner, tooltip=tooltip(cell), max_length=LONGEST)
             for cell in (Cell(0, country, INTERIM) for country in board.labels)]
    before = {Cell(seat, "before").field for seat in plan.seats}
    typed = [replace(field, calculate=f"scorePut({json.dumps(field.name)});") if field.name in before else field
             for field in in_tab_order((*typed_fields(plan, boxes, tooltip), *early))]
    computed = in_tab_order(points(cell) for seat in plan.seats for cell in _points(board, seat))
    own = (Path(__file__).parent / "score_form.js").read_text(encoding="ascii")
    rules = f"var scoreRules = {json.dumps(rules_json(board))};\n"
    return Form(fields=(*typed, *word_fields(boxes, unit, texts), *computed),
                script=field_script(plan) + source() + rules + own + locked(field.name for field in computed),
                calculated=(*sorted(before), *(field.name for field in computed)))


def _points(board: Board, seat: int) -> Iterator[Cell]:
    """What a player scores."""
    for country in board.labels:
        yield Cell(seat, country, INTERIM_POINTS)
        yield Cell(seat, country, POINTS)
    for alliance in board.alliances:
        yield Cell(seat, f"box{alliance.box}")
    for row in SUMS:
        if row != "before":
            yield Cell(seat, row)
