"""Drawings of Inkscape, Figma and Affinity: each construction of these programs, drawn; labels, pages, and limits."""

import io
import re
import time
import tomllib
from base64 import b64decode, b64encode
from collections.abc import Iterable
from pathlib import Path

import pytest
from pikepdf import Pdf
from PIL import Image

from ppgen.engine.adoption.adopted_drawing import AdoptedDrawing, adopt_drawing
from ppgen.engine.adoption.drawing_places import quote
from ppgen.engine.drawing.face import Face
from ppgen.engine.geometry import Size
from ppgen.engine.pictures.picture import draw_vectors
from ppgen.engine.svg.drawing_cleaning import MAX_CHARACTERS
from ppgen.errors import InputError
from tests.games.own_deck.decks import draw_fronts, lay_out

NAMES = ('xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" '
         'xmlns:inkscape="http://www.inkscape.org/namespaces/inkscape" xmlns:serif="http://www.serif.com/" '
         'xmlns:sodipodi="http://sodipodi.sourceforge.net/DTD/sodipodi-0.dtd"')
COLUMNS = ("name", "cost", "text", "art", "rarity", "back_cost")
CARD = Size(63.5, 88.9)


def picture(colour: str = "#d00000", size: tuple[int, int] = (40, 20)) -> bytes:
    content = io.BytesIO()
    Image.new("RGB", size, colour).save(content, "PNG")
    return content.getvalue()


EMBEDDED = "data:image/png;base64," + b64encode(picture()).decode()
HEADS = {
    "inkscape": f'<svg width="63.5mm" height="88.9mm" viewBox="0 0 63.5 88.9" {NAMES}>',
    "figma": f'<svg width="750" height="1050" viewBox="0 0 750 1050" fill="none" {NAMES}>',
    "affinity": ('<!DOCTYPE svg PUBLIC "-//W3C//DTD SVG 1.1//EN" "http://www.w3.org/Graphics/SVG/1.1/DTD/svg11.dtd">\n'
                 f'<svg width="100%" height="100%" viewBox="0 0 750 1050" version="1.1" {NAMES} xml:space="preserve" '
                 'style="fill-rule:evenodd;clip-rule:evenodd;stroke-linejoin:round;stroke-miterlimit:2;">')}


def adopt(folder: Path, drawing: str, columns: tuple[str, ...] = COLUMNS, size: Size = CARD, **more) -> AdoptedDrawing:
    (folder / "card.svg").write_text(drawing, encoding="utf-8")
    return adopt_drawing(folder, "card.svg", size, columns, **{"families": ("Cinzel", "EB Garamond")} | more)


def refusal(folder: Path, drawing: str, **more) -> str:
    with pytest.raises(InputError) as refused:
        adopt(folder, drawing, **more)
    return str(refused.value)


def draw_all(folder: Path, drawings: Iterable[str], ink: str = "full", size: str = "poker", **cells: str) -> list[Face]:
    """The faces of a deck whose rows have a drawing each in front. A cell may begin with any letter."""
    row = {"name": "Goblin", "cost": "3", "text": "Deal **2**", "art": "art.png", "rarity": "rare", **cells}
    files = {f"card{n or ''}.svg": drawing for n, drawing in enumerate(drawings)}
    (folder / "art.png").write_bytes(picture())
    table = "".join(f"{','.join((*row.values(), name))}\n" for name in files)
    lay_out(folder, {**files, "cards.csv": f"{','.join((*row, 'look'))}\n{table}",
                     "deck.toml": f'title = "T"\n[cards]\ntable = "cards.csv"\nsize = "{size}"\nfront = "{{look}}"\n'
                                  '[colours.rarity]\nrare = "#2f63b5"\n'})
    return draw_fronts(folder, ink)


def draw(folder: Path, drawing: str, ink: str = "full", **cells: str) -> Face:
    return draw_all(folder, [drawing], ink, **cells)[0]


CONSTRUCTIONS = {(program, each["name"]): each
                 for program, table in tomllib.loads((Path(__file__).parent / "constructions.toml").read_text()).items()
                 for each in table}


def construction(program: str, name: str) -> str:
    body = CONSTRUCTIONS[program, name]["drawing"]
    body = body.replace("PICTURE", EMBEDDED).replace("LINES", f"{EMBEDDED[:60]}&#10;{EMBEDDED[60:]}")
    return f"{HEADS[program]}\n{body}\n</svg>"


