"""Turns what stands on the board into a score, and a score into the reasons for its points.

The clauses are those of the Danish rules, sections 'Første pointtælling' and 'Sidste pointtælling'.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Literal, NamedTuple

from ppgen.games.board_game.board.model import Alliance, Board
from ppgen.games.board_game.scoring.chains import best_chains

Entry = Literal["country", "alliance", "chain", "before"]
"""Where points are written on the score sheet."""
Counts = Mapping[str, tuple[int, ...]]
"""How many pieces each player has in each country; a country that is missing has none."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Position:
    """What stands on the board. ``spaces`` is the seat (from 0) whose cloister stands on a space.

    Where the spaces were not noted, ``cloisters`` counts the cloisters in each country, and ``chains`` are the points
    that each player counted for chains. ``before`` are the points at the interim scoring, or ``interim`` the cloisters
    of each country then; a position that has neither is that of a game without it.
    """

    players: tuple[str, ...]
    spaces: Mapping[str, int] = field(default_factory=dict)
    cloisters: Counts = field(default_factory=dict)
    councillors: Counts = field(default_factory=dict)
    chains: tuple[int, ...] = ()
    before: tuple[int, ...] = ()
    interim: Counts | None = None

    @property
    def lacks_before(self) -> bool:
        """Whether nobody wrote down the interim scoring."""
        return not self.before and self.interim is None

    @property
    def lacks_cloisters(self) -> bool:
        """Whether there is not a single cloister."""
        return not self.spaces and not any(map(any, self.cloisters.values()))

    @property
    def lacks_chains(self) -> bool:
        """Whether cloisters were counted, and chains were not."""
        return not self.spaces and not self.chains and not self.lacks_cloisters

    def standing(self, country: str, board: Board) -> tuple[int, ...]:
        """The cloisters of each player in a country."""
        if self.spaces:
            seats = [self.spaces.get(space) for space in board.labels[country]]
            return tuple(seats.count(seat) for seat in range(len(self.players)))
        return self.cloisters.get(country, (0,) * len(self.players))

    def advising(self, country: str) -> tuple[int, ...]:
        """The councillors of each player in a country."""
        return self.councillors.get(country, (0,) * len(self.players))


class CountryScore(NamedTuple):
    """One player's pieces in a country, and the points for the cloisters."""

    cloisters: int
    councillors: int
    points: int


@dataclass(frozen=True, slots=True, kw_only=True)
class PlayerScore:
    """One player's part of the score sheet. ``alliances`` has the points by the number of the box, where there are
    any; ``chains`` the spaces of each chain, if the spaces were noted."""

    name: str
    rank: int
    total: int
    before: int
    countries: Mapping[str, CountryScore]
    cloister_subtotal: int
    alliances: Mapping[int, int]
    alliance_subtotal: int
    chains: tuple[tuple[str, ...], ...]
    chain_points: int
    pieces_left: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Score:
    """The players as they were given, and who won.

    ``tie_break`` is ``"pieces"`` when totals tied and the pieces left in supply decided, ``"draw"`` when nothing did
    (then ``winners`` holds all who tie), else None. ``interim``: only the interim scoring was done.
    """

    players: tuple[PlayerScore, ...]
    winners: tuple[str, ...]
    tie_break: Literal["pieces", "draw"] | None
    interim: bool = False


class Reason(NamedTuple):
    """Why ``players`` score ``points`` each in one entry of the score sheet; nobody does in some alliances.

    In ``country``, ``held`` are the cloisters of each, ``place`` the place that they earn, and ``holders`` the players
    of the place before: the points are as many as each of them has, and on place 1 as all cloisters there.
    In ``alliance``, ``alliance`` tells box and countries, ``counts`` all councillors in each of them, and ``leaders``
    who has the most in each. In ``chain``, ``chain`` are its spaces (none where only the points were noted).
    ``before`` are the points at the interim scoring; reasons why they were scored are ``interim`` ones.
    """

    entry: Entry
    players: tuple[str, ...]
    points: int
    country: str = ""
    held: int = 0
    place: int = 0
    holders: tuple[str, ...] = ()
    alliance: Alliance | None = None
    counts: tuple[int, int] = (0, 0)
    leaders: tuple[tuple[str, ...], tuple[str, ...]] = ((), ())
    chain: tuple[str, ...] = ()
    interim: bool = False


def country_points(counts: Sequence[int]) -> tuple[int, ...]:
    """Points of each player for ``counts`` cloisters in a country.

    The most score all cloisters standing there, each next place what one player of the place before holds; equal
    counts share a place, and none is skipped. No cloister, no points.
    """
    places = _places(counts)
    points = dict(zip(places, (sum(counts), *places), strict=False))
    return tuple(points.get(count, 0) for count in counts)


def majority(counts: Sequence[int]) -> frozenset[int]:
    """The seats with the most councillors in a country; nobody leads where none stand."""
    most = max(counts, default=0)
    return frozenset(seat for seat, count in enumerate(counts) if count == most > 0)


def alliance_points(one: Sequence[int], other: Sequence[int]) -> tuple[int, ...]:
    """Points of each player for the councillors in the two countries of an alliance.

    Who has the most in both, or shares it, scores all councillors in both.
    """
    leading = majority(one) & majority(other)
    return tuple(sum(one) + sum(other) if seat in leading else 0 for seat in range(len(one)))


def interim_points(counts: Counts, players: int) -> tuple[int, ...]:
    """Points of each player for the cloisters of all countries: the interim scoring."""
    columns = [country_points(column) for column in counts.values()]
    return tuple(sum(column[seat] for column in columns) for seat in range(players))


