"""The board game's scoring in JavaScript says of any position what Python says."""

from __future__ import annotations

import json
import random
import re
from contextlib import suppress
from pathlib import Path

import pytest

from ppgen.errors import InputError
from ppgen.games.board_game import scoring
from ppgen.games.board_game.points import Position
from ppgen.games.board_game.scoring import BoardScoring, check_position, rules_json, twin_source
from ppgen.play.game_scoring import read_json
from ppgen.play.sheet_plan import Json
from ppgen.records import asdict
from tests.pages.scorer.positions import placed

POSITIONS = 120
SCRIPT = Path(scoring.__file__).parent / "score.js"


def write_loosely(game: Json, number: int) -> Json:
    """The same position in other ways that people write it, some with cloisters that were only counted."""
    chance = random.Random(number)
    initials = [name[0] for name in game["players"]]
    letters = initials if set("".join(game["councillors"].values())) <= {*initials} else "ABCDE"
    names = dict(zip(letters, game["players"], strict=False))

    def word(letter: str) -> str:
        return chance.choice((letter, letter.lower(), names[letter]))

    def counts(rows: dict[str, str]) -> Json:
        kind = chance.choice((int, str))
        return {country: {word(letter): kind(row.count(letter)) for letter in names if letter in row}
                for country, row in rows.items()}

    held = counts(game["spaces"])
    loose = {**game, **{key: counts(game[key]) for key in ("councillors", "interim") if key in game}}
    if "before" in game:
        loose["before"] = chance.choice(([f"{points}+0" for points in game["before"]], dict(zip(
            map(word, names), game["before"], strict=True))))
    if number % 4:
        return loose
    chains = [4 * ("".join(game["spaces"].values()).count(letter) > 3) for letter in names]
    return {**{key: value for key, value in loose.items() if key != "spaces"}, "cloisters": held,
            **({"chains": chains} if number % 3 else {})}


def position_of(game: Json, scoring: BoardScoring) -> Position:
    return check_position(read_json(json.dumps(game), ""), scoring.board, scoring.names).position


@pytest.fixture(scope="module")
def games(board, board_scoring) -> list[tuple[int, Json]]:
    """Positions that can be, by number, as ``write_loosely`` has them or letter by letter."""
    found = []
    for number in range(POSITIONS):
        with suppress(InputError):
            game = placed(number, board)
            position_of(game, board_scoring)
            found.append((number, game if number % 5 == 1 else write_loosely(game, number)))
    assert len(found) > POSITIONS / 2
    return found


@pytest.mark.slow
def test_random_positions_are_scored_alike(node, games, board, board_scoring, tmp_path):
    interim = [number % 7 == 0 for number, _ in games]
    script = tmp_path / "scripts.js"
    script.write_text(twin_source(), encoding="ascii")
    answer = node.run("twin.mjs", str(script), given={
        "rules": rules_json(board), "interim": interim,
        "games": [asdict(position_of(game, board_scoring)) for _, game in games]})
    assert answer["globals"] == ["tallyCounts", "scoreLines", "boardGame"]
    for (number, game), found, is_interim in zip(games, answer["results"], interim, strict=True):
        result = board_scoring.score(read_json(json.dumps(game), ""), interim=is_interim).result
        assert {**found, "warnings": []} == {**result, "warnings": []}, f"position {number}"


def test_words_for_the_same_pieces_are_the_same_position(games, board, board_scoring):
    for number, game in games:
        wanted, found = (position_of(each, board_scoring) for each in (placed(number, board), game))
        for country in board.labels:
            assert found.cloister_counts(country, board) == wanted.cloister_counts(country, board)
            assert found.councillor_counts(country) == wanted.councillor_counts(country)
            assert (found.interim or {}).get(country, (0,)) == (wanted.interim or {}).get(country, (0,))
        assert found.before == wanted.before


def test_the_script_is_ecmascript_5_and_knows_no_page(parser):
    assert parser.run("es5.mjs", str(SCRIPT)) == []
    assert not re.findall(r"\b(getField|event|app|this|console|document|window|globalThis|require)\b", twin_source())
