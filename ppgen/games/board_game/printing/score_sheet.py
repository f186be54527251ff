"""Turns the board and a page's room into the geometry of the score sheet: where each box stands.

A line for each country: the letters of its cloisters at the interim scoring and what they score, then a circle for
each of its spaces, a box for its court, and what they score in the end. Below, the alliances in the order of their
boxes, and the sums. So a filled-in sheet is a complete position.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from ppgen.engine.component import Component, Layout, Pad, Part, Way
from ppgen.engine.drawing.face import FaceRequest
from ppgen.engine.geometry import Rect, Size
from ppgen.games.board_game import FOLDER
from ppgen.games.board_game.board.model import MAX_PLAYERS, Board
from ppgen.games.board_game.printing.score_form import score_form
from ppgen.games.board_game.scoring.plan import COUNCILLORS, INTERIM, INTERIM_POINTS, POINTS, SUMS
from ppgen.games.game import SCORE_SHEET
from ppgen.games.sheet_form import Box
from ppgen.play.sheet import Cell
from ppgen.reading.texts import Texts

FRAME = 0.3
"""Tables keep this far from their room's edge, in mm, so that their frames are printed whole."""
SEATS = range(1, MAX_PLAYERS + 1)
_LABEL, _INTERIM, _EARLY, _SPACE, _COURT = 25.4, 17.0, 6.2, 8.1, 19.0
"""Widths in millimetres on A4: of a country's name, its interim letters, a number of points then, a space, a court."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ScoreSheetLayout:
    """The score sheet in millimetres from the top left corner of its room.

    ``boxes`` has a box for each place to write, by the name of its field: ``p1.name``, ``france.FR1``,
    ``p1.france.points``; a ``name``, ``letter`` (a circle), ``letters``, ``points``, ``total`` or ``line``. ``lands``
    are the lines of the countries in scoring order, ``alliances`` the bands of the boxes in their order, in two
    ``halves``, ``sums`` those of :data:`SUMS`. ``early`` and ``late`` are where the points of both scorings stand in
    the table of the countries, ``columns`` the players' columns of the sums. ``unit`` is the millimetre of a sheet on
    A4: it grows with the room.
    """

    unit: float
    title: Rect
    names: Rect
    head: Rect
    lands: tuple[Rect, ...]
    early: Rect
    late: Rect
    alliances_head: Rect
    alliances: tuple[Rect, ...]
    halves: tuple[Rect, ...]
    sums: tuple[Rect, ...]
    columns: tuple[Rect, ...]
    foot: Rect
    boxes: Mapping[str, Box]


def score_sheet_part(board: Board, texts: Texts, pad: Pad) -> Part:
    """The score sheet: one that can be filled in on the screen, or a pad for paper."""
    layout, copies = lay_out(board, pad.room), pad.sheets * pad.abreast
    arms = {country.id: {"arms": country.arms, "code": country.code} for country in board.countries}
    values = {"layout": layout, "sums": [{"key": key, "words": texts(f"score.{key}")} for key in SUMS],
              "countries": [{"id": country.id, "name": texts(f"countries.{country.id}"), **arms[country.id],
                             "labels": board.labels[country.id]} for country in board.countries],
              "alliances": [{"box": each.box, "water": each.water, "countries": [arms[id] for id in each.countries]}
                            for each in board.alliances]}
    front = FaceRequest(template=f"{FOLDER}/score-sheet.svg.j2", size=pad.room, values=values)
    form = score_form(board, layout.boxes, layout.unit, texts) if copies == 1 else None
    return Part(name=SCORE_SHEET, title=texts("parts.score-sheet"), layout=Layout(Way.PAGE, pad.abreast),
                components=(Component(id=SCORE_SHEET, front=front, copies=copies, form=form),))


def lay_out(board: Board, room: Size) -> ScoreSheetLayout:
    """Fill the room: title, names, the table of the countries, alliances, sums, date and place, a reminder."""
    u, wide = min(room.width / 194, room.height / 270), room.width / 194
    down = room.height / 270

    def band(top: float, height: float) -> Rect:
        return Rect(FRAME, top * down, room.width - 2 * FRAME, height * down)

    names, head = band(17.5, 9.6), band(29.5, 9)
    lands = tuple(band(38.5 + n * 9.4, 9.4) for n in range(len(board.countries)))
    alliances_head = band(126.2, 4.6)
    rows = (len(board.alliances) + 1) // 2
    half = (room.width - 2 * FRAME - 4 * wide) / 2
    alliances = tuple(Rect(FRAME + n // rows * (half + 4 * wide), (130.8 + n % rows * 6.1) * down, half, 6.1 * down)
                      for n in range(len(board.alliances)))
    halves = tuple(Rect(half[0].x, half[0].y, half[0].width, half[-1].bottom - half[0].y)
                   for half in (alliances[:rows], alliances[rows:]))
    sums = tuple(band(185.6 + n * 6.5, 6.5) for n in range(len(SUMS)))
    column = (room.width - 2 * FRAME - 40 * wide) / MAX_PLAYERS
    columns = tuple(Rect(FRAME + 40 * wide + n * column, sums[0].y, column, sums[-1].bottom - sums[0].y)
                    for n in range(MAX_PLAYERS))
    table = Rect(FRAME, head.y, room.width - 2 * FRAME, lands[-1].bottom - head.y)
    early = Rect(FRAME + (_LABEL + _INTERIM) * wide, table.y, MAX_PLAYERS * _EARLY * wide, table.height)
    late_x = early.right + (8 * _SPACE + _COURT) * wide
    late = Rect(late_x, table.y, table.right - late_x, table.height)
    boxes = dict[str, Box]()
    for seat in SEATS:
        name = Rect(names.x + (seat - 1) * names.width / MAX_PLAYERS, names.y, names.width / MAX_PLAYERS, names.height)
        boxes[Cell(seat, "name").field] = Box(kind="name", rect=name, inner=_inset(name, 8 * u, u, 2 * u))
        for row, line in zip(SUMS, sums, strict=True):
            place = Rect(columns[seat - 1].x, line.y, column, line.height)
            boxes[Cell(seat, row).field] = Box(kind="total" if row == "total" else "points", rect=place,
                                               inner=_inset(place, u, 0.6 * u))
        for alliance, line in zip(board.alliances, alliances, strict=True):
            place = _share(Rect(line.x + 33 * wide, line.y, line.width - 33 * wide, line.height), seat)
            boxes[Cell(seat, f"box{alliance.box}").field] = Box(
                kind="points", rect=place, inner=_inset(place, 0.7 * u, 0.5 * u))
    for country, line in zip(board.countries, lands, strict=True):
        boxes |= _of_country(board, country.id, line, early, late, wide, u)
    date = band(225.6, 7)
    for n, key in enumerate(("date", "place")):
        place = Rect(date.x + n * (date.width + 6 * wide) / 2, date.y, (date.width - 6 * wide) / 2, date.height)
        boxes[key] = Box(kind="line", rect=place, inner=_inset(place, 15 * u, 0.6 * u, 0))
    return ScoreSheetLayout(
        unit=u, title=Rect(0, 0, room.width, 15.5 * down), names=names, head=head, lands=lands, early=early, late=late,
        alliances_head=alliances_head, alliances=alliances, halves=halves, sums=sums, columns=columns, boxes=boxes,
        foot=Rect(0, 235.5 * down, room.width, 34.2 * down))


def _of_country(board: Board, country: str, line: Rect, early: Rect, late: Rect, wide: float,
                u: float) -> dict[str, Box]:
    """The boxes of a country's line."""
    side = min(_SPACE * wide - u, 6.1 * u)
    top = line.bottom - side - 0.5 * u  # all of them stand on one line, as the Tab key goes by place

    def letters(x: float, width: float) -> Box:
        return Box(kind="letters", rect=Rect(x, line.y, width, line.height),
                   inner=Rect(x + u, top, width - 2 * u, side))

    boxes = {Cell(0, country, INTERIM).field: letters(line.x + _LABEL * wide, _INTERIM * wide),
             Cell(0, country, COUNCILLORS).field: letters(late.x - _COURT * wide, _COURT * wide)}
    for n, label in enumerate(board.labels[country]):
        space = Rect(early.right + n * _SPACE * wide, line.y, _SPACE * wide, line.height)
        circle = Rect(space.x + (space.width - side) / 2, top, side, side)
        boxes[Cell(0, country, label).field] = Box(kind="letter", rect=space, inner=circle)
    for seat in SEATS:
        for key, share in ((INTERIM_POINTS, early), (POINTS, late)):
            place = _share(Rect(share.x, line.y, share.width, line.height), seat)
            boxes[Cell(seat, country, key).field] = Box(kind="points", rect=place, inner=_inset(place, 0.4 * u, u))
    return boxes


def _share(rect: Rect, seat: int) -> Rect:
    """A player's fifth of a rectangle."""
    width = rect.width / MAX_PLAYERS
    return Rect(rect.x + (seat - 1) * width, rect.y, width, rect.height)


def _inset(rect: Rect, x: float, y: float, right: float | None = None) -> Rect:
    return Rect(rect.x + x, rect.y + y, rect.width - x - (x if right is None else right), rect.height - 2 * y)
