"""What a booklet can't be set with is shown where it is written, by ``build`` and by ``check``."""

import pytest


@pytest.mark.parametrize("character", ["\ufeff", "\ue000", "𓂀"])
def test_what_no_font_can_set_is_shown_with_its_place(desk, character):
    shown = character if character.isprintable() else f"U+{ord(character):04X}"
    desk.run("new", ".", "--starter", "empty")
    desk.change("deck.toml", "title = ", f'title = "My{character}Deck" # ')
    done = desk.run("build", "--only", "guide", code=1)
    assert done.stderr.startswith(f"deck.toml game.title: no font can set the characters {shown} (take them out, or "
                                  "write others)\n")
    assert not (desk.folder / "output").exists()


def test_markup_of_the_guide_that_leads_nowhere_is_shown_with_its_place(own_desk):
    own_desk.change("data/guide/en.toml", 'body = """\n- ', 'body = """\n{nothing}\n\n- ')
    done = own_desk.own("build", "--lang", "en", "--only", "guide")
    assert done.exit_code == 1
    assert all(words in done.output for words in ("data/guide/en.toml:", "guide.tools.body", "nothing"))
