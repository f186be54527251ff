"""Build requests: options, names of files and booklets, and the parts that ``--only`` selects."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from difflib import get_close_matches
from enum import Enum
from hashlib import sha256
from typing import Any

from ppgen.engine.component import Pad, Part
from ppgen.engine.geometry import ORIGIN, UNSCALED, Format, Point, Scale, Size
from ppgen.engine.imposition.impose import page_area
from ppgen.engine.imposition.sheets import Backs, Flip, Marks, Order, SheetSpec
from ppgen.errors import Problem, RequestError, join_names
from ppgen.production.pack import CARD_THICKNESS, Pack
from ppgen.reading.texts import Texts

INKS = ("full", "low")
DEFAULT_CARD = Format("mini-euro", Size(44, 68))
FIT = 0.0
"""Board scale that fits each board to a sheet."""
SAFE_MARGIN_MM = 6.35
"""Many home printers can't print on a quarter of an inch at the bottom."""


class OutputKind(Enum):
    """Kinds of files, each with the options that change its content; only these appear in its name."""

    PIECES = ("card_size", "backs", "flip", "back_offset", "back_rotation", "scale", "ink", "skin", "marks", "bleed",
              "margin", "order", "sets", "pictures")
    FRONTS = ("card_size", "scale", "ink", "skin", "marks", "bleed", "margin", "order", "sets", "pictures")
    BOARD = (*FRONTS, "board_scale")
    BOX = ("card_size", "scale", "ink", "skin", "marks", "margin", "card_thickness", "sleeved", "sets", "chosen")
    PAGES = ("ink", "skin", "marks", "margin", "sheets_per_page", "pad", "sets")
    SCORE_SHEET = ("ink", "skin", "marks", "margin", "sheets_per_page", "pad")
    CALIBRATION = ("backs", "flip", "ink", "skin", "margin")
    RULES = ("card_size", "flip", "ink", "skin", "booklet")
    SCREEN_RULES = ("card_size", "skin")
    GUIDE = ("card_size", "backs", "flip", "ink", "skin", "marks", "bleed", "margin", "card_thickness", "sleeved",
             "sheets_per_page", "pad", "booklet", "chosen", "board_scale", "sets")
    ALL = (*PIECES, "board_scale", "card_thickness", "sleeved", "sheets_per_page", "pad", "booklet", "chosen")


@dataclass(frozen=True, slots=True, kw_only=True)
class Profile:
    """Corrections for a printer; ``name`` stands for them in the names of files.

    ``back_offset`` (mm right and down) and ``back_rotation`` (degrees clockwise) move the backs; ``scale`` compensates
    for a printer that shrinks or stretches.
    """

    name: str = ""
    back_offset: Point = ORIGIN
    back_rotation: float = 0.0
    scale: Scale = UNSCALED


