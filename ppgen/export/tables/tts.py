"""Turns a set into files for Tabletop Simulator: sheets of cards, pictures of tiles, and the saved object."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from itertools import islice
from pathlib import Path
from urllib.parse import quote

from ppgen.engine.component import Way
from ppgen.engine.drawing.face import Face
from ppgen.engine.geometry import Insets, Rect, Size
from ppgen.engine.pictures.faces import Picture, at_dpi, blank, sheet_of, take_pictures, window
from ppgen.engine.shapes.net import Folded
from ppgen.engine.shapes.shape import Kind
from ppgen.engine.units import MM
from ppgen.export.exported import Export, ExportedFile, ExportRequest, Hint, Watch, facts_of, file_name
from ppgen.export.pictures.naming import NamedFace, NamedPiece, named_pieces
from ppgen.export.pictures.pieces import draw_all, pieces
from ppgen.export.readme import README, heading, paragraph, readme, steps
from ppgen.export.tables.deck_sheets import DeckSheet, deck_sheets
from ppgen.export.tables.tts_objects import CARD_TYPES, TILE_TYPES, Card, Deck, Heap, Sheet, Tile, saved_object
from ppgen.production.built import BuiltFile
from ppgen.production.drawn import DrawnPart
from ppgen.production.manifest import Json, to_json
from ppgen.production.selection import stem_of
from ppgen.production.workshop import Workshop
from ppgen.reading.texts import Texts

BACK_DPI, TILE_DPI = 400.0, 600.0
"""Pixels an inch of a deck's back and of tiles, which people look at closely."""
AROUND = 0.5
"""So much of nothing is around the picture of a token, in mm (kb.tabletopsimulator.com, custom token)."""
LARGEST_SIDE = 4096
"""Pixels of a picture's longer side at most (kb.tabletopsimulator.com, asset creation)."""
LOCAL = Hint("export.addresses")


@dataclass(frozen=True, slots=True, kw_only=True)
class _File:
    """A file of pictures: one, or several on a sheet, each with its slot."""

    path: str
    pictures: tuple[tuple[int, Picture], ...]
    sheet: DeckSheet | None = None
    facts: Json = field(hash=False)


@dataclass(slots=True, kw_only=True)
class _Album:
    """Gathers the files of a folder, each once, and knows the address that each will have."""

    folder: str
    address: str
    files: dict[str, _File] = field(default_factory=dict)

    def add(self, name: str, pictures: Sequence[tuple[int, Picture]], sheet: DeckSheet | None, facts: Json) -> str:
        """The address of a file, which is added if it is not there yet."""
        file = f"{name}.png"
        self.files.setdefault(file, _File(path=f"{self.folder}/{file}", pictures=tuple(pictures), sheet=sheet,
                                          facts=facts))
        return f"{self.address}/{quote(file)}"

    def face(self, named: NamedFace, dpi: float) -> str:
        longer = max(named.face.size.width, named.face.size.height) / MM["in"]
        return self.add(named.name, [(0, at_dpi(named.face, min(dpi, LARGEST_SIDE / longer)))], None, named.facts)


def export_tts(workshop: Workshop, request: ExportRequest, base_url: str = "") -> tuple[Export, ...]:
    """Pictures and the saved object of each language.

    ``base_url`` is where the pictures will be found, without a slash at its end; with several languages, in a folder
    for each. Without one they have the addresses of the files on this computer. Raises InputError.
    """
    folder = request.variant("tts-online" if base_url else "tts", *stem_of(request.parts))
    exports = []
    for texts, parts in draw_all(workshop, request, pieces(workshop, request, flat=True), lambda *_: 0.0):
        here = f"{texts.lang}/{folder}"
        online = f"{base_url}/{texts.lang}" if len(request.langs) > 1 else base_url
        album = _Album(folder=here, address=online if base_url else (Path(request.folder).resolve() / here).as_uri())
        things = [thing for part in parts for thing in _things(part, album)]
        title = texts("game.title")
        documents = (
            (f"{workshop.game.id}-{texts.lang}.json", to_json(saved_object(title, things)).encode()),
            (README, _readme(title, workshop, texts, online)))
        files = tuple(album.files.values())
        exports.append(Export(
            folder=here, facts={**facts_of("tts", workshop.game, texts.lang, request), "address": album.address},
            pictures=sum(len(file.pictures) for file in files),
            files=partial(_files, files, documents, here, workshop.fonts.folder),
            hints=(Hint("export.upload", {"folder": f"{request.folder}/{here}", "address": f"{online}/"})
                   if online else LOCAL,)))
    return tuple(exports)


