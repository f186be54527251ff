"""Score sheet of a game, filled in."""

from __future__ import annotations

from collections.abc import Mapping

from ppgen.assets import Assets
from ppgen.engine.geometry import A4
from ppgen.engine.pdf.form_fields import fill_form
from ppgen.games.interface import SCORE_SHEET
from ppgen.printing.request import BuildRequest
from ppgen.printing.set_build import print_set
from ppgen.printing.workshop import Workshop


def fill_score_sheet(game: str, values: Mapping[str, str], lang: str, *, assets: Assets | None = None) -> bytes:
    """The score sheet of a game as a PDF form with ``values``, still editable. Raises InputError."""
    workshop = Workshop.open(assets or Assets.at(), game=game)
    request = BuildRequest(langs=(lang,), papers=(A4,), parts=(SCORE_SHEET,))
    printed = print_set(request, workshop, workshop.texts(lang), A4)
    sheet = next(file.content for file in printed.files if file.path.endswith(".pdf"))
    return fill_form(sheet, values, workshop.fonts)
