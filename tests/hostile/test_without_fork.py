"""Where there is no fork, as on Windows, a started program reads strangers' files: nothing else is different.

Neither are there users, limits and some signals.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from PIL import Image

ROOT = Path(__file__).resolve().parents[2]
TAKEN = {"os": "fork register_at_fork geteuid O_NOFOLLOW", "signal": "SIGHUP"}
TAKE_AWAY = f"""\
import sys
for module, names in {TAKEN}.items():
    for name in names.split():
        delattr(__import__(module), name)
none = sys.modules["resource"] = type(sys)("resource")
none.RLIMIT_DATA, none.getrlimit, none.setrlimit = 2, lambda kind: (-1, -1), lambda kind, limits: None
"""
TRAP = "from pathlib import Path\nPath({!r}).write_text('')\n"
TRAPS = "json.py", "signal.py", "subprocess.py", "sitecustomize.py", "ppgen/__init__.py", "PIL/__init__.py"
CUT = Path(__file__).parent / "corpus" / "commands" / "cut.png"
FILES = {
    "deck.toml": 'title = "T"\n[cards]\ntable = "cards.csv"\nsize = "poker"\nfront = "card.svg.j2"\n',
    "cards.csv": "id,name,art\na,One,a.png\n",
    "card.svg.j2": '{{ fill("#ffffff") }}{{ image(card.art, 5, 5, 50, 40) }}',
}

pytestmark = pytest.mark.slow


def run_python(folder: Path, *words: str, cwd: Path) -> subprocess.CompletedProcess[str]:
    """Run Python with the program, but without what Windows lacks."""
    (folder / "sitecustomize.py").write_text(TAKE_AWAY, encoding="utf-8")
    surroundings = {**os.environ, "PYTHONPATH": f"{folder}{os.pathsep}{ROOT}", "PPGEN_CACHE_DIR": str(folder / "cache")}
    return subprocess.run([sys.executable, "-P", "-m", *words], cwd=cwd, env=surroundings, capture_output=True,
                          text=True, encoding="utf-8")


def test_a_deck_is_built_or_refused_without_fork_and_no_python_in_its_folder_runs(tmp_path_factory):
    site, deck = tmp_path_factory.mktemp("site"), tmp_path_factory.mktemp("deck")
    ran = site / "ran"
    for name, text in {**FILES, **dict.fromkeys(TRAPS, TRAP.format(str(ran)))}.items():
        (deck / name).parent.mkdir(exist_ok=True)
        (deck / name).write_text(text, encoding="utf-8")
    (deck / "art").mkdir()
    Image.effect_noise((300, 200), 60).convert("RGB").save(deck / "art/a.png")
    for code, line in ((0, ""), (1, "card.svg.j2:1 [a front en]: art/a.png is damaged: image file is truncated")):
        done = run_python(site, "ppgen", "build", "-q", "--only", "cards", cwd=deck)
        assert done.returncode == code and done.stderr.startswith(line), done.stderr
        assert done.stderr.count("\n") == code and not ran.exists()
        shutil.copy(CUT, deck / "art/a.png")
