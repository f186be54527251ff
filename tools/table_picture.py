"""First picture of the README: the card game on a table during a game, with both boxes, as a player sees it."""

from __future__ import annotations

import io
import random
from collections.abc import Mapping, Sequence
from functools import partial

import pypdfium2
from PIL import Image, ImageDraw, ImageEnhance

from ppgen.assets import Assets
from ppgen.engine.geometry import A4
from ppgen.engine.imposition.sheets import SheetSpec
from ppgen.engine.pdf.typesetting import faces_png
from ppgen.printing.drawn_parts import draw_parts
from ppgen.printing.set_build import fill_score_sheet
from ppgen.printing.tuck_box import BoxNet
from ppgen.printing.workshop import Workshop
from tools.camera import Camera, Carton, focus, light
from tools.picture_craft import RENDERED, lay, lay_thick, planks

WIDTH, DEPTH, SCALE = 1240.0, 900.0, 3.0
"""Size of the table in mm, and pixels per millimetre of it."""
CAMERA = Camera(eye=(583, 1720, 1250), target=(583, 356, 0), zoom=8690, width=3200, height=1560)
SIZE = 1600, 780
"""Size of the picture in pixels: half of the camera's, so that small things stay smooth."""
LAMP, REACH = (640, 230), 1300
"""Position and reach of the light in pixels."""
SEED = 2001
CARD_STEP, ROW_STEP = 46.8, 70.6
LEFT, TOP = 285.0, 205.0
"""The middle of the first card of the display."""
TAKEN = ((2, 3), (2, 3), (1, 3), (3, 3))
"""Number of cards taken from the left and the right end of each row."""
COLUMNS = 14
STONES = {(0, 4): 1, (1, 7): 3, (2, 1): 4, (2, 6): 2, (3, 11): 1, (0, 10): 4, (3, 7): 5}
"""Players of the stones, by row and column."""
MINE = (("france", 2), ("england", 2), ("denmark", 1), ("hungary", 2), ("bavaria", 2))
OPPOSITE = (("saxony", 2), ("italy", 2), ("castile", 1))
AT_THE_LEFT = (("franconia", 2), ("castile", 2), ("saxony", 1))
"""Cards of the players around the table, by country."""
NAMES = {"p1.name": "Anna", "p2.name": "Ben", "p3.name": "Clara"}

Pictures = Mapping[str, Image.Image]


def table(cards: Pictures, tablets: Pictures, tablet_back: Image.Image, stones: Sequence[Image.Image],
          lang: str) -> Image.Image:
    """Draw the table by lamp light: a display with both ends taken, cards of the players, boxes."""
    chance = random.Random(SEED)
    ground = planks(round(WIDTH * SCALE), round(DEPTH * SCALE), chance)
    lay_down = partial(lay, ground, SCALE)
    left_over = [*cards]
    chance.shuffle(left_over)

    def take(country: str, count: int) -> list[Image.Image]:
        taken = [name for name in left_over if name.startswith(country)][:count]
        for name in taken:
            left_over.remove(name)
        return [cards[name] for name in taken]

    for n, (country, count) in enumerate(MINE):
        for row, card in enumerate(take(country, count)):
            lay_down(card, 405 + 50 * n + chance.uniform(-1.5, 1.5), 508 + 19.5 * row, chance.gauss(0, 1.4))
    for n, (country, count) in enumerate(OPPOSITE):
        for row, card in enumerate(take(country, count)):
            lay_down(card.rotate(180), 640 - 50 * n + chance.uniform(-1.5, 1.5), 113 - 19.5 * row, chance.gauss(0, 2))
    for n, (country, count) in enumerate(AT_THE_LEFT):
        for row, card in enumerate(take(country, count)):
            lay_down(card.rotate(-90, expand=True), 283 - 19.5 * row, 187 + 50 * n + chance.uniform(-1.5, 1.5),
                     chance.gauss(0, 2))
    for row, (first, last) in enumerate(TAKEN):
        for column in range(first, COLUMNS - last):
            x, y = LEFT + column * CARD_STEP, TOP + row * ROW_STEP
            lay_down(cards[left_over.pop()], x + chance.uniform(-0.7, 0.7), y + chance.uniform(-0.7, 0.7),
                     chance.gauss(0, 0.9))
            if column in (1 + row, COLUMNS - 2 - row):
                lay_down(tablet_back, x + chance.uniform(-1, 1), y + 14 + chance.uniform(-1, 1),
                         chance.uniform(-3, 3), lift=1.0)
            elif player := STONES.get((row, column)):
                lay_thick(lay_down, stones[player - 1], x + chance.uniform(-2, 2), y + 10, chance.uniform(-14, 14))
    for n, tablet in enumerate([*tablets.values()][1:3]):
        lay_down(tablet, 658 + 37 * n, 528 + 3 * n, -4 + 7 * n, lift=0.8)
    for x, y in ((338, 514), (358, 532)):
        lay_thick(lay_down, stones[0], x, y, chance.uniform(-20, 20))
    for x, y, player in ((728, 124, 4), (752, 113, 4), (272, 334, 3)):
        lay_thick(lay_down, stones[player - 1], x, y, chance.uniform(-20, 20))
    lay_down(score_sheet(lang), 852, 550, -9)
    lay_down(pencil(), 766, 534, 70, lift=1.6)
    cartons = [carton(Workshop.open(Assets.at(), game=game), lang, at, turn) for game, at, turn in (
        ("board-game", (899.0, 300.0), -32.0), ("card-game", (851.0, 366.0), -20.0))]
    for each in cartons:
        each.cast(ground, SCALE, (0.45, 0.3))
    view = CAMERA.view(ground, [(0, 0, 0), (WIDTH, 0, 0), (WIDTH, DEPTH, 0), (0, DEPTH, 0)])
    for each in cartons:
        each.stand(view, CAMERA)
    picture = view.convert("RGB").resize(SIZE, Image.Resampling.LANCZOS)
    return light(focus(picture, 640, 150, 2.0), LAMP, REACH)


