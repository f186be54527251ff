"""Shipped data and templates, and messages by key.

A message arises as a :class:`Phrase`: a text of ``[message]`` in ``data/locales`` with its values. As a ``str`` it is
English, which JSON and logs take; the command line puts it into the user's language from the same key and values.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import suppress
from functools import cache
from pathlib import Path
from typing import Any
from zlib import crc32

MESSAGES = "message"  # the table of messages in a locale file
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


class Phrase(str):
    """A message in English, with the key and the values that its other languages are made from."""

    key: str
    values: Mapping[str, object]

    def __new__(cls, key: str, /, **values: object) -> Phrase:
        phrase = super().__new__(cls, english_messages()[key].format_map(values))
        phrase.key, phrase.values = key, values
        return phrase

    def __str__(self) -> str:
        """Keep key and values where an exception says what it was raised with."""
        return self

    def __reduce__(self) -> tuple[object, ...]:
        return _restore, (self.key, self.values)


def _restore(key: str, values: Mapping[str, object]) -> Phrase:
    return Phrase(key, **values)


@cache
def english_messages() -> Mapping[str, str]:
    """The English texts of messages, by key. Call it before a process gives up its rights to read files."""
    file = shipped_root() / "data" / "locales" / "en.toml"
    table: Mapping[str, str] = parse_toml_text(file.read_text(encoding="utf-8"))[MESSAGES]
    return table


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

    A stranger's text that is made to have the same checksum is read as one of ours, which harms nobody.
    """
    return f"{len(text)}-{crc32(text.encode()):08x}.json"
