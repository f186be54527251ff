"""New decks from finished art: a folder of pictures, or sheets of cards."""

from __future__ import annotations

import re
from base64 import b64decode
from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from functools import cache
from itertools import chain, count, islice, product
from math import isclose
from pathlib import Path
from typing import Any
from zlib import crc32

from ppgen.assets import DECK_FILE
from ppgen.engine.adoption.adopted_drawing import adopt_alone
from ppgen.engine.drawing.face_tools import find_bleed
from ppgen.engine.geometry import INCH, Formats, Size, parse_length, read_formats
from ppgen.engine.pictures.picture import MAX_FILE_BYTES, PictureError, measure_pages
from ppgen.engine.pictures.picture_files import MAX_DECK_BYTES, PictureFolder
from ppgen.errors import InputError, Phrase, Problems, display_path, format_count, join_names, shorten
from ppgen.games.own_deck.deck import DEFAULT_LANG, to_id
from ppgen.games.own_deck.deck_loading import MAX_COPIES, RESERVED_PARTS, TOP_KEYS
from ppgen.making.card_sheets import (SURE, CardGrid, GivenGrid, PageStudy, are_alike, cut_page, draw_grid,
                                      fill_picture, find_grids, study_page)
from ppgen.making.first_layout import deck_file
from ppgen.making.new_deck import (NAME_SIGNS, NAME_WORD, ONLY_PART, find_picture_files, find_sides, fold_name,
                                   is_for_all, read_cut, side_words)
from ppgen.making.sheet_columns import layout_data
from ppgen.making.starters import SHEET_ENDINGS, ArtRequest, NewDeck, SheetView
from ppgen.process.supervision import Work, read_supervised
from ppgen.reading.fields import is_reserved_name, read_bytes, write_csv
from ppgen.records import dataclass, field, replace
from ppgen.shipped import shipped_root

# --- Folders ---

_NUMBERED = re.compile(r"(.+?) ?[(\[](\d{1,3})[)\]]")
_UNSAFE = re.compile(r"[^\w .()+&',/-]|\.\.")


@dataclass(frozen=True, slots=True, kw_only=True)
class FinishedFace:
    """A finished face: its path in the deck, its content or file, and its sides in pixels, or in mm if ``is_real``.

    With the ``bleed`` in mm that its sides are known to have, whether its rounded corners were filled, whether it is a
    circle, and the ``dpi`` that a picture says of itself.
    """

    path: str
    content: bytes | Path
    width: float
    height: float
    is_real: bool = False
    bleed: float = 0.0
    is_filled: bool = False
    is_round: bool = False
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
    if (size := sum(path.stat().st_size for path in found)) > MAX_DECK_BYTES:
        problems.note(display_path(root), f"has {size / 1e6:,.0f} MB of pictures; a deck has at most "
                      f"{MAX_DECK_BYTES / 1e6:,.0f}", "make them smaller, or make several decks")
        return []
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
        part = to_id(file.folder) or ONLY_PART
        cards.append(FinishedCard(name=_title(file.card), front=front, back=faces.get(back) if back else None,
                                  part=f"{part}-cards" if part in (*RESERVED_PARTS, *TOP_KEYS) else part,
                                  copies=file.copies))
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


@cache
def _copies() -> re.Pattern[str]:
    """Copies in names: ``3x wolf``, ``x3 wolf``, ``wolf (x3)``, ``wolf_3 copies``."""
    word = f"(?:{'|'.join(layout_data()['files']['copies'].split())})"
    return re.compile(
        rf"[x×](?P<n4>\d{{1,3}})(?=[\s_.-])(?P<card3>.+)|"
        rf"[(\[{{]?(?P<n1>\d{{1,3}})\s?(?:[x×]|{word})[)\]}}]?(?=[\s_.-])(?P<card1>.+)|"
        rf"(?P<card2>.+?)(?:[\s_.-]{{1,5}}|(?=[(\[{{]))[(\[{{]?(?:(?:[x×]|{word}[\s_=-]?)(?P<n2>\d{{1,3}})|"
        rf"(?P<n3>\d{{1,3}})\s?(?:[x×]|[_-]?{word}))[)\]}}]?", re.IGNORECASE)


