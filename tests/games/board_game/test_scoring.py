"""What holds of every position; the worked examples of the rules are in ``test_rules.py``."""

import random
from collections.abc import Sequence
from itertools import pairwise

import pytest
from hypothesis import given, strategies as some

from ppgen.games.board_game.points import MAX_FOUND_CHAINS, MIN_CHAIN, ChainSearch, Position, score_game

PLAYERS = ("Anna", "Bob", "Cleo")


def test_chains_are_lines_of_four_or_more(golden_cases):
    def answer(text):
        held, roads, _ = (words.strip() for words in text.split("/"))
        yield from ("-".join(chain) for chain in ChainSearch(tuple(held), [*map(tuple, roads.split())]).chains)

    golden_cases("chains", answer)


def test_chains_begin_with_their_first_space_and_the_longest_comes_first(board) -> None:
    held = [space for space in board.space if space[:2] in ("EN", "FR", "BU")]
    chains = ChainSearch(held, [road.ends for road in board.roads]).chains
    assert sum(map(len, chains)) == len(held)
    assert [len(chain) for chain in chains] == sorted(map(len, chains), reverse=True)
    assert all(held.index(chain[0]) < held.index(chain[-1]) for chain in chains)


Graph = tuple[int, list[tuple[int, int]]]


@some.composite
def small_graphs(draw: some.DrawFn) -> Graph:
    size = draw(some.integers(4, 9))
    pairs = [(one, other) for one in range(size) for other in range(one)]
    return size, draw(some.lists(some.sampled_from(pairs), unique=True, max_size=12))


def by_trying(size: int, roads: Sequence[tuple[int, int]]) -> int:
    """The most that any set of roads covers in which every part is a line of four or more."""
    most = 0
    for choice in range(1 << len(roads)):
        parts = [{place} for place in range(size)]
        degree = [0] * size
        for number, (one, other) in enumerate(roads):
            if choice >> number & 1:
                degree[one] += 1
                degree[other] += 1
                if parts[one] is parts[other] or max(degree[one], degree[other]) > 2:
                    break
                joined = parts[one] | parts[other]
                for place in joined:
                    parts[place] = joined
        else:
            most = max(most, sum(len(parts[place]) >= MIN_CHAIN for place in range(size)))
    return most


@given(small_graphs())
def test_no_set_of_roads_is_worth_more(graph: Graph) -> None:
    size, roads = graph
    names = [str(place) for place in range(size)]
    chains = ChainSearch(names, [(str(one), str(other)) for one, other in roads]).chains
    assert sum(map(len, chains)) == by_trying(size, roads)
    assert len({space for chain in chains for space in chain}) == sum(map(len, chains))
    ways = {frozenset(map(str, road)) for road in roads}
    assert all(frozenset(step) in ways for chain in chains for step in pairwise(chain))


def test_the_shipped_map_is_searched_to_the_end(board) -> None:
    """With room to spare: no cloisters of a player take a tenth of what is allowed."""
    roads = [road.ends for road in board.roads]
    searches = [ChainSearch(random.Random(number).sample(list(board.space), 20), roads) for number in range(30)]
    assert 0 < max(search.found for search in searches) < MAX_FOUND_CHAINS / 10


@pytest.mark.parametrize(("before", "cloisters", "winners", "tie_break", "ranks"), [
    ((9, 5, 1), {}, ("Anna",), None, [1, 2, 3]),
    ((10, 8, 13), {"france": (2, 3, 0)}, ("Cleo",), "pieces", [2, 3, 1]),
    ((4, 4, 4), {}, ("Anna", "Bob", "Cleo"), "draw", [1, 1, 1]),
    ((8, 8, 0), {}, ("Anna", "Bob"), "draw", [1, 1, 3]),
])
def test_pieces_in_supply_break_ties(board, before, cloisters, winners, tie_break, ranks) -> None:
    score = score_game(Position(players=PLAYERS, before=before, cloisters=cloisters), board)
    assert (score.winners, score.tie_break, [player.rank for player in score.players]) == (winners, tie_break, ranks)
    standing = cloisters.get("france", (0, 0, 0))
    assert [player.pieces_left for player in score.players] == [28 - count for count in standing]
