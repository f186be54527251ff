"""Turns saves and what came of them into the line that tells it."""

from __future__ import annotations

from collections.abc import Sequence

from ppgen.errors import counted, shown_path
from ppgen.preview.bench import Look
from ppgen.preview.watching import Saved

NAMED = 5
"""So many names are told; of the others, how many there are."""
_FONTS = frozenset((".ttf", ".otf", ".ttc"))


def told(saved: Saved, look: Look, pages: Sequence[str], seconds: float) -> str:
    """``cards.csv saved: 3 faces changed (france-1, france-2, france-3) in 0.21 s``; ``pages`` are changed ones."""
    if look.problems:
        happened = [_counted(look.problems, "problem") + ("; the pictures stay as they were" if look.scenes else "")]
    elif look.is_first:
        happened = [f"{_counted([shot for scene in look.scenes for shot in scene.album.shots], 'face')} drawn"]
    else:
        happened = [f"{_counted(names, word)} {verb} ({_few(names)})" for names, word, verb in (
            (look.changed, "face", "changed"), (look.added, "face", "added"), (look.removed, "face", "removed"),
            (pages, "page", "changed")) if names]
    line = f"{cause(saved)}{', '.join(happened) or 'nothing looks different'} in {seconds:.2f} s"
    if any(path.suffix.lower() in _FONTS for path in saved.files):
        line += "; fonts are read once: start again to see another"
    return line


def cause(saved: Saved) -> str:
    """``cards.csv saved: ``, ``cards.csv and 2 more saved: ``, ``cards.csv removed: ``; empty for the start."""
    files, verb = (saved.files, "saved") if saved.files else (saved.gone, "removed")
    more = f" and {len(files) - 1} more" if len(files) > 1 else ""
    return f"{shown_path(files[0])}{more} {verb}: " if files else ""


def _counted(things: Sequence[object], word: str) -> str:
    return counted(len(things), word)


def _few(names: Sequence[str]) -> str:
    few = ", ".join(names[:NAMED])
    return f"{few} and {len(names) - NAMED} more" if len(names) > NAMED else few
