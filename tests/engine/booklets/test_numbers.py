"""The numbers around the picture of a card point at what they name, in every skin and in templates of one's own."""

import io
from dataclasses import replace

import pytest
from PIL import Image, ImageChops

from ppgen.assets import Assets
from ppgen.engine.booklets.booklet import BookletPicture, FigureLabel, Numbers, Stroke
from ppgen.engine.booklets.booklet_pdf import SEAL, place_seals
from ppgen.engine.drawing.face import Anchor, FaceRequest
from ppgen.engine.geometry import Format, Rect, Size
from ppgen.engine.pdf.typesetting import faces_png
from ppgen.games.card_game.rules import PARTS_OF_CARD
from ppgen.printing.drawn_parts import parts_on_a4
from ppgen.printing.workshop import Workshop
from ppgen.shipped import shipped_root

SKINS = ("", *sorted(path.name for path in (shipped_root() / "templates" / "skins").iterdir()))
PPI = 120
SEEN_PREFIX = "seen-"
OTHER = {"number": 9, "code": "XX", "symbols": ("rose", "key"), "route": "ship", "name": "Ww"}
"""Another value of each part: what it changes in the picture is where the part is."""
NEAR = 1.6
"""A pointer ends so many mm away from what it names, at most."""


@pytest.mark.slow
@pytest.mark.parametrize(("skin", "size"), [
    *((skin, Size(44, 68)) for skin in SKINS if skin), ("", Size(70, 70))], ids=str)
def test_every_anchor_of_a_card_lies_at_what_it_names(skin, size, deck):
    workshop = Workshop.open(Assets.at(), skin)
    texts = workshop.texts("de")
    parts = parts_on_a4(workshop, texts, Format("any", size))
    card = next(card for card in deck.cards if len(card.symbols) == 2 and card.route == "carriage")
    request = next(piece for part in parts for piece in part.components if piece.id == card.id).front
    studio = workshop.studio(texts, "full")
    face = studio.draw(request, 0, "[it]")
    assert {name for name in face.anchors if not name.startswith(SEEN_PREFIX)} - {"cue", "dots"} == set(PARTS_OF_CARD)
    others = [studio.draw(replace(request, values={**request.values, "card": {**request.values["card"], key: value}}),
                          0, "[it]") for key, value in OTHER.items()]
    plain, *changed = (Image.open(io.BytesIO(png)).convert("RGB")
                       for png in faces_png([face, *others], workshop.fonts.folder, PPI))
    for key, picture in zip(OTHER, changed, strict=True):
        left, top, right, bottom = (side * 25.4 / PPI for side in ImageChops.difference(plain, picture).getbbox())
        near = NEAR * size.width / 44
        across = size.width if key == "name" else right  # a name stands on a ribbon, or in a line, of its own
        for at in (face.anchors[name] for name in (key, SEEN_PREFIX + key) if name in face.anchors):
            assert left - near < at.x < across + near, key
            assert top - near < at.y < bottom + near, key


def numbers(*anchors):
    picture = BookletPicture(request=FaceRequest(template="card", size=Size(40, 60), values={}), box=Rect(4, 4, 20, 30))
    return Numbers(picture=picture, anchors=anchors)


def test_a_seal_stands_beside_the_nearest_edge_and_its_line_ends_at_the_anchor():
    stated = {"west": Anchor(4, 30), "east": Anchor(38, 20), "north": Anchor(20, 5)}
    found = [*place_seals(numbers("west", "north", "east"), stated)]
    ends = {(round(part.end.x, 6), round(part.end.y, 6)) for part in found if isinstance(part, Stroke)}
    assert ends == {(6, 19), (14, 6.5), (23, 14)}
    boxes = {part.words: part.box for part in found if isinstance(part, FigureLabel)}
    assert boxes["1"].x == pytest.approx(0)
    assert boxes["2"].y == pytest.approx(0)
    assert boxes["3"].right == pytest.approx(4 + 20 + 4)


def test_seals_do_not_touch_each_other():
    boxes = [part.box for part in place_seals(numbers("a", "b"), {"a": Anchor(1, 20), "b": Anchor(2, 22)})
             if isinstance(part, FigureLabel)]
    assert boxes[1].y >= boxes[0].y + SEAL


def test_a_number_whose_anchor_is_not_stated_is_left_out():
    words = [part.words for part in place_seals(numbers("a", "b", "c"), {"a": Anchor(1, 20), "c": Anchor(9, 2)})
             if isinstance(part, FigureLabel)]
    assert words == ["1", "3"]
