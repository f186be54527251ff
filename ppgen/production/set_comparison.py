"""Proof sheet of a set: the faces of changed pieces before and after."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from ppgen.engine.booklets.proof_sheet import ProofEntry, ProofWords, proof_pdf
from ppgen.engine.drawing.face import Face
from ppgen.engine.geometry import Size
from ppgen.engine.pictures.face_comparison import decode_picture, png_of
from ppgen.production.printed_faces import PieceChange, SideLook, kept_pictures

MAX_CELL_LENGTH = 600
"""Characters of a cell on a proof sheet."""


def proof_sheet(changes: Sequence[PieceChange], words: ProofWords, names: Mapping[str, str], page: Size, fonts: Path
                ) -> bytes:
    """Set the PDF of all changes; ``names`` are what to call ``new`` and ``gone`` pieces, and a ``back``.

    Raises InputError.
    """
    sides = [side for change in changes for piece in (change.old, change.new) if piece
             for side in piece.sides.values() if not side.face]
    kept = dict(zip(sides, kept_pictures(sides), strict=True))
    pictures = {side: png_of(decode_picture(content)) for side, content in kept.items()}
    entries = [entry for change in changes for entry in _entries(change, pictures, names)]
    return proof_pdf(entries, words, page, fonts)


def _entries(change: PieceChange, pictures: Mapping[SideLook, bytes], names: Mapping[str, str]
             ) -> Iterator[ProofEntry]:
    """The sides of a piece that look different; the front if it differs in cells or copies only."""
    def picture(side: SideLook | None) -> bytes | Face | None:
        return (side.face or pictures[side]) if side else None

    old, new, piece = change.old, change.new, change.piece
    cells = [(name, before[:MAX_CELL_LENGTH], after[:MAX_CELL_LENGTH])
             for name, (before, after) in change.cells.items()]
    note = names["new"] if not old else names["gone"] if not new else (
        f"× {old.copies} → {new.copies}" if old.copies != new.copies else "")
    for number, name in enumerate([*change.areas] or [*piece.sides][:1]):
        before, after = (each.sides.get(name) if each else None for each in (old, new))
        if not (now := after or before):
            continue
        yield ProofEntry(
            id=piece.id, part=f"{piece.part} · {names['back']}" if name == "back" else piece.part, note=note,
            size=now.size, old_size=before.size if before and before.size != now.size else None,
            old=picture(before), new=picture(after), area=change.areas.get(name), cells=() if number else cells,
            missing=names["gone" if before else "new"])
