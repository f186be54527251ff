"""``ppgen score`` from the outside: formats, messages, exit codes, and what it doesn't load."""

from __future__ import annotations

import csv
import io
import json
import re
from dataclasses import asdict

import pytest
from click.testing import CliRunner

from ppgen.cli.program import main
from ppgen.games.card_game import SPOKEN
from ppgen.games.card_game.deck import load_deck
from ppgen.games.card_game.scoring import SINGLE_COUNTS, tally_cards
from ppgen.lines import display_width
from ppgen.play.line_points import PLACES
from ppgen.play.rule_file import EXTREMES, OWN_WORDS, TAKES
from ppgen.play.sheet_plan import FACTS
from ppgen.reading.texts import SCORED, languages, load_texts
from ppgen.shipped import shipped_root
from tests.conftest import ROOT, run_python

LOCALES = shipped_root() / "data" / "card_game" / "locales"
FOLDERS = (shipped_root() / "data" / "locales", LOCALES)
GAME = """\
[[players]]
name = "Andreas"
[players.cards]
france = 5
denmark = 2
[players.symbols]
france = 4
[[players]]
name = "Beate"
minus_two = 1
[players.cards]
france = 2
denmark = 2
[players.symbols]
france = { cross = 1, fan = 1 }
[[players]]
name = "Claus"
cards = { france = 1 }
"""


def full_game(players: int = 3) -> dict[str, object]:
    """Every card dealt out in turn."""
    deck, _ = load_deck(shipped_root() / "data" / "card_game")
    names = ["Andreas", "Beate", "Claus", "Dörte von und zu Hohenstein", "枢機卿のプレイヤー"][:players]
    return {"players": [asdict(tally_cards(name, deck.cards[n::players])) for n, name in enumerate(names)]}


@pytest.fixture
def game(desk):
    (desk.folder / "game.toml").write_text(GAME, encoding="utf-8")
    return desk


def ppgen_json(desk, *words):
    done = desk.ppgen("score", *words, "--format", "json", "--quiet")
    assert done.exit_code == 0, done.output
    return json.loads(done.stdout)


def test_json_has_the_shape_of_the_contract(game):
    result = ppgen_json(game, "game.toml", "--partial")
    assert {key: value for key, value in result.items() if key != "players"} == {
        "game": "card-game", "complete": False, "winners": ["Andreas"], "tie_break": None, "warnings": []}
    first = result["players"][0]
    assert " ".join(first) == ("name rank total cards countries country_subtotal symbol_subtotal ships carriages "
                               "chain_points minus_two law_points")
    assert first["countries"]["france"] == {"cards": 5, "symbols": 4, "country_points": 8, "symbol_points": 4}
    assert (first["rank"], first["total"], first["cards"]) == (1, 16, 7)
    assert [player["total"] for player in result["players"]] == [16, 7, 2]


def test_missing_cards_are_warned_of_on_stderr_in_the_language_of_the_locale(game, monkeypatch):
    done = game.ppgen("score", "game.toml", "--json")
    assert done.exit_code == 0 and json.loads(done.stdout)["complete"] is False
    assert "warning: game.toml hungary: Hungary: 0 of 6 cards counted" in done.stderr
    monkeypatch.setenv("LANG", "de_DE.UTF-8")
    done = game.ppgen("score", "game.toml", "--lang", "fr")
    assert "Achtung: game.toml hungary: Ungarn: 0 von 6 Karten gezählt" in done.stderr
    assert "Hongrie" in done.stdout


def test_a_whole_game_is_complete(desk):
    (desk.folder / "game.json").write_text(json.dumps(full_game()), encoding="utf-8")
    done = desk.ppgen("score", "game.json", "--json")
    assert (done.stderr, json.loads(done.stdout)["complete"]) == ("", True)


def test_explanations_are_sentences_in_the_chosen_language(game):
    done = game.ppgen("score", "game.toml", "--explain", "--lang", "de", "-q")
    assert ("Frankreich: Andreas hat die meisten (5) → 8, so viele Karten gibt es; Beate auf Platz 2 (2) → 5, so viele "
            "hat Andreas; Claus auf Platz 3 (1) → 2, so viele hat Beate.") in done.stdout
    assert "Dänemark: Andreas und Beate haben die meisten (je 2) → je 4, so viele Karten gibt es." in done.stdout
    assert "Frankreich, Symbole: Andreas hat die meisten einer Sorte (4) → 4; weniger: Beate (1) → 0." in done.stdout
    assert "Tafeln −2: Beate hat 1 → −2." in done.stdout
    explained = ppgen_json(game, "game.toml", "--explain", "--lang", "en")["explanation"]
    assert "France, symbols: Andreas has the most of one kind (4) → 4; fewer: Beate (1) → 0." in explained
    assert ("France: Andreas has the most (5) → 8, the number of cards of this country; Beate is second (2) → 5, as "
            "many as Andreas has; Claus is third (1) → 2, as many as Beate has.") in explained


