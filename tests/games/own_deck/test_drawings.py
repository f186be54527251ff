"""Drawings of Inkscape, Figma and Affinity: each construction of these programs, drawn; labels, pages, and limits."""

from __future__ import annotations

import io
import json
import time
from base64 import b64encode
from pathlib import Path

import pytest
from PIL import Image

from ppgen.assets import Assets
from ppgen.engine.geometry import Size
from ppgen.errors import InputError
from ppgen.games.own_deck.drawing_binding import quote
from ppgen.games.own_deck.drawing_cleaning import MAX_CHARACTERS, clean_colour, clean_value, to_units
from ppgen.games.own_deck.drawings import AdoptedDrawing, adopt_drawing
from ppgen.production.workshop import Workshop
from tests.games.own_deck.test_flat import lay_out

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


def draw(folder: Path, drawing: str, ink: str = "full", **cells: str):
    """The face of a deck with one row, whose front is the drawing. A cell may begin with any letter."""
    given = {"name": "Goblin", "cost": "3", "text": "Deal **2**", "art": "art.png", "rarity": "rare", **cells}
    (folder / "art.png").write_bytes(picture())
    lay_out(folder, {"card.svg": drawing, "cards.csv": f"{','.join(given)}\n" + ",".join(given.values()) + "\n",
                     "deck.toml": ('title = "T"\n[cards]\ntable = "cards.csv"\nsize = "poker"\nfront = "card.svg"\n'
                                   '[colours.rarity]\nrare = "#2f63b5"\n')})
    workshop = Workshop.open(Assets.at(folder))
    texts = workshop.texts("en")
    (part,) = workshop.game.parts(texts, workshop.game.card_size)
    return workshop.studio(texts, ink).draw(part.components[0].front, 2, "goblin")


# What these programs write. Each: the construction, and what the template has, or the note that begins so

