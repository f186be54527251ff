"""The wheel holds all that a build needs and nothing of the tests, and works away from the checkout."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
import tarfile
import tomllib
import venv
import zipfile
from importlib.metadata import distribution
from pathlib import Path

import jinja2
import pytest

from ppgen.engine.drawing.templates import compile_templates
from ppgen.engine.guard.template_environment import INSTALLED

pytestmark = pytest.mark.slow

ROOT = Path(__file__).resolve().parents[1]
ASSETS = "ppgen/_assets/"


IMPORT = re.compile(r"^ *(?:import (?=[\w.]+(?: as \w+)?(?:$|  #))|from (?=[\w.]+ import ))(\w+)", re.MULTILINE)
LEFT_OUT = ("templates/skins/manuscript", "templates/skins/woodcut")


def run(*command: str | Path, cwd: Path = ROOT) -> None:
    """Run a module of Python."""
    done = subprocess.run([sys.executable, "-m", *map(str, command)], cwd=cwd, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr


def test_templates_are_compiled_by_a_jinja2_that_may_run_them():
    """The bound of the build system is that of the program: older ones have ways out of the sandbox."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    bounds = [next(each for each in names if each.startswith("jinja2"))
              for names in (project["build-system"]["requires"], project["project"]["dependencies"])]
    assert bounds[0] == bounds[1]


def assets(wheel: Path) -> set[str]:
    """The data and template files in a wheel, as they are called in the checkout."""
    with zipfile.ZipFile(wheel) as archive:
        return {name.removeprefix(ASSETS) for name in archive.namelist()
                if name.startswith(ASSETS) and not name.startswith(ASSETS + INSTALLED)}


def tracked(*folders: str) -> set[str]:
    """The files in the checkout's folders."""
    return {path.relative_to(ROOT).as_posix() for folder in folders for path in (ROOT / folder).rglob("*")
            if path.is_file() and not path.name.startswith(".")}


