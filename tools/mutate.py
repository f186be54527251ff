"""Tries the tests on faults: each of ``tests/faults.toml`` alone, in a copy of the tree, until a test fails.

    python -m tools.mutate [--map] [--slow] [--unseen] [--in NAME] [test file ...]

A fault is tried on the test that saw it last, on the given files, on the quickest of the tests that run its line, and
on those that import its module. ``--map`` finds out which do, in one run of the quick tests (with ``--slow`` of all),
and keeps it in ``output/mutate.json``. ``--unseen`` tries only those that no test sees, ``--in`` those of files of that
name. The exit code is 1 if a fault is not seen.
"""

from __future__ import annotations

import argparse
import ast
import gc
import importlib
import json
import os
import re
import resource
import shutil
import subprocess
import sys
import tomllib
import traceback
import xml.etree.ElementTree as ElementTree
from collections import Counter
from collections.abc import Iterable, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from functools import cache
from itertools import repeat
from multiprocessing import get_context
from pathlib import Path
from tempfile import TemporaryDirectory

ROOT = Path(__file__).resolve().parent.parent
FAULTS, MAP = ROOT / "tests" / "faults.toml", ROOT / "output" / "mutate.json"
MAX_TESTS, MAX_CPU_S = 40, 30
"""Tests that a fault is tried on in one run, and the processor time of that run."""
HEAVY = "pytest numpy lxml.etree pikepdf PIL.Image reportlab.pdfgen.canvas typst uharfbuzz jinja2 pypdfium2"
PROBE = """import os
last = {}
def hit(n):
    test = os.environ.get("PYTEST_CURRENT_TEST", "").rpartition(" ")[0]
    if test and last.get(n) != test:
        last[n] = test
        try:
            with open(os.environ["PROBED"], "a") as file:
                file.write(f"{n}\\t{test}\\n")
        except OSError:
            pass
"""


@dataclass
class Fault:
    """A line of a file (with its indentation, if another is the same without), what it becomes, and who sees it."""

    file: str
    line: str
    becomes: str
    seen: str = ""

    @property
    def key(self) -> str:
        return f"{self.file}\n{self.line}"

    def find(self, text: str) -> int | None:
        """The number of its line (from 0), if that stands in the text exactly once."""
        found = [n for n, line in enumerate(text.splitlines()) if self.line in (line, line.strip())]
        return found[0] if len(found) == 1 else None

    def apply(self, text: str) -> str:
        """The text with the fault in it, whose line must stand there."""
        lines = text.splitlines(keepends=True)
        row = self.find(text) or 0
        return "".join([*lines[:row], lines[row].replace(self.line, self.becomes), *lines[row + 1:]])


def read_faults() -> list[Fault]:
    return [Fault(file, line, *pair) for file, lines in tomllib.loads(FAULTS.read_text("utf-8")).items()
            for line, pair in lines.items()]


def write_faults(faults: Sequence[Fault]) -> None:
    text = "".join(line for line in FAULTS.read_text("utf-8").splitlines(keepends=True) if line.startswith("#"))
    for file in sorted({fault.file for fault in faults}):
        text += f'\n["{file}"]\n' + "".join("{} = [\n  {},\n  {}]\n".format(*(
            json.dumps(each, ensure_ascii=False) for each in (fault.line, fault.becomes, fault.seen)))
            for fault in faults if fault.file == file)
    FAULTS.write_text(text, "utf-8")


def copy_tree(folder: Path) -> Path:
    """Copy what git does not ignore, and link what it ignores but tests need."""
    listed = subprocess.run(["git", "ls-files", "-co", "--exclude-standard"], cwd=ROOT, capture_output=True, text=True)
    for name in filter(lambda name: (ROOT / name).is_file(), listed.stdout.splitlines()):
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy2(ROOT / name, folder / name)
    for name in ("compiled", "tests/forms/node_modules"):
        if (ROOT / name).exists():
            (folder / name).symlink_to(ROOT / name)
    return folder


def pytest(folder: Path, *words: str, limit: int = resource.RLIM_INFINITY) -> tuple[int, str]:
    """Run tests of a copy in a fork of this process, which has imported what is heavy; its exit code and output."""
    if not (process := os.fork()):
        try:
            with (folder / "printed").open("wb") as file:
                os.dup2(file.fileno(), 1)
                os.dup2(file.fileno(), 2)
            resource.setrlimit(resource.RLIMIT_CPU, (limit, limit))
            os.chdir(folder)
            sys.path.insert(0, str(folder))
            os.environ["PROBED"] = str(folder / "probed")
            code = importlib.import_module("pytest").main(["-q", "--tb=no", "-rfE", "-p", "no:cacheprovider", *words])
        except BaseException:
            traceback.print_exc()
            code = 3
        finally:
            sys.stdout.flush()
            sys.stderr.flush()
            os._exit(code)
    return os.waitstatus_to_exitcode(os.waitpid(process, 0)[1]), (folder / "printed").read_text("utf-8", "replace")


