"""The board game's score sheet, typed into: it scores as Python does, and a filled-in sheet is a complete position."""

from __future__ import annotations

import json
import re
from contextlib import suppress
from pathlib import Path

import pytest

from ppgen.assets import Assets
from ppgen.engine.component import Pad
from ppgen.engine.geometry import A4
from ppgen.errors import InputError
from ppgen.games.board_game import sheet as printed
from ppgen.games.board_game.scoring import ScoredBoardGame
from ppgen.games.board_game.sheet import score_sheet_part
from ppgen.play.game_scoring import read_json
from ppgen.printing.workshop import Workshop
from ppgen.reading.pdf_form import read_form_fields
from tests.pages.scorer.positions import placed

from .conftest import sheet_of

POSITIONS = 24
COMPUTED = re.compile(r"p\d\.(\w+\.(interim_)?points|box\d+|\w+_subtotal|chain_points|total|pieces_left)")


@pytest.fixture(scope="module")
def workshop() -> Workshop:
    return Workshop.open(Assets.at(), game="board-game")


@pytest.fixture(scope="module")
def sheet(workshop, tmp_path_factory) -> Path:
    """The German score sheet on A4, on the two pages of large print."""
    path = tmp_path_factory.mktemp("board") / "sheet.pdf"
    path.write_bytes(sheet_of(workshop.in_large_print(), large_print=True))
    return path


@pytest.fixture(scope="module")
def scored(board, board_scoring) -> list[ScoredBoardGame]:
    """Positions that can be, with the cloisters of the interim scoring, with its points or with neither."""
    found = []
    for number in range(POSITIONS):
        with suppress(InputError):
            found.append(board_scoring.score(read_json(json.dumps(placed(number, board)), "")))
    assert len(found) > POSITIONS / 2
    return found


def typed(game: ScoredBoardGame) -> dict[str, str]:
    """What a person writes of it: no points but those of the interim scoring, where its letters were not noted."""
    return {name: text for name, text in game.fields().items() if not COMPUTED.fullmatch(name)
            and not (name.endswith(".before") and game.checked.position.interim is not None)}


@pytest.mark.slow
def test_random_positions_come_out_as_scored(node, workshop, board, scored):
    form = score_sheet_part(board, workshop.texts("de"), Pad(room=A4.size)).components[0].form
    assert form is not None
    scripts = {field.name: field.calculate for field in form.fields}
    answer = node.run("fields.mjs", given={
        "script": form.script, "calculated": [[name, scripts[name]] for name in form.calculated],
        "names": [field.name for field in form.fields], "filled": [*map(typed, scored)]})
    for number, (found, game) in enumerate(zip(answer, scored, strict=True)):
        assert found == game.fields(), f"position {number}"


@pytest.mark.slow
def test_it_computes_in_the_script_sandbox_of_a_viewer(pdfjs, sheet, scored):
    assert pdfjs(sheet, typed(scored[0]).items())[0] == scored[0].fields()


@pytest.mark.slow
def test_a_filled_in_sheet_is_the_position_again(desk, board):
    """``--sheet`` writes it, and ``ppgen score`` reads it without being told which game it is."""
    (desk.folder / "game.json").write_text(json.dumps(placed(1, board)), encoding="utf-8")
    made, again = (desk.run("score", source, "--format", "json", *words) for source, *words in (
        ("game.json", "--sheet", "sheet.pdf"), ("sheet.pdf",)))
    assert json.loads(again.stdout) == json.loads(made.stdout)
    held = read_form_fields(desk.folder / "sheet.pdf")
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