INKSCAPE = {
    "styles before attributes, and rules of style sheets between": (
        '<style>.frame { fill: saddlebrown } g .frame { stroke: rgb(90, 70, 50) }</style>'
        '<g><path class="frame" fill="#000" d="m 1,1 h 9 v 9 z"/></g>', ('tone("#8b4513"', 'stroke="#5a4632"')),
    "a style wins over a rule": ('<style>rect { fill: red }</style><rect style="fill:#00ff00" x="5" y="5" width="9" '
                                 'height="9"/>', ('tone("#00ff00"',)),
    "nested transforms go to the leaves": (
        '<g transform="translate(10,20)"><g transform="matrix(2,0,0,2,0,0)"><rect transform="rotate(90)" x="1" y="-5" '
        'width="3" height="3"/></g></g>', ('transform="matrix(', "2 -2 ", " 10 20)")),
    "layers are groups without marks": ('<g inkscape:groupmode="layer" inkscape:label="Layer 1" sodipodi:insensitive="'
                                        'true"><circle cx="9" cy="9" r="3"/></g>', ('<circle cx="9" cy="9" r="3"',)),
    "hidden layers are left out": ('<g inkscape:groupmode="layer" style="display:none"><text x="1" y="9">note</text></g>',
                                   ("\n",)),
    "lines of a text": ('<text style="font-size:4px"><tspan sodipodi:role="line" x="5" y="10">One</tspan><tspan '
                        'sodipodi:role="line" x="5" y="15">Two</tspan></text>', ('"One"', '"Two"', "5.000 15.000")),
    "text framed by shape-inside": (
        '<defs><rect id="r1" x="10" y="20" width="40" height="30"/></defs><text transform="translate(1,2)" '
        'inkscape:label="text" style="font-size:4px;line-height:1.2;text-align:center;shape-inside:url(#r1)"><tspan '
        'x="11" y="24">Deal two </tspan><tspan x="11" y="29">damage</tspan></text>',
        ("rich(card.text", "width=40.000, height=30.000", 'align="center"', "leading=1.200", "11.000 22.000")),
    "flowRoot of 0.92 with a label of the program": (
        '<flowRoot id="text" inkscape:label="#flowRoot41" style="font-size:4px;line-height:125%"><flowRegion><rect '
        'x="9" y="50" width="40" height="20"/></flowRegion><flowPara>Some words.</flowPara></flowRoot>',
        ("rich(card.text", "width=40.000, height=20.000", "leading=1.250")),
    "paragraphs of a flowRoot": (
        '<flowRoot style="font-size:4px"><flowRegion><rect x="9" y="50" width="40" height="20"/></flowRegion><flowPara>'
        'One.</flowPara><flowPara>Two.</flowPara></flowRoot>', ('"One.\\nTwo."',)),
    "inline-size": ('<text x="9" y="30" style="font-size:4px;inline-size:40">words that break</text>',
                    ("width=40.000", '"words that break"')),
    "bold and italic inside a line": ('<text x="9" y="30" style="font-size:4px">Gain <tspan style="font-weight:bold">3'
                                      '</tspan> and <tspan style="font-style:italic">rest</tspan></text>',
                                      ('"Gain **3** and *rest*"',)),
    "an anchor by style, and a font specification": (
        '<text x="30" y="30" style="font-size:4px;text-anchor:middle;font-family:Cinzel;-inkscape-font-specification:'
        "'Cinzel Bold'\">A</text>", ('style="Cinzel/bold"', 'align="center"')),
    "letters with a line around them": ('<text x="9" y="30" style="font-size:4px;fill:#fff;stroke:#a92824;stroke-width:'
                                        '0.4">A</text>', ('outline="\\x23a92824 0.200"',)),
    "a rotated text": ('<text transform="rotate(-90)" x="-60" y="5" style="font-size:3px">side</text>',
                       ("translate(5.000 60.000) rotate(-90)",)),
    "gradients in chains": (
        '<defs><linearGradient id="a"><stop style="stop-color:#3b2f4a;stop-opacity:0.5" offset="0"/><stop '
        'style="stop-color:#171320" offset="1"/></linearGradient><linearGradient xlink:href="#a" id="b" x1="1" y1="2" '
        'x2="3" y2="4" gradientUnits="userSpaceOnUse"/></defs><rect style="fill:url(#b)" x="9" y="9" width="9" '
        'height="9"/>', ('<linearGradient id="d1"', 'gradientUnits="userSpaceOnUse"', 'stop-opacity="0.5"',
                         'fill="url(#d1)"')),
    "a linked picture": ('<image x="9" y="9" width="20" height="10" preserveAspectRatio="none" xlink:href="art.png"/>',
                         ('image("art.png", x=9.000', 'fit="stretch"')),
    "a linked picture elsewhere": ('<image x="9" y="9" width="20" height="10" xlink:href="file:///home/me/art.png"/>',
                                   ('image("art.png"', "is linked to '/home/me/art.png', outside the deck's folder")),
    "an embedded picture in lines": (
        f'<image x="9" y="9" width="20" height="10" xlink:href="{EMBEDDED[:60]}&#10;{EMBEDDED[60:]}"/>',
        ('image("card.svg\\x231"',)),
    "clips with a transform": (
        '<defs><clipPath id="c" clipPathUnits="userSpaceOnUse"><circle cx="9" cy="9" r="5"/></clipPath></defs>'
        '<g transform="translate(3,0)"><path clip-path="url(#c)" d="M0 0h30v30z"/></g>',
        ('<clipPath id="d1"><circle cx="9" cy="9" r="5"', 'transform="matrix(1 0 0 1 3 0)"', '<g clip-path="url(#d1)">')),
    "masks": ('<defs><mask id="m" maskUnits="userSpaceOnUse"><rect style="fill:#fff" x="0" y="0" width="9" height="9"/>'
              '</mask></defs><path mask="url(#m)" d="M1 1h30v30z"/>', ('<mask id="d1"', '<g mask="url(#d1)">')),
    "clones": ('<rect id="r" x="5" y="5" width="4" height="4"/><use xlink:href="#r" x="0" y="0" '
               'transform="translate(20,0)"/>', ('transform="matrix(1 0 0 1 20 0)"',)),
    "symbols": ('<defs><symbol id="s" viewBox="0 0 10 10"><circle cx="5" cy="5" r="5"/></symbol></defs><use '
                'xlink:href="#s" x="10" y="10" width="5" height="5"/>', ("matrix(0.5 0 0 0.5 10 10)",)),
    "arrow heads": ('<defs><marker id="k"><path d="M0 0h1z"/></marker></defs><path style="stroke:#000;marker-end:'
                    'url(#k)" d="M9 9h9"/>', ("an arrow head is left out",)),
    "path effects keep their path": ('<path inkscape:path-effect="#pe" inkscape:original-d="M0 0" d="m 9,9 a 3 3 0 0110,0 '
                                     'z"/>', ('d="m 9,9 a 3 3 0 0 1 10,0 z"',)),
    "blur and blend modes": ('<g style="filter:url(#f);mix-blend-mode:multiply"><rect x="9" y="9" width="9" height="9"/>'
                             '</g><rect style="filter:url(#f)" x="9" y="9" width="9" height="9"/>',
                             ("a filter (blur, shadow) is left out", "a blend mode is left out")),
    "opacity of a group and of a fill": ('<g style="opacity:0.5"><rect style="fill:#102030;fill-opacity:0.25" x="9" '
                                         'y="9" width="9" height="9"/></g>', ('<g opacity="0.5">', 'fill-opacity="0.25"')),
    "lengths with units": ('<rect x="10%" y="2mm" width="3pt" height="9" style="stroke:#000;stroke-width:1px;'
                           'stroke-dasharray:2, 1"/>', ('x="6.35"', 'stroke-width="1"', 'stroke-dasharray="2 1"')),
    "patterns": ('<defs><pattern id="p" patternUnits="userSpaceOnUse" width="2" height="2" patternTransform="scale(2)">'
                 '<rect width="1" height="2"/></pattern></defs><rect style="fill:url(#p)" x="9" y="9" width="9" '
                 'height="9"/>', ('<pattern id="d1"', 'patternTransform="scale(2)"')),
    "mesh gradients": ('<defs><meshgradient id="m"/></defs><rect style="fill:url(#m) #102030" x="9" y="9" width="9" '
                       'height="9"/>', ('fill="#102030"', "a paint of the kind <meshgradient> is left out")),
    "texts on paths": ('<path id="p" d="M9 9h30" style="fill:none"/><text style="font-size:3px"><textPath xlink:href="'
                       '#p">round</textPath></text>', ("a text on a path is left out",)),
    "fonts that the deck lacks": ('<text x="9" y="30" style="font-size:4px;font-family:\'Fancy Display\'">A</text>',
                                  ('style="text"', "the font 'Fancy Display' is not in the deck")),
}
FIGMA = {
    "a clip of the page is dropped": (
        '<g clip-path="url(#clip0_1_2)"><circle cx="99" cy="99" r="9" fill="white"/></g><defs><clipPath id="clip0_1_2">'
        '<rect width="750" height="1050" fill="white"/></clipPath></defs>', ("<circle", "\n")),
    "a ground with round corners": ('<rect width="750" height="1050" rx="36" fill="#1E3A4C"/>',
                                    ('fill("\\x231e3a4c")',)),
    "a ground as a path": ('<path d="M0 0H750V1050H0V0Z" fill="#1E3A4C"/>', ('fill("\\x231e3a4c")',)),
    "a picture in a pattern covers its shape": (
        '<rect x="36" y="132" width="672" height="470" rx="24" fill="url(#pattern0)"/><defs><pattern id="pattern0" '
        'patternContentUnits="objectBoundingBox" width="1" height="1"><use xlink:href="#image0" transform="matrix(0.01 '
        f'0 0 0.02 0 -0.1)"/></pattern><image id="image0" width="40" height="20" xlink:href="{EMBEDDED}"/></defs>',
        ('image("card.svg\\x231", x=3.048', "radius=2.032", 'fit="cover"')),
    "a column in place of that picture": (
        '<rect id="art" x="36" y="132" width="672" height="470" fill="url(#pattern0)"/><defs><pattern id="pattern0">'
        f'<image id="image0" xlink:href="{EMBEDDED}"/></pattern></defs>', ("image(card.art",)),
    "tspans, each line with its place": (
        '<text fill="#222222" xml:space="preserve" style="white-space: pre" font-family="EB Garamond" font-size="42" '
        'letter-spacing="0em"><tspan x="64" y="690">Deal 2 damage &#10;</tspan><tspan x="64" y="744">to &#x2028;</tspan>'
        '</text>', ('"Deal 2 damage"', '"to"', 'style="EB Garamond"', "size=3.556")),
    "a column whose sample has several lines": (
        '<text id="text" fill="#222" font-size="42"><tspan x="64" y="690">Deal 2</tspan><tspan x="64" y="744">again.'
        '</tspan></text>', ("rich(card.text", "height=", "leading=1.286")),
    "a shadow": ('<g filter="url(#filter0_d)"><rect x="36" y="620" width="672" height="382" fill="#F7F3E8"/></g><defs>'
                 '<filter id="filter0_d"><feFlood/></filter></defs>', ("a filter (blur, shadow) is left out",)),
    "a blend mode by style": ('<g style="mix-blend-mode:multiply"><rect x="9" y="9" width="9" height="9" fill="black"/>'
                              '</g>', ("a blend mode is left out",)),
    "a luminance mask": (
        '<mask id="mask0" style="mask-type:luminance" maskUnits="userSpaceOnUse" x="2" y="2" width="20" height="20">'
        '<path d="M2 2H21V21H2V2Z" fill="white"/></mask><g mask="url(#mask0)"><circle cx="9" cy="9" r="9" fill="red"/></g>',
        ('<mask id="d1"', 'fill="#ffffff"', '<g mask="url(#d1)">')),
    "an alpha mask is made of white": (
        '<mask id="mask0" style="mask-type:alpha" maskUnits="userSpaceOnUse" x="0" y="0" width="9" height="9"><rect '
        'width="9" height="9" fill="#D9D9D9"/></mask><g mask="url(#mask0)"><circle cx="9" cy="9" r="9" fill="red"/></g>',
        ('height="9" fill="#ffffff"',)),
    "holes by fill-rule": ('<path fill-rule="evenodd" clip-rule="evenodd" d="M100 100h90v90h-90z M120 120h9v9h-9z" '
                           'fill="#FDCF13"/>', ('fill-rule="evenodd"',)),
    "no fill but that of the element": ('<rect x="50" y="50" width="90" height="90" stroke="#573673" stroke-width="3"/>',
                                        ('fill="none"', 'stroke="#573673"', 'stroke-width="3"')),
    "a linear gradient": (
        '<rect x="50" y="50" width="90" height="90" fill="url(#paint0)"/><defs><linearGradient id="paint0" x1="74" y1='
        '"37" x2="74" y2="72" gradientUnits="userSpaceOnUse"><stop stop-color="#7AEDCF"/><stop offset="1" stop-color='
        '"white" stop-opacity="0"/></linearGradient></defs>', ('<stop offset="0"', 'stop-opacity="0"')),
    "a radial gradient with a transform": (
        '<rect x="50" y="50" width="90" height="90" fill="url(#paint0)"/><defs><radialGradient id="paint0" cx="0" cy="0" '
        'r="1" gradientUnits="userSpaceOnUse" gradientTransform="translate(90 90) rotate(90) scale(40)"><stop '
        'stop-color="#fff"/><stop offset="1"/></radialGradient></defs>',
        ('gradientTransform="translate(90 90) rotate(90) scale(40)"',)),
    "percent colours and opacity": ('<rect x="50" y="50" width="90" height="90" fill="#00000080"/><rect x="9" y="9" '
                                    'width="9" height="9" fill="rgba(255, 0, 0, 0.25)"/>',
                                    ('fill-opacity="0.502"', 'tone("#ff0000"', 'fill-opacity="0.25"')),
    "a second layer of a name": ('<text id="name_2" fill="white" font-size="42"><tspan x="64" y="690">x</tspan></text>', ('"x"',)),
    "a layer that is nearly a column": ('<text id="nmae" fill="white" font-size="42"><tspan x="64" y="690">x</tspan></text>',
                                        ("is like the column 'name', but is not one",)),
}
AFFINITY = {
    "a DOCTYPE, and a page without a size": ('<rect x="0" y="0" width="750" height="1050" style="fill:rgb(44,62,45);"/>',
                                             ('fill("\\x232c3e2d")',)),
    "an artboard that is only a frame": ('<rect id="Artboard1" x="0" y="0" width="750" height="1050" style="fill:none;"/>',
                                         ('fill="none"',)),
    "matrices on groups, with minus zeros": (
        '<g transform="matrix(0.933333,-0,-0,0.95,31.6667,28.75)"><path d="M850,130C850,96.9 823.1,70 790,70l0,63.405l-0,'
        '9Z" style="fill:rgb(244,236,216);stroke:rgb(140,110,40);stroke-width:8px;"/></g>',
        ('transform="matrix(0.07902', 'stroke="#8c6e28"', 'stroke-width="8"')),
    "styles of the root are inherited": ('<path d="M100,100l90,0l0,90Z" style="fill:#123456;"/>', ('fill-rule="evenodd"',)),
    "serif:id before the id": ('<text id="name1" serif:id="name" x="475px" y="150px" style="font-size:58px;">Goblin</text>',
                               ("rich(card.name",)),
    "fonts by their PostScript names": (
        "<text x=\"475px\" y=\"150px\" style=\"font-family:'Cinzel-Bold', 'Cinzel';font-weight:700;font-size:58px;\">A"
        "</text>", ('style="Cinzel/bold"',)),
    "kerned runs are one line": (
        '<text x="64px" y="200px" style="font-size:46px;">W<tspan x="101.2px " y="200px ">ater</tspan></text>',
        ('"Water"',)),
    "lines by tspans": ('<text x="64px" y="200px" style="font-size:46px;">One<tspan x="64px" y="250px">Two</tspan></text>',
                        ('"One"', '"Two"')),
    "a text scaled by its group": ('<g transform="matrix(60,0,0,60,64,720)"><text style="font-size:1px;">A</text></g>',
                                   ("size=5.080",)),
    "a picture by use": (
        '<g transform="matrix(1.2,0,0,1.2,10,20)"><use id="Ground" xlink:href="#_Image1" x="8.611" y="8.06" width='
        '"40px" height="20px" transform="matrix(0.999441,0,0,0.999974,0,0)"/></g><defs><image id="_Image1" width="40px" '
        f'height="20px" xlink:href="{EMBEDDED}"/></defs>', ('image("card.svg\\x231", x=1.7', 'fit="contain"')),
    "a column in place of that picture": (
        '<use serif:id="art" xlink:href="#_Image1" x="8" y="8" width="40px" height="20px"/><defs><image id="_Image1" '
        f'width="40px" height="20px" xlink:href="{EMBEDDED}"/></defs>', ("image(card.art", 'fit="cover"')),
    "a clip beside what it clips": (
        '<g><clipPath id="_clip1"><path d="M200,200C300,200 300,300 200,300Z"/></clipPath><g clip-path="url(#_clip1)">'
        '<rect x="100" y="100" width="500" height="500" style="fill:#fff;"/></g></g>',
        ('<clipPath id="d1"><path d="M200,200C300,200 300,300 200,300Z"', '<g clip-path="url(#d1)">')),
    "gradients": (
        '<path d="M100,100l90,0l0,90Z" style="fill:url(#_Linear2);"/><defs><linearGradient id="_Linear2" x1="0" y1="0" '
        'x2="1" y2="0" gradientUnits="userSpaceOnUse" gradientTransform="matrix(90,0,0,90,100,100)"><stop offset="0" '
        'style="stop-color:rgb(0,0,0);stop-opacity:1"/><stop offset="1" style="stop-color:white;stop-opacity:1"/>'
        '</linearGradient></defs>', ('gradientTransform="matrix(90,0,0,90,100,100)"', 'tone("#ffffff"')),
    "a group named for a picture": (
        '<g serif:id="art" transform="matrix(1,0,0,1,20,10)"><ellipse cx="355" cy="400" rx="270" ry="230" style="fill:'
        'none;stroke:black;stroke-width:6px;"/></g>',
        ("image(card.art", '<clipPath id="d1"><ellipse', 'fill="none" stroke="#000000"')),
    "a group named for words": ('<g id="name"><rect x="50" y="50" width="300" height="90"/><text x="64px" y="120px" '
                                'style="font-size:46px;">Goblin</text></g>', ("rich(card.name", "<rect")),
    "an empty group": ('<g id="name"></g>', ("holds nothing that could be filled",)),
    "columns inside words": ('<text x="64px" y="700px" style="font-size:46px;">Cost {cost} – {Name}</text>',
                             ('"Cost " ~ (card.back_cost if side == "back" else card.cost) ~ " – " ~ card.name',)),
}
CONSTRUCTIONS = [(program, name) for program, table in (("inkscape", INKSCAPE), ("figma", FIGMA), ("affinity", AFFINITY))
                 for name in table]


