"""What a booklet can't be set with is shown where it is written, by ``build`` and by ``check``."""

import pytest


@pytest.fixture
def deck(desk):
    """A deck of one's own, with rules."""
    assert desk.ppgen("new", ".", "--starter", "empty").exit_code == 0
    (desk.folder / "rules.md").write_text("# Night\n\nTwo players.\n\nThey *play* cards.\n", encoding="utf-8")
    return desk


@pytest.mark.parametrize("character", ["\ufeff", "\ue000", "𓂀"])
def test_what_no_font_can_set_is_shown_with_its_place(deck, character):
    shown = character if character.isprintable() else f"U+{ord(character):04X}"
    deck.change("deck.toml", "title = ", f'title = "My{character}Deck" # ')
    done = deck.ppgen("build", "--only", "guide")
    assert done.exit_code == 1
    assert done.stderr.startswith(f"deck.toml game.title: no font can set the characters {shown} (take them out, or "
                                  "write others)\n")
    assert not (deck.folder / "output").exists()


@pytest.mark.parametrize(("file", "old", "new", "key"), [
    ("guide/en.toml", 'body = """\n- ', 'body = """\n{nothing}\n\n- ', "guide.tools.body"),
])
def test_markup_of_the_guide_that_leads_nowhere_is_shown_with_its_place(own_desk, file, old, new, key):
    own_desk.change(f"data/{file}", old, new)
    done = own_desk.own("build", "--lang", "en", "--only", "guide")
    assert done.exit_code == 1
    assert f"data/{file}:" in done.output and key in done.output and "nothing" in done.output
