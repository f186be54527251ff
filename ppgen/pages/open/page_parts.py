"""Printed sheets, cells of tables and changes of files for the live page, as JSON."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ppgen.assets import DECK_FILE
from ppgen.engine.pictures.face_pictures import page_sizes
from ppgen.errors import InputError, Problem
from ppgen.pages.local_server import Answer
from ppgen.pages.open.album import Album
from ppgen.pages.open.following import Follower
from ppgen.pages.open.page_layout import Layouts
from ppgen.pages.open.page_looks import Document, Looks, PageView, dpis_for, places_of
from ppgen.pages.open.page_strip import LookStrip
from ppgen.pages.open.picture_renderer import PictureRenderer, PictureSource
from ppgen.printing.manifest import manifest_files
from ppgen.printing.request import WORDS, has_words
from ppgen.printing.set_build import print_set
from ppgen.reading.editing import CellEditor, EditError, FileHistory, make_csv

MAX_TABLE_ROWS = 2_000  # rows of a table on the page


@dataclass(frozen=True, slots=True, kw_only=True)
class Page:
    """A page of a file of the set."""

    part: str
    title: str  # of the part if it is a booklet
    number: int  # from 1
    side: str  # front or back
    sheets: int  # of its file; 0 if that is for the screen
    cuts: int  # likewise
    source: PictureSource


def render_pages(album: Album) -> tuple[Page, ...]:
    """Make the pages of an album's set. Raises InputError."""
    texts = album.workshop.texts(album.lang)
    printed = print_set(album.request, album.workshop, texts, album.paper)
    contents = [file.content for file in printed.files if file.path.endswith(".pdf")]
    entries = manifest_files(printed.manifests)
    titles = {name: texts(key) for name, key in WORDS.items() if has_words(texts, name)}
    # Booklets are shown page by page, in reading order, not as imposed on sheets to fold.
    return tuple(page for entry, content in zip(entries, contents, strict=True)
                 if entry["part"] not in WORDS or not entry["sheets"]
                 for page in _pages(entry, content, titles.get(entry["part"], "")))


def _pages(entry: dict[str, Any], document: bytes, title: str) -> Iterator[Page]:
    sizes = page_sizes(document)
    for side, size in zip(entry["sides"], sizes, strict=True):
        number = side["page"]
        yield Page(
            part=entry["part"], title=title, number=number, side=side["side"],
            sheets=entry["sheets"], cuts=entry["layout"]["cuts"],
            source=PictureSource(key=f"{entry['sha256'][:24]}-{number}", size=size, document=document,
                                 page=number - 1))


class Sheets:
    """The printed pages of looks. They take longer than faces and are imposed on request only."""

    def __init__(self, looks: Looks, renderer: PictureRenderer) -> None:
        self._looks, self._renderer = looks, renderer
        self._sheets: dict[tuple[PageView, str], tuple[int, tuple[Page, ...], tuple[Problem, ...]]] = {}

    def describe(self, view: PageView) -> Document:
        """Describe the pages of a look."""
        number, state, album = self._looks.find(view)
        if album is None:
            return {"pages": [], "problems": self._looks.describe_problems(state.problems)}
        key = view, album.id
        with self._looks.drawing:
            drawn, pages, problems = self._sheets.get(key, (-1, (), ()))
            if drawn != number and not state.problems:
                try:
                    pages, problems = render_pages(album), ()
                except InputError as error:
                    problems = error.problems
                self._sheets[key] = number, pages, problems
        for page in pages:
            self._renderer.add(page.source)
        return {"problems": self._looks.describe_problems(problems), "paper": album.paper.title, "pages": [
            {"part": page.part, "title": page.title or page.part, "number": page.number, "side": page.side,
             "sheets": page.sheets, "cuts": page.cuts, "key": page.source.key,
             "width": page.source.size.width, "height": page.source.size.height,
             "dpis": dpis_for(page.source.size)} for page in pages]}


