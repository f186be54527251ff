"""Comparison of two versions of a set: what differs, in lines and as a proof sheet of faces before and after."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path

from ppgen.engine.booklets.booklet_pdf import ProofEntry, ProofWords, proof_pdf
from ppgen.engine.drawing.face import Face
from ppgen.engine.geometry import Rect, Size
from ppgen.engine.pictures.face_pictures import draw_faces, find_difference
from ppgen.errors import join_names, to_one_line
from ppgen.printing.manifest import Json
from ppgen.review.printed_faces import Looks, PieceLook, SideLook

MAX_LINE_CELL, MAX_CELL_LENGTH = 40, 600  # characters of a cell in a line about its change, and on a proof sheet


# --- Differences ---

@dataclass(frozen=True, kw_only=True)
class PieceChange:
    """A piece that is new (no ``old``), gone (no ``new``), or differs; ``areas`` are where its sides look different."""

    old: PieceLook | None
    new: PieceLook | None
    areas: Mapping[str, Rect] = field(default_factory=dict)

    @property
    def piece(self) -> PieceLook:
        found = self.new or self.old
        assert found
        return found

    @cached_property
    def cells(self) -> dict[str, tuple[str, str]]:
        """The cells that differ: column, then the old and the new text."""
        if not self.old or not self.new:
            return {}
        before, after = self.old.cells, self.new.cells
        return {name: (before.get(name, ""), after.get(name, "")) for name in dict.fromkeys((*after, *before))
                if before.get(name, "") != after.get(name, "")}

    @property
    def to_print(self) -> int:
        """The copies that have to be printed: all of what looks different, else the additional ones."""
        if not self.new:
            return 0
        return self.new.copies if self.areas or not self.old else max(0, self.new.copies - self.old.copies)

    @property
    def entry(self) -> Json:
        """Facts for programs."""
        kind = "added" if not self.old else "removed" if not self.new else "changed"
        return {"id": self.piece.id, "part": self.piece.part, "change": kind, "looks_different": [*self.areas],
                "cells": {name: {"old": old, "new": new} for name, (old, new) in self.cells.items()},
                "copies": {"old": self.old.copies if self.old else 0, "new": self.new.copies if self.new else 0}}


def find_changes(old: Looks, new: Looks) -> tuple[PieceChange, ...]:
    """Compare pieces by their ids: how they look, their cells and copies. Gone ones come last. Raises InputError."""
    areas = _find_areas((before, after) for id, piece in new.items() if id in old for side, after in piece.sides.items()
                        if (before := old[id].sides.get(side)) and before != after)
    changes = []
    for id, piece in new.items():
        change = PieceChange(old=old.get(id), new=piece, areas=dict(_side_areas(old[id], piece, areas))
                             if id in old else {})
        if not change.old or change.areas or change.cells or change.old.copies != piece.copies:
            changes.append(change)
    return (*changes, *(PieceChange(old=piece, new=None) for id, piece in old.items() if id not in new))


_Pair = tuple[SideLook, SideLook]


def _find_areas(pairs: Iterable[_Pair]) -> dict[_Pair, Rect | None]:
    """Areas in which sides of the same size look different, if both are drawn."""
    drawn = [(pair, old, new) for pair in dict.fromkeys(pairs)
             if pair[0].size == pair[1].size and (old := pair[0].face) and (new := pair[1].face)]
    faces = {face: side.fonts for pair, *both in drawn for side, face in zip(pair, both, strict=True)}
    pictures: dict[Face, bytes] = {}
    for fonts in {*faces.values()}:
        of_fonts = [face for face in faces if faces[face] == fonts]
        pictures |= zip(of_fonts, draw_faces(of_fonts, fonts), strict=True)
    return {pair: find_difference(pictures[old], pictures[new], pair[1].size) for pair, old, new in drawn}


def _side_areas(old: PieceLook, new: PieceLook, areas: Mapping[_Pair, Rect | None]) -> Iterator[tuple[str, Rect]]:
    """The sides that look different, and where; all of a side if only its digest is known."""
    for name in dict.fromkeys((*new.sides, *old.sides)):
        before, after = old.sides.get(name), new.sides.get(name)
        size = after.size if after else old.sides[name].size
        whole = Rect(0, 0, size.width, size.height)
        area = areas.get((before, after), whole) if before and after else whole
        if area and before != after:
            yield name, area


def describe_changes(changes: Sequence[PieceChange]) -> list[str]:
    """Return a line for each piece that differs; those that only look different share one."""
    lines, others = [], []
    for each in changes:
        old, new = each.old, each.new
        words = [f"{name}: {_shorten(before)} → {_shorten(after)}" for name, (before, after) in each.cells.items()]
        if old and new and old.copies != new.copies:
            words.append(f"× {old.copies} → {new.copies}")
        if not old or not new:
            lines.append(f"{'-' if old else '+'} {each.piece.id}  × {each.piece.copies}")
        elif words:
            lines.append(f"  {each.piece.id}  {', '.join(words)}")
        else:
            others.append(each)
    groups: dict[tuple[str, ...], list[str]] = {}
    for each in others:
        groups.setdefault(tuple(each.areas), []).append(each.piece.id)
    lines += [f"  {join_names(ids)}  ({join_names(sides)})" for sides, ids in groups.items()]
    return [*map(to_one_line, lines)]


def _shorten(cell: str) -> str:
    words = " ".join(cell.split())
    return words if len(words) <= MAX_LINE_CELL else f"{words[:MAX_LINE_CELL]}…"


# --- Proof sheet ---

def proof_sheet(changes: Sequence[PieceChange], words: ProofWords, names: Mapping[str, str], page: Size, fonts: Path
                ) -> bytes:
    """Set the PDF of all changes, both versions drawn; ``names`` for ``new``, ``gone``, ``back``. Raises InputError."""
    return proof_pdf([entry for change in changes for entry in _entries(change, names)], words, page, fonts)


def _entries(change: PieceChange, names: Mapping[str, str]) -> Iterator[ProofEntry]:
    """The sides of a piece that look different; the front if it differs in cells or copies only."""
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
            old=before.face if before else None, new=after.face if after else None, area=change.areas.get(name),
            cells=() if number else cells, missing=names["gone" if before else "new"])