def _files(files: Sequence[_File], documents: Sequence[tuple[str, bytes]], folder: str, fonts: Path,
           watch: Watch) -> Iterator[ExportedFile]:
    taken = take_pictures([picture for file in files for _, picture in file.pictures], fonts)
    for file in files:
        contents = []
        for (slot, _), content in zip(file.pictures, islice(taken, len(file.pictures)), strict=True):
            contents.append((slot, content))
            watch(1)
        if sheet := file.sheet:
            content = sheet_of(contents, sheet.columns, sheet.rows, sheet.slot, sheet.dpi)
            size = sheet.columns * sheet.slot[0], sheet.rows * sheet.slot[1]
        else:
            content, size = contents[0][1], file.pictures[0][1].pixels
        yield ExportedFile(file=BuiltFile(path=file.path, content=content),
                           facts={"width_px": size[0], "height_px": size[1], **file.facts})
    for name, content in documents:
        yield ExportedFile(file=BuiltFile(path=f"{folder}/{name}", content=content), facts={})


def _things(part: DrawnPart, album: _Album) -> Iterator[Deck | Heap]:
    named = named_pieces(part)
    tiles = [piece for piece in named if part.part.is_tiles or not _is_card(piece)]
    if tiles:
        yield from _heaps(part.part.title, tiles, album, board=part.part.layout.way is Way.TILED)
    decks: dict[tuple[Size, Kind], list[NamedPiece]] = {}
    for piece in named:
        if piece not in tiles:
            decks.setdefault((piece.component.size, piece.component.shape.kind), []).append(piece)
    for (size, kind), cards in decks.items():
        name = file_name(part.part.name) + (f"-{size.width:g}x{size.height:g}" if len(decks) > 1 else "")
        name += f"-{kind}" if len({each for each, _ in decks}) < len(decks) else ""
        yield _deck(name, part.part.title, cards, album)


def _is_card(piece: NamedPiece) -> bool:
    """Whether the game has cards of its shape: of others it has tokens."""
    return piece.component.net is None and (piece.component.shape.is_ruled or piece.component.shape.kind in CARD_TYPES)


def _deck(name: str, title: str, named: Sequence[NamedPiece], album: _Album) -> Deck:
    """A deck of cards of one size, on as many sheets as it takes."""
    size = named[0].component.size
    divided = deck_sheets(len(named), size)
    rest = iter(named)
    sheets: list[Sheet] = []
    cards: list[Card] = []
    for number, sheet in enumerate(divided):
        on_it = list(islice(rest, sheet.cards))
        label = f"{name}-sheet" + (f"-{number + 1}" if len(divided) > 1 else "")
        sheets.append(_sheet(label, f"{name}-blank-back", on_it, sheet, size, album))
        cards += (Card(id=piece.component.id, title=piece.component.title, copies=piece.component.copies,
                       sheet=number, slot=slot) for slot, piece in enumerate(on_it))
    return Deck(title=title, size=size, kind=named[0].component.shape.kind, sheets=tuple(sheets), cards=tuple(cards))


def _sheet(label: str, blank_back: str, named: Sequence[NamedPiece], sheet: DeckSheet, size: Size,
           album: _Album) -> Sheet:
    """The fronts on a sheet, the back in its last slot; and the backs: one picture, or a sheet if they differ."""
    backs = [piece.back.face if piece.back else blank(size, 0.0) for piece in named]

    def all_of(faces: Sequence[Face]) -> list[tuple[int, Picture]]:
        return [(slot, Picture(face=face, width=sheet.slot[0], height=sheet.slot[1], dpi=sheet.dpi, on_paper=True))
                for slot, face in (*enumerate(faces), (sheet.hidden, backs[0]))]

    facts: Json = {"columns": sheet.columns, "rows": sheet.rows, "slot_px": list(sheet.slot),
                   "components": [piece.component.id for piece in named]}
    face = album.add(label, all_of([piece.front.face for piece in named]), sheet, {**facts, "side": "front"})
    unique = len(set(backs)) > 1
    if unique:
        back = album.add(f"{label}-backs", all_of(backs), sheet, {**facts, "side": "back"})
    else:
        name = named[0].back.name if named[0].back else blank_back
        back = album.add(name, [(0, at_dpi(backs[0], BACK_DPI))], None, {"side": "back"})
    return Sheet(face=face, back=back, columns=sheet.columns, rows=sheet.rows, unique_back=unique)


