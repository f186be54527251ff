"""The deck: its cards, its limits, and how both are read and checked."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import combinations
from pathlib import Path
from typing import Literal, cast

from ppgen.assets import SCORE_FILE
from ppgen.errors import Phrase, Problem, Problems, display_path, format_count, join_names
from ppgen.play.rule_file import Rules, read_rules
from ppgen.reading.fields import (Fields, close_all, read_csv, read_toml, report_duplicates, take_code, take_colour,
                                  take_id, take_pattern)
from ppgen.records import dataclass, field, replace

# --- Cards ---

Route = Literal["ship", "carriage"]  # a route by sea or by land; a card shows one or none
ROUTES: tuple[Route, ...] = ("ship", "carriage")

LAWS = ("take_back_stone", "three_symbols", "mixed_countries", "minus_two")  # the four kinds of law tablet in the rules

MIN_PLAYERS, MAX_PLAYERS = 3, 5
STONES_EACH = 3  # claim stones of a player (German rules, section 'Spielvorbereitung')
DISPLAY_ROWS, DISPLAY_COLUMNS = 4, 14  # layout of the country cards (German rules, section 'Spielvorbereitung')
TABLET_PLACES = 8  # cards of the display with a law tablet (the figure in the same section)
MAX_SYMBOLS = 2  # circle symbols that a turn may take without a law (German rules, section 'Karten nehmen')
SCORE_LINES = ("country_subtotal", "symbol_subtotal", "carry", "ships", "carriages", "chains", "minus_two")
"""Lines of ``score.toml`` beside those of the countries."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Country:
    """A country."""

    id: str
    number: int  # of its cards
    code: str  # two letters, the same in every language
    colour: str  # `#RRGGBB`
    arms: str  # names the drawn coat of arms
    line: int = 0  # of `number` in `countries.toml`


@dataclass(frozen=True, slots=True, kw_only=True)
class Card:
    """A country card: the kinds of its circle symbols (repeated kinds are listed again), its route, and its line in
    ``cards.csv``."""

    id: str
    country: Country
    symbols: tuple[str, ...] = ()
    route: Route | None = None
    line: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Law:
    """A kind of law tablet, one of :data:`LAWS`."""

    id: str
    copies: int

    @property
    def component(self) -> str:
        """The id of the printed tablet: ``law-minus-two``."""
        return f"law-{self.id.replace('_', '-')}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Stone:
    """The claim stones of a player (1 to 5): colour ``#RRGGBB``, the name of the outline, and the line of ``copies`` in
    ``stones.toml``."""

    player: int
    colour: str
    shape: str
    copies: int
    line: int = 0

    @property
    def component(self) -> str:
        """The id of the printed stone: ``claim-stone-1``."""
        return f"claim-stone-{self.player}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Deck:
    """Everything in the box except paper."""

    countries: tuple[Country, ...]  # in scoring order
    symbols: tuple[str, ...]
    cards: tuple[Card, ...]  # in the order of the file
    laws: tuple[Law, ...]
    tablet_width: float  # share of the card's size
    tablet_height: float  # likewise
    stones: tuple[Stone, ...]
    stone_size: str  # diameter as written in `stones.toml`, with its unit: `22mm`
    rules: Rules  # of scoring

    def copies_of(self, law: str) -> int:
        """The number of tablets with a law."""
        return sum(each.copies for each in self.laws if each.id == law)

    def cards_of(self, country: Country) -> tuple[Card, ...]:
        return tuple(card for card in self.cards if card.country == country)


def count_symbols(cards: Iterable[Card]) -> Counter[str]:
    """Count the circle symbols of each kind."""
    return Counter(kind for card in cards for kind in card.symbols)


def may_follow(card: Card, taken: Sequence[Card], laws: Collection[str] = ()) -> bool:
    """Check that a turn that has ``taken`` cards, and played these laws, may go on with another card.

    The symbol that reaches the limit ends the taking: not even a card without symbols follows (examples of the German
    and Japanese rules, section 'Karten nehmen').
    """
    limit = MAX_SYMBOLS + ("three_symbols" in laws)
    symbols = count_symbols(taken).total()
    is_country_allowed = not taken or card.country.id == taken[0].country.id or "mixed_countries" in laws
    return is_country_allowed and symbols < limit and symbols + len(card.symbols) <= limit


def count_routes(cards: Iterable[Card]) -> Counter[str]:
    """Count the ships and carriages."""
    return Counter(card.route for card in cards if card.route)


