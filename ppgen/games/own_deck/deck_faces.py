"""The faces of the parts of a deck: templates, drawings, pictures, and files that a column names."""

from __future__ import annotations

import os
import re
from collections.abc import Collection, Sequence
from dataclasses import dataclass, field, replace
from difflib import get_close_matches
from functools import cached_property
from pathlib import Path

from ppgen.engine.adoption.adopted_drawing import AdoptedDrawing, adopt_drawing, deck_families
from ppgen.engine.geometry import Format, Formats, Size
from ppgen.engine.pictures.picture import MAX_FILE_BYTES
from ppgen.engine.pictures.picture_files import PICTURE_FOLDERS
from ppgen.engine.shapes import Folded
from ppgen.errors import InputError, Problem, Problems, join_names, suggest
from ppgen.games.own_deck.deck import ID_COLUMNS, PICTURES
from ppgen.games.own_deck.piece_cut import PieceCut, take_length
from ppgen.reading.fields import Fields, is_file_name, read_inside
from ppgen.reading.tables import Table, TableRow, column_name, is_copies
from ppgen.shipped import Phrase

DRAWING, TEMPLATES = ".svg", (".j2", ".jinja", ".jinja2")  # suffixes of fronts and backs, besides those of pictures
FACES = (*PICTURES, DRAWING, *TEMPLATES)
NO_FACE = "is not a template, drawing or picture"
FACE_REMEDY = "name a file that ends with .svg.j2, .svg, .png, .jpg or .webp"
MAX_BLEED_MM = 20
PICTURE_COLUMNS = ("art", "picture", "image", "bild", "billede", "afbeelding", "illustration", "画像")
"""Columns whose pictures are the faces of a part without front, in order of preference."""
FIGURE = """\
{% for panel, picture in ((net.panels.front, FRONT), (net.panels.back, BACK)) %}\
<g{% if loop.last %} transform="rotate(180 {{ panel.x + panel.width / 2 }} {{ panel.y + panel.height / 2 }})"\
{% endif %}>\
{{ image(picture, panel.x, panel.y, panel.width, panel.height, fit="stand") }}</g>\
{% endfor %}"""
"""The template of pieces that are folded at the top."""

VALUES = range(1, 7)
DIE_FACE = "die-face.svg.j2"  # of a die's faces that has no other: its columns 1 to 6, the number if all are empty
_DIE_FACE_TEXT = """\
{% set marks = (""" + ", ".join(f'card.c_{value} | default("")' for value in VALUES) + """) %}
{% set mark = (marks[value - 1] if marks | map("string") | select | list else value) ~ "" %}
{% set ground = card.colour | default(card.color) | default("#ffffff", true) %}
{% set room = face.width * 0.1 %}{% set inside = face.width - 2 * room %}
{{ fill(ground) }}
{% if mark.lower().endswith((".png", ".jpg", ".jpeg", ".webp", ".svg")) %}
{{ image(mark, x=room, y=room, width=inside, height=inside, fit="contain") }}
{% elif mark %}
{{ rich(mark, x=room, y=room, width=inside, height=inside, size=face.width * 0.58, min_size=face.width * 0.1, \
style="title", align="center", valign="middle", leading=1, fill=ink_on(ground)) }}
{% endif %}"""
_DIE_TEXT = """\
{% for value in range(1, 7) %}
{% set face = open_panel(value ~ "", net=net) %}
{% set drawing %}{% include "FRONT" %}{% endset %}
{{ close_panel(drawing=drawing) }}
{% endfor %}"""
_COLUMN = re.compile(r"\{([^{}]*)\}")  # in the name of a front or back: each row has its own words there


@dataclass
class Reading:
    """State while a deck is read: its folder and languages, the templates that were made, and the ids so far."""

    folder: Path
    langs: Sequence[str]
    formats: Formats
    card_size: Format
    problems: Problems
    warnings: Problems = field(default_factory=Problems)
    drawing_notes: Problems = field(default_factory=Problems)
    made: dict[str, str] = field(default_factory=dict)
    tables: dict[tuple[str, str], Table] = field(default_factory=dict)
    ids: dict[str, int] = field(default_factory=dict)
    colours: Collection[str] = ()
    drawings: dict[str, AdoptedDrawing] = field(default_factory=dict)
    row_faces: set[str] = field(default_factory=set)
    bleed: float | None = None  # the bleed of the pictures of the part that is being read, if it says so

    @cached_property
    def families(self) -> Collection[str]:
        return deck_families(self.folder)