@pytest.mark.parametrize(("program", "name"), CONSTRUCTIONS)
def test_what_the_programs_write_is_understood(tmp_path, program, name):
    body, wanted = {"inkscape": INKSCAPE, "figma": FIGMA, "affinity": AFFINITY}[program][name]
    drawing = f"{HEADS[program]}\n{body}\n</svg>"
    adopted = adopt(tmp_path, drawing)
    result = adopted.template + "\n" + "\n".join(map(str, adopted.notes))
    for words in wanted:
        assert words in result
    kinds = ("left out", "is like", "is linked", "font", "holds nothing")
    assert len(adopted.notes) == sum(any(kind in words for kind in kinds) for words in wanted if "style=" not in words)
    draw(tmp_path, drawing)  # and it passes the checks of faces


@pytest.mark.parametrize("program", HEADS)
def test_each_program_is_held_to_at_least_twelve_constructions(program):
    assert sum(each == program for each, _ in CONSTRUCTIONS) >= 12


# Labels

@pytest.mark.parametrize(("label", "wanted"), {
    "fill:rarity": 'fill="{{ tone(colours.rarity[card.rarity], 0.5) }}"', "stroke: rarity": 'stroke="{{ colours.rarity',
    "show:cost>3": '{% if ((card.back_cost if side == "back" else card.cost) != "" and', "hide:cost": "{% if not ",
    "show:!name": "{% if not card.name %}", "show:name=Ork {{7}}": r'card.name == "Ork \x7b\x7b7\x7d\x7d"',
    "fill:rarity; show:name": "{% if card.name %}", "hide:name != 'x'": 'not (card.name != "" and card.name != "x")',
    "fill:rarty": "there is no column 'rarty' (did you mean rarity?)", "show:(cost)": "{% if",
    "show:zzz": "there is no column 'zzz' (nothing is bound to it)"}.items())
