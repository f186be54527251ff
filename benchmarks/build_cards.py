"""Measures the time of 56 cards with ppgen, protograf, and Jinja2 with typst alone as the floor.

    python benchmarks/build_cards.py [--rounds 5]

All do the same job: 56 poker-size cards of 9 types on A4, fronts and backs for duplex printing. The contenders run in
turn, each in a new process, after one round that does not count; the table has medians. protograf is measured if it is
installed (``pip install protograf``).
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from resource import RUSAGE_CHILDREN, getrusage
from statistics import median
from time import perf_counter

ROOT = Path(__file__).resolve().parent.parent
FLOOR, CARDS, PEER = "Jinja2 → typst, the floor", "ppgen, the cards", "protograf"


@dataclass(frozen=True, slots=True)
class Run:
    """Time of a process in seconds: elapsed, and processor time of all cores."""

    wall: float
    cpu: float


def contenders() -> dict[str, list[str]]:
    """The command of each contender; it writes into the working folder."""
    ppgen = [sys.executable, "-m", "ppgen", "build", "--quiet", "--lang", "de"]
    commands = {
        FLOOR: [sys.executable, "-m", "benchmarks.peers.typst_cards", str(ROOT / "data" / "fonts")],
        CARDS: [*ppgen, "--only", "cards", "--paper", "a4", "--card-size", "poker"],
        "ppgen, whole set": [*ppgen, "--paper", "a4"],
    }
    if find_spec("protograf"):
        commands[PEER] = [sys.executable, "-m", "benchmarks.peers.protograf_cards"]
    else:
        print("protograf is left out: it is not installed (pip install protograf)", file=sys.stderr)
    return commands


def run(command: Sequence[str]) -> Run:
    """Run a command in an empty folder. Raises CalledProcessError if it fails or writes no PDF."""
    environment = os.environ | {"PYTHONPATH": str(ROOT)}
    with tempfile.TemporaryDirectory() as folder:
        before, start = getrusage(RUSAGE_CHILDREN), perf_counter()
        done = subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True)
        wall, after = perf_counter() - start, getrusage(RUSAGE_CHILDREN)
        if done.returncode or not any(Path(folder).rglob("*.pdf")):
            raise subprocess.CalledProcessError(done.returncode, command, done.stdout, done.stderr)
    return Run(wall, after.ru_utime - before.ru_utime + after.ru_stime - before.ru_stime)


def measure(commands: Mapping[str, Sequence[str]], rounds: int) -> dict[str, Run]:
    """Measure the medians of each contender. They run in turn, so that other load affects all of them."""
    runs: dict[str, list[Run]] = {name: [] for name in commands}
    for number in range(rounds + 1):
        for name, command in commands.items():
            one = run(command)
            if number:  # the first round fills the file cache and compiles modules
                runs[name].append(one)
    return {name: Run(median(one.wall for one in several), median(one.cpu for one in several))
            for name, several in runs.items()}


def table(results: Mapping[str, Run]) -> Iterator[str]:
    """Lines with the medians, also as multiples of the time of ppgen's cards and of the floor."""
    widest = max(map(len, results))
    yield f"{'':{widest}}  {'wall s':>7}  {'CPU s':>7}  {'× ppgen':>7}  {'× floor':>7}"
    for name, one in sorted(results.items(), key=lambda item: item[1].wall):
        yield (f"{name:{widest}}  {one.wall:7.2f}  {one.cpu:7.2f}  {one.wall / results[CARDS].wall:7.2f}"
               f"  {one.wall / results[FLOOR].wall:7.2f}")


def main() -> None:
    parser = argparse.ArgumentParser(description="Time the same 56 cards with ppgen and its peers.")
    parser.add_argument("--rounds", type=int, default=5, help="how often each contender runs (default: 5)")
    rounds = max(1, parser.parse_args().rounds)
    try:
        results = measure(contenders(), rounds)
    except subprocess.CalledProcessError as error:
        sys.exit(f"{' '.join(error.cmd)} failed:\n{error.stderr or 'it wrote no PDF'}")
    for line in table(results):
        print(line)
    print(f"Medians of {rounds} round{'' if rounds == 1 else 's'}, cold processes.")


if __name__ == "__main__":
    main()
