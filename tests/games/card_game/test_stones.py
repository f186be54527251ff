"""Stones are told apart by their shapes, those that a deck names or the usual one of each player, and by charges."""

import re
from dataclasses import replace

import pytest

from ppgen.assets import Assets
from ppgen.engine.geometry import Format, Size
from ppgen.games.card_game.components import stone_shape
from ppgen.printing.drawn_parts import parts_on_a4
from ppgen.printing.workshop import Workshop


def test_each_named_shape_is_one_of_its_own(deck):
    stone = replace(deck.stones[0], player=1)
    names = ("round", "square", "hexagon", "octagon", "shield", "quatrefoil")
    shapes = [stone_shape(replace(stone, shape=name)) for name in names]
    assert len({*shapes}) == len(names)
    assert [stone_shape(replace(stone, shape="", player=player)) for player in range(1, 7)] == [*shapes[:5], shapes[0]]


def drawn(game, part, ink):
    """The fronts of a part, each piece's by its id."""
    opened = Workshop.open(Assets.at(), "", game)
    texts = opened.texts("de")
    parts = parts_on_a4(opened, texts, Format("mini-euro", Size(44, 68)))
    studio = opened.studio(texts, ink)
    return {piece.id: studio.draw(piece.front, 0, piece.id).svg
            for each in parts if each.name == part for piece in each.components}


@pytest.mark.parametrize("ink", ["full", "low"])
def test_a_player_has_the_same_charge_on_stones_pieces_and_no_other_player_has_it(ink):
    stones, pieces = drawn("card-game", "stones", ink), drawn("board-game", "pieces", ink)
    paths = [set(re.findall(r' d="([^"]{70,})"', svg)) for svg in stones.values()]
    charges = [own - set().union(*paths[:n], *paths[n + 1:]) for n, own in enumerate(paths)]
    for player, charge in enumerate(charges, 1):
        own = [svg for id, svg in pieces.items() if id.endswith(f"-{player}")]
        assert own
        assert all(any(path in svg for path in charge) for svg in own), player
        others = [svg for id, svg in pieces.items() if not id.endswith(f"-{player}")]
        assert not any(path in svg for path in charge for svg in others), player
