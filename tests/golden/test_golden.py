"""The sheets as text: the cuts of a given paper and size must not move from one release to the next.

``pytest --update-golden`` writes the files anew; a change in one of them is a change for everybody who
has cut a set before, and belongs in the change log.
"""

import json

import pytest

from ppgen.assets import Assets
from ppgen.engine.geometry import Seams, Size
from ppgen.engine.imposition.impose import impose, impose_tiled
from ppgen.engine.imposition.sheets import Backs, Item, Marks, SheetSpec
from ppgen.errors import format_count
from ppgen.printing.workshop import Workshop


def shown(number):
    return f"{round(number, 3):g}"


def rect(found):
    return " ".join(shown(value).rjust(7) for value in (found.x, found.y, found.width, found.height))


def line(found):
    return f"{shown(found.start.x)},{shown(found.start.y)} – {shown(found.end.x)},{shown(found.end.y)}"


def side_as_text(side):
    rows = [f"  {placed.face:<5} {rect(placed.trim)}  turn {placed.turn:>3}  bleed "
            + " ".join(shown(length) for length in (placed.bleed.top, placed.bleed.right, placed.bleed.bottom,
                                                    placed.bleed.left))
            for placed in side.placements]
    return [f" {side.name}", *rows, *(f"  fold {line(fold)}" for fold in side.folds),
            *(f"  cut  {line(cut)}" for cut in side.cuts),
            *(f"  seam {line(seam)}" for seam in side.seams),
            *(f"  tile {placed.tile.name} {rect(placed.tile.window)}" for placed in side.placements if placed.tile),
            *(f"  {mark.kind} {' + '.join(rect(ink) for ink in mark.ink)}" for mark in side.registration)]


def sheet_as_text(sheet):
    return [f"  {shown(sheet.size.width)} × {shown(sheet.size.height)}",
            f"  label {rect(sheet.furniture.label)}", f"  foot  {rect(sheet.furniture.foot)}",
            *(f"  cross {shown(cross.x)},{shown(cross.y)}" for cross in sheet.furniture.crosses),
            *(row for side in sheet.sides for row in side_as_text(side))]


def as_text(imposition):
    """A table: the layout, and for each sheet where trims, bleeds, cuts and strips lie (mm, from the top left).

    Of sheets that are laid out alike only the first is written out.
    """
    layout = imposition.layout
    lines = [f"{layout.orientation}, {layout.columns} × {layout.rows}, "
             f"{'shared' if layout.shared_bleeds else 'own'} bleeds, margin {shown(layout.margin)}, {layout.cuts} cuts",
             f"{format_count(len(imposition.sheets), 'sheet')}; each place: side, x, y, width, height"]
    known = {}
    for number, sheet in enumerate(imposition.sheets, 1):
        rows = sheet_as_text(sheet)
        first = known.setdefault(tuple(rows), number)
        names = [placed.item for placed in sheet.sides[0].placements if placed.face == "front"]
        lines += ["", f"sheet {number}" + (f", laid out like sheet {first}" if first != number else ""),
                  f"  {' '.join(names)}"]
        lines += rows if first == number else []
    return "\n".join(lines) + "\n"


def cards(size):
    return [Item(id=f"card-{n}", size=size, edge="vellum") for n in range(1, 57)]


def tokens():
    """Two sizes on a sheet, as tablets and stones are."""
    return [Item(id=f"{kind}-{n}", size=size, edge="vellum") for kind, size, count in (
        ("tablet", Size(31.7, 38.1), 8), ("stone", Size(22, 22), 15)) for n in range(1, count + 1)]


@pytest.mark.parametrize("backs", ["duplex", "fold"])
@pytest.mark.parametrize("size", ["mini-euro", "standard"])
@pytest.mark.parametrize("paper", ["a4", "letter"])
def test_the_cuts_of_cards_have_not_moved(golden, formats, paper, size, backs):
    spec = SheetSpec(paper=formats.paper(paper), backs=Backs(backs))
    golden(f"cards-{paper}-{size}-{backs}.txt", as_text(impose(cards(formats.card_size(size).size), spec, "cards")))


@pytest.mark.parametrize("backs", ["duplex", "fold"])
@pytest.mark.parametrize("paper", ["a4", "letter"])
def test_the_cuts_of_mixed_sizes_have_not_moved(golden, formats, paper, backs):
    spec = SheetSpec(paper=formats.paper(paper), backs=Backs(backs))
    golden(f"tokens-{paper}-{backs}.txt", as_text(impose(tokens(), spec, "tokens")))


@pytest.mark.parametrize(("size", "backs"), [("mini-euro", "duplex"), ("mini-euro", "fold"), ("standard", "duplex")])
@pytest.mark.parametrize("paper", ["a4", "letter"])
def test_the_sheets_of_cutting_machines_have_not_moved(golden, formats, paper, size, backs):
    spec = SheetSpec(paper=formats.paper(paper), backs=Backs(backs), marks=Marks.SILHOUETTE)
    golden(f"cards-{paper}-{size}-{backs}-silhouette.txt",
           as_text(impose(cards(formats.card_size(size).size), spec, "cards")))


@pytest.mark.parametrize(("name", "edge", "seam", "papers"), [
    ("board", "", 240, ["a4", "letter"]), ("board-game", "vellum", 255, ["a4", "letter", "a3", "a2"])])
def test_the_tiles_of_a_board_have_not_moved(golden, formats, name, edge, seam, papers):
    board = Item(id="board", size=Size(510, 374), edge=edge, has_back=False, seams=Seams(x=(seam,), y=(187,)))
    for paper in papers:
        golden(f"{name}-{paper}.txt", as_text(impose_tiled([board], SheetSpec(paper=formats.paper(paper)), "board")))


def manifest_as_text(manifest):
    """The placements of cards, tablets and stones as the manifest has them."""
    lines = []
    for file in manifest["files"]:
        if file["part"] in ("cards", "tablets", "stones"):
            for side in file["sides"]:
                lines += ["", f"{file['path']} page {side['page']} {side['side']}"]
                lines += [f"  {placed['component']:<22} {placed['face']:<5}" + "".join(
                    shown(placed[key]).rjust(8) for key in ("x_mm", "y_mm", "width_mm", "height_mm", "turn"))
                    for placed in side["placements"]]
    return "\n".join(lines[1:]) + "\n"


@pytest.mark.parametrize("paper", ["a4", "letter"])
def test_the_shipped_set_has_not_moved(golden, desk, paper):
    done = desk.ppgen("build", "--lang", "de", "--paper", paper, "--only", "cards", "--only", "tokens",
                      "--dry-run", "--json")
    assert done.exit_code == 0, done.output
    golden(f"set-{paper}-duplex.txt", manifest_as_text(json.loads(done.stdout)[0]))


@pytest.mark.parametrize("game", ["card-game", "board-game"])
def test_the_pieces_of_a_game_have_not_changed(golden, game):
    workshop = Workshop.open(Assets.at(), game=game)
    texts, lines = workshop.texts("de"), []
    for made in workshop.game.makings:
        for part in made.parts(texts, workshop.game.card_size):
            lines.append(f"{part.name} {part.title} {part.stock} {part.layout} {part.variant}")
            for piece in part.components:
                lines.append(f"  {piece.id} {piece.title} × {piece.copies} {piece.colour} {piece.size} {piece.family}")
                lines += [f"    {piece.description}"] * bool(piece.description)
                lines += [f"    {side} {face.template} {face.key} {face.size} {face.shape.kind} {face.uncut} "
                          f"{face.small}" for side, face in piece.faces()]
    golden(f"pieces-{game}.txt", "\n".join(lines) + "\n")
