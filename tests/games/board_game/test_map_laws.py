"""The map's laws: the shipped map keeps them all, and a map that is spoilt breaks just the one that it should."""

from collections.abc import Callable
from dataclasses import replace

import pytest

from ppgen.games.board_game.board import Board, BoardPoint, Borders, Court, Road
from ppgen.shipped import shipped_root
from tools.board_map.laws import judge_map
from tools.board_map.shapes import river_shape

DATA = shipped_root() / "data" / "board_game"
Spoil = Callable[[Board], Board]


def said(board: Board, borders: Borders) -> list[str]:
    return [str(problem).removeprefix(f"{DATA}/").rpartition("data/board_game/")[2]
            for problem in judge_map(board, borders, DATA)]


def moved(id: str, x: float, y: float) -> Spoil:
    """A space that lies elsewhere."""
    return lambda board: replace(board, spaces=tuple(
        space._replace(at=BoardPoint(x, y)) if space.id == id else space for space in board.spaces))


def box(number: int, **changes: object) -> Spoil:
    """A changed alliance."""
    return lambda board: replace(board, alliances=tuple(
        alliance._replace(**changes) if alliance.box == number else alliance for alliance in board.alliances))


def court(id: str, x: float, y: float, radius: float) -> Spoil:
    return lambda board: replace(board, countries=tuple(
        country._replace(court=Court(at=BoardPoint(x, y), radius=radius)) if country.id == id else country
        for country in board.countries))


def road(one: str, other: str, bow: float = 0) -> Spoil:
    """A road more, or one that bows otherwise."""
    def spoil(board: Board) -> Board:
        rest = tuple(road for road in board.roads if road.ends != (one, other))
        return replace(board, roads=(*rest, Road(ends=(one, other), bow=bow, line=99)))

    return spoil


def without(*ends: tuple[str, str]) -> Spoil:
    return lambda board: replace(board, roads=tuple(road for road in board.roads if road.ends not in ends))


def test_the_shipped_map_can_be_played(board, borders) -> None:
    assert said(board, borders) == []


@pytest.mark.parametrize("spoilt", [(
    (moved("EN2", 172, 82), "spaces.csv:11 EN2: lies 0.4 mm from the border of england (at least 1 mm)"),
    (moved("EN4", 116, 95), "spaces.csv:12 EN3: lies 5.3 mm from EN4 (at least 8 mm)"),
    (court("england", 20, 300, 13), "countries.toml:17 england: its court lies outside it (move it)"),
    (court("lotharingia", 240.5, 123, 13.5), "alliances.toml:45 box 7: lies 0.7 mm from the court of lotharingia (at "
                                             "least 1 mm)"),
    (box(1, at=BoardPoint(24, 178)), "alliances.toml:9 box 1: leaves the map (move it into the frame of board.toml)"),
    (box(2, at=BoardPoint(148, 118)),
     "alliances.toml:15 box 2: is over water, but lies on england (move it out to sea)"),
    (box(5, at=BoardPoint(226, 290)), "alliances.toml:39 box 6: lies on box 5 (move one of them)"),
    (box(9, at=BoardPoint(275, 124)), "alliances.toml:57 box 9: lies 6.5 mm from the border between lotharingia and "
     "franconia (its middle at most 4.5 mm)"),
    (box(12, ribbon=(BoardPoint(300, 30), BoardPoint(382, 136))),
     "alliances.toml:75 box 12: its ribbon does not reach franconia (let it end in the country)"),
    (road("EN5", "FR1"), "roads.csv:99 EN5–FR1: leaves england and france at 169, 112 (bow it to the other side, or "
                         "leave it out)"),
    (road("LO2", "LO4", 14), "roads.csv:99 LO2–LO4: crosses LO2–FK3 (bow one of them, or leave it out)"),
    (without(("EN2", "EN5"), ("EN1", "EN2")), "spaces.csv:11 EN2: no roads lead from it to the rest of its land (join "
                                              "them: chains of cloisters would end here)"),
    (lambda board: replace(board, seams_x=(), seams_y=(34.5,)),
     "board.toml seams.y: 34.5 cuts squares of the score track (a multiple of 17)")), (
    (box(2, water=False), "alliances.toml:15 box 2: england and france have no common border (water = true, or other "
                          "countries)"),
    (road("EN1", "EN4", 3), "roads.csv:99 EN1–EN4: lies on EN3 (at least 2.5 mm)"))])
def test_a_map_that_is_spoilt_in_several_places_breaks_just_these_laws(board, borders, spoilt) -> None:
    for spoil, _ in spoilt:
        board = spoil(board)
    assert sorted(said(board, borders)) == sorted(message for _, message in spoilt)


Redraw = Callable[[Borders], Borders]


def ring(land: str, *arcs: int) -> Redraw:
    return lambda borders: replace(borders, lands={**borders.lands, land: arcs})


def bent(arc: int, place: int, x: float, y: float) -> Redraw:
    """An arc of which one point lies elsewhere."""
    def redraw(borders: Borders) -> Borders:
        lines = [list(line) for line in borders.arcs]
        lines[arc][place] = BoardPoint(x, y)
        return replace(borders, arcs=tuple(map(tuple, lines)))

    return redraw


def isle(*points: tuple[float, float]) -> Redraw:
    return lambda borders: replace(borders, isles=(tuple(BoardPoint(*point) for point in points),))


@pytest.mark.parametrize(("redraw", "message"), [
    (ring("wales", 22), "borders.json wales: its outline is not closed (each arc begins where the one before ends)"),
    (bent(24, 5, 500, 200), "borders.json arcs[24]: leaves the map (all of it lies inside the frame of board.toml)"),
    (bent(21, 1, 40, 300), "crosses"),
    (isle((100, 40), (140, 40), (120, 120)), "borders.json isles[0]: its outline crosses that of"),
    (ring("wales", 21, 38), "borders.json wales: overlaps scotland"),
    (ring("wales", -22, -39), "borders.json wales: overlaps"),
])
def test_outlines_neither_break_nor_cross_nor_overlap(board, borders, redraw, message) -> None:
    found = said(board, redraw(borders))
    assert found
    assert all(line.startswith("borders.json ") for line in found)  # nothing else is judged on such lands
    assert message in found[0]


def test_a_river_springs_from_a_point():
    path = river_shape((BoardPoint(1, 2), BoardPoint(11, 2), BoardPoint(21, 2)))
    assert (path[:5], path[-5:]) == ("M1 2Q", " 1 2Z")
