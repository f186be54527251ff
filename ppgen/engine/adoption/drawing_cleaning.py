"""Drawings of other programs: parsed, with computed styles, values as the subset writes them, and sizes in millimetres.

Programs write styles, style sheets, units, percentages, colours and transforms each in their own way (CSS 2.2, 6.4:
attribute, then rule of a style sheet, then ``style``). Everything that a stranger's file could make large is limited.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import pairwise
from math import isfinite

from lxml import etree

from ppgen.engine.drawing.svg_pictures import cut_out_pictures
from ppgen.engine.geometry import Rect, Size
from ppgen.engine.outlines import parse_chains
from ppgen.engine.svg import HREFS, IDENTITY, SVG, Matrix, local_tag, multiply, parse_transform
from ppgen.engine.svg_subset import NUMBER, VALUES, is_valid_value

MAX_CHARACTERS = 2_000_000
"""Characters of a drawing without its pictures."""
MAX_ELEMENTS, MAX_DEPTH, MAX_ATTRIBUTES = 20_000, 60, 200
MAX_REACH = 1e6
"""Units of a drawing, or mm. Shapes beyond are not drawn."""
MAX_SHEET, MAX_MATCHES = 100_000, 300_000
"""Characters of style sheets; their selectors times the elements that each is compared with."""
INKSCAPE, SERIF = "{http://www.inkscape.org/namespaces/inkscape}", "{http://www.serif.com/}"
PX = 25.4 / 96
DOTS_PER_INCH = (25.4, 96.0, 72.0, 90.0, 150.0, 300.0, 600.0)
"""What a unit of a page without millimetres may be: a millimetre, a pixel of CSS, a point, a pixel of Inkscape before
0.92, and pixels of pictures in print, as Figma and Affinity count them."""
MIN_BLEED_MM, MAX_BLEED_MM = 0.5, 10.0
"""A page that is larger than the piece by this much on each side has a bleed of its own."""
SIZE_TOLERANCE_MM, PROPORTION_TOLERANCE = 0.3, 0.02

INHERITED = frozenset(
    "fill stroke stroke-width fill-opacity stroke-opacity stroke-linecap stroke-linejoin stroke-miterlimit "
    "stroke-dasharray stroke-dashoffset fill-rule clip-rule color visibility font font-family font-size font-weight "
    "font-style text-anchor text-align line-height letter-spacing".split())
_STYLED = INHERITED | frozenset("display opacity clip-path mask filter mix-blend-mode marker marker-start marker-mid "
                                "marker-end stop-color stop-opacity mask-type shape-inside inline-size".split())
"""Properties that may be attributes or styles."""
_LENGTHS = frozenset("x y x1 y1 x2 y2 cx cy r rx ry fx fy width height stroke-width stroke-dashoffset".split())
_COLOURS = frozenset("fill stroke color stop-color".split())
_UNITS = {"": 1.0, "px": 1.0, "pt": 4 / 3, "pc": 16.0, "mm": 1 / PX, "cm": 10 / PX, "in": 96.0, "q": 0.25 / PX}

_DOCTYPE = re.compile(r"<!DOCTYPE[^<>\[]*>")
_TAG = re.compile(r"<(?:!--.*?-->|!\[CDATA\[.*?\]\]>|\?.*?\?>|[^\W\d][\w:.-]*)", re.DOTALL)
_LENGTH = re.compile(rf"\s*({NUMBER.pattern})\s*([a-zA-Z]*|%)\s*")
_URL = re.compile(r"""\s*url\(\s*["']?#([^"')]*)["']?\s*\)\s*(.*)""", re.DOTALL)
_ARC = re.compile(r"[Aa][^A-DF-Za-df-z]*")
_FLAGS = re.compile(rf"((?:{NUMBER.pattern}[\s,]*+){{3}})([01])[\s,]*+([01])[\s,]*+"
                    rf"((?:{NUMBER.pattern}[\s,]*+){{2}})")
_FUNCTION = re.compile(r"\s+(?=\()|(?<=\()\s+")
_SIMPLE = re.compile(r"[^\s>+~]+(?:[\s>+~]+[^\s>+~:]+)?")
"""Selectors with at most one step from one element to another: each more would cost another pass over the ancestors."""

Style = Mapping[str, str]


class DrawingError(Exception):
    """A drawing that can't be a template: line, what is wrong, and a remedy."""

    def __init__(self, line: int, what: str, remedy: str) -> None:
        super().__init__(what)
        self.line, self.what, self.remedy = line, what, remedy


