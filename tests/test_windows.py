"""ppgen on Windows' own Python, under Wine: the tests with the mark ``windows``, and the same bytes as on Linux."""

from __future__ import annotations

import http.client
import json
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from urllib.parse import urlsplit
from zipfile import ZipFile

import pytest
from PIL import Image

from ppgen import __version__
from tests.conftest import ROOT, OnceForAll, run_ppgen
from tools import windows_bench, windows_zip

pytestmark = [pytest.mark.slow, pytest.mark.skipif(sys.platform != "linux", reason="Wine is for Linux")]

PATIENCE = 1200
"""Seconds that anything may take on a busy machine."""
SETS = [("build", "--lang", "de", "-o", "card"), ("build", "--game", "board-game", "--lang", "en", "-o", "board"),
        ("build", "--data", "tiles", "-o", "tiles/output")]


@pytest.fixture(scope="session")
def bench(once_for_all: OnceForAll) -> Path:
    """The bench, made once for all workers."""
    if windows_bench.MISSING:
        pytest.skip(f"needs {windows_bench.MISSING}")
    folder, _ = once_for_all("windows-bench", lambda folder: str(windows_bench.make_bench(folder)))
    return folder


Run = Callable[..., subprocess.CompletedProcess[str]]


@pytest.fixture
def windows(bench: Path) -> Run:
    """Run Windows' Python in a folder."""
    def run(*words: str, cwd: Path, code: int = 0) -> subprocess.CompletedProcess[str]:
        done = subprocess.run([windows_bench.WINE, bench / "python/python.exe", *words], cwd=cwd, timeout=PATIENCE,
                              env=windows_bench.surroundings(bench), stdin=subprocess.DEVNULL, capture_output=True,
                              text=True, encoding="utf-8", errors="replace")
        assert done.returncode == code, done.stdout[-5000:] + done.stderr[-5000:]
        return done

    return run


def test_tests_with_the_mark_pass(windows: Run) -> None:
    files = [path.relative_to(ROOT).as_posix() for path in sorted((ROOT / "tests").rglob("test_*.py"))
             if "pytest.mark.windows" in path.read_text("utf-8") and path != Path(__file__)]
    done = windows("-m", "pytest", "-q", "-p", "no:cacheprovider", "-m", "windows and not slow", *files, cwd=ROOT)
    assert "[100%]" in done.stdout


def test_both_games_and_a_starter_are_the_same_bytes_as_on_linux(windows: Run, tmp_path: Path) -> None:
    ours, theirs = tmp_path / "Linux", tmp_path / "Bär spiel"
    for folder in (ours, theirs):
        folder.mkdir()
    run_ppgen("new", "tiles", "--starter", "tile-laying", cwd=ours)
    windows("-m", "ppgen", "new", "tiles", "--starter", "tile-laying", cwd=theirs)
    for words in SETS:
        windows("-m", "ppgen", *words, "-q", cwd=theirs)
        assert run_ppgen(*words, "-q", cwd=ours).returncode == 0
    made, found = ({path.relative_to(folder).as_posix(): path.read_bytes() for path in folder.rglob("*")
                    if path.is_file()} for folder in (ours, theirs))
    assert made.keys() == found.keys() and len(made) > 40
    assert [name for name in made if made[name] != found[name]] == []


class Page:
    """A page that a program serves."""

    def __init__(self, program: subprocess.Popen[str]) -> None:
        assert program.stdout
        line = next((line for line in program.stdout if line.startswith("http")), "")
        self.address = urlsplit(line.strip())

    def ask(self, path: str, body: str | None = None) -> bytes:
        connection = http.client.HTTPConnection("127.0.0.1", self.address.port or 0, timeout=PATIENCE)
        connection.request("POST" if body else "GET", path, body, {
            "Origin": f"http://127.0.0.1:{self.address.port}", "Sec-Fetch-Site": "same-origin",
            "Content-Type": "application/json", "X-Ppgen-Token": self.address.fragment} if body else {})
        answer = connection.getresponse()
        assert answer.status == 200, (path, answer.status, answer.read())
        return answer.read()

    def make_pdfs(self) -> None:
        start = time.monotonic()
        while not json.loads(self.ask("/api/look")).get("sections"):
            assert time.monotonic() < start + PATIENCE
            time.sleep(0.2)
        assert b"<html" in self.ask("/")
        self.ask("/api/make", "{}")
        while (status := json.loads(self.ask("/api/job")))["state"] == "running":
            time.sleep(0.2)
        assert status["state"] == "done", status


