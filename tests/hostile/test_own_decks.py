"""deck.toml of strangers: whatever stands for a value, the deck is read or refused with file and line."""

from __future__ import annotations

import json

import pytest
from hypothesis import given, settings, strategies as st

from ppgen.engine.geometry import read_formats
from ppgen.errors import InputError
from ppgen.games.own_deck.game import open_own_deck
from ppgen.shipped import shipped_root

FORMATS = read_formats(shipped_root() / "data")
SIZES = ["poker", "pokr", "", " ", "63x88mm", "400x401", "1e9x1e9", "0x0", "-1x5", "٣x٣in", "9" * 400 + "x1", "1x1in",
         "63.5.5x88", "x", "nanxnan", "63x88mm" * 9]
WORDS = ["cards", "cards-back", "../x", "c.csv", "c.xlsx", ".", "/dev/null", "card", "board", "en"]
OTHERS = ["true", "inf", "nan", "-0.0", "1e999", "2026-02-30", "2026-01-01", "07:00:00", "0x" + "f" * 9, '"\\u001b[2J"']
texts = st.sampled_from(SIZES + WORDS)
values = st.recursive(
    texts.map(json.dumps) | st.integers(-2 ** 70, 2 ** 70).map(str) | st.sampled_from(OTHERS),
    lambda inside: st.lists(inside, max_size=2).map(lambda found: f"[{', '.join(found)}]")
    | st.tuples(texts.filter(str.isalpha), inside).map(lambda pair: f"{{ {pair[0]} = {pair[1]} }}"), max_leaves=4)


def table(*keys: str):
    """Some of the keys, each with a value that fits it or any other."""
    return st.fixed_dictionaries({}, optional=dict.fromkeys(keys, values)).map(
        lambda found: "".join(f"{key} = {value}\n" for key, value in found.items()))


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    folder = tmp_path_factory.mktemp("deck")
    (folder / "a.svg.j2").write_text("", encoding="utf-8")
    (folder / "c.csv").write_text("id,copies\na,1\nb,2\n", encoding="utf-8")
    return folder


@pytest.mark.slow
@settings(max_examples=40)
@given(table("id", "lang", "title", "card_size", "box", "parts", "more"), st.lists(
    table("table", "stock", "size", "shape", "kind", "copies", "front", "back", "more"), max_size=2))
def test_a_deck_of_any_values_is_read_or_refused(folder, top, parts):
    tables = "".join(f"[p{n}]\n{part}" for n, part in enumerate(parts))
    (folder / "deck.toml").write_text(top + tables, encoding="utf-8")
    try:
        game = open_own_deck(folder, FORMATS)
    except InputError as error:
        for problem in error.problems:
            assert str(problem).isprintable() and problem.place and (
                problem.line or "is missing" in problem.what or "has no part" in problem.what or (
                "is not valid TOML" in problem.what)), str(problem)
    else:
        assert 25 <= game.card_size.size.width <= 400
        game.describe()


@pytest.mark.parametrize("size", SIZES)
def test_a_size_is_known_or_refused_at_its_line(folder, size):
    lines = ['id = "a"', f"card_size = {json.dumps(size)}", "[cards]", 'table = "c.csv"', 'front = "a.svg.j2"',
             f"size = {json.dumps(size)}"]
    (folder / "deck.toml").write_text("\n".join(lines), encoding="utf-8")
    try:
        open_own_deck(folder, FORMATS)
    except InputError as error:
        assert {problem.line for problem in error.problems} <= {2, 6}
