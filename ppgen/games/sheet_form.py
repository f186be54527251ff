"""Score sheet of any game: its boxes, its part, and the fields of its form with their scripts.

Scripts are plain ECMAScript 5 and use only the objects that all viewers with scripts have (``getField``, ``event``), as
the JavaScript for Acrobat reference describes them; in a viewer without scripts each field is typed by hand.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping, Sequence

from ppgen.engine.component import Component, FieldForm, FormField, Pad, Part
from ppgen.engine.drawing.face import FaceRequest
from ppgen.engine.geometry import Rect
from ppgen.games.interface import SCORE_SHEET
from ppgen.play.rule_file import Rules, ScoreLine
from ppgen.play.sheet_plan import FACTS, LONGEST, LONGEST_NAME, SheetCell, SheetPlan, Takes, read_script
from ppgen.reading.texts import Texts
from ppgen.records import dataclass

FRAME = 0.3  # distance of the tables from the edge of their room, in mm, so that their frames are printed whole
POINTS_SIZE, TOTAL_SIZE, WORDS_SIZE = 4.9, 6.0, 4.2  # type sizes in millimetres on A4
LARGE_TYPE_MM = 4.95  # least type size in large print: 14 pt
_MAX_LENGTHS = {Takes.NAME: LONGEST_NAME, Takes.COUNT: LONGEST, Takes.POINTS: LONGEST, Takes.LETTER: 1,
                Takes.LETTERS: LONGEST}
_KEYSTROKES = {Takes.COUNT: "scoreKeystroke();", Takes.POINTS: "scoreKeystroke(true);"}
_FORMAT = "scoreFormat();"


@dataclass(frozen=True, slots=True, kw_only=True)
class SheetBox:
    """A box to write in, in millimetres: ``kind`` is its style, ``rect`` its share of the table, ``inner`` the area for
    the entry."""

    kind: str
    rect: Rect
    inner: Rect


def inset(rect: Rect, x: float, y: float, right: float | None = None) -> Rect:
    """Shrink a rectangle on both sides, or at the left by ``x`` and at the ``right``."""
    return Rect(rect.x + x, rect.y + y, rect.width - x - (x if right is None else right), rect.height - 2 * y)


def fact_boxes(band: Rect, gap: float, label: float, air: float = 0.0) -> dict[str, SheetBox]:
    """Make the lines for date and place, below the tables: Firefox accepts a count only if the focus moves on."""
    width = (band.width - gap) / 2
    lines = [Rect(band.x + n * (width + gap), band.y, width, band.height) for n in range(len(FACTS))]
    return {key: SheetBox(kind="line", rect=line, inner=inset(line, label, air, 0))
            for key, line in zip(FACTS, lines, strict=True)}


def sheet_part(title: str, template: str, pages: Sequence[Mapping[str, object]], pad: Pad,
               forms: Callable[[], Sequence[FieldForm]]) -> Part:
    """Make the part of pages with these values: single ones with forms, or pads of them for paper."""
    copies = pad.sheets * pad.abreast
    components = tuple(
        Component(id=f"{SCORE_SHEET}-{number}" if number > 1 else SCORE_SHEET, copies=copies, form=form,
                  front=FaceRequest(template=template, size=pad.room, values={**values, "address": pad.home}))
        for number, (values, form) in enumerate(
            zip(pages, forms() if copies == 1 else [None] * len(pages), strict=True), 1))
    return Part(name=SCORE_SHEET, title=title, layout=pad.layout, components=components)


def type_unit(unit: float, large: bool) -> float:
    """Return the millimetre of type sizes: what is typed has 14 pt or more in large print."""
    return max(unit, LARGE_TYPE_MM / WORDS_SIZE) if large else unit


def number_fields(plan: SheetPlan, boxes: Mapping[str, SheetBox],
                  tooltip: Callable[[SheetCell], str]) -> list[FormField]:
    """Make the fields of all cells of the plan, in tab order."""
    takes = {(row.key, column.key): column.takes for row in plan.rows for column in row.columns}
    return sort_by_tab_order(
        FormField(name=cell.field, rect=boxes[cell.field].inner, tooltip=tooltip(cell), max_length=_MAX_LENGTHS[kind],
                  keystroke=_KEYSTROKES.get(kind, ""), format=_FORMAT if kind in _KEYSTROKES else "")
        for cell in plan.cells() if cell.field in boxes for kind in [takes.get((cell.row, cell.column), Takes.NAME)])


def points_field(cell: SheetCell, box: SheetBox, unit: float, tooltip: str, calculate: str) -> FormField:
    """Make the field of computed points."""
    return FormField(name=cell.field, rect=box.inner, tooltip=tooltip, calculate=calculate, format=_FORMAT,
                     font_size=(TOTAL_SIZE if box.kind == "total" else POINTS_SIZE) * unit)


def word_fields(boxes: Mapping[str, SheetBox], unit: float, texts: Texts) -> list[FormField]:
    """Make the fields for date and place."""
    return [FormField(name=key, rect=boxes[key].inner, tooltip=texts(f"scoring.{key}"), align="left",
                      font_size=WORDS_SIZE * unit, max_length=LONGEST_NAME) for key in FACTS]


def sort_by_tab_order(fields: Iterable[FormField]) -> list[FormField]:
    """Sort fields by rows, from left to right: the natural order for users, and the only one of pdf.js."""
    return sorted(fields, key=lambda field: (round(field.rect.y, 3), field.rect.x))


def field_script(plan: SheetPlan) -> str:
    """The part of the form's script that reads and writes fields; it needs the script ``counts`` before it."""
    cells = [SheetCell(0, row.key, column.key).field for row in plan.rows if not row.shared
             for column in row.columns if column.takes in _KEYSTROKES]
    return f"var scorePlayers = {plan.most};\nvar scoreCells = {json.dumps(cells)};\n{read_script('fields')}"


def rules_script(rules: Rules, plan: SheetPlan, points_field: Callable[[ScoreLine], str | None]) -> str:
    """Make the script of a sheet that follows ``score.toml``: ``scoreCell(seat, n)`` scores a line."""
    zeros = [n for n, line in enumerate(rules.lines) if line.table and line.table[0][0] == 0 and line.table[0][1]]
    data = {"lines": [{key: value for key, value in line.data().items() if key not in ("label", "row", "group", "key")}
                      for line in rules.lines], "fields": [*map(points_field, rules.lines)], "zeros": zeros}
    return (read_script("counts") + read_script("score_lines") + f"var scoreRules = {json.dumps(data)};\n"
            + field_script(plan) + read_script("score_fields"))


def lock_script(computed: Iterable[str]) -> str:
    """Make the script that takes computed fields out of the tab order."""
    return f"scoreLock({json.dumps(tuple(computed))});\n"


def sum_script(cells: Iterable[SheetCell]) -> str:
    """Make the script of a field that is the sum of others."""
    return f"scoreSum({json.dumps([cell.field for cell in cells])})"
