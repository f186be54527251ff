"""Score sheet on the terminal: the state of an interview and its keys, the lines on the screen, and the map sketch.

It depends neither on a terminal library nor on a game, except by the plan of its sheet.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import groupby
from operator import itemgetter

from ppgen.errors import Problem
from ppgen.lines import display_width, shorten, wrap
from ppgen.play.result_text import TABLE_WIDTH, format_signed, join_words
from ppgen.play.sheet_plan import (
    LONGEST,
    LONGEST_NAME,
    NAME_ROW,
    RunningScore,
    SheetCell,
    SheetPlan,
    SheetRow,
    Takes,
)
from ppgen.play.validation import parse_partial_count, split_letters
from ppgen.reading.texts import Texts

FIRST_CELL = SheetCell(1, NAME_ROW)
NOBODY, MAP = ".", ("?", "？")
"""Entry of an empty place; keys that toggle the map."""
SKETCH_WIDTH, SKETCH_HEIGHT = 64, 15
"""Size limits of the map, in columns and lines."""
CHARACTER_ASPECT = 2.0
"""Height of a terminal character by its width, about."""
LINK, HERE, PLACE, EMPTY = "link", "here", "place", ""
ScreenLine = list[tuple[str, str]]
CURSOR, STRONG, DIM, WRONG = "class:pen", "class:strong", "class:dim", "class:wrong"
MAP_STYLES = {EMPTY: "", LINK: DIM, PLACE: STRONG, HERE: CURSOR}
MESSAGE_LINES = 5
"""Lines for problems: the rest of a terminal of 24 lines."""
_TYPED = {Takes.COUNT: "0123456789+", Takes.POINTS: "0123456789+-"}
"""Characters of the cells that hold numbers."""
MAX_LABEL_COLUMNS, MAX_EMPTY_SEATS = 32, 6
"""Columns of a row's label; seats up to which all are shown, also empty ones."""
MAX_NAME_COLUMNS = 24
"""Columns of a name in the question, so that the question fits."""


# State and keys

@dataclass(frozen=True, slots=True, kw_only=True)
class Interview:
    """A sheet with a cursor on a cell. ``fresh``: nothing was typed there since the cursor arrived.

    ``passed`` are the cells that the cursor has left forwards: empty ones count as 0, not as forgotten. ``map_open``: a
    row with places on a map is shown there.
    """

    plan: SheetPlan
    cells: Mapping[SheetCell, str] = field(default_factory=dict)
    cursor: SheetCell = FIRST_CELL
    fresh: bool = True
    passed: frozenset[SheetCell] = frozenset()
    map_open: bool = False

    @property
    def seats(self) -> tuple[int, ...]:
        """The seats (from 1) whose columns are not empty."""
        return tuple(sorted({cell.seat for cell, text in self.cells.items() if cell.seat and text.strip()}))

    @property
    def row(self) -> SheetRow | None:
        """The row of the cursor; None for the names."""
        return self.row_of(self.cursor)

    @property
    def letters(self) -> Mapping[int, str]:
        """The letter of each seat in cells that take letters; A to E if no name begins with a Latin letter."""
        letters = split_letters([self.name(seat) for seat in self.seats])
        is_latin = any("A" <= letter <= "Z" for letter in letters)
        return dict(zip(self.seats, letters if is_latin else split_letters([""] * len(letters)), strict=True))

    def name(self, seat: int) -> str:
        return self.text(SheetCell(seat, NAME_ROW)).strip()

    def text(self, cell: SheetCell) -> str:
        return self.cells.get(cell, "")

    def row_of(self, cell: SheetCell) -> SheetRow | None:
        return next((row for row in self.plan.rows if row.key == cell.row), None)

    def takes(self, cell: SheetCell) -> Takes:
        column = self.plan.column_of(cell)
        return column.takes if column else Takes.NAME


