"""Sheets of finished cards: pages of a PDF or pictures, whose grid is found and whose cards are cut out."""

from __future__ import annotations

from base64 import b64decode
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from ppgen.engine.geometry import Formats, Size, parse_length
from ppgen.errors import Problems, display_path, join_names
from ppgen.games.interface import SHEET_ENDINGS, ArtRequest
from ppgen.games.own_deck.art_folder import FinishedCard, FinishedFace
from ppgen.games.own_deck.card_grid import SURE, CardGrid, GivenGrid, find_grid
from ppgen.games.own_deck.new_art import find_picture_files
from ppgen.games.own_deck.new_deck import ONLY_PART
from ppgen.process.supervision import Options, Work, read_supervised
from ppgen.reading.card_sheets import are_alike, cut_page, draw_grid, measure_sheets, study_page
from ppgen.reading.file_limits import read_bytes
from ppgen.shipped import Phrase

USUAL_SIZES = ("poker", "standard", "tarot", "bridge", "mini-us", "game-crafter-mini", "mini-euro", "euro", "square-70")
"""Card sizes in the order in which they are guessed."""
MAX_SHEET_BYTES = 200_000_000
BACKS_ADVICE = {"pages": "every second page holds equal cards", "one": "the last page holds equal cards",
                "fold": "one half of each page holds equal cards"}


@dataclass(slots=True, kw_only=True)
class _Page:
    """A page of a file, with what was found on it, and its cards by row and column."""

    file: Path
    content: bytes = field(repr=False)
    number: int
    study: Mapping[str, Any] = field(default_factory=dict)
    cards: dict[tuple[int, int], _Cut] = field(default_factory=dict)


@dataclass(slots=True, eq=False)
class _Cut:
    """A card that was cut out, equal to those before it with the same ``like``."""

    given: Mapping[str, Any]
    like: _Cut | None = None

    @property
    def first(self) -> _Cut:
        return self.like or self


@dataclass(slots=True, kw_only=True)
class SheetReading:
    """What was found on sheets: cards, the grid as data, its picture, and whether it is sure."""

    cards: list[FinishedCard] = field(default_factory=list)
    found: dict[str, object] = field(default_factory=dict)
    picture: bytes = b""


def read_art_sheets(request: ArtRequest, size: Size | None, formats: Formats, notes: list[str],
                    problems: Problems) -> SheetReading:
    """Read the cards of sheets. Raises InputError; notes as a problem a grid that is not sure."""
    given = _read_given(request, size, problems)
    problems.raise_if_any()
    pages = [*_read_pages(request.source, problems)]
    problems.raise_if_any()
    reading = SheetReading()
    sizes = [formats.sizes[name].portrait for name in sort_sizes(formats)]
    groups: dict[tuple[int, ...], list[_Page]] = {}
    for page in pages:
        page.study = _ask(study_page, page)
        groups.setdefault((*map(round, page.study["sides"]), bool(page.study["dpi"])), []).append(page)
    for n, group in enumerate(groups.values(), 1):
        grid = find_grid([page.study for page in group], sizes, given)
        reading.found = reading.found or _describe(grid, group)
        notes.append(_explain(grid, group))
        reading.picture = reading.picture or b64decode(_ask(draw_grid, group[0], boxes=_boxes(grid) if grid else [],
                                                            turn=group[0].study["turn"],
                                                            scale=_scale(group[0], grid)))
        if grid is None or grid.confidence < SURE:
            what = "shows no grid of cards" if grid is None else f"may hold {_format(grid)}, by {grid.how}"
            problems.note(display_path(group[0].file), what, f"look at the picture, then add {_options(grid)}")
            continue
        if outside := _reach(grid, group[0]):
            problems.note("--grid", f"the cards end {outside:.1f} mm beyond the sheet", "make the numbers fit it")
            continue
        reading.cards += _cut_cards(group, grid, request, ONLY_PART if n == 1 else f"{ONLY_PART}-sheet-{n}", notes)
    return reading


def sort_sizes(formats: Formats) -> list[str]:
    """The names of the card sizes, the most usual ones first."""
    return sorted(formats.sizes, key=lambda name: [*USUAL_SIZES, name].index(name))


def _ask(reader: Work, page: _Page, **options: Any) -> Any:
    """Let a page be read behind the wall. Raises InputError."""
    place = display_path(page.file)
    order: Options = {"name": place, "number": page.number, **options}
    return read_supervised(reader, page.content, order, f"{place} page {page.number + 1}", Phrase("save_again"))


def _read_pages(source: Path, problems: Problems) -> Iterator[_Page]:
    files = sorted(find_picture_files(source, "--from", problems)) if source.is_dir() else [source]
    for file in files:
        if not file.name.lower().endswith(SHEET_ENDINGS):
            problems.note(display_path(file), "is not a sheet of cards", f"give {join_names(SHEET_ENDINGS)}")
            continue
        content = read_bytes(file, MAX_SHEET_BYTES, "make it smaller", Phrase("check_name"))
        with problems.collect_errors():
            count = len(read_supervised(measure_sheets, content, {"name": display_path(file)}, display_path(file),
                                         Phrase("save_again")))
            yield from (_Page(file=file, content=content, number=number) for number in range(count))


