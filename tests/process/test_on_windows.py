"""What only Windows can show: its bounds, its locks, its ends. ``tests/test_windows.py`` runs these under Wine."""

from __future__ import annotations

import ctypes
import os
import subprocess
import sys
import time
from pathlib import Path

import pytest
from click.testing import CliRunner

from ppgen.cli.program import main
from ppgen.process import supervision
from ppgen.process.supervision import Options, OverrunError, run_supervised
from tests.conftest import ROOT, run_ppgen, run_python

pytestmark = [pytest.mark.windows, pytest.mark.skipif(sys.platform != "win32", reason="needs Windows")]

IS_WINE = sys.platform == "win32" and hasattr(ctypes.windll.ntdll, "wine_get_version")
DECK = {"deck.toml": 'title = "T"\n[cards]\ntable = "cards.csv"\nsize = "poker"\nfront = "card.svg.j2"\n',
        "cards.csv": "id,name\na,One\n",
        "card.svg.j2": '{{ fill("#ffffff") }}{{ text(card.name, x=9, y=9, width=40, size=4) }}'}
TRAP = "from pathlib import Path\nPath({!r}).write_text('')\n"
TRAPS = "json.py", "signal.py", "subprocess.py", "sitecustomize.py", "ppgen/__init__.py", "PIL/__init__.py"


def do(content: bytes, options: Options) -> object:
    match content.decode():
        case "eat":
            return len(bytearray(3_000_000_000))
        case "sleep":
            time.sleep(100)
        case "hang":
            while True:
                pass
        case "start":
            return subprocess.run([sys.executable, "-c", ""], stdin=subprocess.DEVNULL).returncode
        case "end":
            os._exit(3)
    return str(Path.cwd())


@pytest.fixture
def readers(monkeypatch):
    """The child finds the readers of this module."""
    supervision._forget_child()
    monkeypatch.setenv("PYTHONPATH", str(ROOT))
    yield
    supervision._forget_child()


@pytest.mark.parametrize(("work", "bound", "most", "cause"), [
    ("eat", "MAX_MEMORY_BYTES", 300_000_000, "large"), ("sleep", "MAX_WAIT_S", 2.0, "late"), ("end", "", 0, "crashed"),
    pytest.param("hang", "MAX_CPU_S", 1.0, "slow", marks=pytest.mark.skipif(
        IS_WINE, reason="Wine 8 says how long the asking process has computed"))])
def test_a_unit_has_its_bounds(readers, monkeypatch, work, bound, most, cause):
    with monkeypatch.context() as patch:
        if bound:
            patch.setattr(supervision, bound, most)
        with pytest.raises(OverrunError) as over:
            run_supervised(do, work.encode(), {})
    assert over.value.cause == cause
    assert Path(run_supervised(do, b"fine", {})) == Path.cwd()


@pytest.mark.skipif(IS_WINE, reason="Wine 8 does not keep to the limits of a job")
def test_a_unit_starts_no_program(readers):
    with pytest.raises(OverrunError):
        run_supervised(do, b"start", {})


@pytest.fixture
def deck(tmp_path):
    folder = tmp_path / "Bär spiel"
    folder.mkdir()
    for name, text in DECK.items():
        (folder / name).write_text(text, encoding="utf-8")
    return folder


def contents(folder: Path) -> dict[str, bytes]:
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def test_python_in_a_decks_folder_never_runs(deck, tmp_path):
    for name in TRAPS:
        (deck / name).parent.mkdir(exist_ok=True)
        (deck / name).write_text(TRAP.format(str(tmp_path / "ran")), encoding="utf-8")
    done = run_python("-P", "-m", "ppgen", "build", "-q", cwd=deck)
    assert (done.returncode, done.stderr, (tmp_path / "ran").exists()) == (0, "", False)