@dataclass(slots=True)
class Drawing:
    """A parsed drawing: its elements by id, the line where each begins, and their own styles.

    ``unread`` are selectors of style sheets that are not understood, ``boxes`` the rectangles around shapes so far.
    """

    root: etree._Element
    ids: Mapping[str, etree._Element]
    lines: Mapping[etree._Element, int]
    styles: dict[etree._Element, dict[str, str]]
    unread: tuple[str, ...] = ()
    boxes: dict[etree._Element, Rect | None] = field(default_factory=dict)
    box: Rect = field(init=False)

    def __post_init__(self) -> None:
        self.box = self._view_box()

    def style(self, element: etree._Element, inherited: Style) -> dict[str, str]:
        """The computed style of an element inside one with the ``inherited`` style. Font sizes are in its units."""
        parent = {name: value for name, value in inherited.items() if name in INHERITED}
        own = {name: value for name, value in self.styles[element].items() if value != "inherit"}
        if font := re.search(r"([\d.]+\s*(?:px|pt|mm|em|%)?)(?:\s*/\s*\S+)?\s+([^;]+)$", own.get("font", "")):
            own = {"font-size": font[1], "font-family": font[2], **own}
        style = {**parent, **own}
        if "font-size" in own:
            size = to_units(parent.get("font-size", "16")) or 16.0
            style["font-size"] = f"{to_units(own['font-size'], size, size) or size:g}"
        return style

    def target(self, element: etree._Element, value: str = "") -> etree._Element | None:
        """The element that ``url(#id)`` or, without a value, the element's href refers to."""
        if value:
            match = _URL.fullmatch(value)
            return self.ids.get(match[1]) if match else None
        href = reference(element)
        return self.ids.get(href[1:]) if href.startswith("#") else None

    def number(self, element: etree._Element, name: str, style: Style | None = None) -> float:
        """A length of an element in its own units; 0 if it has none."""
        whole = self.box.width if name in ("x", "width", "cx", "rx", "x1", "x2") else self.box.height
        value = (style or {}).get(name, "") or str(element.get(name, "0")).replace(",", " ").strip().partition(" ")[0]
        return to_units(value, whole) or 0.0

    def _view_box(self) -> Rect:
        numbers = [float(number) for number in NUMBER.findall(self.root.get("viewBox", ""))]
        sides = [to_units(self.root.get(side, ""), 0) or 0.0 for side in ("width", "height")]
        x, y, width, height = numbers if len(numbers) == 4 else (0.0, 0.0, *sides)
        if not (min(width, height) > 0 and all(map(isfinite, (x, y, width, height)))):
            raise DrawingError(self.lines[self.root], "has neither a size nor a viewBox", "set its page size in mm")
        return Rect(x, y, width, height)

    @property
    def page_size(self) -> Size:
        """The size of the page; without a unit a length is a pixel of CSS."""
        units = [to_units(self.root.get(side, ""), 0) or extent
                 for side, extent in (("width", self.box.width), ("height", self.box.height))]
        return Size(units[0] * PX, units[1] * PX)

    def place_page(self, size: Size) -> tuple[Matrix, str]:
        """Return the matrix from its units to mm of the trim, and a word on how its page becomes the piece."""
        box, given = self.box, [str(self.root.get(side, "")) for side in ("width", "height")]
        units = [to_units(side, 0) or extent for side, extent in zip(given, (box.width, box.height), strict=True)]
        real = any(re.search(r"(?:mm|cm|in|pt|pc|q)\s*$", side, re.IGNORECASE) for side in given)
        pages = [Size(*(unit * 25.4 / dots for unit in units)) for dots in ((96.0,) if real else DOTS_PER_INCH)]
        for page in pages:
            over = (page.width - size.width) / 2, (page.height - size.height) / 2
            if max(map(abs, over)) < SIZE_TOLERANCE_MM:
                return _page_matrix(box, size, 0), "as large as the piece"
        for page in pages:
            over = (page.width - size.width) / 2, (page.height - size.height) / 2
            if abs(over[0] - over[1]) < SIZE_TOLERANCE_MM / 2 and MIN_BLEED_MM <= over[0] <= MAX_BLEED_MM:
                return _page_matrix(box, page, over[0]), f"with a bleed of {over[0]:.3g} mm"
        if abs(box.width / box.height * size.height / size.width - 1) > PROPORTION_TOLERANCE:
            page = pages[0] if real else Size(*units)
            unit = " mm" if real else ""
            raise DrawingError(self.lines[self.root], f"the page is {page.width:.4g} × {page.height:.4g}{unit}, the "
                               f"piece {size}", "give both the same proportions, or the page a bleed on all sides")
        if not real:
            return _page_matrix(box, size, 0), f"scaled to {size}"
        page = pages[0]
        return (_page_matrix(box, size, 0),
                f"{page.width:.4g} × {page.height:.4g} mm, scaled to {size.width / page.width:.0%}")


