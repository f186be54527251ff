"""The wheel holds all that a build needs and nothing of the tests, and works away from the checkout."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tarfile
import venv
import zipfile
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
ASSETS = "ppgen/_assets/"


def pip(*arguments: str | Path, python: Path | str = sys.executable) -> None:
    """Run pip; skip where it finds no package index, fail where it does and something else is wrong."""
    command = [str(python), "-m", "pip", "--quiet", "--disable-pip-version-check", *map(str, arguments)]
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode and any(sign in done.stderr for sign in ("connection broken", "Failed to establish",
                                                               "No matching distribution found for hatchling")):
        pytest.skip("no package index in reach: the wheel can't be built and installed")
    assert done.returncode == 0, done.stderr


def assets(wheel: Path) -> set[str]:
    """The data and template files in a wheel, as they are called in the checkout."""
    with zipfile.ZipFile(wheel) as archive:
        return {name.removeprefix(ASSETS) for name in archive.namelist() if name.startswith(ASSETS)}


def tracked(*folders: str) -> set[str]:
    """The files in the checkout's folders."""
    return {path.relative_to(ROOT).as_posix() for folder in folders for path in (ROOT / folder).rglob("*")
            if path.is_file() and not path.name.startswith(".")}


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("wheel")
    pip("wheel", ROOT, "--no-deps", "--wheel-dir", folder)
    (built,) = folder.glob("ppgen-*.whl")
    return built


@pytest.fixture(scope="module")
def bin_folder(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The programs of a bare environment that the wheel is installed in."""
    folder = tmp_path_factory.mktemp("bare")
    venv.create(folder, with_pip=False, symlinks=os.name != "nt")
    programs = folder / ("Scripts" if os.name == "nt" else "bin")
    pip("--python", programs / "python", "install", wheel)
    return programs


def test_the_wheel_holds_the_data_the_templates_and_the_licences(wheel: Path) -> None:
    assert assets(wheel) == tracked("data", "templates")
    with zipfile.ZipFile(wheel) as archive:
        names = archive.namelist()
    licences = {name.rpartition("/")[2] for name in names if ".dist-info/licenses/" in name}
    assert licences == {"LICENSE", *(path.name for path in (ROOT / "data/fonts").glob("OFL-*.txt"))}
    assert {name.partition("/")[0] for name in names if ".dist-info/" not in name} == {"ppgen"}
    assert not [name for name in names if "/tests/" in name or name.endswith(".pyc")]


def test_the_source_distribution_makes_the_same_wheel(wheel: Path, tmp_path: Path) -> None:
    command = [sys.executable, "-m", "build", "--sdist", "--outdir", str(tmp_path), str(ROOT)]
    done = subprocess.run(command, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    (source,) = tmp_path.glob("ppgen-*.tar.gz")
    with tarfile.open(source) as archive:
        archive.extractall(tmp_path / "source", filter="data")
    (unpacked,) = (tmp_path / "source").iterdir()
    pip("wheel", unpacked, "--no-deps", "--wheel-dir", tmp_path)
    (again,) = tmp_path.glob("ppgen-*.whl")
    with zipfile.ZipFile(wheel) as first, zipfile.ZipFile(again) as second:
        assert sorted(first.namelist()) == sorted(second.namelist())


def test_the_installed_program_prints_from_any_folder(bin_folder: Path, tmp_path: Path) -> None:
    def ppgen(*arguments: str) -> str:
        done = subprocess.run([bin_folder / "ppgen", *arguments], cwd=tmp_path, capture_output=True, text=True,
                              encoding="utf-8")
        assert done.returncode == 0, done.stderr
        return done.stdout

    assert ppgen("--version").startswith("ppgen, version ")
    assert json.loads(ppgen("list", "--json"))["components"]
    ppgen("build", "--lang", "de", "--only", "tokens")
    manifest = json.loads((tmp_path / "output/de/manifest-a4-duplex-tokens.json").read_text(encoding="utf-8"))
    assert [Path(entry["path"]).name for entry in manifest["files"]] == ["tokens-a4-duplex.pdf"]
    assert (tmp_path / "output/de/tokens-a4-duplex.pdf").read_bytes().startswith(b"%PDF-")