def take_faces(part: Fields, name: str, cut: PieceCut, table: Table, reading: Reading) -> tuple[str, str]:
    """The templates of front and back, or the pictures that a column names; a net's faces become its panels."""
    reading.bleed = take_length(part, "bleed", 0, MAX_BLEED_MM) if "bleed" in part else None
    if _is_die(cut):
        if _take_face(part, "back", cut, table, reading):
            part.note("back", "is not printed: it would be inside the die", "leave it out")
        return _make_die(_take_face(part, "front", cut, table, reading), reading), ""
    column = next((column for column in PICTURE_COLUMNS if column in table.headings), "")
    behind = f"back_{column}" if f"back_{column}" in table.headings else ""
    if column and not part.raw("front"):
        front, back = f"card.{column}", f"card.{behind}" if behind else ""
        if cut.net:
            _take_face(part, "back", cut, table, reading)
            return _make_figure(name, front, f"{back} or {front}" if back else front, reading), ""
        if any(_has_words(row_face(f"{{{column}}}", row, reading), reading.folder) for row in table.rows):
            behind = behind if behind and not part.raw("back") else ""
            return (_take_row_faces(part, "front", f"{{{column}}}", cut, table, reading),
                    _take_row_faces(part, "back", f"{{{behind}}}", cut, table, reading) if behind
                    else _take_face(part, "back", cut, table, reading))
        return (_make_picture(f"{name}.{column}", front, reading), _make_picture(f"{name}.{behind}", back, reading)
                if behind and not part.raw("back") else _take_face(part, "back", cut, table, reading))
    front, back = (_take_face(part, key, cut, table, reading) for key in ("front", "back"))
    if cut.net and front.lower().endswith(PICTURES) and (not back or back.lower().endswith(PICTURES)):
        return _make_figure(name, f'"{front}"', f'"{back or front}"', reading), ""
    if cut.net and back:
        part.note("back", "is not printed: the template in front draws the whole net", "leave it out")
    return front, back


def _make_picture(name: str, picture: str, reading: Reading) -> str:
    """Make the template of a face that is a picture alone; return its name.

    A picture across is turned: front and back in opposite directions, so that both are upright when the card is turned
    over like a page.
    """
    bleed = "" if reading.bleed is None else f", bleed={reading.bleed:g}"
    reading.made[name] = f'{{{{ image({picture}, fit="bleed", turn=90 if side == "front" else -90{bleed}) }}}}'
    return name


def _make_figure(name: str, front: str, back: str, reading: Reading) -> str:
    """Make the template of a net with a picture on either side, and bare feet; return its name."""
    reading.made[f"{name}.figure"] = FIGURE.replace("FRONT", front).replace("BACK", back)
    return f"{name}.figure"


def _take_face(part: Fields, key: str, cut: PieceCut, table: Table, reading: Reading) -> str:
    """The template of a front or back: a file, or made of a drawing or picture; columns are left."""
    file = part.take_text(key, "")
    suffix = Path(file).suffix.lower()
    if not file:
        if key == "front" and not _is_die(cut):
            part.note(key, Phrase("is_missing"),
                      "name a template, drawing or picture, or add a column art to the table")
    elif _COLUMN.search(file) and suffix in ("", *FACES):
        return _take_row_faces(part, key, file, cut, table, reading)
    elif suffix not in FACES:
        part.note(key, f"'{file}' {NO_FACE}", FACE_REMEDY)
    else:
        if has_file(reading.folder, file):
            _make_face(file, cut, table, reading)
        else:
            note_missing_file(part, key, file, reading.folder)
        return file
    return ""


def _make_face(file: str, cut: PieceCut, table: Table, reading: Reading) -> None:
    """Make the template of a picture or drawing; a template needs none."""
    suffix = Path(file).suffix.lower()
    if suffix in PICTURES:
        _make_picture(file, f'"{file}"', reading)
    elif suffix == DRAWING:
        try:
            columns = tuple(dict.fromkeys(name.partition(".")[0] for name in table.headings))
            drawing = adopt_drawing(reading.folder, file, _face_size(cut), columns, colours=reading.colours,
                                    families=reading.families)
            shown = tuple(name for name in columns if name not in ID_COLUMNS[:1] and not is_copies(name))
            reading.made[file], reading.drawings[file] = drawing.template, replace(drawing, columns=shown)
            reading.drawing_notes.extend(drawing.notes)
        except InputError as error:
            reading.problems.extend(error.problems)