def map_tests(folder: Path, faults: Sequence[Fault], pace: Sequence[str]) -> None:
    """Find out which tests run which line, and how long they take, by a probe before the statement of the line."""
    (folder / "ppgen" / "probe.py").write_text(PROBE, "utf-8")
    for path in {folder / fault.file for fault in faults if fault.file.endswith(".py")}:
        text, probes = path.read_text("utf-8"), dict[int, str]()
        lines = text.splitlines()
        inside = {each for node in ast.walk(ast.parse(text)) if isinstance(node, ast.FunctionDef)
                  for each in ast.walk(node) if isinstance(each, ast.stmt) and each is not node
                  and not lines[each.lineno - 1][:each.col_offset].strip()
                  and not lines[each.lineno - 1].strip().startswith("elif")}
        for n, fault in enumerate(faults):
            row = (fault.find(text) or 0) + 1 if folder / fault.file == path else 0
            if around := [each for each in inside if each.lineno <= row <= (each.end_lineno or 0)]:
                at = max(around, key=lambda each: (each.lineno, each.col_offset))
                probe = probes.setdefault(at.lineno - 1, " " * at.col_offset + "from ppgen.probe import hit")
                probes[at.lineno - 1] = f"{probe}; hit({n})"
        path.write_text("".join(f"{probes[n]}\n{line}\n" if n in probes else f"{line}\n"
                                for n, line in enumerate(lines)), "utf-8")
    print(pytest(folder, "-n", "2", "--junitxml=times.xml", *pace)[1][-300:])
    seconds = {f"{case.get('classname', '').replace('.', '/')}.py::{case.get('name')}": float(case.get("time", 0))
               for case in ElementTree.parse(folder / "times.xml").iter("testcase") if not list(case.iter("failure"))}
    hits: dict[str, set[str]] = {}
    for line in (folder / "probed").read_text("utf-8").splitlines():
        number, test = line.split("\t")
        if test in seconds:
            hits.setdefault(faults[int(number)].key, set()).add(test)
    MAP.write_text(json.dumps({key: sorted(tests, key=seconds.__getitem__) for key, tests in hits.items()}, indent=1))


def quickest(tests: Iterable[str]) -> list[str]:
    """Some of the tests, which are sorted by their time: three of each file, then others; none of a whole set."""
    files, first, others = Counter[str](), list[str](), list[str]()
    for test in tests:
        files[file := test.partition("::")[0]] += 1
        if not any(word in read_tests().get(file, "") for word in ("german_set", "desk", "workshop")):
            (first if files[file] <= 3 else others).append(test)
    return [*first, *others][:MAX_TESTS]


def importers(fault: Fault) -> list[str]:
    """The files of tests that name the fault's module."""
    module = fault.file.removesuffix(".py").replace("/", ".")
    return [path for path, text in read_tests().items() if module in text]


@cache
def read_tests() -> dict[str, str]:
    return {str(path.relative_to(ROOT)): path.read_text("utf-8") for path in sorted((ROOT / "tests").rglob("test_*.py"))
            if "node_modules" not in path.parts}


def try_fault(fault: Fault, number: int, top: Path, rounds: Sequence[Sequence[str]], pace: Sequence[str]) -> str:
    """The first test that fails with the fault in this process's own copy of the tree, or nothing."""
    folder = top / str(os.getpid())
    path = (folder if folder.is_dir() else copy_tree(folder)) / fault.file
    text, before = path.read_text("utf-8"), path.stat().st_mtime
    if fault.find(text) is None:
        print(f"{fault.file} has not this line once: {fault.line}")
        return fault.seen
    path.write_text(fault.apply(text), "utf-8")
    os.utime(path, (0, number))  # bytecode files of others are not taken for its own
    try:
        for tests in filter(None, rounds):
            code, printed = pytest(folder, "-x", *pace, *tests, limit=MAX_CPU_S)
            if code > 1:
                print(printed[-1000:])
            if match := re.search(r"^(?:FAILED|ERROR) (\S+?\.py(?:::.+?)?)(?: - .*)?$", printed, re.M):
                return match[1]
            if code < 0:
                return tests[0]  # it never ends
        return ""
    finally:
        path.write_text(text, "utf-8")
        os.utime(path, (0, before))


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    for flag in ("--map", "--slow", "--unseen"):
        parser.add_argument(flag, action="store_true")
    parser.add_argument("--in", dest="name", default="")
    parser.add_argument("tests", nargs="*")
    options = parser.parse_args()
    sys.dont_write_bytecode, os.environ["PYTHONDONTWRITEBYTECODE"] = False, ""  # each run would compile all modules
    for module in HEAVY.split():
        importlib.import_module(module)
    gc.freeze()
    faults, pace = read_faults(), [] if options.slow else ["-m", "not slow"]
    tried = [fault for fault in faults if options.name in fault.file and not (options.unseen and fault.seen)]
    with TemporaryDirectory() as top:
        if options.map:
            map_tests(copy_tree(Path(top, "map")), faults, pace)
        hits = json.loads(MAP.read_text("utf-8")) if MAP.is_file() else {}
        rounds = [([fault.seen] * bool(fault.seen), options.tests, quickest(hits.get(fault.key, ())), importers(fault))
                  for fault in tried]
        # Processes, not threads: a fork of one of several threads may wait for ever.
        with ProcessPoolExecutor(max_workers=2, mp_context=get_context("fork")) as executor:
            for fault, seen in zip(tried, executor.map(
                    try_fault, tried, range(len(tried)), repeat(Path(top)), rounds, repeat(pace)), strict=True):
                fault.seen = seen
                print(f"{fault.file}: {fault.line}\n    {fault.becomes}\n    {fault.seen or 'NOT SEEN'}", flush=True)
                write_faults(faults)
    for file, number in sorted(Counter(fault.file for fault in faults if not fault.seen).items()):
        print(f"{file}: {number} not seen")
    print(f"{sum(not fault.seen for fault in faults)} of {len(faults)} faults are not seen")
    return 1 if any(not fault.seen for fault in faults) else 0


if __name__ == "__main__":
    sys.exit(main())
