"""Albums: every piece is there, under its name."""

from __future__ import annotations

from shutil import copy, copytree

import pytest

from ppgen.assets import Assets
from ppgen.pages.open.album import Album, draw_album
from ppgen.printing.workshop import Workshop
from ppgen.review.printed_faces import face_digest

from .conftest import A4, page_request


@pytest.fixture(scope="module")
def album(workshop: Workshop) -> Album:
    """The German set."""
    return draw_album(workshop, page_request(parts=()), "de", A4, {})[0]


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
