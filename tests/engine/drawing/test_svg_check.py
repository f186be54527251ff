"""Whatever the chain would drop without a word is a violation that knows its template and line."""

import io

import pytest
from coloraide.css.color_names import name2val_map
from PIL import Image

from ppgen.engine.colours import named_colour
from ppgen.engine.drawing.face import Face, FaceRequest
from ppgen.engine.drawing.rendering import FaceRenderer
from ppgen.engine.drawing.svg_check import MAX_HEIGHT, check_svg
from ppgen.engine.drawing.templates import TemplateSet
from ppgen.engine.geometry import Size
from ppgen.engine.pdf.typesetting import faces_png
from ppgen.errors import InputError
from ppgen.records import replace

NAMESPACE = "http://www.w3.org/2000/svg"
VIEW_BOX = "0 0 48 72"
HEAD = f'<svg xmlns="{NAMESPACE}" xmlns:xlink="http://www.w3.org/1999/xlink" viewBox="{VIEW_BOX}">'


@pytest.fixture
def violations(tmp_path):
    """The violations of a template whose third line is the given one."""

    def found(line, head=HEAD):
        body = f'<rect width="48" height="72"/>\n{line}'
        (tmp_path / "card.svg.j2").write_text(f"{head}\n{body}\n</svg>", encoding="utf-8")
        svg = TemplateSet((tmp_path,)).render("card.svg.j2", {}, "")
        checked, faults = check_svg(svg, VIEW_BOX)
        assert (checked is None) == bool(faults), "either clean SVG or violations"
        return faults

    return found


def test_the_supported_subset_passes(violations):
    assert violations("""
      <defs>
        <linearGradient id="a" gradientUnits="userSpaceOnUse" x1="0" x2="9"><stop offset="0" stop-color="#fff"/>
        </linearGradient>
        <radialGradient id="b" cx="5" cy="5" r="5"><stop offset="100%" stop-color="#123456" stop-opacity="0.5"/>
        </radialGradient>
        <pattern id="c" patternUnits="userSpaceOnUse" width="2" height="2"><circle cx="1" cy="1" r="0.5"/></pattern>
        <clipPath id="d"><rect width="3" height="3"/></clipPath>
        <mask id="e"><rect width="3" height="3" fill="white"/></mask>
        <symbol id="f" viewBox="0 0 1 1"><ellipse rx="1" ry="1"/></symbol>
      </defs>
      <g fill="url(#a)" stroke="none" clip-path="url(#d)" mask="url(#e)" transform="translate(1 2) rotate(-30)">
        <path d="M0 0h1v-1.5e0l2,2C1 1 2 2 3 3a1 1 0 0 1 1 1Z" stroke-dasharray="1 2" opacity="0.5"/>
        <polygon points="0,0 1,0 1,1"/><polyline points="0 0 1 1"/><line x2="3" y2="4"/>
      </g>
      <use href="#f" width="9" height="9"/><use xlink:href="#f"/><rect width="1" height="1" fill="url(#b)"/>
      <rect width="1" height="1" fill="url(#c)" stroke="currentColor"/>
    """) == ()


def test_what_is_not_supported_is_told(golden_cases, violations):
    golden_cases("svg", lambda line: (f"{each.place.rpartition(':')[2]}: {each.what}" for each in violations(line)))


def test_a_bomb_of_references_is_refused(violations):
    assert violations("<defs>" + "".join(f'<g id="a{n}">' + f'<use href="#a{n + 1}"/>' * 10 + "</g>" for n in range(8))
                      + '<rect id="a8" width="1" height="1"/></defs><use href="#a0"/>')


def test_the_root_must_be_an_svg_of_the_size_of_the_face_without_a_doctype(golden_cases, violations):
    golden_cases("svg-heads", lambda head: (each.what for each in violations("", head)))


SET = "text('Ab', x=5, y=9, width=30, size=5)"


