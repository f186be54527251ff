"""Drawings as pictures: an SVG file of any program becomes elements of the subset that can be laid into a face.

Programs write styles, classes, units and data of their own. What only they need is left out; styles become
attributes; ids get a prefix, so that two drawings on a face don't clash. What the subset lacks, blur, shadows and
pictures in the drawing, is for pixels (:mod:`drawing_pixels`); words are refused, as their font is unknown.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import lru_cache

from lxml import etree

from ppgen.engine.colours import six_digits
from ppgen.engine.geometry import Rect
from ppgen.engine.svg.drawing_cleaning import (UNSEEN, Drawing, DrawingError, add_opacity, clean_colour, clean_value,
                                               parse_drawing, reference, url_target)
from ppgen.engine.svg.drawing_pixels import LAYER
from ppgen.engine.svg.elements import HREFS, SVG, local_tag
from ppgen.engine.svg.subset import ELEMENTS, OWN_ATTRIBUTES, VALUES

_LEFT_OUT = UNSEEN | {"filter", "marker"}
_LOST = {**dict.fromkeys(("text", "tspan", "textPath"), ("words", "turn them into paths")),
         "foreignObject": ("text that only browsers show", "turn it into paths")}
_ROOT_ATTRIBUTES = frozenset(("x", "y", "width", "height", "viewBox", "preserveAspectRatio", "id", "transform"))


class PictureError(Exception):
    """A picture that can't be printed: what is wrong with it, and a remedy."""

    def __init__(self, what: str, remedy: str) -> None:
        super().__init__(what)
        self.remedy = remedy


class PixelsNeeded(Exception):
    """A drawing that is sound, but has what only pixels can show."""


def clean_drawing(content: bytes, name: str, prefix: str) -> tuple[str, Rect]:
    """The elements of an SVG file, and the box that it shows. Raises PictureError, PixelsNeeded."""
    try:
        drawing = parse_drawing(content.decode("utf-8-sig", "replace"))
    except DrawingError as error:
        raise PictureError(f"{name} {error.what}", error.remedy) from error
    root = drawing.root
    if root.get(LAYER):
        raise PixelsNeeded
    for element in [*root.iter()]:
        if (not element.tag.startswith(f"{{{SVG}}}") or local_tag(element) in _LEFT_OUT
                or drawing.styles[element].get("display") == "none"
                or (local_tag(element) == "foreignObject" and element.get("requiredExtensions"))):
            _remove(element)
    for choice in [*root.iter(f"{{{SVG}}}switch")]:
        _take_first(choice)
    elements = [*root.iter()]
    ids: dict[str, str] = {}
    for n, each in enumerate(elements):
        if each.get("id", "") in ids:
            del each.attrib["id"]  # an id stands for the first that has it
        elif each.get("id"):
            ids[each.get("id", "")] = f"{prefix}{n}"
    needs_pixels = bool(drawing.unread) or any(local_tag(each) == "image" or drawing.effects(each) for each in elements)
    for element in elements:
        tag = local_tag(element)
        if tag in _LOST or (tag not in ELEMENTS and tag != "image"):
            what, remedy = _LOST.get(tag, (f"<{tag}>", "see docs/svg-subset.md"))
            raise PictureError(f"{name} has {what}, which can't be printed", remedy)
        if tag == "image" and not reference(element).startswith("data:"):
            raise PictureError(f"{name} links to a picture that is not in it", "embed that picture")
        if not needs_pixels:
            _clean_attributes(drawing, element, ids, name)
    if needs_pixels:
        raise PixelsNeeded
    group = etree.Element(f"{{{SVG}}}g", {str(key): str(value) for key, value in root.attrib.items()
                                          if key not in _ROOT_ATTRIBUTES},
                          nsmap={None: SVG})  # type: ignore[dict-item]
    group.extend([*root])
    etree.cleanup_namespaces(group)
    return etree.tostring(group, encoding="unicode").replace(f' xmlns="{SVG}"', "", 1), drawing.box


def _remove(element: etree._Element) -> None:
    if (parent := element.getparent()) is not None:
        parent.remove(element)


