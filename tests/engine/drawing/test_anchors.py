"""The places that a face names: where they lie whatever transforms are around them, and what is refused."""


from ppgen.engine.drawing.svg_check import check_svg
from ppgen.engine.geometry import Seams

HEAD = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="-2 -2 48 72">'


def checked(body, head=HEAD):
    return check_svg(f"{head}{body}</svg>", "-2 -2 48 72")


def test_anchors_and_seams_are_taken_or_refused_as_they_were(golden_cases):
    def answer(text):
        svg, violations = checked(text) if text.startswith("<") else checked("", f"{HEAD[:-1]} {text}>")
        yield from (violation.what for violation in violations)
        if svg:
            assert "data-anchor" not in svg.text and "data-seam" not in svg.text
            yield from (f"{name}: {at.x:.9g} {at.y:.9g} turned {at.turn:.9g}" for name, at in svg.anchors.items())
            yield from [str(svg.seams)] if svg.seams != Seams() else ()

    golden_cases("anchors", answer)
