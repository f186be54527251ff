"""The questions of ``ppgen score``: quick ones with answers from a pipe, a few in a pseudo-terminal."""

from __future__ import annotations

import json
import os
import re
import sys
import time
from pathlib import Path

import pytest
from click.testing import CliRunner

from ppgen.cli.program import main

ROOT = Path(__file__).resolve().parents[2]
COUNTRIES = (8, 7, 6, 7, 7, 6, 6, 5, 4)
"""Number of the cards of each country, in the order of the sheet."""


@pytest.fixture
def asked(desk, monkeypatch):
    """Answer questions on an English terminal; a run without further answers is interrupted."""
    monkeypatch.setattr("ppgen.cli.score.can_ask", lambda: True)
    for name, value in (("LANG", "en_GB.UTF-8"), ("COLUMNS", "200"), ("XDG_STATE_HOME", str(desk.folder / "state")),
                        ("XDG_DATA_HOME", str(desk.folder / "share"))):
        monkeypatch.setenv(name, value)
    return lambda *answers, words=("score",): CliRunner().invoke(
        main, list(words), input="".join(f"{answer}\n" for answer in answers))


def lines(done) -> list[str]:
    return [line for line in done.output.splitlines() if line]


NAMES = ("Ann", "Bo", "Cy", "")


def test_a_refused_entry_is_reported_and_asked_again(asked):
    assert lines(asked(*NAMES, "9", "5", "x", "2", "4"))[6:13] == [
        "Ann: cards of France (8 exist): 9", "Ann, France: 9 country cards (only 8 exist)",
        "Ann: cards of France (8 exist): 5", "Ann: the most symbols of one kind of France: x",
        "Ann, France, Symbols: “x” is not a number (write a whole number from 0 on, or a sum like 3+2)",
        "Ann: the most symbols of one kind of France: 2", "Bo: cards of France (8 exist): 4"]


def test_a_name_is_refused_at_each_seat_that_has_it_already(asked):
    done = lines(asked("Ann", "Ann", "Bo", "Ann", "Bo", "Cy", "Cy", "Bo", "Ann"))
    assert [line[7:] for line in done if re.match(r"Player \d: .", line)] == [
        "1: Ann", "2: Ann", "2: Bo", "3: Ann", "3: Bo", "3: Cy", "4: Cy", "4: Bo", "4: Ann"]
    assert [line[1:].partition("”")[0] for line in done if "is the name of 2" in line] == [
        "Ann", "Ann", "Bo", "Cy", "Bo", "Ann"]


def test_a_sum_over_all_players_is_refused_at_the_last_of_them(asked):
    assert "France: 9 cards in all, only 8 exist: Ann 5, Bo 4 (count again)\nBo: cards" in asked(
        *NAMES, "5", "2", "4").output


def test_a_player_without_cards_is_not_asked_for_symbols_and_a_gap_is_reported(asked):
    answers = *NAMES, "3+2", "1", "", "2", "1"
    assert lines(asked(*answers))[-5:-1] == [
        "Cy: cards of France (8 exist): 2", "Cy: the most symbols of one kind of France: 1",
        "Still missing: France 7 of 8.", "Ann: cards of Saxony (7 exist): "]
    assert "Still missing" not in asked(*answers, words=("score", "--partial")).output


def test_the_way_back_offers_the_answers_and_keeps_them_with_enter(asked):
    """A count that no longer suits a later one is accepted: the later one is asked for again."""
    assert lines(asked(*NAMES, "5", "4", "<", "＜", "1", "", "1", "<", "<", "", "."))[8:] == [
        "Bo: cards of France (8 exist): <", "Ann: the most symbols of one kind of France [4]: ＜",
        "Ann: cards of France (8 exist) [5]: 1", "Ann: the most symbols of one kind of France [4]: ",
        "Ann, France: 4 symbols of one kind on 1 country card (at most 2)",
        "Ann: the most symbols of one kind of France [4]: 1",
        "Bo: cards of France (8 exist): <", "Ann: the most symbols of one kind of France [1]: <",
        "Ann: cards of France (8 exist) [1]: ", "Ann: the most symbols of one kind of France [1]: .",
        "Bo: cards of France (8 exist): ", "Saved. ppgen score continues from here."]


