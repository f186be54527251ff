"""Turns a scored game into the score sheet, filled in as a person would have."""

from __future__ import annotations

from collections.abc import Sequence

from ppgen.assets import Assets
from ppgen.engine.formats import A4, Format
from ppgen.engine.forms.widgets import fill_form
from ppgen.games.card_game import NAME
from ppgen.games.card_game.printing.score_values import form_values
from ppgen.games.card_game.scoring.points import Score, Tally
from ppgen.production.build import print_set
from ppgen.production.request import BuildRequest
from ppgen.production.workshop import Workshop


def filled_score_sheet(score: Score, tallies: Sequence[Tally], lang: str, date: str = "", place: str = "",
                       *, assets: Assets | None = None, paper: Format = A4) -> bytes:
    """The PDF of the score sheet with counts, points and totals in its fields; they can still be changed.

    ``tallies`` are the players of ``score`` in the same order. Raises InputError if the set can't be
    printed. The same game gives the same bytes.
    """
    workshop = Workshop.open(assets or Assets.at(), game=NAME)
    request = BuildRequest(langs=(lang,), papers=(paper,), parts=("score-sheet",))
    printed = print_set(request, workshop, workshop.texts(lang), paper)
    sheet = next(file.content for file in printed.files if file.path.endswith(".pdf"))
    return fill_form(sheet, form_values(score, tallies, date, place), workshop.fonts)
