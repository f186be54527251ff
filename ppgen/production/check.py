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
from ppgen.errors import InputError, Problem, Problems, merged
from ppgen.production.booklets import missing
from ppgen.production.build import Workshop, print_set
from ppgen.production.drawing import draw_parts, on_sheets
from ppgen.production.manifest import files_in
from ppgen.production.request import INKS, BuildRequest
from ppgen.texts import TOLD, Texts

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


@dataclass(frozen=True, slots=True, kw_only=True)
class Findings:
    """Everything that is wrong, and what may want a second look."""

    problems: tuple[Problem, ...]
    warnings: tuple[Problem, ...]


def check(workshop: Workshop, langs: Iterable[str], sizes: Sequence[Format]) -> Findings:
    """Draw every face in every language, ink and card size, and print each language once."""
    problems, warnings = Problems(_alike(workshop)), Problems(workshop.game.warnings)
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
            _printed(workshop, texts, found, warnings)
        warnings.extend(missing(texts, workshop.booklets))  # such a set is printed without them
        problems.extend(found)
    return Findings(problems=merged(dict.fromkeys(problems)), warnings=tuple(dict.fromkeys(warnings)))


def _draw(workshop: Workshop, texts: Texts, parts: Sequence[Part], subject: str, ink: str,
          problems: Problems) -> None:
    try:
        draw_parts(parts, workshop.studio(texts, ink), on_sheets(SPEC), subject)
    except InputError as error:
        problems.extend(error.problems)


def _printed(workshop: Workshop, texts: Texts, problems: Problems, warnings: Problems) -> None:
    """Print the set in both inks: low ink that is not low, and texts that nothing printed asks for."""
    rows = {(row.part, row.ink): row.percent for row in ink_report(workshop, texts)}
    for part, percent in ((part, percent) for (part, ink), percent in rows.items() if ink == "low"):
        if percent <= LOW_INK_PERCENT:
            continue
        if percent == rows[part, "full"]:  # a deck may do without
            warnings.note(part, "looks the same with little ink", 'templates may ask for it: {% if ink == "low" %}',
                          key=f"[{texts.lang} low ink]")
        else:
            problems.note(part, f"takes {percent:.1f} % ink", f"at most {LOW_INK_PERCENT:g} %: lighten the low-ink "
                          "branch of its templates", key=f"[{texts.lang} low ink]")
    for key in texts.unused():
        if key.partition(".")[0] not in workshop.game.spoken | TOLD:
            problems.note(f"{texts.lang}.toml", "text is used nowhere", "take it out", key=key)


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
