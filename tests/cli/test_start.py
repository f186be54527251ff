"""The program as the system starts it: streams that are closed or full, signals, mistakes that nobody foresaw."""

from __future__ import annotations

import errno
import io
import json
import os
import re
import signal
import subprocess
import sys
import tempfile
import warnings
from pathlib import Path

import pytest

from ppgen.cli import start
from tests.conftest import ROOT, run_ppgen, run_python

posix = pytest.mark.skipif(os.name != "posix", reason="needs a POSIX shell")
PPGEN = f'"{sys.executable}" -m ppgen'


def shell(line: str, cwd: Path = ROOT) -> subprocess.CompletedProcess[str]:
    return subprocess.run(["bash", "-c", line], cwd=cwd, capture_output=True, text=True, timeout=60,
                          env={**os.environ, "PYTHONPATH": str(ROOT)})


@posix
@pytest.mark.parametrize(("line", "code"), [
    ("list >&-", 0), ("--help <&- >&- 2>&-", 0), ("nonsense 2>&-", 2), ("score - <&-", 1), ("printer save x <&-", 2)])
def test_closed_streams_lead_nowhere(line, code):
    done = shell(f"{PPGEN} {line}")
    assert "Traceback" not in done.stderr
    assert done.returncode == code


@posix
@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs /dev/full")
@pytest.mark.parametrize("words", ["list", "--help"])
def test_a_full_disk_behind_stdout_is_told_with_exit_code_1(words):
    done = shell(f"{PPGEN} {words} > /dev/full")
    assert (done.returncode, done.stderr) == (1, "ppgen: No space left on device\n") or (
        done.returncode == 1 and re.fullmatch(r"ppgen: what it has to say can't be written: .*\n", done.stderr))


@posix
def test_a_reader_that_has_seen_enough_is_no_mistake():
    done = shell(f"set -o pipefail; {PPGEN} --help | true")
    assert (done.returncode, done.stderr) == (0, "")


def test_what_was_typed_does_nothing_to_a_terminal():
    done = run_ppgen("build", "--card-thickness", "\x1b]0;owned\x07", cwd=ROOT)
    assert done.returncode == 2
    assert "\\x1b]0;owned\\x07" in done.stderr
    assert "\x1b" not in done.stderr


@pytest.mark.parametrize(("settings", "output"), [({}, "Jörg 花子 ×−\n".encode()),
                                                  ({"PYTHONIOENCODING": "cp1252"}, b"J\xf6rg ?? \xd7?\r\n")])
@pytest.mark.parametrize("code_page", ["cp1252", "cp932"])
def test_redirected_output_is_utf_8_with_lf_whatever_the_code_page(code_page, settings, output, monkeypatch):
    monkeypatch.delenv("PYTHONIOENCODING", raising=False)
    for name, encoding in settings.items():
        monkeypatch.setenv(name, code_page := encoding)
    streams = {name: io.TextIOWrapper(io.BytesIO(), code_page, newline="\r\n") for name in ("stdout", "stderr")}
    for name, stream in streams.items():
        monkeypatch.setattr(sys, name, stream)
    start._open_streams()
    for stream in streams.values():
        print("Jörg 花子 ×−", file=stream, flush=True)
    assert streams["stdout"].buffer.getvalue() == output
    assert settings or streams["stderr"].buffer.getvalue() == output


@posix
@pytest.mark.slow
def test_what_was_redirected_into_a_file_is_read_again(tmp_path):
    names = ["Jörg", "花子", "Zoë"]
    (tmp_path / "game.json").write_text(json.dumps({"players": [{"name": name} for name in names]}))
    surroundings = {name: value for name, value in os.environ.items() if name != "PYTHONIOENCODING"}
    for line in ("score game.json --save -q --history games.db",
                 "history show 1 --tallies --history games.db > out.json", "score out.json --format json > result.json",
                 "score --template csv --players A,B,C > empty.csv", "score empty.csv"):
        done = subprocess.run(["bash", "-c", f"{PPGEN} {line}"], cwd=tmp_path, capture_output=True, timeout=60, env={
            **surroundings, "PYTHONPATH": str(ROOT), "LC_ALL": "C", "PYTHONCOERCECLOCALE": "0", "PYTHONUTF8": "0"})
        assert done.returncode == 0, done.stderr
    assert [player["name"] for player in json.loads((tmp_path / "result.json").read_bytes())["players"]] == names


