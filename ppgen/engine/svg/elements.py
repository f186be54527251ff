"""SVG basics: transforms, path data, tags and inherited values, computed elements, and memoised facts about tags."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from functools import lru_cache
from html import escape
from itertools import chain
from math import cos, hypot, inf, isfinite, radians, sin, tan
from typing import TypeVar

from lxml import etree

from ppgen.engine.svg.subset import NUMBER

SVG = "http://www.w3.org/2000/svg"
XLINK = "http://www.w3.org/1999/xlink"
HREFS = ("href", f"{{{XLINK}}}href")
SPACE = "{http://www.w3.org/XML/1998/namespace}space"
MAX_FRAGMENT_ATTRIBUTES = 60  # lxml takes longer and longer for each value of a tag with many
REMOVED = "removed"  # tag of what `write_fragment` leaves out: all at once, as lxml joins the words around each
_FRAGMENT_TAG = "drawing"
_FRAGMENT = f'<{_FRAGMENT_TAG} xmlns:xlink="{XLINK}">'


# --- Transforms (SVG 1.1, 7.6) ---

Matrix = tuple[float, float, float, float, float, float]
"""a b c d e f, as in ``matrix()``: x, y become ax + cy + e, bx + dy + f."""
IDENTITY: Matrix = (1.0, 0.0, 0.0, 1.0, 0.0, 0.0)
_TRANSFORM = re.compile(r"(\w+)\(([^)]*)\)")
_LARGEST = 1e9
_OVERFLOW: Matrix = (inf, inf, inf, inf, inf, inf)


@lru_cache(maxsize=10_000)
def parse_transform(words: str) -> Matrix:
    """Return the matrix of a ``transform`` that fits the subset; all infinite if its numbers are too large."""
    matrix = IDENTITY
    for name, inside in _TRANSFORM.findall(words):
        given = [float(number) for number in NUMBER.findall(inside)]
        if any(abs(number) > _LARGEST for number in given):
            return _OVERFLOW
        matrix = multiply(matrix, _function_matrix(name, given))
    return matrix if all(map(isfinite, matrix)) else _OVERFLOW


def multiply(outer: Matrix, inner: Matrix) -> Matrix:
    """Return the matrix that applies first the inner, then the outer one."""
    a, b, c, d, e, f = outer
    p, q, r, s, t, u = inner
    return a * p + c * q, b * p + d * q, a * r + c * s, b * r + d * s, a * t + c * u + e, b * t + d * u + f


def apply_matrix(matrix: Matrix, x: float, y: float) -> tuple[float, float]:
    a, b, c, d, e, f = matrix
    return a * x + c * y + e, b * x + d * y + f


def matrix_to_root(element: etree._Element) -> Matrix:
    """Return the matrix of an element, with its own transform and those of its ancestors."""
    matrix = IDENTITY
    for holder in (element, *element.iterancestors()):
        if transform := holder.get("transform"):
            matrix = multiply(parse_transform(transform), matrix)
    return matrix


def matrix_scales(matrix: Matrix) -> tuple[float, float]:
    """Return the largest and the smallest scale of a matrix: the singular values of its 2 × 2 part."""
    a, b, c, d, _, _ = matrix
    mean, spread = hypot(a + d, b - c) / 2, hypot(a - d, b + c) / 2
    return mean + spread, abs(mean - spread)


def _function_matrix(name: str, given: list[float]) -> Matrix:
    first = given[0]
    if name == "matrix":
        a, b, c, d, e, f = given
        return a, b, c, d, e, f
    if name == "translate":
        return 1, 0, 0, 1, first, given[1] if len(given) > 1 else 0
    if name == "scale":
        return first, 0, 0, given[1] if len(given) > 1 else first, 0, 0
    if name == "skewX":
        return 1, 0, tan(radians(first)), 1, 0, 0
    if name == "skewY":
        return 1, tan(radians(first)), 0, 1, 0, 0
    x, y = given[1:3] if len(given) > 2 else (0.0, 0.0)
    cosine, sine = cos(radians(first)), sin(radians(first))
    return cosine, sine, -sine, cosine, x - cosine * x + sine * y, y - sine * x - cosine * y


# --- Path data (SVG 1.1, 8.3) ---

_COMMAND = re.compile(r"([A-DF-Za-df-z])([^A-DF-Za-df-z]*+)")  # an e belongs to a number
_ARGUMENTS = {"M": 2, "L": 2, "T": 2, "H": 1, "V": 1, "S": 4, "Q": 4, "C": 6, "A": 7, "Z": 0}
"""Numbers that each command takes at a time; the last two, or the only one, are its end point."""
_ARC = r"[\s,]*+".join(("", *[f"({NUMBER.pattern})"] * 3, *["([01])"] * 2, *[f"({NUMBER.pattern})"] * 2))
"""An arc's two flags may touch the number behind them: ``a1 1 0 01.5.5``."""


