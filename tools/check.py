"""Runs all checks: pytest, and beside it ruff, import-linter and mypy. The exit code is 1 if any of them fails.

    python tools/check.py [pytest's arguments]

Where the environment variable CI is set, as continuous integrations do, tests that lack a tool fail instead of being
skipped.
"""

from __future__ import annotations

import os
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from time import perf_counter

ROOT = Path(__file__).resolve().parent.parent
LINT_IMPORTS = "from importlinter.cli import lint_imports_command as run; run()"  # it has no __main__
OTHERS = {"ruff": ["-m", "ruff", "check"], "import-linter": ["-c", LINT_IMPORTS], "mypy": ["-m", "mypy"]}
PYTEST = [sys.executable, "-m", "pytest"]
ON_ALL_CORES = ["-n", str((os.cpu_count() or 1) + 1), "--dist", "loadfile", "--no-loadscope-reorder"]
"""One worker more than cores, as browsers are waited for. Each file is one worker's, so that what is built for its
tests is built once; the files come in the order of ``tests/conftest.py``."""

COMPILED = {**os.environ, "PYTHONDONTWRITEBYTECODE": ""}
"""Modules are kept compiled, whatever is usual here: the tests start hundreds of processes."""


def failed(checks: dict[str, list[str]]) -> list[str]:
    """Run checks one after the other, show what each says if it fails, and name those that did."""
    names = []
    for name, arguments in checks.items():
        start = perf_counter()
        done = subprocess.run([sys.executable, *arguments], cwd=ROOT, env=COMPILED, stdout=subprocess.PIPE,
                              stderr=subprocess.STDOUT, text=True, encoding="utf-8", errors="replace")
        said = done.stdout if done.returncode else ""
        how = "FAILED" if done.returncode else "good"
        print(f"\n{said}{name}: {how} ({perf_counter() - start:.1f} s)", flush=True)
        names += [name] * bool(done.returncode)
    return names


def main() -> int:
    wrong = []
    with ThreadPoolExecutor(max_workers=1) as beside:
        others = beside.submit(failed, OTHERS)
        if not (ROOT / "tests" / "__pycache__").exists():  # else each worker would compile all modules on its own
            subprocess.run([*PYTEST, "--collect-only", "-q"], cwd=ROOT, env=COMPILED, capture_output=True)
        if subprocess.run([*PYTEST, *ON_ALL_CORES, *sys.argv[1:]], cwd=ROOT, env=COMPILED).returncode:
            wrong.append("pytest")
        wrong += others.result()
    if wrong:
        print(f"Failed: {', '.join(wrong)}", file=sys.stderr)
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
