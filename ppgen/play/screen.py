"""Turns a sheet that is being filled in into lines for a screen, each a row of (style, text)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from ppgen.errors import Problem
from ppgen.lines import display_width, fit, wrapped
from ppgen.play import interview
from ppgen.play.interview import Interview
from ppgen.play.sentences import enumerated, signed
from ppgen.play.sheet import LONGEST, NAME, Cell, Row, Running, Takes
from ppgen.play.sketch import EMPTY, HERE, LINK, PLACE, sketch
from ppgen.play.table import WIDTH
from ppgen.reading.texts import Texts

Line = list[tuple[str, str]]
PEN, STRONG, DIM, WRONG = "class:pen", "class:strong", "class:dim", "class:wrong"
MAP_STYLES = {EMPTY: "", LINK: DIM, PLACE: STRONG, HERE: PEN}
MESSAGE_LINES = 5
"""What is left of 24 lines for what is wrong."""
LONGEST_SHOWN = 24
"""Columns of a name in the question, which would not fit beside a longer one."""


def lines(sheet: Interview, score: Running, texts: Texts, messages: Sequence[str]) -> list[Line]:
    """The screen: what is asked for, the sheet with running totals, what is wrong, what the keys do."""
    plan = sheet.plan
    player, total = texts("history.player"), texts(plan.total)
    labels = [texts(row.label) for row in plan.rows]
    label = max(map(display_width, (player, *labels, total)))
    column = (WIDTH - 1 - label) // plan.most - 1
    shown: list[Line] = [[(STRONG, fit(question(sheet, texts), WIDTH - 1))], []]
    if sheet.map_open and sheet.row and sheet.row.places:
        drawn = [[(MAP_STYLES[kind], text) for kind, text in line] for line in sketch(sheet, sheet.row)]
        cells = _letters(sheet, sheet.row, _widths(sheet.row), WIDTH - 2 - label)
        return [*shown, *drawn, [], [(STRONG, fit(texts(sheet.row.label), label)), (DIM, "│"), *cells], [],
                *_foot(texts, messages)]
    names: Line = [(STRONG if sheet.row is None else "", fit(player, label))]
    for seat in plan.seats:
        names += [(DIM, "│"), _name(sheet, Cell(seat, NAME), column)]
    shown += [names, [(DIM, "─" * label + ("┼" + "─" * column) * plan.most)]]
    for row, words in zip(plan.rows, labels, strict=True):
        overfull = row.exist and interview.counted(sheet, row) > row.exist
        line: Line = [(WRONG if overfull else STRONG if row == sheet.row else "", fit(words, label))]
        if row.shared:
            widths = _widths(row)
            if row == sheet.row and any(each.label for each in row.columns):
                over = "".join(f"{each.label:>{width}}" for each, width in zip(row.columns, widths, strict=True))
                shown.append([(DIM, " " * (label + 1) + over)])
            line += [(DIM, "│"), *_letters(sheet, row, widths, WIDTH - 2 - label)]
        else:
            for seat in plan.seats:
                line += [(DIM, "│"), *_cells(sheet, row, seat, score, column)]
        shown.append(line)
    totals: Line = [(STRONG, fit(total, label))]
    for seat in plan.seats:
        text = signed(score.totals[seat]) if seat in score.totals else ""
        totals += [(DIM, "│"), (STRONG, " " * (column - len(text)) + text)]
    help_map = [[(DIM, texts("ask.help_map"))]] if sheet.row and sheet.row.places else []
    return [*shown, totals, [], *_foot(texts, messages), *help_map]


def _foot(texts: Texts, messages: Sequence[str]) -> list[Line]:
    """What is wrong, and what the keys do."""
    told = [line for message in messages for line in wrapped(message, WIDTH - 1)][:MESSAGE_LINES]
    return [*([(WRONG, line)] for line in told), [(DIM, texts("ask.help"))]]


def question(sheet: Interview, texts: Texts) -> str:
    """What belongs into the cell at the pen."""
    row, column = sheet.row, sheet.column_of(sheet.at)
    if row is None or column is None:
        return f"{texts('ask.title')} – {texts('ask.names', least=sheet.plan.least, most=sheet.plan.most)}"
    letters = " ".join(f"{letter}={fit(sheet.name(seat), 10).rstrip()}" for seat, letter in sheet.letters.items()
                       ) if row.shared else ""
    return texts(column.ask, name=fit(sheet.name(sheet.at.seat), LONGEST_SHOWN).rstrip(), row=texts(row.label),
                 number=row.exist, cell=column.label, letters=letters)


def complaints(problems: Iterable[Problem], texts: Texts) -> Iterator[str]:
    """What is wrong so far, and what to do."""
    for problem in problems:
        yield texts("ask.wrong", what=problem.what, remedy=problem.remedy)


def missing(sheet: Interview, texts: Texts) -> str:
    """The rows of which some are not counted yet; empty if all are."""
    return enumerated((texts("results.missing_row", row=texts(row.label), count=interview.counted(sheet, row),
                             number=row.exist) for row in _lacking(sheet)), texts)


def untouched(sheet: Interview, texts: Texts) -> str:
    """The rows of the sheet that nobody has been asked for yet; empty if all are filled in."""
    return enumerated((texts(row.label) for row in interview.untouched(sheet)), texts)


def gaps(sheet: Interview, texts: Texts) -> str:
    """All that is still to be counted, each row once; empty if that is nothing."""
    lacking = _lacking(sheet)
    whole = (texts(row.label) for row in interview.untouched(sheet) if row not in lacking)
    return enumerated(filter(None, (missing(sheet, texts), *whole)), texts)


def _lacking(sheet: Interview) -> list[Row]:
    return [row for row in sheet.plan.rows if interview.counted(sheet, row) < row.exist]


def _name(sheet: Interview, cell: Cell, column: int) -> tuple[str, str]:
    if sheet.at != cell:
        return STRONG, fit(sheet.text(cell), column)
    text = f"{sheet.text(cell)}▏"
    while display_width(text) > column:  # the end is where one types
        text = text[1:]
    return PEN, fit(text, column)


def _cells(sheet: Interview, row: Row, seat: int, score: Running, column: int) -> Line:
    """A player's cells in a row: what was typed, and the points it makes so far."""
    cells = sheet.plan.cells_of(row, seat)
    line: Line = []
    for number, cell in enumerate(cells):
        width = column // len(cells) if number < len(cells) - 1 else column - sum(len(text) for _, text in line)
        points = f"→{score.points[cell]}" if cell in score.points and sheet.text(cell) else ""
        text = f"{sheet.text(cell)[-(width - len(points) - 1):]}{points}"
        line.append((PEN if cell == sheet.at else "", f"{text:>{width}}"))
    return line


def _widths(row: Row) -> list[int]:
    """Of the cells of a row that belongs to all."""
    return [max(display_width(each.label) + 1, 8 if each.takes is Takes.LETTERS else 3) for each in row.columns]


def _letters(sheet: Interview, row: Row, widths: Sequence[int], room: int) -> Line:
    """The cells of a row that belongs to all; letters at its end take the room that is left."""
    line: Line = []
    for cell, width in zip(sheet.plan.cells_of(row, 0), widths, strict=True):
        left = room - sum(len(text) for _, text in line)
        if cell.column == row.columns[-1].key and sheet.takes(cell) is Takes.LETTERS:
            width = max(min(left, LONGEST + 1), 2)
        text = sheet.text(cell)[-(width - 2):] or ("·" if cell != sheet.at else "")
        shown = f"  {text:<{width - 2}}" if sheet.takes(cell) is Takes.LETTERS else f"{text:>{width}}"
        line.append((PEN if cell == sheet.at else "", shown))
    return line
