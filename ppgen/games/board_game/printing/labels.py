"""Turns names and the room that the board leaves into places for them, beside what they name."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from math import inf

from ppgen.engine.geometry import Insets, Rect
from ppgen.games.board_game.board.model import Board, Borders, Space
from ppgen.games.board_game.printing.ground import Ground
from ppgen.games.board_game.printing.wordings import Label, Way, Width, land_ways, space_ways

FAR_LETTERS = 4.4
"""The type size of the names of neighbours, in mm."""
SIGN = 1.3
"""The room that the sign before a country's name takes, in parts of the type size."""
AROUND = 4.4
"""How far from its disc a space is near, in mm."""
HARD = 40.0
"""What a cell counts that no name may cover, against a millimetre that it moves."""
CROWDED, HOPELESS = 40.0, 600.0
"""A place for a space's name that costs more makes it smaller; one that costs so much is as bad as any."""
SHARES = (1.0, 0.9)
"""Of a space's type, in parts of the usual size."""
BESIDE = 0.7
"""What a cell counts that is near a space."""
FREE, APART = Insets.all(0.3), Insets.all(0.7)
"""What is free around a name, and between those of two spaces, in mm."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Labels:
    """The names of countries, neighbours and spaces, by what they name."""

    countries: Mapping[str, Label]
    neighbours: Mapping[str, Label]
    spaces: Mapping[str, Label]

    @property
    def boxes(self) -> Mapping[str, Rect]:
        """What each name fills."""
        groups = (self.countries, self.neighbours, self.spaces)
        return {name: label.box for group in groups for name, label in group.items()}


@dataclass(frozen=True, slots=True, kw_only=True)
class _Room:
    """What a name has to keep clear of: ``hard`` is never covered, ``soft`` if need be, ``away`` is not its country.

    ``beside`` is near spaces: where the name of another would like to stand, and would be taken for theirs; ``own`` is
    what of that is near the named one.
    """

    hard: Ground
    soft: Ground
    away: Ground
    beside: Ground
    own: Ground | None = None

    def against(self, box: Rect, most: float) -> float:
        """How much speaks against a name in that box, or anything above ``most``."""
        cost = HARD * self.hard.taken(box.grown(FREE), most / HARD)
        for ground, weight in ((self.soft, 4.0), (self.away, 2.0), (self.beside, BESIDE)):
            if cost < most:
                cost += weight * ground.taken(box)
        if self.own and cost < most:
            cost -= BESIDE * self.own.taken(box)
        return cost


def place_labels(board: Board, borders: Borders, names: Mapping[str, str], width: Width,
                 hard: Ground, soft: Ground) -> Labels:
    """Names of countries first, then those of spaces; ``names`` are those of lands by their ids.

    All stand on ground that is not ``hard``, and take it; they stay off ``soft`` ground if they can.
    """
    beside = Ground(board.width, board.height)
    for space in board.spaces:
        beside.take_disc(space.at, board.space_radius + AROUND)
    rooms = {land: _Room(hard=hard, soft=soft, beside=beside, away=_away(board, borders, land))
             for land in borders.lands}
    countries: dict[str, Label] = {}
    for country in board.countries:
        ways = land_ways(country.id, names[country.id].upper(), country.name, country.letters, "title", SIGN, width)
        countries[country.id] = _best(ways, rooms[country.id])
        hard.take_box(countries[country.id].box)
    spaces = _apart({space.id: _ways_of(board, space, rooms[space.country], width) for space in board.spaces})
    for label in spaces.values():
        hard.take_box(label.box)
    neighbours: dict[str, Label] = {}
    for land in board.neighbours:
        ways = land_ways(land.id, names[land.id], land.name, FAR_LETTERS, "italic", 0.0, width)
        neighbours[land.id] = _best(ways, rooms[land.id])
        hard.take_box(neighbours[land.id].box)
    return Labels(countries=countries, neighbours=neighbours, spaces=spaces)


def _best(ways: Iterable[Way], room: _Room) -> Label:
    """The label with the least against it, of ways of which cheap ones come first."""
    least, best = inf, None
    for way in ways:
        if way.cost >= least:
            break
        if (total := way.cost + room.against(way.box, least - way.cost)) < least:
            least, best = total, way
    assert best is not None
    return best.label()


def _ways_of(board: Board, space: Space, room: _Room, width: Width) -> list[Way]:
    """The ways to write a space's name with all that is against them as their cost, cheap ones first.

    Smaller letters are tried only where it is crowded.
    """
    ways: list[Way] = []
    own = Ground(board.width, board.height)
    own.take_disc(space.at, board.space_radius + AROUND)
    room = replace(room, own=own)
    for share in SHARES:
        if not ways or ways[0].cost > CROWDED:
            ways += (Way(way.cost + room.against(way.box, HOPELESS), way.box, way.label)
                     for way in space_ways(board, space, share, width))
            ways.sort(key=lambda way: way.cost)
    return ways


def _apart(ways: Mapping[str, Sequence[Way]]) -> dict[str, Label]:
    """For each name the cheapest way that keeps apart from the others, as far as there is one.

    A name takes the place of another if that finds one that costs less more than it saves.
    """
    chosen: dict[str, Way] = {}

    def against(name: str, way: Way, taken: Mapping[str, Way]) -> list[str]:
        return [other for other, held in taken.items() if other != name and way.box.overlaps(held.box.grown(APART))]

    for _ in range(3):  # a name may give way to those that were placed after it
        for name in ways:
            least, best = inf, {**chosen, name: ways[name][0]}
            for way in ways[name]:
                if way.cost >= least:
                    break
                trial, total = {**chosen, name: way}, way.cost
                rivals = against(name, way, chosen)
                if len(rivals) == 1:
                    (rival,) = rivals
                    other = next((each for each in ways[rival] if not against(rival, each, trial)), None)
                    if other is None:
                        continue
                    trial[rival], total = other, total + other.cost - chosen[rival].cost
                elif rivals:
                    continue
                if total < least:
                    least, best = total, trial
            chosen = best
    return {name: chosen[name].label() for name in ways}


def _away(board: Board, borders: Borders, land: str) -> Ground:
    ground = Ground(board.width, board.height)
    ground.take_outside([borders.ring(land)])
    return ground