def _heaps(title: str, named: Sequence[NamedPiece], album: _Album, board: bool) -> Iterator[Heap]:
    """Tiles that look alike from behind in one bag, to be drawn unseen; the copies of any other in one of its own.

    A ``board`` to play on can't be pushed about.
    """
    alike: dict[str, list[Tile]] = {}
    families: dict[str, str] = {}
    for piece in named:
        back = piece.back.name if piece.back and piece.back.is_shared_back else ""
        alike.setdefault(back, []).append(_tile(piece, album, bool(back), board))
        families.setdefault(back, piece.component.family or title)
    for back, tiles in alike.items():
        if back:
            yield Heap(title=families[back], description=", ".join(dict.fromkeys(tile.title for tile in tiles)),
                       tiles=tuple(tiles), mixed=True)
        else:
            yield from (Heap(title=tile.title or tile.id, tiles=(tile,)) for tile in tiles)


def _tile(piece: NamedPiece, album: _Album, secret: bool, board: bool) -> Tile:
    component = piece.component
    if net := component.net:  # of what is folded, what one sees: a figure stands, a house lies on its back
        stem = piece.front.name.removesuffix("front")
        shown, behind = (replace(piece.front, name=f"{stem}{name}", face=window(
            piece.front.face, net.panels[name], name in net.turned)) for name in ("front", "back"))
        return Tile(id=component.id, title=component.title, copies=component.copies, size=shown.face.size,
                    front=album.face(shown, TILE_DPI), back=album.face(behind, TILE_DPI),
                    standing=net.kind is Folded.STANDEE, colour=component.colour)
    kind, size, front, back = component.shape.kind, component.size, piece.front, piece.back
    if kind not in TILE_TYPES:  # a token ends where its outline does; to be found, that needs something around it
        around = Rect(0, 0, size.width, size.height).grown(Insets.all(AROUND))
        front = replace(front, face=window(front.face, around))
        back = back and replace(back, face=window(back.face, around))
        size = component.shape.outline(size).box.size
    return Tile(id=component.id, title=component.title, copies=component.copies, size=size,
                front=album.face(front, TILE_DPI), back=album.face(back, TILE_DPI) if back else "",
                kind=kind, secret=secret, board=board, colour=component.colour)


def _readme(title: str, workshop: Workshop, texts: Texts, online: str) -> bytes:
    saved = f"{workshop.game.id}-{texts.lang}.json"
    where = ("Put all .png files of this folder on the web, so that they are found at " + online + "/"
             if online else
             "Leave this folder where it is: the saved object looks for the pictures here. Only you will see them. For "
             "guests, put them on the web and export again with --base-url, or upload them to your Steam Cloud from "
             "inside the game (Modding, Cloud Manager) once the object is on the table.")
    return readme((
        heading(f"{title} for Tabletop Simulator"),
        steps((where,
               f"Copy {saved} into the folder of saved objects: on Windows Documents\\My Games\\Tabletop Simulator\\"
               "Saves\\Saved Objects, on macOS ~/Library/Tabletop Simulator/Saves/Saved Objects, on Linux "
               "~/.local/share/Tabletop Simulator/Saves/Saved Objects.",
               "In the game: Objects, Saved Objects, click the set and spawn it.")),
        paragraph("Cards lie face down in a deck. Tiles that look alike from behind are in one bag that gives them in "
                  "no order, face down; others are in a bag for each kind. A board is locked where it lies. "
                  "Figures stand, folded houses lie on their backs; other shapes are tokens. "
                  "Everything is as large as on a real table: one unit of the game is about an inch."),
        paragraph("Tabletop Simulator remembers pictures by their address. After a change, use another address "
                  "(…/v2), or empty its cache: Menu, Configuration, Mods."),
    ))
