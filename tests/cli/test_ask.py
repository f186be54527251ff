"""The score sheet on a terminal: its keys, and the whole command in a pseudo-terminal."""

from __future__ import annotations

import json
import os
import sys
import time
from pathlib import Path

import pytest

from ppgen.assets import shipped
from ppgen.errors import InputError
from ppgen.games.card_game.deck.loading import load_deck
from ppgen.games.card_game.interview import state as interview
from ppgen.games.card_game.interview.state import Interview
from ppgen.games.card_game.interview.view import complaints, gaps, lines, missing, question, untouched
from ppgen.games.card_game.tallies.forms import read_form
from ppgen.games.card_game.tallies.names import Names
from ppgen.games.card_game.tallies.scored import score_raw
from ppgen.lines import display_width, wrapped
from ppgen.reading.texts import languages, load_texts

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
        sheet = enter(sheet, "1")
        went.append(sheet.at)
    assert went == [f"p{seat}.{country}.{column}" for country in ("france", "saxony") for seat in (1, 2, 3)
                    for column in ("cards", "symbols")][:9]


def test_who_has_no_card_of_a_country_is_not_asked_for_its_symbols(sheet):
    assert enter(sheet, "0").at == enter(sheet, "").at == "p2.france.cards"
    assert enter(sheet, "0", "3", "1", "").at == "p1.saxony.cards"
    there = interview.typed(interview.put(sheet, "p1.france.symbols"), "2")  # typed all the same: one comes back to it
    assert interview.moved(interview.put(there, "p1.france.cards"), 1).at == "p1.france.symbols"


def counted(sheet: Interview) -> Interview:
    """All cards are Anna's, none has a symbol."""
    for country in DECK.countries:
        sheet = enter(sheet, str(country.number), "", "", "")
    return sheet


def test_rows_that_nobody_was_asked_for_are_not_counted(sheet):
    assert untouched(sheet, DE).startswith("Frankreich, Sachsen, ")
    sheet = counted(sheet)
    assert (sheet.at, missing(sheet, DE), untouched(sheet, DE)) == ("p1.ships", "", "Schiffe, Kutschen, Tafeln −2")
    sheet = enter(sheet, "3", "", "")
    assert untouched(sheet, DE) == "Kutschen, Tafeln −2"
    skipped = interview.moved_row(sheet, 1)
    assert (skipped.at, untouched(skipped, DE)) == ("p1.minus_two", "Kutschen, Tafeln −2")
    sheet = enter(sheet, "", "", "", "", "")
    assert (sheet.at, interview.is_last(sheet), untouched(sheet, DE)) == ("p3.minus_two", True, "")
    assert untouched(interview.moved(sheet, -1), DE) == "Tafeln −2"


def test_what_is_still_to_be_counted_is_named_once(sheet):
    begun = enter(sheet, "5", "", "2", "", "1", "")
    named = gaps(begun, DE).split(", ")
    assert named == ["Sachsen 0 von 7", "Ungarn 0 von 6", "Kastilien 0 von 7", "Franken 0 von 7", "Bayern 0 von 6",
                     "Italien 0 von 6", "England 0 von 5", "Dänemark 0 von 4", "Schiffe", "Kutschen", "Tafeln −2"]
    assert gaps(enter(counted(sheet), "", "", ""), DE) == "Kutschen, Tafeln −2"


def test_what_was_passed_is_remembered(sheet):
    sheet = enter(counted(sheet), "", "", "")
    again = interview.from_draft(DECK, json.loads(json.dumps(interview.to_draft(sheet))))
    assert again == sheet and untouched(again, EN) == "Carriages, Tablets −2"


def test_the_pen_goes_to_what_is_wrong_and_the_next_digit_replaces_it(sheet):
    sheet = interview.typed(enter(sheet, "5", "2", "4"), "1")
    assert (sheet.at, sheet.text(sheet.at)) == ("p2.france.symbols", "1")
    sheet = interview.put(sheet, interview.cell_of(sheet, "p2.france.cards"))
    assert interview.typed(sheet, "3").text("p2.france.cards") == "3"
    assert interview.cell_of(enter(Interview(deck=DECK), "Anna", "Bo"), "") == "p3.name"


def test_the_pen_goes_back_the_same_way(sheet):
    sheet = enter(sheet, *["1"] * 8)
    for _ in range(8):
        sheet = interview.moved(sheet, -1)
    assert sheet.at == "p1.france.cards"
    assert interview.moved(sheet, -1).at == "p5.name"


def test_up_and_down_stay_in_the_column(sheet):
    sheet = enter(sheet, "1")
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
    for lang, said in (
            ("en", "France: 9 cards in all, only 8 exist: Anna 5, Bo 4 (count again)"),
            ("de", "Frankreich: zusammen 9 Karten, es gibt nur 8: Anna 5, Bo 4 (bitte nachzählen)"),
            ("ja", "フランス：合計9枚、全部で8枚しかありません：Anna 5、Bo 4（数え直してください）")):
        names = Names(DECK, DATA / "locales", lang)
        with pytest.raises(InputError) as error:
            score_raw(read_form(sheet.cells, "sheet"), DECK, names)
        assert list(complaints(error.value.problems, names.say)) == [said]
    assert missing(sheet, EN).startswith("Saxony 0 of 7, ")


