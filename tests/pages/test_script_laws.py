"""Laws of the scripts of all pages, held to random games, tables, files and servers that fail; no browser is needed."""

from __future__ import annotations

import io
import json
import random
import zipfile
from base64 import b64decode, b64encode
from pathlib import Path

import pytest

from ppgen.assets import Assets
from ppgen.games.catalogue import open_scoring
from ppgen.pages import single_pages
from ppgen.play.game_scoring import read_json
from ppgen.printing.workshop import Workshop
from ppgen.reading.texts import load_texts
from ppgen.shipped import shipped_root
from tests.node import find_node

ROOT = shipped_root()
HERE = Path(__file__).resolve().parent


def held(law: str, *scripts: str | Path, **given: object) -> dict:
    """What a law of ``laws.mjs`` answers, which nothing has broken."""
    texts = [each if isinstance(each, str) else each.read_text(encoding="utf-8") for each in scripts]
    answer = find_node(HERE).run("laws.mjs", law, given={"scripts": texts, **given})
    assert answer["broken"] == []
    return answer


def scorer(folder: str, game: str) -> tuple[list[str | Path], dict]:
    """The scripts and data of a game on the scorer page, without what draws."""
    workshop = Workshop.open(Assets.at(), game=game)
    assert workshop.game.scorer
    page = workshop.game.scorer(workshop.assets.common("locales"))
    shared = [ROOT / f"templates/scorer/script/{name}.js" for name in ("cells", "store")]
    return [*page.scripts, *shared, ROOT / f"templates/{folder}/scorer/model.js"], dict(page.data)


@pytest.mark.slow
def test_counts_that_the_pad_takes_are_scored_by_python_and_steps_lead_back():
    scripts, data = scorer("card_game", "card-game")
    scoring = open_scoring(Assets.at(), "card_game", "en")
    tallies = held("cards", *scripts, data=data)["tallies"]
    assert len(tallies) == 6
    for tally, is_complete in tallies:
        scoring.score(read_json(json.dumps(tally), ""), partial=not is_complete)


@pytest.mark.slow
def test_pieces_that_the_map_takes_are_scored_alike_and_steps_lead_back():
    scripts, data = scorer("board_game", "board-game")
    scoring = open_scoring(Assets.at(), "board_game", "en")
    for written, found, is_interim in held("board", *scripts, data=data)["results"]:
        result = scoring.score(read_json(json.dumps(written), ""), interim=is_interim).result
        assert {**found, "warnings": []} == {**result, "warnings": []}


def test_past_games_are_kept_read_and_joined_without_loss():
    held("store", *(ROOT / f"templates/scorer/script/{name}.js" for name in ("cells", "store", "past")))


@pytest.mark.parametrize("name", ["", "scorer-new"])
def test_only_good_answers_are_kept_for_when_there_is_no_network(name):
    script = (ROOT / f"templates/{'scorer' if name else 'site'}/worker.js").read_text(encoding="utf-8")
    held("worker", script.replace("{{name}}", "new").replace("{{files}}", '["a"]'), name=name)


def test_a_zip_holds_each_file_and_a_server_that_fails_gives_none():
    chance = random.Random(3)
    files = {f"set/{name}": chance.randbytes(size) for name, size in (("a.pdf", 0), ("b.pdf", 1), ("é ü.pdf", 70_000))}
    answer = held("site", ROOT / "templates/site/page.js",
                  files=[{"name": name, "text": b64encode(content).decode()} for name, content in files.items()])
    with zipfile.ZipFile(io.BytesIO(b64decode(answer["zip"]))) as packed:
        assert packed.testzip() is None
        assert {name: packed.read(name) for name in packed.namelist()} == files


def test_tables_are_in_order_and_cells_are_saved_as_typed():
    page = Path(single_pages.__file__).with_name("open") / "page.js"
    text = page.read_text(encoding="utf-8")
    cell = text[text.index("function cell("):]
    held("tables", page.with_name("tables.js"), cell[:cell.index("\n}\n") + 3])


@pytest.mark.slow
def test_any_acts_at_a_table_put_pieces_where_they_say_and_steps_lead_back():
    words = load_texts("en", [ROOT / "data/locales"]).words
    script = (ROOT / "templates/table/script.js").read_text(encoding="utf-8")
    held("table", script.replace("\nstart();\n", "\n"), words={"join": words["results.list"], **{
        key.removeprefix("table."): word for key, word in words.items() if key.startswith("table.")}})


def test_a_grid_over_a_sheet_follows_the_pointer_and_is_what_the_command_says():
    held("grid", Path(single_pages.__file__).with_name("open") / "sheet.js")
