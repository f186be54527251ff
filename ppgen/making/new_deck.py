"""New decks from a sheet and its pictures, and the same decks in another look."""

from __future__ import annotations

import json
import os
import re
import stat
from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import suppress
from difflib import get_close_matches
from functools import cache, partial
from hashlib import sha256
from itertools import islice
from pathlib import Path
from typing import NamedTuple

from ppgen.assets import DECK_FILE, SCORE_FILE
from ppgen.engine.adoption.adopted_drawing import AdoptedDrawing, adopt_alone, adopt_drawing
from ppgen.engine.drawing.lettering import ICON_MARK
from ppgen.engine.geometry import Size, read_formats
from ppgen.engine.pictures.picture import Picture, PictureError
from ppgen.engine.pictures.picture_files import MAX_LISTED_FILES, PictureFolder, find_shipped_icon, shipped_icons
from ppgen.engine.pictures.picture_pixels import vanishes_on_dark
from ppgen.engine.shapes import ShapeKind
from ppgen.errors import InputError, Phrase, Problem, Problems, display_path, format_count, join_names, shorten, suggest
from ppgen.games.missing_signs import find_signs, missing_signs
from ppgen.games.own_deck.deck import MAX_SIDE_MM, MIN_SIDE_MM, take_piece_cut, to_id
from ppgen.games.own_deck.deck_loading import RESERVED_PARTS, TOP_KEYS, fits_sheet, is_inside
from ppgen.making.first_layout import (ArtPlan, LayoutLook, colour_tables, deck_file, looks, open_look, write_back,
                                       write_front)
from ppgen.making.sheet_columns import (FOOT, LEFT_OUT, PICTURE_ENDINGS, PLACES, CardColumn, CardColumns, bad_copies,
                                        find_languages, layout_data, looks_like_a_cell, looks_like_a_number,
                                        normal_heading, picture_key, roles_by_heading, understand_columns)
from ppgen.making.starters import NewDeck, Relook, Relooks, SheetRequest
from ppgen.reading.editing import delete_text, read_all_texts, set_texts, sheet_as_csv
from ppgen.reading.fields import (Fields, Source, decode, detect_table_separator, is_file_name, read_inside,
                                  read_source, read_toml)
from ppgen.reading.tables import Table, column_name, is_copies, letter_headings, plain_heading, read_table
from ppgen.reading.workbooks import ZIP_START, sheet_names
from ppgen.records import dataclass, replace
from ppgen.shipped import parse_toml_text, shipped_root

# --- Marks of layouts ---
# The mark at the end of first layouts: what they were written from, and a digest that tells whether somebody has
# changed them since.

_MARK = re.compile(r"\{# made by ppgen new: (\{[ -~]{0,20000}\}) ([0-9a-f]{16}) #\}\s*\Z")


class LayoutMark(NamedTuple):
    """The look and the roles (``HEADING=ROLE``) of a first layout."""

    look: str
    roles: Sequence[str]


def mark_layout(layout: str, mark: LayoutMark) -> str:
    """Add the mark to a layout."""
    how = json.dumps({"look": mark.look, "as": [*mark.roles]}).replace("#", "\\u0023")  # "#}" would end the comment
    return f"{layout}{{# made by ppgen new: {how} {_digest(layout, how)} #}}\n"


def read_mark(layout: str) -> LayoutMark | None:
    """The mark of a layout; None without one, and if the layout has been changed."""
    match = _MARK.search(layout)
    if match is None or _digest(layout[:match.start()], match[1]) != match[2]:
        return None
    try:
        how = json.loads(match[1])
        look, roles = how["look"], how["as"]
    except (ValueError, KeyError, RecursionError):
        return None
    is_right = isinstance(look, str) and isinstance(roles, list) and all(isinstance(role, str) for role in roles)
    return LayoutMark(look, roles) if is_right else None


def was_made_here(folder: Path) -> bool:
    """True if ``ppgen new`` wrote a layout of the deck, even if it has been changed since."""
    try:
        return any("{# made by ppgen new: " in read_source(folder, path.name).text
                   for path in sorted(folder.glob(f"*{LAYOUT}")))
    except InputError:
        return False


def _digest(layout: str, how: str) -> str:
    lines = layout.replace("\r\n", "\n")  # of an editor under Windows
    return sha256(f"{lines}{how}".encode()).hexdigest()[:16]


# --- Pictures ---

NAME_WORD = re.compile(r"[^\W_]+?(?:(?<=[a-z])(?=[A-Z])|(?![^\W_]))")
NAME_SIGNS = " _.-–—()[]{}<>（）【】「」~=+#@!"
"""Words of a name, also told by capitals, and what may stand around them."""
_NUMBER = re.compile(r"[ _.-]*(\d+)$")


def find_picture_files(folder: Path, option: str, problems: Problems) -> list[Path]:
    """The picture files of a folder and its subfolders; too many are a problem of the option."""
    found: list[Path] = []
    for where, folders, files in islice(os.walk(folder), MAX_LISTED_FILES):
        folders[:] = sorted(name for name in folders if not name.startswith("."))
        found += [Path(where, name) for name in files if name.lower().endswith(PICTURE_ENDINGS)
                  and not name.startswith(".")
                  and stat.S_IFMT(Path(where, name).lstat().st_mode) in (stat.S_IFREG, stat.S_IFLNK)]
        if len(found) > MAX_LISTED_FILES:
            problems.note(option, f"'{display_path(folder)}' has more than {MAX_LISTED_FILES:,} pictures",
                          "give a folder with those of this deck")
            return []
    return found


