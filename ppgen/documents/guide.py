"""Turns the sheets of a build into its making guide: which file on which paper, how to print, cut, fold and glue."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from ppgen.documents.cuts import MARK, NUMBERS, PIECE, cuts_of, fronts, sheet_parts
from ppgen.documents.names import BOX, RULES
from ppgen.engine.booklets.document import (
    Area,
    Beside,
    Block,
    Booklet,
    Figure,
    Heading,
    Label,
    Line,
    Paragraph,
    Span,
    Table,
    measure_of,
)
from ppgen.engine.booklets.prose import line_of, written_blocks
from ppgen.engine.component import Stock
from ppgen.engine.formats import Format
from ppgen.engine.geometry import Rect, Size
from ppgen.engine.imposition.tiles import FLAP
from ppgen.engine.imposition.values import Backs, Flip, Imposition, Marks, Sheet, Tile
from ppgen.engine.shapes.net import Folded
from ppgen.engine.shapes.shape import Shape
from ppgen.reading.texts import Texts

PICTURE_HEIGHT = 40.0
"""Of the picture of a sheet, in mm."""
GAP = 4.0
"""Between two columns, in mm, as ``booklet.typ`` sets them."""
_MADE = (Stock.FOLDED, Stock.STICKER)
"""What only some sets are printed on."""

@dataclass(frozen=True, slots=True, kw_only=True)
class MadeFile:
    """A file of the build: its part and title, its sheets, and where its pieces lie on them (None: a booklet).

    ``shapes`` and ``folded`` tell what its pieces are cut out as, and folded into.
    """

    part: str
    title: str
    stock: Stock
    sheets: int
    both_sides: bool
    imposition: Imposition | None = None
    shapes: frozenset[Shape] = frozenset()
    folded: frozenset[Folded] = frozenset()

    @property
    def by_ruler(self) -> bool:
        """Whether a ruler and its marks are all that it takes to cut out its pieces."""
        return all(shape.is_ruled for shape in self.shapes)


@dataclass(frozen=True, slots=True, kw_only=True)
class Sleeve:
    """A sleeve as shops name it: by its trade name and the card that it is made for."""

    name: str
    size: Size


@dataclass(frozen=True, slots=True, kw_only=True)
class Making:
    """How this build is printed: all that the guide's advice depends on.

    ``advice`` names the sections that the game has words of its own for; ``game`` is what the names of its files end
    in, or empty.
    """

    files: tuple[MadeFile, ...]
    paper: Format
    backs: Backs
    flip: Flip
    card: Format
    ink: str
    marks: Marks
    booklet: bool
    sleeve: Sleeve | None
    advice: tuple[str, ...] = ()
    game: str = ""


def guide(texts: Texts, making: Making, page: Size) -> Booklet:
    """The guide to the files of a build."""
    writer = _Writer(texts, making, page)
    name = texts("guide.name")
    title = texts("guide.full_title", title=texts("game.title"), name=name)
    return Booklet(title=title, running=f"{texts('game.title')} · {name}", lang=texts.lang, page=page,
                   blocks=tuple(writer.blocks()), author=texts("game.author"), ink=making.ink)


class _Writer:

    def __init__(self, texts: Texts, making: Making, page: Size) -> None:
        self.t, self.making = texts, making
        self.column = (measure_of(page) - GAP) / 2

    def blocks(self) -> list[Block]:
        t, making = self.t, self.making
        backs = {kind: t(f"guide.backs.{kind}") for kind in Backs}
        made, stocks = {file.part for file in making.files}, {file.stock for file in making.files}
        reading, box = self._reading(), self._section("box")
        tools = {key: f"- {t(f'guide.tools.{key}')}\n" for key in ("board", "plan")}
        wanted = (tools["board"] if Stock.BOARD in stocks else "") + (tools["plan"] if self._tiled else "")
        return [
            Heading(t("guide.name")),
            Paragraph(line_of(t("guide.intro", paper=making.paper.title, backs=backs[making.backs],
                                card_name=making.card.name, card_size=self._measured(making.card.size),
                                ink=t(f"ink.{making.ink}")))),
            Heading(t("guide.tools.title"), 2),
            *written_blocks(t, "guide.tools.body", {}, {}, wanted),
            Heading(t("guide.files.title"), 2), self._files(), *self._apart(),
            *self._section("print", paper=making.paper.title, turning=self._turning()),
            *(reading if RULES in made else []),
            *self._cutting(),
            *self._shaping(),
            *self._folding(),
            *self._joining(),
            *(block for key in making.advice for block in self._section(key)),
            Heading(t("guide.sleeves.title"), 2), Paragraph(line_of(self._sleeves())),
            *(box if BOX in made else [])]

    def _section(self, key: str, **values: object) -> list[Block]:
        title = self.t(f"guide.{key}.title")
        return [Heading(title, 2), *written_blocks(self.t, f"guide.{key}.body", {}, values)]

    def _reading(self) -> list[Block]:
        """What to do with rules and guide."""
        t, making = self.t, self.making
        # Every text is asked for, also those of other options: ppgen check names the ones that nobody asks for.
        edges = {flip: t(f"guide.rules.{flip}") for flip in Flip}
        folding, by_hand = t("guide.rules.booklet", turning=edges[making.flip]), t("guide.rules.by_hand")
        single, screen = t("guide.rules.pages"), t("guide.rules.screen")
        words = [folding, *([] if making.backs is Backs.DUPLEX else [by_hand])] if making.booklet else [single]
        return [Heading(t("guide.rules.title"), 2), *(Paragraph(line_of(text)) for text in (*words, screen))]

    def _files(self) -> Table:
        t = self.t
        papers = {key: t(f"guide.files.{key}") for key in ("card", "card_fold", "plain", "board", "box", *_MADE)}
        sides = {True: t("guide.files.both"), False: t("guide.files.one")}
        card = papers["card_fold" if self.making.backs is Backs.FOLD else "card"]
        kinds = {Stock.CARD: card, Stock.BOARD: papers["board"], Stock.BOX: papers["box"], Stock.PLAIN: papers["plain"],
                 **{stock: papers[stock] for stock in _MADE}}
        rows = tuple((self._named(file), (Span(str(file.sheets)),), (Span(kinds[file.stock]),),
                      (Span(sides[file.both_sides]),))
                     for file in self.making.files)
        head = tuple(line_of(t(f"guide.files.{key}")) for key in ("file", "sheets", "paper", "sides"))
        return Table(head=head, rows=rows, widths=(47, 13, 0, 18), centred=(1,))

    def _apart(self) -> list[Block]:
        """How the files are told from those of another game."""
        words = Paragraph(line_of(self.t("guide.files.game", game=self.making.game)))
        return [words] if self.making.game else []

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
        """How to cut, and pictures of each file's sheets in pairs; the first is beside the words if they are odd."""
        t = self.t
        title = Heading(t("guide.cut.title"), 2)
        fold, machine, machine_fold = (Paragraph(line_of(t(f"guide.cut.{key}")))
                                       for key in ("fold", "machine", "machine_fold"))
        by_hand = written_blocks(t, "guide.cut.body", {}, {})
        pictures = [self._picture(file.title, file.imposition.sheets[0]) for file in self.making.files
                    if file.imposition and file.imposition.layout.cuts > 1 and file.by_ruler
                    and not _is_tiled(file.imposition)]
        if not pictures:
            return []
        folded = self.making.backs is Backs.FOLD
        if self.making.marks is Marks.SILHOUETTE:
            return [title, machine, *([machine_fold] if folded else [])]
        single = len(pictures) % 2
        return [title, *([fold] if folded else []),
                *([self._beside(pictures[:1], by_hand)] if single else by_hand),
                *(self._beside(pictures[n:n + 1], pictures[n + 1:n + 2]) for n in range(single, len(pictures), 2))]

    def _shaping(self) -> list[Block]:
        """How to cut out what no ruler does, where there is a line to cut along."""
        words = self._section("shapes")
        return words if self._marked and not all(file.by_ruler for file in self.making.files) else []

    def _folding(self) -> list[Block]:
        """How to fold what is folded, but the box."""
        found = {kind for file in self.making.files for kind in file.folded}
        words = {kind: Paragraph(line_of(self.t(f"guide.folding.{kind}"))) for kind in (Folded.STANDEE, Folded.TENT)}
        told = [words[kind] for kind in words if kind in found]
        title, *marks = self._section("folding")
        return [title, *(marks if self._marked else []), *told] if told else []

    @property
    def _tiled(self) -> bool:
        """Whether something larger than the paper is put together."""
        return any(file.imposition and _is_tiled(file.imposition) for file in self.making.files)

    @property
    def _marked(self) -> bool:
        return self.making.marks in (Marks.TICKS, Marks.LINES)

    def _joining(self) -> list[Block]:
        """How to join what is larger than the paper, with a picture of its tiles; nothing where all is whole."""
        words = self._section("tiles", flap=f"{FLAP:g}")
        alt, caption = self.t("guide.tiles.alt"), self.t("guide.tiles.caption", title="{title}")
        boards = {(file.title, placed.item): placed.tile for file in self.making.files if file.imposition
                  for sheet in file.imposition.sheets for placed in sheet.sides[0].placements if placed.tile}
        pictures = [self._board(tile, alt, caption.replace("{title}", title)) for (title, _), tile in boards.items()]
        return [*words, *pictures] if pictures else []

    def _board(self, tile: Tile, alt: str, caption: str) -> Figure:
        """The whole face small, with the name of each tile."""
        width, height = tile.columns[-1], tile.rows[-1]
        scale = min(PICTURE_HEIGHT / height, self.column / width)
        parts: list[Area | Label] = []
        for row in range(len(tile.rows) - 1):
            for column in range(len(tile.columns) - 1):
                each = replace(tile, column=column, row=row)
                own = each.own
                box = Rect(own.x * scale, own.y * scale, own.width * scale, own.height * scale)
                parts += (Area(box=box, fill=PIECE, stroke=MARK),
                          Label(words=each.name, box=box, align="center", size=9, style="title"))
        return Figure(size=Size(width * scale, height * scale), parts=tuple(parts), alt=alt, caption=line_of(caption))

    def _beside(self, left: Sequence[Block], right: Sequence[Block]) -> Beside:
        return Beside(left=tuple(left), right=tuple(right), width=self.column)

    def _picture(self, title: str, sheet: Sheet) -> Figure:
        """The sheet small, with its cuts in their order."""
        t = self.t
        first, later = cuts_of(sheet)
        ranges = {"first_cuts": (1, len(first)), "later_cuts": (len(first) + 1, len(first) + len(later))}
        values = {key: t("guide.cut.range", first=a, last=b) for key, (a, b) in ranges.items()}
        count = len(fronts(sheet))
        pieces = {one: t(f"guide.cut.{'one' if one else 'many'}", count=count) for one in (True, False)}[count == 1]
        scale = min(PICTURE_HEIGHT / sheet.size.height, (self.column - NUMBERS) / sheet.size.width)
        return Figure(
            size=Size(sheet.size.width * scale + NUMBERS, sheet.size.height * scale + NUMBERS),
            parts=tuple(sheet_parts(sheet, (*first, *later), scale)), alt=t("guide.cut.alt", pieces=pieces, **values),
            caption=line_of(t("guide.cut.caption", title=title, pieces=pieces, **values)))

    def _sleeves(self) -> str:
        sleeve = self.making.sleeve
        fits = self.t("guide.sleeves.fits", name=sleeve.name if sleeve else "",
                      sleeve=self._measured(sleeve.size) if sleeve else "")
        none = self.t("guide.sleeves.none")
        return fits if sleeve else none

    def _measured(self, size: Size) -> str:
        """A size with the decimal sign of the language, on one line."""
        return str(size).replace(".", self.t("language.decimal")).replace(" ", "\N{NO-BREAK SPACE}")


def _is_tiled(imposition: Imposition) -> bool:
    """Whether its sheets bear the tiles of something larger: how those are cut is told where they are joined."""
    return any(placed.tile for placed in imposition.sheets[0].sides[0].placements)