def _read_given(request: ArtRequest, size: Size | None, problems: Problems) -> GivenGrid:
    def length(option: str, words: str) -> float | None:
        try:
            return parse_length(words) if words else None
        except ValueError as error:
            problems.note(option, str(error), "write it like 2mm")
            return None

    columns, rows = 0, 0
    if request.grid:
        numbers = request.grid.lower().replace("×", "x").split("x")
        if len(numbers) == 2 and all(each.isascii() and each.isdigit() and 0 < int(each) <= 20 for each in numbers):
            columns, rows = map(int, numbers)
        else:
            problems.note("--grid", f"'{request.grid}' is not a grid", "write columns x rows, like 3x3")
    margins = [length("--margin", words) for words in request.margin.lower().replace("×", "x").split("x")]
    margin = (margins[0], margins[-1]) if margins[0] is not None and margins[-1] is not None else None
    return GivenGrid(columns=columns, rows=rows, size=size, gap=length("--gap", request.gap), margin=margin)


# What was found

def _boxes(grid: CardGrid) -> list[tuple[float, ...]]:
    return [grid.box(row, column) for row in range(grid.down.count) for column in range(grid.across.count)]


def _scale(page: _Page, grid: CardGrid | None) -> float:
    """Pixels per mm of a picture that says nothing of its scale, by the grid; else 0."""
    return page.study["sides"][0] / grid.across.end if grid and page.study["scale"] == 1 else 0.0


def _reach(grid: CardGrid, page: _Page) -> float:
    """By how many mm a grid reaches beyond its page."""
    if page.study["scale"] == 1:
        return 0.0
    width, height = page.study["sides"]
    reach = max(-grid.across.start, -grid.down.start, grid.across.end - width, grid.down.end - height)
    return reach if reach > 0.6 else 0.0


def _describe(grid: CardGrid | None, pages: Sequence[_Page]) -> dict[str, object]:
    """The grid as data, as ``--json`` prints it."""
    if grid is None:
        return {"grid": None, "confidence": 0.0}
    return {"grid": [grid.across.count, grid.down.count],
            "size_mm": [round(grid.across.length, 2), round(grid.down.length, 2)],
            "gap_mm": [round(grid.across.gap, 2), round(grid.down.gap, 2)],
            "turn_deg": pages[0].study["turn"], "confidence": round(grid.confidence, 2)}


def _format(grid: CardGrid) -> str:
    gaps = dict.fromkeys(f"{axis.gap:.3g}" for axis in (grid.across, grid.down) if axis.count > 1)
    return (f"{grid.across.count} x {grid.down.count} cards of {grid.across.length:.4g} x {grid.down.length:.4g} mm, "
            f"gap {' and '.join(gaps) or '0'} mm")


def _explain(grid: CardGrid | None, pages: Sequence[_Page]) -> str:
    turns = [page.study["turn"] for page in pages]
    turned = f", turned by {', '.join(f'{turn:g}°' for turn in dict.fromkeys(turns))}" if any(turns) else ""
    count = f"{len(pages)} pages" if len(pages) > 1 else "1 page"
    if grid is None:
        return f"{count}: no grid of cards found"
    return f"{count}: {_format(grid)}{turned}, by {grid.how}, {grid.confidence:.0%} sure"


def _options(grid: CardGrid | None) -> str:
    """The options that say a grid by hand."""
    if grid is None:
        return "--grid and --size, like --grid 3x3 --size poker; --gap and --margin, if they are needed"
    return (f"--grid {grid.across.count}x{grid.down.count} --size {grid.across.length:.4g}x{grid.down.length:.4g}mm "
            f"--gap {grid.across.gap:.3g}mm, with what is wrong corrected; --margin says where it begins")


# Cards

