"""Scoring of the card game: its tallies, and its results."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from itertools import chain, islice
from pathlib import Path
from typing import Any

from ppgen.errors import Problem, Spot, join_names
from ppgen.games.card_game import NAME
from ppgen.games.card_game.deck import (Card, Claim, Country, Deck, can_share, count_routes, count_symbols, load_deck,
                                        max_of_kind, max_of_one_kind, max_symbols)
from ppgen.play import sheet_plan as validation
from ppgen.play.game_scoring import read_cells, read_players
from ppgen.play.line_points import (LineScore, RankedPlayer, Ranking, ScoreTable, ScoreTableRow,
                                    points_cell as format_cell, score_columns, value_row)
from ppgen.play.rule_file import Rules, ScoreLine
from ppgen.play.rule_game import LineTallies, RuleScoring, ScoredRules, plan_rows
from ppgen.play.sheet_plan import (FACTS, NAME_ROW, Checker, Json, NameSort, RawGame, SheetCell, SheetPlan, SheetRow,
                                   fold_case)
from ppgen.reading.fields import Trail, format_value
from ppgen.reading.texts import Texts
from ppgen.records import asdict, dataclass, field, replace

# --- Tallies ---

COLUMNS = ("cards", "symbols")  # counts of a tally for each country
SINGLE_COUNTS = ("ships", "carriages", "minus_two")  # its other counts
POINTS = {"cards": "country_points", "symbols": "symbol_points", "chains": "chain_points", "minus_two": "law_points"}
"""The names of points on the sheet and in results, by column or row, where they are not those of ``score.toml``."""
ROWS = (*SINGLE_COUNTS, *FACTS)  # the rows of the sheet other than countries, by the keys of a tally
PLAYER_KEYS = ("name", *COLUMNS, *SINGLE_COUNTS, "collected")
COUNTED = ("cards", "symbols", "ships", "carriages")  # counts that `collected` replaces
_ROUTES = (("ships", "ship"), ("carriages", "carriage"))


def points_cell(line: ScoreLine) -> SheetCell | None:
    """The cell of the points of a line, without a seat; None for ships and carriages, which have one together."""
    if line.column:
        return SheetCell(0, line.row, POINTS[line.column])
    return None if line.key in ("ships", "carriages") else SheetCell(0, POINTS.get(line.key, line.key))


def sheet_plan(deck: Deck) -> SheetPlan:
    """Plan a row for each country, then ships, carriages and law tablets: the order of the rules."""
    def localize(row: SheetRow) -> SheetRow:
        return replace(row, label=f"{'countries' if row.columns[0].key else 'tally'}.{row.key}", columns=tuple(
            replace(column, ask=f"ask.{column.key}_of" if column.key else f"ask.{row.key}") for column in row.columns))

    plan, cells = plan_rows(deck.rules), map(points_cell, deck.rules.lines)
    return replace(plan, rows=tuple(map(localize, plan.rows)), total="score.total", points=(
        *dict.fromkeys(cell.column or cell.row for cell in cells if cell), "total"))


@dataclass(frozen=True, slots=True, kw_only=True)
class Tally:
    """The counts of a player; missing countries are 0."""

    name: str
    cards: Mapping[str, int] = field(default_factory=dict)  # of each country
    symbols: Mapping[str, int] = field(default_factory=dict)  # of the player's best kind in each
    ships: int = 0
    carriages: int = 0
    minus_two: int = 0  # law tablets of that kind


def tally_cards(name: str, cards: Iterable[Card], minus_two: int = 0) -> Tally:
    """Count the cards that a player collected."""
    by_country: dict[str, list[Card]] = {}
    for card in cards:
        by_country.setdefault(card.country.id, []).append(card)
    routes = count_routes(chain.from_iterable(by_country.values()))
    return Tally(
        name=name,
        cards={country: len(own) for country, own in by_country.items()},
        symbols={country: max(count_symbols(own).values(), default=0) for country, own in by_country.items()},
        ships=routes["ship"], carriages=routes["carriage"], minus_two=minus_two)


class TallyNames(validation.NameIndex):
    """The names of countries, kinds of symbols, rows and columns that users may write."""

    def __init__(self, deck: Deck, locales: Path, lang: str = "en", common: Path | None = None) -> None:
        codes = {fold_case(country.code): country.id for country in deck.countries}
        super().__init__({
            "countries": NameSort(tuple(country.id for country in deck.countries), "countries", codes, is_row=True),
            "symbols": NameSort(deck.symbols, "kinds"), "rows": NameSort(ROWS, "tally", is_row=True),
            "columns": NameSort(COLUMNS, "tally")}, locales, lang, common)


@dataclass(frozen=True, slots=True, kw_only=True)
class Hand:
    """A player's tally with its details."""

    seat: int
    tally: Tally
    collected: tuple[Card, ...] | None = None  # the cards, if they were listed
    kinds: Mapping[str, Mapping[str, int]] = field(default_factory=dict)  # counts of each kind, where they were given
    trails: Mapping[tuple[str, str], Trail] = field(default_factory=dict)  # of entries by ("cards"/"symbols", country)
    doubtful: frozenset[str] = frozenset()  # countries whose count of cards could not be read: nothing follows there

    def trail(self, sort: str, country: str = "") -> Trail:
        return self.trails.get((sort, country), ("players", self.seat, sort))


