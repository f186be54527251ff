"""Reading a deck: the shipped one is sound, and each slip of the pen is found with its place."""

from collections import Counter

from ppgen.games.card_game.deck import load_deck
from ppgen.shipped import shipped_root


def test_the_shipped_deck_has_no_problems() -> None:
    deck, warnings = load_deck(shipped_root() / "data" / "card_game")
    assert warnings == ()
    assert [(country.id, country.number) for country in deck.countries] == [
        ("france", 8), ("saxony", 7), ("hungary", 6), ("castile", 7), ("franconia", 7), ("bavaria", 6),
        ("italy", 6), ("england", 5), ("denmark", 4)]
    assert Counter(card.country.id for card in deck.cards) == {country.id: country.number for country in deck.countries}


def test_words_of_the_rules_without_effect_are_refused_with_their_place(deck_folder) -> None:
    deck_folder.change("score.toml", ("from = 5", 'label = "Fleet"\nfrom = 5'), (
        '[minus_two]', '[words.de]\ntotal = "{total}"\n[verdicts]\n0 = "Poor."\n[minus_two]'))
    assert [message.partition(" has")[0] for message in deck_folder.problems()] == [
        "score.toml words:", "score.toml:35 verdicts:", "score.toml:26 ships.label:"]
    assert "locales/LANG.toml" in deck_folder.problems()[0]
