"""The board as it is printed: names and trees stand clear of what is played on, and the face says where it is cut."""

from __future__ import annotations

import io
import re
from dataclasses import replace
from functools import cache
from itertools import combinations, pairwise
from math import hypot
from typing import Any

import pytest
from lxml import etree
from PIL import Image

from ppgen.assets import Assets, shipped_root
from ppgen.engine.colours import contrast, find_clashes
from ppgen.engine.drawing.face import Face
from ppgen.engine.drawing.fineness import find_fine_details
from ppgen.engine.geometry import INCH, Rect, Seams
from ppgen.engine.pdf.typesetting import faces_png
from ppgen.engine.pictures.ink import coverage
from ppgen.errors import Problems
from ppgen.games.board_game.board import Board, BoardLine, BoardPoint, Borders
from ppgen.games.board_game.board_loading import load_board, read_borders
from ppgen.games.board_game.map_art import MOUTH, SPRING, Range, read_scenery, river_shape
from ppgen.games.board_game.map_face import (
    HILLS,
    MIN_TREES,
    PEAKS,
    TREES,
    Stand,
    board_part,
    peak_boxes,
    place_mountains,
)
from ppgen.games.board_game.map_labels import RISE, OccupancyGrid, place_labels
from ppgen.production.workshop import Workshop

pytestmark = pytest.mark.slow

FOLDER = shipped_root() / "data" / "board_game"
LANGUAGES = ["de", "en", "fr", "nl", "da", "ja"]


@cache
def workshop() -> Workshop:
    return Workshop.open(Assets.at(), game="board-game")


@cache
def drawn_values(lang: str) -> Any:
    """What the template of the board is given, once words are measured."""
    board, problems = load_board(FOLDER), Problems()
    part = board_part(board, read_borders(FOLDER, board, problems), read_scenery(FOLDER, problems),
                      workshop().texts(lang))
    measure = part.components[0].front.measure
    assert measure and not problems
    return measure(workshop().fonts)


@cache
def face(lang: str, ink: str) -> Face:
    board, problems, texts = load_board(FOLDER), Problems(), workshop().texts(lang)
    part = board_part(board, read_borders(FOLDER, board, problems), read_scenery(FOLDER, problems), texts)
    return workshop().studio(texts, ink).draw(part.components[0].front, 2.0, "the board")


def gap(box: Rect, point: BoardPoint) -> float:
    """From a point to the nearest one of a box, in mm."""
    return hypot(max(box.x - point.x, 0, point.x - box.right), max(box.y - point.y, 0, point.y - box.bottom))


def boxes_of(board: Board) -> list[Rect]:
    half = board.box_side / 2
    return [Rect(alliance.at.x - half, alliance.at.y - half, 2 * half, 2 * half) for alliance in board.alliances]


@pytest.mark.parametrize("lang", LANGUAGES)
def test_no_name_covers_what_is_played_on_nor_another(board: Board, lang: str) -> None:
    labels = drawn_values(lang)["labels"]
    left, top, right, bottom = board.frame
    roads = [point for road in board.roads for point in board.road_line(road, 30)]
    assert len(labels.boxes) == 50 + 9 + 7
    for name, box in labels.boxes.items():
        assert left < box.x and box.right < right and top < box.y and box.bottom < bottom, name
        assert all(gap(box, space.at) >= board.space_radius for space in board.spaces), name
        assert all(gap(box, country.court.at) >= country.court.radius for country in board.countries), name
        assert not any(box.overlaps(other) for other in boxes_of(board)), name
        assert not any(box.x - 1 < x < box.right + 1 and box.y - 1 < y < box.bottom + 1 for x, y in roads), name
    for (one, box), (other, second) in combinations(labels.boxes.items(), 2):
        assert not box.overlaps(second), f"{one} {other}"


@pytest.mark.parametrize("lang", LANGUAGES)
def test_seams_run_beside_all_names(board: Board, lang: str) -> None:
    """Half a millimetre off, as tiles are glued."""
    cut = {name for name, box in drawn_values(lang)["labels"].boxes.items()
           if any(box.x - 0.5 < x < box.right + 0.5 for x in board.seams_x)
           or any(box.y - 0.5 < y < box.bottom + 0.5 for y in board.seams_y)}
    assert not cut


