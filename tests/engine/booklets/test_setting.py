"""What a booklet can't be set with is shown where it is written, by ``build`` and by ``check``."""

import pypdfium2
import pytest


@pytest.mark.parametrize(("character", "shown"), [("\ufeff", ""), ("\ue000", "U+E000"), ("𓂀", "the Egyptian letters")])
def test_what_no_font_can_set_is_a_box_and_shown_with_its_place(desk, character, shown):
    desk.run("new", ".", "--starter", "empty")
    desk.change("deck.toml", "title = ", f'title = "My{character}Deck" # ')
    done = desk.run("build", "--only", "guide")
    assert (f"deck.toml:2: no font has {shown} of 1 text" in done.stderr) == bool(shown)
    with pypdfium2.PdfDocument(desk.folder / "output/en/guide-screen.pdf") as pdf:
        assert ("My□Deck" if shown else "MyDeck") in pdf[0].get_textpage().get_text_range()


def test_markup_of_the_guide_that_leads_nowhere_is_shown_with_its_place(own_desk):
    own_desk.change("data/guide/en.toml", 'body = """\n- ', 'body = """\n{nothing}\n\n- ')
    done = own_desk.own("build", "--lang", "en", "--only", "guide")
    assert done.exit_code == 1
    assert all(words in done.output for words in ("data/guide/en.toml:", "guide.tools.body", "nothing"))
