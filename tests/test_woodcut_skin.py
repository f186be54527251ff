"""The woodcut skin: black, red and paper, a pattern of its own for each country, no more ink than the shipped look."""

import re
from functools import cache
from itertools import accumulate

import pytest

from ppgen.assets import Assets
from ppgen.engine.drawing.fineness import find_fine_details
from ppgen.engine.geometry import A4, Format, Size
from ppgen.engine.imposition.sheets import SheetSpec
from ppgen.engine.pictures.ink import coverage
from ppgen.printing.workshop import Workshop
from ppgen.shipped import shipped_root

CARD, SMALLEST = Format("mini-euro", Size(44, 68)), Format("micro", Size(31.75, 44.45))
TEMPLATES = shipped_root() / "templates"
SKIN = TEMPLATES / "skins" / "woodcut"
INKS = {"full": {"#17130F", "#C83A22", "#FCF8EE"}, "low": {"#17130F", "#C83A22", "#FFFFFF"}}

pytestmark = pytest.mark.usefixtures("kept")

PARTS = [("card-game", "cards"), ("card-game", "tablets"), ("card-game", "stones"),
         ("board-game", "cards"), ("board-game", "aid"), ("board-game", "pieces")]


@cache
def workshop(skin, game="card-game"):
    return Workshop.open(Assets.at(), skin, game)


@cache
def faces(skin, ink, part, size=CARD, game="card-game"):
    """The fronts of a part by piece, and the back of the first, as ``back``; of cards the last of each country."""
    opened = workshop(skin, game)
    texts = opened.texts("de")
    found = next(each for each in opened.parts(texts, size, SheetSpec(paper=A4), ()).parts if each.name == part)
    pieces = {(piece.colour if part == "cards" else piece.id): piece for piece in found.components}
    studio = opened.studio(texts, ink)
    fronts = {piece.id: studio.draw(piece.front, 0, piece.id) for piece in pieces.values()}
    back = found.components[0].back
    return {**fronts, **({"back": studio.draw(back, 0, "back")} if back else {})}


def test_every_file_covers_a_shipped_one():
    files = [path.relative_to(SKIN) for path in SKIN.rglob("*.svg.j2")]
    assert files
    assert [path for path in files if not (TEMPLATES / path).is_file()] == []


@pytest.mark.slow
@pytest.mark.parametrize("ink", ["full", "low"])
@pytest.mark.parametrize(("game", "part"), PARTS)
def test_faces_have_three_colours_and_no_gradient(game, part, ink):
    for name, face in faces("woodcut", ink, part, game=game).items():
        colours = {colour.upper() for colour in re.findall(r'="(#[0-9A-Fa-f]{3,6})"', face.svg)}
        assert colours <= INKS[ink], name
        assert "radient" not in face.svg, name
        assert "opacity" not in face.svg, name


@pytest.mark.slow
@pytest.mark.parametrize(("game", "part"), PARTS)
def test_faces_take_no_more_ink_than_shipped_ones(game, part):
    """As many of each as are printed; every front has a back."""
    parts = workshop("", game).parts(workshop("", game).texts("de"), CARD, SheetSpec(paper=A4), ()).parts
    copies = {piece.id: piece.copies for each in parts if each.name == part for piece in each.components}
    used = {}
    for skin in ("woodcut", ""):
        drawn = faces(skin, "full", part, game=game)
        many = [copies.get(name, sum(copies.get(other, 0) for other in drawn)) for name in drawn]
        shares = coverage(tuple(drawn.values()), workshop("").fonts.folder)
        used[skin] = sum(share * count for share, count in zip(shares, many, strict=True)) / sum(many)
    assert used["woodcut"] <= used[""]


@pytest.mark.parametrize("ink", ["full", "low"])
def test_nothing_is_too_fine_on_the_smallest_cards(ink):
    found = {(name, fine) for name,
             face in faces("woodcut", ink, "cards", SMALLEST).items() for fine in find_fine_details(face)
             if fine.kind == "stroke"}
    assert not found


