"""The worked examples by the scoring code, the words of the rules, and where things lie."""

import tomllib

import pytest

from ppgen.games.card_game.deck import may_follow
from ppgen.games.card_game.rules import read_examples
from ppgen.games.card_game.scoring import Tally, score_game, tally_cards
from ppgen.shipped import shipped_root

FOLDER = shipped_root() / "data" / "card_game"
LANGUAGES = sorted(path.stem for path in (FOLDER / "rules").glob("*.toml"))


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
    assert examples[id].counts == counts
    assert examples[id].points(deck) == points


def test_the_whole_game_scores_the_examples_alike(examples, deck):
    """What the booklet prints is what ``ppgen score`` gives for the same cards."""
    for example in examples.values():
        if example.shows == "taking":
            continue
        tallies = [tally_cards(str(seat), hand) for seat, hand in enumerate(example.hands)]
        score = score_game([*tallies, Tally(name="nobody")], deck.rules)
        for player, points in zip(score.players, example.points(deck), strict=False):
            if example.shows == "chains":
                assert player.chain_points == points
            else:
                entry = player.countries[example.country]
                assert points == (entry.country_points if example.shows == "country" else entry.symbol_points)


def test_every_taking_is_allowed_and_a_card_is_in_one_hand_only(examples):
    for example in examples.values():
        cards = [card for hand in example.hands for card in hand]
        assert len(set(cards)) == len(cards), example.id
        if example.shows == "taking":
            assert all(may_follow(card, cards[:n]) for n, card in enumerate(cards))
            assert not any(may_follow(row[0], cards) for row in example.rest), "no more to add"
        elif example.country:
            assert {card.country.id for card in cards} == {example.country}


def test_the_takings_show_what_their_words_say(examples):
    hungary, = examples["take_two_symbols"].hands[0]
    assert (hungary.country.id, len(hungary.symbols), hungary.route) == ("hungary", 2, "carriage")
    assert [[len(card.symbols) for card in row] for row in examples["take_two_cards"].hands] == [[1], [1]], "two rows"
    along = examples["take_along"].hands[0]
    assert ([len(card.symbols) for card in along], along[0].route) == ([0, 2], "carriage")
    beside = examples["take_two_symbols"].rest[0][0]
    assert (beside.country, beside.symbols) == (hungary.country, ()), "even this card may not follow"


def test_a_card_may_follow_until_the_last_symbol_allowed(golden_cases, deck):
    cards = {card.id: card for card in deck.cards}

    def answer(text):
        taken, card, laws = (words.strip() for words in text.split("/"))
        yield may_follow(cards[card], [cards[id] for id in taken.split()], laws.split())

    golden_cases("takings", answer)


@pytest.mark.parametrize("lang", LANGUAGES)
def test_rules_and_player_aid_tell_the_limit_and_that_taking_ends_with_it(lang):
    words = tomllib.loads((FOLDER / "rules" / f"{lang}.toml").read_text(encoding="utf-8"))["rules"]
    assert [words[key]["body"].count("{max_symbols}") for key in ("taking", "summary")] == [2, 2]
