"""Picture of the board game for the README: the board on a table during a game, with pieces and cards."""

from __future__ import annotations

import io
import random
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from math import cos, radians, sin

from PIL import Image, ImageDraw, ImageEnhance, ImageFilter

from ppgen.assets import Assets
from ppgen.engine.drawing.face import Face
from ppgen.engine.geometry import A4
from ppgen.engine.imposition.sheets import SheetSpec
from ppgen.engine.pdf.typesetting import faces_png
from ppgen.games.board_game.board_loading import load_board
from ppgen.printing.drawn_parts import draw_parts
from ppgen.printing.workshop import Workshop
from ppgen.shipped import shipped_root
from tools.camera import Camera, Point3, light
from tools.picture_craft import RENDERED, cut, lay, lay_thick, planks

Panel = tuple[str, tuple[float, float], float, float]
SCALE, MARGIN = 4.2, 170.0
"""Pixels per millimetre of the table, and the width in mm of the table around the board."""
CAMERA = Camera(eye=(425, 1290, 1290), target=(425, 358, 0), zoom=7150, width=3000, height=1600)
SIZE = 1500, 800
LAMP, REACH = (620, 250), 1350
SEED = 2000
PLAYERS = 4
OCCUPIED_SHARE = 0.55
"""Share of the spaces that have a cloister."""
TENT = (("front", (17, 26), 4.0, 8.0), ("back", (17, 8), -4.0, 8.0))
STANDEE = (("front", (23, 41), 0.0, 18.0),)
"""Panels of folded pieces: the upper and the lower edge on the net, how far the lower one stands before the upper one,
and the height, in mm. What is seen first comes last."""
HAND = ("france", "france", "bavaria-burgundy")


def board_on_table(lang: str) -> Image.Image:
    """Draw the board during a game."""
    chance = random.Random(SEED)
    board = load_board(shipped_root() / "data" / "board_game")
    faces = _faces(lang)
    width, height = board.width + 2 * MARGIN, board.height + 2 * MARGIN
    ground = planks(round(width * SCALE), round(height * SCALE), chance)
    lay_down = partial(lay, ground, SCALE)
    left, top = MARGIN, MARGIN
    lay_down(faces["board"], left + board.width / 2, top + board.height / 2, 0, lift=1.2)
    standing: list[Standing] = []
    for space in board.spaces:
        if chance.random() < OCCUPIED_SHARE:
            favoured = sum(map(ord, space.country)) % PLAYERS  # a main builder for each country
            player = 1 + (favoured if chance.random() < 0.5 else chance.randrange(PLAYERS))
            standing.append(Standing(net=faces[f"cloister-{player}"], panels=TENT, at=(left + space.at.x,
                                     top + space.at.y), turn=chance.uniform(-24, 24)))
    for country in board.countries:
        for place in range(chance.choice((0, 1, 2, 3))):
            at = country.court.at
            standing.append(Standing(net=faces[f"councillor-{1 + chance.randrange(PLAYERS)}"], panels=STANDEE, at=(
                left + at.x - 9 + 9 * place, top + at.y + 5 - 4 * (place % 2)), turn=chance.uniform(-16, 16)))
    for piece in standing:
        piece.cast(ground)
    squares = board.track()
    for player, points in enumerate((23, 25, 19, 27)[:PLAYERS], 1):
        square = squares[points]
        lay_thick(lay_down, faces[f"score-marker-{player}"], left + square.x + board.square / 2,
                  top + square.y + board.square / 2, chance.uniform(-9, 9))
    deck_x, down = left + board.width + 36, top + board.height / 2
    for card in range(5):
        lay_down(faces["card-back"], deck_x + 0.3 * card, down - 78 - 0.4 * card, chance.gauss(0, 0.5))
    lay_down(faces["lotharingia-italy"], deck_x, down, chance.gauss(0, 1.2))
    lay_down(faces["england-swabia"], deck_x, down + 74, chance.gauss(0, 1.2))
    for place, name in enumerate(HAND):
        lay_down(faces[name], left - 36, down + (place - 1) * 74, chance.gauss(0, 1.6))
    view = CAMERA.view(ground, [(0, 0, 0), (width, 0, 0), (width, height, 0), (0, height, 0)])
    for piece in sorted(standing, key=lambda piece: piece.at[1]):
        piece.stand(view)
    return light(view.convert("RGB").resize(SIZE, Image.Resampling.LANCZOS), LAMP, REACH)


