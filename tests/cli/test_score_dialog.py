"""The score sheet on a terminal: the whole command in a pseudo-terminal."""

from __future__ import annotations

import json
import os
import sys
import time
from pathlib import Path

import pytest

from ppgen.assets import shipped_root
from ppgen.cli.score_dialog import _Dialog
from ppgen.cli.score_options import Scorer
from ppgen.games.card_game.deck_loading import load_deck
from ppgen.lines import display_width, wrap
from ppgen.play.interview import Interview, move_cursor, set_cell, type_key
from ppgen.play.sheet_plan import SheetCell

ROOT = Path(__file__).resolve().parents[2]
DECK, _ = load_deck(shipped_root() / "data" / "card_game")


class Terminal:
    """A terminal with ``ppgen score`` in it."""

    def __init__(self, home: Path, *words: str, columns: int = 80) -> None:
        pexpect, pyte = pytest.importorskip("pexpect"), pytest.importorskip("pyte")
        self._timeout, self._eof = pexpect.TIMEOUT, pexpect.EOF
        env = {**os.environ, "PYTHONPATH": str(ROOT), "XDG_STATE_HOME": str(home / "state"), "LC_ALL": "de_DE.UTF-8",
               "XDG_DATA_HOME": str(home / "data"), "TERM": "xterm-256color", "PYTHONIOENCODING": "utf-8"}
        self.child = pexpect.spawn(sys.executable, ["-m", "ppgen", *words], env=env, cwd=str(home),
                                   dimensions=(24, columns), encoding="utf-8")
        self.screen = pyte.Screen(columns, 24)
        self._stream = pyte.Stream(self.screen)
        self.output = ""

    @property
    def text(self) -> str:
        return "\n".join(line.rstrip() for line in self.screen.display)

    def shows(self, text: str, seconds: float = 60) -> Terminal:
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
                self._take(self.child.read_nonblocking(65536, 60))
        except self._eof:
            self.child.close()
        return self.child.exitstatus

    def _take(self, text: str) -> None:
        self.output += text
        self._stream.feed(text)


@pytest.mark.slow
@pytest.mark.skipif(sys.platform == "win32", reason="has no pseudo-terminals of this kind")
def test_a_whole_game_on_a_terminal(tmp_path):
    terminal = Terminal(tmp_path, "score")
    terminal.shows("Namen der Spieler")
    terminal.type("Anna\rBo\rCy\r\r").shows("Anna: Karten von Frankreich (8 gibt es)")
    terminal.type("5\r2\r4\r").shows("Frankreich: zusammen 9 Karten, es gibt nur 8: Anna 5, Bo 4")
    terminal.type("\x04").shows("Bitte erst berichtigen:")
    terminal.shows("Bo: Karten von Frankreich")
    terminal.type("2").shows("│   2→5")
    terminal.type("\x03").shows("Gespeichert.")
    assert terminal.ends() == 1
    assert (tmp_path / "state" / "ppgen" / "score-draft-card-game.json").is_file()

    terminal = Terminal(tmp_path, "score")
    terminal.shows("(Anna, Bo und Cy). Weitermachen? [J/n]")
    terminal.type("j\r").shows("│   5→8   2→2│   2→5")
    terminal.type("\x04").shows("Es fehlen noch: Frankreich 7 von 8")
    terminal.type("\x04").shows("Dieses Spiel in der Spielesammlung speichern? [J/n]")
    terminal.shows("Anna gewinnt mit 10 Punkten.")
    terminal.type("ja\r")
    assert terminal.ends() == 0 and "Gespeichert als Spiel 1" in terminal.output
    assert not (tmp_path / "state" / "ppgen" / "score-draft-card-game.json").exists()

    terminal = Terminal(tmp_path, "history", "edit", "1")
    terminal.shows("Namen der Spieler")
    terminal.type("\x1b[B\x1b[B7").shows("│   7→7")
    terminal.type("\x04\x04")
    assert terminal.ends() == 0
    terminal = Terminal(tmp_path, "history", "list")
    assert terminal.ends() == 0 and "Anna 17, Bo 5, Cy 0" in terminal.output


