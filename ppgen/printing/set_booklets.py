"""Booklets of a set: rules in their languages, and the making guide."""

from __future__ import annotations

import json
import re
from base64 import b64decode
from collections.abc import Callable, Container, Iterable, Iterator, Mapping, Sequence
from functools import partial
from itertools import chain
from math import ceil
from types import MappingProxyType

from ppgen import __version__
from ppgen.assets import Assets
from ppgen.cache import cached_by
from ppgen.engine.booklets.booklet import (BOOKLET_MARGIN, COLUMN_GAP_MM, Beside, Block, Booklet, BookletArea,
                                           BookletPicture, BookletTable, Figure, FigureLabel, FinishedBooklet, Heading,
                                           Paragraph, Span, Stroke, TextLine, blocks_from_texts, column_width,
                                           fit_booklet, parse_line)
from ppgen.engine.booklets.booklet_pdf import (arrange_pages, finish_booklet, missing_anchors, page_count, pair_pages,
                                               typeset)
from ppgen.engine.component import Stock
from ppgen.engine.drawing.face import FaceRequest
from ppgen.engine.drawing.fonts import FontBook
from ppgen.engine.drawing.rendering import FaceRenderer
from ppgen.engine.geometry import A4, Format, Point, Rect, Size, parse_size
from ppgen.engine.imposition.impose import TILE_FLAP
from ppgen.engine.imposition.sheets import (Backs, BookletLayout, DocumentInfo, Flip, Imposition, Marks, Placement,
                                            Sheet, SheetSpec, SheetTile, Sides)
from ppgen.engine.pictures.picture import fit_pages
from ppgen.engine.shapes import Folded, Shape
from ppgen.errors import BadText, Phrase, Problem, Problems, join_names
from ppgen.printing.drawn_parts import DrawnPart, draw_to_print, has_cards, impose_part
from ppgen.printing.manifest import MATERIALS, material
from ppgen.printing.request import BOX, GUIDE, RULES, SAFE_MARGIN_MM, WORDS, BuildRequest, OutputKind, has_words
from ppgen.printing.workshop import PrintRun
from ppgen.process.supervision import read_supervised
from ppgen.reading.fields import read_toml
from ppgen.reading.texts import Texts
from ppgen.records import dataclass, replace

# --- Translations ---

_PLACEHOLDER = re.compile(r"\{\w+\}")
_WORD = re.compile(r"\w{2,}")
MAX_LISTED_KEYS = 8  # keys listed in a warning
MAX_NAME_WORDS = 3  # longer texts are not taken for names, which many languages share


@dataclass(frozen=True, slots=True, kw_only=True)
class Translation:
    """Progress of a language: keys of texts with words, ``lacking`` ones, those the ``same`` as in ``source``."""

    keys: tuple[str, ...]
    lacking: tuple[str, ...] = ()
    source: str = ""
    same: tuple[str, ...] = ()

    @property
    def texts(self) -> int:
        return len(self.keys)

    @property
    def done(self) -> int:
        return self.texts - len(self.lacking) - len(self.same)

    def part(self, tables: Container[str]) -> Translation:
        """Return the progress of the texts in these tables."""
        def inside(keys: Iterable[str]) -> tuple[str, ...]:
            return tuple(key for key in keys if key.partition(".")[0] in tables)

        return replace(self, keys=inside(self.keys), lacking=inside(self.lacking), same=inside(self.same))


def check_translation(texts: Texts, others: Sequence[Texts], keys: Container[str] | None = None) -> Translation:
    """Compare a language with the others, one of which its files may have been copied from; all texts, or only some.

    The source is the language with which it shares most phrases (two words or more). If there is none, equal single
    words are due to related languages (Danish *Ungarn*); if there is one, they count as well. Texts that two other
    languages have in common with it (*Franken*, *Anna*) are names and never count.
    """
    counts = {key: sum(map(str.isalpha, _WORD.findall(_PLACEHOLDER.sub("", words))))
              for key, words in texts.words.items() if keys is None or key in keys}

    def alike(key: str, other: Texts) -> bool:
        return key not in other.borrowed and other.words.get(key) == texts.words[key]

    own = [key for key, count in counts.items() if count and key not in texts.borrowed]
    names = {key for key in own if counts[key] <= MAX_NAME_WORDS and sum(alike(key, other) for other in others) > 1}
    shared = {other.lang: [key for key in own if key not in names and alike(key, other)] for other in others}
    phrases = {lang: sum(counts[key] > 1 for key in keys) for lang, keys in shared.items()}
    source = max(phrases, key=lambda lang: phrases[lang], default="")
    progress = Translation(keys=tuple(key for key, count in counts.items() if count),
                           lacking=tuple(key for key, count in counts.items() if count and key in texts.borrowed))
    return replace(progress, source=source, same=tuple(shared[source])) if phrases.get(source) else progress


