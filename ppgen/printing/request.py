"""Requests: the options of a print, and the filter of pieces."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from enum import Flag, StrEnum, auto
from hashlib import sha256
from operator import ge, gt, le, lt
from typing import TYPE_CHECKING, Any, NamedTuple

from ppgen.engine.geometry import ORIGIN, UNSCALED, Format, Point, Scale, Size, parse_length, parse_shift
from ppgen.engine.imposition.sheets import (LARGEST_ANGLE, LARGEST_SHIFT, Backs, BookletLayout, Flip, Marks, Order,
                                            SheetSpec, Sides)
from ppgen.errors import Phrase, Problem, RequestError, join_names, suggest
from ppgen.records import dataclass, field, fields, replace

if TYPE_CHECKING:
    from ppgen.engine.component import Pad, Part
    from ppgen.reading.texts import Texts


# --- Filter of pieces ---
# Filter expressions that select pieces by their cells: ``type:hero cost>3 -rare``.
#
# The same language serves ``--where`` and the filter field of the page of ``ppgen open``. An expression is a list of
# alternatives (``|`` or ``or``); each is a list of terms, all of which must match. Expressions come from anybody: they
# have a maximum length, hold no patterns, and take time linear in cells and terms.

MAX_EXPRESSION, MAX_TERMS = 500, 50  # characters and terms of an expression
MAX_SLUG = 32  # characters of an expression in the name of a file, without its digest
STATE = "is"  # the column of states, which are not cells: `is:changed`
PART = "part"  # the name of the column `kind`, unless the table has a column of that name
COPIES = "copies"
Row = Mapping[str, object]  # a piece as `ppgen list --json` has it
States = Mapping[str, Collection[str]]  # the ids of the pieces in each known state

_COMPARISONS: Mapping[str, Callable[[float, float], bool]] = {"<": lt, "<=": le, ">": gt, ">=": ge}
_TOKEN = re.compile(r"""\s*(?:(?P<either>\|+|or(?=\s))|(?P<minus>-*+)(?:"(?P<quoted>[^"]*)"|(?P<bare>[^\s"|:=<>!]+))
    (?:(?P<operator>[<>]=?|!=|==?|:)(?:"(?P<phrase>[^"]*)"|(?P<word>[^\s"|]*)))?(?=[\s|]|$))""", re.VERBOSE)
_NUMBER = re.compile(r"[+-]?[0-9]{1,15}(?:[.,][0-9]{1,10})?")
_ACCENT = re.compile("[\u0300-\u036f]")


@dataclass(frozen=True, slots=True, kw_only=True)
class FilterTerm:
    """A condition on a piece; without a ``column`` it holds if any cell contains the value."""

    column: str = ""
    operator: str = ":"
    value: str = ""
    negated: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class PieceFilter:
    """An expression as typed, and its alternatives."""

    text: str
    alternatives: tuple[tuple[FilterTerm, ...], ...]

    def __str__(self) -> str:
        return self.text

    @property
    def slug(self) -> str:
        """The expression in names of files, after a hyphen: its words, and a digest of it."""
        words = re.sub(r"[\W_]+", "-", self.text.lower()).strip("-")[:MAX_SLUG].strip("-")
        return "-".join(("", *filter(None, (words, sha256(self.text.encode()).hexdigest()[:6]))))

    @property
    def needs_states(self) -> bool:
        """True if the selection depends on the states of pieces."""
        return any(term.column == STATE for terms in self.alternatives for term in terms)

    def select(self, rows: Iterable[Row], states: States | None = None) -> tuple[str, ...]:
        """Return the ids of the matching pieces. Raises RequestError with each unknown column and wrong comparison."""
        pieces = [(str(row["id"]), _flatten(row)) for row in rows]
        columns = dict.fromkeys(column for _, cells in pieces for column in cells)
        problems: list[Problem] = []
        alternatives = [[_compile(term, columns, pieces, states or {}, problems) for term in terms]
                        for terms in self.alternatives]
        if problems:
            raise RequestError(problems)
        return tuple(id for id, cells in pieces
                     if any(all(match(id, cells) for match in terms) for terms in alternatives))


class _Cell(NamedTuple):
    """The folded texts of a cell, and its number, if it is one."""

    texts: Sequence[str]
    number: float | None


_EMPTY = _Cell((), None)
_Cells = Mapping[str, _Cell]
_Match = Callable[[str, _Cells], bool]


def parse_filter(text: str) -> PieceFilter:
    """Parse an expression. Raises ValueError with what is wrong in plain words."""
    if len(text) > MAX_EXPRESSION:
        raise ValueError(Phrase("note_long", number=MAX_EXPRESSION))
    plain, place = unicodedata.normalize("NFKC", text).strip(), 0  # full-width signs of Japanese keyboards count, too
    terms: list[list[FilterTerm]] = [[]]
    while place < len(plain):
        match = _TOKEN.match(plain, place)
        if not match:
            rest = plain[place:].strip()
            raise ValueError(Phrase("filter_rest", text=rest[:40]))
        place = match.end()
        if match["either"]:
            terms.append([])
            continue
        first = match["bare"] if match["quoted"] is None else match["quoted"]
        operator, negated = (match["operator"] or "").replace("==", "="), len(match["minus"]) % 2 > 0
        if operator:
            value = match["word"] if match["phrase"] is None else match["phrase"]
            terms[-1].append(FilterTerm(column=first, operator=operator, value=value, negated=negated))
            if not value and operator not in ("=", "!="):
                raise ValueError(Phrase("filter_value", text=match[0].strip(), example=f"{first}="))
        else:
            terms[-1].append(FilterTerm(value=first, negated=negated))
    if not all(terms):
        raise ValueError(Phrase("filter_or") if plain else Phrase("is_empty"))
    if sum(map(len, terms)) > MAX_TERMS:
        raise ValueError(Phrase("filter_terms", number=MAX_TERMS))
    return PieceFilter(text=text, alternatives=tuple(map(tuple, terms)))


def fold(text: str) -> str:
    """Normalize a text for comparison: without case and accents, full-width forms as usual ones."""
    decomposed = unicodedata.normalize("NFKD", unicodedata.normalize("NFKC", text).casefold())
    return unicodedata.normalize("NFC", _ACCENT.sub("", decomposed))  # が stays another letter than か


def _flatten(row: Row) -> dict[str, _Cell]:
    """The cells of a piece by column; of counts also each as a column: ``symbols.cross``."""
    cells: dict[str, _Cell] = {}
    for column, value in row.items():
        if isinstance(value, Mapping):
            cells[column] = _Cell([fold(str(name)) for name in value], None)
            cells |= {f"{column}.{name}": _cell(count) for name, count in value.items()}
        else:
            cells[column] = _cell(value)
    return cells


def _cell(value: object) -> _Cell:
    values = value if isinstance(value, list | tuple) else [] if value is None or value == "" else [value]
    return _Cell([fold(str(each)) for each in values], _parse_number(value))


def _parse_number(value: object) -> float | None:
    if isinstance(value, int | float):
        return float(value)
    return float(value.replace(",", ".")) if isinstance(value, str) and _NUMBER.fullmatch(value) else None


def _compile(term: FilterTerm, columns: Collection[str], pieces: Sequence[tuple[str, _Cells]], states: States,
             problems: list[Problem]) -> _Match:
    """Return the test of a term; note an unknown column or state, and a comparison that makes no sense."""
    def note(what: str, remedy: str) -> _Match:
        problems.append(Problem("--where", what, remedy))
        return lambda id, cells: False

    if term.column == STATE and term.operator == ":":
        state = fold(term.value)
        if state not in states:
            known = join_names(f"is:{name}" for name in states)
            return note(Phrase("filter_state", text=f"is:{term.value}"),
                        Phrase("known", message=known) if states else Phrase("for_build"))
        ids = states[state]
        return lambda id, cells: (id in ids) != term.negated
    from ppgen.reading.tables import column_name  # most runs have no filter

    where = _find_columns(term.column, columns) if term.column else []
    if term.column and not where:
        names = dict.fromkeys(PART if name == "kind" and PART not in columns else name for name in columns)
        return note(Phrase("no_column", name=term.column),
                    suggest(column_name(term.column), names, Phrase("columns", names=join_names(names))))
    test = _test(term)
    if test is None:
        return note(Phrase("not_a_number", text=term.value), Phrase(
            "write_one_of", first=f"{term.column}{term.operator}3", second=f"{term.column}:word"))
    if term.operator in _COMPARISONS and not any(
            cells.get(name, _EMPTY).number is not None for _, cells in pieces for name in where):
        return note(Phrase("no_numbers", name=term.column), Phrase(
            "write_one_of", first=f"{term.column}:word", second=f"{term.column}=word"))
    negated = term.negated != (term.operator == "!=")
    quantify = any if term.value else all  # a text is empty if it is in all languages
    return lambda id, cells: quantify(test(cells.get(name, _EMPTY)) for name in where or cells) != negated


def _test(term: FilterTerm) -> Callable[[_Cell], bool] | None:
    """The test of a cell, before it is negated; None for a comparison with a word."""
    wanted, number = fold(term.value), _parse_number(term.value)
    if compare := _COMPARISONS.get(term.operator):
        return None if number is None else lambda cell: cell.number is not None and compare(cell.number, number)
    if term.operator == ":" or not term.column:
        return lambda cell: any(wanted in text for text in cell.texts)
    if number is not None:
        return lambda cell: cell.number == number or wanted in cell.texts
    return lambda cell: wanted in cell.texts if wanted else not cell.texts


def _find_columns(name: str, columns: Collection[str]) -> list[str]:
    """The columns of a name, also as the table writes it, with those of its translations; none if it is unknown."""
    from ppgen.reading.tables import column_name, is_copies

    plain = column_name(name)
    for wanted in (name, plain):
        if found := [column for column in columns if column == wanted or column.startswith(f"{wanted}.")]:
            return found
    if plain == PART:
        return ["kind"]
    return [COPIES] if is_copies(name) else []


# --- Requests ---
# Imports no more than the declarations need: the help of each command that prints is made of them.

INKS = ("full", "low")
PLAIN_SKIN = "plain"  # the skin of large print
DEFAULT_CARD = Format("mini-euro", Size(44, 68))
CARD_THICKNESS = 0.32  # thickness of a printed card in mm: 250 to 300 g/m² (print.md's 0.30 to 0.35 mm)
RULES_SHEETS = {BookletLayout.FOLDED: 2, BookletLayout.SIDE_BY_SIDE: 4, BookletLayout.PAGES: 8}
"""Sheets of rules of eight pages."""
FIT = 0.0  # board scale that fits each board to a sheet
MIN_PERCENT = 10  # a bare number from here on is a percentage
MIN_BRIGHTNESS, MAX_BRIGHTNESS = 50, 250  # percent
SAFE_MARGIN_MM = 6.35  # many home printers can't print on a quarter of an inch at the bottom
MAX_CODED_ADDRESS = 100  # characters of an address whose QR code a phone still reads on the score sheet


# --- Values of options ---

class Parser(NamedTuple):
    """Parser of an option's text, which raises ValueError; placeholder and limits as help shows them."""

    parse: Callable[[str], Any]
    metavar: str
    limits: str = ""


