"""Manifests: files, sheets and materials of a print, as data."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping, Sequence
from math import fsum
from typing import Any, cast

from ppgen.engine.component import Part, Stock
from ppgen.engine.geometry import Rect, Size
from ppgen.engine.imposition.sheets import Backs, Imposition, RegistrationMark, SheetSide

# --- Materials ---

WEIGHTS = {"card": 250, "card_fold": 140, "board": 140, "box": 225, "plain": 100, "folded": 180, "sticker": 100}
"""Weight of each material in g/m²: the middle of what its text says, without the greyboard behind."""
MATERIALS = tuple(WEIGHTS)  # all materials; the text ``guide.files.…`` of each says paper and weight
_STOCKS = {Stock.BOARD: "board", Stock.PLAIN: "paper", Stock.STICKER: "paper"}
"""The ``stock`` of manifests, if not card."""


def material(stock: Stock, backs: Backs) -> str:
    """Return the material of a stock: paper for cards is thinner where backs are folded and glued on."""
    return "card_fold" if stock is Stock.CARD and backs is Backs.FOLD else stock.value


def weigh(material: str, sheets: int, paper: Size) -> float:
    """Return the weight of sheets in grams."""
    return WEIGHTS[material] * sheets * paper.width * paper.height / 1e6


def stock_entries(stock: Stock, backs: Backs) -> dict[str, object]:
    """Return stock and material of a file as its manifest has them."""
    return {"stock": _STOCKS.get(stock, "card"), "material": material(stock, backs)}


# --- Manifests ---

Json = dict[str, object]


def file_entry(path: str, part: Part, content: bytes, imposition: Imposition, ink: Mapping[tuple[str, str], float],
               backs: Backs) -> Json:
    """Return the entry of one PDF; ``ink`` is the coverage (0 to 1) of each item's faces, or empty to omit it."""
    sides = [side for sheet in imposition.sheets for side in sheet.sides]
    layout = imposition.layout
    return {
        "path": path, "part": part.name, **({"parts": [*part.joined]} if part.joined else {}),
        **stock_entries(part.stock, backs),
        "sha256": hashlib.sha256(content).hexdigest(), "pages": len(sides), "sheets": len(imposition.sheets),
        "layout": {"orientation": layout.orientation, "columns": layout.columns, "rows": layout.rows,
                   "shared_bleeds": layout.shared_bleeds, "margin_mm": _mm(layout.margin),
                   "cuts": layout.cuts, "why": layout.why},
        "sides": [_side_entry(number, side, ink) for number, side in enumerate(sides, 1)],
    }


def booklet_entry(path: str, part: str, content: bytes, page: Size, sides: Sequence[Sequence[str]], sheets: int,
                  margin: float) -> Json:
    """Return the entry of a booklet: ``sides`` of each of its ``sheets``, or of each page for the screen; no pieces."""
    names = [name for sheet in sides for name in sheet]
    orientation = "landscape" if page.width > page.height else "portrait"
    return {
        "path": path, "part": part, **stock_entries(Stock.PLAIN, Backs.NONE),
        "sha256": hashlib.sha256(content).hexdigest(),
        "pages": len(names), "sheets": sheets,
        "layout": {"orientation": orientation, "columns": 2 if orientation == "landscape" else 1, "rows": 1,
                   "shared_bleeds": False, "margin_mm": _mm(margin), "cuts": 0, "why": "a booklet"},
        "sides": [{"page": number, "side": name, "placements": []} for number, name in enumerate(names, 1)],
    }


def size_entry(size: Size) -> Json:
    return {"width_mm": _mm(size.width), "height_mm": _mm(size.height)}


def _side_entry(page: int, side: SheetSide, ink: Mapping[tuple[str, str], float]) -> Json:
    shares = [ink[placed.item, placed.face] for placed in side.placements if ink]
    entry: Json = {"page": page, "side": side.name}
    if shares:
        entry["ink_percent"] = round(100 * fsum(shares) / len(shares), 1)
    if side.rotation:
        entry["rotation"] = side.rotation
    if side.registration:
        entry["registration"] = registration_entry(side.registration)
    entry["placements"] = [
        {"component": placed.item, "face": placed.face, **_rect_entry(placed.trim), "turn": placed.turn,
         **({"tile": tile.name, "window": _rect_entry(tile.window), "flaps": {
             "right_mm": _mm(tile.flaps.right), "bottom_mm": _mm(tile.flaps.bottom)}} if (tile := placed.tile) else {})}
        for placed in side.placements]
    return entry


def registration_entry(marks: Iterable[RegistrationMark]) -> list[Json]:
    """Return the marks for a cutting machine's camera, each with the smallest rectangle around its ink."""
    return [{"kind": mark.kind, **_rect_entry(mark.box)} for mark in marks]


def _rect_entry(rect: Rect) -> Json:
    return {"x_mm": _mm(rect.x), "y_mm": _mm(rect.y), **size_entry(rect.size)}


def manifest_files(manifests: Iterable[Json]) -> list[dict[str, Any]]:
    """Return the entries of all files."""
    return [entry for manifest in manifests for entry in cast(list[dict[str, Any]], manifest["files"])]


def _mm(length: float) -> float | int:
    """Round to 0.0001 mm, whole millimetres without a decimal point."""
    rounded = round(length, 4)
    return int(rounded) if rounded == int(rounded) else rounded
