"""Sets of a game on a site, and what its page shows for each choice of paper, backs and look."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from math import fsum
from typing import Any, TypeVar

from markupsafe import Markup

from ppgen.engine.booklets.booklet import Beside, Block, Entry, Heading, Listing, Paragraph, WebPageWriter
from ppgen.engine.component import Part
from ppgen.engine.geometry import Format, Rect
from ppgen.engine.imposition.sheets import Backs
from ppgen.games.interface import SCORE_SHEET
from ppgen.printing.manifest import MATERIALS, weigh
from ppgen.printing.request import BOX, CALIBRATION, GUIDE, INKS, WORDS, BuildRequest
from ppgen.printing.set_booklets import GuideFacts, GuideFile
from ppgen.printing.workshop import Workshop
from ppgen.reading.texts import Texts

T = TypeVar("T")
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
    def backs(self) -> Backs:
        return self.request.backs

    @property
    def look(self) -> str:
        """An ink, or large print."""
        return look_of(self.request)

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

    def made_of(self, material: str) -> list[dict[str, Any]]:
        """The files that are printed on a material."""
        return [file for file in self.files if file["sheets"] and file["material"] == material]

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
        return "-".join((self.name, word, variant.paper.name, variant.backs.value, variant.preset or variant.look))

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
                list(dict.fromkeys(each.backs for each in self.variants)),
                list(dict.fromkeys(each.look for each in self.variants)))

    def choice_class(self, variant: SiteSet) -> str:
        """The class of elements that the page shows for this choice; its numbers are those of the options' ids."""
        papers, backs, looks = self.choices()
        return f"p{papers.index(variant.paper)}-b{backs.index(variant.backs)}-i{looks.index(variant.look)}"


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

def file_title(file: dict[str, Any], parts: Sequence[Part], texts: Texts) -> str:
    """The titles of a file's parts."""
    return ", ".join(part_title(part, parts, texts) for part in parts_of(file))


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
    return " · ".join((texts(f"guide.files.{file['material']}"), texts(f"guide.files.{sides}")))


def list_needs(variant: SiteSet, guide: Mapping[str, Sequence[Block]], texts: Texts) -> Iterator[str]:
    """Yield sheets of each material, and the tools of the guide besides a printer and paper, its first entry."""
    for material in MATERIALS:
        if sheets := sum(file["sheets"] for file in variant.made_of(material)):
            yield f"{sheets} × {texts(f'guide.files.{material}')}"
    for listing in guide["tools"]:
        if isinstance(listing, Listing):
            for entry in listing.entries[1:]:
                line = entry.words if isinstance(entry, Entry) else entry
                words = "".join(span.words for span in line)
                yield words[:1].upper() + words[1:]


# --- Steps ---

UPPER_HALF, MIDDLE = Rect(0, 0, 1, 0.5), Rect(0, 0.35, 1, 0.4)
CORNER, BELOW_CORNER = Rect(0, 0, 0.5, 0.25), Rect(0, 0.1, 0.5, 0.25)
STEPS: Mapping[str, tuple[Callable[[GuideFile], bool], Rect]] = {
    "print": (lambda file: file.part == CALIBRATION, UPPER_HALF),
    "cut": (lambda file: file.is_cut_by_number, CORNER),
    "shapes": (lambda file: not file.is_ruled, MIDDLE),
    "folding": (lambda file: bool(file.folded), BELOW_CORNER),
    "tiles": (lambda file: file.is_tiled, UPPER_HALF),
    "box": (lambda file: file.part == BOX, MIDDLE)}
"""Sections of the guide in its order, with the files of which the first is shown, and the area of its page."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Step:
    """A step with the part whose first page its picture shows, if any, and the area of it."""

    name: str
    text: Markup
    part: str
    area: Rect


def list_steps(guide: Mapping[str, Sequence[Block]], facts: GuideFacts) -> Iterator[Step]:
    """Yield the steps that the sections of a guide describe, each in the words that it opens with."""
    for key, (is_shown, area) in STEPS.items():
        if guide[key]:
            part = next((file.part for file in facts.files if is_shown(file)), "")
            title, *blocks = guide[key]
            assert isinstance(title, Heading)
            yield Step(name=title.words, text=WebPageWriter(str, str).write(_opening(key, blocks, facts)),
                       part=part, area=area)


def _opening(key: str, blocks: Sequence[Block], facts: GuideFacts) -> list[Block]:
    """The list of a section, or its first paragraph: on cutting also that on folding, and on folding all."""
    words = [each for block in blocks
             for each in ((*block.left, *block.right) if isinstance(block, Beside) else (block,))]
    paragraphs = [each for each in words if isinstance(each, Paragraph)]
    count = len(paragraphs) if key == "folding" else 1 + (key == "cut" and facts.backs is Backs.FOLD)
    return [each for each in words if isinstance(each, Listing)] or [*paragraphs[:count]]
