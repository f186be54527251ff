"""Turns ``borders.json`` into the :class:`Borders` of a board's lands."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

from ppgen.errors import InputError, Problems, listed
from ppgen.games.board_game.board.loading import is_point
from ppgen.games.board_game.board.model import Board, Borders, Line, Point
from ppgen.reading.fields import MAX_CHARACTERS, MAX_DEPTH, read_source
from ppgen.reading.limits import out_of_bounds

FILE = "borders.json"
Note = Callable[..., None]
"""Called with a key, what is wrong with it, and what to do."""
KEYS = ("source", "arcs", "lands", "isles")
MOST_POINTS = 20_000
"""Of all outlines together; the shipped ones have 2,200."""


def read_borders(folder: Path, board: Board, problems: Problems) -> Borders:
    """The outlines as far as the file is right; what is wrong with it is noted."""
    nothing = Borders(arcs=(), lands={}, isles=())
    try:
        source = read_source(folder, FILE)
    except InputError as error:
        problems.extend(error.problems)
        return nothing

    def note(key: str, what: str, remedy: str = "") -> None:
        problems.note(source.name, what, remedy, key=key)

    try:
        document = json.loads(source.text)
    except json.JSONDecodeError as error:
        problems.note(source.name, f"is not valid JSON: {error.msg}", line=error.lineno)
        return nothing
    except (RecursionError, ValueError):
        problems.note(source.name, "is not valid JSON: nested too deep, or with a number too long")
        return nothing
    if not isinstance(document, dict) or out_of_bounds(document, MAX_DEPTH, MAX_CHARACTERS):
        note("", "is no table of outlines", f"known: {listed(KEYS)}")
        return nothing
    for key in document:
        if key not in KEYS:
            note(key, "is not known", f"known: {listed(KEYS)}")
    before = len(problems)
    arcs, isles = (_lines(document.get(key), key, note) for key in ("arcs", "isles"))
    if sum(map(len, (*arcs, *isles))) > MOST_POINTS:
        note("", f"has more than {MOST_POINTS} points", "draw the outlines with fewer")
    lands = document.get("lands")
    if not isinstance(lands, dict):
        note("lands", "is not a table of lands", "write the numbers of the arcs of each")
        return nothing
    known = board.lands
    for land in dict.fromkeys((*known, *lands)) if known else ():
        if land not in known:
            note(f"lands.{land}", "is no country and no neighbour", f"known: {listed(known)}")
        elif land not in lands:
            note(f"lands.{land}", "is missing", "add the numbers of its arcs")
        elif not _is_ring(lands[land], len(arcs)):
            note(f"lands.{land}", "is no list of numbers of arcs", f"from {-len(arcs)} to {len(arcs) - 1}")
    if len(problems) > before:
        return nothing
    return Borders(arcs=arcs, lands={land: tuple(lands[land]) for land in known}, isles=isles)


def _lines(value: object, key: str, note: Note) -> tuple[Line, ...]:
    if not isinstance(value, list):
        note(key, "is not a list of lines", "write [[[x, y], [x, y], …], …]")
        return ()
    lines = []
    for number, line in enumerate(value):
        points = tuple(Point(*point) for point in line if is_point(point)) if isinstance(line, list) else ()
        if not isinstance(line, list) or len(points) != len(line) or len(points) < 2:
            note(f"{key}[{number}]", "is not a line of points", "write [[x, y], [x, y], …]")
        lines.append(points)
    return tuple(lines)


def _is_ring(value: object, arcs: int) -> bool:
    return isinstance(value, list) and bool(value) and all(type(each) is int and -arcs <= each < arcs for each in value)
