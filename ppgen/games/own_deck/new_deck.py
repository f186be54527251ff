"""New decks from a sheet of cards and a folder of pictures: their files, and what was understood and found."""

from __future__ import annotations

import json
import os
import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import replace
from difflib import get_close_matches
from itertools import islice
from pathlib import Path

from ppgen.assets import DECK_FILE, SCORE_FILE, shipped_root
from ppgen.engine.drawing.fonts import read_fonts
from ppgen.engine.drawing.pictures import MAX_LISTED_FILES, PictureFolder, find_shipped_icon, shipped_icons
from ppgen.engine.drawing.svg_pictures import PictureError
from ppgen.engine.geometry import Size, parse_size, read_formats
from ppgen.engine.shapes import ShapeKind
from ppgen.errors import InputError, Problem, Problems, display_path, format_count, join_names
from ppgen.games.interface import NewDeck
from ppgen.games.own_deck.deck import DEFAULT_LANG, to_id
from ppgen.games.own_deck.deck_signs import find_signs, missing_signs
from ppgen.games.own_deck.first_layout import deck_file, write_layout
from ppgen.games.own_deck.layout_writer import ArtPlan
from ppgen.games.own_deck.piece_cut import MAX_SIDE_MM, take_piece_cut
from ppgen.games.own_deck.sheet_columns import (
    FOOT,
    LEFT_OUT,
    PICTURE_ENDINGS,
    PLACES,
    CardColumns,
    bad_copies,
    find_languages,
    is_copies,
    layout_data,
    normal_heading,
    picture_key,
    understand_columns,
)
from ppgen.reading.fields import Fields, Source
from ppgen.reading.tables import Table, column_name, plain_heading, read_table
from ppgen.reading.texts import languages

CARDS, BACK = "card.svg.j2", "back.svg.j2"
SCORE_START = """\
# How the game is scored: ppgen score, and the printed score sheet. Each table is a line of the sheet; without a rule it
# takes points as they are. With each = 3 it takes a number, and scores 3 points for each.
players = "2-4"
"""
MAX_LISTED = 5
"""Names in a line of the report."""
_ICON = re.compile(r"\{(\w[\w /.-]{0,59})\}")
_RULED = {"rectangle": ShapeKind.RECTANGLE, "circle": ShapeKind.CIRCLE, "hexagon": ShapeKind.HEXAGON}


def list_pictures(folder: Path, problems: Problems) -> dict[str, Path]:
    """The picture files of a folder and its subfolders by :func:`picture_key`; those of upper folders first."""
    found: list[Path] = []
    for where, folders, files in islice(os.walk(folder), MAX_LISTED_FILES):
        folders[:] = sorted(name for name in folders if not name.startswith("."))
        found += [Path(where, name) for name in files if name.lower().endswith(PICTURE_ENDINGS)
                  and not name.startswith(".")]
        if len(found) > MAX_LISTED_FILES:
            problems.note("--art", f"'{display_path(folder)}' has more than {MAX_LISTED_FILES:,} pictures",
                          "give a folder with those of this deck")
            return {}
    found.sort(key=lambda path: (len(path.parts), path.suffix.lower() == ".svg", path.name))
    pictures: dict[str, Path] = {}
    for path in found:
        pictures.setdefault(picture_key(path.name), path)
    return pictures


def read_cut(size: str, shape: str, problems: Problems) -> Size:
    """The size of cards by name or measure, for a shape; notes what is wrong as a problem of the option."""
    found = Problems()
    fields = Fields(Source(Path("deck.toml"), ""), {"size": size, "shape": shape}, found)
    cut = take_piece_cut(fields, MAX_SIDE_MM, read_formats(shipped_root() / "data"))
    for problem in found:
        problems.note(f"--{problem.key}", problem.what, problem.remedy)
    return cut.size or parse_size("63.5x88.9")


