"""Problems of ``score.toml``: all at once, each with its line, its key and a remedy."""

import os
import random
import string

import pytest

from ppgen.errors import InputError
from ppgen.play.rule_file import compute, parse_formula, read_rules

from .test_score_files import FILES, GAMES, scoring_of

MANY = """\
round = 3
players = "4-2"
tie_break = ["most gold"]
[coins]
each = 3
[castles]
each = 5
table = [0, "x"]
[roads]
places = []
tie = "split"
[bonus]
points_of = ["upper"]
[loop]
subtotal_of = ["loop"]
[lead]
places = "before"
[award]
places = { 9 = [5] }
[deal]
entries = ["bid", "tricks"]
points = "bid * __import__('os').system('x')"
[gold_points]
[total]
[long]
label = "LONG"
[ways]
each = 2
ties = "skip"
[land]
rows = ["Hills", "hills"]
[big]
counts_of = ["coins"]
each = 99999
[words.en]
mots = "{names}"
most = "{names"
[words.en.silver]
most = "x"
""".replace("LONG", "x" * 10_000)


def problems_of(text: str, folder) -> list[str]:
    (folder / "score.toml").write_text(text, encoding="utf-8")
    with pytest.raises(InputError) as caught:
        read_rules(folder)
    return [str(problem).replace(f"{folder}{os.sep}", "") for problem in caught.value.problems]


def test_all_problems_are_reported_at_once(tmp_path):
    found = problems_of(MANY, tmp_path)
    wanted = {
        "score.toml:1 round: is not known (did you mean rounds?",
        "score.toml:2 players: '4-2' is not a number of players",
        "score.toml:3 tie_break: 'most gold' is not a line", "score.toml:8 castles.table: stands beside each",
        "score.toml:8 castles.table: '1 = x' is not a count and its points",
        "score.toml:10 roads.places: is not the points of the places",
        "score.toml:11 roads.tie: is not known (did you mean ties?",
        "score.toml:13 bonus.points_of: 'upper' is not a line above this one (above it stand: coins, castles, roads)",
        "score.toml:15 loop.subtotal_of: 'loop' is not a line above this one",
        "score.toml:17 lead.places: 'before' needs the points of the first place (add exist = 8",
        "score.toml:22 deal.points: 'bid * __import__('os').system('x')' holds something that is not allowed here",
        "score.toml:23 gold_points: 'gold_points' is a word of the sheet's own",
        "score.toml:24 total: 'total' is a word of the sheet's own",
        "score.toml:26 long.label: has a name of 10000 characters", "score.toml:29 ways.ties: does nothing beside each",
        "score.toml:31 land.rows: row 'hills' is there twice", "score.toml:34 big.each: 99999 is out of range",
        "score.toml:36 words.en.mots: is not a text of scoring (did you mean most?",
        "score.toml:37 words.en.most: has a brace that is not a {placeholder}",
        "score.toml:39 words.en.silver.most: is for 'silver', which is not a line"}
    assert [start for start in wanted if not any(each.startswith(start) for each in found)] == []
    assert len(found) == len(wanted), [each for each in found if not any(map(each.startswith, wanted))]


@pytest.mark.parametrize("text", [
    "a ** 2", "a / 2", "a // b", "a // 0", "a.real", "a[0]", "f(a)", "min(a)", "'a'", "1.5", "a if b else 0",
    "a < b < 3", "lambda: 1", "a and b", "~a", "10001", "max(*[a, b])", "a * a * a * a", "(a * a * a * a) == b",
    "1" * 300, "(" * 150, "x", "min(a, b, key=a)", "True"])
def test_a_formula_is_arithmetic_and_bounded(text):
    with pytest.raises(ValueError, match=r"^[a-z]"):
        parse_formula(text, {"a": 0, "b": 1})


def test_formulas_are_computed_as_python_does():
    for text in ("a - b * 3", "-a // 7 + b", "(a > b) * 20 + (a != 3)", "min(a, b, 4) - max(a, 2 * b)",
                 "(a <= 3) + (b >= 2)"):
        tree = parse_formula(text, {"a": 0, "b": 1})
        for a, b in ((0, 0), (3, 5), (9, 2)):
            assert compute(tree, (a, b)) == int(eval(text, {"a": a, "b": b, "min": min, "max": max}))


def test_damaged_files_are_refused_or_scored_but_never_crash(tmp_path):
    """Strangers' files: a few characters, lines or values of a real one changed."""
    chance = random.Random(1)
    for _ in range(150):
        lines = (FILES / chance.choice(GAMES) / "score.toml").read_text(encoding="utf-8").splitlines()
        for _ in range(chance.randint(1, 4)):
            n = chance.randrange(len(lines))
            lines[n] = chance.choice((
                lines[n][:chance.randrange(len(lines[n]) + 1)], lines[chance.randrange(len(lines))], "",
                lines[n].replace("1", "9" * chance.randint(1, 30)), lines[n].replace("=", chance.choice("=-[{")),
                lines[n] + chance.choice(string.printable[:95])))
        (tmp_path / "score.toml").write_text("\n".join(lines), encoding="utf-8")
        try:
            scoring = scoring_of(tmp_path)
        except InputError as error:
            assert error.problems
            continue
        for count in (0, 5, 9999):
            columns = [dict.fromkeys(scoring.plan.column(0), count)] * scoring.plan.least
            assert len(scoring.points(columns)) == scoring.plan.least
