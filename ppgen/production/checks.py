"""Turns what is checked into what is wrong with it: the single checks, each a function in one of three lists.

A new check notes what it finds in ``found`` and is added to the list of what it looks at: the game's data (once),
each drawn face (in every ink and size), or the set of a language as it is printed.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from ppgen.engine.component import Component, Part
from ppgen.engine.drawing.face import Face, FaceRequest
from ppgen.engine.drawing.fineness import LEAST_STROKE, LEAST_TYPE, too_fine
from ppgen.engine.drawing.templates import TemplateSet
from ppgen.engine.pictures.afar import extremes
from ppgen.engine.pictures.ink import shown
from ppgen.engine.vision import LEAST_DISTANCE, MERGED, Swatch, likenesses
from ppgen.errors import Problems
from ppgen.production.ink_report import LOW_INK_PERCENT, InkRow, around, ink_report
from ppgen.production.wording import Translation
from ppgen.production.workshop import Workshop
from ppgen.reading.fields import Source
from ppgen.reading.texts import TOLD, Texts

UPPER, LEAST_SHOWN = 1 / 3, 0.04
"""What of a card stays in sight when others lie on it, and how much of that its colour must fill, also in low ink."""
CUE = "cue"
"""The anchor at what players know a piece by, on a face that does not show its colour."""
CLEAR = 25.0
"""The CIEDE2000 distance between the darkest and the lightest around what must be made out from afar."""


@dataclass(frozen=True, slots=True)
class Findings:
    """Everything that is wrong, and what may want a second look; checks note both here. And how far languages are."""

    problems: Problems = field(default_factory=Problems)
    warnings: Problems = field(default_factory=Problems)
    translations: dict[str, Translation] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class CheckedFace:
    """A face that could be drawn; ``subject`` names it in problems (as their key), ``templates`` drew it."""

    templates: TemplateSet
    part: Part
    request: FaceRequest
    face: Face
    ink: str
    subject: str


@dataclass(frozen=True, slots=True, kw_only=True)
class PrintedLanguage:
    """A language whose set could be printed: its ``parts`` in the first look's size, and the ``inks`` that they take in
    low ink; ``texts`` knows what was asked for on the way."""

    workshop: Workshop
    texts: Texts
    parts: Sequence[Part]
    inks: Sequence[InkRow]


def colours_are_told_apart(workshop: Workshop, found: Findings) -> None:
    """By all players, and in grey print; where colours are a little near, something else differs."""
    for group in workshop.game.swatches:
        for pair in likenesses(group):
            if not pair.told_apart:
                found.problems.note("colours", f"{pair.one.colour} and {pair.other.colour} look alike in {pair.vision} "
                                    f"(CIEDE2000 {pair.distance:.1f}, at least {LEAST_DISTANCE:g} is clear)",
                                    "choose other colours" if pair.distance < MERGED else
                                    "choose other colours, or another shape or code for one of them",
                                    key=f"{pair.one.name} {pair.other.name}")


def the_designer_may_reconsider(workshop: Workshop, found: Findings) -> None:
    """What the game itself warns of."""
    found.warnings.extend(workshop.game.warnings)


def nothing_is_too_fine(checked: CheckedFace, found: Findings) -> None:
    """Strokes that some printers lose, and type that few readers can read."""
    for fine in too_fine(checked.face):
        place, line = checked.templates.place(fine.mark)
        if fine.kind == "stroke":
            found.problems.note(place, f"draws a stroke of {fine.size:.3g} mm", f"printers lose what is under "
                                f"{LEAST_STROKE:g} mm: make it wider", line=line, key=checked.subject)
        else:
            found.warnings.note(place, f"sets type of {fine.size:.1f} pt", f"{LEAST_TYPE:g} pt is the least that reads "
                                "well: give it more room or fewer words", line=line, key=checked.subject)


def colours_show_in_low_ink(printed: PrintedLanguage, found: Findings) -> None:
    """What players know a card by across the table is on it in low ink, too. Tiles lie open: all of them is seen.

    A face that states the anchor ``cue`` says that players know the piece by what is drawn there, in whatever colour.
    """
    workshop = printed.workshop
    pieces = {piece.colour: piece for part in printed.parts if not part.is_tiles
              for piece in reversed(part.components) if piece.colour}
    drawn = dict(zip(pieces, _fronts(printed, "low", [*pieces.values()]), strict=True))
    faces = {colour: face for colour, face in drawn.items() if CUE not in face.anchors}
    for colour, share in zip(faces, shown(tuple(faces.values()), tuple(faces), UPPER, workshop.fonts.folder),
                             strict=True):
        piece = pieces[colour]
        if share < LEAST_SHOWN:
            found.problems.note(workshop.templates.place(f"{piece.front.template}:0")[0],
                                f"{share:.1%} of the upper third shows the colour {colour}",
                                f"at least {LEAST_SHOWN:.0%}, in a bar for example: players know the card by it",
                                key=f"[{piece.id} {printed.texts.lang} low ink]")


def what_matters_is_clear(printed: PrintedLanguage, found: Findings) -> None:
    """What must be made out from afar stands off its ground for all players, and in grey print.

    Two pieces of each colour tell; in full ink, as low ink is dark on white.
    """
    workshop = printed.workshop
    coloured = [piece for part in printed.parts if not part.is_tiles for piece in part.components if piece.colour]
    ends = [*{piece.colour: piece for piece in reversed(coloured)}.values(),
            *{piece.colour: piece for piece in coloured}.values()]
    pieces = {piece.id: piece for piece in ends}
    faces = _fronts(printed, "full", [*pieces.values()])
    for piece, seen in zip(pieces.values(), extremes(faces, workshop.fonts.folder), strict=True):
        for name, colours in seen.items():
            for pair in likenesses([Swatch(name=name, colour=colour, cue="") for colour in colours], CLEAR):
                found.problems.note(workshop.templates.place(f"{piece.front.template}:0")[0],
                                    f"'{name}' can't be made out from afar in {pair.vision} (CIEDE2000 "
                                    f"{pair.distance:.1f}, at least {CLEAR:g} is clear)", "choose a darker or lighter "
                                    "colour for it or its ground", key=f"[{piece.id} {printed.texts.lang} full ink]")


def _fronts(printed: PrintedLanguage, ink: str, pieces: Sequence[Component]) -> list[Face]:
    """The fronts of some pieces, drawn as their parts are to be looked at."""
    studio = printed.workshop.studio(printed.texts, ink)
    part_of = {piece.id: part for part in printed.parts for piece in part.components}
    return [studio.draw(piece.front, around(part_of[piece.id], "front") or 0, piece.id) for piece in pieces]


def low_ink_is_low(printed: PrintedLanguage, found: Findings) -> None:
    too_much = {row.part: row.percent for row in printed.inks if row.percent > LOW_INK_PERCENT}
    full = ink_report(printed.workshop, printed.texts, printed.parts, ("full",)) if too_much else ()
    of_full = {row.part: row.percent for row in full}
    for part, percent in too_much.items():
        key = f"[{printed.texts.lang} low ink]"
        if percent == of_full[part]:  # a deck may do without
            found.warnings.note(part, "looks the same with little ink",
                                'templates may ask for it: {% if ink == "low" %}', key=key)
        else:
            found.problems.note(part, f"takes {percent:.1f} % ink", f"at most {LOW_INK_PERCENT:g} %: lighten the "
                                "low-ink branch of its templates", key=key)


def texts_are_used(printed: PrintedLanguage, found: Findings) -> None:
    for key in printed.texts.unused():
        if key.partition(".")[0] not in printed.workshop.game.spoken | TOLD:
            found.problems.append(printed.texts.problem(key, "text is used nowhere", "take it out"))


def booklets_have_words(workshop: Workshop, texts: Texts, found: Findings) -> None:
    """A set is printed without those that have none."""
    for name in workshop.booklets:
        for folder in workshop.written[name]:
            file = Source(folder / f"{texts.lang}.toml", "")
            if not file.path.is_file():
                model = f"{workshop.game.lang}.toml"
                found.warnings.note(file.name, f"file is missing: the set is printed without '{name}'",
                                    f"copy {model} of that folder, and translate it", key=name)


OF_THE_GAME: tuple[Callable[[Workshop, Findings], None], ...] = (colours_are_told_apart, the_designer_may_reconsider)
OF_A_FACE: tuple[Callable[[CheckedFace, Findings], None], ...] = (nothing_is_too_fine,)
OF_A_LANGUAGE: tuple[Callable[[PrintedLanguage, Findings], None], ...] = (
    low_ink_is_low, colours_show_in_low_ink, what_matters_is_clear, texts_are_used)
