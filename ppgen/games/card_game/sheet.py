"""The card game's score sheet, on paper and on the scorer page."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from ppgen.engine.colours import legible_ink
from ppgen.engine.component import FieldForm, Pad, Part
from ppgen.engine.drawing.face import FaceRequest
from ppgen.engine.geometry import Rect, Size
from ppgen.games.card_game import FOLDER, NAME
from ppgen.games.card_game.deck import MAX_PLAYERS, Deck
from ppgen.games.card_game.scoring import COLUMNS, POINTS, TallyNames, points_cell, sheet_plan
from ppgen.games.interface import ScorerGame
from ppgen.games.sheet_form import (FRAME, SheetBox, SheetLayout, columns_of, fact_boxes, inset, read_scripts, rows_of,
                                    rules_script, sheet_form, sheet_part, sum_script, unit_of)
from ppgen.play.sheet_plan import NAME_ROW, TOTAL_ROW, Json, SheetCell
from ppgen.reading.texts import FALLBACK, Texts
from ppgen.records import replace

# --- Sheet ---
# Each player has a column with two pairs of boxes: a small one for a count (cards, symbols), a large one for its
# points, as in the table of the German rules. Boxes are a ``tally`` (small, light; ``inner`` is drawn), ``points``,
# ``total`` or ``name``, and a ``line`` for date and place.

COUNTRY_POINTS = tuple(POINTS[column] for column in COLUMNS)
SUMS = ("subtotal", "carry", "chains", "minus_two", "total")  # rows below those of the countries


def score_sheet_part(deck: Deck, texts: Texts, pad: Pad) -> Part:
    """Make the score sheet: a single one with a form, or a pad of them for paper."""
    layout = lay_out(deck, pad.room, pad.large)
    values = {"countries": deck.countries, "stones": deck.stones, "sums": {row: texts(f"score.{row}") for row in SUMS},
              "names": {country.id: texts(f"countries.{country.id}") for country in deck.countries}}
    return sheet_part(texts("parts.score-sheet"), f"{FOLDER}/score-sheet.svg.j2", [layout], values, pad,
                      lambda: score_form(deck, layout, texts))


def lay_out(deck: Deck, room: Size, large: bool = False) -> SheetLayout:
    """Lay out the room: title, table with rows of equal height, lines for date and place, reminder."""
    title, head, lines, foot = (room.height * share for share in (
        (0.095, 0.09, 0.055, 0) if large else (0.075, 0.062, 0.028, 0.145)))
    label, unit = room.width * (0.205 if large else 0.175), unit_of(room, large)
    table = Rect(FRAME, title, room.width - 2 * FRAME, room.height - title - lines - foot)
    keys = [*(country.id for country in deck.countries), *SUMS]
    rows = dict(zip(keys, rows_of(Rect(FRAME, title + head, table.width, table.height - head), len(keys)), strict=True))
    columns = columns_of(Rect(label, title, room.width - label - FRAME, table.height), MAX_PLAYERS)
    line = (7.4 if large else 5.4) * unit
    boxes = fact_boxes(Rect(table.x, table.bottom + lines - line, table.width, line), 6 * unit,
                       (20 if large else 14.5) * unit)
    for number, place in enumerate(columns, 1):
        name = replace(place, height=head * 0.62)
        inner = inset(name, 9.5 * unit, unit, unit)  # beside the player's stone
        boxes[SheetCell(number, NAME_ROW).field] = SheetBox(kind="name", rect=name, inner=inner)
        for key, row in rows.items():
            boxes |= {cell.field: box for cell, box in _row_boxes(key, row, number, place, unit, large)}
    areas = {"table": table, "head": replace(table, height=head), "rows": rows,
             "foot": Rect(0, room.height - foot, room.width, foot)}
    return SheetLayout(unit=unit, large=large, title=Rect(0, 0, room.width, title), columns=columns, boxes=boxes,
                       areas=areas)


def _row_boxes(row: str, band: Rect, seat: int, column: Rect, unit: float,
               large: bool) -> list[tuple[SheetCell, SheetBox]]:
    half, tally = column.width / 2, column.width * 0.225

    def box(kind: str, key: str, x: float, width: float, column_key: str = "") -> tuple[SheetCell, SheetBox]:
        rect = Rect(column.x + x, band.y, width, band.height)
        if kind == "tally":
            share = 0.72 if large else 0.5
            inner = inset(rect, 0.9 * unit, band.height * (1 - share) / 2, 0)
        else:
            inner = inset(rect, 0.9 * unit, band.height * 0.14)
        return SheetCell(seat, key, column_key), SheetBox(kind=kind, rect=rect, inner=inner)

    if row not in SUMS:
        return [pair for n, (count, points) in enumerate(zip(COLUMNS, COUNTRY_POINTS, strict=True)) for pair in (
            box("tally", row, n * half, tally, count),
            box("points", row, n * half + tally, half - tally, points))]
    if row == "subtotal":
        return [box("points", key, n * half, half) for n, key in enumerate(("country_subtotal", "symbol_subtotal"))]
    if row == "chains":
        icon = 0.11 * column.width  # before each of these boxes
        return [box("tally", "ships", icon, tally), box("tally", "carriages", tally + 2 * icon, tally),
                box("points", "chain_points", 2 * (icon + tally), column.width - 2 * (icon + tally))]
    if row == "minus_two":
        return [box("tally", "minus_two", 0, tally), box("points", "law_points", tally, column.width - tally)]
    return [box("total" if row == "total" else "points", row, 0, column.width)]


# --- Form ---

def score_form(deck: Deck, layout: SheetLayout, texts: Texts) -> FieldForm:
    """Make the form; tab order: names, then country by country from player to player, the rows below, the points."""
    plan = sheet_plan(deck)

    def tooltip(cell: SheetCell) -> str:
        country = {"country": texts(f"countries.{cell.row}")} if cell.column else {}
        return texts(f"form.{cell.column or cell.row}", player=texts("form.player", n=cell.seat), **country)

    return sheet_form(
        plan, [layout], texts, tooltip, {cell: script for seat in plan.seats for cell, script in _points(deck, seat)},
        rules_script(deck.rules, plan, lambda line: cell.field if (cell := points_cell(line)) else None))


def _points(deck: Deck, seat: int) -> Iterator[tuple[SheetCell, str]]:
    """Yield a player's cells of points with the scripts that compute them, each from earlier cells."""
    cells = {n: cell._replace(seat=seat) for n, line in enumerate(deck.rules.lines) if (cell := points_cell(line))}
    for n, cell in cells.items():
        yield cell, f"event.value = scoreCell({seat}, {n});"
    yield SheetCell(seat, TOTAL_ROW), sum_script(cells[deck.rules.lines.index(deck.rules.line(key))]
                                                 for key in ("carry", "chains", "minus_two"))


