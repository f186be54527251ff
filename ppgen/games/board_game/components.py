"""The board game's pieces and its drawn map."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import cached_property
from hashlib import sha256
from itertools import pairwise
from pathlib import Path
from typing import Any, NamedTuple

from ppgen.engine.component import TILED, Component, Part, Stock
from ppgen.engine.drawing.face import FaceRequest
from ppgen.engine.geometry import Size
from ppgen.engine.shapes import CIRCLE, RECTANGLE, Net, Shape, standee, tent
from ppgen.errors import join_names
from ppgen.games.board_game import FOLDER, PIECES
from ppgen.games.board_game.board import MAX_BOARD_SIDE, Board, BoardLine, BoardPoint, Borders, CardKind, Frame, Player
from ppgen.lines import display_width, quote_argument
from ppgen.reading.fields import MAX_BYTES, MAX_NESTING, find_excess, read_source, refuse_file
from ppgen.reading.texts import REFERENCE, Texts
from ppgen.records import dataclass, replace

# --- Map ---
# ``map/common.json`` holds path data, drawn once by ``python -m tools.board_map``, and digests of the files that it was
# drawn for. ``map/LANG.json`` holds the places of a language's names, and mountains, trees and grass on the ground that
# these leave: lists of whole numbers, which are hundredths of a millimetre for names and sizes, else tenths.

IsCorner = Callable[[BoardPoint], bool]


def curve(line: BoardLine, is_corner: IsCorner | None = None) -> str:
    """Path data of a smooth line, the same in both directions, with sharp bends at corners only."""
    return f"M{format_point(line[0])}{curve_onward(line, is_corner)}"


def loop(ring: BoardLine) -> str:
    """Path data of a smooth ring, whose first point is not repeated at its end."""
    turned = (*ring, *ring[:2])
    starts = [_middle(one, other) for one, other in pairwise(turned)]
    onward = "".join(f"Q{format_point(by)} {format_point(to)}" for by, to in zip(turned[1:], starts[1:], strict=False))
    return f"M{format_point(starts[0])}{onward}Z"


def curve_onward(line: Sequence[BoardPoint], is_corner: IsCorner | None = None, digits: int = 1) -> str:
    """Path data from the first point of a line on: quadratic curves from middle to middle of its straight pieces."""
    parts = []
    for at, after in pairwise(line[1:]):
        if is_corner and is_corner(at):
            parts.append(f"L{format_point(at, digits)}")
        else:
            to = after if after is line[-1] or (is_corner and is_corner(after)) else _middle(at, after)
            parts.append(f"Q{format_point(at, digits)} {format_point(to, digits)}")
    parts.append(f"L{format_point(line[-1], digits)}" if len(line) == 2 or (is_corner and is_corner(line[-2])) else "")
    return "".join(parts)


def format_point(point: BoardPoint, digits: int = 1) -> str:
    x, y = point
    return f"{round(x, digits) + 0:g} {round(y, digits) + 0:g}"  # without -0


def _middle(one: BoardPoint, other: BoardPoint) -> BoardPoint:
    return BoardPoint(one.x + (other.x - one.x) * 0.5, one.y + (other.y - one.y) * 0.5)


def extend(point: BoardPoint, frame: Frame, beyond: float) -> BoardPoint:
    """Move a point on the frame outwards."""
    right = (point.x >= frame.right) - (point.x <= frame.left)
    down = (point.y >= frame.bottom) - (point.y <= frame.top)
    return BoardPoint(point.x + beyond * right, point.y + beyond * down) if right or down else point


def frame_sides(point: BoardPoint, frame: Frame) -> str:
    """The sides of the frame on which a point lies, of ``ltrb``."""
    lies = (point.x <= frame.left, point.y <= frame.top, point.x >= frame.right, point.y >= frame.bottom)
    return "".join(side for side, on in zip("ltrb", lies, strict=True) if on)


# --- The drawn map ---

BORDERS_FILE, COMMON_FILE = "borders.json", "map/common.json"
SOURCES = ("board.toml", "countries.toml", "spaces.csv", "roads.csv", "alliances.toml", "scenery.toml", BORDERS_FILE)
"""The files that a map is drawn for."""
NEIGHBOUR_SHARE = 1.5  # reach of the chart of a country, by its longer side: nearer lands are drawn, too
CHART_BEYOND = 60.0  # length of lands at the edge of the map beyond it on a chart, in mm of the board
Json = Mapping[str, Any]


@dataclass(frozen=True, kw_only=True, eq=False)
class DrawnMap:
    """The outlines of all lands, the same with fewer points, and what ``common.json`` holds."""

    folder: Path
    board: Board
    borders: Borders
    coarse: Borders
    common: Json

    def in_language(self, lang: str) -> Json:
        """Read the places of a language's names; those of the reference until the map is drawn with its names."""
        name = f"map/{lang}.json"
        return _read_json(self.folder, name if (self.folder / name).is_file() else f"map/{REFERENCE}.json")

    @cached_property
    def charts(self) -> Mapping[str, Json]:
        """The chart of each country on its card, by its id."""
        return {country.id: _chart(country.id, self.board, self.coarse) for country in self.board.countries}