def type_key(sheet: Interview, characters: str) -> Interview:
    """Type at the cursor. The first character replaces the cell, except in names; a plus continues the sum.

    A single letter fills a cell and moves the cursor on.
    """
    takes = sheet.takes(sheet.cursor)
    if characters.startswith("\x1b"):  # an unknown key
        return sheet
    if characters in MAP and takes is not Takes.NAME:
        return replace(sheet, map_open=not sheet.map_open)
    if takes is Takes.LETTER:
        for number, character in enumerate(characters.upper().replace(" ", NOBODY)):
            if sheet.takes(sheet.cursor) is not Takes.LETTER:
                return type_key(sheet, characters[number:])
            if character == NOBODY or character in sheet.letters.values():
                sheet = move_cursor(_fill_cell(sheet, character), 1)
        return sheet
    if takes is Takes.NAME:
        accepted = "".join(filter(str.isprintable, characters))
    elif takes in _TYPED:
        accepted = "".join(character for character in characters.replace("−", "-") if character in _TYPED[takes])
    else:
        accepted = "".join(character for character in characters.upper() if character in sheet.letters.values())
    old = "" if sheet.fresh and takes is not Takes.NAME and not accepted.startswith("+") else sheet.text(sheet.cursor)
    return _fill_cell(sheet, (old + accepted)[:LONGEST_NAME if takes is Takes.NAME else LONGEST]) if accepted else sheet


def erase_cell(sheet: Interview) -> Interview:
    """Delete the last character of the cell."""
    return _fill_cell(sheet, sheet.text(sheet.cursor)[:-1])


def move_cursor(sheet: Interview, steps: int) -> Interview:
    """Move the cursor to a later or earlier cell, row by row, up to the ends.

    Cells that need another one are skipped if that one is empty.
    """
    order = [cell for cell in _order(sheet) if cell == sheet.cursor or not _is_skipped(sheet, cell)]
    here = order.index(sheet.cursor) if sheet.cursor in order else 0
    named = [seat for seat in sheet.seats if sheet.name(seat)]
    if steps > 0 and sheet.row is None and not sheet.name(sheet.cursor.seat) and len(named) >= sheet.plan.least:
        here = sheet.plan.most - 1  # no more players: go to the first row
    passed = sheet.passed | {sheet.cursor} if steps > 0 else sheet.passed
    return replace(set_cell(sheet, order[min(max(here + steps, 0), len(order) - 1)]), passed=passed)


def move_row(sheet: Interview, steps: int) -> Interview:
    """Move the cursor to another row in the same column."""
    rows = (None, *sheet.plan.rows)
    row = rows[min(max(rows.index(sheet.row) + steps, 0), len(rows) - 1)]
    if row is None:
        return set_cell(sheet, SheetCell(sheet.cursor.seat or 1, NAME_ROW))
    if not sheet.seats:
        return sheet
    seat = sheet.cursor.seat if sheet.cursor.seat in sheet.seats else min(sheet.seats)
    cells = sheet.plan.cells_of(row, seat)
    return set_cell(sheet, next((cell for cell in cells if cell.column == sheet.cursor.column), cells[0]))


def set_cell(sheet: Interview, cell: SheetCell) -> Interview:
    """Put the cursor on a cell; the first character will replace its text."""
    return replace(sheet, cursor=cell, fresh=True)


def cell_at(sheet: Interview, field_name: str) -> SheetCell:
    """Find the cell of a form field that has a problem; for any other key, the first empty name."""
    cell = SheetCell.parse(field_name)
    if cell and cell in _order(sheet):
        return cell
    return next((SheetCell(seat, NAME_ROW) for seat in sheet.plan.seats if not sheet.name(seat)), FIRST_CELL)


def untouched_rows(sheet: Interview) -> tuple[SheetRow, ...]:
    """The rows with a cell that is neither filled in nor passed; the last cell counts as passed under the cursor."""
    open_rows = {cell.row for cell in _order(sheet)[sheet.plan.most:]
                 if not sheet.text(cell).strip() and cell not in sheet.passed and not _is_skipped(sheet, cell)
                 and not (cell == sheet.cursor and is_last(sheet))}
    return tuple(row for row in sheet.plan.rows if row.key in open_rows)


