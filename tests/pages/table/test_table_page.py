"""``ppgen export table``: a page on which a set is played, laid out as the rules say."""

from __future__ import annotations

import json
import random
import re
from collections import Counter
from pathlib import Path

import pytest

from ppgen.assets import Assets
from ppgen.engine.geometry import A4, Rect, Size
from ppgen.errors import InputError
from ppgen.games.board_game.rules import HAND, OPEN, cards_removed
from ppgen.games.interface import LARGE, SMALL, TOOLS, set_up_piles
from ppgen.pages import single_pages
from ppgen.printing.request import BuildRequest
from ppgen.printing.workshop import Workshop
from ppgen.reading.texts import load_texts
from ppgen.shipped import shipped_root
from ppgen.targets.piece_pictures import choose_pieces
from tests.node import find_node
from tests.targets.plain_game import face, part, piece

STRANGE = "</script><img src=x onerror=alert(1)>"


def laid_out(game: str, players: int):
    shop = Workshop.open(Assets.at(), game=game)
    parts = choose_pieces(shop, BuildRequest(langs=("de",), papers=(A4,)))(shop.texts("de"))
    return shop.game.table().set_up(players, parts), {piece.id: piece for part in parts for piece in part.components}


@pytest.mark.parametrize("players", [3, 4, 5])
def test_the_card_game_lies_as_its_rules_say(players):
    table, sizes = laid_out("card-game", players)
    by_group = Counter(place.mix for place in table.places for _ in place.pieces)
    assert by_group == {"cards": 56, "tablets": 8, "": 3 * players}
    assert len({(place.x, place.y) for place in table.places if place.mix == "cards"}) == 56
    for stone in (place for place in table.places if not place.mix):
        size = sizes[stone.pieces[0]].size
        assert any(seat.contains(Rect(stone.x, stone.y, size.width, size.height)) for seat in table.seats)
    cards = {(place.x, place.y) for place in table.places if place.mix == "cards"}
    for place in (place for place in table.places if place.mix == "tablets"):
        assert not place.up
        assert sum(x <= place.x < x + 44 and y <= place.y and place.y + sizes[place.pieces[0]].size.height <= y + 68.1
                   for x, y in cards) == 1, "a tablet lies on one card, whose upper part is in sight"


@pytest.mark.parametrize("players", [3, 4, 5])
def test_the_board_game_lies_as_its_rules_say(players):
    table, _ = laid_out("board-game", players)
    cards = [place for place in table.places if place.mix == "cards"]
    assert [len(place.pieces) for place in cards if not place.up] == [
        55 - 5 * cards_removed(players) - HAND * players - OPEN]
    assert Counter(place.hand for place in cards if place.up) == {None: OPEN, **dict.fromkeys(range(players), HAND)}
    pieces = Counter(id for place in table.places for id in place.pieces if "-" in id)
    assert pieces["cloister-1"] == 20 and pieces[f"score-marker-{players}"] == 1
    assert f"cloister-{players + 1}" not in pieces, "other colours stay in the box"


@pytest.mark.parametrize(("long", "up_fixed"), [
    (LARGE, (False, False)), (LARGE + 0.1, (True, True)), (SMALL, (False, False)), (SMALL - 0.1, (True, False))])
def test_pieces_that_are_very_large_or_small_lie_face_up_and_large_ones_still(long, up_fixed):
    size = Size(long, 20)
    cards = part("cards", *(piece(f"card-{n}", size, back=face(size)) for n in range(3)))
    places = set_up_piles({}, (), 2, [cards]).places
    assert {(place.up, place.fixed) for place in places} == {up_fixed}


DECK = ('title = {title}\nid = "any"\n[cards]\ntable = "cards.csv"\nsize = "poker"\nfront = "card.svg.j2"\n'
        'back = "card.svg.j2"\n[coins]\nsize = "20mm"\nshape = "circle"\nfront = "card.svg.j2"\ncopies = 3\n{table}')


def deck(folder: Path, table: str = "", title: str = "Any") -> Path:
    (folder / "deck.toml").write_text(DECK.format(title=json.dumps(title), table=table), encoding="utf-8")
    (folder / "cards.csv").write_text(f"Name,Copies\n{title},9\nB,9\nC,2\n", encoding="utf-8")
    (folder / "card.svg.j2").write_text('{{ fill("#884422") }}', encoding="utf-8")
    return folder


