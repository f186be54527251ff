"""Cards of a deck in other sizes, and what files of them are called; pictures that lie across a card."""

from __future__ import annotations

import json
import re

import pytest
from PIL import Image

from ppgen.assets import Assets, shipped_root
from ppgen.engine.drawing.fineness import find_fine_details
from ppgen.engine.geometry import A4, Rect, Size, read_formats
from ppgen.engine.imposition.sheets import Backs
from ppgen.production.request import GUIDE, OPTIONS, BuildRequest
from ppgen.production.set_build import build_set
from ppgen.production.workshop import Workshop
from tests.production.test_names import other_values

FORMATS = read_formats(shipped_root() / "data")
DECK = """\
title = "Sizes"
box = true
[cards]
table = "cards.csv"
size = "poker"
radius = "3mm"
front = "card.svg.j2"
back = "back.svg.j2"
[wide]
size = "88mm x 63mm"
front = "wide.svg.j2"
[coins]
size = "20mm"
shape = "circle"
copies = 9
front = "coin.svg.j2"
[mats]
size = "190mm x 140mm"
front = "coin.svg.j2"
"""
FILES = {
    "deck.toml": DECK, "cards.csv": "Name\nAnt\nBee\n", "back.svg.j2": '{{ fill("#735") }}',
    "card.svg.j2": '{{ fill("#eda") }}{{ text(card.name, x=10, y=20, width=40, size=6) }}'
                   '<path d="M3 3H60.5" stroke="#000" stroke-width="0.14"/>',
    "wide.svg.j2": '{{ fill("#acd") }}{{ text("wide", x=10, y=20, width=40, size=6) }}',
    "coin.svg.j2": '{{ fill("#fc3") }}{{ text("1", x=5, y=13, width=10, size=8) }}'}


@pytest.fixture(scope="module")
def deck(tmp_path_factory) -> Workshop:
    folder = tmp_path_factory.mktemp("sizes")
    for name, text in FILES.items():
        (folder / name).write_text(text, encoding="utf-8")
    return Workshop.open(Assets.at(folder))


def request(workshop: Workshop, **more) -> BuildRequest:
    card = workshop.game.card_size
    return BuildRequest(**{"langs": ("en",), "papers": (A4,), "card_size": card, "usual_card": card, **more})


def built(workshop: Workshop, **more) -> dict[str, tuple[str, str]]:
    """The part and the digest of each file of a build, by path; the guide is called as the files that it is about."""
    [manifest] = build_set(request(workshop, **more), workshop).manifests
    return {entry["path"]: (entry["part"], entry["sha256"]) for entry in manifest["files"] if entry["part"] != GUIDE}


# Sizes

def front_of(workshop: Workshop, part: str, size: str, bleed: float = 2.0):
    texts = workshop.texts("en")
    [component, *_] = next(each for each in workshop.game.parts(texts, FORMATS.card_size(size)) if each.name == part
                           ).components
    return component, workshop.studio(texts, "full").draw(component.front, bleed, "")


@pytest.mark.parametrize(("size", "part", "trim", "scale"), [
    ("mini-us", "cards", Size(41, 63), 41 / 63.5), ("63x41mm", "cards", Size(41, 63), 41 / 63.5),
    ("tarot", "cards", Size(70, 120), 70 / 63.5), ("mini-us", "wide", Size(63, 41), 41 / 63),
    ("square-70", "cards", Size(70, 70), 70 / 88.9)])
def test_cards_are_scaled_in_proportion_to_the_middle_of_the_size_that_is_asked_for(deck, size, part, trim, scale):
    component, face = front_of(deck, part, size)
    own = component.front.drawn_size
    assert component.size == trim
    assert face.svg.count(f'viewBox="-2 -2 {trim.width + 4:g} {trim.height + 4:g}"') == 1
    found = [float(number) for number in re.search(r"matrix\((\S+) 0 0 \S+ (\S+) (\S+)\)", face.svg).groups()]
    assert found == pytest.approx([scale, (trim.width - own.width * scale) / 2, (trim.height - own.height * scale) / 2],
                                  abs=1e-3)
    assert component.shape.radius == pytest.approx(3 * scale if part == "cards" else 0, abs=1e-3)


@pytest.mark.parametrize("size", ["mini-us", "tarot", "square-70"])
def test_the_ground_is_carried_on_to_the_bleed_of_other_proportions(deck, size):
    component, face = front_of(deck, "wide", size)
    x, y, width, height = (float(re.search(rf'<rect[^>]* {name}="(\S+?)"', face.svg)[1])
                           for name in ("x", "y", "width", "height"))
    scale, left, top = map(float, re.search(r"matrix\((\S+) 0 0 \S+ (\S+) (\S+)\)", face.svg).groups())
    ground = Rect(left + scale * x, top + scale * y, scale * width, scale * height)
    assert ground.contains(Rect(-2, -2, component.size.width + 4, component.size.height + 4), slack=1e-3)


def test_what_becomes_too_fine_is_found_as_it_is_printed(deck):
    assert not find_fine_details(front_of(deck, "cards", "poker")[1])
    [stroke] = find_fine_details(front_of(deck, "cards", "mini-us")[1])
    assert stroke.kind == "stroke" and stroke.size == pytest.approx(0.14 * 41 / 63.5, abs=1e-3)


