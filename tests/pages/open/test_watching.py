"""What is saved in folders is told, however editors save, and whatever becomes of the folders."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from threading import Event, Timer

import pytest

from ppgen.pages.open import watching
from ppgen.pages.open.album import AlbumState
from ppgen.pages.open.watching import Saved, format_change, watch_saves


@pytest.fixture
def folders(tmp_path: Path) -> tuple[Path, Path]:
    for name in ("data", "templates"):
        (tmp_path / name / "game").mkdir(parents=True)
        (tmp_path / name / "game" / "a.toml").write_text("a")
    return tmp_path / "data", tmp_path / "templates"


class Steps(Event):
    """A request to stop that never comes: at each wait, the next of several things is done to the folders instead."""

    def __init__(self, *steps: Callable[[], object]) -> None:
        super().__init__()
        self.steps = [*steps]

    def wait(self, timeout: float | None = None) -> bool:
        assert self.steps, "nothing more is done, and nothing was told"
        self.steps.pop(0)()
        return False


def nothing() -> None:
    """The wait that ends a burst."""


@pytest.fixture
def watch(folders, tmp_path):
    """Watches the folders, in whose waits things are done: given(things) → what is told."""
    def begin(*steps: Callable[[], object]) -> Iterator[Saved]:
        told = watch_saves(folders, tmp_path / "data" / "output", Steps(*steps))
        assert next(told).is_start
        return told

    return begin


def test_a_save_is_told_while_somebody_waits_for_it(folders, tmp_path):
    stop, file = Event(), folders[1] / "game" / "a.toml"
    limit, saving = Timer(60, stop.set), Timer(0.1, lambda: file.with_name("a.tmp").replace(file))
    told = watch_saves(folders, tmp_path / "data" / "output", stop)
    assert next(told).is_start
    file.with_name("a.tmp").write_text("another")
    limit.start()
    saving.start()
    assert next(told) == Saved(files=(file,))
    limit.cancel()


def test_a_save_in_between_is_not_lost(watch, folders):
    told = watch(nothing, nothing)
    (folders[0] / "game" / "a.toml").write_text("another")
    assert next(told) == Saved(files=(folders[0] / "game" / "a.toml",))


def test_a_file_that_is_renamed_over_another_is_a_save(watch, folders):
    home = folders[0] / "game"
    assert next(watch(
        lambda: (home / ".a.toml.swp").write_text("x"), lambda: (home / "a.toml~").write_text("x"),
        lambda: (home / "sed123.tmp").write_text("anoth"), lambda: (home / "sed123.tmp").replace(home / "a.toml"),
        nothing)) == Saved(files=(home / "a.toml",))


def test_a_burst_is_one_save(watch, folders, monkeypatch):
    monkeypatch.setattr(watching, "MAX_BURST_S", 60)
    told = watch(*(lambda n=n: (folders[0] / f"{n}.toml").write_text("new") for n in range(20)), nothing)
    assert len(next(told).files) == 20


def test_files_in_new_folders_count_and_what_goes_is_told(watch, folders):
    new = folders[0] / "game" / "locales"
    told = watch(new.mkdir, lambda: (new / "nl.toml").write_text("new"), nothing, lambda: shutil.rmtree(new), nothing)
    assert next(told) == Saved(files=(new / "nl.toml",))
    assert next(told) == Saved(gone=(new / "nl.toml",))


def test_pictures_that_are_written_into_a_watched_folder_are_no_saves(watch, folders):
    output, file = folders[0] / "output" / "de", folders[0] / "game" / "a.toml"
    told = watch(lambda: output.mkdir(parents=True), lambda: (output / "a.png").write_text("picture"),
                 lambda: file.write_text("another"), nothing)
    assert next(told) == Saved(files=(file,))


def test_a_folder_may_go_and_come_back_and_another_may_come_in_its_place(watch, folders):
    data, aside, file = folders[0], folders[0].with_name("aside"), folders[0] / "game" / "a.toml"

    def bring_another() -> None:
        data.rename(aside)
        file.parent.mkdir(parents=True)
        file.write_text("a of another")

    told = watch(lambda: data.rename(aside), nothing, lambda: aside.rename(data), nothing,
                 lambda: file.write_text("another"), nothing, bring_another, nothing,
                 lambda: file.write_text("changed"), nothing)
    assert next(told) == Saved(gone=(file,))
    assert [next(told) for _ in range(4)] == [Saved(files=(file,))] * 4


def test_a_change_is_told_with_its_files_and_faces(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    saved = Saved(files=(tmp_path / "cards.csv", tmp_path / "laws.toml"))
    state = AlbumState(albums=(), changed=("france-1",), removed=tuple("abcdef"))
    assert format_change(saved, state, 0.25) == (
        "cards.csv and 1 more saved: 1 face changed (france-1), 6 faces removed (a, b, c, d, e and 1 more) in 0.25 s")
