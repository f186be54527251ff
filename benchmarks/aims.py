"""Measures what people wait for, with ppgen as they install it: one command, one table.

    python -m benchmarks.aims [--ppgen PROGRAM] [--base PROGRAM] [--peers PYTHON] [--rounds 5] [--only WORD …] [--keep]

Without ``--ppgen`` it has pip build the wheel of this checkout and install it into an environment of its own. All jobs
of a group run in turn, round by round, each as a process; processor time counts, with that of what a process leaves
behind. Ratios are medians of pairs of one round. Needs Linux.
"""

from __future__ import annotations

import argparse
import ctypes
import os
import platform
import shutil
import subprocess
import sys
import tempfile
import venv
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import median
from time import perf_counter

from benchmarks.decks import make_deck, make_picture
from ppgen import __version__

ROOT = Path(__file__).resolve().parent.parent
VERSIONS = ROOT / "benchmarks" / "versions.md"
PR_SET_CHILD_SUBREAPER = 36  # linux/prctl.h: processes whose parent has ended become ours, so that their time counts
OTHER = ("--paper", "letter", "--marks", "lines")
GAME = "".join(f'[[players]]\nname = "{name}"\ncards = {{ france = 2 }}\n' for name in ("Ann", "Ben", "Clara"))


@dataclass(frozen=True, slots=True)
class Cost:
    """What a process took, and those that it left behind: seconds, and megabytes of the largest one."""

    cpu: float
    wall: float
    peak: float


@dataclass(frozen=True, slots=True)
class Job:
    """A command in a folder. ``aims`` are its largest ratios to other jobs of the group; ``prepare`` does not count."""

    name: str
    command: Sequence[str | Path]
    folder: Path
    aims: Sequence[tuple[str, float]] = ()
    prepare: Callable[[], object] = lambda: None


def measure(job: Job, cache: Path) -> Cost:
    """Run a job. Raises CalledProcessError, with its output, if it fails."""
    environment = {name: value for name, value in os.environ.items() if not name.startswith("PYTHON")}
    environment |= {"PPGEN_CACHE_DIR": str(cache)} | ({"PYTHONPATH": str(ROOT)} if "-m" in job.command else {})
    start, cpu, peak, status, wall = perf_counter(), 0.0, 0.0, 0, 0.0
    with tempfile.TemporaryFile() as output:
        process = subprocess.Popen(job.command, cwd=job.folder, env=environment, stdout=output, stderr=output)
        while True:
            try:
                child, ended, usage = os.wait4(-1, 0)
            except ChildProcessError:
                break
            cpu, peak = cpu + usage.ru_utime + usage.ru_stime, max(peak, usage.ru_maxrss / 1000)
            if child == process.pid:
                status, wall = os.waitstatus_to_exitcode(ended), perf_counter() - start
        process.returncode = status
        output.seek(0)
        if status:
            raise subprocess.CalledProcessError(status, [*map(str, job.command)], output.read()[-2000:])
    return Cost(cpu, wall, peak)


def install(folder: Path) -> Path:
    """Build the wheel of this checkout as pip does for its users, and install it; return the program."""
    pip = [sys.executable, "-m", "pip", "--quiet", "--disable-pip-version-check"]
    venv.create(folder / "bare", symlinks=True)
    subprocess.run([*pip, "--python", folder / "bare" / "bin" / "python", "install", "--compile", ROOT], check=True)
    return folder / "bare" / "bin" / "ppgen"


