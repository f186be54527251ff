"""Files are written whole or not at all, all or none, and runs that were killed leave nothing for long."""

from __future__ import annotations

import errno
import os
import signal
import stat
import subprocess
import sys
from pathlib import Path
from unittest.mock import Mock

import pytest

from ppgen.errors import InputError
from ppgen.process import file_writing
from ppgen.process.file_writing import DAY_S, BuiltFile, clear_stages, write_file, write_files
from ppgen.reading.editing import FileHistory

pytestmark = pytest.mark.windows

ROOT = Path(__file__).resolve().parents[2]
posix = pytest.mark.skipif(os.name != "posix", reason="needs POSIX")
KILLED = """
import os, signal, sys
from pathlib import Path
from ppgen.process.file_writing import BuiltFile, write_files
from ppgen.reading.editing import FileHistory
path = Path(sys.argv[1], "a.txt")
os.fsync = lambda _: os.kill(os.getpid(), signal.SIGKILL)
"""
NEW = [BuiltFile(path="a.txt", content=b"new"), BuiltFile(path="below/b.txt", content=b"b")]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "a.txt").write_bytes(b"old")
    (tmp_path / "old").mkdir()
    (tmp_path / "old" / "c.txt").write_bytes(b"c")
    return tmp_path


def contents(folder: Path) -> dict[str, bytes]:
    return {path.relative_to(folder).as_posix(): path.read_bytes() if path.is_file() else b"folder"
            for path in folder.rglob("*")}


def test_files_are_replaced_and_removed_with_the_folders_that_this_empties(folder):
    write_files(folder, NEW, [folder / "old" / "c.txt"])
    assert contents(folder) == {"a.txt": b"new", "below": b"folder", "below/b.txt": b"b"}


def test_files_move_only_within_their_folders(folder, monkeypatch):
    """Landlock of Linux 5.13 to 5.18 refuses all else."""
    moves = []
    sys.addaudithook(lambda event, args: moves.append(args[:2]) if event in ("os.rename", "os.link") else None)
    monkeypatch.setattr(file_writing, "_swap", lambda *_: False)
    write_files(folder, NEW, [folder / "old" / "c.txt"])
    ours = [(one, other) for one, other in moves if str(folder) in str(one)]
    assert len(ours) == 6 and all(Path(one).parent == Path(other).parent for one, other in ours)


@posix
def test_permissions_stay(folder):
    (folder / "a.txt").chmod(0o640)
    write_files(folder, NEW)
    assert stat.S_IMODE((folder / "a.txt").stat().st_mode) == 0o640


@posix
def test_a_device_or_pipe_is_not_replaced_and_a_link_leads_to_what_is(folder):
    os.mkfifo(folder / "pipe")
    (folder / "link").symlink_to("pipe")
    for name in ("pipe", "link"):
        with pytest.raises(InputError, match="a device or pipe is in its place"):
            write_file(folder / name, b"new")
    (folder / "to file").symlink_to("old/c.txt")
    write_file(folder / "to file", b"new")
    assert stat.S_ISFIFO((folder / "pipe").stat().st_mode) and (folder / "to file").is_symlink()
    assert (folder / "old" / "c.txt").read_bytes() == b"new"


@pytest.mark.parametrize("way", ["exchange", "link", "copy"])
def test_after_a_failure_everything_is_as_it_was(folder, monkeypatch, way):
    if way != "exchange":
        monkeypatch.setattr(file_writing, "_swap", lambda *_: False)
    if way == "copy":
        monkeypatch.setattr(os, "link", lambda *_, **__: (_ for _ in ()).throw(NotImplementedError))
    before = contents(folder)
    for files, superseded in (([*NEW, BuiltFile(path="old", content=b"")], []), (NEW, [folder / "missing.txt"])):
        with pytest.raises(InputError, match="can't be written") as raised:
            write_files(folder, files, superseded)
        assert file_writing.MARK not in str(raised.value) and contents(folder) == before


@posix
@pytest.mark.parametrize("is_opened_late", [False, True])
def test_a_file_that_another_program_has_open_leaves_nothing_behind(folder, monkeypatch, is_opened_late):
    """Windows then neither replaces nor removes the file, whatever name it is called by."""
    held = (folder / "a.txt").stat().st_ino

    def refuse(method):
        def call(path, *target):
            if is_held and any(each.exists() and each.stat().st_ino == held for each in (path, *target)):
                raise PermissionError(errno.EACCES, "in use", str(path))
            return method(path, *target)
        return call

    monkeypatch.setattr(file_writing, "_swap", lambda *_: False)
    for name in ("replace", "unlink"):
        monkeypatch.setattr(Path, name, refuse(getattr(Path, name)))
    if is_opened_late:
        monkeypatch.setattr(file_writing, "_check_replaceable", lambda _: None)
    before, is_held = contents(folder), True
    for _ in range(3):
        with pytest.raises(InputError, match=r"a\.txt: can't be written: in use"):
            write_files(folder, NEW[::-1])
        assert is_opened_late or contents(folder) == before
    is_held = False
    assert clear_stages(folder) == 3 * is_opened_late and contents(folder) == before


