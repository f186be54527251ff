"""Cards, aids and pieces as they are printed: what the list promises, on every size of card, made in every way."""

from dataclasses import replace

import pytest

from ppgen.assets import Assets
from ppgen.engine.colours import find_clashes
from ppgen.engine.component import Part, Stock
from ppgen.engine.drawing.svg_check import find_fine_details
from ppgen.engine.geometry import Format, Formats
from ppgen.games.board_game import PIECES
from ppgen.games.board_game.board import Board, Borders
from ppgen.games.board_game.components import MAKINGS
from ppgen.games.game_kind import NONE
from ppgen.printing.workshop import Workshop
from ppgen.review.set_check import SPEC
from tests.pdf_reading import texts_of

OURS = ("cards", "aid", "pieces")


def parts_of(board_set: Workshop, size: Format) -> dict[str, Part]:
    return {part.name: part for part in board_set.parts(board_set.texts("de"), size, SPEC, OURS).parts}


def test_the_set_is_what_the_list_promises(board_set: Workshop) -> None:
    promised = {str(entry["id"]): entry["copies"] for entry in board_set.game.describe() if entry["kind"] != "board"}
    for made in board_set.makings:
        if made.game.chosen == {PIECES.name: NONE}:
            continue
        parts = parts_of(made, board_set.game.card_size)
        printed = {piece.id: piece.copies for name in ("cards", "pieces") for piece in parts[name].components}
        assert printed == promised


@pytest.mark.parametrize(("name", "ink"), [("mini-us", "low"), ("square-70", "full")])
def test_cards_are_drawn_on_every_size_with_lines_that_print(board_set: Workshop, formats: Formats, name: str,
                                                             ink: str) -> None:
    """What does not fit raises; the tightest sizes are looked at in all languages elsewhere."""
    studio = replace(board_set.studio(board_set.texts("de"), ink), marked=True)
    parts = parts_of(board_set, Format(name, formats.sizes[name]))
    for piece in (*parts["cards"].components[:1], *parts["cards"].components[-1:], *parts["aid"].components[-2:]):
        for side, request in piece.faces():
            face = studio.draw(request, 2, f"{piece.id} {side} {name}")
            assert [fine for fine in find_fine_details(face)
                    if fine.kind == "stroke"] == [], f"{piece.id} {side} {name}"


def test_each_player_and_each_card_is_told_apart_by_colour_and_shape(board_set: Workshop) -> None:
    for group in board_set.game.swatches:
        assert len({swatch.cue for swatch in group}) == len(group)
        for pair in find_clashes(group):
            assert pair.is_distinguishable, pair
            assert pair.vision == "grey", pair  # colours alone do for everyone but grey printers


def test_a_card_shows_its_lands_as_the_board_has_them(board_set: Workshop, board: Board, borders: Borders) -> None:
    for piece, kind in zip(parts_of(board_set, board_set.game.card_size)["cards"].components, board.cards, strict=True):
        card = piece.front.values["card"]
        assert isinstance(card, dict)
        assert [land["id"] for land in card["lands"]] == list(kind.countries)
        for land in card["lands"]:
            outline = land["outline"]
            assert len(outline["spaces"]) == len(board.labels[land["id"]])
            assert all(0 < space.x < outline["w"] and 0 < space.y < outline["h"] for space in outline["spaces"])
            arcs = {arc if arc >= 0 else ~arc for arc in borders.lands[land["id"]]}
            beside = [other for other, ring in borders.lands.items()
                      if other != land["id"] and arcs & {arc if arc >= 0 else ~arc for arc in ring}]
            assert len(outline["around"]) >= len(beside)


def test_pieces_fit_their_places(board: Board) -> None:
    for cloister, *_ in MAKINGS.values():
        if not cloister.net:
            assert max(cloister.size.width, cloister.size.height) < 2 * board.space_radius
    assert [*MAKINGS, NONE] == list(PIECES.values)


@pytest.mark.slow
@pytest.mark.parametrize(("made", "file", "stock"), [
    ("houses", "pieces-a4-board-game.pdf", Stock.FOLDED),
    ("stickers", "pieces-a4-stickers-board-game.pdf", Stock.STICKER)])
def test_pieces_are_made_as_asked(desk, board_set: Workshop, made: str, file: str, stock: Stock) -> None:
    manifest = desk.built("--game", "board-game", "-l", "de", "--only", "pieces", "--pieces", made)
    assert [entry["path"].rpartition("/")[2] for entry in manifest["files"]] == [file]
    assert manifest.get("choices") == (None if made == PIECES.usual else {"pieces": made})
    chosen = Workshop.open(Assets.at(), game="board-game", choices={"pieces": made})
    assert parts_of(chosen, board_set.game.card_size)["pieces"].stock is stock


@pytest.mark.slow
def test_without_pieces_the_guide_tells_what_to_use(desk, monkeypatch) -> None:
    monkeypatch.setattr("ppgen.printing.set_booklets.has_words", lambda *_: False)  # rules, which take long to count
    words = ("--game", "board-game", "-l", "de", "--pieces", "none")
    assert "has no part 'pieces'" in desk.run("build", *words, "--only", "pieces", "--dry-run", code=2).stderr
    manifest = desk.built(*words, "--only", "guide")
    assert manifest["choices"] == {"pieces": "none"}
    guide = next(entry for entry in manifest["files"] if "screen" in entry["path"])
    text = " ".join(" ".join(texts_of((desk.folder / guide["path"]).read_bytes())).split())
    assert "Die druckst du nicht" in text and "Scheiben:" not in text
