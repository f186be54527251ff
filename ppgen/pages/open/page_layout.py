"""Layout on the live page: what drew a face, with its place in the template, and changes of its numbers.

Only templates in the folder of a deck are changed. Faces are drawn by templates with numbered calls, which neither come
from the cache nor go into it.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path

from ppgen.engine.drawing.face import FrameOfFace
from ppgen.engine.drawing.face_tools import FITTED_FUNCTIONS, FaceTools, Lack, find_lack
from ppgen.engine.drawing.lettering import Lettering
from ppgen.engine.drawing.template_calls import (KEYWORDS, MAX_VALUE, NUMBERS, RecordedCall, Recorder, add_call,
                                                 delete_call, describe_calls, move_call, positional_arguments,
                                                 set_arguments, template_digest)
from ppgen.engine.drawing.template_source import SUFFIXES
from ppgen.engine.drawing.templates import MAX_CHARACTERS, TemplateSet
from ppgen.engine.geometry import Rect, Size
from ppgen.errors import InputError
from ppgen.pages.open.album import Album
from ppgen.pages.open.page_looks import Document, FaceOfPiece, Looks, PageView
from ppgen.reading.editing import EditConflict, EditError, FileHistory

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
