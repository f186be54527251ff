"""Parts of the page: saves of others, layout, strip of looks, cells and texts."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from hashlib import sha256
from itertools import islice
from pathlib import Path

from ppgen.assets import DECK_FILE
from ppgen.engine.drawing.face import Face, FrameOfFace
from ppgen.engine.drawing.face_tools import FITTED_FUNCTIONS, FaceTools, Lack, find_lack
from ppgen.engine.drawing.lettering import Lettering
from ppgen.engine.drawing.template_calls import (KEYWORDS, MAX_VALUE, NUMBERS, RecordedCall, Recorder, add_call,
                                                 delete_call, describe_calls, move_call, positional_arguments,
                                                 set_arguments, template_digest)
from ppgen.engine.drawing.template_source import SUFFIXES
from ppgen.engine.drawing.templates import MAX_CHARACTERS, TemplateSet
from ppgen.engine.geometry import Rect, Size
from ppgen.engine.pictures.face_pictures import page_sizes
from ppgen.errors import InputError, Problem
from ppgen.making.fetching import FetchedAgain, fetch_again, read_source_address
from ppgen.making.new_deck import open_relooks, was_made_here
from ppgen.making.starters import Relook
from ppgen.pages.open.album import Album
from ppgen.pages.open.page_looks import (Document, FaceOfPiece, Looks, PageView, PictureRenderer, PictureSource,
                                         describe_face, dpis_for, places_of)
from ppgen.printing.manifest import manifest_files
from ppgen.printing.request import WORDS, has_words
from ppgen.printing.set_build import print_set
from ppgen.reading.editing import (EDITABLE_SUFFIXES, MAX_FILE_BYTES, WORKBOOKS, CellEditor, EditConflict, EditError,
                                   FileHistory, make_csv)
from ppgen.reading.fields import read_bytes
from ppgen.records import dataclass, replace

# --- Saves of others ---
# New versions of a deck's tables that land in another folder, such as that of downloads.
#
# A browser saves a spreadsheet as ``cards.csv``, ``cards (1).csv`` or ``My game - cards.csv``. The page asks before the
# newest one takes the place of the deck's file; then it can be taken back like any change.

TABLE_SUFFIXES = (*EDITABLE_SUFFIXES, *WORKBOOKS)
MAX_FILES = 5_000  # files of the folder that are looked at


class Follower:
    """The files of a folder that may replace tables of a deck."""

    def __init__(self, folder: Path, looks: Looks, history: FileHistory) -> None:
        self._folder, self._looks, self._history = folder, looks, history
        self._refused: set[str] = set()
        """Digests of files that are not wanted."""

    def describe(self) -> Document:
        """Describe the newest file that is newer than the table of its name, and differs from it."""
        for place in places_of(self._looks.state):
            table = Path(place)
            for path in self._candidates(table)[:1]:
                try:
                    content, old = _read(path), self._history.read(table)
                except (InputError, EditError):
                    continue
                digest = sha256(content).hexdigest()
                if digest not in self._refused and content != old:
                    return {"place": place, "name": path.name, "folder": str(self._folder), "digest": digest,
                            "bytes": len(content)}
        return {}

    def act(self, wish: Mapping[str, object]) -> Document:
        """Put a file in the place of its table, or forget it. Raises EditError if it is not offered, EditConflict."""
        place, name, digest, wanted = (wish.get(key) for key in ("place", "name", "digest", "wanted"))
        if not (isinstance(place, str) and place in places_of(self._looks.state) and isinstance(digest, str)):
            raise EditError("This is not a table of the deck.")
        if wanted is not True:
            self._refused.add(digest)
            return {}
        path = next((path for path in self._candidates(Path(place)) if path.name == name), None)
        if path is None:
            raise EditConflict("The file is no longer there.")
        try:
            content = _read(path)
        except InputError as error:
            raise EditConflict(str(error)) from error
        if sha256(content).hexdigest() != digest:
            raise EditConflict(f"{path.name} has been changed meanwhile; nothing was written.")
        with self._looks.drawing:
            self._history.write(Path(place), self._history.read(Path(place)), content)
        return {}

    def _candidates(self, table: Path) -> list[Path]:
        """List the files of the folder that have the table's name and are newer, the newest first."""
        if table.suffix.lower() not in TABLE_SUFFIXES:
            return []
        stem, suffix = map(re.escape, (table.stem, table.suffix))
        name = re.compile(rf"(?:[^/]* - )?{stem} ?(?:\(\d+\))?{suffix}", re.IGNORECASE)
        try:
            since = table.stat().st_mtime_ns
            found = [(path.stat().st_mtime_ns, path) for path in islice(self._folder.iterdir(), MAX_FILES)
                     if name.fullmatch(path.name) and not path.is_symlink() and path.is_file()]
            return [path for time, path in sorted(found, reverse=True) if time > since and not path.samefile(table)]
        except OSError:  # the folder is gone, or a file meanwhile
            return []


