"""Measures the performance aims of ppgen: one command, one table.

    python -m benchmarks.aims [--rounds 5] [--peers PYTHON] [--only WORD] [--keep]

Times of the same run are compared: those of cards with protograf's for the same job, if this Python or that of
``--peers`` has it. Cold means a new process with an empty cache. The figures are medians of processor time, which does
not depend on other load of the machine. ``--keep`` writes them into ``benchmarks/versions.md``, a column for each
version.
"""

from __future__ import annotations

import argparse
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from resource import RUSAGE_CHILDREN, getrusage
from statistics import median
from time import perf_counter

from ppgen import __version__
from ppgen.games.card_game.deck import Deck
from ppgen.games.card_game.deck_loading import load_deck
from ppgen.games.card_game.tallies import tally_cards
from ppgen.shipped import shipped_root

ROOT = Path(__file__).resolve().parent.parent
VERSIONS = ROOT / "benchmarks" / "versions.md"
CARDS = ("build", "--quiet", "--lang", "de", "--only", "cards", "--card-size", "poker")
SET = ("build", "--quiet", "--lang", "de")
OTHER = ("--paper", "letter", "--marks", "lines", "--back-offset", "0.5,-1")
"""Options of a second run that differ from the first."""


@dataclass(frozen=True, slots=True)
class Time:
    """Time of a process in seconds: elapsed, and processor time of all cores."""

    wall: float
    cpu: float


def run_timed(command: Sequence[str], folder: Path, **settings: str) -> Time:
    """Run a command. Raises CalledProcessError, with its output, if it fails."""
    environment = os.environ | {"PYTHONPATH": str(ROOT)} | settings
    environment.pop("PYTHONDONTWRITEBYTECODE", None)  # an installed ppgen has its bytecode files
    before, start = getrusage(RUSAGE_CHILDREN), perf_counter()
    subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True, check=True)
    wall, after = perf_counter() - start, getrusage(RUSAGE_CHILDREN)
    return Time(wall, after.ru_utime - before.ru_utime + after.ru_stime - before.ru_stime)


def ppgen(*words: str) -> list[str]:
    return [sys.executable, "-m", "ppgen", *words]


