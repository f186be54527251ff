"""The picture files of a deck: found by name, inspected, and placed on faces."""

from __future__ import annotations

import io
import json
import os
import re
import unicodedata
import warnings
import zlib
from base64 import b64decode
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from functools import cache, cached_property
from importlib import import_module
from itertools import count, islice
from math import hypot, inf
from pathlib import Path
from typing import Any

from lxml import etree

from ppgen.cache import cached, cached_by, file_state_key
from ppgen.engine.drawing.svg_check import check_svg
from ppgen.engine.geometry import INCH, Rect, format_decimal as mm
from ppgen.engine.pictures.picture import (SCHEME, PageNeeded, Picture, PictureError, clean_drawing, content_digest,
                                           draw_page, draw_pixels, measure_pages, packed_lines, picture_digest,
                                           png_chunks, read_content)
from ppgen.engine.svg.drawing_cleaning import EMBEDDED
from ppgen.engine.svg.elements import SVG, inherited_value, local_tag, matrix_to_root
from ppgen.engine.svg.subset import PLACED_BY_REFERENCE, SOURCE_ATTRIBUTE
from ppgen.errors import InputError, Phrase, find_shortage
from ppgen.process.supervision import Options, read_supervised
from ppgen.reading.fields import PICTURE_KINDS, is_file_name, is_reserved_name, is_spelt
from ppgen.records import dataclass
from ppgen.shipped import shipped_root

# --- Inspection ---

PictureFacts = dict[str, Any]
MAX_DRAWING_BYTES = 1_000_000  # of a picture in SVG, which is on each face that shows it; others become pixels
CHECKED_SIDE_MM = 100.0  # the longer side of a drawing when it is tried on a face
MAX_PIXELS = 80_000_000  # pixels of a picture: 320 MB while it is decoded
MAX_SIDE = 65_535  # pixels of a side, as in a JPEG; Pillow lays out longer ones in pointers to each row
MAX_SCANS = 100  # Scans of a JPEG, each of which passes over the whole picture. Programs write at most a dozen.

DRAWN: PictureFacts = {"is_drawn": True, "intact": False}
WELL_PACKED, SAMPLED_LINES = 0.75, 20  # of a PNG: the share that packing it anew must save; lines that tell it

_KINDS = {b"\xff\xd8\xff": "JPEG", b"\x89PNG\r\n\x1a\n": "PNG"}
_PLUGINS = {"JPEG": "PIL.JpegImagePlugin", "PNG": "PIL.PngImagePlugin", "WEBP": "PIL.WebPImagePlugin"}
_OTHER_KINDS = {**PICTURE_KINDS, b"PK\3\4": "an archive or document", b"\x1f\x8b": "a packed file"}
"""The beginnings of other files, and what people call these."""
_ORIENTATION = 0x0112  # EXIF tag: how the camera was held
TURNS = {2: "-1 0 0 1 1 0", 3: "-1 0 0 -1 1 1", 4: "1 0 0 -1 0 1", 5: "0 1 1 0 0 0", 6: "0 1 -1 0 1 0",
          7: "0 -1 -1 0 1 1", 8: "0 -1 1 0 0 1"}
"""The matrix that brings a picture of the unit square upright, by its EXIF orientation."""


def read_picture(content: bytes, options: Options) -> PictureFacts:
    """:func:`inspect_picture` as a reader in the supervised child. Raises InputError, whose problem names the file."""
    try:
        return inspect_picture(content, options["name"], options["digest"])
    except PictureError as error:
        raise InputError.at("", str(error), error.remedy) from error


def inspect_picture(content: bytes, name: str, digest: str) -> PictureFacts:
    """Return the fields of a sound picture that follow from its content. Raises PictureError."""
    kind = next((kind for start, kind in _KINDS.items() if content.startswith(start)), "")
    if content[:4] == b"RIFF" and content[8:12] == b"WEBP":
        kind = "WEBP"
    if kind:
        return _inspect_bitmap(content, name, kind)
    if content.startswith(b"%PDF"):
        return _inspect_page(content, name)
    if content.lstrip(b"\xef\xbb\xbf \t\r\n").startswith(b"<") and b"<svg" in content[:10_000]:
        try:
            body, box = clean_drawing(content, name, f"picture-{digest[:16]}-")
            is_drawn = len(content) > MAX_DRAWING_BYTES or not _passes_check(body, box)
        except PageNeeded:
            is_drawn = True
        if is_drawn:
            return _inspect_bitmap(_draw(content, name), name, "PNG") | DRAWN | {"kind": "svg"}
        return {"kind": "svg", "width": box.width, "height": box.height, "body": body, "view_box": _view_box(box)}
    what = next((what for start, what in _OTHER_KINDS.items() if content.startswith(start)), "not a picture")
    if content[4:12] in (b"ftypheic", b"ftypheix", b"ftypmif1", b"ftypavif"):
        what = "an HEIC or AVIF"
    raise PictureError(f"{name} is {what if content else 'empty'}", "save it as PNG or JPEG")


