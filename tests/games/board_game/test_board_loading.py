"""Reading a board: the shipped one is whole, and each slip of the pen is found with its place."""

import pytest


def test_roads_without_end_are_refused(board_folder) -> None:
    with (board_folder.path / "roads.csv").open("a", encoding="utf-8") as roads:
        roads.write("FR1,SW1,0\n" * 500)
    assert "roads.csv:402: more than 400 of them (take some out)" in board_folder.problems()


def test_a_changed_map_is_to_be_drawn_anew(board_folder) -> None:
    board_folder.change("spaces.csv", ("168,140", "168,141"))
    board_folder.change("borders.json", ("[66.5,236.4]", "[66.6,236.4]"))
    (problem,) = board_folder.problems()
    assert problem.startswith("map/common.json: was drawn before spaces.csv, borders.json changed (draw the map anew "
                              "in ppgen's source tree: python -m tools.board_map ")


@pytest.mark.parametrize(("old", "new"), [
    ('"drawn_for"', '"drawn"'), ('"drawn_for": {', '"drawn_for": {{'),
    ('"coarse": {"arcs":[[0,', '"coarse": {"arcs":[[9999,'),
])
def test_a_damaged_map_is_to_be_drawn_anew(board_folder, old: str, new: str) -> None:
    board_folder.change("map/common.json", (old, new))
    (problem,) = board_folder.problems()
    assert problem.startswith("map/common.json: is damaged (draw the map anew")
