"""Runs all checks in turn: ruff, mypy, import-linter, pytest. The exit code is 1 if any of them fails.

    python tools/check.py [pytest's arguments]
"""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from time import perf_counter

ROOT = Path(__file__).resolve().parent.parent
LINT_IMPORTS = "from importlinter.cli import lint_imports_command as run; run()"  # it has no __main__
CHECKS = {
    "ruff": ["-m", "ruff", "check"],
    "mypy": ["-m", "mypy"],
    "import-linter": ["-c", LINT_IMPORTS],
}
ON_ALL_CORES = ["-n", "auto", "--dist", "loadfile"]
"""The tests of a file stay together: they share what is built once."""


def passes(name: str, arguments: list[str]) -> bool:
    """Run one check, show what it says if it fails, and say how it went."""
    start = perf_counter()
    done = subprocess.run([sys.executable, *arguments], cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                          text=True, encoding="utf-8", errors="replace")
    if done.returncode:
        print(done.stdout)
    print(f"{name}: {'FAILED' if done.returncode else 'good'} ({perf_counter() - start:.1f} s)", flush=True)
    return not done.returncode


def main() -> int:
    failed = [name for name, arguments in CHECKS.items() if not passes(name, arguments)]
    if subprocess.run([sys.executable, "-m", "pytest", *ON_ALL_CORES, *sys.argv[1:]], cwd=ROOT).returncode:
        failed.append("pytest")
    if failed:
        print(f"Failed: {', '.join(failed)}", file=sys.stderr)
    return 1 if failed else 0  # pytest's own closing line is the last where all is good


if __name__ == "__main__":
    sys.exit(main())
