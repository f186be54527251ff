"""Sets of a game on a site, and what its page shows for each choice of paper, backs and look."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any, TypeVar

from ppgen.engine.component import Part
from ppgen.engine.geometry import Format, Rect
from ppgen.engine.imposition.sheets import Backs
from ppgen.production.materials import MATERIALS, weigh
from ppgen.production.request import BOX, CALIBRATION, GUIDE, INKS, WORDS, BuildRequest
from ppgen.production.workshop import Workshop
from ppgen.reading.texts import Texts

T = TypeVar("T")
MINUTES_PER_CUT = 0.5
"""A first guess: docs/cost.md."""
ML_PER_SOLID_PAGE, SOLID_PAGE_MM2 = 0.5, 62_370
"""Ink on an A4 page that is covered from edge to edge: docs/cost.md."""
LARGE_PRINT = "large-print"
"""The look of a set in large print; other looks are inks."""


def with_look(request: BuildRequest, look: str) -> BuildRequest:
    """Return the request of a set in that look."""
    large = look == LARGE_PRINT
    return replace(request, ink=INKS[0] if large else look, large_print=large)


def look_of(request: BuildRequest) -> str:
    return LARGE_PRINT if request.large_print else request.ink


@dataclass(frozen=True, slots=True, kw_only=True)
class SiteSet:
    """The files of a set in one language on one paper, to choose by paper, backs and look, or of a ``preset``.

    ``files`` are entries of its manifest.
    """

    workshop: Workshop
    request: BuildRequest
    paper: Format
    preset: str
    files: tuple[dict[str, Any], ...]

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
        areas = (side.get("ink_percent", 0) / 100 * sum(placed["width_mm"] * placed["height_mm"]
                                                        for placed in side["placements"])
                 for file in self.files for side in file["sides"])
        return float(sum(areas)) / SOLID_PAGE_MM2 * ML_PER_SOLID_PAGE

    @property
    def tiled(self) -> list[dict[str, Any]]:
        """The files of boards in tiles."""
        return [file for file in self.files if any("tile" in placed for side in file["sides"]
                                                   for placed in side["placements"])]

    def made_of(self, material: str) -> list[dict[str, Any]]:
        """The files that are printed on a material."""
        return [file for file in self.files if file["sheets"] and file["material"] == material]

    def find(self, part: str, printed: bool = True) -> dict[str, Any] | None:
        """The file of a part; of a booklet the one that is ``printed``, or the one for the screen."""
        return next((file for file in self.files if file["part"] == part and bool(file["sheets"]) == printed), None)


@dataclass(frozen=True, slots=True, kw_only=True)
class SitePreset:
    """A whole set to download, beside the free choice: options of ``ppgen build`` under one name.

    ``description`` are its options, for a preset without words of its own.
    """

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


def group_choices(game: SiteGame, make: Callable[[SiteSet], T]) -> list[tuple[str, T]]:
    """Make a value for each variant. Equal values come once, each after the classes of all choices that show it."""
    groups: list[tuple[T, list[str]]] = []
    for variant in game.variants:
        value = make(variant)
        ids = next((ids for other, ids in groups if other == value), None)
        if ids is None:
            groups.append((value, ids := []))
        ids.append(game.choice_class(variant))
    return [(" ".join(ids), value) for value, ids in groups]


# Files and materials, in the words of the making guide

def file_title(file: dict[str, Any], parts: Sequence[Part], texts: Texts) -> str:
    """The titles of a file's parts."""
    return ", ".join(part_title(part, parts, texts) for part in parts_of(file))


def parts_of(file: dict[str, Any]) -> list[str]:
    """The names of the parts that share a file's sheets."""
    return list(file.get("parts", [file["part"]]))


def part_title(part: str, parts: Sequence[Part], texts: Texts) -> str:
    """The title of a part, which may be a page or a booklet."""
    key = WORDS.get(part, f"parts.{part}")
    return next((each.title for each in parts if each.name == part), texts(key) if key in texts.words else part)


def print_on(file: dict[str, Any], texts: Texts) -> str:
    """Paper, weight and sides of a file, as its making guide lists them."""
    sides = "both" if file["pages"] > file["sheets"] else "one"
    return " · ".join((texts(f"guide.files.{file['material']}"), texts(f"guide.files.{sides}")))


def list_needs(variant: SiteSet, texts: Texts) -> Iterator[str]:
    """Yield sheets of each material, and tools."""
    for material in MATERIALS:
        if sheets := sum(file["sheets"] for file in variant.made_of(material)):
            yield f"{sheets} × {texts(f'guide.files.{material}')}"
    yield texts("site.need_knife")
    yield texts("site.need_glue")
    if variant.made_of("board"):
        yield _open_sentence(texts("guide.tools.board"))
    if variant.tiled:
        yield _open_sentence(texts("guide.tools.plan"))


def _open_sentence(words: str) -> str:
    return words[:1].upper() + words[1:]


# Steps

UPPER_HALF, LOWER_HALF, MIDDLE = Rect(0, 0, 1, 0.5), Rect(0, 0.5, 1, 0.5), Rect(0, 0.35, 1, 0.4)
CORNER, BELOW_CORNER = Rect(0, 0, 0.5, 0.25), Rect(0, 0.1, 0.5, 0.25)


@dataclass(frozen=True, slots=True, kw_only=True)
class Step:
    """A step with the part whose first page its picture shows, and the area of it."""

    name: str
    text: str
    part: str
    area: Rect


def list_steps(variant: SiteSet, parts: Sequence[Part], texts: Texts) -> Iterator[Step]:
    """Yield the steps of this set: those whose parts it has, in the order of work."""

    def step(key: str, text: str, file: dict[str, Any], area: Rect, **values: object) -> Step:
        return Step(name=texts(f"site.step_{key}"), text=texts(f"site.step_{text}", **values), part=file["part"],
                    area=area)

    def titles(files: Sequence[dict[str, Any]]) -> str:
        return " · ".join(file_title(file, parts, texts) for file in files)

    cards = [*variant.made_of("card"), *variant.made_of("card_fold")]
    mounted = [file for file in variant.made_of("board") if file not in variant.tiled]
    cut = cards or mounted or variant.made_of("folded") or variant.printed
    if test := variant.find(CALIBRATION):
        yield step("test", "test_text", test, UPPER_HALF)
        yield step("measure", "measure_both" if variant.backs is Backs.DUPLEX else "measure_one", test, LOWER_HALF)
    yield step("print", "print_text", cut[0], UPPER_HALF)
    if variant.tiled:
        yield step("board", "board_text", variant.tiled[0], UPPER_HALF,
                   count=sum(file["sheets"] for file in variant.tiled))
    if variant.made_of("card_fold"):
        yield step("fold", "fold_text", cards[0], UPPER_HALF)
    if mounted:
        yield step("mount", "mount_text", mounted[0], MIDDLE, parts=titles(mounted))
    yield step("cut", "cut_text", cut[0], CORNER)
    if folded := variant.made_of("folded"):
        yield step("pieces", "pieces_text", folded[0], BELOW_CORNER, parts=titles(folded))
    if box := variant.find(BOX):
        yield step("box", "box_text", box, MIDDLE)
