"""The woodcut skin: black, red and paper, a pattern of its own for each country, no more ink than the shipped look."""

import re
from functools import cache

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
@pytest.mark.parametrize(("game", "part"), [PARTS[0], PARTS[3]])
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
    assert round(used["woodcut"], 2) <= round(used[""], 2)


@pytest.mark.parametrize("ink", ["full", "low"])
@pytest.mark.slow
def test_nothing_is_too_fine_on_the_smallest_cards(ink):
    found = {(name, fine) for name,
             face in faces("woodcut", ink, "cards", SMALLEST).items() for fine in find_fine_details(face)
             if fine.kind == "stroke"}
    assert not found


@pytest.mark.slow
def test_lands_of_the_board_are_told_apart_by_hatching_along_their_borders_in_low_ink():
    opened = workshop("woodcut", "board-game")
    texts = opened.texts("de")
    board = next(each for each in opened.parts(texts, CARD, SheetSpec(paper=A4), ()).parts if each.name == "board")
    face = opened.studio(texts, "low").draw(board.components[0].front, 0, "")
    for sign, lands in (("star", 2), ("lozenge", 2), ("cross", 2), ("crescent", 2)):
        assert face.svg.count(f'stroke="url(#cut-{sign})"') == lands
        assert f'<pattern id="cut-{sign}"' in face.svg
