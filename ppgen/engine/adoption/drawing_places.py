"""Places in a stranger's drawing: what is bound to columns, where it lies, and its parts as a template."""

from __future__ import annotations

import json
import re
from collections.abc import Collection, Iterator, Sequence
from difflib import get_close_matches
from itertools import pairwise
from math import hypot, isfinite

from lxml import etree

from ppgen.engine.geometry import Rect, Size
from ppgen.engine.shapes import parse_chains
from ppgen.engine.svg.drawing_cleaning import (MAX_REACH, PX, Drawing, DrawingError, Style, clean_colour, clean_value,
                                               to_units)
from ppgen.engine.svg.elements import IDENTITY, Matrix, apply_matrix, local_tag, multiply, parse_transform
from ppgen.engine.svg.subset import NUMBER, SHAPES
from ppgen.errors import Phrase, Problem
from ppgen.reading.tables import column_name
from ppgen.records import dataclass, field, replace

# --- Binding ---
# Labels of a drawing bound to columns: ``name``, ``fill:rarity``, ``show:cost>3``, ``{name}`` inside words. A label is
# Inkscape's, else Affinity's ``serif:id``, else the id. Expressions for templates are made here only: whatever a
# drawing says becomes a string literal without braces, never code.

INKSCAPE, SERIF = "{http://www.inkscape.org/namespaces/inkscape}", "{http://www.serif.com/}"
BACK = "back_"  # a column of this name is shown on backs in place of the one without
TEXTS = ("text", "flowRoot")
FILLED = SHAPES | {"image", "g", "use", *TEXTS}
MAX_LABEL, MAX_ORDERS = 200, 10  # characters of a label, and what it may ask for
_ORDER = re.compile(r"(fill|stroke|show|hide)\s*+:(.+)")
_PARTED = re.compile(r"\s*;\s*|\s+(?=(?:fill|stroke|show|hide)\s*:)")
_TEST = re.compile(r"!?+([^=!<>]++)(?:(==|!=|>=|<=|>|<|=)(.+))?+")
_NUMBER = re.compile(r"[+-]?\d{1,15}(?:\.\d{1,15})?")
_COLUMN = re.compile(r"\{([^{}<>\n]{1,100})\}")
_AUTOMATIC = re.compile(r"#.*|[A-Za-z]+[_-]?\d[\d_-]*")
"""Labels and ids that programs give by themselves: ``#text4138`` (Inkscape 0.92), ``text18``, ``Ellipse_3``."""
_LANGUAGE = re.compile(r"(?<![\w-])[A-Za-z]{2,3}(?![A-Za-z])")
"""The languages of ``systemLanguage``, without their regions."""
_RISKY = re.compile(r"[{}%#<>&]")
_MARKUP = re.compile(r"\\|\*|==|[{}•]|(?<!\S)-(?=\s)")
_NEAR = 0.75


@dataclass(frozen=True, slots=True)
class Columns:
    """The columns that a drawing may show, and those whose values are names of colours of the deck."""

    names: Collection[str] = ()
    colours: Collection[str] = ()

    def cell(self, name: str) -> str:
        """The expression of a column's cell."""
        behind = f"{BACK}{name}"
        return f'(card.{behind} if side == "back" else card.{name})' if behind in self.names else f"card.{name}"

    def colour(self, name: str) -> str:
        """The expression of the colour that a column names."""
        return f"colours.{name}[{self.cell(name)}]" if name in self.colours else self.cell(name)

    def nearest(self, name: str, cutoff: float = _NEAR) -> str:
        return next(iter(get_close_matches(column_name(name), self.names, n=1, cutoff=cutoff)), "")


@dataclass(slots=True)
class Binding:
    """The requests of a label: the ``column`` to show, expressions of paints and conditions; and its ``faults``."""

    label: str = ""
    column: str = ""
    paints: dict[str, str] = field(default_factory=dict)
    tests: list[str] = field(default_factory=list)
    uses: list[tuple[str, str]] = field(default_factory=list)  # columns, and how each is shown
    faults: list[tuple[str, str]] = field(default_factory=list)


def label_of(element: etree._Element) -> str:
    """The label of an element, or its id."""
    label = str(element.get(f"{INKSCAPE}label") or element.get(f"{SERIF}id") or "").strip()
    return (str(element.get("id", "")) if not label or label.startswith("#") else label)[:MAX_LABEL]


