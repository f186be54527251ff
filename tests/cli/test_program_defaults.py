"""``ppgen.toml`` in the working folder: options by file, overridden by the command line."""

import json
import os

import pytest


@pytest.fixture
def configured(desk):
    """Write ``ppgen.toml`` and build the tokens."""

    def run(text, *words):
        (desk.folder / "ppgen.toml").write_text(text, encoding="utf-8")
        return desk.ppgen("build", "--dry-run", "--json", *words)

    return run


def manifests(done):
    assert done.exit_code == 0, done.output
    return json.loads(done.stdout)


@pytest.mark.slow
def test_options_above_the_tables_are_for_all_commands_that_have_them(own_desk):
    own_desk.change("data/card_game/cards.csv", "france-1,", "france-one,")
    (own_desk.folder / "ppgen.toml").write_text('data = "data"\ntemplates = "templates"\nink = "low"\n'
                                                '[build]\nonly = "tablets"\n')
    (built,) = manifests(own_desk.ppgen("build", "--lang", "de", "--dry-run", "--json"))
    assert built["ink"] == "low"
    listed = json.loads(own_desk.ppgen("list", "--json").stdout)["components"]
    assert listed[0]["id"] == "france-one"


@pytest.mark.slow
@pytest.mark.parametrize(("lang", "wins", "built"), [
    ('["nl", "de"]', "nl", 2), ('"all"', "en", 0), ('["all", "fr"]', "fr", 6), ("[]", "en", 1)])
def test_who_speaks_one_language_takes_the_first_of_several(desk, lang, wins, built):
    """A build takes all of them."""
    (desk.folder / "ppgen.toml").write_text(f"lang = {lang}\n")
    (desk.folder / "game.json").write_text('{"players": [{"name": "A"}, {"name": "B"}, {"name": "C"}]}')
    done = desk.ppgen("score", "game.json", "--partial")
    assert (done.exit_code, done.stderr) == (0, "")
    assert {"nl": "Frankrijk", "en": "France", "fr": "France"}[wins] in done.stdout
    if built:
        assert len(manifests(desk.ppgen("build", "--only", "stones", "--dry-run", "--json"))) == built


@pytest.mark.skipif(os.name != "posix", reason="needs links of POSIX")
def test_a_link_does_not_lead_out_either(configured, desk, tmp_path_factory):
    (desk.folder / "prints").symlink_to(tmp_path_factory.mktemp("elsewhere"))
    done = configured('[build]\noutput = "prints"\n')
    assert "ppgen.toml:2 build.output: 'prints' leads out of this folder" in done.stderr
