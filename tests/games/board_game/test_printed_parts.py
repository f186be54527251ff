"""Cards, aids and pieces as they are printed: what the list promises, on every size of card, made in every way."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from math import hypot

import pytest

from ppgen.assets import Assets
from ppgen.engine.component import Part, Stock
from ppgen.engine.drawing.fineness import too_fine
from ppgen.engine.formats import Format, Formats
from ppgen.engine.vision import likenesses
from ppgen.games.board_game import PIECES
from ppgen.games.board_game.board.model import Board, Borders
from ppgen.games.board_game.printing.pieces import MAKINGS
from ppgen.production.check import SPEC
from ppgen.production.workshop import Workshop

OURS = ("cards", "aid", "pieces")


@pytest.fixture(scope="module")
def workshop() -> Workshop:
    return Workshop.open(Assets.at(), game="board-game")


def parts_of(workshop: Workshop, size: Format) -> dict[str, Part]:
    return {part.name: part for part in workshop.parts(workshop.texts("de"), size, SPEC, OURS).parts}


def test_the_set_is_what_the_list_promises(workshop: Workshop) -> None:
    promised = {str(entry["id"]): entry["copies"] for entry in workshop.game.describe() if entry["kind"] != "board"}
    for made in workshop.makings:
        parts = parts_of(made, workshop.game.card_size)
        printed = {piece.id: piece.copies for name in ("cards", "pieces") for piece in parts[name].components}
        assert printed == promised


def test_there_is_an_aid_for_each_player_and_one_start_card(workshop: Workshop, board: Board) -> None:
    aids = parts_of(workshop, workshop.game.card_size)["aid"].components
    assert [piece.id for piece in aids] == [*(f"aid-{player.player}" for player in board.players), "start-player"]
    assert all(piece.back not in (None, piece.front) and piece.copies == 1 for piece in aids)


@pytest.mark.parametrize("ink", ["full", "low"])
@pytest.mark.parametrize("name", ["mini-us", "catan", "square-70"])
def test_cards_are_drawn_on_every_size_with_lines_that_print(workshop: Workshop, formats: Formats, name: str,
                                                                  ink: str) -> None:
    """What does not fit raises; the tightest sizes are looked at in all languages elsewhere."""
    studio = replace(workshop.studio(workshop.texts("de"), ink), marked=True)
    parts = parts_of(workshop, Format(name, formats.sizes[name]))
    for piece in (*parts["cards"].components[:1], *parts["cards"].components[-1:], *parts["aid"].components[-2:]):
        for side, request in piece.faces():
            face = studio.draw(request, 2, f"{piece.id} {side} {name}")
            assert [fine for fine in too_fine(face) if fine.kind == "stroke"] == [], f"{piece.id} {side} {name}"


def test_each_player_and_each_card_is_told_apart_by_colour_and_shape(workshop: Workshop) -> None:
    for group in workshop.game.swatches:
        assert len({swatch.cue for swatch in group}) == len(group)
        for pair in likenesses(group):
            assert pair.told_apart, pair
            assert pair.vision == "grey", pair  # colours alone do for everyone but grey printers


def test_a_card_shows_its_lands_as_the_board_has_them(workshop: Workshop, board: Board, borders: Borders) -> None:
    for piece, kind in zip(parts_of(workshop, workshop.game.card_size)["cards"].components, board.cards, strict=True):
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


@pytest.mark.parametrize(("name", "scenic"), [("mini-us", True), ("square-70", False)])
def test_a_card_has_a_scene_where_there_is_room(workshop: Workshop, formats: Formats, name: str, scenic: bool) -> None:
    """A country of one's own takes the looks of another."""
    studio = workshop.studio(workshop.texts("de"), "full")
    front = parts_of(workshop, Format(name, formats.sizes[name]))["cards"].components[0].front
    card = front.values["card"]
    assert isinstance(card, dict)
    lands = [{**land, "id": "atlantis"} for land in card["lands"]]
    for values in (front.values, {"card": {**card, "lands": lands}}):
        face = studio.draw(replace(front, values=values), 2, name)
        assert ("url(#haze)" in face.svg) is scenic
        assert all(f">{land['name']}<" in face.svg for land in lands)


def test_a_house_closes_and_its_tab_is_hidden() -> None:
    net = MAKINGS["houses"].cloister.net
    assert net
    base, roof, tab = (net.panels[name].height for name in ("base", "front", "tab"))
    assert roof > base / 2 and tab < base
    assert hypot(net.panels["base"].width, base) < 14  # it stands on a space


def test_pieces_fit_their_places(board: Board) -> None:
    for making in MAKINGS.values():
        if not making.cloister.net:
            assert max(making.cloister.size.width, making.cloister.size.height) < 2 * board.space_radius
    assert list(MAKINGS) == list(PIECES.values)


@pytest.mark.parametrize(("made", "file", "stock"), [
    ("houses", "pieces-a4-board-game.pdf", Stock.FOLDED), ("discs", "pieces-a4-discs-board-game.pdf", Stock.BOARD),
    ("stickers", "pieces-a4-stickers-board-game.pdf", Stock.STICKER)])
def test_pieces_are_made_as_asked(desk, workshop: Workshop, made: str, file: str, stock: Stock) -> None:
    done = desk.ppgen("build", "--game", "board-game", "-l", "de", "--only", "pieces", "--pieces", made, "--json", "-q")
    assert (done.exit_code, done.stderr) == (0, "")
    (manifest,) = json.loads(done.stdout)
    assert [entry["path"].rpartition("/")[2] for entry in manifest["files"]] == [file]
    assert manifest.get("choices") == (None if made == PIECES.usual else {"pieces": made})
    chosen = Workshop.open(Assets.at(), game="board-game", choices={"pieces": made})
    assert parts_of(chosen, workshop.game.card_size)["pieces"].stock is stock


def test_the_card_game_has_no_such_choice(desk) -> None:
    done = desk.ppgen("build", "--only", "cards", "--pieces", "discs")
    assert done.exit_code == 2
    assert "--pieces: card-game has no choice of pieces (leave the option out)" in done.stderr
    assert not desk.files()


def test_virtual_tables_get_discs_for_what_is_folded(desk) -> None:
    done = desk.ppgen("export", "tts", "--game", "board-game", "-l", "de", "--only", "cloister-1", "--json",
                      "--quiet")
    assert done.exit_code == 0, done.stderr
    (export,) = json.loads(done.stdout)
    shown = [entry for entry in export["files"] if entry["path"].endswith("front.png")]
    assert shown and all(entry["width_px"] == entry["height_px"] for entry in shown)


def test_the_box_tells_what_fits_into_it(workshop: Workshop) -> None:
    """Houses are folded and stay outside; discs lie in it in layers."""
    for made, inside in ((workshop.makings[0], "55 Länderkarten\n6 Spielhilfen\n"),
                         (workshop.makings[1], "55 Länderkarten\n6 Spielhilfen\n146 Spielsteine\n")):
        (box,) = made.parts(made.texts("de"), made.game.card_size, SPEC, ("box",)).parts
        face = made.studio(made.texts("de"), "full").draw(box.components[0].front, 0, "box")
        words = "\n".join(re.findall(r">([^<>]*\w[^<>]*)<", face.svg))
        assert inside in words + "\n"
