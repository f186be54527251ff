"""Cards, aids and pieces as they are printed: what the list promises, on every size of card, made in every way."""

from dataclasses import replace

import pytest

from ppgen.engine.colours import find_clashes
from ppgen.engine.component import Part
from ppgen.engine.drawing.svg_check import find_fine_details
from ppgen.engine.geometry import Format, Formats
from ppgen.games.board_game import PIECES
from ppgen.games.board_game.board import Board
from ppgen.games.board_game.components import MAKINGS
from ppgen.games.game_kind import NONE
from ppgen.printing.workshop import Workshop
from ppgen.review.set_check import SPEC

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


def test_pieces_fit_their_places(board: Board) -> None:
    for cloister, *_ in MAKINGS.values():
        if not cloister.net:
            assert max(cloister.size.width, cloister.size.height) < 2 * board.space_radius
    assert [*MAKINGS, NONE] == list(PIECES.values)
