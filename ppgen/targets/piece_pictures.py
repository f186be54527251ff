"""Pictures of pieces for other places, and sheets of them at a glance."""

from __future__ import annotations

import hashlib
import json
import re
import struct
import textwrap
import unicodedata
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import partial
from math import floor, fsum, sqrt
from pathlib import Path
from typing import Any

from ppgen import __version__
from ppgen.engine.booklets.booklet_pdf import add_picture
from ppgen.engine.component import Component, Pad, Part, PrintWay, Stock
from ppgen.engine.drawing.face import Face
from ppgen.engine.drawing.fonts import FontBook
from ppgen.engine.geometry import A4, INCH, Format, Size
from ppgen.engine.imposition.sheets import SheetSpec
from ppgen.engine.pdf.typesetting import document_pdf
from ppgen.engine.pictures.face_pictures import MAX_PIXELS, FacePicture, at_dpi, page_png, take_pictures
from ppgen.errors import Phrase, Problem, Problems, RequestError
from ppgen.games.catalogue import folder_owners
from ppgen.games.interface import Game
from ppgen.lines import columns, display_width
from ppgen.printing.drawn_parts import BleedRule, DrawnPart, draw_parts, has_cards
from ppgen.printing.manifest import Json, size_entry
from ppgen.printing.request import BuildRequest, OutputKind, check_names, expand_names, select_parts, stem_words
from ppgen.printing.workshop import Workshop
from ppgen.process.file_writing import BuiltFile
from ppgen.process.system import Progress
from ppgen.reading.texts import Texts
from ppgen.records import asdict, dataclass, field, replace

# --- Exported files ---
# Exports: finished files one by one, and their README.

MAX_NAME_LENGTH = 60


def variant(request: BuildRequest, *words: str) -> str:
    """Return the name of an export's folder: the words, and all options that differ from the default."""
    return request.file_name(*words, *request.words(OutputKind.FACES))


@dataclass(frozen=True, slots=True, kw_only=True)
class ExportedFile:
    """A finished file, and facts about it besides path and digest."""

    file: BuiltFile
    facts: Json

    def entry(self, folder: str = "") -> Json:
        """Return the file's entry in the JSON document, with its path in a folder."""
        path = f"{folder}/{self.file.path}" if folder else self.file.path
        return {"path": path, "sha256": hashlib.sha256(self.file.content).hexdigest(), **self.facts}


@dataclass(frozen=True, slots=True)
class Hint:
    """A hint for users: key of an interface text, and the values of its placeholders."""

    key: str
    values: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class Export:
    """An export in one language. Everything is drawn; its pictures are rendered while its files are read."""

    folder: str  # relative to the output folder
    facts: Json  # about the whole export
    pictures: int  # their number
    files: Callable[[Progress], Iterator[ExportedFile]]
    left_out: tuple[Problem, ...] = ()  # what could not be exported
    warnings: tuple[Problem, ...] = ()  # what differs from the set as printed at home
    hints: tuple[Hint, ...] = field(default=(), compare=False)


def export_facts(kind: str, game: Game, lang: str, request: BuildRequest) -> Json:
    """Return the head of the JSON document of an export."""
    return {"version": __version__, "game": game.id, "export": kind, "lang": lang,
            "card_size": {"name": request.card_size.name, **size_entry(request.card_size.size)},
            "ink": request.ink, "skin": request.skin,
            **({"choices": dict(game.chosen)} if game.chosen else {})}


def file_name(words: str) -> str:
    """Convert words to a part of a file name that is valid on every system."""
    plain = re.sub(r"[^\w.-]+", "-", unicodedata.normalize("NFC", words)).strip("-.")
    return plain[:MAX_NAME_LENGTH] or "x"


# --- README.txt ---

WIDTH = 78
README = "README.txt"


def heading(words: str) -> str:
    return f"{words}\n{'-' * display_width(words)}"


