"""Points by the rules: chains of cloisters, majorities, alliances."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from typing import Any

from ppgen.games.board_game.board import MAX_PLAYERS, MIN_PLAYERS, Board
from ppgen.play.line_points import Column, LineScore, RankedPlayer, Ranking, score_columns, score_places
from ppgen.play.rule_file import Rules, ScoreLine

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

MIN_CHAIN = 4  # shortest chain (Danish rules, section 'Klosterkæder')
MAX_UNDIVIDED_CHAIN = 2 * MIN_CHAIN - 1  # longest chain that cannot be cut into several
MAX_FOUND_CHAINS = 200_000  # then a search goes on with the longest alone: half a second; here 13,000 are found

CloisterChain = tuple[int, ...]
Division = tuple[int, tuple[CloisterChain, ...]]  # the number of cloisters covered, and the chains that cover them


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
    """Chains of four to seven through a space, as two arms, one for each set of spaces, the longest first."""
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
    for n, one in enumerate(chains):
        for other in chains[n + 1:]:
            for left in (one, one[::-1]):
                for right in (other, other[::-1]):
                    if near[left[-1]] >> right[0] & 1:
                        rest = [chain for chain in chains if chain is not one and chain is not other]
                        return _join_chains([left + right, *rest], near)
    return chains


# Scores, after the Danish rules, sections 'Første pointtælling' and 'Sidste pointtælling'

Counts = Mapping[str, tuple[int, ...]]  # numbers of pieces of each player by country; a missing country has none


@dataclass(frozen=True, slots=True, kw_only=True)
class Position:
    """The pieces on the board. One without ``before`` and ``interim`` is of a game without interim scoring."""

    players: tuple[str, ...]
    spaces: Mapping[str, int] = field(default_factory=dict)  # the seat (from 0) of the cloister on each space
    cloisters: Counts = field(default_factory=dict)  # of each country, if spaces were not written down
    councillors: Counts = field(default_factory=dict)
    chains: tuple[int, ...] = ()  # points of each player for chains, likewise
    before: tuple[int, ...] = ()  # points at the interim scoring
    interim: Counts | None = None  # or cloisters of each country at that time

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
    """The scores of the players and the winners; ``interim`` marks an interim scoring, ``scored`` has its lines."""

    scored: LineScore
    interim: bool = False


PLACES = ScoreLine(key="", group="", row="", before=True)
"""Points of cloisters in any country: the first place all that stand there, each next one as many as the one before."""


def country_points(counts: Sequence[int]) -> tuple[int, ...]:
    """Points of each player for ``counts`` cloisters in a country."""
    return score_places(PLACES, counts)


def majority(counts: Sequence[int]) -> frozenset[int]:
    """The seats with the most councillors in a country; none if there are no councillors."""
    most = max(counts, default=0)
    return frozenset(seat for seat, count in enumerate(counts) if count == most > 0)


def alliance_points(one: Sequence[int], other: Sequence[int]) -> tuple[int, ...]:
    """Points of each player in an alliance: who has the most in both countries scores all councillors there."""
    leading = majority(one) & majority(other)
    return tuple(sum(one) + sum(other) if seat in leading else 0 for seat in range(len(one)))


def interim_points(counts: Counts, players: int) -> tuple[int, ...]:
    """Points of each player at the interim scoring, for the cloisters of all countries."""
    columns = [country_points(column) for column in counts.values()]
    return tuple(sum(column[seat] for column in columns) for seat in range(players))


CLOISTERS, INTERIM = "cloisters", "interim"  # groups of lines, one for each country: in the end, and then
NOTED, ALLIANCE, CHAINS = "noted", "alliance", "chain_points"  # groups of points written down or found on the map
SUBTOTALS = {"before": (INTERIM, NOTED), "cloister_subtotal": (CLOISTERS,), "alliance_subtotal": (ALLIANCE,)}


def scoring_rules(board: Board) -> Rules:
    """The lines of the score sheet. What alliances and chains score is found on the map, and an entry of theirs."""
    def places(group: str) -> Iterator[ScoreLine]:
        for country in board.labels:
            key = f"{country}.{group}"
            yield replace(PLACES, key=key, group=group, row=country, counts=(key,))

    def points(group: str, key: str) -> ScoreLine:
        return ScoreLine(key=key, group=group, row="", counts=(key,), signed=True)

    lines = [*places(INTERIM), points(NOTED, NOTED), *places(CLOISTERS),
             *(points(ALLIANCE, f"box{alliance.box}") for alliance in board.alliances), points(CHAINS, CHAINS)]
    sums = [ScoreLine(key=key, group="", row="", added=False, points_of=tuple(
        n for n, line in enumerate(lines) if line.group in groups)) for key, groups in SUBTOTALS.items()]
    return Rules(least=MIN_PLAYERS, most=MAX_PLAYERS, lines=(*lines, *sums),
                 tie_break=(("most", "pieces", ("pieces_left",)),))


def score_game(position: Position, board: Board) -> Score:
    """Score the end of a game. The order of the players is that of ``position`` and does not change their points."""
    return _score(position, board, interim=False)


def score_interim(position: Position, board: Board) -> Score:
    """Do the interim scoring: cloisters only, ranks by points alone."""
    return _score(position, board, interim=True)


def _score(position: Position, board: Board, interim: bool) -> Score:
    rules, seats = scoring_rules(board), range(len(position.players))
    standing = {country: position.cloister_counts(country, board) for country in board.labels}
    advising = {country: position.councillor_counts(country) for country in board.labels}
    left = [board.cloisters + board.councillors - sum(standing[country][seat] + advising[country][seat]
                                                      for country in board.labels) for seat in seats]
    searches = [ChainSearch([] if interim else [space.id for space in board.spaces
                                                if position.spaces.get(space.id) == seat],
                            [road.ends for road in board.roads]) for seat in seats]

    def column(seat: int) -> Column:
        cloisters = {f"{country}.{CLOISTERS}": counts[seat] for country, counts in standing.items()}
        return cloisters if interim else {**cloisters, **_found(position, seat, board, searches[seat]),
                                          "pieces_left": left[seat]}

    scored = score_columns(rules, position.players, [column(seat) for seat in seats])
    points = {line.key: scored.points[n] for n, line in enumerate(rules.lines)}
    players = tuple(PlayerScore(
        name=name, rank=scored.ranks[seat], total=scored.totals[seat], before=points["before"][seat],
        countries={country: CountryScore(
            cloisters=standing[country][seat], councillors=advising[country][seat],
            points=points[f"{country}.{CLOISTERS}"][seat]) for country in board.labels},
        cloister_subtotal=points["cloister_subtotal"][seat], alliances={
            alliance.box: own for alliance in board.alliances if (own := points[f"box{alliance.box}"][seat])},
        alliance_subtotal=points["alliance_subtotal"][seat], chains=searches[seat].chains,
        chain_points=points[CHAINS][seat], pieces_left=left[seat], is_sure=searches[seat].is_complete)
        for seat, name in enumerate(position.players))
    return Score(players=players, winners=tuple(scored.winners), tie_break=scored.decided or None, interim=interim,
                 scored=scored)


def _found(position: Position, seat: int, board: Board, search: ChainSearch) -> Column:
    """A player's points at the interim scoring, or the cloisters of that time; those of alliances and of chains."""
    before = {NOTED: position.before[seat]} if position.before else {
        f"{country}.{INTERIM}": counts[seat] for country, counts in (position.interim or {}).items()}
    allied = {f"box{alliance.box}": alliance_points(*map(position.councillor_counts, alliance.countries))[seat]
              for alliance in board.alliances}
    return {**before, **allied, CHAINS: position.chains[seat] if position.chains else sum(map(len, search.chains))}
