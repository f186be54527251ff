"""Turns the sheets of a build into its making guide: which file on which paper, how to print, cut, fold and glue."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from ppgen.engine.booklets.document import Area, Block, Booklet, Figure, Heading, Label, Paragraph, Span, Stroke, Table
from ppgen.engine.booklets.prose import blocks_of, line_of
from ppgen.engine.drawing.faces import FaceRequest
from ppgen.engine.formats import Format
from ppgen.engine.geometry import Point, Rect, Size
from ppgen.engine.imposition.values import Backs, Flip, Imposition, Placement, Sheet
from ppgen.texts import Texts

GUIDE = "guide"
ORNAMENT = FaceRequest(template="shared/booklet-ornament.svg.j2", size=Size(10, 10), values={})
"""The star beside the headings of booklets."""
PICTURE_HEIGHT = 62.0
"""Of the picture of a sheet, in mm."""
_CUT, _FOLD, _PIECE, _BACK = "#B8352E", "#3565A6", "#EFE3C6", "#D5DCE2"
"""Colours of the picture: cuts, folds, fronts, backs."""


@dataclass(frozen=True, slots=True, kw_only=True)
class MadeFile:
    """A file of the build: its part and title, its sheets, and where its pieces lie on them (None: a booklet)."""

    part: str
    title: str
    sheets: int
    both_sides: bool
    imposition: Imposition | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Making:
    """How this build is printed: all that the guide's advice depends on."""

    files: tuple[MadeFile, ...]
    paper: Format
    backs: Backs
    flip: Flip
    card: Format
    ink: str
    booklet: bool
    sleeve: Size | None


def guide(texts: Texts, making: Making, page: Size) -> Booklet:
    """The guide to the files of a build."""
    writer = _Writer(texts, making)
    name = texts("guide.name")
    return Booklet(title=f"{texts('game.title')}: {name}", running=f"{texts('game.title')} · {name}", lang=texts.lang,
                   page=page, blocks=tuple(writer.blocks()), ornament=ORNAMENT, author=texts("game.author"),
                   ink=making.ink)


class _Writer:

    def __init__(self, texts: Texts, making: Making) -> None:
        self.t, self.making = texts, making

    def blocks(self) -> list[Block]:
        t, making = self.t, self.making
        backs = {kind: t(f"guide.backs.{kind}") for kind in Backs}
        # Every text is asked for, also those of other options: ppgen check names the ones that nobody asks for.
        folding = {True: t("guide.rules.booklet"), False: t("guide.rules.pages")}
        blocks: list[Block] = [
            Heading(t("guide.name")),
            Paragraph(line_of(t("guide.intro", paper=making.paper.title, backs=backs[making.backs],
                                card_name=making.card.name, card_size=making.card.size, ink=t(f"ink.{making.ink}")))),
            *self._section("tools"),
            Heading(t("guide.files.title"), 2), self._files(),
            *self._section("print", paper=making.paper.title, turning=self._turning()),
            *self._cutting(),
            *self._section("tokens"),
            Heading(t("guide.sleeves.title"), 2), Paragraph(line_of(self._sleeves())),
            *self._section("box"),
            Heading(t("guide.rules.title"), 2), Paragraph(line_of(folding[making.booklet])),
            *self._section("score")]
        return blocks

    def _section(self, key: str, inserts: Mapping[str, Sequence[Block]] | None = None, **values: object) -> list[Block]:
        inserts = inserts or {}
        body = self.t(f"guide.{key}.body", **values, **{name: f"{{{name}}}" for name in inserts})
        return [Heading(self.t(f"guide.{key}.title"), 2), *blocks_of(body, inserts)]

    def _files(self) -> Table:
        t = self.t
        papers = {key: t(f"guide.files.{key}") for key in ("card", "card_fold", "plain", "board", "box")}
        sides = {True: t("guide.files.both"), False: t("guide.files.one")}
        stock = papers["card_fold" if self.making.backs is Backs.FOLD else "card"]
        kinds = {"cards": stock, "tokens": papers["board"], "box": papers["box"]}
        rows = tuple(((Span(f"{file.title} ("), Span(file.part, emphasis=True), Span(")")), (Span(str(file.sheets)),),
                      (Span(kinds.get(file.part, papers["plain"])),), (Span(sides[file.both_sides]),))
                     for file in self.making.files)
        head = tuple(line_of(t(f"guide.files.{key}")) for key in ("file", "sheets", "paper", "sides"))
        return Table(head=head, rows=rows, widths=(47, 13, 0, 18), centred=(1,))

    def _turning(self) -> str:
        variants = {key: self.t(f"guide.print.{key}") for key in ("duplex_long", "duplex_short", "fold", "none")}
        backs = self.making.backs
        return variants[f"duplex_{self.making.flip}" if backs is Backs.DUPLEX else backs.value]

    def _cutting(self) -> list[Block]:
        t = self.t
        fold = t("guide.cut.fold")
        sheets = [file for file in self.making.files if file.imposition and file.imposition.layout.cuts > 1]
        if not sheets:
            return [Heading(t("guide.cut.title"), 2)]
        title, imposition = sheets[0].title, sheets[0].imposition
        assert imposition is not None
        sheet = imposition.sheets[0]
        cuts = _cuts_of(sheet)
        across, along = (_numbers(1, len(cuts.across)), _numbers(len(cuts.across) + 1, len(cuts.along)))
        count = len(_fronts(sheet))
        picture = Figure(
            size=_picture_size(sheet), parts=tuple(_sheet_parts(sheet, cuts)),
            alt=t("guide.cut.alt", count=count, first_cuts=across, later_cuts=along),
            caption=line_of(t("guide.cut.caption", title=title, count=count, cuts=len(cuts.across) + len(cuts.along))))
        blocks = self._section("cut", {"picture": (picture,)}, first_cuts=across, later_cuts=along)
        if self.making.backs is Backs.FOLD:
            blocks.insert(1, Paragraph(line_of(fold)))
        return blocks

    def _sleeves(self) -> str:
        sleeve = self.making.sleeve
        fits, none = self.t("guide.sleeves.fits", sleeve=sleeve or ""), self.t("guide.sleeves.none")
        return fits if sleeve else none


