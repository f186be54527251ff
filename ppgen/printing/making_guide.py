"""Making guide: which file on which paper, how to print, cut, fold and glue."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import chain
from types import MappingProxyType

from ppgen.engine.booklets.booklet import (COLUMN_GAP_MM, Beside, Block, Booklet, BookletArea, BookletPicture,
                                           BookletTable, Figure, FigureLabel, Heading, Paragraph, Span, Stroke,
                                           TextLine, blocks_from_texts, column_width, parse_line)
from ppgen.engine.component import Stock
from ppgen.engine.drawing.face import FaceRequest
from ppgen.engine.geometry import Format, Point, Rect, Size
from ppgen.engine.imposition.impose import TILE_FLAP
from ppgen.engine.imposition.sheets import Backs, BookletLayout, Flip, Imposition, Marks, Placement, Sheet, SheetTile
from ppgen.engine.shapes import Folded, Shape
from ppgen.printing.materials import MATERIALS, material
from ppgen.printing.request import BOX, RULES, SAFE_MARGIN_MM
from ppgen.reading.texts import Texts

# --- Cuts of a sheet ---

NUMBER_STRIP_MM = 5.0  # width of the strips with the numbers of the cuts, beside the picture of a sheet
NUMBER_WIDTH_MM = 3.0  # length along the edge for the number of a cut
CUT, MARK, FOLD, PIECE, BACK = "#B8352E", "#3B2A1E", "#3565A6", "#EFE3C6", "#D5DCE2"  # of the picture


@dataclass(frozen=True, slots=True, kw_only=True)
class GuideCut:
    """A straight cut in mm: ``at`` from the left (if ``upright``) or the top, and its ``runs`` along that line."""

    at: float
    upright: bool
    runs: tuple[tuple[float, float], ...]


def straight_cuts(sheet: Sheet) -> tuple[tuple[GuideCut, ...], tuple[GuideCut, ...]]:
    """Every straight cut of a sheet with its fronts up, up to the margin: the long ones, then those across."""
    upright, across = (tuple(_cuts(sheet, direction)) for direction in (True, False))
    longest = [max(end - start for cut in cuts for start, end in cut.runs) for cuts in (upright, across)]
    first, later = (upright, across) if longest[0] >= longest[1] else (across, upright)
    return first, later


def _cuts(sheet: Sheet, upright: bool) -> Iterator[GuideCut]:
    """Yield the cuts in one direction; a gap as long as the next piece ends a run."""
    boxes = [(trim.x, trim.right, bled.y, bled.bottom, trim.height) if upright
             else (trim.y, trim.bottom, bled.x, bled.right, trim.width)
             for trim, bled in ((piece.trim, piece.bleed_box) for piece in front_placements(sheet))]
    for at in sorted({round(edge, 3) for box in boxes for edge in box[:2]}):
        runs: list[tuple[float, float]] = []
        for _, _, start, end, length in sorted(
                (box for box in boxes if at in (round(box[0], 3), round(box[1], 3))), key=lambda box: box[2]):
            if runs and start - runs[-1][1] < length:
                runs[-1] = (runs[-1][0], max(end, runs[-1][1]))
            else:
                runs.append((start, end))
        yield GuideCut(at=at, upright=upright, runs=tuple(runs))


def front_placements(sheet: Sheet) -> list[Placement]:
    """Return the pieces of a sheet whose fronts are up."""
    return [placement for placement in sheet.sides[0].placements if placement.face == "front"]


def draw_sheet(sheet: Sheet, cuts: Sequence[GuideCut], scale: float) -> Iterator[BookletArea | Stroke | FigureLabel]:
    """Draw the sheet in small: pieces, marks and folds, and each cut with its number at the left or the top."""

    def map_point(point: Point) -> Point:
        return Point(NUMBER_STRIP_MM + point.x * scale, NUMBER_STRIP_MM + point.y * scale)

    def box(rect: Rect) -> Rect:
        corner = map_point(Point(rect.x, rect.y))
        return Rect(corner.x, corner.y, rect.width * scale, rect.height * scale)

    side = sheet.sides[0]
    yield BookletArea(box=box(Rect(0, 0, sheet.size.width, sheet.size.height)), stroke="#8A7A66", fill="#FFFFFF")
    for piece in side.placements:
        yield BookletArea(box=box(piece.trim), fill=BACK if piece.face == "back" else PIECE)
    for mark in side.cuts:
        yield Stroke(start=map_point(mark.start), end=map_point(mark.end), width=0.12, colour=MARK)
    for fold in side.folds:
        yield Stroke(start=map_point(fold.start), end=map_point(fold.end), dashed=True, width=0.35, colour=FOLD)
    taken = {(upright, line): -9.0 for upright in (True, False) for line in (0, 1)}
    for number, cut in enumerate(cuts, 1):
        for start, end in cut.runs:
            ends = [Point(cut.at, along) if cut.upright else Point(along, cut.at) for along in (start, end)]
            yield Stroke(start=map_point(ends[0]), end=map_point(ends[1]), width=0.25, colour=CUT)
        at = NUMBER_STRIP_MM + cut.at * scale
        # Numbers of close cuts use two lines; those of the closest are left out.
        free = [line for line in (0, 1) if at - taken[cut.upright, line] >= NUMBER_WIDTH_MM]
        if free:
            taken[cut.upright, free[0]] = at
            out = 0 if free[0] else 2.3
            place = Rect(at - 2, out, 4, 2.4) if cut.upright else Rect(out, at - 1.5, 2.4, 3)
            yield FigureLabel(words=str(number), box=place, align="center" if cut.upright else "right", size=6,
                              style="title")


# --- The guide ---

CODE_MM = 18.0
PICTURE_HEIGHT_MM = 40.0  # maximum height of the picture of a sheet …
PLAN_HEIGHT_MM = 24.0  # … and of that of a board, which shows the names of its tiles only


@dataclass(frozen=True, slots=True, kw_only=True)
class GuideFile:
    """A file of the build in the guide."""

    part: str
    title: str  # of its part
    stock: Stock
    sheets: int
    both_sides: bool
    imposition: Imposition | None = None  # None for a booklet
    shapes: frozenset[Shape] = frozenset()  # outlines of its pieces
    folded: frozenset[Folded] = frozenset()  # what they are folded into
    shows: frozenset[str] = frozenset()  # anchors of its faces

    @property
    def is_ruled(self) -> bool:
        """True if all its pieces can be cut out along a ruler."""
        return all(shape.is_ruled for shape in self.shapes)

    @property
    def is_tiled(self) -> bool:
        """True if its sheets carry tiles of a board; the section on joining explains how to cut these."""
        return bool(self.imposition and any(placed.tile for placed in self.imposition.sheets[0].sides[0].placements))

    @property
    def is_cut_by_number(self) -> bool:
        """True if the section on cutting shows its cuts."""
        return bool(self.imposition and self.imposition.layout.cuts > 1 and self.is_ruled and not self.is_tiled)


@dataclass(frozen=True, slots=True, kw_only=True)
class Sleeve:
    """A sleeve in shops: its trade name and the card size that it is made for."""

    name: str
    size: Size


@dataclass(frozen=True, slots=True, kw_only=True)
class GuideFacts:
    """Facts of a build that the guide depends on."""

    files: tuple[GuideFile, ...]
    paper: Format
    backs: Backs
    flip: Flip
    card: Format
    ink: str
    marks: Marks
    layout: BookletLayout
    large_print: bool = False
    sleeve: Sleeve | None
    advice: tuple[str, ...] = ()  # guide sections of the game itself
    game: str = ""  # suffix of its file names
    sets: int = 1  # number of sets in the files
    address: str = ""  # that a QR code leads to


def compose_guide(texts: Texts, facts: GuideFacts, page: Size) -> Booklet:
    """Compose the guide to the files of a build."""
    name = texts("guide.name")
    title = texts("guide.full_title", title=texts("game.title"), name=name)
    blocks = tuple(chain.from_iterable(guide_sections(texts, facts, page).values()))
    return Booklet(title=title, running=f"{texts('game.title')} · {name}", lang=texts.lang, page=page,
                   blocks=blocks, author=texts("game.author"), ink=facts.ink)


def guide_sections(texts: Texts, facts: GuideFacts, page: Size) -> dict[str, list[Block]]:
    """Write the sections of the guide, each with its heading; those that the files don't need are empty."""
    return _Writer(texts, facts, page).sections()


