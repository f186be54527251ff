"""WebP pictures of faces and pages, each rendered once."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from pathlib import Path
from threading import Lock

from ppgen.engine.drawing.face import Face
from ppgen.engine.geometry import INCH, Rect, Size
from ppgen.engine.pdf.typesetting import faces_pdf
from ppgen.engine.pictures.face_pictures import page_webp
from ppgen.engine.pictures.picture_embedding import embed_in_document
from ppgen.review.set_comparison import face_digest

MAX_PICTURE_PIXELS = 50_000_000  # larger ones would take all memory, and no screen could show them

PICTURE_DPI = 300.0  # resolution of a deck's pictures on the page: they are enlarged beyond it


def count_pixels(size: Size, dpi: float) -> float:
    """Return the number of pixels of a picture of that size in mm."""
    return size.width * size.height * (dpi / INCH) ** 2


def with_bleed(key: str) -> str:
    """Return the key of the picture of a face with the bleed around it."""
    return f"{key}-0"


@dataclass(frozen=True, slots=True, kw_only=True)
class PictureSource:
    """A PDF page to make pictures of: ``size`` in mm of the visible part, inside the ``inset``."""

    key: str
    size: Size
    document: bytes = field(repr=False)
    page: int
    inset: float = 0.0

    @property
    def area(self) -> Rect:
        """The visible part, in shares of the page."""
        width, height = self.size.width + 2 * self.inset, self.size.height + 2 * self.inset
        return Rect(self.inset / width, self.inset / height, self.size.width / width, self.size.height / height)


class PictureRenderer:
    """Renders pictures and caches them and their sources by key. Thread-safe."""

    def __init__(self) -> None:
        self._lock = Lock()
        self._sources: dict[str, PictureSource] = {}
        self._pictures: dict[str, dict[float, bytes]] = {}
        self._round = 0
        self._used: dict[str, int] = {}

    def add_faces(self, faces: Iterable[Face], fonts: Path) -> None:
        """Add the sources of new faces: many at once are typeset much faster than one by one."""
        keys = {face: face_digest(face) for face in faces}
        new = [face for face, key in keys.items() if key not in self._sources]
        documents = ((batch, embed_in_document(document, batch, PICTURE_DPI))
                     for batch, document in faces_pdf(new, fonts))
        sources = [PictureSource(key=keys[face], size=face.size, document=document, page=page, inset=face.bleed)
                   for batch, document in documents for page, face in enumerate(batch)]
        for source in sources:
            self.add(source)
            self.add(replace(source, key=with_bleed(source.key), inset=0.0,
                             size=Size(source.size.width + 2 * source.inset, source.size.height + 2 * source.inset)))
        with self._lock:
            self._used.update((key, self._round) for face in keys.values() for key in (face, with_bleed(face)))

    def add(self, source: PictureSource) -> None:
        with self._lock:
            self._sources[source.key] = source
            self._used[source.key] = self._round

    def size(self, key: str) -> Size | None:
        """Return the size of a picture in mm; None for an unknown key."""
        with self._lock:
            return self._sources[key].size if key in self._sources else None

    def picture(self, key: str, dpi: float) -> bytes:
        """Return the WebP of a source. Raises KeyError for an unknown key."""
        with self._lock:
            source = self._sources[key]
            self._used[key] = self._round
            pictures = self._pictures.setdefault(key, {})
            if dpi in pictures:
                return pictures[dpi]
        picture = page_webp(source.document, source.page, dpi, source.area)
        with self._lock:
            pictures[dpi] = picture
        return picture

    def end_round(self) -> None:
        """End a round: evict what was used neither in it nor in the one before."""
        with self._lock:
            for key in [key for key, used in self._used.items() if used < self._round - 1]:
                del self._used[key]
                self._sources.pop(key, None)
                self._pictures.pop(key, None)
            self._round += 1