def read_binding(element: etree._Element, columns: Columns) -> Binding:
    """Read what the label of an element asks for."""
    binding = Binding(label_of(element))
    for words in [each for each in _PARTED.split(binding.label) if each][:MAX_ORDERS]:
        order = _ORDER.fullmatch(words)
        name = column_name(words)
        if order:
            _read_order(binding, order[1], order[2].strip(), columns)
        elif local_tag(element) not in FILLED:
            continue
        elif name in columns.names:
            binding.column = name
        elif not _AUTOMATIC.fullmatch(words) and (near := columns.nearest(words)):
            binding.faults.append((f"is like the column '{near}', but is not one: nothing is filled in",
                                   f"call it {near}"))
    return binding


def _read_order(binding: Binding, kind: str, words: str, columns: Columns) -> None:
    test = _TEST.fullmatch(words)
    name = column_name(test[1]) if test else ""
    if not test or name not in columns.names:
        near = columns.nearest(name, 0.5)
        binding.faults.append((f"there is no column '{name or words[:40]}'",
                               Phrase("did_you_mean_names", names=near) if near else "nothing is bound to it"))
    elif kind in ("fill", "stroke"):
        binding.paints[kind] = columns.colour(name)
        binding.uses.append((name, kind))
    else:
        cell, sign, value = columns.cell(name), test[2], (test[3] or "").strip()
        code = cell
        if sign:
            literal = value if _NUMBER.fullmatch(value) else quote(value.strip("'\""))
            code = f"({cell} != \"\" and {cell} {'==' if sign == '=' else sign} {literal})"
        binding.tests.append(f"not {code}" if (kind == "hide") != words.startswith("!") else code)
        binding.uses.append((name, f"{kind}s it" + (f" if {sign}{value}" if sign else "")))


def language_test(element: etree._Element) -> str:
    """The expression that tells whether an element is for the deck's language; empty if it is for all of them."""
    named = element.get("systemLanguage")
    if named is None:
        return ""
    codes = sorted({match[0].lower() for match in _LANGUAGE.finditer(named[:MAX_LABEL])})
    return f'(t.lang.lower().split("-")[0] in ({"".join(f"{quote(code)}, " for code in codes)}))'


def quote(words: str) -> str:
    """Write words as a string literal of a template, without any sign that begins or ends something there."""
    return _RISKY.sub(lambda match: f"\\x{ord(match[0]):02x}", json.dumps(words, ensure_ascii=False))


def escape_markup(words: str) -> str:
    """Escape the signs that ``rich()`` would read as markup."""
    return _MARKUP.sub(lambda match: "".join(f"\\{sign}" for sign in match[0]), words)


def split_at_columns(words: str, columns: Columns) -> Iterator[tuple[str, str]]:
    """Yield the words between columns, each with the column that follows; other words in braces stay."""
    at = 0
    for match in _COLUMN.finditer(words):
        if (name := column_name(match[1])) in columns.names:
            yield words[at:match.start()], name
            at = match.end()
    yield words[at:], ""


def near_columns(words: str, columns: Columns) -> Iterator[tuple[str, str]]:
    """Yield the names in braces that are not a column, but like one; and that one."""
    for match in _COLUMN.finditer(words):
        if column_name(match[1]) not in columns.names and (near := columns.nearest(match[1])):
            yield match[0], near


# --- Places ---

DOTS_PER_INCH = (25.4, 96.0, 72.0, 90.0, 150.0, 300.0, 600.0)
"""Candidates for the unit of a page without millimetres: a millimetre, a pixel of CSS, a point, a pixel of Inkscape
before 0.92, and pixels of pictures in print, as Figma and Affinity count them."""
MIN_BLEED_MM, MAX_BLEED_MM = 0.5, 10.0  # a page that is larger than the piece by this much has a bleed of its own
USUAL_BLEED_MM = 2.85, 3.35  # bleed of a page in pixels of the piece's proportions: 3 mm or an eighth of an inch
SIZE_TOLERANCE_MM, PROPORTION_TOLERANCE, SAME_PROPORTION = 0.3, 0.02, 0.001