@pytest.mark.slow
def test_an_interrupted_sheet_is_continued_or_dropped(asked):
    assert asked(*NAMES, "5").exit_code == 1
    assert "(Ann, Bo and Cy). Continue with it?" in (done := asked("y", "2")).output
    assert lines(done)[2] == "Ann: the most symbols of one kind of France: 2"
    assert "Player 1: " in asked("n").output
    assert "unfinished" not in asked().output


@pytest.mark.slow
def test_a_whole_card_game_is_scored_saved_and_changed(asked, desk):
    counts = [count for number in COUNTRIES for count in (number, "", "", "")]
    done = asked(*NAMES, *counts, "5", "", "", "3", "", "", "1", "2", "1", "", "n")
    assert done.exit_code == 0, done.output
    assert "Ann wins with" in done.output and "Save this game in the history? [Y/n]: n" in done.output
    assert not list((desk.folder / "state").rglob("*.json"))
    assert "Saved as game 1" in asked(*NAMES, *counts, *["0"] * 9, "").output
    edited = asked(*[""] * 4, "7", *[""] * 99, words=("history", "edit", "1"))
    assert edited.exit_code == 0 and "Ann: cards of France (8 exist) [8]: 7" in edited.output
    tallies = json.loads(desk.ppgen("history", "show", "1", "--tallies").stdout)
    assert (tallies["players"][0]["cards"]["france"], tallies["players"][0]["cards"]["saxony"]) == (7, 7)


def test_a_deck_asks_what_its_score_toml_counts(asked, desk):
    (desk.folder / "deck.toml").write_text('title = "Coins"\n[cards]\nfront = "card.svg.j2"\n', encoding="utf-8")
    (desk.folder / "card.svg.j2").write_text('<rect width="9" height="9"/>', encoding="utf-8")
    (desk.folder / "score.toml").write_text(
        'players = "1-9"\nrounds = 2\n[bid]\npoints = "bid + 20"\n[debts]\n', encoding="utf-8")
    done = asked("Ann", "", "1+1", "−4", "", "3-5", "n")
    assert done.exit_code == 0, done.output
    assert [line for line in lines(done) if line.startswith("Ann: ")] == [
        "Ann: Bid 1: 1+1", "Ann: Debts 1: −4", "Ann: Bid 2: ", "Ann: Debts 2: 3-5"]
    assert "16 points" in done.output  # an empty bid is not one of 0


@pytest.mark.slow
@pytest.mark.skipif(sys.platform == "win32", reason="has no pseudo-terminals of this kind")
def test_a_terminal_is_asked_and_ctrl_c_keeps_the_answers(tmp_path):
    """With stdout in a file, the questions are asked all the same, and the file has the result alone."""
    pexpect = pytest.importorskip("pexpect")
    command = f"exec {sys.executable} -m ppgen score --json --partial > result.json"
    env = {**os.environ, "PYTHONPATH": str(ROOT), "XDG_STATE_HOME": str(tmp_path), "LC_ALL": "en_GB.UTF-8",
           "TERM": "xterm"}

    def spawn():
        return pexpect.spawn("/bin/sh", ["-c", command], env=env, cwd=str(tmp_path), timeout=60, encoding="utf-8")

    child = spawn()
    for name in NAMES:
        child.expect("Player . ?: ")
        child.sendline(name)
    child.expect("cards of France")
    child.sendline("3")
    child.expect("symbols of one kind[^:]*: ")
    status = Path(f"/proc/{child.pid}/stat")
    while status.exists() and " S " not in status.read_text():  # Python sees no signal just before it waits for a line
        time.sleep(0.01)
    child.sendintr()
    child.expect("Saved.")
    child.expect(pexpect.EOF)
    child = spawn()
    child.expect("Continue with it")
    child.sendline("y")
    child.expect("Ann: the most symbols of one kind of France")
    child.send("\n" * 99)
    child.expect(pexpect.EOF)
    result = json.loads((tmp_path / "result.json").read_text(encoding="utf-8"))
    assert [player["total"] for player in result["players"]] == [8, 0, 0]
