"""Parts with their drawn faces, boards at their printed scale, and the ink of both."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from functools import cached_property
from itertools import groupby
from math import floor, fsum
from pathlib import Path

from ppgen.engine.component import Component, Part, PrintWay, Stock
from ppgen.engine.drawing.face import Face, FaceRequest
from ppgen.engine.drawing.rendering import FaceRenderer
from ppgen.engine.drawing.svg_check import MIN_TYPE_SIZE, find_fine_details
from ppgen.engine.drawing.templates import TemplateSet
from ppgen.engine.geometry import A4, ANYWHERE, Format, Seams, Size
from ppgen.engine.imposition.impose import BACK_EXTRA, group_blocks, impose, impose_nested, impose_pages, impose_tiled
from ppgen.engine.imposition.sheets import Backs, Imposition, Item, SheetSpec, page_areas
from ppgen.engine.shapes import ShapeKind
from ppgen.errors import InputError, Phrase, Problem, Problems, Spot, merge_problems
from ppgen.games.interface import SCORE_SHEET
from ppgen.printing.request import CALIBRATION, FIT, INKS, BuildRequest, OutputKind, stem_words
from ppgen.printing.workshop import MAX_PIECES, PrintRun, Workshop
from ppgen.reading.texts import Texts
from ppgen.records import dataclass, replace

BleedRule = Callable[[Part, str], float | None]
"""Bleed of the front or back of a part's components in mm; None if that side is not drawn."""


def has_cards(sizes: Iterable[Size], card_size: Format) -> bool:
    """True if pieces of these sizes have cards among them: a deck may be of tiles and tokens only."""
    return any(size.portrait == card_size.size.portrait for size in sizes)


@dataclass(frozen=True, kw_only=True)
class DrawnPart:
    """A part with its faces, keyed by component and side (``front``, ``back``)."""

    part: Part
    faces: Mapping[tuple[str, str], Face]

    @cached_property
    def distinct(self) -> tuple[Face, ...]:
        return tuple(dict.fromkeys(self.faces.values()))

    @cached_property
    def items(self) -> tuple[Item, ...]:
        """Items to impose: each copy of each component."""
        return tuple(self._item(component) for component in self.part.components for _ in range(component.copies))

    def items_of_sets(self, sets: int) -> tuple[Item, ...]:
        """Items of several sets: those of a size, or of a block, set by set, so that they take the fewest sheets."""
        runs = [block.items for block in group_blocks(self.items)] or [
            tuple(run) for _, run in groupby(self.items, key=lambda item: item.size)]
        return tuple(item for run in runs for _ in range(sets) for item in run)

    def _item(self, component: Component) -> Item:
        faces = [face for side in ("front", "back") if (face := self.faces.get((component.id, side)))]
        edges = [face.edge for face in faces]
        shared = all(edges) and component.shape.is_ruled  # scissors need a bleed all around
        return Item(id=component.id, size=component.size, shape=component.shape, edge="|".join(edges) if shared else "",
                    has_back=len(faces) > 1, seams=faces[0].seams if faces else ANYWHERE)


def draw_parts(parts: Iterable[Part], renderer: FaceRenderer, bleed: BleedRule, subject: str,
               begin: Callable[[str], None] = lambda _: None) -> tuple[DrawnPart, ...]:
    """Draw every face once; ``begin`` gets each part's title. Raises InputError with all problems by face."""
    problems = Problems()
    drawn: list[DrawnPart] = []
    known: dict[tuple[FaceRequest, float], Face] = {}
    for part in parts:
        begin(part.title)
        faces: dict[tuple[str, str], Face] = {}
        asked = {(component.id, side): (request, around, f"[{component.id} {side} {subject}]")
                 for component in part.components for side, request in component.faces()
                 if (around := bleed(part, side)) is not None}
        renderer.expect(asked.values())
        for place, (request, around, name) in asked.items():
            with problems.collect_errors():
                if not (face := known.get((request, around))):
                    face = known[request, around] = renderer.draw(request, around, name)
                faces[place] = face
        drawn.append(DrawnPart(part=part, faces=faces))
    if problems:
        raise InputError(merge_problems(problems))
    return tuple(drawn)


def sheet_bleed(spec: SheetSpec) -> BleedRule:
    """Return the bleed rule for faces on sheets of this kind."""

    def bleed(part: Part, side: str) -> float | None:
        backless = spec.backs is Backs.NONE or part.one_sided or (part.is_full_page and spec.backs is not Backs.DUPLEX)
        if side == "back" and backless:
            return None  # whole pages have backs in duplex only
        if part.is_full_page:
            return 0.0
        return spec.bleed + (BACK_EXTRA if side == "back" and spec.backs is Backs.DUPLEX else 0.0)

    return bleed


