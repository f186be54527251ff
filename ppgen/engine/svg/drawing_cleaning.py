"""The reader of SVG files of other programs: parsed within bounds, with computed styles, values as the subset has them.

Programs write styles, style sheets, units, percentages, colours and transforms each in their own way (CSS 2.2, 6.4:
attribute, then rule of a style sheet, then ``style``). Pictures of a deck (:mod:`picture`) and drawings that
become templates (``engine/adoption/``) are read here alone. Work grows with the size of a file, never faster.
"""

from __future__ import annotations

import re
from base64 import b64decode
from collections.abc import Collection, Iterator, Mapping
from functools import lru_cache
from itertools import count, islice

from lxml import etree

from ppgen.engine.colours import six_digits
from ppgen.engine.geometry import Rect
from ppgen.engine.svg.elements import HREFS, SVG, XLINK, local_tag
from ppgen.engine.svg.subset import GRADIENTS, NUMBER, PLACED_BY_REFERENCE, VALUES, is_valid_value
from ppgen.errors import Phrase
from ppgen.records import dataclass, field

MAX_CHARACTERS = 2_000_000  # characters of a drawing without its pictures
MAX_ELEMENTS, MAX_DEPTH, MAX_ATTRIBUTES = 20_000, 60, 200
MAX_VALUE = 4_000  # of an attribute other than outlines and references; Inkscape's styles have some 1,900
MAX_REACH, MIN_SIDE = 1e6, 1e-3  # in units or mm: shapes beyond are not drawn, no view box is smaller
MAX_SHEET, MAX_MATCHES = 100_000, 300_000
"""Characters of style sheets; their selectors times the elements that each is compared with."""
PX = 25.4 / 96
_TEXT_ALONE = frozenset("baseline-shift alignment-baseline shape-padding shape-subtract".split())
TEXT_STYLES = _TEXT_ALONE | frozenset(
    "text-decoration text-decoration-line text-decoration-color text-decoration-style text-transform text-indent "
    "text-shadow text-orientation white-space word-spacing writing-mode direction dominant-baseline font-stretch "
    "font-variant font-variant-caps font-variant-numeric font-variant-position font-variant-ligatures "
    "font-variant-alternates font-variant-east-asian font-feature-settings font-variation-settings "
    "paint-order".split())
"""Properties of texts beside those that shapes have, too; lines along a text hold for all in it."""
INHERITED = (TEXT_STYLES - _TEXT_ALONE) | frozenset(
    "fill stroke stroke-width fill-opacity stroke-opacity stroke-linecap stroke-linejoin stroke-miterlimit "
    "stroke-dasharray stroke-dashoffset fill-rule clip-rule color visibility font font-family font-size font-weight "
    "font-style text-anchor text-align line-height letter-spacing".split())
_STYLED = INHERITED | TEXT_STYLES | frozenset(
    "display opacity clip-path mask filter mix-blend-mode marker marker-start marker-mid marker-end stop-color "
    "stop-opacity mask-type shape-inside inline-size".split())
"""Properties that may be attributes or styles."""
_DECLARED = _STYLED | VALUES.keys() | {"-inkscape-font-specification"}
UNSEEN = frozenset("title desc metadata style script namedview font font-face path-effect perspective grid animate "
                   "animateMotion animateTransform set view cursor".split())
"""Elements for readers and programs: nothing of them is ever drawn."""
NOT_IN_PLACE = UNSEEN | GRADIENTS | PLACED_BY_REFERENCE | {"defs", "marker", "filter", "solidColor"}
"""Elements that are drawn only where something refers to them, if at all."""
EFFECTS = ("filter", "mix-blend-mode", "marker", "marker-start", "marker-mid", "marker-end")
"""Properties that the subset does not have."""
_UNBOUNDED = frozenset(("d", "points", *HREFS))
_HARMLESS_RULES = frozenset(("charset", "font-face", "namespace"))  # rules of style sheets that no shape depends on
_LENGTHS = frozenset("x y x1 y1 x2 y2 cx cy r rx ry fx fy width height stroke-width stroke-dashoffset".split())
COLOURS = frozenset("fill stroke color stop-color".split())
_UNITS = {"": 1.0, "px": 1.0, "pt": 4 / 3, "pc": 16.0, "mm": 1 / PX, "cm": 10 / PX, "in": 96.0, "q": 0.25 / PX}

