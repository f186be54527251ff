"""Looks: frame, ornament, back and fonts of a first layout. Each is a folder of ``data/looks``, copied into new decks.

``look.toml`` says how a card is divided, in mm on a poker card; ``look.svg.j2`` draws: it is a file of macros, which
the templates of the deck import and the maker changes like any other.
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache, cached_property
from pathlib import Path

from ppgen.engine.drawing.fonts import FontBook, house_fonts, read_fonts
from ppgen.shipped import shipped_root

LOOK_FILE, ABOUT = "look.svg.j2", "look.toml"


@dataclass(frozen=True, slots=True, kw_only=True)
class Measures:
    """Division of a card: lengths in mm on a poker card, which grow with the card."""

    edge: float = 3.0  # width of the frame; its contents lie `pad` further in
    pad: float = 1.6
    head: float = 9.2  # height of the name; if it is `below`, it stands under the window
    below: bool = False
    strip: float = 5.4
    foot: float = 7.6
    name: float = 4.7  # size of the name, its indents without and beside a cost, and its room at the other end
    indent: float = 2.4
    cost_indent: float = 11.0
    room: float = 2.2
    centred: bool = False
    capitals: bool = False
    corner: float = 1.0  # radius of the corners of pictures
    full: bool = False  # the window reaches to the edges of the card, and into the bleed
    cost_at: Sequence[float] = (5.5, 4.6)  # the middle of the cost inside the frame, and its radius
    cost: float = 4.0
    number_at: float = 5.0  # the distance of numbers in the lower corners from the frame, and their radius
    number: float = 3.5
    words: float = 2.2  # distance of the words from the sides of their panel
    left: bool = False  # short words begin at the left and at the top
    coloured_edge: bool = False  # in the kind's colour: sheets of one colour are cut together


@dataclass(frozen=True, kw_only=True)
class LayoutLook:
    """A look: its name and its measures."""

    name: str = ""
    accent: str = "#2b3350"  # colour of cards without a kind, and of backs
    palette: Sequence[str] = ()  # colours for kinds in place of ours
    measures: Measures = field(default_factory=Measures)

    @cached_property
    def folder(self) -> Path:
        return shipped_root() / "data" / "looks" / self.name

    @cached_property
    def files(self) -> Mapping[str, Path]:
        if not self.name:
            return {}
        return {path.relative_to(self.folder).as_posix(): path for path in sorted(self.folder.rglob("*"))
                if path.is_file() and path.name != ABOUT and not path.name.startswith(".")}

    @cached_property
    def fonts(self) -> FontBook:
        """The fonts that its texts are measured with."""
        return read_fonts(self.folder / "fonts", has_house=True) if self.name else house_fonts()


PLAIN_LOOK = LayoutLook()  # the look of first layouts that name none: it has no file of its own


def looks() -> dict[str, str]:
    """The looks: their names, each with its description."""
    files = sorted((shipped_root() / "data" / "looks").glob(f"*/{ABOUT}"))
    return {file.parent.name: tomllib.loads(file.read_text(encoding="utf-8"))["description"] for file in files}


@cache  # the strip of looks opens all of them at each save, with their fonts
def open_look(name: str) -> LayoutLook:
    """The look of that name; the plain one for an empty name."""
    if not name:
        return PLAIN_LOOK
    about = tomllib.loads((shipped_root() / "data" / "looks" / name / ABOUT).read_text(encoding="utf-8"))
    return LayoutLook(name=name, accent=about.get("accent", PLAIN_LOOK.accent), palette=about.get("palette", ()),
                      measures=Measures(**about["measures"]))