def path_steps(data: str) -> Iterator[tuple[str, list[float]]]:
    """Yield each step of path data that fits the subset: its command and numbers. Further steps of an M are lines."""
    for command, words in _COMMAND.findall(data):
        arcs = re.findall(_ARC, words) if command in "Aa" else ()
        found = chain.from_iterable(arcs) if arcs else NUMBER.findall(words)
        numbers, count = [*map(float, found)], _ARGUMENTS[command.upper()]
        if not count:
            yield command, numbers
        for n in range(0, len(numbers), count or 1):
            yield command if n == 0 else {"M": "L", "m": "l"}.get(command, command), numbers[n:n + count]


# --- Elements ---

def local_tag(element: etree._Element) -> str:
    return str(element.tag).rpartition("}")[2][:80]


def inherited_value(element: etree._Element, name: str) -> str:
    """Return an attribute of the element or of its nearest ancestor that has it; empty if none does."""
    holder: etree._Element | None = element
    while holder is not None:
        if value := holder.get(name):
            return str(value)
        holder = holder.getparent()
    return ""


def parse_fragment(drawing: str) -> etree._Element:
    """Parse a part of a drawing, and return an element around it, without namespaces. Raises ValueError."""
    try:
        root = etree.fromstring(f"{_FRAGMENT}{drawing}</{_FRAGMENT_TAG}>".encode(), etree.XMLParser(
            resolve_entities=False, no_network=True, load_dtd=False, huge_tree=False))
    except etree.XMLSyntaxError as error:
        raise ValueError(f"the drawing is not well-formed XML: {error.msg}") from None
    if any(len(element.attrib) > MAX_FRAGMENT_ATTRIBUTES for element in root.iter(etree.Element)):
        raise ValueError(f"a tag of the drawing has more than {MAX_FRAGMENT_ATTRIBUTES} attributes")
    return root


def write_fragment(root: etree._Element) -> str:
    """Write what :func:`parse_fragment` returned, without the element around it and elements tagged ``REMOVED``."""
    etree.strip_elements(root, REMOVED, with_tail=False)
    written: str = etree.tostring(root, encoding="unicode")
    return written.partition(">")[2].removesuffix(f"</{_FRAGMENT_TAG}>")


def svg_element(tag: str, *inside: str, **attributes: object) -> str:
    """Write an element; attributes with a value are sorted, and ``stroke_width`` is written stroke-width."""
    names = {name.replace("_", "-"): str(value) for name, value in attributes.items()}
    words = "".join(f' {name}="{escape(value)}"' for name, value in sorted(names.items()) if value)
    return f"<{tag}{words}>{''.join(inside)}</{tag}>" if inside else f"<{tag}{words} />"


# --- Memoised facts about tags: a hundred faces share most of them ---

Attributes = tuple[tuple[str, str], ...]
Result = TypeVar("Result")

MAX_CACHED_CHARACTERS = 10_000_000  # of tags in a cache, each with `ENTRY_OVERHEAD` more; then it is cleared
ENTRY_OVERHEAD = 500


def memoise(compute: Callable[[str, Attributes], Result]) -> Callable[[str, Attributes], Result]:
    """Cache the results of a function of a tag and its attributes."""
    seen: dict[tuple[str, Attributes], Result] = {}
    characters = 0

    def memoised(tag: str, attributes: Attributes) -> Result:
        nonlocal characters
        if (result := seen.get((tag, attributes))) is not None:
            return result
        characters += ENTRY_OVERHEAD + sum([len(name) + len(value) for name, value in attributes])
        if characters > MAX_CACHED_CHARACTERS:
            seen.clear()
            characters = 0
        result = seen[tag, attributes] = compute(tag, attributes)
        return result

    return memoised