def check_tallies(raw: RawGame, deck: Deck, names: TallyNames) -> LineTallies:
    """Check the tallies of a raw game. Raises InputError with all problems (contract, 'Wrong tallies')."""
    reader = _Reader(raw, deck, names)
    hands = [reader.hand(n, *player) for n, player in enumerate(read_players(reader, sheet_plan(deck), NAME))]
    facts = reader.facts()
    reader.problems.extend(find_implausible(hands, deck, raw.where, names))
    reader.problems.sort(key=lambda problem: problem.line)
    reader.problems.raise_if_any()
    counts = {country: sum(hand.tally.cards.get(country.id, 0) for hand in hands) for country in deck.countries}
    missing = [Problem(raw.place, names.say("wrong.missing", country=names.say(f"countries.{country.id}"), count=count,
                                            number=country.number), names.say("wrong.again_or_partial"), key=country.id)
               for country, count in counts.items() if count < country.number]
    return LineTallies(players=[asdict(hand.tally) for hand in hands], facts=facts, missing=missing)


class _Reader(Checker):
    """Reads the document of a raw game, and notes its problems."""

    def __init__(self, raw: RawGame, deck: Deck, names: TallyNames) -> None:
        super().__init__(raw, names)
        self.deck = deck
        self._cards = {card.id: card for card in deck.cards}
        self._collectors: dict[str, str] = {}

    def hand(self, number: int, name: str, player: Mapping[str, object]) -> Hand:
        at: Trail = ("players", number)
        self.note_unknown(at, player, PLAYER_KEYS)
        counts = {key: self._count((*at, key), player.get(key), name) for key in SINGLE_COUNTS}
        trails: dict[tuple[str, str], Trail] = {}
        problems = len(self.problems)
        entries = self._table((*at, "cards"), player.get("cards"), trails)
        cards: dict[str, int] = {}
        doubtful = {country.id for country in self.deck.countries
                    if len(self.problems) > problems and country.id not in entries}  # what can't be read may be its own
        for country, value in entries.items():
            problems = len(self.problems)
            cards[country] = self._count(trails["cards", country], value, name, country)
            doubtful |= {country} if len(self.problems) > problems else set()
        symbols = self._table((*at, "symbols"), player.get("symbols"), trails)
        best = {country: self._best(trails["symbols", country], value, name, country)
                for country, value in symbols.items()}
        collected = player.get("collected")
        if collected is not None:
            present = (any(cards.values()), any(any(kinds.values()) for kinds in best.values()),
                       counts["ships"], counts["carriages"])
            if duplicates := [key for key, is_present in zip(COUNTED, present, strict=True) if is_present]:
                self.note((*at, "collected"), self.say("wrong.beside", words=join_names(duplicates)),
                          self.say("wrong.either"))
            own = tuple(self._collected((*at, "collected"), name, collected))
            return Hand(seat=number, tally=tally_cards(name, own, counts["minus_two"]), collected=own, trails=trails)
        tally = Tally(
            name=name, cards=cards, ships=counts["ships"], carriages=counts["carriages"],
            minus_two=counts["minus_two"],
            symbols={country: max(kinds.values(), default=0) for country, kinds in best.items()})
        return Hand(seat=number, tally=tally, trails=trails, doubtful=frozenset(doubtful),
                    kinds={country: kinds for country, kinds in best.items() if "" not in kinds})

    def _table(self, at: Trail, value: object, trails: dict[tuple[str, str], Trail]) -> dict[str, object]:
        """The entries of ``cards`` or ``symbols`` by country; their trails are added to ``trails``."""
        if value is None:
            return {}
        if not isinstance(value, dict):
            self.note(at, self.say("wrong.table"), self.say("wrong.like", example="france = 5"))
            return {}
        entries = list(self.entries(at, value, "countries", "wrong.country"))
        trails.update(((str(at[-1]), country), trail) for country, _, trail in entries)
        return {country: entry for country, entry, _ in entries}

    def _best(self, at: Trail, value: object, name: str, country: str) -> dict[str, int]:
        """The count of each kind, or the best count under the empty key if there is only that."""
        if not isinstance(value, dict):
            return {"": self._count(at, value, name, country)}
        return {kind: self._count(trail, entry, name, country)
                for kind, entry, trail in self.entries(at, value, "symbols", "wrong.kind")}

    def _collected(self, at: Trail, name: str, value: object) -> Iterator[Card]:
        if not isinstance(value, list):
            self.note(at, self.say("wrong.cards"), self.say("wrong.like", example='["france-1", "france-4"]'))
            return
        for place, id in enumerate(islice(value, 2 * len(self._cards))):
            if not isinstance(id, str) or id not in self._cards:
                self.note((*at, place), self.say("wrong.card", word=format_value(id)),
                          self.names.did_you_mean(str(id), self._cards) or self.say("wrong.cards_known"))
            elif id in self._collectors:
                self.note((*at, place), self.say("wrong.card_again", word=id, name=self._collectors[id]),
                          self.say("wrong.card_once"))
            else:
                self._collectors[id] = name
                yield self._cards[id]

    def _count(self, at: Trail, value: object, name: str, country: str = "") -> int:
        """The count of an entry; problems name the player and the row of the sheet."""
        row = f"countries.{country}" if country else f"tally.{at[-1]}"
        return self.count(at, value, lambda what: self.say(
            "wrong.cell", name=name, country=self.say(row), column=self.say(f"tally.{at[2]}"), what=what
        ) if country else self.say("wrong.entry", name=name, row=self.say(row), what=what))


