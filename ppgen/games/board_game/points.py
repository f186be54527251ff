"""Points of the board game, and sentences about them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from operator import attrgetter
from typing import Any

from ppgen.games.board_game import NAME
from ppgen.games.board_game.board import MAX_PLAYERS, MIN_PLAYERS, Board
from ppgen.play.line_points import (Column, LineScore, RankedPlayer, Ranking, ScoreTable, ScoreTableRow, Words,
                                    explain_line, explain_total, points_cell, score_columns, score_places, value_row)
from ppgen.play.rule_file import Rules, ScoreLine
from ppgen.play.sheet_plan import NAME_ROW, Json, SheetCell, SheetColumn, SheetPlan, SheetRow, Takes
from ppgen.reading.texts import Texts
from ppgen.records import asdict, dataclass, field, replace

# --- Points ---

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
    """A search for the best ``chains`` on ``spaces``: the longest first, each from its first space on.

    ``is_complete`` is False if it ended early, perhaps with others.
    """

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


def score_game(position: Position, board: Board, interim: bool = False) -> Score:
    """Score the end of a game, or do its interim scoring: cloisters only, ranks by points alone."""
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


# --- Sentences ---

COUNCILLORS = "councillors"  # column of a country: their letters; those of its early cloisters are in INTERIM
POINTS, INTERIM_POINTS = "points", "interim_points"  # columns of a country: in the end, at the interim scoring
SUMS = ("before", "cloister_subtotal", "alliance_subtotal", "chain_points", "total", "pieces_left")
"""The rows below the countries and alliances."""


def sheet_plan(board: Board) -> SheetPlan:
    """Plan the sheet: the early points, then a row for each country with its spaces and its councillors."""
    return SheetPlan(least=MIN_PLAYERS, most=MAX_PLAYERS, rows=(
        SheetRow(key="before", label="tally.before", columns=(SheetColumn(ask="ask.before", late=True),)),
        *(SheetRow(key=country, label=f"countries.{country}", shared=True, columns=(
            *(SheetColumn(key=label, takes=Takes.LETTER, ask="ask.spaces") for label in labels),
            SheetColumn(key=COUNCILLORS, takes=Takes.LETTERS, ask="ask.councillors", late=True)))
          for country, labels in board.labels.items())))


def reasons(score: Score, position: Position, board: Board, rules: Rules, words: Words) -> Iterator[str]:
    """Write a sentence for each country, alliance (empty ones share one), player's chains, and total."""
    scored = score.scored
    for n, line in enumerate(rules.lines):
        if line.group in (INTERIM, CLOISTERS):
            yield from explain_line(line, scored.counts[n], scored.points[n], scored.names, words)
    if not score.interim:
        yield from _explain_alliances(position, board, words)
        for player in score.players:
            if clauses := [words("chain", spaces="–".join(chain), points=len(chain)) for chain in player.chains] or (
                    [words("chains", points=player.chain_points)] if player.chain_points else []):
                yield words.sentence(player.name, clauses)
    for seat in range(len(score.players)):
        yield explain_total(rules, scored, seat, words, "total_interim" if score.interim else "total")


def _explain_alliances(position: Position, board: Board, words: Words) -> Iterator[str]:
    courts = {alliance.box: [position.councillor_counts(country) for country in alliance.countries]
              for alliance in board.alliances}
    empty = [box for box, counts in courts.items() if not all(map(any, counts))]
    for alliance in board.alliances:
        if alliance.box not in empty or len(empty) == 1:
            countries = "–".join(words.common[f"countries.{country}"] for country in alliance.countries)
            one, other = courts[alliance.box]
            yield words.sentence(words("box", box=alliance.box, countries=countries),
                                 [_explain_alliance(one, other, position.players, words)])
    if len(empty) > 1:
        yield words.sentence(words.common["tally.alliances"] if len(empty) == len(courts) else words(
            "boxes", boxes=words.join(list(map(str, empty)))), [words("empty_court")])


def _explain_alliance(one: Sequence[int], other: Sequence[int], players: Sequence[str], words: Words) -> str:
    """The leaders in both countries, or the reason why there are none."""
    def names(seats: Iterable[int]) -> str:
        return words.join([players[seat] for seat in sorted(seats)])

    if both := majority(one) & majority(other):
        return words("both_shared" if len(both) > 1 else "both", one=sum(one), other=sum(other), names=names(both),
                     points=sum(one) + sum(other))
    if not (any(one) and any(other)):
        return words("empty_court")
    return words("not_both", one=names(majority(one)), other=names(majority(other)))


# --- Table ---

NO_POINTS = "·"


def score_table(score: Score, board: Board, texts: Texts) -> ScoreTable:
    """Lay out countries and alliances in rows, players in columns with two halves if there are councillors."""
    councillors = any(entry.councillors for player in score.players for entry in player.countries.values())
    rows = [ScoreTableRow(label=texts(f"countries.{country}"), cells=tuple(
        _country_cells(player.countries[country])[:1 + councillors] for player in score.players))
        for country in board.labels]
    rows += _alliances(score, board, texts)
    return ScoreTable(players=tuple(player.name for player in score.players), rows=(*rows, *_sums(score, texts)),
                      halves=(texts("tally.cloisters"), texts("tally.councillors")) if councillors else (),
                      legend=texts("results.legend" if councillors else "results.legend_cloisters"))


