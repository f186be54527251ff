"""Shipped data and templates."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from functools import cache
from pathlib import Path
from typing import Any
from zlib import crc32

INSTALLED = "compiled"
"""The folder, next to the shipped data and templates, of what these were compiled to at installation."""


@cache
def shipped_root() -> Path:
    """The folder of the shipped ``data`` and ``templates``: in the wheel, or the root of the checkout."""
    package = Path(__file__).resolve().parent
    if (package / "_assets" / "data").is_dir():
        return package / "_assets"
    if (package.parent / "pyproject.toml").is_file():
        return package.parent
    raise RuntimeError("ppgen is installed without its data")


# --- Compiled TOML ---

def find_compiled(text: str) -> dict[str, Any] | None:
    """The values of a shipped TOML text, from the JSON that it was compiled to: a thirtieth of the time to parse it."""
    import json

    with suppress(OSError, ValueError):  # missing or damaged
        values: dict[str, Any] = json.loads((shipped_root() / INSTALLED / _json_name(text)).read_bytes())
        return values
    return None


def parse_toml_text(text: str) -> dict[str, Any]:
    """Parse TOML. Raises ValueError and RecursionError, as ``tomllib`` does."""
    if (values := find_compiled(text)) is not None:
        return values
    import tomllib

    return tomllib.loads(text)


def compile_toml(root: Path) -> Iterator[tuple[str, str]]:
    """Compile shipped TOML: file name and JSON of each file."""
    import json

    for file in sorted([*root.glob("data/**/*.toml"), *root.glob("templates/**/*.toml")]):
        text = file.read_text(encoding="utf-8")
        yield _json_name(text), json.dumps(parse_toml_text(text), ensure_ascii=False)


def _json_name(text: str) -> str:
    """The file name of a compiled text, by its checksum: a text that was changed since is not found.

    A stranger's text that is made to have the same checksum is read as one of ours, which does no harm.
    """
    return f"{len(text)}-{crc32(text.encode()):08x}.json"