def score_game(position: Position, board: Board) -> Score:
    """The final scoring; its players are in the order of ``position``, which has no influence on points."""
    count, entries = len(position.players), _entries(position, board)
    before = position.before or interim_points(position.interim or {}, count)
    alliances = [(alliance.box, alliance_points(*map(position.advising, alliance.countries)))
                 for alliance in board.alliances]
    players = []
    for seat in range(count):
        boxes = {box: points[seat] for box, points in alliances if points[seat]}
        player = replace(_player(position, seat, entries, board), before=before[seat], alliances=boxes,
                         alliance_subtotal=sum(boxes.values()), chains=_chains(position, seat, board))
        chains = position.chains[seat] if position.chains else sum(map(len, player.chains))
        players.append(replace(player, chain_points=chains,
                               total=player.total + player.before + player.alliance_subtotal + chains))
    return _rank(players)


def score_interim(position: Position, board: Board) -> Score:
    """The interim scoring of what stands on the board: cloisters only, ranks by points alone."""
    entries = _entries(position, board)
    return _rank([_player(position, seat, entries, board) for seat in range(len(position.players))], interim=True)


def explain(score: Score, position: Position, board: Board) -> Iterator[Reason]:
    """The reasons for a score: points carried over, then country by country, box by box and chain by chain."""
    if not score.interim:
        for country in board.countries if position.interim is not None and not position.before else ():
            counts = (position.interim or {}).get(country.id, ())
            yield from _explain_country(country.id, counts, position.players, interim=True)
        for player in score.players:
            if position.before or position.interim is not None:
                yield Reason(entry="before", players=(player.name,), points=player.before)
    for country in board.countries:
        yield from _explain_country(country.id, position.standing(country.id, board), position.players)
    if score.interim:
        return
    for alliance in board.alliances:
        yield _explain_alliance(alliance, position)
    for player in score.players:
        for chain in player.chains:
            yield Reason(entry="chain", players=(player.name,), points=len(chain), chain=chain)
        if player.chain_points and not player.chains:
            yield Reason(entry="chain", players=(player.name,), points=player.chain_points)


def _explain_country(country: str, counts: Sequence[int], players: Sequence[str],
                     interim: bool = False) -> Iterator[Reason]:
    points = country_points(counts)
    before: tuple[str, ...] = ()
    for place, count in enumerate(_places(counts), 1):
        seats = [seat for seat, held in enumerate(counts) if held == count]
        names = tuple(players[seat] for seat in seats)
        yield Reason(entry="country", country=country, players=names, points=points[seats[0]], held=count, place=place,
                     holders=before, interim=interim)
        before = names


def _explain_alliance(alliance: Alliance, position: Position) -> Reason:
    one, other = map(position.advising, alliance.countries)

    def named(seats: frozenset[int]) -> tuple[str, ...]:
        return tuple(position.players[seat] for seat in sorted(seats))

    scoring = majority(one) & majority(other)
    return Reason(entry="alliance", players=named(scoring), points=sum(one) + sum(other) if scoring else 0,
                  alliance=alliance, counts=(sum(one), sum(other)), leaders=(named(majority(one)),
                                                                            named(majority(other))))


def _places(counts: Sequence[int]) -> list[int]:
    """The counts that make the first place, the second and so on; 0 makes none, equal counts share one."""
    return sorted(set(counts) - {0}, reverse=True)


def _chains(position: Position, seat: int, board: Board) -> tuple[tuple[str, ...], ...]:
    held = [space.id for space in board.spaces if position.spaces.get(space.id) == seat]
    return best_chains(held, [road.ends for road in board.roads])


def _entries(position: Position, board: Board) -> dict[str, list[CountryScore]]:
    """Each country's entries on the score sheet, one for each player."""
    entries = {}
    for country in board.labels:
        counts = position.standing(country, board)
        columns = zip(counts, position.advising(country), country_points(counts), strict=True)
        entries[country] = [CountryScore(cloisters=cloisters, councillors=councillors, points=points)
                            for cloisters, councillors, points in columns]
    return entries


def _player(position: Position, seat: int, entries: Mapping[str, Sequence[CountryScore]], board: Board) -> PlayerScore:
    """A player's score for cloisters, for now on rank 1 and without anything else."""
    own = {country: column[seat] for country, column in entries.items()}
    points = sum(entry.points for entry in own.values())
    return PlayerScore(
        name=position.players[seat], rank=1, total=points, before=0, countries=own, cloister_subtotal=points,
        alliances={}, alliance_subtotal=0, chains=(), chain_points=0, pieces_left=board.cloisters + board.councillors
        - sum(entry.cloisters + entry.councillors for entry in own.values()))


def _rank(players: Sequence[PlayerScore], interim: bool = False) -> Score:
    """The score with ranks: by total, then by pieces left; equal players share a rank (1, 1, 3)."""
    merits = [(player.total, 0 if interim else player.pieces_left) for player in players]
    ranked = tuple(replace(player, rank=1 + sum(other > own for other in merits))
                   for player, own in zip(players, merits, strict=True))
    winners = tuple(player for player in ranked if player.rank == 1)
    tied = sum(total == winners[0].total for total, _ in merits) > 1
    return Score(players=ranked, winners=tuple(winner.name for winner in winners), interim=interim,
                 tie_break=("draw" if len(winners) > 1 else "pieces") if tied else None)
