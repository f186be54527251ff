"""Sheets of finished cards: pages of a PDF or pictures, whose grid is found and whose cards are cut out."""

from __future__ import annotations

import re
from base64 import b64decode
from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from ppgen.engine.geometry import Formats, Size, parse_length
from ppgen.errors import Problems, display_path, join_names
from ppgen.games.interface import SHEET_ENDINGS, ArtRequest
from ppgen.games.own_deck.art_folder import FinishedCard, FinishedFace
from ppgen.games.own_deck.card_grid import SURE, CardGrid, GivenGrid, Page, find_grids
from ppgen.games.own_deck.new_art import find_picture_files
from ppgen.games.own_deck.new_deck import ONLY_PART
from ppgen.process.supervision import Work, read_supervised
from ppgen.reading.card_sheets import are_alike, cut_page, draw_grid, study_page
from ppgen.reading.file_limits import read_bytes
from ppgen.shipped import Phrase

USUAL_SIZES = ("poker", "standard", "tarot", "bridge", "mini-us", "game-crafter-mini", "mini-euro", "euro", "square-70")
"""Card sizes in the order in which they are guessed."""
MAX_SHEET_BYTES = 200_000_000
MAX_GIVEN = 30
"""The most columns or rows: sheets of A3 hold that many of the smallest pieces."""


@dataclass(slots=True, kw_only=True)
class StudiedPage:
    """A page of a file, with what was found on it, and its cards by row and column."""

    file: Path
    content: bytes = field(repr=False)
    number: int
    study: Page = field(default_factory=dict)
    cards: dict[tuple[int, int], _Cut] = field(default_factory=dict)

    def ask(self, reader: Work, **options: Any) -> Any:
        """Let the supervised child read the page. Raises InputError."""
        place = display_path(self.file)
        return read_supervised(reader, self.content, {"name": place, "number": self.number, **options},
                               f"{place} page {self.number + 1}", Phrase("save_again"))


@dataclass(slots=True, eq=False)
class _Cut:
    """A card that was cut out, once for all that are equal."""

    given: Mapping[str, Any]


def read_art_sheets(request: ArtRequest, size: Size | None, formats: Formats, notes: list[str], problems: Problems
                    ) -> tuple[list[FinishedCard], dict[str, object], bytes]:
    """Read the cards of sheets, the grid as data, and its picture. Raises InputError; notes as a problem a grid that
    is not sure.
    """
    given = _read_given(request, size, problems)
    problems.raise_if_any()
    groups: dict[tuple[int, ...], list[StudiedPage]] = {}
    for page in read_pages(request.source, problems):
        groups.setdefault((*map(round, page.study["sides"]), page.study["is_vector"]), []).append(page)
    problems.raise_if_any()
    cards: list[FinishedCard] = []
    described: dict[str, object] = {}
    picture = b""
    sizes = [formats.sizes[name].portrait for name in sort_sizes(formats)]
    for pages in groups.values():
        grids = find_grids([page.study for page in pages], sizes, given)
        described = described or _describe(grids, pages)
        found = [_explain(grid, pages) for grid in grids] or ["no grid of cards found"]
        notes += [f"{len(pages)} {'page' if len(pages) == 1 else 'pages'}: {each}" for each in found]
        picture = picture or b64decode(pages[0].ask(
            draw_grid, boxes=[box for grid in grids for box in grid.boxes.values()], turn=pages[0].study["turn"],
            scale=_scale(pages[0], grids[0]) if grids else 0.0))
        place = display_path(pages[0].file)
        if not grids:
            problems.note(place, "shows no grid of cards",
                          "say it: --grid and --size, like --grid 3x3 --size poker; --gap and --margin, if needed")
        for number, grid in enumerate(grids, 1 + len({card.part for card in cards})):
            if grid.confidence < SURE:
                problems.note(place, f"may hold {_format(grid)}, by {grid.how}",
                              f"look at the picture, then add --grid {grid.across.count}x{grid.down.count} --size "
                              f"{grid.across.length:.4g}x{grid.down.length:.4g}mm --gap {'x'.join(_gaps(grid))}mm, "
                              "with what is wrong corrected; --margin says where it begins")
            elif outside := _reach(grid, pages[0]):
                problems.note("--grid", f"the cards end {outside:.1f} mm beyond the sheet", "make the numbers fit it")
            else:
                cards += _cut_cards(pages, grid, request, f"{ONLY_PART}-sheet-{number}" if number > 1 else ONLY_PART,
                                    notes)
    if cards and not request.backs:
        notes.append("all are fronts: if some are backs, say where with --backs first, one, pages or fold")
    return cards, described, picture