def list_pictures(folder: Path, problems: Problems) -> dict[str, Path]:
    """The picture files of a folder and its subfolders by :func:`picture_key`; those of upper folders first."""
    found = find_picture_files(folder, "--art", problems)
    found.sort(key=lambda path: (len(path.parts), path.suffix.lower() == ".svg", path.name))
    pictures: dict[str, Path] = {}
    for path in found:
        pictures.setdefault(picture_key(path.name), path)
    return pictures


class PartArt:
    """The pictures and icons of a part while they are collected; ``notes`` say what was found."""

    def __init__(self, columns: CardColumns, pictures: Mapping[str, Path], art: Path | None) -> None:
        self.columns, self.pictures, self.root = columns, pictures, art or Path()
        self.folder = PictureFolder(self.root)
        self.files: dict[str, bytes | Path] = {}
        self.notes: list[str] = []
        self.warnings: list[Problem] = []
        self.plan = ArtPlan()
        self.back = ""
        self.used: set[Path] = set()
        self.by_name = ""

    def _take(self, path: Path, target: str) -> Picture | None:
        """Copy a picture and return it; warn of one that can't be printed, or is a link, and leave it out."""
        self.used.add(path)
        try:
            picture = self.folder.find(path.relative_to(self.root).as_posix())
        except PictureError as error:
            what = str(error).removeprefix(f"{path.name} ")
            self.warnings.append(Problem(place=display_path(path), what=Phrase("left_out", message=what),
                                         remedy=error.remedy))
            return None
        self.files[target] = path
        return picture

    def find_art(self) -> None:
        """Find the picture of each row, by the column of pictures or else by the row's name or kind."""
        roles = self.columns.roles
        candidates = [roles[role] for role in ("art", "name", "kind") if role in roles]
        column = next((column for column in candidates
                       if any(picture_key(cell) in self.pictures for cell in column.all_cells)), None)
        found: list[Picture] = []
        gaps: list[int] = []
        bad: set[Path] = set()
        for n, cell in enumerate(column.all_cells if column else ()):
            name = cell.replace("\\", "/").rpartition("/")[2].strip()
            path = self.pictures.get(picture_key(cell)) if _is_file_name(name) else None
            if path is None or path in bad:
                gaps.append(n)
            elif (target := f"art/{_with_ending(name, path)}") not in self.files:
                if picture := self._take(path, target):
                    found.append(picture)
                else:
                    bad.add(path)
                    gaps.append(n)
        if column and found:
            cell = f"card.{column.name}"
            has_folders = any(sign in cell for cell in column.all_cells for sign in "/\\")
            expression = f'({cell} ~ "").replace("\\\\", "/").split("/") | last | trim' if has_folders else cell
            is_dark = sum(map(vanishes_on_dark, found)) * 2 > len(found)
            self.plan = ArtPlan(column=expression, has_gaps=bool(gaps), is_dark=is_dark,
                                aspects=tuple(picture.aspect for picture in found))
            self.by_name = "" if column is roles.get("art") else column.heading
            rows = len(self.columns.table.rows)
            lines = sorted({self.columns.table.rows[n % rows].line for n in gaps})
            if is_dark:
                self.notes.append("dark pictures without a ground: they lie on paper")
            count = len(found)
            self.notes.append(f"pictures: {count}, found by {self.by_name}" if self.by_name else f"pictures: {count}")
            if lines:
                missing = picture_key(column.all_cells[gaps[0]])
                unused = [key for key, path in self.pictures.items() if path not in self.used]
                near = get_close_matches(missing, unused, 1)
                guess = f" (did you mean {self.pictures[near[0]].name}?)" if near else ""
                self.notes.append(f"lines without a picture: {shorten([*map(str, lines)])}{guess}")
        back = next((path for path in self.pictures.values()
                     if path not in self.used and is_common_back(path.stem)), None)
        if back and self._take(back, f"art/back{back.suffix.lower()}"):
            self.back = f"back{back.suffix.lower()}"
            self.notes.append(f"{back.name} is the back")

    def find_icons(self) -> None:
        """Find the icons of the texts: in the folder, else shipped ones, else others in their place."""
        stand_ins = layout_data()["drawing"]["signs"]
        roles = self.columns.roles
        rich = ("name", "cost", "left", "right", "flavour", "keywords", "back")
        printed = [roles[role] for role in rich if role in roles]
        columns = (*printed, *self.columns.texts, *self.columns.facts)
        names = dict.fromkeys(name for column in columns for cell in column.all_cells
                              for name in ICON_MARK.findall(cell))
        made: list[str] = []
        for name in (name for name in names if ".." not in name):
            path = self.pictures.get(picture_key(name))
            is_taken = path and self._take(path, f"icons/{name}{path.suffix.lower()}")
            if not is_taken and not find_shipped_icon(name):
                self.files[f"icons/{name}.svg"] = shipped_icons()[stand_ins[len(made) % len(stand_ins)]]
                made.append(f"{{{name}}}")
        if made:
            self.notes.append(f"icons that ppgen has not, with others in their place in icons/: {shorten(made)}")


