"""The scorer page in Firefox and WebKit: a game counted tap by tap, and its result."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
from pathlib import Path

import pytest

from ppgen.games.card_game.scoring.points import score_game
from ppgen.games.card_game.tallies.names import Names
from ppgen.games.card_game.tallies.scored import score_raw
from ppgen.play.files import read_json
from tests.scorer.conftest import HERE, Node
from tests.scorer.games import dealt, written

DRIVER = "WebKitWebDriver"


@pytest.fixture(params=["firefox", "webkit"])
def smoke(request, node: Node, page: Path) -> tuple[str, list[str]]:
    """What runs the smoke test in a browser, and its name."""
    words = [str(HERE / "smoke.mjs"), str(node.modules)]
    if request.param == "firefox":
        program = os.environ.get("PPGEN_FIREFOX") or shutil.which("firefox-esr") or shutil.which("firefox")
        if not program or not (node.modules / "puppeteer-core").is_dir():
            pytest.skip("needs firefox and npm install --prefix tests/forms --ignore-scripts")
        return "Firefox/", ["node", *words, program, page.as_uri(), "firefox"]
    if not shutil.which(DRIVER) or not shutil.which("xvfb-run"):
        pytest.skip("needs the packages webkit2gtk-driver, xvfb and xauth")
    return "AppleWebKit/", ["xvfb-run", "-a", "node", *words, str(shutil.which(DRIVER)), page.as_uri(), "webkit"]


def test_a_game_is_counted(smoke, workshop, deck):
    browser, command = smoke
    game = written(dealt(1, deck))
    done = subprocess.run(command, input=json.dumps(game), capture_output=True, encoding="utf-8", timeout=300)
    assert done.returncode == 0, done.stderr
    said = json.loads(done.stdout)
    names = Names(deck, workshop.assets.game("card_game") / "locales", "en")
    assert browser in said["agent"] and not said["wide"] and said["drawn"] > 20
    assert said["result"]["players"] == score_raw(read_json(json.dumps(game), ""), deck, names).result["players"]
    winner = score_game(dealt(1, deck), deck.countries).winners[0]
    assert winner in said["verdict"] and winner in said["opened"]
