"""CSV for spreadsheets: nothing that somebody wrote as a name becomes a formula, and names come back as they were."""

import json

from hypothesis import example, given, strategies as st

from ppgen.reading.fields import escape_formula, unescape_formula

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


def test_a_template_filled_in_brings_the_names_back(desk):
    blank = desk.run("score", "--template", "csv", "--players", "=a,-b,'+c", "--lang", "en").stdout
    assert blank.startswith(",'=a,,'-b,,''+c,\n")
    (desk.folder / "game.csv").write_text(blank + "place,'=Rome\n", encoding="utf-8")
    result = json.loads(desk.ppgen("score", "game.csv", "--json", "-q").stdout)
    assert [player["name"] for player in result["players"]] == ["=a", "-b", "'+c"]