def _split_copies(name: str, copies: int) -> tuple[str, int]:
    """A name without its number of copies, and that number, else the one that is given."""
    if not (match := _copies().fullmatch(name)):
        return name, copies
    card, copies = (next(filter(None, (value for key, value in match.groupdict().items() if key.startswith(kind))))
                    for kind in ("card", "n"))
    return card.strip(NAME_SIGNS) or name, int(copies)


def _sort_key(name: str) -> list[tuple[int, str]]:
    """Numbers in names count by their values: card 2 comes before card 10."""
    return [(int(part) if part.isdigit() else -1, part.casefold()) for part in re.split(r"(\d+)", name)]


def _read_face(path: Path, root: Path, pictures: PictureFolder, problems: Problems) -> FinishedFace | None:
    """Check the file of a face. A drawing may hold words, which the deck draws."""
    name = path.relative_to(root).as_posix()
    safe = _UNSAFE.sub("-", name)
    target = (f"art/{crc32(name.encode()):08x}-{safe.replace('/', '-')}" if safe != name or is_reserved_name(name) else
              f"art/{safe}")
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


def _title(card: str) -> str:
    words = re.sub(r"[\s_-]+|(?<=[a-z])(?=[A-Z])", " ", card).strip()
    return words[:1].upper() + words[1:] or "Card"


# --- Sheets ---

USUAL_SIZES = ("poker", "standard", "tarot", "bridge", "mini-us", "game-crafter-mini", "mini-euro", "euro", "square-70")
"""Card sizes in the order in which they are guessed."""
MAX_SHEET_BYTES = 200_000_000
MAX_GIVEN = 30  # the most columns or rows: sheets of A3 hold that many of the smallest pieces


@dataclass(slots=True, kw_only=True)
class StudiedPage:
    """A page of a file, with what was found on it, and its cards by row and column."""

    file: Path
    content: bytes = field(repr=False)
    number: int
    study: PageStudy = field(default_factory=dict)
    cards: dict[tuple[int, int], _Cut] = field(default_factory=dict)

    def ask(self, reader: Work, **options: Any) -> Any:
        """Let the supervised child read the page. Raises InputError."""
        place = display_path(self.file)
        return read_supervised(reader, self.content, {"name": place, "number": self.number, **options},
                               f"{place} page {self.number + 1}", Phrase("save_again"))


@dataclass(slots=True, eq=False)
class _Cut:
    """A card that was cut out, once for all that are equal."""

    given: Mapping[str, Any]


def read_art_sheets(request: ArtRequest, size: Size | None, formats: Formats, notes: list[str], problems: Problems
                    ) -> tuple[list[FinishedCard], dict[str, object], bytes]:
    """Read the cards of sheets, the grid as data, and its picture. Raises InputError; notes a doubtful grid."""
    given = _read_given(request, size, problems)
    problems.raise_if_any()
    groups: dict[tuple[int, ...], list[StudiedPage]] = {}
    for page in read_pages(request.source, problems):
        groups.setdefault((*map(round, page.study["sides"]), page.study["is_vector"]), []).append(page)
    problems.raise_if_any()
    cards: list[FinishedCard] = []
    described: dict[str, object] = {}
    picture = b""
    sizes = [formats.sizes[name].portrait for name in sort_sizes(formats)]
    for pages in groups.values():
        grids = find_grids([page.study for page in pages], sizes, given)
        described = described or _describe(grids, pages)
        found = [_explain(grid, pages) for grid in grids] or ["no grid of cards found"]
        notes += [f"{format_count(len(pages), 'page')}: {each}" for each in found]
        picture = picture or b64decode(pages[0].ask(
            draw_grid, boxes=[box for grid in grids for box in grid.boxes.values()], turn=pages[0].study["turn"],
            scale=_scale(pages[0], grids[0]) if grids else 0.0))
        place = display_path(pages[0].file)
        if not grids:
            problems.note(place, "shows no grid of cards",
                          "say it: --grid and --size, like --grid 3x3 --size poker; --gap and --margin, if needed")
        for number, grid in enumerate(grids, 1 + len({card.part for card in cards})):
            if grid.confidence < SURE:
                problems.note(place, f"may hold {_format(grid)}, by {grid.how}",
                              f"look at the picture, then add --grid {grid.across.count}x{grid.down.count} --size "
                              f"{grid.across.length:.4g}x{grid.down.length:.4g}mm --gap {'x'.join(_gaps(grid))}mm, "
                              "with what is wrong corrected; --margin says where it begins")
            elif outside := _reach(grid, pages[0]):
                problems.note("--grid", f"the cards end {outside:.1f} mm beyond the sheet", "make the numbers fit it")
            else:
                cards += _cut_cards(pages, grid, request, f"{ONLY_PART}-sheet-{number}" if number > 1 else ONLY_PART,
                                    notes)
    if not cards and not problems:
        problems.note(display_path(request.source), "has no fronts of cards: where they should lie it is blank",
                      "look at the picture; --backs says where backs lie")
    if cards and not request.backs:
        notes.append("all are fronts: if some are backs, say where with --backs first, one, pages or fold")
    return cards, described, picture