def measure_ink(part: DrawnPart, fonts: Path) -> dict[tuple[str, str], float]:
    """Measure the ink coverage (0 to 1) of each front and back; none for whole pages, which are mostly blank."""
    if part.part.is_full_page:
        return {}
    from ppgen.engine.pictures.face_pictures import coverage  # heavy: for low ink only

    shares = dict(zip(part.distinct, coverage(part.distinct, fonts), strict=True))
    return {key: shares[face] for key, face in part.faces.items()}


# --- Imposition ---

def output_kind(part: Part) -> OutputKind:
    """Return the kind of file for a part."""
    if part.stock is Stock.BOX:
        return OutputKind.BOX
    if part.name == CALIBRATION:
        return OutputKind.CALIBRATION
    if part.is_full_page:
        return OutputKind.SCORE_SHEET if part.name == SCORE_SHEET else OutputKind.PAGES
    if part.layout.way is PrintWay.TILED:
        return OutputKind.BOARD
    backed = not part.one_sided and any(component.back for component in part.components)
    return OutputKind.PIECES if backed else OutputKind.FRONTS


def file_stem(part: Part, request: BuildRequest, paper: Format) -> str:
    """Return the name of a part's file, without extension."""
    variant = (part.variant,) if part.variant else ()
    return request.stem(part.name, paper, output_kind(part), *variant, *stem_words(part.only))


def impose_part(part: DrawnPart, request: BuildRequest, paper: Format) -> Imposition:
    """Impose a part, for all requested sets. Raises InputError for what does not fit the paper, or is too much."""
    relevant = request.relevant_to(output_kind(part.part))
    spec, items = relevant.spec(paper), part.items_of_sets(relevant.sets)
    if len(items) > MAX_PIECES:
        raise InputError.at("--sets", Phrase("many_pieces", number=len(items), most=MAX_PIECES), Phrase("fewer_sets"),
                            key=part.part.name)
    if part.part.is_full_page:
        spec = spec.turned if part.part.layout.turned else spec
        return impose_pages(items, spec, part.part.layout.abreast, cut_out=part.part.stock is Stock.BOX)
    impose_pieces = {PrintWay.TILED: impose_tiled, PrintWay.NESTED: impose_nested}.get(part.part.layout.way, impose)
    try:
        return impose_pieces(items, spec, part.part.name)
    except InputError as error:
        own_size = request.card_size.size.portrait
        if request.card_size == request.usual_card or own_size not in (item.size.portrait for item in part.items):
            raise
        raise InputError([replace(problem, place="--card-size") for problem in error.problems]) from error


# --- Small parts on shared sheets ---

def join_small_parts(parts: Sequence[DrawnPart], request: BuildRequest, paper: Format) -> tuple[DrawnPart, ...]:
    """Join parts that fill less than half a sheet, where they are of one stock, backs and cut, if that saves sheets."""
    alike: dict[tuple[object, ...], list[DrawnPart]] = {}
    for part in parts:
        area, own = fsum(item.size.width * item.size.height for item in part.items), part.part
        if (own.layout.way is PrintWay.GRID and area <= paper.size.width * paper.size.height
                and _count_sheets(part, request, paper, 2) == 1):
            kind = (own.stock, own.tiles, own.variant, own.one_sided, any(piece.back for piece in own.components),
                    all(piece.shape.is_ruled for piece in own.components))
            alike.setdefault(kind, []).append(part)
    joined: dict[str, DrawnPart | None] = {}
    for small in alike.values():
        whole = _join_parts(small)
        if len(small) > 1 and _count_sheets(whole, request, paper) < len(small):
            joined |= {small[0].part.name: whole, **dict.fromkeys(part.part.name for part in small[1:])}
    return tuple(kept for part in parts if (kept := joined.get(part.part.name, part)))


def _count_sheets(part: DrawnPart, request: BuildRequest, paper: Format, times: int = 1) -> int:
    """The sheets for that many times the requested sets; 0 if they don't fit."""
    with suppress(InputError):
        return len(impose_part(part, replace(request, sets=request.sets * times), paper).sheets)
    return 0