def is_last(sheet: Interview) -> bool:
    return sheet.cursor == _order(sheet)[-1] and sheet.row is not None


def count_row(sheet: Interview, row: SheetRow) -> int:
    """Sum up the first column of a row over all seats."""
    return sum(parse_partial_count(sheet.text(sheet.plan.cells_of(row, seat)[0])) for seat in sheet.seats)


def from_draft(plan: SheetPlan, draft: object) -> Interview | None:
    """Read the sheet of :func:`to_draft` without cells that are not in the plan; None if no entry is left."""
    if not isinstance(draft, dict) or not isinstance(draft.get("cells"), dict):
        return None
    known = {cell.field: cell for cell in plan.cells()}
    cells = {known[key]: text for key, text in draft["cells"].items()
             if key in known and isinstance(text, str) and text}
    cursor, passed = draft.get("at"), draft.get("passed")
    sheet = Interview(plan=plan, cells=cells, passed=frozenset(
        known[key] for key in (passed if isinstance(passed, list) else ()) if isinstance(key, str) and key in known))
    cell = known.get(cursor) if isinstance(cursor, str) else None
    return (set_cell(sheet, cell) if cell and cell in _order(sheet) else sheet) if cells else None


def to_draft(sheet: Interview) -> dict[str, object]:
    """Convert the sheet to JSON, to continue later."""
    return {"cells": fields(sheet), "at": sheet.cursor.field, "passed": sorted(cell.field for cell in sheet.passed)}


def fields(sheet: Interview) -> dict[str, str]:
    """The cells as form fields."""
    return {cell.field: text for cell, text in sheet.cells.items()}


def _order(sheet: Interview) -> Sequence[SheetCell]:
    """All names, then the cells of the seats in use, in the order of the plan."""
    seats = set(sheet.seats)
    return [cell for cell in sheet.plan.cells() if cell.row == NAME_ROW or not cell.seat or cell.seat in seats]


def _is_skipped(sheet: Interview, cell: SheetCell) -> bool:
    """Check that a cell is empty, and so is the one that it needs."""
    column = sheet.plan.column_of(cell)
    return bool(column and column.needs and not sheet.text(cell).strip()
                and not parse_partial_count(sheet.text(replace(cell, column=column.needs))))


def _fill_cell(sheet: Interview, text: str) -> Interview:
    return replace(sheet, cells={**sheet.cells, sheet.cursor: text}, fresh=False)


# Screen

def render_screen(sheet: Interview, score: RunningScore, texts: Texts, messages: Sequence[str]) -> list[ScreenLine]:
    """Render the screen: the question, the sheet with running totals (or the map), problems, and help on the keys."""
    plan = sheet.plan
    player, total = texts("history.player"), texts(plan.total)
    labels = [texts(row.label) for row in plan.rows]
    seats = _shown_seats(sheet)
    label = min(max(map(display_width, (player, *labels, total))), MAX_LABEL_COLUMNS)
    column = (TABLE_WIDTH - 1 - label) // len(seats) - 1
    lines: list[ScreenLine] = [[(STRONG, shorten(question(sheet, texts), TABLE_WIDTH - 1))], []]
    if sheet.map_open and sheet.row and sheet.row.places:
        drawn = [[(MAP_STYLES[kind], text) for kind, text in line] for line in sketch_map(sheet, sheet.row)]
        cells = _shared_cells(sheet, sheet.row, _widths(sheet.row), TABLE_WIDTH - 2 - label)
        return [*lines, *drawn, [], [(STRONG, shorten(texts(sheet.row.label), label)), (DIM, "│"), *cells], [],
                *_footer(texts, messages)]
    names: ScreenLine = [(STRONG if sheet.row is None else "", shorten(player, label))]
    for seat in seats:
        names += [(DIM, "│"), _name(sheet, SheetCell(seat, NAME_ROW), column)]
    lines += [names, [(DIM, "─" * label + ("┼" + "─" * column) * len(seats))]]
    for row, words in zip(plan.rows, labels, strict=True):
        overfull = row.exist and count_row(sheet, row) > row.exist
        line: ScreenLine = [(WRONG if overfull else STRONG if row == sheet.row else "", shorten(words, label))]
        if row.shared:
            widths = _widths(row)
            if row == sheet.row and any(each.label for each in row.columns):
                over = "".join(f"{each.label:>{width}}" for each, width in zip(row.columns, widths, strict=True))
                lines.append([(DIM, " " * (label + 1) + over)])
            line += [(DIM, "│"), *_shared_cells(sheet, row, widths, TABLE_WIDTH - 2 - label)]
        else:
            for seat in seats:
                line += [(DIM, "│"), *_cells(sheet, row, seat, score, column)]
        lines.append(line)
    totals: ScreenLine = [(STRONG, shorten(total, label))]
    for seat in seats:
        text = format_signed(score.totals[seat]) if seat in score.totals else ""
        totals += [(DIM, "│"), (STRONG, " " * (column - len(text)) + text)]
    help_map = [[(DIM, texts("ask.help_map"))]] if sheet.row and sheet.row.places else []
    return [*lines, totals, [], *_footer(texts, messages), *help_map]


