"""The board as it is printed: names and trees stand clear of what is played on, and the face says where it is cut."""

import io
from dataclasses import replace
from functools import cache
from itertools import chain, combinations
from math import hypot
from typing import Any

import pytest
from lxml import etree
from PIL import Image

from ppgen.assets import Assets
from ppgen.engine.colours import contrast
from ppgen.engine.drawing.face import Face, FaceRequest
from ppgen.engine.geometry import INCH, Rect
from ppgen.engine.pdf.typesetting import faces_png
from ppgen.games.board_game.board import Board, BoardLine, BoardPoint, Borders, load_board
from ppgen.games.board_game.components import board_part, read_drawn_map
from ppgen.printing.workshop import Workshop
from ppgen.shipped import shipped_root

pytestmark = pytest.mark.slow

FOLDER = shipped_root() / "data" / "board_game"
LANGUAGES = ["de", "en", "fr", "nl", "da", "ja"]
RISE, DROP, SIGN = 0.72, 0.26, 1.3
"""Ascent and descent of letters, and the room for the sign before a country's name, in parts of the type size."""


@cache
def workshop() -> Workshop:
    return replace(Workshop.open(Assets.at(), game="board-game"), results={})


@cache
def request(lang: str) -> FaceRequest:
    """The board that is to be drawn."""
    board = load_board(FOLDER)
    return board_part(board, read_drawn_map(FOLDER, board), workshop().texts(lang)).components[0].front


def label_boxes(lang: str, kind: str) -> dict[str, Rect]:
    """The boxes that the words of the labels of a kind fill, with the sign before a country's name."""
    values = request(lang).values
    ids = [each.id for each in values["board"].neighbours] if kind == "neighbours" else [
        each["id"] for each in values[kind]]
    labels = values[kind] if kind == "neighbours" else [each["label"] for each in values[kind]]
    return {id: _box(label["words"], SIGN if kind == "countries" else 0) for id, label in zip(ids, labels, strict=True)}


def _box(words: list[dict[str, Any]], sign: float) -> Rect:
    left = min(word["x"] - sign * word["size"] for word in words)
    top = min(word["y"] - RISE * word["size"] for word in words)
    right = max(word["x"] + word["width"] for word in words)
    bottom = max(word["y"] + (0.1 if word["spacing"] else DROP) * word["size"] for word in words)
    return Rect(left, top, right - left, bottom - top)


def all_boxes(lang: str) -> dict[str, Rect]:
    return {id: box for kind in ("countries", "neighbours", "spaces") for id, box in label_boxes(lang, kind).items()}


@cache
def face(lang: str, ink: str) -> Face:
    return workshop().studio(workshop().texts(lang), ink).draw(request(lang), 2.0, "the board")


def gap(box: Rect, point: BoardPoint) -> float:
    """From a point to the nearest one of a box, in mm."""
    return hypot(max(box.x - point.x, 0, point.x - box.right), max(box.y - point.y, 0, point.y - box.bottom))


def boxes_of(board: Board) -> list[Rect]:
    half = board.box_side / 2
    return [Rect(alliance.at.x - half, alliance.at.y - half, 2 * half, 2 * half) for alliance in board.alliances]


@pytest.mark.parametrize("lang", LANGUAGES)
def test_no_name_covers_what_is_played_on_nor_another(board: Board, lang: str) -> None:
    boxes = all_boxes(lang)
    left, top, right, bottom = board.frame
    roads = [point for road in board.roads for point in board.road_line(road, 30)]
    assert len(boxes) == 50 + 9 + 7
    for name, box in boxes.items():
        assert left < box.x and box.right < right and top < box.y and box.bottom < bottom, name
        assert all(gap(box, space.at) >= board.space_radius for space in board.spaces), name
        assert all(gap(box, country.court.at) >= country.court.radius for country in board.countries), name
        assert not any(box.overlaps(other) for other in boxes_of(board)), name
        assert not any(box.x - 1 < x < box.right + 1 and box.y - 1 < y < box.bottom + 1 for x, y in roads), name
    for (one, box), (other, second) in combinations(boxes.items(), 2):
        assert not box.overlaps(second), f"{one} {other}"


