"""Folders of finished cards: a file for each face, whose name says which card it is, and how often it is there."""

from __future__ import annotations

import re
from base64 import b64decode
from collections import Counter, defaultdict
from collections.abc import Iterable
from contextlib import suppress
from dataclasses import dataclass
from math import isclose
from pathlib import Path
from typing import Any
from zlib import crc32

from ppgen.engine.adoption.adopted_drawing import adopt_alone
from ppgen.engine.drawing.pictures import PictureFolder
from ppgen.engine.geometry import read_formats
from ppgen.engine.svg.svg_pictures import PictureError
from ppgen.errors import InputError, Problems, display_path, join_names, shorten
from ppgen.games.own_deck.card_grid import GivenGrid, find_grids
from ppgen.games.own_deck.deck import to_id
from ppgen.games.own_deck.deck_loading import MAX_COPIES, RESERVED_PARTS, TOP_KEYS
from ppgen.games.own_deck.heading_words import layout_data
from ppgen.games.own_deck.new_art import (NAME_SIGNS, NAME_WORD, find_picture_files, find_sides, fold_name, is_for_all,
                                          side_words)
from ppgen.games.own_deck.new_deck import ONLY_PART
from ppgen.process.supervision import read_supervised
from ppgen.reading.card_sheets import cut_page, fill_picture, study_page
from ppgen.shipped import Phrase, shipped_root

_COPY_WORDS = "|".join(layout_data()["files"]["copies"].split())
_COPIES = re.compile(
    rf"[(\[{{]?(?P<n1>\d{{1,3}})\s*(?:[x×]|(?:{_COPY_WORDS}))[)\]}}]?(?=[\s_.-])(?P<card1>.+)|"
    rf"(?P<card2>.+?)(?:[\s_.-]+|(?=[(\[{{]))[(\[{{]?(?:(?:[x×]|(?:{_COPY_WORDS})[\s_=-]?)(?P<n2>\d{{1,3}})|"
    rf"(?P<n3>\d{{1,3}})\s?(?:[x×]|[_-]?(?:{_COPY_WORDS})))[)\]}}]?", re.IGNORECASE)
"""Copies in names: ``3x wolf``, ``wolf (x3)``, ``wolf_3 copies``."""
_NUMBERED = re.compile(r"(.+?) ?[(\[](\d{1,3})[)\]]")
_UNSAFE = re.compile(r"[^\w .()+&',/-]|\.\.")


@dataclass(frozen=True, slots=True, kw_only=True)
class FinishedFace:
    """A finished face: its path in the deck, its content or file, and its sides in pixels, or in mm if ``is_real``.

    With the ``bleed`` in mm that its sides are known to have, whether its rounded corners were filled, and the ``dpi``
    that a picture says of itself.
    """

    path: str
    content: bytes | Path
    width: float
    height: float
    is_real: bool = False
    bleed: float = 0.0
    is_filled: bool = False
    dpi: float = 0.0


@dataclass(frozen=True, slots=True, kw_only=True)
class FinishedCard:
    """A card whose faces are finished, in a part of that name."""

    name: str
    part: str
    front: FinishedFace
    back: FinishedFace | None = None
    copies: int = 1


@dataclass(slots=True)
class _ArtFile:
    """A file by what its name says: its folder without words of sides, the card, its side, and the copies.

    A back without a ``card`` is that of all others. ``is_guess``: its name alone doesn't make it a back.
    """

    path: Path
    folder: str
    card: str
    is_back: bool
    copies: int
    is_guess: bool = False

    @property
    def key(self) -> tuple[str, str]:
        return self.folder, fold_name(self.card)


