"""The bounds of a whole run with strangers' files: time, memory, rights. It ends in one line."""

from __future__ import annotations

import os
from contextlib import suppress
from pathlib import Path

import pytest

from ppgen.assets import CACHE_VARIABLE
from ppgen.process import supervision
from tests.conftest import ROOT, run_python

pytestmark = pytest.mark.skipif(not hasattr(os, "fork"), reason="needs POSIX")

PROGRAM = """
import os, signal, socket, sys, time
from pathlib import Path
import click
from ppgen.cli.options import with_limits
from ppgen.process import supervision
from ppgen.process.file_writing import BuiltFile, write_files

supervision.MAX_RUN_S, supervision.MAX_RUN_BYTES = 1, 300_000_000

@click.command()
@click.option("--data", is_flag=True)
@click.argument("work")
@with_limits(lambda options: [Path("deck")] if options["data"] else [])
def main(data, work):
    exec(work, globals())

try:
    sys.exit(main(obj=True, standalone_mode=False))
except MemoryError:
    sys.exit("MemoryError")
"""
LATE = ("deck: took more than 1 s of processor time (a hostile file; or, for a very large set, --limit 2 allows twice "
        "as much)")


def run(work: str, *options: str, cwd: Path = ROOT, before: str = "") -> tuple[int, str]:
    done = run_python("-c", PROGRAM.replace("@click", before + "\n@click", 1), *options, "--", work, cwd=cwd)
    return done.returncode, done.stderr.strip()


NO_TIMERS = "del signal.setitimer"  # as on Windows


@pytest.mark.slow
@pytest.mark.parametrize("before", ["", NO_TIMERS])
def test_an_endless_run_ends_in_a_line_and_undoes_its_work(before, tmp_path):
    writing = ("\ndef files():\n    yield BuiltFile(path='new/a.txt', content=b'a')\n    while True: pass\n"
               "write_files(Path('out'), files())")
    assert run(writing, "--data", cwd=tmp_path, before=before) == (1, LATE)
    assert not (tmp_path / "out").exists()


@pytest.mark.slow
def test_a_library_that_heeds_no_signal_is_ended_by_the_kernel():
    code, _ = run("sum(range(10 ** 12))", "--data")
    assert code < 0


@pytest.mark.slow
@pytest.mark.parametrize("before", ["", NO_TIMERS])
def test_more_is_allowed_on_request_and_counted_anew_for_each_change(before):
    assert run("supervision._spend(1.1)", "--data", "--limit", "3", before=before) == (0, "")
    # timers of processor time, which begin with the limit: neither other load nor the start of Python counts
    work = "\nfor _ in range(2):\n    start = time.process_time()\n    while time.process_time() < start + 0.55: pass"
    assert run(work + "\n    supervision.renew_time()", "--data", before=before) == (0, "")


def test_time_of_children_counts():
    work = "supervision._spend(0.9); print('still', file=sys.stderr); supervision._spend(0.2); time.sleep(9)"
    assert run(work, "--data") == (1, f"still\n{LATE}")


@pytest.mark.slow
def test_memory_has_a_bound_unless_a_browser_would_inherit_it():
    assert run("bytearray(310_000_000)", "--data") == (1, "MemoryError")
    assert run("bytearray(310_000_000)") == (0, "")


@pytest.mark.parametrize(("limit", "most", "line"), [
    ("NOFILE", 8, "OSError: [Errno 24] Too many open files"),
    ("DATA", 200_000_000, "OverrunError: takes more than 0.2 GB of memory to read")])
@pytest.mark.slow
def test_what_the_system_has_too_little_of_is_not_the_fault_of_a_file(limit, most, line):
    work = ("import resource\ndef eat(*_): return len(bytearray(3_000_000_000))\n"
            f"resource.setrlimit(resource.RLIMIT_{limit}, ({most}, {most}))\n"
            "try: supervision.run_supervised(eat, b'', {})\n"
            "except supervision.OverrunError as error: sys.exit('OverrunError: ' + error.describe('to read', ''))\n"
            "except OSError as error: sys.exit(f'OSError: {error}')")
    assert run(work) == (1, line)


def landlock_version() -> int:
    with suppress(OSError, AttributeError, TypeError):  # the last on Windows
        return supervision._call(supervision._CREATE_RULESET, None, 0, supervision._VERSION_FLAG)
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
def test_a_limited_run_writes_and_starts_nothing_elsewhere(tmp_path):
    for name in ("inside", "outside", "tmp", "home"):
        (tmp_path / name).mkdir()
    (tmp_path / "outside" / "here.txt").write_text("mine")
    work = f"os.chdir({str(tmp_path)!r})\n{HERE}"  # after the limits were set in inside/
    for line in ELSEWHERE.split("\n")[1:-1]:
        work += f"try: {line}\nexcept PermissionError: pass\nelse: sys.exit({line!r})\n"
    done = run_python("-c", PROGRAM, "--data", "--", f"{work}print('all')", cwd=tmp_path / "inside",
                      TMPDIR=str(tmp_path / "tmp"), **dict.fromkeys(("HOME", CACHE_VARIABLE), str(tmp_path / "home")))
    assert (done.returncode, done.stdout) == (0, "all\n"), done.stderr
    assert (tmp_path / "outside" / "here.txt").read_text() == "mine"


@pytest.mark.skipif(landlock_version() < 4, reason="needs Landlock of Linux 6.7")
def test_a_limited_run_connects_to_nothing():
    code, said = run("socket.create_connection(('127.0.0.1', 9))", "--data")
    assert code and "PermissionError" in said
