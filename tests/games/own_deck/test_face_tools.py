"""Panels, badges, boxes and dice of decks: what they draw, in low ink too, and the examples of the documentation."""

import re

import pytest

from ppgen.engine.drawing.face import FrameOfFace
from ppgen.engine.drawing.face_tools import FaceTools
from ppgen.engine.drawing.fonts import read_fonts
from ppgen.engine.drawing.lettering import Lettering
from ppgen.engine.pictures.picture_files import PictureFolder
from ppgen.errors import InputError
from ppgen.shipped import shipped_root
from tests.games.own_deck.decks import draw_fronts, lay_out

SWORD = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 10 10"><path d="M0 0H10V10Z"/></svg>'
DECK = {"deck.toml": 'title = "A"\n[cards]\nsize = "poker"\nfront = "card.svg.j2"\n', "icons/sword.svg": SWORD,
        "card.svg.j2": "{{ fill('#ffffff') }}"}


@pytest.fixture
def tools(tmp_path):
    """The functions of a face of poker size; call with the ink."""
    fonts = read_fonts(shipped_root() / "data" / "fonts")
    (tmp_path / "icons").mkdir()
    (tmp_path / "icons" / "sword.svg").write_text(SWORD, encoding="utf-8")
    return lambda ink="full": FaceTools(frame=FrameOfFace(width=63.5, height=88.9, bleed=2), ink=ink,
                                        lettering=Lettering(fonts=fonts), pictures=PictureFolder(tmp_path))


def test_a_panel_or_badge_at_the_edge_ends_shared_cuts(tools):
    for call, edge in ((lambda face: face.panel(margin=3, stroke="#000"), "fill-ff0000"),
                       (lambda face: face.panel(margin=0, fill="#000"), ""),
                       (lambda face: face.panel(margin=0.4, stroke="#000", stroke_width=1), ""),
                       (lambda face: face.badge("1", x=9, y=9), "fill-ff0000"),
                       (lambda face: face.badge("1", x=2, y=9, r=3), "")):
        face = tools()
        face.fill("#ff0000")
        call(face)
        assert face.edge == edge


def test_low_ink_saves_ink_by_itself(tools):
    face = tools("low")
    assert 'fill="#222222"' not in face.text("a", x=9, y=9, width=9, size=3, fill="#ffffff")  # on what, is not known
    assert 'fill="#ffffff"' in face.fill("#203040")
    assert 'fill="#fcf6ec"' in face.panel(margin=3, fill="#e0a040")
    badge = face.badge("7", fill="#b02a2a")
    assert 'fill="#ffffff"' in badge
    assert 'stroke="#b02a2a"' in badge
    for function in (face.text, face.rich):
        assert 'fill="#222222"' in function("a", x=9, y=9, width=9, size=3, fill="#fff")
        assert 'fill="#b02a2a"' in function("a", x=9, y=9, width=9, size=3, fill="#b02a2a")
    assert 'stroke="#222222"' in face.panel(margin=4, stroke="#ffffff")


@pytest.mark.parametrize(("anchor", "share"), [("start", 0), ("middle", 0.5), ("end", 1)])
def test_words_stand_in_their_box_where_their_anchor_says(tools, anchor, share):
    for box in tools().rows(4, columns=2, x=10, y=20, height=40):
        line = tools().text("I", box=box, anchor=anchor)
        text = tools().paragraph("I", box=box, size=3, anchor=anchor)
        low = tools().paragraph("I", box=box, size=3, anchor=anchor, valign="bottom")
        assert f'y="{box.y + box.height - 3 * 0.22:.3f}"' in low
        for drawn in (line, text):
            assert f'x="{box.x + share * box.width:.3f}"' in drawn and f'text-anchor="{anchor}"' in drawn
        assert f'font-size="{min(box.width, box.height) / 2:.3f}"' in line
    assert tools().text("I", box=box) == tools().text("I", box=box, anchor="middle")


@pytest.mark.parametrize(("call", "said"), [
    ('text("a", x=1, y=2, size=3)', "text() needs 'width'"),
    ('panel(colour="#fff")', "panel() has no argument 'colour'"),
    ("hexes(3, columns=2)", "hexes() takes arguments by name, like x=5")])
def test_a_wrong_call_names_the_function_and_its_argument(tmp_path, call, said):
    with pytest.raises(InputError, match=re.escape(said)):
        draw_fronts(lay_out(tmp_path, DECK, card_svg_j2=f"{{{{ {call} }}}}"))
