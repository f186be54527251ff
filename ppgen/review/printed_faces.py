"""Faces as they look now, and the record of those that were printed.

The record has digests of faces, and cells, and reads well in a comparison of versions. It lies in the folder of a deck,
so that copies and versions of the deck have their own, and may come from a stranger: everything in it is checked.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass, field
from hashlib import sha256
from pathlib import Path
from typing import Any

from ppgen.engine.component import Part
from ppgen.engine.drawing.face import Face
from ppgen.engine.geometry import Size
from ppgen.errors import InputError, join_names
from ppgen.lines import format_json
from ppgen.printing.drawn_parts import draw_parts, inspection_bleed
from ppgen.printing.manifest import Json, size_entry
from ppgen.printing.workshop import MAX_PIECES, Workshop
from ppgen.process.file_writing import BuiltFile
from ppgen.reading.fields import find_excess, read_bytes, refuse_file
from ppgen.reading.texts import Texts

RECORD_FOLDER, RECORD_FILE = "printed", "printed.json"
MAX_RECORD_BYTES = 20_000_000
MAX_DEPTH, MAX_TEXT, MAX_SETS = 8, 20_000, 100  # depth, length of texts and number of sets in a record
NO_CELLS = ("id", "kind", "copies")  # entries of a component that are not cells of its row


# --- Faces and pieces ---

@dataclass(frozen=True, slots=True, kw_only=True)
class SideLook:
    """A side of a piece: a digest of its drawing, its trim size, and the face, unless it is from a record."""

    digest: str
    size: Size
    face: Face | None = field(default=None, compare=False)
    fonts: Path = field(default=Path(), compare=False)


@dataclass(frozen=True, slots=True, kw_only=True)
class PieceLook:
    """A piece with its sides by name (``front``, ``back``), and the cells of its row as texts."""

    id: str
    part: str
    copies: int
    cells: Mapping[str, str]
    sides: Mapping[str, SideLook]


Looks = Mapping[str, PieceLook]  # pieces by their ids


def draw_looks(workshop: Workshop, texts: Texts, parts: Iterable[Part], ink: str) -> dict[str, PieceLook]:
    """Draw the pieces of the parts as they look now; whole pages are not among them. Raises InputError."""
    rows = {str(row["id"]): row for row in workshop.game.describe()}
    drawn = draw_parts([part for part in parts if not part.is_full_page], workshop.studio(texts, ink), inspection_bleed,
                       f"{texts.lang} {ink}")
    looks = {}
    for part in drawn:
        for piece in part.part.components:
            sides = {side: _look(part.faces[piece.id, side], workshop.fonts.folder)
                     for side in ("front", "back") if (piece.id, side) in part.faces}
            cells = {name: format_cell(cell) for name, cell in rows.get(piece.id, {}).items() if name not in NO_CELLS}
            looks[piece.id] = PieceLook(id=piece.id, part=part.part.name, copies=piece.copies, cells=cells, sides=sides)
    return looks


def _look(face: Face, fonts: Path) -> SideLook:
    size = Size(round(face.size.width, 4), round(face.size.height, 4))  # as the record has it
    return SideLook(digest=face_digest(face), size=size, face=face, fonts=fonts)


def face_digest(face: Face) -> str:
    """Return a digest of the look of a face with its bleed, in 24 hexadecimal digits."""
    return sha256(f"{face.size.width} {face.size.height} {face.bleed} {face.svg}".encode()).hexdigest()[:24]


def format_cell(cell: object) -> str:
    """Format a value of a row for display."""
    match cell:
        case None:
            return ""
        case Mapping():
            return ", ".join(f"{name} {count}" for name, count in cell.items())
        case list() | tuple():
            return ", ".join(map(str, cell))
    return str(cell)


# --- Record ---

@dataclass(frozen=True, slots=True, kw_only=True)
class PrintedVariant:
    """Language, size, ink, skin and choices: the same piece may look different in each."""

    lang: str
    card_size: str
    ink: str
    skin: str = ""
    choices: tuple[str, ...] = ()

    def __str__(self) -> str:
        return join_names(filter(None, (self.lang, self.card_size, self.ink, self.skin, *self.choices)))


Record = Mapping[PrintedVariant, Looks]


def read_record(file: Path) -> dict[PrintedVariant, dict[str, PieceLook]]:
    """Read a record; it is empty if there is no file. Raises InputError for anything that is not a record."""
    if not file.parent.is_dir() or not (file.exists() or file.is_symlink()):
        return {}
    for path in (file.parent, file):
        _check_no_link(path)
    data = read_bytes(file, MAX_RECORD_BYTES, "it is not a record of printed faces")
    if data.startswith(b"PK\x03\x04"):
        raise refuse_file(file, "is a zip archive", "unpack it, and name its folder")
    try:
        document = json.loads(data, parse_constant=_refuse_constant)
    except (ValueError, RecursionError) as error:
        raise _damage_error(file, "is not JSON") from error
    if excess := find_excess(document, MAX_DEPTH, MAX_TEXT):
        raise _damage_error(file, excess[1])
    try:
        record = {_parse_variant(entry["set"]): {
            id: _parse_piece(id, piece) for id, piece in entry["pieces"].items()}
            for entry in document["printed"]}
    except (KeyError, TypeError, ValueError, AttributeError, OverflowError) as error:  # 1e999 is infinite
        raise _damage_error(file, "is not a record of printed faces") from error
    if len(record) > MAX_SETS or sum(map(len, record.values())) > MAX_SETS * MAX_PIECES:
        raise _damage_error(file, "has too many pieces")
    return record


def _parse_variant(values: Mapping[str, Any]) -> PrintedVariant:
    words = {name: str(values[name]) for name in ("lang", "card_size", "ink", "skin")}
    return PrintedVariant(**words, choices=tuple(map(str, values["choices"])))


def _parse_piece(id: str, piece: Mapping[str, Any]) -> PieceLook:
    """Raises KeyError, TypeError, ValueError or AttributeError for anything else."""
    sides = {}
    for name, side in piece["sides"].items():
        if name not in ("front", "back"):
            raise ValueError(name)
        sides[name] = SideLook(digest=str(side["digest"]), size=Size(float(side["width_mm"]), float(side["height_mm"])))
    return PieceLook(id=id, part=str(piece["part"]), copies=int(piece["copies"]), sides=sides,
                     cells={str(name): str(cell) for name, cell in piece["cells"].items()})


def _refuse_constant(word: str) -> None:
    raise ValueError(f"{word} is not JSON")


def _check_no_link(path: Path) -> None:
    """Refuse a link, which a deck of a stranger may have in place of the record."""
    if path.is_symlink():
        raise refuse_file(path, "is a link", "put the file or folder itself there")


def _damage_error(file: Path, what: str) -> InputError:
    return refuse_file(file, what, "restore it, or forget what is printed: ppgen printed --forget")


def dump_record(folder: Path, record: Record) -> BuiltFile:
    """Return the file to write into the folder so that it holds the record. Raises InputError for a link."""
    _check_no_link(folder)

    def entry(piece: PieceLook) -> Json:
        sides = {name: {"digest": side.digest, **size_entry(side.size)} for name, side in piece.sides.items()}
        return {"part": piece.part, "copies": piece.copies, "cells": dict(piece.cells), "sides": sides}

    document = {"version": 1, "printed": [
        {"set": asdict(variant), "pieces": {name: entry(piece) for name, piece in looks.items()}}
        for variant, looks in sorted(record.items(), key=lambda item: str(item[0])) if looks]}
    return BuiltFile(path=RECORD_FILE, content=format_json(document).encode())
