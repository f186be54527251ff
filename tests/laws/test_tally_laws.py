"""Laws of tallies: what a real deal of cards gives is never refused, in whatever form it is written down."""

import json
import string
from dataclasses import asdict
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, strategies as st

from ppgen.errors import InputError
from ppgen.games.card_game.deck import MAX_PLAYERS, MIN_PLAYERS, Card, load_deck
from ppgen.games.card_game.scoring import (CardScoring, Tally, TallyNames, check_tallies, score_game, sheet_plan,
                                           tally_cards)
from ppgen.play.game_scoring import read_csv, read_form, read_json, read_toml_tallies, tally_rows
from ppgen.reading.fields import escape_formula
from ppgen.shipped import shipped_root

COUNTS = ("ships", "carriages", "minus_two")
DATA = shipped_root() / "data" / "card_game"
DECK, _ = load_deck(DATA)
PLAN, NAMES = sheet_plan(DECK), TallyNames(DECK, DATA / "locales")
SCORING = CardScoring(deck=DECK, names=NAMES)


@st.composite
def deals(draw: st.DrawFn) -> list[list[Card]]:
    """The cards shared out among 3 to 5 players; some may still lie on the table."""
    players = draw(st.integers(MIN_PLAYERS, MAX_PLAYERS))
    over = draw(st.booleans())
    owners = draw(st.lists(st.integers(0 if over else -1, players - 1), min_size=len(DECK.cards),
                           max_size=len(DECK.cards)))
    return [[card for card, owner in zip(DECK.cards, owners, strict=True) if owner == seat]
            for seat in range(players)]


def tallied(hands: list[list[Card]]) -> list[Tally]:
    return [tally_cards(f"player {seat}", hand) for seat, hand in enumerate(hands)]


@st.composite
def games(draw: st.DrawFn) -> list[Tally]:
    hands = draw(deals())
    laws = draw(st.sampled_from([(0, 0, 0), (2, 0, 0), (0, 1, 1), (0, 0, 1)]))
    words = st.text(string.ascii_letters + " äß伯-'.,;", min_size=1, max_size=12).filter(str.strip)
    called = draw(st.lists(words, min_size=len(hands), max_size=len(hands),
                           unique_by=lambda name: " ".join(name.split()).casefold()))
    return [tally_cards(" ".join(name.split()), hand, laws[seat] if seat < 3 else 0)
            for seat, (name, hand) in enumerate(zip(called, hands, strict=True))]


def as_json(game: list[Tally]) -> dict[str, Any]:
    return {"players": [asdict(tally) for tally in game]}


def as_toml(game: list[Tally]) -> str:
    parts = []
    for tally in game:
        parts.append(f"[[players]]\nname = {json.dumps(tally.name, ensure_ascii=False)}")
        parts += [f"{key} = {getattr(tally, key)}" for key in COUNTS]
        for key in ("cards", "symbols"):
            parts.append(f"[players.{key}]")
            parts += [f"{country} = {count}" for country, count in getattr(tally, key).items()]
    return "\n".join(parts)


def as_csv(game: list[Tally], separator: str) -> str:
    rows = [["", *(cell for tally in game for cell in (f'"{escape_formula(tally.name)}"', ""))],
            ["", *["cards", "symbols"] * len(game)],
            *([country.id, *(str(counts.get(country.id, 0)) for tally in game
                             for counts in (tally.cards, tally.symbols))] for country in DECK.countries),
            *([key, *(cell for tally in game for cell in (str(getattr(tally, key)), ""))] for key in COUNTS)]
    return "\r\n".join(separator.join(row) for row in rows)


def as_form(game: list[Tally]) -> dict[str, str]:
    fields = {}
    for seat, tally in enumerate(game, 1):
        fields[f"p{seat}.name"] = tally.name
        for key in COUNTS:
            fields[f"p{seat}.{key}"] = str(getattr(tally, key))
        for key in ("cards", "symbols"):
            for country, count in getattr(tally, key).items():
                fields[f"p{seat}.{country}.{key}"] = str(count)
    return fields


@given(games(), st.sampled_from(",;\t"), st.sampled_from(["utf-8", "utf-8-sig", "utf-16"]))
def test_every_deal_is_read_alike_from_every_format(game, separator, encoding):
    expected = score_game(game, DECK.rules)
    raws = [read_json(json.dumps(as_json(game)), "game.json"), read_toml_tallies(as_toml(game), Path("game.toml")),
            read_csv(PLAN, tally_rows(as_csv(game, separator).encode(encoding), "game.csv"), "game.csv", NAMES),
            read_form(PLAN, as_form(game), "sheet.pdf")]
    for raw in raws:
        assert SCORING.score(raw).score == expected, raw.place


@given(deals())
def test_cards_themselves_score_like_their_counts(hands):
    document = {"players": [{"name": f"player {seat}", "collected": [card.id for card in hand]}
                            for seat, hand in enumerate(hands)]}
    scored = SCORING.score(read_json(json.dumps(document), "x")).score
    assert scored == score_game(tallied(hands), DECK.rules)


@given(deals(), st.data())
def test_one_card_more_than_exist_is_refused(hands, data):
    game = tallied(hands)
    country = data.draw(st.sampled_from(DECK.countries))
    document = as_json(game)
    held = sum(tally.cards.get(country.id, 0) for tally in game[1:])
    document["players"][0]["cards"][country.id] = country.number - held + 1
    with pytest.raises(InputError, match=rf"only {country.number} exist"):
        check_tallies(read_json(json.dumps(document), "x"), DECK, NAMES)


@given(st.dictionaries(st.text(max_size=12), st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(
        st.sampled_from(["players", "name", "cards", "symbols", "ships", "collected", "france", "x"]), inner,
        max_size=5), max_leaves=20), max_size=4), st.booleans())
def test_any_json_is_scored_or_refused(document, nested):
    text = json.dumps({"players": list(document.values())} if nested else document)
    try:
        SCORING.score(read_json(text, "game.json"))
    except InputError as error:
        assert all(str(problem).startswith("game.json") for problem in error.problems)


@given(st.binary(max_size=200) | st.text(alphabet=',;\t\n"ab3+ cardsymbol', max_size=200).map(str.encode))
def test_any_bytes_as_csv_are_scored_or_refused(data):
    try:
        SCORING.score(read_csv(PLAN, tally_rows(data, "game.csv"), "game.csv", NAMES))
    except InputError as error:
        assert all(str(problem).startswith("game.csv") for problem in error.problems)


@given(games(), st.data())
def test_a_total_typed_differently_is_pointed_out(game, data):
    expected = score_game(game, DECK.rules)
    seat = data.draw(st.integers(0, len(game) - 1))
    shift = data.draw(st.integers(-3, 3))
    typed = {**as_form(game), f"p{seat + 1}.total": str(expected.players[seat].total + shift)}
    raw = read_form(PLAN, typed, "sheet.pdf")
    found = [warning.key for warning in SCORING.score(raw, partial=True).warnings]
    assert found == ([f"p{seat + 1}.total"] if shift else [])
