"""Pictures and icons for a new deck: those of a folder that the cells of its sheet name."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Mapping
from difflib import get_close_matches
from functools import cache
from itertools import islice
from pathlib import Path

from ppgen.engine.drawing.lettering import ICON_MARK
from ppgen.engine.drawing.picture import Picture
from ppgen.engine.drawing.pictures import MAX_LISTED_FILES, PictureFolder, find_shipped_icon, shipped_icons
from ppgen.engine.pdf.picture_pixels import vanishes_on_dark
from ppgen.engine.svg.svg_pictures import PictureError
from ppgen.errors import Problem, Problems, display_path, shorten
from ppgen.games.own_deck.heading_words import layout_data, normal_heading
from ppgen.games.own_deck.layout_writer import ArtPlan
from ppgen.games.own_deck.sheet_columns import PICTURE_ENDINGS, CardColumns, picture_key
from ppgen.shipped import Phrase

NAME_WORD = re.compile(r"[^\W_]+?(?:(?<=[a-z])(?=[A-Z])|(?![^\W_]))")
NAME_SIGNS = " _.-–—()[]{}<>（）【】「」~=+#@!"
"""Words of a name, also told by capitals, and what may stand around them."""


def find_picture_files(folder: Path, option: str, problems: Problems) -> list[Path]:
    """The picture files of a folder and its subfolders; too many are a problem of the option."""
    found: list[Path] = []
    for where, folders, files in islice(os.walk(folder), MAX_LISTED_FILES):
        folders[:] = sorted(name for name in folders if not name.startswith("."))
        found += [Path(where, name) for name in files if name.lower().endswith(PICTURE_ENDINGS)
                  and not name.startswith(".")]
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


# Sides of cards, by names of files

def fold_name(name: str) -> str:
    """A name without case, accents and signs."""
    return normal_heading(name).replace("_", "") or name


@cache
def side_words(kind: str) -> frozenset[str]:
    return frozenset(fold_name(word) for word in layout_data()["files"][kind].split())


def is_for_all(name: str) -> bool:
    """Whether words say nothing of a single card: ``Karten`` of ``Karten_Ruecken``."""
    return all(fold_name(match[0]) in side_words("rest") for match in NAME_WORD.finditer(name))


def find_sides(stem: str) -> Iterator[tuple[str, str, bool]]:
    """Yield what the words of a name may say of its side: the rest of it, the side (``front``, ``back``, or a letter),
    and whether that is sure.
    """
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
