"""Figures of a deck: simulated players play it; the tool prints what scores and who wins.

    python tools/simulate_deck.py [--games 250] [--seed 1] [--data data/card_game]

Needs ppgen itself (``pip install -e .``). The same seed prints the same figures.

The players are not masters, but sensible: each takes the cards that most improve the score of a game that
ended now, marks the card it wants next with a claim stone, and plays a law if it gains by it. Each weighs
countries, symbols and chains differently, so that the figures also show which taste wins. Simplified:
claim stones are placed but not moved, and the players do not look ahead.
"""

from __future__ import annotations

import argparse
import random
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from statistics import correlation, mean

from ppgen.games.card_game.deck import (DISPLAY_COLUMNS, DISPLAY_ROWS, MAX_PLAYERS, MAX_SYMBOLS, MIN_PLAYERS, ROUTES,
                                        STONES_EACH, Card, Country, Deck, count_routes, count_symbols, may_follow)
from ppgen.games.card_game.deck_loading import load_deck
from ppgen.games.card_game.scoring import PlayerResult, Score, score_game
from ppgen.games.card_game.tallies import tally_cards
from ppgen.play.score_lines import score_line
from ppgen.play.score_rules import Rules

CHAIN_LENGTH = 5
DATA = Path(__file__).resolve().parent.parent / "data" / "card_game"
CATEGORIES: dict[str, Callable[[PlayerResult], int]] = {
    "country": lambda player: player.country_subtotal,
    "symbol": lambda player: player.symbol_subtotal,
    "chain": lambda player: player.chain_points,
}
"""The categories of points, with a player's points in each."""
TASTES = (0.5, 1.0, 1.5)
"""Weights that a player may give to a category."""

STONE_VALUE = 1.5
"""Value in points of a claim stone, or of a law that is played."""
ROUTE_VALUE = 0.4
"""Value in points of a route before the chain is long enough."""


@dataclass(slots=True, eq=False)
class Player:
    """A simulated player: its taste (a weight for each category) and its cards, laws and stones."""

    taste: dict[str, float]
    supply: int = STONES_EACH
    paid: int = 0
    laws: Counter[str] = field(default_factory=Counter)
    cards: list[Card] = field(default_factory=list)
    counts: Counter[str] = field(default_factory=Counter)
    symbols: dict[str, Counter[str]] = field(default_factory=dict)
    routes: Counter[str] = field(default_factory=Counter)

    def take(self, card: Card) -> None:
        self.cards.append(card)
        self.counts[card.country.id] += 1
        self.symbols.setdefault(card.country.id, Counter()).update(card.symbols)
        self.routes.update([card.route] if card.route else [])

    def best_kind(self, country: Country, more: Iterable[Card] = ()) -> int:
        """Number of symbols of the commonest kind in a country, ``more`` cards included."""
        held = self.symbols.get(country.id, Counter())
        return max((held + count_symbols(more)).values(), default=0)


@dataclass(frozen=True, slots=True)
class Move:
    """Cards taken in one turn, in order, and the laws played for it."""

    cards: tuple[Card, ...]
    laws: tuple[str, ...]


@dataclass(slots=True)
class Game:
    """The table: rows of cards, tablets and stones on them, and the players in turn order."""

    players: list[Player]
    rows: list[list[Card]]
    tablets: dict[Card, str]
    rules: Rules
    stones: dict[Card, Player] = field(default_factory=dict)
    turns: list[Move] = field(default_factory=list)

    @property
    def stones_in_use(self) -> int:
        """Number of claim stones that a player may have on cards (German rules, 'Anrechtsstein setzen')."""
        return STONES_EACH if len(self.players) == MIN_PLAYERS else STONES_EACH - 1

    def stones_of(self, player: Player) -> list[Card]:
        return [card for card, owner in self.stones.items() if owner is player]


