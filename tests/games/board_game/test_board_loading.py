"""Reading a board: the shipped one is whole, and each slip of the pen is found with its place."""

import pytest


def test_the_shipped_board_is_whole(board) -> None:
    assert {country: len(labels) for country, labels in board.labels.items()} == {
        "france": 8, "england": 5, "lotharingia": 5, "franconia": 7, "bavaria": 6, "swabia": 4, "burgundy": 5,
        "italy": 5, "aragon": 5}
    assert (len(board.spaces), len(board.roads), len(board.alliances)) == (50, 72, 15)
    assert [kind.copies for kind in board.cards] == [13, 12, 11, 10, 9]
    assert (len(board.players) * board.cloisters, len(board.players) * board.councillors) == (100, 40)


def test_a_kind_of_card_has_one_more_than_its_countries_have_spaces(board) -> None:
    for kind in board.cards:
        assert kind.copies == 1 + sum(len(board.labels[country]) for country in kind.countries)


def test_the_score_track_runs_clockwise_from_bottom_left(board) -> None:
    track = board.track()
    assert len(set(track)) == 100
    assert [track[number] for number in (0, 1, 21, 22, 50, 71, 99)] == [
        (0, 357), (0, 340), (0, 0), (17, 0), (493, 0), (493, 357), (17, 357)]


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