@pytest.mark.parametrize("lang", LANGUAGES)
def test_a_code_is_nearer_to_its_own_space_than_to_any_other_and_lies_in_its_country(board: Board, borders: Borders,
                                                                                     lang: str) -> None:
    """Score sheets depend on codes, so by 1.5 mm at least."""
    for space in board.spaces:
        code = drawn_values(lang)["labels"].spaces[space.id].words[0]
        assert code.words == space.id
        box = Rect(code.x, code.y - RISE * code.size, code.width, RISE * code.size)
        own, *others = (gap(box, other.at) for other in (space, *(each for each in board.spaces if each != space)))
        assert own < min(others) - 1.5, space.id
        assert own < board.space_radius + 7, space.id
        middle = BoardPoint(box.x + box.width / 2, box.y + box.height / 2)
        assert goes_around(borders.ring(space.country), middle), space.id


def test_a_map_of_ones_own_prefers_codes_beside_their_spaces(board: Board) -> None:
    """Without any obstacle, too, and between two spaces that stand close to each other."""
    one, other = board.spaces[:2]
    pair = (one._replace(at=BoardPoint(100, 100)), other._replace(at=BoardPoint(116, 100)))
    crowded = replace(board, spaces=pair, countries=(), neighbours=())
    borders = Borders(arcs=((BoardPoint(30, 30), BoardPoint(400, 30), BoardPoint(400, 300), BoardPoint(30, 300)),),
                      lands={one.country: (0,)}, isles=())
    grounds = [OccupancyGrid(board.width, board.height) for _ in range(4)]
    labels = place_labels(crowded, borders, {}, workshop().fonts.width, *grounds)
    for space, rival in (pair, pair[::-1]):
        code = labels.spaces[space.id].words[0]
        box = Rect(code.x, code.y - RISE * code.size, code.width, RISE * code.size)
        assert gap(box, space.at) < gap(box, rival.at)


def test_ribbons_end_clear_of_roads_courts_and_spaces(board: Board) -> None:
    """By a millimetre, as they are drawn: a stud is 3.4 mm wide, a road 2.3 mm."""
    roads = [point for road in board.roads for point in board.road_line(road, 60)]
    for alliance in board.alliances:
        for end in (alliance.ribbon[0], alliance.ribbon[-1]):
            assert min(hypot(end.x - x, end.y - y) for x, y in roads) >= 1.7 + 1.15 + 1, alliance.box
            for at, radius in (*((country.court.at, country.court.radius) for country in board.countries),
                               *((space.at, board.space_radius) for space in board.spaces)):
                assert hypot(end.x - at.x, end.y - at.y) >= 1.7 + radius + 1, alliance.box


@pytest.mark.parametrize("lang", ["fr", "ja"])
def test_the_name_of_a_space_stands_nearer_to_it_than_to_any_other(board: Board, lang: str) -> None:
    boxes = drawn_values(lang)["labels"].spaces
    for space in board.spaces:
        box = boxes[space.id].box
        assert gap(box, space.at) == min(gap(box, other.at) for other in board.spaces), space.id


@pytest.mark.parametrize("lang", ["de", "ja"])
def test_a_name_does_not_begin_beside_another_space(board: Board, lang: str) -> None:
    """The code of a space stands 3 mm off all other discs, at the height of which it would be taken for theirs."""
    for space in board.spaces:
        box = drawn_values(lang)["labels"].spaces[space.id].box
        beside = [other for other in board.spaces if other != space and other.at.x < box.x
                  and box.y < other.at.y + board.space_radius and box.bottom > other.at.y - board.space_radius]
        assert all(box.x - other.at.x > board.space_radius + 3 for other in beside), space.id


def is_tree(stand: Stand) -> bool:
    return stand.kind in TREES[0]


def boxes_of_stand(stand: Stand) -> tuple[Rect, ...]:
    if not is_tree(stand):
        return peak_boxes(stand, *(PEAKS if stand.kind in PEAKS[0] else HILLS)[1:])
    width, height = (stand.size * side for side in TREES[1:])
    return (Rect(stand.x - width / 2, stand.y - height, width, height),)


@pytest.mark.parametrize("lang", ["de", "ja"])
def test_mountains_and_trees_stand_on_free_land(board: Board, borders: Borders, lang: str) -> None:
    values = drawn_values(lang)
    assert len(values["stands"]) > 600
    for stand in values["stands"]:
        for box in boxes_of_stand(stand):
            assert not any(box.overlaps(name) for name in values["labels"].boxes.values())
            assert all(gap(box, space.at) >= board.space_radius for space in board.spaces)
            assert all(gap(box, country.court.at) >= country.court.radius for country in board.countries)
            assert not any(box.overlaps(other) for other in boxes_of(board))
            assert is_land(borders, BoardPoint(box.x + box.width / 2, box.y + box.height / 2))


