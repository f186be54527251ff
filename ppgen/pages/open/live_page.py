"""The page of a set, and that of a grid, which comes before it."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from http import HTTPStatus
from pathlib import Path
from threading import Condition, Event
from urllib.parse import parse_qsl

from ppgen.lines import quote_argument
from ppgen.making.starters import SheetView
from ppgen.pages.local_server import (DECK_NAME, LOOK_INTERVAL_S, Answer, Choices, Job, JobRunner, ServedPage,
                                      made_answer, static_answers)
from ppgen.pages.open.album import AlbumState
from ppgen.pages.open.page_looks import (Document, Looks, PageView, PictureRenderer, Workbench, describe_look, dpis_for,
                                         localize, places_of)
from ppgen.pages.open.page_parts import Edits, Sheets
from ppgen.reading.editing import WORKBOOKS, EditConflict, EditError
from ppgen.records import asdict

# --- Page of a set ---
# Live page of a preview: answers to browsers.
#
# The page is static files and the texts of the user's language. What it shows it fetches as JSON: a look at the set in
# a language, ink, skin and card size. Words of a deck never become markup. Whoever opens the page without the server's
# token may only look.

HEARTBEAT_S = 15.0  # between writes to a listener
PRINTER_ANSWERS = ("name", "across", "down", "a-x", "a-y", "b-x", "b-y")

_PICTURE = re.compile(r"/picture/([0-9a-f]{24}(?:-[0-9]{1,4})?)-([0-9]{2,3})\.webp")


class LivePage(ServedPage):
    """The page of the current state, for any number of browsers at once."""

    def __init__(self, bench: Workbench | None = None) -> None:
        self.bench = bench or Workbench()
        self._changed = Condition()
        self._news = 0
        self._change: Mapping[str, object] = {}
        self._active = 0
        self._closed = False
        self._renderer = PictureRenderer()
        self._looks = Looks(self.bench, self._renderer)
        self._sheets = Sheets(self._looks, self._renderer)
        self._edits = Edits(self._looks, self._renderer, self.bench.folder,
                            self.bench.follow) if self.bench.folder else None
        if self.bench.jobs:
            self.bench.jobs.on_change = self._follow_job
        self._views: dict[str, Callable[[PageView, Mapping[str, str]], object]] = {
            "/api/look": lambda view, wish: self._look(view), "/api/marks": self._looks.marks,
            "/api/select": self._looks.select, "/api/sheets": lambda view, wish: self._sheets.describe(view),
            "/api/states": lambda view, wish: {name: [*ids] for name, ids in self._looks.states(view).items()},
            "/api/landed": lambda view, wish: (
                self._edits.follower.describe() if self._edits and self._edits.follower else {})}
        if self._edits:
            self._views |= {"/api/layout": self._edits.layouts.describe, "/api/fits": self._edits.layouts.fits,
                            "/api/looks": self._edits.strip.describe,
                            "/api/template": lambda _, wish: self._read_template(wish.get("name", ""))}
        self._static = static_answers("page.html", ("base.js", "tables.js", "page.js", "layout.js"), self.bench.words)

    @property
    def can_act(self) -> bool:
        return bool(self.bench.jobs or self.bench.folder)

    def show(self, state: AlbumState, change: Mapping[str, object]) -> None:
        """Replace the state, and notify all listeners of the ``change``."""
        self._change = change
        self._looks.replace_first(state)
        self._notify()

    def _follow_job(self) -> None:
        status = self.bench.jobs.status if self.bench.jobs else None
        if status and status.state == "done" and status.name not in ("check", "playtest", "export"):
            self._looks.read_anew()  # one printer more, or more is printed
        self._notify()

    def _notify(self) -> None:
        with self._changed:
            self._news += 1
            self._changed.notify_all()

    def close(self) -> None:
        """End the job, stop answering, and wait for drawing to end: no library may be at work when Python ends."""
        if self.bench.jobs:
            self.bench.jobs.close()
        with self._changed:
            self._closed = True
            self._changed.notify_all()
            self._changed.wait_for(lambda: not self._active)

    def answer(self, path: str) -> Answer | None:
        """Return the answer for a path, or None."""
        with self._changed:
            if self._closed:
                return None
            self._active += 1
        try:
            return self._answer(path)
        finally:
            with self._changed:
                self._active -= 1
                self._changed.notify_all()

    def _answer(self, address: str) -> Answer | None:
        if address in self._static:
            return self._static[address]
        if address.partition("?")[0] == "/events":
            return Answer(content=self._events(), kind="text/event-stream")
        if match := _PICTURE.fullmatch(address):
            return self._picture(match[1], int(match[2]))
        if made := made_answer(self.bench.jobs, address):
            return made
        path, _, query = address.partition("?")
        if path == "/api/job":
            return Answer.of_json(self._job())
        if path not in self._views or len(query) > 2_000:
            return None
        with self._changed:  # the page is served while its faces are drawn for the first time
            self._changed.wait_for(lambda: self._news or self._closed)
        if self._closed:
            return None
        wish = dict(parse_qsl(query))
        view = self._looks.parse_view(wish)
        document = None if view is None else self._views[path](view, wish)
        return None if document is None else Answer.of_json(document)

    def _events(self) -> Iterator[bytes]:
        """Yield the number of the look at each change, also of the job (server-sent events)."""
        yield b"retry: 1000\n\n"
        last, quiet = -1, 0.0
        while True:
            number = self._wait_for_change(last)
            quiet = quiet + LOOK_INTERVAL_S if number == last else 0.0
            if number != last:
                yield f"event: look\ndata: {self._looks.number}\n\n".encode()
            else:
                yield b"" if quiet % HEARTBEAT_S else b": still here\n\n"
            last = number

    def _wait_for_change(self, last: int) -> int:
        """Return the number of news as soon as it is not ``last``, or ``last`` after ``LOOK_INTERVAL_S``."""
        with self._changed:
            self._changed.wait_for(lambda: self._news != last, LOOK_INTERVAL_S)
            return self._news

    def _picture(self, key: str, dpi: int) -> Answer | None:
        size = self._renderer.size(key)
        if size is None or dpi not in dpis_for(size):
            return None
        try:
            return Answer(content=self._renderer.picture(key, dpi), kind="image/webp", is_immutable=True)
        except KeyError:  # evicted meanwhile
            return None

    def _look(self, view: PageView) -> Document:
        number, state, album = self._looks.find(view)
        look = describe_look(album)
        choices = {name: list(values) for name, values in self._looks.choices.items()}
        return {**look, "number": number, "change": self._change, "view": asdict(view), "choices": choices,
                "failed": bool(state.problems), "job": self._job(),
                "tables": self._edits.cells.describe(look) if self._edits else [],
                "workbooks": sorted(place for place in places_of(state) if place.lower().endswith(WORKBOOKS)),
                "undo": self._edits.history.undo_count if self._edits else 0,
                "redo": self._edits.history.redo_count if self._edits else 0,
                "source": self._edits.fetcher.address if self._edits else "",
                "follow": bool(self.bench.follow), "home": bool(self.bench.leave),
                "looks": self._edits.strip.state if self._edits and album and not state.problems else "",
                "layout": bool(self._edits and album and self._edits.layouts.is_possible(album)),
                "problems": self._looks.describe_problems(state.problems, state.warnings)}

    # Jobs and changes of files: for pages with the token only

    def _job(self) -> Document:
        if not self.bench.jobs:
            return {"state": ""}
        status = asdict(self.bench.jobs.status)
        localize([error for error in status["errors"] if "what" in error], self.bench.translate)
        return status

    def _read_template(self, name: str) -> Document | None:
        try:
            return self._edits.layouts.read_text(name) if self._edits else None
        except EditError:
            return None

    def act(self, path: str, wish: Mapping[str, object]) -> Answer | None:
        """Do what a page with the token requests."""
        jobs, edits, name = self.bench.jobs, self._edits, path.rpartition("/")[2]
        match path:
            case ("/api/make" | "/api/printed" | "/api/check" | "/api/printer" | "/api/playtest"
                  | "/api/export") if jobs:
                return self._start(jobs, name, wish)
            case "/api/stop" if jobs:
                jobs.stop()
                return Answer.of_json({})
            case "/api/home" if self.bench.leave:
                self.bench.leave()
                return Answer.of_json({})
            case _ if edits and path == f"/api/{name}" and name in edits.acts:
                try:
                    return Answer.of_json(edits.acts[name](wish))
                except EditError as error:
                    status = HTTPStatus.CONFLICT if isinstance(error, EditConflict) else HTTPStatus.BAD_REQUEST
                    return Answer.of_json({"error": self._looks.translate(str(error))}, status)
        return None

    def _start(self, jobs: JobRunner, name: str, wish: Mapping[str, object]) -> Answer:
        lists = {**self._looks.choices, "only": ("all", "changed", "found")}
        typed = PRINTER_ANSWERS if name == "printer" else ("margin",)
        ids = {piece.component.id for album in self._looks.state.albums for piece in album.pieces}
        if not all(isinstance(value, str) and (value in lists.get(key, ()) or (key in typed and len(value) < 50)
                                               or (key == "ids" and ids.issuperset(value.split())))
                   for key, value in wish.items()):
            return Answer.of_json({"key": "not_possible"}, HTTPStatus.BAD_REQUEST)
        if not jobs.start(name, wish):
            return Answer.of_json({"key": "busy"}, HTTPStatus.CONFLICT)
        return Answer.of_json(self._job())


# --- Page of a grid ---
# Page that lays a grid over sheets of finished cards, until ``ppgen new`` has cut them into a deck.

_LENGTH = r"\d{1,4}(?:\.\d{1,2})?"
OPTIONS = {"name": DECK_NAME, "grid": r"[1-9]\d?x[1-9]\d?", "size": rf"{_LENGTH}x{_LENGTH}mm",
           "gap": rf"{_LENGTH}(?:x{_LENGTH})?mm", "margin": rf"{_LENGTH}x{_LENGTH}mm",
           "backs": "none|first|one|pages|fold"}
"""What the page may say of a deck: a name that is not a path, and options of ``ppgen new``."""


class SheetPage(ServedPage):
    """The page of some sheets, of which it makes one deck."""

    def __init__(self, file: Path, view: SheetView, words: Mapping[str, str], source: str = "") -> None:
        self._source, self._has_home = file, bool(source)
        self._forms = {**OPTIONS, "size": "|".join((OPTIONS["size"], *map(re.escape, view.sizes)))}
        self._done = Event()
        self.jobs = JobRunner({"new": Job(self._arguments, lambda choices, *_: choices)})
        self.jobs.on_change = self._follow_job
        facts = {name: value for name, value in asdict(view).items() if name != "picture"}
        self._answers = {
            **static_answers("sheet.html", ("base.js", "sheet.js"), words),
            "/sheet.png": Answer(content=view.picture, kind="image/png"),
            "/api/sheet": Answer.of_json({**facts, "name": re.sub(r"[^\w.-]+", "-", file.stem).strip("-._") or "deck",
                                          "file": file.name, "source": quote_argument(source or str(file)),
                                          "home": self._has_home})}

    def _arguments(self, choices: Choices) -> list[str]:
        options = (f"--{name}={value}" for name, value in choices.items() if name != "name")
        return ["new", choices["name"], f"--from={self._source}", "--json", *options]

    def _follow_job(self) -> None:
        if self.jobs.status.state == "done":
            self._done.set()

    def wait_for_deck(self) -> Path | None:
        """Wait until the deck is made, and return its folder; None if the user goes back."""
        while not self._done.wait(1):  # a wait without end could not be interrupted on Windows
            pass
        return Path(self.jobs.status.choices["name"]) if self.jobs.status.state == "done" else None

    def answer(self, path: str) -> Answer | None:
        return Answer.of_json(asdict(self.jobs.status)) if path == "/api/job" else self._answers.get(path)

    def act(self, path: str, wish: Mapping[str, object]) -> Answer | None:
        """Make the deck, or stop making it."""
        if path == "/api/stop":
            self.jobs.stop()
            return Answer.of_json({})
        if path == "/api/home" and self._has_home:
            self._done.set()
            return Answer.of_json({})
        if path != "/api/new":
            return None
        if "name" not in wish or not all(isinstance(value, str) and re.fullmatch(self._forms.get(key, "(?!)"), value)
                                         for key, value in wish.items()):
            return Answer.of_json({"key": "not_possible"}, HTTPStatus.BAD_REQUEST)
        if self._done.is_set() or not self.jobs.start("new", wish):
            return Answer.of_json({"key": "busy"}, HTTPStatus.CONFLICT)
        return Answer.of_json(asdict(self.jobs.status))

    def close(self) -> None:
        """Stop the job, if any."""
        self.jobs.close()