class Bench:
    """The jobs, by group. Those of ppgen exist for the program, and for the ``base`` that it is compared with."""

    def __init__(self, programs: dict[str, Path], peers: str, folder: Path) -> None:
        self.programs, self.peers, self.folder = programs, peers, folder

    def groups(self) -> dict[str, Callable[[], Iterator[Job]]]:
        return {"54 cards": lambda: self.cards(54, 0.6), "540 cards": lambda: self.cards(540, 0.6),
                "10,000 cards": lambda: self.cards(10_000, 0.7), "60 PNGs of 1 MB": self.pictures,
                "shipped sets": self.sets, "small commands": self.commands}

    def ppgen(self, name: str, folder: Path, *words: str | Path, of_base: float = 0.0, cold: bool = False,
              prepare: Callable[[], object] = lambda: None, more: Sequence[tuple[str, float]] = ()) -> Iterator[Job]:
        """The job of each program; a ``cold`` one begins without a cache."""
        for label, program in self.programs.items():
            def ready(label: str = label) -> None:
                if cold:
                    shutil.rmtree(self.cache(label), ignore_errors=True)
                prepare()

            paired = [(f"base {name}", of_base)] if of_base and "base" in self.programs else []
            aims = [*more, *paired] if label == "ppgen" else []
            yield Job(f"{label} {name}", (program, *words), folder, aims, ready)

    def cache(self, name: str) -> Path:
        return self.folder / f"cache {name.partition(' ')[0]}"

    def cards(self, number: int, of_base: float) -> Iterator[Job]:
        """A deck of so many cards; peers whose time or memory bends print small ones only."""
        make_deck(number, home := self.folder / str(number), ROOT / "data" / "fonts")
        table = home / "deck" / "cards.csv"
        text = table.read_text(encoding="utf-8")
        build, deck = ("build", "-q", "--only", "cards"), home / "deck"
        peers = [("protograf", 1 / 5), ("Chromium", 1 / 4.5), ("WeasyPrint", 1 / 2.4), ("ReportLab", 1.7)]
        found = {job.name: job for job in self.card_peers(home)} if number < 10_000 else {}
        yield from self.ppgen("cold", deck, *build, of_base=of_base, cold=True,
                              prepare=lambda: table.write_text(text, encoding="utf-8"),
                              more=[(name, most) for name, most in peers if number < 100 and name in found])
        yield from self.ppgen("again", deck, *build, of_base=0.7)
        yield from self.ppgen("other paper and marks", deck, *build, *OTHER)
        yield from self.ppgen("one cell changed", deck, *build, of_base=0.65, prepare=lambda: table.write_text(
            text.replace("Arrive", "Arrived", 1), encoding="utf-8"))
        yield from (job for job in found.values() if number < 100 or job.name in ("typst", "ReportLab"))

    def card_peers(self, home: Path) -> Iterator[Job]:
        typst = ("import typst; typst.compile('cards.typ', output='typst.pdf', font_paths=['fonts'], "
                 "ignore_system_fonts=True)")
        html = "import weasyprint; weasyprint.HTML('cards.html').write_pdf('weasyprint.pdf')"
        for name, package, words in (("typst", "typst", ("-c", typst)),
                                     ("ReportLab", "reportlab", ("-m", "benchmarks.peers.reportlab_deck")),
                                     ("WeasyPrint", "weasyprint", ("-c", html)),
                                     ("protograf", "protograf", ("-m", "benchmarks.peers.protograf_deck"))):
            if self.has(package):
                yield Job(name, (self.peers, *words), home)
        if chromium := shutil.which("chromium"):
            yield Job("Chromium", (chromium, "--headless", "--no-sandbox", "--disable-gpu", "--no-pdf-header-footer",
                                   "--print-to-pdf=chromium.pdf", "cards.html"), home)

    def has(self, package: str) -> bool:
        """True if the peers' Python has a package; one that is there and fails is an error."""
        code = f"import sys, importlib.util; sys.exit(not importlib.util.find_spec({package!r}))"
        is_there = not subprocess.run([self.peers, "-c", code]).returncode
        if not is_there:
            print(f"{package} is not installed: not measured")
        return is_there

    def pictures(self) -> Iterator[Job]:
        """Finished cards: 60 pictures with bleed, as programs for drawing write them."""
        (art := self.folder / "art").mkdir()
        for n in range(60):
            make_picture(n, (822, 1122), 0).save(art / f"{n:02}.png", dpi=(300, 300))
        peers = self.has("img2pdf") and self.has("pdfimpose")
        yield from self.ppgen("new", self.folder, "new", "finished", "--from", art, cold=True,
                              prepare=lambda: shutil.rmtree(self.folder / "finished", ignore_errors=True))
        yield from self.ppgen("cold", self.folder / "finished", "build", "-q", "--only", "cards", cold=True,
                              more=[("img2pdf and pdfimpose", 1.25)] if peers else ())
        yield from self.ppgen("again", self.folder / "finished", "build", "-q", "--only", "cards")
        if peers:
            code = ("import glob, img2pdf; from pdfimpose.schema import cards; open('all.pdf', 'wb').write(img2pdf."
                    "convert(sorted(glob.glob('art/*.png')))); cards.impose(['all.pdf'], 'sheets.pdf')")
            yield Job("img2pdf and pdfimpose", (self.peers, "-c", code), self.folder)

    def sets(self) -> Iterator[Job]:
        (home := self.folder / "sets").mkdir()
        german = ("build", "-q", "--lang", "de")
        yield from self.ppgen("German set, cold", home, *german, of_base=0.5, cold=True)
        yield from self.ppgen("German set, again", home, *german, of_base=0.7)
        yield from self.ppgen("German set, other paper and marks", home, *german, *OTHER)
        yield from self.ppgen("board game, cold", home, *german, "--game", "board-game", of_base=0.55, cold=True)
        yield from self.ppgen("board game, again", home, *german, "--game", "board-game", of_base=0.7)
        yield from self.ppgen("check, six languages", home, "check", "--quiet", cold=True)

    def commands(self) -> Iterator[Job]:
        (home := self.folder / "commands").mkdir()
        (home / "game.toml").write_text(GAME, encoding="utf-8")
        for name, of_base, *words in (("score", 0.6, "score", "game.toml", "--json"), ("list", 0.7, "list"),
                                      ("--help", 0, "--help"), ("--version", 0, "--version")):
            yield from self.ppgen(name, home, *map(str, words), of_base=float(of_base))