def paragraph(words: str, sign: str = "") -> str:
    """Wrap words, after a ``sign`` in the first line."""
    return textwrap.fill(words, WIDTH, initial_indent=sign, subsequent_indent=" " * len(sign),
                         break_long_words=False, break_on_hyphens=False)


def numbered_list(items: Iterable[str]) -> str:
    return "\n".join(paragraph(item, f"{number}. ") for number, item in enumerate(items, 1))


def bullet_list(items: Iterable[str]) -> str:
    return "\n".join(paragraph(item, "- ") for item in items)


def table(rows: Sequence[Sequence[str]]) -> str:
    """Format rows, the first of them the head, in columns as wide as their longest cell; lines are not wrapped."""
    lines, widths = columns(rows)
    return "\n".join((lines[0], "  ".join("-" * width for width in widths), *lines[1:]))


def readme(blocks: Iterable[str]) -> bytes:
    """Return the file: its blocks with an empty line between them."""
    return ("\n\n".join(block for block in blocks if block) + "\n").encode()


# --- Pictures ---
# Pieces and faces to export, their names, and PNG pictures of them.

PartSelector = Callable[[Texts], tuple[Part, ...]]  # returns the parts to export in a language


def choose_parts(workshop: Workshop, request: BuildRequest) -> PartSelector:
    """Select the pieces of the game, or requested parts and pages; the selector raises RequestError."""

    def choose(texts: Texts) -> tuple[Part, ...]:
        if not request.parts:
            return workshop.narrow([*filter(is_piece, workshop.game.parts(texts, request.card_size))], texts)
        selected = workshop.parts(texts, request.card_size, SheetSpec(paper=A4), request.parts)
        if selected.booklets:
            build = f"ppgen build --game {workshop.game.id}"
            raise RequestError(Problem("--only", Phrase("is_booklet", name=name),
                                       Phrase("print_booklet", command=build, part=name)) for name in selected.booklets)
        return selected.parts

    return choose


def choose_pieces(workshop: Workshop, request: BuildRequest, room: Size | None = None) -> PartSelector:
    """Select the pieces of the game, or the requested ones; with a ``room`` (mm) also whole pages of that size.

    Flat pieces replace those folded from paper, if the game offers them. The selector raises RequestError for a part
    that is not among the pieces.
    """

    def choose(texts: Texts) -> tuple[Part, ...]:
        parts = workshop.game.parts(texts, request.card_size)
        if any(part.stock is Stock.FOLDED for part in parts):
            others = _flat_parts(workshop, parts, texts, request.card_size)
            parts = tuple(others.get(part.name, part) if part.stock is Stock.FOLDED else part for part in parts)
        if room and workshop.game.score_sheet:
            parts = (*parts, workshop.game.score_sheet(texts, Pad(room=room)))
        offered = [part for part in parts if is_piece(part) or (room and part.is_full_page)]
        wanted = expand_names(request.parts, workshop.game.groups)
        check_names(wanted, offered, tuple(workshop.game.groups),
                    lambda name: Phrase("not_exported", name=name), folder_owners(workshop.assets))
        return workshop.narrow(select_parts(offered, wanted) if wanted else [*filter(is_piece, offered)], texts)

    return choose


def _flat_parts(workshop: Workshop, parts: Sequence[Part], texts: Texts, card_size: Format) -> dict[str, Part]:
    """The first flat form of each folded part among the forms that the game offers, by the part's name."""
    found: dict[str, Part] = {}
    folded = {part.name for part in parts if part.stock is Stock.FOLDED}
    for making in workshop.makings[1:]:
        if not folded <= found.keys():
            found = {part.name: part for part in making.game.parts(texts, card_size)
                     if part.stock is not Stock.FOLDED} | found
    return found


def is_piece(part: Part) -> bool:
    """True for a part of pieces to play with, not of pages or a box."""
    return not part.is_full_page and part.stock is not Stock.BOX


