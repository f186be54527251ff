"""Turns the sheets of a build into its making guide: which file on which paper, how to print, cut, fold and glue."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from ppgen.engine.booklets.document import (
    Area,
    Block,
    Booklet,
    Figure,
    Heading,
    Label,
    Line,
    Paragraph,
    Span,
    Stroke,
    Table,
)
from ppgen.engine.booklets.prose import blocks_of, line_of
from ppgen.engine.component import Stock
from ppgen.engine.drawing.faces import FaceRequest
from ppgen.engine.formats import Format
from ppgen.engine.geometry import Point, Rect, Size
from ppgen.engine.imposition.values import Backs, Flip, Imposition, Marks, Placement, Sheet
from ppgen.texts import Texts

RULES, GUIDE = "rules", "guide"
ORNAMENT = FaceRequest(template="shared/booklet-ornament.svg.j2", size=Size(10, 10), values={})
"""The star beside the headings of booklets."""
PICTURE_HEIGHT = 48.0
"""Of the picture of a sheet, in mm."""
_CUT, _FOLD, _PIECE, _BACK = "#B8352E", "#3565A6", "#EFE3C6", "#D5DCE2"
"""Colours of the picture: cuts, folds, fronts, backs."""


@dataclass(frozen=True, slots=True, kw_only=True)
class MadeFile:
    """A file of the build: its part and title, its sheets, and where its pieces lie on them (None: a booklet)."""

    part: str
    title: str
    stock: Stock
    sheets: int
    both_sides: bool
    imposition: Imposition | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Making:
    """How this build is printed: all that the guide's advice depends on.

    ``advice`` names the sections that the game has words of its own for.
    """

    files: tuple[MadeFile, ...]
    paper: Format
    backs: Backs
    flip: Flip
    card: Format
    ink: str
    marks: Marks
    booklet: bool
    sleeve: Size | None
    advice: tuple[str, ...] = ()


def guide(texts: Texts, making: Making, page: Size) -> Booklet:
    """The guide to the files of a build."""
    writer = _Writer(texts, making)
    name = texts("guide.name")
    title = texts("guide.full_title", title=texts("game.title"), name=name)
    return Booklet(title=title, running=f"{texts('game.title')} · {name}", lang=texts.lang, page=page,
                   blocks=tuple(writer.blocks()), ornament=ORNAMENT, author=texts("game.author"), ink=making.ink)


class _Writer:

    def __init__(self, texts: Texts, making: Making) -> None:
        self.t, self.making = texts, making

    def blocks(self) -> list[Block]:
        t, making = self.t, self.making
        backs = {kind: t(f"guide.backs.{kind}") for kind in Backs}
        # Every text is asked for, also those of other options: ppgen check names the ones that nobody asks for.
        folding = {True: t("guide.rules.booklet"), False: t("guide.rules.pages")}
        made, stocks = {file.part for file in making.files}, {file.stock for file in making.files}
        parts: dict[str, list[Block]] = {
            "box": self._section("box"),
            RULES: [Heading(t("guide.rules.title"), 2), Paragraph(line_of(folding[making.booklet]))]}
        board = f"- {t('guide.tools.board')}\n"
        return [
            Heading(t("guide.name")),
            Paragraph(line_of(t("guide.intro", paper=making.paper.title, backs=backs[making.backs],
                                card_name=making.card.name, card_size=self._measured(making.card.size),
                                ink=t(f"ink.{making.ink}")))),
            Heading(t("guide.tools.title"), 2),
            *blocks_of(t("guide.tools.body") + (board if Stock.BOARD in stocks else ""), {}),
            Heading(t("guide.files.title"), 2), self._files(),
            *self._section("print", paper=making.paper.title, turning=self._turning()),
            *self._cutting(),
            *(block for key in making.advice for block in self._section(key)),
            Heading(t("guide.sleeves.title"), 2), Paragraph(line_of(self._sleeves())),
            *(block for part, section in parts.items() if part in made for block in section)]

    def _section(self, key: str, inserts: Mapping[str, Sequence[Block]] | None = None, **values: object) -> list[Block]:
        inserts = inserts or {}
        body = self.t(f"guide.{key}.body", **values, **{name: f"{{{name}}}" for name in inserts})
        return [Heading(self.t(f"guide.{key}.title"), 2), *blocks_of(body, inserts)]

    def _files(self) -> Table:
        t = self.t
        papers = {key: t(f"guide.files.{key}") for key in ("card", "card_fold", "plain", "board", "box")}
        sides = {True: t("guide.files.both"), False: t("guide.files.one")}
        card = papers["card_fold" if self.making.backs is Backs.FOLD else "card"]
        kinds = {Stock.CARD: card, Stock.BOARD: papers["board"], Stock.BOX: papers["box"], Stock.PLAIN: papers["plain"]}
        rows = tuple((self._named(file), (Span(str(file.sheets)),), (Span(kinds[file.stock]),),
                      (Span(sides[file.both_sides]),))
                     for file in self.making.files)
        head = tuple(line_of(t(f"guide.files.{key}")) for key in ("file", "sheets", "paper", "sides"))
        return Table(head=head, rows=rows, widths=(47, 13, 0, 18), centred=(1,))

    def _named(self, file: MadeFile) -> Line:
        """A file's title and part; what looks like markup in them is none."""
        pattern = line_of(self.t("guide.files.name", title="{title}", part="{part}"))
        words = (span.words.replace("{title}", file.title).replace("{part}", file.part) for span in pattern)
        return tuple(replace(span, words=word) for span, word in zip(pattern, words, strict=True))

    def _turning(self) -> str:
        variants = {key: self.t(f"guide.print.{key}") for key in ("duplex_long", "duplex_short", "fold", "none")}
        backs = self.making.backs
        return variants[f"duplex_{self.making.flip}" if backs is Backs.DUPLEX else backs.value]

    def _cutting(self) -> list[Block]:
        t = self.t
        fold, machine, machine_fold = (t(f"guide.cut.{key}") for key in ("fold", "machine", "machine_fold"))
        folded = self.making.backs is Backs.FOLD
        sheets = [file for file in self.making.files if file.imposition and file.imposition.layout.cuts > 1]
        if not sheets:
            return [Heading(t("guide.cut.title"), 2)]
        title, imposition = sheets[0].title, sheets[0].imposition
        assert imposition is not None
        sheet = imposition.sheets[0]
        cuts = _cuts_of(sheet)
        rows, every = len(cuts.across), len(cuts.across) + len(cuts.along)
        across, along = (t("guide.cut.range", first=a, last=b) for a, b in ((1, rows), (rows + 1, every)))
        count = len(_fronts(sheet))
        picture = Figure(
            size=_picture_size(sheet), parts=tuple(_sheet_parts(sheet, cuts)),
            alt=t("guide.cut.alt", count=count, first_cuts=across, later_cuts=along),
            caption=line_of(t("guide.cut.caption", title=title, count=count, cuts=every)))
        blocks = self._section("cut", {"picture": (picture,)}, first_cuts=across, later_cuts=along)
        if self.making.marks is Marks.SILHOUETTE:
            return [blocks[0], Paragraph(line_of(machine)), *([Paragraph(line_of(machine_fold))] if folded else [])]
        if folded:
            blocks.insert(1, Paragraph(line_of(fold)))
        return blocks

    def _sleeves(self) -> str:
        sleeve = self.making.sleeve
        fits = self.t("guide.sleeves.fits", sleeve=self._measured(sleeve) if sleeve else "")
        none = self.t("guide.sleeves.none")
        return fits if sleeve else none

    def _measured(self, size: Size) -> str:
        """A size with the decimal sign of the language, on one line."""
        return str(size).replace(".", self.t("language.decimal")).replace(" ", "\N{NO-BREAK SPACE}")


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
        x, y = left + fold.start.x * scale, top + fold.start.y * scale
        ends = (Point(x, top), Point(x, top + height)) if fold.start.x == fold.end.x else (
            Point(left, y), Point(left + width, y))
        parts.append(Stroke(start=ends[0], end=ends[1], dashed=True, width=0.35, colour=_FOLD))
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