@pytest.mark.parametrize("first, second, words, said", [
    ({"denmark": 2}, {"denmark": 2}, [],
     "Gleichstand von A und B mit je 4 Punkten und je 2 Länderkarten: Es gibt keinen Sieger."),
    ({"italy": 1}, {"bavaria": 2}, [],
     "Gleichstand von A und B mit je 6 Punkten; B gewinnt mit mehr Länderkarten (2 gegen 1)."),
    ({"italy": 1}, {}, [], "A gewinnt mit 6 Punkten."),
    ({"italy": 1}, {"bavaria": 2}, ["--partial"], "Zwischenstand: A und B führen mit je 6 Punkten."),
    ({"italy": 1}, {}, ["--partial"], "Zwischenstand: A führt mit 6 Punkten."),
])
def test_what_decided_is_said(desk, first, second, words, said):
    document = {"players": [{"name": "A", "cards": first}, {"name": "B", "cards": second}, {"name": "C"}]}
    (desk.folder / "game.json").write_text(json.dumps(document), encoding="utf-8")
    assert said in desk.ppgen("score", "game.json", "-q", "--lang", "de", *words).stdout.splitlines()


@pytest.mark.parametrize("lang", languages(LOCALES))
def test_the_table_of_five_players_fits_into_80_columns(desk, lang):
    (desk.folder / "game.json").write_text(json.dumps(full_game(5)), encoding="utf-8")
    output = desk.ppgen("score", "game.json", "--lang", lang).stdout
    table = output[:output.index("\n\n")].splitlines()
    assert max(map(display_width, table)) <= 80
    assert len({line.replace("┼", "│").count("│") for line in table}) == 1
    assert "\x1b" not in output


def test_csv_has_a_line_for_each_player(game):
    rows = list(csv.DictReader(io.StringIO(game.ppgen("score", "game.toml", "-q", "--format", "csv").stdout)))
    assert [(row["name"], row["total"], row["winner"], row["france_country_points"]) for row in rows] == [
        ("Andreas", "16", "1", "8"), ("Beate", "7", "0", "5"), ("Claus", "2", "0", "2")]


def test_standard_input_is_json():
    done = CliRunner().invoke(main, ["score", "-", "--json"], input=json.dumps(full_game()))
    assert done.exit_code == 0 and json.loads(done.stdout)["winners"]
    done = CliRunner().invoke(main, ["score", "-", "--lang", "en"], input="{}")
    assert (done.exit_code, done.stdout) == (1, "")
    assert done.stderr.startswith("standard input players: is not a list of players")


@pytest.mark.parametrize(("form", "lang"), [
    ("toml", "da"), ("csv", "de"), ("csv", "fr"), ("csv", "ja"), ("json", "nl")])
def test_templates_can_be_filled_in(desk, form, lang):
    done = desk.ppgen("score", "--template", form, "--players", "Jörg, Zoë ,C\"D", "--lang", lang)
    word = load_texts(lang, [LOCALES])("countries.denmark") if form == "csv" else "denmark"
    assert done.exit_code == 0 and word in done.stdout
    (desk.folder / f"game.{form}").write_text(done.stdout, encoding="utf-8")
    result = ppgen_json(desk, f"game.{form}")
    assert [(player["name"], player["total"]) for player in result["players"]] == [("Jörg", 0), ("Zoë", 0), ('C"D', 0)]


@pytest.mark.windows
@pytest.mark.parametrize("words", [
    ["--format", "table"], ["--format", "json", "--explain"], ["--format", "csv"], ["--format", "markdown"]])
def test_a_file_of_the_result_holds_what_would_be_printed(game, words):
    printed = game.ppgen("score", "game.toml", *words, "-q").stdout
    for ending, mark in (("txt", b""), ("csv", b"\xef\xbb\xbf")):
        done = game.ppgen("score", "game.toml", *words, "-q", "-o", f"out/result.{ending}")
        assert (done.exit_code, done.stdout) == (0, "")
        assert (game.folder / "out" / f"result.{ending}").read_bytes() == mark + printed.encode()


