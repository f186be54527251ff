"""Pictures of a deck's folder: found by name, checked before anything is drawn, and placed on faces.

A face holds ``<image href="picture:DIGEST.VARIANT"/>``, 70 characters for a photograph of 20 MB. So faces, cache keys
and typst's documents stay small, and all are keyed by the picture's content. The pixels come last: into the PDF by
``engine/pdf/picture_embedding.py``, into PNG files by ``engine/pdf/picture_pixels.py``.
"""

from __future__ import annotations

import io
import json
import os
import re
import unicodedata
import warnings
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from difflib import get_close_matches
from functools import cache, cached_property
from hashlib import blake2b
from itertools import islice
from math import hypot, inf
from pathlib import Path

from lxml import etree

from ppgen.assets import shipped_root
from ppgen.cache import cached, cached_by, file_state_key
from ppgen.engine.drawing.drawing_cleaning import EMBEDDED, embedded_picture
from ppgen.engine.drawing.svg_pictures import PictureError, clean_drawing
from ppgen.engine.geometry import INCH, Rect
from ppgen.engine.geometry import format_decimal as mm
from ppgen.engine.svg import IDENTITY, SVG, Matrix, inherited_value, local_tag, multiply, parse_transform
from ppgen.engine.svg_subset import SOURCE_ATTRIBUTE, is_valid_value
from ppgen.errors import InputError, Problem, display_path

MAX_FILE_BYTES, MAX_DRAWING_BYTES = 40_000_000, 1_000_000
"""Size of a picture, and of a picture in SVG, which is repeated on each face that shows it."""
MAX_PIXELS = 80_000_000
"""Pixels of a picture: 320 MB while it is decoded."""
MAX_SIDE = 65_535
"""Pixels of a side, as in a JPEG; Pillow lays out longer ones in pointers to each row."""
MAX_SCANS = 100
"""Scans of a JPEG, each of which passes over the whole picture. Programs write at most a dozen."""
MAX_DECK_BYTES, MAX_DECK_PIXELS = 400_000_000, 1_500_000_000
"""The pictures of a deck together."""
MAX_NAME = 200
MAX_LISTED_FILES = 5_000
"""Files that are searched for a name like the missing one."""
MAX_GUESSES = 100
"""Missing pictures that files of a like name are searched for."""
ENDINGS = (".png", ".jpg", ".jpeg", ".webp", ".svg", ".PNG", ".JPG", ".JPEG")
"""Endings that a name may leave out."""
PICTURE_FOLDERS, ICON_FOLDERS = ("", "art/", "icons/"), ("icons/", "art/", "")
"""Folders of the deck that pictures and icons are looked for in."""
ICON_HOME = Path("data", "icons")
"""Folder of the shipped icons."""
ICON_ALIASES = {"armor": "armour", "boot": "boots", "clay": "brick", "clothes": "cloth", "food": "bread",
                "lightning": "energy", "mana": "spark", "meeple": "worker", "sheep": "wool", "shirt": "cloth",
                "tap": "turn", "wheat": "grain"}
"""Other names of shipped icons."""
SCHEME = "picture:"
FULL, LOW = "full", "low"
"""Variants of a picture: as it is, and in low ink."""
_REFERENCE = re.compile(r"picture:([0-9a-f]{64})\.(full|low)")
_TAG_NAMES = ("width", "height", "preserveAspectRatio", "transform", "href")
PLACED = re.compile(r'<image (?:data-src="[^"]*" )?width="1" height="1" preserveAspectRatio="none" '
                    r'transform="([^"]*)" href="picture:([0-9a-f]{64})\.(full|low)"/>')
"""A placed picture in checked SVG: its transform, digest and variant."""

