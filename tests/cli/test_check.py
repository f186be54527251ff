"""``ppgen check``: is it printable? The whole shipped set is; what is spoiled is told."""

import json
import re
import sys
from dataclasses import replace

import pytest

from ppgen.engine.geometry import Size
from ppgen.review.set_check import default_looks, tightest_sizes


@pytest.fixture
def deck_desk(desk):
    """The smallest deck: two cards without backs, checked in a second."""
    assert desk.ppgen("new", "deck", "--starter", "empty", "--quiet").exit_code == 0
    return replace(desk, folder=desk.folder / "deck")


def draw_more(deck_desk, drawn):
    """Append to the deck's template; return the number of the line."""
    template = deck_desk.folder / "card.svg.j2"
    text = template.read_text(encoding="utf-8")
    template.write_text(text + drawn, encoding="utf-8")
    return text.count("\n") + 1


def problems(done):
    assert done.exit_code == 1, done.output
    report = json.loads(done.stdout)
    assert report["ok"] is False
    return report["problems"]


@pytest.mark.slow
def test_what_is_wrong_with_two_languages_is_told_once_each_where_it_is_written(small_desk):
    """Cards in two inks show a text; what is lent to fill a gap is not told again if it is long."""
    german, english = (f"data/card_game/locales/{lang}.toml" for lang in ("de", "en"))
    lines = {key: small_desk.change(path, old, new) for key, path, old, new in (
        ("countries.france", german, '"Frankreich"', '"Frankreich und Navarra samt allen Provinzen"'),
        ("countries.saxony", german, '"Sachsen"', '"Kurfürstentum Sachsen mit seinen Nebenlanden"'),
        ("countries.bavaria", german, '"Bayern"', '"𓂀"'),
        ("countries.sachsen", english, "saxony = ", "sachsen = "))}
    found = problems(small_desk.ppgen("check", "--data", "data", "-l", "de", "-l", "en", "--json"))
    told = {(problem["place"], problem["line"], problem["key"]): problem for problem in found}
    assert len(told) == len(found)
    whats = {key: told.pop((german, lines[key], key)) for key in lines if (german, lines[key], key) in told}
    assert whats.keys() == {"countries.france", "countries.saxony"}
    assert re.fullmatch(r"text 'Frankreich und Navarra samt allen Provi…' is \d+\.\d mm too wide for its box on "
                        r"france-1 \(mini-euro\)", whats["countries.france"]["what"])
    assert re.fullmatch(r"shorten it by \d\d %, or give it more room in \S*templates/card_game/country-card\.svg"
                        r"\.j2:\d+", whats["countries.france"]["remedy"])
    (boxed,) = (told.pop(key) for key in [*told] if key[:2] == (german, lines["countries.bavaria"]))
    assert "the Egyptian letters of 1 text, like '𓂀'" in boxed["what"]
    assert {(place, key, problem["what"]) for (place, _, key), problem in told.items() if place == english} == {
        (english, "countries.saxony", "text is missing"), (english, "countries.sachsen", "is not used")}
    assert (english, lines["countries.sachsen"], "countries.sachsen") in told
    assert {place for place, *_ in told} == {english}


@pytest.mark.parametrize(("copied", "missing"), [
    ("data/locales", "data/card_game/locales"), ("data/card_game/locales", "data/locales")])
def test_a_language_with_half_of_its_files_is_told_which_is_missing(own_desk, copied, missing):
    words = (own_desk.folder / copied / "de.toml").read_bytes()
    (own_desk.folder / copied / "it.toml").write_bytes(words)
    (found,) = problems(own_desk.ppgen("check", "--data", "data", "--lang", "it", "--json"))
    assert (found["place"], found["what"]) == (f"{missing}/it.toml", "file is missing")


@pytest.mark.skipif(sys.platform in ("win32", "darwin"), reason="such files can't be there")
def test_names_that_differ_in_case_only_are_told(deck_desk):
    for name in ("Wolf.png", "wolf.png"):
        (deck_desk.folder / name).touch()
    said = deck_desk.ppgen("check", "--data", "deck").stderr
    assert "warning: wolf.png: differs from Wolf.png in case only" in said and said.count("in case only") == 1


def test_a_text_that_no_face_asks_for_is_told_with_its_line(deck_desk, monkeypatch):
    monkeypatch.chdir(deck_desk.folder)
    (deck_desk.folder / "words").mkdir()
    (deck_desk.folder / "words/en.toml").write_text('[parts]\nbanner = "Banner"\n', encoding="utf-8")
    done = deck_desk.ppgen("check", "--json")
    (found,) = json.loads(done.stdout)["warnings"]  # a deck of one's own may have words for later
    assert (done.exit_code, found["place"], found["line"]) == (0, "words/en.toml", 2)
    assert (found["key"], found["what"]) == ("parts.banner", "text is used nowhere")


def test_a_cause_is_told_once_with_the_number_of_faces_that_show_it(deck_desk, monkeypatch):
    """Two lines of the template set small type on two cards, in two inks; one size differs."""
    monkeypatch.chdir(deck_desk.folder)
    small = '<g>{{ text(side, x=9, y=9, width=20, size=1.2 if card.nth == 2 else 1.3) }}</g>\n'
    line = draw_more(deck_desk, small + small)
    done = deck_desk.ppgen("check")
    assert (done.exit_code, done.stderr.splitlines()) == (0, [
        *(f"warning: card.svg.j2:{line + each} [second-card front en full poker] and 3 more: sets type of "
          "3.4 pt (5 pt is the least that reads well: give it more room or fewer words)" for each in range(2)),
        "No problems found (en)."])


def drawn_sizes(found):
    """The card sizes that problems were found on."""
    return {place.strip("[]").split()[-1] for problem in found for place in (problem["key"], *problem["others"])}


@pytest.mark.slow
def test_an_own_deck_is_drawn_in_its_own_size_unless_others_are_asked_for(deck_desk, monkeypatch):
    monkeypatch.chdir(deck_desk.folder)
    draw_more(deck_desk, '<g foo="{{ face.width }}x{{ face.height }}"/>')
    words = "check", "--json"
    assert drawn_sizes(problems(deck_desk.ppgen(*words))) == {"poker"}
    assert drawn_sizes(problems(deck_desk.ppgen(*words, "--card-size", "euro", "--card-size", "50x50mm"))) == {
        "euro", "50x50"}
    assert len(drawn_sizes(problems(deck_desk.ppgen(*words, "--all-sizes")))) == 12


def test_the_tightest_sizes_bound_all_others(formats):
    """In area from below, and in slenderness from both sides."""
    def slender(size: Size) -> float:
        return size.height / size.width

    found = [chosen.size for chosen in tightest_sizes(formats.sizes)]
    for size in formats.sizes.values():
        assert min(each.width * each.height for each in found) <= size.width * size.height
        assert min(map(slender, found)) <= slender(size) <= max(map(slender, found))
    own = formats.card_size("mini-euro")
    assert [size for ink, size in default_looks(own, formats.sizes) if ink == "low"] == [
        own, tightest_sizes(formats.sizes)[0]]
