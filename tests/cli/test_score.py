"""``ppgen score`` from the outside: formats, messages, exit codes, and what it doesn't load."""

from __future__ import annotations

import json
import re
import shutil
from dataclasses import asdict

import pytest

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


def full_game(players: int = 3) -> dict[str, object]:
    """Every card dealt out in turn."""
    deck, _ = load_deck(shipped_root() / "data" / "card_game")
    names = ["Andreas", "Beate", "Claus", "Dörte von und zu Hohenstein", "枢機卿のプレイヤー"][:players]
    return {"players": [asdict(tally_cards(name, deck.cards[n::players])) for n, name in enumerate(names)]}


@pytest.fixture
def game(desk):
    shutil.copy(ROOT / "tests/cli/game.toml", desk.folder)
    return desk


@pytest.mark.parametrize("lang", languages(LOCALES))
def test_the_table_of_five_players_fits_into_80_columns(desk, lang):
    (desk.folder / "game.json").write_text(json.dumps(full_game(5)), encoding="utf-8")
    output = desk.ppgen("score", "game.json", "--lang", lang).stdout
    table = output[:output.index("\n\n")].splitlines()
    assert max(map(display_width, table)) <= 80
    assert len({line.replace("┼", "│").count("│") for line in table}) == 1
    assert "\x1b" not in output


@pytest.mark.windows
@pytest.mark.parametrize("words", [
    ["--format", "table"], ["--format", "json", "--explain"], ["--format", "csv"], ["--format", "markdown"]])
def test_a_file_of_the_result_holds_what_would_be_printed(game, words):
    printed = game.ppgen("score", "game.toml", *words, "-q").stdout
    for ending, mark in (("txt", b""), ("csv", b"\xef\xbb\xbf")):
        done = game.ppgen("score", "game.toml", *words, "-q", "-o", f"out/result.{ending}")
        assert (done.exit_code, done.stdout) == (0, "")
        assert (game.folder / "out" / f"result.{ending}").read_bytes() == mark + printed.encode()


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
                 for key in (*OWN_WORDS, "winner", "leader", "leaders", "line", "also", "and")}
    composed |= {f"scoring.{key}" for key in (*FACTS, *EXTREMES, *(f"only_{want}" for want in EXTREMES),
                                              *(f"take_{how}" for how in TAKES))}
    composed |= {f"wrong.{route}_{whose}" for route in ("ships", "carriages") for whose in ("on", "all")}
    plain = {key: re.sub(r"^explain\..*\.", "explain.", key) for key in spoken}  # texts for a line stand in its name
    unused = [key for key in spoken if key not in quoted and not {key.partition(".")[0], plain[key]} & composed]
    assert spoken and not unused
