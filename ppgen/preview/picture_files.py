"""Turns looks into picture files: contact sheets, faces and pages; only those that are new or changed."""

from __future__ import annotations

import hashlib
import struct
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from ppgen.engine.geometry import Size
from ppgen.errors import Problem, RequestError
from ppgen.preview.album import Album, Section
from ppgen.preview.bench import Look, Scene
from ppgen.preview.contact import contact_png
from ppgen.preview.darkroom import MOST_PIXELS, Darkroom, pixels
from ppgen.preview.pages import pages_of
from ppgen.preview.request import Show
from ppgen.production.built import BuiltFile


@dataclass(frozen=True, slots=True, kw_only=True)
class Picture:
    """A picture file; ``path`` is relative to the output folder, ``shows`` the components and their side."""

    path: str
    show: Show
    lang: str
    paper: str
    part: str = ""
    shows: tuple[tuple[str, str], ...] = ()
    size: Size
    dpi: float
    content: bytes = field(repr=False)

    @property
    def pixels(self) -> tuple[int, int]:
        """Width and height, as the PNG's header says (RFC 2083, 4.1.1)."""
        width, height = struct.unpack(">II", self.content[16:24])
        return width, height

    @property
    def file(self) -> BuiltFile:
        return BuiltFile(path=self.path, content=self.content)


@dataclass(frozen=True, slots=True, kw_only=True)
class Made:
    """All pictures of a look: which of them are new or changed, which earlier ones are there no more.

    ``developed`` counts the pictures that were not known from before.
    """

    pictures: tuple[Picture, ...]
    fresh: tuple[Picture, ...]
    gone: tuple[str, ...]
    developed: int


class PictureFiles:
    """Makes the files of one look after the other."""

    def __init__(self) -> None:
        self._darkroom = Darkroom()
        self._written: dict[str, str] = {}
        self._contacts: dict[str, tuple[Album, Picture]] = {}

    def make(self, look: Look) -> Made:
        """The pictures of a look. Raises InputError for pages that can't be laid out and pictures too large."""
        before = self._darkroom.developed
        pictures = tuple(picture for scene in look.scenes for picture in self._of_scene(scene))
        digests = {picture.path: hashlib.sha256(picture.content).hexdigest() for picture in pictures}
        made = Made(
            pictures=pictures, developed=self._darkroom.developed - before,
            fresh=tuple(picture for picture in pictures if self._written.get(picture.path) != digests[picture.path]),
            gone=tuple(path for path in self._written if path not in digests))
        self._written = digests
        self._darkroom.tidy()
        return made

    def _of_scene(self, scene: Scene) -> Iterator[Picture]:
        request = scene.request
        folder = request.folder(scene.lang, scene.paper)
        if not scene.album.sections and not request.asks_for(Show.PAGES):
            raise RequestError([Problem(place="--show", what="what is asked for has no faces",
                                        remedy="booklets have pages: give --show pages")])
        if request.asks_for(Show.FACES):
            yield from self._faces(scene, folder)
        if request.asks_for(Show.CONTACT) and scene.album.sections:
            yield self._contact(scene, f"{folder}/{request.contact_sheet}.png")
        if request.asks_for(Show.PAGES):
            yield from self._pages(scene, folder)

    def _faces(self, scene: Scene, folder: str) -> Iterator[Picture]:
        check_pixels((shot.size for shot in scene.album.shots), scene.request.dpi)
        self._darkroom.expose(scene.album.shots, scene.workshop.fonts.folder)
        self._darkroom.all_pictures([shot.key for shot in scene.album.shots], scene.request.dpi)
        for section in scene.album.sections:
            for shot in section.shots:
                yield Picture(path=f"{folder}/{shot.name}.png", show=Show.FACES, lang=scene.lang,
                              paper=scene.paper.name, part=section.name, shows=_shown_by(section, shot.name),
                              size=shot.size, dpi=scene.request.dpi,
                              content=self._darkroom.picture(shot.key, scene.request.dpi))

    def _contact(self, scene: Scene, path: str) -> Picture:
        album, picture = self._contacts.get(path, (None, None))
        if picture is None or album != scene.album:  # albums are equal where all their pictures look the same
            content, size, dpi = contact_png(scene.album, scene.workshop.fonts, self._darkroom,
                                             scene.request.dpi)
            picture = Picture(path=path, show=Show.CONTACT, lang=scene.lang, paper=scene.paper.name, size=size,
                              dpi=dpi, content=content,
                              shows=tuple((piece.id, "front") for piece in scene.album.pieces))
            self._contacts[path] = scene.album, picture
        return picture

    def _pages(self, scene: Scene, folder: str) -> Iterator[Picture]:
        pages = pages_of(scene.workshop, scene.request, scene.lang, scene.paper)
        check_pixels((page.negative.size for page in pages), scene.request.dpi)
        for page in pages:
            self._darkroom.add(page.negative)
            yield Picture(path=f"{folder}/{page.name}.png", show=Show.PAGES, lang=scene.lang, paper=scene.paper.name,
                          part=page.part, shows=tuple((id, page.side) for id in page.shows), size=page.negative.size,
                          dpi=scene.request.dpi, content=self._darkroom.picture(page.negative.key, scene.request.dpi))


def check_pixels(sizes: Iterable[Size], dpi: float) -> None:
    """Raises RequestError if a picture of one of the sizes (mm) would be too large."""
    largest = max(sizes, key=lambda size: size.width * size.height, default=Size(0, 0))
    if pixels(largest, dpi) > MOST_PIXELS:
        raise RequestError([Problem(
            place="--dpi", what=f"a picture of {largest} would have over {MOST_PIXELS // 1_000_000} million pixels",
            remedy="ask for fewer pixels an inch, or leave large parts away with --only")])


def _shown_by(section: Section, name: str) -> tuple[tuple[str, str], ...]:
    """The components and sides that a picture shows."""
    return tuple((piece.id, side) for piece in section.pieces
                 for side, shot in (("front", piece.front), ("back", piece.back)) if shot and shot.name == name)