# Plausibility: counts above those of the deck, or above those that a player's cards can show, are problems. Checked are
# the counts of the rules (German rules, section 'Die Wertung und das Spielende'): cards, the symbols of one kind,
# ships, carriages and the law tablets worth -2.

def find_implausible(hands: Sequence[Hand], deck: Deck, where: Callable[[Trail], Spot],
                     names: TallyNames) -> Iterator[Problem]:
    """Yield a problem for each count that the deck does not allow."""
    listed = {card.id for hand in hands for card in hand.collected or ()}
    counting = [hand for hand in hands if hand.collected is None]
    free: dict[str, list[Card]] = {country.id: [] for country in deck.countries}
    for card in deck.cards:
        if card.id not in listed:
            free[card.country.id].append(card)
    findings = (*(finding for country in deck.countries
                  for finding in _judge_country(hands, counting, country, free[country.id])),
                *_judge_routes(hands, counting, deck, free), *_judge_laws(hands, deck))
    for finding in findings:
        yield where(finding.trail).problem(*finding.describe(names.say))


@dataclass(frozen=True, slots=True, kw_only=True)
class _Finding:
    """A problem at a trail: the keys of its texts and their values."""

    trail: Trail
    what: str
    remedy: str = "wrong.again"
    values: Mapping[str, object] = field(default_factory=dict)  # `country` and `kind` are keys
    counts: Mapping[str, int] = field(default_factory=dict)  # are formatted with their nouns
    shares: Sequence[tuple[str, int]] = ()  # of the players, two of whom may have the same name

    def describe(self, say: Texts) -> tuple[str, str]:
        """Format the problem and the remedy in a language."""
        tables = {"country": "countries", "kind": "kinds"}
        values = {key: say(f"{tables[key]}.{value}") if key in tables else value for key, value in self.values.items()}
        values |= {key: say.count(f"counted.{key}", number) for key, number in self.counts.items()}
        values["shares"] = say.join(f"{name} {count}" for name, count in self.shares if count)
        return say(self.what, **values), say(self.remedy, **values)


