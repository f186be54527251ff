"""The registration marks on the printed page: black where they are, white around them, on the front only."""

import json

import pypdfium2
import pytest

from ppgen.engine.geometry import Insets, Rect

DPI = 254
"""Ten pixels to a millimetre."""
EDGE = 0.2
"""Pixels at the edge of a shape are neither black nor white, in mm."""


@pytest.fixture
def printed(desk):
    """Build a part for a cutting machine; its first pages as grey pictures, and their manifest."""

    def run(part, *words):
        done = desk.ppgen("build", "--lang", "de", "--only", part, "--marks", "silhouette", *words, "--json")
        assert done.exit_code == 0, done.output
        (file,) = json.loads(done.stdout)[0]["files"]
        document = pypdfium2.PdfDocument(desk.folder / file["path"])
        pages = [document[n].render(scale=DPI / 72).to_pil().convert("L") for n in range(min(2, len(document)))]
        return pages, file

    return run


def pixels(page, rect):
    """The darkest and the lightest pixel in a rectangle (mm)."""
    edges = (rect.x, rect.y, rect.right, rect.bottom)
    return page.crop(tuple(round(edge * DPI / 25.4) for edge in edges)).getextrema()


def brackets(width, height):
    """The two arms of both brackets, a millimetre wide."""
    x, y = width - 10, height - 10
    return (Rect(x - 8.89, 9.5, 9.39, 1), Rect(x - 0.5, 9.5, 1, 9.39),
            Rect(9.5, y - 0.5, 9.39, 1), Rect(9.5, y - 8.89, 1, 9.39))


@pytest.mark.parametrize(("part", "words", "width", "height"), [
    ("tablets", (), 297, 210), ("stones", ("--paper", "letter"), 215.9, 279.4),
    ("tablets", ("--backs", "fold"), 210, 148.5),
])
def test_marks_are_black_what_is_around_them_is_white_and_backs_have_none(printed, part, words, width, height):
    (front, *backs), file = printed(part, *words)
    square = Rect(10, 10, 5, 5)
    inner, outer = Insets.all(-EDGE), Insets.all(EDGE)
    for ink in (square, *brackets(width, height)):
        assert pixels(front, ink.grown(inner))[1] < 10
    # Frames around the marks: four strips each, from the mark's edge to the end of its clear zone.
    x, y = width - 10, height - 10
    for box in (square, Rect(x - 8.89, 9.5, 9.39, 9.39), Rect(9.5, y - 8.89, 9.39, 9.39)):
        near, far = box.grown(outer), box.grown(Insets.all(1.5))
        for strip in (Rect(far.x, far.y, far.width, near.y - far.y), Rect(far.x, near.bottom, far.width, 1.5 - EDGE),
                      Rect(far.x, far.y, near.x - far.x, far.height), Rect(near.right, far.y, 1.5 - EDGE, far.height)):
            assert pixels(front, strip)[0] > 245, strip
    # Between the arms.
    assert pixels(front, Rect(x - 8.89, 10.5 + EDGE, 8.39 - EDGE, 8.39 - EDGE))[0] > 245
    assert pixels(front, Rect(10.5 + EDGE, y - 8.89, 8.39 - EDGE, 8.39 - EDGE))[0] > 245
    marks = file["sides"][0]["registration"]
    assert [(mark["kind"], mark["width_mm"], mark["height_mm"]) for mark in marks] == [
        ("square", 5, 5), ("bracket", 9.39, 9.39), ("bracket", 9.39, 9.39)]
    assert len(backs) == len(file["sides"]) - 1
    for back, side in zip(backs, file["sides"][1:], strict=True):
        assert pixels(back, Rect(10, 10, 5, 5))[0] > 245
        assert "registration" not in side