class SourceFetcher:
    """Fetches the table of a deck from where it was shared, and writes it once the page has shown what changes."""

    def __init__(self, looks: Looks, history: FileHistory) -> None:
        self._looks, self._history = looks, history
        self._found: FetchedAgain | None = None

    @property
    def address(self) -> str:
        with suppress(InputError):  # the look has the problem
            return read_source_address(self._history.folder)
        return ""

    def act(self, wish: Mapping[str, object]) -> Document:
        """Fetch the table; or, for the ``digest`` of what was fetched, write it. Raises EditError, EditConflict."""
        if "digest" not in wish:
            try:
                self._found = found = fetch_again(self._history.folder, self.address, is_typed=False)
            except InputError as error:
                raise EditError(str(error)) from error
            return {"place": found.table.name, "changes": found.changes, "digest": sha256(found.content).hexdigest()}
        if self._found is None or wish["digest"] != sha256(self._found.content).hexdigest():
            raise EditConflict("The table has been fetched anew meanwhile; nothing was written.")
        with self._looks.drawing:
            self._history.write(self._found.table, self._history.read(self._found.table), self._found.content)
        return {}


def _read(path: Path) -> bytes:
    return read_bytes(path, MAX_FILE_BYTES, "make it smaller")


# --- Layout ---
# Layout on the live page: what drew a face, with its place in the template, and changes of its numbers.
#
# Only templates in the folder of a deck are changed. Faces are drawn by templates with numbered calls, which neither
# come from the cache nor go into it.

MAX_VALUES = 30
MAX_FITTED = 400  # faces of a language in which a text is tried


@dataclass(frozen=True, slots=True, kw_only=True)
class Occurrence:
    """A call on a face: the piece and the language, and what was recorded."""

    id: str
    lang: str
    album: Album
    call: RecordedCall