@dataclass(frozen=True, slots=True, kw_only=True)
class BuildRequest:
    """A build in one or more languages on one or more papers.

    - ``parts``: selected parts and pieces; empty for all parts.
    - ``back_offset``, ``back_rotation``, ``scale``: those of the printer's ``profile`` unless set explicitly.
    - ``margin``: None for the default one, which may shrink to save a sheet.
    - ``folder``: destination of the files, as the manifest names it.
    - ``date``: a PDF date, or empty.
    - ``usual_card``: default card size of the game; other sizes appear in the names of files.
    - ``sheets_per_page``, ``pad``: score sheets on a sheet of paper, and sheets of paper.
    - ``sets``: sets to print at once; what is read or filled in is in the files once.
    - ``booklet``: rules and guide on sheets to fold, else page by page.
    - ``chosen``: the game's choices that differ from its defaults.
    - ``board_scale``: factor for boards, or ``FIT``.
    - ``pictures``: resolution that a deck's finer pictures are reduced to, in pixels per inch; 0 keeps them.
    - ``game``: suffix of all file names, if the game had to be named on the command line.
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
    sets: int = 1
    booklet: bool = True
    chosen: tuple[str, ...] = ()
    parts: tuple[str, ...] = ()
    folder: str = "output"
    card_thickness: float = CARD_THICKNESS
    sleeved: bool = False
    board_scale: float = 1.0
    pictures: float = 0.0
    game: str = ""
    date: str = field(default="", compare=False)

    def spec(self, paper: Format) -> SheetSpec:
        """Return the sheet spec for one of the papers."""
        spec = SheetSpec(paper=paper, bleed=self.bleed, backs=self.backs, flip=self.flip,
                         back_offset=self.back_offset, back_rotation=self.back_rotation,
                         marks=self.marks, order=self.order)
        return spec if self.margin is None else replace(spec, margin=self.margin, least_margin=self.margin)

    def on_pad(self, paper: Format) -> Pad:
        """Return the layout of score sheets on one of the papers."""
        abreast = self.sheets_per_page
        return Pad(room=page_area(self.spec(paper), abreast), abreast=abreast, sheets=self.pad)

    @property
    def pack(self) -> Pack:
        """Cards in the box."""
        return Pack(thickness=self.card_thickness, sleeved=self.sleeved)

    def relevant_to(self, kind: OutputKind) -> BuildRequest:
        """Reset each option that does not change files of that kind."""
        irrelevant = {name for name in OutputKind.ALL.value if name not in kind.value}
        if self.backs is not Backs.DUPLEX:
            irrelevant |= {"back_offset", "back_rotation"}
        if not ((self.backs is Backs.DUPLEX and "backs" in kind.value) or (self.booklet and "booklet" in kind.value)):
            irrelevant.add("flip")
        if (kind in (OutputKind.PAGES, OutputKind.SCORE_SHEET) and self.sheets_per_page == 1) or (
                kind is OutputKind.BOX and self.marks is not Marks.SILHOUETTE):
            irrelevant.add("marks")
        changes: dict[str, Any] = {name: value for name, value in self._defaults().items() if name in irrelevant}
        if kind is OutputKind.CALIBRATION and self.backs is not Backs.DUPLEX:
            changes["backs"] = Backs.NONE
        profile = {name: value for name, value in changes.items() if name in ("back_offset", "back_rotation", "scale")}
        return replace(self, **changes, profile=replace(self.profile, **profile))

    def stem(self, what: str, paper: Format, kind: OutputKind, *more: str) -> str:
        """Return a file name without extension: content, paper, the :meth:`words` of its kind, and ``more`` words."""
        return self.file_name(what, paper.name, *self.words(kind), *more)

    def file_name(self, *words: str) -> str:
        """Join words into the name of a file or folder that is unique among the games of a data folder."""
        return "-".join((*words, self.game) if self.game else words)

    def words(self, kind: OutputKind) -> tuple[str, ...]:
        """Return the words that distinguish a file of that kind on one paper: backs, and non-default options."""
        relevant = self.relevant_to(kind)
        words = [relevant.backs.value] if "backs" in kind.value else []
        for stem, value_of in (word for words_of_option in FILE_WORDS.values() for word in words_of_option):
            if (value := value_of(relevant)) is not None:
                words.append(f"{stem}{value}")
        return tuple(words)

    def _defaults(self) -> Mapping[str, object]:
        return {**{each.name: each.default for each in fields(self)}, "card_size": self.usual_card}


# Words of options in the names of files

FileWord = tuple[str, Callable[[BuildRequest], str | None]]
"""Stem of a word, and its value behind the stem; None for the default. Without a stem it is a name from data."""


def _flag(is_set: bool) -> str | None:
    return "" if is_set else None


def _number(value: float | None, default: float | None) -> str | None:
    return None if value == default else f"{value:g}"


def _shift(shift: Point | Scale, default: Point | Scale) -> str | None:
    return None if shift == default else f"{shift.x:g}x{shift.y:g}"


FILE_WORDS: Mapping[str, tuple[FileWord, ...]] = {
    "card_size": (("", lambda build: None if build.card_size == build.usual_card else build.card_size.name),),
    "flip": (("flip-short", lambda build: _flag(build.flip is Flip.SHORT)),),
    "profile": (("", lambda build: build.profile.name if build.profile != Profile(name=build.profile.name) else None),),
    "back_offset": (("offset", lambda build: _shift(build.back_offset, build.profile.back_offset)),),
    "back_rotation": (("turn", lambda build: _number(build.back_rotation, build.profile.back_rotation)),),
    "scale": (("scale", lambda build: _shift(build.scale, build.profile.scale)),),
    "ink": (("low-ink", lambda build: _flag(build.ink == "low")),),
    "skin": (("", lambda build: build.skin or None),),
    "marks": (("lines", lambda build: _flag(build.marks is Marks.LINES)),
              ("no-marks", lambda build: _flag(build.marks is Marks.NONE)),
              ("silhouette", lambda build: _flag(build.marks is Marks.SILHOUETTE))),
    "bleed": (("bleed", lambda build: _number(build.bleed, 2.0)),),
    "board_scale": (("board-fit", lambda build: _flag(build.board_scale == FIT)),
                    ("board", lambda build: None if build.board_scale == FIT else _number(build.board_scale, 1))),
    "card_thickness": (("card", lambda build: _number(build.card_thickness, CARD_THICKNESS)),),
    "sleeved": (("sleeved", lambda build: _flag(build.sleeved)),),
    "margin": (("margin", lambda build: _number(build.margin, None)),),
    "order": (("stack", lambda build: _flag(build.order is Order.STACK)),),
    "pictures": (("pictures", lambda build: _number(build.pictures, 0)),),
    "sets": (("sets", lambda build: _number(build.sets, 1)),),
    "sheets_per_page": (("2up", lambda build: _flag(build.sheets_per_page == 2)),),
    "pad": (("pad", lambda build: _number(build.pad, 1)),),
    "booklet": (("pages", lambda build: _flag(not build.booklet)),),
    "chosen": (("", lambda build: "-".join(build.chosen) or None),),
}
"""By the fields of :class:`BuildRequest`, in the order of the words; the backs come before all of them."""
OWN_PREFIX = "printer-"
"""Stands before the name of a profile that could be taken for another word."""
_STEMS = "|".join(re.escape(stem) for words in FILE_WORDS.values() for stem, _ in words if stem)
_RESERVED = re.compile(rf"(^|-)(({_STEMS})-?[0-9.x-]*|[0-9]+x[0-9]+|[0-9]+-pieces|printer)(-|$)")


def is_file_word(name: str, known: Iterable[str] = ()) -> bool:
    """Whether a profile's name holds a word that other options put into file names, or one of the ``known`` ones."""
    return bool(_RESERVED.search(name)) or any(f"-{word}-" in f"-{name}-" for word in known)


