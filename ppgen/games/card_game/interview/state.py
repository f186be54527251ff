"""The score sheet while somebody fills it in: what stands in its cells, where the pen is, and what comes of a key.

A cell is called as the form field of the printed sheet (``p1.name``, ``p1.france.cards``, ``p1.ships``),
so a finished interview is read as a filled-in form. Nothing here knows a terminal.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from ppgen.games.card_game.deck.model import MAX_PLAYERS, MIN_PLAYERS, Deck
from ppgen.games.card_game.scoring.points import Score, Tally, score_game
from ppgen.games.card_game.tallies.checked import LONGEST_NAME, SINGLE_COUNTS
from ppgen.games.card_game.tallies.counts import parse_count

LONGEST_SUM = 24
"""Characters of a count."""
COLUMNS = ("cards", "symbols")


@dataclass(frozen=True, slots=True, kw_only=True)
class Interview:
    """A sheet, ``at`` the cell where the pen is. ``fresh``: nothing was typed there since the pen came.

    ``passed`` are the cells that the pen went on from: what was left empty there is 0, and not forgotten.
    """

    deck: Deck
    cells: Mapping[str, str] = field(default_factory=dict)
    at: str = "p1.name"
    fresh: bool = True
    passed: frozenset[str] = frozenset()

    @property
    def seats(self) -> tuple[int, ...]:
        """The columns (from 1) in which anything stands."""
        used = {int(cell[1:].partition(".")[0]) for cell, text in self.cells.items() if text.strip()}
        return tuple(sorted(used))

    @property
    def seat(self) -> int:
        """The column of the pen."""
        return int(self.at[1:].partition(".")[0])

    @property
    def row(self) -> str:
        """The row of the pen: ``name``, a country, ``ships`` …"""
        return self.at.split(".")[1]

    @property
    def rows(self) -> tuple[str, ...]:
        return ("name", *(country.id for country in self.deck.countries), *SINGLE_COUNTS)

    def name(self, seat: int) -> str:
        return self.cells.get(f"p{seat}.name", "").strip()

    def cells_of(self, row: str, seat: int) -> tuple[str, ...]:
        """The cells of a row in a player's column."""
        countries = {country.id for country in self.deck.countries}
        return tuple(f"p{seat}.{row}.{column}" for column in COLUMNS) if row in countries else (f"p{seat}.{row}",)

    def text(self, cell: str) -> str:
        return self.cells.get(cell, "")


def typed(sheet: Interview, signs: str) -> Interview:
    """Characters at the pen. In a count the first digit replaces what stood there, a plus goes on with it."""
    is_name = sheet.row == "name"
    if signs.startswith("\x1b"):  # a key that has no meaning here
        return sheet
    wanted = "".join(sign for sign in signs if (sign.isprintable() if is_name else sign in "0123456789+"))
    old = "" if sheet.fresh and not is_name and not wanted.startswith("+") else sheet.text(sheet.at)
    return _written(sheet, (old + wanted)[:LONGEST_NAME if is_name else LONGEST_SUM]) if wanted else sheet


def erased(sheet: Interview) -> Interview:
    """The last character at the pen taken away."""
    return _written(sheet, sheet.text(sheet.at)[:-1])


def moved(sheet: Interview, steps: int) -> Interview:
    """The pen on the next cell (or the one before), country by country; at the ends it stays.

    Nobody is asked for the symbols of cards that they don't have.
    """
    order = [cell for cell in _order(sheet) if cell == sheet.at or not _needless(sheet, cell)]
    here = order.index(sheet.at) if sheet.at in order else 0
    if steps > 0 and sheet.row == "name" and not sheet.name(sheet.seat) and len(_named(sheet)) >= MIN_PLAYERS:
        here = MAX_PLAYERS - 1  # no more players: on to the first country
    passed = sheet.passed | {sheet.at} if steps > 0 else sheet.passed
    return replace(put(sheet, order[min(max(here + steps, 0), len(order) - 1)]), passed=passed)


def moved_row(sheet: Interview, steps: int) -> Interview:
    """The pen in the same column, a row down or up."""
    rows = sheet.rows
    row = rows[min(max(rows.index(sheet.row) + steps, 0), len(rows) - 1)]
    seat = sheet.seat if row == "name" or sheet.seat in sheet.seats else min(sheet.seats, default=1)
    if row != "name" and not sheet.seats:
        return sheet
    choice = sheet.cells_of(row, seat)
    return put(sheet, choice[-1] if sheet.at.endswith(".symbols") else choice[0])


def put(sheet: Interview, cell: str) -> Interview:
    """The pen on a cell; the first digit will replace what stands there."""
    return replace(sheet, at=cell, fresh=True)


