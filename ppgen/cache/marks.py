"""Turns all that goes into a thing into the mark that it is kept under."""

from __future__ import annotations

import os
import sys
from collections.abc import Mapping
from dataclasses import fields, is_dataclass
from enum import Enum
from functools import cache
from hashlib import blake2b
from pathlib import Path, PurePath
from types import SimpleNamespace
from typing import Any

from ppgen import __version__

MAX_DEPTH = 50


class UnknownError(TypeError):
    """A value that can't be told from others of its kind."""


def mark_of(kind: str, *values: object) -> str | None:
    """The mark of what these values are made into; None if one of them is of a kind that has none.

    What made it goes in as well: ppgen itself, Python and all packages beside it.
    """
    try:
        whole = blake2b(foundation(), digest_size=24)
        whole.update(_joined((kind, *values), 0))
        return whole.hexdigest()
    except UnknownError:
        return None


@cache
def foundation() -> bytes:
    """What of the program itself may change what it makes: its own files, Python, and the packages that are there."""
    whole = blake2b(f"{__version__} {sys.version} {sys.platform}".encode(), digest_size=24)
    todo, own = [str(Path(__file__).parents[1])], []
    while todo:
        with os.scandir(todo.pop()) as entries:
            for entry in entries:
                if entry.name.endswith((".py", ".typ", ".js")):
                    about = entry.stat()
                    own.append(f"{entry.path} {about.st_size} {about.st_mtime_ns}")
                elif entry.is_dir(follow_symlinks=False) and entry.name != "__pycache__":
                    todo.append(entry.path)
    whole.update("\n".join(sorted(own)).encode(errors="surrogateescape"))
    for place in filter(os.path.isdir, sys.path):
        with os.scandir(place) as entries:
            packages = sorted(entry.name for entry in entries if entry.name.endswith((".dist-info", ".egg-info")))
        whole.update("\n".join(packages).encode(errors="surrogateescape"))
    return whole.digest()


def _add(parts: list[bytes], value: object, depth: int) -> None:
    """Add the value as bytes that no other value has."""
    kind = type(value)
    if depth > MAX_DEPTH:
        raise UnknownError
    if isinstance(value, str):
        content = value.encode("utf-8", "surrogatepass")
        parts += f"{kind.__qualname__}{len(content)}:".encode(), content
    elif value is None or kind in (int, float, bool):
        parts.append(f"{value!r};".encode())
    elif kind in (list, tuple):
        assert isinstance(value, (list, tuple))
        parts.append(f"{kind.__name__}{len(value)}:".encode())
        for each in value:
            _add(parts, each, depth + 1)
    elif isinstance(value, Mapping):  # in its order, which a template may see
        parts.append(f"mapping{len(value)}:".encode())
        for key, each in value.items():
            _add(parts, key, depth + 1)
            _add(parts, each, depth + 1)
    elif isinstance(value, Enum):
        parts.append(f"{kind.__module__}.{kind.__qualname__}.{value.name};".encode())
    elif is_dataclass(kind):
        name, compared = _fields(kind)
        parts.append(name)
        for field in compared:
            _add(parts, getattr(value, field), depth + 1)
    elif isinstance(value, bytes):
        parts += f"bytes{len(value)}:".encode(), value
    elif isinstance(value, PurePath):
        _add(parts, ("path", str(value)), depth + 1)
    elif kind in (set, frozenset):
        assert isinstance(value, (set, frozenset))
        parts.append(f"set{len(value)}:".encode())
        parts += sorted(_joined(each, depth + 1) for each in value)
    elif kind is SimpleNamespace:
        _add(parts, ("namespace", vars(value)), depth + 1)
    else:
        raise UnknownError


def _joined(value: object, depth: int) -> bytes:
    parts: list[bytes] = []
    _add(parts, value, depth)
    return b"".join(parts)


@cache
def _fields(kind: type[Any]) -> tuple[bytes, tuple[str, ...]]:
    """What a dataclass is called, and the fields by which its values are compared."""
    return (f"{kind.__module__}.{kind.__qualname__}:".encode(),
            tuple(field.name for field in fields(kind) if field.compare))