def _take_first(choice: etree._Element) -> None:
    """Make a choice (``<switch>``) the group of its first child that is for all languages, else of its first."""
    chosen = next((child for child in choice if not child.get("systemLanguage")), next(iter(choice), None))
    for child in [*choice]:
        if child is not chosen:
            choice.remove(child)
    choice.tag = f"{{{SVG}}}g"


def _clean_attributes(drawing: Drawing, element: etree._Element, ids: Mapping[str, str], name: str) -> None:
    """Turn styles into attributes, and keep those that the subset knows."""
    given = {str(key): str(value).strip() for key, value in element.attrib.items()} | drawing.styles[element]
    for key in ("fill", "stroke", "stop-color"):
        if (opacity := clean_colour(given.get(key, "none"))[1]) < 1:
            given = add_opacity(given, f"{key.removesuffix('-color')}-opacity", opacity)
    element.attrib.clear()
    element.text = element.tail = None  # no words are left: these are blanks
    for key, plain in given.items():
        if key == "id":
            element.set("id", ids[plain])
        elif key in HREFS:
            if plain[1:] in ids:
                element.set("href", f"#{ids[plain[1:]]}")
        elif (key in VALUES and key not in OWN_ATTRIBUTES and plain != "inherit"
              and not key.startswith(("font-", "letter-", "text-"))):
            if (target := url_target(plain)) is not None:
                value = f"url(#{ids[target]})" if target in ids else "none"
            else:
                value = clean_value(key, plain)
                if not value and plain.endswith("%"):
                    value = clean_value(key, f"{drawing.length(key, plain):g}")
            if value:
                element.set(key, value)
            elif element.getparent() is not None:  # the root's width may be "100%"
                raise PictureError(f"{name} has {key} '{plain[:40]}', which is not understood",
                                   VALUES[key][2] or "see docs/svg-subset.md")


# --- Icons ---

_BLACK_SQUARE = re.compile(r'^(<g\b[^>]*>)<path (?=[^>]*\bd="M0 0h512v512H0z")[^>]*/>')
_PAINT = re.compile(r'\b(fill|stroke)="([^"]*)"')
_NO_COLOUR, _BLACK, _WHITE = ("none", "currentColor"), ("#000", "#000000", "black"), ("#fff", "#ffffff", "white")
_MATERIAL_BOX = "0 -960 960 960"  # of Material Symbols: a path each, in the colour chosen for the screen


@lru_cache(maxsize=200)
def recolour_icon(body: str, view_box: str) -> str:
    """Let an icon take the colour asked for where its own is its package's; a black square behind it goes."""
    body, squares = _BLACK_SQUARE.subn(r"\1", body)
    colours = {value for _, value in _PAINT.findall(body)}.difference(_NO_COLOUR)
    if squares or view_box == _MATERIAL_BOX or colours.issubset(_BLACK):
        fixed = _WHITE if squares else colours
        return _PAINT.sub(lambda paint: f'{paint[1]}="currentColor"' if paint[2] in fixed else paint[0], body)
    return body


# --- Low ink ---

_FILL = re.compile(r'\b(fill|stop-color)="(#[0-9a-fA-F]{6}|#[0-9a-fA-F]{3})"')
_GREY_LEVELS = (150, 105)


def lighten_drawing(body: str) -> str:
    """Make the areas of a drawing pale grey, as low ink does with pictures; its lines stay as they are."""
    def pale(match: re.Match[str]) -> str:
        red, green, blue = (int(six_digits(match[2])[n:n + 2], 16) for n in (1, 3, 5))
        grey = lighten(0.299 * red + 0.587 * green + 0.114 * blue)
        return f'{match[1]}="#{grey:02x}{grey:02x}{grey:02x}"'

    return _FILL.sub(pale, body)


def lighten(grey: float) -> int:
    """Return the grey (0 to 255) that low ink prints for a grey: between 150 and 255, darker tones apart."""
    least, span = _GREY_LEVELS
    return round(least + span * float((grey / 255) ** 0.8))
