"""SVG of strangers: nothing from outside, nothing without a meaning, nothing that takes minutes to draw."""

import time

import pytest

from ppgen.engine.drawing.face import Face
from ppgen.engine.drawing.svg_check import MAX_FAULTS, check_svg
from ppgen.engine.geometry import Size
from ppgen.engine.pdf.typesetting import faces_pdf, faces_png
from ppgen.shipped import shipped_root

SOON_S = 3.0
VIEW_BOX = "-2 -2 48 72"
R = '<rect width="44" height="68" '
MASK = f'<mask id="m" maskUnits="userSpaceOnUse" width="44" height="68">{R} fill="white"/></mask>'
FAR, MUCH = "has a number beyond 1,000,000", "more than 50,000 shapes"


def svg(body):
    return (f'<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" viewBox="{VIEW_BOX}">'
            f"{body}</svg>")


def pattern(width, height, inside='<rect width="1" height="1"/>', more="", name="p"):
    return (f'<pattern id="{name}" width="{width}" height="{height}" patternUnits="userSpaceOnUse" {more}>{inside}'
            "</pattern>")


def chain(length):
    """A <use> of a <use> of a …"""
    return ("".join(f'<g id="u{n}"><use href="#u{n + 1}"/></g>' for n in range(length))
            + f'<g id="u{length}"><rect width="1" height="1"/></g><use href="#u0"/>')


def nested(tag, property, count, times=1):
    """Masks in masks, or clips in clips, each used so many times."""
    inside = "".join(
        f'<{tag} id="x{n}">' + f'<rect width="44" height="68" {property}="url(#x{n + 1})"/>' * times + f"</{tag}>"
        for n in range(count))
    return inside + f'<{tag} id="x{count}"><rect width="9" height="9"/></{tag}>' + R + f'{property}="url(#x0)"/>'


@pytest.fixture
def refused():
    """The first violation of a picture; it must be found soon."""

    def found(text):
        start = time.process_time()
        checked, violations = check_svg(text, VIEW_BOX)
        assert time.process_time() - start < SOON_S
        assert checked is None
        assert len(violations) <= MAX_FAULTS
        for violation in violations:
            assert len(violation.what) + len(violation.remedy) < 2000
        return violations[0].what

    return found


OUTSIDE = {
    "a doctype": ('<!DOCTYPE svg>', "has a DOCTYPE"),
    "an entity": ('<!DOCTYPE svg [<!ENTITY a "b">]>', "has a DOCTYPE"),
    "a billion laughs": ('<!DOCTYPE svg [<!ENTITY a "ha"><!ENTITY b "&a;&a;&a;&a;&a;&a;&a;&a;">]>', "has a DOCTYPE"),
    "an entity that is a file": ('<!DOCTYPE svg [<!ENTITY a SYSTEM "file:///etc/passwd">]>', "has a DOCTYPE"),
    "a DTD of the network": ('<!DOCTYPE svg SYSTEM "http://localhost/a.dtd">', "has a DOCTYPE"),
    "a style sheet": ('<?xml-stylesheet href="http://localhost/a.css"?>', "has a processing instruction"),
}


@pytest.mark.parametrize(("before", "what"), OUTSIDE.values(), ids=OUTSIDE)
def test_nothing_before_the_picture_is_read(refused, before, what):
    assert what in refused(before + svg(R + "/>"))


ELEMENTS = {
    "an included file": ('<xi:include xmlns:xi="http://www.w3.org/2001/XInclude" href="/etc/passwd"/>', "<include>"),
    "an instruction": ('<?php x ?>', "has a processing instruction"),
    "an unknown entity": ("<title>&lol;</title>", "not well-formed"),
    "a script": ("<script>alert(1)</script>", "<script> is not supported"),
    "an event": (R + 'onload="alert(1)"/>', "onload"),
    "an image": ('<image href="data:image/png;base64,AAAA"/>', "<image> is not supported"),
    "HTML": ("<foreignObject><iframe/></foreignObject>", "<foreignObject> is not supported"),
    "a style": ("<style>@import url(http://localhost/a.css)</style>", "<style> is not supported"),
    "an inline style": (R + 'style="fill: url(http://localhost/a)"/>', 'attribute style="'),
    "a link to a file": ('<use href="file:///etc/passwd#a"/>', "outside the file"),
    "a link to the network": ('<use xlink:href="http://localhost/a.svg#a"/>', "outside the file"),
    "a picture in a link": ('<use href="data:image/svg+xml,x"/>', "outside the file"),
    "a fill from the network": (R + 'fill="url(http://localhost/a#b)"/>', "is not a colour"),
    "a filter": (R + 'filter="url(#f)"/>', "attribute filter="),
    "an animation": ("<animate/>", "<animate> is not supported"),
    "a base": (R + 'xml:base="http://localhost/"/>', "base"),
    "a control character": ("<title>\x01</title>", "not well-formed"),
    "a zero": ("<title>\x00</title>", "not well-formed"),
    "a zero, written out": ("<title>&#0;</title>", "not well-formed"),
    "half a character": ("<title>\ud800</title>", "half a character (U+D800)"),
    "a text": ("<text>a</text>", "<text> is not set by text()"),
    "digits of another script": ('<rect width="٥"/>', "width '٥' is not a number"),
    "a transform with too many numbers": ('<g transform="rotate(1 2)"/>', "is not a transform"),
}