def score_sheet(lang: str) -> Image.Image:
    """The score sheet with the players' names on it."""
    with pypdfium2.PdfDocument(fill_score_sheet("card-game", NAMES, lang)) as document:
        document.init_forms()
        page: Image.Image = document[0].render(scale=RENDERED * 25.4 / 72, may_draw_forms=True).to_pil()
        return page.convert("RGBA").resize((round(148 * RENDERED), round(210 * RENDERED)))


def pencil() -> Image.Image:
    """Draw a red pencil from left to right."""
    long, high = round(165 * RENDERED), round(7 * RENDERED)
    picture = Image.new("RGBA", (long, high))
    draw = ImageDraw.Draw(picture)
    tip = long - 22 * 10
    for top, bottom, colour in ((0, 22, "#C8564A"), (22, 48, "#A8352C"), (48, 70, "#74211C")):
        draw.rectangle((0, top, tip, bottom), fill=colour)
    draw.polygon([(tip, 0), (long - 60, 25), (long - 60, 45), (tip, 70)], fill="#E2BE8B")
    draw.polygon([(tip, 44), (long - 60, 39), (long - 60, 45), (tip, 70)], fill="#BD9563")
    draw.polygon([(long - 62, 24), (long, 35), (long - 62, 46)], fill="#3A3433")
    draw.rectangle((0, 0, 60, high), fill="#D9B24A")
    return picture


def carton(workshop: Workshop, lang: str, at: tuple[float, float], turn: float) -> Carton:
    """The tuck box of a game, folded; of two, the one for the cards."""
    texts = workshop.texts(lang)
    parts = workshop.parts(texts, workshop.game.card_size, SheetSpec(paper=A4), ("box",)).parts
    (drawn,) = draw_parts(parts, workshop.studio(texts, "full"), lambda *_: 0.0, lang)
    face = next(iter(drawn.faces.values()))
    (picture,) = faces_png((face,), workshop.fonts.folder, 25.4 * RENDERED)
    net = parts[0].components[0].front.values["box"]
    assert isinstance(net, BoxNet)
    anchor = face.anchors["net"]
    printed = Image.open(io.BytesIO(picture)).convert("RGB")
    if anchor.turn:  # the net is rotated, its corner at the upper right
        printed = printed.rotate(90, expand=True)
        left, top = anchor.y, face.size.width - anchor.x
    else:
        left, top = anchor.x, anchor.y

    def panel(name: str) -> Image.Image:
        rect = net.panels[name]
        x, y = (left + rect.x) * RENDERED, (top + rect.y) * RENDERED
        return printed.crop((round(x), round(y), round(x + rect.width * RENDERED), round(y + rect.height * RENDERED)))

    front = net.panels["front"]
    opened = panel("front")  # the lid's tuck flap is visible behind the thumb notch
    round_ = net.notch * RENDERED
    middle = opened.width / 2
    lid = panel("lid").rotate(180)
    within = ImageEnhance.Brightness(lid.resize((1, 1))).enhance(0.66).resize(opened.size)
    notch = Image.new("L", opened.size)
    ImageDraw.Draw(notch).ellipse((middle - round_, -round_, middle + round_, round_), fill=255)
    opened.paste(within, (0, 0), notch)
    return Carton(front=opened, side=panel("right"), lid=lid, width=front.width,
                  depth=net.panels["lid"].height, height=front.height, at=at, turn=turn)
