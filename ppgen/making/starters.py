"""New decks: requests for them, and the files of starters."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING
from zipfile import BadZipFile, ZipFile
from zlib import error as ZlibError

from ppgen.assets import DECK_FILE, TRANSLATED
from ppgen.errors import InputError, Phrase, Problem, display_path, join_names
from ppgen.process.file_writing import BuiltFile
from ppgen.reading.fields import is_file_name, parse_toml, read_source
from ppgen.records import dataclass, field
from ppgen.shipped import shipped_root

if TYPE_CHECKING:
    from ppgen.engine.drawing.fonts import FontBook


# --- Requests ---

@dataclass(frozen=True, slots=True, kw_only=True)
class SheetRequest:
    """Sources of a new deck: a sheet or the ``page`` of a workbook, a folder of pictures, a drawing as the
    front, size and shape of the cards, the name of a look, language (``user_lang`` if it is not given and can't be
    guessed), titles of the deck (``book_title`` if several sheets become parts), and ``HEADING=ROLE`` for columns.
    ``source`` is the address that the sheet was fetched from.
    """

    sheet: Path
    title: str
    book_title: str = ""
    page: str = ""
    art: Path | None = None
    front: Path | None = None
    size: str = ""
    shape: str = "rectangle"
    look: str = ""
    lang: str = ""
    user_lang: str = "en"
    roles: Sequence[str] = ()
    source: str = ""


SHEET_ENDINGS = (".pdf", ".png", ".jpg", ".jpeg", ".webp")  # endings of files that may be sheets of finished cards


@dataclass(frozen=True, slots=True, kw_only=True)
class ArtRequest:
    """Finished art that a new deck is to be made of: a folder or file; title, size, shape and language of the cards.

    Of sheets also the grid (``3x3``), the gap, the margin, and the backs: ``none``, ``first``, ``one``, ``pages`` or
    ``fold``.
    """

    source: Path
    title: str
    size: str = ""
    shape: str = "rectangle"
    lang: str = ""
    grid: str = ""
    gap: str = ""
    margin: str = ""
    backs: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class SheetView:
    """A sheet of finished cards: its picture, its sides in mm (in pixels without a scale), the grid that was found,
    boxes of cards of other sizes, and the usual sizes of cards.
    """

    picture: bytes
    sides: tuple[float, float]
    has_scale: bool
    grid: Mapping[str, float] | None
    is_sure: bool
    others: Sequence[Sequence[float]]
    sizes: Mapping[str, tuple[float, float]]


@dataclass(frozen=True, slots=True, kw_only=True)
class NewDeck:
    """A deck that is being begun: its files as paths with contents or sources, what each column of its sheet became,
    what was found, also as data, warnings, and those that the deck gives itself whenever it is read.
    """

    files: Mapping[str, bytes | Path]
    columns: tuple[tuple[str, str], ...] = ()
    notes: tuple[str, ...] = ()
    warnings: tuple[Problem, ...] = ()
    deck_warnings: tuple[Problem, ...] = ()
    found: Mapping[str, object] = field(default_factory=dict)
    picture: bytes = b""  # A picture of the grid over the first sheet. Without files it is all that is written.


@dataclass(frozen=True, slots=True, kw_only=True)
class Relook:
    """A deck in another look: its files that change, each before and after (None for no file), fonts and colours."""

    changes: Mapping[str, tuple[bytes | None, bytes | None]]
    fonts: FontBook
    colours: Mapping[str, object]


@dataclass(frozen=True, slots=True, kw_only=True)
class Relooks:
    """The looks that a deck may have; ``make`` raises InputError if the deck can't have that look."""

    look: str
    names: Sequence[str]
    make: Callable[[str], Relook]


# --- Sources ---

TABLE_ENDINGS = (".csv", ".tsv", ".xlsx", ".ods")  # endings of files that are a table wherever they lie
MAX_DROPPED_FILES, MAX_DROPPED_BYTES = 500, 500_000_000  # of a zip file when unpacked, and of what is given to a page
_BLOCK_BYTES = 1_000_000


def is_zip(path: Path) -> bool:
    return path.suffix.lower() == ".zip"


def unpack_folder(archive: Path, into: Path) -> None:
    """Unpack a zip file, without hidden files. Raises InputError for names that lead out of it, and if it is large."""
    place = display_path(archive)
    if not archive.is_file():
        raise InputError.at("--from", f"there is no file '{place}'", Phrase("check_name"))
    try:
        with ZipFile(archive) as packed:
            _unpack(packed, place, into)
    except (BadZipFile, ZlibError, OSError, ValueError, NotImplementedError, RuntimeError, EOFError) as error:
        raise InputError.at(place, f"can't be unpacked: {error}", "pack it again as ZIP, without a password") from error


def _unpack(packed: ZipFile, place: str, into: Path) -> None:
    files = [file for file in packed.infolist() if not file.is_dir() and not any(  # of the system that packed it
        part.startswith((".", "__MACOSX")) for part in Path(file.filename).parts if ".." not in part)]
    left = MAX_DROPPED_BYTES
    for file in files:
        if not is_file_name(file.filename):
            raise InputError.at(place, f"has a file '{file.filename}', which is not a name for one on every system",
                                "rename it")
        target = into / file.filename.replace("\\", "/")
        target.parent.mkdir(parents=True, exist_ok=True)
        with packed.open(file) as source, target.open("xb") as copy:
            while len(files) <= MAX_DROPPED_FILES and left >= 0 and (block := source.read(_BLOCK_BYTES)):
                left -= copy.write(block)
        if len(files) > MAX_DROPPED_FILES or left < 0:
            raise InputError.at(place, f"holds more than {MAX_DROPPED_FILES} files or "
                                f"{MAX_DROPPED_BYTES // 1_000_000} MB", "pack what belongs to this deck")