def _join_parts(parts: Sequence[DrawnPart]) -> DrawnPart:
    components = [component for part in parts for component in part.part.components]
    names = tuple(part.part.name for part in parts)
    part = replace(
        parts[0].part, name="-".join(stem_words(names)), joined=names,
        title=", ".join(part.part.title for part in parts), only=tuple(id for part in parts for id in part.part.only),
        components=tuple(sorted(components, key=lambda each: (-each.size.width * each.size.height, str(each.size)))))
    return DrawnPart(part=part, faces={key: face for each in parts for key, face in each.faces.items()})


# --- Markup in words ---

MARKUP_ADVICE = "only rich() sets **bold** and {icons}, and each mark is closed: use it, or take the markup out"


def markup_warnings(drawn: Iterable[DrawnPart], templates: TemplateSet) -> Iterator[Problem]:
    """Warn of markup that strangers' templates print as it stands, once for each part."""
    for part in drawn if not templates.are_ours else ():
        found: dict[str, list[str]] = {}
        for (piece, _), face in part.faces.items():
            for markup in dict.fromkeys(markup for markup, _ in face.markup):
                found.setdefault(markup, []).append(piece)
        for markup, pieces in found.items():
            yield Problem(part.part.name, f"prints '{markup}' as it stands", MARKUP_ADVICE, key=pieces[0],
                          more=len(dict.fromkeys(pieces)) - 1)


# --- Pictures that are faces ---

MAX_CUT = 0.05  # share of a picture that may be cut away without a warning


def cut_picture_warnings(drawn: Iterable[DrawnPart]) -> Iterator[Problem]:
    """Warn of faces without words, of whose picture much is cut away, once for each part."""
    for part in drawn:
        cut: dict[str, tuple[float, Spot]] = {}
        for component in part.part.components:
            for side, request in component.faces():
                face = part.faces.get((component.id, side))
                for name, share in face.cuts.items() if face and "<text" not in face.svg else ():
                    if share > MAX_CUT:
                        cut.setdefault(name, (share, request.origins.get(name, Spot(part.part.name, key=component.id))))
        if cut:
            name, (share, spot) = max(cut.items(), key=lambda each: each[1][0])
            yield replace(spot.problem(f"{share:.0%} of the picture '{name}' is cut away",
                                       "give it the proportions of the piece, with or without a bleed"),
                          more=len(cut) - 1)


# --- Pages side by side ---

def small_type_warnings(drawn: Iterable[DrawnPart]) -> Iterator[Problem]:
    """Warn of pages side by side whose type is too small, once for each part."""
    for part in drawn:
        faces = part.distinct if part.part.layout.abreast > 1 else ()
        if sizes := [fine.size for face in faces for fine in find_fine_details(face) if fine.kind == "type"]:
            what = Phrase("small_type", size=f"{min(sizes):.1f}", least=f"{MIN_TYPE_SIZE:g}")
            yield Problem("--sheets-per-page", what, Phrase("one_sheet_per_page"), key=part.part.name)


# --- Boards to scale ---

MIN_BOARD_SCALE = 0.1  # smaller boards are unplayable


def draw_to_print(parts: Iterable[Part], run: PrintRun,
                  begin: Callable[[str], None] = lambda _: None) -> tuple[DrawnPart, ...]:
    """Draw every face as printed; small parts share sheets, if requested. Raises InputError."""
    request = run.request
    parts, spec = tuple(parts), request.spec(run.paper)
    scales = {part.name: board_scale(part, request.board_scale, spec) for part in parts}
    unscaled = sheet_bleed(spec)

    def bleed(part: Part, side: str) -> float | None:
        length = unscaled(part, side)
        return None if length is None else length / scales[part.name]

    drawn = draw_parts(parts, run.studio, bleed, run.texts.lang, begin)
    scaled = tuple(_scale_part(part, scales[part.part.name]) for part in drawn)
    together = bool(run.workshop.game.deck) if request.together is None else request.together
    return join_small_parts(scaled, request, run.paper) if together else scaled


def board_scale(part: Part, requested: float, spec: SheetSpec) -> float:
    """The scale of a part: ``requested``, or what ``FIT`` a sheet; 1 if not a board. Raises InputError."""
    if part.layout.way is not PrintWay.TILED:
        return 1.0
    if requested != FIT:
        return requested
    rooms = [area.room for area in page_areas(replace(spec, backs=Backs.NONE)) if area.clear]
    scale = min((max((min(room.width / piece.size.width, room.height / piece.size.height) for room in rooms), default=0)
                 for piece in part.components), default=1.0)
    if scale < MIN_BOARD_SCALE:
        raise InputError.at("--board-scale", Phrase("board_vanishes", paper=spec.paper.name, measure=spec.paper.size),
                            Phrase("larger_paper"), key=part.name)
    return min(1.0, floor(scale * 1000) / 1000)