def test_labels_ask_for_paints_and_conditions(tmp_path, label, wanted):
    label = label.replace("<", "&lt;").replace(">", "&gt;")
    adopted = adopt(tmp_path, f'{HEADS["inkscape"]}<rect inkscape:label="{label}" x="9" y="9" width="9" height="9" '
                              'fill="#fff" stroke="#000"/></svg>', colours=["rarity"])
    assert wanted in adopted.template + "\n".join(map(str, adopted.notes))


def test_a_label_on_a_group_paints_all_that_has_a_paint(tmp_path):
    adopted = adopt(tmp_path, f'{HEADS["inkscape"]}<g inkscape:label="fill:rarity"><rect x="9" y="9" width="9" '
                              'height="9"/><path style="fill:none" d="M1 1h9"/></g></svg>')
    assert adopted.template.count("tone(card.rarity") == 1


def test_the_words_of_cells_and_pictures_are_drawn_in_place(tmp_path):
    body = ('<rect id="art" x="5" y="5" width="50" height="30"/><text id="name" x="5" y="50" font-size="5">x</text>'
            '<text id="text" x="5" y="60" font-size="4">x</text>')
    face = draw(tmp_path, f"{HEADS['inkscape']}{body}</svg>", name="A&B {{ 7 * 7 }}")
    assert "A&amp;B {{ 7 * 7 }}" in face.svg and "<image" in face.svg
    assert [picture.name for picture in face.pictures.values()] == ["art.png"]
    assert 'font-weight="700"' in face.svg  # **2**