@pytest.mark.parametrize("lang", LANGUAGES)
def test_trees_overlap_in_woods(lang: str) -> None:
    """No tree stands alone, and no wood has less than ten."""
    trees = [stand for stand in drawn_values(lang)["stands"] if is_tree(stand)]
    while trees:
        wood = [trees.pop()]
        for tree in wood:
            near = [other for other in trees if hypot(other.x - tree.x, other.y - tree.y) < 3]
            wood += near
            trees = [other for other in trees if other not in near]
        assert len(wood) >= MIN_TREES


@pytest.mark.parametrize("lang", LANGUAGES)
def test_the_alps_are_a_chain_without_a_gap(lang: str) -> None:
    """From the Rhone to Carinthia, in all languages: names stand elsewhere."""
    alps = sorted(stand.x for stand in drawn_values(lang)["stands"] if stand.kind in PEAKS[0] and 185 < stand.y < 215
                  and 290 < stand.x < 440)
    assert len(alps) > 15
    assert max(other - one for one, other in pairwise(alps)) < 16


def test_a_range_may_be_narrow_and_has_its_largest_mountain_in_the_middle() -> None:
    line = BoardPoint(50, 100), BoardPoint(250, 100)
    small, chain = ([*place_mountains(OccupancyGrid(300, 200), [Range(line=line, spread=spread)])]
                    for spread in (0.0, 12.0))
    assert {stand.size for stand in small} == {0.55}
    middle = [stand.size for stand in chain if 100 < stand.x < 200]
    assert min(middle) > max(stand.size for stand in chain if stand.x < 60)


def test_a_river_gets_wider_from_its_spring_to_its_mouth() -> None:
    path = river_shape(tuple(BoardPoint(5.0 * n, 100) for n in range(61)))
    ys = [float(y) for y in re.findall(r"[\d.]+ ([\d.]+)", path)]
    assert ys[0] == pytest.approx(100 + SPRING / 2) or ys[0] == pytest.approx(100 - SPRING / 2)
    assert max(ys) - min(ys) == pytest.approx(MOUTH, abs=0.02)
    half = len(ys) // 2
    assert [abs(y - 100) for y in ys[:half]] == sorted(abs(y - 100) for y in ys[:half])


def is_land(borders: Borders, point: BoardPoint) -> bool:
    """Whether an odd number of outlines lies to the left of a point, each of which goes around a land."""
    return sum(goes_around(ring, point) for ring in (*map(borders.ring, borders.lands), *borders.isles)) % 2 == 1


def goes_around(ring: BoardLine, point: BoardPoint) -> bool:
    """Whether a ring goes around a point: an odd number of its sides lies to the left."""
    return sum(_crosses(one, other, point) for one, other in zip(ring, (*ring[1:], ring[0]), strict=True)) % 2 == 1


def _crosses(one: BoardPoint, other: BoardPoint, point: BoardPoint) -> bool:
    if (one.y > point.y) == (other.y > point.y):
        return False
    return one.x + (other.x - one.x) * (point.y - one.y) / (other.y - one.y) < point.x


def test_waves_are_at_sea(borders: Borders) -> None:
    waves = drawn_values("de")["waves"]
    assert len(waves) > 50
    assert not any(is_land(borders, wave) for wave in waves)


def test_the_strokes_of_the_coast_run_into_the_sea(borders: Borders) -> None:
    strokes = [line.replace("h", " ").split() for line in drawn_values("de")["strokes"].split("M")[1:]]
    assert len(strokes) > 1000
    for x, y, length in strokes[::7]:
        assert not is_land(borders, BoardPoint(float(x) + 0.7 * float(length), float(y))), (x, y, length)


def test_the_face_says_where_it_is_cut_and_shares_its_edge(board: Board) -> None:
    drawn = face("de", "full")
    assert drawn.seams == Seams(x=board.seams_x, y=board.seams_y)
    assert drawn.edge == "vellum"


@pytest.mark.parametrize("ink", ["full", "low"])
def test_nothing_is_drawn_beyond_the_cut(ink: str) -> None:
    drawn = face("de", ink)
    (png,) = faces_png([drawn], workshop().fonts.folder, 100)
    with Image.open(io.BytesIO(png)) as opened:
        picture = opened.convert("RGB")
    bleed = int(drawn.bleed / INCH * 100)
    right, bottom = picture.width - 1, picture.height - 1  # the last pixels may be cut
    strips = [(0, 0, right, bleed), (0, bottom - bleed, right, bottom),
              (0, 0, bleed, bottom), (right - bleed, 0, right, bottom)]
    assert len({colour for strip in strips for _, colour in picture.crop(strip).getcolors() or ()}) == 1


