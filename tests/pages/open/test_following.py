"""New versions of tables that land in another folder: offered, taken after a question, and taken back."""

from __future__ import annotations

import os

import pytest

from ppgen.making.fetching import Fetched
from ppgen.pages.open.page_parts import Follower, SourceFetcher
from ppgen.reading.editing import EditConflict, EditError

from .conftest import FILES

NEW = FILES["cards.csv"].replace("Orc", "Owl")


@pytest.fixture
def downloads(tmp_path_factory):
    return tmp_path_factory.mktemp("downloads")


@pytest.fixture
def follower(deck_desk, downloads):
    return Follower(downloads, deck_desk.looks, deck_desk.history)


def land(downloads, name: str, text: str = NEW, later: int = 60) -> None:
    path = downloads / name
    path.write_text(text, encoding="utf-8")
    os.utime(path, (path.stat().st_mtime + later,) * 2)


def test_a_shared_table_is_taken_anew_once_its_changes_have_been_seen(deck_desk, monkeypatch):
    fetcher, table = SourceFetcher(deck_desk.looks, deck_desk.history), deck_desk.folder / "cards.csv"
    deck = deck_desk.folder / "deck.toml"
    deck.write_text(f'source = "https://example.org/cards.csv"\n{FILES["deck.toml"]}')
    asked = []
    monkeypatch.setattr("ppgen.making.fetching.fetch_table", lambda address, is_typed: asked.append(
        (address, is_typed)) or Fetched("cards.csv", NEW.encode()))
    assert fetcher.address == "https://example.org/cards.csv" and not asked
    found = fetcher.act({})
    assert asked == [("https://example.org/cards.csv", False)]  # a deck's, not typed
    assert found["place"] == "cards.csv" and found["changes"] and table.read_text() == FILES["cards.csv"]
    with pytest.raises(EditConflict):
        fetcher.act({"digest": "0" * 64})
    fetcher.act({"digest": found["digest"]})
    assert table.read_text() == NEW and fetcher.act({})["changes"] == []
    deck_desk.history.undo()
    assert table.read_text() == FILES["cards.csv"]


@pytest.mark.parametrize("name", ["cards.csv", "cards (1).csv", "My game - cards.csv", "Cards.csv"])
def test_a_file_of_the_name_of_a_table_is_taken_after_a_question_and_taken_back(deck_desk, follower, downloads, name):
    assert follower.describe() == {}
    land(downloads, name)
    found = follower.describe()
    assert (found["name"], found["bytes"]) == (name, len(NEW))
    table = deck_desk.folder / "cards.csv"
    assert table.read_text() == FILES["cards.csv"]
    assert follower.act({**found, "wanted": True}) == {}
    assert table.read_text() == NEW and follower.describe() == {}
    deck_desk.history.undo()
    assert table.read_text() == FILES["cards.csv"]


def test_the_newest_is_offered_and_what_is_not_wanted_is_not_offered_again(deck_desk, follower, downloads):
    land(downloads, "cards.csv", later=30)
    land(downloads, "cards (1).csv", NEW + "Bat,Flies,1\n", later=90)
    found = follower.describe()
    assert found["name"] == "cards (1).csv"
    follower.act({**found, "wanted": False})
    assert follower.describe() == {} and (deck_desk.folder / "cards.csv").read_text() == FILES["cards.csv"]
    land(downloads, "cards (2).csv", NEW + "Cat,Sleeps,1\n", later=120)
    assert follower.describe()["name"] == "cards (2).csv"


def test_only_what_was_offered_is_taken(deck_desk, follower, downloads):
    land(downloads, "cards.csv")
    for change in ({"place": "deck.toml"}, {"place": "../cards.csv"}, {"place": 5}, {"name": "../cards.csv"},
                   {"name": "nix.csv"}, {"digest": "0" * 64}, {"digest": None}):
        with pytest.raises((EditError, EditConflict)):
            follower.act({**follower.describe(), "wanted": True, **change})
    assert (deck_desk.folder / "cards.csv").read_text() == FILES["cards.csv"]