def test_words_of_a_drawing_never_become_code(tmp_path):
    evil = "{{ 7*7 }}{% set x=1 %}{# no #}\\x7b"
    escaped = evil.replace('"', "&quot;")
    drawing = (f"{HEADS['inkscape']}<style>.{'a'} {{ fill: url(#{{{{7*7}}}}) }}</style><text id=\"t{escaped}\" x=\"5\" "
               f"y=\"50\" font-size=\"4\" font-family=\"{escaped}\">{evil}</text><g inkscape:label=\"show:name={escaped}\">"
               f"<rect class=\"a\" id=\"{escaped}\" x=\"{escaped}\" y=\"5\" width=\"9\" height=\"9\" fill=\"{escaped}\"/></g>"
               f"<image width=\"9\" height=\"9\" xlink:href=\"art.png{escaped}\"/></svg>")
    adopted = adopt(tmp_path, drawing)
    code = adopted.template.replace('"', " ").replace("\\\\", "")
    assert "7*7" not in "".join(part for n, part in enumerate(adopted.template.split('"')) if n % 2 == 0)
    assert "{# no" not in code and "{%  set" not in code
    assert quote("{{%}}#<") == '"\\x7b\\x7b\\x25\\x7d\\x7d\\x23\\x3c"'


# Pages