@pytest.mark.parametrize("ink", ["full", "low"])
def test_each_country_has_a_pattern_of_its_own(ink):
    patterns = {}
    for name, face in faces("woodcut", ink, "cards").items():
        if name != "back":
            inside = face.svg.partition('clip-path="url(#strip)"')[2].partition("</g>")[0]
            patterns[name] = re.sub(r"#[0-9A-F]{6}", "", inside)  # by its shapes, whatever their ink
    assert len(patterns) == 9
    assert all(len(pattern) > 200 for pattern in patterns.values())
    assert len(set(patterns.values())) == 9


def test_the_scene_is_mirrored_where_its_shield_hangs_at_the_right():
    opened = workshop("woodcut")
    texts = opened.texts("de")
    cards = {piece.id: piece for part in opened.parts(texts, CARD, SheetSpec(paper=A4), ("cards",)).parts
             for piece in part.components}
    studio = opened.studio(texts, "full")
    third, fourth = (studio.draw(cards[name].front, 0, name).svg for name in ("england-3", "england-4"))
    assert "scale(-1 1) translate(-22" in fourth and "scale(-1 1) translate(-22" not in third


def test_king_and_cardinal_keep_their_lines_over_a_council_in_low_ink():
    opened = workshop("woodcut")
    texts = opened.texts("de")
    cards = next(each for each in opened.parts(texts, CARD, SheetSpec(paper=A4), ()).parts if each.name == "cards")
    council = next(card.front for card in cards.components if card.id == "hungary-3")
    face = opened.studio(texts, "low").draw(council, 0, "")
    for x in ("12", "31.8"):
        head = face.svg.partition(f'translate({x} 44.4)')[2].partition("</g></g>")[0]
        assert head.count('stroke="#C83A22"') > 10, "where the shipped card has a head, red lines are"


@pytest.mark.slow
def test_lands_of_the_board_are_told_apart_by_hatching_along_their_borders_in_low_ink():
    opened = workshop("woodcut", "board-game")
    texts = opened.texts("de")
    board = next(each for each in opened.parts(texts, CARD, SheetSpec(paper=A4), ()).parts if each.name == "board")
    face = opened.studio(texts, "low").draw(board.components[0].front, 0, "")
    for sign, lands in (("star", 2), ("lozenge", 2), ("cross", 2), ("crescent", 2)):
        assert face.svg.count(f'stroke="url(#cut-{sign})"') == lands
        assert f'<pattern id="cut-{sign}"' in face.svg


@pytest.mark.slow
@pytest.mark.parametrize("ink", ["full", "low"])
def test_names_of_the_board_stand_in_paper_cut_out_of_the_hatching(ink):
    opened = workshop("woodcut", "board-game")
    texts = opened.texts("de")
    board = next(each for each in opened.parts(texts, CARD, SheetSpec(paper=A4), ()).parts if each.name == "board")
    front = board.components[0].front
    svg = opened.studio(texts, ink).draw(front, 0, "").svg
    boxes = []
    for path in re.findall(r'<path d="([^"]*)"[^>]*/>', svg.partition('id="rivers"')[2].partition("</g>")[0]):
        steps = [float(number) for number in re.findall(r"-?\d*\.?\d+", path)]  # a point, then how far to the next
        xs, ys = (list(accumulate(steps[start::2])) for start in (0, 1))
        boxes.append((min(xs), min(ys), max(xs), max(ys)))
    for named in (*front.values["spaces"], *front.values["countries"]):
        for word in named["label"]["words"]:
            left, right = word["x"] - 0.45, word["x"] + word["width"] + 0.45
            top, bottom = word["y"] - 0.72 * word["size"] - 0.3, word["y"] + 0.3
            assert any(box[0] <= left and box[1] <= top and box[2] >= right and box[3] >= bottom
                       and box[3] - box[1] < 8 for box in boxes), word["words"]
