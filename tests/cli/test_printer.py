"""``ppgen printer``: a calibration reading becomes a profile, and ``build --printer`` prints by it."""

from __future__ import annotations

import json

import pikepdf
import pytest
from hypothesis import given, strategies as st

from ppgen.cli.page_jobs import _describe_printer
from ppgen.engine.geometry import Point
from ppgen.printing.calibration import Printer

MM = 72 / 25.4


@pytest.fixture
def home(desk, monkeypatch):
    """A working folder and an empty config folder."""
    monkeypatch.setattr("ppgen.printing.calibration._config_folder", lambda: desk.folder / "config" / "ppgen")
    return desk


def manifest(desk, *words):
    done = desk.ppgen("build", "--lang", "de", "--only", "tablets", "--dry-run", "--json", *words)
    assert done.exit_code == 0, done.output
    return json.loads(done.stdout)[0]


def test_a_reading_becomes_offset_rotation_and_scale(home):
    done = home.ppgen("printer", "save", "home", "--a", "0.5,-1", "--b", "0.7,-0.6", "--rulers", "99.6,100.2")
    assert done.exit_code == 0, done.output
    found = json.loads(home.ppgen("printer", "list", "--json").stdout)["home"]
    assert found == {"back_offset_mm": {"x": 0.6, "y": -0.8}, "back_rotation": -0.2,
                     "rulers_mm": {"across": 99.6, "down": 100.2}, "scale": {"x": 1.004, "y": 0.998}}


def test_a_build_by_a_profile_is_the_one_with_its_values(home):
    home.ppgen("printer", "save", "home", "--back-offset", "0.5,-1", "--back-rotation", "0.2")
    by_profile = manifest(home, "--printer", "home")
    typed = manifest(home, "--back-offset", "0.5,-1", "--back-rotation", "0.2")
    assert by_profile["files"][0]["sides"] == typed["files"][0]["sides"]
    values = {"back_offset_mm": {"x": 0.5, "y": -1}, "back_rotation": 0.2}
    assert by_profile.items() >= {"printer": "home", **values}.items()
    assert typed.items() >= values.items()


WORDS = ["poker", "plain", "low-ink", "lines", "stack", "2up", "bleed1", "turn-1", "board-game", "sleeved", "pages",
         "discs", "63x88", "home-lines", "sleeved-home", "flip-short", "printer", "12-pieces"]
"""Names of profiles that other options put into the names of files."""


@pytest.mark.parametrize("name", WORDS)
def test_a_profile_is_not_saved_under_a_word_of_the_names_of_files(home, name):
    done = home.ppgen("printer", "save", name, "--back-offset", "0.5,-1")
    assert (done.exit_code, done.stderr) == (
        2, f"{name}: means something else in the names of files (choose another name, like home)\n")
    assert not (home.folder / "config").exists()


def test_what_is_typed_beside_a_profile_wins(home):
    home.ppgen("printer", "save", "home", "--back-offset", "0.5,-1", "--back-rotation", "0.2")
    typed = manifest(home, "--printer", "home", "--back-offset", "0,0")
    assert typed["files"][0]["path"].endswith("tablets-a4-duplex-home-offset0x0.pdf")


@pytest.mark.slow
def test_scaled_sheets_come_out_right_on_a_printer_that_shrinks(home):
    home.ppgen("printer", "save", "home", "--rulers", "99,99.5")
    folder = home.folder / "output" / "de"
    boxes, pages = [], []
    for words in ((), ("--printer", "home")):
        assert home.ppgen("build", "--lang", "de", "--only", "tablets", "--only", "calibration", *words).exit_code == 0
        pages.append((folder / "calibration-a4-duplex.pdf").read_bytes())
    for path in (folder / "tablets-a4-duplex.pdf", folder / "tablets-a4-duplex-home.pdf"):
        with pikepdf.open(path) as pdf:
            page = pdf.pages[0]
            assert [round(float(edge), 2) for edge in page.mediabox] == [0, 0, 595.28, 841.89]
            boxes.append([float(edge) for edge in page.trimbox])
    (left, bottom, right, top), scaled = boxes
    # What the printer makes of it, about the middle of the sheet, is what was meant.
    assert (scaled[2] - scaled[0]) * 0.99 == pytest.approx(right - left, abs=0.02 * MM)
    assert (scaled[3] - scaled[1]) * 0.995 == pytest.approx(top - bottom, abs=0.02 * MM)
    assert scaled[0] + scaled[2] == pytest.approx(left + right, abs=0.001)
    assert pages[0] == pages[1], "the page that measures the printer must not be scaled"


BUILD = "build", "--lang", "de", "--only", "tablets", "--dry-run"
SAVE = "printer", "save", "work"


@pytest.mark.parametrize(("words", "is_askew"), [
    ((*BUILD, "--back-rotation", "1.9"), False), ((*BUILD, "--back-rotation", "-2"), True),
    ((*SAVE, "--back-rotation", "1.9"), False), ((*SAVE, "--back-rotation", "-2"), True),
    ((*SAVE, "--a", "0,2", "--b", "0,1"), False), ((*SAVE, "--a", "0,5", "--b", "0,-5"), True)], ids=str)