MAX_ENTITIES, MAX_ENTITY = 100, 200  # of a drawing, and characters of each: Illustrator's namespaces
_DOCTYPE = re.compile(r"<!DOCTYPE[^<>\[]*+(?:\[((?:\s++|<!(?:ENTITY|ATTLIST)\s[^<>]*+>)*+)\]\s*+)?+>")
_ENTITY = re.compile(r"""<!ENTITY\s++([A-Za-z_][\w.-]*+)\s++(["'])([^"'&%<>]*+)\2\s*+>""")
_ENTITY_USE = re.compile(r"&([A-Za-z_][\w.-]*+);")
_TAG = re.compile(r"<(?:!--.*?-->|!\[CDATA\[.*?\]\]>|\?.*?\?>|[^\W\d][\w:.-]*)", re.DOTALL)
_LENGTH = re.compile(rf"({NUMBER.pattern})\s*+([a-zA-Z]++|%)?+")
_URL = re.compile(r"""url\(\s*+["']?+#([^"')]*+)["']?+\s*+\)(.*+)""", re.DOTALL)
_FONT_SIZE = re.compile(rf"{NUMBER.pattern}(?:px|pt|mm|em|%)?+(?:/.*+)?+")
_PIXELS = re.compile(r"(?<=[\d.])px\b")
_SIMPLE = re.compile(r"[^\s>+~]++(?:[\s>+~]++[^\s>+~:]++)?+")
"""Selectors with at most one step from one element to another: each more would cost another pass over the ancestors."""

Style = Mapping[str, str]


class DrawingError(Exception):
    """A drawing that can't be a template: line, what is wrong, and a remedy."""

    def __init__(self, line: int, what: str, remedy: str) -> None:
        super().__init__(what)
        self.line, self.what, self.remedy = line, what, remedy


@dataclass(slots=True)
class Drawing:
    """A parsed drawing."""

    root: etree._Element
    ids: Mapping[str, etree._Element]
    lines: Mapping[etree._Element, int]  # where each begins
    styles: dict[etree._Element, dict[str, str]]  # their own ones
    unread: tuple[str, ...]  # selectors of style sheets that are not understood
    box: Rect  # its page
    boxes: dict[etree._Element, Rect | None] = field(default_factory=dict)

    def style(self, element: etree._Element, inherited: Style) -> dict[str, str]:
        """The computed style of an element inside one with the ``inherited`` style. Font sizes are in its units."""
        parent = {name: value for name, value in inherited.items() if name in INHERITED}
        own = {name: value for name, value in self.styles[element].items() if value != "inherit"}
        if font := own.get("font", ""):
            own = {**_parse_font(font), **own}
        style = {**parent, **own}
        if "font-size" in own:
            size = to_units(parent.get("font-size", "16")) or 16.0
            style["font-size"] = f"{to_units(own['font-size'], size, size) or size:g}"
        return style

    def effects(self, element: etree._Element) -> Collection[str]:
        """The effects of an element itself."""
        own = self.styles[element]
        return [name for name in EFFECTS if own.get(name, "none") not in ("none", "normal", "")]

    def target(self, element: etree._Element, value: str = "") -> etree._Element | None:
        """The element that ``url(#id)`` or, without a value, the element's href refers to."""
        if value:
            return self.ids.get(url_target(value) or "")
        href = reference(element)
        return self.ids.get(href[1:]) if href.startswith("#") else None

    def number(self, element: etree._Element, name: str) -> float:
        """A length of an element in its own units; 0 if it has none."""
        return self.length(name, str(element.get(name, "0")).replace(",", " ").strip().partition(" ")[0])

    def length(self, name: str, words: str) -> float:
        """The length that an attribute gives in units; percentages are of the drawing's box."""
        whole = self.box.width if name in ("x", "width", "cx", "rx", "x1", "x2") else self.box.height
        return to_units(words, whole) or 0.0


