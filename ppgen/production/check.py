"""Turns a game's data, texts and templates into everything that is wrong with them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from itertools import product

from ppgen.engine.component import Part
from ppgen.engine.drawing.face import Face, FaceRequest
from ppgen.engine.drawing.memory import Memory
from ppgen.engine.formats import A4, Format
from ppgen.engine.geometry import Size
from ppgen.engine.imposition.values import SheetSpec
from ppgen.errors import InputError, Problem, Problems, merged
from ppgen.production.checks import (
    OF_A_FACE,
    OF_A_LANGUAGE,
    OF_THE_GAME,
    CheckedFace,
    Findings,
    PrintedLanguage,
    booklets_have_words,
)
from ppgen.production.drawn import on_sheets
from ppgen.production.ink_report import InkRow, low_inks, parts_on_sheets
from ppgen.production.proof import Typeset, prove_language
from ppgen.production.request import INKS
from ppgen.production.wording import once_each, translation, untranslated, where_written
from ppgen.production.workshop import Workshop
from ppgen.reading.texts import TOLD, Texts, languages

SPEC = SheetSpec(paper=A4)
Look = tuple[str, Format]
"""An ink and a card size to draw faces in."""
Watch = Callable[[str], None]
"""Told what is done next."""


def tightest(sizes: Mapping[str, Size]) -> tuple[Format, ...]:
    """The sizes that leave text the least room: the smallest card, the slenderest and the broadest.

    Faces grow with the card, so what fits these fits what lies between them.
    """
    def slender(name: str) -> float:
        return sizes[name].portrait.height / sizes[name].portrait.width

    names = (min(sizes, key=lambda name: sizes[name].width * sizes[name].height),
             max(sizes, key=slender), min(sizes, key=slender))
    return tuple(Format(name, sizes[name]) for name in dict.fromkeys(names))


def usual_looks(card_size: Format, sizes: Mapping[str, Size]) -> tuple[Look, ...]:
    """What is looked at if nothing else is asked for: the set as it is printed, and the tightest sizes.

    Low ink has lighter lines and plainer grounds, so of those it is the smallest that tells more.
    """
    tight = tightest(sizes)
    return tuple(dict.fromkeys([*product(INKS, (card_size, tight[0])), *product(INKS[:1], tight)]))


def steps(langs: Sequence[str], looks: Sequence[Look]) -> int:
    """How often :func:`check` says what it does next."""
    return len(langs) * (len(looks) + 1)


def check(workshop: Workshop, langs: Iterable[str], looks: Sequence[Look],
          watch: Watch = lambda _: None) -> Findings:
    """Draw every face of every language in each look, and print each language once, on cards of the first size.

    What does not change with the card's size is drawn for the first one.
    """
    found = Findings()
    for look in OF_THE_GAME:
        look(workshop, found)
    drafts = _drafts(workshop)
    workshop, known = replace(workshop, memory=Memory(borrows=True)), Typeset()
    inks: Sequence[InkRow] = ()
    for lang in langs:
        with found.problems.gathering():
            texts, wrong = drafts.get(lang) or workshop.draft(lang)
            found.problems.extend(wrong)
            inks = _language(workshop, texts, looks, watch, known, inks, found)
            booklets_have_words(workshop, texts, found)
            others = [other for name, (other, _) in drafts.items() if name != lang]
            done = found.translations[lang] = translation(texts, others)
            found.warnings.extend(untranslated(texts, done))
    return replace(found, problems=Problems(merged(dict.fromkeys(once_each(found.problems)))),
                   warnings=Problems(dict.fromkeys(found.warnings)))


def _drafts(workshop: Workshop) -> dict[str, tuple[Texts, Problems]]:
    """The languages of the set that can be read, finished or not, with what is wrong with each."""
    drafts = {}
    for lang in languages(workshop.assets.game(workshop.game.folder) / "locales"):
        with suppress(InputError):
            drafts[lang] = workshop.draft(lang)
    return drafts


def _language(workshop: Workshop, texts: Texts, looks: Sequence[Look], watch: Watch, known: Typeset,
              inks: Sequence[InkRow], found: Findings) -> Sequence[InkRow]:
    """Draw all faces, and print the set if that went well. Raises InputError where there is nothing to draw.

    ``known`` is what typst has set in another language, ``inks`` what that one takes in low ink, if it was measured.
    Returns what this one takes.
    """
    undrawn = Problems()
    own: dict[Format, tuple[Part, ...]] = {}
    made_otherwise: dict[Format, list[Part]] = {}
    seen: dict[str, list[Part]] = {ink: [] for ink, _ in looks}
    for ink, size in looks:
        watch(f"{texts.lang}: {size.name}, {ink} ink")
        if size not in own:
            own[size] = parts_on_sheets(workshop, texts, size)
            made_otherwise[size] = [part for made in workshop.makings[1:]
                                    for part in parts_on_sheets(made, texts, size) if part.variant]
        parts = [part for part in (*own[size], *made_otherwise[size]) if part not in seen[ink]]
        seen[ink] += parts
        for face in _drawn(workshop, texts, parts, ink, size, undrawn):
            for inspect in OF_A_FACE:
                inspect(face, found)
    watch(f"{texts.lang}: sheets and booklets")
    found.problems.extend(undrawn)
    if not undrawn and not texts.lent:  # a set that can't be drawn asks for too few of its texts
        size = looks[0][1]
        prove_language(workshop, texts, size, own[size], known)
        inks = low_inks(workshop, texts, own[size], inks)
        printed = PrintedLanguage(workshop=workshop, texts=texts, parts=own[size], inks=inks)
        for read in OF_A_LANGUAGE:
            read(printed, found)
    return inks


def _drawn(workshop: Workshop, texts: Texts, parts: Iterable[Part], ink: str, size: Format,
           problems: Problems) -> Iterator[CheckedFace]:
    """The faces of the parts that can be drawn; what is wrong with the others is noted."""
    bleed, unprinted = on_sheets(SPEC), workshop.game.spoken | TOLD
    seen: set[tuple[FaceRequest, float]] = set()
    for part in parts:
        for component in part.components:
            for side, request in component.faces():
                around = bleed(part, side)
                if around is None or (request, around) in seen:
                    continue
                seen.add((request, around))
                subject = f"[{component.id} {side} {texts.lang} {ink} {size.name}]"
                own = replace(texts, asked={})
                face: Face | None = None
                wrong: tuple[Problem, ...] = ()
                studio = replace(workshop.studio(own, ink), marked=True)
                try:
                    face = studio.draw(request, around, subject)
                except InputError as error:
                    wrong = error.problems
                for key, said in own.asked.items():
                    texts.asked.setdefault(key, set()).update(said)
                piece = component.id if part.pages else f"{component.id} ({size.name})"
                problems.extend(where_written(wrong, texts, own.asked, unprinted, piece))
                if face:
                    yield CheckedFace(templates=workshop.templates, part=part, request=request, face=face, ink=ink,
                                      subject=subject)
