"""Score sheet on the terminal: the lines of an interview on the screen, and the map sketch."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby
from operator import itemgetter

from ppgen.errors import Problem
from ppgen.lines import display_width, shorten, wrap
from ppgen.play.interview import Interview, count_row, untouched_rows
from ppgen.play.result_text import TABLE_WIDTH, format_signed, join_words
from ppgen.play.sheet_plan import LONGEST, NAME_ROW, RunningScore, SheetCell, SheetRow, Takes
from ppgen.reading.texts import Texts

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
MAX_LABEL_COLUMNS, MAX_EMPTY_SEATS = 32, 6
"""Columns of a row's label; seats up to which all are shown, also empty ones."""
MAX_NAME_COLUMNS = 24
"""Columns of a name in the question, so that the question fits."""
MAX_CELLS_COLUMNS = 24
"""Columns of a player's cells in a row that is shown alone."""
MIN_TABLE_WIDTH = 60
"""Columns of a terminal that shows the table; a narrower one shows the row of the cursor."""


# Screen

def render_screen(sheet: Interview, score: RunningScore, texts: Texts, messages: Sequence[str],
                  width: int = TABLE_WIDTH) -> list[ScreenLine]:
    """Render the screen: the question, the sheet with running totals (or the map), problems, and help on the keys.

    A screen that is too narrow for the sheet shows the row that is asked for.
    """
    if width < MIN_TABLE_WIDTH:
        return [*_wrap(question(sheet, texts), STRONG, width), [], *_render_row(sheet, score, width), [],
                *_wrap(_standing(sheet, score, texts), "", width), [], *_footer(texts, messages, width)]
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
                *_footer(texts, messages, TABLE_WIDTH)]
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
    return [*lines, totals, [], *_footer(texts, messages, TABLE_WIDTH), *help_map]


def _render_row(sheet: Interview, score: RunningScore, width: int) -> list[ScreenLine]:
    """Render the row of the cursor, or the names, with a line for each player or shared cell."""
    row, seats = sheet.row, _shown_seats(sheet)
    if row is None:
        return [[(DIM, f"{seat} "), _name(sheet, SheetCell(seat, NAME_ROW), width - 4)] for seat in seats]
    if not row.shared:
        names = {seat: sheet.name(seat) for seat in sheet.seats}
        label = min(max(map(display_width, names.values()), default=0), width // 2)
        cells = min(width - label - 2, MAX_CELLS_COLUMNS)
        return [[(STRONG if seat == sheet.cursor.seat else "", shorten(name, label)), (DIM, "│"),
                 *_cells(sheet, row, seat, score, cells)] for seat, name in names.items()]
    players = {letter: sheet.name(seat) for seat, letter in sheet.letters.items()}
    lines: list[ScreenLine] = []
    for cell, column in zip(sheet.plan.cells_of(row, 0), row.columns, strict=True):
        text = sheet.text(cell)
        lines.append([(DIM, f"{column.label:>4} "), (CURSOR if cell == sheet.cursor else "", text or "·"),
                      (DIM, f" {players.get(text, '')}")])
    return lines


def _standing(sheet: Interview, score: RunningScore, texts: Texts) -> str:
    """The totals so far, in one sentence."""
    totals = [f"{sheet.name(seat)} {format_signed(score.totals[seat])}" for seat in sheet.seats if seat in score.totals]
    return f"{texts(sheet.plan.total)}: {' · '.join(totals)}" if totals else ""


def _wrap(text: str, style: str, width: int) -> list[ScreenLine]:
    return [[(style, line)] for line in wrap(text, width - 1)]


def _shown_seats(sheet: Interview) -> Sequence[int]:
    """All seats if they are few, or else those in use and a further one."""
    if sheet.plan.most <= MAX_EMPTY_SEATS:
        return sheet.plan.seats
    used = max((*sheet.seats, sheet.cursor.seat, sheet.plan.least - 1))
    return range(1, min(used + 1, sheet.plan.most) + 1)


def _footer(texts: Texts, messages: Sequence[str], width: int) -> list[ScreenLine]:
    wrapped = [line for message in messages for line in _wrap(message, WRONG, width)]
    return [*wrapped[:MESSAGE_LINES], *_wrap(texts("ask.help"), DIM, width)]


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