_EMBEDDED_NAME = re.compile(rf"(.*\.svg){EMBEDDED}([1-9]\d?)", re.IGNORECASE)
_KINDS = {b"\xff\xd8\xff": "JPEG", b"\x89PNG\r\n\x1a\n": "PNG"}
_OTHER_KINDS = {b"GIF8": "a GIF", b"II*\0": "a TIFF", b"MM\0*": "a TIFF", b"%PDF": "a PDF", b"8BPS": "a Photoshop file",
                b"BM": "a BMP", b"\0\0\1\0": "an icon of Windows", b"PK\3\4": "an archive or document",
                b"\x1f\x8b": "a packed file"}
"""The beginnings of other files, and what people call these."""
_ORIENTATION = 0x0112
"""EXIF tag: how the camera was held."""
_TURNS = {2: "-1 0 0 1 1 0", 3: "-1 0 0 -1 1 1", 4: "1 0 0 -1 0 1", 5: "0 1 1 0 0 0", 6: "0 1 -1 0 1 0",
          7: "0 -1 -1 0 1 1", 8: "0 -1 1 0 0 1"}
"""The matrix that brings a picture of the unit square upright, by its EXIF orientation."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Picture:
    """A checked picture file; ``name`` is its path in the deck's folder.

    ``width`` and ``height`` are in pixels as it is seen, or the size of a drawing. ``turn`` is its EXIF orientation (1
    to 8), ``mode`` its pixels as Pillow names them. An ``intact`` JPEG goes into PDFs with its own compressed data;
    ``lossy`` ones may be compressed so again. A drawing has its ``body`` and ``view_box``; its ids begin with its
    digest. A missing picture (no ``digest``) is drawn as a grey box in the preview. ``inside`` is the
    number of a picture in the file of a drawing.
    """

    name: str
    path: Path
    digest: str = ""
    kind: str = ""
    width: float = 1.0
    height: float = 1.0
    turn: int = 1
    mode: str = "RGB"
    intact: bool = False
    lossy: bool = False
    body: str = field(default="", repr=False)
    view_box: str = ""
    inside: int = 0

    def read(self) -> bytes:
        """Read the bytes of the picture again: only those that were checked. Raises InputError for others."""
        with suppress(OSError, PictureError):
            content = _read_content(self.path, self.name, self.inside)
            if _digest(content) == self.digest:
                return content
        raise InputError([Problem(place=display_path(self.path), what="has changed since it was checked",
                                  remedy="wait until it is saved, then try again")])

    @property
    def is_drawing(self) -> bool:
        return bool(self.view_box)

    @property
    def aspect(self) -> float:
        return self.width / self.height


class PictureFolder:
    """The pictures of one deck; each file is read once. ``keeps_gaps``: a missing picture is not an error."""

    def __init__(self, root: Path, keeps_gaps: bool = False) -> None:
        self.root = root.resolve()
        self.keeps_gaps = keeps_gaps
        self._found: dict[str, Picture | tuple[str, str]] = {}
        """Pictures by the names asked for, or what is wrong with them and the remedy."""
        self._missing: set[str] = set()
        self._files: dict[tuple[Path, int], Picture] = {}
        self._bytes, self._pixels, self._misses = 0, 0.0, 0

    def find(self, name: str) -> Picture:
        """Return the picture of that name; ``{sword}`` is an icon. Raises PictureError with the nearest name."""
        if name not in self._found:
            try:
                self._found[name] = self._find(name)
            except PictureError as error:
                self._found[name] = str(error), error.remedy
        found = self._found[name]
        if isinstance(found, Picture):
            return found
        raise PictureError(*found)

    def is_missing(self, name: str) -> bool:
        """Whether there is no file of that name, not even one that is wrong."""
        with suppress(PictureError):
            self.find(name)
        return name in self._missing

    def find_all(self, digests: Mapping[str, str]) -> dict[str, Picture] | None:
        """Return the pictures of these names, if each is what it was: with that digest, or as missing as then."""
        with suppress(PictureError):
            found = {name: self.find(name) for name in digests}
            if all(picture.digest == digests[name] for name, picture in found.items()):
                return found
        return None

    def still_has(self, pictures: Mapping[str, Picture]) -> bool:
        """Whether these names still stand for the same pictures."""
        return self.find_all({name: picture.digest for name, picture in pictures.items()}) is not None

    def _find(self, name: str) -> Picture:
        is_icon = name.startswith("{") and name.endswith("}")
        plain = name[1:-1] if is_icon else name.replace("\\", "/")
        if (not plain or len(plain) > MAX_NAME or plain.startswith("/") or ".." in plain.split("/")
                or not plain.replace(":", "\0").isprintable()):
            self._missing.add(name)
            raise PictureError(f"'{name[:80]}' is not a file of the deck's folder", "write a path inside the folder")
        plain, inside = (match[1], int(match[2])) if (match := _EMBEDDED_NAME.fullmatch(plain)) else (plain, 0)
        path = self._locate(plain, ICON_FOLDERS if is_icon else PICTURE_FOLDERS)
        if path is None and is_icon:
            path = self._own_icons.get(plain.lower()) or find_shipped_icon(plain)
        if path is None:
            self._missing.add(name)
            if self.keeps_gaps:
                return Picture(name=plain, path=self.root)
            raise self._missing_error(plain, is_icon)
        if (path, inside) not in self._files:
            self._files[path, inside] = self._open(path, inside)
        return self._files[path, inside]

    @cached_property
    def _own_icons(self) -> Mapping[str, Path]:
        """The deck's own icons by their names in small letters."""
        return {path.stem.lower(): path for path in sorted((self.root / "icons").glob("*"))
                if path.suffix.lower() in ENDINGS and path.is_file()}

    def _locate(self, name: str, folders: Sequence[str]) -> Path | None:
        """Find the file of a name, whose ending may be missing; file systems differ in how they compose letters."""
        forms = dict.fromkeys((name, unicodedata.normalize("NFC", name), unicodedata.normalize("NFD", name)))
        for folder in folders:
            for form in forms:
                for ending in ("", *ENDINGS):
                    path = self.root / f"{folder}{form}{ending}"
                    if os.path.isfile(path):  # noqa: PTH113 - unlike Path's it is False for a name that is too long
                        return path
        return None

    def _missing_error(self, name: str, is_icon: bool) -> PictureError:
        what = f"there is no icon {{{name}}}" if is_icon else f"there is no picture '{name}'"
        home = f"{self.root.name}/{'icons' if is_icon else 'art'}/"
        self._misses += 1
        if self._misses > MAX_GUESSES:
            return PictureError(what, f"put it into {home}")
        top = (path for path in self.root.glob("*") if path.is_file())
        below = (path for folder in ("art", "icons") for path in (self.root / folder).rglob("*"))
        files = sorted(path.relative_to(self.root).as_posix() for path in islice((*top, *below), MAX_LISTED_FILES)
                       if path.suffix in ENDINGS)
        known = {word.lower(): word for path in files for word in (path, path.rpartition("/")[2])}
        if is_icon:
            known = {Path(path).stem.lower(): Path(path).stem for path in files if path.startswith("icons/")} or known
            known = {name: name for name in shipped_icons()} | known
            near = get_close_matches(name.lower(), known, n=1, cutoff=0.5)
            remedy = f"did you mean {{{known[near[0]]}}}?" if near else f"put {name}.svg into {home}"
            return PictureError(what, remedy)
        stems = {word.rpartition(".")[0]: full for word, full in known.items()}
        near = get_close_matches(name.lower(), {**stems, **known}, n=1, cutoff=0.6)
        return PictureError(what, f"did you mean {({**stems, **known})[near[0]]}?" if near else f"put it into {home}")

    def _open(self, path: Path, inside: int) -> Picture:
        """Read and check a file, or the picture ``inside`` of it. Raises PictureError."""
        is_shipped = path.parent == shipped_root() / ICON_HOME
        name = f"{path.parent.name}/{path.name}" if is_shipped else path.relative_to(self.root).as_posix()
        name += f"{EMBEDDED}{inside}" if inside else ""
        real = path.resolve()
        if not is_shipped and not real.is_relative_to(self.root):
            raise PictureError(f"{name} is a link out of the deck's folder", "copy the file itself there")
        try:
            key = file_state_key(f"picture file {inside}" if inside else "picture file", real)
            length, fields = json.loads(cached(key, lambda: _read_picture(real, name, inside)))
        except OSError as error:
            raise PictureError(f"{name} can't be read: {error.strerror or error}", "check its permissions") from error
        picture = Picture(name=name, path=real, inside=inside, **fields)
        self._bytes += length
        self._pixels += 0 if picture.is_drawing else picture.width * picture.height
        if self._bytes > MAX_DECK_BYTES or self._pixels > MAX_DECK_PIXELS:
            raise PictureError(f"{name} is one picture too many: a deck has at most {MAX_DECK_BYTES / 1e6:.0f} MB and "
                               f"{MAX_DECK_PIXELS / 1e6:,.0f} megapixels of them", "make them smaller")
        return picture


