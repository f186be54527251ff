"""Turns all that goes into a thing into the mark that it is kept under."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator, Mapping
from dataclasses import fields, is_dataclass
from enum import Enum
from functools import cache
from hashlib import blake2b
from pathlib import Path, PurePath
from types import SimpleNamespace

from ppgen import __version__

MAX_DEPTH = 50


class UnknownError(TypeError):
    """A value that can't be told from others of its kind."""


def mark_of(kind: str, *values: object) -> str | None:
    """The mark of what these values are made into; None if one of them is of a kind that has none.

    What made it goes in as well: ppgen itself, Python and all packages beside it.
    """
    try:
        whole = blake2b(digest_size=24)
        whole.update(foundation())
        for part in _parts((kind, *values), 0):
            whole.update(part)
        return whole.hexdigest()
    except UnknownError:
        return None


@cache
def foundation() -> bytes:
    """What of the program itself may change what it makes: its own files, Python, and the packages that are there."""
    whole = blake2b(f"{__version__} {sys.version} {sys.platform}".encode(), digest_size=24)
    home = Path(__file__).parents[1]
    for folder, inner, names in os.walk(home):
        inner.sort()
        for name in sorted(names):
            if name.endswith((".py", ".typ", ".js")):
                about = Path(folder, name).stat()
                whole.update(f"{folder}/{name} {about.st_size} {about.st_mtime_ns}\n".encode(errors="surrogateescape"))
    for place in filter(os.path.isdir, sys.path):
        with os.scandir(place) as entries:
            packages = sorted(entry.name for entry in entries if entry.name.endswith((".dist-info", ".egg-info")))
        whole.update("\n".join(packages).encode(errors="surrogateescape"))
    return whole.digest()


def _parts(value: object, depth: int) -> Iterator[bytes]:
    """The value as bytes that no other value has."""
    kind = type(value)
    if depth > MAX_DEPTH:
        raise UnknownError
    if isinstance(value, str):
        content = value.encode("utf-8", "surrogatepass")
        yield f"{kind.__qualname__}{len(content)}:".encode()
        yield content
    elif isinstance(value, bytes):
        yield f"bytes{len(value)}:".encode()
        yield value
    elif isinstance(value, Enum):
        yield f"{kind.__module__}.{kind.__qualname__}.{value.name};".encode()
    elif value is None or kind in (int, float, bool):
        yield f"{value!r};".encode()
    elif isinstance(value, PurePath):
        yield from _parts(("path", str(value)), depth + 1)
    elif kind in (list, tuple):
        assert isinstance(value, (list, tuple))
        yield f"{kind.__name__}{len(value)}:".encode()
        for each in value:
            yield from _parts(each, depth + 1)
    elif isinstance(value, Mapping):  # in its order, which a template may see
        yield f"mapping{len(value)}:".encode()
        for key, each in value.items():
            yield from _parts(key, depth + 1)
            yield from _parts(each, depth + 1)
    elif kind in (set, frozenset):
        assert isinstance(value, (set, frozenset))
        yield f"set{len(value)}:".encode()
        yield from sorted(b"".join(_parts(each, depth + 1)) for each in value)
    elif kind is SimpleNamespace:
        yield from _parts(("namespace", vars(value)), depth + 1)
    elif is_dataclass(value):
        yield f"{kind.__module__}.{kind.__qualname__}:".encode()
        for field in fields(value):
            if field.compare:
                yield from _parts(getattr(value, field.name), depth + 1)
    else:
        raise UnknownError
