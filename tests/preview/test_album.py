"""Albums and contact sheets: every piece is there, under its name, in proportion."""

from __future__ import annotations

import io
from dataclasses import replace
from itertools import combinations
from shutil import copy, copytree

import pytest
from PIL import Image

from ppgen.assets import Assets
from ppgen.engine.geometry import Rect
from ppgen.preview.album import Album, draw_album
from ppgen.preview.contact_sheet import MAX_WIDTH_PX, NOTE, TITLE_NOTE, contact_png, lay_out
from ppgen.preview.picture_renderer import PictureRenderer
from ppgen.production.set_build import build_set
from ppgen.production.workshop import Workshop

from .conftest import A4, preview_request


@pytest.fixture(scope="module")
def album(workshop: Workshop) -> Album:
    """The German set."""
    return draw_album(workshop, preview_request(parts=()), "de", A4, {})[0]


@pytest.fixture(scope="module")
def tokens(album: Album) -> Album:
    names = "tablets", "stones"
    return replace(album, sections=tuple(section for section in album.sections if section.name in names))


def test_every_component_has_a_front_of_its_name(album, workshop):
    pieces = {piece.id: piece for piece in album.pieces}
    assert {entry["id"] for entry in workshop.game.describe()} <= {*pieces}
    assert all(piece.front.name == piece.id for piece in pieces.values())


def test_a_back_that_pieces_share_is_one_picture_with_the_name_of_the_part(album):
    backs = {piece.back.name for piece in album.pieces if piece.id.startswith(("france", "denmark"))}
    assert backs == {"cards-back"}
    assert sum(shot.name.endswith("-back") for shot in album.shots) == 3  # cards, tablets, printer test


def test_a_back_like_its_front_is_no_picture_of_its_own(album):
    stones = [piece for piece in album.pieces if piece.id.startswith("claim-stone")]
    assert stones and all(piece.back is None for piece in stones)


def test_names_are_given_once(album):
    names = [shot.name for shot in album.shots]
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
    drawn, *_ = draw_album(bare, preview_request(parts=("cards",)), "de", A4, {})
    shots = {shot.name: shot for shot in drawn.shots}
    assert shots["france-1"].key == shots["france-2"].key != shots["saxony-1"].key


@pytest.mark.parametrize("of", ["album", "tokens"])
def test_the_contact_sheet_has_every_picture_in_its_place(of, request, fonts):
    album = request.getfixturevalue(of)
    sheet = lay_out(album, fonts)
    assert [placed.shot for placed in sheet.pictures] == [*album.shots]
    assert [label.words for label in sheet.headings] == [section.title for section in album.sections]
    room = Rect(0, 0, sheet.size.width, sheet.size.height)
    assert all(room.contains(placed.rect) for placed in sheet.pictures)
    assert not any(one.rect.overlaps(other.rect) for one, other in combinations(sheet.pictures, 2))
    for placed in sheet.pictures:
        scale = 0.5 if placed.shot.name.startswith(("score", "box", "calibration")) else 1
        assert (placed.rect.width, placed.rect.height) == pytest.approx(
            (placed.shot.size.width * scale, placed.shot.size.height * scale))


def test_names_stand_under_their_pictures_and_never_in_each_other(album, fonts):
    sheet = lay_out(album, fonts)
    boxes = []
    for placed in sheet.pictures:
        label = placed.label
        width = fonts.width(f"{label.words} {label.note}".strip(), "text", label.size)
        boxes.append(Rect(label.at.x - width / 2, label.at.y - label.size, width, label.size))
        assert label.at.y - label.size > placed.rect.bottom - 1e-6
        assert label.size >= 0.69 * sheet.type
    assert not any(one.overlaps(other, 0.1) for one, other in combinations(boxes, 2))
    assert not any(box.overlaps(placed.rect) for box in boxes for placed in sheet.pictures)


def test_title_and_headings_have_room_on_a_sheet_with_little_on_it(album, fonts):
    few = replace(album, sections=tuple(replace(section, pieces=section.pieces[:1]) for section in album.sections))
    sheet = lay_out(few, fonts)
    title = sheet.title
    width = fonts.width(title.words, "title", title.size) + fonts.width(title.note, "text", TITLE_NOTE * title.size)
    assert width < sheet.size.width - 2 * title.at.x
    boxes = [Rect(label.at.x, label.at.y, fonts.width(label.words, "title", label.size)
                  + fonts.width(label.note, "text", NOTE * label.size), label.size) for label in sheet.headings]
    assert not any(one.overlaps(other) for one, other in combinations(boxes, 2))
    assert all(box.right <= sheet.size.width - title.at.x + 1e-6 for box in boxes)


def test_copies_are_noted(tokens, fonts):
    notes = {placed.shot.name: placed.label.note for placed in lay_out(tokens, fonts).pictures}
    assert notes["claim-stone-1"] == "×3" and notes["law-minus-two"] == "×2" and not notes["tablets-back"]


def test_a_long_name_is_shortened(tokens, fonts):
    long = replace(tokens.shots[0], name="a-name-that-nobody-would-ever-give-to-a-tablet-or-would-they")
    section = tokens.sections[0]
    pieces = (replace(section.pieces[0], front=long), *section.pieces[1:])
    sheet = lay_out(replace(tokens, sections=(replace(section, pieces=pieces),)), fonts)
    assert sheet.pictures[0].label.words.endswith("…")


@pytest.mark.slow
@pytest.mark.parametrize("of", ["album", "tokens"])
def test_the_sheet_fits_a_screen_and_shows_each_picture(of, request, fonts):
    album = request.getfixturevalue(of)
    darkroom = PictureRenderer()
    content, size, dpi = contact_png(album, fonts, darkroom, 72)
    sheet = lay_out(album, fonts)
    with Image.open(io.BytesIO(content)) as picture:
        assert picture.width <= MAX_WIDTH_PX
        assert picture.width / picture.height == pytest.approx(size.width / size.height, 0.01)
        ground = picture.getpixel((2, 2))
        for placed in sheet.pictures:
            rect = placed.rect
            shown = picture.crop(tuple(
                round(length * dpi / 25.4) for length in (rect.x, rect.y, rect.right, rect.bottom)))
            with Image.open(io.BytesIO(darkroom.picture(placed.shot.key, max(72, dpi)))) as alone:
                one, other = (each.convert("RGB").resize((1, 1), Image.Resampling.BOX).getpixel((0, 0))
                              for each in (shown, alone))
            assert max(abs(a - b) for a, b in zip(one, other, strict=True)) < 6, placed.shot.name
        assert ground == picture.getpixel((picture.width - 3, picture.height - 3))


def test_the_progress_of_a_build_is_counted_in_parts(workshop):
    steps: list[tuple[str, int, int]] = []
    build_set(preview_request().build, workshop, lambda *step: steps.append(step))
    titles, done, totals = zip(*steps, strict=True)
    assert len({*titles}) == len(steps) == totals[0] and list(done) == list(range(len(steps))) and len({*totals}) == 1