# --- Parsing ---

def parse_drawing(content: str, keeps_pictures: bool = False) -> Drawing:
    """Parse a drawing without comments, instructions and, as a rule, pictures. Raises DrawingError."""
    content = _put_entities(content)
    text = cut_out_pictures(content)
    if "<!DOCTYPE" in text or "<!ENTITY" in text:
        raise DrawingError(text.count("\n", 0, text.find("<!")) + 1, "has entities, as Illustrator writes them",
                           "save it without “preserve editing”, or open it in Inkscape and save it there")
    if len(text) > MAX_CHARACTERS:
        raise DrawingError(0, f"has more than {MAX_CHARACTERS:,} characters beside its pictures",
                           "simplify its paths, or save it as PNG")
    if keeps_pictures:
        text = content
    if "xlink:" in text and "xmlns:xlink" not in text:  # pages of HTML need no declaration, nor do some programs
        text = text.replace("<svg", f'<svg xmlns:xlink="{XLINK}"', 1)
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
    try:
        styles, unread = _own_styles(root, elements, lines)
    except RecursionError as error:
        raise DrawingError(0, "has a style with brackets nested too deep", "save it as plain SVG") from error
    numbers = [float(number) for number in NUMBER.findall(root.get("viewBox", ""))]
    sides = [to_units(root.get(side, ""), 0) or 0.0 for side in ("width", "height")]
    x, y, width, height = numbers if len(numbers) == 4 else (0.0, 0.0, *sides)
    if not (min(width, height) >= MIN_SIDE and max(map(abs, (x, y, width, height))) <= MAX_REACH):
        raise DrawingError(lines[root], "has no size", 'set its page size, or viewBox="0 0 WIDTH HEIGHT"')
    return Drawing(root, ids, lines, styles, unread, Rect(x, y, width, height))


def _put_entities(content: str) -> str:
    """Take out the document type, and put its plain entities (Illustrator's) in their places; lines stay."""
    head = _DOCTYPE.search(content)
    if not head:
        return content
    inside = head[1] or ""
    words = {match[1]: match[3] for match in _ENTITY.finditer(inside)}
    if inside.count("<!ENTITY") != len(words) or len(words) > MAX_ENTITIES or max(map(len, words.values()),
                                                                                 default=0) > MAX_ENTITY:
        return content
    before, after = content[:head.start()], content[head.end():]
    if words and after.count("&") * MAX_ENTITY <= MAX_CHARACTERS:
        after = _ENTITY_USE.sub(lambda use: words.get(use[1], use[0]), after)
    return before + "\n" * head[0].count("\n") + after


def _tag_lines(text: str) -> Iterator[int]:
    """The line where each start tag begins; lxml knows only where it ends."""
    line, at = 1, 0
    for match in _TAG.finditer(text):
        if match[0][1] not in "!?":
            line, at = line + text.count("\n", at, match.start()), match.start()
            yield line


def _check_bounds(root: etree._Element, elements: list[etree._Element], lines: Mapping[etree._Element, int]) -> None:
    if len(elements) > MAX_ELEMENTS:
        raise DrawingError(lines[elements[MAX_ELEMENTS]], f"has more than {MAX_ELEMENTS:,} elements", "simplify it")
    depths = {root: 0}
    for element in elements:
        parent = element.getparent()
        depths[element] = depth = depths[parent] + 1 if parent is not None else 0
        if depth > MAX_DEPTH:
            raise DrawingError(lines[element], Phrase("deep", number=MAX_DEPTH), "ungroup some of its groups")
        if len(element.attrib) > MAX_ATTRIBUTES:
            raise DrawingError(lines[element], f"<{local_tag(element)}> has more than {MAX_ATTRIBUTES} attributes",
                               "save it again as plain SVG")
        for name, value in element.attrib.items():
            if len(value) > MAX_VALUE and name not in _UNBOUNDED and "}" not in str(name):
                raise DrawingError(lines[element], f"<{local_tag(element)}> has more than {MAX_VALUE:,} characters in "
                                   f"its attribute '{str(name)[:40]}'", "shorten it, or save it again as plain SVG")