@pytest.mark.parametrize(("program", "name"), CONSTRUCTIONS)
def test_what_the_programs_write_is_understood(tmp_path, program, name):
    wanted = CONSTRUCTIONS[program, name]["wanted"]
    (tmp_path / "art.png").write_bytes(picture())
    adopted = adopt(tmp_path, construction(program, name))
    result = adopted.template + "\n" + "\n".join(map(str, adopted.notes))
    for words in wanted:
        assert words in result
    kinds = ("left out", "is like", "is linked", "font", "holds nothing")
    assert len(adopted.notes) == sum(any(kind in words for kind in kinds) for words in wanted if "style=" not in words)


@pytest.mark.slow
def test_what_the_programs_write_passes_the_checks_of_faces(tmp_path):
    assert len(draw_all(tmp_path, (construction(*each) for each in CONSTRUCTIONS))) == len(CONSTRUCTIONS)


def test_labels_ask_for_paints_and_conditions_as_they_did(golden_cases, tmp_path):
    def answer(label):
        label = label.replace("<", "&lt;").replace(">", "&gt;")
        adopted = adopt(tmp_path, f'{HEADS["inkscape"]}<rect inkscape:label="{label}" x="9" y="9" width="9" height="9" '
                                  'fill="#fff" stroke="#000"/></svg>', colours=["rarity"])
        yield from (line for line in adopted.template.splitlines() if "rect" in line or "{%" in line)
        yield from adopted.notes

    golden_cases("labels", answer)


def test_words_and_elements_are_those_of_the_deck_s_language(tmp_path):
    """In a <switch> the first that fits; elsewhere all that fit."""
    body = ('<text x="5" y="20" font-size="4"><tspan systemLanguage="de">Ja, </tspan>'
            '<tspan systemLanguage="en-US, fr">Yes, </tspan>{name}</text>'
            '<switch><text x="5" y="30" font-size="4" systemLanguage="de">Ende</text>'
            '<text x="5" y="30" font-size="4" systemLanguage="en">End</text>'
            '<text x="5" y="30" font-size="4">Fin</text></switch>'
            '<switch><text x="5" y="40" font-size="4" systemLanguage="nl">Kosten</text>'
            '<text x="5" y="40" font-size="4">Cost</text></switch><text y="50" systemLanguage="x %}{{">No</text>')
    words = re.findall(r">([^<>]+)</tspan>", draw(tmp_path, f"{HEADS['inkscape']}{body}</svg>").svg)
    assert words == ["Yes, Goblin", "End", "Cost"]


@pytest.mark.slow
@pytest.mark.usefixtures("faces_only")
def test_words_of_the_drawing_are_set_as_drawn_and_warned_of_if_they_are_too_long(deck):
    """Those that a column fills must fit."""
    own = '<text x="55" y="70" text-anchor="middle" font-size="5">POINTS OF LIFE</text>'
    flowed = ('<flowRoot font-size="5"><flowRegion><rect x="5" y="30" width="10" height="4"/></flowRegion>'
              "<flowPara>ABCDABCD</flowPara></flowRoot>")
    deck.change("card.svg", "</svg>", f"\n{own}\n{flowed}</svg>")
    done = deck.run("check")
    assert "card.svg:4 [goblin front en full poker] and 1 more: sets words 25.3 mm beyond their place" in done.stderr
    assert "card.svg:5 [goblin front en full poker] and 1 more: sets words " in done.stderr
    deck.change("card.svg", "POINTS OF LIFE", "{name} {name} {name} {name}")
    assert "mm too wide for its box" in deck.run("build", "--only", "cards", code=1).stderr


def test_words_of_a_drawing_never_become_code(tmp_path):
    evil = "{{ 7*7 }}{% set x=1 %}{# no #}\\x7b"
    escaped = evil.replace('"', "&quot;")
    body = ('<style>.a { fill: url(#EVIL) }</style><text id="tEVIL" x="5" y="50" font-size="4" font-family="EVIL">EVIL'
            '</text><g inkscape:label="show:name=EVIL"><rect class="a" id="EVIL" x="EVIL" y="5" width="9" height="9" '
            'fill="EVIL"/></g><image width="9" height="9" xlink:href="art.pngEVIL"/></svg>')
    drawing = HEADS["inkscape"] + body.replace("EVIL", escaped)
    adopted = adopt(tmp_path, drawing)
    code = adopted.template.replace('"', " ").replace("\\\\", "")
    assert "7*7" not in "".join(part for n, part in enumerate(adopted.template.split('"')) if n % 2 == 0)
    assert "{# no" not in code and "{%  set" not in code
    assert quote("{{%}}#<") == '"\\x7b\\x7b\\x25\\x7d\\x7d\\x23\\x3c"'


