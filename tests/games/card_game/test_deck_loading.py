"""Reading a deck: the shipped one is sound, and each slip of the pen is found with its place."""




def test_words_of_the_rules_without_effect_are_refused_with_their_place(deck_folder) -> None:
    deck_folder.change("score.toml", ("from = 5", 'label = "Fleet"\nfrom = 5'), (
        '[minus_two]', '[words.de]\ntotal = "{total}"\n[verdicts]\n0 = "Poor."\n[minus_two]'))
    assert [message.partition(" has")[0] for message in deck_folder.problems()] == [
        "score.toml words:", "score.toml:35 verdicts:", "score.toml:26 ships.label:"]
    assert "locales/LANG.toml" in deck_folder.problems()[0]
