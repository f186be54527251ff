"""Figures of the booklet of rules: light drawings of cards, pieces and positions, made for their size."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from ppgen.engine.booklets.booklet import (BookletArea, BookletPicture, Figure, FigureLabel, Numbers, TextLine,
                                           parse_line)
from ppgen.engine.drawing.face import FaceRequest
from ppgen.engine.geometry import Point as Spot, Rect, Size
from ppgen.games.board_game import map_figures
from ppgen.games.board_game.board import Board, BoardPoint, Borders, CardKind
from ppgen.games.board_game.map_figures import Chart, PositionExample
from ppgen.games.rules_booklet import RulesSource

CARD_RATIO = 68 / 44  # height of a card in parts of its width
RED = "#B8352E"  # colour of the frame of played cards
VEIL = 0.55  # opacity of the white veil over the other cards
HAND_CARD_WIDTH = 9.6  # width of a card in a hand, in mm
PARTS_OF_BOARD = ("country", "space", "road", "court", "box", "water", "track")
"""Numbered parts in the picture of the board: the keys of their words, and the anchors of the picture."""
BOARD_SHARE = 0.84  # width of the picture of the board, in parts of the text's width
SCALE = {"turn": 0.25, "limit": 0.38, "cloisters": 0.35, "alliance": 0.30, "chain": 0.24}
"""Scale of the maps of the examples, by topic …"""
MAX_HEIGHT_MM = {"turn": 25.0, "limit": 33.0, "cloisters": 31.0, "alliance": 28.0, "chain": 29.0}
"""… and their largest heights: a map that would be higher is smaller."""
MARGIN = 13.0  # margin of a map around the points that it must show, in mm of the board


@dataclass(frozen=True, slots=True, kw_only=True)
class FigureSource(RulesSource):
    """Source of the figures: board, outlines, texts, names of players by seat; ``measure`` is the text's width."""

    board: Board
    borders: Borders
    names: Sequence[str]
    measure: float

    @property
    def scale(self) -> float:
        """The width of the text in parts of that of A5, for which the figures are made."""
        return self.measure / 122

    @property
    def chart(self) -> Chart:
        return Chart(board=self.board, borders=self.borders, names=self.names)

    def card_name(self, kind: CardKind) -> str:
        """The name of a card: its countries."""
        return "/".join(map(self.country_name, kind.countries))

    def card(self, kind: CardKind, x: float, y: float, width: float, *, veil: float = 0.0,
             frame: str = "") -> BookletPicture:
        countries = {country.id: country for country in self.board.countries}
        size = Size(width, width * CARD_RATIO)
        values = {"kind": {"colour": kind.colour, "sign": kind.sign},
                  "countries": [{"arms": countries[id].arms, "code": countries[id].code} for id in kind.countries]}
        request = FaceRequest(template="board_game/figures/card.svg.j2", size=size, values=values,
                              key=f"{kind.id} {width:g}")
        return BookletPicture(request=request, box=Rect(x, y, size.width, size.height), corner=width * 0.07, veil=veil,
                              frame=frame)

    def card_back(self, x: float, y: float, width: float) -> BookletPicture:
        size = Size(width, width * CARD_RATIO)
        request = FaceRequest(template="board_game/figures/card-back.svg.j2", size=size, values={}, key=f"{width:g}")
        return BookletPicture(request=request, box=Rect(x, y, size.width, size.height), corner=width * 0.07)

    def arms(self, arms: str, width: float) -> FaceRequest:
        """A coat of arms alone."""
        return FaceRequest(template="board_game/figures/arms.svg.j2", size=Size(width, width * 1.2),
                           values={"arms": arms}, key=arms)

    def piece(self, kind: str, seat: int | None, x: float, y: float, side: float) -> BookletPicture:
        """A ``cloister``, ``councillor`` or score ``marker`` of a player; the black marker has no seat."""
        player = None if seat is None else self.board.players[seat]
        who = {"player": player.player if player else 0, "colour": player.colour if player else "",
               "shape": player.shape if player else "", "letter": "", "fresh": False}
        request = FaceRequest(template="board_game/figures/piece.svg.j2", size=Size(side, side),
                              values={"of": kind, "who": who}, key=f"{kind} {seat} {side:g}")
        return BookletPicture(request=request, box=Rect(x, y, side, side), outline=False)


