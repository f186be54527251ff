"""Stones are told apart by their shapes: those that a deck names, or the usual one of each player."""

from dataclasses import replace

from ppgen.games.card_game.components import stone_shape


def test_each_named_shape_is_one_of_its_own(deck):
    stone = replace(deck.stones[0], player=1)
    names = ("round", "square", "hexagon", "octagon", "shield", "quatrefoil")
    shapes = [stone_shape(replace(stone, shape=name)) for name in names]
    assert len({*shapes}) == len(names)
    assert [stone_shape(replace(stone, shape="", player=player)) for player in range(1, 7)] == [*shapes[:5], shapes[0]]