@cache
def shipped_icons() -> Mapping[str, Path]:
    """The icons that every deck has, by name; one of the deck with the same name comes first."""
    return {path.stem: path for path in sorted((shipped_root() / ICON_HOME).glob("*.svg"))}


def find_shipped_icon(name: str) -> Path | None:
    """Find the shipped icon of a name, whose words may be apart and which may have an alias."""
    word = re.sub("[ _]", "-", name.lower())
    return shipped_icons().get(ICON_ALIASES.get(word, word))


def _read_content(path: Path, name: str, inside: int) -> bytes:
    """Read a file, or the picture ``inside`` of it. Raises PictureError, OSError."""
    with path.open("rb") as file:
        content = file.read(MAX_FILE_BYTES + 1)
    if len(content) > MAX_FILE_BYTES:
        raise PictureError(f"{name} has {path.stat().st_size / 1e6:,.0f} MB", f"at most {MAX_FILE_BYTES / 1e6:.0f}")
    try:
        return embedded_picture(content.decode("utf-8", "replace"), inside) if inside else content
    except ValueError as error:
        raise PictureError(f"{name} is damaged", "put that picture into the drawing again") from error


def _digest(content: bytes) -> str:
    return blake2b(content, digest_size=32).hexdigest()


def _read_picture(path: Path, name: str, inside: int) -> bytes:
    """Read and check a file; return its length and what follows from its content as JSON. Raises PictureError, OSError.

    What a file of the same content was found to be in an earlier run is known under its digest.
    """
    content = _read_content(path, name, inside)
    digest = _digest(content)
    found = cached_by("picture", digest, make=lambda: json.dumps(_inspect(content, name, digest)).encode())
    return json.dumps((len(content), {"digest": digest, **json.loads(found)})).encode()


