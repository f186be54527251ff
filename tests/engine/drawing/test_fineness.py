"""What is too fine to print is found through all transforms, references and patterns."""

import pytest

from ppgen.engine.drawing.face import Face
from ppgen.engine.drawing.svg_check import find_fine_details
from ppgen.engine.geometry import Size

LINE = '<path d="M0 0H9" fill="none" stroke="#000" stroke-width="{}" data-src="here:1"/>'


def found(body):
    svg = f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 10 10">{body}</svg>'
    return [(fine.kind, fine.size) for fine in find_fine_details(Face(svg=svg, size=Size(10, 10), bleed=0))]


@pytest.mark.parametrize("body", [
    LINE.format(0.08),
    f'<text font-size="3">path d="M0 0</text>{LINE.format(0.08)}',
    f'<g transform="scale(0.1)">{LINE.format(0.8)}</g>',
    f'<g transform="rotate(30) scale(2 0.1)">{LINE.format(0.8)}</g>',
    '<g stroke="#000" stroke-width="0.08"><path d="M0 0H9"/></g>',
    f'<defs><g id="a">{LINE.format(0.8)}</g></defs><use href="#a" transform="scale(0.1)"/>',
    f'<defs><g id="a">{LINE.format(0.8)}</g></defs><use href="#a"/><use href="#a" transform="scale(0.1)"/>',
    '<defs><path id="a" d="M0 0H9"/></defs><use href="#a" stroke="#000" stroke-width="0.08"/>',
    f'<defs><pattern id="p" width="9" height="9" patternTransform="scale(0.2)">{LINE.format(0.8)}</pattern></defs>'
    '<rect width="5" height="5" fill="url(#p)" transform="scale(0.5)"/>',
])
def test_a_thin_stroke_is_found_as_wide_as_it_is_printed(body):
    assert found(body) == [("stroke", 0.08)]


@pytest.mark.parametrize("body", [
    LINE.format(0.1), LINE.format(0), f'<g transform="scale(0.1)">{LINE.format(1)}</g>',
    f'<defs><g id="a">{LINE.format(0.05)}</g></defs>',
    '<g stroke-width="0.05"><path d="M0 0H9"/></g>',
    f'<defs><clipPath id="c">{LINE.format(0.05)}</clipPath></defs><g clip-path="url(#c)">{LINE.format(0.2)}</g>',
])
def test_what_is_wide_enough_or_not_drawn_is_not_found(body):
    assert found(body) == []


def test_small_type_is_found_in_points():
    words = '<text font-size="{}"><tspan>a</tspan></text>'
    assert found(f'<g transform="scale(0.5)">{words.format(3)}</g>') == [("type", 4.25)]
    assert found(words.format(1.8)) == []