@contextmanager
def serve(bench: Path, *command: str | Path, cwd: Path) -> Iterator[Page]:
    """Run a program that serves a page."""
    with subprocess.Popen([windows_bench.WINE, *command], cwd=cwd, env={**windows_bench.surroundings(bench), "CI": "1"},
                          stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True,
                          encoding="utf-8", errors="replace") as program:
        try:
            yield Page(program)
        finally:
            subprocess.run([Path(windows_bench.WINE).with_name("wineserver"), "-k"],
                           env=windows_bench.surroundings(bench))


def test_the_page_is_served_and_makes_pdfs(bench: Path, windows: Run, tmp_path: Path) -> None:
    windows("-m", "ppgen", "new", "Bär", "--starter", "word-game", cwd=tmp_path)
    with serve(bench, bench / "python/python.exe", "-m", "ppgen", "open", "--serve", "--port", "0",
               cwd=tmp_path / "Bär") as page:
        page.make_pdfs()
    assert [*(tmp_path / "Bär/output").rglob("*.pdf")]


def test_the_zip_is_used_where_there_is_no_python(bench: Path, tmp_path: Path) -> None:
    """In a folder with a blank and an umlaut, to which nothing is written."""
    for name in ("dist", "games", "Meine Programme ä", "art"):
        (tmp_path / name).mkdir()
    subprocess.run([sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", tmp_path / "dist"], cwd=ROOT,
                   check=True, capture_output=True)
    file = tmp_path / "dist/ppgen-windows.zip"
    windows_zip.make_zip(bench / "python.zip", next((tmp_path / "dist").glob("*.whl")), file, bench)
    with ZipFile(file) as archive:
        assert {entry.date_time for entry in archive.infolist()} == {(1980, 1, 1, 0, 0, 0)}
        assert not [name for name in archive.namelist() if str(tmp_path).encode() in archive.read(name)]
        archive.extractall(tmp_path / "Meine Programme ä")
    folder = tmp_path / "Meine Programme ä/ppgen"
    (folder / "python/_wmi.pyd").unlink()  # it ends Python where Windows' name is asked for: Wine lacks VariantToString
    before = {path: path.stat().st_mtime_ns for path in folder.rglob("*")}

    def run(*words: str) -> str:
        done = subprocess.run([windows_bench.WINE, folder / "ppgen.exe", *words], cwd=tmp_path / "games",
                              timeout=PATIENCE, env=windows_bench.surroundings(bench), stdin=subprocess.DEVNULL,
                              capture_output=True)
        assert done.returncode == 0, done.stderr
        return done.stdout.decode()

    assert run("--version") == f"ppgen, version {__version__}\n"
    run("build", "--lang", "de", "--only", "stones", "-o", "windows")
    run_ppgen("build", "--lang", "de", "--only", "stones", "-o", "linux", cwd=tmp_path / "games")
    made, found = (next((tmp_path / "games" / name).rglob("stones*.pdf")).read_bytes() for name in ("windows", "linux"))
    assert made == found
    run("new", "words", "--starter", "word-game")
    Image.new("RGB", (300, 400), "red").save(tmp_path / "art/ant.png")
    with serve(bench, folder / "Open ppgen.exe", windows_bench.windows_path(tmp_path / "art"), cwd=tmp_path) as page:
        assert b"<html" in page.ask("/") and (bench / "ppgen/art/deck.toml").is_file()
    assert {path: path.stat().st_mtime_ns for path in folder.rglob("*")} == before