def describe_deck(deck: Deck) -> list[dict[str, object]]:
    """List a record for each component for ``ppgen list``: cards, law tablets, claim stones."""
    cards: list[dict[str, object]] = [
        {"id": card.id, "kind": "country-card", "country": card.country.id, "number": card.country.number,
         "symbols": dict(count_symbols([card])), "route": card.route, "copies": 1} for card in deck.cards]
    return [
        *cards,
        *({"id": law.component, "kind": "law-tablet", "law": law.id, "copies": law.copies} for law in deck.laws),
        *({"id": stone.component, "kind": "claim-stone", "player": stone.player, "copies": stone.copies}
          for stone in deck.stones)]


# --- Checks ---
# Errors prevent playing. The warnings are about a deck that the display of the rules does not fit.

CardSymbols = tuple[str, ...]  # the circle symbols of a card
MAX_SEARCH_STEPS = 20_000  # hands tried before a claim is accepted; the shipped deck needs a few hundred


# Limits of tallies: they err on the side of the players, and never exclude a tally that some hand of cards allows.

def max_of_kind(cards: Iterable[Card], hand: int, kind: str) -> int:
    """The most circle symbols of this kind on ``hand`` of the cards."""
    return _sum_of_largest((card.symbols.count(kind) for card in cards), hand)


def max_of_one_kind(cards: Iterable[Card], hand: int) -> int:
    """The most circle symbols of any one kind on ``hand`` of the cards."""
    return _max_of_one_kind(tuple(card.symbols for card in cards), hand)


def max_symbols(cards: Iterable[Card], hand: int) -> int:
    """The most circle symbols of all kinds together on ``hand`` of the cards."""
    return _sum_of_largest((len(card.symbols) for card in cards), hand)


def _sum_of_largest(values: Iterable[int], hand: int) -> int:
    return sum(sorted(values, reverse=True)[:hand])


@lru_cache(maxsize=1024)  # many games have the same deck
def _max_of_one_kind(cards: tuple[CardSymbols, ...], hand: int) -> int:
    kinds = {kind for symbols in cards for kind in symbols}
    return max((_sum_of_largest((symbols.count(kind) for symbols in cards), hand) for kind in kinds), default=0)


@dataclass(frozen=True, slots=True, kw_only=True)
class Claim:
    """A player's claim on the cards of a country: their number, the best count of a kind, or of each kind."""

    cards: int
    best: int = 0
    kinds: Mapping[str, int] = field(default_factory=dict)

    def is_met_by(self, hand: Sequence[CardSymbols]) -> bool:
        symbols = [kind for card in hand for kind in card]
        return (max(map(symbols.count, symbols), default=0) >= self.best
                and all(symbols.count(kind) >= count for kind, count in self.kinds.items()))


def can_share(cards: Iterable[Card], claims: Iterable[Claim]) -> bool:
    """True if the cards of a country can be dealt so that every claim is met.

    Each claim must be possible by itself, and the claims together must not exceed the number of cards. Claims without
    symbols take any cards and are left out.

    A depth-first search deals to one claim after the other, the highest first, from the cards with the most symbols
    on. Hands with the same symbols are tried once, and remaining cards that failed a claim are remembered. After
    :data:`MAX_SEARCH_STEPS` hands the answer is yes.
    """
    ordered = sorted((claim for claim in claims if claim.best), key=lambda claim: -claim.best)
    steps = iter(range(MAX_SEARCH_STEPS))
    failed: set[tuple[int, tuple[CardSymbols, ...]]] = set()

    def deal(rest: tuple[CardSymbols, ...], seat: int) -> bool:
        if seat == len(ordered):
            return True
        if (seat, rest) in failed:
            return False
        tried: set[tuple[CardSymbols, ...]] = set()
        for places in combinations(range(len(rest)), ordered[seat].cards):
            if next(steps, None) is None:
                return True
            hand = tuple(rest[place] for place in places)
            if hand in tried:
                continue
            tried.add(hand)
            if ordered[seat].is_met_by(hand) and deal(
                    tuple(card for place, card in enumerate(rest) if place not in places), seat + 1):
                return True
        failed.add((seat, rest))
        return False

    return len(ordered) < 2 or deal(tuple(sorted((card.symbols for card in cards), key=len, reverse=True)), 0)


# --- Errors and warnings ---

