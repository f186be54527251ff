"""Face requests, faces, and the anchors and seams that a face declares."""

from __future__ import annotations

import re
from collections.abc import Mapping
from math import atan2, degrees
from typing import TYPE_CHECKING

from lxml import etree

from ppgen.engine.geometry import ANYWHERE, Rect, Seams, Size
from ppgen.engine.shapes import RECTANGLE, Shape
from ppgen.engine.svg.elements import apply_matrix, local_tag, matrix_to_root
from ppgen.engine.svg.subset import PLACED_BY_REFERENCE
from ppgen.errors import Problem, Spot
from ppgen.records import dataclass, field, replace

if TYPE_CHECKING:
    from ppgen.engine.pictures.picture import Picture

ANCHOR, SEAM = "data-anchor", "data-seam"
_UNPLACED = PLACED_BY_REFERENCE | {"defs", "svg"}
"""Elements whose contents are drawn elsewhere, several times, or never."""
_SEAM_PLACE = re.compile(r"([xy])\s+([^xy,\s]+)")
_TOLERANCE = 1e-6


@dataclass(frozen=True, slots=True, kw_only=True)
class FaceRequest:
    """A face to draw: a template, the trim size (mm), and the values for the template. Equal requests are drawn once.

    A ``small`` face is scaled down so far in a booklet that its finest lines and letters would be lost in print; its
    template leaves them out.
    A shipped template gets the texts of the language (``t``) for a ``worded`` face only: others serve all languages.
    ``origins`` maps texts to where they were written, so that a problem that quotes one points there. Sizes and shapes,
    which many share, are compared but not hashed.
    """

    template: str
    size: Size = field(hash=False)
    values: Mapping[str, object] = field(hash=False)
    drawn_size: Size | None = field(default=None, hash=False)  # what the template draws, scaled in proportion to `size`
    shape: Shape = field(default=RECTANGLE, hash=False)
    """To cut out: beyond its outline and the bleed around it nothing is drawn."""
    uncut: bool = False  # draws the whole rectangle all the same
    key: str = ""  # tells it from others of its template, in messages too: the piece's id as a rule
    small: bool = False
    worded: bool = False
    origins: Mapping[str, Spot] = field(default_factory=dict, compare=False)

    @property
    def scale(self) -> float:
        """The scale at which the drawn size fits the trim size."""
        drawn = self.drawn_size or self.size
        return min(self.size.width / drawn.width, self.size.height / drawn.height)

    def trace(self, problem: Problem) -> Problem:
        """Move a drawing problem to where the text that it quotes was written, if that is known."""
        for text, spot in self.origins.items():
            if f"'{text}'" in problem.what:
                drawn = f"drawn by {problem.place}:{problem.line}" if problem.line else f"drawn by {problem.place}"
                return replace(problem, place=spot.place, line=spot.line, key=spot.key,
                               remedy="; ".join(filter(None, (problem.remedy, drawn))),
                               others=(problem.key, *problem.others))
        return problem


@dataclass(frozen=True, slots=True, kw_only=True)
class Face:
    """A drawn face: SVG over its trim and the bleed beyond each edge of it (mm).

    ``anchors`` are the places that its template names. ``pictures`` are those of the deck that it shows, by the names
    asked for; ``cuts`` are the shares that those over the whole face lose; ``markup`` are signs of markup that it
    prints as they stand, each with the template's line (``data-src``).
    """

    svg: str
    size: Size = field(hash=False)  # the trim
    bleed: float
    edge: str = ""  # what the bleed shows: equal ones may share a cut. Empty: it needs a bleed of its own
    anchors: Mapping[str, Anchor] = field(default_factory=dict, hash=False)
    seams: Seams = field(default=ANYWHERE, hash=False)
    """Best places to cut it apart if it is larger than the paper, in mm of the trim."""
    markup: tuple[tuple[str, str], ...] = field(default=(), compare=False, repr=False)
    pictures: Mapping[str, Picture] = field(default_factory=dict, compare=False, repr=False)
    cuts: Mapping[str, float] = field(default_factory=dict, compare=False, repr=False)


@dataclass(frozen=True, slots=True, kw_only=True)
class FrameOfFace:
    """The drawing area in mm from the trim's top left corner, and the ``outline`` (path data) to cut out."""

    width: float
    height: float
    bleed: float
    outline: str = ""
    small: bool = False

    @property
    def view_box(self) -> str:
        return f"{-self.bleed:g} {-self.bleed:g} {self.width + 2 * self.bleed:g} {self.height + 2 * self.bleed:g}"

    @property
    def trim(self) -> Rect:
        return Rect(0, 0, self.width, self.height)

    @property
    def all(self) -> Rect:
        """The whole area, bleed included."""
        return Rect(-self.bleed, -self.bleed, self.width + 2 * self.bleed, self.height + 2 * self.bleed)


@dataclass(frozen=True, slots=True)
class Anchor:
    """A named place on a face: mm from the trim's top left corner, and a ``turn`` in degrees clockwise."""

    x: float
    y: float
    turn: float = 0.0


def parse_anchor(element: etree._Element) -> tuple[str, Anchor] | str:
    """Return the name and place of the element's anchor, or what is wrong with it.

    Its numbers are in the element's own coordinates, after its own ``transform`` and those of its ancestors. All
    attributes of the element and its ancestors must fit the subset.
    """
    name, x, y = element.get(ANCHOR, "").replace(",", " ").split()
    around = (local_tag(each) for each in (element, *element.iterancestors()) if each.getparent() is not None)
    if unplaced := next((tag for tag in around if tag in _UNPLACED), None):
        return f"anchor '{name}' stands in a <{unplaced}> and so has no place on the face"
    matrix = matrix_to_root(element)
    return name, Anchor(*apply_matrix(matrix, float(x), float(y)), degrees(atan2(matrix[1], matrix[0])))


def is_on(anchor: Anchor, view_box: str) -> bool:
    """True if the anchor lies on the face, its bleed included."""
    x, y, width, height = map(float, view_box.split())
    return (x - _TOLERANCE <= anchor.x <= x + width + _TOLERANCE
            and y - _TOLERANCE <= anchor.y <= y + height + _TOLERANCE)


def parse_seams(root: etree._Element) -> Seams:
    """Return the seams that the root declares, in mm of the trim; the attribute must fit the subset."""
    pairs = _SEAM_PLACE.findall(root.get(SEAM, ""))
    if not pairs:
        return ANYWHERE
    return Seams(*(tuple(sorted({float(place) for axis, place in pairs if axis == wanted})) for wanted in "xy"))
