"""Pages of the site: the choices that they offer, their pictures and texts."""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import dropwhile, product
from math import fsum
from pathlib import PurePosixPath
from typing import Any, TypeVar

from markupsafe import Markup

from ppgen import __version__
from ppgen.cache import cached_by
from ppgen.engine.booklets.booklet import (FIGURE_SCALE, Beside, Block, Booklet, Entry, Figure, Heading, Listing,
                                           Paragraph, WebPageWriter, fit_booklet, iter_figures, page_templates)
from ppgen.engine.booklets.booklet_pdf import typeset
from ppgen.engine.component import Component, Part, PrintWay
from ppgen.engine.drawing.face import Face, FaceRequest
from ppgen.engine.drawing.fonts import FontBook
from ppgen.engine.drawing.rendering import FaceRenderer
from ppgen.engine.geometry import INCH, Format, Rect
from ppgen.engine.imposition.sheets import LARGEST_DRIFT, Backs
from ppgen.engine.pictures.face_pictures import FacePicture, faces_webp, page_sizes, page_webp
from ppgen.engine.shapes import ShapeKind
from ppgen.errors import Problems
from ppgen.games.interface import SCORE_SHEET
from ppgen.lines import fit_width
from ppgen.printing.calibration import ACROSS, DOWN, DRIFT_DEGREES_PER_MM, MAX_READING_MM, MAX_RULER_ERROR_MM, READINGS
from ppgen.printing.drawn_parts import draw_parts, has_cards
from ppgen.printing.manifest import MATERIALS, weigh
from ppgen.printing.request import BOX, CALIBRATION, GUIDE, INKS, RULES, WORDS, BuildRequest
from ppgen.printing.set_booklets import (GuideFacts, GuideFile, Sleeve, booklet_guide_file, booklet_page,
                                         guide_facts_to_read, guide_sections, make_guide, rules_to_read, sleeve_for)
from ppgen.printing.workshop import SCORE_PAGE, PrintRun, Workshop
from ppgen.reading.fields import read_toml
from ppgen.reading.texts import Texts
from ppgen.records import dataclass, field, replace
from ppgen.shipped import shipped_root
from ppgen.targets.piece_pictures import is_piece

# --- Choices ---
T = TypeVar("T")
DOT, TIMES = "\u00a0· ", "\u00a0×\u00a0"  # between facts: it begins no line; a number stays with what is counted
MINUTES_PER_CUT = 0.5  # a first guess: docs/print.md
ML_PER_SOLID_PAGE, SOLID_PAGE_MM2 = 0.5, 62_370  # ink on an A4 page that is covered from edge to edge: docs/print.md
LARGE_PRINT = "large-print"  # the look of a set in large print; other looks are inks


def with_look(request: BuildRequest, look: str) -> BuildRequest:
    """Return the request of a set in that look."""
    large = look == LARGE_PRINT
    return replace(request, ink=INKS[0] if large else look, large_print=large)


def look_of(request: BuildRequest) -> str:
    return LARGE_PRINT if request.large_print else request.ink


@dataclass(frozen=True, slots=True, kw_only=True)
class SiteSet:
    """The files of a set in one language on one paper, to choose by paper, backs and look, or of a preset."""

    workshop: Workshop
    request: BuildRequest
    paper: Format
    preset: str
    files: tuple[dict[str, Any], ...]  # entries of its manifest

    @property
    def lang(self) -> str:
        return self.request.langs[0]

    @property
    def run(self) -> PrintRun:
        return PrintRun(self.request, self.workshop, self.workshop.texts(self.lang), self.paper)

    @property
    def paths(self) -> tuple[str, ...]:
        return tuple(dict.fromkeys(file["path"] for file in self.files))

    @property
    def printed(self) -> list[dict[str, Any]]:
        """The files to print, the printer test first."""
        return sorted((file for file in self.files if file["sheets"]), key=lambda file: file["part"] != CALIBRATION)

    @property
    def sheets(self) -> int:
        return sum(file["sheets"] for file in self.files)

    @property
    def cuts(self) -> int:
        """Straight cuts of all sheets; nets of boxes and folded pieces are cut along their outlines."""
        return sum(file["layout"]["cuts"] for file in self.files)

    @property
    def minutes(self) -> int:
        """Minutes of cutting."""
        return round(self.cuts * MINUTES_PER_CUT)

    @property
    def grams(self) -> int:
        return round(sum(weigh(file["material"], file["sheets"], self.paper.size) for file in self.files))

    @property
    def ink_ml(self) -> float:
        """Ink of the pieces, if it was measured."""
        areas = (side.get("ink_percent", 0) / 100 * fsum(placed["width_mm"] * placed["height_mm"]
                                                        for placed in side["placements"])
                 for file in self.files for side in file["sides"])
        return fsum(areas) / SOLID_PAGE_MM2 * ML_PER_SOLID_PAGE

    def find(self, part: str, printed: bool = True) -> dict[str, Any] | None:
        """The file of a part; of a booklet the one that is ``printed``, or the one for the screen."""
        return next((file for file in self.files if file["part"] == part and bool(file["sheets"]) == printed), None)