def run_group(bench: Bench, jobs: Sequence[Job], rounds: int) -> Iterator[tuple[str, ...]]:
    """Run the jobs of a group in turn; yield the cells of a line of the table for each."""
    costs: dict[str, list[Cost]] = {job.name: [] for job in jobs}
    for _ in range(rounds):
        for job in jobs:
            job.prepare()
            costs[job.name].append(measure(job, bench.cache(job.name)))
    for job in jobs:
        spent = [cost.cpu for cost in costs[job.name]]

        def ratio(other: str, spent: Sequence[float] = spent) -> float:
            return median(mine / cost.cpu for mine, cost in zip(spent, costs[other], strict=True))

        aims = [f"{ratio(other):.2f} × {other}, aim {most:.2f}{'' if ratio(other) <= most else ': NOT MET'}"
                for other, most in job.aims]
        yield (job.name, f"{median(spent):.2f} ({min(spent):.2f}–{max(spent):.2f})", f"{ratio(jobs[0].name):.2f}",
               f"{median(cost.wall for cost in costs[job.name]):.2f}",
               f"{max(cost.peak for cost in costs[job.name]):.0f}", "; ".join(aims))


def main() -> None:
    parser = argparse.ArgumentParser(description="All that ppgen wants to be quick at, against its peers and aims.")
    parser.add_argument("--ppgen", type=Path, help="an installed ppgen (default: build and install this checkout)")
    parser.add_argument("--base", type=Path, help="another installed ppgen, to compare with in the same rounds")
    parser.add_argument("--peers", default=sys.executable, metavar="PYTHON", help="a Python with the peers")
    parser.add_argument("--rounds", type=int, default=5, help="how often each job runs (default: 5)")
    parser.add_argument("--only", default=[""], nargs="+", metavar="WORD", help="only groups with one of these words")
    parser.add_argument("--keep", action="store_true", help="write the table into benchmarks/versions.md")
    options = parser.parse_args()
    ctypes.CDLL(None).prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)
    lines = [f"# Figures of {__version__}", "",
             "Written by `python -m benchmarks.aims --keep`; see [README.md](README.md). CPU: median (least–most) of "
             f"{options.rounds} rounds.\nPython {platform.python_version()}, {os.cpu_count()} processors, load "
             f"{os.getloadavg()[0]:.1f} at the beginning."]
    with tempfile.TemporaryDirectory() as folder:
        programs = {"ppgen": (options.ppgen or install(Path(folder))).absolute()}
        programs |= {"base": options.base.absolute()} if options.base else {}
        bench = Bench(programs, options.peers, Path(folder))
        try:
            for name, jobs in bench.groups().items():
                if any(word in name for word in options.only):
                    lines += ["", f"## {name}", "", "| job | CPU s | × first | wall s | MB | aims |",
                              "|---|--:|--:|--:|--:|---|"]
                    for cells in run_group(bench, [*jobs()], options.rounds):
                        lines.append(f"| {' | '.join(cells)} |")
                        print(name, *cells, sep="  ", flush=True)
        except subprocess.CalledProcessError as error:
            sys.exit(f"{error}\n{error.output.decode(errors='replace')}")
    missed = [line for line in lines if "NOT MET" in line]
    print(f"Aims that are not met: {len(missed)}.")
    if options.keep:
        VERSIONS.write_text("\n".join(lines) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
