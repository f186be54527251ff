"""Problems of ``score.toml``: all at once, each with its line, its key and a remedy."""

import random
import string

import pytest

from ppgen.errors import InputError
from ppgen.play.rule_file import compute, parse_formula

from .test_score_files import FILES, GAMES, scoring_of


def test_a_formula_that_is_more_than_bounded_arithmetic_is_refused(golden_cases):
    def answer(text):
        with pytest.raises(ValueError) as refused:
            parse_formula(text, {"a": 0, "b": 1})
        yield refused.value

    golden_cases("formulas", answer)


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