def length_between(minimum: float, maximum: float) -> Parser:
    """Parse a length within limits in mm."""

    def parse(text: str) -> float:
        length = parse_length(text)
        if not minimum <= length <= maximum:
            raise ValueError(Phrase("length_range", text=text, least=f"{minimum:g}", most=f"{maximum:g}"))
        return length

    return Parser(parse, "LENGTH", f"{minimum:g}…{maximum:g} mm")


def _read_number(text: str, unit: str, wrong: Phrase) -> float:
    try:
        return float(text.removesuffix(unit))
    except ValueError:
        raise ValueError(wrong) from None


def _parse_angle(text: str) -> float:
    angle = _read_number(text, "", Phrase("not_degrees", text=text))
    if not abs(angle) <= LARGEST_ANGLE:  # also refuses nan
        raise ValueError(Phrase("angle_range", text=text, least=f"{LARGEST_ANGLE:g}", most=f"{LARGEST_ANGLE:g}"))
    return angle


def _parse_small_shift(text: str) -> Point:
    shift = parse_shift(text)
    if max(abs(shift.x), abs(shift.y)) > LARGEST_SHIFT:
        raise ValueError(Phrase("shift_range", text=text, least=f"{LARGEST_SHIFT:g}", most=f"{LARGEST_SHIFT:g}"))
    return shift


