"""Albums: every piece is there, under its name."""

from __future__ import annotations

from shutil import copy, copytree

import pytest

from ppgen.assets import Assets
from ppgen.pages.open.album import Album, draw_album
from ppgen.printing.set_build import build_set
from ppgen.printing.workshop import Workshop
from ppgen.review.printed_faces import face_digest

from .conftest import A4, page_request


@pytest.fixture(scope="module")
def album(workshop: Workshop) -> Album:
    """The German set."""
    return draw_album(workshop, page_request(parts=()), "de", A4, {})[0]


def test_every_component_has_a_front_of_its_name(album, workshop):
    pieces = {piece.component.id: piece for piece in album.pieces}
    assert {entry["id"] for entry in workshop.game.describe()} <= {*pieces}
    assert all(piece.front.label == id for id, piece in pieces.items())


def test_a_back_that_pieces_share_is_one_picture_with_the_name_of_the_part(album):
    backs = {piece.back.label for piece in album.pieces if piece.component.id.startswith(("france", "denmark"))}
    assert backs == {"cards-back"}
    assert sum(named.label.endswith("-back") for named in album.faces) == 3  # cards, tablets, printer test


def test_a_back_like_its_front_is_no_picture_of_its_own(album):
    stones = [piece for piece in album.pieces if piece.component.id.startswith("claim-stone")]
    assert stones and all(piece.back is None for piece in stones)


def test_names_are_given_once(album):
    names = [named.label for named in album.faces]
    assert len(names) == len({*names})


def test_keys_are_given_to_what_looks_alike(tmp_path):
    """With a skin whose cards show nothing but a colour, as no two pictures of the shipped ones are the same."""
    templates = tmp_path / "templates"
    (templates / "skins" / "bare" / "card_game").mkdir(parents=True)
    (templates / "skins" / "bare" / "card_game" / "country-card.svg.j2").write_text(
        '<svg xmlns="http://www.w3.org/2000/svg" viewBox="{{ face.view_box }}">'
        '<rect width="{{ face.width }}" height="{{ face.height }}" fill="{{ card.colour }}"/></svg>')
    (templates / "card_game").mkdir()
    copy(Assets.at().templates / "card_game" / "card-back.svg.j2", templates / "card_game")
    copytree(Assets.at().templates / "card_game" / "art", templates / "card_game" / "art")
    bare = Workshop.open(Assets.at(None, templates), "bare")
    drawn, *_ = draw_album(bare, page_request(parts=("cards",)), "de", A4, {})
    keys = {named.label: face_digest(named.face) for named in drawn.faces}
    assert keys["france-1"] == keys["france-2"] != keys["saxony-1"]


def test_the_progress_of_a_build_is_counted_in_parts(workshop):
    steps: list[tuple[str, int, int]] = []
    build_set(page_request(), workshop, lambda *step: steps.append(step))
    titles, done, totals = zip(*steps, strict=True)
    # each part is drawn, then laid out
    assert 2 * len({*titles}) == len(steps) == totals[0] and len({*totals}) == 1
    assert list(done) == list(range(len(steps)))