@dataclass(frozen=True, slots=True, kw_only=True)
class SitePreset:
    """A whole set to download, under one name: options of ``ppgen build``."""

    name: str
    workshop: Workshop
    request: BuildRequest
    description: str


@dataclass(frozen=True, slots=True, kw_only=True)
class SiteGame:
    """A game of the site; ``name`` is the beginning of its pages' names."""

    workshop: Workshop
    request: BuildRequest
    sets: tuple[SiteSet, ...]
    name: str
    presets: Sequence[SitePreset]

    @property
    def variants(self) -> tuple[SiteSet, ...]:
        """The sets to choose by paper, backs and look."""
        return self.preset_sets("")

    def preset_sets(self, preset: str) -> tuple[SiteSet, ...]:
        return tuple(each for each in self.sets if each.preset == preset)

    @property
    def is_shipped(self) -> bool:
        return self.workshop.assets.is_shipped

    @property
    def langs(self) -> tuple[str, ...]:
        return self.request.langs

    def stem(self, variant: SiteSet, word: str) -> str:
        """The name of a file of the variant, without ending."""
        return "-".join((self.name, word, variant.paper.name, variant.request.backs.value,
                         variant.preset or look_of(variant.request)))

    def guide_page(self, variant: SiteSet) -> str:
        """The page of the variant's guide, which variants with the same guide share; empty if it has none."""
        if not (guide := variant.find(GUIDE)):
            return ""
        first = next(each for each in self.sets if (other := each.find(GUIDE)) and other["path"] == guide["path"])
        return f"{self.stem(first, GUIDE)}.html"

    def table(self, lang: str) -> str:
        """The table to play on."""
        return f"table/{self.name}-{lang}.html"

    def correction_plans(self, lang: str) -> str:
        """The file that tells the page how to correct the game's PDFs for the reader's printer."""
        return f"files/{lang}/{self.name}-pages.json"

    def choices(self) -> tuple[list[Format], list[Backs], list[str]]:
        """The papers, backs and looks to choose from."""
        return (list(dict.fromkeys(each.paper for each in self.variants)),
                list(dict.fromkeys(each.request.backs for each in self.variants)),
                list(dict.fromkeys(look_of(each.request) for each in self.variants)))

    def choice_class(self, variant: SiteSet) -> str:
        """The class of elements that the page shows for this choice; its numbers are those of the options' ids."""
        (papers, backs, looks), asked = self.choices(), variant.request
        return f"p{papers.index(variant.paper)}-b{backs.index(asked.backs)}-i{looks.index(look_of(asked))}"


def group_choices(game: SiteGame, values: Iterable[T]) -> list[tuple[str, T]]:
    """Group the values of the variants. Equal ones come once, each after the classes of all choices that show it."""
    groups: list[tuple[T, list[str]]] = []
    for variant, value in zip(game.variants, values, strict=True):
        ids = next((ids for other, ids in groups if other == value), None)
        if ids is None:
            groups.append((value, ids := []))
        ids.append(game.choice_class(variant))
    return [(" ".join(ids), value) for value, ids in groups]


# --- Files and materials, in the words of the making guide ---

def parts_of(file: dict[str, Any]) -> list[str]:
    """The names of the parts that share a file's sheets."""
    return list(file.get("parts", [file["part"]]))


def part_title(part: str, parts: Sequence[Part], texts: Texts) -> str:
    """The title of a part, which may be a page or a booklet."""
    key = WORDS.get(part, f"parts.{part}")
    if part == SCORE_SHEET and key not in texts.words:  # of a deck of one's own
        key = "scoring.title"
    return next((each.title for each in parts if each.name == part), texts(key) if key in texts.words else part)


