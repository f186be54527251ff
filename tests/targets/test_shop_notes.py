"""Notes for a shop's order: what its product is without, and how many backs there are to choose."""

from types import SimpleNamespace

import pytest

from ppgen.engine.geometry import Size
from ppgen.engine.shapes import RECTANGLE, ShapeKind
from ppgen.targets.shop_files import ProductStock, _differences


def order(*pairs):
    pieces = [SimpleNamespace(front=front, back=back, component=SimpleNamespace(
        id=front.name, title="", shape=RECTANGLE)) for front, back in pairs]
    return SimpleNamespace(pieces=pieces, order=SimpleNamespace(
        original_sizes={}, part=SimpleNamespace(title="Cards"),
        product=SimpleNamespace(trim=Size(63, 88), title="card", shape=ShapeKind.RECTANGLE, stock=ProductStock.CARD)))



class Named(SimpleNamespace):
    def __hash__(self):
        return hash(self.name)


A, B, X, Y = (Named(name=name, shows=(name,)) for name in "abxy")


@pytest.mark.parametrize(("pairs", "told"), [
    ([(A, X), (B, X)], 0), ([(A, X), (B, Y)], 2), ([(A, A), (B, B)], 0), ([(A, None), (B, X)], 0),
    ([(A, A), (B, X)], 0), ([(A, None), (B, None)], 0)])
def test_different_backs_are_counted_without_those_that_are_like_their_front_or_missing(pairs, told):
    notes = [note for note in _differences([order(*pairs)]) if "different backs" in note]
    assert notes == [f"Cards: there are {told} different backs; see the table below."][:told]