@pytest.mark.slow
@pytest.mark.skipif(sys.platform == "win32", reason="has no pseudo-terminals of this kind")
def test_a_whole_board_game_on_a_terminal(tmp_path):
    """Seventy keys; the country that is asked for is drawn on ?, and letters go on while it is."""
    terminal = Terminal(tmp_path, "score", "--game", "board-game")
    terminal.shows("Namen der Spieler")
    terminal.type("Anna\nBo\rCy\r\r").shows("Anna: Punkte auf der Wertungsleiste nach der Zwischenwertung")
    terminal.type("23\r25\r19\r").shows("FR1: Wessen Kloster? (. keines) A=Anna B=Bo C=Cy")
    terminal.type("?").shows("FR6=·")
    terminal.type("abc").shows("FR3=C").type("?").shows("FR1 FR2 FR3")
    terminal.type("ABBBABBC\r").shows("EN1: Wessen Kloster?")  # eight letters, and those of the councillors
    terminal.type("AABC.AB\rBACBCA\rCAABAABAAC\rCC.BCBCB\rABC.A\rBBBC.BC\rABCC.BC\rCBB.CBB")
    terminal.shows("Strg-D").type("\x04").shows("Bo gewinnt mit 102 Punkten.")
    terminal.type("n\r")
    assert terminal.ends() == 0


@pytest.fixture
def dialog() -> _Dialog:
    """The dialog of three players without its terminal, at the cards of France."""
    scoring = Scorer.at(None, "en", "card-game").scoring()
    names = {f"p{seat}.name": name for seat, name in enumerate(("Ann", "Bo", "Cy"), 1)}
    cells = {SheetCell.parse(key): name for key, name in names.items()}
    return _Dialog(scoring, set_cell(Interview(plan=scoring.plan, cells=cells), SheetCell(1, "france", "cards")))


def fill(dialog: _Dialog, *counts: str) -> None:
    """Type counts, with Enter after each."""
    for count in counts:
        dialog.change(type_key(dialog.sheet, count))
        assert not dialog.confirm_cell()


def test_a_refused_count_keeps_the_cursor_and_says_why(dialog):
    fill(dialog, "9")
    assert dialog.sheet.cursor.field == "p1.france.cards"
    assert dialog.messages == ["Please correct this first:", "Ann, France: 9 country cards (only 8 exist)"]
    fill(dialog, "5")  # replaces it
    assert (dialog.sheet.cursor.field, dialog.sheet.text(SheetCell(1, "france", "cards"))) == ("p1.france.symbols", "5")


def test_a_count_that_is_one_too_many_with_the_others_may_be_left_to_correct_another(dialog):
    fill(dialog, "5", "2", "4")
    assert dialog.sheet.cursor.field == "p2.france.cards" and "only 8 exist: Ann 5, Bo 4" in dialog.messages[1]
    dialog.change(move_cursor(dialog.sheet, -2))
    fill(dialog, "4")
    assert dialog.messages == []


def test_a_digit_that_can_only_be_itself_goes_on(dialog):
    dialog.type("5")
    assert dialog.sheet.cursor.field == "p1.france.symbols"
    assert not dialog.enter()  # typed out of habit
    assert dialog.sheet.cursor.field == "p1.france.symbols"
    dialog.type("0")
    assert dialog.sheet.cursor.field == "p2.france.cards"
    dialog.type("+2")  # goes on with the sum
    assert (dialog.sheet.cursor.field, dialog.sheet.text(SheetCell(1, "france", "symbols"))) == (
        "p1.france.symbols", "0+2")
    dialog.enter()
    dialog.type("4")
    assert dialog.sheet.cursor.field == "p2.france.cards" and "only 8 exist: Ann 5, Bo 4" in dialog.messages[1]
    dialog.type("3")  # replaces it
    dialog.erase()
    assert (dialog.sheet.cursor.field, dialog.sheet.text(SheetCell(2, "france", "cards"))) == ("p2.france.cards", "")


def test_a_digit_that_another_may_follow_waits(dialog):
    ships = SheetCell(1, "ships")
    for country in DECK.countries:
        dialog.change(type_key(set_cell(dialog.sheet, SheetCell(1, country.id, "cards")), str(country.number)))
    dialog.change(set_cell(dialog.sheet, ships))
    dialog.type("1")
    assert dialog.sheet.cursor == ships
    dialog.type("2")
    assert (dialog.sheet.cursor, dialog.sheet.text(ships)) == (SheetCell(2, "ships"), "12")