def _draw(content: bytes, name: str) -> bytes:
    try:
        return b64decode(draw_pixels(content, {"name": name}))
    except InputError as error:
        raise PictureError(error.problems[0].what, error.problems[0].remedy) from error


def _inspect_page(content: bytes, name: str) -> PictureFacts:
    try:
        pages = measure_pages(content, {"name": ""})
        if len(pages) > 1:
            raise PictureError(f"{name} has {len(pages)} pages", "save each as a file of its own")
        drawn = b64decode(draw_page(content, {"name": ""}))
    except InputError as error:
        raise PictureError(f"{name} {error.problems[0].what}", error.problems[0].remedy) from error
    return _inspect_bitmap(drawn, name, "PNG") | DRAWN | {"kind": "pdf"}


def _passes_check(body: str, box: Rect) -> bool:
    """True if a face may show the elements of a drawing: they are not too many, too far off or otherwise refused."""
    scale = CHECKED_SIDE_MM / max(box.width, box.height)
    width, height = mm(box.width * scale), mm(box.height * scale)
    svg = (f'<svg xmlns="{SVG}" viewBox="0 0 {width} {height}"><defs><symbol id="drawing" preserveAspectRatio="none" '
           f'viewBox="{_view_box(box)}">{body}</symbol></defs><use href="#drawing" x="0" y="0" width="{width}" '
           f'height="{height}"/></svg>')
    return check_svg(svg, f"0 0 {width} {height}")[0] is not None


def _view_box(box: Rect) -> str:
    return f"{mm(box.x)} {mm(box.y)} {mm(box.width)} {mm(box.height)}"


def _inspect_bitmap(content: bytes, name: str, kind: str) -> PictureFacts:
    """Check a bitmap: its size by its header, then all of its data."""
    from PIL import Image  # only decks with pictures need it

    too_large = PictureError(f"{name} has more than {MAX_PIXELS / 1e6:.0f} megapixels",
                             "make it smaller: 300 dpi at its printed size are enough")
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            import_module(_PLUGINS[kind])  # Image.open() imports those of five kinds: 2 % of a small build
            try:
                image = Image.OPEN[kind][0](io.BytesIO(content), "")
            except SyntaxError as error:  # Pillow's word for it
                raise PictureError(f"{name} is damaged: its beginning can't be read", Phrase("save_again")) from error
            (width, height), mode, turn = image.size, image.mode, 1
            if width * height > MAX_PIXELS:
                raise too_large
            if max(width, height) > MAX_SIDE:
                raise PictureError(f"{name} has {max(width, height):,} pixels on a side", f"at most {MAX_SIDE:,}")
            if kind == "JPEG":  # an eighth of the size takes a third of the time, and reads all of the data
                if _has_many_scans(content):
                    raise PictureError(f"{name} has more than {MAX_SCANS} scans", "save it again as JPEG")
                image.draft("L", (1, 1))
            lines = _plain_lines(content) if kind == "PNG" else b""
            if not lines or [*png_chunks(content)][-2][0] != b"IDAT":  # what follows them may say how they are turned
                image.load()
            with suppress(Exception):  # damaged EXIF data: the picture itself is sound
                turn = int(Image.Image.getexif(image).get(_ORIENTATION, 1))  # that of a PNG would load it
    except (PictureError, MemoryError):
        raise
    except Exception as error:  # of any kind: the readers of Pillow meet data that their authors never saw
        raise PictureError(f"{name} is damaged: {str(error)[:100]}", Phrase("save_again")) from error
    turn = turn if turn in TURNS else 1
    width, height = (height, width) if turn > 4 else (width, height)
    is_intact = _is_well_packed(content, lines) if lines else kind == "JPEG" and _has_plain_form(content)
    return {"kind": kind.lower(), "width": width, "height": height, "turn": turn, "mode": mode,
            "intact": is_intact and mode in ("RGB", "L"),
            "lossy": kind == "JPEG" or (kind == "WEBP" and b"VP8L" not in islice(_riff_chunks(content), 20))}


