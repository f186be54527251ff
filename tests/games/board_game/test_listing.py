"""``ppgen list --game board-game``: what is in the set, and the map."""

from __future__ import annotations

import json

import pytest

COUNTRIES = "france england lotharingia franconia bavaria swabia burgundy italy aragon".split()


@pytest.fixture
def listed(desk) -> dict:
    done = desk.ppgen("list", "--game", "board-game", "--json", "--quiet")
    assert (done.exit_code, done.stderr) == (0, "")
    return json.loads(done.stdout)


def test_the_map_is_told_whole(listed) -> None:
    told = listed["map"]
    assert list(told["spaces"]) == COUNTRIES
    assert told["spaces"]["swabia"] == ["SW1", "SW2", "SW3", "SW4"]
    labels = {label for country in told["spaces"].values() for label in country}
    assert {end for road in told["roads"] for end in road} == labels
    assert len(told["roads"]) == 72
    assert told["alliances"][14] == {"box": 15, "countries": ["italy", "bavaria"], "water": True}