@pytest.mark.parametrize(("head", "page"), {
    'width="63.5mm" height="88.9mm" viewBox="0 0 635 889"': "as large as the piece",
    'width="69.5mm" height="94.9mm" viewBox="0 0 695 949"': "with a bleed of 3 mm",
    'viewBox="-2 -2 67.5 92.9"': "with a bleed of 2 mm", 'width="750" height="1050"': "as large as the piece",
    'width="821" height="1121"': "with a bleed of 3.01 mm", 'width="180pt" height="252pt"': "as large as the piece",
    'width="225" height="315" viewBox="0 0 225 315"': "as large as the piece",
    'width="127mm" height="177.8mm" viewBox="0 0 127 177.8"': "127 × 177.8 mm, scaled to 50%",
    'width="100%" height="100%" viewBox="0 0 2000 2800"': "scaled to 63.5 × 88.9 mm"}.items())
def test_pages_become_the_piece(tmp_path, head, page):
    assert adopt(tmp_path, f'<svg {NAMES} {head}></svg>').page == page


@pytest.mark.parametrize(("drawing", "said"), [
    ("<svg></svg>", "card.svg:1: has no size"), ("<p/>", "card.svg:1: is not an SVG drawing"), ("", "is not well-formed"),
    ('<svg viewBox="0 0 0 9"/>', "has neither a size nor a viewBox"),
    ('<svg viewBox="0 0 12 20"></svg>', "the page is 12 × 20, the piece 63.5 × 88.9 mm (give both the same proportions"),
    ('<svg width="2in" height="2in"></svg>', "the page is 50.8 × 50.8 mm, the piece 63.5 × 88.9 mm"),
    ('<!DOCTYPE svg [\n<!ENTITY a "b">]><svg>&a;</svg>', "card.svg:1: has entities, as Illustrator writes them"),
    (f"{HEADS['inkscape']}\n<text>{{nmae}}</text></svg>", "card.svg:2: there is no column {nmae} (did you mean {name}?)"),
])
def test_drawings_that_do_not_fit_are_refused(tmp_path, drawing, said):
    said = "has neither a size" if said.endswith("has no size") else said
    assert said in refusal(tmp_path, drawing)


def test_a_ground_is_carried_into_the_bleed_and_shares_cuts(tmp_path):
    ground = '<rect width="63.5" height="88.9" fill="#102030"/>'
    face = draw(tmp_path, f"{HEADS['inkscape']}{ground}</svg>")
    assert face.edge == "fill-102030" and 'width="67.5"' in face.svg
    assert adopt(tmp_path, f"{HEADS['inkscape']}{ground}</svg>").page.endswith("its ground is carried on into the bleed")
    reaching = draw(tmp_path, f'{HEADS["inkscape"]}{ground}<rect y="50" width="63.5" height="9"/></svg>')
    assert not reaching.edge and 'x="-12.0"' in reaching.svg


