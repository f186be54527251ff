"""The board game's scoring in JavaScript says of any position what Python says."""

from __future__ import annotations

import json
import random
import re
from pathlib import Path

import pytest

from ppgen.games.board_game import NAME, scoring
from ppgen.games.board_game.board import Board
from ppgen.games.board_game.board_loading import load_board
from ppgen.games.board_game.points import Position, Score, score_game, score_interim
from ppgen.games.board_game.scoring import rules_json, twin_source
from ppgen.games.board_game.tallies import Reader, TallyNames
from ppgen.play.sheet_plan import Json
from ppgen.play.tally_files import read_json
from ppgen.shipped import shipped_root

POSITIONS = 250
SCRIPT = Path(scoring.__file__).parent / "score.js"
NAMES = (("Andreas", "Barbra", "Chris", "Dora", "Emil"), ("Anna", "Albert", "Bob", "Cleo", "Dan"),
         ("Yves", "Zoe", "Xaver", "Ärne", "Ödön"), ("太郎", "花子", "次郎", "三郎", "𠮷田"),
         ("1st", "2nd", "3rd", "4th", "5th"))
LETTERS = ("ABCDE", "ABCDE", "YZXÄÖ", "ABCDE", "ABCDE")


@pytest.fixture(scope="module")
def board() -> Board:
    return load_board(shipped_root() / "data" / "board_game")


def some_position(number: int, board: Board) -> tuple[Json, Position]:
    """A position by number, as JSON in one of the ways that people write it, and as Python has it."""
    chance = random.Random(number)
    count = 3 + number % 3
    players, letters = NAMES[number % 5][:count], LETTERS[number % 5]

    def word(seat: int) -> str:
        return chance.choice((letters[seat], letters[seat].lower(), players[seat]))

    def counts() -> dict[str, tuple[int, ...]]:
        few = range(1 + chance.choice((0, 1, 2, 2, 3)))
        return {country.id: tuple(chance.choices(few, k=count)) for country in board.countries}

    def row(held: tuple[int, ...]) -> Json:
        if chance.random() < 0.5:
            return "".join(map(str.__mul__, letters, held))
        kind = chance.choice((int, str))
        return {word(seat): kind(each) for seat, each in enumerate(held)}

    def written(table: dict[str, tuple[int, ...]]) -> Json:
        return {country: row(held) for country, held in table.items() if any(held) or chance.random() < 0.5}

    councillors = counts()
    document: Json = {"players": list(players), "councillors": written(councillors)}
    spaces: dict[str, int] = {}
    cloisters, chains, interim, before = {}, (), None, ()
    if number % 4:
        share = chance.choice((0.3, 0.7, 1))
        few = chance.choice((1, count, count))  # sometimes one player holds nearly all
        for space in board.spaces:
            seat = chance.randrange(few)
            if chance.random() < share and list(spaces.values()).count(seat) < 20:
                spaces[space.id] = seat
        if way := chance.randrange(3):
            small = chance.random() < 0.5
            loose = {space.lower() if small else space: word(seat) for space, seat in spaces.items()}
            document["spaces"] = loose if way == 1 else {
                country: {space: loose[space] for space in loose if space.upper() in labels}
                for country, labels in board.labels.items()}
        else:
            document["spaces"] = {country: "".join(letters[spaces[space]] if space in spaces else "."
                                                   for space in labels) for country, labels in board.labels.items()}
    else:
        cloisters, chains = counts(), () if number % 5 == 1 else tuple(chance.choice((0, 4, 7)) for _ in players)
        document |= {"cloisters": written(cloisters), **({"chains": list(chains)} if chains else {})}
    if number % 3 == 0:
        interim = counts()
        document["interim"] = written(interim)
    elif number % 3 == 1:
        before = tuple(chance.choice((0, 9, 9, 20)) for _ in players)
        document["before"] = chance.choice((list(before), [f"{points}+0" for points in before],
                                            {word(seat): points for seat, points in enumerate(before)}))
    return document, Position(players=players, spaces=spaces, cloisters=cloisters, councillors=councillors,
                              chains=chains, before=before, interim=interim)


@pytest.fixture(scope="module")
def positions(board) -> list[tuple[Json, Position]]:
    return [some_position(number, board) for number in range(POSITIONS)]


@pytest.fixture(scope="module")
def scores(positions, board) -> list[Score]:
    return [(score_interim if number % 7 == 0 else score_game)(position, board)
            for number, (_, position) in enumerate(positions)]


@pytest.mark.slow
def test_hundreds_of_positions_are_scored_alike(node, positions, scores, board, tmp_path):
    given = {"rules": rules_json(board), "games": [document for document, _ in positions],
             "interim": [score.interim for score in scores]}
    script = tmp_path / "scripts.js"
    script.write_text(twin_source(), encoding="ascii")
    answer = node.run("twin.mjs", str(script), given=given)
    assert answer["globals"] == ["tallyCounts", "scoreLines", "boardGame"]
    for number, (found, score) in enumerate(zip(answer["results"], scores, strict=True)):
        position = positions[number][1]
        complete = not (score.interim or number % 3 == 2 or position.lacks_chains or position.lacks_cloisters)
        assert found == score.result(NAME, complete, ()), f"position {number}"


def test_positions_are_read_as_ppgen_score_reads_them(positions, board):
    """The same words stand for the same pieces; what no game comes to is refused elsewhere."""
    names = TallyNames(board, shipped_root() / "data" / "board_game" / "locales", "en",
                       shipped_root() / "data" / "locales")
    for document, position in positions[:300]:
        reader = Reader(read_json(json.dumps(document), "game"), board, names)
        found = reader.read().position
        assert not reader.problems
        for country in board.labels:
            assert found.cloister_counts(country, board) == position.cloister_counts(country, board)
            assert found.councillor_counts(country) == position.councillor_counts(country)
        assert (found.spaces, found.chains, found.before) == (position.spaces, position.chains, position.before)
        assert {country: held for country, held in (found.interim or {}).items() if any(held)} == {
            country: held for country, held in (position.interim or {}).items() if any(held)}


def test_the_script_is_ecmascript_5_and_knows_no_page(parser):
    assert parser.run("es5.mjs", str(SCRIPT)) == []
    assert not re.findall(r"\b(getField|event|app|this|console|document|window|globalThis|require)\b", twin_source())
