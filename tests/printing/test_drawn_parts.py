"""Parts into faces: what is asked for twice is drawn once, whoever asks."""

from dataclasses import replace

from ppgen.engine.component import Component, Part
from ppgen.engine.drawing.face import Face, FaceRequest
from ppgen.engine.geometry import Size
from ppgen.printing.drawn_parts import draw_parts

BACK = FaceRequest(template="back.svg.j2", size=Size(44, 68), values={"colour": "red"})


class Pencil:
    """A studio that only counts."""

    def __init__(self):
        self.drawn = []

    def draw(self, request, bleed, subject):
        self.drawn.append((request, bleed))
        return Face(svg=f"<!-- {len(self.drawn)} -->", size=request.size, bleed=bleed)


def test_equal_requests_are_drawn_once_and_those_of_another_piece_or_value_again():
    again = replace(BACK, values=dict(BACK.values))
    others = (replace(BACK, key="x"), replace(BACK, values={"colour": "blue"}), replace(BACK, small=True))
    part = Part(name="cards", title="Cards", components=tuple(
        Component(id=str(n), front=request) for n, request in enumerate((BACK, again, *others))))
    pencil = Pencil()
    (drawn,) = draw_parts([part], pencil, lambda part, side: 2, "it")
    assert pencil.drawn == [(request, 2) for request in (BACK, *others)]
    assert drawn.faces["0", "front"] is drawn.faces["1", "front"]


def test_where_its_words_were_written_makes_no_face_another():
    assert replace(BACK, origins={"red": None}) == BACK