@pytest.fixture(scope="module")
def sdist(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A source distribution."""
    run("hatchling", "build", "-t", "sdist", "-d", folder := tmp_path_factory.mktemp("built"))
    (built,) = folder.glob("ppgen-*.tar.gz")
    return built


@pytest.fixture(scope="module")
def wheel(sdist: Path) -> Path:
    """A wheel made of the source distribution without most skins, which take long to compile."""
    with tarfile.open(sdist) as packed:
        packed.extractall(sdist.parent, filter="data")
    (source,) = sdist.parent.glob("ppgen-*/")
    for skin in LEFT_OUT:
        shutil.rmtree(source / skin)
    run("hatchling", "build", "-t", "wheel", "-d", sdist.parent, cwd=source)
    (built,) = sdist.parent.glob("ppgen-*.whl")
    return built


@pytest.fixture(scope="module")
def bin_folder(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The programs of a bare environment that the wheel is installed in, and that borrows what the wheel requires."""
    folder = tmp_path_factory.mktemp("bare")
    venv.create(folder, with_pip=False, symlinks=os.name != "nt")
    programs = folder / ("Scripts" if os.name == "nt" else "bin")
    run("pip", "--quiet", "--disable-pip-version-check", "--python", programs / "python", "install", "--no-deps",
        "--no-compile", wheel)
    (packages,) = {path.parent for path in folder.rglob("ppgen") if (path / "__init__.py").is_file()}
    lent = sorted({str(Path(distribution(name).locate_file("")).resolve()) for name in required(wheel)})
    (packages / "lent.pth").write_text("\n".join(lent), encoding="utf-8")
    return programs


def required(wheel: Path) -> set[str]:
    """The distributions that the wheel requires, without the extras."""
    with zipfile.ZipFile(wheel) as archive:
        (name,) = (name for name in archive.namelist() if name.endswith(".dist-info/METADATA"))
        lines = archive.read(name).decode("utf-8").splitlines()
    found = (re.match(r"Requires-Dist: ([\w.-]+)", line) for line in lines if "extra ==" not in line)
    return {normal(match[1]) for match in found if match}


def normal(name: str) -> str:
    """A distribution's name as PEP 503 compares it."""
    return re.sub(r"[-_.]+", "-", name).lower()


def test_the_wheel_requires_every_package_that_is_imported_and_no_other(wheel: Path) -> None:
    sources = (path.read_text(encoding="utf-8") for path in (ROOT / "ppgen").rglob("*.py"))
    names = {name for source in sources for name in IMPORT.findall(source)} - sys.stdlib_module_names - {"ppgen"}
    homes = {name: {file.parts[0].removesuffix(".py") for file in distribution(name).files or ()}
             for name in required(wheel)}
    assert names <= set().union(*homes.values()) and all(names & packages for packages in homes.values())


def test_the_wheel_holds_the_data_the_templates_and_the_licences(wheel: Path) -> None:
    assert assets(wheel) == {name for name in tracked("data", "templates") if not name.startswith(LEFT_OUT)}
    with zipfile.ZipFile(wheel) as archive:
        names = archive.namelist()
    licences = {name.rpartition("/")[2] for name in names if ".dist-info/licenses/" in name}
    assert licences == {"LICENSE", *(path.name for path in (ROOT / "data").rglob("OFL-*.txt"))}
    assert {name.partition("/")[0] for name in names if ".dist-info/" not in name} == {"ppgen"}
    beside = {name for name in tracked("ppgen") if not name.endswith((".py", ".pyc"))}  # scripts and the like
    assert "ppgen/games/card_game/score.js" in beside
    assert beside <= set(names)
    assert not [name for name in names if "/tests/" in name or name.endswith(".pyc")]


def test_the_source_distribution_holds_all_that_a_wheel_is_made_of(sdist: Path) -> None:
    with tarfile.open(sdist) as packed:
        names = {name.partition("/")[2] for name in packed.getnames()}
    made_of = {name for name in tracked("ppgen", "data", "templates") if not name.endswith(".pyc")}
    assert made_of | {"pyproject.toml", "hatch_build.py", "README.md", "LICENSE", "tests/test_wheel.py"} <= names
    assert not [name for name in names if name.endswith(".pyc")]


def test_the_wheel_holds_what_its_templates_are_compiled_to(wheel: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(jinja2.Environment, "compile", lambda *_, **__: "")  # names alone
    with zipfile.ZipFile(wheel) as archive:
        names = {name.removeprefix(ASSETS + INSTALLED + "/") for name in archive.namelist()
                 if name.startswith(ASSETS + INSTALLED)}
    (source,) = wheel.parent.glob("ppgen-*/templates")
    assert names == {name for name, _ in compile_templates(source)}


def test_the_installed_program_prints_from_any_folder_with_its_compiled_templates(bin_folder: Path, tmp_path: Path
                                                                                   ) -> None:
    surroundings = {**os.environ, "PYTHONDONTWRITEBYTECODE": ""}

    def ppgen(*arguments: str) -> str:
        done = subprocess.run([bin_folder / "ppgen", *arguments], cwd=tmp_path, capture_output=True, text=True,
                              encoding="utf-8", env=surroundings)
        assert done.returncode == 0, done.stderr
        return done.stdout

    assert ppgen("--version").startswith("ppgen, version ")
    ppgen("build", "--lang", "de", "--only", "tablets", "--no-cache")
    assert list(bin_folder.parent.rglob(f"{INSTALLED}/__pycache__/*.pyc")), "they are run as any module"
    manifest = json.loads((tmp_path / "output/de/manifest-a4-duplex-tablets.json").read_text(encoding="utf-8"))
    assert [Path(entry["path"]).name for entry in manifest["files"]] == ["tablets-a4-duplex.pdf"]
    assert (tmp_path / "output/de/tablets-a4-duplex.pdf").read_bytes().startswith(b"%PDF-")