@pytest.mark.parametrize("lang", LANGUAGES)
def test_seams_run_beside_all_names(board: Board, lang: str) -> None:
    """Half a millimetre off, as tiles are glued."""
    cut = {name for name, box in all_boxes(lang).items()
           if any(box.x - 0.5 < x < box.right + 0.5 for x in board.seams_x)
           or any(box.y - 0.5 < y < box.bottom + 0.5 for y in board.seams_y)}
    assert not cut


@pytest.mark.parametrize("lang", LANGUAGES)
def test_a_code_is_nearer_to_its_own_space_than_to_any_other_and_lies_in_its_country(board: Board, borders: Borders,
                                                                                     lang: str) -> None:
    """Score sheets depend on codes, so by 1.5 mm at least."""
    for space, drawn in zip(board.spaces, request(lang).values["spaces"], strict=True):
        code = drawn["label"]["words"][0]
        assert code["words"] == space.id
        box = Rect(code["x"], code["y"] - RISE * code["size"], code["width"], RISE * code["size"])
        own, *others = (gap(box, other.at) for other in (space, *(each for each in board.spaces if each != space)))
        assert own < min(others) - 1.5, space.id
        assert own < board.space_radius + 7, space.id
        middle = BoardPoint(box.x + box.width / 2, box.y + box.height / 2)
        assert goes_around(borders.ring(space.country), middle), space.id


def goes_around(ring: BoardLine, point: BoardPoint) -> bool:
    """Whether a ring goes around a point: an odd number of its sides lies to the left."""
    return sum(_crosses(one, other, point) for one, other in zip(ring, (*ring[1:], ring[0]), strict=True)) % 2 == 1


def _crosses(one: BoardPoint, other: BoardPoint, point: BoardPoint) -> bool:
    if (one.y > point.y) == (other.y > point.y):
        return False
    return one.x + (other.x - one.x) * (point.y - one.y) / (other.y - one.y) < point.x


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


@pytest.mark.parametrize(("lang", "ink"), [("de", "low"), ("ja", "full")])
def test_names_are_legible_on_land_and_sea(board: Board, lang: str, ink: str) -> None:
    """Contrast with the halo around their letters, and with two thirds of the ground where that is lightest."""
    root, texts = etree.fromstring(face(lang, ink).svg.encode()), workshop().texts(lang)
    fills: dict[str, list[str]] = {}  # of the halo, if there is one, and of the letters
    for element in [*root.iter("{*}text")]:
        fills.setdefault("".join(element.itertext()), []).append(element.get("fill", ""))
        element.getparent().remove(element)
    drawn = face(lang, ink)
    (png,) = faces_png([replace(drawn, svg=etree.tostring(root).decode())], workshop().fonts.folder, 72)
    scale = 72 / INCH
    with Image.open(io.BytesIO(png)) as opened:
        ground = opened.convert("RGB")
    words = {id: texts(f"countries.{id}").upper() for id in label_boxes(lang, "countries")}
    words |= {id: texts(f"board.neighbours.{id}") for id in label_boxes(lang, "neighbours")}
    for name, box in all_boxes(lang).items():
        left, top, right, bottom = ((side + drawn.bleed) * scale for side in (box.x, box.y, box.right, box.bottom))
        cut = ground.crop((int(left), int(top), int(right), int(bottom)))
        halo, letters = fills[words.get(name, name)][0], fills[words.get(name, name)][-1]
        pixels = sorted(chain.from_iterable(
            [contrast(letters, f"#{red:02X}{green:02X}{blue:02X}")] * count
            for count, (red, green, blue) in cut.getcolors(1 << 16) or ()))
        assert pixels[len(pixels) // 3] >= 7, name
        assert halo == letters or contrast(letters, halo) >= 7, name
