"""Walks over all pages in a browser: what each step changes is in ``tests/golden/walk-*.txt``."""

from __future__ import annotations

from pathlib import Path

import pytest
from click.testing import CliRunner

from ppgen.assets import Assets
from ppgen.cli.messages import own_page_words
from ppgen.cli.program import main
from ppgen.pages.local_server import static_answers
from ppgen.pages.single_pages import scorer_page
from ppgen.printing.workshop import Workshop
from tests.node import find_node
from tests.pages.table.test_table_page import deck

HERE = Path(__file__).parent
RULES, STEPS = ((HERE / "walks" / name).read_text("utf-8") for name in ("score.toml", "lessons.toml"))
SCRIPTS = {"open": ("page.html", ("base.js", "tables.js", "page.js", "page.css")),
           "start": ("start.html", ("base.js", "start.js", "start.css"))}


@pytest.fixture
def walk(chromium, golden, request):
    """Walk over the page at an address of some files as ``walks/NAME.txt`` says."""
    def do(name: str, files: dict[str, str], at: str = "/") -> None:
        before = HERE / "walks" / f"{name}.js"
        golden(f"walk-{name}.txt", find_node(HERE).run("walk.mjs", chromium, given={
            "files": files, "at": at, "steps": (HERE / "walks" / f"{name}.txt").read_text("utf-8"),
            "before": before.read_text("utf-8") if before.exists() else ""})["text"])

    return do


@pytest.mark.parametrize("name", SCRIPTS)
def test_a_walk_over_ppgen_open_is_as_it_was(walk, name):
    page, scripts = SCRIPTS[name]
    answers = static_answers(page, scripts, own_page_words())
    walk(name, {path: bytes(answer.content).decode() for path, answer in answers.items()}, "/#token")


@pytest.mark.parametrize(("name", "at"), [("cards", "/#game=card-game"), ("board", "/#game=board-game")])
def test_a_walk_over_the_scorer_page_is_as_it_was(walk, workshop, name, at):
    walk(name, {"/": scorer_page([workshop, Workshop.open(Assets.at(), game="board-game")])}, at)


def test_a_walk_over_the_scorer_page_of_a_deck_is_as_it_was(walk, tmp_path):
    deck(tmp_path)
    (tmp_path / "score.toml").write_text(RULES, "utf-8")
    walk("deck", {"/": scorer_page([Workshop.open(Assets.at(tmp_path))])})


def test_a_walk_over_a_table_and_its_lessons_is_as_it_was(walk, tmp_path):
    deck(tmp_path, f'[map]\nsize = "260x180mm"\nfront = "card.svg.j2"\n[table]\ndeal = 1\n{STEPS}')
    done = CliRunner().invoke(main, ["export", "table", "--data", str(tmp_path), "-o", str(tmp_path), "-q"])
    assert done.exit_code == 0, done.output
    walk("table", {"/": (tmp_path / "table" / "any.html").read_text("utf-8")})


def test_a_walk_over_a_site_is_as_it_was(walk, site):
    files = {f"/{path.relative_to(site).as_posix()}": path.read_text("utf-8") for path in site.rglob("*")
             if path.suffix in (".html", ".js", ".css", ".svg", ".json")}
    walk("site", files, "/en/index.html")
    walk("guide", files, "/en/any-guide-a4-fold-full.html#make")