@pytest.mark.slow
@pytest.mark.skipif(sys.platform == "win32", reason="has no pseudo-terminals of this kind")
@pytest.mark.parametrize("game", ["card-game", "board-game"])
def test_a_narrow_terminal_shows_the_row_that_is_asked_for(tmp_path, game):
    terminal = Terminal(tmp_path, "score", "--game", game, columns=40)
    terminal.type("Anna\rBo\rCy\r\r")
    if game == "card-game":
        terminal.shows("Anna: Karten von Frankreich (8 gibt es)\n\nAnna│").type("52").shows("Summe: Anna 10")
        terminal.type("4").shows("zusammen 9 Karten")
    else:
        terminal.shows("Anna: Punkte auf der").type("23\r25\r19\r").shows(" FR1 ·\n FR2 ·").type("ab")
        terminal.shows(" FR1 A Anna\n FR2 B Bo\n FR3 ·")
    terminal.shows("  später")
    terminal.type("\x03").shows("Gespeichert.")


@pytest.mark.slow
@pytest.mark.skipif(sys.platform == "win32", reason="has no pseudo-terminals of this kind")
def test_nothing_is_settled_unasked(tmp_path):
    """All cards are counted, ships, carriages and tablets are not: that is said, and Ctrl-D asks once."""
    terminal = Terminal(tmp_path, "score", "--explain")
    terminal.shows("Namen der Spieler")
    terminal.type("Anna\rBo\rCy\r\r" + "".join(f"{country.number}\r\r\r\r" for country in DECK.countries))
    terminal.shows("Anna: Schiffe").shows("Alle Karten gezählt. Es fehlen noch: Schiffe, Kutschen, Tafeln −2.")
    terminal.type("\x04").shows("Noch einmal Strg-D")
    terminal.type("5\r\r\r" + "\r" * 3 + "3\r").shows("es gibt nur 2: Anna 3")
    terminal.type("\r\r").shows("Bitte erst berichtigen:").shows("Anna: Gesetzestafeln")  # stays there
    terminal.type("1").shows("Alle Karten gezählt. Es fehlen noch: Tafeln −2.")
    terminal.type("\r\r").shows("Alles gezählt. Enter oder Strg-D rechnet ab.")
    terminal.type("\r").shows("Anna gewinnt mit 59 Punkten.")
    terminal.shows("Dieses Spiel in der Spielesammlung speichern? [J/n]").type("\x03").shows("Abgebrochen.")
    assert terminal.ends() == 1 and "Aborted" not in terminal.output
    last = [line for line in terminal.output.replace("\r", "").splitlines() if line.strip()][-3:]
    assert "Anna gewinnt mit 59 Punkten." in last[0]  # below all explanations


@pytest.mark.parametrize("text, lines", [
    ("so viele hat Ben; Clara auf Platz 3", ["so viele hat Ben;", "  Clara auf Platz 3"]),
    ("2位はAnna（3枚） → Benの枚数と同じ", ["2位はAnna（3枚） →", "  Benの枚数と同じ"]),
    ("カードの総数と同じだ。残り", ["カードの総数と同じ", "  だ。残り"]),
    ("x" * 30, ["x" * 20, "  " + "x" * 10])])
def test_lines_break_between_words(text, lines):
    assert list(wrap(text, 20)) == lines
    assert max(map(display_width, wrap(text, 20))) <= 20


@pytest.mark.skipif(sys.platform == "win32", reason="has no pseudo-terminals of this kind")
def test_prompts_stay_off_stdout(tmp_path):
    """With stdout in a file, the sheet is asked for all the same, and the file has the result alone."""
    import pexpect

    command = f"{sys.executable} -m ppgen score --json --partial > result.json"
    env = {**os.environ, "PYTHONPATH": str(ROOT), "XDG_STATE_HOME": str(tmp_path), "LC_ALL": "en_GB.UTF-8",
           "TERM": "xterm"}
    child = pexpect.spawn("/bin/sh", ["-c", command], env=env, cwd=str(tmp_path), dimensions=(24, 80), encoding="utf-8")
    child.expect("Names of the players", timeout=60)
    child.send("A\rB\rC\r\r3\r\x04")
    child.expect(pexpect.EOF, timeout=60)
    result = json.loads((tmp_path / "result.json").read_text(encoding="utf-8"))
    assert [player["total"] for player in result["players"]] == [8, 0, 0]
