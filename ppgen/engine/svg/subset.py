"""SVG subset that templates may draw, as data: elements, and the syntax of each attribute's value.

``docs/svg-subset.md`` describes it. Values follow SVG 1.1 (second edition): path data 8.3, transforms 7.6, colours 4.2,
reduced to what the tool chain draws correctly.
"""

from __future__ import annotations

import re
from functools import cache

from ppgen.engine.colours import named_colour

SHAPES = frozenset("path rect circle ellipse line polyline polygon".split())
GRADIENTS = frozenset("linearGradient radialGradient".split())
ELEMENTS = SHAPES | GRADIENTS | frozenset(
    "svg g defs symbol use text tspan stop pattern clipPath mask title desc".split())
TEXT_TAGS = ("text", "tspan")
TEXT_ATTRIBUTES = frozenset("font-family font-size font-style font-weight letter-spacing text-anchor".split())
"""Attributes that only the tags of texts may have: text inherits none."""
PLACED_BY_REFERENCE = frozenset("symbol pattern clipPath mask".split())
"""Elements whose contents are drawn where something refers to them: anywhere, several times, or never."""

REFERENCES = {
    "fill": GRADIENTS | {"pattern"}, "stroke": GRADIENTS | {"pattern"},
    "clip-path": frozenset({"clipPath"}), "mask": frozenset({"mask"}),
}
"""Elements that ``url(#id)`` of an attribute may refer to."""

# All repetitions are possessive (++, *+): otherwise a value of a million characters that almost matches would be tried
# in every possible division.
_WS = r"[ \t\r\n]*+"
_SEP = r"[ \t\r\n,]*+"
_N = r"[+-]?+(?:[0-9]++\.?+[0-9]*+|\.[0-9]++)(?:[eE][+-]?+[0-9]++)?+"
_PAIR = rf"{_N}{_SEP}{_N}{_SEP}"
_PATH = (rf"{_WS}[Mm]{_SEP}(?:{_PAIR})++(?:[MmLlTt]{_SEP}(?:{_PAIR})++|[HhVv]{_SEP}(?:{_N}{_SEP})++"
         rf"|[Cc]{_SEP}(?:{_PAIR}{_PAIR}{_PAIR})++|[SsQq]{_SEP}(?:{_PAIR}{_PAIR})++"
         rf"|[Aa]{_SEP}(?:{_PAIR}{_N}{_SEP}[01]{_SEP}[01]{_SEP}{_PAIR})++|[Zz]{_WS})*+")
_NEXT = rf"{_SEP}{_N}"
_TURN = (rf"(?:matrix\({_WS}{_N}(?:{_NEXT}){{5}}|(?:translate|scale)\({_WS}{_N}(?:{_NEXT})?+"
         rf"|rotate\({_WS}{_N}(?:{_NEXT}{_NEXT})?+|skew[XY]\({_WS}{_N}){_WS}\)")
_TRANSFORM = rf"{_WS}(?:{_TURN}{_SEP})*+"
_COLOUR = r"#[0-9a-fA-F]{3}|#[0-9a-fA-F]{6}|none|currentColor|inherit|black|white"
_NAME = r"-?+[^\x00-@\[-^`{-\x7f][^\x00-,./:-@\[-^`{-\x7f]*+"  # negated: large ranges take 17 ms to compile
_URL = r"url\(#[\w.-]+\)"