def page_size(drawing: Drawing) -> Size:
    """The size of the page; without a unit a length is a pixel of CSS."""
    width, height = _page_units(drawing)
    return Size(width * PX, height * PX)


def has_real_size(drawing: Drawing) -> bool:
    """True if its page is in millimetres, inches or the like, and not in pixels."""
    given = (str(drawing.root.get(side, "")) for side in ("width", "height"))
    return any(re.search(r"(?:mm|cm|in|pt|pc|q)\s*$", side, re.IGNORECASE) for side in given)


def _page_units(drawing: Drawing) -> tuple[float, float]:
    lengths = [to_units(str(drawing.root.get(side, "")), 0) or 0.0 for side in ("width", "height")]
    return (lengths[0] if lengths[0] > 0 else drawing.box.width), (lengths[1] if lengths[1] > 0 else drawing.box.height)


def place_page(drawing: Drawing, size: Size) -> tuple[Matrix, str]:
    """Return the matrix from its units to mm of the trim, and a word on how its page becomes the piece."""
    box, units, real = drawing.box, _page_units(drawing), has_real_size(drawing)
    pages = [Size(*(unit * 25.4 / dots for unit in units)) for dots in ((96.0,) if real else DOTS_PER_INCH)]
    for page in pages:
        over = (page.width - size.width) / 2, (page.height - size.height) / 2
        if max(map(abs, over)) < SIZE_TOLERANCE_MM:
            return _page_matrix(box, size, 0), "as large as the piece"
    stretch = abs(box.width / box.height * size.height / size.width - 1)
    # by chance, any number of pixels of a square page is the piece with some bleed
    least, most = USUAL_BLEED_MM if not real and stretch < SAME_PROPORTION else (MIN_BLEED_MM, MAX_BLEED_MM)
    for page in pages:
        over = (page.width - size.width) / 2, (page.height - size.height) / 2
        if abs(over[0] - over[1]) < SIZE_TOLERANCE_MM / 2 and least <= over[0] <= most:
            return _page_matrix(box, page, over[0]), f"with a bleed of {over[0]:.3g} mm"
    if stretch > PROPORTION_TOLERANCE:
        page = pages[0] if real else Size(*units)
        unit = " mm" if real else ""
        raise DrawingError(drawing.lines[drawing.root], f"the page is {page.width:.4g} × {page.height:.4g}{unit}, the "
                           f"piece {size}", "give both the same proportions, or the page a bleed on all sides")
    if not real:
        return _page_matrix(box, size, 0), f"scaled to {size}"
    page = pages[0]
    return (_page_matrix(box, size, 0),
            f"{page.width:.4g} × {page.height:.4g} mm, scaled to {size.width / page.width:.0%}")


def _page_matrix(box: Rect, page: Size, bleed: float) -> Matrix:
    scale = page.width / box.width
    return scale, 0, 0, scale, -box.x * scale - bleed, -box.y * scale - bleed


# --- Shapes ---

def own_matrix(element: etree._Element) -> Matrix:
    """The transform of an element itself; one that is not understood is none."""
    matrix = parse_transform(clean_value("transform", str(element.get("transform", ""))))
    return matrix if all(map(isfinite, matrix)) else IDENTITY


def is_visible(matrix: Matrix) -> bool:
    """True if anything is left of a shape under a matrix: layers are hidden by a scale of nothing, too."""
    a, b, c, d, _, _ = matrix
    return all(map(isfinite, matrix)) and abs(a * d - b * c) > 1e-12


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


def is_rectangle(drawing: Drawing, element: etree._Element) -> bool:
    """Check that a path is an upright rectangle."""
    own = shape_box(drawing, element)
    chains = parse_chains(clean_value("d", element.get("d", "")))
    return own is not None and len(chains) == 1 and all(
        min(abs(point.real - own.x), abs(point.real - own.right)) < 1e-3 * own.width
        and min(abs(point.imag - own.y), abs(point.imag - own.bottom)) < 1e-3 * own.height for point in chains[0][0])


def _enclose(points: Sequence[tuple[float, float]]) -> Rect | None:
    xs, ys = [x for x, _ in points], [y for _, y in points]
    if not points or not all(abs(number) < MAX_REACH for number in (*xs, *ys)):
        return None
    return Rect(min(xs), min(ys), max(xs) - min(xs), max(ys) - min(ys))