class Layouts:
    """The layout of faces of a deck."""

    def __init__(self, looks: Looks, history: FileHistory) -> None:
        self._looks, self._history = looks, history
        self._recorded: tuple[TemplateSet, TemplateSet, Recorder] | None = None
        self._occurrences: tuple[object, tuple[Occurrence, ...]] = None, ()

    @staticmethod
    def is_possible(album: Album) -> bool:
        """True if the faces are drawn by templates of a deck, whose functions report where they draw."""
        return album.renderer.pictures is not None and not album.renderer.templates.are_ours

    def describe(self, view: PageView, wish: Mapping[str, str]) -> Document | None:
        """Describe what a face was drawn with: the calls that were made, and those of their templates as they stand."""
        side = self._looks.find_face(view, wish)
        if side is None or not self.is_possible(side.album):
            return None
        with self._looks.drawing:
            svg, calls = self._draw(side)
            sources = dict(self._sources(side.album, calls))
        return {"svg": svg, "template": side.request.template, "words": KEYWORDS, "colours": _palette(side.album),
                "sources": sources, "calls": [_describe(call, sources) for call in calls]}

    def fits(self, view: PageView, wish: Mapping[str, str]) -> Document | None:
        """Count the rows and languages in which the words of a call fit with other values, and name the tightest."""
        side, function, values = self._looks.find_face(view, wish), wish.get("fn", ""), _parse_values(wish)
        if side is None or values is None or function not in FITTED_FUNCTIONS:
            return None
        tried = 0
        worst, where = Lack(0, 0), None
        misfits = 0
        for each in self._find_occurrences(view, side.request.template, wish.get("call", "")):
            assert each.call.box
            lack = find_lack(_tools(each.album), function, {**each.call.given, **values}, _room(each.call.box, values),
                             each.call.in_box)
            tried, misfits = tried + 1, misfits + any(lack)
            if sum(lack) > sum(worst):
                worst, where = lack, each
        return {"all": tried, "fits": tried - misfits, "worst": where and {
            "id": where.id, "lang": where.lang, "across": round(worst.across, 2), "down": round(worst.down, 2)}}

    def change(self, wish: Mapping[str, object]) -> Document:
        """Change, delete, move or add a call of a template. Raises EditError, EditConflict if the file has changed."""
        name, known, number, do, values = (wish.get(key) for key in ("template", "digest", "call", "do", "values"))
        if not (isinstance(name, str) and isinstance(known, str) and type(number) is int
                and isinstance(values, dict) and len(values) < MAX_VALUES):
            raise EditError("This is not a call of the deck.")
        with self._looks.drawing:
            album = self._first_album()
            path, text = self._read_known(album, name, known)
            match do, values:
                case "set", _:
                    changed = set_arguments(text, number, values, _palette(album))
                case "delete", _:
                    changed = delete_call(text, number)
                case "up" | "down", _:
                    changed = move_call(text, number, -1 if do == "up" else 1)
                case "add", {"fn": str(function), "column": str(column), "x": int() | float() as x,
                             "y": int() | float() as y}:
                    changed = add_call(text, function, column, float(x), float(y))
                case _:
                    raise EditError("This can't be done.")
            self._history.write(path, text.encode(), changed.encode())
        return {}

    # Texts of templates

    def read_text(self, name: str) -> Document:
        """Return the text of a template. Raises EditError for one that is not in the folder of the deck."""
        path, text = self._read(self._first_album(), name)
        return {"name": path.name, "digest": template_digest(text), "text": text}

    def write_text(self, wish: Mapping[str, object]) -> Document:
        """Write the text of a template. Raises EditError, EditConflict if the file has changed."""
        name, known, new = (wish.get(key) for key in ("name", "digest", "text"))
        if not (isinstance(name, str) and isinstance(known, str) and isinstance(new, str)):
            raise EditError("This is not a template of the deck.")
        with self._looks.drawing:
            path, text = self._read_known(self._first_album(), name, known)
            new = new.replace("\r\n", "\n")
            self._history.write(path, text.encode(), (new.replace("\n", "\r\n") if "\r\n" in text else new).encode())
        return {}

    def _first_album(self) -> Album:
        for album in self._looks.state.albums:
            return album
        raise EditError("Nothing has been drawn yet: change the file in your editor.")

    def _read_known(self, album: Album, name: str, known: str) -> tuple[Path, str]:
        path, text = self._read(album, name)
        if template_digest(text) != known:
            raise EditConflict(f"{path.name} has been changed meanwhile; nothing was written.")
        return path, text

    # Drawing

    def _templates(self, album: Album) -> tuple[TemplateSet, Recorder]:
        """The templates of an album with numbered calls; compiled once as long as they don't change."""
        templates = album.renderer.templates
        if self._recorded is None or self._recorded[0] is not templates:
            recorder = Recorder()
            self._recorded = templates, replace(templates, recorder=recorder), recorder
        return self._recorded[1:]

    def _draw(self, side: FaceOfPiece) -> tuple[str, list[RecordedCall]]:
        """Draw a face; return its SVG, which is empty if it has a problem, and the calls that were made."""
        templates, recorder = self._templates(side.album)
        renderer = replace(side.album.renderer, templates=templates, marked=True)
        svg = ""
        with suppress(InputError):  # the page has the problem
            svg = renderer.draw(side.request, side.bleed, side.name).svg
        return svg, recorder.calls

    def _sources(self, album: Album, calls: list[RecordedCall]) -> Iterator[tuple[str, Document]]:
        """Yield the templates of the deck that were called, by name, with their calls."""
        for name in dict.fromkeys(call.mark.rpartition("#")[0] for call in calls):
            with suppress(EditError):
                _, text = self._read(album, name)
                yield name, {"digest": template_digest(text), "calls": describe_calls(text)}

    def _read(self, album: Album, name: str) -> tuple[Path, str]:
        path = None if album.renderer.templates.are_ours else album.renderer.templates.find_file(name)
        if path is None or not name.lower().endswith(SUFFIXES):
            raise EditError("This template is not a file of the deck.")
        content = self._history.read(path)
        try:
            if len(content) <= MAX_CHARACTERS:
                return path, content.decode()
        except UnicodeDecodeError:
            pass
        raise EditError(f"{path.name} is not UTF-8 text, or too long: change it in your editor.")

    def _find_occurrences(self, view: PageView, template: str, mark: str) -> tuple[Occurrence, ...]:
        """Find a call on the faces of all rows and languages that have this template."""
        key = self._looks.number, view, template, mark
        if self._occurrences[0] != key:
            found: list[Occurrence] = []
            for lang in self._looks.choices.get("lang", (view.lang,)):
                album = self._looks.find(replace(view, lang=lang)).album
                if album is None:
                    continue
                with self._looks.drawing:
                    faces = [each for each in dict.fromkeys(album.requests.values())
                             if each[0].template == template][:MAX_FITTED]
                    for request, bleed in faces:
                        _, calls = self._draw(FaceOfPiece(album, request, bleed, request.key))
                        found += [Occurrence(id=request.key, lang=lang, album=album, call=call)
                                  for call in calls if call.mark == mark and call.box]
            self._occurrences = key, tuple(found)
        return self._occurrences[1]


def _parse_values(wish: Mapping[str, str]) -> Mapping[str, float] | None:
    try:
        values = json.loads(wish.get("values", "{}"))
    except (ValueError, RecursionError):
        return None
    is_right = isinstance(values, dict) and all(
        type(value) in (int, float) and abs(value) < MAX_VALUE and name in NUMBERS for name, value in values.items())
    return values if is_right else None