def print_on(file: dict[str, Any], texts: Texts) -> str:
    """Paper, weight and sides of a file, as its making guide lists them."""
    sides = "both" if file["pages"] > file["sheets"] else "one"
    return DOT.join((texts(f"guide.files.{file['material']}"), texts(f"guide.files.{sides}")))


def list_paper(variant: SiteSet, texts: Texts) -> Iterator[str]:
    """Yield the sheets of each material."""
    for material in MATERIALS:
        if sheets := sum(file["sheets"] for file in variant.files if file["material"] == material):
            yield f"{sheets}{TIMES}{texts(f'guide.files.{material}')}"


def list_needs(variant: SiteSet, guide: Mapping[str, Sequence[Block]], texts: Texts) -> Iterator[str]:
    """Yield sheets of each material, and the tools of the guide besides a printer and paper, its first entry."""
    yield from list_paper(variant, texts)
    for listing in guide["tools"]:
        if isinstance(listing, Listing):
            for entry in listing.entries[1:]:
                line = entry.words if isinstance(entry, Entry) else entry
                words = "".join(span.words for span in line)
                yield words[:1].upper() + words[1:]


# --- Steps ---

UPPER_HALF, MIDDLE, CORNER = Rect(0, 0, 1, 0.5), Rect(0, 0.35, 1, 0.4), Rect(0, 0, 0.5, 0.25)
STEPS: Mapping[str, tuple[Callable[[GuideFile], bool], Rect]] = {
    "print": (lambda file: file.part == CALIBRATION, UPPER_HALF),
    "cut": (lambda file: file.is_cut_by_number, CORNER),
    "shapes": (lambda file: not file.is_ruled, MIDDLE),
    "folding": (lambda file: bool(file.folded), MIDDLE),
    "tiles": (lambda file: file.is_tiled, UPPER_HALF),
    "box": (lambda file: file.part == BOX, MIDDLE)}
"""Sections of the guide in its order, with the files of which the first is shown, and the area of its page."""


def list_steps(guide: Mapping[str, Sequence[Block]], facts: GuideFacts) -> Iterator[tuple[str, Markup, str, Rect]]:
    """Yield the steps that the sections of a guide describe: name, the words that it opens with, and the part whose
    first page its picture shows, if any, with the area of it.
    """
    for key, (is_shown, area) in STEPS.items():
        if guide[key]:
            part = next((file.part for file in facts.files if is_shown(file)), "")
            title, *blocks = guide[key]
            assert isinstance(title, Heading)
            yield title.words, WebPageWriter(str, str).write(_opening(key, blocks, facts)), part, area


def _opening(key: str, blocks: Sequence[Block], facts: GuideFacts) -> list[Block]:
    """The list of a section, or its first paragraph: on cutting also that on folding, and on folding all."""
    words = [each for block in blocks
             for each in ((*block.left, *block.right) if isinstance(block, Beside) else (block,))]
    paragraphs = [each for each in words if isinstance(each, Paragraph)]
    count = len(paragraphs) if key == "folding" else 1 + (key == "cut" and facts.request.backs is Backs.FOLD)
    return [each for each in words if isinstance(each, Listing)] or [*paragraphs[:count]]


# --- Pictures ---
# Pictures of a site: faces to leaf through, boards to zoom, pages of PDFs, and the scenes of its booklets, as WebP.

GALLERY_PICTURES = 24
ICON_HEIGHT_PX, FACE_HEIGHT_PX, BOARD_WIDTHS_PX = 64, 480, (2400, 1150)
SCENE_DPI = 96 * FIGURE_SCALE * 1.6
CORNER_MM, MIN_ROUNDED_MM = 2.5, 40.0  # corners of cards, and the least side of a piece that is taken for one
MAX_DESCRIPTION = 80  # characters of a piece's description in the name of its picture
FAN = 5  # faces in the fan at the head of a page
ShownPicture = dict[str, Any]  # a picture on a page: the names of its files, its own name, its size in pixels