@pytest.mark.parametrize(("lang", "ink"), [("de", "low"), ("ja", "full")])
def test_every_name_number_and_sign_is_drawn(board: Board, lang: str, ink: str) -> None:
    root = etree.fromstring(face(lang, ink).svg.encode())
    words = ["".join(element.itertext()) for element in root.iter("{*}text")]
    texts = workshop().texts(lang)
    for space in board.spaces:
        assert space.id in words and space.name in words
    for country in board.countries:
        assert texts(f"countries.{country.id}").upper() in words
    assert {str(number) for number in range(100)} <= set(words)
    uses = [element.get("href", "") for element in root.iter("{*}use")]
    assert sum(use.startswith("#abbey-") for use in uses) == 50
    assert sum(use == "#square-dark" for use in uses) == 20 and sum(use == "#square" for use in uses) == 80


@pytest.mark.parametrize("ink", ["full", "low"])
def test_names_are_legible_on_land_and_sea(board: Board, ink: str) -> None:
    """Contrast with the halo around their letters, and with two thirds of the ground where that is lightest."""
    root = etree.fromstring(face("de", ink).svg.encode())
    fills: dict[str, list[str]] = {}  # of the halo, if there is one, and of the letters
    for element in [*root.iter("{*}text")]:
        fills.setdefault("".join(element.itertext()), []).append(element.get("fill", ""))
        element.getparent().remove(element)
    values, drawn = drawn_values("de"), face("de", ink)
    (png,) = faces_png([replace(drawn, svg=etree.tostring(root).decode())], workshop().fonts.folder, 72)
    scale = 72 / INCH
    with Image.open(io.BytesIO(png)) as opened:
        ground = opened.convert("RGB")
    for name, label in (*values["labels"].spaces.items(), *values["labels"].countries.items(),
                        *values["labels"].neighbours.items()):
        left, top, right, bottom = ((side + drawn.bleed) * scale for side in (label.box.x, label.box.y,
                                                                               label.box.right, label.box.bottom))
        cut = ground.crop((int(left), int(top), int(right), int(bottom)))
        halo, letters = fills[label.words[0].words][0], fills[label.words[0].words][-1]
        pixels = sorted(contrast(letters, f"#{red:02X}{green:02X}{blue:02X}")
                        for count, (red, green, blue) in cut.getcolors(1 << 16) or () for _ in range(count))
        assert pixels[len(pixels) // 3] >= 7, name
        assert halo == letters or contrast(letters, halo) >= 7, name


def test_low_ink_takes_little() -> None:
    full, low = coverage([face("de", "full"), face("de", "low")], workshop().fonts.folder)
    assert low <= 0.12
    assert full > 2 * low


@pytest.mark.parametrize("ink", ["full", "low"])
def test_nothing_is_too_fine_to_print(ink: str) -> None:
    assert find_fine_details(face("de", ink)) == ()


def test_lands_are_told_apart_by_readers_of_every_kind() -> None:
    lands = workshop().game.swatches[0]
    assert not [like for like in find_clashes(lands) if like.vision != "grey"]
    assert len({land.cue for land in lands}) == len(lands)


def test_scenery_is_judged(board_folder: Any) -> None:
    board_folder.change("scenery.toml", ('kind = "whale"', 'kind = "submarine"'), ("size = 22", "size = 9000"),
                        ("title = [338, 23, 150, 33]", "title = [338, 23, 150]"), ("turn = -74", "turn = -740"),
                        ("key = [24, 262, 50, 86]", "key = [24, 262, 50, 8]"))
    problems = board_folder.problems()
    assert len(problems) == 5
    assert all(problem.startswith("scenery.toml:") for problem in problems)
    assert any("'submarine' is not known" in problem for problem in problems)


def test_a_line_of_the_scenery_has_an_end(board_folder: Any) -> None:
    there_and_back = ", ".join(["[10, 10], [500, 300]"] * 60)
    board_folder.change("scenery.toml", ("line = [[97.3, 246.4], [167.7, 266.9]]", f"line = [{there_and_back}]"))
    assert any("mm long (at most 2,000 mm)" in problem for problem in board_folder.problems())