def deck_from_sheet(sheet: Path, page: str, art: Path | None, size: str, shape: str, lang: str, title: str,
                    given: Sequence[str] = ()) -> NewDeck:
    """Make a deck of a sheet and a folder of pictures. Raises InputError with every problem.

    ``given`` says what columns are: ``HEADING=ROLE``, or ``HEADING=`` for one that is left out.
    """
    problems = Problems()
    if art and not art.is_dir():
        problems.note("--art", f"'{display_path(art)}' is not a folder", "give the folder with the pictures")
        art = None
    cut = read_cut(size, shape, problems)
    if lang and not re.fullmatch("[a-z]{2,3}", lang):
        problems.note("--lang", f"'{lang}' is not a language", "write its code, like en")
    if not sheet.is_file():
        problems.note("--from", f"there is no file '{display_path(sheet)}'",
                      "export the sheet as CSV or XLSX" if sheet.suffix == "" else "check the name")
        raise InputError(problems)
    pictures = list_pictures(art, problems) if art else {}
    table = read_table(sheet.parent, sheet.name, problems, page)
    if table.rows and (langs := find_languages(tuple(table.headings.values()))):
        table = read_table(sheet.parent, sheet.name, problems, page, langs)
    problems[:] = [_ask_for_option(problem) for problem in problems]
    problems.raise_if_any()
    given_roles = _read_roles(given, table, problems)
    problems.raise_if_any()
    columns = understand_columns(table, pictures, given_roles)
    problems.extend(bad_copies(columns))
    deck = _SheetDeck(columns, pictures, art, problems)
    deck.find_art()
    deck.find_icons()
    problems.raise_if_any()
    fonts = read_fonts(shipped_root() / "data" / "fonts")
    layout = write_layout(columns, deck.plan, cut, _RULED[shape], fonts, bool(deck.back))
    part: dict[str, str | int] = {"size": size, **({"shape": shape} if shape != "rectangle" else {}),
                                  "front": CARDS, "back": f"art/{deck.back}" if deck.back else BACK}
    copies = columns.roles.get("copies")
    if len(columns.kinds) > 1 and "{{ fill(accent) }}" in layout.front:
        part["blocks"] = columns.roles["kind"].heading  # sheets with an edge colour for each block
    if copies and not is_copies(copies.heading):
        part["copies"] = copies.heading
    elif not copies and any(is_copies(heading) for heading in table.headings.values()):
        part["copies"] = 1
    spoken = languages(shipped_root() / "data" / "locales")
    first = langs[0] if langs else lang or (columns.lang if columns.lang in spoken else DEFAULT_LANG)
    name = f"cards{sheet.suffix.lower()}"
    files: dict[str, bytes | Path] = {
        DECK_FILE: deck_file(title, first, name, page, part, columns).encode(), CARDS: layout.front.encode(),
        name: sheet.read_bytes()}
    if layout.back:
        files[BACK] = layout.back.encode()
    for other in langs[1:]:
        files[f"words/{other}.toml"] = f"[game]\ntitle = {json.dumps(title, ensure_ascii=False)}\n".encode()
    files |= deck.files
    notes = [*deck.notes, *_doubts(columns, layout.left_out)]
    return NewDeck(files=files, columns=tuple(_explain(columns, deck, layout.left_out)), notes=tuple(notes),
                   warnings=(*table.notes, *layout.warnings), missing_signs=tuple(missing_signs(find_signs(
                       [table], lambda column: f"card.{column.partition('.')[0]}" in layout.front), fonts).values()))


def _read_roles(given: Sequence[str], table: Table, problems: Problems) -> dict[str, str]:
    """Read ``HEADING=ROLE`` of ``--as``; notes unknown headings and roles, and roles that are given twice."""
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
            near = get_close_matches(heading, table.headings.values(), n=1)
            problems.note("--as", f"there is no column '{heading}'", (f"did you mean {near[0]}? " if near else "")
                          + f"known: {join_names(table.headings.values())}")
        elif place is None:
            near = get_close_matches(role, known, n=1)
            problems.note("--as", f"'{role}' is nothing that a column can be", (
                f"did you mean {near[0]}? " if near else "") + f"known: {join_names(known)}; nothing leaves it out")
        elif place in roles.values() and place not in ("text", FOOT, LEFT_OUT):
            problems.note("--as", f"two columns can't be '{role}'", "leave one of them out")
        else:
            roles[column] = place
    return roles


def _doubts(columns: CardColumns, left_out: Collection[str]) -> Iterator[str]:
    """How to correct what follows from the cells of columns alone, if anything does."""
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


def _ask_for_option(problem: Problem) -> Problem:
    """The problem with the sheets of a workbook named as the option takes them."""
    if match := re.fullmatch(r'name one of them: sheet = "(.*)"', problem.remedy):
        return Problem(place=problem.place, what=problem.what, remedy=f'name one of them: --sheet "{match[1]}"')
    return problem


