"""The scorer page in Firefox and WebKit: a game counted tap by tap, and its result."""

from __future__ import annotations

import json

import pytest

from ppgen.games.card_game.scoring import CardScoring, TallyNames, score_game
from ppgen.play.game_scoring import read_json
from tests.node import browser, find_node, tool
from tests.pages.scorer.conftest import HERE
from tests.pages.scorer.games import dealt, written


@pytest.mark.usefixtures("real_browser")
@pytest.mark.parametrize(("kind", "agent"), [("firefox", "Firefox/"), ("webkit", "AppleWebKit/")])
def test_a_game_is_counted(kind, agent, page, workshop, deck):
    node, game = find_node(HERE, "puppeteer-core"), written(dealt(0, deck))
    program = browser(kind) if kind == "firefox" else tool("WebKitWebDriver")
    inside = () if kind == "firefox" else (tool("xvfb-run"), "-a")
    said = node.run("smoke.mjs", program, page.as_uri(), kind, given=game, inside=inside)
    names = TallyNames(deck, workshop.assets.game("card_game") / "locales", "en")
    assert agent in said["agent"] and not said["wide"] and said["drawn"] > 20
    assert said["result"]["players"] == CardScoring(deck=deck, names=names).score(
        read_json(json.dumps(game), "")).result["players"]
    winner = score_game(dealt(0, deck), deck.rules).winners[0]
    assert winner in said["verdict"] and winner in said["opened"]
