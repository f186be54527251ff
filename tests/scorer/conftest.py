"""What the tests of the scorer page share: the page itself, and what opens it."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import pytest

from ppgen.assets import Assets
from ppgen.export.scorer.export import scorer_page
from ppgen.production.workshop import Workshop

HERE = Path(__file__).resolve().parent
MODULES = "PPGEN_NODE_MODULES"
"""The environment variable that names the folder of the npm packages."""


@dataclass(frozen=True)
class Node:
    """Scripts that run in Node, with the npm packages of ``tests/forms`` at hand."""

    modules: Path

    def run(self, script: str, *words: str, given: object = None) -> dict:
        done = subprocess.run(["node", str(HERE / script), str(self.modules), *words], input=json.dumps(given),
                              capture_output=True, text=True, encoding="utf-8", timeout=300)
        assert done.returncode == 0, done.stderr
        return json.loads(done.stdout)


@pytest.fixture(scope="session")
def node() -> Node:
    if not shutil.which("node"):
        pytest.skip("needs node, version 20 or newer")
    return Node(Path(os.environ.get(MODULES) or HERE.parent / "forms" / "node_modules").resolve())


@pytest.fixture(scope="session")
def page(tmp_path_factory: pytest.TempPathFactory, workshop: Workshop) -> Path:
    """The page of all games that have one, which opens in the device's language."""
    path = tmp_path_factory.mktemp("scorer") / "kardinal-koenig.html"
    board_game = Workshop.open(Assets.at(), game="board-game")
    path.write_text(scorer_page([workshop, board_game]), encoding="utf-8")
    return path


@pytest.fixture(scope="session")
def browser(node: Node) -> Callable[..., dict]:
    """Runs a script of this folder in Chromium: given(script, page, …) → what it prints."""
    program = os.environ.get("PPGEN_CHROMIUM") or shutil.which("chromium")
    if not program:
        pytest.skip("needs chromium (or PPGEN_CHROMIUM=PATH)")
    if not (node.modules / "puppeteer-core").is_dir():
        pytest.skip(f"needs puppeteer-core: npm install --prefix tests/forms --ignore-scripts, or {MODULES}=FOLDER")

    def run(script: str, page: Path, *words: str, given: object = None) -> dict:
        return node.run(script, program, page.as_uri(), *words, given=given)

    return run
