"""Manifests, which list the files of a build and where each piece lies, and stale files of earlier builds."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from typing import Any, cast

from ppgen.engine.component import Part, Stock
from ppgen.engine.geometry import Rect, Size
from ppgen.engine.imposition.sheets import Backs, Imposition, RegistrationMark, SheetSide
from ppgen.errors import InputError
from ppgen.printing.materials import stock_entries
from ppgen.process.file_writing import BuiltFile
from ppgen.reading.file_limits import read_bytes, refuse_file

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
        entry["ink_percent"] = round(100 * sum(shares) / len(shares), 1)
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


def dump_manifest(document: object) -> str:
    """Format the document as JSON; undecodable bytes of file names become escapes of lone surrogates."""
    text = json.dumps(document, ensure_ascii=False, indent=1) + "\n"
    return text.encode(errors="backslashreplace").decode()


def manifest_files(manifests: Iterable[Json]) -> list[dict[str, Any]]:
    """Return the entries of all files."""
    return [entry for manifest in manifests for entry in cast(list[dict[str, Any]], manifest["files"])]


def _mm(length: float) -> float | int:
    """Round to 0.0001 mm, whole millimetres without a decimal point."""
    rounded = round(length, 4)
    return int(rounded) if rounded == int(rounded) else rounded


# Stale outputs

MAX_OUTPUT_BYTES, MAX_MANIFEST_BYTES = 200_000_000, 20_000_000  # ppgen writes no larger files


@dataclass(frozen=True, slots=True, kw_only=True)
class StaleOutputs:
    """Files of earlier builds, as paths in the output folder: unchanged ones, and those changed since."""

    unchanged: tuple[str, ...] = ()
    changed: tuple[str, ...] = ()


def find_superseded(output: Path, manifests: Iterable[Json], files: Iterable[BuiltFile]) -> StaleOutputs:
    """Find files of earlier builds in the languages of these ``manifests``, except the new ``files``."""
    written = {file.path for file in files}
    unchanged: list[str] = []
    changed: list[str] = []
    for game, lang in sorted({(str(manifest["game"]), str(manifest["lang"])) for manifest in manifests}):
        names = [PurePosixPath(path).name for path in written if PurePosixPath(path).parent.name == lang]
        stale = find_stale_outputs(output / lang, game, names)
        unchanged += (f"{lang}/{name}" for name in stale.unchanged)
        changed += (f"{lang}/{name}" for name in stale.changed)
    return StaleOutputs(unchanged=tuple(unchanged), changed=tuple(changed))


def find_stale_outputs(folder: Path, game: str, written: Collection[str]) -> StaleOutputs:
    """Find files of earlier builds of the game in the folder of a language, by name, except those ``written`` now.

    Manifests are not trusted. A file counts if it is a plain file in this very folder, has the name of a part, and
    matches its digest to be unchanged; a manifest, if it is byte for byte as ppgen writes it. Symbolic links to folders
    are not searched.
    """
    if folder.is_symlink() or not folder.is_dir():
        return StaleOutputs()
    manifests: set[str] = set()
    named: dict[str, set[str]] = {}
    for path in sorted(folder.glob("manifest-*.json")):
        for name, digest in _read_manifest(path, game):
            named.setdefault(name, set()).add(digest)
            manifests.add(path.name)
    here = {path.name for path in folder.iterdir()} - set(written)
    digests = {name: digest for name in here & set(named) if (digest := _digest(folder / name))}
    unchanged = {name for name, digest in digests.items() if digest in named[name]}
    return StaleOutputs(unchanged=tuple(sorted(unchanged | (manifests & here))),
                        changed=tuple(sorted(set(digests) - unchanged)))


def _read_manifest(manifest: Path, game: str) -> Iterator[tuple[str, str]]:
    """Yield name and SHA-256 of the files in a manifest; none if it is not a manifest of the game."""
    try:
        text = _read_plain_file(manifest, MAX_MANIFEST_BYTES).decode()
        document = json.loads(text)
        if dump_manifest(document) != text or document["game"] != game or document["lang"] != manifest.parent.name:
            return
        entries = [_parse_entry(file, document["lang"]) for file in document["files"]]
    except (InputError, ValueError, RecursionError, TypeError, KeyError):
        return
    yield from filter(None, entries)


def _parse_entry(file: Any, lang: str) -> tuple[str, str] | None:
    *folders, name = PurePosixPath(file["path"]).parts
    ours = name.startswith(f"{file['part']}-") and name.endswith(".pdf") and not {"/", "\\"} & set(name)
    return (name, str(file["sha256"])) if ours and folders[-1:] == [lang] and ".." not in folders else None


def _digest(path: Path) -> str:
    """The SHA-256 of a plain file; empty for anything else, links included."""
    try:
        return hashlib.sha256(_read_plain_file(path)).hexdigest()
    except InputError:
        return ""


def _read_plain_file(path: Path, limit: int = MAX_OUTPUT_BYTES) -> bytes:
    if path.is_symlink():
        raise refuse_file(path, "is a link")
    return read_bytes(path, limit, "")
