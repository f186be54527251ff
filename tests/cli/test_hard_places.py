"""Where writing fails or is not alone: full disks, folders that may not be written, no home, several runs at once."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

pytestmark = [pytest.mark.skipif(os.name != "posix", reason="needs POSIX permissions and limits"),
              pytest.mark.usefixtures("own_cache")]  # it is written in hard places, too

ROOT = Path(__file__).resolve().parents[2]
IS_ROOT = hasattr(os, "geteuid") and os.geteuid() == 0
LIKE_OTHERS = ["setpriv", "--bounding-set=-all"] if IS_ROOT else []
"""Takes from root what lets it write anywhere."""
MOUNT = next((["unshare", option] for option in ("-m", "-rm") if shutil.which("unshare") and not subprocess.run(
    ["unshare", option, "mount", "-t", "tmpfs", "none", "/mnt"], capture_output=True).returncode), [])
"""Gives a process mounts of its own."""
GAME = "".join(f'[[players]]\nname = "{name}"\n' for name in ("Andreas", "Beate", "Claus"))
WRITING = [
    ("build", "--lang", "de", "--only", "stones", "--output", "PLACE"),
    ("export", "cut", "--lang", "de", "--only", "stones", "--output", "PLACE"),
    ("new", "PLACE/deck", "--starter", "empty"),
    ("score", "game.toml", "--save", "--history", "PLACE/h.sqlite3"),
    ("score", "game.toml", "--sheet", "PLACE/sheet.pdf"),
    ("score", "--template", "toml", "-o", "PLACE/game.toml"),
    ("printer", "save", "home", "--back-offset", "1,1"),
]
"""Every door by which files come into a place."""
RUNS = """
import json, sys
from click.testing import CliRunner
from ppgen.cli.program import main

def run(words):
    done = CliRunner().invoke(main, words)
    return done.exit_code, done.stdout, done.stderr
"""
IN_PLACE = f"{RUNS}json.dump([run(words) for words in json.loads(sys.argv[1])], sys.stdout)"
ON_FULL_DISKS = RUNS + """
import os, shutil, subprocess

said = []
for number, (words, free) in enumerate(json.loads(sys.argv[1])):
    subprocess.run(["mount", "-t", "tmpfs", "-o", "size=40k", "none", "place"], check=True)
    shutil.copytree("earlier", "place", dirs_exist_ok=True)
    fill = os.open("place/fill", os.O_WRONLY | os.O_CREAT)
    try:
        while os.write(fill, bytes(1024)): pass
    except OSError:
        os.ftruncate(fill, os.fstat(fill).st_size - 1024 * free)
    os.close(fill)
    said.append(run(words))
    os.remove("place/fill")
    shutil.copytree("place", f"after-{number}")
    subprocess.run(["umount", "--lazy", "place"], check=True)