def _inspect(content: bytes, name: str, digest: str) -> dict[str, object]:
    """Return the fields of a sound picture that follow from its content. Raises PictureError."""
    kind = next((kind for start, kind in _KINDS.items() if content.startswith(start)), "")
    if content[:4] == b"RIFF" and content[8:12] == b"WEBP":
        kind = "WEBP"
    if kind:
        return _inspect_bitmap(content, name, kind)
    if content.lstrip(b"\xef\xbb\xbf \t\r\n").startswith(b"<") and b"<svg" in content[:10_000]:
        if len(content) > MAX_DRAWING_BYTES:
            raise PictureError(f"{name} has {len(content) / 1e6:.1f} MB", f"a drawing has at most "
                               f"{MAX_DRAWING_BYTES / 1e6:g}: simplify it, or save it as PNG")
        body, box = clean_drawing(content, name, f"picture-{digest[:16]}-")
        return {"kind": "svg", "width": box.width, "height": box.height, "body": body,
                "view_box": f"{mm(box.x)} {mm(box.y)} {mm(box.width)} {mm(box.height)}"}
    what = next((what for start, what in _OTHER_KINDS.items() if content.startswith(start)), "not a picture")
    if content[4:12] in (b"ftypheic", b"ftypheix", b"ftypmif1", b"ftypavif"):
        what = "an HEIC or AVIF"
    raise PictureError(f"{name} is {what if content else 'empty'}", "save it as PNG or JPEG")


