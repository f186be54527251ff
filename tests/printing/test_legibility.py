"""The cards of the shipped skins from across the table: their colour in low ink, and what must be made out."""

import io

import pytest
from PIL import Image, ImageChops, ImageColor

from ppgen.assets import Assets
from ppgen.engine.colours import Swatch, find_clashes
from ppgen.engine.geometry import INCH, Format, Size
from ppgen.engine.pdf.typesetting import faces_png
from ppgen.games.interface import SCORE_SHEET
from ppgen.printing.drawn_parts import parts_on_a4
from ppgen.printing.request import BuildRequest
from ppgen.printing.set_build import print_set
from ppgen.printing.workshop import PrintRun, Workshop

MICRO = Format("micro", Size(31.75, 44.45))
PPI = 96
"""At 60 cm and in fair light, anything finer than such a pixel merges with its surroundings."""
VISIBLE, MIN_COLOUR = 1 / 3, 0.04
"""Upper part of a card that stays visible under others, and the share of it that its colour must fill."""
TOLERANCE, OUTLIERS, REACH = 12, 0.06, 0.06
"""Of a colour's channels; share of a place's pixels ignored at both ends; what is around it, in parts of the card."""
MIN_CONTRAST = 25.0
"""CIEDE2000 distance between the darkest and the lightest colour there."""


def fronts(skin: str, ink: str):
    """A card of each country: the piece, its front, and that front as it is seen."""
    workshop = Workshop.open(Assets.at(None, None), skin)
    texts = workshop.texts("de")
    cards = next(part for part in parts_on_a4(workshop, texts, MICRO) if part.name == "cards")
    pieces = [*{piece.colour: piece for piece in cards.components}.values()]
    studio = workshop.studio(texts, ink)
    faces = [studio.draw(piece.front, 0, piece.id) for piece in pieces]
    for piece, face, png in zip(pieces, faces, faces_png(faces, workshop.fonts.folder, PPI), strict=True):
        yield piece, face, Image.open(io.BytesIO(png)).convert("RGB")


@pytest.mark.slow
@pytest.mark.parametrize("skin", ["", "plain"])
def test_a_card_shows_its_colour_in_low_ink_or_a_cue(skin):
    for piece, face, picture in fronts(skin, "low"):
        if "cue" in face.anchors:
            continue
        seen = picture.crop((0, 0, picture.width, round(picture.height * VISIBLE)))
        difference = ImageChops.difference(seen, Image.new("RGB", seen.size, ImageColor.getrgb(piece.colour)))
        red, green, blue = difference.split()
        largest = ImageChops.lighter(ImageChops.lighter(red, green), blue)
        assert sum(largest.histogram()[:TOLERANCE + 1]) >= MIN_COLOUR * seen.width * seen.height, piece.id


@pytest.mark.slow
@pytest.mark.parametrize("skin", ["", "plain"])
def test_what_must_be_seen_from_afar_is_clear_to_all_players_and_in_grey(skin):
    for piece, face, picture in fronts(skin, "full"):
        reach = REACH * min(face.size.width, face.size.height)
        places = {name: at for name, at in face.anchors.items() if name.startswith("seen-")}
        assert places
        for name, at in places.items():
            part = picture.crop([round((along + by) / INCH * PPI) for by in (-reach, reach) for along in (at.x, at.y)])
            pixels = sorted(zip(*(channel.tobytes() for channel in part.split()), strict=True),
                            key=lambda pixel: 299 * pixel[0] + 587 * pixel[1] + 114 * pixel[2])
            ignored = round(len(pixels) * OUTLIERS)
            ends = ["#{:02X}{:02X}{:02X}".format(*pixels[n]) for n in (ignored, -1 - ignored)]
            assert not [*find_clashes([Swatch(name=name, colour=colour, cue="") for colour in ends], MIN_CONTRAST)], (
                piece.id, name)


@pytest.mark.parametrize(("paper", "pages", "warned"), [("a5", 2, True), ("a5", 1, False), ("a4", 2, False)])
def test_pages_side_by_side_warn_of_type_under_5_points(paper, pages, warned):
    size = {"a4": Size(210, 297), "a5": Size(148, 210)}[paper]
    workshop = Workshop.open(Assets.at())
    request = BuildRequest(langs=("ja",), papers=(Format(paper, size),), parts=(SCORE_SHEET,), sheets_per_page=pages)
    printed = print_set(PrintRun(request, workshop, workshop.texts("ja"), request.papers[0]))
    assert [(problem.place, problem.key) for problem in printed.warnings] == (
        [("--sheets-per-page", SCORE_SHEET)] if warned else [])
