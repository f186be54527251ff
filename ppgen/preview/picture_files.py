"""Picture files: faces, pages and contact sheets, and which of them are new or changed."""

from __future__ import annotations

import hashlib
import struct
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from fnmatch import fnmatchcase
from typing import Any

from ppgen.engine.geometry import Size
from ppgen.engine.pictures.face_pictures import page_sizes
from ppgen.errors import Problem, RequestError
from ppgen.preview.album import Album, AlbumState, Section, Show
from ppgen.preview.contact_sheet import contact_png
from ppgen.preview.picture_renderer import MAX_PICTURE_PIXELS, PictureRenderer, PictureSource, count_pixels
from ppgen.process.file_writing import BuiltFile
from ppgen.production.manifest import Json, manifest_files
from ppgen.production.request import WORDS, has_words
from ppgen.production.set_build import print_set

# Pages


@dataclass(frozen=True, slots=True, kw_only=True)
class Page:
    """A page of a file of the set, counted from 1; ``side`` is front or back, ``shows`` the components on it.

    ``title`` is the name of the part if it is a booklet, else empty; ``why`` is the reason for the layout.
    """

    name: str
    part: str
    title: str
    number: int
    side: str
    shows: tuple[str, ...]
    why: str
    source: PictureSource


def render_pages(album: Album) -> tuple[Page, ...]:
    """Make the pages of an album's set, or those with the named components only. Raises InputError."""
    texts, request = album.workshop.texts(album.lang), album.request
    printed = print_set(request.build, album.workshop, texts, album.paper)
    contents = [file.content for file in printed.files if file.path.endswith(".pdf")]
    entries = manifest_files(printed.manifests)
    titles = {name: texts(key) for name, key in WORDS.items() if has_words(texts, name)}
    # Booklets are shown page by page, in reading order, not as imposed on sheets to fold.
    pages = tuple(page for entry, content in zip(entries, contents, strict=True)
                  if entry["part"] not in WORDS or not entry["sheets"]
                  for page in _pages(entry, content, titles.get(entry["part"], "")))
    if not request.names:
        return pages
    selected = tuple(page for page in pages
                     if any(fnmatchcase(id, name) for id in page.shows for name in request.names))
    if not selected:
        raise RequestError([Problem(place="NAME", what="none of these is on a page", remedy="see ppgen list")])
    return selected


def _pages(entry: dict[str, Any], document: bytes, title: str) -> Iterator[Page]:
    sizes = page_sizes(document)
    digits = len(str(len(sizes)))
    for side, size in zip(entry["sides"], sizes, strict=True):
        number = side["page"]
        yield Page(
            name=f"{entry['part']}-page-{number:0{digits}}", part=entry["part"], title=title, number=number,
            side=side["side"],
            shows=tuple(dict.fromkeys(placed["component"] for placed in side["placements"])),
            why=entry["layout"]["why"],
            source=PictureSource(key=f"{entry['sha256'][:24]}-{number}", size=size, document=document,
                                 page=number - 1))


# Files


@dataclass(frozen=True, slots=True, kw_only=True)
class PreviewPicture:
    """A picture file, relative to the output folder, and facts about it: its entry in the JSON document."""

    file: BuiltFile
    show: Show
    facts: Json

    @property
    def path(self) -> str:
        return self.file.path


@dataclass(frozen=True, slots=True, kw_only=True)
class WrittenPictures:
    """All pictures of an album state, the ``fresh`` ones that are new or changed, and the paths of those ``gone``.

    ``rendered`` is the number of pictures that were not cached.
    """

    pictures: tuple[PreviewPicture, ...]
    fresh: tuple[PreviewPicture, ...]
    gone: tuple[str, ...]
    rendered: int


