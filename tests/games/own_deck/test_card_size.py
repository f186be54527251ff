"""Cards of a deck in other sizes, and what files of them are called; pictures that lie across a card."""

import re
from functools import cache
from hashlib import sha256
from io import BytesIO
from itertools import product

import numpy
import pytest
from click.testing import CliRunner
from PIL import Image

from ppgen.assets import Assets
from ppgen.cli.program import main
from ppgen.engine.geometry import A4, INCH, Size, read_formats
from ppgen.engine.pictures.face_pictures import at_dpi, take_pictures
from ppgen.printing.request import OPTIONS, BuildRequest, Parser
from ppgen.printing.set_build import build_set
from ppgen.printing.workshop import Workshop
from ppgen.shipped import shipped_root
from tests.games.own_deck.decks import lay_out, read_deck
from tests.printing.test_names import TYPED as PARSED, other_values

FONTS = shipped_root() / "data" / "fonts"
FORMATS = read_formats(shipped_root() / "data")
FILES = read_deck("sizes")


@pytest.fixture(scope="module")
def deck(tmp_path_factory) -> Workshop:
    return Workshop.open(Assets.at(lay_out(tmp_path_factory.mktemp("sizes"), FILES)))


def front_of(workshop: Workshop, part: str, size: str, bleed: float = 2.0):
    texts = workshop.texts("en")
    [component, *_] = next(each for each in workshop.game.parts(texts, FORMATS.card_size(size)) if each.name == part
                           ).components
    return component, workshop.studio(texts, "full").draw(component.front, bleed, "")


