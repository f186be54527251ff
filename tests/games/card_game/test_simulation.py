"""The simulated games keep the rules; otherwise their figures would say nothing about the deck."""

from __future__ import annotations

import importlib.util
import random
import sys
from pathlib import Path
from types import ModuleType

import pytest

from ppgen.games.card_game.deck import MAX_SYMBOLS, STONES_EACH, count_symbols
from ppgen.games.card_game.deck_loading import load_deck
from ppgen.shipped import shipped_root

DECK, _ = load_deck(shipped_root() / "data" / "card_game")
TOOL = Path(__file__).resolve().parents[3] / "tools" / "simulate_deck.py"


@pytest.fixture(scope="module")
def tool() -> ModuleType:
    """The tool as a module; it belongs to no package."""
    spec = importlib.util.spec_from_file_location(TOOL.stem, TOOL)
    assert spec
    assert spec.loader
    module = importlib.util.module_from_spec(spec)
    sys.modules[TOOL.stem] = module  # dataclasses look their module up
    spec.loader.exec_module(module)
    return module


@pytest.mark.parametrize("players", [3, 4, 5])
def test_a_simulated_game_keeps_the_rules(tool: ModuleType, players: int) -> None:
    game = tool.set_up(DECK, players, random.Random(players))
    assert [[n for n, card in enumerate(row, 1) if card in game.tablets] for row in game.rows] == [
        [2, 13], [3, 12], [4, 11], [5, 10]]
    tool.play(game)
    assert sorted(card.id for player in game.players for card in player.cards) == sorted(
        card.id for card in DECK.cards)
    assert all(player.supply + player.paid == STONES_EACH for player in game.players)
    for move in game.turns:
        limit = MAX_SYMBOLS + ("three_symbols" in move.laws)
        assert count_symbols(move.cards).total() <= limit
        assert count_symbols(move.cards[:-1]).total() < limit, "no card follows the last symbol"
        assert len({card.country.id for card in move.cards}) == 1 or "mixed_countries" in move.laws


@pytest.mark.parametrize(("row", "laws", "together"), [
    ("saxony-5 saxony-1 denmark-4", (), True), ("saxony-1 saxony-5 denmark-4", (), False),
    ("saxony-1 saxony-5 denmark-4", ("three_symbols",), True)])
def test_a_card_without_symbols_is_taken_before_the_last_symbol_only(
        tool: ModuleType, row: str, laws: tuple[str, ...], together: bool) -> None:
    cards = {card.id: card for card in DECK.cards}
    game = tool.set_up(DECK, 3, random.Random(1))
    game.rows = [[cards[id] for id in row.split()]]
    game.players[0].laws.update(laws)
    moves = [{card.id for card in move.cards} for move in tool.find_moves(game, game.players[0])]
    assert ({"saxony-1", "saxony-5"} in moves) == together


def test_the_same_seed_plays_the_same_games(tool: ModuleType) -> None:
    assert tool.simulate(DECK, 3, 2, seed=1) == tool.simulate(DECK, 3, 2, seed=1)
