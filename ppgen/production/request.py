"""What is to be built, and how its files are called."""

from __future__ import annotations

from dataclasses import dataclass, field, replace

from ppgen.documents.tuck_box import CARD_THICKNESS
from ppgen.engine.formats import Format
from ppgen.engine.geometry import ORIGIN, UNSCALED, Point, Scale, Size
from ppgen.engine.imposition.values import Backs, Flip, Marks, Order, SheetSpec

INKS = ("full", "low")
DEFAULT_CARD = Format("mini-euro", Size(44, 68))


@dataclass(frozen=True, slots=True, kw_only=True)
class BuildRequest:
    """A build of one or more languages on one or more papers. ``parts`` is empty for all of them.

    ``scale`` makes up for a printer that shrinks or stretches. ``margin`` is None for the default one, which may
    shrink where that saves a sheet; ``folder`` is where the files will go, as the manifest names it; ``date`` is a
    PDF date, or empty; cards of the ``usual_card`` size need not say so in the names of files. Score sheets come
    ``sheets_per_page`` on each of ``pad`` sheets of paper. With ``booklet`` rules and guide come on
    sheets to fold, else page by page.
    """

    langs: tuple[str, ...]
    papers: tuple[Format, ...]
    card_size: Format = DEFAULT_CARD
    usual_card: Format = DEFAULT_CARD
    backs: Backs = Backs.DUPLEX
    flip: Flip = Flip.LONG
    back_offset: Point = ORIGIN
    back_rotation: float = 0.0
    scale: Scale = UNSCALED
    ink: str = "full"
    skin: str = ""
    marks: Marks = Marks.TICKS
    bleed: float = 2.0
    margin: float | None = None
    order: Order = Order.GRID
    sheets_per_page: int = 1
    pad: int = 1
    booklet: bool = True
    parts: tuple[str, ...] = ()
    folder: str = "output"
    card_thickness: float = CARD_THICKNESS
    date: str = field(default="", compare=False)

    def spec(self, paper: Format) -> SheetSpec:
        """The sheet spec for one of the papers."""
        spec = SheetSpec(paper=paper, bleed=self.bleed, backs=self.backs, flip=self.flip,
                         back_offset=self.back_offset, back_rotation=self.back_rotation,
                         marks=self.marks, order=self.order, abreast=self.sheets_per_page, pad=self.pad)
        return spec if self.margin is None else replace(spec, margin=self.margin, least_margin=self.margin)

    def variant(self, paper: Format) -> str:
        """The part of a file name that sets this build apart: paper, backs, and all that is not the default."""
        words = [paper.name, self.backs.value]
        if self.card_size != self.usual_card:
            words.append(self.card_size.name)
        if self.flip is not Flip.LONG:
            words.append(f"flip-{self.flip.value}")
        if self.back_offset != ORIGIN:
            words.append(f"offset{self.back_offset.x:g}x{self.back_offset.y:g}")
        if self.back_rotation:
            words.append(f"turn{self.back_rotation:g}")
        if self.scale != UNSCALED:
            words.append(f"scale{self.scale.x:g}x{self.scale.y:g}")
        if self.ink != "full":
            words.append(f"{self.ink}-ink")
        if self.skin:
            words.append(self.skin)
        if self.marks is not Marks.TICKS:
            words.append("no-marks" if self.marks is Marks.NONE else self.marks.value)
        if self.bleed != 2.0:
            words.append(f"bleed{self.bleed:g}")
        if self.card_thickness != CARD_THICKNESS:
            words.append(f"card{self.card_thickness:g}")
        if self.margin is not None:
            words.append(f"margin{self.margin:g}")
        if self.order is not Order.GRID:
            words.append(self.order.value)
        if self.sheets_per_page != 1:
            words.append(f"{self.sheets_per_page}up")
        if self.pad != 1:
            words.append(f"pad{self.pad}")
        return "-".join(words)