# --- Sides of cards, by names of files ---

def fold_name(name: str) -> str:
    """A name without case, accents and signs."""
    return normal_heading(name).replace("_", "") or name


@cache
def _version() -> re.Pattern[str]:
    words = "|".join(layout_data()["files"]["version"].split())
    return re.compile(rf"(?:[ _.(\[-]+(?:{words}|v\.?\d+)[)\]]?)+$", re.IGNORECASE)


@cache
def side_words(kind: str) -> frozenset[str]:
    return frozenset(fold_name(word) for word in layout_data()["files"][kind].split())


def is_for_all(name: str) -> bool:
    """Whether words say nothing of a single card: ``Karten`` of ``Karten_Ruecken``."""
    return all(fold_name(match[0]) in side_words("rest") for match in NAME_WORD.finditer(name))


def find_sides(stem: str) -> Iterator[tuple[str, str, bool]]:
    """Yield what the words of a name may say of its side: the rest of it, the side (``front``, ``back``, or a letter),
    and whether that is sure. A number may follow the side: ``wolf_back_2``, ``recto0``.
    """
    plain, number = _version().sub("", stem), _NUMBER.search(stem)
    if plain != stem and is_common_back(plain):
        yield "", "back", True
        return
    yield from _find_words_of_sides(stem)
    if number:
        yield from ((rest + number[1], side, False) for rest, side, _ in _find_words_of_sides(stem[:number.start()])
                    if side in ("front", "back"))


def _find_words_of_sides(stem: str) -> Iterator[tuple[str, str, bool]]:
    words = [*NAME_WORD.finditer(stem)]
    for is_last, count in ((True, 2), (True, 1), (False, 2), (False, 1)):
        if len(words) < count:
            continue
        some = words[-count:] if is_last else words[:count]
        rest = stem[:some[0].start()].rstrip(NAME_SIGNS) if is_last else stem[some[-1].end():].lstrip(NAME_SIGNS)
        word = fold_name("".join(match[0] for match in some))
        for side in ("back", "front"):
            if word in side_words(side) or word in side_words(f"maybe_{side}"):
                is_sure = not rest or (is_last and word in side_words(side)) or (side == "back" and is_for_all(rest))
                yield rest, side, is_sure
    last = words[-1] if words else None
    if last and len(last[0]) == 1 and len(words) > 1 and last[0].isascii() and last[0].isalpha():
        yield stem[:last.start()].rstrip(NAME_SIGNS), last[0].casefold(), False
    elif last and re.fullmatch(r"\d+[A-Za-z]", last[0]):
        yield stem[:last.end() - 1], last[0][-1].casefold(), False
    elif last:
        for side in ("back", "front"):  # joined to another word
            for word in (word for word in side_words(side) if len(fold_name(last[0])) > len(word)
                         and fold_name(last[0]).endswith(word) and len(word) <= len(last[0])):
                rest = stem[:last.end() - len(word)].rstrip(NAME_SIGNS)
                yield rest, side, side == "back" and is_for_all(rest)


def is_common_back(stem: str) -> bool:
    """Whether a name is that of a back for all cards."""
    return any(side == "back" and is_sure and is_for_all(rest) for rest, side, is_sure in find_sides(stem))


def _is_file_name(name: str) -> bool:
    return 0 < len(name) <= 120 and name.isprintable() and not set(name) & set('<>:"|?*') and name not in (".", "..")


def _with_ending(name: str, path: Path) -> str:
    """The file name for what a cell calls a picture."""
    return name if name.lower().endswith(path.suffix.lower()) else f"{name}{path.suffix.lower()}"


# --- Decks ---

CARDS, BACK = "card.svg.j2", "back.svg.j2"
ONLY_PART = "cards"
ALL_SHEETS = "all"  # the name that means each sheet of cards of a workbook
DEFAULT_SIZE = "poker"
WORDS_OF_HEADINGS = 2  # words of a heading at most; with more it is a sentence
MIN_MATRIX = 3  # columns of a table of relations beside its first one
LOG_COLUMNS = 8  # columns for each that cards have, above which a sheet is a log or a form's answers
USUAL_BLEEDS = 2.5, 4.0  # bleeds in mm that a page in pixels may have
SCORE_START = """\
# How the game is scored: ppgen score, and the printed score sheet. Each table is a line of the sheet; without a rule it
# takes points as they are. With each = 3 it takes a number, and scores 3 points for each.
players = "2-4"
"""
_TAG = re.compile(r"</?(?:b|i|u|em|strong|br|p|span|div)\b[^>]{0,99}>|<<\w[\w ]{0,30}>>|\[/?[a-z][\w-]{0,30}\]|"
                  r"(?<!\w):[a-z][\w-]{1,30}:(?!\w)|__(?=\w)[\w ]{1,60}__", re.IGNORECASE)
"""Markup of web pages, forums and chats."""
_BLEED = re.compile(r"with a bleed of (\S+) mm")
_RULED = {"rectangle": ShapeKind.RECTANGLE, "circle": ShapeKind.CIRCLE, "hexagon": ShapeKind.HEXAGON}


