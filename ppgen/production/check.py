"""Turns a game's data, texts and templates into everything that is wrong with them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import product

from ppgen.documents.calibration import CALIBRATION
from ppgen.engine.component import Part
from ppgen.engine.formats import Format
from ppgen.engine.geometry import Size
from ppgen.engine.imposition.values import Flip, SheetSpec
from ppgen.engine.vision import LEAST_DISTANCE, likenesses
from ppgen.errors import InputError, Problem, Problems
from ppgen.production.booklets import BOOKLETS, missing
from ppgen.production.build import Workshop, print_set
from ppgen.production.drawing import draw_parts, on_sheets
from ppgen.production.manifest import files_in
from ppgen.production.request import INKS, BuildRequest
from ppgen.texts import Texts

A4 = Format("a4", Size(210, 297))
SPEC = SheetSpec(paper=A4)
LOW_INK_PERCENT = 12.0
"""The most ink that the pieces of a low-ink set may take, in the mean."""


@dataclass(frozen=True, slots=True, kw_only=True)
class InkRow:
    """The ink that a part takes, percent of its pieces' area."""

    part: str
    ink: str
    percent: float


def check(workshop: Workshop, langs: Iterable[str], sizes: Sequence[Format]) -> tuple[Problem, ...]:
    """Draw every face in every language, ink and card size, and print each language once.

    Returns every problem found; the game's warnings are not among them.
    """
    problems = Problems(_alike(workshop))
    for lang in langs:
        try:
            texts = workshop.texts(lang)
        except InputError as error:
            problems.extend(error.problems)
            continue
        found = Problems()
        for ink in INKS:
            seen: list[Part] = []  # what does not change with the card's size is drawn in the first one
            for size in sizes:
                parts = [part for part in workshop.parts(texts, size, SPEC, ()).parts if part not in seen]
                seen += parts
                _draw(workshop, texts, parts, f"{texts.lang} {ink} {size.name}", ink, found)
        if not found:  # a set that can't be drawn asks for too few of its texts
            found.extend(_printed(workshop, texts))
        problems.extend(found)
    return tuple(dict.fromkeys(problems))


def left_out(workshop: Workshop, langs: Iterable[str]) -> tuple[Problem, ...]:
    """The booklets that languages have no words for: such a set is printed without them."""
    found = Problems()
    for lang in langs:
        try:
            found.extend(missing(workshop.texts(lang), BOOKLETS))
        except InputError:  # check() tells of it
            continue
    return tuple(found)


def _draw(workshop: Workshop, texts: Texts, parts: Sequence[Part], subject: str, ink: str,
          problems: Problems) -> None:
    try:
        draw_parts(parts, workshop.studio(texts, ink), on_sheets(SPEC), subject)
    except InputError as error:
        problems.extend(error.problems)


def _printed(workshop: Workshop, texts: Texts) -> Iterable[Problem]:
    """Print the set in both inks: low ink that is not low, and texts that nothing printed asks for."""
    for row in ink_report(workshop, texts):
        if row.ink == "low" and row.percent > LOW_INK_PERCENT:
            yield Problem(place=row.part, key=f"[{texts.lang} low ink]", what=f"takes {row.percent:.1f} % ink",
                          remedy=f"at most {LOW_INK_PERCENT:g} %: lighten the low-ink branch of its templates")
    for key in texts.unused():
        if key.partition(".")[0] in workshop.game.spoken:
            continue
        yield Problem(place=f"{texts.lang}.toml", key=key, what="text is used nowhere", remedy="take it out")


def ink_report(workshop: Workshop, texts: Texts) -> tuple[InkRow, ...]:
    """How much ink each part that is cut out takes, mean over the trims of all its pages. Raises InputError."""
    rows = []
    for ink, flip in product(INKS, Flip):
        # The other flip changes the words of the calibration page only.
        parts = () if flip is Flip.LONG else (CALIBRATION,)
        request = BuildRequest(langs=(texts.lang,), papers=(A4,), ink=ink, flip=flip, parts=parts)
        printed = print_set(request, workshop, texts, A4)
        for file in files_in(printed.manifests) if flip is Flip.LONG else ():
            shares = [side["ink_percent"] for side in file["sides"] if "ink_percent" in side]
            if shares:
                rows.append(InkRow(part=file["part"], ink=ink, percent=sum(shares) / len(shares)))
    return tuple(rows)


def _alike(workshop: Workshop) -> Iterable[Problem]:
    """Colours that some players, or a grey printer, can't tell apart, where nothing else differs."""
    for group in workshop.game.swatches:
        for pair in likenesses(group):
            if not pair.told_apart:
                yield Problem(place="colours", key=f"{pair.one.name} {pair.other.name}",
                              what=f"{pair.one.colour} and {pair.other.colour} look alike in {pair.vision} "
                                   f"(CIEDE2000 {pair.distance:.1f}, at least {LEAST_DISTANCE:g} is clear)",
                              remedy="choose other colours, or another shape or code for one of them")
