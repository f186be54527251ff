"""Turns a sheet that is being filled in into lines for a screen, each a row of (style, text)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from ppgen.errors import Problem
from ppgen.games.card_game.deck.model import MAX_PLAYERS, Country
from ppgen.games.card_game.interview import state as interview
from ppgen.games.card_game.interview.state import Interview
from ppgen.games.card_game.scoring.points import PlayerScore
from ppgen.games.card_game.scoring.sentences import enumerated, signed
from ppgen.games.card_game.scoring.table import WIDTH
from ppgen.games.card_game.tallies.checked import SINGLE_COUNTS
from ppgen.lines import display_width, fit, wrapped
from ppgen.reading.texts import Texts

Line = list[tuple[str, str]]
PEN, STRONG, DIM, WRONG = "class:pen", "class:strong", "class:dim", "class:wrong"
MESSAGE_LINES = 5
"""What is left of 24 lines for what is wrong."""
LONGEST_SHOWN = 24
"""Columns of a name in the question, which would not fit beside a longer one."""


def lines(sheet: Interview, texts: Texts, messages: Sequence[str]) -> list[Line]:
    """The screen: what is asked for, the sheet with running totals, what is wrong, what the keys do."""
    score = dict(zip(sheet.seats, interview.running(sheet).players, strict=True))
    labels = {row: _label(row, texts) for row in sheet.rows}
    total = texts("score.total")
    label = max(map(display_width, (*labels.values(), total)))
    column = (WIDTH - 1 - label) // MAX_PLAYERS - 1
    wrong = {country.id for country in _overfull(sheet)}
    shown: list[Line] = [[(STRONG, fit(question(sheet, texts), WIDTH - 1))], []]
    for row in sheet.rows:
        style = WRONG if row in wrong else STRONG if row == sheet.row else ""
        line: Line = [(style, fit(labels[row], label))]
        for seat in range(1, MAX_PLAYERS + 1):
            line.append((DIM, "│"))
            line.extend(_cells(sheet, row, seat, score.get(seat), column))
        shown.append(line)
        if row == "name":
            shown.append([(DIM, "─" * label + ("┼" + "─" * column) * MAX_PLAYERS)])
    totals: Line = [(STRONG, fit(total, label))]
    for seat in range(1, MAX_PLAYERS + 1):
        text = signed(score[seat].total) if seat in score else ""
        totals += [(DIM, "│"), (STRONG, " " * (column - len(text)) + text)]
    told = [line for message in messages for line in wrapped(message, WIDTH - 1)][:MESSAGE_LINES]
    return [*shown, totals, [], *([(WRONG, line)] for line in told), [(DIM, texts("ask.help"))]]


def question(sheet: Interview, texts: Texts) -> str:
    """What belongs into the cell at the pen."""
    row, name = sheet.row, fit(sheet.name(sheet.seat), LONGEST_SHOWN).rstrip()
    if row == "name":
        return f"{texts('ask.title')} – {texts('ask.names')}"
    country = next((country for country in sheet.deck.countries if country.id == row), None)
    if country is None:
        return texts(f"ask.{row}", name=name)
    land = texts(f"countries.{row}")
    if sheet.at.endswith(".symbols"):
        return texts("ask.symbols_of", name=name, country=land)
    return texts("ask.cards_of", name=name, country=land, number=country.number)


def complaints(problems: Iterable[Problem], texts: Texts) -> Iterator[str]:
    """What is wrong so far, and what to do."""
    for problem in problems:
        yield texts("ask.wrong", what=problem.what, remedy=problem.remedy)


def missing(sheet: Interview, texts: Texts) -> str:
    """The countries of which cards are not counted yet; empty if all are."""
    counts = interview.counted(sheet)
    return enumerated((texts("results.missing_country", country=texts(f"countries.{country.id}"),
                             count=counts[country.id], number=country.number)
                       for country in sheet.deck.countries if counts[country.id] < country.number), texts)


def untouched(sheet: Interview, texts: Texts) -> str:
    """The rows of the sheet that nobody has been asked for yet; empty if all are filled in."""
    return enumerated((_label(row, texts) for row in interview.untouched(sheet)), texts)


def gaps(sheet: Interview, texts: Texts) -> str:
    """All that is still to be counted, each country and row once; empty if that is nothing."""
    counts = interview.counted(sheet)
    whole = [row for row in interview.untouched(sheet)
             if not any(country.id == row and counts[row] < country.number for country in sheet.deck.countries)]
    return enumerated(filter(None, (missing(sheet, texts), *(_label(row, texts) for row in whole))), texts)


def _overfull(sheet: Interview) -> list[Country]:
    counts = interview.counted(sheet)
    return [country for country in sheet.deck.countries if counts[country.id] > country.number]


def _label(row: str, texts: Texts) -> str:
    if row == "name":
        return texts("score.player")
    return texts(f"tally.{row}" if row in SINGLE_COUNTS else f"countries.{row}")


def _cells(sheet: Interview, row: str, seat: int, score: PlayerScore | None, column: int) -> Line:
    """A player's cells in a row: what was typed, and the points it makes so far."""
    cells = sheet.cells_of(row, seat)
    if row == "name":
        if sheet.at != cells[0]:
            return [(STRONG, fit(sheet.text(cells[0]), column))]
        text = f"{sheet.text(cells[0])}▏"
        while display_width(text) > column:  # the end is where one types
            text = text[1:]
        return [(PEN, fit(text, column))]
    line: Line = []
    for number, cell in enumerate(cells):
        width = column // 2 if number == 0 and len(cells) == 2 else column - sum(len(text) for _, text in line)
        points = ""
        if len(cells) == 2 and score and sheet.text(cell):
            entry = score.countries[row]
            points = f"→{entry.country_points if number == 0 else entry.symbol_points}"
        text = f"{sheet.text(cell)[-(width - len(points) - 1):]}{points}"
        line.append((PEN if cell == sheet.at else "", f"{text:>{width}}"))
    return line