def sort_sizes(formats: Formats) -> list[str]:
    """The names of the card sizes, the most usual ones first."""
    return sorted(formats.sizes, key=lambda name: [*USUAL_SIZES, name].index(name))


def read_pages(source: Path, problems: Problems) -> Iterator[StudiedPage]:
    """Study the pages of a file, or of those of a folder, one by one; notes as a problem what can't be read."""
    for file in sorted(find_picture_files(source, "--from", problems)) if source.is_dir() else [source]:
        if not file.name.lower().endswith(SHEET_ENDINGS):
            problems.note(display_path(file), *(
                (Phrase("no_sheet_of_cards"), Phrase("give_one_of", names=join_names(SHEET_ENDINGS))) if file.exists()
                else (Phrase("no_file"), Phrase("check_name_folder"))))
            continue
        content = read_bytes(file, MAX_SHEET_BYTES, "make it smaller", Phrase("check_name"))
        with problems.collect_errors():
            number, count = 0, 1
            while number < count:
                page = StudiedPage(file=file, content=content, number=number)
                page.study = page.ask(study_page)
                number, count = number + 1, max(count, page.study["pages"])
                yield page


def _read_given(request: ArtRequest, size: Size | None, problems: Problems) -> GivenGrid:
    def two_lengths(option: str, words: str) -> tuple[float, float] | None:
        if not words:
            return None
        try:
            first, *more = (parse_length(word) for word in words.lower().replace("×", "x").split("x"))
            [second] = more or [first]
        except ValueError:
            problems.note(option, f"'{words}' is not a length", "write it like 2mm, or 2x3mm")
            return None
        return first, second

    counts = [int(number) for number in re.findall(r"\d+", request.grid, re.ASCII)]
    if request.grid and not re.fullmatch(r"\d{1,3} ?[x×] ?\d{1,3}", request.grid.lower(), re.ASCII):
        problems.note("--grid", f"'{request.grid}' is not a grid", "write columns x rows, like 3x3")
    elif counts and not 1 <= min(counts) <= max(counts) <= MAX_GIVEN:
        problems.note("--grid", f"'{request.grid}' is not on one sheet", f"1 to {MAX_GIVEN} columns and rows")
    columns, rows = counts if len(counts) == 2 else (0, 0)
    return GivenGrid(columns=columns, rows=rows, size=size, gaps=two_lengths("--gap", request.gap),
                     margin=two_lengths("--margin", request.margin))


# --- What was found ---

def _scale(page: StudiedPage, grid: CardGrid) -> float:
    """Pixels per mm of a picture that says nothing of its scale, by the grid; else 0."""
    return page.study["sides"][0] / grid.across.end if page.study["scale"] == 1 else 0.0


def _reach(grid: CardGrid, page: StudiedPage) -> float:
    """By how many mm a grid reaches beyond its page."""
    reach = max(max(-axis.start, axis.end - side) for axis, side in zip(grid.axes, page.study["sides"], strict=True))
    return reach if reach > 0.6 and page.study["scale"] != 1 else 0.0


