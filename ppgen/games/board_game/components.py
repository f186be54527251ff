"""Parts of the printed set: pair cards, pieces and player aids."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from ppgen.engine.component import Component, Part, Stock
from ppgen.engine.drawing.face import FaceRequest
from ppgen.engine.geometry import Size
from ppgen.engine.shapes import CIRCLE, RECTANGLE, Net, Shape, standee, tent
from ppgen.games.board_game import FOLDER, PIECES
from ppgen.games.board_game.board import Board, CardKind, Player
from ppgen.games.board_game.drawn_map import DrawnMap
from ppgen.reading.texts import Texts

# --- Pair cards ---

CARDS_PART = "cards"


def cards_part(board: Board, drawn: DrawnMap, texts: Texts, card: Size) -> Part:
    """Make the pair cards with their back."""
    back = FaceRequest(template=f"{FOLDER}/card-back.svg.j2", size=card, values={})
    return Part(name=CARDS_PART, title=texts(f"parts.{CARDS_PART}"), stock=Stock.CARD,
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

PIECES_PART = PIECES.name
SCORE_MARKER, BLACK_MARKER = 13.0, 9.0  # diameters in mm: on a square of the track; over the box of an alliance
BLACK = "#2E2B2F"  # colour of the black marker: an anthracite darker than any player's


@dataclass(frozen=True, slots=True, kw_only=True)
class PieceForm:
    """The form of a kind of piece: the name of its drawing, its trim size in mm, its outline, and its net if folded."""

    name: str
    size: Size
    shape: Shape
    net: Net | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class PieceMaking:
    """One set of forms of cloisters and councillors, with the stock that they are printed on."""

    cloister: PieceForm
    councillor: PieceForm
    stock: Stock


def _folded(name: str, net: Net) -> PieceForm:
    return PieceForm(name=name, size=net.size, shape=net.shape, net=net)


def _disc(width: float) -> PieceForm:
    return PieceForm(name="disc", size=Size(width, width), shape=CIRCLE)


def _sticker(side: float) -> PieceForm:
    return PieceForm(name="sticker", size=Size(side, side), shape=RECTANGLE)


MAKINGS: Mapping[str, PieceMaking] = {
    "houses": PieceMaking(cloister=_folded("tent", tent(length=10, base=8, roof=9, tab=4)),
                          councillor=_folded("standee", standee(Size(9, 18), feet=5)), stock=Stock.FOLDED),
    "discs": PieceMaking(cloister=_disc(12), councillor=_disc(8), stock=Stock.BOARD),
    "stickers": PieceMaking(cloister=_sticker(9), councillor=_sticker(7), stock=Stock.STICKER),
}
"""The makings by the values of the choice :data:`~ppgen.games.board_game.PIECES`. A space measures 14 mm; stickers go
onto cubes of 10 mm and of 8 mm."""


def pieces_part(board: Board, texts: Texts, choice: str) -> Part:
    """Make all pieces, the larger ones first; ``choice`` is a key of :data:`MAKINGS`."""
    making = MAKINGS[choice]
    return Part(name=PIECES_PART, title=texts(f"parts.{PIECES_PART}"), stock=making.stock, tiles=True,
                variant="" if choice == PIECES.usual else choice, components=tuple(_pieces(board, texts, making)))


def _pieces(board: Board, texts: Texts, making: PieceMaking) -> Iterator[Component]:
    for kind, form, copies in (("cloister", making.cloister, board.cloisters),
                               ("councillor", making.councillor, board.councillors),
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

AIDS_PART = "aid"
LARGE_AID = Size(100, 154.6)  # in mm in large print: 2.27 times a card of 44 x 68, for type of 14 pt
OTHER_PLAYERS = 2  # number of other players in the pictures of an aid


def aids_part(board: Board, texts: Texts, card: Size, marker: float) -> Part:
    """Make a player aid each, and the start player's card; the ``marker`` has that diameter in mm."""
    return Part(name=AIDS_PART, title=texts(f"parts.{AIDS_PART}"), stock=Stock.CARD, tiles=True,
                components=(*(_aid(player, board, texts, card) for player in board.players),
                            _start_card(board, texts, card, marker)))


def _aid(player: Player, board: Board, texts: Texts, card: Size) -> Component:
    id = f"aid-{player.player}"
    front, back = (FaceRequest(template=f"{FOLDER}/aid.svg.j2", size=card, key=f"{id} {side}",
                               values={"aid": {**_aid_values(player, board), "side": side}})
                   for side in ("turn", "scoring"))
    return Component(id=id, title=texts("aid.player", n=player.player), front=front, back=back)


def _start_card(board: Board, texts: Texts, card: Size, marker: float) -> Component:
    codes = {country.id: country.code for country in board.countries}
    alliances = [{"box": alliance.box, "codes": [codes[id] for id in alliance.countries], "water": alliance.water}
                 for alliance in board.alliances]
    front, back = (FaceRequest(template=f"{FOLDER}/start-card.svg.j2", size=card, key=side, values={
        "start": {"side": side, "marker": marker, "alliances": alliances},
        "aid": _aid_values(board.players[0], board)}) for side in ("home", "order"))
    return Component(id="start-player", title=texts("aid.start"), front=front, back=back)


def _aid_values(player: Player, board: Board) -> Mapping[str, object]:
    others = [each for each in board.players if each is not player][:OTHER_PLAYERS]
    return {"player": player.player, "colour": player.colour, "shape": player.shape, "others": others}
