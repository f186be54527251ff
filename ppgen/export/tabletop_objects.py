"""Saved object of Tabletop Simulator: JSON for decks, tiles and bags, and their places on the table.

The format is that of Berserk Games' knowledge base (kb.tabletopsimulator.com: save file format, custom deck, custom
tile, asset creation). One unit of the game is about an inch.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass, field

from ppgen.engine.geometry import INCH, Size
from ppgen.engine.shapes import ShapeKind
from ppgen.production.manifest import Json

CARD_HEIGHT = 3.5
"""Height of a card at scale 1; its width follows its picture: 2.5 for poker size."""
CARD_TYPES = {ShapeKind.CIRCLE: 4}
"""Numbers of card shapes; others are rectangles with round corners, 0 (api.tabletopsimulator.com)."""
TILE_TYPES = {ShapeKind.RECTANGLE: 0, ShapeKind.CIRCLE: 2, ShapeKind.ROUNDED: 3}
"""Numbers of tile shapes. Other shapes are tokens, which the game cuts out by the transparency of the picture: its
hexagonal tile has one orientation only, a token that of its picture."""
CUTOUT_PX = 5.0
"""Precision of a token's outline."""
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
TILE_SIDE = 2.0
"""Width and height at scale 1 of a tile with a stretched picture."""
BAG_SIDE = 3.0
"""Width and depth of a bag at scale 1."""
TILE_THICKNESS = 0.08
"""2 mm of board, in units."""
DROP_HEIGHT, TABLE_HEIGHT = 1.5, 0.96
"""Height that objects fall from, and that of the table, where a locked board lies: it does not fall."""
GAP, ROW_LENGTH = 0.75, 24.0
"""Between objects on the table; and how far a row of them reaches."""
RANDOM_ORDER = 2
"""``Order`` of a bag that gives its objects in random order."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TtsSheet:
    """A sheet of cards: addresses of its faces and backs (one picture, or another sheet), and its slots."""

    face: str
    back: str
    columns: int
    rows: int
    unique_back: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class TtsCard:
    """A card of a deck: its sheet and slot, from 0."""

    id: str
    title: str
    copies: int
    sheet: int
    slot: int
    description: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class TtsDeck:
    """Cards of one size (mm) and kind of shape in one stack, face down."""

    title: str
    size: Size
    kind: ShapeKind
    sheets: tuple[TtsSheet, ...]
    cards: tuple[TtsCard, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class TtsTile:
    """A tile: addresses of both pictures, size in mm, shape. A ``standing`` one is a figure, a ``board`` is locked;
    ``colour`` (#rrggbb) is that of its bag."""

    id: str
    title: str
    copies: int
    size: Size
    front: str
    back: str
    kind: ShapeKind = ShapeKind.RECTANGLE
    face_down: bool = False
    standing: bool = False
    board: bool = False
    colour: str = ""
    description: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class TtsBag:
    """Tiles in a bag, which gives them in random order if it is ``mixed``. A single tile needs no bag."""

    title: str
    description: str = ""
    tiles: tuple[TtsTile, ...]
    mixed: bool = False

    @property
    def is_single_tile(self) -> bool:
        return len(self.tiles) == 1 and self.tiles[0].copies == 1


def saved_object(name: str, objects: Sequence[TtsDeck | TtsBag]) -> Json:
    """Return the saved object: decks and bags side by side in rows, at real size, without overlaps."""
    builder = _ObjectBuilder(salt=name)
    states: list[Json] = []
    x = z = depth = 0.0
    for item in objects:
        room = _footprint(item)
        if x and x + room.width > ROW_LENGTH:
            x, z, depth = 0.0, z - depth - GAP, 0.0
        states.append(builder.place(item, x + room.width / 2, z - room.height / 2))
        x, depth = x + room.width + GAP, max(depth, room.height)
    return {"SaveName": name, "GameMode": "", "Date": "", "Table": "", "Sky": "", "Note": "", "Rules": "",
            "PlayerTurn": "", "LuaScript": "", "LuaScriptState": "", "ObjectStates": states}


def _footprint(item: TtsDeck | TtsBag) -> Size:
    if isinstance(item, TtsBag) and not item.is_single_tile:
        return Size(BAG_SIDE, BAG_SIDE)
    size = item.size if isinstance(item, TtsDeck) else item.tiles[0].size
    return Size(size.width / INCH, size.height / INCH)


@dataclass
class _ObjectBuilder:
    """Builds the states of objects, with identifiers for them and numbers for their sheets."""

    salt: str
    used: set[str] = field(default_factory=set)
    sheets: int = 0

    def place(self, item: TtsDeck | TtsBag, x: float, z: float) -> Json:
        if isinstance(item, TtsDeck):
            return self._deck(item, x, z)
        if item.is_single_tile:
            return self._tile(item.tiles[0], x, z)
        return self._state("Bag", f"bag {item.title} {item.tiles[0].id}", _transform(x, z), Nickname=item.title,
                           Description=item.description, MaterialIndex=-1, MeshIndex=-1,
                           ColorDiffuse=_colour("" if item.mixed else item.tiles[0].colour),
                           Bag={"Order": RANDOM_ORDER if item.mixed else 0},
                           ContainedObjects=[self._tile(tile, x, z) for tile in item.tiles
                                             for _ in range(tile.copies)])

    def _deck(self, deck: TtsDeck, x: float, z: float) -> Json:
        first = self.sheets + 1
        self.sheets += len(deck.sheets)
        kind = CARD_TYPES.get(deck.kind, 0)
        custom = {str(first + n): _custom_deck(sheet, kind) for n, sheet in enumerate(deck.sheets)}
        scale = deck.size.height / INCH / CARD_HEIGHT
        transform = _transform(x, z, face_down=True, scale=(scale, 1.0, scale))

        def card(each: TtsCard) -> Json:
            key = first + each.sheet
            return self._state("Card", f"card {each.id}", transform, Nickname=each.title, Description=each.description,
                               GMNotes=each.id, HideWhenFaceDown=True, Hands=True, CardID=100 * key + each.slot,
                               SidewaysCard=False, CustomDeck={str(key): custom[str(key)]})

        cards = [card(each) for each in deck.cards for _ in range(each.copies)]
        if len(cards) == 1:  # a deck needs two cards
            return cards[0]
        return self._state("DeckCustom", f"deck {deck.title} {deck.cards[0].id}", transform, Nickname=deck.title,
                           HideWhenFaceDown=True, Hands=False, SidewaysCard=False,
                           DeckIDs=[each["CardID"] for each in cards], CustomDeck=custom, ContainedObjects=cards)

    def _tile(self, tile: TtsTile, x: float, z: float) -> Json:
        wide, high = tile.size.width / INCH, tile.size.height / INCH
        image = {"ImageURL": tile.front, "ImageSecondaryURL": tile.back, "ImageScalar": 1.0, "WidthScale": 0.0}
        scale, script = (1.0, 1.0, 1.0), FIT_SCRIPT.format(length=round(wide, 4), axis="x", up=1)
        if tile.board:
            name = "Custom_Board"
        elif tile.standing:
            name, script = "Figurine_Custom", FIT_SCRIPT.format(length=round(high, 4), axis="y", up="by")
        elif tile.kind in TILE_TYPES:  # its picture is stretched over a scaled square: no script
            name, scale, script = "Custom_Tile", (wide / TILE_SIDE, 1.0, high / TILE_SIDE), ""
            image["CustomTile"] = {"Type": TILE_TYPES[tile.kind], "Thickness": TILE_THICKNESS, "Stackable": False,
                                   "Stretch": True}
        else:
            name = "Custom_Token"
            image["CustomToken"] = {"Thickness": TILE_THICKNESS, "MergeDistancePixels": CUTOUT_PX, "StandUp": False,
                                    "Stackable": False}
        transform = _transform(x, z, face_down=tile.face_down, scale=scale)
        if tile.board:
            transform["posY"] = TABLE_HEIGHT
        return self._state(name, f"tile {tile.id}", transform, script,
                           Nickname=tile.title, Description=tile.description, GMNotes=tile.id,
                           HideWhenFaceDown=tile.face_down, Hands=False, Locked=tile.board, CustomImage=image)

    def _state(self, name: str, key: str, transform: Json, script: str = "", **more: object) -> Json:
        return {"GUID": self._guid(key), "Name": name, "Transform": transform, "Nickname": "", "Description": "",
                "GMNotes": "", "ColorDiffuse": _colour(""), "Locked": False, "Grid": True,
                "Snap": True, "IgnoreFoW": False, "MeasureMovement": False, "DragSelectable": True,
                "Autoraise": True, "Sticky": True, "Tooltip": True, **more, "LuaScript": script, "LuaScriptState": "",
                "XmlUI": ""}

    def _guid(self, key: str) -> str:
        """Return six hexadecimal digits, unique in the set and equal in each run."""
        for n in range(1_000_000):
            guid = hashlib.sha256(f"{self.salt}\n{key}\n{n}".encode()).hexdigest()[:6]
            if guid not in self.used:
                self.used.add(guid)
                return guid
        raise AssertionError("more objects than identifiers")


def _colour(colour: str) -> Json:
    """Convert a colour (#rrggbb) to shares of red, green and blue; an empty one to the default grey."""
    if not colour:
        return {"r": 0.713, "g": 0.713, "b": 0.713}
    return {name: round(value / 255, 3) for name, value in zip("rgb", bytes.fromhex(colour[1:]), strict=True)}


def _custom_deck(sheet: TtsSheet, kind: int) -> Json:
    return {"FaceURL": sheet.face, "BackURL": sheet.back, "NumWidth": sheet.columns, "NumHeight": sheet.rows,
            "BackIsHidden": True, "UniqueBack": sheet.unique_back, "Type": kind}


def _transform(x: float, z: float, face_down: bool = False,
               scale: tuple[float, float, float] = (1.0, 1.0, 1.0)) -> Json:
    """Place an object: upright for the player at the near side, dropped from just above the table."""
    return {"posX": round(x, 4), "posY": DROP_HEIGHT, "posZ": round(z, 4), "rotX": 0.0, "rotY": 180.0,
            "rotZ": 180.0 if face_down else 0.0,
            **{f"scale{axis}": round(length, 5) for axis, length in zip("XYZ", scale, strict=True)}}