def check_limits(deck: Deck, folder: Path) -> tuple[tuple[Problem, ...], tuple[Problem, ...]]:
    """Return the errors and the warnings about a deck that was loaded from ``folder``."""
    errors, warnings = (tuple(replace(problem, place=display_path(folder / problem.place)) for problem in found)
                        for found in ((*_check_numbers(deck), *_check_stones(deck)), _check_display(deck)))
    return errors, warnings


def _check_numbers(deck: Deck) -> Iterator[Problem]:
    if not deck.cards:
        yield Problem("cards.csv", "holds no cards", "a row for each card")
    for country in deck.countries:
        count = len(deck.cards_of(country))
        if count != country.number:
            yield Problem("countries.toml",
                          f"{country.number} for {country.id}, but cards.csv holds {count} of its cards",
                          "correct the number, add cards or take some away", line=country.line, key="countries.number")


def _check_stones(deck: Deck) -> Iterator[Problem]:
    missing = sorted(set(range(1, MAX_PLAYERS + 1)) - {stone.player for stone in deck.stones})
    if missing:
        yield Problem("stones.toml", f"player {join_names(map(str, missing))} has no claim stones",
                      f"a [[stones]] for each of {MAX_PLAYERS} players", key="stones")
    for stone in deck.stones:
        if stone.copies < STONES_EACH:
            yield Problem("stones.toml", f"{stone.copies} claim stones for player {stone.player}",
                          f"each player needs {STONES_EACH}", line=stone.line, key="stones.copies")


def _check_display(deck: Deck) -> Iterator[Problem]:
    places, cards = DISPLAY_ROWS * DISPLAY_COLUMNS, len(deck.cards)
    if cards != places:
        yield Problem("cards.csv", f"{format_count(cards, 'card')}, but the display has {places} places",
                      f"the rules lay {DISPLAY_ROWS} rows of {DISPLAY_COLUMNS}")
    tablets = sum(law.copies for law in deck.laws)
    if tablets != TABLET_PLACES:
        yield Problem("laws.toml", f"{tablets} law tablets, but the display has places for {TABLET_PLACES}",
                      key="laws.copies")


# --- Loading ---

CARD_COLUMNS = ("id", "country", "symbols", "route")
WORDS = {"label": "names of lines are in [tally] and [countries] of locales/LANG.toml",
         "words": "sentences are in [explain] and [results] of locales/LANG.toml",
         "verdicts": "they are for games with a single column"}
"""Keys of ``score.toml`` without effect here, and the place of these words."""


def load_deck(folder: Path) -> tuple[Deck, tuple[Problem, ...]]:
    """Load the deck in ``folder``; also return warnings. Raises InputError for what prevents printing or playing."""
    problems = Problems()
    countries = _read_countries(folder, problems)
    symbols = _read_symbols(folder, problems)
    # without countries or symbols, each card would be a problem
    cards = _read_cards(folder, countries, symbols, problems) if countries and symbols else ()
    laws, tablet_width, tablet_height = _read_laws(folder, problems)
    stones, stone_size = _read_stones(folder, problems)
    rules = _read_scoring(folder, countries, problems)
    deck = Deck(countries=countries, symbols=symbols, cards=cards, laws=laws, tablet_width=tablet_width,
                tablet_height=tablet_height, stones=stones, stone_size=stone_size, rules=rules)
    errors, warnings = check_limits(deck, folder)
    problems.extend(_unexplained(errors, problems) if cards or not problems else ())
    problems.raise_if_any()
    return deck, warnings


def _unexplained(errors: Iterable[Problem], earlier: Sequence[Problem]) -> list[Problem]:
    """The errors that do not follow from an invalid value or an unreadable file."""
    values = {(problem.place, problem.line, problem.key) for problem in earlier}
    files = {problem.place for problem in earlier if not problem.key}
    return [error for error in errors
            if error.place not in files and (error.place, error.line, error.key) not in values]


def _read_countries(folder: Path, problems: Problems) -> tuple[Country, ...]:
    file = read_toml(folder, "countries.toml", problems)
    rows = file.take_tables("countries")
    countries = tuple(
        Country(id=take_id(row, "id"), number=row.take_int("number", 1, 99), code=take_code(row),
                colour=take_colour(row), arms=take_id(row, "arms"), line=row.line("number"))
        for row in rows)
    report_duplicates(rows, "id", [country.id for country in countries])
    report_duplicates(rows, "code", [country.code for country in countries])
    close_all(file, *rows)
    return countries


