"""Points by the rules: chains of cloisters, majorities, alliances, and the reasons for each point."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from operator import attrgetter
from typing import Any, Literal, NamedTuple

from ppgen.games.board_game.board import Alliance, Board
from ppgen.play.ranking import RankedPlayer, Ranking, TieBreak, place_counts, rank_players, score_places

# Chains of cloisters ('Klosterkette')
#
# A chain is at least four cloisters joined by roads in an unbranched line; no cloister counts twice. The search finds a
# division into chains that covers the most cloisters: a player may read the board in their own favour, and one more
# cloister never costs a point (docs/decisions/0006-board-game.md).
#
# Sets of spaces are integers with a bit for each cloister of the player. A set is split into its connected parts. In
# a connected part the first cloister is either in one of the chains through it or in none; the rest of the set is
# divided the same way, and results are cached by set. A chain of eight or more can be cut into chains of four to seven,
# so only those are tried; at the end chains whose ends are joined by a road become one again.
#
# The time grows exponentially with the cloisters of a player and the roads at a space, and boards of one's own may have
# 30 and 5 of them. So the chains that are found are counted; beyond a number of them the search only goes on with the
# first chain through each space, the longest. score.js counts and ends in the same way.

MIN_CHAIN = 4
"""Shortest chain (Danish rules, section 'Klosterkæder')."""
MAX_UNDIVIDED_CHAIN = 2 * MIN_CHAIN - 1
"""Longest chain that cannot be cut into several."""
MAX_FOUND_CHAINS = 200_000
"""Chains that a search finds before it goes on with the longest alone: half a second. On the shipped map 13,000 do."""

CloisterChain = tuple[int, ...]
Division = tuple[int, tuple[CloisterChain, ...]]
"""The number of cloisters covered, and the chains that cover them."""


class ChainSearch:
    """A search for the best chains on ``spaces``; ``is_complete`` is False if it ended early, perhaps with others."""

    def __init__(self, spaces: Sequence[str], roads: Iterable[tuple[str, str]]) -> None:
        index = {space: n for n, space in enumerate(spaces)}
        self.near = [0] * len(spaces)  # the neighbours of each space
        for one, other in roads:
            if one in index and other in index:
                self.near[index[one]] |= 1 << index[other]
                self.near[index[other]] |= 1 << index[one]
        self.known: dict[int, Division] = {}
        self.found = 0
        _, division = _best_division((1 << len(spaces)) - 1, self)
        chains = sorted((chain if chain[0] < chain[-1] else chain[::-1]
                         for chain in _join_chains([list(chain) for chain in division], self.near)),
                        key=lambda chain: (-len(chain), chain[0]))
        self.chains = tuple(tuple(spaces[n] for n in chain) for chain in chains)

    @property
    def is_complete(self) -> bool:
        return self.found <= MAX_FOUND_CHAINS


def best_chains(spaces: Sequence[str], roads: Iterable[tuple[str, str]]) -> tuple[tuple[str, ...], ...]:
    """Find the best chains of cloisters on ``spaces``: the longest first, each from its first space on."""
    return ChainSearch(spaces, roads).chains


def _best_division(part: int, search: ChainSearch) -> Division:
    """The best division of a set of spaces."""
    if part.bit_count() < MIN_CHAIN:
        return 0, ()
    known = search.known
    if part not in known:
        first = (part & -part).bit_length() - 1
        connected = _connected_part(first, part, search.near)
        if connected == part:
            known[part] = _best_connected_division(first, part, search)
        else:
            one, other = _best_division(connected, search), _best_division(part & ~connected, search)
            known[part] = one[0] + other[0], one[1] + other[1]
    return known[part]


def _best_connected_division(first: int, part: int, search: ChainSearch) -> Division:
    """The best division of connected spaces: with each chain through the first of them, or without that space."""
    size = part.bit_count()
    best: Division = 0, ()
    chains_through = _chains_through(first, part, search.near)
    search.found += len(chains_through)
    for mask, chain in chains_through:
        rest = part & ~mask
        if len(chain) + rest.bit_count() > best[0]:
            count, chains = _best_division(rest, search)
            if count + len(chain) > best[0]:
                best = count + len(chain), (chain, *chains)
        if best[0] == size or not search.is_complete:
            return best
    without = _best_division(part & ~(1 << first), search)
    return without if without[0] > best[0] else best


def _connected_part(first: int, part: int, near: Sequence[int]) -> int:
    """The spaces of ``part`` that roads connect to the first one."""
    connected = todo = 1 << first
    while todo:
        space = (todo & -todo).bit_length() - 1
        todo &= todo - 1
        new = near[space] & part & ~connected
        connected |= new
        todo |= new
    return connected


def _chains_through(first: int, part: int, near: Sequence[int]) -> list[tuple[int, CloisterChain]]:
    """Chains of four to seven through a space, one for each set of spaces, the longest first.

    Each is made of two arms that start at the space and share no other.
    """
    arms: list[list[tuple[int, CloisterChain]]] = [[(0, ())]]
    for _ in range(MAX_UNDIVIDED_CHAIN - 1):
        arms.append([(mask | 1 << space, (*arm, space)) for mask, arm in arms[-1]
                     for space in _bits(near[arm[-1] if arm else first] & part & ~mask & ~(1 << first))])
    chains: dict[int, CloisterChain] = {}
    for long in range(MAX_UNDIVIDED_CHAIN - 1, 0, -1):
        for short in range(min(long, MAX_UNDIVIDED_CHAIN - 1 - long), -1, -1):
            if 1 + long + short < MIN_CHAIN:
                continue
            for mask, arm in arms[long]:
                for other_mask, other in arms[short]:
                    if not mask & other_mask:
                        chains.setdefault(mask | other_mask | 1 << first, (*arm[::-1], first, *other))
    return sorted(chains.items(), key=lambda item: -len(item[1]))


def _bits(mask: int) -> list[int]:
    return [n for n in range(mask.bit_length()) if mask >> n & 1]


def _join_chains(chains: list[list[int]], near: Sequence[int]) -> list[list[int]]:
    """Join chains whose ends are connected by a road."""
    for n, one in enumerate(chains):
        for other in chains[n + 1:]:
            for left in (one, one[::-1]):
                for right in (other, other[::-1]):
                    if near[left[-1]] >> right[0] & 1:
                        rest = [chain for chain in chains if chain is not one and chain is not other]
                        return _join_chains([left + right, *rest], near)
    return chains


# Scores and their reasons, after the Danish rules, sections 'Første pointtælling' and 'Sidste pointtælling'

Entry = Literal["country", "alliance", "chain", "before"]
"""The part of the score sheet in which points are written."""
Counts = Mapping[str, tuple[int, ...]]
"""Numbers of pieces of each player by country; a missing country has none."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Position:
    """The pieces on the board. ``spaces`` has the seat (from 0) of the cloister on each space.

    If spaces were not written down, ``cloisters`` has the numbers of cloisters in each country, and ``chains`` the
    points of each player for chains. ``before`` are the points at the interim scoring, or ``interim`` the cloisters in
    each country at that time; a position without both is one of a game without interim scoring.
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
        """The interim scoring is missing."""
        return not self.before and self.interim is None

    @property
    def lacks_cloisters(self) -> bool:
        """There are no cloisters at all."""
        return not self.spaces and not any(map(any, self.cloisters.values()))

    @property
    def lacks_chains(self) -> bool:
        """Cloisters were only counted, and the points for chains are missing."""
        return not self.spaces and not self.chains and not self.lacks_cloisters

    def cloister_counts(self, country: str, board: Board) -> tuple[int, ...]:
        """Number of cloisters of each player in a country."""
        if self.spaces:
            seats = [self.spaces.get(space) for space in board.labels[country]]
            return tuple(seats.count(seat) for seat in range(len(self.players)))
        return self.cloisters.get(country, (0,) * len(self.players))

    def councillor_counts(self, country: str) -> tuple[int, ...]:
        """Number of councillors of each player in a country."""
        return self.councillors.get(country, (0,) * len(self.players))


@dataclass(frozen=True, slots=True, kw_only=True)
class CountryScore:
    """The pieces of a player in a country, and the points for the cloisters."""

    cloisters: int
    councillors: int
    points: int


@dataclass(frozen=True, slots=True, kw_only=True)
class PlayerScore(RankedPlayer):
    """A player's part of the score sheet. ``alliances`` has the points by the number of the box, if there are any;
    ``chains`` the spaces of each chain, if the spaces are known; ``is_sure`` is False if others may be worth more."""

    before: int
    countries: Mapping[str, CountryScore]
    cloister_subtotal: int
    alliances: Mapping[int, int]
    alliance_subtotal: int
    chains: tuple[tuple[str, ...], ...]
    chain_points: int
    pieces_left: int
    is_sure: bool = True

    def record(self) -> dict[str, Any]:
        record = asdict(self)
        del record["is_sure"]
        return {**record, "chains": list(map(list, self.chains)),
                "alliances": [{"box": box, "points": points} for box, points in self.alliances.items()]}

    def flat_record(self) -> dict[str, Any]:
        record = self.record()
        del record["alliances"]
        return {**record, "chains": " ".join(map("-".join, self.chains))}


@dataclass(frozen=True, kw_only=True)
class Score(Ranking[PlayerScore]):
    """The scores of the players and the winners; ``interim`` marks an interim scoring."""

    interim: bool = False


BY_PIECES = TieBreak[PlayerScore]("pieces", attrgetter("pieces_left"))


class Reason(NamedTuple):
    """The reason why ``players``, if any, score ``points`` each in one entry of the score sheet.

    For a ``country``, ``cloisters`` is the number of each player, ``place`` their place, and ``holders`` the players of
    the place before: the points are the number of cloisters of each of these, or on place 1 of all players. For an
    ``alliance``, ``counts`` are the councillors of all players in its two countries, and ``leaders`` the players with
    the most in each. For a ``chain``, ``chain`` has its spaces (none if only the points are known). ``before`` are the
    points at the interim scoring; reasons for these are marked ``interim``.
    """

    entry: Entry
    players: tuple[str, ...]
    points: int
    country: str = ""
    cloisters: int = 0
    place: int = 0
    holders: tuple[str, ...] = ()
    alliance: Alliance | None = None
    counts: tuple[int, int] = (0, 0)
    leaders: tuple[tuple[str, ...], tuple[str, ...]] = ((), ())
    chain: tuple[str, ...] = ()
    interim: bool = False


def country_points(counts: Sequence[int]) -> tuple[int, ...]:
    """Points of each player for ``counts`` cloisters in a country.

    The first place scores all cloisters in the country, each next place the number of one player of the place before.
    Equal counts share a place, and no place is skipped. A player without cloisters scores nothing.
    """
    return score_places(counts, sum(counts))


def majority(counts: Sequence[int]) -> frozenset[int]:
    """The seats with the most councillors in a country; none if there are no councillors."""
    most = max(counts, default=0)
    return frozenset(seat for seat, count in enumerate(counts) if count == most > 0)


def alliance_points(one: Sequence[int], other: Sequence[int]) -> tuple[int, ...]:
    """Points of each player for the councillors in the two countries of an alliance.

    A player who has the most in both, or shares it, scores all councillors in both.
    """
    leading = majority(one) & majority(other)
    return tuple(sum(one) + sum(other) if seat in leading else 0 for seat in range(len(one)))


def interim_points(counts: Counts, players: int) -> tuple[int, ...]:
    """Points of each player at the interim scoring, for the cloisters of all countries."""
    columns = [country_points(column) for column in counts.values()]
    return tuple(sum(column[seat] for column in columns) for seat in range(players))


def score_game(position: Position, board: Board) -> Score:
    """Score the end of a game. The order of the players is that of ``position`` and does not change their points."""
    count, entries = len(position.players), _entries(position, board)
    before = position.before or interim_points(position.interim or {}, count)
    alliances = [(alliance.box, alliance_points(*map(position.councillor_counts, alliance.countries)))
                 for alliance in board.alliances]
    players = []
    for seat in range(count):
        boxes = {box: points[seat] for box, points in alliances if points[seat]}
        search = _search_chains(position, seat, board)
        player = replace(_score_cloisters(position, seat, entries, board), before=before[seat], alliances=boxes,
                         alliance_subtotal=sum(boxes.values()), chains=search.chains, is_sure=search.is_complete)
        chains = position.chains[seat] if position.chains else sum(map(len, player.chains))
        players.append(replace(player, chain_points=chains,
                               total=player.total + player.before + player.alliance_subtotal + chains))
    return _rank(players)


def score_interim(position: Position, board: Board) -> Score:
    """Do the interim scoring: cloisters only, ranks by points alone."""
    entries, seats = _entries(position, board), range(len(position.players))
    return _rank([_score_cloisters(position, seat, entries, board) for seat in seats], interim=True)


def explain(score: Score, position: Position, board: Board) -> Iterator[Reason]:
    """List the reasons for a score: points carried over, then countries, alliances and chains."""
    if not score.interim:
        for country in board.countries if position.interim is not None and not position.before else ():
            counts = (position.interim or {}).get(country.id, ())
            yield from _explain_country(country.id, counts, position.players, interim=True)
        for player in score.players:
            if position.before or position.interim is not None:
                yield Reason(entry="before", players=(player.name,), points=player.before)
    for country in board.countries:
        yield from _explain_country(country.id, position.cloister_counts(country.id, board), position.players)
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
    for place, count in enumerate(place_counts(counts), 1):
        seats = [seat for seat, own in enumerate(counts) if own == count]
        names = tuple(players[seat] for seat in seats)
        yield Reason(entry="country", country=country, players=names, points=points[seats[0]], cloisters=count,
                     place=place, holders=before, interim=interim)
        before = names


def _explain_alliance(alliance: Alliance, position: Position) -> Reason:
    one, other = map(position.councillor_counts, alliance.countries)

    def names(seats: frozenset[int]) -> tuple[str, ...]:
        return tuple(position.players[seat] for seat in sorted(seats))

    scoring = majority(one) & majority(other)
    return Reason(entry="alliance", players=names(scoring), points=sum(one) + sum(other) if scoring else 0,
                  alliance=alliance, counts=(sum(one), sum(other)),
                  leaders=(names(majority(one)), names(majority(other))))


def _search_chains(position: Position, seat: int, board: Board) -> ChainSearch:
    spaces = [space.id for space in board.spaces if position.spaces.get(space.id) == seat]
    return ChainSearch(spaces, [road.ends for road in board.roads])


def _entries(position: Position, board: Board) -> dict[str, list[CountryScore]]:
    """The entries of each country on the score sheet, one for each player."""
    entries = {}
    for country in board.labels:
        counts = position.cloister_counts(country, board)
        columns = zip(counts, position.councillor_counts(country), country_points(counts), strict=True)
        entries[country] = [CountryScore(cloisters=cloisters, councillors=councillors, points=points)
                            for cloisters, councillors, points in columns]
    return entries


def _score_cloisters(position: Position, seat: int, entries: Mapping[str, Sequence[CountryScore]],
                     board: Board) -> PlayerScore:
    """Score only the cloisters of a player; the rank is 1 for now."""
    own = {country: column[seat] for country, column in entries.items()}
    points = sum(entry.points for entry in own.values())
    return PlayerScore(
        name=position.players[seat], total=points, before=0, countries=own, cloister_subtotal=points,
        alliances={}, alliance_subtotal=0, chains=(), chain_points=0, pieces_left=board.cloisters + board.councillors
        - sum(entry.cloisters + entry.councillors for entry in own.values()))


def _rank(players: Sequence[PlayerScore], interim: bool = False) -> Score:
    """Rank players by total, then, at the end, by pieces left."""
    ranking = rank_players(players, None if interim else BY_PIECES)
    return Score(players=ranking.players, winners=ranking.winners, tie_break=ranking.tie_break, interim=interim)