def _outline_points(drawing: Drawing, element: etree._Element) -> Sequence[tuple[float, float]]:
    """Points that a shape lies between, in its own units."""
    tag, number = local_tag(element), drawing.number
    if tag in ("circle", "ellipse"):
        rx, ry = number(element, "r") or number(element, "rx"), number(element, "r") or number(element, "ry")
        x, y = number(element, "cx") - rx, number(element, "cy") - ry
        return [(x, y), (x + 2 * rx, y + 2 * ry)]
    if tag in ("rect", "image", "svg", "use"):
        x, y, width, height = (number(element, name) for name in ("x", "y", "width", "height"))
        return [(x, y), (x + width, y + height)]
    if tag == "line":
        return [(number(element, f"x{n}"), number(element, f"y{n}")) for n in (1, 2)]
    if tag == "path":
        data = clean_value("d", str(element.get("d", "")))
        return [(point.real, point.imag) for chain, _ in parse_chains(data) for point in chain] if data else []
    numbers = [float(each) for each in NUMBER.findall(str(element.get("points", "")))]
    return [*pairwise(numbers)][::2]


_ALIGNMENTS = {"Min": 0.0, "Max": 1.0}  # shares of the room before a drawing in its view port, by the words of SVG


def viewport_matrix(drawing: Drawing, element: etree._Element, given: etree._Element) -> Matrix:
    """The matrix of a symbol or an inner ``<svg>``; x, y, width and height stand on the ``given`` element.

    What goes beyond the view port is not cut off.
    """
    place: Matrix = (1, 0, 0, 1, drawing.number(given, "x"), drawing.number(given, "y"))
    box = [float(number) for number in NUMBER.findall(element.get("viewBox", ""))]
    width, height = drawing.number(given, "width"), drawing.number(given, "height")
    if len(box) != 4 or not (box[2] > 0 and box[3] > 0 and width > 0 and height > 0):
        return place
    across, down = width / box[2], height / box[3]
    align, _, fit = element.get("preserveAspectRatio", "xMidYMid").strip().partition(" ")
    if align != "none":
        across = down = max(across, down) if "slice" in fit else min(across, down)
    x, y = (_ALIGNMENTS.get(each, 0.5) for each in (align[1:4], align[5:8]))
    return multiply(place, (across, 0, 0, down, (width - box[2] * across) * x - box[0] * across,
                            (height - box[3] * down) * y - box[1] * down))


# --- Parts of templates ---

MAX_TONES = 200  # colours that low ink changes; those beyond stay
GROUND_GROWTH_MM = 12.0  # a ground that ends at the page is drawn so far beyond, as for the widest bleed
EDGE_MM, GROUND_CORNERS = 0.3, 0.12  # from a ground to the page's edge, at most; its round corners, by the width


@dataclass(frozen=True, slots=True, kw_only=True)
class Bound:
    """An element that shows a column: its line, its label, the column and how (``words``, ``picture``, ``fill`` …)."""

    line: int
    label: str
    column: str
    use: str


class Findings:
    """The columns that a drawing shows, the parts of it that are left out, and its faults."""

    def __init__(self, name: str, drawing: Drawing) -> None:
        self.name, self.drawing = name, drawing
        self.bound: dict[Bound, None] = {}
        self.notes: dict[str, Problem] = {}
        self.problems: list[Problem] = []

    def note(self, element: etree._Element, kind: str, remedy: str, what: str = "") -> None:
        """Note something that is left out; further ones of its kind are only counted."""
        self.warn(element, kind, f"{what or kind} is left out", remedy)

    def warn(self, element: etree._Element, kind: str, what: str, remedy: str) -> None:
        if kind in self.notes:
            self.notes[kind] = replace(self.notes[kind], more=self.notes[kind].more + 1)
        else:
            self.notes[kind] = Problem(self.name, what, remedy, line=self.drawing.lines[element], key=label_of(element))

    def bind(self, element: etree._Element, column: str, use: str) -> None:
        self.bound[Bound(line=self.drawing.lines[element], label=label_of(element) or local_tag(element),
                         column=column, use=use)] = None


