"""Turns the parts of a set into how much ink each takes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from ppgen.engine.component import Part
from ppgen.engine.formats import A4, Format
from ppgen.engine.imposition.values import SheetSpec
from ppgen.engine.shapes.shape import Kind
from ppgen.production.drawn import draw_parts, ink_of, on_sheets
from ppgen.production.request import INKS
from ppgen.production.workshop import Workshop
from ppgen.reading.texts import Texts

LOW_INK_PERCENT = 12.0
"""The most ink that the pieces of a low-ink set may take, in the mean."""
WORDS_PERCENT = 1.0
"""So much more ink the words of one language never take than those of another: of pieces full of text 0.6."""


@dataclass(frozen=True, slots=True, kw_only=True)
class InkRow:
    """The ink that a part takes, percent of its pieces' area."""

    part: str
    ink: str
    percent: float


def parts_on_sheets(workshop: Workshop, texts: Texts, card_size: Format) -> tuple[Part, ...]:
    """The parts of the set for that size of cards, on A4. Raises InputError."""
    return workshop.parts(texts, card_size, SheetSpec(paper=A4), ()).parts


def around(part: Part, side: str) -> float | None:
    """The bleed of faces to look at: that on the sheets, with which they are drawn already; none where the trim, a
    rectangle, would show some of it."""
    whole = all(piece.shape.kind is Kind.RECTANGLE for piece in part.components)
    return on_sheets(SheetSpec(paper=A4))(part, side) if whole else 0.0


def ink_report(workshop: Workshop, texts: Texts, parts: Sequence[Part],
               inks: Sequence[str] = INKS) -> tuple[InkRow, ...]:
    """How much ink each part that is cut out takes, mean over the trims of all its pieces, both sides.

    Raises InputError.
    """
    rows = []
    for ink in inks:
        for part in draw_parts(parts, workshop.studio(texts, ink), around, f"{texts.lang} {ink}"):
            copies = {component.id: component.copies for component in part.part.components}
            shares = [share for (piece, _), share in ink_of(part, workshop.fonts.folder).items()
                      for _ in range(copies[piece])]
            if shares:
                rows.append(InkRow(part=part.part.name, ink=ink, percent=100 * sum(shares) / len(shares)))
    return tuple(rows)


def low_inks(workshop: Workshop, texts: Texts, parts: Sequence[Part], others: Sequence[InkRow]) -> tuple[InkRow, ...]:
    """The ink that each part takes in low ink. Raises InputError.

    ``others`` are what they take in another language. Shipped templates draw the same in all but for the words, so of
    theirs only those are measured anew that may take too much.
    """
    sure = {row.part: row for row in others if row.percent <= LOW_INK_PERCENT - WORDS_PERCENT
            and workshop.templates.are_ours}
    anew = [part for part in parts if part.name not in sure]
    return (*sure.values(), *ink_report(workshop, texts, anew, ("low",)))