def _judge_country(hands: Sequence[Hand], counting: Sequence[Hand], country: Country,
                   free: Sequence[Card]) -> Iterator[_Finding]:
    id = country.id
    counts = [(hand.tally.name, hand.tally.cards.get(id, 0)) for hand in hands]
    findings = [_Finding(trail=hand.trail("cards", id), what="wrong.cards_one", remedy="wrong.cards_exist",
                         values={"name": hand.tally.name, "country": id, "number": country.number},
                         counts={"cards": count})
                for hand in counting if (count := hand.tally.cards.get(id, 0)) > country.number]
    if not findings and (total := sum(count for _, count in counts)) > country.number:
        last = [hand for hand in counting if hand.tally.cards.get(id)][-1]
        findings.append(_Finding(trail=last.trail("cards", id), what="wrong.cards_all", shares=counts, values={
            "country": id, "count": total, "number": country.number}))
    counting = [hand for hand in counting if id not in hand.doubtful]
    findings += [finding for hand in counting for finding in _judge_symbols(hand, id, free)]
    yield from findings
    claims = [(hand, _claim(hand, id)) for hand in counting]
    if not findings and not can_share(free, [claim for _, claim in claims]):
        last = [hand for hand, claim in claims if claim.best][-1]
        yield _Finding(trail=last.trail("symbols", id), what="wrong.best_all", values={"country": id},
                       shares=[(hand.tally.name, claim.best) for hand, claim in claims])


def _claim(hand: Hand, country: str) -> Claim:
    return Claim(cards=hand.tally.cards.get(country, 0), best=hand.tally.symbols.get(country, 0),
                 kinds=hand.kinds.get(country, {}))


def _judge_symbols(hand: Hand, country: str, free: Sequence[Card]) -> Iterator[_Finding]:
    """Yield a finding if the player's cards of a country can't show that many symbols."""
    claim, at = _claim(hand, country), hand.trail("symbols", country)
    if not claim.best:
        return

    def finding(what: str, symbols: int, bound: int, trail: Trail = at, kind: str = "") -> _Finding:
        return _Finding(trail=trail, what=what, remedy="wrong.at_most",
                        counts={"symbols": symbols, "cards": claim.cards},
                        values={"name": hand.tally.name, "country": country, "number": bound,
                                **({"kind": kind} if kind else {})})

    excess = False
    for kind, count in claim.kinds.items():
        if count > (bound := max_of_kind(free, claim.cards, kind)):
            excess = True
            yield finding("wrong.kind_on", count, bound, (*at, kind), kind)
    if excess:
        return
    if (total := sum(claim.kinds.values())) > (bound := max_symbols(free, claim.cards)):
        yield finding("wrong.symbols_on", total, bound)
    elif claim.best > (bound := max_of_one_kind(free, claim.cards)):
        yield finding("wrong.best_on", claim.best, bound)


