"""Turns a board and players' names into an empty position to fill in: TOML, CSV or JSON."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Callable, Iterator, Mapping, Sequence

from ppgen.games.board_game import NAME
from ppgen.games.board_game.board.model import MIN_PLAYERS, Board
from ppgen.games.board_game.positions.names import Letters
from ppgen.reading.spreadsheets import guarded
from ppgen.reading.texts import Texts

EMPTY = "."
"""An empty space."""
EXAMPLE = ("23", "25", "19", "21", "24")
"""Points at the interim scoring; in the file there are none, so that nobody's are forgotten in silence."""


def template(form: str, board: Board, players: Sequence[str], texts: Texts) -> str:
    """An empty file in one of the formats; without players, for as few as can play."""
    names = players or [texts("template.player", n=number) for number in range(1, MIN_PLAYERS + 1)]
    forms: dict[str, Callable[[Board, Sequence[str], Texts], str]] = {"toml": _toml, "csv": _csv, "json": _json}
    return forms[form](board, names, texts)


def _toml(board: Board, names: Sequence[str], texts: Texts) -> str:
    letters = Letters(names)
    quoted = ", ".join(json.dumps(name, ensure_ascii=False) for name in names)
    one, other = letters.own[:2]
    return "\n".join((
        f"# {texts('template.head')}", f"# {texts('template.letters', letters=letters.spelled())}", "",
        f'game = "{NAME}"', f'date = ""             # {texts("tally.date")}',
        f'place = ""            # {texts("tally.place")}', f"players = [{quoted}]",
        f"before = []           # {texts('template.before')}: [{', '.join(EXAMPLE[:len(names)])}]", "",
        f"# {texts('template.spaces', example=one + other + EMPTY)}", "[spaces]",
        *_rows(board, texts, {country: EMPTY * len(labels) for country, labels in board.labels.items()}), "",
        f"# {texts('template.councillors', example=one + one + other)}", "[councillors]",
        *_rows(board, texts, {}), ""))


def _rows(board: Board, texts: Texts, spaces: Mapping[str, str]) -> Iterator[str]:
    """A row for each country, with the labels of its spaces where letters go by them."""
    for country, labels in board.labels.items():
        remark = f"# {texts(f'countries.{country}')}" + (f": {labels[0]} … {labels[-1]}" if spaces else "")
        yield f'{country} = "{spaces.get(country, "")}"'.ljust(26) + remark


def _csv(board: Board, names: Sequence[str], texts: Texts) -> str:
    out = io.StringIO()
    # spreadsheets part cells at the list separator of their language
    writer = csv.writer(out, lineterminator="\n", delimiter=texts("template.separator"))
    writer.writerow(["", *map(guarded, names)])
    writer.writerow(["game", NAME, *[""] * (len(names) - 1)])
    writer.writerow([texts("tally.before"), *[""] * len(names)])
    for country, labels in board.labels.items():
        writer.writerow([texts(f"countries.{country}"), EMPTY * len(labels), *[""] * (len(names) - 1)])
    return out.getvalue()


def _json(board: Board, names: Sequence[str], texts: Texts) -> str:
    return json.dumps({
        "game": NAME, "date": "", "place": "", "players": list(names), "before": [],
        "spaces": {country: EMPTY * len(labels) for country, labels in board.labels.items()},
        "councillors": dict.fromkeys(board.labels, "")}, ensure_ascii=False, indent=1) + "\n"
