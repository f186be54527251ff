"""Pieces of a deck of one's own that are no rectangles: what ``deck.toml`` says of them, and its slips."""

import pytest

from ppgen.engine.geometry import Size, read_formats
from ppgen.engine.shapes import CIRCLE, HEXAGON, RECTANGLE, rounded_shape
from ppgen.errors import InputError, Problems
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


@pytest.mark.parametrize(("words", "message"), [
    ('shape = "star"',
     "'star' is not known (one of rectangle, rounded, circle, hexagon, octagon, path, standee, tent, die)"),
    ('shape = "circle"\nsize = "12x14mm"', "deck.toml:2 size: 12 × 14 mm holds no circle (make both sides equal)"),
    ('shape = "rounded"', "radius: is missing"), ('shape = "rounded"\nradius = "soft"', "'soft' is not a length"),
    ('shape = "rounded"\nradius = "8mm"\nsize = "15x40mm"', "8 mm is more than half of a side of 15 × 40 mm"),
    ('shape = "circle"\nradius = "8mm"', "radius: is not known"),
    ('shape = "path"\npath = "M0 0H9V9Z"', "size: is missing (give the size: the path is counted in mm of it)"),
    ('shape = "path"\nsize = "9x9mm"', "path: is missing"),
    ('shape = "path"\nsize = "9x9mm"\npath = "M0 0H10V9Z"', "deck.toml:3 path: the outline leaves the piece"),
    ('shape = "standee"', "size: is missing (give the size: that of the figure)"),
    ('shape = "standee"\nsize = "20x32mm"\nfeet = "0.5mm"', "feet: 0.5 mm is out of range (from 1 to 100 mm)"),
    ('shape = "tent"', "size: is missing (give the size: that of one side, its length and its height)"),
    ('shape = "die"\nsize = "20x30mm"', "size: 20 × 30 mm is not a die (give one side, like \"16mm\")"),
    ('shape = "die"\nsize = "100mm"', "size: the net is 428 × 356 mm (up to 400 mm)"),
    ('shape = "tent"\nsize = "50x20mm"\nbase = "40mm"', "base: 40 mm is too long for two sides of 20 mm"),
])
def test_every_slip_is_told(tmp_path, words, message):
    with pytest.raises(InputError) as refused:
        cut_of(tmp_path, words)
    assert message in str(refused.value)
