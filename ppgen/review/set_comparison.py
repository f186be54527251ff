"""Printed faces: their record, what has changed since, and two sets side by side."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from hashlib import sha256
from pathlib import Path
from typing import Any

from ppgen.engine.booklets.booklet_pdf import ProofEntry, ProofWords, proof_pdf
from ppgen.engine.component import Part
from ppgen.engine.drawing.face import Face
from ppgen.engine.geometry import Format, Rect, Size
from ppgen.engine.pictures.face_pictures import draw_faces, find_difference
from ppgen.errors import InputError, NothingToDoError, Phrase, RequestError, display_path, join_names, to_one_line
from ppgen.lines import format_json
from ppgen.printing.drawn_parts import draw_parts, inspection_bleed
from ppgen.printing.manifest import Json, size_entry
from ppgen.printing.request import PieceFilter
from ppgen.printing.workshop import MAX_PIECES, Workshop
from ppgen.process.file_writing import BuiltFile
from ppgen.reading.fields import find_excess, read_bytes, refuse_file
from ppgen.reading.texts import Texts
from ppgen.records import asdict, dataclass, field, replace

# --- Record ---
# The record has digests of faces, and cells, and reads well in a comparison of versions. It lies in the folder of a
# deck, so that copies and versions of the deck have their own, and may come from a stranger: everything in it is
# checked.

RECORD_FOLDER, RECORD_FILE = "printed", "printed.json"
MAX_RECORD_BYTES = 20_000_000
MAX_RECORD_DEPTH, MAX_TEXT, MAX_SETS = 8, 20_000, 100  # depth, length of texts and number of sets in a record
NO_CELLS = ("id", "kind", "copies")  # entries of a component that are not cells of its row


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


@dataclass(frozen=True, slots=True, kw_only=True)
class PrintedVariant:
    """Language, size, ink, skin and choices: the same piece may look different in each."""

    lang: str
    card_size: str
    ink: str
    skin: str = ""
    choices: tuple[str, ...] = ()

    def __str__(self) -> str:
        return join_names((self.lang, self.card_size, self.ink, self.skin, *self.choices))


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
    if excess := find_excess(document, MAX_RECORD_DEPTH, MAX_TEXT):
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


# --- Comparison ---

MAX_LINE_CELL, MAX_CELL_LENGTH = 40, 600  # characters of a cell in a line about its change, and on a proof sheet


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


# --- Changed pieces ---

CHANGED, NEW = "changed", "new"  # states of pieces in filters: `is:changed`, `is:new`


@dataclass(frozen=True, kw_only=True)
class PieceSelection:
    """Selection by the options: a filter, and only ``changed`` pieces since they were printed.

    ``workshop`` has all pieces; card size, ink and skin are those of the set. Pieces have changed since they were
    printed, as the file ``record`` knows, or in comparison with the ``other`` copy of the game. Faces are compared once
    for each language.
    """

    workshop: Workshop
    where: PieceFilter | None
    changed: bool
    card_size: Format
    ink: str
    skin: str
    record: Path
    other: Workshop | None = None
    _changes: dict[str, tuple[PieceChange, ...]] = field(default_factory=dict)

    def variant(self, lang: str) -> PrintedVariant:
        """The variant of the set in a language."""
        return PrintedVariant(lang=lang, card_size=str(self.card_size.size), ink=self.ink, skin=self.skin,
                              choices=tuple(self.workshop.game.chosen_words))

    def changes(self, texts: Texts) -> tuple[PieceChange, ...]:
        """Return all that differs in a language. Raises InputError if nothing is remembered as printed."""
        if texts.lang not in self._changes:
            before = self._looks_before(texts.lang)
            self._changes[texts.lang] = find_changes(before, self._draw(self.workshop, texts))
        return self._changes[texts.lang]

    def select_changes(self, texts: Texts, names: Sequence[str]) -> tuple[PieceChange, ...]:
        """Return what differs of these parts and pieces, if any are named, and of those that the filter selects."""
        ids = set(self._select(texts)) if self.where else set()
        return tuple(each for each in self.changes(texts)
                     if (not names or {each.piece.id, each.piece.part} & {*names})
                     and (not self.where or each.piece.id in ids))

    def _draw(self, workshop: Workshop, texts: Texts) -> Looks:
        return draw_looks(workshop, texts, workshop.game.parts(texts, self.card_size), self.ink)

    def _looks_before(self, lang: str) -> Looks:
        if self.other:
            return self._draw(self.other, self.other.texts(lang))
        record, variant = read_record(self.record), self.variant(lang)
        if variant not in record:
            known = "; ".join(map(str, record))
            raise InputError.at(display_path(self.record), *(
                (Phrase("none_printed_in", name=variant), Phrase("remembered", names=known)) if known
                else (Phrase("none_printed"), Phrase("run_printed"))))
        return record[variant]

    def _select(self, texts: Texts) -> tuple[str, ...]:
        assert self.where
        states = {CHANGED: {each.piece.id for each in self.changes(texts) if each.to_print},
                  NEW: {each.piece.id for each in self.changes(texts) if not each.old}
                  } if self.where.needs_states else {}
        return self.where.select(self.workshop.game.describe(), states)

    def narrow_languages(self, langs: Sequence[str]) -> tuple[str, ...]:
        """Keep the languages in which something has changed; all of them if nothing has in any."""
        changed = tuple(lang for lang in langs if self._copies_to_print(self.workshop.texts(lang)))
        return changed or tuple(langs)

    def _copies_to_print(self, texts: Texts) -> Mapping[str, int]:
        return {each.piece.id: each.to_print for each in self.changes(texts) if each.to_print}

    def pick(self, parts: Sequence[Part], texts: Texts) -> tuple[Part, ...]:
        """Return the parts with the selected pieces. Raises an InputError if there are none."""
        copies = self._copies_to_print(texts) if self.changed else None
        selected = set(self._select(texts)) if self.where else set()
        picked = []
        for part in parts:
            pieces = tuple(replace(piece, copies=copies[piece.id] if copies else piece.copies)
                           for piece in part.components if (copies is None or piece.id in copies)
                           and (not self.where or piece.id in selected))
            if pieces:
                picked.append(replace(part, components=pieces))
        if not picked:
            if self.where:
                raise RequestError.at("--where", f"no piece matches '{self.where}'",
                                      "ppgen list shows the cells of all pieces")
            raise NothingToDoError.at("--changed", "nothing looks different from what was printed",
                                      "leave it out to print everything")
        return tuple(picked)
