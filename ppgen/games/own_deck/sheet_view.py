"""Sheets of finished cards as a page shows them, to lay the grid by hand."""

from __future__ import annotations

from base64 import b64decode
from pathlib import Path
from typing import Any

from ppgen.engine.geometry import read_formats
from ppgen.errors import InputError, Problem, display_path, join_names
from ppgen.games.interface import SHEET_ENDINGS, SheetView
from ppgen.games.own_deck.art_sheets import MAX_SHEET_BYTES, sort_sizes
from ppgen.games.own_deck.card_grid import SURE, CardGrid, GivenGrid, find_grids
from ppgen.process.supervision import Work, read_supervised
from ppgen.reading.card_sheets import draw_grid, study_page
from ppgen.reading.file_limits import read_bytes
from ppgen.shipped import Phrase, shipped_root

MAX_STUDIED_PAGES = 8


def view_sheets(file: Path) -> SheetView:
    """Find the grid of the first pages of a file, and draw the first of them that has cards. Raises InputError."""
    place = display_path(file)
    if not file.name.lower().endswith(SHEET_ENDINGS):
        raise InputError([Problem(place=place, what="is not a sheet of cards",
                                  remedy=f"give {join_names(SHEET_ENDINGS)}")])
    content = read_bytes(file, MAX_SHEET_BYTES, "make it smaller", Phrase("check_name"))

    def ask(reader: Work, number: int, **options: Any) -> Any:
        return read_supervised(reader, content, {"name": place, "number": number, **options},
                               f"{place} page {number + 1}", Phrase("save_again"))

    first = ask(study_page, 0)
    others = (ask(study_page, number) for number in range(1, min(first["pages"], MAX_STUDIED_PAGES)))
    pages = {0: first, **{number: page for number, page in enumerate(others, 1)
                          if [*map(round, page["sides"])] == [*map(round, first["sides"])]}}
    formats = read_formats(shipped_root() / "data")
    sizes = {name: formats.sizes[name].portrait for name in sort_sizes(formats)}
    grids = find_grids([*pages.values()], [*sizes.values()], GivenGrid())
    number = next((number for number, page in pages.items() if grids and grids[0].is_on(page)), 0)
    return SheetView(
        picture=b64decode(ask(draw_grid, number, boxes=[], turn=pages[number]["turn"])),
        sides=first["sides"], has_scale=first["scale"] != 1, grid=_describe(grids[0]) if grids else None,
        is_sure=bool(grids) and grids[0].confidence >= SURE,
        others=[box for grid in grids[1:] for box in grid.boxes.values()],
        sizes={name: (size.width, size.height) for name, size in sizes.items()})


def _describe(grid: CardGrid) -> dict[str, float]:
    across, down = grid.axes
    return {"columns": across.count, "rows": down.count, "width": across.length, "height": down.length,
            "gap": across.gap if across.count > 1 else down.gap, "gap_down": down.gap,
            "left": across.start, "top": down.start}