def read_drawn_map(folder: Path, board: Board) -> DrawnMap:
    """Read the map of a board. Raises InputError if it was not drawn for the data beside it."""
    common = _read_json(folder, COMMON_FILE)
    with _refuse_damage(folder / COMMON_FILE):
        changed = [name for name, digest in source_digests(folder).items() if common["drawn_for"].get(name) != digest]
    if changed:
        raise refuse_file(folder / COMMON_FILE, f"was drawn before {join_names(changed)} changed", _draw_anew(folder))
    borders = read_borders(folder, board)
    with _refuse_damage(folder / COMMON_FILE):
        arcs, isles = (tuple(tuple(line[index] for index in kept)
                             for line, kept in zip(lines, common["coarse"][kind], strict=True))
                       for kind, lines in (("arcs", borders.arcs), ("isles", borders.isles)))
    return DrawnMap(folder=folder, board=board, borders=borders, common=common,
                    coarse=replace(borders, arcs=arcs, isles=isles))


def read_borders(folder: Path, board: Board) -> Borders:
    """Read the outlines of the lands of a board. Raises InputError if the file lacks one of them."""
    document = _read_json(folder, BORDERS_FILE)
    with _refuse_damage(folder / BORDERS_FILE):
        arcs, isles = (tuple(tuple(_point(*point) for point in line) for line in document[kind])
                       for kind in ("arcs", "isles"))
        borders = Borders(arcs=arcs, isles=isles, lands={land: tuple(document["lands"][land]) for land in board.lands})
        if not all(len(line) > 1 for line in (*arcs, *isles, *map(borders.ring, board.lands))):
            raise ValueError
    return borders


def source_digests(folder: Path) -> dict[str, str]:
    """A digest of each file that a map is drawn for, whatever its line ends."""
    return {name: sha256("\n".join(read_source(folder, name).text.splitlines()).encode()).hexdigest()[:16]
            for name in SOURCES}


def _read_json(folder: Path, name: str) -> Json:
    source = read_source(folder, name)
    with _refuse_damage(source.path):
        document = json.loads(source.text)
        if not isinstance(document, dict) or find_excess(document, MAX_NESTING, MAX_BYTES):
            raise ValueError
        return document


@contextmanager
def _refuse_damage(path: Path) -> Iterator[None]:
    """Turn the errors of a reader that trusts the form of a file into an InputError."""
    try:
        yield
    except (ArithmeticError, AttributeError, LookupError, RecursionError, TypeError, ValueError) as error:
        folder = path.parent if path.name == BORDERS_FILE else path.parents[1]
        raise refuse_file(path, "is damaged", "restore it" if path.parent == folder else _draw_anew(folder)) from error


def _draw_anew(folder: Path) -> str:
    data = folder.resolve().parent
    return f"draw the map anew in ppgen's source tree: python -m tools.board_map {quote_argument(str(data))}"


