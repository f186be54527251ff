"""Points of lines, ranks of players, and sentences about both."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import reduce
from typing import Generic, TypeVar

from ppgen.lines import display_width, fit_width
from ppgen.play.rule_file import Rules, ScoreLine, compute
from ppgen.play.sheet_plan import Json
from ppgen.records import asdict, dataclass

# --- Sentences ---
PLACES = ("second", "third", "fourth", "fifth")  # keys of the places after the first, which few languages spell out
TABLE_WIDTH = 80  # columns of a line: the narrowest terminal that is still common
COLUMN, ENTRY = 15, 5  # columns of a player's column if there is room, and of the longest entry, `10→8 `


def format_signed(points: int) -> str:
    """Format points with a minus sign (U+2212)."""
    return str(points).replace("-", "−")


# Tables of a filled-in sheet, without a table library: importing one would take longer than the whole command.

@dataclass(frozen=True, slots=True, kw_only=True)
class ScoreTableRow:
    """A row: its label, and for each player a text for each half of the column."""

    label: str
    cells: tuple[tuple[str, ...], ...]
    strong: bool = False  # a sum
    parted: bool = False  # a rule above it


@dataclass(frozen=True, slots=True, kw_only=True)
class ScoreTable:
    """The players' names, the headings of the two halves of a column (empty if there is one), the rows, and a sentence
    that explains the cells."""

    players: tuple[str, ...]
    halves: tuple[str, ...] = ()
    rows: tuple[ScoreTableRow, ...]
    legend: str


@dataclass(frozen=True, slots=True, kw_only=True)
class StyledText:
    """A terminal line; ``strong`` ones are sums, ``rule`` ones separate."""

    text: str
    strong: bool = False
    rule: bool = False


def points_cell(count: int, points: int) -> str:
    """Format a count and its points with aligned arrows, or a dot for 0."""
    return f"{count}→{format_signed(points):<2}" if count else "·   "


def value_row(label: str, values: Iterable[int], *, strong: bool = False, parted: bool = False) -> ScoreTableRow:
    """Make a row with a number for each player."""
    return ScoreTableRow(label=label, cells=tuple((f"{format_signed(value):<2}",) for value in values), strong=strong,
                         parted=parted)


def terminal_lines(table: ScoreTable) -> Iterator[StyledText]:
    """Format the table as text: rows down, players across."""
    label = max(display_width(row.label) for row in table.rows)
    count = len(table.players)
    words = [display_width(half) for half in table.halves]
    column = min((TABLE_WIDTH - label) // count - 3, max(sum(words) + 1, COLUMN))
    rule = StyledText(text="─" * label + f"─┼{'─' * (column + 1)}" * count, rule=True)

    def line(name: str, cells: Sequence[str], strong: bool = False) -> StyledText:
        return StyledText(text=f"{fit_width(name, label)}{''.join(f' │ {cell}' for cell in cells)}".rstrip(),
                          strong=strong)

    has_headings, half = False, column // 2
    if table.halves:
        first_half = min(half, max(column - words[1] - 1, ENTRY))
        has_headings = words[0] <= first_half and words[1] < column - first_half
        half = first_half if has_headings else half

    def cell(texts: Sequence[str]) -> str:
        first, last = texts if len(texts) > 1 else ("", texts[0])
        return f"{_align_right(first, half)}{_align_right(last, column - half)}"

    yield line("", [fit_width(player, column) for player in table.players], strong=True)
    if has_headings:  # else the legend must do
        yield line("", [cell(table.halves)] * count)
    yield rule
    for row in table.rows:
        if row.parted:
            yield rule
        yield line(row.label, [*map(cell, row.cells)], row.strong)


def markdown(table: ScoreTable) -> str:
    """Format the table as Markdown, one column for each player."""
    names = [re.sub(r"([\\`*_{}\[\]<>|#~])", r"\\\1", name) for name in table.players]
    rows = [["", *names], ["---", *["---:"] * len(names)]]
    for row in table.rows:
        cells = [" / ".join(text.strip() for text in texts if text) for texts in row.cells]
        rows.append([f"**{cell}**" if row.strong else cell for cell in (row.label, *cells)])
    return "".join(f"| {' | '.join(row)} |\n" for row in rows)


def _align_right(text: str, width: int) -> str:
    return " " * (width - display_width(text)) + text


# --- Ranks ---
# The result of any game: its players in the order of the tallies, and who has won.

@dataclass(frozen=True, slots=True, kw_only=True)
class RankedPlayer:
    """Base of a player's score in a game: its other fields follow in the order of the JSON result."""

    name: str
    rank: int = 1
    total: int

    def record(self) -> Json:
        """The player's part of the result."""
        return asdict(self)

    def flat_record(self) -> Json:
        """The same for a line of a spreadsheet, with tables by row at most."""
        return self.record()


