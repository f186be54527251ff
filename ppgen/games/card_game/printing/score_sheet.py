"""Turns the deck and a page's room into the geometry of the score sheet: where each box stands.

A column a player, and in it two pairs of boxes: a small one for what is counted (cards, symbols), a
large one for its points, as in the table that comes with the German rules.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from ppgen.engine.component import Component, Layout, Pad, Part, Way
from ppgen.engine.drawing.face import FaceRequest
from ppgen.engine.geometry import Rect, Size
from ppgen.games.card_game import FOLDER
from ppgen.games.card_game.deck.model import MAX_PLAYERS, Deck
from ppgen.games.card_game.printing.score_form import score_form
from ppgen.games.card_game.scoring.points import COLUMNS, COUNTRY_POINTS
from ppgen.games.game import SCORE_SHEET
from ppgen.games.sheet_form import Box
from ppgen.play.sheet import NAME, Cell
from ppgen.reading.texts import Texts

FRAME = 0.3
"""The table keeps this far from its room's edge, in mm, so that its frame is printed whole."""

@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    """A line of the table: its key, and the band it stands in (mm)."""

    key: str
    rect: Rect
    country: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class ScoreSheetLayout:
    """The score sheet in millimetres from the top left corner of its room.

    ``boxes`` has a box for each place to write, by the name of its field (``p1.name``, ``p1.france.cards`` …): a
    ``tally`` (small, light), ``points``, ``total`` or ``name``; of a tally, ``inner`` is the box that is drawn.
    ``date`` and ``place``, whose lower edge is a ``line`` to write on, stand below the table. ``unit`` is the
    millimetre of a sheet on A4: it grows with the room.
    """

    unit: float
    title: Rect
    head: Rect
    columns: tuple[Rect, ...]
    rows: tuple[Row, ...]
    boxes: Mapping[str, Box]
    table: Rect
    foot: Rect


def score_sheet_part(deck: Deck, texts: Texts, pad: Pad) -> Part:
    """The score sheet: one that can be filled in on the screen, or a pad for paper."""
    layout, copies = lay_out(deck, pad.room), pad.sheets * pad.abreast
    front = FaceRequest(template=f"{FOLDER}/score-sheet.svg.j2", size=pad.room,
                        values={"layout": layout, "countries": deck.countries})
    form = score_form(deck, layout.boxes, layout.unit, texts) if copies == 1 else None
    return Part(name=SCORE_SHEET, title=texts("parts.score-sheet"), layout=Layout(Way.PAGE, pad.abreast),
                components=(Component(id=SCORE_SHEET, front=front, copies=copies, form=form),))


def lay_out(deck: Deck, room: Size) -> ScoreSheetLayout:
    """Fill the room: title, table with rows of equal height, the lines for date and place, reminder."""
    title, lines, foot = room.height * 0.075, room.height * 0.028, room.height * 0.145
    label = room.width * 0.175
    column = (room.width - label - FRAME) / MAX_PLAYERS
    unit = min(room.width / 194, room.height / 270)
    keys = [*(country.id for country in deck.countries), "subtotal", "carry", "chains", "minus_two", "total"]
    head = room.height * 0.062
    table = Rect(FRAME, title, room.width - 2 * FRAME, room.height - title - lines - foot)
    height = (table.height - head) / len(keys)
    rows = tuple(Row(key=key, country=n < len(deck.countries),
                     rect=Rect(FRAME, title + head + n * height, table.width, height)) for n, key in enumerate(keys))
    columns = tuple(Rect(label + n * column, title, column, table.height) for n in range(MAX_PLAYERS))
    boxes = _lines_of(Rect(table.x, table.bottom, table.width, lines), unit)
    for number, place in enumerate(columns, 1):
        name = Rect(place.x, title, column, head * 0.62)
        boxes[Cell(number, NAME).field] = Box(kind="name", rect=name, inner=_inset(name, unit, unit))
        for row in rows:
            boxes |= {cell.field: box for cell, box in _boxes_of(row, number, place, unit)}
    return ScoreSheetLayout(
        unit=unit, title=Rect(0, 0, room.width, title), head=Rect(FRAME, title, table.width, head), columns=columns,
        rows=rows, boxes=boxes, table=table, foot=Rect(0, room.height - foot, room.width, foot))


def _lines_of(band: Rect, unit: float) -> dict[str, Box]:
    """The lines for date and place, each with its word at its beginning.

    They stand below the table: Firefox goes from field to field by place, and takes a count only when it is left for
    another field, so one has to follow the last count.
    """
    gap, word, height = 6 * unit, 14.5 * unit, 5.4 * unit
    width = (band.width - gap) / 2
    boxes: dict[str, Box] = {}
    for n, key in enumerate(("date", "place")):
        line = Rect(band.x + n * (width + gap), band.bottom - height, width, height)
        boxes[key] = Box(kind="line", rect=line, inner=Rect(line.x + word, line.y, width - word, height))
    return boxes


def _inset(rect: Rect, x: float, y: float) -> Rect:
    return Rect(rect.x + x, rect.y + y, rect.width - 2 * x, rect.height - 2 * y)


def _boxes_of(row: Row, seat: int, column: Rect, unit: float) -> list[tuple[Cell, Box]]:
    """The boxes of one player in one row."""
    half, tally = column.width / 2, column.width * 0.225
    y, height = row.rect.y, row.rect.height

    def box(kind: str, key: str, x: float, width: float, of: str = "") -> tuple[Cell, Box]:
        rect = Rect(column.x + x, y, width, height)
        if kind == "tally":
            inner = Rect(rect.x + 0.9 * unit, y + height * 0.25, width - 0.9 * unit, height * 0.5)
        else:
            inner = _inset(rect, 0.9 * unit, height * 0.14)
        return Cell(seat, key, of), Box(kind=kind, rect=rect, inner=inner)

    if row.country:
        return [pair for n, (count, points) in enumerate(zip(COLUMNS, COUNTRY_POINTS, strict=True)) for pair in (
            box("tally", row.key, n * half, tally, count),
            box("points", row.key, n * half + tally, half - tally, points))]
    if row.key == "subtotal":
        return [box("points", key, n * half, half) for n, key in enumerate(("country_subtotal", "symbol_subtotal"))]
    if row.key == "chains":
        icon = 0.11 * column.width  # beside each of these boxes
        return [box("tally", "ships", icon, tally), box("tally", "carriages", tally + 2 * icon, tally),
                box("points", "chain_points", 2 * (icon + tally), column.width - 2 * (icon + tally))]
    if row.key == "minus_two":
        return [box("tally", "minus_two", 0, tally), box("points", "law_points", tally, column.width - tally)]
    return [box("total" if row.key == "total" else "points", row.key, 0, column.width)]
