"""Turns decks, tiles and bags into the saved object of Tabletop Simulator: its JSON, and where things lie.

The shape is that of Berserk Games' knowledge base (kb.tabletopsimulator.com: save file format, custom deck, custom
tile, asset creation). One of its units is about an inch.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass, field

from ppgen.engine.geometry import Size
from ppgen.engine.shapes.shape import Kind
from ppgen.engine.units import INCH
from ppgen.production.manifest import Json

CARD_HEIGHT = 3.5
"""How high a card is at scale 1; its width follows its picture: 2.5 for one of poker size."""
CARD_TYPES = {Kind.CIRCLE: 4}
"""Shapes of cards, by the game's numbers; others are rectangles with round corners (api.tabletopsimulator.com)."""
TILE_TYPES = {Kind.RECTANGLE: 0, Kind.CIRCLE: 2, Kind.ROUNDED: 3}
"""Shapes of tiles. What is of none of these is a token, which the game cuts out of its picture by the transparency; its
hexagonal tile stands on one way only, a token as it is drawn."""
CUTOUT = 5.0
"""How finely a token is cut out, in pixels."""
FITTING = """-- As large as on a real table: {length:g} units along its {axis} axis, whatever the size of its picture.
function onLoad()
  Wait.condition(function()
    local now, scale = self.getBoundsNormalized().size, self.getScale()
    local by = {length:g} / now.{axis}
    self.setScale({{scale.x * by, scale.y * {up}, scale.z * by}})
  end, function() return not self.loading_custom end)
end
"""
"""What boards, tokens and figures do when they have loaded: the game makes them as large as their pictures are."""
TILE_SIDE = 2.0
"""How wide and high a tile is at scale 1 when its picture is stretched over it."""
BAG_SIDE = 3.0
"""The room of a bag at scale 1."""
THICKNESS = 0.08
"""Of a tile: 2 mm of board."""
GAP, REACH = 0.75, 24.0
"""Between things on the table; and how far a row of them reaches."""
RANDOM = 2
"""The order of a bag that gives its things in no order."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Sheet:
    """A sheet of cards: addresses of its faces and backs (one picture, or a sheet alike), and its slots."""

    face: str
    back: str
    columns: int
    rows: int
    unique_back: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Card:
    """A card of a deck: the sheet (from 0) and the slot that show it."""

    id: str
    title: str
    copies: int
    sheet: int
    slot: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Deck:
    """Cards of one size (mm) and kind of shape in one stack, face down."""

    title: str
    size: Size
    kind: Kind
    sheets: tuple[Sheet, ...]
    cards: tuple[Card, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Tile:
    """A piece of board: addresses of both pictures, size in mm, shape. A ``secret`` one lies face down, a ``standing``
    one is a figure on its feet, and a ``board`` is locked in its place; ``colour`` (#rrggbb) is that of its bag."""

    id: str
    title: str
    copies: int
    size: Size
    front: str
    back: str
    kind: Kind = Kind.RECTANGLE
    secret: bool = False
    standing: bool = False
    board: bool = False
    colour: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Heap:
    """Tiles in a bag; the tiles of a ``mixed`` one come out in no order. A single tile needs no bag."""

    title: str
    description: str = ""
    tiles: tuple[Tile, ...]
    mixed: bool = False

    @property
    def alone(self) -> bool:
        return len(self.tiles) == 1 and self.tiles[0].copies == 1


def saved_object(name: str, things: Sequence[Deck | Heap]) -> Json:
    """The saved object: things side by side in rows, each as large as on a real table, none on another."""
    maker = _Maker(salt=name)
    states: list[Json] = []
    x = z = depth = 0.0
    for thing in things:
        room = _room(thing)
        if x and x + room.width > REACH:
            x, z, depth = 0.0, z - depth - GAP, 0.0
        states.append(maker.placed(thing, x + room.width / 2, z - room.height / 2))
        x, depth = x + room.width + GAP, max(depth, room.height)
    return {"SaveName": name, "GameMode": "", "Date": "", "Table": "", "Sky": "", "Note": "", "Rules": "",
            "PlayerTurn": "", "LuaScript": "", "LuaScriptState": "", "ObjectStates": states}


def _room(thing: Deck | Heap) -> Size:
    if isinstance(thing, Heap) and not thing.alone:
        return Size(BAG_SIDE, BAG_SIDE)
    size = thing.size if isinstance(thing, Deck) else thing.tiles[0].size
    return Size(size.width / INCH, size.height / INCH)


@dataclass
class _Maker:
    """Makes the states of objects: gives each its identifier, and each sheet its number."""

    salt: str
    used: set[str] = field(default_factory=set)
    sheets: int = 0

    def placed(self, thing: Deck | Heap, x: float, z: float) -> Json:
        if isinstance(thing, Deck):
            return self._deck(thing, x, z)
        if thing.alone:
            return self._tile(thing.tiles[0], x, z)
        return self._state("Bag", f"bag {thing.title} {thing.tiles[0].id}", _lying(x, z), Nickname=thing.title,
                           Description=thing.description, MaterialIndex=-1, MeshIndex=-1,
                           ColorDiffuse=_colour("" if thing.mixed else thing.tiles[0].colour),
                           Bag={"Order": RANDOM if thing.mixed else 0},
                           ContainedObjects=[self._tile(tile, x, z) for tile in thing.tiles
                                             for _ in range(tile.copies)])

    def _deck(self, deck: Deck, x: float, z: float) -> Json:
        first = self.sheets + 1
        self.sheets += len(deck.sheets)
        kind = CARD_TYPES.get(deck.kind, 0)
        custom = {str(first + n): _custom_deck(sheet, kind) for n, sheet in enumerate(deck.sheets)}
        scale = deck.size.height / INCH / CARD_HEIGHT
        lying = _lying(x, z, face_down=True, scale=(scale, 1.0, scale))

        def card(each: Card) -> Json:
            key = first + each.sheet
            return self._state("Card", f"card {each.id}", lying, Nickname=each.title, GMNotes=each.id,
                               HideWhenFaceDown=True, Hands=True, CardID=100 * key + each.slot, SidewaysCard=False,
                               CustomDeck={str(key): custom[str(key)]})

        cards = [card(each) for each in deck.cards for _ in range(each.copies)]
        if len(cards) == 1:  # a stack of one is no deck
            return cards[0]
        return self._state("DeckCustom", f"deck {deck.title} {deck.cards[0].id}", lying, Nickname=deck.title,
                           HideWhenFaceDown=True, Hands=False, SidewaysCard=False,
                           DeckIDs=[each["CardID"] for each in cards], CustomDeck=custom, ContainedObjects=cards)

    def _tile(self, tile: Tile, x: float, z: float) -> Json:
        wide, high = tile.size.width / INCH, tile.size.height / INCH
        image = {"ImageURL": tile.front, "ImageSecondaryURL": tile.back, "ImageScalar": 1.0, "WidthScale": 0.0}
        scale, script = (1.0, 1.0, 1.0), FITTING.format(length=round(wide, 4), axis="x", up=1)
        if tile.board:
            name = "Custom_Board"
        elif tile.standing:
            name, script = "Figurine_Custom", FITTING.format(length=round(high, 4), axis="y", up="by")
        elif tile.kind in TILE_TYPES:  # stretched over a square tile that is scaled along both sides: no need to fit
            name, scale, script = "Custom_Tile", (wide / TILE_SIDE, 1.0, high / TILE_SIDE), ""
            image["CustomTile"] = {"Type": TILE_TYPES[tile.kind], "Thickness": THICKNESS, "Stackable": False,
                                   "Stretch": True}
        else:
            name = "Custom_Token"
            image["CustomToken"] = {"Thickness": THICKNESS, "MergeDistancePixels": CUTOUT, "StandUp": False,
                                    "Stackable": False}
        return self._state(name, f"tile {tile.id}", _lying(x, z, face_down=tile.secret, scale=scale), script,
                           Nickname=tile.title, GMNotes=tile.id, HideWhenFaceDown=tile.secret, Hands=False,
                           Locked=tile.board, CustomImage=image)

    def _state(self, name: str, key: str, transform: Json, script: str = "", **more: object) -> Json:
        return {"GUID": self._guid(key), "Name": name, "Transform": transform, "Nickname": "", "Description": "",
                "GMNotes": "", "ColorDiffuse": _colour(""), "Locked": False, "Grid": True,
                "Snap": True, "IgnoreFoW": False, "MeasureMovement": False, "DragSelectable": True,
                "Autoraise": True, "Sticky": True, "Tooltip": True, **more, "LuaScript": script, "LuaScriptState": "",
                "XmlUI": ""}

    def _guid(self, key: str) -> str:
        """Six hexadecimal digits that no other object has; the same for the same set."""
        for n in range(1_000_000):
            guid = hashlib.sha256(f"{self.salt}\n{key}\n{n}".encode()).hexdigest()[:6]
            if guid not in self.used:
                self.used.add(guid)
                return guid
        raise AssertionError("more objects than identifiers")


def _colour(of: str) -> Json:
    """A colour (#rrggbb) in shares of red, green and blue; without one, the grey of things that have none."""
    if not of:
        return {"r": 0.713, "g": 0.713, "b": 0.713}
    return {name: round(value / 255, 3) for name, value in zip("rgb", bytes.fromhex(of[1:]), strict=True)}


def _custom_deck(sheet: Sheet, kind: int) -> Json:
    return {"FaceURL": sheet.face, "BackURL": sheet.back, "NumWidth": sheet.columns, "NumHeight": sheet.rows,
            "BackIsHidden": True, "UniqueBack": sheet.unique_back, "Type": kind}


def _lying(x: float, z: float, face_down: bool = False,
           scale: tuple[float, float, float] = (1.0, 1.0, 1.0)) -> Json:
    """Where a thing lies: upright for the player at the near side, dropped from just above the table."""
    return {"posX": round(x, 4), "posY": 1.5, "posZ": round(z, 4), "rotX": 0.0, "rotY": 180.0,
            "rotZ": 180.0 if face_down else 0.0,
            **{f"scale{axis}": round(length, 5) for axis, length in zip("XYZ", scale, strict=True)}}