def draw_all(workshop: Workshop, request: BuildRequest, choose: PartSelector,
             bleed: BleedRule) -> list[tuple[Texts, tuple[DrawnPart, ...]]]:
    """Draw the parts of each language. Raises InputError with the problems of all of them."""
    problems = Problems()
    drawn: list[tuple[Texts, tuple[DrawnPart, ...]]] = []
    for lang in request.langs:
        with problems.collect_errors():
            texts = workshop.texts(lang)
            parts = choose(texts)
            drawn.append((texts, draw_parts(parts, workshop.studio(texts, request.ink), bleed, lang)))
    problems.raise_if_any()
    return drawn


# --- Names of faces ---


@dataclass(frozen=True, slots=True, kw_only=True)
class PieceSide:
    """A side of a component, in the facts about a picture."""

    component: str
    title: str
    side: str
    copies: int


@dataclass(frozen=True, slots=True, kw_only=True)
class NamedFace:
    """A face with the name of its file; ``shows`` are the components and sides that look like it."""

    name: str
    face: Face
    shows: tuple[PieceSide, ...] = field(hash=False)  # a shared back has as many as there are cards

    @property
    def is_shared_back(self) -> bool:
        return len(self.shows) > 1 and all(each.side == "back" for each in self.shows)

    @property
    def label(self) -> str:
        """The id of a component for its front, ``ID-back`` for its back, ``PART-back`` for one of several."""
        first = self.shows[0]
        return self.name if self.is_shared_back else (
            first.component if first.side == "front" else f"{first.component}-back")

    @property
    def facts(self) -> Json:
        return {"shows": [asdict(each) for each in self.shows]}


@dataclass(frozen=True, slots=True, kw_only=True)
class NamedPiece:
    """A component with its faces; ``back`` is None if it has none, and the front itself if they show the same."""

    component: Component
    front: NamedFace
    back: NamedFace | None


def name_pieces(drawn: DrawnPart) -> tuple[NamedPiece, ...]:
    """Name the faces of a part: ``cards-01-france-1-front``; a back of several components is ``cards-back``."""
    components = drawn.part.components
    backs = {component.id: drawn.faces.get((component.id, "back")) for component in components}
    fronts = {component.id: drawn.faces[component.id, "front"] for component in components}
    same = {each.id for each in components if backs[each.id]
            and (each.back == each.front or backs[each.id] == fronts[each.id])}  # the former with another bleed
    owners: dict[Face, list[Component]] = {}
    for each in components:
        if (back := backs[each.id]) and each.id not in same:
            owners.setdefault(back, []).append(each)
    shared = {face: [_side(each, "back") for each in several] for face, several in owners.items() if len(several) > 1}
    part, digits = file_name(drawn.part.name), max(2, len(str(len(components))))
    common = {face: NamedFace(name=f"{part}-back" if len(shared) == 1 else f"{part}-back-{number}", face=face,
                              shows=tuple(shows)) for number, (face, shows) in enumerate(shared.items(), 1)}

    def piece(number: int, component: Component) -> NamedPiece:
        stem, back = f"{part}-{number:0{digits}}-{file_name(component.id)}", backs[component.id]
        if component.id in same:
            both = NamedFace(name=f"{stem}-both", face=fronts[component.id],
                             shows=(_side(component, "front"), _side(component, "back")))
            return NamedPiece(component=component, front=both, back=both)
        front = NamedFace(name=f"{stem}-front", face=fronts[component.id], shows=(_side(component, "front"),))
        if not back:
            return NamedPiece(component=component, front=front, back=None)
        own_back = NamedFace(name=f"{stem}-back", face=back, shows=(_side(component, "back"),))
        return NamedPiece(component=component, front=front, back=common.get(back, own_back))

    return tuple(piece(number, component) for number, component in enumerate(components, 1))


def name_faces(pieces: tuple[NamedPiece, ...]) -> tuple[NamedFace, ...]:
    """Return the faces of the pieces, each once: fronts and own backs, then shared backs."""
    faces = dict.fromkeys(face for piece in pieces for face in (piece.front, piece.back) if face)
    return tuple(sorted(faces, key=lambda face: face.is_shared_back))