def _inspect_bitmap(content: bytes, name: str, kind: str) -> dict[str, object]:
    """Check a bitmap: its size by its header, then all of its data."""
    from PIL import Image, UnidentifiedImageError  # only decks with pictures need it

    too_large = PictureError(f"{name} has more than {MAX_PIXELS / 1e6:.0f} megapixels",
                             "make it smaller: 300 dpi at its printed size are enough")
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            image = Image.open(io.BytesIO(content), formats=[kind])
            (width, height), mode, turn = image.size, image.mode, 1
            if width * height > MAX_PIXELS:
                raise too_large
            if max(width, height) > MAX_SIDE:
                raise PictureError(f"{name} has {max(width, height):,} pixels on a side", f"at most {MAX_SIDE:,}")
            if kind == "JPEG":  # an eighth of the size takes a third of the time, and reads all of the data
                if _has_many_scans(content):
                    raise PictureError(f"{name} has more than {MAX_SCANS} scans", "save it again as JPEG")
                image.draft("L", (1, 1))
            image.load()
            with suppress(Exception):  # damaged EXIF data: the picture itself is sound. Of a PNG it is read by load()
                turn = int(image.getexif().get(_ORIENTATION, 1))
    except Image.DecompressionBombError as error:
        raise too_large from error
    except UnidentifiedImageError as error:
        raise PictureError(f"{name} is damaged: its beginning can't be read", "save it again") from error
    except PictureError:
        raise
    except Exception as error:  # of any kind: the readers of Pillow meet data that their authors never saw
        raise PictureError(f"{name} is damaged: {str(error)[:100]}", "save it again") from error
    turn = turn if turn in _TURNS else 1
    width, height = (height, width) if turn > 4 else (width, height)
    return {"kind": kind.lower(), "width": width, "height": height, "turn": turn, "mode": mode,
            "intact": kind == "JPEG" and mode in ("RGB", "L") and _has_plain_form(content),
            "lossy": kind == "JPEG" or (kind == "WEBP" and b"VP8L" not in islice(_riff_chunks(content), 20))}


def _has_many_scans(jpeg: bytes) -> bool:
    scans = (marker for marker, _, _ in jpeg_segments(jpeg) if marker == START_OF_SCAN)
    return next(islice(scans, MAX_SCANS, None), None) is not None


def _has_plain_form(jpeg: bytes) -> bool:
    """Whether PDF viewers know how a JPEG is compressed (baseline, extended, progressive), and it is whole to its end.

    Pillow makes up for what is missing; a JPEG whose segments don't lead to its end would lose data where its segments
    are copied one by one.
    """
    markers = [marker for marker, _, _ in jpeg_segments(jpeg)]
    coding = next((marker for marker in markers if 0xC0 <= marker <= 0xCF and marker not in (0xC4, 0xC8, 0xCC)), 0)
    return coding in (0xC0, 0xC1, 0xC2) and markers[-1] == END_OF_IMAGE


def _riff_chunks(content: bytes) -> Iterator[bytes]:
    at = 12
    while at + 8 <= len(content):
        yield content[at:at + 4]
        at += 8 + (int.from_bytes(content[at + 4:at + 8], "little") + 1) // 2 * 2


_NEXT_MARKER = re.compile(rb"\xff([\x01-\xcf\xd8-\xfe])")
"""The marker after compressed data: neither a stuffed byte nor a restart."""
START_OF_SCAN, END_OF_IMAGE = 0xDA, 0xD9


