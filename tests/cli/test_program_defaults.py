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


def test_options_come_from_the_file(configured):
    (found,) = manifests(configured('[build]\nlang = "en"\npaper = "letter"\nonly = ["tablets"]\nink = "low"\n'
                                    'back-offset = "0.5,-1"\nmargin = 10\nmarks = "lines"\n'))
    assert (found["lang"], found["paper"]["name"], found["ink"]) == ("en", "letter", "low")
    assert found["files"][0]["path"] == "output/en/tablets-letter-duplex-offset0.5x-1-low-ink-lines-margin10.pdf"


def test_the_command_line_overrides_the_file(configured):
    (found,) = manifests(configured('[build]\nlang = "en"\npaper = "letter"\nonly = ["cards"]\n',
                                    "--lang", "de", "--paper", "a4", "--only", "tablets"))
    assert (found["lang"], found["paper"]["name"], [file["part"] for file in found["files"]]) == (
        "de", "a4", ["tablets"])


@pytest.mark.parametrize(("text", "line", "key", "known"), [
    ('[build]\npapre = "letter"\n', 2, "build.papre", "paper"),
    ('\n[biuld]\npaper = "letter"\n', 2, "biuld", "build"),
    ('paper = "letter"\n', 1, "paper", "build"),
])
def test_an_unknown_key_is_told_the_known_ones(configured, text, line, key, known):
    done = configured(text)
    assert done.exit_code == 1
    assert done.stderr.startswith(f"ppgen.toml:{line} {key}: ")
    assert known in done.stderr.partition("known:")[2]


@pytest.mark.parametrize(("text", "line"), [
    ('[build]\n\nbleed = "wide"\n', 3), ('[build]\nflip = "up"\n', 2), ('[build]\nflip = ["long", "short"]\n', 2),
    ('[build\n', 1), ('build = 3\n', 1), ('[build]\nquiet = "maybe"\n', 2), ('[build]\nback-rotation = 400\n', 2),
    ('[build]\nmargin = 5\npaper = ["a4", "a9"]\n', 3), ('\nlang = "xx"\n', 2), ('[build]\ncard-size = "huge"\n', 2),
    ('[build]\nprinter = "none"\n', 2), ('[build]\nskin = "none"\n', 2), ('[build]\nonly = "none"\n', 2),
    ('[build]\npreset = "none"\n', 2), ('[build]\nskin = ""\n', 2),
    ('[build]\npaper = { name = "a4" }\n', 2), ('[build]\nonly = [["cards"]]\n', 2), ('[build]\npad = 2026-01-01\n', 2),
])
def test_a_wrong_value_is_told_with_its_line(configured, text, line):
    done = configured(text)
    assert done.exit_code == 1
    assert done.stderr.startswith((f"ppgen.toml:{line} ", f"ppgen.toml:{line}: "))
    assert done.stdout == ""


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


def test_commands_inside_commands_have_tables_inside_tables(desk):
    (desk.folder / "ppgen.toml").write_text('[history.list]\njson = true\n[history.lost]\njson = true\n')
    done = desk.ppgen("history", "list")
    assert done.exit_code == 1
    assert done.stderr.startswith("ppgen.toml:3 history.lost: is not a command (known: ")
    (desk.folder / "ppgen.toml").write_text('[history.list]\njson = true\nhistory = "games.sqlite3"\n')
    assert json.loads(desk.ppgen("history", "list").stdout) == []


@pytest.mark.parametrize(("text", "words"), [
    ('output = "/tmp/elsewhere"', "ppgen.toml:1 output: '/tmp/elsewhere' leads out of this folder (give it on"),
    ('[build]\noutput = "../mine"', "ppgen.toml:2 build.output: '../mine' leads out of this folder"),
    ('[score]\nsheet = "precious.txt"', "ppgen.toml:2 score.sheet: 'precious.txt' is not the name of a PDF"),
    ('[score]\nhistory = "/etc/history"', "ppgen.toml:2 score.history: '/etc/history' leads out of this folder"),
])
def test_the_file_of_a_stranger_does_not_write_outside_its_folder(configured, text, words):
    done = configured(text + "\n")
    assert done.exit_code == 1
    assert words in done.stderr


@pytest.mark.parametrize(("text", "place"), [
    ("[build]\nlimit = 1.5", "2 build.limit"), ("[score]\nlimit = 100", "2 score.limit"),
    ("[export.scorer]\nserve = true", "2 export.scorer.serve"), ("[export.scorer]\nport = 0", "2 export.scorer.port"),
    ("[printed]\nforget = true", "2 printed.forget"),
    ("[open]\nserve = false", "2 open.serve"), ("[open]\nport = 8417", "2 open.port"),
])
def test_limits_and_servers_come_from_the_command_line_only(configured, text, place):
    done = configured(text + "\n")
    assert done.exit_code == 1
    assert done.stderr.startswith(f"ppgen.toml:{place}: can't be set ")
    assert done.stderr.endswith(f"(give it on the command line, as --{place.rpartition('.')[2]})\n")


@pytest.mark.skipif(os.name != "posix", reason="needs links of POSIX")
def test_a_link_does_not_lead_out_either(configured, desk, tmp_path_factory):
    (desk.folder / "prints").symlink_to(tmp_path_factory.mktemp("elsewhere"))
    done = configured('[build]\noutput = "prints"\n')
    assert "ppgen.toml:2 build.output: 'prints' leads out of this folder" in done.stderr
