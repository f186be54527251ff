"""What libraries do over strangers' files in ways that nobody listed: hang, crash, eat memory. It ends in one line."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

import pytest

from ppgen.cli.user_folders import CACHE_VARIABLE
from ppgen.process import landlock

ROOT = Path(__file__).resolve().parents[2]
pytestmark = pytest.mark.skipif(not hasattr(__import__("os"), "fork"), reason="needs fork (POSIX)")

PROGRAM = """
import os, signal, sys, time
from pathlib import Path
import click
from ppgen.cli.process_limits import ResourceLimits, with_limits as limited, renew_limits as renewed

def strange(options):
    return [Path("deck")] if options["data"] else []

@click.command()
@click.option("--data", is_flag=True)
@click.argument("work")
@limited(strange)
def main(data, work):
    exec(work, globals())

try:
    sys.exit(main(obj=ResourceLimits(seconds=1, memory=300_000_000), standalone_mode=False))
except MemoryError:
    sys.exit("MemoryError")
"""
BUSY = "\nwhile True: pass"


WRITING = """
from ppgen.process.file_writing import BuiltFile, write_files
from ppgen.process.stop_requests import install_handlers as listen

def files():
    yield BuiltFile(path='new/a.txt', content=b'a')
    {then}

listen(1)
write_files(Path('out'), files())
"""


def run(work: str, *options: str, cwd: Path | None = None) -> tuple[int, str]:
    done = subprocess.run([sys.executable, "-c", PROGRAM, *options, "--", work], capture_output=True, text=True,
                          timeout=60, cwd=cwd)
    return done.returncode, done.stderr.strip()


def test_work_goes_on_as_it_would_and_ends_as_it_would():
    assert run("print('done', file=sys.stderr)", "--data") == (0, "done")
    assert run("click.get_current_context().exit(2)", "--data") == (2, "")


@pytest.mark.slow
def test_an_endless_computation_is_ended_in_plain_words():
    code, words = run(BUSY, "--data")
    assert code == 1
    assert words == ("deck: took more than 1 s of processor time (a hostile file; or, for a very large set, --limit 2 "
                     "allows twice as much)")


@pytest.mark.slow
def test_more_is_allowed_for_whoever_asks():
    work = "\nstart = time.process_time()\nwhile time.process_time() < start + 1.3: pass"
    code, _ = run(work, "--data", "--limit", "3")
    assert code == 0


@pytest.mark.parametrize("number", ["SIGSEGV", "SIGABRT", "SIGBUS"])
def test_a_crash_is_told_as_a_damaged_file(number):
    code, words = run(f"os.kill(os.getpid(), signal.{number})", "--data")
    assert code == 1
    assert words.startswith("deck: could not be read or set: a library crashed over it")
    assert len(words.splitlines()) == 1


@pytest.mark.parametrize("number", ["SIGSEGV", "SIGXCPU", "SIGKILL"])
def test_a_crash_amid_writing_leaves_what_the_next_run_removes(tmp_path, number):
    code, words = run(WRITING.format(then=f"os.kill(os.getpid(), signal.{number})"), "--data", cwd=tmp_path)
    assert (code, len(words.splitlines())) == (1, 1)
    assert {path.name[:7] for path in (tmp_path / "out" / "new").iterdir()} == {".ppgen-"}
    assert run(WRITING.format(then=""), "--data", cwd=tmp_path) == (0, "")
    assert [path.name for path in (tmp_path / "out" / "new").iterdir()] == ["a.txt"]


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux tells a process that its parent has ended")
def test_work_that_nobody_waits_for_any_more_is_undone(tmp_path):
    work = WRITING.format(then="Path('begun').touch(); time.sleep(100)")
    process = subprocess.Popen([sys.executable, "-c", PROGRAM, "--data", "--", work], cwd=tmp_path)
    try:
        wait_for(lambda: (tmp_path / "begun").exists())
        assert list((tmp_path / "out" / "new").iterdir()) != []
    finally:
        process.kill()
        process.wait()
    wait_for(lambda: not (tmp_path / "out").exists())


def wait_for(what: Callable[[], bool]) -> None:
    until = time.monotonic() + 60
    while not what():
        assert time.monotonic() < until
        time.sleep(0.01)


def test_memory_has_an_end():
    assert run("bytearray(500_000_000)", "--data") == (1, "MemoryError")


def test_shipped_files_are_worked_on_in_the_process_itself():
    code, words = run("print(signal.getsignal(signal.SIGTERM), os.getpid() == os.getpgid(0), file=sys.stderr)\n"
                      "bytearray(500_000_000)")
    assert code == 0, words


@pytest.mark.slow
def test_who_goes_on_until_stopped_begins_anew_with_each_change():
    code, words = run("\nfor _ in range(2):\n    renewed()\n    start = time.process_time()\n"
                      "    while time.process_time() < start + 0.7: pass", "--data")
    assert (code, words) == (0, "")


def test_a_request_to_stop_reaches_the_work(tmp_path: Path):
    work = ("\nsignal.signal(signal.SIGTERM, lambda *_: (Path('undone').touch(), os._exit(1)))\n"
            "Path('begun').touch()\ntime.sleep(100)")
    process = subprocess.Popen([sys.executable, "-c", PROGRAM, "--data", "--", work], cwd=tmp_path)
    try:
        wait_for(lambda: (tmp_path / "begun").exists())
        process.terminate()
        assert process.wait(timeout=60) == 1
    finally:
        process.kill()
    assert (tmp_path / "undone").exists()


def landlock_version() -> int:
    with suppress(OSError, AttributeError):
        return landlock._call(landlock._CREATE_RULESET, None, 0, landlock._VERSION_FLAG)
    return 0


HERE = """
Path('inside/new.txt').write_text('x')
Path('inside/a').mkdir(); Path('inside/a/b').write_text('x'); os.replace('inside/a/b', 'inside/c')
Path('tmp/new.txt').write_text('x')
open(os.devnull, 'w').write('x')
Path('outside/here.txt').read_text()
"""
ELSEWHERE = """
Path('outside/new.txt').write_text('x')
Path('outside/here.txt').write_text('x')
os.unlink('outside/here.txt')
os.replace('outside/here.txt', 'inside/here.txt')
os.execv(sys.executable, [sys.executable, '-c', ''])
"""


@pytest.mark.skipif(not landlock_version(), reason="needs Landlock (Linux 5.13)")
def test_the_limited_process_writes_and_starts_nothing_elsewhere(tmp_path):
    for name in ("inside", "outside", "tmp", "home"):
        (tmp_path / name).mkdir()
    (tmp_path / "outside" / "here.txt").write_text("mine")
    work = f"os.chdir({str(tmp_path)!r})\n{HERE}"  # after the limits were set in inside/
    for line in ELSEWHERE.split("\n")[1:-1]:
        work += f"try: {line}\nexcept PermissionError: pass\nelse: sys.exit({line!r})\n"
    done = subprocess.run([sys.executable, "-c", PROGRAM, "--data", "--", f"{work}print('all')"], capture_output=True,
                          text=True, timeout=60, cwd=tmp_path / "inside",
                          env={**os.environ, "PYTHONPATH": str(ROOT), "TMPDIR": str(tmp_path / "tmp"),
                               "HOME": str(tmp_path / "home"), CACHE_VARIABLE: str(tmp_path / "home")})
    assert (done.returncode, done.stdout) == (0, "all\n"), done.stderr
    assert (tmp_path / "outside" / "here.txt").read_text() == "mine"


@pytest.mark.skipif(landlock_version() < 4, reason="needs Landlock of Linux 6.7")
def test_the_limited_process_connects_to_nothing():
    code, said = run("import socket; socket.create_connection(('127.0.0.1', 9))", "--data")
    assert code and "PermissionError" in said
