"""The shipped skins print as well, and as small, as the shipped cards: vellum, and woodcuts in three colours."""

import io
import re
from dataclasses import replace
from functools import cache
from itertools import product
from xml.etree import ElementTree

import pytest
from PIL import Image, ImageChops, ImageFilter

from ppgen.assets import Assets
from ppgen.engine.colours import contrast
from ppgen.engine.drawing.svg_check import find_fine_details
from ppgen.engine.geometry import A4, Format, Rect, Size
from ppgen.engine.imposition.sheets import SheetSpec
from ppgen.engine.pictures.face_pictures import at_dpi, coverage, take_pictures
from ppgen.printing.drawn_parts import draw_parts, inspection_bleed, parts_on_a4
from ppgen.printing.workshop import Workshop
from ppgen.shipped import shipped_root

CARD, SMALLEST = Format("mini-euro", Size(44, 68)), Format("micro", Size(31.75, 44.45))
TEMPLATES = shipped_root() / "templates"
SKINS, INKS = ("", *sorted(path.name for path in (TEMPLATES / "skins").iterdir())), ("full", "low")
WOODCUT_INKS = {"#000000", "#C83A22", "#FFFFFF"}
PARTS = [("card-game", "cards"), ("card-game", "tablets"), ("card-game", "stones"),
         ("board-game", "cards"), ("board-game", "aid"), ("board-game", "pieces")]

pytestmark = pytest.mark.usefixtures("kept")


@cache
def workshop(skin, game="card-game"):
    return Workshop.open(Assets.at(), skin, game)


@cache
def part_of(skin, part, size=CARD, game="card-game"):
    opened = workshop(skin, game)
    return next(each for each in opened.parts(opened.texts("de"), size, SheetSpec(paper=A4), ()).parts
                if each.name == part)


@cache
def faces(skin, ink, part, size=CARD, game="card-game"):
    """The fronts of a part by piece, and the back of the first, as ``back``; of cards the last of each country."""
    pieces = part_of(skin, part, size, game).components
    chosen = {(piece.colour if part == "cards" else piece.id): piece for piece in pieces}
    studio = workshop(skin, game).studio(workshop(skin, game).texts("de"), ink)
    fronts = {piece.id: studio.draw(piece.front, 0, piece.id) for piece in chosen.values()}
    return {**fronts, **({"back": studio.draw(pieces[0].back, 0, "back")} if pieces[0].back else {})}


def shares(drawn):
    """The share of each face that is inked."""
    return coverage(tuple(drawn.values()), workshop("").fonts.folder)


@pytest.mark.parametrize(("skin", "own"), [("manuscript", {"illumination.svg.j2"}), ("woodcut", set())])
def test_every_file_but_ornaments_covers_a_shipped_one(skin, own):
    files = {path.relative_to(TEMPLATES / "skins" / skin) for path in (TEMPLATES / "skins" / skin).rglob("*.svg.j2")}
    assert files and {path.name for path in files if not (TEMPLATES / path).is_file()} == own


@pytest.mark.slow
@pytest.mark.usefixtures("faces_only")
@pytest.mark.parametrize(("game", "skin"), [
    ("card-game", "manuscript"), ("board-game", "manuscript"), ("card-game", "plain")])
def test_all_of_both_games_passes_the_check(desk, game, skin):
    """Of the card game, a card of each country."""
    data = ["--data", str(desk.with_small_set().data)] if game == "card-game" else []
    done = desk.ppgen("check", "--game", game, "--skin", skin, "-l", "de", "--card-size", "31.75x44.45mm", *data)
    assert done.exit_code == 0, done.output
    assert [line for line in done.stderr.splitlines() if "56 places" not in line] == ["No problems found (de)."]


@pytest.mark.slow
@pytest.mark.parametrize(("game", "skin", "ink"), [*product(("card-game", "board-game"), SKINS, INKS)])
def test_all_that_ppgen_draws_keeps_to_the_subset(game, skin, ink):
    """Builds judge only the texts of shipped templates; faces that are marked are judged whole."""
    marked = replace(workshop(skin, game), marked=True)
    texts = marked.texts("de")
    for making in marked.makings:
        parts = parts_on_a4(making, texts, CARD)
        assert draw_parts(parts, making.studio(texts, ink), inspection_bleed, ink)


@pytest.mark.slow
@pytest.mark.parametrize("skin", ["", "manuscript", "woodcut"])
@pytest.mark.parametrize("game", ["card-game", "board-game"])
def test_words_of_a_score_sheet_stand_out_from_what_lies_under_them(game, skin):
    grounds, checked = [], 0
    for element in ElementTree.fromstring(faces(skin, "full", "score-sheet", game=game)["score-sheet"].svg):
        x, y, width, height = (float(element.get(key, 0)) for key in ("x", "y", "width", "height"))
        if element.tag.endswith("rect") and element.get("fill-opacity") is None:
            grounds.append((Rect(x, y, width, height), element.get("fill")))
        elif element.tag.endswith("text"):
            at = Rect(x, y - 0.5, 0, 0)
            ground = next((fill for rect, fill in reversed(grounds) if fill != "none" and rect.contains(at)), "#FFFFFF")
            assert contrast(element.get("fill"), ground) >= 4.5, "".join(element.itertext())
            checked += ground != "#FFFFFF"
    assert checked > 5