def read_cut(size: str, shape: str, problems: Problems) -> Size:
    """The size of cards by name or measure, for a shape; notes what is wrong as a problem of the option."""
    found = Problems()
    fields = Fields(Source(Path("deck.toml"), ""), {"size": size, "shape": shape}, found)
    cut = take_piece_cut(fields, MAX_SIDE_MM, read_formats(shipped_root() / "data"))
    for problem in found:
        problems.note(f"--{problem.key}", problem.what, problem.remedy)
    return cut.size


def deck_from_sheet(request: SheetRequest) -> NewDeck:
    """Make a deck of a sheet and a folder of pictures. Raises InputError with every problem."""
    problems = Problems()
    _check_request(request, problems)
    size = request.size or (_drawing_size(request.front) if request.front and not problems else DEFAULT_SIZE)
    cut = read_cut(size, request.shape, problems)
    if not request.sheet.is_file():
        problems.note("--from", f"there is no file '{display_path(request.sheet)}'", Phrase("check_name"))
        raise InputError(problems)
    pictures = list_pictures(request.art, problems) if request.art and request.art.is_dir() else {}
    pages, others = _choose_pages(request, pictures, problems)
    look = open_look(request.look)
    look.fonts.missing.clear()  # those of the deck before
    has_headings = len(pages) != 1 or bool(request.roles) or _has_headings(read_table(
        request.sheet.parent, request.sheet.name, Problems(), pages[0]))
    drafts = [_PartDraft(name, page, request, look, pictures, problems, has_headings) for name, page in zip(
        _part_names(pages), pages, strict=True)]
    headings = list(dict.fromkeys(heading for draft in drafts for heading in draft.table.headings.values()))
    for heading in sorted(set.intersection(*(draft.unknown for draft in drafts))) if drafts else ():
        problems.note("--as", f"there is no column '{heading}'",
                      suggest(heading, headings, f"known: {join_names(headings)}"))
    problems.raise_if_any()
    parts = [_make_part(draft, request, size, cut, look) for draft in drafts]
    is_book = len(parts) > 1
    label = "{page}: {words}" if is_book else "{words}"
    notes = [label.format(page=part.draft.page, words=note) for part in parts for note in part.notes]
    used = {path for draft in drafts for path in draft.art.used}
    if unused := sorted(path.name for path in pictures.values() if path not in used):
        notes.append(f"pictures that no row names: {shorten(unused)}")
    if others:
        notes.append(f"sheets without cards, left out: {shorten(others)}")
    printed_signs = find_signs([draft.table for draft in drafts], lambda column: any(
        column.partition(".")[0] in part.printed for part in parts))
    return NewDeck(
        files=_write_files(request, request.book_title if is_book else request.title, parts, look), notes=tuple(notes),
        columns=tuple((label.format(page=part.draft.page, words=heading), meaning)
                      for part in parts for heading, meaning in part.meanings),
        warnings=tuple(warning for part in parts for warning in part.warnings),
        deck_warnings=(*(warning for part in parts for warning in part.deck_warnings),
                       *missing_signs(printed_signs, look.fonts)))


def _has_headings(table: Table) -> bool:
    """False if no heading is a known word, and one repeats a cell, or is a number or sentence like those below it."""
    headings = table.headings
    if not table.rows or not table.line or _knows_any([*headings.values()]):
        return True
    cells = {name: [str(row.cells[name]) for row in table.rows if row.cells[name] != ""] for name in headings}
    if any(cells[name] and name in table.numbers and not looks_like_a_number(headings[name]) for name in headings):
        return True
    return not any(heading in cells[name] or (name in table.numbers and looks_like_a_number(heading)) or (
        len(heading.split()) > WORDS_OF_HEADINGS
        and sum(len(cell.split()) > WORDS_OF_HEADINGS for cell in cells[name]) * 2 >= len(cells[name]))
                   for name, heading in headings.items())


def _add_headings(sheet: Path, width: int, page: str) -> bytes:
    """The CSV file of a table without headings, with letters above it."""
    data = sheet.read_bytes()
    text = decode(sheet_as_csv(sheet, page) if data.startswith(ZIP_START) else data, display_path(sheet))
    return f"{detect_table_separator(text).join(letter_headings(width))}\n{text}".encode()


def _write_files(request: SheetRequest, title: str, parts: Sequence[_NewPart],
                 look: LayoutLook) -> dict[str, bytes | Path]:
    """Write ``deck.toml`` and the templates, and list the files that are copied beside them."""
    drafts = [part.draft for part in parts]
    langs = tuple(dict.fromkeys(lang for draft in drafts for lang in draft.langs))
    first = langs[0] if langs else request.lang or next(
        (draft.columns.lang for draft in drafts if draft.columns.lang), request.user_lang)
    has_headings = all(draft.has_headings for draft in drafts)
    table = f"cards{request.sheet.suffix.lower()}" if has_headings else "cards.csv"
    tables = {part.draft.name: {"table": table, "sheet": part.draft.page if has_headings else "", **part.keys}
              for part in parts} | colour_tables(draft.columns for draft in drafts)
    files: dict[str, bytes | Path] = {DECK_FILE: deck_file(title, first, {"source": request.source}, tables)}
    mark = LayoutMark(request.look, [*request.roles])
    for part in parts:
        files |= {name: mark_layout(text, mark).encode() for name, text in part.templates.items()}
    files |= look.files
    files[table] = request.sheet.read_bytes() if has_headings else _add_headings(
        request.sheet, len(drafts[0].table.headings), drafts[0].page)
    if request.front:
        files[request.front.name] = request.front
        home = request.front.parent
        files |= {name: home / name for part in parts for name in part.linked
                  if name not in files and is_inside(name, home)}
    for other in langs[1:]:
        files[f"words/{other}.toml"] = f"[game]\ntitle = {json.dumps(title, ensure_ascii=False)}\n".encode()
    for draft in drafts:
        files |= draft.art.files
    return files