def _has_many_scans(jpeg: bytes) -> bool:
    scans = (marker for marker, _, _ in jpeg_segments(jpeg) if marker == START_OF_SCAN)
    return next(islice(scans, MAX_SCANS, None), None) is not None


def _has_plain_form(jpeg: bytes) -> bool:
    """True if PDF viewers know how a JPEG is compressed (baseline, extended, progressive), and it is whole to its end.

    Pillow makes up for what is missing; a JPEG whose segments don't lead to its end would lose data where its segments
    are copied one by one.
    """
    markers = [marker for marker, _, _ in jpeg_segments(jpeg)]
    coding = next((marker for marker in markers if 0xC0 <= marker <= 0xCF and marker not in (0xC4, 0xC8, 0xCC)), 0)
    return coding in (0xC0, 0xC1, 0xC2) and markers[-1] == END_OF_IMAGE


def _plain_lines(png: bytes) -> bytes:
    """Unpack the lines of a sound PNG that may go into a PDF: 8 bits of grey or RGB, and no profile; empty for others.

    All of them, as a viewer would stumble over torn ones, or fill its memory.
    """
    if png[24] != 8 or png[28] or {b"tRNS", b"iCCP"}.intersection(kind for kind, _ in png_chunks(png)):
        return b""
    size, reader = _line_length(png) * int.from_bytes(png[20:24], "big"), zlib.decompressobj()
    try:
        lines = reader.decompress(packed_lines(png), size + 1)
    except zlib.error:
        return b""
    is_whole = len(lines) == size and reader.eof and not reader.unused_data
    return lines if is_whole and max(lines[::_line_length(png)]) <= 4 else b""


