"""Saved object of Tabletop Simulator: JSON for decks, tiles, dice and bags, and their places on the table.

The format is that of Berserk Games' knowledge base (kb.tabletopsimulator.com: save file format, custom deck, custom
tile, custom model, asset creation). One unit of the game is about an inch.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Sequence
from typing import Any

from ppgen.engine.component import Component
from ppgen.engine.geometry import INCH, Insets, Size
from ppgen.engine.shapes import Net, ShapeKind

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
    for n in range(1_000_000):
        guid = hashlib.sha256(f"{key}\n{n}".encode()).hexdigest()[:6]
        if guid not in used:
            used.add(guid)
            return guid
    raise AssertionError("more objects than identifiers")


def deck(title: str, size: Size, sheets: dict[str, State], cards: Sequence[tuple[Component, int]]) -> TableObject:
    """Make cards of a size (mm) in a stack, face down; slots are counted on custom decks by hundreds."""
    scale = size.height / INCH / CARD_HEIGHT
    transform = _transform(face_down=True, scale=(scale, 1.0, scale))
    states = [_state("Card", f"card {card.id}", transform, Nickname=card.title or card.id,
                     Description=card.description, GMNotes=card.id, HideWhenFaceDown=True, Hands=True, CardID=slot,
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
    return {**_state(name, f"tile {component.id}", transform, Nickname=component.title or component.id,
                     Description=component.description, GMNotes=component.id, HideWhenFaceDown=face_down, Hands=False,
                     Locked=board, CustomImage=image),
            "LuaScript": script}, Size(wide, high)


def model_die(component: Component, net: Net, mesh: str, picture: str) -> TableObject:
    """Make a die of a mesh and the picture of its net: where faces lie on the game's own is not published."""
    side = net.panels["1"].width / INCH
    custom: State = {"MeshURL": mesh, "DiffuseURL": picture, "NormalURL": "", "ColliderURL": "", "Convex": True,
                     "MaterialIndex": 0, "TypeIndex": DICE_MODEL, "CastShadows": True}
    return _state("Custom_Model", f"die {component.id}", _transform(), Nickname=component.title or component.id,
                  Description=component.description, GMNotes=component.id, Hands=False,
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


def _state(name: str, key: str, transform: State, **more: Any) -> State:
    return {**_HEAD, "GUID": key, "Name": name, "Transform": transform, **more, **_TAIL}


def _transform(face_down: bool = False, scale: tuple[float, float, float] = (1.0, 1.0, 1.0),
               height: float = DROP_HEIGHT) -> State:
    """Turn and scale an object: upright for the player at the near side, dropped from just above the table."""
    return {"posX": 0.0, "posY": height, "posZ": 0.0, "rotX": 0.0, "rotY": 180.0, "rotZ": 180.0 if face_down else 0.0,
            **{f"scale{axis}": round(length, 5) for axis, length in zip("XYZ", scale, strict=True)}}