class _Writer:
    """Sections of a guide in one language, which look up every text: ``ppgen check`` reports unused ones."""

    def __init__(self, texts: Texts, facts: GuideFacts, page: Size) -> None:
        self.t, self.facts = texts, facts
        self.column = (column_width(page) - COLUMN_GAP_MM) / 2

    def sections(self) -> dict[str, list[Block]]:
        t, facts = self.t, self.facts
        backs = {kind: t(f"guide.backs.{kind}") for kind in Backs}
        parts, stocks = {file.part for file in facts.files}, {file.stock for file in facts.files}
        reading, box = self._reading(), self._section("box")  # looked up in any case
        tools = {key: f"- {t(f'guide.tools.{key}')}\n" for key in ("board", "plan")}
        has_tiles = any(file.is_tiled for file in facts.files)
        extra_tools = (tools["board"] if Stock.BOARD in stocks else "") + (tools["plan"] if has_tiles else "")
        return {
            "intro": [Heading(t("guide.name")),
                      Paragraph(parse_line(t("guide.intro", paper=facts.paper.title, backs=backs[facts.backs],
                                             card_name=facts.card.name, card_size=self._format_size(facts.card.size),
                                             ink=t(f"ink.{facts.ink}"))))],
            "tools": [Heading(t("guide.tools.title"), 2),
                      *blocks_from_texts(t, "guide.tools.body", {}, {}, extra_tools)],
            "files": [Heading(t("guide.files.title"), 2), self._files(), *self._game_note(), *self._sets_note()],
            "print": [*self._section("print", paper=facts.paper.title, turning=self._turning_text()),
                      *self._edge_note()],
            "rules": reading if RULES in parts else [],
            "cut": self._cutting(),
            "shapes": self._shaping(),
            "folding": self._folding(),
            "tiles": self._joining(),
            "advice": [block for key in facts.advice for block in self._advice(key)],
            "sleeves": [Heading(t("guide.sleeves.title"), 2), Paragraph(parse_line(self._sleeve_text()))],
            "box": box if BOX in parts else [],
            "code": self._code()}

    def _section(self, key: str, inserts: Mapping[str, Sequence[Block]] = MappingProxyType({}),
                 **values: object) -> list[Block]:
        title = self.t(f"guide.{key}.title")
        return [Heading(title, 2), *blocks_from_texts(self.t, f"guide.{key}.body", inserts, values)]

    def _advice(self, key: str) -> list[Block]:
        """A section of the game itself. A set without the part of that name has the words ``without`` there, if any.

        A table ``guide.KEY.NAME`` has two texts for ``{NAME}``: ``shown`` if faces of the build state an anchor of that
        name, or its backs are of that kind, and ``missing`` if not.
        """
        there = {self.facts.backs.value, *chain.from_iterable(file.shows for file in self.facts.files)}
        prefix, suffix = f"guide.{key}.", ".shown"
        names = [text[len(prefix):-len(suffix)] for text in self.t.words
                 if text.startswith(prefix) and text.endswith(suffix)]
        either = {name: {is_there: self.t(f"{prefix}{name}.{'shown' if is_there else 'missing'}")
                         for is_there in (True, False)} for name in names}
        inserts = {name: [Paragraph(parse_line(words[name in there]))] for name, words in either.items()}
        title, *body = self._section(key, inserts)
        if f"guide.{key}.without" not in self.t.words:
            return [title, *body]
        without = blocks_from_texts(self.t, f"guide.{key}.without", {}, {})
        return [title, *(body if any(file.part == key for file in self.facts.files) else without)]

    def _reading(self) -> list[Block]:
        """Instructions for rules and guide."""
        t, facts = self.t, self.facts
        edges = {flip: t(f"guide.rules.{flip}") for flip in Flip}
        folding, by_hand = t("guide.rules.booklet", turning=edges[facts.flip]), t("guide.rules.by_hand")
        abreast, small, large, screen = (t(f"guide.rules.{key}") for key in ("one_sided", "pages", "large", "screen"))
        words = {BookletLayout.FOLDED: [folding, *([] if facts.backs is Backs.DUPLEX else [by_hand])],
                 BookletLayout.SIDE_BY_SIDE: [abreast],
                 BookletLayout.PAGES: [large if facts.large_print else small]}[facts.layout]
        return [Heading(t("guide.rules.title"), 2), *(Paragraph(parse_line(text)) for text in (*words, screen))]

    def _files(self) -> BookletTable:
        t = self.t
        papers = {each: t(f"guide.files.{each}") for each in MATERIALS}
        sides = {True: t("guide.files.both"), False: t("guide.files.one")}
        rows = tuple((self._file_cell(file), (Span(str(file.sheets)),),
                      (Span(papers[material(file.stock, self.facts.backs)]),), (Span(sides[file.both_sides]),))
                     for file in self.facts.files)
        head = tuple(parse_line(t(f"guide.files.{key}")) for key in ("file", "sheets", "paper", "sides"))
        return BookletTable(head=head, rows=rows, widths=(47, 13, 0, 18), centred=(1,))

    def _game_note(self) -> list[Block]:
        """Advice for telling the files from those of another game, if any."""
        words = Paragraph(parse_line(self.t("guide.files.game", game=self.facts.game)))
        return [words] if self.facts.game else []

    def _sets_note(self) -> list[Block]:
        """Parts that the files hold less often than there are sets."""
        words = Paragraph(parse_line(self.t("guide.files.sets", sets=self.facts.sets)))
        return [words] if self.facts.sets > 1 else []

    def _file_cell(self, file: GuideFile) -> TextLine:
        """A file's title and part, without markup in either."""
        pattern = parse_line(self.t("guide.files.name", title="{title}", part="{part}"))
        words = (span.words.replace("{title}", file.title).replace("{part}", file.part) for span in pattern)
        return tuple(replace(span, words=word) for span, word in zip(pattern, words, strict=True))

    def _turning_text(self) -> str:
        variants = {key: self.t(f"guide.print.{key}") for key in ("duplex_long", "duplex_short", "fold", "none")}
        backs = self.facts.backs
        return variants[f"duplex_{self.facts.flip}" if backs is Backs.DUPLEX else backs.value]

    def _edge_note(self) -> list[Block]:
        """Advice for printers that can't print up to the margin of a file."""
        margin = min((file.imposition.layout.margin for file in self.facts.files if file.imposition),
                     default=SAFE_MARGIN_MM)
        millimetres = f"{margin:g}".replace(".", self.t("language.decimal"))
        words = Paragraph(parse_line(self.t("guide.print.edge", margin=millimetres)))
        return [words] if margin < SAFE_MARGIN_MM else []

    def _cutting(self) -> list[Block]:
        """Cutting instructions, with a picture of each file's first sheet: in pairs, an odd one beside the text."""
        t = self.t
        title = Heading(t("guide.cut.title"), 2)
        fold, machine, machine_fold = (Paragraph(parse_line(t(f"guide.cut.{key}")))
                                       for key in ("fold", "machine", "machine_fold"))
        by_hand = blocks_from_texts(t, "guide.cut.body", {}, {})
        pictures = [self._sheet_picture(file.title, file.imposition.sheets[0]) for file in self.facts.files
                    if file.imposition and file.is_cut_by_number]
        if not pictures:
            return []
        folded = self.facts.backs is Backs.FOLD
        if self.facts.marks is Marks.SILHOUETTE:
            return [title, machine, *([machine_fold] if folded else [])]
        single = len(pictures) % 2
        return [title, *([fold] if folded else []),
                *([self._beside(pictures[:1], by_hand)] if single else by_hand),
                *(self._beside(pictures[n:n + 1], pictures[n + 1:n + 2]) for n in range(single, len(pictures), 2))]

    def _shaping(self) -> list[Block]:
        """Cutting instructions for other shapes, if there is a line to cut along."""
        nested = Paragraph(parse_line(self.t("guide.shapes.nested")))
        has_nested = any(placed.clip for file in self.facts.files if file.imposition
                         for placed in file.imposition.sheets[0].sides[0].placements)
        words = [*self._section("shapes"), *([nested] if has_nested else [])]
        return words if self._has_marks and not all(file.is_ruled for file in self.facts.files) else []

    def _folding(self) -> list[Block]:
        kinds = {kind for file in self.facts.files for kind in file.folded}
        words = {kind: Paragraph(parse_line(self.t(f"guide.folding.{kind}")))
                 for kind in (Folded.STANDEE, Folded.TENT, Folded.DIE)}
        folding = [words[kind] for kind in words if kind in kinds]
        title, *marks = self._section("folding")
        return [title, *(marks if self._has_marks else []), *folding] if folding else []

    @property
    def _has_marks(self) -> bool:
        return self.facts.marks in (Marks.TICKS, Marks.LINES)

    def _joining(self) -> list[Block]:
        """Joining instructions for boards larger than the paper, with a picture of each."""
        words = self._section("tiles", flap=f"{TILE_FLAP:g}")
        alt, caption = self.t("guide.tiles.alt"), self.t("guide.tiles.caption", title="{title}")
        boards = {(file.title, placed.item): placed.tile for file in self.facts.files if file.imposition
                  for sheet in file.imposition.sheets for placed in sheet.sides[0].placements if placed.tile}
        pictures = [self._tile_plan(tile, alt, caption.replace("{title}", title))
                    for (title, _), tile in boards.items()]
        return [*words, *pictures] if pictures else []

    def _tile_plan(self, tile: SheetTile, alt: str, caption: str) -> Figure:
        """A board in small, with the names of its tiles."""
        width, height = tile.columns[-1], tile.rows[-1]
        scale = min(PLAN_HEIGHT_MM / height, self.column / width)
        parts: list[BookletArea | FigureLabel] = []
        for row in range(len(tile.rows) - 1):
            for column in range(len(tile.columns) - 1):
                each = replace(tile, column=column, row=row)
                own = each.own
                box = Rect(own.x * scale, own.y * scale, own.width * scale, own.height * scale)
                parts += (BookletArea(box=box, fill=PIECE, stroke=MARK),
                          FigureLabel(words=each.name, box=box, align="center", size=9, style="title"))
        return Figure(size=Size(width * scale, height * scale), parts=tuple(parts), alt=alt,
                      caption=parse_line(caption))

    def _beside(self, left: Sequence[Block], right: Sequence[Block]) -> Beside:
        return Beside(left=tuple(left), right=tuple(right), width=self.column)

    def _sheet_picture(self, title: str, sheet: Sheet) -> Figure:
        """A sheet in small, with its numbered cuts."""
        t = self.t
        first, later = straight_cuts(sheet)
        ranges = {"first_cuts": (1, len(first)), "later_cuts": (len(first) + 1, len(first) + len(later))}
        values = {key: t("guide.cut.range", first=a, last=b) for key, (a, b) in ranges.items()}
        count = len(front_placements(sheet))
        pieces = {one: t(f"guide.cut.{'one' if one else 'many'}", count=count) for one in (True, False)}[count == 1]
        scale = min(PICTURE_HEIGHT_MM / sheet.size.height, (self.column - NUMBER_STRIP_MM) / sheet.size.width)
        return Figure(
            size=Size(sheet.size.width * scale + NUMBER_STRIP_MM, sheet.size.height * scale + NUMBER_STRIP_MM),
            parts=tuple(draw_sheet(sheet, (*first, *later), scale)), alt=t("guide.cut.alt", pieces=pieces, **values),
            caption=parse_line(t("guide.cut.caption", title=title, pieces=pieces, **values)))

    def _code(self) -> list[Block]:
        """The address of the site in words and as a QR code, if it has one."""
        title, words = self.t("sheet.phone"), parse_line(self.t("guide.code"))
        address, box = self.facts.address, Rect(0, 0, CODE_MM, CODE_MM)
        if not address:
            return []
        request = FaceRequest(template="shared/qr-code.svg.j2", size=box.size, values={"address": address})
        code = Figure(size=box.size, parts=(BookletPicture(request=request, box=box, outline=False),), alt=title)
        text = Paragraph((*words, Span(" "), Span(address, link=address)))
        return [Heading(title, 2), self._beside([text], [code])]

    def _sleeve_text(self) -> str:
        sleeve = self.facts.sleeve
        fits = self.t("guide.sleeves.fits", name=sleeve.name if sleeve else "",
                      sleeve=self._format_size(sleeve.size) if sleeve else "")
        none = self.t("guide.sleeves.none")
        return fits if sleeve else none

    def _format_size(self, size: Size) -> str:
        """A size with the decimal mark of the language, without a line break."""
        return str(size).replace(".", self.t("language.decimal")).replace(" ", "\N{NO-BREAK SPACE}")
