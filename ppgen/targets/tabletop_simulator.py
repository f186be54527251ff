"""Export for Tabletop Simulator: sheets of cards, pictures of tiles, and the saved object."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from itertools import count, islice, product
from math import ceil, floor
from pathlib import Path
from urllib.parse import quote

from ppgen.engine.component import Component, PrintWay
from ppgen.engine.drawing.face import Face
from ppgen.engine.geometry import INCH, MAX_CARD_SIDE_MM, MM, Insets, Rect, Size
from ppgen.engine.pictures.face_pictures import FacePicture, at_dpi, blank_face, contact_print, crop_face, take_pictures
from ppgen.engine.shapes import Folded, ShapeKind
from ppgen.lines import format_json
from ppgen.printing.drawn_parts import DrawnPart
from ppgen.printing.manifest import Json
from ppgen.printing.request import BuildRequest, stem_words
from ppgen.printing.workshop import Workshop
from ppgen.process.file_writing import BuiltFile
from ppgen.process.system import Progress
from ppgen.reading.texts import Texts
from ppgen.targets.exported_files import (README, Export, ExportedFile, Hint, export_facts, file_name, heading,
                                          numbered_list, paragraph, readme, variant)
from ppgen.targets.piece_pictures import NamedFace, NamedPiece, choose_pieces, draw_all, name_pieces
from ppgen.targets.tabletop_objects import (CARD_TYPES, TILE_TYPES, State, TableObject, bag, deck, die_mesh, model_die,
                                            saved_object, tile)

# --- Sheets of cards ---

MAX_SIDE_PX = 4096  # maximum side of a picture (kb.tabletopsimulator.com, asset creation)
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
                yield -min(MAX_CARD_DPI, dpi_at(columns, rows)), columns * rows, columns

    def dpi_at(columns: int, rows: int) -> float:
        return min(MAX_SIDE_PX / columns / size.width, MAX_SIDE_PX / rows / size.height) * INCH

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
        return self.add(named.name, [(0, at_dpi(named.face, min(dpi, MAX_SIDE_PX / longer)))], None, named.facts)


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
            (README, _readme(title, workshop, texts, online, has_dice=bool(collector.meshes))))
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
    tiles = [piece for piece in named if part.part.is_tiles or not _is_card(piece)]
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


def _is_card(piece: NamedPiece) -> bool:
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


def _nickname(component: Component) -> str:
    return component.title or component.id


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


def _readme(title: str, workshop: Workshop, texts: Texts, online: str, has_dice: bool) -> bytes:
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
