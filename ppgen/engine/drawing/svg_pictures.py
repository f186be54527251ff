"""Drawings as pictures: an SVG file of any program becomes elements of the subset that can be laid into a face.

Programs write styles, classes, units and data of their own. What only they need is left out; styles become
attributes; ids get a prefix, so that two drawings on a face don't clash. What would be lost in print is refused: words
(nobody knows their font), filters, pictures in the drawing.
"""

from __future__ import annotations

import re
from base64 import b64decode
from collections.abc import Iterator, Mapping
from functools import lru_cache
from itertools import count, islice

from lxml import etree

from ppgen.engine.geometry import Rect
from ppgen.engine.svg import HREFS, SVG, local_tag
from ppgen.engine.svg_subset import ELEMENTS, OWN_ATTRIBUTES, VALUES, is_valid_value

MAX_DRAWING_ELEMENTS = 5_000
MAX_DRAWING_SIDE = 100_000.0
"""Units of a drawing's view box."""

_LEFT_OUT = frozenset("title desc metadata style script animate animateMotion animateTransform set view cursor".split())
_LOST = {**dict.fromkeys(("text", "tspan", "textPath"), ("words", "turn them into paths")),
         "image": ("a picture in it", "use that file itself"),
         "filter": ("a filter, such as blur or shadow", "save it as PNG, or take the filter out"),
         "foreignObject": ("text that only browsers show", "turn it into paths")}
_EFFECTS = frozenset(("filter", "mix-blend-mode", "marker", "marker-start", "marker-mid", "marker-end"))
_CONTAINERS = frozenset("defs symbol clipPath mask pattern linearGradient radialGradient g svg".split())
_ROOT_ATTRIBUTES = frozenset(("x", "y", "width", "height", "viewBox", "preserveAspectRatio", "id", "transform"))

_DOCTYPE = re.compile(rb"<!DOCTYPE[^<>\[]*>")
_RULE = re.compile(r"([^{}]+)\{([^{}]*)\}")
_COMMENT = re.compile(r"/\*.*?\*/", re.DOTALL)
_SELECTOR = re.compile(r"([.#]?)([\w-]+)")
_URL = re.compile(r"""url\(\s*["']?#([^"')]*)["']?\s*\).*""", re.DOTALL)
_PIXELS = re.compile(r"(?<=[\d.])px\b")
_RGB = re.compile(r"rgb\(\s*(\d{1,3})\s*,\s*(\d{1,3})\s*,\s*(\d{1,3})\s*\)")
_NUMBER = re.compile(r"[-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d{1,3})?")


class PictureError(Exception):
    """A picture that can't be printed: what is wrong with it, and a remedy."""

    def __init__(self, what: str, remedy: str) -> None:
        super().__init__(what)
        self.remedy = remedy


def clean_drawing(content: bytes, name: str, prefix: str) -> tuple[str, Rect]:
    """Return the elements of an SVG file, and the box that it shows. Raises PictureError, which names the file."""
    root = _parse(content, name)
    box = _view_box(root, name)
    styles = _stylesheet(root, name)
    for element in [*root.iter()]:
        if not isinstance(element.tag, str) or not element.tag.startswith(f"{{{SVG}}}") or (
                local_tag(element) in _LEFT_OUT):
            _remove(element)
    elements = [*root.iter()]
    if len(elements) > MAX_DRAWING_ELEMENTS:
        raise PictureError(f"{name} has more than {MAX_DRAWING_ELEMENTS:,} elements", "simplify it, or save it as PNG")
    ids = {each.get("id", ""): f"{prefix}{n}" for n, each in enumerate(elements) if each.get("id")}
    for element in elements:
        tag = local_tag(element)
        if tag in _LOST or tag not in ELEMENTS:
            what, remedy = _LOST.get(tag, (f"<{tag}>", "see docs/svg-subset.md"))
            raise PictureError(f"{name} has {what}, which can't be printed", remedy)
        _clean_attributes(element, styles, ids, name)
    group = etree.Element(f"{{{SVG}}}g", {str(key): str(value) for key, value in root.attrib.items()
                                          if key not in _ROOT_ATTRIBUTES},
                          nsmap={None: SVG})  # type: ignore[dict-item]
    group.extend([*root])
    etree.cleanup_namespaces(group)
    return etree.tostring(group, encoding="unicode").replace(f' xmlns="{SVG}"', "", 1), box