def _page_matrix(box: Rect, page: Size, bleed: float) -> Matrix:
    scale = page.width / box.width
    return scale, 0, 0, scale, -box.x * scale - bleed, -box.y * scale - bleed


# Parsing

def parse_drawing(content: str) -> Drawing:
    """Parse a drawing. Raises DrawingError for what is not an SVG, or too large to be one of a face."""
    text = _DOCTYPE.sub("", cut_out_pictures(content), count=1)
    if "<!DOCTYPE" in text or "<!ENTITY" in text:
        raise DrawingError(text.count("\n", 0, text.find("<!")) + 1, "has entities, as Illustrator writes them",
                           "save it without “preserve editing”, or open it in Inkscape and save it there")
    if len(text) > MAX_CHARACTERS:
        raise DrawingError(0, f"has more than {MAX_CHARACTERS:,} characters beside its pictures",
                           "simplify its paths, or use it as a picture")
    parser = etree.XMLParser(resolve_entities=False, no_network=True, load_dtd=False, huge_tree=False,
                             remove_comments=True, remove_pis=True, encoding="utf-8")
    try:
        root = etree.fromstring(text.encode(), parser)
    except etree.XMLSyntaxError as error:
        raise DrawingError(error.lineno or 0, f"is not well-formed XML: {(error.msg or '')[:100]}",
                           "save it again as plain SVG") from error
    if local_tag(root) != "svg":
        raise DrawingError(1, "is not an SVG drawing", "save it as plain SVG")
    elements = [*root.iter()]
    lines = dict(zip(elements, _tag_lines(text), strict=False))
    lines = {element: lines.get(element) or element.sourceline or 1 for element in elements}
    _check_bounds(root, elements, lines)
    if not str(root.tag).startswith("{"):  # written into a page of HTML, where SVG needs no namespace
        for element in elements:
            element.tag = f"{{{SVG}}}{element.tag}" if not str(element.tag).startswith("{") else element.tag
    ids = {str(element.get("id")): element for element in reversed(elements) if element.get("id")}
    styles, unread = _own_styles(root, elements)
    return Drawing(root, ids, lines, styles, unread)


def _tag_lines(text: str) -> Iterator[int]:
    """The line where each start tag begins; lxml knows only where it ends."""
    line, at = 1, 0
    for match in _TAG.finditer(text):
        if match[0][1] not in "!?":
            line, at = line + text.count("\n", at, match.start()), match.start()
            yield line


def _check_bounds(root: etree._Element, elements: list[etree._Element],
                  lines: Mapping[etree._Element, int]) -> None:
    if len(elements) > MAX_ELEMENTS:
        raise DrawingError(lines[elements[MAX_ELEMENTS]], f"has more than {MAX_ELEMENTS:,} elements", "simplify it")
    depths = {root: 0}
    for element in elements:
        parent = element.getparent()
        depths[element] = depth = depths[parent] + 1 if parent is not None else 0
        if depth > MAX_DEPTH:
            raise DrawingError(lines[element], f"is nested deeper than {MAX_DEPTH}", "ungroup some of its groups")
        if len(element.attrib) > MAX_ATTRIBUTES:
            raise DrawingError(lines[element], f"<{local_tag(element)}> has more than {MAX_ATTRIBUTES} attributes",
                               "save it again as plain SVG")


# Styles

