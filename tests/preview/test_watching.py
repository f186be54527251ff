"""What is saved in folders is told, however editors save, and whatever becomes of the folders."""

from __future__ import annotations

import shutil
from pathlib import Path
from threading import Event, Timer

import pytest

from ppgen.assets import shipped_root
from ppgen.preview.album import AlbumState
from ppgen.preview.watching import Saved, format_change, watch_saves
from ppgen.reading.texts import load_texts


@pytest.fixture
def folders(tmp_path: Path) -> tuple[Path, Path]:
    for name in ("data", "templates"):
        (tmp_path / name / "game").mkdir(parents=True)
        (tmp_path / name / "game" / "a.toml").write_text("a")
    return tmp_path / "data", tmp_path / "templates"


@pytest.fixture
def watch(folders, tmp_path):
    """Ends the watch with the test, and tells when it waits for ever."""
    stop = Event()
    limit = Timer(60, stop.set)
    limit.start()
    told = watch_saves(folders, tmp_path / "data" / "output", stop)
    assert next(told).is_start
    yield told
    stop.set()
    limit.cancel()


def later(deed) -> None:
    Timer(0.3, deed).start()


def test_a_save_is_told_while_somebody_waits_for_it(watch, folders):
    later(lambda: (folders[1] / "game" / "a.toml").write_text("another"))
    assert next(watch) == Saved(files=(folders[1] / "game" / "a.toml",))


def test_a_save_in_between_is_not_lost(watch, folders):
    (folders[0] / "game" / "a.toml").write_text("another")
    assert next(watch) == Saved(files=(folders[0] / "game" / "a.toml",))


def test_a_file_that_is_renamed_over_another_is_a_save(watch, folders):
    def save():
        (folders[0] / "game" / ".a.toml.swp").write_text("x")
        (folders[0] / "game" / "a.toml~").write_text("x")
        (folders[0] / "game" / "sed123.tmp").write_text("anoth")
        (folders[0] / "game" / "sed123.tmp").replace(folders[0] / "game" / "a.toml")

    later(save)
    assert next(watch) == Saved(files=(folders[0] / "game" / "a.toml",))


def test_a_burst_is_one_save(watch, folders):
    def save():
        for n in range(20):
            (folders[0] / f"{n}.toml").write_text("new")

    later(save)
    assert len(next(watch).files) == 20


def test_files_in_new_folders_count_and_what_goes_is_told(watch, folders):
    def begin():
        (folders[0] / "game" / "locales").mkdir()
        (folders[0] / "game" / "locales" / "nl.toml").write_text("new")

    later(begin)
    assert next(watch).files == (folders[0] / "game" / "locales" / "nl.toml",)
    later(lambda: shutil.rmtree(folders[0] / "game" / "locales"))
    assert next(watch) == Saved(gone=(folders[0] / "game" / "locales" / "nl.toml",))


def test_pictures_that_are_written_into_a_watched_folder_are_no_saves(watch, folders):
    def write():
        (folders[0] / "output" / "de").mkdir(parents=True)
        (folders[0] / "output" / "de" / "a.png").write_text("picture")
        (folders[0] / "game" / "a.toml").write_text("another")

    later(write)
    assert next(watch).files == (folders[0] / "game" / "a.toml",)


def test_a_folder_may_go_and_come_back(watch, folders):
    aside = folders[0].with_name("aside")
    later(lambda: folders[0].rename(aside))
    assert next(watch).gone == (folders[0] / "game" / "a.toml",)
    later(lambda: aside.rename(folders[0]))
    assert next(watch).files == (folders[0] / "game" / "a.toml",)
    later(lambda: (folders[0] / "game" / "a.toml").write_text("another"))
    assert next(watch).files == (folders[0] / "game" / "a.toml",)


def test_another_folder_in_its_place_is_listened_to(watch, folders):
    def swap():
        folders[0].rename(folders[0].with_name("old"))
        (folders[0] / "game").mkdir(parents=True)
        (folders[0] / "game" / "a.toml").write_text("a of another")

    later(swap)
    assert next(watch).files == (folders[0] / "game" / "a.toml",)
    later(lambda: (folders[0] / "game" / "a.toml").write_text("changed"))
    assert next(watch).files == (folders[0] / "game" / "a.toml",)


@pytest.mark.parametrize(("lang", "line"), [
    ("en", "cards.csv and 1 more saved: 1 face changed (france-1), "
           "6 faces removed (a, b, c, d, e and 1 more) in 0.25 s"),
    ("de", "cards.csv und 1 weitere gespeichert: 1 Bild geändert (france-1), "
           "6 Bilder entfallen (a, b, c, d, e und 1 weitere) in 0,25 s"),
    ("fr", "cards.csv et 1 de plus enregistré\u00a0: 1 face modifiée (france-1), "
           "6 faces supprimées (a, b, c, d, e et 1 de plus) en 0,25 s")])
def test_a_change_is_told_in_the_language_of_the_user(tmp_path, monkeypatch, lang, line):
    monkeypatch.chdir(tmp_path)
    saved = Saved(files=(tmp_path / "cards.csv", tmp_path / "laws.toml"))
    state = AlbumState(albums=(), changed=("france-1",), removed=tuple("abcdef"))
    texts = load_texts(lang, [shipped_root() / "data" / "locales"])
    assert format_change(saved, state, (), 0.25, texts) == line