def test_a_rotation_that_no_printer_has_is_asked_about(home, words, is_askew):
    done = home.ppgen(*words)
    assert (done.exit_code, "no printer is askew by" in done.stderr.lower()) == (0, is_askew)
    if words[:3] == SAVE:  # the page of ppgen open says the same
        assert bool(_describe_printer({"name": "work"})["doubt"]) == is_askew


def test_a_profile_can_be_forgotten(home):
    home.ppgen("printer", "save", "home", "--back-offset", "1,2")
    assert home.ppgen("printer", "remove", "home").exit_code == 0
    assert json.loads(home.ppgen("printer", "list", "--json").stdout) == {}


@pytest.mark.parametrize(("words", "code", "message"), [
    (("build", "--printer", "work"), 2,
     "--printer: 'work' is not a saved printer (known: home; see ppgen printer save)"),
    (("printer", "remove", "work"), 2, "work: 'work' is not a saved printer (known: home)"),
    (("printer", "save", "Work!"), 2, "'Work!' is not a name"),
    (("printer", "save", "work"), 2, "work: nothing to save"),
    (("printer", "save", "work", "--a", "1,1"), 2, "--b: is missing"),
    (("printer", "save", "work", "--a", "1,1", "--b", "1,1", "--back-offset", "1,1"), 2, "--a: means the same as"),
    (("printer", "save", "work", "--rulers", "97"), 2, "'97' is not two lengths (write it like 99.6,100)"),
    (("printer", "save", "work", "--rulers", "97,94"), 2, "is more than 5 mm off"),
    (("printer", "save", "work", "--back-offset", "30,0"), 2, "out of range"),
])
def test_nonsense_is_refused(home, words, code, message):
    home.ppgen("printer", "save", "home", "--back-offset", "1,2")
    done = home.ppgen(*words)
    assert (done.exit_code, message in done.stderr) == (code, True), done.stderr
    assert list(json.loads(home.ppgen("printer", "list", "--json").stdout)) == ["home"]


def test_a_spoilt_file_is_told_with_its_lines(home):
    home.ppgen("printer", "save", "home", "--back-offset", "1,2")
    file = home.folder / "config" / "ppgen" / "printers.toml"
    file.write_text('[home]\nback-offset = "far"\nback-rotation = 90\nrulers = "50,100"\npaper = "a4"\n')
    done = home.ppgen("build", "--printer", "home")
    assert done.exit_code == 1
    lines = [line.partition(" ")[0].rpartition("/")[2] for line in done.stderr.splitlines()]
    assert lines == ["printers.toml:2", "printers.toml:3", "printers.toml:4", "printers.toml:5"]


@pytest.fixture
def asked(home, monkeypatch):
    """Answer the questions of ``printer save``, on a German terminal."""
    from click.testing import CliRunner

    from ppgen.cli.program import main

    monkeypatch.setattr("ppgen.cli.printer.can_ask", lambda: True)
    monkeypatch.setenv("LANG", "de_DE.UTF-8")
    return lambda *answers, words=(): CliRunner().invoke(main, ["printer", "save", "home", *words],
                                                         input="".join(f"{answer}\n" for answer in answers))


def kept(home):
    return json.loads(home.ppgen("printer", "list", "--json").stdout)["home"]


@pytest.mark.parametrize("answers", [
    ("99.5", "100", "0.5", "1", "0.5", "1.4"), ("99,5", "100,0", "0,5", "1", "+0,5", "1,4"),
    ("99,5 mm", "", ".5", "1mm", "０．５", "1.40"),
])
def test_on_a_terminal_it_asks_for_one_number_after_the_other(home, asked, answers):
    done = asked(*answers)
    assert done.exit_code == 0, done.output
    assert "Versatz 0,5; 1,2 mm, Drehung −0,2°" in done.stdout
    assert kept(home) == {"back_offset_mm": {"x": 0.5, "y": 1.2}, "back_rotation": -0.2,
                          "rulers_mm": {"across": 99.5, "down": 100}, "scale": {"x": 1.005, "y": 1}}


def test_what_cannot_be_is_asked_again_and_a_way_leads_back(home, asked):
    done = asked("9,95", "abc", "99,5 100", "99", "101", "7", "1", "<", "2", "", "2", "<", "<", "3", "3", "")
    assert done.exit_code == 0, done.output
    assert "9,95 mm sind mehr als 5 mm neben 100".replace(" mm", "\u00a0mm") in done.stderr
    assert "„abc“ ist keine Zahl" in done.stderr
    assert "„99,5 100“ ist keine Zahl" in done.stderr
    assert "7\u00a0mm ist zu weit" in done.stderr
    found = kept(home)
    assert found["rulers_mm"] == {"across": 99, "down": 101}
    assert (found["back_offset_mm"], found["back_rotation"]) == ({"x": 2.5, "y": 1.5}, 1.5)


@given(across=st.integers(9500, 10500), down=st.integers(9500, 10500))
def test_the_scale_undoes_what_the_printer_does(across, down):
    scale = Printer(rulers=Point(across / 100, down / 100)).scale
    assert scale.x * across / 100 == pytest.approx(100, abs=0.01)
    assert scale.y * down / 100 == pytest.approx(100, abs=0.01)