def _parse_board_scale(text: str) -> float:
    if text == "fit":
        return FIT
    number = _read_number(text, "%", Phrase("not_scale", text=text))
    scale = number / 100 if text.endswith("%") or number >= MIN_PERCENT else number
    if not 0.1 <= scale <= 2:
        raise ValueError(Phrase("scale_range", text=text))
    return scale


def _parse_resolution(text: str) -> float:
    dpi = _read_number(text, "dpi", Phrase("not_resolution", text=text))
    if not 72 <= dpi <= 2400:
        raise ValueError(f"{text} is out of range (from 72dpi to 2400dpi)")
    return dpi


def _parse_brightness(text: str) -> float:
    percent = _read_number(text, "%", Phrase("not_percent", text=text))
    if not MIN_BRIGHTNESS <= percent <= MAX_BRIGHTNESS:
        raise ValueError(f"{text} is out of range (from {MIN_BRIGHTNESS}% to {MAX_BRIGHTNESS}%)")
    return percent


def parse_address(text: str) -> str:
    """Return the address of a folder on the web, without a slash at its end. Raises ValueError for anything else."""
    if not re.fullmatch(r"https?://[^\s/?#]++[^\s?#]*+", text) or not text.isprintable():
        raise ValueError(Phrase("not_address", text=text))
    return text.rstrip("/")