def sort_sizes(formats: Formats) -> list[str]:
    """The names of the card sizes, the most usual ones first."""
    return sorted(formats.sizes, key=lambda name: [*USUAL_SIZES, name].index(name))


def read_pages(source: Path, problems: Problems) -> Iterator[StudiedPage]:
    """Study the pages of a file, or of those of a folder, one by one; notes as a problem what can't be read."""
    for file in sorted(find_picture_files(source, "--from", problems)) if source.is_dir() else [source]:
        if not file.name.lower().endswith(SHEET_ENDINGS):
            problems.note(display_path(file), "is not a sheet of cards", f"give {join_names(SHEET_ENDINGS)}")
            continue
        content = read_bytes(file, MAX_SHEET_BYTES, "make it smaller", Phrase("check_name"))
        with problems.collect_errors():
            number, count = 0, 1
            while number < count:
                page = StudiedPage(file=file, content=content, number=number)
                page.study = page.ask(study_page)
                number, count = number + 1, max(count, page.study["pages"])
                yield page


def _read_given(request: ArtRequest, size: Size | None, problems: Problems) -> GivenGrid:
    def two_lengths(option: str, words: str) -> tuple[float, float] | None:
        if not words:
            return None
        try:
            first, *more = (parse_length(word) for word in words.lower().replace("×", "x").split("x"))
            [second] = more or [first]
        except ValueError:
            problems.note(option, f"'{words}' is not a length", "write it like 2mm, or 2x3mm")
            return None
        return first, second

    counts = [int(number) for number in re.findall(r"\d+", request.grid, re.ASCII)]
    if request.grid and not re.fullmatch(r"\d{1,3} ?[x×] ?\d{1,3}", request.grid.lower(), re.ASCII):
        problems.note("--grid", f"'{request.grid}' is not a grid", "write columns x rows, like 3x3")
    elif counts and not 1 <= min(counts) <= max(counts) <= MAX_GIVEN:
        problems.note("--grid", f"'{request.grid}' is not on one sheet", f"1 to {MAX_GIVEN} columns and rows")
    columns, rows = counts if len(counts) == 2 else (0, 0)
    return GivenGrid(columns=columns, rows=rows, size=size, gaps=two_lengths("--gap", request.gap),
                     margin=two_lengths("--margin", request.margin))


# What was found

def _scale(page: StudiedPage, grid: CardGrid) -> float:
    """Pixels per mm of a picture that says nothing of its scale, by the grid; else 0."""
    return page.study["sides"][0] / grid.across.end if page.study["scale"] == 1 else 0.0


def _reach(grid: CardGrid, page: StudiedPage) -> float:
    """By how many mm a grid reaches beyond its page."""
    reach = max(max(-axis.start, axis.end - side) for axis, side in zip(grid.axes, page.study["sides"], strict=True))
    return reach if reach > 0.6 and page.study["scale"] != 1 else 0.0


def _describe(grids: Sequence[CardGrid], pages: Sequence[StudiedPage]) -> dict[str, object]:
    """The first grid as data, as ``--json`` prints it."""
    return next(({"grid": [*grid.counts], "size_mm": [round(axis.length, 2) for axis in grid.axes],
                  "gap_mm": [round(axis.gap, 2) for axis in grid.axes], "turn_deg": pages[0].study["turn"],
                  "confidence": round(grid.confidence, 2)} for grid in grids), {"grid": None, "confidence": 0.0})


def _format(grid: CardGrid) -> str:
    return (f"{grid.across.count} x {grid.down.count} cards of {grid.across.length:.4g} x {grid.down.length:.4g} mm, "
            f"gap {' and '.join(_gaps(grid))} mm")


def _gaps(grid: CardGrid) -> list[str]:
    """The gap, or those across and down."""
    return [*dict.fromkeys(f"{axis.gap:.3g}" for axis in grid.axes if axis.count > 1)] or ["0"]


def _explain(grid: CardGrid, pages: Sequence[StudiedPage]) -> str:
    turns = [page.study["turn"] for page in pages]
    turned = f", turned by {', '.join(f'{turn:g}°' for turn in dict.fromkeys(turns))}" if any(turns) else ""
    sure = "" if "given" in grid.how else f", {grid.confidence:.0%} sure"
    return f"{_format(grid)}{turned}, by {grid.how}{sure}"


# Cards

