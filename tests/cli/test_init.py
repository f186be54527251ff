"""``ppgen init``: a folder with a set of one's own, that builds at once."""

from __future__ import annotations

import json
import re
from contextlib import chdir

import pypdfium2
import pytest

from ppgen.shipped import shipped_root


@pytest.mark.slow
def test_the_shipped_set_builds_from_its_own_folder(desk, monkeypatch):
    done = desk.ppgen("init", "mine", "--lang", "de")
    assert (done.exit_code, "mine/data/card_game/locales/" in done.stdout) == (0, True)
    monkeypatch.chdir(desk.folder / "mine")
    own = json.loads(desk.ppgen("build", "--only", "stones", "--dry-run", "--json").stdout)
    monkeypatch.chdir(desk.folder)
    usual = json.loads(desk.ppgen("build", "--lang", "de", "--only", "stones", "--dry-run", "--json").stdout)
    assert own == usual
    assert sum(path.stat().st_size for path in (desk.folder / "mine").rglob("*") if path.is_file()) < 500_000


@pytest.mark.slow
def test_a_game_that_borrows_from_another_is_right_and_whole_in_its_new_folder(desk):
    assert desk.ppgen("init", "mine", "--lang", "en", "--game", "board-game", "--quiet").exit_code == 0
    with chdir(desk.folder / "mine"):
        parts = [f"--only={part}" for part in ("board", "cards", "aid", "pieces", "score-sheet")]
        done = desk.ppgen("build", "--dry-run", *parts)
        assert done.exit_code == 0, done.output


@pytest.mark.slow
def test_the_back_on_the_page_about_it_is_printed(desk, monkeypatch):
    page = (shipped_root() / "docs" / "change-a-set.md").read_text(encoding="utf-8")
    (back,) = re.findall(r"^```jinja\n(.*?)^```$", page, re.MULTILINE | re.DOTALL)
    desk.ppgen("init", "mine", "--lang", "de")
    monkeypatch.chdir(desk.folder / "mine")
    (desk.folder / "mine/templates/card_game/card-back.svg.j2").write_text(back, encoding="utf-8")
    done = desk.ppgen("build", "--only", "france-3", "--ink", "low")
    assert (done.exit_code, "warning" in done.stderr) == (0, False), done.output
    assert "Anna".lower() in pypdfium2.PdfDocument(next((desk.folder / "mine").rglob("*.pdf")))[1].get_textpage(
        ).get_text_bounded().lower()


def test_only_the_languages_asked_for_come_along(desk):
    desk.ppgen("init", "mine", "-l", "nl", "-l", "fr")
    found = {path.relative_to(desk.folder / "mine" / "data" / "card_game").as_posix()
             for path in (desk.folder / "mine").rglob("*.toml") if path.parent.name in ("locales", "rules", "guide")}
    assert {name.partition("/")[2] for name in found} == {"fr.toml", "nl.toml"}