def find_source(folder: Path, place: str) -> Path:
    """Find the table or the only PDF of a folder; without one, finished cards: the folder itself, or the only one in
    it. Raises InputError for several tables, and for a deck.
    """
    inside = _list_visible(folder)
    while len(inside) == 1 and inside[0].is_dir() and not inside[0].is_symlink():
        folder, inside = inside[0], _list_visible(inside[0])
    tables = [path for path in inside if path.suffix.lower() in TABLE_ENDINGS]
    if any(path.name == DECK_FILE for path in inside):
        raise InputError.at(place, "is a deck already", "open it with ppgen open")
    if len(tables) > 1:
        raise InputError.at(place, f"holds several tables: {join_names(path.name for path in tables)}",
                            "give one of them, and the pictures as --art")
    return next((path for path in (tables or inside) if tables or (len(inside) == 1 and path.suffix.lower() == ".pdf")),
                folder)


def _list_visible(folder: Path) -> list[Path]:
    return sorted(path for path in folder.iterdir() if not path.name.startswith("."))


# --- Starters ---

_TEMPLATE_NAMES = re.compile(rb"[\"']([a-z_]+/[a-z0-9_/.-]+\.svg\.j2)[\"']")  # names of other templates in a template


def starter_set(game: str, langs: Collection[str]) -> Iterator[BuiltFile]:
    """Yield the shipped set of a game folder in some languages: data, templates, options and a page about them."""
    yield from _read_folder(shipped_root() / "data" / "starters" / "set")
    yield from _read_folder(shipped_root() / "data" / "starters" / game)
    for file in _read_folder(shipped_root() / "data" / game, f"data/{game}/"):
        path = Path(file.path)
        if path.parent.name not in TRANSLATED or path.stem in langs:
            yield file
    yield from _add_borrowed(_read_folder(shipped_root() / "templates" / game, f"templates/{game}/"))


def starters() -> dict[str, str]:
    """The decks to begin with: their names, and the comment in the first line of each."""
    files = sorted((shipped_root() / "data" / "starters").glob(f"*/{DECK_FILE}"))
    return {file.parent.name: file.read_text(encoding="utf-8").partition("\n")[0].lstrip("# ") for file in files}


def copy_starter(name: str, title: str) -> NewDeck:
    """A starter with another title."""
    files = {file.path: file.content for file in _read_folder(shipped_root() / "data" / "starters" / name)}
    quoted = json.dumps(title, ensure_ascii=False)
    files[DECK_FILE] = re.sub(rb'(?m)^title = ".*"$', lambda _: f"title = {quoted}".encode(), files[DECK_FILE], count=1)
    return NewDeck(files=files)


def find_parts() -> list[str]:
    """The names of the parts that a deck may be given."""
    return sorted(file.parent.name for file in (shipped_root() / "data" / "parts").glob(f"*/{DECK_FILE}"))


def add_part(folder: Path, part: str) -> list[BuiltFile]:
    """The files of a part for the deck in ``folder``, and its ``deck.toml`` with it. Raises InputError."""
    deck = read_source(folder, DECK_FILE)
    files = {file.path: file.content for file in _read_folder(shipped_root() / "data" / "parts" / part)}
    taken = [name for name in files if name != DECK_FILE and (folder / name).exists()]
    if part in parse_toml(deck) or taken:
        what = f"has {join_names(taken)} already" if taken else f"has a part [{part}] already"
        raise InputError.at(display_path(folder), what, "rename it, or add another part")
    files[DECK_FILE] = f"{deck.text.rstrip()}\n\n".encode() + files[DECK_FILE]
    return [BuiltFile(path=path, content=content) for path, content in files.items()]


def deck_files(deck: NewDeck) -> Iterator[BuiltFile]:
    """Yield the files of a new deck; pictures are read one at a time."""
    for path, content in deck.files.items():
        yield BuiltFile(path=path, content=content if isinstance(content, bytes) else content.read_bytes())


def _add_borrowed(templates: Iterable[BuiltFile]) -> Collection[BuiltFile]:
    """Add the templates of other games that these use, directly or not; of a subfolder all of them."""
    collected = {file.path: file for file in templates}
    todo = list(collected.values())
    while todo:
        for name in map(bytes.decode, _TEMPLATE_NAMES.findall(todo.pop().content)):
            if not name.startswith("shared/"):
                new = [file for file in _templates_with(name) if file.path not in collected]
                collected |= {file.path: file for file in new}
                todo += new
    return collected.values()


def _templates_with(name: str) -> Iterable[BuiltFile]:
    """The shipped template of this name, if any, and all others of its game's subfolder."""
    path, home = shipped_root() / "templates" / name, "/".join(name.split("/")[:2])
    if not path.is_file():
        return []
    if home == name:
        return [BuiltFile(path=f"templates/{name}", content=path.read_bytes())]
    return _read_folder(shipped_root() / "templates" / home, f"templates/{home}/")


def _read_folder(folder: Path, into: str = "") -> Iterator[BuiltFile]:
    for path in sorted(folder.rglob("*")):
        if path.is_file() and not path.name.startswith("."):
            yield BuiltFile(path=into + path.relative_to(folder).as_posix(), content=path.read_bytes())
