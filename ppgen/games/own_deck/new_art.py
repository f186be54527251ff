"""Pictures and icons for a new deck: those of a folder that the cells of its sheet name."""

from __future__ import annotations

import os
import re
from collections.abc import Mapping, Sequence
from itertools import islice
from pathlib import Path

from ppgen.engine.drawing.pictures import MAX_LISTED_FILES, PictureFolder, find_shipped_icon, shipped_icons
from ppgen.engine.drawing.svg_pictures import PictureError
from ppgen.errors import Problems, display_path, join_names
from ppgen.games.own_deck.layout_writer import ArtPlan
from ppgen.games.own_deck.sheet_columns import PICTURE_ENDINGS, CardColumns, layout_data, picture_key

MAX_LISTED = 5
"""Names in a line of the report."""
_ICON = re.compile(r"\{(\w[\w /.-]{0,59})\}")


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


class PartArt:
    """The pictures and icons of a part while they are collected; ``notes`` say what was found."""

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
            count = len(self.used)
            self.notes.append(f"pictures: {count}, found by {self.by_name}" if self.by_name else f"pictures: {count}")
            if lines:
                self.notes.append(f"lines without a picture: {shorten([*map(str, lines)])}")
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
            self.notes.append(f"icons that ppgen has not, with others in their place in icons/: {shorten(made)}")


_BACKS = frozenset(picture_key(word) for roles in layout_data()["headings"].values()
                   for word in roles.get("back", "").split())


def _is_file_name(name: str) -> bool:
    return 0 < len(name) <= 120 and name.isprintable() and not set(name) & set('<>:"|?*') and name not in (".", "..")


def _with_ending(name: str, path: Path) -> str:
    """The file name for what a cell calls a picture."""
    return name if name.lower().endswith(path.suffix.lower()) else f"{name}{path.suffix.lower()}"


def shorten(names: Sequence[str]) -> str:
    """A list of names for the report."""
    more = len(names) - MAX_LISTED
    return join_names(names[:MAX_LISTED]) + (f", … (+{more})" if more > 0 else "")
