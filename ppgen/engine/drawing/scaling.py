"""Faces in another size than the one that they are drawn in.

They are scaled in proportion, to the middle of the trim. If that leaves room at two sides, the edges of the drawing
are carried on there: a strip along each, without words, is mirrored and stretched. So a ground of one colour stays
one, bars and stripes that run off the card still do, and no word appears twice.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import replace

from ppgen.engine.drawing.face import Anchor, FaceRequest, FrameOfFace
from ppgen.engine.drawing.pictures import CARRIED_ON
from ppgen.engine.geometry import Insets, Rect
from ppgen.engine.svg.elements import svg_element

MIN_ROOM_MM = 0.5  # less room at a side is filled by a wider bleed
STRIP_MM = 0.5  # width of the strip that is carried on, in mm of the drawing
OVERLAP_MM = 0.1  # width by which the strips lie over the drawing, lest a hairline shows between them
_VIEW_BOX = re.compile(r'viewBox="[^"]*"')
_WORDS = re.compile(r"<defs\b.*?</defs>|<text\b[^<>]*/>|<text\b.*?</text>", re.DOTALL)


def frame_to_draw(request: FaceRequest, bleed: float, outline: str) -> FrameOfFace:
    """Return the drawing area of a template; ``bleed`` is that of the finished face."""
    size, room = request.drawn_size or request.size, max(_room(request))
    return FrameOfFace(width=size.width, height=size.height, outline=outline, small=request.small,
                       bleed=(bleed + (room if room < MIN_ROOM_MM else 0)) / request.scale)


def scale_drawing(svg: str, anchors: Mapping[str, Anchor], request: FaceRequest, bleed: float
                  ) -> tuple[str, Mapping[str, Anchor]]:
    """Scale a drawing and its anchors from the drawn size to the size of the face."""
    if request.drawn_size in (None, request.size):
        return svg, anchors
    scale, (x, y) = request.scale, _room(request)
    view_box = FrameOfFace(width=request.size.width, height=request.size.height, bleed=bleed).view_box
    root, body = svg.removesuffix("</svg>").split(">", 1)
    root = _VIEW_BOX.sub(f'viewBox="{view_box}"', root, count=1)
    moved = {name: replace(anchor, x=anchor.x * scale + x, y=anchor.y * scale + y) for name, anchor in anchors.items()}
    drawn = f'<g transform="{_matrix(scale, scale, x, y)}">{body}</g>'
    return f"{root}>{drawn}{_carry_on(body, request, bleed)}</svg>", moved


def _room(request: FaceRequest) -> tuple[float, float]:
    """The room in mm that the scaled drawing leaves at each side, and above and below."""
    drawn, size, scale = request.drawn_size or request.size, request.size, request.scale
    return (size.width - drawn.width * scale) / 2, (size.height - drawn.height * scale) / 2


def _carry_on(body: str, request: FaceRequest, bleed: float) -> str:
    """The strips along two edges of the drawing, mirrored and stretched to the bleed."""
    size, drawn, scale, (x, y) = request.size, request.drawn_size or request.size, request.scale, _room(request)
    if max(x, y) < MIN_ROOM_MM:
        return ""
    width, inset = max(x, y) + OVERLAP_MM + bleed, OVERLAP_MM / scale
    stretch = width / STRIP_MM
    whole = Rect(0, 0, size.width, size.height).grown(Insets.all(bleed))
    if x > y:
        near, far = x + OVERLAP_MM + stretch * inset, size.width - x - OVERLAP_MM + stretch * (drawn.width - inset)
        bands = {_matrix(-stretch, scale, near, y): replace(whole, width=width),
                 _matrix(-stretch, scale, far, y): replace(whole, x=whole.right - width, width=width)}
    else:
        near, far = y + OVERLAP_MM + stretch * inset, size.height - y - OVERLAP_MM + stretch * (drawn.height - inset)
        bands = {_matrix(scale, -stretch, x, near): replace(whole, height=width),
                 _matrix(scale, -stretch, x, far): replace(whole, y=whole.bottom - width, height=width)}
    name = "carried-on"
    while f'"{name}' in body:
        name += "-"
    strips = f'<defs><g id="{name}" {CARRIED_ON}="1">{_WORDS.sub("", body)}</g></defs>'
    for number, (matrix, band) in enumerate(bands.items()):
        shape = svg_element("rect", x=f"{band.x:.4f}", y=f"{band.y:.4f}", width=f"{band.width:.4f}",
                            height=f"{band.height:.4f}")
        # isolated: what is under a ground of the drawing would shine through along the edge of the clip
        strips += (f'<clipPath id="{name}-{number}">{shape}</clipPath><g clip-path="url(#{name}-{number})" '
                   f'style="isolation:isolate"><use href="#{name}" transform="{matrix}"/></g>')
    return strips


def _matrix(across: float, down: float, x: float, y: float) -> str:
    return f"matrix({across:.6f} 0 0 {down:.6f} {x:.4f} {y:.4f})"
