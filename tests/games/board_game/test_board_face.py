"""The board as it is printed: names stand clear of what is played on, tiles part where they should."""

from __future__ import annotations

from itertools import combinations
from math import hypot

import pytest

from ppgen.assets import Assets, shipped
from ppgen.engine.geometry import Rect
from ppgen.errors import Problems
from ppgen.games.board_game.board.model import Board, Point
from ppgen.games.board_game.board.outlines import read_borders
from ppgen.games.board_game.printing.board import board_part
from ppgen.games.board_game.printing.labels import Labels
from ppgen.games.board_game.printing.scenery import read_scenery
from ppgen.production.workshop import Workshop

DATA = shipped() / "data"
LANGUAGES = ["de", "en", "fr", "nl", "da", "ja"]


@pytest.fixture(scope="module")
def workshop() -> Workshop:
    return Workshop.open(Assets.at(), game="board-game")


def labels_of(board: Board, workshop: Workshop, lang: str) -> Labels:
    folder, problems = DATA / "board_game", Problems()
    borders, scenery = read_borders(folder, board, problems), read_scenery(folder, problems)
    request = board_part(board, borders, scenery, workshop.texts(lang)).components[0].front
    assert request.measured
    labels = request.measured(workshop.fonts)["labels"]
    assert isinstance(labels, Labels)
    return labels


def gap(box: Rect, point: Point) -> float:
    """From a point to the nearest one of a box, in mm."""
    return hypot(max(box.x - point.x, 0, point.x - box.right), max(box.y - point.y, 0, point.y - box.bottom))


@pytest.mark.parametrize("lang", LANGUAGES)
def test_no_name_covers_what_is_played_on_nor_another(board: Board, workshop: Workshop, lang: str) -> None:
    labels = labels_of(board, workshop, lang)
    left, top, right, bottom = board.frame
    half = board.box_side / 2
    boxes = [Rect(alliance.at.x - half, alliance.at.y - half, 2 * half, 2 * half) for alliance in board.alliances]
    roads = [point for road in board.roads for point in board.road_line(road, 60)]
    for name, box in labels.boxes.items():
        assert left < box.x and box.right < right and top < box.y and box.bottom < bottom, name
        assert all(gap(box, space.at) >= board.space_radius for space in board.spaces), name
        assert all(gap(box, country.court.at) >= country.court.radius for country in board.countries), name
        assert not any(box.overlaps(other) for other in boxes), name
        assert all(gap(box, point) >= 1.1 for point in roads), name
    for (one, box), (other, second) in combinations(labels.boxes.items(), 2):
        assert not box.overlaps(second), f"{one} {other}"