def _read_symbols(folder: Path, problems: Problems) -> tuple[str, ...]:
    file = read_toml(folder, "symbols.toml", problems)
    rows = file.take_tables("symbols")
    symbols = tuple(take_id(row, "id") for row in rows)
    report_duplicates(rows, "id", symbols)
    close_all(file, *rows)
    return symbols


def _read_cards(folder: Path, countries: Sequence[Country], symbols: Sequence[str],
                problems: Problems) -> tuple[Card, ...]:
    by_id = {country.id: country for country in countries}
    rows = read_csv(folder, "cards.csv", CARD_COLUMNS, problems)
    report_duplicates(rows, "id", [take_id(row, "id") for row in rows])
    cards = []
    for row in rows:
        id = row.take_text("id", "")
        country = by_id.get(row.take_choice("country", tuple(by_id)))
        kinds = _take_kinds(row, symbols)
        route = row.take_choice("route", ROUTES, "")
        if country:
            cards.append(Card(id=id, country=country, symbols=kinds, line=row.line(),
                              route=cast(Route, route) if route else None))
    return tuple(cards)


def _read_laws(folder: Path, problems: Problems) -> tuple[tuple[Law, ...], float, float]:
    file = read_toml(folder, "laws.toml", problems)
    width, height = file.take_number("width", 0.1, 1), file.take_number("height", 0.1, 1)
    rows = file.take_tables("laws")
    laws = tuple(Law(id=row.take_choice("id", LAWS), copies=row.take_int("copies", 1, 99)) for row in rows)
    report_duplicates(rows, "id", [law.id for law in laws])
    close_all(file, *rows)
    return laws, width, height


def _read_stones(folder: Path, problems: Problems) -> tuple[tuple[Stone, ...], str]:
    file = read_toml(folder, "stones.toml", problems)
    size = take_pattern(file, "size", r"[1-9]\d?(\.\d+)?mm", "millimetres, like 22mm")
    rows = file.take_tables("stones")
    stones = tuple(
        Stone(player=row.take_int("player", 1, MAX_PLAYERS), colour=take_colour(row),
              shape=take_id(row, "shape"), copies=row.take_int("copies", 1, 99), line=row.line("copies"))
        for row in rows)
    report_duplicates(rows, "player", [stone.player for stone in stones])
    close_all(file, *rows)
    return stones, size


def _read_scoring(folder: Path, countries: Sequence[Country], problems: Problems) -> Rules:
    rules = Rules(least=MIN_PLAYERS, most=MAX_PLAYERS, lines=())
    if problems:  # those of the countries would be there twice
        return rules
    with problems.collect_errors():
        rules = read_rules(folder)
    if problems:
        return rules
    wanted = [*(f"{country.id}.{column}" for country in countries for column in ("cards", "symbols")), *SCORE_LINES]
    lines = [line.key for line in rules.lines]
    if odd := sorted({*wanted} ^ {*lines}):
        problems.note(display_path(folder / SCORE_FILE), f"does not fit the score sheet: {join_names(odd)}",
                      f"its lines: country with cards and symbols, {join_names(SCORE_LINES)}")
    if (rules.least, rules.most) != (MIN_PLAYERS, MAX_PLAYERS):
        problems.note(display_path(folder / SCORE_FILE), "is for another number of players", key="players",
                      remedy=f'write "{MIN_PLAYERS}-{MAX_PLAYERS}"')
    top = read_toml(folder, SCORE_FILE, problems)
    for table in (top, *_tables(top)):
        for key, home in WORDS.items():
            if table.raw(key) is not None:
                table.note(key, "has no effect on the card game", f"leave it out; {home}")
    return rules


def _tables(table: Fields) -> Iterator[Fields]:
    """The lines of ``score.toml``, and their columns."""
    for key in table:
        if key not in WORDS and table.is_table(key):
            yield (inner := table.take_table(key))
            yield from _tables(inner)


def _take_kinds(row: Fields, symbols: Sequence[str]) -> tuple[str, ...]:
    kinds = tuple(row.take_text("symbols", "").split())
    for kind in kinds:
        if kind not in symbols:
            row.note("symbols", Phrase("unknown_value", value=kind), f"of {join_names(symbols)}; a space between two")
    if len(kinds) > MAX_SYMBOLS:
        row.note("symbols", f"{len(kinds)} circle symbols on a card",
                 f"at most {MAX_SYMBOLS}: a turn takes no more without a law")
    return kinds