def _check_request(request: SheetRequest, problems: Problems) -> None:
    if request.art and not request.art.is_dir():
        problems.note("--art", f"'{display_path(request.art)}' is not a folder", "give the folder with the pictures")
    if request.front and not request.front.is_file():
        problems.note("--front", f"there is no file '{display_path(request.front)}'", Phrase("check_name"))
    elif request.front and request.front.suffix.lower() != ".svg":
        problems.note("--front", f"'{display_path(request.front)}' is not a drawing", "save it as SVG")
    if request.lang and not re.fullmatch("[a-z]{2,3}", request.lang):
        problems.note("--lang", f"'{request.lang}' is not a language", "write its code, like en")


def _drawing_size(front: Path) -> str:
    """The usual card size that a drawing's page has, also with a bleed, else its own; pixels fill a poker card."""
    sizes = read_formats(shipped_root() / "data").sizes
    pages: dict[str, str] = {}
    for name in sorted(sizes, key=lambda name: (name != DEFAULT_SIZE, -sizes[name].width)):
        with suppress(InputError):
            pages[name] = adopt_drawing(front.parent, front.name, sizes[name], ()).page
    page = None
    with suppress(InputError):
        page = adopt_alone(front.parent, front.name, ())
    bleeds = {name: float(match[1]) for name, words in pages.items() if (match := _BLEED.match(words))}
    if page and not page.is_real:  # by chance any number of pixels is some size with some bleed
        bleeds = {name: bleed for name, bleed in bleeds.items() if USUAL_BLEEDS[0] <= bleed <= USUAL_BLEEDS[1]}
    fitting = [*(name for name, words in pages.items() if words.startswith("as large")), *bleeds,
               *(name for name, words in pages.items() if words.startswith("scaled"))]
    if fitting or page is None:
        return next(iter(fitting), DEFAULT_SIZE)
    sides = page.width, page.height
    if not (page.is_real and min(sides) >= MIN_SIDE_MM and fits_sheet(Size(*sides))):
        room = sizes[DEFAULT_SIZE].width, sizes[DEFAULT_SIZE].height
        scale = min(min(room) / min(sides), max(room) / max(sides))
        sides = page.width * scale, page.height * scale
    return f"{sides[0]:.5g}x{sides[1]:.5g}mm"


# --- Sheets and parts ---

def _choose_pages(request: SheetRequest, pictures: Mapping[str, Path],
                  problems: Problems) -> tuple[Sequence[str], Sequence[str]]:
    """The sheets of a workbook that become parts, and those that hold no cards; an only sheet needs no name."""
    if request.page not in ("", ALL_SHEETS):
        return [request.page], []
    names: Sequence[str] = ()
    with problems.collect_errors():
        names = sheet_names(request.sheet)
    if len(names) < 2:
        return [""], []
    cards = [name for name in names if _holds_cards(read_table(
        request.sheet.parent, request.sheet.name, Problems(), name), pictures)]
    if not cards:
        problems.note(display_path(request.sheet), f"has {len(names)} sheets: {join_names(names)}",
                      f'name one of them: --sheet "{names[0]}"')
    return cards, [name for name in names if name not in cards]


def _holds_cards(table: Table, pictures: Mapping[str, Path]) -> bool:
    """Whether its headings name two things that cards have, besides their number; lists of signs hold none."""
    columns = understand_columns(table, pictures)
    return len(table.rows) > 1 and len(_sure_roles(columns)) > 1 and not (
        columns.is_list or _is_log(columns) or _is_matrix(table))


def _is_matrix(table: Table) -> bool:
    """True if its headings are the cells of its first column, too: it says how things go with each other."""
    first, *others = table.headings
    names = {str(row.cells[first]) for row in table.rows}
    return len(others) >= MIN_MATRIX and sum(table.headings[name] in names for name in others) * 2 > len(others)


def _sure_roles(columns: CardColumns) -> set[str]:
    """What its headings say that cards have, besides their number."""
    sure = {role for role, column in columns.roles.items() if column.heading not in columns.doubts}
    return sure - {"id", "notes", "copies"}


def _is_log(columns: CardColumns) -> bool:
    """True if few of many columns are what cards have."""
    return len({name.partition(".")[0] for name in columns.table.headings}) > LOG_COLUMNS * len(_sure_roles(columns))


