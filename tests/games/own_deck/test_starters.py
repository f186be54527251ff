"""The starters are complete games: they check clean, print in both inks, and their rules show every part."""

import pytest

from ppgen.assets import Assets
from ppgen.engine.geometry import A4
from ppgen.making.starters import find_parts, starters
from ppgen.printing.drawn_parts import parts_on_a4
from ppgen.printing.set_booklets import booklet_page
from ppgen.printing.workshop import Workshop
from ppgen.shipped import shipped_root

FOLDER = shipped_root() / "data" / "starters"
GAMES = [name for name in starters() if name not in ("empty", "plain")]
PRINTED = "tile-laying"


@pytest.mark.slow
@pytest.mark.parametrize("name", GAMES)
def test_a_starter_checks_clean_and_has_rules(desk, name, request):
    """The check prints every part and the rules of one of them."""
    if name != PRINTED:
        request.getfixturevalue("faces_only")
    assert "warning" not in desk.run("check", "--data", str(FOLDER / name)).output
    workshop = Workshop.open(Assets.at(FOLDER / name))
    texts, size = workshop.texts("en"), workshop.game.card_size
    assert workshop.game.rules(texts, parts_on_a4(workshop, texts, size), booklet_page(A4.size), "full").blocks


@pytest.mark.slow
def test_each_part_is_added_to_a_deck_once(desk):
    desk.run("new", "deck")
    for part in find_parts():
        desk.run("new", "deck", "--add", part)
        assert "already" in desk.run("new", "deck", "--add", part, code=1).stderr
    assert "warning" not in desk.run("check", "--data", "deck").output