def test_pages_become_the_piece_or_are_refused(golden_cases, tmp_path):
    def answer(drawing):
        try:
            yield adopt(tmp_path, drawing.replace("NAMES", NAMES)).page
        except InputError as error:
            yield str(error).replace(f"{tmp_path}/", "")

    golden_cases("drawings", answer)


@pytest.mark.parametrize("body", [
    '<svg width="9" height="4" viewBox="0 0 9 9" preserveAspectRatio="xMinYMin slice"><circle r="9"/></svg>',
    '<pattern id="p" width="6" height="6" patternUnits="userSpaceOnUse" patternTransform="rotate(30)"><rect width="3" '
    'height="3"/></pattern><rect width="63.5" height="9" fill="url(#p)"/>',
    '<rect width="63.5" height="88.9" fill="#ffe0c0"/><circle r="9" style="mix-blend-mode:multiply"/>'])
def test_what_shapes_cannot_show_is_a_layer_of_vectors(tmp_path, body):
    face = draw(tmp_path, f"{HEADS['inkscape']}{body}</svg>")
    (layer,) = face.pictures.values()
    made = draw_vectors(layer.read_file(), {"name": layer.name})  # here: a child that begins after typst waits for it
    with Pdf.open(io.BytesIO(b64decode(made))) as page:
        assert not page.pages[0].get_images()


@pytest.mark.slow
def test_what_is_too_much_for_a_face_is_pixels_below_the_words(tmp_path):
    body = f'<switch><foreignObject/><g><path d="M0 0{"L9 9L9 0" * 30_000}"/></g></switch>'
    face = draw(tmp_path, f'{HEADS["inkscape"]}{body}<text id="name" x="9" y="50" font-size="5">x</text></svg>')
    (layer,) = face.pictures.values()
    pixels = Image.open(io.BytesIO(layer.read())).convert("RGBA")
    assert pixels.getbbox() and "Goblin" in face.svg


def test_pictures_inside_a_drawing_are_pictures_of_the_deck(tmp_path):
    drawing = (f'{HEADS["inkscape"]}<image x="5" y="5" width="20" height="10" xlink:href="{EMBEDDED}"/>\n<image x="5" '
               f'y="5" width="9" height="9" xlink:href="data:image/png;base64,AAAA"/></svg>')
    with pytest.raises(InputError, match=r"card.svg#2 is not a picture"):
        draw(tmp_path, drawing)
    face = draw(tmp_path, drawing.replace("base64,AAAA", f"base64,{EMBEDDED[22:]}"))
    assert {each.name: each.width for each in face.pictures.values()} == {"card.svg#1": 40, "card.svg#2": 40}
    assert {path.name for path in tmp_path.iterdir()} == {"art.png", "card.svg", "cards.csv", "deck.toml"}


SOON_S = 12.0
"""Each takes less than 2 s of an idle processor; quadratic work would take minutes."""


@pytest.mark.parametrize(("body", "said"), {
    "<g>" * 100 + "</g>" * 100: "is nested deeper than 60",
    "<g/>" * 20_001: "has more than 20,000 elements",
    f'<text font="1{" " * 4_000};">x</text>': "has more than 4,000 characters in its attribute 'font'",
    "<style>.a{fill:" + "(" * 50_000 + "}</style>": "has a style with brackets nested too deep",
    "<rect " + " ".join(f'a{n}="1"' for n in range(300)) + "/>": "has more than 200 attributes",
    f"<!--{'x' * MAX_CHARACTERS}-->": "has more than 2,000,000 characters beside its pictures",
    "<style>" + ".a{fill:red}" * 10_000 + "</style>": "has style sheets of more than 100,000 characters",
    "<style>" + "".join(f".a{n} *{{fill:red}}" for n in range(1_000)) + "</style>" + "<g/>" * 1_000:
        "has 1,000 rules in style sheets",
    "".join(f'<g id="g{n}">' + f'<use xlink:href="#g{n + 1}"/>' * 9 + "</g>" for n in range(9))
    + '<g id="g9"><path d="M0 0"/></g>': "draws more than 20,000 elements with its clones",
}.items())
@pytest.mark.slow
def test_drawings_that_would_take_long_are_refused(tmp_path, body, said):
    start = time.process_time()
    assert said in refusal(tmp_path, f"{HEADS['inkscape']}{body}</svg>")
    assert time.process_time() - start < SOON_S