def read_art_folder(root: Path, backs: str, notes: list[str], problems: Problems) -> list[FinishedCard]:
    """Read the finished cards of a folder; notes what is wrong with files as problems.

    Each picture becomes a front or a back, or is named in a note. With the ``backs`` "none" all are fronts.
    """
    found = find_picture_files(root, "--from", problems)
    files = read_names(root, found, backs == "none")
    if not files and not problems:
        problems.note(display_path(root), "holds no pictures or drawings", "give a folder with a file for each card")
    others = sorted({path.name for path in root.rglob("*") if path.is_file()
                     and not any(part.startswith(".") for part in path.relative_to(root).parts)} -
                    {path.name for path in found})
    if others:
        notes.append(f"not pictures, left out: {shorten(others)}")
    pictures = PictureFolder(root)
    faces = {file.path: face for file in files if (face := _read_face(file.path, root, pictures, problems))}
    by_key: dict[tuple[str, str], _ArtFile] = {}
    for file in (file for file in files if file.is_back):
        by_key.setdefault(file.key, file)
    used: set[Path] = set()
    cards = []
    for file in (file for file in files if not file.is_back and file.path in faces):
        front, (folder, card) = faces[file.path], file.key
        back = next((by_key[key].path for key in (file.key, ("", card), (folder, ""), ("", "")) if key in by_key and (
            key[1] or _are_alike(front, faces.get(by_key[key].path)))), None)
        used |= {back} if back else set()
        cards.append(FinishedCard(name=_title(file.card), part=_part_name(file.folder), front=front,
                                  back=faces.get(back) if back else None, copies=file.copies))
    unused = [file for file in files if file.is_back and file.path not in used]
    for file in (file for file in unused if by_key[file.key] is file and (file.card or not cards)):
        problems.note(display_path(file.path), "is the back of a card whose front is missing",
                      f"add the front, '{file.card or 'card'}{file.path.suffix}', or leave it out; --backs none makes "
                      "all files fronts")
    if left := [file.path.relative_to(root).as_posix() for file in unused if by_key[file.key] is not file or (
            not file.card and cards)]:
        notes.append(f"backs that no card takes (another one is nearer, or fits), left out: {join_names(left)}")
    if guessed := [file.path.stem for file in files if file.is_guess and file.is_back]:
        notes.append(f"taken for backs, as their fronts are there: {shorten(guessed)} (--backs none: all are fronts)")
    if doubtful := [file.path.stem for file in files if file.is_guess and not file.is_back]:
        notes.append(f"fronts, though they may be backs: {shorten(doubtful)} (if so, end their names in -back)")
    return cards


def _read_folders(root: Path, paths: Iterable[Path]) -> dict[Path, tuple[str, str]]:
    """The folders of paths, without words of sides, and their side: ``front``, ``back``, ``both`` or none."""
    folders = {each: each.relative_to(root).parts for path in paths for each in (path.parent, *path.parent.parents)
               if each.is_relative_to(root)}
    sides = {path: [*find_sides(path.name)] if parts else [] for path, parts in folders.items()}
    said = {(path.parent, fold_name(rest), side) for path, each in sides.items() for rest, side, _ in each}
    plain = {(path.parent, fold_name(path.name)) for path in folders}
    found: dict[Path, tuple[str, str]] = {root: ("", "")}
    for path in sorted(folders, key=lambda path: len(folders[path]))[1:]:
        above, side = found[path.parent]
        name = path.name
        words = (fold_name(match[0]) for match in NAME_WORD.finditer(name))
        if "".join(word for word in words if word not in side_words("rest")) in side_words("both"):
            name, side = "", "both"
        for rest, own, is_sure in sides[path]:
            other = {"front": "back", "back": "front"}.get(own)
            if other and ((is_sure and is_for_all(rest)) or (path.parent, fold_name(rest), other) in said or (
                    own == "back" and (path.parent, fold_name(rest)) in plain)):
                name, side = "" if is_for_all(rest) else rest, own
                break
        found[path] = "/".join(filter(None, (above, name))), side
    return found


