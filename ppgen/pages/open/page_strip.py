"""Strip of looks on the live page: the first card of a deck in each look that its first layout may have."""

from __future__ import annotations

from collections.abc import Mapping

from ppgen.engine.drawing.face import Face
from ppgen.errors import InputError
from ppgen.making.new_deck import open_relooks
from ppgen.making.starters import Relook
from ppgen.pages.open.page_looks import Document, FaceOfPiece, Looks, PageView, describe_face
from ppgen.pages.open.picture_renderer import PictureRenderer
from ppgen.reading.editing import EditError, FileHistory
from ppgen.reading.texts import Texts


class LookStrip:
    """The looks of a deck to choose from, until one of its layouts has been changed by hand."""

    def __init__(self, looks: Looks, renderer: PictureRenderer, history: FileHistory) -> None:
        self._looks, self._renderer, self._history = looks, renderer, history

    def is_possible(self) -> bool:
        return open_relooks(self._history.folder) is not None

    def describe(self, view: PageView, wish: Mapping[str, str]) -> Document:
        """Describe the looks, each with the front of the first card; without one that can't be drawn."""
        found, album = open_relooks(self._history.folder), self._looks.find(view).album
        piece = album.pieces[0] if album and album.pieces else None
        side = self._looks.find_face(view, {"id": piece.component.id}) if piece else None
        if not (found and piece and side):
            return {"looks": []}
        looks: list[Document] = []
        for name in found.names:
            try:
                face = piece.front.face if name == found.look else self._draw(side, found.make(name))
            except InputError:  # the sheet has changed meanwhile, or its words do not fit
                continue
            looks.append({"name": name, "chosen": name == found.look, "front": describe_face(face)})
        return {"looks": looks}

    def _draw(self, side: FaceOfPiece, look: Relook) -> Face:
        with self._looks.drawing:
            workshop, drawn = side.album.workshop.in_look(look), side.album.renderer
            texts = drawn.common["t"]
            assert isinstance(texts, Texts)
            face = workshop.studio(texts, drawn.ink).draw(side.request, side.bleed, side.name)
            self._renderer.add_faces([face], workshop.fonts.folder)
        return face

    def choose(self, wish: Mapping[str, object]) -> Document:
        """Give the deck the look of that ``name``. Raises EditError if it can't have it."""
        found, name = open_relooks(self._history.folder), wish.get("name")
        if found is None:
            raise EditError("The layout has been changed by hand: another look would undo that.")
        if not isinstance(name, str) or name not in found.names:
            raise EditError("This can't be chosen.")
        with self._looks.drawing:
            try:
                look = found.make(name)
            except InputError as error:
                raise EditError(str(error)) from error
            self._history.write_all({self._history.folder / file: both for file, both in look.changes.items()})
        return {"look": name}
