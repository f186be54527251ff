"""Games of ``score.toml``, each with an example computed by hand: points, winners, tie-breaks and sentences."""

import re
import tomllib
from dataclasses import replace
from pathlib import Path

import pytest

from ppgen.games.own_deck import sheet as own_sheet
from ppgen.play.line_points import compose_line_verdict, explain_lines, score_columns, score_places
from ppgen.play.rule_file import read_rules
from ppgen.play.rule_game import RuleNames, RuleScoring
from ppgen.reading.texts import languages
from ppgen.shipped import shipped_root

FILES = Path(__file__).parent / "score_files"
GAMES = sorted(path.name for path in FILES.iterdir())
COMMON = shipped_root() / "data" / "locales"


def scoring_of(folder: Path, lang: str = "en") -> RuleScoring:
    rules = read_rules(folder, lang)
    return RuleScoring(folder.name, rules, RuleNames(rules, lang, COMMON))


def case_of(game: str) -> dict:
    return tomllib.loads((FILES / game / "case.toml").read_text(encoding="utf-8"))


@pytest.mark.parametrize("game", GAMES)
def test_a_game_is_scored_as_by_hand(game):
    case, scoring = case_of(game), scoring_of(FILES / game)
    rules, columns = scoring.rules, [player["cells"] for player in case["players"]]
    scored = score_columns(rules, [player["name"] for player in case["players"]], columns)
    assert list(scored.totals) == [player["total"] for player in case["players"]]
    assert (scored.winners, scored.decided) == (case["winners"], case["decided"])
    said = list(explain_lines(rules, scored, scoring.words))
    assert [each for each in case.get("reasons", ()) if each not in said] == []
    verdict = compose_line_verdict(rules, scored, scoring.words)
    assert verdict == case.get("verdict", verdict) and "{" not in verdict + "".join(said)
    assert {cell for column in columns for cell in column} <= {cell for line in rules.lines for cell in line.entries}


@pytest.mark.parametrize(("counts", "most", "fewest"), [
    ((4, 2, 2), (6, 0, 0), (0, -3, -3)), ((1, 0, 0), (6, 0, 0), (0, -3, -3)), ((3, 3, 3), (0, 0, 0), (0, 0, 0))])
def test_a_place_that_all_share_is_worth_nothing_if_not_all_may(counts, most, fewest):
    rules = scoring_of(FILES / "sushi-go").rules
    lines = {line.key: line for line in rules.lines}
    assert [score_places(lines[key], counts) for key in ("puddings", "fewest_puddings")] == [most, fewest]


@pytest.mark.parametrize("lang", languages(COMMON))
def test_reasons_and_verdicts_have_no_gap_in_any_language(lang):
    for game in ("all-ways", "skat", "wingspan"):
        case, scoring = case_of(game), scoring_of(FILES / game, lang)
        names = [player["name"] for player in case["players"]]
        for columns in ([player["cells"] for player in case["players"]], [{} for _ in names]):
            scored = score_columns(scoring.rules, names, columns)
            said = [*explain_lines(scoring.rules, scored, scoring.words), *(compose_line_verdict(
                scoring.rules, scored, scoring.words, over=over) for over in (True, False))]
            assert not [each for each in said if "{" in each or not each]


@pytest.mark.parametrize("block", re.findall(r"```toml\n(.*?)```", (
    shipped_root() / "docs" / "score-sheets.md").read_text(encoding="utf-8"), re.DOTALL))
def test_each_example_of_the_docs_is_read(block, tmp_path):
    (tmp_path / "lands.csv").write_text("id,name,number\nhills,Hills,5\n", encoding="utf-8")
    lines = "" if "\n[coins]" in f"\n{block}" or "[words" not in block else "[coins]\n[castles]\n"
    (tmp_path / "score.toml").write_text(lines + block, encoding="utf-8")
    assert scoring_of(tmp_path).plan.rows


def test_an_own_word_for_counts_is_not_that_for_points(tmp_path):
    (tmp_path / "score.toml").write_text(
        'tie_break = ["coins"]\n[coins]\n[castles]\neach = 3\n[words.en]\ncounted = "{count} pieces"\n'
        'draw_all = "{names} tie at {points} and {counted}."\n', encoding="utf-8")
    scoring = scoring_of(tmp_path)
    scored = score_columns(scoring.rules, ["Ann", "Bo"], [{"coins": 2, "castles": 1}] * 2)
    assert compose_line_verdict(scoring.rules, scored, scoring.words) == "Ann and Bo tie at 5 points and 2 pieces."


@pytest.mark.parametrize("length", [3, 57, 58, 59, 60, 200])
def test_a_hint_has_so_many_characters_at_most_with_its_sign(monkeypatch, length):
    """It is whole if it fits, else the beginning of the whole one."""
    scoring = scoring_of(FILES / GAMES[0])
    monkeypatch.setattr(own_sheet, "describe_line", lambda line, _: "z" * length)
    hint = own_sheet._hint([replace(scoring.rules.lines[0], column="")] , scoring.rules, scoring.say)
    whole = "z" * length
    assert hint.rpartition("z")[0] and len(hint) == min(length, own_sheet.MAX_HINT)
    assert hint == whole if length <= own_sheet.MAX_HINT else hint == whole[:own_sheet.MAX_HINT - 1] + "…"