@pytest.mark.parametrize(("body", "what"), ELEMENTS.values(), ids=ELEMENTS)
def test_what_leads_outside_or_means_nothing_is_refused(refused, body, what):
    assert what in refused(svg(body))


HUGE = {
    "a rectangle": ('<rect width="1e9" height="1"/>', FAR),
    "a number beyond all numbers": ('<rect width="1e999" height="1"/>', FAR),
    "a number of a million digits": ('<rect width="' + "9" * 1_000_000 + '"/>', FAR),
    "a path": ('<path d="M0 0L1e300 1e300Z"/>', FAR),
    "a circle": ('<circle r="1e30"/>', FAR),
    "a line's width": (R + 'stroke="#000" stroke-width="1e9"/>', FAR),
    "a scale": ('<g transform="scale(1e300)"><rect width="1" height="1"/></g>', FAR),
    "a matrix": ('<g transform="matrix(1e9 0 0 1e9 0 0)">' + R + "/></g>", FAR),
    "a shift": ('<g transform="translate(1e9)">' + R + "/></g>", FAR),
    "a turn beyond all numbers": ('<g transform="rotate(1e999)">' + R + "/></g>", FAR),
    "a mask": ('<mask id="m" width="1e9" height="1e9"/>' + R + 'mask="url(#m)"/>', FAR),
    "a miter": (R + 'stroke-miterlimit="1e300"/>', FAR),
}


@pytest.mark.parametrize(("body", "what"), HUGE.values(), ids=HUGE)
def test_what_is_huge_is_refused(refused, body, what):
    assert what in refused(svg(body))


TOO_MANY = {
    "elements": ("<g/>" * 20_001, "more than 20000 elements"),
    "uses of uses": ("".join(f'<g id="a{n}">' + f'<use href="#a{n + 1}"/>' * 10 + "</g>" for n in range(9))
                     + '<g id="a9"/><use href="#a0"/>', MUCH),
    "a long chain of uses": (chain(3000), "is nested deeper than 100 with everything that it refers to"),
    "a use of itself": ('<g id="a"><use href="#a"/></g>', "refers to itself"),
    "a pattern of itself": (pattern(9, 9, R + 'fill="url(#p)"/>') + R + 'fill="url(#p)"/>', "refers to itself"),
    "gradients of each other": ('<linearGradient id="a" href="#b"/><linearGradient id="b" href="#a"/>'
                                + R + 'fill="url(#a)"/>', "refers to itself"),
    "levels": ("<g>" * 70 + "</g>" * 70, "is nested deeper than 60"),
    "levels beyond the parser's": ("<g>" * 99_999 + "</g>" * 99_999, "Excessive depth"),
    "attributes": ("<rect " + " ".join(f'a{n}="1"' for n in range(20_000)) + "/>", "more than 60 attributes"),
    "numbers of a path": ('<path d="M0 0' + "L9 9" * 60_000 + '"/>', MUCH),
    "numbers of a path, often": ('<path id="a" d="M0 0' + "L9 9" * 600 + '"/>' + '<use href="#a"/>' * 99, MUCH),
    "numbers in a pattern, often": (pattern(9, 9, '<path d="M0 0' + "L9 9" * 600 + '"/>')
                                    + (R + 'fill="url(#p)"/>') * 99, MUCH),
    "points": ('<polygon points="' + "1 1 9 9 " * 60_000 + '"/>', MUCH),
    "texts": ("<text" * 200_000 + " " * 2_000_000, "not well-formed"),
    "texts without an end": ("<text >" * 18_000 + "</text >" * 18_000, "Excessive depth"),
    "dashes": ((R + 'stroke="#000" stroke-dasharray="1e-9"/>') * 1_001, MUCH),
    "clips": ('<clipPath id="c"/>' + (R + 'clip-path="url(#c)"/>') * 1_001, MUCH),
    "masks": (MASK + (R + 'mask="url(#m)"/>') * 1_001, MUCH),
    "opacities": ((R + 'opacity="0.5"/>') * 1_001, MUCH),
    "patterns": (pattern(1, 1) + (R + 'fill="url(#p)"/>') * 1_001, MUCH),
    "clips in clips": (nested("clipPath", "clip-path", 12, 2), MUCH),
    "masks in masks": (nested("mask", "mask", 12, 2), MUCH),
}


