"""The board game's score sheet, on paper and on the scorer page."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import partial
from itertools import product, starmap
from pathlib import Path

from ppgen.engine.component import FieldForm, Pad, Part
from ppgen.engine.drawing.face import FaceRequest
from ppgen.engine.geometry import Rect, Size
from ppgen.games.board_game import FOLDER, NAME
from ppgen.games.board_game.board import MAX_PLAYERS, Board
from ppgen.games.board_game.components import DrawnMap
from ppgen.games.board_game.points import COUNCILLORS, INTERIM, INTERIM_POINTS, POINTS, SUMS, sheet_plan
from ppgen.games.board_game.scoring import TallyNames, rules_json, twin_source
from ppgen.games.interface import ScorerGame
from ppgen.games.sheet_form import (A4_ROOM, FRAME, LARGE_ROOM, SheetBox, SheetLayout, columns_of, fact_boxes,
                                    field_script, inset, read_scripts, sheet_form, sheet_part, unit_of)
from ppgen.play.sheet_plan import Json, SheetCell
from ppgen.reading.texts import FALLBACK, Texts
from ppgen.records import dataclass, replace

# --- Sheet ---
# A row for each country has the letters of its cloisters at the interim scoring and their points, then a circle for
# each of its spaces, a box for its court, and the points in the end. Below are the alliances in the order of their
# boxes, and the sums. So a filled-in sheet is a complete position.

SEATS = range(1, MAX_PLAYERS + 1)


@dataclass(frozen=True, slots=True, kw_only=True)
class SheetMeasures:
    """Measures of a layout in mm on A4."""

    page: Size  # the room
    bands: Mapping[str, tuple[float, float]]  # top and height; of a table those of its first row
    widths: Mapping[str, float]  # of labels, of a space (``circle`` is its diameter) and of what is written


USUAL = SheetMeasures(
    page=A4_ROOM, bands={
        "title": (0, 15.5), "names": (17.5, 9.6), "head": (29.5, 9), "lands": (38.5, 9.4),
        "alliances_head": (126.2, 4.6), "alliances": (130.8, 6.1), "sums": (185.6, 6.5), "date": (225.6, 7),
        "foot": (235.5, 34.2)},
    widths={"label": 25.4, "interim": 17.0, "early": 6.2, "space": 8.1, "court": 19.0, "alliance": 33, "sum": 40,
            "circle": 6.1})
LARGE = SheetMeasures(
    page=LARGE_ROOM, bands={
        "title": (0, 15.5), "names": (17, 11), "head": (30, 16), "lands": (46, 15.1), "alliances_head": (19, 7),
        "alliances": (26, 9.4), "sums": (111, 9.4), "date": (170.5, 9), "foot": (183, 0)},
    widths={"label": 50, "interim": 25, "early": 7.5, "space": 12, "court": 27, "alliance": 50, "sum": 64,
            "circle": 7.6})
"""Two pages in landscape: the countries, then the alliances and sums."""


def score_sheet_part(board: Board, texts: Texts, pad: Pad) -> Part:
    """Make the score sheet: one to fill in on the screen, or a pad for paper."""
    layouts = lay_out(board, pad.room, pad.large)
    arms = {country.id: {"arms": country.arms, "code": country.code} for country in board.countries}
    values = {"sums": [{"key": key, "words": texts(f"score.{key}")} for key in SUMS], "players": board.players,
              "countries": [{"id": country.id, "name": texts(f"countries.{country.id}"), **arms[country.id],
                             "labels": board.labels[country.id]} for country in board.countries],
              "alliances": [{"box": each.box, "water": each.water, "countries": [arms[id] for id in each.countries]}
                            for each in board.alliances]}
    return sheet_part(texts("parts.score-sheet"), f"{FOLDER}/score-sheet.svg.j2", layouts, values, pad,
                      lambda: score_form(board, layouts, texts))


def lay_out(board: Board, room: Size, large: bool = False) -> list[SheetLayout]:
    """Fill the room: title, names, the table of the countries, alliances, sums, date and place, a reminder.

    In large print these are two pages, the second from the alliances on. Boxes are a ``name``, a ``letter`` (a circle),
    ``letters``, ``points``, ``total`` or ``line``.
    """
    given = LARGE if large else USUAL
    x_scale, y_scale = room.width / given.page.width, room.height / given.page.height
    unit = unit_of(room, large)

    def band(name: str, n: int = 0) -> Rect:
        top, height = given.bands[name]
        return Rect(FRAME, (top + n * height) * y_scale, room.width - 2 * FRAME, height * y_scale)

    wide = {name: width * x_scale for name, width in given.widths.items()}
    names, head, alliances_head = map(band, ("names", "head", "alliances_head"))
    lands = tuple(band("lands", n) for n in range(len(board.countries)))
    sums = tuple(band("sums", n) for n in range(len(SUMS)))
    rows = (len(board.alliances) + 1) // 2
    width = (room.width - 2 * FRAME - 4 * x_scale) / 2
    alliances = tuple(replace(band("alliances", n % rows), x=FRAME + n // rows * (width + 4 * x_scale), width=width)
                      for n in range(len(board.alliances)))
    halves = tuple(replace(half[0], height=half[-1].bottom - half[0].y)
                   for half in (alliances[:rows], alliances[rows:]))
    points = inset(replace(sums[0], height=sums[-1].bottom - sums[0].y), wide["sum"], 0, 0)
    columns = columns_of(points, MAX_PLAYERS)
    countries = replace(head, height=lands[-1].bottom - head.y)
    early = replace(countries, x=FRAME + wide["label"] + wide["interim"], width=MAX_PLAYERS * wide["early"])
    late = inset(countries, early.right + 8 * wide["space"] + wide["court"] - FRAME, 0, 0)
    places: dict[str, SheetBox] = {}
    boxes = fact_boxes(band("date"), 6 * x_scale, (20 if large else 15) * unit, 0.6 * unit)
    for seat in SEATS:
        name = _player_share(names, seat)
        places[SheetCell(seat, "name").field] = SheetBox(kind="name", rect=name,
                                                         inner=inset(name, 13 * unit, unit, 2 * unit))
        for row, line in zip(SUMS, sums, strict=True):
            place = replace(columns[seat - 1], y=line.y, height=line.height)
            boxes[SheetCell(seat, row).field] = SheetBox(kind="total" if row == "total" else "points", rect=place,
                                                         inner=inset(place, unit, 0.6 * unit))
        for alliance, line in zip(board.alliances, alliances, strict=True):
            place = _player_share(inset(line, wide["alliance"], 0, 0), seat)
            boxes[SheetCell(seat, f"box{alliance.box}").field] = SheetBox(
                kind="points", rect=place, inner=inset(place, 0.7 * unit, 0.5 * unit))
    for country, line in zip(board.countries, lands, strict=True):
        places |= _country_boxes(board, country.id, line, early, late, unit, wide, given.widths["circle"] * unit)
    areas = {"head": head, "lands": lands, "early": early, "late": late, "alliances_head": alliances_head,
             "alliances": alliances, "halves": halves, "sums": sums,
             "foot": replace(band("foot"), x=0, width=room.width)}
    return [SheetLayout(unit=unit, large=large, title=replace(band("title"), x=0, width=room.width), columns=columns,
                        boxes=shown, areas=areas) for shown in ((places, boxes) if large else (places | boxes,))]


def _country_boxes(board: Board, country: str, line: Rect, early: Rect, late: Rect, unit: float,
                   wide: Mapping[str, float], circle: float) -> dict[str, SheetBox]:
    side = min(wide["space"] - unit, circle)
    top = line.bottom - side - 0.5 * unit  # all on one line, as the tab order goes by position

    def letters(x: float, width: float) -> SheetBox:
        return SheetBox(kind="letters", rect=replace(line, x=x, width=width),
                        inner=Rect(x + unit, top, width - 2 * unit, side))

    boxes = {SheetCell(0, country, INTERIM).field: letters(line.x + wide["label"], wide["interim"]),
             SheetCell(0, country, COUNCILLORS).field: letters(late.x - wide["court"], wide["court"])}
    for n, label in enumerate(board.labels[country]):
        space = replace(line, x=early.right + n * wide["space"], width=wide["space"])
        place = Rect(space.x + (space.width - side) / 2, top, side, side)
        boxes[SheetCell(0, country, label).field] = SheetBox(kind="letter", rect=space, inner=place)
    for seat in SEATS:
        for key, area in ((INTERIM_POINTS, early), (POINTS, late)):
            place = _player_share(replace(line, x=area.x, width=area.width), seat)
            boxes[SheetCell(seat, country, key).field] = SheetBox(kind="points", rect=place,
                                                                  inner=inset(place, 0.4 * unit, unit))
    return boxes


def _player_share(rect: Rect, seat: int) -> Rect:
    return columns_of(rect, MAX_PLAYERS)[seat - 1]


# The form: score.js scores, score_form.js connects it to the fields. Both are plain ECMAScript 5.

def score_form(board: Board, layouts: Sequence[SheetLayout], texts: Texts) -> FieldForm:
    """Make the form of a score sheet.

    The tab order is that of the sheet: the names, then country by country the letters, then the points at the interim
    scoring, which are computed if the letters of that scoring are filled in. Computed points come last; viewers without
    scripts leave them to be typed.
    """
    plan = sheet_plan(board)

    def tooltip(cell: SheetCell) -> str:
        kind = "box" if cell.row.startswith("box") else cell.column or cell.row
        words = {"player": texts("form.player", n=cell.seat), "box": cell.row.removeprefix("box"), "space": cell.column}
        if cell.column:
            words["country"] = texts(f"countries.{cell.row}")
        return texts(f"form.{'space' if cell.column in board.space else kind}", **words)

    def calculate(field: str) -> str:
        return f"scorePut({json.dumps(field)});"

    connection = (Path(__file__).parent / "score_form.js").read_text(encoding="ascii")
    rules = f"var scoreRules = {json.dumps(rules_json(board))};\n"
    form = sheet_form(plan, layouts, texts, tooltip,
                      {cell: calculate(cell.field) for seat in plan.seats for cell in _point_cells(board, seat)},
                      field_script(plan) + twin_source() + rules + connection,
                      letters=(SheetCell(0, country, INTERIM) for country in board.labels))
    before = {SheetCell(seat, "before").field for seat in plan.seats}
    fields = tuple(replace(field, calculate=calculate(field.name)) if field.name in before else field
                   for field in form.fields)
    return replace(form, fields=fields, calculated=(*sorted(before), *form.calculated))


def _point_cells(board: Board, seat: int) -> Iterator[SheetCell]:
    yield from starmap(partial(SheetCell, seat), product(board.labels, (INTERIM_POINTS, POINTS)))
    yield from (SheetCell(seat, f"box{alliance.box}") for alliance in board.alliances)
    yield from (SheetCell(seat, row) for row in SUMS if row != "before")


# --- Scorer page ---

SQUARE, SHIELD = Size(100, 100), Size(100, 120)


def scorer_game(board: Board, drawn: DrawnMap, folder: Path, common: Path) -> ScorerGame:
    """Make the board game for the scorer page, from its data ``folder`` and that of the ``common`` locale files."""
    scripts = read_scripts(Path(__file__).parent, ("counts", "score_lines", "checking"),
                           ("score", "sentences", "judge"))
    names = TallyNames(board, folder / "locales", FALLBACK, common)
    return ScorerGame(start="boardGamePage", scripts=scripts, signs=_signs(board),
                      data={"name": NAME, "rules": board_json(board, names), "map": map_json(board, drawn)})


def board_json(board: Board, names: TallyNames) -> Json:
    """Make the ``rules`` of ``score.js``, with the additions that ``judge.js`` needs."""
    return {**rules_json(board), "cloisters": board.cloisters, "councillors": board.councillors,
            "words": {"countries": names.spelled("countries")}}


def map_json(board: Board, drawn: DrawnMap) -> Json:
    """Make the map: path data of lands, roads and ribbons, and the places of everything, in mm of the board."""
    left, top, right, bottom = board.frame
    page = drawn.common["page"]
    return {
        "frame": [left, top, right - left, bottom - top], "lands": page["lands"], "isles": page["isles"],
        "countries": {country.id: {"code": country.code, "arms": country.arms,
                                   "tint": board.kind_by_country[country.id].tint,
                                   "court": _round_point((*country.court.at, country.court.radius))}
                      for country in board.countries},
        "spaces": {space.id: [*_round_point(space.at), space.name] for space in board.spaces},
        "roads": [_round_point(board.road_curve(road)[1]) for road in board.roads],
        "boxes": {str(alliance.box): [*_round_point(alliance.at), ribbon]
                  for alliance, ribbon in zip(board.alliances, page["ribbons"], strict=True)},
        "radius": board.space_radius, "box": board.box_side}


def _round_point(point: Iterable[float]) -> list[int]:
    return [round(each) for each in point]


def _signs(board: Board) -> dict[str, FaceRequest]:
    """Drawings by the names that the page's scripts know: arms, and the badges and pieces of the players."""
    arms = {f"arms-{country.id}": _sign("arms", SHIELD, country.arms) for country in board.countries}
    pieces = {f"{kind}-{player.player}": _sign(of, SQUARE, "", player.player, player.colour, player.shape)
              for kind, of in (("seat", "badge"), ("councillor", "councillor")) for player in board.players}
    return {**arms, **pieces, "cloister": _sign("cloister", SQUARE, "")}


def _sign(of: str, size: Size, arms: str, player: int = 0, colour: str = "", shape: str = "") -> FaceRequest:
    return FaceRequest(template=f"{FOLDER}/page-sign.svg.j2", size=size, key=f"{of} {arms or player}",
                       values={"of": of, "arms": arms, "player": player, "colour": colour, "shape": shape})
