"""What the program makes: finished files, in memory."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class BuiltFile:
    """A finished file; ``path`` is relative to the output folder, with forward slashes."""

    path: str
    content: bytes
