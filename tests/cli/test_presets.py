"""``ppgen build --preset``: options under one name, shipped ones and those of a deck."""

import json

import pytest

from ppgen.errors import Problems
from ppgen.games.catalogue import DEFAULT_GAME
from ppgen.reading.fields import read_toml
from ppgen.shipped import shipped_root

SHIPPED = read_toml(shipped_root() / "data", "presets.toml", Problems())


def options_of(table, game):
    """The options of a preset as one would type them."""
    for key in table:
        value = table.raw(key)
        if isinstance(value, dict):
            yield from options_of(table.take_table(key), game) if key == game else ()
        elif key != "games":
            for item in value if isinstance(value, list) else [value]:
                yield from [f"--{key}"] if item is True else [f"--{key}", str(item)]


@pytest.fixture
def planned(desk):
    """The manifests of a build that is not written."""

    def run(*words):
        done = desk.ppgen("build", "--dry-run", "--json", "--lang", "en", *words)
        assert done.exit_code == 0, done.output
        return json.loads(done.stdout)

    return run


@pytest.mark.slow
@pytest.mark.parametrize(("name", "game"), [
    (name, SHIPPED.take_table(name).take_texts("games", (DEFAULT_GAME,))[0]) for name in SHIPPED])
def test_a_preset_is_its_options_written_out(planned, name, game):
    table = SHIPPED.take_table(name)
    words = ("--game", game, *([] if "only" in table else ["--only", "stones" if game == DEFAULT_GAME else "cards"]))
    assert planned(*words, "--preset", name) == planned(*words, *options_of(table, game))


def test_an_option_of_ones_own_wins_and_ppgen_toml_loses(desk, planned):
    (desk.folder / "ppgen.toml").write_text('[build]\nsets = 2\npaper = "letter"\n', encoding="utf-8")
    (found,) = planned("--preset", "classroom", "--only", "tablets")
    assert found["files"][0]["path"] == "output/en/tablets-letter-duplex-sets4.pdf"
    (found,) = planned("--preset", "classroom", "--only", "tablets", "--sets", "3")
    assert found["files"][0]["path"] == "output/en/tablets-letter-duplex-sets3.pdf"