def _country_cells(entry: CountryScore) -> tuple[str, ...]:
    return points_cell(entry.cloisters, entry.points), f"{entry.councillors or NO_POINTS}  "


def _alliances(score: Score, board: Board, texts: Texts) -> Iterator[ScoreTableRow]:
    """A row for each alliance with points; its countries in two letters each."""
    codes = {country.id: country.code for country in board.countries}
    scored = [alliance for alliance in board.alliances if any(alliance.box in each.alliances for each in score.players)]
    for alliance in scored:
        label = f"{alliance.box} {'–'.join(codes[country] for country in alliance.countries)}"
        yield ScoreTableRow(label=label, parted=alliance is scored[0], cells=tuple(
            (f"{player.alliances.get(alliance.box, NO_POINTS):<2}",) for player in score.players))


def _sums(score: Score, texts: Texts) -> Iterator[ScoreTableRow]:
    def row(key: str, value: str, **style: bool) -> ScoreTableRow:
        return value_row(texts(key), map(attrgetter(value), score.players), **style)

    if not score.interim:
        yield row("tally.before", "before", parted=True)
        yield row("tally.cloisters", "cloister_subtotal")
        yield row("tally.alliances", "alliance_subtotal")
        yield row("tally.chains", "chain_points")
    yield row("score.total", "total", strong=True, parted=True)
    if not score.interim:
        yield row("tally.pieces_left", "pieces_left")
    yield row("results.rank", "rank")


# --- The position again, as JSON ---

def position_json(position: Position, letters: Sequence[str], board: Board, facts: Mapping[str, str]) -> Json:
    """A position that ``ppgen score`` reads as JSON, with a letter for each piece."""
    def rows(counts: Counts) -> dict[str, str]:
        return {country: "".join(letters[seat] * count for seat, count in enumerate(counts[country]))
                for country in board.labels if sum(counts.get(country, ()))}

    record: Json = {"game": NAME, **facts, "players": list(position.players)}
    if position.before:
        record["before"] = list(position.before)
    if position.interim is not None:
        record["interim"] = rows(position.interim)
    if position.spaces:
        record["spaces"] = {country: "".join(letters[position.spaces[space]] if space in position.spaces else "."
                                             for space in labels) for country, labels in board.labels.items()}
    elif position.cloisters:
        record["cloisters"] = rows(position.cloisters)
        if position.chains:
            record["chains"] = list(position.chains)
    record["councillors"] = rows(position.councillors)
    return record


# --- Form fields, filled in as the scripts of the form would ---

def letter_cells(position: Position, letters: Sequence[str], board: Board) -> dict[SheetCell, str]:
    """The texts of the cells with letters and players' names."""
    def rows(column: str, counts: Counts) -> dict[SheetCell, str]:
        return {SheetCell(0, country, column): "".join(letter * count for letter, count
                                                       in zip(letters, own, strict=True))
                for country, own in counts.items()}

    return {**{SheetCell(seat, NAME_ROW): name for seat, name in enumerate(position.players, 1)},
            **{SheetCell(0, board.space[label].country, label): letters[seat]
               for label, seat in position.spaces.items()},
            **rows(COUNCILLORS, position.councillors), **rows(INTERIM, position.interim or {})}


def as_interim(position: Position, board: Board) -> Position:
    """Move the cloisters to the interim scoring: where the sheet has them then."""
    return Position(players=position.players, interim={
        country: counts for country in board.labels if any(counts := position.cloister_counts(country, board))})


def sheet_points(score: Score, position: Position, board: Board) -> dict[SheetCell, int]:
    """The points on the sheet: also 0, but only in countries and boxes where a player scores."""
    boxes = sorted({box for player in score.players for box in player.alliances})
    cells = [*(SheetCell(0, row) for row in (("before",) if score.interim else SUMS)
               if row != "before" or not position.lacks_before),
             *(SheetCell(0, country, POINTS) for country in board.labels
               if any(position.cloister_counts(country, board))),
             *(SheetCell(0, country, INTERIM_POINTS) for country, counts in (position.interim or {}).items()
               if any(counts)),
             *(SheetCell(0, f"box{box}") for box in boxes)]
    return {cell._replace(seat=seat): points_by_cell(player, cell, position)
            for seat, player in enumerate(score.players, 1) for cell in cells}


def points_by_cell(player: PlayerScore, cell: SheetCell, position: Position) -> int:
    """The points of a player in a cell of the sheet."""
    interim = {country: country_points(counts)[position.players.index(player.name)]
               for country, counts in (position.interim or {}).items()}
    if cell.column == INTERIM_POINTS:
        return interim.get(cell.row, 0)
    if cell.row == "before" and interim:
        return sum(interim.values())
    if cell.column:
        return player.countries[cell.row].points if cell.row in player.countries else 0
    if cell.row.startswith("box"):
        return player.alliances.get(int(cell.row[3:]), 0) if cell.row[3:].isdecimal() else 0
    return int(getattr(player, cell.row))