def board_figure(source: FigureSource) -> Figure:
    """Draw the whole board with its parts numbered in the order of :data:`PARTS_OF_BOARD`."""
    model, width, room, half = source.board, source.measure * BOARD_SHARE, 4.4, source.board.box_side / 2
    west = min(source.borders.ring(model.countries[0].id))
    space = min(model.spaces, key=lambda space: space.at.y).at
    road = max(model.roads, key=lambda road: min(model.space[end].at.x for end in road.ends))
    court = min((country.court for country in model.countries[1:]), key=lambda court: court.at.y + court.at.x / 20)
    land, water = (next(each.at for each in model.alliances if each.water == wet) for wet in (False, True))
    # Anchors lie near an edge of the map, where the numbers stand.
    anchors = {"country": BoardPoint(west.x + 12, west.y), "space": BoardPoint(space.x, space.y - model.space_radius),
               "road": model.road_line(road)[12], "court": BoardPoint(court.at.x, court.at.y - court.radius),
               "box": BoardPoint(land.x - half, land.y), "water": BoardPoint(water.x - half, water.y),
               "track": BoardPoint(model.square / 2, model.height * 0.58)}
    request = map_figures.whole_board(source.chart, width - 2 * room, anchors)
    box = Rect(room, room, request.size.width, request.size.height)
    numbers = Numbers(picture=BookletPicture(request=request, box=box, corner=0.6), anchors=PARTS_OF_BOARD, room=room)
    return Figure(size=Size(width, box.bottom + 0.3), parts=(numbers,), alt=source.say("board.alt"))


def small_board(source: FigureSource, width: float, alt: str) -> Figure:
    """Draw the lands of the board, as its picture in a row of the material."""
    lands = map_figures.plain_lands(source.chart, [country.id for country in source.board.countries], width)
    picture = BookletPicture(request=lands, box=Rect(0.2, 0.2, lands.size.width, lands.size.height), corner=0.5)
    return Figure(size=Size(lands.size.width + 0.4, lands.size.height + 0.4), parts=(picture,), alt=alt)


def placing_figure(source: FigureSource) -> Figure:
    """Draw the 3-2-1 rule: three cards, two pieces, one country."""
    seal, width, top = 8.0, 8.0, 0.4
    step = source.measure / 3
    kinds = source.board.cards[:3]
    parts: list[BookletPicture | FigureLabel] = []
    for n, key in enumerate(("three", "two", "one")):
        parts.append(FigureLabel(words=str(3 - n), box=Rect(step * n, top + 2.2, seal, seal), align="center", size=15,
                                 style="title", seal=True))
        parts.append(FigureLabel(words=source.say(f"placing.{key}"), box=Rect(step * n, top + 14.2, step - 2, 4.4),
                                 size=8.6, style="italic"))
    x = seal + 1.6
    parts += [source.card(kind, x + n * (width + 0.7), top, width) for n, kind in enumerate(kinds)]
    parts += [source.piece(kind, 0, step + x + n * 11, top + 1.6, 9.4)
              for n, kind in enumerate(("cloister", "councillor"))]
    land = map_figures.plain_lands(source.chart, ["aragon"], 15)
    parts.append(BookletPicture(request=land, box=Rect(2 * step + x, top, 15, min(land.size.height, 13.4)), corner=0.6))
    return Figure(size=Size(source.measure, top + 18.8), parts=tuple(parts),
                  alt=source.say("placing.three_two_one_alt"))


def hand_figure(source: FigureSource, cards: Sequence[str], played: Sequence[int]) -> Figure:
    """Draw the cards of a hand side by side; played ones are framed, the others veiled."""
    by_id = {kind.id: kind for kind in source.board.cards}
    kinds = [by_id[id] for id in cards]
    gap, edge = 1.3, 0.6
    parts = tuple(source.card(kind, edge + n * (HAND_CARD_WIDTH + gap), edge, HAND_CARD_WIDTH,
                              veil=0 if n in played else VEIL, frame=RED if n in played else "")
                  for n, kind in enumerate(kinds))
    names = [source.card_name(kind) for kind in kinds]
    return Figure(size=Size(parts[-1].box.right + edge, parts[0].box.bottom + edge), parts=parts,
                  alt=source.say("figures.hand", cards=source.join_words(names),
                                 played=source.join_words(names[n] for n in played)))


def scene_figure(source: FigureSource, example: PositionExample, chains: Sequence[Sequence[str]] = (), free: int = 0,
                 caption: TextLine = ()) -> Figure:
    """Draw the part of the map that an example is about, with its pieces."""
    window = map_figures.area_around(source.board, _points_to_show(source, example), MARGIN)
    scale = min(SCALE[example.shows] * source.scale, MAX_HEIGHT_MM[example.shows] / window.height)
    picture = map_figures.position(source.chart, example, window, scale, chains, free)
    alt = _describe_chains(source, example, chains) if example.shows == "chain" else _describe(source, example)
    return Figure(size=Size(picture.box.width, picture.box.height), parts=(picture,), alt=alt, caption=caption)


