"""Shipped data and templates, and messages by key.

A message arises as a :class:`Phrase`: a text of ``[message]`` in ``data/locales`` with its values. As a ``str`` it is
English, which JSON and logs take; the command line puts it into the user's language from the same key and values.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from pathlib import Path

MESSAGES = "message"  # the table of messages in a locale file


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
    import tomllib  # most runs have no message

    file = shipped_root() / "data" / "locales" / "en.toml"
    table: Mapping[str, str] = tomllib.loads(file.read_text(encoding="utf-8"))[MESSAGES]
    return table