def test_low_ink_spares_areas_and_keeps_words_legible(tmp_path):
    face = draw(tmp_path, f'{HEADS["inkscape"]}<rect width="63.5" height="88.9" fill="#102030"/><rect x="5" y="5" '
                          'width="50" height="50" fill="#800000"/><text id="name" x="9" y="20" font-size="5" fill="#fff">'
                          "x</text></svg>", "low")
    assert "#102030" not in face.svg and 'fill="#f2e6e6"' in face.svg and 'fill="#222222"' in face.svg


def test_a_deck_of_any_card_size_scales_its_drawing(tmp_path):
    adopted = adopt(tmp_path, f'{HEADS["inkscape"]}<rect width="63.5" height="88.9" fill="#102030"/><path d="M9 9h9v9z"/>'
                              '</svg>', is_fixed=False)
    assert adopted.template.index("fill(") < adopted.template.index("scale({{ face.width / 63.5 }})")


# Lines, notes, pictures inside

def test_messages_name_the_line_where_an_element_begins(tmp_path):
    drawing = f'{HEADS["inkscape"]}\n<!-- <rect -->\n<g\n   id="x"\n><text\n  x="5"\n  y="90"\n  font-size="4">§§§</text></g></svg>'
    adopted = adopt(tmp_path, drawing.replace("§§§", "{name}"))
    assert adopted.bound[0].line == 5
    assert adopted.template[:adopted.template.index("rich")].count("\n") == 4


def test_each_kind_that_is_left_out_is_told_once(tmp_path):
    blurred = '<rect x="9" y="9" width="9" height="9" style="filter:url(#f)"/>\n'
    (note,) = adopt(tmp_path, f"{HEADS['inkscape']}\n{blurred * 5}</svg>").notes
    assert (note.line, note.more) == (2, 4)


def test_pictures_inside_a_drawing_are_pictures_of_the_deck(tmp_path):
    drawing = (f'{HEADS["inkscape"]}<image x="5" y="5" width="20" height="10" xlink:href="{EMBEDDED}"/>\n<image x="5" '
               f'y="5" width="9" height="9" xlink:href="data:image/png;base64,AAAA"/></svg>')
    with pytest.raises(InputError, match=r"card.svg#2 is not a picture"):
        draw(tmp_path, drawing)
    face = draw(tmp_path, drawing.replace("base64,AAAA", f"base64,{EMBEDDED[22:]}"))
    assert {each.name: each.width for each in face.pictures.values()} == {"card.svg#1": 40, "card.svg#2": 40}
    assert {path.name for path in tmp_path.iterdir()} == {"art.png", "card.svg", "cards.csv", "deck.toml"}


# Limits

SOON_S = 4.0


@pytest.mark.parametrize(("body", "said"), {
    "<g>" * 100 + "</g>" * 100: "is nested deeper than 60",
    "<g/>" * 20_001: "has more than 20,000 elements",
    "<rect " + " ".join(f'a{n}="1"' for n in range(300)) + "/>": "has more than 200 attributes",
    f"<!--{'x' * MAX_CHARACTERS}-->": "has more than 2,000,000 characters beside its pictures",
    "<style>" + ".a{fill:red}" * 10_000 + "</style>": "has style sheets of more than 100,000 characters",
    "<style>" + "".join(f".a{n} *{{fill:red}}" for n in range(1_000)) + "</style>" + "<g/>" * 1_000:
        "has 1,000 rules in style sheets",
    "".join(f'<g id="g{n}">' + f'<use xlink:href="#g{n + 1}"/>' * 9 + "</g>" for n in range(9))
    + '<g id="g9"><path d="M0 0"/></g>': "draws more than 20,000 elements with its clones",
}.items())
def test_drawings_that_would_take_long_are_refused(tmp_path, body, said):
    start = time.process_time()
    assert said in refusal(tmp_path, f"{HEADS['inkscape']}{body}</svg>")
    assert time.process_time() - start < SOON_S


