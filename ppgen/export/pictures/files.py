"""Turns pictures with names into their files, on all cores, and into what is told of them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from math import floor, sqrt
from pathlib import Path

from ppgen.engine.pictures.faces import LARGEST, Picture, take_pictures
from ppgen.errors import Problem
from ppgen.export.exported import ExportedFile, Watch
from ppgen.production.built import BuiltFile
from ppgen.production.manifest import Json


@dataclass(frozen=True, slots=True, kw_only=True)
class PictureFile:
    """A picture, where it goes, and what else is told of it."""

    path: str
    picture: Picture
    facts: Json = field(hash=False)


def picture_files(wanted: Sequence[PictureFile], fonts: Path, watch: Watch) -> Iterator[ExportedFile]:
    """The files, in order; only a few are in memory at a time."""
    taken = take_pictures([each.picture for each in wanted], fonts)
    for each, content in zip(wanted, taken, strict=True):
        watch(1)
        yield ExportedFile(file=BuiltFile(path=each.path, content=content), facts=picture_facts(each))


def picture_facts(each: PictureFile) -> Json:
    """Pixels, and millimetres with the bleed in them."""
    picture, face = each.picture, each.picture.face
    width, height = picture.pixels
    return {"width_px": width, "height_px": height, "dpi": picture.dpi, "trim_mm": [face.size.width, face.size.height],
            "bleed_mm": round(face.bleed, 4), **each.facts}


def too_large(wanted: Sequence[PictureFile], dpi: float, option: str) -> Iterator[Problem]:
    """The pictures that would take too much memory."""
    for each in wanted:
        pixels = each.picture.width * each.picture.height
        if pixels > LARGEST:
            most = floor(dpi * sqrt(LARGEST / pixels))
            yield Problem(place=option, key=f"[{each.path.rpartition('/')[2]}]",
                          what=f"{each.picture.width} × {each.picture.height} pixels are too many",
                          remedy=f"at most {most} pixels an inch for its size")
