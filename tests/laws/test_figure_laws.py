"""Laws of the figures and tables of both games' rules: each thing inside its room, in order, once, and not hidden."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterator
from dataclasses import fields, is_dataclass, replace
from itertools import combinations, pairwise
from math import dist, hypot
from textwrap import wrap

import pytest

from ppgen.assets import Assets
from ppgen.engine.booklets.booklet import BookletPicture, BookletTable, Figure, FigureLabel, Numbers, Stroke
from ppgen.engine.geometry import Point, Rect, Size
from ppgen.games.board_game import rules as board_rules
from ppgen.games.board_game.board import load_board
from ppgen.games.board_game.components import read_drawn_map
from ppgen.games.card_game import rules as card_rules
from ppgen.games.interface import copies_of, sizes_of
from ppgen.printing.drawn_parts import parts_on_a4
from ppgen.printing.set_booklets import A5
from ppgen.printing.workshop import Workshop
from ppgen.shipped import shipped_root
from tests.golden.test_golden import shown

DATA = shipped_root() / "data"
LARGE = Size(297, 420)
PAGES = [("en", A5), ("ja", A5), ("de", LARGE)]
SLACK = 0.011  # places on maps are rounded to a hundredth


def things(value: object, kind: type) -> Iterator:
    """Everything of a kind within a booklet, in order."""
    if isinstance(value, kind):
        yield value
    if isinstance(value, tuple | list):
        for each in value:
            yield from things(each, kind)
    elif is_dataclass(value) and not isinstance(value, BookletPicture):
        for field in fields(value):
            yield from things(getattr(value, field.name), kind)


@pytest.fixture(scope="module")
def board():
    return load_board(DATA / "board_game")


@pytest.fixture(scope="module")
def charts(board):
    return board_rules.FigureSource(board=board, borders=read_drawn_map(DATA / "board_game", board).borders,
                                    names=[*"ABCD"], measure=122, texts=None)


@pytest.fixture(scope="module")
def booklets(board, charts, workshop, deck):
    """The rules of both games in some languages, on A5 and on a page twice as large."""
    other = replace(Workshop.open(Assets.at(), game="board-game"), results={})
    return {(game, lang, page.width): (
        board_rules.rules_of_board_game(board, charts.borders, DATA / "board_game", other.texts(lang), (), page, "full")
        if game == "board" else card_rules.rules_of_card_game(
            deck, DATA / "card_game", workshop.texts(lang),
            parts_on_a4(workshop, workshop.texts(lang), workshop.game.card_size), page, "full"))
        for game in ("board", "cards") for lang, page in PAGES}


@pytest.fixture(scope="module")
def figures(booklets) -> list[Figure]:
    found = [figure for booklet in booklets.values() for figure in things(booklet.blocks, Figure)]
    assert len(found) > 150
    return found


def pictures_of(figure: Figure) -> list[BookletPicture]:
    return [part.picture if isinstance(part, Numbers) else part
            for part in figure.parts if isinstance(part, BookletPicture | Numbers)]


def box_of(part) -> Rect:
    if isinstance(part, Stroke):
        (left, right), (top, bottom) = sorted((part.start.x, part.end.x)), sorted((part.start.y, part.end.y))
        return Rect(left, top, right - left, bottom - top)
    return part.picture.box if isinstance(part, Numbers) else part.box


def test_each_thing_lies_inside_its_figure_and_frames_have_room(figures):
    for figure in figures:
        for part in figure.parts:
            is_lined = getattr(part, "outline", False) and len(figure.parts) > 1
            edge = 0.2 if is_lined or getattr(part, "frame", "") else 0
            box, wider = box_of(part), Rect(edge, edge, figure.size.width - 2 * edge, figure.size.height - 2 * edge)
            assert wider.contains(box, 0.01) and box.width >= 0 <= box.height, (figure.alt, part)


def test_a_picture_keeps_its_shape_and_pictures_of_one_template_their_scale(figures):
    """It may be cut at its lower edge."""
    for figure in figures:
        scales = defaultdict(set)
        for picture in pictures_of(figure):
            scale = picture.box.width / picture.request.size.width
            assert picture.box.height <= picture.request.size.height * scale + 0.01, figure.alt
            assert picture.box.height > 0.25 * picture.request.size.height * scale
            scales[picture.request.template, picture.request.size].add(
                (round(scale, 6), round(picture.box.height, 6), bool(picture.corner)))
        assert all(len(each) == 1 for each in scales.values()), figure.alt


def test_no_thing_is_drawn_twice_or_hidden(figures):
    """A fan shows a quarter of each picture; what lies on a card is smaller than half of it."""
    for figure in figures:
        pictures = pictures_of(figure)
        assert max(Counter(picture.box for picture in pictures).values(), default=1) == 1, figure.alt
        for n, below in enumerate(pictures):
            on_top = [each.box for each in pictures[n + 1:]]
            points = [(below.box.x + below.box.width * (x + 0.5) / 10,
                       below.box.y + below.box.height * (y + 0.5) / 10) for x in range(10) for y in range(10)]
            free = sum(not any(box.x < x < box.right and box.y < y < box.bottom for box in on_top) for x, y in points)
            is_pile = "card-back" in below.request.template
            assert free >= (1 if ".piece" in below.request.template else 0 if is_pile else 20), (figure.alt, below)


def test_things_of_one_size_in_a_row_or_column_stand_at_equal_steps(figures):
    for figure in figures:
        rows = defaultdict(list)
        for picture in pictures_of(figure) * (not figure.floats):
            rows[picture.box.y, picture.request.size].append(picture.box.x)
            rows[picture.box.x, picture.request.size, "column"].append(picture.box.y)
        for places in rows.values():
            steps = [b - a for a, b in pairwise(sorted(places))] or [0]
            assert max(steps) - min(steps) < 0.01, figure.alt


def test_words_stand_in_order_beside_each_other_and_under_what_they_name(figures):
    for figure in figures:
        labels = [part for part in figure.parts if isinstance(part, FigureLabel)]
        plain = [label for label in labels if not label.seal]
        assert not [1 for one, other in combinations(plain, 2) if one.box.overlaps(other.box)], figure.alt
        pictures = pictures_of(figure)
        assert not [1 for label in plain for each in pictures if each.box.overlaps(label.box, 0.01)], figure.alt
        seals = [label for label in labels if label.seal and label.words.isdigit()]
        words = [int(label.words) for label in seals]
        assert words in ([*range(1, len(words) + 1)], [*range(len(words), 0, -1)]), figure.alt
        assert [label.box for label in seals] == sorted((label.box for label in seals), key=lambda box: (box.y, box.x))
        middles = [box.x + box.width / 2 for box in (label.box for label in labels if label.align == "center")]
        if len(middles) == len(pictures) > 1:
            assert middles == pytest.approx([box.x + box.width / 2 for box in (each.box for each in pictures)])
        framed = [picture for picture in pictures if picture.frame]
        if framed and any(picture.veil for picture in pictures):
            assert all(bool(picture.frame) != bool(picture.veil) for picture in pictures
                       if picture.request.size == framed[0].request.size), figure.alt


def test_a_row_from_edge_to_edge_stands_in_the_middle(figures):
    """Left and right of what is as wide as its figure there is the same room, but for a fraction of a millimetre."""
    for figure in figures:
        boxes = [box_of(part) for part in figure.parts]
        left, right = min(box.x for box in boxes), figure.size.width - max(box.right for box in boxes)
        if not any(isinstance(part, FigureLabel | Numbers) for part in figure.parts) and not figure.floats:
            assert left == pytest.approx(right, abs=0.11), figure.alt


def test_tables_and_their_figures_fit_and_no_cell_stands_twice(booklets):
    for booklet in booklets.values():
        measure = booklet.page.width - 2 * 13
        for table in things(booklet.blocks, BookletTable):
            rest = [width for width in table.widths if not width]
            assert sum(table.widths) + 12 * len(rest) <= measure + 0.01
            for row in table.rows:
                assert len(row) == len(table.widths) and len(table.head) in (0, len(row))
                for cell, width in zip(row, table.widths, strict=True):
                    if isinstance(cell, Figure) and width:
                        assert cell.size.width <= width + 0.01, cell.alt
            if not table.head and not any(isinstance(cell, Figure) for row in table.rows for cell in row):
                cells = ["".join(span.words for span in cell) for column in zip(*table.rows, strict=True)
                         for cell in column if cell]
                numbers = [int(match[0]) for match in (re.search(r"\d+", cell) for cell in cells) if match]
                assert len({*cells}) == len(cells) and numbers == sorted(numbers)
            assert all(0 <= column < len(table.widths) for column in (*table.centred, *table.ends))


def test_every_alliance_and_every_country_stands_in_the_tables_once(booklets, board):
    for (game, lang, _), booklet in booklets.items():
        if game == "board":
            texts = Workshop.open(Assets.at(), game="board-game").texts(lang)
            columns = [[*zip(*table.rows, strict=True)] for table in things(booklet.blocks, BookletTable)]
            cells = ["".join(span.words for span in cell) for table in columns for column in table for cell in column
                     if not isinstance(cell, Figure)]
            for each in board.alliances:
                names = [texts(f"countries.{id}") for id in each.countries]
                assert len([cell for cell in cells if all(name in cell for name in names)
                            and re.match(rf"\W*{each.box}\b", cell)]) == 1
            for country in board.countries:
                assert cells.count(country.code) == 1


@pytest.mark.parametrize("scale", [0.2, 0.35, 1.0])
def test_a_map_is_the_board_at_its_scale(charts, board, scale):
    """What is on the map lies where the board has it; corner lies on corner."""
    window = Rect(100, 60, 210, 150)
    view = board_rules.View(window=window, scale=scale)
    for x, y in ((0, 0), (210, 150), (0, 30)):
        assert view.at(Point(100 + x, 60 + y)) == pytest.approx((x * scale, y * scale), abs=SLACK)
    examples = board_rules.read_examples(DATA / "board_game", board)
    for example in examples:
        picture = board_rules.position(charts, example, window, scale)
        values, size = picture.request.values, picture.request.size
        assert (picture.box.width, picture.box.height) == (size.width, size.height) == pytest.approx(
            (210 * scale, 150 * scale))
        for kind, on_board, reach in (
                ("spaces", {space.id: space.at for space in board.spaces}, board.space_radius),
                ("courts", {country.id: country.court.at for country in board.countries}, 0),
                ("boxes", {each.box: each.at for each in board.alliances if each.box == example.box}, 0)):
            wanted = [((at.x - 100) * scale, (at.y - 60) * scale) for at in on_board.values()
                      if 100 - reach < at.x < 310 + reach and 60 - reach < at.y < 210 + reach]
            found = [(each["x"], each["y"]) for each in values[kind]]
            for place in wanted:
                assert kind == "boxes" or min(dist(place, each) for each in found) < 2 * SLACK, (example.id, kind)
        pieces = [space["piece"] for space in values["spaces"] if space["piece"]]
        inside = [label for label in example.cloisters if 100 < board.space[label].at.x < 310
                  and 60 < board.space[label].at.y < 210]
        assert len(pieces) >= len(inside)
        for court in values["courts"]:
            places = [(piece["x"], piece["y"]) for piece in court["pieces"]]
            assert all(dist(one, other) > 0.8 * board_rules.COUNCILLOR for one, other in combinations(places, 2))
            assert all(dist(place, (court["x"], court["y"])) < 3 * board_rules.COUNCILLOR for place in places)


def points_on(path: str) -> list[tuple[float, float]]:
    """Points of a road's curve, near each other."""
    x, y, *bend, right, bottom = map(float, re.findall(r"-?[\d.]+", path))
    shares = [((1 - n / 40) ** 2, n / 20 * (1 - n / 40), (n / 40) ** 2) for n in range(41)]
    return [(a * x + b * bend[0] + c * right, a * y + b * bend[1] + c * bottom) for a, b, c in shares]