def cell_of(sheet: Interview, field_name: str) -> str:
    """The cell that a problem of a form's field is about; a name to be filled in, if it is about none."""
    if field_name in _order(sheet):
        return field_name
    nameless = (seat for seat in range(1, MAX_PLAYERS + 1) if not sheet.name(seat))
    return f"p{next(nameless, 1)}.name"


def untouched(sheet: Interview) -> tuple[str, ...]:
    """The rows in which a cell is neither filled in nor passed; the one at the pen may be the last to be passed."""
    open_cells = {cell for cell in _order(sheet)[MAX_PLAYERS:] if not sheet.text(cell).strip()
                  and cell not in sheet.passed and not _needless(sheet, cell)}
    if is_last(sheet):
        open_cells.discard(sheet.at)
    return tuple(row for row in sheet.rows if any(cell.split(".")[1] == row for cell in open_cells))


def is_last(sheet: Interview) -> bool:
    return sheet.at == _order(sheet)[-1] and sheet.row != "name"


def running(sheet: Interview) -> Score:
    """The score of what stands there so far; what can't be read counts 0."""
    tallies = [Tally(
        name=sheet.name(seat) or f"p{seat}",
        cards={country.id: _count(sheet, f"p{seat}.{country.id}.cards") for country in sheet.deck.countries},
        symbols={country.id: _count(sheet, f"p{seat}.{country.id}.symbols") for country in sheet.deck.countries},
        **{key: _count(sheet, f"p{seat}.{key}") for key in SINGLE_COUNTS}) for seat in sheet.seats]
    return score_game(tallies, sheet.deck.countries)


def counted(sheet: Interview) -> dict[str, int]:
    """How many cards of each country are counted so far."""
    return {country.id: sum(_count(sheet, f"p{seat}.{country.id}.cards") for seat in sheet.seats)
            for country in sheet.deck.countries}


def from_tallies(deck: Deck, game: Mapping[str, Any]) -> Interview:
    """The sheet of a game in JSON, to be changed."""
    cells: dict[str, str] = {}
    for seat, player in enumerate(game["players"], 1):
        cells[f"p{seat}.name"] = player["name"]
        for column in COLUMNS:
            cells |= {f"p{seat}.{country}.{column}": str(count) for country, count in player[column].items()}
        cells |= {f"p{seat}.{key}": str(player[key]) for key in SINGLE_COUNTS}
    return Interview(deck=deck, cells=cells)


def from_draft(deck: Deck, draft: object) -> Interview | None:
    """The sheet of :func:`to_draft`, without what this deck has no cell for; None if nothing is left."""
    if not isinstance(draft, dict) or not isinstance(draft.get("cells"), dict):
        return None
    empty = Interview(deck=deck)
    known = {cell for row in empty.rows for seat in range(1, MAX_PLAYERS + 1) for cell in empty.cells_of(row, seat)}
    cells = {cell: text for cell, text in draft["cells"].items() if cell in known and isinstance(text, str) and text}
    passed = draft.get("passed")
    sheet = Interview(deck=deck, cells=cells, passed=frozenset(
        cell for cell in passed if isinstance(cell, str)) if isinstance(passed, list) else frozenset())
    at = draft.get("at")
    return (put(sheet, at) if isinstance(at, str) and at in _order(sheet) else sheet) if cells else None


def to_draft(sheet: Interview) -> dict[str, object]:
    """The sheet as JSON, to go on with later."""
    return {"cells": dict(sheet.cells), "at": sheet.at, "passed": sorted(sheet.passed)}


def _order(sheet: Interview) -> Sequence[str]:
    """The cells in the order of the rules: names, then country by country, then ships, carriages, tablets."""
    names = [f"p{seat}.name" for seat in range(1, MAX_PLAYERS + 1)]
    return [*names, *(cell for row in sheet.rows[1:] for seat in sheet.seats for cell in sheet.cells_of(row, seat))]


def _named(sheet: Interview) -> list[int]:
    return [seat for seat in sheet.seats if sheet.name(seat)]


def _needless(sheet: Interview, cell: str) -> bool:
    """Whether a cell is for the symbols of a country of which the player has no card, and empty."""
    cards = f"{cell.rpartition('.')[0]}.cards"
    return cell.endswith(".symbols") and not sheet.text(cell).strip() and not _count(sheet, cards)


def _written(sheet: Interview, text: str) -> Interview:
    return replace(sheet, cells={**sheet.cells, sheet.at: text}, fresh=False)


def _count(sheet: Interview, cell: str) -> int:
    try:
        return parse_count(sheet.text(cell).strip("+"))
    except ValueError:
        return 0
