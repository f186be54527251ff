"""What is to be drawn, and what was: a face asked for, a face made, and what its template knows of its room."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace

from ppgen.engine.drawing.anchors import Anchor
from ppgen.engine.drawing.fonts import FontBook
from ppgen.engine.geometry import ANYWHERE, Rect, Seams, Size
from ppgen.engine.shapes.shape import RECTANGLE, Shape
from ppgen.errors import Problem, Spot


@dataclass(frozen=True, slots=True, kw_only=True)
class FaceRequest:
    """What to draw: a template, the trim size (mm), and the values that the template sees. Equal ones are drawn once.

    ``shape`` is what the face is cut out as: beyond its outline and the bleed around that nothing of it is kept. Where
    a rectangle is cut out all the same, it is drawn ``uncut``.

    ``key`` sets it apart from others of its template: the piece, as a rule. Among many it is found by that.

    A ``small`` face is shown so much smaller in a booklet that its finest lines and letters would be lost in print:
    its template leaves them out. ``written`` tells of texts among the values where somebody wrote them: a mistake
    that quotes one is shown there. ``words`` tells which entries of its values are texts, and their keys:
    ``{"card": {"name": "countries.france"}}``. A face that shows none of them is the same in all languages.
    ``measured`` makes more values once the fonts are there that tell how wide words
    come out.
    """

    template: str
    size: Size
    values: Mapping[str, object] = field(hash=False)
    shape: Shape = RECTANGLE
    uncut: bool = False
    key: str = ""
    small: bool = False
    written: Mapping[str, Spot] = field(default_factory=dict, compare=False)
    words: Mapping[str, Mapping[str, str]] = field(default_factory=dict, compare=False)
    measured: Callable[[FontBook], Mapping[str, object]] | None = None

    def traced(self, problem: Problem) -> Problem:
        """The problem of a drawing, shown where the text that it quotes was written, if it was."""
        for text, spot in self.written.items():
            if f"'{text}'" in problem.what:
                drawn = f"drawn by {problem.place}:{problem.line}" if problem.line else f"drawn by {problem.place}"
                return replace(problem, place=spot.place, line=spot.line, key=spot.key,
                               remedy="; ".join(filter(None, (problem.remedy, drawn))))
        return problem


@dataclass(frozen=True, slots=True, kw_only=True)
class Face:
    """A drawn face: SVG over ``size`` (the trim) and ``bleed`` beyond each edge of it (mm).

    ``edge`` names what the bleed shows; two faces with the same edge may share one cut. Empty: the
    face wants a bleed of its own. ``anchors`` are the places that its template names, ``seams`` where it may best be
    cut apart if it is larger than the paper, in mm of the trim.
    """

    svg: str
    size: Size
    bleed: float
    edge: str = ""
    anchors: Mapping[str, Anchor] = field(default_factory=dict, hash=False)
    seams: Seams = ANYWHERE


@dataclass(frozen=True, slots=True, kw_only=True)
class FrameOfFace:
    """What a template knows of its room, in millimetres: the origin is the trim's top left corner.

    ``outline`` is the path data of what is cut out.
    """

    width: float
    height: float
    bleed: float
    outline: str = ""
    small: bool = False

    @property
    def view_box(self) -> str:
        return f"{-self.bleed:g} {-self.bleed:g} {self.width + 2 * self.bleed:g} {self.height + 2 * self.bleed:g}"

    @property
    def all(self) -> Rect:
        """The whole room, with the bleed."""
        return Rect(-self.bleed, -self.bleed, self.width + 2 * self.bleed, self.height + 2 * self.bleed)