Player = TypeVar("Player", bound=RankedPlayer)


@dataclass(frozen=True, kw_only=True)
class Ranking(Generic[Player]):
    """The players in the order of the tallies, and the winners."""

    players: tuple[Player, ...]
    winners: tuple[str, ...]  # all who tie, if nothing decided
    tie_break: str | None  # that decided between equal totals; `draw` if none did

    def result(self, game: str, complete: bool, warnings: Iterable[object]) -> Json:
        """The result in the format of ``ppgen score --format json`` (contract, 'ppgen score')."""
        return {"game": game, "complete": complete, "winners": list(self.winners), "tie_break": self.tie_break,
                "warnings": list(map(str, warnings)), "players": [player.record() for player in self.players]}

    def lines(self) -> list[Json]:
        """A flat record for each player: single values, whether the player wins, then the tables row by row."""
        return [{**{key: value for key, value in record.items() if not isinstance(value, dict)},
                 "winner": int(record["name"] in self.winners),
                 **{f"{row}_{key}": value for table in record.values() if isinstance(table, dict)
                    for row, entry in table.items() for key, value in entry.items()}}
                for record in (player.flat_record() for player in self.players)]


# --- Lines ---
# Score by the rules of ``score.toml``, and the reasons for the points in words. ``score_lines.js`` is its twin.

Column = Mapping[str, int]  # the entries of a player by cell; cells in which nothing is written are left out
_PLACEHOLDER = re.compile(r"\{([a-z_]+)\}")


@dataclass(frozen=True, slots=True, kw_only=True)
class LineScore:
    """Counts and points of each line, player by player, and the totals."""

    names: tuple[str, ...]
    counts: tuple[tuple[int, ...], ...]
    points: tuple[tuple[int, ...], ...]
    totals: tuple[int, ...]
    ranks: tuple[int, ...]
    decided: str  # the tie-break between equal totals, `draw` if none did, or empty
    values: Mapping[str, tuple[int, ...]]  # of each tie-break

    @property
    def best(self) -> list[int]:
        """The seats with the best total."""
        return [seat for seat, total in enumerate(self.totals) if total == self.totals[self.ranks.index(1)]]

    @property
    def winners(self) -> list[str]:
        return [name for name, rank in zip(self.names, self.ranks, strict=True) if rank == 1]


def score_columns(rules: Rules, names: Sequence[str], columns: Sequence[Column]) -> LineScore:
    """Score the entries of all players."""
    counts: list[tuple[int, ...]] = []
    points: list[tuple[int, ...]] = []
    for line in rules.lines:
        values = [[points[n][seat] for n in line.points_of] if line.points_of else
                  [column.get(cell, 0) for cell in line.counts] for seat, column in enumerate(columns)]
        counts.append(count_line(line, values))
        written = [any(cell in column for cell in line.counts) for column in columns]
        points.append(score_line(line, counts[-1], values, written))
    totals = tuple(sum(points[n][seat] for n, line in enumerate(rules.lines) if line.added)
                   for seat in range(len(names)))
    values_by_name = {name: tuple(sum(column.get(cell, 0) for cell in cells) for column in columns)
                      for _, name, cells in rules.tie_break}
    signs = [-1 if rules.lowest else 1, *(-1 if want == "fewest" else 1 for want, _, _ in rules.tie_break)]
    merits = [[sign * value for sign, value in zip(signs, each, strict=True)] for each in zip(
        totals, *(values_by_name[name] for _, name, _ in rules.tie_break), strict=True)]
    ranks = tuple(1 + sum(other > own for other in merits) for own in merits)
    return LineScore(names=tuple(names), counts=tuple(counts), points=tuple(points), totals=totals, ranks=ranks,
                     decided=_decide(merits, [name for _, name, _ in rules.tie_break]), values=values_by_name)


def _decide(merits: Sequence[list[int]], names: Sequence[str]) -> str:
    """The name of the tie-break that leaves one of the best."""
    left = [each for each in merits if each[0] == max(merits)[0]]
    if len(left) < 2:
        return ""
    for n, name in enumerate(names, 1):
        left = [each for each in left if each[n] == max(left)[n]]
        if len(left) == 1:
            return name
    return "draw"


def count_line(line: ScoreLine, values: Sequence[Sequence[int]]) -> tuple[int, ...]:
    """Count a line for each player; ``values`` are what it counts."""
    own = [_take(line.take, each) for each in values]
    return tuple(sum(own) - each for each in own) if line.whose == "others" else tuple(own)


