"""The starters are complete games: they check clean, print in both inks, and their rules show every part."""

import json
import tomllib

import pytest

from ppgen.games.learn_steps import LEARN
from ppgen.printing.output_files import find_parts, starters
from ppgen.shipped import shipped_root

FOLDER = shipped_root() / "data" / "starters"
GAMES = [name for name in starters() if name not in ("empty", "plain")]
MAX_FILE_BYTES, MAX_BYTES = 30_000, 300_000


@pytest.mark.slow
@pytest.mark.parametrize("name", GAMES)
def test_a_starter_checks_clean_and_prints_every_part_and_its_rules(desk, name):
    done = desk.ppgen("check", "--data", str(FOLDER / name))
    assert done.exit_code == 0 and "warning" not in done.output, done.output
    done = desk.ppgen("build", "--data", str(FOLDER / name), "--lang", "en", "--dry-run", "--json")
    assert done.exit_code == 0, done.output
    files = json.loads(done.stdout)[0]["files"]
    assert {*_parts(name), "rules"} <= {part for file in files for part in file.get("parts", [file["part"]])}


@pytest.mark.slow
@pytest.mark.parametrize("part", find_parts())
def test_a_part_is_added_to_a_deck_once(desk, part):
    assert desk.ppgen("new", "deck").exit_code == desk.ppgen("new", "deck", "--add", part).exit_code == 0
    done = desk.ppgen("check", "--data", "deck")
    assert done.exit_code == 0 and "warning" not in done.output, done.output
    again = desk.ppgen("new", "deck", "--add", part)
    assert again.exit_code == 1 and "already" in again.stderr


@pytest.mark.parametrize("options, problem", [
    (("coin",), "--add: there is no part 'coin' (did you mean coins? known: board, coins)"),
    (("coins", "--starter", "wargame"), "--starter: is for a new deck (leave it out, or leave out --add)"),
    (("coins", "--json"), "--json: is for a new deck (leave it out, or leave out --add)")])
def test_what_can_not_be_added_is_refused(desk, options, problem):
    done = desk.ppgen("new", "deck", "--add", *options)
    assert done.exit_code == 2 and done.stderr.splitlines() == [problem]


def _parts(name: str) -> list[str]:
    deck = tomllib.loads((FOLDER / name / "deck.toml").read_text(encoding="utf-8"))
    return [key for key, value in deck.items() if isinstance(value, dict) and key not in ("colours", LEARN)]
