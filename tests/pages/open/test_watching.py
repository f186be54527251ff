"""What is saved in folders is told, however editors save, and whatever becomes of the folders."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from threading import Event, Timer

import pytest

from ppgen.pages.open.album import Saved, watch_saves


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
        assert next(told) == Saved()
        return told

    return begin


def test_a_save_is_told_while_somebody_waits_for_it(folders, tmp_path):
    stop, file = Event(), folders[1] / "game" / "a.toml"
    limit, saving = Timer(60, stop.set), Timer(0.1, lambda: file.with_name("a.tmp").replace(file))
    told = watch_saves(folders, tmp_path / "data" / "output", stop)
    assert next(told) == Saved()
    file.with_name("a.tmp").write_text("another")
    limit.start()
    saving.start()
    assert next(told) == Saved(files=(file,))
    limit.cancel()


def test_a_file_that_is_renamed_over_another_is_a_save(watch, folders):
    home = folders[0] / "game"
    assert next(watch(
        lambda: (home / ".a.toml.swp").write_text("x"), lambda: (home / "a.toml~").write_text("x"),
        lambda: (home / "sed123.tmp").write_text("anoth"), lambda: (home / "sed123.tmp").replace(home / "a.toml"),
        nothing)) == Saved(files=(home / "a.toml",))


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
