"""A row that lies on a map, drawn in characters: every space once, in its place, and the pen where it is."""

from __future__ import annotations

from dataclasses import replace

import pytest

from ppgen.assets import shipped_root
from ppgen.games.board_game.board_loading import load_board
from ppgen.games.board_game.score_text import sheet_plan
from ppgen.play import interview
from ppgen.play.interview import Interview
from ppgen.play.sheet_plan import SheetCell
from ppgen.play.sheet_screen import HERE, SKETCH_HEIGHT, SKETCH_WIDTH, sketch_map

PLAN = sheet_plan(load_board(shipped_root() / "data" / "board_game"))
MAPS = [row for row in PLAN.rows if row.places]


@pytest.mark.parametrize("row", MAPS, ids=[row.key for row in MAPS])
def test_every_space_stands_once_where_it_lies(row):
    sheet = Interview(plan=PLAN, cells={SheetCell(0, row.key, next(iter(row.places))): "A"})
    lines = ["".join(text for _, text in line) for line in sketch_map(sheet, row)]
    assert len(lines) <= SKETCH_HEIGHT
    assert max(map(len, lines)) <= SKETCH_WIDTH
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
    names = {SheetCell(seat, "name"): name for seat, name in enumerate(("Andreas", "Barbra", "Chris"), 1)}
    sheet = Interview(plan=PLAN, cells=names, cursor=SheetCell(0, row.key, row.columns[0].key))
    opened = interview.type_key(sheet, "?")
    assert opened == replace(sheet, map_open=True)
    gone_on = interview.type_key(opened, "A")
    assert [text for line in sketch_map(gone_on, row) for kind, text in line if kind == HERE] == [
        f"{row.columns[1].key}=·"]
    assert interview.type_key(opened, "?") == sheet


def test_a_name_may_hold_a_question_mark():
    assert interview.type_key(Interview(plan=PLAN), "?").text(SheetCell(1, "name")) == "?"


def test_a_row_without_places_has_no_map():
    assert sketch_map(Interview(plan=PLAN), PLAN.rows[0]) == []