@dataclass(frozen=True, slots=True)
class _Cuts:
    """The lines of a sheet's cuts: their heights, and their places from the left, in mm."""

    across: tuple[float, ...]
    along: tuple[float, ...]


def _cuts_of(sheet: Sheet) -> _Cuts:
    """Every straight cut of the sheet, rows before columns; a folded sheet is cut with its fronts up."""
    trims = [placement.trim for placement in _fronts(sheet)]
    return _Cuts(across=tuple(sorted({round(y, 3) for trim in trims for y in (trim.y, trim.bottom)})),
                 along=tuple(sorted({round(x, 3) for trim in trims for x in (trim.x, trim.right)})))


def _fronts(sheet: Sheet) -> list[Placement]:
    return [placement for placement in sheet.sides[0].placements if placement.face == "front"]


def _numbers(first: int, count: int) -> str:
    return f"{first}–{first + count - 1}"


def _scale(sheet: Sheet) -> float:
    return PICTURE_HEIGHT / max(sheet.size.height, sheet.size.width * 0.7)


def _picture_size(sheet: Sheet) -> Size:
    return Size(sheet.size.width * _scale(sheet) + 10, sheet.size.height * _scale(sheet) + 5)


def _sheet_parts(sheet: Sheet, cuts: _Cuts) -> list[Area | Stroke | Label]:
    """The sheet small: its pieces, its folds, and each cut with its number at the left or at the top."""
    scale, left, top = _scale(sheet), 5.0, 4.5
    width, height = sheet.size.width * scale, sheet.size.height * scale

    def placed(rect: Rect) -> Rect:
        return Rect(left + rect.x * scale, top + rect.y * scale, rect.width * scale, rect.height * scale)

    parts: list[Area | Stroke | Label] = [Area(box=Rect(left, top, width, height), stroke="#8A7A66", fill="#FFFFFF")]
    parts += [Area(box=placed(piece.trim), fill=_BACK if piece.face == "back" else _PIECE)
              for piece in sheet.sides[0].placements]
    for fold in sheet.sides[0].folds:
        y = top + fold.start.y * scale
        parts.append(Stroke(start=Point(left, y), end=Point(left + width, y), dashed=True, width=0.35, colour=_FOLD))
    taken = -9.0
    for n, y in enumerate(cuts.across, 1):
        at = top + y * scale
        parts.append(Stroke(start=Point(left, at), end=Point(left + width, at), width=0.22, colour=_CUT))
        # Numbers of cuts that lie close together stand in two columns.
        close = at - taken < 2.6
        taken = -9.0 if close else at
        parts.append(Label(words=str(n), box=Rect(0 if close else 2.4, at - 1.5, 2.4, 3), align="right", size=6,
                           style="title"))
    taken = -9.0
    for n, x in enumerate(cuts.along, len(cuts.across) + 1):
        at = left + x * scale
        parts.append(Stroke(start=Point(at, top), end=Point(at, top + height), width=0.22, colour=_CUT))
        close = at - taken < 3.0
        taken = -9.0 if close else at
        parts.append(Label(words=str(n), box=Rect(at - 2, 0 if close else 2.0, 4, 2.4), align="center", size=6,
                           style="title"))
    return parts