def find_untranslated(texts: Texts, translation: Translation) -> Iterator[Problem]:
    """Yield a problem for each file with texts of another language."""
    for file in dict.fromkeys(texts.files[key] for key in translation.same):
        keys = [key for key in translation.same if texts.files[key] == file]
        more = f" and {len(keys) - MAX_LISTED_KEYS} more" if len(keys) > MAX_LISTED_KEYS else ""
        many = "text is still that" if len(keys) == 1 else "texts are still those"
        yield replace(texts.problem(keys[0], f"{len(keys)} {many} of {translation.source}",
                                    f"translate {join_names(keys[:MAX_LISTED_KEYS])}{more}"), key="")


def locate_texts(problems: Iterable[Problem], texts: Texts, own_keys: Container[str], unprinted: Container[str],
                 piece: str) -> Iterator[Problem]:
    """Yield the problems of a face, with those of its texts moved to the locale files that the texts come from.

    ``own_keys`` are the keys that the face looked up itself, ``unprinted`` the tables that faces never use; ``piece``
    is what was drawn. Problems of texts from elsewhere stay as they are, those of lent texts are dropped.
    """
    printed = {key: {_normalize(words) for words in variants} for key, variants in texts.used.items()
               if key.partition(".")[0] not in unprinted} if problems else {}
    for problem in problems:
        if not isinstance(problem, BadText):
            yield problem
        elif not problem.key.startswith("["):  # its key is that of the text already
            yield replace(problem, what=f"{problem.what} on {piece}")
        elif not (keys := _matching_keys(_normalize(problem.words), printed, own_keys)):
            yield problem
        elif keys[0] not in texts.borrowed:
            place = f"{problem.place}:{problem.line}"
            remedy = f"shorten it by {ceil(100 * problem.share)} %, or give it more room in {place}"
            located = texts.problem(keys[0], f"{problem.what} on {piece}", remedy if problem.share else problem.remedy)
            yield BadText.of(replace(located, key=join_names(keys)), problem.words, problem.share)


def _matching_keys(words: str, printed: Mapping[str, Iterable[str]], own_keys: Container[str]) -> list[str]:
    """Return the keys of a text, or else of the most similar one among those that the face looked up."""
    exact = [key for key, variants in printed.items() if words in variants]
    similarity = {key: max((_similarity(words, variant) for variant in variants), default=0.0)
                  for key, variants in printed.items() if key in own_keys}
    best = max(similarity.values(), default=0.0)
    return ([key for key in exact if key in own_keys] or exact
            or [key for key, value in similarity.items() if value == best > 0])


def merge_repeats(problems: Iterable[Problem]) -> Iterator[Problem]:
    """Yield each text that can't be set once: where it has the least room. Other problems pass."""
    worst: dict[object, Problem] = {}
    for problem in problems:
        name: object = problem
        if isinstance(problem, BadText):
            drawn = problem.key.startswith("[")
            name = problem.place, problem.line, problem.words if drawn else problem.key, problem.share > 0
            previous = worst.get(name, problem)
            if isinstance(previous, BadText) and previous.share > problem.share - 0.005:  # the first of equal ones
                problem = previous
        worst[name] = problem
    yield from worst.values()


def _normalize(words: str) -> str:
    """Remove the effects of templates: line breaks and capitals."""
    return "".join(words.split()).casefold()


def _similarity(one: str, other: str) -> float:
    """Return the length of the shorter as a share of the longer, if it is a part of it."""
    short, long = sorted((one, other), key=len)
    return len(short) / len(long) if short and short in long else 0.0