class Bench:
    """Runs jobs in a temporary folder, each once before it counts, as the first run reads files from the disk."""

    def __init__(self, rounds: int, peers: str, folder: Path) -> None:
        self.rounds, self.peers, self.folder = rounds, peers, folder
        self.cache = folder / "cache"

    def median(self, once: Callable[[], Time], rounds: int = 0) -> Time:
        once()
        times = [once() for _ in range(rounds or self.rounds)]
        return Time(median(one.wall for one in times), median(one.cpu for one in times))

    def run(self, *words: str, **settings: str) -> Time:
        return run_timed(ppgen(*words), self.folder, PPGEN_CACHE_DIR=str(self.cache), **settings)

    def cold(self, *words: str) -> Time:
        def once() -> Time:
            shutil.rmtree(self.cache, ignore_errors=True)
            return self.run(*words)

        return self.median(once)

    def second(self, first: Sequence[str], *then: str) -> Time:
        """The time of a run after a first one with other options."""
        def once() -> Time:
            shutil.rmtree(self.cache, ignore_errors=True)
            self.run(*first)
            return self.run(*then)

        return self.median(once)

    def changed(self) -> Time:
        """The time of the cards after a symbol on one of them has changed."""
        data = self.folder / "data"
        shutil.copytree(ROOT / "data", data, dirs_exist_ok=True)
        table, words = data / "card_game" / "cards.csv", (*CARDS, "--game", "card-game", "--data", str(data))
        text = (ROOT / "data" / "card_game" / "cards.csv").read_text(encoding="utf-8")

        def once() -> Time:
            shutil.rmtree(self.cache, ignore_errors=True)
            table.write_text(text, encoding="utf-8")
            self.run(*words)
            table.write_text(text.replace("france-1,france,cross cross", "france-1,france,fan cross"), encoding="utf-8")
            return self.run(*words)

        return self.median(once)

    @cached_property
    def protograf(self) -> Time | None:
        """The time of the peer, if installed."""
        try:
            return self.median(lambda: run_timed([self.peers, "-m", "benchmarks.peers.protograf_cards"], self.folder))
        except (OSError, subprocess.CalledProcessError):
            return None

    @cached_property
    def whole(self) -> Time:
        return self.cold(*SET)

    @cached_property
    def all_languages(self) -> Time:
        return self.cold("build", "--quiet", "--lang", "all")

    def save(self) -> float:
        """Seconds of processor time to redraw 56 cards on the page after their template is saved."""
        code = ("import sys; from time import process_time\nfrom pathlib import Path\n"
                "from ppgen.assets import Assets\n"
                "from ppgen.engine.geometry import A4\nfrom ppgen.pages.open.album import Redrawer\n"
                "from ppgen.printing.request import BuildRequest\n"
                "from ppgen.printing.workshop import Workshop\n"
                "templates = Path('templates')\nassets = Assets.at(None, templates)\n"
                "request = BuildRequest(langs=('de',), papers=(A4,), parts=('cards',))\n"
                "redrawer = Redrawer(lambda: (Workshop.open(assets), request))\nredrawer.refresh()\ntimes = []\n"
                "file = templates / 'card_game' / 'country-card.svg.j2'\nfor n in range(5):\n"
                "    file.write_text(file.read_text().replace('</svg>', '<g/></svg>'))\n    start = process_time()\n"
                "    state = redrawer.refresh()\n    times.append(process_time() - start)\n"
                "    assert state.drawn >= 56 and not state.problems, state\nprint(sorted(times)[2])")
        templates = self.folder / "templates"
        shutil.copytree(ROOT / "templates", templates, dirs_exist_ok=True)
        done = subprocess.run([sys.executable, "-c", code], cwd=self.folder, env=os.environ | {"PYTHONPATH": str(ROOT)},
                              capture_output=True, text=True, check=True)
        return float(done.stdout)

    def faces(self, number: int) -> Time:
        """The time of a process that prints this number of faces."""
        command = [sys.executable, "-m", "benchmarks.many_faces", str(number)]
        return self.median(lambda: run_timed(command, ROOT))

    @cached_property
    def face(self) -> Time:
        """Milliseconds for a face: the difference between 500 and 2,000 faces, divided by 1,500."""
        few, many = self.faces(500), self.faces(2000)
        return Time((many.wall - few.wall) / 1.5, (many.cpu - few.cpu) / 1.5)

    def score(self) -> float:
        deck, _ = load_deck(shipped_root() / "data" / "card_game")
        (self.folder / "game.toml").write_text(deal(deck), encoding="utf-8")
        return self.median(lambda: self.run("score", "game.toml", "--format", "json")).cpu

    def completion(self) -> float:
        return self.median(lambda: self.run(COMP_WORDS="ppgen bu", COMP_CWORD="1", _PPGEN_COMPLETE="bash_complete")).cpu


def deal(deck: Deck) -> str:
    """Deal all cards to three players, and write the game as people do."""
    lines = []
    for seat, name in enumerate(("Anna", "Ben", "Clara")):
        tally = tally_cards(name, deck.cards[seat::3])
        lines += ["[[players]]", f'name = "{name}"', f"ships = {tally.ships}", f"carriages = {tally.carriages}"]
        for key, counts in (("cards", tally.cards), ("symbols", tally.symbols)):
            lines += [f"[players.{key}]", *(f"{country} = {count}" for country, count in counts.items())]
    return "\n".join(lines)


@dataclass(frozen=True, slots=True)
class Row:
    """A figure with its aim in the unit; ``measure`` returns None if the peer is missing."""

    job: str
    unit: str
    aim: float
    measure: Callable[[Bench], float | None]


def relative_to_protograf(measure: Callable[[Bench], Time]) -> Callable[[Bench], float | None]:
    return lambda bench: measure(bench).cpu / bench.protograf.cpu if bench.protograf else None