@pytest.mark.parametrize(("size", "part", "trim", "scale"), [
    ("63x41mm", "cards", Size(41, 63), 41 / 63.5),
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


GROUNDS = {
    "fill": '{{ fill("#acd") }}', "rectangle": '<rect x="-2" y="-2" width="67.5" height="92.9" fill="#acd"/>',
    "trim": '<path d="M0 0h63.5v88.9H0Z" fill="#acd"/>', "picture": '{{ image("ground") }}'}


@pytest.mark.slow
@pytest.mark.parametrize("ground", GROUNDS)
def test_the_ground_is_carried_on_where_the_proportions_differ_and_no_word_appears_twice(tmp_path, ground):
    Image.new("RGB", (635, 889), "#aaccdd").save(tmp_path / "ground.png")
    lay_out(tmp_path, {"deck.toml": '[cards]\nsize = "poker"\nfront = "card.svg.j2"\n',
                       "card.svg.j2": GROUNDS[ground] + '{{ text("word", x=0.2, y=20, width=60, size=9) }}'})
    workshop = Workshop.open(Assets.at(tmp_path))
    for size in ("mini-us", "tarot", "square-70"):
        _, face = front_of(workshop, "cards", size)
        [content] = take_pictures([at_dpi(face, 60)], FONTS)
        picture = Image.open(BytesIO(content)).convert("RGB")
        right, bottom = face.size.width - 0.5, face.size.height - 0.5
        for x, y in (*product(numpy.arange(0.5, right), (0.5, bottom)), *product((right,), numpy.arange(0.5, bottom))):
            at = tuple(round((mm + face.bleed) / INCH * 60) for mm in (x, y))
            assert picture.getpixel(at) == pytest.approx((0xaa, 0xcc, 0xdd), abs=3), (size, at)
        assert face.svg.count("<text") == 1


def test_other_pieces_keep_their_size_and_those_of_card_are_named(deck):
    texts, size = deck.texts("en"), FORMATS.card_size("mini-us")
    sizes = {part.name: part.components[0].size for part in deck.game.parts(texts, size)}
    assert (sizes["coins"], sizes["mats"]) == (Size(20, 20), Size(190, 140))
    found, warnings = deck.fit_card_size(texts, size, ())
    assert found == size and [each.where.rpartition("/")[2] for each in warnings] == ["deck.toml:18 mats.size"]
    found, warnings = deck.fit_card_size(texts, size, ("coins",))
    assert found == deck.game.card_size and [each.line for each in warnings] == [13]


@pytest.mark.parametrize(("first", "second", "scaled"), [
    ("50mm x 50mm", "poker", ("second",)), ("poker", "50mm x 50mm", ("first",)), ("70mm x 70mm", "50mm x 50mm",
                                                                                 ("first", "second"))])
def test_squares_beside_cards_are_tiles(tmp_path, first, second, scaled):
    lay_out(tmp_path, {"a.svg.j2": '{{ fill("#acd") }}', "deck.toml": "".join(
        f'[{name}]\nsize = "{size}"\nfront = "a.svg.j2"\n' for name, size in (("first", first), ("second", second)))})
    workshop, size = Workshop.open(Assets.at(tmp_path)), FORMATS.card_size("mini-us")
    parts = workshop.game.parts(workshop.texts("en"), size)
    assert tuple(part.name for part in parts if part.components[0].size == size.size) == scaled
    assert len(workshop.fit_card_size(workshop.texts("en"), size, ())[1]) == 2 - len(scaled)


TYPED = {"--skin": None, "--large-print": None,  # decks of one's own have no skins
         "--ink": None, "--card-thickness": None, "--sheets-per-page": None,  # built in tests/printing/test_names.py
         "--printer": "moved", "--card-size": "mini-us", "--where": "copies>2", "--together": "", "--no-together": "",
         "--booklet": "", "--no-booklet": "", "--margin": "8mm", "--changed": ""}
"""Values to give, where those of :func:`other_values` can't be typed."""


def given_options() -> list[str]:
    """Each option that may put a word into a name, with a value other than its default."""
    typed = dict(TYPED)
    for name, option in OPTIONS.items():
        flag = f"--{name.replace('_', '-')}"
        if option.help and flag not in typed:
            values = option.values
            typed[flag] = ("" if values is None else PARSED[values.metavar][0] if isinstance(values, Parser)
                           else str(other_values(option)[0]))
    return [f"{option} {value}".strip() for option, value in typed.items() if value is not None]


@pytest.fixture(scope="module")
def make(tmp_path_factory):
    """Builds of a deck with box and score sheet: the digest of each PDF file by its name."""
    base = tmp_path_factory.mktemp("named")
    folder = lay_out(base / "deck", FILES | {"score.toml": "[stars]\neach = 2\n", "cards.csv": "Name\nAnt\n"})

    def ppgen(*words: str) -> None:
        done = CliRunner().invoke(main, words, env={"XDG_CONFIG_HOME": str(base / "settings")})
        assert done.exit_code == 0, done.output

    @cache
    def run(words: str) -> dict[str, str]:
        output = tmp_path_factory.mktemp("output")
        ppgen("build", "--data", str(folder), "--paper", "a4", "--output", str(output), "--quiet", *words.split())
        return {path.stem: sha256(path.read_bytes()).hexdigest() for path in output.rglob("*.pdf")}

    ppgen("printed", "--data", str(folder), "--quiet")
    lay_out(folder, FILES)
    ppgen("printer", "save", "moved", "--back-offset", "1,0", "--back-rotation", "0")
    return run


@pytest.mark.slow
@pytest.mark.parametrize("words", given_options())
def test_files_of_one_name_have_one_content(make, words):
    before = make("")
    for name, digest in make(words).items():
        assert before.get(name, digest) == digest, f"{name} is called as without {words}"


@pytest.mark.slow
def test_a_picture_across_is_turned_and_its_back_the_other_way(tmp_path):
    for name, size in (("land", (525, 375)), ("port", (375, 525)), ("wide", (800, 375)), ("near", (500, 475))):
        picture = Image.new("RGB", size, "#888888")
        picture.paste("#ff0000", (0, 0, size[0], size[1] // 4))
        (tmp_path / "art").mkdir(exist_ok=True)
        picture.save(tmp_path / "art" / f"{name}.png")
    lay_out(tmp_path, {"deck.toml": '[cards]\ntable = "cards.csv"\nsize = "poker"\n',
                       "cards.csv": "name,art,back_art\na,land.png,land.png\nb,port.png,port.png\n"
                                    "c,wide.png,port.png\nd,near.png,port.png\n"})
    workshop = Workshop.open(Assets.at(tmp_path))
    texts = workshop.texts("en")
    [part] = workshop.game.parts(texts, workshop.game.card_size)
    studio = workshop.studio(texts, "full")
    turns = {(piece.id, side): re.findall(r"rotate\((\S+)", studio.draw(face, 2, "").svg)
             for piece in part.components for side, face in piece.faces()}
    assert {key: turn for key, turn in turns.items() if turn} == {
        ("a", "front"): ["90"], ("a", "back"): ["-90"], ("c", "front"): ["90"]}
    size = workshop.game.card_size
    request = BuildRequest(langs=("en",), papers=(A4,), card_size=size, usual_card=size)
    [warning] = [each for each in build_set(request, workshop).warnings if "cut away" in each.what]
    assert warning.where.endswith("cards.csv:4 art and 1 more") and "34% of the picture 'wide.png'" in warning.what