def assert_codes_are_clear(values):
    """No code lies on a space, box, piece or road, and none far from its arms."""
    sizes = values["sizes"]
    things = [*((space, 0.6 * sizes["piece"] if space["piece"] else sizes["disc"]) for space in values["spaces"]),
              *((box, sizes["box"] / 2) for box in values["boxes"]),
              *((piece, 0.4 * sizes["councillor"]) for court in values["courts"] for piece in court["pieces"])]
    roads = [({"x": x, "y": y}, sizes["road"] / 2) for road in values["roads"] for x, y in points_on(road["path"])]
    for code in values["codes"]:
        x, y, size = code["x"], code["y"] - 0.32 * code["size"], code["size"]
        for thing, radius in [*things, *roads]:
            across, down = abs(x - thing["x"]) - 0.6 * size, abs(y - thing["y"]) - 0.32 * size
            assert max(across, down, hypot(max(across, 0), max(down, 0))) > radius, (code, thing)
        assert min(dist((x, y), (court["x"], court["y"])) - court["radius"] for court in values["courts"]) < 3 * size


def test_codes_of_countries_lie_off_all_else_and_at_their_arms(charts, board):
    for width in (150.7, 93.7, 110):
        request = board_rules.whole_board(charts, width, {"space": board.spaces[0].at})
        assert_codes_are_clear(request.values)
    values, shares = request.values, 110 / board.width
    assert [code["words"] for code in values["codes"]] == [country.code for country in board.countries]
    for example in board_rules.read_examples(DATA / "board_game", board):
        window = board_rules.area_around(board, [board.space[label].at for label in example.cloisters], 40)
        for scale in (0.2, 0.25, 0.3, 0.38):
            assert_codes_are_clear(board_rules.position(charts, example, window, scale).request.values)
    assert (request.size.width, request.size.height) == pytest.approx((110, board.height * shares))
    numbers = values["track"]["numbers"]
    assert [each["words"] for each in numbers] == [5 * n for n in range(len(numbers))]
    for each, (x, y) in zip(numbers, board.track()[::5], strict=True):
        assert (each["x"], each["y"] - 0.6) == pytest.approx(
            ((x + board.square / 2) * shares, (y + board.square / 2) * shares), abs=SLACK)
    assert [anchor["name"] for anchor in values["anchors"]] == ["space"]
    assert not board_rules.whole_board(charts, 110, {}).values["boxes"]