# --- Styles ---

def _own_styles(root: etree._Element, elements: list[etree._Element], lines: Mapping[etree._Element, int],
                ) -> tuple[dict[etree._Element, dict[str, str]], tuple[str, ...]]:
    """The styles of each element itself: attributes, then rules of style sheets by their weight, then ``style``."""
    sheets = [*root.iter(f"{{{SVG}}}style", "style")]
    sheet = "\n".join("".join(map(str, each.itertext())) for each in sheets)
    if len(sheet) > MAX_SHEET:
        raise DrawingError(lines[sheets[0]], f"has style sheets of more than {MAX_SHEET:,} characters",
                           "save it as plain SVG")
    by_rule, unread = _match_rules(root, sheet, len(elements)) if sheet.strip() else ({}, ())
    styles = {}
    for element in elements:
        own = {str(name): str(value).strip() for name, value in element.attrib.items() if name in _STYLED}
        own.update(by_rule.get(element, {}))
        own.update(_declarations(element.get("style", "")) if element.get("style") else {})
        styles[element] = own
    return styles, unread


def _match_rules(root: etree._Element, sheet: str,
                 elements: int) -> tuple[dict[etree._Element, dict[str, str]], tuple[str, ...]]:
    """The declarations of style sheets for each element, and the rules that are not understood."""
    import cssselect2
    import tinycss2

    matcher, unread, selectors = cssselect2.Matcher(), [], 0
    for rule in tinycss2.parse_stylesheet(sheet, skip_comments=True, skip_whitespace=True):
        if rule.type == "at-rule" and rule.lower_at_keyword not in _HARMLESS_RULES:
            unread.append(f"@{rule.at_keyword[:40]}")
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
    if selectors * elements > MAX_MATCHES and selectors > 100:
        raise DrawingError(0, f"has {selectors:,} rules in style sheets for {elements:,} elements",
                           "save it with presentation attributes, or as plain SVG")
    by_rule: dict[etree._Element, dict[str, str]] = {}
    for each in cssselect2.ElementWrapper.from_xml_root(root).iter_subtree() if selectors else ():
        for _, _, _, said in sorted(matcher.match(each), key=lambda match: match[:2]):
            by_rule.setdefault(each.etree_element, {}).update(said)
    return by_rule, tuple(dict.fromkeys(unread))


def _declarations(content: object) -> dict[str, str]:
    import tinycss2

    return {item.lower_name: tinycss2.serialize(item.value).strip()
            for item in tinycss2.parse_blocks_contents(content, skip_comments=True, skip_whitespace=True)
            if item.type == "declaration" and item.lower_name in _DECLARED}


def _parse_font(value: str) -> dict[str, str]:
    """Read the properties in a ``font`` (CSS 2.2, 15.8): ``italic bold 12px/1.2 'EB Garamond', serif``."""
    words = value.replace("/ ", "/").split()
    at = next((n for n, word in enumerate(words[:-1]) if _FONT_SIZE.fullmatch(word) and not word.isdigit()), None)
    if at is None:
        return {}
    size, _, height = words[at].partition("/")
    names = {"italic": "font-style", "oblique": "font-style", "small-caps": "font-variant"}
    usual = dict.fromkeys(("font-style", "font-weight", "font-variant"), "normal")
    return {**usual, **{names.get(word, "font-weight"): word for word in words[:at] if word != "normal"},
            "font-size": size, "font-family": " ".join(words[at + 1:]), **({"line-height": height} if height else {})}


# --- Values ---