def _point(x: float, y: float) -> BoardPoint:
    if not (0 <= x <= MAX_BOARD_SIDE and 0 <= y <= MAX_BOARD_SIDE):
        raise ValueError
    return BoardPoint(x, y)


def _chart(country: str, board: Board, borders: Borders) -> Json:
    """A country and the lands around it, in millimetres of the board from the corner of its bounding box."""
    ring = borders.ring(country)
    left, top, right, bottom = _bounds(ring)
    reach = NEIGHBOUR_SHARE * max(right - left, bottom - top)

    def path(line: BoardLine, beyond: float = 0) -> str:
        return loop(tuple(BoardPoint(x - left, y - top)
                          for x, y in (extend(point, board.frame, beyond) for point in line)))

    def is_near(line: BoardLine) -> bool:
        west, north, east, south = _bounds(line)
        return west < right + reach and east > left - reach and north < bottom + reach and south > top - reach

    others = (*(borders.ring(land) for land in borders.lands if land != country), *borders.isles)
    spaces = [BoardPoint(space.at.x - left, space.at.y - top) for space in board.spaces if space.country == country]
    return {"path": path(ring), "w": right - left, "h": bottom - top, "spaces": spaces,
            "around": [path(line, CHART_BEYOND) for line in others if is_near(line)]}


def _bounds(line: BoardLine) -> tuple[float, float, float, float]:
    """Left, top, right and bottom of a line."""
    xs, ys = [point.x for point in line], [point.y for point in line]
    return min(xs), min(ys), max(xs), max(ys)


# --- The face ---

SPACED = 0.12  # letter spacing of the names of lands, in parts of the type size
SEA_SPACING = 0.16  # letter spacing of the names of seas
MAX_PAIR_WIDTH = 24  # wider names of a pair (in columns of a terminal) stand in two lines: kana would break anywhere


class Stand(NamedTuple):
    """A mountain or a tree: the middle of its foot, and a factor of its usual size."""

    kind: str
    x: float
    y: float
    size: float


def board_part(board: Board, drawn: DrawnMap, texts: Texts) -> Part:
    """Make the board in one piece, of full size: a printer that is large enough prints it whole."""
    title = texts("parts.board")
    front = FaceRequest(template=f"{FOLDER}/board.svg.j2", size=Size(board.width, board.height), key=texts.lang,
                        worded=True, values=_board_values(board, drawn, texts))
    return Part(name="board", title=title, stock=Stock.BOARD, layout=TILED,
                components=(Component(id="board", title=title, front=front),))


def _board_values(board: Board, drawn: DrawnMap, texts: Texts) -> Json:
    common, named, kinds = drawn.common, drawn.in_language(texts.lang), board.kind_by_country
    names = {country.id: texts(f"countries.{country.id}") for country in board.countries}
    with _refuse_damage(drawn.folder / COMMON_FILE):
        stands = [Stand(kind, x / 10, y / 10, size / 100)
                  for kind, numbers in named["stands"].items() for x, y, size in _groups(numbers, 3)]
        return {
            **{key: common[key] for key in ("lands", "roads", "rivers", "strokes", "scenery")},
            "board": board, "sea_spaced": SEA_SPACING, "waves": _points(named["waves"]),
            "stands": sorted(stands, key=lambda stand: (stand.y, stand.x)), "grass": _points(named["grass"]),
            "countries": [{"id": country.id, "arms": country.arms, "court": country.court, "kind": kinds[country.id],
                           "label": _label(named["countries"][country.id], (names[country.id].upper(),), ("title",),
                                           SPACED)} for country in board.countries],
            "neighbours": [_label(named["neighbours"][land.id], (texts(f"board.neighbours.{land.id}"),), ("italic",),
                                  SPACED) for land in board.neighbours],
            "spaces": [{"id": space.id, "at": space.at, "kind": kinds[space.country],
                        "label": _label(named["spaces"][space.id], (space.id, space.name), ("strong", "italic"))}
                       for space in board.spaces],
            "alliances": [{"number": each.box, "at": each.at, "water": each.water, "ribbon": ribbon,
                           "ends": (each.ribbon[0], each.ribbon[-1])}
                          for each, ribbon in zip(board.alliances, common["ribbons"], strict=True)],
            "pairs": {kind.id: _pair([names[country] for country in kind.countries]) for kind in board.cards},
            "track": [{"number": number, "at": at} for number, at in enumerate(board.track())]}


