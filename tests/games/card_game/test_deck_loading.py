"""Reading a deck: the shipped one is sound, and each slip of the pen is found with its place."""

from collections import Counter

import pytest

from ppgen.games.card_game.deck import load_deck
from ppgen.shipped import shipped_root


def test_the_shipped_deck_has_no_problems() -> None:
    deck, warnings = load_deck(shipped_root() / "data" / "card_game")
    assert warnings == ()
    assert [(country.id, country.number) for country in deck.countries] == [
        ("france", 8), ("saxony", 7), ("hungary", 6), ("castile", 7), ("franconia", 7), ("bavaria", 6),
        ("italy", 6), ("england", 5), ("denmark", 4)]
    assert Counter(card.country.id for card in deck.cards) == {country.id: country.number for country in deck.countries}


@pytest.mark.parametrize(("name", "old", "new", "message"), [
    ("cards.csv", "france-1,france", "france-1,frnace",
     "cards.csv:2 country: 'frnace' is not known (one of france, saxony, hungary, castile, franconia, bavaria, "
     "italy, england, denmark)"),
    ("cards.csv", "cross cross,", "cross corss,",
     "cards.csv:2 symbols: 'corss' is not known (of cross, fan, rose, crescent, star, key; a space between two)"),
    ("cards.csv", "fan,carriage", "fan fan,carriage",
     "cards.csv:5 symbols: 3 circle symbols on a card (at most 2: a turn takes no more without a law)"),
    ("cards.csv", "france-3,", "france-1,",
     "cards.csv:4 id: 'france-1' is given twice (first on line 2)"),
    ("countries.toml", 'code = "SA"', 'code = "FR"',
     "countries.toml:22 countries.code: 'FR' is given twice (first on line 15)"),
    ("countries.toml", '"#212E82"', '"blue"',
     "countries.toml:16 countries.colour: 'blue' is not allowed here (write # and six hexadecimal digits, "
     "like #332288)"),
    ("laws.toml", '"minus_two"', '"minus_three"',
     "laws.toml:26 laws.id: 'minus_three' is not known (one of take_back_stone, three_symbols, mixed_countries, "
     "minus_two)"),
    ("stones.toml", '"22mm"', '"large"',
     "stones.toml:9 size: 'large' is not allowed here (write millimetres, like 22mm)"),
    ("stones.toml", 'shape = "round"', 'shape = "round"\nshade = "dark"',
     "stones.toml:15 stones.shade: is not known (did you mean shape? known: colour, copies, player, shape)"),
])
def test_a_slip_is_named_with_its_place(deck_folder, name: str, old: str, new: str, message: str) -> None:
    deck_folder.change(name, (old, new))
    assert message in deck_folder.problems()


def test_words_of_the_rules_without_effect_are_refused_with_their_place(deck_folder) -> None:
    deck_folder.change("score.toml", ("from = 5", 'label = "Fleet"\nfrom = 5'), (
        '[minus_two]', '[words.de]\ntotal = "{total}"\n[verdicts]\n0 = "Poor."\n[minus_two]'))
    assert [message.partition(" has")[0] for message in deck_folder.problems()] == [
        "score.toml words:", "score.toml:35 verdicts:", "score.toml:26 ships.label:"]
    assert "locales/LANG.toml" in deck_folder.problems()[0]


def test_a_value_that_is_given_twice_is_named_beside_other_slips(deck_folder) -> None:
    deck_folder.change("countries.toml", ('code = "SA"', 'code = "FR"'), ('"#212E82"', '"blue"'))
    said = " ".join(deck_folder.problems())
    assert "countries.code: 'FR' is given twice" in said and "countries.colour: 'blue' is not allowed here" in said
