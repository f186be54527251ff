"""Runs that are stopped: at many moments of the work, by TERM, INT and KILL.

Every visible file is whole, as it was or as it is to be; after TERM and INT all of them are one or the other, nothing
hidden is left, and no traceback is shown; after KILL the next run clears away what is left and does its work. Each
command is stopped at 8 moments: some of them spread over all that it asks of the system, some over the changes that
it makes to files and some over the lines that write, as those are a small part of the work.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

pytestmark = pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork (POSIX)")

ROOT = Path(__file__).resolve().parents[2]
MOMENTS = 8
KINDS = ("event", "file", "event", "line")
SIGNALS = ("SIGTERM", "SIGINT", "SIGKILL")
GAME = """
[[players]]
name = "Andreas"
[[players]]
name = "Beate"
[[players]]
name = "Claus"
"""


def spread() -> list[tuple[str, str, float]]:
    """Signals and moments. The kinds of moments take turns, and the signals."""
    rounds = MOMENTS // len(KINDS)
    return [(SIGNALS[(number + kind) % len(SIGNALS)], KINDS[kind], number / rounds)
            for number in range(rounds) for kind in range(len(KINDS))]


def stopped(tmp_path: Path, before: Path, *words: str) -> dict:
    """What the range reports of a command."""
    (tmp_path / "range").mkdir()
    task = {"words": words, "folder": str(tmp_path / "range"), "before": str(before), "shots": spread()}
    surroundings = {**os.environ, "PYTHONPATH": str(ROOT), "SOURCE_DATE_EPOCH": "1700000000",
                    "XDG_CONFIG_HOME": str(tmp_path / "range" / "work" / "config"), "LANG": "de_DE.UTF-8"}
    done = subprocess.run([sys.executable, str(Path(__file__).with_name("shots.py"))], input=json.dumps(task),
                          capture_output=True, text=True, env=surroundings, timeout=600)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def hidden(state: dict[str, str]) -> list[str]:
    """Files that nobody is to see: our own, and SQLite's, which the next run heeds or removes as well."""
    return [name for name in state if "/." in f"/{name}" or name.endswith("-journal")]


def judge(report: dict) -> None:
    before, after = report["before"], report["after"]
    assert before != after
    for shot in report["shots"]:
        said, state, name = f"{shot['shot']}: {shot['code']} {shot['said']}", shot["state"], shot["shot"][0]
        assert "Traceback" not in said
        whole = {name: digest for name, digest in state.items() if name not in hidden(state) and digest != "folder"}
        for path, digest in whole.items():
            assert digest in (before.get(path), after.get(path)), f"{path} is not whole. {said}"
        assert {path for path, digest in before.items() if digest != "folder"} <= whole.keys(), said
        if name != "SIGKILL":
            assert not hidden(state), said
            assert shot["code"] in (0, 1), said
            assert state == after or (state == before and shot["code"] == 1), said
        elif "next_code" in shot:
            assert (shot["next_code"], shot["next_state"]) == (0, after), (said, shot["next_said"])
    ended = [shot["code"] for shot in report["shots"] if shot["shot"][0] != "SIGKILL"]
    assert ended.count(1) > len(ended) / 2, "they come too late"


def made(tmp_path: Path, process, *runs: tuple[str, ...]) -> Path:
    """A folder in which commands were run."""
    folder = tmp_path / "before"
    folder.mkdir()
    for words in runs:
        done = process(*words, cwd=folder, XDG_CONFIG_HOME=str(folder / "config"), SOURCE_DATE_EPOCH="1600000000")
        assert done.returncode == 0, done.stderr
    return folder


@pytest.mark.slow
def test_a_build_is_stopped(tmp_path, process):
    words = ("build", "--lang", "de", "--only", "tablets", "--quiet")
    before = made(tmp_path, process, words)
    for path in (before / "output").rglob("*.*"):
        path.write_bytes(b"earlier")
    judge(stopped(tmp_path, before, *words))


@pytest.mark.slow
def test_the_saving_of_a_game_is_stopped(tmp_path, process):
    game = tmp_path / "game.toml"
    game.write_text(GAME)
    words = ("score", str(game), "--save", "--history", "games.sqlite3")
    before = made(tmp_path, process, words)
    judge(stopped(tmp_path, before, *words))
