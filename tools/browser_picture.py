"""Pictures of pieces as a browser shows them: in rows on a plain ground, or on a table in perspective.

Faces are drawn by ppgen, laid by HTML and CSS, and taken by Chromium. All lengths are in millimetres; ``--mm`` is one
in CSS.
"""

from __future__ import annotations

import io
import shutil
import subprocess
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from itertools import count
from math import atan2, degrees, dist
from pathlib import Path
from tempfile import TemporaryDirectory

from PIL import Image, ImageChops

from ppgen.engine.drawing.face import Anchor
from ppgen.engine.geometry import A4, INCH, ORIGIN, Point, Rect, Size
from ppgen.engine.imposition.sheets import SheetSpec
from ppgen.engine.pdf.typesetting import faces_png
from ppgen.printing.drawn_parts import draw_parts
from ppgen.printing.workshop import Workshop
from ppgen.shipped import shipped_root

SPEC = SheetSpec(paper=A4)
RENDERED = 10
"""Pixels per millimetre of faces, which the browser scales down."""
DENSITY = 2
"""Pixels that the browser makes of one of the picture, so that small things are smooth."""
FOLDER = TemporaryDirectory()
NUMBER = count()
GROUND, OUTSIDE = "#8C8172", "#ff00ff"
SHADOW = "drop-shadow(calc(.4 * var(--d)) calc(.8 * var(--d)) calc(.8 * var(--d)) #120a06a0)"


def mm(length: float) -> str:
    """Write millimetres of the picture for CSS."""
    return f"calc({length:.3f} * var(--mm))"


STYLE = """
@font-face { font-family: "EB Garamond"; src: url(FONT) }
body { margin: 0; background: OUTSIDE; display: inline-block }
i { display: inline-block; background-size: 100% 100%; border-radius: calc(var(--r) * var(--mm)); filter: SHADOW;
  width: calc(var(--w) * var(--mm)); height: calc(var(--h) * var(--mm)); --d: calc(var(--l) * var(--mm)) }
.rows { background: GROUND; padding: calc(2 * var(--mm)); display: inline-block; vertical-align: middle }
.rows p { margin: 0; display: flex; justify-content: center; align-items: center }
.rows i { margin: calc(2 * var(--mm)) }
.side { background: GROUND; display: flex; align-items: center }
.scene { position: relative; overflow: hidden; perspective: var(--far); filter: brightness(1.1) }
.table { position: absolute; transform: rotateX(var(--tilt)); transform-origin: var(--x) var(--y) }
.table i, .table b, .table svg { position: absolute }
.table i { transform: translate(-50%, -50%) rotate(var(--turn, 0deg)) }
.up, .up u { transform-style: preserve-3d }
.table u, .up s { position: absolute; left: 0; top: 0 }
.cells { background: #e9e2d4; display: grid; grid-template-columns: repeat(6, auto); gap: 9px; padding: 9px 9px 0 }
.cells p { margin: 0; font: 17px "EB Garamond"; color: #2e2117; text-align: center; line-height: 1.4 }
.cells i { display: block }
.light { position: absolute; inset: 0; mix-blend-mode: multiply }
.soft { position: absolute; left: 0; right: 0; backdrop-filter: blur(2px) }
""".replace("GROUND", GROUND).replace("OUTSIDE", OUTSIDE).replace("SHADOW", SHADOW).replace(
    "FONT", (shipped_root() / "data" / "fonts" / "EBGaramond-Regular.ttf").as_uri())
WOOD = """<svg width="100%" height="100%"><filter id="wood" x="0" y="0" width="1" height="1">
<feTurbulence type="fractalNoise" baseFrequency="0.0009 0.07" numOctaves="3" seed="5"/><feColorMatrix values="
  .46 .2 0 0 -.04  .31 .12 0 0 -.05  .2 .06 0 0 -.04  0 0 0 0 1"/></filter>
<rect width="100%" height="100%" filter="url(#wood)"/></svg>
<b style="inset: 0; background: repeating-linear-gradient(transparent 0 calc(100% / 7 - 3px), #24150e 0 calc(100% / 7)),
  repeating-linear-gradient(#0000 0 14.28%, #0003 0 28.57%, #0001 0 42.85%)"></b>"""


@dataclass(frozen=True, slots=True)
class Piece:
    """A picture in a file, with its size in mm and the radius of its corners."""

    file: str
    size: Size
    corner: float = 0.0
    net: Point = ORIGIN

    def open(self) -> Image.Image:
        return Image.open(Path(FOLDER.name, self.file)).convert("RGB")

    def html(self, style: str = "", lift: float = 0.4) -> str:
        return (f'<i style="--w: {self.size.width}; --h: {self.size.height}; --r: {self.corner}; --l: {lift}; '
                f'background-image: url({self.file}); {style}"></i>')

    def lie(self, x: float, y: float, turn: float = 0, lift: float = 0.7, thick: bool = False) -> str:
        """Lay it on a table with its middle at a place, turned by degrees; ``lift`` is the reach of its shadow.

        A ``thick`` one is glued to board, whose front edge is seen.
        """
        edge = f"; filter: {f'drop-shadow(0 {mm(.4)} 0 #3a332c) ' * 4}{SHADOW}" if thick else ""
        place = f"left: {mm(x)}; top: {mm(y - 1.6 * thick)}; --turn: {turn}deg{edge}"
        return self.html(place, 0.7 if thick else lift)

    def panel(self, panels: Mapping[str, Rect], name: str, transform: str, shade: str, origin: str = "0 0") -> str:
        """Show a panel of a folded piece, whose net begins at its anchor."""
        box = panels[name]
        return self._part(Rect(box.x + self.net.x, box.y + self.net.y, box.width, box.height),
                          f"transform-origin: {origin}; transform: {transform}; filter: {shade}")

    def stand(self, panel: Rect, lean: float, x: float, y: float, turn: float) -> tuple[str, str]:
        """Stand a panel of it, as wide as it is, on a table, leaning back by degrees. Returns its shadow, and it."""
        place = f"transform: translate3d({mm(x)}, {mm(y)}, 0) rotateZ({turn}deg)"
        half, width, high = self.size.width / 2, self.size.width, panel.height
        fall = (f"left: {mm(-half)}; top: {mm(-high * .4)}; width: {mm(width)}; height: {mm(high * .5)}; background: "
                f"#120a06b0; filter: blur({mm(.9)}); "
                f"transform: translate({mm(high * .25)}, {mm(high * .1)}) skewX(30deg)")
        piece = self._part(Rect(0, panel.y, width, high), (
            f"left: {mm(-half)}; top: {mm(-high)}; transform-origin: 50% 100%; transform: rotateX({lean - 90}deg)"))
        return f'<u style="{place}"><b style="{fall}"></b></u>', f'<u style="{place}">{piece}</u>'

    def _part(self, box: Rect, style: str) -> str:
        return (f'<s style="width: {mm(box.width)}; height: {mm(box.height)}; background: url({self.file}) '
                f'{mm(-box.x)} {mm(-box.y)} / {mm(self.size.width)} {mm(self.size.height)}; {style}"></s>')


