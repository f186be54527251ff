"""The page that ``ppgen open`` begins with where there is no deck: games to open, to make and to print.

Files that are dropped on it lie in a temporary folder until ``ppgen new`` has made a deck of them. The page chooses
among what is listed, and names a deck; everything it makes is made by a command.
"""

from __future__ import annotations

import json
import os
import re
import shutil
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from datetime import UTC, datetime
from http import HTTPStatus
from io import BufferedIOBase
from itertools import count, islice
from pathlib import Path
from tempfile import TemporaryDirectory
from threading import Event, Lock
from typing import Any
from urllib.parse import parse_qsl, unquote

from ppgen.assets import DECK_FILE, is_deck, is_set, user_folder
from ppgen.errors import InputError, Problem, Problems, display_path, is_network_path
from ppgen.making.fetching import is_address
from ppgen.making.starters import MAX_DROPPED_BYTES, MAX_DROPPED_FILES, SHEET_ENDINGS, starters
from ppgen.pages.local_server import DECK_NAME, Answer, Choices, Job, JobRunner, ServedPage, made_answer, static_answers
from ppgen.process.file_writing import BuiltFile, write_files
from ppgen.reading.fields import is_file_name, read_toml
from ppgen.records import asdict, dataclass
from ppgen.shipped import shipped_root

Document = dict[str, Any]  # a JSON object
FACES = 3  # pictures of what was dropped, and of a shipped game
STARTERS = ("plain", "trick-taking", "deck-builder", "hidden-role", "tile-laying", "roll-and-write", "wargame",
            "word-game")
_OUTPUT = "output"


@dataclass(frozen=True, slots=True, kw_only=True)
class Destination:
    """What the page leads to: the folder of a deck, a shipped game with a preset, or a sheet to lay a grid over."""

    folder: Path | None = None
    game: str = ""
    preset: str = ""
    sheet: Path | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class StartBench:
    """The command's share of the page. All but ``words`` and ``games`` may take seconds, and raise InputError."""

    languages: Sequence[str]
    words: Callable[[], Mapping[str, str]]
    choose_language: Callable[[str], None]
    games: Callable[[], Sequence[Document]]
    draw: Callable[[Destination, int], bytes]  # the picture of one of the first faces
    count_paper: Callable[[Destination], Mapping[str, int]]
    serve_scorer: Callable[[str], tuple[str, bytes]]  # the address of the page that counts, and its QR code
    show: Callable[[Path], None]
    translate: Callable[[str], str]


# --- Decks ---

MAX_LISTED_FOLDERS, MAX_DECK_FILES = 500, 5_000
OPENED_FILE, MAX_OPENED = "opened.json", 12


def list_decks(home: Path) -> list[Path]:
    """The decks in a folder, and those opened last."""
    with suppress(OSError):
        inside = [path for path in islice(home.iterdir(), MAX_LISTED_FOLDERS) if not path.name.startswith(".")]
        return [*dict.fromkeys(path for path in (*inside, *read_opened()) if path.is_dir() and is_set(path))]
    return []


def read_opened() -> list[Path]:
    """The folders of the decks that were opened last."""
    with suppress(InputError, OSError, ValueError, RecursionError):
        opened = json.loads((user_folder("state") / OPENED_FILE).read_bytes())
        names = [name for name in opened if isinstance(name, str)] if isinstance(opened, list) else []
        return [Path(name) for name in names[:MAX_OPENED] if not is_network_path(name)]
    return []


def note_opened(deck: Path) -> None:
    """Note that a deck has been opened; without a folder for it, nothing is noted."""
    names = dict.fromkeys(map(str, (deck.resolve(), *read_opened())))
    with suppress(InputError, OSError):
        content = json.dumps([*names][:MAX_OPENED]).encode()
        write_files(user_folder("state"), [BuiltFile(path=OPENED_FILE, content=content)])


def describe_deck(deck: Path, home: Path) -> Document:
    """The title of a deck, its folder, and when it was changed."""
    title: object = None
    with suppress(InputError):
        title = read_toml(deck, DECK_FILE, Problems()).raw("title")
    _, changed = stamp_deck(deck)
    return {"key": str(deck), "title": title[:80] if isinstance(title, str) and title.strip() else deck.name,
            "folder": str(deck.relative_to(home) if deck.is_relative_to(home) else deck),
            "changed": datetime.fromtimestamp(changed / 1e9, UTC).isoformat()}