@dataclass(frozen=True, slots=True, kw_only=True)
class Standing:
    """A folded piece that stands on the board: the picture of its net, its panels, its middle in mm, its turn."""

    net: Image.Image
    panels: Sequence[Panel]
    at: tuple[float, float]
    turn: float

    def _point(self, across: float, before: float, up: float) -> Point3:
        turn = radians(self.turn)
        x, y = across * cos(turn) - before * sin(turn), across * sin(turn) + before * cos(turn)
        return self.at[0] + x, self.at[1] + y, up

    def cast(self, ground: Image.Image) -> None:
        """Draw its shadow, to the right and forward."""
        half, (_, _, before, height) = self.net.width / RENDERED / 2, self.panels[0]
        foot = [self._point(x, y, 0) for x, y in ((-half, -before), (half, -before), (half, before), (-half, before))]
        reach = round(height * 2 * SCALE)
        corner = round(self.at[0] * SCALE) - reach, round(self.at[1] * SCALE) - reach
        shadow = Image.new("L", (2 * reach, 2 * reach))
        draw = ImageDraw.Draw(shadow)
        for share in (step / 12 for step in range(13)):
            fall, narrow = height * share, 1 - share  # what stands on two feet is narrow above
            draw.polygon([((x + 0.5 * fall) * SCALE - corner[0],
                           (self.at[1] + (y - self.at[1]) * narrow + 0.35 * fall) * SCALE - corner[1])
                          for x, y, _ in foot], fill=120, outline=120, width=3)
        ground.paste((16, 9, 5), corner, shadow.filter(ImageFilter.GaussianBlur(0.9 * SCALE)))

    def stand(self, view: Image.Image) -> None:
        half = self.net.width / RENDERED / 2
        for name, (top, bottom), before, height in reversed(self.panels):
            upper, lower = sorted((round(top * RENDERED), round(bottom * RENDERED)))
            panel = self.net.crop((0, upper, self.net.width, lower))
            if name == "back":
                panel = ImageEnhance.Brightness(panel.transpose(Image.Transpose.FLIP_TOP_BOTTOM)).enhance(0.5)
            corners = [self._point(-half, 0, height), self._point(half, 0, height), self._point(half, before, 0),
                       self._point(-half, before, 0)]
            seen = CAMERA.view(panel, corners)
            view.paste(seen, (0, 0), seen)


def _faces(lang: str) -> Mapping[str, Image.Image]:
    """Pictures of all faces on the table, by component id."""
    workshop = Workshop.open(Assets.at(), game="board-game")
    texts, spec = workshop.texts(lang), SheetSpec(paper=A4)
    parts = workshop.parts(texts, workshop.game.card_size, spec, ("board", "cards", "pieces")).parts
    drawn = draw_parts(parts, workshop.studio(texts, "full"), lambda *_: 0.0, lang)
    faces: dict[str, Face] = {}
    for part in drawn:
        for (key, side), face in part.faces.items():
            faces["card-back" if side == "back" else key] = face
    pictures = faces_png(tuple(faces.values()), workshop.fonts.folder, 25.4 * RENDERED)
    return {name: cut(Image.open(io.BytesIO(picture)), face, 3.0 if face.size == workshop.game.card_size.size else 0)
            for (name, face), picture in zip(faces.items(), pictures, strict=True)}
