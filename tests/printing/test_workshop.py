"""Versions of a workshop: as if each had been opened by itself, whatever earlier builds left to them."""

import pytest

from ppgen.assets import Assets
from ppgen.engine.component import Pad
from ppgen.engine.geometry import A4, Format, Size
from ppgen.engine.imposition.impose import page_area
from ppgen.engine.imposition.sheets import SheetSpec
from ppgen.errors import RequestError
from ppgen.printing.workshop import Workshop

pytestmark = pytest.mark.slow

LETTER = Format("letter", Size(215.9, 279.4))
PARTS = ("cards", "aid", "pieces", "score-sheet", "box", "calibration")
"""All but the board, whose measures are equal to themselves only."""
CARD = Format("62x88mm", Size(62, 88))


@pytest.fixture(scope="module")
def opened():
    return Workshop.open(Assets.at(), game="board-game")


def all_parts(workshop):
    """The parts of sets that differ in language, paper, pages abreast and card size."""
    def parts(lang, paper, abreast, size):
        spec = SheetSpec(paper=paper)
        pad = Pad(room=page_area(spec, abreast), abreast=abreast)
        return workshop.parts(workshop.texts(lang), size, spec, PARTS, pad=pad)

    usual = workshop.game.card_size
    return [parts("de", A4, 1, usual), parts("de", LETTER, 2, usual), parts("fr", A4, 1, CARD)]


@pytest.mark.parametrize(("skin", "choices"), [("", {}), ("manuscript", {"pieces": "discs"})])
def test_a_version_is_what_it_would_be_if_it_were_opened_by_itself(opened, skin, choices):
    version, alone = opened.in_version(skin, choices), Workshop.open(Assets.at(), skin, "board-game", choices)
    assert version.game.chosen == alone.game.chosen
    assert version.templates.folders == alone.templates.folders
    assert (version.templates is opened.templates) == (not skin)
    assert all_parts(version) == all_parts(alone)


def test_a_version_that_the_game_does_not_offer_is_refused(opened):
    with pytest.raises(RequestError):
        opened.in_version("", {"pieces": "goblets"})
    with pytest.raises(RequestError):
        opened.in_version("goblets", {})