def _judge_routes(hands: Sequence[Hand], counting: Sequence[Hand], deck: Deck,
                  free: Mapping[str, Sequence[Card]]) -> Iterator[_Finding]:
    """Yield findings for more ships or carriages than a player's cards can show, or than exist."""
    exist = count_routes(deck.cards)
    free_routes = {country: count_routes(cards) for country, cards in free.items()}
    excessive: set[int] = set()
    for hand in counting:
        if hand.doubtful:
            continue
        own = {name: getattr(hand.tally, name) for name, _ in _ROUTES}
        for name, route in _ROUTES:
            if own[name] > (bound := _max_routes(hand.tally, free_routes, route)):
                excessive.add(hand.seat)
                yield _Finding(trail=hand.trail(name), what=f"wrong.{name}_on", remedy="wrong.at_most_shown",
                               values={"name": hand.tally.name, "number": bound}, counts={name: own[name]})
        if hand.seat not in excessive and sum(own.values()) > (
                bound := _max_routes(hand.tally, free_routes, *(route for _, route in _ROUTES))):
            excessive.add(hand.seat)
            yield _Finding(trail=hand.trail("carriages"), what="wrong.routes_on", remedy="wrong.at_most_both",
                           values={"name": hand.tally.name, "number": bound}, counts=own)
    for name, route in _ROUTES:
        counts = [(hand.tally.name, getattr(hand.tally, name)) for hand in hands]
        if not excessive and (total := sum(count for _, count in counts)) > exist[route]:
            last = [hand for hand in counting if getattr(hand.tally, name)][-1]
            yield _Finding(trail=last.trail(name), what=f"wrong.{name}_all", shares=counts, values={
                "count": total, "number": exist[route]})


def _max_routes(tally: Tally, free: Mapping[str, Mapping[str, int]], *routes: str) -> int:
    """The most of these routes that a player's cards can show (a card shows one or none)."""
    return sum(min(count, sum(free[country][route] for route in routes)) for country, count in tally.cards.items())


def _judge_laws(hands: Sequence[Hand], deck: Deck) -> Iterator[_Finding]:
    copies, counts = deck.copies_of("minus_two"), [(hand.tally.name, hand.tally.minus_two) for hand in hands]
    if (total := sum(count for _, count in counts)) > copies:
        last = [hand for hand in hands if hand.tally.minus_two][-1]
        yield _Finding(trail=last.trail("minus_two"), what="wrong.minus_two_all",
                       shares=counts, values={"count": total, "number": copies})


# --- Scoring ---

def open_scoring(folder: Path, common: Path, lang: str) -> CardScoring:
    """Open the scoring of the deck in a data folder; ``common`` has the common texts. Raises InputError."""
    deck, _ = load_deck(folder)  # warnings for the designer do not concern scoring
    return CardScoring(deck=deck, names=TallyNames(deck, folder / "locales", lang, common))


@dataclass(frozen=True, slots=True, kw_only=True)
class CountryResult:
    """A player's counts of a country and their points, in the order of the JSON result."""

    cards: int
    symbols: int
    country_points: int
    symbol_points: int


@dataclass(frozen=True, slots=True, kw_only=True)
class PlayerResult(RankedPlayer):
    """A player's column of the score sheet. ``law_points`` is 0 or negative, ``cards`` counts all cards."""

    cards: int
    countries: Mapping[str, CountryResult]
    country_subtotal: int
    symbol_subtotal: int
    ships: int
    carriages: int
    chain_points: int
    minus_two: int
    law_points: int


Score = Ranking[PlayerResult]


def score_game(tallies: Sequence[Tally], rules: Rules) -> Score:
    """Score a game; the players are in the order of ``tallies``, which does not affect points."""
    columns = [{cell.field: count for cell, count in read_cells(asdict(tally)) if isinstance(count, int)}
               for tally in tallies]
    return rank_players(score_columns(rules, [tally.name for tally in tallies], columns), rules)