def _parse_home(text: str) -> str:
    home = parse_address(text)
    if len(home) > MAX_CODED_ADDRESS:
        raise ValueError(Phrase("long_address", length=len(home), most=MAX_CODED_ADDRESS))
    return home


ANGLE = Parser(_parse_angle, "DEGREES", f"-{LARGEST_ANGLE:g}…{LARGEST_ANGLE:g}")
SHIFT = Parser(_parse_small_shift, "X,Y")
BOARD_SCALE = Parser(_parse_board_scale, "PERCENT|fit", "10%…200%")
BRIGHTNESS = Parser(_parse_brightness, "PERCENT", f"{MIN_BRIGHTNESS}%…{MAX_BRIGHTNESS}%")
RESOLUTION = Parser(_parse_resolution, "DPI", "72dpi…2400dpi")
FILTER = Parser(parse_filter, "EXPR")
ADDRESS = Parser(parse_address, "URL")
HOME = Parser(_parse_home, "URL")


# --- Declarations of options ---

class OutputKind(Flag):
    """Kinds of files. An option declares which of them it changes; only their names have its word."""

    PIECES = auto()
    FRONTS = auto()
    BOARD = auto()
    BOX = auto()
    PAGES = auto()
    SCORE_SHEET = auto()
    CALIBRATION = auto()
    RULES = auto()
    SCREEN_RULES = auto()
    GUIDE = auto()
    FACES = auto()
    CUT = PIECES | FRONTS | BOARD
    MARKED = CUT | BOX | PAGES | SCORE_SHEET | GUIDE
    PRINTED = MARKED | CALIBRATION
    ALL = PRINTED | RULES | SCREEN_RULES | FACES