# --- Scorer page ---

ROUTE_ROWS = {"ships": "ship", "carriages": "carriage"}
SQUARE, SHIELD = Size(100, 100), Size(100, 120)


def scorer_game(deck: Deck, folder: Path, common: Path) -> ScorerGame:
    """Make the card game for the scorer page from its deck, its data folder and the common locale files."""
    scripts = read_scripts(Path(__file__).parent, ("score_lines", "checking"), ("score", "judge"))
    names = TallyNames(deck, folder / "locales", FALLBACK, common)
    return ScorerGame(start="cardGamePage", scripts=scripts, signs=dict(_signs(deck)),
                      data={"name": NAME, "rules": deck.rules.scored_data(), "deck": deck_json(deck, names)})


def deck_json(deck: Deck, names: TallyNames) -> Json:
    """The ``deck`` of ``judge.js``, with the fields of its countries that the page shows."""
    countries = [{"id": country.id, "number": country.number, "code": country.code, "colour": country.colour,
                  "on": legible_ink(country.colour), "cards": [
                      {"id": card.id, "symbols": list(card.symbols), **({"route": card.route} if card.route else {})}
                      for card in deck.cards_of(country)]} for country in deck.countries]
    return {"countries": countries, "kinds": list(deck.symbols), "minus_two": deck.copies_of("minus_two"),
            "words": {"countries": names.spelled("countries"), "kinds": names.spelled("symbols")}}


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