def set_up(deck: Deck, count: int, rng: random.Random) -> Game:
    """A game before its first turn, with the law tablets in a V."""
    cards = rng.sample(deck.cards, len(deck.cards))
    rows = [cards[n * DISPLAY_COLUMNS:(n + 1) * DISPLAY_COLUMNS] for n in range(DISPLAY_ROWS)]
    tablets = [law.id for law in deck.laws for _ in range(law.copies)]
    rng.shuffle(tablets)
    marked = [row[place] for n, row in enumerate(rows, 1) for place in (n, -1 - n)]
    players = [Player(taste={category: rng.choice(TASTES) for category in CATEGORIES})
               for _ in range(count)]
    return Game(players=players, rows=rows, tablets=dict(zip(marked, tablets, strict=True)), rules=deck.rules)


def play(game: Game) -> None:
    """Play the game to its end."""
    turn = 0
    while any(game.rows):
        player = game.players[turn % len(game.players)]
        take_back_stones(player)
        moves = list(find_moves(game, player))
        if moves:
            rated = [(rate(game, player, move), move) for move in moves]
            make_move(game, player, max(rated, key=lambda pair: pair[0])[1])
            place_stone(game, player)
        turn += 1


def take_back_stones(player: Player) -> None:
    """Play the laws that return paid claim stones."""
    while player.laws["take_back_stone"] and player.paid:
        player.laws["take_back_stone"] -= 1
        player.paid -= 1
        player.supply += 1


def find_moves(game: Game, player: Player) -> Iterator[Move]:
    """Every legal move; each set of cards once, with the fewest laws."""
    seen: set[frozenset[Card]] = set()
    for laws in ((), ("three_symbols",), ("mixed_countries",), ("three_symbols", "mixed_countries")):
        if all(player.laws[law] for law in laws):
            for cards in reachable(game, player, laws):
                if frozenset(cards) not in seen:
                    seen.add(frozenset(cards))
                    yield Move(cards, laws)


def reachable(game: Game, player: Player, laws: Sequence[str]) -> Iterator[tuple[Card, ...]]:
    """The sequences of cards that can be taken from the ends of rows."""
    stones = player.supply + len(game.stones_of(player))

    def extend(taken: tuple[Card, ...], paid: int) -> Iterator[tuple[Card, ...]]:
        for card in ends(game.rows, taken):
            cost = paid + (game.stones.get(card, player) is not player)
            if may_follow(card, taken, laws) and cost <= stones:
                yield (*taken, card)
                yield from extend((*taken, card), cost)

    return extend((), 0)


def ends(rows: Sequence[Sequence[Card]], taken: Sequence[Card] = ()) -> list[Card]:
    """The cards at the left and right ends of the rows without the ``taken`` ones."""
    cards: dict[Card, None] = {}
    for row in rows:
        for side in (row, reversed(row)):
            card = next((card for card in side if card not in taken), None)
            if card:
                cards[card] = None
    return list(cards)


def rate(game: Game, player: Player, move: Move) -> float:
    """The value of a move for a player, in points weighted by its taste."""
    by_country: dict[str, list[Card]] = {}
    for card in move.cards:
        by_country.setdefault(card.country.id, []).append(card)
    paid = sum(game.stones.get(card, player) is not player for card in move.cards)
    return (sum(country_gain(game, player, cards) for cards in by_country.values())
            + player.taste["chain"] * chain_gain(player, move.cards)
            + 0.5 * sum(card in game.tablets for card in move.cards)
            - STONE_VALUE * (paid + len(move.laws)))


