"""Turns impositions into the manifest: what lies where in which file, in millimetres."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable

from ppgen.engine.imposition.values import Imposition, Side

Json = dict[str, object]


def file_entry(path: str, part: str, content: bytes, imposition: Imposition) -> Json:
    """The manifest's entry of one PDF."""
    sides = [side for sheet in imposition.sheets for side in sheet.sides]
    layout = imposition.layout
    return {
        "path": path, "part": part, "sha256": hashlib.sha256(content).hexdigest(),
        "pages": len(sides), "sheets": len(imposition.sheets),
        "layout": {"orientation": layout.orientation, "columns": layout.columns, "rows": layout.rows,
                   "shared_bleeds": layout.shared_bleeds, "margin_mm": _mm(layout.margin),
                   "cuts": layout.cuts, "why": layout.why},
        "sides": [_side_entry(number, side) for number, side in enumerate(sides, 1)],
    }


def _side_entry(page: int, side: Side) -> Json:
    entry: Json = {"page": page, "side": side.name}
    if side.rotation:
        entry["rotation"] = side.rotation
    entry["placements"] = [
        {"component": placed.item, "face": placed.face, "x_mm": _mm(placed.trim.x), "y_mm": _mm(placed.trim.y),
         "width_mm": _mm(placed.trim.width), "height_mm": _mm(placed.trim.height), "turn": placed.turn}
        for placed in side.placements]
    return entry


def to_json(document: object) -> str:
    return json.dumps(document, ensure_ascii=False, indent=1) + "\n"


def sheets_in(manifests: Iterable[Json]) -> int:
    """How many sheets of paper the files need."""
    return sum(file["sheets"] for manifest in manifests for file in manifest["files"])  # type: ignore[attr-defined]


def _mm(length: float) -> float | int:
    """Millimetres as the manifest writes them: to a hundredth of a micrometre, whole ones without a point."""
    rounded = round(length, 4)
    return int(rounded) if rounded == int(rounded) else rounded