Pieces = dict[tuple[str, str], Piece]


def keep(picture: Image.Image, size: Size, corner: float = 0.0, net: Point = ORIGIN) -> Piece:
    """Write a picture into a file for the browser."""
    file = f"{next(NUMBER)}.png"
    picture.save(Path(FOLDER.name, file), compress_level=1)
    return Piece(file, size, corner, net)


def draw(workshop: Workshop, lang: str, part: str, ink: str = "full", corner: float = 3) -> Pieces:
    """Draw the faces of a part along their trim, by piece and side."""
    texts = workshop.texts(lang)
    parts = workshop.parts(texts, workshop.game.card_size, SPEC, (part,)).parts
    faces = {key: face for each in draw_parts(parts, workshop.studio(texts, ink), lambda *_: 0.0, lang)
             for key, face in each.faces.items()}
    pieces = {}
    for (key, face), content in zip(faces.items(), faces_png([*faces.values()], workshop.fonts.folder, INCH * RENDERED),
                                    strict=True):
        picture, net = Image.open(io.BytesIO(content)), face.anchors.get("net", Anchor(0, 0))
        if net.turn:  # its corner is at the upper right
            pieces[key] = keep(picture.rotate(90, expand=True), face.size.turned, corner,
                               Point(net.y, face.size.width - net.x))
        else:
            pieces[key] = keep(picture, face.size, corner, Point(net.x, net.y))
    return pieces


def in_rows(rows: Iterable[Iterable[Piece]], scale: float) -> str:
    """Lay pieces in centred rows on a plain ground; ``scale`` is in pixels per millimetre."""
    lines = "".join(f"<p>{''.join(piece.html() for piece in row)}</p>" for row in rows)
    return f'<div class="rows" style="--mm: {scale}px">{lines}</div>'


@dataclass(frozen=True, slots=True, kw_only=True)
class Table:
    """A table of a size in mm, seen from an ``eye`` (right, towards the viewer, up) that looks at a point of it."""

    size: Size
    eye: tuple[float, float, float]
    target: tuple[float, float]
    zoom: float
    picture: tuple[int, int]
    lamp: tuple[int, int]
    reach: float

    def show(self, lying: str, standing: str = "", soft: str = "") -> str:
        """Show what lies and stands on it by the light of a lamp; ``soft`` are areas out of focus."""
        (x, y), (width, height) = self.target, self.picture
        scale = self.zoom / dist(self.eye, (x, y, 0))
        tilt = degrees(atan2(self.eye[1] - y, self.eye[2]))
        place = (f"--mm: {scale}px; --x: {x * scale}px; --y: {y * scale}px; --tilt: {tilt}deg; "
                 f"left: {width / 2 - x * scale}px; top: {height / 2 - y * scale}px; "
                 f"width: {self.size.width * scale}px; height: {self.size.height * scale}px")
        return (f'<div class="scene" style="width: {width}px; height: {height}px; --far: {self.zoom}px">'
                f'<div class="table" style="{place}">{WOOD}{lying}</div>'
                f'<div class="table up" style="{place}">{standing}</div>{soft}<div class="light" style="background: '
                f"radial-gradient({self.reach}px {self.reach / 1.35}px at {self.lamp[0]}px {self.lamp[1]}px, "
                '#fffaec, #dcd0c4 45%, #786356)"></div></div>')


def find_chromium() -> str:
    if chromium := shutil.which("chromium"):
        return chromium
    raise SystemExit("chromium is not to be found: install it first")


def take(html: str) -> Image.Image:
    """Take a picture of what a page shows."""
    page, target = Path(FOLDER.name, "page.html"), Path(FOLDER.name, "page.png")
    page.write_text(f"<!DOCTYPE html><meta charset=utf-8><style>{STYLE}</style>{html}", encoding="utf-8")
    subprocess.run([find_chromium(), "--headless", "--no-sandbox", "--hide-scrollbars", "--window-size=1700,1500",
                    f"--force-device-scale-factor={DENSITY}", f"--screenshot={target}", page.as_uri()],
                   check=True, capture_output=True, timeout=150)
    shown = Image.open(target).convert("RGB")
    box = ImageChops.difference(shown, Image.new("RGB", shown.size, OUTSIDE)).getbbox()
    shown = shown.crop(box)
    return shown.resize((round(shown.width / DENSITY), round(shown.height / DENSITY)), Image.Resampling.LANCZOS)
