"""The wheel that pip builds in isolation has each file of the checkout and a module for each template, and prints the
same bytes with the oldest and the newest Python of this machine, each in a bare environment."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import tarfile
import tomllib
import zipfile
from concurrent.futures import ThreadPoolExecutor
from functools import cache
from importlib.metadata import distribution, distributions
from pathlib import Path

import jinja2
import pytest

from ppgen.engine.drawing.templates import compile_templates
from ppgen.shipped import INSTALLED, compile_toml

pytestmark = pytest.mark.slow

ROOT = Path(__file__).resolve().parents[1]
ASSETS = "ppgen/_assets/"
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
IMPORT = re.compile(r"^ *(?:import (?=[\w.]+(?: as \w+)?(?:$|  #))|from (?=[\w.]+ import ))(\w+)", re.MULTILINE)
NOT_PACKED = re.compile(r"(^|/)(\.(?!ci/|github/|gitignore$|pre-commit)|__pycache__/|node_modules/|[\w.-]+\.egg-info/)"
                        rf"|\.pyc$|^(output/(?!\.gitignore)|dist/|{INSTALLED}/)")
"""What a checkout has beside its files."""


def run(*command: str | Path, cwd: Path = ROOT) -> str:
    """Run a program as a user does, in no environment of a developer; return what it prints."""
    ours = ("PYTHON", "VIRTUAL_ENV", "PPGEN", "PIP_NO_")
    done = subprocess.run([*map(str, command)], cwd=cwd, capture_output=True, text=True, encoding="utf-8",
                          env={name: value for name, value in os.environ.items() if not name.startswith(ours)})
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def pip(*words: str | Path) -> str:
    return run(sys.executable, "-m", "pip", "--quiet", "--disable-pip-version-check", *words)


def files(folder: str = ".") -> set[str]:
    """The files in a folder of the checkout, as they are called in the checkout."""
    names = {path.relative_to(ROOT).as_posix() for path in (ROOT / folder).rglob("*") if path.is_file()}
    return {name for name in names if not NOT_PACKED.search(name)}


def test_templates_are_compiled_by_a_jinja2_that_may_run_them():
    """The bound of the build system is that of the program: older ones have ways out of the sandbox."""
    bounds = [next(each for each in names if each.startswith("jinja2"))
              for names in (PROJECT["build-system"]["requires"], PROJECT["project"]["dependencies"])]
    assert bounds[0] == bounds[1]


def test_a_build_without_its_requirements_fails_with_a_sentence(tmp_path: Path) -> None:
    code = "import sys; sys.modules['jinja2'] = None; from hatchling.build import build_wheel; build_wheel(sys.argv[1])"
    done = subprocess.run([sys.executable, "-c", code, tmp_path], cwd=ROOT, capture_output=True, text=True)
    assert done.returncode and done.stderr.startswith("ppgen's templates can't be compiled: "), done.stderr
    assert not [*tmp_path.iterdir()]


@pytest.fixture(scope="module")
def sdist(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A source distribution."""
    run(sys.executable, "-m", "hatchling", "build", "-t", "sdist", "-d", folder := tmp_path_factory.mktemp("built"))
    (built,) = folder.glob("ppgen-*.tar.gz")
    return built


@pytest.fixture(scope="module")
def wheel(sdist: Path) -> Path:
    """The wheel that pip makes of the source distribution, with the requirements of [build-system] alone."""
    pip("wheel", "--no-deps", "--no-cache-dir", "--wheel-dir", sdist.parent, sdist)
    (built,) = sdist.parent.glob("ppgen-*.whl")
    return built


def test_the_source_distribution_is_the_checkout(sdist: Path) -> None:
    """So its tests run, and it makes the same wheel."""
    with tarfile.open(sdist) as packed:
        names = {name.partition("/")[2] for name in packed.getnames()}
    assert names ^ files() == {"PKG-INFO"}


