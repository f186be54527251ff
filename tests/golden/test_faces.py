"""Faces and adopted drawings as records. ``pytest --update-golden`` writes them anew; read the diff."""

from __future__ import annotations

import pytest

from tests.games.own_deck.decks import draw_fronts
from tests.games.own_deck.test_drawings import CONSTRUCTIONS, adopt, construction, picture
from tests.golden.records import svg_lines
from tests.laws.test_drawing_laws import random_drawing
from tools.functions_page import write_example_deck


@pytest.mark.parametrize("ink", ["full", "low"])
def test_what_the_template_functions_draw_has_not_changed(golden, tmp_path, ink):
    names = write_example_deck(tmp_path)
    faces = draw_fronts(tmp_path, ink)
    assert len(names) <= len(faces)
    lines = [line for face in faces for line in (f"edge {face.edge}, anchors {dict(face.anchors)}", *(
        f"  {each}" for each in svg_lines(face.svg)))]
    golden(f"functions-{ink}.txt", "\n".join(lines) + "\n")


def test_what_is_made_of_drawings_has_not_changed(golden, tmp_path):
    (tmp_path / "art.png").write_bytes(picture())
    drawings = {f"{program}: {name}": construction(program, name) for program, name in CONSTRUCTIONS}
    drawings |= {f"random {number}": random_drawing(number) for number in range(12)}
    lines = list[str]()
    for name, drawing in drawings.items():
        adopted = adopt(tmp_path, drawing)
        lines += [name, *(f"  {line[:300]}" for line in (*adopted.template.splitlines(), *map(str, adopted.notes)))]
    golden("adopted.txt", "\n".join(lines).replace(str(tmp_path), "") + "\n")