def _cut_cards(pages: Sequence[StudiedPage], grid: CardGrid, request: ArtRequest, part: str, notes: list[str]
               ) -> list[FinishedCard]:
    """Cut the cards out of the pages, and put fronts and backs together; equal ones become copies."""
    used = [page for page in pages if grid.is_on(page.study)]
    if others := [f"{page.number + 1}" for page in pages if page not in used]:
        notes.append(f"pages without such cards, left out: {join_names(others)}")
    if request.backs == "pages" and any(page.study["sides"][0] > page.study["sides"][1] for page in used):
        notes.append("sheets that lie across: their backs are taken as turned over the short edge; look at the pairs")
    known: list[_Cut] = []
    bleed = grid.find_bleed([page.study for page in used]) if used else 0.0
    boxes = [(left - bleed, top - bleed, right + bleed, bottom + bleed)
             for left, top, right, bottom in grid.boxes.values()]
    fold = _fold_axis(grid)
    is_folded_down = request.backs == "fold" and fold == 1
    turned = [n for n, (row, _) in enumerate(grid.boxes) if is_folded_down and 2 * row >= grid.down.count]
    for page in used:
        page.cards = {}
        cuts = page.ask(cut_page, cards=boxes, bleed=bleed, turn=page.study["turn"], upside_down=turned,
                        is_vector=page.study["is_vector"], scale=page.study["own_scale"] or _scale(page, grid))
        for place, found in zip(grid.boxes, cuts, strict=True):
            if not found["is_blank"]:
                cut = next((other for other in known if are_alike(other.given, found)), None) or _Cut(found)
                known += [] if cut in known else [cut]
                page.cards[place] = cut
    if not request.backs and (proposed := _propose_backs(used, grid)):
        notes.append(f"equal cards beside different ones seem to be their backs: if so, add --backs {proposed}")
    faces: dict[_Cut, FinishedFace] = {}
    copies = Counter(_pair(used, grid, request.backs, fold))
    for n, word in enumerate(("front", "back")):
        cuts = dict.fromkeys(pair[n] for pair in copies if pair[n] and pair[n] not in faces)
        for number, cut in enumerate(cuts, 1):
            faces[cut] = FinishedFace(path=f"art/{part}-{word}-{number:02}.{cut.given['kind']}",
                                      content=b64decode(cut.given["data"]), width=grid.across.length + 2 * bleed,
                                      height=grid.down.length + 2 * bleed, is_real=True, bleed=bleed,
                                      is_filled=cut.given.get("is_filled", False))
    return [FinishedCard(name=f"Card {number}", part=part, front=faces[front], back=faces[back] if back else None,
                         copies=count) for number, ((front, back), count) in enumerate(copies.items(), 1)]


def _fold_axis(grid: CardGrid) -> int | None:
    """The axis along which one half of a sheet is folded behind the other: 0 is across; None if none has halves."""
    even = [n for n, axis in enumerate(grid.axes) if axis.count % 2 == 0]
    return min(even, key=lambda n: grid.axes[n].count != 2, default=None)


def _pair(pages: Sequence[StudiedPage], grid: CardGrid, backs: str, fold: int | None
          ) -> Iterator[tuple[_Cut, _Cut | None]]:
    """Yield the fronts with their backs."""
    columns, rows = grid.across.count, grid.down.count
    if backs == "pages":
        for n, page in enumerate(pages[::2]):
            behind = pages[2 * n + 1].cards if 2 * n + 1 < len(pages) else {}
            yield from ((cut, behind.get((row, columns - 1 - column))) for (row, column), cut in page.cards.items())
    elif backs == "fold" and fold is not None:
        for page in pages:
            for (row, column), cut in page.cards.items():
                place = (rows - 1 - row, column) if fold else (row, columns - 1 - column)
                if place > (row, column):
                    yield cut, page.cards.get(place)
    else:
        last = -1 if backs == "one" else 0
        of_all = pages[last] if backs in ("one", "first") and len(pages) > 1 else None
        back = next(iter(of_all.cards.values()), None) if of_all else None
        yield from ((cut, back) for page in pages if page is not of_all for cut in page.cards.values())


def _propose_backs(pages: Sequence[StudiedPage], grid: CardGrid) -> str:
    """Where backs seem to be: on pages, or in halves of all pages, whose cards are equal while others differ."""
    def are_equal(cuts: Collection[_Cut]) -> bool:
        return len(cuts) > 1 == len({*map(id, cuts)})

    equal = [number for number, page in enumerate(pages) if are_equal(page.cards.values())]
    if (fold := _fold_axis(grid)) is not None and not equal:
        half = grid.axes[fold].count // 2
        halves = [[[cut for place, cut in page.cards.items() if (place[1 - fold] >= half) == is_later]
                   for page in pages] for is_later in (False, True)]
        return "fold" if sum(all(map(are_equal, each)) for each in halves) == 1 else ""
    if equal and len(equal) < len(pages):
        return ("one" if equal == [len(pages) - 1] else "first" if equal == [0] else
                "pages" if equal == [*range(1, len(pages), 2)] else "")
    return ""