def _describe(grids: Sequence[CardGrid], pages: Sequence[StudiedPage]) -> dict[str, object]:
    """The first grid as data, as ``--json`` prints it."""
    return next(({"grid": [*grid.counts], "size_mm": [round(axis.length, 2) for axis in grid.axes],
                  "gap_mm": [round(axis.gap, 2) for axis in grid.axes], "turn_deg": pages[0].study["turn"],
                  "confidence": round(grid.confidence, 2)} for grid in grids), {"grid": None, "confidence": 0.0})


def _format(grid: CardGrid) -> str:
    return (f"{grid.across.count} x {grid.down.count} cards of {grid.across.length:.4g} x {grid.down.length:.4g} mm, "
            f"gap {' and '.join(_gaps(grid))} mm")


def _gaps(grid: CardGrid) -> list[str]:
    """The gap, or those across and down."""
    return [*dict.fromkeys(f"{axis.gap:.3g}" for axis in grid.axes if axis.count > 1)] or ["0"]


def _explain(grid: CardGrid, pages: Sequence[StudiedPage]) -> str:
    turns = [page.study["turn"] for page in pages]
    turned = f", turned by {', '.join(f'{turn:g}°' for turn in dict.fromkeys(turns))}" if any(turns) else ""
    sure = "" if "given" in grid.how else f", {grid.confidence:.0%} sure"
    return f"{_format(grid)}{turned}, by {grid.how}{sure}"


# --- Cards ---

def _cut_cards(pages: Sequence[StudiedPage], grid: CardGrid, request: ArtRequest, part: str, notes: list[str]
               ) -> list[FinishedCard]:
    """Cut the cards out of the pages, and put fronts and backs together; equal ones become copies."""
    used = [page for page in pages if grid.is_on(page.study)]
    if others := [f"{page.number + 1}" for page in pages if page not in used]:
        notes.append(f"pages without such cards, left out: {join_names(others)}")
    if request.backs == "pages" and any(page.study["sides"][0] > page.study["sides"][1] for page in used):
        notes.append("sheets that lie across: their backs are taken as turned over the short edge; look at the pairs")
    known: list[_Cut] = []
    bleed = grid.find_bleed([page.study for page in used]) if used else 0.0
    boxes = [(left - bleed, top - bleed, right + bleed, bottom + bleed)
             for left, top, right, bottom in grid.boxes.values()]
    fold = _fold_axis(grid)
    is_folded_down = request.backs == "fold" and fold == 1
    turned = [n for n, (row, _) in enumerate(grid.boxes) if is_folded_down and 2 * row >= grid.down.count]
    for page in used:
        page.cards = {}
        cuts = page.ask(cut_page, cards=boxes, bleed=bleed, turn=page.study["turn"], upside_down=turned,
                        is_vector=page.study["is_vector"], scale=page.study["own_scale"] or _scale(page, grid))
        for place, found in zip(grid.boxes, cuts, strict=True):
            if not found["is_blank"]:
                cut = next((other for other in known if are_alike(other.given, found)), None) or _Cut(found)
                known += [] if cut in known else [cut]
                page.cards[place] = cut
    if not request.backs and (proposed := _propose_backs(used, grid)):
        notes.append(f"equal cards beside different ones seem to be their backs: if so, add --backs {proposed}")
    faces: dict[_Cut, FinishedFace] = {}
    copies = Counter(_pair(used, grid, request.backs, fold))
    for n, word in enumerate(("front", "back")):
        cuts = dict.fromkeys(pair[n] for pair in copies if pair[n] and pair[n] not in faces)
        for number, cut in enumerate(cuts, 1):
            faces[cut] = FinishedFace(path=f"art/{part}-{word}-{number:02}.{cut.given['kind']}",
                                      content=b64decode(cut.given["data"]), width=grid.across.length + 2 * bleed,
                                      height=grid.down.length + 2 * bleed, is_real=True, bleed=bleed,
                                      is_filled=cut.given.get("is_filled", False),
                                      is_round=cut.given["is_round"])
    return [FinishedCard(name=f"Card {number}", part=part, front=faces[front], back=faces[back] if back else None,
                         copies=count) for number, ((front, back), count) in enumerate(copies.items(), 1)]


