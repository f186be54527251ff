"""Cards to lay out, by the name of their size."""

import pytest

from ppgen.engine.imposition.sheets import Item, SheetSpec


@pytest.fixture
def cards(formats):
    """Cards of a size; ``edge`` says whether they may share cuts."""

    def make(size, count=56, edge="vellum"):
        return [Item(id=f"card-{n}", size=formats.card_size(size).size, edge=edge) for n in range(1, count + 1)]

    return make


@pytest.fixture
def spec(formats):
    """What is asked for on a paper by its name."""
    return lambda paper="a4", **options: SheetSpec(paper=formats.paper(paper), **options)