OptionValues = type[StrEnum] | type[bool] | tuple[Any, ...] | range | Parser | None
"""Enumeration, yes or no, choices, whole numbers, or a parser; None for flags and for names."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PrintOption:
    """An option of a build, declared by its field of :class:`BuildRequest`; options, file names and help follow."""

    default: Any
    kinds: OutputKind  # files that it changes: a command has the options that change the files it makes
    word: str = ""  # in the names of files, for a value other than the default; names from data are "{}"
    words: Mapping[Any, str] = field(default_factory=dict)  # of certain values instead
    help: str = ""  # one line; empty for a usual option, and for a field without an option of its own
    usual: bool = False  # help shows it without --all; its text is in data/help
    values: OptionValues = None
    metavar: str | None = None
    typed: str = ""  # the default as one would type it, or in words

    @property
    def is_typed(self) -> bool:
        """True for an option that can be typed, not one that follows from others."""
        return self.usual or bool(self.help)

    @property
    def stems(self) -> tuple[str, ...]:
        """The fixed beginnings of its words; a name from data has none."""
        return tuple(filter(None, (word.partition("{")[0] for word in (self.word, *self.words.values()))))

    def file_word(self, value: Any) -> str:
        """Return the word for a value other than the default; empty if it has none."""
        return self.words.get(value, self.word).format("-".join(value) if isinstance(value, tuple) else value)


def _option(default: Any, kinds: OutputKind, **declared: Any) -> Any:
    return field(default=default, metadata={"option": PrintOption(default=default, kinds=kinds, **declared)})


@dataclass(frozen=True, slots=True, kw_only=True)
class Pack:
    """Cards in the box."""

    thickness: float = CARD_THICKNESS  # of one in mm, without its sleeve
    sleeved: bool = False
    home: str = ""  # address of the site that a QR code on the lid leads to
    rules_sheets: int = 2


DEFAULT_PACK = Pack()


@dataclass(frozen=True, slots=True, kw_only=True)
class Profile:
    """Corrections for a printer."""

    name: str = ""  # stands for them in the names of files
    back_offset: Point = ORIGIN  # mm right and down
    back_rotation: float = 0.0  # degrees clockwise
    scale: Scale = UNSCALED  # for a printer that shrinks or stretches
    brightness: float = 100.0  # percent, of pictures


@dataclass(frozen=True, slots=True, kw_only=True)
class BuildRequest:
    """A build or an export of its faces; its options stand in the order of their words in file names."""

    langs: tuple[str, ...]
    papers: tuple[Format, ...]
    parts: tuple[str, ...] = ()  # selected parts and pieces; empty for all parts
    folder: str = "output"  # as the manifest names it
    game: str = ""  # suffix of all file names, if the game had to be named on the command line
    usual_card: Format = DEFAULT_CARD  # other sizes appear in the names of files
    date: str = field(default="", compare=False)  # a PDF date
    card_size: Format = _option(
        DEFAULT_CARD, ~(OutputKind.PAGES | OutputKind.SCORE_SHEET | OutputKind.CALIBRATION), word="{0.name}")
    backs: Backs = _option(
        Backs.DUPLEX, OutputKind.PIECES | OutputKind.CALIBRATION | OutputKind.GUIDE, values=Backs,
        usual=True)
    flip: Flip = _option(
        Flip.LONG, OutputKind.PIECES | OutputKind.CALIBRATION | OutputKind.RULES | OutputKind.GUIDE, values=Flip,
        word="flip-short", help="Edge along which your printer turns the sheet.")
    sides: Sides = _option(
        Sides.BOTH, OutputKind.PIECES | OutputKind.PAGES | OutputKind.RULES, values=Sides,
        word="{}", help="Make files of the fronts or the backs alone, to feed the sheets by hand.")
    profile: Profile = _option(Profile(), OutputKind.ALL, word="{0.name}")
    back_offset: Point = _option(
        ORIGIN, OutputKind.PIECES, values=SHIFT, typed="0,0", word="offset{0.x:g}x{0.y:g}",
        help="Move the backs right and down (mm) to make up for the printer.")
    back_rotation: float = _option(
        0.0, OutputKind.PIECES, values=ANGLE, typed="0", word="turn{:g}",
        help="Turn the backs clockwise (degrees).")
    scale: Scale = _option(UNSCALED, OutputKind.CUT | OutputKind.BOX, word="scale{0.x:g}x{0.y:g}")
    brightness: float = _option(
        100.0, OutputKind.CUT, values=BRIGHTNESS, typed="100%", word="bright{:g}",
        help="Lighten or darken the pictures of a deck for your printer; black and white stay.")
    ink: str = _option("full", ~OutputKind.SCREEN_RULES, values=INKS, words={"low": "low-ink"}, usual=True)
    skin: str = _option("", OutputKind.ALL, metavar="NAME", word="{}", usual=True)
    large_print: bool = _option(
        False, ~OutputKind.FACES, word="large-print",
        help="Type of 14 pt or more on cards, tablets, aids and sheets, in rules and guide; plain skin.")
    marks: Marks = _option(
        Marks.TICKS, OutputKind.MARKED, values=Marks,
        words={Marks.LINES: "lines", Marks.NONE: "no-marks", Marks.SILHOUETTE: "silhouette"},
        help="Cut marks: at the ends, full lines, none, or for a Silhouette cutter.")
    bleed: float = _option(
        2.0, OutputKind.CUT | OutputKind.GUIDE, values=length_between(0, 10), typed="2mm", word="bleed{:g}",
        help="Extend pictures this far beyond the cut.")
    board_scale: float = _option(
        1.0, OutputKind.BOARD | OutputKind.GUIDE, values=BOARD_SCALE, typed="100%", word="board{:g}",
        words={FIT: "board-fit"},
        help="Scale boards, or fit each to a sheet; pieces keep their size.")
    card_thickness: float = _option(
        CARD_THICKNESS, OutputKind.BOX | OutputKind.GUIDE, values=length_between(0.05, 3),
        typed=f"{CARD_THICKNESS}mm", word="card{:g}",
        help="Thickness of one card without sleeve, for the box.")
    sleeved: bool = _option(
        False, OutputKind.BOX | OutputKind.GUIDE, word="sleeved",
        help="Make the box large enough for cards in sleeves.")
    margin: float | None = _option(
        None, OutputKind.PRINTED, values=length_between(0, 50),
        typed="8mm, or 5mm if that saves a sheet", word="margin{:g}",
        help="Keep this much of the paper's edge free.")
    order: Order = _option(
        Order.GRID, OutputKind.CUT, values=Order, word="stack",
        help="Fill sheet after sheet, or so that cut piles come out sorted.")
    pictures: float | None = _option(
        None, OutputKind.CUT, values=RESOLUTION, typed="as they are", word="pictures{:g}",
        help="Reduce finer pictures of a deck of your own to this resolution, for smaller files.")
    sets: int = _option(
        1, OutputKind.CUT | OutputKind.BOX | OutputKind.PAGES | OutputKind.GUIDE, values=range(1, 101), metavar="N",
        word="sets{:g}", usual=True)
    together: bool | None = _option(
        None, OutputKind.CUT | OutputKind.GUIDE, values=bool, words={True: "together", False: "apart"},
        typed="for decks of your own",
        help="Print parts that fill less than half a sheet on shared sheets.")
    sheets_per_page: int = _option(
        1, OutputKind.PAGES | OutputKind.SCORE_SHEET | OutputKind.GUIDE, values=(1, 2), word="2up",
        help="Score sheets side by side on a page; a single one can be filled in on screen.")
    pad: int = _option(
        1, OutputKind.PAGES | OutputKind.SCORE_SHEET | OutputKind.GUIDE, values=range(1, 501), metavar="N",
        word="pad{:g}", help="Number of pages of score sheets.")
    booklet: BookletLayout | None = _option(
        None, OutputKind.RULES | OutputKind.GUIDE | OutputKind.BOX, values=bool, words={
            BookletLayout.FOLDED: "booklet", BookletLayout.SIDE_BY_SIDE: "one-sided", BookletLayout.PAGES: "pages"},
        typed="to fold; with --backs fold or none two pages side by side, on one side",
        help="Rules and guide as booklets to fold, or page by page.")
    home: str | None = _option(
        None, OutputKind.BOX | OutputKind.SCORE_SHEET | OutputKind.GUIDE, values=HOME, word="qr",
        help="Address of the published site: a QR code of its score page on score sheet, guide and box lid.")
    where: PieceFilter | None = _option(
        None, OutputKind.CUT | OutputKind.FACES, values=FILTER, typed="all", word="where{0.slug}",
        help="Only pieces whose cells match: 'type:hero cost>3 -rare' (ppgen help list).")
    changed: bool = _option(
        False, OutputKind.CUT | OutputKind.FACES, word="changed",
        help="Only what looks different since ppgen printed, and additional copies.")
    chosen: tuple[str, ...] = _option((), OutputKind.BOX | OutputKind.GUIDE | OutputKind.FACES, word="{}")

    def spec(self, paper: Format) -> SheetSpec:
        """Return the sheet spec for one of the papers."""
        spec = SheetSpec(paper=paper, bleed=self.bleed, backs=self.backs, flip=self.flip,
                         back_offset=self.back_offset, back_rotation=self.back_rotation,
                         marks=self.marks, order=self.order)
        return spec if self.margin is None else replace(spec, margin=self.margin, least_margin=self.margin)

    def on_pad(self, paper: Format) -> Pad:
        """Return the layout of score sheets on one of the papers."""
        from ppgen.engine.component import Pad
        from ppgen.engine.imposition.impose import page_area

        abreast = self.sheets_per_page
        spec = self.spec(paper).turned if self.large_print else self.spec(paper)
        return Pad(room=page_area(spec, abreast), abreast=abreast, sheets=self.pad, large=self.large_print,
                   home=self.home or "")

    @property
    def booklet_layout(self) -> BookletLayout:
        """Layout of rules and guide: without backs on the other side, all files are printed on one side."""
        if self.large_print:
            return BookletLayout.PAGES
        usual = BookletLayout.FOLDED if self.backs is Backs.DUPLEX else BookletLayout.SIDE_BY_SIDE
        return self.booklet or usual

    @property
    def pack(self) -> Pack:
        """Cards in the box."""
        return Pack(thickness=self.card_thickness, sleeved=self.sleeved, home=self.home or "",
                    rules_sheets=RULES_SHEETS[self.booklet_layout])

    def relevant_to(self, kind: OutputKind) -> BuildRequest:
        """Reset each option that does not change files of that kind."""
        irrelevant = {name for name, option in OPTIONS.items() if not option.kinds & kind}
        if self.backs is not Backs.DUPLEX:
            irrelevant |= {"back_offset", "back_rotation"}
        if not ((self.backs is Backs.DUPLEX and "backs" not in irrelevant)
                or (self.booklet_layout is BookletLayout.FOLDED and "booklet" not in irrelevant)):
            irrelevant.add("flip")
        if self.large_print:
            irrelevant.add("skin")
        if (kind in (OutputKind.PAGES, OutputKind.SCORE_SHEET) and self.sheets_per_page == 1) or (
                kind is OutputKind.BOX and self.marks is not Marks.SILHOUETTE):
            irrelevant.add("marks")
        relevant = self.without((*irrelevant, "booklet"))
        if kind is OutputKind.CALIBRATION and self.backs is not Backs.DUPLEX:
            relevant = replace(relevant, backs=Backs.NONE)
        if "booklet" in irrelevant or relevant.booklet_layout is self.booklet_layout:
            return relevant
        return replace(relevant, booklet=self.booklet_layout)

    def without(self, names: Iterable[str]) -> BuildRequest:
        """Reset these options."""
        changes: dict[str, Any] = {
            name: self.usual_card if name == "card_size" else OPTIONS[name].default for name in names}
        profile = {name: changes[name] for name in PROFILE_OPTIONS if name in changes}
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
        usual = {"card_size": self.usual_card, "profile": Profile(name=self.profile.name),
                 **{name: getattr(relevant.profile, name) for name in PROFILE_OPTIONS}}
        words = [option.file_word(value) for name, option in OPTIONS.items()
                 if (value := getattr(relevant, name)) != usual.get(name, option.default)]
        return tuple(filter(None, ((relevant.backs.value if OPTIONS["backs"].kinds & kind else ""), *words)))


OPTIONS: Mapping[str, PrintOption] = {
    each.name: each.metadata["option"] for each in fields(BuildRequest) if each.metadata}
PROFILE_OPTIONS = ("back_offset", "back_rotation", "scale", "brightness")  # options that a printer's profile sets


# --- Words in the names of files ---

OWN_PREFIX = "printer-"  # stands before the name of a profile that could be taken for another word
_STEMS = "|".join(re.escape(stem) for option in OPTIONS.values() for stem in option.stems)
_RESERVED = rf"(^|-)(({_STEMS})-?[0-9.x-]*|[0-9]+x[0-9]+|[0-9]+-pieces|printer)(-|$)"


def is_file_word(name: str, known: Iterable[str] = ()) -> bool:
    """True if a profile's name holds a word that other options put into file names, or one of the ``known`` ones."""
    return bool(re.search(_RESERVED, name)) or any(f"-{word}-" in f"-{name}-" for word in known)


