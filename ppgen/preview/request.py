"""What is to be shown of a build, and where its pictures go."""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import StrEnum

from ppgen.engine.formats import Format
from ppgen.production.request import BuildRequest, Kind

LEAST_DPI, USUAL_DPI, MOST_DPI = 36, 150, 600
CONTACT_SHEET = "contact-sheet"


class Show(StrEnum):
    """The kinds of pictures."""

    CONTACT = "contact"
    FACES = "faces"
    PAGES = "pages"


@dataclass(frozen=True, slots=True, kw_only=True)
class PreviewRequest:
    """A preview of what ``build`` would print; ``dpi`` is pixels an inch of its faces and pages.

    ``names`` are ids of components, or patterns of them such as ``law-*``; none means all. ``shows`` is empty for
    what is seen first: the faces, and a contact sheet unless only a few were named.
    """

    build: BuildRequest
    shows: tuple[Show, ...] = ()
    dpi: int = USUAL_DPI
    names: tuple[str, ...] = ()

    def asks_for(self, show: Show) -> bool:
        usual = (Show.FACES,) if self.names else (Show.CONTACT, Show.FACES)
        return show in (self.shows or usual)

    def folder(self, lang: str, paper: Format) -> str:
        """The folder of a set's pictures in the output folder: pictures that differ get folders that do."""
        dpi = () if self.dpi == USUAL_DPI else (f"{self.dpi}dpi",)
        return f"{lang}/{self.build.stem('preview', paper, Kind.ALL, *dpi)}"

    @property
    def contact_sheet(self) -> str:
        """The name of the contact sheet, which tells what it is a part of."""
        words = (re.sub(r"[^\w-]", "", word).strip("-") for word in (*self.build.parts, *self.names))
        return "-".join((CONTACT_SHEET, *filter(None, words)))
