"""Signs and emoji in tables are printed by ppgen's own font of signs; what it lacks is a box and a message."""

import tomllib

import pypdfium2
import pytest

from tests.conftest import ROOT
from tests.games.own_deck.decks import lay_out

TYPED = "♥♠♦♣★☆✓✗⚡🏠⚔💰🎲❤👍🔥💧🌙☀🗡🛡🔑🐉👑⚓⚙☠♞♟⚀⚅→↑⇄ⅣⅫ½⅔①❶▲●◆⌛🃏🏰🌾🐑🪵🧱🍞🍺🎯"
DECK = {"deck.toml": '[cards]\ntable = "cards.csv"\nfront = "card.svg.j2"\n',
        "card.svg.j2": "{{ text(card.name, x=4, y=20, width=55, size=6, min_size=1) }}"}


def words_of(desk) -> str:
    (pdf,) = (desk.folder / "output/en").glob("cards-*.pdf")
    return "".join(pypdfium2.PdfDocument(pdf)[0].get_textpage().get_text_range().split())


def test_each_style_has_the_signs_that_games_use(fonts):
    table = tomllib.loads((ROOT / "tools" / "signs.toml").read_text(encoding="utf-8"))
    (signs,) = fonts.signs
    named = {sign for sign in "".join(map(str, table["icons"].values())) if not sign.isascii()}
    assert len(named) >= 140
    for sign in (*named, *TYPED):
        assert signs.can_set(sign) or fonts.styles["text"][0].can_set(sign), sign
    assert all(signs in style for style in fonts.styles.values())
    assert signs.path.stat().st_size < 250_000


@pytest.mark.slow
@pytest.mark.usefixtures("faces_only")
def test_a_sign_that_no_font_has_is_a_box_and_one_message(desk):
    lay_out(desk.folder, DECK, cards_csv="Name\nAnt 🦕\nBee 🦕🦕\nCat 𓀀\n")
    done = desk.run("build", "--only", "cards")
    assert [line.partition(" (")[0] if "letters" in line else line.partition(": it is")[0]
            for line in done.stderr.splitlines() if "no font" in line] == [
        "warning: cards.csv:2 Name: no font has '🦕' (U+1F995) of 2 texts, like '🦕'",
        "warning: cards.csv:4 Name: no font has the Egyptian letters of 1 text, like '𓀀': they are printed as boxes"]
    assert "Ant□" in words_of(desk) and "Bee□□" in words_of(desk)
    checked = desk.run("check", code=1)
    assert "cards.csv:2 Name: no font has '🦕'" in checked.stderr and "warning: cards.csv:2" not in checked.stderr