def _side(component: Component, side: str) -> PieceSide:
    return PieceSide(component=component.id, title=component.title, side=side, copies=component.copies)


# --- Picture files ---


@dataclass(frozen=True, slots=True, kw_only=True)
class PictureFile:
    """A picture with the path of its file and further facts."""

    path: str
    picture: FacePicture
    facts: Json = field(hash=False)


def picture_files(pictures: Sequence[PictureFile], fonts: Path, documents: Sequence[BuiltFile],
                  watch: Progress) -> Iterator[ExportedFile]:
    """Render the files in order, on all cores; only a few are in memory at a time. The ``documents`` come last."""
    contents = take_pictures([each.picture for each in pictures], fonts)
    for done, (each, content) in enumerate(zip(pictures, contents, strict=True), 1):
        watch("", done, len(pictures))
        face, (width, height) = each.picture.face, each.picture.pixels
        yield ExportedFile(file=BuiltFile(path=each.path, content=content), facts={
            "width_px": width, "height_px": height, "dpi": each.picture.dpi,
            "trim_mm": [face.size.width, face.size.height], "bleed_mm": round(face.bleed, 4), **each.facts})
    yield from (ExportedFile(file=document, facts={}) for document in documents)


def _pixel_problem(each: PictureFile, dpi: float) -> Problem | None:
    """The problem of a picture that would take too much memory."""
    pixels = each.picture.width * each.picture.height
    if pixels <= MAX_PIXELS:
        return None
    return Problem("--dpi", Phrase("many_pixels", width=each.picture.width, height=each.picture.height),
                   Phrase("max_dpi", dpi=floor(dpi * sqrt(MAX_PIXELS / pixels))),
                   key=f"[{each.path.rpartition('/')[2]}]")


# --- PNG export ---


def export_png(workshop: Workshop, request: BuildRequest, dpi: float, bleed: float = 0.0,
               corners: float = 0.0) -> tuple[Export, ...]:
    """Export every face once in each language (mm). Raises InputError, RequestError for impossible corners or sizes."""
    folder = variant(request, f"png-{dpi:g}dpi", *([f"bleed{bleed:g}"] if bleed else ()),
                             *([f"corners{corners:g}"] if corners else ()))
    exports, problems = [], Problems()
    for texts, parts in draw_all(workshop, request, choose_parts(workshop, request), lambda *_: bleed):
        pictures = [
            PictureFile(path=f"{texts.lang}/{folder}/{named.name}.png", picture=at_dpi(named.face, dpi, corners),
                        facts={"part": part.part.name, **named.facts})
            for part in parts for named in name_faces(name_pieces(part))]
        large = {each.path: problem for each in pictures if (problem := _pixel_problem(each, dpi))}
        fitting = [each for each in pictures if each.path not in large]
        problems.extend(() if fitting else large.values())
        sides = (side for each in pictures for side in (each.picture.face.size.width, each.picture.face.size.height))
        if corners > (most := min(sides, default=0) / 2):
            problems.note("--corners", Phrase("corners_large", length=f"{corners:g}"),
                          Phrase("at_most_mm", length=f"{most:g}"))
        exports.append(Export(
            folder=f"{texts.lang}/{folder}", facts=export_facts("png", workshop.game, texts.lang, request),
            pictures=len(fitting), files=partial(picture_files, fitting, workshop.fonts.folder, ()),
            left_out=tuple(replace(each, what=Phrase("left_out", message=each.what)) for each in large.values())))
    if problems:
        raise RequestError(problems)
    return tuple(exports)


# --- Contact sheets ---
# Contact sheet: one picture of all faces of a set in proportion, with their names. typst lays it out.

