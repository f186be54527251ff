"""Loader of the deck from the data folder of the card game."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import cast

from ppgen.assets import SCORE_FILE
from ppgen.errors import Problem, Problems, display_path, join_names
from ppgen.games.card_game.deck import (LAWS, MAX_PLAYERS, MAX_SYMBOLS, MIN_PLAYERS, ROUTES, SCORE_LINES, Card, Country,
                                        Deck, Law, Route, Stone)
from ppgen.games.card_game.deck_check import check_limits
from ppgen.play.rule_file import Rules, read_rules
from ppgen.reading.fields import (Fields, close_all, read_csv, read_toml, report_duplicates, take_code, take_colour,
                                  take_id, take_pattern)
from ppgen.shipped import Phrase

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