def table_figure(source: FigureSource, players: int, hand: int, open_cards: int) -> Figure:
    """Draw the table at the start: board, cards, and the pieces and hand of each player."""
    model, measure, scale = source.board, source.measure, source.scale
    wide, top, card, own = 56.0 * scale, 9.4, 7.0 * scale, 2.75 * scale
    request = map_figures.whole_board(source.chart, wide, {})
    plan = Rect((measure - wide) / 2, top, wide, request.size.height)
    parts: list[BookletPicture | FigureLabel | BookletArea] = [BookletPicture(request=request, box=plan, corner=0.6)]
    square = model.square * wide / model.width
    zero = Spot(plan.x + square / 2 - 1.4, plan.bottom - square / 2 - 1.4)
    parts += [source.piece("marker", seat, zero.x + (seat - 1) * 1.1, zero.y - seat * 0.5, 2.6)
              for seat in range(players)]
    parts += _piles(source, plan, card, open_cards)
    seats = [Spot(0.4, plan.bottom + 2.2), Spot(measure / 2 + 1, plan.bottom + 2.2), Spot(plan.x, 0.3)]
    for seat, spot in enumerate(seats[:players]):
        own_pieces: list[tuple[str, float, int]] = [("cloister", n % 10, n // 10) for n in range(model.cloisters)]
        own_pieces += [("councillor", 10.5 + n % 4, n // 4) for n in range(model.councillors)]
        parts += [source.piece(kind, seat, spot.x + column * own, spot.y + row * own * 1.1, own - 0.25)
                  for kind, column, row in own_pieces]
        parts += [source.card_back(spot.x + 15.2 * own + n * 4.2 * scale, spot.y - 0.4, 4.0 * scale)
                  for n in range(hand)]
    parts.append(source.piece("marker", None, seats[0].x + 19.2 * own + 2.4, seats[0].y + 1.2, 3.4))
    return Figure(size=Size(measure, seats[0].y + 2.2 * own + 0.6), parts=tuple(parts),
                  alt=source.say("setup.alt", cloisters_each=model.cloisters, councillors_each=model.councillors,
                                 hand=hand), caption=parse_line(source.say("setup.caption")), floats=True)


def _piles(source: FigureSource, plan: Rect, card: float,
           open_cards: int) -> Iterator[BookletPicture | FigureLabel | BookletArea]:
    """The place of the discard pile to the left of the board; draw pile and open cards to its right."""
    y, left, right, height = plan.y + 9.0, (plan.x - card) / 2, plan.right + 2.0, card * CARD_RATIO
    open_pile = f"{source.say('setup.pile_label')},\n{source.say('setup.open_label')}"
    yield BookletArea(box=Rect(left, y, card, height), stroke="#9A8A78", corner=0.6)
    yield FigureLabel(words=source.say("setup.discard_label"), box=Rect(0, y + height + 0.6, plan.x - 1, 4),
                      align="center", size=7.5, style="italic")
    for n in range(3):
        yield source.card_back(right + n * 0.5, y - n * 0.5, card)
    for n, kind in enumerate(source.board.cards[:open_cards], 1):
        yield source.card(kind, right + (card + 1.4) * n + 0.6, y, card)
    yield FigureLabel(words=open_pile, box=Rect(plan.right, y + height + 0.6, source.measure - plan.right, 8),
                      align="center", size=7.5, style="italic")


def row_figure(pictures: Sequence[BookletPicture], alt: str) -> Figure:
    """Combine pictures that have their places to one figure."""
    return Figure(size=Size(max(picture.box.right for picture in pictures) + 0.3,
                            max(picture.box.bottom for picture in pictures) + 0.3), parts=tuple(pictures), alt=alt)


def _points_to_show(source: FigureSource, example: PositionExample) -> list[BoardPoint]:
    model = source.board
    courts = [country.court for country in model.countries if country.id in example.lands]
    if example.shows == "chain":
        return [model.space[label].at for label in example.cloisters]
    if example.shows == "alliance":
        rims = [BoardPoint(court.at.x + dx * court.radius, court.at.y + dx * court.radius)
                for court in courts for dx in (-1, 1)]
        return [*rims, model.alliances[example.box - 1].at]
    spaces = [space.at for space in model.spaces if space.country in example.lands]
    return [*spaces, *(court.at for court in courts)]


def _describe(source: FigureSource, example: PositionExample) -> str:
    """Alternative text of a position: the pieces of each player in each country of the picture."""
    sentences = []
    for country in example.lands:
        cloisters, councillors = (
            _list_or_nothing(source, [source.say("figures.holds", name=name, count=count)
                                      for name, count in zip(source.names, counts, strict=True) if count])
            for counts in (example.cloister_counts(source.board, country), example.councillor_counts(country)))
        sentences.append(source.say("figures.told", country=source.country_name(country), cloisters=cloisters,
                                    councillors=councillors))
    return source.say("figures.map", told=" ".join(sentences))


def _describe_chains(source: FigureSource, example: PositionExample, chains: Sequence[Sequence[str]]) -> str:
    return source.say("figures.chain", spaces=source.join_words(example.cloisters),
                      chains=_list_or_nothing(source, ["–".join(chain) for chain in chains]))


def _list_or_nothing(source: FigureSource, words: Sequence[str]) -> str:
    return source.join_words(words) if words else source.say("figures.nothing")
