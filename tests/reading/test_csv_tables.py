"""CSV for spreadsheets: nothing that somebody wrote as a name becomes a formula, and names come back as they were."""

from __future__ import annotations

import csv
import io
import json

import pytest
from hypothesis import example, given, strategies as st

from ppgen.reading.csv_tables import csv_rows, csv_text, escape_formula, unescape_formula

FORMULAS = "=+-@\t\r＝＋－＠"
texts = st.text(st.sampled_from(FORMULAS + "';, aä1") | st.characters(), max_size=12)


@given(texts)
@example("'=1").via("a name with an apostrophe of its own")
def test_a_text_comes_back_and_its_cell_is_no_formula(text):
    cell = escape_formula(text)
    assert unescape_formula(cell) == text
    assert not cell.lstrip(" ").startswith(tuple(FORMULAS))
    for separator in ";,\t":
        pieces = cell.split(separator)[1:]
        assert not [piece for piece in pieces if piece.startswith(tuple("=+-@＝＋－＠"))], "other programs' separators"


def test_ordinary_texts_stay_as_they_are():
    for text in ("Anna", "O'Neill", "Anna-Lena", "2026-03-01", "Köln, Dom", "a+b", "", "'quoted'"):
        assert escape_formula(text) == text


def test_numbers_stay_numbers_and_rows_may_differ_in_their_keys():
    assert csv_text([{"name": "=1", "total": -5}, {"total": 3, "=cmd": None}]) == "name,total,'=cmd\n'=1,-5,\n,3,\n"
    assert csv_text([]) == ""


HYPERLINK = '=HYPERLINK("http://x","y")'


@pytest.fixture
def table(desk):
    """A game of players whose names are formulas."""
    players = [{"name": name} for name in (HYPERLINK, "+1", "Bo;-2")]
    (desk.folder / "game.json").write_text(json.dumps({"place": "@SUM(A1)", "date": "-1", "players": players}))
    return desk


def test_results_are_no_formulas(table):
    done = table.ppgen("score", "game.json", "--format", "csv", "-q", "--save", "--history", "h")
    assert done.exit_code == 0
    rows = list(csv.DictReader(io.StringIO(done.stdout)))
    assert [row["name"] for row in rows] == ["'" + HYPERLINK, "'+1", "Bo;'-2"]
    assert {row["total"] for row in rows} == {"0"}
    kept = json.loads(table.ppgen("history", "export", "--history", "h").stdout)
    assert kept["games"][0]["place"] == "@SUM(A1)", "JSON is no spreadsheet"


def test_a_template_filled_in_brings_the_names_back(desk):
    blank = desk.ppgen("score", "--template", "csv", "--players", "=a,-b,'+c", "--lang", "en").stdout
    assert blank.startswith(",'=a,,'-b,,''+c,\n")
    (desk.folder / "game.csv").write_text(blank + "place,'=Rome\n", encoding="utf-8")
    result = json.loads(desk.ppgen("score", "game.csv", "--json", "-q").stdout)
    assert [player["name"] for player in result["players"]] == ["=a", "-b", "'+c"]


def test_a_row_is_named_by_its_first_line():
    assert [row.line for row in csv_rows('a,b\n"x\ny",1\n\nc,d\n', ",", 9)] == [1, 2, 5]