def _part_names(pages: Sequence[str]) -> list[str]:
    """A name for the part of each sheet; that of an only one is "cards"."""
    names: list[str] = []
    for n, page in enumerate(pages, 1):
        name = to_id(page) or f"sheet-{n}"
        names.append(f"{name}-{n}" if name in (*names, *RESERVED_PARTS, *TOP_KEYS) else name)
    return names if len(pages) > 1 else [ONLY_PART] * len(pages)


class _PartDraft:
    """A sheet whose columns and pictures are known; ``unknown`` are headings of ``--as`` that it has not."""

    def __init__(self, name: str, page: str, request: SheetRequest, look: LayoutLook,
                 pictures: Mapping[str, Path], problems: Problems, has_headings: bool) -> None:
        self.name, self.page, self.has_headings = name, page, has_headings
        found = Problems()
        place = request.sheet.parent, request.sheet.name
        self.table = read_table(*place, found, page, has_headings=has_headings)
        self.langs = find_languages(tuple(self.table.headings.values())) if self.table.rows else ()
        if self.langs:
            self.table = read_table(*place, found, page, self.langs)
        self.unknown: set[str] = set()
        roles = _read_roles(request.roles, self.table, found, self.unknown) if not found else {}
        self.columns = replace(understand_columns(self.table, pictures, roles), palette=look.palette)
        self.art = PartArt(self.columns, pictures, request.art)
        if not found:
            found.extend(bad_copies(self.columns))
            self.art.find_art()
            self.art.find_icons()
        problems.extend(found)


@dataclass(frozen=True, slots=True, kw_only=True)
class _NewPart:
    """A part of a new deck: its keys in ``deck.toml``, its templates, the columns that are ``printed``, and the report:
    what each heading became, notes, warnings, and those that the deck gives itself from then on.
    """

    draft: _PartDraft
    keys: Mapping[str, str | int]
    templates: Mapping[str, str]
    printed: Collection[str]
    meanings: Sequence[tuple[str, str]]
    notes: Sequence[str]
    warnings: Sequence[Problem]
    deck_warnings: Sequence[Problem]
    linked: Sequence[str] = ()


def _make_part(draft: _PartDraft, request: SheetRequest, size: str, cut: Size, look: LayoutLook) -> _NewPart:
    """Write the templates of a part, or bind the drawing. Parts without words on their backs share one."""
    columns, shape = draft.columns, _RULED[request.shape]
    front = request.front.name if request.front else CARDS if draft.name == ONLY_PART else f"{draft.name}.svg.j2"
    back = BACK if draft.name == ONLY_PART or "back" not in columns else f"{draft.name}-{BACK}"
    keys: dict[str, str | int] = {"size": size, **({"shape": request.shape} if request.shape != "rectangle" else {}),
                                  "front": front, "back": f"art/{draft.art.back}" if draft.art.back else back}
    templates = {} if draft.art.back else {back: write_back(columns, draft.art.plan, cut, shape, look)}
    stems = [name.partition(".")[0] for name in draft.table.headings]
    copies = columns.roles.get("copies")
    if copies and not is_copies(copies.heading):
        keys["copies"] = copies.heading
    elif not copies and any(is_copies(heading) for heading in draft.table.headings.values()):
        keys["copies"] = 1
    if request.front:
        drawing = adopt_drawing(request.front.parent, front, cut, stems)
        notes = [] if request.size or size == DEFAULT_SIZE else [
            f"the cards are {cut}, in the proportions of the drawing: --size makes them another size"]
        return _NewPart(draft=draft, keys=keys, templates=templates, printed={each.column for each in drawing.bound},
                        meanings=[*_explain_drawing(columns, drawing)], notes=[*draft.art.notes, *notes],
                        warnings=draft.art.warnings, deck_warnings=[*draft.table.notes, *drawing.notes],
                        linked=[name for name, _ in drawing.linked])
    layout = write_front(columns, draft.art.plan, cut, shape, look)
    if len(columns.kinds) > 1 and "{{ fill(accent) }}" in layout.front:
        keys["blocks"] = columns.roles["kind"].heading  # sheets with an edge colour for each block
    return _NewPart(draft=draft, keys=keys, templates={front: layout.front, **templates},
                    printed={name for name in stems if f"card.{name}" in layout.front},
                    meanings=[*_explain(columns, draft.art, layout.left_out)],
                    notes=[*draft.art.notes, *_doubts(columns, layout.left_out, draft.has_headings)],
                    warnings=[*draft.art.warnings, *layout.warnings], deck_warnings=draft.table.notes)


def _read_roles(given: Sequence[str], table: Table, problems: Problems, unknown: set[str]) -> dict[str, str]:
    """Read ``HEADING=ROLE`` of ``--as``: notes wrong roles, and adds headings that are ``unknown``."""
    by_heading = {plain_heading(heading): name.partition(".")[0] for name, heading in table.headings.items()}
    roles: dict[str, str] = {}
    for words in given:
        heading, sign, role = words.rpartition("=")
        column = by_heading.get(plain_heading(heading)) or (column_name(heading) if column_name(heading) in {
            name.partition(".")[0] for name in table.headings} else "")
        place, known = PLACES.get(role.strip().lower()), [name for name in PLACES if name]
        if not sign:
            problems.note("--as", f"'{words}' does not say what the column is", f"write it like {words}=cost")
        elif not column:
            unknown.add(heading)
        elif place is None:
            problems.note("--as", f"'{role}' is nothing that a column can be",
                          suggest(role, known, f"known: {join_names(known)}; nothing leaves it out"))
        elif place in roles.values() and place not in ("text", FOOT, LEFT_OUT):
            problems.note("--as", f"two columns can't be '{role}'", "leave one of them out")
        else:
            roles[column] = place
    return roles


