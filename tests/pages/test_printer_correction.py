"""A printer corrected in the browser: the page's script makes the sheets of ``ppgen build --printer``."""

from __future__ import annotations

import base64
import io
import json
import subprocess
import zipfile
from collections.abc import Mapping
from math import hypot
from pathlib import Path, PurePosixPath
from typing import Any

import pikepdf
import pytest
from click.testing import CliRunner

from ppgen.cli.program import main
from ppgen.engine.geometry import LineSegment, Point
from ppgen.printing.calibration import DRIFT_DEGREES_PER_MM, Printer, duplex_drift, read_number
from ppgen.shipped import shipped_root
from tests.node import find_node, tool
from tests.pages.conftest import served
from tests.pdf_reading import MM, read_page

pytestmark = pytest.mark.slow

SCRIPT = shipped_root() / "templates" / "site" / "printer.js"
READINGS = {"across": 99.6, "down": 100.3, "a-x": 0.8, "a-y": -0.4, "b-x": 0.5, "b-y": 0.2}
EXACT = {"across": 100.0, "down": 100.0, "a-x": 0.0, "a-y": 0.0, "b-x": 0.0, "b-y": 0.0}
NUMBERS = ["99,5", " 0.5 mm", "−1", "–.25", "１００", "1e3", "", "-", "1 2", "abc", "12345", "+.5", "5.", "1,2,3"]
TOLERANCE_MM = 0.02


def run(folder: Path, *words: str) -> None:
    done = CliRunner(env={"XDG_CONFIG_HOME": str(folder / "config")}).invoke(main, words, catch_exceptions=False)
    assert done.exit_code == 0, done.output


