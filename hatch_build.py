"""Build hook that compiles shipped templates and data during installation, as pip compiles modules.

They go to ``ppgen/_assets/compiled`` in a wheel, to ``compiled`` in a checkout installed as editable. It runs where
pip has installed the requirements of [build-system] alone, and imports nothing that needs more.
"""

from __future__ import annotations

import os
import shutil
import sys
from pathlib import Path
from tempfile import mkdtemp
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface


class TemplateBuildHook(BuildHookInterface):
    """hatchling's hook for wheels, also those of editable installs."""

    compiled: Path | None = None

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        root = Path(self.root)
        sys.path.insert(0, str(root))
        try:
            from ppgen.engine.drawing.templates import compile_templates
            from ppgen.shipped import INSTALLED, compile_toml

            compiled = *compile_templates(root / "templates"), *compile_toml(root)
        except ImportError as error:
            remedy = "install the requirements of [build-system], or leave out --no-build-isolation"
            raise SystemExit(f"ppgen's templates can't be compiled: {error} ({remedy})") from error
        if version != "editable":
            self.compiled = Path(mkdtemp())
            build_data["force_include"][str(self.compiled)] = f"ppgen/_assets/{INSTALLED}"
        elif os.access(root, os.W_OK):
            self.compiled = root / INSTALLED
            shutil.rmtree(self.compiled, ignore_errors=True)
            self.compiled.mkdir()
        else:
            self.app.display_warning("The checkout can't be written: ppgen compiles its templates in each run.")
            return
        for name, text in compiled:
            (self.compiled / name).write_text(text, encoding="utf-8")

    def finalize(self, version: str, build_data: dict[str, Any], artifact_path: str) -> None:
        if self.compiled and version != "editable":
            shutil.rmtree(self.compiled, ignore_errors=True)