def _own_styles(root: etree._Element, elements: list[etree._Element],
                ) -> tuple[dict[etree._Element, dict[str, str]], tuple[str, ...]]:
    """The styles of each element itself: attributes, then rules of style sheets by their weight, then ``style``."""
    import cssselect2
    import tinycss2

    sheet = "\n".join("".join(map(str, each.itertext())) for each in root.iter(f"{{{SVG}}}style"))
    if len(sheet) > MAX_SHEET:
        raise DrawingError(0, f"has style sheets of more than {MAX_SHEET:,} characters", "save it as plain SVG")
    matcher, unread, selectors = cssselect2.Matcher(), [], 0
    for rule in tinycss2.parse_stylesheet(sheet, skip_comments=True, skip_whitespace=True):
        if rule.type != "qualified-rule":
            continue
        said = _declarations(rule.content)
        for words in filter(None, map(str.strip, tinycss2.serialize(rule.prelude).split(","))):
            try:
                if not _SIMPLE.fullmatch(words):
                    raise cssselect2.SelectorError
                for selector in cssselect2.compile_selector_list(words):
                    matcher.add_selector(selector, said)
                    selectors += 1
            except cssselect2.SelectorError:
                unread.append(words[:40])
    if selectors * len(elements) > MAX_MATCHES and selectors > 100:
        raise DrawingError(0, f"has {selectors:,} rules in style sheets for {len(elements):,} elements",
                           "save it with presentation attributes, or as plain SVG")
    by_rule: dict[etree._Element, dict[str, str]] = {}
    for each in cssselect2.ElementWrapper.from_xml_root(root).iter_subtree() if selectors else ():
        for _, _, _, said in sorted(matcher.match(each), key=lambda match: match[:2]):
            by_rule.setdefault(each.etree_element, {}).update(said)
    styles = {}
    for element in elements:
        own = {str(name): str(value).strip() for name, value in element.attrib.items() if name in _STYLED}
        own.update(by_rule.get(element, {}))
        own.update(_declarations(element.get("style", "")) if element.get("style") else {})
        styles[element] = own
    return styles, tuple(dict.fromkeys(unread))


def _declarations(content: object) -> dict[str, str]:
    import tinycss2

    return {item.lower_name: tinycss2.serialize(item.value).strip()
            for item in tinycss2.parse_blocks_contents(content, skip_comments=True, skip_whitespace=True)
            if item.type == "declaration" and item.lower_name in _STYLED | {"-inkscape-font-specification"}}


# Values

def to_units(words: str, whole: float = 100.0, em: float = 16.0) -> float | None:
    """Return a length in units of the drawing; percentages are of the ``whole``. None for what is not a length."""
    match = _LENGTH.fullmatch(words)
    if not match:
        return None
    number, unit = float(match[1]), match[2].lower()
    factor = {"%": whole / 100, "em": em, "rem": 16.0, "ex": em / 2}.get(unit, _UNITS.get(unit))
    return number * factor if factor is not None and abs(number) < 1e7 else None


@lru_cache(maxsize=2_000)
def clean_colour(words: str) -> tuple[str, float]:
    """Return ``#rrggbb``, ``none``, ``currentColor`` or ``url(#id)``, and its opacity; empty for what is no colour."""
    from tinycss2.color4 import parse_color

    if words in ("none", "transparent"):
        return "none", 1.0
    if match := _URL.fullmatch(words):
        return f"url(#{match[1]})", 1.0
    colour = parse_color(words)
    if colour is None or isinstance(colour, str):
        return ("currentColor", 1.0) if colour else ("", 1.0)
    try:
        parts = [*colour.to("srgb")]
    except (NotImplementedError, ValueError):
        return "", 1.0
    return "#" + "".join(f"{round(min(max(part or 0, 0), 1) * 255):02x}" for part in parts[:3]), float(parts[3])