@pytest.mark.parametrize("body", [
    '<text font-family="EB Garamond" font-size="4">Ab</text>', '<text/>', '<text x="1">{{ card }}</text>',
    "<tspan>Ab</tspan>", '<s:text xmlns:s="http://www.w3.org/2000/svg">Ab</s:text>', '{{ "<text>Ab</text>" | safe }}',
    "<{{ 'text' }}>Ab</text>", f"{{{{ {SET} | replace('Ab', 'Abc') }}}}", f"{{{{ {SET} }}}}<tspan>Ab</tspan>",
    f"<![CDATA[{{{{ {SET} }}}}<text>]]><text>Ab</text>", f"<!-- <text {{{{ {SET} }}}} --><text>Ab</text>",
    f"<text>{{{{ {SET} }}}}</text>", f"<g><![CDATA[<text ]]><text>Ab</text>{{{{ {SET} }}}}</g>"])
def test_no_text_is_drawn_but_those_that_a_function_has_set(tmp_path, fonts, monkeypatch, body):
    monkeypatch.setattr(FaceRenderer, "_draw_supervised", lambda self, *given: (self.draw_here(*given)[0], b""))
    renderer = FaceRenderer(templates=TemplateSet((tmp_path,)), fonts=fonts, ink="full", common={"card": "Ab"})
    request = FaceRequest(template="card.svg", size=Size(48, 72), values={})
    (tmp_path / "card.svg").write_text(f"<g>{{{{ {SET} }}}}</g><!-- {{{{ {SET} }}}} -->")
    assert renderer.draw(request, 0, "").svg.count("Ab") == 1
    (tmp_path / "card.svg").write_text(f"{{{{ {SET} }}}}\n{body}")
    with pytest.raises(InputError) as caught:
        replace(renderer, templates=TemplateSet((tmp_path,))).draw(request, 0, "")
    found = {(problem.line or 1, problem.what.partition("> ")[2]) for problem in caught.value.problems}
    assert found & {(line, "is not set by text(), or was changed since") for line in ((1, 2) if "{" in body else (2,))}


def test_what_talks_to_ppgen_is_taken_out_before_drawing():
    svg = HEAD.replace(">", ' data-edge="vellum" data-src="a:1"><!-- note -->')
    checked, _ = check_svg(f'{svg}<g data-src="a:2" data-over="1"/></svg>', VIEW_BOX)
    assert checked.edge == "vellum"
    assert "data-" not in checked.text
    assert "note" not in checked.text


def test_every_named_colour_is_drawn_as_what_it_is_taken_for(fonts):
    names = [name for name in name2val_map if named_colour(name)]
    squares = "".join(f'<rect x="{2 * n}" width="2" height="2" fill="{name}"/>' for n, name in enumerate(names))
    size = Size(2 * len(names), 2)
    svg = f'<svg xmlns="{NAMESPACE}" viewBox="0 0 {size.width} {size.height}">{squares}</svg>'
    (picture,) = faces_png([Face(svg=svg, size=size, bleed=0)], fonts.folder, 50.8)
    with Image.open(io.BytesIO(picture)) as drawn:
        pixels = drawn.convert("RGB")
    found = {name: "#" + bytes(pixels.getpixel((4 * n + 2, 2))).hex() for n, name in enumerate(names)}
    assert found == {name: named_colour(name) for name in names}
    assert len(names) > 140


@pytest.mark.parametrize("levels", [MAX_HEIGHT, MAX_HEIGHT + 1])
def test_references_may_be_nested_as_deep_as_the_bound_and_no_deeper(violations, levels):
    chain = "".join(f'<g id="g{n}"><use href="#g{n + 1}"/></g>' for n in range(1, levels))
    found = violations(f'<use href="#g1"/><defs>{chain}<g id="g{levels}"><path d="M0 0H9"/></g></defs>')
    assert [f"is nested deeper than {MAX_HEIGHT}" in fault.what for fault in found] == [True] * (levels > MAX_HEIGHT)