def _take(how: str, values: Sequence[int]) -> int:
    if how == "kinds":
        return sum(each > 0 for each in values)
    return max(values) if how == "most" else min(values) if how == "least" else sum(values)


def score_line(line: ScoreLine, counts: Sequence[int], values: Sequence[Sequence[int]] = (),
               written: Sequence[bool] = ()) -> tuple[int, ...]:
    """Score a line for each player. A formula scores only where anything is ``written``: 0 may be worth something."""
    if line.before or line.places:
        return score_places(line, counts)
    if line.formula is not None:
        points = [compute(line.formula, own) if any_ else 0 for own, any_ in zip(values, written, strict=True)]
    else:
        points = [_score_count(line, count) for count in counts]
    top = _order(line.only, counts)[:1]
    return tuple(each if not line.only or count in top else 0 for each, count in zip(points, counts, strict=True))


def _score_count(line: ScoreLine, count: int) -> int:
    if count < line.least and not line.signed:
        return 0
    if line.table:
        return next((points for start, points in reversed(line.table) if count >= start), 0)
    return line.each * (min(count, line.up_to) // line.per)


def _order(want: str, counts: Sequence[int]) -> list[int]:
    """The counts of the first place, the second and so on; 0 has no place among the most."""
    return sorted(set(counts)) if want == "fewest" else sorted(set(counts) - {0}, reverse=True)


def score_places(line: ScoreLine, counts: Sequence[int]) -> tuple[int, ...]:
    """Score the places; ``ties`` says what players who share one get."""
    order = _order(line.want, counts)
    worth = (line.exist or sum(counts), *order) if line.before else next(
        (line.places[least] for least in sorted(line.places, reverse=True) if len(counts) >= least), ())
    points = dict.fromkeys(counts, 0)
    ahead = 0
    for place, count in enumerate(order):
        tied = counts.count(count)
        own = worth[place if line.ties == "each" else ahead:]
        first = own[0] if own else 0
        points[count] = {"each": first, "skip": first, "share": int(first / tied), "none": first if tied == 1 else 0,
                         "split": int(sum(own[:tied]) / tied)}[line.ties]
        ahead += tied
    return tuple(0 if line.not_all and len(order) == 1 and ahead == len(counts) else points[each] for each in counts)


# Words. A text for a line (explain.gold.most) goes before that for all lines (explain.most).

@dataclass(frozen=True, slots=True, kw_only=True)
class Words:
    """The texts of a game in a language."""

    common: Mapping[str, str]

    def key(self, key: str, group: str = "") -> str:
        """The whole key of a text for a line, or else for all lines; empty if there is none."""
        rest = group.partition(".")[0]
        return next((each for each in (f"explain.{group}.{key}", f"explain.{rest}.{key}", f"explain.{key}",
                                       f"results.{key}") if each in self.common), "")

    def find(self, key: str, group: str = "") -> str | None:
        """The text of a key for a line, if there is any."""
        return self.common.get(self.key(key, group))

    def __call__(self, key: str, group: str = "", **values: object) -> str:
        text = self.find(key, group)
        return _PLACEHOLDER.sub(lambda match: str(values.get(match[1], match[0])),
                                self.common[key] if text is None else text)

    def join(self, names: Sequence[str]) -> str:
        """Join names: ``Ann, Bo and Cy``."""
        *first, last = names
        return self("and", first=self.chain("list", first), last=last) if first else last

    def chain(self, key: str, parts: Iterable[str]) -> str:
        """Append each part to the ones before it with the text of the key."""
        return reduce(lambda first, last: self(key, first=first, last=last) if first else last, parts, "")

    def sentence(self, what: str, clauses: Sequence[str]) -> str:
        """Say what points are for, and why each player has them."""
        return self("line", what=what, parts=self.chain("also", clauses))

    def count(self, what: str, count: int) -> str:
        """Format a count with its noun, if the game has one."""
        one = "_one" if str(abs(count)) in self.common["counted.singular"].split() else ""
        own = None if what == "points" else self.find(f"counted{one}", what)
        text = own or self.common.get(f"counted.{what.rpartition('.')[2]}{one}")
        return (text or "{count}").replace("{count}", format_signed(count))


def explain_lines(rules: Rules, scored: LineScore, words: Words) -> Iterator[str]:
    """Yield a sentence for each line in which any player has something, and for each total."""
    for n, line in enumerate(rules.lines):
        if line.added:
            yield from explain_line(line, scored.counts[n], scored.points[n], scored.names, words)
    for seat in range(len(scored.names)):
        yield explain_total(rules, scored, seat, words)


def explain_line(line: ScoreLine, counts: Sequence[int], points: Sequence[int], names: Sequence[str],
                 words: Words) -> Iterator[str]:
    """Yield the sentence for a line, if any player has something in it."""
    if clauses := list(_clauses(line, counts, points, names, words)):
        yield words.sentence(line.label, clauses)


def explain_total(rules: Rules, scored: LineScore, seat: int, words: Words, key: str = "total") -> str:
    """The sentence for a player's total, with the text of a key."""
    own = {line.key: scored.points[n][seat] for n, line in enumerate(rules.lines)}
    parts = words.chain("list", [words("part", points=format_signed(own[line.key]), label=line.label)
                                 for line in rules.lines if line.added and own[line.key]] or ["0"])
    return words.sentence(scored.names[seat], [words(
        key, **{key.replace("-", "_"): format_signed(points) for key, points in own.items()} | {
            "parts": parts, "total": format_signed(scored.totals[seat])})])


def _clauses(line: ScoreLine, counts: Sequence[int], points: Sequence[int], names: Sequence[str],
             words: Words) -> Iterator[str]:
    seats = [seat for seat in range(len(names)) if counts[seat] or points[seat]]
    if not seats:
        yield from filter(None, [words.find("nobody", line.group)])
    elif line.places and not any(points):  # a place that scores nothing with so few players
        return
    elif line.before or line.places or line.only:
        yield from _place_clauses(line, counts, points, names, words)
    else:
        for seat in seats:
            key = "entry" if line.signed else "short" if counts[seat] < line.least else "each"
            yield words(key, line.group, name=names[seat], count=format_signed(counts[seat]),
                        points=format_signed(points[seat]), measure=line.least)


def _place_clauses(line: ScoreLine, counts: Sequence[int], points: Sequence[int], names: Sequence[str],
                   words: Words) -> Iterator[str]:
    want, less = line.only or line.want, []
    order = _order(want, counts)
    for place, count in enumerate(order):
        tied = [seat for seat, own in enumerate(counts) if own == count]
        if place and not points[tied[0]]:
            less += [words("held", line.group, name=names[seat], count=format_signed(count)) for seat in tied]
            continue
        before = [name for name, own in zip(names, counts, strict=True) if place and own == order[place - 1]]
        key = want if not place else "next_before" if line.before else "next"
        holders = words("before_many" if len(before) > 1 else "before_one", line.group,
                        names=words.join(before)) if before else ""
        nth = words.common[f"places.{PLACES[place - 1]}"] if 0 < place <= len(PLACES) else str(place + 1)
        yield words(f"{key}_shared" if len(tied) > 1 else key, line.group, count=format_signed(count), place=nth,
                    before=holders, points=format_signed(points[tied[0]]),
                    names=words.join([names[seat] for seat in tied]))
    if less:
        yield words("less", line.group, counts=words.chain("list", less))


def compose_line_verdict(rules: Rules, scored: LineScore, words: Words, *, over: bool = True) -> str:
    """Name the winner and the tie-break, or the leader; for a column alone the verdict, if there is any."""
    first = scored.ranks.index(1)
    total = scored.totals[first]
    points, best = words.count("points", total), [scored.names[seat] for seat in scored.best]
    if over and rules.verdicts and len(scored.names) == 1:
        said = next((text for least, text in reversed(rules.verdicts) if total >= least), "")
        return words("judged", points=points, verdict=said)
    if not over:
        return words("leaders" if len(best) > 1 else "leader", points=points, names=words.join(best), name=best[0])
    if not scored.decided:
        return words("winner", name=best[0], points=points)
    last = scored.decided if scored.decided != "draw" else next(reversed([*scored.values]), "")
    own = scored.values[last][first] if last else 0
    beaten = [scored.values[last][seat] for seat in scored.best if scored.ranks[seat] > 1] if last else []
    fewest = any(want == "fewest" and name == last for want, name, _ in rules.tie_break)
    label = next((line.label for line in rules.lines if last in (line.key, line.group, line.row)), last)
    values = {"names": words.join(best), "winners": words.join(scored.winners), "winner": scored.names[first],
              "points": points, "own": own, "counted": words.count(last, own) if last else "", "what": label,
              "others": (min if fewest else max)(beaten) if beaten else 0}
    if scored.decided != "draw":
        return words("decided_fewest" if fewest else "decided", last, **values)
    key = "draw_some" if beaten else "draw_all" if last else "draw"
    return words(key, last, **{**values, "names": values["winners"] if key == "draw" else values["names"]})
