"""Makes ppgen-windows.zip, a folder to unpack and double-click, without an installed Python.

    python -m tools.windows_zip PYTHON.zip WHEEL OUT.zip [BENCH]

PYTHON.zip is python.org's embeddable Python for 64 bits, WHEEL that of ppgen. Modules are compiled beforehand, as the
folder may be read-only: on Windows, or in a BENCH (tools/windows_bench.py). The same input gives the same zip.
"""

from __future__ import annotations

import io
import re
import shutil
import subprocess
import sys
import zipfile
from email import message_from_string
from pathlib import Path

import pip

from tools.windows_bench import (WINE, install_packages, install_wheels, set_path, surroundings, unpack_python,
                                 windows_path)

SITE = "python/site"
LEFT_OUT = ("*.dist-info/RECORD", "*.dist-info/direct_url.json", "*.dist-info/REQUESTED", "pypdfium2_cli", "bin",
            "share", "**/*.pyi", "**/*.lib", "lxml/includes", "lxml/isoschematron", "**/*.pxd", "**/*.h",
            "PIL/_avif*.pyd", "PIL/_imagingtk*", "**/tests", "**/__pycache__")
"""What ppgen never imports."""
START = "from ppgen.cli.start import program\nprogram()\n"
LAUNCHER = Path(pip.__file__).parent / "_vendor/distlib/t64.exe"
"""Starts the interpreter that is named behind it, with the zip that ends it."""
LICENCES = """\
ppgen for Windows consists of the parts below. Their licences lie beside them. The programs ppgen.exe and Open ppgen.exe
begin with the launcher of distlib, which has the licence of Python.

python: python/LICENSE.txt
"""


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


def compile_modules(folder: Path, bench: Path | None) -> None:
    """Compile all modules with the Python of the folder, without times and places of this machine."""
    words = ["-m", "compileall", "-q", "-f", "--invalidation-mode", "unchecked-hash", "-s"]
    place = windows_path(folder / SITE) if bench else str(folder / SITE)
    command = [*([WINE] if bench else []), str(folder / "python/python.exe"), *words, place, place]
    subprocess.run(command, env=surroundings(bench) if bench else None, check=True,
                   stdin=subprocess.DEVNULL, capture_output=True)  # Python under Wine writes to pipes only


def pack(folder: Path, target: Path) -> None:
    """Write a zip that depends on the files of the folder alone."""
    with zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as archive:
        for path in sorted(path for path in folder.rglob("*") if path.is_file()):
            entry = zipfile.ZipInfo(f"ppgen/{path.relative_to(folder).as_posix()}")
            entry.compress_type, entry.create_system = zipfile.ZIP_DEFLATED, 0
            archive.writestr(entry, path.read_bytes(), compresslevel=9)


def make_zip(python: Path, wheel: Path, target: Path, bench: Path | None = None) -> None:
    """Make the zip and, beside it, the folder that it holds."""
    folder = target.with_suffix("")
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    unpack_python(python, folder / "python")
    install_packages(folder.with_name("packages"))
    folder.with_name("packages").rename(folder / SITE)
    install_wheels(folder / SITE, [wheel])
    for pattern in LEFT_OUT:
        for path in [*(folder / SITE).glob(pattern)]:
            shutil.rmtree(path) if path.is_dir() else path.unlink()
    set_path(folder / "python", "site")
    compile_modules(folder, bench)
    (folder / "ppgen.exe").write_bytes(make_program(START))
    (folder / "Open ppgen.exe").write_bytes(make_program(
        Path(__file__).with_name("windows_open.py").read_text(encoding="utf-8")))
    (folder / "LICENCES.txt").write_text(LICENCES + list_licences(folder / SITE), encoding="utf-8", newline="\r\n")
    pack(folder, target)


if __name__ == "__main__":
    make_zip(*(Path(word).resolve() for word in sys.argv[1:]))
