"""Page that lays a grid over sheets of finished cards, until ``ppgen new`` has cut them into a deck."""

from __future__ import annotations

import re
import shlex
from collections.abc import Mapping
from dataclasses import asdict
from http import HTTPStatus
from pathlib import Path
from threading import Event

from ppgen.making.starters import SheetView
from ppgen.pages.local_server import Answer
from ppgen.pages.open.child_jobs import Choices, Job, JobRunner
from ppgen.pages.open.live_page import static_answers

_LENGTH = r"\d{1,4}(?:\.\d{1,2})?"
OPTIONS = {"name": r"\w[\w .-]{0,79}", "grid": r"[1-9]\d?x[1-9]\d?", "size": rf"{_LENGTH}x{_LENGTH}mm",
           "gap": rf"{_LENGTH}(?:x{_LENGTH})?mm", "margin": rf"{_LENGTH}x{_LENGTH}mm",
           "backs": "none|first|one|pages|fold"}
"""What the page may say of a deck: a name that is not a path, and options of ``ppgen new``."""


class SheetPage:
    """The page of some sheets, of which it makes one deck."""

    can_act = True

    def __init__(self, file: Path, view: SheetView, words: Mapping[str, str]) -> None:
        self._source = file
        self._forms = {**OPTIONS, "size": "|".join((OPTIONS["size"], *map(re.escape, view.sizes)))}
        self._made = Event()
        self.jobs = JobRunner({"new": Job(self._arguments, lambda choices, *_: choices)})
        self.jobs.on_change = self._follow_job
        facts = {name: value for name, value in asdict(view).items() if name != "picture"}
        self._answers = {
            **static_answers("sheet.html", ("base.js", "sheet.js"), words),
            "/sheet.png": Answer(content=view.picture, kind="image/png"),
            "/api/sheet": Answer.of_json({**facts, "name": re.sub(r"[^\w.-]+", "-", file.stem).strip("-._") or "deck",
                                          "file": file.name, "source": shlex.quote(str(file))})}

    def _arguments(self, choices: Choices) -> list[str]:
        options = (f"--{name}={value}" for name, value in choices.items() if name != "name")
        return ["new", choices["name"], f"--from={self._source}", "--json", *options]

    def _follow_job(self) -> None:
        if self.jobs.status.state == "done":
            self._made.set()

    def wait_for_deck(self) -> Path:
        """Wait until the deck is made, and return its folder."""
        while not self._made.wait(1):  # a wait without end could not be interrupted on Windows
            pass
        return Path(self.jobs.status.choices["name"])

    def answer(self, path: str) -> Answer | None:
        return Answer.of_json(asdict(self.jobs.status)) if path == "/api/job" else self._answers.get(path)

    def act(self, path: str, wish: Mapping[str, object]) -> Answer | None:
        """Make the deck, or stop making it."""
        if path == "/api/stop":
            self.jobs.stop()
            return Answer.of_json({})
        if path != "/api/new":
            return None
        if "name" not in wish or not all(isinstance(value, str) and re.fullmatch(self._forms.get(key, "(?!)"), value)
                                         for key, value in wish.items()):
            return Answer.of_json({"key": "not_possible"}, HTTPStatus.BAD_REQUEST)
        if self._made.is_set() or not self.jobs.start("new", wish):
            return Answer.of_json({"key": "busy"}, HTTPStatus.CONFLICT)
        return Answer.of_json(asdict(self.jobs.status))

    def close(self) -> None:
        """Stop the job, if any."""
        self.jobs.close()