@pytest.fixture(scope="module")
def built(site_deck: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The sets of the site as built for a printer."""
    folder = tmp_path_factory.mktemp("printer")
    scales = (f"--{each}={READINGS[f'{each}-x']},{READINGS[f'{each}-y']}" for each in "ab")
    run(folder, "printer", "save", "den", *scales, f"--rulers={READINGS['across']},{READINGS['down']}", "-q")
    for backs in ("duplex", "fold", "none"):
        run(folder, "build", "--data", str(site_deck), "-o", str(folder), "--paper", "a4", "--backs", backs,
            "--printer", "den")
    return folder / "en"


def correct(site: Path, folder: Path, readings: Mapping[str, float]) -> dict[str, Any]:
    """Correct the files of the site into a folder; what the script says about it."""
    home = site / "files" / "en"
    (plans,) = home.glob("*-pages.json")
    files = {path.name: [str(path), str(folder / path.name)] for path in home.glob("*.pdf")}
    return find_node(Path(__file__).parent).run("printer.mjs", str(SCRIPT), given={
        "plans": json.loads(plans.read_text("utf-8")), "readings": readings, "numbers": NUMBERS,
        "slope": DRIFT_DEGREES_PER_MM, "files": files})


def test_corrected_sheets_are_those_of_a_build_for_the_printer(site: Path, built: Path, tmp_path: Path) -> None:
    """How parts may lie on paper else: tests/laws/test_printed_laws.py."""
    untouched = set(correct(site, tmp_path, READINGS)["untouched"])
    corrected = sorted(tmp_path.iterdir())
    wanted_files = {path.name.replace("-den", ""): path for path in built.glob("*-den*.pdf")}
    assert wanted_files and set(wanted_files) == {path.name for path in corrected}
    assert {path.name for path in corrected}.isdisjoint(untouched)
    for path in corrected:
        subprocess.run([tool("qpdf"), "--check", path], check=True, capture_output=True)
        with pikepdf.open(path) as ours, pikepdf.open(wanted_files[path.name]) as theirs:
            for number, (page, other) in enumerate(zip(ours.pages, theirs.pages, strict=True), 1):
                where = f"{path.name} {number}"
                drawn, wanted = read_page(page), read_page(other)
                assert [face.name for face in drawn.faces] == [face.name for face in wanted.faces], where
                for face, wanted_face in zip(drawn.faces, wanted.faces, strict=True):
                    assert max(hypot(one.x - two.x, one.y - two.y) for one, two in zip(
                        face.corners, wanted_face.corners, strict=True)) < TOLERANCE_MM, where
                for lines, others in ((drawn.strokes, wanted.strokes), (wanted.strokes, drawn.strokes)):
                    # A tick may be longer or shorter, or left out for lack of room; none stands beside its cut.
                    assert all(any(apart(line.line, each.line) < TOLERANCE_MM for each in others)
                               for line in lines), where
                for box in ("/TrimBox", "/BleedBox", "/MediaBox"):
                    for edge, wanted_edge in zip(page.obj[box], other.obj[box], strict=True):
                        assert float(edge) == pytest.approx(float(wanted_edge), abs=TOLERANCE_MM / MM), (where, box)


def test_the_page_refuses_bad_numbers_and_saves_corrected_files(site: Path, chromium: str, tmp_path: Path) -> None:
    (cards,) = (site / "files" / "en").glob("cards-*-duplex.pdf")
    correct(site, tmp_path, READINGS)
    wanted = (tmp_path / cards.name).read_bytes()
    typed = {key: str(number).replace("-", "−").replace(".", ",") for key, number in READINGS.items()}
    with served(site) as address:
        found = find_node(Path(__file__).parent).run(
            "printer_page.mjs", chromium, f"{address}/en/index.html", cards.name,
            given={"bad": {"across": "90", "down": "wide", "a-x": "7", "a-y": ""},
                   "askew": {**typed, "a-y": "5", "b-y": "-5"}, "readings": typed})
    assert (found["violations"], found["wide"]) == ([], [])
    assert found["bad"]["focus"] == "across" and not found["bad"]["status"]
    assert all(found["bad"]["wrong"][key] for key in READINGS)
    assert found["askew"]["status"].startswith(found["kept"]["status"]) and "askew" in found["askew"]["status"]
    assert found["kept"]["status"] not in ("", found["askew"]["status"]) and not any(found["kept"]["wrong"].values())
    assert found["visit"]["status"] not in ("", found["kept"]["status"])
    assert found["before"]["plain"] and found["after"]["plain"]
    for saved in (found["file"], found["unstored"]):
        assert (saved["name"], base64.b64decode(saved["content"])) == (f"{cards.stem}-corrected.pdf", wanted)
    with zipfile.ZipFile(io.BytesIO(base64.b64decode(found["zip"]["content"]))) as archive:
        packed = {PurePosixPath(name).name: archive.read(name) for name in archive.namelist()}
    assert found["zip"]["name"].endswith("-corrected.zip") and packed[f"{cards.stem}-corrected.pdf"] == wanted
    (guide,) = (site / "files" / "en").glob("guide-a4-duplex.pdf")
    assert packed[guide.name] == guide.read_bytes()


def test_exact_readings_leave_each_file_as_it_is(site: Path, tmp_path: Path) -> None:
    assert set(correct(site, tmp_path, EXACT)["untouched"]) == {
        path.name for path in (site / "files" / "en").glob("*.pdf")}


def test_the_page_reads_numbers_and_computes_as_the_command_does(site: Path, tmp_path: Path) -> None:
    made = correct(site, tmp_path, READINGS)
    assert made["numbers"] == [try_number(text) for text in NUMBERS]
    offset, turn = duplex_drift(Point(READINGS["a-x"], READINGS["a-y"]), Point(READINGS["b-x"], READINGS["b-y"]),
                                DRIFT_DEGREES_PER_MM)
    scale = Printer(rulers=Point(READINGS["across"], READINGS["down"])).scale
    assert made["correction"] == {"x": offset.x, "y": offset.y, "turn": turn, "scale": [scale.x, scale.y]}


def try_number(text: str) -> float | None:
    try:
        return read_number(text)
    except ValueError:
        return None


def apart(ours: LineSegment, theirs: LineSegment) -> float:
    """The distance of our line's ends from the straight line through theirs."""
    start, end = theirs.start, theirs.end
    right, down = end.x - start.x, end.y - start.y
    length = hypot(right, down)
    return max(abs(right * (at.y - start.y) - down * (at.x - start.x)) / length
               for at in (ours.start, ours.end)) if length else 0
