"""A board that is larger than the paper, as a deck of one's own prints it: its tiles make up its face again."""

import json

import pypdfium2
import pytest

from tests.games.own_deck.decks import lay_out

DECK = """\
title = "Roads"
[board]
table = "board.csv"
front = "board.svg.j2"
size = "510x374mm"
"""
FIELD = 34
"""Each square of so many mm has a colour of its own; 510 and 374 are 15 and 11 of them."""
BOARD = """\
<svg xmlns="http://www.w3.org/2000/svg" viewBox="{{ face.view_box }}" data-seam="x 238, y 187">
  <rect x="{{ face.all.x }}" y="{{ face.all.y }}" width="{{ face.all.width }}" height="{{ face.all.height }}"
    fill="#204060"/>
  {% for row in range(11) %}{% for column in range(15) %}
  <rect x="{{ column * 34 }}" y="{{ row * 34 }}" width="34" height="34"
    fill="#{{ '%02x%02x80' % (column * 16, row * 16) }}"/>
  {% endfor %}{% endfor %}
</svg>
"""


@pytest.fixture
def roads(desk):
    lay_out(desk.folder, {"deck.toml": DECK, "board.csv": "name\nEurope\n", "board.svg.j2": BOARD})
    return desk


def test_each_field_of_the_board_is_printed_where_its_tile_says(roads):
    (entry,) = roads.built("--only", "board", "--paper", "a4")["files"]
    tiles = {side["placements"][0]["tile"]: side["placements"][0] for side in entry["sides"]}
    assert [*tiles] == ["A1", "B1", "A2", "B2"]
    assert (tiles["B2"]["window"]["x_mm"], tiles["B2"]["window"]["y_mm"]) == (238, 187)
    scale, seen = 2, set()
    with pypdfium2.PdfDocument(roads.folder / entry["path"]) as pdf:
        for page, side in zip(pdf, entry["sides"], strict=True):
            (placed,) = side["placements"]
            window, picture = placed["window"], page.render(scale=scale * 25.4 / 72).to_pil().convert("RGB")
            for column, row in ((column, row) for column in range(15) for row in range(11)):
                x, y = (column + 0.5) * FIELD - window["x_mm"], (row + 0.5) * FIELD - window["y_mm"]
                if 0 < x < window["width_mm"] and 0 < y < window["height_mm"]:
                    seen.add((column, row))
                    at = (round((placed["x_mm"] + x) * scale), round((placed["y_mm"] + y) * scale))
                    assert picture.getpixel(at) == pytest.approx((column * 16, row * 16, 128), abs=2), (column, row)
    assert len(seen) == 15 * 11


def test_a_board_on_half_its_scale_shows_each_field_at_half_and_warns(roads):
    words = ("--only", "board", "--board-scale", "50%")
    done = roads.run("build", *words, "--json")
    assert ("--board-scale board: printed at 50 %, 255 × 187 mm instead of 510 × 374 mm (pieces stay as they are: "
            "where 10 mm were meant for one, there are 5 mm, so look for smaller ones)") in done.stderr
    (entry,) = json.loads(done.stdout)[0]["files"]
    assert entry["path"] == "output/en/board-a4-board0.5.pdf"
    ((placed,),) = [side["placements"] for side in entry["sides"]]
    assert (placed["width_mm"], placed["height_mm"]) == (255, 187)
    with pypdfium2.PdfDocument(roads.folder / entry["path"]) as pdf:
        picture = pdf[0].render(scale=2 * 25.4 / 72).to_pil().convert("RGB")
    for column, row in ((column, row) for column in range(15) for row in range(11)):
        at = [round(2 * (placed[key] + (place + 0.5) * FIELD / 2)) for key, place in (("x_mm", column), ("y_mm", row))]
        assert picture.getpixel(tuple(at)) == pytest.approx((column * 16, row * 16, 128), abs=2), (column, row)
    beside = round(2 * (placed["x_mm"] - 1.5)), round(2 * (placed["y_mm"] + 90))
    assert picture.getpixel(beside) == (0x20, 0x40, 0x60)  # the bleed stays as wide as asked
    cut = roads.ppgen("export", "cut", *words, "--corners", "0", "--json")
    (drawing, _) = json.loads(cut.stdout)[0]["files"]
    assert (drawing["cuts"], drawing["width_mm"]) == (1, 297)


def test_paper_without_room_for_a_board_at_any_scale_is_refused(roads):
    done = roads.ppgen("build", "--only", "board", "--paper", "100x105mm", "--marks", "silhouette",
                       "--board-scale", "fit")
    assert done.exit_code == 1 and done.stderr.startswith("--board-scale board: ")
