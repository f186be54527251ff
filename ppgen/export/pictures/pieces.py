"""Turns a game in a language into the drawn parts that are to be exported."""

from __future__ import annotations

from collections.abc import Callable

from ppgen.engine.component import Pad, Part, Stock
from ppgen.engine.formats import A4
from ppgen.engine.geometry import Size
from ppgen.engine.imposition.values import SheetSpec
from ppgen.errors import Problem, Problems, RequestError
from ppgen.export.exported import ExportRequest
from ppgen.games.catalogue import owners
from ppgen.production.drawn import Bleed, DrawnPart, draw_parts
from ppgen.production.selection import check_names, selected, spelled_out
from ppgen.production.workshop import Workshop
from ppgen.reading.texts import Texts

Choose = Callable[[Texts], tuple[Part, ...]]
"""The parts of a language."""


def all_parts(workshop: Workshop, request: ExportRequest) -> Choose:
    """The pieces of the game, or whatever parts are asked for, whole pages too.

    It raises RequestError for a part that the set has not, or that has no faces.
    """

    def choose(texts: Texts) -> tuple[Part, ...]:
        if not request.parts:
            return tuple(filter(is_piece, workshop.game.parts(texts, request.card_size)))
        chosen = workshop.parts(texts, request.card_size, SheetSpec(paper=A4), request.parts)
        if chosen.booklets:
            build = f"ppgen build --game {workshop.game.id}"
            raise RequestError(Problem(place="--only", what=f"'{name}' is a booklet, not made of pieces",
                                       remedy=f"print it: {build} --only {name}") for name in chosen.booklets)
        return chosen.parts

    return choose


def pieces(workshop: Workshop, request: ExportRequest, room: Size | None = None, flat: bool = False) -> Choose:
    """The pieces of the game, or those that are asked for; with a ``room`` (mm) also whole pages of that size.

    What is folded from paper has no place where all is ``flat``: there it is made in another way, if there is one. It
    raises RequestError for a part that is not among them.
    """

    def choose(texts: Texts) -> tuple[Part, ...]:
        parts = workshop.game.parts(texts, request.card_size)
        if flat and any(part.stock is Stock.FOLDED for part in parts):
            others = {part.name: part for made in reversed(workshop.makings)
                      for part in made.game.parts(texts, request.card_size) if part.stock is not Stock.FOLDED}
            parts = tuple(others.get(part.name, part) if part.stock is Stock.FOLDED else part for part in parts)
        if room and workshop.game.score_sheet:
            parts = (*parts, workshop.game.score_sheet(texts, Pad(room=room)))
        offered = [part for part in parts if is_piece(part) or (room and part.pages)]
        wanted = spelled_out(request.parts, workshop.game.groups)
        check_names(wanted, offered, tuple(workshop.game.groups), "'{name}' is not among the pieces of this export",
                    owners(workshop.assets))
        return selected(offered, wanted) if wanted else tuple(filter(is_piece, offered))

    return choose


def is_piece(part: Part) -> bool:
    """Whether a part is made of pieces to play with, not of pages or a box."""
    return not part.pages and part.stock is not Stock.BOX


def draw_all(workshop: Workshop, request: ExportRequest, choose: Choose,
             bleed: Bleed) -> list[tuple[Texts, tuple[DrawnPart, ...]]]:
    """The drawn parts of each language. Raises InputError with the problems of all of them; then none is made."""
    problems = Problems()
    drawn: list[tuple[Texts, tuple[DrawnPart, ...]]] = []
    for lang in request.langs:
        with problems.gathering():
            texts = workshop.texts(lang)
            parts = choose(texts)
            drawn.append((texts, draw_parts(parts, workshop.studio(texts, request.ink), bleed, lang)))
    problems.raise_if_any()
    return drawn