@pytest.mark.parametrize("body", [
    "<style>* * * * * *{fill:red} a:not(b c d){fill:red} :nth-child(2n){fill:red}</style>" + "<g>" * 50 + "</g>" * 50,
    '<use id="u" xlink:href="#u"/>', '<g id="a"><use xlink:href="#a"/></g>', '<use xlink:href="other.svg#x"/>',
    '<linearGradient id="a" xlink:href="#b"/><linearGradient id="b" xlink:href="#a"/><path d="M9 9h9v9z" fill="url(#a)"/>',
    '<mask id="m"><g mask="url(#m)"><path d="M9 9h9"/></g></mask><path mask="url(#m)" d="M9 9h9v9z"/>',
    '<pattern id="p" width="1" height="1"><rect width="9" height="9" fill="url(#p)"/></pattern><path d="M9 9h9v9z" '
    'fill="url(#p)"/>', '<path d="M9 9h' + "9" * 400 + '"/>', '<g transform="scale(1e308) scale(1e308)"><path d="M1 1h1v1z"/>'
    "</g>", '<text font-size="1e300">x</text>', f'<path d="M{"1 " * 20_001}"/>', "<text>" + "{" * 9_000 + "</text>",
    '<image width="9" height="9" xlink:href="http://example.org/x.png"/>', '<image width="9" height="9" xlink:href="../x"/>'])
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


@pytest.mark.parametrize(("words", "units"), {"2mm": 2 * 96 / 25.4, "1in": 96, "50%": 5, "2em": 8, "-.5": -0.5, "x": None,
                                              "1 2": None, "auto": None}.items())
def test_lengths(words, units):
    assert to_units(words, 10, 4) == (pytest.approx(units) if units is not None else None)


@pytest.mark.parametrize(("words", "colour"), {
    "white": ("#ffffff", 1), "#abc": ("#aabbcc", 1), "rgb(44,62,45)": ("#2c3e2d", 1), "rgb(100%, 0%, 0%)": ("#ff0000", 1),
    "url('#a')": ("url(#a)", 1), "transparent": ("none", 1), "currentColor": ("currentColor", 1), "{{ 7 }}": ("", 1),
    "hsl(120, 100%, 50%)": ("#00ff00", 1), "mediumpurple": ("#9370db", 1)}.items())
def test_colours(words, colour):
    assert clean_colour(words) == colour


def test_arc_flags_are_parted():
    assert clean_value("d", "M0 0a1 1 0 01.5.5A2,2,0,1,0,3 3") == "M0 0a1 1 0 0 1 .5.5A2,2,0,1 0 3 3"
    assert clean_value("d", "M0 0a1 1 0 00-1 1 1 1 0 011-1") == "M0 0a1 1 0 0 0 -1 1 1 1 0 0 1 1-1"


# ppgen adopt

@pytest.fixture
def deck(desk):
    drawing = (f'{HEADS["inkscape"]}\n<rect id="art" x="5" y="5" width="50" height="30" style="filter:url(#f)"/>\n<text '
               'id="name" x="5" y="50" font-size="5">x</text></svg>')
    (desk.folder / "art.png").write_bytes(picture())
    lay_out(desk.folder, {"card.svg": drawing, "cards.csv": "Name,Art,Cost,Qty\nGoblin,art.png,3,2\n",
                          "deck.toml": '[cards]\ntable = "cards.csv"\nsize = "poker"\nfront = "card.svg"\n'})
    return desk


def test_adopt_shows_what_is_bound_and_what_is_left_out(deck):
    done = deck.ppgen("adopt", "card.svg")
    assert done.exit_code == 0
    assert done.stdout.splitlines()[0] == "Page: as large as the piece."
    assert "card.svg:2  art    art     picture" in done.stdout
    assert "Columns that nothing shows: cost." in done.stdout
    assert "card.svg:2 art: a filter (blur, shadow) is left out (" in done.stderr
    told = json.loads(deck.ppgen("adopt", "card.svg", "--json").stdout)
    assert told["bound"][1] == {"line": 3, "label": "name", "column": "name", "use": "words"}
    assert (told["unshown"], told["left_out"][0]["count"], told["template"]) == (["cost"], 1, None)


def test_adopt_takes_the_columns_of_any_table(deck):
    (deck.folder / "deck.toml").unlink()
    assert "No columns" in deck.ppgen("adopt", "card.svg").stdout
    assert "art    art     picture" in deck.ppgen("adopt", "card.svg", "--table", "cards.csv").stdout
    assert deck.ppgen("adopt", "card.svg", "--sheet", "x").exit_code == 2
    assert "card.svgg: file not found" in deck.ppgen("adopt", "card.svgg").stderr


def test_adopt_writes_a_template_that_draws_the_same(deck):
    assert deck.ppgen("build", "--only", "cards").exit_code == 0
    before = (deck.folder / "output/en/cards-a4.pdf").read_bytes()
    assert deck.ppgen("adopt", "card.svg", "--write").exit_code == 0
    assert "card.svg.j2: exists already (rename it, or add --overwrite)" in deck.ppgen("adopt", "card.svg", "--write").stderr
    assert deck.ppgen("adopt", "card.svg", "--overwrite").exit_code == 0
    deck.change("deck.toml", 'front = "card.svg"', 'front = "card.svg.j2"')
    assert deck.ppgen("build", "--only", "cards").exit_code == 0
    assert (deck.folder / "output/en/cards-a4.pdf").read_bytes() == before