def as_text(booklet) -> str:
    """The size of every figure, what is in it, and where."""
    lines = []
    for figure in things(booklet.blocks, Figure):
        parts = []
        for part in figure.parts:
            name = part.words if isinstance(part, FigureLabel) else type(part).__name__.lower()
            if isinstance(part, BookletPicture):
                name = f"{part.request.template.rpartition('/')[2].partition('.')[0]} {part.request.key}".strip()
            box = box_of(part)
            parts.append(f"{name} " + " ".join(shown(value) for value in (box.x, box.y, box.width, box.height)))
        lines += [f"{shown(figure.size.width)} × {shown(figure.size.height)}", *wrap(", ".join(parts), 116)]
    return "\n".join(lines) + "\n"


@pytest.mark.parametrize("game", ["board", "cards"])
def test_figures_have_not_moved(golden, booklets, game):
    golden(f"figures-{game}.txt", as_text(booklets[game, "en", A5.width]))


@pytest.mark.parametrize("game", ["card-game", "board-game"])
def test_on_the_table_things_lie_apart_in_their_seats_or_one_within_another(game):
    """A tablet lies on its card, a piece on the board; markers begin on one square together."""
    workshop = Workshop.open(Assets.at(), game=game)
    parts = parts_on_a4(workshop, workshop.texts("en"), workshop.game.card_size)
    sizes, table = sizes_of(parts), workshop.game.table()
    copies = Counter(id for part in parts for id in copies_of(part))
    for players in range(table.least, table.most + 1):
        laid = table.set_up(players, parts)
        assert len(laid.seats) == players
        assert not [1 for one, other in combinations(laid.seats, 2) if one.overlaps(other)]
        assert not Counter(id for place in laid.places for id in place.pieces) - copies
        boxes = [Rect(place.x, place.y, sizes[place.pieces[0]].width, sizes[place.pieces[0]].height)
                 for place in laid.places if "marker" not in place.pieces[0]]
        for one, other in combinations(boxes, 2):
            assert not one.overlaps(other, 0.01) or one.contains(other) or other.contains(one), (players, one, other)
        for y, below in pairwise(laid.rows):  # the same gap between columns and rows
            cards = sorted((box for box in boxes if box.y == y), key=lambda box: box.x)
            gaps = [right.x - left.right for left, right in pairwise(cards)]
            assert gaps == pytest.approx([below - cards[0].bottom] * len(gaps))
        own = [box for box in boxes if box.y >= min(seat.y for seat in laid.seats)]
        assert own and all(any(seat.contains(box) for seat in laid.seats) for box in own)
        held = [sum(seat.contains(box) for box in own) for seat in laid.seats]
        assert min(held) == max(held) > 1
