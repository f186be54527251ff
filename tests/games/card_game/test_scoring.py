"""Scoring: laws that hold for every game. The worked examples of the rules are in ``test_rules.py``."""

import random
from dataclasses import replace

from hypothesis import given, strategies as st

from ppgen.games.card_game.deck import MAX_PLAYERS, Card
from ppgen.games.card_game.scoring import PlayerResult, Score, Tally, score_game
from ppgen.play.line_points import score_line
from tests.laws.test_tally_laws import DECK, deals, tallied


def score(*tallies: Tally) -> Score:
    return score_game(tallies, DECK.rules)


def country_points(counts: list[int]) -> tuple[int, ...]:
    """The points for cards of France, of which there are 8."""
    return score_line(DECK.rules.line("france.cards"), counts)


def test_a_tie_goes_to_whoever_has_more_cards() -> None:
    game = score(Tally(name="few", cards={"denmark": 4}),
                 Tally(name="many", cards={"bavaria": 6}, minus_two=1), Tally(name="none"))
    assert [player.total for player in game.players] == [4, 4, 0]
    assert (game.winners, game.tie_break) == (("many",), "cards")
    assert [player.rank for player in game.players] == [2, 1, 3]


counts = st.lists(st.integers(0, 8), min_size=1, max_size=MAX_PLAYERS)


@given(deals(), st.randoms())
def test_the_order_of_players_and_cards_never_matters(hands: list[list[Card]], chance: random.Random) -> None:
    before = {player.name: player for player in score(*tallied(hands)).players}
    for hand in hands:
        chance.shuffle(hand)
    tallies = tallied(hands)
    chance.shuffle(tallies)
    assert {player.name: player for player in score(*tallies).players} == before


@given(deals(), st.integers(0, 2))
def test_a_minus_two_tablet_costs_its_owner_two_points(hands: list[list[Card]], owner: int) -> None:
    tallies = tallied(hands)
    before = score(*tallies).players
    tallies[owner] = replace(tallies[owner], minus_two=1)
    after = score(*tallies).players
    assert [old.total - new.total for old, new in zip(before, after, strict=True)] == [
        2 if seat == owner else 0 for seat in range(len(hands))]


@given(counts)
def test_more_cards_never_score_less_and_as_many_score_the_same(held: list[int]) -> None:
    points = dict(zip(held, country_points(held), strict=True))
    assert country_points(held) == tuple(points[count] for count in held)
    assert sorted(points.values()) == [points[count] for count in sorted(points)]


@given(deals())
def test_ranks_count_the_players_ahead(hands: list[list[Card]]) -> None:
    game = score(*tallied(hands))

    def merit(player: PlayerResult) -> tuple[int, int]:
        return player.total, player.cards

    for player in game.players:
        assert player.rank == 1 + sum(merit(other) > merit(player) for other in game.players)
    assert set(game.winners) == {player.name for player in game.players if player.rank == 1}
