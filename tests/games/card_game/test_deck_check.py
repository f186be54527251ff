"""What makes a deck unplayable, and how the shipped one is designed."""

from ppgen.games.card_game.deck import count_routes, count_symbols


def test_each_of_five_players_needs_three_stones(deck_folder) -> None:
    deck_folder.change("stones.toml", ('shape = "round"\ncopies = 3', 'shape = "round"\ncopies = 2'))
    text = (deck_folder.path / "stones.toml").read_text(encoding="utf-8")
    (deck_folder.path / "stones.toml").write_text(text[:text.rindex("[[stones]]")], encoding="utf-8")
    assert deck_folder.problems() == [
        "stones.toml stones: player 5 has no claim stones (a [[stones]] for each of 5 players)",
        "stones.toml:15 stones.copies: 2 claim stones for player 1 (each player needs 3)"]


def test_a_deck_that_the_display_of_the_rules_does_not_fit_is_a_warning(deck_folder) -> None:
    deck_folder.change("laws.toml", ("copies = 2", "copies = 3"))
    assert "laws.toml laws.copies: 9 law tablets, but the display has places for 8" in deck_folder.warnings()


def test_the_shipped_deck_is_designed_as_decided(deck) -> None:
    """docs/decisions/0001-deck.md; examples of the German rules need the cards counted last."""
    assert all(card.symbols or card.route for card in deck.cards)
    bare, one, two = (sum(len(card.symbols) == count for card in deck.cards) for count in (0, 1, 2))
    assert bare <= len(deck.cards) / 6
    assert min(one, two) >= len(deck.cards) / 3
    symbols, routes = count_symbols(deck.cards), count_routes(deck.cards)
    assert max(symbols.values()) <= symbols.total() / 4, "no kind dominates"
    by_country = {country.id: deck.cards_of(country) for country in deck.countries}
    assert all(2 <= len(count_symbols(cards)) <= 3 for cards in by_country.values())
    for route, countries in (("ship", "england denmark italy"), ("carriage", "bavaria franconia hungary")):
        for country in countries.split():
            assert 2 * count_routes(by_country[country])[route] > count_routes(by_country[country]).total()
    assert count_symbols(by_country["france"])["cross"] >= 4
    assert count_symbols(by_country["france"])["fan"] >= 3
    assert routes["ship"] >= 15
    assert routes["carriage"] >= 9