def test_the_wheel_is_the_checkout_with_what_its_templates_and_data_are_compiled_to(wheel: Path,
                                                                            monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(jinja2.Environment, "compile", lambda *_, **__: "")  # names alone
    compiled = {f"{ASSETS}{INSTALLED}/{name}"
                for name, _ in (*compile_templates(ROOT / "templates"), *compile_toml(ROOT))}
    homes = {name: name for name in files("ppgen")} | {
        ASSETS + name: name for folder in ("data", "templates") for name in files(folder)}
    about = {f"licenses/{path.relative_to(ROOT).as_posix()}" for pattern in PROJECT["project"]["license-files"]
             for path in ROOT.glob(pattern)} | {"METADATA", "WHEEL", "RECORD", "entry_points.txt"}
    with zipfile.ZipFile(wheel) as archive:
        packed = {name for name in archive.namelist() if ".dist-info/" not in name}
        assert {name.partition(".dist-info/")[2] for name in archive.namelist()} - {""} == about
        assert packed == compiled | homes.keys()
        assert not [name for name, home in homes.items() if archive.read(name) != (ROOT / home).read_bytes()]
        assert not [name for name in compiled if not archive.read(name)]


def required(wheel: Path) -> set[str]:
    """The distributions that the wheel requires, without the extras."""
    with zipfile.ZipFile(wheel) as archive:
        (name,) = (name for name in archive.namelist() if name.endswith(".dist-info/METADATA"))
        lines = archive.read(name).decode("utf-8").splitlines()
    found = (re.match(r"Requires-Dist: ([\w.-]+)", line) for line in lines if "extra ==" not in line)
    return {match[1] for match in found if match}


def test_the_wheel_requires_every_package_that_is_imported_and_no_other(wheel: Path) -> None:
    sources = (path.read_text(encoding="utf-8") for path in (ROOT / "ppgen").rglob("*.py"))
    names = {name for source in sources for name in IMPORT.findall(source)} - sys.stdlib_module_names - {"ppgen"}
    homes = {name: {file.parts[0].removesuffix(".py") for file in distribution(name).files or ()}
             for name in required(wheel)}
    assert names <= set().union(*homes.values()) and all(names & packages for packages in homes.values())


@cache
def pythons() -> list[str]:
    """The oldest and the newest supported Python of this machine, on the path or installed by pyenv."""
    supported = [name.rpartition(" ")[2] for name in PROJECT["project"]["classifiers"] if ":: 3." in name]
    folders = [*os.environ["PATH"].split(os.pathsep), *map(str, Path("~/.pyenv/versions").expanduser().glob("*/bin"))]
    found = {"{}.{}".format(*sys.version_info): sys.executable}
    for version in supported:
        for program in (Path(folder) / f"python{version}" for folder in folders):
            if version not in found and program.is_file() and not subprocess.run(  # a shim of pyenv may be of none
                    [program, "-c", "import venv"], capture_output=True).returncode:
                found[version] = str(program)
    known = [found[version] for version in supported if version in found]
    return [known[0], known[-1]]


@pytest.fixture(scope="module")
def environments(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> list[Path]:
    """The Pythons of two bare environments that pip has installed the wheel in, with the packages of this one."""
    folder = tmp_path_factory.mktemp("bare")
    (folder / "versions.txt").write_text("".join(f"{each.name}=={each.version}\n" for each in distributions()
                                                 if each.name != "ppgen"), encoding="utf-8")

    def install(number: int) -> Path:
        run(pythons()[number], "-m", "venv", "--without-pip", home := folder / str(number))
        python = home / ("Scripts/python.exe" if os.name == "nt" else "bin/python")
        pip("--python", python, "install", "--no-compile", "--constraint", folder / "versions.txt", wheel)
        return python

    with ThreadPoolExecutor() as executor:
        return [*executor.map(install, range(len({*pythons()})))]


COMPILES_NOTHING = """
import sys, jinja2
sys.modules["tomllib"] = None
def compile(self, source, name=None, *rest, **more):
    sys.exit(f"{name} is compiled again")
jinja2.Environment.compile = compile
from ppgen.cli.start import program
program()
"""
SETS = (("--lang", "de", "--skin", "plain"),
        ("--lang", "en", "--game", "board-game", "--only", "board", "--only", "rules"),
        *(("--lang", "fr", "--skin", skin, "--only", "cards", "--only", "tablets", "--only", "box")
          for skin in ("manuscript", "woodcut")))
STARTERS = ("deck-builder", "hidden-role", "tile-laying", "word-game")


@pytest.fixture(scope="module")
def printed(environments: list[Path], tmp_path_factory: pytest.TempPathFactory) -> list[dict[str, bytes]]:
    """What the program installed in each environment prints: content by name."""
    def build(python: Path) -> dict[str, bytes]:
        folder = tmp_path_factory.mktemp("printed")
        for options in SETS:
            run(python, "-I", "-c", COMPILES_NOTHING, "build", "-q", "--no-cache", *options, cwd=folder)
        for name in STARTERS:
            run(python.with_name("ppgen"), "new", name, "--starter", name, cwd=folder)
            run(python.with_name("ppgen"), "build", "-q", "--no-cache", cwd=folder / name)
        return {path.relative_to(folder).as_posix(): path.read_bytes() for path in sorted(folder.rglob("*"))
                if path.is_file()}

    with ThreadPoolExecutor() as executor:
        return [*executor.map(build, environments)]


def test_the_installed_program_prints_sets_without_compiling_templates_or_toml(printed: list[dict[str, bytes]]) -> None:
    for files in printed:
        assert len([name for name, content in files.items() if content.startswith(b"%PDF-")]) > 20


@pytest.mark.skipif("len({*pythons()}) < 2", reason="this machine has one Python")
def test_the_oldest_and_the_newest_python_print_the_same_bytes(printed: list[dict[str, bytes]]) -> None:
    old, new = printed
    assert old.keys() == new.keys()
    assert [name for name in old if old[name] != new[name]] == []
