"""Turns a row whose cells lie on a map into a small map of characters, with what stands in each."""

from __future__ import annotations

from ppgen.play.interview import Interview
from ppgen.play.sheet import Cell, Row

WIDTH, HEIGHT = 64, 15
"""Characters and lines that a map takes at most."""
TALL = 2.0
"""A character of a terminal is about twice as high as wide."""
LINK, HERE, PLACE, EMPTY = "link", "here", "place", ""


def sketch(sheet: Interview, row: Row) -> list[list[tuple[str, str]]]:
    """Lines of (kind, text): ``link`` are the dots of roads, ``place`` a cell like ``FR1=A``, ``here`` that of the pen.

    A row that lies on no map has no lines.
    """
    if not row.places:
        return []
    labels = {key: f"{column.label}={sheet.text(Cell(0, row.key, key)) or '·'}"
              for column in row.columns if (key := column.key) in row.places}
    xs, ys = zip(*row.places.values(), strict=True)
    room = WIDTH - max(map(len, labels.values()))
    scale = min(room / (max(xs) - min(xs) or 1), (HEIGHT - 1) * TALL / (max(ys) - min(ys) or 1))
    at = {key: (round((x - min(xs)) * scale), round((y - min(ys)) * scale / TALL))
          for key, (x, y) in row.places.items()}
    grid = [[(EMPTY, " ")] * WIDTH for _ in range(1 + max(y for _, y in at.values()))]
    for one, other in row.links:
        (x0, y0), (x1, y1) = ((at[key][0] + len(labels[key]) // 2, at[key][1]) for key in (one, other))
        steps = max(abs(x1 - x0) // 2, abs(y1 - y0), 1)
        for step in range(steps + 1):
            grid[round(y0 + (y1 - y0) * step / steps)][round(x0 + (x1 - x0) * step / steps)] = (LINK, "·")
    for key, label in labels.items():
        x, y = at[key]
        kind = HERE if sheet.at == Cell(0, row.key, key) else PLACE
        grid[y][x:x + len(label)] = [(kind, character) for character in label]
    return [_joined(line) for line in grid]


def _joined(line: list[tuple[str, str]]) -> list[tuple[str, str]]:
    """Neighbours of one kind as one text."""
    joined: list[tuple[str, str]] = []
    for kind, character in line:
        if joined and joined[-1][0] == kind:
            joined[-1] = kind, joined[-1][1] + character
        else:
            joined.append((kind, character))
    return joined
