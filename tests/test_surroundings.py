"""The same input gives the same bytes, whatever surrounds it: two very different surroundings write the same files."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import venv
from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from ppgen.shipped import INSTALLED

ROOT = Path(__file__).resolve().parents[1]
COMMANDS = (
    "build --lang ja --only stones --only score-sheet --only calibration --ink low --flip short --json",
    "export tts --lang de --only stones --base-url https://example.org/x --json",
    "export tabletopia --lang de --only stones --quiet",
    "export cut --lang de --only stones --only box --marks silhouette --quiet",
    "new deck --starter word-game --quiet",
    "build --data deck --only rules --output deck/output --paper letter --json",
    "export png --data deck --only rain --dpi 72 --output deck/output --json",
)
"""Of each kind of file one: pieces, forms, booklets, pictures, a table's JSON, machines' SVG and DXF, archives."""
ALL = """
import sys
from ppgen.cli.program import main
for words in sys.argv[1:]:
    main(words.split(), standalone_mode=False)
"""


def written_in(folder: Path, python: Path, program: Path, mask: int, **surroundings: str) -> Mapping[str, bytes]:
    """All files and printed data of a program that is run there with nothing of our own surroundings."""
    folder.mkdir(parents=True)
    done = subprocess.run([python, "-c", ALL, *COMMANDS], cwd=folder, capture_output=True, timeout=300, umask=mask,
                          env={"PATH": os.environ["PATH"], "PYTHONPATH": str(program), **surroundings})
    assert done.returncode == 0, done.stderr.decode()
    return {"stdout": done.stdout} | {path.relative_to(folder).as_posix(): path.read_bytes()
                                      for path in sorted(folder.rglob("*")) if path.is_file()}


@pytest.mark.slow
@pytest.mark.skipif(os.name == "nt", reason="there is no umask")
def test_two_very_different_surroundings_write_the_same_bytes(tmp_path):
    elsewhere = tmp_path / "an other" / "program"  # another copy of the program, run by another environment
    for name in ("ppgen", "data", "templates", INSTALLED):
        shutil.copytree(ROOT / name, elsewhere / name)
    shutil.copy(ROOT / "pyproject.toml", elsewhere)
    venv.create(tmp_path / "environment", symlinks=True)
    (site_packages,) = (tmp_path / "environment").glob("lib/python*/site-packages")
    packages = [path for path in sys.path if path.endswith("packages")]
    (site_packages / "packages.pth").write_text("\n".join(packages), encoding="utf-8")
    home = tmp_path / "Zuhause ö"
    (home / "tmp").mkdir(parents=True)
    with ThreadPoolExecutor() as both:
        plain = both.submit(written_in, tmp_path / "a", Path(sys.executable), ROOT, 0o022, PYTHONHASHSEED="1", LANG="C",
                            TZ="UTC", HOME=str(tmp_path), COLUMNS="80", PYTHONIOENCODING="utf-8")
        strange = both.submit(
            written_in, tmp_path / "in a folder" / "漢字", tmp_path / "environment" / "bin" / "python", elsewhere,
            0o077, PYTHONHASHSEED="31337", LANG="tr_TR.UTF-8", LC_ALL="ja_JP.UTF-8", TZ="Pacific/Kiritimati",
            HOME=str(home), TMPDIR=str(home / "tmp"), COLUMNS="200", TERM="dumb", NO_COLOR="1", PYTHONUTF8="1",
            PYTHONIOENCODING="utf-8", OMP_NUM_THREADS="1", RAYON_NUM_THREADS="1", USER="nobody", HOSTNAME="elsewhere")
    one, other = plain.result(), strange.result()
    assert sorted(one) == sorted(other)
    assert [name for name in one if one[name] != other[name]] == []
    endings = {Path(name).suffix for name in one if Path(name).parent.name}
    assert {".pdf", ".json", ".png", ".svg", ".dxf"} <= endings