# Selection by ``--only``: parts, groups of parts, or single pieces

MAX_IDS_LENGTH = 60
"""Characters for ids in the name of a file."""


def expand_names(wanted: Iterable[str], groups: Mapping[str, tuple[str, ...]]) -> tuple[str, ...]:
    """Replace the names of groups by their parts."""
    return tuple(dict.fromkeys(name for each in wanted for name in groups.get(each, (each,))))


def select_parts(parts: Iterable[Part], wanted: Sequence[str]) -> tuple[Part, ...]:
    """Return the wanted parts, with only their wanted pieces if pieces are named; all parts if nothing is wanted."""
    return tuple(selected for part in parts if (selected := _narrow_part(part, wanted)))


def _narrow_part(part: Part, wanted: Sequence[str]) -> Part | None:
    if not wanted or part.name in wanted:
        return part
    pieces = tuple(component for component in part.components if component.id in wanted)
    return replace(part, components=pieces, only=tuple(piece.id for piece in pieces)) if pieces else None


def check_names(wanted: Sequence[str], parts: Sequence[Part], others: Sequence[str], what: str,
                owners: Mapping[str, str]) -> None:
    """Raise RequestError for names that are neither parts, nor in ``others``, nor ids of pieces.

    ``what`` is the message, with ``{name}``; ``owners`` are the games with parts of other names.
    """
    names = (*(part.name for part in parts), *others)
    ids = [component.id for part in parts for component in part.components]
    known = {*names, *ids}
    if unknown := [name for name in wanted if name not in known]:
        raise RequestError(Problem(place="--only", what=what.format(name=name),
                                   remedy=_suggest(name, (*names, *ids), owners) + _list_known(names, ids))
                           for name in unknown)


def _suggest(name: str, known: Sequence[str], owners: Mapping[str, str]) -> str:
    if "," in name:
        options = " ".join(f"--only {each.strip()}" for each in name.split(",") if each.strip())
        return f"several: {options}; "
    if name in owners:
        return f"{owners[name]} has it: give --game {owners[name]}; "
    near = get_close_matches(name.lower(), known, n=1, cutoff=0.75)
    return f"did you mean {near[0]}? " if near else ""


def _list_known(names: Sequence[str], ids: Sequence[str]) -> str:
    known = join_names(names) or "none"
    return f"known: {known}, or the id of a piece" if ids else f"known: {known}"


def stem_words(ids: Sequence[str]) -> tuple[str, ...]:
    """Return the words for a file with these pieces only: their ids, or if too long their number and a digest."""
    if len("-".join(ids)) <= MAX_IDS_LENGTH:
        return tuple(ids)
    return f"{len(ids)}-pieces", sha256(" ".join(ids).encode()).hexdigest()[:8]


# Parts of any game: their names, and the languages with words for the booklets among them

RULES, GUIDE, CALIBRATION, BOX = "rules", "guide", "calibration", "box"
BOOKLETS = (RULES, GUIDE)
"""Booklets, in the order of printing."""
WORDS = {RULES: "rules.book.name", GUIDE: "guide.name"}
"""A text of each booklet; a language without it has no words for the booklet."""


def missing_words(texts: Texts, names: Sequence[str]) -> tuple[Problem, ...]:
    """Return a problem for each booklet without words in the language."""
    return tuple(Problem(place=f"{name}/{texts.lang}.toml", key=name, what="the words of this part are missing",
                         remedy=f"translate {name}/de.toml") for name in names if not has_words(texts, name))


def has_words(texts: Texts, name: str) -> bool:
    return WORDS[name] in texts.words
