"""``ppgen build --clean``: what earlier builds left goes, and nothing else, whatever a manifest says."""

from __future__ import annotations

import hashlib
import itertools
import json
from pathlib import Path

import pytest

from ppgen.printing.manifest import StaleOutputs, dump_manifest, find_stale_outputs

OLD = b"%PDF-1.5 of an earlier build"


@pytest.fixture
def folder(tmp_path):
    """The folder of a language with a file of an earlier build, and a file of the user's beside and above it."""
    folder = tmp_path / "output" / "de"
    folder.mkdir(parents=True)
    for path in (folder / "cards-a4-fold.pdf", folder / "notes.pdf", folder.parent / "cards-a4-fold.pdf"):
        path.write_bytes(OLD)
    return folder


def entry(path="output/de/cards-a4-fold.pdf", part="cards", content=OLD):
    return {"path": path, "part": part, "sha256": hashlib.sha256(content).hexdigest()}


def manifest(folder: Path, *files, name="manifest-a4-fold.json", **changes):
    document = {"version": "0.1.0", "game": "card-game", "lang": "de", "files": list(files), **changes}
    (folder / name).write_text(dump_manifest(document), encoding="utf-8")


def test_what_a_manifest_names_goes_with_it(folder):
    manifest(folder, entry())
    assert find_stale_outputs(folder, "card-game",
                              []) == StaleOutputs(unchanged=("cards-a4-fold.pdf", "manifest-a4-fold.json"))


def test_a_file_that_was_changed_since_stays(folder):
    manifest(folder, entry(content=b"as it was built"))
    assert find_stale_outputs(folder, "card-game", []) == StaleOutputs(unchanged=("manifest-a4-fold.json",),
                                                                       changed=("cards-a4-fold.pdf",))


@pytest.mark.parametrize("bad", [
    entry("output/de/notes.pdf"), entry("output/de/notes.pdf", "n"), entry("output/de/../cards-a4-fold.pdf"),
    entry("../cards-a4-fold.pdf"), entry("/etc/cards-a4-fold.pdf"), entry("cards-a4-fold.pdf"),
    entry("output/en/cards-a4-fold.pdf"), entry("output/de/cards-a4-fold.pdf/.."), entry("output/de/cards-\0.pdf"),
    entry("output/de/cards-" + "x" * 5000 + ".pdf"), entry("output/de/cards-\\..\\..\\x.pdf"), entry(""),
    {"path": 1, "part": 2, "sha256": 3}, {}, 7, None, "cards", ["output/de/cards-a4-fold.pdf"],
], ids=itertools.count())
def test_a_path_that_leads_elsewhere_is_not_followed(folder, bad):
    manifest(folder, bad)
    found = find_stale_outputs(folder, "card-game", [])
    assert not found.changed
    assert set(found.unchanged) <= {"manifest-a4-fold.json"}


@pytest.mark.parametrize("changes", [
    {"game": "board-game"}, {"lang": "en"}, {"lang": ["de"]}, {"files": None}, {"files": "output"},
    {"files": {"a": 1}}])
def test_a_manifest_of_something_else_counts_for_nothing(folder, changes):
    manifest(folder, entry(), **changes)
    assert find_stale_outputs(folder, "card-game", []) == StaleOutputs()


def test_a_manifest_that_somebody_wrote_in_counts_for_nothing(folder):
    manifest(folder, entry())
    path = folder / "manifest-a4-fold.json"
    path.write_text(json.dumps(json.loads(path.read_text(encoding="utf-8"))), encoding="utf-8")
    assert find_stale_outputs(folder, "card-game", []) == StaleOutputs()


def test_links_stay_and_are_not_followed(folder, tmp_path):
    manifest(folder, entry(), entry("output/de/cards-b.pdf"))
    (folder / "cards-b.pdf").symlink_to(folder / "notes.pdf")
    assert "cards-b.pdf" not in find_stale_outputs(folder, "card-game", []).unchanged
    (folder / "manifest-link.json").symlink_to(folder / "manifest-a4-fold.json")
    assert "manifest-link.json" not in find_stale_outputs(folder, "card-game", []).unchanged
    (tmp_path / "elsewhere").mkdir()
    linked = tmp_path / "elsewhere" / "de"
    linked.symlink_to(folder)
    assert find_stale_outputs(linked, "card-game", []) == StaleOutputs()


def test_a_folder_or_a_pipe_in_a_files_place_stays(folder):
    import os

    (folder / "cards-a4-fold.pdf").unlink()
    os.mkfifo(folder / "cards-a4-fold.pdf")
    (folder / "cards-b.pdf").mkdir()
    manifest(folder, entry(), entry("output/de/cards-b.pdf"))
    assert find_stale_outputs(folder, "card-game", []) == StaleOutputs(unchanged=("manifest-a4-fold.json",))


def test_a_clean_build_leaves_its_own_files_and_those_of_the_user(desk):
    build = ("build", "--lang", "de", "--only", "tablets")
    assert desk.ppgen(*build, "--backs", "fold").exit_code == 0
    assert desk.ppgen(*build, "--backs", "none").exit_code == 0
    folder = desk.folder / "output" / "de"
    (folder / "notes.txt").write_text("mine")
    (folder / "tablets-a4-none.pdf").write_bytes(b"with a note of mine")
    dry = desk.ppgen(*build, "--clean", "--dry-run")
    assert len(desk.files()) == 5
    done = desk.ppgen(*build, "--clean")
    assert sorted(path.name for path in folder.iterdir()) == [
        "manifest-a4-duplex-tablets.json", "notes.txt", "tablets-a4-duplex.pdf", "tablets-a4-none.pdf"]
    assert "Removed: output/de/tablets-a4-fold.pdf\n" in done.stderr
    assert "Would be removed: output/de/tablets-a4-fold.pdf\n" in dry.stderr
    assert "output/de/tablets-a4-none.pdf is kept" in done.stderr


@pytest.mark.parametrize("nth", [1, 2, 3, 4])
def test_an_interrupted_clean_build_leaves_all_as_it_was(desk, monkeypatch, nth):
    assert desk.ppgen("build", "--lang", "de", "--only", "tablets", "--backs", "fold").exit_code == 0
    before, calls, replace = desk.files(), [], Path.replace

    def breaks(self, target):
        calls.append(target)
        if len(calls) == nth:
            raise KeyboardInterrupt
        return replace(self, target)

    monkeypatch.setattr(Path, "replace", breaks)
    assert desk.ppgen("build", "--lang", "de", "--only", "tablets", "--clean").exit_code == 1
    assert desk.files() == before