def _parse(content: bytes, name: str) -> etree._Element:
    """Parse a file. Entities, which can multiply, are refused; a plain DOCTYPE, which some programs write, is not."""
    content = _DOCTYPE.sub(b"", content, count=1)
    if b"<!DOCTYPE" in content or b"<!ENTITY" in content:
        raise PictureError(f"{name} has a DOCTYPE with entities", "save it as plain SVG")
    parser = etree.XMLParser(resolve_entities=False, no_network=True, load_dtd=False, huge_tree=False,
                             remove_comments=True, remove_pis=True, remove_blank_text=True)
    try:
        root = etree.fromstring(content, parser)
    except etree.XMLSyntaxError as error:
        raise PictureError(f"{name} is damaged: {(error.msg or '')[:100]}", "save it again") from error
    if root.tag != f"{{{SVG}}}svg":
        raise PictureError(f"{name} is not an SVG drawing", f'it begins with <svg xmlns="{SVG}">')
    return root


def _view_box(root: etree._Element, name: str) -> Rect:
    numbers = [float(number) for number in _NUMBER.findall(root.get("viewBox", ""))]
    if len(numbers) != 4:
        sides = [_NUMBER.match(root.get(side, "")) for side in ("width", "height")]
        numbers = [0.0, 0.0, *(float(side[0]) if side else 0.0 for side in sides)]
    x, y, width, height = numbers
    if not (min(width, height) > 0 and max(map(abs, numbers)) <= MAX_DRAWING_SIDE):
        raise PictureError(f"{name} has no size", 'give its <svg> a viewBox="0 0 WIDTH HEIGHT"')
    return Rect(x, y, width, height)


def _stylesheet(root: etree._Element, name: str) -> Mapping[str, str]:
    """Return the declarations of each plain selector (``path``, ``.class``, ``#id``) of the file's stylesheets."""
    styles: dict[str, str] = {}
    for sheet in root.iter(f"{{{SVG}}}style"):
        text = _COMMENT.sub("", "".join(map(str, sheet.itertext())))
        for selectors, declarations in _RULE.findall(text):
            for selector in map(str.strip, selectors.split(",")):
                if not _SELECTOR.fullmatch(selector):
                    raise PictureError(f"{name} has the style '{selector[:40]}', which is not understood",
                                       "save it with presentation attributes")
                styles[selector] = f"{styles.get(selector, '')};{declarations}"
    return styles


def _remove(element: etree._Element) -> None:
    if (parent := element.getparent()) is not None:
        parent.remove(element)


def _clean_attributes(element: etree._Element, styles: Mapping[str, str], ids: Mapping[str, str], name: str) -> None:
    """Turn styles into attributes, and keep those that the subset knows."""
    given = {str(key): str(value) for key, value in element.attrib.items()}
    selectors = (local_tag(element), *(f".{each}" for each in given.get("class", "").split()), f"#{given.get('id')}")
    for declarations in (*(styles.get(selector, "") for selector in selectors), given.get("style", "")):
        given |= dict(_declarations(declarations))
    element.attrib.clear()
    for key, value in given.items():
        plain = value.strip()
        if key in _EFFECTS and plain not in ("none", "normal", ""):
            raise PictureError(f"{name} has the effect '{key}', which can't be printed",
                               "save it as PNG, or take the effect out")
        if key == "id":
            element.set("id", ids[value])
        elif key in HREFS:
            if plain[1:] in ids:
                element.set("href", f"#{ids[plain[1:]]}")
        elif key in VALUES and key not in OWN_ATTRIBUTES and not key.startswith("font-"):
            value = _plain_value(plain, ids)
            if is_valid_value(key, value):
                element.set(key, value)
            elif element.getparent() is not None:  # the root's width may be "100%"
                raise PictureError(f"{name} has {key} '{value[:40]}', which is not understood",
                                   VALUES[key][2] or "see docs/svg-subset.md")


