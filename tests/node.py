"""Scripts that run in Node, browsers among them: what starts them, and clears away what they leave behind.

The environment variables PPGEN_NODE_MODULES, PPGEN_CHROMIUM and PPGEN_FIREFOX name other places than the usual ones.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

BROWSERS = {"chromium": ("chromium",), "firefox": ("firefox-esr", "firefox"),
            "shell": ("chromium-headless-shell", "chromium")}  # without windows, it computes a fifth less
PATIENCE = 600.0
"""Seconds that a script may take on a busy machine."""


@dataclass(frozen=True)
class Node:
    """The scripts of a folder, with the packages of ``tests/forms/package.json`` at hand."""

    scripts: Path
    modules: Path

    def run(self, script: str, *words: str, given: object = None, inside: tuple[str, ...] = ()) -> dict:
        """What a script prints; ``inside`` is a command that runs another."""
        with _room() as surroundings:
            done = subprocess.run([*inside, *self._command(script, words)], input=json.dumps(given), timeout=PATIENCE,
                                  capture_output=True, text=True, encoding="utf-8", env=surroundings)
        assert done.returncode == 0, done.stderr
        return json.loads(done.stdout)

    @contextmanager
    def asked(self, script: str, *words: str, inside: tuple[str, ...] = ()) -> Iterator[Callable[[object], dict]]:
        """A script that answers line by line, and ends where there are no more lines; ``inside`` as for ``run``."""
        with _room() as surroundings, subprocess.Popen(
                [*inside, *self._command(script, words)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True,
                encoding="utf-8", env=surroundings) as process:
            def ask(given: object) -> dict:
                print(json.dumps(given), file=process.stdin, flush=True)
                return json.loads(process.stdout.readline())

            yield ask

    def _command(self, script: str, words: tuple[str, ...]) -> list[str]:
        return ["node", str(self.scripts / script), str(self.modules), *words]


def find_node(scripts: Path, package: str = "") -> Node:
    """Node, with a package if it is named, or the test is skipped."""
    tool("node")
    modules = Path(os.environ.get("PPGEN_NODE_MODULES") or Path(__file__).parent / "forms" / "node_modules").resolve()
    if package and not (modules / package).is_dir():
        pytest.skip(f"needs {package}: npm install --prefix tests/forms --ignore-scripts, or PPGEN_NODE_MODULES=FOLDER")
    return Node(scripts, modules)


def browser(name: str) -> str:
    """The path of a browser, or the test is skipped."""
    return os.environ.get(f"PPGEN_{name.upper()}") or tool(*BROWSERS[name])


def tool(*names: str) -> str:
    """The path of the first of these programs that is here, or the test is skipped."""
    found = next(filter(None, map(shutil.which, names)), None)
    if not found:
        pytest.skip(f"needs {' or '.join(names)}")
    return found


@contextmanager
def _room() -> Iterator[dict[str, str]]:
    """Surroundings with a folder for temporary files of their own: the profiles of browsers go with it."""
    with TemporaryDirectory(prefix="ppgen-", ignore_cleanup_errors=True) as folder:
        yield {**os.environ, "TMPDIR": folder}
