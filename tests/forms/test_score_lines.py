"""The scoring by ``score.toml`` in JavaScript says of any game what Python says, and so do the fields of its forms."""

from __future__ import annotations

import json
import random
from contextlib import suppress
from pathlib import Path

import pytest

from ppgen.assets import Assets
from ppgen.errors import InputError
from ppgen.games.card_game.scoring import CardScoring
from ppgen.games.catalogue import open_scoring
from ppgen.play import sheet_plan
from ppgen.play.line_points import compose_line_verdict, explain_lines, score_columns
from ppgen.play.rule_file import EXTREMES, SOURCES, TAKES, TIES
from ppgen.printing.workshop import Workshop
from ppgen.records import asdict
from tests.play.test_score_files import FILES, GAMES, case_of, scoring_of

from .conftest import sheet_of

SCRIPT = Path(sheet_plan.__file__).parent / "score_lines.js"
RANDOM = 6
"""Random games of each file."""


def some_columns(number: int, scoring) -> list[dict[str, int]]:
    """A game by number: some cells blank, few or large counts, ties, signed entries below 0."""
    chance = random.Random(number)
    plan, most = scoring.plan, chance.choice((1, 3, 6, 12, 80))
    columns: list[dict[str, int]] = []
    for _ in range(chance.randint(plan.least, plan.most)):
        column = {cell.field: chance.randint(-most if line.signed else 0, most)
                  for cell, line in scoring._lines.items() if chance.random() < 0.8}
        if columns and chance.random() < 0.3:
            column = {**column, **dict(list(columns[0].items())[chance.randrange(2):])}
        columns.append(column)
    return columns


def random_rules(number: int) -> str:
    """Rules by number: lines that score in each way, of counts, entries and other lines; many are refused."""
    chance = random.Random(number)

    def some(**keys: object) -> str:
        return "".join(f"{key.strip('_')} = {json.dumps(value)}\n" for key, value in keys.items()
                       if chance.random() < 0.3)

    def formula(names: list[str], depth: int = 3) -> str:
        if not depth or chance.random() < 0.2:
            return chance.choice([*names, str(chance.randint(0, 9))])
        one, other = formula(names, depth - 1), formula(names, depth - 1)
        sign = chance.choice(("+", "-", "*", "//", "==", "!=", "<", "<=", ">", ">=", "min", "max"))
        return f"{sign}({one}, {other})" if sign in ("min", "max") else f"({one} {sign} {other or 1})"

    lines = [f"line_{n}" for n in range(chance.randint(1, 5))]
    text = f'players = "1-5"\n{some(wins="lowest", tie_break=[f"{chance.choice(EXTREMES)} {key}" for key in lines])}'
    for n, key in enumerate(lines):
        names, source = [key], chance.choice(("", "", "entries", *SOURCES * bool(n)))
        text += f"[{key}]\n{some(whose='others', take=chance.choice(TAKES), exist=chance.randint(1, 20))}"
        if source:
            names = ["a", "b", "c"] if source == "entries" else chance.sample(lines[:n], chance.randint(1, n))
            text += f"{source} = {json.dumps(names)}\n"
        numbers, of = sorted(chance.sample(range(-5, 20), 4), reverse=chance.random() < 0.8), chance.choice(EXTREMES)
        places = chance.choice((numbers, '"before"', f"{{ 2 = {numbers[:1]}, 4 = {numbers} }}"))
        text += chance.choice((
            some(each=chance.randint(-3, 5), per=chance.randint(2, 4), from_=chance.randint(1, 5), up_to=9, only=of),
            f"table = {numbers}\n{some(from_=2, only=of)}", f'points = "{formula(names)}"\n{some(only=of)}',
            f"places = {places}\n{some(ties=chance.choice(TIES), of=of, not_all=True)}"))
    return text


def texts_of(scoring) -> dict[str, str]:
    """The texts that sentences about a game are made of."""
    return {key: words for key, words in scoring.say.words.items()
            if key.partition(".")[0] in ("explain", "results", "counted", "places")}


