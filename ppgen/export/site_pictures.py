"""Pictures of a site: faces to leaf through, boards to zoom, pages of PDFs, and the scenes of its booklets, as WebP."""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from ppgen.cache import cached_by, folder_digest
from ppgen.engine.booklets.booklet import Booklet, Figure, iter_figures
from ppgen.engine.booklets.booklet_fitting import fit_booklet
from ppgen.engine.booklets.booklet_pdf import typeset
from ppgen.engine.booklets.web_page import FIGURE_SCALE, WebPageWriter
from ppgen.engine.component import Component, Part, PrintWay
from ppgen.engine.drawing.face import Face, FaceRequest
from ppgen.engine.drawing.fonts import FontBook
from ppgen.engine.drawing.rendering import FaceRenderer
from ppgen.engine.geometry import Rect
from ppgen.engine.pictures.face_pictures import face_webp, page_sizes, page_webp
from ppgen.engine.shapes import ShapeKind
from ppgen.export.piece_pictures import is_piece
from ppgen.lines import shorten
from ppgen.production.drawn_parts import draw_parts

GALLERY_PICTURES = 24
FACE_HEIGHT_PX, BOARD_WIDTHS_PX = 480, (2400, 1150)
SCENE_DPI = 96 * FIGURE_SCALE * 1.6
CORNER_MM, MIN_ROUNDED_MM = 2.5, 40.0
"""Radius of the corners of cards, and the least side of a piece that is taken for a card."""
MAX_DESCRIPTION = 80
"""Characters of a piece's description in the name of its picture."""
FAN = 5
"""Faces in the fan at the head of a page."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SitePicture:
    """A face of the gallery: the names of its pictures, its own name, and its size on the page in pixels."""

    front: str
    back: str
    name: str
    width: int
    height: int


@dataclass(slots=True)
class SitePictures:
    """The pictures of a site by their digests, so that none is stored twice."""

    fonts: FontBook
    files: dict[str, bytes] = field(default_factory=dict)

    def add(self, content: bytes) -> str:
        name = f"{hashlib.sha256(content).hexdigest()[:16]}.webp"
        self.files[f"pictures/{name}"] = content
        return name

    def face(self, face: Face, height: int, corner: float = 0.0) -> tuple[str, int]:
        """Draw a face of this height in pixels with corners of this radius in mm; return its file and width."""
        width = max(1, round(height * face.size.width / face.size.height))
        radius = corner / face.size.height * height
        return self.add(cached_by(
            "site-face", folder_digest(self.fonts.folder), face.svg, width, height, radius,
            make=lambda: face_webp(face, self.fonts.folder, width, height, radius))), width

    def page(self, document: bytes, page: int, dpi: float, area: Rect | None = None, clear: bool = False) -> str:
        parts = (area.x, area.y, area.width, area.height) if area else ()
        return self.add(cached_by("site-page", document, page, dpi, parts, clear,
                                  make=lambda: page_webp(document, page, dpi, area, clear)))

    def write_booklet(self, booklet: Booklet, renderer: FaceRenderer, fonts: FontBook) -> tuple[str, tuple[str, ...]]:
        """Write a booklet as HTML, with pictures of its scenes; also return its main headings. Raises InputError."""
        booklet, _ = fit_booklet(booklet, fonts)
        faces = {request: renderer.draw(request, 0, booklet.title) for request in booklet.requests()}
        figures = tuple(iter_figures(booklet.blocks))
        scenes: dict[int, str] = {}
        if figures:
            alone = replace(booklet, blocks=tuple(replace(figure, caption=(), floats=False) for figure in figures))
            document = typeset(alone, faces, fonts, SCENE_DPI, scenes=True)
            scenes = {id(figure): self.page(document, number, SCENE_DPI, clear=True)
                      for number, figure in enumerate(figures) if number < len(page_sizes(document))}

        def figure_source(figure: Figure) -> str:
            return f"../pictures/{scenes[id(figure)]}"

        def face_source(request: FaceRequest) -> str:
            return f"../pictures/{self.face(faces[request], 64)[0]}"

        writer = WebPageWriter(figure_source, face_source)
        return writer.write(booklet.blocks), tuple(writer.sections)

    def gallery(self, parts: Sequence[Part],
                renderer: FaceRenderer) -> tuple[list[SitePicture], list[dict[str, object]]]:
        """Draw pieces evenly spread over the parts, and each board in two sizes. Raises InputError."""
        pieces = [part for part in parts if is_piece(part)]
        picked = [replace(part, components=_pick_evenly(part, len(pieces))) for part in pieces]
        pictures: list[SitePicture] = []
        boards: list[dict[str, object]] = []
        for drawn in draw_parts(picked, renderer, lambda part, side: 0.0, renderer.ink):
            titles = Counter(piece.title for piece in drawn.part.components)
            for piece in drawn.part.components:
                front, back = drawn.faces[piece.id, "front"], drawn.faces.get((piece.id, "back"))
                name = ": ".join(dict.fromkeys((drawn.part.title, piece.title or drawn.part.title)))
                if titles[piece.title] > 1 and piece.description:  # tells it from its like
                    name = f"{name} ({shorten(piece.description, MAX_DESCRIPTION).rstrip()})"
                if drawn.part.layout.way is PrintWay.TILED:
                    sizes = [round(width * front.size.height / front.size.width) for width in BOARD_WIDTHS_PX]
                    (large, _), (small, width) = (self.face(front, height) for height in sizes)
                    boards.append({"large": large, "small": small, "name": name, "width": width, "height": sizes[1]})
                    continue
                corner = CORNER_MM if _is_card(piece) else 0.0
                file, width = self.face(front, FACE_HEIGHT_PX, corner)
                behind = self.face(back, FACE_HEIGHT_PX, corner)[0] if back and back != front else ""
                pictures.append(SitePicture(front=file, back=behind, name=name, width=width, height=FACE_HEIGHT_PX))
        return pictures, boards


def _is_card(piece: Component) -> bool:
    return piece.shape.kind is ShapeKind.RECTANGLE and min(piece.size.width, piece.size.height) >= MIN_ROUNDED_MM


def _pick_evenly(part: Part, parts: int) -> tuple[Component, ...]:
    """A few different pieces of a part, evenly spread over it."""
    different = [*{piece.front: piece for piece in reversed(part.components)}.values()][::-1]
    count = min(len(different), max(3, GALLERY_PICTURES * (2 if len(different) > 20 else 1) // (parts + 1)))
    return tuple(different[number * len(different) // count] for number in range(count))