def read_names(root: Path, paths: Iterable[Path], are_fronts: bool) -> list[_ArtFile]:
    """Read the names, in their order. ``goblin (2)`` is two copies, unless there is a ``goblin`` or ``goblin (1)``."""
    paths = sorted(paths)
    numbered = {path: match for path in paths if (match := _NUMBERED.fullmatch(path.stem))}
    cards = Counter((path.parent, numbered[path][1] if path in numbered else path.stem) for path in paths)
    folders = {path.parent: (path.parent.relative_to(root).as_posix().removeprefix("."), "") for path in paths
               } if are_fronts else _read_folders(root, paths)
    pairs = {frozenset(pair): pair for pair in layout_data()["files"]["letters"].split()}
    files, sides = [], {}
    for path in paths:
        folder, side = folders[path.parent]
        words, copies = path.stem, 1
        if path in numbered and cards[path.parent, numbered[path][1]] == 1:
            words, copies = numbered[path][1], int(numbered[path][2])
        words, copies = _split_copies(words, copies)
        files.append(file := _ArtFile(path, folder, words, side == "back", min(copies, MAX_COPIES)))
        sides[path] = [] if are_fronts else [(*_split_copies(rest, file.copies), own, is_sure)
                                             for rest, own, is_sure in find_sides(words)]
    fronts = {(file.folder, fold_name(file.card)) for file in files if not file.is_back}
    said = {(file.folder, fold_name(rest), side) for file in files for rest, _, side, _ in sides[file.path]}
    all_letters: dict[tuple[str, str], set[str]] = defaultdict(set)
    for folder, card, side in said:
        all_letters[folder, card] |= {side} - {"front", "back"}
    for file in files:
        for rest, copies, side, is_sure in sides[file.path]:
            key = file.folder, fold_name(rest)
            if side not in ("front", "back"):
                letters = frozenset(all_letters[key])
                pair = pairs.get(letters, "")
                if side == pair[1:] if key not in fronts else len(letters) == 1 and any(
                        side == each[1] for each in pairs.values()):
                    file.card, file.is_back, file.is_guess = rest, True, True
                elif pair and key not in fronts:
                    file.card = rest
            elif side == "back" and (is_sure or key in fronts or (*key, "front") in said):
                file.card = "" if is_for_all(rest) and key not in fronts else rest
                file.is_back, file.is_guess = True, not is_sure
                break
            elif side == "front" and rest and (is_sure or (*key, "back") in said):
                file.card, file.copies = rest, min(copies, MAX_COPIES)
                break
            elif side == "back":
                file.is_guess = True
    counts = Counter(file.path.parent for file in files)
    names = Counter(file.key[1] for file in files if not file.is_back)
    for file in (file for file in files if folders[file.path.parent][1] in ("back", "both")):
        if folders[file.path.parent][1] == "both":
            file.is_back = file.is_back or names[file.key[1]] > 1
        elif counts[file.path.parent] == 1 and not names[file.key[1]]:
            file.card = ""
    return sorted(files, key=lambda file: (_sort_key(file.folder), _sort_key(file.card)))


def _split_copies(name: str, copies: int) -> tuple[str, int]:
    """A name without its number of copies, and that number, else the one that is given."""
    if not (match := _COPIES.fullmatch(name)):
        return name, copies
    return (match["card1"] or match["card2"]).strip(NAME_SIGNS) or name, int(match["n1"] or match["n2"] or match["n3"])


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
    if picture.is_page:
        return _read_page(picture.read_file(), name, target, path)
    found: dict[str, Any] = {"filled": "", "dpi": 0.0}
    with suppress(InputError):  # a picture that is too large for it stays
        found = read_supervised(fill_picture, picture.read_file(), {}, name, "")
    filled = found["filled"]
    return FinishedFace(path=f"{target}.png" if filled and picture.kind != "png" else target, width=picture.width,
                        height=picture.height, content=b64decode(filled) or path, is_filled=bool(filled),
                        dpi=found["dpi"])


def _read_page(content: bytes, name: str, target: str, path: Path) -> FinishedFace:
    """A PDF of one card: the part that its trim box or crop marks show, with its bleed, else all of it."""
    options = {"name": name, "number": 0}
    study = read_supervised(study_page, content, options, name, Phrase("save_again"))
    grids = find_grids([study], [size.portrait for size in read_formats(shipped_root() / "data").sizes.values()],
                       GivenGrid(columns=1, rows=1))
    if not grids or "size of its pages" in grids[0].how:
        width, height = study["sides"]
        return FinishedFace(path=target, content=path, width=width, height=height, is_real=True)
    (across, down), bleed = grids[0].axes, grids[0].find_bleed([study])
    cards = [(across.start - bleed, down.start - bleed, across.end + bleed, down.end + bleed)]
    (cut,) = read_supervised(cut_page, content, options | {
        "cards": cards, "bleed": bleed, "turn": study["turn"], "upside_down": [], "is_vector": study["is_vector"],
        "scale": study["own_scale"]}, name, Phrase("save_again"))
    return FinishedFace(path=target if cut["kind"] == "pdf" else f"{target}.{cut['kind']}", is_real=True, bleed=bleed,
                        content=b64decode(cut["data"]), width=across.length + 2 * bleed,
                        height=down.length + 2 * bleed)


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