def assert_scored_alike(node, trials) -> None:
    """Score games in both languages: (scoring, its rules, columns, whether the game is over)."""
    games, wanted = [], []
    for scoring, rules, columns, over in trials:
        names = [f"P{seat}" for seat in range(len(columns))]
        scored = score_columns(rules, names, columns)
        data = {**asdict(rules), "lines": [line.data() for line in rules.lines]}
        games.append({"rules": data, "texts": texts_of(scoring), "names": names, "columns": columns, "over": over})
        wanted.append([scored.counts, scored.points, scored.totals, scored.ranks, scored.decided,
                       [*explain_lines(rules, scored, scoring.words)],
                       compose_line_verdict(rules, scored, scoring.words, over=over)])
    found = node.run("lines.mjs", str(SCRIPT), given={"games": games})
    for game, one, other in zip(games, found, json.loads(json.dumps(wanted)), strict=True):
        assert one == other, game


@pytest.mark.slow
def test_random_games_of_each_file_are_scored_alike(node):
    """In three languages in turn."""
    trials = []
    for game in GAMES:
        scorings = [scoring_of(FILES / game, lang) for lang in ("en", "ja", "fr")]
        for number in range(RANDOM):
            scoring = scorings[number % 3]
            columns = some_columns(number, scoring) if number else [each["cells"] for each in case_of(game)["players"]]
            trials.append((scoring, scoring.rules, columns, number % 5 != 4))
    assert_scored_alike(node, trials)


@pytest.mark.slow
def test_random_games_by_random_rules_are_scored_alike(node, tmp_path):
    trials = []
    for number in range(900):
        (tmp_path / "score.toml").write_text(random_rules(number), encoding="utf-8")
        with suppress(InputError):
            scoring = scoring_of(tmp_path, ("en", "de", "ja")[number % 3])
            trials.append((scoring, scoring.rules, some_columns(number, scoring), number % 5 != 4))
    assert len(trials) > 200
    assert_scored_alike(node, trials)


def test_random_games_of_the_card_game_are_scored_alike(node):
    """In three languages in turn."""
    scorings = [open_scoring(Assets.at(), "card_game", lang) for lang in ("de", "da", "nl")] * 4
    assert all(isinstance(scoring, CardScoring) for scoring in scorings)
    assert_scored_alike(node, [(scoring, scoring.spoken_rules, some_columns(number, scoring), True)
                               for number, scoring in enumerate(scorings)])


def test_the_scripts_are_ecmascript_5(parser, tmp_path):
    """Old viewers know no other. What is newer is found, down to methods."""
    assert parser.run("es5.mjs", *(str(SCRIPT.with_name(f"{name}.js")) for name in (
        "counts", "fields", "score_lines", "score_fields"))) == []
    new = tmp_path / "new.js"
    new.write_text("let a = `x`;\nvar b = {a};\nvar c = [a].map(x => x ** 2);\nc.includes(4);\nc.map(Math.sign);\n")
    lines = [line.removeprefix(f"{new}:") for line in parser.run("es5.mjs", str(new))]
    assert lines == ["1 let", "1 TemplateLiteral", "1 TemplateElement", "2 short property", "3 ArrowFunctionExpression",
                     "3 **", "4 includes", "5 sign"]


@pytest.mark.slow
def test_a_form_adds_itself_up(pdfjs, tmp_path):
    """The printed sheet of a file, in the folder of a smallest deck."""
    game = FILES / "all-ways"
    (tmp_path / "deck.toml").write_text('title = "Any game"\nlang = "en"\n[cards]\nfront = "card.svg.j2"\n')
    (tmp_path / "card.svg.j2").write_text('<rect width="9" height="9"/>')
    (tmp_path / "score.toml").write_text((game / "score.toml").read_text(encoding="utf-8"), encoding="utf-8")
    (tmp_path / "sheet.pdf").write_bytes(sheet_of(Workshop.open(Assets.at(tmp_path)), langs=("en",)))
    columns = [each["cells"] for each in case_of(game.name)["players"]]
    held, _ = pdfjs(tmp_path / "sheet.pdf", [
        (f"p{seat}.{cell}", str(text)) for seat, column in enumerate(columns, 1)
        for cell, text in {"name": f"P{seat}", **column}.items()])
    rules = scoring_of(game).rules
    scored = score_columns(rules, ["x"] * len(columns), columns)
    fields = {n: line.points_field for n, line in enumerate(rules.lines) if not line.signed}
    for seat in range(len(columns)):
        assert [int(held.get(f"p{seat + 1}.{field}", 0)) for field in fields.values()] == [
            scored.points[n][seat] for n in fields]
        assert int(held.get(f"p{seat + 1}.total", 0)) == scored.totals[seat]
