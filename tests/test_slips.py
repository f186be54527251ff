"""The slips that ``python -m tools.mutate`` plants: of each kind, in both languages, the same for a seed."""

import ast
import tomllib

import pytest

from tests.node import find_node
from tools.mutate import EQUIVALENT, ROOT, draw_slips, edits, python_nodes, slips_of

SOURCE = """
def area(box, rest):
    if not box.width < 3 and rest:
        return points(box.width - 2 * rest["left"]) if rest["top"] else min(box.height, area(rest, box))
    total += sorted(rest)
    return (-total, 0.5), area(box, rest=total)
"""


def test_slips_of_each_kind_are_found() -> None:
    found = {(kind, SOURCE[start:end], new) for kind, start, end, new in edits([*python_nodes(SOURCE)], SOURCE,
                                                                               script=False)}
    assert {("negation", "not ", ""), ("comparison", "<", "<="), ("and/or", "and", "or"), ("±1", "3", "4"),
            ("axis", "width", "height"), ("edge", "min", "max"), ("key", '"left"', '"top"'), ("term", "-", "+"),
            ("dropped", " - 2 * rest[\"left\"]", ""), ("dropped", ", rest=total", ""), ("number", "0.5", "0.625"),
            ("order", "rest, box", "box, rest"), ("order", "sorted(rest)", "list(rest)"), ("step", "+=", "-="),
            ("guard", "not box.width < 3 and rest", "False")} <= found
    assert {kind for kind, *_ in found} >= {"unit"}


@pytest.mark.slow
def test_slips_are_those_of_the_seed_and_can_be_read() -> None:
    slips = draw_slips(20, 5, "engine/colours")
    assert slips == draw_slips(20, 5, "engine/colours") != draw_slips(20, 6, "engine/colours")
    for slip in slips:
        ast.parse(slip.apply((ROOT / slip.file).read_text("utf-8")))


def test_scripts_have_slips() -> None:
    find_node(ROOT / "tests" / "forms", "acorn")
    assert {"key", "term", "comparison", "guard"} <= {
        slip.kind for slip in slips_of(ROOT / "templates/table/script.js")}


@pytest.mark.slow
def test_equivalent_slips_can_still_be_planted() -> None:
    for file, marked in tomllib.loads(EQUIVALENT.read_text("utf-8")).items():
        assert {*marked} <= {slip.becomes.strip() for slip in slips_of(ROOT / file)}, file
