"""Spoilt files of every kind, and all that ever broke something: a result or an InputError, nothing else, and soon."""

from __future__ import annotations

import os
import re
import subprocess
from collections import defaultdict
from dataclasses import replace
from pathlib import Path

import pytest

from ppgen.shipped import shipped_root
from tools.fuzz import fuzz_reader, hunt, run
from tools.fuzz_readers import CELLS, MAPS, READERS, TABLES, WORDS

ROOT = Path(__file__).resolve().parents[2]
CORPUS = Path(__file__).parent / "corpus"
COMMANDS = CORPUS / "commands"
"""Files for ``test_corpus.py``, as ``commands.toml`` is."""
FAILURES = sorted(path.relative_to(CORPUS).as_posix() for path in CORPUS.rglob("*")
                  if path.is_file() and path.parent != CORPUS and not path.is_relative_to(COMMANDS))
SEED = 1
PART = 40
"""A fortieth of the files is tried; ``tools/fuzz.py`` hunts with all."""


SHIPPED = {*TABLES, *WORDS, *CELLS, *MAPS}


@pytest.mark.slow
@pytest.mark.parametrize("name", sorted(READERS.keys() - SHIPPED | {"sizes.toml", "board_game/board.toml"}))
def test_the_file_that_others_are_made_of_is_accepted(name):
    """Else nothing behind the first check would ever be reached. With one shipped file all of its game are read."""
    READERS[name].read(READERS[name].valid())


@pytest.mark.parametrize("name", sorted(SHIPPED))
def test_shipped_files_are_what_others_are_made_of(name):
    assert READERS[name].valid() == (shipped_root() / "data" / name).read_bytes()


@pytest.mark.slow
@pytest.mark.parametrize("name", READERS)
def test_spoilt_files_break_nothing(name, tmp_path):
    hunt(READERS[name], max(1, READERS[name].runs // PART), SEED, tmp_path / "last")


@pytest.mark.slow
@pytest.mark.parametrize("path", FAILURES)
def test_what_once_failed_breaks_nothing(path):
    run(READERS[Path(path).parent.as_posix()].read, (CORPUS / path).read_bytes())


def test_every_data_file_has_a_reader():
    of_other_langs = re.compile(r"/(de|fr|nl|da|ja)\.toml$")
    files = {path.relative_to(shipped_root() / "data").as_posix() for pattern in ("*.toml", "*.csv")
             for path in (shipped_root() / "data").rglob(pattern)}
    files = {path for path in files if not of_other_langs.search(path)
             and not path.startswith(("starters/", "looks/", "parts/"))}
    # read from ppgen's own folder alone
    files -= {"first_layout.toml", "help/en.toml", "open_page/en.toml", "presets.toml"}
    files -= {"board_game/scenery.toml"}  # read by tools alone
    assert files == {*TABLES, *WORDS, *CELLS, "fonts/fonts.toml"} & set(READERS)


@pytest.mark.slow
def test_a_fault_is_seen_and_made_small(tmp_path):
    """The fuzzing itself works: what is no InputError, or takes long, is passed on; the same for a seed."""
    tried = defaultdict(list)

    def fault(document):
        tried[seed].append(document)
        if b"t" in document:
            raise KeyError(document)

    for seed in (1, 2):
        with pytest.raises(KeyError):
            hunt(replace(READERS["any.toml"], read=fault), 500, seed, tmp_path / "last")
        assert (tmp_path / "last").read_bytes() in (b"t", b"true", b"\t")
    assert tried[1][:30] != tried[2][:30]
    first, seed = tried.pop(1), 1
    with pytest.raises(KeyError):
        hunt(replace(READERS["any.toml"], read=fault), 500, seed, tmp_path / "last")
    assert tried[1] == first


@pytest.mark.slow
def test_a_hunt_keeps_the_file_over_which_the_process_crashed_and_nothing_else(tmp_path, monkeypatch, capfd):
    (tmp_path / "sitecustomize.py").write_text(
        "import os\nfrom ppgen.cli import score as ask\nask._load_draft = lambda *asked: os.abort()\n",
        encoding="utf-8")
    folder = tmp_path / "hunt"
    folder.mkdir()
    monkeypatch.chdir(folder)
    monkeypatch.setenv("PYTHONPATH", f"{tmp_path}{os.pathsep}{ROOT}")
    assert not fuzz_reader("score-draft.json", 0.1, 7)
    found = re.fullmatch(r"score-draft\.json: ended by signal 6: (crash-\w+-score-draft\.json)\n",
                         capfd.readouterr().out)
    assert [path.name for path in folder.iterdir()] == [found[1]]
    monkeypatch.setattr(subprocess, "run", lambda words: subprocess.CompletedProcess(words, 0))
    assert fuzz_reader("score-draft.json", 0.1, 7)
