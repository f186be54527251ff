"""Turns shipped templates into Python modules, to be installed beside them: what a run would compile them to."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from ppgen.assets import SKINS
from ppgen.engine.drawing.templates import TemplateSet


def compiled(templates: Path) -> Iterator[tuple[str, str]]:
    """The name and text of a module for each template in the folder, and in those of its skins."""
    for home in (templates, *sorted((templates / SKINS).iterdir())):
        found = TemplateSet((home,), {}, templates)
        for path in sorted(home.rglob("*.j2")):
            if home == templates and path.is_relative_to(templates / SKINS):
                continue
            yield found.module(path.relative_to(home).as_posix())
