"""Makes ppgen-windows.zip, a folder to unpack and double-click, without an installed Python.

    python -m tools.windows_zip PYTHON.zip WHEEL OUT.zip

PYTHON.zip is python.org's embeddable Python for 64 bits, WHEEL that of ppgen. The packages are those of
requirements-dev.txt, by their digests. Modules are compiled beforehand, as the folder may be read-only: on Windows, or
by tools/windows_bench.py on Linux. The same input gives the same zip.
"""

from __future__ import annotations

import io
import re
import shutil
import subprocess
import sys
import tomllib
import zipfile
from collections.abc import Callable, Sequence
from contextlib import suppress
from email import message_from_string
from importlib.metadata import PackageNotFoundError, distribution
from pathlib import Path

from packaging.requirements import Requirement
from packaging.utils import canonicalize_name
from pip import __file__ as pip_file

ROOT = Path(__file__).resolve().parent.parent
SITE = "python/site"
LEFT_OUT = ("*.dist-info/RECORD", "*.dist-info/direct_url.json", "*.dist-info/REQUESTED", "pypdfium2_cli", "bin",
            "share", "**/*.pyi", "**/*.lib", "lxml/includes", "lxml/isoschematron", "**/*.pxd", "**/*.h",
            "PIL/_avif*.pyd", "PIL/_imagingtk*", "**/tests", "**/__pycache__")
"""What ppgen never imports."""
START = "from ppgen.cli.start import program\nprogram()\n"
LAUNCHER = Path(pip_file).parent / "_vendor/distlib/t64.exe"
"""Starts the interpreter that is named behind it, with the zip that ends it."""
LICENCES = """\
ppgen for Windows consists of the parts below. Their licences lie beside them. The programs ppgen.exe and Open ppgen.exe
begin with the launcher of distlib, which has the licence of Python.

python: python/LICENSE.txt
"""


PINS = re.compile(r"^([\w.-]+)(==[^ ;]+)[^\\\n]*((?:\\\n    --hash=\S+ ?)+)", re.MULTILINE)
"""The name, version and digests of a package in requirements-dev.txt, without its markers."""
WINDOWS = {"sys_platform": "win32", "platform_system": "Windows", "os_name": "nt", "extra": ""}


def pip(*words: str | Path) -> None:
    subprocess.run([sys.executable, "-m", "pip", "-q", "--disable-pip-version-check", *words], check=True)


def install_wheels(site: Path, *words: str | Path) -> None:
    pip("install", "--no-deps", "--no-compile", "--target", site, "--platform=win_amd64", "--python-version=3.13",
        "--implementation=cp", "--only-binary=:all:", *words)


def install_packages(site: Path, names: Sequence[str]) -> None:
    """Put packages for Windows, and what they need, into a folder: those that requirements-dev.txt pins."""
    needed, asked = set[str](), [Requirement(name) for name in names]
    while asked:
        if (name := canonicalize_name((each := asked.pop()).name)) not in needed and (
                not each.marker or each.marker.evaluate(WINDOWS)):
            needed.add(name)
            with suppress(PackageNotFoundError):  # that of Windows alone, which needs no other
                asked += map(Requirement, distribution(name).requires or ())
    if "rjsmin" in needed:  # has no wheel for Windows; its module does without what is compiled
        needed.remove("rjsmin")
        for file in (rjsmin := distribution("rjsmin")).files or ():
            if file.suffix == ".py" or file.name in ("METADATA", "LICENSE"):
                (site / file).parent.mkdir(parents=True, exist_ok=True)
                shutil.copyfile(str(rjsmin.locate_file(file)), site / file)
    pins = {name: f"{name}{version} {hashes}\n" for name, version, hashes in PINS.findall(
        (ROOT / "requirements-dev.txt").read_text(encoding="utf-8"))}
    wanted = site.with_name("wanted.txt")
    wanted.parent.mkdir(parents=True, exist_ok=True)
    wanted.write_text("".join(pins[name] for name in sorted(needed)), encoding="ascii")
    install_wheels(site, "--require-hashes", "-r", wanted)
    wanted.unlink()


def unpack_python(file: Path, folder: Path) -> None:
    """Unpack Windows' Python into a new folder."""
    unpacked = folder.with_name("unpacked")
    zipfile.ZipFile(file).extractall(unpacked)
    next(unpacked.rglob("python.exe")).parent.rename(folder)
    shutil.rmtree(unpacked, ignore_errors=True)


def set_path(python: Path, *lines: str) -> None:
    """Say where an embeddable Python looks for modules."""
    version = next(python.glob("python3*.zip")).stem
    (python / f"{version}._pth").write_text("\n".join((f"{version}.zip", ".", *lines, "")), encoding="utf-8")


def make_program(script: str) -> bytes:
    """A program that runs a script with the Python beside it."""
    held = io.BytesIO()
    with zipfile.ZipFile(held, "w") as archive:
        archive.writestr(zipfile.ZipInfo("__main__.py"), script)
    return LAUNCHER.read_bytes() + b"#!<launcher_dir>\\python\\python.exe -P\r\n" + held.getvalue()


def list_licences(site: Path) -> str:
    """Name each package with its licences. Raises SystemExit for one that has none."""
    lines = []
    for folder in sorted(site.glob("*.dist-info")):
        about = message_from_string((folder / "METADATA").read_text(encoding="utf-8"))
        words = [path.relative_to(site.parents[1]).as_posix() for path in sorted(folder.rglob("*"))
                 if path.is_file() and re.search(r"(?i)/(licen[cs]es?|copying|notice)\b", path.as_posix())]
        if not words:
            raise SystemExit(f"{about['Name']} has no licence in its wheel")
        lines.append(f"{about['Name']} {about['Version']}: {', '.join(words)}\n")
    return "".join(lines)


def pack(folder: Path, target: Path) -> None:
    """Write a zip that depends on the files of the folder alone."""
    with zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED) as archive:
        for path in sorted(path for path in folder.rglob("*") if path.is_file()):
            entry = zipfile.ZipInfo(f"ppgen/{path.relative_to(folder).as_posix()}")
            entry.compress_type, entry.create_system = zipfile.ZIP_DEFLATED, 0
            archive.writestr(entry, path.read_bytes())


def run_here(*command: str | Path) -> None:
    subprocess.run(command, check=True)


def make_zip(python: Path, wheel: Path, target: Path, run: Callable[..., object] = run_here) -> None:
    """Make the zip and, beside it, the folder that it holds; ``run`` runs a program of Windows."""
    folder = target.with_suffix("")
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    unpack_python(python, folder / "python")
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    install_packages(folder / SITE, project["dependencies"])
    install_wheels(folder / SITE, wheel)
    for pattern in LEFT_OUT:
        for path in [*(folder / SITE).glob(pattern)]:
            shutil.rmtree(path) if path.is_dir() else path.unlink()
    set_path(folder / "python", "site")
    run(folder / "python/python.exe", "-m", "compileall", "-q", "-f", "--invalidation-mode", "unchecked-hash",
        "-s", folder / SITE, folder / SITE)  # without times and places of this machine
    (folder / "ppgen.exe").write_bytes(make_program(START))
    (folder / "Open ppgen.exe").write_bytes(make_program(
        Path(__file__).with_name("windows_open.py").read_text(encoding="utf-8")))
    (folder / "LICENCES.txt").write_text(LICENCES + list_licences(folder / SITE), encoding="utf-8", newline="\r\n")
    pack(folder, target)


if __name__ == "__main__":
    python, wheel, target = (Path(word).resolve() for word in sys.argv[1:])
    make_zip(python, wheel, target)