@pytest.mark.slow
@pytest.mark.parametrize("body", [
    "<style>* * * * * *{fill:red} a:not(b c d){fill:red} :nth-child(2n){fill:red}</style>" + "<g>" * 50 + "</g>" * 50,
    '<text x="5" y="50" font-size="4">{abcdef}{ghijkl}</text>' * 150,
    '<rect id="abcdef" width="9" height="9"/>' * 250,
    '<use id="u" xlink:href="#u"/>', '<g id="a"><use xlink:href="#a"/></g>', '<use xlink:href="other.svg#x"/>',
    '<linearGradient id="a" xlink:href="#b"/><linearGradient id="b" xlink:href="#a"/><path d="M9 9v9z" '
    'fill="url(#a)"/>',
    '<mask id="m"><g mask="url(#m)"><path d="M9 9h9"/></g></mask><path mask="url(#m)" d="M9 9h9v9z"/>',
    '<pattern id="p" width="1" height="1"><rect width="9" height="9" fill="url(#p)"/></pattern><path d="M9 9h9v9z" '
    'fill="url(#p)"/>', '<path d="M9 9h' + "9" * 400 + '"/>',
    '<g transform="scale(1e308) scale(1e308)"><path d="M1 1h1v1z"/></g>',
    '<text font-size="1e300">x</text>', f'<path d="M{"1 " * 20_001}"/>', "<text>" + "{" * 9_000 + "</text>",
    '<image width="9" height="9" xlink:href="http://example.org/x.png"/>',
    '<g transform="matrix(0 0 0 0 0 0)"><text>{name}</text><path d="M1 1h9v9z"/></g>',
    f'<text font="1{" " * 3_900};" id="name">{{name}}</text>' * 50, f'<text font="{"1" * 3_900}">x</text>' * 50,
    f'<rect width="9" height="9" transform="translate{" " * 3_900}x"/>' * 99,
    f'<path d="M0 0A{"1" * 100_000}"/>', f'<text>{"<tspan>a</tspan>" * 2_500}</text>',
    "<style>.a{}@media print{.a{fill:red}}</style>",
    '<image width="9" height="9" xlink:href="../x"/>'])
def test_what_is_strange_is_left_out_or_reported_soon(tmp_path, body):
    start = time.process_time()
    drawing = f"{HEADS['inkscape']}{body}</svg>"
    adopted = adopt(tmp_path, drawing)
    try:
        draw(tmp_path, drawing)
    except InputError as error:
        assert all(problem.place.endswith("card.svg") for problem in error.problems)
    assert time.process_time() - start < SOON_S
    assert "../" not in adopted.template and "http" not in adopted.template


@pytest.fixture
def deck(desk):
    drawing = (f'{HEADS["inkscape"]}\n<rect id="art" x="5" y="5" width="50" height="30" style="filter:url(#f)"/>\n'
               '<text id="name" x="5" y="50" font-size="5">x</text></svg>')
    (desk.folder / "art.png").write_bytes(picture())
    lay_out(desk.folder, {"card.svg": drawing, "cards.csv": "Name,Art,Cost,Qty\nGoblin,art.png,3,2\n",
                          "deck.toml": '[cards]\ntable = "cards.csv"\nsize = "poker"\nfront = "card.svg"\n'})
    return desk


def test_adopt_says_where_finished_cards_of_another_kind_go(deck):
    done = deck.ppgen("adopt", "art.png")
    assert (done.exit_code, done.stderr.strip()) == (1, "art.png: is not an SVG drawing (save it as SVG; finished "
                                                        "cards become a deck by ppgen new NAME --from art.png)")


def test_adopt_writes_a_template_that_draws_the_same(deck):
    assert deck.ppgen("build", "--only", "cards").exit_code == 0
    before = (deck.folder / "output/en/cards-a4.pdf").read_bytes()
    assert deck.ppgen("adopt", "card.svg", "--write").exit_code == 0
    refused = deck.ppgen("adopt", "card.svg", "--write").stderr
    assert "card.svg.j2: exists already (rename it, or add --overwrite)" in refused
    assert deck.ppgen("adopt", "card.svg", "--overwrite").exit_code == 0
    deck.change("deck.toml", 'front = "card.svg"', 'front = "card.svg.j2"')
    assert deck.ppgen("build", "--only", "cards").exit_code == 0
    assert (deck.folder / "output/en/cards-a4.pdf").read_bytes() == before
