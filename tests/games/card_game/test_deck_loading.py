"""Reading a deck: the shipped one is sound, and each slip of the pen is found with its place."""




def test_words_of_the_rules_without_effect_are_refused_with_their_place(deck_folder) -> None:
    deck_folder.change("score.toml", ("from = 5", 'label = "Fleet"\nfrom = 5'), (
        '[minus_two]', '[words.de]\ntotal = "{total}"\n[verdicts]\n0 = "Poor."\n[minus_two]'))
    assert [message.partition(" has")[0] for message in deck_folder.problems()] == [
        "score.toml words:", "score.toml:35 verdicts:", "score.toml:26 ships.label:"]
    assert "locales/LANG.toml" in deck_folder.problems()[0]


def test_rules_for_another_sheet_are_refused(deck_folder) -> None:
    deck_folder.change("score.toml", ('players = "3-5"', 'players = "2-5"'), ("[minus_two]", "[minus_three]"))
    assert deck_folder.problems() == [
        "score.toml: does not fit the score sheet: minus_three, minus_two (its lines: country with cards and symbols, "
        "country_subtotal, symbol_subtotal, carry, ships, carriages, chains, minus_two)",
        'score.toml players: is for another number of players (write "3-5")']