MAX_WIDTH_PX, MAX_DPI = 2400, 120.0  # of a large screen; and its resolution with few faces
SPREAD = 2.2  # square of a sheet's width by the area of its faces: some 1.3 times as wide as high
MIN_WIDTH_MM, NAME_ROOM_MM = 120.0, 5.0  # of a sheet, and what a face with its name takes beyond its size
LARGE_SCALE = 0.5  # scale of whole pages and boards
NAME_PX = 17.0  # type size of names: legible without magnifying


def export_contact(workshop: Workshop, request: BuildRequest) -> tuple[Export, ...]:
    """Export a contact sheet in each language. Raises InputError with every problem of the faces."""
    exports = []
    for texts, parts in draw_all(workshop, request, choose_parts(workshop, request), lambda *_: 0.0):
        folder = f"{texts.lang}/{variant(request, 'png-contact', *stem_words(request.parts))}"
        size = [str(request.card_size.size).replace(".", texts("language.decimal"))] * has_cards(
            (piece.size for part in parts for piece in part.part.components), request.card_size)
        facts = " · ".join((texts("language.name"), *size, texts(f"ink.{request.ink}")))
        sheet: Json = {"lang": texts.lang.partition("-")[0], "title": texts("game.title"), "facts": facts}
        exports.append(Export(
            folder=folder, facts=export_facts("png", workshop.game, texts.lang, request), pictures=1,
            files=partial(_sheet_file, f"{folder}/contact-sheet.png", sheet, parts, workshop.fonts)))
    return tuple(exports)


def _sheet_file(path: str, sheet: Json, parts: Sequence[DrawnPart], fonts: FontBook,
                watch: Progress) -> Iterator[ExportedFile]:
    """Set the sheet; the more faces it has, the wider it is, and the larger are the names on it."""
    faces = {part.part.name: name_faces(name_pieces(part)) for part in parts}
    inputs: dict[str, str] = {}
    sections = [_describe(part, faces[part.part.name], inputs) for part in parts]
    shots = [shot for section in sections for shot in section["shots"]]
    area = fsum((shot["width"] + NAME_ROOM_MM) * (shot["height"] + 2 * NAME_ROOM_MM) for shot in shots)
    width = max(sqrt(SPREAD * area), 1.2 * max(shot["width"] for shot in shots), MIN_WIDTH_MM)
    dpi = min(MAX_DPI, (MAX_WIDTH_PX - 1) / width * INCH)
    inputs["sheet"] = json.dumps({
        **sheet, "width": width, "type": NAME_PX / dpi * INCH, "sections": sections,
        "fonts": {style: [*dict.fromkeys(font.family for font in fonts.styles.get(style, fonts.styles["text"]))]
                  for style in ("text", "title")}}, ensure_ascii=False, sort_keys=True)
    document = document_pdf((Path(__file__).parent / "contact.typ").read_bytes(), inputs, fonts.folder)
    content = page_png(document, 0, dpi)
    width_px, height_px = struct.unpack(">II", content[16:24])  # the PNG's header (RFC 2083, 4.1.1)
    shows = [asdict(side) for named in faces.values() for face in named for side in face.shows]
    watch("", 1, 1)
    yield ExportedFile(file=BuiltFile(path=path, content=content), facts={
        "width_px": width_px, "height_px": height_px, "dpi": round(dpi, 2), "shows": shows})


def _describe(part: DrawnPart, faces: Sequence[NamedFace], inputs: dict[str, str]) -> dict[str, Any]:
    large = part.part.layout.way in (PrintWay.PAGE, PrintWay.TILED)
    scale, count = LARGE_SCALE if large else 1.0, sum(component.copies for component in part.part.components)
    return {"title": part.part.title, "note": f"{count} · 1 : {1 / scale:g}" if large else str(count), "shots": [
        {"name": named.label, "copies": named.shows[0].copies if named.shows[0].side == "front" else 1,
         "width": named.face.size.width * scale, "height": named.face.size.height * scale,
         "picture": add_picture(named.face, inputs)} for named in faces]}
