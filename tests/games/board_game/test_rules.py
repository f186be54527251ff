"""The rules of the board game: the worked examples of the sources by the scoring code, their pictures, their words."""

import tomllib
from pathlib import Path

import pytest

from ppgen.engine.booklets.booklet import iter_words
from ppgen.games.board_game.points import ChainSearch, alliance_points, country_points
from ppgen.games.board_game.rules import read_examples, rules_of_board_game
from ppgen.printing.set_booklets import A5
from ppgen.shipped import shipped_root

FOLDER = shipped_root() / "data" / "board_game"
LANGUAGES = sorted(path.stem for path in (FOLDER / "rules").glob("*.toml"))


@pytest.fixture(scope="module")
def examples(board):
    return {example.id: example for example in read_examples(FOLDER, board)}


@pytest.fixture(scope="module")
def booklets(board_set, board, borders):
    """The rules of each language, on A5."""
    return {lang: rules_of_board_game(board, borders, FOLDER, board_set.texts(lang), (), A5, "full")
            for lang in LANGUAGES}


def said(booklet) -> str:
    return "".join(words for _, words in iter_words(booklet))


@pytest.mark.parametrize(("id", "country", "held", "points"), [
    ("cloisters_apart", "franconia", (4, 2, 0, 1), (7, 4, 0, 2)),
    ("cloisters_shared", "lotharingia", (0, 2, 2, 1), (0, 5, 5, 2)),
])
def test_cloisters_score_as_the_sources_say(examples, board, id, country, held, points):
    assert examples[id].lands == (country,)
    assert examples[id].cloister_counts(board, country) == held
    assert country_points(held) == points


@pytest.mark.parametrize(("id", "box", "courts", "points"), [
    ("alliance_one", 14, {"italy": (2, 1, 1, 0), "burgundy": (1, 1, 0, 0)}, (6, 0, 0, 0)),
    ("alliance_none", 15, {"italy": (2, 1, 1, 0), "bavaria": (0, 2, 1, 0)}, (0, 0, 0, 0)),
])
def test_alliances_score_as_the_sources_say(examples, board, id, box, courts, points):
    example = examples[id]
    assert example.box == box and set(example.lands) == set(board.alliances[box - 1].countries)
    assert {country: example.councillor_counts(country) for country in example.lands} == courts
    assert alliance_points(*(example.councillor_counts(country) for country in example.lands)) == points


def test_councillors_have_room_as_the_sources_say(examples, board):
    """Three, two and two cloisters: three councillors. Four cloisters and two councillors: two more."""
    franconia, france = examples["councillor_limit"], examples["councillor_two"]
    assert franconia.cloister_counts(board, "franconia") == (3, 2, 2, 0)
    assert not franconia.councillors
    assert max(france.cloister_counts(board, "france")) == france.cloister_counts(board, "france")[1] == 4
    court = france.councillors["france"]
    assert [piece.fresh for piece in court] == [False, False, True, True]
    assert {piece.seat for piece in court if piece.fresh} == {0}


@pytest.mark.parametrize(("id", "hand", "played", "new"), [
    ("turn_first", {"france": 1, "franconia-aragon": 2}, ["franconia-aragon"], 1),
    ("turn_joker", {"franconia-aragon": 1, "bavaria-burgundy": 2},
     ["franconia-aragon", "bavaria-burgundy", "bavaria-burgundy"], 2),
    ("turn_three", {"france": 3}, ["france", "france"], 2),
])
def test_the_turns_are_those_of_the_sources(examples, id, hand, played, new):
    example = examples[id]
    assert {kind: example.hand.count(kind) for kind in example.hand} == hand
    assert [example.hand[n] for n in example.played] == played
    pieces = [*example.cloisters.values(), *(piece for court in example.councillors.values() for piece in court)]
    fresh = [piece for piece in pieces if piece.fresh]
    assert len(fresh) == new and len({piece.seat for piece in fresh}) == 1
    # In an empty country one cloister and no more (Danish rules, 'Placering af klostre/rådmænd').
    assert (len(pieces) == len(fresh)) == (id == "turn_first")


@pytest.mark.parametrize(("id", "held", "points", "chains"), [
    ("chain_spur", 6, 5, 1), ("chain_ring", 5, 5, 1), ("chain_two", 8, 8, 2), ("chain_star", 4, 0, 0)])
def test_the_chains_are_what_their_words_say(examples, board, id, held, points, chains):
    example = examples[id]
    found = ChainSearch(example.spaces_of(0), [road.ends for road in board.roads]).chains
    assert (len(example.cloisters), sum(map(len, found)), len(found)) == (held, points, chains)
    if id == "chain_spur":
        assert len({board.space[label].country for label in found[0]}) == 3, "through three countries"


WORDS = tomllib.loads((Path(__file__).parents[1] / "glossary.toml").read_text("utf-8"))["board-game"]


@pytest.mark.parametrize("lang", LANGUAGES)
def test_the_words_are_those_of_the_game(booklets, lang):
    printed = said(booklets[lang]).replace("\u00a0", " ").lower()
    assert not [word for word in WORDS[lang].split() if word.replace("⌴", " ").lower() not in printed]
