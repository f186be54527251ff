"""Results in words and tables: sentences, terminal tables and Markdown."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import reduce

from ppgen.lines import display_width, shorten
from ppgen.reading.texts import Texts

PLACES = ("second", "third", "fourth", "fifth")  # keys of the places after the first, which few languages spell out
TABLE_WIDTH = 80  # columns of a line: the narrowest terminal that is still common
COLUMN, ENTRY = 15, 5  # columns of a player's column if there is room, and of the longest entry, `10→8 `


# --- Sentences ---

def count_phrase(what: str, count: int, texts: Texts) -> str:
    """Format a count with its noun: ``1 point``, ``61 points``. Each language lists its singular numbers."""
    singular = str(abs(count)) in texts("counted.singular").split()
    return texts(f"counted.{what}_one" if singular else f"counted.{what}", count=format_signed(count))


def join_clauses(names: Sequence[str], texts: Texts) -> str:
    """Join names: ``Andreas, Beate und Claus``."""
    *first, last = names
    return texts("results.and", first=_chain("results.list", first, texts), last=last) if first else last


def join_words(parts: Iterable[str], texts: Texts) -> str:
    """Join words: ``France, Saxony, ships``."""
    return _chain("results.list", list(parts), texts)


def _chain(key: str, parts: Sequence[str], texts: Texts) -> str:
    """Append each part to the ones before it with the text of the key."""
    return reduce(lambda first, last: texts(key, first=first, last=last), parts) if parts else ""


def format_signed(points: int) -> str:
    """Format points with a minus sign (U+2212)."""
    return str(points).replace("-", "−")


# Tables of a filled-in sheet, without a table library: importing one would take longer than the whole command.

@dataclass(frozen=True, slots=True, kw_only=True)
class ScoreTableRow:
    """A row: its label, and for each player a text for each half of the column."""

    label: str
    cells: tuple[tuple[str, ...], ...] = ()
    shared: str = ""  # one text for all
    strong: bool = False  # a sum
    parted: bool = False  # a rule above it


@dataclass(frozen=True, slots=True, kw_only=True)
class ScoreTable:
    """The players' names, the headings of the two halves of a column (empty if there is one), the rows, and a sentence
    that explains the cells."""

    players: tuple[str, ...]
    halves: tuple[str, ...] = ()
    rows: tuple[ScoreTableRow, ...]
    legend: str


@dataclass(frozen=True, slots=True, kw_only=True)
class StyledText:
    """A terminal line; ``strong`` ones are sums, ``rule`` ones separate."""

    text: str
    strong: bool = False
    rule: bool = False


def points_cell(count: int, points: int) -> str:
    """Format a count and its points with aligned arrows, or a dot for 0."""
    return f"{count}→{format_signed(points):<2}" if count else "·   "


def value_row(label: str, values: Iterable[int], *, strong: bool = False, parted: bool = False) -> ScoreTableRow:
    """Make a row with a number for each player."""
    return ScoreTableRow(label=label, cells=tuple((f"{format_signed(value):<2}",) for value in values), strong=strong,
                         parted=parted)


def terminal_lines(table: ScoreTable) -> Iterator[StyledText]:
    """Format the table as text: rows down, players across."""
    label = max(display_width(row.label) for row in table.rows)
    count = len(table.players)
    words = [display_width(half) for half in table.halves]
    column = min((TABLE_WIDTH - label) // count - 3, max(sum(words) + 1, COLUMN))
    rule = StyledText(text="─" * label + f"─┼{'─' * (column + 1)}" * count, rule=True)

    def line(name: str, cells: Sequence[str], strong: bool = False) -> StyledText:
        return StyledText(text=f"{shorten(name, label)}{''.join(f' │ {cell}' for cell in cells)}".rstrip(),
                          strong=strong)

    has_headings, half = False, column // 2
    if table.halves:
        first_half = min(half, max(column - words[1] - 1, ENTRY))
        has_headings = words[0] <= first_half and words[1] < column - first_half
        half = first_half if has_headings else half

    def cell(texts: Sequence[str]) -> str:
        first, last = texts if len(texts) > 1 else ("", texts[0])
        return f"{_align_right(first, half)}{_align_right(last, column - half)}"

    yield line("", [shorten(player, column) for player in table.players], strong=True)
    if has_headings:  # else the legend must do
        yield line("", [cell(table.halves)] * count)
    yield rule
    for row in table.rows:
        if row.parted:
            yield rule
        cells = [row.shared] if row.shared else [cell(texts) for texts in row.cells]
        yield line(row.label, cells, row.strong)


def markdown(table: ScoreTable) -> str:
    """Format the table as Markdown, one column for each player."""
    rows = [["", *map(_escape, table.players)], ["---", *["---:"] * len(table.players)]]
    for row in table.rows:
        cells = [row.shared] if row.shared else [" / ".join(text.strip() for text in texts if text)
                                                 for texts in row.cells]
        rows.append([f"**{cell}**" if row.strong else cell for cell in (row.label, *cells)])
    return "".join(f"| {' | '.join(row)} |\n" for row in rows)


def _align_right(text: str, width: int) -> str:
    return " " * (width - display_width(text)) + text


def _escape(name: str) -> str:
    return "".join(f"\\{character}" if character in "\\`*_{}[]<>|#~" else character for character in name)
