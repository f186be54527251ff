"""Parts of a template in the making: what is defined once, the ground that all else lies on, and what was found."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from math import hypot

from lxml import etree

from ppgen.engine.adoption.drawing_binding import label_of, quote
from ppgen.engine.adoption.drawing_places import is_rectangle
from ppgen.engine.geometry import Rect, Size
from ppgen.engine.svg.drawing_cleaning import Drawing, Style, clean_colour
from ppgen.engine.svg.elements import Matrix, local_tag
from ppgen.errors import Problem

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
        words = f"{what or kind} is left out"
        self.warn(element, kind, words, remedy)

    def warn(self, element: etree._Element, kind: str, what: str, remedy: str) -> None:
        if kind in self.notes:
            self.notes[kind] = replace(self.notes[kind], more=self.notes[kind].more + 1)
        else:
            self.notes[kind] = Problem(self.name, what, remedy, line=self.drawing.lines[element], key=label_of(element))

    def bind(self, element: etree._Element, column: str, use: str, label: str = "") -> None:
        self.bound[Bound(line=self.drawing.lines[element], label=label or label_of(element) or local_tag(element),
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
        if max(abs(matrix[1]), abs(matrix[2])) > 1e-6 * hypot(*matrix[:2]) or tag not in ("rect", "path"):
            return False
        if not self._covers(box):
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
