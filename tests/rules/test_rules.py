"""The worked examples by the scoring code, the words of the rules, and where things lie."""

from __future__ import annotations

import shutil
from itertools import product

import pytest

from ppgen.assets import Assets, shipped
from ppgen.errors import InputError
from ppgen.games.card_game.deck.loading import load_deck
from ppgen.games.card_game.deck.model import DISPLAY_COLUMNS, MAX_SYMBOLS, TABLET_PLACES, count_routes, count_symbols
from ppgen.games.card_game.printing.display import tablet_places
from ppgen.games.card_game.printing.examples import read_examples
from ppgen.games.card_game.printing.figures import Cabinet
from ppgen.games.card_game.scoring.points import Tally, score_game, tally_cards
from ppgen.production.build import Workshop

FOLDER = shipped() / "data" / "card_game"


@pytest.fixture(scope="module")
def deck():
    return load_deck(FOLDER)[0]


@pytest.fixture(scope="module")
def examples(deck):
    return {example.id: example for example in read_examples(FOLDER, deck)}


@pytest.mark.parametrize(("id", "counts", "points"), [
    ("most_cards", (5, 2, 1), (8, 5, 2)),
    ("shared_first", (2, 2), (4, 4)),
    ("no_place_skipped", (2, 2, 1, 1), (6, 6, 2, 2)),
    ("most_symbols", (4, 3), (4, 0)),
    ("shared_symbols", (2, 2, 2), (2, 2, 2)),
    ("once_only", (2, 2, 1), (2, 2, 0)),
    ("chains", (7, 7, 10), (0, 7, 10)),
])
def test_an_example_counts_and_scores_as_the_rules_say(examples, deck, id, counts, points):
    assert examples[id].counts(deck) == counts
    assert examples[id].points(deck) == points


def test_the_whole_game_scores_the_examples_alike(examples, deck):
    """What the booklet prints is what ``ppgen score`` gives for the same cards."""
    for example in examples.values():
        if example.shows == "taking":
            continue
        tallies = [tally_cards(str(seat), hand) for seat, hand in enumerate(example.hands)]
        score = score_game([*tallies, Tally(name="nobody")], deck.countries)
        for player, points in zip(score.players, example.points(deck), strict=False):
            if example.shows == "chains":
                assert player.chain_points == points
            else:
                entry = player.countries[example.country]
                assert points == (entry.country_points if example.shows == "country" else entry.symbol_points)


def test_the_words_of_the_symbol_examples_name_what_the_cards_show(examples):
    shown = {id: [count_symbols(hand) for hand in examples[id].hands]
             for id in ("most_symbols", "shared_symbols", "once_only")}
    assert [dict(hand) for hand in shown["most_symbols"]] == [{"cross": 4}, {"fan": 3}]
    assert [dict(hand) for hand in shown["shared_symbols"]] == [{"fan": 2}, {"cross": 2}, {"cross": 2}]
    assert shown["once_only"][0] == {"star": 2, "key": 2}
    assert shown["once_only"][1]["star"] == 2
    assert shown["once_only"][2] == {"cross": 1}


def test_the_words_of_the_chain_example_name_what_the_cards_show(examples):
    routes = [count_routes(hand) for hand in examples["chains"].hands]
    assert [(held["ship"], held["carriage"]) for held in routes] == [(3, 4), (7, 0), (5, 5)]


def test_every_taking_is_allowed_and_a_card_is_in_one_hand_only(examples):
    for example in examples.values():
        cards = [card for hand in example.hands for card in hand]
        assert len(set(cards)) == len(cards), example.id
        if example.shows == "taking":
            assert len({card.country for card in cards}) == 1
            assert sum(len(card.symbols) for card in cards) <= MAX_SYMBOLS
            assert example.rest[0].country != cards[0].country or len(example.rest[0].symbols) > 0
        elif example.country:
            assert {card.country.id for card in cards} == {example.country}


def test_the_takings_show_what_their_words_say(examples):
    hungary, = examples["take_two_symbols"].hands[0]
    assert (hungary.country.id, len(hungary.symbols), hungary.route) == ("hungary", 2, "carriage")
    assert [len(card.symbols) for card in examples["take_two_cards"].hands[0]] == [1, 1]
    along = examples["take_along"].hands[0]
    assert ([len(card.symbols) for card in along], along[1].route) == ([2, 0], "carriage")


def test_the_tablets_lie_in_a_v():
    assert tablet_places() == {(1, 2), (1, 13), (2, 3), (2, 12), (3, 4), (3, 11), (4, 5), (4, 10)}
    assert len(tablet_places()) == TABLET_PLACES
    assert all((row, DISPLAY_COLUMNS + 1 - column) in tablet_places() for row, column in tablet_places())


def test_an_example_with_a_card_that_is_not_there_is_told_with_its_line(tmp_path, deck):
    folder = shutil.copytree(FOLDER, tmp_path / "deck")
    file = folder / "examples.toml"
    file.write_text(file.read_text(encoding="utf-8").replace("hungary-2", "atlantis-1", 1), encoding="utf-8")
    with pytest.raises(InputError, match=r"atlantis-1.* is no card of this deck"):
        read_examples(folder, deck)


@pytest.mark.parametrize(("lang", "word"), [("de", "Schiff"), ("en", "ship")])
def test_cards_are_told_in_words(deck, lang, word):
    workshop = Workshop.open(Assets.at())
    cabinet = Cabinet(deck=deck, pieces={}, texts=workshop.texts(lang))
    card = next(card for card in deck.cards if card.id == "france-5")
    assert cabinet.told(card).endswith(f", {word})")


def test_the_display_shows_each_card_once(deck):
    from ppgen.games.card_game.printing.figures import _SHUFFLED

    shown = {n * _SHUFFLED % len(deck.cards) for n, _ in enumerate(product(range(4), range(14)))}
    assert len(shown) == len(deck.cards)
