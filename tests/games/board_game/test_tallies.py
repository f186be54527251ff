"""Positions as people write them: in every format and way, and everything that is wrong with them, at once."""

from pathlib import Path

import pytest

from ppgen.errors import InputError
from ppgen.games.board_game.scoring import BoardScoring, ScoredBoardGame, open_scoring
from ppgen.play.game_scoring import read_file
from ppgen.play.sheet_plan import SheetCell
from ppgen.shipped import shipped_root

DATA = shipped_root() / "data"
TOML = """
game = "board-game"
players = ["Andreas", "Barbra", "Chris"]
before = [23, 25, 19]

[spaces]
england = "AABC."
france = "ABCABBBA"
lotharingia = "BACBC"
franconia = "CAABAAB"
swabia = "ABC."
bavaria = "CC.BCB"
burgundy = "BBBC."
aragon = "CBB.C"
italy = "ABCC."

[councillors]
england = "AB"
france = "BBC"
lotharingia = "A"
franconia = "AAC"
swabia = "A"
bavaria = "CB"
burgundy = "BC"
aragon = "BB"
italy = "BC"
"""
INTERIM = """
[interim]
france = "AABC"
franconia = "AAAABBC"
lotharingia = "BBCCA"
england = "A"
bavaria = "CCB"
burgundy = "BC"
italy = "CB"
"""


@pytest.fixture(scope="module")
def scoring() -> BoardScoring:
    return open_scoring(DATA / "board_game", DATA / "locales", "en")


@pytest.fixture
def scored(scoring, tmp_path, monkeypatch):
    """A position in a file, scored."""
    monkeypatch.chdir(tmp_path)

    def score(text: str, name: str = "game.toml", **options: bool) -> ScoredBoardGame:
        Path(name).write_text(text, encoding="utf-8")
        return scoring.score(read_file(Path(name)).raw(scoring), **options)

    return score


@pytest.fixture
def refused(scored):
    """What is said of a position that is none."""
    def problems(text: str, name: str = "game.toml", **options: bool) -> list[str]:
        with pytest.raises(InputError) as caught:
            scored(text, name, **options)
        return [str(problem) for problem in caught.value.problems]

    return problems


def changed(old: str, new: str) -> str:
    assert old in TOML
    return TOML.replace(old, new, 1)


def test_a_final_position_is_scored_as_the_contract_says(scored) -> None:
    result = scored(TOML).result
    assert (result["game"], result["complete"], result["winners"], result["tie_break"], result["warnings"]) == (
        "board-game", True, ["Barbra"], None, [])
    barbra = result["players"][1]
    assert set(barbra) == {"name", "rank", "total", "before", "countries", "cloister_subtotal", "alliances",
                           "alliance_subtotal", "chains", "chain_points", "pieces_left"}
    assert barbra["countries"]["france"] == {"cloisters": 4, "councillors": 2, "points": 8}
    assert barbra["alliances"][-2:] == [{"box": 14, "points": 4}, {"box": 15, "points": 4}]
    assert barbra["chains"] == [["FR2", "FR5", "FR7", "FR6", "BU2", "BU1", "BU3"]]
    assert [(each["rank"], each["total"], each["before"], each["pieces_left"]) for each in result["players"]] == [
        (2, 62, 23, 11), (1, 102, 25, 2), (3, 58, 19, 9)]


@pytest.mark.parametrize(("old", "row"), [*(('france = "ABCABBBA"', row) for row in (
    'france = { FR1 = "Andreas", FR2 = "Barbra", FR3 = "c", FR4 = "A", FR5 = "B", fr6 = "b", FR7 = "B", FR8 = "A" }',
    'FR1 = "A"\nFR2 = "B"\nFR3 = "C"\nFR4 = "A"\nFR5 = "B"\nFR6 = "B"\nFR7 = "B"\nFR8 = "A"',
    'Frankreich = "ABC ABB BA"', 'france = "abcabbba"', 'FR = "ＡＢＣＡＢＢＢＡ"')),
    *(('france = "BBC"', row) for row in (
        'france = { B = 2, C = 1 }', 'france = { Barbra = 2, c = "1" }', 'france = "c b b"'))])
def test_spaces_may_be_written_and_councillors_counted_in_several_ways(scored, old, row) -> None:
    assert scored(changed(old, row)).result == scored(TOML).result


def test_cloisters_may_be_counted_with_chains_by_hand(scored) -> None:
    text = 'players = ["Anna", "Bob", "Cleo"]\nbefore = [1, 2, 3]\nchains = [4, 0, 0]\n[cloisters]\n' \
           'france = { A = 3, B = 4 }\nitaly = "AAB"\n'
    result = scored(text).result
    assert [(each["cloister_subtotal"], each["chain_points"], each["chains"]) for each in result["players"]] == [
        (7, 4, []), (9, 0, []), (0, 0, [])]
    csv = ",Anna,Bob,Cleo\nbefore,1,2,3\nchains,4,0,0\nfrance,AAABBBB\nitaly,AAB\n"
    assert scored(csv, "game.csv").result == result


