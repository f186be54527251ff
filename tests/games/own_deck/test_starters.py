"""The starters are complete games: they check clean, print in both inks, and their rules show every part."""

import pytest

from ppgen.printing.output_files import find_parts, starters
from ppgen.shipped import shipped_root

FOLDER = shipped_root() / "data" / "starters"
GAMES = [name for name in starters() if name not in ("empty", "plain")]


@pytest.mark.slow
@pytest.mark.parametrize("name", GAMES)
def test_a_starter_checks_clean_and_has_rules(desk, name):
    """The check prints every part and the rules once."""
    assert "warning" not in desk.run("check", "--data", str(FOLDER / name)).output
    assert (FOLDER / name / "rules.md").is_file()


@pytest.mark.slow
@pytest.mark.parametrize("part", find_parts())
def test_a_part_is_added_to_a_deck_once(desk, part):
    desk.run("new", "deck")
    desk.run("new", "deck", "--add", part)
    assert "warning" not in desk.run("check", "--data", "deck").output
    assert "already" in desk.run("new", "deck", "--add", part, code=1).stderr


@pytest.mark.parametrize("options, problem", [
    (("coin",), "--add: there is no part 'coin' (did you mean coins? known: board, coins)"),
    (("coins", "--starter", "wargame"), "--starter: is for a new deck (leave it out, or leave out --add)"),
    (("coins", "--json"), "--json: is for a new deck (leave it out, or leave out --add)")])
def test_what_can_not_be_added_is_refused(desk, options, problem):
    done = desk.ppgen("new", "deck", "--add", *options)
    assert done.exit_code == 2 and done.stderr.splitlines() == [problem]