def to_units(words: str, whole: float = 100.0, em: float = 16.0) -> float | None:
    """Return a length in units of the drawing; percentages are of the ``whole``. None for what is not a length."""
    match = _LENGTH.fullmatch(words.strip())
    if not match:
        return None
    number, unit = float(match[1]), (match[2] or "").lower()
    factor = {"%": whole / 100, "em": em, "rem": 16.0, "ex": em / 2}.get(unit, _UNITS.get(unit))
    return number * factor if factor is not None and abs(number) < 1e7 else None


def url_target(value: str) -> str | None:
    """Return the id in ``url(#id)``, whatever follows it; None for anything else."""
    match = _URL.fullmatch(value.strip())
    return match[1] if match else None


@lru_cache(maxsize=2_000)
def clean_colour(words: str) -> tuple[str, float]:
    """Return ``#rrggbb``, ``none``, ``currentColor`` or ``url(#id)``, and its opacity; empty for anything else."""
    if words in ("none", "transparent"):
        return "none", 1.0
    if colour := six_digits(words):
        return colour.lower(), 1.0
    if (target := url_target(words)) is not None:
        return f"url(#{target})", 1.0
    from tinycss2.color4 import parse_color

    parsed = parse_color(words)
    if parsed is None or isinstance(parsed, str):
        return ("currentColor", 1.0) if parsed else ("", 1.0)
    try:
        parts = [*parsed.to("srgb")]
    except (NotImplementedError, ValueError):
        return "", 1.0
    return "#" + "".join(f"{round(min(max(part or 0, 0), 1) * 255):02x}" for part in parts[:3]), float(parts[3])


def clean_value(name: str, value: str) -> str:
    """Return a value as the subset writes it; empty if it can't."""
    if name in COLOURS:
        value = clean_colour(value)[0]
    elif name in _LENGTHS:
        units = to_units(value) if not value.rstrip().endswith("%") else None
        value = value.strip() if units is None else f"{units:.10g}"
    elif name == "stroke-dasharray" and value != "none":
        parts = [to_units(part) for part in value.replace(",", " ").split()]
        value = " ".join(f"{part:.6g}" for part in parts if part is not None) if None not in parts else ""
    elif name.lower().endswith("transform"):
        value = "(".join(part.strip() for part in _PIXELS.sub("", value).split("("))
    elif name.endswith("opacity") and value.endswith("%"):
        value = f"{float(value[:-1]) / 100:g}" if NUMBER.fullmatch(value[:-1]) else ""
    return value if name in VALUES and is_valid_value(name, value) else ""


def add_opacity(style: Style, name: str, opacity: float) -> dict[str, str]:
    """Return a style whose ``name`` (as ``fill-opacity``) is multiplied by the opacity of a colour."""
    given = clean_value(name, style.get(name, "1")) or "1"
    return {**style, name: f"{opacity * float(given.rstrip('%')) / (100 if given.endswith('%') else 1):.4g}"}


def reference(element: etree._Element) -> str:
    """The target of an element's href."""
    return next((str(value).strip() for name in HREFS if (value := element.get(name))), "")


# --- Pictures inside a drawing ---

EMBEDDED = "#"  # between the name of a drawing and the number of a picture in it, counted from 1: `card.svg#2`
_DATA = re.compile(r"data:image/[\w.+-]{1,40};(?:[\w=-]{1,40};)?base64,((?:[A-Za-z0-9+/=\s]|&#(?:10|13|x[aAdD]);)*+)")


def cut_out_pictures(text: str) -> str:
    """Put ``data:#N`` in place of the N-th picture inside a drawing. All lines stay where they were."""
    number = count(1)
    return _DATA.sub(lambda match: f"data:{EMBEDDED}{next(number)}" + "\n" * match[0].count("\n"), text)


def embedded_picture(text: str, number: int) -> bytes:
    """Return the N-th picture inside a drawing; empty if there is none. Raises ValueError if it is damaged."""
    match = next(islice(_DATA.finditer(text), number - 1, None), None)
    return b64decode(re.sub(r"\s|&#\w+;", "", match[1]), validate=True) if match else b""