def clean_value(name: str, value: str) -> str:
    """Return a value as the subset writes it; empty if it can't."""
    if name in _COLOURS:
        value = clean_colour(value)[0]
    elif name in _LENGTHS:
        units = to_units(value) if not value.rstrip().endswith("%") else None
        value = value.strip() if units is None else f"{units:.10g}"
    elif name == "stroke-dasharray" and value != "none":
        parts = [to_units(part) for part in re.split(r"[\s,]+", value.strip()) if part]
        value = " ".join(f"{part:.6g}" for part in parts if part is not None) if None not in parts else "none"
    elif name == "d":
        value = _ARC.sub(lambda arc: _FLAGS.sub(r"\1\2 \3 \4", arc[0]), value)
    elif name.lower().endswith("transform"):
        value = _FUNCTION.sub("", value)
    elif name.endswith("opacity") and value.endswith("%"):
        value = f"{float(value[:-1]) / 100:g}" if NUMBER.fullmatch(value[:-1]) else ""
    return value if name in VALUES and is_valid_value(name, value) else ""


def own_matrix(element: etree._Element, name: str = "transform") -> Matrix:
    """The transform of an element itself; one that is not understood is none."""
    words = clean_value(name, str(element.get(name, "")))
    matrix = parse_transform(words) if words else IDENTITY
    return matrix if all(map(isfinite, matrix)) else IDENTITY


def reference(element: etree._Element) -> str:
    """What an element's href refers to."""
    return next((str(value).strip() for name in HREFS if (value := element.get(name))), "")


# Places

def apply_matrix(matrix: Matrix, x: float, y: float) -> tuple[float, float]:
    a, b, c, d, e, f = matrix
    return a * x + c * y + e, b * x + d * y + f


def format_matrix(matrix: Matrix) -> str:
    return f"matrix({' '.join(f'{number:.7g}' for number in matrix)})"


def shape_box(drawing: Drawing, element: etree._Element, matrix: Matrix = IDENTITY) -> Rect | None:
    """The rectangle around a shape or picture after the transform; None for one without points, or far away."""
    if element not in drawing.boxes:
        drawing.boxes[element] = _enclose(_outline_points(drawing, element))
    own = drawing.boxes[element]
    if matrix == IDENTITY or own is None:
        return own
    return _enclose([apply_matrix(matrix, x, y) for x in (own.x, own.right) for y in (own.y, own.bottom)])


def _enclose(points: Sequence[tuple[float, float]]) -> Rect | None:
    xs, ys = [x for x, _ in points], [y for _, y in points]
    if not points or not all(abs(number) < MAX_REACH for number in (*xs, *ys)):
        return None
    return Rect(min(xs), min(ys), max(xs) - min(xs), max(ys) - min(ys))


def _outline_points(drawing: Drawing, element: etree._Element) -> Sequence[tuple[float, float]]:
    """Points that a shape lies between, in its own units."""
    tag, number = local_tag(element), drawing.number
    if tag in ("rect", "image", "circle", "ellipse", "svg", "use"):
        if tag in ("circle", "ellipse"):
            rx, ry = number(element, "r") or number(element, "rx"), number(element, "r") or number(element, "ry")
            x, y = number(element, "cx") - rx, number(element, "cy") - ry
            width, height = 2 * rx, 2 * ry
        else:
            x, y, width, height = (number(element, name) for name in ("x", "y", "width", "height"))
        return [(x, y), (x + width, y + height)]
    if tag == "line":
        return [(number(element, f"x{n}"), number(element, f"y{n}")) for n in (1, 2)]
    if tag == "path":
        data = clean_value("d", str(element.get("d", "")))
        return [(point.real, point.imag) for chain, _ in parse_chains(data) for point in chain] if data else []
    numbers = [float(each) for each in NUMBER.findall(str(element.get("points", "")))]
    return [*pairwise(numbers)][::2]


def viewport_matrix(drawing: Drawing, element: etree._Element, given: etree._Element) -> Matrix:
    """The matrix of a symbol or an inner ``<svg>``; x, y, width and height stand on the ``given`` element."""
    place: Matrix = (1, 0, 0, 1, drawing.number(given, "x"), drawing.number(given, "y"))
    box = [float(number) for number in NUMBER.findall(element.get("viewBox", ""))]
    width, height = drawing.number(given, "width"), drawing.number(given, "height")
    if len(box) != 4 or not (box[2] > 0 and box[3] > 0 and width > 0 and height > 0):
        return place
    scale = min(width / box[2], height / box[3])
    middle: Matrix = (scale, 0, 0, scale, (width - box[2] * scale) / 2 - box[0] * scale,
                      (height - box[3] * scale) / 2 - box[1] * scale)
    return multiply(place, middle)