# --- Making guide ---

NUMBER_STRIP_MM = 5.0  # width of the strips with the numbers of the cuts, beside the picture of a sheet
NUMBER_WIDTH_MM = 3.0  # length along the edge for the number of a cut
CUT, MARK, FOLD, PIECE, BACK = "#B8352E", "#000000", "#3565A6", "#EFE3C6", "#D5DCE2"  # of the picture


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
    yield BookletArea(box=box(Rect(0, 0, sheet.size.width, sheet.size.height)), stroke=MARK, fill="#FFFFFF")
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
    sizes: frozenset[Size] = frozenset()
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

    request: BuildRequest
    paper: Format
    files: tuple[GuideFile, ...]
    sleeve: Sleeve | None
    advice: tuple[str, ...] = ()  # guide sections of the game itself
    address: str = ""  # that a QR code leads to
    on_site: bool = False  # read on a page of the site, whose form corrects the files for a printer

    @property
    def has_cards(self) -> bool:
        """True if cards are printed."""
        return has_cards((size for file in self.files for size in file.sizes), self.request.card_size)


def make_guide(texts: Texts, facts: GuideFacts) -> Booklet:
    """Compose the guide to the files of a build."""
    name, page = texts("guide.name"), booklet_page(facts.paper.size)
    title = texts("guide.full_title", title=texts("game.title"), name=name)
    blocks = tuple(chain.from_iterable(guide_sections(texts, facts).values()))
    return Booklet(title=title, running=f"{texts('game.title')} · {name}", lang=texts.common_lang or texts.lang,
                   page=page, blocks=blocks, author=texts("game.author"), ink=facts.request.ink)


def guide_sections(texts: Texts, facts: GuideFacts) -> dict[str, list[Block]]:
    """Write the sections of the guide, each with its heading; those that the files don't need are empty."""
    return _Writer(texts, facts).sections()