def _shown_seats(sheet: Interview) -> Sequence[int]:
    """All seats if they are few, or else those in use and a further one."""
    if sheet.plan.most <= MAX_EMPTY_SEATS:
        return sheet.plan.seats
    used = max((*sheet.seats, sheet.cursor.seat, sheet.plan.least - 1))
    return range(1, min(used + 1, sheet.plan.most) + 1)


def _footer(texts: Texts, messages: Sequence[str]) -> list[ScreenLine]:
    wrapped = [line for message in messages for line in wrap(message, TABLE_WIDTH - 1)][:MESSAGE_LINES]
    return [*([(WRONG, line)] for line in wrapped), [(DIM, texts("ask.help"))]]


def question(sheet: Interview, texts: Texts) -> str:
    """The question for the cell of the cursor."""
    row, column = sheet.row, sheet.plan.column_of(sheet.cursor)
    if row is None or column is None:
        return f"{texts('ask.title')} – {texts('ask.names', least=sheet.plan.least, most=sheet.plan.most)}"
    letters = " ".join(f"{letter}={shorten(sheet.name(seat), 10).rstrip()}" for seat, letter in sheet.letters.items()
                       ) if row.shared else ""
    name = shorten(sheet.name(sheet.cursor.seat), MAX_NAME_COLUMNS).rstrip()
    return texts(column.ask, name=name, row=texts(row.label), number=row.exist, cell=column.label, letters=letters)


def complaints(problems: Iterable[Problem], texts: Texts) -> Iterator[str]:
    """Format the problems so far with their remedies."""
    for problem in problems:
        yield texts("ask.wrong", what=problem.what, remedy=problem.remedy)


def missing_hint(sheet: Interview, texts: Texts) -> str:
    """List the rows with fewer counted than exist; empty if there are none."""
    return join_words((texts("results.missing_row", row=texts(row.label), count=count_row(sheet, row),
                             number=row.exist) for row in _incomplete_rows(sheet)), texts)


def untouched_hint(sheet: Interview, texts: Texts) -> str:
    """List the rows that were not asked for yet; empty if there are none."""
    return join_words((texts(row.label) for row in untouched_rows(sheet)), texts)


def gaps(sheet: Interview, texts: Texts) -> str:
    """List all incomplete rows, each once; empty if there are none."""
    incomplete = _incomplete_rows(sheet)
    whole = (texts(row.label) for row in untouched_rows(sheet) if row not in incomplete)
    return join_words(filter(None, (missing_hint(sheet, texts), *whole)), texts)


def _incomplete_rows(sheet: Interview) -> list[SheetRow]:
    return [row for row in sheet.plan.rows if count_row(sheet, row) < row.exist]


def _name(sheet: Interview, cell: SheetCell, column: int) -> tuple[str, str]:
    if sheet.cursor != cell:
        return STRONG, shorten(sheet.text(cell), column)
    text = f"{sheet.text(cell)}▏"
    while display_width(text) > column:  # the end stays visible
        text = text[1:]
    return CURSOR, shorten(text, column)