class Cells:
    """The cells of the tables in the folder of a deck."""

    def __init__(self, looks: Looks, history: FileHistory) -> None:
        self._looks, self._editor = looks, CellEditor(history)

    def describe(self, look: Document) -> list[Document]:
        """Describe the files of the rows in a look that can be changed, with all their cells."""
        places = dict.fromkeys(piece["place"] for section in look["sections"]
                               for piece in section["pieces"] if piece["place"])
        tables: list[Document] = []
        for place in places:
            try:
                head, *records = self._editor.read(Path(place))
            except (EditError, ValueError):
                continue
            tables.append({"place": place, "columns": [cell.value for cell in head.cells], "rows": [
                {"line": record.line, "cells": [cell.value.replace("\r\n", "\n") for cell in record.cells]}
                for record in records[:MAX_TABLE_ROWS] if any(cell.value for cell in record.cells)]})
        return tables

    def write(self, wish: Mapping[str, object]) -> Document:
        """Write a cell. Raises EditError, EditConflict if the file has changed."""
        column, old, new = (wish.get(name) for name in ("column", "old", "new"))
        path, line = self._row(wish)
        if not (isinstance(column, int) and isinstance(old, str) and isinstance(new, str)):
            raise EditError("This is not a cell of the deck.")
        with self._looks.drawing:
            self._editor.write(path, line, column, old, new)
        return {}

    def change_row(self, wish: Mapping[str, object]) -> Document:
        """Add, copy or delete a row. Raises EditError, EditConflict if the file has changed."""
        cells, action = wish.get("cells"), wish.get("do")
        path, line = self._row(wish)
        if not (isinstance(cells, list) and all(isinstance(cell, str) for cell in cells) and isinstance(action, str)):
            raise EditError("This is not a row of the deck.")
        with self._looks.drawing:
            self._editor.change_row(path, line, cells, action)
        return {}

    def make_csv(self, wish: Mapping[str, object]) -> Document:
        """Make CSV files of a workbook. Raises EditError if they are there already."""
        place = wish.get("place")
        if not (isinstance(place, str) and place in places_of(self._looks.state)):
            raise EditError("This is not a workbook of the deck.")
        history = self._editor.history
        with self._looks.drawing:
            made = make_csv(history, history.folder / DECK_FILE, Path(place))
        return {"files": [path.name for path in made]}

    def _row(self, wish: Mapping[str, object]) -> tuple[Path, int]:
        """The file and line of a row that the page names."""
        place, line = wish.get("place"), wish.get("line")
        if not (isinstance(place, str) and place in places_of(self._looks.state) and isinstance(line, int)):
            raise EditError("This is not a row of the deck.")
        return Path(place), line


class Edits:
    """Changes of the files of a deck: cells, layouts and looks, which one history takes back."""

    def __init__(self, looks: Looks, renderer: PictureRenderer, folder: Path, follow: Path | None) -> None:
        self.history = FileHistory(folder)
        self.strip = LookStrip(looks, renderer, self.history)
        self.cells, self.layouts = Cells(looks, self.history), Layouts(looks, self.history)
        self.follower = Follower(follow, looks, self.history) if follow else None
        self._acts: dict[str, Callable[[Mapping[str, object]], Document]] = {
            "cell": self.cells.write, "row": self.cells.change_row, "csv": self.cells.make_csv,
            "layout": self.layouts.change, "relook": self.strip.choose,
            "template": self.layouts.write_text, "undo": lambda _: {"file": self.history.undo().name},
            "redo": lambda _: {"file": self.history.redo().name},
            **({"follow": self.follower.act} if self.follower else {})}

    def act(self, name: str, wish: Mapping[str, object]) -> Answer | None:
        """Change a file, or take a change back; None for an unknown act. Raises EditError."""
        return Answer.of_json(self._acts[name](wish)) if name in self._acts else None
