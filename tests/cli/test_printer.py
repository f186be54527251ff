"""``ppgen printer``: a calibration reading becomes a profile, and ``build --printer`` prints by it."""

from __future__ import annotations

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


@given(across=st.integers(9500, 10500), down=st.integers(9500, 10500))
def test_the_scale_undoes_what_the_printer_does(across, down):
    scale = Printer(rulers=Point(across / 100, down / 100)).scale
    assert scale.x * across / 100 == pytest.approx(100, abs=0.01)
    assert scale.y * down / 100 == pytest.approx(100, abs=0.01)