def country_gain(game: Game, player: Player, cards: Sequence[Card]) -> float:
    """The gain of the player's lead over the others in the country of these cards."""
    country = cards[0].country
    seat = game.players.index(player)

    def lead(points: Sequence[int]) -> float:
        return points[seat] - (sum(points) - points[seat]) / (len(points) - 1)

    counts = [other.counts[country.id] for other in game.players]
    symbols = [other.best_kind(country) for other in game.players]
    more_counts, more_symbols = counts.copy(), symbols.copy()
    more_counts[seat] += len(cards)
    more_symbols[seat] = player.best_kind(country, cards)
    held, shown = (game.rules.line(f"{country.id}.{column}") for column in ("cards", "symbols"))
    country_lead = lead(score_line(held, more_counts)) - lead(score_line(held, counts))
    symbol_lead = lead(score_line(shown, more_symbols)) - lead(score_line(shown, symbols))
    # each card counts a point: one without effect now may bring the majority later
    return player.taste["country"] * (country_lead + len(cards)) + player.taste["symbol"] * symbol_lead


def chain_gain(player: Player, cards: Sequence[Card]) -> float:
    def value(count: int) -> float:
        return count if count >= CHAIN_LENGTH else ROUTE_VALUE * count

    return sum(value(player.routes[route] + more) - value(player.routes[route])
               for route, more in count_routes(cards).items())


def make_move(game: Game, player: Player, move: Move) -> None:
    """Carry out a move: pay for marked cards, take cards, stones and tablets."""
    player.laws.subtract(move.laws)
    for card in move.cards:
        owner = game.stones.pop(card, None)
        if owner:
            owner.supply += 1
        if owner not in (None, player):
            pay_stone(game, player)
        if card in game.tablets:
            player.laws[game.tablets.pop(card)] += 1
        player.take(card)
    game.rows = [[card for card in row if card not in move.cards] for row in game.rows]
    game.turns.append(move)


def pay_stone(game: Game, player: Player) -> None:
    if not player.supply:
        del game.stones[game.stones_of(player)[0]]
        player.supply += 1
    player.supply -= 1
    player.paid += 1


def place_stone(game: Game, player: Player) -> None:
    """Mark the card at an end that is worth most to the player."""
    free = [card for card in ends(game.rows) if card not in game.stones]
    if free and player.supply and len(game.stones_of(player)) < game.stones_in_use:
        game.stones[max(free, key=lambda card: rate(game, player, Move((card,), ())))] = player
        player.supply -= 1


@dataclass(frozen=True, slots=True)
class Result:
    """A finished game: its score, the tastes by seat, and all turns."""

    score: Score
    tastes: tuple[dict[str, float], ...]
    turns: tuple[Move, ...]


def simulate(deck: Deck, players: int, games: int, seed: int) -> list[Result]:
    """Play a number of games, reproducible by the seed."""
    rng = random.Random(f"{seed}/{players}")
    results = []
    for _ in range(games):
        game = set_up(deck, players, rng)
        play(game)
        tallies = [tally_cards(str(seat), player.cards, player.laws["minus_two"])
                   for seat, player in enumerate(game.players, 1)]
        results.append(Result(score=score_game(tallies, deck.rules), turns=tuple(game.turns),
                              tastes=tuple(player.taste for player in game.players)))
    return results


def shuffle_symbols(deck: Deck, rng: random.Random) -> Deck:
    """The same deck with the symbols and routes of its cards dealt out at random."""
    symbols = rng.sample([card.symbols for card in deck.cards], len(deck.cards))
    routes = rng.sample([card.route for card in deck.cards], len(deck.cards))
    return replace(deck, cards=tuple(
        replace(card, symbols=kinds, route=route)
        for card, kinds, route in zip(deck.cards, symbols, routes, strict=True)))