def _describe(call: RecordedCall, sources: Mapping[str, Document]) -> Document:
    """Describe a call that was made; arguments that were given by position get their names."""
    template, _, number = call.mark.rpartition("#")
    function = sources.get(template, {"calls": {}})["calls"].get(int(number), {}).get("fn", "")
    order = positional_arguments(function)
    given = {order[int(name)] if name.isdecimal() and int(name) < len(order) else name: value
             for name, value in call.given.items()}
    return {"call": call.mark, "given": given, "within": call.within, "boxesBy": call.boxes_by,
            "box": call.box and [call.box.x, call.box.y, call.box.width, call.box.height]}


def _palette(album: Album) -> Mapping[str, str]:
    colours = album.renderer.common.get("colours")
    return {name: value for name, value in colours.items() if isinstance(value, str)} if isinstance(
        colours, Mapping) else {}


def _tools(album: Album) -> FaceTools:
    """Functions of a face of no size, to measure texts with icons."""
    renderer = album.renderer
    assert renderer.pictures
    return FaceTools(frame=FrameOfFace(width=0, height=0, bleed=0, outline=""), ink=renderer.ink,
                     lettering=Lettering(fonts=renderer.fonts), pictures=renderer.pictures)


def _room(box: Rect, values: Mapping[str, float]) -> Size:
    if "r" in values:
        return Size(2 * values["r"], 2 * values["r"])
    return Size(values.get("width", box.width), values.get("height", box.height))


# --- Strip of looks ---
class LookStrip:
    """The looks of a deck to choose from, until one of its layouts has been changed by hand."""

    def __init__(self, looks: Looks, renderer: PictureRenderer, history: FileHistory) -> None:
        self._looks, self._renderer, self._history = looks, renderer, history

    @property
    def state(self) -> str:
        """``open``, or ``changed`` for a deck that had looks until its layout was changed; empty for any other."""
        if open_relooks(self._history.folder):
            return "open"
        return "changed" if was_made_here(self._history.folder) else ""

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
            run = replace(side.album.run, workshop=side.album.run.workshop.in_look(look))
            face = run.studio.draw(side.request, side.bleed, side.name)
            self._renderer.add_faces([face], run.workshop.fonts)
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


# --- Edits ---
MAX_TABLE_ROWS = 2_000  # rows of a table on the page


def render_pages(album: Album) -> Iterator[tuple[PictureSource, Document]]:
    """Make the pages of an album's set: the picture of each, and its description. Raises InputError."""
    texts, printed = album.run.texts, print_set(album.run)
    contents = [file.content for file in printed.files if file.path.endswith(".pdf")]
    titles = {name: texts(key) for name, key in WORDS.items() if has_words(texts, name)}
    for entry, content in zip(manifest_files(printed.manifests), contents, strict=True):
        part = entry["part"]
        if part in WORDS and entry["sheets"]:
            continue  # booklets are shown page by page, in reading order, not as imposed on sheets to fold
        for side, size in zip(entry["sides"], page_sizes(content), strict=True):
            number = side["page"]
            source = PictureSource(key=f"{entry['sha256'][:24]}-{number}", size=size, document=content, page=number - 1)
            yield source, {
                "part": part, "title": titles.get(part) or part, "number": number, "side": side["side"],
                "sheets": entry["sheets"], "cuts": entry["layout"]["cuts"], "key": source.key, "width": size.width,
                "height": size.height, "dpis": dpis_for(size)}


class Sheets:
    """The printed pages of looks. They take longer than faces and are imposed on request only."""

    def __init__(self, looks: Looks, renderer: PictureRenderer) -> None:
        self._looks, self._renderer = looks, renderer
        self._sheets: dict[tuple[PageView, str], tuple[int, tuple[tuple[PictureSource, Document], ...],
                                                       tuple[Problem, ...]]] = {}

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
                    pages, problems = tuple(render_pages(album)), ()
                except InputError as error:
                    problems = error.problems
                self._sheets[key] = number, pages, problems
        for source, _ in pages:
            self._renderer.add(source)
        return {"problems": self._looks.describe_problems(problems), "paper": album.run.paper.title,
                "pages": [page for _, page in pages]}


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
        self.fetcher = SourceFetcher(looks, self.history)
        self.follower = Follower(follow, looks, self.history) if follow else None
        self.acts: dict[str, Callable[[Mapping[str, object]], Document]] = {  # raise EditError
            "cell": self.cells.write, "row": self.cells.change_row, "csv": self.cells.make_csv,
            "layout": self.layouts.change, "relook": self.strip.choose,
            "template": self.layouts.write_text, "undo": lambda _: {"file": self.history.undo().name},
            "redo": lambda _: {"file": self.history.redo().name},
            "fetch": self.fetcher.act, **({"follow": self.follower.act} if self.follower else {})}