def test_the_interim_scoring_counts_cloisters_only(scored) -> None:
    game = scored(TOML, interim=True)
    assert game.result["complete"] is False
    assert [(each["total"], each["before"], each["alliances"]) for each in game.result["players"]] == [
        (22, 0, []), (35, 0, []), (31, 0, [])]
    alone = 'players = ["Andreas", "Barbra", "Chris"]\n' + INTERIM
    assert [each["total"] for each in scored(alone, interim=True).result["players"]] == [14, 17, 16]
    assert game.verdict() == "So far: Barbra leads with 35 points."


def test_what_a_whole_game_has_is_missed(scored) -> None:
    game = scored(changed("before = [23, 25, 19]\n", ""))
    assert game.result["complete"] is False
    assert game.result["warnings"] == [
        "game.toml before: the points of the interim scoring are missing: they count 0 (before = [23, 25, 19], or "
        "[interim]; --partial for a game that is not over)"]
    assert scored(changed("before = [23, 25, 19]\n", ""), partial=True).warnings == ()
    counted = scored('players = ["Anna", "Bob", "Cleo"]\nbefore = [1, 2, 3]\n[cloisters]\nfrance = "AAB"')
    assert [warning.key for warning in counted.warnings] == ["chains"]
    assert counted.result["complete"] is False


@pytest.mark.parametrize(("old", "new", "message"), [
    ('"ABC."', '"ABC"', "game.toml:11 spaces.swabia: 3 letters, but there are 4 spaces (write one letter a space, in "
                        "the order of the labels, and . for an empty one)"),
    ('"ABC."', '"ABX."', "game.toml:11 spaces.swabia: “X” stands for no player (A = Andreas, B = Barbra, C = Chris)"),
    ('swabia = "ABC."', 'swabia = { SW5 = "A" }', "game.toml:11 spaces.swabia.SW5: “SW5” is not a space of Swabia (one "
                                                  "of SW1, SW2, SW3, SW4)"),
    ('swabia = "ABC."', 'swabia = { SW1 = "A", sw1 = "B" }',
     "game.toml:11 spaces.swabia.sw1: SW1 is held by Andreas and by Barbra (a space holds one cloister)"),
    ('swabia = "ABC."', 'swabia = { SW1 = "AB" }',
     "game.toml:11 spaces.swabia.SW1: SW1 is held by Andreas and by Barbra (a space holds one cloister)"),
    ('swabia = "ABC."', 'SW1 = "A"\nswabia = "B..."',
     "game.toml:12 spaces.swabia: SW1 is held by Andreas and by Barbra (a space holds one cloister)"),
    ('swabia = "ABC."', "swabia = 4", 'game.toml:11 spaces.swabia: is not a row of letters (like "AB.C")'),
    ('swabia = "A"', 'swabia = "AAB"', "game.toml:22 councillors.swabia: Swabia: 3 councillors, but no player has more "
                                       "than 1 cloister there (at most 1 councillor of all players together)"),
    ('swabia = "ABC."', 'swabia = "...."', "game.toml:22 councillors.swabia: Swabia: 1 councillor, but no cloister "
                                           "stands there yet (count again)"),
    ("swabia =", "schwabia =", "game.toml:11 spaces.schwabia: “schwabia” is not a country (did you mean swabia?)"),
    ("[23, 25, 19]", "[23, 25]", "game.toml:4 before: is not a number for each of 3 players (like [7, 7, 7])"),
    ('"Andreas", "Barbra"', '"Barbra"', "game.toml:3 players: 2 given (the game is for 3 to 5)"),
    ("board-game", "card-game", "game.toml:2 game: “card-game” is not the game being scored (board-game)"),
    ("[spaces]", "[cloisters]\nfrance = { A = 3 }\n[spaces]", "game.toml:6 cloisters: cloisters and spaces are both "
     "given (write spaces, or cloisters and chains)"),
    ("[spaces]", "chains = [4, 7, 0]\n[spaces]", "game.toml:6 chains: chains and spaces are both given (write spaces, "
                                                 "or cloisters and chains)"),
    ("before = [23, 25, 19]", "before = { A = 23, Andreas = 25 }",
     "game.toml:4 before.Andreas: Andreas is given twice (remove one)"),
    ("[spaces]", "roads = 3\n[spaces]", "game.toml:6 roads: is not known (one of game, date, place, players, before, "
     "interim, spaces, cloisters, councillors, chains)"),
    ("[spaces]", '[interim]\nitaly = "AAB"\n[spaces]', "game.toml:7 interim.italy: Andreas, Italy: 2 cloisters at the "
     "interim scoring, 1 now (cloisters never leave: count again)"),
    ("[spaces]", '[interim]\nitaly = "A"\nfrance = "AAB"\n[spaces]', "game.toml:4 before: says 23, 25, 19, but the "
     "interim scoring makes 4, 2, 0 (correct one of them, or leave one out)"),
])
def test_what_can_not_be_is_refused_where_it_stands(refused, old, new, message) -> None:
    assert message in refused(changed(old, new))


