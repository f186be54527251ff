"""The manuscript skin: leaves of vellum that print as well, and as small, as the shipped cards."""

import pytest

from ppgen.assets import Assets
from ppgen.engine.geometry import A4, Format, Size
from ppgen.engine.imposition.sheets import SheetSpec
from ppgen.engine.pictures.ink import coverage
from ppgen.printing.workshop import Workshop
from ppgen.shipped import shipped_root

CARD = Format("mini-euro", Size(44, 68))
TEMPLATES = shipped_root() / "templates"
SKIN = TEMPLATES / "skins" / "manuscript"
OWN = {"illumination.svg.j2"}


def faces(part, ink, game=""):
    """Fronts of a part by piece, and the back of the first as ``back``."""
    opened = Workshop.open(Assets.at(), "manuscript", game)
    texts = opened.texts("de")
    parts = opened.parts(texts, CARD, SheetSpec(paper=A4), ()).parts
    pieces = next(each for each in parts if each.name == part).components
    studio, back = opened.studio(texts, ink), pieces[0].back
    fronts = {piece.id: studio.draw(piece.front, 0, piece.id) for piece in pieces}
    return {**fronts, **({"back": studio.draw(back, 0, "back")} if back else {})}


def test_every_file_but_its_ornaments_covers_a_shipped_one():
    files = {path.relative_to(SKIN) for path in SKIN.rglob("*.svg.j2")}
    assert {path.name for path in files if not (TEMPLATES / path).is_file()} == OWN


@pytest.mark.slow
@pytest.mark.parametrize(("part", "ink", "most"), [("cards", "full", 0.45), ("tablets", "low", 0.12)])
def test_faces_take_no_more_ink_than_a_sheet_can_bear(part, ink, most):
    drawn = faces(part, ink)
    back = drawn.pop("back")
    fronts = coverage(tuple(drawn.values()), Workshop.open(Assets.at()).fonts.folder)
    assert (sum(fronts) / len(fronts) + coverage((back,), Workshop.open(Assets.at()).fonts.folder)[0]) / 2 <= most


def test_stones_have_a_gilt_ring_except_in_low_ink():
    assert "url(#burnished)" in faces("stones", "full")["claim-stone-1"].svg
    assert "url(#burnished)" not in faces("stones", "low")["claim-stone-1"].svg


@pytest.mark.slow
def test_pieces_have_a_gilt_rim_except_in_low_ink():
    assert "#C9962E" in faces("pieces", "full", game="board-game")["cloister-1"].svg
    assert "#C9962E" not in faces("pieces", "low", game="board-game")["cloister-1"].svg


@pytest.mark.slow
@pytest.mark.usefixtures("faces_only")
@pytest.mark.parametrize(("game", "skin"), [
    ("card-game", "manuscript"), ("board-game", "manuscript"), ("card-game", "plain")])
def test_all_of_both_games_passes_the_check(desk, game, skin):
    done = desk.ppgen("check", "--game", game, "--skin", skin, "-l", "de", "--card-size", "mini-us")
    assert (done.exit_code, done.stderr) == (0, "No problems found (de).\n"), done.output
