"""Scoring in the folder of a deck, from ``score.toml`` to the filled-in sheet and the history."""

from __future__ import annotations

import json

import pytest

from tests.play.test_score_files import FILES

NOT_THERE = "score.toml: is missing: it says how this game is scored (write one (docs/score-sheets.md has examples))\n"
TALLIES = '[[players]]\nname = "Ann"\ncoins = "3+1"\ndebts = 2\n[[players]]\nname = "Bo"\ncoins = 1\n'


@pytest.fixture
def deck(desk):
    """A desk in the folder of a deck that can't be scored yet."""
    (desk.folder / "deck.toml").write_text('title = "Coins"\n[cards]\nfront = "card.svg.j2"\n', encoding="utf-8")
    (desk.folder / "card.svg.j2").write_text('<rect width="9" height="9"/>', encoding="utf-8")
    return desk


@pytest.fixture
def scored(deck):
    (deck.folder / "score.toml").write_text((FILES / "smallest" / "score.toml").read_text(encoding="utf-8"))
    (deck.folder / "g.toml").write_text(TALLIES, encoding="utf-8")
    return deck


@pytest.mark.parametrize("words", [
    ("score",), ("score", "g.toml"), ("score", "--template", "csv"), ("history",), ("history", "list"),
    ("history", "export"), ("export", "scorer"), ("build", "--only", "score-sheet")])
def test_without_rules_each_command_says_so(deck, words):
    done = deck.ppgen(*words)
    assert (done.exit_code, done.stdout, done.stderr) == (1, "", NOT_THERE)


def test_a_game_is_scored_saved_and_shown_with_a_warning_when_the_rules_change(scored):
    done = scored.ppgen("score", "g.toml", "--explain", "--save", "-q", "--history", "h.db", "--date", "2026-03-01")
    assert (done.exit_code, done.stderr) == (0, "")
    assert "Coins: Ann has 4 → 12; Bo has 1 → 3.\nDebts: Ann has 2 → −2.\nAnn: 12 Coins, −2 Debts → 10." in done.stdout
    assert done.stdout.endswith("Ann wins with 10 points.\n")
    assert scored.ppgen("history", "show", "1", "--history", "h.db").stderr == ""
    scored.change("score.toml", "each = 3", "each = 30")
    shown = scored.ppgen("history", "show", "1", "--history", "h.db")
    assert "warning: score.toml: the rules of scoring have changed since this game was saved: it said Ann 10, Bo 3" in (
        shown.stderr)
    assert [each["total"] for each in json.loads(
        scored.ppgen("history", "show", "1", "--history", "h.db", "--format", "json").stdout)["players"]] == [10, 3]


def test_the_filled_in_sheet_is_read_back_with_a_wrong_total_named(scored):
    done = scored.ppgen("score", "g.toml", "--sheet", "sheet.pdf", "-q")
    assert (done.exit_code, done.stderr) == (0, "")
    assert scored.ppgen("score", "sheet.pdf", "--format", "json").stdout == scored.ppgen(
        "score", "g.toml", "--format", "json").stdout
    scored.change("score.toml", "each = 3", "each = 4")
    wrong = scored.ppgen("score", "sheet.pdf")
    assert "sheet.pdf p1.coins_points: says “12”, but the counts make 16" in wrong.stderr


def test_twelve_players_take_two_sheets(scored):
    (scored.folder / "score.toml").write_text('players = "2-12"\n[coins]\neach = 2\n')
    manifest = json.loads(scored.ppgen("build", "--only", "score-sheet", "--json", "-q").stdout)
    assert [file["pages"] for file in manifest[0]["files"]] == [2]
    (scored.folder / "g.toml").write_text("".join(f'[[players]]\nname = "P{n}"\ncoins = {n}\n' for n in range(12)))
    assert scored.ppgen("score", "g.toml", "--sheet", "sheet.pdf", "-q").exit_code == 0
    read = json.loads(scored.ppgen("score", "sheet.pdf", "--format", "json").stdout)["players"]
    assert [each["total"] for each in read] == [2 * n for n in range(12)]


def test_new_writes_a_first_file_from_the_columns_of_points(desk):
    (desk.folder / "tools.csv").write_text("Name,Victory Points,Text\nAnvil,3,Hit\nBow,2,Shoot\n", encoding="utf-8")
    assert desk.ppgen("new", "tools", "--from", "tools.csv", "-q").exit_code == 0
    assert not (desk.folder / "tools" / "score.toml").exists()
    assert desk.ppgen("new", "more", "--from", "tools.csv", "--score", "-q").exit_code == 0
    text = (desk.folder / "more" / "score.toml").read_text(encoding="utf-8")
    assert '[victory]\nlabel = "Victory Points"\n' in text
    assert "Victory Points,," in desk.ppgen("score", "--data", "more", "--template", "csv", "--players", "A,B").stdout
