"""What is to be built, and how its files are called."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, fields, replace
from enum import Enum
from typing import Any

from ppgen.documents.pack import CARD_THICKNESS, Pack
from ppgen.engine.component import Pad
from ppgen.engine.formats import Format
from ppgen.engine.geometry import ORIGIN, UNSCALED, Point, Scale, Size
from ppgen.engine.imposition.impose import page_area
from ppgen.engine.imposition.values import Backs, Flip, Marks, Order, SheetSpec

INKS = ("full", "low")
DEFAULT_CARD = Format("mini-euro", Size(44, 68))
FIT = 0.0
"""The scale of boards that are to fit a sheet each."""


class Kind(Enum):
    """The kinds of files, each with the options that touch it: only they are in its name, and in what is in it."""

    PIECES = ("card_size", "backs", "flip", "back_offset", "back_rotation", "scale", "ink", "skin", "marks", "bleed",
              "margin", "order")
    FRONTS = ("card_size", "scale", "ink", "skin", "marks", "bleed", "margin", "order")
    BOARD = (*FRONTS, "board_scale")
    BOX = ("card_size", "scale", "ink", "skin", "marks", "margin", "card_thickness", "sleeved")
    PAGES = ("ink", "skin", "marks", "margin", "sheets_per_page", "pad")
    CALIBRATION = ("backs", "flip", "ink", "skin", "margin")
    RULES = ("card_size", "flip", "ink", "skin", "booklet")
    SCREEN_RULES = ("card_size", "skin")
    GUIDE = ("card_size", "backs", "flip", "ink", "skin", "marks", "bleed", "margin", "card_thickness", "sleeved",
             "sheets_per_page", "pad", "booklet", "chosen", "board_scale")
    ALL = (*PIECES, "board_scale", "card_thickness", "sleeved", "sheets_per_page", "pad", "booklet", "chosen")


@dataclass(frozen=True, slots=True, kw_only=True)
class Profile:
    """What a printer makes up for: the ``name`` that stands for it in the names of files, and the values.

    ``back_offset`` (mm right and down) and ``back_rotation`` (degrees clockwise) move the backs; ``scale`` makes up
    for a printer that shrinks or stretches.
    """

    name: str = ""
    back_offset: Point = ORIGIN
    back_rotation: float = 0.0
    scale: Scale = UNSCALED


@dataclass(frozen=True, slots=True, kw_only=True)
class BuildRequest:
    """A build of one or more languages on one or more papers. ``parts`` is empty for all of them.

    ``back_offset``, ``back_rotation`` and ``scale`` are as in the printer's ``profile``, where nothing else was asked
    for. ``margin`` is None for the default one, which may shrink where that saves a sheet; ``folder`` is where the
    files will go, as the manifest names it; ``date`` is a PDF date, or empty; cards of the ``usual_card`` size need
    not say so in the names of files. Score sheets come ``sheets_per_page`` on each of ``pad`` sheets of paper. With
    ``booklet`` rules and guide come on sheets to fold, else page by page. ``chosen`` is what is made in
    another way than usual, as the game offers to. Boards are printed ``board_scale`` times as large as they are.
    ``game`` names the game in all names of files, where it had to be named to be meant.
    """

    langs: tuple[str, ...]
    papers: tuple[Format, ...]
    card_size: Format = DEFAULT_CARD
    usual_card: Format = DEFAULT_CARD
    backs: Backs = Backs.DUPLEX
    flip: Flip = Flip.LONG
    profile: Profile = Profile()
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
    chosen: tuple[str, ...] = ()
    parts: tuple[str, ...] = ()
    folder: str = "output"
    card_thickness: float = CARD_THICKNESS
    sleeved: bool = False
    board_scale: float = 1.0
    game: str = ""
    date: str = field(default="", compare=False)

    def spec(self, paper: Format) -> SheetSpec:
        """The sheet spec for one of the papers."""
        spec = SheetSpec(paper=paper, bleed=self.bleed, backs=self.backs, flip=self.flip,
                         back_offset=self.back_offset, back_rotation=self.back_rotation,
                         marks=self.marks, order=self.order)
        return spec if self.margin is None else replace(spec, margin=self.margin, least_margin=self.margin)

    def on_pad(self, paper: Format) -> Pad:
        """How pages to write on are wanted on one of the papers."""
        abreast = self.sheets_per_page
        return Pad(room=page_area(self.spec(paper), abreast), abreast=abreast, sheets=self.pad)

    @property
    def pack(self) -> Pack:
        """How the cards go into the box."""
        return Pack(thickness=self.card_thickness, sleeved=self.sleeved)

    def touching(self, kind: Kind) -> BuildRequest:
        """The request with every option as usual that makes no difference to files of that kind."""
        untouched = {name for name in Kind.ALL.value if name not in kind.value}
        if self.backs is not Backs.DUPLEX:
            untouched |= {"back_offset", "back_rotation"}
        if not ((self.backs is Backs.DUPLEX and "backs" in kind.value) or (self.booklet and "booklet" in kind.value)):
            untouched.add("flip")
        if (kind is Kind.PAGES and self.sheets_per_page == 1) or (
                kind is Kind.BOX and self.marks is not Marks.SILHOUETTE):
            untouched.add("marks")
        changes: dict[str, Any] = {name: value for name, value in self._usual().items() if name in untouched}
        if kind is Kind.CALIBRATION and self.backs is not Backs.DUPLEX:
            changes["backs"] = Backs.NONE
        profile = {name: value for name, value in changes.items() if name in ("back_offset", "back_rotation", "scale")}
        return replace(self, **changes, profile=replace(self.profile, **profile))

    def stem(self, what: str, paper: Format, kind: Kind, *more: str) -> str:
        """The name, without its ending, of a file of that kind: what is in it, the paper, the :meth:`words`, and more
        that sets it apart."""
        return self.named(what, paper.name, *self.words(kind), *more)

    def named(self, *words: str) -> str:
        """The words as the name of a file or a folder: no build of another game has it."""
        return "-".join((*words, self.game) if self.game else words)

    def words(self, kind: Kind) -> tuple[str, ...]:
        """What sets a file of that kind apart on one paper: backs, and all that is not as usual."""
        asked = self.touching(kind)
        words = [asked.backs.value] if "backs" in kind.value else []
        if asked.card_size != asked.usual_card:
            words.append(asked.card_size.name)
        if asked.flip is not Flip.LONG:
            words.append(f"flip-{asked.flip.value}")
        if asked.profile != Profile(name=asked.profile.name):
            words.append(asked.profile.name)
        if asked.back_offset != asked.profile.back_offset:
            words.append(f"offset{asked.back_offset.x:g}x{asked.back_offset.y:g}")
        if asked.back_rotation != asked.profile.back_rotation:
            words.append(f"turn{asked.back_rotation:g}")
        if asked.scale != asked.profile.scale:
            words.append(f"scale{asked.scale.x:g}x{asked.scale.y:g}")
        if asked.ink != "full":
            words.append(f"{asked.ink}-ink")
        if asked.skin:
            words.append(asked.skin)
        if asked.marks is not Marks.TICKS:
            words.append("no-marks" if asked.marks is Marks.NONE else asked.marks.value)
        if asked.bleed != 2.0:
            words.append(f"bleed{asked.bleed:g}")
        if asked.board_scale != 1:
            words.append("board-fit" if asked.board_scale == FIT else f"board{asked.board_scale:g}")
        if asked.card_thickness != CARD_THICKNESS:
            words.append(f"card{asked.card_thickness:g}")
        if asked.sleeved:
            words.append("sleeved")
        if asked.margin is not None:
            words.append(f"margin{asked.margin:g}")
        if asked.order is not Order.GRID:
            words.append(asked.order.value)
        if asked.sheets_per_page != 1:
            words.append(f"{asked.sheets_per_page}up")
        if asked.pad != 1:
            words.append(f"pad{asked.pad}")
        if not asked.booklet:
            words.append("pages")
        return (*words, *asked.chosen)

    def _usual(self) -> Mapping[str, object]:
        """What each option is if nobody asks for anything."""
        usual = {each.name: each.default for each in fields(self)}
        return {**usual, "card_size": self.usual_card}