def stamp_deck(deck: Path) -> tuple[int, int]:
    """The number of files of a deck, and when the last one was changed, in ns; without what was made of it."""
    files, changed = 0, 0
    for folder, folders, names in os.walk(deck):
        folders[:] = [name for name in folders if not name.startswith(".") and name != _OUTPUT]
        for name in names:
            with suppress(OSError):
                changed = max(changed, Path(folder, name).lstat().st_mtime_ns)
        files += len(names)
        if files > MAX_DECK_FILES:
            break
    return files, changed


def duplicate_deck(deck: Path) -> Path:
    """Copy a deck beside itself, without what was made of it. Raises OSError."""
    target = next(path for n in count(2) if not os.path.lexists(path := deck.with_name(f"{deck.name}-{n}")))
    half = target.with_name(f".{target.name}.part")
    try:
        shutil.copytree(deck, half, symlinks=True, ignore=lambda folder, names: {
            name for name in names if name.startswith(".") or (name == _OUTPUT and Path(folder) == deck)})
        half.rename(target)
    except BaseException:
        shutil.rmtree(half, ignore_errors=True)
        raise
    return target


# --- Files ---

class DroppedFiles:
    """Files that were given to the page, in a temporary folder, or the ``address`` of one."""

    def __init__(self) -> None:
        self._folder: TemporaryDirectory[str] | None = None
        self._lock = Lock()
        self.names: list[str] = []
        self.address = ""
        self._bytes = 0

    @property
    def folder(self) -> Path:
        if self._folder is None:
            self._folder = TemporaryDirectory(prefix="ppgen-")
        return Path(self._folder.name).resolve()

    @property
    def source(self) -> Path | str:
        """What ``ppgen new --from`` takes: the address, the only file, or the folder of all."""
        if self.address:
            return self.address
        files = self.folder / "files"
        return files / self.names[0] if len(self.names) == 1 else files

    def take(self, name: str, stream: BufferedIOBase, length: int) -> str:
        """Take a file; return the key of a text that says why it can't be taken, if so."""
        name = name.replace("\\", "/")
        if not is_file_name(name) or name in self.names:
            return "bad_name"
        with self._lock:
            self._bytes += max(0, length)
            if length < 0 or self._bytes > MAX_DROPPED_BYTES or len(self.names) >= MAX_DROPPED_FILES:
                return "too_many_files"
            target = self.folder / "files" / name
            try:
                target.parent.mkdir(parents=True, exist_ok=True)
                with target.open("xb") as file:
                    while length and (block := stream.read(min(length, 1_000_000))):
                        length -= file.write(block)
            except OSError:
                return "bad_name"
            self.names.append(name)
        return "not_taken" if length else ""

    def clear(self) -> None:
        """Remove all files, and what was made of them."""
        with self._lock:
            folder, self._folder, self.names, self.address, self._bytes = self._folder, None, [], "", 0
        if folder:
            folder.cleanup()


# --- Page ---

