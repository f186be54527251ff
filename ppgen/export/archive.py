"""Turns the files of an export into one zip."""

from __future__ import annotations

import io
import zipfile
from collections.abc import Callable, Iterator
from dataclasses import replace

from ppgen.export.exported import ExportedFile, Watch
from ppgen.production.built import BuiltFile

EPOCH = (1980, 1, 1, 0, 0, 0)
"""The earliest date that a zip knows: the same files give the same bytes."""


def archived(files: Callable[[Watch], Iterator[ExportedFile]], path: str, watch: Watch) -> Iterator[ExportedFile]:
    """One file, the zip at ``path``, with all files in a folder that is named as the zip is."""
    folder = path.removesuffix(".zip")
    target, inside = io.BytesIO(), []
    with zipfile.ZipFile(target, "w") as zipped:
        for made in files(watch):
            name = made.file.path.removeprefix(f"{folder.rpartition('/')[0]}/")
            packed = zipfile.ZIP_STORED if name.endswith(".png") else zipfile.ZIP_DEFLATED  # a PNG is packed already
            zipped.writestr(zipfile.ZipInfo(name, EPOCH), made.file.content, packed)
            inside.append(replace(made, file=BuiltFile(path=name, content=made.file.content)).entry())
    yield ExportedFile(file=BuiltFile(path=path, content=target.getvalue()), facts={"contains": inside})
