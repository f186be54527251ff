"""*Learn to play* on the page of ``ppgen export table``: the walk through the first turns."""

from __future__ import annotations

import tomllib
from collections import Counter
from pathlib import Path

import pytest
from click.testing import CliRunner

from ppgen.assets import Assets
from ppgen.cli.program import main
from ppgen.errors import InputError
from ppgen.games.board_game.board import load_board
from ppgen.printing.workshop import Workshop
from ppgen.shipped import shipped_root
from tests.node import find_node
from tests.pages.table.test_table_page import STRANGE, deck

MOST_BYTES = 1_500_000


def test_wrong_steps_are_refused_as_they_were(golden_cases, tmp_path):
    def answer(steps):
        with pytest.raises(InputError) as refused:
            Workshop.open(Assets.at(deck(tmp_path, f"{steps}\n")))
        yield str(refused.value).replace(f"{tmp_path}/", "")

    golden_cases("lessons", answer)


def test_steps_are_in_the_words_of_each_language(tmp_path):
    folder = deck(tmp_path, '[learn.take]\ntext = "Take one."\n')
    (folder / "words").mkdir()
    (folder / "words" / "de.toml").write_text('[learn]\ntake = "Nimm eine."\n', encoding="utf-8")
    shop = Workshop.open(Assets.at(folder))
    assert [shop.texts(lang).words["learn.take"] for lang in ("en", "de")] == ["Take one.", "Nimm eine."]


@pytest.fixture(scope="module")
def walked(chromium, tmp_path_factory) -> dict:
    """The walks on the Japanese page of the card game and, as its ``others``, on that of a deck."""
    folder = tmp_path_factory.mktemp("walked")
    deck(folder, '[map]\nsize = "260x180mm"\nfront = "card.svg.j2"\n'
                 f"[learn.a]\ntext = '<b>{STRANGE}'\n"
                 '[learn.b]\ntext = "b"\nmove = [["c", "seat 2"]]\nshow = ["coins"]\n')
    for words in (("--game", "card-game", "--lang", "ja"), ("--data", str(folder))):
        done = CliRunner().invoke(main, ["export", "table", *words, "-o", str(folder), "-q"])
        assert done.exit_code == 0, done.output
    pages = [folder / "table" / name for name in ("card-game.html", "any.html")]
    assert pages[0].stat().st_size <= MOST_BYTES
    return find_node(Path(__file__).parent).run("learn.mjs", chromium, *(page.as_uri() for page in pages))


def test_the_walk_moves_real_pieces_and_leaves_the_own_table_unharmed(walked):
    check_walk_of_the_card_game(walked)
    assert walked["errors"] == walked["violations"] == [] and not walked["wide"]
    assert walked["inert"] == [True, True, "learning"]
    assert walked["restored"] and walked["closed"] == [True, False, "learn", 0]
    assert walked["same"], "back and forth leads to the same table"
    assert len({step["text"] for step in walked["steps"]}) == 10
    assert sum(bool(step["moved"]) for step in walked["steps"]) >= 4
    for left, right in (step["felt"] for step in walked["steps"]):
        assert max(left, right) < 7 or abs(left - right) < 1, "bare felt beside a table that is wider than the window"


def check_walk_of_the_card_game(found: dict) -> None:
    """Cards are taken from ends of rows only, and the shown ends are those that can be taken."""
    cards = [piece for piece in found["first"] if piece["id"].rpartition("-")[0] in COUNTRIES]
    rows = {y: sorted(piece["x"] for piece in cards if piece["y"] == y) for y in {piece["y"] for piece in cards}}
    assert len(rows) == 4 and found["steps"][1]["lit"] == 8
    taken = [move for step in found["steps"] for move in step["moved"] if move["id"].rpartition("-")[0] in COUNTRIES]
    assert [move["seat"] for move in taken].count(0) == 2 and len(taken) == 5
    for move in taken:
        row = rows[move["from"]["y"]]
        assert move["from"]["x"] in (row[0], row[-1]), move["id"]
        row.remove(move["from"]["x"])


COUNTRIES = {"france", "saxony", "hungary", "castile", "franconia", "bavaria", "italy", "england", "denmark"}


def test_the_walk_of_the_board_game_keeps_its_rules():
    """Cards name the country of the pieces, one a piece; first a cloister alone; councillors never outnumber."""
    folder = shipped_root() / "data" / "board_game"
    country_of = {space.id: space.country for space in load_board(folder).spaces}
    cloisters, councillors, hand, turns = Counter[str](), Counter[str](), 3, 0
    for name, step in tomllib.loads((folder / "learn.toml").read_text(encoding="utf-8")).items():
        moves = step.get("move", [])
        cards = [piece for piece, to in moves if to == "discards"]
        placed = [(piece.rpartition("-")[0], country_of.get(to, to)) for piece, to in moves
                  if piece.startswith(("cloister-", "councillor-"))]
        hand += sum(to == "seat 1" for _, to in moves) - len(cards)
        if placed:
            (country,) = {country for _, country in placed}
            assert len(cards) == len(placed) and all(country in card.split("-") for card in cards), name
            assert cloisters[country] or placed == [("cloister", country)], name
            for kind, _ in placed:
                (cloisters if kind == "cloister" else councillors)[country] += 1
            assert councillors[country] <= cloisters[country], name
            turns += 1
    assert (turns, hand) == (2, 1), "played, drawn, and two played"


def test_a_deck_walks_its_own_steps_whose_words_stay_words(walked):
    (found,) = walked["others"]
    assert found["steps"][0]["text"] == f"<b>{STRANGE}" and found["tags"] == 0
    assert [(move["id"], move["seat"]) for move in found["steps"][1]["moved"]] == [("c", 1)]
    assert found["errors"] == []


def test_a_listener_hears_rows_and_a_phone_begins_with_cards_that_can_be_read(walked):
    """Of each card symbols, row and what lies on it are said."""
    first, second = walked["names"]
    assert first.endswith("、1列目の端") and second.endswith("、1列目、上に法律チップ")
    assert len(first.split("、")) > 2, "country and symbols, or a route"
    assert walked["lines"] > 50 and not walked["cut"]
    begun, whole = walked["phone"]
    assert all(right - left > 60 for left, right in begun) and begun[0][0] > 0
    assert walked["boards"] == [pytest.approx(390 - 12)]
    assert whole[0][0] < 12 and whole[13][1] > 390 - 12, "the display is as wide as the screen"
