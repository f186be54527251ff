"""Measures scoring: the CPU time of a cold ``ppgen score game.toml``, and of 10,000 games in one process.

    python benchmarks/score.py [--rounds 15] [--games 10000]

The aim is less than 100 ms for the command, and well under a second for a thousand games.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from resource import RUSAGE_CHILDREN, getrusage
from statistics import median
from time import process_time

from ppgen.games.card_game.deck import MAX_PLAYERS, MIN_PLAYERS, Deck
from ppgen.games.card_game.deck_loading import load_deck
from ppgen.games.card_game.scoring import CardScoring, score_game
from ppgen.games.card_game.tallies import Tally, TallyNames, tally_cards
from ppgen.play.tally_files import read_json
from ppgen.shipped import shipped_root

ROOT = Path(__file__).resolve().parent.parent
NAMES = ("Andreas", "Beate", "Claus", "Doris", "Emil")


def deal(deck: Deck, chance: random.Random) -> tuple[Tally, ...]:
    """A finished game with cards dealt at random."""
    players = chance.randint(MIN_PLAYERS, MAX_PLAYERS)
    owners = [chance.randrange(players) for _ in deck.cards]
    hands = [[card for card, owner in zip(deck.cards, owners, strict=True) if owner == seat] for seat in range(players)]
    return tuple(map(tally_cards, NAMES, hands))


def format_toml(game: Sequence[Tally]) -> str:
    """Format the game as people write it."""
    lines = []
    for tally in game:
        lines += ["[[players]]", f'name = "{tally.name}"', f"ships = {tally.ships}", f"carriages = {tally.carriages}"]
        for key, counts in (("cards", tally.cards), ("symbols", tally.symbols)):
            lines += [f"[players.{key}]", *(f"{country} = {count}" for country, count in counts.items())]
    return "\n".join(lines)


def cold_ms(rounds: int, *words: str) -> float:
    """The median CPU time of a process in milliseconds."""
    times = []
    for _ in range(rounds):
        before = getrusage(RUSAGE_CHILDREN)
        subprocess.run([sys.executable, *words], check=True, stdout=subprocess.DEVNULL,
                       env=os.environ | {"PYTHONPATH": str(ROOT)})
        after = getrusage(RUSAGE_CHILDREN)
        times.append(after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime)
    return median(times) * 1000


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--rounds", type=int, default=15)
    parser.add_argument("--games", type=int, default=10_000)
    options = parser.parse_args()
    folder = shipped_root() / "data" / "card_game"
    deck, _ = load_deck(folder)
    games = [deal(deck, random.Random(number)) for number in range(options.games)]
    with tempfile.TemporaryDirectory() as temporary:
        file = Path(temporary, "game.toml")
        file.write_text(format_toml(games[0]), encoding="utf-8")
        print("cold, CPU time")
        print(f"  python alone                 {cold_ms(options.rounds, '-c', 'pass'):6.0f} ms")
        for words in (["--format", "json"], ["--lang", "de"], ["--lang", "en", "--explain"]):
            time_ms = cold_ms(options.rounds, "-m", "ppgen", "score", str(file), *words)
            print(f"  ppgen score {' '.join(words):16} {time_ms:6.0f} ms")
    print(f"{options.games} games in one process, CPU time for each thousand")
    start = process_time()
    for game in games:
        score_game(game, deck.rules)
    print(f"  scored                       {(process_time() - start) / len(games) * 1e6:6.0f} ms")
    scoring = CardScoring(deck=deck, names=TallyNames(deck, folder / "locales"))
    documents = [json.dumps({"players": [asdict(tally) for tally in game]}) for game in games]
    start = process_time()
    for document in documents:
        scoring.score(read_json(document, "game.json"))
    print(f"  read, checked and scored     {(process_time() - start) / len(games) * 1e6:6.0f} ms")


if __name__ == "__main__":
    main()
