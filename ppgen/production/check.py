"""Turns a game's data, texts and templates into everything that is wrong with them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import product

from ppgen.engine.formats import Format
from ppgen.engine.geometry import Size
from ppgen.engine.imposition.values import Flip, SheetSpec
from ppgen.errors import InputError, Problem, Problems
from ppgen.production.build import Workshop, print_set
from ppgen.production.drawing import draw_parts
from ppgen.production.request import INKS, BuildRequest
from ppgen.texts import Texts

A4 = Format("a4", Size(210, 297))


def check(workshop: Workshop, langs: Iterable[str], sizes: Sequence[Format]) -> tuple[Problem, ...]:
    """Draw every face in every language, ink and card size, and print each language once.

    Returns every problem found; the game's warnings are not among them.
    """
    problems = Problems()
    for lang in langs:
        try:
            texts = workshop.texts(lang)
        except InputError as error:
            problems.extend(error.problems)
            continue
        found = Problems()
        for size, ink in product(sizes, INKS):
            _draw(workshop, texts, size, ink, found)
        if not found:  # a set that can't be drawn asks for too few of its texts
            found.extend(_unused(workshop, texts))
        problems.extend(found)
    return tuple(dict.fromkeys(problems))


def _draw(workshop: Workshop, texts: Texts, size: Format, ink: str, problems: Problems) -> None:
    spec = SheetSpec(paper=A4)
    try:
        parts = workshop.parts(texts, size, spec, ())
        draw_parts(parts, workshop.studio(texts, ink), spec, f"{texts.lang} {ink} {size.name}")
    except InputError as error:
        problems.extend(error.problems)


def _unused(workshop: Workshop, texts: Texts) -> Iterable[Problem]:
    """Texts that nothing printed asks for."""
    for ink, flip in product(INKS, Flip):
        print_set(BuildRequest(langs=(texts.lang,), papers=(A4,), ink=ink, flip=flip), workshop, texts, A4)
    for key in texts.unused():
        yield Problem(place=f"{texts.lang}.toml", key=key, what="text is used nowhere", remedy="take it out")