def _take_row_faces(part: Fields, key: str, pattern: str, cut: PieceCut, table: Table, reading: Reading) -> str:
    """Make the faces of all rows whose files a column names; an empty cell is no back, a missing file a problem."""
    columns = {name.partition(".")[0]: heading for name, heading in table.headings.items()}
    unknown = next((words for words in _COLUMN.findall(pattern) if column_name(words) not in columns), None)
    if cut.net:
        part.note(key, "a file for each row is not for pieces that are folded", "name one file for all")
    elif unknown is not None:
        part.note(key, f"the table has no column '{unknown}'",
                  suggest(unknown, table.headings.values(), f"columns: {join_names(table.headings.values())}"))
    else:
        wrong: dict[tuple[str, str], list[int]] = {}
        for row in table.rows:
            file = row_face(pattern, row, reading)
            if not file and key == "back":
                continue
            if not is_inside(file, reading.folder):
                wrong.setdefault((f"there is no file '{file[:100]}'", file), []).append(row.line)
            elif not file.lower().endswith(FACES):
                wrong.setdefault((f"'{file[:100]}' {NO_FACE}", ""), []).append(row.line)
            elif file not in reading.row_faces:
                reading.row_faces.add(file)
                _make_face(file, cut, table, reading)
        heading = columns[face_columns(pattern)[0]]
        for (what, file), lines in wrong.items():
            reading.problems.append(Problem(table.place, what, _file_remedy(file, reading.folder) if file
                                            else FACE_REMEDY, line=lines[0], key=heading, more=len(lines) - 1))
        return pattern
    return ""


def face_columns(face: str) -> list[str]:
    """The columns in the name of a front or back."""
    return [*map(column_name, _COLUMN.findall(face))]


def row_face(face: str, row: TableRow, reading: Reading) -> str:
    """The front or back of a row: of one with a column in its name, the file with the row's words in its place."""
    def words(match: re.Match[str]) -> str:
        name = column_name(match[1])
        return str(row.cells.get(name, "") or row.cells.get(f"{name}.{reading.langs[0]}", "")).strip()

    if "{" not in face:
        return face
    file = _COLUMN.sub(words, face)
    return next((f"{folder}{file}" for folder in PICTURE_FOLDERS if has_file(reading.folder, f"{folder}{file}")), file)


def _has_words(file: str, folder: Path) -> bool:
    """True if a file is a drawing with words, which are drawn like those of a front."""
    return file.lower().endswith(DRAWING) and is_inside(file, folder) and any(
        word in read_inside(folder, file, MAX_FILE_BYTES) for word in (b"<text", b"<flowRoot"))


def is_inside(file: str, folder: Path) -> bool:
    """True if a name from a table or drawing is that of a file in the folder, and of no link out of it."""
    return has_file(folder, file) and (folder / file).resolve().is_relative_to(folder.resolve())


def has_file(folder: Path, name: str) -> bool:
    """True if a name from a stranger's file is that of a file in the folder."""
    return is_file_name(name) and os.path.isfile(folder / name)  # noqa: PTH113 - Path's raises for a name that is too long


def _is_die(cut: PieceCut) -> bool:
    return cut.net is not None and cut.net.kind is Folded.DIE


def _face_size(cut: PieceCut) -> Size:
    """The size of a face; of a die, that of one side of the cube."""
    return Size(*[cut.net.panels["1"].width] * 2) if cut.net and _is_die(cut) else cut.size


def _make_die(front: str, reading: Reading) -> str:
    """Make the template of a die's net, which draws ``front`` for each face; return its name."""
    if not front:
        front = DIE_FACE
        reading.made[front] = _DIE_FACE_TEXT
    reading.made[f"{front}.die.j2"] = _DIE_TEXT.replace("FRONT", front)
    return f"{front}.die.j2"


def note_missing_file(part: Fields, key: str, file: str, folder: Path) -> None:
    part.note(key, f"there is no file '{file}'", _file_remedy(file, folder))


def _file_remedy(file: str, folder: Path) -> str:
    if not is_file_name(file):
        return "name a file inside the deck's folder"
    files = [path.relative_to(folder).as_posix() for path in sorted((folder / file).parent.glob("*"))]
    near = get_close_matches(file, files, n=1)
    return Phrase("did_you_mean_names", names=near[0]) if near else "put it beside deck.toml"
