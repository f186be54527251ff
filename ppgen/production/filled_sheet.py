"""Turns what stands in a score sheet's fields into the sheet, filled in as a person would have."""

from __future__ import annotations

from collections.abc import Mapping

from ppgen.assets import Assets
from ppgen.engine.formats import A4, Format
from ppgen.engine.forms.widgets import fill_form
from ppgen.games.game import SCORE_SHEET
from ppgen.production.build import print_set
from ppgen.production.request import BuildRequest
from ppgen.production.workshop import Workshop


def filled_score_sheet(game: str, values: Mapping[str, str], lang: str, *, assets: Assets | None = None,
                       paper: Format = A4) -> bytes:
    """The PDF of the score sheet of the game of that name with the values in its fields; they can still be changed.

    Raises InputError if the set can't be printed. The same values give the same bytes.
    """
    workshop = Workshop.open(assets or Assets.at(), game=game)
    request = BuildRequest(langs=(lang,), papers=(paper,), parts=(SCORE_SHEET,))
    printed = print_set(request, workshop, workshop.texts(lang), paper)
    sheet = next(file.content for file in printed.files if file.path.endswith(".pdf"))
    return fill_form(sheet, values, workshop.fonts)