def figures(results: Sequence[Result]) -> dict[str, float]:
    """Statistics of a series of games, by their printed names."""
    players = [player for result in results for player in result.score.players]
    tastes = [taste for result in results for taste in result.tastes]
    winners = [player for player in players if player.rank == 1]
    seats = len(results[0].tastes)
    turns = [move.cards for result in results for move in result.turns]
    columns = [[player.countries[country].symbol_points for player in result.score.players]
               for result in results for country in result.score.players[0].countries]
    shared = [sum(entry > 0 for entry in column) > 1 for column in columns if any(column)]
    lines = {"total of a player": mean(player.total for player in players)}
    for category, points in CATEGORIES.items():
        lines[f"{category} points of a player"] = mean(map(points, players))
    for category, points in CATEGORIES.items():
        lines[f"{category} points, winner's lead"] = mean(map(points, winners)) - mean(map(points, players))
    for category, points in CATEGORIES.items():
        lines[f"{category} points, correlation with total"] = correlation(
            [points(player) for player in players], [player.total for player in players])
    # wins are a multiple of a seat's share by chance
    for category in CATEGORIES:
        lines[f"wins of who loves {category} points"] = seats * mean(
            player.rank == 1 for player, taste in zip(players, tastes, strict=True)
            if taste[category] == max(TASTES))
    lines |= {
        "wins of the start player": seats * mean(result.score.players[0].rank == 1 for result in results),
        "players with a chain, %": 100 * mean(player.chain_points > 0 for player in players),
        "players with both chains, %": 100 * mean(
            min(player.ships, player.carriages) >= CHAIN_LENGTH for player in players),
        "games without a chain, %": 100 * mean(
            not any(player.chain_points for player in result.score.players) for result in results),
        "best symbols shared, %": 100 * mean(shared),
        "cards break a tie, %": 100 * mean(result.score.tie_break == "cards" for result in results),
        "no single winner, %": 100 * mean(result.score.tie_break == "draw" for result in results),
        "turns of a game": len(turns) / len(results),
        "turns taking several cards, %": 100 * mean(len(cards) > 1 for cards in turns),
        "turns taking two symbols or more, %": 100 * mean(
            count_symbols(cards).total() >= MAX_SYMBOLS for cards in turns),
    }
    return lines


def print_deck(deck: Deck) -> None:
    """Print the symbols and routes on the cards, country by country."""
    heads = (*deck.symbols, *ROUTES)
    print(f"{'':12}{'cards':>9}{'0/1/2':>9}" + "".join(f"{head:>10}" for head in heads))
    groups = {country.id: deck.cards_of(country) for country in deck.countries} | {"all": deck.cards}
    for name, cards in groups.items():
        counts = count_symbols(cards) + count_routes(cards)
        sizes = [sum(len(card.symbols) == size for card in cards) for size in range(MAX_SYMBOLS + 1)]
        print(f"{name:12}{len(cards):9}{'/'.join(map(str, sizes)):>9}"
              + "".join(f"{counts[head] or '-':>10}" for head in heads))


def print_figures(deck: Deck, games: int, seed: int) -> None:
    """Print the statistics of a series of games for each number of players."""
    columns = [figures(simulate(deck, count, games, seed)) for count in range(MIN_PLAYERS, MAX_PLAYERS + 1)]
    print(f"{'players':40}" + "".join(f"{count:10}" for count in range(MIN_PLAYERS, MAX_PLAYERS + 1)))
    for name in columns[0]:
        print(f"{name:40}" + "".join(f"{column[name]:10.2f}" for column in columns))


def main() -> None:
    parser = argparse.ArgumentParser(description="Play a deck by simulated players and print what scores.")
    parser.add_argument("--games", type=int, default=250, help="games for each number of players (250)")
    parser.add_argument("--seed", type=int, default=1, help="another seed, other games (1)")
    parser.add_argument("--data", type=Path, default=DATA, help="the folder of the deck")
    options = parser.parse_args()
    deck, warnings = load_deck(options.data)
    print(*warnings, sep="\n", end="\n" if warnings else "")
    print_deck(deck)
    print(f"\nThis deck, {options.games} games for each number of players")
    print_figures(deck, options.games, options.seed)
    print("\nFor comparison: the same symbols and routes, dealt on the cards by chance")
    print_figures(shuffle_symbols(deck, random.Random(options.seed)), options.games, options.seed)


if __name__ == "__main__":
    main()