@pytest.mark.parametrize(("text", "messages"), [
    ("[spaces]\n" + "".join(f'{country} = "{"A" * count}"\n' for country, count in (
        ("france", 8), ("franconia", 7), ("bavaria", 6))) + '[councillors]\nfrance = "AAAA"\nfranconia = "AAAAA"\n',
     ["game.toml:2 spaces: Anna: 21 cloisters (each player has 20)",
      "game.toml:6 councillors: Anna: 9 councillors (each player has 8)"]),
    ('chains = [3, 9, 0]\n[cloisters]\nswabia = "AAABB"\nfrance = "BBBBB"\n', [
        *(f"game.toml:2 chains: {held} cloisters (a chain has 4 cloisters or more, each worth a point)" for held in (
            "Anna: 3 points for chains with 3", "Bob: 9 points for chains with 7")),
        "game.toml:4 cloisters.swabia: Swabia: 5 cloisters, but there are 4 spaces (count again)"])])
def test_more_pieces_than_a_player_or_a_country_has_are_refused(refused, text, messages) -> None:
    assert refused(f'players = ["Anna", "Bob", "Cleo"]\n{text}') == messages


@pytest.mark.parametrize("text", ["", "players = 3", 'players = ["A", "B", "C"]\nspaces = 3',
                                  'players = ["A", "B", "C"]\n[spaces]\nfrance = [1]',
                                  'players = ["A", "B", "C"]\n[councillors]\nfrance = { A = "x" }',
                                  'players = [1, 2, 3]\n[spaces]\nFR1 = 3\nfrance = { FR2 = 4 }',
                                  'players = ["A", "B", "C"]\nbefore = { Z = 4 }'])
def test_nonsense_is_refused_in_plain_words(refused, text) -> None:
    assert refused(text)


def test_a_filled_in_sheet_is_a_complete_position(scored, scoring) -> None:
    for text in (TOML, changed("before = [23, 25, 19]\n", "") + INTERIM):
        game = scored(text)
        fields = game.fields()
        assert fields["france.FR1"] == "A"
        assert fields["p2.total"] == str(game.result["players"][1]["total"])
        again = scoring.score(scoring.from_fields(fields, "sheet.pdf"))
        assert again.result == game.result
        assert again.warnings == ()


def test_every_cell_of_the_plan_is_on_the_sheet_and_back(scored, scoring) -> None:
    game = scored(TOML)
    cells = scoring.to_cells(game.written)
    assert {*cells} <= {*scoring.plan.cells()}
    assert cells[SheetCell(0, "france", "FR2")] == "B"
    again = scoring.score(scoring.from_fields({cell.field: text for cell, text in cells.items()}, "sheet"))
    assert again.result == game.result


def test_each_point_is_told_in_a_sentence(scored) -> None:
    told = list(scored(TOML).reasons())
    assert told[0].startswith("France: Barbra has the most cloisters (4) → 8, as many as stand there; Andreas is")
    assert "Box 4, Aragon–France: Barbra leads in both: 2 + 3 = 5." in told
    assert "Box 14, Burgundy–Italy: Barbra and Chris lead in both: 2 + 2 = 4 each." in told
    assert "Box 12, Franconia–Bavaria: nobody leads in both (here Andreas, there Barbra and Chris)." in told
    assert "Barbra: Chain FR2–FR5–FR7–FR6–BU2–BU1–BU3: 7." in told
    assert told[-1] == "Chris: 19 before, 31 for cloisters, 8 for alliances, 0 for chains → 58."


@pytest.mark.parametrize(("before", "verdict"), [
    ((9, 5, 1), "Anna wins with 9 points."),
    ((6, 0, 5), "Anna and Cleo tie at 6 points; Anna wins with more pieces left (28 to 27)."),
    ((1, 1, 0), "Anna, Bob and Cleo tie at 1 point; of these, Anna and Bob have the most left (28 pieces left each): "
                "nobody wins."),
    ((7, 7, 0), "Anna and Bob tie at 7 points and 28 pieces left each: nobody wins."),
])
def test_who_won_is_told_with_what_decided(scored, before, verdict) -> None:
    text = f'players = ["Anna", "Bob", "Cleo"]\nbefore = {list(before)}\n[spaces]\nFR1 = "C"\n'
    assert scored(text).verdict() == verdict