# The name of a value in messages: its pattern, and how to write it.
_KINDS = {
    "a number": (_N, "in millimetres, without a unit"),
    "a number or share": (rf"{_N}%?", "a number, or a share like 50%"),
    "a colour": (rf"{_COLOUR}|{_URL}", "#rrggbb, a name of CSS, none or url(#id)"),
    "a plain colour": (_COLOUR, "#rrggbb, or a name of CSS"),
    "a reference": (rf"none|{_URL}", "url(#id)"),
    "path data": (_PATH, "it begins with M; each command has its numbers"),
    "a transform": (_TRANSFORM, "like translate(1 2) rotate(45)"),
    "a list of points": (rf"{_WS}(?:{_PAIR})++", "pairs of numbers"),
    "a list of numbers": (rf"none|{_WS}(?:{_N}{_SEP})++", "numbers, or none"),
    "four numbers": (rf"{_WS}(?:{_N}{_SEP}){{3}}{_N}{_WS}", "x y width height"),
    "a name and a place": (rf"{_WS}[\w-]{{1,100}}[ \t\r\n]++{_N}[ \t\r\n,]++{_N}{_WS}", "like 'number 12 30': x, y"),
    "places of seams": (rf"{_WS}(?:[xy][ \t\r\n]++{_N}{_SEP}){{1,100}}", "like 'x 255 y 187', in mm"),
    "a name": (r"[\w.-]{1,100}", "at most 100 letters, digits, hyphens"),
    "a font's name": (rf"{_NAME}(?: {_NAME})*+|'[^'\"<>;{{}},]++'",
                      "one family of the fonts, in single quotes if a word of it begins with a digit or has signs"),
    "a weight": (r"[1-9]00", "400 or 700"),
    "an alignment": (r"none|x(?:Min|Mid|Max)Y(?:Min|Mid|Max)(?: (?:meet|slice))?", "like xMidYMid"),
}
COLOUR_KINDS = ("a colour", "a plain colour")
_ATTRIBUTES = {
    "a number": "width height x y cx cy r rx ry stroke-width stroke-miterlimit stroke-dashoffset font-size "
                "letter-spacing data-module data-contrast data-over",
    "a number or share": "x1 y1 x2 y2 fx fy offset opacity fill-opacity stroke-opacity stop-opacity",
    "a colour": "fill stroke",
    "a plain colour": "color stop-color",
    "a reference": "clip-path mask",
    "path data": "d",
    "a transform": "transform gradientTransform patternTransform",
    "a list of points": "points",
    "a list of numbers": "stroke-dasharray",
    "four numbers": "viewBox",
    "a name": "id data-edge data-carried-on",
    "places of seams": "data-seam",
    "a name and a place": "data-anchor",
    "a font's name": "font-family",
    "a weight": "font-weight",
    "an alignment": "preserveAspectRatio",
}
_WORDS = {
    "fill-rule": "nonzero evenodd", "clip-rule": "nonzero evenodd",
    "stroke-linecap": "butt round square", "stroke-linejoin": "miter round bevel",
    "display": "none inline", "visibility": "visible hidden",
    "spreadMethod": "pad reflect repeat", "text-anchor": "start middle end", "font-style": "normal italic",
    **dict.fromkeys(("gradientUnits", "patternUnits", "patternContentUnits", "clipPathUnits", "maskUnits",
                     "maskContentUnits"), "userSpaceOnUse objectBoundingBox"),
}

VALUES: dict[str, tuple[str, str, str]] = {
    **{name: (kind, *_KINDS[kind]) for kind, names in _ATTRIBUTES.items() for name in names.split()},
    **{name: ("a known word", words.replace(" ", "|"), words.replace(" ", ", ")) for name, words in _WORDS.items()},
}
"""Each attribute: the name of its value, its pattern, and how to write it. Patterns are compiled when they are used; to
compile all takes milliseconds."""

SOURCE_ATTRIBUTE = "data-src"  # the template and line that wrote an element
OWN_ATTRIBUTES = frozenset("data-src data-module data-contrast data-over data-edge data-anchor data-seam "
                           "data-carried-on".split())
"""Attributes for ppgen itself, removed before drawing."""
CHECKED_ATTRIBUTES = frozenset((SOURCE_ATTRIBUTE, "data-module", "data-contrast", "data-over", "data-carried-on"))
"""Those of them that faces to be checked keep: the source, the side and contrast of a QR code's modules, how far words
go beyond their box, and what repeats an edge."""
ATTRIBUTES = (frozenset(VALUES) | {"href"}) - OWN_ATTRIBUTES
NUMBER = re.compile(_N)  # one number of a value


def is_valid_value(name: str, value: str) -> bool:
    """True if the attribute may have this value."""
    if name not in VALUES or _pattern(name).fullmatch(value):
        return True
    return VALUES[name][0] in COLOUR_KINDS and named_colour(value) is not None


@cache
def _pattern(name: str) -> re.Pattern[str]:
    return re.compile(VALUES[name][1])