def _cells(sheet: Interview, row: SheetRow, seat: int, score: RunningScore, column: int) -> ScreenLine:
    """A player's cells in a row, with their points so far."""
    cells = sheet.plan.cells_of(row, seat)
    line: ScreenLine = []
    for number, cell in enumerate(cells):
        width = column // len(cells) if number < len(cells) - 1 else column - sum(len(text) for _, text in line)
        points = f"→{format_signed(score.points[cell])}" if (
            cell in score.points and sheet.text(cell) and sheet.takes(cell) is not Takes.POINTS) else ""
        text = f"{sheet.text(cell)[-(width - len(points) - 1):]}{points}"
        line.append((CURSOR if cell == sheet.cursor else "", f"{text:>{width}}"))
    return line


def _widths(row: SheetRow) -> list[int]:
    """Widths of the cells of a shared row, in columns."""
    return [max(display_width(each.label) + 1, 8 if each.takes is Takes.LETTERS else 3) for each in row.columns]


def _shared_cells(sheet: Interview, row: SheetRow, widths: Sequence[int], room: int) -> ScreenLine:
    """The cells of a shared row; a last cell of letters takes the remaining width."""
    line: ScreenLine = []
    for cell, width in zip(sheet.plan.cells_of(row, 0), widths, strict=True):
        left = room - sum(len(text) for _, text in line)
        if cell.column == row.columns[-1].key and sheet.takes(cell) is Takes.LETTERS:
            width = max(min(left, LONGEST + 1), 2)
        text = sheet.text(cell)[-(width - 2):] or ("·" if cell != sheet.cursor else "")
        padded = f"  {text:<{width - 2}}" if sheet.takes(cell) is Takes.LETTERS else f"{text:>{width}}"
        line.append((CURSOR if cell == sheet.cursor else "", padded))
    return line


# Map sketch

def sketch_map(sheet: Interview, row: SheetRow) -> list[list[tuple[str, str]]]:
    """Draw a row on a map as lines of (kind, text); no lines if the row has no places.

    The map is scaled to :data:`SKETCH_WIDTH` minus the longest label and to :data:`SKETCH_HEIGHT`, whichever is
    tighter. Links are dotted first, between the middles of their labels; labels cover them. ``link`` are these dots,
    ``place`` is a cell like ``FR1=A``, ``here`` that of the cursor.
    """
    if not row.places:
        return []
    labels = {key: f"{column.label}={sheet.text(SheetCell(0, row.key, key)) or '·'}"
              for column in row.columns if (key := column.key) in row.places}
    xs, ys = zip(*row.places.values(), strict=True)
    room = SKETCH_WIDTH - max(map(len, labels.values()))
    scale = min(room / (max(xs) - min(xs) or 1), (SKETCH_HEIGHT - 1) * CHARACTER_ASPECT / (max(ys) - min(ys) or 1))
    at = {key: (round((x - min(xs)) * scale), round((y - min(ys)) * scale / CHARACTER_ASPECT))
          for key, (x, y) in row.places.items()}
    grid = [[(EMPTY, " ")] * SKETCH_WIDTH for _ in range(1 + max(y for _, y in at.values()))]
    for one, other in row.links:
        (x0, y0), (x1, y1) = ((at[key][0] + len(labels[key]) // 2, at[key][1]) for key in (one, other))
        steps = max(abs(x1 - x0) // 2, abs(y1 - y0), 1)
        for step in range(steps + 1):
            grid[round(y0 + (y1 - y0) * step / steps)][round(x0 + (x1 - x0) * step / steps)] = (LINK, "·")
    for key, label in labels.items():
        x, y = at[key]
        kind = HERE if sheet.cursor == SheetCell(0, row.key, key) else PLACE
        grid[y][x:x + len(label)] = [(kind, character) for character in label]
    return [_merge_runs(line) for line in grid]


def _merge_runs(line: list[tuple[str, str]]) -> list[tuple[str, str]]:
    return [(kind, "".join(text for _, text in run)) for kind, run in groupby(line, key=itemgetter(0))]
