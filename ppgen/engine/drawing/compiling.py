"""Turns shipped templates into Python modules, to be installed beside them: what a run would compile them to."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from ppgen.assets import SKINS
from ppgen.engine.drawing.templates import UNDER, TemplateSet


def compiled(templates: Path) -> Iterator[tuple[str, str]]:
    """The name and text of a module for each template in the folder, and in those of its skins with what it covers."""
    plain = TemplateSet((templates,), {}, templates)
    for name in _names(templates):
        if not name.startswith(f"{SKINS}/"):
            yield plain.module(name)
    for home in sorted((templates / SKINS).iterdir()):
        skin = TemplateSet((home, templates), {}, templates)
        for name in _names(home):
            yield skin.module(name)
            if (templates / name).is_file():
                yield skin.module(UNDER + name)


def _names(home: Path) -> list[str]:
    """The templates in a folder; what an editor hides beside them is none."""
    return sorted(path.relative_to(home).as_posix() for path in home.rglob("[!.]*.j2"))
