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


@pytest.mark.parametrize(("name", "old", "new", "message"), [
    ("board.toml", "square = 17", "square = 16",
     "board.toml:17 square: 510 × 374 mm have no edge of 100 squares of 16 mm (change one of them: 30 × 22 squares "
     "have)"),
    ("board.toml", "frame = [20, 20,", 'frame = [20, "20",',
     'board.toml:18 frame: [20, "20", 490, 354] is not allowed here (write 4 numbers from 0 to 1200, like '
     '[0, 0, 0, 0])'),
    ("countries.toml", 'code = "EN"', 'code = "FR"',
     "countries.toml:16 countries.code: 'FR' is given twice (first on line 10)"),
    ("spaces.csv", "FR3,", "FR9,",
     "spaces.csv:4 id: 'FR9' stands where FR3 should (the spaces of a country are numbered from 1 on, in their order)"),
    ("spaces.csv", "FR3,", "XX3,",
     "spaces.csv:4 id: 'XX3': no country has the code XX (one of FR, EN, LO, FK, BA, SW, BU, IT, AR)"),
    ("roads.csv", "EN1,EN3", "EN1,EN6", "roads.csv:2 to: 'EN6' is not a space (spaces.csv names them)"),
    ("roads.csv", "EN1,EN3", "EN1,EN1", "roads.csv:2 to: the road leads from EN1 to itself (name another space)"),
    ("alliances.toml", '["england", "aragon"]', '["england", "atlantis"]',
     "alliances.toml:9 alliances.between: england, atlantis: are not two countries (two of france, england, "
     "lotharingia, franconia, bavaria, swabia, burgundy, italy, aragon)"),
    ("alliances.toml", "ribbon = [[72, 112]", "ribbon = [[72]",
     "alliances.toml:12 alliances.ribbon: is not a line of points (write [[x, y], [x, y]], up to nine)"),
    ("cards.csv", "franconia aragon", "franconia", "cards.csv countries: aragon is named by 0 kinds of card (each "
     "country by one)"),
])
def test_a_slip_is_named_with_its_place(board_folder, name: str, old: str, new: str, message: str) -> None:
    board_folder.change(name, (old, new))
    assert message in board_folder.problems()


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