def test_a_mistake_that_nobody_foresaw_ends_in_one_line_and_a_file(tmp_path):
    code = ("import ppgen.cli.program, ppgen.cli.start\n"
            "def broken(*args, **options): raise LookupError('unforeseen')\n"
            "ppgen.cli.program.main = broken\nppgen.cli.start.run()")
    done = run_python("-c", code, cwd=ROOT, TMPDIR=str(tmp_path))
    assert done.returncode == 1
    (line,) = done.stderr.splitlines()
    assert "report it" in line
    (kept,) = tmp_path.glob("ppgen-*.txt")
    assert str(kept) in line
    assert "LookupError: unforeseen" in kept.read_text()


@pytest.mark.parametrize(("error", "message"), [
    (OSError(errno.EMFILE, "Too many open files", "a.png"), "too many files are open (allow more: ulimit -n; or close"),
    (OSError(errno.ENOMEM, "Cannot allocate memory"), "there is not enough memory"),
    (MemoryError(), "there is not enough memory"),
    (ImportError("lib.so: failed to map segment from shared object"), "there is not enough memory"),
    (ImportError("No module named 'x'"), "unexpected ImportError"),
])
def test_a_shortage_of_the_system_has_its_own_words(error, message, monkeypatch, capsys, tmp_path):
    def fail() -> int:
        warnings.warn("a warning of Python", stacklevel=1)
        raise error

    monkeypatch.setattr(start, "_commands", fail)
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    assert start._execute() == 1
    [line] = capsys.readouterr().err.splitlines()
    assert line.startswith(f"ppgen: {message}")


@posix
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
def test_a_request_to_stop_while_it_starts_is_heard(number):
    """Also while modules are imported, before any command runs."""
    code = ("import sys, time\nsys.argv = ['ppgen', 'list']\n"
            "class Slow:\n"
            "    def find_spec(self, name, *rest):\n"
            "        if name == 'click': print('begun', flush=True); time.sleep(100)\n"
            "sys.meta_path.insert(0, Slow())\n"
            "from ppgen.cli.start import run\nrun()")
    process = subprocess.Popen([sys.executable, "-c", code], cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                               text=True)
    try:
        assert process.stdout.readline() == "begun\n"
        process.send_signal(number)
        _, words = process.communicate(timeout=60)
    finally:
        process.kill()
    assert process.returncode == 1
    assert "Traceback" not in words


def test_modules_of_the_working_folder_are_not_run(tmp_path):
    for name in ("click", "reportlab_mods", "jinja2", "signal"):
        (tmp_path / f"{name}.py").write_text("raise SystemExit('run by accident')")
    done = run_ppgen("list", cwd=tmp_path)
    assert (done.returncode, done.stderr) == (0, "")


@pytest.mark.slow
@posix
def test_a_folder_whose_name_is_no_text_is_a_folder_like_others(tmp_path):
    folder = os.fsencode(tmp_path) + b"/\xff"
    try:
        Path(os.fsdecode(folder)).mkdir()
    except OSError:
        pytest.skip("this file system has names in UTF-8 only")
    given, said = ["--data", b"\xff/deck", "--output", b"\xff/out"], []
    for args in (["new", b"\xff/deck", "--starter", "empty"], ["build", "--only", "cards", *given],
                 ["export", "png", "--json", *given]):
        done = subprocess.run([sys.executable, "-m", "ppgen", *args], cwd=tmp_path, capture_output=True, timeout=120,
                              env={**os.environ, "PYTHONPATH": str(ROOT), "PYTHONIOENCODING": "utf-8:strict"})
        assert (done.returncode, b"foresaw" in done.stderr) == (0, False), done.stderr
        said.append(done.stdout)
    assert b"\xff/out/en/" in said[1] and json.loads(said[2].decode())
    for manifest in Path(os.fsdecode(folder)).rglob("out/en/*.json"):
        paths = [file["path"] for file in json.loads(manifest.read_text(encoding="utf-8"))["files"]]
        assert all((tmp_path / path).is_file() for path in paths)
