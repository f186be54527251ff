"""What is too fine to print is found through all transforms, references and patterns."""


from ppgen.engine.drawing.face import Face
from ppgen.engine.drawing.svg_check import find_fine_details
from ppgen.engine.geometry import Size


def test_what_is_too_fine_to_print_is_found(golden_cases):
    def answer(body):
        svg = f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 10 10">{body}</svg>'
        for fine in find_fine_details(Face(svg=svg, size=Size(10, 10), bleed=0)):
            yield f"{fine.kind} {fine.size}"

    golden_cases("fineness", answer)
