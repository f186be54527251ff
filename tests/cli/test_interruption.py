"""Hidden files of runs that were killed: cleared away by the next one, and nothing else is."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from ppgen.cli.file_writing import write_files
from ppgen.cli.interruption import DAY_S, claim_folder, clear_temporary, temporary_path
from ppgen.production.output_files import BuiltFile

ROOT = Path(__file__).resolve().parents[2]
pytestmark = pytest.mark.skipif(os.name != "posix", reason="elsewhere no one asks whether a process lives")


def of(process: int, folder: Path) -> Path:
    """An unfinished file of a process of this machine."""
    path = folder / temporary_path(folder).name.replace(f"-{os.getpid()}-", f"-{process}-")
    path.write_text("half")
    return path


@pytest.fixture
def dead() -> int:
    """The number of a process that has ended."""
    process = subprocess.Popen([sys.executable, "-c", ""])
    process.wait()
    return process.pid


def test_writing_clears_away_what_the_dead_left(tmp_path, dead):
    left = of(dead, tmp_path)
    write_files(tmp_path, [BuiltFile(path="new.txt", content=b"new")])
    assert not left.exists()
    assert [path.name for path in tmp_path.iterdir()] == ["new.txt"]


def test_the_living_keep_theirs_for_a_day(tmp_path):
    theirs = of(os.getppid(), tmp_path)
    with claim_folder(tmp_path):
        assert (clear_temporary(tmp_path), theirs.exists()) == (0, True)
        os.utime(theirs, (theirs.stat().st_mtime - DAY_S - 60,) * 2)
        assert (clear_temporary(tmp_path), theirs.exists()) == (1, False)


def test_a_number_that_is_still_in_use_keeps_nothing(tmp_path):
    """In containers without init, killed processes stay in the table; elsewhere a new one may have the number."""
    zombie = subprocess.Popen([sys.executable, "-c", ""], stdout=subprocess.PIPE)
    assert zombie.stdout is not None and zombie.stdout.read() == b""  # it has ended, and nobody waited for it
    left = of(zombie.pid, tmp_path)
    assert (clear_temporary(tmp_path), left.exists()) == (1, False)
    zombie.stdout.close()
    zombie.wait()


def test_a_folder_is_claimed_while_files_are_written_in_it(tmp_path):
    clearing = ("import sys, pathlib; from ppgen.cli.interruption import clear_temporary\n"
                "sys.exit(clear_temporary(pathlib.Path(sys.argv[1])))")

    def files():
        yield BuiltFile(path="one.txt", content=b"1")
        assert subprocess.run([sys.executable, "-c", clearing, tmp_path], cwd=ROOT).returncode == 0
        yield BuiltFile(path="two.txt", content=b"2")

    write_files(tmp_path, files())
    assert sorted(path.name for path in tmp_path.iterdir()) == ["one.txt", "two.txt"]


def test_other_machines_and_containers_keep_theirs(tmp_path, dead):
    theirs = of(dead, tmp_path)
    theirs = theirs.rename(tmp_path / f".ppgen-00000000-{dead}-0")
    assert (clear_temporary(tmp_path), theirs.exists()) == (0, True)


def test_nothing_else_is_removed(tmp_path, dead):
    left = of(dead, tmp_path)
    other = [tmp_path / name for name in (f"{left.name}.pdf", f"x{left.name}", left.name[1:], ".ppgen", ".ppgen-1-2-3")]
    for path in other:
        path.write_text("mine")
    left.unlink()
    left.symlink_to(other[0])  # a link called so
    folder = tmp_path / f"{left.name}-0"
    folder.mkdir()
    assert clear_temporary(tmp_path) == 0
    assert left.is_symlink()
    assert folder.is_dir()
    assert all(path.read_text() == "mine" for path in other)


def test_folders_below_are_others(tmp_path, dead):
    (tmp_path / "below").mkdir()
    left = of(dead, tmp_path / "below")
    assert (clear_temporary(tmp_path), left.exists()) == (0, True)


def test_a_folder_that_cannot_be_read_is_no_problem(tmp_path):
    assert clear_temporary(tmp_path / "missing") == 0
