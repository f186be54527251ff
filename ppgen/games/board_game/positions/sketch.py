"""Turns a country into a sketch for a terminal: its spaces with who holds them, its court, the roads between."""

from __future__ import annotations

from collections.abc import Mapping

from ppgen.games.board_game.board.model import Board, Point
from ppgen.games.board_game.scoring.plan import COUNCILLORS
from ppgen.lines import display_width
from ppgen.play.sheet import Cell

WIDE, HIGH = 76, 17
"""Columns and lines of the sketch, at most; a column is half as wide as a line is high."""
ROAD, EMPTY = "·", "."


def sketch(board: Board, country: str, cells: Mapping[Cell, str]) -> list[str]:
    """The lines of the sketch: ``FR1=A`` are its spaces, ``[BBC]`` its court, labels without a letter lie beyond its
    border. Nothing for what is no country."""
    if country not in board.labels:
        return []
    own = board.labels[country]
    roads = [road for road in board.roads if {*road.ends} & {*own}]
    court = next(each.court.at for each in board.countries if each.id == country)
    marks = {end: end for road in roads for end in road.ends}
    marks |= {label: f"{label}={cells.get(Cell(0, country, label), '').strip() or EMPTY}" for label in own}
    places = {**{label: board.space[label].at for label in marks}, COUNCILLORS: court}
    marks[COUNCILLORS] = f"[{cells.get(Cell(0, country, COUNCILLORS), '').strip()}]"
    ways = [point for road in roads for point in board.road_line(road, 60)]
    (left, width), (top, height) = (_extent([place[axis] for place in (*places.values(), *ways)]) for axis in (0, 1))
    wide = max(map(display_width, marks.values()))
    scale = min((WIDE - wide) / max(width, 1), 2 * (HIGH - 1) / max(height, 1))
    grid: dict[tuple[int, int], str] = {}

    def spot(place: Point) -> tuple[int, int]:
        return round((place.y - top) * scale / 2), round((place.x - left) * scale) + wide // 2

    grid |= {spot(point): ROAD for point in ways}
    for name, words in marks.items():
        row, column = spot(places[name])
        start = column - display_width(words) // 2
        grid |= {(row, start + at): "" for at in range(display_width(words))}
        grid[row, start] = words
    lines = []
    for row in range(max(at for at, _ in grid) + 1):
        line = {column: sign for (at, column), sign in grid.items() if at == row}
        lines.append("".join(line.get(column, " ") for column in range(max(line, default=-1) + 1)).rstrip())
    return lines


def _extent(values: list[float]) -> tuple[float, float]:
    """The least of the values, and how far the greatest lies from it."""
    return min(values), max(values) - min(values)
