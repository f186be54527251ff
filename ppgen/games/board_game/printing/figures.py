"""Turns cards, pieces and positions into the figures of the rules: light drawings, made for their size."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from ppgen.engine.booklets.document import Area, Figure, Label, Line, Numbers, Picture
from ppgen.engine.booklets.prose import line_of
from ppgen.engine.drawing.face import FaceRequest
from ppgen.engine.geometry import Point as Spot
from ppgen.engine.geometry import Rect, Size
from ppgen.games.board_game.board.model import Point
from ppgen.games.board_game.printing import maps
from ppgen.games.board_game.printing.cabinet import SHAPE_OF_CARD, Cabinet
from ppgen.games.board_game.printing.examples import Example

RED = "#B8352E"
"""What is played is framed in it."""
VEIL = 0.55
"""How much white lies over what is not."""
CARD = 9.6
"""How wide a card is shown in a hand, in mm."""
PARTS_OF_BOARD = ("country", "space", "road", "court", "box", "water", "track")
"""What the picture of the board explains: the keys of its words, and the anchors of the picture."""
SCALE = {"turn": 0.25, "limit": 0.41, "cloisters": 0.36, "alliance": 0.34, "chain": 0.31}
"""How much smaller than the board the maps of the examples are, by what they show …"""
HIGHEST = {"turn": 31.0, "limit": 36.0, "cloisters": 40.0, "alliance": 40.0, "chain": 46.0}
"""… and how high (mm) at most: a high one is smaller."""
ROOM = 13.0
"""What a map shows around the places that it is about, in mm of the board."""


def board(cabinet: Cabinet) -> Figure:
    """The whole board with its parts numbered in the order of :data:`PARTS_OF_BOARD`."""
    model, width, room, half = cabinet.board, cabinet.measure, 4.4, cabinet.board.box_side / 2
    west = min(cabinet.borders.ring(model.countries[0].id))
    space = min(model.spaces, key=lambda space: space.at.y).at
    road = max(model.roads, key=lambda road: min(model.space[end].at.x for end in road.ends))
    court = min((country.court for country in model.countries[1:]), key=lambda court: court.at.y + court.at.x / 20)
    land, water = (next(each.at for each in model.alliances if each.water == wet) for wet in (False, True))
    # Each lies near an edge of the map, where its number stands.
    anchors = {"country": Point(west.x + 12, west.y), "space": Point(space.x, space.y - model.space_radius),
               "road": model.road_line(road)[12], "court": Point(court.at.x, court.at.y - court.radius),
               "box": Point(land.x - half, land.y), "water": Point(water.x - half, water.y),
               "track": Point(model.square / 2, model.height * 0.58)}
    request = maps.whole_board(cabinet.chart, width - 2 * room, anchors)
    box = Rect(room, room, request.size.width, request.size.height)
    numbers = Numbers(picture=Picture(request=request, box=box, corner=0.6), anchors=PARTS_OF_BOARD, room=room)
    return Figure(size=Size(width, box.bottom + 0.3), parts=(numbers,), alt=cabinet.say("board.alt"))


def small_board(cabinet: Cabinet, width: float, alt: str) -> Figure:
    """Some lands of the board: what the board looks like, in a row of the material."""
    return _shown(maps.plain_lands(cabinet.chart, [country.id for country in cabinet.board.countries], width), alt)


def three_two_one(cabinet: Cabinet) -> Figure:
    """The 3-2-1 rule as a picture: three cards, two pieces, one country."""
    seal, width, top = 8.0, 8.0, 0.4
    step = cabinet.measure / 3
    kinds = [cabinet.kind(kind.id) for kind in cabinet.board.cards[:3]]
    parts: list[Picture | Label] = []
    for n, key in enumerate(("three", "two", "one")):
        parts.append(Label(words=str(3 - n), box=Rect(step * n, top + 2.2, seal, seal), align="center", size=15,
                           style="title", seal=True))
        parts.append(Label(words=cabinet.say(f"placing.{key}"), box=Rect(step * n, top + 14.2, step - 2, 4.4),
                           size=8.6, style="italic"))
    x = seal + 1.6
    parts += [cabinet.card(kind, x + n * (width + 0.7), top, width) for n, kind in enumerate(kinds)]
    parts += [cabinet.piece(of, 0, step + x + n * 11, top + 1.6, 9.4)
              for n, of in enumerate(("cloister", "councillor"))]
    land = maps.plain_lands(cabinet.chart, ["aragon"], 15)
    parts.append(Picture(request=land, box=Rect(2 * step + x, top, 15, min(land.size.height, 13.4)), corner=0.6))
    return Figure(size=Size(cabinet.measure, top + 18.8), parts=tuple(parts),
                  alt=cabinet.say("placing.three_two_one_alt"))


def hand(cabinet: Cabinet, cards: Sequence[str], played: Sequence[int]) -> Figure:
    """The cards of a hand side by side: those that are played framed, the others veiled."""
    kinds = [cabinet.kind(id) for id in cards]
    gap, edge = 1.3, 0.6
    parts = tuple(cabinet.card(kind, edge + n * (CARD + gap), edge, CARD, veil=0 if n in played else VEIL,
                               frame=RED if n in played else "") for n, kind in enumerate(kinds))
    names = [cabinet.card_name(kind) for kind in kinds]
    return Figure(size=Size(parts[-1].box.right + edge, parts[0].box.bottom + edge), parts=parts,
                  alt=cabinet.say("figures.hand", cards=cabinet.listed(names),
                                  played=cabinet.listed([names[n] for n in played])))


def scene(cabinet: Cabinet, example: Example, chains: Sequence[Sequence[str]] = (), free: int = 0,
          caption: Line = ()) -> Figure:
    """The part of the map that an example is about, with what stands there."""
    window = maps.around(cabinet.board, _places(cabinet, example), ROOM)
    scale = min(SCALE[example.shows] * cabinet.share, HIGHEST[example.shows] / window.height)
    picture = maps.position(cabinet.chart, example, window, scale, chains, free)
    told = _chains_told(cabinet, example, chains) if example.shows == "chain" else _told(cabinet, example)
    return Figure(size=Size(picture.box.width, picture.box.height), parts=(picture,), alt=told, caption=caption)


def table(cabinet: Cabinet, players: int, hand: int, opened: int) -> Figure:
    """The table at the start, for so many players: board, cards, and what each player has."""
    model, measure, share = cabinet.board, cabinet.measure, cabinet.share
    wide, top, card, own = 66.0 * share, 9.4, 7.0 * share, 2.75 * share
    request = maps.whole_board(cabinet.chart, wide, {})
    plan = Rect((measure - wide) / 2, top, wide, request.size.height)
    parts: list[Picture | Label | Area] = [Picture(request=request, box=plan, corner=0.6)]
    square = model.square * wide / model.width
    zero = Spot(plan.x + square / 2 - 1.4, plan.bottom - square / 2 - 1.4)
    parts += [cabinet.piece("marker", seat, zero.x + (seat - 1) * 1.1, zero.y - seat * 0.5, 2.6)
              for seat in range(players)]
    parts += _piles(cabinet, plan, card, opened)
    seats = [Spot(0.4, plan.bottom + 2.2), Spot(measure / 2 + 1, plan.bottom + 2.2), Spot(plan.x, 0.3)]
    for seat, spot in enumerate(seats[:players]):
        own_pieces: list[tuple[str, float, int]] = [("cloister", n % 10, n // 10) for n in range(model.cloisters)]
        own_pieces += [("councillor", 10.5 + n % 4, n // 4) for n in range(model.councillors)]
        parts += [cabinet.piece(of, seat, spot.x + column * own, spot.y + row * own * 1.1, own - 0.25)
                  for of, column, row in own_pieces]
        parts += [cabinet.card_back(spot.x + 15.2 * own + n * 4.2 * share, spot.y - 0.4, 4.0 * share)
                  for n in range(hand)]
    parts.append(cabinet.piece("marker", None, seats[0].x + 19.2 * own + 2.4, seats[0].y + 1.2, 3.4))
    return Figure(size=Size(measure, seats[0].y + 2.2 * own + 0.6), parts=tuple(parts),
                  alt=cabinet.say("setup.alt", cloisters_each=model.cloisters, councillors_each=model.councillors,
                                  hand=hand), caption=line_of(cabinet.say("setup.caption")), floats=True)


def _piles(cabinet: Cabinet, plan: Rect, card: float, opened: int) -> Iterator[Picture | Label | Area]:
    """The room of the discard pile on the left of the board, draw pile and open cards on its right."""
    y, left, right, height = plan.y + 9.0, (plan.x - card) / 2, plan.right + 2.0, card * SHAPE_OF_CARD
    open_pile = f"{cabinet.say('setup.pile_label')},\n{cabinet.say('setup.open_label')}"
    yield Area(box=Rect(left, y, card, height), stroke="#9A8A78", corner=0.6)
    yield Label(words=cabinet.say("setup.discard_label"), box=Rect(0, y + height + 0.6, plan.x - 1, 4),
                align="center", size=7.5, style="italic")
    for n in range(3):
        yield cabinet.card_back(right + n * 0.5, y - n * 0.5, card)
    for n, kind in enumerate(cabinet.board.cards[:opened], 1):
        yield cabinet.card(kind, right + (card + 1.4) * n + 0.6, y, card)
    yield Label(words=open_pile, box=Rect(plan.right, y + height + 0.6, cabinet.measure - plan.right, 8),
                align="center", size=7.5, style="italic")


def row_of(pictures: Sequence[Picture], alt: str) -> Figure:
    """Pictures that have their places, as one figure."""
    return Figure(size=Size(max(picture.box.right for picture in pictures) + 0.3,
                            max(picture.box.bottom for picture in pictures) + 0.3), parts=tuple(pictures), alt=alt)


def _places(cabinet: Cabinet, example: Example) -> list[Point]:
    """The places of the board that the picture of an example has to show."""
    model = cabinet.board
    courts = [country.court for country in model.countries if country.id in example.lands]
    if example.shows == "chain":
        return [model.space[label].at for label in example.cloisters]
    if example.shows == "alliance":
        rims = [Point(court.at.x + dx * court.radius, court.at.y + dx * court.radius)
                for court in courts for dx in (-1, 1)]
        return [*rims, model.alliances[example.box - 1].at]
    spaces = [space.at for space in model.spaces if space.country in example.lands]
    return [*spaces, *(court.at for court in courts)]


def _told(cabinet: Cabinet, example: Example) -> str:
    """Who has what in each country that is shown, for who does not see it."""
    held = []
    for country in example.lands:
        counts = [[cabinet.say("figures.holds", name=name, count=count)
                   for name, count in zip(cabinet.names, of(cabinet, example, country), strict=True) if count]
                  for of in (_cloisters, _councillors)]
        cloisters, councillors = (cabinet.listed(words) if words else cabinet.say("figures.nothing")
                                  for words in counts)
        held.append(cabinet.say("figures.told", country=cabinet.country(country), cloisters=cloisters,
                                councillors=councillors))
    return cabinet.say("figures.map", told=" ".join(held))


def _cloisters(cabinet: Cabinet, example: Example, country: str) -> tuple[int, ...]:
    return example.held(cabinet.board, country)


def _councillors(cabinet: Cabinet, example: Example, country: str) -> tuple[int, ...]:
    return example.court(country)


def _chains_told(cabinet: Cabinet, example: Example, chains: Sequence[Sequence[str]]) -> str:
    linked = cabinet.listed(["–".join(chain) for chain in chains]) if chains else cabinet.say("figures.nothing")
    return cabinet.say("figures.chain", spaces=cabinet.listed([*example.cloisters]), chains=linked)


def _shown(request: FaceRequest, alt: str) -> Figure:
    picture = Picture(request=request, box=Rect(0.2, 0.2, request.size.width, request.size.height), corner=0.5)
    return Figure(size=Size(request.size.width + 0.4, request.size.height + 0.4), parts=(picture,), alt=alt)
