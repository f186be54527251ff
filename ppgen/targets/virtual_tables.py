"""Virtual tables: Tabletop Simulator, its objects and saves; Tabletopia."""

from __future__ import annotations

import hashlib
import json
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from copy import deepcopy
from functools import partial
from itertools import count, islice, product
from math import ceil, floor
from pathlib import Path
from typing import Any
from urllib.parse import quote

from ppgen.engine.component import Component, PrintWay
from ppgen.engine.drawing.face import Face
from ppgen.engine.geometry import INCH, MAX_CARD_SIDE_MM, MM, Insets, Rect, Size
from ppgen.engine.pictures.face_pictures import FacePicture, at_dpi, blank_face, contact_print, crop_face, take_pictures
from ppgen.engine.shapes import Folded, Net, ShapeKind
from ppgen.errors import InputError, display_path
from ppgen.lines import format_json
from ppgen.printing.drawn_parts import DrawnPart
from ppgen.printing.manifest import Json
from ppgen.printing.request import BuildRequest, stem_words
from ppgen.printing.workshop import Workshop
from ppgen.process.file_writing import BuiltFile
from ppgen.process.system import Progress
from ppgen.reading.fields import read_bytes, refuse_file
from ppgen.reading.texts import Texts
from ppgen.records import dataclass, field, replace
from ppgen.targets.piece_pictures import (README, Export, ExportedFile, Hint, NamedFace, NamedPiece, PictureFile,
                                          choose_pieces, draw_all, export_facts, file_name, heading, name_faces,
                                          name_pieces, numbered_list, paragraph, picture_files, readme, table, variant)

# --- Objects ---
# The format is that of Berserk Games' knowledge base (kb.tabletopsimulator.com: save file format, custom deck, custom
# tile, custom model, asset creation). One unit of the game is about an inch.

CARD_HEIGHT = 3.5  # height of a card at scale 1; its width follows its picture: 2.5 for poker size
CARD_TYPES = {ShapeKind.CIRCLE: 4}  # others are rectangles with round corners, 0 (api.tabletopsimulator.com)
TILE_TYPES = {ShapeKind.RECTANGLE: 0, ShapeKind.CIRCLE: 2, ShapeKind.ROUNDED: 3}
"""Numbers of tile shapes. Other shapes are tokens, which the game cuts out by the transparency of the picture: its
hexagonal tile has one orientation only, a token that of its picture."""
CUTOUT_PX = 5.0  # precision of a token's outline
FIT_SCRIPT = """\
-- As large as on a real table: {length:g} units along its {axis} axis, whatever the size of its picture.
function onLoad()
  Wait.condition(function()
    local now, scale = self.getBoundsNormalized().size, self.getScale()
    local by = {length:g} / now.{axis}
    self.setScale({{scale.x * by, scale.y * {up}, scale.z * by}})
  end, function() return not self.loading_custom end)
end
"""
"""Script of boards, tokens and figures: they load at the size of their pictures, and are then scaled."""
TILE_SIDE = 2.0  # width and height at scale 1 of a tile with a stretched picture
BAG_SIDE = 3.0  # width and depth of a bag at scale 1
TILE_THICKNESS = 0.08  # 2 mm of board, in units
DROP_HEIGHT, TABLE_HEIGHT = 1.5, 0.96  # that objects fall from; a locked board lies on the table
GAP, ROW_LENGTH = 0.75, 24.0  # between objects on the table; and how far a row of them reaches
DICE_MODEL = 2  # `TypeIndex` of a model that can be rolled (api.tabletopsimulator.com, custom model)
RANDOM_ORDER = 2  # `Order` of a bag that gives its objects in random order


State = dict[str, Any]  # an object of the game, or a part of it
GREY = {"r": 0.713, "g": 0.713, "b": 0.713}
_HEAD: State = {
    "GUID": "", "Name": "", "Transform": {}, "Nickname": "", "Description": "", "GMNotes": "", "ColorDiffuse": GREY,
    "Locked": False, "Grid": True, "Snap": True, "IgnoreFoW": False, "MeasureMovement": False, "DragSelectable": True,
    "Autoraise": True, "Sticky": True, "Tooltip": True}
_TAIL: State = {"LuaScript": "", "LuaScriptState": "", "XmlUI": ""}
_SAVE: State = {"SaveName": "", "GameMode": "", "Date": "", "Table": "", "Sky": "", "Note": "", "Rules": "",
               "PlayerTurn": "", "LuaScript": "", "LuaScriptState": ""}

TableObject = tuple[State, Size]  # state with a key as GUID and no place yet, and its room, in units


def saved_object(name: str, objects: Iterable[TableObject]) -> State:
    """Return the saved object: decks and bags side by side in rows, at real size, without overlaps."""
    states: list[State] = []
    used: set[str] = set()
    x = z = depth = 0.0
    for state, room in objects:
        if x and x + room.width > ROW_LENGTH:
            x, z, depth = 0.0, z - depth - GAP, 0.0
        states.append(_place(state, x + room.width / 2, z - room.height / 2, name, used))
        x, depth = x + room.width + GAP, max(depth, room.height)
    return {**_SAVE, "SaveName": name, "ObjectStates": states}


def _place(state: State, x: float, z: float, salt: str, used: set[str]) -> State:
    """Place an object with all that it contains, and replace its key by a GUID."""
    placed = {**state, "Transform": {**state["Transform"], "posX": round(x, 4), "posZ": round(z, 4)}}
    if "ContainedObjects" in state:
        placed["ContainedObjects"] = [_place(each, x, z, salt, used) for each in state["ContainedObjects"]]
    placed["GUID"] = object_guid(f"{salt}\n{state['GUID']}", used)
    return placed