def _knows_any(headings: Sequence[str]) -> bool:
    """True if a heading is a known word, or a short one has one."""
    return any(is_whole or len(heading.split()) <= WORDS_OF_HEADINGS
               for *_, heading, is_whole in roles_by_heading({heading: heading for heading in headings}))


def _count_known(words: Sequence[str]) -> int:
    """The number of words that are headings of something."""
    return len({word for *_, word, is_whole in roles_by_heading({word: word for word in words}) if is_whole})


def _doubts(columns: CardColumns, left_out: Collection[str], has_headings: bool) -> Iterator[str]:
    """How to correct what follows from the cells of columns alone, if anything does."""
    headings = [*columns.table.headings.values()]
    if not has_headings:
        yield (f"no row of headings: the columns are called {join_names(headings)}. Write other names over them in "
               "cards.csv, or delete that row if the first card is one of headings")
    elif columns.table.line and (odd := next((heading for heading in headings if looks_like_a_cell(heading)
                                              or not _knows_any(headings)), "")):
        yield (f"the first row, with '{odd[:40]}', is taken for headings: if it is a card, write a row of headings "
               "above it")
    if len(headings) > LOG_COLUMNS and _is_log(columns):
        yield (f"few of its {len(headings)} columns are what cards have: if it is a log or a form's answers, copy what "
               "belongs on cards into a sheet of its own")
    if _is_matrix(columns.table):
        yield "its headings are the cells of its first column, too: if it is a table of relations, it holds no cards"
    cells = [str(row.cells[next(iter(columns.table.headings))]) for row in columns.table.rows]
    if len(cells) > 1 and _count_known(cells) > len(cells) / 2 and not _count_known(headings[1:]):
        yield "each column looks like a card: if so, copy the table and paste it transposed, so that each row is one"
    tags = {tag: None for column in columns.texts for cell in column.all_cells for tag in _TAG.findall(cell)}
    if tags:
        yield f"printed as it stands: {shorten([*tags])} (write **bold**, *italic*, {{icon}}, a line break for <br>)"
    doubts = [column for column in columns.roles.values() if column.heading in {*columns.doubts} - {*left_out}]
    if doubts:
        column = next((column for column in doubts if column.is_number), doubts[0])
        heading, role = column.heading, "copies" if column is not columns.roles.get("copies") else "cost"
        names = join_names(column.heading for column in doubts)
        yield (f"guessed from what they hold: {names}. To correct a guess, add "
               f'--as "{heading}={role if column.is_number else "text"}", or --as "{heading}=" to leave it out')


def add_score_file(deck: NewDeck) -> NewDeck:
    """Add a first ``score.toml`` to a deck without one: a line for each column of points of its sheet."""
    if SCORE_FILE in deck.files:
        return deck
    known = str(layout_data()["points"]).split()
    headings = [heading for heading, _ in deck.columns if normal_heading(heading) in known] or ["Points"]
    lines: dict[str, str] = {}
    for heading in headings:
        key = re.sub("_?points$", "", to_id(heading).replace("-", "_"))
        lines.setdefault(key if re.match("[a-z]", key) else f"points{len(lines) or ''}", heading)
    text = "".join(f"\n[{key[:30]}]\nlabel = {json.dumps(heading[:60], ensure_ascii=False)}\n"
                   for key, heading in lines.items())
    return replace(deck, files={**deck.files, SCORE_FILE: (SCORE_START + text).encode()})


def _explain(columns: CardColumns, art: PartArt, left_out: tuple[str, ...]) -> Iterator[tuple[str, str]]:
    meanings = {column.heading: "a line at the foot" for column in columns.facts}
    for column in columns.texts:
        meanings[column.heading] = "text"
    words = {"name": "name", "cost": "number in the corner", "left": "number, lower left", "back": "on the back",
             "right": "number, lower right", "flavour": "flavour, in italics", "rarity": "beside the kind",
             "keywords": "bold, above the text", "colour": "colour of the card", "notes": "not printed", "id": "id"}
    for role, column in columns.roles.items():
        match role:
            case "kind":
                kinds = len(columns.kinds)
                meanings[column.heading] = f"kind, a colour and a sign each ({kinds})" if kinds else "kind"
            case "copies":
                meanings[column.heading] = _explain_copies(column)
            case "art":
                found = art.plan.column and not art.by_name
                meanings[column.heading] = "picture" if found else "picture, none found (--art FOLDER brings them)"
            case "text":
                pass
            case _:
                meanings[column.heading] = words[role]
    meanings |= dict.fromkeys(left_out, "not printed: no room")
    meanings |= dict.fromkeys(columns.left_out, "left out")
    meanings |= dict.fromkeys(columns.files, "more pictures, not printed")
    meanings |= {heading: f"not printed: the same as {like}" for heading, like in columns.repeats.items()}
    headings = dict.fromkeys(heading if heading in meanings else re.sub(r"\s*[.(][a-z]{2}\)?$", "", heading)
                             for heading in columns.table.headings.values())
    yield from ((heading, meanings[heading]) for heading in headings if heading in meanings)


