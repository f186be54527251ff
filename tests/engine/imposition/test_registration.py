"""Registration marks for cutting machines, by example: where they stand, what makes room for them, who has none."""

import pytest

from ppgen.engine.imposition.impose import impose
from ppgen.engine.imposition.sheets import Marks
from ppgen.errors import InputError


@pytest.mark.parametrize(("size", "paper", "edge", "sheets"), [
    ("mini-euro", "a4", "vellum", 5), ("mini-euro", "letter", "vellum", 5), ("mini-us", "a4", "vellum", 4),
    ("standard", "a4", "vellum", 7), ("bridge", "letter", "vellum", 7), ("tarot", "a4", "vellum", 14),
    ("mini-euro", "letter", "", 5),
])
def test_no_more_sheets_than_users_of_cutters_know(cards, spec, size, paper, edge, sheets):
    assert len(impose(cards(size, edge=edge), spec(paper, marks=Marks.SILHOUETTE), "cards").sheets) == sheets


def test_paper_that_is_too_narrow_for_marks_and_strips_is_told_so(cards, spec):
    with pytest.raises(InputError, match="nothing would"):
        impose(cards("mini-us"), spec("100x105mm", marks=Marks.SILHOUETTE), "cards")