def _label(numbers: Sequence[int], words: Sequence[str], styles: Sequence[str], spacing: float = 0.0) -> Json:
    """The words of a label: four numbers for each, its place, its width and its type size."""
    return {"words": [{"words": word, "style": style, "x": x, "y": y, "width": width, "size": size, "spacing": spacing}
                      for word, style, (x, y, width, size) in
                      zip(words, styles, _groups([number / 100 for number in numbers], 4), strict=True)]}


def _points(numbers: Iterable[int]) -> list[BoardPoint]:
    return [BoardPoint(x / 10, y / 10) for x, y in _groups(numbers, 2)]


def _groups(numbers: Iterable[Any], size: int) -> Iterator[tuple[Any, ...]]:
    return zip(*[iter(numbers)] * size, strict=True)


def _pair(names: Sequence[str]) -> str:
    """The names of the countries of a card, for the key of the board."""
    words = " · ".join(names)
    return words if display_width(words) <= MAX_PAIR_WIDTH else " ·\n".join(names)


# --- Cards ---

def cards_part(board: Board, drawn: DrawnMap, texts: Texts, card: Size) -> Part:
    """Make the pair cards with their back."""
    back = FaceRequest(template=f"{FOLDER}/card-back.svg.j2", size=card, values={})
    return Part(name="cards", title=texts("parts.cards"), stock=Stock.CARD,
                components=tuple(_pair_card(kind, board, drawn.charts, texts, back) for kind in board.cards))


def _pair_card(kind: CardKind, board: Board, charts: Mapping[str, Mapping[str, object]], texts: Texts,
               back: FaceRequest) -> Component:
    lands = [{"id": name, "code": country.code, "arms": country.arms, "name": texts(f"countries.{name}"),
              "outline": charts[name]}
             for name in kind.countries for country in board.countries if country.id == name]
    values = {"card": {"id": kind.id, "copies": kind.copies, "colour": kind.colour, "tint": kind.tint,
                       "ink": kind.ink, "sign": kind.sign, "lands": lands}}
    return Component(id=kind.id, title=" / ".join(str(land["name"]) for land in lands), copies=kind.copies, back=back,
                     colour=kind.colour, front=FaceRequest(template=f"{FOLDER}/pair-card.svg.j2", size=back.size,
                                                           values=values, key=kind.id))


# --- Pieces ---

SCORE_MARKER, BLACK_MARKER = 13.0, 9.0  # diameters in mm: on a square of the track; over the box of an alliance
BLACK = "#2E2B2F"  # colour of the black marker: an anthracite darker than any player's


@dataclass(frozen=True, slots=True, kw_only=True)
class PieceForm:
    """The form of a kind of piece: the name of its drawing, its trim size in mm, its outline, and its net if folded."""

    name: str
    size: Size
    shape: Shape
    net: Net | None = None


def _folded(name: str, net: Net) -> PieceForm:
    return PieceForm(name=name, size=net.size, shape=net.shape, net=net)


def _disc(width: float) -> PieceForm:
    return PieceForm(name="disc", size=Size(width, width), shape=CIRCLE)


def _sticker(side: float) -> PieceForm:
    return PieceForm(name="sticker", size=Size(side, side), shape=RECTANGLE)