def _explain_copies(column: CardColumn) -> str:
    return f"copies: {format_count(sum(int(cell) if cell else 1 for cell in column.cells), 'card')}"


def _explain_drawing(columns: CardColumns, drawing: AdoptedDrawing) -> Iterator[tuple[str, str]]:
    """The headings in their order, each with what it fills in the drawing."""
    copies = columns.roles.get("copies")
    uses = {each.column: f"{each.use}: '{each.label}'" for each in reversed(drawing.bound)}
    uses |= {copies.name: _explain_copies(copies)} if copies else {}
    for name, heading in columns.table.headings.items():
        yield heading, uses.get(name.partition(".")[0], "nothing in the drawing has this label")


# --- Other looks ---
# Other looks for a deck whose first layouts are unchanged: these are written anew, from its sheet.

LAYOUT = ".svg.j2"
PLAIN = ""


def open_relooks(folder: Path) -> Relooks | None:
    """The looks that a deck may have; None if its layouts or the files of its look are not as ppgen wrote them."""
    top = read_toml(folder, DECK_FILE, Problems())
    parts = [top.take_table(key) for key in top if top.is_table(key) and key not in TOP_KEYS]
    mark = _read_marks(folder, parts)
    names = [PLAIN, *looks()]
    if mark is None or mark.look not in names or not _is_untouched(folder, mark.look, names):
        return None
    same = {key: {str(part.raw(key) or "") for part in parts} for key in ("table", "size", "shape", "sheet")}
    if any(len(same[key]) > 1 for key in ("table", "size", "shape")):
        return None
    title, table, art = str(top.raw("title")), same["table"].pop(), folder / "art"
    sheet = folder / table
    if not is_file_name(table) or any(not path.resolve().is_relative_to(folder.resolve()) for path in (sheet, art)):
        return None
    request = SheetRequest(
        sheet=sheet, title=title, book_title=title,
        page=ALL_SHEETS if len(same["sheet"]) > 1 else same["sheet"].pop(), art=art if art.is_dir() else None,
        size=same["size"].pop(), shape=same["shape"].pop() or "rectangle", look=mark.look, roles=mark.roles,
        source=str(top.raw("source") or ""))
    old = cache(partial(deck_from_sheet, request))
    return Relooks(look=mark.look, names=names, make=lambda name: _relook(
        folder, mark.look, old(), name, deck_from_sheet(replace(request, look=name))))


def _read_marks(folder: Path, parts: list[Fields]) -> LayoutMark | None:
    """The mark of all layouts of a deck; None if one of them has been changed, or has another."""
    faces = {str(part.raw(key) or "") for part in parts for key in ("front", "back")}
    found: list[LayoutMark | None] = []
    try:
        found = [read_mark(read_source(folder, face).text) for face in sorted(faces) if face.endswith(LAYOUT)]
    except InputError:  # the look tells it
        return None
    return found[0] if found and all(mark == found[0] for mark in found) else None


def _is_untouched(folder: Path, look: str, names: Sequence[str]) -> bool:
    """True if a deck has the files of its look as they are shipped, and none of another's."""
    own = open_look(look).files
    others = {file for name in names for file in open_look(name).files} - {*own}
    try:
        return (all(read_inside(folder, file) == path.read_bytes() for file, path in own.items())
                and not any((folder / file).exists() for file in others))
    except InputError:
        return False


def _relook(folder: Path, old_look: str, old: NewDeck, look: str, new: NewDeck) -> Relook:
    """Changes from one look to the other: layouts, files of the looks, and colours of ``deck.toml``."""
    names = [name for name in new.files if name.endswith(LAYOUT)]
    before = {name: read_inside(folder, name) for name in (*names, *open_look(old_look).files)
              if (folder / name).exists()}
    after = {name: _content(new.files[name]) for name in (*names, *open_look(look).files)}
    changes = {name: (before.get(name), after.get(name)) for name in (*after, *before)}
    source = read_source(folder, DECK_FILE)
    deck = _merge(source, *(Source(source.path, _content(each.files[DECK_FILE]).decode()) for each in (old, new)))
    changes[DECK_FILE] = read_inside(folder, DECK_FILE), deck.encode()
    return Relook(changes=changes, fonts=open_look(look).fonts, colours=parse_toml_text(deck).get("colours", {}))


def _content(content: bytes | Path) -> bytes:
    return content if isinstance(content, bytes) else content.read_bytes()


def _merge(source: Source, old: Source, new: Source) -> str:
    """A ``deck.toml`` in which everything that is as in the old look becomes as in the new one."""
    now, before, after = (read_all_texts(each) for each in (source, old, new))
    changed = [key for key in {**before, **after} if now.get(key) == before.get(key) != after.get(key)]
    text = source.text
    with suppress(InputError):  # written in a form that can't be changed: it stays as it is
        text = set_texts(source, {key: after[key] for key in changed if key in after})
        for key in changed:
            if key not in after:
                text = delete_text(Source(source.path, text), key)
    return text
