"""Interface of a game: everything that the rest of ppgen knows of it, also how it lies on a table."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from itertools import groupby
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from ppgen.engine.colours import Swatch
from ppgen.engine.component import Pad, Part, Stock
from ppgen.engine.drawing.face import FaceRequest
from ppgen.engine.geometry import Format, Point, Rect, Size
from ppgen.errors import Phrase, Problem, Problems, RequestError, Spot, join_names, suggest
from ppgen.games.game_kind import Choice
from ppgen.reading.fields import Fields, format_value, read_toml
from ppgen.reading.texts import Texts
from ppgen.records import dataclass, field, replace

if TYPE_CHECKING:
    from ppgen.engine.adoption.adopted_drawing import AdoptedDrawing
    from ppgen.engine.booklets.booklet import Booklet, FinishedBooklet


# --- Guided steps ---
# Steps of *Learn to play*: a walk through the first turns of a game with its pieces, on the table page.

LEARN, LEARN_FILE = "learn", "learn.toml"  # table of `deck.toml` and of the locale files: texts by step
MAX_STEPS, MAX_STEP_TEXT, MAX_STEP_PIECES = 40, 400, 60
MAX_PLACE_MM = 2_000
_NAME = re.compile(r"[a-z0-9]+([_-][a-z0-9]+)*")


class SignUse(NamedTuple):
    """A text of the game with its place."""

    spot: Spot
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class LearnStep:
    """A step: pieces (ids or kinds) to show, and pieces to move to a place, a seat (from 1) or another piece."""

    name: str
    show: tuple[str, ...]
    move: tuple[tuple[str, Point | int | str], ...]


def load_steps(folder: Path, describe: Callable[[], list[dict[str, object]]],
               spots: Collection[str], seats: int) -> tuple[LearnStep, ...]:
    """Load the steps of a shipped game, whose texts stand in its locale files. Raises InputError."""
    problems = Problems()
    top = read_toml(folder, LEARN_FILE, problems)
    steps = take_steps(top, dict.fromkeys(str(record[key]) for key in ("id", "kind") for record in describe()), spots,
                       seats)
    problems.raise_if_any()
    return steps


def take_steps(table: Fields, pieces: Collection[str], spots: Collection[str], seats: int,
               words: dict[str, str] | None = None) -> tuple[LearnStep, ...]:
    """Take the steps of ``[learn]``, and their texts into ``words`` unless they are in the locale files."""
    names = [*table]
    if len(names) > MAX_STEPS:
        table.note("", f"has {len(names)} steps", f"at most {MAX_STEPS}: the first turns only")
        return ()
    steps = []
    for name in names:
        step = table.take_table(name)
        if not table.is_table(name):
            continue
        if not _NAME.fullmatch(name):
            table.note(name, f"{format_value(name)} is not a name", "small letters, digits and hyphens")
        if words is not None:
            words[f"{LEARN}.{name}"] = _take_text(step)
        steps.append(LearnStep(name=name, show=_take_shown(step, pieces),
                               move=tuple(_take_moves(step, pieces, spots, seats))))
        step.close()
    return tuple(steps)


def _take_text(step: Fields) -> str:
    text = step.take_text("text")
    if "text" in step and not text.strip() and text:
        step.note("text", "is empty", "write a text")
    if len(text) > MAX_STEP_TEXT:
        step.note("text", f"has {len(text)} characters", f"at most {MAX_STEP_TEXT}: make it two steps")
    if "{" in text or "}" in text:
        step.note("text", "has a brace", "leave it out")
    return text


def _take_shown(step: Fields, pieces: Collection[str]) -> tuple[str, ...]:
    shown = step.take_texts("show", ())
    if len(shown) > MAX_STEP_PIECES:
        step.note("show", f"has {len(shown)} pieces", f"at most {MAX_STEP_PIECES}, or the name of their part")
        return ()
    return tuple(piece for piece in shown if _is_known(step, "show", piece, pieces))


def _take_moves(step: Fields, pieces: Collection[str], spots: Collection[str],
                seats: int) -> Iterator[tuple[str, Point | int | str]]:
    moves = step.raw("move") if "move" in step else []
    if not isinstance(moves, list) or len(moves) > MAX_STEP_PIECES:
        step.note("move", "is not a list of moves", f'write [["PIECE", "PLACE"]], at most {MAX_STEP_PIECES}')
        return
    for move in moves:
        match move:
            case [str(piece), str(to)]:
                seat = to.removeprefix("seat ")
                if to in (f"seat {n}" for n in range(1, seats + 1)):
                    place: Point | int | str = int(seat)
                elif _is_known(step, "move", to, [*pieces, *spots]):
                    place = to
                else:
                    continue
            case [str(piece), [int() | float() as x, int() | float() as y]] if (
                    abs(x) <= MAX_PLACE_MM and abs(y) <= MAX_PLACE_MM):
                place = Point(x, y)
            case _:
                step.note("move", f"{format_value(move, 60)} is not a move",
                          'write a piece and its place, like ["coin", "seat 1"]: a seat, another piece, [x, y] in mm')
                continue
        if _is_known(step, "move", piece, pieces):
            yield piece, place


def _is_known(step: Fields, key: str, name: str, known: Collection[str]) -> bool:
    if name in known:
        return True
    shown = [*dict.fromkeys(known)]  # a part may have the id of its only piece
    step.note(key, f"there is no piece {format_value(name, 60)}",
              suggest(name, shown, f"ids of `ppgen list`: {join_names(shown[:6])}{' …' if len(shown) > 6 else ''}"))
    return False


# --- Tables ---
# Set-up of a game on the table of ``ppgen export table``: seats, and pieces at their places.

GAP = 6.0  # distance of piles in mm
SEAT = Size(260, 112)  # room in front of a player, for his hand and his own pieces
SEATS_IN_ROW = 3
USUAL_TOOLS = ("flip", "turn", "shuffle", "spread", "deal")
TOOLS = (*USUAL_TOOLS, "note", "roll", "counter")
MAX_SEATS = 8
LARGE, SMALL = 150.0, 35.0  # a piece with a longer side is a board, which lies still; one without is a token


@dataclass(frozen=True, slots=True, kw_only=True)
class Place:
    """A place on the table: its upper left corner in mm."""

    x: float
    y: float
    pieces: tuple[str, ...]  # their ids, the lowest first
    up: bool = True
    mix: str = ""  # pieces of all places with the same one are shuffled
    hand: int | None = None  # hidden from the other seats
    fixed: bool = False  # stay where they lie


@dataclass(frozen=True, slots=True, kw_only=True)
class TableSetUp:
    """The table at the start of a game for a number of players."""

    seats: tuple[Rect, ...]
    places: tuple[Place, ...]
    rows: tuple[float, ...] = ()  # upper edges of rows of cards whose ends matter


@dataclass(frozen=True, slots=True, kw_only=True)
class TableGame:
    """A game on the table."""

    least: int  # players
    most: int
    set_up: Callable[[int, Sequence[Part]], TableSetUp]  # from a number of players and the parts
    learn: tuple[LearnStep, ...] = ()  # steps of its first turns
    tools: tuple[str, ...] = USUAL_TOOLS  # in the bar; the rest is under "More"
    spots: Mapping[str, Point] = field(default_factory=dict)  # centres of places that they name, in mm


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    """Cards of a part in a row beside its pile."""

    part: str
    count: int
    up: bool


def make_seats(players: int, below: float, width: float = SEAT.width) -> tuple[Rect, ...]:
    """Seats in rows below what lies in the middle."""
    return tuple(Rect(n % SEATS_IN_ROW * (width + GAP), below + n // SEATS_IN_ROW * (SEAT.height + GAP),
                      width, SEAT.height) for n in range(players))


def sizes_of(parts: Sequence[Part]) -> dict[str, Size]:
    return {piece.id: piece.size for part in parts for piece in part.components}


def copies_of(part: Part) -> tuple[str, ...]:
    """The ids of all pieces of a part, each as often as it is printed."""
    return tuple(piece.id for piece in part.components for _ in range(piece.copies))


def in_row(ids: Sequence[str], sizes: Mapping[str, Size], x: float, y: float) -> Iterator[Place]:
    """Lay pieces side by side, equal ones on each other."""
    for id, same in groupby(ids):
        yield Place(x=x, y=y, pieces=tuple(same), up=True)
        x += sizes[id].width + 2


def set_up_piles(deal: Mapping[str, int], rows: Sequence[Row], players: int, parts: Sequence[Part]) -> TableSetUp:
    """Lay parts as shuffled piles, boards and tokens face up; deal cards by part; ``rows`` lie beside piles."""
    places: list[Place] = []
    x = y = tall = 0.0
    hands: list[tuple[str, ...]] = [() for _ in range(players)]
    for part in parts:
        ids, sizes = copies_of(part), sizes_of([part])
        longest = max(max(size.width, size.height) for size in sizes.values())
        size = Size(max(each.width for each in sizes.values()), max(each.height for each in sizes.values()))
        if x and x + size.width > SEATS_IN_ROW * SEAT.width:
            x, y, tall = 0.0, y + tall + GAP, 0.0
        if longest > LARGE or longest < SMALL or part.stock is Stock.BOARD:
            placed = [*in_row(ids, sizes, x, y)]
            places += [Place(x=each.x, y=each.y, pieces=each.pieces, fixed=longest > LARGE) for each in placed]
            x, tall = placed[-1].x + size.width + GAP, max(tall, size.height)
            continue
        is_covered = any(piece.back for piece in part.components)
        rest = list(ids)
        for seat in range(players):
            hands[seat] += tuple(rest.pop() for _ in range(min(deal.get(part.name, 0), len(rest))))
        shown = [(row, tuple(rest.pop() for _ in range(min(row.count, len(rest)))))
                 for row in rows if row.part == part.name]
        places.append(Place(x=x, y=y, pieces=tuple(rest), up=not is_covered, mix=part.name))
        x += size.width + GAP
        for row, taken in shown:
            for id in taken:
                places.append(Place(x=x, y=y, pieces=(id,), up=row.up, mix=part.name))
                x += size.width + 2
        tall = max(tall, size.height)
        x += GAP
    seats = make_seats(players, y + tall + 2 * GAP)
    of_part = {piece.id: part.name for part in parts for piece in part.components}
    sizes = sizes_of(parts)
    for seat, (ids, room) in enumerate(zip(hands, seats, strict=True)):
        places += deal_to(seat, room, ids, sizes, of_part)
    return TableSetUp(seats=seats, places=tuple(places))


def deal_to(seat: int, room: Rect, ids: Sequence[str], sizes: Mapping[str, Size],
            mix: Mapping[str, str]) -> Iterator[Place]:
    """Lay a hand into a seat, the cards as far apart as there is room."""
    for n, id in enumerate(ids):
        step = min(sizes[id].width + 1, (room.width - 6 - sizes[id].width) / max(1, len(ids) - 1))
        yield Place(x=room.x + 3 + n * step, y=room.y + 10, pieces=(id,), hand=seat, mix=mix[id])


# --- Games ---

Parts = Callable[[Texts, Format], tuple[Part, ...]]  # makes the parts of a set for a language and a card size
SCORE_SHEET = "score-sheet"  # name of the part for scoring by hand


@dataclass(frozen=True, slots=True, kw_only=True)
class ScorerGame:
    """A game on the scorer page."""

    start: str  # function of `templates/GAME/scorer/*.js` that makes the page from the data
    scripts: tuple[str, ...]  # JavaScript twins of its scoring in Python
    data: Mapping[str, object]
    signs: Mapping[str, FaceRequest]  # drawings by their names in these scripts
    words: Callable[[str], Texts] | None = None  # its texts in a language, unless they are in its files


@dataclass(frozen=True, slots=True, kw_only=True)
class DeckFolder:
    """Additions of a deck of one's own, which is made of tables and templates alone."""

    words: Mapping[str, str]  # texts that its data give
    made: Mapping[str, str]  # templates in place of its drawings and pictures
    drawings: Mapping[str, AdoptedDrawing]  # how these were understood
    values: Callable[[Texts], Mapping[str, object]]  # of all its templates, from the texts of a language
    rules: Mapping[str, str] = field(default_factory=dict)  # their files by language
    about: Callable[[Texts, Sequence[Part], Size], Booklet] | None = None  # the text about the deck
    version: str = ""  # printed on its sheets
    direction: str = ""  # of reading: ``ltr``, ``rtl``, or that of each text's first letter
    signs: Mapping[str, Sequence[SignUse]] = field(default_factory=dict)  # the cells of its tables that each is in


