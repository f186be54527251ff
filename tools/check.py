"""Runs the checks: pytest, and in parallel ruff, import-linter, mypy and a comparison of generated pages.

The exit code is 1 if any of them fails.

    python tools/check.py [--all] [ROOM] [arguments for pytest]

Without --all it leaves out the tests marked as slow. With a ROOM, the name of a package of ppgen, it only runs the
tests of that package and those that import from it: what a change there breaks first. If the environment variable CI
is set, as in continuous integration, it runs all tests, and those that miss a tool fail instead of being skipped.
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from time import perf_counter

ROOT = Path(__file__).resolve().parent.parent
LINT_IMPORTS = "from importlinter.cli import lint_imports_command as run; run()"  # it has no __main__
FOLDERS = ["ppgen", "tests", "tools", "benchmarks", "hatch_build.py"]
OTHERS = {"ruff": ["-m", "ruff", "check"], "isort": ["-m", "isort", "--check", "-q", *FOLDERS],
          "import-linter": ["-c", LINT_IMPORTS], "mypy": ["-m", "mypy"],
          "functions page": ["-m", "tools.functions_page", "--check"]}
OF_ALL = {"board map": ["-m", "tools.board_map", "--check"]}
PYTEST = [sys.executable, "-m", "pytest"]
ON_ALL_CORES = ["-n", str((os.cpu_count() or 1) + 1), "--dist", "loadfile", "--no-loadscope-reorder"]
"""One more worker than cores, as some tests wait for browsers. A worker runs whole files, so that their fixtures are
built once; ``tests/conftest.py`` orders the files."""
QUICK = ["-m", "not slow"]
PROCESSOR_S = {"quick": 175, "all": 650}
"""Processor time of all checks, measured in November 2026."""
OF_EVERY_ROOM = ["tests/test_layout.py", "tests/test_docs.py"]

ENVIRONMENT = {**os.environ, "PYTHONDONTWRITEBYTECODE": ""}
"""Always with bytecode files: the tests start hundreds of processes."""


def run_checks(checks: dict[str, list[str]]) -> list[str]:
    """Run checks one after the other and print the output of those that fail; return their names."""
    failed = []
    for name, arguments in checks.items():
        start = perf_counter()
        done = subprocess.run([sys.executable, *arguments], cwd=ROOT, env=ENVIRONMENT, stdout=subprocess.PIPE,
                              stderr=subprocess.STDOUT, text=True, encoding="utf-8", errors="replace")
        output = done.stdout if done.returncode else ""
        verdict = "FAILED" if done.returncode else "good"
        print(f"\n{output}{name}: {verdict} ({perf_counter() - start:.1f} s)", flush=True)
        failed += [name] * bool(done.returncode)
    return failed


def find_tests(room: str) -> list[str]:
    """The folder of tests of a package, and the files of tests that import from it."""
    imported = re.compile(rf"^ *(from|import) ppgen\.(\w+\.)*{room}\b", re.MULTILINE)
    files = [path for path in sorted((ROOT / "tests").rglob("test_*.py"))
             if room in path.relative_to(ROOT).parts or imported.search(path.read_text("utf-8"))]
    return [*OF_EVERY_ROOM, *(path.relative_to(ROOT).as_posix() for path in files)]


def main() -> int:
    arguments = [argument for argument in sys.argv[1:] if argument != "--all"]
    rooms = {path.parent.name for path in (ROOT / "ppgen").rglob("__init__.py")}
    room = arguments.pop(0) if arguments and arguments[0] in rooms else ""
    arguments += find_tests(room) if room else []
    runs_all = "--all" in sys.argv[1:] or os.environ.get("CI")
    pace = [] if runs_all else QUICK
    failed = []
    if not arguments:
        cores = os.cpu_count() or 1
        minutes = PROCESSOR_S["all" if runs_all else "quick"] / cores / 60
        print(f"This takes about {minutes:.0f} minutes on {cores} cores that are idle.", flush=True)
    start = perf_counter()
    with ThreadPoolExecutor(max_workers=1) as executor:
        others = executor.submit(run_checks, OTHERS | (OF_ALL if runs_all else {}))
        if not (ROOT / "tests" / "__pycache__").exists():  # otherwise each worker compiles all modules itself
            subprocess.run([*PYTEST, "--collect-only", "-q"], cwd=ROOT, env=ENVIRONMENT, capture_output=True)
        if subprocess.run([*PYTEST, *ON_ALL_CORES, *pace, *arguments], cwd=ROOT, env=ENVIRONMENT).returncode:
            failed.append("tests")
        print(f"\ntests: {'FAILED' if failed else 'good'} ({perf_counter() - start:.1f} s)", flush=True)
        failed += others.result()
    if not runs_all:
        print("Left out: the board's map, tests in browsers, of whole sets and others that take long. They run with: "
              + " ".join(["python tools/check.py --all", room]).strip())
    if failed:
        print(f"Failed: {', '.join(failed)}", file=sys.stderr)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