HOSTILE = {
    "{% set ns = namespace(x='ab') %}{% for _ in range(40) %}{% set ns.x = ns.x ~ ns.x %}{% endfor %}":
    "takes more than 1 GB of memory",
    '{{ image("//server/share/x.png", 1, 1, 5, 5) }}': "is not a file of the deck's folder",
    '{{ image("con.png", 1, 1, 5, 5) }}': "is the name of a device on Windows",
    '{% include "CARD.svg.j2" %}': "CARD.svg.j2"}


def test_each_hostile_template_costs_a_line(deck, monkeypatch):
    tables = "".join(f'[kind{n}]\nsize = "poker"\nfront = "kind{n}.svg.j2"\n' for n in range(len(HOSTILE)))
    (deck / "deck.toml").write_text(DECK["deck.toml"] + tables, encoding="utf-8")
    for n, text in enumerate(HOSTILE):
        (deck / f"kind{n}.svg.j2").write_text(text, encoding="utf-8")
    monkeypatch.chdir(deck)
    done = CliRunner().invoke(main, ["build", "-q"])
    assert done.exit_code == 1 and not (deck / "output").exists()
    for n, said in enumerate(HOSTILE.values()):
        assert any(f"[kind{n} " in line and said in line for line in done.stderr.splitlines()), done.stderr


def test_an_open_pdf_stops_the_build_and_nothing_is_left(deck, monkeypatch):
    monkeypatch.chdir(deck)
    assert CliRunner().invoke(main, ["build", "-q"]).exit_code == 0
    before = contents(deck / "output")
    pdf = next((deck / "output").rglob("cards*.pdf"))
    kernel = ctypes.windll.kernel32
    kernel.CreateFileW.restype = ctypes.c_void_p
    held = kernel.CreateFileW(str(pdf), 0x80000000, 1, None, 3, 0x80, None)  # as a viewer: others may read it
    (deck / "cards.csv").write_text("id,name\na,Two\n", encoding="utf-8")
    for _ in range(2):
        done = CliRunner().invoke(main, ["build", "-q"])
        assert done.exit_code == 1 and "close it in the viewer" in done.stderr, done.stderr
        assert contents(deck / "output") == before
    kernel.CloseHandle(ctypes.c_void_p(held))
    assert CliRunner().invoke(main, ["build", "-q"]).exit_code == 0
    assert contents(deck / "output").keys() == before.keys() and contents(deck / "output") != before


BUILD = """
import os, signal, sys
from ppgen.cli import start
from ppgen.process import file_writing
writes = file_writing._write
def stopped(*words):
    found = writes(*words)
    {what}
    return found
file_writing._write = stopped
sys.argv = ["ppgen", "build", "-q"]
sys.exit(start.exit_code())
"""


@pytest.mark.parametrize(("what", "code", "leaves"), [
    ("os._exit(9)", 9, True), ("signal.raise_signal(signal.SIGBREAK)", 1, False)])
def test_a_stopped_build_undoes_its_work_and_a_killed_one_is_cleared_away(deck, monkeypatch, what, code, leaves):
    done = run_python("-P", "-c", BUILD.format(what=what), cwd=deck)
    assert done.returncode == code and "Traceback" not in done.stderr, done.stderr
    assert any(deck.rglob(".ppgen-*")) == leaves and not any(deck.rglob("*.pdf"))
    monkeypatch.chdir(deck)
    assert CliRunner().invoke(main, ["build", "-q"]).exit_code == 0
    assert not any(deck.rglob(".ppgen-*")) and any(deck.rglob("*.pdf"))


def test_output_in_a_file_is_utf8_with_line_feeds(tmp_path):
    with (tmp_path / "game.csv").open("wb") as file:
        subprocess.run([sys.executable, "-m", "ppgen", "score", "--template", "csv", "--players", "Jörg,花子,Zoë"],
                       stdout=file, stdin=subprocess.DEVNULL, check=True, cwd=tmp_path)
    content = (tmp_path / "game.csv").read_bytes()
    assert "Jörg,,花子,,Zoë" in content.decode() and b"\r" not in content
    done = run_ppgen("score", "none.toml", cwd=tmp_path, LC_ALL="ja_JP.UTF-8")
    assert done.returncode == 1 and "見つかりません" in done.stderr