def test_other_pieces_keep_their_size_and_those_of_card_are_named(deck):
    texts, size = deck.texts("en"), FORMATS.card_size("mini-us")
    sizes = {part.name: part.components[0].size for part in deck.game.parts(texts, size)}
    assert (sizes["coins"], sizes["mats"]) == (Size(20, 20), Size(190, 140))
    found, warnings = deck.fit_card_size(texts, size, ())
    assert found == size and [each.where.rpartition("/")[2] for each in warnings] == ["deck.toml:18 mats.size"]
    found, warnings = deck.fit_card_size(texts, size, ("coins",))
    assert found == deck.game.card_size and [each.line for each in warnings] == [13]


def test_the_usual_size_is_that_of_the_cards_of_the_deck(desk):
    for name, text in FILES.items():
        (desk.folder / name).write_text(text.replace('"poker"', '"tarot"'), encoding="utf-8")
    done = desk.ppgen("build", "--only", "cards", "--card-size", "poker", "--dry-run", "--json")
    [manifest] = json.loads(done.stdout)
    assert manifest["card_size"]["name"] == "poker" and manifest["files"][0]["path"].endswith("-duplex-poker.pdf")
    assert "card_size" in desk.ppgen("build", "--only", "cards", "--dry-run", "--json").stdout.replace("tarot", "")


# Names

OPENED = {"where", "changed", "chosen", "skin", "profile", "large_print", "home"}
"""Options that select pieces or a look when the deck is opened; and what only a box with a place for it shows."""
ASKED = [(name, value) for name, option in OPTIONS.items() if option.values and name not in OPENED
         for value in other_values(option)[:2]]


@pytest.fixture(scope="module")
def plain(deck):
    return {backs: built(deck, backs=backs) for backs in Backs}


@pytest.mark.slow
@pytest.mark.parametrize(("name", "value"), [*ASKED, *(("card_size", FORMATS.card_size(size)) for size in (
    "mini-us", "standard", "88x63mm", "63.5x88.9mm"))], ids=str)
def test_a_word_in_a_name_says_what_is_in_the_file(deck, plain, name, value):
    before = plain[Backs.DUPLEX]
    content = {}
    for part, digest in before.values():
        content.setdefault(part, set()).add(digest)
    for path, (part, digest) in built(deck, **{name: value}).items():
        if path in before:
            assert before[path] == (part, digest), f"{path} is called as without {name}"
        else:
            assert digest not in content.get(part, ()), f"{path} is the same without {name}"


# Pictures across

def test_a_picture_across_is_turned_and_its_back_the_other_way(tmp_path):
    for name, size in (("land", (1050, 750)), ("port", (750, 1050)), ("wide", (1600, 750)), ("near", (1000, 950))):
        picture = Image.new("RGB", size, "#888888")
        picture.paste("#ff0000", (0, 0, size[0], size[1] // 4))
        (tmp_path / "art").mkdir(exist_ok=True)
        picture.save(tmp_path / "art" / f"{name}.png")
    (tmp_path / "deck.toml").write_text('[cards]\ntable = "cards.csv"\nsize = "poker"\n', encoding="utf-8")
    (tmp_path / "cards.csv").write_text("name,art,back_art\na,land.png,land.png\nb,port.png,port.png\n"
                                        "c,wide.png,port.png\nd,near.png,port.png\n", encoding="utf-8")
    workshop = Workshop.open(Assets.at(tmp_path))
    texts = workshop.texts("en")
    [part] = workshop.game.parts(texts, workshop.game.card_size)
    studio = workshop.studio(texts, "full")
    turns = {(piece.id, side): re.findall(r"rotate\((\S+)", studio.draw(face, 2, "").svg)
             for piece in part.components for side, face in piece.faces()}
    assert {key: turn for key, turn in turns.items() if turn} == {
        ("a", "front"): ["90"], ("a", "back"): ["-90"], ("c", "front"): ["90"]}
    [warning] = [each for each in build_set(request(workshop), workshop).warnings if "cut away" in each.what]
    assert warning.where.endswith("cards.csv:4 art and 1 more") and "34% of the picture 'wide.png'" in warning.what


def test_a_picture_over_the_face_is_whole_on_cards_of_other_proportions(tmp_path):
    Image.new("RGB", (750, 1050), "#888888").save(tmp_path / "a.png")
    (tmp_path / "deck.toml").write_text('[cards]\nsize = "poker"\nfront = "a.png"\n', encoding="utf-8")
    workshop = Workshop.open(Assets.at(tmp_path))
    _, face = front_of(workshop, "cards", "tarot")
    widths = re.findall(r'<image [^>]*transform="matrix\((\S+) 0 0 (\S+) ', face.svg)
    assert len(widths) == 5 and len({*widths}) == 1  # itself, and its mirror images around it
    assert float(widths[0][0]) * 70 / 63.5 <= 74.1
    assert [warning for warning in build_set(request(workshop, card_size=FORMATS.card_size("tarot")), workshop).warnings
            if "cut away" in warning.what] == []