ROWS = (
    Row("56 cards, cold", "× protograf", 0.45, relative_to_protograf(lambda bench: bench.cold(*CARDS))),
    Row("56 cards again, other paper, marks, printer", "× protograf", 0.25,
        relative_to_protograf(lambda bench: bench.second(CARDS, *CARDS, *OTHER))),
    Row("one card changed", "× protograf", 0.3, relative_to_protograf(Bench.changed)),
    Row("the German set, cold", "× protograf", 0.9, relative_to_protograf(lambda bench: bench.whole)),
    Row("the German set again, other marks, printer", "× protograf", 0.5,
        relative_to_protograf(lambda bench: bench.second(SET, *SET, *OTHER[2:]))),
    Row("the German set again, other paper, whose booklets differ", "× protograf", 0.9,
        relative_to_protograf(lambda bench: bench.second(SET, *SET, *OTHER))),
    Row("six languages, cold, on the clock", "× one", 2.5,
        lambda bench: bench.all_languages.wall / bench.whole.wall),
    Row("six languages, cold, processor time", "× one", 5,
        lambda bench: bench.all_languages.cpu / bench.whole.cpu),
    Row("page: a template of 56 faces is saved", "s CPU", 0.3, Bench.save),
    Row("check, one language", "s CPU", 4, lambda bench: bench.cold("check", "--quiet", "--lang", "de").cpu),
    Row("check, six languages", "s CPU", 12, lambda bench: bench.cold("check", "--quiet").cpu),
    Row("2,000 faces, each, on the clock", "ms", 0.8, lambda bench: bench.face.wall),
    Row("2,000 faces, each, processor time", "ms CPU", 0.8, lambda bench: bench.face.cpu),
    Row("score", "s CPU", 0.1, Bench.score),
    Row("--help", "s CPU", 0.06, lambda bench: bench.median(lambda: bench.run("--help")).cpu),
    Row("--version", "s CPU", 0.06, lambda bench: bench.median(lambda: bench.run("--version")).cpu),
    Row("completion", "s CPU", 0.06, Bench.completion),
)


def figures(bench: Bench, only: str) -> Iterator[tuple[Row, float | None]]:
    for row in ROWS:
        if only in row.job:
            yield row, row.measure(bench)


def update_versions(results: Sequence[tuple[Row, float | None]], text: str) -> str:
    """Put the figures into the column of this version in the table of versions."""
    lines = [[cell.strip() for cell in line.strip("|").split("|")]
             for line in text.splitlines() if line.startswith("|")]
    head, rows = (lines[0], {line[0]: line[1:] for line in lines[2:]}) if lines else (["job", "aim"], {})
    if __version__ not in head:
        head.append(__version__)
    column = head.index(__version__) - 1
    for row, figure in results:
        cells = rows.setdefault(row.job, [f"≤ {row.aim:g} {row.unit}"])
        cells += [""] * (len(head) - 1 - len(cells))
        cells[column] = "" if figure is None else f"{figure:.2f}"
    body = [head, ["---"] * len(head), *([job, *rows[job]] for job in (row.job for row in ROWS) if job in rows)]
    table = "\n".join(f"| {' | '.join(line)} |" for line in body)
    return ("# Figures by version\n\nWritten by `python -m benchmarks.aims --keep`; see [README.md](README.md). "
            "The figures of 0.1.0 are medians of five\nrounds on an idle machine with two processors.\n\n"
            f"{table}\n")


def are_templates_compiled() -> bool:
    """Whether the templates of this checkout are compiled, as after an installation."""
    from ppgen.engine.drawing.templates import compile_templates
    from ppgen.engine.guard.template_environment import INSTALLED
    from ppgen.shipped import shipped_root

    return all((shipped_root() / INSTALLED / name).is_file() for name,
               _ in compile_templates(shipped_root() / "templates"))


def main() -> None:
    parser = argparse.ArgumentParser(description="All that ppgen wants to be quick at, against its aims.")
    parser.add_argument("--rounds", type=int, default=5, help="how often each job runs (default: 5)")
    parser.add_argument("--peers", default=sys.executable, metavar="PYTHON", help="a Python that has protograf")
    parser.add_argument("--only", default="", metavar="WORD", help="only jobs with this word")
    parser.add_argument("--keep", action="store_true", help="write the figures into benchmarks/versions.md")
    options = parser.parse_args()
    if not are_templates_compiled():
        print("Templates changed since ppgen was installed: each cold run compiles them. pip install -e . does it.")
    with tempfile.TemporaryDirectory() as folder:
        bench = Bench(max(1, options.rounds), options.peers, Path(folder))
        results = []
        try:
            for row, figure in figures(bench, options.only):
                results.append((row, figure))
                cells = "not measured: pip install protograf" if figure is None else (
                    f"{figure:7.2f} {row.unit:12} aim {row.aim:5.2f}  {'' if figure <= row.aim else 'NOT MET'}")
                print(f"{row.job:56} {cells}", flush=True)
        except subprocess.CalledProcessError as error:
            sys.exit(f"{' '.join(error.cmd)} failed:\n{error.stderr}")
    missed = [row.job for row, figure in results if figure is not None and figure > row.aim]
    print(f"Not met: {'; '.join(missed) or 'none'}.")
    if options.keep:
        old = VERSIONS.read_text(encoding="utf-8") if VERSIONS.is_file() else ""
        VERSIONS.write_text(update_versions(results, old), encoding="utf-8")


if __name__ == "__main__":
    main()