class StartPage(ServedPage):
    """The page to start from, in one folder. What its user chooses, it waits for."""

    def __init__(self, home: Path, bench: StartBench) -> None:
        self._home, self._bench = home, bench
        self._dropped = DroppedFiles()
        self._drawing = Lock()
        self._chosen, self._opened = Event(), Event()
        self._choice, self._problems = Destination(), tuple[Problem, ...]()
        self._code = b""
        self.jobs = JobRunner({
            "read": Job(self._read_arguments, self._describe_found, codes=(0, 1)),
            "new": Job(self._new_arguments, lambda choices, *_: {"key": str(home / choices["name"])}),
            "table": Job(lambda choices: ["export", "table", "--game", choices["game"], "--json", "--output",
                                          str(self._dropped.folder / "table")],
                         lambda choices, exports, _: {"files": [file for each in exports for file in each["files"]]})})
        self._read_words()

    def _read_words(self) -> None:
        self._static = static_answers("start.html", ("base.js", "start.js", "start.css"), self._bench.words())

    # What it chooses

    def wait_for_choice(self) -> Destination:
        """Wait until something is chosen. Then call :meth:`answer_choice`."""
        while not self._chosen.wait(1):  # a wait without end could not be interrupted on Windows
            pass
        self._chosen.clear()
        return self._choice

    def answer_choice(self, problems: Sequence[Problem] = ()) -> None:
        """Answer the browser once another page has taken this one's place, or with the problems that prevent it."""
        self._problems = tuple(problems)
        self._opened.set()

    def _choose(self, choice: Destination) -> Answer:
        self._choice = choice
        self._opened.clear()
        self._chosen.set()
        self._opened.wait()
        return self._refuse(*self._problems) if self._problems else Answer.of_json({})

    def _refuse(self, *problems: Problem) -> Answer:
        say = self._bench.translate
        return Answer.of_json({"error": "\n".join(
            f"{each.where}: {say(each.what)}{f' ({say(each.remedy)})' if each.remedy else ''}" for each in problems)},
            HTTPStatus.BAD_REQUEST)

    def _find(self, key: str) -> Destination | None:
        """What a page names: a starter, a game, the deck made of what was dropped, or a listed deck."""
        kind, _, name = key.partition("/")
        if kind == "starter" and name in STARTERS:
            return Destination(folder=shipped_root() / "data" / "starters" / name)
        if kind == "game":
            return next((Destination(game=name) for game in self._bench.games() if game["name"] == name), None)
        if key == "found":
            return Destination(folder=self._found) if is_deck(self._found) else None
        return next((Destination(folder=deck) for deck in list_decks(self._home) if str(deck) == key), None)

    # Answers

    def answer(self, path: str) -> Answer | None:
        place, _, query = path.partition("?")
        wish = dict(parse_qsl(query))
        match place:
            case "/api/start":
                return Answer.of_json(self._describe())
            case "/api/job":
                return self._job()
            case "/qr.svg":
                return Answer(content=self._code, kind="image/svg+xml")
            case "/face.webp" if face := self._find(wish.get("of", "")):
                number = int(n) if (n := wish.get("n", "0")) in map(str, range(FACES)) else 0
                with Lock() if face.folder == self._found else self._drawing:  # what was dropped does not wait
                    return _compute(lambda: Answer(content=self._bench.draw(face, number), kind="image/webp"))
            case "/face.webp":
                return _NOTHING
            case "/api/paper" if game := self._find_game(wish):
                return _compute(lambda: Answer.of_json(self._bench.count_paper(game)))
        return self._static.get(path) or made_answer(self.jobs, path)

    def _find_game(self, wish: Mapping[str, object]) -> Destination | None:
        """The game and preset that a page names."""
        return next((Destination(game=game["name"], preset=preset["name"]) for game in self._bench.games()
                     for preset in ({"name": ""}, *game["presets"])
                     if (game["name"], preset["name"]) == (wish.get("game"), wish.get("preset", ""))), None)

    def _describe(self) -> Document:
        decks = [describe_deck(deck, self._home) for deck in list_decks(self._home)]
        known = starters()
        return {"home": str(self._home), "lang": self._bench.words()["lang"], "langs": self._bench.languages,
                "decks": sorted(decks, key=lambda deck: deck["changed"], reverse=True),
                "starters": [name for name in STARTERS if name in known], "games": self._bench.games(),
                "max_files": MAX_DROPPED_FILES, "max_bytes": MAX_DROPPED_BYTES, "faces": FACES}

    def _job(self) -> Answer:
        """The state of the job; what was dropped is named as its user does."""
        status = json.dumps(asdict(self.jobs.status), ensure_ascii=False)
        for words in (str(self._dropped.folder / "files"), display_path(self._dropped.folder / "files")):
            status = status.replace(json.dumps(f"{words}{os.sep}", ensure_ascii=False)[1:-1], "")
        return Answer.of_json(json.loads(status))

    # Acts

    def take(self, path: str, stream: BufferedIOBase, length: int) -> Answer | None:
        place, _, name = path.partition("?")
        if place != "/api/drop":
            return None
        if not (key := self._dropped.take(unquote(name), stream, length)):
            return Answer.of_json({})
        words = self._bench.words()[key].format(files=MAX_DROPPED_FILES, mb=MAX_DROPPED_BYTES // 1_000_000)
        return Answer.of_json({"error": words}, HTTPStatus.BAD_REQUEST)

    def act(self, path: str, wish: Mapping[str, object]) -> Answer | None:
        """Do what a page with the token requests."""
        choice = self._find(str(wish.get("key", "")))
        folder = choice.folder if choice else None
        match path:
            case "/api/read" if self._dropped.names:
                return self._start("read", {})
            case "/api/fetch" if isinstance(address := wish.get("address"), str) and is_address(address):
                self._dropped.clear()
                self._dropped.address = address
                return self._start("read", {})
            case "/api/new" if self._is_new(wish):
                return self._start("new", wish)
            case "/api/table" if self._find_game(wish):
                return self._start("table", wish)
            case "/api/stop" | "/api/clear":
                self.jobs.stop()
                if path == "/api/clear":
                    self.jobs.wait()
                    self._dropped.clear()
                return Answer.of_json({})
            case "/api/open" if opened := (Destination(folder=folder) if folder else self._find_game(wish)):
                return self._choose(opened)
            case "/api/grid" if self._can_lay_grid:
                return self._choose(Destination(sheet=Path(self._dropped.source)))
            case "/api/show" if folder:
                self._bench.show(folder)
                return Answer.of_json({})
            case "/api/duplicate" if folder:
                return self._duplicate(folder)
            case "/api/points" if self._find_game(wish):
                return self._count_points(str(wish["game"]))
            case "/api/language" if wish.get("lang") in self._bench.languages:
                self._bench.choose_language(str(wish["lang"]))
                self._read_words()
                return Answer.of_json({})
        return Answer.of_json({"key": "not_possible"}, HTTPStatus.BAD_REQUEST)

    def _start(self, name: str, choices: Mapping[str, object]) -> Answer:
        if not self.jobs.start(name, choices):
            return Answer.of_json({"key": "busy"}, HTTPStatus.CONFLICT)
        return self._job()

    def _is_new(self, wish: Mapping[str, object]) -> bool:
        return (isinstance(name := wish.get("name"), str) and re.fullmatch(DECK_NAME, name) is not None
                and ("starter/" + str(wish.get("starter")) in map("starter/{}".format, STARTERS)
                     or (wish.keys() == {"name"} and bool(self._dropped.names or self._dropped.address))
                     or (wish.keys() == {"name", "booklet"} and self._may_be_booklet)))

    def _duplicate(self, folder: Path) -> Answer:
        try:
            duplicate_deck(folder)
        except OSError as error:
            return self._refuse(Problem(str(folder), str(error.strerror or error)))
        return Answer.of_json({})

    def _count_points(self, game: str) -> Answer:
        try:
            address, self._code = self._bench.serve_scorer(game)
        except InputError as error:
            return self._refuse(*error.problems)
        return Answer.of_json({"address": address})

    # What was dropped

    @property
    def _found(self) -> Path:
        """The deck that is made of what was dropped, to look at."""
        return self._dropped.folder / "found"

    @property
    def _can_lay_grid(self) -> bool:
        return len(self._dropped.names) == 1 and self._dropped.names[0].lower().endswith(SHEET_ENDINGS)

    @property
    def _may_be_booklet(self) -> bool:
        return self._can_lay_grid and self._dropped.names[0].lower().endswith(".pdf")

    def _read_arguments(self, choices: Choices) -> Sequence[str]:
        shutil.rmtree(self._found, ignore_errors=True)
        return ["new", str(self._found), f"--from={self._dropped.source}", "--json"]

    def _new_arguments(self, choices: Choices) -> Sequence[str]:
        starter = choices.get("starter", "")
        return ["new", choices["name"], "--json",
                f"--starter={starter}" if starter else f"--from={self._dropped.source}",
                *(["--as=booklet"] if choices.get("booklet") else [])]

    def _describe_found(self, choices: Choices, found: Document, lines: Sequence[str]) -> Document:
        return {"columns": found.get("columns", {}), "notes": found.get("notes", []),
                "warnings": [*dict.fromkeys([*found["warnings"], *(lines if "files" not in found else ())])],
                "is_sure": "files" in found, "has_grid": self._can_lay_grid,
                "may_be_booklet": self._may_be_booklet}

    def forget_dropped(self) -> None:
        """Remove the files that were dropped: a deck has been made of them, or they are not wanted."""
        self._dropped.clear()

    def close(self) -> None:
        self.jobs.close()
        self._dropped.clear()


_NOTHING = Answer(content=b"", kind="text/plain", status=HTTPStatus.NO_CONTENT)


def _compute(make: Callable[[], Answer]) -> Answer:
    """Make an answer; an empty one for a deck that is wrong, or has fewer pieces."""
    with suppress(InputError, OSError):
        return make()
    return _NOTHING