@dataclass(frozen=True, slots=True, kw_only=True)
class Game:
    """A game whose data have been read."""

    id: str
    folder: str  # name of its data folder
    lang: str  # its first language
    card_size: Format  # the default
    parts: Parts  # makes the parts of the set
    score_sheet: Callable[[Texts, Pad], Part] | None = None  # the part to write on
    describe: Callable[[], list[dict[str, object]]]  # lists its components
    swatches: tuple[tuple[Swatch, ...], ...] = ()  # groups of colours to tell apart
    rules: Callable[[Texts, Sequence[Part], Size, str], Booklet | FinishedBooklet] | None = None
    groups: Mapping[str, tuple[str, ...]] = field(default_factory=dict)  # names for several parts at once
    choices: tuple[Choice, ...] = ()  # versions that it offers
    remade: Callable[[Mapping[str, str]], Parts] | None = None  # its parts by the values of choices
    chosen: Mapping[str, str] = field(default_factory=dict)  # values other than the defaults
    facts: Mapping[str, object] = field(default_factory=dict)  # further ones for programs
    large_sizes: Mapping[str, Size] = field(default_factory=dict)  # least ones of parts in large print
    scorer: Callable[[Path], ScorerGame] | None = None  # its scorer page, from the folder of the common texts
    table: Callable[[], TableGame]  # how it lies on the table of `ppgen export table`
    box: str = ""  # template of the tuck box
    loose_box: bool = False  # another for pieces that don't lie flat
    advice: tuple[str, ...] = ()  # its own sections of the making guide
    spoken: frozenset[str] = frozenset()  # tables of its locale files that are not printed
    warnings: tuple[Problem, ...] = ()  # advice for its designer
    deck: DeckFolder | None = None  # what only a deck of one's own has

    def with_choices(self, values: Mapping[str, str]) -> Game:
        """Return the game with values by the names of choices. Raises RequestError for those not on offer."""
        offered = {choice.name: choice for choice in self.choices}
        problems = [Problem(f"--{name}", Phrase("no_choice", game=self.id, name=name), Phrase("without_option"))
                    if name not in offered else
                    Problem(f"--{name}", Phrase("unknown_value", value=value),
                            Phrase("one_of", message=join_names(offered[name].values)))
                    for name, value in values.items() if name not in offered or value not in offered[name].values]
        if problems:
            raise RequestError(problems)
        unusual = {name: value for name, value in values.items() if value != offered[name].usual}
        return replace(self, parts=self.remade(unusual), chosen=unusual) if self.remade and unusual else self

    @property
    def version(self) -> str:
        """The version of a deck, printed on its sheets; empty for others."""
        return self.deck.version if self.deck else ""

    @property
    def chosen_words(self) -> tuple[str, ...]:
        """The words for the values of :attr:`chosen` in the names of files."""
        offered = {choice.name: choice for choice in self.choices}
        return tuple(offered[name].file_word(value) for name, value in self.chosen.items())

    @property
    def makings(self) -> tuple[Game, ...]:
        """The game with the default values, and with each other value of each choice."""
        return (self, *(self.with_choices({choice.name: value})
                        for choice in self.choices for value in choice.values[1:]))
