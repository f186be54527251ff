"""A picture of a deck: what its file was found to be, its bytes, and the tag that stands for it on a face."""

from __future__ import annotations

import re
from base64 import b64decode
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from hashlib import blake2b
from pathlib import Path

from ppgen.cache import cached_by
from ppgen.engine.svg.drawing_cleaning import embedded_picture
from ppgen.engine.svg.drawing_pixels import cut_layer, draw_pixels
from ppgen.engine.svg.subset import SOURCE_ATTRIBUTE, is_valid_value
from ppgen.engine.svg.svg_pictures import PictureError
from ppgen.errors import InputError, display_path
from ppgen.process.supervision import Options, read_supervised
from ppgen.reading.pdf_pages import draw_page
from ppgen.shipped import Phrase

MAX_FILE_BYTES = 40_000_000  # size of a picture
SCHEME = "picture:"
_REFERENCE = re.compile(r"picture:([0-9a-f]{64})\.(full|low|edge)")
_TAG_NAMES = ("width", "height", "preserveAspectRatio", "transform", "href")


@dataclass(frozen=True, slots=True, kw_only=True)
class Picture:
    """A checked picture file. One without a digest is missing: a grey box on the page of ``ppgen open``."""

    name: str  # its path in the deck's folder
    path: Path
    digest: str = ""
    kind: str = ""
    width: float = 1.0  # as it is seen, in pixels; or the size of a drawing
    height: float = 1.0
    turn: int = 1  # EXIF orientation, 1 to 8
    mode: str = "RGB"  # its pixels as Pillow names them
    intact: bool = False  # a JPEG that goes into PDFs with its own compressed data
    lossy: bool = False  # may be compressed so again
    body: str = field(default="", repr=False)  # of a drawing; its ids begin with its digest
    view_box: str = ""
    inside: str = ""  # number of a picture in the file of a drawing, or the elements of a layer: `5-9`
    is_drawn: bool = False  # a drawing that has become pixels

    def read(self) -> bytes:
        """Read its pixels again, as a file. Raises InputError if they are not those that were checked."""
        return self._draw(self.read_file()) if self.is_drawn else self.read_file()

    def read_file(self) -> bytes:
        """Read the bytes of the picture again: only those that were checked. Raises InputError for others."""
        with suppress(OSError, PictureError):
            content = read_content(self.path, self.name, self.inside)
            if content_digest(content) == self.digest:
                return content
        raise InputError.at(display_path(self.path), "has changed since it was checked",
                            "wait until it is saved, then try again")

    def _draw(self, content: bytes) -> bytes:
        def draw() -> bytes:
            reader = draw_page if self.is_page else draw_pixels
            return b64decode(read_supervised(reader, content, {"name": self.name}, self.name, "save it as PNG"))

        return cached_by("pixels of a drawing", self.digest, make=draw)

    @property
    def is_drawing(self) -> bool:
        return bool(self.view_box)

    @property
    def is_page(self) -> bool:
        """Whether it is a page of a PDF, which stays one in a PDF."""
        return self.kind == "pdf"

    @property
    def is_opaque(self) -> bool:
        """True if it is a bitmap that covers its ground everywhere."""
        return not self.is_drawing and self.mode in ("RGB", "L", "CMYK", "1")

    @property
    def aspect(self) -> float:
        return self.width / self.height


def read_content(path: Path, name: str, inside: str) -> bytes:
    """Read a file, or the picture or layer ``inside`` of it. Raises PictureError, OSError."""
    with path.open("rb") as file:
        content = file.read(MAX_FILE_BYTES + 1)
    if len(content) > MAX_FILE_BYTES:
        raise PictureError(f"{name} has {path.stat().st_size / 1e6:,.0f} MB", f"at most {MAX_FILE_BYTES / 1e6:.0f}")
    first, sign, last = inside.partition("-")
    if sign:
        return _read_layer(content, {"name": name, "first": first, "last": last})
    try:
        return embedded_picture(content.decode("utf-8", "replace"), int(inside)) if inside else content
    except ValueError as error:
        raise PictureError(f"{name} is damaged", "put that picture into the drawing again") from error


def _read_layer(content: bytes, options: Options) -> bytes:
    """The layer of a drawing as a drawing of its own. Raises PictureError."""
    def cut() -> bytes:
        return str(read_supervised(cut_layer, content, options, options["name"], Phrase("save_again"))).encode()

    try:
        return cached_by("layer of a drawing", content_digest(content), options, make=cut)
    except InputError as error:
        raise PictureError(error.problems[0].what, error.problems[0].remedy) from error


def content_digest(content: bytes) -> str:
    return blake2b(content, digest_size=32).hexdigest()


# --- Its tag ---

def is_picture_tag(attributes: Sequence[tuple[str, str]]) -> bool:
    """True if an <image> has exactly the form that :func:`picture_tag` writes, so that its place is found again."""
    given = [*attributes[attributes[0][0] == SOURCE_ATTRIBUTE:]] if attributes else []
    return (tuple(name for name, _ in given) == _TAG_NAMES and [value for _, value in given[:3]] == ["1", "1", "none"]
            and is_valid_value(*given[3]) and bool(_REFERENCE.fullmatch(given[4][1])))


def picture_digest(reference: str) -> str:
    """Return the digest in ``picture:DIGEST.VARIANT``."""
    return reference.removeprefix(SCHEME).partition(".")[0]