@dataclass(slots=True)
class SitePictures:
    """The pictures of a site by their digests, so that none is stored twice; ``names`` of those drawn already."""

    fonts: FontBook
    files: dict[str, bytes] = field(default_factory=dict)
    names: dict[object, str] = field(default_factory=dict)

    def add(self, content: bytes) -> str:
        name = f"{hashlib.sha256(content).hexdigest()[:16]}.webp"
        self.files[f"pictures/{name}"] = content
        return name

    def faces(self, pictures: Sequence[FacePicture]) -> list[str]:
        """Draw faces; return their files."""
        missing = [*dict.fromkeys(each for each in pictures if each not in self.names)]
        drawn = faces_webp(missing, self.fonts.folder) if missing else ()
        self.names |= {picture: self.add(content) for picture, content in zip(missing, drawn, strict=True)}
        return [self.names[each] for each in pictures]

    def page(self, document: bytes, page: int, dpi: float, area: Rect | None = None, clear: bool = False) -> str:
        """Draw a page of a PDF, or an area of it; return its file."""
        key = document, page, dpi, area, clear
        if key not in self.names:
            parts = (area.x, area.y, area.width, area.height) if area else ()
            self.names[key] = self.add(cached_by("site-page", document, page, dpi, parts, clear,
                                                 make=lambda: page_webp(*key)))
        return self.names[key]

    def write_booklet(self, booklet: Booklet, renderer: FaceRenderer, fonts: FontBook) -> tuple[str, tuple[str, ...]]:
        """Write a booklet as HTML, with pictures of its scenes; also return its main headings. Raises InputError."""
        booklet, _ = fit_booklet(booklet, fonts)
        faces = {request: renderer.draw(request, 0, booklet.title) for request in booklet.requests()}
        figures = tuple(iter_figures(booklet.blocks))
        scenes: dict[int, str] = {}
        if figures:
            alone = replace(booklet, blocks=tuple(replace(figure, caption=()) for figure in figures))
            document = typeset(alone, faces, fonts, SCENE_DPI, scenes=True)
            scenes = {id(figure): self.page(document, number, SCENE_DPI, clear=True)
                      for number, figure in zip(range(len(page_sizes(document))), figures, strict=False)}

        def figure_source(figure: Figure) -> str:
            return f"../pictures/{scenes[id(figure)]}"

        def face_source(request: FaceRequest) -> str:
            return f"../pictures/{self.faces([_picture(faces[request], ICON_HEIGHT_PX)])[0]}"

        writer = WebPageWriter(figure_source, face_source)
        return writer.write(booklet.blocks), tuple(writer.sections)

    def gallery(self, parts: Sequence[Part], renderer: FaceRenderer) -> tuple[list[ShownPicture], list[ShownPicture]]:
        """Draw pieces evenly spread over the parts, and each board in two sizes. Raises InputError."""
        pieces = [part for part in parts if is_piece(part)]
        picked = [replace(part, components=_pick_evenly(part, len(pieces))) for part in pieces]
        pictures, boards = list[tuple[str, list[FacePicture]]](), list[tuple[str, list[FacePicture]]]()
        for drawn in draw_parts(picked, renderer, lambda part, side: 0.0, renderer.ink):
            titles = Counter(piece.title for piece in drawn.part.components)
            for piece in drawn.part.components:
                front, back = drawn.faces[piece.id, "front"], drawn.faces.get((piece.id, "back"))
                name = ": ".join(dict.fromkeys((drawn.part.title, piece.title or drawn.part.title)))
                if titles[piece.title] > 1 and piece.description:  # tells it from its like
                    name = f"{name} ({fit_width(piece.description, MAX_DESCRIPTION).rstrip()})"
                if drawn.part.layout.way is PrintWay.TILED:
                    sizes = [round(width * front.size.height / front.size.width) for width in BOARD_WIDTHS_PX]
                    boards.append((name, [_picture(front, height) for height in sizes]))
                    continue
                is_card = piece.shape.kind is ShapeKind.RECTANGLE and piece.size.portrait.width >= MIN_ROUNDED_MM
                corner = CORNER_MM if is_card else 0.0
                pictures.append((name, [_picture(face, FACE_HEIGHT_PX, corner)
                                        for face in dict.fromkeys(filter(None, (front, back)))]))
        self.faces([picture for _, shown in (*pictures, *boards) for picture in shown])  # all at once is faster
        return ([{"front": file, "back": "".join(behind), "name": name, "width": shown[0].width,
                  "height": FACE_HEIGHT_PX} for name, shown in pictures for file, *behind in [self.faces(shown)]],
                [{"large": large, "small": small, "name": name, "width": shown[1].width, "height": shown[1].height}
                 for name, shown in boards for large, small in [self.faces(shown)]])


def _picture(face: Face, height: int, corner: float = 0.0) -> FacePicture:
    """A picture of a face of this height in pixels, with corners of this radius in mm."""
    width = max(1, round(height * face.size.width / face.size.height))
    return FacePicture(face=face, width=width, height=height, dpi=height / face.size.height * INCH,
                       corner=corner / face.size.height * height)