# Selection by ``--only``: parts, groups of parts, or single pieces

MAX_IDS_LENGTH = 60  # characters for ids in the name of a file


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


def check_names(wanted: Sequence[str], parts: Sequence[Part], others: Sequence[str], what: Callable[[str], str],
                owners: Mapping[str, str], find_titles: Callable[[], Mapping[str, str]] = dict) -> None:
    """Raise RequestError for names that are neither parts, nor in ``others``, nor ids of pieces.

    ``what`` makes the message for a name; ``owners`` are the games with parts of other names,
    ``find_titles`` returns the names of parts by their titles in lower case.
    """
    names = (*(part.name for part in parts), *others)
    ids = [component.id for part in parts for component in part.components]
    known = {name: name for name in (*names, *ids)}
    if unknown := [name for name in wanted if name not in known]:
        spelled, listed = {**find_titles(), **known}, join_names(names) or Phrase("none")
        remedy = Phrase("known_or_piece", names=listed) if ids else Phrase("known", message=listed)
        raise RequestError(Problem("--only", what(name), _suggest(name, spelled, owners, remedy)) for name in unknown)


def _suggest(name: str, known: Mapping[str, str], owners: Mapping[str, str], remedy: str) -> str:
    from difflib import get_close_matches  # only after a mistake

    if "," in name:
        options = " ".join(f"--only {each.strip()}" for each in name.split(",") if each.strip())
        return Phrase("several_parts", options=options, message=remedy)
    if name in owners:
        return Phrase("part_of_game", game=owners[name], name=owners[name], message=remedy)
    near = get_close_matches(name.casefold(), known, n=1, cutoff=0.75)
    return Phrase("did_you_mean", name=known[near[0]], message=remedy) if near else remedy


def stem_words(ids: Sequence[str]) -> tuple[str, ...]:
    """Return the words for a file with these pieces only: their ids, or if too long their number and a digest."""
    if len("-".join(ids)) <= MAX_IDS_LENGTH:
        return tuple(ids)
    return f"{len(ids)}-pieces", sha256(" ".join(ids).encode()).hexdigest()[:8]


# Parts of any game: their names, and the languages with words for the booklets among them

RULES, GUIDE, CALIBRATION, BOX = "rules", "guide", "calibration", "box"
BOOKLETS = (RULES, GUIDE)  # booklets, in the order of printing
WORDS = {RULES: "rules.book.name", GUIDE: "guide.name"}  # a language without it has no words for the booklet


def missing_words(texts: Texts, names: Sequence[str]) -> tuple[Problem, ...]:
    """Return a problem for each booklet without words in the language."""
    return tuple(Problem(f"{name}/{texts.lang}.toml", Phrase("no_words"), Phrase("translate_file", name=name), key=name)
                 for name in names if not has_words(texts, name))


def has_words(texts: Texts, name: str) -> bool:
    return WORDS[name] in texts.words