@pytest.mark.slow
@pytest.mark.parametrize(("body", "what"), TOO_MANY.values(), ids=TOO_MANY)
def test_what_is_too_many_is_refused(refused, body, what):
    assert what in refused(svg(body))


NEARLY = {
    "numbers": ('<rect stroke-dasharray="' + "1" * 300_000 + 'x"/>', "is not a list of numbers"),
    "a path": ('<path d="M0 0' + "L9 9 " * 200_000 + 'x"/>', "is not path data"),
    "a path of one number": ('<path d="M' + "1" * 300_000 + '"/>', "is not path data"),
    "points": ('<polygon points="' + "1" * 300_000 + '"/>', "is not a list of points"),
    "transforms": ('<g transform="' + "rotate(1) " * 100_000 + 'x"/>', "is not a transform"),
    "a transform of spaces": ('<g transform="rotate(1' + " " * 300_000 + 'x"/>', "is not a transform"),
    "four numbers": ('<svg viewBox="1' + " " * 300_000 + 'x"/>', "is not four numbers"),
    "a name": ('<g id="' + "a." * 100_000 + '"/>', "is not a name"),
    "a colour": (R + 'fill="' + "#" * 300_000 + '"/>', "is not a colour"),
}


@pytest.mark.parametrize(("body", "what"), NEARLY.values(), ids=NEARLY)
def test_what_is_nearly_right_is_soon_found_wrong(refused, body, what):
    assert what in refused(svg(body))


@pytest.mark.slow
def test_mistakes_without_number_are_told_in_bounds(refused):
    for body in ('<rect fill="rde" x="q" y="q" foo="1"/>' * 3_000, '<g id="a"/>' * 3_000,
                 "".join(f'<g id="id{n}"/>' for n in range(3_000)) + '<use href="#gone"/>' * 3_000,
                 "<text/>" * 3_000, "<text></text >" * 3_000):
        refused(svg(body))


DRAWN = {
    "a large picture": '<rect width="2000" height="2000" stroke="#000" stroke-width="100"/>',
    "a pattern at both bounds": pattern(99, 99) + pattern(0.03, 0.03, name="q")
                                + R + 'fill="url(#p)" stroke="url(#q)"/>',
    "a chain of uses": chain(40),
    "many dashes": "".join(f'<path d="M0 {n / 10}H44" stroke="#000" stroke-dasharray="0.05"/>' for n in range(50)),
    "a wide arc": '<path d="M0 0A2000 2000 0 0 1 9 9" stroke="#000"/>',
    "many layers": '<clipPath id="c"><circle r="20"/></clipPath>' + (R + 'clip-path="url(#c)" opacity="0.5"/>') * 300,
    "masks in masks": nested("mask", "mask", 20),
    "a shear": '<g transform="skewX(89.9999)">' + R + "/></g>",
    "scales of scales": '<g transform="scale(30)">' * 9 + '<rect width="1" height="1"/>' + "</g>" * 9,
    "a view box": '<symbol id="s" viewBox="0 0 1e-9 1e-9"><rect width="1" height="1"/></symbol><use href="#s"/>',
    "pictures in pictures": '<svg viewBox="0 0 1 1" width="99" height="99">' * 9 + R + "/>" + "</svg>" * 9,
    "dashes of nothing": R + 'stroke="#000" stroke-dasharray="1e-9"/>',
    "fine dashes": '<g stroke-dasharray="0.01">' + '<circle r="90" stroke="#000"/>' * 20 + "</g>",
    "a long relative path": '<path d="m0 0' + "l9 9l-9 -9" * 5_000 + '"/>',
}


@pytest.mark.parametrize("body", DRAWN.values(), ids=DRAWN)
def test_what_is_let_through_is_drawn_soon(fonts, body):
    """The programs of the chain neither break nor take long; they are native code, and their panics end the program."""
    start = time.process_time()
    checked, violations = check_svg(svg(body), VIEW_BOX)
    assert not violations
    face = Face(svg=checked.text, size=Size(44, 68), bleed=2)
    assert list(faces_pdf([face], fonts))
    assert faces_png([face], shipped_root() / "data" / "fonts", 100)
    assert time.process_time() - start < 2 * SOON_S


@pytest.mark.slow
def test_a_face_as_large_as_three_sheets_may_have_three_times_as_much_on_it():
    large = "0 0 630 297"
    for shapes, right in ((59_000, True), (61_000, False)):
        drawn = svg('<rect width="1" height="1"/>' * shapes).replace(VIEW_BOX, large)
        _, violations = check_svg(drawn, large)
        assert [violation.what for violation in violations] == ([] if right else ["has more than 60000 elements"])