@dataclass(slots=True)
class SharedParts:
    """Definitions and colours at the beginning of a template, each once."""

    definitions: dict[object, tuple[str, str]] = field(default_factory=dict)
    """References and elements, by what they were made of."""
    tones: dict[tuple[str, float], str] = field(default_factory=dict)

    def define(self, key: object, tag: str, body: str, attributes: str = "") -> str:
        """Collect a definition, each once; return the reference to it."""
        if key not in self.definitions:
            name = f"d{len(self.definitions) + 1}"
            self.definitions[key] = f"url(#{name})", f'<{tag} id="{name}"{attributes}>{body}</{tag}>'
        return self.definitions[key][0]

    def tone(self, colour: str, share: float) -> str:
        """A colour that low ink changes: the name of it, set at the beginning of the template."""
        if not colour.startswith("#") or (len(self.tones) >= MAX_TONES and (colour, share) not in self.tones):
            return colour
        return f"{{{{ {self.tones.setdefault((colour, share), f'tone{len(self.tones) + 1}')} }}}}"

    @property
    def markup(self) -> str:
        tones = "".join(f'{{% set {name} = tone("{colour}", {share:g}) %}}'
                        for (colour, share), name in self.tones.items())
        definitions = "".join(body for _, body in self.definitions.values())
        return tones + (f"<defs>{definitions}</defs>" if definitions else "")


class Ground:
    """The plain ground of a face, if it has one: ``at`` is its place among the parts of the template."""

    def __init__(self, drawing: Drawing, size: Size) -> None:
        self.drawing, self.size = drawing, size
        self.colour, self.at = "", -1
        self.reaches_edge = self.ends_at_page = False

    @property
    def markup(self) -> str:
        if not self.reaches_edge:
            return f"{{{{ fill({self.colour}) }}}}"
        return (f'<rect x="{-GROUND_GROWTH_MM}" y="{-GROUND_GROWTH_MM}" width="{self.size.width + 24:g}" '
                f'height="{self.size.height + 24:g}" fill="{{{{ tone({self.colour}, 1) }}}}"/>')

    def touch(self, box: Rect) -> None:
        """Note whether something reaches the edge of the piece."""
        if (min(box.x, box.y) <= EDGE_MM or box.right >= self.size.width - EDGE_MM
                or box.bottom >= self.size.height - EDGE_MM):
            self.reaches_edge = True

    def ends_with(self, box: Rect) -> bool:
        """True if a box covers the piece, but leaves a side of its bleed white."""
        return self._covers(box) and self._ends_at_edge(box)

    def take(self, code: str, style: Style, box: Rect, at: int, is_wrapped: bool) -> bool:
        """Take a shape over the whole page as the ground; False if it is not a plain one, or not the lowest."""
        fill, opacity = clean_colour(style.get("fill", "#000000"))
        self.ends_at_page = self.ends_at_page or (self._ends_at_edge(box) and fill != "none")
        is_plain = (fill.startswith("#") and clean_colour(style.get("stroke", "none"))[0] == "none" and opacity == 1
                    and all(style.get(name, "1") in ("1", "1.0", "100%") for name in ("opacity", "fill-opacity")))
        if self.colour or is_wrapped or self.reaches_edge or not is_plain:
            return False
        self.colour, self.at = code or quote(fill), at
        return True

    def covers_page(self, element: etree._Element, tag: str, matrix: Matrix, box: Rect) -> bool:
        """True if it is an upright rectangle over the whole page."""
        is_turned = max(abs(matrix[1]), abs(matrix[2])) > 1e-6 * hypot(*matrix[:2])
        if is_turned or tag not in ("rect", "path") or not self._covers(box):
            return False
        if tag == "rect":
            corner = max(self.drawing.number(element, "rx"), self.drawing.number(element, "ry"))
            return corner * abs(matrix[0]) <= GROUND_CORNERS * self.size.width
        return is_rectangle(self.drawing, element)

    def _covers(self, box: Rect) -> bool:
        return (max(box.x, box.y) <= EDGE_MM and box.right >= self.size.width - EDGE_MM
                and box.bottom >= self.size.height - EDGE_MM)

    def _ends_at_edge(self, box: Rect) -> bool:
        return max(box.x, box.y) > -EDGE_MM or min(box.right - self.size.width, box.bottom - self.size.height) < EDGE_MM
