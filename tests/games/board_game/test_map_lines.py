"""Lines of the small maps in the rules: they keep both ends, and no two points on one spot."""

import re
from itertools import pairwise

from hypothesis import given, strategies as st

from ppgen.engine.geometry import Rect
from ppgen.games.board_game.board import BoardPoint
from ppgen.games.board_game.rules import FINE, View, _path

VIEW = View(window=Rect(0, 0, 20, 20), scale=1)
numbers = st.integers(0, 400).map(lambda number: number / 20)
points = st.builds(BoardPoint, numbers, numbers)


@given(st.lists(points, min_size=2, max_size=12), st.booleans())
def test_a_line_begins_and_ends_where_it_did_and_leaves_out_only_what_is_too_fine(line, closed):
    path = _path(line, VIEW, closed)
    drawn = [tuple(map(float, pair)) for pair in re.findall(r"(-?[\d.]+) (-?[\d.]+)", path)]
    assert (drawn[0], drawn[-1]) == ((line[0].x, line[0].y), (line[-1].x, line[-1].y))
    assert all(abs(a - c) + abs(b - d) >= FINE for (a, b), (c, d) in pairwise(drawn[:-1]))
    assert all(min(abs(point.x - x) + abs(point.y - y) for x, y in drawn) < FINE or (point.x, point.y) in drawn
               for point in line)
    assert path.endswith("Z") == closed
