"""The scorer page of a deck with a ``score.toml``: it scores as ``ppgen score`` does, and is counted on by tapping."""

from __future__ import annotations

import json
import random
from collections.abc import Callable
from functools import cache
from pathlib import Path

import pytest
from click.testing import CliRunner

from ppgen.assets import Assets
from ppgen.cli.program import main
from ppgen.errors import InputError
from ppgen.games.catalogue import open_scoring
from ppgen.pages.single_pages import scorer_page
from ppgen.play.game_scoring import make_document, read_json
from ppgen.play.sheet_plan import Json, SheetCell
from ppgen.printing.workshop import Workshop
from tests.pages.scorer.conftest import MAX_PAGE_BYTES
from tests.play.test_score_files import FILES, case_of

STRANGE = "<img src=x></script>"
RANDOM = 12
"""Random games of each file."""


@pytest.fixture(scope="module")
def deck_page(tmp_path_factory) -> Callable[..., Path]:
    """Write the page of a ``score.toml`` in the folder of a smallest deck."""
    @cache
    def make(rules: str, title: str = "Any game") -> Path:
        folder = tmp_path_factory.mktemp("deck")
        (folder / "deck.toml").write_text(
            f'title = {json.dumps(title)}\nid = "any"\nlang = "en"\n[cards]\nfront = "card.svg.j2"\n')
        (folder / "card.svg.j2").write_text('<rect width="9" height="9"/>')
        (folder / "score.toml").write_text(rules, encoding="utf-8")
        page = scorer_page([Workshop.open(Assets.at(folder))])
        assert len(page.encode()) < MAX_PAGE_BYTES
        (folder / "page.html").write_text(page, encoding="utf-8")
        return folder / "page.html"

    return make


def scored(page: Path, document: Json) -> Json:
    """What ``ppgen score --format json`` says of it, and the verdict."""
    game = open_scoring(Assets.at(page.parent), "deck", "en").score(read_json(json.dumps(document), ""))
    return {"result": game.result, "verdict": game.verdict(), "again": game.result}


def rules_of(game: str) -> str:
    return (FILES / game / "score.toml").read_text(encoding="utf-8")


def some_documents(page: Path, game: str) -> list[Json]:
    scoring, chance = open_scoring(Assets.at(page.parent), "deck", "en"), random.Random(game)
    hands = [[{**player["cells"], "name": player["name"]} for player in case_of(game)["players"]]]
    for _ in range(RANDOM):
        players = chance.randint(scoring.plan.least, scoring.plan.most)
        hands.append([{"name": f"P{seat}", **{
            cell.field: chance.choice((0, 1, 2, 3, 7, "3+2", *((-3, "−2", "1–4") if line.signed else (4,))))
            for cell, line in scoring._lines.items() if chance.random() < 0.8}} for seat in range(players)])
    return [make_document(scoring.plan, [{SheetCell(0, *key.split(".")): value for key, value in hand.items()}
                                         for hand in each], game="any") for each in hands]


@pytest.mark.slow
@pytest.mark.parametrize("game", ["all-ways", "seven-wonders"])
def test_the_page_of_a_file_scores_as_python_does(game, node, deck_page):
    """Its scoring alone, of every file: tests/forms/test_score_lines.py."""
    page = deck_page(rules_of(game))
    documents = some_documents(page, game)
    for document, found in zip(documents, node.run("deck.mjs", str(page), given=documents), strict=True):
        try:
            assert found == json.loads(json.dumps(scored(page, document)))
        except InputError:  # more than exist
            continue


@pytest.mark.slow
def test_the_command_in_the_folder_of_a_deck_writes_its_page(deck_page, monkeypatch):
    page = deck_page(rules_of("hanabi"), "Fireworks")
    monkeypatch.chdir(page.parent)
    done = CliRunner().invoke(main, ["export", "scorer"])
    assert done.exit_code == 0, done.output
    assert (page.parent / "output/scorer/any.html").read_text(encoding="utf-8") == page.read_text(encoding="utf-8")
    manifest = json.loads((page.parent / "output/scorer/manifest.webmanifest").read_text(encoding="utf-8"))
    assert (manifest["name"], manifest["start_url"]) == ("Fireworks", "any.html")


REFUSED = {
    "too many players": [{"name": name} for name in "ABCDEFGH"],
    "a key that is not known": [{"name": "A", "gold": 3}, {"name": "B"}, {"name": "C"}],
    "a count below 0": [{"name": "A", "coins": -1}, {"name": "B"}, {"name": "C"}],
    "a column that is not known": [{"name": "A", "coins": {"coins": 1}}, {"name": "B"}, {"name": "C"}],
    "a key of every object": [{"name": "A", "constructor": 1}, {"name": "B"}, {"name": "C"}],
    "a name twice": [{"name": "A"}, {"name": "a"}, {"name": "C"}],
}


def test_the_page_refuses_what_python_refuses(node, deck_page):
    page = deck_page(rules_of("seven-wonders"))
    answers = node.run("deck.mjs", str(page), given=[{"players": players} for players in REFUSED.values()])
    for what, found in zip(REFUSED, answers, strict=True):
        assert found.get("problem"), what
        with pytest.raises(InputError):
            scored(page, {"players": REFUSED[what]})


@pytest.mark.slow
def test_a_game_is_counted_by_tapping_and_words_of_a_stranger_are_not_markup(browser, deck_page):
    label, total = json.dumps(STRANGE), json.dumps(STRANGE + "{total}")
    rules = rules_of("seven-wonders").replace("[guilds]", f"[guilds]\nlabel = {label}")
    page = deck_page(f"{rules}\n[words.en]\ntotal = {total}\n", STRANGE)
    document = next(each for each in some_documents(page, "seven-wonders") if len(each["players"]) == 5)
    typed = json.dumps(document, ensure_ascii=False).replace('"3+2"', "32").replace('"−2"', "-2").replace('"1–4"', "-3")
    document = json.loads(typed.replace('"P0"', label))
    told = browser("deck_played.mjs", page, given=document)
    wanted = scored(page, document)
    assert told["errors"] == told["requests"] == told["policy"] == told["violations"] == []
    assert not told["wide"]
    assert (told["result"], told["verdict"], told["copied"]) == (wanted["result"], wanted["verdict"], wanted["result"])
    assert told["ranking"] == [[str(player["rank"]), player["name"], str(player["total"]).replace("-", "−")]
                               for player in sorted(wanted["result"]["players"], key=lambda player: player["rank"])]
    assert told["images"] == 0 and told["sheet"].count(STRANGE) == 2  # a player and a label
