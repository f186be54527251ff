"""ppgen-windows.zip, used on Windows' own Python, under Wine; in a folder that has a blank and an umlaut, and can't be
written to. And the tests with the mark ``windows`` on what is in it."""

from __future__ import annotations

import http.client
import json
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from urllib.parse import urlsplit
from zipfile import ZipFile

import pytest
from PIL import Image

from ppgen import __version__
from tests.cli.test_hard_places import LIKE_OTHERS
from tests.conftest import ROOT, BuiltFolder, OnceForAll, run_ppgen
from tools.windows_bench import MISSING, TIMEOUT_S, WINE, make_bench, run_windows, surroundings, windows_word

pytestmark = [pytest.mark.slow, pytest.mark.skipif(sys.platform != "linux", reason="Wine is for Linux")]

FOLDER = "Meine Programme ä/ppgen"


@pytest.fixture(scope="session")
def bench(once_for_all: OnceForAll) -> Path:
    """The bench with the zip unpacked, made once for all workers."""
    if MISSING:
        pytest.skip(f"needs {MISSING}")

    def make(folder: Path) -> str:
        make_bench(folder)
        with ZipFile(folder / "ppgen-windows.zip") as archive:
            archive.extractall((folder / FOLDER).parent)
        (folder / FOLDER / "python/_wmi.pyd").unlink()  # asks for Windows' name, and ends Python: Wine lacks a function
        for path in (folder / FOLDER, *(folder / FOLDER).rglob("*")):
            path.chmod(path.stat().st_mode & ~0o222)
        return ""

    return once_for_all("windows-bench", make)[0]


def test_the_zip_holds_nothing_of_this_machine(bench: Path) -> None:
    with ZipFile(bench / "ppgen-windows.zip") as archive:
        assert {entry.date_time for entry in archive.infolist()} == {(1980, 1, 1, 0, 0, 0)}
    unpacked = [path for path in (bench / FOLDER).rglob("*") if path.is_file()]
    assert len(unpacked) > 1000 and not [path for path in unpacked if str(bench).encode() in path.read_bytes()]


def ppgen(bench: Path, *words: str, cwd: Path) -> str:
    return run_windows(bench, bench / FOLDER / "ppgen.exe", *words, before=LIKE_OTHERS, cwd=cwd)


def test_both_games_and_two_starters_are_the_same_bytes_as_on_linux(
        bench: Path, german_set: BuiltFolder, tmp_path: Path) -> None:
    assert ppgen(bench, "--version", cwd=tmp_path) == f"ppgen, version {__version__}\n"
    ours, theirs = tmp_path / "Linux", tmp_path / "Bär spiel"
    ours.mkdir()
    theirs.mkdir()
    for words in (("new", "tiles", "--starter", "tile-laying"), ("build", "--data", "tiles", "-o", "tiles/output"),
                  ("new", "words", "--starter", "word-game"), ("build", "--data", "words", "-o", "words/output"),
                  ("build", "--game", "board-game", "--lang", "en", "-o", "board")):
        ppgen(bench, *words, cwd=theirs)
        assert run_ppgen(*words, cwd=ours).returncode == 0
    ppgen(bench, "build", "--lang", "de", "-o", "output", cwd=theirs)
    (ours / "output").symlink_to(german_set.folder / "output")
    made, found = ({path.relative_to(folder).as_posix(): path.read_bytes() for top in folder.iterdir()
                    for path in top.rglob("*") if path.is_file()} for folder in (ours, theirs))
    assert made.keys() == found.keys() and len(made) > 40
    assert [name for name in made if made[name] != found[name]] == []


class Page:
    """A page that a program serves."""

    def __init__(self, program: subprocess.Popen[str]) -> None:
        assert program.stdout
        line = next((line for line in program.stdout if line.startswith("http")), "")
        self.address = urlsplit(line.strip())

    def ask(self, path: str, body: str | None = None) -> bytes:
        connection = http.client.HTTPConnection("127.0.0.1", self.address.port or 0, timeout=TIMEOUT_S)
        connection.request("POST" if body else "GET", path, body, {
            "Origin": f"http://127.0.0.1:{self.address.port}", "Sec-Fetch-Site": "same-origin",
            "Content-Type": "application/json", "X-Ppgen-Token": self.address.fragment} if body else {})
        answer = connection.getresponse()
        assert answer.status == 200, (path, answer.status, answer.read())
        return answer.read()

    def make_pdfs(self) -> None:
        start = time.monotonic()
        while not json.loads(self.ask("/api/look")).get("sections"):
            assert time.monotonic() < start + TIMEOUT_S
            time.sleep(1)
        assert b"<html" in self.ask("/")
        self.ask("/api/make", "{}")
        while (status := json.loads(self.ask("/api/job")))["state"] == "running":
            time.sleep(1)
        assert status["state"] == "done", status


@contextmanager
def serve(bench: Path, *command: str | Path, cwd: Path) -> Iterator[Page]:
    """Run a program that serves a page."""
    with subprocess.Popen([*LIKE_OTHERS, WINE, *command], cwd=cwd, env={**surroundings(bench), "CI": "1"},
                          stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True,
                          encoding="utf-8", errors="replace") as program:
        try:
            yield Page(program)
        finally:
            subprocess.run([Path(WINE).with_name("wineserver"), "-k"], env=surroundings(bench))


def test_pictures_dropped_on_the_program_are_a_deck_whose_page_makes_pdfs(bench: Path, tmp_path: Path) -> None:
    Image.new("RGB", (300, 400), "red").save(tmp_path / "ant.png")
    with serve(bench, bench / FOLDER / "Open ppgen.exe", windows_word(tmp_path), cwd=tmp_path) as page:
        page.make_pdfs()
    deck = next(bench.rglob("ppgen/*/deck.toml")).parent  # in Documents, or in the home without any
    assert [*(deck / "output").rglob("*.pdf")]


def test_tests_with_the_mark_pass(bench: Path) -> None:
    files = [path.relative_to(ROOT).as_posix() for path in sorted((ROOT / "tests").rglob("test_*.py"))
             if "pytest.mark.windows" in path.read_text("utf-8") and path != Path(__file__)]
    done = run_windows(bench, bench / "python/python.exe", "-m", "pytest", "-q", "-p", "no:cacheprovider", "-o",
                       "pythonpath=", "-m", "windows and not slow", *files, cwd=ROOT)
    assert "[100%]" in done