def _declarations(style: str) -> Iterator[tuple[str, str]]:
    for declaration in style.split(";"):
        key, colon, value = declaration.partition(":")
        if colon:
            yield key.strip(), value.replace("!important", "").strip()


def _plain_value(value: str, ids: Mapping[str, str]) -> str:
    """Write a value as the subset knows it: without px, colours in six digits, references to the new ids."""
    if match := _URL.fullmatch(value):
        return f"url(#{ids[match[1]]})" if match[1] in ids else "none"
    if match := _RGB.fullmatch(value):
        return "#" + "".join(f"{min(int(part), 255):02x}" for part in match.groups())
    return "none" if value == "transparent" else _PIXELS.sub("", value)


# Pictures inside a drawing

EMBEDDED = "#"
"""Between the name of a drawing and the number of a picture in it, counted from 1: ``card.svg#2``."""
_DATA = re.compile(r"data:image/[\w.+-]{1,40};(?:[\w=-]{1,40};)?base64,((?:[A-Za-z0-9+/=\s]|&#(?:10|13|x[aAdD]);)*+)")


def cut_out_pictures(text: str) -> str:
    """Put ``data:#N`` in place of the N-th picture inside a drawing. All lines stay where they were."""
    number = count(1)
    return _DATA.sub(lambda match: f"data:{EMBEDDED}{next(number)}" + "\n" * match[0].count("\n"), text)


def embedded_picture(text: str, number: int) -> bytes:
    """Return the N-th picture inside a drawing; empty if there is none. Raises ValueError if it is damaged."""
    match = next(islice(_DATA.finditer(text), number - 1, None), None)
    return b64decode(re.sub(r"\s|&#\w+;", "", match[1]), validate=True) if match else b""


# Icons

_BLACK_SQUARE = re.compile(r'^(<g\b[^>]*>)<path (?=[^>]*\bd="M0 0h512v512H0z")[^>]*/>')
_PAINT = re.compile(r'\b(fill|stroke)="([^"]*)"')
_NO_COLOUR, _BLACK, _WHITE = ("none", "currentColor"), ("#000", "#000000", "black"), ("#fff", "#ffffff", "white")
_MATERIAL_BOX = "0 -960 960 960"
"""View box of Material Symbols: each is one path, in the colour that was chosen for the screen."""


@lru_cache(maxsize=200)
def recolour_icon(body: str, view_box: str) -> str:
    """Let an icon take the colour asked for where its own is only that of its package, such as black alone.

    The icons of game-icons.net are white on a black square: that goes.
    """
    body, squares = _BLACK_SQUARE.subn(r"\1", body)
    colours = {value for _, value in _PAINT.findall(body)}.difference(_NO_COLOUR)
    if squares or view_box == _MATERIAL_BOX or colours.issubset(_BLACK):
        fixed = _WHITE if squares else colours
        return _PAINT.sub(lambda paint: f'{paint[1]}="currentColor"' if paint[2] in fixed else paint[0], body)
    return body


# Low ink

_FILL = re.compile(r'\b(fill|stop-color)="(#[0-9a-fA-F]{6}|#[0-9a-fA-F]{3})"')
_GREY_LEVELS = (150, 105)


def lighten_drawing(body: str) -> str:
    """Make the areas of a drawing pale grey, as low ink does with pictures; its lines stay as they are."""
    def pale(match: re.Match[str]) -> str:
        digits = match[2][1:] if len(match[2]) == 7 else "".join(2 * digit for digit in match[2][1:])
        red, green, blue = (int(digits[n:n + 2], 16) for n in (0, 2, 4))
        grey = lighten(0.299 * red + 0.587 * green + 0.114 * blue)
        return f'{match[1]}="#{grey:02x}{grey:02x}{grey:02x}"'

    return _FILL.sub(pale, body)


def lighten(grey: float) -> int:
    """Return the grey (0 to 255) that low ink prints for a grey: between 150 and 255, darker tones apart."""
    least, span = _GREY_LEVELS
    return round(least + span * float((grey / 255) ** 0.8))
