"""QR codes: the outline is exactly the code's dark modules, and codes that phones can't read are warned of."""

import re

import pytest
import segno

from ppgen.engine.drawing.ornament import QUIET, make_qr_code
from tests.games.own_deck.decks import lay_out

WORDS = ("hello", "https://example.org/rules?lang=de", "お茶 und Käse ♥", "1234567890" * 60)


@pytest.mark.parametrize("words", WORDS)
def test_the_outline_encloses_the_dark_modules_and_no_others(words):
    outline, side = make_qr_code(words)
    upright = []  # x, top and bottom of each upright edge
    for loop in re.findall(r"M([^z]+)z", outline):
        corners = [tuple(map(int, corner.split())) for corner in loop.split("L")]
        for (x, y), (x2, y2) in zip(corners, (*corners[1:], corners[0]), strict=True):
            assert (x == x2) != (y == y2), "an edge is level or upright"
            if x == x2:
                upright.append((x, min(y, y2), max(y, y2)))
    matrix = segno.make(words, error="m", micro=False).matrix
    assert side == len(matrix) + 2 * QUIET
    for y in range(side):
        edges = sorted(x for x, top, bottom in upright if top <= y < bottom)
        dark = {x for start, end in zip(edges[::2], edges[1::2], strict=True) for x in range(start, end)}
        row = matrix[y - QUIET] if 0 <= y - QUIET < len(matrix) else ()
        assert dark == {x for x, module in enumerate(row, QUIET) if module}


DECK = {"deck.toml": '[cards]\ntable = "cards.csv"\nfront = "card.svg.j2"\n',
        "cards.csv": "Name,Link\nAnt,https://example.org\n"}
CODES = {
    "qr(card.link, x=4, y=4, size=20)": "",
    "qr(card.link, x=4, y=30, size=8)": "modules of 0.24 mm (phones read 0.4 mm or more",
    'qr(card.link, x=30, y=4, size=20, fill="#aaaaaa")': "a contrast of 2.3 (phones read dark on light",
    'qr(card.link, x=30, y=30, size=20, fill="white", ground="black")': "a contrast of 1 (phones read dark on light",
    "qr('', x=4, y=60, size=8)": ""}


def test_codes_that_phones_cannot_read_are_warned_of(desk):
    lay_out(desk.folder, DECK, card_svg_j2="\n".join(f"{{{{ {call} }}}}" for call in CODES))
    done = desk.run("check", "--lang", "en")
    for line, warning in enumerate(CODES.values(), 1):
        said = [each for each in done.stderr.splitlines() if f"card.svg.j2:{line} [ant " in each and "QR" in each]
        assert any(warning in each for each in said) if warning else not said, line


def test_too_long_a_text_is_refused_with_its_line(desk):
    lay_out(desk.folder, DECK, card_svg_j2="{{ qr('お' * 1500, x=4, y=4, size=50) }}")
    done = desk.run("build", "--only", "cards", code=1)
    assert "card.svg.j2:1" in done.stderr and "1500 characters are too many for a QR code" in done.stderr
    assert not (desk.folder / "output").exists()