@pytest.mark.parametrize("words, what", [
    ([], "Missing TALLIES"),
    (["game.doc"], "game.doc: unknown file type '.doc' (use .toml"),
    (["game"], "game: has no file type (use .toml"),
    (["--template", "csv", "--players", "A,B"], "players: 2 given ("),
    (["--template", "csv", "--players", "A,,a,A"], "the name is empty"),
    (["--template", "csv", "game.toml"], "--template: prints an empty file"),
    (["game.toml", "--players", "A,B,C"], "--players: is for --template only"),
    (["game.toml", "--save", "--partial"], "--save: saves finished games only"),
    (["game.toml", "--lang", "tlh"], "is not a language"),
    (["game.toml", "--lang", "all"], "one language"),
    (["game.toml", "--format", "xml"], "Invalid value"),
])
def test_wrong_command_lines(game, words, what):
    done = game.ppgen("score", *words)
    assert (done.exit_code, done.stdout) == (2, "")
    assert what in done.stderr


@pytest.mark.parametrize("name, content, what", [
    ("none.toml", None, "none.toml: file not found"), ("x.toml", b"a = [", "x.toml:1: is not valid TOML"),
    ("x.json", b"\xff", "is not UTF-8"), ("x.csv", b"", "does not contain a score sheet"),
    ("x.pdf", b"%PDF", "is not a PDF"),
    ("x.json", b"[]", "no name and no number"), ("x.toml", b"#" * 2_000_000, "is larger than 1 MB"),
])
def test_files_that_cannot_be_read(desk, name, content, what):
    if content is not None:
        (desk.folder / name).write_bytes(content)
    done = desk.ppgen("score", name)
    assert (done.exit_code, done.stdout) == (1, "")
    assert what in done.stderr and "Traceback" not in done.stderr


@pytest.mark.slow
def test_the_filled_sheet_is_read_again(desk):
    (desk.folder / "game.json").write_text(json.dumps({**full_game(5), "date": "2026-01-02", "place": "Köln"}))
    done = desk.ppgen("score", "game.json", "--sheet", "sheet.pdf", "--json")
    assert done.exit_code == 0, done.output
    again = desk.ppgen("score", "sheet.pdf", "--json")
    assert json.loads(again.stdout) == json.loads(done.stdout) and again.stderr == ""


def test_nothing_heavy_is_loaded(game):
    code = ("import sys; sys.argv = ['ppgen', 'score', 'game.toml', '-q']\nfrom ppgen.cli.program import main\n"
            "try: main()\nexcept SystemExit: pass\n"
            "heavy = ('ppgen.engine', 'ppgen.printing', 'jinja2', 'lxml', 'pikepdf', 'typst', 'reportlab', 'rich', "
            "'sqlite3', 'platformdirs', 'uharfbuzz', 'PIL')\n"
            "print([name for name in heavy if name in sys.modules], file=sys.stderr)")
    assert run_python("-c", code, cwd=game.folder).stderr == "[]\n"


def test_every_text_that_is_said_is_used():
    """``ppgen check`` passes over the spoken tables, so this is where a text that nobody says is found.

    The other languages have the same keys.
    """
    code = "\n".join(path.read_text(encoding="utf-8") for path in sorted((ROOT / "ppgen").rglob("*.py")))
    quoted = set(re.findall(r"(?<=['\"])[\w.]+(?=['\"])", code))
    spoken = [key for key in load_texts("en", FOLDERS).words if key.partition(".")[0] in SPOKEN - {"page"} | SCORED]
    composed = {"kinds", "tally", "counted"}  # by the names of kinds, rows and things
    composed |= {f"ask.{key}" for key in (*SINGLE_COUNTS, "cards_of", "symbols_of")}
    composed |= {f"places.{place}" for place in PLACES}
    composed |= {f"wrong.{reason}" for reason in ("negative", "fraction", "large", "number")}
    composed |= {f"{table}.{key}" for table in ("explain", "results")  # line_points.py has their short names
                 for key in (*OWN_WORDS, "winner", "leader", "leaders", "line", "also")}
    composed |= {f"scoring.{key}" for key in (*FACTS, *EXTREMES, *(f"only_{want}" for want in EXTREMES),
                                              *(f"take_{how}" for how in TAKES))}
    composed |= {f"wrong.{route}_{whose}" for route in ("ships", "carriages") for whose in ("on", "all")}
    plain = {key: re.sub(r"^explain\..*\.", "explain.", key) for key in spoken}  # texts for a line stand in its name
    unused = [key for key in spoken if key not in quoted and not {key.partition(".")[0], plain[key]} & composed]
    assert spoken and not unused
