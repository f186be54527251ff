"""The score sheet on a terminal: its keys, and the whole command in a pseudo-terminal."""

from __future__ import annotations

import json
import os
import sys
import time
from pathlib import Path

import pytest

from ppgen.assets import shipped
from ppgen.games.card_game.deck.loading import load_deck
from ppgen.games.card_game.interview import state as interview
from ppgen.games.card_game.interview.state import Interview
from ppgen.games.card_game.interview.view import complaints, lines, missing, question
from ppgen.games.card_game.scoring.table import display_width
from ppgen.texts import languages, load_texts

ROOT = Path(__file__).resolve().parents[2]
DATA = shipped() / "data" / "card_game"
DECK, _ = load_deck(DATA)
DE, EN = (load_texts(lang, [DATA / "locales"]) for lang in ("de", "en"))


def enter(sheet: Interview, *words: str) -> Interview:
    """Type each word and go on with Enter."""
    for word in words:
        sheet = interview.moved(interview.typed(sheet, word), 1)
    return sheet


@pytest.fixture
def sheet() -> Interview:
    """Three names are in, the pen is at the first box of France."""
    return enter(Interview(deck=DECK), "Anna", "Bo", "Cy", "")


def test_an_empty_name_ends_the_names(sheet):
    assert (sheet.at, sheet.seats) == ("p1.france.cards", (1, 2, 3))
    assert enter(Interview(deck=DECK), "Anna", "").at == "p3.name"


def test_the_pen_goes_country_by_country_and_back(sheet):
    went = [sheet.at]
    for _ in range(8):
        sheet = interview.moved(sheet, 1)
        went.append(sheet.at)
    assert went == [f"p{seat}.{country}.{column}" for country in ("france", "saxony") for seat in (1, 2, 3)
                    for column in ("cards", "symbols")][:9]
    for _ in range(8):
        sheet = interview.moved(sheet, -1)
    assert sheet.at == "p1.france.cards"
    assert interview.moved(sheet, -1).at == "p5.name"


def test_up_and_down_stay_in_the_column(sheet):
    sheet = interview.moved(sheet, 1)
    down = interview.moved_row(sheet, 1)
    assert (sheet.at, down.at) == ("p1.france.symbols", "p1.saxony.symbols")
    assert interview.moved_row(down, 9).at == "p1.carriages"
    assert interview.moved_row(down, 99).at == "p1.minus_two"
    assert interview.moved_row(down, -99).at == "p1.name"


def test_a_digit_replaces_and_a_plus_goes_on(sheet):
    sheet = interview.moved(enter(sheet, "3"), -1)
    assert interview.typed(sheet, "5").text(sheet.at) == "5"
    assert interview.typed(interview.typed(sheet, "+"), "2").text(sheet.at) == "3+2"
    assert interview.erased(sheet).text(sheet.at) == ""
    assert interview.typed(sheet, "x").text(sheet.at) == interview.typed(sheet, "\x1bOP").text(sheet.at) == "3"


def test_totals_run_along(sheet):
    sheet = enter(sheet, "3+2", "4", "2", "", "1")
    assert [player.total for player in interview.running(sheet).players] == [8 + 4, 5, 2]


def test_too_many_cards_are_flagged_at_once(sheet):
    sheet = enter(sheet, "5", "", "4")
    assert list(complaints(sheet, EN, ())) == ["9 of 8 France cards."]
    assert list(complaints(sheet, DE, ())) == ["9 von 8: Frankreich hat nur 8 Karten."]
    assert missing(sheet, EN).startswith("Saxony 0 of 7, ")


@pytest.mark.parametrize("lang", languages(DATA / "locales"))
def test_the_screen_fits_80_by_24(lang):
    texts = load_texts(lang, [DATA / "locales"])
    names = ("Anna", "Bo", "枢機卿のプレイヤーです", "Dörte von Hohenstein", "E")
    sheet = enter(Interview(deck=DECK), *names, *["1+1"] * 20)
    shown = lines(sheet, texts, ["x"] * 3)
    assert len(shown) <= 24
    assert max(sum(display_width(text) for _, text in line) for line in shown) <= 80
    assert question(sheet, texts) in shown[0][0][1]


def test_a_draft_is_gone_on_with(sheet):
    sheet = enter(sheet, "5", "4")
    draft = json.loads(json.dumps(interview.to_draft(sheet)))
    assert interview.from_draft(DECK, draft) == sheet
    assert interview.from_draft(DECK, {"cells": {"p1.atlantis.cards": "3", "p9.name": "x"}, "at": 3}) is None
    assert interview.from_draft(DECK, []) is None