class _SheetDeck:
    """The pictures and icons of a deck while they are collected; ``notes`` say what was found."""

    def __init__(self, columns: CardColumns, pictures: Mapping[str, Path], art: Path | None,
                 problems: Problems) -> None:
        self.columns, self.pictures, self.root, self.problems = columns, pictures, art or Path(), problems
        self.folder = PictureFolder(self.root)
        self.files: dict[str, bytes | Path] = {}
        self.notes: list[str] = []
        self.plan = ArtPlan()
        self.back = ""
        self.used: set[Path] = set()
        self.by_name = ""

    def _take(self, path: Path, target: str) -> float:
        """Copy a picture; return its aspect. Notes what is wrong with it, also that it is a link out of the folder."""
        self.files[target] = path
        self.used.add(path)
        try:
            return self.folder.find(path.relative_to(self.root).as_posix()).aspect
        except PictureError as error:
            self.problems.note(display_path(path), str(error).removeprefix(f"{path.name} "), error.remedy)
            return 1.0

    def find_art(self) -> None:
        """Find the picture of each row, by the column of pictures or else by the row's name or kind."""
        roles = self.columns.roles
        candidates = [roles[role] for role in ("art", "name", "kind") if role in roles]
        column = next((column for column in candidates
                       if any(picture_key(cell) in self.pictures for cell in column.all_cells)), None)
        aspects: list[float] = []
        gaps: list[int] = []
        for n, cell in enumerate(column.all_cells if column else ()):
            name = cell.replace("\\", "/").rpartition("/")[2].strip()
            path = self.pictures.get(picture_key(cell)) if _is_file_name(name) else None
            if path is None:
                gaps.append(n)
            elif f"art/{_with_ending(name, path)}" not in self.files:
                aspects.append(self._take(path, f"art/{_with_ending(name, path)}"))
        if column and aspects:
            cell = f"card.{column.name}"
            has_folders = any(sign in cell for cell in column.all_cells for sign in "/\\")
            expression = f'({cell} ~ "").replace("\\\\", "/").split("/") | last | trim' if has_folders else cell
            self.plan = ArtPlan(column=expression, aspects=tuple(aspects), has_gaps=bool(gaps))
            self.by_name = "" if column is roles.get("art") else column.heading
            rows = len(self.columns.table.rows)
            lines = sorted({self.columns.table.rows[n % rows].line for n in gaps})
            self.notes.append(f"{format_count(len(self.used), 'picture')}" + (
                f", found by {self.by_name}" if self.by_name else "") + (
                f"; {format_count(len(lines), 'row')} without: {_shorten([f'line {line}' for line in lines])}"
                if lines else ""))
        back = next((path for key, path in self.pictures.items() if key in _BACKS and path not in self.used), None)
        if back:
            self.back = f"back{back.suffix.lower()}"
            self._take(back, f"art/{self.back}")
            self.notes.append(f"{back.name} is the back")

    def find_icons(self) -> None:
        """Find the icons of the texts: in the folder, else shipped ones, else others in their place."""
        stand_ins = layout_data()["drawing"]["signs"]
        roles = self.columns.roles
        rich = ("name", "cost", "left", "right", "flavour", "keywords", "back")
        printed = [roles[role] for role in rich if role in roles]
        columns = (*printed, *self.columns.texts, *self.columns.facts)
        names = dict.fromkeys(name for column in columns for cell in column.all_cells
                              for name in _ICON.findall(cell))
        made: list[str] = []
        for name in (name for name in names if ".." not in name):
            path = self.pictures.get(picture_key(name))
            if path:
                self._take(path, f"icons/{name}{path.suffix.lower()}")
            elif not find_shipped_icon(name):
                self.files[f"icons/{name}.svg"] = shipped_icons()[stand_ins[len(made) % len(stand_ins)]]
                made.append(f"{{{name}}}")
        if made:
            self.notes.append(f"icons that ppgen has not, with others in their place in icons/: {_shorten(made)}")
        unused = sorted(path.name for path in self.pictures.values() if path not in self.used)
        if unused:
            self.notes.append(f"{format_count(len(unused), 'picture')} that no row names: {_shorten(unused)}")


_BACKS = frozenset(picture_key(word) for roles in layout_data()["headings"].values()
                   for word in roles.get("back", "").split())


def _is_file_name(name: str) -> bool:
    return 0 < len(name) <= 120 and name.isprintable() and not set(name) & set('<>:"|?*') and name not in (".", "..")


def _with_ending(name: str, path: Path) -> str:
    """The file name for what a cell calls a picture."""
    return name if name.lower().endswith(path.suffix.lower()) else f"{name}{path.suffix.lower()}"


def _shorten(names: list[str]) -> str:
    more = len(names) - MAX_LISTED
    return join_names(names[:MAX_LISTED]) + (f" and {more} more" if more > 0 else "")


def _explain(columns: CardColumns, deck: _SheetDeck, left_out: tuple[str, ...]) -> Iterator[tuple[str, str]]:
    """The headings in their order, each with what it became."""
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
                total = sum(int(cell) if cell else 1 for cell in column.cells)
                meanings[column.heading] = f"copies: {total} cards"
            case "art":
                meanings[column.heading] = "picture" if deck.plan.column and not deck.by_name else "picture, none found"
            case "text":
                pass
            case _:
                meanings[column.heading] = words[role]
    meanings |= dict.fromkeys(left_out, "not printed: no room")
    meanings |= dict.fromkeys(columns.left_out, "left out")
    headings = dict.fromkeys(heading if heading in meanings else re.sub(r"\s*[.(][a-z]{2}\)?$", "", heading)
                             for heading in columns.table.headings.values())
    yield from ((heading, meanings[heading]) for heading in headings if heading in meanings)
