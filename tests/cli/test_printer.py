"""``ppgen printer``: a calibration reading becomes a profile, and ``build --printer`` prints by it."""

from __future__ import annotations

import json

import pikepdf
import pytest
from hypothesis import given, strategies as st

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


@given(across=st.integers(9500, 10500), down=st.integers(9500, 10500))
def test_the_scale_undoes_what_the_printer_does(across, down):
    scale = Printer(rulers=Point(across / 100, down / 100)).scale
    assert scale.x * across / 100 == pytest.approx(100, abs=0.01)
    assert scale.y * down / 100 == pytest.approx(100, abs=0.01)
