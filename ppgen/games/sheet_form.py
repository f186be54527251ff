"""Turns the boxes of a score sheet, of whichever game, into what may be typed into them.

Scripts are plain ECMAScript 5 on the few objects that every viewer with scripts has (``getField``, ``event``), as the
JavaScript for Acrobat reference describes them; in a viewer without scripts each field is typed by hand.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass

from ppgen.engine.forms.fields import FormField
from ppgen.engine.geometry import Rect
from ppgen.play.scripts import source
from ppgen.play.sheet import LONGEST, LONGEST_NAME, Cell, SheetPlan, Takes
from ppgen.reading.texts import Texts

POINTS_SIZE, TOTAL_SIZE, WORDS_SIZE = 4.9, 6.0, 4.2
"""Type sizes in millimetres on A4."""
_LONGEST = {Takes.NAME: LONGEST_NAME, Takes.COUNT: LONGEST, Takes.LETTER: 1, Takes.LETTERS: LONGEST}
_KEYSTROKES = {Takes.COUNT: "scoreKeystroke();"}


@dataclass(frozen=True, slots=True, kw_only=True)
class Box:
    """A box to write in, in millimetres: ``kind`` is how it is drawn, ``rect`` its share of the table, ``inner`` where
    the writing goes."""

    kind: str
    rect: Rect
    inner: Rect


def typed_fields(plan: SheetPlan, boxes: Mapping[str, Box], tooltip: Callable[[Cell], str]) -> list[FormField]:
    """The fields of all cells of the plan, in the order of the Tab key."""
    takes = {(row.key, column.key): column.takes for row in plan.rows for column in row.columns}
    return in_tab_order(
        FormField(name=cell.field, rect=boxes[cell.field].inner, tooltip=tooltip(cell), max_length=_LONGEST[kind],
                  keystroke=_KEYSTROKES.get(kind, ""))
        for cell in plan.cells() for kind in [takes.get((cell.row, cell.column), Takes.NAME)])


def word_fields(boxes: Mapping[str, Box], unit: float, texts: Texts) -> list[FormField]:
    """The lines for date and place."""
    return [FormField(name=key, rect=boxes[key].inner, tooltip=texts(f"score.{key}"), align="left",
                      font_size=WORDS_SIZE * unit, max_length=LONGEST_NAME) for key in ("date", "place")]


def in_tab_order(fields: Iterable[FormField]) -> list[FormField]:
    """Row by row, from left to right: as the hand goes over the table, and as pdf.js always has it."""
    return sorted(fields, key=lambda field: (round(field.rect.y, 3), field.rect.x))


def field_script(plan: SheetPlan) -> str:
    """The part of a form's script that speaks to fields: what the fields of counts call, and the sums below them. The
    script ``counts`` stands before it."""
    cells = [Cell(0, row.key, column.key).field for row in plan.rows if not row.shared
             for column in row.columns if column.takes is Takes.COUNT]
    return f"var scorePlayers = {plan.most};\nvar scoreCells = {json.dumps(cells)};\n{source('fields')}"


def locked(computed: Iterable[str]) -> str:
    """The script that keeps the Tab key from fields that compute themselves."""
    return f"scoreLock({json.dumps(tuple(computed))});\n"


def sum_of(cells: Iterable[Cell]) -> str:
    """The script of a field that is the sum of others."""
    return f"scoreSum({json.dumps([cell.field for cell in cells])})"