class PictureFiles:
    """Makes the picture files of one album state after the other."""

    def __init__(self) -> None:
        self._renderer = PictureRenderer()
        self._written: dict[str, str] = {}
        self._contacts: dict[str, tuple[Album, PreviewPicture]] = {}

    def make(self, state: AlbumState) -> WrittenPictures:
        """Make the pictures of a state. Raises InputError for pages that don't fit and pictures that are too large."""
        rendered_before = self._renderer.rendered
        pictures = tuple(picture for album in state.albums for picture in self._make_album(album))
        digests = {picture.path: str(picture.facts["sha256"]) for picture in pictures}
        written = WrittenPictures(
            pictures=pictures, rendered=self._renderer.rendered - rendered_before,
            fresh=tuple(picture for picture in pictures if self._written.get(picture.path) != digests[picture.path]),
            gone=tuple(path for path in self._written if path not in digests))
        self._written = digests
        self._renderer.end_round()
        return written

    def _make_album(self, album: Album) -> Iterator[PreviewPicture]:
        request = album.request
        if not album.sections and not request.includes(Show.PAGES):
            raise RequestError([Problem(place="--show", what="the selection has no faces",
                                        remedy="booklets have pages: give --show pages")])
        if request.includes(Show.FACES):
            yield from self._faces(album)
        if request.includes(Show.CONTACT) and album.sections:
            yield self._contact(album)
        if request.includes(Show.PAGES):
            yield from self._pages(album)

    def _faces(self, album: Album) -> Iterator[PreviewPicture]:
        dpi = album.request.dpi
        check_pixels((shot.size for shot in album.shots), dpi)
        self._renderer.add_faces(album.shots, album.workshop.fonts.folder)
        self._renderer.render_all([shot.key for shot in album.shots], dpi)
        for section in album.sections:
            for shot in section.shots:
                yield _picture(album, shot.name, show=Show.FACES, part=section.name, size=shot.size, dpi=dpi,
                               sides=_sides_of_picture(section, shot.name),
                               content=self._renderer.picture(shot.key, dpi))

    def _contact(self, album: Album) -> PreviewPicture:
        earlier, picture = self._contacts.get(album.folder, (None, None))
        if picture is None or earlier != album:
            content, size, dpi = contact_png(album, album.workshop.fonts, self._renderer, album.request.dpi)
            picture = _picture(album, album.request.contact_sheet, show=Show.CONTACT, size=size, dpi=dpi,
                               sides=[(piece.id, "front") for piece in album.pieces], content=content)
            self._contacts[album.folder] = album, picture
        return picture

    def _pages(self, album: Album) -> Iterator[PreviewPicture]:
        pages, dpi = render_pages(album), album.request.dpi
        check_pixels((page.source.size for page in pages), dpi)
        for page in pages:
            self._renderer.add(page.source)
            yield _picture(album, page.name, show=Show.PAGES, part=page.part, size=page.source.size, dpi=dpi,
                           sides=[(id, page.side) for id in page.shows],
                           content=self._renderer.picture(page.source.key, dpi))


def _picture(album: Album, name: str, show: Show, size: Size, dpi: float, content: bytes,
             sides: Iterable[tuple[str, str]], part: str = "") -> PreviewPicture:
    """Make a picture file; ``sides`` are the components and sides on it."""
    width, height = struct.unpack(">II", content[16:24])  # the PNG's header (RFC 2083, 4.1.1)
    path = f"{album.folder}/{name}.png"
    return PreviewPicture(file=BuiltFile(path=path, content=content), show=show, facts={
        "path": path, "show": show.value, "lang": album.lang, "paper": album.paper.name, "part": part or None,
        "shows": [{"component": component, "face": face} for component, face in sides],
        "width_mm": round(size.width, 4), "height_mm": round(size.height, 4), "width_px": width, "height_px": height,
        "dpi": round(dpi, 2), "sha256": hashlib.sha256(content).hexdigest()})


def check_pixels(sizes: Iterable[Size], dpi: float) -> None:
    """Raise RequestError if a picture of one of the sizes (mm) would be too large."""
    largest = max(sizes, key=lambda size: size.width * size.height, default=Size(0, 0))
    if count_pixels(largest, dpi) > MAX_PICTURE_PIXELS:
        raise RequestError([Problem(
            place="--dpi",
            what=f"a picture of {largest} would have over {MAX_PICTURE_PIXELS // 1_000_000} million pixels",
            remedy="ask for fewer pixels an inch, or leave large parts away with --only")])


def _sides_of_picture(section: Section, name: str) -> tuple[tuple[str, str], ...]:
    """Return the components and sides on a picture."""
    return tuple((piece.id, side) for piece in section.pieces
                 for side, shot in (("front", piece.front), ("back", piece.back)) if shot and shot.name == name)