@pytest.mark.parametrize("platform, code, remedy", [
    pytest.param("linux", errno.EACCES, "correct its permissions", marks=posix),
    ("win32", errno.EACCES, "close it in the viewer"), ("win32", errno.ENOSPC, "make room")])
def test_the_remedy_fits_the_system(folder, monkeypatch, platform, code, remedy):
    monkeypatch.setattr(sys, "platform", platform)
    monkeypatch.setitem(sys.modules, "msvcrt", Mock())
    monkeypatch.setattr(Path, "replace", lambda path, _: (_ for _ in ()).throw(OSError(code, "denied", str(path))))
    with pytest.raises(InputError, match=rf"a\.txt: can't be written: denied \({remedy}"):
        write_files(folder, NEW)


@posix
@pytest.mark.parametrize("work", ["write_files(path.parent, [BuiltFile(path='a.txt', content=b'new')])",
                                  "FileHistory(path.parent).write(path, b'old', b'new')"])
def test_a_killed_run_leaves_the_old_file_and_the_next_clears_up(folder, work):
    before = contents(folder)
    run = subprocess.run([sys.executable, "-c", KILLED + work, str(folder)], cwd=ROOT)
    assert run.returncode == -signal.SIGKILL and before.items() < contents(folder).items()
    FileHistory(folder)
    assert contents(folder) == before


@posix
def test_a_running_run_keeps_its_hidden_files(tmp_path):
    clearing = ("import sys, pathlib; from ppgen.process.file_writing import clear_stages\n"
                "sys.exit(clear_stages(pathlib.Path(sys.argv[1])))")

    def files():
        yield NEW[0]
        assert subprocess.run([sys.executable, "-c", clearing, tmp_path], cwd=ROOT).returncode == 0
        yield BuiltFile(path="b.txt", content=b"b")

    write_files(tmp_path, files())
    assert contents(tmp_path) == {"a.txt": b"new", "b.txt": b"b"}


def test_a_mark_that_another_run_removes_before_it_is_locked_is_made_anew(folder, monkeypatch):
    lock, taken = file_writing.lock_file, []

    def take(mark):
        if not taken:  # as another run would
            mark.unlink()
        taken.append(mark)
        return lock(mark)

    monkeypatch.setattr(file_writing, "lock_file", take)
    write_files(folder, NEW[:1])
    assert len(taken) == 2 and contents(folder)["a.txt"] == b"new"


@posix
def test_where_files_cannot_be_locked_those_of_killed_runs_stay_for_a_day(tmp_path, monkeypatch):
    def refuse(*_):
        raise OSError(errno.ENOLCK, "no locks")

    monkeypatch.setattr("fcntl.flock", refuse)
    (mark := tmp_path / ".ppgen-01234567").touch()
    (tmp_path / ".ppgen-01234567-0").touch()
    assert clear_stages(tmp_path) == 0 and len(contents(tmp_path)) == 2
    for path in (mark, lost := tmp_path / ".ppgen-89abcdef-7"):  # the latter without its mark
        path.touch()
        os.utime(path, (mark.stat().st_mtime - DAY_S - 60,) * 2)
    assert lost.exists()
    write_files(tmp_path, NEW[:1])  # as any run, it clears up first
    assert contents(tmp_path) == {"a.txt": b"new"}


@posix
def test_nothing_else_is_removed(tmp_path):
    for name in (".ppgen-notes", ".ppgen-notes-1", ".ppgen-01234567-x", ".ppgen-01234560-1", ".ppgen-012345678",
                 ".ppgen-0123456", "x.ppgen-01234567", ".ppgen", "below/x", "below/.ppgen-01234567"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text("mine")
    (tmp_path / ".ppgen-01234567").mkdir()
    (tmp_path / ".ppgen-89abcdef").symlink_to(tmp_path / "below" / "x")
    before = contents(tmp_path)
    assert (clear_stages(tmp_path), clear_stages(tmp_path / "missing"), contents(tmp_path)) == (0, 0, before)
