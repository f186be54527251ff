"""Pieces of a deck of one's own that are no rectangles: what ``deck.toml`` says of them, and its slips."""

import pytest

from ppgen.engine.geometry import Size, read_formats
from ppgen.engine.shapes import CIRCLE, HEXAGON, RECTANGLE, rounded_shape
from ppgen.errors import Problems
from ppgen.games.own_deck.deck import POKER, take_piece_cut
from ppgen.reading.fields import read_toml
from ppgen.shipped import shipped_root


def cut_of(folder, words):
    (folder / "deck.toml").write_text(words, encoding="utf-8")
    problems = Problems()
    table = read_toml(folder, "deck.toml", problems)
    cut = take_piece_cut(table, 400, read_formats(shipped_root() / "data"))
    table.close()
    problems.raise_if_any()
    return cut


@pytest.mark.parametrize(("words", "size", "shape"), [
    ("", POKER, RECTANGLE), ('size = "20x30mm"', Size(20, 30), RECTANGLE),
    ('shape = "circle"\nsize = "12x12mm"', Size(12, 12), CIRCLE), ('shape = "hexagon"', POKER, HEXAGON),
    ('shape = "rounded"\nradius = "3mm"', POKER, rounded_shape(3)),
])
def test_a_shape_by_its_name(tmp_path, words, size, shape):
    cut = cut_of(tmp_path, words)
    assert (cut.size, cut.shape, cut.net) == (size, shape, None)