def object_guid(key: str, used: set[str]) -> str:
    """Return six hexadecimal digits, unique in the set and equal in each run."""
    guids = (hashlib.sha256(f"{key}\n{n}".encode()).hexdigest()[:6] for n in count())
    used.add(guid := next(guid for guid in guids if guid not in used))
    return guid


def deck(title: str, size: Size, sheets: dict[str, State], cards: Sequence[tuple[Component, int]]) -> TableObject:
    """Make cards of a size (mm) in a stack, face down; slots are counted on custom decks by hundreds."""
    scale = size.height / INCH / CARD_HEIGHT
    transform = _transform(face_down=True, scale=(scale, 1.0, scale))
    states = [_state("Card", f"card {card.id}", transform, card, HideWhenFaceDown=True, Hands=True, CardID=slot,
                     SidewaysCard=False, CustomDeck={str(slot // 100): sheets[str(slot // 100)]})
              for card, slot in cards for _ in range(card.copies)]
    room = Size(size.width / INCH, size.height / INCH)
    if len(states) == 1:  # a deck needs two cards
        return states[0], room
    return _state("DeckCustom", f"deck {title} {cards[0][0].id}", transform, Nickname=title, HideWhenFaceDown=True,
                  Hands=False, SidewaysCard=False, DeckIDs=[state["CardID"] for state in states], CustomDeck=sheets,
                  ContainedObjects=states), room


def tile(component: Component, size: Size, pictures: tuple[str, str], kind: ShapeKind = ShapeKind.RECTANGLE,
         face_down: bool = False, standing: bool = False, board: bool = False) -> TableObject:
    """Make a tile of a size (mm) with two pictures; a ``standing`` one is a figure, a ``board`` is locked."""
    wide, high = size.width / INCH, size.height / INCH
    image: State = dict(zip(("ImageURL", "ImageSecondaryURL"), pictures, strict=True), ImageScalar=1.0, WidthScale=0.0)
    scale, script = (1.0, 1.0, 1.0), FIT_SCRIPT.format(length=round(wide, 4), axis="x", up=1)
    if board:
        name = "Custom_Board"
    elif standing:
        name, script = "Figurine_Custom", FIT_SCRIPT.format(length=round(high, 4), axis="y", up="by")
    elif kind in TILE_TYPES:  # its picture is stretched over a scaled square: no script
        name, scale, script = "Custom_Tile", (wide / TILE_SIDE, 1.0, high / TILE_SIDE), ""
        image["CustomTile"] = {"Type": TILE_TYPES[kind], "Thickness": TILE_THICKNESS, "Stackable": False,
                               "Stretch": True}
    else:
        name = "Custom_Token"
        image["CustomToken"] = {"Thickness": TILE_THICKNESS, "MergeDistancePixels": CUTOUT_PX, "StandUp": False,
                                "Stackable": False}
    transform = _transform(face_down, scale, TABLE_HEIGHT if board else DROP_HEIGHT)
    return {**_state(name, f"tile {component.id}", transform, component, HideWhenFaceDown=face_down, Hands=False,
                     Locked=board, CustomImage=image), "LuaScript": script}, Size(wide, high)


def model_die(component: Component, net: Net, mesh: str, picture: str) -> TableObject:
    """Make a die of a mesh and the picture of its net: where faces lie on the game's own is not published."""
    side = net.panels["1"].width / INCH
    custom: State = {"MeshURL": mesh, "DiffuseURL": picture, "NormalURL": "", "ColliderURL": "", "Convex": True,
                     "MaterialIndex": 0, "TypeIndex": DICE_MODEL, "CastShadows": True}
    return _state("Custom_Model", f"die {component.id}", _transform(), component, Hands=False,
                  ColorDiffuse=dict.fromkeys("rgb", 1.0), CustomMesh=custom), Size(side, side)


_DIE_CORNERS = {"1": (2, 3, 7, 6), "2": (0, 1, 3, 2), "3": (0, 2, 6, 4), "4": (3, 1, 5, 7), "5": (6, 7, 5, 4),
                "6": (1, 0, 4, 5)}
"""Corners of a cube's sides, clockwise from the top left of their panels; bits of 1, 2 and 4 are right, up, near."""


MESH_INSET_MM = 0.1  # width of the hidden edge of a panel: it blends with the paper beside it


def die_mesh(net: Net) -> str:
    """Return the cube that a die's net folds to, the net's picture on its sides, in triangles (Wavefront OBJ)."""
    half, width, height = net.panels["1"].width / INCH / 2, net.size.width, net.size.height
    lines = ["v " + " ".join(f"{half if corner & axis else -half:.5f}" for axis in (1, 2, 4)) for corner in range(8)]
    faces = []
    for n, (name, corners) in enumerate(_DIE_CORNERS.items()):
        panel = net.panels[name].grown(Insets.all(-MESH_INSET_MM))
        for x, y in ((panel.x, panel.y), (panel.right, panel.y), (panel.right, panel.bottom), (panel.x, panel.bottom)):
            lines.append(f"vt {x / width:.5f} {1 - y / height:.5f}")
        top_left, top_right, bottom_right, bottom_left = (
            f"{corner + 1}/{4 * n + place}" for place, corner in enumerate(corners, 1))
        faces += [f"f {bottom_left} {bottom_right} {top_right}", f"f {bottom_left} {top_right} {top_left}"]
    return "\n".join((*lines, *faces, ""))


def bag(title: str, tiles: Sequence[State], description: str = "", colour: str = "", mixed: bool = False
        ) -> TableObject:
    """Make a bag of a ``colour`` (#rrggbb), which gives its tiles in random order if it is ``mixed``."""
    rgb = zip("rgb", bytes.fromhex(colour[1:]), strict=False)
    return _state("Bag", f"bag {title} {tiles[0]['GMNotes']}", _transform(), Nickname=title, Description=description,
                  MaterialIndex=-1, MeshIndex=-1,
                  ColorDiffuse={name: round(value / 255, 3) for name, value in rgb} or GREY,
                  Bag={"Order": RANDOM_ORDER if mixed else 0}, ContainedObjects=tiles), Size(BAG_SIDE, BAG_SIDE)


def _state(name: str, key: str, transform: State, piece: Component | None = None, **more: Any) -> State:
    own = {"Nickname": _nickname(piece), "Description": piece.description, "GMNotes": piece.id} if piece else {}
    return {**_HEAD, "GUID": key, "Name": name, "Transform": transform, **own, **more, **_TAIL}


def _nickname(component: Component) -> str:
    return component.title or component.id


def _transform(face_down: bool = False, scale: tuple[float, float, float] = (1.0, 1.0, 1.0),
               height: float = DROP_HEIGHT) -> State:
    """Turn and scale an object: upright for the player at the near side, dropped from just above the table."""
    return {"posX": 0.0, "posY": height, "posZ": 0.0, "rotX": 0.0, "rotY": 180.0, "rotZ": 180.0 if face_down else 0.0,
            **{f"scale{axis}": round(length, 5) for axis, length in zip("XYZ", scale, strict=True)}}


# --- Saves ---
# Exchange of pieces in a saved game of Tabletop Simulator: new pictures, names and cards, everything else as it lies.
#
# A save is a JSON file with ``ObjectStates``; bags and decks hold further objects in ``ContainedObjects``, objects with
# several states in ``States``, and things fixed to others in ``ChildObjects``. A deck lists the ``CardID`` of its cards
# in ``DeckIDs``; the hundreds of such a number are the key of a sheet in ``CustomDeck``, unique in the save. Pieces are
# found by their id, which ppgen writes into ``GMNotes``, else by their name. The order of keys stays.

MAX_SAVE_BYTES = 100_000_000
MAX_OBJECTS, MAX_DEPTH = 200_000, 60  # objects in a save, and how deep they may lie in each other
DECKS, CARDS = ("Deck", "DeckCustom"), ("Card", "CardCustom")
INFINITE_BAG = "Infinite_Bag"
PICTURES = {"CustomImage": ("ImageURL", "ImageSecondaryURL"), "CustomMesh": ("MeshURL", "DiffuseURL")}


# --- Files ---

@dataclass(kw_only=True)
class TableSave:
    """A saved game that was read; ``document`` is changed in place."""

    path: Path
    original: bytes
    document: State

    @classmethod
    def read(cls, path: Path) -> TableSave:
        """Read a saved game. Raises InputError for anything else."""
        data = read_bytes(path, MAX_SAVE_BYTES, "it is not a saved game")
        try:
            document = json.loads(data)
        except (ValueError, RecursionError) as error:
            raise refuse_file(path, "is not a saved game of Tabletop Simulator: not JSON",
                              "name a file of its folder Saves") from error
        if not isinstance(document, dict) or not isinstance(document.get("ObjectStates"), list):
            raise refuse_file(path, "is not a saved game of Tabletop Simulator: it has no ObjectStates",
                              "name a file of its folder Saves")
        return cls(path=path, original=data, document=document)

    @property
    def is_changed(self) -> bool:
        return bool(json.loads(self.original) != self.document)

    def dump(self) -> bytes:
        """Write the save, in ASCII. Raises InputError for one that JSON can't express."""
        try:
            return json.dumps(self.document, indent=2, allow_nan=False).encode()
        except (ValueError, RecursionError) as error:
            raise refuse_file(self.path, "is nested too deep, or has infinite numbers",
                              "name a saved game of Tabletop Simulator") from error

    def backup_name(self) -> str:
        """The name of a copy beside the file, which does not exist yet."""
        names = (f"{self.path.name}.bak{number if number > 1 else ''}" for number in count(1))
        return next(name for name in names if not (self.path.parent / name).exists())


# --- Exchange ---

@dataclass(kw_only=True)
class ExchangeReport:
    """The ids of pieces: exchanged ones, copies added and removed; ``homeless`` ones have no deck or bag in the save,
    and those ``left`` are not in the set any more but lie elsewhere than in its deck.
    """

    exchanged: list[str] = field(default_factory=list)
    added: list[str] = field(default_factory=list)
    removed: list[str] = field(default_factory=list)
    homeless: list[str] = field(default_factory=list)
    left: list[str] = field(default_factory=list)


@dataclass(kw_only=True)
class _Piece:
    """A piece of ours: its state, its copies, and the deck or bag that it comes in, if any."""

    state: State
    copies: int
    home: State | None


def exchange_pieces(save: TableSave, ours: Sequence[State], is_complete: bool = True) -> ExchangeReport:
    """Exchange the pieces of a set in a save: pictures, names, descriptions, and the number of copies.

    ``ours`` are the objects of the saved object of the set; if it is not ``is_complete``, nothing is added or removed.
    Raises InputError if the save has none of the pieces.
    """
    exchange = _Exchange(save, ours)
    if is_complete and exchange.report.exchanged:
        exchange.complete()
    exchange.list_cards()
    if not exchange.report.exchanged:
        raise InputError.at(display_path(save.path), "has no card, tile or board of this set",
                            "pieces are found by their names; put the saved object on the table once")
    return exchange.report


class _Exchange:
    """An exchange in one save."""

    def __init__(self, save: TableSave, ours: Sequence[State]) -> None:
        self.pieces = dict(_index_pieces(ours))
        names = Counter(str(piece.state["Nickname"]) for piece in self.pieces.values())
        self.ids = {name: key for key, piece in self.pieces.items() if names[name := str(piece.state["Nickname"])] == 1}
        self.objects = [*_walk(save.document["ObjectStates"], save.path)]
        self.keys = _SheetKeys(self.objects)
        self.guids = {str(state.get("GUID")) for state in self.objects}
        self.report = ExchangeReport()
        for state in self.objects:
            if name := self._match(state):
                self._exchange(state, self.pieces[name].state)
                self.report.exchanged.append(name)
        self.holders = [state for state in self.objects if isinstance(inside := state.get("ContainedObjects"), list)
                        and all(isinstance(each, dict) for each in inside)]

    def complete(self) -> None:
        """Add missing copies to the decks and bags of ours, remove what is gone, and report what can't be."""
        counts, removed = Counter(self.report.exchanged), set()
        for holder, ids in [*self._homes()]:
            removed |= self._fill(holder, ids, counts)
        sheets = {_file_of(sheet) for piece in self.pieces.values() for sheet in _sheets(piece.state).values()}
        self.report.left = [_name(state) for state in self.objects if _is_card(state) and state.get("GMNotes")
                            and not self._match(state) and id(state) not in removed
                            and any(_file_of(sheet) in sheets for sheet in _sheets(state).values())]

    def list_cards(self) -> None:
        """List the cards of each deck that holds some of ours."""
        for holder in self.holders:
            if holder.get("Name") in DECKS and any(map(self._match, holder["ContainedObjects"])):
                _list_cards(holder)

    def _match(self, state: State) -> str:
        """The id of the piece that an object is; empty if it is none of ours. Its id counts before its name."""
        for name in (str(state.get("GMNotes")), self.ids.get(str(state.get("Nickname")), "")):
            if (piece := self.pieces.get(name)) and (state.get("Name") == piece.state["Name"]
                                                     or (_is_card(state) and _is_card(piece.state))):
                return name
        return ""

    def _exchange(self, state: State, ours: State) -> None:
        state |= {key: ours[key] for key in ("Nickname", "Description", "GMNotes")}
        if _is_card(ours):
            ((key, sheet),) = _sheets(ours).items()
            number = self.keys.number(sheet)
            state["CardID"] = 100 * number + ours["CardID"] - 100 * int(key)
            state["CustomDeck"] = {str(number): dict(sheet)}
        for custom, keys in PICTURES.items():
            if custom in ours and isinstance(look := state.setdefault(custom, {}), dict):
                look |= {key: ours[custom][key] for key in keys}

    def _homes(self) -> Iterator[tuple[State, Collection[str]]]:
        """The decks and bags of the save for ours, with ids of pieces: by name, else that with most of them."""
        homes: dict[str, tuple[State | None, dict[str, None]]] = {}
        for name, piece in self.pieces.items():
            homes.setdefault(str(piece.home and piece.home["GUID"]), (piece.home, {}))[1][name] = None
        for home, names in homes.values():
            best, most = None, (False, 0)
            for holder in self.holders if home else ():
                count = sum(self._match(state) in names for state in holder["ContainedObjects"])
                is_named = home is not None and any(holder.get(key) == home[key] for key in ("Nickname", "GUID"))
                if count and holder.get("Name") != INFINITE_BAG and (is_named, count) > most:
                    best, most = holder, (is_named, count)
            if best:
                yield best, names
            else:
                found = {*self.report.exchanged}
                self.report.homeless += [name for name in names if name not in found]

    def _fill(self, holder: State, ids: Collection[str], counts: Counter[str]) -> set[int]:
        """Add missing copies to a deck or bag, and remove spare ones; return the ids of the removed objects."""
        contained, removed = holder["ContainedObjects"], []
        if 2 * sum(self._match(state) in ids for state in contained) >= len(contained):  # else it is a deck of theirs
            left = counts.copy()
            for state in reversed(contained):
                name = self._match(state)
                is_gone = not name and state.get("GMNotes") and not state.get("ContainedObjects")
                if is_gone or (name and left[name] > self.pieces[name].copies):
                    removed.append(state)
                    left[name] -= 1
            if len(contained) - len(removed) > 1:  # a deck needs two cards
                counts.update({name: left[name] - counts[name] for name in ids})
                self.report.removed += map(_name, removed)
            else:
                removed = []
        gone = {id(state) for state in removed}
        contained[:] = [state for state in contained if id(state) not in gone]
        endless = {self._match(state) for bag in self.holders if bag.get("Name") == INFINITE_BAG
                   for state in bag["ContainedObjects"]}
        for name in ids:
            piece = self.pieces[name]
            for copy in range(counts[name], piece.copies if name not in endless else 0):
                state = deepcopy(piece.state)
                self._exchange(state, piece.state)
                state["GUID"] = object_guid(f"{name} {copy}", self.guids)
                contained.append(state)
                self.report.added.append(name)
        return gone


def _index_pieces(ours: Iterable[State], home: State | None = None) -> Iterator[tuple[str, _Piece]]:
    """The pieces among our objects by their ids, each with its deck or bag."""
    counts: dict[str, _Piece] = {}
    for state in ours:
        if inside := state.get("ContainedObjects"):
            yield from _index_pieces(inside, state)
        else:
            counts.setdefault(str(state["GMNotes"]), _Piece(state=state, copies=0, home=home)).copies += 1
    yield from counts.items()


def _walk(states: Sequence[Any], path: Path) -> Iterator[State]:
    """All objects, also those in bags, decks, other states and on other objects. Raises InputError for too many."""
    todo: list[tuple[Any, int]] = [(state, 1) for state in reversed(states)]
    count = 0
    while todo:
        state, depth = todo.pop()
        if not isinstance(state, dict):
            continue
        count += 1
        if depth > MAX_DEPTH or count > MAX_OBJECTS:
            raise refuse_file(path, f"has more than {MAX_OBJECTS:,} objects, or nested deeper than {MAX_DEPTH}",
                              "name a saved game of Tabletop Simulator")
        yield state
        inside = [each for key in ("ContainedObjects", "ChildObjects") if isinstance(state.get(key), list)
                  for each in state[key]]
        states_of_it = state.get("States")
        inside += states_of_it.values() if isinstance(states_of_it, dict) else ()
        todo += [(each, depth + 1) for each in reversed(inside)]


class _SheetKeys:
    """Keys of sheets: that of an equal sheet in the save, else the next free one."""

    def __init__(self, objects: Iterable[State]) -> None:
        self.keys: dict[str, int] = {}
        self.last = 0
        for state in objects:
            for key, sheet in _sheets(state).items():
                if key.isascii() and key.isdigit() and len(key) < 8:
                    self.last = max(self.last, int(key))
                    self.keys.setdefault(json.dumps(sheet, sort_keys=True), int(key))

    def number(self, sheet: State) -> int:
        text = json.dumps(sheet, sort_keys=True)
        if text not in self.keys:
            self.last = self.keys[text] = self.last + 1
        return self.keys[text]


def _list_cards(deck: State) -> None:
    cards = deck["ContainedObjects"]
    if not all(isinstance(card, dict) and _card_key(card) for card in cards):
        return
    before = _sheets(deck)
    sheets = {key: sheet for card in cards for key in [_card_key(card)]
              if (sheet := _sheets(card).get(key) or before.get(key)) is not None}
    deck |= {"DeckIDs": [card["CardID"] for card in cards], "CustomDeck": sheets}


def _card_key(card: State) -> str:
    """The key of a card's sheet; empty if it has no number."""
    number = str(card.get("CardID", ""))
    return str(int(number) // 100) if number.isascii() and number.isdigit() and len(number) < 10 else ""


def _is_card(state: State) -> bool:
    return state.get("Name") in CARDS


def _sheets(state: State) -> Mapping[str, State]:
    sheets = state.get("CustomDeck")
    return {key: sheet for key, sheet in sheets.items() if isinstance(sheet, dict)} if isinstance(sheets, dict) else {}


def _file_of(sheet: State) -> str:
    return str(sheet.get("FaceURL", "")).rpartition("/")[2]


def _name(state: State) -> str:
    return str(state.get("GMNotes") or state.get("Nickname") or "?")


# --- Tabletop Simulator ---

MAX_ATLAS_PX = 4096  # maximum side of a picture (kb.tabletopsimulator.com, asset creation)
COLUMNS, ROWS = 10, 7  # maximum number of cards across and down (kb.tabletopsimulator.com, custom deck)
MAX_CARDS = COLUMNS * ROWS - 1  # maximum number of cards on a sheet: its last slot is the face of hidden cards
MAX_CARD_DPI = 400.0  # maximum resolution: more is not visible, even if there is room for it


@dataclass(frozen=True, slots=True, kw_only=True)
class DeckSheet:
    """Division of a sheet for ``cards`` cards: slots across and down, ``slot`` size in pixels, and resolution."""

    cards: int
    columns: int
    rows: int
    slot: tuple[int, int]
    dpi: float

    @property
    def hidden(self) -> int:
        """Slot (from 0) of the hidden face: the last."""
        return self.columns * self.rows - 1


def deck_sheets(cards: int, size: Size) -> tuple[DeckSheet, ...]:
    """Divide cards of a size (mm) among as few sheets as possible, evenly filled."""
    sheets = ceil(cards / MAX_CARDS)
    shares = [cards // sheets + (n < cards % sheets) for n in range(sheets)]
    return tuple(_divide(share, size) for share in shares)


def _divide(cards: int, size: Size) -> DeckSheet:
    """Find the division with the highest resolution, then with the fewest empty slots."""
    def choices() -> Iterator[tuple[float, int, int]]:
        for columns, rows in product(range(2, COLUMNS + 1), range(2, ROWS + 1)):
            if columns * rows > cards:
                dpi = min(MAX_ATLAS_PX / columns / size.width, MAX_ATLAS_PX / rows / size.height) * INCH
                yield -min(MAX_CARD_DPI, dpi), columns * rows, columns

    dpi, slots, columns = min(choices())
    slot = tuple(max(1, floor(length / INCH * -dpi)) for length in (size.width, size.height))
    return DeckSheet(cards=cards, columns=columns, rows=slots // columns, slot=(slot[0], slot[1]), dpi=-dpi)


# --- The export ---

BACK_DPI, TILE_DPI = 400.0, 600.0  # resolution of a deck's back, and of tiles, which people look at closely
TOKEN_MARGIN_MM = 0.5  # transparent margin around the picture of a token (kb.tabletopsimulator.com, custom token)
MAX_LOOSE_TILES = 8  # different tiles of a part that lie on the table each in its own bag; more of them come in one
MAX_NAMED_TILES = 12  # tiles that the description of a bag names
LOCAL_ADDRESSES = Hint("export.addresses")

_Tile = tuple[Component, TableObject]


@dataclass(frozen=True, slots=True, kw_only=True)
class _File:
    """A picture file: one picture, or several with their slots on a sheet."""

    path: str
    pictures: tuple[tuple[int, FacePicture], ...]
    sheet: DeckSheet | None = None
    facts: Json = field(hash=False)


@dataclass(slots=True, kw_only=True)
class _FileCollector:
    """Collects the files of a folder once, with addresses, custom decks and, by file name, models in 3D."""

    folder: str
    address: str
    sheets: dict[str, Json] = field(default_factory=dict)
    files: dict[str, _File] = field(default_factory=dict)
    meshes: dict[str, str] = field(default_factory=dict)

    def add(self, name: str, pictures: Sequence[tuple[int, FacePicture]], sheet: DeckSheet | None, facts: Json) -> str:
        """Add a file, unless it is there already, and return its address."""
        file = f"{name}.png"
        self.files.setdefault(file, _File(path=f"{self.folder}/{file}", pictures=tuple(pictures), sheet=sheet,
                                          facts=facts))
        return f"{self.address}/{quote(file)}"

    def face(self, named: NamedFace, dpi: float) -> str:
        longer = max(named.face.size.width, named.face.size.height) / MM["in"]
        return self.add(named.name, [(0, at_dpi(named.face, min(dpi, MAX_ATLAS_PX / longer)))], None, named.facts)


def export_tts(workshop: Workshop, request: BuildRequest, base_url: str = "",
               exchange: Callable[[Sequence[State]], object] = lambda _: None) -> tuple[Export, ...]:
    """Export pictures and the saved object of each language. Raises InputError.

    ``exchange`` gets the objects of each saved object. ``base_url`` is the address of the pictures, without a slash at
    the end; with several languages they are in a folder for each. Without it the addresses are those of the files on
    this computer.
    """
    folder = variant(request, "tts-online" if base_url else "tts", *stem_words(request.parts))
    exports = []
    for texts, parts in draw_all(workshop, request, choose_pieces(workshop, request), lambda *_: 0.0):
        here = f"{texts.lang}/{folder}"
        online = f"{base_url}/{texts.lang}" if len(request.langs) > 1 else base_url
        local = (Path(request.folder).resolve() / here).as_uri()
        collector = _FileCollector(folder=here, address=online if base_url else local)
        objects = [each for part in parts for each in _make_objects(part, collector)]
        title = texts("game.title")
        saved = saved_object(title, objects)
        exchange(saved["ObjectStates"])
        documents = (
            (f"{workshop.game.id}-{texts.lang}.json", format_json(saved).encode()),
            *((name, mesh.encode()) for name, mesh in collector.meshes.items()),
            (README, _simulator_readme(title, workshop, texts, online, has_dice=bool(collector.meshes))))
        files = tuple(collector.files.values())
        exports.append(Export(
            folder=here,
            facts={**export_facts("tts", workshop.game, texts.lang, request), "address": collector.address},
            pictures=sum(len(file.pictures) for file in files),
            files=partial(_files, files, documents, here, workshop.fonts.folder),
            hints=(Hint("export.upload", {"folder": f"{request.folder}/{here}", "address": f"{online}/"})
                   if online else LOCAL_ADDRESSES,)))
    return tuple(exports)


def _files(files: Sequence[_File], documents: Sequence[tuple[str, bytes]], folder: str, fonts: Path,
           watch: Progress) -> Iterator[ExportedFile]:
    pictures, done = [picture for file in files for _, picture in file.pictures], count(1)
    rendered = take_pictures(pictures, fonts)
    for file in files:
        contents = []
        for (slot, _), content in zip(file.pictures, islice(rendered, len(file.pictures)), strict=True):
            contents.append((slot, content))
            watch("", next(done), len(pictures))
        if sheet := file.sheet:
            content = contact_print(contents, sheet.columns, sheet.rows, sheet.slot, sheet.dpi)
            size = sheet.columns * sheet.slot[0], sheet.rows * sheet.slot[1]
        else:
            content, size = contents[0][1], file.pictures[0][1].pixels
        yield ExportedFile(file=BuiltFile(path=file.path, content=content),
                           facts={"width_px": size[0], "height_px": size[1], **file.facts})
    for name, content in documents:
        yield ExportedFile(file=BuiltFile(path=f"{folder}/{name}", content=content), facts={})


def _make_objects(part: DrawnPart, collector: _FileCollector) -> Iterator[TableObject]:
    named = name_pieces(part)
    tiles = [piece for piece in named if part.part.is_tiles or not _is_card_piece(piece)]
    if tiles:
        yield from _make_bags(part.part.title, tiles, collector, board=part.part.layout.way is PrintWay.TILED)
    decks: dict[tuple[Size, ShapeKind], list[NamedPiece]] = {}
    for piece in named:
        if piece not in tiles:
            decks.setdefault((piece.component.size, piece.component.shape.kind), []).append(piece)
    for (size, kind), cards in decks.items():
        name = file_name(part.part.name) + (f"-{size.width:g}x{size.height:g}" if len(decks) > 1 else "")
        name += f"-{kind}" if len({each for each, _ in decks}) < len(decks) else ""
        yield _make_deck(name, part.part.title, cards, collector)


def _is_card_piece(piece: NamedPiece) -> bool:
    """True for a piece of a shape that cards of the game have, if it is not a mat; others become tokens and tiles."""
    component = piece.component
    return (component.net is None and (component.shape.is_ruled or component.shape.kind in CARD_TYPES)
            and max(component.size.width, component.size.height) <= MAX_CARD_SIDE_MM)


def _make_deck(name: str, title: str, named: Sequence[NamedPiece], collector: _FileCollector) -> TableObject:
    """Make a deck of cards of one size, on as many sheets as needed."""
    size = named[0].component.size
    divisions = deck_sheets(len(named), size)
    rest = iter(named)
    sheets: dict[str, Json] = {}
    cards: list[tuple[Component, int]] = []
    for number, sheet in enumerate(divisions, 1):
        pieces = list(islice(rest, sheet.cards))
        label = f"{name}-sheet" + (f"-{number}" if len(divisions) > 1 else "")
        key = len(collector.sheets) + 1
        sheets[str(key)] = collector.sheets[str(key)] = _make_sheet(
            label, f"{name}-blank-back", pieces, sheet, size, collector)
        cards += ((piece.component, 100 * key + slot) for slot, piece in enumerate(pieces))
    return deck(title, size, sheets, cards)


def _make_sheet(label: str, blank_back: str, named: Sequence[NamedPiece], sheet: DeckSheet, size: Size,
                collector: _FileCollector) -> Json:
    """Add a sheet of fronts with a back in its last slot, and that back or a sheet of backs; return its deck."""
    backs = [piece.back.face if piece.back else blank_face(size, 0.0) for piece in named]

    def all_of(faces: Sequence[Face]) -> list[tuple[int, FacePicture]]:
        return [(slot, FacePicture(face=face, width=sheet.slot[0], height=sheet.slot[1], dpi=sheet.dpi, on_paper=True))
                for slot, face in (*enumerate(faces), (sheet.hidden, backs[0]))]

    facts: Json = {"columns": sheet.columns, "rows": sheet.rows, "slot_px": list(sheet.slot),
                   "components": [piece.component.id for piece in named]}
    face = collector.add(label, all_of([piece.front.face for piece in named]), sheet, {**facts, "side": "front"})
    unique = len(set(backs)) > 1
    if unique:
        back = collector.add(f"{label}-backs", all_of(backs), sheet, {**facts, "side": "back"})
    else:
        name = named[0].back.name if named[0].back else blank_back
        back = collector.add(name, [(0, at_dpi(backs[0], BACK_DPI))], None, {"side": "back"})
    return {"FaceURL": face, "BackURL": back, "NumWidth": sheet.columns, "NumHeight": sheet.rows,
            "BackIsHidden": True, "UniqueBack": unique, "Type": CARD_TYPES.get(named[0].component.shape.kind, 0)}


def _make_bags(title: str, named: Sequence[NamedPiece], collector: _FileCollector, board: bool
               ) -> Iterator[TableObject]:
    """Put tiles of a family with the same back into one bag, to be drawn unseen, those of another family into one that
    is not mixed, and the copies of each other tile into its own; a single tile needs no bag.

    Where these would be too many, they come in one bag, too, unless players know them by their colours. A ``board`` is
    locked.
    """
    groups: dict[tuple[str, str], list[_Tile]] = {}
    for piece in named:
        back = piece.back.name if piece.back and piece.back.is_shared_back else ""
        made = _make_tile(piece, collector, bool(back), board)
        groups.setdefault((back, piece.component.family), []).append((piece.component, made))
    for (back, family), tiles in groups.items():
        if back or family:
            yield _fill_bag(family or title, tiles, _list_names(tiles), mixed=bool(back))
            continue
        loose = [each for each in tiles if each[0].colour or board]
        if len(tiles) - len(loose) > MAX_LOOSE_TILES:
            rest = [each for each in tiles if each not in loose]
            yield _fill_bag(title, rest, _list_names(rest))
            tiles = loose
        yield from (_fill_bag(_nickname(each[0]), [each]) for each in tiles)


def _fill_bag(title: str, tiles: Sequence[_Tile], description: str = "", mixed: bool = False) -> TableObject:
    first, made = tiles[0]
    if len(tiles) == 1 and first.copies == 1:
        return made
    return bag(title, [state for component, (state, _) in tiles for _ in range(component.copies)], description,
               "" if mixed else first.colour, mixed)


def _list_names(tiles: Sequence[_Tile]) -> str:
    names = [*dict.fromkeys(_nickname(component) for component, _ in tiles)]
    return ", ".join(names[:MAX_NAMED_TILES]) + ("…" if len(names) > MAX_NAMED_TILES else "")


def _make_tile(piece: NamedPiece, collector: _FileCollector, face_down: bool, board: bool) -> TableObject:
    component = piece.component
    if (net := component.net) and net.kind is Folded.DIE:
        mesh = f"die-{net.panels['1'].width:g}mm.obj"
        collector.meshes[mesh] = die_mesh(net)
        return model_die(component, net, f"{collector.address}/{mesh}", collector.face(piece.front, TILE_DPI))
    if net:  # a folded piece becomes flat: a figure stands, a house lies on its back
        stem = piece.front.name.removesuffix("front")
        front_view, back_view = (replace(piece.front, name=f"{stem}{name}", face=crop_face(
            piece.front.face, net.panels[name], name in net.turned)) for name in ("front", "back"))
        pictures = collector.face(front_view, TILE_DPI), collector.face(back_view, TILE_DPI)
        return tile(component, front_view.face.size, pictures, standing=net.kind is Folded.STANDEE)
    kind, size, front, back = component.shape.kind, component.size, piece.front, piece.back
    if kind not in TILE_TYPES:  # the game finds the outline of a token by its transparent margin
        around = Rect(0, 0, size.width, size.height).grown(Insets.all(TOKEN_MARGIN_MM))
        front = replace(front, face=crop_face(front.face, around))
        back = back and replace(back, face=crop_face(back.face, around))
        size = component.shape.outline(size).box.size
    pictures = collector.face(front, TILE_DPI), collector.face(back, TILE_DPI) if back else ""
    return tile(component, size, pictures, kind, face_down, board=board)


def _simulator_readme(title: str, workshop: Workshop, texts: Texts, online: str, has_dice: bool) -> bytes:
    saved = f"{workshop.game.id}-{texts.lang}.json"
    kinds, dice = (".png and .obj", "dice can be rolled, ") if has_dice else (".png", "")
    where = (f"Put all {kinds} files of this folder on the web, so that they are found at {online}/"
             if online else
             "Leave this folder where it is: the saved object looks for the pictures here. Only you will see them. For "
             "guests, put them on the web and export again with --base-url, or upload them to your Steam Cloud from "
             "inside the game (Modding, Cloud Manager) once the object is on the table.")
    return readme((
        heading(f"{title} for Tabletop Simulator"),
        numbered_list((where,
                       f"Copy {saved} into the folder of saved objects: on Windows Documents\\My Games\\"
                       "Tabletop Simulator\\Saves\\Saved Objects, on macOS "
                       "~/Library/Tabletop Simulator/Saves/Saved Objects, on Linux "
                       "~/.local/share/Tabletop Simulator/Saves/Saved Objects.",
                       "In the game: Objects, Saved Objects, click the set and spawn it.")),
        paragraph("Cards lie face down in a deck. Tiles that look alike from behind are in one bag that gives them in "
                  "no order, face down; others are in a bag for each kind, or for a whole part of many kinds. A "
                  f"board is locked where it lies. Figures stand, {dice}folded houses lie on their backs; other shapes "
                  "are tokens. Everything is as large as on a real table: one unit of the game is about an inch."),
        paragraph("Tabletop Simulator remembers pictures by their address. After a change, use another address "
                  "(…/v2), or empty its cache: Menu, Configuration, Mods."),
    ))


# --- Tabletopia ---
# Export for Tabletopia: a picture for each face, of one size within a type of component.

PIXELS_PER_MM = 10.0
MAX_TOPIA_PX = 4000  # resolution, and maximum side of a picture (Tabletopia's knowledge base, preparing graphics)


def export_tabletopia(workshop: Workshop, request: BuildRequest) -> tuple[Export, ...]:
    """Export the pictures of each language with a README. Raises InputError."""
    folder = variant(request, "tabletopia", *stem_words(request.parts))
    exports = []
    for texts, parts in draw_all(workshop, request, choose_pieces(workshop, request), lambda *_: 0.0):
        here = f"{texts.lang}/{folder}"
        named = [(part, name_pieces(part)) for part in parts]
        pictures = [PictureFile(path=f"{here}/{face.name}.png", picture=_picture(face),
                                facts={"part": part.part.name, **face.facts})
                    for part, each in named for face in name_faces(each)]
        text = BuiltFile(path=f"{here}/{README}", content=_topia_readme(texts("game.title"), named))
        exports.append(Export(
            folder=here, facts=export_facts("tabletopia", workshop.game, texts.lang, request), pictures=len(pictures),
            files=partial(picture_files, pictures, workshop.fonts.folder, [text])))
    return tuple(exports)


def _picture(named: NamedFace) -> FacePicture:
    size = named.face.size
    scale = min(PIXELS_PER_MM, MAX_TOPIA_PX / max(size.width, size.height))
    return FacePicture(face=named.face, width=max(1, round(size.width * scale)),
                       height=max(1, round(size.height * scale)), dpi=round(scale * INCH, 2))


def _topia_readme(title: str, named: Sequence[tuple[DrawnPart, tuple[NamedPiece, ...]]]) -> bytes:
    blocks = [
        heading(f"{title} for Tabletopia"),
        numbered_list((
            "Sign in at tabletopia.com, open the Workshop, and make a game or open yours.",
            "In My Objects, create an object for each piece below: a card, or a tile for what is of board. Choose its "
            "front and its back picture; where no back is named, use the front.",
            "Put each object into the setup as often as the table below says; cards that share a back can be made a "
            "deck there.")),
        paragraph("All pictures of a type have the same number of pixels, 10 to a millimetre, as Tabletopia wants "
                  "them. They end at the trim: there is no bleed. Menus may be named otherwise by now."),
    ]
    for part, pieces in named:
        rows = [("piece", "copies", "front", "back")]
        rows += [(_nickname(piece.component), str(piece.component.copies), f"{piece.front.name}.png",
                  f"{piece.back.name}.png" if piece.back else "-") for piece in pieces]
        blocks += (heading(part.part.title), table(rows))
    return readme(blocks)
