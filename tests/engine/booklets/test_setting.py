"""What a booklet can't be set with is shown where it is written, by ``build`` and by ``check``."""

from __future__ import annotations

import pytest

from ppgen.assets import shipped_root

TITLE = "data/deck/locales/en.toml"
RULES = '[rules.book]\nname = "Rules"\n\n[rules.text]\nbody = """\nTwo players.\n\nThey *{}* cards.\n"""\n'


@pytest.fixture
def deck(desk):
    """A deck of one's own, with rules."""
    assert desk.ppgen("init", "--empty", ".").exit_code == 0
    (desk.data / "deck" / "rules").mkdir()
    (desk.data / "deck" / "rules" / "en.toml").write_text(RULES.format("play"), encoding="utf-8")
    return desk


@pytest.mark.parametrize("character", "\ufeff \ue000 \u0378 \ufdd0 \ufff9 \U000f0000 \u1680 \u0601 ☃".split(" "))
def test_what_no_font_can_set_is_shown_with_its_place(deck, character):
    shown = character if character.isprintable() else f"U+{ord(character):04X}"
    line = deck.change(TITLE, "My Deck", f"My{character}Deck")
    done = deck.own("build", "--only", "guide")
    assert done.exit_code == 1
    assert done.stderr == (f"{TITLE}:{line} game.title: no font can set the characters {shown} (take them out, or "
                           "write others)\n")
    assert not (deck.folder / "output").exists()


def test_check_and_rules_show_it_as_well(deck):
    line = deck.change("data/deck/rules/en.toml", "*play*", "*pl\ufeffay*") - 3  # where the text begins
    problem = f"data/deck/rules/en.toml:{line} rules.text.body: no font can set the characters U+FEFF"
    for done in (deck.own("check"), deck.own("build", "--only", "rules")):
        assert done.exit_code == 1
        assert done.output.count("U+FEFF") == 1
        assert problem in done.output


def test_unseen_characters_that_mean_something_are_set(deck):
    words = "ca\u00adrds\u200b, o\u200dr\u2060: f\u00a0f\u202fg\u2003h\u2028next"
    deck.change("data/deck/rules/en.toml", "cards", words)
    assert deck.own("build", "--only", "rules").exit_code == 0


def test_a_language_with_a_country_is_set(deck):
    for folder in ("locales", "rules"):
        file = deck.data / "deck" / folder / "en.toml"
        file.rename(file.with_name("en-GB.toml"))
    for folder in ("locales", "guide"):
        (deck.data / folder).mkdir()
    for folder in ("locales", "guide"):
        words = (shipped_root() / "data" / folder / "en.toml").read_text(encoding="utf-8")
        for lang in ("en-GB", "de"):
            (deck.data / folder / f"{lang}.toml").write_text(words, encoding="utf-8")
    deck.change("data/deck/deck.toml", 'lang = "en"', 'lang = "en-GB"')
    done = deck.own("build", "--lang", "en-gb", "--only", "rules")
    assert done.exit_code == 0, done.output


@pytest.mark.parametrize(("file", "old", "new", "key"), [
    ("guide/en.toml", 'body = """\n- ', 'body = """\n{nothing}\n\n- ', "guide.tools.body"),
])
def test_markup_of_the_guide_that_leads_nowhere_is_shown_with_its_place(own_desk, file, old, new, key):
    own_desk.change(f"data/{file}", old, new)
    done = own_desk.own("build", "--lang", "en", "--only", "guide")
    assert done.exit_code == 1
    assert f"data/{file}:" in done.output and key in done.output and "nothing" in done.output
