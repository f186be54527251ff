"""Exchange of whole folders: whatever happens, one of them is there, as a whole."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from ppgen.cli import file_writing
from ppgen.cli.file_writing import exchange_folder
from ppgen.errors import InputError
from ppgen.production.output_files import BuiltFile

NEW = [BuiltFile(path="index.html", content=b"new"), BuiltFile(path="files/a.pdf", content=b"a")]
KILLED = """
import os, signal, sys
from pathlib import Path
from ppgen.cli import file_writing
from tests.cli.test_file_writing import NEW
move = getattr(file_writing, sys.argv[2])
def die(*given):
    if sys.argv[3] == "after":
        move(*given)
    os.kill(os.getpid(), signal.SIGKILL)
setattr(file_writing, sys.argv[2], die)
file_writing.exchange_folder(Path(sys.argv[1]), NEW, [Path(sys.argv[1], "CNAME")])
"""


def contents(folder: Path) -> dict[str, bytes]:
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


@pytest.fixture
def old(tmp_path: Path) -> Path:
    folder = tmp_path / "out" / "site"
    folder.mkdir(parents=True)
    (folder / "index.html").write_bytes(b"old")
    (folder / "CNAME").write_bytes(b"mine")
    return folder


AFTER = {"index.html": b"new", "files/a.pdf": b"a", "CNAME": b"mine"}


@pytest.mark.parametrize("system", ["linux", "darwin"])
def test_files_of_others_are_carried_over(old: Path, monkeypatch: pytest.MonkeyPatch, system: str) -> None:
    monkeypatch.setattr(sys, "platform", system)
    exchange_folder(old, NEW, [old / "CNAME", old / "index.html"])
    assert contents(old) == AFTER and [*old.parent.iterdir()] == [old]


def test_a_first_folder_needs_no_exchange(tmp_path: Path) -> None:
    exchange_folder(tmp_path / "a" / "b", NEW, [])
    assert contents(tmp_path / "a" / "b") == {file.path: file.content for file in NEW}


@pytest.mark.skipif(os.name == "nt", reason="needs SIGKILL")
@pytest.mark.parametrize("step, when", [("_carry_over", "before"), ("_carry_over", "after"), ("swap_folders", "before"),
                                        ("swap_folders", "after")])
def test_a_killed_run_leaves_one_whole_folder_and_the_next_clears_up(old: Path, step: str, when: str) -> None:
    before = contents(old)
    run = subprocess.run([sys.executable, "-c", KILLED, str(old), step, when], cwd=Path(__file__).parents[2])
    assert run.returncode == -signal.SIGKILL and len([*old.parent.iterdir()]) == 2
    assert contents(old) == (AFTER if (step, when) == ("swap_folders", "after") else before)
    exchange_folder(old, NEW, [old / "CNAME"])
    assert contents(old) == AFTER and [*old.parent.iterdir()] == [old]


def test_after_an_error_everything_is_as_it_was(old: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: Path) -> None:
        raise PermissionError(13, "Permission denied", str(old))

    before = contents(old)
    monkeypatch.setattr(file_writing, "swap_folders", fail)
    with pytest.raises(InputError, match="can't be written: Permission denied"):
        exchange_folder(old, NEW, [])
    assert contents(old) == before and [*old.parent.iterdir()] == [old]


def test_a_link_is_not_exchanged(old: Path, tmp_path: Path) -> None:
    (link := tmp_path / "link").symlink_to(old)
    with pytest.raises(InputError, match="it is not a folder"):
        exchange_folder(link, NEW, [])
    assert link.is_symlink() and (old / "index.html").read_bytes() == b"old"


def test_a_kept_file_whose_folder_has_the_name_of_a_new_file_is_named(old: Path) -> None:
    (old / "index.html").unlink()
    (old / "index.html").mkdir()
    (file := old / "index.html" / "mine.txt").touch()
    with pytest.raises(InputError, match=r"mine\.txt: can't be written: its folder has the name of a new file"):
        exchange_folder(old, NEW, [file])
    assert file.is_file() and [*old.parent.iterdir()] == [old]