def _pick_evenly(part: Part, parts: int) -> tuple[Component, ...]:
    """A few different pieces of a part, evenly spread over it."""
    different = [*{piece.front: piece for piece in reversed(part.components)}.values()][::-1]
    count = min(len(different), max(3, GALLERY_PICTURES * (2 if len(different) > 20 else 1) // (parts + 1)))
    return tuple(different[number * len(different) // count] for number in range(count))


# --- Pages ---
# Pages of a site: a front page and the pages of each game in each language, filled into the templates of ``site/``.

FACTS_FILE = "game.toml"  # players, age and minutes in the data folder of a game; a game need not have it
NO_BREAK = "\u00a0"
STEP_DPI, COVER_DPI = 100.0, 48.0


@dataclass(frozen=True, slots=True, kw_only=True)
class PageFrame:
    """Head and foot of all pages."""

    title: str  # if it is not that of the games
    licence: bool
    scorer: str  # address of the scorer page
    home: str  # address of ppgen's project
    links: Sequence[tuple[str, str]]  # to other games


def write_pages(games: Sequence[SiteGame], lang: str, pdfs: Mapping[str, bytes], pictures: SitePictures,
                frame: PageFrame, step: Callable[[str], None]) -> dict[str, bytes]:
    """Write the pages of a language, after each game a ``step``. Raises InputError."""
    pages = _PageSet(games, lang, pdfs, pictures, frame).write(step)
    return {f"{lang}/{name}": text.encode() for name, text in pages}


def _game_page(game: SiteGame, games: int) -> str:
    return f"{game.name}.html" if games > 1 else "index.html"


def _rules_page(game: SiteGame) -> str:
    return f"{game.name}-{RULES}.html"


def table_links(game: SiteGame, lang: str, games: int, scorer: str) -> list[tuple[str, str]]:
    """The words and addresses of links on the table of a game: to its page, its rules, and the page that scores it."""
    say = game.workshop.texts(lang)
    links = [(say("site.open_game"), f"../{lang}/{_game_page(game, games)}")]
    if game.variants[0].find(RULES) and not game.workshop.has_finished_rules(lang):
        links.append((say("site.read_rules"), f"../{lang}/{_rules_page(game)}"))
    if scorer:
        links.append((say("site.phone"), f"../{SCORE_PAGE}{scorer}#lang={lang}&game={game.workshop.game.id}"))
    return links


def write_entrance(games: Sequence[tuple[Workshop, BuildRequest]], langs: Sequence[str], backs: Sequence[Backs],
                   looks: Sequence[str], title: str) -> dict[str, bytes]:
    """Write the page that leads to those in the reader's language, and the style that shows the chosen files."""
    texts = {lang: next(workshop.texts(lang) for workshop, request in games if lang in request.langs) for lang in langs}
    names = [{"id": lang, "name": texts[lang]("language.name")} for lang in langs]
    site = title or _site_title([workshop for workshop, _ in games], texts[langs[0]])
    numbers = product(*(range(len(choices)) for choices in (games[0][1].papers, backs, looks)))
    rule = ("body:has(#p{0}:checked):has(#b{1}:checked):has(#i{2}:checked) .p{0}-b{1}-i{2} "
            "{{ display: var(--shown, block) }}\n")
    style = "".join(rule.format(*each) for each in numbers)
    return {"index.html": _render("index.html", {"languages": names, "site": site}).encode(),
            "look/choice.css": style.encode()}


def _render(template: str, values: Mapping[str, object]) -> str:
    return page_templates(shipped_root() / "templates" / "site").get_template(template).render(values) + "\n"


def _site_title(games: Sequence[object], texts: Texts) -> str:
    return texts("game.title") if len(games) == 1 else texts("scorer.title")


@dataclass(slots=True)
class _PageSet:
    """The pages of one language."""

    games: Sequence[SiteGame]
    lang: str
    pdfs: Mapping[str, bytes]
    pictures: SitePictures
    frame: PageFrame

    def write(self, step: Callable[[str], None]) -> Iterator[tuple[str, str]]:
        tiles = []
        for game in self.games:
            values, books = self._game(game)
            yield values["page"], _render("game.html", values)
            for page, book in books:
                yield page, _render("book.html", {**values, **book, "variants": (), "page": page})
            tiles.append({name: values[name] for name in ("title", "idea", "facts", "fan", "page")})
            step(game.workshop.game.id)
        if len(self.games) > 1:
            texts = self.games[0].workshop.texts(self.lang)
            common = self._common(self.games[0], texts)
            yield "index.html", _render("front.html", {
                **common, "page": "index.html", "title": common["site"], "description": texts("site.subtitle"),
                "games": tiles, "variants": ()})

    def _common(self, game: SiteGame, texts: Texts) -> dict[str, Any]:
        """The values of every page."""
        workshop = game.workshop
        return {"lang": self.lang, "say": texts, "version": __version__, "shipped": game.is_shipped,
                "scorer": self.frame.scorer, "licence": self.frame.licence, "home": self.frame.home,
                "links": [(title, address if "://" in address else f"../{address}")
                          for title, address in self.frame.links],
                "site": self.frame.title or _site_title(self.games, texts),
                "languages": [{"id": each, "name": workshop.texts(each)("language.name")} for each in game.langs],
                "credit": texts("site.credit") if game.is_shipped else
                texts("site.made_by", author=texts("game.author")) if texts("game.author") else ""}

    def _game(self, game: SiteGame) -> tuple[dict[str, Any], list[tuple[str, dict[str, Any]]]]:
        """The values of a game's page, and of the pages of its booklets."""
        workshop, texts = game.workshop, game.workshop.texts(self.lang)
        first = game.variants[0]
        page = _game_page(game, len(self.games))
        request, renderer = game.request, workshop.studio(texts, "full")
        parts = workshop.pieces(texts, request.card_size)
        faces, boards = self.pictures.gallery(parts, renderer)
        books, pages, idea = list[dict[str, Any]](), list[tuple[str, dict[str, Any]]](), ""
        for kind, ids, name, variant, booklet in self._booklets(game, texts):
            body, sections = self.pictures.write_booklet(
                booklet, renderer, workshop.fonts if kind == RULES else workshop.fonts.house)
            file = variant.find(kind, printed=False) or variant.find(kind)
            assert file
            pdf = self.pdfs[file["path"]]
            link = {"ids": ids, "page": name, "pdf": f"../{file['path']}", "size": self._size(len(pdf), texts)}
            pages.append((name, {
                "title": booklet.title, "heading": booklet.title, "body": body, "sections": sections, "back": page,
                "pdf": link["pdf"], "companion": kind == GUIDE, "game_title": texts("game.title")}))
            if not books or books[-1]["kind"] != kind:
                books.append({"kind": kind, "name": texts(WORDS[kind]), "links": [],
                              "picture": self.pictures.page(pdf, 0, COVER_DPI)})
            if ids is not None:
                books[-1]["links"].append(link)
            if kind == RULES and game.is_shipped:  # its first paragraph
                blocks = dropwhile(lambda block: not isinstance(block, Heading), booklet.blocks)
                words = (block.words for block in blocks if isinstance(block, Paragraph))
                idea = "".join(span.words for span in next(words, ()) if not span.shown)
        about = ""
        if workshop.game.deck and workshop.game.deck.about:
            booklet = workshop.game.deck.about(texts, parts, booklet_page(first.paper.size))
            about, _ = self.pictures.write_booklet(booklet, renderer, workshop.fonts)
        title = texts("game.title")
        kicker, _, heading = title.partition(" – ") if game.is_shipped else ("", "", "")
        fewest = min(variant.sheets for variant in game.variants)
        fan = (boards[:1] and [{"front": boards[0]["small"], "name": boards[0]["name"], "width": boards[0]["width"],
                                "height": boards[0]["height"]}]) or _fan(faces)
        needs, steps = zip(*(self._work(game, each, texts, parts) for each in game.variants), strict=True)
        values = {**self._common(game, texts), "page": page, "game": workshop.game.id, "title": title,
                  "table": f"../{game.table(self.lang)}",
                  "description": (idea or title)[:150],
                  "heading": heading or title, "idea": idea, "about": about, "fan": fan, "faces": faces,
                  "kicker": DOT.join((kicker, texts("site.fan"))) if heading else
                  texts("site.fan") if game.is_shipped else "",
                  "boards": boards, "facts": [*self._facts(game, texts), texts.count("site.from_sheets", fewest)],
                  "questions": self._questions(game, texts), "printer": self._printer(game, texts),
                  "variants": [self._variant(game, each, game.choice_class(each), texts, parts)
                               for each in game.variants],
                  "presets": [self._preset(game, each, texts) for each in game.presets],
                  "needs": group_choices(game, needs), "steps": group_choices(game, steps),
                  "books": books, "answers": self._answers(game, first, texts, parts)}
        return values, pages

    def _booklets(self, game: SiteGame, texts: Texts) -> Iterator[tuple[str, str | None, str, SiteSet, Booklet]]:
        """Yield the rules and each guide: kind, classes of its choice (None for a preset's), page, set, booklet."""
        first = game.variants[0]
        if (rules := rules_to_read(PrintRun(game.request, game.workshop, texts, first.paper))) and first.find(RULES):
            yield RULES, "", _rules_page(game), first, rules
        written = set[str]()
        for each in game.sets:
            if (page := game.guide_page(each)) and not (each.preset and page in written):
                written.add(page)
                guide = make_guide(texts, _guide_facts(each, texts))
                yield GUIDE, None if each.preset else game.choice_class(each), page, each, guide

    def _facts(self, game: SiteGame, texts: Texts) -> Iterator[str]:
        folder = game.workshop.assets.game(game.workshop.game.folder)
        if not (folder / FACTS_FILE).is_file():
            return
        problems = Problems()
        fields = read_toml(folder, FACTS_FILE, problems)
        least, most, minutes, age = (fields.take_int(name, 0, 999, 0) for name in (
            "least_players", "most_players", "minutes", "age"))
        fields.close()
        problems.raise_if_any()
        if most:
            yield texts("site.players", first=least, last=most)
        if minutes:
            yield texts("site.minutes", count=minutes)
        if age:
            yield texts("site.age", count=age)

    def _questions(self, game: SiteGame, texts: Texts) -> list[dict[str, Any]]:
        papers, backs, looks = game.choices()
        notes = {"low": texts("site.low_note") if game.is_shipped else "", LARGE_PRINT: texts("site.large-print_note")}
        ask = {True: texts("site.look"), False: texts("site.ink")}
        return [
            {"name": "paper", "ask": texts("site.paper"), "options": [
                {"id": f"p{n}", "value": each.name, "name": each.title,
                 "note": texts("site.letter_note") if each.name == "letter" else ""} for n, each in enumerate(papers)]},
            {"name": "backs", "ask": texts("site.backs"), "options": [
                {"id": f"b{n}", "value": each.value, "name": texts(f"site.{each.value}"),
                 "note": texts(f"site.{each.value}_note")} for n, each in enumerate(backs)]},
            {"name": "ink", "ask": ask[LARGE_PRINT in looks], "options": [
                {"id": f"i{n}", "value": each, "name": texts(f"site.{each}"), "note": notes.get(each, "")}
                for n, each in enumerate(looks)]}]

    @staticmethod
    def _printer(game: SiteGame, texts: Texts) -> dict[str, Any]:
        """The form for the readings of the printer test; those of backs only if the site has any to shift."""
        fields = [{"name": name, "label": texts(f"printer.{name}")} for name in (ACROSS, DOWN)]
        if Backs.DUPLEX in game.choices()[1]:
            fields += [{"name": name, "label": texts("printer.reading", scale=scale, axis=axis)}
                       for name, (scale, axis) in READINGS.items()]
        return {"fields": fields, "plans": game.correction_plans(texts.lang), "slope": DRIFT_DEGREES_PER_MM,
                "reach": MAX_READING_MM, "most": f"{MAX_RULER_ERROR_MM:g}", "drift": LARGEST_DRIFT}

    def _preset(self, game: SiteGame, preset: SitePreset, texts: Texts) -> dict[str, Any]:
        """A whole download on each paper, with the figures of the first."""
        first, *_ = sets = game.preset_sets(preset.name)
        parts = first.workshop.pieces(texts, first.request.card_size)
        title, about = f"site.preset_{preset.name}", f"preset.{preset.name}"
        return {"name": texts(title) if title in texts.words else preset.name,
                "about": texts(about) if about in texts.words else preset.description,
                "sheets": [*list_paper(first, texts)],
                "figures": texts("site.preset_figures", sheets=texts.count("site.sheets", first.sheets),
                                 cuts=texts.count("site.cuts", first.cuts), minutes=first.minutes,
                                 ml=texts.number(first.ink_ml, 1), grams=first.grams),
                "variants": [{**self._variant(game, each, f"{preset.name}-{each.paper.name}", texts, parts),
                              "paper": each.paper.title} for each in sets]}

    def _variant(self, game: SiteGame, variant: SiteSet, name: str, texts: Texts,
                 parts: Sequence[Part]) -> dict[str, Any]:
        size = sum(len(self.pdfs[path]) for path in variant.paths)
        return {"id": name, "total": texts.count("site.sheets", variant.sheets),
                "cuts": texts.count("site.cuts", variant.cuts),
                "name": f"{game.stem(variant, variant.lang)}.zip", "make": game.guide_page(variant),
                "inside": " ".join(PurePosixPath(path).name for path in variant.paths),
                "note": texts.count("site.zip", len(variant.files), size=self._size(size, texts)),
                "files": [{"href": f"../{file['path']}",
                           "title": texts.join(part_title(part, parts, texts) for part in parts_of(file)),
                           "print_on": print_on(file, texts), "sheets": file["sheets"],
                           "size": self._size(len(self.pdfs[file["path"]]), texts)} for file in variant.printed]}

    def _work(self, game: SiteGame, variant: SiteSet, texts: Texts,
              parts: Sequence[Part]) -> tuple[list[str], list[dict[str, str]]]:
        """The needs of a variant, and its steps with pictures of the first variant that has these backs."""
        facts = _guide_facts(variant, texts)
        guide = guide_sections(texts, facts)
        needs = [*list_needs(variant, guide, texts)]
        size = game.request.card_size
        if sleeve := sleeve_for(game.workshop.assets, size) if _has_cards(parts, size) else None:
            needs.append(texts("site.need_sleeves", sleeve=_sleeve_words(sleeve, texts)))
        shown = next(each for each in game.variants if each.request.backs is variant.request.backs)
        steps = []
        for name, text, part, area in list_steps(guide, facts):
            file = shown.find(part) or variant.find(part)
            picture = self.pictures.page(self.pdfs[file["path"]], 0, STEP_DPI * 0.5 / area.width, area) if file else ""
            steps.append({"name": name, "text": text, "picture": picture})
        return needs, steps

    def _answers(self, game: SiteGame, first: SiteSet, texts: Texts, parts: Sequence[Part]) -> list[tuple[str, str]]:
        sleeve = sleeve_for(game.workshop.assets, game.request.card_size)
        copies = {part.name: sum(piece.copies for piece in part.components) for part in parts if is_piece(part)}
        names = dict.fromkeys(name for file in first.files for name in parts_of(file)
                              if name not in (CALIBRATION, GUIDE))
        inside = (part_title(name, parts, texts) if copies.get(name, 1) == 1 else
                  f"{copies[name]}{TIMES}{part_title(name, parts, texts)}" for name in names)
        answers = []
        if game.is_shipped:
            answers.append((texts("site.ask_ink"), texts("site.tell_ink")))
        if _has_cards(parts, game.request.card_size):
            size = str(game.request.card_size.size).replace(".", texts("language.decimal"))
            sizes = (size, _sleeve_words(sleeve, texts)) if sleeve else (size,)
            answers.append((texts("site.ask_size"), DOT.join(sizes)))
        answers += [(texts("site.ask_shop"), texts("site.tell_shop")), (texts("site.ask_contents"), DOT.join(inside))]
        if game.is_shipped:
            answers.append((texts("site.ask_share"), texts("site.tell_share")))
        return answers

    @staticmethod
    def _size(count: int, texts: Texts) -> str:
        return f"{texts.number(count / 1e6, 1)} MB" if count >= 1e6 else f"{max(1, round(count / 1e3))} kB"


def _guide_facts(site_set: SiteSet, texts: Texts) -> GuideFacts:
    printed = site_set.find(RULES)
    rules = booklet_guide_file(RULES, printed["sheets"], printed["pages"] > printed["sheets"],
                               texts) if printed else None
    return guide_facts_to_read(site_set.run, rules)


def _has_cards(parts: Sequence[Part], card_size: Format) -> bool:
    return has_cards((piece.size for part in parts for piece in part.components), card_size)


def _sleeve_words(sleeve: Sleeve, texts: Texts) -> str:
    return f"{sleeve.name} {sleeve.size}".replace(".", texts("language.decimal")).replace(" ", NO_BREAK)


def _fan(faces: Sequence[ShownPicture]) -> list[ShownPicture]:
    """A few faces, of different titles if there are enough."""
    titled = [*{face["name"].partition(" (")[0]: face for face in reversed(faces)}.values()][::-1]
    return [*{face["front"]: face for face in (*titled[:FAN], *faces)}.values()][:FAN]