def _fold_axis(grid: CardGrid) -> int | None:
    """The axis along which one half of a sheet is folded behind the other: 0 is across; None if none has halves."""
    even = [n for n, axis in enumerate(grid.axes) if axis.count % 2 == 0]
    return min(even, key=lambda n: grid.axes[n].count != 2, default=None)


def _pair(pages: Sequence[StudiedPage], grid: CardGrid, backs: str, fold: int | None
          ) -> Iterator[tuple[_Cut, _Cut | None]]:
    """Yield the fronts with their backs."""
    columns, rows = grid.across.count, grid.down.count
    if backs == "pages":
        for n, page in enumerate(pages[::2]):
            behind = pages[2 * n + 1].cards if 2 * n + 1 < len(pages) else {}
            yield from ((cut, behind.get((row, columns - 1 - column))) for (row, column), cut in page.cards.items())
    elif backs == "fold" and fold is not None:
        for page in pages:
            for (row, column), cut in page.cards.items():
                place = (rows - 1 - row, column) if fold else (row, columns - 1 - column)
                if place > (row, column):
                    yield cut, page.cards.get(place)
    else:
        last = -1 if backs == "one" else 0
        of_all = pages[last] if backs in ("one", "first") and len(pages) > 1 else None
        back = next(iter(of_all.cards.values()), None) if of_all else None
        yield from ((cut, back) for page in pages if page is not of_all for cut in page.cards.values())


def _propose_backs(pages: Sequence[StudiedPage], grid: CardGrid) -> str:
    """Where backs seem to be: on pages, or in halves of all pages, whose cards are equal while others differ."""
    def are_equal(cuts: Collection[_Cut]) -> bool:
        return len(cuts) > 1 == len({*map(id, cuts)})

    equal = [number for number, page in enumerate(pages) if are_equal(page.cards.values())]
    if (fold := _fold_axis(grid)) is not None and not equal:
        half = grid.axes[fold].count // 2
        halves = [[[cut for place, cut in page.cards.items() if (place[1 - fold] >= half) == is_later]
                   for page in pages] for is_later in (False, True)]
        return "fold" if sum(all(map(are_equal, each)) for each in halves) == 1 else ""
    if equal and len(equal) < len(pages):
        return ("one" if equal == [len(pages) - 1] else "first" if equal == [0] else
                "pages" if equal == [*range(1, len(pages), 2)] else "")
    return ""


# --- Decks ---

USUAL_BLEEDS = 0.0, 36 / 300 * INCH, INCH / 8, 3.0, 2.0, 5.0, 4.0, 2.5, 1.5
"""Bleeds (mm) in the order in which they are guessed; the second is that of MakePlayingCards."""
REAL_BLEEDS, WHOLE_MM = 5, 0.3
"""The first bleeds, which lengths in mm may have; and the difference of whole millimetres that are taken for such."""
USUAL_DPI = 300, 600, 400, 150, 200, 800, 1200, 250, 350, 450
SAME_SHAPE, SAME_LENGTH_MM = 0.0035, 0.4
"""Relative difference of two proportions, and difference of lengths, that are taken for the same."""


def deck_from_art(request: ArtRequest) -> NewDeck:
    """Make a deck of finished art. Raises InputError with every problem, before anything is written."""
    problems = Problems()
    size = read_cut(request.size, request.shape, problems) if request.size else None
    notes: list[str] = []
    formats = read_formats(shipped_root() / "data")
    found: dict[str, object] = {}
    picture = b""
    if tables := sorted(request.source.glob("decks/*/cards.csv")):  # as Cider saves it
        raise InputError.at("--from", f"'{display_path(request.source)}' is a project of Cider", "give a table of its: "
                            f"--from {display_path(tables[0])} --art {display_path(request.source / 'assets')}")
    if request.source.is_dir() and not request.grid:
        cards = read_art_folder(request.source, request.backs, notes, problems)
    else:
        cards, found, picture = read_art_sheets(request, size, formats, notes, problems)
    if problems and picture:
        return NewDeck(files={}, notes=tuple(notes), warnings=tuple(problems), picture=picture, found=found)
    problems.raise_if_any()
    deck = _write_deck(request, cards, formats, notes)
    return replace(deck, files={**deck.files, **({"grid.png": picture} if picture else {})},
                   found={**found, **deck.found})


