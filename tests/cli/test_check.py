"""``ppgen check``: is it printable? The whole shipped set is; what is spoiled is told."""

import json

import pytest


@pytest.fixture
def small_desk(own_desk):
    """Own folders with one card size, so that a check is quick."""
    (own_desk.data / "sizes.toml").write_text('[sizes]\nmini-euro = "44x68mm"\n')
    return own_desk


def test_the_shipped_set_is_printable_and_that_is_told_on_stderr(process, tmp_path):
    done = process("check", "--lang", "de", cwd=tmp_path)
    assert (done.returncode, done.stdout) == (0, ""), done.stderr
    assert "de" in done.stderr.splitlines()[-1]


def problems(done):
    assert done.exit_code == 1, done.output
    report = json.loads(done.stdout)
    assert report["ok"] is False
    return report["problems"]


def test_a_text_too_wide_is_told_with_component_language_and_excess(small_desk):
    small_desk.change("data/card_game/locales/de.toml", '"Frankreich"', '"Frankreich und Navarra samt allen Provinzen"')
    found = problems(small_desk.own("check", "--lang", "de", "--json"))
    assert any("mm too wide for its box" in problem["what"] and "Frankreich und" in problem["what"]
               and "france-1" in problem["key"] and "de" in problem["key"]
               and problem["place"].endswith(".svg.j2") and problem["line"] > 0 for problem in found)


def test_a_character_without_a_glyph_is_told(small_desk):
    small_desk.change("data/card_game/locales/de.toml", '"Frankreich"', '"☃"')
    found = problems(small_desk.own("check", "--lang", "de", "--json"))
    assert any("'☃' (U+2603)" in problem["what"] and "france-1" in problem["key"] for problem in found)


def test_an_unused_and_a_missing_text_are_told_with_their_line(small_desk):
    line = small_desk.change("data/card_game/locales/en.toml", "france = ", "gallia = ")
    found = problems(small_desk.own("check", "--lang", "en", "--json"))
    told = {(problem["key"], problem["what"]): problem["line"] for problem in found}
    assert told["countries.gallia", "is not used"] == line
    assert ("countries.france", "text is missing") in told


def test_a_text_that_no_face_asks_for_is_told(small_desk):
    for lang in ("de", "en"):
        small_desk.change(f"data/card_game/locales/{lang}.toml", "[parts]", '[parts]\nbanner = "Banner"')
    found = problems(small_desk.own("check", "--lang", "de", "--json"))
    assert any(problem["key"] == "parts.banner" and "nowhere" in problem["what"] for problem in found)


def test_svg_outside_the_subset_is_told_with_its_line(small_desk):
    path = "templates/card_game/claim-stone.svg.j2"
    line = small_desk.change(path, "</svg>", '<image href="x.png"/></svg>')
    found = problems(small_desk.own("check", "--lang", "de", "--json"))
    assert {(problem["place"], problem["line"]) for problem in found if "<image>" in problem["what"]} == {(path, line)}


def test_problems_of_two_languages_are_told_together(small_desk):
    for lang in ("de", "en"):
        small_desk.change(f"data/card_game/locales/{lang}.toml", "[parts]", "[parts")
    places = {problem["place"] for problem in problems(small_desk.own("check", "--json"))}
    assert {f"data/card_game/locales/{lang}.toml" for lang in ("de", "en")} <= places


def test_problems_are_told_in_the_same_order_on_every_run(process, small_desk):
    for old in ("france = ", "saxony = ", "italy = "):
        small_desk.change("data/card_game/locales/en.toml", old, f"x-{old}")
    first, second = (process("check", "--data", "data", "--templates", "templates", "--lang", "en",
                             cwd=small_desk.folder, PYTHONHASHSEED=seed) for seed in ("1", "2"))
    assert first.returncode == 1
    assert first.stderr == second.stderr
