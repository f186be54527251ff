"""Compiles the shipped templates while ppgen is being installed, as pip does with its modules.

A wheel gets them in ``ppgen/_assets/compiled``, a checkout that is installed as editable in ``compiled``. What is not
there, or not of these very templates and this Jinja2, is compiled by the run that needs it.
"""

from __future__ import annotations

import os
import shutil
import sys
from pathlib import Path
from tempfile import mkdtemp
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface


class Templates(BuildHookInterface):
    """hatchling's hook for the wheel, and for the one of an editable install."""

    made: Path | None = None

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        root = Path(self.root)
        sys.path.insert(0, str(root))
        try:
            from ppgen.engine.drawing.compiling import compiled
            from ppgen.engine.guard.environment import INSTALLED
        except ImportError:
            return  # built without what [build-system] asks for (pip --no-build-isolation)
        if version != "editable":
            self.made = Path(mkdtemp())
            build_data["force_include"][str(self.made)] = f"ppgen/_assets/{INSTALLED}"
        elif os.access(root, os.W_OK):
            self.made = root / INSTALLED
            shutil.rmtree(self.made, ignore_errors=True)
            self.made.mkdir()
        else:
            return  # somebody else's checkout
        for name, text in compiled(root / "templates"):
            (self.made / name).write_text(text, encoding="utf-8")

    def finalize(self, version: str, build_data: dict[str, Any], artifact_path: str) -> None:
        if self.made and version != "editable":
            shutil.rmtree(self.made, ignore_errors=True)
