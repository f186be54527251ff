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
    "pytest": ["-m", "pytest"],
}


def passes(name: str, arguments: list[str]) -> bool:
    """Run one check and say how it went."""
    print(f"── {name}", flush=True)
    start = perf_counter()
    good = subprocess.run([sys.executable, *arguments], cwd=ROOT).returncode == 0
    print(f"── {name}: {'good' if good else 'FAILED'}, {perf_counter() - start:.1f} s\n", flush=True)
    return good


def main() -> int:
    failed = [name for name, arguments in CHECKS.items()
              if not passes(name, arguments + (sys.argv[1:] if name == "pytest" else []))]
    print(f"Failed: {', '.join(failed)}" if failed else "All checks are good.")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
