"""Tries the tests on faults: each of ``tests/faults.toml`` alone, in a copy of the tree, until a test fails.

    python -m tools.mutate [--slow] [--unseen] [--in NAME] [test ...]

A fault is tried on the test that saw it last, on the given tests, and on the files of tests that import its module,
with ``--slow`` also on slow ones. ``--unseen`` tries only those that no test sees, ``--in`` those of files of that
name. The exit code is 1 if a fault is not seen.
"""

from __future__ import annotations

import argparse
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
from collections import Counter
from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from itertools import repeat
from multiprocessing import get_context
from pathlib import Path
from tempfile import TemporaryDirectory

ROOT = Path(__file__).resolve().parent.parent
FAULTS = ROOT / "tests" / "faults.toml"
MAX_CPU_S = 150
"""The processor time of a run of tests: one that takes more has lost its end by the fault."""
HEAVY = "pytest numpy lxml.etree pikepdf PIL.Image reportlab.pdfgen.canvas typst uharfbuzz jinja2 pypdfium2"


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
            code = importlib.import_module("pytest").main(["-q", "--tb=no", "-rfE", "-p", "no:cacheprovider", *words])
        except BaseException:
            traceback.print_exc()
            code = 3
        finally:
            sys.stdout.flush()
            sys.stderr.flush()
            os._exit(code)
    return os.waitstatus_to_exitcode(os.waitpid(process, 0)[1]), (folder / "printed").read_text("utf-8", "replace")


def importers(fault: Fault) -> list[str]:
    """The files of tests that name the fault's module."""
    module = fault.file.removesuffix(".py").replace("/", ".")
    return [str(path.relative_to(ROOT)) for path in sorted((ROOT / "tests").rglob("test_*.py"))
            if "node_modules" not in path.parts and module in path.read_text("utf-8")]


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
        for n, tests in enumerate(rounds):
            if not tests:
                continue
            code, printed = pytest(folder, "-x", *(pace if n else ()), *tests, limit=MAX_CPU_S)
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
    for flag in ("--slow", "--unseen"):
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
        rounds = [([fault.seen] * bool(fault.seen), options.tests, importers(fault)) for fault in tried]
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
