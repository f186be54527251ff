"""ppgen on Windows' own Python, under Wine: the tests with the mark ``windows``, and the same bytes as on Linux."""

from __future__ import annotations

import http.client
import json
import os
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from urllib.parse import urlsplit

import pytest

from tests.conftest import ROOT, OnceForAll, run_ppgen
from tools import windows_bench

pytestmark = [pytest.mark.slow, pytest.mark.skipif(sys.platform != "linux", reason="Wine is for Linux")]

SETS = [("build", "--lang", "de", "-o", "card"), ("build", "--game", "board-game", "--lang", "en", "-o", "board"),
        ("build", "--data", "tiles", "-o", "tiles/output"), ("build", "--data", "words", "-o", "words/output")]


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
        done = subprocess.run([windows_bench.WINE, bench / "python/python.exe", *words], cwd=cwd, timeout=600,
                              env=windows_bench.surroundings(bench), stdin=subprocess.DEVNULL, capture_output=True,
                              text=True, encoding="utf-8", errors="replace")
        assert done.returncode == code, done.stdout[-5000:] + done.stderr[-5000:]
        return done

    return run


def test_tests_with_the_mark_pass(windows: Run) -> None:
    files = [path.relative_to(ROOT).as_posix() for path in sorted((ROOT / "tests").rglob("test_*.py"))
             if "pytest.mark.windows" in path.read_text("utf-8") and path != Path(__file__)]
    done = windows("-m", "pytest", "-q", "-p", "no:cacheprovider", "-m", "windows and not slow", *files, cwd=ROOT)
    print(done.stdout[-3000:])
    assert " passed" in done.stdout and " failed" not in done.stdout


def test_both_games_and_two_starters_are_the_same_bytes_as_on_linux(windows: Run, tmp_path: Path) -> None:
    ours, theirs = tmp_path / "Linux", tmp_path / "Bär spiel"
    for folder in (ours, theirs):
        folder.mkdir()
    for name, starter in (("tiles", "tile-laying"), ("words", "word-game")):
        run_ppgen("new", name, "--starter", starter, cwd=ours)
        windows("-m", "ppgen", "new", name, "--starter", starter, cwd=theirs)
    for words in SETS:
        windows("-m", "ppgen", *words, "-q", cwd=theirs)
        assert run_ppgen(*words, "-q", cwd=ours).returncode == 0
    made, found = ({path.relative_to(folder).as_posix(): path.read_bytes() for path in folder.rglob("*")
                    if path.is_file()} for folder in (ours, theirs))
    assert made.keys() == found.keys() and len(made) > 40
    assert [name for name in made if made[name] != found[name]] == []


def test_the_page_is_served_and_makes_pdfs(bench: Path, windows: Run, tmp_path: Path) -> None:
    windows("-m", "ppgen", "new", "Bär", "--starter", "word-game", cwd=tmp_path)
    deck = tmp_path / "Bär"
    with subprocess.Popen([windows_bench.WINE, bench / "python/python.exe", "-m", "ppgen", "open", "--serve", "--port",
                           "0"], cwd=deck, env=windows_bench.surroundings(bench), stdin=subprocess.DEVNULL,
                          stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True, encoding="utf-8") as page:
        try:
            assert page.stdout
            address = urlsplit(page.stdout.readline().strip())

            def ask(method: str, path: str, body: str | None = None) -> bytes:
                connection = http.client.HTTPConnection("127.0.0.1", address.port or 0, timeout=60)
                connection.request(method, path, body, {
                    "Origin": f"http://127.0.0.1:{address.port}", "Sec-Fetch-Site": "same-origin",
                    "Content-Type": "application/json", "X-Ppgen-Token": address.fragment} if body else {})
                answer = connection.getresponse()
                assert answer.status == 200, (path, answer.status, answer.read())
                return answer.read()

            start = time.monotonic()
            while not json.loads(ask("GET", "/api/look")).get("sections"):
                assert time.monotonic() < start + 120
                time.sleep(0.2)
            assert b"<html" in ask("GET", "/")
            ask("POST", "/api/make", "{}")
            while (status := json.loads(ask("GET", "/api/job")))["state"] == "running":
                time.sleep(0.2)
            assert status["state"] == "done", status
            assert [*(deck / "output").rglob("*.pdf")]
        finally:
            page.kill()
            subprocess.run([os.fspath(Path(windows_bench.WINE).with_name("wineserver")), "-k"],
                           env=windows_bench.surroundings(bench))
