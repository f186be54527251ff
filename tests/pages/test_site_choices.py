"""Pages of a site show for each choice what the making guide of those files says."""

from __future__ import annotations

import re
from html import unescape
from pathlib import Path

import pytest

from ppgen.assets import Assets
from ppgen.engine.imposition.sheets import Backs
from ppgen.pages.site_pages import print_on
from ppgen.printing.manifest import stock_entries
from ppgen.printing.workshop import Workshop
from tests.node import find_node
from tests.pages.conftest import make_site, served, write_deck

LANGS = ("da", "de", "en", "fr", "ja", "nl")


def test_paper_is_thinner_where_backs_are_glued_on() -> None:
    workshop = Workshop.open(Assets.at(), "", "card-game")
    for lang in LANGS:
        texts = workshop.texts(lang)
        (cards, *_) = workshop.pieces(texts, workshop.game.card_size)
        said = [print_on({**stock_entries(cards.stock, backs), "sheets": 1, "pages": 1}, texts)
                for backs in (Backs.FOLD, Backs.DUPLEX)]
        weights = [max(map(int, re.findall(r"\d+", words))) for words in said]
        assert 2 * weights[0] <= 320 and weights[1] == 300


@pytest.mark.slow
def test_files_needs_steps_and_guide_follow_the_choice(tmp_path: Path, chromium: str) -> None:
    deck, name = tmp_path / "deck", "en/index.html"
    write_deck(deck)
    (deck / "score.toml").write_text("[stars]\neach = 2\n", "utf-8")
    make_site(deck, tmp_path, "--ink", "full", "--paper", "a4", "--paper", "letter")
    site = tmp_path / "site"
    with served(site) as address:
        seen = find_node(Path(__file__).parent).run("site_choices.mjs", chromium, address, name)[name]
    assert seen["paper"] == "letter"  # of a browser from the United States
    assert any("USA, Canada</small>" in page.read_text("utf-8") for page in tmp_path.rglob("index.html"))
    assert list(seen["choices"]) == ["duplex", "fold", "none"]
    for backs, shown in seen["choices"].items():
        assert len(set(shown["guides"])) == 1 and f"-a4-{backs}-full" in shown["guides"][0]
        assert shown["total"] == [sum(sheets for *_, sheets in shown["files"])]
        assert any("both sides" in paper for _, paper, _ in shown["files"]) is (backs == "duplex")
        card = {"fold": "120–160", "duplex": "200–300", "none": "200–300"}[backs]
        assert card in shown["needs"][0]
        said = unescape(re.sub("<[^>]*>", "", (site / "en" / shown["guides"][0]).read_text("utf-8")))
        assert len(set(shown["steps"])) == len(shown["steps"]) >= 2
        assert [words for words in (*shown["steps"], *shown["told"]) if words not in said] == []
        assert all(words[1:] in said for words in shown["needs"] if "×" not in words)
    assert {last for count, last in seen["lasts"] if count == 4} == {2}, "four steps or cards: none stands alone"
    assert (seen["stops"], seen["focused"]) == (1, 1)
    assert seen["printed"] <= 2
    assert seen["score"] == ["en", "screen on-players"] and seen["back"] == f"{address}/{name}"