def jpeg_segments(content: bytes) -> Iterator[tuple[int, int, int]]:
    """Yield marker, start and end of each segment of a JPEG up to its end (ITU T.81, annex B); a scan with its data."""
    at = 2
    while match := _NEXT_MARKER.search(content, at):
        marker, start = match[1][0], match.end() - 2
        if marker == END_OF_IMAGE:
            yield marker, start, match.end()
            return
        end = at = match.end() + int.from_bytes(content[match.end():match.end() + 2], "big")
        if marker == START_OF_SCAN:
            following = _NEXT_MARKER.search(content, at)
            end = at = following.start() if following else len(content)
        yield marker, start, end


# Pictures on a face

def picture_tag(picture: Picture, place: Rect, variant: str) -> str:
    """Write the tag that stands for a bitmap: a unit square, turned upright and moved to its place."""
    transform = f"matrix({mm(place.width)} 0 0 {mm(place.height)} {mm(place.x)} {mm(place.y)})"
    if picture.turn in _TURNS:
        transform += f" matrix({_TURNS[picture.turn]})"
    return (f'<image width="1" height="1" preserveAspectRatio="none" transform="{transform}" '
            f'href="{SCHEME}{picture.digest}.{variant}"/>')


def is_picture_tag(attributes: Sequence[tuple[str, str]]) -> bool:
    """Whether an <image> has exactly the form that :func:`picture_tag` writes, so that its place is found again."""
    given = [*attributes[attributes[0][0] == SOURCE_ATTRIBUTE:]] if attributes else []
    return (tuple(name for name, _ in given) == _TAG_NAMES and [value for _, value in given[:3]] == ["1", "1", "none"]
            and is_valid_value(*given[3]) and bool(_REFERENCE.fullmatch(given[4][1])))


def picture_digest(reference: str) -> str:
    """Return the digest in ``picture:DIGEST.VARIANT``."""
    return reference.removeprefix(SCHEME).partition(".")[0]


@dataclass(frozen=True, slots=True)
class PlacedPicture:
    """A bitmap on a face: its size in mm as it is stored, infinite if unknown; ``source`` is the template's line."""

    picture: Picture
    variant: str
    width: float
    height: float
    source: str = ""

    @property
    def dpi(self) -> float:
        """Pixels per inch, of the coarser side; infinite if unknown."""
        if self.width == inf:
            return inf
        width, height = self.picture.width, self.picture.height
        if self.picture.turn > 4:
            width, height = height, width
        return min(width / self.width, height / self.height) * INCH


_UNKNOWN_SCALE = frozenset("svg symbol pattern marker mask clipPath".split())


def placed_pictures(svg: str, pictures: Mapping[str, Picture]) -> tuple[PlacedPicture, ...]:
    """Return the bitmaps that checked SVG shows; ``pictures`` are those of its face."""
    if SCHEME not in svg:
        return ()
    by_digest = {picture.digest: picture for picture in pictures.values()}
    placed = []
    for element in etree.fromstring(svg.encode()).iter(f"{{{SVG}}}image"):
        reference = element.get("href", "")
        a, b, c, d, _, _ = _matrix_to_root(element)
        placed.append(PlacedPicture(by_digest[picture_digest(reference)], reference.rpartition(".")[2], hypot(a, b),
                                    hypot(c, d),
                                    inherited_value(element, SOURCE_ATTRIBUTE)))
    return tuple(placed)


def _matrix_to_root(element: etree._Element) -> Matrix:
    matrix = IDENTITY
    holder: etree._Element | None = element
    while holder is not None:
        parent = holder.getparent()
        if parent is not None and local_tag(holder) in _UNKNOWN_SCALE:
            return (inf, 0, 0, inf, 0, 0)
        if transform := holder.get("transform"):
            matrix = multiply(parse_transform(transform), matrix)
        holder = parent
    return matrix