def deck_from_rules(source: Path, title: str, lang: str) -> NewDeck:
    """Make a deck whose rules are a finished PDF. Raises InputError for the file."""
    name, content = display_path(source), read_bytes(source, MAX_FILE_BYTES, Phrase("save_again"))
    sides = read_supervised(measure_pages, content, {"name": name}, name, Phrase("save_again"))
    return NewDeck(files={DECK_FILE: deck_file(title, lang or DEFAULT_LANG, {"rules": "rules.pdf"}, {}),
                          "rules.pdf": content}, notes=(f"a booklet of {format_count(len(sides), 'page')}",))


def _write_deck(request: ArtRequest, cards: Sequence[FinishedCard], formats: Formats, notes: list[str]) -> NewDeck:
    """Write the tables and ``deck.toml``: a part for each size of cards in a folder."""
    tables: dict[str, dict[str, str | int]] = {}
    files: dict[str, bytes | Path] = {DECK_FILE: b""}
    counts: list[str] = []
    rest = [*cards]
    while rest:
        name = rest[0].part
        of_part = [card for card in rest if card.part == name]
        guesses = Counter(_guess_size(card.front, formats) for card in of_part)
        guess, bleed, is_sure = guesses.most_common(1)[0][0]
        trim = read_cut(guess, "rectangle", Problems())
        if not request.size:
            of_part = [card for card in of_part if _fits(card.front, trim)] or of_part
        rest = [card for card in rest if card not in of_part]
        part = next(each for each in chain((name,), (f"{name}-{n}" for n in count(2))) if f"{each}.csv" not in files)
        if part != name:
            notes.append(f"of another size, in the part {part}: {shorten([card.name for card in of_part])}")
        size = request.size or guess
        if not (request.size or is_sure):
            notes.append(f"{part}: size guessed from the proportions (--size says it)")
        shape = "circle" if all(card.front.is_round for card in of_part) else request.shape
        backs = {card.back.path for card in of_part if card.back}
        tables[part] = {"table": f"{part}.csv", "size": size, "shape": shape if shape != "rectangle" else "",
                        "bleed": "" if bleed is None or request.size else f"{bleed:g}mm", "front": "{front}",
                        "back": "{back}" if backs else ""}
        rows = [("name", "copies", "front", "back"),
                *((card.name, card.copies, card.front.path, card.back.path if card.back else "") for card in of_part)]
        files[f"{part}.csv"] = write_csv(row if backs else row[:3] for row in rows).encode()
        files |= {face.path: face.content for card in of_part for face in (card.front, card.back) if face}
        counts.append(f"{part}: {sum(card.copies for card in of_part)} of {size}, {len(of_part)} different, "
                      + format_count(len(backs), "back"))
    if filled := len({face.path for card in cards for face in (card.front, card.back) if face and face.is_filled}):
        notes.append(f"rounded corners of {format_count(filled, 'picture')} filled, as cards are cut "
                     "square: a corner punch rounds them")
    files[DECK_FILE] = deck_file(request.title, request.lang or DEFAULT_LANG, {}, tables)
    return NewDeck(files=files, notes=(*counts, *notes), found={
        "cards": sum(card.copies for card in cards), "backs": len({card.back.path for card in cards if card.back})})


# --- Sizes ---

def _fits(face: FinishedFace, size: Size) -> bool:
    """Whether a face has the proportions of a size, with or without a bleed."""
    aspect = face.width / face.height
    if (aspect > 1) != (size.width > size.height):
        aspect = 1 / aspect
    return find_bleed(aspect, size) is not None or isclose(aspect, size.width / size.height, rel_tol=0.01)