def test_a_deck_says_what_is_dealt_and_what_lies_beside_its_pile(tmp_path):
    shop = Workshop.open(Assets.at(deck(
        tmp_path, '[table]\ndeal = 4\nplace = [["cards", 2, "up"], ["cards", 1, "down"]]\n')))
    table = shop.game.table().set_up(3, shop.game.parts(shop.texts("en"), shop.game.card_size))
    cards = [place for place in table.places if place.mix == "cards"]
    assert Counter(place.hand for place in cards for _ in place.pieces) == {0: 4, 1: 4, 2: 4, None: 20 - 12}
    assert [(len(place.pieces), place.up) for place in cards if place.hand is None] == [
        (5, False), (1, True), (1, True), (1, False)]


def test_a_wrong_set_up_is_refused_with_its_line(golden_cases, tmp_path):
    def answer(table):
        with pytest.raises(InputError) as refused:
            Workshop.open(Assets.at(deck(tmp_path, f"[table]\n{table}\n")))
        yield str(refused.value).replace(f"{tmp_path}/", "")

    golden_cases("table-set-ups", answer)


def test_a_deck_names_the_tools_of_its_bar(tmp_path):
    shop = Workshop.open(Assets.at(deck(tmp_path, '[table]\ntools = ["roll"]\n')))
    assert shop.game.table().tools == ("roll",)
    assert [Workshop.open(Assets.at(), game=game).game.table().tools for game in ("card-game", "board-game")] == [
        ("flip",), ("flip", "shuffle")]


def test_the_page_is_one_file_that_asks_no_network_and_runs_no_words_of_strangers(desk):
    deck(desk.folder, title=STRANGE)
    done = desk.ppgen("export", "table")
    assert done.exit_code == 0, done.output
    page = (desk.folder / "output/table/any.html").read_text(encoding="utf-8")
    (policy,) = re.findall(r'Content-Security-Policy" content="([^"]*)"', page)
    assert "default-src 'none'" in policy and "unsafe" not in policy and "http" not in policy
    assert re.search("<noscript><p>[^<{]+JavaScript[^<{]*</p></noscript>", page)
    assert STRANGE not in page and page.count("<script") == 2
    before = page
    assert desk.ppgen("export", "table").exit_code == 0
    assert (desk.folder / "output/table/any.html").read_text(encoding="utf-8") == before


def test_every_word_of_the_page_is_said():
    words = load_texts("en", [shipped_root() / "data" / "locales"]).words
    code = (shipped_root() / "templates/table/script.js").read_text(encoding="utf-8") + Path(
        single_pages.__file__).read_text(encoding="utf-8")
    keys = [key.removeprefix("table.") for key in words if key.startswith("table.")]
    said = re.compile(r'"(?:table\.)?(\w+)"|words\.(\w+)').findall(code)
    assert keys and not {*keys} - {name for pair in said for name in pair} - {*TOOLS}


@pytest.mark.slow
def test_acts_lose_no_piece_and_are_kept(desk, chromium):
    deck(desk.folder, '[table]\ntools = ["flip", "shuffle"]\ndeal = 2\nplace = [["cards", 2, "up"]]\n')
    assert desk.ppgen("export", "table").exit_code == 0
    chance = random.Random(1)
    keys = ("Tab", "Tab", "f", "r", "s", "w", "ArrowLeft", "ArrowDown", "Enter", "d")
    acts = [chance.choice(keys) for _ in range(60)]
    told = find_node(Path(__file__).parent).run(
        "table.mjs", chromium, (desk.folder / "output/table/any.html").as_uri(), given={"acts": acts, "seed": 42})
    assert told["errors"] == told["requests"] == told["refused"] == told["violations"] == []
    assert told["images"] == 0
    assert told["kinds"][0] == told["kinds"][1]
    assert told["kept"] == told["played"] != told["first"]
    assert told["dragged"][0] > 0 and told["dragged"][1].endswith(", Seat\u00a01"), "the place where it lies is said"
    assert [*told["notes"].values()] == ["too <b>strong"] and told["marked"]
    assert told["damaged"] == told["words"] == told["wrong_notes"] == "This is not a game saved from this table."
    assert len(told["listed"]) == 8 and told["listed"][0] == "Any, pile of 14"
    assert "B, Seat\u00a01: too <b>strong" in told["listed"]
    assert told["bar"] == ["flip", "shuffle", "seat", "undo", "list-button", "more-button"]
