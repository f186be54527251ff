"""Pictures of a site: faces to leaf through, boards to zoom, pages of PDFs, and the scenes of its booklets, as WebP."""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from ppgen.cache import cached_by
from ppgen.engine.booklets.booklet import FIGURE_SCALE, Booklet, Figure, WebPageWriter, fit_booklet, iter_figures
from ppgen.engine.booklets.booklet_pdf import typeset
from ppgen.engine.component import Component, Part, PrintWay
from ppgen.engine.drawing.face import Face, FaceRequest
from ppgen.engine.drawing.fonts import FontBook
from ppgen.engine.drawing.rendering import FaceRenderer
from ppgen.engine.geometry import INCH, Rect
from ppgen.engine.pictures.face_pictures import FacePicture, faces_webp, page_sizes, page_webp
from ppgen.engine.shapes import ShapeKind
from ppgen.lines import shorten
from ppgen.printing.drawn_parts import draw_parts
from ppgen.targets.piece_pictures import is_piece

GALLERY_PICTURES = 24
ICON_HEIGHT_PX, FACE_HEIGHT_PX, BOARD_WIDTHS_PX = 64, 480, (2400, 1150)
SCENE_DPI = 96 * FIGURE_SCALE * 1.6
CORNER_MM, MIN_ROUNDED_MM = 2.5, 40.0  # corners of cards, and the least side of a piece that is taken for one
MAX_DESCRIPTION = 80  # characters of a piece's description in the name of its picture
FAN = 5  # faces in the fan at the head of a page
ShownPicture = dict[str, Any]  # a picture on a page: the names of its files, its own name, its size in pixels


@dataclass(slots=True)
class SitePictures:
    """The pictures of a site by their digests, so that none is stored twice; ``names`` of those drawn already."""

    fonts: FontBook
    files: dict[str, bytes] = field(default_factory=dict)
    names: dict[object, str] = field(default_factory=dict)

    def add(self, content: bytes) -> str:
        name = f"{hashlib.sha256(content).hexdigest()[:16]}.webp"
        self.files[f"pictures/{name}"] = content
        return name

    def faces(self, pictures: Sequence[FacePicture]) -> list[str]:
        """Draw faces; return their files."""
        missing = [*dict.fromkeys(each for each in pictures if each not in self.names)]
        drawn = faces_webp(missing, self.fonts.folder) if missing else ()
        self.names |= {picture: self.add(content) for picture, content in zip(missing, drawn, strict=True)}
        return [self.names[each] for each in pictures]

    def page(self, document: bytes, page: int, dpi: float, area: Rect | None = None, clear: bool = False) -> str:
        """Draw a page of a PDF, or an area of it; return its file."""
        key = document, page, dpi, area, clear
        if key not in self.names:
            parts = (area.x, area.y, area.width, area.height) if area else ()
            self.names[key] = self.add(cached_by("site-page", document, page, dpi, parts, clear,
                                                 make=lambda: page_webp(*key)))
        return self.names[key]

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
                      for number, figure in zip(range(len(page_sizes(document))), figures, strict=False)}

        def figure_source(figure: Figure) -> str:
            return f"../pictures/{scenes[id(figure)]}"

        def face_source(request: FaceRequest) -> str:
            return f"../pictures/{self.faces([_picture(faces[request], ICON_HEIGHT_PX)])[0]}"

        writer = WebPageWriter(figure_source, face_source)
        return writer.write(booklet.blocks), tuple(writer.sections)

    def gallery(self, parts: Sequence[Part], renderer: FaceRenderer) -> tuple[list[ShownPicture], list[ShownPicture]]:
        """Draw pieces evenly spread over the parts, and each board in two sizes. Raises InputError."""
        pieces = [part for part in parts if is_piece(part)]
        picked = [replace(part, components=_pick_evenly(part, len(pieces))) for part in pieces]
        pictures, boards = list[tuple[str, list[FacePicture]]](), list[tuple[str, list[FacePicture]]]()
        for drawn in draw_parts(picked, renderer, lambda part, side: 0.0, renderer.ink):
            titles = Counter(piece.title for piece in drawn.part.components)
            for piece in drawn.part.components:
                front, back = drawn.faces[piece.id, "front"], drawn.faces.get((piece.id, "back"))
                name = ": ".join(dict.fromkeys((drawn.part.title, piece.title or drawn.part.title)))
                if titles[piece.title] > 1 and piece.description:  # tells it from its like
                    name = f"{name} ({shorten(piece.description, MAX_DESCRIPTION).rstrip()})"
                if drawn.part.layout.way is PrintWay.TILED:
                    sizes = [round(width * front.size.height / front.size.width) for width in BOARD_WIDTHS_PX]
                    boards.append((name, [_picture(front, height) for height in sizes]))
                    continue
                is_card = piece.shape.kind is ShapeKind.RECTANGLE and piece.size.portrait.width >= MIN_ROUNDED_MM
                corner = CORNER_MM if is_card else 0.0
                pictures.append((name, [_picture(face, FACE_HEIGHT_PX, corner)
                                        for face in dict.fromkeys(filter(None, (front, back)))]))
        self.faces([picture for _, shown in (*pictures, *boards) for picture in shown])  # all at once is faster
        return ([{"front": file, "back": "".join(behind), "name": name, "width": shown[0].width,
                  "height": FACE_HEIGHT_PX} for name, shown in pictures for file, *behind in [self.faces(shown)]],
                [{"large": large, "small": small, "name": name, "width": shown[1].width, "height": shown[1].height}
                 for name, shown in boards for large, small in [self.faces(shown)]])


def _picture(face: Face, height: int, corner: float = 0.0) -> FacePicture:
    """A picture of a face of this height in pixels, with corners of this radius in mm."""
    width = max(1, round(height * face.size.width / face.size.height))
    return FacePicture(face=face, width=width, height=height, dpi=height / face.size.height * INCH,
                       corner=corner / face.size.height * height)


def _pick_evenly(part: Part, parts: int) -> tuple[Component, ...]:
    """A few different pieces of a part, evenly spread over it."""
    different = [*{piece.front: piece for piece in reversed(part.components)}.values()][::-1]
    count = min(len(different), max(3, GALLERY_PICTURES * (2 if len(different) > 20 else 1) // (parts + 1)))
    return tuple(different[number * len(different) // count] for number in range(count))