def _guess_size(face: FinishedFace, formats: Formats) -> tuple[str, float | None, bool]:
    """The size of a card as ``deck.toml`` says it, by its sides in mm, by its dpi, else by its proportions.

    With it comes its bleed, if it is known, or a square, whose proportions don't show it; and whether it is more than
    its proportions. A picture's dpi counts where it leads to a known size or to whole millimetres.
    """
    if any(abs(face.dpi - dpi) < 0.5 for dpi in USUAL_DPI):
        width, height = (side / face.dpi * INCH for side in (face.width, face.height))
        size, bleed, _ = _guess_size(replace(face, width=width, height=height, is_real=True, dpi=0.0), formats)
        if size in formats.sizes:
            return size, bleed, True
        if max(abs(side - round(side)) for side in (width, height)) <= WHOLE_MM:
            short, long = sorted(map(round, (width, height)))
            return f"{short}mm x {long}mm", bleed, True
    width, height = sorted((face.width - 2 * face.bleed, face.height - 2 * face.bleed))
    is_square = isclose(width, height, rel_tol=0.02)
    costs: list[tuple[float, str]] = []
    bleeds = USUAL_BLEEDS[:1 if is_square or face.bleed else REAL_BLEEDS if face.is_real else None]
    for (rank, name), (place, bleed) in product(enumerate(sort_sizes(formats)), enumerate(bleeds)):
        trim = formats.sizes[name].portrait
        sides = trim.width + 2 * bleed, trim.height + 2 * bleed
        if face.is_real:
            cost = (abs(width - sides[0]) + abs(height - sides[1])) / SAME_LENGTH_MM * (2 if bleed else 1)
        else:
            cost = abs(width / height * sides[1] / sides[0] - 1) / SAME_SHAPE
        if cost < 1 and (face.is_real or not (bleed or is_square) or (
                find_bleed(width / height, trim) is not None and _have_usual_dpi((width, height), sides))):
            costs.append((cost + 0.3 * place + 0.1 * rank, name))
    if costs:
        return min(costs)[1], face.bleed or (0.0 if is_square else None), face.is_real
    if not face.is_real:
        width, height = (width / 300 * INCH, height / 300 * INCH) if is_square else (63.5, 63.5 * height / width)
    digits = 1 if face.is_real else 2
    return (f"{round(width, digits):g}mm x {round(height, digits):g}mm",
            face.bleed if face.is_real else 0.0 if is_square else None, face.is_real)


def _have_usual_dpi(pixels: tuple[float, float], sides: tuple[float, float]) -> bool:
    return any(max(abs(mm / INCH * dpi - given) for given, mm in zip(pixels, sides, strict=True)) < 1.1
               for dpi in USUAL_DPI)


# --- A look at sheets ---

MAX_STUDIED_PAGES = 8


def view_sheets(file: Path) -> SheetView:
    """Find the grid of the first pages of a file, and draw the first of them that has cards. Raises InputError."""
    problems = Problems()
    read = [*islice(read_pages(file, problems), MAX_STUDIED_PAGES)]
    problems.raise_if_any()
    first = read[0].study
    pages = [page for page in read if [*map(round, page.study["sides"])] == [*map(round, first["sides"])]]
    formats = read_formats(shipped_root() / "data")
    sizes = {name: formats.sizes[name].portrait for name in sort_sizes(formats)}
    grids = find_grids([page.study for page in pages], [*sizes.values()], GivenGrid())
    shown = next((page for page in pages if grids and grids[0].is_on(page.study)), pages[0])
    grid = next(({"columns": across.count, "rows": down.count, "width": across.length, "height": down.length,
                  "gap": across.gap, "gap_down": down.gap, "left": across.start, "top": down.start}
                 for across, down in (grid.axes for grid in grids)), None)
    return SheetView(
        picture=b64decode(shown.ask(draw_grid, boxes=[], turn=shown.study["turn"])),
        sides=first["sides"], has_scale=first["scale"] != 1, grid=grid,
        is_sure=bool(grids) and grids[0].confidence >= SURE,
        others=[box for grid in grids[1:] for box in grid.boxes.values()],
        sizes={name: (size.width, size.height) for name, size in sizes.items()})
