"""Pictures of a deck's folder: found by name, checked before anything is drawn, and placed on faces.

A face holds ``<image href="picture:DIGEST.VARIANT"/>``, 70 characters for a photograph of 20 MB. So faces, cache keys
and typst's documents stay small, and all are keyed by the picture's content. The pixels come last: into the PDF by
``engine/pdf/picture_embedding.py``, into PNG files by ``engine/pdf/picture_pixels.py``.
"""

from __future__ import annotations

import json
import os
import re
import unicodedata
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from difflib import get_close_matches
from functools import cache, cached_property
from itertools import count, islice
from math import hypot, inf
from pathlib import Path
from typing import Any

from lxml import etree

from ppgen.cache import cached, cached_by, file_state_key
from ppgen.engine.drawing.picture import SCHEME, Picture, content_digest, picture_digest, read_content
from ppgen.engine.drawing.picture_inspection import TURNS, inspect_picture, read_picture
from ppgen.engine.geometry import INCH, Rect, format_decimal as mm
from ppgen.engine.svg.drawing_cleaning import EMBEDDED
from ppgen.engine.svg.elements import SVG, inherited_value, local_tag, matrix_to_root
from ppgen.engine.svg.subset import PLACED_BY_REFERENCE, SOURCE_ATTRIBUTE
from ppgen.engine.svg.svg_pictures import PictureError
from ppgen.errors import InputError, find_shortage
from ppgen.process.supervision import read_supervised
from ppgen.reading.fields import is_file_name
from ppgen.shipped import Phrase, shipped_root

MAX_DECK_BYTES, MAX_DECK_PIXELS = 400_000_000, 1_500_000_000  # the pictures of a deck together
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
            key = file_state_key(f"picture file {inside}" if inside else "picture file", real)
            length, fields = json.loads(cached(key, lambda: _read_picture(real, name, inside)))
        except OSError as error:
            remedy = Phrase("fewer_files") if find_shortage(error) else "check its permissions"
            raise PictureError(f"{name} can't be read: {error.strerror or error}", remedy) from error
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


def _read_picture(path: Path, name: str, inside: str) -> bytes:
    """Read and check a file; return its length and its facts, cached by digest. Raises PictureError, OSError."""
    content = read_content(path, name, inside)
    digest = content_digest(content)
    found = cached_by("picture", digest, make=lambda: json.dumps(_inspect(content, path, name, digest)).encode())
    return json.dumps((len(content), {"digest": digest, **json.loads(found)})).encode()


def _inspect(content: bytes, path: Path, name: str, digest: str) -> Any:
    """Return the fields of a sound picture that follow from its content. Raises PictureError."""
    if _is_shipped(path):
        return inspect_picture(content, name, digest)
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