def rank_players(scored: LineScore, rules: Rules) -> Score:
    """The score under the names of the JSON result."""
    def player(seat: int) -> PlayerResult:
        counts = {line.key: scored.counts[n][seat] for n, line in enumerate(rules.lines)}
        points = {line.key: scored.points[n][seat] for n, line in enumerate(rules.lines)}
        countries = {row: CountryResult(
            cards=counts[f"{row}.cards"], symbols=counts[f"{row}.symbols"], country_points=points[f"{row}.cards"],
            symbol_points=points[f"{row}.symbols"]) for row in dict.fromkeys(
                line.row for line in rules.lines if line.column)}
        return PlayerResult(
            name=scored.names[seat], rank=scored.ranks[seat], total=scored.totals[seat], countries=countries,
            cards=sum(country.cards for country in countries.values()), country_subtotal=points["country_subtotal"],
            symbol_subtotal=points["symbol_subtotal"], ships=counts["ships"], carriages=counts["carriages"],
            chain_points=points["chains"], minus_two=counts["minus_two"], law_points=points["minus_two"])

    return Ranking(players=tuple(map(player, range(len(scored.names)))), winners=tuple(scored.winners),
                   tie_break=scored.decided.rpartition(".")[2] or None)


class CardScoring(RuleScoring):
    """The scoring of the card game."""

    default = True
    names: TallyNames

    def __init__(self, *, deck: Deck, names: TallyNames, game: str = NAME, interim: bool = False) -> None:
        super().__init__(game, deck.rules, names)
        self.deck, self.interim = deck, interim

    @cached_property
    def spoken_rules(self) -> Rules:
        def label(line: ScoreLine) -> str:
            if line.column:
                return self.say(f"explain.{line.group}.heading", row=self.say(f"countries.{line.row}"))
            return self.say(f"tally.{line.key}") if line.added else line.label

        return replace(self.rules, lines=tuple(replace(line, label=label(line)) for line in self.rules.lines))

    @cached_property
    def plan(self) -> SheetPlan:
        return sheet_plan(self.deck)

    @property
    def remarks(self) -> Mapping[str, str]:
        say = self.say
        return {"singles": say("template.chains"), "columns": say("template.collected", card=self.deck.cards[0].id),
                "cards": say("template.cards"), "symbols": say("template.symbols", example="{ cross = 4, fan = 1 }")}

    def read(self, raw: RawGame) -> LineTallies:
        return check_tallies(raw, self.deck, self.names)

    def rank(self, scored: LineScore) -> Score:
        return rank_players(scored, self.rules)

    def points_cell(self, line: ScoreLine) -> SheetCell | None:
        return points_cell(line)

    def make_sheet(self, **values: Any) -> ScoredCardGame:
        return ScoredCardGame(scoring=self, **values)


@dataclass(frozen=True, kw_only=True)
class ScoredCardGame(ScoredRules[PlayerResult]):
    """A game and its score."""

    scoring: CardScoring

    @property
    def result(self) -> Json:
        """The result, without a digest of the rules."""
        return self.score.result(self.scoring.game, self.complete, self.warnings)

    def table(self) -> ScoreTable:
        """The table of the plan, with a row of subtotals below the countries."""
        say, plan, players = self.say, self.scoring.plan, self.score.players
        countries = len(self.scoring.deck.countries)
        counts = [{cell: value for cell, value in read_cells(player) if isinstance(value, int)}
                  for player in self.players]
        columns = list(zip(counts, self.scoring.points(counts), strict=True))
        rows = [ScoreTableRow(label=say(row.label), cells=tuple(
            tuple(format_cell(counts.get(cell, 0), points.get(cell, 0)) for cell in plan.cells_of(row, 0))
            for counts, points in columns)) for row in plan.rows]
        subtotals = ScoreTableRow(label=say("score.subtotal"), parted=True, cells=tuple(
            (f"{player.country_subtotal:<2}", f"{player.symbol_subtotal:<2}") for player in players))
        return ScoreTable(
            players=tuple(player.name for player in players), legend=say("results.legend"),
            halves=tuple(say(f"tally.{key}") for key in plan.column_keys), rows=(
                *rows[:countries], subtotals, *rows[countries:],
                value_row(say(plan.total), (player.total for player in players), strong=True, parted=True),
                value_row(say("results.rank"), (player.rank for player in players))))

    def entries(self) -> Mapping[SheetCell, str]:
        return {cell: text for cell, text in super().entries().items() if text != "0" or cell.row == NAME_ROW}