class _Writer:
    """Sections of a guide in one language, which look up every text: ``ppgen check`` reports unused ones."""

    def __init__(self, texts: Texts, facts: GuideFacts) -> None:
        self.t, self.facts, self.request = texts, facts, facts.request
        self.column = (column_width(booklet_page(facts.paper.size)) - COLUMN_GAP_MM) / 2

    def sections(self) -> dict[str, list[Block]]:
        t, facts, request = self.t, self.facts, self.request
        backs = {kind: t(f"guide.backs.{kind}") for kind in Backs}
        parts, stocks = {file.part for file in facts.files}, {file.stock for file in facts.files}
        margin = min((file.imposition.layout.margin for file in facts.files if file.imposition),
                     default=SAFE_MARGIN_MM)
        reading, box = self._reading(), self._section("box")  # looked up in any case
        tools = {key: f"- {t(f'guide.tools.{key}')}\n" for key in ("board", "plan")}
        cards = t("guide.with_cards", card_name=request.card_size.name,
                  card_size=self._format_size(request.card_size.size))
        printout = (t("guide.on_paper", paper=facts.paper.title), backs[request.backs], *[cards] * facts.has_cards,
                    t(f"ink.{request.ink}"))
        sleeves: list[Block] = [Heading(t("guide.sleeves.title"), 2), Paragraph(parse_line(self._sleeve_text()))]
        has_tiles = any(file.is_tiled for file in facts.files)
        extra_tools = (tools["board"] if Stock.BOARD in stocks else "") + (tools["plan"] if has_tiles else "")
        return {
            "intro": [Heading(t("guide.name")),
                      Paragraph(parse_line(t("guide.intro", facts=t.join(printout))))],
            "tools": [Heading(t("guide.tools.title"), 2),
                      *blocks_from_texts(t, "guide.tools.body", {}, {}, extra_tools)],
            "files": [Heading(t("guide.files.title"), 2), self._files(),
                      *self._note("files.game", bool(request.game), game=request.game),
                      *self._note("files.sets", request.sets > 1, sets=request.sets)],
            "print": [*self._section("print", paper=facts.paper.title, turning=self._turning_text()),
                      *self._note("print.edge", margin < SAFE_MARGIN_MM,
                                  margin=f"{margin:g}".replace(".", t("language.decimal")))],
            "rules": reading if RULES in parts else [],
            "cut": self._cutting(),
            "shapes": self._shaping(),
            "folding": self._folding(),
            "tiles": self._joining(),
            "advice": [block for key in facts.advice for block in self._advice(key)],
            "sleeves": sleeves if facts.has_cards else [],
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
        there = {self.request.backs.value, *chain.from_iterable(file.shows for file in self.facts.files)}
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
        t, request = self.t, self.request
        edges = {flip: t(f"guide.rules.{flip}") for flip in Flip}
        folding, by_hand = t("guide.rules.booklet", turning=edges[request.flip]), t("guide.rules.by_hand")
        abreast, small, large, screen = (t(f"guide.rules.{key}") for key in ("one_sided", "pages", "large", "screen"))
        words = {BookletLayout.FOLDED: [folding, *([] if request.backs is Backs.DUPLEX else [by_hand])],
                 BookletLayout.SIDE_BY_SIDE: [abreast],
                 BookletLayout.PAGES: [large if request.large_print else small]}[request.booklet_layout]
        return [Heading(t("guide.rules.title"), 2), *(Paragraph(parse_line(text)) for text in (*words, screen))]

    def _files(self) -> BookletTable:
        t = self.t
        papers = {each: t(f"guide.files.{each}") for each in MATERIALS}
        sides = {True: t("guide.files.both"), False: t("guide.files.one")}
        rows = tuple((self._file_cell(file), (Span(str(file.sheets)),),
                      (Span(papers[material(file.stock, self.request.backs)]),), (Span(sides[file.both_sides]),))
                     for file in self.facts.files)
        head = tuple(parse_line(t(f"guide.files.{key}")) for key in ("file", "sheets", "paper", "sides"))
        return BookletTable(head=head, rows=rows, widths=(47, 13, 0, 18), centred=(1,))

    def _note(self, key: str, is_needed: bool, **values: object) -> list[Block]:
        """A paragraph, if it is needed; its text is looked up in any case."""
        words = Paragraph(parse_line(self.t(f"guide.{key}", **values)))
        return [words] if is_needed else []

    def _file_cell(self, file: GuideFile) -> TextLine:
        """A file's title and part, without markup in either."""
        pattern = parse_line(self.t("guide.files.name", title="{title}", part="{part}"))
        words = (span.words.replace("{title}", file.title).replace("{part}", file.part) for span in pattern)
        return tuple(replace(span, words=word) for span, word in zip(pattern, words, strict=True))

    def _turning_text(self) -> str:
        drift = {False: self.t("guide.print.drift"),
                 True: self.t("guide.print.drift_site", form=self.t("site.printer"))}[self.facts.on_site]
        variants = {key: self.t(f"guide.print.{key}", drift=drift)
                    for key in ("duplex_long", "duplex_short", "fold", "none")}
        backs = self.request.backs
        return variants[f"duplex_{self.request.flip}" if backs is Backs.DUPLEX else backs.value]

    def _cutting(self) -> list[Block]:
        """Cutting instructions, with a picture of each file's first sheet: in pairs, an odd one beside the text."""
        t = self.t
        title, folded = Heading(t("guide.cut.title"), 2), self.request.backs is Backs.FOLD
        fold, machine_fold = (self._note(f"cut.{key}", folded) for key in ("fold", "machine_fold"))
        machine, by_hand = self._note("cut.machine", True), blocks_from_texts(t, "guide.cut.body", {}, {})
        pictures = [self._sheet_picture(file.title, file.imposition.sheets[0]) for file in self.facts.files
                    if file.imposition and file.is_cut_by_number]
        if not pictures:
            return []
        if self.request.marks is Marks.SILHOUETTE:
            return [title, *machine, *machine_fold]
        single = len(pictures) % 2
        return [title, *fold, *([self._beside(pictures[:1], by_hand)] if single else by_hand),
                *(self._beside(pictures[n:n + 1], pictures[n + 1:n + 2]) for n in range(single, len(pictures), 2))]

    def _shaping(self) -> list[Block]:
        """Cutting instructions for other shapes, if there is a line to cut along."""
        has_nested = any(placed.clip for file in self.facts.files if file.imposition
                         for placed in file.imposition.sheets[0].sides[0].placements)
        words = [*self._section("shapes"), *self._note("shapes.nested", has_nested)]
        return words if self._has_marks and not all(file.is_ruled for file in self.facts.files) else []

    def _folding(self) -> list[Block]:
        kinds = {kind for file in self.facts.files for kind in file.folded}
        folding = [note for kind in (Folded.STANDEE, Folded.TENT, Folded.DIE)
                   for note in self._note(f"folding.{kind}", kind in kinds)]
        title, *marks = self._section("folding")
        return [title, *(marks if self._has_marks else []), *folding] if folding else []

    @property
    def _has_marks(self) -> bool:
        return self.request.marks in (Marks.TICKS, Marks.LINES)

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


# --- Booklets ---

A5, HALF_LETTER = Size(148, 210), Size(139.7, 215.9)
LARGE_PAGES = {A5: A4.size, HALF_LETTER: Size(215.9, 279.4)}  # pages of booklets in large print by those of others
SCREEN_PAPER = A4  # paper that pages for the screen are made for, whatever paper the printer holds
BOOKLET_PICTURE_DPI = 300.0  # resolution of a deck's pictures on the pieces that booklets show, which are smaller there
USUAL_GUIDE_PAGES = 2  # pages of a guide that need not be fewer: they lie open side by side
COMPACT_SIZE = 8.8  # size of the text of a guide that is set closer, in points
PAGES_OF_SHEET, SMALLER = 4, (0.965, 0.95)  # rules with a page on a sheet of its own are set smaller if that saves it
_LETTER_SIDES_MM = (215.9, 279.4)


@dataclass(frozen=True, slots=True, kw_only=True)
class TypesetBooklet:
    """A typeset booklet: ``count`` PDF pages of one size with this margin, and what was left out of them."""

    title: str
    lang: str
    size: Size
    pages: bytes
    count: int
    margin: float
    left_out: tuple[Problem, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Edition:
    """A finished booklet for paper or screen."""

    file: str  # without folder and extension
    content: bytes
    size: Size
    sides: tuple[tuple[str, ...], ...]  # of its sheets
    sheets: int  # 0 for the screen
    left_out: tuple[Problem, ...] = ()  # what its pictures lack
    margin: float = BOOKLET_MARGIN  # in mm


def booklet_page(paper: Size) -> Size:
    """Return the page size of a booklet: half of Letter if the paper has one of its sides, else half of A4."""
    is_letter = any(abs(side - inches) < 0.5 for side in (paper.width, paper.height) for inches in _LETTER_SIDES_MM)
    return HALF_LETTER if is_letter else A5


def sleeve_for(assets: Assets, card: Format) -> Sleeve | None:
    """Look up the sleeve sold for a card size. Raises InputError for a bad table."""
    problems = Problems()
    fields = read_toml(assets.common("sleeves.toml"), "sleeves.toml", problems)
    table = fields.take_table("sleeves")
    fields.close()
    sleeves: dict[str, Sleeve] = {}
    for key in table:
        sleeve = table.take_table(key)
        name, size = sleeve.take_text("name"), sleeve.take_text("size")
        sleeve.close()
        try:
            sleeves[key] = Sleeve(name=name, size=parse_size(size))
        except ValueError as error:
            sleeve.note("size", str(error), "the card that the sleeve is made for, like 63.5x88mm")
    problems.raise_if_any()
    return sleeves.get(card.name)


def enlarge_booklet(booklet: Booklet, request: BuildRequest) -> Booklet:
    """Return the booklet as requested: the same one, or in large print on whole pages."""
    return booklet.enlarge(LARGE_PAGES[booklet.page]) if request.large_print else booklet


def has_room_for_two(paper: Size) -> bool:
    """True if two pages of a booklet fit side by side."""
    sheet, page = paper.portrait.turned, booklet_page(paper)
    return sheet.width > 2 * page.width - 1e-6 and sheet.height > page.height - 1e-6


def small_paper_problem(paper: Format) -> Problem:
    """Explain why rules and guide come as single pages on this paper."""
    return Problem("--paper", Phrase("no_booklet", size=booklet_page(paper.size)), Phrase("booklet_paper"),
                   key=paper.name)


def file_names(name: str, run: PrintRun) -> tuple[str, str]:
    """Return the names of a booklet's files for paper and screen, without extension; defaults are not named."""
    request, paper = run.request, run.paper
    if name == RULES:
        words = (paper.name, *request.words(OutputKind.RULES)), ("screen", *request.words(OutputKind.SCREEN_RULES))
    else:
        own = (paper.name, *request.words(OutputKind.GUIDE))
        default = (SCREEN_PAPER.name, Backs.DUPLEX.value)
        words = own, ("screen", *(own[2:] if own[:2] == default else own))
    on_paper, on_screen = (request.file_name(name, *each) for each in words)
    return on_paper, on_screen


def typeset_booklet(booklet: Booklet, renderer: FaceRenderer, fonts: FontBook) -> TypesetBooklet:
    """Draw and typeset a booklet, page by page. Raises InputError for faces."""
    subject = f"[{booklet.title} {booklet.lang}]"
    booklet, shrunk = fit_booklet(booklet, fonts)
    faces = {request: renderer.draw(request, 0, subject) for request in booklet.requests()}
    left_out = tuple(Problem(renderer.templates.place(f"{template}:0")[0],
                             f"states no place '{name}': its number is left out of the picture in the booklet",
                             f'add <g data-anchor="{name} X Y"/>, docs/templates.md', key="data-anchor")
                     for template, name in missing_anchors(booklet, faces))
    pages = typeset(booklet, faces, fonts, BOOKLET_PICTURE_DPI)
    return TypesetBooklet(title=booklet.title, lang=booklet.lang, size=booklet.printed_page, pages=pages,
                          count=page_count(pages), margin=booklet.margin * booklet.zoom,
                          left_out=(*left_out, *booklet.warnings, *shrunk))


def screen_edition(file: str, booklet: TypesetBooklet, run: PrintRun) -> Edition:
    """Make the tagged pages to read."""
    content = finish_booklet(booklet.pages, _info(run, booklet, booklet.count))
    return Edition(file=file, content=content, size=booklet.size, sides=(("front",),) * booklet.count, sheets=0,
                   left_out=booklet.left_out, margin=booklet.margin)


def paper_edition(file: str, booklet: TypesetBooklet, run: PrintRun) -> Edition:
    """Make the pages to print: in pairs, or each on its own sheet."""
    request, layout = run.request, run.request.booklet_layout
    if layout is BookletLayout.PAGES:
        pages = screen_edition(file, booklet, run)
        return replace(pages, sheets=len(pages.sides), sides=() if request.sides is Sides.BACKS else pages.sides)
    sheet, sheets = run.paper.size.portrait.turned, arrange_pages(layout, booklet.count)
    match request.sides:
        case Sides.FRONTS:
            sheets = tuple(replace(each, back=None) for each in sheets)
        case Sides.BACKS:
            sheets = tuple(replace(each, front=None) for each in sheets if each.back)
    sides = tuple(each.sides for each in sheets)
    flip = request.flip if layout is BookletLayout.FOLDED else None
    about = _info(run, booklet, sum(map(len, sides)), flip if any(len(each) > 1 for each in sides) else None)
    content = pair_pages(booklet.pages, sheets, sheet, booklet.size, flip, about)
    return Edition(file=file, content=content, size=sheet, sides=sides, sheets=len(sheets), left_out=booklet.left_out)


# Booklets of a build: the rules, and the guide to all other files

def print_booklets(names: Sequence[str], imposed: Iterable[tuple[DrawnPart, Imposition]],
                   rules: Callable[[], tuple[Edition, ...]], run: PrintRun) -> Iterator[tuple[str, Edition]]:
    """Yield each edition of each booklet with its name; the guide describes ``imposed``. Raises InputError."""
    files = [guide_file(part, imposition) for part, imposition in imposed]
    for name in names:
        if name == GUIDE and not run.request.parts:  # for guide_facts_to_read(), if it is asked for the same set
            run.workshop.reuse(_files_key(run), lambda: tuple(files))
        guide = partial(print_guide, files, run)
        editions = rules() if name == RULES else run.workshop.reuse((run.texts.lang, *file_names(name, run)), guide)
        files.append(editions_guide_file(name, editions, run.texts))
        yield from ((name, edition) for edition in editions)


def print_rules(run: PrintRun) -> tuple[Edition, ...]:
    """Make the rules for the paper, and for the screen, always in full ink and for ``SCREEN_PAPER``."""
    on_paper, screen = typeset_rules(run), replace(run.asking(ink="full"), paper=SCREEN_PAPER)
    on_screen = on_paper if screen == run else typeset_rules(screen)
    return _make_editions(RULES, on_paper, on_screen, run)


def typeset_rules(run: PrintRun) -> TypesetBooklet:
    """Typeset the rules, page by page. Raises InputError."""
    request = run.request
    return run.workshop.reuse((RULES, run.texts.lang, run.paper, request.card_size, request.ink, request.large_print),
                              lambda: _typeset_rules(run))


def _typeset_rules(run: PrintRun) -> TypesetBooklet:
    request, workshop, texts, paper = run.request, run.workshop, run.texts, run.paper
    assert workshop.game.rules is not None
    as_laid_out = replace(workshop, large_print=False)  # as large as the pictures are laid out for
    parts = as_laid_out.parts(texts, request.card_size, SheetSpec(paper=paper), ()).parts
    rules = workshop.game.rules(texts, parts, booklet_page(paper.size), request.ink)
    if isinstance(rules, FinishedBooklet):
        page = booklet_page(paper.size)
        return _place_pages(rules, LARGE_PAGES[page] if request.large_print else page)
    usual = typeset_booklet(enlarge_booklet(rules, request), run.studio, workshop.fonts)
    for share in SMALLER if usual.count % PAGES_OF_SHEET == 1 and not request.large_print else ():
        smaller = typeset_booklet(replace(rules, size=share * rules.size), run.studio, workshop.fonts)
        if smaller.count < usual.count:
            return smaller
    return usual


def _place_pages(booklet: FinishedBooklet, page: Size) -> TypesetBooklet:
    """Put the pages of a finished PDF on pages of this size. Raises InputError."""
    def place() -> bytes:
        return json.dumps(read_supervised(fit_pages, booklet.content, {
            "name": booklet.name, "width": page.width, "height": page.height}, booklet.name,
            Phrase("save_again"))).encode()

    placed = json.loads(cached_by("placed pages", booklet.name, booklet.content, page, make=place))
    scales = {round(100 * min(page.width / across, page.height / up)): Size(round(across), round(up))
              for across, up in placed["sides"]}
    scaled = tuple(Problem(booklet.name, f"pages of {size} are printed at {scale} %, to fit {page}")
                   for scale, size in scales.items() if abs(scale - 100) > 1)
    return TypesetBooklet(title=booklet.title, lang=booklet.lang, size=page, pages=b64decode(placed["pdf"]),
                          count=len(placed["sides"]), margin=0, left_out=scaled)


def print_guide(files: Sequence[GuideFile], run: PrintRun) -> tuple[Edition, ...]:
    """Make the guide to these files; if only some parts are requested, to all files of the set."""
    run = run.relevant_to(OutputKind.GUIDE)  # with both sides
    rules = [file for file in files if file.part == RULES]
    if run.request.parts:
        if not rules and RULES in run.workshop.booklets and has_words(run.texts, RULES):
            rules = [editions_guide_file(RULES, print_rules(run), run.texts)]
        files = [*_describe_files(run), *rules]
    return _make_editions(GUIDE, *typeset_guide(files, run), run)


def typeset_guide(files: Sequence[GuideFile], run: PrintRun) -> tuple[TypesetBooklet, TypesetBooklet]:
    """Typeset the guide to these files, closer where that saves a sheet or a page. Raises InputError."""
    request, workshop = run.request, run.workshop
    facts = GuideFacts(request=request, paper=run.paper, files=tuple(files), advice=workshop.game.advice,
                       sleeve=sleeve_for(workshop.assets, request.card_size),
                       address=workshop.address_to_scan(request.home or "", run.texts.lang))
    guide, house = enlarge_booklet(make_guide(run.texts, facts), request), workshop.fonts.house
    usual = typeset_booklet(guide, run.studio, house)
    if usual.count <= USUAL_GUIDE_PAGES or request.large_print:
        return usual, usual
    closer = typeset_booklet(replace(guide, compact=True, size=COMPACT_SIZE), run.studio, house)
    sheets = partial(arrange_pages, request.booklet_layout)
    saves_sheet = len(sheets(closer.count)) < len(sheets(usual.count))
    return closer if saves_sheet else usual, closer if closer.count < usual.count else usual


def _describe_files(run: PrintRun) -> tuple[GuideFile, ...]:
    """Describe the files of all parts of the set for the guide. Raises InputError."""
    return tuple(guide_file(part, impose_part(part, run.request, run.paper))
                 for part in draw_to_print(run.parts(()).parts, run))


def rules_to_read(run: PrintRun) -> Booklet | None:
    """Compose the rules for pages that are not paper; a finished PDF stays one. Raises InputError."""
    parts, make = run.parts(()), run.workshop.game.rules
    if RULES not in parts.booklets or not make:
        return None
    booklet = make(run.texts, parts.parts, booklet_page(run.paper.size), run.request.ink)
    return booklet if isinstance(booklet, Booklet) else None


def guide_facts_to_read(run: PrintRun, rules: GuideFile | None) -> GuideFacts:
    """The guide's facts for pages that are not paper; ``rules`` is the file of the rules. Raises InputError."""
    run = run if has_room_for_two(run.paper.size) else run.asking(booklet=BookletLayout.PAGES)
    files = run.workshop.reuse(_files_key(run), lambda: (*_describe_files(run), *((rules,) if rules else ())))
    return GuideFacts(request=run.request, paper=run.paper, files=tuple(files), advice=run.workshop.game.advice,
                      sleeve=sleeve_for(run.workshop.assets, run.request.card_size), on_site=True)


def _files_key(run: PrintRun) -> tuple[str, ...]:
    return "described files", run.texts.lang, *file_names(GUIDE, run)


def _make_editions(name: str, on_paper: TypesetBooklet, on_screen: TypesetBooklet, run: PrintRun
                   ) -> tuple[Edition, ...]:
    paper_file, screen_file = file_names(name, run)
    editions = paper_edition(paper_file, on_paper, run), screen_edition(screen_file, on_screen, run)
    return tuple(edition for edition in editions if edition.sides)  # there may be no backs to print


def guide_file(part: DrawnPart, imposition: Imposition) -> GuideFile:
    """Describe the file of a part for the guide."""
    return GuideFile(part=part.part.name, title=part.part.title, stock=part.part.stock, sheets=len(imposition.sheets),
                     both_sides=any(len(sheet.sides) > 1 for sheet in imposition.sheets), imposition=imposition,
                     shows=frozenset(name for face in part.distinct for name in face.anchors),
                     shapes=frozenset(component.shape for component in part.part.components),
                     sizes=frozenset(component.size for component in part.part.components),
                     folded=frozenset(component.net.kind for component in part.part.components if component.net))


def editions_guide_file(name: str, editions: Sequence[Edition], texts: Texts) -> GuideFile:
    """Describe the file of a booklet for the guide."""
    return booklet_guide_file(name, sum(edition.sheets for edition in editions),
                              any("back" in sides for edition in editions for sides in edition.sides), texts)


def booklet_guide_file(name: str, sheets: int, both_sides: bool, texts: Texts) -> GuideFile:
    """Describe a booklet and the number of its sheets for the guide."""
    return GuideFile(part=name, title=texts(WORDS[name]), stock=Stock.PLAIN, sheets=sheets, both_sides=both_sides)


def _info(run: PrintRun, booklet: TypesetBooklet, pages: int, flip: Flip | None = None) -> DocumentInfo:
    """Document information of a booklet. typst has already written its bookmarks, from the headings."""
    texts = run.texts
    return DocumentInfo(title=booklet.title, author=texts("game.author"), subject=texts("game.subject"),
                        lang=booklet.lang, creator=f"ppgen {__version__}", bookmarks=(),
                        page_labels=[str(n + 1) for n in range(pages)], flip=flip, date=run.request.date)
