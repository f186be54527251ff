"""Positions as people write them: in every format and way, and everything that is wrong with them, at once."""

from pathlib import Path

import pytest

from ppgen.games.board_game.scoring import BoardScoring, ScoredBoardGame, open_scoring
from ppgen.play.game_scoring import read_file
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


def changed(old: str, new: str) -> str:
    assert old in TOML
    return TOML.replace(old, new, 1)


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