json.dump(said, sys.stdout)
"""


def surroundings(tmp_path: Path, **more: str) -> dict[str, str]:
    return {**{name: value for name, value in os.environ.items() if not name.startswith("XDG_")},
            "PYTHONPATH": str(ROOT), "LANG": "en_GB.UTF-8", "HOME": str(tmp_path / "none"), **more}


def several(code: str, runs: list, cwd: Path, before: list[str], **more: str) -> list[tuple[int, str, str]]:
    """Several commands in one process of its own: of each its exit code, and what went to stdout and to stderr."""
    done = subprocess.run([*before, sys.executable, "-c", code, json.dumps(runs)], cwd=cwd, capture_output=True,
                          text=True, timeout=300, env=surroundings(cwd, **more))
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def told(run: tuple[int, str, str]) -> None:
    """It failed, and says so in a line of its own words."""
    code, _, said = run
    assert (code, "Traceback" in said) == (1, False), said
    assert ": " in said.splitlines()[-1] and ".ppgen-" not in said


def placed(words: tuple[str, ...], place: Path) -> list[str]:
    return [word.replace("PLACE", str(place)) for word in words]


@pytest.fixture
def game(tmp_path):
    (tmp_path / "game.toml").write_text(GAME)
    return tmp_path


@pytest.mark.slow
@pytest.mark.skipif(IS_ROOT and not shutil.which("setpriv"), reason="root needs setpriv to be like others")
def test_a_folder_that_may_not_be_written(game):
    place = game / "place"
    place.mkdir()
    place.chmod(0o555)
    try:
        for run in several(IN_PLACE, [placed(words, place) for words in WRITING], game, LIKE_OTHERS,
                           XDG_CONFIG_HOME=str(place / "config")):
            told(run)
        assert list(place.iterdir()) == []
    finally:
        place.chmod(0o755)


@pytest.mark.skipif(IS_ROOT and not shutil.which("setpriv"), reason="root needs setpriv to be like others")
@pytest.mark.slow
def test_without_a_home(game):
    """Reading works, and keeping is told."""
    game.chmod(0o555)
    try:
        *readings, score, printer = several(IN_PLACE, [line.split() for line in (
            "list", "printer list", "history list", "history undo", "score game.toml", "score game.toml --save",
            "printer save home --back-offset 1,1")], game, LIKE_OTHERS)
        assert [code for code, *_ in readings] == [0] * 5, readings
        told(score)
        told(printer)
    finally:
        game.chmod(0o755)
    assert [path.name for path in game.iterdir()] == ["game.toml"]


@pytest.mark.slow
@pytest.mark.skipif(not MOUNT, reason="no file systems may be mounted here")
def test_a_full_disk(game):
    """The earlier files stay; of 40 kB so many are free."""
    place = game / "place"
    kept = {"printers.toml": '[old]\nback-offset = "1,1"\nback-rotation = 0\nrulers = "100,100"\n', "mine.txt": "mine"}
    (game / "earlier" / "ppgen").mkdir(parents=True)
    for name, text in kept.items():
        (game / "earlier" / "ppgen" / name).write_text(text)
    place.mkdir()
    trials = [(WRITING[door], free) for door, free in ((0, 8), (2, 0), (2, 8), (3, 0), (3, 8), (6, 0), (6, 8))]
    said = several(ON_FULL_DISKS, [(placed(words, place), free) for words, free in trials], game, MOUNT,
                   XDG_CONFIG_HOME=str(place))
    for number, ((words, free), run) in enumerate(zip(trials, said, strict=True)):
        after = game / f"after-{number}"
        left = [path for path in after.rglob("*") if path.is_file() and path.name not in kept]
        assert not [path for path in left if path.name.startswith(".")]
        if words[0] == "printer" and free:
            assert run[0] == 0, run
        else:
            told(run)
            assert {name: (after / "ppgen" / name).read_text() for name in kept} == kept
            assert sum(path.stat().st_size for path in left) == 0


def at_once(count: int, cwd: Path, *words: str, **more: str) -> list[tuple[int, str]]:
    """So many runs at the same time; ``N`` in the words is the number of each. Their exit codes and what they said."""
    runs = [subprocess.Popen([sys.executable, "-m", "ppgen", *(word.replace("N", str(number)) for word in words)],
                             cwd=cwd, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True,
                             env=surroundings(cwd, **more)) for number in range(count)]
    said = [run.communicate(timeout=120)[1] for run in runs]
    return [(run.returncode, words) for run, words in zip(runs, said, strict=True)]


@pytest.mark.slow
def test_two_builds_at_once_are_like_one(desk, tmp_path):
    words = ("build", "--lang", "de", "--only", "stones", "--quiet", "--output")
    assert at_once(2, tmp_path, *words, "both") == [(0, ""), (0, "")]
    desk.run(*words, "alone")
    both, alone = ({path.relative_to(tmp_path / name): path.read_bytes()
                    for path in (tmp_path / name).rglob("*") if path.suffix == ".pdf"} for name in ("both", "alone"))
    assert both == alone
    assert not list((tmp_path / "both").rglob(".*"))


@pytest.mark.slow
def test_printers_saved_at_once_are_all_kept(tmp_path):
    config = tmp_path / "config"
    done = at_once(3, tmp_path, "printer", "save", "pN", "--back-offset", "1,N", "--quiet", XDG_CONFIG_HOME=str(config))
    assert done == [(0, "")] * 3
    assert set(tomllib.loads((config / "ppgen" / "printers.toml").read_text())) == {"p0", "p1", "p2"}
