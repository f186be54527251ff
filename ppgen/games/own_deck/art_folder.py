"""Folders of finished cards: a file for each face, whose name says which card it is, and how often it is there."""

from __future__ import annotations

import re
from base64 import b64decode
from collections import Counter
from collections.abc import Iterable
from contextlib import suppress
from dataclasses import dataclass
from math import isclose
from pathlib import Path
from zlib import crc32

from ppgen.engine.adoption.adopted_drawing import adopt_alone
from ppgen.engine.drawing.pictures import PictureFolder
from ppgen.engine.svg.svg_pictures import PictureError
from ppgen.errors import InputError, Problems, display_path, shorten
from ppgen.games.own_deck.deck import to_id
from ppgen.games.own_deck.deck_loading import MAX_COPIES, RESERVED_PARTS, TOP_KEYS
from ppgen.games.own_deck.new_art import BACK_WORDS, find_picture_files
from ppgen.games.own_deck.new_deck import ONLY_PART
from ppgen.games.own_deck.sheet_columns import picture_key
from ppgen.process.supervision import read_supervised
from ppgen.reading.card_sheets import fill_picture

_SIDE = re.compile(rf"(?:(?P<name>.*?)[ _.-])?(?P<side>front|{'|'.join(sorted(BACK_WORDS))})", re.IGNORECASE)
_COPIES = re.compile(r"(?P<before>\d{1,3})\s*[x×][ _-](?P<rest>.+)|(?P<stem>.+?)[ _-](?:[x×](?P<after>\d{1,3})|"
                     r"(?P<last>\d{1,3})[x×])", re.IGNORECASE)
_NUMBERED = re.compile(r"(.+?) ?\((\d{1,3})\)")
_UNSAFE = re.compile(r"[^\w .()+&',/-]|\.\.")


@dataclass(frozen=True, slots=True, kw_only=True)
class FinishedFace:
    """A finished face: its path in the deck, its content or file, and its sides in pixels, or in mm if ``is_real``.

    With the ``bleed`` in mm that its sides are known to have, and whether its rounded corners were filled.
    """

    path: str
    content: bytes | Path
    width: float
    height: float
    is_real: bool = False
    bleed: float = 0.0
    is_filled: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class FinishedCard:
    """A card whose faces are finished, in a part of that name."""

    name: str
    part: str
    front: FinishedFace
    back: FinishedFace | None = None
    copies: int = 1


@dataclass(frozen=True, slots=True)
class _ArtFile:
    """A file by what its name says: its folder, the card, its side, and the copies."""

    path: Path
    folder: str
    card: str
    is_back: bool
    copies: int

    @property
    def key(self) -> tuple[str, str]:
        return self.folder, picture_key(self.card)


def read_art_folder(root: Path, notes: list[str], problems: Problems) -> list[FinishedCard]:
    """Read the finished cards of a folder; notes what is wrong with files as problems."""
    files = _read_names(root, find_picture_files(root, "--from", problems))
    if not files and not problems:
        problems.note(display_path(root), "holds no pictures or drawings", "give a folder with a file for each card")
    others = sorted(path.name for path in root.iterdir() if path.is_file() and not path.name.startswith(".")
                    and path not in {file.path for file in files})
    if others:
        notes.append(f"not pictures, left out: {shorten(others)}")
    pictures = PictureFolder(root)
    faces = {file.path: face for file in files if (face := _read_face(file.path, root, pictures, problems))}
    backs = {file.key: file for file in files if file.is_back}
    used: set[tuple[str, str]] = set()
    cards = []
    for file in (file for file in files if not file.is_back and file.path in faces):
        front = faces[file.path]
        key = next((key for key in (file.key, (file.folder, ""), ("", "")) if key in backs and (
            key == file.key or _are_alike(front, faces.get(backs[key].path)))), None)
        used |= {key} if key else set()
        cards.append(FinishedCard(name=_title(file.card), part=_part_name(file.folder), front=front,
                                  back=faces.get(backs[key].path) if key else None, copies=file.copies))
    for file in (file for key, file in backs.items() if key not in used and key[1]):
        problems.note(display_path(file.path), "is the back of a card whose front is missing",
                      f"add the front, '{file.card}{file.path.suffix}', or leave it out")
    return cards


def _read_names(root: Path, paths: Iterable[Path]) -> list[_ArtFile]:
    """Read the names, in their order. ``goblin (2)`` is two copies, unless there is a ``goblin`` or ``goblin (1)``."""
    paths = sorted(paths)
    numbered = {path: match for path in paths if (match := _NUMBERED.fullmatch(path.stem))}
    cards = Counter((path.parent, numbered[path][1] if path in numbered else path.stem) for path in paths)
    files = []
    for path in paths:
        folder = path.parent.relative_to(root).as_posix().removeprefix(".")
        words, copies = path.stem, 1
        if path in numbered and cards[path.parent, numbered[path][1]] == 1:
            words, copies = numbered[path][1], int(numbered[path][2])
        elif match := _COPIES.fullmatch(words):
            words = (match["rest"] or match["stem"]).strip(" _-")
            copies = int(match["before"] or match["after"] or match["last"])
        side = _SIDE.fullmatch(words)
        is_back = bool(side and side["side"].lower() != "front")
        card = words if side is None else (side["name"] or "").rstrip(" _.-") or ("" if is_back else words)
        files.append(_ArtFile(path, folder, card, is_back, min(copies, MAX_COPIES)))
    return sorted(files, key=lambda file: (_sort_key(file.folder), _sort_key(file.card)))


def _sort_key(name: str) -> list[tuple[int, str]]:
    """Numbers in names count by their values: card 2 comes before card 10."""
    return [(int(part) if part.isdigit() else -1, part.casefold()) for part in re.split(r"(\d+)", name)]


def _read_face(path: Path, root: Path, pictures: PictureFolder, problems: Problems) -> FinishedFace | None:
    """Check the file of a face. A drawing may hold words, which the deck draws."""
    name = path.relative_to(root).as_posix()
    safe = _UNSAFE.sub("-", name)
    target = f"art/{safe}" if safe == name else f"art/{crc32(name.encode()):08x}-{safe}"
    if path.suffix.lower() == ".svg":
        with problems.collect_errors():
            page = adopt_alone(root, name, ())
            return FinishedFace(path=target, content=path, width=page.width, height=page.height, is_real=page.is_real)
        return None
    try:
        picture = pictures.find(name)
    except PictureError as error:
        problems.note(display_path(path), str(error).removeprefix(f"{name} "), error.remedy)
        return None
    filled = ""
    with suppress(InputError):  # a picture that is too large for it stays
        filled = "" if picture.is_page else read_supervised(fill_picture, picture.read_file(), {}, name, "")
    return FinishedFace(path=f"{target}.png" if filled and picture.kind != "png" else target, width=picture.width,
                        height=picture.height, content=b64decode(filled) or path, is_filled=bool(filled))


def _are_alike(front: FinishedFace, back: FinishedFace | None) -> bool:
    """Whether a common back has the proportions of a front, across or upright."""
    if back is None:
        return True
    shapes = [max(face.width, face.height) / min(face.width, face.height) for face in (front, back)]
    return isclose(*shapes, rel_tol=0.1)


def _part_name(folder: str) -> str:
    name = to_id(folder) or ONLY_PART
    return f"{name}-cards" if name in (*RESERVED_PARTS, *TOP_KEYS) else name


def _title(card: str) -> str:
    words = re.sub(r"[\s_-]+|(?<=[a-z])(?=[A-Z])", " ", card).strip()
    return words[:1].upper() + words[1:] or "Card"
