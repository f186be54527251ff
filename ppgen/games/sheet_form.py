"""Score sheet of any game: its boxes, its part, and the fields of its form with their scripts.

Scripts are plain ECMAScript 5 and use only the objects that all viewers with scripts have (``getField``, ``event``), as
the JavaScript for Acrobat reference describes them; in a viewer without scripts each field is typed by hand.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from ppgen import play
from ppgen.engine.component import Component, FieldForm, FormField, Pad, Part
from ppgen.engine.drawing.face import FaceRequest
from ppgen.engine.geometry import Rect, Size
from ppgen.games.interface import SCORE_SHEET
from ppgen.play.rule_file import Rules, ScoreLine
from ppgen.play.sheet_plan import FACTS, LONGEST, LONGEST_NAME, NAME_ROW, SheetCell, SheetPlan, Takes, read_script
from ppgen.reading.texts import Texts
from ppgen.records import dataclass, replace

FRAME = 0.3  # distance of the tables from the edge of their room, in mm, so that their frames are printed whole
A4_ROOM, LARGE_ROOM = Size(194, 270), Size(281, 183)  # on A4, which units are millimetres of; in large print
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


@dataclass(frozen=True, slots=True, kw_only=True)
class SheetLayout:
    """The frame of a page of a score sheet, in mm from the top left corner of its room.

    ``boxes`` has the box of each field of the page by name (``p1.name``, ``p1.france.cards``, ``date`` …).
    """

    unit: float  # a millimetre on A4, scaled to the room
    large: bool = False  # print
    title: Rect
    columns: tuple[Rect, ...]  # of the players
    boxes: Mapping[str, SheetBox]
    areas: Mapping[str, Any]  # what else the template of the game draws


def unit_of(room: Size, large: bool = False) -> float:
    """Return the length of a millimetre on A4 in a room."""
    page = LARGE_ROOM if large else A4_ROOM
    return min(room.width / page.width, room.height / page.height)


def columns_of(rect: Rect, count: int) -> tuple[Rect, ...]:
    """Divide a rectangle into equal columns."""
    width = rect.width / count
    return tuple(Rect(rect.x + n * width, rect.y, width, rect.height) for n in range(count))


def rows_of(rect: Rect, count: int) -> tuple[Rect, ...]:
    """Divide a rectangle into equal rows."""
    height = rect.height / count
    return tuple(Rect(rect.x, rect.y + n * height, rect.width, height) for n in range(count))


def inset(rect: Rect, x: float, y: float, right: float | None = None) -> Rect:
    """Shrink a rectangle on both sides, or at the left by ``x`` and at the ``right``."""
    return Rect(rect.x + x, rect.y + y, rect.width - x - (x if right is None else right), rect.height - 2 * y)


def fact_boxes(band: Rect, gap: float, label: float, air: float = 0.0) -> dict[str, SheetBox]:
    """Make the lines for date and place, below the tables: Firefox accepts a count only if the focus moves on."""
    width = (band.width - gap) / 2
    lines = [Rect(band.x + n * (width + gap), band.y, width, band.height) for n in range(len(FACTS))]
    return {key: SheetBox(kind="line", rect=line, inner=inset(line, label, air, 0))
            for key, line in zip(FACTS, lines, strict=True)}


def sheet_part(title: str, template: str, layouts: Sequence[SheetLayout], values: Mapping[str, object], pad: Pad,
               make_form: Callable[[], FieldForm]) -> Part:
    """Make the part of pages with these layouts: single ones with a form, or pads of them for paper."""
    copies = pad.sheets * pad.abreast
    forms: list[FieldForm | None] = [None] * len(layouts)
    if copies == 1:  # scripts and order of calculation are with the first page
        form = make_form()
        pages = [tuple(field for field in form.fields if field.name in layout.boxes) for layout in layouts]
        forms = [replace(form, fields=pages[0]), *(FieldForm(fields=fields) for fields in pages[1:])]
    components = tuple(
        Component(id=f"{SCORE_SHEET}-{number}" if number > 1 else SCORE_SHEET, copies=copies, form=form,
                  front=FaceRequest(template=template, size=pad.room, worded=True,
                                    values={**values, "layout": layout, "address": pad.home}))
        for number, (layout, form) in enumerate(zip(layouts, forms, strict=True), 1))
    return Part(name=SCORE_SHEET, title=title, layout=pad.layout, components=components)


def sheet_form(plan: SheetPlan, layouts: Sequence[SheetLayout], texts: Texts, tooltip: Callable[[SheetCell], str],
               computed: Mapping[SheetCell, str], script: str, letters: Iterable[SheetCell] = ()) -> FieldForm:
    """Make the form of all pages, in tab order: what is written, date and place, then the ``computed`` cells.

    Each of these has its script and is computed from earlier ones. ``letters`` are cells beside those of the plan.
    """
    boxes = {name: box for layout in layouts for name, box in layout.boxes.items()}
    unit = max(layouts[0].unit, LARGE_TYPE_MM / WORDS_SIZE) if layouts[0].large else layouts[0].unit
    takes = {(row.key, column.key): column.takes for row in plan.rows for column in row.columns}
    typed = sort_by_tab_order(
        FormField(name=cell.field, rect=boxes[cell.field].inner, tooltip=tooltip(cell), max_length=_MAX_LENGTHS[kind],
                  keystroke=_KEYSTROKES.get(kind, ""), format=_FORMAT if kind in _KEYSTROKES else "")
        for cell in (*plan.cells(), *letters) if cell.field in boxes
        for kind in [takes.get((cell.row, cell.column), Takes.NAME if cell.row == NAME_ROW else Takes.LETTERS)])
    facts = (FormField(name=key, rect=boxes[key].inner, tooltip=texts(f"scoring.{key}"), align="left",
                       font_size=WORDS_SIZE * unit, max_length=LONGEST_NAME) for key in FACTS)
    points = sort_by_tab_order(
        FormField(name=cell.field, rect=box.inner, tooltip=tooltip(cell), calculate=calculate, format=_FORMAT,
                  font_size=(TOTAL_SIZE if box.kind == "total" else POINTS_SIZE) * unit)
        for cell, calculate in computed.items() for box in [boxes[cell.field]])
    names = tuple(cell.field for cell in computed)
    lock = f"scoreLock({json.dumps(names)});\n"  # takes them out of the tab order
    return FieldForm(fields=(*typed, *facts, *points), script=script + lock, calculated=names)


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
    data = {"lines": [line.data("label", "row", "group", "key") for line in rules.lines],
            "fields": [*map(points_field, rules.lines)], "zeros": zeros}
    return (read_script("counts") + read_script("score_lines") + f"var scoreRules = {json.dumps(data)};\n"
            + field_script(plan) + read_script("score_fields"))


def read_scripts(game: Path, common: Sequence[str], own: Sequence[str] = ()) -> tuple[str, ...]:
    """Read scripts of the scorer page: those of all games, and those in the folder of a game."""
    return tuple((folder / f"{name}.js").read_text(encoding="utf-8")
                 for folder, names in ((Path(play.__file__).parent, common), (game, own)) for name in names)


def sum_script(cells: Iterable[SheetCell]) -> str:
    """Make the script of a field that is the sum of others."""
    return f"event.value = scoreSum({json.dumps([cell.field for cell in cells])});"