@pytest.mark.slow
@pytest.mark.parametrize(("game", "part", "skin"), [
    ("card-game", "tablets", ""), ("card-game", "tablets", "manuscript"), ("board-game", "score-sheet", "")])
def test_no_word_touches_a_line(game, part, skin):
    """Under dark words and close around them nothing is dark."""
    for name, face in faces(skin, "full", part, game=game).items():
        words, ground = ElementTree.fromstring(face.svg), ElementTree.fromstring(face.svg)
        keep_texts(words)
        for parent in [*ground.iter()]:
            for text in parent.findall("{*}text"):
                parent.remove(text)
        pictures = [replace(at_dpi(replace(face, svg=ElementTree.tostring(each, "unicode")), 200), on_paper=True)
                    for each in (words, ground)]
        inked, under = (Image.open(io.BytesIO(png)) for png in take_pictures(pictures, workshop("").fonts.folder))
        lettered, dark = (each.convert("L").point(lambda grey: 255 * (grey < 110)) for each in (inked, under))
        touched = ImageChops.multiply(lettered.filter(ImageFilter.MaxFilter(3)), dark).histogram()[255]
        assert touched < 4, (name, touched)


def keep_texts(element):
    """Remove all that is neither words nor around words."""
    for inner in [*element]:
        if not inner.tag.endswith(("}text", "}defs")) and not keep_texts(inner):
            element.remove(inner)
    return len(element) > 0


# Manuscript

@pytest.mark.slow
@pytest.mark.parametrize(("part", "ink", "most"), [("cards", "full", 0.45), ("tablets", "low", 0.12)])
def test_faces_take_no_more_ink_than_a_sheet_can_bear(part, ink, most):
    *fronts, back = shares(faces("manuscript", ink, part))
    assert (sum(fronts) / len(fronts) + back) / 2 <= most


@pytest.mark.slow
@pytest.mark.parametrize(("part", "game", "piece", "gilt"), [
    ("stones", "card-game", "claim-stone-1", "url(#burnished)"), ("pieces", "board-game", "cloister-1", "#C9962E")])
def test_pieces_have_a_gilt_rim_except_in_low_ink(part, game, piece, gilt):
    assert [gilt in faces("manuscript", ink, part, game=game)[piece].svg for ink in ("full", "low")] == [True, False]


# Woodcut

@pytest.mark.slow
@pytest.mark.parametrize("ink", ["full", "low"])
@pytest.mark.parametrize(("game", "part"), PARTS)
def test_faces_have_three_colours_and_no_gradient(game, part, ink):
    for name, face in faces("woodcut", ink, part, game=game).items():
        assert {colour.upper() for colour in re.findall(r'="(#[0-9A-Fa-f]{3,6})"', face.svg)} <= WOODCUT_INKS, name
        assert "radient" not in face.svg and "opacity" not in face.svg, name


@pytest.mark.slow
@pytest.mark.parametrize(("game", "part"), [PARTS[0], PARTS[3]])
def test_faces_take_no_more_ink_than_shipped_ones(game, part):
    """As many of each as are printed; every front has a back."""
    copies = {piece.id: piece.copies for piece in part_of("", part, game=game).components}
    used = {}
    for skin in ("woodcut", ""):
        drawn = faces(skin, "full", part, game=game)
        many = [copies.get(name, sum(copies.get(other, 0) for other in drawn)) for name in drawn]
        used[skin] = sum(share * count for share, count in zip(shares(drawn), many, strict=True)) / sum(many)
    assert round(used["woodcut"], 2) <= round(used[""], 2)


@pytest.mark.slow
@pytest.mark.parametrize("ink", ["full", "low"])
def test_nothing_is_too_fine_on_the_smallest_cards(ink):
    assert not {(name, fine) for name, face in faces("woodcut", ink, "cards", SMALLEST).items()
                for fine in find_fine_details(face) if fine.kind == "stroke"}


@pytest.mark.slow
def test_lands_of_the_board_are_told_apart_by_hatching_along_their_borders_in_low_ink():
    svg = faces("woodcut", "low", "board", game="board-game")["board"].svg
    for sign in ("star", "lozenge", "cross", "crescent"):
        assert svg.count(f'stroke="url(#cut-{sign})"') == 2 and f'<pattern id="cut-{sign}"' in svg


@pytest.mark.slow
@pytest.mark.parametrize("skin", ["", "manuscript", "plain"])
def test_a_small_tablet_in_the_rules_shows_the_picture_of_the_printed_one(skin):
    shop = workshop(skin)
    texts = shop.texts("en")
    (tablets,) = (part for part in shop.pieces(texts, CARD) if part.name == "tablets")
    for request in dict.fromkeys(component.front for component in tablets.components):
        studio = shop.studio(texts, "full")
        printed, small = (set(re.findall(r' d="([^"]+)"', studio.draw(each, 0, "[test]").svg))
                          for each in (request, replace(request, small=True)))
        assert len(printed & small) > 0.6 * len(small), request.key