@pytest.mark.parametrize("lang", languages(DATA / "locales"))
def test_the_screen_fits_80_by_24(lang):
    texts = load_texts(lang, [DATA / "locales"])
    names = ("Anna", "Bo", "枢機卿のプレイヤーです", "Dörte von Hohenstein", "E")
    sheet = enter(Interview(deck=DECK), *names, *["1+1"] * 20)
    shown = lines(sheet, texts, [texts("ask.missing", rows=missing(sheet, texts))] * 3)
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

    def shows(self, text: str, seconds: float = 20) -> Terminal:
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
        return self

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
    terminal.type("5\r2\r4\r").shows("Frankreich: zusammen 9 Karten, es gibt nur 8: Anna 5, Bo 4")
    terminal.type("\x04").shows("Bitte erst berichtigen:")
    terminal.shows("Bo: Karten von Frankreich")
    terminal.type("2").shows("│   2→5")
    terminal.type("\x03").shows("Aufgehoben.")
    assert terminal.ends() == 1
    assert (tmp_path / "state" / "ppgen" / "score-draft.json").is_file()

    terminal = Terminal(tmp_path, "score")
    terminal.shows("(Anna, Bo und Cy). Weitermachen? [J/n]")
    terminal.type("j\r").shows("│   5→8   2→2│   2→5")
    terminal.type("\x04").shows("Es fehlen noch: Frankreich 7 von 8")
    terminal.type("\x04").shows("In der Spielesammlung aufheben? [J/n]")
    terminal.shows("Anna gewinnt mit 10 Siegpunkten.")
    terminal.type("ja\r")
    assert terminal.ends() == 0 and "Aufgehoben als Spiel 1" in terminal.output
    assert not (tmp_path / "state" / "ppgen" / "score-draft.json").exists()

    terminal = Terminal(tmp_path, "history", "edit", "1")
    terminal.shows("Namen der Spieler")
    terminal.type("\x1b[B\x1b[B7").shows("│   7→7")
    terminal.type("\x04\x04")
    assert terminal.ends() == 0
    terminal = Terminal(tmp_path, "history", "list")
    assert terminal.ends() == 0 and "Anna 17, Bo 5, Cy 0" in terminal.output


@pytest.mark.skipif(sys.platform == "win32", reason="has no pseudo-terminals of this kind")
def test_nothing_is_settled_unasked(tmp_path):
    """All cards are counted, ships, carriages and tablets are not: that is said, and Ctrl-D asks once."""
    terminal = Terminal(tmp_path, "score", "--explain")
    terminal.shows("Namen der Spieler")
    terminal.type("Anna\rBo\rCy\r\r" + "".join(f"{country.number}\r\r\r\r" for country in DECK.countries))
    terminal.shows("Anna: Schiffe").shows("Alle Karten gezählt. Es fehlen noch: Schiffe, Kutschen, Tafeln −2.")
    terminal.type("\x04").shows("Noch einmal Strg-D")
    terminal.type("5\r\r\r" + "\r" * 3 + "3\r").shows("es gibt nur 2: Anna 3")
    terminal.type("\r\r").shows("Bitte erst berichtigen:").shows("Anna: Gesetzestafeln")
    terminal.type("1").shows("Alles gezählt. Strg-D rechnet ab.")
    terminal.type("\r\r").shows("Alles gezählt. Enter oder Strg-D rechnet ab.")
    terminal.type("\r").shows("Anna gewinnt mit 59 Siegpunkten.")
    terminal.shows("In der Spielesammlung aufheben? [J/n]").type("\x03").shows("Abgebrochen.")
    assert terminal.ends() == 1 and "Aborted" not in terminal.output
    last = [line for line in terminal.output.replace("\r", "").splitlines() if line.strip()][-3:]
    assert "Anna gewinnt mit 59 Siegpunkten." in last[0]  # below all explanations


@pytest.mark.parametrize("text, lines", [
    ("so viele hat Ben; Clara auf Platz 3", ["so viele hat Ben;", "  Clara auf Platz 3"]),
    ("2位はAnna（3枚） → Benの枚数と同じ", ["2位はAnna（3枚） →", "  Benの枚数と同じ"]),
    ("カードの総数と同じだ。残り", ["カードの総数と同じ", "  だ。残り"]),
    ("x" * 30, ["x" * 20, "  " + "x" * 10])])
def test_lines_break_between_words(text, lines):
    assert list(wrapped(text, 20)) == lines
    assert max(map(display_width, wrapped(text, 20))) <= 20


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
