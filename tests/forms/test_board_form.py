"""The board game's score sheet, typed into: it scores as Python does, and a filled-in sheet is a complete position."""

from __future__ import annotations

import json
import random
import re
from pathlib import Path

import pytest

from ppgen.assets import Assets
from ppgen.engine.component import Pad
from ppgen.engine.geometry import A4
from ppgen.games.board_game import sheet as printed
from ppgen.games.board_game.board import Board
from ppgen.games.board_game.board_loading import load_board
from ppgen.games.board_game.points import Position, score_game
from ppgen.games.board_game.scoring import BoardScoring, ScoredBoardGame
from ppgen.games.board_game.sheet import score_sheet_part
from ppgen.games.board_game.tallies import CheckedPosition, Letters, TallyNames
from ppgen.printing.workshop import Workshop
from ppgen.reading.pdf_form import read_form_fields
from ppgen.shipped import shipped_root

from .conftest import sheet_of

POSITIONS, IN_PDF = 60, 3
PLAYERS = ("Andreas", "Barbra", "Chris", "Dora", "Emil"), ("Anna", "Albert", "Åse", "Bob", "Cleo")
COMPUTED = re.compile(r"p\d\.(\w+\.(interim_)?points|box\d+|\w+_subtotal|chain_points|total|pieces_left)")


@pytest.fixture(scope="module")
def board() -> Board:
    return load_board(shipped_root() / "data" / "board_game")


@pytest.fixture(scope="module")
def workshop() -> Workshop:
    return Workshop.open(Assets.at(), game="board-game")


@pytest.fixture(scope="module")
def sheet(workshop, tmp_path_factory) -> Path:
    """The German score sheet on A4, on the two pages of large print."""
    path = tmp_path_factory.mktemp("board") / "sheet.pdf"
    path.write_bytes(sheet_of(workshop.in_large_print(), large_print=True))
    return path


def some_position(number: int, board: Board) -> Position:
    """A position by number, with the cloisters of the interim scoring, with its points or with neither."""
    chance = random.Random(number)
    players = PLAYERS[number % 2][:3 + number % 3]
    share = chance.choice((0.1, 0.5, 0.9))
    held = chance.sample([space.id for space in board.spaces], k=round(share * len(board.spaces)))
    spaces = {space: chance.randrange(len(players)) for space in held}

    def counts(most: int) -> dict[str, tuple[int, ...]]:
        found = {country: tuple(chance.randint(0, most) for _ in players) for country in board.labels}
        return {country: held for country, held in found.items() if any(held)}

    how = number % 4
    return Position(players=players, spaces=spaces, councillors=counts(chance.randint(0, 3)),
                    interim=counts(chance.randint(0, 2)) or None if how == 1 else None,
                    before=tuple(chance.randint(0, 40) for _ in players) if how > 1 else ())


def wanted(position: Position, board: Board) -> dict[str, str]:
    data = shipped_root() / "data"
    names = TallyNames(board, data / "board_game" / "locales", "en", data / "locales")
    checked = CheckedPosition(position=position, letters=Letters(position.players), facts={})
    score = score_game(position, board)
    return ScoredBoardGame(scoring=BoardScoring(board=board, names=names), score=score, scored=score.scored, facts={},
                           complete=True, checked=checked).fields()


def typed(values: dict[str, str], position: Position) -> dict[str, str]:
    """What a person writes of it: no points but those of the interim scoring, where its letters were not noted."""
    return {name: text for name, text in values.items()
            if not COMPUTED.fullmatch(name) and not (name.endswith(".before") and position.interim is not None)}


@pytest.mark.slow
def test_random_positions_come_out_as_scored(node, workshop, board):
    part = score_sheet_part(board, workshop.texts("de"), Pad(room=A4.size))
    form = part.components[0].form
    assert form is not None
    scripts = {field.name: field.calculate for field in form.fields}
    positions = [some_position(number, board) for number in range(POSITIONS)]
    values = [wanted(position, board) for position in positions]
    answer = node.run("fields.mjs", given={
        "script": form.script, "calculated": [[name, scripts[name]] for name in form.calculated],
        "names": [field.name for field in form.fields],
        "filled": [typed(each, position) for each, position in zip(values, positions, strict=True)]})
    for number, (found, right) in enumerate(zip(answer, values, strict=True)):
        assert found == right, f"position {number}"


@pytest.mark.slow
def test_it_computes_in_the_script_sandbox_of_a_viewer(pdfjs, sheet, board):
    positions = [some_position(number, board) for number in (1, 3, 4)][:IN_PDF]
    values = [wanted(position, board) for position in positions]
    games = [list(typed(each, position).items()) for each, position in zip(values, positions, strict=True)]
    answer = pdfjs.run("pdfjs.mjs", str(sheet), given=games)
    assert not answer["errors"]
    for held, right in zip(answer["played"], values, strict=True):
        assert {name: text for name, text in held.items() if text} == right


@pytest.mark.slow
def test_a_filled_in_sheet_is_the_position_again(process, tmp_path, board):
    """``--sheet`` writes it, and ``ppgen score`` reads it without being told which game it is."""
    position = some_position(6, board)
    letters = Letters(position.players).by_seat
    rows = {country: "".join(letters[position.spaces[label]] if label in position.spaces else "." for label in labels)
            for country, labels in board.labels.items()}
    councillors = dict.fromkeys([country for country, row in rows.items() if row.strip(".")][:8], letters[0])
    (tmp_path / "game.json").write_text(json.dumps({
        "game": "board-game", "players": position.players, "before": position.before, "spaces": rows,
        "councillors": councillors}), encoding="utf-8")
    made, again = (process("score", source, "--format", "json", *words, cwd=tmp_path) for source, *words in (
        ("game.json", "--sheet", "sheet.pdf"), ("sheet.pdf",)))
    assert (made.returncode, again.returncode) == (0, 0), made.stderr + again.stderr
    assert json.loads(again.stdout) == json.loads(made.stdout)
    held = read_form_fields(tmp_path / "sheet.pdf")
    assert held["p1.total"] == str(json.loads(made.stdout)["players"][0]["total"])
    assert held["p1.alliance_subtotal"] != "0"


def test_its_script_is_ecmascript_5(parser):
    assert parser.run("es5.mjs", str(Path(printed.__file__).parent / "score_form.js")) == []


@pytest.mark.slow
def test_a_sheet_without_letters_is_told_of_as_it_is_written(desk, monkeypatch):
    lang, words = "ja", "丸に文字は入りません"
    monkeypatch.setenv("LANG", f"{lang}_XX.UTF-8")
    (desk.folder / "game.json").write_text(json.dumps({
        "game": "board-game", "players": ["Anna", "Bob", "Cleo"], "before": [1, 2, 3], "chains": [0, 4, 0],
        "cloisters": {"france": {"A": 2, "B": 4}}}), encoding="utf-8")
    done = desk.ppgen("score", "game.json", "--sheet", "sheet.pdf", "--lang", lang)
    assert done.exit_code == 0 and words in done.stderr
    held = read_form_fields(desk.folder / "sheet.pdf")
    assert held["p2.total"] == "12" and not any(name.startswith("france.") and text for name, text in held.items())
    assert words not in desk.ppgen("score", "game.json", "--lang", lang).stderr, "no sheet, no word of it"
    assert desk.ppgen("score", "game.json", "--sheet", "sheet.pdf", "--quiet").stderr == ""
