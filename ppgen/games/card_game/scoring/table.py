"""Turns a score into a table that reads like the score sheet: plain characters for a terminal, or Markdown.

Written by hand: a library for tables would take longer to import than the whole command may run.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from ppgen.games.card_game.deck.model import Country
from ppgen.games.card_game.scoring.points import PlayerScore, Score, chain_points
from ppgen.games.card_game.scoring.sentences import signed
from ppgen.lines import display_width, fit
from ppgen.reading.texts import Texts

WIDTH = 80
"""Characters a line: the narrowest terminal that is still common."""
COLUMN, ENTRY = 15, 5
"""Characters of a player's column if there is room, and of the longest entry, ``10→8 ``."""
_NONE = "·"


@dataclass(frozen=True, slots=True, kw_only=True)
class Line:
    """A line of the table; ``strong`` ones sum up, ``rule`` ones part."""

    text: str
    strong: bool = False
    rule: bool = False


def table(score: Score, countries: Sequence[Country], texts: Texts) -> Iterator[Line]:
    """The score sheet: countries down, players across, for each two columns ``count→points``."""
    rows = [(texts(f"countries.{country.id}"), [_country(player, country) for player in score.players])
            for country in countries]
    foot = _foot(score, texts)
    label = max(display_width(name) for name, _ in (*rows, *foot))
    count = len(score.players)
    left, right = texts("tally.cards"), texts("tally.symbols")
    words = display_width(left), display_width(right)
    column = min((WIDTH - label) // count - 3, max(sum(words) + 1, COLUMN))
    rule = Line(text="─" * label + f"─┼{'─' * (column + 1)}" * count, rule=True)

    def line(name: str, cells: Sequence[str], strong: bool = False) -> Line:
        return Line(text=f"{fit(name, label)}{''.join(f' │ {cell}' for cell in cells)}".rstrip(), strong=strong)

    half = min(column // 2, max(column - words[1] - 1, ENTRY))
    headed = words[0] <= half and words[1] < column - half
    half = half if headed else column // 2

    def pair(left: str, right: str) -> str:
        return f"{left:>{half}}{right:>{column - half}}"

    yield line("", [fit(player.name, column) for player in score.players], strong=True)
    if headed:  # else the legend has to do
        yield line("", [f"{_right(left, half)}{_right(right, column - half)}" for _ in score.players])
    yield rule
    for name, cells in rows:
        yield line(name, [pair(*cell) for cell in cells])
    yield rule
    for name, cells in foot:
        total = name == texts("score.total")
        if total:
            yield rule
        yield line(name, [pair(*cell) for cell in cells], strong=total)


def markdown(score: Score, countries: Sequence[Country], texts: Texts) -> str:
    """The same table in Markdown, one column a player."""
    head = ["", *(_escaped(player.name) for player in score.players)]
    cells = [(texts(f"countries.{country.id}"), [_country(player, country) for player in score.players])
             for country in countries]
    rows = [[name, *(" / ".join(half.strip() for half in pair if half) for pair in pairs)]
            for name, pairs in (*cells, *_foot(score, texts))]
    rows[-2] = [f"**{cell}**" for cell in rows[-2]]
    lines = [head, ["---", *("---:" for _ in score.players)], *rows]
    return "".join(f"| {' | '.join(line)} |\n" for line in lines)


def _country(player: PlayerScore, country: Country) -> tuple[str, str]:
    entry = player.countries[country.id]
    return _points(entry.cards, entry.country_points), _points(entry.symbols, entry.symbol_points)


def _points(count: int, points: int) -> str:
    return f"{count}→{signed(points):<2}" if count else f"{_NONE}   "


def _foot(score: Score, texts: Texts) -> list[tuple[str, list[tuple[str, str]]]]:
    """The rows below the countries, each a pair a player."""
    players = score.players
    return [
        (texts("score.subtotal"), [(f"{each.country_subtotal:<2}", f"{each.symbol_subtotal:<2}") for each in players]),
        (texts("tally.ships"), [("", _points(each.ships, chain_points(each.ships))) for each in players]),
        (texts("tally.carriages"), [("", _points(each.carriages, chain_points(each.carriages))) for each in players]),
        (texts("tally.minus_two"), [("", _points(each.minus_two, each.law_points)) for each in players]),
        (texts("score.total"), [("", f"{signed(each.total):<2}") for each in players]),
        (texts("results.rank"), [("", f"{each.rank:<2}") for each in players]),
    ]


def _right(text: str, width: int) -> str:
    return " " * (width - display_width(text)) + text


def _escaped(name: str) -> str:
    return "".join(f"\\{sign}" if sign in "\\`*_{}[]<>|#~" else sign for sign in name)