def _is_well_packed(png: bytes, lines: bytes) -> bool:
    """True if a sample of its lines takes at least :data:`WELL_PACKED` of their room when it is packed anew: some
    programs hardly pack.
    """
    line = _line_length(png)
    step = max(len(lines) // line // SAMPLED_LINES, 1) * line
    sample = b"".join(lines[at:at + line] for at in range(0, len(lines), step))
    return len(zlib.compress(sample)) * len(lines) > WELL_PACKED * len(packed_lines(png)) * len(sample)


def _line_length(png: bytes) -> int:
    """Bytes of a line of grey or RGB with that of its filter."""
    return 1 + int.from_bytes(png[16:20], "big") * (1 if png[25] == 0 else 3)


def _riff_chunks(content: bytes) -> Iterator[bytes]:
    at = 12
    while at + 8 <= len(content):
        yield content[at:at + 4]
        at += 8 + (int.from_bytes(content[at + 4:at + 8], "little") + 1) // 2 * 2


_NEXT_MARKER = re.compile(rb"\xff([\x01-\xcf\xd8-\xfe])")  # behind compressed data: no stuffed byte, no restart
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


# --- Folders of pictures ---
# Pictures of a deck's folder: found by name, checked before anything is drawn, and placed on faces. A face holds
# ``<image href="picture:DIGEST.VARIANT"/>``, 70 characters for a photograph of 20 MB. So faces, cache keys and typst's
# documents stay small, and all are keyed by the picture's content. The pixels come last: into the PDF by
# ``engine/pictures/picture_embedding.py``, into PNG files by ``engine/pictures/picture_pixels.py``.

MAX_DECK_BYTES, MAX_DECK_PIXELS = 1_000_000_000, 1_500_000_000
"""Of all pictures of a deck: they are in memory twice when a PDF is saved."""
MAX_LISTED_FILES = 5_000  # files that are searched for a name like the missing one
MAX_GUESSES = 100  # missing pictures that files of a like name are searched for
ENDINGS = (".png", ".jpg", ".jpeg", ".webp", ".svg", ".pdf", ".PNG", ".JPG", ".JPEG")  # that a name may leave out
PICTURE_FOLDERS, ICON_FOLDERS = ("", "art/", "icons/"), ("icons/", "art/", "")
"""Folders of the deck that pictures and icons are looked for in."""
ICON_HOME = Path("data", "icons")  # folder of the shipped icons
ICON_ALIASES = {"armor": "armour", "boot": "boots", "clay": "brick", "clothes": "cloth", "food": "bread",
                "lightning": "energy", "mana": "spark", "meeple": "worker", "sheep": "wool", "shirt": "cloth",
                "tap": "turn", "wheat": "grain"}
"""Other names of shipped icons."""
FULL, LOW, EDGE = "full", "low", "edge"  # variants: as it is, in low ink, as beyond an edge (no words to search)
PLACED = re.compile(r'<image (?:data-src="[^"]*" )?width="1" height="1" preserveAspectRatio="none" '
                    r'transform="([^"]*)" href="picture:([0-9a-f]{64})\.(full|low|edge)"/>')
"""A placed picture in checked SVG: its transform, digest and variant."""

_EMBEDDED_NAME = re.compile(rf"(.*\.svg){EMBEDDED}([1-9]\d?|\d{{1,6}}-\d{{1,6}})", re.IGNORECASE)
_numbers = count()


class PictureFolder:
    """The pictures of one deck; each file is read once. ``keeps_gaps``: a missing picture is not an error."""

    def __init__(self, root: Path, keeps_gaps: bool = False) -> None:
        self.number = next(_numbers)
        """Names it to the supervised child, which keeps what it has read."""
        self.root = root.resolve()
        self.keeps_gaps = keeps_gaps
        self._found: dict[str, Picture | tuple[str, str]] = {}
        """Pictures by the names asked for, or what is wrong with them and the remedy."""
        self._missing: set[str] = set()
        self._files: dict[tuple[Path, str], Picture] = {}
        self._bytes, self._pixels, self._misses = 0, 0.0, 0
        self.news: dict[str, PictureFacts] = {}
        """Facts of bitmaps by digest: those that the supervised child has not yet reported, or that it reported. Only
        the deck's own files take theirs: a child that a stranger took over may lie about any digest."""

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
        """True if there is no file of that name, not even one that is wrong."""
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

    def find_drawn(self, digests: Mapping[str, str]) -> dict[str, Picture] | None:
        """:meth:`find_all` for a face that was drawn just now: those without a digest were missing then."""
        found = self.find_all({name: digest for name, digest in digests.items() if digest})
        return found if found is None else {name: found.get(name, Picture(name=name, path=self.root))
                                            for name in digests}

    def _find(self, name: str) -> Picture:
        is_icon = name.startswith("{") and name.endswith("}")
        plain = name[1:-1] if is_icon else name.replace("\\", "/")
        if not is_file_name(plain):
            self._missing.add(name)
            if is_reserved_name(plain):
                raise PictureError(f"'{name[:80]}' is the name of a device on Windows", "rename the file")
            raise PictureError(f"'{name[:80]}' is not a file of the deck's folder", "write a path inside the folder")
        plain, inside = (match[1], match[2]) if (match := _EMBEDDED_NAME.fullmatch(plain)) else (plain, "")
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
                    if os.path.isfile(path) and is_spelt(  # noqa: PTH113 - unlike Path's it is False for a name that is too long
                            self.root, f"{folder}{form}{ending}"):
                        return path
        return None

    def _missing_error(self, name: str, is_icon: bool) -> PictureError:
        from difflib import get_close_matches  # only after a mistake

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
        names = {**stems, **known}
        return PictureError(what, Phrase("did_you_mean_names", names=names[near[0]]) if near else f"put it into {home}")

    def _open(self, path: Path, inside: str) -> Picture:
        """Read and check a file, or the picture ``inside`` of it. Raises PictureError."""
        is_shipped = _is_shipped(path)
        name = f"{path.parent.name}/{path.name}" if is_shipped else path.relative_to(self.root).as_posix()
        name += f"{EMBEDDED}{inside}" if inside else ""
        real = path.resolve()
        if not is_shipped and not real.is_relative_to(self.root):
            raise PictureError(f"{name} is a link out of the deck's folder", "copy the file itself there")
        try:
            if not inside and self._bytes + real.stat().st_size > MAX_DECK_BYTES:
                raise _too_many()
            key = file_state_key(f"picture file {inside}" if inside else "picture file", real)
            length, fields = json.loads(cached(key, lambda: _read_picture(real, name, inside, self.news)))
        except OSError as error:
            remedy = Phrase("fewer_files") if find_shortage(error) else "check its permissions"
            raise PictureError(f"{name} can't be read: {error.strerror or error}", remedy) from error
        picture = Picture(name=name, path=real, inside=inside, **fields)
        if not picture.is_drawing:
            self.news[fields.pop("digest")] = fields
        self._bytes += length
        self._pixels += 0 if picture.is_drawing else picture.width * picture.height
        if self._bytes > MAX_DECK_BYTES or self._pixels > MAX_DECK_PIXELS:
            raise _too_many()
        return picture


def _too_many() -> PictureError:
    """The same for each picture: one line for all of them."""
    return PictureError(f"the pictures of a deck have more than {MAX_DECK_BYTES / 1e6:,.0f} MB or "
                        f"{MAX_DECK_PIXELS / 1e6:,.0f} megapixels together", "make them smaller")


@cache
def shipped_icons() -> Mapping[str, Path]:
    """The icons that every deck has, by name; one of the deck with the same name comes first."""
    return {path.stem: path for path in sorted((shipped_root() / ICON_HOME).glob("*.svg"))}


def find_shipped_icon(name: str) -> Path | None:
    """Find the shipped icon of a name, whose words may be apart and which may have an alias."""
    word = re.sub("[ _]", "-", name.lower())
    return shipped_icons().get(ICON_ALIASES.get(word, word))


def _read_picture(path: Path, name: str, inside: str, news: Mapping[str, PictureFacts]) -> bytes:
    """Read and check a file; return its length and its facts, cached by digest. Raises PictureError, OSError."""
    content = read_content(path, name, inside)
    digest = content_digest(content)
    found = cached_by("picture", digest, make=lambda: json.dumps(
        _inspect(content, path, name, digest, news)).encode())
    return json.dumps((len(content), {"digest": digest, **json.loads(found)})).encode()


def _inspect(content: bytes, path: Path, name: str, digest: str, news: Mapping[str, PictureFacts]) -> Any:
    """Return the fields of a sound picture that follow from its content. Raises PictureError."""
    if _is_shipped(path):
        return inspect_picture(content, name, digest)
    if digest in news:
        return news[digest]
    try:
        return read_supervised(read_picture, content, {"name": name, "digest": digest}, name, Phrase("save_again"))
    except InputError as error:
        problem = error.problems[0]
        raise PictureError(f"{problem.place} {problem.what}".strip(), problem.remedy) from error


def _is_shipped(path: Path) -> bool:
    return path.parent == shipped_root() / ICON_HOME


# --- Pictures on a face ---

def picture_tag(picture: Picture, place: Rect, variant: str) -> str:
    """Write the tag that stands for a bitmap: a unit square, turned upright and moved to its place."""
    transform = f"matrix({mm(place.width)} 0 0 {mm(place.height)} {mm(place.x)} {mm(place.y)})"
    if picture.turn in TURNS:
        transform += f" matrix({TURNS[picture.turn]})"
    return (f'<image width="1" height="1" preserveAspectRatio="none" transform="{transform}" '
            f'href="{SCHEME}{picture.digest}.{variant}"/>')


@dataclass(frozen=True, slots=True)
class PlacedPicture:
    """A bitmap on a face: its stored size in mm, infinite if unknown, is it turned by 90°, its template line."""

    picture: Picture
    variant: str
    width: float
    height: float
    is_turned: bool = False
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


CARRIED_ON = "data-carried-on"  # marks what repeats the edges of a scaled face
_UNKNOWN_SCALE = PLACED_BY_REFERENCE | {"svg"}


def placed_pictures(svg: str, pictures: Mapping[str, Picture]) -> tuple[PlacedPicture, ...]:
    """Return the bitmaps that checked SVG shows; ``pictures`` are those of its face."""
    if SCHEME not in svg:
        return ()
    by_digest = {picture.digest: picture for picture in pictures.values()}
    placed = []
    for element in etree.fromstring(svg.encode()).iter(f"{{{SVG}}}image"):
        if inherited_value(element, CARRIED_ON):
            continue
        reference = element.get("href", "")
        around = [local_tag(each) for each in element.iterancestors() if each.getparent() is not None]
        a, b, c, d, _, _ = (inf, 0, 0, inf, 0, 0) if _UNKNOWN_SCALE.intersection(around) else matrix_to_root(element)
        placed.append(PlacedPicture(by_digest[picture_digest(reference)], reference.rpartition(".")[2], hypot(a, b),
                                    hypot(c, d), abs(b) > abs(a),
                                    inherited_value(element, SOURCE_ATTRIBUTE)))
    return tuple(placed)