MAKINGS: Mapping[str, tuple[PieceForm, PieceForm, Stock]] = {
    "houses": (_folded("tent", tent(length=10, base=8, roof=9, tab=4)),
               _folded("standee", standee(Size(9, 18), feet=5)), Stock.FOLDED),
    "discs": (_disc(12), _disc(8), Stock.BOARD),
    "stickers": (_sticker(9), _sticker(7), Stock.STICKER),
}
"""Forms of cloisters and councillors and their stock, by the values of the choice
:data:`~ppgen.games.board_game.PIECES`. A space measures 14 mm; stickers go onto cubes of 10 mm and of 8 mm."""


def pieces_part(board: Board, texts: Texts, choice: str) -> Part:
    """Make all pieces, the larger ones first; ``choice`` is a key of :data:`MAKINGS`."""
    cloister, councillor, stock = MAKINGS[choice]
    return Part(name=PIECES.name, title=texts(f"parts.{PIECES.name}"), stock=stock, tiles=True,
                variant="" if choice == PIECES.usual else choice,
                components=tuple(_pieces(board, texts, cloister, councillor)))


def _pieces(board: Board, texts: Texts, cloister: PieceForm, councillor: PieceForm) -> Iterator[Component]:
    for kind, form, copies in (("cloister", cloister, board.cloisters), ("councillor", councillor, board.councillors),
                               ("score-marker", _disc(SCORE_MARKER), 1)):
        for player in board.players:
            number = player.player
            title = texts("pieces.coloured", piece=texts(f"pieces.{kind}", n=number), colour=texts(f"colours.{number}"))
            yield _piece(f"{kind}-{number}", kind, player, form, copies, title)
    black = Player(player=0, colour=BLACK, shape="")
    yield _piece("black-marker", "black-marker", black, _disc(BLACK_MARKER), 1, texts("pieces.black-marker"))


def _piece(id: str, kind: str, player: Player, form: PieceForm, copies: int, title: str) -> Component:
    values = {"piece": {"kind": kind, "form": form.name, "player": player.player, "colour": player.colour,
                        "shape": player.shape}, **({"net": form.net} if form.net else {})}
    front = FaceRequest(template=f"{FOLDER}/piece.svg.j2", size=form.size, shape=form.shape, values=values, key=id)
    return Component(id=id, title=title, copies=copies, colour=player.colour, front=front)


# --- Player aids ---

LARGE_AID = Size(100, 154.6)  # in mm in large print: 2.27 times a card of 44 x 68, for type of 14 pt
OTHER_PLAYERS = 2  # number of other players in the pictures of an aid


def aids_part(board: Board, texts: Texts, card: Size) -> Part:
    """Make a player aid each, and the start player's card."""
    return Part(name="aid", title=texts("parts.aid"), stock=Stock.CARD, tiles=True,
                components=(*(_aid(player, board, texts, card) for player in board.players),
                            _start_card(board, texts, card)))


def _aid(player: Player, board: Board, texts: Texts, card: Size) -> Component:
    id = f"aid-{player.player}"
    front, back = (FaceRequest(template=f"{FOLDER}/aid.svg.j2", size=card, key=f"{id} {side}", worded=True,
                               values={"aid": {**_aid_values(player, board), "side": side}})
                   for side in ("turn", "scoring"))
    return Component(id=id, title=texts("aid.player", n=player.player), front=front, back=back)


def _start_card(board: Board, texts: Texts, card: Size) -> Component:
    codes = {country.id: country.code for country in board.countries}
    alliances = [{"box": alliance.box, "codes": [codes[id] for id in alliance.countries], "water": alliance.water}
                 for alliance in board.alliances]
    front, back = (FaceRequest(template=f"{FOLDER}/start-card.svg.j2", size=card, key=side, worded=True, values={
        "start": {"side": side, "marker": BLACK_MARKER, "alliances": alliances},
        "aid": _aid_values(board.players[0], board)}) for side in ("home", "order"))
    return Component(id="start-player", title=texts("aid.start"), front=front, back=back)


def _aid_values(player: Player, board: Board) -> Mapping[str, object]:
    others = [each for each in board.players if each is not player][:OTHER_PLAYERS]
    return {"player": player.player, "colour": player.colour, "shape": player.shape, "others": others}