def scale_warnings(parts: Iterable[Part], request: BuildRequest, paper: Format) -> Iterator[Problem]:
    """Warn of each board that is not printed at its own size."""
    for part in parts:
        if (scale := board_scale(part, request.board_scale, request.spec(paper))) != 1:
            size = part.components[0].size
            yield Problem("--board-scale", Phrase("board_scaled", scale=f"{scale * 100:g}",
                                                  size=_scale_size(size, scale), full=size),
                          Phrase("pieces_tighter", number=f"{10 * scale:g}") if scale < 1
                          else Phrase("pieces_roomier", number=f"{10 * scale:g}"), key=part.name)


def _scale_part(drawn: DrawnPart, scale: float) -> DrawnPart:
    """Scale a part: its faces keep their drawings, shown at the new size."""
    if scale == 1:
        return drawn

    def component(each: Component) -> Component:
        return replace(each, front=replace(each.front, size=_scale_size(each.size, scale)),
                       back=each.back and replace(each.back, size=_scale_size(each.back.size, scale)))

    def face(each: Face) -> Face:
        places = [tuple(round(place * scale, 6) for place in along) for along in (each.seams.x, each.seams.y)]
        anchors = {name: replace(anchor, x=anchor.x * scale, y=anchor.y * scale)
                   for name, anchor in each.anchors.items()}
        return replace(each, size=_scale_size(each.size, scale), bleed=round(each.bleed * scale, 6),
                       seams=Seams(*places), anchors=anchors)

    return DrawnPart(part=replace(drawn.part, components=tuple(map(component, drawn.part.components))),
                     faces={key: face(each) for key, each in drawn.faces.items()})


def _scale_size(size: Size, scale: float) -> Size:
    return Size(round(size.width * scale, 2), round(size.height * scale, 2))


# --- Ink ---

LOW_INK_PERCENT = 12.0  # maximum mean ink of the pieces of a low-ink set


@dataclass(frozen=True, slots=True, kw_only=True)
class InkRow:
    """Ink of a part, in percent of its pieces' area."""

    part: str
    ink: str
    percent: float


def low_ink_warnings(workshop: Workshop, texts: Texts, parts: Iterable[Part]) -> Iterator[Problem]:
    """Warn of each part of strangers' templates that looks the same in low ink."""
    if workshop.templates.are_ours:
        return
    low, full = workshop.studio(texts, "low"), workshop.studio(texts, "full")
    for part in parts:
        requests = dict.fromkeys(request for component in part.components for _, request in component.faces())
        with suppress(InputError):  # full ink is not what is printed
            if not part.is_full_page and all(
                    low.draw(request, 0, "").svg == full.draw(request, 0, "").svg for request in requests):
                yield Problem(part.name, "is printed in full ink: its templates have no version for low ink",
                              'draw less of it where {% if ink == "low" %}')


def parts_on_a4(workshop: Workshop, texts: Texts, card_size: Format) -> tuple[Part, ...]:
    """Return the parts of the set for that card size, on A4. Raises InputError."""
    return workshop.parts(texts, card_size, SheetSpec(paper=A4), ()).parts


def inspection_bleed(part: Part, side: str) -> float | None:
    """The bleed of faces to inspect: that of sheets, so that they are reused; 0 for other shapes."""
    rectangular = all(piece.shape.kind is ShapeKind.RECTANGLE for piece in part.components)
    return sheet_bleed(SheetSpec(paper=A4))(part, side) if rectangular else 0.0


def ink_report(workshop: Workshop, texts: Texts, parts: Sequence[Part],
               inks: Sequence[str] = INKS) -> tuple[InkRow, ...]:
    """Measure the ink of each part that is cut out: the mean over both sides of all its pieces. Raises InputError."""
    rows = []
    for ink in inks:
        for part in draw_parts(parts, workshop.studio(texts, ink), inspection_bleed, f"{texts.lang} {ink}"):
            copies = {component.id: component.copies for component in part.part.components}
            shares = [share for (piece, _), share in measure_ink(part, workshop.fonts.folder).items()
                      for _ in range(copies[piece])]
            if shares:
                rows.append(InkRow(part=part.part.name, ink=ink, percent=100 * fsum(shares) / len(shares)))
    return tuple(rows)