class Terminal:
    """A terminal of 80 by 24 with ``ppgen score`` in it."""

    def __init__(self, home: Path, *words: str) -> None:
        pexpect, pyte = pytest.importorskip("pexpect"), pytest.importorskip("pyte")
        self._timeout, self._eof = pexpect.TIMEOUT, pexpect.EOF
        env = {**os.environ, "PYTHONPATH": str(ROOT), "XDG_STATE_HOME": str(home / "state"), "LC_ALL": "de_DE.UTF-8",
               "XDG_DATA_HOME": str(home / "data"), "TERM": "xterm-256color", "PYTHONIOENCODING": "utf-8"}
        self.child = pexpect.spawn(sys.executable, ["-m", "ppgen", *words], env=env, cwd=str(home), dimensions=(24, 80),
                                   encoding="utf-8")
        self.screen = pyte.Screen(80, 24)
        self._stream = pyte.Stream(self.screen)
        self.output = ""

    @property
    def text(self) -> str:
        return "\n".join(line.rstrip() for line in self.screen.display)

    def shows(self, text: str, seconds: float = 20) -> bool:
        """Wait until the text stands on the screen."""
        end = time.monotonic() + seconds
        while text not in self.text and time.monotonic() < end:
            try:
                self._take(self.child.read_nonblocking(65536, 0.05))
            except self._timeout:
                continue
            except self._eof:
                break
        assert text in self.text, self.text
        return True

    def type(self, keys: str) -> Terminal:
        self.child.send(keys)
        return self

    def ends(self) -> int:
        """Wait for the end of the command; its exit code."""
        try:
            while True:
                self._take(self.child.read_nonblocking(65536, 20))
        except self._eof:
            self.child.close()
        return self.child.exitstatus

    def _take(self, text: str) -> None:
        self.output += text
        self._stream.feed(text)


@pytest.mark.skipif(sys.platform == "win32", reason="has no pseudo-terminals of this kind")
def test_a_whole_game_on_a_terminal(tmp_path):
    terminal = Terminal(tmp_path, "score")
    terminal.shows("Namen der Spieler")
    terminal.type("Anna\rBo\rCy\r\r").shows("Anna: Karten von Frankreich (8 gibt es)")
    terminal.type("5\r2\r4\r").shows("9 von 8: Frankreich hat nur 8 Karten.")
    terminal.type("\x04").shows("Bitte erst berichtigen:")
    terminal.type("\x1b[D2").shows("Bo: Karten von Frankreich")
    terminal.type("\x03").shows("Aufgehoben.")
    assert terminal.ends() == 1
    assert (tmp_path / "state" / "ppgen" / "score-draft.json").is_file()

    terminal = Terminal(tmp_path, "score")
    terminal.shows("(Anna, Bo und Cy). Weitermachen?")
    terminal.type("\r").shows("│   5→8   2→2│   2→5")
    terminal.type("\x04").shows("Es fehlen noch: Frankreich 7 von 8")
    terminal.type("\x04").shows("In der Spielesammlung aufheben?")
    terminal.shows("Anna gewinnt mit 10 Siegpunkten.")
    terminal.type("\r")
    assert terminal.ends() == 0
    assert not (tmp_path / "state" / "ppgen" / "score-draft.json").exists()

    terminal = Terminal(tmp_path, "history", "edit", "1")
    terminal.shows("Namen der Spieler")
    terminal.type("\x1b[B\x1b[B7").shows("│   7→7")
    terminal.type("\x04\x04")
    assert terminal.ends() == 0
    terminal = Terminal(tmp_path, "history", "list")
    assert terminal.ends() == 0 and "Anna 17, Bo 5, Cy 0" in terminal.output


@pytest.mark.skipif(sys.platform == "win32", reason="has no pseudo-terminals of this kind")
def test_prompts_stay_off_stdout(tmp_path):
    """With stdout in a file, the sheet is asked for all the same, and the file has the result alone."""
    terminal = Terminal(tmp_path, "score", "--format", "json", "--partial")
    terminal.child.close(force=True)
    import pexpect

    command = f"{sys.executable} -m ppgen score --json --partial > result.json"
    env = {**os.environ, "PYTHONPATH": str(ROOT), "XDG_STATE_HOME": str(tmp_path), "LC_ALL": "en_GB.UTF-8",
           "TERM": "xterm"}
    child = pexpect.spawn("/bin/sh", ["-c", command], env=env, cwd=str(tmp_path), dimensions=(24, 80), encoding="utf-8")
    child.expect("Names of the players", timeout=20)
    child.send("A\rB\rC\r\r3\r\x04")
    child.expect(pexpect.EOF, timeout=20)
    result = json.loads((tmp_path / "result.json").read_text(encoding="utf-8"))
    assert [player["total"] for player in result["players"]] == [8, 0, 0]
