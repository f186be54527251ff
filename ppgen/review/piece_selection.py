"""Pieces that ``--where`` and ``--changed`` select: the other ones are not printed, drawn or exported."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from ppgen.engine.component import Part
from ppgen.engine.geometry import Format
from ppgen.errors import InputError, NothingToDoError, RequestError, display_path
from ppgen.printing.piece_filter import PieceFilter
from ppgen.printing.workshop import Workshop
from ppgen.reading.texts import Texts
from ppgen.review.printed_faces import Looks, PrintedVariant, draw_looks, read_record
from ppgen.review.set_comparison import PieceChange, find_changes

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
            raise InputError.at(display_path(self.record), f"no faces are remembered as printed in {variant}" if known
                                else "no faces are remembered as printed", f"remembered: {known}" if known
                                else "when all is printed, run ppgen printed")
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