def _cut_cards(pages: Sequence[_Page], grid: CardGrid, request: ArtRequest, part: str, notes: list[str]
               ) -> Iterator[FinishedCard]:
    """Cut the cards out of the pages, and put fronts and backs together; equal ones become copies."""
    used = [page for page in pages if grid.how == "hand" or _has_cards(page, grid)]
    if others := [f"{page.number + 1}" for page in pages if page not in used]:
        notes.append(f"pages without such cards, left out: {join_names(others)}")
    known: list[_Cut] = []
    fold = _fold_axis(grid) if request.backs == "fold" else ""
    for page in used:
        places = [(row, column) for row in range(grid.down.count) for column in range(grid.across.count)]
        turned = [n for n, (row, _) in enumerate(places) if fold == "down" and 2 * row >= grid.down.count]
        cuts = _ask(cut_page, page, cards=[grid.box(*place) for place in places], turn=page.study["turn"],
                    is_vector=page.study["is_vector"], dpi=page.study["dpi"] or _scale(page, grid) * 25.4,
                    upside_down=turned)
        for place, cut in zip(places, cuts, strict=True):
            if not cut["is_blank"]:
                like = next((other for other in known if are_alike(other.given, cut)), None)
                page.cards[place] = _Cut(cut, like)
                known += [page.cards[place]] if like is None else []
    pairs = [*_pair(used, grid, request.backs, fold)]
    if not request.backs and (kind := _suspect_backs(used, grid)):
        notes.append(f"{BACKS_ADVICE[kind]}: if these are backs, add --backs {kind}")
    copies = Counter((front.first, back.first if back else None) for front, back in pairs)
    faces: dict[_Cut, FinishedFace] = {}

    def face(cut: _Cut, word: str) -> FinishedFace:
        if cut not in faces:
            number = sum(other.path.startswith(f"art/{part}-{word}-") for other in faces.values()) + 1
            faces[cut] = FinishedFace(path=f"art/{part}-{word}-{number:02}.{cut.given['kind']}",
                                      content=b64decode(cut.given["data"]), width=grid.across.length,
                                      height=grid.down.length, is_real=True)
        return faces[cut]

    for number, ((front, back), count) in enumerate(copies.items(), 1):
        yield FinishedCard(name=f"Card {number}", part=part, front=face(front, "front"),
                           back=face(back, "back") if back else None, copies=count)


def _has_cards(page: _Page, grid: CardGrid) -> bool:
    """Whether a page has cards in the grid, rather than words of rules or a title."""
    study = page.study
    if study["scale"] == 1 or not any(word in grid.how for word in ("marks", "shapes", "edges")):
        return True
    if "marks" in grid.how:
        pairs = ((study["marks"][0], grid.across), (study["marks"][1], grid.down))
        return any(sum(any(abs(mark - cut) < 0.5 for mark in marks) for cut in axis.cuts) >= 0.8 * len(axis.cuts)
                   for marks, axis in pairs)
    if "shapes" in grid.how:
        middles = [((cell[0] + cell[2]) / 2, (cell[1] + cell[3]) / 2) for cell in _boxes(grid)]
        least = grid.across.length * grid.down.length * 0.5
        return any(abs(left + right - 2 * x) < 3 and abs(top + bottom - 2 * y) < 3
                   for left, top, right, bottom in study["boxes"] if (right - left) * (bottom - top) > least
                   for x, y in middles)
    edges = [max(study["edges"][n][max(round(at * study["scale"]) - 4, 0):][:9], default=0)
             for n, axis in enumerate((grid.across, grid.down)) for at in (axis.start, axis.cuts[1])]
    return max(edges) > 0.15


def _fold_axis(grid: CardGrid) -> str:
    """The axis along which one half of a sheet is folded behind the other: "across" or "down"."""
    even = [name for name, axis in (("across", grid.across), ("down", grid.down)) if axis.count % 2 == 0]
    wide = [name for name in even if getattr(grid, name).count == 2]
    return next(iter(even if len(even) == 1 else wide or even), "")


def _pair(pages: Sequence[_Page], grid: CardGrid, backs: str, fold: str) -> Iterator[tuple[_Cut, _Cut | None]]:
    """Yield the fronts with their backs."""
    columns, rows = grid.across.count, grid.down.count
    if backs == "fold" and fold:
        for page in pages:
            for (row, column), cut in page.cards.items():
                behind = (rows - 1 - row, column) if fold == "down" else (row, columns - 1 - column)
                if behind > (row, column):
                    yield cut, page.cards.get(behind)
    elif backs == "pages":
        for front, reverse in zip(pages[::2], pages[1::2], strict=False):
            for (row, column), cut in front.cards.items():
                yield cut, reverse.cards.get((row, columns - 1 - column))
    elif backs == "one" and len(pages) > 1:
        back = next(iter(pages[-1].cards.values()), None)
        yield from ((cut, back) for page in pages[:-1] for cut in page.cards.values())
    else:
        yield from ((cut, None) for page in pages for cut in page.cards.values())


def _suspect_backs(pages: Sequence[_Page], grid: CardGrid) -> str:
    """The way of backs that equal cards may show: that is no more than a hint."""
    def equal(cuts: Sequence[_Cut]) -> bool:
        return len(cuts) > 1 and len({cut.first for cut in cuts}) == 1

    uniform = [equal([*page.cards.values()]) for page in pages]
    if len(pages) > 1 and len(pages) % 2 == 0 and all(uniform[1::2]) and not all(uniform[::2]):
        return "pages"
    if len(pages) > 1 and uniform[-1] and not any(uniform[:-1]):
        return "one"
    fold = _fold_axis(grid)
    halves = [[[cut for place, cut in page.cards.items() if (2 * place[fold == "across"] >= getattr(grid, fold).count)
                == is_back] for is_back in (False, True)] for page in pages] if fold else []
    return "fold" if halves and all(equal(back) and not equal(front) for front, back in halves) else ""
