"""A row that lies on a map, drawn in characters: every space once, in its place, and the pen where it is."""

from __future__ import annotations

from dataclasses import replace

import pytest

from ppgen.assets import shipped
from ppgen.games.board_game.board.loading import load_board
from ppgen.games.board_game.scoring.plan import plan_of
from ppgen.play import interview
from ppgen.play.interview import Interview
from ppgen.play.sheet import Cell
from ppgen.play.sketch import HEIGHT, HERE, WIDTH, sketch

PLAN = plan_of(load_board(shipped() / "data" / "board_game"))
MAPS = [row for row in PLAN.rows if row.places]


@pytest.mark.parametrize("row", MAPS, ids=[row.key for row in MAPS])
def test_every_space_stands_once_where_it_lies(row):
    sheet = Interview(plan=PLAN, cells={Cell(0, row.key, next(iter(row.places))): "A"})
    lines = ["".join(text for _, text in line) for line in sketch(sheet, row)]
    assert len(lines) <= HEIGHT
    assert max(map(len, lines)) <= WIDTH
    found = {key: next((line.index(f"{key}="), number) for number, line in enumerate(lines) if f"{key}=" in line)
             for key in row.places}
    assert sum(line.count("=") for line in lines) == len(row.places)
    for one, (x, y) in row.places.items():
        for other, (across, down) in row.places.items():
            if x <= across:
                assert found[one][0] <= found[other][0], (one, other)
            if y <= down:
                assert found[one][1] <= found[other][1], (one, other)
    assert sum(line.count("=A") for line in lines) == 1


def test_the_map_follows_the_pen_and_is_put_away_again():
    row = MAPS[0]
    names = {Cell(seat, "name"): name for seat, name in enumerate(("Andreas", "Barbra", "Chris"), 1)}
    sheet = Interview(plan=PLAN, cells=names, at=Cell(0, row.key, row.columns[0].key))
    opened = interview.typed(sheet, "?")
    assert opened == replace(sheet, map_open=True)
    gone_on = interview.typed(opened, "A")
    assert [text for line in sketch(gone_on, row) for kind, text in line if kind == HERE] == [
        f"{row.columns[1].key}=·"]
    assert interview.typed(opened, "?") == sheet


def test_a_name_may_hold_a_question_mark():
    assert interview.typed(Interview(plan=PLAN), "?").text(Cell(1, "name")) == "?"


def test_a_row_without_places_has_no_map():
    assert sketch(Interview(plan=PLAN), PLAN.rows[0]) == []
