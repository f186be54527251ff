"""The scripts that any game's form and page may need: plain ECMAScript 5."""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path


@lru_cache(maxsize=2)
def source(name: str) -> str:
    """A script: ``counts`` reads what is typed into cells that count, and needs nothing; ``fields`` speaks to the
    fields of a form, and needs ``counts`` before it."""
    return (Path(__file__).parent / f"{name}.js").read_text(encoding="ascii")
