"""Proof sheets: old and new faces side by side at their size, with a caption, as PDF."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from hashlib import sha256
from itertools import groupby
from pathlib import Path

from ppgen.engine.drawing.face import Face
from ppgen.engine.geometry import Rect, Size
from ppgen.engine.pdf.picture_pixels import with_pixels
from ppgen.engine.pdf.typesetting import document_pdf
from ppgen.engine.pictures.face_pictures import crop_face

MARGIN_MM = 10.0
AREA_MARGIN_MM = 0.8  # between what looks different and the frame around it
PICTURE_DPI = 300.0  # resolution of the photographs on new faces


@dataclass(frozen=True, slots=True, kw_only=True)
class ProofEntry:
    """A side of a piece before and after."""

    id: str
    part: str
    size: Size  # the trim now
    old_size: Size | None = None  # the trim before, if it was another
    old: Face | None
    new: Face | None
    area: Rect | None = None  # where they look different, in mm of the trim
    cells: Sequence[tuple[str, str, str]] = ()  # column, old and new text
    note: str = ""  # words about the piece
    missing: str = ""  # words in place of a missing side


@dataclass(frozen=True, slots=True, kw_only=True)
class ProofWords:
    """Words on each page of a proof sheet: its title, what it is about, a summary, and labels of both sides."""

    title: str
    about: str
    summary: str
    before: str
    now: str
    lang: str
    fonts: Mapping[str, Sequence[str]] = field(default_factory=dict)


def proof_pdf(entries: Sequence[ProofEntry], words: ProofWords, page: Size, fonts: Path) -> bytes:
    """Set the entries on pages, in order; those of the same size share lines. Raises InputError."""
    inputs: dict[str, str] = {}
    groups = [[_entry(each, inputs) for each in group] for _, group in groupby(entries, key=lambda each: each.size)]
    values = {**asdict(words), "page": {"width": page.width, "height": page.height}, "margin": MARGIN_MM,
              "groups": groups}
    inputs["proof"] = json.dumps(values, ensure_ascii=False, sort_keys=True)
    return document_pdf((Path(__file__).parent / "proof_sheet.typ").read_bytes(), inputs, fonts)


def _entry(entry: ProofEntry, inputs: dict[str, str]) -> dict[str, object]:
    def side(face: Face | None, size: Size, name: str) -> dict[str, object]:
        return {"picture": face and add_picture(face, inputs), "alt": f"{entry.id}, {name}", "missing": entry.missing,
                "width": size.width, "height": size.height}

    before, after = entry.old_size or entry.size, entry.size
    return {"id": entry.id, "part": entry.part, "note": entry.note, "width": max(before.width, after.width),
            "height": max(before.height, after.height), "old": side(entry.old, before, "old"),
            "new": side(entry.new, after, "new"),
            "area": None if entry.old_size or not entry.area else asdict(_frame(entry.area, entry.size)),
            "cells": [{"name": name, "old": old, "new": new} for name, old, new in entry.cells]}


def _frame(area: Rect, size: Size) -> Rect:
    """The frame around an area, within the trim."""
    left, top = max(0.0, area.x - AREA_MARGIN_MM), max(0.0, area.y - AREA_MARGIN_MM)
    return Rect(left, top, min(size.width, area.right + AREA_MARGIN_MM) - left,
                min(size.height, area.bottom + AREA_MARGIN_MM) - top)


def add_picture(face: Face, inputs: dict[str, str]) -> str:
    """Add a face to the inputs as SVG of the trim, once; return its name."""
    svg = with_pixels(face, PICTURE_DPI) if face.pictures else face.svg
    if face.bleed:
        svg = crop_face(replace(face, svg=svg), Rect(0, 0, face.size.width, face.size.height)).svg
    name = f"svg-{sha256(svg.encode()).hexdigest()[:24]}"
    inputs[name] = svg
    return name
