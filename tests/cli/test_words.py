"""Tables of words: what they hold, what comes back from a spreadsheet program, what is stale, and what is refused."""

from __future__ import annotations

import csv
import io
import tomllib
from pathlib import Path

import pytest

from ppgen.errors import InputError
from ppgen.reading.editing import set_texts
from ppgen.reading.fields import Source
from tests.games.own_deck.decks import lay_out, read_deck

DECK = read_deck("lanterns")


@pytest.fixture
def deck(desk):
    lay_out(desk.folder, DECK)
    return desk


def rows(desk) -> dict[str, dict[str, str]]:
    text = (desk.folder / "w.csv").read_text(encoding="utf-8-sig")
    return {row["key"]: row for row in csv.DictReader(io.StringIO(text))}


def save(desk, changes: dict[str, dict[str, str]], delimiter: str = ",", encoding: str = "utf-8-sig") -> None:
    """Save the table as a spreadsheet program would, with some cells changed."""
    table = [row | changes.get(key, {}) for key, row in rows(desk).items()]
    out = io.StringIO()
    writer = csv.DictWriter(out, table[0], delimiter=delimiter, lineterminator="\r\n")
    writer.writeheader()
    writer.writerows(table)
    (desk.folder / "w.csv").write_bytes(out.getvalue().encode(encoding))


def states(desk) -> dict[str, str]:
    assert (done := desk.ppgen("words", "--table", "de", "w.csv")).exit_code == 0, done.stderr
    return {key: row["state"] for key, row in rows(desk).items()}


@pytest.mark.parametrize(("delimiter", "encoding"), [(",", "utf-8"), (";", "utf-8-sig"), ("\t", "utf-16")])
def test_a_table_saved_by_a_spreadsheet_program_comes_back(deck, delimiter, encoding):
    states(deck)
    save(deck, {"suits.moon": {"translation": "{n} „Monde“"}, "game.title": {"translation": '=La"ternen'}},
         delimiter, encoding)
    assert (done := deck.ppgen("words", "--table", "de", "w.csv")).exit_code == 0, done.stderr
    assert (deck.folder / "words/de.toml").read_text(encoding="utf-8") == (
        '# Deutsch\n[suits]\nleaf = "Laub"   # Blätter\nmoon = "{n} „Monde“"\n\n[game]\ntitle = "=La\\"ternen"\n')


def test_a_translation_is_stale_until_it_or_its_state_is_changed(deck):
    assert states(deck)["suits.leaf"] == "ok"
    (deck.folder / "words/en.toml").write_text(DECK["words/en.toml"].replace("Leaf", "Leaves"), encoding="utf-8")
    assert states(deck)["suits.leaf"] == "stale"
    assert states(deck)["suits.leaf"] == "stale", "writing the table again does not make it up to date"
    save(deck, {"suits.leaf": {"state": "ok"}})
    assert states(deck)["suits.leaf"] == "ok"
    (deck.folder / "words/en.toml").write_text(DECK["words/en.toml"], encoding="utf-8")
    assert states(deck)["suits.leaf"] == "stale"
    save(deck, {"suits.leaf": {"translation": "Blatt"}})
    assert states(deck)["suits.leaf"] == "ok"


@pytest.mark.slow
def test_a_copy_of_a_game_gets_each_text_in_its_own_file(own_desk):
    """Some keys stand in two files of a game. Rules and guides are texts of several paragraphs."""
    own = own_desk.ppgen, ("words", "--data", "data", "--table", "sv", "w.csv")
    own[0](*own[1])
    save(own_desk, {key: {"translation": row["source"]} for key, row in rows(own_desk).items()})
    assert (done := own[0](*own[1])).exit_code == 0, done.stderr
    assert {row["state"] for row in rows(own_desk).values()} == {"ok"}
    for folder in ("locales", "card_game/locales", "card_game/rules", "guide", "card_game/guide"):
        model, own_file = (Path("data", folder, f"{lang}.toml").read_text(encoding="utf-8") for lang in ("de", "sv"))
        assert tomllib.loads(own_file) == tomllib.loads(model)


def test_a_text_is_set_and_the_rest_stays(golden_cases):
    golden_cases("texts-set", lambda before: [set_texts(Source(Path("x.toml"), before), {"a": "new"})])


@pytest.mark.parametrize("before", ['t = {a = "x"}\n', 't.a.b = "x"\n', 't = "x"\n'])
def test_a_form_that_can_not_be_changed_is_refused(before):
    with pytest.raises(InputError):
        set_texts(Source(Path("x.toml"), before), {"t.a": "new"})


def test_a_table_of_a_shipped_game_is_the_same_on_every_machine(desk):
    done = desk.run("words", "--table", "fr", "--game", "card-game")
    table = csv.DictReader(io.StringIO(done.stdout.removeprefix("\ufeff")))
    places = {row["where"].rpartition(":")[0] for row in table}
    assert {"locales/de.toml", "card_game/locales/de.toml", "guide/de.toml"} <= places
    assert not any(Path(place).is_absolute() for place in places)
